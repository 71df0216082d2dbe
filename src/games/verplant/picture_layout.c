/* Computes the layout of a sheet: scale, paths of lines, shapes of stations, wagons.
 * picture_lanes.c finds lanes, picture_labels.c places names. */
#include "games/verplant/picture.h"
#include <string.h>

enum {
    MARGIN = 14,
    UNIT_MOST = 72, /* small maps are not enlarged beyond this */
};

/* ---- Scale ---------------------------------------------------------------------------------- */

static struct es_spot spot_of(const struct es_layout *lay, struct es_point at)
{
    return (struct es_spot){lay->origin.x + at.x * lay->unit / 10,
                            lay->origin.y + at.y * lay->unit / 10};
}

/* Returns the box of a wagon, which extends from its nose away from the first stop. */
static struct es_box wagon_box(const struct es_map *map, const struct es_layout *lay, int l)
{
    const struct es_map_line *line = &map->line[l];
    struct es_point first = map->station[line->stop[0]].at;
    struct es_spot nose = spot_of(lay, line->wagon);
    double wide =
        ES_WAGON_LETTER + ES_WAGON_WINDOW * line->windows + (line->ring ? ES_WAGON_ARROWS : 0);
    double left = nose.x - wide / 2, top = nose.y - ES_WAGON_HIGH / 2.0;
    if (line->wagon.x < first.x)
        left = nose.x - wide;
    else if (line->wagon.x > first.x)
        left = nose.x;
    else if (line->wagon.y < first.y)
        top = nose.y - ES_WAGON_HIGH;
    else
        top = nose.y;
    return (struct es_box){left, top, left + wide, top + ES_WAGON_HIGH};
}

static void widen(struct es_box *box, struct es_box by)
{
    box->left = by.left < box->left ? by.left : box->left;
    box->top = by.top < box->top ? by.top : box->top;
    box->right = by.right > box->right ? by.right : box->right;
    box->bottom = by.bottom > box->bottom ? by.bottom : box->bottom;
}

static struct es_box extent(const struct es_map *map, const struct es_layout *lay)
{
    struct es_box all = wagon_box(map, lay, 0);
    for (int l = 0; l < map->lines; l++) {
        widen(&all, wagon_box(map, lay, l));
        for (int p = lay->first_place[l]; p < lay->first_place[l + 1]; p++) {
            /* A place can be a station, and as wide as the wider of the beds there. */
            int hop = es__is_last(lay, l, p) ? p - 1 : p;
            int here = lay->bed[lay->place[hop].bed].lines;
            int before = p > lay->first_place[l] ? lay->bed[lay->place[p - 1].bed].lines : here;
            double around = 12 + (here > before ? here : before) * (ES_TRACK_PITCH / 2);
            struct es_spot s = spot_of(lay, lay->place[p].at);
            widen(&all, (struct es_box){s.x - around, s.y - around, s.x + around, s.y + around});
        }
    }
    return all;
}

/* Finds the largest unit with which everything fits, and centres the map. Wagons do not grow with
 * the unit, so it is found step by step. */
static void fit(const struct es_map *map, struct es_layout *lay)
{
    const double wide = ES_MAP_WIDE - 2 * MARGIN, high = ES_SHEET_HIGH - 2 * MARGIN;
    lay->unit = UNIT_MOST;
    lay->origin = (struct es_spot){0, 0};
    struct es_box all = extent(map, lay);
    for (int i = 0; i < 20; i++) {
        double x = wide / (all.right - all.left), y = high / (all.bottom - all.top);
        double smaller = x < y ? x : y;
        if (smaller >= 1)
            break;
        lay->unit *= smaller;
        all = extent(map, lay);
    }
    lay->origin.x = MARGIN + (wide - (all.right + all.left)) / 2;
    lay->origin.y = MARGIN + (high - (all.bottom + all.top)) / 2;
}

/* ---- Paths ---------------------------------------------------------------------------------- */

static double lane_offset(const struct es_layout *lay, int place)
{
    return lay->place[place].lane * (ES_TRACK_PITCH / 2);
}

static void add_point(struct es_layout *lay, struct es_spot at, double radius, int station)
{
    lay->point[lay->points++] = (struct es_layout_point){at, (float)radius, (int16_t)station};
}

/* Adds the corner of a line at a place, from the hop `in` to the hop `out` (the places where they
 * begin). Returns where the line passes. */
static struct es_spot add_turn(struct es_layout *lay, struct es_spot at, int station, int in,
                               int out)
{
    const double bend = 18, small = 10, change = 7; /* radii; half the length of a lane change */
    struct es_spot u = es__hop_direction(lay, in, 1), v = es__hop_direction(lay, out, 1);
    double a = lane_offset(lay, in), b = lane_offset(lay, out);
    double sine = u.x * v.y - u.y * v.x, cosine = u.x * v.x + u.y * v.y;
    struct es_spot from = {at.x - u.y * a, at.y + u.x * a}, to = {at.x - v.y * b, at.y + v.x * b};
    struct es_spot between = {(from.x + to.x) / 2, (from.y + to.y) / 2};
    if (sine > -0.3 && sine < 0.3) { /* straight on, or back */
        double shift = a - b;
        if (cosine > 0 && shift > -0.1 && shift < 0.1) {
            add_point(lay, from, small, station);
            return from;
        }
        double back = cosine > 0 ? change : 0;
        add_point(lay, (struct es_spot){from.x - u.x * back, from.y - u.y * back}, small, station);
        add_point(lay, (struct es_spot){to.x + v.x * back, to.y + v.y * back}, small, station);
        return between;
    }
    /* Where the two lanes meet. Curves side by side have the same centre. */
    double t = (b - a * cosine) / -sine;
    struct es_spot meet = {from.x + u.x * t, from.y + u.y * t};
    double radius = (station >= 0 ? small : bend) - (sine > 0 ? 1 : -1) * (a + b) / 2;
    add_point(lay, meet, radius > 3 ? radius : 3, station);
    return meet;
}

static void add_pass(struct es_layout *lay, int station, struct es_spot at)
{
    if (station < 0)
        return;
    struct es_layout_station *s = &lay->station[station];
    if (s->corners < ES_LINES_MAX)
        s->corner[s->corners++] = at;
}

static struct es_spot beside(const struct es_layout *lay, int place, int hop)
{
    struct es_spot at = spot_of(lay, lay->place[place].at), u = es__hop_direction(lay, hop, 1);
    double offset = lane_offset(lay, hop);
    return (struct es_spot){at.x - u.y * offset, at.y + u.x * offset};
}

static void trace_line(const struct es_map *map, struct es_layout *lay, int l)
{
    struct es_layout_line *line = &lay->line[l];
    bool ring = map->line[l].ring;
    int first = lay->first_place[l], last = lay->first_place[l + 1] - 1;
    line->first = lay->points;
    line->wagon = wagon_box(map, lay, l);
    line->nose = beside(lay, first, first);
    if (!ring)
        add_point(lay, line->nose, 0, -1);
    for (int p = first + 1; p < last; p++) {
        int in = ring && p == first + 1 ? last - 1 : p - 1;
        struct es_spot at = spot_of(lay, lay->place[p].at);
        struct es_spot pass = add_turn(lay, at, lay->place[p].station, in, p);
        add_pass(lay, lay->place[p].station, pass);
        if (p == first + 1)
            line->start = pass;
    }
    if (!ring) {
        line->end = beside(lay, last, last - 1);
        add_pass(lay, lay->place[last].station, line->end);
        add_point(lay, line->end, 0, lay->place[last].station);
    }
    line->points = lay->points - line->first;
}

/* Rounds the corner b of a–b–c: a straight line to where the curve begins, then the curve. */
static void corner(struct es_painter *painter, struct es_spot a, const struct es_layout_point *b,
                   struct es_spot c)
{
    double before, after;
    struct es_spot u = es__direction(a, b->at, &before), v = es__direction(b->at, c, &after);
    double cosine = u.x * v.x + u.y * v.y, sine = u.x * v.y - u.y * v.x;
    double room = (before < after ? before : after) / 2;
    sine = sine < 0 ? -sine : sine;
    if (sine < 0.01 || cosine < -0.99 || b->radius <= 0) {
        painter->line(painter, b->at);
        return;
    }
    /* Tangents of half and a quarter of the angle, without trigonometric functions. */
    double half = sine / (1 + cosine), reach = b->radius * half;
    double cosine_half = __builtin_sqrt((1 + cosine) / 2);
    double sine_half = __builtin_sqrt((1 - cosine) / 2);
    double quarter = sine_half / (1 + cosine_half);
    if (reach > room)
        reach = room;
    double handle = reach - 4.0 / 3 * quarter * (reach / half); /* distance from the corner */
    painter->line(painter, es__ahead(b->at, u, -reach));
    painter->curve(painter, es__ahead(b->at, u, -handle), es__ahead(b->at, v, handle),
                   es__ahead(b->at, v, reach));
}

void es__trace_between(struct es_painter *painter, struct es_spot from,
                       const struct es_layout_point *points, int count, struct es_spot to)
{
    painter->move(painter, from);
    for (int i = 0; i < count; i++)
        corner(painter, i > 0 ? points[i - 1].at : from, &points[i],
               i + 1 < count ? points[i + 1].at : to);
    painter->line(painter, to);
}

void es__trace(struct es_painter *painter, const struct es_layout_point *points, int count,
               bool closed)
{
    if (count < 2)
        return;
    if (closed) { /* from the middle of its first side, so that all corners are alike */
        struct es_spot a = points[0].at, b = points[1].at;
        painter->move(painter, (struct es_spot){(a.x + b.x) / 2, (a.y + b.y) / 2});
        for (int i = 1; i <= count; i++)
            corner(painter, points[i - 1].at, &points[i % count], points[(i + 1) % count].at);
        painter->close_path(painter);
        return;
    }
    es__trace_between(painter, points[0].at, points + 1, count - 2, points[count - 1].at);
}

void es_layout_trace(const struct es_map *map, const struct es_layout *lay, int l,
                     struct es_painter *painter)
{
    const struct es_layout_line *line = &lay->line[l];
    if (map->line[l].ring) {
        painter->move(painter, line->nose);
        painter->line(painter, line->start);
    }
    es__trace(painter, &lay->point[line->first], line->points, map->line[l].ring);
}

/* ---- Stations ------------------------------------------------------------------------------- */

/* The extent of the spots where a station's lines pass, along two axes: across and down, or both
 * diagonals. */
struct frame {
    struct es_spot axis;
    double low[2], high[2];
};

static struct frame frame_along(struct es_spot axis, const struct es_layout_station *s)
{
    struct frame f = {axis, {1e9, 1e9}, {-1e9, -1e9}};
    for (int i = 0; i < s->corners; i++) {
        double at[2] = {s->corner[i].x * axis.x + s->corner[i].y * axis.y,
                        s->corner[i].y * axis.x - s->corner[i].x * axis.y};
        for (int k = 0; k < 2; k++) {
            f.low[k] = at[k] < f.low[k] ? at[k] : f.low[k];
            f.high[k] = at[k] > f.high[k] ? at[k] : f.high[k];
        }
    }
    for (int k = 0; k < 2; k++)
        if (f.high[k] - f.low[k] < 3.6) /* nearly straight counts as straight */
            f.low[k] = f.high[k] = (f.low[k] + f.high[k]) / 2;
    return f;
}

static double frame_area(const struct frame *f, double radius)
{
    return (f->high[0] - f->low[0] + 2 * radius) * (f->high[1] - f->low[1] + 2 * radius);
}

/* Sets the station's corners from the frame: one for a disc, two for a capsule, four for a rounded
 * rectangle. */
static void take_frame(struct es_layout_station *s, const struct frame *f)
{
    static const uint8_t order[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    s->corners = 0;
    for (int i = 0; i < 4; i++) {
        double u = order[i][0] ? f->high[0] : f->low[0], v = order[i][1] ? f->high[1] : f->low[1];
        struct es_spot at = {u * f->axis.x - v * f->axis.y, u * f->axis.y + v * f->axis.x};
        bool known = false;
        for (int j = 0; j < s->corners; j++)
            known |= s->corner[j].x == at.x && s->corner[j].y == at.y;
        if (!known)
            s->corner[s->corners++] = at;
    }
}

static void shape_station(const struct es_map *map, struct es_layout *lay, int station)
{
    const double rays = 3.8, diagonal = 0.70710678;
    struct es_layout_station *s = &lay->station[station];
    int calls = es_map_calls(map, station);
    s->radius = calls == 1 ? 8.5 : 9.5;
    struct frame straight = frame_along((struct es_spot){1, 0}, s);
    struct frame slanted = frame_along((struct es_spot){diagonal, diagonal}, s);
    bool slant = frame_area(&slanted, s->radius) < frame_area(&straight, s->radius) - 1;
    take_frame(s, slant ? &slanted : &straight);
    if (s->corners == 1 && calls > 2) /* lines that cross in one spot */
        s->radius += 2;
    s->reach = s->radius + (es_map_special(map, station) ? rays : 0);
    struct es_box box = {1e9, 1e9, -1e9, -1e9};
    for (int i = 0; i < s->corners; i++)
        widen(&box, (struct es_box){s->corner[i].x - s->reach, s->corner[i].y - s->reach,
                                    s->corner[i].x + s->reach, s->corner[i].y + s->reach});
    s->box = box;
    s->centre = (struct es_spot){(box.left + box.right) / 2, (box.top + box.bottom) / 2};
}

/* Returns true if another line continues from the end of a line in about the same direction. */
static bool runs_on(const struct es_map *map, const struct es_layout *lay, int l,
                    struct es_spot onwards)
{
    int station = lay->place[lay->first_place[l + 1] - 1].station;
    for (int other = 0; other < map->lines; other++)
        for (int p = lay->first_place[other]; p < lay->first_place[other + 1]; p++) {
            if (other == l || lay->place[p].station != station)
                continue;
            for (int side = 0; side < 2; side++) {
                int hop = side == 0 ? p : p - 1;
                if (hop < lay->first_place[other] || hop >= lay->first_place[other + 1] - 1)
                    continue;
                struct es_spot way = es__hop_direction(lay, hop, side == 0 ? 1 : -1);
                if (way.x * onwards.x + way.y * onwards.y > 0.9)
                    return true;
            }
        }
    return false;
}

/* Returns true if a spot lies on a station, at least `from_rim` from its rim. */
static bool is_on(const struct es_layout_station *s, struct es_spot at, double from_rim)
{
    bool within = s->corners == 4;
    for (int i = 0; i < s->corners; i++) {
        struct es_spot a = s->corner[i], b = s->corner[(i + 1) % s->corners];
        if (es__meets(at, at, a, b, s->radius - from_rim))
            return true;
        within &= (b.x - a.x) * (at.y - a.y) - (b.y - a.y) * (at.x - a.x) >= 0;
    }
    return within;
}

static void place_bar(const struct es_map *map, struct es_layout *lay, int l)
{
    struct es_layout_line *line = &lay->line[l];
    const struct es_layout_station *last = &lay->station[map->line[l].stop[map->line[l].stops - 1]];
    struct es_spot on = es__hop_direction(lay, lay->first_place[l + 1] - 2, 1), middle = line->end;
    line->bar_inside = runs_on(map, lay, l, on);
    double half = line->bar_inside ? 2.6 : 6.5, rim = line->bar_inside ? 4.4 : -5.5;
    if (!line->bar_inside)
        rim -= last->reach - last->radius;
    for (int i = 0; i < 4 * ES_SHEET_WIDE && is_on(last, middle, rim); i++)
        middle = es__ahead(middle, on, 0.25);
    line->bar[0] = (struct es_spot){middle.x - on.y * half, middle.y + on.x * half};
    line->bar[1] = (struct es_spot){middle.x + on.y * half, middle.y - on.x * half};
}

void es_layout(const struct es_map *map, bool no_names, struct es_layout *lay)
{
    es__find_lanes(map, lay);
    fit(map, lay);
    lay->points = 0;
    for (int s = 0; s < map->stations; s++)
        lay->station[s] = (struct es_layout_station){.corners = 0};
    for (int l = 0; l < map->lines; l++)
        trace_line(map, lay, l);
    for (int s = 0; s < map->stations; s++)
        shape_station(map, lay, s);
    for (int l = 0; l < map->lines; l++)
        if (!map->line[l].ring)
            place_bar(map, lay, l);
    if (!no_names)
        es__place_labels(map, lay);
}
