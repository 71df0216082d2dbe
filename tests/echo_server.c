/* A server for tests of sockets, without rooms: echo_server [PING_MS SILENCE_MS
 * [STUCK_MS QUEUES_MAX]]. Prints its port.
 *
 * WebSocket at /ws: `big N` is answered with N letters, `all …` goes to everybody, `bye N` closes
 * with N, `counts` is answered with figures, everything else comes back.
 * HTTP: /later?N is answered with N letters in the loop's next round, POST /echo with its body, and
 * /now at once.
 */
#include "server/server.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000, BODY_MAX = 8192 };

static struct server *server;
static uint64_t opened[MOST];
static size_t count;
static struct {
    uint64_t connection;
    struct server_answer answer;
} later[MOST];
static size_t laters;

static struct server_answer letters(size_t size)
{
    struct server_answer answer = {
        .status = 200, .type = "text/plain", .cache = "no-store", .size = size};
    answer.owned = malloc(size + 1);
    memset(answer.owned, 'x', size);
    answer.bytes = answer.owned;
    return answer;
}

static void on_answer(void *context, const struct server_request *request,
                      struct server_answer *answer)
{
    (void)context;
    *answer = (struct server_answer){
        .status = 404, .type = "text/plain", .cache = "no-store", .bytes = "nothing", .size = 7};
    if (request->method == SERVER_UPGRADE) {
        if (strcmp(request->path, "/ws") == 0)
            answer->status = request->foreign ? 403 : SERVER_ACCEPT;
    } else if (request->method == SERVER_POST && strcmp(request->path, "/echo") == 0) {
        if (!request->body.at) {
            answer->status = SERVER_READ;
            answer->size = BODY_MAX;
            return;
        }
        struct server_answer echo = letters(request->body.size);
        memcpy(echo.owned, request->body.at, request->body.size);
        later[laters].connection = request->connection;
        later[laters++].answer = echo;
        answer->status = SERVER_LATER;
        server_wake(server, 0);
    } else if (strcmp(request->path, "/later") == 0) {
        later[laters].connection = request->connection;
        later[laters++].answer = letters((size_t)atol(request->args));
        answer->status = SERVER_LATER;
        server_wake(server, 0);
    } else if (strcmp(request->path, "/now") == 0) {
        /* Answered by server_reply() during the call. */
        struct server_answer now = letters(3);
        server_reply(server, request->connection, &now);
        answer->status = SERVER_LATER;
    }
}

static void on_woken(void *context)
{
    (void)context;
    for (size_t i = 0; i < laters; i++)
        server_reply(server, later[i].connection, &later[i].answer);
    laters = 0;
}

static void on_opened(void *context, const struct server_request *request)
{
    (void)context;
    opened[count++] = request->connection;
}

static void on_gone(void *context, uint64_t connection)
{
    (void)context;
    for (size_t i = 0; i < count; i++)
        if (opened[i] == connection) {
            opened[i] = opened[--count];
            return;
        }
    /* A request: its answer is not wanted any more, and does no harm. */
}

static void on_message(void *context, uint64_t connection, struct es_str text)
{
    (void)context;
    char words[40] = "";
    snprintf(words, sizeof words, "%.*s", (int)(text.size < 39 ? text.size : 39), text.at);
    if (strncmp(words, "big ", 4) == 0) {
        struct server_answer big = letters((size_t)atol(words + 4));
        server_send(server, &connection, 1, (struct es_str){big.owned, big.size});
        free(big.owned);
    } else if (strncmp(words, "all ", 4) == 0) {
        server_send(server, opened, count, text);
    } else if (strncmp(words, "bye ", 4) == 0) {
        server_send(server, &connection, 1, es_str("so long"));
        server_hang_up(server, connection, atoi(words + 4));
        server_send(server, &connection, 1, es_str("never sent"));
    } else if (strcmp(words, "counts") == 0) {
        const struct server_counts *counts = server_counts(server);
        char answer[200];
        snprintf(answer, sizeof answer,
                 "{\"sockets\":%u,\"slow\":%u,\"silent\":%u,\"wrong\":%u,\"known\":%u,"
                 "\"rounds\":%u,\"queued\":%u}",
                 (unsigned)counts->sockets, (unsigned)counts->slow, (unsigned)counts->silent,
                 (unsigned)counts->wrong, (unsigned)count, (unsigned)counts->rounds,
                 (unsigned)counts->queued);
        server_send(server, &connection, 1, es_str(answer));
    } else {
        server_send(server, &connection, 1, text);
    }
}

static void on_stopping(void *context)
{
    (void)context;
    server_send(server, opened, count, es_str("soon"));
    server_finish(server);
}

int main(int argc, char **argv)
{
    static const struct server_events events = {
        .answer = on_answer,
        .opened = on_opened,
        .message = on_message,
        .gone = on_gone,
        .woken = on_woken,
        .stopping = on_stopping,
    };
    const struct server_options options = {
        .address = "127.0.0.1",
        .ping_ms = argc > 2 ? (unsigned)atoi(argv[1]) : 0,
        .silence_ms = argc > 2 ? (unsigned)atoi(argv[2]) : 0,
        .stuck_ms = argc > 4 ? (unsigned)atoi(argv[3]) : 0,
        .queues_max = argc > 4 ? (size_t)atol(argv[4]) : 0,
        .events = &events,
    };
    char fault[SERVER_FAULT_BYTES];
    server = server_open(&options, fault);
    if (!server) {
        fprintf(stderr, "%s\n", fault);
        return 1;
    }
    printf("%u\n", server_port(server));
    fflush(stdout);
    server_run(server);
    server_close(server);
    return 0;
}
