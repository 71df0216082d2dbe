/* Random games as fast as the rules allow, from fixed seeds on a fixed sheet.
 *
 * Every pass plays the same games; the signature, a hash of every event played, must come out the
 * same in each of them, in every build and on every machine. A time alone says little on a shared
 * machine, so a fixed loop is timed in the same run and the ratio printed beside it; instructions
 * are counted with callgrind (scripts/instructions.sh). */
#include "cli.h"
#include <endstation/verplant.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

extern const struct es_builtin_map cli_bench_maps[];

enum { PASSES = 5 };

struct result {
    uint64_t events, moves, signature; /* moves: events of players */
    double ns;
};

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t hashed(uint64_t hash, es_event event)
{
    return (hash ^ event) * 0x9e3779b97f4a7c15;
}

/* A chain of dependent multiplications and shifts: one step costs the same number of cycles on
 * most processors. Returns nanoseconds a step. */
static double calibrate(void)
{
    enum { STEPS = 20000000 };
    volatile uint64_t end;
    uint64_t x = 88172645463325252;
    double before = now_ns();
    for (int i = 0; i < STEPS; i++) {
        x ^= x >> 12;
        x *= 0x2545f4914f6cdd1d;
    }
    end = x;
    (void)end;
    return (now_ns() - before) / STEPS;
}

/* One solo game: a card, all choices, one of them, and so on. Not inlined, so that callgrind can
 * count it alone. */
__attribute__((noinline)) static void verplant_game(const struct es_setup *setup,
                                                    struct es_random *random, struct result *result)
{
    struct es_state state;
    es_event events[ES_LEGAL_MAX];
    uint64_t hash = result->signature;
    es_verplant.start(setup, &state);
    for (;;) {
        const struct es_turn turn = es_verplant.turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        es_event event;
        if (turn.kind == ES_TURN_CHANCE) {
            event = es_verplant_draw(setup, &state, random);
        } else {
            size_t count = es_verplant.legal(setup, &state, 1, events);
            event = events[es_random_below(random, (uint32_t)count)];
            result->moves++;
        }
        es_verplant.apply(setup, &state, event);
        hash = hashed(hash, event);
        result->events++;
    }
    result->signature = hash;
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int bench_verplant(unsigned games)
{
    static struct es_map map;
    struct es_fault fault;
    struct es_setup setup = {.game = &es_verplant, .map = &map, .players = 1};
    if (es_map_read(&map, cli_bench_maps[0].text, &fault))
        return cli_fault("bench.map", &fault);
    if (es_setup_prepare(&setup))
        return CLI_BAD_INPUT;
    struct result first = {0};
    double times[PASSES], steps[PASSES];
    for (int pass = 0; pass < PASSES; pass++) {
        struct es_random random = {1};
        struct result result = {0};
        steps[pass] = calibrate();
        double before = now_ns();
        for (unsigned i = 0; i < games; i++)
            verplant_game(&setup, &random, &result);
        times[pass] = now_ns() - before;
        if (pass == 0)
            first = result;
        if (result.signature != first.signature) {
            fprintf(stderr, "bench: two passes over the same games differ\n");
            return CLI_BAD_INPUT;
        }
    }
    qsort(times, PASSES, sizeof times[0], by_time);
    qsort(steps, PASSES, sizeof steps[0], by_time);
    double median = times[PASSES / 2], entry = median / (double)first.moves;
    printf("verplant: solo on bench.map, %d passes, median; %d lines, %d stations, %d windows\n"
           "verplant: %.1f ns an entry with its card (%.1f at best), %.0f ns a game\n"
           "verplant: calibration %.2f ns a step, ratio %.1f\n",
           PASSES, map.lines, map.stations, map.windows, entry, times[0] / (double)first.moves,
           median / games, steps[PASSES / 2], entry / steps[PASSES / 2]);
    printf("bench verplant games %u events %" PRIu64 " ns/event %.1f signature %016" PRIx64 "\n",
           games, first.events, median / (double)first.events, first.signature);
    return cli_flush();
}

static int run(int argc, char **argv)
{
    const char *games = NULL;
    const struct cli_option options[] = {{"--games", &games, NULL}, {NULL, NULL, NULL}};
    unsigned count = 200000;
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status == CLI_OK && games)
        status = cli_number(argv[0], "--games", games, 1, 100000000, &count);
    return status ? status : bench_verplant(count);
}

const struct cli_command cli_bench = {
    .name = "bench",
    .summary = "time fixed random games, and print their signature",
    .help = "bench [--games N]\n\n"
            "Plays fixed random games and ends with one line a game. The signature is the same on\n"
            "every machine and build for the same N; times differ. ns/event counts cards and\n"
            "entries alike; the line above counts an entry with its card as one.\n\n"
            "  --games N    games a pass (default 200000)\n",
    .run = run,
};
