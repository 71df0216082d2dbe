/* `endstation new`: a record without events. */
#include "cli/cli.h"

static int run(int argc, char **argv)
{
    struct cli_choices choices = {0};
    struct cli_option options[CLI_CHOICES_MAX + 1] = {CLI_CHOICES(choices)};
    cli_own_options(options, &choices);
    struct cli_game game;
    char text[16384];
    struct es_out out = {text, sizeof text, 0};
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status)
        return status;
    status = cli_game_new(&game, argv[0], &choices);
    if (status == CLI_OK) {
        es_record_write(&game.record, &out);
        fwrite(text, 1, out.used, stdout);
        status = cli_flush();
    }
    cli_game_free(&game);
    return status;
}

const struct cli_command cli_new = {
    .name = "new",
    .summary = "print the record of a new game with a seed",
    .help = "new [OPTIONS]\n\n"
            "Prints the record of a new game: its setup, the seed that all cards or tiles come\n"
            "from, and the first card or hands.\n\n" CLI_CHOICES_HELP,
    .more_help = cli_choices_help,
    .run = run,
};
