/* The operator's figures as text. */
#include "server/metrics.h"
#include "server/limits.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

struct out {
    char *at;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void print(struct out *out, const char *format, ...)
{
    va_list values;
    if (out->used >= out->size)
        return;
    va_start(values, format);
    int size = vsnprintf(out->at + out->used, out->size - out->used, format, values);
    va_end(values);
    if (size > 0)
        out->used += (size_t)size;
}

static void put_head(struct out *out, const char *name, const char *help, const char *type)
{
    print(out, "# HELP endstation_%s %s.\n# TYPE endstation_%s %s\n", name, help, name, type);
}

/* Writes one figure. A gauge goes up and down, a counter only up. */
static void put(struct out *out, const char *name, const char *help, bool is_gauge, double value)
{
    put_head(out, name, help, is_gauge ? "gauge" : "counter");
    print(out, "endstation_%s %.15g\n", name, value);
}

static void put_limits(struct out *out, const struct metrics *metrics)
{
    struct limits limits;
    limits_read(&limits, metrics->rooms, metrics->server);
    put_head(out, "limited", "refusals because a limit was reached", "counter");
    for (int i = 0; i < LIMITS_COUNT; i++)
        print(out, "endstation_limited{limit=\"%s\"} %llu\n", limits_name(i),
              (unsigned long long)limits.count[i]);
}

static void put_times(struct out *out, const char *name, const char *help,
                      const struct es__times *times)
{
    uint64_t count = 0;
    put_head(out, name, help, "histogram");
    for (int i = 0; i <= ES__TIMES_ENDS; i++) {
        char end[32] = "+Inf";
        count += times->count[i];
        if (i < ES__TIMES_ENDS)
            snprintf(end, sizeof end, "%.15g", es__times_end[i] / 1e6);
        print(out, "endstation_%s_bucket{le=\"%s\"} %llu\n", name, end, (unsigned long long)count);
    }
    print(out, "endstation_%s_sum %.15g\nendstation_%s_count %llu\n", name,
          (double)times->sum / 1e6, name, (unsigned long long)count);
}

static double resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file) {
        if (fscanf(file, "%*s %ld", &pages) != 1)
            pages = 0;
        fclose(file);
    }
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double cpu_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

void metrics_write(const struct metrics *metrics, char *text, size_t size)
{
    struct out out = {text, size, 0};
    const struct server_counts *server = metrics->server;
    put_head(&out, "build_info", "the program", "gauge");
    print(&out, "endstation_build_info{version=\"%s\"} 1\n", metrics->version);
#define ROOMS_PUT(name, help)                                                                      \
    put(&out, "rooms_" #name, help,                                                                \
        strcmp(#name, "connections") == 0 || strncmp(#name, "rooms", 5) == 0,                      \
        (double)metrics->rooms->name);
    ROOMS_COUNTS(ROOMS_PUT)
#undef ROOMS_PUT
    put_limits(&out, metrics);
    put_times(&out, "move_seconds", "from a move to its confirmation", &metrics->rooms->moves);
    put_times(&out, "http_seconds", "from an HTTP request to its answer", &server->answers);
    put(&out, "connections", "open sockets", true, (double)server->connections);
    put(&out, "connections_limit", "open sockets at most", true, (double)server->most);
    put(&out, "http_connections_limit", "open sockets without a WebSocket at most", true,
        (double)server->most_http);
    put(&out, "websockets_limit", "open WebSockets at most", true, (double)server->most_sockets);
    put(&out, "websockets", "open WebSockets", true, (double)server->sockets);
    put(&out, "requests", "HTTP requests", false, (double)server->requests);
    put(&out, "handshakes", "WebSockets opened", false, (double)server->handshakes);
    put(&out, "received", "messages received", false, (double)server->messages);
    put(&out, "sent", "messages sent, counted for each recipient", false, (double)server->sent);
    put(&out, "sent_bytes", "bytes of messages sent", false, (double)server->sent_bytes);
    put(&out, "unsent_bytes", "bytes of messages that wait for clients to read", true,
        (double)server->queued);
    put(&out, "rounds", "rounds of the loop", false, (double)server->rounds);
    put(&out, "closed_slow", "clients that did not read", false, (double)server->slow);
    put(&out, "closed_silent", "clients that did not answer", false, (double)server->silent);
    put(&out, "closed_wrong", "clients that sent no messages", false, (double)server->wrong);
    put(&out, "store_questions", "questions to the store", false,
        (double)metrics->writer.questions);
    put(&out, "store_groups", "groups of questions", false, (double)metrics->writer.groups);
    put(&out, "store_waiting", "questions without an answer", true,
        (double)metrics->writer.waiting);
    put(&out, "store_unknown", "groups that failed", false, (double)metrics->writer.unknown);
    put(&out, "store_overflows", "questions that found no room", false,
        (double)metrics->writer.overflows);
    put(&out, "store_well", "1 if the last group that writes was stored", true,
        metrics->writer.is_well);
    put(&out, "store_damaged", "1: something stored cannot be read; stays so until a restart", true,
        metrics->writer.is_damaged);
    if (metrics->has_hearer) {
        put(&out, "listener_connected", "1 if changes of other processes are heard", true,
            metrics->hearer.is_connected);
        put(&out, "listener_connects", "connections for hearing them", false,
            (double)metrics->hearer.connects);
        put(&out, "listener_news", "changes heard", false, (double)metrics->hearer.news);
        put(&out, "listener_overflows", "times that too many waited", false,
            (double)metrics->hearer.overflows);
    }
    put(&out, "bots_thoughts", "moves that bots found", false, (double)metrics->thinkers.thoughts);
    put(&out, "bots_failures", "questions that bots could not answer", false,
        (double)metrics->thinkers.failures);
    put(&out, "bots_refused", "questions that were put off because too many waited", false,
        (double)metrics->thinkers.refused);
    put_times(&out, "bots_wait_seconds", "from a question to the beginning of a thought",
              &metrics->thinkers.waits);
    put(&out, "bots_waiting", "questions that wait for a bot", true,
        (double)metrics->thinkers.waiting);
    put(&out, "bots_thinking", "bots that think", true, (double)metrics->thinkers.thinking);
    put(&out, "uptime_seconds", "since the start", true, (double)metrics->seconds);
    put(&out, "resident_bytes", "memory", true, resident_bytes());
    put(&out, "cpu_seconds", "time of processors", false, cpu_seconds());
}
