/* Implementation of rooms_world.h. */
#include "rooms_world.h"
#include "check.h"
#include <endstation/bots.h>
#include <endstation/fair.h>
#include <endstation/map.h>
#include <endstation/record.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Outputs --------------------------------------------------------------------------------- */

static void keep_question(struct world *world, const struct store_question *question)
{
    assert_true(world->count < WORLD_QUESTIONS);
    struct asked *asked = calloc(1, sizeof *asked);
    asked->question = *question;
    asked->people = strndup(question->head.people.at ? question->head.people.at : "",
                            question->head.people.size);
    asked->question.head.people = es_str(asked->people);
    asked->entry = calloc(question->entries + 1, sizeof *asked->entry);
    assert_true(question->entries < 512);
    for (size_t i = 0; i < question->entries; i++) {
        asked->entry[i] = question->entry[i];
        asked->text[i] = strndup(question->entry[i].text.at, question->entry[i].text.size);
        asked->entry[i].text = es_str(asked->text[i]);
    }
    asked->question.entry = asked->entry;
    if (question->kind == STORE_MAP || question->kind == STORE_HERE) {
        asked->text[0] = strndup(question->text.at, question->text.size);
        asked->question.text = es_str(asked->text[0]);
    }
    if (question->note.text.size > 0) {
        asked->text[0] = strndup(question->note.text.at, question->note.text.size);
        asked->question.note.text = es_str(asked->text[0]);
    }
    world->question[world->count++] = asked;
}

static struct client *client_of(struct world *world, uint64_t connection)
{
    for (size_t i = 0; i < world->clients; i++)
        if (world->client[i].connection == connection)
            return &world->client[i];
    return NULL;
}

static void take_stream(struct client *client, json_t *message, const char *type)
{
    if (strcmp(type, "view") == 0) {
        snprintf(client->view, sizeof client->view, "%s",
                 json_string_value(json_object_get(message, "text")));
        const char *events = strstr(client->view, "\n\n") + 2;
        client->lines = 0;
        for (const char *at = events; *at; at++)
            client->lines += *at == '\n';
    } else {
        size_t i;
        json_t *line;
        if (!client->view[0])
            return; /* a client without a view asks for one */
        assert_int_equal(json_integer_value(json_object_get(message, "from")), client->lines);
        json_array_foreach(json_object_get(message, "lines"), i, line)
        {
            strcat(client->view, json_string_value(line));
            strcat(client->view, "\n");
            client->lines++;
        }
    }
    client->due = json_object_get(message, "due");
}

/* The hash that the server must have sent with this view. */
static void check_hash(const struct client *client, json_t *message)
{
    if (!client->view[0])
        return;
    struct es_record *record = calloc(1, sizeof *record);
    struct es_map *map = calloc(1, sizeof *map);
    struct es_state state;
    struct es_fault fault;
    es_event *events = calloc(ES_EVENTS_MAX, sizeof *events);
    record->events = events;
    record->capacity = ES_EVENTS_MAX;
    if (es_record_read(record, es_str(client->view), NULL, map, &state, &fault) == ES_OK) {
        char *report = malloc(ES_REPORT_BYTES), hex[65];
        struct es_out out = {report, ES_REPORT_BYTES, 0}, digits = {hex, sizeof hex, 0};
        record->setup.game->report(&record->setup, &state, &out);
        struct es_sha256 sha;
        uint8_t hash[32];
        es_sha256_init(&sha);
        es_sha256_update(&sha, report, out.used);
        es_sha256_final(&sha, hash);
        es_out_hex(&digits, hash, 8);
        hex[16] = 0;
        assert_string_equal(hex, json_string_value(json_object_get(message, "hash")));
        free(report);
    } else {
        assert_int_equal(fault.status, ES_MAP_ELSEWHERE); /* a sheet of one's own */
    }
    free(events);
    free(record);
    free(map);
}

/* Writes what somebody says (>) or hears (<). */
static void note(const struct client *client, const char *arrow, struct es_str text)
{
    struct es_out *script = client->world->script;
    if (!script)
        return;
    es_out_text(script, client->name);
    es_out_text(script, arrow);
    es_out_str(script, text);
    es_out_char(script, '\n');
}

static void hear(struct client *client, struct es_str text)
{
    note(client, " < ", text);
    struct es_sha256 sha;
    es_sha256_init(&sha);
    es_sha256_update(&sha, client->hash, sizeof client->hash);
    es_sha256_update(&sha, &client->world->now, sizeof client->world->now);
    es_sha256_update(&sha, text.at, text.size);
    es_sha256_final(&sha, client->hash);
    client->bytes += text.size;
    json_t *message = json_loadb(text.at, text.size, 0, NULL);
    assert_non_null(message);
    const char *type = json_string_value(json_object_get(message, "t"));
    assert_non_null(type);
    assert_true(client->count < sizeof client->heard / sizeof client->heard[0]);
    client->heard[client->count++] = message;
    if (strcmp(type, "room") == 0)
        client->room = message;
    if (strcmp(type, "view") == 0 || strcmp(type, "lines") == 0) {
        take_stream(client, message, type);
        check_hash(client, message);
    }
}

static void keep_event(struct world *world, const struct rooms_event *event)
{
    size_t used = strlen(world->log);
    const struct {
        const char *name, *text;
    } parts[] = {{" room=", event->room}, {" guest=", event->guest}, {" ", event->detail}};
    used += (size_t)snprintf(world->log + used, sizeof world->log - used, "%s",
                             rooms_event_about[event->kind].name);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && used < sizeof world->log; i++)
        if (parts[i].text)
            used += (size_t)snprintf(world->log + used, sizeof world->log - used, "%s%s",
                                     parts[i].name, parts[i].text);
    if (used < sizeof world->log)
        snprintf(world->log + used, sizeof world->log - used, "\n");
}

static void out(void *context, const struct rooms_output *output)
{
    struct world *world = context;
    switch (output->kind) {
    case ROOMS_SEND:
        for (size_t i = 0; i < output->connections; i++) {
            struct client *client = client_of(world, output->connection[i]);
            if (client)
                hear(client, output->text);
        }
        break;
    case ROOMS_REPLY: {
        struct client *client = client_of(world, output->connection[0]);
        assert_non_null(client);
        client->status = output->status;
        free(client->body);
        client->body = strndup(output->text.at, output->text.size);
        snprintf(client->type, sizeof client->type, "%s", output->type);
        break;
    }
    case ROOMS_CLOSE: {
        struct client *client = client_of(world, output->connection[0]);
        if (client)
            client->closed = output->status;
        break;
    }
    case ROOMS_KNOWN: {
        struct client *client = client_of(world, *output->connection);
        assert_non_null(client);
        client->is_known = true;
        break;
    }
    case ROOMS_ASK:
        keep_question(world, output->store);
        break;
    case ROOMS_THINK:
        assert_true(world->thoughts < 256);
        assert_true(output->ms > 0 && output->ms <= 1000);
        world->thought[world->thoughts].id = output->question;
        world->thought[world->thoughts].seat = output->seat;
        world->thought[world->thoughts].ms = output->ms;
        world->thought[world->thoughts].network = output->network;
        world->thought[world->thoughts].maker = output->maker;
        world->thought[world->thoughts].whose = output->whose;
        world->thought[world->thoughts].clock = output->clock;
        world->thought[world->thoughts].record = strndup(output->text.at, output->text.size);
        world->thought[world->thoughts].map = strndup(output->map.at, output->map.size);
        world->thoughts++;
        break;
    case ROOMS_FORGET:
        for (size_t i = 0; i < world->thoughts; i++)
            if (world->thought[i].id == output->question) {
                free(world->thought[i].record);
                free(world->thought[i].map);
                world->thought[i] = world->thought[--world->thoughts];
            }
        break;
    case ROOMS_WAKE:
        world->wake = output->when;
        break;
    case ROOMS_SAVE:
        free(world->saved);
        world->saved = strndup(output->text.at, output->text.size);
        snprintf(world->saved_room, sizeof world->saved_room, "%s", output->room);
        world->saves++;
        world->is_saving = true;
        break;
    case ROOMS_LOG:
        keep_event(world, output->event);
        break;
    }
}

/* ---- The store and bots ---------------------------------------------------------------------- */

static void step(struct world *world, struct rooms_input *input)
{
    input->now = world->now;
    rooms_step(world->rooms, input);
}

/* What the other processes hear when this question has been stored. */
static bool news_of(const struct store_question *question, struct store_news *news)
{
    *news = (struct store_news){.kind = NEWS_ROOM};
    switch (question->kind) {
    case STORE_APPEND:
        news->next = question->first + question->entries;
        news->listed = question->head.listed;
        memcpy(news->room, question->head.room, sizeof news->room);
        return true;
    case STORE_DELETE:
        memcpy(news->room, question->head.room, sizeof news->room);
        return true;
    case STORE_HERE:
        news->kind = NEWS_HERE;
        memcpy(news->room, question->head.room, sizeof news->room);
        return true;
    case STORE_GUEST:
    case STORE_FORGET:
    case STORE_WITHDRAW:
        news->kind = NEWS_GUEST;
        memcpy(news->guest, question->guest.id, sizeof news->guest);
        return !question->label[0];
    case STORE_NOTE:
    case STORE_UNNOTE:
        news->kind = NEWS_GUEST;
        memcpy(news->guest, question->note.guest, sizeof news->guest);
        return question->note.id[0] == NOTE_MUTE;
    default:
        return false;
    }
}

static void tell_others(struct world *world, const struct store_question *question)
{
    struct store_news news;
    if (!news_of(question, &news))
        return;
    for (struct world *other = world->next; other != world; other = other->next)
        if (other->rooms && !other->deaf) {
            assert_true(other->news_count < WORLD_NEWS);
            other->news[other->news_count++] = news;
        }
}

/* Lets a process hear one of its news; false if there is none. */
static bool hear_news(struct world *world)
{
    if (world->heard == world->news_count)
        return false;
    struct store_news news = world->news[world->heard++];
    if (world->heard == world->news_count)
        world->heard = world->news_count = 0;
    step(world, &(struct rooms_input){.kind = ROOMS_NEWS, .news = &news});
    return true;
}

bool world_answer(struct world *world)
{
    if (world->first == world->count)
        return false;
    struct asked *asked = world->question[world->first++];
    struct store_answer answer = {0};
    bool append = asked->question.kind == STORE_APPEND;
    enum store_outcome outcome = append ? world->outcome : STORE_STORED;
    if (world->fails >> asked->question.kind & 1) {
        world->fails &= ~(1U << asked->question.kind);
        outcome = STORE_FAILED;
    }
    if (world->unsure >> asked->question.kind & 1) {
        world->unsure &= ~(1U << asked->question.kind);
        outcome = STORE_UNKNOWN;
    }
    if (outcome == STORE_STORED || world->lies) {
        store_ask(world->store, &asked->question, &answer);
        if (answer.outcome == STORE_STORED)
            tell_others(world, &asked->question);
    }
    answer.id = asked->question.id;
    answer.kind = asked->question.kind;
    if (outcome != STORE_STORED) {
        answer.outcome = outcome;
        world->outcome = STORE_STORED;
        world->lies = false;
    }
    if (world->first == world->count)
        world->first = world->count = 0;
    step(world, &(struct rooms_input){.kind = ROOMS_ANSWER, .answer = &answer});
    free(answer.memory);
    for (size_t i = 0; i < 512 && asked->text[i]; i++)
        free(asked->text[i]);
    free(asked->people);
    free(asked->entry);
    free(asked);
    return true;
}

/* The first legal event of a player in a record; empty if none is. */
static void first_move(const char *text, const char *map_text, int player, char event[64])
{
    struct es_record *record = calloc(1, sizeof *record);
    struct es_map *map = calloc(1, sizeof *map), *own = NULL;
    struct es_state state;
    struct es_fault fault;
    es_event legal[ES_LEGAL_MAX];
    es_event *events = calloc(ES_EVENTS_MAX, sizeof *events);
    record->events = events;
    record->capacity = ES_EVENTS_MAX;
    event[0] = 0;
    if (map_text[0]) {
        own = calloc(1, sizeof *own);
        assert_int_equal(es_map_read(own, es_str(map_text), &fault), ES_OK);
    }
    if (es_record_read(record, es_str(text), own, map, &state, &fault))
        fail_msg("%d: %s\n%s", fault.line, fault.reason, text);
    const struct es_setup *setup = &record->setup;
    if (setup->game->legal(setup, &state, player, legal) > 0) {
        struct es_out written = {event, 63, 0};
        setup->game->format(setup, legal[0], &written);
        event[written.used] = 0;
    }
    free(events);
    free(record);
    free(map);
    free(own);
}

bool world_think(struct world *world, const char *text)
{
    if (world->thoughts == 0)
        return false;
    char event[64];
    uint64_t id = world->thought[0].id;
    if (text)
        snprintf(event, sizeof event, "%s", text);
    else
        first_move(world->thought[0].record, world->thought[0].map, world->thought[0].seat, event);
    free(world->thought[0].record);
    free(world->thought[0].map);
    world->thoughts--;
    memmove(&world->thought[0], &world->thought[1], world->thoughts * sizeof world->thought[0]);
    step(world,
         &(struct rooms_input){.kind = ROOMS_THOUGHT, .question = id, .text = es_str(event)});
    return true;
}

/* Does what a process can do now; false if that was nothing. */
static bool settle_one(struct world *world)
{
    bool more = !world->store_waits && world_answer(world);
    more = (!world->bots_wait && world_think(world, NULL)) || more;
    more = hear_news(world) || more;
    if (world->is_saving) {
        world->is_saving = false;
        step(world, &(struct rooms_input){.kind = ROOMS_SAVED, .busy = world->save_fails});
        more = true;
    }
    for (size_t i = 0; i < world->clients; i++) {
        struct client *client = &world->client[i];
        if (!client->closed || !client->connection)
            continue;
        uint64_t connection = client->connection;
        client->connection = 0;
        step(world, &(struct rooms_input){.kind = ROOMS_GONE, .connection = connection});
        more = true;
    }
    return more;
}

/* Lets store and bots answer whatever is asked, and tells the processes of news and of closed
 * connections. */
static void settle(struct world *world)
{
    for (bool more = true; more;) {
        struct world *one = world;
        more = false;
        do {
            more = (one->rooms && settle_one(one)) || more;
            one = one->next;
        } while (one != world);
    }
}

/* Returns the process that wants to be woken first, by `end`; NULL: none does. */
static struct world *next_woken(struct world *world, uint64_t end)
{
    struct world *first = NULL, *one = world;
    do {
        if (one->rooms && one->wake && one->wake <= end && (!first || one->wake < first->wake))
            first = one;
        one = one->next;
    } while (one != world);
    return first;
}

/* Sets the time of all processes. */
static void set_now(struct world *world, uint64_t now)
{
    struct world *one = world;
    do {
        one->now = now > one->now ? now : one->now;
        one = one->next;
    } while (one != world);
}

void world_pass(struct world *world, uint64_t ms)
{
    uint64_t end = world->now + ms;
    settle(world);
    for (struct world *one; (one = next_woken(world, end));) {
        set_now(world, one->wake);
        one->wake = 0;
        step(one, &(struct rooms_input){.kind = ROOMS_TIME});
        settle(world);
    }
    set_now(world, end);
    struct world *one = world;
    do {
        if (one->rooms)
            step(one, &(struct rooms_input){.kind = ROOMS_TIME});
        one = one->next;
    } while (one != world);
    settle(world);
}

/* ---- The world ------------------------------------------------------------------------------- */

static void start(struct world *world)
{
    struct rooms_options options = {
        .out = out, .context = world, .limits = world->limits, .keep = world->keep};
    memset(options.seed, ++world->seed, sizeof options.seed);
    memcpy(options.process, world->process, sizeof options.process);
    world->rooms = rooms_new(&options);
    rooms_start(world->rooms, world->now);
    settle(world);
}

void world_open(struct world *world, uint8_t seed)
{
    struct rooms_limits limits = world->limits;
    memset(world, 0, sizeof *world);
    world->limits = limits;
    world->seed = seed;
    world->now = 1700000000000;
    world->store = store_memory();
    world->next = world;
    start(world);
}

void world_beside(struct world *world, struct world *first, uint8_t seed)
{
    memset(world, 0, sizeof *world);
    world->seed = seed;
    world->now = first ? first->now : 1700000000000;
    world->store = first ? first->store : store_memory();
    world->next = first ? first->next : world;
    if (first)
        first->next = world;
    world_start(world);
}

void world_start(struct world *world)
{
    memset(world->process, 'a' + world->seed, sizeof world->process - 1);
    start(world);
}

void world_hear_all(struct world *world)
{
    step(world,
         &(struct rooms_input){.kind = ROOMS_NEWS, .news = &(struct store_news){.kind = NEWS_ALL}});
    settle(world);
}

static void forget_questions(struct world *world)
{
    bool waits = world->store_waits;
    while (world->first < world->count) {
        struct asked *asked = world->question[world->first++];
        for (size_t i = 0; i < 512 && asked->text[i]; i++)
            free(asked->text[i]);
        free(asked->people);
        free(asked->entry);
        free(asked);
    }
    world->first = world->count = 0;
    world->store_waits = waits;
    for (size_t i = 0; i < world->thoughts; i++) {
        free(world->thought[i].record);
        free(world->thought[i].map);
    }
    world->thoughts = 0;
}

void world_kill(struct world *world)
{
    rooms_free(world->rooms);
    world->rooms = NULL;
    forget_questions(world);
    for (size_t i = 0; i < world->clients; i++)
        world->client[i].connection = 0;
    world->wake = 0;
    world->heard = world->news_count = 0;
    world->is_saving = false;
}

void world_restart(struct world *world)
{
    world_kill(world);
    start(world);
}

void world_close(struct world *world)
{
    rooms_free(world->rooms);
    forget_questions(world);
    free(world->saved);
    struct world *before = world;
    while (before->next != world)
        before = before->next;
    before->next = world->next;
    if (before == world)
        world->store->close(world->store);
    for (size_t i = 0; i < world->clients; i++) {
        for (size_t k = 0; k < world->client[i].count; k++)
            json_decref(world->client[i].heard[k]);
        free(world->client[i].body);
    }
}

/* ---- Clients --------------------------------------------------------------------------------- */

struct client *world_stranger(struct world *world)
{
    assert_true(world->clients < WORLD_CLIENTS);
    struct client *client = &world->client[world->clients++];
    client->world = world;
    return client;
}

static void quotes(char *text)
{
    for (; *text; text++)
        if (*text == '\'')
            *text = '"';
}

static void connect(struct client *client, enum rooms_path path, const char *room)
{
    struct world *world = client->world;
    client->connection = ++world->next_connection;
    client->closed = 0;
    client->is_known = false;
    client->read = client->count;
    step(world, &(struct rooms_input){.kind = ROOMS_OPENED,
                                      .connection = client->connection,
                                      .path = path,
                                      .room = es_str(room),
                                      .address = (uint64_t)(client - world->client) + 1,
                                      .network = (uint64_t)(client - world->client) / 4 + 1,
                                      .token = es_str(path == ROOMS_REQUEST ? client->token : "")});
}

void client_send(struct client *client, struct es_str text)
{
    note(client, " > ", text);
    step(client->world, &(struct rooms_input){
                            .kind = ROOMS_MESSAGE, .connection = client->connection, .text = text});
    settle(client->world);
}

void client_say(struct client *client, const char *format, ...)
{
    char text[8000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    quotes(text);
    client->read = client->count;
    client_send(client, es_str(text));
}

void client_connect_with(struct client *client, const char *room, const char *more)
{
    if (client->connection)
        client_lose(client);
    connect(client, room[0] ? ROOMS_ROOM : ROOMS_LOBBY, room);
    if (!client->closed) {
        if (client->token[0])
            client_say(client, "{'t':'hello','v':1,'token':'%s'%s}", client->token, more);
        else
            client_say(client, "{'t':'hello','v':1%s}", more);
    }
    settle(client->world);
}

void client_connect(struct client *client, const char *room)
{
    client->view[0] = 0;
    client_connect_with(client, room, "");
}

void client_lose(struct client *client)
{
    uint64_t connection = client->connection;
    client->connection = 0;
    step(client->world, &(struct rooms_input){.kind = ROOMS_GONE, .connection = connection});
    settle(client->world);
}

bool client_heard(struct client *client, const char *type)
{
    while (client->read < client->count) {
        client->latest = client->heard[client->read++];
        if (strcmp(client_text(client, "t"), type) == 0)
            return true;
    }
    return false;
}

const char *client_refused(struct client *client)
{
    return client_heard(client, "no") ? client_text(client, "code") : "";
}

static void begin(struct client *client, enum rooms_path path, const char *format, va_list list)
{
    static char text[140000];
    vsnprintf(text, sizeof text, format, list);
    quotes(text);
    client->status = 0;
    connect(client, path, "");
    client_send(client, es_str(text));
}

static void ask(struct client *client, enum rooms_path path, const char *format, va_list list)
{
    uint64_t before = client->connection;
    begin(client, path, format, list);
    client_lose(client);
    client->connection = before;
}

void client_begin_request(struct client *client, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    begin(client, ROOMS_REQUEST, format, list);
    va_end(list);
}

void client_request(struct client *client, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    ask(client, ROOMS_REQUEST, format, list);
    va_end(list);
}

void client_command(struct client *client, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    ask(client, ROOMS_OPERATOR, format, list);
    va_end(list);
}

const char *client_text(const struct client *client, const char *field)
{
    const char *text = json_string_value(json_object_get(client->latest, field));
    return text ? text : "";
}

long client_int(const struct client *client, const char *field)
{
    return (long)json_integer_value(json_object_get(client->latest, field));
}

struct client *world_guest(struct world *world, const char *name)
{
    struct client *client = world_stranger(world);
    snprintf(client->name, sizeof client->name, "%s", name);
    client_request(client, "{'t':'guest','name':'%s','colour':3}", name);
    assert_int_equal(client->status, 200);
    json_t *answer = json_loads(client->body, 0, NULL);
    snprintf(client->token, sizeof client->token, "%s",
             json_string_value(json_object_get(answer, "token")));
    snprintf(client->guest, sizeof client->guest, "%s",
             json_string_value(json_object_get(answer, "guest")));
    json_decref(answer);
    return client;
}

struct client *client_at(const struct client *client, struct world *world)
{
    struct client *other = world_stranger(world);
    memcpy(other->name, client->name, sizeof other->name);
    memcpy(other->token, client->token, sizeof other->token);
    memcpy(other->guest, client->guest, sizeof other->guest);
    return other;
}

/* ---- Playing --------------------------------------------------------------------------------- */

const char *world_room(struct client *host, const char *setup, const char *more)
{
    static int count;
    static char id[STORE_ROOM_BYTES];
    client_connect(host, "");
    client_say(host, "{'t':'make','key':'room%d','setup':'%s'%s}", ++count, setup, more);
    if (!client_heard(host, "ok"))
        fail_msg("no room: %s", client_text(host, "code"));
    snprintf(id, sizeof id, "%s", client_text(host, "room"));
    return id;
}

static void word_of(const struct client *client, uint8_t word[32])
{
    memset(word, (int)(client - client->world->client) + 1, 32);
}

void client_sit(struct client *client, int seat)
{
    uint8_t word[32], hash[32];
    char hex[65];
    struct es_out digits = {hex, sizeof hex, 0};
    static int count;
    word_of(client, word);
    es_fair_hash(word, hash);
    es_out_hex(&digits, hash, sizeof hash);
    hex[64] = 0;
    client_say(client, "{'t':'sit','key':'sit%d','seat':%d,'hash':'%s'}", ++count, seat, hex);
}

void client_word(struct client *client)
{
    uint8_t word[32];
    char hex[65];
    struct es_out digits = {hex, sizeof hex, 0};
    word_of(client, word);
    es_out_hex(&digits, word, sizeof word);
    hex[64] = 0;
    client_say(client, "{'t':'word','word':'%s'}", hex);
}

bool client_move(struct client *client)
{
    if (!client->connection || !client->view[0] || !client->room)
        return false;
    long seat = (long)json_integer_value(json_object_get(client->room, "seat"));
    size_t i;
    json_t *due;
    bool mine = false;
    json_array_foreach(client->due, i, due) mine = mine || json_integer_value(due) == seat;
    if (!mine)
        return false;
    char event[64], prefix[8];
    snprintf(prefix, sizeof prefix, "\n%ld ", seat);
    first_move(client->view, "", (int)seat, event);
    if (!event[0])
        return false;
    int decision = 0;
    for (const char *at = strstr(client->view, "\n\n"); at && (at = strstr(at, prefix)); at++)
        decision++;
    client_say(client, "{'t':'move','decision':%d,'event':'%s'}", decision, event);
    return true;
}

void world_play(struct world *world)
{
    bool playing = true;
    for (int i = 0; i < 2000 && playing; i++) {
        playing = false;
        for (size_t k = 0; k < world->clients; k++) {
            struct client *client = &world->client[k];
            client_move(client);
            playing = playing || (client->connection && client->room &&
                                  strcmp(json_string_value(json_object_get(client->room, "phase")),
                                         "playing") == 0);
        }
        world_pass(world, 5000); /* nobody writes more than the limits allow */
    }
}
