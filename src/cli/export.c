/* `endstation export` and `endstation import`: records of finished games as files, and everything
 * that a server keeps as one file, for another server or another kind of store. */
#include "cli/cli.h"
#include "cli/records.h"
#include "cli/stores.h"
#include "store/transfer.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the commands are asked for. */
struct wishes {
    struct stores_wish store;
    const char *records, *file;
};

static int fail(const struct wishes *wishes, const char *fault)
{
    return stores_fail(&wishes->store, fault);
}

/* ---- Commands -------------------------------------------------------------------------------- */

static int export_records(const struct wishes *wishes, struct stores_progress *progress)
{
    struct store *store = stores_open(&wishes->store, STORES_READ);
    if (!store)
        return CLI_BAD_INPUT;
    struct records records = {
        .store = store, .folder = wishes->records, .progress = stores_show, .context = progress};
    bool is_done = records_export(&records);
    store->close(store);
    stores_hide(progress);
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

static int export_all(const struct wishes *wishes, struct stores_progress *progress)
{
    struct store *store = stores_open(&wishes->store, STORES_WHOLE);
    if (!store)
        return CLI_BAD_INPUT;
    struct transfer transfer = {.store = store,
                                .now = stores_time(&wishes->store),
                                .progress = stores_show,
                                .context = progress};
    bool is_done = transfer_export(&transfer, wishes->file);
    store->close(store);
    stores_hide(progress);
    if (is_done && progress->is_terminal)
        say_done(&transfer, "written to", wishes->file);
    return is_done ? CLI_OK : fail(wishes, transfer.fault);
}

static int import_all(const struct wishes *wishes, struct stores_progress *progress)
{
    struct transfer transfer = {.progress = stores_show, .context = progress};
    bool is_done = transfer_check(&transfer, wishes->file); /* before a store is made */
    if (is_done) {
        transfer.store = stores_open(&wishes->store, STORES_MAKE);
        if (!transfer.store)
            return CLI_BAD_INPUT;
        transfer.now = stores_time(&wishes->store);
        is_done = transfer_import(&transfer, wishes->file);
        transfer.store->close(transfer.store);
    }
    stores_hide(progress);
    if (is_done && progress->is_terminal)
        say_done(&transfer, "stored and compared with", wishes->file);
    return is_done ? CLI_OK : fail(wishes, transfer.fault);
}

static int run_export(int argc, char **argv)
{
    struct wishes wishes = {.store = {.command = argv[0]}};
    struct stores_progress progress = {.is_terminal = isatty(STDERR_FILENO)};
    const struct cli_option options[] = {{"--data", &wishes.store.data, NULL},
                                         {"--store", &wishes.store.address, NULL},
                                         {"--records", &wishes.records, NULL},
                                         {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, &wishes.file, 1);
    if (status == CLI_OK)
        status = stores_check(&wishes.store);
    if (status)
        return status;
    if (!wishes.file == !wishes.records)
        return cli_usage(argv[0], "needs either the file to write, or --records DIR", NULL);
    return wishes.records ? export_records(&wishes, &progress) : export_all(&wishes, &progress);
}

static int run_import(int argc, char **argv)
{
    struct wishes wishes = {.store = {.command = argv[0]}};
    struct stores_progress progress = {.is_terminal = isatty(STDERR_FILENO)};
    const struct cli_option options[] = {{"--data", &wishes.store.data, NULL},
                                         {"--store", &wishes.store.address, NULL},
                                         {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, &wishes.file, 1);
    if (status == CLI_OK)
        status = stores_check(&wishes.store);
    if (status)
        return status;
    if (!wishes.file)
        return cli_usage(argv[0], "missing the file to read", NULL);
    if (strcmp(wishes.file, "-") == 0)
        return cli_usage(argv[0], "needs a file, because it reads it twice, not", wishes.file);
    return import_all(&wishes, &progress);
}

const struct cli_command cli_export = {
    .name = "export",
    .summary = "write finished games, or everything, to files",
    .help =
        "export --records DIR [--data DIR | --store postgres://...]\n"
        "       endstation export FILE [--data DIR | --store postgres://...]\n\n"
        "With --records, writes the record of every finished game to DIR/ROOM.record, and\n"
        "sheets that are not built in to DIR/HASH.map. The server may be running. Existing\n"
        "files are left alone, so the export can be repeated every night.\n\n"
        "Without it, writes everything that a server keeps to FILE: guests, sheets, rooms\n"
        "with open games and clocks. 'endstation import' puts it into another store. The server\n"
        "must be stopped. Until it is complete the file is called FILE.part; after an\n"
        "interruption the same command continues it. Keep it secret: it reveals the hands\n"
        "and decks of open games.\n\n" CLI_DATA_HELP CLI_STORE_HELP
        "  --records DIR     the folder of the records, created if it is missing\n",
    .run = run_export,
};

const struct cli_command cli_import = {
    .name = "import",
    .summary = "put everything from such a file into a store",
    .help =
        "import FILE [--data DIR | --store postgres://...]\n\n"
        "Puts everything in a file of 'endstation export' into a store that has nothing else,\n"
        "which is created if it is missing; then reads it back and compares the hash. No server\n"
        "may use the store. After an interruption the same command continues. Start the server\n"
        "when it is done: games continue, and clocks do not count the time "
        "between.\n\n" CLI_DATA_HELP CLI_STORE_HELP,
    .run = run_import,
};
