/* Tests of the rules of depot, as depot.h describes them: what a wagon brings, what is refused, who
 * wins. */
#include "check.h"

static struct es_setup setup;
static struct es_state state;

/* Starts a game of two and plays these events. */
static void play(const char *rule, const char *const *events)
{
    setup = (struct es_setup){.game = es_game_named(es_str("depot")), .players = 2};
    assert_non_null(setup.game);
    setup.rules = es_game_rule(setup.game, es_str(rule));
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    setup.game->start(&setup, &state);
    for (; *events; events++)
        check_apply(&setup, &state, *events);
}

/* Tries an event on a copy of the state; returns the name of the status. */
static const char *answer(const char *text)
{
    struct es_state copy = state;
    es_event event;
    es_status status = setup.game->parse(&setup, es_str(text), &event);
    if (!status)
        status = setup.game->apply(&setup, &copy, event);
    return es_status_code(status);
}

static int score(int player)
{
    return setup.game->score(&setup, &state, player);
}

static void equal_neighbours_score_two_and_neighbours_one_apart_score_one(void **unused)
{
    (void)unused;
    /* 3 beside a 3, above a 4; the 5 beside them is too far from a 3. */
    play("", (const char *const[]){"roll 3", "1 b2", "roll 4", "2 c3", "roll 5", "1 d2", "roll 3",
                                   "2 c2", NULL});
    assert_int_equal(score(1), 0);
    assert_int_equal(score(2), 2 + 1);
}

static void corners_count_only_by_their_rule(void **unused)
{
    (void)unused;
    const char *const events[] = {"roll 6", "1 a1", "roll 6", "2 b2", NULL};
    play("", events);
    assert_int_equal(score(2), 0);
    play("corners", events);
    assert_int_equal(score(2), 2);
}

static void illegal_moves_are_refused_with_their_reason(void **unused)
{
    (void)unused;
    play("", (const char *const[]){"roll 2", "1 c3", NULL});
    assert_string_equal(answer("2 c4"), "CHANCE_DUE");
    assert_string_equal(answer("roll 7"), "NUMBER_RANGE");
    check_apply(&setup, &state, "roll 2");
    assert_string_equal(answer("roll 2"), "CHANCE_NOT_DUE");
    assert_string_equal(answer("1 c4"), "NOT_TO_ACT");
    assert_string_equal(answer("2 c3"), "PLACE_TAKEN");
    assert_string_equal(answer("2 f1"), "PLACE_BAD");
    assert_string_equal(answer("3 a1"), "PLAYER_UNKNOWN");
    assert_string_equal(answer("2 a1"), "OK");
}

static void a_full_yard_ends_the_game_and_the_highest_score_wins(void **unused)
{
    (void)unused;
    play("", (const char *const[]){NULL});
    for (int place = 0; place < 25; place++) {
        char park[32];
        snprintf(park, sizeof park, "%d %c%d", place % 2 + 1, 'a' + place % 5, place / 5 + 1);
        assert_int_equal(setup.game->winners(&setup, &state), 0);
        /* Player 1 only gets numbers that score beside no neighbour, except for the last wagon. */
        check_apply(&setup, &state, place % 2 ? "roll 1" : place < 24 ? "roll 6" : "roll 1");
        check_apply(&setup, &state, park);
    }
    assert_int_equal(setup.game->turn(&setup, &state).kind, ES_TURN_OVER);
    assert_string_equal(answer("roll 1"), "GAME_OVER");
    assert_int_equal(score(1), 2 * 2);
    assert_int_equal(score(2), 0);
    assert_int_equal(setup.game->winners(&setup, &state), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_neighbours_score_two_and_neighbours_one_apart_score_one),
        cmocka_unit_test(corners_count_only_by_their_rule),
        cmocka_unit_test(illegal_moves_are_refused_with_their_reason),
        cmocka_unit_test(a_full_yard_ends_the_game_and_the_highest_score_wins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
