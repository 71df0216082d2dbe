/* Draws results over time.
 *
 *     60 |          o         a dot for each game; the line is the mean of the last games
 *     50 |  o   ___---_o
 *     40 |--o---     o
 *         2026-10-01   2026-11-17
 */
#include "draw/scale.h"
#include <endstation/chart.h>
#include <endstation/plot.h>

size_t es_plot_window(size_t count)
{
    return count > 200 ? 50 : 10;
}

struct picture {
    const struct es_plot *plot;
    const struct es_draw *draw;
    struct es_painter *painter;
    struct es_chart_colours colours;
    double width, height, left, right, text, dot;
    struct es__scale scale;
    size_t best;
};

static int points_of(const struct picture *p, size_t i, const char **date)
{
    return p->plot->points(p->plot->context, i, date);
}

/* Results are spread evenly; a single one is in the middle. */
static double x_of(const struct picture *p, size_t i)
{
    double last = (double)p->plot->count - 1;
    return last > 0 ? p->left + 8 + (double)i / last * (p->right - p->left - 16)
                    : (p->left + p->right) / 2;
}

static struct es_spot spot_of(const struct picture *p, size_t i)
{
    const char *date;
    return (struct es_spot){x_of(p, i), es__y_of(&p->scale, points_of(p, i, &date))};
}

static void lay_out(struct picture *p)
{
    enum { STEPS = 5, LEAST_SPAN = 10 };
    const bool narrow = p->plot->narrow;
    const char *date;
    double least = points_of(p, 0, &date), most = least;
    p->width = narrow ? 390 : 900;
    p->height = narrow ? 240 : 260;
    p->left = narrow ? 40 : 44;
    p->right = narrow ? 378 : 884;
    p->text = narrow ? 12 : 13;
    double room = (p->right - p->left) / (double)p->plot->count;
    p->dot = es__larger(es__smaller(0.35 * room, narrow ? 3.5 : 4.5), 1.4);
    p->best = 0;
    for (size_t i = 1; i < p->plot->count; i++) {
        double points = points_of(p, i, &date);
        if (points > most)
            p->best = i;
        least = es__smaller(least, points);
        most = es__larger(most, points);
    }
    double missing = es__larger(LEAST_SPAN - (most - least), 0);
    double step = es__step_of(most - least + missing, STEPS);
    p->scale = (struct es__scale){.least = es__floor_to(least - missing / 2, step),
                                  .most = es__ceiling_to(most + missing / 2, step),
                                  .top = 26,
                                  .bottom = p->height - 34,
                                  .step = step};
}

static void draw_axis(struct picture *p)
{
    const struct es_part part = {.kind = "axis"};
    const struct es_pen pen = {
        .fill = ES_CLEAR, .stroke = p->colours.grid, .width = 1, .butt = true};
    const char *first, *last;
    points_of(p, 0, &first);
    points_of(p, p->plot->count - 1, &last);
    p->painter->begin_part(p->painter, &part);
    for (double value = p->scale.least; value <= p->scale.most + 0.001; value += p->scale.step) {
        double y = es__y_of(&p->scale, value);
        es__segment(p->painter, (struct es_spot){p->left, y}, (struct es_spot){p->right, y}, &pen);
        es__axis_number(p->painter, (struct es_spot){p->left - 8, y}, value, false, "", p->text,
                        p->colours.text);
    }
    double base = p->height - 10;
    if (first[0] && p->plot->count > 1)
        es__text(p->painter, es_str(first), (struct es_spot){p->left, base}, ES_ALIGN_START,
                 p->text, false, p->colours.text);
    if (last[0])
        es__text(p->painter, es_str(last), (struct es_spot){p->right, base}, ES_ALIGN_END, p->text,
                 false, p->colours.text);
    p->painter->end_part(p->painter);
}

/* The mean of the last games as a line. */
static void draw_mean(struct picture *p)
{
    const struct es_part part = {.kind = "mean"};
    const struct es_pen pen = {
        .fill = ES_CLEAR, .stroke = p->colours.luck, .width = p->plot->narrow ? 2.5 : 3};
    const size_t window = es_plot_window(p->plot->count);
    const char *date;
    long sum = 0;
    if (p->plot->count < 2)
        return;
    p->painter->begin_part(p->painter, &part);
    for (size_t i = 0; i < p->plot->count; i++) {
        size_t games = i + 1 < window ? i + 1 : window;
        sum += points_of(p, i, &date);
        if (i >= window)
            sum -= points_of(p, i - window, &date);
        struct es_spot at = {x_of(p, i), es__y_of(&p->scale, (double)sum / (double)games)};
        if (i == 0)
            p->painter->move(p->painter, at);
        else
            p->painter->line(p->painter, at);
    }
    p->painter->paint(p->painter, &pen);
    p->painter->end_part(p->painter);
}

static void draw_result(struct picture *p, size_t i)
{
    const bool best = i == p->best;
    const char *date;
    const int points = points_of(p, i, &date);
    char number[24];
    struct es_out out = {number, sizeof number, 0};
    struct es__title title = {0};
    es_out_int(&out, (long)i);
    struct es_str name = {number, out.used};
    struct es_part part = es__part(best ? "result best" : "result", "result-", name);
    if (date[0])
        es__title_text(&title, es_str(date));
    es__title_named(&title, p->draw, ES_SAY("points"), points);
    part.title = es__titled(&title);
    part.data[0].name = "result";
    part.data[0].value = name;
    const struct es_pen pen = {.fill = best ? p->colours.ink : p->colours.paper,
                               .stroke = p->colours.ink,
                               .width = p->dot < 3 ? 1 : 1.5};
    struct es_spot at = spot_of(p, i);
    p->painter->begin_part(p->painter, &part);
    p->painter->circle(p->painter, at, best ? p->dot + 1 : p->dot, &pen);
    if (best) {
        double edge = at.x - p->left < 20 ? -1 : p->right - at.x < 20 ? 1 : 0;
        es__number(p->painter, points, (struct es_spot){at.x, at.y - p->dot - 6},
                   edge < 0   ? ES_ALIGN_START
                   : edge > 0 ? ES_ALIGN_END
                              : ES_ALIGN_MIDDLE,
                   p->text + 1, true, p->colours.ink);
    }
    p->painter->end_part(p->painter);
}

/* Adds "mean 51.3". */
static void title_value(struct picture *p, struct es__title *title, const char *word, double value)
{
    char text[32];
    struct es_out out = {text, sizeof text, 0};
    es__write_decimal(&out, p->draw, value, false);
    if (es_out_ok(&out)) /* a translation's decimal point may be long */
        es__title_called(title, p->draw, word, (struct es_str){text, out.used});
}

void es_plot_draw(const struct es_plot *plot, const struct es_draw *draw,
                  struct es_painter *painter)
{
    struct picture p = {
        .plot = plot, .draw = draw, .painter = painter, .colours = es_chart_colours(draw->theme)};
    struct es__title title = {0};
    const char *date;
    lay_out(&p);
    es__title_word(&title, draw, ES_SAY("points over time"));
    es__title_named(&title, draw, ES_SAY("games"), (long)plot->count);
    es__title_named(&title, draw, ES_SAY("best"), points_of(&p, p.best, &date));
    title_value(&p, &title, ES_SAY("mean"), plot->mean);
    title_value(&p, &title, ES_SAY("median"), plot->median);
    painter->begin(painter, p.width, p.height, p.colours.paper, es__titled(&title));
    draw_axis(&p);
    draw_mean(&p);
    for (size_t i = 0; i < plot->count; i++)
        draw_result(&p, i);
    painter->end(painter);
}
