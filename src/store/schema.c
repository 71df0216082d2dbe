/* The tables of the SQLite store, as numbered steps. The database's `user_version` says how many of
 * them it has seen. A step is never changed once it has been released; changes are new steps.
 */
#include "store/sqlite.h"
#include <stdio.h>

/* `entry.number` counts the entries of a room from 1, without gaps. `person` has a row for each
 * line in a room's `people`, to find the rooms of a guest. */
static const char *const step[] = {
    "CREATE TABLE room (\n"
    "  n INTEGER PRIMARY KEY,\n"
    "  id TEXT NOT NULL UNIQUE,\n"
    "  code TEXT NOT NULL,\n"
    "  map TEXT NOT NULL,\n"
    "  over INTEGER NOT NULL,\n"
    "  over_since INTEGER NOT NULL,\n" /* milliseconds; 0 if not over */
    "  listed INTEGER NOT NULL,\n"
    "  wake INTEGER NOT NULL,\n"
    "  changed INTEGER NOT NULL,\n"
    "  people TEXT NOT NULL\n"
    ");\n"
    "CREATE UNIQUE INDEX room_code ON room (code) WHERE over = 0 AND code <> '';\n"
    "CREATE INDEX room_open ON room (id) WHERE over = 0;\n"
    "CREATE TABLE entry (\n"
    "  room INTEGER NOT NULL,\n" /* room.n */
    "  number INTEGER NOT NULL,\n"
    "  time INTEGER NOT NULL,\n"
    "  kind INTEGER NOT NULL,\n" /* a letter of enum entry_kind */
    "  seat INTEGER NOT NULL,\n"
    "  decision INTEGER NOT NULL,\n"
    "  guest TEXT NOT NULL,\n"
    "  key TEXT NOT NULL,\n"
    "  text TEXT NOT NULL,\n"
    "  PRIMARY KEY (room, number)\n"
    ") WITHOUT ROWID;\n"
    "CREATE UNIQUE INDEX entry_decision ON entry (room, seat, decision) WHERE decision >= 0;\n"
    "CREATE UNIQUE INDEX entry_key ON entry (room, guest, key) WHERE key <> '';\n"
    "CREATE INDEX entry_chat ON entry (guest) WHERE kind = 67 AND text <> '';\n" /* ENTRY_CHAT */
    "CREATE TABLE person (\n"
    "  guest TEXT NOT NULL,\n"
    "  room INTEGER NOT NULL,\n" /* room.n */
    "  PRIMARY KEY (guest, room)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE guest (\n"
    "  id TEXT PRIMARY KEY NOT NULL,\n"
    "  name TEXT NOT NULL,\n"
    "  colour INTEGER NOT NULL\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE device (\n"
    "  token BLOB PRIMARY KEY NOT NULL,\n" /* SHA-256 of it */
    "  guest TEXT NOT NULL,\n"
    "  id TEXT NOT NULL,\n"
    "  label TEXT NOT NULL,\n"
    "  made INTEGER NOT NULL,\n"
    "  UNIQUE (guest, id)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE ticket (\n"
    "  ticket BLOB PRIMARY KEY NOT NULL,\n" /* SHA-256 of it */
    "  guest TEXT NOT NULL,\n"
    "  until INTEGER NOT NULL\n"
    ") WITHOUT ROWID;\n"
    "CREATE INDEX ticket_guest ON ticket (guest);\n"
    "CREATE TABLE map (hash TEXT PRIMARY KEY NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;\n"
    "CREATE TABLE gap (start INTEGER PRIMARY KEY, end INTEGER NOT NULL);\n"
    "CREATE TABLE alive (one INTEGER PRIMARY KEY CHECK (one = 1), time INTEGER NOT NULL);\n"
    /* A row to change when something has to be written: see settle() in sqlite.c. */
    "CREATE TABLE settled (one INTEGER PRIMARY KEY CHECK (one = 1), count INTEGER NOT NULL);\n"
    "INSERT INTO settled VALUES (1, 0);\n",
    /* When a sheet was last handed in, in milliseconds; and which of them rooms need. */
    "ALTER TABLE map ADD COLUMN kept INTEGER NOT NULL DEFAULT 0;\n"
    "CREATE INDEX map_kept ON map (kept);\n"
    "CREATE INDEX room_map ON room (map) WHERE map <> '';\n",
    /* Counts of STORE_COUNT since `start`. */
    "CREATE TABLE tally (\n"
    "  kind INTEGER NOT NULL,\n"
    "  who INTEGER NOT NULL,\n"
    "  start INTEGER NOT NULL,\n"
    "  count INTEGER NOT NULL,\n"
    "  PRIMARY KEY (kind, who)\n"
    ") WITHOUT ROWID;\n"
    "CREATE INDEX tally_start ON tally (start);\n",
    /* When a process has last claimed a room, 0: never, and which; the running processes and what
     * they say about rooms; the key of STORE_KEY. */
    "ALTER TABLE room ADD COLUMN claimed INTEGER NOT NULL DEFAULT 0;\n"
    "ALTER TABLE room ADD COLUMN claimer TEXT NOT NULL DEFAULT '';\n"
    "CREATE INDEX room_wake ON room (wake, id) WHERE over = 0 AND wake <> 0;\n"
    "CREATE INDEX room_listed ON room (id) WHERE listed <> 0;\n"
    "CREATE TABLE process (id TEXT PRIMARY KEY NOT NULL, noted INTEGER NOT NULL) WITHOUT ROWID;\n"
    "CREATE TABLE here (\n"
    "  process TEXT NOT NULL,\n"
    "  room TEXT NOT NULL,\n"
    "  text TEXT NOT NULL,\n"
    "  PRIMARY KEY (process, room)\n"
    ") WITHOUT ROWID;\n"
    "CREATE TABLE key (one INTEGER PRIMARY KEY CHECK (one = 1), key BLOB NOT NULL);\n"
    "INSERT INTO key VALUES (1, randomblob(32));\n",
    /* What is kept about somebody until a time: blocks, mutes, reports (enum note_kind). */
    "CREATE TABLE note (\n"
    "  id TEXT PRIMARY KEY NOT NULL,\n"
    "  guest TEXT NOT NULL,\n"
    "  made INTEGER NOT NULL,\n"
    "  until INTEGER NOT NULL,\n"
    "  text TEXT NOT NULL\n"
    ") WITHOUT ROWID;\n"
    "CREATE INDEX note_guest ON note (guest);\n"
    "CREATE INDEX note_until ON note (until);\n",
    /* Codes of rooms have twelve characters from here on. Nothing changes in the tables, but
     * programs that know fewer steps would take such a code for damage. */
    "",
    /* Whether a room has an ENTRY_BEGIN, and when a guest was last here, in milliseconds: to find
     * what nobody needs any more. Guests of before count as seen when this step was made. */
    "ALTER TABLE room ADD COLUMN begun INTEGER NOT NULL DEFAULT 0;\n"
    "UPDATE room SET begun = 1 WHERE EXISTS "
    "(SELECT 1 FROM entry WHERE room = n AND kind = 66);\n" /* ENTRY_BEGIN */
    "CREATE INDEX room_old ON room (begun, over_since, id) WHERE over = 1;\n"
    "ALTER TABLE guest ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;\n"
    "UPDATE guest SET seen = CAST(strftime('%s', 'now') AS INTEGER) * 1000;\n"
    "CREATE INDEX guest_seen ON guest (seen, id);\n",
    /* Whether a room may have chat that was not deleted. */
    ("ALTER TABLE room ADD COLUMN chat INTEGER NOT NULL DEFAULT 1;\n"
     "CREATE INDEX room_chat ON room (over_since) WHERE over = 1 AND chat = 1;\n"),
};

enum { VERSION = sizeof step / sizeof *step };

/* Reads a number; -1 if that fails. */
static int number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *statement = NULL;
    int result = -1;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW)
        result = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    return result;
}

/* Returns the version of a database that is ours or empty; -1 with the reason in `fault`. */
static int version_of(sqlite3 *db, const char *path, char fault[STORE_FAULT_BYTES])
{
    int application = number(db, "PRAGMA application_id");
    int version = number(db, "PRAGMA user_version");
    int tables = number(db, "SELECT count(*) FROM sqlite_schema");
    if (application < 0 || version < 0 || tables < 0) {
        database_fault(db, "cannot read", path, fault);
        return -1;
    }
    if (application != SCHEMA_APPLICATION && (application || version || tables)) {
        snprintf(fault, STORE_FAULT_BYTES, "%.200s is a database of another program", path);
        return -1;
    }
    if (version > VERSION) {
        snprintf(fault, STORE_FAULT_BYTES,
                 "%.160s was written by a newer Endstation (version %d of the tables; this program "
                 "knows %d): use that program",
                 path, version, (int)VERSION);
        return -1;
    }
    return version;
}

bool schema_check(sqlite3 *db, const char *path, char fault[STORE_FAULT_BYTES])
{
    int version = version_of(db, path, fault);
    if (version >= 0 && version < VERSION)
        snprintf(fault, STORE_FAULT_BYTES, "%.200s has no tables of this version", path);
    return version == VERSION;
}

bool schema_prepare(sqlite3 *db, const char *path, char fault[STORE_FAULT_BYTES])
{
    int version = version_of(db, path, fault);
    if (version < 0)
        return false;
    for (; version < VERSION; version++) {
        char mark[120];
        snprintf(mark, sizeof mark, "PRAGMA application_id = %d; PRAGMA user_version = %d; COMMIT",
                 (int)SCHEMA_APPLICATION, version + 1);
        if (sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) ||
            sqlite3_exec(db, step[version], NULL, NULL, NULL) ||
            sqlite3_exec(db, mark, NULL, NULL, NULL)) {
            database_fault(db, "cannot make the tables of", path, fault);
            return false;
        }
    }
    return true;
}
