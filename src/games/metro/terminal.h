/* Declarations shared by the files terminal*.c of metro. */
#ifndef ENDSTATION_SRC_METRO_TERMINAL_H
#define ENDSTATION_SRC_METRO_TERMINAL_H

#include "cli/terminal.h"
#include <endstation/metro.h>

extern const struct cli_print es__metro_print;
int es__metro_bench(unsigned games, char line[BENCH_LINE_BYTES]);

#endif
