/* Declarations shared by the files of the SQLite store, and its switches for tests.
 *
 * sqlite.c answers questions; database.c opens, locks and copies the file; schema.c makes the
 * tables.
 */
#ifndef ENDSTATION_STORE_SQLITE_H
#define ENDSTATION_STORE_SQLITE_H

#include "store/store.h"
#include <sqlite3.h>

/* Everything but the path is for tests; store_sqlite() leaves it 0. */
struct store_sqlite_options {
    const char *path;
    bool reads;      /* only reads: takes no lock, and others may write. Not only for tests */
    const char *vfs; /* NULL: the system's. With another, no folder is made and no lock taken */
    /* Renames a file of that VFS durably. Returns false if it may not be durable. NULL: rename() */
    bool (*rename)(const char *from, const char *to);
    int checkpoint; /* pages in the log after which it is moved to the database; 0: 1000 */
    int cache;      /* pages of the database in memory; 0: 16 MiB */
    /* Deliberate mistakes, to show that the tests find them. */
    const char *synchronous; /* instead of FULL */
    bool keeps_log;          /* does not copy the log when it opens the database */
    bool never_settles;      /* does not call settle() after a failed commit */
};

/* Like store_sqlite(). The options' texts are copied or constants. */
struct store *store_sqlite_open(const struct store_sqlite_options *options,
                                char fault[STORE_FAULT_BYTES]);

/* ---- database.c ------------------------------------------------------------------------------ */

/* Writes a sentence: what cannot be done with which file, and SQLite's reason. */
void database_fault(sqlite3 *db, const char *what, const char *path, char fault[STORE_FAULT_BYTES]);

/* Makes the folder and the file if they are missing, readable by their owner alone, and takes the
 * lock: the file PATH.lock, and a name that stays when the files are removed. Sets its descriptors
 * (-1: none), or returns false with the reason in `fault`. */
enum { DATABASE_LOCKS = 2 };
bool database_lock(const char *path, int lock[DATABASE_LOCKS], char fault[STORE_FAULT_BYTES]);
/* Removes a file that database_lock() has made, if nothing was written to it. */
void database_unmake(const char *path);
void database_unlock(int lock[DATABASE_LOCKS]);

/* Which files are open: that of the database, and its log, once there is one. */
struct database_files {
    struct database_file {
        uint64_t device, number; /* 0: not known */
    } file[2];
};
/* Returns true if the names of the files still lead to them. Takes note of those that are not known
 * yet. */
bool database_is_there(const char *path, struct database_files *files);

/* Opens the database for its one writer. On failure returns NULL and writes the reason to `fault`.
 * Everything that can be read from it afterwards is durable. */
sqlite3 *database_open(const struct store_sqlite_options *options, char fault[STORE_FAULT_BYTES]);
/* Opens the database for reading, also while its writer has it open. */
sqlite3 *database_open_reader(const char *path, char fault[STORE_FAULT_BYTES]);

/* ---- schema.c -------------------------------------------------------------------------------- */

enum { SCHEMA_APPLICATION = 0x456e6473 }; /* "Ends": marks the database as ours */

/* Makes the tables, or brings them up to date. Refuses what is not ours or too new. */
bool schema_prepare(sqlite3 *db, const char *path, char fault[STORE_FAULT_BYTES]);
/* Refuses what schema_prepare() would refuse, or would have to change. */
bool schema_check(sqlite3 *db, const char *path, char fault[STORE_FAULT_BYTES]);

#endif
