/* Prints the map of a verplant sheet in a terminal, with its marks. */
#ifndef ENDSTATION_PLAY_MAP_H
#define ENDSTATION_PLAY_MAP_H

#include <endstation/verplant.h>

struct play_marks {
    const struct es_sheet *sheet;
    const struct es_verplant_detail *detail;
    /* The sheet without marks not yet confirmed, and as it was a round ago; NULL: nothing stands
     * out. */
    const struct es_sheet *confirmed, *before;
    /* A line shown alone, and a station to point at; -1: none. */
    int lit_line, lit_station;
};

/* Prints the map; returns the number of rows. Keeps the layout: a process shows only one map. */
int play_map(const struct es_map *map, const struct play_marks *marks);

/* The characters for stations. */
struct play_glyphs {
    const char *empty, *special, *crossed, *planned, *planned_number, *here, *other, *ring[2];
};
const struct play_glyphs *play_map_glyphs(void);

#endif
