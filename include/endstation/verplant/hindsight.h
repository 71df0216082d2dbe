/* Beam search for the highest score that a player of verplant could have reached in a finished
 * game, had all cards been known, the others playing as they did. The play it returns is legal, so
 * its score is a lower bound of the true maximum; it is the maximum if the beam never had to drop a
 * position. */
#ifndef ENDSTATION_HINDSIGHT_H
#define ENDSTATION_HINDSIGHT_H

#include <endstation/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ES_HINDSIGHT_WIDTH_MAX = 20000, ES_HINDSIGHT_ENTRIES_MAX = 1024 };

struct es_hindsight {
    int points;   /* the final score */
    size_t count; /* of entries */
    es_event entry[ES_HINDSIGHT_ENTRIES_MAX];
};

/* Returns the bytes of memory that the search needs for a game of `events` events and a beam of
 * `width` (1 to ES_HINDSIGHT_WIDTH_MAX). */
size_t es_hindsight_bytes(const struct es_setup *setup, size_t events, int width);

/* Searches for a better play of one player in a game that is over (`events` from its beginning),
 * the others playing as they did. `width`: how many positions are kept after each card. `memory`
 * has es_hindsight_bytes, aligned like malloc's. The result is never less than what the player got.
 * Returns false if the game is not over, an event is not legal, the game has more cards than this
 * can hold, or `player` or `width` is out of range. */
__attribute__((warn_unused_result)) bool es_hindsight(const struct es_setup *setup,
                                                      const es_event *events, size_t count,
                                                      int player, int width, void *memory,
                                                      struct es_hindsight *hindsight);

#ifdef __cplusplus
}
#endif

#endif
