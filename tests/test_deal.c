/* Tests of cli_game_deal(): chance events of a new game, and a record that is full. */
#include "check.h"
#include "cli/cli.h"

static void a_full_record_takes_no_more_chance_events(void **state)
{
    (void)state;
    struct cli_game game = {0};
    const struct cli_choices choices = {.game = "metro"};
    assert_int_equal(cli_game_new(&game, "new", &choices), CLI_OK);
    struct es_record *record = &game.record;
    size_t dealt = record->count;
    assert_true(dealt > 0);
    /* The record is full, with one event still to be dealt. */
    record->count = record->capacity = dealt - 1;
    assert_int_equal(es_fold(&record->setup, record->events, record->count, &game.state), ES_OK);
    assert_int_equal(cli_game_deal(&game), ES_EVENTS_TOO_MANY);
    assert_int_equal(record->count, dealt - 1);
    record->capacity = dealt;
    assert_int_equal(cli_game_deal(&game), ES_OK);
    assert_int_equal(record->count, dealt);
    cli_game_free(&game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_record_takes_no_more_chance_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
