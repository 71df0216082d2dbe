/* Warnings for sheet authors: stations, lines or wagons that overlap, names that could not be
 * placed, line colours that are too similar or too pale. */
#include "games/verplant/picture.h"

struct report {
    const struct es_map *map;
    const struct es_layout *lay;
    struct es_clash *clash;
    int count, most;
};

static void add(struct report *r, enum es_clash_kind kind, int one, int two)
{
    for (int i = 0; i < r->count; i++)
        if (r->clash[i].kind == kind && r->clash[i].one == one && r->clash[i].two == two)
            return;
    if (r->count < r->most)
        r->clash[r->count++] = (struct es_clash){kind, one, two};
}

/* Sets the i-th straight piece of a line as drawn (from 0): its path; for a ring, also the way from
 * its wagon; for other lines, the way to the bar and the bar. False past the last. */
static bool piece(const struct report *r, int l, int i, struct es_spot *a, struct es_spot *b)
{
    const struct es_layout_line *line = &r->lay->line[l];
    const struct es_layout_point *point = &r->lay->point[line->first];
    bool ring = r->map->line[l].ring;
    int hops = ring ? line->points : line->points - 1, more = i - hops;
    if (more < 0) {
        *a = point[i].at;
        *b = point[(i + 1) % line->points].at;
    } else if (ring) {
        *a = line->nose;
        *b = line->start;
    } else {
        *a = more == 0 ? line->end : line->bar[0];
        *b = line->bar[1];
    }
    return more < (ring ? 1 : line->bar_inside ? 0 : 2);
}

static void look_at_wagon(struct report *r, int l)
{
    const struct es_map *map = r->map;
    struct es_box box = r->lay->line[l].wagon;
    struct es_spot a, b;
    for (int m = 0; m < l; m++)
        if (!es__apart(box, r->lay->line[m].wagon, 2))
            add(r, ES_CLASH_WAGONS, m, l);
    for (int m = 0; m < map->lines; m++)
        for (int i = 0; piece(r, m, i, &a, &b); i++) {
            bool own = m == l && (i == 0 || map->line[l].ring); /* a wagon touches its own line */
            if (!own && es__touches(box, a, b, ES_TRACK_WIDE / 2 + 1))
                add(r, ES_CLASH_WAGON_LINE, l, m);
        }
    for (int s = 0; s < map->stations; s++) {
        const struct es_layout_station *shape = &r->lay->station[s];
        for (int i = 0; i < shape->corners; i++)
            if (es__touches(box, shape->corner[i], shape->corner[(i + 1) % shape->corners],
                            shape->reach + 1))
                add(r, ES_CLASH_WAGON_STATION, l, s);
    }
}

static void look_at_station(struct report *r, int station)
{
    const struct es_map *map = r->map;
    const struct es_layout_station *shape = &r->lay->station[station];
    struct es_spot a, b;
    if (map->station[station].name[0] && shape->label.lines == 0)
        add(r, ES_CLASH_NAME, station, 0);
    for (int i = 0; i < shape->corners; i++) {
        struct es_spot c = shape->corner[i], d = shape->corner[(i + 1) % shape->corners];
        for (int other = 0; other < station; other++) {
            const struct es_layout_station *by = &r->lay->station[other];
            for (int k = 0; k < by->corners; k++)
                if (es__meets(c, d, by->corner[k], by->corner[(k + 1) % by->corners],
                              shape->reach + by->reach + 1))
                    add(r, ES_CLASH_STATIONS, other, station);
        }
        for (int l = 0; l < map->lines; l++)
            for (int k = 0; !es_map_stops(map, l, station) && piece(r, l, k, &a, &b); k++)
                if (es__meets(c, d, a, b, shape->reach + ES_TRACK_WIDE / 2))
                    add(r, ES_CLASH_LINE_STATION, l, station);
    }
}

/* Returns true if two different beds overlap. Exact: all coordinates are integers.
 */
static bool overlap(const struct es__layout_bed *p, const struct es__layout_bed *q)
{
    long x = p->b.x - p->a.x, y = p->b.y - p->a.y, length = x * x + y * y;
    long c = x * (q->a.y - p->a.y) - y * (q->a.x - p->a.x);
    long d = x * (q->b.y - p->a.y) - y * (q->b.x - p->a.x);
    if (length == 0 || c != 0 || d != 0)
        return false;
    long from = x * (q->a.x - p->a.x) + y * (q->a.y - p->a.y);
    long to = x * (q->b.x - p->a.x) + y * (q->b.y - p->a.y);
    long low = from < to ? from : to, high = from < to ? to : from;
    return (low > 0 ? low : 0) < (high < length ? high : length);
}

static void look_at_colours(struct report *r, int l)
{
    enum { NEAR = 48 }; /* sum of the differences in red, green and blue */
    const uint32_t colour = r->map->line[l].colour;
    for (int m = 0; m < l; m++) {
        int apart = 0;
        for (int shift = 0; shift < 24; shift += 8) {
            int step = (int)(colour >> shift & 255) - (int)(r->map->line[m].colour >> shift & 255);
            apart += step < 0 ? -step : step;
        }
        if (apart < NEAR)
            add(r, ES_CLASH_COLOURS, m, l);
    }
    if (es_contrast(colour, r->map->paper) < 1.8)
        add(r, ES_CLASH_PALE, l, 0);
}

int es_layout_clashes(const struct es_map *map, const struct es_layout *lay,
                      struct es_clash *clashes, int most)
{
    struct report r = {map, lay, clashes, 0, most};
    for (int s = 0; s < map->stations; s++)
        look_at_station(&r, s);
    for (int l = 0; l < map->lines; l++) {
        look_at_wagon(&r, l);
        look_at_colours(&r, l);
    }
    for (int i = 0; i < lay->beds; i++)
        for (int k = 0; k < i; k++)
            if (overlap(&lay->bed[i], &lay->bed[k])) {
                int one = lay->rider[lay->bed[i].first].line,
                    two = lay->rider[lay->bed[k].first].line;
                add(&r, ES_CLASH_LINES, one < two ? one : two, one < two ? two : one);
            }
    return r.count;
}

void es_clash_write(const struct es_map *map, const struct es_clash *clash, struct es_out *out)
{
    static const char *const sentences[] = {
#define ES_CLASH(name, text) text,
        ES_CLASHES(ES_CLASH)
#undef ES_CLASH
    };
    int number = clash->one;
    for (const char *c = sentences[clash->kind]; *c; c++) {
        if (*c != '%') {
            es_out_char(out, *c);
            continue;
        }
        if (*++c == 'l') {
            es_out_text(out, "line ");
            es_out_char(out, map->line[number].letter);
        } else {
            const struct es_map_station *station = &map->station[number];
            es_out_text(out, station->name[0] ? station->name : station->id);
        }
        number = clash->two;
    }
}
