/* Deleting what nobody needs any more: rooms that were over long ago, and guests who have not been
 * here for long (rooms_keep in rooms.h); and, whatever the operator has chosen, chat of old games,
 * sheets that no room names, expired tickets and notes (STORE_CLEAN).
 *
 * Cleaning begins once an hour, and goes on in steps with a pause after each. Once an hour, too, a
 * round begins: the store lists a few of the oldest rooms and guests (STORE_OLD),
 * which are deleted one after the other, with a pause after each, then the next few, until nothing
 * is old. So the store never has more to do for this than a move or two at a time. If wished, the
 * record of a game is written first; the room is deleted when that is on disk.
 *
 * Of several processes only the one that is first in the list of those that run does this. For some
 * seconds two may take themselves for it: deleting twice does no harm.
 *
 * Time without a server does not count for rooms and guests: guests could not come. That is also
 * why a clock that was wrong when the server started deletes nothing. Chat, tickets and notes go by
 * the calendar, because the page says how long they are kept; but see since(). If a clock is set
 * forward by much while the server runs, nothing is deleted until the next start. */
#include "rooms/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUND_MS = 3600000, /* from the end of a round to the next */
    AGAIN_MS = 60000,   /* … if something failed, or another process does it */
    PAUSE_MS = 50,      /* after each room and guest, and each step of cleaning */
    CLEAN_MS = 3600000, /* from the end of cleaning to the next */
    DAY_MS = 24 * 3600000,
    SHEET_MS = DAY_MS,  /* a sheet that no room names is kept that long */
    SURELY_MS = 3600000 /* an answer that has not come by then never will */
};
#define JUMP_MS (UINT64_C(30) * DAY_MS) /* a clock that was set forward by that is wrong */
#define DOUBT_MS (UINT64_C(7) * DAY_MS) /* see since() */
#define CHAT_MS (UINT64_C(30) * DAY_MS) /* from the end of a game until its chat is deleted */

/* ---- Rounds ---------------------------------------------------------------------------------- */

static bool is_asked_for(const struct rooms *rooms)
{
    const struct rooms_keep *keep = &rooms->options.keep;
    return keep->rooms || keep->games || keep->guests;
}

/* Returns true if this is the process that deletes. */
static bool is_ours(const struct rooms *rooms)
{
    return !others_shared(rooms) ||
           (rooms->processes > 0 && strcmp(rooms->process[0].process, rooms->options.process) == 0);
}

/* Returns the time `ms` ago, not counting gaps in which no server ran. */
static uint64_t ago(const struct rooms *rooms, uint64_t ms)
{
    for (size_t i = 0; i < rooms->gaps; i++)
        ms += rooms->gap[i].to - rooms->gap[i].from;
    return ms < rooms->now ? rooms->now - ms : 0;
}

/* Returns the time `ms` ago by the calendar. A gap as long as JUMP_MS does not count for some days:
 * perhaps the clock is wrong since, and somebody sets it right. */
static uint64_t since(const struct rooms *rooms, uint64_t ms)
{
    for (size_t i = 0; i < rooms->gaps; i++) {
        const struct store_gap *gap = &rooms->gap[i];
        if (gap->to - gap->from > JUMP_MS && rooms->now < gap->to + DOUBT_MS)
            ms += gap->to - gap->from;
    }
    return ms < rooms->now ? rooms->now - ms : 0;
}

/* Like ago(); 0 (keep for ever) if `ms` is 0. */
static uint64_t ago_if(const struct rooms *rooms, uint64_t ms)
{
    return ms ? ago(rooms, ms) : 0;
}

static void go_on(struct rooms *rooms, uint64_t ms)
{
    rooms->keeping.next = rooms->now + ms;
}

/* Ends the round; the next one begins after `ms` milliseconds. */
static void end_round(struct rooms *rooms, uint64_t ms)
{
    struct keeping *keeping = &rooms->keeping;
    if (keeping->rooms || keeping->guests) {
        char detail[80];
        snprintf(detail, sizeof detail, "rooms=%u guests=%u", keeping->rooms, keeping->guests);
        hub_event(rooms, &(struct rooms_event){ROOMS_EVENT_DELETED, .detail = detail});
    }
    *keeping = (struct keeping){.looked = keeping->looked, .clean = keeping->clean};
    go_on(rooms, ms);
}

static void ask(struct rooms *rooms, struct store_question *question)
{
    struct pending *p = hub_alloc(sizeof *p);
    p->why = WHY_KEEP;
    p->guest = question->guest;
    p->time = question->time;
    hub_ask(rooms, question, p);
}

static void ask_and_wait(struct rooms *rooms, struct store_question *question)
{
    ask(rooms, question);
    go_on(rooms, SURELY_MS);
}

static void clean(struct rooms *rooms)
{
    ask(rooms, &(struct store_question){.kind = STORE_CLEAN,
                                        .time = since(rooms, CHAT_MS),
                                        .first = ago(rooms, SHEET_MS),
                                        .note.until = since(rooms, 0)});
    rooms->keeping.clean = rooms->now + SURELY_MS;
}

static void ask_old(struct rooms *rooms)
{
    const struct rooms_keep *keep = &rooms->options.keep;
    uint64_t unseen = keep->guests ? keep->guests + DAY_MS : 0; /* it is noted once a day */
    struct store_question question = {.kind = STORE_OLD,
                                      .old = {.rooms = ago_if(rooms, keep->rooms),
                                              .games = ago_if(rooms, keep->games),
                                              .guests = ago_if(rooms, unseen)}};
    rooms->keeping.unseen = question.old.guests;
    question.head.since = rooms->keeping.after.since;
    memcpy(question.head.room, rooms->keeping.after.room, sizeof question.head.room);
    ask_and_wait(rooms, &question);
}

static void ask_room(struct rooms *rooms, enum store_kind kind)
{
    struct store_question question = {.kind = kind, .first = 1};
    const struct keeping *keeping = &rooms->keeping;
    memcpy(question.head.room, keeping->old[keeping->at].id, sizeof question.head.room);
    memcpy(question.process, rooms->options.process, sizeof question.process);
    ask_and_wait(rooms, &question);
}

/* Goes on with the next room or guest, or asks for more of them. */
static void next(struct rooms *rooms)
{
    const struct keeping *keeping = &rooms->keeping;
    if (keeping->at == keeping->count) {
        ask_old(rooms);
    } else if (!keeping->old[keeping->at].is_guest) {
        ask_room(rooms, rooms->options.keep.records ? STORE_READ : STORE_DELETE);
    } else {
        struct store_question question = {.kind = STORE_FORGET, .time = keeping->unseen};
        memcpy(question.guest.id, keeping->old[keeping->at].id, sizeof question.guest.id);
        ask_and_wait(rooms, &question);
    }
}

static bool may_delete(const struct rooms *rooms)
{
    return rooms->ready && !rooms->draining && !rooms->keeping.is_halted;
}

/* Returns true, and ends deleting, if the clock was set forward by much since the latest look. */
static bool has_jumped(struct rooms *rooms)
{
    struct keeping *keeping = &rooms->keeping;
    if (keeping->looked && rooms->now > keeping->looked + JUMP_MS) {
        keeping->is_halted = true;
        hub_event(rooms, &(struct rooms_event){.kind = ROOMS_EVENT_KEEP_HALTED});
    }
    keeping->looked = rooms->now;
    return keeping->is_halted;
}

void keep_check(struct rooms *rooms)
{
    struct keeping *keeping = &rooms->keeping;
    if (!may_delete(rooms) || has_jumped(rooms))
        return;
    if (keeping->clean <= rooms->now)
        clean(rooms);
    if (!is_asked_for(rooms) || keeping->next > rooms->now)
        return;
    if (is_ours(rooms))
        next(rooms);
    else
        end_round(rooms, AGAIN_MS);
}

uint64_t keep_wake(const struct rooms *rooms)
{
    const struct keeping *keeping = &rooms->keeping;
    if (!may_delete(rooms))
        return 0;
    return is_asked_for(rooms) && keeping->next < keeping->clean ? keeping->next : keeping->clean;
}

/* ---- Answers --------------------------------------------------------------------------------- */

static void take_old(struct rooms *rooms, const struct store_answer *answer)
{
    struct keeping *keeping = &rooms->keeping;
    keeping->at = keeping->count = 0;
    for (size_t i = 0; i < answer->rooms; i++) {
        struct old *old = &keeping->old[keeping->count++];
        *old = (struct old){.since = answer->heads[i].since};
        memcpy(old->id, answer->heads[i].room, sizeof old->id);
    }
    for (size_t i = 0; i < answer->owners; i++) {
        struct old *old = &keeping->old[keeping->count++];
        *old = (struct old){.is_guest = true};
        memcpy(old->id, answer->owner[i].id, sizeof old->id);
    }
    if (keeping->count)
        go_on(rooms, PAUSE_MS);
    else
        end_round(rooms, ROUND_MS);
}

/* Goes on after the current one. */
static void step_on(struct rooms *rooms)
{
    rooms->keeping.at++;
    go_on(rooms, PAUSE_MS);
}

/* Has the record of a game written before its room is deleted. */
static void take_room(struct rooms *rooms, const struct store_answer *answer)
{
    struct keeping *keeping = &rooms->keeping;
    const struct old *old = &keeping->old[keeping->at];
    char *text = NULL;
    size_t size = 0;
    enum rooms_recorded result =
        answer->found ? rooms_record(rooms, answer, &text, &size) : ROOMS_NO_RECORD;
    if (result == ROOMS_RECORD && !MUTATED(HASTY_DELETE)) {
        go_on(rooms, SURELY_MS);
        keeping->is_writing = true;
        hub_write_record(rooms, answer, (struct es_str){text, size});
    } else if (result != ROOMS_UNREADABLE) {
        ask_room(rooms, STORE_DELETE);
    } else { /* it stays: a newer program may read it, or the operator repair it */
        hub_event(rooms, &(struct rooms_event){ROOMS_EVENT_ROOM_UNREADABLE, .room = old->id});
        memcpy(keeping->after.room, old->id, sizeof keeping->after.room);
        keeping->after.since = old->since;
        step_on(rooms);
    }
    free(text);
}

void keep_recorded(struct rooms *rooms, bool written)
{
    if (!rooms->keeping.is_writing)
        return;
    rooms->keeping.is_writing = false;
    if (written)
        ask_room(rooms, STORE_DELETE);
    else
        end_round(rooms, AGAIN_MS);
}

static void take_clean(struct rooms *rooms, const struct store_answer *answer)
{
    rooms->keeping.clean = rooms->now + (answer->outcome != STORE_STORED ? AGAIN_MS
                                         : answer->found                 ? PAUSE_MS
                                                                         : CLEAN_MS);
}

void keep_answer(struct rooms *rooms, const struct store_answer *answer)
{
    struct keeping *keeping = &rooms->keeping;
    if (answer->kind == STORE_CLEAN) {
        take_clean(rooms, answer);
        return;
    }
    if (answer->outcome != STORE_STORED) {
        end_round(rooms, AGAIN_MS);
        return;
    }
    switch (answer->kind) {
    case STORE_OLD:
        take_old(rooms, answer);
        break;
    case STORE_READ:
        take_room(rooms, answer);
        break;
    case STORE_DELETE:
        rooms->counts.deleted_rooms += answer->found;
        keeping->rooms += answer->found;
        room_deleted(rooms, keeping->old[keeping->at].id);
        step_on(rooms);
        break;
    default: /* STORE_FORGET */
        rooms->counts.deleted_guests += answer->found;
        keeping->guests += answer->found;
        step_on(rooms);
    }
}
