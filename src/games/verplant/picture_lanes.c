/* Finds the places of a map's lines, the beds between them, and a lane on each bed for every line.
 * Does not depend on the scale of the picture. */
#include "games/verplant/picture.h"
#include <string.h>

/* Places kept free for stops, however many bends a map has. */
enum { RESERVED = 2 * ES_LINES_MAX * (ES_STOPS_MAX + 2) };

/* ---- Places --------------------------------------------------------------------------------- */

static void add_place(struct es_layout *lay, int *count, struct es_point at, int station)
{
    lay->place[(*count)++] =
        (struct es__layout_place){.at = at, .station = (int16_t)station, .bed = -1};
}

/* Adds a bend between two places that are not at 0, 45 or 90 degrees: straight first, then
 * diagonal, seen from the western one, so that all lines on this hop run the same way. */
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

/* Lists the places of each line: its wagon, stops and bends; a ring returns to its first stop. */
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
            for (; bend < bends_end && map->bend[bend].after_stop == i; bend++) {
                struct es_point at = map->bend[bend].at, last = lay->place[count - 1].at;
                if (count + 2 + RESERVED < ES_LAYOUT_PLACES && (at.x != last.x || at.y != last.y))
                    add_next(lay, &count, at, -1);
            }
        }
    }
    lay->first_place[map->lines] = count;
}

/* ---- Beds and lanes ------------------------------------------------------------------------- */

static uint64_t bed_key(struct es_point a, struct es_point b)
{
    return (uint64_t)(uint16_t)a.x << 48 | (uint64_t)(uint16_t)a.y << 32 |
           (uint64_t)(uint16_t)b.x << 16 | (uint64_t)(uint16_t)b.y;
}

/* Returns the number of the bed between two places; adds one if there is none. */
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

bool es__is_last(const struct es_layout *lay, int line, int place)
{
    return place == lay->first_place[line + 1] - 1;
}

/* Returns true if the hop from a place runs from its bed's b to its a. */
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

/* Finds the lines on each bed and their directions. A line that uses a bed twice counts once. */
static void find_beds(const struct es_map *map, struct es_layout *lay)
{
    memset(lay->table, 0xff, sizeof lay->table);
    lay->beds = 0;
    for (int l = 0; l < map->lines; l++)
        for (int p = lay->first_place[l]; !es__is_last(lay, l, p); p++) {
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
        for (int p = lay->first_place[l]; !es__is_last(lay, l, p); p++) {
            struct es__layout_bed *bed = &lay->bed[lay->place[p].bed];
            if (rider_of(lay, lay->place[p].bed, l))
                continue;
            lay->rider[bed->first + bed->lines++] = (struct es__layout_rider){
                .place = (int16_t)p, .line = (uint8_t)l, .back = runs_back(lay, p)};
        }
}

/* Returns the place where the next (step 1) or previous (step -1) hop begins; -1 past the end of
 * the line. Rings wrap around. */
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

struct es_spot es__hop_direction(const struct es_layout *lay, int place, int step)
{
    struct es_point a = lay->place[place].at, b = lay->place[place + 1].at;
    double x = (b.x - a.x) * step, y = (b.y - a.y) * step, length = __builtin_sqrt(x * x + y * y);
    return length > 0 ? (struct es_spot){x / length, y / length} : (struct es_spot){1, 0};
}

/* Returns how far to the right a direction turns off another: −2 (back, to the left) to 2. */
static double turn(struct es_spot from, struct es_spot to)
{
    double sine = from.x * to.y - from.y * to.x, cosine = from.x * to.x + from.y * to.y;
    return sine >= 0 ? 1 - cosine : cosine - 1;
}

/* Where two lines part: positive if b then turns more to the right than a, 0 if they never part or
 * one of them ends there. */
struct parting {
    int right;
    struct es_point at;
};

/* Walks along two lines from a hop that they share to where they part. `sa`, `sb`: the step along
 * each, 1 or -1. */
static struct parting parting(const struct es_map *map, const struct es_layout *lay, int a, int pa,
                              int sa, int b, int pb, int sb)
{
    int once_round = lay->first_place[a + 1] - lay->first_place[a];
    for (int steps = 0; steps < once_round; steps++) {
        int na = next_hop(map, lay, a, pa, sa), nb = next_hop(map, lay, b, pb, sb);
        if (na < 0 || nb < 0)
            break;
        if (lay->place[na].bed != lay->place[nb].bed) {
            struct es_spot from = es__hop_direction(lay, pa, sa);
            double right = turn(from, es__hop_direction(lay, nb, sb)) -
                           turn(from, es__hop_direction(lay, na, sa));
            return (struct parting){right > 0.01    ? 1
                                    : right < -0.01 ? -1
                                                    : 0,
                                    lay->place[sa > 0 ? pa + 1 : pa].at};
        }
        pa = na;
        pb = nb;
    }
    return (struct parting){0, {0, 0}};
}

/* Returns true if rider b belongs to the right of rider a on a bed they share, seen from the bed's
 * a to its b. The answer is the same on every bed of a shared stretch. If the stretch's two ends
 * disagree, the western one decides, so that all lines on it agree; if neither end decides, the
 * order of the letters does. */
static bool is_right_of(const struct es_map *map, const struct es_layout *lay,
                        const struct es__layout_rider *a, const struct es__layout_rider *b)
{
    if (a->line > b->line)
        return !is_right_of(map, lay, b, a);
    int step = a->back == b->back ? 1 : -1;
    struct parting ahead = parting(map, lay, a->line, a->place, 1, b->line, b->place, step);
    struct parting behind = parting(map, lay, a->line, a->place, -1, b->line, b->place, -step);
    bool west = ahead.at.x < behind.at.x || (ahead.at.x == behind.at.x && ahead.at.y < behind.at.y);
    int right = ahead.right != 0 && (west || behind.right == 0) ? ahead.right : -behind.right;
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
        for (int p = lay->first_place[l]; !es__is_last(lay, l, p); p++) {
            struct es__layout_bed *bed = &lay->bed[lay->place[p].bed];
            struct es__layout_rider *rider = rider_of(lay, lay->place[p].bed, l);
            int lane = 2 * (int)(rider - &lay->rider[bed->first]) - (bed->lines - 1);
            lay->place[p].lane = (int16_t)(runs_back(lay, p) ? -lane : lane);
        }
}

void es__find_lanes(const struct es_map *map, struct es_layout *lay)
{
    collect_places(map, lay);
    find_beds(map, lay);
    assign_lanes(map, lay);
}
