/* `endstation export` and `endstation import`: records of finished games as files, and everything
 * that a server keeps as one file, for another server or another kind of store. */
#include "cli/cli.h"
#include "cli/records.h"
#include "server/data.h"
#include "store/transfer.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct wishes {
    const char *command, *data, *store, *records, *file;
};

static int fail(const struct wishes *wishes, const char *fault)
{
    fprintf(stderr, "endstation %s: %s\n", wishes->command, fault);
    return CLI_BAD_INPUT;
}

/* ---- Progress -------------------------------------------------------------------------------- */

/* Shown on a terminal only, a few times a second. */
struct progress {
    bool is_terminal, is_shown;
    uint64_t next; /* when to show it again */
};

static uint64_t milliseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void show(void *context, const char *what, uint64_t done, uint64_t all)
{
    enum { PAUSE_MS = 200 };
    struct progress *progress = context;
    uint64_t now = progress->is_terminal ? milliseconds(CLOCK_MONOTONIC) : 0;
    if (!progress->is_terminal || now < progress->next)
        return;
    progress->next = now + PAUSE_MS;
    progress->is_shown = true;
    fprintf(stderr, "\r\033[K%llu of %llu %s", (unsigned long long)done, (unsigned long long)all,
            what);
}

/* Removes the line. */
static void hide(struct progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}

/* ---- Stores ---------------------------------------------------------------------------------- */

enum use { READS, MOVES_FROM, MOVES_TO };

/* Opens the database of the folder of --data. Only an import may make a new one. */
static struct store *open_data(const struct wishes *wishes, enum use use,
                               char fault[STORE_FAULT_BYTES])
{
    char *folder = data_folder(wishes->data), path[PATH_MAX];
    struct store *store = NULL;
    if (!folder)
        snprintf(fault, STORE_FAULT_BYTES, "there is no home folder; name one with --data DIR");
    else if (!data_path(folder, DATA_FILE, path))
        snprintf(fault, STORE_FAULT_BYTES, "the name of the data folder is too long");
    else if (use != MOVES_TO && access(path, F_OK) != 0)
        snprintf(fault, STORE_FAULT_BYTES, "%.200s: %s", path, strerror(errno));
    else
        store = use == READS ? store_sqlite_reader(path, fault) : store_sqlite(path, fault);
    free(folder);
    return store;
}

static struct store *open_store(const struct wishes *wishes, enum use use)
{
    char fault[STORE_FAULT_BYTES] = "not enough memory";
    struct store *store =
        wishes->store ? store_postgres(wishes->store, fault) : open_data(wishes, use, fault);
    if (!store) {
        fail(wishes, fault);
    } else if (use != MOVES_TO && transfer_is_partial(store)) {
        store->close(store);
        store = NULL;
        fail(wishes, TRANSFER_PARTIAL);
    }
    return store;
}

/* ---- Commands -------------------------------------------------------------------------------- */

static int export_records(const struct wishes *wishes, struct progress *progress)
{
    struct store *store = open_store(wishes, READS);
    if (!store)
        return CLI_BAD_INPUT;
    struct records records = {
        .store = store, .folder = wishes->records, .progress = show, .context = progress};
    bool is_done = records_export(&records);
    store->close(store);
    hide(progress);
    if (!is_done)
        return fail(wishes, records.fault);
    if (progress->is_terminal)
        fprintf(stderr, "%llu new records in %s, beside %llu that were there\n",
                (unsigned long long)records.made, wishes->records,
                (unsigned long long)records.kept);
    if (!records.unreadable)
        return CLI_OK;
    snprintf(records.fault, sizeof records.fault, "%llu room%s cannot be read; the first is %s",
             (unsigned long long)records.unreadable, records.unreadable == 1 ? "" : "s",
             records.first);
    return fail(wishes, records.fault);
}

static void say_done(const struct transfer *transfer, const char *what, const char *where)
{
    const struct archive_counts *counts = &transfer->counts;
    fprintf(stderr, "%s %s: %llu guests, %llu sheets, %llu rooms with %llu entries\n", what, where,
            (unsigned long long)counts->guests, (unsigned long long)counts->sheets,
            (unsigned long long)counts->rooms, (unsigned long long)counts->entries);
}

/* The SQLite store is locked while it is open; in a shared one processes are looked for. */
static uint64_t time_of(const struct wishes *wishes)
{
    return wishes->store ? milliseconds(CLOCK_REALTIME) : 0;
}

static int export_all(const struct wishes *wishes, struct progress *progress)
{
    struct store *store = open_store(wishes, MOVES_FROM);
    if (!store)
        return CLI_BAD_INPUT;
    struct transfer transfer = {
        .store = store, .now = time_of(wishes), .progress = show, .context = progress};
    bool is_done = transfer_export(&transfer, wishes->file);
    store->close(store);
    hide(progress);
    if (is_done && progress->is_terminal)
        say_done(&transfer, "written to", wishes->file);
    return is_done ? CLI_OK : fail(wishes, transfer.fault);
}

static int import_all(const struct wishes *wishes, struct progress *progress)
{
    struct transfer transfer = {.progress = show, .context = progress};
    bool is_done = transfer_check(&transfer, wishes->file); /* before a store is made */
    if (is_done) {
        transfer.store = open_store(wishes, MOVES_TO);
        if (!transfer.store)
            return CLI_BAD_INPUT;
        transfer.now = time_of(wishes);
        is_done = transfer_import(&transfer, wishes->file);
        transfer.store->close(transfer.store);
    }
    hide(progress);
    if (is_done && progress->is_terminal)
        say_done(&transfer, "stored and compared with", wishes->file);
    return is_done ? CLI_OK : fail(wishes, transfer.fault);
}

/* Checks what both commands have. */
static int check(const struct wishes *wishes)
{
    if (wishes->store && strncmp(wishes->store, "postgres://", 11) != 0 &&
        strncmp(wishes->store, "postgresql://", 13) != 0)
        return cli_usage(wishes->command, "--store takes postgres://..., not", wishes->store);
    if (wishes->store && wishes->data)
        return cli_usage(wishes->command, "--data and --store exclude each other", NULL);
    return CLI_OK;
}

static int run_export(int argc, char **argv)
{
    struct wishes wishes = {.command = argv[0]};
    struct progress progress = {.is_terminal = isatty(STDERR_FILENO)};
    const struct cli_option options[] = {{"--data", &wishes.data, NULL},
                                         {"--store", &wishes.store, NULL},
                                         {"--records", &wishes.records, NULL},
                                         {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, &wishes.file, 1);
    if (status == CLI_OK)
        status = check(&wishes);
    if (status)
        return status;
    if (!wishes.file == !wishes.records)
        return cli_usage(argv[0], "needs either the file to write, or --records DIR", NULL);
    return wishes.records ? export_records(&wishes, &progress) : export_all(&wishes, &progress);
}

static int run_import(int argc, char **argv)
{
    struct wishes wishes = {.command = argv[0]};
    struct progress progress = {.is_terminal = isatty(STDERR_FILENO)};
    const struct cli_option options[] = {
        {"--data", &wishes.data, NULL}, {"--store", &wishes.store, NULL}, {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, &wishes.file, 1);
    if (status == CLI_OK)
        status = check(&wishes);
    if (status)
        return status;
    if (!wishes.file)
        return cli_usage(argv[0], "missing the file to read", NULL);
    return import_all(&wishes, &progress);
}

const struct cli_command cli_export = {
    .name = "export",
    .summary = "write finished games, or everything, to files",
    .help = "export --records DIR [--data DIR | --store postgres://...]\n"
            "       endstation export FILE [--data DIR | --store postgres://...]\n\n"
            "With --records, writes the record of every finished game to DIR/ROOM.record, and\n"
            "sheets that are not built in to DIR/HASH.map, also while the server runs. Files\n"
            "that are there are left, so that it can be repeated every night.\n\n"
            "Without, writes everything that a server keeps to FILE: guests, sheets, rooms with\n"
            "open games and clocks. 'endstation import' puts it into another store. The server\n"
            "must be stopped. Until it is complete the file is called FILE.part; after an\n"
            "interruption the same command continues it. Keep it secret: with it, one can look\n"
            "into hands and decks of open games.\n\n"
            "  --data DIR        the server's folder (default: as for serve)\n"
            "  --store postgres://...  the server's database instead\n",
    .run = run_export,
};

const struct cli_command cli_import = {
    .name = "import",
    .summary = "put everything from such a file into a store",
    .help = "import FILE [--data DIR | --store postgres://...]\n\n"
            "Puts everything in a file of 'endstation export' into a store that has nothing else,\n"
            "which is made if it is missing; then reads it back and compares the hash. No server\n"
            "may use the store. After an interruption the same command continues. Start the\n"
            "server when it is done: games continue, and clocks do not count the time between.\n\n"
            "  --data DIR        the server's folder (default: as for serve)\n"
            "  --store postgres://...  a database instead\n",
    .run = run_import,
};
