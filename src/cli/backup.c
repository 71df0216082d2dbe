/* `endstation backup`: copies a server's data to one file, also while the server runs. */
#include "cli/cli.h"
#include "server/control.h"
#include "server/data.h"
#include "store/store.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "endstation backup: %s%s%s\n", what, why ? ": " : "", why ? why : "");
    return CLI_BAD_INPUT;
}

/* ---- Interruptions --------------------------------------------------------------------------- */

static char unfinished[PATH_MAX + 100], journal[PATH_MAX + 110];

/* Leaves nothing behind. */
static void interrupted(int number)
{
    unlink(journal); /* SQLite's, of the copy */
    unlink(unfinished);
    signal(number, SIG_DFL);
    raise(number);
}

static void begins(const char *part)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    snprintf(unfinished, sizeof unfinished, "%s", part);
    snprintf(journal, sizeof journal, "%s-journal", part);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction how = {.sa_handler = interrupted}, before;
        sigemptyset(&how.sa_mask);
        if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(numbers[i], &how, NULL);
    }
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Copies the database. The server that uses it, if there is one, has a line in its log. */
static int copy(const char *folder, const char *path, const char *target)
{
    char text[CONTROL_TEXT_BYTES], fault[STORE_FAULT_BYTES];
    if (control_ask(folder, "backup begins", text, sizeof text) == CONTROL_FAILED)
        return fail(text, NULL);
    bool is_done = store_backup(path, target, begins, fault);
    control_ask(folder, is_done ? "backup done" : "backup failed", text, sizeof text);
    return is_done ? CLI_OK : fail(fault, NULL);
}

static int run(int argc, char **argv)
{
    const char *data = NULL, *target = NULL;
    const struct cli_option options[] = {{"--data", &data, NULL}, {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, &target, 1);
    if (status)
        return status;
    if (!target)
        return cli_usage(argv[0], "missing the file to write", NULL);
    if (access(target, F_OK) == 0)
        return fail(target, strerror(EEXIST));
    char *folder = data_folder(data), path[PATH_MAX];
    if (!folder)
        return fail("there is no home folder; name one with --data DIR", NULL);
    if (data_path(folder, DATA_FILE, path))
        status = copy(folder, path, target);
    else
        status = fail("the name of the data folder is too long", NULL);
    free(folder);
    return status;
}

const struct cli_command cli_backup = {
    .name = "backup",
    .summary = "copy a server's data to a file",
    .help = "backup [--data DIR] FILE\n\n"
            "Copies everything that a server keeps (rooms, games, guests) to a new file, also\n"
            "while the server runs. The file has its name when it is complete. To go back to it,\n"
            "stop the server and put the file in the place of " DATA_FILE " in its "
            "folder.\n\n" CLI_DATA_HELP,
    .run = run,
};
