/* Draws the chart of an analysed game.
 *
 *     60 |        _                     the expected result before each node, and at the
 *     50 |~~~~\__/ \_______             end the result, as a line with a station for
 *     40 |               . \__|  44     every decision and a mark for every label
 *        |
 *     +5 | ▌  ▌                         luck, and ...
 *      0 |-▌--▌-▐--▐---▐--
 *     -5 |      ▐                       ... loss
 */
#include "draw/scale.h"
#include <endstation/chart.h>

/* The picture's sizes, in points. */
struct frame {
    double width, height;
    double left, right;           /* of the first node's column, and of the result */
    double top, bottom;           /* of the expected result */
    double bars_top, bars_bottom; /* of luck and loss */
    double column;                /* width of a node */
    double text;                  /* size of numbers */
};

struct picture {
    const struct es_chart *chart;
    const struct es_draw *draw;
    struct es_painter *painter;
    struct es_chart_colours colours;
    bool print;
    bool is_empty; /* there is no result yet, and so no scale */
    struct frame frame;
    struct es__scale values, bars;
};

/* ---- Colours -------------------------------------------------------------------------------- */

struct es_chart_colours es_chart_colours(enum es_theme theme)
{
    if (theme == ES_THEME_PRINT)
        return (struct es_chart_colours){
            .paper = 0xffffff,
            .ink = 0x000000,
            .text = 0x000000,
            .grid = 0xc4c4c4,
            .band = 0xe4e4e4,
            .luck = 0x000000,
            .loss = 0x000000,
            .label = {0x000000, 0x000000, 0x000000, 0x000000, 0x000000},
        };
    if (theme == ES_THEME_DARK)
        return (struct es_chart_colours){
            .paper = 0x1e2228,
            .ink = 0xeceae4,
            .text = 0xa9aeb6,
            .grid = 0x363c46,
            .band = 0x2f3f58,
            .luck = 0x58a6e0,
            .loss = 0xf0814a,
            .label = {0xeceae4, 0x78d3a0, 0xf0b92e, 0xf0814a, 0xff6f91},
        };
    return (struct es_chart_colours){
        .paper = 0xfffefb,
        .ink = 0x23262b,
        .text = 0x5a5d63,
        .grid = 0xdedad0,
        .band = 0xdfe9f5,
        .luck = 0x2b7bb9,
        .loss = 0xc8500f,
        .label = {0x23262b, 0x1a6e3f, 0x9a6a00, 0xc8500f, 0xab0f3f},
    };
}

/* ---- Scales --------------------------------------------------------------------------------- */

static double x_of(const struct picture *p, size_t i)
{
    return p->frame.left + ((double)i + 0.5) * p->frame.column;
}

static struct es_chart_node node_of(const struct picture *p, size_t i)
{
    return p->chart->node(p->chart->context, i);
}

/* Lays the scales out so that everything fits. A win has 0 to 100; points have at least ten, so
 * that a quiet game looks quiet. */
static void set_scales(struct picture *p)
{
    enum { VALUE_STEPS = 5, BAR_STEPS = 4, LEAST_POINTS = 10, LEAST_BAR = 2 };
    const struct es_chart *chart = p->chart;
    double least = 1e9, most = -1e9, up = 0, down = 0;
    if (chart->has_result)
        least = most = chart->result;
    for (size_t i = 0; i < chart->count; i++) {
        struct es_chart_node node = node_of(p, i);
        if (!node.known)
            continue;
        least = es__smaller(least, node.value);
        most = es__larger(most, node.value);
        up = es__larger(up, es__larger(node.luck, -node.loss));
        down = es__larger(down, es__larger(-node.luck, node.loss));
    }
    p->is_empty = least > most;
    if (chart->per_cent) {
        least = es__smaller(least, 0);
        most = es__larger(most, 100);
    } else if (p->is_empty) {
        least = 0;
        most = LEAST_POINTS;
    }
    double missing = es__larger(LEAST_POINTS - (most - least), 0);
    least -= missing / 2;
    most += missing / 2;
    p->values.step = es__step_of(most - least, VALUE_STEPS);
    if (chart->per_cent) {
        p->values.step = es__larger(p->values.step, 50);
    } else {
        least = es__floor_to(least, p->values.step);
        most = es__ceiling_to(most, p->values.step);
    }
    p->values.least = least;
    p->values.most = most;
    p->values.top = p->frame.top;
    p->values.bottom = p->frame.bottom;
    p->bars.most = es__larger(up, LEAST_BAR);
    p->bars.least = -es__larger(down, LEAST_BAR);
    p->bars.step = es__step_of(p->bars.most - p->bars.least, BAR_STEPS);
    p->bars.top = p->frame.bars_top;
    p->bars.bottom = p->frame.bars_bottom;
}

static struct frame frame_of(const struct es_chart *chart)
{
    struct frame f = chart->narrow ? (struct frame){.width = 390,
                                                    .height = 240,
                                                    .left = 40,
                                                    .right = 352,
                                                    .top = 16,
                                                    .bottom = 132,
                                                    .bars_top = 156,
                                                    .bars_bottom = 228,
                                                    .text = 12}
                                   : (struct frame){.width = 900,
                                                    .height = 260,
                                                    .left = 44,
                                                    .right = 852,
                                                    .top = 18,
                                                    .bottom = 148,
                                                    .bars_top = 172,
                                                    .bars_bottom = 246,
                                                    .text = 13};
    /* The terminus keeps its distance from the last node. */
    f.column = (f.right - 10 - f.left) / (chart->count > 0 ? (double)chart->count : 1);
    return f;
}

/* ---- The axes ------------------------------------------------------------------------------- */

static void draw_axis(struct picture *p, const struct es__scale *scale, bool bars)
{
    const struct es_part part = {.kind = bars ? "axis bars" : "axis values"};
    p->painter->begin_part(p->painter, &part);
    for (double value = es__ceiling_to(scale->least, scale->step); value <= scale->most + 0.001;
         value += scale->step) {
        double y = es__y_of(scale, value);
        bool zero = bars && value > -0.001 && value < 0.001;
        bool top = value + scale->step > scale->most + 0.001;
        const struct es_pen pen = {.fill = ES_CLEAR,
                                   .stroke = zero ? p->colours.text : p->colours.grid,
                                   .width = 1,
                                   .butt = true};
        es__segment(p->painter, (struct es_spot){p->frame.left, y},
                    (struct es_spot){p->frame.right, y}, &pen);
        if (!p->is_empty)
            es__axis_number(p->painter, (struct es_spot){p->frame.left - 8, y}, value, bars,
                            p->chart->per_cent && top && !bars ? "%" : "", p->frame.text,
                            p->colours.text);
    }
    p->painter->end_part(p->painter);
}

/* ---- The line of the expected result -------------------------------------------------------- */

static struct es_pen line_pen(const struct picture *p, bool gap)
{
    struct es_pen pen = {.fill = ES_CLEAR,
                         .stroke = gap ? p->colours.text : p->colours.ink,
                         .width = gap                ? 1.5
                                  : p->chart->narrow ? 2.5
                                                     : 3};
    if (gap) {
        pen.dash[0] = 1;
        pen.dash[1] = 5;
    }
    return pen;
}

static struct es_spot spot_of(const struct picture *p, size_t i, double value)
{
    return (struct es_spot){x_of(p, i), es__y_of(&p->values, value)};
}

static struct es_spot end_of(const struct picture *p)
{
    return (struct es_spot){p->frame.right, es__y_of(&p->values, p->chart->result)};
}

/* Draws the stretches between nodes that have results, dotted where some are missing between
 * them. */
static void draw_stretches(struct picture *p, bool gaps)
{
    const struct es_pen pen = line_pen(p, gaps);
    struct es_painter *painter = p->painter;
    struct es_spot last = {0, 0};
    size_t last_known = 0;
    bool any = false, open = false;
    for (size_t i = 0; i <= p->chart->count; i++) {
        bool end = i == p->chart->count;
        struct es_chart_node node = {.known = p->chart->has_result};
        if (!end)
            node = node_of(p, i);
        if (!node.known)
            continue;
        struct es_spot at = end ? end_of(p) : spot_of(p, i, node.value);
        bool gap = any && i > last_known + 1;
        if (any && gap == gaps) {
            if (!open || gaps)
                painter->move(painter, last);
            painter->line(painter, at);
            open = true;
        } else if (!gaps && open) {
            painter->paint(painter, &pen);
            open = false;
        }
        last = at;
        last_known = i;
        any = true;
    }
    if (open)
        painter->paint(painter, &pen);
}

/* The result: a terminus with its number. */
static void draw_result(struct picture *p)
{
    const struct es_part part = {.kind = "result"};
    struct es_spot at = end_of(p);
    const double half = p->chart->narrow ? 6 : 8;
    const struct es_pen pen = {.fill = ES_CLEAR,
                               .stroke = p->colours.ink,
                               .width = p->chart->narrow ? 4 : 5,
                               .butt = true};
    p->painter->begin_part(p->painter, &part);
    es__segment(p->painter, (struct es_spot){at.x, at.y - half},
                (struct es_spot){at.x, at.y + half}, &pen);
    double value = p->chart->result;
    es__number(p->painter, (long)(value < 0 ? value - 0.5 : value + 0.5),
               (struct es_spot){at.x + 9, at.y + 0.36 * (p->frame.text + 2)}, ES_ALIGN_START,
               p->frame.text + 2, true, p->colours.ink);
    p->painter->end_part(p->painter);
}

static void draw_line(struct picture *p)
{
    const struct es_part part = {.kind = "expected"};
    p->painter->begin_part(p->painter, &part);
    draw_stretches(p, true);
    draw_stretches(p, false);
    p->painter->end_part(p->painter);
    if (p->chart->has_result)
        draw_result(p);
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

/* Draws a polygon of `count` corners around a centre. */
static void polygon(struct picture *p, struct es_spot centre, const struct es_spot *corner,
                    int count, double radius, const struct es_pen *pen)
{
    for (int i = 0; i < count; i++) {
        struct es_spot at = {centre.x + radius * corner[i].x, centre.y + radius * corner[i].y};
        if (i == 0)
            p->painter->move(p->painter, at);
        else
            p->painter->line(p->painter, at);
    }
    p->painter->close_path(p->painter);
    p->painter->paint(p->painter, pen);
}

/* The shapes of labels: a disc with an open centre, a diamond, a triangle that points down, a
 * square with a cross. */
static void draw_mark(struct picture *p, struct es_spot at, int label)
{
    enum { GOOD = 1, INACCURACY, MISTAKE, BLUNDER };
    static const struct es_spot diamond[] = {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}};
    static const struct es_spot triangle[] = {{-1.25, -0.85}, {1.25, -0.85}, {0, 1.25}};
    static const struct es_spot square[] = {{-1.1, -1.1}, {1.1, -1.1}, {1.1, 1.1}, {-1.1, 1.1}};
    const double radius = p->chart->narrow ? 4.5 : 6;
    const uint32_t colour = p->colours.label[label], paper = p->colours.paper;
    /* The rim separates the mark from the line. */
    const struct es_pen pen = {.fill = colour, .stroke = paper, .width = 1.5};
    const struct es_pen ring = {.fill = paper, .stroke = colour, .width = radius / 2};
    const struct es_pen cross = {.fill = ES_CLEAR, .stroke = paper, .width = radius / 3.5};
    const double arm = 0.5 * radius;
    switch (label) {
    case GOOD:
        p->painter->circle(p->painter, at, 0.8 * radius, &ring);
        break;
    case INACCURACY:
        polygon(p, at, diamond, 4, radius, &pen);
        break;
    case MISTAKE:
        polygon(p, at, triangle, 3, radius, &pen);
        break;
    case BLUNDER:
        polygon(p, at, square, 4, radius, &pen);
        es__segment(p->painter, (struct es_spot){at.x - arm, at.y - arm},
                    (struct es_spot){at.x + arm, at.y + arm}, &cross);
        es__segment(p->painter, (struct es_spot){at.x - arm, at.y + arm},
                    (struct es_spot){at.x + arm, at.y - arm}, &cross);
        break;
    }
}

/* Draws the bar of a node: luck as it is, a loss downwards. In print luck is hollow. */
static void draw_bar(struct picture *p, size_t i, const struct es_chart_node *node)
{
    double value = node->chance ? node->luck : -node->loss, x = x_of(p, i);
    double half = es__smaller(0.36 * p->frame.column, 5.5);
    double zero = es__y_of(&p->bars, 0), end = es__y_of(&p->bars, value);
    if (value == 0)
        return;
    if (end - zero > -1 && end - zero < 1)
        end = zero + (value < 0 ? 1 : -1);
    struct es_box box = {x - half, es__smaller(zero, end), x + half, es__larger(zero, end)};
    struct es_pen pen = {.fill = node->chance ? p->colours.luck : p->colours.loss,
                         .stroke = ES_CLEAR};
    if (p->print && node->chance) {
        pen = (struct es_pen){.fill = p->colours.paper, .stroke = p->colours.luck, .width = 0.8};
        box.left += 0.4;
        box.right -= 0.4;
    }
    es__rectangle(p->painter, box, 0, &pen);
}

/* Adds "expected 52.3 points", "luck +1.4 %". */
static void title_value(struct picture *p, struct es__title *title, const char *word, double value,
                        bool sign)
{
    char text[96];
    struct es_out out = {text, sizeof text, 0};
    es__write_decimal(&out, p->draw, value, sign);
    es_out_char(&out, ' ');
    es_out_text(&out, p->chart->per_cent ? "%" : es__word(p->draw, ES_SAY("points")));
    if (es_out_ok(&out))
        es__title_called(title, p->draw, word, (struct es_str){text, out.used});
}

static void write_title(struct picture *p, const struct es_chart_node *node,
                        struct es__title *title)
{
    static const char *const labels[ES_CHART_LABELS] = {
        "", ES_SAY("good move"), ES_SAY("inaccuracy"), ES_SAY("mistake"), ES_SAY("blunder")};
    es__title_word(title, p->draw, node->chance ? ES_SAY("chance") : ES_SAY("decision"));
    if (node->open)
        es__title_word(title, p->draw, ES_SAY("to come"));
    if (!node->known) {
        es__title_word(title, p->draw, ES_SAY("not yet analysed"));
        return;
    }
    title_value(p, title, ES_SAY("expected"), node->value, false);
    if (node->chance && !node->open)
        title_value(p, title, ES_SAY("luck"), node->luck, true);
    else if (!node->open)
        title_value(p, title, ES_SAY("loss"), node->loss, false);
    if (node->label > 0)
        es__title_word(title, p->draw, labels[node->label]);
}

static void write_kind(const struct picture *p, size_t i, const struct es_chart_node *node,
                       char *text, size_t size)
{
    static const char *const labels[ES_CHART_LABELS] = {"", " good", " inaccuracy", " mistake",
                                                        " blunder"};
    struct es_out out = {text, size - 1, 0};
    es_out_text(&out, node->chance ? "node chance" : "node decision");
    if (node->known)
        es_out_text(&out, labels[node->label]);
    if (node->open)
        es_out_text(&out, " open");
    if (p->chart->selected == (long)i)
        es_out_text(&out, " selected");
    text[out.used] = '\0';
}

static bool is_selected(const struct picture *p, size_t i)
{
    return p->chart->selected >= 0 && (size_t)p->chart->selected == i;
}

/* Draws what is on the line at a node: a mark, or a small station for a decision; for the selected
 * node a ring around it. */
static void draw_station(struct picture *p, size_t i, const struct es_chart_node *node)
{
    struct es_spot at = spot_of(p, i, node->value);
    const double radius = p->chart->narrow ? 4.5 : 6;
    if (is_selected(p, i)) {
        const struct es_pen ring = {.fill = p->colours.paper, .stroke = p->colours.ink, .width = 2};
        p->painter->circle(p->painter, at, radius * 1.9, &ring);
    }
    if (node->label > 0) {
        draw_mark(p, at, node->label);
    } else if (!node->chance || is_selected(p, i)) {
        const struct es_pen dot = {.fill = p->colours.paper,
                                   .stroke = p->colours.ink,
                                   .width = p->chart->narrow ? 1 : 1.4};
        double size = es__smaller(p->chart->narrow ? 1.8 : 2.6, 0.4 * p->frame.column);
        p->painter->circle(p->painter, at, is_selected(p, i) ? 0.5 * radius : size, &dot);
    }
}

static void draw_node(struct picture *p, size_t i)
{
    struct es_chart_node node = node_of(p, i);
    struct es__title title = {0};
    char kind[64], digits[24];
    struct es_out number = {digits, sizeof digits, 0};
    es_out_int(&number, (long)i);
    write_kind(p, i, &node, kind, sizeof kind);
    write_title(p, &node, &title);
    struct es_part part = es__part(kind, "node-", (struct es_str){digits, number.used});
    part.data[0].name = "node";
    part.data[0].value = (struct es_str){digits, number.used};
    part.title = es__titled(&title);
    p->painter->begin_part(p->painter, &part);
    /* What can be tapped is as high as the picture. */
    double x = x_of(p, i), half = p->frame.column / 2;
    const struct es_pen clear = {.fill = p->colours.paper, .stroke = ES_CLEAR, .opacity = 0.001};
    es__rectangle(p->painter, (struct es_box){x - half, 0, x + half, p->frame.height}, 0, &clear);
    if (node.known) {
        if (!node.open)
            draw_bar(p, i, &node);
        draw_station(p, i, &node);
    } else {
        const struct es_pen dot = {.fill = p->colours.text, .stroke = ES_CLEAR};
        p->painter->circle(p->painter, (struct es_spot){x, es__y_of(&p->bars, 0)},
                           es__smaller(1.5, half), &dot);
    }
    p->painter->end_part(p->painter);
}

static void draw_selection(struct picture *p)
{
    const struct es_part part = {.kind = "selection"};
    if (p->chart->selected < 0 || (size_t)p->chart->selected >= p->chart->count)
        return;
    double x = x_of(p, (size_t)p->chart->selected), half = es__larger(p->frame.column / 2, 5);
    const struct es_pen pen = {.fill = p->colours.band, .stroke = ES_CLEAR};
    p->painter->begin_part(p->painter, &part);
    es__rectangle(p->painter, (struct es_box){x - half, 4, x + half, p->frame.height - 4},
                  es__smaller(half, 6), &pen);
    p->painter->end_part(p->painter);
}

void es_chart_draw(const struct es_chart *chart, const struct es_draw *draw,
                   struct es_painter *painter)
{
    struct picture p = {.chart = chart,
                        .draw = draw,
                        .painter = painter,
                        .colours = es_chart_colours(draw->theme),
                        .print = draw->theme == ES_THEME_PRINT,
                        .frame = frame_of(chart)};
    set_scales(&p);
    painter->begin(painter, p.frame.width, p.frame.height, p.colours.paper,
                   es_str(es__word(draw, ES_SAY("expected result, luck and loss"))));
    draw_selection(&p);
    draw_axis(&p, &p.values, false);
    draw_axis(&p, &p.bars, true);
    draw_line(&p);
    for (size_t i = 0; i < chart->count; i++)
        if (!is_selected(&p, i))
            draw_node(&p, i);
    /* Last, so that its ring covers its neighbours. */
    if (chart->selected >= 0 && (size_t)chart->selected < chart->count)
        draw_node(&p, (size_t)chart->selected);
    painter->end(painter);
}
