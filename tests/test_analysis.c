/* Tests of the analysis: values against full enumeration, exact sums, nothing hidden is used,
 * hostile input. */
#include "analysis/internal.h"
#include "check.h"
#include "games/metro/bots.h"
#include "games/verplant/bots_entry.h"
#include "games/verplant/bots_value.h"
#include <endstation/analysis.h>
#include <endstation/bots.h>

enum { EVENTS = 400 };

static struct es_map map;

struct played {
    struct es_setup setup;
    struct es_state state;
    es_event events[EVENTS];
    size_t count;
};

/* A sheet with few windows, so that games are short. */
static const char small_map[] = "endstation-map 1\n"
                                "id small\n"
                                "title Small\n"
                                "paper ffffff\n"
                                "station a 0 0\n"
                                "station b 1 0\n"
                                "station c 2 0\n"
                                "station d 3 0\n"
                                "station e 0 1\n"
                                "station f 1 1\n"
                                "station g 2 1\n"
                                "station h 3 1\n"
                                "station i 0 2\n"
                                "station j 1 2\n"
                                "station k 2 2\n"
                                "station l 3 2\n"
                                "line A ff0000 windows 2 points 5 3 wagon -1 0 : a b c d\n"
                                "line B 00ff00 windows 1 points 4 2 wagon -1 1 : e f g h\n"
                                "line C 0000ff windows 2 points 6 4 wagon -1 2 : i j k l\n"
                                "line D 00ffff windows 1 points 3 2 wagon 0 -1 : a e i\n";

static void start(struct played *p, const struct es_game *game, int players, uint32_t rules,
                  const char *deck)
{
    p->setup = (struct es_setup){.game = game, .players = (uint8_t)players, .rules = rules};
    if (game->has_map)
        p->setup.map = &map;
    if (deck)
        assert_int_equal(es_verplant_deck_read(&p->setup, es_str(deck)), ES_OK);
    assert_int_equal(es_setup_prepare(&p->setup), ES_OK);
    game->start(&p->setup, &p->state);
    p->count = 0;
}

static void apply(struct played *p, es_event event)
{
    assert_true(p->count < EVENTS);
    assert_int_equal(p->setup.game->apply(&p->setup, &p->state, event), ES_OK);
    p->events[p->count++] = event;
}

/* Plays on with a bot for every player, until `end` events are made or the game is over. */
static void play_on(struct played *p, const char *level, uint8_t seed, size_t end)
{
    static struct es_thought thought;
    static es_event scratch[EVENTS];
    const struct es_game *game = p->setup.game;
    const uint8_t cards[ES_SEED_BYTES] = {seed, 3};
    struct es_bot bot;
    assert_int_equal(es_bot_named(game, es_str(level), &bot), ES_OK);
    while (p->count < end) {
        struct es_turn turn = game->turn(&p->setup, &p->state);
        if (turn.kind == ES_TURN_OVER)
            return;
        if (turn.kind == ES_TURN_CHANCE) {
            apply(p, game->deal(&p->setup, &p->state, cards));
            continue;
        }
        struct es_state view;
        int player = __builtin_ctz(turn.players) + 1;
        es_view(&p->setup, &p->state, p->events, p->count, player, scratch, &view);
        memset(&thought, 0, sizeof thought);
        thought.memory = check_memory();
        thought.seed = seed + p->count;
        apply(p, bot.think(&bot, &p->setup, &view, player, &thought));
    }
}

/* ---- Against truth: verplant ---------------------------------------------------------------- */

static struct es__evaluator evaluator;

/* The quick player's entry: the one with the best static evaluation among those with the most marks
 * on a line, or among the good rides. */
static es_event quick_entry(const struct es_setup *setup, const struct es_state *state)
{
    const struct es_verplant_state *s = es_verplant_state(state);
    uint64_t pile = s->card == ES_CARD_SIX ? es__whole_pile(setup) : s->pile;
    es_choice choices[ES_CHOICES_MAX], best = 0;
    float most = -1e9F;
    size_t count = s->card == ES_CARD_FREE_RIDE
                       ? es__good_rides(&evaluator, &s->sheet[0], choices)
                       : es__candidates(setup->map, &s->sheet[0], s->card, 1, choices);
    for (size_t i = 0; i < count; i++) {
        struct es_sheet next = s->sheet[0];
        es__enter(setup, &next, s->card, choices[i]);
        float value = es__evaluate_total(&evaluator, &next, pile, s->card);
        if (value > most) {
            most = value;
            best = choices[i];
        }
    }
    return ES_VERPLANT_ENTRY(1, best);
}

/* Returns the mean over every order of the next `cards` cards, by weight. */
static double expected(const struct es_setup *setup, const struct es_state *state, int cards)
{
    const struct es_verplant_state *s = es_verplant_state(state);
    struct es_state next = *state;
    struct es_turn turn = setup->game->turn(setup, state);
    if (turn.kind == ES_TURN_OVER)
        return setup->game->score(setup, state, 1);
    if (turn.kind == ES_TURN_PLAYERS) {
        assert_int_equal(setup->game->apply(setup, &next, quick_entry(setup, state)), ES_OK);
        return expected(setup, &next, cards);
    }
    if (cards == 0) /* no card is open: the last entry is made */
        return (double)es__evaluate_total(&evaluator, &s->sheet[0], s->pile, 0);
    es_event kinds[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, state, ES_CHANCE, kinds);
    double sum = 0, weights = 0;
    for (size_t i = 0; i < count; i++) {
        double weight = setup->game->weight(setup, state, kinds[i]);
        next = *state;
        assert_int_equal(setup->game->apply(setup, &next, kinds[i]), ES_OK);
        sum += weight * expected(setup, &next, cards - 1);
        weights += weight;
    }
    return sum / weights;
}

/* Counts how many values lie within two standard errors (and rounding) of the truth. */
struct score {
    int values, within;
};

static void compare(struct score *score, const struct es_value *value, double truth)
{
    double off = value->mean / (double)ES_VALUE_ONE - truth;
    double error = value->error / (double)ES_VALUE_ONE;
    score->values++;
    score->within += (off < 0 ? -off : off) <= 2 * error + 1e-4;
}

/* An event of each of 100 positions on a small sheet, with the four cards of the horizon
 * enumerated. Several events of one position would have the same samples, and all be right or wrong
 * together. */
static void verplant_values_are_within_their_errors(void **unused)
{
    (void)unused;
    static struct played p;
    struct score score = {0, 0};
    check_map(&map, small_map);
    for (uint8_t seed = 0; score.values < 100; seed++) {
        start(&p, &es_verplant, 1, 0, "3 4 6 x2 +");
        play_on(&p, "random", seed, 1 + 2 * (size_t)(seed % 5));
        if (es_verplant_state(&p.state)->acting == 0)
            continue; /* over */
        es__evaluator_init(&evaluator, &p.setup, &es__trained.net);
        es_event events[ES_LEGAL_MAX];
        struct es_value value[ES_VALUES_MAX];
        const es_event *event = &events[seed % p.setup.game->legal(&p.setup, &p.state, 1, events)];
        const struct es_sampling sampling = {
            .memory = check_memory(), .seed = seed, .samples = 128};
        assert_int_equal(es_evaluate(&p.setup, &p.state, 1, event, 1, &sampling, value), ES_OK);
        struct es_state after = p.state;
        assert_int_equal(p.setup.game->apply(&p.setup, &after, *event), ES_OK);
        compare(&score, value, expected(&p.setup, &after, 4));
    }
    print_message("verplant: %d of %d within two errors\n", score.within, score.values);
    assert_true(score.within >= 95);
}

/* ---- Against truth: metro ------------------------------------------------------------------- */

/* Sums the player's share over every different order of the unseen tiles. */
static void every_order(struct es__metro_guess *guess, const struct es_metro_state *s, int from,
                        const struct es__metro_move *move, double *sum, int *orders)
{
    if (from == guess->unseen) {
        struct es__metro_outcome outcome;
        es__metro_deal_pool(guess, s);
        struct es__metro_game game = guess->game;
        if (move) {
            es__metro_lay(guess->values, &game, *move);
        } else {
            game.drawn = game.stock[game.next++];
            es__metro_play(guess->values, &game);
        }
        for (int turn = 0; turn < 6 && !es__metro_over(&game); turn++)
            es__metro_play(guess->values, &game);
        es__metro_judge(guess, &game, &outcome);
        *sum += (double)outcome.share[guess->player];
        ++*orders;
        return;
    }
    for (int i = from; i < guess->unseen; i++) {
        uint8_t kept = guess->pool[from];
        guess->pool[from] = guess->pool[i];
        guess->pool[i] = kept;
        every_order(guess, s, from + 1, move, sum, orders);
        guess->pool[i] = guess->pool[from];
        guess->pool[from] = kept;
    }
}

static double metro_truth(const struct es_setup *setup, const struct es_state *view, int player,
                          es_event event)
{
    static struct es__metro_guess guess;
    static struct es__metro_values values;
    double sum = 0;
    int orders = 0;
    es__metro_values_load(&values, setup, es__metro_learned_for(setup));
    guess.values = &values;
    es__metro_look(&guess, es_metro_state(view), player - 1);
    struct es__metro_move move = {0};
    if (ES_METRO_IS_LAY(event)) {
        int tile = ES_METRO_LAY_TILE(event), quarters = ES_METRO_LAY_QUARTERS(event);
        move = (struct es__metro_move){.tile = (uint8_t)tile,
                                       .look = es_tile_turned[tile][quarters],
                                       .square = (uint8_t)ES_METRO_LAY_SQUARE(event),
                                       .quarters = (uint8_t)quarters};
    }
    every_order(&guess, es_metro_state(view), 0, ES_METRO_IS_LAY(event) ? &move : NULL, &sum,
                &orders);
    return sum / orders;
}

/* An event of each of 100 positions in which at most five tiles have not been seen. */
static void metro_values_are_within_their_errors(void **unused)
{
    (void)unused;
    static struct played p;
    static es_event scratch[EVENTS];
    struct score score = {0, 0};
    for (uint8_t seed = 0; seed < 100; seed++) {
        start(&p, &es_metro, 2, seed % 2 ? ES_METRO_HAND2 : 0, NULL);
        while (es_metro_state(&p.state)->stock > 3 ||
               es_metro_state(&p.state)->phase != ES_METRO_TURN)
            play_on(&p, "random", seed, p.count + 1);
        int player = es_metro_state(&p.state)->player;
        struct es_state view;
        es_view(&p.setup, &p.state, p.events, p.count, player, scratch, &view);
        es_event events[ES_LEGAL_MAX];
        struct es_value value[ES_VALUES_MAX];
        size_t count = p.setup.game->legal(&p.setup, &view, player, events);
        const es_event *event = &events[seed % count];
        const struct es_sampling sampling = {
            .memory = check_memory(), .seed = seed, .samples = 128};
        assert_int_equal(es_evaluate(&p.setup, &view, player, event, 1, &sampling, value), ES_OK);
        compare(&score, value, metro_truth(&p.setup, &view, player, *event));
    }
    print_message("metro: %d of %d within two errors\n", score.within, score.values);
    assert_true(score.within >= 95);
}

/* ---- Whole games ---------------------------------------------------------------------------- */

struct analysed {
    es_event seen[EVENTS];
    size_t seen_count, found;
    struct es_node nodes[EVENTS + 1];
    struct es_node_result results[EVENTS + 1];
    struct es_step steps[EVENTS + 1];
    struct es_analysis_sum sum;
};

static void analyse(const struct played *p, int player, struct analysed *a)
{
    assert_int_equal(es_nodes(&p->setup, p->events, p->count, player, a->seen, &a->seen_count,
                              a->nodes, EVENTS + 1, &a->found),
                     ES_OK);
    /* From the last to the first: the order must not matter. */
    for (size_t i = a->found; i-- > 0;)
        es_node_run(&p->setup, a->seen, &a->nodes[i], player, check_memory(), &a->results[i]);
    es_nodes_add_up(&p->setup, a->seen, a->seen_count, player, a->nodes, a->results, a->found,
                    a->steps, &a->sum);
}

static void check_sums(const struct analysed *a)
{
    const struct es_analysis_sum *sum = &a->sum;
    assert_true(sum->result == sum->start + sum->luck - sum->loss + sum->others + sum->correction);
    for (size_t i = 0; i < a->found; i++) {
        const struct es_step *step = &a->steps[i];
        int64_t next =
            (int64_t)step->value + step->luck - step->loss + step->others + step->correction;
        assert_true(next == (i + 1 < a->found ? a->steps[i + 1].value : sum->result));
        const struct es_node_result *result = &a->results[i];
        if (!a->nodes[i].chance) {
            assert_int_equal(step->luck, 0);
            if (result->played == 0)
                assert_int_equal(result->loss, 0);
            if (step->label >= ES_LABEL_INACCURACY)
                assert_true(step->loss > 2 * result->loss_error);
            continue;
        }
        /* The luck of every kind, by weight, is 0 but for the rounding of their mean. */
        int64_t luck = 0, weights = 0;
        for (int k = 0; k < result->count; k++) {
            luck += (int64_t)result->value[k].weight * (result->value[k].mean - result->before);
            weights += result->value[k].weight;
        }
        assert_true(2 * (luck < 0 ? -luck : luck) <= weights);
        assert_int_equal(step->loss, 0);
    }
}

/* The values that the results of a game with one player end with are its points. */
static void results_add_up_exactly(void **unused)
{
    (void)unused;
    static struct played p;
    static struct analysed a;
    check_map(&map, small_map);
    for (uint8_t seed = 0; seed < 4; seed++)
        for (int players = 1; players <= 3; players++) {
            start(&p, &es_verplant, players, 0, es_verplant_deck_14);
            play_on(&p, seed % 2 ? "random" : "casual", seed, EVENTS);
            int player = 1 + seed % players;
            analyse(&p, player, &a);
            check_sums(&a);
            assert_true(a.sum.over);
            if (players == 1)
                assert_int_equal(a.sum.result,
                                 p.setup.game->score(&p.setup, &p.state, 1) * ES_VALUE_ONE);
            else
                assert_in_range(a.sum.result, 0, ES_VALUE_ONE);
            if (players == 1)
                assert_int_equal(a.sum.others, 0);
        }
}

/* Cuts a game at several places: what is left is analysed as far as it goes. */
static void open_games_are_analysed(void **unused)
{
    (void)unused;
    static struct played p;
    static struct analysed a;
    check_map(&map, small_map);
    for (size_t end = 0; end < 8; end++) {
        start(&p, &es_verplant, 1 + (int)end % 2, 0, es_verplant_deck_14);
        play_on(&p, "casual", 9, end);
        analyse(&p, 1, &a);
        check_sums(&a);
        assert_false(a.sum.over);
        if (end == 0) {
            assert_int_equal(a.found, 1);
            assert_true(a.nodes[0].open && a.nodes[0].chance);
        }
    }
    start(&p, &es_metro, 3, ES_METRO_HAND2 | ES_METRO_ROTATE, NULL);
    play_on(&p, "casual", 5, 14);
    for (int player = 1; player <= 3; player++) {
        analyse(&p, player, &a);
        check_sums(&a);
    }
}

static void late_games_of_metro_add_up_exactly(void **unused)
{
    (void)unused;
    static struct played p;
    static struct analysed a;
    start(&p, &es_metro, 2, 0, NULL);
    play_on(&p, "casual", 1, EVENTS);
    /* Only the last nodes, which are quick. */
    assert_int_equal(es_nodes(&p.setup, p.events, p.count, 2, a.seen, &a.seen_count, a.nodes,
                              EVENTS + 1, &a.found),
                     ES_OK);
    size_t from = a.found - 8;
    for (size_t i = from; i < a.found; i++)
        es_node_run(&p.setup, a.seen, &a.nodes[i], 2, check_memory(), &a.results[i]);
    es_nodes_add_up(&p.setup, a.seen, a.seen_count, 2, a.nodes + from, a.results + from, 8, a.steps,
                    &a.sum);
    assert_true(a.sum.over);
    assert_true(a.sum.result ==
                a.sum.start + a.sum.luck - a.sum.loss + a.sum.others + a.sum.correction);
}

/* A player with a special station has several decisions with one card. */
static void extra_entries_are_decisions_of_their_own(void **unused)
{
    (void)unused;
    static struct played p;
    static struct analysed a;
    static const char plain[] = "station b 1 0\n";
    char text[sizeof small_map + 32];
    const char *at = strstr(small_map, plain);
    snprintf(text, sizeof text, "%.*sstation b 1 0 special\n%s", (int)(at - small_map), small_map,
             at + strlen(plain));
    check_map(&map, text);
    start(&p, &es_verplant, 1, ES_VERPLANT_SPECIAL, es_verplant_deck_14);
    apply(&p, ES_VERPLANT_CARD(2)); /* a 3 */
    apply(&p, ES_VERPLANT_ENTRY(1, ES_CHOICE(0, 0, 3)));
    apply(&p, ES_VERPLANT_ENTRY(1, ES_CHOICE(1, 0, 3)));
    analyse(&p, 1, &a);
    check_sums(&a);
    assert_int_equal(a.sum.decisions, 2);
    assert_int_equal(a.nodes[1].at, 1);
    assert_int_equal(a.nodes[2].at, 2);
}

/* A small part of scripts/analysis.sh: weaker players give more away; without luck the results of
 * equal players differ less; nobody gets more than hindsight finds. */
static void figures_are_plausible(void **unused)
{
    (void)unused;
    enum { GAMES = 6 };
    static const char *const levels[] = {"random", "greedy", "strong"};
    static struct played p;
    static struct analysed a;
    double loss[3] = {0}, spread = 0, spread_without = 0;
    check_map(&map, small_map);
    for (int level = 0; level < 3; level++) {
        double sum = 0, squares = 0, without = 0, without_squares = 0;
        for (uint8_t seed = 0; seed < GAMES; seed++) {
            start(&p, &es_verplant, 1, 0, es_verplant_deck_14);
            play_on(&p, levels[level], seed, EVENTS);
            analyse(&p, 1, &a);
            double points = (double)a.sum.result / ES_VALUE_ONE;
            double less = (double)a.sum.without_luck / ES_VALUE_ONE;
            loss[level] += (double)a.sum.loss / ES_VALUE_ONE;
            sum += points;
            squares += points * points;
            without += less;
            without_squares += less * less;
            int best;
            const struct es_analysis *analysis = es_verplant.analysis;
            void *memory = malloc(analysis->hindsight_bytes(&p.setup, p.count));
            assert_true(analysis->hindsight(&p.setup, p.events, p.count, 1, memory, &best));
            free(memory);
            assert_true(best >= points);
        }
        if (level == 2) {
            spread = squares - sum * sum / GAMES;
            spread_without = without_squares - without * without / GAMES;
        }
    }
    print_message("loss: random %.1f, greedy %.1f, strong %.1f; variance %.1f, without luck %.1f\n",
                  loss[0] / GAMES, loss[1] / GAMES, loss[2] / GAMES, spread / (GAMES - 1),
                  spread_without / (GAMES - 1));
    assert_true(loss[0] > 1.5 * loss[1] && loss[1] > 1.5 * loss[2]);
    assert_true(spread_without < spread);
}

/* ---- Same results, nothing hidden ----------------------------------------------------------- */

static const char *text_of(const struct es_node_result *result)
{
    static char text[2][ES_NODE_BYTES];
    static int which;
    which = !which;
    struct es_out out = {text[which], sizeof text[which] - 1, 0};
    es_node_write(result, &out);
    assert_true(es_out_ok(&out));
    text[which][out.used] = '\0';
    return text[which];
}

static void results_survive_as_text(void **unused)
{
    (void)unused;
    static struct played p;
    static struct analysed a;
    check_map(&map, small_map);
    start(&p, &es_verplant, 1, 0, es_verplant_deck_14);
    play_on(&p, "casual", 2, 8);
    analyse(&p, 1, &a);
    for (size_t i = 0; i < a.found; i++) {
        struct es_node_result again;
        const char *text = text_of(&a.results[i]);
        assert_true(es_node_read(es_str(text), &again));
        assert_string_equal(text_of(&again), text);
        /* Every shorter text is refused. */
        for (size_t size = 0; size + 12 < strlen(text); size += 7)
            assert_false(es_node_read((struct es_str){text, size}, &again));
    }
    struct es_node_result any;
    assert_false(es_node_read(es_str("0 0 0 0 0 0 0 1 1 25 0"), &any));
    assert_false(es_node_read(es_str("0 0 0 0 0 0 0 1 1 0 1"), &any));
    assert_false(es_node_read(es_str("0 0 0 0 0 0 0 1 1 0 0 x"), &any));
    assert_false(es_node_read(es_str("0 0 0 0 0 0 0 1 1 -1 0"), &any));
    assert_false(es_node_read(es_str("99999999999 0 0 0 0 0 0 1 1 0 0"), &any));
}

/* Two games that differ in what a player does not see give the same bytes. */
static void expect_same(const struct played *one, const struct played *two, int player)
{
    static struct analysed a, b;
    analyse(one, player, &a);
    analyse(two, player, &b);
    assert_int_equal(a.found, b.found);
    for (size_t i = 0; i < a.found; i++)
        assert_string_equal(text_of(&a.results[i]), text_of(&b.results[i]));
}

static void open_entries_of_others_are_not_used(void **unused)
{
    (void)unused;
    static struct played p, q;
    check_map(&map, small_map);
    start(&p, &es_verplant, 2, 0, es_verplant_deck_14);
    apply(&p, ES_VERPLANT_CARD(3)); /* a 4 */
    q = p;
    apply(&p, ES_VERPLANT_ENTRY(2, ES_CHOICE(0, 0, 4)));
    apply(&q, ES_VERPLANT_ENTRY(2, ES_CHOICE(2, 0, 0)));
    expect_same(&p, &q, 1);
    apply(&q, ES_VERPLANT_ENTRY(1, ES_CHOICE(1, 0, 4)));
    apply(&p, ES_VERPLANT_ENTRY(1, ES_CHOICE(1, 0, 4)));
    /* Now the round is closed, and the entries are known. */
    static struct analysed a, b;
    analyse(&p, 1, &a);
    analyse(&q, 1, &b);
    assert_string_not_equal(text_of(&a.results[a.found - 1]), text_of(&b.results[b.found - 1]));
}

static void tiles_of_others_are_not_used(void **unused)
{
    (void)unused;
    static struct played p, q;
    static struct played *const both[2] = {&p, &q};
    for (int i = 0; i < 2; i++) {
        start(both[i], &es_metro, 2, 0, NULL);
        apply(both[i], ES_METRO_DEAL(1, ES_TILE_aaaa));
        apply(both[i], ES_METRO_DEAL(2, i ? ES_TILE_dddd : ES_TILE_bcbc));
        apply(both[i], ES_METRO_LAY(1, ES_TILE_aaaa, 0, 1));
        apply(both[i], ES_METRO_DEAL(1, ES_TILE_cbcb));
    }
    expect_same(&p, &q, 1);
}

/* ---- What cannot be analysed ---------------------------------------------------------------- */

/* Drawing counts for more than its samples say; a placement does not. */
static void calibration_of_metro_raises_draw_alone(void **state)
{
    (void)state;
    static struct played p;
    static struct es_value plain[ES_VALUES_MAX], raised[ES_VALUES_MAX];
    start(&p, &es_metro, 2, 0, NULL);
    play_on(&p, "greedy", 5, 30);
    while (p.setup.game->turn(&p.setup, &p.state).kind == ES_TURN_CHANCE)
        play_on(&p, "greedy", 5, p.count + 1);
    int player = es_metro_state(&p.state)->player;
    es_event scratch[EVENTS], legal[ES_LEGAL_MAX];
    struct es_state view;
    es_view(&p.setup, &p.state, p.events, p.count, player, scratch, &view);
    assert_true(p.setup.game->legal(&p.setup, &view, player, legal) > 1);
    const es_event events[2] = {ES_METRO_DRAW(player),
                                legal[legal[0] == ES_METRO_DRAW(player) ? 1 : 0]};
    struct es_sampling sampling = {.memory = check_memory(), .seed = 7, .samples = 256};
    assert_int_equal(es_evaluate(&p.setup, &view, player, events, 2, &sampling, plain), ES_OK);
    sampling.calibrated = true;
    assert_int_equal(es_evaluate(&p.setup, &view, player, events, 2, &sampling, raised), ES_OK);
    assert_int_equal(raised[1].mean, plain[1].mean);
    /* At most 0.11 / 4, where the win is open. */
    assert_in_range(raised[0].mean - plain[0].mean, ES_VALUE_ONE / 200, ES_VALUE_ONE * 11 / 400);
}

/* Cities are calibrated one by one; a sheet of one's own is none of them, whatever its id is. */
static void calibration_of_verplant_knows_cities_by_their_hash(void **state)
{
    (void)state;
    static struct played p;
    static struct es_map city;
    static const char *const cities[] = {"amsterdam", "madrid", "paris", "berlin"};
    check_map(&map, small_map);
    start(&p, &es_verplant, 1, 0, NULL);
    const struct es_analysis *analysis = es_verplant.analysis;
    int32_t before = analysis->calibration(&p.setup, &p.state, 1, 0, 0);
    for (int i = 0; i < 4; i++) {
        check_map(&map, small_map);
        check_builtin(&city, cities[i]);
        strcpy(map.id, city.id);
        assert_int_equal(analysis->calibration(&p.setup, &p.state, 1, 0, 0), before);
        strcpy(map.hash, city.hash);
        bool is_calibrated = analysis->calibration(&p.setup, &p.state, 1, 0, 0) != before;
        assert_int_equal(is_calibrated, i < 3); /* Berlin is judged well */
    }
}

static void impossible_analyses_are_refused(void **unused)
{
    (void)unused;
    static struct played p;
    static struct analysed a;
    check_map(&map, small_map);
    for (int g = 0; es_games[g]; g++)
        if (!es_games[g]->analysis) {
            start(&p, es_games[g], es_games[g]->players_min, 0, NULL);
            assert_int_equal(es_nodes(&p.setup, p.events, 0, 1, a.seen, &a.seen_count, a.nodes,
                                      EVENTS, &a.found),
                             ES_ANALYSIS_NONE);
        }
    start(&p, &es_metro, 2, 0, NULL);
    for (int player = -1; player <= 7; player++)
        if (player < 1 || player > 2)
            assert_int_equal(es_nodes(&p.setup, p.events, 0, player, a.seen, &a.seen_count, a.nodes,
                                      EVENTS, &a.found),
                             ES_PLAYER_UNKNOWN);
    apply(&p, ES_METRO_DEAL(1, ES_TILE_UNKNOWN));
    apply(&p, ES_METRO_DEAL(2, ES_TILE_aaaa));
    apply(&p, ES_METRO_LAY(1, ES_TILE_bbbb, 0, 1));
    assert_int_equal(
        es_nodes(&p.setup, p.events, p.count, 1, a.seen, &a.seen_count, a.nodes, EVENTS, &a.found),
        ES_VIEW_BLIND);
    struct es_value values[ES_VALUES_MAX];
    struct es_sampling sampling = {.memory = check_memory(), .seed = 1, .samples = 8};
    start(&p, &es_verplant, 1, 0, es_verplant_deck_14);
    es_event events[2] = {ES_VERPLANT_CARD(2), ES_VERPLANT_CARD(8)};
    assert_int_equal(es_evaluate(&p.setup, &p.state, 1, events, 1, &sampling, values), ES_OK);
    assert_int_equal(es_evaluate(&p.setup, &p.state, 1, events, 2, &sampling, values),
                     ES_CARD_GONE);
    events[1] = ES_VERPLANT_ENTRY(1, ES_CHOICE(0, 0, 0));
    assert_int_equal(es_evaluate(&p.setup, &p.state, 1, events, 2, &sampling, values),
                     ES_EVENT_BAD);
    assert_int_equal(es_evaluate(&p.setup, &p.state, 1, events + 1, 1, &sampling, values),
                     ES_CHANCE_DUE);
    assert_int_equal(es_evaluate(&p.setup, &p.state, 1, events, 0, &sampling, values),
                     ES_EVENT_BAD);
    sampling.samples = 0;
    assert_int_equal(es_evaluate(&p.setup, &p.state, 1, events, 1, &sampling, values),
                     ES_NUMBER_RANGE);
}

/* What another player sees of one's hand is not enough to play on with, whoever is to act: chance
 * events are refused as moves are. */
static void views_that_hide_own_tiles_are_refused_for_chance_too(void **unused)
{
    (void)unused;
    static struct played p;
    static es_event scratch[EVENTS];
    struct es_state view;
    es_event legal[ES_LEGAL_MAX];
    struct es_value values[ES_VALUES_MAX];
    const struct es_sampling sampling = {.memory = check_memory(), .seed = 1, .samples = 8};
    start(&p, &es_metro, 2, 0, NULL);
    apply(&p, ES_METRO_DEAL(1, ES_TILE_bbbb));
    apply(&p, ES_METRO_DEAL(2, ES_TILE_aaaa));
    apply(&p, ES_METRO_LAY(1, ES_TILE_bbbb, 0, 1));
    apply(&p, ES_METRO_DEAL(1, ES_TILE_bcbc));
    apply(&p, ES_METRO_LAY(2, ES_TILE_aaaa, 0, 2));
    es_view(&p.setup, &p.state, p.events, p.count, 2, scratch, &view);
    size_t count = p.setup.game->legal(&p.setup, &view, ES_CHANCE, legal);
    count = count < ES_VALUES_MAX ? count : ES_VALUES_MAX;
    assert_true(count > 1);
    assert_int_equal(es_evaluate(&p.setup, &view, 1, legal, count, &sampling, values),
                     ES_VIEW_BLIND);
    assert_int_equal(es_evaluate(&p.setup, &view, 2, legal, count, &sampling, values), ES_OK);
    /* A tile that was drawn and is not shown, likewise. */
    start(&p, &es_metro, 2, 0, NULL);
    apply(&p, ES_METRO_DEAL(1, ES_TILE_UNKNOWN));
    count = p.setup.game->legal(&p.setup, &p.state, ES_CHANCE, legal);
    count = count < ES_VALUES_MAX ? count : ES_VALUES_MAX;
    assert_int_equal(es_evaluate(&p.setup, &p.state, 1, legal, count, &sampling, values),
                     ES_VIEW_BLIND);
}

/* Sheets of 26 lines may have results of 2,626 points: the squares of 4,096 samples of that have
 * more than 64 bits. */
static void errors_of_large_values_are_right(void **unused)
{
    (void)unused;
    static const int64_t large[] = {1000, 724 * 65536, 2626 * 65536, UINT32_MAX};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        struct es__tally tally = {0};
        for (int k = 0; k < ES_SAMPLES_MAX; k++)
            es__tally_add(&tally, k % 2 ? large[i] / 2 : -(large[i] / 2));
        double expected = (double)(large[i] / 2) / __builtin_sqrt(ES_SAMPLES_MAX - 1.0);
        assert_int_equal(es__tally_mean(&tally), 0);
        assert_true(es__tally_error(&tally) - expected < 1 &&
                    expected - es__tally_error(&tally) < 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verplant_values_are_within_their_errors),
        cmocka_unit_test(metro_values_are_within_their_errors),
        cmocka_unit_test(results_add_up_exactly),
        cmocka_unit_test(open_games_are_analysed),
        cmocka_unit_test(late_games_of_metro_add_up_exactly),
        cmocka_unit_test(extra_entries_are_decisions_of_their_own),
        cmocka_unit_test(figures_are_plausible),
        cmocka_unit_test(results_survive_as_text),
        cmocka_unit_test(open_entries_of_others_are_not_used),
        cmocka_unit_test(tiles_of_others_are_not_used),
        cmocka_unit_test(calibration_of_metro_raises_draw_alone),
        cmocka_unit_test(calibration_of_verplant_knows_cities_by_their_hash),
        cmocka_unit_test(impossible_analyses_are_refused),
        cmocka_unit_test(views_that_hide_own_tiles_are_refused_for_chance_too),
        cmocka_unit_test(errors_of_large_values_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
