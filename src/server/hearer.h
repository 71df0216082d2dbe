/* The hearer: a thread that waits for changes that other processes make in a shared store. */
#ifndef ENDSTATION_HEARER_H
#define ENDSTATION_HEARER_H

#include "store/store.h"

/* The most news that wait. If there are more, NEWS_ALL replaces them: it says that anything may
 * have changed, too. */
enum { HEARER_QUEUE_MAX = 10000 };

/* Figures since the start. */
struct hearer_counts {
    uint64_t news;                 /* heard */
    uint64_t connects;             /* to the database */
    uint64_t overflows;            /* how often the queue was full */
    bool is_connected;             /* to the database, when last looked */
    char fault[STORE_FAULT_BYTES]; /* why it was not; empty: it has not been tried, or it was */
};

struct hearer;

/* Starts the thread, which calls `ready` when news wait to be taken, or `is_connected` has changed.
 * Call it before another thread uses the store, and hearer_close() before the store is closed.
 * NULL: the system is short of memory, threads or descriptors. */
struct hearer *hearer_open(const struct store *store, void (*ready)(void *context), void *context);
/* Returns the news so far, in their order, and sets their number; free them. NULL: none. */
struct store_news *hearer_take(struct hearer *hearer, size_t *count);
void hearer_counts(struct hearer *hearer, struct hearer_counts *counts);
/* Ends the thread and frees everything. Takes up to 5 s if the thread is just connecting. */
void hearer_close(struct hearer *hearer);

#endif
