/* Draws the board of metro in a terminal. */
#ifndef ENDSTATION_PLAY_BOARD_H
#define ENDSTATION_PLAY_BOARD_H

#include <endstation/metro.h>

enum { PLAY_BOARD_ROWS = 29 };

/* Prints the whole board. `squares`: where a tile may go, or 0; `last`: the square laid last, or
 * -1; `station`: the one whose line is shown, or 0. */
void play_board(const struct es_setup *setup, const struct es_metro_state *s, uint64_t squares,
                int last, int station);

/* Tiles side by side under their names, as they look after so many quarter turns. */
struct play_tile {
    uint8_t tile, quarters;
};
void play_board_tiles(const struct play_tile *tiles, int count);

#endif
