/* The lobby: making and finding rooms, and the list of open tables. */
#include "rooms/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TABLES_MAX = 100, HOUR_MS = 3600000 };

/* ---- Open tables ----------------------------------------------------------------------------- */

/* Writes what the lobby shows of a room. */
static void write_card(struct es__writer *w, const void *context)
{
    const struct room *room = context;
    const struct body *body = room->body;
    const struct person *host = body_person(body, body->host);
    int taken = 0;
    char setup[ES_FAIR_SETUP_BYTES];
    struct es_out out = {setup, sizeof setup, 0};
    es_record_write_setup(&body->record, &out);
    es__write_object(w, NULL);
    es__write_text(w, "room", room->id);
    es__write_str(w, "setup", (struct es_str){setup, out.used});
    es__write_int(w, "seats", body->record.setup.players);
    for (int p = 0; p < body->record.setup.players; p++)
        taken += body->seat[p].kind != SEAT_OPEN;
    es__write_int(w, "taken", taken);
    es__write_int(w, "clock", (long)body->settings.clock);
    es__write_array(w, "names");
    for (int p = 0; p < body->record.setup.players; p++) {
        const struct person *person = body_person(body, body->seat[p].guest);
        if (body->seat[p].kind == SEAT_PERSON && person)
            es__write_text(w, NULL, person->name);
    }
    es__write_end(w);
    es__write_text(w, "host", host ? host->name : "");
    es__write_end(w);
}

static int newer(const void *a, const void *b)
{
    const struct room *x = *(struct room *const *)a, *y = *(struct room *const *)b;
    if (x->made != y->made)
        return x->made < y->made ? 1 : -1;
    return strcmp(x->id, y->id);
}

void lobby_card(struct rooms *rooms, struct room *room)
{
    bool listed = room->body && room->body->settings.open && room->body->phase == PHASE_WAITING &&
                  room->body->count > 0;
    if (!listed && !room->card)
        return;
    free(room->card);
    room->card = listed ? hub_copy(say(rooms, write_card, room)) : NULL;
    lobby_changed(rooms);
}

void lobby_hide(struct rooms *rooms, struct room *room)
{
    if (!room->card)
        return;
    free(room->card);
    room->card = NULL;
    lobby_changed(rooms);
}

struct es_str lobby_text(struct rooms *rooms, const char *head)
{
    struct room **list = hub_alloc((rooms->rooms.used + 1) * sizeof *list);
    size_t count = 0, size = strlen(head) + 16;
    for (size_t i = 0; i < rooms->rooms.slots; i++) {
        struct room *room = rooms->rooms.slot[i].key ? rooms->rooms.slot[i].thing : NULL;
        if (room && room->card)
            list[count++] = room;
    }
    qsort(list, count, sizeof *list, newer);
    if (count > TABLES_MAX)
        count = TABLES_MAX;
    for (size_t i = 0; i < count; i++)
        size += strlen(list[i]->card) + 1;
    rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, size, 1);
    struct es_out out = {rooms->buffer, rooms->buffer_size, 0};
    es_out_text(&out, head);
    for (size_t i = 0; i < count; i++) {
        es_out_text(&out, i ? "," : "");
        es_out_text(&out, list[i]->card);
    }
    es_out_text(&out, "]}");
    free(list);
    return (struct es_str){rooms->buffer, out.used};
}

void lobby_changed(struct rooms *rooms)
{
    rooms->lobby_revision++;
    if (!rooms->lobby_at)
        rooms->lobby_at = rooms->lobby_told + rooms->limits.lobby_ms > rooms->now
                              ? rooms->lobby_told + rooms->limits.lobby_ms
                              : rooms->now + 1;
}

void lobby_tell(struct rooms *rooms)
{
    uint64_t to[64];
    size_t count = 0;
    bool any = false;
    for (size_t i = 0; i < rooms->connections.slots && !any; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        const struct connection *c = slot->key ? slot->thing : NULL;
        any = c && c->looks && c->step == STEP_READY && c->lobby != rooms->lobby_revision;
    }
    struct es_str text = any ? lobby_text(rooms, "{\"t\":\"lobby\",\"tables\":[") : es_str("");
    for (size_t i = 0; i < rooms->connections.slots && any; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        struct connection *c = slot->key ? slot->thing : NULL;
        if (!c || !c->looks || c->step != STEP_READY || c->lobby == rooms->lobby_revision)
            continue;
        c->lobby = rooms->lobby_revision;
        to[count++] = c->id;
        if (count == sizeof to / sizeof to[0]) {
            rooms->options.out(rooms->options.context, &(struct rooms_output){.kind = ROOMS_SEND,
                                                                              .connection = to,
                                                                              .connections = count,
                                                                              .text = text});
            count = 0;
        }
    }
    if (count > 0)
        rooms->options.out(rooms->options.context, &(struct rooms_output){.kind = ROOMS_SEND,
                                                                          .connection = to,
                                                                          .connections = count,
                                                                          .text = text});
    rooms->lobby_at = 0;
    rooms->lobby_told = rooms->now;
}

/* ---- Making ---------------------------------------------------------------------------------- */

void lobby_make(struct rooms *rooms, struct connection *c, json_t *message, char *settings,
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
    const char *code = get_key(message) ? settings_of(rooms, message, &settings, own) : "KEY_BAD";
    if (code) {
        free(settings);
        rooms->counts.refused++;
        hub_send(rooms, c->id, say_no(rooms, message, code));
    } else if (own[0]) {
        struct pending *p = hub_alloc(sizeof *p);
        struct store_question question = {.kind = STORE_SHEET};
        p->connection = c->id;
        p->message = json_incref(message);
        p->text = settings;
        memcpy(question.map, own, sizeof own);
        hub_ask(rooms, &question, p);
    } else {
        lobby_make(rooms, c, message, settings, NULL);
    }
}

/* Asks the store to count the room towards the next of its limits: that of the guest, then that of
 * the address. One after the other, so that somebody who may make no more rooms takes nothing from
 * others at the same address. */
static void count(struct rooms *rooms, const char *room, struct item *item)
{
    const struct rooms_limits *limits = &rooms->limits;
    uint32_t most = (item->other[0] ? 3 : 1) * limits->rooms_of_guest;
    struct store_question question = {.kind = STORE_COUNT, .time = rooms->now};
    if (item->counted == 0)
        question.tally =
            (struct store_tally){TALLY_ROOMS_GUEST, hub_key(item->guest.id), most, HOUR_MS};
    else
        question.tally = (struct store_tally){TALLY_ROOMS_ADDRESS, item->address,
                                              limits->rooms_of_address, HOUR_MS};
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = item->connection;
    p->message = json_incref(item->message);
    p->text = hub_copy(es_str(room));
    p->item = item;
    hub_ask(rooms, &question, p);
}

static bool is_counted(const struct item *item)
{
    bool is_rematch = item->other[0];
    return item->limited || item->counted == (is_rematch ? 1 : 2);
}

bool lobby_count(struct rooms *rooms, const struct room *room, struct item *item)
{
    if (is_counted(item))
        return false;
    if (item->handed_on) /* it is taken a second time, because the batch was */
        return true;
    struct item *copy = room_item(ITEM_MAKE, NULL, item->message);
    copy->connection = item->connection;
    copy->guest = item->guest;
    copy->address = item->address;
    copy->text = item->text;
    copy->map = item->map;
    memcpy(copy->other, item->other, sizeof copy->other);
    item->text = item->map = NULL;
    item->handed_on = true;
    count(rooms, room->id, copy);
    return true;
}

void lobby_counted(struct rooms *rooms, struct pending *p, bool limited)
{
    struct item *item = p->item;
    p->item = NULL;
    item->counted++;
    item->limited = limited;
    if (!is_counted(item)) {
        count(rooms, p->text, item);
        return;
    }
    struct room *room = hub_room(rooms, p->text);
    room_enqueue(rooms, room ? room : hub_room_new(rooms, p->text), item);
}

void lobby_rematch(struct room *room, struct item *item)
{
    const struct body *body = room->body;
    uint8_t hash[ES_SHA256_BYTES];
    char id[STORE_ROOM_BYTES];
    es_hmac_sha256(body->settings.secret, sizeof body->settings.secret, "rematch", 7, hash);
    hub_id(hash, id, STORE_ROOM_BYTES - 1);
    size_t size = strlen(body->made) + 256;
    struct es_out out = {hub_alloc(size), size, 0};
    es_out_text(&out, "invited");
    for (int p = 0; p < body->record.setup.players; p++)
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
    memcpy(made->other, room->id, sizeof made->other);
    room_hand_on(room, id, made);
}

/* ---- Finding --------------------------------------------------------------------------------- */

static void find(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct es_str code = get_str(message, "code");
    if (hub_codes_spent(rooms, c->address)) {
        hub_send(rooms, c->id, say_no(rooms, message, "TOO_MANY"));
        return;
    }
    /* Counts as wrong until the store has found it, so that many cannot be tried in parallel. */
    hub_codes_count(rooms, c->address, 1);
    struct store_question question = {.kind = STORE_FIND};
    if (code.size != STORE_CODE_BYTES - 1 ||
        !es_str_copy(code, question.head.code, sizeof question.head.code)) {
        hub_send(rooms, c->id, say_no(rooms, message, "NO_ROOM"));
        return;
    }
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->message = json_incref(message);
    hub_ask(rooms, &question, p);
}

void lobby_message(struct rooms *rooms, struct connection *c, json_t *message)
{
    if (strcmp(get_text(message, "t"), "find") == 0)
        find(rooms, c, message);
    else if (c->guest.id[0])
        make(rooms, c, message);
    else
        hub_send(rooms, c->id, say_no(rooms, message, "GUEST_NEEDED"));
}
