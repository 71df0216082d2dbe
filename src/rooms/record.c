/* The record of a game that is over, from what the store has of its room: for exports. */
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

enum rooms_recorded rooms_record(struct rooms *rooms, const struct store_answer *answer,
                                 char **text, size_t *size)
{
    struct room *room = hub_alloc(sizeof *room);
    struct body *body = body_new();
    bool good = answer->found && answer->entries > 0;
    enum rooms_recorded result = ROOMS_UNREADABLE;
    memcpy(room->id, answer->head.room, sizeof room->id);
    if (answer->map.size > 0)
        body->map_text = hub_copy(answer->map);
    for (size_t i = 0; i < answer->entries && good; i++)
        good = body_apply(rooms, room, body, &answer->entry[i]);
    if (good) {
        room_read_people(body, answer->head.people);
        result = body->phase >= PHASE_OVER && body->moved ? ROOMS_RECORD : ROOMS_NO_RECORD;
    }
    if (result == ROOMS_RECORD)
        *text = stream_text(rooms, body, 0, size);
    body_free(body);
    free(room);
    return result;
}
