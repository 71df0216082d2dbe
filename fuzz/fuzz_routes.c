/* Fuzz target: any bytes as HTTP requests to a server with two games under way: one of metro in an
 * open room, one of verplant by invitation. Requests follow one another, each ended by a line with
 * a dot:
 *
 *     POST /api/guest?a=b
 *     Content-Type: application/json
 *
 *     {"name":"Ada"}
 *     .
 *
 * The method WS opens a WebSocket; every line of its body is a message. $T is the token of one who
 * sits at both games, $O the open room, $P the other one, $C its code, $K a ticket.
 *
 * Everything behind the parser of libwebsockets is the program's: reading headers, routes, the
 * rooms, the page. The library's headers, the sockets, the writer's thread and those of bots are
 * replaced below, so that the same bytes always do the same. Whatever they are: every request has
 * one answer, of a known status and type; JSON can be read; GET and HEAD write nothing; no answer
 * has the token, and none for somebody else what only its owner may see. */
#include "server/api.h"
#include "server/http.h"
#include "server/internal.h"
#include "server/service.h"
#include "server/thinkers.h"
#include "server/writer.h"
#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REQUESTS_MAX = 20, HEADERS_MAX = 40, ARGS_MAX = 40, CLOSED_MAX = 64 };

static struct server server;
static struct service *service;
static uint64_t latest; /* number of a connection */
static bool is_posted;

/* ---- Randomness ------------------------------------------------------------------------------ */

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)flags;
    memset(bytes, 7, size);
    return (ssize_t)size;
}

/* ---- Headers, as libwebsockets would have them -------------------------------------------------
 */

struct text {
    char *at;
    size_t size;
};

static struct header {
    struct text name, value;
} header[HEADERS_MAX];
static size_t headers;
static struct text path, arg[ARGS_MAX];
static size_t args;
static enum lws_token_indexes method_token;

static const struct {
    enum lws_token_indexes token;
    const char *name;
} known[] = {
    {WSI_TOKEN_HOST, "host"},
    {WSI_TOKEN_ORIGIN, "origin"},
    {WSI_TOKEN_HTTP_COOKIE, "cookie"},
    {WSI_TOKEN_HTTP_AUTHORIZATION, "authorization"},
    {WSI_TOKEN_HTTP_CONTENT_TYPE, "content-type"},
    {WSI_TOKEN_HTTP_CONTENT_LENGTH, "content-length"},
    {WSI_TOKEN_HTTP_TRANSFER_ENCODING, "transfer-encoding"},
    {WSI_TOKEN_HTTP_ACCEPT_ENCODING, "accept-encoding"},
    {WSI_TOKEN_HTTP_IF_NONE_MATCH, "if-none-match"},
    {WSI_TOKEN_X_FORWARDED_FOR, "x-forwarded-for"},
    {WSI_TOKEN_HTTP_VIA, "via"},
    {WSI_TOKEN_HTTP_X_REAL_IP, "x-real-ip"},
};

static const struct text *find_header(const char *name, size_t size)
{
    for (size_t i = 0; i < headers; i++)
        if (header[i].name.size == size && strncasecmp(header[i].name.at, name, size) == 0)
            return &header[i].value;
    return NULL;
}

static const struct text *find_token(enum lws_token_indexes token)
{
    if (token == method_token)
        return &path;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].token == token)
            return find_header(known[i].name, strlen(known[i].name));
    return NULL;
}

static int copy_out(const struct text *text, char *to, int room)
{
    to[0] = '\0';
    if (!text)
        return 0;
    if (text->size >= (size_t)room)
        return -1;
    memcpy(to, text->at, text->size);
    to[text->size] = '\0';
    return (int)text->size;
}

int lws_hdr_total_length(struct lws *wsi, enum lws_token_indexes token)
{
    (void)wsi;
    const struct text *text = find_token(token);
    return text ? (int)text->size : 0;
}

int lws_hdr_copy(struct lws *wsi, char *to, int room, enum lws_token_indexes token)
{
    (void)wsi;
    return copy_out(find_token(token), to, room);
}

int lws_hdr_copy_fragment(struct lws *wsi, char *to, int room, enum lws_token_indexes token, int i)
{
    (void)wsi;
    assert(token == WSI_TOKEN_HTTP_URI_ARGS);
    return (size_t)i < args ? copy_out(&arg[i], to, room) : -1;
}

int lws_hdr_custom_copy(struct lws *wsi, char *to, int room, const char *name, int size)
{
    (void)wsi;
    const struct text *text = find_header(name, (size_t)size - 1); /* without the colon */
    return text ? copy_out(text, to, room) : -1;
}

lws_sockfd_type lws_get_socket_fd(struct lws *wsi)
{
    static int pair[2] = {-1, -1}; /* forwarded addresses are believed on a Unix socket */
    (void)wsi;
    if (pair[0] < 0)
        assert(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
    return pair[0];
}

struct connection *connection_of(struct lws *wsi)
{
    static struct connection one = {.seen = true}; /* its first line has been looked at */
    (void)wsi;
    return &one;
}

/* ---- The writer and the bots: at once, and never -----------------------------------------------
 */

struct writer {
    struct store *store;
    struct writer_answer *first, **last;
};
static struct writer writer;
static size_t writes; /* so far */

struct writer *writer_open(struct store *store, void (*ready)(void *context), void *context)
{
    (void)ready;
    (void)context;
    writer = (struct writer){store, NULL, &writer.first};
    return &writer;
}

void writer_ask(struct writer *to, const struct store_question *question)
{
    struct writer_answer *answer = calloc(1, sizeof *answer);
    assert(answer);
    store_ask(to->store, question, &answer->answer);
    answer->answer.id = question->id;
    answer->answer.kind = question->kind;
    writes += store_writes(question->kind);
    *to->last = answer;
    to->last = &answer->next;
    is_posted = true;
}

struct writer_answer *writer_take(struct writer *from)
{
    struct writer_answer *first = from->first;
    from->first = NULL;
    from->last = &from->first;
    return first;
}

void writer_free(struct writer_answer *answer)
{
    free(answer->answer.memory);
    free(answer);
}

void writer_counts(struct writer *of, struct writer_counts *counts)
{
    (void)of;
    *counts = (struct writer_counts){.is_well = true};
}

void writer_close(struct writer *of)
{
    for (struct writer_answer *answer = writer_take(of), *next; answer; answer = next) {
        next = answer->next;
        writer_free(answer);
    }
}

struct thinkers *thinkers_open(unsigned threads, void (*ready)(void *context), void *context)
{
    (void)threads;
    (void)ready;
    (void)context;
    return (struct thinkers *)&latest;
}

void thinkers_ask(struct thinkers *to, const struct thinkers_question *question)
{
    (void)to;
    (void)question;
}

void thinkers_forget(struct thinkers *of, uint64_t id)
{
    (void)of;
    (void)id;
}

struct thinkers_answer *thinkers_take(struct thinkers *from)
{
    (void)from;
    return NULL;
}

void thinkers_counts(struct thinkers *of, struct thinkers_counts *counts)
{
    (void)of;
    *counts = (struct thinkers_counts){0};
}

void thinkers_close(struct thinkers *of)
{
    (void)of;
}

/* ---- The sockets: what is sent is looked at
 * ------------------------------------------------------ */

static struct server_answer replied;
static uint64_t asked; /* the request that waits */
static bool is_replied;
static uint64_t closed[CLOSED_MAX];
static size_t closing;
static char token[65], open_room[17], secret_room[17], code[13], ticket[65];
static char hand[64]; /* a line that only the owner of the token may see */

void server_send(struct server *from, const uint64_t *to, size_t count, struct es_str text)
{
    (void)from;
    (void)to;
    (void)count;
    json_t *message = json_loadb(text.at, text.size, 0, NULL);
    assert(json_is_object(message));
    const char *value = json_string_value(json_object_get(message, "ticket"));
    if (value)
        snprintf(ticket, sizeof ticket, "%s", value);
    value = json_string_value(json_object_get(message, "text"));
    const char *deal = value ? strstr(value, "\ndeal 1 ") : NULL;
    if (deal && deal[8] != '?')
        snprintf(hand, sizeof hand, "%.*s", (int)strcspn(deal + 1, "\n"), deal + 1);
    value = json_string_value(json_object_get(message, "room"));
    const char *key = json_string_value(json_object_get(message, "code"));
    if (value && key && !open_room[0])
        snprintf(open_room, sizeof open_room, "%s", value);
    else if (value && key && !secret_room[0] && strcmp(value, open_room) != 0) {
        snprintf(secret_room, sizeof secret_room, "%s", value);
        snprintf(code, sizeof code, "%s", key);
    }
    json_decref(message);
}

void server_reply(struct server *from, uint64_t connection, const struct server_answer *answer)
{
    (void)from;
    assert(connection == asked && !is_replied);
    replied = *answer;
    is_replied = true;
}

void server_hang_up(struct server *from, uint64_t connection, int why)
{
    (void)from;
    assert(why >= 1000 && why < 5000 && closing < CLOSED_MAX);
    closed[closing++] = connection;
}

void server_know(struct server *from, uint64_t connection)
{
    (void)from;
    (void)connection;
}

void server_set_key(struct server *from, const uint8_t key[SERVER_KEY_BYTES])
{
    (void)from;
    (void)key;
}

void server_wake(struct server *from, int64_t ms)
{
    (void)from;
    (void)ms;
}

void server_post(struct server *from)
{
    (void)from;
    is_posted = true;
}

void server_finish(struct server *from)
{
    (void)from;
}

const struct server_counts *server_counts(const struct server *from)
{
    return &from->counts;
}

static void settle(void)
{
    while (is_posted || closing > 0) {
        is_posted = false;
        service_events.posted(service);
        if (closing > 0)
            service_events.gone(service, closed[--closing]);
    }
}

/* ---- Requests -------------------------------------------------------------------------------- */

static bool has(const struct server_answer *answer, const char *text)
{
    return text[0] && answer->size > 0 &&
           memmem(answer->bytes, answer->size, text, strlen(text)) != NULL;
}

static void check(const struct server_request *request, const struct server_answer *answer)
{
    static const int statuses[] = {200, 304, 400, 403, 404, 405, 413, 414, 415, 429, 503};
    bool is_known = false, is_api = strncmp(request->path, "/api/", 5) == 0;
    for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++)
        is_known |= answer->status == statuses[i];
    assert(is_known && answer->cache && (answer->type || answer->status == 304));
    assert(!is_api || strcmp(answer->cache, "no-store") == 0);
    assert(strlen(answer->cookie) < sizeof answer->cookie && !strpbrk(answer->cookie, "\r\n"));
    if (is_api && (answer->status != 200 || strcmp(answer->type, "application/json") == 0)) {
        json_t *json = json_loadb(answer->bytes, answer->size, 0, NULL);
        assert(json_is_object(json));
        assert(answer->status == 200 || json_is_string(json_object_get(json, "code")));
        json_decref(json);
    } else if (is_api && strcmp(answer->type, "image/svg+xml") == 0) {
        assert(answer->size > 4 && memcmp(answer->bytes, "<svg", 4) == 0);
    }
    char own[API_TOKEN_BYTES];
    api_token(request, own);
    assert(!has(answer, token));
    assert(strcmp(own, token) == 0 || !has(answer, hand));
}

/* Asks as exchange.c does, and checks the answer. */
static void ask(struct server_request *request, struct server_answer *answer)
{
    size_t before = writes;
    asked = request->connection = ++latest;
    is_replied = false;
    *answer = (struct server_answer){0};
    service_events.answer(service, request, answer);
    settle();
    if (answer->status == SERVER_LATER) {
        assert(is_replied);
        *answer = replied;
    } else {
        assert(!is_replied);
    }
    assert(request->method == SERVER_POST || writes == before);
    if (answer->status == SERVER_READ || answer->status == SERVER_ACCEPT)
        return;
    check(request, answer);
    free(answer->owned);
}

static void open_socket(struct server_request *request, const struct text *body)
{
    struct server_answer answer = {0};
    request->method = SERVER_UPGRADE;
    ask(request, &answer);
    if (answer.status != SERVER_ACCEPT)
        return;
    request->connection = ++latest;
    service_events.opened(service, request);
    settle();
    for (size_t from = 0; from < body->size;) {
        const char *at = body->at + from, *end = memchr(at, '\n', body->size - from);
        size_t size = end ? (size_t)(end - at) : body->size - from;
        if (http_is_utf8(at, size))
            service_events.message(service, request->connection, (struct es_str){at, size});
        settle();
        from += size + 1;
    }
    service_events.gone(service, request->connection);
    settle();
}

static void take_request(bool is_upgrade, const struct text *body)
{
    static struct request_texts texts;
    struct server_request request;
    struct server_answer answer;
    if (!request_read(&server, NULL, &request, &texts))
        return;
    bool is_read = request.method == SERVER_GET || request.method == SERVER_HEAD;
    long size = request_body(NULL);
    if (is_upgrade) {
        open_socket(&request, body);
        return;
    }
    if (is_read && size != 0)
        return;
    ask(&request, &answer);
    if (answer.status != SERVER_READ)
        return;
    if (size >= 0 && (size_t)size != body->size)
        size = (long)body->size; /* what libwebsockets hands over is of the size that was said */
    if (size < 0 || (size_t)size > answer.size)
        return;
    char *copy = malloc((size_t)size + 1); /* of its very size, for sanitizers */
    assert(copy);
    memcpy(copy, body->at, (size_t)size);
    request.body = (struct es_str){copy, (size_t)size};
    ask(&request, &answer);
    free(copy);
}

/* ---- Reading the input -------------------------------------------------------------------------
 */

/* Takes a line off the front of a text. */
static struct text take_line(struct text *from)
{
    char *end = from->size > 0 ? memchr(from->at, '\n', from->size) : NULL;
    struct text line = {from->at, end ? (size_t)(end - from->at) : from->size};
    size_t used = line.size + (end != NULL);
    from->at += used;
    from->size -= used;
    return line;
}

/* Decodes %XX in place, as the library does with paths and arguments. */
static void decode(struct text *text)
{
    size_t used = 0;
    for (size_t i = 0; i < text->size; i++) {
        unsigned byte;
        char digits[3] = "";
        if (text->at[i] == '%' && i + 2 < text->size) {
            memcpy(digits, text->at + i + 1, 2);
            if (strspn(digits, "0123456789abcdefABCDEF") == 2 && sscanf(digits, "%x", &byte) == 1) {
                text->at[used++] = (char)byte;
                i += 2;
                continue;
            }
        }
        text->at[used++] = text->at[i];
    }
    text->size = used;
}

static void read_target(struct text target)
{
    char *question = target.size > 0 ? memchr(target.at, '?', target.size) : NULL;
    path = (struct text){target.at, question ? (size_t)(question - target.at) : target.size};
    struct text rest = {question, question ? target.size - path.size - 1 : 0};
    args = 0;
    if (question)
        rest.at++;
    while (rest.size > 0 && args < ARGS_MAX) {
        char *end = memchr(rest.at, '&', rest.size);
        struct text one = {rest.at, end ? (size_t)(end - rest.at) : rest.size};
        rest.at += one.size + (end != NULL);
        rest.size -= one.size + (end != NULL);
        decode(&one);
        arg[args++] = one;
    }
    decode(&path);
}

static void read_request(struct text *from)
{
    static const struct {
        const char *name;
        enum lws_token_indexes token;
    } methods[] = {{"GET ", WSI_TOKEN_GET_URI},   {"HEAD ", WSI_TOKEN_HEAD_URI},
                   {"POST ", WSI_TOKEN_POST_URI}, {"PUT ", WSI_TOKEN_PUT_URI},
                   {"WS ", WSI_TOKEN_GET_URI},    {"DELETE ", WSI_TOKEN_DELETE_URI}};
    struct text first = take_line(from), body = {from->at, 0}, line;
    size_t chosen = 0, skip = 0;
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (first.size >= strlen(methods[i].name) &&
            memcmp(first.at, methods[i].name, strlen(methods[i].name)) == 0) {
            chosen = i;
            skip = strlen(methods[i].name);
        }
    method_token = methods[chosen].token;
    read_target((struct text){first.at + skip, first.size - skip});
    headers = 0;
    while (from->size > 0 && (line = take_line(from)).size > 0) {
        char *colon = memchr(line.at, ':', line.size);
        if (line.size == 1 && line.at[0] == '.')
            goto whole;
        if (!colon || headers == HEADERS_MAX)
            continue;
        struct text name = {line.at, (size_t)(colon - line.at)},
                    value = {colon + 1, line.size - name.size - 1};
        while (value.size > 0 && value.at[0] == ' ')
            value.at++, value.size--;
        header[headers++] = (struct header){name, value};
    }
    body.at = from->at;
    while (from->size > 0) {
        line = take_line(from);
        if (line.size == 1 && line.at[0] == '.')
            break;
        body.size = (size_t)(line.at - body.at) + line.size;
    }
whole:
    take_request(strcmp(methods[chosen].name, "WS ") == 0, &body);
}

/* Returns the input with the values of its names, to be freed. */
static struct text fill_in(const uint8_t *data, size_t size)
{
    char *at = malloc(size * 40 + 1);
    size_t used = 0;
    assert(at);
    for (size_t i = 0; i < size; i++) {
        char next = data[i] == '$' && i + 1 < size ? (char)data[i + 1] : 0;
        const char *value = next == 'T'   ? token
                            : next == 'O' ? open_room
                            : next == 'P' ? secret_room
                            : next == 'C' ? code
                            : next == 'K' ? ticket
                                          : NULL;
        if (value) {
            memcpy(at + used, value, strlen(value));
            used += strlen(value);
            i++;
        } else {
            at[used++] = (char)data[i];
        }
    }
    return (struct text){at, used};
}

/* ---- The two games -----------------------------------------------------------------------------
 */

static uint64_t enter(const char *to, const char *whose)
{
    char where[40], authorization[80], hello[80];
    struct server_request request = {.method = SERVER_UPGRADE,
                                     .path = where,
                                     .accept_encoding = "",
                                     .if_none_match = "",
                                     .cookie = "",
                                     .authorization = authorization,
                                     .content_type = "",
                                     .connection = ++latest};
    snprintf(where, sizeof where, "/ws/%s", to);
    snprintf(authorization, sizeof authorization, "Bearer %s", whose);
    snprintf(hello, sizeof hello, "{\"t\":\"hello\",\"v\":1,\"code\":\"%s\"}",
             strcmp(to, secret_room) == 0 ? code : "");
    service_events.opened(service, &request);
    service_events.message(service, latest, es_str(hello));
    settle();
    return request.connection;
}

static void say(uint64_t from, const char *text)
{
    service_events.message(service, from, es_str(text));
    settle();
}

static void make_guest(char whose[65])
{
    struct server_request request = {.method = SERVER_POST,
                                     .path = "/api/guest",
                                     .cookie = "",
                                     .authorization = "",
                                     .content_type = "application/json",
                                     .body = es_str("{\"name\":\"Ada\"}"),
                                     .connection = asked = ++latest};
    struct server_answer answer = {0};
    is_replied = false;
    service_events.answer(service, &request, &answer);
    settle();
    assert(is_replied && replied.status == 200);
    json_t *json = json_loadb(replied.bytes, replied.size, 0, NULL);
    snprintf(whose, 65, "%s", json_string_value(json_object_get(json, "token")));
    json_decref(json);
    free(replied.owned);
}

static void begin_game(const char *room, const char *other)
{
    static const char word[] = "0101010101010101010101010101010101010101010101010101010101010101";
    static const char sit[] = "{\"t\":\"sit\",\"key\":\"b\",\"hash\":\"72cd6e8422c407fb6d098690f113"
                              "0b7ded7ec2f7f5e1d30bd9d521f015363793\"}";
    char text[100];
    uint64_t one = enter(room, token), two = enter(room, other);
    say(one, sit);
    say(two, sit);
    say(one, "{\"t\":\"start\",\"key\":\"c\"}");
    snprintf(text, sizeof text, "{\"t\":\"word\",\"word\":\"%s\"}", word);
    say(one, text);
    say(two, text);
    service_events.gone(service, one);
    service_events.gone(service, two);
    settle();
}

static void prepare(void)
{
    char other[65];
    token[0] = open_room[0] = secret_room[0] = code[0] = ticket[0] = hand[0] = '\0';
    make_guest(token);
    make_guest(other);
    uint64_t lobby = enter("lobby", token);
    say(lobby, "{\"t\":\"make\",\"key\":\"a\",\"setup\":\"game metro\\nplayers 2\\n\","
               "\"open\":true}");
    say(lobby, "{\"t\":\"make\",\"key\":\"b\",\"setup\":\"game verplant\\nmap berlin\\n"
               "players 2\\n\"}");
    say(lobby, "{\"t\":\"ticket\"}");
    service_events.gone(service, lobby);
    settle();
    assert(open_room[0] && secret_room[0] && code[0] && ticket[0]);
    begin_game(open_room, other);
    begin_game(secret_room, other);
    assert(hand[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct site site = {.files = site_files, .version = site_version, .games = site_games};
    const struct service_options options = {.site = &site, .bots = 1};
    latest = 0;
    writes = 0;
    service = service_open(&options);
    char fault[STORE_FAULT_BYTES];
    assert(service && service_start(service, &server, store_memory(), fault));
    settle();
    prepare();
    struct text input = fill_in(data, size), rest = input;
    for (int i = 0; i < REQUESTS_MAX && rest.size > 0; i++)
        read_request(&rest);
    free(input.at);
    service_stop(service);
    service_close(service);
    return 0;
}
