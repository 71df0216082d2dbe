/* What other processes use, from /proc. A process that is gone has used nothing. */
#ifndef BENCH_USAGE_H
#define BENCH_USAGE_H

/* Processor time, in seconds. */
double usage_seconds(long process);
/* The same of a process and all its children, also those that have ended: PostgreSQL. */
double usage_tree_seconds(long process);
long usage_kilobytes(long process);
/* Calls `found` for every child, with its command line as far as it fits. */
void usage_children(long process, void (*found)(void *context, long child, const char *command),
                    void *context);

#endif
