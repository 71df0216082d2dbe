/* Random games as fast as the rules allow, from fixed seeds, verplant on a fixed sheet. Each game
 * is played in two ways, as search plays and through the interface that all games have; both must
 * come to the same.
 *
 * Every pass plays the same games; the signature, a hash of every event played, must come out the
 * same in each of them, in every build and on every machine. A time alone says little on a shared
 * machine, so a fixed loop is timed in the same run and the ratio printed beside it; instructions
 * are counted with callgrind (scripts/instructions.sh). */
#include "bench.h"
#include <endstation/metro.h>
#include <endstation/verplant.h>
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

extern const struct es_builtin_map cli_bench_maps[];

enum { PASSES = 5, LINE_BYTES = 160 };

struct result {
    uint64_t events, moves, signature; /* moves: events of players */
    uint64_t choices, points;          /* listed for all moves; of all players in the end */
    double ns, best;
};

double bench_now_ns(void)
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

/* Cards and choices come from a stream of their own each, so that cards can be drawn ahead. */
struct streams {
    struct es_random cards, choices;
};

/* ---- verplant ------------------------------------------------------------------------------ */

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
    uint64_t pile = whole, hash = result->signature, rounds = 0, listed = 0;
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
        listed += count;
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
    result->choices += listed;
    result->points += (uint64_t)(sheet.points + 2 * sheet.framed - es_sheet_empty(&sheet));
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
            result->choices += count;
        }
        es_verplant.apply(setup, &state, event);
        result->signature = hashed(result->signature, event);
        result->events++;
    }
    result->points += (uint64_t)es_verplant.score(setup, &state, 1);
}

/* ---- metro --------------------------------------------------------------------------------- */

/* All tiles, in an order of their own for each game. */
static void shuffle_tiles(struct es_random *random, uint8_t order[ES_METRO_TILES])
{
    int count = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int i = 0; i < es_tile_copies[tile]; i++)
            order[count++] = (uint8_t)tile;
    for (uint32_t i = ES_METRO_TILES - 1; i > 0; i--) {
        uint32_t j = es_random_below(random, i + 1);
        uint8_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* One game of two as search plays it, on a bare board: all squares of the tile in hand, one of
 * them, the next tile. */
__attribute__((noinline)) static void metro_board(const struct es_setup *setup,
                                                  struct streams *source, struct result *result)
{
    struct streams random = *source;
    uint8_t order[ES_METRO_TILES + 1], list[ES_LIST_MAX];
    uint64_t hash = result->signature, choices = 0;
    struct es_board board;
    shuffle_tiles(&random.cards, order);
    order[ES_METRO_TILES] = 0; /* looked at when nothing is left to lay */
    es_board_blank(&board);
    hash = hashed(hash, ES_METRO_DEAL(1, order[0]));
    hash = hashed(hash, ES_METRO_DEAL(2, order[1]));
    unsigned count = es_squares_list(es_board_squares(&board, order[0]), list);
    /* With two players who never draw, tiles are laid in the order in which they are dealt. Where
     * the next one may go is asked between the two steps of laying this one. */
    for (int i = 0; i < ES_METRO_TILES; i++) {
        int player = i % 2 + 1, tile = order[i];
        int square = list[es_random_below(&random.choices, count)];
        choices += count;
        es_board_take(&board, square);
        count = es_squares_list(es_board_squares(&board, order[i + 1]), list);
        es_board_join(&board, setup->players, square, tile);
        hash = hashed(hash, ES_METRO_LAY(player, tile, 0, square));
        if (i + 2 < ES_METRO_TILES)
            hash = hashed(hash, ES_METRO_DEAL(player, order[i + 2]));
    }
    *source = random;
    result->moves += ES_METRO_TILES;
    result->events += 2 * ES_METRO_TILES;
    result->choices += choices;
    result->points += (uint64_t)(es_board_points(&board, 1) + es_board_points(&board, 2));
    result->signature = hash;
}

/* The same game through the interface that all games have, every event checked. */
__attribute__((noinline)) static void metro_game(const struct es_setup *setup,
                                                 struct streams *random, struct result *result)
{
    struct es_state state;
    const struct es_metro_state *s = es_metro_view(&state);
    es_event events[ES_LEGAL_MAX], event;
    uint8_t order[ES_METRO_TILES];
    shuffle_tiles(&random->cards, order);
    es_metro.start(setup, &state);
    for (;;) {
        const struct es_turn turn = es_metro.turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        if (turn.kind == ES_TURN_CHANCE) {
            event = ES_METRO_DEAL(s->player, order[ES_METRO_TILES - s->stock]);
        } else {
            uint32_t count = (uint32_t)es_metro.legal(setup, &state, s->player, events);
            uint32_t draw = events[0] == ES_METRO_DRAW(s->player); /* comes first, is not chosen */
            event = events[draw + es_random_below(&random->choices, count - draw)];
            result->moves++;
            result->choices += count - draw;
        }
        es_metro.apply(setup, &state, event);
        result->signature = hashed(result->signature, event);
        result->events++;
    }
    for (int p = 1; p <= setup->players; p++)
        result->points += (uint64_t)es_metro.score(setup, &state, p);
}

/* ---- Measuring ----------------------------------------------------------------------------- */

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
        double before = bench_now_ns();
        for (unsigned i = 0; i < games; i++)
            play(setup, &random, &now);
        times[pass] = bench_now_ns() - before;
        if (pass > 0 && now.signature != result->signature)
            return false;
        *result = now;
    }
    qsort(times, PASSES, sizeof times[0], by_time);
    result->ns = times[PASSES / 2];
    result->best = times[0];
    return true;
}

/* Measures one game in both ways, prints what came out, and writes its line for the end. */
static int bench_game(const struct es_setup *setup, play_game *search, play_game *interface,
                      unsigned games, const char *about, char line[LINE_BYTES])
{
    const char *name = setup->game->name;
    struct result bare, game;
    double step = bench_calibrate();
    if (!measure(setup, search, games, &bare) || !measure(setup, interface, games, &game) ||
        bare.signature != game.signature || bare.choices != game.choices ||
        bare.points != game.points) {
        fputs("bench: the same games came out differently\n", stderr);
        return CLI_BAD_INPUT;
    }
    double moves = (double)bare.moves;
    printf("%s: %s\n", name, about);
    printf("%s: as in search %.1f ns (best %.1f), a game %.2f us; through the game interface "
           "%.1f ns (best %.1f)\n",
           name, bare.ns / moves, bare.best / moves, bare.ns / games / 1000, game.ns / moves,
           game.best / moves);
    printf("%s: a calibration step %.2f ns, ratios %.1f and %.1f\n", name, step,
           bare.ns / moves / step, game.ns / moves / step);
    printf("%s: on average %.1f choices, %.1f moves and %.1f points a game\n", name,
           (double)bare.choices / moves, moves / games, (double)(int64_t)bare.points / games);
    snprintf(line, LINE_BYTES,
             "bench %s games %u events %" PRIu64 " ns/event %.1f signature %016" PRIx64, name,
             games, bare.events, bare.ns / (double)bare.events, bare.signature);
    return CLI_OK;
}

static int bench_verplant(unsigned games, char line[LINE_BYTES])
{
    static struct es_map map;
    struct es_fault fault;
    struct es_setup setup = {.game = &es_verplant, .map = &map, .players = 1};
    char about[128];
    if (es_map_read(&map, cli_bench_maps[0].text, &fault))
        return cli_fault("bench.map", &fault);
    if (es_setup_prepare(&setup))
        return CLI_BAD_INPUT;
    snprintf(about, sizeof about, "an entry with its card; solo, %d lines, %d stations, %d windows",
             map.lines, map.stations, map.windows);
    return bench_game(&setup, verplant_sheet, verplant_game, games, about, line);
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
        shuffle_tiles(&random, order);
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
    struct es_setup setup = {.game = &es_metro, .players = 2};
    if (es_setup_prepare(&setup))
        return CLI_BAD_INPUT;
    int status = bench_game(&setup, metro_board, metro_game, games,
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
