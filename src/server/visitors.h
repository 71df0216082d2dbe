/* How many connections each address, or network, has. */
#ifndef ENDSTATION_VISITORS_H
#define ENDSTATION_VISITORS_H

#include <stdbool.h>
#include <stdint.h>

enum { VISITORS_BUCKETS = 4096 };

struct visitor {
    struct visitor *next; /* in its bucket */
    uint64_t address;     /* or network: a keyed hash, so that nobody can choose the bucket */
    uint32_t connections;
};

/* Zeros: nobody. */
struct visitors {
    struct visitor *bucket[VISITORS_BUCKETS];
};

/* Counts a connection. NULL if it has `most` already, or there is no memory. */
struct visitor *visitors_enter(struct visitors *visitors, uint64_t address, uint32_t most);
/* Counts it no longer; a visitor without connections is freed. */
void visitors_leave(struct visitors *visitors, struct visitor *visitor);

#endif
