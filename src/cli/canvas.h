/* PNG and PDF output: a painter (endstation/draw.h) on a cairo surface. Everything is painted in
 * memory; the file is written when the canvas is closed.
 *
 *     struct canvas canvas;
 *     canvas_open_pages(&canvas, "Practice", CANVAS_A4, true);
 *     canvas_page(&canvas);
 *     canvas_place(&canvas, 20, 20, 800, 550, true);  // where the next picture goes
 *     es_draw(&setup, &state, &draw, &canvas.painter);
 *     return canvas_close(&canvas, "print", "sheet.pdf");
 *
 * Between two pictures the painter paints on the page itself, in points.
 */
#ifndef ENDSTATION_CANVAS_H
#define ENDSTATION_CANVAS_H

#include "cli/cli.h"
#include <cairo.h>
#include <endstation/draw.h>

#define CANVAS_MM (72 / 25.4) /* a millimetre in points */

struct canvas {
    struct es_painter painter; /* must be first: the painter is cast to canvas */
    cairo_surface_t *surface;  /* NULL until its size is known */
    cairo_t *cairo;
    unsigned pixels;      /* the width of a PNG; 0: a PDF */
    double width, height; /* of the page, in points; 0: the picture's */
    int pages;            /* begun so far; 0: a single picture without pages */
    struct {              /* where the next picture goes */
        double left, top, width, height;
        bool paper;
    } place;
    double scale; /* of the last picture: canvas points per picture point */
    struct {      /* the finished file */
        unsigned char *at;
        size_t used, room;
    } file;
};

/* Opens a canvas for one picture, as a PNG `pixels` wide. */
void canvas_open_png(struct canvas *canvas, unsigned pixels);
/* Opens a canvas for one picture, as a PDF whose page is `width` points wide (0: the picture's own
 * width). */
void canvas_open_pdf(struct canvas *canvas, double width);

/* Paper sizes of canvas_open_pages(), for a PDF with any number of pictures on each page. */
enum canvas_paper { CANVAS_A4, CANVAS_LETTER };
void canvas_open_pages(struct canvas *canvas, const char *title, enum canvas_paper paper,
                       bool landscape);
void canvas_page(struct canvas *canvas);
/* Sets the box of the next picture, which is scaled to fit and centred; `paper`: with its
 * background. */
void canvas_place(struct canvas *canvas, double left, double top, double width, double height,
                  bool paper);

/* Writes the file (NULL or "-": standard output) and frees everything. On failure prints the error,
 * writes no file and returns CLI_BAD_INPUT. */
int canvas_close(struct canvas *canvas, const char *command, const char *path);

#endif
