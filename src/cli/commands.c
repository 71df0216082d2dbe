/* The table of commands, --help, and dispatch. */
#include "cli/terminal.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Commands of games come after these. */
static const struct cli_command *const commands[] = {
    &cli_serve, &cli_backup, &cli_check,  &cli_export, &cli_import, &cli_manage,  &cli_play,
    &cli_new,   &cli_replay, &cli_moves,  &cli_view,   &cli_verify, &cli_analyse, &cli_stats,
    &cli_draw,  &cli_print,  &cli_engine, &cli_arena,  &cli_perft,  &cli_bench,   NULL,
};

/* Returns command number `i`, from 0; NULL past the last. */
static const struct cli_command *command_at(int i)
{
    for (int k = 0; commands[k]; k++, i--)
        if (i == 0)
            return commands[k];
    for (int g = 0; cli_terminals[g]; g++)
        for (int k = 0; cli_terminals[g]->commands && cli_terminals[g]->commands[k]; k++, i--)
            if (i == 0)
                return cli_terminals[g]->commands[k];
    return NULL;
}

const char *cli_program = "endstation";

static int overview(FILE *to)
{
    fputs("Endstation: board games about city railways, exact to their rules.\n\n"
          "usage: endstation COMMAND [ARGUMENTS]\n\n",
          to);
    for (int i = 0; command_at(i); i++)
        fprintf(to, "  %-10s %s\n", command_at(i)->name, command_at(i)->summary);
    fputs("\n'endstation COMMAND --help' explains a command; '-V' or '--version' tells the "
          "version.\n",
          to);
    return to == stdout ? cli_flush() : CLI_BAD_USAGE;
}

static int version(void)
{
    puts("endstation " ES_VERSION);
    return cli_flush();
}

static bool is_version(const char *word)
{
    return strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0;
}

/* Opens closed standard files, so that a file we open does not become standard output. Reading
 * finds nothing, and writing to standard output fails: what it was to keep would be lost. */
static void keep_standard_files(void)
{
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
        if (fcntl(file, F_GETFD) < 0 && open("/dev/null", modes[file]) != file)
            _exit(CLI_BAD_INPUT);
}

int cli_main(int argc, char **argv)
{
    keep_standard_files();
    if (argc > 0)
        cli_program = argv[0];
    if (argc < 2)
        return overview(stderr);
    const char *name = argv[1];
    bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (help && argc == 2)
        return overview(stdout);
    if (is_version(name))
        return version();
    if (help)
        name = argv[2];
    const struct cli_command *command = NULL;
    for (int i = 0; command_at(i); i++)
        if (strcmp(name, command_at(i)->name) == 0)
            command = command_at(i);
    if (!command) {
        fprintf(stderr, "endstation: unknown command '%s'; 'endstation --help' lists them\n", name);
        return CLI_BAD_USAGE;
    }
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            help = true;
        if (is_version(argv[i]))
            return version();
    }
    if (help) {
        printf("usage: endstation %s", command->help);
        if (command->more_help) {
            putchar('\n');
            command->more_help();
        }
        return cli_flush();
    }
    int status = command->run(argc - 1, argv + 1);
    return status ? status : cli_flush();
}
