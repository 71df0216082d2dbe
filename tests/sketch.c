/* A painter that records what is painted: see sketch.h. */
#include "sketch.h"
#include "check.h"
#include <math.h>

static struct sketch *sketch_of(struct es_painter *painter)
{
    return (struct sketch *)painter;
}

static int inner(const struct sketch *s)
{
    return s->depth > 0 ? s->stack[s->depth - 1] : -1;
}

static int inner_with_id(const struct sketch *s)
{
    for (int i = s->depth; i-- > 0;)
        if (s->part[s->stack[i]].id[0])
            return s->stack[i];
    return -1;
}

static void begin(struct es_painter *painter, double wide, double high, uint32_t paper,
                  struct es_str title)
{
    struct sketch *s = sketch_of(painter);
    (void)paper;
    assert_true(wide > 0 && high > 0 && title.size > 0);
    s->wide = wide;
    s->high = high;
    snprintf(s->title, sizeof s->title, "%.*s", (int)title.size, title.at);
    s->begun++;
}

static void end(struct es_painter *painter)
{
    assert_int_equal(sketch_of(painter)->depth, 0);
    sketch_of(painter)->ended++;
}

static void open_part(struct es_painter *painter, const struct es_part *part)
{
    struct sketch *s = sketch_of(painter);
    assert_true(s->depth < SKETCH_DEPTH && s->parts < SKETCH_PARTS);
    struct sketch_part *p = &s->part[s->parts];
    *p = (struct sketch_part){.box = {1e9, 1e9, -1e9, -1e9}, .first = s->spots};
    snprintf(p->kind, sizeof p->kind, "%s", part->kind);
    snprintf(p->id, sizeof p->id, "%s", part->id);
    snprintf(p->title, sizeof p->title, "%.*s", (int)part->title.size, part->title.at);
    s->stack[s->depth++] = s->parts++;
}

static void close_part(struct es_painter *painter)
{
    struct sketch *s = sketch_of(painter);
    assert_true(s->depth > 0);
    s->part[s->stack[--s->depth]].end = s->spots;
}

static void add_spot(struct sketch *s, struct es_spot at, double radius)
{
    assert_true(s->spots < SKETCH_SPOTS);
    assert_true(isfinite(at.x) && isfinite(at.y));
    s->spot[s->spots++] = (struct sketch_spot){at, radius, inner_with_id(s), s->runs};
}

static void move(struct es_painter *painter, struct es_spot to)
{
    struct sketch *s = sketch_of(painter);
    s->start = s->last = to;
    s->moves++;
    add_spot(s, to, 0);
}

static void line(struct es_painter *painter, struct es_spot to)
{
    struct sketch *s = sketch_of(painter);
    double x = to.x - s->last.x, y = to.y - s->last.y;
    int steps = (int)fmin(ceil(hypot(x, y)), 3000);
    for (int i = 1; i <= steps; i++)
        add_spot(s, (struct es_spot){s->last.x + x * i / steps, s->last.y + y * i / steps}, 0);
    s->last = to;
}

static void curve(struct es_painter *painter, struct es_spot a, struct es_spot b, struct es_spot to)
{
    struct es_spot from = sketch_of(painter)->last;
    for (int i = 1; i <= 16; i++) {
        double t = i / 16.0, u = 1 - t;
        double f = u * u * u, g = 3 * u * u * t, h = 3 * u * t * t, k = t * t * t;
        line(painter, (struct es_spot){f * from.x + g * a.x + h * b.x + k * to.x,
                                       f * from.y + g * a.y + h * b.y + k * to.y});
    }
}

static void shut(struct es_painter *painter)
{
    line(painter, sketch_of(painter)->start);
}

static void grow(struct sketch *s, struct es_spot at, double by)
{
    int part = inner_with_id(s);
    if (part < 0)
        return;
    struct es_box *box = &s->part[part].box;
    box->left = fmin(box->left, at.x - by);
    box->right = fmax(box->right, at.x + by);
    box->top = fmin(box->top, at.y - by);
    box->bottom = fmax(box->bottom, at.y + by);
}

static void end_run(struct sketch *s, const struct es_pen *pen, struct es_box box)
{
    assert_true(s->runs < SKETCH_RUNS);
    s->run[s->runs++] = (struct sketch_run){*pen, box, s->first, s->spots, s->moves};
    s->first = s->spots;
    s->moves = 0;
}

static void paint(struct es_painter *painter, const struct es_pen *pen)
{
    struct sketch *s = sketch_of(painter);
    struct es_box box = {1e9, 1e9, -1e9, -1e9};
    for (int i = s->first; i < s->spots; i++) {
        struct es_spot at = s->spot[i].at;
        if (pen->stroke != ES_CLEAR)
            s->spot[i].radius = pen->width / 2;
        grow(s, at, s->spot[i].radius);
        box = (struct es_box){fmin(box.left, at.x), fmin(box.top, at.y), fmax(box.right, at.x),
                              fmax(box.bottom, at.y)};
    }
    end_run(s, pen, box);
}

static void circle(struct es_painter *painter, struct es_spot centre, double radius,
                   const struct es_pen *pen)
{
    struct sketch *s = sketch_of(painter);
    double out = radius + (pen->stroke != ES_CLEAR ? pen->width / 2 : 0);
    assert_int_equal(s->first, s->spots); /* not in the middle of a path */
    add_spot(s, centre, out);
    grow(s, centre, out);
    end_run(s, pen,
            (struct es_box){centre.x - radius, centre.y - radius, centre.x + radius,
                            centre.y + radius});
}

static void text(struct es_painter *painter, const struct es_writing *w)
{
    struct sketch *s = sketch_of(painter);
    assert_true(s->texts < SKETCH_TEXTS && w->width >= 0 && w->text.size > 0);
    struct sketch_text *t = &s->text[s->texts++];
    double left = w->at.x - (w->align == ES_ALIGN_END      ? w->width
                             : w->align == ES_ALIGN_MIDDLE ? w->width / 2
                                                           : 0);
    snprintf(t->text, sizeof t->text, "%.*s", (int)w->text.size, w->text.at);
    /* Capital letters are 0.72 of the size high, descenders 0.21 deep. */
    t->box =
        (struct es_box){left, w->at.y - 0.72 * w->size, left + w->width, w->at.y + 0.21 * w->size};
    t->part = inner_with_id(s);
    snprintf(t->kind, sizeof t->kind, "%s", inner(s) >= 0 ? s->part[inner(s)].kind : "");
}

void sketch_open(struct sketch *s)
{
    memset(s, 0, offsetof(struct sketch, part));
    s->painter = (struct es_painter){begin, end,  open_part, close_part, move, line,
                                     curve, shut, paint,     circle,     text};
}

int sketch_part(const struct sketch *s, const char *id)
{
    for (int i = 0; i < s->parts; i++)
        if (strcmp(s->part[i].id, id) == 0)
            return i;
    return -1;
}

int sketch_next_run(const struct sketch *s, int part, int run)
{
    while (++run < s->runs)
        if (s->run[run].first >= s->part[part].first && s->run[run].end <= s->part[part].end)
            return run;
    return -1;
}
