/* Threads in which bots think. Each question that is not given up is answered once: with an event,
 * or with an empty text. Threads are shared fairly (turns.h). One thread more thinks
 * about moves of the clock and nothing else, so they wait for no bot; in the other threads they
 * have their turn like all others, so many of them keep no bot waiting either. */
#ifndef ENDSTATION_THINKERS_H
#define ENDSTATION_THINKERS_H

#include "core/times.h"
#include "server/turns.h"
#include <endstation/game.h>

enum { THINKERS_QUEUE_MAX = 1024, THINKERS_MAX = 64 };

struct thinkers_question {
    uint64_t id;
    struct es_str level;
    int seat;
    uint64_t ms;      /* the most milliseconds to think; a level may have less, and turns_begin() */
    struct turn turn; /* whose question it is; only its first three fields */
    bool is_clocks;   /* the move is made because somebody's time is up */
    struct es_str text; /* what the seat sees, a record */
    struct es_str map;  /* its sheet; empty: a built-in one, or none */
};

/* An answer; those after it belong to the same list. */
struct thinkers_answer {
    struct thinkers_answer *next;
    uint64_t id;
    char event[ES_EVENT_BYTES]; /* empty: the bot failed */
    size_t size;
    bool is_busy; /* empty because too many questions wait */
};

/* Figures since the start. */
struct thinkers_counts {
    uint64_t thoughts;          /* questions that a bot has finished with, failures included */
    uint64_t failures;          /* of these, those with an empty answer */
    uint64_t forgotten;         /* calls of thinkers_forget() */
    uint64_t refused;           /* questions that waited while the queue was full */
    uint64_t waiting, thinking; /* questions now */
    struct es__times waits;     /* from questions to the beginning of a thought */
};

struct thinkers;

/* Starts threads for bots, and one for moves of the clock. `ready` is called when answers wait to
 * be taken, by any thread. NULL: the system is short of memory or threads. */
struct thinkers *thinkers_open(unsigned threads, void (*ready)(void *context), void *context);
/* Copies a question into the queue. If that is full, the latest question of the network that has
 * most in it is answered as busy. */
void thinkers_ask(struct thinkers *thinkers, const struct thinkers_question *question);
/* Gives up a question. An answer that has not been taken yet is dropped. */
void thinkers_forget(struct thinkers *thinkers, uint64_t id);
/* Returns the answers so far, in their order, or NULL. Free each. */
struct thinkers_answer *thinkers_take(struct thinkers *thinkers);
void thinkers_counts(struct thinkers *thinkers, struct thinkers_counts *counts);
/* Gives up all questions, ends the threads and frees everything. */
void thinkers_close(struct thinkers *thinkers);

#endif
