/* `endstation hindsight`: the points that a player could have reached in a finished game of
 * verplant, had all cards been known. */
#include "games/verplant/terminal.h"
#include <endstation/verplant/hindsight.h>
#include <stdlib.h>

static void print_play(const struct es_setup *setup, const struct es_hindsight *best)
{
    for (size_t i = 0; i < best->count; i++) {
        char text[ES_EVENT_BYTES];
        struct es_out out = {text, sizeof text, 0};
        setup->game->format(setup, best->entry[i], &out);
        printf("%.*s\n", (int)out.used, text);
    }
}

/* What is asked for. */
struct wishes {
    const char *map, *width_text;
    unsigned width;
    bool play;
};

static int search(struct cli_files *files, const char *path, const struct wishes *wishes,
                  const struct cli_game *game)
{
    const struct es_record *record = &game->record;
    const struct es_setup *setup = &record->setup;
    const int width = (int)wishes->width;
    void *memory = cli_alloc(es_hindsight_bytes(setup, record->count, width));
    struct es_hindsight *best = cli_alloc(sizeof *best);
    int status = CLI_OK;
    for (int p = 1; p <= setup->players && status == CLI_OK; p++) {
        if (!es_hindsight(setup, record->events, record->count, p, width, memory, best)) {
            bool over = setup->game->turn(setup, &game->state).kind == ES_TURN_OVER;
            fprintf(stderr, "endstation hindsight: %s: %s\n", path,
                    over ? "the game has too many cards" : "the game is not over");
            status = CLI_BAD_INPUT;
            break;
        }
        if (p == 1)
            cli_head(files, path);
        printf("player %d points %d hindsight %d\n", p, setup->game->score(setup, &game->state, p),
               best->points);
        if (wishes->play)
            print_play(setup, best);
    }
    free(best);
    free(memory);
    return status ? status : cli_flush();
}

static int search_one(struct cli_files *files, const char *path, void *context)
{
    const struct wishes *wishes = context;
    struct cli_game game;
    int status = cli_game_read(&game, files->command, path, wishes->map);
    if (status == CLI_OK && game.record.setup.game != &es_verplant)
        status = cli_usage(files->command, "hindsight is only for records of verplant, not of",
                           game.record.setup.game->name);
    if (status == CLI_OK)
        status = search(files, path, wishes, &game);
    cli_game_free(&game);
    return status;
}

static int run(int argc, char **argv)
{
    struct wishes wishes = {.width = 1000};
    const struct cli_option options[] = {{"--map", &wishes.map, NULL},
                                         {"--width", &wishes.width_text, NULL},
                                         {"--play", NULL, &wishes.play},
                                         {NULL, NULL, NULL}};
    struct cli_files files;
    int status = cli_files_read(&files, argc, argv, options, "a record is missing");
    if (status == CLI_OK && wishes.width_text)
        status = cli_number(argv[0], "--width", wishes.width_text, 1, ES_HINDSIGHT_WIDTH_MAX,
                            &wishes.width);
    if (status == CLI_OK)
        status = cli_files_each(&files, search_one, &wishes);
    cli_files_free(&files);
    return status;
}

const struct cli_command es__cli_hindsight = {
    .name = "hindsight",
    .summary = "find the best play of a finished verplant game, had its cards been known",
    .help =
        "hindsight [--width N] [--play] [--map MAP] RECORD...\n\n"
        "Prints what every player scored, and the best score that a search finds had they\n"
        "known all cards and the others played as they did: `player 1 points 47 hindsight\n"
        "61`. That score was possible, perhaps a higher one too.\n" CLI_FILES_HELP CLI_RECORD_HELP
            CLI_MAP_HELP
        "  --width N         keep the N best positions after each card, up to 20000 (default\n"
        "                    1000); more may find a better play\n"
        "  --play            print the entries too, as in a record\n",
    .run = run,
};
