/* Implementation of hearer.h: one mutex, one list, and a pipe that ends the wait. */
#include "server/hearer.h"
#include "server/thread.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAR_MS = 60000 }; /* the thread waits this long at a time; it is woken anyway */

struct hearer {
    struct store_listener *listener; /* the thread's own */
    void (*ready)(void *context);
    void *context;
    pthread_t thread;
    int end[2]; /* a pipe; closed to end the thread */
    pthread_mutex_t mutex;
    /* All below: under the mutex. */
    struct store_news *news;
    size_t count, room;
    struct hearer_counts counts;
    bool is_ending;
};

/* Adds news to the list. If there is no room, NEWS_ALL is all that is left. */
static void keep(struct hearer *hearer, const struct store_news *news)
{
    if (hearer->count == hearer->room && hearer->room < HEARER_QUEUE_MAX) {
        size_t room = hearer->room ? 2 * hearer->room : 64;
        room = room < HEARER_QUEUE_MAX ? room : HEARER_QUEUE_MAX;
        struct store_news *grown = realloc(hearer->news, room * sizeof *grown);
        if (!grown && hearer->room == 0)
            abort(); /* a room would not hear of its moves */
        hearer->news = grown ? grown : hearer->news;
        hearer->room = grown ? room : hearer->room;
    }
    if (hearer->count < hearer->room) {
        hearer->news[hearer->count++] = *news;
        return;
    }
    hearer->counts.overflows++;
    hearer->news[0] = (struct store_news){.kind = NEWS_ALL};
    hearer->count = 1;
}

static void hear(void *context, const struct store_news *news)
{
    struct hearer *hearer = context;
    pthread_mutex_lock(&hearer->mutex);
    bool was_empty = hearer->count == 0;
    hearer->counts.news++;
    keep(hearer, news);
    pthread_mutex_unlock(&hearer->mutex);
    if (was_empty)
        hearer->ready(hearer->context);
}

/* Notes whether the listener is connected, and why not. Returns false at the end. */
static bool look(struct hearer *hearer)
{
    const char *fault = store_listener_fault(hearer->listener);
    struct hearer_counts *counts = &hearer->counts;
    pthread_mutex_lock(&hearer->mutex);
    bool is_ending = hearer->is_ending, was_connected = counts->is_connected;
    counts->is_connected = !*fault && counts->news > 0; /* each connection begins with NEWS_ALL */
    counts->connects += counts->is_connected && !was_connected;
    bool is_changed = counts->is_connected != was_connected || !*counts->fault != !*fault;
    snprintf(counts->fault, sizeof counts->fault, "%s", fault);
    pthread_mutex_unlock(&hearer->mutex);
    if (is_changed && !is_ending)
        hearer->ready(hearer->context);
    return !is_ending;
}

static void *run(void *context)
{
    struct hearer *hearer = context;
    do
        store_hear(hearer->listener, hearer->end[0], HEAR_MS, hear, hearer);
    while (look(hearer));
    return NULL;
}

static void free_hearer(struct hearer *hearer)
{
    if (hearer->listener)
        store_listener_close(hearer->listener);
    for (int i = 0; i < 2; i++)
        if (hearer->end[i] >= 0)
            close(hearer->end[i]);
    pthread_mutex_destroy(&hearer->mutex);
    free(hearer->news);
    free(hearer);
}

struct hearer *hearer_open(const struct store *store, void (*ready)(void *context), void *context)
{
    struct hearer *hearer = calloc(1, sizeof *hearer);
    if (!hearer)
        return NULL;
    hearer->ready = ready;
    hearer->context = context;
    hearer->end[0] = hearer->end[1] = -1;
    pthread_mutex_init(&hearer->mutex, NULL);
    hearer->listener = store_listen(store);
    if (hearer->listener && pipe2(hearer->end, O_CLOEXEC) == 0 &&
        thread_start(&hearer->thread, run, hearer))
        return hearer;
    free_hearer(hearer);
    return NULL;
}

struct store_news *hearer_take(struct hearer *hearer, size_t *count)
{
    pthread_mutex_lock(&hearer->mutex);
    struct store_news *news = hearer->count > 0 ? hearer->news : NULL;
    *count = hearer->count;
    if (news) {
        hearer->news = NULL;
        hearer->count = hearer->room = 0;
    }
    pthread_mutex_unlock(&hearer->mutex);
    return news;
}

void hearer_counts(struct hearer *hearer, struct hearer_counts *counts)
{
    pthread_mutex_lock(&hearer->mutex);
    *counts = hearer->counts;
    pthread_mutex_unlock(&hearer->mutex);
}

void hearer_close(struct hearer *hearer)
{
    pthread_mutex_lock(&hearer->mutex);
    hearer->is_ending = true;
    pthread_mutex_unlock(&hearer->mutex);
    close(hearer->end[1]);
    hearer->end[1] = -1;
    pthread_join(hearer->thread, NULL);
    free_hearer(hearer);
}
