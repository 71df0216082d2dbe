/* The hub: takes inputs, holds connections and rooms, asks the store, and wakes rooms in time. */
#include "page/page.h"
#include "rooms/internal.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ROOMS_MUTATIONS
enum rooms_mutation rooms_mutation;
#endif

enum {
    SHORT_CODE_CHARS = 8, /* of rooms that were made before codes had twelve */
    SWEEP_MS = 60000,
    AGAIN_MS = 500,      /* from a fault of the store to the next try … */
    FIRST_AGAIN_MS = 50, /* … the first time: a lost connection is replaced at once */
    HOUR_MS = 3600000,
    DAY_MS = 24 * HOUR_MS,
    TEXT_OF_ROOM = 128 << 10, /* bytes in a day, for each room that may be made in an hour … */
    TEXT_MORE = 128,          /* … of which each message takes some beside its text */
    READ_MS = 200,            /* in which everything that has arrived is read */
    LATE_MS = 100,            /* between two looks for questions without an answer */
    REQUESTS_MS = 4000,       /* the limit `requests` counts those of this time */
    SOON_MS = 5000,           /* clients of the only process come back after this time … */
    ELSEWHERE_MS = 1000,      /* … those of one of several within this time */
};

/* ---- Memory and randomness ------------------------------------------------------------------- */

void *hub_alloc(size_t size)
{
    void *memory = calloc(1, size);
    if (!memory)
        abort();
    return memory;
}

void *hub_grow(void *memory, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return memory;
    size_t larger = *capacity ? *capacity : wanted;
    while (larger < wanted)
        larger *= 2;
    memory = realloc(memory, larger * size);
    if (!memory)
        abort();
    *capacity = larger;
    return memory;
}

char *hub_copy(struct es_str text)
{
    char *copy = hub_alloc(text.size + 1);
    if (text.size > 0)
        memcpy(copy, text.at, text.size);
    return copy;
}

void hub_random(struct rooms *rooms, void *bytes, size_t size)
{
    static const uint8_t nonce[12];
    for (uint8_t *at = bytes; size > 0; size--) {
        if (rooms->random_used == sizeof rooms->random) {
            es_chacha20_block(rooms->options.seed, (uint32_t)rooms->block++, nonce, rooms->random);
            rooms->random_used = 0;
        }
        *at++ = rooms->random[rooms->random_used];
        rooms->random[rooms->random_used++] = 0;
    }
}

void hub_id(const uint8_t *bytes, char *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t bit = i * 5;
        unsigned two = (unsigned)bytes[bit / 8] << 8 | (bit % 8 > 3 ? bytes[bit / 8 + 1] : 0);
        text[i] = "abcdefghijklmnopqrstuvwxyz234567"[two >> (11 - bit % 8) & 31];
    }
    text[count] = 0;
}

bool hub_id_good(struct es_str id)
{
    for (size_t i = 0; i < id.size; i++)
        if (!((id.at[i] >= 'a' && id.at[i] <= 'z') || (id.at[i] >= '2' && id.at[i] <= '7')))
            return false;
    return id.size == STORE_ROOM_BYTES - 1;
}

void hub_code(struct es_str text, char code[STORE_CODE_BYTES])
{
    size_t size = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.at[i];
        if (c >= 'a' && c <= 'z')
            c = (char)(c - 'a' + 'A');
        if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')))
            continue;
        if (size == STORE_CODE_BYTES - 1) { /* too long to be one */
            size = 0;
            break;
        }
        code[size++] = c;
    }
    code[size] = 0;
}

static bool is_short(const char *code)
{
    return strlen(code) == SHORT_CODE_CHARS;
}

void hub_hash(struct es_str text, uint8_t hash[ES_SHA256_BYTES])
{
    struct es_sha256 sha;
    es_sha256_init(&sha);
    es_sha256_update(&sha, text.at, text.size);
    es_sha256_final(&sha, hash);
}

uint64_t hub_key(const char *guest)
{
    uint8_t hash[ES_SHA256_BYTES];
    uint64_t key;
    hub_hash(es_str(guest), hash);
    memcpy(&key, hash, sizeof key);
    return key;
}

/* ---- Output ---------------------------------------------------------------------------------- */

static void emit(struct rooms *rooms, const struct rooms_output *output)
{
    rooms->options.out(rooms->options.context, output);
}

void hub_send(struct rooms *rooms, uint64_t connection, struct es_str text)
{
    emit(rooms, &(struct rooms_output){
                    .kind = ROOMS_SEND, .connection = &connection, .connections = 1, .text = text});
}

/* Every act of the operator is a line in the log, also one that was refused. */
static void log_act(struct rooms *rooms, uint64_t connection, int status)
{
    struct connection *c = hub_connection(rooms, connection);
    if (!c || !c->act)
        return;
    char line[260];
    snprintf(line, sizeof line, "%s status=%d", c->act, status);
    hub_event(rooms, &(struct rooms_event){ROOMS_EVENT_OPERATOR, .detail = line});
}

void hub_http(struct rooms *rooms, uint64_t connection, int status, const char *type,
              struct es_str text, const char *cookie)
{
    log_act(rooms, connection, status);
    emit(rooms, &(struct rooms_output){.kind = ROOMS_REPLY,
                                       .connection = &connection,
                                       .connections = 1,
                                       .status = status,
                                       .type = type,
                                       .text = text,
                                       .cookie = cookie ? es_str(cookie) : (struct es_str){0}});
}

void hub_event(struct rooms *rooms, const struct rooms_event *event)
{
    emit(rooms, &(struct rooms_output){.kind = ROOMS_LOG, .event = event});
}

void hub_write_record(struct rooms *rooms, const struct store_answer *room, struct es_str text)
{
    emit(rooms, &(struct rooms_output){.kind = ROOMS_SAVE,
                                       .room = room->head.room,
                                       .sheet = room->map.size > 0 ? room->head.map : "",
                                       .map = room->map,
                                       .text = text});
}

/* ---- Limits ---------------------------------------------------------------------------------- */

void hub_limited(struct rooms *rooms, enum rooms_limit limit)
{
    rooms->counts.limited[limit]++;
}

static struct tally *tally_of(struct rooms *rooms, uint64_t kind, uint64_t key, uint64_t ms)
{
    uint64_t both[2] = {kind, key};
    struct tally *tally = index_get(&rooms->tallies, both, sizeof both);
    if (!tally) {
        tally = hub_alloc(sizeof *tally);
        *tally = (struct tally){{kind, key}, rooms->now, ms, 0};
        index_put(&rooms->tallies, tally->key, sizeof tally->key, tally);
    }
    if (rooms->now - tally->from >= ms) {
        tally->from = rooms->now;
        tally->count = 0;
    }
    return tally;
}

static bool allow(struct tally *tally, uint64_t more, uint64_t most)
{
    if (tally->count + more > most)
        return false;
    tally->count += (uint32_t)more;
    return true;
}

bool hub_allow(struct rooms *rooms, uint64_t kind, uint64_t key, uint32_t most, uint64_t ms)
{
    return allow(tally_of(rooms, kind, key, ms), 1, most);
}

bool hub_allow_text(struct rooms *rooms, uint64_t address, uint64_t network, size_t size)
{
    uint64_t most = (uint64_t)TEXT_OF_ROOM * rooms->limits.rooms_of_address;
    uint64_t of_network = most * rooms->limits.of_network, more = TEXT_MORE + size;
    if (!allow(tally_of(rooms, TALLY_TEXT_ADDRESS, address, DAY_MS), more,
               most < UINT32_MAX ? most : UINT32_MAX)) {
        hub_limited(rooms, ROOMS_LIMIT_text_of_address);
        return false;
    }
    if (!allow(tally_of(rooms, TALLY_TEXT_NETWORK, network, DAY_MS), more,
               of_network < UINT32_MAX ? of_network : UINT32_MAX)) {
        hub_limited(rooms, ROOMS_LIMIT_text_of_network);
        return false;
    }
    return true;
}

bool hub_codes_spent(struct rooms *rooms, uint64_t address, uint64_t network, const char *code)
{
    uint64_t most = rooms->limits.codes_of_address, all = most * rooms->limits.of_network;
    if (!is_short(code))
        return false;
    bool is_spent = tally_of(rooms, TALLY_CODES, address, HOUR_MS)->count >= most;
    bool all_spent = tally_of(rooms, TALLY_CODES_NETWORK, network, HOUR_MS)->count >= all;
    if (is_spent)
        hub_limited(rooms, ROOMS_LIMIT_codes_of_address);
    else if (all_spent)
        hub_limited(rooms, ROOMS_LIMIT_codes_of_network);
    return is_spent || all_spent;
}

static void count_code(struct tally *tally, int more)
{
    if (more > 0 || tally->count > 0)
        tally->count += (uint32_t)more;
}

void hub_codes_count(struct rooms *rooms, uint64_t address, uint64_t network, const char *code,
                     int more)
{
    if (!is_short(code))
        return;
    count_code(tally_of(rooms, TALLY_CODES, address, HOUR_MS), more);
    count_code(tally_of(rooms, TALLY_CODES_NETWORK, network, HOUR_MS), more);
}

/* Frees tallies that are too old to count. */
static void sweep(struct rooms *rooms)
{
    for (size_t i = 0; i < rooms->tallies.slots; i++) {
        struct index_slot *slot = &rooms->tallies.slot[i];
        struct tally *tally = slot->key ? slot->thing : NULL;
        if (tally && rooms->now - tally->from > tally->ms) {
            index_remove(&rooms->tallies, tally->key, sizeof tally->key);
            free(tally);
            i--; /* look at this slot again: another may have moved here (0 wraps and comes back) */
        }
    }
    rooms->swept = rooms->now;
}

uint32_t hub_crowd(struct rooms *rooms, enum crowd_kind kind, uint64_t whose, int more)
{
    uint64_t key[2] = {kind, whose};
    struct crowd *crowd = index_get(&rooms->crowds, key, sizeof key);
    if (!crowd) {
        crowd = hub_alloc(sizeof *crowd);
        memcpy(crowd->key, key, sizeof key);
        index_put(&rooms->crowds, crowd->key, sizeof crowd->key, crowd);
    }
    uint32_t count = crowd->count += (uint32_t)more;
    if (count == 0) {
        index_remove(&rooms->crowds, crowd->key, sizeof crowd->key);
        free(crowd);
    }
    return count;
}

/* Counts a message; false if the connection sends too many. */
static bool count_message(struct rooms *rooms, struct connection *c)
{
    const struct rooms_limits *limits = &rooms->limits;
    if (rooms->now - c->burst_from >= limits->burst_ms) {
        c->burst_from = rooms->now;
        c->burst = 0;
    }
    if (rooms->now - c->steady_from >= limits->steady_ms) {
        c->steady_from = rooms->now;
        c->steady = 0;
    }
    return ++c->burst <= limits->burst && ++c->steady <= limits->steady;
}

/* ---- Connections ----------------------------------------------------------------------------- */

struct connection *hub_connection(struct rooms *rooms, uint64_t id)
{
    struct connection *c = index_get(&rooms->connections, &id, sizeof id);
    return c && c->step != STEP_CLOSED ? c : NULL;
}

/* Takes a connection out of the list of those that have not said hello. */
static void remove_from_new(struct rooms *rooms, struct connection *c)
{
    *(c->before ? &c->before->after : &rooms->oldest) = c->after;
    *(c->after ? &c->after->before : &rooms->newest) = c->before;
    c->before = c->after = NULL;
}

static void leave(struct rooms *rooms, struct connection *c)
{
    if (c->step == STEP_NEW && !is_request(c))
        remove_from_new(rooms, c);
    else
        room_quit(rooms, c);
}

void hub_close(struct rooms *rooms, struct connection *c, int status)
{
    assert(!is_request(c)); /* a request is answered */
    if (c->step == STEP_CLOSED)
        return;
    leave(rooms, c);
    c->step = STEP_CLOSED;
    emit(rooms, &(struct rooms_output){
                    .kind = ROOMS_CLOSE, .connection = &c->id, .connections = 1, .status = status});
}

void hub_known(struct rooms *rooms, uint64_t connection)
{
    emit(rooms,
         &(struct rooms_output){.kind = ROOMS_KNOWN, .connection = &connection, .connections = 1});
}

void hub_drop_hello(struct connection *c)
{
    json_decref(c->hello);
    c->hello = NULL;
}

bool hub_here(const struct room *room, const char *guest)
{
    for (const struct connection *c = room->connections; c; c = c->after)
        if (strcmp(c->guest.id, guest) == 0)
            return true;
    return others_here(room, guest);
}

/* Counts a WebSocket for its address and its network; false if one of them has too many. */
static bool count_socket(struct rooms *rooms, const struct connection *c)
{
    uint32_t most = rooms->limits.of_address, times = rooms->limits.of_network;
    bool is_crowd = hub_crowd(rooms, CROWD_ADDRESS, c->address, 1) > most;
    bool is_throng = hub_crowd(rooms, CROWD_NETWORK, c->network, 1) > (uint64_t)times * most;
    if (is_crowd)
        hub_limited(rooms, ROOMS_LIMIT_connections_of_address);
    else if (is_throng)
        hub_limited(rooms, ROOMS_LIMIT_connections_of_network);
    return !is_crowd && !is_throng;
}

static void opened(struct rooms *rooms, const struct rooms_input *input)
{
    struct connection *c = hub_alloc(sizeof *c);
    c->id = input->connection;
    c->path = input->path;
    c->address = input->address;
    c->network = input->network;
    c->since = rooms->now;
    c->told = TOLD_NOTHING;
    es_str_copy(input->token, c->cookie, sizeof c->cookie);
    index_put(&rooms->connections, &c->id, sizeof c->id, c);
    rooms->counts.connections++;
    if (c->path == ROOMS_ROOM && !es_str_copy(input->room, c->room_id, sizeof c->room_id))
        c->room_id[0] = 0;
    if (is_request(c))
        return;
    bool has_place = count_socket(rooms, c);
    c->before = rooms->newest;
    *(rooms->newest ? &rooms->newest->after : &rooms->oldest) = c;
    rooms->newest = c;
    if (!has_place || rooms->draining)
        hub_close(rooms, c, 1013);
}

static void gone(struct rooms *rooms, uint64_t id)
{
    struct connection *c = index_get(&rooms->connections, &id, sizeof id);
    if (!c)
        return;
    leave(rooms, c);
    if (!is_request(c)) {
        hub_crowd(rooms, CROWD_ADDRESS, c->address, -1);
        hub_crowd(rooms, CROWD_NETWORK, c->network, -1);
    }
    if (c->counted)
        hub_crowd(rooms, CROWD_GUEST, hub_key(c->guest.id), -1);
    index_remove(&rooms->connections, &c->id, sizeof c->id);
    hub_drop_hello(c);
    rooms->counts.connections--;
    free(c->act);
    free(c);
}

static void message(struct rooms *rooms, const struct rooms_input *input)
{
    struct connection *c = hub_connection(rooms, input->connection);
    if (!c)
        return;
    rooms->counts.messages++;
    if (c->step == STEP_READY)
        people_seen(rooms, c);
    if (!is_request(c) && !count_message(rooms, c)) {
        hub_limited(rooms, ROOMS_LIMIT_messages);
        rooms->counts.refused++;
        hub_close(rooms, c, 1008);
        return;
    }
    size_t most = is_request(c) ? 2 * ROOMS_UPLOAD_MAX : ROOMS_MESSAGE_MAX;
    json_t *json = input->text.size <= most ? get_message(input->text) : NULL;
    if (is_request(c) && (!json || !get_types_good(json))) {
        rooms->counts.refused++;
        hub_http(rooms, c->id, 400, "application/json", es_str("{\"code\":\"FIELD_BAD\"}"), NULL);
    } else if (!json) {
        rooms->counts.refused++;
        hub_close(rooms, c, input->text.size > most ? 1009 : 1007);
    } else if (c->step != STEP_NEW && !get_types_good(json)) {
        rooms->counts.refused++;
        hub_send(rooms, c->id, say_no(rooms, json, "FIELD_BAD"));
    } else if (c->path == ROOMS_OPERATOR) {
        operator_message(rooms, c, json);
    } else if (is_request(c)) {
        people_request(rooms, c, json);
    } else if (c->step == STEP_NEW) {
        remove_from_new(rooms, c);
        c->step = STEP_ASKING;
        c->greeted = rooms->now;
        people_hello(rooms, c, json);
    } else if (strcmp(get_text(json, "t"), "ping") == 0) {
        hub_send(rooms, c->id, es_str("{\"t\":\"pong\"}"));
    } else if (c->step != STEP_READY) {
        hub_send(rooms, c->id, say_no(rooms, json, "HELLO_FIRST"));
    } else if (rooms->draining) {
        hub_send(rooms, c->id, say_no(rooms, json, "BUSY"));
    } else if (!people_message(rooms, c, json)) {
        if (c->room) {
            struct item *item = room_item(ITEM_MESSAGE, c, json);
            room_enqueue(rooms, c->room, item);
        } else {
            hub_send(rooms, c->id, say_no(rooms, json, "UNKNOWN"));
        }
    }
    json_decref(json);
}

/* ---- Rooms and time -------------------------------------------------------------------------- */

struct room *hub_room(struct rooms *rooms, const char *id)
{
    return index_get(&rooms->rooms, id, strlen(id));
}

struct room *hub_room_new(struct rooms *rooms, const char *id)
{
    struct room *room = hub_alloc(sizeof *room);
    es_str_copy(es_str(id), room->id, sizeof room->id);
    room->last = &room->first;
    room->taken_last = &room->taken;
    room->until = rooms->now + rooms->limits.keep_ms;
    index_put(&rooms->rooms, room->id, strlen(room->id), room);
    rooms->counts.rooms++;
    return room;
}

void hub_room_free(struct rooms *rooms, struct room *room)
{
    assert(!room->connections && !room->first && !room->taken);
    hub_wake(rooms, room, 0);
    hub_rest(rooms, room, false);
    lobby_loaded(rooms, room);
    index_remove(&rooms->rooms, room->id, strlen(room->id));
    body_free(room->body);
    free(room->entry);
    free(room->reply);
    free(room->elsewhere);
    free(room->here);
    free(room);
    rooms->counts.rooms--;
}

static void put(struct rooms *rooms, struct room *room, size_t at)
{
    rooms->heap[at] = room;
    room->heap = at;
}

static void sift(struct rooms *rooms, struct room *room, size_t at)
{
    while (at > 1 && rooms->heap[at / 2]->wake > room->wake) {
        put(rooms, rooms->heap[at / 2], at);
        at /= 2;
    }
    for (size_t child; (child = at * 2) <= rooms->heaped; at = child) {
        if (child < rooms->heaped && rooms->heap[child + 1]->wake < rooms->heap[child]->wake)
            child++;
        if (rooms->heap[child]->wake >= room->wake)
            break;
        put(rooms, rooms->heap[child], at);
    }
    put(rooms, room, at);
}

void hub_wake(struct rooms *rooms, struct room *room, uint64_t when)
{
    if (room->wake == when)
        return;
    room->wake = when;
    if (when && room->heap) {
        sift(rooms, room, room->heap);
    } else if (when) {
        rooms->heap =
            hub_grow(rooms->heap, &rooms->heap_room, rooms->heaped + 2, sizeof *rooms->heap);
        sift(rooms, room, ++rooms->heaped);
    } else if (room->heap) {
        size_t at = room->heap;
        struct room *last = rooms->heap[rooms->heaped--];
        room->heap = 0;
        if (last != room)
            sift(rooms, last, at);
    }
}

void hub_rest(struct rooms *rooms, struct room *room, bool rests)
{
    if (room->rests == rests)
        return;
    room->rests = rests;
    if (!rests) {
        *(room->older ? &room->older->newer : &rooms->rested) = room->newer;
        *(room->newer ? &room->newer->older : &rooms->resting) = room->older;
        room->older = room->newer = NULL;
        rooms->rests--;
        return;
    }
    room->older = rooms->resting;
    *(rooms->resting ? &rooms->resting->newer : &rooms->rested) = room;
    rooms->resting = room;
    if (++rooms->rests <= rooms->limits.rests)
        return;
    struct room *first = rooms->rested;
    hub_rest(rooms, first, false);
    first->until = rooms->now;
    hub_wake(rooms, first, rooms->now);
}

const struct es_map *hub_map(struct rooms *rooms, const struct es_record *record)
{
    struct es_str text = es_builtin_map_named(es_str(record->map_id), es_str(record->map_hash));
    struct es_fault fault;
    struct built_in *known = rooms->built_in;
    while (known && known->text != text.at)
        known = known->next;
    if (!known && text.size > 0) {
        known = hub_alloc(sizeof *known);
        if (es_map_read(&known->map, text, &fault)) {
            free(known);
            return NULL;
        }
        known->text = text.at;
        known->next = rooms->built_in;
        rooms->built_in = known;
    }
    return known && (!record->map_hash[0] || strcmp(known->map.hash, record->map_hash) == 0)
               ? &known->map
               : NULL;
}

/* ---- The store ------------------------------------------------------------------------------- */

static uint64_t sooner(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

/* Returns the connection that waits for the answer; NULL: none does. The operator's do not count:
 * service_operate() has a limit of its own. */
static struct connection *who_waits(struct rooms *rooms, const struct pending *p)
{
    struct connection *c = hub_connection(rooms, p->connection);
    if (!c || p->news || c->path == ROOMS_OPERATOR || (!is_request(c) && !p->message))
        return NULL;
    return c;
}

uint64_t hub_ask(struct rooms *rooms, struct store_question *question, struct pending *pending)
{
    question->id = ++rooms->next_question;
    if (pending) {
        pending->id = question->id;
        pending->kind = question->kind;
        pending->since = pending->since ? pending->since : rooms->asked;
        index_put(&rooms->pending, &pending->id, sizeof pending->id, pending);
        if (who_waits(rooms, pending))
            rooms->late_at = sooner(rooms->late_at, hub_late(pending->since));
    }
    emit(rooms, &(struct rooms_output){.kind = ROOMS_ASK, .store = question});
    return question->id;
}

void hub_ask_for(struct rooms *rooms, struct store_question *question, struct room *room)
{
    room->question = ++rooms->next_question;
    question->id = room->question;
    index_put(&rooms->asking, &room->question, sizeof room->question, room);
    emit(rooms, &(struct rooms_output){.kind = ROOMS_ASK, .store = question});
}

/* A device that is withdrawn and a guest who is forgotten are gone for good: where nobody knows
 * whether that has happened it is asked for again until the store says so, because others have to
 * be told. The same if another process has done it, and the store could not tell what. Also who has
 * said hello, until they are told BUSY: we know sooner than they do when the store is back. Returns
 * true if that will be done. */
static bool ask_later(struct rooms *rooms, struct pending *p, enum store_outcome outcome)
{
    const struct connection *c = hub_connection(rooms, p->connection);
    bool is_end = p->kind == STORE_WITHDRAW || p->kind == STORE_FORGET;
    bool is_hello = p->kind == STORE_WHO && c && !is_request(c);
    is_end &= outcome == STORE_UNKNOWN || (p->unsure && outcome == STORE_FAILED);
    if (!is_end && !((p->news || is_hello) && outcome != STORE_STORED))
        return false;
    if (!rooms->unsure_again)
        rooms->unsure_again = rooms->now + (p->unsure ? AGAIN_MS : FIRST_AGAIN_MS);
    p->unsure = true;
    p->next = rooms->unsure;
    rooms->unsure = p;
    return true;
}

void hub_pending_free(struct pending *p)
{
    json_decref(p->message);
    free(p->text);
    operator_page_free(p->page);
    own_free(p->own);
    if (p->item)
        item_free(p->item);
    free(p);
}

static void ask_unsure(struct rooms *rooms)
{
    struct pending *p = rooms->unsure;
    rooms->unsure = NULL;
    rooms->unsure_again = 0;
    for (struct pending *next; p; p = next) {
        struct store_question question = {
            .kind = p->kind, .guest = p->guest, .note = p->note, .time = p->time};
        next = p->next;
        hub_hash(es_str(p->token), question.token);
        if (p->kind == STORE_WHO && !hub_connection(rooms, p->connection))
            hub_pending_free(p);
        else
            hub_ask(rooms, &question, p);
    }
}

/* Tells who waits for a question to the store that it takes too long. Its answer is still taken,
 * but no more is said. Returns when that is due, if it is not yet; 0: nobody waits. */
static uint64_t give_up(struct rooms *rooms, struct pending *p)
{
    struct connection *c = who_waits(rooms, p);
    if (!c || MUTATED(PATIENT))
        return 0;
    if (rooms->now < hub_late(p->since))
        return hub_late(p->since);
    rooms->counts.late++;
    people_late(rooms, c, p);
    p->connection = 0;
    if (p->item)
        p->item->told = true;
    return 0;
}

static void give_up_late(struct rooms *rooms)
{
    uint64_t next = 0;
    for (size_t i = 0; i < rooms->pending.slots; i++)
        if (rooms->pending.slot[i].key)
            next = sooner(next, give_up(rooms, rooms->pending.slot[i].thing));
    for (struct pending *p = rooms->unsure; p; p = p->next)
        next = sooner(next, give_up(rooms, p));
    rooms->late_at = next && next < rooms->now + LATE_MS ? rooms->now + LATE_MS : next;
}

static void answered(struct rooms *rooms, const struct store_answer *answer)
{
    if (answer->kind == STORE_ROOMS) {
        others_listed(rooms, answer);
        return;
    }
    if (answer->kind == STORE_ALIVE) {
        alive_answer(rooms, answer);
        return;
    }
    struct pending *p = index_get(&rooms->pending, &answer->id, sizeof answer->id);
    if (p) {
        index_remove(&rooms->pending, &p->id, sizeof p->id);
        rooms->asked = p->since;
        if (ask_later(rooms, p, answer->outcome) || count_goes_on(rooms, p, answer))
            return;
        if (p->kind == STORE_HERE)
            others_told(rooms, p, answer);
        else if (p->what)
            others_named(rooms, p, answer);
        else
            people_answer(rooms, p, answer);
        hub_pending_free(p);
        return;
    }
    struct room *room = index_get(&rooms->asking, &answer->id, sizeof answer->id);
    if (room) {
        index_remove(&rooms->asking, &room->question, sizeof room->question);
        room_answer(rooms, room, answer);
    }
}

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* Returns when a client of a process that stops shall come back, to another one: not all at once.
 */
static uint32_t come_back(struct rooms *rooms)
{
    uint16_t random;
    hub_random(rooms, &random, sizeof random);
    return random % ELSEWHERE_MS;
}

static void drain(struct rooms *rooms)
{
    rooms->draining = true;
    if (others_shared(rooms)) {
        struct store_question question = {.kind = STORE_GONE};
        memcpy(question.process, rooms->options.process, sizeof question.process);
        hub_ask(rooms, &question, NULL);
    }
    for (size_t i = 0; i < rooms->connections.slots; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        const struct connection *c = slot->key ? slot->thing : NULL;
        if (c && !is_request(c) && c->step != STEP_CLOSED)
            hub_send(rooms, c->id,
                     say_soon(rooms, others_shared(rooms) ? come_back(rooms) : SOON_MS));
    }
}

static bool is_silent(const struct rooms *rooms, const struct connection *c)
{
    return c && rooms->now - c->since >= rooms->limits.hello_ms;
}

/* Closes connections that do not say hello. If the process has stood still, their hello may be
 * there and not have been read: so it waits for another moment first. */
static void close_silent(struct rooms *rooms)
{
    if (!is_silent(rooms, rooms->oldest))
        rooms->silence = 0;
    else if (!rooms->silence)
        rooms->silence = rooms->now;
    else if (rooms->now >= rooms->silence + READ_MS)
        while (is_silent(rooms, rooms->oldest)) {
            hub_limited(rooms, ROOMS_LIMIT_hello);
            hub_close(rooms, rooms->oldest, 1008);
        }
}

static void do_what_is_due(struct rooms *rooms)
{
    alive_check(rooms);
    lobby_load(rooms);
    people_errands(rooms);
    while (rooms->heaped > 0 && rooms->heap[1]->wake <= rooms->now) {
        struct room *room = rooms->heap[1];
        hub_wake(rooms, room, 0);
        room_run(rooms, room);
    }
    if (rooms->start_again && rooms->start_again <= rooms->now) {
        rooms->start_again = 0;
        others_ask_listed(rooms);
    }
    if (rooms->unsure_again && rooms->unsure_again <= rooms->now)
        ask_unsure(rooms);
    if (rooms->late_at && rooms->late_at <= rooms->now)
        give_up_late(rooms);
    keep_check(rooms);
    if (rooms->now - rooms->swept >= SWEEP_MS)
        sweep(rooms);
    close_silent(rooms);
    if (rooms->lobby_at && rooms->lobby_at <= rooms->now)
        lobby_tell(rooms);
}

static void ask_to_wake(struct rooms *rooms)
{
    uint64_t when = rooms->heaped > 0 ? rooms->heap[1]->wake : 0;
    when = sooner(when, rooms->start_again);
    when = sooner(when, rooms->unsure_again);
    when = sooner(when, rooms->errand ? rooms->errands_at : 0);
    when = sooner(when, rooms->late_at);
    when = sooner(when, rooms->lobby_at);
    when = sooner(when, alive_wake(rooms));
    when = sooner(when, keep_wake(rooms));
    if (rooms->oldest)
        when = sooner(when, rooms->silence ? rooms->silence + READ_MS
                                           : rooms->oldest->since + rooms->limits.hello_ms);
    when = sooner(when, rooms->swept + SWEEP_MS);
    if (when != rooms->woken) {
        rooms->woken = when;
        emit(rooms, &(struct rooms_output){.kind = ROOMS_WAKE, .when = when});
    }
}

void rooms_step(struct rooms *rooms, const struct rooms_input *input)
{
    if (input->now > rooms->now)
        rooms->now = input->now;
    rooms->asked = rooms->now;
    alive_check(rooms);
    switch (input->kind) {
    case ROOMS_OPENED:
        opened(rooms, input);
        break;
    case ROOMS_MESSAGE:
        message(rooms, input);
        break;
    case ROOMS_GONE:
        gone(rooms, input->connection);
        break;
    case ROOMS_ANSWER:
        answered(rooms, input->answer);
        break;
    case ROOMS_THOUGHT:
        play_thought(rooms, input->question, input->text, input->busy);
        break;
    case ROOMS_NEWS:
        others_news(rooms, input->news);
        break;
    case ROOMS_SAVED:
        keep_recorded(rooms, !input->busy);
        break;
    case ROOMS_DRAIN:
        drain(rooms);
        break;
    case ROOMS_TIME:
        rooms->woken = 0;
        break;
    }
    rooms->asked = rooms->now;
    do_what_is_due(rooms);
    ask_to_wake(rooms);
}

unsigned rooms_wait(struct rooms *rooms, uint64_t now, uint64_t address, uint64_t network)
{
    if (now > rooms->now)
        rooms->now = now;
    uint32_t most = rooms->limits.requests;
    struct tally *full = tally_of(rooms, TALLY_REQUESTS, address, REQUESTS_MS);
    enum rooms_limit limit = ROOMS_LIMIT_requests;
    if (hub_allow(rooms, TALLY_REQUESTS, address, most, REQUESTS_MS)) {
        if (hub_allow(rooms, TALLY_REQUESTS_NETWORK, network, most * rooms->limits.of_network,
                      REQUESTS_MS))
            return 0;
        full = tally_of(rooms, TALLY_REQUESTS_NETWORK, network, REQUESTS_MS);
        limit = ROOMS_LIMIT_requests_of_network;
    }
    rooms->counts.refused++;
    hub_limited(rooms, limit);
    return (unsigned)((full->from + REQUESTS_MS - rooms->now + 999) / 1000);
}

void rooms_count_requests(struct rooms *rooms, uint64_t address, uint64_t network, uint32_t more)
{
    tally_of(rooms, TALLY_REQUESTS, address, REQUESTS_MS)->count += more;
    tally_of(rooms, TALLY_REQUESTS_NETWORK, network, REQUESTS_MS)->count += more;
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

static const struct rooms_limits defaults = {
    .burst = 20,
    .burst_ms = 1000,
    .steady = 100,
    .steady_ms = 60000,
    .of_address = 50,
    .of_guest = 8,
    .hello_ms = 5000,
    .rooms_of_guest = 10,
    .rooms_of_address = 30,
    .tables_of_guest = 50,
    .guests_of_address = 30,
    .of_network = 10,
    .codes_of_address = 20,
    .requests = 40,
    .waiting = 64,
    .bot_ms = 1200,
    .words_ms = 10000,
    .host_ms = 120000,
    .listed_ms = HOUR_MS / 6,
    .idle_ms = 24 * HOUR_MS,
    .invited_ms = 7 * 24 * HOUR_MS,
    .stale_ms = UINT32_C(30) * 24 * HOUR_MS,
    .entries = 8000,
    .keep_ms = 60000,
    .read_ms = 5000,
    .rests = 1000,
    .lobby_ms = 2000,
};

struct rooms *rooms_new(const struct rooms_options *options)
{
    struct rooms *rooms = calloc(1, sizeof *rooms);
    if (!rooms)
        return NULL;
    rooms->options = *options;
    rooms->limits = options->limits;
    uint32_t *limit = (uint32_t *)&rooms->limits;
    for (size_t i = 0; i < sizeof rooms->limits / sizeof *limit; i++)
        if (limit[i] == 0)
            limit[i] = ((const uint32_t *)&defaults)[i];
    rooms->random_used = sizeof rooms->random;
    return rooms;
}

void rooms_start(struct rooms *rooms, uint64_t now)
{
    rooms->now = rooms->swept = now;
    alive_ask(rooms);
    others_ask_listed(rooms);
    ask_to_wake(rooms);
}

const struct rooms_counts *rooms_counts(const struct rooms *rooms)
{
    return &rooms->counts;
}

void rooms_free(struct rooms *rooms)
{
    if (!rooms)
        return;
    for (size_t i = 0; i < rooms->connections.slots; i++)
        if (rooms->connections.slot[i].key) {
            struct connection *c = rooms->connections.slot[i].thing;
            json_decref(c->hello);
            free(c->act);
            free(c);
        }
    for (size_t i = 0; i < rooms->rooms.slots; i++)
        if (rooms->rooms.slot[i].key) {
            struct room *room = rooms->rooms.slot[i].thing;
            for (struct item *item = room->first, *next; item; item = next) {
                next = item->next;
                item_free(item);
            }
            for (struct item *item = room->taken, *next; item; item = next) {
                next = item->next;
                item_free(item);
            }
            for (size_t k = 0; k < room->entries; k++)
                free((char *)room->entry[k].text.at);
            for (size_t k = 0; k < room->replies; k++) {
                free(room->reply[k].text);
                if (room->reply[k].item)
                    item_free(room->reply[k].item);
            }
            body_free(room->body);
            free(room->entry);
            free(room->reply);
            free(room->elsewhere);
            free(room->here);
            free(room);
        }
    for (size_t i = 0; i < rooms->pending.slots; i++)
        if (rooms->pending.slot[i].key)
            hub_pending_free(rooms->pending.slot[i].thing);
    for (struct pending *p = rooms->unsure, *next; p; p = next) {
        next = p->next;
        hub_pending_free(p);
    }
    for (struct item *item = rooms->errand, *next; item; item = next) {
        next = item->next;
        item_free(item);
    }
    for (size_t i = 0; i < rooms->tallies.slots; i++)
        if (rooms->tallies.slot[i].key)
            free(rooms->tallies.slot[i].thing);
    for (size_t i = 0; i < rooms->crowds.slots; i++)
        if (rooms->crowds.slot[i].key)
            free(rooms->crowds.slot[i].thing);
    for (size_t i = 0; i < PICTURES_KEPT; i++)
        free(rooms->picture[i].text);
    lobby_free(rooms);
    index_free(&rooms->connections);
    index_free(&rooms->rooms);
    index_free(&rooms->pending);
    index_free(&rooms->tallies);
    index_free(&rooms->crowds);
    index_free(&rooms->asking);
    index_free(&rooms->thinking);
    free(rooms->heap);
    free(rooms->gap);
    free(rooms->process);
    for (struct built_in *one = rooms->built_in, *next; one; one = next) {
        next = one->next;
        free(one);
    }
    free(rooms->buffer);
    free(rooms->scratch);
    free(rooms->page);
    free(rooms);
}
