/* What a sheet is worth as a game and as a picture. */
#ifndef ENDSTATION_CHECK_H
#define ENDSTATION_CHECK_H

#include "cli/cli.h"

/* Prints a report on a map (a built-in id or a file) from so many games. */
int cli_check_map(const char *name, int games);

#endif
