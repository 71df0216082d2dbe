/* Views of games in which all players choose at the same time, unseen by the others. */
#ifndef ENDSTATION_SRC_ROUNDS_H
#define ENDSTATION_SRC_ROUNDS_H

#include <endstation/game.h>

/* Copies the players' events of one round, events[from] to events[to - 1], as a viewer (0: a
 * spectator) gets to know them: the viewer's own in the order they were made; after them, once the
 * round is closed, the others', by player. So a view only grows. `seen` already has `count` events;
 * returns the new count. */
static inline size_t es__observe_round(const es_event *events, size_t from, size_t to, int players,
                                       int viewer, bool closed, es_event *seen, size_t count)
{
    for (size_t i = from; i < to; i++)
        if (ES_EVENT_WHO(events[i]) == viewer)
            seen[count++] = events[i];
    for (int p = 1; p <= players && closed; p++)
        for (size_t i = from; i < to && p != viewer; i++)
            if (ES_EVENT_WHO(events[i]) == p)
                seen[count++] = events[i];
    return count;
}

#endif
