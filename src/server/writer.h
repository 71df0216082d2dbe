/* The writer: a thread that answers questions to the store.
 *
 * It takes all questions that have gathered as one group, which becomes durable at once; what comes
 * meanwhile is the next group. So a group is as large as the load makes it, and nothing waits for a
 * timer.
 */
#ifndef ENDSTATION_WRITER_H
#define ENDSTATION_WRITER_H

#include "store/store.h"

enum { WRITER_QUEUE_MAX = 20000 };

/* An answer; those after it belong to the same list. */
struct writer_answer {
    struct writer_answer *next;
    struct store_answer answer;
};

/* Figures since the start. */
struct writer_counts {
    uint64_t questions, groups, overflows;
    uint64_t waiting;              /* questions without an answer now */
    uint64_t unknown;              /* groups whose outcome is not known, or that failed */
    bool is_well;                  /* the last group that writes became durable */
    char fault[STORE_FAULT_BYTES]; /* why the last one that did not; empty: nobody knows */
};

struct writer;

/* Starts the thread. `ready` is called by it when answers wait to be taken. The store stays the
 * caller's, but nobody else may use it before writer_close(). NULL: the system is short of
 * memory. */
struct writer *writer_open(struct store *store, void (*ready)(void *context), void *context);
/* Copies a question into the queue. If the queue is full, it is answered without asking the store:
 * a read failed, the outcome of a write is unknown. */
void writer_ask(struct writer *writer, const struct store_question *question);
/* Returns the answers so far, in their order, or NULL. Hand each to writer_free(). */
struct writer_answer *writer_take(struct writer *writer);
void writer_free(struct writer_answer *answer);
void writer_counts(struct writer *writer, struct writer_counts *counts);
/* Answers what is queued, ends the thread and frees everything. */
void writer_close(struct writer *writer);

#endif
