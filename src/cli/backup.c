/* `endstation backup`: copies a server's data to one file, also while the server runs. */
#include "cli/cli.h"
#include "server/control.h"
#include "server/data.h"
#include "store/store.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const char *what, const char *why)
{
    fprintf(stderr, "endstation backup: %s%s%s\n", what, why ? ": " : "", why ? why : "");
    return CLI_BAD_INPUT;
}

/* Copies a file to another file system. */
static bool copy(int from, int to)
{
    char buffer[1 << 16];
    ssize_t size;
    while ((size = read(from, buffer, sizeof buffer)) > 0)
        for (ssize_t used = 0, n; used < size; used += n)
            if ((n = write(to, buffer + used, (size_t)(size - used))) < 0)
                return false;
    return size == 0 && fsync(to) == 0;
}

/* Moves the server's copy to where it is wanted, where nothing may be. */
static int move(const char *from, const char *target)
{
    if (link(from, target) == 0) {
        unlink(from);
        return CLI_OK;
    }
    if (errno == EEXIST) {
        unlink(from);
        return fail(target, strerror(EEXIST));
    }
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool is_copied = in >= 0 && out >= 0 && copy(in, out);
    int why = errno;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    unlink(from);
    if (is_copied)
        return CLI_OK;
    if (out >= 0)
        unlink(target);
    return fail(target, strerror(why));
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
    char *folder = data_folder(data), text[PATH_MAX + 100], path[PATH_MAX];
    if (!folder)
        return fail("there is no home folder; name one with --data DIR", NULL);
    switch (control_backup(folder, text, sizeof text)) {
    case CONTROL_DONE:
        status = move(text, target);
        break;
    case CONTROL_FAILED:
        status = fail(text, NULL);
        break;
    case CONTROL_NOBODY:
        if (!data_path(folder, DATA_FILE, path))
            status = fail("the name of the data folder is too long", NULL);
        else if (!store_backup(path, target, text))
            status = fail(text, NULL);
        break;
    }
    free(folder);
    return status;
}

const struct cli_command cli_backup = {
    .name = "backup",
    .summary = "copy a server's data to a file",
    .help = "backup [--data DIR] FILE\n\n"
            "Copies everything that a server keeps (rooms, games, guests) to a new file, also\n"
            "while the server runs. To go back to it, stop the server and put the file in the\n"
            "place of " DATA_FILE " in its folder.\n\n"
            "  --data DIR        the server's folder (default: as for serve)\n",
    .run = run,
};
