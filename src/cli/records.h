/* Writing the records of finished games to a folder: `endstation export --records`. */
#ifndef ENDSTATION_CLI_RECORDS_H
#define ENDSTATION_CLI_RECORDS_H

#include "store/store.h"

/* Figures of an export; `context` is the caller's. */
struct records {
    struct store *store;
    const char *folder;
    void (*progress)(void *context, const char *what, uint64_t done, uint64_t all);
    void *context;
    uint64_t kept, made;          /* records that were there, and new ones */
    uint64_t unreadable;          /* rooms whose entries contradict each other */
    char first[STORE_ROOM_BYTES]; /* of these */
    char fault[400];
};

/* Writes the record of every game that is over to ROOM.record, and sheets that are not built in to
 * HASH.map, beside what is there. False: `fault` says why. */
bool records_export(struct records *records);

#endif
