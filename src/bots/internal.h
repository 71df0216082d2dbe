/* Declarations shared by the bots of all games: the list of a game's bots, and when to stop. */
#ifndef ENDSTATION_BOTS_INTERNAL_H
#define ENDSTATION_BOTS_INTERNAL_H

#include "core/exact.h"
#include <assert.h>
#include <endstation/bots.h>

/* One bot of a game's list. Lists are weakest first and end with a NULL name. */
struct es__bot_entry {
    const char *name; /* a name ending in a colon takes a parameter: flat:100 */
    es_event (*think)(const struct es_bot *bot, const struct es_setup *setup,
                      const struct es_state *view, int player, struct es_thought *thought);
    uint32_t ms;
    uint32_t parameter; /* es_bot.parameter, if the name takes none */
    bool baseline;      /* for measurements; not offered to people */
};

/* The bots of a game, apart from `random`. */
struct es_bots {
    const struct es__bot_entry *list;
    size_t bytes; /* of memory that each of them needs, at most */
    /* Returns ES_OK, or why no bot can look at this view for this player. NULL: they always can. */
    es_status (*fault)(const struct es_setup *setup, const struct es_state *view, int player);
};

/* Returns the memory that the caller gave for a thought. */
static inline void *es__thought_memory(const struct es_thought *thought)
{
    assert(thought->memory);
    return thought->memory;
}

/* Returns true when the iterations are used up or the caller wants the answer. */
static inline bool es__stopped(const struct es_thought *thought)
{
    return (thought->iterations && thought->done >= thought->iterations) ||
           (thought->stop && thought->stop(thought->context));
}

#endif
