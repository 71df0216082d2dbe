/* The bots of each game, and what they share. */
#ifndef ENDSTATION_BOTS_INTERNAL_H
#define ENDSTATION_BOTS_INTERNAL_H

#include <endstation/bots.h>

/* Lists of bots end with a NULL name. A name that ends with a colon takes a number. */
struct es__bot_entry {
    const char *name;
    es_event (*think)(const struct es_bot *bot, const struct es_setup *setup,
                      const struct es_state *view, int player, struct es_thought *thought);
    uint32_t ms;
    uint32_t number; /* es_bot.number of those whose name takes none */
};
extern const struct es__bot_entry es__verplant_bots[], es__metro_bots[];

/* Whether it is time to answer. */
static inline bool es__stopped(const struct es_thought *thought)
{
    return (thought->iterations && thought->done >= thought->iterations) ||
           (thought->stop && thought->stop(thought->context));
}

#endif
