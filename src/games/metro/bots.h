/* What the players of metro share: the worth of open lines, and a quick player for simulations.
 *
 * A line that has crossed n tiles and goes on from some open end will in the end be worth about
 *
 *     factor * n + extra
 *
 * where both depend on the end alone: near the centre the factor is nearly 2, far from any rim the
 * extra is large. That there are two numbers for an end, whatever the length of its line, makes
 * them cheap to keep and to learn: they come from games that the program played against itself
 * (training/metro_values.c). The board looks the same from all its sides, so 240 ends have only 30
 * different places; as the board fills, the worth of a place changes.
 *
 * The square in front of an end is looked at as it is: four exits, each taken with the chance that
 * a tile sends a train that way, each leading to the rim, the centre, or to another end over so
 * many tiles. What lies behind that end is what the table knows.
 */
#ifndef ENDSTATION_BOTS_METRO_H
#define ENDSTATION_BOTS_METRO_H

#include "bots/internal.h"
#include <endstation/metro.h>

extern const struct es_bots es__metro_bots;

enum {
    ES__STAGES = 6,      /* ten tiles each */
    ES__PLACES = 30,     /* kinds of ends, the board's eight symmetries aside */
    ES__TABLES = 10,     /* 2 to 6 players, without and with rotation */
    ES__TABLE_ONE = 256, /* 1 in the table */
    ES__MOVES_MAX = 240, /* of one tile: four directions on every square */
};

/* What was learned: for every stage four chances (a train goes back, to the next side clockwise,
 * straight on, anticlockwise), then for every place factor and extra. */
struct es__metro_learned {
    int16_t way[ES__STAGES][4];
    int16_t worth[ES__STAGES][ES__PLACES][2];
};
extern const struct es__metro_learned es__metro_learned[ES__TABLES];

struct es__worth {
    float factor, extra;
};

/* The same, laid out for use. */
struct es__metro_values {
    int players;
    bool rotate;
    float bad; /* a gain that is worse than what a tile drawn will bring */
    struct es__worth end[ES__STAGES][ES__ENDS];
    float way[ES__STAGES][8];          /* twice the four, so that they can begin at any side */
    float weight[ES_PLAYERS_MAX][256]; /* of the line that begins at an end, for a player */
    uint8_t exits[60][4];
};

void es__metro_values_load(struct es__metro_values *values, const struct es_setup *setup,
                           const struct es__metro_learned *learned);
/* The place of each end, 0 to 29. */
void es__metro_places(uint8_t place[240]);

static inline const struct es__metro_learned *es__metro_learned_for(const struct es_setup *setup)
{
    return &es__metro_learned[setup->players - 2 + (setup->rules & ES_METRO_ROTATE ? 5 : 0)];
}

static inline int es__metro_stage(uint64_t laid)
{
    int stage = __builtin_popcountll(laid) / 10;
    return stage < ES__STAGES ? stage : ES__STAGES - 1;
}

/* The worth of a line that goes on from an end, or has come to its end. */
static inline struct es__worth es__worth_ahead(const struct es__metro_values *values, int stage,
                                               const struct es_board *board, unsigned end)
{
    const struct es__worth *table = values->end[stage];
    if (end >= ES_END_RIM)
        return table[end];
    const uint8_t *exits = values->exits[end >> 2];
    const float *way = values->way[stage] + 4 - (end & 3);
    struct es__worth sum = {0, 0};
    for (int i = 0; i < 4; i++) {
        unsigned track = board->ends[exits[i]];
        struct es__worth behind = table[track & 255];
        float tiles = (float)((track >> 8) + 1);
        sum.factor += way[i] * behind.factor;
        sum.extra += way[i] * (behind.factor * tiles + behind.extra);
    }
    return sum;
}

/* ---- Playing on a table where all tiles are known ------------------------------------------- */

struct es__metro_game {
    struct es_board board;
    uint8_t hand[ES_PLAYERS_MAX][ES_HAND_MAX];
    uint8_t held[ES_PLAYERS_MAX];
    uint8_t drawn;  /* or ES_TILE_NONE */
    uint8_t player; /* at turn, from 0 */
    uint8_t next;   /* the next tile of the stock */
    uint8_t size;   /* of the stock, with what is dealt already */
    uint8_t stock[ES_METRO_TILES];
};

struct es__metro_move {
    float gain;
    uint8_t tile, look, square, quarters;
};

/* The gains of every placement of a tile for a player: the change of what their own lines are
 * worth, less that of the others'. Returns how many; `moves` has room for ES__MOVES_MAX. */
int es__metro_moves(const struct es__metro_values *values, const struct es_board *board, int player,
                    int tile, struct es__metro_move *moves);
/* The best of them. */
struct es__metro_move es__metro_best(const struct es__metro_values *values,
                                     const struct es_board *board, int player, const uint8_t *tiles,
                                     int count);
/* Lays a tile and deals what is due; the next player is then at turn. */
void es__metro_lay(const struct es__metro_values *values, struct es__metro_game *game,
                   struct es__metro_move move);
/* A whole turn of the player at turn, who draws if nothing in hand is good enough. */
void es__metro_play(const struct es__metro_values *values, struct es__metro_game *game);
/* What each player can expect to have in the end. */
void es__metro_expect(const struct es__metro_values *values, const struct es_board *board,
                      float points[ES_PLAYERS_MAX]);

static inline bool es__metro_over(const struct es__metro_game *game)
{
    return game->board.laid == ~ES_CENTRE;
}

/* The searching players (bots_search.c); `usual` iterations, unless somebody names a number. */
es_event es__metro_search(const struct es__metro_learned *learned, const struct es_setup *setup,
                          const struct es_state *view, int player, uint64_t usual,
                          struct es_thought *thought);

#endif
