/* What the benches share. */
#ifndef ENDSTATION_BENCH_H
#define ENDSTATION_BENCH_H

#include "cli/cli.h"

/* The time that this thread has had, in nanoseconds: others may need the processor too. */
double bench_now_ns(void);
/* Nanoseconds of a step of a fixed loop: a time alone says little on a shared machine. */
double bench_calibrate(void);

/* Times the pictures of every built-in sheet and of the board, all full. */
int bench_pictures(void);
/* Times the bots' thinking. */
int bench_bots(void);

#endif
