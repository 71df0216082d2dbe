/* What the files of metro's `bench` share. */
#ifndef ENDSTATION_METRO_BENCH_H
#define ENDSTATION_METRO_BENCH_H

#include <endstation/metro.h>

/* Writes all ES_METRO_TILES tiles in a random order. */
void es__metro_shuffle(struct es_random *random, uint8_t *order);

#endif
