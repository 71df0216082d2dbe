/* Tests of the simple bots of verplant/bots.h. */
#include "check.h"
#include <endstation/bots.h>
#include <endstation/verplant/bots.h>

static struct es_map map;

/* Returns what a choice brings: the number of stations marked; for transfers and free rides, the
 * number of lines that stop there. Found by making the entry on a copy of the game. */
static int worth(const struct es_setup *setup, const struct es_state *state, es_choice choice)
{
    struct es_state after = *state;
    assert_int_equal(setup->game->apply(setup, &after, ES_VERPLANT_ENTRY(1, choice)), ES_OK);
    const struct es_sheet *old = &es_verplant_state(state)->sheet[0];
    const struct es_sheet *new = &es_verplant_state(&after)->sheet[0];
    int card = es_verplant_state(state)->card, marks = 0, calls = 0;
    for (int s = 0; s < map.stations; s++)
        if (es_sheet_marked(new, s) && !es_sheet_marked(old, s)) {
            marks++;
            calls += es_map_calls(&map, s);
        }
    return card == ES_CARD_TRANSFER || card == ES_CARD_FREE_RIDE ? calls : marks;
}

/* In whole games, no other choice would bring the greedy player more. */
static void greedy_takes_the_most(void **unused)
{
    (void)unused;
    check_builtin(&map, "practice");
    struct es_setup setup = {.game = &es_verplant, .players = 1, .map = &map};
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    struct es_random random;
    es_random_seed(&random, 5);
    int decided = 0; /* choices that were worse */
    for (uint8_t game = 0; game < 20; game++) {
        const uint8_t seed[ES_SEED_BYTES] = {game};
        struct es_state state;
        setup.game->start(&setup, &state);
        while (setup.game->turn(&setup, &state).kind != ES_TURN_OVER) {
            const struct es_verplant_state *s = es_verplant_state(&state);
            if (!s->acting) {
                es_event card = setup.game->deal(&setup, &state, seed);
                assert_int_equal(setup.game->apply(&setup, &state, card), ES_OK);
                continue;
            }
            es_choice choices[ES_CHOICES_MAX];
            es_choice taken = es_bot_greedy(&map, &s->sheet[0], s->card, &random);
            size_t count = es_sheet_choices(&map, &s->sheet[0], s->card, choices);
            int got = worth(&setup, &state, taken);
            for (size_t i = 0; i < count; i++) {
                assert_true(worth(&setup, &state, choices[i]) <= got);
                decided += worth(&setup, &state, choices[i]) < got;
            }
            assert_int_equal(setup.game->apply(&setup, &state, ES_VERPLANT_ENTRY(1, taken)), ES_OK);
        }
    }
    assert_true(decided > 1000);
}

/* es_bot_any_line() chooses every line at some time, a ring in both directions, always with as many
 * marks as the card allows. */
static void any_line_chooses_every_line_and_direction(void **unused)
{
    (void)unused;
    check_builtin(&map, "practice");
    struct es_sheet sheet;
    es_sheet_blank(&map, &sheet);
    struct es_random random;
    es_random_seed(&random, 6);
    unsigned lines = 0, ways = 0;
    for (int i = 0; i < 500; i++) {
        es_choice choice = es_bot_any_line(&map, &sheet, ES_CARD_NUMBER + 2, &random);
        int line = ES_CHOICE_LINE(choice);
        lines |= 1u << line;
        assert_int_equal(ES_CHOICE_MARKS(choice), 3);
        if (map.line[line].ring)
            ways |= 1u << ES_CHOICE_DIRECTION(choice);
    }
    assert_int_equal(lines, (1u << map.lines) - 1);
    assert_int_equal(ways, 1u << ES_DIRECTION_BACKWARDS | 1u << ES_DIRECTION_FORWARDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_takes_the_most),
        cmocka_unit_test(any_line_chooses_every_line_and_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
