/* Tests of verplant's bots: on any sheet, with any rules and deck, they answer with a legal entry,
 * the same each time, from the view alone; they stop when asked to; and where one entry is clearly
 * the best, the searching ones find it. */
#include "fixture.h"
#include "games/verplant/bots_entry.h"
#include "games/verplant/bots_value.h"
#include "random_game.h"

enum { RANDOM, GREEDY, CASUAL, STRONG, MASTER, SOLO, FLAT, LEVELS };
static const char *const levels[LEVELS] = {"random", "greedy", "casual", "strong",
                                           "master", "solo",   "flat:50"};

static const char sixty_cards[] = "6 1 2 3 4 5 7 8 9 x1 x2 x5 x9 + o 6 1 2 3 4 5 7 8 9 x1 x2 x5 x9 "
                                  "+ o 6 1 2 3 4 5 7 8 9 x1 x2 x5 x9 + o 6 1 2 3 4 5 7 8 9 x1 x2 "
                                  "x5 x9 + o";

static struct game game, other_game;

/* ---- Questions ----------------------------------------------------------------------------- */

/* Asks a bot as a session does: with its player's view. */
static es_event think(const struct game *g, const char *level, int player,
                      struct es_thought *thought)
{
    static es_event scratch[ES_EVENTS_MAX];
    struct es_state view;
    struct es_bot bot;
    assert_int_equal(es_bot_named(g->setup.game, es_str(level), &bot), ES_OK);
    es_view(&g->setup, &g->state, g->events, g->count, player, scratch, &view);
    return bot.think(&bot, &g->setup, &view, player, thought);
}

static bool is_legal(const struct game *g, int player, es_event event)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = g->setup.game->legal(&g->setup, &g->state, player, events);
    for (size_t i = 0; i < count; i++)
        if (events[i] == event)
            return true;
    return false;
}

/* An upper bound: every line completed first, every free window a transfer at the largest hub. */
static float points_at_most(const struct game *g, int player)
{
    const struct es_sheet *sheet = &es_verplant_state(&g->state)->sheet[player - 1];
    int lines = 0, calls = 0;
    for (int l = 0; l < g->map.lines; l++)
        lines += g->map.line[l].first;
    for (int s = 0; s < g->map.stations; s++)
        calls = es_map_calls(&g->map, s) > calls ? es_map_calls(&g->map, s) : calls;
    return (float)(lines + 2 * (sheet->framed + sheet->windows_left * calls));
}

/* Checks what bots.h promises about an answer. */
static void check_answer(const struct game *g, const char *level, int player, es_event event,
                         const struct es_thought *thought)
{
    uint64_t samples = 0;
    if (!is_legal(g, player, event))
        fail_msg("%s answers %s", level, check_event(&g->setup, event));
    assert_true(thought->iterations == 0 || thought->done <= thought->iterations);
    assert_true(thought->candidates <= ES_CANDIDATES_MAX);
    if (thought->candidates)
        assert_int_equal(thought->candidate[0].event, event);
    for (size_t i = 0; i < thought->candidates; i++) {
        const struct es_candidate *c = &thought->candidate[i];
        assert_true(is_legal(g, player, c->event));
        for (size_t j = 0; j < i; j++)
            assert_true(thought->candidate[j].event != c->event);
        assert_true(c->win >= 0 && c->win <= 1);
        if (g->setup.players == 1) {
            /* Only points count: no other move may look better than the one chosen. */
            assert_true(c->win == 1);
            assert_true(c->points <= thought->candidate[0].points);
        }
        /* The evaluation may be wrong, but not impossible. */
        assert_true(c->points >= (float)g->setup.game->score(&g->setup, &g->state, player));
        assert_true(c->points <= points_at_most(g, player));
        samples += c->samples;
    }
    assert_true(samples <= thought->done);
}

static es_event ask(const struct game *g, const char *level, int player, uint64_t iterations,
                    uint64_t seed)
{
    struct es_thought thought = {.memory = check_memory(), .seed = seed, .iterations = iterations};
    es_event event = think(g, level, player, &thought);
    assert_int_equal(thought.iterations, iterations);
    check_answer(g, level, player, event, &thought);
    return event;
}

/* ---- Legal, whatever the position ---------------------------------------------------------- */

enum { ONE_LINE, NO_ROOM, EXTRA, RING, ANY, SITUATIONS };

/* Whether a player has already made an entry in this round and owes another. */
static bool owes_extra(const struct game *g, int player)
{
    for (size_t i = g->count; i > 0 && ES_EVENT_WHO(g->events[i - 1]) != ES_CHANCE; i--)
        if (ES_EVENT_WHO(g->events[i - 1]) == player)
            return true;
    return false;
}

static bool is_situation(const struct game *g, int player, int situation)
{
    const struct es_verplant_state *s = es_verplant_state(&g->state);
    const struct es_sheet *sheet = &s->sheet[player - 1];
    bool ride = s->card == ES_CARD_FREE_RIDE;
    switch (situation) {
    case ONE_LINE:
        return !ride && __builtin_popcount(sheet->choosable) == 1;
    case NO_ROOM:
        return ride && es_sheet_empty(sheet) == 0;
    case EXTRA:
        return owes_extra(g, player);
    case RING:
        return !ride && (sheet->choosable & g->map.rings);
    default:
        return true;
    }
}

/* All built-in sheets and random ones from tiny to huge, one to six players, with and without the
 * special rule, usual and odd decks. Over all games, every level is asked in every kind of
 * position. */
static void every_answer_is_legal(void **unused)
{
    (void)unused;
    static const char *const ids[] = {"practice", "amsterdam", "berlin", "paris", "madrid"};
    const char *const decks[] = {es_verplant_deck_14, es_verplant_deck_15, "6",
                                 "9 x9 6 + o",        "o o o o o 6 x9",    sixty_cards};
    enum { IDS = sizeof ids / sizeof ids[0], DECKS = sizeof decks / sizeof decks[0], GAMES = 50 };
    unsigned asked[SITUATIONS][LEVELS] = {0};
    es_random_seed(&game.random, 1);
    for (int i = 0; i < GAMES; i++) {
        int map = i % (IDS + 8), level = i, budget = 6;
        choose_map(&game, map < IDS ? ids[map] : NULL, (map - IDS + 8) % 4);
        begin(&game, 1 + i % 6, i / 7 % 2, decks[(i + i / 6) % DECKS]);
        unsigned done = 0;
        while (!over(&game)) {
            int player = any_player(&game);
            for (int k = 0; player && k < SITUATIONS && budget > 0; k++)
                if (!(done >> k & 1) && is_situation(&game, player, k) &&
                    (k < RING || es_random_below(&game.random, 20) == 0)) {
                    level = (level + 1) % LEVELS;
                    ask(&game, levels[level], player, game.map.lines > 10 ? 1 : 8, (uint64_t)i);
                    asked[k][level]++;
                    done |= asked[k][level] > 1 ? 1U << k : 0;
                    budget--;
                }
            play_on(&game, player);
        }
    }
    for (int k = 0; k < SITUATIONS; k++)
        for (int l = 0; l < LEVELS; l++)
            if (asked[k][l] == 0)
                fail_msg("%s was never asked in situation %d", levels[l], k);
}

/* ---- The same each time -------------------------------------------------------------------- */

static void the_same_answer_each_time(void **unused)
{
    (void)unused;
    static const struct {
        const char *id;
        int players, windows;
        bool special;
    } positions[] = {{"paris", 3, 12, true},
                     {"berlin", 1, 99, false},
                     {NULL, 6, 8, true},
                     {"practice", 2, 7, false}};
    unsigned differs[LEVELS] = {0};
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        es_random_seed(&game.random, 10 + i);
        choose_map(&game, positions[i].id, 2);
        begin(&game, positions[i].players, positions[i].special, es_verplant_deck_14);
        int player = play_until(&game, positions[i].windows);
        other_game = game;
        other_game.setup.map = &other_game.map;
        play_on(&other_game, player);
        int other = play_until(&other_game, 99);
        assert_true(player && other);
        for (int l = 0; l < LEVELS; l++)
            for (uint64_t seed = 1; seed <= 2; seed++) {
                struct es_thought first = {.memory = check_memory(),
                                           .seed = seed,
                                           .iterations = 12},
                                  again = first;
                struct es_thought next = {
                    .memory = check_memory(), .seed = seed + 1, .iterations = 12};
                es_event answer = think(&game, levels[l], player, &first);
                ask(&other_game, levels[(l + seed) % LEVELS], other, 4, seed);
                assert_int_equal(think(&game, levels[l], player, &again), answer);
                assert_memory_equal(&first, &again, sizeof first);
                differs[l] += think(&game, levels[l], player, &next) != answer;
                for (size_t c = 0; c < first.candidates; c++)
                    differs[l] += next.candidate[c].points != first.candidate[c].points;
            }
    }
    for (int l = 0; l < LEVELS; l++)
        assert_true(differs[l] > 0); /* the seed does something */
}

/* Candidates that were given up early were tried with other cards; the comparison must allow for
 * that. */
static void in_solo_the_answer_has_the_most_points(void **unused)
{
    (void)unused;
    es_random_seed(&game.random, 3);
    choose_map(&game, "amsterdam", 0);
    for (int i = 0; i < 3; i++) {
        begin(&game, 1, false, es_verplant_deck_14);
        while (!over(&game)) {
            int player = any_player(&game);
            if (player)
                ask(&game, "strong", player, 300, (uint64_t)i);
            play_on(&game, player);
        }
    }
}

/* What others have entered in the open round is hidden: it must not change a byte of the
 * thought. */
static void answers_depend_on_the_view_alone(void **unused)
{
    (void)unused;
    unsigned compared = 0;
    for (uint64_t i = 0; i < 10; i++) {
        es_random_seed(&game.random, 20 + i);
        choose_map(&game, i % 2 ? "madrid" : NULL, 1);
        begin(&game, 2 + (int)i % 3, i % 3 == 0, es_verplant_deck_15);
        while (!over(&game) && (any_player(&game) || game.count < 10 + 4 * i))
            play_on(&game, any_player(&game)); /* until a card is due, some rounds into the game */
        if (over(&game))
            continue;
        play_on(&game, 0);
        const unsigned all = acting(&game);
        if (!(all & (all - 1)))
            continue; /* nobody else is left */
        int player = __builtin_ctz(all) + 1;
        other_game = game;
        other_game.setup.map = &other_game.map;
        es_random_seed(&other_game.random, 77);
        struct game *const both[] = {&game, &other_game};
        for (int k = 0; k < 2; k++)
            for (unsigned left; (left = acting(both[k]) & ~(1U << (player - 1))) != 0;)
                play_on(both[k], __builtin_ctz(left) + 1);
        compared += memcmp(&game.state, &other_game.state, sizeof game.state) != 0;
        for (int l = 0; l < LEVELS; l++) {
            struct es_thought a = {.memory = check_memory(), .seed = i, .iterations = 5}, b = a;
            es_event answer = think(&game, levels[l], player, &a);
            assert_int_equal(think(&other_game, levels[l], player, &b), answer);
            assert_memory_equal(&a, &b, sizeof a);
        }
    }
    assert_true(compared > 4);
}

/* ---- Stopping ------------------------------------------------------------------------------ */

struct patience {
    uint64_t asked, least;
};

static bool lose_patience(void *context)
{
    struct patience *patience = context;
    return ++patience->asked > patience->least;
}

/* Searching bots poll `stop` before every sample, and all but flat:N also at every card of it and
 * where a card takes long. Polling alone changes nothing. */
static void thinking_ends_when_stopped(void **unused)
{
    (void)unused;
    for (int i = 0; i < 4; i++) {
        es_random_seed(&game.random, 30 + (uint64_t)i);
        choose_map(&game, i < 2 ? "paris" : NULL, i - 1);
        begin(&game, 1 + i, i % 2, es_verplant_deck_14);
        int player = play_until(&game, 24 - 6 * i);
        assert_true(player);
        for (int l = 0; l < LEVELS; l++)
            for (uint64_t least = 0; least < 50; least = 4 * least + 1) {
                struct patience patience = {0, least};
                struct es_thought thought = {.memory = check_memory(),
                                             .seed = 3,
                                             .stop = lose_patience,
                                             .context = &patience};
                es_event event = think(&game, levels[l], player, &thought);
                check_answer(&game, levels[l], player, event, &thought);
                assert_int_equal(thought.iterations, 0);
                assert_true(thought.done <= least);
                if (l >= STRONG)
                    assert_true(patience.asked > 0 && patience.asked >= thought.done);
            }
        for (int l = STRONG; l < LEVELS; l++) {
            struct patience patience = {0, UINT64_MAX};
            struct es_thought calm = {.memory = check_memory(), .seed = 3, .iterations = 20},
                              asking = calm;
            asking.stop = lose_patience;
            asking.context = &patience;
            es_event event = think(&game, levels[l], player, &calm);
            assert_int_equal(think(&game, levels[l], player, &asking), event);
            assert_int_equal(asking.done, calm.done);
            assert_true(calm.done > 0 && calm.done <= 20 && patience.asked >= calm.done);
            assert_memory_equal(asking.candidate, calm.candidate, sizeof calm.candidate);
            if (i == 0 && l != FLAT) /* early in the game a sample has many cards */
                assert_true(patience.asked >= 4 * calm.done);
        }
    }
}

/* The most that a sheet can have. Every station is special: an entry brings so many more that a
 * round can fill all windows, which takes a searching bot hundreds of thousands of evaluations. */
static void choose_largest_map(struct game *g)
{
    static char text[1 << 15];
    struct es_out out = {text, sizeof text - 1, 0};
    es_out_text(&out, "endstation-map 1\nid largest\ntitle Largest\npaper f0f0f0\n");
    for (int s = 0; s < ES_STATIONS_MAX; s++) {
        es_out_text(&out, "station s");
        es_out_int(&out, s);
        es_out_char(&out, ' ');
        es_out_int(&out, s % 12);
        es_out_char(&out, ' ');
        es_out_int(&out, s / 12);
        es_out_text(&out, " special\n");
    }
    for (int l = 0; l < ES_LINES_MAX; l++) {
        es_out_text(&out, "line ");
        es_out_char(&out, (char)('A' + l));
        es_out_text(&out, " 00c0ff windows 8 points 99 9 wagon -1 0.5");
        es_out_text(&out, l % 2 ? " ring :" : " :");
        for (int i = 0; i < ES_STOPS_MAX; i++) {
            es_out_text(&out, " s");
            es_out_int(&out, (5 * l + (2 * l + 1) * i) % ES_STATIONS_MAX);
        }
        es_out_char(&out, '\n');
    }
    assert_true(es_out_ok(&out));
    text[out.used] = '\0';
    check_map(&g->map, text);
}

/* Stops when polled once too often, and measures how much work is done from one poll to the next.
 */
struct deadline {
    struct patience patience;
    const struct es__evaluator *work;
    uint64_t before; /* evaluations until the last poll */
    uint64_t most;   /* between two polls */
};

static bool is_due(void *context)
{
    struct deadline *deadline = context;
    uint64_t evaluations = deadline->work->evaluations - deadline->before;
    deadline->before = deadline->work->evaluations;
    deadline->most = evaluations > deadline->most ? evaluations : deadline->most;
    return lose_patience(&deadline->patience);
}

/* A bot that is stopped evaluates every entry once, if it has not yet, and no more than a few
 * hundred sheets besides; if the first trials are not done, that is what it answers from. */
static void a_stop_ends_a_thought_on_the_largest_sheet(void **unused)
{
    (void)unused;
    enum { FEW = ES_CHOICES_MAX + 256 };
    struct es__evaluator *memory = check_memory();
    choose_largest_map(&game);
    for (int i = 0; i < 6; i++) {
        es_random_seed(&game.random, 40 + (uint64_t)i);
        begin(&game, i % 2 ? 6 : 1, i < 4, "6 x9 x9 x9 x9 x9 9 9 9 9 + + + + o o o");
        int player = play_until(&game, i < 2 ? 208 : 196);
        assert_true(player);
        for (int l = CASUAL; l < LEVELS; l++)
            for (uint64_t least = 0; least < 100; least = 4 * least + 1) {
                struct deadline deadline = {{0, least}, memory, 0, 0};
                struct es_thought thought = {
                    .memory = memory, .seed = 3, .stop = is_due, .context = &deadline};
                memory->evaluations = 0;
                es_event event = think(&game, levels[l], player, &thought);
                assert_true(is_legal(&game, player, event));
                assert_in_range(deadline.patience.asked, l > CASUAL, l > CASUAL ? least + 1 : 0);
                assert_in_range(deadline.most, 0, FEW);
                assert_in_range(memory->evaluations - deadline.before, 0, FEW);
            }
    }
}

/* Candidates are compared only on the same cards: the answer does not change until each of them has
 * had its next game. */
static void flat_ignores_an_incomplete_round_of_trials(void **unused)
{
    (void)unused;
    unsigned changes = 0;
    for (uint64_t i = 0; i < 6; i++) {
        es_choice choices[ES_CHOICES_MAX];
        es_random_seed(&game.random, 45 + i);
        choose_map(&game, "practice", 0);
        begin(&game, 1, false, es_verplant_deck_14);
        assert_true(play_until(&game, 9));
        const struct es_verplant_state *s = es_verplant_state(&game.state);
        size_t round = es__candidates(&game.map, &s->sheet[0], s->card, 3, choices);
        es_event before = ask(&game, "flat:10000", 1, 1, i);
        for (size_t n = 2; n <= 4 * round; n++) {
            es_event now = ask(&game, "flat:10000", 1, n, i);
            assert_true(now == before || n % round == 0);
            changes += now != before;
            before = now;
        }
    }
    assert_true(changes > 5);
}

/* Without a number of iterations, a level makes its default number and no more. */
static void iterations_0_means_the_default(void **unused)
{
    (void)unused;
    es_random_seed(&game.random, 40);
    choose_map(&game, "practice", 0);
    begin(&game, 1, false, es_verplant_deck_14);
    int player = play_until(&game, 8);
    for (int l = STRONG; l <= SOLO; l += SOLO - STRONG) {
        struct es_thought unlimited = {.memory = check_memory(), .seed = 5}, same = unlimited;
        es_event event = think(&game, levels[l], player, &unlimited);
        assert_int_equal(unlimited.iterations, 0);
        assert_true(unlimited.done > 50 && unlimited.done <= 3000);
        same.iterations = unlimited.done;
        assert_int_equal(think(&game, levels[l], player, &same), event);
        assert_memory_equal(unlimited.candidate, same.candidate, sizeof same.candidate);
    }
}

/* ---- Clear cases --------------------------------------------------------------------------- */

/* Checks that all of these levels give this answer, with a few seeds. */
static void expect_answers(struct fixture *t, unsigned which, int player, const char *wanted)
{
    for (int l = 0; l < LEVELS; l++)
        for (uint64_t seed = 1; seed <= 3 && (which >> l & 1); seed++) {
            struct es_bot bot;
            es_event scratch[FIXTURE_EVENTS], answer;
            struct es_state view;
            struct es_thought thought = {.memory = check_memory(), .seed = seed, .iterations = 400};
            const char *level = l == FLAT ? "flat:400" : levels[l];
            assert_int_equal(es_bot_named(t->setup.game, es_str(level), &bot), ES_OK);
            es_view(&t->setup, &t->state, t->events, t->count, player, scratch, &view);
            answer = bot.think(&bot, &t->setup, &view, player, &thought);
            const char *text = check_event(&t->setup, answer);
            if (strcmp(text, wanted) != 0)
                fail_msg("%s, seed %d: %s instead of %s", level, (int)seed, text, wanted);
        }
}

enum {
    SEARCHERS = 1 << STRONG | 1 << MASTER | 1 << SOLO | 1 << FLAT,
    RACERS = 1 << STRONG | 1 << MASTER,
};
static struct fixture t;

/* There is one 4, and few long cards will follow: the 4 must complete the most valuable line. */
static void completes_the_most_valuable_line(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\ndeck 4 6 + + + + + +\n",
                "A 1 20/10 : a. b. c. d.\n"
                "B 1 1/0 : e. f. g. h.\n");
    play(&t, "card 4");
    expect_answers(&t, SEARCHERS, 1, "1 A4");
    start_sheet(&t, "players 1\ndeck 4 6 + + + + + +\n",
                "A 1 1/0 : a. b. c. d.\n"
                "B 1 20/10 : e. f. g. h.\n"
                "C 1 1/0 : i. j. k. l. m.\n");
    play(&t, "card 4");
    expect_answers(&t, SEARCHERS, 1, "1 B4");
}

/* The only transfer belongs where most lines meet; one line begins at that station. */
static void uses_the_transfer_at_the_hub(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\ndeck + 6 6 6 6 6\n",
                "A 1 1/0 : h. a. b.\nB 1 1/0 : c. d. h.\nC 1 1/0 : e. f. h.\nD 1 1/0 : g. i. h.\n");
    play(&t, "card +");
    expect_answers(&t, SEARCHERS | 1 << GREEDY, 1, "1 A1");
    start_sheet(&t, "players 2\ndeck + 6 6 6 6 6\n",
                "A 1 1/0 : c. d. h.\nB 1 1/0 : e. f. h.\nC 1 1/0 : h. a. b.\nD 1 1/0 : g. i. h.\n");
    play(&t, "card +");
    expect_answers(&t, SEARCHERS | 1 << GREEDY, 2, "2 C1");
}

/* Only transfers and a 6 are left, and one line with two windows: marking one station less leaves
 * the hub for a transfer worth 5, unless the 6 comes, which marks everything either way. */
static void leaves_the_hub_for_a_transfer(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\ndeck 2 6 + + + + + +\n",
                "A 2 0/0 : a. h. b.\n"
                "B 1 0/0 : c. h.\nC 1 0/0 : d. h.\nD 1 0/0 : e. h.\nE 1 0/0 : f. h.\n");
    play_all(&t, "card 6; 1 B0; card 6; 1 C0; card 6; 1 D0; card 6; 1 E0; card 2");
    expect_answers(&t, SEARCHERS, 1, "1 A1");
}

/* Marking both special stations gives two more entries with the 2, which complete the two lines
 * that score; a 2 comes only once. */
static void uses_special_stations_for_more_entries(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\nrules special\ndeck 2 6 + + + + + +\n",
                "A 1 0/0 : a* b*\n"
                "B 1 9/0 : c. d.\n"
                "C 1 9/0 : e. f.\n");
    play(&t, "card 2");
    expect_answers(&t, SEARCHERS, 1, "1 A2");
}

/* Either line can be completed now and the other next time, but the other player is about to
 * complete one of them, and its later value is 0. */
static void completes_the_contested_line_first(void **unused)
{
    (void)unused;
    static const char drawing[] = "A 3 10/0 : a. b. c. d.\nB 3 10/0 : e. f. g. h.\n";
    static const char header[] = "players 2\ndeck 2 2 2 2 2 6\n";
    start_sheet(&t, header, drawing);
    play_all(&t, "card 2; 1 A2; 2 A2; card 2; 1 B2; 2 A1; card 2");
    expect_answers(&t, RACERS, 1, "1 A2");
    struct es_state one_way = t.state;
    start_sheet(&t, header, drawing);
    play_all(&t, "card 2; 1 A2; 2 B2; card 2; 1 B2; 2 B1; card 2");
    expect_answers(&t, RACERS, 1, "1 B2");
    /* Bots that ignore the other players, or only count points, see no difference. */
    static const char *const blind[] = {"solo", "flat:50", "greedy"};
    for (int i = 0; i < 3; i++) {
        struct es_bot bot;
        struct es_thought a = {.memory = check_memory(), .seed = 4, .iterations = 60}, b = a;
        assert_int_equal(es_bot_named(t.setup.game, es_str(blind[i]), &bot), ES_OK);
        es_event answer = bot.think(&bot, &t.setup, &one_way, 1, &a);
        assert_int_equal(bot.think(&bot, &t.setup, &t.state, 1, &b), answer);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

/* ---- The end of the game, worked out ------------------------------------------------------- */

static double best_of(const struct es_setup *setup, const struct es_state *state);

/* Returns the expected points of perfect play from here, in a solo game without free rides. */
static double worth(const struct es_setup *setup, const struct es_state *state)
{
    es_event cards[ES_LEGAL_MAX];
    struct es_turn turn = setup->game->turn(setup, state);
    if (turn.kind == ES_TURN_OVER)
        return setup->game->score(setup, state, 1);
    if (turn.kind == ES_TURN_PLAYERS)
        return best_of(setup, state);
    double sum = 0, ways = 0;
    size_t count = setup->game->legal(setup, state, ES_CHANCE, cards);
    for (size_t i = 0; i < count; i++) {
        struct es_state next = *state;
        unsigned weight = setup->game->weight(setup, state, cards[i]);
        assert_int_equal(setup->game->apply(setup, &next, cards[i]), ES_OK);
        sum += weight * best_of(setup, &next);
        ways += weight;
    }
    return sum / ways;
}

static double worth_after(const struct es_setup *setup, const struct es_state *state,
                          es_event event)
{
    struct es_state next = *state;
    assert_int_equal(setup->game->apply(setup, &next, event), ES_OK);
    return worth(setup, &next);
}

static double best_of(const struct es_setup *setup, const struct es_state *state)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, state, 1, events);
    double best = -1e9;
    for (size_t i = 0; i < count; i++) {
        double value = worth_after(setup, state, events[i]);
        best = value > best ? value : best;
    }
    return best;
}

/* Searching bots fill the last window perfectly, and the last but one nearly so. */
static void fills_the_last_two_windows_well(void **unused)
{
    (void)unused;
    enum { GAMES = 60 };
    double lost[2][LEVELS] = {0};
    for (uint64_t i = 0; i < GAMES; i++)
        for (int windows = 1; windows <= 2; windows++) {
            es_random_seed(&game.random, 50 + i);
            choose_map(&game, i % 3 ? NULL : "practice", i % 3 == 1);
            begin(&game, 1, i % 2, "2 3 4 5 6 x2 x3 + +");
            if (play_until(&game, windows) == 0)
                continue;
            double best = best_of(&game.setup, &game.state);
            for (int l = GREEDY; l < LEVELS; l++) {
                es_event answer = ask(&game, levels[l], 1, 300, i);
                lost[windows - 1][l] += best - worth_after(&game.setup, &game.state, answer);
            }
        }
    for (int l = STRONG; l < LEVELS; l++)
        assert_true(lost[0][l] == 0);
    /* Greedy, which does not look ahead, loses a third of a point on average: there is something to
     * find. */
    assert_true(lost[1][GREEDY] > 0.3 * GAMES);
    for (int l = STRONG; l <= SOLO; l++)
        assert_true(lost[1][l] < 0.02 * GAMES);
    assert_true(lost[1][FLAT] < 0.1 * GAMES);
}

/* ---- The evaluation ------------------------------------------------------------------------- */

static struct es__evaluator warm, fresh;

/* A full sheet gains no more points: what is still to come is the penalty for its empty
 * stations. */
static void a_full_sheet_costs_its_empty_stations(void **unused)
{
    (void)unused;
    unsigned penalised = 0;
    for (int i = 0; i < 40; i++) {
        es_random_seed(&game.random, 60 + (uint64_t)i);
        choose_map(&game, i % 5 ? NULL : "madrid", i % 4);
        begin(&game, 1 + i % 2, false, es_verplant_deck_14);
        while (!over(&game))
            play_on(&game, any_player(&game));
        es__evaluator_init(&warm, &game.setup, &es__trained.net);
        for (int p = 1; p <= game.setup.players; p++) {
            struct es_verplant_sum sum = es_verplant_sum(&game.setup, &game.state, p);
            const struct es_sheet *sheet = &es_verplant_state(&game.state)->sheet[p - 1];
            uint64_t pile = es__whole_pile(&game.setup);
            assert_true(es__evaluate(&warm, sheet, pile, 0) == (float)-sum.penalty);
            assert_true(es__evaluate_total(&warm, sheet, pile, 0) == (float)sum.total);
            penalised += sum.penalty > 0;
        }
    }
    assert_true(penalised > 10);
}

/* Returns the network's output, computed in a simple way from its features (which training uses
 * too). */
static double evaluate_plainly(struct es__evaluator *evaluator, const struct es_sheet *sheet,
                               uint64_t pile, int card)
{
    static struct es__features f;
    const struct es__net *net = evaluator->net;
    double pool[ES__HIDDEN] = {0}, value = net->out_bias;
    es__features(evaluator, sheet, pile, card, &f);
    for (int n = 0; n < f.lines; n++) {
        double sum = net->line_bias;
        for (int h = 0; h < ES__HIDDEN; h++) {
            double x = net->bias[h];
            for (int i = 0; i < ES__LOCAL; i++)
                x += (double)f.local[n][i] * net->local[i][h];
            for (int i = 0; i < (evaluator->setup->players == 1 ? 11 : ES__CROSS); i++)
                x += (double)f.cross[n][i] * net->cross[i][h];
            for (int i = 0; i < ES__PILE; i++)
                x += (double)f.pile[i] * net->pile[i][h];
            for (int i = 0; i < ES__SHEET; i++)
                x += (double)f.sheet[i] * net->sheet[i][h];
            x = x > 0 ? x : 0;
            pool[h] += x;
            sum += x * net->line[h];
        }
        value += f.points[n] * (0.5 + 0.5 * sum / (1 + (sum < 0 ? -sum : sum)));
    }
    for (int h = 0; h < ES__HEAD; h++) {
        double x = net->head_bias[h];
        for (int i = 0; i < ES__HIDDEN; i++)
            x += pool[i] * net->head_pool[i][h];
        for (int i = 0; i < ES__PILE; i++)
            x += (double)f.pile[i] * net->head_pile[i][h];
        for (int i = 0; i < ES__SHEET; i++)
            x += (double)f.sheet[i] * net->head_sheet[i][h];
        value += x > 0 ? x * net->out[h] : 0;
    }
    return value;
}

/* The cache must not change results: an evaluator that has seen thousands of sheets returns bit for
 * bit what a new one does, although the race changes in between; and both agree with a simple
 * computation from the features. */
static void cached_features_do_not_change_the_evaluation(void **unused)
{
    (void)unused;
    int stops_most = 0;
    for (int i = 0; i < 16; i++) {
        es_random_seed(&game.random, 100 + (uint64_t)i);
        do
            choose_map(&game, i == 1 ? "madrid" : NULL, i % 4);
        while (i % 4 == 0 ? game.map.lines != 2 : i % 4 == 3 && game.map.lines < ES_LINES_MAX);
        for (int l = 0; l < game.map.lines; l++)
            stops_most = game.map.line[l].stops > stops_most ? game.map.line[l].stops : stops_most;
        begin(&game, 1 + i % 3, i % 2, i % 5 ? es_verplant_deck_14 : sixty_cards);
        es__evaluator_init(&warm, &game.setup, &es__trained.net);
        struct es_state start = game.state;
        for (int evaluated = 0; evaluated < 1200;) {
            if (over(&game)) {
                game.state = start;
                game.count = 0;
            }
            const struct es_verplant_state *s = es_verplant_state(&game.state);
            int player = any_player(&game);
            if (player) {
                const struct es_sheet *sheet = &s->sheet[player - 1];
                uint64_t pile = s->card == ES_CARD_SIX ? es__whole_pile(&game.setup) : s->pile;
                es__race(&game.setup, s->sheet, player, s->claimed, &warm.race);
                float value = es__evaluate(&warm, sheet, pile, s->card);
                if (evaluated++ % 4 == 0) {
                    es__evaluator_init(&fresh, &game.setup, &es__trained.net);
                    fresh.race = warm.race;
                    float new = es__evaluate(&fresh, sheet, pile, s->card);
                    assert_memory_equal(&value, &new, sizeof value);
                    for (int l = 0; l < game.map.lines; l++)
                        if (sheet->open[l])
                            assert_true(warm.chance[l] == fresh.chance[l]);
                    if (evaluated % 16 == 1) {
                        double plain = evaluate_plainly(&fresh, sheet, pile, s->card);
                        assert_true(plain - new < 0.01 && new - plain < 0.01);
                    }
                }
            }
            play_on(&game, player);
        }
    }
    assert_int_equal(stops_most, ES_STOPS_MAX);
}

/* ---- Strength ------------------------------------------------------------------------------ */

/* Plays games of several levels with the same cards, each level in every seat in turn; adds up
 * points and wins. */
static void contest(const char *id, int players, const char *const *level, uint64_t iterations,
                    int games, int *points, int *wins)
{
    choose_map(&game, id, 0);
    for (int i = 0; i < games; i++) {
        const uint8_t seed[ES_SEED_BYTES] = {1, (uint8_t)(i / players)};
        begin(&game, players, false, es_verplant_deck_14);
        while (!over(&game)) {
            es_event event = 0;
            if (acting(&game)) {
                int player = __builtin_ctz(acting(&game)) + 1;
                event = ask(&game, level[(player - 1 + i) % players], player, iterations,
                            (uint64_t)i << 16 | game.count);
            } else {
                event = game.setup.game->deal(&game.setup, &game.state, seed);
            }
            apply(&game, event);
        }
        unsigned winners = game.setup.game->winners(&game.setup, &game.state);
        for (int p = 1; p <= players; p++) {
            points[(p - 1 + i) % players] += game.setup.game->score(&game.setup, &game.state, p);
            wins[(p - 1 + i) % players] += winners == 1U << (p - 1);
        }
    }
}

static void higher_levels_get_more_points(void **unused)
{
    (void)unused;
#ifdef __SANITIZE_ADDRESS__
    skip(); /* takes half a minute here, and the release tree plays the same games */
#endif
    enum { GAMES = 4, A_LITTLE = 2, CLEARLY = 8 }; /* points a game */
    static const char *const names[] = {"random", "greedy", "casual", "flat:200", "strong", "solo"};
    static const char *const pair[] = {"strong", "greedy"}, *const masters[] = {"master", "greedy"};
    enum { NAMES = sizeof names / sizeof names[0] };
    int points[NAMES] = {0}, wins[2] = {0}, sums[2] = {0}, few[2] = {0}, alone = 0;
    for (int i = 0; i < NAMES; i++)
        contest("amsterdam", 1, &names[i], i < 4 ? 0 : 24, GAMES, &points[i], &alone);
    assert_true(points[1] > points[0] + CLEARLY * GAMES);
    assert_true(points[2] > points[1] + A_LITTLE * GAMES);
    assert_true(points[3] > points[1] + CLEARLY * GAMES);
    assert_true(points[4] > points[3] + A_LITTLE * GAMES);
    assert_int_equal(points[5], points[4]); /* alone, ignoring the others makes no difference */
    contest("berlin", 2, pair, 24, 2, sums, wins);
    assert_true(sums[0] > sums[1] + CLEARLY * 2 && wins[0] == 2);
    for (int i = 0; i < 2; i++)
        contest("practice", 1, &masters[i], 32, GAMES, &few[i], &alone);
    assert_true(few[0] > few[1] + CLEARLY * GAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_is_legal),
        cmocka_unit_test(the_same_answer_each_time),
        cmocka_unit_test(in_solo_the_answer_has_the_most_points),
        cmocka_unit_test(answers_depend_on_the_view_alone),
        cmocka_unit_test(thinking_ends_when_stopped),
        cmocka_unit_test(a_stop_ends_a_thought_on_the_largest_sheet),
        cmocka_unit_test(flat_ignores_an_incomplete_round_of_trials),
        cmocka_unit_test(iterations_0_means_the_default),
        cmocka_unit_test(completes_the_most_valuable_line),
        cmocka_unit_test(uses_the_transfer_at_the_hub),
        cmocka_unit_test(leaves_the_hub_for_a_transfer),
        cmocka_unit_test(uses_special_stations_for_more_entries),
        cmocka_unit_test(completes_the_contested_line_first),
        cmocka_unit_test(fills_the_last_two_windows_well),
        cmocka_unit_test(a_full_sheet_costs_its_empty_stations),
        cmocka_unit_test(cached_features_do_not_change_the_evaluation),
        cmocka_unit_test(higher_levels_get_more_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
