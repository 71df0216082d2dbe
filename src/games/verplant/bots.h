/* The searching bots of verplant. */
#ifndef ENDSTATION_BOTS_VERPLANT_H
#define ENDSTATION_BOTS_VERPLANT_H

#include "bots/internal.h"

extern const struct es_bots es__verplant_bots;

/* Settings of the search in bots_search.c. */
struct es__search_level {
    int rounds;     /* cards to look ahead */
    int width;      /* positions kept after each card */
    uint64_t usual; /* default iterations */
    bool ignore_others;
};
es_event es__verplant_search(const struct es__search_level *level, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought);

/* bots_flat.c: flat Monte Carlo with `roll_outs` greedy games. */
es_event es__verplant_flat(uint64_t roll_outs, const struct es_setup *setup,
                           const struct es_state *view, int player, struct es_thought *thought);

#endif
