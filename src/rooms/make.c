/* Making and finding rooms. */
#include "rooms/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In a day an address may make as many rooms as in so many hours: rooms stay open for days. */
enum { HOURS_OF_DAY = 4 };

/* ---- Making ---------------------------------------------------------------------------------- */

void make_room(struct rooms *rooms, struct connection *c, json_t *message, char *settings,
               char *map)
{
    /* The room's id is a hash of the guest and the key, so that a repeated message leads to the
     * same room. */
    char text[128], id[STORE_ROOM_BYTES];
    uint8_t hash[ES_SHA256_BYTES];
    snprintf(text, sizeof text, "room %s %s", c->guest.id, get_key(message));
    hub_hash(es_str(text), hash);
    hub_id(hash, id, STORE_ROOM_BYTES - 1);
    struct room *room = hub_room(rooms, id);
    struct item *item = room_item(ITEM_MAKE, c, message);
    item->text = settings;
    item->map = map;
    room_enqueue(rooms, room ? room : hub_room_new(rooms, id), item);
}

static void make(struct rooms *rooms, struct connection *c, json_t *message)
{
    char *settings = NULL, own[33];
    struct es_str shared;
    const char *code =
        get_key(message) ? settings_of(rooms, message, &settings, own, &shared) : "KEY_BAD";
    if (code) {
        free(settings);
        rooms->counts.refused++;
        hub_send(rooms, c->id, say_no(rooms, message, code));
    } else if (own[0] || shared.size > 0) {
        struct pending *p = hub_alloc(sizeof *p);
        struct store_question question = {
            .kind = shared.size > 0 ? STORE_MAP : STORE_SHEET, .text = shared, .time = rooms->now};
        p->connection = c->id;
        p->message = json_incref(message);
        p->text = settings;
        p->shared = shared;
        memcpy(question.map, own, sizeof own);
        hub_ask(rooms, &question, p);
    } else {
        make_room(rooms, c, message, settings, NULL);
    }
}

/* Names the limits towards which a room counts. Rematches count, too, but there may be more of
 * them. Nobody is refused because others have made many rooms: there is no limit on those of all
 * together. */
static void name_limits(const struct rooms *rooms, struct pending *p, const struct item *item)
{
    const struct rooms_limits *limits = &rooms->limits;
    uint32_t times = item->other[0] ? 3 : 1, of_address = times * limits->rooms_of_address;
    uint32_t of_network = of_address * limits->of_network;
    count_towards(p, TALLY_ROOMS_GUEST, hub_key(item->guest.id), times * limits->rooms_of_guest);
    count_towards(p, TALLY_ROOMS_ADDRESS, item->address, of_address);
    count_in_day(p, TALLY_ROOMS_ADDRESS_DAY, item->address, HOURS_OF_DAY * of_address);
    count_towards(p, TALLY_ROOMS_NETWORK, item->network, of_network);
    count_in_day(p, TALLY_ROOMS_NETWORK_DAY, item->network, HOURS_OF_DAY * of_network);
}

/* Asks the store to count a room. */
static void count(struct rooms *rooms, const char *room, struct item *item)
{
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = item->connection;
    p->message = json_incref(item->message);
    p->text = hub_copy(es_str(room));
    p->item = item;
    p->since = item->since;
    name_limits(rooms, p, item);
    count_ask(rooms, p);
}

void make_given_up(struct rooms *rooms, const struct item *item)
{
    if (item->kind != ITEM_MAKE || !item->counted || item->limited)
        return;
    struct pending p = {.counted = 0};
    name_limits(rooms, &p, item);
    p.counted = p.tallies;
    count_back(rooms, &p);
}

bool make_count(struct rooms *rooms, const struct room *room, struct item *item)
{
    if (item->counted)
        return false;
    if (item->handed_on) /* it is taken a second time, because the batch was */
        return true;
    struct item *copy = room_item(ITEM_MAKE, NULL, item->message);
    copy->connection = item->connection;
    copy->guest = item->guest;
    copy->address = item->address;
    copy->network = item->network;
    copy->since = item->since;
    copy->text = item->text;
    copy->map = item->map;
    memcpy(copy->other, item->other, sizeof copy->other);
    item->text = item->map = NULL;
    item->handed_on = true;
    count(rooms, room->id, copy);
    return true;
}

void make_counted(struct rooms *rooms, struct pending *p, bool limited)
{
    struct item *item = p->item;
    p->item = NULL;
    item->counted = true;
    item->limited = limited;
    if (item->told) { /* it will be asked for again */
        item_free(item);
        return;
    }
    struct room *room = hub_room(rooms, p->text);
    room_enqueue(rooms, room ? room : hub_room_new(rooms, p->text), item);
}

void make_rematch(struct room *room, struct item *item)
{
    const struct body *body = room->body;
    uint8_t hash[ES_SHA256_BYTES];
    char id[STORE_ROOM_BYTES];
    es_hmac_sha256(body->settings.secret, sizeof body->settings.secret, "rematch", 7, hash);
    hub_id(hash, id, STORE_ROOM_BYTES - 1);
    size_t size = strlen(body->made) + 256;
    struct es_out out = {hub_alloc(size), size, 0};
    es_out_text(&out, "invited");
    for (int p = 0; p < body->setup.players; p++)
        if (body->seat[p].kind == SEAT_PERSON) {
            es_out_char(&out, ' ');
            es_out_text(&out, body->seat[p].guest);
        }
    es_out_char(&out, '\n');
    /* The same settings, but by invitation: without `open`. */
    const char *rest =
        strncmp(body->made, "table", 5) == 0 ? body->made : strstr(body->made, "\ntable") + 1;
    es_out_text(&out, "table");
    rest += strlen("table");
    if (strncmp(rest, " open", 5) == 0)
        rest += 5;
    es_out_text(&out, rest);
    out.at[out.used] = 0;
    struct item *made = room_item(ITEM_MAKE, NULL, item->message);
    made->connection = item->connection;
    made->guest = item->guest;
    made->text = out.at;
    made->map = body->map_text ? hub_copy(es_str(body->map_text)) : NULL;
    made->address = item->address;
    made->network = item->network;
    made->since = item->since;
    memcpy(made->other, room->id, sizeof made->other);
    room_hand_on(room, id, made);
}

/* ---- Finding --------------------------------------------------------------------------------- */

static void find(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct store_question question = {.kind = STORE_FIND};
    const char *code = question.head.code;
    hub_code(get_str(message, "code"), question.head.code);
    if (!code[0]) {
        people_no(rooms, c, message, "NO_ROOM");
        return;
    }
    if (hub_codes_spent(rooms, c->address, c->network, code)) {
        people_no(rooms, c, message, "TOO_MANY");
        return;
    }
    /* Counts as wrong until the store has found it, so that many cannot be tried in parallel. */
    hub_codes_count(rooms, c->address, c->network, code, 1);
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->message = json_incref(message);
    p->text = hub_copy(es_str(code));
    hub_ask(rooms, &question, p);
}

void make_message(struct rooms *rooms, struct connection *c, json_t *message)
{
    if (strcmp(get_text(message, "t"), "find") == 0)
        find(rooms, c, message);
    else if (c->guest.id[0])
        make(rooms, c, message);
    else
        hub_send(rooms, c->id, say_no(rooms, message, "GUEST_NEEDED"));
}
