/* The map of a verplant sheet in a terminal: where every line runs, and what is marked. */
#ifndef ENDSTATION_PLAY_MAP_H
#define ENDSTATION_PLAY_MAP_H

#include <endstation/verplant.h>

struct play_marks {
    const struct es_sheet *sheet;
    const struct es_verplant_paper *paper;
    /* The same sheet without what is not yet confirmed, and as it was a round ago; or NULL where
     * nothing is to stand out. */
    const struct es_sheet *confirmed, *before;
    /* A line shown without the others, and a station that is pointed at; or -1. */
    int lit_line, lit_station;
};

/* Prints the map; returns how many rows it has. The layout is kept: a process shows one map. */
int play_map(const struct es_map *map, const struct play_marks *marks);

/* What stations look like here. */
struct play_glyphs {
    const char *empty, *special, *crossed, *planned, *planned_number, *here, *other, *ring[2];
};
const struct play_glyphs *play_map_glyphs(void);

#endif
