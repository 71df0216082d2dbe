/* Implementation of stores.h. */
#include "cli/stores.h"
#include "cli/cli.h"
#include "server/data.h"
#include "store/transfer.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int stores_fail(const struct stores_wish *wish, const char *fault)
{
    fprintf(stderr, "endstation %s: %s\n", wish->command, fault);
    return CLI_BAD_INPUT;
}

/* ---- Progress -------------------------------------------------------------------------------- */

static uint64_t milliseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

uint64_t stores_now(void)
{
    return milliseconds(CLOCK_REALTIME);
}

void stores_show(void *context, const char *what, uint64_t done, uint64_t all)
{
    enum { PAUSE_MS = 200 };
    struct stores_progress *progress = context;
    uint64_t now = progress->is_terminal ? milliseconds(CLOCK_MONOTONIC) : 0;
    if (!progress->is_terminal || now < progress->next)
        return;
    progress->next = now + PAUSE_MS;
    progress->is_shown = true;
    fprintf(stderr, "\r\033[K%llu of %llu %s", (unsigned long long)done, (unsigned long long)all,
            what);
}

void stores_hide(struct stores_progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}

/* ---- Stores ---------------------------------------------------------------------------------- */

int stores_check(const struct stores_wish *wish)
{
    if (wish->address && strncmp(wish->address, "postgres://", 11) != 0 &&
        strncmp(wish->address, "postgresql://", 13) != 0)
        return cli_usage(wish->command, "--store takes postgres://..., not", wish->address);
    if (wish->address && wish->data)
        return cli_usage(wish->command, "--data and --store cannot be combined", NULL);
    return CLI_OK;
}

uint64_t stores_time(const struct stores_wish *wish)
{
    return wish->address ? milliseconds(CLOCK_REALTIME) : 0;
}

bool stores_path(const struct stores_wish *wish, char path[], char fault[STORE_FAULT_BYTES])
{
    char *folder = data_folder(wish->data);
    bool is_known = folder && data_path(folder, DATA_FILE, path);
    if (!folder)
        snprintf(fault, STORE_FAULT_BYTES, "there is no home folder; name one with --data DIR");
    else if (!is_known)
        snprintf(fault, STORE_FAULT_BYTES, "the name of the data folder is too long");
    free(folder);
    return is_known;
}

static struct store *open_data(const struct stores_wish *wish, enum stores_use use,
                               char fault[STORE_FAULT_BYTES])
{
    char path[PATH_MAX];
    if (!stores_path(wish, path, fault))
        return NULL;
    if (use != STORES_MAKE && access(path, F_OK) != 0) {
        snprintf(fault, STORE_FAULT_BYTES, "%.200s: %s", path, strerror(errno));
        return NULL;
    }
    return use == STORES_READ ? store_sqlite_reader(path, fault) : store_sqlite(path, fault);
}

struct store *stores_open(const struct stores_wish *wish, enum stores_use use)
{
    char fault[STORE_FAULT_BYTES] = "not enough memory";
    struct store *store =
        wish->address ? store_postgres(wish->address, fault) : open_data(wish, use, fault);
    if (!store) {
        stores_fail(wish, fault);
    } else if (use != STORES_MAKE && transfer_is_partial(store)) {
        store->close(store);
        store = NULL;
        stores_fail(wish, TRANSFER_PARTIAL);
    }
    return store;
}
