/* Random games as fast as the rules allow, from fixed seeds, verplant on a fixed sheet. Each game
 * is played in two ways, as search plays and through the interface that all games have; both must
 * come to the same.
 *
 * Every pass plays the same games; the signature, a hash of every event played, must come out the
 * same in each of them, in every build and on every machine. A time alone says little on a shared
 * machine, so a fixed loop is timed in the same run and the ratio printed beside it; instructions
 * are counted with callgrind (scripts/instructions.sh). */
#include "cli/bench.h"
#include <endstation/metro.h>
#include <games.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

enum { PASSES = 5, LINE_BYTES = 160 };

struct result {
    struct bench_result games;
    double ns, best; /* of a pass: the median, the quickest */
};

double bench_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* A chain of dependent multiplications and shifts: a step costs about five cycles on any processor
 * of today. Returns nanoseconds a step. */
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

/* Plays the same games in every pass; the median time counts. False if two passes differ. */
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

/* Measures one game in both ways, prints what came out, and writes its line for the end. */
static int bench_game(const struct es_setup *setup, bench_play *search, bench_play *interface,
                      unsigned games, const char *about, char line[LINE_BYTES])
{
    const char *name = setup->game->name;
    struct result bare, game;
    double step = bench_calibrate();
    if (!measure(setup, search, games, &bare) || !measure(setup, interface, games, &game) ||
        bare.games.signature != game.games.signature || bare.games.choices != game.games.choices ||
        bare.games.points != game.games.points) {
        fputs("bench: the same games came out differently\n", stderr);
        return CLI_BAD_INPUT;
    }
    double moves = (double)bare.games.moves;
    printf("%s: %s\n", name, about);
    printf("%s: as in search %.1f ns (best %.1f), a game %.2f us; through the game interface "
           "%.1f ns (best %.1f)\n",
           name, bare.ns / moves, bare.best / moves, bare.ns / games / 1000, game.ns / moves,
           game.best / moves);
    printf("%s: a calibration step %.2f ns, ratios %.1f and %.1f\n", name, step,
           bare.ns / moves / step, game.ns / moves / step);
    printf("%s: on average %.1f choices, %.1f moves and %.1f points a game\n", name,
           (double)bare.games.choices / moves, moves / games,
           (double)(int64_t)bare.games.points / games);
    snprintf(line, LINE_BYTES,
             "bench %s games %u events %" PRIu64 " ns/event %.1f signature %016" PRIx64, name,
             games, bare.games.events, bare.ns / (double)bare.games.events, bare.games.signature);
    return CLI_OK;
}

static int bench_verplant(unsigned games, char line[LINE_BYTES])
{
    static struct es_map map;
    struct es_fault fault;
    struct es_setup setup;
    char about[128];
    if (bench_verplant_setup(&map, &setup, &fault))
        return cli_fault("bench.map", &fault);
    snprintf(about, sizeof about, "an entry with its card; solo, %d lines, %d stations, %d windows",
             map.lines, map.stations, map.windows);
    return bench_game(&setup, bench_verplant_sheet, bench_verplant_game, games, about, line);
}

/* What search does besides laying: copies boards, and asks what a tile would finish. */
static void bench_boards(void)
{
    enum { BOARDS = 64, COPIES = 4000000, ROUNDS = 60 };
    static struct es_board boards[BOARDS], copies[BOARDS];
    struct es_random random;
    uint64_t asked = 0, finished = 0;
    es_random_seed(&random, 3);
    for (int i = 0; i < BOARDS; i++) {
        uint8_t order[ES_METRO_TILES], list[ES_LIST_MAX];
        bench_shuffle_tiles(&random, order);
        es_board_blank(&boards[i]);
        for (int k = 0; k < 20 + i % 20; k++) {
            unsigned count = es_squares_list(es_board_squares(&boards[i], order[k]), list);
            es_board_lay(&boards[i], 2, list[es_random_below(&random, count)], order[k]);
        }
    }
    double start = bench_now_ns();
    for (int i = 0; i < COPIES; i++) {
        copies[i % BOARDS] = boards[i * 7 % BOARDS];
        __asm__ volatile("" ::"r"(&copies[i % BOARDS]) : "memory"); /* not all at once */
    }
    double copied = bench_now_ns();
    for (int i = 0; i < BOARDS * ROUNDS; i++)
        for (int tile = 0; tile < ES_TILE_KINDS; tile++) {
            const struct es_board *board = &boards[i % BOARDS];
            struct es_line lines[4];
            for (uint64_t left = es_board_squares(board, tile); left; left &= left - 1, asked++)
                finished += (uint64_t)es_board_finishes(board, __builtin_ctzll(left), tile, lines);
        }
    printf("metro: a board of %zu bytes copied in %.1f ns; asked what a tile would finish (%.2f "
           "lines) in %.1f ns\n",
           sizeof(struct es_board), (copied - start) / COPIES, (double)finished / (double)asked,
           (bench_now_ns() - copied) / (double)asked);
}

static int bench_metro(unsigned games, char line[LINE_BYTES])
{
    struct es_setup setup;
    if (bench_metro_setup(&setup))
        return CLI_BAD_INPUT;
    int status = bench_game(&setup, bench_metro_board, bench_metro_game, games,
                            "a tile laid; two players, who lay what they have in hand", line);
    if (status == CLI_OK)
        bench_boards();
    return status;
}

static int run(int argc, char **argv)
{
    const char *games = NULL;
    bool pictures = false, bots = false;
    const struct cli_option options[] = {{"--games", &games, NULL},
                                         {"--pictures", NULL, &pictures},
                                         {"--bots", NULL, &bots},
                                         {NULL, NULL, NULL}};
    unsigned count = 200000;
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status == CLI_OK && pictures + bots + (games != NULL) > 1)
        status = cli_usage(argv[0], "only one of --games, --pictures and --bots can be had", NULL);
    if (status == CLI_OK && bots)
        return bench_bots();
    if (status == CLI_OK && pictures)
        return bench_pictures();
    if (status == CLI_OK && games)
        status = cli_number(argv[0], "--games", games, 1, 100000000, &count);
    char lines[2][LINE_BYTES];
    if (status == CLI_OK)
        status = bench_verplant(count, lines[0]);
    if (status == CLI_OK)
        status = bench_metro(count, lines[1]);
    if (status)
        return status;
    printf("%s\n%s\n", lines[0], lines[1]);
    return cli_flush();
}

const struct cli_command cli_bench = {
    .name = "bench",
    .summary = "time fixed random games, and print their signature",
    .help = "bench [--games N]\n"
            "       endstation bench --pictures | --bots\n\n"
            "Plays fixed random games of both kinds, and ends with one line for each. The\n"
            "signature is the same on every machine and build for the same N; times differ.\n"
            "ns/event counts chance and players alike; the lines above count a move together\n"
            "with its card or tile.\n\n"
            "  --games N    games a pass (default 200000)\n"
            "  --pictures   instead: how long full sheets and a full board take to draw\n"
            "  --bots       instead: how fast the bots think\n",
    .run = run,
};
