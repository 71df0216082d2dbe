/* The functions of verplant's rules for game.c's struct es_game; endstation/game.h documents
 * each. */
#ifndef ENDSTATION_SRC_VERPLANT_RULES_H
#define ENDSTATION_SRC_VERPLANT_RULES_H

#include <endstation/verplant.h>

/* Returns the deck of a setup, to be changed. */
static inline struct es_verplant_deck *es__verplant_deck(struct es_setup *setup)
{
    return (struct es_verplant_deck *)setup->options;
}

/* ---- rules.c -------------------------------------------------------------------------------- */

es_status es__verplant_prepare(struct es_setup *setup);
void es__verplant_start(const struct es_setup *setup, struct es_state *state);
struct es_turn es__verplant_turn(const struct es_setup *setup, const struct es_state *state);
size_t es__verplant_legal(const struct es_setup *setup, const struct es_state *state, int who,
                          es_event *events);
unsigned es__verplant_weight(const struct es_setup *setup, const struct es_state *state,
                             es_event event);
es_event es__verplant_deal(const struct es_setup *setup, const struct es_state *state,
                           const uint8_t seed[ES_SEED_BYTES]);
es_status es__verplant_apply(const struct es_setup *setup, struct es_state *state, es_event event);
size_t es__verplant_observe(const struct es_setup *setup, const struct es_state *state,
                            const es_event *events, size_t count, int viewer, es_event *seen);
int es__verplant_score(const struct es_setup *setup, const struct es_state *state, int player);
unsigned es__verplant_winners(const struct es_setup *setup, const struct es_state *state);
es_status es__verplant_check(const struct es_setup *setup, const struct es_state *state);

/* ---- notation.c ----------------------------------------------------------------------------- */

es_status es__verplant_read_option(struct es_setup *setup, int option, struct es_str text);
void es__verplant_write_option(const struct es_setup *setup, int option, struct es_out *out);
void es__verplant_report(const struct es_setup *setup, const struct es_state *state,
                         struct es_out *out);
es_status es__verplant_parse(const struct es_setup *setup, struct es_str text, es_event *event);
void es__verplant_format(const struct es_setup *setup, es_event event, struct es_out *out);

#endif
