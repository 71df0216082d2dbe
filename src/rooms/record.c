/* A room read from what the store has of it: the record of a game that is over, for exports and the
 * operator's list; and what is wrong with it, for `endstation check`. */
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

struct body *record_body(struct rooms *rooms, const struct store_answer *answer)
{
    struct room *room = hub_alloc(sizeof *room);
    struct body *body = body_new();
    bool good = answer->found && answer->entries > 0;
    memcpy(room->id, answer->head.room, sizeof room->id);
    if (answer->map.size > 0)
        body->map_text = hub_copy(answer->map);
    for (size_t i = 0; i < answer->entries && good; i++)
        good = body_apply(rooms, room, body, &answer->entry[i]);
    free(room);
    if (!good) {
        body_free(body);
        return NULL;
    }
    room_read_people(body, answer->head.people);
    return body;
}

enum rooms_recorded rooms_record(struct rooms *rooms, const struct store_answer *answer,
                                 char **text, size_t *size)
{
    struct body *body = record_body(rooms, answer);
    if (!body)
        return ROOMS_UNREADABLE;
    bool is_over = body->phase >= PHASE_OVER && body->moved;
    if (is_over)
        *text = stream_text(rooms, body, 0, size);
    body_free(body);
    return is_over ? ROOMS_RECORD : ROOMS_NO_RECORD;
}

/* Returns true if an entry is of a kind that this program does not know. */
static bool has_unknown(const struct store_answer *answer)
{
    static const char known[] = {ENTRY_MADE,  ENTRY_SAT,    ENTRY_LEFT,    ENTRY_SEAT,  ENTRY_HOST,
                                 ENTRY_START, ENTRY_WORD,   ENTRY_BEGIN,   ENTRY_MOVE,  ENTRY_BOT,
                                 ENTRY_CLOCK, ENTRY_CHANCE, ENTRY_GIVEN,   ENTRY_TAKEN, ENTRY_CHAT,
                                 ENTRY_NEXT,  ENTRY_CLOSED, ENTRY_REMOVED, ENTRY_UNSAID};
    for (size_t i = 0; i < answer->entries; i++)
        if (!memchr(known, answer->entry[i].kind, sizeof known))
            return true;
    return false;
}

const char *rooms_check(struct rooms *rooms, const struct store_answer *answer)
{
    const struct store_head *head = &answer->head;
    if (answer->entries == 0)
        return "has no entries";
    if (head->map[0] && answer->map.size == 0)
        return "its sheet is missing";
    struct body *body = record_body(rooms, answer);
    if (!body && has_unknown(answer))
        return "it has entries of a kind that this version does not know: a newer one has written "
               "there, or it is damaged";
    if (!body)
        return "its entries contradict each other";
    bool is_over = body->phase >= PHASE_OVER;
    bool is_listed = body->settings.open && body->phase == PHASE_WAITING;
    body_free(body);
    if (head->over != is_over)
        return is_over ? "its entries say that it is over, and its head that it is not"
                       : "its head says that it is over, and its entries that it is not";
    return head->listed != is_listed ? "its head and its entries disagree about the lobby" : NULL;
}
