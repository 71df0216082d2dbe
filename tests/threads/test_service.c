/* The threads of the server under ThreadSanitizer: the writer and the thinkers, asked by one thread
 * as the loop does, with answers that come whenever they like. */
#include "loop.h"
#include "server/thinkers.h"
#include "server/writer.h"
#include "store/answer.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- A store that fails on purpose ----------------------------------------------------------- */

struct moody {
    struct store store;
    struct store *inner;
    unsigned groups;
    int mood;     /* what becomes of every third group */
    bool is_held; /* waits before answering until it is false; under `mutex` */
    bool is_waiting;
};

static enum store_outcome moody_answer(struct store *store, const struct store_pair *pair,
                                       size_t count)
{
    struct moody *moody = (struct moody *)store;
    pthread_mutex_lock(&mutex);
    moody->is_waiting = true;
    pthread_cond_broadcast(&change);
    while (moody->is_held)
        pthread_cond_wait(&change, &mutex);
    moody->is_waiting = false;
    pthread_mutex_unlock(&mutex);
    enum store_outcome outcome = moody->inner->answer(moody->inner, pair, count);
    if (++moody->groups % 3 != 0 || moody->mood == STORE_STORED)
        return outcome;
    answers_give_up(pair, count, (enum store_outcome)moody->mood);
    return (enum store_outcome)moody->mood;
}

static void moody_close(struct store *store)
{
    struct moody *moody = (struct moody *)store;
    moody->inner->close(moody->inner);
}

static const char *moody_fault(struct store *store)
{
    (void)store;
    return "it is in a mood";
}

static struct moody moody_open(enum store_outcome mood)
{
    return (struct moody){.store = {moody_answer, moody_close, moody_fault},
                          .inner = store_memory(),
                          .mood = (int)mood};
}

static struct store_question append(uint64_t id, struct store_entry *entry, const char *text)
{
    struct store_question question = {.id = id, .kind = STORE_APPEND, .first = 1, .entries = 1};
    snprintf(question.head.room, sizeof question.head.room, "aaaaaaaaaaaa%04u", (unsigned)id);
    snprintf(question.head.code, sizeof question.head.code, "AAAA%04u", (unsigned)id);
    question.head.people = es_str("aaaaaaaaaaaaaaaa 1 Ada\n");
    *entry = (struct store_entry){.kind = ENTRY_MADE, .decision = -1, .text = es_str(text)};
    question.entry = entry;
    return question;
}

/* Every question gets exactly one answer, in the order of the questions; what was stored is there,
 * texts and all. */
static void test_writer(enum store_outcome mood)
{
    enum { COUNT = 2000 };
    struct moody moody = moody_open(mood);
    struct writer *writer = writer_open(&moody.store, on_ready, NULL);
    static enum store_outcome outcome[COUNT + 1];
    uint64_t answered = 0;
    assert(writer);
    for (uint64_t id = 1; answered < COUNT;) {
        for (int i = 0; i < 7 && id <= COUNT; i++, id++) {
            struct store_entry entry;
            char text[40];
            snprintf(text, sizeof text, "settings of %u", (unsigned)id);
            struct store_question question = append(id, &entry, text);
            if (id % 5 == 0)
                question = (struct store_question){.id = id, .kind = STORE_WHO};
            writer_ask(writer, &question);
            memset(text, '?', sizeof text); /* it was copied */
        }
        if (id > COUNT)
            wait_for_post();
        for (struct writer_answer *answer = writer_take(writer), *next; answer; answer = next) {
            next = answer->next;
            assert(answer->answer.id == ++answered);
            outcome[answered] = answer->answer.outcome;
            assert(answered % 5 != 0 || outcome[answered] == STORE_STORED ||
                   outcome[answered] == STORE_FAILED);
            writer_free(answer);
        }
    }
    struct writer_counts counts;
    writer_counts(writer, &counts);
    assert(counts.questions == COUNT && counts.waiting == 0 && counts.overflows == 0);
    assert(counts.groups <= COUNT);
    writer_close(writer);
    for (uint64_t id = 1; id <= COUNT; id++) {
        struct store_entry entry;
        struct store_question question = append(id, &entry, "");
        struct store_answer answer;
        char text[40];
        if (id % 5 == 0 || outcome[id] != STORE_STORED)
            continue;
        question.kind = STORE_READ;
        store_ask(moody.inner, &question, &answer);
        snprintf(text, sizeof text, "settings of %u", (unsigned)id);
        assert(answer.found && answer.entries == 1 && es_str_is(answer.entry[0].text, text));
        free(answer.memory);
    }
    moody.store.close(&moody.store);
}

static void ask_and_wait(struct writer *writer, const struct store_question *question)
{
    struct writer_answer *answer = NULL;
    writer_ask(writer, question);
    for (; !answer; answer = writer_take(writer))
        wait_for_post();
    writer_free(answer);
}

/* When a write has failed, reading does not make the store well again; another write does. */
static void test_health(void)
{
    struct moody moody = moody_open(STORE_FAILED);
    struct writer *writer = writer_open(&moody.store, on_ready, NULL);
    struct writer_counts counts;
    for (uint64_t id = 1; id <= 5; id++) {
        struct store_entry entry;
        struct store_question question = append(id, &entry, "");
        if (id == 4)
            question = (struct store_question){.id = id, .kind = STORE_WHO};
        ask_and_wait(writer, &question);
        writer_counts(writer, &counts);
        assert(counts.is_well == (id < 3 || id > 4));
        assert(id != 4 || strcmp(counts.fault, "it is in a mood") == 0);
    }
    writer_close(writer);
    moody.store.close(&moody.store);
}

/* The writer says how long the store has not answered: whoever asks need not wait for that. */
static void test_silence(void)
{
    struct moody moody = moody_open(STORE_STORED);
    struct writer *writer = writer_open(&moody.store, on_ready, NULL);
    struct writer_counts first, later;
    moody.is_held = true;
    writer_ask(writer, &(struct store_question){.id = 1, .kind = STORE_WHO});
    pthread_mutex_lock(&mutex);
    while (!moody.is_waiting)
        pthread_cond_wait(&change, &mutex);
    pthread_mutex_unlock(&mutex);
    writer_counts(writer, &first);
    assert(first.oldest > 0);
    usleep(2000);
    writer_ask(writer, &(struct store_question){.id = 2, .kind = STORE_WHO});
    writer_counts(writer, &later);
    assert(later.oldest == first.oldest);
    pthread_mutex_lock(&mutex);
    moody.is_held = false;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&mutex);
    for (int answers = 0; answers < 2;) {
        wait_for_post();
        for (struct writer_answer *answer = writer_take(writer), *next; answer; answer = next) {
            next = answer->next;
            writer_free(answer);
            answers++;
        }
    }
    writer_counts(writer, &later);
    assert(later.oldest == 0);
    writer_close(writer);
    moody.store.close(&moody.store);
}

/* Questions that find the queue full are answered without the store, and later ones with it. */
static void test_full_writer(void)
{
    struct moody moody = moody_open(STORE_STORED);
    moody.is_held = true;
    struct writer *writer = writer_open(&moody.store, on_ready, NULL);
    struct store_entry entry;
    struct store_question question = append(1, &entry, "");
    writer_ask(writer, &question);
    pthread_mutex_lock(&mutex);
    while (!moody.is_waiting)
        pthread_cond_wait(&change, &mutex);
    pthread_mutex_unlock(&mutex);
    for (uint64_t id = 2; id < WRITER_QUEUE_MAX + 2; id++) {
        question.id = id;
        question.kind = STORE_WHO;
        writer_ask(writer, &question);
    }
    assert(!writer_take(writer));
    question.kind = STORE_APPEND;
    question.id = 1000001;
    writer_ask(writer, &question);
    question.kind = STORE_READ;
    question.id = 1000002;
    writer_ask(writer, &question);
    struct writer_answer *write = writer_take(writer), *read = write->next;
    assert(write->answer.id == 1000001 && write->answer.outcome == STORE_UNKNOWN);
    assert(read->answer.id == 1000002 && read->answer.outcome == STORE_FAILED && !read->next);
    writer_free(write);
    writer_free(read);
    pthread_mutex_lock(&mutex);
    moody.is_held = false;
    pthread_cond_broadcast(&change);
    pthread_mutex_unlock(&mutex);
    writer_close(writer); /* answers everything first */
    assert(moody.groups == 1 + WRITER_QUEUE_MAX / WRITER_GROUP_MAX);
    moody.store.close(&moody.store);
}

/* ---- Thinkers -------------------------------------------------------------------------------- */

static const char record[] =
    "endstation-record 1\ngame verplant\nmap practice\nplayers 1\n\ncard 4\n";

static struct thinkers_question question_of(uint64_t id, const char *text, const char *level)
{
    return (struct thinkers_question){
        .id = id, .level = es_str(level), .seat = 1, .ms = 1000, .text = es_str(text)};
}

/* Every question that is not forgotten gets one answer, the same for the same question. */
static void test_thinkers(const char *text, const char *level)
{
    enum { COUNT = 300 };
    struct thinkers *thinkers = thinkers_open(3, on_ready, NULL);
    static bool is_expected[COUNT + 1];
    char event[ES_EVENT_BYTES];
    size_t size = 0, expected = 0;
    assert(thinkers);
    for (uint64_t id = 1; id <= COUNT; id++) {
        struct thinkers_question question = question_of(id, text, level);
        question.turn = (struct turn){.network = id % 4, .maker = id % 20};
        question.is_clocks = id % 5 == 0;
        thinkers_ask(thinkers, &question);
        is_expected[id] = id % 3 != 0;
        if (!is_expected[id])
            thinkers_forget(thinkers, id);
        expected += is_expected[id];
    }
    while (expected > 0) {
        wait_for_post();
        for (struct thinkers_answer *answer = thinkers_take(thinkers), *next; answer;
             answer = next) {
            next = answer->next;
            assert(is_expected[answer->id]);
            is_expected[answer->id] = false;
            if (size == 0) {
                size = answer->size;
                memcpy(event, answer->event, sizeof event);
            }
            assert(answer->size == size && memcmp(answer->event, event, size) == 0);
            expected--;
            free(answer);
        }
    }
    assert(size > 0);
    thinkers_close(thinkers);
}

/* Nonsense is answered with nothing; what is under way at the end is dropped. */
static void test_bad_questions(void)
{
    struct thinkers *thinkers = thinkers_open(2, on_ready, NULL);
    const struct thinkers_question bad[] = {question_of(1, "no record", "random"),
                                            question_of(2, record, "no such level"),
                                            {.id = 3,
                                             .level = es_str("random"),
                                             .seat = 2,
                                             .text = es_str(record),
                                             .map = es_str("no sheet")}};
    unsigned left = 3;
    for (int i = 0; i < 3; i++)
        thinkers_ask(thinkers, &bad[i]);
    while (left > 0) {
        wait_for_post();
        for (struct thinkers_answer *answer = thinkers_take(thinkers), *next; answer;
             answer = next) {
            next = answer->next;
            assert(answer->size == 0);
            left--;
            free(answer);
        }
    }
    for (uint64_t id = 10; id < 100; id++) {
        struct thinkers_question question = question_of(id, record, "random");
        thinkers_ask(thinkers, &question);
    }
    thinkers_close(thinkers);
}

int main(void)
{
    test_writer(STORE_STORED);
    test_writer(STORE_UNKNOWN);
    test_writer(STORE_REFUSED);
    test_health();
    test_silence();
    test_full_writer();
    test_bad_questions();
    test_thinkers(record, "random");
    test_thinkers(record, "greedy");
    puts("ok");
    return 0;
}
