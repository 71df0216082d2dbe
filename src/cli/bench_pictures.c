/* How long pictures take: full sheets and a full board, as SVG, from fixed games. */
#include "cli/bench.h"
#include <endstation/bots.h>
#include <endstation/metro.h>
#include <endstation/verplant.h>
#include <endstation/verplant/bots.h>
#include <endstation/verplant/layout.h>
#include <stdlib.h>

enum { PASSES = 50 };

/* Plays a game to its end: the greedy player on a sheet, any move on a board. */
static void play_out(const struct es_setup *setup, struct es_state *state)
{
    const uint8_t seed[ES_SEED_BYTES] = {1};
    es_event events[ES_LEGAL_MAX];
    struct es_random random;
    es_random_seed(&random, 1);
    setup->game->start(setup, state);
    for (;;) {
        struct es_turn turn = setup->game->turn(setup, state);
        if (turn.kind == ES_TURN_OVER)
            return;
        es_event event;
        if (turn.kind == ES_TURN_CHANCE) {
            event = setup->game->deal(setup, state, seed);
        } else if (setup->map) {
            const struct es_verplant_state *s = es_verplant_view(state);
            event = ES_VERPLANT_ENTRY(1, es_bot_greedy(setup->map, &s->sheet[0], s->card, &random));
        } else {
            int player = __builtin_ctz(turn.players) + 1;
            size_t count = setup->game->legal(setup, state, player, events);
            event = events[es_random_below(&random, (uint32_t)count)];
        }
        setup->game->apply(setup, state, event);
    }
}

/* The shortest of many passes: what the work takes when nothing else is in the way. */
static void time_picture(const char *name, const struct es_setup *setup, struct es_layout *layout,
                         char *text)
{
    struct es_state state;
    struct es_draw draw = {.prepared = layout, .viewer = 1};
    struct es_svg svg;
    double laid = 1e18, drawn = 1e18;
    play_out(setup, &state);
    for (int i = 0; i < PASSES; i++) {
        double start = bench_now_ns();
        if (setup->map)
            es_layout(setup->map, false, layout);
        double middle = bench_now_ns();
        es_svg_open(&svg, text, ES_SVG_BYTES);
        es_draw(setup, &state, &draw, &svg.painter);
        double end = bench_now_ns();
        laid = middle - start < laid ? middle - start : laid;
        drawn = end - middle < drawn ? end - middle : drawn;
    }
    printf("%-12s %9.3f ms %9.3f ms %9zu\n", name, setup->map ? laid / 1e6 : 0, drawn / 1e6,
           svg.out.used);
}

int bench_pictures(void)
{
    struct es_map *map = cli_alloc(sizeof *map);
    struct es_layout *layout = cli_alloc(sizeof *layout);
    char *text = cli_alloc(ES_SVG_BYTES);
    struct es_setup sheet = {.game = &es_verplant, .players = 1, .map = map};
    struct es_setup board = {.game = &es_metro, .players = 6};
    struct es_fault fault;
    int status = CLI_OK;
    printf("a calibration step %.2f ns\n", bench_calibrate());
    printf("%-12s %12s %12s %9s\n", "picture", "layout", "SVG", "bytes");
    for (int i = 0; es_builtin_maps[i].id && status == CLI_OK; i++) {
        if (es_map_read(map, es_builtin_maps[i].text, &fault))
            status = cli_fault(es_builtin_maps[i].id, &fault);
        else if (es_setup_prepare(&sheet) == ES_OK)
            time_picture(map->id, &sheet, layout, text);
    }
    if (status == CLI_OK && es_setup_prepare(&board) == ES_OK)
        time_picture("board", &board, layout, text);
    free(text);
    free(layout);
    free(map);
    return status == CLI_OK ? cli_flush() : status;
}
