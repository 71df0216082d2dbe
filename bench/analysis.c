/* Plays games between bots and analyses them: one line for each, for scripts/analysis.sh, which
 * adds them up. Uses nothing but the library, so that it can be copied to a faster machine.
 *
 *     cmake --build build --target bench_analysis
 *     build/bench_analysis --game GAME [--map SHEET] --level LEVEL [--players N] [--rules BITS]
 *                          --games FROM-TO [--threads N]
 *
 * All seats have the same level; game n is analysed for player 1 + n % players. A game is a
 * function of its number and its level, so that chunks of numbers can run anywhere:
 *
 *     GAME SHEET LEVEL PLAYERS NUMBER result R start S luck L loss X error E others O correction C
 *     decisions D good G inaccuracy I mistake M blunder B hindsight H ms T
 */
#include <endstation/analysis.h>
#include <endstation/bots.h>
#include <endstation/map.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { EVENTS = 4096, THREADS_MAX = 64, STACK_BYTES = 1 << 20 };

static const char *game_name = "", *map_id = "", *level = "strong";
static int players = 1;
static unsigned rules;
static unsigned next_game, last_game;
static struct es_map map;
static struct es_setup setup;
static struct es_bot bot;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Plays a whole game; returns the number of its events. */
static size_t play(unsigned number, es_event *events, es_event *scratch, void *memory)
{
    struct es_state state, view;
    struct es_thought thought;
    uint8_t seed[ES_SEED_BYTES] = {(uint8_t)number, (uint8_t)(number >> 8), 77};
    size_t count = 0;
    setup.game->start(&setup, &state);
    for (;;) {
        struct es_turn turn = setup.game->turn(&setup, &state);
        es_event event;
        if (turn.kind == ES_TURN_OVER)
            return count;
        if (turn.kind == ES_TURN_CHANCE) {
            event = setup.game->deal(&setup, &state, seed);
        } else {
            int player = __builtin_ctz(turn.players) + 1;
            es_view(&setup, &state, events, count, player, scratch, &view);
            memset(&thought, 0, sizeof thought);
            thought.memory = memory;
            thought.seed = (uint64_t)number * 1000003 + count * 7919 + 5;
            event = bot.think(&bot, &setup, &view, player, &thought);
        }
        if (count == EVENTS || setup.game->apply(&setup, &state, event))
            abort();
        events[count++] = event;
    }
}

/* Returns what hindsight finds, or the result if it finds nothing. */
static double look_back(const es_event *events, size_t count, int player, double result)
{
    const struct es_analysis *analysis = setup.game->analysis;
    int points = 0;
    if (!analysis->hindsight || players > 1)
        return result;
    void *memory = malloc(analysis->hindsight_bytes(&setup, count));
    bool found = memory && analysis->hindsight(&setup, events, count, player, memory, &points);
    free(memory);
    return found ? points : result;
}

static double number_of(int64_t value)
{
    return (double)value / ES_VALUE_ONE;
}

static void analyse(unsigned number, const es_event *events, size_t count, es_event *seen,
                    struct es_node *nodes, struct es_node_result *results, void *memory)
{
    int player = 1 + (int)(number % (unsigned)players);
    struct es_analysis_sum sum;
    size_t seen_count, found;
    double before = milliseconds();
    if (es_nodes(&setup, events, count, player, seen, &seen_count, nodes, EVENTS, &found))
        abort();
    for (size_t i = 0; i < found; i++)
        es_node_run(&setup, seen, &nodes[i], player, memory, &results[i]);
    es_nodes_add_up(&setup, seen, seen_count, player, nodes, results, found, NULL, &sum);
    double hindsight = look_back(events, count, player, number_of(sum.result));
    double ms = milliseconds() - before;
    if (sum.result != sum.start + sum.luck - sum.loss + sum.others + sum.correction)
        abort();
    pthread_mutex_lock(&lock);
    printf("%s %s %s %d %u result %.4f start %.4f luck %.4f loss %.4f error %.4f others %.4f "
           "correction %.4f decisions %d good %d inaccuracy %d mistake %d blunder %d "
           "hindsight %.4f ms %.0f\n",
           game_name, *map_id ? map_id : "-", level, players, number, number_of(sum.result),
           number_of(sum.start), number_of(sum.luck), number_of(sum.loss),
           number_of(sum.loss_error), number_of(sum.others), number_of(sum.correction),
           sum.decisions, sum.labels[ES_LABEL_GOOD], sum.labels[ES_LABEL_INACCURACY],
           sum.labels[ES_LABEL_MISTAKE], sum.labels[ES_LABEL_BLUNDER], hindsight, ms);
    fflush(stdout);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    es_event *events = malloc(EVENTS * sizeof *events), *seen = malloc(EVENTS * sizeof *seen);
    struct es_node *nodes = malloc(EVENTS * sizeof *nodes);
    struct es_node_result *results = malloc(EVENTS * sizeof *results);
    /* Bots think and nodes run one after the other: one memory for both. */
    size_t bot_bytes = es_bot_bytes(setup.game), bytes = es_analysis_bytes(setup.game);
    void *memory = malloc(bytes > bot_bytes ? bytes : bot_bytes);
    if (!events || !seen || !nodes || !results || !memory)
        abort();
    for (;;) {
        pthread_mutex_lock(&lock);
        unsigned number = next_game++;
        pthread_mutex_unlock(&lock);
        if (number > last_game)
            break;
        size_t count = play(number, events, seen, memory);
        analyse(number, events, count, seen, nodes, results, memory);
    }
    free(events);
    free(seen);
    free(nodes);
    free(results);
    free(memory);
    return unused;
}

static int usage(const char *what)
{
    fprintf(stderr, "bench_analysis: %s; bench/analysis.c says how it is used\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    unsigned threads = 1;
    struct es_fault fault;
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *value = argv[i + 1];
        if (strcmp(argv[i], "--game") == 0)
            game_name = value;
        else if (strcmp(argv[i], "--map") == 0)
            map_id = value;
        else if (strcmp(argv[i], "--level") == 0)
            level = value;
        else if (strcmp(argv[i], "--players") == 0)
            players = atoi(value);
        else if (strcmp(argv[i], "--rules") == 0)
            rules = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--games") != 0 ||
                 sscanf(value, "%u-%u", &next_game, &last_game) != 2)
            return usage(argv[i]);
    }
    setup = (struct es_setup){
        .game = es_game_named(es_str(game_name)), .players = (uint8_t)players, .rules = rules};
    if (!setup.game || !setup.game->analysis || threads < 1 || threads > THREADS_MAX)
        return usage("no such game, or too many threads");
    if (setup.game->has_map) {
        if (es_map_read(&map, es_builtin_map(es_str(map_id)), &fault))
            return usage("no such sheet");
        setup.map = &map;
    }
    if (es_setup_prepare(&setup) || es_bot_named(setup.game, es_str(level), &bot))
        return usage("no such level, or not for that many players");
    pthread_t thread[THREADS_MAX];
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    for (unsigned t = 0; t < threads; t++)
        if (pthread_create(&thread[t], &how, work, NULL))
            abort();
    for (unsigned t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    return 0;
}
