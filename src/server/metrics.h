/* The operator's figures as text, in the format that Prometheus reads. */
#ifndef ENDSTATION_METRICS_H
#define ENDSTATION_METRICS_H

#include "rooms/rooms.h"
#include "server/hearer.h"
#include "server/server.h"
#include "server/thinkers.h"
#include "server/writer.h"

enum { METRICS_BYTES = 16384 };

struct metrics {
    const char *version;
    const struct rooms_counts *rooms;
    const struct server_counts *server;
    struct writer_counts writer;
    bool has_hearer; /* the store is shared */
    struct hearer_counts hearer;
    struct thinkers_counts thinkers;
    uint64_t seconds; /* since the start */
};

void metrics_write(const struct metrics *metrics, char *text, size_t size);

#endif
