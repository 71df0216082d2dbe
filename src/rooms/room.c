/* A room's queue and batches: taking items, storing entries, reading the list, sending answers. */
#include "rooms/internal.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_ITEMS = 32,    /* a batch takes at most this many items … */
    BATCH_ENTRIES = 256, /* … and takes no more after this many entries */
    REFUSALS_MAX = 50,   /* batches refused in a row; then all that wait are answered BUSY */
    REFUSALS_FEW = 3,    /* from then on a pause before each try, up to … */
    PAUSE_MS = 32,       /* … this long: several processes write to the room */
    AGAIN_MS = 500,      /* from a fault of the store to the next try … */
    FIRST_AGAIN_MS = 50, /* … the first time: a lost connection is replaced at once */
    PRESENCE_MS = 500,   /* people who come or go within this time are told in one message */
};

/* ---- Items ----------------------------------------------------------------------------------- */

struct item *room_item(enum item_kind kind, const struct connection *c, json_t *message)
{
    struct item *item = hub_alloc(sizeof *item);
    item->kind = kind;
    item->message = json_incref(message);
    if (c) {
        item->connection = c->id;
        item->guest = c->guest;
        item->address = c->address;
        item->network = c->network;
    }
    return item;
}

void item_free(struct item *item)
{
    json_decref(item->message);
    free(item->text);
    free(item->map);
    free(item);
}

static void push(struct room *room, struct item *item)
{
    item->next = NULL;
    *room->last = item;
    room->last = &item->next;
    room->waiting++;
}

static void push_front(struct room *room, struct item *item)
{
    item->put_back = false;
    item->next = room->first;
    if (!room->first)
        room->last = &item->next;
    room->first = item;
    room->waiting++;
}

static struct item *pop(struct room *room)
{
    struct item *item = room->first;
    room->first = item->next;
    if (!room->first)
        room->last = &room->first;
    room->waiting--;
    return item;
}

static void refuse(struct rooms *rooms, struct item *item, const char *code)
{
    struct connection *c = hub_connection(rooms, item->connection);
    rooms->counts.refused++;
    if (c && is_request(c)) {
        char text[64];
        int size = snprintf(text, sizeof text, "{\"code\":\"%s\"}", code);
        bool is_ours = strcmp(code, "BUSY") == 0 || strcmp(code, "UNREADABLE") == 0;
        hub_http(rooms, c->id, is_ours ? 503 : 404, "application/json",
                 (struct es_str){text, (size_t)size}, NULL);
    } else if (c) {
        hub_send(rooms, c->id, say_no(rooms, item->message, code));
        if (item->kind == ITEM_HELLO)
            hub_close(rooms, c, strcmp(code, "BUSY") == 0 ? 1013 : 4000);
    }
}

void room_refuse_all(struct rooms *rooms, struct room *room, const char *code)
{
    for (size_t count = room->waiting; count > 0; count--) {
        struct item *item = pop(room);
        if (item->kind == ITEM_FORGET) { /* nobody would say it again */
            push(room, item);
            continue;
        }
        refuse(rooms, item, code);
        item_free(item);
    }
}

/* Adds an item to the queue; false if it is full and the item was refused. A room that could not be
 * read is read again at once: whoever asks learns that it still cannot, or that it was repaired. */
static bool admit(struct rooms *rooms, struct room *room, struct item *item)
{
    uint32_t most = rooms->limits.waiting;
    if (item->kind == ITEM_GET)
        most /= 2; /* the rest is for those who play */
    if (!item->since)
        item->since = rooms->asked;
    if (room->waiting >= most && item->kind != ITEM_FORGET && item->kind != ITEM_NAME &&
        item->kind != ITEM_NEXT) {
        hub_limited(rooms, ROOMS_LIMIT_queue_of_room);
        refuse(rooms, item, "BUSY");
        item_free(item);
        return false;
    }
    push(room, item);
    if (room->unreadable)
        room->again = 0;
    return true;
}

void room_enqueue(struct rooms *rooms, struct room *room, struct item *item)
{
    if (admit(rooms, room, item))
        room_run(rooms, room);
}

/* ---- Answers, held back until the batch is stored -------------------------------------------- */

static struct reply *add_reply(struct room *room, uint64_t connection, struct es_str text)
{
    room->reply =
        hub_grow(room->reply, &room->replies_room, room->replies + 1, sizeof *room->reply);
    struct reply *reply = &room->reply[room->replies++];
    *reply = (struct reply){.connection = connection, .text = hub_copy(text), .size = text.size};
    return reply;
}

void room_reply(struct rooms *rooms, struct room *room, uint64_t connection, struct es_str text)
{
    (void)rooms;
    add_reply(room, connection, text);
}

void room_reply_http(struct rooms *rooms, struct room *room, uint64_t connection, int status,
                     const char *type, struct es_str text)
{
    (void)rooms;
    struct reply *reply = add_reply(room, connection, text);
    reply->status = status;
    reply->type = type;
}

void room_refuse(struct rooms *rooms, struct room *room, struct item *item, const char *code)
{
    /* What another process has just stored may allow it: read once before refusing. */
    if (item->kind == ITEM_MESSAGE && others_shared(rooms) && !item->covered) {
        item->put_back = true;
        return;
    }
    rooms->counts.refused++;
    if (item->kind == ITEM_GET || item->kind == ITEM_OPERATOR) {
        char text[64];
        int size = snprintf(text, sizeof text, "{\"code\":\"%s\"}", code);
        room_reply_http(rooms, room, item->connection, strcmp(code, "TOO_MANY") == 0 ? 429 : 404,
                        "application/json", (struct es_str){text, (size_t)size});
        return;
    }
    struct reply *reply = add_reply(room, item->connection, say_no(rooms, item->message, code));
    reply->close = item->kind == ITEM_HELLO ? 4000 : 0;
}

void room_hand_on(struct room *room, const char *other, struct item *item)
{
    struct reply *reply = add_reply(room, item->connection, es_str(""));
    reply->item = item;
    es_str_copy(es_str(other), reply->room, sizeof reply->room);
}

static void drop_replies(struct room *room)
{
    for (size_t i = 0; i < room->replies; i++) {
        free(room->reply[i].text);
        if (room->reply[i].item)
            item_free(room->reply[i].item);
    }
    free(room->reply);
    room->reply = NULL;
    room->replies = room->replies_room = 0;
}

/* Sends the answers that were held back. */
static void release(struct rooms *rooms, struct room *room)
{
    for (size_t i = 0; i < room->replies; i++) {
        struct reply *reply = &room->reply[i];
        struct es_str text = {reply->text, reply->size};
        struct connection *c = hub_connection(rooms, reply->connection);
        if (reply->item) {
            /* Not room_enqueue(), because the other room might enqueue something here. */
            struct item *item = reply->item;
            struct room *other = hub_room(rooms, reply->room);
            bool is_over = item->told && item->kind == ITEM_MAKE; /* it will be asked for again */
            if (!other && !is_over)
                other = hub_room_new(rooms, reply->room);
            if (is_over)
                item_free(item);
            else if (admit(rooms, other, item))
                hub_wake(rooms, other, rooms->now);
            reply->item = NULL;
        } else if (c && reply->status) {
            hub_http(rooms, c->id, reply->status, reply->type, text, NULL);
        } else if (c) {
            hub_send(rooms, c->id, text);
            if (reply->close)
                hub_close(rooms, c, reply->close);
        }
    }
    drop_replies(room);
    room->reactions_kept = room->reactions;
}

/* ---- Time limits ----------------------------------------------------------------------------- */

/* Nothing more is said to whom an item is from. What it has begun goes on. */
static void mute(struct room *room, const struct item *item)
{
    for (size_t i = 0; i < room->replies && !MUTATED(TWICE); i++) {
        struct reply *reply = &room->reply[i];
        if (reply->to == item && reply->item)
            reply->item->told = true;
        else if (reply->to == item && reply->connection == item->connection)
            reply->connection = 0;
    }
}

/* Returns true if somebody waits for the answer to an item of this room's, and not of another's or
 * of the store's. */
static bool is_awaited(struct rooms *rooms, const struct item *item)
{
    return !item->told && !item->handed_on && item->kind != ITEM_OPERATOR &&
           item->kind != ITEM_FORGET && item->kind != ITEM_NAME &&
           hub_connection(rooms, item->connection);
}

/* Returns when the next of those who wait has to be told that it takes too long; 0: never. */
static uint64_t late_wake(struct rooms *rooms, const struct room *room)
{
    uint64_t since = UINT64_MAX;
    for (const struct item *item = room->first; item; item = item->next)
        if (item->since < since && is_awaited(rooms, item))
            since = item->since;
    for (const struct item *item = room->taken; item; item = item->next)
        if (item->since < since && is_awaited(rooms, item))
            since = item->since;
    for (const struct connection *c = room->connections; c; c = c->after)
        if (!c->welcomed && c->greeted < since)
            since = c->greeted;
    return since == UINT64_MAX || MUTATED(PATIENT) ? 0 : hub_late(since);
}

static void refuse_late(struct rooms *rooms, struct item *item)
{
    rooms->counts.late++;
    refuse(rooms, item, "BUSY");
}

/* Tells those who have waited for too long that their items were not taken in time. Items in the
 * queue are forgotten, except for one that only completes what another room has done. The store may
 * have got the others. */
static void answer_late(struct rooms *rooms, struct room *room)
{
    uint64_t due = late_wake(rooms, room);
    if (!due || due > rooms->now)
        return;
    for (size_t count = room->waiting; count > 0; count--) {
        struct item *item = pop(room);
        bool is_late = is_awaited(rooms, item) && hub_late(item->since) <= rooms->now;
        if (is_late)
            refuse_late(rooms, item);
        if (is_late && item->kind != ITEM_NEXT) {
            make_given_up(rooms, item);
            item_free(item);
            continue;
        }
        item->told |= is_late;
        push(room, item);
    }
    for (struct item *item = room->taken; item; item = item->next)
        if (is_awaited(rooms, item) && hub_late(item->since) <= rooms->now) {
            refuse_late(rooms, item);
            item->told = true;
            mute(room, item);
        }
    for (struct connection *c = room->connections, *next; c; c = next) {
        next = c->after;
        if (!c->welcomed && hub_late(c->greeted) <= rooms->now) {
            people_no(rooms, c, NULL, "BUSY");
            hub_close(rooms, c, 1013);
        }
    }
}

/* Has the room woken when somebody has waited for too long: the store has to answer first. */
static void wait_for_store(struct rooms *rooms, struct room *room)
{
    uint64_t late = late_wake(rooms, room), again = room->again;
    if (room->storing || room->reading || !rooms->ready)
        again = 0;
    uint64_t when = !late || (again && again < late) ? again : late;
    if (when)
        hub_wake(rooms, room, when);
}

/* ---- Presence -------------------------------------------------------------------------------- */

void room_changed(struct room *room)
{
    room->revision++;
}

bool room_attended(const struct room *room, uint64_t *network)
{
    const struct body *body = room->body;
    for (const struct connection *c = room->connections; c; c = c->after)
        if (c->guest.id[0] &&
            (strcmp(c->guest.id, body->host) == 0 || body_seat(body, c->guest.id) > 0)) {
            *network = c->network;
            return true;
        }
    return others_attend(room, network);
}

void room_presence(struct rooms *rooms, struct room *room)
{
    const struct body *body = room->body;
    if (body && strcmp(room->host, body->host) != 0) {
        memcpy(room->host, body->host, sizeof room->host);
        room->host_away = 0; /* that was another one */
    }
    if (body && body->host[0])
        room->host_away = hub_here(room, body->host) ? 0
                          : room->host_away          ? room->host_away
                                                     : rooms->now;
    if (!room->tell)
        room->tell = rooms->now + PRESENCE_MS;
}

void room_join(struct rooms *rooms, struct room *room, struct connection *c)
{
    hub_rest(rooms, room, false);
    c->room = room;
    c->before = NULL;
    c->after = room->connections;
    if (room->connections)
        room->connections->before = c;
    room->connections = c;
    c->step = STEP_READY;
    c->told = TOLD_NOTHING;
    room_presence(rooms, room);
}

void room_quit(struct rooms *rooms, struct connection *c)
{
    struct room *room = c->room;
    if (!room)
        return;
    *(c->before ? &c->before->after : &room->connections) = c->after;
    if (c->after)
        c->after->before = c->before;
    c->before = c->after = NULL;
    c->room = NULL;
    if (!room->connections)
        room->until = rooms->now + rooms->limits.keep_ms;
    room_presence(rooms, room);
    /* Not room_run(), because a caller may be going through the list of connections. */
    hub_wake(rooms, room, rooms->now);
}

static bool is_member(const struct body *body, const char *guest)
{
    return guest[0] && (body_seat(body, guest) > 0 || strcmp(guest, body->host) == 0 ||
                        (body->settings.invited && strstr(body->settings.invited, guest)));
}

bool room_may_stay(const struct room *room, const struct connection *c)
{
    const struct body *body = room->body;
    return body->phase == PHASE_WAITING || body->settings.watch || body_seat(body, c->guest.id) > 0;
}

const char *room_shut(struct rooms *rooms, const struct room *room, const struct item *item,
                      const char *code)
{
    const struct body *body = room->body;
    const char *guest = item->guest.id;
    bool there = body->count > 0, right = there && strcmp(code, room->code) == 0;
    if (!there || (!body->settings.open && !is_member(body, guest))) {
        if (hub_codes_spent(rooms, item->address, item->network, code))
            return "TOO_MANY"; /* right ones, too: otherwise one could go on guessing */
        if (!right)
            hub_codes_count(rooms, item->address, item->network, code, 1);
        if (!right)
            return "NO_ROOM";
    }
    bool may_look =
        body->phase == PHASE_WAITING || body->settings.watch || body_seat(body, guest) > 0;
    return may_look ? NULL : "NO_ROOM";
}

/* ---- Batches --------------------------------------------------------------------------------- */

void room_append(struct rooms *rooms, struct room *room, enum entry_kind kind, int seat,
                 int decision, const char *guest, const char *key, struct es_str text)
{
    room->entry =
        hub_grow(room->entry, &room->entries_room, room->entries + 1, sizeof *room->entry);
    struct store_entry *entry = &room->entry[room->entries++];
    /* Another process whose clock is ahead may have written the latest one. */
    uint64_t latest = room->body->latest;
    *entry = (struct store_entry){.time = rooms->now > latest ? rooms->now : latest,
                                  .kind = (uint8_t)kind,
                                  .seat = (uint8_t)seat,
                                  .decision = decision,
                                  .text = {hub_copy(text), text.size}};
    es_str_copy(es_str(guest), entry->guest, sizeof entry->guest);
    es_str_copy(es_str(key), entry->key, sizeof entry->key);
    room->unsaved = true;
    enum phase before = room->body->phase;
    bool applied = body_apply(rooms, room, room->body, entry);
    assert(applied);
    enum phase phase = room->body->phase;
    if (before != phase || (kind != ENTRY_MOVE && kind != ENTRY_BOT && kind != ENTRY_CLOCK &&
                            kind != ENTRY_CHANCE && kind != ENTRY_CHAT))
        room_changed(room);
    if (kind == ENTRY_MADE || phase != PHASE_WAITING)
        room->listed = room->body->settings.open && phase == PHASE_WAITING;
}

void room_save(struct room *room)
{
    room->unsaved = true;
}

static struct es_str write_people(struct rooms *rooms, const struct body *body)
{
    size_t most = body->people * (sizeof(struct person) + 8) + 1;
    rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, most, 1);
    struct es_out out = {rooms->buffer, rooms->buffer_size, 0};
    for (size_t i = 0; i < body->people; i++) {
        es_out_text(&out, body->person[i].guest);
        es_out_char(&out, ' ');
        if (body_seat(body, body->person[i].guest) > 0 ||
            strcmp(body->person[i].guest, body->host) == 0)
            es_out_char(&out, '+');
        es_out_int(&out, body->person[i].colour);
        es_out_char(&out, ' ');
        es_out_text(&out, body->person[i].name);
        es_out_char(&out, '\n');
    }
    return (struct es_str){rooms->buffer, out.used};
}

/* Reads a line of write_people(); false if it is malformed. */
static bool read_person(struct es_str line, struct store_guest *guest)
{
    struct es_str id, colour;
    unsigned number;
    *guest = (struct store_guest){.colour = 0};
    if (!es_str_word(&line, &id) || !es_str_word(&line, &colour))
        return false;
    if (colour.at[0] == '+') {
        colour.at++;
        colour.size--;
    }
    if (es_str_number(colour, 7, &number) || !es_str_copy(id, guest->id, sizeof guest->id) ||
        !es_str_copy(es_str_trim(line), guest->name, sizeof guest->name))
        return false;
    guest->colour = (uint8_t)number;
    return true;
}

/* Makes the room's people those of a head. Others may have been forgotten by another process.
 * Returns true if something has changed. */
bool room_read_people(struct body *body, struct es_str text)
{
    struct es_lines lines;
    struct es_fault fault;
    struct store_guest guest;
    size_t before = body->people;
    bool *there = hub_alloc(before + 1), changed = false;
    if (es_lines_open(&lines, text, &fault) == ES_OK)
        while (es_lines_next(&lines)) {
            if (!read_person(lines.line, &guest))
                continue;
            for (size_t i = 0; i < before; i++)
                there[i] |= strcmp(body->person[i].guest, guest.id) == 0;
            changed |= body_know(body, &guest);
        }
    for (size_t i = before; i-- > 0;)
        if (!there[i]) {
            memcpy(guest.id, body->person[i].guest, sizeof guest.id);
            changed |= body_forget(body, guest.id);
        }
    free(there);
    return changed;
}

static void store(struct rooms *rooms, struct room *room)
{
    const struct body *body = room->body;
    struct store_question question = {
        .kind = STORE_APPEND,
        .first = body->count - room->entries + 1,
        .entry = room->entry,
        .entries = room->entries,
        .head = {.over = body->phase >= PHASE_OVER,
                 .listed = room->listed,
                 .wake = play_wake(rooms, room),
                 .changed = rooms->now,
                 .people = write_people(rooms, body)},
    };
    memcpy(question.head.room, room->id, sizeof room->id);
    memcpy(question.head.code, room->code, sizeof room->code);
    memcpy(question.head.map, room->map, sizeof room->map);
    room->storing = true;
    room->saving = question.head.wake;
    room->stamp_saving = lobby_stamp(&question.head);
    if (MUTATED(EARLY_OK))
        release(rooms, room);
    hub_ask_for(rooms, &question, room);
    wait_for_store(rooms, room);
}

static void cover(struct room *room, bool covered)
{
    for (struct item *item = room->first; item; item = item->next)
        item->covered = covered;
}

/* Reads the list, or what follows the entries that the room has. */
static void read_list(struct rooms *rooms, struct room *room)
{
    struct store_question question = {.kind = STORE_READ,
                                      .first = room->body ? room->body->count + 1 : 1};
    memcpy(question.head.room, room->id, sizeof room->id);
    memcpy(question.process, rooms->options.process, sizeof question.process);
    cover(room, true);
    room->reading = true;
    room->heard = false;
    hub_ask_for(rooms, &question, room);
    wait_for_store(rooms, room);
}

static void forget_batch(struct room *room)
{
    for (size_t i = 0; i < room->entries; i++)
        free((char *)room->entry[i].text.at);
    free(room->entry); /* most rooms only wait: they need not keep it */
    room->entry = NULL;
    room->entries = room->entries_room = 0;
    room->unsaved = false;
}

static void forget_taken(struct rooms *rooms, struct room *room)
{
    for (struct item *item = room->taken, *next; item; item = next) {
        next = item->next;
        if (item->moved)
            es__times_add(&rooms->counts.moves, (rooms->now - item->since) * 1000);
        item_free(item);
    }
    room->taken = NULL;
    room->taken_last = &room->taken;
}

static void forget_body(struct rooms *rooms, struct room *room)
{
    if (!room->body)
        return;
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        play_forget(rooms, &room->body->seat[p]);
    body_free(room->body);
    room->body = NULL;
}

/* Forgets the items of a batch whose senders have been told to ask again. */
static void drop_told(struct room *room)
{
    struct item **at = &room->taken;
    while (*at) {
        struct item *item = *at;
        if (item->told && item->kind != ITEM_NEXT) {
            *at = item->next;
            item_free(item);
        } else {
            at = &item->next;
        }
    }
    room->taken_last = at;
}

/* After a batch that was refused or whose outcome is unknown: puts its items back into the queue
 * and reads the list again. */
static void start_over(struct rooms *rooms, struct room *room, bool refused)
{
    forget_batch(room);
    drop_replies(room);
    others_unreacted(room);
    drop_told(room);
    if (room->taken) {
        for (struct item *item = room->taken; item; item = item->next)
            room->waiting++;
        *room->taken_last = room->first;
        if (!room->first)
            room->last = room->taken_last;
        room->first = room->taken;
        room->taken = NULL;
        room->taken_last = &room->taken;
    }
    if (refused && MUTATED(KEEP_REFUSED)) {
        hub_wake(rooms, room, rooms->now + 1);
        return;
    }
    forget_body(rooms, room);
    /* BUSY means that nothing was done, which is not certain after an unknown outcome. Then we keep
     * trying: the first time immediately, later after a pause. */
    uint64_t pause = !refused && ++room->unknowns > 1 ? AGAIN_MS : 0;
    if (refused && ++room->refusals > REFUSALS_MAX) {
        room_refuse_all(rooms, room, "BUSY");
        pause = room->first ? AGAIN_MS : 0;
    } else if (refused && room->refusals > REFUSALS_FEW) {
        uint8_t random;
        hub_random(rooms, &random, 1);
        pause = 1 + random % PAUSE_MS;
    }
    if (pause) {
        room->again = rooms->now + pause;
        wait_for_store(rooms, room);
    } else {
        read_list(rooms, room);
    }
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool will_forget(const struct room *room, const char *guest)
{
    for (const struct item *item = room->first; item; item = item->next)
        if (item->kind == ITEM_FORGET && strcmp(item->guest.id, guest) == 0)
            return true;
    return false;
}

static bool is_in(const struct item *item, const char *guest)
{
    while (item && strcmp(item->guest.id, guest) != 0)
        item = item->next;
    return item;
}

bool room_concerns(const struct room *room, const char *guest)
{
    if (is_in(room->first, guest) || is_in(room->taken, guest))
        return true;
    return room->body ? body_person(room->body, guest) != NULL
                      : room->reading || room->storing || room->first;
}

/* Queues ITEM_FORGET for seated guests who were deleted while the room was not in memory, or by
 * another process. */
static void forget_missing(struct room *room)
{
    const struct body *body = room->body;
    if (body->phase >= PHASE_OVER)
        return;
    for (int p = 0; p < body->setup.players; p++)
        if (body->seat[p].kind == SEAT_PERSON && !body_person(body, body->seat[p].guest) &&
            !will_forget(room, body->seat[p].guest)) {
            struct item *item = room_item(ITEM_FORGET, NULL, NULL);
            memcpy(item->guest.id, body->seat[p].guest, sizeof item->guest.id);
            push(room, item);
        }
}

/* Tells those who are in the room that it was deleted. */
static void be_deleted(struct rooms *rooms, struct room *room)
{
    room->made = 0;
    forget_body(rooms, room);
    room_refuse_all(rooms, room, "NO_ROOM");
    while (room->connections)
        hub_close(rooms, room->connections, 4000);
    hub_wake(rooms, room, rooms->now);
}

void room_deleted(struct rooms *rooms, const char *id)
{
    struct room *room = hub_room(rooms, id);
    if (!room)
        return;
    room->heard = true;
    hub_wake(rooms, room, rooms->now);
}

/* Builds the room's state from its list, or adds to it what is new. Clients keep what they have
 * been sent, since only durable things are sent: their streams continue where they were. */
static void have_read(struct rooms *rooms, struct room *room, const struct store_answer *answer)
{
    bool was_there = room->body, good = true;
    lobby_loaded(rooms, room);
    if (!answer->found && room->made && !MUTATED(STAY_DELETED)) {
        be_deleted(rooms, room);
        return;
    }
    if (!was_there)
        room->body = body_new();
    struct body *body = room->body;
    if (!was_there || answer->entries > 0)
        room_changed(room);
    if (answer->found) {
        memcpy(room->code, answer->head.code, sizeof room->code);
        memcpy(room->map, answer->head.map, sizeof room->map);
        room->saved = answer->head.wake;
        if (answer->map.size > 0 && !was_there)
            body->map_text = hub_copy(answer->map);
    }
    for (size_t i = 0; i < answer->entries && good; i++)
        good = body_apply(rooms, room, body, &answer->entry[i]);
    if (!good && was_there) { /* what we have is not what is stored: read all of it */
        forget_body(rooms, room);
        read_list(rooms, room);
        return;
    }
    if (!good) {
        if (!room->unreadable)
            hub_event(rooms, &(struct rooms_event){ROOMS_EVENT_ROOM_UNREADABLE, .room = room->id});
        room->unreadable = true;
        forget_body(rooms, room);
        lobby_hide(rooms, room->id);
        room_refuse_all(rooms, room, "UNREADABLE");
        while (room->connections)
            hub_close(rooms, room->connections, 4000);
        room->again = rooms->now + 120 * AGAIN_MS; /* the operator may repair it */
        hub_wake(rooms, room, room->again);
        return;
    }
    room->unreadable = false;
    if (room_read_people(body, answer->head.people))
        room_changed(room);
    others_check_names(rooms, room);
    room->over = body->phase >= PHASE_OVER;
    room->listed = answer->found && answer->head.listed && body->phase == PHASE_WAITING;
    room->stamp = lobby_stamp(&answer->head);
    play_read(rooms, room, &answer->head);
    if (answer->entries > 0 && !was_there)
        room->made = answer->entry[0].time;
    others_read(rooms, room, answer);
    lobby_card(rooms, room);
    if (!was_there || strcmp(room->host, body->host) != 0)
        room_presence(rooms, room);
    forget_missing(room);
    room_run(rooms, room);
}

/* Counts what the stored batch has done, and tells the operator. */
static void report(struct rooms *rooms, const struct room *room)
{
    struct rooms_counts *counts = &rooms->counts;
    for (size_t i = 0; i < room->entries; i++) {
        const struct store_entry *entry = &room->entry[i];
        struct rooms_event event = {.room = room->id};
        char why[40];
        if (entry->kind == ENTRY_MADE) {
            event.kind = ROOMS_EVENT_ROOM_MADE;
            event.guest = entry->guest;
        } else if (entry->kind == ENTRY_BEGIN) {
            event.kind = ROOMS_EVENT_GAME_BEGUN;
            counts->games_begun++;
        } else if (entry->kind == ENTRY_CLOSED) {
            event.kind = ROOMS_EVENT_ROOM_CLOSED;
            snprintf(why, sizeof why, "why=%.*s", (int)entry->text.size, entry->text.at);
            event.detail = why;
        } else if (entry->kind == ENTRY_REMOVED) {
            event.kind = ROOMS_EVENT_PERSON_REMOVED;
            event.guest = entry->guest;
            snprintf(why, sizeof why, "removed=%.*s", (int)entry->text.size, entry->text.at);
            event.detail = why;
        } else {
            counts->clock_moves += entry->kind == ENTRY_CLOCK;
            continue;
        }
        hub_event(rooms, &event);
    }
    if (room->body->phase == PHASE_OVER && !room->over) {
        counts->games_over++;
        hub_event(rooms, &(struct rooms_event){.kind = ROOMS_EVENT_GAME_OVER, .room = room->id});
    }
}

static void stored(struct rooms *rooms, struct room *room, bool dropped)
{
    rooms->counts.batches++;
    rooms->counts.entries += room->entries;
    room->refusals = room->unknowns = 0;
    room->saved = room->saving;
    room->stamp = room->stamp_saving;
    if (room->body->count == room->entries) {
        room->made = room->entry[0].time;
        rooms->counts.rooms_open++;
    }
    report(rooms, room);
    forget_batch(room);
    forget_taken(rooms, room);
    bool over = room->body->phase >= PHASE_OVER;
    if (over && !room->over && rooms->counts.rooms_open > 0)
        rooms->counts.rooms_open--;
    room->over = over;
    if (dropped) { /* a guest was deleted: read the list without their name and chat */
        forget_body(rooms, room);
        read_list(rooms, room);
        release(rooms, room);
        return;
    }
    lobby_card(rooms, room);
    release(rooms, room);
    stream_tell(rooms, room);
    room_run(rooms, room);
}

void room_answer(struct rooms *rooms, struct room *room, const struct store_answer *answer)
{
    bool was_storing = room->storing, was_failing = room->failing;
    room->storing = room->reading = room->failing = false;
    if (!was_storing && answer->outcome != STORE_STORED) { /* it still has to be read */
        room->heard = true;
        cover(room, false);
    }
    if (answer->outcome == STORE_FAILED || (!was_storing && answer->outcome != STORE_STORED)) {
        room->failing = true;
        room->again = rooms->now + (was_failing ? AGAIN_MS : FIRST_AGAIN_MS);
        wait_for_store(rooms, room);
    } else if (!was_storing) {
        have_read(rooms, room, answer);
    } else if (answer->outcome == STORE_STORED ||
               (answer->outcome == STORE_UNKNOWN && MUTATED(UNKNOWN_AS_YES))) {
        stored(rooms, room, answer->dropped);
    } else {
        bool unknown = answer->outcome == STORE_UNKNOWN;
        *(unknown ? &rooms->counts.batches_unknown : &rooms->counts.batches_refused) += 1;
        if (unknown && MUTATED(UNKNOWN_AS_NO)) {
            for (struct item *item = room->taken; item; item = item->next)
                refuse(rooms, item, "BUSY");
            forget_taken(rooms, room);
        }
        start_over(rooms, room, !unknown);
    }
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Stores the head alone if its `wake` is not the room's any more: that is all that will bring the
 * room back to memory. Returns true if it does. */
static bool save_wake(struct rooms *rooms, struct room *room, uint64_t wake)
{
    if (room->saved == wake || room->body->phase >= PHASE_OVER)
        return false;
    room_save(room);
    store(rooms, room);
    return true;
}

/* Frees a room that nobody needs in memory now. Returns true if it has, or will when its head is
 * stored; `room` may then be invalid. */
static bool unload(struct rooms *rooms, struct room *room)
{
    const struct body *body = room->body;
    if (room->connections || room->first || others_unsaid(room))
        return false;
    if (body->count > 0 && body->phase < PHASE_OVER) {
        if (rooms->now < room->until)
            return false;
        uint64_t wake = play_wake(rooms, room);
        if (wake && wake < rooms->now + rooms->limits.keep_ms)
            return false;
        /* The process where somebody is renews what is stored while it lasts. */
        bool is_theirs = room->attended && room->saved > rooms->now;
        if (!is_theirs && save_wake(rooms, room, wake))
            return true;
    }
    forget_body(rooms, room);
    hub_room_free(rooms, room);
    return true;
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* Returns true if somebody is to be forgotten: what is read waits for that. */
static bool has_forget(const struct room *room)
{
    const struct item *item = room->first;
    while (item && item->kind != ITEM_FORGET)
        item = item->next;
    return item != NULL;
}

/* Returns true if the list has to be read before the item is taken: somebody who comes from another
 * process must not be told less than there. */
static bool reads_first(const struct rooms *rooms, const struct item *item)
{
    bool looks = item->kind == ITEM_HELLO || item->kind == ITEM_GET || item->kind == ITEM_OPERATOR;
    return looks && !item->covered && others_shared(rooms) && !MUTATED(STALE_HELLO);
}

void room_run(struct rooms *rooms, struct room *room)
{
    answer_late(rooms, room);
    /* Not ready: the gaps are not known, and clocks might run out too early. */
    if (room->storing || room->reading || !rooms->ready || room->again > rooms->now) {
        wait_for_store(rooms, room);
        return;
    }
    room->again = 0;
    if (room->unsaved && room->gaps == rooms->gaps) {
        store(rooms, room); /* again, after a fault of the store */
        return;
    }
    if (room->unsaved) { /* clocks may have run out in it that have more time now */
        start_over(rooms, room, false);
        return;
    }
    /* Items that are covered come first: news must not hold them up for ever. */
    if (!room->body || (room->heard && !(room->first && room->first->covered))) {
        read_list(rooms, room);
        return;
    }
    for (int i = 0; i < BATCH_ITEMS && room->first && room->entries < BATCH_ENTRIES; i++) {
        if (reads_first(rooms, room->first)) {
            room->heard = true;
            break;
        }
        struct item *item = pop(room);
        if (item->kind == ITEM_GET && has_forget(room)) {
            push(room, item);
            continue;
        }
        size_t replies = room->replies;
        table_take(rooms, room, item);
        for (; replies < room->replies; replies++)
            room->reply[replies].to = item;
        if (item->told)
            mute(room, item);
        if (item->put_back) {
            push_front(room, item);
            room->heard = true;
            break;
        }
        item->next = NULL;
        *room->taken_last = item;
        room->taken_last = &item->next;
    }
    room->gaps = rooms->gaps;
    if (room->body->count > 0)
        play_advance(rooms, room);
    if (room->unsaved) {
        store(rooms, room);
        return;
    }
    forget_taken(rooms, room);
    release(rooms, room);
    if (room->tell && room->tell <= rooms->now) {
        room->tell = 0;
        room_changed(room);
    }
    if (room->body->count > 0)
        stream_tell(rooms, room);
    if (room->first || room->heard) {
        room_run(rooms, room);
        return;
    }
    others_tell(rooms, room);
    if (unload(rooms, room))
        return;
    hub_rest(rooms, room, !room->connections && room->until > rooms->now);
    uint64_t wake = play_wake(rooms, room), renew = play_renew(rooms, room);
    if (room->saved && renew <= rooms->now && save_wake(rooms, room, wake))
        return;
    if (room->attended)
        wake = earlier(wake, renew);
    wake = earlier(wake, play_look(rooms, room));
    wake = earlier(wake, room->tell);
    wake = earlier(wake, others_wake(rooms, room));
    /* Wake up to leave memory. (After that time it stays only until `wake`, which is soon.) */
    if (!room->connections && room->until > rooms->now)
        wake = earlier(wake, room->until);
    if (wake && wake <= rooms->now)
        wake = rooms->now + 1;
    hub_wake(rooms, room, wake);
}
