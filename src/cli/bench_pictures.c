/* `bench --pictures`: times the SVG pictures of finished games, from fixed seeds. */
#include "cli/bench.h"
#include <endstation/bots.h>
#include <stdlib.h>

enum { PASSES = 50 };

/* Plays a game to its end with greedy bots, or with random moves if the game has none. */
static void play_out(const struct es_setup *setup, struct es_state *state)
{
    const uint8_t seed[ES_SEED_BYTES] = {1};
    struct es_bot bot;
    if (es_bot_named(setup->game, es_str("greedy"), &bot))
        es_bot_named(setup->game, es_str("random"), &bot);
    struct es_thought thought = {.memory = cli_alloc(es_bot_bytes(setup->game)), .seed = 1};
    setup->game->start(setup, state);
    for (;;) {
        struct es_turn turn = setup->game->turn(setup, state);
        if (turn.kind == ES_TURN_OVER)
            break;
        es_event event;
        if (turn.kind == ES_TURN_CHANCE) {
            event = setup->game->deal(setup, state, seed);
        } else {
            int player = __builtin_ctz(turn.players) + 1;
            event = bot.think(&bot, setup, state, player, &thought);
            thought.seed++;
        }
        setup->game->apply(setup, state, event);
    }
    free(thought.memory);
}

/* Prints the shortest time of many passes, the one least disturbed by other work. */
static void time_picture(const char *name, const struct es_setup *setup,
                         struct es_prepared *prepared, char *text)
{
    struct es_state state;
    struct es_draw draw = {.prepared = prepared, .viewer = 1};
    struct es_svg svg;
    double laid = 1e18, drawn = 1e18;
    play_out(setup, &state);
    for (int i = 0; i < PASSES; i++) {
        double start = bench_now_ns();
        es_draw_prepare(setup, prepared);
        double middle = bench_now_ns();
        es_svg_open(&svg, text, ES_SVG_BYTES);
        es_draw(setup, &state, &draw, &svg.painter);
        double end = bench_now_ns();
        laid = middle - start < laid ? middle - start : laid;
        drawn = end - middle < drawn ? end - middle : drawn;
    }
    printf("%-12s %9.3f ms %9.3f ms %9zu\n", name, laid / 1e6, drawn / 1e6, svg.out.used);
}

/* Times the pictures of a game: on each built-in sheet, or one with the most players. */
static int time_game(const struct es_game *game, struct es_prepared *prepared, char *text)
{
    struct es_setup setup = {.game = game, .players = game->players_max};
    struct es_fault fault;
    if (!game->has_map) {
        if (es_setup_prepare(&setup) == ES_OK)
            time_picture(game->name, &setup, prepared, text);
        return CLI_OK;
    }
    struct es_map *map = cli_alloc(sizeof *map);
    int status = CLI_OK;
    setup.map = map;
    setup.players = game->players_min;
    for (int i = 0; es_builtin_maps[i].id && status == CLI_OK; i++) {
        if (es_map_read(map, es_builtin_maps[i].text, &fault))
            status = cli_fault(es_builtin_maps[i].id, &fault);
        else if (es_setup_prepare(&setup) == ES_OK)
            time_picture(map->id, &setup, prepared, text);
    }
    free(map);
    return status;
}

int bench_pictures(void)
{
    struct es_prepared *prepared = cli_alloc(sizeof *prepared);
    char *text = cli_alloc(ES_SVG_BYTES);
    int status = CLI_OK;
    printf("a calibration step %.2f ns\n", bench_calibrate());
    printf("%-12s %12s %12s %9s\n", "picture", "prepared", "SVG", "bytes");
    for (int i = 0; es_games[i] && status == CLI_OK; i++)
        status = time_game(es_games[i], prepared, text);
    free(text);
    free(prepared);
    return status == CLI_OK ? cli_flush() : status;
}
