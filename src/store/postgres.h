/* Declarations shared by the files of the PostgreSQL store.
 *
 * postgres.c answers questions; postgres_link.c is a connection with time limits; postgres_schema.c
 * makes the tables; postgres_listen.c listens to other processes.
 */
#ifndef ENDSTATION_STORE_POSTGRES_H
#define ENDSTATION_STORE_POSTGRES_H

#include "store/store.h"
#include <libpq-fe.h>

/* Advisory locks have two numbers: LINK_LOCKS, and one of the second enum. From LINK_LOCK_SESSION
 * on they are random; each session holds one until it ends. */
enum { LINK_LOCKS = 0x456e6473 }; /* "Ends" */
enum {
    LINK_LOCK_SCHEMA, /* held while tables are made */
    LINK_LOCK_SESSION = 2
};

/* Everything but the address is for tests; zeros: as people have it. */
struct store_postgres_options {
    const char *address;
    int group_ms;       /* instead of LINK_GROUP_MS */
    bool never_settles; /* a mistake, to show that tests find it */
};

/* Like store_postgres(). The address is copied. */
struct store *store_postgres_open(const struct store_postgres_options *options,
                                  char fault[STORE_FAULT_BYTES]);

enum { STORE_SENDER_BYTES = 17 };
/* Returns the name by which the store signs its notifications, and sets the database's address. */
const char *store_postgres_sender(const struct store *store, const char **address);

#define LINK_CHANNEL "endstation"
/* Time limits in milliseconds. That of a group is longer than those in the settings of a session
 * (postgres_link.c), so that usually the server reports the error. */
enum { LINK_CONNECT_MS = 5000, LINK_GROUP_MS = 20000, LINK_BACKOFF_MS = 500 };

/* A connection. If it is lost, or a time limit passes, it is closed: `db` is NULL then. */
struct link {
    PGconn *db; /* NULL: not connected */
    char *address;
    uint64_t deadline; /* time of link_now() at which the current operation is given up */
    uint64_t retry;    /* time of link_now() before which not to connect again */
    int backoff;       /* milliseconds from the last attempt to `retry` */
    char state[6];     /* SQLSTATE of the first failed statement; empty: none */
    char fault[STORE_FAULT_BYTES];
    bool is_damaged; /* something could not be read because it is damaged; stays so */
    /* The parameters of the statement that is being sent. */
    char *bytes;
    size_t used, space;
};

/* Milliseconds of a clock that only goes forward. */
uint64_t link_now(void);

/* Connects, within LINK_CONNECT_MS; false with the reason in `fault`. */
bool link_open(struct link *link);
/* Sets `retry` after an attempt to connect: doubles the interval after each failure. */
void link_tried(struct link *link, bool is_open);
void link_close(struct link *link);
/* Sets `fault`: `what`, and libpq's reason. */
void link_fault(struct link *link, const char *what);
/* Reads what the server has sent while nothing was asked. Returns false, and closes the connection,
 * if the server has ended it. */
bool link_check(struct link *link);
/* Sends and receives until something has come from the server, until `limit`, a time of link_now(),
 * or until `wake`, a descriptor (-1: none), can be read. Returns false if the connection is lost.
 */
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
