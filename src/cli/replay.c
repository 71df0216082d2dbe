/* Commands that print something of records: replay, moves, view. */
#include "cli/cli.h"
#include "page/page.h"
#include <stdlib.h>
#include <string.h>

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

/* Writes the facts of a position as somebody sees it who may know everything in the record. */
static void write_position(struct es__writer *w, const void *context)
{
    const struct cli_game *game = context;
    const struct es_record *record = &game->record;
    const struct es__looking look = {
        .record = record,
        .setup = &record->setup,
        .now = &game->state,
        .view = &game->state,
        .seen = record->events,
        .count = record->count,
        .latest = record->count,
        .is_report = true,
        .built_in = cli_is_built_in(record->setup.map),
    };
    es__write_position(w, &look);
}

static void write_moves(struct es__writer *w, const void *context)
{
    const struct cli_game *game = context;
    char *text = cli_alloc(ES_MOVES_BYTES);
    struct es_out out = {text, ES_MOVES_BYTES, 0};
    es_moves_write(&game->record.setup, &game->state, &out);
    es__write_array(w, "moves");
    for (const char *at = text, *end; at < text + out.used; at = end + 1) {
        end = memchr(at, '\n', (size_t)(text + out.used - at));
        es__write_str(w, NULL, (struct es_str){at, (size_t)(end - at)});
    }
    es__write_end(w);
    free(text);
}

/* How a command prints a game. */
struct printing {
    const char *map;
    bool json;
    void (*print)(const struct cli_game *game);
    cli_write *write;
};

static int print_one(struct cli_files *files, const char *path, void *context)
{
    const struct printing *printing = context;
    struct cli_game game;
    int status = cli_game_read(&game, files->command, path, printing->map);
    if (status == CLI_OK && printing->json) {
        status = cli_print_json(path, printing->write, &game);
    } else if (status == CLI_OK) {
        cli_head(files, path);
        printing->print(&game);
        status = cli_flush();
    }
    cli_game_free(&game);
    return status;
}

static int print_all(int argc, char **argv, struct printing printing)
{
    const struct cli_option options[] = {
        {"--map", &printing.map, NULL}, {"--json", NULL, &printing.json}, {NULL, NULL, NULL}};
    struct cli_files files;
    int status = cli_files_read(&files, argc, argv, options, "a record is missing");
    if (status == CLI_OK)
        status = cli_files_each(&files, print_one, &printing);
    cli_files_free(&files);
    return status;
}

static int run_replay(int argc, char **argv)
{
    return print_all(argc, argv,
                     (struct printing){.print = cli_print_report, .write = write_position});
}

static int run_moves(int argc, char **argv)
{
    return print_all(argc, argv, (struct printing){.print = cli_print_moves, .write = write_moves});
}

static int run_view(int argc, char **argv)
{
    struct cli_game game = {0};
    const char *map = NULL, *player = NULL, *path = NULL;
    unsigned viewer = 0;
    const struct cli_option options[] = {
        {"--map", &map, NULL}, {"--player", &player, NULL}, {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, &path, 1);
    if (status == CLI_OK && !path)
        status = cli_usage(argv[0], "a record is missing", NULL);
    if (status == CLI_OK)
        status = cli_game_read(&game, argv[0], path, map);
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
    .help = "replay [--map MAP] [--json] RECORD...\n\n"
            "Prints where the game of a record stands: whose turn, sheets or hands, "
            "scores.\n" CLI_FILES_HELP CLI_RECORD_HELP CLI_MAP_HELP CLI_JSON_HELP,
    .run = run_replay,
};

const struct cli_command cli_moves = {
    .name = "moves",
    .summary = "list every legal next event of a recorded game",
    .help = "moves [--map MAP] [--json] RECORD...\n\n"
            "Prints every legal next event, one a line, sorted; cards and tiles included.\n"
            "Prints nothing when the game is over.\n" CLI_FILES_HELP CLI_RECORD_HELP CLI_MAP_HELP
                CLI_JSON_HELP,
    .run = run_moves,
};

const struct cli_command cli_view = {
    .name = "view",
    .summary = "print what one player may see of a recorded game",
    .help = "view [--map MAP] [--player N] RECORD\n\n"
            "Prints a record without everything that a player may not know: the seed, what\n"
            "others entered in the open round, the tiles dealt to others (?). Comments and notes\n"
            "are dropped too.\n\n" CLI_RECORD_HELP
            "  --player N        whose view (default 0: a spectator)\n" CLI_MAP_HELP,
    .run = run_view,
};
