/* What `print` paints, apart from the file it goes to: tests look at the pages while they are made.
 * The canvas has pages of paper, lying for sheets and cards, standing for metro. */
#ifndef ENDSTATION_PRINT_H
#define ENDSTATION_PRINT_H

#include "cli/canvas.h"

/* What most printers leave white at the edges: nothing is painted there. */
#define PRINT_MARGIN (8 * CANVAS_MM)

/* Empty sheets, one a page. */
void print_sheets(struct canvas *canvas, const struct es_map *map, bool no_names, unsigned count);
/* The cards of a setup's deck. */
void print_cards(struct canvas *canvas, const struct es_setup *setup);
/* Three pages: the board; its tiles; wagons, and whose stations are whose. */
void print_metro(struct canvas *canvas);

#endif
