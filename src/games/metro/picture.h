/* Declarations shared by the files picture*.c of metro. */
#ifndef ENDSTATION_SRC_METRO_PICTURE_H
#define ENDSTATION_SRC_METRO_PICTURE_H

#include "draw/internal.h"
#include <endstation/metro.h>
#include <endstation/metro/picture.h>

/* The context of one picture while it is drawn. */
struct es__metro {
    struct es_painter *painter;
    const struct es_setup *setup;
    const struct es_draw *draw;
    const struct es_metro_state *now, *shown; /* shown: with the planned move, or the same as now */
    const struct es_metro_state *before;      /* or NULL */
    struct es__theme theme;
    uint64_t legal; /* squares where the viewer may lay a tile now */
    /* For each square: the fresh tile's place in their order, from 1 (0: not fresh), and who laid
     * it. */
    uint8_t fresh[ES_SQUARES], layer[ES_SQUARES];
    int fresh_count;
    bool blank; /* a board to print: no wagons */
};

enum {
    ES__SQUARE = ES_METRO_SQUARE_SIZE, /* must be divisible by 3 */
    ES__RIM = 60,                      /* depth of the stations */
    ES__EDGE = 20, /* margin around everything, with the names of columns and rows */
    ES__BOARD = 8 * ES__SQUARE + 2 * (ES__RIM + ES__EDGE),
    ES__PANEL = 262,
};

/* Returns the colours of board and tiles; in the dark theme, tiles are a shade lighter than the
 * board. */
struct es__theme es__board_theme(enum es_theme theme);

/* ---- Tiles (picture_tile.c) ----------------------------------------------------------------- */

/* Position and size of a tile. */
struct es__frame {
    double left, top, side;
};

struct es_box es__inside(struct es__frame frame, double inset);

/* The ends of tracks at a side of a square: where trains come in, where they go out; and the way
 * from that side straight into the square, one point long. */
struct es_spot es__way_in(struct es__frame frame, int side);
struct es_spot es__way_out(struct es__frame frame, int side);
struct es_spot es__inward(int side);

/* Width of tracks on a square of ES__SQUARE, and of the gap that tracks below leave for them: wide
 * enough that where three cross, no splinters of the lowest remain. */
#define ES__TRACK 10.0
#define ES__GAP 18.0
uint32_t es__track_colour(const struct es__theme *theme);
/* Continues a path from the way in at side `from` to the way out at side `to`. */
void es__track(struct es_painter *painter, struct es__frame frame, int from, int to);

/* A tile as it looks on a face of that colour, with a frame around the inside of it, or NULL; and
 * the back of one. */
void es__tile(struct es_painter *painter, const struct es__theme *theme, struct es__frame frame,
              int look, uint32_t face, const struct es_pen *mark);
void es__tile_back(struct es_painter *painter, const struct es_draw *draw, struct es__frame frame);

/* ---- Players (picture_wagon.c) -------------------------------------------------------------- */

/* The colour of a player, 0 for nobody; on white paper there are none. */
uint32_t es__player_colour(const struct es__metro *m, int player);
/* Draws a player's wagon, 34 by 20 points at scale 1; `direction` (of length 1) is its front. */
void es__wagon(const struct es__metro *m, int player, struct es_spot centre,
               struct es_spot direction, double scale);

/* ---- Beside the board (picture_panel.c) ----------------------------------------------------- */

/* Draws the panel beside the board: players, points, hands and stock. */
void es__metro_panel(const struct es__metro *m);

/* ---- In the middle of it (picture_centre.c) ------------------------------------------------- */

enum { ES__CENTRE_STUB = 14 }; /* how far a line continues into the central station */
void es__metro_centre(const struct es__metro *m);

/* ---- A better move and the one played (picture_instead.c) ----------------------------------- */

/* The page's first module is linked without these, for its size (cmake/page.cmake). */
#ifdef __wasm__
#define ES__LATER __attribute__((weak))
#else
#define ES__LATER
#endif
/* Only if draw->instead is set: draws the tile that was laid, and signs on both; adds to a title
 * that something belongs to the better move. */
ES__LATER void es__metro_instead(const struct es__metro *m);
ES__LATER void es__metro_title_better(struct es__title *title, const struct es_draw *draw);

/* ---- Places and titles (picture.c) ---------------------------------------------------------- */

/* Returns the position of a square of the board. */
struct es__frame es__square(int square);

/* Adds a tile as it lies, with the sides that its tracks join: "tile, top–bottom, right–left, …".
 */
void es__title_tile(struct es__title *title, const struct es_draw *draw, int look);

extern const struct es_picture es__metro_picture;

#endif
