/* Tests of metro's bots: answers are legal, reproducible, independent of hidden tiles, and good. */
#include "fixture.h"
#include <endstation/bots.h>

static const char *const levels[] = {"greedy", "casual", "strong", "master"};
enum { LEVELS = sizeof levels / sizeof levels[0], RULES_MAX = 6 };

static struct es_bot bot_named(const char *name)
{
    struct es_bot bot;
    assert_int_equal(es_bot_named(&es_metro, es_str(name), &bot), ES_OK);
    return bot;
}

/* A game in progress, with the list of events that views are made from. */
struct game {
    struct es_setup setup;
    struct es_state state;
    es_event events[FIXTURE_EVENTS];
    size_t count;
};

static const struct es_metro_state *state_of(const struct game *game)
{
    return es_metro_state(&game->state);
}

static void start_game(struct game *game, int players, uint32_t rules)
{
    game->setup = (struct es_setup){.game = &es_metro, .players = (uint8_t)players, .rules = rules};
    assert_int_equal(es_setup_prepare(&game->setup), ES_OK);
    es_metro.start(&game->setup, &game->state);
    game->count = 0;
}

static void apply_event(struct game *game, es_event event)
{
    assert_int_equal(es_metro.apply(&game->setup, &game->state, event), ES_OK);
    assert_true(game->count < FIXTURE_EVENTS);
    game->events[game->count++] = event;
}

/* Deals what is due. */
static void deal_all(struct game *game, uint8_t stock)
{
    const uint8_t seed[ES_SEED_BYTES] = {stock};
    while (es_metro.turn(&game->setup, &game->state).kind == ES_TURN_CHANCE)
        apply_event(game, es_metro.deal(&game->setup, &game->state, seed));
}

static es_event ask(const struct game *game, const struct es_bot *bot, struct es_thought *thought)
{
    static es_event scratch[FIXTURE_EVENTS];
    struct es_state view;
    int player = state_of(game)->player;
    es_view(&game->setup, &game->state, game->events, game->count, player, scratch, &view);
    return bot->think(bot, &game->setup, &view, player, thought);
}

static bool is_legal(const struct game *game, es_event event)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = es_metro.legal(&game->setup, &game->state, state_of(game)->player, events);
    for (size_t i = 0; i < count; i++)
        if (events[i] == event)
            return true;
    return false;
}

static void play_any(struct game *game, struct es_random *random)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = es_metro.legal(&game->setup, &game->state, state_of(game)->player, events);
    apply_event(game, events[es_random_below(random, (uint32_t)count)]);
}

/* Calls a test at positions of random games, with all numbers of players and all rules. */
static void everywhere(void (*test)(const struct game *game, uint64_t seed), uint32_t every)
{
    static struct game game;
    struct es_random random;
    es_random_seed(&random, every);
    for (int players = 2; players <= 6; players++)
        for (uint32_t rules = 0; rules < RULES_MAX; rules++) {
            start_game(&game, players, rules);
            for (;;) {
                deal_all(&game, (uint8_t)(players * 10 + (int)rules));
                if (state_of(&game)->phase == ES_METRO_OVER)
                    break;
                if (es_random_below(&random, every) == 0)
                    test(&game, es_random_next(&random));
                play_any(&game, &random);
            }
        }
}

/* ---- Every answer --------------------------------------------------------------------------- */

static void check_legal_and_repeatable(const struct game *game, uint64_t seed)
{
    for (int i = 0; i < LEVELS; i++) {
        struct es_bot bot = bot_named(levels[i]);
        struct es_thought one = {.memory = check_memory(), .seed = seed, .iterations = 40},
                          two = one;
        es_event event = ask(game, &bot, &one);
        assert_true(is_legal(game, event));
        assert_int_equal(ask(game, &bot, &two), event);
        assert_int_equal(one.done, two.done);
        assert_int_equal(one.candidates, two.candidates);
        assert_memory_equal(one.candidate, two.candidate, one.candidates * sizeof one.candidate[0]);
    }
}

static void answers_are_legal_and_repeat(void **unused)
{
    (void)unused;
    everywhere(check_legal_and_repeatable, 8);
}

static void check_candidates(const struct game *game, uint64_t seed)
{
    struct es_bot bot = bot_named("strong");
    struct es_thought thought = {.memory = check_memory(), .seed = seed, .iterations = 90};
    es_event legal[ES_LEGAL_MAX];
    es_event event = ask(game, &bot, &thought);
    if (es_metro.legal(&game->setup, &game->state, state_of(game)->player, legal) == 1) {
        assert_int_equal(thought.done, 0); /* nothing to think about */
        return;
    }
    uint64_t samples = 0;
    assert_int_equal(thought.done, 90);
    assert_true(thought.candidates > 1 && thought.candidates <= ES_CANDIDATES_MAX);
    assert_int_equal(thought.candidate[0].event, event);
    for (size_t i = 0; i < thought.candidates; i++) {
        const struct es_candidate *c = &thought.candidate[i];
        assert_true(is_legal(game, c->event));
        assert_true(c->samples > 0 && c->win >= 0 && c->win <= 1);
        assert_true(c->points >=
                    (float)es_metro.score(&game->setup, &game->state, state_of(game)->player));
        if (i > 0)
            assert_true(c->win <= c[-1].win);
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(c->event, thought.candidate[k].event);
        samples += c->samples;
    }
    assert_int_equal(samples, thought.done);
}

static void candidates_are_sorted(void **unused)
{
    (void)unused;
    everywhere(check_candidates, 8);
}

static bool stop_at_once(void *context)
{
    ++*(int *)context;
    return true;
}

static void check_stopped(const struct game *game, uint64_t seed)
{
    for (int i = 0; i < LEVELS; i++) {
        struct es_bot bot = bot_named(levels[i]);
        int asked = 0;
        struct es_thought thought = {
            .memory = check_memory(), .seed = seed, .stop = stop_at_once, .context = &asked};
        es_event event = ask(game, &bot, &thought);
        assert_true(is_legal(game, event));
        assert_true(thought.done <= 1);
        assert_int_equal(thought.candidates, thought.done);
        if (thought.done > 0) {
            assert_true(asked > 0);
            assert_int_equal(thought.candidate[0].event, event);
            assert_int_equal(thought.candidate[0].samples, 1);
        }
    }
}

static void thinking_ends_when_stopped(void **unused)
{
    (void)unused;
    everywhere(check_stopped, 8);
}

/* Two games that differ only in tiles in other hands and in the stock look the same from one
 * seat, so the answer must be the same. */
static void hidden_tiles_change_nothing(void **unused)
{
    (void)unused;
    static struct game one, two;
    const char *const told[2][5] = {
        {"deal 1 aacb", "deal 2 cbcb", "1 aacb d1", "deal 1 badb", "2 cbcb d2"},
        {"deal 1 aacb", "deal 2 cbcb", "1 aacb d1", "deal 1 badb", "2 cbcb d2"},
    };
    const char *const hidden[2] = {"deal 2 aaaa", "deal 2 dddd"};
    struct game *const games[2] = {&one, &two};
    for (int g = 0; g < 2; g++) {
        start_game(games[g], 2, 0);
        for (int i = 0; i < 6; i++) {
            es_event event;
            const char *text = i < 5 ? told[g][i] : hidden[g];
            assert_int_equal(es_metro.parse(&games[g]->setup, es_str(text), &event), ES_OK);
            apply_event(games[g], event);
        }
    }
    assert_memory_not_equal(&one.state, &two.state, sizeof one.state);
    for (int i = 0; i < LEVELS; i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            struct es_bot bot = bot_named(levels[i]);
            struct es_thought first = {.memory = check_memory(), .seed = seed, .iterations = 300},
                              second = first;
            assert_int_equal(ask(&one, &bot, &first), ask(&two, &bot, &second));
        }
}

/* ---- How they play -------------------------------------------------------------------------- */

/* Sets `mine` to the points that an event brings a player at once, `others` to those of all others
 * together. */
static void gains(const struct game *game, es_event event, int player, int *mine, int *others)
{
    struct es_state after = game->state;
    *mine = *others = 0;
    assert_int_equal(es_metro.apply(&game->setup, &after, event), ES_OK);
    for (int p = 1; p <= game->setup.players; p++)
        *(p == player ? mine : others) +=
            es_metro.score(&game->setup, &after, p) - es_metro.score(&game->setup, &game->state, p);
}

/* Returns how far a player is ahead of each of the others after an event, added up: a line counts
 * the tiles crossed so far, doubled at a central station, and one more if it is open. */
static int lead_after(const struct game *game, es_event event, int player)
{
    struct es_state after = game->state;
    assert_int_equal(es_metro.apply(&game->setup, &after, event), ES_OK);
    const struct es_board *board = &es_metro_state(&after)->board;
    int sum = 0, players = game->setup.players;
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_line line = es_board_line(board, station);
        int owner = es_station_owner(players, station);
        int worth = line.end == ES_END_CENTRE ? 2 * line.tiles
                    : line.end == ES_END_RIM  ? line.tiles
                                              : line.tiles + 1;
        if (owner)
            sum += owner == player ? (players - 1) * worth : -worth;
    }
    return sum;
}

static void check_greedy(const struct game *game, uint64_t seed)
{
    struct es_bot bot = bot_named("greedy");
    struct es_thought thought = {.memory = check_memory(), .seed = seed};
    es_event events[ES_LEGAL_MAX];
    int player = state_of(game)->player;
    int most = lead_after(game, ask(game, &bot, &thought), player);
    size_t count = es_metro.legal(&game->setup, &game->state, player, events);
    for (size_t i = 0; i < count; i++)
        assert_true(lead_after(game, events[i], player) <= most);
}

static void greedy_takes_the_most(void **unused)
{
    (void)unused;
    everywhere(check_greedy, 4);
}

/* Among equal moves greedy takes any: on the empty board every square with the best lead is chosen
 * at some time. */
static void greedy_takes_any_of_equals(void **unused)
{
    (void)unused;
    static struct game game;
    struct es_bot bot = bot_named("greedy");
    uint64_t squares = 0, best = 0;
    int most = -1000000;
    es_event events[ES_LEGAL_MAX];
    start_game(&game, 2, 0);
    apply_event(&game, ES_METRO_DEAL(1, ES_TILE_aaaa));
    apply_event(&game, ES_METRO_DEAL(2, ES_TILE_aaaa));
    for (uint64_t seed = 0; seed < 500; seed++) {
        struct es_thought thought = {.memory = check_memory(), .seed = seed};
        es_event event = ask(&game, &bot, &thought);
        assert_true(ES_METRO_IS_LAY(event));
        squares |= (uint64_t)1 << ES_METRO_LAY_SQUARE(event);
    }
    size_t count = es_metro.legal(&game.setup, &game.state, 1, events);
    for (size_t i = 0; i < count; i++) {
        int lead = lead_after(&game, events[i], 1);
        if (!ES_METRO_IS_LAY(events[i]) || lead < most)
            continue;
        best = (lead > most ? 0 : best) | (uint64_t)1 << ES_METRO_LAY_SQUARE(events[i]);
        most = lead;
    }
    assert_true(squares == best && (best & (best - 1)) != 0);
}

/* Returns the share of the win that player 1 gets if both play perfectly from here. The stock must
 * be empty: in a game of two, each player then knows the other's hand. */
static double best_end(const struct es_setup *setup, const struct es_state *state)
{
    struct es_turn turn = es_metro.turn(setup, state);
    if (turn.kind == ES_TURN_OVER) {
        unsigned winners = es_metro.winners(setup, state);
        return winners == 3 ? 0.5 : winners == 1;
    }
    es_event events[ES_LEGAL_MAX];
    int player = es_metro_state(state)->player;
    size_t count = es_metro.legal(setup, state, player, events);
    double best = player == 1 ? -1 : 2;
    for (size_t i = 0; i < count; i++) {
        struct es_state after = *state;
        assert_int_equal(es_metro.apply(setup, &after, events[i]), ES_OK);
        double end = best_end(setup, &after);
        if (player == 1 ? end > best : end < best)
            best = end;
    }
    return best;
}

/* With an empty stock the result can be computed: a searching bot must keep the best share of the
 * win that it can still get. */
static void endgames_keep_the_best_share_of_the_win(void **unused)
{
    (void)unused;
    static struct game game;
    struct es_bot bot = bot_named("strong");
    struct es_random random;
    int mattered = 0;
    es_random_seed(&random, 9);
    for (int g = 0; g < 400; g++) {
        start_game(&game, 2, g % 2 ? ES_METRO_ROTATE : 0);
        deal_all(&game, (uint8_t)g);
        while (state_of(&game)->stock > 0) {
            play_any(&game, &random);
            deal_all(&game, (uint8_t)g);
        }
        if (es_metro_laid(state_of(&game)) > 58)
            continue;
        struct es_thought thought = {
            .memory = check_memory(), .seed = (uint64_t)g, .iterations = 200};
        es_event answer = ask(&game, &bot, &thought), events[ES_LEGAL_MAX];
        struct es_state after = game.state;
        int player = state_of(&game)->player;
        double best = best_end(&game.setup, &game.state);
        assert_int_equal(es_metro.apply(&game.setup, &after, answer), ES_OK);
        assert_true(best_end(&game.setup, &after) == best);
        size_t count = es_metro.legal(&game.setup, &game.state, player, events);
        bool matters = false;
        for (size_t i = 0; i < count; i++) {
            after = game.state;
            assert_int_equal(es_metro.apply(&game.setup, &after, events[i]), ES_OK);
            matters |= best_end(&game.setup, &after) != best;
        }
        mattered += matters;
    }
    assert_true(mattered > 5);
}

/* Where some move gains 30 points or more on the others at once, the bot makes one that gains at
 * least 20 in more than a third of the cases (the rest can wait). A move that gives the others 30
 * points or more is made in fewer than one of 20 cases where it is possible. */
static void large_gains_are_taken_and_not_given_away(void **unused)
{
    (void)unused;
    static struct game game;
    struct es_bot bot = bot_named("strong");
    struct es_random random;
    int found = 0, taken = 0, dangers = 0, given = 0;
    es_random_seed(&random, 6);
    for (int g = 0; g < 60; g++) {
        start_game(&game, 2, g % 2 ? ES_METRO_ROTATE : 0);
        for (;; play_any(&game, &random)) {
            es_event events[ES_LEGAL_MAX];
            int mine, others, most = 0, least = 1000, danger = 0;
            deal_all(&game, (uint8_t)g);
            if (state_of(&game)->phase == ES_METRO_OVER)
                break;
            int player = state_of(&game)->player;
            size_t count = es_metro.legal(&game.setup, &game.state, player, events);
            for (size_t i = 0; i < count; i++) {
                gains(&game, events[i], player, &mine, &others);
                most = mine - others > most ? mine - others : most;
                least = others - mine < least ? others - mine : least;
                danger = others - mine > danger ? others - mine : danger;
            }
            if (most < 30 && (danger < 30 || least > 5))
                continue;
            struct es_thought thought = {
                .memory = check_memory(), .seed = (uint64_t)g, .iterations = 300};
            gains(&game, ask(&game, &bot, &thought), player, &mine, &others);
            found += most >= 30;
            taken += most >= 30 && mine - others >= 20;
            dangers += danger >= 30;
            given += others - mine >= 30;
        }
    }
    assert_true(found > 50 && taken * 3 > found);
    assert_true(dangers > 50 && given * 20 < dangers);
}

/* Early in a game the bot hardly ever finishes a line of its own for one or two points. */
static void own_lines_are_not_finished_for_a_point_or_two(void **unused)
{
    (void)unused;
    static struct game game;
    struct es_bot bot = bot_named("strong");
    struct es_random random;
    int thrown_away = 0;
    es_random_seed(&random, 4);
    for (int g = 0; g < 30; g++) {
        start_game(&game, 2, 0);
        deal_all(&game, (uint8_t)g);
        for (int i = 0; i < 6; i++) {
            play_any(&game, &random);
            deal_all(&game, (uint8_t)g);
        }
        struct es_thought thought = {
            .memory = check_memory(), .seed = (uint64_t)g, .iterations = 300};
        int mine, others;
        gains(&game, ask(&game, &bot, &thought), state_of(&game)->player, &mine, &others);
        thrown_away += mine == 1 || mine == 2;
    }
    assert_true(thrown_away <= 2);
}

/* Returns the first bot's share of the win against the second. Two games in a row have the same
 * stock, with the seats exchanged. */
static double match(const char *first, const char *second, uint64_t iterations, uint32_t rules,
                    int games)
{
    static struct game game;
    struct es_bot bots[2] = {bot_named(first), bot_named(second)};
    double won = 0;
    for (int g = 0; g < games; g++) {
        start_game(&game, 2, rules);
        for (;;) {
            deal_all(&game, (uint8_t)(g / 2));
            if (state_of(&game)->phase == ES_METRO_OVER)
                break;
            int seat = state_of(&game)->player - 1;
            struct es_thought thought = {
                .memory = check_memory(), .seed = game.count, .iterations = iterations};
            apply_event(&game, ask(&game, &bots[(seat + g) % 2], &thought));
        }
        unsigned winners = es_metro.winners(&game.setup, &game.state);
        won += winners == 3 ? 0.5 : winners >> (g % 2) == 1;
    }
    return won / games;
}

static void higher_levels_beat_lower_ones(void **unused)
{
    (void)unused;
    for (uint32_t rules = 0; rules < RULES_MAX; rules++) {
        assert_true(match("strong", "greedy", 60, rules, 4) == 1);
        assert_true(match("casual", "greedy", 1, rules, 20) >= 0.75);
        assert_true(match("greedy", "random", 1, rules, 100) >= 0.7);
    }
    assert_true(match("strong", "casual", 100, 0, 10) >= 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_legal_and_repeat),
        cmocka_unit_test(candidates_are_sorted),
        cmocka_unit_test(thinking_ends_when_stopped),
        cmocka_unit_test(hidden_tiles_change_nothing),
        cmocka_unit_test(greedy_takes_the_most),
        cmocka_unit_test(greedy_takes_any_of_equals),
        cmocka_unit_test(endgames_keep_the_best_share_of_the_win),
        cmocka_unit_test(large_gains_are_taken_and_not_given_away),
        cmocka_unit_test(own_lines_are_not_finished_for_a_point_or_two),
        cmocka_unit_test(higher_levels_beat_lower_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
