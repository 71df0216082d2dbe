/* Implementation of thinkers.h. */
#include "server/thinkers.h"
#include "server/thread.h"
#include <endstation/bots.h>
#include <endstation/map.h>
#include <endstation/record.h>
#include <endstation/sha256.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct job {
    struct job *next;
    struct thinkers_question question;
    atomic_bool is_forgotten;
    char texts[];
};

struct thinkers {
    void (*ready)(void *context);
    void *context;
    unsigned threads;
    pthread_t thread[THINKERS_MAX];
    pthread_mutex_t mutex;
    pthread_cond_t change;
    /* All below: under the mutex. */
    struct job *first, *last; /* waiting */
    struct job *thinking;     /* being thought about */
    struct thinkers_answer *answered, *answered_last;
    struct thinkers_counts counts;
    bool ending;
};

/* ---- A thought ------------------------------------------------------------------------------ */

/* What a thread needs to read a record and to think. */
struct desk {
    struct es_record record;
    struct es_map map, own;
    struct es_state state, view;
    struct es_thought thought;
    es_event events[ES_EVENTS_MAX], scratch[ES_EVENTS_MAX];
};

struct limit {
    uint64_t until; /* milliseconds; 0: none */
    atomic_bool *is_forgotten;
};

static uint64_t now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool should_stop(void *context)
{
    const struct limit *limit = context;
    return atomic_load_explicit(limit->is_forgotten, memory_order_relaxed) ||
           (limit->until && now_ms() >= limit->until);
}

static uint64_t seed_of(const struct thinkers_question *question)
{
    struct es_sha256 sha;
    uint8_t digest[ES_SHA256_BYTES];
    uint64_t seed;
    es_sha256_init(&sha);
    es_sha256_update(&sha, question->text.at, question->text.size);
    es_sha256_final(&sha, digest);
    memcpy(&seed, digest, sizeof seed);
    return seed + (uint64_t)question->seat;
}

/* Thinks; false if the question makes no sense. */
static bool think(struct desk *desk, struct job *job, struct thinkers_answer *answer)
{
    const struct thinkers_question *question = &job->question;
    struct es_fault fault;
    struct es_bot bot;
    bool has_map = question->map.size > 0;
    desk->record = (struct es_record){.events = desk->events, .capacity = ES_EVENTS_MAX};
    if ((has_map && es_map_read(&desk->own, question->map, &fault)) ||
        es_record_read(&desk->record, question->text, has_map ? &desk->own : NULL, &desk->map,
                       &desk->state, &fault))
        return false;
    const struct es_setup *setup = &desk->record.setup;
    if (es_bot_named(setup->game, question->level, &bot))
        return false;
    es_view(setup, &desk->state, desk->events, desk->record.count, question->seat, desk->scratch,
            &desk->view);
    if (es_bot_fault(setup, &desk->view, question->seat))
        return false;
    uint64_t ms = question->ms && (!bot.ms || question->ms < bot.ms) ? question->ms : bot.ms;
    struct limit limit = {ms ? now_ms() + ms : 0, &job->is_forgotten};
    desk->thought =
        (struct es_thought){.seed = seed_of(question), .stop = should_stop, .context = &limit};
    es_event event = bot.think(&bot, setup, &desk->view, question->seat, &desk->thought);
    struct es_out out = {answer->event, sizeof answer->event, 0};
    setup->game->format(setup, event, &out);
    answer->size = out.used;
    return es_out_ok(&out);
}

/* ---- Threads -------------------------------------------------------------------------------- */

static struct job *take_job(struct thinkers *thinkers)
{
    while (!thinkers->first && !thinkers->ending)
        pthread_cond_wait(&thinkers->change, &thinkers->mutex);
    struct job *job = thinkers->first;
    if (thinkers->ending)
        return NULL;
    thinkers->first = job->next;
    if (!thinkers->first)
        thinkers->last = NULL;
    job->next = thinkers->thinking;
    thinkers->thinking = job;
    thinkers->counts.waiting--;
    thinkers->counts.thinking++;
    return job;
}

static void *run(void *context)
{
    struct thinkers *thinkers = context;
    struct desk *desk = malloc(sizeof *desk);
    pthread_mutex_lock(&thinkers->mutex);
    for (struct job *job; (job = take_job(thinkers)) != NULL;) {
        pthread_mutex_unlock(&thinkers->mutex);
        struct thinkers_answer *answer = calloc(1, sizeof *answer);
        if (!answer)
            abort(); /* a room would wait for ever */
        answer->id = job->question.id;
        bool is_good = desk && think(desk, job, answer);
        if (!is_good)
            answer->size = 0;
        pthread_mutex_lock(&thinkers->mutex);
        struct job **at = &thinkers->thinking;
        while (*at != job)
            at = &(*at)->next;
        *at = job->next;
        thinkers->counts.thinking--;
        thinkers->counts.thoughts++;
        thinkers->counts.failures += !is_good;
        bool is_forgotten = atomic_load(&job->is_forgotten), was_empty = !thinkers->answered;
        if (is_forgotten) {
            free(answer);
        } else {
            *(was_empty ? &thinkers->answered : &thinkers->answered_last->next) = answer;
            thinkers->answered_last = answer;
        }
        free(job);
        if (was_empty && !is_forgotten) {
            pthread_mutex_unlock(&thinkers->mutex);
            thinkers->ready(thinkers->context);
            pthread_mutex_lock(&thinkers->mutex);
        }
    }
    pthread_mutex_unlock(&thinkers->mutex);
    free(desk);
    return NULL;
}

/* ---- For the loop --------------------------------------------------------------------------- */

struct thinkers *thinkers_open(unsigned threads, void (*ready)(void *context), void *context)
{
    struct thinkers *thinkers = calloc(1, sizeof *thinkers);
    if (!thinkers)
        return NULL;
    thinkers->ready = ready;
    thinkers->context = context;
    pthread_mutex_init(&thinkers->mutex, NULL);
    pthread_cond_init(&thinkers->change, NULL);
    while (thinkers->threads < threads && thinkers->threads < THINKERS_MAX &&
           thread_start(&thinkers->thread[thinkers->threads], run, thinkers))
        thinkers->threads++;
    if (thinkers->threads > 0)
        return thinkers;
    thinkers_close(thinkers);
    return NULL;
}

static struct es_str keep(struct es_str text, char **to)
{
    struct es_str copy = {*to, text.size};
    if (text.size > 0)
        memcpy(*to, text.at, text.size);
    *to += text.size;
    return copy;
}

bool thinkers_ask(struct thinkers *thinkers, const struct thinkers_question *question)
{
    struct job *job =
        malloc(sizeof *job + question->level.size + question->text.size + question->map.size);
    if (job) {
        char *to = job->texts;
        job->next = NULL;
        job->question = *question;
        job->question.level = keep(question->level, &to);
        job->question.text = keep(question->text, &to);
        job->question.map = keep(question->map, &to);
        atomic_init(&job->is_forgotten, false);
    }
    pthread_mutex_lock(&thinkers->mutex);
    bool is_taken = job && thinkers->counts.waiting < THINKERS_QUEUE_MAX;
    if (is_taken) {
        *(thinkers->last ? &thinkers->last->next : &thinkers->first) = job;
        thinkers->last = job;
        thinkers->counts.waiting++;
        pthread_cond_signal(&thinkers->change);
    } else {
        thinkers->counts.refused++;
    }
    pthread_mutex_unlock(&thinkers->mutex);
    if (!is_taken)
        free(job);
    return is_taken;
}

void thinkers_forget(struct thinkers *thinkers, uint64_t id)
{
    struct job *dropped = NULL;
    struct thinkers_answer *late = NULL;
    pthread_mutex_lock(&thinkers->mutex);
    struct job *last = NULL;
    for (struct job **at = &thinkers->first; *at; last = *at, at = &(*at)->next) {
        if ((*at)->question.id != id)
            continue;
        dropped = *at;
        *at = dropped->next;
        if (thinkers->last == dropped)
            thinkers->last = last;
        thinkers->counts.waiting--;
        break;
    }
    for (struct job *job = thinkers->thinking; job; job = job->next)
        if (job->question.id == id)
            atomic_store(&job->is_forgotten, true);
    struct thinkers_answer *before = NULL;
    for (struct thinkers_answer **at = &thinkers->answered; *at; before = *at, at = &(*at)->next) {
        if ((*at)->id != id)
            continue;
        late = *at;
        *at = late->next;
        if (thinkers->answered_last == late)
            thinkers->answered_last = before;
        break;
    }
    thinkers->counts.forgotten++;
    pthread_mutex_unlock(&thinkers->mutex);
    free(dropped);
    free(late);
}

struct thinkers_answer *thinkers_take(struct thinkers *thinkers)
{
    pthread_mutex_lock(&thinkers->mutex);
    struct thinkers_answer *first = thinkers->answered;
    thinkers->answered = thinkers->answered_last = NULL;
    pthread_mutex_unlock(&thinkers->mutex);
    return first;
}

void thinkers_counts(struct thinkers *thinkers, struct thinkers_counts *counts)
{
    pthread_mutex_lock(&thinkers->mutex);
    *counts = thinkers->counts;
    pthread_mutex_unlock(&thinkers->mutex);
}

void thinkers_close(struct thinkers *thinkers)
{
    pthread_mutex_lock(&thinkers->mutex);
    thinkers->ending = true;
    for (struct job *job = thinkers->thinking; job; job = job->next)
        atomic_store(&job->is_forgotten, true);
    pthread_cond_broadcast(&thinkers->change);
    pthread_mutex_unlock(&thinkers->mutex);
    for (unsigned i = 0; i < thinkers->threads; i++)
        pthread_join(thinkers->thread[i], NULL);
    for (struct job *job = thinkers->first, *next; job; job = next) {
        next = job->next;
        free(job);
    }
    for (struct thinkers_answer *answer = thinkers_take(thinkers), *next; answer; answer = next) {
        next = answer->next;
        free(answer);
    }
    pthread_cond_destroy(&thinkers->change);
    pthread_mutex_destroy(&thinkers->mutex);
    free(thinkers);
}
