/* The layout of a sheet: lanes, corners, stations, wagons. Names are placed in labels.c. */
#include "draw.h"
#include <string.h>

enum {
    /* Kept free so that stops always find room, however many bends a map has. */
    RESERVED = 2 * ES_LINES_MAX * (ES_STOPS_MAX + 2),
    MARGIN = 14,
    UNIT_MOST = 72, /* small maps are not blown up beyond this */
};

/* ---- Places -------------------------------------------------------------------------------- */

static void add_place(struct es_layout *lay, int *count, struct es_point at, int station)
{
    lay->place[(*count)++] =
        (struct es__layout_place){.at = at, .station = (int16_t)station, .bed = -1};
}

/* Between two places that are not at 0, 45 or 90 degrees from each other, a bend: straight first,
 * then diagonal, seen from the western one, so that all lines on this hop take the same way. */
static void add_corner(struct es_layout *lay, int *count, struct es_point a, struct es_point b)
{
    if (b.x < a.x || (b.x == a.x && b.y < a.y)) {
        struct es_point swap = a;
        a = b;
        b = swap;
    }
    int wide = b.x - a.x, high = b.y - a.y, steep = high < 0 ? -high : high;
    if (wide == 0 || high == 0 || wide == steep)
        return;
    struct es_point bend = a;
    if (wide > steep)
        bend.x = (int16_t)(bend.x + wide - steep);
    else
        bend.y = (int16_t)(bend.y + (high < 0 ? wide - steep : steep - wide));
    add_place(lay, count, bend, -1);
}

static void add_next(struct es_layout *lay, int *count, struct es_point at, int station)
{
    add_corner(lay, count, lay->place[*count - 1].at, at);
    add_place(lay, count, at, station);
}

/* All places that each line runs over: its wagon, stops and bends; a ring comes back to its first
 * stop. */
static void collect_places(const struct es_map *map, struct es_layout *lay)
{
    int count = 0;
    for (int l = 0; l < map->lines; l++) {
        const struct es_map_line *line = &map->line[l];
        int bend = line->bends_from, bends_end = bend + line->bends;
        lay->first_place[l] = count;
        add_place(lay, &count, line->wagon, -1);
        for (int i = 0; i < line->stops + line->ring; i++) {
            int station = line->stop[i % line->stops];
            add_next(lay, &count, map->station[station].at, station);
            for (; bend < bends_end && map->bend[bend].behind == i; bend++) {
                struct es_point at = map->bend[bend].at, last = lay->place[count - 1].at;
                if (count + 2 + RESERVED < ES_LAYOUT_PLACES && (at.x != last.x || at.y != last.y))
                    add_next(lay, &count, at, -1);
            }
        }
    }
    lay->first_place[map->lines] = count;
}

/* ---- Beds and lanes ------------------------------------------------------------------------ */

static uint64_t bed_key(struct es_point a, struct es_point b)
{
    return (uint64_t)(uint16_t)a.x << 48 | (uint64_t)(uint16_t)a.y << 32 |
           (uint64_t)(uint16_t)b.x << 16 | (uint64_t)(uint16_t)b.y;
}

/* The number of the bed between two places; a new one if there is none. */
static int find_bed(struct es_layout *lay, struct es_point a, struct es_point b)
{
    enum { SLOTS = 2 * ES_LAYOUT_PLACES };
    if (bed_key(a, b) > bed_key(b, a)) {
        struct es_point swap = a;
        a = b;
        b = swap;
    }
    uint64_t key = bed_key(a, b);
    unsigned slot = (unsigned)((key * 0x9e3779b97f4a7c15 >> 32) % SLOTS);
    for (; lay->table[slot] >= 0; slot = (slot + 1) % SLOTS)
        if (bed_key(lay->bed[lay->table[slot]].a, lay->bed[lay->table[slot]].b) == key)
            return lay->table[slot];
    lay->table[slot] = (int16_t)lay->beds;
    lay->bed[lay->beds] = (struct es__layout_bed){.a = a, .b = b};
    return lay->beds++;
}

static bool is_last(const struct es_layout *lay, int line, int place)
{
    return place == lay->first_place[line + 1] - 1;
}

/* Whether the hop from a place runs from its bed's b to its a. */
static bool runs_back(const struct es_layout *lay, int place)
{
    struct es_point a = lay->bed[lay->place[place].bed].a, at = lay->place[place].at;
    return a.x != at.x || a.y != at.y;
}

static struct es__layout_rider *rider_of(struct es_layout *lay, int bed, int line)
{
    struct es__layout_bed *b = &lay->bed[bed];
    for (int i = b->first; i < b->first + b->lines; i++)
        if (lay->rider[i].line == line)
            return &lay->rider[i];
    return NULL;
}

/* Which lines run on which bed, and which way. A line that comes by twice counts once. */
static void find_beds(const struct es_map *map, struct es_layout *lay)
{
    memset(lay->table, 0xff, sizeof lay->table);
    lay->beds = 0;
    for (int l = 0; l < map->lines; l++)
        for (int p = lay->first_place[l]; !is_last(lay, l, p); p++) {
            int bed = find_bed(lay, lay->place[p].at, lay->place[p + 1].at);
            lay->place[p].bed = (int16_t)bed;
            lay->bed[bed].lines++;
        }
    int first = 0;
    for (int b = 0; b < lay->beds; b++) {
        lay->bed[b].first = (int16_t)first;
        first += lay->bed[b].lines;
        lay->bed[b].lines = 0;
    }
    for (int l = 0; l < map->lines; l++)
        for (int p = lay->first_place[l]; !is_last(lay, l, p); p++) {
            struct es__layout_bed *bed = &lay->bed[lay->place[p].bed];
            if (rider_of(lay, lay->place[p].bed, l))
                continue;
            lay->rider[bed->first + bed->lines++] = (struct es__layout_rider){
                .place = (int16_t)p, .line = (uint8_t)l, .back = runs_back(lay, p)};
        }
}

/* The place on a line where a hop begins that comes `step` (1 or -1) behind the hop at `place`;
 * -1 if the line ends there. A ring goes on. */
static int next_hop(const struct es_map *map, const struct es_layout *lay, int line, int place,
                    int step)
{
    int first = lay->first_place[line], last = lay->first_place[line + 1] - 2;
    int next = place + step;
    if (map->line[line].ring && place > first) { /* the first hop is the way from the wagon */
        if (next > last)
            return first + 1;
        if (next == first)
            return last;
    }
    return next < first || next > last ? -1 : next;
}

/* The direction in which a hop leaves its near end, walked by `step`. */
static struct es_spot hop_direction(const struct es_layout *lay, int place, int step)
{
    struct es_point a = lay->place[place].at, b = lay->place[place + 1].at;
    double x = (b.x - a.x) * step, y = (b.y - a.y) * step, length = __builtin_sqrt(x * x + y * y);
    return length > 0 ? (struct es_spot){x / length, y / length} : (struct es_spot){1, 0};
}

/* How far to the right a direction turns off another: −2 (back, by the left) to 2. */
static double turn(struct es_spot from, struct es_spot to)
{
    double sine = from.x * to.y - from.y * to.x, cosine = from.x * to.x + from.y * to.y;
    return sine >= 0 ? 1 - cosine : cosine - 1;
}

/* Walks along two lines from a hop that they share to where they part. Positive if b then turns off
 * more to the right than a, 0 if that does not happen. `sa`, `sb`: which way along each. */
static int parting(const struct es_map *map, const struct es_layout *lay, int a, int pa, int sa,
                   int b, int pb, int sb)
{
    int once_round = lay->first_place[a + 1] - lay->first_place[a];
    for (int steps = 0; steps < once_round; steps++) {
        int na = next_hop(map, lay, a, pa, sa), nb = next_hop(map, lay, b, pb, sb);
        if (na < 0 || nb < 0)
            return 0;
        if (lay->place[na].bed != lay->place[nb].bed) {
            struct es_spot from = hop_direction(lay, pa, sa);
            double right =
                turn(from, hop_direction(lay, nb, sb)) - turn(from, hop_direction(lay, na, sa));
            return right > 0.01 ? 1 : right < -0.01 ? -1 : 0;
        }
        pa = na;
        pb = nb;
    }
    return 0;
}

/* Whether rider b belongs to the right of rider a on the bed they share, seen from the bed's a to
 * its b: the same on every bed of a stretch that two lines share. Where both ends of it leave the
 * choice open, the order of the letters decides. */
static bool is_right_of(const struct es_map *map, const struct es_layout *lay,
                        const struct es__layout_rider *a, const struct es__layout_rider *b)
{
    if (a->line > b->line)
        return !is_right_of(map, lay, b, a);
    int step = a->back == b->back ? 1 : -1;
    int right = parting(map, lay, a->line, a->place, 1, b->line, b->place, step);
    if (right == 0)
        right = -parting(map, lay, a->line, a->place, -1, b->line, b->place, -step);
    if (right == 0)
        right = 1;
    return (right > 0) != a->back;
}

static void assign_lanes(const struct es_map *map, struct es_layout *lay)
{
    for (int i = 0; i < lay->beds; i++) {
        struct es__layout_bed *bed = &lay->bed[i];
        struct es__layout_rider *rider = &lay->rider[bed->first];
        for (int j = 1; j < bed->lines; j++) /* from left to right */
            for (int k = j; k > 0 && is_right_of(map, lay, &rider[k], &rider[k - 1]); k--) {
                struct es__layout_rider swap = rider[k];
                rider[k] = rider[k - 1];
                rider[k - 1] = swap;
            }
    }
    for (int l = 0; l < map->lines; l++)
        for (int p = lay->first_place[l]; !is_last(lay, l, p); p++) {
            struct es__layout_bed *bed = &lay->bed[lay->place[p].bed];
            struct es__layout_rider *rider = rider_of(lay, lay->place[p].bed, l);
            int lane = 2 * (int)(rider - &lay->rider[bed->first]) - (bed->lines - 1);
            lay->place[p].lane = (int16_t)(runs_back(lay, p) ? -lane : lane);
        }
}

/* ---- Scale --------------------------------------------------------------------------------- */

static struct es_spot spot_of(const struct es_layout *lay, struct es_point at)
{
    return (struct es_spot){lay->origin.x + at.x * lay->unit / 10,
                            lay->origin.y + at.y * lay->unit / 10};
}

/* The wagon stands behind its nose, seen from the first stop. */
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
            /* A place can be a station, and as broad as the broader of the beds there. */
            int hop = is_last(lay, l, p) ? p - 1 : p;
            int here = lay->bed[lay->place[hop].bed].lines;
            int before = p > lay->first_place[l] ? lay->bed[lay->place[p - 1].bed].lines : here;
            double around = 12 + (here > before ? here : before) * (ES_TRACK_PITCH / 2);
            struct es_spot s = spot_of(lay, lay->place[p].at);
            widen(&all, (struct es_box){s.x - around, s.y - around, s.x + around, s.y + around});
        }
    }
    return all;
}

/* The largest unit with which everything fits, and the map in the middle. Wagons do not grow with
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

/* ---- Paths --------------------------------------------------------------------------------- */

static double lane_offset(const struct es_layout *lay, int place)
{
    return lay->place[place].lane * (ES_TRACK_PITCH / 2);
}

static void add_point(struct es_layout *lay, struct es_spot at, double radius)
{
    lay->point[lay->points++] = (struct es_layout_point){at, radius};
}

/* The corner of a line at a place, from the hop `in` to the hop `out` (places where they begin).
 * Returns where the line passes. */
static struct es_spot add_turn(struct es_layout *lay, struct es_spot at, bool station, int in,
                               int out)
{
    const double bend = 18, small = 10, change = 7; /* radii; half the length of a lane change */
    struct es_spot u = hop_direction(lay, in, 1), v = hop_direction(lay, out, 1);
    double a = lane_offset(lay, in), b = lane_offset(lay, out);
    double sine = u.x * v.y - u.y * v.x, cosine = u.x * v.x + u.y * v.y;
    struct es_spot from = {at.x - u.y * a, at.y + u.x * a}, to = {at.x - v.y * b, at.y + v.x * b};
    struct es_spot between = {(from.x + to.x) / 2, (from.y + to.y) / 2};
    if (sine > -0.3 && sine < 0.3) { /* straight on, or back */
        double shift = a - b;
        if (cosine > 0 && shift > -0.1 && shift < 0.1) {
            add_point(lay, from, small);
            return from;
        }
        double back = cosine > 0 ? change : 0;
        add_point(lay, (struct es_spot){from.x - u.x * back, from.y - u.y * back}, small);
        add_point(lay, (struct es_spot){to.x + v.x * back, to.y + v.y * back}, small);
        return between;
    }
    /* Where the two lanes meet. Curves side by side have one centre. */
    double t = (b - a * cosine) / -sine;
    struct es_spot meet = {from.x + u.x * t, from.y + u.y * t};
    double radius = (station ? small : bend) - (sine > 0 ? 1 : -1) * (a + b) / 2;
    add_point(lay, meet, radius > 3 ? radius : 3);
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
    struct es_spot at = spot_of(lay, lay->place[place].at), u = hop_direction(lay, hop, 1);
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
        add_point(lay, line->nose, 0);
    for (int p = first + 1; p < last; p++) {
        int in = ring && p == first + 1 ? last - 1 : p - 1;
        struct es_spot at = spot_of(lay, lay->place[p].at);
        struct es_spot pass = add_turn(lay, at, lay->place[p].station >= 0, in, p);
        add_pass(lay, lay->place[p].station, pass);
        if (p == first + 1)
            line->start = pass;
    }
    if (!ring) {
        line->end = beside(lay, last, last - 1);
        add_pass(lay, lay->place[last].station, line->end);
        add_point(lay, line->end, 0);
    }
    line->points = lay->points - line->first;
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

/* ---- Stations ------------------------------------------------------------------------------ */

/* What a station's lines pass through, seen along two axes: across and down, or both diagonals. */
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
        if (f.high[k] - f.low[k] < 3.6) /* a line is a line, though a little off */
            f.low[k] = f.high[k] = (f.low[k] + f.high[k]) / 2;
    return f;
}

static double frame_area(const struct frame *f, double radius)
{
    return (f->high[0] - f->low[0] + 2 * radius) * (f->high[1] - f->low[1] + 2 * radius);
}

/* The corners of the frame: one for a disc, two for a capsule, four for a rounded rectangle. */
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

/* Whether some other line runs on from where a line ends, in about the same direction. */
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
                struct es_spot way = hop_direction(lay, hop, side == 0 ? 1 : -1);
                if (way.x * onwards.x + way.y * onwards.y > 0.9)
                    return true;
            }
        }
    return false;
}

/* The bar stands behind the whole station, whatever its shape; or, where other lines run on there,
 * before it. */
static void place_bar(const struct es_map *map, struct es_layout *lay, int l)
{
    const double clear = 5.5;
    struct es_layout_line *line = &lay->line[l];
    const struct es_layout_station *last = &lay->station[map->line[l].stop[map->line[l].stops - 1]];
    struct es_spot on = hop_direction(lay, lay->first_place[l + 1] - 2, 1);
    bool before = runs_on(map, lay, l, on);
    double far = 0, half = before ? 4.2 : 6.5, sign = before ? -1 : 1;
    for (int i = 0; i < last->corners; i++) {
        double beyond = sign * ((last->corner[i].x - line->end.x) * on.x +
                                (last->corner[i].y - line->end.y) * on.y);
        far = beyond > far ? beyond : far;
    }
    far = sign * (far + last->reach + clear);
    struct es_spot middle = {line->end.x + on.x * far, line->end.y + on.y * far};
    line->bar[0] = (struct es_spot){middle.x - on.y * half, middle.y + on.x * half};
    line->bar[1] = (struct es_spot){middle.x + on.y * half, middle.y - on.x * half};
}

void es_layout(const struct es_map *map, bool no_names, struct es_layout *lay)
{
    collect_places(map, lay);
    find_beds(map, lay);
    assign_lanes(map, lay);
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
