/* Distance and overlap tests for boxes and line segments. */
#include "draw/internal.h"

bool es__apart(struct es_box a, struct es_box b, double gap)
{
    return a.right + gap <= b.left || b.right + gap <= a.left || a.bottom + gap <= b.top ||
           b.bottom + gap <= a.top;
}

/* Returns true if the segment from a to b crosses a box grown by `near` on all sides: it is clipped
 * at each side in turn, and something is left. */
static bool crosses(struct es_box box, struct es_spot a, struct es_spot b, double near)
{
    const double low[2] = {box.left - near, box.top - near};
    const double high[2] = {box.right + near, box.bottom + near};
    const double from[2] = {a.x, a.y}, way[2] = {b.x - a.x, b.y - a.y};
    double enter = 0, leave = 1;
    for (int i = 0; i < 2; i++) {
        if (way[i] > -1e-9 && way[i] < 1e-9) {
            if (from[i] <= low[i] || from[i] >= high[i])
                return false;
            continue;
        }
        double s = (low[i] - from[i]) / way[i], t = (high[i] - from[i]) / way[i];
        enter = (s < t ? s : t) > enter ? (s < t ? s : t) : enter;
        leave = (s < t ? t : s) < leave ? (s < t ? t : s) : leave;
    }
    return enter < leave;
}

/* Returns the square of the distance from a spot to the segment from a to b. */
static double distance2(struct es_spot s, struct es_spot a, struct es_spot b)
{
    double x = b.x - a.x, y = b.y - a.y, length2 = x * x + y * y;
    double t = length2 > 0 ? ((s.x - a.x) * x + (s.y - a.y) * y) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    x = a.x + t * x - s.x;
    y = a.y + t * y - s.y;
    return x * x + y * y;
}

/* The box grown by `near` should have round corners. A segment that only crosses a corner region is
 * tested against the distance to the corner itself. */
bool es__touches(struct es_box box, struct es_spot a, struct es_spot b, double near)
{
    if (!crosses(box, a, b, near))
        return false;
    struct es_box wide = {box.left - near, box.top, box.right + near, box.bottom};
    struct es_box high = {box.left, box.top - near, box.right, box.bottom + near};
    if (crosses(wide, a, b, 0) || crosses(high, a, b, 0))
        return true;
    for (int i = 0; i < 4; i++) {
        struct es_spot corner = {i % 2 ? box.right : box.left, i / 2 ? box.bottom : box.top};
        if (distance2(corner, a, b) < near * near)
            return true;
    }
    return false;
}

/* Segments that do not cross are nearest at an end of one of them. */
bool es__meets(struct es_spot a, struct es_spot b, struct es_spot c, struct es_spot d, double near)
{
    double near2 = near * near;
    if (distance2(a, c, d) < near2 || distance2(b, c, d) < near2 || distance2(c, a, b) < near2 ||
        distance2(d, a, b) < near2)
        return true;
    double one = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    double two = (b.x - a.x) * (d.y - a.y) - (b.y - a.y) * (d.x - a.x);
    double three = (d.x - c.x) * (a.y - c.y) - (d.y - c.y) * (a.x - c.x);
    double four = (d.x - c.x) * (b.y - c.y) - (d.y - c.y) * (b.x - c.x);
    return one * two < 0 && three * four < 0;
}
