/* Messages of the operator, who sends them over the server's local socket. Each has one answer, and
 * each that changes something, or shows what people have written, has a line in the log.
 *
 *     {"t":"rooms", …}              lists rooms (operator_rooms.c)
 *     {"t":"show","room":ID}        a room: settings, seats, chat (before number `before`)
 *     {"t":"people","room":ID}      everyone who has sat or written there, with guest ids
 *     {"t":"close","room":ID}       closes a room
 *     {"t":"delete","room":ID}      deletes a room that cannot be read
 *     {"t":"remove","room":ID,"n":3}    removes a message of chat
 *     {"t":"block","guest":ID,"days":30,"address":true}   deletes a guest, who must not come back;
 *                                   with `address` nobody new may come from where they are, either
 *     {"t":"mute","guest":ID,"days":30}   a guest may not write to others
 *     {"t":"unblock","guest":ID}, {"t":"unmute","guest":ID}
 *     {"t":"notes","kind":"blocks"} the blocks, addresses, mutes or reports after id `after`
 *     {"t":"done","report":ID}      removes a report
 */
#include "rooms/internal.h"
#include <stdio.h>
#include <string.h>

enum { DAYS_USUAL = 30, DAYS_MAX = 365, DAY_MS = 24 * 3600000 };

static void answer(struct rooms *rooms, const struct connection *c, int status, const char *text)
{
    hub_http(rooms, c->id, status, "application/json", es_str(text), NULL);
}

/* ---- In a room ------------------------------------------------------------------------------- */

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

struct shown {
    const struct room *room;
    size_t before; /* chat before this number */
};

static const char *name_of(const struct body *body, const char *guest)
{
    const struct person *person = body_person(body, guest);
    return person ? person->name : "";
}

static void write_seats(struct es__writer *w, const struct room *room)
{
    static const char *const kinds[] = {"open", "person", "bot"};
    const struct body *body = room->body;
    es__write_array(w, "seats");
    for (int p = 0; p < body->setup.players; p++) {
        const struct seat *seat = &body->seat[p];
        es__write_object(w, NULL);
        es__write_text(w, "kind", kinds[seat->kind]);
        if (seat->kind == SEAT_PERSON) {
            es__write_text(w, "guest", seat->guest);
            es__write_text(w, "name", name_of(body, seat->guest));
            es__write_bool(w, "here", hub_here(room, seat->guest));
        }
        if (seat->level[0])
            es__write_text(w, "level", seat->level);
        es__write_end(w);
    }
    es__write_end(w);
}

static void write_chats(struct es__writer *w, const struct body *body, size_t before)
{
    size_t end = before && before <= body->chats ? before - 1 : body->chats;
    es__write_int(w, "chats", (int64_t)body->chats);
    es__write_array(w, "chat");
    for (size_t i = end > CHATS_TOLD ? end - CHATS_TOLD : 0; i < end; i++) {
        const struct chat *chat = &body->chat[i];
        if (!chat->text[0])
            continue;
        es__write_object(w, NULL);
        es__write_int(w, "n", (int64_t)i + 1);
        es__write_int(w, "time", (int64_t)chat->time);
        es__write_text(w, "guest", chat->guest);
        es__write_text(w, "name", name_of(body, chat->guest));
        es__write_text(w, "text", chat->text);
        es__write_end(w);
    }
    es__write_end(w);
}

/* Everything but what players may not know, and what lets somebody in. */
static void write_shown(struct es__writer *w, const void *context)
{
    const struct shown *shown = context;
    const struct body *body = shown->room->body;
    es__write_object(w, NULL);
    es__write_text(w, "room", shown->room->id);
    stream_write_settings(w, body);
    es__write_text(w, "setup", body->setup_text);
    es__write_int(w, "made", (int64_t)shown->room->made);
    es__write_int(w, "started", (int64_t)body->started);
    es__write_int(w, "moved", (int64_t)body->moved);
    es__write_int(w, "latest", (int64_t)body->latest);
    es__write_text(w, "host", body->host);
    es__write_text(w, "next", body->next);
    write_seats(w, shown->room);
    es__write_array(w, "removed");
    for (size_t i = 0; i < body->removals; i++)
        es__write_text(w, NULL, body->removed[i]);
    es__write_end(w);
    write_chats(w, body, shown->before);
    es__write_end(w);
}

static void remove_chat(struct rooms *rooms, struct room *room, struct item *item)
{
    const struct body *body = room->body;
    long n = get_int(item->message, "n", 0);
    const struct chat *chat = n >= 1 && (size_t)n <= body->chats ? &body->chat[n - 1] : NULL;
    if (!chat || chat->number > body->count - room->entries) { /* it is not stored yet */
        room_refuse(rooms, room, item, "NO_MESSAGE");
        return;
    }
    if (chat->text[0]) {
        char number[24];
        snprintf(number, sizeof number, "%llu", (unsigned long long)chat->number);
        room_append(rooms, room, ENTRY_UNSAID, 0, -1, "", "", es_str(number));
    }
    room_reply_http(rooms, room, item->connection, 200, "application/json", es_str("{}"));
}

void operator_take(struct rooms *rooms, struct room *room, struct item *item)
{
    struct body *body = room->body;
    const char *type = get_text(item->message, "t");
    long before = get_int(item->message, "before", 0);
    struct shown shown = {room, before > 0 ? (size_t)before : 0};
    if (strcmp(type, "people") == 0) {
        room_reply_http(rooms, room, item->connection, 200, "application/json",
                        say(rooms, write_people, body));
    } else if (strcmp(type, "show") == 0) {
        room_reply_http(rooms, room, item->connection, 200, "application/json",
                        say(rooms, write_shown, &shown));
    } else if (strcmp(type, "remove") == 0) {
        remove_chat(rooms, room, item);
    } else if (body->phase >= PHASE_OVER) {
        room_refuse(rooms, room, item, "OVER");
    } else {
        room_append(rooms, room, ENTRY_CLOSED, 0, -1, "", "", es_str("operator"));
        room_reply_http(rooms, room, item->connection, 200, "application/json", es_str("{}"));
    }
}

static void ask_room(struct rooms *rooms, struct connection *c, json_t *message)
{
    const char *id = get_text(message, "room");
    struct room *room = hub_room(rooms, id);
    room_enqueue(rooms, room ? room : hub_room_new(rooms, id),
                 room_item(ITEM_OPERATOR, c, message));
}

/* ---- A room that cannot be read -------------------------------------------------------------- */

static void ask_about(struct rooms *rooms, const struct connection *c, json_t *message,
                      enum store_kind kind)
{
    struct store_question question = {.kind = kind, .first = 1, .even_open = true};
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->why = WHY_OPERATOR;
    p->message = json_incref(message);
    es_str_copy(get_str(message, "room"), question.head.room, sizeof question.head.room);
    memcpy(question.process, rooms->options.process, sizeof question.process);
    hub_ask(rooms, &question, p);
}

/* The room was read: deletes it if that says nothing. Others can be closed, and are deleted when
 * they are old. */
static void delete_senseless(struct rooms *rooms, const struct connection *c,
                             const struct pending *p, const struct store_answer *stored)
{
    struct body *body = record_body(rooms, stored);
    if (!stored->found)
        answer(rooms, c, 404, "{\"code\":\"NO_ROOM\"}");
    else if (body)
        answer(rooms, c, 404, "{\"code\":\"READABLE\"}");
    else
        ask_about(rooms, c, p->message, STORE_DELETE);
    body_free(body);
}

/* ---- Guests ---------------------------------------------------------------------------------- */

static struct pending *pending_of(const struct connection *c, json_t *message)
{
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = c->id;
    p->why = WHY_OPERATOR;
    p->message = json_incref(message);
    es_str_copy(get_str(message, "guest"), p->guest.id, sizeof p->guest.id);
    memcpy(p->note.guest, p->guest.id, sizeof p->note.guest);
    return p;
}

/* Sets until when a block or a mute lasts. Returns false if `days` is out of range. */
static bool set_term(const struct rooms *rooms, struct pending *p)
{
    long days = get_int(p->message, "days", DAYS_USUAL);
    p->note.made = rooms->now;
    p->note.until = rooms->now + (uint64_t)days * DAY_MS;
    return days >= 1 && days <= DAYS_MAX;
}

static void block(struct rooms *rooms, struct pending *p)
{
    p->note.text = es_str(get_bool(p->message, "address", false) ? "address" : "");
    struct store_question question = {.kind = STORE_FORGET, .guest = p->guest, .note = p->note};
    hub_ask(rooms, &question, p);
}

/* Asks first whether there is such a guest. */
static void mute(struct rooms *rooms, struct pending *p)
{
    struct store_question question = {.kind = STORE_DEVICES, .guest = p->guest};
    hub_ask(rooms, &question, p);
}

static void lift(struct rooms *rooms, struct pending *p, const char *kinds)
{
    struct store_question question = {.kind = STORE_UNNOTE, .note = p->note};
    for (; *kinds; kinds++) {
        snprintf(question.note.id, sizeof question.note.id, "%c", *kinds);
        p->note.id[0] = *kinds;
        hub_ask(rooms, &question, kinds[1] ? NULL : p);
    }
}

static void unblock(struct rooms *rooms, struct pending *p)
{
    lift(rooms, p, (const char[]){NOTE_TOKEN, NOTE_ADDRESS, NOTE_BLOCK, 0});
}

static void unmute(struct rooms *rooms, struct pending *p)
{
    lift(rooms, p, (const char[]){NOTE_MUTE, 0});
}

/* ---- Notes ----------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    enum note_kind kind;
} kinds[] = {{"blocks", NOTE_BLOCK},
             {"addresses", NOTE_ADDRESS},
             {"mutes", NOTE_MUTE},
             {"reports", NOTE_REPORT}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static bool list_notes(struct rooms *rooms, const struct connection *c, json_t *message)
{
    struct store_question question = {.kind = STORE_NOTES};
    size_t i = 0;
    while (i < KINDS && strcmp(kinds[i].name, get_text(message, "kind")) != 0)
        i++;
    if (i == KINDS || strlen(get_text(message, "after")) > STORE_NOTE_BYTES - 2)
        return false;
    snprintf(question.note.id, sizeof question.note.id, "%c%s", kinds[i].kind,
             get_text(message, "after"));
    struct pending *p = pending_of(c, message);
    p->note.id[0] = (char)kinds[i].kind;
    hub_ask(rooms, &question, p);
    return true;
}

struct listed {
    const struct rooms *rooms;
    const struct pending *p;
    const struct store_answer *answer;
};

static void write_notes(struct es__writer *w, const void *context)
{
    const struct listed *listed = context;
    const struct store_answer *list = listed->answer;
    const char *after = "";
    es__write_object(w, NULL);
    es__write_array(w, "notes");
    for (size_t i = 0; i < list->notes; i++) {
        const struct store_note *note = &list->note[i];
        if (note->id[0] != listed->p->note.id[0])
            break;
        if (i + 1 == STORE_PAGE_NOTES_MAX)
            after = note->id + 1;
        if (note->until <= listed->rooms->now)
            continue;
        es__write_object(w, NULL);
        es__write_text(w, "id", note->id + 1);
        es__write_text(w, "guest", note->guest);
        es__write_int(w, "made", (int64_t)note->made);
        es__write_int(w, "until", (int64_t)note->until);
        es__write_str(w, "text", note->text);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_text(w, "after", after);
    es__write_end(w);
}

static void done(struct rooms *rooms, struct pending *p)
{
    struct store_question question = {.kind = STORE_UNNOTE};
    snprintf(question.note.id, sizeof question.note.id, "%c%s", NOTE_REPORT,
             get_text(p->message, "report"));
    p->note.id[0] = NOTE_REPORT;
    hub_ask(rooms, &question, p);
}

/* ---- Messages and answers -------------------------------------------------------------------- */

/* What is done to a guest, and which of them last for a time. */
static const struct {
    const char *type;
    void (*take)(struct rooms *rooms, struct pending *p);
    bool lasts;
} guest_acts[] = {{"block", block, true},
                  {"mute", mute, true},
                  {"unblock", unblock, false},
                  {"unmute", unmute, false}};
enum { GUEST_ACTS = sizeof guest_acts / sizeof guest_acts[0] };

/* Returns false if there is no such act, or its term is out of range. */
static bool act_on_guest(struct rooms *rooms, const struct connection *c, json_t *message)
{
    size_t i = 0;
    while (i < GUEST_ACTS && strcmp(guest_acts[i].type, get_text(message, "t")) != 0)
        i++;
    if (i == GUEST_ACTS)
        return false;
    struct pending *p = pending_of(c, message);
    if (guest_acts[i].lasts && !set_term(rooms, p)) {
        hub_pending_free(p);
        return false;
    }
    guest_acts[i].take(rooms, p);
    return true;
}

/* Notes what hub_http() writes to the log when the act has been done or refused. */
static void note_act(struct connection *c, json_t *message)
{
    char act[200];
    const char *type = get_text(message, "t");
    int size = snprintf(act, sizeof act, "act=%.10s",
                        strcmp(type, "notes") == 0 ? get_text(message, "kind") : type);
    static const char *const fields[] = {"room", "guest", "report"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (hub_id_good(get_str(message, fields[i])))
            size += snprintf(act + size, sizeof act - (size_t)size, " %s=%s", fields[i],
                             get_text(message, fields[i]));
    static const char *const numbers[] = {"n", "days"};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (json_object_get(message, numbers[i]))
            size += snprintf(act + size, sizeof act - (size_t)size, " %s=%ld", numbers[i],
                             get_int(message, numbers[i], 0));
    if (get_bool(message, "address", false))
        snprintf(act + size, sizeof act - (size_t)size, " address=yes");
    c->act = hub_copy(es_str(act));
}

void operator_message(struct rooms *rooms, struct connection *c, json_t *message)
{
    static const char *const of_room[] = {"people", "show", "close", "remove"};
    const char *type = get_text(message, "t");
    bool is_room = false, is_good = false;
    for (size_t i = 0; i < sizeof of_room / sizeof of_room[0]; i++)
        is_room |= strcmp(type, of_room[i]) == 0;
    if (strcmp(type, "rooms") != 0 &&
        (strcmp(type, "notes") != 0 || strcmp(get_text(message, "kind"), "reports") == 0))
        note_act(c, message);
    if (is_room && hub_id_good(get_str(message, "room"))) {
        ask_room(rooms, c, message);
        is_good = true;
    } else if (strcmp(type, "delete") == 0 && hub_id_good(get_str(message, "room"))) {
        ask_about(rooms, c, message, STORE_READ);
        is_good = true;
    } else if (strcmp(type, "rooms") == 0) {
        is_good = operator_rooms(rooms, c, message);
    } else if (strcmp(type, "notes") == 0) {
        is_good = list_notes(rooms, c, message);
    } else if (strcmp(type, "done") == 0 && hub_id_good(get_str(message, "report"))) {
        done(rooms, pending_of(c, message));
        is_good = true;
    } else if (hub_id_good(get_str(message, "guest"))) {
        is_good = act_on_guest(rooms, c, message);
    }
    if (!is_good)
        answer(rooms, c, 400, "{\"code\":\"FIELD_BAD\"}");
}

/* There is such a guest: mutes them. */
static void mute_known(struct rooms *rooms, const struct pending *p)
{
    struct pending *next = hub_alloc(sizeof *next);
    struct store_question question = {.kind = STORE_NOTE, .note = p->note};
    snprintf(question.note.id, sizeof question.note.id, "%c%s", NOTE_MUTE, p->guest.id);
    question.note.text = es_str("");
    next->connection = p->connection;
    next->why = WHY_OPERATOR;
    next->message = json_incref(p->message);
    next->guest = p->guest;
    next->note = question.note;
    hub_ask(rooms, &question, next);
}

void operator_answer(struct rooms *rooms, const struct pending *p,
                     const struct store_answer *stored)
{
    struct connection *c = hub_connection(rooms, p->connection);
    bool is_stored = stored->outcome == STORE_STORED;
    if (is_stored && p->kind == STORE_DEVICES && stored->found) {
        mute_known(rooms, p);
        return;
    }
    if (is_stored && p->note.id[0] == NOTE_MUTE && p->kind != STORE_NOTES)
        others_ask_guest(rooms, p->guest.id, 0); /* their connections have to know */
    if (is_stored && p->kind == STORE_DELETE)
        room_deleted(rooms, get_text(p->message, "room"));
    if (!c)
        return;
    if (!is_stored) {
        answer(rooms, c, 503, "{\"code\":\"BUSY\"}");
    } else if (p->kind == STORE_READ) {
        delete_senseless(rooms, c, p, stored);
    } else if (p->kind == STORE_NOTES) {
        struct listed listed = {rooms, p, stored};
        hub_http(rooms, c->id, 200, "application/json", say(rooms, write_notes, &listed), NULL);
    } else if (stored->found || p->unsure) { /* it was done the first time */
        answer(rooms, c, 200, "{}");
    } else {
        answer(rooms, c, 404,
               p->note.id[0] == NOTE_REPORT ? "{\"code\":\"NO_REPORT\"}"
               : p->kind == STORE_UNNOTE    ? "{\"code\":\"NOT_NOTED\"}"
               : p->kind == STORE_DELETE    ? "{\"code\":\"NO_ROOM\"}"
                                            : "{\"code\":\"NO_GUEST\"}");
    }
}
