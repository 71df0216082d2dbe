/* Functions that games lay out pages with (print.h in include): pages, places of pictures, grids
 * of things to cut out. */
#ifndef ENDSTATION_SRC_DRAW_PRINT_H
#define ENDSTATION_SRC_DRAW_PRINT_H

#include "draw/internal.h"
#include <endstation/print.h>

/* Most printers cannot print at the edges: nothing is painted there. */
enum { ES__PRINT_MARGIN = 8 };
/* Where a cut runs there is a mark beyond each end of it, so far away and so long. */
#define ES__CUT_GAP 1.2
#define ES__CUT_SIZE 4.0
#define ES__PRINT_GREY ((uint32_t)0x8c8c8c)

/* Ends the page, if there is one, and begins the next. */
void es__print_page(struct es_press *press, bool landscape);
/* Puts the next picture into a box, and makes it as large as the page allows. */
void es__print_place(struct es_press *press, double left, double top, double width, double height);
void es__print_place_large(struct es_press *press);

/* A grid of things of equal size. */
struct es__grid {
    double left, top, width, height;
    int columns, rows;
};
/* Returns a grid in the middle of the page. */
struct es__grid es__print_grid(const struct es_press *press, double width, double height,
                               int columns, int rows);
/* Puts the next picture into cell `i` of a grid. */
void es__print_place_in(struct es_press *press, struct es__grid g, int i);
/* Draws a thin line to cut along. */
void es__print_cut(struct es_press *press, double ax, double ay, double bx, double by);
/* Draws marks around a grid; with `through`, lines from one to the other. */
void es__print_cuts(struct es_press *press, struct es__grid g, bool through);

#endif
