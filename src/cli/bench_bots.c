/* How fast bots think: one game of each kind from a fixed seed, every move with as many iterations
 * as the level is used to, so that the moves are the same everywhere and only the time differs. */
#include "bench.h"
#include <endstation/bots.h>
#include <inttypes.h>
#include <stdlib.h>

/* One game in which all seats are the bot's; the events are hashed, as a signature. */
static void play(const struct es_setup *setup, const struct es_bot *bot, uint64_t *done,
                 unsigned *moves, double *ns, uint64_t *signature)
{
    const uint8_t seed[ES_SEED_BYTES] = {1};
    es_event *events = cli_alloc(2 * ES_EVENTS_MAX * sizeof *events);
    size_t count = 0;
    struct es_state state, view;
    setup->game->start(setup, &state);
    for (;;) {
        struct es_turn turn = setup->game->turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        es_event event;
        if (turn.kind == ES_TURN_CHANCE) {
            event = setup->game->deal(setup, &state, seed);
        } else {
            int player = __builtin_ctz(turn.players) + 1;
            struct es_thought thought = {.seed = count};
            es_view(setup, &state, events, count, player, events + ES_EVENTS_MAX, &view);
            double before = bench_now_ns();
            event = bot->think(bot, setup, &view, player, &thought);
            *ns += bench_now_ns() - before;
            *done += thought.done;
            ++*moves;
        }
        setup->game->apply(setup, &state, event);
        events[count++] = event;
        *signature = (*signature ^ event) * 0x9e3779b97f4a7c15;
    }
    free(events);
}

static void time_bot(const struct es_setup *setup, const char *name)
{
    struct es_bot bot;
    uint64_t done = 0, signature = 0;
    unsigned moves = 0;
    double ns = 0;
    if (es_bot_named(setup->game, es_str(name), &bot))
        return;
    play(setup, &bot, &done, &moves, &ns, &signature);
    printf("%-9s %-11s %8.0f/s %8.2f us %9.2f ms/move %7.0f/move  %016" PRIx64 "\n",
           setup->game->name, name, (double)done / ns * 1e9, ns / (double)done / 1e3,
           ns / moves / 1e6, (double)done / moves, signature);
}

int bench_bots(void)
{
    struct es_map *map = cli_alloc(sizeof *map);
    struct es_setup sheet = {.game = &es_verplant, .players = 1, .map = map};
    struct es_setup board = {.game = &es_metro, .players = 2};
    struct es_fault fault;
    int status = CLI_OK;
    printf("a calibration step %.2f ns\n", bench_calibrate());
    printf("iterations a second, the time of each, and what a move takes; signature\n");
    if (es_map_read(map, es_builtin_map(es_str("amsterdam")), &fault))
        status = cli_fault("amsterdam", &fault);
    else if (es_setup_prepare(&sheet) == ES_OK && es_setup_prepare(&board) == ES_OK) {
        time_bot(&sheet, "flat:20000");
        time_bot(&sheet, "strong");
        time_bot(&sheet, "master");
        time_bot(&board, "strong");
        time_bot(&board, "master");
    }
    free(map);
    return status == CLI_OK ? cli_flush() : status;
}
