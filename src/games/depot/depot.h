/* depot: a small game, the template for new ones. In test builds only.
 *
 * A yard has 5 × 5 places. The player at turn gets a number from 1 to 6 by a die (`roll 4`) and
 * parks a wagon of that number on any free place (`1 c3`). The wagon brings its player two points
 * for every neighbour with the same number and one for every neighbour with the next higher or
 * lower one. Neighbours stand side by side; with the rule `corners` also corner to corner. The game
 * ends when the yard is full; most points win. 2 to 4 players; nothing is hidden.
 */
#ifndef ENDSTATION_SRC_DEPOT_H
#define ENDSTATION_SRC_DEPOT_H

#include "games/depot/status.h"
#include <endstation/game.h>

enum { DEPOT_SIDE = 5, DEPOT_PLACES = DEPOT_SIDE * DEPOT_SIDE, DEPOT_DIE = 6 };
enum { DEPOT_CORNERS = 1 }; /* the rule bit */

struct depot_state {
    uint8_t wagon[DEPOT_PLACES]; /* the number of the wagon there, 0: none */
    uint8_t owner[DEPOT_PLACES]; /* who parked it */
    uint8_t parked;              /* how many wagons */
    uint8_t rolled;              /* for the player at turn; 0: the die is due */
    int16_t points[ES_PLAYERS_MAX];
} __attribute__((may_alias));

static inline const struct depot_state *depot_state(const struct es_state *state)
{
    return (const struct depot_state *)state;
}

/* Returns the points that a wagon of that number would bring on a place. */
int depot_gain(const struct es_setup *setup, const struct depot_state *s, int place, int number);
/* Writes a place, a1 to e5. */
void depot_place_write(int place, struct es_out *out);

/* ---- For game.c ----------------------------------------------------------------------------- */

es_status depot_prepare(struct es_setup *setup);
void depot_start(const struct es_setup *setup, struct es_state *state);
struct es_turn depot_turn(const struct es_setup *setup, const struct es_state *state);
size_t depot_legal(const struct es_setup *setup, const struct es_state *state, int who,
                   es_event *events);
es_status depot_apply(const struct es_setup *setup, struct es_state *state, es_event event);
unsigned depot_weight(const struct es_setup *setup, const struct es_state *state, es_event event);
es_event depot_deal(const struct es_setup *setup, const struct es_state *state,
                    const uint8_t seed[ES_SEED_BYTES]);
size_t depot_observe(const struct es_setup *setup, const struct es_state *state,
                     const es_event *events, size_t count, int viewer, es_event *seen);
int depot_score(const struct es_setup *setup, const struct es_state *state, int player);
unsigned depot_winners(const struct es_setup *setup, const struct es_state *state);
void depot_report(const struct es_setup *setup, const struct es_state *state, struct es_out *out);
es_status depot_parse(const struct es_setup *setup, struct es_str text, es_event *event);
void depot_format(const struct es_setup *setup, es_event event, struct es_out *out);
es_status depot_check(const struct es_setup *setup, const struct es_state *state);

#endif
