/* What people do in a room: each message becomes entries, an answer, or a refusal. */
#include "rooms/internal.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHAT_CHARS = 300,
    CHAT_BYTES = 256 << 10, /* in a room, and of that … */
    CHAT_MORE = 128,        /* … for each message beside its text */
    KEYS_MAX = 500, /* of a guest in a room, for messages that could be repeated without end … */
    ACTS_OF_ROOM = 20, /* … and in an hour of an address, for each room that it may make; no chat */
    HOUR_MS = 3600000,
    REACTIONS_MS = 10000,
    REACTIONS_OF_GUEST = 10,    /* in that time … */
    REACTIONS_OF_WATCHERS = 20, /* … and of all together who have no seat in a room */
};

/* A message that is being handled. */
struct act {
    struct rooms *rooms;
    struct room *room;
    struct body *body;
    struct item *item;
    json_t *message;
    const char *key; /* NULL: none */
    int seat;        /* the guest's; 0: none */
    bool host;
};

static void refuse(struct act *act, const char *code)
{
    room_refuse(act->rooms, act->room, act->item, code);
}

static void accept(struct act *act)
{
    room_reply(act->rooms, act->room, act->item->connection,
               say_ok(act->rooms, act->message, NULL, es_str(""), 0));
}

static void accept_with(struct act *act, const char *name, long number)
{
    room_reply(act->rooms, act->room, act->item->connection,
               say_ok(act->rooms, act->message, name, (struct es_str){NULL, 0}, number));
}

static void append(struct act *act, enum entry_kind kind, int seat, struct es_str text)
{
    room_append(act->rooms, act->room, kind, seat, -1, act->item->guest.id,
                act->key ? act->key : "", text);
    act->key = NULL; /* only the first entry has it */
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* Returns the entry that this guest made before with the same key, if it has the same kind, seat
 * (-1: any) and text. If the key was used for something else, refuses the message, sets *used and
 * returns NULL. Returns NULL if the key is new. */
static const struct used_key *done_before(struct act *act, enum entry_kind kind, int seat,
                                          struct es_str text, bool *used)
{
    const struct used_key *key = body_key(act->body, act->item->guest.id, act->key);
    *used = false;
    if (!key)
        return NULL;
    uint8_t hash[ES_SHA256_BYTES];
    hub_hash(text, hash);
    if (key->kind == kind && (seat < 0 || key->seat == seat) && memcmp(key->text, hash, 8) == 0)
        return key;
    *used = true;
    refuse(act, "KEY_USED");
    return NULL;
}

/* Answers a message whose key was used before. Returns true if it did. */
static bool repeated(struct act *act, enum entry_kind kind, int seat, struct es_str text)
{
    bool used;
    if (done_before(act, kind, seat, text, &used)) {
        accept(act);
        return true;
    }
    return used;
}

static void refuse_limit(struct act *act, enum rooms_limit limit)
{
    hub_limited(act->rooms, limit);
    refuse(act, "TOO_MANY");
}

/* Refuses, and returns true, if the room can know nobody more by name. Whoever sits or writes has
 * to be known: else they would have no name, and nobody would find them when they are forgotten. */
static bool too_many_people(struct act *act)
{
    if (act->body->people < PEOPLE_MAX || body_person(act->body, act->item->guest.id))
        return false;
    /* Who comes and goes must neither keep others out nor make the list grow without end. */
    if (act->body->keys < (size_t)PEOPLE_MAX * KEYS_MAX && body_forget_idle(act->body))
        return false;
    refuse_limit(act, ROOMS_LIMIT_people_of_room);
    return true;
}

/* ---- Before the start ------------------------------------------------------------------------ */

/* Returns true if a guest can be at no more open tables. Each costs something when they take
 * another name or delete themself. */
static bool at_many_tables(const struct act *act)
{
    struct rooms *rooms = act->rooms;
    return lobby_tables(rooms, act->item->guest.id) >= rooms->limits.tables_of_guest;
}

static void sit(struct act *act)
{
    struct body *body = act->body;
    struct es_str hash = get_str(act->message, "hash");
    long wish = get_int(act->message, "seat", 0);
    uint8_t bytes[ES_FAIR_BYTES];
    int players = body->setup.players;
    bool used;
    if (!es_str_hex(hash, bytes, sizeof bytes) || wish < 0 || wish > ES_PLAYERS_MAX) {
        refuse(act, "FIELD_BAD");
        return;
    }
    const struct used_key *before = done_before(act, ENTRY_SAT, wish ? (int)wish : -1, hash, &used);
    if (before)
        accept_with(act, "seat", before->seat);
    if (before || used)
        return;
    if (body->phase != PHASE_WAITING) {
        refuse(act, "STARTED");
        return;
    }
    if (act->seat) {
        refuse(act, "SEATED");
        return;
    }
    int seat = (int)wish;
    for (int p = 0; p < players && !seat; p++)
        if (body->seat[p].kind == SEAT_OPEN)
            seat = p + 1;
    if (body_removed(body, act->item->guest.id)) {
        refuse(act, "REMOVED");
        return;
    }
    if (seat < 1 || seat > players || body->seat[seat - 1].kind != SEAT_OPEN) {
        refuse(act, "SEAT_TAKEN");
        return;
    }
    if (body->settings.open && !act->host && at_many_tables(act)) {
        refuse_limit(act, ROOMS_LIMIT_tables_of_guest);
        return;
    }
    if (too_many_people(act))
        return;
    append(act, ENTRY_SAT, seat, hash);
    accept_with(act, "seat", seat);
}

/* After somebody has left the table: if that was the host, makes the person host who has been
 * seated longest. */
static void replace_host(struct act *act, const char *gone)
{
    struct body *body = act->body;
    const struct seat *best = NULL;
    if (strcmp(body->host, gone) != 0)
        return;
    for (int p = 0; p < body->setup.players; p++)
        if (body->seat[p].kind == SEAT_PERSON && (!best || body->seat[p].sat < best->sat))
            best = &body->seat[p];
    if (best) {
        char guest[STORE_GUEST_BYTES];
        memcpy(guest, best->guest, sizeof guest);
        append(act, ENTRY_HOST, 0, es_str(guest));
        act->room->host_away = 0;
        room_presence(act->rooms, act->room);
    }
}

static void leave(struct act *act)
{
    if (repeated(act, ENTRY_LEFT, -1, es_str("")))
        return;
    if (act->body->phase != PHASE_WAITING) {
        refuse(act, "STARTED");
        return;
    }
    if (!act->seat) {
        refuse(act, "NOT_SEATED");
        return;
    }
    append(act, ENTRY_LEFT, act->seat, es_str(""));
    replace_host(act, act->item->guest.id);
    accept(act);
}

static bool level_good(const struct body *body, struct es_str level)
{
    return settings_level(body->setup.game, level);
}

/* Refuses a message that is not from the host. Returns true if it did. */
static bool not_host(struct act *act)
{
    if (!act->host)
        refuse(act, "NOT_HOST");
    return !act->host;
}

static void arrange(struct act *act)
{
    struct body *body = act->body;
    struct es_str level = get_str(act->message, "bot");
    long seat = get_int(act->message, "seat", 0);
    if (seat < 1 || seat > ES_PLAYERS_MAX || (level.size > 0 && !level_good(body, level))) {
        refuse(act, "FIELD_BAD");
        return;
    }
    if (repeated(act, ENTRY_SEAT, (int)seat, level) || not_host(act))
        return;
    const struct seat *now = &body->seat[seat - 1];
    if (body->phase != PHASE_WAITING) {
        refuse(act, "STARTED");
    } else if (seat > body->setup.players) {
        refuse(act, "FIELD_BAD");
    } else if (level.size > 0 && now->kind == SEAT_PERSON) {
        refuse(act, "SEAT_TAKEN");
    } else {
        append(act, ENTRY_SEAT, (int)seat, level);
        accept(act);
    }
}

/* Removes a person from a seat for good. */
static void remove_person(struct act *act)
{
    struct body *body = act->body;
    long wish = get_int(act->message, "seat", 0);
    const struct used_key *before = body_key(body, act->item->guest.id, act->key);
    if (before && before->kind == ENTRY_REMOVED && before->seat == wish) {
        accept(act);
        return;
    }
    if (before) {
        refuse(act, "KEY_USED");
        return;
    }
    if (not_host(act))
        return;
    if (body->phase != PHASE_WAITING) {
        refuse(act, "STARTED");
    } else if (wish < 1 || wish > body->setup.players || wish == act->seat) {
        refuse(act, "FIELD_BAD");
    } else if (body->seat[wish - 1].kind != SEAT_PERSON) {
        refuse(act, "NOT_SEATED");
    } else {
        char guest[STORE_GUEST_BYTES];
        memcpy(guest, body->seat[wish - 1].guest, sizeof guest);
        append(act, ENTRY_REMOVED, (int)wish, es_str(guest));
        accept(act);
    }
}

static void start(struct act *act)
{
    const struct body *body = act->body;
    const struct es_setup *setup = &body->setup;
    if (repeated(act, ENTRY_START, -1, es_str("")) || not_host(act))
        return;
    if (body->phase != PHASE_WAITING) {
        refuse(act, "STARTED");
        return;
    }
    int taken = 0, people = 0;
    for (int p = 0; p < setup->players; p++) {
        taken += body->seat[p].kind != SEAT_OPEN;
        people += body->seat[p].kind == SEAT_PERSON;
    }
    struct es_setup trial = *setup;
    trial.players = (uint8_t)taken;
    if (people == 0 || taken < setup->game->players_min || es_setup_prepare(&trial)) {
        refuse(act, "TOO_FEW");
        return;
    }
    append(act, ENTRY_START, 0, es_str(""));
    accept(act);
}

/* Returns true if another person plays: has a seat for which no bot plays. */
static bool anybody_else(const struct act *act)
{
    const struct body *body = act->body;
    for (int p = 0; p < body->setup.players; p++)
        if (body->seat[p].kind == SEAT_PERSON && p + 1 != act->seat && !body->seat[p].level[0])
            return true;
    return false;
}

static void close_room(struct act *act)
{
    if (repeated(act, ENTRY_CLOSED, -1, es_str("host")) || not_host(act))
        return;
    if (act->body->phase >= PHASE_OVER) {
        refuse(act, "OVER");
    } else if (act->body->phase != PHASE_WAITING && anybody_else(act)) {
        refuse(act, "STARTED");
    } else {
        append(act, ENTRY_CLOSED, 0, es_str("host"));
        accept(act);
    }
}

static void word(struct act *act)
{
    struct es_str text = get_str(act->message, "word");
    uint8_t bytes[ES_FAIR_BYTES], hash[ES_FAIR_BYTES];
    const struct seat *seat = act->seat ? &act->body->seat[act->seat - 1] : NULL;
    if (!es_str_hex(text, bytes, sizeof bytes)) {
        refuse(act, "FIELD_BAD");
        return;
    }
    es_fair_hash(bytes, hash);
    if (!seat) {
        refuse(act, "NOT_SEATED");
    } else if (memcmp(hash, seat->hash, sizeof hash) != 0) {
        refuse(act, "WORD_WRONG");
    } else if (seat->has_word) {
        accept(act);
    } else if (act->body->phase != PHASE_WORDS) {
        refuse(act, act->body->phase < PHASE_WORDS ? "NOT_STARTED" : "WORD_LATE");
    } else {
        append(act, ENTRY_WORD, act->seat, text);
        accept(act);
    }
}

/* ---- Playing --------------------------------------------------------------------------------- */

/* Finds the event that answered a seat's decision; false if there is none yet. */
static bool event_of(const struct body *body, int seat, long decision, es_event *event)
{
    for (size_t i = 0; body->game && i < body->game->record.count; i++)
        if (ES_EVENT_WHO(body->game->record.events[i]) == seat && decision-- == 0) {
            *event = body->game->record.events[i];
            return true;
        }
    return false;
}

struct made {
    const struct act *act;
    es_event event;
    long decision;
};

static void write_made(struct es__writer *w, const void *context)
{
    const struct made *made = context;
    const struct es_setup *setup = &made->act->body->setup;
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    setup->game->format(setup, made->event, &out);
    json_t *id = json_object_get(made->act->message, "id");
    es__write_object(w, NULL);
    es__write_text(w, "t", "no");
    if (json_is_integer(id))
        es__write_int(w, "id", json_integer_value(id));
    es__write_text(w, "code", "DECISION_MADE");
    es__write_int(w, "decision", made->decision);
    es__write_str(w, "event", (struct es_str){text, out.used});
    es__write_end(w);
}

static void confirm_move(struct act *act, long decision)
{
    act->item->moved = true;
    accept_with(act, "decision", decision);
}

static void move(struct act *act)
{
    struct body *body = act->body;
    const struct es_setup *setup = &body->setup;
    struct es_str text = get_str(act->message, "event");
    long decision = get_int(act->message, "decision", -1);
    es_event event, before;
    act->item->moved = false;
    if (!act->seat) {
        refuse(act, "NOT_SEATED");
        return;
    }
    if (body->phase < PHASE_PLAYING) {
        refuse(act, "NOT_STARTED");
        return;
    }
    struct seat *seat = &body->seat[act->seat - 1];
    if (MUTATED(NO_DECISION))
        decision = seat->decisions;
    es_status status = setup->game->parse(setup, text, &event);
    if (status || decision < 0) {
        refuse(act, status ? es_status_code(status) : "FIELD_BAD");
        return;
    }
    if (ES_EVENT_WHO(event) != act->seat) {
        refuse(act, "NOT_TO_ACT");
        return;
    }
    if (event_of(body, act->seat, decision, &before)) {
        if (before == event) {
            confirm_move(act, decision);
        } else {
            struct made made = {act, before, decision};
            room_reply(act->rooms, act->room, act->item->connection,
                       say(act->rooms, write_made, &made));
        }
        return;
    }
    if (!body_running(body)) {
        refuse(act, "OVER");
        return;
    }
    if (decision != seat->decisions || !seat->due) {
        refuse(act, "DECISION_EARLY");
        return;
    }
    if (seat->level[0]) {
        refuse(act, "GIVEN");
        return;
    }
    struct es_state state = body->game->state;
    status = setup->game->apply(setup, &state, event);
    if (status) {
        refuse(act, es_status_code(status));
        return;
    }
    char line[ES_EVENT_BYTES];
    struct es_out out = {line, sizeof line, 0};
    setup->game->format(setup, event, &out);
    room_append(act->rooms, act->room, ENTRY_MOVE, act->seat, (int)decision, act->item->guest.id,
                "", (struct es_str){line, out.used});
    confirm_move(act, decision);
}

static void give(struct act *act)
{
    struct body *body = act->body;
    struct es_str level = get_str(act->message, "bot");
    if (!level_good(body, level)) {
        refuse(act, "FIELD_BAD");
    } else if (repeated(act, ENTRY_GIVEN, act->seat, level)) {
        return;
    } else if (!act->seat) {
        refuse(act, "NOT_SEATED");
    } else if (body->phase != PHASE_WORDS && body->phase != PHASE_PLAYING) {
        refuse(act, body->phase < PHASE_WORDS ? "NOT_STARTED" : "OVER");
    } else if (body->seat[act->seat - 1].level[0]) {
        refuse(act, "GIVEN");
    } else {
        append(act, ENTRY_GIVEN, act->seat, level);
        accept(act);
    }
}

static void take(struct act *act)
{
    if (repeated(act, ENTRY_TAKEN, act->seat, es_str("")))
        return;
    if (!act->seat) {
        refuse(act, "NOT_SEATED");
    } else if (act->body->phase >= PHASE_OVER) {
        refuse(act, "OVER");
    } else if (!act->body->seat[act->seat - 1].level[0]) {
        refuse(act, "NOT_GIVEN");
    } else {
        append(act, ENTRY_TAKEN, act->seat, es_str(""));
        accept(act);
    }
}

static void replace(struct act *act)
{
    struct body *body = act->body;
    struct es_str level = get_str(act->message, "bot");
    long seat = get_int(act->message, "seat", 0);
    if (seat < 1 || seat > body->setup.players || seat == act->seat || !level_good(body, level)) {
        refuse(act, "FIELD_BAD");
        return;
    }
    if (repeated(act, ENTRY_GIVEN, (int)seat, level))
        return;
    if (!act->seat) {
        refuse(act, "NOT_SEATED");
    } else if (!play_late(act->rooms, body, &body->seat[seat - 1])) {
        refuse(act, "NOT_LATE");
    } else {
        append(act, ENTRY_GIVEN, (int)seat, level);
        accept(act);
    }
}

/* Returns true if a client says with `again` that its view has another hash than ours of the same
 * events, for the first time. It has to be that of somebody who plays: any stranger can watch a
 * game and invent a hash. */
static bool hash_differs(const struct act *act, const struct connection *c)
{
    const struct es_str hash = get_str(act->message, "hash");
    const struct stream *stream = act->body->game ? &act->body->game->stream[act->seat] : NULL;
    long have = get_int(act->message, "have", -1);
    return act->seat > 0 && !c->differed && hash.size > 0 && stream && stream->hash[0] &&
           have >= 0 && c->told == (size_t)have && stream->count == (size_t)have &&
           !es_str_is(hash, stream->hash);
}

static void again(struct act *act)
{
    struct connection *c = hub_connection(act->rooms, act->item->connection);
    if (c && hash_differs(act, c)) {
        c->differed = true;
        act->rooms->counts.hash_differs +=
            hub_allow(act->rooms, TALLY_DIFFERS, c->network, 1, HOUR_MS);
    }
    if (c && act->body->moved)
        c->again = true;
    accept(act);
}

/* ---- Talking --------------------------------------------------------------------------------- */

/* Refuses a message to others from somebody who may not write to them. Returns true if it did. */
static bool silenced(struct act *act)
{
    bool removed = body_removed(act->body, act->item->guest.id);
    bool muted = act->item->guest.muted > act->rooms->now;
    if (removed || muted)
        refuse(act, removed ? "REMOVED" : "MUTED");
    return removed || muted;
}

static size_t bytes_of_chat(const struct body *body)
{
    size_t size = body->chats * CHAT_MORE;
    for (size_t i = 0; i < body->chats; i++)
        size += strlen(body->chat[i].text);
    return size;
}

/* Refuses, and returns true, if too much was sent from an address or a network. */
static bool too_much_text(struct act *act, size_t size)
{
    struct item *item = act->item;
    /* Counted: it is taken a second time, because the batch was. */
    if (!item->counted)
        item->counted = hub_allow_text(act->rooms, item->address, item->network, size);
    if (!item->counted)
        refuse(act, "TOO_MANY");
    return !item->counted;
}

static void chat(struct act *act)
{
    struct es_str text = get_str(act->message, "text");
    if (act->body->settings.open) {
        refuse(act, "NO_CHAT");
    } else if (!text_good(text, CHAT_CHARS)) {
        refuse(act, "TEXT_BAD");
    } else if (repeated(act, ENTRY_CHAT, -1, text) || silenced(act)) {
        return;
    } else if (bytes_of_chat(act->body) + text.size + CHAT_MORE > CHAT_BYTES) {
        refuse_limit(act, ROOMS_LIMIT_chat_of_room);
    } else if (!too_many_people(act) && !too_much_text(act, text.size)) {
        append(act, ENTRY_CHAT, act->seat, text);
        accept(act);
    }
}

struct told_reaction {
    const struct room *room;
    int seat;
    const struct store_guest *guest;
    const char *what;
};

static void write_reaction(struct es__writer *w, const void *context)
{
    const struct told_reaction *reaction = context;
    es__write_object(w, NULL);
    es__write_text(w, "t", "react");
    es__write_int(w, "seat", reaction->seat);
    es__write_text(w, "name", reaction->guest->name);
    stream_write_who(w, reaction->room, reaction->guest->id);
    es__write_text(w, "what", reaction->what);
    es__write_end(w);
}

const char *table_reaction(struct es_str name)
{
    static const char *const known[] = {"hello", "clap",  "laugh",  "think",
                                        "wow",   "sorry", "thanks", "hurry"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (es_str_is(name, known[i]))
            return known[i];
    return NULL;
}

void table_react(struct rooms *rooms, struct room *room, int seat, const char *what,
                 const struct store_guest *guest, bool now)
{
    struct told_reaction reaction = {room, seat, guest, what};
    struct es_str text = say(rooms, write_reaction, &reaction);
    for (const struct connection *c = room->connections; c; c = c->after)
        if (c->welcomed && now)
            hub_send(rooms, c->id, text);
        else if (c->welcomed)
            room_reply(rooms, room, c->id, text);
}

/* Refuses, and returns true, if there were too many lately. Who sits is not kept from it by those
 * who watch. */
static bool too_many_reactions(struct act *act)
{
    struct rooms *rooms = act->rooms;
    if (act->item->counted) /* it is taken a second time, because the batch was */
        return false;
    if (!hub_allow(rooms, TALLY_REACTIONS_GUEST, hub_key(act->item->guest.id), REACTIONS_OF_GUEST,
                   REACTIONS_MS)) {
        refuse_limit(act, ROOMS_LIMIT_reactions_of_guest);
        return true;
    }
    if (!act->seat && !hub_allow(rooms, TALLY_REACTIONS_ROOM, hub_key(act->room->id),
                                 REACTIONS_OF_WATCHERS, REACTIONS_MS)) {
        refuse_limit(act, ROOMS_LIMIT_reactions_of_room);
        return true;
    }
    act->item->counted = true;
    return false;
}

static void react(struct act *act)
{
    const struct store_guest *guest = &act->item->guest;
    const char *what = table_reaction(get_str(act->message, "what"));
    if (!what) {
        refuse(act, "FIELD_BAD");
        return;
    }
    if (silenced(act) || too_many_reactions(act))
        return;
    table_react(act->rooms, act->room, act->seat, what, guest, false);
    others_reacted(act->rooms, act->room, act->seat, what, guest->id);
    accept(act);
}

struct reported {
    const struct act *act;
    const char *guest;
    const struct chat *chat; /* NULL: the name */
};

/* What the operator reads of a report. */
static void write_report(struct es__writer *w, const void *context)
{
    const struct reported *reported = context;
    const struct person *person = body_person(reported->act->body, reported->guest);
    es__write_object(w, NULL);
    es__write_text(w, "room", reported->act->room->id);
    es__write_text(w, "guest", reported->guest);
    es__write_text(w, "name", person ? person->name : "");
    if (reported->chat) {
        es__write_int(w, "n", (int64_t)(reported->chat - reported->act->body->chat) + 1);
        es__write_text(w, "text", reported->chat->text);
    }
    es__write_end(w);
}

/* Reports a message of chat (`n`) or the name of a person (`seat`) to the operator. */
static void report(struct act *act)
{
    const struct body *body = act->body;
    long n = get_int(act->message, "n", 0), seat = get_int(act->message, "seat", 0);
    struct reported reported = {.act = act, .guest = ""};
    if (act->item->handed_on) /* it is taken a second time, because the batch was */
        return;
    if (n >= 1 && (size_t)n <= body->chats && body->chat[n - 1].text[0]) {
        reported.chat = &body->chat[n - 1];
        reported.guest = reported.chat->guest;
    } else if (n == 0 && seat >= 1 && seat <= body->setup.players) {
        reported.guest = body->seat[seat - 1].guest;
    }
    if (!reported.guest[0] || strcmp(reported.guest, act->item->guest.id) == 0) {
        refuse(act, "FIELD_BAD");
        return;
    }
    act->item->handed_on = true;
    notes_report(act->rooms, act->item, say(act->rooms, write_report, &reported));
}

static void rematch(struct act *act)
{
    const struct used_key *before = body_key(act->body, act->item->guest.id, act->key);
    if (before && before->kind != ENTRY_NEXT) {
        refuse(act, "KEY_USED");
    } else if (act->body->phase != PHASE_OVER && !act->body->next[0]) {
        refuse(act, "NOT_OVER"); /* also if it was closed: games end by being played */
    } else if (!act->seat) {
        refuse(act, "NOT_SEATED");
    } else if (act->body->next[0]) {
        room_reply(act->rooms, act->room, act->item->connection,
                   say_ok(act->rooms, act->message, "room", es_str(act->body->next), 0));
    } else {
        make_rematch(act->room, act->item);
    }
}

/* ---- Items ----------------------------------------------------------------------------------- */

/* The messages, whether they need a key, and whether they count towards the limit of a guest's
 * entries in a room. (`leave` and `take` do not: they only undo what is counted.) */
static const struct {
    const char *type;
    bool key, endless;
    void (*take)(struct act *act);
} messages[] = {
    {"sit", true, true, sit},
    {"leave", true, false, leave},
    {"seat", true, true, arrange},
    {"start", true, false, start},
    {"close", true, false, close_room},
    {"word", false, false, word},
    {"move", false, false, move},
    {"give", true, true, give},
    {"take", true, false, take},
    {"replace", true, true, replace},
    {"rematch", true, false, rematch},
    {"chat", true, true, chat},
    {"react", false, false, react},
    {"again", false, false, again},
    {"remove", true, true, remove_person},
    {"report", false, false, report},
};

/* Returns true if a guest has used KEYS_MAX keys in the room, and this message has a new one: its
 * list must not grow without end. */
static bool done_too_much(const struct act *act)
{
    const char *guest = act->item->guest.id;
    size_t count = 0;
    for (size_t i = 0; i < act->body->keys; i++)
        count += strcmp(act->body->key[i].guest, guest) == 0;
    return count >= KEYS_MAX && !body_key(act->body, guest, act->key);
}

/* Refuses, and returns true, if so much was done from an address or a network in the last hour.
 * (Chat is counted by its size.) */
static bool too_many_acts(struct act *act)
{
    struct rooms *rooms = act->rooms;
    struct item *item = act->item;
    uint32_t most = ACTS_OF_ROOM * rooms->limits.rooms_of_address;
    if (item->counted || body_key(act->body, item->guest.id, act->key))
        return false;
    if (!hub_allow(rooms, TALLY_ACTS_ADDRESS, item->address, most, HOUR_MS)) {
        refuse_limit(act, ROOMS_LIMIT_acts_of_address);
        return true;
    }
    if (!hub_allow(rooms, TALLY_ACTS_NETWORK, item->network, most * rooms->limits.of_network,
                   HOUR_MS)) {
        refuse_limit(act, ROOMS_LIMIT_acts_of_network);
        return true;
    }
    item->counted = true;
    return false;
}

static void take_message(struct act *act)
{
    const char *type = get_text(act->message, "t");
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        if (strcmp(messages[i].type, type) != 0)
            continue;
        act->key = messages[i].key ? get_key(act->message) : NULL;
        if (messages[i].key && !act->key) {
            refuse(act, "KEY_BAD");
        } else if (!act->item->guest.id[0] && messages[i].take != again) {
            refuse(act, "GUEST_NEEDED");
        } else if (messages[i].endless && done_too_much(act)) {
            refuse_limit(act, ROOMS_LIMIT_acts_of_guest);
        } else if (messages[i].endless && messages[i].take != chat && too_many_acts(act)) {
            return;
        } else {
            size_t before = act->room->entries;
            messages[i].take(act);
            if (act->room->entries > before && body_name(act->body, &act->item->guest))
                room_changed(act->room);
        }
        return;
    }
    refuse(act, "UNKNOWN");
}

/* Updates the name and colour of a guest, if they are among the room's people. */
static void take_name(struct act *act)
{
    if (!body_misnames(act->body, &act->item->guest))
        return;
    body_name(act->body, &act->item->guest);
    room_changed(act->room);
    room_save(act->room);
}

static void take_hello(struct act *act)
{
    struct connection *c = hub_connection(act->rooms, act->item->connection);
    char code[STORE_CODE_BYTES];
    hub_code(get_str(act->message, "code"), code);
    if (c && c->room) /* it has entered already: this item is taken a second time */
        take_name(act);
    if (!c || c->room)
        return;
    const char *fault = room_shut(act->rooms, act->room, act->item, code);
    if (fault) {
        refuse(act, fault);
        return;
    }
    long have = get_int(act->message, "have", -1);
    c->have = have < 0 ? SIZE_MAX : (size_t)have;
    c->invited = code[0] && strcmp(code, act->room->code) == 0;
    take_name(act); /* it may have changed while the room was not in memory */
    hub_drop_hello(c);
    room_join(act->rooms, act->room, c);
}

struct room_made {
    const struct act *act;
};

static void write_made_room(struct es__writer *w, const void *context)
{
    const struct room_made *made = context;
    json_t *id = json_object_get(made->act->message, "id");
    es__write_object(w, NULL);
    es__write_text(w, "t", "ok");
    if (json_is_integer(id))
        es__write_int(w, "id", json_integer_value(id));
    es__write_text(w, "room", made->act->room->id);
    es__write_text(w, "code", made->act->room->code);
    es__write_end(w);
}

/* Returns false if the settings cannot be read with this sheet. */
static bool settings_good(struct rooms *rooms, struct es_str text, const char *map)
{
    struct body *trial = body_new();
    bool good = settings_read(rooms, trial, text, es_str(map ? map : ""));
    body_free(trial);
    return good;
}

/* Makes the room; returns the code of a refusal, or NULL. */
static const char *make_new(struct act *act)
{
    static const char letters[] = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
    struct rooms *rooms = act->rooms;
    struct item *item = act->item;
    uint8_t secret[ES_FAIR_BYTES], code[STORE_CODE_BYTES - 1];
    hub_random(rooms, secret, sizeof secret);
    hub_random(rooms, code, sizeof code);
    for (size_t i = 0; i < sizeof code; i++)
        act->room->code[i] = letters[code[i] & 31];
    size_t size = strlen(item->text) + 128;
    char *text = hub_alloc(size);
    struct es_out out = {text, size, 0};
    es_out_text(&out, "secret ");
    es_out_hex(&out, secret, sizeof secret);
    es_out_char(&out, '\n');
    es_out_text(&out, item->text);
    struct es_str whole = {text, out.used};
    bool good = settings_good(rooms, whole, item->map);
    if (good) {
        if (item->map) {
            struct es_map *map = hub_alloc(sizeof *map);
            struct es_fault fault;
            es_status read = es_map_read(map, es_str(item->map), &fault);
            assert(read == ES_OK); /* as in settings_good() */
            memcpy(act->room->map, map->hash, sizeof act->room->map);
            free(map);
            act->body->map_text = hub_copy(es_str(item->map));
        }
        act->room->maker = item->address;
        act->room->maker_network = act->room->network = item->network;
        append(act, ENTRY_MADE, 0, whole);
        body_name(act->body, &item->guest);
    }
    free(text);
    return good ? NULL : "SETUP_BAD";
}

static void make(struct act *act)
{
    struct item *item = act->item;
    if (item->handed_on)
        return;
    /* The room's id stands for the guest and the key (make_room()): the list needs no key, and in
     * the room the guest may use it for something else. */
    if (act->body->count == 0) {
        const char *fault = item->limited ? "TOO_MANY" : NULL;
        if (!fault && !item->other[0] && at_many_tables(act)) {
            hub_limited(act->rooms, ROOMS_LIMIT_tables_of_guest);
            fault = "TOO_MANY";
        }
        if (!fault && make_count(act->rooms, act->room, item))
            return;
        if (!fault)
            fault = make_new(act);
        if (fault) {
            refuse(act, fault);
            return;
        }
    } else if (!item->other[0] && (strcmp(act->body->maker, item->guest.id) != 0 ||
                                   strcmp(act->body->made, item->text) != 0)) {
        refuse(act, "KEY_USED");
        return;
    }
    if (item->other[0]) { /* a rematch: the finished room notes it, and answers */
        struct item *next = room_item(ITEM_NEXT, NULL, item->message);
        next->connection = item->connection;
        next->guest = item->guest;
        next->since = item->since;
        memcpy(next->other, act->room->id, sizeof next->other);
        room_hand_on(act->room, item->other, next);
        return;
    }
    struct room_made made = {act};
    room_reply(act->rooms, act->room, item->connection, say(act->rooms, write_made_room, &made));
}

/* In a finished room: notes the room of the rematch. */
static void next(struct act *act)
{
    act->key = get_key(act->message);
    if (body_key(act->body, act->item->guest.id, act->key))
        act->key = NULL; /* used for something else while the new room was made */
    if (!act->body->next[0])
        append(act, ENTRY_NEXT, 0, es_str(act->item->other));
    room_reply(act->rooms, act->room, act->item->connection,
               say_ok(act->rooms, act->message, "room", es_str(act->body->next), 0));
}

/* A guest was deleted: removes name and chat, and frees the seat or gives it to a bot. */
static void forget(struct act *act)
{
    struct body *body = act->body;
    const char *guest = act->item->guest.id;
    bool known = body_forget(body, guest);
    if (act->seat && body->phase == PHASE_WAITING) {
        append(act, ENTRY_LEFT, act->seat, es_str(""));
        replace_host(act, guest);
    } else if (act->seat && body->phase < PHASE_OVER && !body->seat[act->seat - 1].level[0]) {
        struct es_str level = es_str(level_good(body, es_str("casual")) ? "casual" : "random");
        append(act, ENTRY_GIVEN, act->seat, level);
    } else if (known) {
        room_save(act->room);
    } else {
        return;
    }
    room_changed(act->room);
}

void table_take(struct rooms *rooms, struct room *room, struct item *item)
{
    struct body *body = room->body;
    struct act act = {.rooms = rooms,
                      .room = room,
                      .body = body,
                      .item = item,
                      .message = item->message,
                      .seat = body->count > 0 ? body_seat(body, item->guest.id) : 0};
    act.host = item->guest.id[0] && strcmp(item->guest.id, body->host) == 0;
    bool enters = item->kind == ITEM_HELLO || item->kind == ITEM_GET;
    if (body->count == 0 && item->kind != ITEM_MAKE) {
        if (item->kind != ITEM_FORGET && item->kind != ITEM_NAME)
            refuse(&act, enters ? room_shut(rooms, room, item, get_text(item->message, "code"))
                                : "NO_ROOM");
        return;
    }
    switch (item->kind) {
    case ITEM_MESSAGE:
        take_message(&act);
        break;
    case ITEM_HELLO:
        take_hello(&act);
        break;
    case ITEM_MAKE:
        make(&act);
        break;
    case ITEM_NEXT:
        next(&act);
        break;
    case ITEM_FORGET:
        forget(&act);
        break;
    case ITEM_NAME:
        take_name(&act);
        break;
    case ITEM_GET:
        api_get(rooms, room, item);
        break;
    case ITEM_OPERATOR:
        operator_take(rooms, room, item);
        break;
    }
}
