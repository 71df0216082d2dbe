/* What pictures of all games are made with: colours, shapes, titles, handwriting, geometry. */
#ifndef ENDSTATION_SRC_DRAW_INTERNAL_H
#define ENDSTATION_SRC_DRAW_INTERNAL_H

#include <endstation/draw.h>

/* ---- Colours (paint.c) ---------------------------------------------------------------------- */

/* The colours that everything but lines and players is drawn in. */
struct es__theme {
    uint32_t paper, ink, faint, face, pencil, fresh, planned;
};
/* `tint`: the colour of the paper that the sheet wants, 0xrrggbb. */
struct es__theme es__theme(enum es_theme theme, uint32_t tint);
/* A share (0 to 1) of b in a. */
uint32_t es__mix(uint32_t a, uint32_t b, double share);
/* The colour of a line or player on that paper, and of the thin rim without which it would drown
 * there, or ES_CLEAR. */
uint32_t es__bright(enum es_theme theme, uint32_t colour);
uint32_t es__rim(enum es_theme theme, uint32_t colour);
/* Black or white, whichever is read more easily on a colour. */
uint32_t es__contrast(uint32_t colour);
/* A colour, darker or lighter as far as is needed to stand out from another by that ratio. */
uint32_t es__legible(uint32_t colour, uint32_t on, double ratio);

/* ---- Shapes (paint.c) ----------------------------------------------------------------------- */

void es__rectangle(struct es_painter *painter, struct es_box box, double radius,
                   const struct es_pen *pen);
void es__segment(struct es_painter *painter, struct es_spot a, struct es_spot b,
                 const struct es_pen *pen);
/* A text cut short, with an ellipsis, if it is too wide. `cut` has room for any name. */
enum { ES__CUT = ES_NAME_BYTES + 4 };
struct es_str es__fitted(struct es_str text, double size, bool bold, double width,
                         char cut[ES__CUT]);
/* Text on its baseline, as wide as it comes. */
void es__text(struct es_painter *painter, struct es_str text, struct es_spot at,
              enum es_align align, double size, bool bold, uint32_t colour);
void es__number(struct es_painter *painter, long number, struct es_spot at, enum es_align align,
                double size, bool bold, uint32_t colour);

/* The direction from a to b, of length 1 (from a spot to itself: to the right), and how far it is.
 */
struct es_spot es__direction(struct es_spot a, struct es_spot b, double *length);
/* The spot so many points from another in a direction of length 1. */
struct es_spot es__ahead(struct es_spot at, struct es_spot direction, double points);
/* The spot so many points from a on the way to b, at most half of it. */
struct es_spot es__towards(struct es_spot a, struct es_spot b, double most);

/* ---- Titles and parts (title.c) ------------------------------------------------------------- */

/* A word of the viewer's language. */
const char *es__word(const struct es_draw *draw, enum es_word word);

/* Sentences of words and numbers with commas between: "station 5, player 1, 6 tiles". Begins as
 * {0}. */
struct es__title {
    struct es_out out;
    char text[ES_PART_TEXT];
};
void es__title_text(struct es__title *title, struct es_str text);
void es__title_word(struct es__title *title, const struct es_draw *draw, enum es_word word);
/* "line A"; "player 1"; "6 tiles" */
void es__title_called(struct es__title *title, const struct es_draw *draw, enum es_word word,
                      struct es_str name);
void es__title_named(struct es__title *title, const struct es_draw *draw, enum es_word word,
                     long number);
void es__title_counted(struct es__title *title, const struct es_draw *draw, long number,
                       enum es_word word);
/* "player 1", and the name where there is one */
void es__title_player(struct es__title *title, const struct es_draw *draw, int player);
/* What has been said; nothing if there was no room for it. */
struct es_str es__titled(const struct es__title *title);

/* A part of that kind whose id is the prefix and the name ("station-r1"). */
struct es_part es__part(const char *kind, const char *prefix, struct es_str name);

/* ---- What lies on what (geometry.c) --------------------------------------------------------- */

/* Whether there is at least so much between two boxes. */
bool es__apart(struct es_box a, struct es_box b, double gap);
/* Whether the straight line from a to b comes nearer to a box than `near`. */
bool es__touches(struct es_box box, struct es_spot a, struct es_spot b, double near);
/* Whether two straight lines, from a to b and from c to d, come nearer to each other than `near`.
 */
bool es__meets(struct es_spot a, struct es_spot b, struct es_spot c, struct es_spot d, double near);

/* ---- Handwriting (handwriting.c) ------------------------------------------------------------ */

/* Strokes as a pen makes them: never quite straight, always the same for the same seed. `size` is
 * the height of a digit, the side of a cross. */
void es__hand_cross(struct es_painter *painter, struct es_spot centre, double size, unsigned seed,
                    uint32_t colour);
/* A number of one or two digits, in a drawn square if `framed`. */
void es__hand_number(struct es_painter *painter, struct es_spot centre, double size, unsigned seed,
                     int number, bool framed, uint32_t colour);
void es__hand_ring(struct es_painter *painter, struct es_spot centre, double radius, unsigned seed,
                   uint32_t colour);
void es__hand_strike(struct es_painter *painter, struct es_spot a, struct es_spot b, unsigned seed,
                     uint32_t colour);
/* One or two signs, each a digit, + or > (an arrow). */
void es__hand_signs(struct es_painter *painter, struct es_spot centre, double size, unsigned seed,
                    const char *signs, uint32_t colour);

#endif
