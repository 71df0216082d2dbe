/* Stands between servers and their PostgreSQL, in a process of its own, and cuts connections in the
 * middle of whatever passes. */
#ifndef BENCH_CUTTER_H
#define BENCH_CUTTER_H

#include <stdbool.h>
#include <stdint.h>

struct cutter {
    long process;
    int command; /* a pipe */
};

/* Listens on a socket in `folder`, named as PostgreSQL names its own, and passes everything on to
 * the one in `postgres`. False: it could not be started. */
bool cutter_start(struct cutter *cutter, const char *folder, const char *postgres);
/* After so many more bytes, on all connections together, the one that passed the last of them is
 * cut. */
void cutter_cut(const struct cutter *cutter, uint32_t bytes);
void cutter_stop(struct cutter *cutter);

#endif
