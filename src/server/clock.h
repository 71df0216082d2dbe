/* The time by which rooms live: that of a clock that people set, the machine's or for processes
 * that share a store the store's, but without its jumps. It runs like the boot clock, which counts
 * while the machine sleeps and cannot be set. A clock that is ahead for a moment, because somebody
 * or a time server has set it wrong, changes nothing: its jump is followed when it has been ahead
 * by the same time for a minute. Ours never goes back. */
#ifndef ENDSTATION_CLOCK_H
#define ENDSTATION_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { CLOCK_NEAR_MS = 2000, CLOCK_STEADY_MS = 60000 };

/* Milliseconds. */
struct clock {
    uint64_t base;  /* our time is this plus the boot clock */
    int64_t ahead;  /* by how much the other clock is ahead of ours, when it was first seen … */
    uint64_t since; /* … at this time of the boot clock; 0: it agrees */
};

/* `boot` is the boot clock, `real` the other one, in milliseconds since 1970. */
void clock_start(struct clock *clock, uint64_t boot, uint64_t real);
/* Returns our time. */
uint64_t clock_now(struct clock *clock, uint64_t boot, uint64_t real);
/* Returns the milliseconds by which the other clock has been ahead of ours for a minute (negative:
 * behind); 0: it agrees, or has only just changed. */
int64_t clock_apart(const struct clock *clock, uint64_t boot);

#endif
