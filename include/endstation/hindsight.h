/* The best play with the cards known: what a player of verplant could have got, had they foreseen
 * everything. A bound from above for what anybody can reach, as far as the search is wide enough
 * to find it. */
#ifndef ENDSTATION_HINDSIGHT_H
#define ENDSTATION_HINDSIGHT_H

#include <endstation/game.h>

enum { ES_HINDSIGHT_WIDTH_MAX = 20000, ES_HINDSIGHT_ENTRIES_MAX = 1024 };

struct es_hindsight {
    int points;   /* in the end */
    size_t count; /* of entries */
    es_event entry[ES_HINDSIGHT_ENTRIES_MAX];
};

/* The memory that the search needs for so wide a beam and so many events. */
size_t es_hindsight_bytes(const struct es_setup *setup, size_t events, int width);

/* Searches for the best play of one player in a game that is over (`events` from its beginning),
 * the others playing as they did. `width`: how many positions are kept after each card. `memory`
 * has es_hindsight_bytes, aligned like malloc's. Never less than what the player got. False if the
 * game is not over, or has more cards than this can hold. */
bool es_hindsight(const struct es_setup *setup, const es_event *events, size_t count, int player,
                  int width, void *memory, struct es_hindsight *hindsight);

#endif
