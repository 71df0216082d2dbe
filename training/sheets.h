/* Random sheets to train on: lines that cross a town on a grid, as on a plan. */
#ifndef TRAINING_SHEETS_H
#define TRAINING_SHEETS_H

#include <endstation/map.h>
#include <endstation/random.h>

/* Reads the sheet of a number into `map`; always the same one for a number. */
void training_sheet(uint64_t number, struct es_map *map);

#endif
