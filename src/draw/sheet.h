/* What the picture of a sheet is put together from. */
#ifndef ES_DRAW_SHEET_H
#define ES_DRAW_SHEET_H

#include "draw.h"
#include <endstation/verplant.h>

/* Everything that the parts of the picture need. */
struct es__sheet {
    const struct es_setup *setup;
    const struct es_map *map;
    const struct es_layout *lay;
    const struct es_draw *draw;
    struct es_painter *painter;
    struct es__theme theme;
    bool patterns;
    int player; /* from 0 */
    const struct es_verplant_state *now, *before, *planned;
    const struct es_state *state;
};

/* ---- Lines (verplant.c) -------------------------------------------------------------------- */

/* The colour of a line, and of its rim in the dark, or ES_CLEAR; and how wide that rim is. */
uint32_t es__sheet_colour(const struct es__sheet *p, int l);
uint32_t es__sheet_rim(const struct es__sheet *p, int l);
#define ES__SHEET_RIM 0.7
struct es_str es__sheet_letter(const struct es__sheet *p, int l);
/* Opens a part that belongs to a line. */
void es__sheet_open(const struct es__sheet *p, int l, const char *kind, const char *prefix,
                    const struct es__title *title);
/* What tells lines apart without colours: dashes along the middle. */
void es__sheet_pattern(const struct es__sheet *p, int l, struct es_pen *pen);
/* The line's letter in a light disc, in its colour as far as that can be read. */
void es__sheet_disc(const struct es__sheet *p, struct es_spot at, double radius, int l);

/* ---- Beside the map (values.c) ------------------------------------------------------------- */

void es__sheet_values(const struct es__sheet *p);

#endif
