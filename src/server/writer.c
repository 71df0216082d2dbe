/* Implementation of writer.h: one mutex, one condition, two lists. */
#include "server/writer.h"
#include "server/thread.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A question with its texts, and later its answer. */
struct job {
    struct writer_answer answer; /* first, so that its address is also the job's, for free() */
    uint64_t since;              /* when it was asked */
    struct store_question question;
    struct store_entry entry[];
};

struct queue {
    struct job *first, *last;
};

struct writer {
    struct store *store;
    void (*ready)(void *context);
    void *context;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t change;
    struct store_pair pair[WRITER_GROUP_MAX]; /* the thread's own: the group that it asks */
    /* All below: under the mutex. */
    struct queue asked, answered;
    size_t queued;
    uint64_t busy_since; /* when the oldest question was asked of the group that the store has now;
                            0: it has none */
    struct writer_counts counts;
    bool ending;
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void append(struct queue *queue, struct job *job)
{
    job->answer.next = NULL;
    if (queue->last)
        queue->last->answer.next = &job->answer;
    else
        queue->first = job;
    queue->last = job;
}

/* ---- Copies --------------------------------------------------------------------------------- */

static size_t texts_size(const struct store_question *question)
{
    size_t size = question->head.people.size + question->text.size + question->note.text.size;
    for (size_t i = 0; i < question->entries; i++)
        size += question->entry[i].text.size;
    return size;
}

static struct es_str keep(struct es_str text, char **to)
{
    struct es_str copy = {*to, text.size};
    if (text.size > 0)
        memcpy(*to, text.at, text.size);
    *to += text.size;
    return copy;
}

/* Returns a copy with all its texts in one piece of memory, or NULL. */
static struct job *copy(const struct store_question *question)
{
    size_t entries = question->entries * sizeof(struct store_entry);
    struct job *job = malloc(sizeof *job + entries + texts_size(question));
    if (!job)
        return NULL;
    char *to = (char *)job->entry + entries;
    job->answer = (struct writer_answer){0};
    job->question = *question;
    job->question.entry = job->entry;
    job->question.head.people = keep(question->head.people, &to);
    job->question.text = keep(question->text, &to);
    job->question.note.text = keep(question->note.text, &to);
    for (size_t i = 0; i < question->entries; i++) {
        job->entry[i] = question->entry[i];
        job->entry[i].text = keep(question->entry[i].text, &to);
    }
    return job;
}

/* ---- The thread ----------------------------------------------------------------------------- */

/* Sets the answer to a question that was not asked. */
static void give_up(struct job *job, enum store_outcome outcome)
{
    job->answer.answer = (struct store_answer){
        .id = job->question.id, .kind = job->question.kind, .outcome = outcome};
}

/* Answers a group. Returns the outcome of its writes, and sets whether there are any. */
static enum store_outcome answer_group(struct writer *writer, struct job *first, bool *writes)
{
    size_t count = 0;
    *writes = false;
    for (struct job *job = first; job; job = (struct job *)job->answer.next) {
        writer->pair[count++] = (struct store_pair){&job->question, &job->answer.answer};
        *writes |= store_writes(job->question.kind);
    }
    return writer->store->answer(writer->store, writer->pair, count);
}

/* Notes whether the writes of a group became durable. A group that only reads says nothing about
 * that: a full disk can still be read. */
static void note(struct writer *writer, bool is_well)
{
    struct writer_counts *counts = &writer->counts;
    counts->is_well = is_well;
    counts->unknown += !is_well;
    if (!is_well)
        snprintf(counts->fault, sizeof counts->fault, "%s", writer->store->fault(writer->store));
}

/* Takes the first questions out of the queue, in their order. */
static struct queue take_group(struct writer *writer)
{
    struct queue group = {writer->asked.first, writer->asked.first};
    size_t count = 1;
    for (; group.last->answer.next && count < WRITER_GROUP_MAX; count++)
        group.last = (struct job *)group.last->answer.next;
    writer->asked.first = (struct job *)group.last->answer.next;
    if (!writer->asked.first)
        writer->asked.last = NULL;
    group.last->answer.next = NULL;
    writer->queued -= count;
    writer->busy_since = group.first->since;
    return group;
}

static void *run(void *context)
{
    struct writer *writer = context;
    pthread_mutex_lock(&writer->mutex);
    for (;;) {
        while (!writer->asked.first && !writer->ending)
            pthread_cond_wait(&writer->change, &writer->mutex);
        if (!writer->asked.first)
            break;
        struct queue group = take_group(writer);
        pthread_mutex_unlock(&writer->mutex);
        bool has_writes;
        enum store_outcome outcome = answer_group(writer, group.first, &has_writes);
        pthread_mutex_lock(&writer->mutex);
        bool was_empty = !writer->answered.first;
        writer->busy_since = 0;
        if (was_empty)
            writer->answered = group;
        else {
            writer->answered.last->answer.next = &group.first->answer;
            writer->answered.last = group.last;
        }
        writer->counts.groups++;
        if (has_writes)
            note(writer, outcome == STORE_STORED);
        if (writer->store->is_damaged && !writer->counts.is_damaged) {
            writer->counts.is_damaged = true;
            snprintf(writer->counts.fault, sizeof writer->counts.fault, "%s",
                     writer->store->fault(writer->store));
        }
        if (was_empty) {
            pthread_mutex_unlock(&writer->mutex);
            writer->ready(writer->context);
            pthread_mutex_lock(&writer->mutex);
        }
    }
    pthread_mutex_unlock(&writer->mutex);
    return NULL;
}

/* ---- For the loop --------------------------------------------------------------------------- */

struct writer *writer_open(struct store *store, void (*ready)(void *context), void *context)
{
    struct writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return NULL;
    writer->store = store;
    writer->ready = ready;
    writer->context = context;
    writer->counts.is_well = true;
    pthread_mutex_init(&writer->mutex, NULL);
    pthread_cond_init(&writer->change, NULL);
    if (thread_start(&writer->thread, run, writer))
        return writer;
    pthread_cond_destroy(&writer->change);
    pthread_mutex_destroy(&writer->mutex);
    free(writer);
    return NULL;
}

void writer_ask(struct writer *writer, const struct store_question *question)
{
    static const struct store_question none;
    struct job *job = copy(question);
    bool has_room = job != NULL;
    if (!job) {
        /* No memory for its texts: a job without them can still be answered. */
        struct store_question bare = none;
        bare.id = question->id;
        bare.kind = question->kind;
        job = copy(&bare);
        if (!job)
            abort(); /* a room would wait for ever */
    }
    job->since = now_ms();
    pthread_mutex_lock(&writer->mutex);
    writer->counts.questions++;
    writer->counts.waiting++;
    bool is_answered = !has_room || writer->queued >= WRITER_QUEUE_MAX, was_empty = false;
    if (is_answered) {
        was_empty = !writer->answered.first;
        writer->counts.overflows++;
        give_up(job, store_writes(question->kind) ? STORE_UNKNOWN : STORE_FAILED);
        append(&writer->answered, job);
    } else {
        writer->queued++;
        append(&writer->asked, job);
        pthread_cond_signal(&writer->change);
    }
    pthread_mutex_unlock(&writer->mutex);
    if (was_empty)
        writer->ready(writer->context);
}

struct writer_answer *writer_take(struct writer *writer)
{
    pthread_mutex_lock(&writer->mutex);
    struct job *first = writer->answered.first;
    writer->answered = (struct queue){0};
    for (struct job *job = first; job; job = (struct job *)job->answer.next)
        writer->counts.waiting--;
    pthread_mutex_unlock(&writer->mutex);
    return first ? &first->answer : NULL;
}

void writer_free(struct writer_answer *answer)
{
    free(answer->answer.memory);
    free(answer);
}

void writer_counts(struct writer *writer, struct writer_counts *counts)
{
    pthread_mutex_lock(&writer->mutex);
    *counts = writer->counts;
    counts->oldest = writer->busy_since    ? writer->busy_since
                     : writer->asked.first ? writer->asked.first->since
                                           : 0;
    pthread_mutex_unlock(&writer->mutex);
}

void writer_close(struct writer *writer)
{
    pthread_mutex_lock(&writer->mutex);
    writer->ending = true;
    pthread_cond_signal(&writer->change);
    pthread_mutex_unlock(&writer->mutex);
    pthread_join(writer->thread, NULL);
    for (struct writer_answer *answer = writer_take(writer), *next; answer; answer = next) {
        next = answer->next;
        writer_free(answer);
    }
    pthread_cond_destroy(&writer->change);
    pthread_mutex_destroy(&writer->mutex);
    free(writer);
}
