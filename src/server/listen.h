/* Opens the sockets that the server listens on. */
#ifndef ENDSTATION_LISTEN_H
#define ENDSTATION_LISTEN_H

#include "server/server.h"

enum { LISTEN_MAX = 8 };

struct listener {
    int count, socket[LISTEN_MAX];
    unsigned port;
    char *path; /* of a Unix socket, removed at the end; NULL: none */
};

/* Listens at one port on every address that `address` resolves to (NULL: 127.0.0.1 and ::1, as far
 * as available). Port 0 lets the system choose one. On failure returns false and writes the reason
 * to `fault`. */
bool listen_open(struct listener *listener, const char *address, unsigned port,
                 char fault[SERVER_FAULT_BYTES]);
/* Listens on a Unix socket that its owner and group may use. Replaces a socket that nobody listens
 * on any more. */
bool listen_unix(struct listener *listener, const char *path, char fault[SERVER_FAULT_BYTES]);
/* Removes the path of a Unix socket: new connections fail, those that wait can still be accepted.
 */
void listen_hide(struct listener *listener);
void listen_close(struct listener *listener);

#endif
