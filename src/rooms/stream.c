/* Sends each viewer what is new to them: the room, their stream, the record, the chat. Called only
 * when the room's whole state is durable. */
#include "rooms/internal.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The room -------------------------------------------------------------------------------- */

const char *stream_phase(const struct body *body)
{
    static const char *const phases[] = {"waiting", "words", "playing", "over", "closed"};
    return phases[body->phase];
}

void stream_write_settings(struct es__writer *w, const struct body *body)
{
    const struct settings *settings = &body->settings;
    es__write_text(w, "phase", stream_phase(body));
    es__write_bool(w, "open", settings->open);
    es__write_bool(w, "watch", settings->watch);
    es__write_bool(w, "hints", settings->hints);
    es__write_int(w, "clock", (int64_t)settings->clock);
    es__write_int(w, "patience", (int64_t)settings->patience);
}

static void write_hex(struct es__writer *w, const char *name, const uint8_t *bytes, size_t size)
{
    char text[65];
    struct es_out out = {text, sizeof text, 0};
    es_out_hex(&out, bytes, size);
    es__write_str(w, name, (struct es_str){text, out.used});
}

/* What stands for a guest in a room: always the same, whichever seat they have and whatever they
 * are called. It says nothing of their id, which only they know, nor who they are elsewhere. */
void stream_write_who(struct es__writer *w, const struct room *room, const char *guest)
{
    char who[STORE_ROOM_BYTES];
    uint8_t hash[ES_SHA256_BYTES];
    struct es_sha256 sha;
    es_sha256_init(&sha);
    es_sha256_update(&sha, room->id, strlen(room->id));
    es_sha256_update(&sha, guest, strlen(guest));
    es_sha256_final(&sha, hash);
    hub_id(hash, who, sizeof who - 1);
    es__write_text(w, "who", who);
}

struct presence {
    unsigned here; /* bit p: the person at seat p + 1 is connected */
    int watchers;
};

static struct presence presence_of(const struct room *room)
{
    struct presence presence = {0, 0};
    for (const struct connection *c = room->connections; c; c = c->after) {
        int seat = body_seat(room->body, c->guest.id);
        if (seat)
            presence.here |= 1U << (seat - 1);
        else
            presence.watchers++;
    }
    for (int p = 0; p < room->body->setup.players; p++)
        presence.here |= (unsigned)others_here(room, room->body->seat[p].guest) << p;
    presence.watchers += others_watchers(room);
    return presence;
}

static void write_seat(struct es__writer *w, const struct rooms *rooms, const struct room *room,
                       const struct seat *seat, bool here)
{
    static const char *const kinds[] = {"open", "person", "bot"};
    const struct body *body = room->body;
    es__write_object(w, NULL);
    es__write_text(w, "kind", kinds[seat->kind]);
    if (seat->kind == SEAT_BOT)
        es__write_text(w, "level", seat->level);
    if (seat->kind == SEAT_PERSON) {
        const struct person *person = body_person(body, seat->guest);
        es__write_text(w, "name", person ? person->name : "");
        es__write_int(w, "colour", person ? person->colour : 0);
        stream_write_who(w, room, seat->guest);
        es__write_bool(w, "here", here);
        es__write_bool(w, "host", strcmp(seat->guest, body->host) == 0);
        write_hex(w, "hash", seat->hash, sizeof seat->hash);
        if (body->moved) { /* not in a room that was closed before its game began */
            if (seat->has_word)
                write_hex(w, "word", seat->word, sizeof seat->word);
            else
                es__write_text(w, "word", "");
        }
        if (seat->level[0])
            es__write_text(w, "bot", seat->level);
        if (play_late(rooms, body, seat))
            es__write_bool(w, "late", true);
    }
    es__write_end(w);
}

static void write_room_for(struct es__writer *w, const struct rooms *rooms, const struct room *room,
                           const struct presence *presence, const char *guest, bool invited)
{
    const struct body *body = room->body;
    int seat = body_seat(body, guest);
    bool host = guest[0] && strcmp(guest, body->host) == 0;
    es__write_object(w, NULL);
    es__write_text(w, "t", "room");
    es__write_text(w, "room", room->id);
    if (seat || host || invited)
        es__write_text(w, "code", room->code);
    stream_write_settings(w, body);
    es__write_text(w, "setup", body->setup_text);
    write_hex(w, "commit", body->commit, sizeof body->commit);
    es__write_int(w, "seat", seat);
    es__write_bool(w, "host", host);
    es__write_array(w, "seats");
    for (int p = 0; p < body->setup.players; p++)
        write_seat(w, rooms, room, &body->seat[p], presence->here >> p & 1);
    es__write_end(w);
    es__write_int(w, "watchers", presence->watchers);
    es__write_text(w, "next", body->next);
    if (MUTATED(SHOW_NUMBER))
        es__write_int(w, "number", (int64_t)body->count);
    es__write_end(w);
}

void stream_write_room(struct es__writer *w, const struct rooms *rooms, const struct room *room,
                       const char *guest, bool invited)
{
    struct presence presence = presence_of(room);
    write_room_for(w, rooms, room, &presence, guest, invited);
}

struct telling {
    struct rooms *rooms;
    struct room *room;
    const struct connection *c;
    bool counted; /* `presence` is set; once, because it takes a walk through all connections */
    struct presence presence;
    int viewer;
    size_t from, seen;
    const struct chat *chat;
    size_t n;
};

static void write_room(struct es__writer *w, const void *context)
{
    const struct telling *t = context;
    write_room_for(w, t->rooms, t->room, &t->presence, t->c->guest.id, t->c->invited);
}

/* ---- Streams --------------------------------------------------------------------------------- */

size_t stream_update(struct rooms *rooms, struct body *body, int viewer)
{
    const struct es_record *record = &body->game->record;
    const struct es_setup *setup = &record->setup;
    struct stream *stream = &body->game->stream[viewer];
    rooms->scratch =
        hub_grow(rooms->scratch, &rooms->scratch_room, record->count + 1, sizeof *rooms->scratch);
    size_t seen = setup->game->observe(setup, &body->game->state, record->events, record->count,
                                       viewer, rooms->scratch);
    if (seen == stream->count && stream->hash[0])
        return seen;
    for (; stream->count < seen; stream->count++) {
        es_status status = setup->game->apply(setup, &stream->view, rooms->scratch[stream->count]);
        assert(status == ES_OK);
    }
    char *report = malloc(ES_REPORT_BYTES);
    if (!report)
        abort();
    struct es_out out = {report, ES_REPORT_BYTES, 0};
    setup->game->report(setup, &stream->view, &out);
    uint8_t hash[ES_SHA256_BYTES];
    hub_hash((struct es_str){report, out.used}, hash);
    free(report);
    struct es_out hex = {stream->hash, sizeof stream->hash, 0};
    es_out_hex(&hex, hash, 8);
    stream->hash[16] = 0;
    return seen;
}

static unsigned due_seats(const struct body *body)
{
    struct es_turn turn = body_turn(body);
    return body_running(body) && turn.kind == ES_TURN_PLAYERS ? turn.players : 0;
}

static void write_due(struct es__writer *w, const struct telling *t)
{
    const struct body *body = t->room->body;
    unsigned due = due_seats(body);
    es__write_text(w, "hash", body->game->stream[t->viewer].hash);
    es__write_set(w, "due", due);
    es__write_array(w, "left");
    for (int p = 0; p < body->setup.players; p++)
        if (due >> p & 1) {
            uint64_t end = play_deadline(t->rooms, body, &body->seat[p]), now = t->rooms->now;
            uint64_t left = end > now ? end - now : 0;
            uint64_t most = (uint64_t)body->settings.clock * 1000;
            /* More if the turn began by the clock of another process, which is ahead. */
            es__write_int(w, NULL, !end ? -1 : (int64_t)(left < most ? left : most));
        }
    es__write_end(w);
    if (MUTATED(LEAK_ENTRY))
        es__write_int(w, "entered", body->seat[0].decisions);
}

static void write_lines(struct es__writer *w, const void *context)
{
    const struct telling *t = context;
    const struct es_setup *setup = &t->room->body->setup;
    es__write_object(w, NULL);
    es__write_text(w, "t", "lines");
    es__write_int(w, "from", (int64_t)t->from);
    es__write_array(w, "lines");
    for (size_t i = t->from; i < t->seen; i++) {
        char text[ES_EVENT_BYTES];
        struct es_out out = {text, sizeof text, 0};
        setup->game->format(setup, t->rooms->scratch[i], &out);
        es__write_str(w, NULL, (struct es_str){text, out.used});
    }
    es__write_end(w);
    write_due(w, t);
    es__write_end(w);
}

/* Writes the whole record, or a viewer's view, to new memory, to be freed. */
static char *record_text(struct rooms *rooms, struct body *body, int viewer, bool whole,
                         size_t *used)
{
    body_names(body);
    if (whole)
        body_reveal(body);
    size_t size = es_record_bytes(&body->game->record);
    char *text = hub_alloc(size);
    struct es_out out = {text, size, 0};
    if (whole) {
        es_record_write(&body->game->record, &out);
    } else {
        rooms->scratch = hub_grow(rooms->scratch, &rooms->scratch_room,
                                  body->game->record.count + 1, sizeof *rooms->scratch);
        es_record_write_view(&body->game->record, &body->game->state, viewer, rooms->scratch, &out);
    }
    assert(es_out_ok(&out));
    *used = out.used;
    return text;
}

char *stream_text(struct rooms *rooms, struct body *body, int viewer, size_t *size)
{
    return record_text(rooms, body, viewer, body->phase >= PHASE_OVER, size);
}

static void write_view(struct es__writer *w, const void *context)
{
    const struct telling *t = context;
    size_t size;
    char *text = record_text(t->rooms, t->room->body, t->viewer, false, &size);
    es__write_object(w, NULL);
    es__write_text(w, "t", "view");
    es__write_str(w, "text", (struct es_str){text, size});
    write_due(w, t);
    es__write_end(w);
    free(text);
}

static void write_record(struct es__writer *w, const void *context)
{
    const struct telling *t = context;
    size_t size;
    char *text = record_text(t->rooms, t->room->body, 0, true, &size);
    es__write_object(w, NULL);
    es__write_text(w, "t", "record");
    es__write_str(w, "text", (struct es_str){text, size});
    es__write_end(w);
    free(text);
}

static void write_chat(struct es__writer *w, const void *context)
{
    const struct telling *t = context;
    const struct person *person = body_person(t->room->body, t->chat->guest);
    es__write_object(w, NULL);
    es__write_text(w, "t", "chat");
    es__write_int(w, "n", MUTATED(CHAT_NUMBER) ? (int64_t)t->room->body->count : (int64_t)t->n);
    es__write_text(w, "name", person ? person->name : "");
    es__write_int(w, "colour", person ? person->colour : 0);
    es__write_int(w, "seat", t->chat->seat);
    stream_write_who(w, t->room, t->chat->guest);
    es__write_text(w, "text", t->chat->text);
    bool is_past = t->chat->time < t->rooms->now; /* another process's clock may be ahead */
    es__write_int(w, "ago", is_past ? (int64_t)(t->rooms->now - t->chat->time) : 0);
    es__write_end(w);
}

static void write_unsaid(struct es__writer *w, const void *context)
{
    const struct telling *t = context;
    es__write_object(w, NULL);
    es__write_text(w, "t", "unsaid");
    es__write_int(w, "n", (int64_t)t->n);
    es__write_end(w);
}

/* ---- Telling --------------------------------------------------------------------------------- */

/* Sends one text to a connection and to others (64 in all) of the same viewer that have been sent
 * as much so far. */
static void send_lines(struct telling *t, struct connection *first, unsigned due, uint64_t ends)
{
    uint64_t to[64], ended = first->ends;
    size_t count = 0, from = first->told;
    unsigned before = first->due;
    struct es_str text = say(t->rooms, write_lines, t);
    for (struct connection *c = first; c; c = c->after) {
        if (c != first && (body_seat(t->room->body, c->guest.id) != t->viewer || c->told != from ||
                           c->due != before || c->ends != ended || !c->welcomed || c->again))
            continue;
        c->told = t->seen;
        c->due = due;
        c->ends = ends;
        to[count++] = c->id;
        if (count == sizeof to / sizeof to[0] || !c->after)
            break;
    }
    t->rooms->options.out(t->rooms->options.context, &(struct rooms_output){.kind = ROOMS_SEND,
                                                                            .connection = to,
                                                                            .connections = count,
                                                                            .text = text});
}

static void tell_stream(struct telling *t, struct connection *c)
{
    struct body *body = t->room->body;
    unsigned due = due_seats(body);
    uint64_t ends = 0; /* changes when a seat is given to a bot or taken back */
    for (int p = 0; p < body->setup.players; p++)
        ends += due >> p & 1 ? play_deadline(t->rooms, body, &body->seat[p]) : 0;
    t->viewer = body_seat(body, c->guest.id);
    t->seen = stream_update(t->rooms, body, t->viewer);
    if (c->again || (c->told == TOLD_NOTHING && c->have > t->seen)) {
        hub_send(t->rooms, c->id, say(t->rooms, write_view, t));
        c->again = false;
        c->told = t->seen;
        c->due = due;
        c->ends = ends;
    } else if (c->told == TOLD_NOTHING || c->told < t->seen || c->due != due || c->ends != ends ||
               MUTATED(LEAK_TIMING)) {
        if (c->told == TOLD_NOTHING)
            c->told = c->have;
        t->from = c->told;
        send_lines(t, c, due, ends);
    }
}

static void tell_chat(struct telling *t, struct connection *c)
{
    const struct body *body = t->room->body;
    /* All of them: a page that comes back after a break may still show any. */
    for (; c->unsaids < body->unsaids; c->unsaids++) {
        t->n = body->unsaid[c->unsaids] + 1;
        hub_send(t->rooms, c->id, say(t->rooms, write_unsaid, t));
    }
    if (c->chats == 0 && body->chats > CHATS_TOLD)
        c->chats = body->chats - CHATS_TOLD;
    for (; c->chats < body->chats; c->chats++) {
        t->chat = &body->chat[c->chats];
        t->n = c->chats + 1;
        if (t->chat->text[0])
            hub_send(t->rooms, c->id, say(t->rooms, write_chat, t));
    }
}

/* Sends `room` if it differs from the latest one. When the list is read again because a batch was
 * refused or unknown, the same message once more would show that somebody has entered something. */
static void tell_room(struct telling *t, struct connection *c)
{
    if (c->revision == t->room->revision)
        return;
    c->revision = t->room->revision;
    if (!t->counted)
        t->presence = presence_of(t->room);
    t->counted = true;
    struct es_str text = say(t->rooms, write_room, t);
    uint8_t hash[ES_SHA256_BYTES];
    hub_hash(text, hash);
    if (memcmp(hash, c->room_hash, sizeof c->room_hash) == 0)
        return;
    memcpy(c->room_hash, hash, sizeof c->room_hash);
    hub_send(t->rooms, c->id, text);
}

void stream_tell(struct rooms *rooms, struct room *room)
{
    const struct body *body = room->body;
    struct telling t = {.rooms = rooms, .room = room};
    for (struct connection *c = room->connections, *next; c; c = next) {
        next = c->after;
        t.c = c;
        if (!room_may_stay(room, c)) {
            hub_send(rooms, c->id, es_str("{\"t\":\"no\",\"code\":\"NO_ROOM\"}"));
            hub_close(rooms, c, 4000);
            continue;
        }
        if (!c->welcomed)
            hub_send(rooms, c->id, people_welcome(rooms, c));
        c->welcomed = true;
        tell_room(&t, c);
    }
    for (struct connection *c = room->connections; c; c = c->after) {
        t.c = c;
        if (body->moved)
            tell_stream(&t, c);
        if (body->moved && body->phase >= PHASE_OVER && !c->told_record) {
            c->told_record = true;
            hub_send(rooms, c->id, say(rooms, write_record, &t));
        }
        tell_chat(&t, c);
    }
}
