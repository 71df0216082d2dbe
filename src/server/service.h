/* The service: connects the rooms' logic with sockets, a store and bots. It only translates: what
 * comes from the sockets, the writer, the hearer and the thinkers becomes an input of the rooms,
 * and their outputs go the other way.
 *
 *     service = service_open(&options);
 *     server = server_open(… .events = &service_events, .context = service …);
 *     service_start(service, server, store, fault);
 *     server_run(server);
 *     service_stop(service);      // the rooms get nothing more
 *     server_close(server);
 *     service_close(service);
 */
#ifndef ENDSTATION_SERVICE_H
#define ENDSTATION_SERVICE_H

#include "rooms/rooms.h"
#include "server/server.h"
#include "server/site.h"

struct service_options {
    struct site *site;
    const char *version; /* of the program */
    unsigned bots;       /* threads for bots; 0: as many as there are cores, at most 4 */
    bool log;            /* print events to standard error; faults are always printed */
    bool shared;         /* other processes use the store, too; it is one of store_postgres() */
    unsigned operate_ms; /* how long service_operate() waits; 0: 10 s */
    struct rooms_limits limits;
    struct rooms_keep keep;
    const char *records; /* the folder for the records of games that are deleted; NULL: none */
};

struct service;

extern const struct server_events service_events;

/* NULL: the system is short of memory or threads. */
struct service *service_open(const struct service_options *options);
/* Begins to use the server and the store, which service_close() closes then. On failure returns
 * false and writes the reason to `fault`. */
bool service_start(struct service *service, struct server *server, struct store *store,
                   char fault[STORE_FAULT_BYTES]);
/* Hands a message of the operator to the rooms (src/rooms/operator.c), waits for the answer and
 * returns its status. Without an answer that is 503: the server is ending, or 504: none came in
 * time, because the store fails or the room cannot be read; it may still be done later. Free
 * *answer, which may be NULL. Call it from one thread, not the server's. */
int service_operate(struct service *service, const char *text, char **answer);
/* Ends the threads of bots and store. Inputs after this are ignored. */
void service_stop(struct service *service);
void service_close(struct service *service);

#endif
