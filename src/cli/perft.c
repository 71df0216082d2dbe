/* `endstation perft`: counts the event sequences of a given length. */
#include "cli/cli.h"
#include <inttypes.h>
#include <stdlib.h>

static int run(int argc, char **argv)
{
    const char *map = NULL, *depth = NULL, *path = NULL;
    const struct cli_option options[] = {
        {"--map", &map, NULL}, {"--depth", &depth, NULL}, {NULL, NULL, NULL}};
    unsigned most = 4;
    int status = cli_options(argc, argv, options, &path, 1);
    if (status == CLI_OK && !path)
        status = cli_usage(argv[0], "a record is missing", NULL);
    if (status == CLI_OK && depth)
        status = cli_number(argv[0], "--depth", depth, 1, 99, &most);
    if (status)
        return status;
    struct cli_game game;
    status = cli_game_read(&game, argv[0], path, map);
    void *memory = cli_alloc(es_perft_bytes((int)most));
    for (unsigned d = 1; status == CLI_OK && d <= most; d++) {
        uint64_t count = es_perft(&game.record.setup, &game.state, (int)d, memory);
        printf("perft %u %" PRIu64 "\n", d, count);
        status = cli_flush();
    }
    free(memory);
    cli_game_free(&game);
    return status;
}

const struct cli_command cli_perft = {
    .name = "perft",
    .summary = "count the possible continuations of a recorded game",
    .help =
        "perft [--map MAP] [--depth N] RECORD\n\n"
        "Counts the sequences of 1, 2, ... N legal events from where the game stands, every\n"
        "distinct card or tile counted once: a fingerprint of the rules.\n\n" CLI_RECORD_HELP
            CLI_MAP_HELP "  --depth N         1 to 99 (default 4); each step multiplies the time\n",
    .run = run,
};
