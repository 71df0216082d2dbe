/* `print`: what its files share, and what games print with. The canvas has pages of paper; tests
 * look at them while they are made. */
#ifndef ENDSTATION_CLI_PRINT_H
#define ENDSTATION_CLI_PRINT_H

#include "cli/terminal.h"

/* What most printers leave white at the edges: nothing is painted there. */
#define PRINT_MARGIN (8 * CANVAS_MM)
#define PRINT_GREY ((uint32_t)0x8c8c8c)

extern const struct es_draw print_on_paper; /* how everything is drawn */

/* Things of one size side by side. */
struct print_grid {
    double left, top, width, height;
    int columns, rows;
};

/* A thin line to cut along. */
void print_cut(struct canvas *canvas, double ax, double ay, double bx, double by);
/* Marks at the rim for a ruler or a cutting machine; lines from one to the other if `through`. */
void print_cuts(struct canvas *canvas, struct print_grid g, bool through);
/* The next picture goes to place `i` of a grid; or becomes as large as the page allows. */
void print_place_in(struct canvas *canvas, struct print_grid g, int i);
void print_place_large(struct canvas *canvas);
/* A grid in the middle of the page. */
struct print_grid print_middle_grid(const struct canvas *canvas, double width, double height,
                                    int columns, int rows);

#endif
