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
    double ns, best;
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

/* A chain of dependent multiplications and shifts: a step costs about five cycles on any processor
 * of today. Returns nanoseconds a step. */
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

/* Cards and choices come from a stream of their own each, so that cards can be drawn ahead. */
struct streams {
    struct es_random cards, choices;
};

/* One solo game as search plays it, on a bare sheet: a card, all choices, one of them, and so on.
 * The next card is drawn while the entry is still being made, so that its kind, which nothing can
 * foresee, is known early. Not inlined, so that callgrind can count it alone. */
__attribute__((noinline)) static void verplant_sheet(const struct es_setup *setup,
                                                     struct streams *source, struct result *result)
{
    const struct es_map *map = setup->map;
    struct streams random = *source; /* stays in registers */
    const uint64_t whole = ((uint64_t)1 << setup->deck_size) - 1;
    struct es_sheet sheet;
    es_choice choices[ES_CHOICES_MAX];
    uint64_t pile = whole, hash = result->signature, rounds = 0;
    es_sheet_blank(map, &sheet);
    int next = setup->deck[es_verplant_draw(setup, pile, &random.cards)];
    for (bool more = true; more; rounds++) {
        int card = next;
        uint64_t copies = pile & setup->copies[card];
        /* As in the rules, but without a branch on what nothing can foresee. */
        pile = (pile ^ (copies & -copies)) | (whole & -(uint64_t)(card == ES_CARD_SIX));
        more = sheet.windows_left > (card != ES_CARD_FREE_RIDE);
        if (more)
            next = setup->deck[es_verplant_draw(setup, pile, &random.cards)];
        size_t count = es_sheet_choices(map, &sheet, card, choices);
        es_choice choice = choices[es_random_below(&random.choices, (uint32_t)count)];
        if (card != ES_CARD_FREE_RIDE)
            es_sheet_enter(map, &sheet, card, choice);
        else if (choice != ES_CHOICE_NO_RIDE)
            es_sheet_mark(map, &sheet, choice - 1);
        es_sheet_score(map, &sheet, 0);
        hash = hashed(hashed(hash, ES_VERPLANT_CARD(card)), ES_VERPLANT_ENTRY(1, choice));
    }
    *source = random;
    result->moves += rounds;
    result->events += 2 * rounds;
    result->signature = hash;
}

/* The same game through the interface that all games have, every event checked. */
__attribute__((noinline)) static void verplant_game(const struct es_setup *setup,
                                                    struct streams *random, struct result *result)
{
    struct es_state state;
    es_event events[ES_LEGAL_MAX], event;
    es_verplant.start(setup, &state);
    for (;;) {
        const struct es_turn turn = es_verplant.turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        if (turn.kind == ES_TURN_CHANCE) {
            int place = es_verplant_draw(setup, es_verplant_view(&state)->pile, &random->cards);
            event = ES_VERPLANT_CARD(setup->deck[place]);
        } else {
            size_t count = es_verplant.legal(setup, &state, 1, events);
            event = events[es_random_below(&random->choices, (uint32_t)count)];
            result->moves++;
        }
        es_verplant.apply(setup, &state, event);
        result->signature = hashed(result->signature, event);
        result->events++;
    }
}

static int by_time(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef void play_game(const struct es_setup *setup, struct streams *random, struct result *result);

/* Plays the same games in every pass; the median time counts. False if two passes differ. */
static bool measure(const struct es_setup *setup, play_game *play, unsigned games,
                    struct result *result)
{
    double times[PASSES];
    for (int pass = 0; pass < PASSES; pass++) {
        struct streams random;
        struct result now = {0};
        es_random_seed(&random.cards, 1);
        es_random_seed(&random.choices, 2);
        double before = now_ns();
        for (unsigned i = 0; i < games; i++)
            play(setup, &random, &now);
        times[pass] = now_ns() - before;
        if (pass > 0 && now.signature != result->signature)
            return false;
        *result = now;
    }
    qsort(times, PASSES, sizeof times[0], by_time);
    result->ns = times[PASSES / 2];
    result->best = times[0];
    return true;
}

static int bench_verplant(unsigned games)
{
    static struct es_map map;
    struct es_fault fault;
    struct es_setup setup = {.game = &es_verplant, .map = &map, .players = 1};
    struct result sheet, game;
    if (es_map_read(&map, cli_bench_maps[0].text, &fault))
        return cli_fault("bench.map", &fault);
    if (es_setup_prepare(&setup))
        return CLI_BAD_INPUT;
    double step = calibrate();
    if (!measure(&setup, verplant_sheet, games, &sheet) ||
        !measure(&setup, verplant_game, games, &game) || sheet.signature != game.signature) {
        fputs("bench: the same games came out differently\n", stderr);
        return CLI_BAD_INPUT;
    }
    double entry = sheet.ns / (double)sheet.moves, checked = game.ns / (double)game.moves;
    printf("verplant: solo, %d lines, %d stations, %d windows; median and best of %d passes\n",
           map.lines, map.stations, map.windows, PASSES);
    printf("verplant: an entry with its card, on a bare sheet as in search %.1f ns (best %.1f), "
           "through the game interface %.1f ns (best %.1f)\n",
           entry, sheet.best / (double)sheet.moves, checked, game.best / (double)game.moves);
    printf("verplant: a calibration step %.2f ns, ratios %.1f and %.1f\n", step, entry / step,
           checked / step);
    printf("bench verplant games %u events %" PRIu64 " ns/event %.1f signature %016" PRIx64 "\n",
           games, sheet.events, sheet.ns / (double)sheet.events, sheet.signature);
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
            "entries alike; the lines above count an entry with its card as one.\n\n"
            "  --games N    games a pass (default 200000)\n",
    .run = run,
};
