/* Numbers on the height of a diagram: scales with round steps, and their axes. */
#ifndef ENDSTATION_SRC_DRAW_SCALE_H
#define ENDSTATION_SRC_DRAW_SCALE_H

#include "draw/internal.h"

/* Numbers from `least` to `most` on a height. */
struct es__scale {
    double least, most;
    double top, bottom;
    double step; /* between numbers on the axis */
};

double es__smaller(double a, double b);
double es__larger(double a, double b);
/* Returns the smallest of 1, 2, 5, 10, 20, 50, … of which at most `most` fit into the span. */
double es__step_of(double span, int most);
/* Returns the multiple of `step` at or below a value. */
double es__floor_to(double value, double step);
/* Returns the multiple of `step` at or above a value. */
double es__ceiling_to(double value, double step);
double es__y_of(const struct es__scale *scale, double value);

/* Writes a number of an axis, to the left of a spot and centred on its height; with `sign`, a + if
 * it is above 0. */
void es__axis_number(struct es_painter *painter, struct es_spot at, double value, bool sign,
                     const char *unit, double size, uint32_t colour);

/* Writes a number with one decimal, like 52.0, or with `sign` +1.4; the decimal sign is a word of
 * the language. */
void es__write_decimal(struct es_out *out, const struct es_draw *draw, double value, bool sign);

#endif
