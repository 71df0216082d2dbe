/* The library on a small stack: every level of every game, the analysis, hindsight, sessions,
 * pictures and statistics run in a thread that has ES_STACK_BYTES, as game.h promises. */
#include "check.h"
#include "page/analysis.h"
#include "page/page.h"
#include "page/stats.h"
#include <assert.h>
#include <endstation/chart.h>
#include <pthread.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { STACK = 8 * ES_STACK_BYTES }; /* sanitizers make frames larger */
#else
enum { STACK = ES_STACK_BYTES };
#endif
enum { ITERATIONS = 16, EVENTS = 2000, SOME = 16, ONE_IN = 64 };

static struct es_page page;
static char text[1 << 20], record[1 << 16], lines[1 << 18];
static es_event seen[EVENTS];
static struct es_node nodes[EVENTS];
static struct es_node_result results[EVENTS];
static struct es_svg svg;

static struct es_out fresh(void)
{
    return (struct es_out){text, sizeof text, 0};
}

/* ---- Bots ----------------------------------------------------------------------------------- */

/* Every level and baseline thinks about some positions; returns a move of the quickest. */
static es_event ask(int player, void *memory)
{
    static struct es_thought thought;
    const struct es_setup *setup = &page.record.setup;
    const bool all = page.record.count % SOME < 2;
    struct es_bot bot;
    struct es_state view;
    const char *names[] = {"random", "greedy", "casual", "strong", "master", "solo", "flat:20"};
    es_event event = 0;
    es_page_see(&page, player, &view);
    for (size_t i = 0; i < (all ? sizeof names / sizeof *names : 1); i++) {
        thought = (struct es_thought){.memory = memory, .seed = 7, .iterations = ITERATIONS};
        if (es_bot_named(setup->game, es_str(names[i]), &bot) == ES_OK)
            event = bot.think(&bot, setup, &view, player, &thought);
    }
    return event;
}

/* A whole game; then another one with the same cards. */
static void *play(void *memory)
{
    const struct es_setup *setup = &page.record.setup;
    for (struct es_turn turn;;) {
        es_page_deal(&page, 5);
        turn = setup->game->turn(setup, &page.state);
        if (turn.kind == ES_TURN_OVER)
            return NULL;
        int player = __builtin_ctz(turn.players) + 1;
        char event[ES_EVENT_BYTES];
        struct es_out out = {event, sizeof event, 0};
        setup->game->format(setup, ask(player, memory), &out);
        assert(es_page_apply(&page, (struct es_str){event, out.used}) == ES_OK);
    }
}

static void *play_again(void *memory)
{
    struct es_fault fault;
    struct es_bot bot;
    es_status known = es_bot_named(page.record.setup.game, es_str("strong"), &bot);
    const char *level = known == ES_OK ? "strong" : "random";
    es_page_rerun_begin(&page);
    for (int i = 0; i < 3; i++)
        es_page_rerun_step(&page, 1, es_str(level), memory);
    struct es_out out = fresh();
    es_status status = es_page_think(&page, 1, es_str(level), 1, memory, &out);
    assert(!status || status == ES_CHANCE_DUE || status == ES_NOT_TO_ACT || status == ES_GAME_OVER);
    assert(es_page_open(&page, es_str(record), &fault) == ES_OK);
    return NULL;
}

/* ---- Analysis ------------------------------------------------------------------------------- */

static void *analyse(void *memory)
{
    const struct es_record *game = &page.record;
    const struct es_analysis *analysis = game->setup.game->analysis;
    struct es_analysis_sum sum;
    size_t count, found;
    assert(es_nodes(&game->setup, game->events, game->count, 1, seen, &count, nodes, EVENTS,
                    &found) == ES_OK);
    for (size_t i = 0; i < found; i++) {
        struct es_node_result *result = &results[i];
        struct es_out out = fresh();
        if (i % ONE_IN < 2) /* cards and decisions take turns */
            es_node_run(&game->setup, seen, &nodes[i], 1, memory, result);
        else
            memset(result, 0, sizeof *result);
        es_node_write(result, &out);
        assert(es_node_read((struct es_str){text, out.used}, result));
    }
    es_nodes_add_up(&game->setup, seen, count, 1, nodes, results, found, NULL, &sum);
    if (analysis->hindsight) {
        int points;
        void *room = malloc(analysis->hindsight_bytes(&game->setup, game->count));
        assert(room &&
               analysis->hindsight(&game->setup, game->events, game->count, 1, room, &points));
        free(room);
    }
    return NULL;
}

static void *analyse_page(void *unused)
{
    const struct es_page_chart_look look = {.selected = 1};
    void *memory = malloc(es_page_analysis_bytes(&page));
    struct es_fault fault;
    struct es_out all = {lines, sizeof lines - 1, 0}, out = fresh();
    size_t found = 0;
    assert(memory && es_page_nodes(&page, 1, memory, &out) == ES_OK);
    for (const char *at = text; (at = strstr(at, "\"at\":")); at++)
        found++;
    for (size_t i = 0; i < found; i++) {
        if (i % ONE_IN < 2)
            assert(es_page_node(&page, 1, i, memory, &all) == ES_OK);
        es_out_text(&all, "\n");
    }
    out = fresh();
    const struct es_str results_text = {lines, all.used};
    assert(es_page_analysis(&page, 1, results_text, memory, &out, &fault) == ES_OK);
    es_svg_open(&svg, text, sizeof text);
    assert(es_page_chart(&page, 1, results_text, &look, memory, &svg, &fault) == ES_OK);
    free(memory);
    return unused;
}

/* ---- Sessions ------------------------------------------------------------------------------- */

static void draw(const struct es_page_look *look)
{
    es_svg_open(&svg, text, sizeof text);
    es_page_draw(&page, look, &svg);
    assert(es_out_ok(&svg.out));
}

static void *look_around(void *unused)
{
    const struct es_setup *setup = &page.record.setup;
    struct es_fault fault;
    struct es_out out = fresh();
    es_page_record(&page, &out);
    memcpy(record, text, out.used);
    record[out.used] = '\0';
    out = fresh();
    assert(es_page_needs(&page, es_str(record), &out, &fault) == ES_OK);
    assert(es_page_open(&page, es_str(record), &fault) == ES_OK);
    for (size_t n = 0; n <= page.record.count; n += page.record.count / 3 + 1) {
        es_page_seek(&page, 1, n);
        out = fresh();
        es_page_view(&page, 1, &out);
        es_page_report(&page, &out);
        es_page_state(&page, 1, &out);
        es_page_log(&page, 1, 0, &out);
        out = fresh();
        es_page_moves(&page, &out);
        out = fresh();
        es_page_choose(&page, 1, es_str(""), es_str("begin"), &out);
        draw(&(struct es_page_look){.viewer = 1, .sheet = 1});
        draw(&(struct es_page_look){.viewer = 1, .sheet = 1, .fresh = true, .patterns = true});
    }
    for (const struct es_printable *thing = setup->game->prints; thing && thing->name; thing++) {
        es_svg_open(&svg, text, sizeof text);
        es_page_print(&page, es_str(thing->name), ES_PAPER_A4, false, &svg);
    }
    out = fresh();
    es_page_info(&out);
    return unused;
}

static void *count_game(void *unused)
{
    struct es_page_stats *stats = malloc(es_page_stats_bytes(2));
    struct es_fault fault;
    struct es_out out = fresh();
    assert(stats);
    es_page_stats_begin(stats, 2, es_str("Ada"));
    assert(es_page_stats_add(&page, stats, es_str(record), &fault) != ES_STATS_UNREADABLE);
    es_page_stats_finish(stats);
    es_page_stats_json(stats, &out);
    out = fresh();
    es_page_stats_standing(stats, 0, &out);
    es_svg_open(&svg, text, sizeof text);
    es_page_stats_plot(&page, stats, 0, ES_THEME_LIGHT, false, &svg);
    free(stats);
    return unused;
}

/* Counts all whole games on a small sheet, each of 16 events. */
static void *count_ahead(void *counted)
{
    enum { DEPTH = 16 };
    static const char sheet[] = "endstation-map 1\nid town\ntitle Town\npaper ffffff\n"
                                "station a 0 0\nstation b 1 0\n"
                                "line A ff0000 windows 7 points 2 1 wagon 0 0 : a b\n"
                                "line B 00ff00 windows 1 points 2 1 wagon 0 0 : a b\n";
    static const char header[] =
        "endstation-record 1\ngame verplant\nmap town\nplayers 1\ndeck 6\n";
    static struct es_map map;
    struct es_record game = {.capacity = 0};
    struct es_fault fault;
    struct es_state start;
    void *memory = malloc(es_perft_bytes(DEPTH));
    assert(memory && es_map_read(&map, es_str(sheet), &fault) == ES_OK);
    assert(es_record_header(&game, es_str(header), &fault) == ES_OK);
    assert(es_record_events(&game, &map, &start, &fault) == ES_OK);
    *(uint64_t *)counted = es_perft(&game.setup, &start, DEPTH, memory);
    free(memory);
    return NULL;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static void in_thread(void *(*run)(void *), void *context)
{
    pthread_t thread;
    pthread_attr_t how;
    assert_int_equal(pthread_attr_init(&how), 0);
    assert_int_equal(pthread_attr_setstacksize(&how, STACK), 0);
    assert_int_equal(pthread_create(&thread, &how, run, context), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&how);
}

static void *open_game(void *words)
{
    struct es_fault fault;
    assert(es_page_open(&page, es_str(words), &fault) == ES_OK);
    return NULL;
}

static void every_game_fits_in_the_stack(void **state)
{
    (void)state;
    for (int g = 0; es_games[g]; g++) {
        const struct es_game *game = es_games[g];
        const int counts[] = {game->players_min, game->players_max};
        void *memory = malloc(es_bot_bytes(game)), *more = malloc(es_analysis_bytes(game));
        assert_true(memory && more);
        for (int i = 0; i < 2; i++) {
            char words[200];
            snprintf(words, sizeof words, "endstation-record 1\ngame %s\n%splayers %d\n%s%s\n\n",
                     game->name, game->has_map ? "map paris\n" : "", counts[i],
                     game->rules[0] ? "rules " : "", game->rules[0] ? game->rules[0] : "");
            in_thread(open_game, words);
            in_thread(play, memory);
            in_thread(look_around, NULL);
            in_thread(play_again, memory);
            if (game->analysis) {
                in_thread(analyse, more);
                in_thread(analyse_page, NULL);
            }
            in_thread(count_game, NULL);
        }
        free(memory);
        free(more);
    }
}

static void counting_ahead_fits_in_the_stack(void **state)
{
    (void)state;
    uint64_t count = 0;
    in_thread(count_ahead, &count);
    /* Line B in any of 8 rounds; none, one or two stations crossed out, in any rounds: 1 + 8 + 8 +
     * 28 ways. */
    assert_int_equal(count, 8 * 45);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_game_fits_in_the_stack),
                                       cmocka_unit_test(counting_ahead_fits_in_the_stack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
