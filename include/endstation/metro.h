/* The rules of metro, the tile-laying game: hands, stock and turns, on the board of metro/board.h.
 *
 * A state can hold one player's view of a game: tiles dealt to others are then ES_TILE_UNKNOWN
 * until they are laid.
 */
#ifndef ENDSTATION_METRO_H
#define ENDSTATION_METRO_H

#include <assert.h>
#include <endstation/game.h>
#include <endstation/metro/board.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const struct es_game es_metro;

enum { ES_METRO_ROTATE = 1, ES_METRO_HAND2 = 2, ES_METRO_HAND3 = 4 }; /* the rule bits */

enum {
    ES_TILE_UNKNOWN = ES_TILE_KINDS,
    ES_TILE_NONE = 255,
    ES_HAND_MAX = 3,
};

/* Events: a tile is dealt to a player; a player draws; a player lays a tile, turned by some
 * quarters, on a square. */
#define ES_METRO_DEAL(player, tile) ES_EVENT(ES_CHANCE, (player) << 5 | (tile))
#define ES_METRO_DRAW(player) ES_EVENT(player, 0)
#define ES_METRO_LAY(player, tile, quarters, square)                                               \
    ES_EVENT(player, 0x2000 | (tile) << 8 | (quarters) << 6 | (square))

#define ES_METRO_DEAL_PLAYER(event) ((int)(ES_EVENT_WHAT(event) >> 5))
#define ES_METRO_DEAL_TILE(event) ((int)(ES_EVENT_WHAT(event) & 31))
#define ES_METRO_IS_LAY(event) (ES_EVENT_WHO(event) != ES_CHANCE && ES_EVENT_WHAT(event) != 0)
#define ES_METRO_LAY_TILE(event) ((int)(ES_EVENT_WHAT(event) >> 8 & 31))
#define ES_METRO_LAY_QUARTERS(event) ((int)(ES_EVENT_WHAT(event) >> 6 & 3))
#define ES_METRO_LAY_SQUARE(event) ((int)(ES_EVENT_WHAT(event) & 63))

/* What has to happen next for the player at turn. */
enum es_metro_phase {
    ES_METRO_DEALING,   /* chance deals a tile of the first hands */
    ES_METRO_TURN,      /* the player lays a tile, or draws one */
    ES_METRO_DRAWING,   /* chance deals the tile drawn */
    ES_METRO_REFILLING, /* chance deals a tile in place of the one laid */
    ES_METRO_OVER,
};

struct es_metro_state {
    struct es_board board;
    uint8_t look[ES_SQUARES];      /* of the tiles laid */
    uint8_t unseen[ES_TILE_KINDS]; /* tiles of each kind in the stock or unknown in a hand */
    uint8_t hand[ES_PLAYERS_MAX][ES_HAND_MAX]; /* ascending, unknown ones last */
    uint8_t held[ES_PLAYERS_MAX];              /* tiles in each hand */
    uint8_t drawn;  /* the tile drawn and not yet laid, or ES_TILE_NONE */
    uint8_t stock;  /* tiles in it */
    uint8_t phase;  /* enum es_metro_phase */
    uint8_t player; /* at turn, from 1 */
} __attribute__((may_alias));

static_assert(sizeof(struct es_metro_state) <= sizeof(struct es_state), "state too large");

static inline const struct es_metro_state *es_metro_state(const struct es_state *state)
{
    return (const struct es_metro_state *)state;
}

static inline int es_metro_hand_size(const struct es_setup *setup)
{
    return setup->rules & ES_METRO_HAND2 ? 2 : setup->rules & ES_METRO_HAND3 ? 3 : 1;
}

static inline int es_metro_laid(const struct es_metro_state *s)
{
    return __builtin_popcountll(s->board.laid);
}

/* Returns ES_OK if a tile may be laid on a square with these quarter turns, else why not. Does not
 * ask who holds the tile. */
es_status es_metro_fault(const struct es_setup *setup, const struct es_metro_state *s, int tile,
                         int quarters, int square);

/* Traces a station's line over the tiles, for pictures; the rules never do. Returns the number of
 * steps. */
struct es_metro_step {
    uint8_t square, in, out; /* the sides it comes in and goes out by */
};
enum { ES_METRO_STEPS_MAX = 240 };
int es_metro_way(const struct es_metro_state *s, int station,
                 struct es_metro_step steps[ES_METRO_STEPS_MAX]);

/* Reads a tile's name, such as aacb, or ? for an unknown one; ES_OK or ES_TILE_BAD. */
es_status es_tile_read(struct es_str text, uint8_t *tile);
void es_tile_write(int tile, struct es_out *out);
/* Reads a square's name, such as d8; ES_OK or ES_SQUARE_BAD. */
es_status es_square_read(struct es_str text, uint8_t *square);
void es_square_write(int square, struct es_out *out);

#ifdef __cplusplus
}
#endif

#endif
