/* Declarations shared by the files picture*.c of verplant. */
#ifndef ENDSTATION_SRC_VERPLANT_PICTURE_H
#define ENDSTATION_SRC_VERPLANT_PICTURE_H

#include "draw/internal.h"
#include <endstation/verplant.h>
#include <endstation/verplant/layout.h>

/* The context of one picture while it is drawn. */
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

/* ---- Lines (picture.c) ---------------------------------------------------------------------- */

/* The colour of a line, and of its rim in the dark, or ES_CLEAR; and how wide that rim is. */
uint32_t es__sheet_colour(const struct es__sheet *p, int l);
uint32_t es__sheet_rim(const struct es__sheet *p, int l);
#define ES__SHEET_RIM 0.7
struct es_str es__sheet_letter(const struct es__sheet *p, int l);
/* Begins a part that belongs to a line. */
void es__sheet_open(const struct es__sheet *p, int l, const char *kind, const char *prefix,
                    const struct es__title *title);
/* Sets the pattern of a line for pictures without colours: dashes along the middle. */
void es__sheet_pattern(const struct es__sheet *p, int l, struct es_pen *pen);
/* The line's letter in a light disc, in its colour as far as that can be read. */
void es__sheet_disc(const struct es__sheet *p, struct es_spot at, double radius, int l);

/* ---- Beside the map (picture_values.c) ------------------------------------------------------ */

void es__sheet_values(const struct es__sheet *p);

/* ---- A better entry and the one played (picture_instead.c) ---------------------------------- */

/* The page's first module is linked without these, for its size (cmake/page.cmake). */
#ifdef __wasm__
#define ES__LATER __attribute__((weak))
#else
#define ES__LATER
#endif
/* Only if draw->instead is set. Add to a title which of the entries mark a station, or use a window
 * of a line; draw the marks of the one played, and its card if this is the window. */
ES__LATER void es__sheet_title_station(const struct es__sheet *p, int station,
                                       struct es__title *title);
ES__LATER void es__sheet_title_wagon(const struct es__sheet *p, int l, struct es__title *title);
ES__LATER void es__sheet_instead(const struct es__sheet *p);
ES__LATER void es__sheet_instead_window(const struct es__sheet *p, int l, int window,
                                        struct es_box box);

/* ---- Paths (picture_layout.c) --------------------------------------------------------------- */

/* Adds a path from one spot to another with rounded corners between. */
void es__trace_between(struct es_painter *painter, struct es_spot from,
                       const struct es_layout_point *points, int count, struct es_spot to);
/* Adds a path along `points` with rounded corners; back to the first if `closed`. */
void es__trace(struct es_painter *painter, const struct es_layout_point *points, int count,
               bool closed);

/* ---- Lanes (picture_lanes.c) ---------------------------------------------------------------- */

/* Finds places, beds and lanes of a map's lines. */
void es__find_lanes(const struct es_map *map, struct es_layout *layout);
/* Returns true if a place is the last of its line. */
bool es__is_last(const struct es_layout *layout, int line, int place);
/* Returns the direction of the hop from a place, walked forwards (step 1) or backwards (step
 * -1). */
struct es_spot es__hop_direction(const struct es_layout *layout, int place, int step);

/* ---- Names (picture_labels.c) --------------------------------------------------------------- */

/* Finds a position for every station's name where it covers nothing. */
void es__place_labels(const struct es_map *map, struct es_layout *layout);

/* ---- Cards (picture_cards.c) ---------------------------------------------------------------- */

/* Draws what a player writes into a window: 4, 2 with an arrow, + */
void es__handwrite_card(struct es_painter *painter, struct es_spot centre, double size,
                        unsigned seed, int card, uint32_t colour);

/* ---- The picture (picture.c) ---------------------------------------------------------------- */

extern const struct es_picture es__verplant_picture;

#endif
