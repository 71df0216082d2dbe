/* The writer: a thread that answers questions to the store.
 *
 * It takes the questions that wait as one group, with one sync to disk; those that come meanwhile
 * are the next group. So groups grow with the load, and no question waits for a timer. They grow up
 * to a limit, because larger ones are not faster, and a store gives up a group that takes too long.
 */
#ifndef ENDSTATION_WRITER_H
#define ENDSTATION_WRITER_H

#include "store/store.h"

enum { WRITER_QUEUE_MAX = 20000, WRITER_GROUP_MAX = 1000 };

/* An answer; those after it belong to the same list. */
struct writer_answer {
    struct writer_answer *next;
    struct store_answer answer;
};

/* Figures since the start. */
struct writer_counts {
    uint64_t questions, groups, overflows;
    uint64_t waiting; /* questions without an answer now */
    uint64_t oldest;  /* when the one was asked that the store has not answered for longest, in
                         milliseconds of CLOCK_MONOTONIC; 0: it has answered all */
    uint64_t unknown; /* groups that failed, or whose outcome is unknown */
    bool is_well;     /* the latest group with writes was stored */
    bool is_damaged;  /* something could not be read; stays so */
    char fault[STORE_FAULT_BYTES]; /* why the latest one that was not; empty: unknown */
};

struct writer;

/* Starts the thread, which calls `ready` when answers wait to be taken. The store stays the
 * caller's, but nobody else may use it before writer_close(). NULL: the system is short of memory
 * or threads. */
struct writer *writer_open(struct store *store, void (*ready)(void *context), void *context);
/* Copies a question into the queue. If the queue is full or memory is short, it is answered without
 * asking the store: a read with FAILED, a write with UNKNOWN. */
void writer_ask(struct writer *writer, const struct store_question *question);
/* Returns the answers so far, in their order, or NULL. Hand each to writer_free(). */
struct writer_answer *writer_take(struct writer *writer);
void writer_free(struct writer_answer *answer);
void writer_counts(struct writer *writer, struct writer_counts *counts);
/* Answers what is queued, ends the thread and frees everything. */
void writer_close(struct writer *writer);

#endif
