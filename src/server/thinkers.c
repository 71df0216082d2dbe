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
    uint64_t asked, begun; /* microseconds */
    atomic_bool is_forgotten;
    char texts[];
};

struct thinkers {
    void (*ready)(void *context);
    void *context;
    unsigned threads;
    pthread_t thread[THINKERS_MAX + 1];
    pthread_mutex_t mutex;
    pthread_cond_t change;
    /* All below: under the mutex. */
    struct job *first, **last; /* waiting, in the order in which they came */
    struct job *thinking;      /* being thought about */
    struct turns turns;
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
    void *memory; /* of the thought */
    es_event events[ES_EVENTS_MAX], scratch[ES_EVENTS_MAX];
};

struct limit {
    uint64_t until; /* microseconds */
    atomic_bool *is_forgotten;
};

static uint64_t now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static bool should_stop(void *context)
{
    const struct limit *limit = context;
    return atomic_load_explicit(limit->is_forgotten, memory_order_relaxed) ||
           now_us() >= limit->until;
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
    uint64_t ms = bot.ms && bot.ms < question->ms ? bot.ms : question->ms;
    struct limit limit = {job->begun + ms * 1000, &job->is_forgotten};
    desk->thought = (struct es_thought){
        .memory = desk->memory, .seed = seed_of(question), .stop = should_stop, .context = &limit};
    es_event event = bot.think(&bot, setup, &desk->view, question->seat, &desk->thought);
    struct es_out out = {answer->event, sizeof answer->event, 0};
    setup->game->format(setup, event, &out);
    answer->size = out.used;
    return es_out_ok(&out);
}

/* ---- Threads -------------------------------------------------------------------------------- */

/* Takes a job out of the queue. */
static struct job *take_out(struct thinkers *thinkers, struct job **at)
{
    struct job *job = *at;
    *at = job->next;
    if (!job->next)
        thinkers->last = at;
    thinkers->counts.waiting--;
    return job;
}

/* Returns the place of the job whose turn it is; NULL if there is none. */
static struct job **next_job(struct thinkers *thinkers, bool is_clocks)
{
    struct job **best = NULL;
    for (struct job **at = &thinkers->first; *at; at = &(*at)->next)
        if ((!is_clocks || (*at)->question.is_clocks) &&
            (!best ||
             turns_before(&thinkers->turns, &(*at)->question.turn, &(*best)->question.turn)))
            best = at;
    return best;
}

/* Waits for a job, one of the clock's if `is_clocks`. Returns NULL at the end. */
static struct job *take_job(struct thinkers *thinkers, bool is_clocks)
{
    struct job **at;
    while (!(at = next_job(thinkers, is_clocks)) && !thinkers->ending)
        pthread_cond_wait(&thinkers->change, &thinkers->mutex);
    if (thinkers->ending)
        return NULL;
    struct job *job = take_out(thinkers, at);
    job->next = thinkers->thinking;
    thinkers->thinking = job;
    thinkers->counts.thinking++;
    job->begun = now_us();
    es__times_add(&thinkers->counts.waits, job->begun - job->asked);
    job->question.ms = turns_begin(&thinkers->turns, &job->question.turn, job->question.ms);
    return job;
}

/* Adds an answer; returns true if it is the first. */
static bool add_answer(struct thinkers *thinkers, struct thinkers_answer *answer)
{
    bool was_empty = !thinkers->answered;
    *(was_empty ? &thinkers->answered : &thinkers->answered_last->next) = answer;
    thinkers->answered_last = answer;
    return was_empty;
}

static struct thinkers_answer *new_answer(uint64_t id)
{
    struct thinkers_answer *answer = calloc(1, sizeof *answer);
    if (!answer)
        abort(); /* a room would wait for ever */
    answer->id = id;
    return answer;
}

static void *work(struct thinkers *thinkers, bool is_clocks)
{
    struct desk *desk = malloc(sizeof *desk);
    if (desk && !(desk->memory = malloc(es_bot_bytes(NULL)))) {
        free(desk);
        desk = NULL;
    }
    pthread_mutex_lock(&thinkers->mutex);
    for (struct job *job; (job = take_job(thinkers, is_clocks)) != NULL;) {
        pthread_mutex_unlock(&thinkers->mutex);
        struct thinkers_answer *answer = new_answer(job->question.id);
        bool is_good = desk && think(desk, job, answer);
        if (!is_good)
            answer->size = 0;
        pthread_mutex_lock(&thinkers->mutex);
        struct job **at = &thinkers->thinking;
        while (*at != job)
            at = &(*at)->next;
        *at = job->next;
        turns_end(&thinkers->turns, &job->question.turn, now_us() - job->begun);
        thinkers->counts.thinking--;
        thinkers->counts.thoughts++;
        thinkers->counts.failures += !is_good;
        bool is_forgotten = atomic_load(&job->is_forgotten);
        if (is_forgotten)
            free(answer);
        bool is_first = !is_forgotten && add_answer(thinkers, answer);
        free(job);
        if (is_first) {
            pthread_mutex_unlock(&thinkers->mutex);
            thinkers->ready(thinkers->context);
            pthread_mutex_lock(&thinkers->mutex);
        }
    }
    pthread_mutex_unlock(&thinkers->mutex);
    if (desk)
        free(desk->memory);
    free(desk);
    return NULL;
}

static void *run(void *context)
{
    return work(context, false);
}

static void *run_clock(void *context)
{
    return work(context, true);
}

/* ---- For the loop --------------------------------------------------------------------------- */

struct thinkers *thinkers_open(unsigned threads, void (*ready)(void *context), void *context)
{
    struct thinkers *thinkers = calloc(1, sizeof *thinkers);
    if (!thinkers)
        return NULL;
    thinkers->ready = ready;
    thinkers->context = context;
    thinkers->last = &thinkers->first;
    pthread_mutex_init(&thinkers->mutex, NULL);
    pthread_cond_init(&thinkers->change, NULL);
    while (thinkers->threads < threads && thinkers->threads < THINKERS_MAX &&
           thread_start(&thinkers->thread[thinkers->threads], run, thinkers))
        thinkers->threads++;
    thinkers->turns.threads = thinkers->threads;
    bool is_whole = thinkers->threads > 0;
    if (is_whole)
        is_whole = thread_start(&thinkers->thread[thinkers->threads], run_clock, thinkers);
    thinkers->threads += is_whole;
    if (is_whole)
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

/* Returns the place of the latest question of the network that has most in the queue, and in it of
 * the maker who has most. */
static struct job **most_job(struct thinkers *thinkers)
{
    uint16_t of_network[TURNS_SLOTS] = {0}, of_maker[TURNS_SLOTS] = {0};
    uint32_t most = 0;
    struct job **best = NULL;
    for (const struct job *job = thinkers->first; job; job = job->next) {
        of_network[job->question.turn.network % TURNS_SLOTS]++;
        of_maker[job->question.turn.maker % TURNS_SLOTS]++;
    }
    for (struct job **at = &thinkers->first; *at; at = &(*at)->next) {
        const struct thinkers_question *question = &(*at)->question;
        uint32_t count = (uint32_t)of_network[question->turn.network % TURNS_SLOTS] << 16 |
                         of_maker[question->turn.maker % TURNS_SLOTS];
        if (count >= most) {
            most = count;
            best = at;
        }
    }
    return best;
}

void thinkers_ask(struct thinkers *thinkers, const struct thinkers_question *question)
{
    struct job *job =
        malloc(sizeof *job + question->level.size + question->text.size + question->map.size);
    if (!job)
        abort(); /* a room would wait for ever */
    char *to = job->texts;
    job->next = NULL;
    job->question = *question;
    job->question.level = keep(question->level, &to);
    job->question.text = keep(question->text, &to);
    job->question.map = keep(question->map, &to);
    job->asked = now_us();
    atomic_init(&job->is_forgotten, false);
    struct job *refused = NULL;
    bool is_first = false;
    pthread_mutex_lock(&thinkers->mutex);
    turns_ask(&thinkers->turns, &job->question.turn);
    *thinkers->last = job;
    thinkers->last = &job->next;
    if (++thinkers->counts.waiting > THINKERS_QUEUE_MAX) {
        refused = take_out(thinkers, most_job(thinkers));
        turns_drop(&thinkers->turns, &refused->question.turn);
        struct thinkers_answer *answer = new_answer(refused->question.id);
        answer->is_busy = true;
        is_first = add_answer(thinkers, answer);
        thinkers->counts.refused++;
    }
    pthread_cond_broadcast(&thinkers->change);
    pthread_mutex_unlock(&thinkers->mutex);
    free(refused);
    if (is_first)
        thinkers->ready(thinkers->context);
}

void thinkers_forget(struct thinkers *thinkers, uint64_t id)
{
    struct job *dropped = NULL;
    struct thinkers_answer *late = NULL;
    pthread_mutex_lock(&thinkers->mutex);
    for (struct job **at = &thinkers->first; *at; at = &(*at)->next)
        if ((*at)->question.id == id) {
            dropped = take_out(thinkers, at);
            turns_drop(&thinkers->turns, &dropped->question.turn);
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
