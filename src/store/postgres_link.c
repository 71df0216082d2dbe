/* A connection to PostgreSQL with a deadline for every operation: libpq in non-blocking mode, and
 * poll(). Only the resolution of host names blocks.
 */
#include "store/postgres.h"
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t link_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* Writes a sentence, with the first line of what PostgreSQL says. */
static void say(struct link *link, const char *what, const char *reason)
{
    size_t size = strcspn(reason, "\n");
    snprintf(link->fault, sizeof link->fault, "%s%s%.*s", what, size ? ": " : "",
             size > 200 ? 200 : (int)size, reason);
}

void link_fault(struct link *link, const char *what)
{
    say(link, what, link->db ? PQerrorMessage(link->db) : "");
}

void link_close(struct link *link)
{
    PQfinish(link->db);
    link->db = NULL;
}

/* Closes a failed connection; keeps an earlier fault. Returns false. */
static bool lose(struct link *link, const char *what)
{
    if (link->db && !link->fault[0])
        link_fault(link, what);
    link_close(link);
    return false;
}

/* ---- Waiting --------------------------------------------------------------------------------- */

/* Waits for the descriptors until `limit`. Returns false if that has passed. */
static bool wait_for(struct pollfd *descriptor, nfds_t count, uint64_t limit)
{
    for (;;) {
        uint64_t now = link_now();
        int left = limit > now ? (int)(limit - now) : 0;
        int ready = poll(descriptor, count, left);
        if (ready > 0)
            return true;
        if (ready == 0 || errno != EINTR)
            return false;
    }
}

bool link_wait(struct link *link, uint64_t limit, int wake)
{
    int left = PQflush(link->db);
    struct pollfd descriptor[] = {
        {PQsocket(link->db), left ? POLLIN | POLLOUT : POLLIN, 0},
        {wake, POLLIN, 0}, /* of one below 0 poll() takes no notice */
    };
    if (left < 0)
        return lose(link, "the connection to the database is lost");
    if (!wait_for(descriptor, 2, limit) || !descriptor[0].revents)
        return true;
    if (!PQconsumeInput(link->db))
        return lose(link, "the connection to the database is lost");
    return true;
}

bool link_check(struct link *link)
{
    struct pollfd descriptor = {PQsocket(link->db), POLLIN, 0};
    /* After the last message comes the end of the connection. */
    while (link->db && poll(&descriptor, 1, 0) > 0) {
        if (!PQconsumeInput(link->db) || PQstatus(link->db) == CONNECTION_BAD)
            lose(link, "the connection to the database is lost");
    }
    return link->db != NULL;
}

/* Waits until the next result can be taken; false if the connection is lost. */
static bool await_result(struct link *link)
{
    while (link->db && PQisBusy(link->db)) {
        if (link_now() >= link->deadline) {
            say(link, "the database does not answer", "");
            link_close(link);
        } else {
            link_wait(link, link->deadline, -1);
        }
    }
    return link->db != NULL;
}

/* ---- Connecting ------------------------------------------------------------------------------ */

/* The settings of a session. Locks and statements have time limits. Plans are generic and use
 * indexes only, because a plan that was made while the tables were small is used until they are
 * analysed. */
static const char settings[] =
    "SET client_min_messages = error; SET lock_timeout = 4000; SET statement_timeout = 12000; "
    "SET idle_in_transaction_session_timeout = 15000; SET plan_cache_mode = force_generic_plan; "
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; "
    "SET enable_material = off; SET jit = off; SET max_parallel_workers_per_gather = 0; "
    "SELECT set_config('synchronous_commit', 'on', false) "
    "WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')";

/* Instead of libpq's own, which prints to stderr, for example when the server ends a connection. */
static void ignore(void *context, const char *message)
{
    (void)context;
    (void)message;
}

static bool await_connection(struct link *link)
{
    PostgresPollingStatusType wanted = PGRES_POLLING_WRITING;
    while (wanted != PGRES_POLLING_OK) {
        struct pollfd descriptor = {PQsocket(link->db),
                                    wanted == PGRES_POLLING_READING ? POLLIN : POLLOUT, 0};
        if (wanted == PGRES_POLLING_FAILED || descriptor.fd < 0)
            return lose(link, "the database cannot be reached");
        if (!wait_for(&descriptor, 1, link->deadline)) {
            say(link, "the database cannot be reached", "it does not answer");
            link_close(link);
            return false;
        }
        wanted = PQconnectPoll(link->db);
    }
    return true;
}

bool link_open(struct link *link)
{
    /* The address can override the parameters before it. Keepalives detect a dead peer in 25 s. */
    static const char *const name[] = {
        "target_session_attrs", "keepalives_idle",  "keepalives_interval",
        "keepalives_count",     "tcp_user_timeout", "dbname",
        "client_encoding",      "application_name", NULL};
    const char *value[] = {"read-write",  "10",   "5",          "3", "10000",
                           link->address, "UTF8", "endstation", NULL};
    link->fault[0] = '\0';
    link->deadline = link_now() + LINK_CONNECT_MS;
    link->db = PQconnectStartParams(name, value, 1);
    if (!link->db) {
        say(link, "the database cannot be reached", "out of memory");
        return false;
    }
    PQsetNoticeProcessor(link->db, ignore, NULL);
    if (PQstatus(link->db) == CONNECTION_BAD)
        return lose(link, "the database cannot be reached");
    if (!await_connection(link))
        return false;
    PQsetnonblocking(link->db, 1);
    PGresult *result = link_run(link, settings);
    PQclear(result);
    return result || lose(link, "the database cannot be used");
}

void link_tried(struct link *link, bool is_open)
{
    link->backoff = is_open ? 0 : link->backoff ? link->backoff * 2 : 100;
    if (link->backoff > LINK_BACKOFF_MS)
        link->backoff = LINK_BACKOFF_MS;
    link->retry = link_now() + (uint64_t)link->backoff;
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* Takes a result that may be an error. Returns it if it is none. */
static PGresult *accepted(struct link *link, PGresult *result)
{
    ExecStatusType status = PQresultStatus(result);
    if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK || status == PGRES_PIPELINE_SYNC)
        return result;
    if (status != PGRES_PIPELINE_ABORTED && !link->state[0]) {
        const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
        const char *reason = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
        snprintf(link->state, sizeof link->state, "%s", state ? state : "?");
        /* data_corrupted, index_corrupted */
        link->is_damaged |= !strcmp(link->state, "XX001") || !strcmp(link->state, "XX002");
        say(link, "the database cannot do that", reason ? reason : PQerrorMessage(link->db));
    }
    PQclear(result);
    if (PQstatus(link->db) == CONNECTION_BAD)
        link_close(link);
    return NULL;
}

PGresult *link_run(struct link *link, const char *sql)
{
    PGresult *last = NULL;
    link->state[0] = '\0';
    if (!PQsendQuery(link->db, sql)) {
        lose(link, "the connection to the database is lost");
        return NULL;
    }
    while (await_result(link)) {
        PGresult *result = PQgetResult(link->db);
        if (!result)
            break;
        PQclear(last);
        last = accepted(link, result);
    }
    if (link->db && !link->state[0])
        return last;
    PQclear(last);
    return NULL;
}

/* Appends to the parameters. Returns false if there is no memory. */
static bool put(struct link *link, const void *bytes, size_t size)
{
    if (link->space - link->used < size) {
        size_t space = (link->used + size) * 2 + 1000;
        char *larger = realloc(link->bytes, space);
        if (!larger)
            return false;
        link->bytes = larger;
        link->space = space;
    }
    if (size)
        memcpy(link->bytes + link->used, bytes, size);
    link->used += size;
    return true;
}

/* Appends a number as PostgreSQL sends it: the highest byte first. */
static bool put_int(struct link *link, uint64_t number, int size)
{
    char bytes[8];
    for (int i = 0; i < size; i++)
        bytes[i] = (char)(number >> 8 * (size - 1 - i));
    return put(link, bytes, (size_t)size);
}

/* Appends the beginning of an array: dimensions, no NULLs, the type, its size, the first index. */
static bool put_array(struct link *link, size_t count, Oid type)
{
    return put_int(link, count > 0, 4) && put_int(link, 0, 4) && put_int(link, type, 4) &&
           (!count || (put_int(link, count, 4) && put_int(link, 1, 4)));
}

static bool put_ints(struct link *link, size_t count, const int64_t *number)
{
    enum { INT8OID = 20 };
    bool is_right = put_array(link, count, INT8OID);
    for (size_t i = 0; i < count; i++)
        is_right = is_right && put_int(link, 8, 4) && put_int(link, (uint64_t)number[i], 8);
    return is_right;
}

static bool put_texts(struct link *link, size_t count, const struct es_str *text)
{
    enum { TEXTOID = 25 };
    bool is_right = put_array(link, count, TEXTOID);
    for (size_t i = 0; i < count; i++)
        is_right =
            is_right && put_int(link, text[i].size, 4) && put(link, text[i].at, text[i].size);
    return is_right;
}

/* Appends the next parameter, of a type. */
static bool put_value(struct link *link, char type, va_list *values)
{
    const char *text;
    struct es_str str;
    size_t count;
    switch (type) {
    case 't':
        text = va_arg(*values, const char *);
        return put(link, text, strlen(text));
    case 's':
        str = va_arg(*values, struct es_str);
        return put(link, str.at, str.size);
    case 'i':
        return put_int(link, (uint64_t)va_arg(*values, int64_t), 8);
    case 'b':
        return put_int(link, (uint64_t)va_arg(*values, int), 1);
    case 'h':
        return put(link, va_arg(*values, const uint8_t *), ES_SHA256_BYTES);
    case 'I':
        count = va_arg(*values, size_t);
        return put_ints(link, count, va_arg(*values, const int64_t *));
    case 'S':
        count = va_arg(*values, size_t);
        return put_texts(link, count, va_arg(*values, const struct es_str *));
    }
    return false;
}

void link_send(struct link *link, const char *name, const char *types, ...)
{
    enum { MOST = 20 };
    size_t from[MOST];
    int size[MOST], format[MOST], count = 0;
    const char *value[MOST];
    bool is_right = true;
    if (!link->db)
        return;
    link->used = 0;
    va_list values;
    va_start(values, types);
    for (; types[count]; count++) {
        from[count] = link->used;
        is_right = is_right && put_value(link, types[count], &values);
        size[count] = (int)(link->used - from[count]);
        format[count] = 1;
    }
    va_end(values);
    is_right = is_right && put(link, "", 1); /* so that there are bytes, also for empty values */
    for (int i = 0; i < count && is_right; i++)
        value[i] = link->bytes + from[i];
    if (!is_right || !PQsendQueryPrepared(link->db, name, count, value, size, format, 1))
        lose(link, is_right ? "the connection to the database is lost" : "out of memory");
}

PGresult *link_next(struct link *link)
{
    if (!await_result(link))
        return NULL;
    PGresult *result = accepted(link, PQgetResult(link->db));
    /* Each statement's results end with NULL. */
    while (await_result(link)) {
        PGresult *more = PQgetResult(link->db);
        if (!more)
            break;
        PQclear(more);
    }
    if (link->db)
        return result;
    PQclear(result);
    return NULL;
}

bool link_sync(struct link *link)
{
    while (await_result(link)) {
        PGresult *result = PQgetResult(link->db);
        bool is_sync = PQresultStatus(result) == PGRES_PIPELINE_SYNC;
        if (!result && PQstatus(link->db) == CONNECTION_BAD)
            return lose(link, "the connection to the database is lost");
        if (result)
            PQclear(accepted(link, result));
        if (is_sync)
            return true;
    }
    return false;
}

/* ---- Values ---------------------------------------------------------------------------------- */

int64_t link_int(const PGresult *result, int row, int column)
{
    const char *bytes = PQgetvalue(result, row, column);
    int size = PQgetlength(result, row, column);
    uint64_t number = size > 0 && bytes[0] < 0 ? UINT64_MAX : 0;
    for (int i = 0; i < size; i++)
        number = number << 8 | (uint8_t)bytes[i];
    return (int64_t)number;
}

struct es_str link_str(const PGresult *result, int row, int column)
{
    return (struct es_str){PQgetvalue(result, row, column),
                           (size_t)PQgetlength(result, row, column)};
}
