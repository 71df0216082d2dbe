/* PNG and PDF output: a painter (endstation/draw.h) on a cairo surface. Everything is painted in
 * memory; the file is written when the canvas is closed.
 *
 *     struct canvas canvas;
 *     canvas_open_pages(&canvas, "Practice", ES_PAPER_A4);
 *     es_print(&setup, es_str("sheet"), &draw, &canvas.press);
 *     return canvas_close(&canvas, "print", "sheet.pdf");
 */
#ifndef ENDSTATION_CANVAS_H
#define ENDSTATION_CANVAS_H

#include "cli/cli.h"
#include <cairo.h>
#include <endstation/print.h>

#define CANVAS_MM (72 / 25.4) /* a millimetre in points */

struct canvas {
    struct es_painter painter; /* must be first: the painter is cast to canvas */
    cairo_surface_t *surface;  /* NULL until its size is known */
    cairo_t *cairo;
    unsigned pixels;       /* the width of a PNG; 0: a PDF */
    double width;          /* of a single picture, in points; 0: its own */
    struct es_press press; /* its pages; has no painter where there is a single picture */
    struct {               /* the finished file */
        unsigned char *at;
        size_t used, room;
    } file;
};

/* Opens a canvas for one picture, as a PNG `pixels` wide. */
void canvas_open_png(struct canvas *canvas, unsigned pixels);
/* Opens a canvas for one picture, as a PDF whose page is `width` points wide (0: the picture's own
 * width). */
void canvas_open_pdf(struct canvas *canvas, double width);

/* Opens a canvas for canvas->press, as a PDF. */
void canvas_open_pages(struct canvas *canvas, const char *title, enum es_paper paper);

/* Writes the file (NULL or "-": standard output) and frees everything. On failure prints the error,
 * writes no file and returns CLI_BAD_INPUT. */
int canvas_close(struct canvas *canvas, const char *command, const char *path);

#endif
