/* Opening the store that --data or --store names, for commands that work on all of it, and telling
 * how far they are. */
#ifndef ENDSTATION_CLI_STORES_H
#define ENDSTATION_CLI_STORES_H

#include "store/store.h"

struct stores_wish {
    const char *command, *data, *address; /* the values of --data and --store */
};

/* Whether others may use the store meanwhile, and whether it may be made. */
enum stores_use {
    STORES_READ,  /* servers may run */
    STORES_WHOLE, /* no server may run */
    STORES_MAKE,  /* … and it is made if it is missing, or an import into it was interrupted */
};

/* Checks the two options. Returns CLI_OK, or prints what is wrong. */
int stores_check(const struct stores_wish *wish);
/* Writes the name of the database of --data; false with the reason in `fault`. */
bool stores_path(const struct stores_wish *wish, char path[], char fault[STORE_FAULT_BYTES]);
/* Prints the reason and returns NULL on failure. */
struct store *stores_open(const struct stores_wish *wish, enum stores_use use);
/* Prints a reason; returns CLI_BAD_INPUT. */
int stores_fail(const struct stores_wish *wish, const char *fault);
/* Returns `now` for struct transfer: an SQLite store is locked while it is open as a whole; in a
 * shared one processes are looked for. */
uint64_t stores_time(const struct stores_wish *wish);
/* Returns the time by the machine's clock, in milliseconds since 1970. */
uint64_t stores_now(void);

/* How far a command is: shown on a terminal only, a few times a second. */
struct stores_progress {
    bool is_terminal, is_shown;
    uint64_t next; /* when to show it again */
};
/* A function for struct transfer and struct records; `context`: a struct stores_progress. */
void stores_show(void *context, const char *what, uint64_t done, uint64_t all);
/* Removes the line. */
void stores_hide(struct stores_progress *progress);

#endif
