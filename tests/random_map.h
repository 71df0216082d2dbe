/* Random sheets for tests: small and large, with rings, special stations, bends, names. The same
 * random numbers always give the same map. */
#ifndef ENDSTATION_RANDOM_MAP_H
#define ENDSTATION_RANDOM_MAP_H

#include <endstation/random.h>
#include <endstation/text.h>

/* Writes a map as text; `size` 0 to 3: tiny, small, usual, as large as the format allows. */
void random_map(struct es_random *random, int size, struct es_out *out);

#endif
