/* Noting in the store that this process is running, and what follows from it: the gaps in which no
 * process ran, which processes run now, and rooms that are due and not in memory.
 *
 * One question does all of this, every few seconds (STORE_ALIVE). While the latest answer is older
 * than STORE_AWAY_MS, the process does not know the gaps: the machine has slept, or the store was
 * away. Then rooms do nothing, because clocks might run out too early.
 */
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    ALIVE_MS = 5000,
    AGAIN_MS = 500,          /* from a fault of the store to the next try */
    GAP_MS = 2000,           /* if the server was away for less, clocks are not extended */
    AHEAD_MS = 2 * ALIVE_MS, /* the only process takes rooms that will be due in this time */
    GRACE_MS = 8000,         /* one of several takes those that have been due for this time */
};

/* ---- Gaps ------------------------------------------------------------------------------------ */

uint64_t hub_deadline(const struct rooms *rooms, uint64_t from, uint64_t ms)
{
    uint64_t end = from + ms;
    for (size_t i = 0; i < rooms->gaps && !MUTATED(NO_GAPS); i++) {
        const struct store_gap *gap = &rooms->gap[i];
        if (gap->to > from && gap->from < end)
            end += gap->to - (gap->from > from ? gap->from : from);
    }
    return end;
}

uint64_t hub_lived(const struct rooms *rooms, uint64_t from, uint64_t to)
{
    uint64_t ms = to > from ? to - from : 0;
    for (size_t i = 0; i < rooms->gaps; i++) {
        uint64_t start = rooms->gap[i].from > from ? rooms->gap[i].from : from;
        uint64_t end = rooms->gap[i].to < to ? rooms->gap[i].to : to;
        if (end > start)
            ms -= end - start < ms ? end - start : ms;
    }
    return ms;
}

/* ---- Questions ------------------------------------------------------------------------------- */

void alive_ask(struct rooms *rooms)
{
    struct alive *alive = &rooms->alive;
    struct store_question question = {.kind = STORE_ALIVE,
                                      .time = rooms->now,
                                      .first = alive->noted ? STORE_AWAY_MS : GAP_MS,
                                      .fresh = !alive->noted || alive->unsure,
                                      .head.wake = others_shared(rooms) && !MUTATED(EARLY_CLAIM)
                                                       ? rooms->now - GRACE_MS
                                                       : rooms->now + AHEAD_MS};
    memcpy(question.process, rooms->options.process, sizeof question.process);
    alive->asked = rooms->now;
    alive->next = 0;
    hub_ask(rooms, &question, NULL);
}

void alive_soon(struct rooms *rooms)
{
    if (rooms->alive.next)
        rooms->alive.next = rooms->now;
    else
        rooms->alive.again = true;
}

void alive_check(struct rooms *rooms)
{
    struct alive *alive = &rooms->alive;
    if (rooms->draining)
        return;
    if (rooms->ready && rooms->now >= alive->noted + STORE_AWAY_MS) {
        rooms->ready = false;
        alive_soon(rooms);
    }
    if (alive->next && alive->next <= rooms->now)
        alive_ask(rooms);
}

uint64_t alive_wake(const struct rooms *rooms)
{
    return rooms->draining ? 0 : rooms->alive.next;
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Has rooms that are due run at their time. One that is in memory renews its `wake` in the store.
 */
static void take_due(struct rooms *rooms, const struct store_answer *answer)
{
    for (size_t i = 0; i < answer->rooms; i++) {
        const struct store_head *head = &answer->heads[i];
        struct room *room = hub_room(rooms, head->room);
        if (!room)
            hub_wake(rooms, hub_room_new(rooms, head->room), head->wake);
        else if (head->wake <= rooms->now)
            hub_wake(rooms, room, rooms->now);
    }
}

void alive_answer(struct rooms *rooms, const struct store_answer *answer)
{
    struct alive *alive = &rooms->alive;
    bool stored = answer->outcome == STORE_STORED;
    alive->next = rooms->now + (stored ? ALIVE_MS : AGAIN_MS);
    bool is_stale = rooms->now >= alive->asked + STORE_AWAY_MS;
    if (alive->again || (stored && (is_stale || answer->rooms >= STORE_DUE_MAX)))
        alive->next = rooms->now;
    alive->again = false;
    alive->unsure |= answer->outcome == STORE_UNKNOWN;
    if (!stored)
        return;
    alive->noted = alive->asked;
    rooms->gap = hub_grow(rooms->gap, &rooms->gaps_room, answer->gaps, sizeof *rooms->gap);
    if (answer->gaps > 0)
        memcpy(rooms->gap, answer->gap, answer->gaps * sizeof *rooms->gap);
    rooms->gaps = answer->gaps;
    rooms->counts.rooms_open = answer->open;
    others_processes(rooms, answer);
    /* Unsure: perhaps it was the question before that found that we were taken for dead. */
    if (others_shared(rooms) && (!answer->found || alive->unsure) && !MUTATED(SILENT))
        others_tell_again(rooms);
    alive->unsure = false;
    take_due(rooms, answer);
    if (rooms->ready || rooms->now >= alive->noted + STORE_AWAY_MS)
        return;
    rooms->ready = true;
    for (size_t i = 0; i < rooms->rooms.slots; i++)
        if (rooms->rooms.slot[i].key) /* also those that were claimed by a late answer */
            hub_wake(rooms, rooms->rooms.slot[i].thing, rooms->now);
}
