/* Whose question a bot thinks about next, and threads in which bots think. */
#include "check.h"
#include "server/thinkers.h"
#include "threads/loop.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Turns ----------------------------------------------------------------------------------- */

enum { SECOND = 1000000, TRICK = 1000, LEAST_US = 10000, HOME = 5 /* a network */ };

/* A question in a queue, as small as a test needs it. */
struct asked {
    struct turn turn;
    int name; /* 0: it has been answered */
};

static struct turn turn_of(uint64_t network, uint64_t maker, uint64_t room)
{
    return (struct turn){.network = network, .maker = maker, .room = room};
}

static void ask(struct turns *turns, struct asked *asked, struct turn turn, int name)
{
    turns_ask(turns, &turn);
    *asked = (struct asked){turn, name};
}

/* Returns the question whose turn it is; NULL if there is none. */
static struct asked *first_of(const struct turns *turns, struct asked *asked, size_t count)
{
    struct asked *best = NULL;
    for (size_t i = 0; i < count; i++)
        if (asked[i].name && (!best || turns_before(turns, &asked[i].turn, &best->turn)))
            best = &asked[i];
    return best;
}

/* Takes the question whose turn it is, and thinks about it for so long, or for as long as it may
 * (*us is 0, and becomes that). Returns its name. */
static int think(struct turns *turns, struct asked *asked, size_t count, uint64_t *us)
{
    struct asked *best = first_of(turns, asked, count);
    if (!best)
        return 0;
    int name = best->name;
    uint64_t ms = turns_begin(turns, &best->turn, 1000);
    *us = *us ? *us : ms * 1000;
    turns_end(turns, &best->turn, *us);
    best->name = 0;
    return name;
}

static int next(struct turns *turns, struct asked *asked, size_t count, uint64_t us)
{
    return think(turns, asked, count, &us);
}

/* Ten rooms of one maker have six questions each; then somebody else asks, again and again. */
static void one_maker_of_many_rooms_delays_others_by_one_thought(void **state)
{
    (void)state;
    static struct turns turns = {.threads = 2};
    static struct asked asked[100];
    size_t count = 0;
    for (int i = 0; i < 60; i++)
        ask(&turns, &asked[count++], turn_of(HOME, 1, 100 + (uint64_t)i / 6), 1);
    assert_int_equal(next(&turns, asked, count, SECOND), 1);
    for (int i = 0; i < 5; i++) {
        ask(&turns, &asked[count++], turn_of(HOME, 2, 200), 2);
        assert_int_equal(next(&turns, asked, count, SECOND), 2);
        assert_int_equal(next(&turns, asked, count, SECOND), 1);
    }
    /* Who has used little comes first, until they have used as much. */
    for (int i = 0; i < 5; i++)
        ask(&turns, &asked[count++], turn_of(HOME, 3, 300), 3);
    for (int i = 0; i < 5; i++)
        assert_int_equal(next(&turns, asked, count, SECOND / 10), 3);
}

/* Who asks for nothing for long saves nothing up. */
static void nobody_saves_turns_up(void **state)
{
    (void)state;
    static struct turns turns = {.threads = 2};
    static struct asked asked[100];
    size_t count = 0;
    for (int i = 0; i < 40; i++)
        ask(&turns, &asked[count++], turn_of(HOME, 1, 100), 1);
    for (int i = 0; i < 20; i++)
        assert_int_equal(next(&turns, asked, count, SECOND), 1);
    for (int i = 0; i < 5; i++)
        ask(&turns, &asked[count++], turn_of(HOME, 2, 200), 2);
    int twos = 0;
    for (int i = 0; i < 6; i++)
        twos += next(&turns, asked, count, SECOND) == 2;
    assert_int_equal(twos, 3);
}

static void rooms_of_a_maker_take_turns(void **state)
{
    (void)state;
    static struct turns turns = {.threads = 2};
    static struct asked asked[100];
    size_t count = 0;
    for (int i = 0; i < 6; i++)
        ask(&turns, &asked[count++], turn_of(HOME, 1, 100), 1);
    ask(&turns, &asked[count++], turn_of(HOME, 1, 101), 2);
    ask(&turns, &asked[count++], turn_of(HOME, 1, 101), 2);
    static const int order[] = {1, 2, 1, 2, 1, 1, 1, 1, 0};
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++)
        assert_int_equal(next(&turns, asked, count, SECOND), order[i]);
}

/* While a bot still thinks for a maker, the next thread goes to another one. */
static void a_thought_counts_before_it_has_ended(void **state)
{
    (void)state;
    static struct turns turns = {.threads = 2};
    struct turn one = turn_of(HOME, 1, 100), two = turn_of(HOME, 2, 200);
    turns_ask(&turns, &one);
    turns_ask(&turns, &two);
    turns_ask(&turns, &two);
    turns_begin(&turns, &two, 1000);
    turns_end(&turns, &two, TRICK);
    assert_true(turns_before(&turns, &one, &two));
    turns_begin(&turns, &one, 1000);
    assert_true(turns_before(&turns, &two, &one));
    turns_end(&turns, &one, TRICK);
}

/* Guests of one network make one room after the other, each with six bots: who asks elsewhere waits
 * for one thought, again and again. */
static void new_makers_of_one_network_delay_others_by_one_thought(void **state)
{
    (void)state;
    static struct turns turns = {.threads = 2};
    static struct asked asked[1000];
    size_t count = 0;
    for (uint64_t i = 0; i < 100; i++) {
        for (int k = 0; k < 6; k++)
            ask(&turns, &asked[count++], turn_of(HOME, 10 + i, 1000 + i), 1);
        struct asked *first = first_of(&turns, asked, count);
        assert_int_equal(first->name, 1);
        turns_begin(&turns, &first->turn, 1000);
        ask(&turns, &asked[count++], turn_of(7, 2, 200), 2);
        turns_end(&turns, &first->turn, SECOND);
        first->name = 0;
        assert_int_equal(next(&turns, asked, count, TRICK), 2);
    }
}

/* A bot thinks for a second; meanwhile twenty other networks ask, and then one new one after each
 * thought. Its next question waits for those who were there, and for few of those who come later.
 */
static void new_networks_do_not_keep_others_waiting(void **state)
{
    (void)state;
    static struct turns turns = {.threads = 1};
    static struct asked asked[2000];
    size_t count = 0;
    struct turn turn = turn_of(7, 2, 200);
    turns_ask(&turns, &turn);
    turns_begin(&turns, &turn, 1000);
    for (uint64_t i = 0; i < 20; i++)
        ask(&turns, &asked[count++], turn_of(100 + i, 100 + i, 100 + i), 1);
    turns_end(&turns, &turn, SECOND);
    ask(&turns, &asked[count++], turn_of(7, 2, 200), 2);
    uint64_t waited = 0, us;
    for (uint64_t i = 200; count < 2000; i++) {
        us = 0;
        if (think(&turns, asked, count, &us) == 2)
            break;
        waited += us;
        ask(&turns, &asked[count++], turn_of(i, i, i), 1);
    }
    assert_in_range(waited, SECOND, 5 * SECOND);
}

/* A hundred questions of so many networks come at once, and one of another: thoughts become so
 * short that the last has its turn after three seconds. The other network's keeps its time if it
 * shares the threads with few. */
static void check_crowd(uint64_t networks, bool is_short)
{
    struct turns *turns = calloc(1, sizeof *turns);
    struct asked asked[101];
    uint64_t spent = 0;
    turns->threads = 2;
    for (uint64_t i = 0; i < 100; i++)
        ask(turns, &asked[i], turn_of(10 + i % networks, i, i), 1);
    ask(turns, &asked[100], turn_of(7, 200, 200), 2);
    for (int i = 0; i < 101; i++) {
        uint64_t us = 0;
        if (think(turns, asked, 101, &us) == 1)
            spent += us;
        else
            assert_int_equal(us < SECOND, is_short);
        assert_in_range(us, LEAST_US, SECOND);
    }
    assert_in_range(spent / turns->threads, SECOND, 3 * SECOND);
    assert_int_equal(turns->active, 0);
    free(turns);
}

static void thoughts_become_short_when_many_wait(void **state)
{
    (void)state;
    check_crowd(1, false);
    check_crowd(100, true);
}

/* ---- Threads --------------------------------------------------------------------------------- */

static const char record[] =
    "endstation-record 1\ngame verplant\nmap practice\nplayers 1\n\ncard 4\n";

static struct thinkers_question question_of(uint64_t id, uint64_t maker, const char *level)
{
    return (struct thinkers_question){.id = id,
                                      .level = es_str(level),
                                      .seat = 1,
                                      .ms = 60000,
                                      .turn = turn_of(HOME, maker, maker * 1000),
                                      .text = es_str(record)};
}

/* Has the only thread for bots think until it is told not to. */
static struct thinkers *occupied(uint64_t id)
{
    struct thinkers *thinkers = thinkers_open(1, on_ready, NULL);
    struct thinkers_counts counts;
    assert_non_null(thinkers);
    struct thinkers_question question = question_of(id, 9, "flat:1000000000");
    thinkers_ask(thinkers, &question);
    do
        thinkers_counts(thinkers, &counts);
    while (counts.thinking == 0);
    return thinkers;
}

/* Waits for so many answers; their numbers. */
static void take(struct thinkers *thinkers, size_t count, uint64_t *id, bool *is_busy)
{
    for (size_t i = 0; i < count;) {
        wait_for_post();
        for (struct thinkers_answer *answer = thinkers_take(thinkers), *after; answer;
             answer = after) {
            after = answer->next;
            assert_true(i < count);
            assert_int_equal(answer->size == 0, answer->is_busy);
            id[i] = answer->id;
            is_busy[i++] = answer->is_busy;
            free(answer);
        }
    }
}

static void moves_of_the_clock_wait_for_no_bot(void **state)
{
    (void)state;
    struct thinkers *thinkers = occupied(1);
    struct thinkers_question question = question_of(2, 8, "greedy");
    struct thinkers_counts counts;
    uint64_t id;
    bool is_busy;
    thinkers_ask(thinkers, &question);
    question.id = 3;
    question.is_clocks = true;
    thinkers_ask(thinkers, &question);
    take(thinkers, 1, &id, &is_busy);
    assert_int_equal(id, 3);
    thinkers_counts(thinkers, &counts);
    assert_int_equal(counts.thinking, 1);
    assert_int_equal(counts.waiting, 1);
    thinkers_close(thinkers);
}

/* Nor does a bot wait for the many moves of the clock of one maker, and if the queue is full, these
 * are put off. */
static void many_moves_of_the_clock_keep_no_bot_waiting(void **state)
{
    (void)state;
    struct thinkers *thinkers = thinkers_open(1, on_ready, NULL);
    struct thinkers_question question = question_of(1, 1, "flat:1000000000");
    uint64_t id;
    bool is_busy;
    question.is_clocks = true;
    for (question.id = 1; question.id <= 2; question.id++) /* both threads are busy with them */
        thinkers_ask(thinkers, &question);
    struct thinkers_counts counts;
    do
        thinkers_counts(thinkers, &counts);
    while (counts.thinking < 2);
    for (uint64_t i = 0; i < THINKERS_QUEUE_MAX; i++) {
        question = question_of(10 + i, 1, "flat:1000000000");
        question.is_clocks = true;
        thinkers_ask(thinkers, &question);
    }
    question = question_of(5, 2, "greedy");
    thinkers_ask(thinkers, &question);
    take(thinkers, 1, &id, &is_busy);
    assert_true(is_busy);
    assert_int_equal(id, 10 + THINKERS_QUEUE_MAX - 1);
    /* A thread that becomes free thinks about the bot's question. */
    thinkers_forget(thinkers, 1);
    thinkers_forget(thinkers, 2);
    take(thinkers, 1, &id, &is_busy);
    assert_int_equal(id, 5);
    assert_false(is_busy);
    thinkers_close(thinkers);
}

static void threads_are_shared_among_makers(void **state)
{
    (void)state;
    struct thinkers *thinkers = occupied(1);
    for (uint64_t i = 2; i < 10; i++) {
        struct thinkers_question question = question_of(i, i < 8 ? 1 : 100 + i, "greedy");
        thinkers_ask(thinkers, &question);
    }
    uint64_t id[8];
    bool is_busy[8];
    thinkers_forget(thinkers, 1);
    take(thinkers, 8, id, is_busy);
    assert_int_equal(id[0], 2);
    assert_true(id[1] >= 8 && id[2] >= 8); /* before the other five of maker 1 */
    thinkers_close(thinkers);
}

/* A full queue puts off the latest question of whoever asks most. */
static void a_full_queue_puts_off_those_who_ask_most(void **state)
{
    (void)state;
    struct thinkers *thinkers = occupied(1);
    struct thinkers_question question;
    struct thinkers_counts counts;
    for (uint64_t i = 0; i < THINKERS_QUEUE_MAX; i++) {
        question = question_of(10 + i, 1, "greedy");
        thinkers_ask(thinkers, &question);
    }
    uint64_t id;
    bool is_busy;
    question = question_of(5, 2, "greedy");
    thinkers_ask(thinkers, &question);
    take(thinkers, 1, &id, &is_busy);
    assert_true(is_busy);
    assert_int_equal(id, 10 + THINKERS_QUEUE_MAX - 1);
    question = question_of(6, 1, "greedy");
    thinkers_ask(thinkers, &question);
    take(thinkers, 1, &id, &is_busy);
    assert_true(is_busy);
    assert_int_equal(id, 6);
    /* Those of one network, also if the maker of another has more than each of theirs. */
    for (uint64_t i = 0; i < 2; i++) {
        question = question_of(7 + i, 3, "greedy");
        question.turn.network = HOME + 1;
        thinkers_ask(thinkers, &question);
        take(thinkers, 1, &id, &is_busy);
        assert_true(is_busy);
        assert_int_equal(id, 10 + THINKERS_QUEUE_MAX - 2 - i);
    }
    thinkers_counts(thinkers, &counts);
    assert_int_equal(counts.refused, 4);
    assert_int_equal(counts.waiting, THINKERS_QUEUE_MAX);
    thinkers_close(thinkers);
}

/* Any level has a limit of time, also one that has none of its own. */
static void every_thought_has_an_end(void **state)
{
    (void)state;
    struct thinkers *thinkers = thinkers_open(1, on_ready, NULL);
    struct thinkers_question question = question_of(1, 1, "flat:1000000000");
    uint64_t id;
    bool is_busy;
    question.ms = 10;
    thinkers_ask(thinkers, &question);
    take(thinkers, 1, &id, &is_busy);
    assert_int_equal(id, 1);
    thinkers_close(thinkers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_maker_of_many_rooms_delays_others_by_one_thought),
        cmocka_unit_test(nobody_saves_turns_up),
        cmocka_unit_test(rooms_of_a_maker_take_turns),
        cmocka_unit_test(a_thought_counts_before_it_has_ended),
        cmocka_unit_test(new_makers_of_one_network_delay_others_by_one_thought),
        cmocka_unit_test(new_networks_do_not_keep_others_waiting),
        cmocka_unit_test(thoughts_become_short_when_many_wait),
        cmocka_unit_test(moves_of_the_clock_wait_for_no_bot),
        cmocka_unit_test(many_moves_of_the_clock_keep_no_bot_waiting),
        cmocka_unit_test(threads_are_shared_among_makers),
        cmocka_unit_test(a_full_queue_puts_off_those_who_ask_most),
        cmocka_unit_test(every_thought_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
