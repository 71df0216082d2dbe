/* Declarations shared by the files of `endstation bench`. */
#ifndef ENDSTATION_BENCH_H
#define ENDSTATION_BENCH_H

#include "cli/terminal.h"
#include <games.h>

/* Returns the CPU time of this thread in nanoseconds. */
double bench_now_ns(void);
/* Returns the nanoseconds per step of a fixed loop, to compare times from shared machines. */
double bench_calibrate(void);

/* Measures one game through the functions that search uses and through the game interface, prints
 * the result, and writes its line for the end. `about`: what a move is. */
int bench_game(const struct es_setup *setup, unsigned games, const char *about,
               char line[BENCH_LINE_BYTES]);

/* Times the pictures of every built-in sheet and of the board, all full. */
int bench_pictures(void);
/* Times the bots' thinking. */
int bench_bots(void);
/* Times the analysis of a game. */
int bench_analysis(void);

#endif
