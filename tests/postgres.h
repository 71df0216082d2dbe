/* A private PostgreSQL for tests, by scripts/postgres.sh, in a temporary folder of theirs. */
#ifndef ENDSTATION_TEST_POSTGRES_H
#define ENDSTATION_TEST_POSTGRES_H

/* The folder; the server is in its folder `postgres`. (The names of sockets are short.) */
extern char postgres_folder[60];
/* The address of the server; NULL: there is none. */
extern const char *postgres_address;

/* Makes the folder and starts the server, where it is installed; stops it and removes the folder.
 * For groups of tests: both return 0, or -1 if it fails. */
int postgres_make_folder(void **state);
int postgres_remove_folder(void **state);
/* A path in the folder. It stays as it is until the fourth call after this one. */
const char *path_of(const char *name);

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
