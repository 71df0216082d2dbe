/* What the bots of all games share. */
#ifndef ENDSTATION_BOTS_INTERNAL_H
#define ENDSTATION_BOTS_INTERNAL_H

#include <endstation/bots.h>

/* Lists of bots, weakest first, end with a NULL name. */
struct es__bot_entry {
    const char *name; /* one that ends with a colon takes a number */
    es_event (*think)(const struct es_bot *bot, const struct es_setup *setup,
                      const struct es_state *view, int player, struct es_thought *thought);
    uint32_t ms;
    uint32_t number; /* es_bot.number of those whose name takes none */
    bool baseline;   /* for measurements; not offered to people */
};

/* The players of a game, beside the one who does anything that is legal. */
struct es_bots {
    const struct es__bot_entry *list;
    /* Why no bot can answer for this player, who is to act, in this view; NULL: they always can. */
    es_status (*fault)(const struct es_setup *setup, const struct es_state *view, int player);
};

/* Whether it is time to answer. */
static inline bool es__stopped(const struct es_thought *thought)
{
    return (thought->iterations && thought->done >= thought->iterations) ||
           (thought->stop && thought->stop(thought->context));
}

#endif
