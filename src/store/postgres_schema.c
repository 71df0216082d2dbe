/* The tables of the PostgreSQL store, as numbered steps, in a schema of their own. They are the
 * same as those of SQLite (schema.c), where what stands there in comments holds here, too. A step
 * is never changed once it has been released; changes are new steps.
 *
 * During an upgrade, processes of two versions share the tables. So the tables say not only how
 * many steps they have seen, but also how many a program has to know to use them: a step that older
 * programs can live with leaves that number as it is.
 */
#include "store/postgres.h"
#include <stdio.h>
#include <string.h>

struct step {
    int oldest; /* programs that know fewer steps cannot use the tables after this one */
    const char *sql;
};

/* `next` is the number of the room's next entry. Rows of rooms change with every entry: space is
 * left in their pages, so that the indexes need not change with them. */
static const struct step step[] = {
    {1, "CREATE TABLE room (\n"
        "  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,\n"
        "  id text NOT NULL UNIQUE,\n"
        "  next bigint NOT NULL,\n"
        "  code text NOT NULL,\n"
        "  map text NOT NULL,\n"
        "  over boolean NOT NULL,\n"
        "  over_since bigint NOT NULL,\n"
        "  listed boolean NOT NULL,\n"
        "  wake bigint NOT NULL,\n"
        "  changed bigint NOT NULL,\n"
        "  people text NOT NULL\n"
        ") WITH (fillfactor = 60);\n"
        "CREATE UNIQUE INDEX room_code ON room (code) WHERE NOT over AND code <> '';\n"
        "CREATE INDEX room_open ON room (id) WHERE NOT over;\n"
        "CREATE TABLE entry (\n"
        "  room bigint NOT NULL,\n"
        "  number bigint NOT NULL,\n"
        "  time bigint NOT NULL,\n"
        "  kind smallint NOT NULL,\n"
        "  seat smallint NOT NULL,\n"
        "  decision integer NOT NULL,\n"
        "  guest text NOT NULL,\n"
        "  key text NOT NULL,\n"
        "  text text NOT NULL,\n"
        "  PRIMARY KEY (room, number)\n"
        ");\n"
        "CREATE UNIQUE INDEX entry_decision ON entry (room, seat, decision) WHERE decision >= 0;\n"
        "CREATE UNIQUE INDEX entry_key ON entry (room, guest, key) WHERE key <> '';\n"
        "CREATE INDEX entry_chat ON entry (guest) WHERE kind = 67 AND text <> '';\n"
        "CREATE TABLE person (\n"
        "  guest text NOT NULL,\n"
        "  room bigint NOT NULL,\n"
        "  PRIMARY KEY (guest, room)\n"
        ");\n"
        "CREATE INDEX person_room ON person (room);\n"
        "CREATE TABLE guest (\n"
        "  id text PRIMARY KEY,\n"
        "  name text NOT NULL,\n"
        "  colour smallint NOT NULL\n"
        ");\n"
        "CREATE TABLE device (\n"
        "  token bytea PRIMARY KEY,\n"
        "  guest text NOT NULL,\n"
        "  id text NOT NULL,\n"
        "  label text NOT NULL,\n"
        "  made bigint NOT NULL,\n"
        "  UNIQUE (guest, id)\n"
        ");\n"
        "CREATE TABLE ticket (\n"
        "  ticket bytea PRIMARY KEY,\n"
        "  guest text NOT NULL,\n"
        "  until bigint NOT NULL\n"
        ");\n"
        "CREATE INDEX ticket_guest ON ticket (guest);\n"
        "CREATE TABLE map (hash text PRIMARY KEY, text text NOT NULL);\n"
        "CREATE TABLE gap (start bigint PRIMARY KEY, stop bigint NOT NULL);\n"
        "CREATE TABLE alive (one integer PRIMARY KEY CHECK (one = 1), time bigint NOT NULL);\n"},
    {2, "ALTER TABLE map ADD COLUMN kept bigint NOT NULL DEFAULT 0;\n"
        "CREATE INDEX map_kept ON map (kept);\n"
        "CREATE INDEX room_map ON room (map) WHERE map <> '';\n"},
    {2, "CREATE TABLE tally (\n"
        "  kind smallint NOT NULL,\n"
        "  who bigint NOT NULL,\n"
        "  start bigint NOT NULL,\n"
        "  count integer NOT NULL,\n"
        "  PRIMARY KEY (kind, who)\n"
        ");\n"
        "CREATE INDEX tally_start ON tally (start);\n"},
    /* There is no index of `wake`, which changes with every entry: all indexes of the room would
     * have to change with it (46 % more to log, and 15 % more time). The rooms that are due are
     * looked for among all that are not over, every few seconds; that takes 10 ms for 20,000.
     * `chat`: it may have some that was not deleted. After a crash of the server, tables that are
     * not logged are empty: all processes have to note themselves again, and to say again what they
     * say. */
    {2, "ALTER TABLE room ADD COLUMN claimed bigint NOT NULL DEFAULT 0;\n"
        "ALTER TABLE room ADD COLUMN claimer text NOT NULL DEFAULT '';\n"
        "ALTER TABLE room ADD COLUMN chat boolean NOT NULL DEFAULT true;\n"
        "CREATE INDEX room_chat ON room (over_since) WHERE over AND chat;\n"
        "CREATE INDEX room_listed ON room (id COLLATE \"C\") WHERE listed;\n"
        "CREATE UNLOGGED TABLE process (id text PRIMARY KEY, noted bigint NOT NULL)\n"
        "  WITH (fillfactor = 50);\n"
        "CREATE UNLOGGED TABLE here (\n"
        "  room text NOT NULL,\n"
        "  process text NOT NULL,\n"
        "  text text NOT NULL,\n"
        "  PRIMARY KEY (room, process)\n"
        ") WITH (fillfactor = 60);\n"
        "CREATE INDEX here_process ON here (process);\n"
        "CREATE TABLE key (one integer PRIMARY KEY CHECK (one = 1), key bytea NOT NULL);\n"
        "INSERT INTO key SELECT 1, sha256(convert_to(string_agg(gen_random_uuid()::text, ''), "
        "'UTF8')) FROM generate_series(1, 4);\n"
        "INSERT INTO alive (one, time) VALUES (1, 0) ON CONFLICT DO NOTHING;\n"},
    /* For pages of everything, which are in the order of bytes, whatever the database's language.
     */
    {2, "CREATE INDEX room_page ON room (id COLLATE \"C\");\n"
        "CREATE INDEX guest_page ON guest (id COLLATE \"C\");\n"
        "CREATE INDEX map_page ON map (hash COLLATE \"C\");\n"},
    {2, "CREATE TABLE note (\n"
        "  id text COLLATE \"C\" PRIMARY KEY,\n"
        "  guest text NOT NULL,\n"
        "  made bigint NOT NULL,\n"
        "  until bigint NOT NULL,\n"
        "  text text NOT NULL\n"
        ");\n"
        "CREATE INDEX note_guest ON note (guest);\n"
        "CREATE INDEX note_until ON note (until);\n"},
    /* Codes of rooms have twelve characters from here on. Programs that know fewer steps read the
     * first eight of them, and would write them back. */
    {2, "CREATE FUNCTION keep_code() RETURNS trigger LANGUAGE plpgsql AS\n"
        "  $$ BEGIN NEW.code := OLD.code; RETURN NEW; END $$;\n"
        "CREATE TRIGGER room_keeps_code BEFORE UPDATE ON room FOR EACH ROW\n"
        "  WHEN (NEW.code <> OLD.code AND NEW.code = left(OLD.code, 8))\n"
        "  EXECUTE FUNCTION keep_code();\n"},
    /* Rooms that were over before this step count as begun, because looking at all their entries
     * would take long; so do rooms that an older program makes. An older program does not note when
     * guests are here, so those that it makes count as seen then. */
    {2, "ALTER TABLE room ADD COLUMN begun boolean NOT NULL DEFAULT true;\n"
        "UPDATE room SET begun = false WHERE NOT over AND NOT EXISTS "
        "(SELECT FROM entry WHERE room = n AND kind = 66);\n"
        "CREATE INDEX room_old ON room (begun, over_since, id COLLATE \"C\") WHERE over;\n"
        "ALTER TABLE guest ADD COLUMN seen bigint NOT NULL DEFAULT "
        "(extract(epoch FROM now()) * 1000)::bigint;\n"
        "CREATE INDEX guest_seen ON guest (seen, id COLLATE \"C\");\n"},
};

enum { VERSION = sizeof step / sizeof *step };

/* Runs SQL whose result does not matter. */
static bool run(struct link *link, const char *sql)
{
    PGresult *result = link_run(link, sql);
    PQclear(result);
    return result != NULL;
}

/* Returns the first value of a query, as a number; `none` if there is no row, -1 after an error. */
static int number(struct link *link, const char *sql, int none)
{
    PGresult *result = link_run(link, sql);
    int value = !result ? -1 : none;
    if (result && PQntuples(result) > 0 && !PQgetisnull(result, 0, 0))
        sscanf(PQgetvalue(result, 0, 0), "%d", &value);
    PQclear(result);
    return value;
}

/* Returns how many steps the tables have seen, 0 if there are none; -1 with the reason in `fault`.
 */
static int version_of(struct link *link)
{
    if (number(link, "SELECT 1 WHERE current_setting('server_encoding') = 'UTF8'", 0) == 0) {
        snprintf(link->fault, sizeof link->fault, "the database's encoding must be UTF8");
        return -1;
    }
    /* Functions like to_regnamespace() may not see yet what another process has just made. */
    int schema = number(link, "SELECT 1 FROM pg_namespace WHERE nspname = 'endstation'", 0);
    if (schema <= 0)
        return schema;
    if (number(link,
               "SELECT 1 FROM pg_class JOIN pg_namespace AS n ON n.oid = relnamespace "
               "WHERE relname = 'version' AND nspname = 'endstation'",
               0) == 0) {
        snprintf(link->fault, sizeof link->fault,
                 "the database has a schema 'endstation' of another program");
        return -1;
    }
    int version = number(link, "SELECT version FROM endstation.version", 0);
    int oldest = number(link, "SELECT oldest FROM endstation.version", 0);
    if (version >= 0 && oldest > VERSION) {
        snprintf(link->fault, sizeof link->fault,
                 "the database was written by a newer Endstation (version %d of the tables; this "
                 "program knows %d): use that program",
                 version, (int)VERSION);
        return -1;
    }
    return oldest < 0 ? -1 : version;
}

/* Makes what is missing, in a transaction in which no other process does the same. */
static bool make_tables(struct link *link)
{
    char sql[200];
    snprintf(sql, sizeof sql,
             "BEGIN; SET LOCAL lock_timeout = 0; SELECT pg_advisory_xact_lock(%d, %d)",
             (int)LINK_LOCKS, (int)LINK_LOCK_SCHEMA);
    if (!run(link, sql))
        return false;
    int version = version_of(link);
    if (version < 0)
        return false;
    if (version == 0 &&
        !run(link, "CREATE SCHEMA IF NOT EXISTS endstation; SET search_path = endstation; "
                   "CREATE TABLE version (one integer PRIMARY KEY CHECK (one = 1), "
                   "version integer NOT NULL, oldest integer NOT NULL); "
                   "INSERT INTO version VALUES (1, 0, 0)"))
        return false;
    for (; version < VERSION; version++) {
        snprintf(sql, sizeof sql, "UPDATE endstation.version SET version = %d, oldest = %d",
                 version + 1, step[version].oldest);
        if (!run(link, step[version].sql) || !run(link, sql))
            return false;
    }
    return run(link, "COMMIT");
}

bool link_schema(struct link *link)
{
    if (!run(link, "SET search_path = endstation"))
        return false;
    int version = version_of(link);
    return version >= VERSION || (version >= 0 && make_tables(link));
}
