/* Functions for games to print with. The canvas has pages of paper; tests replace its painter to
 * inspect them. */
#ifndef ENDSTATION_CLI_PRINT_H
#define ENDSTATION_CLI_PRINT_H

#include "cli/terminal.h"

/* Most printers cannot print at the edges: nothing is painted there. */
#define PRINT_MARGIN (8 * CANVAS_MM)
#define PRINT_GREY ((uint32_t)0x8c8c8c)

extern const struct es_draw print_on_paper; /* the options that everything is drawn with */

/* A grid of things of equal size. */
struct print_grid {
    double left, top, width, height;
    int columns, rows;
};

/* Draws a thin line to cut along. */
void print_cut(struct canvas *canvas, double ax, double ay, double bx, double by);
/* Draws crop marks around a grid; with `through`, lines from one to the other. */
void print_cuts(struct canvas *canvas, struct print_grid g, bool through);
/* Puts the next picture into cell `i` of a grid. */
void print_place_in(struct canvas *canvas, struct print_grid g, int i);
/* Makes the next picture as large as the page allows. */
void print_place_large(struct canvas *canvas);
/* Returns a grid in the middle of the page. */
struct print_grid print_middle_grid(const struct canvas *canvas, double width, double height,
                                    int columns, int rows);

#endif
