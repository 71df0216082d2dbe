/* The hearer with a listener that says what the test tells it to: news come in order, too many
 * become "everything", and lost connections are noticed. */
#include "loop.h"
#include "server/hearer.h"
#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- The listener ---------------------------------------------------------------------------- */

/* Instead of the store's: hears numbers from a pipe. 0: it has connected; -1: the connection is
 * lost; else news of a room with that next number. */
struct store_listener {
    int feed[2];
    char fault[STORE_FAULT_BYTES];
};
static struct store_listener listener;
static bool is_closed;

struct store_listener *store_listen(const struct store *store)
{
    (void)store;
    listener.fault[0] = '\0';
    is_closed = false;
    return pipe(listener.feed) == 0 ? &listener : NULL;
}

void store_hear(struct store_listener *from, int wake, int ms,
                void (*hear)(void *context, const struct store_news *news), void *context)
{
    struct pollfd files[] = {{from->feed[0], POLLIN, 0}, {wake, POLLIN, 0}};
    int number;
    assert(poll(files, 2, ms) > 0);
    if (files[1].revents)
        return;
    assert(read(from->feed[0], &number, sizeof number) == sizeof number);
    struct store_news news = {.kind = number ? NEWS_ROOM : NEWS_ALL, .next = (uint64_t)number};
    snprintf(from->fault, sizeof from->fault, "%s", number < 0 ? "it is gone" : "");
    if (number >= 0)
        hear(context, &news);
}

const char *store_listener_fault(const struct store_listener *from)
{
    return from->fault;
}

void store_listener_close(struct store_listener *from)
{
    close(from->feed[0]);
    close(from->feed[1]);
    is_closed = true;
}

static void feed(int number)
{
    assert(write(listener.feed[1], &number, sizeof number) == sizeof number);
}

/* Waits for the connection to be as wanted. */
static struct hearer_counts wait_until(struct hearer *hearer, bool is_connected, uint64_t connects)
{
    struct hearer_counts counts;
    for (hearer_counts(hearer, &counts);
         counts.is_connected != is_connected || counts.connects != connects;
         hearer_counts(hearer, &counts))
        wait_for_post();
    return counts;
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void test_order(void)
{
    enum { ALL = 5000 };
    struct hearer *hearer = hearer_open(NULL, on_ready, NULL);
    assert(hearer);
    for (int i = 0; i < ALL; i++)
        feed(i);
    for (uint64_t next = 0; next < ALL;) {
        size_t count;
        struct store_news *news = hearer_take(hearer, &count);
        if (!news)
            wait_for_post();
        for (size_t i = 0; i < count; i++, next++)
            assert(news[i].next == next && news[i].kind == (next ? NEWS_ROOM : NEWS_ALL));
        free(news);
    }
    struct hearer_counts counts = wait_until(hearer, true, 1);
    assert(counts.news == ALL && counts.overflows == 0);
    hearer_close(hearer);
    assert(is_closed);
}

static void test_connection(void)
{
    struct hearer *hearer = hearer_open(NULL, on_ready, NULL);
    struct hearer_counts counts;
    hearer_counts(hearer, &counts);
    assert(!counts.is_connected && !*counts.fault);
    feed(-1); /* the first attempt fails: that is told */
    for (hearer_counts(hearer, &counts); !*counts.fault; hearer_counts(hearer, &counts))
        wait_for_post();
    assert(!counts.is_connected && counts.connects == 0);
    for (uint64_t i = 1; i <= 3; i++) {
        feed(0);
        assert(!*wait_until(hearer, true, i).fault);
        feed(-1);
        assert(strcmp(wait_until(hearer, false, i).fault, "it is gone") == 0);
    }
    hearer_close(hearer);
}

/* Nobody takes them: at some moment there are too many, and one that says so is left with those
 * that come later. */
static void test_overflow(void)
{
    struct hearer *hearer = hearer_open(NULL, on_ready, NULL);
    struct hearer_counts counts;
    feed(0);
    for (int i = 1; i <= HEARER_QUEUE_MAX + 9; i++)
        feed(i);
    do {
        usleep(1000);
        hearer_counts(hearer, &counts);
    } while (counts.news < HEARER_QUEUE_MAX + 10);
    size_t count;
    struct store_news *news = hearer_take(hearer, &count);
    assert(counts.overflows == 1 && count == 10 && news[0].kind == NEWS_ALL);
    for (size_t i = 1; i < count; i++)
        assert(news[i].kind == NEWS_ROOM && news[i].next == HEARER_QUEUE_MAX + i);
    free(news);
    assert(!hearer_take(hearer, &count) && count == 0);
    hearer_close(hearer);
}

int main(void)
{
    test_order();
    test_connection();
    test_overflow();
    puts("ok");
    return 0;
}
