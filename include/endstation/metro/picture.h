/* Pictures of metro's tiles and wagons, and the named parts (struct es_part) of the board's
 * picture, which es_draw() (draw.h) draws:
 *
 *     id             kind                             data-
 *     square-d8      square, … legal, planned, fresh  square
 *     station-5      station, station finished        station, owner
 *     line-5         line lit, line longer            station, owner
 *     player-1       player, player turn              player
 *     hand, hand-1   hand, tile                       tile
 *     drawn          tile                             tile
 *     stock, centre  the same
 */
#ifndef ENDSTATION_METRO_PICTURE_H
#define ENDSTATION_METRO_PICTURE_H

#include <endstation/draw.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ES_METRO_SQUARE_SIZE = 84 }; /* the side of a square in the board's picture, in points */

/* Draws a tile with this look (board.h; ES_TILE_UNKNOWN: its back), 100 by 100 points. */
void es_metro_draw_tile(int look, const struct es_draw *draw, struct es_painter *painter);
/* Draws the wagon of a player, 40 by 26 points. */
void es_metro_draw_wagon(int player, const struct es_draw *draw, struct es_painter *painter);

#ifdef __cplusplus
}
#endif

#endif
