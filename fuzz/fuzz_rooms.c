/* Fuzz target: any bytes as what clients send to the rooms, with a store in memory and bots that
 * answer at once. Each line is one thing that happens:
 *
 *     0+          client 0 (to 3) connects to the lobby and says hello
 *     0*          … to the latest room; 0= with its code
 *     0-          … loses its connection
 *     0{…}        … sends a message; 0?{…} makes a request
 *     t5          time passes: 10^5 ms
 *     u, f, n     the next batch is of unknown outcome, fails, is refused; U: unknown, but stored
 *     r           the server restarts
 *
 * In messages $R is the latest room, $C its code, $W a word and $H its hash. Whatever the bytes
 * are, every answer is JSON, and what is stored can be read. */
#include "rooms/rooms.h"
#include <assert.h>
#include <endstation/fair.h>
#include <endstation/map.h>
#include <endstation/record.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CLIENTS = 4, QUESTIONS = 512 };

static struct rooms *rooms;
static struct store *store;
static uint64_t now, latest_connection, wake;
static uint64_t connection[CLIENTS], closed[64], request;
static size_t closing;
static char token[CLIENTS][80], room[20], code[13], replied[256];
static char fate; /* of the next batch */

struct asked {
    struct store_question question;
    char *people, *text;
    struct store_entry *entry;
};
static struct asked waiting[QUESTIONS];
static size_t asked;
static struct {
    uint64_t question;
    int seat;
    char *record;
} thought[64];
static size_t thoughts;

static char *copy(struct es_str text)
{
    char *bytes = calloc(1, text.size + 1);
    if (text.size > 0)
        memcpy(bytes, text.at, text.size);
    return bytes;
}

static void keep(const struct store_question *question)
{
    assert(asked < QUESTIONS);
    struct asked *one = &waiting[asked++];
    one->question = *question;
    one->people = copy(question->head.people);
    one->question.head.people = es_str(one->people);
    one->text = copy(question->text);
    one->question.text = es_str(one->text);
    one->entry = calloc(question->entries + 1, sizeof *one->entry);
    for (size_t i = 0; i < question->entries; i++) {
        one->entry[i] = question->entry[i];
        one->entry[i].text = es_str(copy(question->entry[i].text));
    }
    one->question.entry = one->entry;
}

static void release(struct asked *one)
{
    for (size_t i = 0; i < one->question.entries; i++)
        free((char *)one->entry[i].text.at);
    free(one->entry);
    free(one->people);
    free(one->text);
}

static void look(struct es_str text)
{
    json_t *message = json_loadb(text.at, text.size, 0, NULL);
    assert(json_is_object(message));
    const char *id = json_string_value(json_object_get(message, "room"));
    const char *key = json_string_value(json_object_get(message, "code"));
    if (id && strlen(id) == 16)
        strcpy(room, id);
    if (key && strlen(key) == 12)
        strcpy(code, key);
    json_decref(message);
}

static void out(void *context, const struct rooms_output *output)
{
    (void)context;
    switch (output->kind) {
    case ROOMS_SEND:
        look(output->text);
        break;
    case ROOMS_REPLY:
        if (output->connection[0] == request)
            snprintf(replied, sizeof replied, "%.*s", (int)output->text.size, output->text.at);
        break;
    case ROOMS_CLOSE:
        if (closing < 64)
            closed[closing++] = output->connection[0];
        break;
    case ROOMS_ASK:
        keep(output->store);
        break;
    case ROOMS_THINK:
        if (thoughts < 64) {
            thought[thoughts].question = output->question;
            thought[thoughts].seat = output->seat;
            thought[thoughts++].record = copy(output->text);
        }
        break;
    case ROOMS_FORGET:
        for (size_t i = 0; i < thoughts; i++)
            if (thought[i].question == output->question) {
                free(thought[i].record);
                thought[i] = thought[--thoughts];
            }
        break;
    case ROOMS_WAKE:
        wake = output->when;
        break;
    case ROOMS_LOG:
        assert(output->event->kind != ROOMS_EVENT_ROOM_UNREADABLE);
        break;
    case ROOMS_KNOWN:
    case ROOMS_SAVE:
        break;
    }
}

static void step(struct rooms_input input)
{
    input.now = now;
    rooms_step(rooms, &input);
}

static void answer(struct asked *one)
{
    struct store_answer answer = {0};
    char how = one->question.kind == STORE_APPEND ? fate : 0;
    if (how == 0 || how == 'U') {
        store_ask(store, &one->question, &answer);
    }
    answer.id = one->question.id;
    answer.kind = one->question.kind;
    if (how) {
        answer.outcome = how == 'f' ? STORE_FAILED : how == 'n' ? STORE_REFUSED : STORE_UNKNOWN;
        fate = 0;
    }
    step((struct rooms_input){.kind = ROOMS_ANSWER, .answer = &answer});
    free(answer.memory);
}

/* The first legal move, as a bot's answer. */
static void think(const char *record_text, int seat, char event[64])
{
    static struct es_record record;
    static es_event events[ES_EVENTS_MAX];
    static struct es_map map;
    struct es_state state;
    struct es_fault fault;
    es_event legal[ES_LEGAL_MAX];
    record.events = events;
    record.capacity = ES_EVENTS_MAX;
    event[0] = 0;
    if (es_record_read(&record, es_str(record_text), NULL, &map, &state, &fault))
        return;
    if (record.setup.game->legal(&record.setup, &state, seat, legal) > 0) {
        struct es_out text = {event, 63, 0};
        record.setup.game->format(&record.setup, legal[0], &text);
        event[text.used] = 0;
    }
}

static void settle(void)
{
    for (bool more = true; more;) {
        more = false;
        while (asked > 0) {
            struct asked one = waiting[0];
            memmove(&waiting[0], &waiting[1], --asked * sizeof one);
            answer(&one);
            release(&one);
            more = true;
        }
        if (thoughts > 0) {
            char event[64];
            uint64_t question = thought[0].question;
            think(thought[0].record, thought[0].seat, event);
            free(thought[0].record);
            memmove(&thought[0], &thought[1], --thoughts * sizeof thought[0]);
            step((struct rooms_input){
                .kind = ROOMS_THOUGHT, .question = question, .text = es_str(event)});
            more = true;
        }
        while (closing > 0) {
            uint64_t gone = closed[--closing];
            for (int i = 0; i < CLIENTS; i++)
                if (connection[i] == gone)
                    connection[i] = 0;
            step((struct rooms_input){.kind = ROOMS_GONE, .connection = gone});
            more = true;
        }
    }
}

static void pass(uint64_t ms)
{
    uint64_t end = now + ms;
    for (int i = 0; i < 200 && wake && wake <= end; i++) {
        now = wake > now ? wake : now;
        wake = 0;
        step((struct rooms_input){.kind = ROOMS_TIME});
        settle();
    }
    now = end;
    step((struct rooms_input){.kind = ROOMS_TIME});
    settle();
}

static void say(uint64_t to, struct es_str text)
{
    static char message[3 * ROOMS_MESSAGE_MAX];
    static const char word[] = "0101010101010101010101010101010101010101010101010101010101010101";
    static const char hash[] = "72cd6e8422c407fb6d098690f1130b7ded7ec2f7f5e1d30bd9d521f015363793";
    size_t used = 0;
    for (size_t i = 0; i < text.size && used + 70 < sizeof message; i++) {
        char next = text.at[i] == '$' && i + 1 < text.size ? text.at[i + 1] : 0;
        const char *value = next == 'R'   ? room
                            : next == 'C' ? code
                            : next == 'W' ? word
                            : next == 'H' ? hash
                                          : NULL;
        if (value) {
            memcpy(message + used, value, strlen(value));
            used += strlen(value);
            i++;
        } else {
            message[used++] = text.at[i];
        }
    }
    step((struct rooms_input){.kind = ROOMS_MESSAGE, .connection = to, .text = {message, used}});
    settle();
}

static uint64_t open_connection(enum rooms_path path, const char *to, const char *cookie)
{
    step((struct rooms_input){.kind = ROOMS_OPENED,
                              .connection = ++latest_connection,
                              .path = path,
                              .room = es_str(to),
                              .token = es_str(cookie)});
    return latest_connection;
}

static void lose(int client)
{
    if (connection[client])
        step((struct rooms_input){.kind = ROOMS_GONE, .connection = connection[client]});
    connection[client] = 0;
    settle();
}

static void greet(int client, enum rooms_path path, bool with_code)
{
    char hello[200];
    lose(client);
    connection[client] = open_connection(path, path == ROOMS_ROOM ? room : "", token[client]);
    snprintf(hello, sizeof hello, "{\"t\":\"hello\",\"v\":1%s%s%s}",
             with_code ? ",\"code\":\"" : "", with_code ? code : "", with_code ? "\"" : "");
    settle();
    if (connection[client])
        say(connection[client], es_str(hello));
}

static void ask_by_http(int client, struct es_str text)
{
    replied[0] = 0;
    request = open_connection(ROOMS_REQUEST, "", token[client]);
    say(request, text);
    step((struct rooms_input){.kind = ROOMS_GONE, .connection = request});
}

static void start(void)
{
    struct rooms_options options = {.out = out, .seed = {1, (uint8_t)latest_connection}};
    rooms = rooms_new(&options);
    wake = 0;
    rooms_start(rooms, now);
    settle();
}

static void end(void)
{
    rooms_free(rooms);
    while (asked > 0)
        release(&waiting[--asked]);
    while (thoughts > 0)
        free(thought[--thoughts].record);
    memset(connection, 0, sizeof connection);
    closing = 0;
}

static void line(struct es_str text)
{
    if (text.size == 0)
        return;
    char first = text.at[0], second = text.size > 1 ? text.at[1] : 0;
    if (first >= '0' && first < '0' + CLIENTS && second) {
        int client = first - '0';
        struct es_str rest = {text.at + 1, text.size - 1};
        if (second == '+')
            greet(client, ROOMS_LOBBY, false);
        else if (second == '*' || second == '=')
            greet(client, ROOMS_ROOM, second == '=');
        else if (second == '-')
            lose(client);
        else if (second == '?')
            ask_by_http(client, (struct es_str){rest.at + 1, rest.size - 1});
        else if (connection[client])
            say(connection[client], rest);
    } else if (first == 't' && second >= '0' && second <= '9') {
        uint64_t ms = 1;
        for (char i = '0'; i < second; i++)
            ms *= 10;
        pass(ms);
    } else if (strchr("ufnU", first)) {
        fate = first;
    } else if (first == 'r') {
        end();
        start();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    now = 1700000000000;
    latest_connection = 0;
    fate = 0;
    memset(token, 0, sizeof token);
    room[0] = code[0] = 0;
    store = store_memory();
    start();
    for (int i = 0; i < CLIENTS - 1; i++) { /* the last one is a stranger */
        ask_by_http(i, es_str("{\"t\":\"guest\",\"name\":\"Ada\"}"));
        sscanf(replied, "{\"guest\":\"%*[a-z2-7]\",\"token\":\"%64[0-9a-f]", token[i]);
        assert(strlen(token[i]) == 64);
    }
    const char *at = (const char *)data, *last = at + size;
    for (int i = 0; i < 100 && at < last; i++) {
        const char *newline = memchr(at, '\n', (size_t)(last - at));
        const char *stop = newline ? newline : last;
        line((struct es_str){at, (size_t)(stop - at)});
        at = stop + 1;
    }
    fate = 0;
    pass(10000);
    end();
    start(); /* everything that is stored can be read */
    for (int i = 0; i < CLIENTS; i++)
        greet(i, ROOMS_ROOM, true);
    pass(10000);
    end();
    store->close(store);
    return 0;
}
