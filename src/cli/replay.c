/* Commands that read one record and print something of it: replay, moves, view. */
#include "cli.h"
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

typedef char event_text[ES_EVENT_BYTES];

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const event_text *)a, *(const event_text *)b);
}

void cli_print_moves(const struct cli_game *game)
{
    const struct es_setup *setup = &game->record.setup;
    event_text *texts = cli_alloc((ES_PLAYERS_MAX + 1) * ES_LEGAL_MAX * sizeof *texts);
    size_t total = 0;
    for (int who = 0; who <= setup->players; who++) {
        es_event events[ES_LEGAL_MAX];
        size_t count = setup->game->legal(setup, &game->state, who, events);
        for (size_t i = 0; i < count; i++) {
            struct es_out out = {texts[total], sizeof(event_text) - 1, 0};
            setup->game->format(setup, events[i], &out);
            texts[total++][out.used] = '\0';
        }
    }
    qsort(texts, total, sizeof(event_text), by_bytes);
    for (size_t i = 0; i < total; i++)
        puts(texts[i]);
    free(texts);
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
    .summary = "print where a recorded game stands",
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
            "Prints a record again with all left out that a player may not know: the seed, what\n"
            "others entered in the open round, the tiles dealt to others (?). Remarks and notes\n"
            "are dropped too.\n\n"
            "  --player N   the player who looks (default 0: a spectator)\n"
            "  RECORD       a .record file; - reads standard input\n"
            "  --map MAP    the record's sheet: a .map file, or the id of a built-in sheet\n",
    .run = run_view,
};
