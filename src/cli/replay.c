/* Commands that read one record and print something of it: replay, moves, view. */
#include "cli/cli.h"
#include <stdlib.h>
#include <string.h>

static int read_one(struct cli_game *game, int argc, char **argv, const struct cli_option *more)
{
    const char *map = NULL, *path = NULL;
    struct cli_option options[] = {{"--map", &map, NULL}, *more, {NULL, NULL, NULL}};
    *game = (struct cli_game){0};
    int status = cli_options(argc, argv, options, &path, 1);
    if (status)
        return status;
    if (!path)
        return cli_usage(argv[0], "a record is missing", NULL);
    return cli_game_read(game, argv[0], path, map);
}

static const struct cli_option no_more = {NULL, NULL, NULL};

void cli_print_report(const struct cli_game *game)
{
    char text[ES_REPORT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    game->record.setup.game->report(&game->record.setup, &game->state, &out);
    fwrite(text, 1, out.used, stdout);
}

void cli_print_moves(const struct cli_game *game)
{
    char *text = cli_alloc(ES_MOVES_BYTES);
    struct es_out out = {text, ES_MOVES_BYTES, 0};
    es_moves_write(&game->record.setup, &game->state, &out);
    fwrite(text, 1, out.used, stdout);
    free(text);
}

static int print_one(int argc, char **argv, void (*print)(const struct cli_game *))
{
    struct cli_game game;
    int status = read_one(&game, argc, argv, &no_more);
    if (status == CLI_OK) {
        print(&game);
        status = cli_flush();
    }
    cli_game_free(&game);
    return status;
}

static int run_replay(int argc, char **argv)
{
    return print_one(argc, argv, cli_print_report);
}

static int run_moves(int argc, char **argv)
{
    return print_one(argc, argv, cli_print_moves);
}

static int run_view(int argc, char **argv)
{
    struct cli_game game;
    const char *player = NULL;
    unsigned viewer = 0;
    struct cli_option more = {"--player", &player, NULL};
    int status = read_one(&game, argc, argv, &more);
    if (status == CLI_OK && player)
        status = cli_number(argv[0], "--player", player, 0, game.record.setup.players, &viewer);
    if (status == CLI_OK) {
        size_t size = es_record_bytes(&game.record);
        char *text = cli_alloc(size);
        es_event *scratch = cli_alloc((game.record.count + 1) * sizeof *scratch);
        struct es_out out = {text, size, 0};
        es_record_write_view(&game.record, &game.state, (int)viewer, scratch, &out);
        fwrite(text, 1, out.used, stdout);
        status = cli_flush();
        free(text);
        free(scratch);
    }
    cli_game_free(&game);
    return status;
}

const struct cli_command cli_replay = {
    .name = "replay",
    .summary = "print the position of a recorded game",
    .help = "replay [--map MAP] RECORD\n\n"
            "Prints where the game of a record stands: whose turn, sheets or hands, scores.\n\n"
            "  RECORD       a .record file; - reads standard input\n"
            "  --map MAP    the record's sheet: a .map file, or the id of a built-in sheet;\n"
            "               needed where the sheet is not built in\n",
    .run = run_replay,
};

const struct cli_command cli_moves = {
    .name = "moves",
    .summary = "list every legal next event of a recorded game",
    .help = "moves [--map MAP] RECORD\n\n"
            "Prints every legal next event, one a line, sorted; cards and tiles included.\n"
            "Prints nothing when the game is over.\n\n"
            "  RECORD       a .record file; - reads standard input\n"
            "  --map MAP    the record's sheet: a .map file, or the id of a built-in sheet\n",
    .run = run_moves,
};

const struct cli_command cli_view = {
    .name = "view",
    .summary = "print what one player may see of a recorded game",
    .help = "view [--map MAP] [--player N] RECORD\n\n"
            "Prints a record without everything that a player may not know: the seed, what\n"
            "others entered in the open round, the tiles dealt to others (?). Comments and notes\n"
            "are dropped too.\n\n"
            "  --player N   the player who looks (default 0: a spectator)\n"
            "  RECORD       a .record file; - reads standard input\n"
            "  --map MAP    the record's sheet: a .map file, or the id of a built-in sheet\n",
    .run = run_view,
};
