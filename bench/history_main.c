/* Checks the history in a database against a log of what clients were told (history.h), after the
 * servers have been stopped.
 *
 *     history DATABASE LOG        DATABASE: postgres://…, or the file of an SQLite database
 *     history DATABASE --sql SQL  runs SQL instead, in PostgreSQL: to plant faults in a copy
 *
 * Prints every violation. Exits with 1 if there are any.
 */
#include "history.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef ES_POSTGRES
#include <libpq-fe.h>
#endif

enum { SHOWN = 30 };

static struct history_room *room;
static size_t rooms;

static void add_room(const char *id)
{
    if (rooms % 1024 == 0)
        room = realloc(room, (rooms + 1024) * sizeof *room);
    if (!room)
        abort();
    snprintf(room[rooms++].id, sizeof room->id, "%s", id);
}

#ifdef ES_POSTGRES
/* Runs SQL and calls `row` for the first value of each row. */
static bool ask_postgres(const char *database, const char *sql, void (*row)(const char *value))
{
    PGconn *db = PQconnectdb(database);
    PGresult *result = PQexec(db, sql);
    ExecStatusType status = PQresultStatus(result);
    bool is_right = status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
    for (int i = 0; i < PQntuples(result); i++)
        row(PQgetvalue(result, i, 0));
    if (!is_right)
        fprintf(stderr, "history: %s", PQerrorMessage(db));
    PQclear(result);
    PQfinish(db);
    return is_right;
}
#else
static bool ask_postgres(const char *database, const char *sql, void (*row)(const char *value))
{
    (void)database, (void)sql, (void)row;
    return false;
}
#endif

static bool ask_sqlite(const char *database, const char *sql, void (*row)(const char *value))
{
    sqlite3 *db = NULL;
    sqlite3_stmt *query = NULL;
    bool is_right = false;
    if (sqlite3_open_v2(database, &db, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
        sqlite3_prepare_v2(db, sql, -1, &query, NULL) == SQLITE_OK) {
        int step;
        while ((step = sqlite3_step(query)) == SQLITE_ROW)
            row((const char *)sqlite3_column_text(query, 0));
        is_right = step == SQLITE_DONE;
    }
    if (!is_right)
        fprintf(stderr, "history: %s: %s\n", database, sqlite3_errmsg(db));
    sqlite3_finalize(query);
    sqlite3_close(db);
    return is_right;
}

/* The storage interface has no list of all rooms. */
static bool find_rooms(const char *database, bool is_postgres)
{
    return is_postgres ? ask_postgres(database, "SELECT id FROM endstation.room", add_room)
                       : ask_sqlite(database, "SELECT id FROM room", add_room);
}

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t space = 0;
    *size = 0;
    while (file && !feof(file) && !ferror(file)) {
        if (*size == space)
            text = realloc(text, space = 2 * space + 65536);
        if (!text)
            abort();
        *size += fread(text + *size, 1, space - *size, file);
    }
    if (!file || ferror(file)) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return text;
}

static void show(void *context, const char *text)
{
    int *shown = context;
    if (++*shown <= SHOWN)
        printf("%s\n", text);
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[2], "--sql") == 0)
        return !ask_postgres(argv[1], argv[3], add_room);
    if (argc != 3) {
        fprintf(stderr, "usage: history DATABASE LOG\n");
        return 2;
    }
    char fault[STORE_FAULT_BYTES] = "";
    bool is_postgres = strncmp(argv[1], "postgres", 8) == 0;
    int shown = 0;
    size_t size;
    char *log = read_file(argv[2], &size);
    if (!find_rooms(argv[1], is_postgres))
        return 1;
    struct store *store =
        is_postgres ? store_postgres(argv[1], fault) : store_sqlite(argv[1], fault);
    if (!store) {
        fprintf(stderr, "history: %s\n", fault);
        return 1;
    }
    struct history_facts facts = history_check(&(struct history){.store = store,
                                                                 .log = {log, size},
                                                                 .room = room,
                                                                 .rooms = rooms,
                                                                 .complain = show,
                                                                 .context = &shown});
    store->close(store);
    free(room);
    free(log);
    printf("history: %zu rooms, %zu entries, %zu moves of people (%zu acknowledged), %zu other "
           "things acknowledged, %zu records verified, %zu streams compared: ",
           facts.rooms, facts.entries, facts.moves, facts.acknowledged, facts.others,
           facts.finished, facts.streams);
    if (facts.complaints)
        printf("%zu violations\n", facts.complaints);
    else
        printf("nothing is lost, nothing is there twice\n");
    return facts.complaints > 0;
}
