/* Declarations shared by the files of the PostgreSQL store.
 *
 * postgres.c answers questions; postgres_link.c connects, sends statements and waits for results;
 * postgres_schema.c makes the tables; postgres_listen.c hears of what other processes have changed.
 */
#ifndef ENDSTATION_STORE_POSTGRES_H
#define ENDSTATION_STORE_POSTGRES_H

#include "store/store.h"
#include <libpq-fe.h>

/* Advisory locks are pairs of numbers: this one, and one of those below or a random one, which a
 * session holds as long as it lives. */
enum { LINK_LOCKS = 0x456e6473 }; /* "Ends" */
enum {
    LINK_LOCK_SCHEMA, /* whoever makes tables */
    LINK_LOCK_ALIVE,  /* shared by all processes that live */
    LINK_LOCK_SESSION /* the first random one */
};

/* Everything but the address is for tests; zeros: as people have it. */
struct store_postgres_options {
    const char *address;
    int group_ms;       /* as long a group may take, instead of LINK_GROUP_MS */
    bool never_settles; /* a mistake, to show that tests find it */
};

/* Like store_postgres(). The address is copied. */
struct store *store_postgres_open(const struct store_postgres_options *options,
                                  char fault[STORE_FAULT_BYTES]);

enum { STORE_SENDER_BYTES = 17 };
/* The name under which a store tells others what it has changed, and the database's address. */
const char *store_postgres_sender(const struct store *store, const char **address);

#define LINK_CHANNEL "endstation"
/* Times in milliseconds. A group is given up by the database before it is given up here. */
enum { LINK_CONNECT_MS = 5000, LINK_GROUP_MS = 20000, LINK_BACKOFF_MS = 5000 };

/* A connection. All waiting has a limit; after it, or any fault of the connection, `db` is NULL. */
struct link {
    PGconn *db; /* NULL: not connected */
    char *address;
    uint64_t deadline; /* of what is under way: a time of link_now() */
    uint64_t retry;    /* not to be tried again before */
    int backoff;       /* milliseconds between the last tries */
    char state[6];     /* SQLSTATE of the latest error of a statement; empty: none */
    char fault[STORE_FAULT_BYTES];
    /* The parameters of the statement that is being sent. */
    char *bytes;
    size_t used, space;
};

/* Milliseconds of a clock that only goes forward. */
uint64_t link_now(void);

/* Connects, within LINK_CONNECT_MS; false with the reason in `fault`. */
bool link_open(struct link *link);
/* Sets when to connect again, after trying: at once, or further and further apart. */
void link_tried(struct link *link, bool is_open);
void link_close(struct link *link);
/* Notes what went wrong: `what`, and the reason that libpq gives for the connection. */
void link_fault(struct link *link, const char *what);
/* Takes in what the database has sent meanwhile; false, and the connection is closed, if it has
 * ended. */
bool link_check(struct link *link);
/* Waits until the database has sent something, or until `limit`, or until there is something to
 * read from `wake` (-1: nothing). Returns false if the connection is lost. */
bool link_wait(struct link *link, uint64_t limit, int wake);

/* Runs SQL outside of a pipeline and returns its last result, to be cleared, or NULL after an
 * error: then `fault` says what, and `state` is set if it was the statement's. */
PGresult *link_run(struct link *link, const char *sql);

/* Sends a prepared statement in a pipeline. The letters of `types` say what follows for each of its
 * parameters: t a text with zero, s a struct es_str, i an int64_t, b a bool, h a hash; I and S: a
 * size_t, and as many int64_t or struct es_str, as an array. */
void link_send(struct link *link, const char *name, const char *types, ...);
/* Returns the next result of a pipeline, to be cleared; NULL if there is none: the statement has
 * failed (`state` is set), or one before it has, or the connection is lost (`db` is NULL). */
PGresult *link_next(struct link *link);
/* Waits for the end of a pipeline for which PQpipelineSync() was called. False: lost. */
bool link_sync(struct link *link);

/* The value of a whole number or a bool. */
int64_t link_int(const PGresult *result, int row, int column);
struct es_str link_str(const PGresult *result, int row, int column);

/* Makes the tables, or brings them up to date. Refuses what is not ours or too new; false with the
 * reason in `fault`. */
bool link_schema(struct link *link);

#endif
