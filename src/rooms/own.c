/* Everything that the server has about a guest, for them: GET /api/me.
 *
 *     {"t":"get","what":"me","after":ROOM}
 *
 * The answer comes in pages, so that it needs little memory however long somebody has played:
 * {"me":{…},"reports":[…],"rooms":[…],"after":ROOM}. `me` and `reports` are in the first page only.
 * As long as `after` is not empty, there may be more.
 *
 * Of a room there is nothing that others have done before its game is over, only the moves of the
 * guest's own seat. Then there is the record, if the guest has a seat. Who made or hosts the room
 * gets its settings and code, seated or not. The rooms are read from the store, one after the
 * other. */
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    PAGES_OF_GUEST = 60, /* in a minute */
    MINUTE_MS = 60000,
    PAGE_BYTES = 256 << 10, /* a page with more than this ends after the room */
};

/* A page while it is being made. */
struct own {
    char room[STORE_PAGE_MINE_MAX][STORE_ROOM_BYTES];
    size_t at, count;
    char *text; /* the answer so far */
    size_t size, capacity;
};

void own_free(struct own *own)
{
    if (own)
        free(own->text);
    free(own);
}

static void add(struct own *own, struct es_str text)
{
    own->text = hub_grow(own->text, &own->capacity, own->size + text.size + 1, 1);
    memcpy(own->text + own->size, text.at, text.size);
    own->size += text.size;
}

/* Asks the next question for the page, which `from` had until now. */
static void ask(struct rooms *rooms, struct pending *from, struct store_question *question)
{
    struct pending *p = hub_alloc(sizeof *p);
    p->connection = from->connection;
    p->why = WHY_OWN;
    p->guest = from->guest;
    p->message = json_incref(from->message);
    p->own = from->own;
    p->since = from->since;
    from->own = NULL;
    memcpy(question->guest.id, p->guest.id, sizeof question->guest.id);
    hub_ask(rooms, question, p);
}

/* ---- What is written ------------------------------------------------------------------------- */

static void write_guest(struct es__writer *w, const void *context)
{
    const struct store_answer *answer = context;
    const struct store_guest *guest = &answer->guest;
    es__write_object(w, NULL);
    es__write_text(w, "guest", guest->id);
    es__write_text(w, "name", guest->name);
    es__write_int(w, "colour", guest->colour);
    es__write_int(w, "seen", (int64_t)guest->seen);
    if (guest->muted)
        es__write_int(w, "muted", (int64_t)guest->muted);
    es__write_array(w, "devices");
    for (size_t i = 0; i < answer->devices; i++) {
        es__write_object(w, NULL);
        es__write_text(w, "device", answer->device[i].id);
        es__write_text(w, "label", answer->device[i].label);
        es__write_int(w, "made", (int64_t)answer->device[i].made);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_end(w);
}

static void write_reports(struct es__writer *w, const void *context)
{
    const struct store_answer *answer = context;
    es__write_array(w, NULL);
    for (size_t i = 0; i < answer->notes; i++) {
        if (answer->note[i].id[0] != NOTE_REPORT)
            continue;
        es__write_object(w, NULL);
        es__write_int(w, "made", (int64_t)answer->note[i].made);
        es__write_int(w, "until", (int64_t)answer->note[i].until);
        es__write_str(w, "text", answer->note[i].text);
        es__write_end(w);
    }
    es__write_end(w);
}

struct own_room {
    const char *id, *code, *guest;
    const struct body *body; /* NULL: the room cannot be read */
    struct es_str record;    /* empty: none */
};

/* The moves of a seat in a game that is not over: others' may still be hidden. */
static void write_moves(struct es__writer *w, const struct body *body, int seat)
{
    const struct es_record *record = &body->game->record;
    es__write_array(w, "moves");
    for (size_t i = 0; i < record->count; i++) {
        char text[ES_EVENT_BYTES];
        struct es_out out = {text, sizeof text, 0};
        if (ES_EVENT_WHO(record->events[i]) != seat)
            continue;
        record->setup.game->format(&record->setup, record->events[i], &out);
        es__write_str(w, NULL, (struct es_str){text, out.used});
    }
    es__write_end(w);
}

static void write_room(struct es__writer *w, const void *context)
{
    const struct own_room *room = context;
    const struct body *body = room->body;
    int seat = body ? body_seat(body, room->guest) : 0;
    bool host = body && strcmp(body->host, room->guest) == 0;
    es__write_object(w, NULL);
    es__write_text(w, "room", room->id);
    if (seat || host || (body && strcmp(body->maker, room->guest) == 0)) {
        es__write_text(w, "code", room->code);
        es__write_text(w, "game", body->setup.game->name);
        stream_write_settings(w, body);
        es__write_text(w, "setup", body->setup_text);
        es__write_bool(w, "host", host);
    }
    if (seat)
        es__write_int(w, "seat", seat);
    if (seat && body_running(body))
        write_moves(w, body, seat);
    es__write_array(w, "chat");
    for (size_t i = 0; body && i < body->chats; i++) {
        if (strcmp(body->chat[i].guest, room->guest) != 0 || !body->chat[i].text[0])
            continue;
        es__write_object(w, NULL);
        es__write_int(w, "time", (int64_t)body->chat[i].time);
        es__write_text(w, "text", body->chat[i].text);
        es__write_end(w);
    }
    es__write_end(w);
    if (room->record.size > 0)
        es__write_str(w, "record", room->record);
    es__write_end(w);
}

/* ---- Answers --------------------------------------------------------------------------------- */

static void take_guest(struct rooms *rooms, struct connection *c, struct pending *p,
                       const struct store_answer *answer)
{
    struct store_question question = {.kind = STORE_NOTES, .note.id = {NOTE_REPORT}};
    if (!answer->found) { /* deleted meanwhile */
        people_refuse(rooms, c, 403, "GUEST_NEEDED");
        return;
    }
    add(p->own, es_str("{\"me\":"));
    add(p->own, say(rooms, write_guest, answer));
    memcpy(question.note.guest, p->guest.id, sizeof question.note.guest);
    ask(rooms, p, &question);
}

static void take_reports(struct rooms *rooms, struct pending *p, const struct store_answer *answer)
{
    struct store_question question = {.kind = STORE_PAGE_MINE};
    add(p->own, es_str(",\"reports\":"));
    add(p->own, say(rooms, write_reports, answer));
    add(p->own, es_str(",\"rooms\":["));
    ask(rooms, p, &question);
}

/* Reads the next room, or ends the page. */
static void go_on(struct rooms *rooms, struct connection *c, struct pending *p)
{
    struct own *own = p->own;
    if (own->at < own->count && own->size < PAGE_BYTES) {
        struct store_question question = {.kind = STORE_READ, .first = 1};
        memcpy(question.head.room, own->room[own->at], sizeof question.head.room);
        memcpy(question.process, rooms->options.process, sizeof question.process);
        ask(rooms, p, &question);
        return;
    }
    bool more = own->at > 0 && (own->at < own->count || own->count == STORE_PAGE_MINE_MAX);
    add(own, es_str("],\"after\":\""));
    add(own, es_str(more ? own->room[own->at - 1] : ""));
    add(own, es_str("\"}"));
    hub_http(rooms, c->id, 200, "application/json", (struct es_str){own->text, own->size}, NULL);
}

static void take_room(struct rooms *rooms, struct pending *p, const struct store_answer *answer)
{
    struct own *own = p->own;
    struct body *body = record_body(rooms, answer);
    struct own_room room = {own->room[own->at], answer->head.code, p->guest.id, body, {NULL, 0}};
    char *record = NULL;
    size_t size = 0;
    int seat = body ? body_seat(body, p->guest.id) : 0;
    if (seat && body->phase >= PHASE_OVER && body->moved)
        record = stream_text(rooms, body, seat, &size);
    if (record)
        room.record = (struct es_str){record, size};
    if (answer->found) { /* it may have been deleted meanwhile */
        if (own->text[own->size - 1] != '[')
            add(own, es_str(","));
        add(own, say(rooms, write_room, &room));
    }
    own->at++;
    free(record);
    body_free(body);
}

void own_answer(struct rooms *rooms, struct pending *p, const struct store_answer *answer)
{
    struct connection *c = hub_connection(rooms, p->connection);
    if (!c)
        return;
    if (answer->outcome != STORE_STORED) {
        people_refuse(rooms, c, 503, "BUSY");
        return;
    }
    switch (p->kind) {
    case STORE_DEVICES:
        take_guest(rooms, c, p, answer);
        break;
    case STORE_NOTES:
        take_reports(rooms, p, answer);
        break;
    case STORE_PAGE_MINE:
        for (size_t i = 0; i < answer->rooms && i < STORE_PAGE_MINE_MAX; i++)
            memcpy(p->own->room[p->own->count++], answer->heads[i].room, STORE_ROOM_BYTES);
        go_on(rooms, c, p);
        break;
    default: /* STORE_READ */
        take_room(rooms, p, answer);
        go_on(rooms, c, p);
    }
}

void own_get(struct rooms *rooms, struct connection *c, json_t *message)
{
    struct es_str after = get_str(message, "after");
    struct store_question question = {.kind = after.size > 0 ? STORE_PAGE_MINE : STORE_DEVICES};
    if (!c->guest.id[0]) {
        people_refuse(rooms, c, 403, "GUEST_NEEDED");
    } else if (after.size > 0 && !hub_id_good(after)) {
        people_refuse(rooms, c, 400, "FIELD_BAD");
    } else if (!hub_allow(rooms, TALLY_OWN, hub_key(c->guest.id), PAGES_OF_GUEST, MINUTE_MS)) {
        hub_limited(rooms, ROOMS_LIMIT_pages_of_guest);
        people_refuse(rooms, c, 429, "TOO_MANY");
    } else {
        struct pending begin = {.connection = c->id, .guest = c->guest, .message = message};
        begin.own = hub_alloc(sizeof *begin.own);
        if (after.size > 0)
            add(begin.own, es_str("{\"rooms\":["));
        es_str_copy(after, question.head.room, sizeof question.head.room);
        ask(rooms, &begin, &question);
    }
}
