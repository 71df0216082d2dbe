/* Pages to print, to play on paper: what a game offers (struct es_printable), and the press that
 * makes pages of it. Games lay out the pages, so that all presses print the same ones; a press only
 * knows how a page begins and ends. There is one for SVG (below) and one for PDF
 * (src/cli/canvas.h).
 *
 *     struct es_svg svg;
 *     struct es_press press;
 *     es_svg_open(&svg, buffer, sizeof buffer);
 *     es_svg_press(&svg, &press, ES_PAPER_A4);
 *     es_print(&setup, es_str("sheet"), &draw, &press);
 *     if (es_out_ok(&svg.out)) …                      // press.pages lines, an <svg> each
 *
 * All lengths are in millimetres.
 */
#ifndef ENDSTATION_PRINT_H
#define ENDSTATION_PRINT_H

#include <endstation/draw.h>

#ifdef __cplusplus
extern "C" {
#endif

enum es_paper { ES_PAPER_A4, ES_PAPER_LETTER };

struct es_press {
    /* Draws the pictures, each at `place`. Between two pictures it paints on the page itself. */
    struct es_painter *painter;
    enum es_paper paper;
    int pages;            /* begun so far */
    bool is_open;         /* the last of them has not ended */
    double width, height; /* of the current page */
    /* The box of the next picture, which is scaled to fit and centred; and the part of the page
     * outside of which nothing of it is painted. */
    struct es_box place, shown;
    /* Begins a page of this width and height; ends it. */
    void (*begin_page)(struct es_press *press);
    void (*end_page)(struct es_press *press);
};

/* How a picture lies on a page. */
struct es_fit {
    double scale;       /* millimetres per point of the picture */
    struct es_spot at;  /* its upper left corner on the page */
    struct es_box seen; /* the part of it that is painted, in its own points */
};
/* Returns how a picture of that size lies at the place of the press; for presses. */
struct es_fit es_press_fit(const struct es_press *press, double width, double height);

/* Something that a game can print. */
struct es_printable {
    const char *name; /* "sheet", "tiles", … */
    /* Prints all its pages. `draw` has the theme ES_THEME_PRINT and what was prepared for the
     * setup. */
    void (*print)(const struct es_setup *setup, const struct es_draw *draw, struct es_press *press);
};

/* Prints what the setup's game calls `name`: with the sheet and the options of the setup, which
 * must be prepared; of `draw`, prepared, no_names and words count. Returns false if there is no
 * such thing. */
bool es_print(const struct es_setup *setup, struct es_str name, const struct es_draw *draw,
              struct es_press *press);

/* Opens a press that writes each page as one line of SVG, `<svg width="210mm" …>`, without ids and
 * parts. */
void es_svg_press(struct es_svg *svg, struct es_press *press, enum es_paper paper);

#ifdef __cplusplus
}
#endif

#endif
