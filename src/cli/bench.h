/* What the benches share. */
#ifndef ENDSTATION_BENCH_H
#define ENDSTATION_BENCH_H

#include "cli/terminal.h"
#include <games.h>

/* The time that this thread has had, in nanoseconds: others may need the processor too. */
double bench_now_ns(void);
/* Nanoseconds of a step of a fixed loop: a time alone says little on a shared machine. */
double bench_calibrate(void);

/* Measures one game, as search plays it and through the game interface, prints what came out, and
 * writes its line for the end. `about`: what a move is. */
int bench_game(const struct es_setup *setup, unsigned games, const char *about,
               char line[BENCH_LINE_BYTES]);

/* Times the pictures of every built-in sheet and of the board, all full. */
int bench_pictures(void);
/* Times the bots' thinking. */
int bench_bots(void);

#endif
