/* Random sheets that play like the cities, to measure bots on sheets that no bot was tuned for.
 * They are not meant for finding bugs; tests/random_map.h has the odd shapes. */
#ifndef ENDSTATION_TOWN_MAP_H
#define ENDSTATION_TOWN_MAP_H

#include <endstation/text.h>

enum {
    TOWN_STATIONS_FEWEST = 60,
    TOWN_STATIONS_MOST = 95,
    TOWN_LINES_FEWEST = 8,
    TOWN_LINES_MOST = 11,
    TOWN_WINDOWS_FEWEST = 18,
    TOWN_WINDOWS_MOST = 28,
    TOWN_STOPS_FEWEST = 6, /* of a line */
    TOWN_STOPS_MOST = 20,
    TOWN_TEXT_BYTES = 16 << 10, /* town_map needs no more */
};

/* Writes the sheet of a number as a map with the id town-NUMBER; always the same for a number. */
void town_map(uint64_t number, struct es_out *out);

#endif
