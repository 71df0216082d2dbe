/* The thinking players of verplant, each in a file of its own. */
#ifndef ENDSTATION_BOTS_VERPLANT_H
#define ENDSTATION_BOTS_VERPLANT_H

#include "bots/internal.h"

extern const struct es_bots es__verplant_bots;

/* bots_search.c: who ignores the others plays solo, whoever else is at the table. */
struct es__search_level {
    int rounds;     /* cards that are played on */
    int width;      /* in how many ways at once */
    uint64_t usual; /* iterations, unless somebody names a number */
    bool ignore_others;
};
es_event es__verplant_search(const struct es__search_level *level, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought);

/* bots_flat.c: so many greedy roll-outs. */
es_event es__verplant_flat(uint64_t roll_outs, const struct es_setup *setup,
                           const struct es_state *view, int player, struct es_thought *thought);

#endif
