/* Messages of the operator, who sends them over the server's local socket:
 *
 *     {"t":"people","room":"ID"}    lists everyone who has sat or written there, with guest ids
 *     {"t":"close","room":"ID"}     closes a room
 *     {"t":"block","guest":"ID"}    deletes a guest: name, devices and chat
 */
#include "rooms/internal.h"
#include <string.h>

static void write_people(struct es__writer *w, const void *context)
{
    const struct body *body = context;
    es__write_object(w, NULL);
    es__write_text(w, "host", body->host);
    es__write_array(w, "people");
    for (size_t i = 0; i < body->people; i++) {
        es__write_object(w, NULL);
        es__write_text(w, "guest", body->person[i].guest);
        es__write_text(w, "name", body->person[i].name);
        es__write_int(w, "seat", body_seat(body, body->person[i].guest));
        es__write_end(w);
    }
    es__write_end(w);
    es__write_end(w);
}

void operator_take(struct rooms *rooms, struct room *room, struct item *item)
{
    struct body *body = room->body;
    if (strcmp(get_text(item->message, "t"), "people") == 0) {
        room_reply_http(rooms, room, item->connection, 200, "application/json",
                        say(rooms, write_people, body));
    } else if (body->phase >= PHASE_OVER) {
        room_refuse(rooms, room, item, "OVER");
    } else {
        room_append(rooms, room, ENTRY_CLOSED, 0, -1, "", "", es_str("operator"));
        room_reply_http(rooms, room, item->connection, 200, "application/json", es_str("{}"));
    }
}

void operator_message(struct rooms *rooms, struct connection *c, json_t *message)
{
    const char *type = get_text(message, "t");
    struct es_str room_id = get_str(message, "room"), guest = get_str(message, "guest");
    if (strcmp(type, "block") == 0 && hub_id_good(guest)) {
        struct store_question question = {.kind = STORE_FORGET};
        struct pending *p = hub_alloc(sizeof *p);
        es_str_copy(guest, question.guest.id, sizeof question.guest.id);
        p->connection = c->id;
        p->guest = question.guest;
        hub_ask(rooms, &question, p);
    } else if ((strcmp(type, "close") == 0 || strcmp(type, "people") == 0) &&
               hub_id_good(room_id)) {
        const char *id = get_text(message, "room");
        struct room *room = hub_room(rooms, id);
        room_enqueue(rooms, room ? room : hub_room_new(rooms, id),
                     room_item(ITEM_OPERATOR, c, message));
    } else {
        hub_http(rooms, c->id, 400, "application/json", es_str("{\"code\":\"FIELD_BAD\"}"), NULL);
    }
}
