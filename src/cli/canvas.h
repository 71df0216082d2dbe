/* Pictures as PNG or PDF: a painter (endstation/draw.h) on a cairo surface. All is painted in
 * memory; a file appears only when the last picture is whole.
 *
 *     struct canvas canvas;
 *     canvas_open_pages(&canvas, "Practice", CANVAS_A4, true);
 *     canvas_page(&canvas);
 *     canvas_place(&canvas, 20, 20, 800, 550, true);  // where the next picture goes
 *     es_draw(&setup, &state, &draw, &canvas.painter);
 *     return canvas_close(&canvas, "print", "sheet.pdf");
 *
 * Between two pictures the painter paints on the page itself, in points of the paper.
 */
#ifndef ENDSTATION_CANVAS_H
#define ENDSTATION_CANVAS_H

#include "cli/cli.h"
#include <cairo.h>
#include <endstation/draw.h>

#define CANVAS_MM (72 / 25.4) /* a millimetre in points */

struct canvas {
    struct es_painter painter; /* first, so that the one can be had from the other */
    cairo_surface_t *surface;  /* NULL until its size is known */
    cairo_t *cairo;
    unsigned pixels;      /* the width of a PNG; 0: a PDF */
    double width, height; /* of the page, in its points; 0: as the picture has it */
    int pages;            /* begun so far; 0: the picture is all there is */
    struct {              /* where the next picture goes */
        double left, top, width, height;
        bool paper;
    } place;
    double scale; /* how much larger than its own points the last picture came out */
    struct {      /* what cairo has made of it */
        unsigned char *at;
        size_t used, room;
    } file;
};

/* One picture: a PNG so many pixels wide, or a PDF with a page so many points wide (0: as many as
 * the picture has). */
void canvas_open_png(struct canvas *canvas, unsigned pixels);
void canvas_open_pdf(struct canvas *canvas, double width);

/* Pages of paper, all alike, with any number of pictures on them. */
enum canvas_paper { CANVAS_A4, CANVAS_LETTER };
void canvas_open_pages(struct canvas *canvas, const char *title, enum canvas_paper paper,
                       bool landscape);
void canvas_page(struct canvas *canvas);
/* The next picture fills this box as far as it goes, in its middle, with its paper or without. */
void canvas_place(struct canvas *canvas, double left, double top, double width, double height,
                  bool paper);

/* Writes the file (NULL or "-": standard output) and lets go of everything. What goes wrong is
 * said; then there is no file. */
int canvas_close(struct canvas *canvas, const char *command, const char *path);

#endif
