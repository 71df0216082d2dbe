/* Guests: hello, tokens, devices, and requests over HTTP. */
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    TOKEN_BYTES = 32,
    TICKET_CHARS = 32,
    TICKET_MS = 600000,
    COLOURS = 8,
    LABEL_CHARS = 40,
    HOUR_MS = 3600000,
    DAY_MS = 24 * HOUR_MS,
    MAPS_OF_ADDRESS = 60,  /* in an hour */
    TICKETS_OF_GUEST = 30, /* in an hour */
    NAMES_OF_GUEST = 60,   /* in an hour: each is written to all rooms where they sit, … */
    ERRANDS = 20,          /* … so many … */
    ERRANDS_MS = 20,       /* … in this time */
};

void people_no(struct rooms *rooms, const struct connection *c, json_t *message, const char *code)
{
    rooms->counts.refused++;
    hub_send(rooms, c->id, say_no(rooms, message, code));
}

/* ---- Hello ----------------------------------------------------------------------------------- */

static void turn_away(struct rooms *rooms, struct connection *c, const char *code, int status)
{
    people_no(rooms, c, c->hello, code);
    hub_close(rooms, c, status);
}

static void write_welcome(struct es__writer *w, const void *context)
{
    const struct connection *c = context;
    es__write_object(w, NULL);
    es__write_text(w, "t", "welcome");
    es__write_int(w, "v", ROOMS_PROTOCOL);
    es__write_text(w, "guest", c->guest.id);
    es__write_text(w, "name", c->guest.name);
    es__write_int(w, "colour", c->guest.colour);
    es__write_end(w);
}

struct es_str people_welcome(struct rooms *rooms, const struct connection *c)
{
    return say(rooms, write_welcome, c);
}

void people_seen(struct rooms *rooms, struct connection *c)
{
    if (!c->guest.id[0] || rooms->now < c->guest.seen + DAY_MS)
        return;
    struct store_question question = {.kind = STORE_SEEN, .time = rooms->now};
    memcpy(question.guest.id, c->guest.id, sizeof question.guest.id);
    c->guest.seen = rooms->now;
    hub_ask(rooms, &question, NULL);
}

void people_known(struct rooms *rooms, struct connection *c)
{
    people_seen(rooms, c);
    if (c->guest.id[0] && !c->counted) {
        c->counted = true;
        if (hub_crowd(rooms, CROWD_GUEST, hub_key(c->guest.id), 1) > rooms->limits.of_guest) {
            hub_limited(rooms, ROOMS_LIMIT_connections_of_guest);
            turn_away(rooms, c, "TOO_MANY", 4000);
            return;
        }
        hub_known(rooms, c->id);
    }
    if (c->path == ROOMS_LOBBY) {
        c->step = STEP_READY;
        c->looks = true;
        c->changes = get_bool(c->hello, "changes", false);
        c->lobby = rooms->lobby_revision;
        hub_drop_hello(c);
        hub_send(rooms, c->id, people_welcome(rooms, c));
        hub_send(rooms, c->id, lobby_text(rooms, "{\"t\":\"lobby\",\"tables\":["));
    } else if (!hub_id_good(es_str(c->room_id))) {
        turn_away(rooms, c, "NO_ROOM", 4000);
    } else {
        c->step = STEP_JOINING;
        struct room *room = hub_room(rooms, c->room_id);
        struct item *item = room_item(ITEM_HELLO, c, c->hello);
        room_enqueue(rooms, room ? room : hub_room_new(rooms, c->room_id), item);
    }
}

/* Asks the store whose token this is; false if the text does not have the form of a token. */
static bool ask_who(struct rooms *rooms, const struct connection *c, json_t *message,
                    struct es_str token)
{
    uint8_t bytes[TOKEN_BYTES];
    struct store_question question = {.kind = STORE_WHO};
    if (!es_str_hex(token, bytes, sizeof bytes))
        return false;
    hub_hash(token, question.token);
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->message = json_incref(message);
    es_str_copy(token, p->token, sizeof p->token);
    hub_ask(rooms, &question, p);
    return true;
}

void people_hello(struct rooms *rooms, struct connection *c, json_t *message)
{
    c->hello = json_incref(message);
    struct es_str token = get_str(message, "token");
    if (strcmp(get_text(message, "t"), "hello") != 0)
        turn_away(rooms, c, "HELLO_FIRST", 4000);
    else if (get_int(message, "v", 0) != ROOMS_PROTOCOL)
        turn_away(rooms, c, "VERSION", 4001); /* first: another version may have other fields */
    else if (!get_types_good(message))
        turn_away(rooms, c, "FIELD_BAD", 4000);
    else if (token.size > 0 ? ask_who(rooms, c, message, token)
                            : ask_who(rooms, c, message, es_str(c->cookie)))
        return;
    else if (token.size > 0)
        turn_away(rooms, c, "TOKEN_BAD", 4000);
    else
        people_known(rooms, c);
}

/* ---- Requests -------------------------------------------------------------------------------- */

void people_refuse(struct rooms *rooms, const struct connection *c, int status, const char *code)
{
    char text[64];
    struct es_out out = {text, sizeof text, 0};
    es_out_text(&out, "{\"code\":\"");
    es_out_text(&out, code);
    es_out_text(&out, "\"}");
    rooms->counts.refused++;
    hub_http(rooms, c->id, status, "application/json", (struct es_str){text, out.used}, NULL);
}

/* Makes a token for a new device; its hash goes into the question. */
static void make_token(struct rooms *rooms, struct pending *p, struct store_question *question,
                       json_t *message)
{
    uint8_t bytes[TOKEN_BYTES], device[4];
    struct es_str label = get_str(message, "label");
    hub_random(rooms, bytes, sizeof bytes);
    hub_random(rooms, device, sizeof device);
    struct es_out token = {p->token, sizeof p->token, 0};
    es_out_hex(&token, bytes, sizeof bytes);
    struct es_out id = {question->guest.device, sizeof question->guest.device, 0};
    es_out_hex(&id, device, sizeof device);
    hub_hash(es_str(p->token), question->token);
    if (!name_good(label, LABEL_CHARS) ||
        !es_str_copy(label, question->label, sizeof question->label))
        es_str_copy(es_str("?"), question->label, sizeof question->label);
    question->time = rooms->now;
}

/* Reads name and colour; false if one is invalid. */
static bool read_guest(json_t *message, struct store_guest *guest)
{
    struct es_str name = get_str(message, "name");
    long colour = get_int(message, "colour", 0);
    if (!name_good(name, ES_NAME_CHARS) || colour < 0 || colour >= COLOURS)
        return false;
    guest->colour = (uint8_t)colour;
    return es_str_copy(name, guest->name, sizeof guest->name);
}

void people_make_guest(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct store_question question = {.kind = STORE_GUEST};
    uint8_t id[10];
    if (!read_guest(message, &question.guest)) {
        people_refuse(rooms, c, 400, "NAME_BAD");
        return;
    }
    hub_random(rooms, id, sizeof id);
    hub_id(id, question.guest.id, STORE_GUEST_BYTES - 1);
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    make_token(rooms, p, &question, message);
    p->guest = question.guest;
    hub_ask(rooms, &question, p);
}

static void redeem(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct store_question question = {.kind = STORE_REDEEM};
    struct es_str ticket = get_str(message, "ticket");
    if (ticket.size != TICKET_CHARS) {
        people_refuse(rooms, c, 404, "TICKET_BAD");
        return;
    }
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    make_token(rooms, p, &question, message);
    hub_hash(ticket, question.ticket);
    p->guest = question.guest;
    hub_ask(rooms, &question, p);
}

static void keep_map(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct es_str text = get_str(message, "text");
    struct es_fault fault;
    if (text.size > ROOMS_UPLOAD_MAX) {
        people_refuse(rooms, c, 413, "TOO_LARGE");
        return;
    }
    struct es_map *map = hub_alloc(sizeof *map);
    if (es_map_read(map, text, &fault)) {
        people_refuse(rooms, c, 400, es_status_code(fault.status));
        free(map);
        return;
    }
    /* What is kept is the text that the hash is of: without comments, and with one spelling. */
    struct store_question question = {.kind = STORE_MAP, .time = rooms->now};
    rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, ES_MAP_TEXT_BYTES, 1);
    struct es_out out = {rooms->buffer, rooms->buffer_size, 0};
    es_map_write(map, &out);
    question.text = (struct es_str){out.at, out.used};
    if (out.used > STORE_TEXT_MAX) {
        people_refuse(rooms, c, 413, "TOO_LARGE");
        free(map);
        return;
    }
    if (!hub_allow_text(rooms, c->address, c->network, out.used)) {
        people_refuse(rooms, c, 429, "TOO_MANY");
        free(map);
        return;
    }
    memcpy(question.map, map->hash, sizeof question.map);
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->text = hub_copy(es_str(map->hash));
    free(map);
    hub_ask(rooms, &question, p);
}

static void get(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct es_str id = get_str(message, "room");
    if (strcmp(get_text(message, "what"), "rooms") == 0) {
        hub_http(rooms, c->id, 200, "application/json", lobby_text(rooms, "{\"tables\":["), NULL);
        return;
    }
    if (strcmp(get_text(message, "what"), "me") == 0) {
        own_get(rooms, c, message);
        return;
    }
    if (!hub_id_good(id)) {
        people_refuse(rooms, c, 404, "NO_ROOM");
        return;
    }
    struct room *room = hub_room(rooms, get_text(message, "room"));
    if (!room) {
        room = hub_room_new(rooms, get_text(message, "room"));
        room->until = rooms->now + rooms->limits.read_ms; /* many can be read in a minute */
    }
    room_enqueue(rooms, room, room_item(ITEM_GET, c, message));
}

static void signed_out(struct rooms *rooms, const struct connection *c)
{
    hub_http(rooms, c->id, 200, "application/json", es_str("{}"), "");
}

/* Withdraws the device that a request comes from. */
static void withdraw_own(struct rooms *rooms, const struct connection *c,
                         const struct store_guest *guest)
{
    struct store_question question = {.kind = STORE_WITHDRAW, .guest = *guest};
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->guest = *guest;
    hub_ask(rooms, &question, p);
}

static bool is_signout(json_t *message)
{
    return strcmp(get_text(message, "t"), "signout") == 0;
}

void people_request(struct rooms *rooms, struct connection *c, json_t *message)
{
    const char *type = get_text(message, "t");
    if (strcmp(type, "guest") == 0 || strcmp(type, "map") == 0)
        people_count(rooms, c, message);
    else if (strcmp(type, "device") == 0)
        redeem(rooms, c, message);
    else if (strcmp(type, "get") != 0 && !is_signout(message))
        people_refuse(rooms, c, 404, "UNKNOWN");
    else if (ask_who(rooms, c, message, es_str(c->cookie)))
        return;
    else if (is_signout(message))
        signed_out(rooms, c);
    else
        get(rooms, c, message);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static struct pending *ask(struct rooms *rooms, const struct connection *c, json_t *message,
                           struct store_question *question)
{
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->message = json_incref(message);
    p->guest = c->guest;
    memcpy(question->guest.id, c->guest.id, sizeof c->guest.id);
    hub_ask(rooms, question, p);
    return p;
}

static void rename_guest(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct store_guest guest = {.colour = 0};
    bool good = read_guest(message, &guest);
    bool muted = c->guest.muted > rooms->now && strcmp(guest.name, c->guest.name) != 0;
    if (good && !muted)
        people_count(rooms, c, message);
    else /* a name, too, is something that others read */
        people_no(rooms, c, message, good ? "MUTED" : "NAME_BAD");
}

/* … when that has been counted. */
static void take_new_name(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct store_question question = {.kind = STORE_GUEST};
    read_guest(message, &question.guest);
    memcpy(question.guest.device, c->guest.device, sizeof question.guest.device);
    struct pending *p = ask(rooms, c, message, &question);
    p->guest = question.guest;
}

static void make_ticket(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct store_question question = {.kind = STORE_TICKET, .time = rooms->now + TICKET_MS};
    uint8_t bytes[TICKET_CHARS * 5 / 8];
    char text[TICKET_CHARS + 1];
    hub_random(rooms, bytes, sizeof bytes);
    hub_id(bytes, text, TICKET_CHARS);
    hub_hash(es_str(text), question.ticket);
    struct pending *p = ask(rooms, c, message, &question);
    p->text = hub_copy(es_str(text));
}

static void withdraw(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct store_question question = {.kind = STORE_WITHDRAW};
    if (!es_str_copy(get_str(message, "device"), question.guest.device,
                     sizeof question.guest.device)) {
        people_no(rooms, c, message, "FIELD_BAD");
        return;
    }
    struct pending *p = ask(rooms, c, message, &question);
    memcpy(p->guest.device, question.guest.device, sizeof p->guest.device);
}

bool people_message(struct rooms *rooms, struct connection *c, json_t *message)
{
    /* Those without a function are questions to the store. */
    static const struct {
        const char *type;
        void (*take)(struct rooms *rooms, struct connection *c, json_t *message);
        enum store_kind kind;
    } messages[] = {{"name", rename_guest, 0},   {"ticket", people_count, 0},
                    {"withdraw", withdraw, 0},   {"devices", NULL, STORE_DEVICES},
                    {"rooms", NULL, STORE_MINE}, {"forget", NULL, STORE_FORGET}};
    const char *type = get_text(message, "t");
    if (strcmp(type, "make") == 0 || strcmp(type, "find") == 0) {
        make_message(rooms, c, message);
        return true;
    }
    size_t i = 0, count = sizeof messages / sizeof messages[0];
    while (i < count && strcmp(messages[i].type, type) != 0)
        i++;
    if (i == count)
        return false;
    if (!c->guest.id[0])
        people_no(rooms, c, message, "GUEST_NEEDED");
    else if (messages[i].take)
        messages[i].take(rooms, c, message);
    else
        ask(rooms, c, message, &(struct store_question){.kind = messages[i].kind});
    return true;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

void people_count(struct rooms *rooms, struct connection *c, json_t *message)
{
    const char *type = get_text(message, "t");
    uint32_t times = rooms->limits.of_network, guests = rooms->limits.guests_of_address;
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->message = json_incref(message);
    if (strcmp(type, "guest") == 0) {
        count_towards(p, TALLY_GUESTS, c->address, guests);
        count_towards(p, TALLY_GUESTS_NETWORK, c->network, guests * times);
    } else if (strcmp(type, "map") == 0) {
        count_towards(p, TALLY_MAPS, c->address, MAPS_OF_ADDRESS);
        count_towards(p, TALLY_MAPS_NETWORK, c->network, MAPS_OF_ADDRESS * times);
    } else if (strcmp(type, "name") == 0) {
        count_towards(p, TALLY_NAMES, hub_key(c->guest.id), NAMES_OF_GUEST);
    } else {
        count_towards(p, TALLY_TICKETS, hub_key(c->guest.id), TICKETS_OF_GUEST);
    }
    count_ask(rooms, p);
}

static void counted(struct rooms *rooms, struct connection *c, const struct pending *p,
                    bool limited)
{
    json_t *message = p->message;
    const char *type = get_text(message, "t");
    if (limited && is_request(c)) {
        people_refuse(rooms, c, 429, "TOO_MANY");
    } else if (limited) {
        people_no(rooms, c, message, "TOO_MANY");
    } else if (strcmp(type, "guest") == 0) {
        notes_ask_new(rooms, c, p);
    } else if (strcmp(type, "map") == 0) {
        keep_map(rooms, c, message);
    } else if (strcmp(type, "name") == 0) {
        take_new_name(rooms, c, message);
    } else {
        make_ticket(rooms, c, message);
    }
}

void people_late(struct rooms *rooms, struct connection *c, const struct pending *p)
{
    if (is_request(c))
        people_refuse(rooms, c, 503, "BUSY");
    else if (c->step == STEP_ASKING)
        turn_away(rooms, c, "BUSY", 1013);
    else
        people_no(rooms, c, p->message, "BUSY");
    if (p->kind == STORE_FIND)
        hub_codes_count(rooms, c->address, c->network, p->text, -1);
}

/* ---- Answers of the store -------------------------------------------------------------------- */

struct listing {
    const struct pending *p;
    const struct store_answer *answer;
};

static void write_token(struct es__writer *w, const void *context)
{
    const struct pending *p = context;
    es__write_object(w, NULL);
    es__write_text(w, "guest", p->guest.id);
    es__write_text(w, "token", p->token);
    es__write_text(w, "device", p->guest.device);
    es__write_end(w);
}

static void begin_answer(struct es__writer *w, const char *type, json_t *message)
{
    json_t *id = json_object_get(message, "id");
    es__write_object(w, NULL);
    es__write_text(w, "t", type);
    if (json_is_integer(id))
        es__write_int(w, "id", json_integer_value(id));
}

static void write_ticket(struct es__writer *w, const void *context)
{
    const struct pending *p = context;
    begin_answer(w, "ticket", p->message);
    es__write_text(w, "ticket", p->text);
    es__write_int(w, "ms", TICKET_MS);
    es__write_end(w);
}

static void write_devices(struct es__writer *w, const void *context)
{
    const struct listing *listing = context;
    begin_answer(w, "devices", listing->p->message);
    es__write_array(w, "devices");
    for (size_t i = 0; i < listing->answer->devices; i++) {
        const struct store_device *device = &listing->answer->device[i];
        es__write_object(w, NULL);
        es__write_text(w, "device", device->id);
        es__write_text(w, "label", device->label);
        es__write_int(w, "made", (int64_t)device->made);
        es__write_bool(w, "this", strcmp(device->id, listing->p->guest.device) == 0);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_end(w);
}

static void write_rooms(struct es__writer *w, const void *context)
{
    const struct listing *listing = context;
    begin_answer(w, "rooms", listing->p->message);
    es__write_array(w, "rooms");
    for (size_t i = 0; i < listing->answer->rooms; i++) {
        es__write_object(w, NULL);
        es__write_text(w, "room", listing->answer->heads[i].room);
        es__write_text(w, "code", listing->answer->heads[i].code);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_end(w);
}

/* Returns true if this is an open WebSocket of a guest. Requests are answered, whatever becomes of
 * the guest meanwhile. */
static bool is_of(const struct connection *c, const char *guest)
{
    return c->step != STEP_CLOSED && !is_request(c) && strcmp(c->guest.id, guest) == 0;
}

/* Calls `act` for every WebSocket of a guest. */
static void for_guest(struct rooms *rooms, const struct pending *p,
                      void (*act)(struct rooms *rooms, struct connection *c,
                                  const struct pending *p))
{
    for (size_t i = 0; i < rooms->connections.slots; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        struct connection *c = slot->key ? slot->thing : NULL;
        if (c && is_of(c, p->guest.id))
            act(rooms, c, p);
    }
}

static void take_name(struct rooms *rooms, struct connection *c, const struct pending *p)
{
    (void)rooms;
    memcpy(c->guest.name, p->guest.name, sizeof c->guest.name);
    c->guest.colour = p->guest.colour;
}

static void take_mute(struct rooms *rooms, struct connection *c, const struct pending *p)
{
    (void)rooms;
    c->guest.muted = p->guest.muted;
}

static void sign_out(struct rooms *rooms, struct connection *c, const struct pending *p)
{
    if (p->kind == STORE_FORGET || strcmp(c->guest.device, p->guest.device) == 0)
        hub_close(rooms, c, 4002);
}

static void add_errand(struct rooms *rooms, const char *room, const struct store_guest *guest,
                       enum item_kind kind)
{
    struct item *item = room_item(kind, NULL, NULL);
    item->guest = *guest;
    es_str_copy(es_str(room), item->other, sizeof item->other);
    *(rooms->errand ? rooms->last_errand : &rooms->errand) = item;
    rooms->last_errand = &item->next;
}

void people_errands(struct rooms *rooms)
{
    if (rooms->errand && rooms->errands_at <= rooms->now) {
        rooms->errands_at = rooms->now + ERRANDS_MS;
        rooms->errands = ERRANDS;
    }
    for (; rooms->errand && rooms->errands > 0; rooms->errands--) {
        struct item *item = rooms->errand;
        rooms->errand = item->next;
        struct room *room = hub_room(rooms, item->other);
        if (!room) {
            room = hub_room_new(rooms, item->other);
            room->until = 0; /* it leaves memory when that is stored */
        }
        room_enqueue(rooms, room, item);
    }
}

/* Tells the rooms in memory, and open tables, that a guest has a new name or was deleted:
 * ITEM_NAME, ITEM_FORGET. Some at a time, so that others do not wait for the store meanwhile; but
 * rooms in memory say nothing more of who was deleted. */
static void tell_rooms(struct rooms *rooms, const struct store_guest *guest, enum item_kind kind)
{
    size_t count = 0;
    struct room **list = hub_alloc((rooms->rooms.used + 1) * sizeof *list);
    struct item **first = rooms->errand ? rooms->last_errand : &rooms->errand;
    for (size_t i = 0; i < rooms->tables.slots; i++) {
        struct table *table = rooms->tables.slot[i].key ? rooms->tables.slot[i].thing : NULL;
        if (table && lobby_concerns(rooms, table, guest->id))
            add_errand(rooms, table->room, guest, kind);
    }
    for (struct item *item = rooms->errand ? *first : NULL; item; item = item->next)
        if (kind == ITEM_FORGET)
            lobby_hide(rooms, item->other);
    for (size_t i = 0; i < rooms->rooms.slots; i++) {
        struct room *room = rooms->rooms.slot[i].key ? rooms->rooms.slot[i].thing : NULL;
        struct table *table = room ? index_get(&rooms->tables, room->id, strlen(room->id)) : NULL;
        bool sits = table && table->guests && strstr(table->guests, guest->id);
        if (!room || (!sits && !room_concerns(room, guest->id)))
            continue;
        if (kind == ITEM_FORGET && sits)
            lobby_hide(rooms, room->id);
        if (kind == ITEM_FORGET)
            list[count++] = room;
        else
            add_errand(rooms, room->id, guest, kind);
    }
    for (size_t i = 0; i < count; i++) {
        struct item *item = room_item(kind, NULL, NULL);
        item->guest = *guest;
        room_enqueue(rooms, list[i], item);
    }
    free(list);
}

/* Answers an HTTP request whose question to the store has been answered. */
static void answer_request(struct rooms *rooms, struct connection *c, struct pending *p,
                           const struct store_answer *answer)
{
    if (p->kind == STORE_REDEEM && answer->outcome == STORE_REFUSED) {
        people_refuse(rooms, c, 409, "TOO_MANY_DEVICES");
        return;
    }
    if (answer->outcome != STORE_STORED) {
        people_refuse(rooms, c, 503, "BUSY");
        return;
    }
    switch (p->kind) {
    case STORE_WHO:
        if (is_signout(p->message)) {
            if (answer->found)
                withdraw_own(rooms, c, &answer->guest);
            else
                signed_out(rooms, c);
            break;
        }
        if (answer->found)
            c->guest = answer->guest;
        people_seen(rooms, c);
        get(rooms, c, p->message);
        break;
    case STORE_WITHDRAW: /* it may have been withdrawn meanwhile */
        signed_out(rooms, c);
        break;
    case STORE_REDEEM:
        if (!answer->found) {
            people_refuse(rooms, c, 404, "TICKET_BAD");
            break;
        }
        memcpy(p->guest.id, answer->guest.id, sizeof p->guest.id);
        hub_http(rooms, c->id, 200, "application/json", say(rooms, write_token, p), p->token);
        break;
    case STORE_GUEST:
        hub_http(rooms, c->id, 200, "application/json", say(rooms, write_token, p), p->token);
        break;
    default: { /* STORE_MAP */
        char text[64];
        struct es_out out = {text, sizeof text, 0};
        es_out_text(&out, "{\"map\":\"");
        es_out_text(&out, p->text);
        es_out_text(&out, "\"}");
        hub_http(rooms, c->id, 200, "application/json", (struct es_str){text, out.used}, NULL);
    }
    }
}

static void answer_hello(struct rooms *rooms, struct connection *c, const char *token,
                         const struct store_answer *answer)
{
    if (answer->found)
        c->guest = answer->guest;
    others_check(rooms, c);
    if (answer->found)
        people_known(rooms, c);
    else if (!notes_ask_hello(rooms, c, token))
        people_unknown(rooms, c, NULL);
}

void people_unknown(struct rooms *rooms, struct connection *c, const char *code)
{
    bool by_cookie = get_str(c->hello, "token").size == 0;
    if (code)
        turn_away(rooms, c, code, strcmp(code, "BUSY") == 0 ? 1013 : 4000);
    else if (!by_cookie)
        turn_away(rooms, c, "TOKEN_BAD", 4000);
    else
        people_known(rooms, c);
}

static void found_room(struct rooms *rooms, struct connection *c, const struct pending *p,
                       const struct store_answer *answer)
{
    if (!answer->found) {
        people_no(rooms, c, p->message, "NO_ROOM");
        return;
    }
    hub_codes_count(rooms, c->address, c->network, p->text, -1);
    hub_send(rooms, c->id, say_ok(rooms, p->message, "room", es_str(answer->head.room), 0));
}

static bool has_device(const struct store_answer *answer, const char *device)
{
    for (size_t i = 0; i < answer->devices; i++)
        if (strcmp(answer->device[i].id, device) == 0)
            return true;
    return false;
}

/* Signs out the devices that are not in an answer any more. */
static void sign_out_missing(struct rooms *rooms, const struct store_answer *answer)
{
    for (size_t i = 0; i < rooms->connections.slots; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        struct connection *c = slot->key ? slot->thing : NULL;
        if (c && is_of(c, answer->guest.id) && !has_device(answer, c->guest.device))
            hub_close(rooms, c, 4002);
    }
}

/* Returns true if an answer says of a connection's guest what the connection knows. */
static bool is_same(const struct connection *c, const struct store_answer *answer)
{
    return answer->found && strcmp(answer->guest.name, c->guest.name) == 0 &&
           answer->guest.colour == c->guest.colour && answer->guest.muted == c->guest.muted &&
           has_device(answer, c->guest.device);
}

/* Another process may have changed a guest: takes the name, or signs out who is not there any more.
 * After NEWS_ALL that is asked for every connection, and going through all connections and rooms
 * for each would take long. */
static void hear_guest(struct rooms *rooms, struct pending *p, const struct store_answer *answer)
{
    struct connection *c = hub_connection(rooms, p->connection);
    if (c)
        others_check(rooms, c);
    if (p->connection && (!c || is_same(c, answer)))
        return;
    if (answer->found) {
        p->guest = answer->guest;
        for_guest(rooms, p, take_name);
        for_guest(rooms, p, take_mute);
        tell_rooms(rooms, &p->guest, ITEM_NAME);
        sign_out_missing(rooms, answer);
    } else {
        p->kind = STORE_FORGET;
        tell_rooms(rooms, &p->guest, ITEM_FORGET);
        for_guest(rooms, p, notes_learn);
        for_guest(rooms, p, sign_out);
    }
}

void people_answer(struct rooms *rooms, struct pending *p, const struct store_answer *answer)
{
    struct connection *c = hub_connection(rooms, p->connection);
    bool stored = answer->outcome == STORE_STORED;
    if (p->news) {
        hear_guest(rooms, p, answer);
        return;
    }
    if (p->why == WHY_REPORT && p->kind != STORE_COUNT) {
        notes_reported(rooms, p, answer);
        return;
    }
    if (p->kind == STORE_NOTED) {
        notes_answer(rooms, p, answer);
        return;
    }
    if (p->why == WHY_ROOMS) {
        operator_rooms_answer(rooms, p, answer);
        return;
    }
    if (p->why == WHY_OWN) {
        own_answer(rooms, p, answer);
        return;
    }
    if (stored && p->kind == STORE_COUNT) {
        bool limited = !answer->found && !MUTATED(NO_LIMIT);
        if (p->item)
            make_counted(rooms, p, limited);
        else if (p->why)
            notes_counted(rooms, p, limited);
        else if (c)
            counted(rooms, c, p, limited);
        return;
    }
    /* Other connections and rooms change even if the connection that asked is gone. */
    bool forgotten = stored && p->kind == STORE_FORGET && (answer->found || p->why != WHY_KEEP);
    if (forgotten)
        tell_rooms(rooms, &p->guest, ITEM_FORGET);
    if (stored && p->kind == STORE_GUEST && answer->found) {
        for_guest(rooms, p, take_name);
        tell_rooms(rooms, &p->guest, ITEM_NAME);
    }
    if (answer->outcome == STORE_UNKNOWN && p->kind == STORE_GUEST && p->message)
        others_ask_guest(rooms, p->guest.id, 0); /* it may have another name now */
    if (p->why == WHY_KEEP) {
        keep_answer(rooms, answer);
    } else if (p->why == WHY_OPERATOR) {
        operator_answer(rooms, p, answer);
    } else if (c && is_request(c)) {
        answer_request(rooms, c, p, answer);
    } else if (c && !stored) {
        people_late(rooms, c, p);
    } else if (c) {
        switch (p->kind) {
        case STORE_WHO:
            answer_hello(rooms, c, p->token, answer);
            break;
        case STORE_FIND:
            found_room(rooms, c, p, answer);
            break;
        case STORE_SHEET:
            if (answer->found) {
                make_room(rooms, c, p->message, p->text, hub_copy(answer->map));
                p->text = NULL;
            } else {
                people_no(rooms, c, p->message, "MAP_UNKNOWN");
            }
            break;
        case STORE_MAP:
            make_room(rooms, c, p->message, p->text, hub_copy(p->shared));
            p->text = NULL;
            break;
        case STORE_TICKET:
            hub_send(rooms, c->id, say(rooms, write_ticket, p));
            break;
        case STORE_DEVICES:
            hub_send(rooms, c->id, say(rooms, write_devices, &(struct listing){p, answer}));
            break;
        case STORE_MINE:
            hub_send(rooms, c->id, say(rooms, write_rooms, &(struct listing){p, answer}));
            break;
        case STORE_WITHDRAW:
            if (answer->found || p->unsure) /* it was done the first time */
                hub_send(rooms, c->id, say_ok(rooms, p->message, NULL, es_str(""), 0));
            else
                people_no(rooms, c, p->message, "NO_DEVICE");
            break;
        case STORE_GUEST:
            if (!answer->found) { /* deleted meanwhile, from another device */
                people_no(rooms, c, p->message, "GUEST_NEEDED");
                break;
            }
            /* fall through */
        default:
            hub_send(rooms, c->id, say_ok(rooms, p->message, NULL, es_str(""), 0));
        }
    }
    if (forgotten && p->note.until)
        for_guest(rooms, p, notes_learn);
    if (forgotten || (stored && p->kind == STORE_WITHDRAW))
        for_guest(rooms, p, sign_out);
}
