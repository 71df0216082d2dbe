/* Status codes of verplant alone; endstation/status.h has those of every game. */
#ifndef ENDSTATION_VERPLANT_STATUS_H
#define ENDSTATION_VERPLANT_STATUS_H

#include <endstation/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ES_VERPLANT_STATUS_LIST(X)                                                                 \
    X(CARD_BAD, "a card is 1 to 9, x1 to x9, + or o")                                              \
    X(DECK_SIZE, "a deck has 1 to 60 cards")                                                       \
    X(DECK_SIX, "a deck needs at least one 6")                                                     \
    X(CARD_GONE, "no such card is left in the pile")                                               \
    X(LINE_UNKNOWN, "no such line")                                                                \
    X(LINE_FULL, "no free window is left on that line")                                            \
    X(MARKS_MANY, "too many marks for this card on this line")                                     \
    X(RING_NEEDS_DIRECTION, "a ring needs a direction, like C>2 or C<2, except to mark nothing")   \
    X(NO_RING, "only ring lines take a direction, and only with marks")                            \
    X(RIDE_NOT_OPEN, "write @STATION or @- for a free ride, and only then")                        \
    X(STATION_MARKED, "this station is already marked")

enum {
    ES__VERPLANT_STATUS_BEFORE = ES_STATUS_OF(1) - 1,
#define ES_STATUS_CODE(code, sentence) ES_##code,
    ES_VERPLANT_STATUS_LIST(ES_STATUS_CODE)
#undef ES_STATUS_CODE
};

#ifdef __cplusplus
}
#endif

#endif
