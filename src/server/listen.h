/* Opening the sockets that a server listens on. */
#ifndef ENDSTATION_LISTEN_H
#define ENDSTATION_LISTEN_H

#include "server.h"

enum { LISTEN_MAX = 8 };

struct listener {
    int count, socket[LISTEN_MAX];
    unsigned port;
};

/* Opens every address that `address` stands for (NULL: localhost, IPv4 and where there is one IPv6)
 * at the first of so many ports where all are free. False with the reason. */
bool listen_open(struct listener *listener, const char *address, unsigned port, unsigned ports,
                 char fault[SERVER_FAULT_BYTES]);
void listen_close(struct listener *listener);

#endif
