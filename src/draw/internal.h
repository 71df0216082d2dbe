/* Drawing helpers for the pictures of all games: colours, shapes, titles, handwriting, geometry. */
#ifndef ENDSTATION_SRC_DRAW_INTERNAL_H
#define ENDSTATION_SRC_DRAW_INTERNAL_H

#include "core/exact.h"
#include <endstation/draw.h>

/* ---- What is new (draw.c) ------------------------------------------------------------------- */

/* es_before_latest() for games in which players take turns; `move` says which events are moves. */
size_t es__before_moves(const es_event *events, size_t count, int viewer, bool (*move)(es_event));

/* ---- Colours (paint.c) ---------------------------------------------------------------------- */

/* The colours of everything except lines and players. */
struct es__theme {
    uint32_t paper, ink, faint, face, pencil, fresh, planned;
};
/* Returns the colours of a theme. `tint`: the sheet's paper colour, 0xrrggbb. */
struct es__theme es__theme(enum es_theme theme, uint32_t tint);
/* Mixes two colours; `share` (0 to 1) is that of b. */
uint32_t es__mix(uint32_t a, uint32_t b, double share);
/* Returns the colour of a line or player in this theme. */
uint32_t es__bright(enum es_theme theme, uint32_t colour);
/* Returns the colour of the thin rim that makes it stand out from the background, or ES_CLEAR if it
 * needs none. */
uint32_t es__rim(enum es_theme theme, uint32_t colour);
/* Returns black or white, whichever is easier to read on a colour. */
uint32_t es__contrast(uint32_t colour);
/* Returns a colour made darker or lighter until its contrast with `on` is at least `ratio`. */
uint32_t es__legible(uint32_t colour, uint32_t on, double ratio);

/* ---- Shapes (paint.c) ----------------------------------------------------------------------- */

/* `half`: from its middle to a corner. */
void es__diamond(struct es_painter *painter, struct es_spot at, double half,
                 const struct es_pen *pen);
void es__rectangle(struct es_painter *painter, struct es_box box, double radius,
                   const struct es_pen *pen);
void es__segment(struct es_painter *painter, struct es_spot a, struct es_spot b,
                 const struct es_pen *pen);
/* Shortens a text with an ellipsis if it is too wide. `cut` has ES__CUT bytes, enough for any
 * name. */
enum { ES__CUT = ES_NAME_BYTES + 4 };
struct es_str es__fitted(struct es_str text, double size, bool bold, double width,
                         char cut[ES__CUT]);
/* Draws text on its baseline in its natural width. */
void es__text(struct es_painter *painter, struct es_str text, struct es_spot at,
              enum es_align align, double size, bool bold, uint32_t colour);
void es__number(struct es_painter *painter, long number, struct es_spot at, enum es_align align,
                double size, bool bold, uint32_t colour);

/* Returns the direction from a to b as a vector of length 1 (to the right if a is b), and sets the
 * distance.
 */
struct es_spot es__direction(struct es_spot a, struct es_spot b, double *length);
/* Returns the spot at a distance from another in a direction of length 1. */
struct es_spot es__ahead(struct es_spot at, struct es_spot direction, double points);
/* Returns the spot `most` points from a towards b, but at most half way. */
struct es_spot es__towards(struct es_spot a, struct es_spot b, double most);

/* ---- Titles and parts (title.c) ------------------------------------------------------------- */

/* Returns a word in the viewer's language. */
const char *es__word(const struct es_draw *draw, const char *word);

/* Builds a title of words and numbers separated by commas: "station 5, player 1, 6 tiles".
 * Initialise it with {0}. */
struct es__title {
    struct es_out out;
    char text[ES_PART_TEXT];
};
void es__title_text(struct es__title *title, struct es_str text);
void es__title_word(struct es__title *title, const struct es_draw *draw, const char *word);
/* "line A"; "player 1"; "6 tiles" */
void es__title_called(struct es__title *title, const struct es_draw *draw, const char *word,
                      struct es_str name);
void es__title_named(struct es__title *title, const struct es_draw *draw, const char *word,
                     long number);
void es__title_counted(struct es__title *title, const struct es_draw *draw, long number,
                       const char *word);
/* "player 1", with the name if there is one */
void es__title_player(struct es__title *title, const struct es_draw *draw, int player);
/* Returns the title; empty if it did not fit. */
struct es_str es__titled(const struct es__title *title);

/* Returns a part of that kind whose id is the prefix and the name ("station-r1"). */
struct es_part es__part(const char *kind, const char *prefix, struct es_str name);

/* ---- Two moves in one picture (instead.c) --------------------------------------------------- */

/* The colour of a move that was played, beside a better one. */
uint32_t es__played(enum es_theme theme);
/* Draws the diamond around what it changes. `ground` sets it off from what is below. */
void es__played_ring(struct es_painter *painter, struct es_spot at, double half, uint32_t colour,
                     uint32_t ground);
/* Draws the sign of a move: a tick in a disc, or a cross in a diamond for the one played. */
void es__sign(struct es_painter *painter, struct es_spot at, double size, bool played,
              uint32_t colour, uint32_t ground);
/* Adds which of the moves a part belongs to. */
void es__title_moves(struct es__title *title, const struct es_draw *draw, bool better, bool played);

/* ---- What lies on what (geometry.c) --------------------------------------------------------- */

/* Returns true if two boxes are at least `gap` apart. */
bool es__apart(struct es_box a, struct es_box b, double gap);
/* Returns true if the segment from a to b comes nearer to a box than `near`. */
bool es__touches(struct es_box box, struct es_spot a, struct es_spot b, double near);
/* Returns true if the segments from a to b and from c to d come nearer to each other than `near`.
 */
bool es__meets(struct es_spot a, struct es_spot b, struct es_spot c, struct es_spot d, double near);

/* ---- Handwriting (handwriting.c) ------------------------------------------------------------ */

/* Draws a handwritten cross. Strokes are never quite straight, but always the same for the same
 * seed. In all es__handwrite functions `size` is the height of a digit or the side of a cross. */
void es__handwrite_cross(struct es_painter *painter, struct es_spot centre, double size,
                         unsigned seed, uint32_t colour);
/* Draws a number of one or two digits, in a drawn square if `framed`. */
void es__handwrite_number(struct es_painter *painter, struct es_spot centre, double size,
                          unsigned seed, int number, bool framed, uint32_t colour);
void es__handwrite_ring(struct es_painter *painter, struct es_spot centre, double radius,
                        unsigned seed, uint32_t colour);
void es__handwrite_strike(struct es_painter *painter, struct es_spot a, struct es_spot b,
                          unsigned seed, uint32_t colour);
/* Draws one or two signs, each a digit, + or > (an arrow). */
void es__handwrite_signs(struct es_painter *painter, struct es_spot centre, double size,
                         unsigned seed, const char *signs, uint32_t colour);

#endif
