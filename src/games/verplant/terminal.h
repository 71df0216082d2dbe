/* Declarations shared by the files terminal*.c of verplant. */
#ifndef ENDSTATION_SRC_VERPLANT_TERMINAL_H
#define ENDSTATION_SRC_VERPLANT_TERMINAL_H

#include "cli/terminal.h"
#include <endstation/verplant.h>

extern const struct cli_command es__cli_maps, es__cli_hindsight;
extern const struct cli_print es__verplant_print;
int es__verplant_bench(unsigned games, char line[BENCH_LINE_BYTES]);

/* Prints a report on the map of a file from `games` games (terminal_check.c). */
int es__verplant_check_map(struct cli_files *files, const char *name, const struct es_map *map,
                           int games);

#endif
