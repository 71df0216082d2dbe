/* A store in an SQLite database: one connection, which does all writes and all checkpoints.
 *
 * A group is a transaction, begun by its first write. Each write is a savepoint in it, so that a
 * refused one can be undone alone. The tables' indexes check uniqueness. After an error that is not
 * a refusal the transaction is rolled back: its writes have FAILED, as nothing of them was
 * committed. After an error of COMMIT itself they are UNKNOWN, and no question is answered until
 * the log certainly does not contain them: see settle().
 */
#include "store/sqlite.h"
#include "store/answer.h"
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define HEAD "id, code, map, over, listed, wake, changed, people"

/* The rooms to claim. Parameters: the latest `wake`, the latest claim that is over, how many, the
 * process, and whether its own claims count. */
#define DUE                                                                                        \
    "WHERE over = 0 AND wake <> 0 AND wake <= ?1 AND (claimed = 0 OR claimed <= ?2 OR NOT EXISTS " \
    "(SELECT 1 FROM process WHERE process.id = claimer AND (?5 OR process.id <> ?4))) "            \
    "ORDER BY wake, id LIMIT ?3"

/* Until when a guest is muted, or 0. */
#define MUTED "coalesce((SELECT until FROM note WHERE note.id = 'm' || guest.id), 0)"

#define STATEMENTS(X)                                                                              \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(SETTLE, "UPDATE settled SET count = count + 1")                                              \
    X(SAVE, "SAVEPOINT question")                                                                  \
    X(UNDO, "ROLLBACK TO question")                                                                \
    X(RELEASE, "RELEASE question")                                                                 \
    X(ROOM_LAST,                                                                                   \
      "SELECT n, over, over_since, people, code, coalesce((SELECT number FROM entry "              \
      "WHERE room = room.n ORDER BY number DESC LIMIT 1), 0), map, listed, wake, begun FROM room " \
      "WHERE id = ?")                                                                              \
    X(ROOM_ADD, "INSERT INTO room (" HEAD ", over_since, begun) "                                  \
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")                                           \
    X(ROOM_SET, "UPDATE room SET (" HEAD ", over_since, begun) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "  \
                "WHERE n = ?")                                                                     \
    X(ROOM_TOUCH, "UPDATE room SET (changed, people) = (?, ?) WHERE n = ?")                        \
    X(ROOM_WAKE, "UPDATE room SET (wake, changed, people) = (?, ?, ?) WHERE n = ?")                \
    X(ENTRY_ADD, "INSERT INTO entry (room, number, time, kind, seat, decision, guest, key, text) " \
                 "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")                                             \
    X(ROOM_OVER, "SELECT n, people FROM room WHERE id = ? AND (over = 1 OR ?)")                    \
    X(ROOM_DELETE, "DELETE FROM room WHERE n = ?")                                                 \
    X(ENTRY_DELETE, "DELETE FROM entry WHERE room = ?")                                            \
    X(ROOM_OLD, "SELECT " HEAD ", over_since FROM room WHERE over = 1 AND begun = ? AND "          \
                "over_since < ? AND (over_since, id) > (?, ?) ORDER BY over_since, id LIMIT ?")    \
    X(PERSON_ADD, "INSERT OR IGNORE INTO person (guest, room) VALUES (?, ?)")                      \
    X(PERSON_REMOVE, "DELETE FROM person WHERE guest = ? AND room = ?")                            \
    X(PERSON_ROOMS, "SELECT n, people FROM person JOIN room ON n = person.room WHERE guest = ?")   \
    X(PERSON_MINE, "SELECT " HEAD " FROM person JOIN room ON n = person.room "                     \
                   "WHERE guest = ? AND over = 0 ORDER BY changed DESC, id")                       \
    X(PERSON_PAGE, "SELECT " HEAD " FROM person JOIN room ON n = person.room "                     \
                   "WHERE guest = ? AND id > ? ORDER BY id LIMIT ?")                               \
    X(PERSON_FORGET, "DELETE FROM person WHERE guest = ?")                                         \
    X(PEOPLE_SET, "UPDATE room SET people = ? WHERE n = ?")                                        \
    X(CHAT_FORGET, "UPDATE entry SET text = '' WHERE kind = 67 AND text <> '' AND guest = ?")      \
    X(CHAT_UNSAY, "UPDATE entry SET text = '' WHERE kind = 67 AND room = ? AND number = ?")        \
    X(CHAT_OLD, "SELECT n FROM room WHERE over = 1 AND chat = 1 AND over_since < ? "               \
                "ORDER BY over_since LIMIT ?")                                                     \
    X(CHAT_CLEAN, "UPDATE entry SET text = '' WHERE room = ? AND kind = 67 AND text <> ''")        \
    X(CHAT_GONE, "UPDATE room SET chat = 0 WHERE n = ?")                                           \
    X(CHAT_SAID, "UPDATE room SET chat = 1 WHERE n = ? AND chat = 0")                              \
    X(GUEST_SET, "INSERT INTO guest (id, name, colour, seen) VALUES (?, ?, ?, ?) ON CONFLICT "     \
                 "(id) DO UPDATE SET name = excluded.name, colour = excluded.colour")              \
    X(GUEST_SEEN, "UPDATE guest SET seen = ?1 WHERE id = ?2 AND seen < ?1")                        \
    X(GUEST_OLD, "SELECT id FROM guest WHERE seen < ? AND NOT EXISTS (SELECT 1 "                   \
                 "FROM person JOIN room ON n = person.room WHERE person.guest = guest.id AND "     \
                 "over = 0) ORDER BY seen, id LIMIT ?")                                            \
    X(GUEST_NAME, "UPDATE guest SET name = ?, colour = ? WHERE id = ?")                            \
    X(GUEST_FORGET, "DELETE FROM guest WHERE id = ?")                                              \
    X(GUEST_THERE, "SELECT name, colour, seen FROM guest WHERE id = ?")                            \
    X(DEVICE_ADD, "INSERT INTO device (token, guest, id, label, made) VALUES (?, ?, ?, ?, ?)")     \
    X(DEVICE_REMOVE, "DELETE FROM device WHERE guest = ? AND id = ?")                              \
    X(DEVICE_FORGET, "DELETE FROM device WHERE guest = ?")                                         \
    X(DEVICE_WHO, "SELECT guest.id, name, colour, device.id, " MUTED ", seen FROM device JOIN "    \
                  "guest ON guest.id = device.guest WHERE token = ?")                              \
    X(DEVICE_COUNT, "SELECT count(*) FROM device WHERE guest = ?")                                 \
    X(DEVICE_LIST, "SELECT id, label, made FROM device WHERE guest = ? ORDER BY made, id")         \
    X(TICKET_ADD, "INSERT INTO ticket (ticket, guest, until) VALUES (?, ?, ?)")                    \
    X(TICKET_THERE, "SELECT guest.id, name, colour FROM ticket JOIN guest "                        \
                    "ON guest.id = ticket.guest WHERE ticket = ? AND until > ?")                   \
    X(TICKET_REMOVE, "DELETE FROM ticket WHERE ticket = ?")                                        \
    X(TICKET_LEAVE, "DELETE FROM ticket WHERE guest = ?1 AND ticket NOT IN (SELECT ticket FROM "   \
                    "ticket WHERE guest = ?1 ORDER BY until DESC, ticket LIMIT ?2)")               \
    X(TICKET_FORGET, "DELETE FROM ticket WHERE guest = ?")                                         \
    X(TICKET_CLEAN, "DELETE FROM ticket WHERE until <= ?")                                         \
    X(MAP_SET, "INSERT INTO map (hash, text, kept) VALUES (?, ?, ?) ON CONFLICT (hash) DO "        \
               "UPDATE SET kept = excluded.kept")                                                  \
    X(MAP_THERE, "SELECT 1 FROM map WHERE hash = ?")                                               \
    X(MAP_CLEAN, "DELETE FROM map WHERE kept < ? AND NOT EXISTS "                                  \
                 "(SELECT 1 FROM room WHERE room.map = map.hash AND room.map <> '')")              \
    X(MAP_TEXT, "SELECT text FROM map WHERE hash = ?")                                             \
    X(COUNT, "INSERT INTO tally (kind, who, start, count) SELECT ?1, ?2, ?3, 1 WHERE ?4 > 0 ON "   \
             "CONFLICT (kind, who) DO UPDATE SET start = iif(?3 - start >= ?5, ?3, start), count " \
             "= iif(?3 - start >= ?5, 1, count + 1) WHERE ?3 - start >= ?5 OR count < ?4")         \
    X(COUNT_BACK, "UPDATE tally SET count = count - 1 WHERE kind = ?1 AND who = ?2 AND count > 0 " \
                  "AND ?3 - start < ?4")                                                           \
    X(COUNT_CLEAN, "DELETE FROM tally WHERE start <= ?")                                           \
    X(NOTE_MUTED, "SELECT " MUTED " FROM guest WHERE id = ?")                                      \
    X(NOTE_SET,                                                                                    \
      "INSERT INTO note (id, guest, made, until, text) SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?6 = 0 "    \
      "OR EXISTS (SELECT 1 FROM note WHERE id = ?1) OR ((SELECT count(*) FROM note WHERE guest = " \
      "?2 AND substr(id, 1, 1) = substr(?1, 1, 1)) < ?6 AND (SELECT count(*) FROM note WHERE "     \
      "substr(id, 1, 1) = substr(?1, 1, 1)) < ?7) ON CONFLICT (id) DO UPDATE SET (guest, made, "   \
      "until, text) = (excluded.guest, excluded.made, excluded.until, excluded.text)")             \
    X(NOTE_TOKENS, "INSERT OR REPLACE INTO note (id, guest, made, until, text) SELECT 't' || "     \
                   "lower(hex(token)), guest, ?2, ?3, ?4 FROM device WHERE guest = ?1")            \
    X(NOTE_REMOVE, "DELETE FROM note WHERE id = ?")                                                \
    X(NOTE_LIFT, "DELETE FROM note WHERE guest = ? AND substr(id, 1, 1) = ?")                      \
    X(NOTE_CLEAN, "DELETE FROM note WHERE until <= ?")                                             \
    X(NOTE_READ, "SELECT id, guest, made, until, text FROM note WHERE id = ? AND until > ?")       \
    X(NOTE_PAGE, "SELECT id, guest, made, until, text FROM note WHERE id > ? ORDER BY id LIMIT ?") \
    X(NOTE_OWN, "SELECT id, guest, made, until, text FROM note WHERE guest = ? AND id > ? "        \
                "ORDER BY id LIMIT ?")                                                             \
    X(ALIVE_SET, "INSERT INTO alive (one, time) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET "    \
                 "time = max(time, excluded.time)")                                                \
    X(ALIVE_AHEAD, "SELECT time FROM alive WHERE time > ?1 AND NOT EXISTS (SELECT 1 FROM process " \
                   "WHERE id <> ?2 AND noted < 0)")                                                \
    /* Not before a gap that is kept: the next one begins after it. */                             \
    X(ALIVE_BACK, "UPDATE alive SET time = max(?, coalesce((SELECT max(end) FROM gap), 0))")       \
    X(COUNT_AHEAD, "DELETE FROM tally WHERE start > ?")                                            \
    X(ROOM_AHEAD, "UPDATE room SET (wake, claimed) = (iif(wake > ?1 AND changed > ?2, max(?1, "    \
                  "wake - ?3), wake), 0) WHERE over = 0 AND (claimed > ?2 OR (wake > ?1 AND "      \
                  "changed > ?2))")                                                                \
    X(GAP_AHEAD, "DELETE FROM gap WHERE end > ?2 AND start >= ?1")                                 \
    X(GAP_CUT, "UPDATE gap SET end = ?1 WHERE end > ?2")                                           \
    X(PROCESS_NOTE, "INSERT INTO process (id, noted) VALUES (?, ?) ON CONFLICT (id) DO UPDATE "    \
                    "SET noted = excluded.noted")                                                  \
    /* Less than 0: it was noted by a clock that was ahead, and was found so at this time. */      \
    X(PROCESS_AHEAD, "UPDATE process SET noted = -?1 WHERE noted > ?2")                            \
    X(PROCESS_AWAY, "DELETE FROM process WHERE abs(noted) <= ?")                                   \
    X(PROCESS_GONE, "DELETE FROM process WHERE id = ?")                                            \
    X(PROCESS_THERE, "SELECT 1 FROM process WHERE id = ?")                                         \
    X(PROCESS_LIST, "SELECT id FROM process ORDER BY id")                                          \
    X(HERE_SET, "INSERT OR REPLACE INTO here (process, room, text) VALUES (?, ?, ?)")              \
    X(HERE_REMOVE, "DELETE FROM here WHERE process = ? AND room = ?")                              \
    X(HERE_CLEAN, "DELETE FROM here WHERE process NOT IN (SELECT id FROM process)")                \
    X(HERE_LIST, "SELECT id, text FROM process CROSS JOIN here ON process = id AND room = ? "      \
                 "WHERE id <> ? ORDER BY id")                                                      \
    X(DUE_LIST, "SELECT " HEAD " FROM room " DUE)                                                  \
    X(DUE_CLAIM,                                                                                   \
      "UPDATE room SET (claimed, claimer) = (?6, ?4) WHERE n IN (SELECT n FROM room " DUE ")")     \
    X(OPEN_COUNT, "SELECT count(*) FROM room WHERE over = 0")                                      \
    X(GAP_SET,                                                                                     \
      "INSERT OR REPLACE INTO gap (start, end) SELECT time, ?1 FROM alive WHERE time > 0 AND "     \
      "time < ?1 AND ?1 - time >= ?2 AND NOT EXISTS (SELECT 1 FROM process WHERE id <> ?3)")       \
    X(GAP_CLEAN, "DELETE FROM gap WHERE end <= ?")                                                 \
    X(GAP_LIST, "SELECT start, end FROM gap ORDER BY start")                                       \
    X(ROOM_READ, "SELECT " HEAD ", n FROM room WHERE id = ?")                                      \
    X(ROOM_FIND, "SELECT " HEAD " FROM room WHERE code = ? AND over = 0 AND code <> ''")           \
    X(ROOM_LIST, "SELECT " HEAD " FROM room WHERE listed <> 0 ORDER BY id")                        \
    X(KEY, "SELECT key FROM key")                                                                  \
    X(ROOM_PAGE, "SELECT " HEAD ", over_since FROM room WHERE id > ? ORDER BY id LIMIT ?")         \
    X(GUEST_PAGE, "SELECT id, name, colour FROM guest WHERE id > ? ORDER BY id LIMIT ?")           \
    X(DEVICE_PAGE, "SELECT token, id, label, made FROM device WHERE guest = ? ORDER BY id")        \
    X(TICKET_PAGE, "SELECT ticket, '', '', until FROM ticket WHERE guest = ? ORDER BY ticket")     \
    X(MAP_PAGE, "SELECT hash, kept, text FROM map WHERE hash > ? ORDER BY hash LIMIT ?")           \
    X(TOTALS, "SELECT (SELECT count(*) FROM room), (SELECT count(*) FROM guest), "                 \
              "(SELECT count(*) FROM map), coalesce((SELECT time FROM alive), 0)")                 \
    X(PROCESS_NOTED, "SELECT id FROM process WHERE abs(noted) > ? ORDER BY id")                    \
    X(GUEST_PUT, "INSERT INTO guest (id, name, colour, seen) VALUES (?, ?, ?, ?)")                 \
    X(GAP_REMOVE, "DELETE FROM gap")                                                               \
    X(GAP_PUT, "INSERT INTO gap (start, end) VALUES (?, ?)")                                       \
    X(ALIVE_PUT, "INSERT OR REPLACE INTO alive (one, time) VALUES (1, ?)")                         \
    X(KEY_PUT, "UPDATE key SET key = ?")                                                           \
    X(ENTRY_LIST, "SELECT time, kind, seat, decision, guest, key, text FROM entry "                \
                  "WHERE room = ? AND number >= ? ORDER BY number")

enum statement {
#define STATEMENT(name, sql) SQL_##name,
    STATEMENTS(STATEMENT) STATEMENT_COUNT
#undef STATEMENT
};

static const char *const statement_sql[] = {
#define STATEMENT(name, sql) sql,
    STATEMENTS(STATEMENT)
#undef STATEMENT
};

struct database {
    struct store store;
    struct store_sqlite_options options;
    char *path;
    int lock[DATABASE_LOCKS];
    struct database_files files; /* those that are open */
    sqlite3 *db;                 /* NULL: not open; the next group tries */
    sqlite3_stmt *statement[STATEMENT_COUNT];
    int rc;          /* the first error of the current question, or SQLITE_OK */
    int log_pages;   /* in the log after the latest commit */
    bool is_asked;   /* this group has writes */
    bool is_writing; /* a transaction is open */
    bool has_failed; /* the writes of this group have failed */
    bool is_settled; /* false: the log may contain a group that this connection does not see */
    bool is_closing; /* close the connection after this group */
    bool is_removed; /* somebody has removed or replaced the files */
    char fault[STORE_FAULT_BYTES];
};

/* ---- Statements ------------------------------------------------------------------------------ */

static bool is_error(int rc)
{
    return rc != SQLITE_OK && rc != SQLITE_ROW && rc != SQLITE_DONE;
}

/* Notes the first error of a question. */
static void note(struct database *database, int rc)
{
    if (is_error(rc) && !database->rc)
        database->rc = rc;
}

/* Steps to the next row. Returns false, and resets the statement, if there is none. */
static bool next(struct database *database, enum statement number)
{
    sqlite3_stmt *statement = database->statement[number];
    if (!database->rc) {
        int rc = sqlite3_step(statement);
        if (rc == SQLITE_ROW)
            return true;
        note(database, rc);
    }
    sqlite3_reset(statement);
    return false;
}

/* Ends a statement before its last row, so that it can run again. */
static void done(struct database *database, enum statement number)
{
    sqlite3_reset(database->statement[number]);
}

/* Runs a statement. The letters of `types` give the types of its parameters, which follow: t a
 * zero-terminated text, s a struct es_str, i an int64_t, h a hash. Returns true if there is a row.
 * Does nothing after an earlier error of the question. */
static bool run(struct database *database, enum statement number, const char *types, ...)
{
    if (database->rc)
        return false;
    sqlite3_stmt **statement = &database->statement[number];
    if (!*statement)
        note(database, sqlite3_prepare_v3(database->db, statement_sql[number], -1,
                                          SQLITE_PREPARE_PERSISTENT, statement, NULL));
    if (database->rc)
        return false;
    va_list values;
    va_start(values, types);
    for (int i = 1; types[i - 1]; i++) {
        int rc = SQLITE_MISUSE;
        struct es_str text;
        switch (types[i - 1]) {
        case 't':
            rc = sqlite3_bind_text(*statement, i, va_arg(values, const char *), -1, SQLITE_STATIC);
            break;
        case 's':
            text = va_arg(values, struct es_str);
            rc = sqlite3_bind_text64(*statement, i, text.at ? text.at : "", text.size,
                                     SQLITE_STATIC, SQLITE_UTF8);
            break;
        case 'i':
            rc = sqlite3_bind_int64(*statement, i, va_arg(values, int64_t));
            break;
        case 'h':
            rc = sqlite3_bind_blob(*statement, i, va_arg(values, const uint8_t *), ES_SHA256_BYTES,
                                   SQLITE_STATIC);
            break;
        }
        note(database, rc);
    }
    va_end(values);
    return next(database, number);
}

/* Runs a statement that changes rows. Returns how many. */
#define CHANGE(database, number, ...)                                                              \
    (run(database, number, __VA_ARGS__), (database)->rc ? 0 : sqlite3_changes((database)->db))

static struct es_str column_str(struct database *database, enum statement number, int column)
{
    sqlite3_stmt *statement = database->statement[number];
    const char *at = (const char *)sqlite3_column_text(statement, column);
    if (!at)
        note(database, SQLITE_NOMEM);
    return (struct es_str){at, at ? (size_t)sqlite3_column_bytes(statement, column) : 0};
}

/* Copies a text to an array. We never store one that does not fit, so that is corruption. */
static void column_text(struct database *database, enum statement number, int column, char *to,
                        size_t size)
{
    if (!es_str_copy(column_str(database, number, column), to, size))
        note(database, SQLITE_CORRUPT);
}

static int64_t column_int(struct database *database, enum statement number, int column)
{
    return sqlite3_column_int64(database->statement[number], column);
}

/* ---- The connection -------------------------------------------------------------------------- */

/* Closes the connection. `is_over`: there was no error, so the log is moved into the database. */
static void disconnect(struct database *database, bool is_over)
{
    if (!database->db)
        return;
    for (int i = 0; i < STATEMENT_COUNT; i++) {
        sqlite3_finalize(database->statement[i]);
        database->statement[i] = NULL;
    }
    /* After an error the log has to stay as it is: it is the only record of what was committed. */
    if (!is_over)
        sqlite3_db_config(database->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    int rc = sqlite3_close(database->db);
    assert(rc == SQLITE_OK);
    (void)rc;
    database->db = NULL;
    database->files.file[1] = (struct database_file){0, 0}; /* it will be another log */
}

/* Notices if somebody has removed or replaced the files: what is written to them now would be lost
 * with the process. */
static bool is_there(struct database *database)
{
    if (database->options.vfs || database->options.reads)
        return true;
    database->is_removed = !database_is_there(database->path, &database->files);
    if (database->is_removed)
        snprintf(database->fault, sizeof database->fault,
                 "%.200s was removed or replaced: put it back, or stop the server and go back to a "
                 "backup",
                 database->path);
    return !database->is_removed;
}

/* Ends the group's transaction after an error; its writes have failed. */
static void fail(struct database *database, const char *what)
{
    if (!database->has_failed)
        snprintf(database->fault, sizeof database->fault, "%s: %s (SQLite %d)", what,
                 sqlite3_errstr(database->rc), database->rc);
    database->has_failed = true;
    int kind = database->rc & 0xff;
    database->store.is_damaged |= kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB;
    if (database->db && !sqlite3_get_autocommit(database->db))
        sqlite3_exec(database->db, "ROLLBACK", NULL, NULL, NULL);
    database->is_writing = false;
}

static int count_log_pages(void *context, sqlite3 *db, const char *name, int pages)
{
    (void)db;
    (void)name;
    ((struct database *)context)->log_pages = pages;
    return SQLITE_OK;
}

static bool reconnect(struct database *database, char fault[STORE_FAULT_BYTES])
{
    database->db = database->options.reads ? database_open_reader(database->path, fault)
                                           : database_open(&database->options, fault);
    if (!database->db)
        return false;
    is_there(database);
    database->log_pages = 0;
    database->is_settled = true;
    sqlite3_wal_hook(database->db, count_log_pages, database);
    return true;
}

/* Makes sure that a group whose commit has failed is not in the log.
 *
 * SQLite has rolled it back, and would overwrite it with the next group. But if only its sync
 * failed, the file may contain all of it. If the machine stopped before the next group, it would be
 * found there, although reads had answered that it does not exist. So a small change is committed
 * first, which overwrites its beginning. Until that succeeds, all questions fail. */
static bool settle(struct database *database)
{
    database->rc = SQLITE_OK;
    run(database, SQL_BEGIN, "");
    run(database, SQL_SETTLE, "");
    run(database, SQL_COMMIT, "");
    if (database->rc)
        fail(database, "the database cannot be written");
    database->is_settled = !database->rc;
    return database->is_settled;
}

/* Moves the log into the database when it has become long. An error does not affect what is stored.
 * But after a failed sync SQLite may take pages as written to the database which the system has
 * lost. So the connection is closed: on reopening, all pages of the log count as not yet moved. */
static void checkpoint(struct database *database)
{
    int limit = database->options.checkpoint ? database->options.checkpoint : 1000;
    if (database->log_pages < limit)
        return;
    int rc = sqlite3_wal_checkpoint_v2(database->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    if (!rc || (rc & 0xff) == SQLITE_BUSY)
        return;
    database->is_closing = rc == SQLITE_IOERR_FSYNC;
    database->rc = rc;
    fail(database, "stored, but the log cannot be moved to the database");
}

/* ---- Rooms ----------------------------------------------------------------------------------- */

/* Reads the columns HEAD. The text of `people` is valid until the statement's next step. */
static struct store_head column_head(struct database *database, enum statement number)
{
    struct store_head head = {
        .over = column_int(database, number, 3),
        .listed = column_int(database, number, 4),
        .wake = (uint64_t)column_int(database, number, 5),
        .changed = (uint64_t)column_int(database, number, 6),
        .people = column_str(database, number, 7),
    };
    column_text(database, number, 0, head.room, sizeof head.room);
    column_text(database, number, 1, head.code, sizeof head.code);
    column_text(database, number, 2, head.map, sizeof head.map);
    return head;
}

/* Runs the statement `number` for each guest in `people`. */
static void each_person(struct database *database, enum statement number, struct es_str people,
                        int64_t room)
{
    struct es_str line, guest;
    while (people_next(&people, &line, &guest))
        if (guest.size)
            run(database, number, "si", guest, room);
}

static bool guest_is_there(void *database, struct es_str guest)
{
    bool is_there = run(database, SQL_GUEST_THERE, "s", guest);
    if (is_there)
        done(database, SQL_GUEST_THERE);
    return is_there;
}

/* Removes the lines of guests that do not exist. Sets *people to the rest, in *memory, to be freed.
 * Returns true if there were such lines. */
static bool leave_out_gone(struct database *database, struct es_str *people, char **memory)
{
    size_t before = people->size;
    *memory = malloc(before + 1);
    if (!*memory) {
        note(database, SQLITE_NOMEM);
        return false;
    }
    people->size = people_keep(*people, guest_is_there, database, *memory);
    people->at = *memory;
    return people->size < before;
}

/* Adds entries, without the text of chat of guests that do not exist. Returns true if there was
 * such chat. */
static bool add_entries(struct database *database, int64_t room,
                        const struct store_question *question)
{
    bool dropped = false;
    for (size_t i = 0; i < question->entries; i++) {
        const struct store_entry *entry = &question->entry[i];
        struct es_str text = entry->text;
        if (entry->kind == ENTRY_CHAT && text.size > 0 &&
            !guest_is_there(database, es_str(entry->guest))) {
            text = es_str("");
            dropped = true;
        }
        run(database, SQL_ENTRY_ADD, "iiiiiitts", room, (int64_t)(question->first + i),
            (int64_t)entry->time, (int64_t)entry->kind, (int64_t)entry->seat,
            (int64_t)entry->decision, entry->guest, entry->key, text);
        unsigned number;
        if (entry->kind == ENTRY_UNSAID && !es_str_number(text, INT32_MAX, &number) &&
            number < question->first)
            run(database, SQL_CHAT_UNSAY, "ii", room, (int64_t)number);
    }
    return dropped;
}

/* Returns true if one of the entries to append is of this kind. */
static bool has_kind(const struct store_question *question, enum entry_kind kind)
{
    for (size_t i = 0; i < question->entries; i++)
        if (question->entry[i].kind == kind)
            return true;
    return false;
}

/* Returns true if the sheet of a room is there, or it has none of its own. */
static bool has_sheet(struct database *database, const char *hash)
{
    if (!hash[0])
        return true;
    bool is_there = run(database, SQL_MAP_THERE, "t", hash);
    if (is_there)
        done(database, SQL_MAP_THERE);
    return is_there;
}

static enum store_outcome append(struct database *database, const struct store_question *question,
                                 bool *dropped)
{
    const struct store_head *head = &question->head;
    struct es_str people = head->people;
    char *memory = NULL;
    bool is_there = run(database, SQL_ROOM_LAST, "t", head->room);
    int64_t room = 0, since = head->over ? (int64_t)head->changed : 0;
    uint64_t last = 0;
    bool is_changed = people.size > 0; /* the list of people changes */
    bool is_indexed = true;            /* a column changes that an index contains, not only wake */
    bool is_waking = true;             /* wake changes */
    bool begun = has_kind(question, ENTRY_BEGIN);
    if (is_there) {
        room = column_int(database, SQL_ROOM_LAST, 0);
        bool was_over = column_int(database, SQL_ROOM_LAST, 1);
        if (head->over && was_over)
            since = column_int(database, SQL_ROOM_LAST, 2);
        struct es_str before = column_str(database, SQL_ROOM_LAST, 3);
        is_indexed = head->over != was_over ||
                     !es_str_is(column_str(database, SQL_ROOM_LAST, 4), head->code) ||
                     !es_str_is(column_str(database, SQL_ROOM_LAST, 6), head->map) ||
                     head->listed != column_int(database, SQL_ROOM_LAST, 7) ||
                     begun > column_int(database, SQL_ROOM_LAST, 9);
        begun |= column_int(database, SQL_ROOM_LAST, 9);
        is_waking = head->wake != (uint64_t)column_int(database, SQL_ROOM_LAST, 8);
        last = (uint64_t)column_int(database, SQL_ROOM_LAST, 5);
        is_changed = !es_str_same(before, people);
        if (is_changed && question->first == last + 1)
            each_person(database, SQL_PERSON_REMOVE, before, room);
        done(database, SQL_ROOM_LAST);
    }
    if (question->first != last + 1 || (!is_there && !has_sheet(database, head->map)))
        return STORE_REFUSED;
    /* An unchanged list has no deleted guests, since STORE_FORGET removes their lines. */
    if (is_changed)
        *dropped = leave_out_gone(database, &people, &memory);
#define HEAD_VALUES                                                                                \
    head->room, head->code, head->map, (int64_t)head->over, (int64_t)head->listed,                 \
        (int64_t)head->wake, (int64_t)head->changed, people, since, (int64_t)begun
    if (!is_indexed && !is_waking) /* both are usual; they write several pages less */
        run(database, SQL_ROOM_TOUCH, "isi", (int64_t)head->changed, people, room);
    else if (!is_indexed)
        run(database, SQL_ROOM_WAKE, "iisi", (int64_t)head->wake, (int64_t)head->changed, people,
            room);
    else if (is_there)
        run(database, SQL_ROOM_SET, "tttiiiisiii", HEAD_VALUES, room);
    else
        run(database, SQL_ROOM_ADD, "tttiiiisii", HEAD_VALUES);
#undef HEAD_VALUES
    if (!is_there)
        room = sqlite3_last_insert_rowid(database->db);
    else if (has_kind(question, ENTRY_CHAT))
        run(database, SQL_CHAT_SAID, "i", room);
    if (is_changed)
        each_person(database, SQL_PERSON_ADD, people, room);
    *dropped |= add_entries(database, room, question);
    free(memory);
    return STORE_STORED;
}

/* Deletes a room that is over. Returns true if there was one. */
static bool room_delete(struct database *database, const struct store_question *question)
{
    if (!run(database, SQL_ROOM_OVER, "ti", question->head.room, (int64_t)question->even_open))
        return false;
    int64_t room = column_int(database, SQL_ROOM_OVER, 0);
    each_person(database, SQL_PERSON_REMOVE, column_str(database, SQL_ROOM_OVER, 1), room);
    done(database, SQL_ROOM_OVER);
    run(database, SQL_ENTRY_DELETE, "i", room);
    run(database, SQL_ROOM_DELETE, "i", room);
    return true;
}

static bool read_map(struct database *database, const char *hash, struct answer_parts *parts)
{
    if (!run(database, SQL_MAP_TEXT, "t", hash))
        return false;
    answer_map(parts, column_str(database, SQL_MAP_TEXT, 0));
    done(database, SQL_MAP_TEXT);
    return true;
}

static void read_room(struct database *database, const struct store_question *question,
                      struct answer_parts *parts)
{
    if (!run(database, SQL_ROOM_READ, "t", question->head.room))
        return;
    parts->answer->found = true;
    struct store_head head = column_head(database, SQL_ROOM_READ);
    int64_t room = column_int(database, SQL_ROOM_READ, 8);
    answer_head(parts, &head);
    done(database, SQL_ROOM_READ);
    read_map(database, head.map, parts);
    enum statement list = SQL_ENTRY_LIST;
    for (bool more = run(database, list, "ii", room, (int64_t)question->first); more;
         more = next(database, list)) {
        struct store_entry entry = {
            .time = (uint64_t)column_int(database, list, 0),
            .kind = (uint8_t)column_int(database, list, 1),
            .seat = (uint8_t)column_int(database, list, 2),
            .decision = (int32_t)column_int(database, list, 3),
            .text = column_str(database, list, 6),
        };
        column_text(database, list, 4, entry.guest, sizeof entry.guest);
        column_text(database, list, 5, entry.key, sizeof entry.key);
        answer_entry(parts, &entry);
    }
    enum statement heres = SQL_HERE_LIST;
    for (bool more = run(database, heres, "tt", question->head.room, question->process); more;
         more = next(database, heres)) {
        char process[STORE_PROCESS_BYTES] = "";
        column_text(database, heres, 0, process, sizeof process);
        answer_here(parts, process, column_str(database, heres, 1));
    }
}

static void find(struct database *database, const char *code, struct answer_parts *parts)
{
    if (!run(database, SQL_ROOM_FIND, "t", code))
        return;
    parts->answer->found = true;
    struct store_head head = column_head(database, SQL_ROOM_FIND);
    answer_head(parts, &head);
    done(database, SQL_ROOM_FIND);
}

static void list_rooms(struct database *database, struct answer_parts *parts)
{
    for (bool more = run(database, SQL_ROOM_LIST, ""); more; more = next(database, SQL_ROOM_LIST)) {
        struct store_head head = column_head(database, SQL_ROOM_LIST);
        answer_room(parts, &head);
    }
    parts->answer->found = true;
}

static void list_own_rooms(struct database *database, const char *guest, struct answer_parts *parts)
{
    enum statement list = SQL_PERSON_MINE;
    int count = 0;
    for (bool more = run(database, list, "t", guest); more; more = next(database, list)) {
        struct store_head head = column_head(database, list);
        if (!people_sits(head.people, guest))
            continue;
        answer_room(parts, &head);
        if (++count == STORE_MINE_MAX) {
            done(database, list);
            return;
        }
    }
}

static void page_own_rooms(struct database *database, const struct store_question *question,
                           struct answer_parts *parts)
{
    enum statement list = SQL_PERSON_PAGE;
    for (bool more = run(database, list, "tti", question->guest.id, question->head.room,
                         (int64_t)STORE_PAGE_MINE_MAX);
         more; more = next(database, list)) {
        struct store_head head = column_head(database, list);
        answer_room(parts, &head);
    }
}

/* ---- Guests ---------------------------------------------------------------------------------- */

static void device_add(struct database *database, const char *guest,
                       const struct store_question *question)
{
    run(database, SQL_DEVICE_ADD, "httti", question->token, guest, question->guest.device,
        question->label, (int64_t)question->time);
}

/* Returns true if there was such a guest, whose name is changed now. */
static bool guest_set(struct database *database, const struct store_question *question)
{
    if (!question->label[0])
        return CHANGE(database, SQL_GUEST_NAME, "tit", question->guest.name,
                      (int64_t)question->guest.colour, question->guest.id) > 0;
    run(database, SQL_GUEST_SET, "ttii", question->guest.id, question->guest.name,
        (int64_t)question->guest.colour, (int64_t)question->time);
    device_add(database, question->guest.id, question);
    return false;
}

static enum store_outcome ticket_add(struct database *database,
                                     const struct store_question *question)
{
    if (!run(database, SQL_GUEST_THERE, "t", question->guest.id))
        return STORE_REFUSED;
    done(database, SQL_GUEST_THERE);
    run(database, SQL_TICKET_LEAVE, "ti", question->guest.id, (int64_t)STORE_TICKETS_MAX - 1);
    run(database, SQL_TICKET_ADD, "hti", question->ticket, question->guest.id,
        (int64_t)question->time);
    return STORE_STORED;
}

/* Reads the columns guest.id, name, colour. */
static struct store_guest column_guest(struct database *database, enum statement number)
{
    struct store_guest guest = {.colour = (uint8_t)column_int(database, number, 2)};
    column_text(database, number, 0, guest.id, sizeof guest.id);
    column_text(database, number, 1, guest.name, sizeof guest.name);
    return guest;
}

static int64_t count_devices(struct database *database, const char *guest)
{
    int64_t count = 0;
    if (run(database, SQL_DEVICE_COUNT, "t", guest)) {
        count = column_int(database, SQL_DEVICE_COUNT, 0);
        done(database, SQL_DEVICE_COUNT);
    }
    return count;
}

static enum store_outcome redeem(struct database *database, const struct store_question *question,
                                 struct store_answer *answer)
{
    if (!run(database, SQL_TICKET_THERE, "hi", question->ticket, (int64_t)question->time))
        return STORE_STORED;
    struct store_guest guest = column_guest(database, SQL_TICKET_THERE);
    done(database, SQL_TICKET_THERE);
    if (count_devices(database, guest.id) >= STORE_DEVICES_MAX)
        return STORE_REFUSED;
    device_add(database, guest.id, question);
    run(database, SQL_TICKET_REMOVE, "h", question->ticket);
    if (database->rc)
        return STORE_STORED; /* the caller looks at it */
    answer->found = true;
    answer->guest = guest;
    strcpy(answer->guest.device, question->guest.device);
    return STORE_STORED;
}

/* ---- Notes ----------------------------------------------------------------------------------- */

static bool note_set(struct database *database, const struct store_note *note, uint64_t limit)
{
    return CHANGE(database, SQL_NOTE_SET, "ttiisii", note->id, note->guest, (int64_t)note->made,
                  (int64_t)note->until, note->text, (int64_t)limit, (int64_t)STORE_NOTES_MAX) > 0;
}

static bool note_remove(struct database *database, const struct store_note *note)
{
    return note->id[1] ? CHANGE(database, SQL_NOTE_REMOVE, "t", note->id) > 0
                       : CHANGE(database, SQL_NOTE_LIFT, "tt", note->guest, note->id) > 0;
}

/* Notes that a guest who will be deleted is blocked, with all devices. */
static void block(struct database *database, const struct store_question *question)
{
    struct store_note note = question->note;
    strcpy(note.guest, question->guest.id);
    snprintf(note.id, sizeof note.id, "%c%s", NOTE_BLOCK, note.guest);
    if (!guest_is_there(database, es_str(note.guest)))
        return;
    note_set(database, &note, 0);
    run(database, SQL_NOTE_TOKENS, "tiis", note.guest, (int64_t)note.made, (int64_t)note.until,
        note.text);
}

/* Adds the rows of a statement that reads notes, of which the first is there if `more`. */
static void list_notes(struct database *database, enum statement list, bool more,
                       struct answer_parts *parts)
{
    for (; more; more = next(database, list)) {
        struct store_note note = {.made = (uint64_t)column_int(database, list, 2),
                                  .until = (uint64_t)column_int(database, list, 3),
                                  .text = column_str(database, list, 4)};
        column_text(database, list, 0, note.id, sizeof note.id);
        column_text(database, list, 1, note.guest, sizeof note.guest);
        answer_note(parts, &note);
        parts->answer->found = true;
    }
}

static void page_notes(struct database *database, const struct store_note *after,
                       struct answer_parts *parts)
{
    int64_t most = STORE_PAGE_NOTES_MAX;
    if (after->guest[0])
        list_notes(database, SQL_NOTE_OWN,
                   run(database, SQL_NOTE_OWN, "tti", after->guest, after->id, most), parts);
    else
        list_notes(database, SQL_NOTE_PAGE, run(database, SQL_NOTE_PAGE, "ti", after->id, most),
                   parts);
    parts->answer->found = false;
}

/* Returns true if a guest was seen at `time` or later. */
static bool is_seen(struct database *database, const char *guest, uint64_t time)
{
    bool is_there = run(database, SQL_GUEST_THERE, "t", guest);
    bool seen = is_there && column_int(database, SQL_GUEST_THERE, 2) >= (int64_t)time;
    if (is_there)
        done(database, SQL_GUEST_THERE);
    return seen;
}

/* Returns true if there was such a guest. `unseen`: only if they were not seen from then on; 0: in
 * any case. */
static bool forget(struct database *database, const char *guest, uint64_t unseen)
{
    if (unseen && is_seen(database, guest, unseen))
        return false;
    run(database, SQL_CHAT_FORGET, "t", guest);
    for (bool more = run(database, SQL_PERSON_ROOMS, "t", guest); more;
         more = next(database, SQL_PERSON_ROOMS)) {
        struct es_str people = column_str(database, SQL_PERSON_ROOMS, 1);
        char *rest = malloc(people.size + 1);
        if (!rest) {
            note(database, SQLITE_NOMEM);
        } else {
            struct es_str left = {rest, people_without(people, guest, rest)};
            run(database, SQL_PEOPLE_SET, "si", left, column_int(database, SQL_PERSON_ROOMS, 0));
            free(rest);
        }
    }
    run(database, SQL_PERSON_FORGET, "t", guest);
    run(database, SQL_DEVICE_FORGET, "t", guest);
    run(database, SQL_TICKET_FORGET, "t", guest);
    return CHANGE(database, SQL_GUEST_FORGET, "t", guest) > 0;
}

/* Returns true if there may be more rooms with chat to delete. */
static bool clean(struct database *database, const struct store_question *question)
{
    int64_t room[STORE_CLEAN_MAX], time = (int64_t)question->time;
    size_t rooms = 0;
    for (bool more = run(database, SQL_CHAT_OLD, "ii", time, (int64_t)STORE_CLEAN_MAX); more;
         more = next(database, SQL_CHAT_OLD))
        room[rooms++] = column_int(database, SQL_CHAT_OLD, 0);
    for (size_t i = 0; i < rooms; i++) {
        run(database, SQL_CHAT_CLEAN, "i", room[i]);
        run(database, SQL_CHAT_GONE, "i", room[i]);
    }
    run(database, SQL_TICKET_CLEAN, "i", time);
    run(database, SQL_MAP_CLEAN, "i", (int64_t)question->first);
    run(database, SQL_NOTE_CLEAN, "i", (int64_t)question->note.until);
    return rooms == STORE_CLEAN_MAX;
}

static void who(struct database *database, const struct store_question *question,
                struct store_answer *answer)
{
    if (!run(database, SQL_DEVICE_WHO, "h", question->token))
        return;
    answer->found = true;
    answer->guest = column_guest(database, SQL_DEVICE_WHO);
    column_text(database, SQL_DEVICE_WHO, 3, answer->guest.device, sizeof answer->guest.device);
    answer->guest.muted = (uint64_t)column_int(database, SQL_DEVICE_WHO, 4);
    answer->guest.seen = (uint64_t)column_int(database, SQL_DEVICE_WHO, 5);
    done(database, SQL_DEVICE_WHO);
}

static void list_devices(struct database *database, const struct store_question *question,
                         struct answer_parts *parts)
{
    struct store_guest *guest = &parts->answer->guest;
    if (!run(database, SQL_GUEST_THERE, "t", question->guest.id))
        return;
    strcpy(guest->id, question->guest.id);
    column_text(database, SQL_GUEST_THERE, 0, guest->name, sizeof guest->name);
    guest->colour = (uint8_t)column_int(database, SQL_GUEST_THERE, 1);
    guest->seen = (uint64_t)column_int(database, SQL_GUEST_THERE, 2);
    done(database, SQL_GUEST_THERE);
    if (run(database, SQL_NOTE_MUTED, "t", guest->id)) {
        guest->muted = (uint64_t)column_int(database, SQL_NOTE_MUTED, 0);
        done(database, SQL_NOTE_MUTED);
    }
    parts->answer->found = true;
    enum statement list = SQL_DEVICE_LIST;
    for (bool more = run(database, list, "t", question->guest.id); more;
         more = next(database, list)) {
        struct store_device device = {.made = (uint64_t)column_int(database, list, 2)};
        column_text(database, list, 0, device.id, sizeof device.id);
        column_text(database, list, 1, device.label, sizeof device.label);
        answer_device(parts, &device);
    }
}

/* ---- The rest -------------------------------------------------------------------------------- */

static bool count_once(struct database *database, const struct store_question *question)
{
    const struct store_tally *tally = &question->tally;
    if (tally->back)
        return CHANGE(database, SQL_COUNT_BACK, "iiii", (int64_t)tally->kind, (int64_t)tally->who,
                      (int64_t)question->time, (int64_t)tally->span) > 0;
    return CHANGE(database, SQL_COUNT, "iiiii", (int64_t)tally->kind, (int64_t)tally->who,
                  (int64_t)question->time, (int64_t)tally->limit, (int64_t)tally->span) > 0;
}

/* ---- Processes ------------------------------------------------------------------------------- */

static bool process_is_there(struct database *database, const char *process)
{
    bool is_there = run(database, SQL_PROCESS_THERE, "t", process);
    if (is_there)
        done(database, SQL_PROCESS_THERE);
    return is_there;
}

/* Returns true if the process is running. */
static bool here_set(struct database *database, const struct store_question *question)
{
    bool is_there = process_is_there(database, question->process);
    if (is_there && question->text.size)
        run(database, SQL_HERE_SET, "tts", question->process, question->head.room, question->text);
    else if (is_there)
        run(database, SQL_HERE_REMOVE, "tt", question->process, question->head.room);
    return is_there;
}

static bool process_remove(struct database *database, const char *process)
{
    bool was_there = CHANGE(database, SQL_PROCESS_GONE, "t", process) > 0;
    if (was_there)
        run(database, SQL_HERE_CLEAN, "");
    return was_there;
}

static void claim(struct database *database, const struct store_question *question,
                  struct answer_parts *parts)
{
    enum statement list = SQL_DUE_LIST;
    int64_t now = (int64_t)question->time, until = (int64_t)question->head.wake;
    bool is_due = false;
#define DUE_VALUES                                                                                 \
    until, now - STORE_CLAIM_MS, (int64_t)STORE_DUE_MAX, question->process,                        \
        (int64_t)!question->fresh
    for (bool more = run(database, list, "iiiti", DUE_VALUES); more; more = next(database, list)) {
        struct store_head head = column_head(database, list);
        answer_room(parts, &head);
        is_due = true;
    }
    if (is_due)
        run(database, SQL_DUE_CLAIM, "iiitii", DUE_VALUES, now);
#undef DUE_VALUES
}

static void list_gaps(struct database *database, struct answer_parts *parts)
{
    enum statement list = SQL_GAP_LIST;
    for (bool more = run(database, list, ""); more; more = next(database, list))
        answer_gap(parts, (uint64_t)column_int(database, list, 0),
                   (uint64_t)column_int(database, list, 1));
}

/* Adds the number of rooms, processes and gaps. */
static void list_alive(struct database *database, struct answer_parts *parts)
{
    if (run(database, SQL_OPEN_COUNT, "")) {
        parts->answer->open = (uint64_t)column_int(database, SQL_OPEN_COUNT, 0);
        done(database, SQL_OPEN_COUNT);
    }
    enum statement list = SQL_PROCESS_LIST;
    for (bool more = run(database, list, ""); more; more = next(database, list)) {
        char process[STORE_PROCESS_BYTES] = "";
        column_text(database, list, 0, process, sizeof process);
        answer_here(parts, process, es_str(""));
    }
    list_gaps(database, parts);
}

/* Undoes what was noted while a clock was ahead, if the latest note lies in the future and nobody
 * runs who may have made it: then this question may only be late. */
static void undo_ahead(struct database *database, int64_t now, const char *process)
{
    int64_t ahead = now + STORE_AHEAD_MS;
    if (!run(database, SQL_ALIVE_AHEAD, "it", ahead, process))
        return;
    int64_t by = column_int(database, SQL_ALIVE_AHEAD, 0) - now;
    done(database, SQL_ALIVE_AHEAD);
    run(database, SQL_GAP_AHEAD, "ii", now, ahead);
    run(database, SQL_GAP_CUT, "ii", now, ahead);
    run(database, SQL_ALIVE_BACK, "i", now);
    run(database, SQL_COUNT_AHEAD, "i", ahead);
    run(database, SQL_ROOM_AHEAD, "iii", now, ahead, by);
}

static void alive(struct database *database, const struct store_question *question,
                  struct answer_parts *parts)
{
    int64_t now = (int64_t)question->time;
    run(database, SQL_PROCESS_AHEAD, "ii", now, now + STORE_AHEAD_MS);
    if (CHANGE(database, SQL_PROCESS_AWAY, "i", now - STORE_AWAY_MS) > 0)
        run(database, SQL_HERE_CLEAN, "");
    parts->answer->found = process_is_there(database, question->process);
    run(database, SQL_PROCESS_NOTE, "ti", question->process, now);
    undo_ahead(database, now, question->process);
    run(database, SQL_GAP_SET, "iit", now, (int64_t)question->first, question->process);
    run(database, SQL_ALIVE_SET, "i", now);
    run(database, SQL_GAP_CLEAN, "i", now - (int64_t)STORE_GAP_KEPT);
    run(database, SQL_COUNT_CLEAN, "i", now - (int64_t)STORE_COUNT_KEPT);
    claim(database, question, parts);
    list_alive(database, parts);
}

/* ---- What is old ----------------------------------------------------------------------------- */

static void list_old_rooms(struct database *database, bool begun, uint64_t before,
                           const struct store_head *after, struct answer_parts *parts)
{
    enum statement list = SQL_ROOM_OLD;
    for (bool more = run(database, list, "iiiti", (int64_t)begun, (int64_t)before,
                         (int64_t)after->since, after->room, (int64_t)STORE_OLD_MAX);
         more; more = next(database, list)) {
        struct store_head head = column_head(database, list);
        head.since = (uint64_t)column_int(database, list, 8);
        answer_room(parts, &head);
    }
}

static void list_old(struct database *database, const struct store_question *question,
                     struct answer_parts *parts)
{
    const struct store_old *old = &question->old;
    list_old_rooms(database, false, old->rooms, &(struct store_head){.since = 0}, parts);
    list_old_rooms(database, true, old->games, &question->head, parts);
    enum statement list = SQL_GUEST_OLD;
    for (bool more = run(database, list, "ii", (int64_t)old->guests, (int64_t)STORE_OLD_MAX); more;
         more = next(database, list)) {
        struct store_guest guest = {.colour = 0};
        column_text(database, list, 0, guest.id, sizeof guest.id);
        answer_owner(parts, &guest);
    }
}

/* ---- Moving everything ----------------------------------------------------------------------- */

static void column_hash(struct database *database, enum statement number, int column,
                        uint8_t hash[ES_SHA256_BYTES])
{
    sqlite3_stmt *statement = database->statement[number];
    const void *bytes = sqlite3_column_blob(statement, column);
    if (bytes && sqlite3_column_bytes(statement, column) == ES_SHA256_BYTES)
        memcpy(hash, bytes, ES_SHA256_BYTES);
    else
        note(database, SQLITE_CORRUPT);
}

static void read_key(struct database *database, struct store_answer *answer)
{
    if (!run(database, SQL_KEY, ""))
        return;
    column_hash(database, SQL_KEY, 0, answer->key);
    answer->found = true;
    done(database, SQL_KEY);
}

static void page_rooms(struct database *database, const char *after, struct answer_parts *parts)
{
    enum statement list = SQL_ROOM_PAGE;
    for (bool more = run(database, list, "ti", after, (int64_t)STORE_PAGE_MAX); more;
         more = next(database, list)) {
        struct store_head head = column_head(database, list);
        head.since = (uint64_t)column_int(database, list, 8);
        answer_room(parts, &head);
    }
}

/* Adds the devices or the tickets of a guest. */
static void list_passes(struct database *database, enum statement list, const char *guest,
                        struct answer_parts *parts)
{
    for (bool more = run(database, list, "t", guest); more; more = next(database, list)) {
        struct store_pass pass = {.time = (uint64_t)column_int(database, list, 3)};
        strcpy(pass.guest, guest);
        column_hash(database, list, 0, pass.hash);
        column_text(database, list, 1, pass.device, sizeof pass.device);
        column_text(database, list, 2, pass.label, sizeof pass.label);
        answer_pass(parts, &pass);
    }
}

static void page_guests(struct database *database, const char *after, struct answer_parts *parts)
{
    enum statement list = SQL_GUEST_PAGE;
    for (bool more = run(database, list, "ti", after, (int64_t)STORE_PAGE_MAX); more;
         more = next(database, list)) {
        struct store_guest guest = column_guest(database, list);
        answer_owner(parts, &guest);
        list_passes(database, SQL_DEVICE_PAGE, guest.id, parts);
        list_passes(database, SQL_TICKET_PAGE, guest.id, parts);
    }
}

static void page_sheets(struct database *database, const char *after, struct answer_parts *parts)
{
    enum statement list = SQL_MAP_PAGE;
    for (bool more = run(database, list, "ti", after, (int64_t)STORE_PAGE_SHEETS_MAX); more;
         more = next(database, list)) {
        struct store_sheet sheet = {.kept = (uint64_t)column_int(database, list, 1),
                                    .text = column_str(database, list, 2)};
        column_text(database, list, 0, sheet.map, sizeof sheet.map);
        answer_sheet(parts, &sheet);
    }
}

static void read_state(struct database *database, uint64_t time, struct answer_parts *parts)
{
    struct store_answer *answer = parts->answer;
    read_key(database, answer);
    if (run(database, SQL_TOTALS, "")) {
        answer->total.rooms = (uint64_t)column_int(database, SQL_TOTALS, 0);
        answer->total.guests = (uint64_t)column_int(database, SQL_TOTALS, 1);
        answer->total.sheets = (uint64_t)column_int(database, SQL_TOTALS, 2);
        answer->alive = (uint64_t)column_int(database, SQL_TOTALS, 3);
        done(database, SQL_TOTALS);
    }
    enum statement list = SQL_PROCESS_NOTED;
    for (bool more = run(database, list, "i", (int64_t)time - STORE_AWAY_MS); more;
         more = next(database, list)) {
        char process[STORE_PROCESS_BYTES] = "";
        column_text(database, list, 0, process, sizeof process);
        answer_here(parts, process, es_str(""));
    }
    list_gaps(database, parts);
}

static void guest_put(struct database *database, const struct store_question *question)
{
    const char *guest = question->guest.id;
    run(database, SQL_GUEST_PUT, "ttii", guest, question->guest.name,
        (int64_t)question->guest.colour, (int64_t)question->time);
    for (size_t i = 0; i < question->passes; i++) {
        const struct store_pass *pass = &question->pass[i];
        if (pass->device[0])
            run(database, SQL_DEVICE_ADD, "httti", pass->hash, guest, pass->device, pass->label,
                (int64_t)pass->time);
        else
            run(database, SQL_TICKET_ADD, "hti", pass->hash, guest, (int64_t)pass->time);
    }
}

static void state_put(struct database *database, const struct store_question *question)
{
    run(database, SQL_GAP_REMOVE, "");
    for (size_t i = 0; i < question->gaps; i++)
        run(database, SQL_GAP_PUT, "ii", (int64_t)question->gap[i].from,
            (int64_t)question->gap[i].to);
    run(database, SQL_ALIVE_PUT, "i", (int64_t)question->time);
    run(database, SQL_KEY_PUT, "h", question->key);
}

/* ---- Questions ------------------------------------------------------------------------------- */

static enum store_outcome write_one(struct database *database,
                                    const struct store_question *question,
                                    struct answer_parts *parts)
{
    struct store_answer *answer = parts->answer;
    switch (question->kind) {
    case STORE_APPEND:
        return append(database, question, &answer->dropped);
    case STORE_GUEST:
        answer->found = guest_set(database, question);
        break;
    case STORE_TICKET:
        return ticket_add(database, question);
    case STORE_REDEEM:
        return redeem(database, question, answer);
    case STORE_WITHDRAW:
        answer->found = CHANGE(database, SQL_DEVICE_REMOVE, "tt", question->guest.id,
                               question->guest.device) > 0;
        break;
    case STORE_FORGET:
        if (question->note.until)
            block(database, question);
        answer->found = forget(database, question->guest.id, question->time);
        break;
    case STORE_SEEN:
        run(database, SQL_GUEST_SEEN, "it", (int64_t)question->time, question->guest.id);
        break;
    case STORE_DELETE:
        answer->found = room_delete(database, question);
        break;
    case STORE_NOTE:
        answer->found = note_set(database, &question->note, question->first);
        break;
    case STORE_UNNOTE:
        answer->found = note_remove(database, &question->note);
        break;
    case STORE_MAP:
        run(database, SQL_MAP_SET, "tsi", question->map, question->text, (int64_t)question->time);
        break;
    case STORE_COUNT:
        answer->found = count_once(database, question);
        break;
    case STORE_ALIVE:
        alive(database, question, parts);
        break;
    case STORE_HERE:
        answer->found = here_set(database, question);
        break;
    case STORE_GONE:
        answer->found = process_remove(database, question->process);
        break;
    case STORE_CLEAN:
        answer->found = clean(database, question);
        break;
    case STORE_PUT_GUEST:
        guest_put(database, question);
        break;
    case STORE_PUT_STATE:
        state_put(database, question);
        break;
    default:
        assert(!"a question that writes");
    }
    return STORE_STORED;
}

/* Answers a question that writes, in a savepoint of its own. */
static void write_safely(struct database *database, const struct store_question *question,
                         struct answer_parts *parts)
{
    struct store_answer *answer = parts->answer;
    if (!database->is_writing && !database->has_failed) {
        run(database, SQL_BEGIN, "");
        if (database->rc)
            fail(database, "the database cannot be written");
        else
            database->is_writing = true;
    }
    if (database->has_failed) {
        answer->outcome = STORE_FAILED;
        return;
    }
    run(database, SQL_SAVE, "");
    enum store_outcome outcome = write_one(database, question, parts);
    if ((database->rc & 0xff) == SQLITE_CONSTRAINT) {
        outcome = STORE_REFUSED;
        database->rc = SQLITE_OK;
    }
    if (outcome == STORE_REFUSED)
        run(database, SQL_UNDO, "");
    run(database, SQL_RELEASE, "");
    if (database->rc) {
        fail(database, "the database cannot be written");
        outcome = STORE_FAILED;
        parts->failed = true;
    }
    answer->outcome = outcome;
    if (outcome != STORE_STORED)
        answer->found = answer->dropped = false;
}

static void read_one(struct database *database, const struct store_question *question,
                     struct answer_parts *parts)
{
    struct store_answer *answer = parts->answer;
    switch (question->kind) {
    case STORE_READ:
        read_room(database, question, parts);
        break;
    case STORE_FIND:
        find(database, question->head.code, parts);
        break;
    case STORE_WHO:
        who(database, question, answer);
        break;
    case STORE_DEVICES:
        list_devices(database, question, parts);
        break;
    case STORE_SHEET:
        answer->found = read_map(database, question->map, parts);
        break;
    case STORE_MINE:
        list_own_rooms(database, question->guest.id, parts);
        break;
    case STORE_ROOMS:
        list_rooms(database, parts);
        break;
    case STORE_KEY:
        read_key(database, answer);
        break;
    case STORE_NOTED:
        list_notes(database, SQL_NOTE_READ,
                   run(database, SQL_NOTE_READ, "ti", question->note.id, (int64_t)question->time),
                   parts);
        break;
    case STORE_NOTES:
        page_notes(database, &question->note, parts);
        break;
    case STORE_OLD:
        list_old(database, question, parts);
        break;
    case STORE_PAGE_MINE:
        page_own_rooms(database, question, parts);
        break;
    case STORE_PAGE_ROOMS:
        page_rooms(database, question->head.room, parts);
        break;
    case STORE_PAGE_GUESTS:
        page_guests(database, question->guest.id, parts);
        break;
    case STORE_PAGE_SHEETS:
        page_sheets(database, question->map, parts);
        break;
    case STORE_STATE:
        read_state(database, question->time, parts);
        break;
    default:
        assert(!"a question that reads");
    }
    if (database->rc) {
        fail(database, "the database cannot be read");
        parts->failed = true;
    }
}

static void begin(struct database *database)
{
    database->fault[0] = '\0';
    database->has_failed = database->is_closing = false;
    database->is_asked = false;
    if (!is_there(database))
        database->has_failed = true;
    else if (!database->db)
        database->has_failed = !reconnect(database, database->fault);
    else if (!database->is_settled && !database->options.never_settles)
        settle(database);
}

static void answer_one(struct database *database, const struct store_question *question,
                       struct store_answer *answer)
{
    struct answer_parts parts;
    answer_begin(&parts, question, answer);
    database->rc = SQLITE_OK;
    database->is_asked |= store_writes(question->kind);
    if (!database->db || !database->is_settled || database->is_removed)
        parts.failed = true;
    else if (store_writes(question->kind))
        write_safely(database, question, &parts);
    else
        read_one(database, question, &parts);
    answer_end(&parts);
}

static enum store_outcome commit(struct database *database)
{
    enum store_outcome outcome =
        database->is_asked && database->has_failed ? STORE_FAILED : STORE_STORED;
    if (database->is_writing) {
        database->rc = SQLITE_OK;
        run(database, SQL_COMMIT, "");
        if (database->rc) {
            /* On a full disk the file ends before the last page of the group, so the log does not
             * contain it. After other errors it may, even if a page could not be written: the old
             * contents at that place may have been the same. */
            database->is_settled = database->rc == SQLITE_FULL || database->options.never_settles;
            fail(database, "what was being written is not confirmed");
            outcome = STORE_UNKNOWN;
        } else if (!is_there(database)) {
            outcome = STORE_UNKNOWN;
        } else {
            checkpoint(database);
        }
        database->is_writing = false;
    }
    if (database->is_closing)
        disconnect(database, false);
    return outcome;
}

static enum store_outcome database_answer(struct store *store, const struct store_pair *pair,
                                          size_t count)
{
    struct database *database = (struct database *)store;
    begin(database);
    for (size_t i = 0; i < count; i++)
        answer_one(database, pair[i].question, pair[i].answer);
    enum store_outcome outcome = commit(database);
    if (outcome != STORE_STORED)
        answers_give_up(pair, count, outcome);
    return outcome;
}

static const char *database_last_fault(struct store *store)
{
    return ((struct database *)store)->fault;
}

static void database_close(struct store *store)
{
    struct database *database = (struct database *)store;
    disconnect(database, true);
    database_unlock(database->lock);
    free(database->path);
    free(database);
}

struct store *store_sqlite_open(const struct store_sqlite_options *options,
                                char fault[STORE_FAULT_BYTES])
{
    struct database *database = calloc(1, sizeof *database);
    char *path = malloc(strlen(options->path) + 1);
    if (!database || !path) {
        snprintf(fault, STORE_FAULT_BYTES, "out of memory");
        free(path);
        free(database);
        return NULL;
    }
    strcpy(path, options->path);
    database->store = (struct store){database_answer, database_close, database_last_fault, false};
    database->options = *options;
    database->options.path = database->path = path;
    bool needs_lock = !options->vfs && !options->reads;
    for (int i = 0; i < DATABASE_LOCKS; i++)
        database->lock[i] = -1;
    bool may_open = !needs_lock || database_lock(path, database->lock, fault);
    if (may_open && !reconnect(database, fault) && needs_lock)
        database_unmake(path);
    if (!database->db) {
        database_close(&database->store);
        return NULL;
    }
    return &database->store;
}

struct store *store_sqlite_reader(const char *path, char fault[STORE_FAULT_BYTES])
{
    return store_sqlite_open(&(struct store_sqlite_options){.path = path, .reads = true}, fault);
}

struct store *store_sqlite(const char *path, char fault[STORE_FAULT_BYTES])
{
    return store_sqlite_open(&(struct store_sqlite_options){.path = path}, fault);
}

/* ---- Damage ---------------------------------------------------------------------------------- */

/* Ends a statement of the store's thread after some time. */
struct watch {
    sqlite3 *db;
    struct timespec until;
    pthread_mutex_t mutex;
    pthread_cond_t change;
    bool is_over;
};

static void *interrupt(void *context)
{
    struct watch *watch = context;
    pthread_mutex_lock(&watch->mutex);
    while (!watch->is_over &&
           pthread_cond_timedwait(&watch->change, &watch->mutex, &watch->until) != ETIMEDOUT) {
    }
    if (!watch->is_over)
        sqlite3_interrupt(watch->db);
    pthread_mutex_unlock(&watch->mutex);
    return NULL;
}

bool store_look(struct store *store, unsigned ms, char fault[STORE_FAULT_BYTES])
{
    struct database *database = (struct database *)store;
    struct watch watch = {.db = database->db, .mutex = PTHREAD_MUTEX_INITIALIZER};
    pthread_condattr_t attributes;
    pthread_t thread;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&watch.change, &attributes);
    pthread_condattr_destroy(&attributes);
    clock_gettime(CLOCK_MONOTONIC, &watch.until);
    watch.until.tv_sec += ms / 1000;
    watch.until.tv_nsec += (long)(ms % 1000) * 1000000;
    watch.until.tv_sec += watch.until.tv_nsec / 1000000000;
    watch.until.tv_nsec %= 1000000000;
    if (pthread_create(&thread, NULL, interrupt, &watch) != 0)
        return true; /* without a limit it could take hours */
    sqlite3_stmt *statement = NULL;
    const char *wrong = NULL;
    int rc = sqlite3_prepare_v2(database->db, "PRAGMA quick_check(1)", -1, &statement, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW)
        wrong = (const char *)sqlite3_column_text(statement, 0);
    else if (rc != SQLITE_INTERRUPT)
        wrong = sqlite3_errmsg(database->db);
    bool is_good = !wrong || strcmp(wrong, "ok") == 0;
    if (!is_good)
        snprintf(fault, STORE_FAULT_BYTES, "%.140s is damaged: %.120s", database->path,
                 strncmp(wrong, "*** in database main ***\n", 25) == 0 ? wrong + 25 : wrong);
    sqlite3_finalize(statement);
    sqlite3_db_release_memory(database->db); /* of what may not be needed again */
    pthread_mutex_lock(&watch.mutex);
    watch.is_over = true;
    pthread_cond_signal(&watch.change);
    pthread_mutex_unlock(&watch.mutex);
    pthread_join(thread, NULL);
    pthread_cond_destroy(&watch.change);
    return is_good;
}
