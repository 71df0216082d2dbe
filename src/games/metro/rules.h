/* The functions of metro's rules for game.c's struct es_game; endstation/game.h documents each. */
#ifndef ENDSTATION_SRC_METRO_RULES_H
#define ENDSTATION_SRC_METRO_RULES_H

#include <endstation/metro.h>

/* ---- rules.c -------------------------------------------------------------------------------- */

es_status es__metro_prepare(struct es_setup *setup);
void es__metro_start(const struct es_setup *setup, struct es_state *state);
struct es_turn es__metro_turn(const struct es_setup *setup, const struct es_state *state);
size_t es__metro_legal(const struct es_setup *setup, const struct es_state *state, int who,
                       es_event *events);
unsigned es__metro_weight(const struct es_setup *setup, const struct es_state *state,
                          es_event event);
es_event es__metro_deal(const struct es_setup *setup, const struct es_state *state,
                        const uint8_t seed[ES_SEED_BYTES]);
es_status es__metro_apply(const struct es_setup *setup, struct es_state *state, es_event event);
size_t es__metro_observe(const struct es_setup *setup, const struct es_state *state,
                         const es_event *events, size_t count, int viewer, es_event *seen);
int es__metro_score(const struct es_setup *setup, const struct es_state *state, int player);
unsigned es__metro_winners(const struct es_setup *setup, const struct es_state *state);
es_status es__metro_check(const struct es_setup *setup, const struct es_state *state);

/* ---- notation.c ----------------------------------------------------------------------------- */

void es__metro_report(const struct es_setup *setup, const struct es_state *state,
                      struct es_out *out);
es_status es__metro_parse(const struct es_setup *setup, struct es_str text, es_event *event);
void es__metro_format(const struct es_setup *setup, es_event event, struct es_out *out);

/* Reads a tile with its quarter turns, `aacb` or `aacb/1`, or ? for one that is hidden. */
bool es__metro_tile_piece(struct es_str name, uint8_t *tile, int *turns);

#endif
