/* `endstation bench`: times random games from fixed seeds. Each game is played through the game
 * interface and, if the game has one, through the faster functions that search uses; both must give
 * the same result.
 *
 * Every pass plays the same games; the signature, a hash of every event played, must be the same in
 * each pass, in every build and on every machine. A time alone says little on a shared machine, so
 * a fixed loop is timed in the same run and the ratio is printed too; instructions are counted with
 * callgrind (scripts/instructions.sh). */
#include "cli/bench.h"
#include <games.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum { PASSES = 5, GAMES_MAX = 16 };

struct result {
    struct bench_result games;
    double ns, best; /* of a pass: the median and the fastest */
};

double bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A chain of dependent multiplications and shifts: a step takes about five cycles on current
 * processors. Returns nanoseconds per step. */
double bench_calibrate(void)
{
    enum { STEPS = 20000000 };
    volatile uint64_t end;
    uint64_t x = 88172645463325252;
    double before = bench_now_ns();
    for (int i = 0; i < STEPS; i++) {
        x ^= x >> 12;
        x *= 0x2545f4914f6cdd1d;
    }
    end = x;
    (void)end;
    return (bench_now_ns() - before) / STEPS;
}

/* ---- Measuring ----------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times the games in several passes and takes the median. Returns false if two passes differ. */
static bool measure(const struct es_setup *setup, bench_play *play, unsigned games,
                    struct result *result)
{
    double times[PASSES];
    for (int pass = 0; pass < PASSES; pass++) {
        double before = bench_now_ns();
        struct bench_result now = bench_play_games(setup, play, games);
        times[pass] = bench_now_ns() - before;
        if (pass > 0 && now.signature != result->games.signature)
            return false;
        result->games = now;
    }
    qsort(times, PASSES, sizeof times[0], by_time);
    result->ns = times[PASSES / 2];
    result->best = times[0];
    return true;
}

/* Prints the times of both ways; `bare` is NULL if there is only the game interface. */
static void print_times(const char *name, unsigned games, const struct result *bare,
                        const struct result *game)
{
    double step = bench_calibrate(), moves = (double)game->games.moves;
    if (!bare) {
        printf("%s: through the game interface %.1f ns (best %.1f), a game %.2f us\n", name,
               game->ns / moves, game->best / moves, game->ns / games / 1000);
        printf("%s: a calibration step %.2f ns, ratio %.1f\n", name, step, game->ns / moves / step);
        return;
    }
    printf("%s: as in search %.1f ns (best %.1f), a game %.2f us; through the game interface "
           "%.1f ns (best %.1f)\n",
           name, bare->ns / moves, bare->best / moves, bare->ns / games / 1000, game->ns / moves,
           game->best / moves);
    printf("%s: a calibration step %.2f ns, ratios %.1f and %.1f\n", name, step,
           bare->ns / moves / step, game->ns / moves / step);
}

int bench_game(const struct es_setup *setup, unsigned games, const char *about,
               char line[BENCH_LINE_BYTES])
{
    const char *name = setup->game->name;
    const struct bench_ways *ways = bench_ways_of(setup->game);
    struct result bare, game;
    if (!measure(setup, ways->interface, games, &game) ||
        (ways->search && !measure(setup, ways->search, games, &bare)) ||
        (ways->search &&
         (bare.games.signature != game.games.signature ||
          bare.games.choices != game.games.choices || bare.games.points != game.games.points))) {
        fputs("bench: the same games came out differently\n", stderr);
        return CLI_BAD_INPUT;
    }
    const struct bench_result *all = &game.games;
    double ns = ways->search ? bare.ns : game.ns, moves = (double)all->moves;
    printf("%s: %s\n", name, about);
    print_times(name, games, ways->search ? &bare : NULL, &game);
    printf("%s: on average %.1f choices, %.1f moves and %.1f points a game\n", name,
           (double)all->choices / moves, moves / games, (double)(int64_t)all->points / games);
    snprintf(line, BENCH_LINE_BYTES,
             "bench %s games %u events %" PRIu64 " ns/event %.1f signature %016" PRIx64, name,
             games, all->events, ns / (double)all->events, all->signature);
    return CLI_OK;
}

/* Measures a game that has no bench of its own. */
static int bench_any(const struct es_game *game, unsigned games, char line[BENCH_LINE_BYTES])
{
    static struct es_map map;
    struct es_setup setup;
    struct es_fault fault;
    if (bench_setup(game, &map, &setup, &fault))
        return cli_fault("bench.map", &fault);
    return bench_game(&setup, games, "a move with what chance brings", line);
}

static int run(int argc, char **argv)
{
    const char *games = NULL;
    bool pictures = false, bots = false, analysis = false;
    const struct cli_option options[] = {{"--games", &games, NULL},
                                         {"--pictures", NULL, &pictures},
                                         {"--bots", NULL, &bots},
                                         {"--analysis", NULL, &analysis},
                                         {NULL, NULL, NULL}};
    unsigned count = 200000;
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status == CLI_OK && pictures + bots + analysis + (games != NULL) > 1)
        status = cli_usage(argv[0], "--games, --pictures, --bots and --analysis cannot be combined",
                           NULL);
    if (status == CLI_OK && bots)
        return bench_bots();
    if (status == CLI_OK && analysis)
        return bench_analysis();
    if (status == CLI_OK && pictures)
        return bench_pictures();
    if (status == CLI_OK && games)
        status = cli_number(argv[0], "--games", games, 1, 100000000, &count);
    char lines[GAMES_MAX][BENCH_LINE_BYTES];
    int measured = 0;
    for (; es_games[measured] && measured < GAMES_MAX && status == CLI_OK; measured++) {
        const struct cli_terminal *terminal = cli_terminal_of(es_games[measured]);
        status = terminal->bench ? terminal->bench(count, lines[measured])
                                 : bench_any(es_games[measured], count, lines[measured]);
    }
    for (int i = 0; i < measured && status == CLI_OK; i++)
        puts(lines[i]);
    return status ? status : cli_flush();
}

const struct cli_command cli_bench = {
    .name = "bench",
    .summary = "time fixed random games, and print their signature",
    .help = "bench [--games N]\n"
            "       endstation bench --pictures | --bots | --analysis\n\n"
            "Plays fixed random games of every kind, and ends with one line for each. The\n"
            "signature is the same on every machine and build for the same N; times differ.\n"
            "ns/event counts chance and players alike; the lines above count a move together\n"
            "with its card or tile.\n\n"
            "  --games N         games a pass (default 200000)\n"
            "  --pictures        instead: how long full sheets and a full board take to draw\n"
            "  --bots            instead: how fast the bots think\n"
            "  --analysis        instead: how fast a game is analysed\n",
    .run = run,
};
