/* Moves everything that a store has to a file, and from a file to another store: guests with their
 * devices and tickets, sheets, rooms with all entries, gaps, the key. No server may use the store
 * meanwhile. The format of the file is that of archive.h.
 *
 * Both can be interrupted at any time and called again: they continue where they were. Memory is
 * bounded, whatever the store or the file contains, except that importing needs 200 bytes for each
 * device of the guest who has most.
 */
#ifndef ENDSTATION_STORE_TRANSFER_H
#define ENDSTATION_STORE_TRANSFER_H

#include "store/archive.h"

struct transfer {
    struct store *store; /* transfer_check() needs none */
    /* The stores's processes must not have been noted in the STORE_AWAY_MS before this time, in
     * milliseconds since 1970; 0: whoever opened the store knows that it has none. */
    uint64_t now;
    /* Called from time to time: `done` of `all` things were `what`; `all` 0: nobody knows. May be
     * NULL. */
    void (*progress)(void *context, const char *what, uint64_t done, uint64_t all);
    void *context;
    struct archive_counts counts;          /* what the file has */
    char fault[ARCHIVE_FAULT_BYTES + 200]; /* why it failed: a sentence without its full stop */
};

/* Writes everything to a new file, for its owner alone. Until it is complete it is called
 * PATH.part, and continued if it is there and the store is as it was. Overwrites nothing; a
 * complete file of the store as it is succeeds. */
bool transfer_export(struct transfer *transfer, const char *path);
/* Checks a file without a store: its format, order, counts and hash. */
bool transfer_check(struct transfer *transfer, const char *path);
/* Writes everything in a file to a store that has nothing else; then reads it from the store again
 * and compares the hash. What is there already, by an earlier call, is left. Refuses, without
 * having written anything, a store that has something else. Call transfer_check() first. */
bool transfer_import(struct transfer *transfer, const char *path);
/* Returns true if an import into the store was interrupted: nobody may use or export it before the
 * import is complete. (It has something, but has never been used.) False, too, if the store cannot
 * answer. */
bool transfer_is_partial(struct store *store);
#define TRANSFER_PARTIAL "an import into this store was interrupted; repeat it first"

#endif
