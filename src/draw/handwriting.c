/* Handwritten crosses, digits and signs. A stroke is a curve through the midpoints of a chain of
 * points, each moved a little at random; a point given twice is a sharp corner. */
#include "draw/internal.h"

/* Returns a number from −1 to 1, the same for the same seed and number. */
static double wobble(unsigned seed, unsigned number)
{
    uint32_t x = seed * 0x9e3779b1u + number * 0x85ebca6bu + 0x27d4eb2f;
    x = (x ^ x >> 15) * 0x2c1b3c6d;
    x = (x ^ x >> 12) * 0x297a2d39;
    x ^= x >> 15;
    return (double)(x & 0xffff) / 32767.5 - 1;
}

/* Points of a stroke in a box 10 wide and 14 high; a stroke ends with {-9}. */
typedef int8_t point[2];
enum { END = -9, DIGIT_WIDE = 10, DIGIT_HIGH = 14, STROKES = 26 };

static const point digits[10][STROKES] = {
    {{5, 0}, {1, 1}, {0, 7}, {1, 13}, {6, 15}, {10, 12}, {10, 3}, {6, 0}, {4, 0}, {END, 0}},
    {{3, 3}, {6, 0}, {6, 0}, {6, 14}, {END, 0}},
    {{1, 3}, {3, -1}, {9, -1}, {9, 5}, {5, 9}, {0, 14}, {0, 14}, {10, 14}, {END, 0}},
    {{1, 1},
     {5, -1},
     {10, 0},
     {9, 6},
     {4, 7},
     {4, 7},
     {10, 7},
     {10, 14},
     {4, 15},
     {0, 12},
     {END, 0}},
    {{6, 0}, {0, 9}, {0, 9}, {10, 9}, {END, 0}, {7, 5}, {7, 14}, {END, 0}},
    {{9, 0}, {2, 0}, {2, 0}, {1, 6}, {1, 6}, {8, 4}, {11, 9}, {8, 15}, {0, 13}, {END, 0}},
    {{8, 0}, {2, 3}, {0, 10}, {2, 15}, {9, 14}, {10, 9}, {6, 6}, {2, 8}, {1, 10}, {END, 0}},
    {{1, 0}, {9, 0}, {9, 0}, {5, 7}, {4, 14}, {END, 0}},
    {{9, 2},
     {5, -1},
     {0, 1},
     {2, 6},
     {8, 8},
     {11, 13},
     {5, 15},
     {-1, 13},
     {2, 8},
     {8, 5},
     {9, 2},
     {END, 0}},
    {{9, 4}, {7, 8}, {1, 8}, {0, 1}, {5, -1}, {9, 1}, {9, 4}, {9, 9}, {5, 14}, {END, 0}},
};
static const point plus[STROKES] = {{5, 2}, {5, 12}, {END, 0}, {0, 7}, {10, 7}, {END, 0}};
static const point arrow[STROKES] = {{0, 7},  {11, 7}, {END, 0}, {7, 3},
                                     {11, 7}, {11, 7}, {7, 11},  {END, 0}};

struct sketch {
    struct es_painter *painter;
    struct es_spot corner; /* of the box, top left */
    double scale;
    unsigned seed, number;
};

static struct es_spot off(struct sketch *sketch, const int8_t *at)
{
    double much = 0.45 * sketch->scale;
    double x = wobble(sketch->seed, sketch->number), y = wobble(sketch->seed, sketch->number + 1);
    sketch->number += 2;
    return (struct es_spot){sketch->corner.x + at[0] * sketch->scale + x * much,
                            sketch->corner.y + at[1] * sketch->scale + y * much};
}

static struct es_spot middle(struct es_spot a, struct es_spot b)
{
    return (struct es_spot){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

/* Draws a quadratic curve as a cubic one. */
static void bow(struct es_painter *painter, struct es_spot from, struct es_spot by,
                struct es_spot to)
{
    painter->curve(
        painter,
        (struct es_spot){from.x + (by.x - from.x) * 2 / 3, from.y + (by.y - from.y) * 2 / 3},
        (struct es_spot){to.x + (by.x - to.x) * 2 / 3, to.y + (by.y - to.y) * 2 / 3}, to);
}

/* Draws a stroke and returns the first point after it. */
static const point *stroke(struct sketch *sketch, const point *at)
{
    struct es_spot last = off(sketch, *at++), from = last;
    sketch->painter->move(sketch->painter, last);
    for (; (*at)[0] != END; at++) {
        bool corner = at[0][0] == at[-1][0] && at[0][1] == at[-1][1];
        struct es_spot next = corner ? last : off(sketch, *at);
        bool ends = at[1][0] == END;
        struct es_spot to = ends ? next : middle(last, next);
        if (corner)
            sketch->painter->line(sketch->painter, last);
        else
            bow(sketch->painter, from, last, to);
        from = corner ? last : to;
        last = next;
    }
    return at + 1;
}

static void strokes(struct sketch *sketch, const point *at)
{
    while (at[0][0] != 0 || at[0][1] != 0 || at[1][0] != 0) /* unused points are zero */
        at = stroke(sketch, at);
}

static struct es_pen pen(double size, uint32_t colour)
{
    return (struct es_pen){.fill = ES_CLEAR, .stroke = colour, .width = 0.9 + size / 14};
}

void es__handwrite_strike(struct es_painter *painter, struct es_spot a, struct es_spot b,
                          unsigned seed, uint32_t colour)
{
    const struct es_pen ink = pen(12, colour);
    struct es_spot by = middle(a, b);
    by.x += 2 * wobble(seed, 1);
    by.y += 2 * wobble(seed, 2);
    painter->move(painter, a);
    bow(painter, a, by, b);
    painter->paint(painter, &ink);
}

void es__handwrite_cross(struct es_painter *painter, struct es_spot c, double size, unsigned seed,
                         uint32_t colour)
{
    double half = size / 2, much = size * 0.07;
    const struct es_pen ink = {.fill = ES_CLEAR, .stroke = colour, .width = 1 + size / 11};
    for (unsigned i = 0; i < 2; i++) {
        double way = i == 0 ? 1 : -1;
        unsigned n = 10 * i;
        struct es_spot a = {c.x - half * way + much * wobble(seed, n),
                            c.y - half + much * wobble(seed, n + 1)};
        struct es_spot b = {c.x + half * way + much * wobble(seed, n + 2),
                            c.y + half + much * wobble(seed, n + 3)};
        struct es_spot by = {c.x + 2 * much * wobble(seed, n + 4),
                             c.y + 2 * much * wobble(seed, n + 5)};
        painter->move(painter, a);
        bow(painter, a, by, b);
    }
    painter->paint(painter, &ink);
}

/* Draws a loop that does not quite close. */
void es__handwrite_ring(struct es_painter *painter, struct es_spot c, double radius, unsigned seed,
                        uint32_t colour)
{
    const double k = 0.5523;
    static const int8_t way[5][2] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const struct es_pen ink = pen(radius, colour);
    struct es_spot at[5];
    for (unsigned i = 0; i < 5; i++) {
        double r = radius * (1 + 0.07 * wobble(seed, i) + (i == 4 ? 0.08 : 0));
        at[i] = (struct es_spot){c.x + way[i][0] * r + (i == 4 ? 0.25 * radius : 0),
                                 c.y + way[i][1] * r};
    }
    painter->move(painter, at[0]);
    for (int i = 0; i < 4; i++) {
        double r = radius * k;
        painter->curve(
            painter,
            (struct es_spot){at[i].x + way[(i + 1) % 4][0] * r, at[i].y + way[(i + 1) % 4][1] * r},
            (struct es_spot){at[i + 1].x + way[i][0] * r, at[i + 1].y + way[i][1] * r}, at[i + 1]);
    }
    painter->paint(painter, &ink);
}

/* Draws signs side by side around a centre, `size` high. */
static void write_signs(struct es_painter *painter, struct es_spot centre, double size,
                        unsigned seed, const point *const *signs, int count, uint32_t colour)
{
    double scale = size / DIGIT_HIGH, wide = (DIGIT_WIDE + 3.5) * scale;
    const struct es_pen ink = pen(size, colour);
    struct sketch sketch = {
        .painter = painter,
        .corner = {centre.x - (count * wide - 3.5 * scale) / 2, centre.y - size / 2},
        .scale = scale,
        .seed = seed,
    };
    for (int i = 0; i < count; i++) {
        strokes(&sketch, signs[i]);
        sketch.corner.x += wide;
    }
    painter->paint(painter, &ink);
}

void es__handwrite_number(struct es_painter *painter, struct es_spot c, double size, unsigned seed,
                          int number, bool framed, uint32_t colour)
{
    const point *const both[] = {digits[number / 10 % 10], digits[number % 10]};
    bool one = number < 10;
    write_signs(painter, c, one ? size : 0.72 * size, seed, both + one, 2 - one, colour);
    if (!framed)
        return;
    const struct es_pen ink = pen(size, colour);
    const double side = size * 0.82, much = size * 0.08;
    static const int8_t way[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    struct es_spot first = {c.x - side, c.y - side};
    for (unsigned i = 0; i < 4; i++) {
        struct es_spot to = {c.x + way[i][0] * side + much * wobble(seed, 40 + 2 * i),
                             c.y + way[i][1] * side + much * wobble(seed, 41 + 2 * i)};
        if (i == 0) {
            painter->move(painter, to);
            first = to;
        } else {
            painter->line(painter, to);
        }
    }
    painter->line(painter, (struct es_spot){first.x - much / 2, first.y - much});
    painter->paint(painter, &ink);
}

void es__handwrite_signs(struct es_painter *painter, struct es_spot centre, double size,
                         unsigned seed, const char *signs, uint32_t colour)
{
    const point *strokes[2];
    int count = 0;
    for (; count < 2 && signs[count]; count++)
        strokes[count] = signs[count] == '+'   ? plus
                         : signs[count] == '>' ? arrow
                                               : digits[signs[count] - '0'];
    write_signs(painter, centre, count > 1 ? 0.68 * size : size, seed, strokes, count, colour);
}
