/* How many connections each address has, and each network, and which have most. */
#ifndef ENDSTATION_VISITORS_H
#define ENDSTATION_VISITORS_H

#include <stdbool.h>
#include <stdint.h>

enum { VISITORS_BUCKETS = 4096, VISITORS_MOST = 16384 };

struct connection;

/* Connections, in the order in which they were put on the list. */
struct list {
    struct connection *first, *last;
};

/* An address, or a network. */
struct visitor {
    struct visitor *next; /* in its bucket */
    uint64_t number;      /* a keyed hash, so that nobody can choose the bucket */
    bool is_network;
    struct visitor *network; /* that an address is in */
    struct visitor *after, **link;
    struct visitor *addresses; /* of a network */
    uint32_t connections;
    struct list list; /* of an address; its owner keeps it */
};

/* Zeros: nobody. */
struct visitors {
    struct visitor *bucket[VISITORS_BUCKETS];
    struct visitor *with[VISITORS_MOST + 1]; /* networks, by how many connections they have */
    uint32_t most;                           /* of a network */
};

/* Counts a connection. Returns its address; NULL if that has `most` already or its network
 * `most_of_network`, or there is no memory. */
struct visitor *visitors_enter(struct visitors *visitors, uint64_t address, uint64_t network,
                               uint32_t most, uint32_t most_of_network);
/* Counts it no longer; an address or network without connections is freed. */
void visitors_leave(struct visitors *visitors, struct visitor *address);
/* NULL: it has no connections. */
struct visitor *visitors_find(struct visitors *visitors, uint64_t number, bool is_network);
/* Returns the network with most connections; NULL: there are none. */
struct visitor *visitors_most(const struct visitors *visitors);
/* Returns the address with most connections in a network; of several, the one that came first. */
struct visitor *visitors_most_in(const struct visitor *network);

#endif
