/* Listens to the notifications of other processes, on a connection of its own: the store's may wait
 * for a transaction.
 *
 * A message consists of lines: the name of the sender; then `r ROOM NEXT` (` l` behind it: listed),
 * `h ROOM` (what a process says about it), `g GUEST`, `a` (gaps) or `*` (everything). Unknown lines
 * are ignored: newer programs may send others.
 */
#include "store/postgres.h"
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct store_listener {
    struct link link;
    char sender[STORE_SENDER_BYTES]; /* whose messages are our own */
};

struct store_listener *store_listen(const struct store *store)
{
    struct store_listener *listener = calloc(1, sizeof *listener);
    const char *address, *sender = store_postgres_sender(store, &address);
    if (!listener)
        return NULL;
    strcpy(listener->sender, sender);
    listener->link.address = strdup(address);
    if (listener->link.address)
        return listener;
    free(listener);
    return NULL;
}

void store_listener_close(struct store_listener *listener)
{
    link_close(&listener->link);
    free(listener->link.address);
    free(listener);
}

const char *store_listener_fault(const struct store_listener *listener)
{
    return listener->link.fault;
}

/* Calls `hear` for the changes in a message, unless it is our own. Returns whether there were any.
 */
static bool tell(const struct store_listener *listener, const char *message,
                 void (*hear)(void *context, const struct store_news *news), void *context)
{
    bool has_news = false;
    size_t size = strcspn(message, "\n");
    if (size == strlen(listener->sender) && !strncmp(message, listener->sender, size))
        return false;
    for (const char *line = message + size; *line; line += strcspn(line, "\n")) {
        struct store_news news = {.kind = NEWS_ALL};
        unsigned long long next = 0;
        int end = 0;
        line++;
        if (sscanf(line, "r %16s %llu%n", news.room, &next, &end) == 2) {
            news.kind = NEWS_ROOM;
            news.next = next;
            news.listed = !strncmp(line + end, " l", 2);
        } else if (sscanf(line, "h %16s", news.room) == 1) {
            news.kind = NEWS_HERE;
        } else if (sscanf(line, "g %16s", news.guest) == 1) {
            news.kind = NEWS_GUEST;
        } else if (line[0] == 'a') {
            news.kind = NEWS_GAPS;
        } else if (line[0] != '*') {
            continue;
        }
        hear(context, &news);
        has_news = true;
    }
    return has_news;
}

/* Connects if it is time to, else waits for that, `limit` or `wake`. Returns whether it connected.
 */
static bool connect_or_wait(struct store_listener *listener, uint64_t limit, int wake)
{
    struct link *link = &listener->link;
    uint64_t now = link_now(), until = link->retry < limit ? link->retry : limit;
    if (now < link->retry) {
        struct pollfd descriptor = {wake, POLLIN, 0};
        poll(&descriptor, 1, until > now ? (int)(until - now) : 0);
        return false;
    }
    bool is_open = link_open(link);
    if (is_open) {
        PGresult *result = link_run(link, "LISTEN " LINK_CHANNEL);
        is_open = result != NULL;
        PQclear(result);
    }
    if (!is_open)
        link_close(link);
    link_tried(link, is_open);
    return is_open;
}

void store_hear(struct store_listener *listener, int wake, int ms,
                void (*hear)(void *context, const struct store_news *news), void *context)
{
    struct link *link = &listener->link;
    uint64_t limit = link_now() + (uint64_t)ms;
    bool has_news = false;
    if (!link->db) {
        if (!connect_or_wait(listener, limit, wake))
            return;
        hear(context, &(struct store_news){.kind = NEWS_ALL});
        limit = 0; /* that is news */
    }
    do {
        struct pollfd woken = {wake, POLLIN, 0};
        if (!link_wait(link, limit, wake))
            return;
        if (PQstatus(link->db) == CONNECTION_BAD) {
            link_check(link);
            return;
        }
        for (PGnotify *note = PQnotifies(link->db); note; note = PQnotifies(link->db)) {
            has_news |= tell(listener, note->extra, hear, context);
            PQfreemem(note);
        }
        if (poll(&woken, 1, 0) > 0)
            return;
    } while (!has_news && link_now() < limit);
}
