/* Tests of hindsight: the play it returns is legal, gets exactly the points it promises and never
 * fewer than the actual play; where all plays can be tried, it is the best. */
#include "fixture.h"
#include "random_game.h"
#include <endstation/verplant/hindsight.h>

static struct game game;

/* ---- Asking, and playing what is answered -------------------------------------------------- */

/* Searches with exactly the memory that hindsight asks for, so that sanitizers notice any byte
 * beyond. What that memory held before must not matter. */
static bool search(const struct es_setup *setup, const es_event *events, size_t count, int player,
                   int width, struct es_hindsight *best)
{
    static unsigned char rubbish;
    size_t bytes = es_hindsight_bytes(setup, count, width);
    void *memory = malloc(bytes);
    assert_non_null(memory);
    memset(memory, rubbish++, bytes);
    bool found = es_hindsight(setup, events, count, player, width, memory, best);
    free(memory);
    return found;
}

/* Plays a finished game again with other entries of one player; returns the final points. */
static int play_again(const struct es_setup *setup, const es_event *events, size_t count,
                      int player, const struct es_hindsight *best)
{
    struct es_state state;
    size_t used = 0;
    setup->game->start(setup, &state);
    for (size_t i = 0; i < count; i++) {
        if (setup->game->turn(setup, &state).kind == ES_TURN_OVER)
            break; /* with special stations the better play may need fewer cards */
        if (ES_EVENT_WHO(events[i]) == player)
            continue;
        assert_int_equal(setup->game->apply(setup, &state, events[i]), ES_OK);
        while (ES_EVENT_WHO(events[i]) == ES_CHANCE &&
               (es_verplant_state(&state)->acting >> (player - 1) & 1)) {
            assert_true(used < best->count);
            assert_int_equal(ES_EVENT_WHO(best->entry[used]), player);
            assert_int_equal(setup->game->apply(setup, &state, best->entry[used++]), ES_OK);
        }
    }
    assert_int_equal(setup->game->turn(setup, &state).kind, ES_TURN_OVER);
    assert_int_equal(used, best->count);
    return setup->game->score(setup, &state, player);
}

/* Checks what must hold for any answer; returns the points. */
static int check_hindsight(const struct es_setup *setup, const es_event *events, size_t count,
                           int player, int width)
{
    static struct es_hindsight best, again;
    struct es_state end;
    assert_true(search(setup, events, count, player, width, &best));
    assert_int_equal(play_again(setup, events, count, player, &best), best.points);
    assert_true(search(setup, events, count, player, width, &again));
    assert_int_equal(again.points, best.points);
    assert_int_equal(again.count, best.count);
    assert_memory_equal(again.entry, best.entry, best.count * sizeof best.entry[0]);
    assert_int_equal(es_fold(setup, events, count, &end), ES_OK);
    assert_true(best.points >= setup->game->score(setup, &end, player));
    return best.points;
}

static void play_to_the_end(struct game *g)
{
    while (!over(g))
        play_on(g, any_player(g));
}

/* ---- Any game ------------------------------------------------------------------------------ */

static void finished_games_of_all_kinds_are_answered(void **unused)
{
    (void)unused;
    static const char *const ids[] = {"practice", "amsterdam", "berlin", "paris", "madrid"};
    const char *const decks[] = {es_verplant_deck_14, es_verplant_deck_15, "6", "9 x9 6 + o"};
    for (int i = 0; i < 40; i++) {
        es_random_seed(&game.random, 200 + (uint64_t)i);
        /* Only one sheet of the largest size: it takes as long as all the others. */
        choose_map(&game, i % 3 ? NULL : ids[i / 3 % 5], i == 35 ? 3 : i % 3);
        begin(&game, 1 + i % 4, i / 2 % 2, decks[i / 3 % 4]);
        play_to_the_end(&game);
        int player = 1 + i % game.setup.players;
        check_hindsight(&game.setup, game.events, game.count, player, i == 35 ? 1 : 1 + i % 4);
    }
}

/* There is no answer while a card or an entry is missing. */
static void the_game_must_be_over(void **unused)
{
    (void)unused;
    static struct es_hindsight best;
    es_random_seed(&game.random, 300);
    choose_map(&game, "practice", 0);
    begin(&game, 2, true, es_verplant_deck_14);
    play_to_the_end(&game);
    for (size_t count = 0; count < game.count; count++)
        assert_false(search(&game.setup, game.events, count, 1, 3, &best));
    assert_true(search(&game.setup, game.events, game.count, 1, 3, &best));
}

/* ---- Everything tried ---------------------------------------------------------------------- */

enum { PATIENCE = 40000 };

struct trial {
    const struct game *game;
    int player, best;
    long tried;
};

/* Tries every way for the player to continue from an event of the game, the others playing as they
 * did. */
static void try_everything(struct trial *trial, const struct es_state *state, size_t at)
{
    const struct es_setup *setup = &trial->game->setup;
    if (++trial->tried > PATIENCE)
        return;
    if (es_verplant_state(state)->acting >> (trial->player - 1) & 1) {
        es_event events[ES_LEGAL_MAX];
        size_t count = setup->game->legal(setup, state, trial->player, events);
        for (size_t i = 0; i < count; i++) {
            struct es_state next = *state;
            assert_int_equal(setup->game->apply(setup, &next, events[i]), ES_OK);
            try_everything(trial, &next, at);
        }
        return;
    }
    if (setup->game->turn(setup, state).kind == ES_TURN_OVER) {
        int points = setup->game->score(setup, state, trial->player);
        trial->best = points > trial->best ? points : trial->best;
        return;
    }
    while (at < trial->game->count && ES_EVENT_WHO(trial->game->events[at]) == trial->player)
        at++;
    if (at == trial->game->count)
        return; /* windows are left, but no more cards are known */
    struct es_state next = *state;
    assert_int_equal(setup->game->apply(setup, &next, trial->game->events[at]), ES_OK);
    try_everything(trial, &next, at + 1);
}

/* On tiny sheets, a beam wide enough to keep everything finds the same points as trying
 * everything. */
static void finds_what_trying_everything_finds(void **unused)
{
    (void)unused;
    static const char *const decks[] = {"6 2 3 + + o", "1 2 6 x2 + + +", "3 3 4 5 6 x2 x3 + o"};
    unsigned compared[2][2] = {0}, more = 0;
    for (int i = 0; i < 150; i++) {
        es_random_seed(&game.random, 400 + (uint64_t)i);
        choose_map(&game, NULL, 0);
        begin(&game, 1 + i % 3, i / 3 % 2, decks[i / 6 % 3]);
        play_to_the_end(&game);
        struct trial trial = {&game, 1, -1000, 0};
        struct es_state start;
        game.setup.game->start(&game.setup, &start);
        try_everything(&trial, &start, 0);
        if (trial.tried > PATIENCE)
            continue;
        int found = check_hindsight(&game.setup, game.events, game.count, 1, 1000);
        if (found != trial.best)
            fail_msg("game %d: %d instead of %d", i, found, trial.best);
        compared[game.setup.players > 1][game.setup.rules != 0]++;
        more += found > game.setup.game->score(&game.setup, &game.state, 1);
    }
    for (int i = 0; i < 4; i++)
        assert_true(compared[i / 2][i % 2] > 10);
    assert_true(more > 50); /* it often finds more than was played */
}

/* ---- Cases --------------------------------------------------------------------------------- */

static struct fixture t;

static void expect_best(int player, int width, int points, const char *entries)
{
    static struct es_hindsight best;
    char text[256];
    struct es_out out = {text, sizeof text - 1, 0};
    assert_true(search(&t.setup, t.events, t.count, player, width, &best));
    assert_int_equal(check_hindsight(&t.setup, t.events, t.count, player, width), points);
    for (size_t i = 0; i < best.count; i++) {
        es_out_text(&out, i ? "; " : "");
        es_out_text(&out, check_event(&t.setup, best.entry[i]));
    }
    text[out.used] = '\0';
    if (entries)
        assert_string_equal(text, entries);
}

/* The others play as they did: a line that they completed first brings the higher value only if it
 * is completed in the same round. */
static void others_keep_what_they_claimed(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 3\ndeck 2 2 6\n",
                "A 1 5/1 : a. b.\n"
                "B 1 7/2 : c. d.\n");
    play_all(&t, "card 2; 1 A2; 2 B2; 3 A0; card 2; 1 B2; 2 A2; 3 B0");
    expect_line(&t, "player 3 lines 0 transfers 0 empty 4 penalty 2 total -2");
    expect_best(3, 100, 8, "3 B2; 3 A2"); /* B with player 2, then A after player 1 */
    expect_best(3, 1, 8, NULL);
    expect_best(1, 100, 12, "1 B2; 1 A2"); /* both with player 2: nobody else was earlier */
    start_sheet(&t, "players 1\ndeck 2 2 6\n",
                "A 1 5/1 : a. b.\n"
                "B 1 7/2 : c. d.\n");
    play_all(&t, "card 2; 1 A2; card 2; 1 B0");
    expect_best(1, 100, 12, NULL); /* a solo player is always first */
}

/* A transfer at the hub is worth waiting for: the 3 goes elsewhere. */
static void later_cards_are_taken_into_account(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\ndeck 3 + 6\n",
                "A 1 2/1 : h. a. b.\nB 1 1/0 : c. d. h.\nC 1 1/0 : e. f. h.\n");
    play_all(&t, "card 3; 1 A3; card +; 1 B1; card 6; 1 C2");
    /* B is completed by the h of A, C by the 6, a and b stay empty. */
    expect_best(1, 100, 6, "1 B2; 1 A1; 1 C2");
}

/* All stations are special: in every round, chains of extra entries go on for a long time in some
 * of the kept positions, so the search takes far more steps than there are windows or cards. */
static void long_chains_of_extra_entries_are_searched(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\nrules special\ndeck 1 1 1 1 1 1 1 1 1 1 1 1 6\n",
                "A 6 9/5 : a* b* c* d* e* f*\n"
                "B 6 9/5 : g* h* i* j* k* l*\n");
    for (int i = 0; i < 12; i++)
        play_all(&t, i < 6 ? "card 1; 1 A0" : "card 1; 1 B0");
    expect_best(1, 2000, 18, NULL);
}

/* With special stations, some ways to play need fewer cards than others, so a beam of width 1 may
 * run out of cards before the windows are full. The answer is then the game as it was played. */
static void without_enough_cards_the_actual_play_is_the_answer(void **unused)
{
    (void)unused;
    unsigned narrow = 0;
    for (int i = 0; i < 200; i++) {
        es_random_seed(&game.random, 600 + (uint64_t)i);
        choose_map(&game, NULL, i % 2);
        begin(&game, 1, true, "1 2 6 x2 o");
        play_to_the_end(&game);
        int one = check_hindsight(&game.setup, game.events, game.count, 1, 1);
        narrow += one == game.setup.game->score(&game.setup, &game.state, 1);
    }
    assert_true(narrow > 0);
}

/* Sheets can be worth thousands of points, and the last lines must count as much as the first. */
static void values_in_the_thousands_all_count(void **unused)
{
    (void)unused;
    static char drawing[1024], game_text[1024];
    struct es_out map = {drawing, sizeof drawing - 1, 0};
    struct es_out events = {game_text, sizeof game_text - 1, 0};
    for (char l = 'A'; l <= 'Z'; l++) {
        const char line[] = {l,   ' ', '1', ' ', '9', '9', '/', '0', ' ',  ':',
                             ' ', l,   '1', '.', ' ', l,   '2', '.', '\n', '\0'};
        const char round[] = {'c', 'a', 'r', 'd', ' ', '6', ';', ' ', '1', ' ', l, '0', '\0'};
        es_out_text(&map, line);
        es_out_text(&events, l > 'A' ? "; " : "");
        es_out_text(&events, round);
    }
    assert_true(es_out_ok(&map) && es_out_ok(&events));
    start_sheet(&t, "players 1\ndeck 6\n", drawing);
    play_all(&t, game_text);
    expect_best(1, 1, 26 * 99, NULL);
}

/* A sheet of 26 rings has the most choices; only the last line is right for the first card. */
static void the_last_of_26_rings_is_found(void **unused)
{
    (void)unused;
    static char drawing[2048], game_text[1024];
    struct es_out map = {drawing, sizeof drawing - 1, 0};
    struct es_out events = {game_text, sizeof game_text - 1, 0};
    for (char l = 'A'; l <= 'Z'; l++) {
        es_out_char(&map, l);
        es_out_text(&map, l == 'Z' ? " 1 50/0 ring :" : " 1 1/0 ring :");
        for (char k = '1'; k <= '4'; k++) {
            const char stop[] = {' ', l, k, '.', '\0'};
            es_out_text(&map, stop);
        }
        es_out_char(&map, '\n');
        es_out_text(&events, l > 'A' ? "; card +; 1 " : "card 4; 1 ");
        es_out_char(&events, l == 'A' ? 'Z' : (char)(l - 1));
        es_out_char(&events, '0');
    }
    assert_true(es_out_ok(&map) && es_out_ok(&events));
    start_sheet(&t, "players 1\ndeck 4 6 + + + + + + + + + + + + + + + + + + + + + + + + +\n",
                drawing);
    play_all(&t, game_text);
    expect_best(1, 4, 50 + 25 * 2 - 25 * 3, NULL); /* Z complete, the others with a framed 1 */
}

/* A game with more cards than hindsight can hold is refused, and nothing is overrun. */
static void games_with_too_many_cards_are_refused(void **unused)
{
    (void)unused;
    static struct es_hindsight best;
    static const char deck[] = "6 o o o o o o o o o o o o o o o o o o o";
    es_random_seed(&game.random, 500);
    do
        choose_map(&game, NULL, 3);
    while (game.map.windows < 110);
    begin(&game, 1, false, deck);
    while (!over(&game)) /* all free rides come before the 6 */
        if (acting(&game))
            play_on(&game, 1);
        else
            apply(&game, ES_VERPLANT_CARD(es_verplant_state(&game.state)->pile_count > 1
                                              ? ES_CARD_FREE_RIDE
                                              : ES_CARD_SIX));
    assert_true(es_verplant_state(&game.state)->round > ES_HINDSIGHT_ENTRIES_MAX);
    assert_false(search(&game.setup, game.events, game.count, 1, 1, &best));
}

/* The cards fit, but not the entries: special stations turn the last card into eight entries. */
static void games_with_too_many_entries_are_refused(void **unused)
{
    (void)unused;
    static struct es_hindsight best;
    enum { SHUFFLES = 17, RIDES = 59 };
    char deck[2 * (RIDES + 1)] = "6";
    for (int i = 0; i < RIDES; i++)
        strcat(deck, " o");
    start_sheet(&t, "players 1\n",
                "A 8 0/0 : a* b* c* d* e* f* g* h*\nB 8 0/0 : i. j.\nC 8 0/0 : k. l.\n");
    game.map = t.map;
    begin(&game, 1, true, deck);
    for (int i = 0; i < SHUFFLES; i++) {
        for (int k = 0; k < RIDES; k++) {
            apply(&game, ES_VERPLANT_CARD(ES_CARD_FREE_RIDE));
            apply(&game, ES_VERPLANT_ENTRY(1, ES_CHOICE_NO_RIDE));
        }
        apply(&game, ES_VERPLANT_CARD(ES_CARD_SIX));
        if (i < 16)
            apply(&game, ES_VERPLANT_ENTRY(1, ES_CHOICE(1 + i / 8, ES_DIRECTION_NONE, 0)));
    }
    for (int marks = 6; acting(&game); marks = marks == 6 ? 1 : 0)
        apply(&game, ES_VERPLANT_ENTRY(1, ES_CHOICE(0, ES_DIRECTION_NONE, marks)));
    assert_true(over(&game));
    assert_true(es_verplant_state(&game.state)->round <= ES_HINDSIGHT_ENTRIES_MAX);
    assert_false(search(&game.setup, game.events, game.count, 1, 1, &best));
}

static void what_makes_no_sense_is_refused(void **unused)
{
    (void)unused;
    static struct es_hindsight best;
    static const int widths[] = {INT32_MIN, -1, 0, ES_HINDSIGHT_WIDTH_MAX + 1, INT32_MAX};
    start_sheet(&t, "players 2\ndeck 2 2 6\n",
                "A 1 3/2 : a. b.\n"
                "B 1 3/2 : c. d.\n");
    play_all(&t, "card 2; 1 A2; 2 A2; card 2; 1 B2; 2 B2");
    assert_true(search(&t.setup, t.events, t.count, 1, 1, &best));
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
        assert_false(search(&t.setup, t.events, t.count, 1, widths[i], &best));
    for (int player = -1; player <= 7; player++)
        if (player < 1 || player > 2)
            assert_false(search(&t.setup, t.events, t.count, player, 1, &best));
    t.events[1] = t.events[0]; /* a card before all have made their entry */
    assert_false(search(&t.setup, t.events, t.count, 1, 1, &best));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finished_games_of_all_kinds_are_answered),
        cmocka_unit_test(the_game_must_be_over),
        cmocka_unit_test(finds_what_trying_everything_finds),
        cmocka_unit_test(others_keep_what_they_claimed),
        cmocka_unit_test(later_cards_are_taken_into_account),
        cmocka_unit_test(long_chains_of_extra_entries_are_searched),
        cmocka_unit_test(without_enough_cards_the_actual_play_is_the_answer),
        cmocka_unit_test(values_in_the_thousands_all_count),
        cmocka_unit_test(the_last_of_26_rings_is_found),
        cmocka_unit_test(games_with_too_many_cards_are_refused),
        cmocka_unit_test(games_with_too_many_entries_are_refused),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
