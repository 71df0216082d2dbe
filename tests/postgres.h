/* A private PostgreSQL for tests, by scripts/postgres.sh. */
#ifndef ENDSTATION_TEST_POSTGRES_H
#define ENDSTATION_TEST_POSTGRES_H

/* Starts it in a folder, where it may already have been. Returns its address; NULL, and says so, if
 * PostgreSQL is not installed or the program is built without it. */
const char *postgres_start(const char *folder);
/* Stops it: "fast", or "immediate" like a crash. */
void postgres_stop(const char *folder, const char *mode);
/* Runs SQL in a connection of its own. */
void postgres_sql(const char *address, const char *sql);
/* Removes all tables. */
void postgres_empty(const char *address);

#endif
