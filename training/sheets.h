/* Random sheets to train on: lines that cross a town on a grid, as on a plan. */
#ifndef TRAINING_SHEETS_H
#define TRAINING_SHEETS_H

#include <endstation/map.h>
#include <endstation/random.h>

/* The sheet of a number: always the same one. */
void training_sheet(uint64_t number, struct es_map *map);

#endif
