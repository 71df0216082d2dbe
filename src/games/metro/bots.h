/* Declarations of metro's bots: the value of open lines, and a quick player for simulations.
 *
 * A line that has crossed n tiles and continues from some open end is expected to bring about
 *
 *     factor * n + extra
 *
 * points, where both depend on the end alone: near the centre the factor is nearly 2, far from any
 * rim the extra is large. The numbers come from self-play (training/metro_values.c). The board is
 * symmetrical, so 240 ends have only 30 different places; as the board fills, the numbers of a
 * place change.
 *
 * One square is looked ahead: the square in front of an end has four exits, each taken with the
 * probability that a tile sends a train that way, each leading to the rim, to the centre, or over
 * some tiles to another end, whose numbers come from the table.
 */
#ifndef ENDSTATION_BOTS_METRO_H
#define ENDSTATION_BOTS_METRO_H

#include "bots/internal.h"
#include <endstation/metro.h>

extern const struct es_bots es__metro_bots;

enum {
    ES__STAGES = 6,      /* ten tiles each */
    ES__PLACES = 30,     /* kinds of ends under the board's eight symmetries */
    ES__TABLES = 10,     /* 2 to 6 players, without and with rotation */
    ES__TABLE_ONE = 256, /* the fixed-point 1 of the table */
    ES__MOVES_MAX = 240, /* of one tile: four rotations on every square */
};

/* The trained numbers: for every stage four probabilities (a train goes back, to the next side
 * clockwise, straight on, anticlockwise), then for every place factor and extra. */
struct es__metro_learned {
    int16_t way[ES__STAGES][4];
    int16_t worth[ES__STAGES][ES__PLACES][2];
};
extern const struct es__metro_learned es__metro_learned[ES__TABLES];

struct es__worth {
    float factor, extra;
};

/* The trained numbers in the form that search uses. */
struct es__metro_values {
    int players;
    bool rotate;
    float draw_threshold; /* the quick player draws if its best placement gains less */
    struct es__worth end[ES__STAGES][ES__ENDS];
    float way[ES__STAGES][8]; /* the four probabilities twice, so that one can begin at any side */
    float weight[ES_PLAYERS_MAX][256]; /* [player][end]: of the line that begins at the end */
    uint8_t exits[60][4];
};

void es__metro_values_load(struct es__metro_values *values, const struct es_setup *setup,
                           const struct es__metro_learned *learned);
/* Computes the place of each end, 0 to 29. */
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

/* Returns the value of a line that continues from an end, or that is finished there. */
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
        struct es__worth beyond = table[track & 255];
        float tiles = (float)((track >> 8) + 1);
        sum.factor += way[i] * beyond.factor;
        sum.extra += way[i] * (beyond.factor * tiles + beyond.extra);
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
    uint8_t size;   /* of the stock, with the tiles already dealt */
    uint8_t stock[ES_METRO_TILES];
};

struct es__metro_move {
    float gain;
    uint8_t tile, look, square, quarters;
};

/* Lists every placement of a tile with its gain for a player: the change in value of their own
 * lines, less that of the others'. Returns their number; `moves` has room for ES__MOVES_MAX. */
int es__metro_moves(const struct es__metro_values *values, const struct es_board *board, int player,
                    int tile, struct es__metro_move *moves);
/* Returns the placement with the highest gain among those of `tiles`. */
struct es__metro_move es__metro_best(const struct es__metro_values *values,
                                     const struct es_board *board, int player, const uint8_t *tiles,
                                     int count);
/* Lays a tile and deals the next one; then it is the next player's turn. */
void es__metro_lay(const struct es__metro_values *values, struct es__metro_game *game,
                   struct es__metro_move move);
/* Plays one turn; the player draws if nothing in hand is good enough. */
void es__metro_play(const struct es__metro_values *values, struct es__metro_game *game);
/* Computes each player's expected final points. */
void es__metro_expect(const struct es__metro_values *values, const struct es_board *board,
                      float points[ES_PLAYERS_MAX]);

static inline bool es__metro_over(const struct es__metro_game *game)
{
    return game->board.laid == ~ES_CENTRE;
}

/* ---- Guessing what is hidden (bots_guess.c) ------------------------------------------------- */

/* A game as one player sees it, and what they have not seen. */
struct es__metro_guess {
    const struct es__metro_values *values;
    struct es__metro_game game;
    uint8_t pool[ES_METRO_TILES];
    int player, unseen; /* the player, from 0; tiles in the pool */
};

/* The estimated result of a game. */
struct es__metro_outcome {
    float share[ES_PLAYERS_MAX]; /* of the win */
    float points;                /* of the player */
    float ahead;                 /* of the best of the others */
};

/* Sets up the game as the player (from 0) sees it; unseen tiles go into the pool. `values` must be
 * loaded. */
void es__metro_look(struct es__metro_guess *guess, const struct es_metro_state *view, int player);
/* Deals the tiles of the pool, in its order, to the stock and to hands that are not known. */
void es__metro_deal_pool(struct es__metro_guess *guess, const struct es_metro_state *view);
/* Shuffles the pool. */
void es__metro_shuffle_pool(struct es__metro_guess *guess, struct es_random *random);
/* Estimates each player's share of the win from their expected points. */
void es__metro_judge(const struct es__metro_guess *guess, const struct es__metro_game *game,
                     struct es__metro_outcome *outcome);

/* Returns what drawing a tile is worth beyond what samples say, as a share of the win; `share` is
 * what they say. In samples the quick player lays the tile at once where it gains most; a player
 * who looks further gets more out of it (docs/bots.md). */
static inline float es__metro_draw_bonus(float share)
{
    return 0.11F * share * (1 - share);
}

/* The searching bots (bots_search.c); makes `usual` iterations unless thought->iterations is
 * given. */
es_event es__metro_search(const struct es__metro_learned *learned, const struct es_setup *setup,
                          const struct es_state *view, int player, uint64_t usual,
                          struct es_thought *thought);

#endif
