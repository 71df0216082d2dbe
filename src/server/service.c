/* Implementation of service.h. */
#include "server/service.h"
#include "server/api.h"
#include "server/clock.h"
#include "server/hearer.h"
#include "server/limits.h"
#include "server/log.h"
#include "server/metrics.h"
#include "server/qr.h"
#include "server/recorder.h"
#include "server/thinkers.h"
#include "server/writer.h"
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

enum {
    BOTS_MAX = 4, /* threads for bots, unless the options give a number */
    OPERATE_MS = 10000,
    DEAF_MS = 5000, /* without a hearer, rooms read everything after this time */
    SILENT_MS =
        5000,      /* the store is not well when it has not answered a question for this time … */
    SURE_MS = 200, /* … and for this more: if the process stood still, the answer may be there */
};

/* A message of the operator, on its way from the thread of control.c to the loop and back. */
struct operation {
    pthread_mutex_t mutex;
    pthread_cond_t change;
    enum { OPERATION_NONE, OPERATION_ASKED, OPERATION_TAKEN, OPERATION_ANSWERED } state;
    const char *text;
    char *answer;
    int status;
    bool is_closed; /* nobody will answer any more */
    uint64_t serial;
};

struct service {
    struct service_options options;
    struct operation operation;
    struct rooms *rooms;
    struct store *store;
    struct server *server;
    struct writer *writer;
    struct hearer *hearer;     /* NULL: the store is not shared */
    struct recorder *recorder; /* NULL: no records are written */
    struct thinkers *thinkers;
    bool is_running;          /* between service_start() and service_stop() */
    bool is_stopping;         /* a signal came */
    bool was_well;            /* the store, when it was last looked at */
    bool was_damaged;         /* … and something that it could not read */
    uint64_t silent;          /* since when it has been seen to be silent; 0: it is not */
    uint64_t look;            /* when to look at it, by CLOCK_MONOTONIC; 0: when it answers */
    bool was_deaf;            /* the hearer had no connection then */
    bool was_unwritten;       /* the latest record could not be written */
    uint64_t read_all;        /* when the rooms last read everything, because of that */
    uint64_t asked, answered; /* questions to the store */
    struct limits_told told;  /* limits that were reached */
    struct clock clock;
    uint64_t shared;   /* milliseconds: the store's clock is this plus the system's uptime;
                          0: it has none, and the system's clock counts */
    int64_t apart;     /* by how much that one was ahead of ours, when it was last told */
    uint64_t started;  /* the system's uptime at the start, in milliseconds */
    uint64_t wake;     /* when the rooms want ROOMS_TIME; 0: never */
    uint64_t *replied; /* requests that have been answered; the rooms get ROOMS_GONE for them */
    size_t replies, replied_room;
};

/* ---- Time ----------------------------------------------------------------------------------- */

static uint64_t clock_ms(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* The clock that ours follows. */
static uint64_t real_ms(const struct service *service, uint64_t boot)
{
    return service->shared ? service->shared + boot : clock_ms(CLOCK_REALTIME);
}

/* Returns milliseconds since 1970, never less than before. */
static uint64_t now_ms(struct service *service)
{
    uint64_t boot = clock_ms(CLOCK_BOOTTIME);
    return clock_now(&service->clock, boot, real_ms(service, boot));
}

/* The store has said what time it is, when it answered. */
static void hear_clock(struct service *service, const struct store_answer *answer)
{
    if (answer->clock)
        service->shared = answer->clock - clock_ms(CLOCK_BOOTTIME);
}

/* Returns the time that is left until `when`; -1: for ever. */
static int64_t time_left(uint64_t when, uint64_t now)
{
    return when == 0 ? -1 : when > now ? (int64_t)(when - now) : 0;
}

/* Sets the server's timer for whatever comes first. */
static void set_timer(struct service *service, uint64_t now)
{
    int64_t wake = time_left(service->wake, now);
    int64_t look = service->look ? time_left(service->look, clock_ms(CLOCK_MONOTONIC)) : -1;
    server_wake(service->server, look < 0 || (wake >= 0 && wake < look) ? wake : look);
}

/* Returns a list with room for one more. */
static void *grow(void *list, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return list;
    *room = *room ? 2 * *room : 16;
    list = realloc(list, *room * size);
    if (!list)
        abort(); /* a room would wait for ever */
    return list;
}

/* Set in the connection numbers of the operator's messages, which come from no socket. */
#define OPERATOR_BIT (UINT64_C(1) << 63)

/* ---- Outputs -------------------------------------------------------------------------------- */

/* Notes that a request has been answered: step() then sends ROOMS_GONE. */
static void note_replied(struct service *service, uint64_t connection)
{
    service->replied =
        grow(service->replied, service->replies, &service->replied_room, sizeof *service->replied);
    service->replied[service->replies++] = connection;
}

static void answer_operator(struct service *service, uint64_t connection,
                            const struct rooms_output *output)
{
    struct operation *operation = &service->operation;
    pthread_mutex_lock(&operation->mutex);
    if (operation->state == OPERATION_TAKEN && connection == (OPERATOR_BIT | operation->serial)) {
        operation->state = OPERATION_ANSWERED;
        operation->status = output->status;
        operation->answer = strndup(output->text.at, output->text.size);
        pthread_cond_broadcast(&operation->change);
    }
    pthread_mutex_unlock(&operation->mutex);
    note_replied(service, connection);
}

static void reply(struct service *service, uint64_t connection, const struct rooms_output *output)
{
    if (connection & OPERATOR_BIT) {
        answer_operator(service, connection, output);
        return;
    }
    struct server_answer answer = {
        .status = output->status, .type = output->type, .cache = "no-store"};
    if (output->cookie.at)
        api_cookie(output->cookie, answer.cookie, sizeof answer.cookie);
    answer.owned = malloc(output->text.size + 1);
    if (answer.owned) {
        memcpy(answer.owned, output->text.at, output->text.size);
        answer.bytes = answer.owned;
        answer.size = output->text.size;
    } else {
        answer.status = 503;
    }
    server_reply(service->server, connection, &answer);
    note_replied(service, connection);
}

static void think(struct service *service, const struct rooms_output *output)
{
    const struct thinkers_question question = {
        .id = output->question,
        .level = output->level,
        .seat = output->seat,
        .ms = output->ms,
        .turn = {.network = output->network, .maker = output->maker, .room = output->whose},
        .is_clocks = output->clock,
        .text = output->text,
        .map = output->map};
    thinkers_ask(service->thinkers, &question);
}

static void log_event(const struct service *service, const struct rooms_event *event)
{
    const struct rooms_event_about *about = &rooms_event_about[event->kind];
    if (!about->always && !service->options.log)
        return;
    log_line("event=%s%s%s%s%s%s%s", about->name, event->room ? " room=" : "",
             event->room ? event->room : "", event->guest ? " guest=" : "",
             event->guest ? event->guest : "", event->detail ? " " : "",
             event->detail ? event->detail : "");
}

static void take_output(void *context, const struct rooms_output *output)
{
    struct service *service = context;
    switch (output->kind) {
    case ROOMS_SEND:
        server_send(service->server, output->connection, output->connections, output->text);
        break;
    case ROOMS_REPLY:
        for (size_t i = 0; i < output->connections; i++)
            reply(service, output->connection[i], output);
        break;
    case ROOMS_CLOSE:
        for (size_t i = 0; i < output->connections; i++)
            server_hang_up(service->server, output->connection[i], output->status);
        break;
    case ROOMS_KNOWN:
        server_know(service->server, *output->connection);
        break;
    case ROOMS_ASK:
        if (service->asked++ == service->answered)
            service->look = clock_ms(CLOCK_MONOTONIC) + SILENT_MS;
        writer_ask(service->writer, output->store);
        break;
    case ROOMS_THINK:
        think(service, output);
        break;
    case ROOMS_FORGET:
        thinkers_forget(service->thinkers, output->question);
        break;
    case ROOMS_WAKE:
        service->wake = output->when;
        break;
    case ROOMS_SAVE:
        recorder_ask(service->recorder, output->room, output->text, output->sheet, output->map);
        break;
    case ROOMS_LOG:
        log_event(service, output->event);
        break;
    }
}

/* ---- Inputs --------------------------------------------------------------------------------- */

static void step(struct service *service, struct rooms_input *input)
{
    if (!service->is_running)
        return;
    input->now = now_ms(service);
    rooms_step(service->rooms, input);
    while (service->replies > 0) {
        struct rooms_input gone = {.kind = ROOMS_GONE,
                                   .now = input->now,
                                   .connection = service->replied[--service->replies]};
        rooms_step(service->rooms, &gone);
    }
    set_timer(service, input->now);
}

static void on_opened(void *context, const struct server_request *request)
{
    struct service *service = context;
    char room[STORE_ROOM_BYTES], token[API_TOKEN_BYTES];
    struct rooms_input input = {.kind = ROOMS_OPENED,
                                .connection = request->connection,
                                .address = request->address,
                                .network = request->network};
    api_socket(request->path, &input.path, room);
    /* From the cookie, which browsers send, or from Authorization, for other programs. */
    api_token(request, token);
    input.room = es_str(room);
    input.token = es_str(token);
    step(service, &input);
}

static void on_message(void *context, uint64_t connection, struct es_str text)
{
    struct rooms_input input = {.kind = ROOMS_MESSAGE, .connection = connection, .text = text};
    step(context, &input);
}

static void on_gone(void *context, uint64_t connection)
{
    struct rooms_input input = {.kind = ROOMS_GONE, .connection = connection};
    step(context, &input);
}

static void take_thoughts(struct service *service)
{
    for (struct thinkers_answer *answer = thinkers_take(service->thinkers), *next; answer;
         answer = next) {
        next = answer->next;
        struct rooms_input input = {.kind = ROOMS_THOUGHT,
                                    .question = answer->id,
                                    .text = {answer->event, answer->size},
                                    .busy = answer->is_busy};
        if (answer->size == 0 && !answer->is_busy)
            log_line("event=bot-failed question=%llu", (unsigned long long)answer->id);
        step(service, &input);
        free(answer);
    }
}

/* Returns true if the store keeps a question without an answer for too long: it hangs. Sets when to
 * look again. */
static bool is_silent(struct service *service, const struct writer_counts *counts)
{
    uint64_t now = clock_ms(CLOCK_MONOTONIC), late = counts->oldest + SILENT_MS;
    service->look = 0;
    if (counts->oldest == 0 || now < late) {
        service->silent = 0;
        service->look = counts->oldest ? late : 0;
        return false;
    }
    if (!service->silent)
        service->silent = now;
    bool is_sure = now >= service->silent + SURE_MS;
    service->look = is_sure ? 0 : service->silent + SURE_MS;
    return is_sure;
}

/* Tells the operator when the store stops working, and when it works again. */
static void look_at_store(struct service *service)
{
    struct writer_counts counts;
    writer_counts(service->writer, &counts);
    bool hangs = is_silent(service, &counts), is_well = counts.is_well && !hangs;
    if (is_well && !service->was_well)
        log_line("event=store state=well");
    else if (!is_well && service->was_well)
        log_fault("event=store state=failing", hangs ? "it does not answer" : counts.fault);
    if (counts.is_damaged && !service->was_damaged)
        log_fault("event=store state=damaged", counts.fault);
    service->was_well = is_well;
    service->was_damaged = counts.is_damaged;
    set_timer(service, now_ms(service));
}

/* Tells the operator when the clock that ours follows is wrong: ours cannot go back. */
static void look_at_clock(struct service *service)
{
    int64_t apart = clock_apart(&service->clock, clock_ms(CLOCK_BOOTTIME));
    if (apart && !service->apart)
        log_line("event=clock state=wrong behind=%llds", (long long)-apart / 1000);
    else if (!apart && service->apart)
        log_line("event=clock state=right");
    service->apart = apart;
}

/* Tells the operator when news of other processes stop coming, and when they come again. */
static void look_at_hearer(struct service *service)
{
    struct hearer_counts counts;
    hearer_counts(service->hearer, &counts);
    if (counts.is_connected && service->was_deaf)
        log_line("event=listener state=connected");
    else if (*counts.fault && !service->was_deaf)
        log_fault("event=listener state=lost", counts.fault);
    service->was_deaf = *counts.fault;
}

/* Tells the operator which limits were reached; `now`: see limits_tell(). */
static void look_at_limits(struct service *service, uint64_t now)
{
    struct limits limits;
    if (!service->options.log)
        return;
    limits_read(&limits, rooms_counts(service->rooms), server_counts(service->server));
    for (int i = 0; i < LIMITS_COUNT; i++) {
        uint64_t more = limits_tell(&service->told, &limits, i, now);
        if (more > 0)
            log_line("event=limit limit=%s refused=%llu", limits_name(i), (unsigned long long)more);
    }
}

/* While the store works and only the hearer has no connection, the rooms look for news themselves.
 * (Every few seconds, since the store answers STORE_ALIVE as often.) */
static void read_all_if_deaf(struct service *service)
{
    uint64_t now = clock_ms(CLOCK_BOOTTIME);
    if (!service->was_deaf || !service->was_well || now < service->read_all + DEAF_MS)
        return;
    struct store_news all = {.kind = NEWS_ALL};
    struct rooms_input input = {.kind = ROOMS_NEWS, .news = &all};
    service->read_all = now;
    step(service, &input);
}

static void take_news(struct service *service)
{
    size_t count;
    struct store_news *news = hearer_take(service->hearer, &count);
    for (size_t i = 0; i < count; i++) {
        struct rooms_input input = {.kind = ROOMS_NEWS, .news = &news[i]};
        step(service, &input);
    }
    free(news);
    look_at_hearer(service);
    read_all_if_deaf(service);
}

/* Tells the rooms what became of a record, and the operator when that changes. */
static void take_recorded(struct service *service)
{
    char fault[STORE_FAULT_BYTES];
    enum recorder_outcome outcome = recorder_take(service->recorder, fault);
    if (outcome == RECORDER_NONE)
        return;
    bool failed = outcome == RECORDER_FAILED;
    if (failed && !service->was_unwritten)
        log_fault("event=records state=failing", fault);
    else if (!failed && service->was_unwritten)
        log_line("event=records state=well");
    service->was_unwritten = failed;
    struct rooms_input input = {.kind = ROOMS_SAVED, .busy = failed};
    step(service, &input);
}

/* Ends the server when everything that was asked before the signal is on disk. */
static void finish_if_done(struct service *service)
{
    if (service->is_stopping && service->asked == service->answered)
        server_finish(service->server);
}

static void take_operation(struct service *service)
{
    struct operation *operation = &service->operation;
    char *text = NULL;
    pthread_mutex_lock(&operation->mutex);
    if (operation->state == OPERATION_ASKED) {
        text = strdup(operation->text); /* its owner may stop waiting */
        operation->state = text ? OPERATION_TAKEN : OPERATION_ASKED;
        operation->serial++;
    }
    uint64_t connection = OPERATOR_BIT | operation->serial;
    pthread_mutex_unlock(&operation->mutex);
    if (!text)
        return;
    struct rooms_input input = {
        .kind = ROOMS_OPENED, .connection = connection, .path = ROOMS_OPERATOR};
    step(service, &input);
    input =
        (struct rooms_input){.kind = ROOMS_MESSAGE, .connection = connection, .text = es_str(text)};
    step(service, &input);
    free(text);
}

int service_operate(struct service *service, const char *text, char **answer)
{
    struct operation *operation = &service->operation;
    uint64_t end = clock_ms(CLOCK_MONOTONIC) +
                   (service->options.operate_ms ? service->options.operate_ms : OPERATE_MS);
    struct timespec until = {.tv_sec = (time_t)(end / 1000),
                             .tv_nsec = (long)(end % 1000) * 1000000};
    bool is_late = false;
    pthread_mutex_lock(&operation->mutex);
    operation->state = OPERATION_ASKED;
    operation->text = text;
    if (!operation->is_closed)
        server_post(service->server);
    while (operation->state != OPERATION_ANSWERED && !operation->is_closed && !is_late)
        is_late =
            pthread_cond_timedwait(&operation->change, &operation->mutex, &until) == ETIMEDOUT;
    bool is_answered = operation->state == OPERATION_ANSWERED;
    *answer = is_answered ? operation->answer : NULL;
    operation->answer = NULL;
    operation->state = OPERATION_NONE;
    int status = is_answered ? operation->status : operation->is_closed ? 503 : 504;
    pthread_mutex_unlock(&operation->mutex);
    return status;
}

static void on_posted(void *context)
{
    struct service *service = context;
    for (struct writer_answer *answer = writer_take(service->writer), *next; answer;
         answer = next) {
        next = answer->next;
        struct rooms_input input = {.kind = ROOMS_ANSWER, .answer = &answer->answer};
        service->answered++;
        hear_clock(service, &answer->answer);
        step(service, &input);
        writer_free(answer);
    }
    look_at_store(service);
    look_at_clock(service);
    look_at_limits(service, clock_ms(CLOCK_BOOTTIME)); /* STORE_ALIVE is answered every 5 s */
    if (service->hearer)
        take_news(service);
    if (service->recorder)
        take_recorded(service);
    take_thoughts(service);
    take_operation(service);
    finish_if_done(service);
}

static void on_woken(void *context)
{
    struct service *service = context;
    uint64_t now = now_ms(service);
    if (service->look && service->look <= clock_ms(CLOCK_MONOTONIC))
        look_at_store(service);
    if (service->wake && service->wake <= now) {
        service->wake = 0;
        struct rooms_input input = {.kind = ROOMS_TIME};
        step(service, &input);
    } else {
        set_timer(service, now);
    }
}

static void on_stopping(void *context)
{
    struct service *service = context;
    struct rooms_input input = {.kind = ROOMS_DRAIN};
    if (service->options.log)
        log_line("event=stopping sockets=%llu",
                 (unsigned long long)server_counts(service->server)->sockets);
    step(service, &input);
    service->is_stopping = true;
    finish_if_done(service);
}

/* ---- Requests ------------------------------------------------------------------------------- */

static void say(struct server_answer *answer, int status, const char *type, const char *text)
{
    *answer = (struct server_answer){.status = status, .type = type, .cache = "no-store"};
    answer->owned = strdup(text);
    answer->bytes = answer->owned ? answer->owned : "";
    answer->size = answer->owned ? strlen(text) : 0;
}

static void refuse(struct server_answer *answer, int status, const char *code)
{
    char text[100];
    snprintf(text, sizeof text, "{\"code\":\"%s\"}", code);
    say(answer, status, "application/json", text);
}

/* Answers with a QR code. The text comes by POST, so that it is in no URL; nothing is kept. */
static void answer_qr(const struct server_request *request, struct server_answer *answer)
{
    const char *code;
    char *text = api_qr_text(request, &code), *svg = text ? qr_svg(text) : NULL;
    if (svg)
        say(answer, 200, "image/svg+xml", svg);
    else
        refuse(answer, 400, code);
    free(svg);
    free(text);
}

static void answer_api(struct service *service, enum api_kind kind, const char *room,
                       const struct server_request *request, struct server_answer *answer)
{
    const char *code;
    bool is_whole = request->body.at != NULL; /* then it was counted when its headers came */
    unsigned wait =
        service->is_running && !is_whole
            ? rooms_wait(service->rooms, now_ms(service), request->address, request->network)
            : 0;
    if (wait > 0) {
        refuse(answer, 429, "TOO_MANY");
        answer->retry_after = wait;
        return;
    }
    int status = api_refuses(kind, request, &code);
    if (status || !service->is_running) {
        refuse(answer, status ? status : 503, status ? code : "BUSY");
        answer->allow = api_is_post(kind) ? "POST" : NULL;
        return;
    }
    if (request->method == SERVER_POST && !is_whole) {
        rooms_count_requests(service->rooms, request->address, request->network,
                             api_cost(kind, request->length) - 1);
        *answer = (struct server_answer){.status = SERVER_READ,
                                         .type = "application/json",
                                         .cache = "no-store",
                                         .bytes = "{\"code\":\"BODY\"}",
                                         .size = api_body_max(kind)};
        return;
    }
    if (kind == API_QR) {
        answer_qr(request, answer);
        return;
    }
    char *text = api_message(kind, room, request), token[API_TOKEN_BYTES];
    if (!text) {
        refuse(answer, 400, "NO_JSON");
        return;
    }
    api_token(request, token);
    struct rooms_input input = {.kind = ROOMS_OPENED,
                                .connection = request->connection,
                                .path = ROOMS_REQUEST,
                                .room = es_str(room),
                                .address = request->address,
                                .network = request->network,
                                .token = es_str(token)};
    step(service, &input);
    input = (struct rooms_input){
        .kind = ROOMS_MESSAGE, .connection = request->connection, .text = es_str(text)};
    step(service, &input);
    free(text);
}

static void answer_metrics(struct service *service, struct server_answer *answer)
{
    struct metrics metrics = {.rooms = rooms_counts(service->rooms),
                              .server = server_counts(service->server),
                              .version = service->options.version};
    writer_counts(service->writer, &metrics.writer);
    metrics.writer.is_well = service->was_well;
    thinkers_counts(service->thinkers, &metrics.thinkers);
    metrics.has_hearer = service->hearer != NULL;
    if (service->hearer)
        hearer_counts(service->hearer, &metrics.hearer);
    metrics.seconds = (clock_ms(CLOCK_BOOTTIME) - service->started) / 1000;
    char *text = malloc(METRICS_BYTES);
    if (text)
        metrics_write(&metrics, text, METRICS_BYTES);
    say(answer, 200, "text/plain; version=0.0.4; charset=utf-8", text ? text : "");
    free(text);
}

static void on_request(void *context, const struct server_request *request,
                       struct server_answer *answer)
{
    struct service *service = context;
    char room[STORE_ROOM_BYTES];
    enum rooms_path path;
    bool is_read = request->method == SERVER_GET || request->method == SERVER_HEAD;
    enum api_kind kind = api_kind(request->path, room);
    if (request->method == SERVER_UPGRADE) {
        if (!api_socket(request->path, &path, room))
            refuse(answer, 404, "UNKNOWN");
        else if (request->foreign)
            refuse(answer, 403, "ORIGIN");
        else
            answer->status = SERVER_ACCEPT;
    } else if (kind != API_NONE) {
        answer_api(service, kind, room, request, answer);
    } else if (is_read && strcmp(request->path, "/healthz") == 0) {
        bool is_well = service->is_running && service->was_well && !service->was_damaged &&
                       !service->is_stopping;
        say(answer, is_well ? 200 : 503, "text/plain; charset=utf-8",
            is_well ? "ok\n" : "not well\n");
    } else if (is_read && request->direct && strcmp(request->path, "/metrics") == 0) {
        answer_metrics(service, answer);
    } else {
        site_answer(service->options.site, request, answer);
    }
}

const struct server_events service_events = {
    .answer = on_request,
    .opened = on_opened,
    .message = on_message,
    .gone = on_gone,
    .woken = on_woken,
    .posted = on_posted,
    .stopping = on_stopping,
};

/* ---- Beginning and end ---------------------------------------------------------------------- */

static void on_ready(void *context)
{
    struct service *service = context;
    server_post(service->server);
}

/* Makes a random id for this process. Returns false if the system has no random numbers. */
static bool name_process(char process[STORE_PROCESS_BYTES])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz234567";
    uint8_t bytes[STORE_PROCESS_BYTES - 1];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        process[i] = letters[bytes[i] % 32];
    process[sizeof bytes] = '\0';
    return true;
}

struct service *service_open(const struct service_options *options)
{
    struct service *service = calloc(1, sizeof *service);
    struct rooms_options rooms = {
        .limits = options->limits, .keep = options->keep, .out = take_output, .context = service};
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    unsigned bots = cores < 1 ? 1 : cores > BOTS_MAX ? BOTS_MAX : (unsigned)cores;
    if (!service)
        return NULL;
    service->options = *options;
    service->was_well = true;
    rooms.keep.records = options->records != NULL;
    pthread_mutex_init(&service->operation.mutex, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&service->operation.change, &attributes);
    pthread_condattr_destroy(&attributes);
    service->started = clock_ms(CLOCK_BOOTTIME);
    if (getrandom(rooms.seed, sizeof rooms.seed, 0) == (ssize_t)sizeof rooms.seed &&
        (!options->shared || name_process(rooms.process)))
        service->rooms = rooms_new(&rooms);
    if (service->rooms)
        service->thinkers = thinkers_open(options->bots ? options->bots : bots, on_ready, service);
    if (service->thinkers)
        return service;
    service_close(service);
    return NULL;
}

/* Has the server hash addresses with the key of the store, so that counts of other processes, and
 * of the time before a restart, are for the same addresses; and asks it what time it is. */
static bool share_key(struct service *service, struct store *store, char fault[STORE_FAULT_BYTES])
{
    const struct store_question question = {.kind = STORE_KEY};
    struct store_answer answer;
    store_ask(store, &question, &answer);
    bool is_known = answer.outcome == STORE_STORED;
    if (is_known)
        server_set_key(service->server, answer.key);
    else
        snprintf(fault, STORE_FAULT_BYTES, "the store cannot be read: %.200s", store->fault(store));
    free(answer.memory);
    hear_clock(service, &answer);
    uint64_t boot = clock_ms(CLOCK_BOOTTIME);
    clock_start(&service->clock, boot, real_ms(service, boot));
    return is_known;
}

bool service_start(struct service *service, struct server *server, struct store *store,
                   char fault[STORE_FAULT_BYTES])
{
    service->server = server;
    if (!share_key(service, store, fault))
        return false;
    if (service->options.records) {
        service->recorder = recorder_open(service->options.records, on_ready, service, fault);
        if (!service->recorder)
            return false;
    }
    snprintf(fault, STORE_FAULT_BYTES, "not enough memory");
    if (service->options.shared) {
        service->hearer = hearer_open(store, on_ready, service);
        if (!service->hearer)
            return false;
    }
    service->writer = writer_open(store, on_ready, service);
    if (!service->writer) {
        if (service->hearer)
            hearer_close(service->hearer);
        service->hearer = NULL;
        return false;
    }
    service->store = store;
    service->is_running = true;
    uint64_t now = now_ms(service);
    if (service->options.log)
        log_line("event=start version=%s", service->options.version);
    rooms_start(service->rooms, now);
    set_timer(service, now);
    return true;
}

void service_stop(struct service *service)
{
    bool was_running = service->is_running;
    service->is_running = false;
    pthread_mutex_lock(&service->operation.mutex);
    service->operation.is_closed = true;
    pthread_cond_broadcast(&service->operation.change);
    pthread_mutex_unlock(&service->operation.mutex);
    /* Their threads must not call server_post() after server_close(). */
    if (service->thinkers)
        thinkers_close(service->thinkers);
    if (service->hearer)
        hearer_close(service->hearer);
    if (service->writer)
        writer_close(service->writer);
    if (service->recorder)
        recorder_close(service->recorder);
    service->recorder = NULL;
    service->thinkers = NULL;
    service->hearer = NULL;
    service->writer = NULL;
    if (!was_running || !service->options.log)
        return;
    look_at_limits(service, UINT64_MAX);
    log_line("event=end");
}

void service_close(struct service *service)
{
    service_stop(service);
    if (service->rooms)
        rooms_free(service->rooms);
    if (service->store)
        service->store->close(service->store);
    pthread_cond_destroy(&service->operation.change);
    pthread_mutex_destroy(&service->operation.mutex);
    free(service->operation.answer);
    free(service->replied);
    free(service);
}
