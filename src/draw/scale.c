/* Implementation of scale.h. */
#include "draw/scale.h"

double es__smaller(double a, double b)
{
    return a < b ? a : b;
}

double es__larger(double a, double b)
{
    return a > b ? a : b;
}

double es__step_of(double span, int most)
{
    static const double factor[] = {2, 2.5, 2};
    double step = 1;
    for (int i = 0; step * most < span; i = (i + 1) % 3)
        step *= factor[i];
    return step;
}

double es__floor_to(double value, double step)
{
    double times = (double)(long)(value / step);
    return (times * step > value ? times - 1 : times) * step;
}

double es__ceiling_to(double value, double step)
{
    return -es__floor_to(-value, step);
}

double es__y_of(const struct es__scale *scale, double value)
{
    double share = (value - scale->least) / (scale->most - scale->least);
    return scale->bottom - share * (scale->bottom - scale->top);
}

void es__axis_number(struct es_painter *painter, struct es_spot at, double value, bool sign,
                     const char *unit, double size, uint32_t colour)
{
    char text[32];
    struct es_out out = {text, sizeof text, 0};
    long number = (long)(value < 0 ? value - 0.5 : value + 0.5);
    if (number < 0)
        es_out_text(&out, "\xe2\x88\x92"); /* U+2212, a minus as wide as a plus */
    else if (sign && number > 0)
        es_out_char(&out, '+');
    es_out_int(&out, number < 0 ? -number : number);
    es_out_text(&out, unit);
    es__text(painter, (struct es_str){text, out.used}, (struct es_spot){at.x, at.y + 0.36 * size},
             ES_ALIGN_END, size, false, colour);
}

void es__write_decimal(struct es_out *out, const struct es_draw *draw, double value, bool sign)
{
    long tenths = (long)(value < 0 ? value * 10 - 0.5 : value * 10 + 0.5);
    if (tenths < 0)
        es_out_text(out, "\xe2\x88\x92");
    else if (sign && tenths > 0)
        es_out_char(out, '+');
    if (tenths < 0)
        tenths = -tenths;
    es_out_int(out, tenths / 10);
    es_out_text(out, es__word(draw, ES_SAY(".")));
    es_out_int(out, tenths % 10);
}
