/* Status codes of metro alone; endstation/status.h has those of every game. */
#ifndef ENDSTATION_METRO_STATUS_H
#define ENDSTATION_METRO_STATUS_H

#include <endstation/status.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ES_METRO_STATUS_LIST(X)                                                                    \
    X(TILE_BAD, "no such tile")                                                                    \
    X(SQUARE_BAD, "squares are a1 to h8")                                                          \
    X(TURN_BAD, "quarter turns are written /1 to /3, and left out when there are none")            \
    X(TILE_ELSEWHERE, "the next tile goes to another player")                                      \
    X(TILE_GONE, "no such tile is left")                                                           \
    X(TILE_NOT_HELD, "this tile is not in the player's hand")                                      \
    X(TILE_NOT_DRAWN, "the tile that was drawn must be laid")                                      \
    X(STOCK_EMPTY, "the stock is empty")                                                           \
    X(TURN_UNWANTED, "tiles are turned only with the rule 'rotate'")                               \
    X(TURN_NOT_LEAST, "the tile looks the same with fewer quarter turns: write those")             \
    X(SQUARE_CENTRE, "no tile can be laid on the central stations")                                \
    X(SQUARE_TAKEN, "there is already a tile there")                                               \
    X(SQUARE_ALONE, "that square is neither at the edge of the board nor next to a tile")          \
    X(LINE_TOO_SHORT, "a line would run from station to station over this tile alone")

enum {
    ES__METRO_STATUS_BEFORE = ES_STATUS_OF(2) - 1,
#define ES_STATUS_CODE(code, sentence) ES_##code,
    ES_METRO_STATUS_LIST(ES_STATUS_CODE)
#undef ES_STATUS_CODE
};

#ifdef __cplusplus
}
#endif

#endif
