/* Places names beside their stations. Each name has some possible positions around its station, on
 * one line or two; a position is good if it covers no line, station, wagon or border. Names are
 * moved among their good positions until none covers another. */
#include "games/verplant/picture.h"
#include <string.h>

enum { SIDES = 20, WAYS = 2 * SIDES, NOWHERE = 255 };

static const double ascent = 0.74 * ES_LABEL_SIZE, descent = 0.21 * ES_LABEL_SIZE;
static const double leading = 1.1 * ES_LABEL_SIZE;

/* ---- Where a name could go ------------------------------------------------------------------ */

/* A name on one line, or broken in two where that is most even. */
struct wording {
    int lines;
    struct es_str text[ES_LABEL_LINES];
    double wide[ES_LABEL_LINES], widest;
};

static void measure(struct wording *words)
{
    words->widest = 0;
    for (int i = 0; i < words->lines; i++) {
        words->wide[i] = es_text_width(words->text[i], ES_LABEL_SIZE, false);
        words->widest = words->wide[i] > words->widest ? words->wide[i] : words->widest;
    }
}

static bool word_name(struct es_str name, int lines, struct wording *best)
{
    *best = (struct wording){.lines = 1, .text = {name}};
    measure(best);
    if (lines == 1)
        return name.size > 0;
    bool found = false;
    for (size_t i = 1; i + 1 < name.size; i++) {
        /* Breaks at a blank, which is dropped; or after a hyphen, a slash or an en dash, which
         * stay. */
        bool dash =
            name.at[i] == '\x93' && name.at[i - 1] == '\x80' && i >= 2 && name.at[i - 2] == '\xe2';
        bool blank = name.at[i] == ' ', keep = name.at[i] == '-' || name.at[i] == '/' || dash;
        if (!blank && !keep)
            continue;
        struct wording two = {.lines = 2,
                              .text = {{name.at, i + keep}, {name.at + i + 1, name.size - i - 1}}};
        measure(&two);
        if (two.widest < best->widest - 6) {
            *best = two;
            found = true;
        }
    }
    return found;
}

/* Possible positions of a name: beside the station, also a little higher or lower; below and above
 * it, centred or flush with one end; at its corners; and farther out, in the wedge between a
 * horizontal line and a diagonal one. */
enum across {
    CENTRED,
    RIGHT,
    LEFT,
    RIGHT_TUCKED,
    LEFT_TUCKED,
    FROM_START,
    TO_END,
    FAR_RIGHT,
    FAR_LEFT
};
enum down { LEVEL, HIGHER, LOWER, ABOVE, BELOW, ABOVE_TUCKED, BELOW_TUCKED, WEDGE_HIGH, WEDGE_LOW };

static const struct {
    enum across across;
    enum down down;
    enum es_align align;
    double dislike; /* less is better */
} sides[SIDES] = {
    {RIGHT, LEVEL, ES_ALIGN_START, 0},
    {LEFT, LEVEL, ES_ALIGN_END, 0.3},
    {CENTRED, BELOW, ES_ALIGN_MIDDLE, 0.6},
    {CENTRED, ABOVE, ES_ALIGN_MIDDLE, 0.6},
    {RIGHT_TUCKED, ABOVE_TUCKED, ES_ALIGN_START, 0.4},
    {RIGHT_TUCKED, BELOW_TUCKED, ES_ALIGN_START, 0.4},
    {LEFT_TUCKED, ABOVE_TUCKED, ES_ALIGN_END, 0.7},
    {LEFT_TUCKED, BELOW_TUCKED, ES_ALIGN_END, 0.7},
    {RIGHT, HIGHER, ES_ALIGN_START, 0.3},
    {RIGHT, LOWER, ES_ALIGN_START, 0.3},
    {LEFT, HIGHER, ES_ALIGN_END, 0.6},
    {LEFT, LOWER, ES_ALIGN_END, 0.6},
    {FROM_START, ABOVE, ES_ALIGN_START, 1},
    {TO_END, ABOVE, ES_ALIGN_END, 1},
    {FROM_START, BELOW, ES_ALIGN_START, 1},
    {TO_END, BELOW, ES_ALIGN_END, 1},
    {FAR_RIGHT, WEDGE_HIGH, ES_ALIGN_START, 1.3},
    {FAR_RIGHT, WEDGE_LOW, ES_ALIGN_START, 1.3},
    {FAR_LEFT, WEDGE_HIGH, ES_ALIGN_END, 1.6},
    {FAR_LEFT, WEDGE_LOW, ES_ALIGN_END, 1.6},
};

static struct es_name_label label_at(const struct es_layout_station *s, const struct wording *words,
                                     int side)
{
    const double gap = 2.5, tuck = 0.28 * s->reach, shift = 5, wedge = 10;
    double high = ascent + descent + (words->lines - 1) * leading, wide = words->widest;
    const double lefts[] = {
        [CENTRED] = s->centre.x - wide / 2,
        [RIGHT] = s->box.right + gap,
        [LEFT] = s->box.left - gap - wide,
        [RIGHT_TUCKED] = s->box.right - tuck,
        [LEFT_TUCKED] = s->box.left + tuck - wide,
        [FROM_START] = s->box.left,
        [TO_END] = s->box.right - wide,
        [FAR_RIGHT] = s->box.right + wedge,
        [FAR_LEFT] = s->box.left - wedge - wide,
    };
    const double tops[] = {
        [LEVEL] = s->centre.y - high / 2,
        [HIGHER] = s->centre.y - high / 2 - shift,
        [LOWER] = s->centre.y - high / 2 + shift,
        [ABOVE] = s->box.top - gap - high,
        [BELOW] = s->box.bottom + gap,
        [ABOVE_TUCKED] = s->box.top + tuck - high,
        [BELOW_TUCKED] = s->box.bottom - tuck,
        [WEDGE_HIGH] = s->centre.y - shift - high,
        [WEDGE_LOW] = s->centre.y + shift,
    };
    double left = lefts[sides[side].across], top = tops[sides[side].down];
    enum es_align align = sides[side].align;
    struct es_box box = {left, top, left + wide, top + high};
    struct es_name_label label = {.lines = (uint8_t)words->lines, .align = align, .box = box};
    for (int i = 0; i < words->lines; i++) {
        label.text[i] = words->text[i];
        label.at[i].x = align == ES_ALIGN_START ? left
                        : align == ES_ALIGN_END ? left + wide
                                                : left + wide / 2;
        label.at[i].y = top + ascent + i * leading;
    }
    return label;
}

/* ---- What is in the way --------------------------------------------------------------------- */

/* A segment that a name must keep away from, and by how much. */
struct obstacle {
    struct es_spot a, b;
    double near;
};
enum { NEARBY = 256 };

struct surroundings {
    struct es_box around;
    int count;
    struct obstacle obstacle[NEARBY];
    bool full; /* too many to store: no name is placed here */
};

static void add_obstacle(struct surroundings *near, struct es_spot a, struct es_spot b,
                         double distance)
{
    if (!es__touches(near->around, a, b, distance))
        return;
    if (near->count < NEARBY)
        near->obstacle[near->count++] = (struct obstacle){a, b, distance};
    else
        near->full = true;
}

static void look_around(const struct es_map *map, const struct es_layout *lay, int station,
                        double reach, struct surroundings *near)
{
    const double air = 1.2; /* gap between a name and anything else */
    struct es_box box = lay->station[station].box;
    near->around =
        (struct es_box){box.left - reach, box.top - reach, box.right + reach, box.bottom + reach};
    near->count = 0;
    near->full = false;
    for (int l = 0; l < map->lines; l++) {
        const struct es_layout_line *line = &lay->line[l];
        const struct es_layout_point *point = &lay->point[line->first];
        const double half = ES_TRACK_WIDE / 2 + air;
        for (int i = 0; i + 1 < line->points; i++)
            add_obstacle(near, point[i].at, point[i + 1].at, half);
        if (map->line[l].ring) {
            add_obstacle(near, point[line->points - 1].at, point[0].at, half);
            add_obstacle(near, line->nose, line->start, half);
        } else {
            struct es_spot middle = {(line->bar[0].x + line->bar[1].x) / 2,
                                     (line->bar[0].y + line->bar[1].y) / 2};
            add_obstacle(near, line->bar[0], line->bar[1], ES_BAR_WIDE / 2 + air);
            add_obstacle(near, line->end, middle, half);
        }
        struct es_box wagon = line->wagon; /* treated as a thick line from end to end */
        double middle = (wagon.top + wagon.bottom) / 2, thick = (wagon.bottom - wagon.top) / 2;
        add_obstacle(near, (struct es_spot){wagon.left + thick, middle},
                     (struct es_spot){wagon.right - thick, middle}, thick + air + 1);
    }
    for (int s = 0; s < map->stations; s++) {
        const struct es_layout_station *other = &lay->station[s];
        for (int i = 0; i < other->corners; i++)
            add_obstacle(near, other->corner[i], other->corner[(i + 1) % other->corners],
                         other->reach + (s == station ? 0 : air));
    }
}

/* ---- Finding places ------------------------------------------------------------------------- */

struct search {
    const struct es_map *map;
    struct es_layout *lay;
    uint64_t good[ES_STATIONS_MAX]; /* bit w: nothing is in the way of position w */
    uint8_t way[ES_STATIONS_MAX];   /* the position chosen, or NOWHERE */
    uint64_t near[ES_STATIONS_MAX]
                 [ES_STATIONS_MAX / 64]; /* stations whose names can overlap this one's */
    struct wording words[ES_STATIONS_MAX][ES_LABEL_LINES]; /* on one line, on two */
};

static struct es_name_label label_for(const struct search *search, int station, int way)
{
    return label_at(&search->lay->station[station], &search->words[station][way / SIDES],
                    way % SIDES);
}

static void find_good(struct search *search, int station)
{
    struct surroundings near;
    struct es_str name = es_str(search->map->station[station].name);
    search->good[station] = 0;
    search->way[station] = NOWHERE;
    if (name.size == 0)
        return;
    int ways = SIDES;
    word_name(name, 1, &search->words[station][0]);
    if (word_name(name, 2, &search->words[station][1]))
        ways = WAYS;
    look_around(search->map, search->lay, station, search->words[station][0].widest + 2 * leading,
                &near);
    for (int way = 0; way < ways && !near.full; way++) {
        struct es_box box = label_for(search, station, way).box;
        bool good = box.left >= 4 && box.top >= 4 && box.right <= ES_MAP_WIDE &&
                    box.bottom <= ES_SHEET_HIGH - 4;
        for (int i = 0; i < near.count && good; i++)
            good = !es__touches(box, near.obstacle[i].a, near.obstacle[i].b, near.obstacle[i].near);
        search->good[station] |= (uint64_t)good << way;
    }
}

/* The stations whose names a box would cover, a bit each. */
struct covered {
    uint64_t bits[ES_STATIONS_MAX / 64];
    int count;
};

static struct covered covers(const struct search *search, int station, struct es_box box)
{
    const double air = 1,
                 blank = 5; /* side by side, two names need a wider gap, so as not to read as one */
    struct covered covered = {.count = 0};
    box.left -= blank - air;
    box.right += blank - air;
    for (int word = 0; word < ES_STATIONS_MAX / 64; word++)
        for (uint64_t left = search->near[station][word]; left; left &= left - 1) {
            int s = 64 * word + __builtin_ctzll(left);
            if (search->way[s] != NOWHERE &&
                !es__apart(box, search->lay->station[s].label.box, air)) {
                covered.bits[word] |= left & -left;
                covered.count++;
            }
        }
    return covered;
}

/* Returns the box of all positions of a name. */
static struct es_box realm(const struct search *search, int station)
{
    struct es_box box = search->lay->station[station].box;
    double wide = search->words[station][0].widest + 16, high = 2 * leading + 10;
    return (struct es_box){box.left - wide, box.top - high, box.right + wide, box.bottom + high};
}

static void find_near(struct search *search, int station)
{
    memset(search->near[station], 0, sizeof search->near[station]);
    for (int s = 0; s < station; s++)
        if (search->good[s] && search->good[station] &&
            !es__apart(realm(search, s), realm(search, station), 0)) {
            search->near[station][s / 64] |= (uint64_t)1 << s % 64;
            search->near[s][station / 64] |= (uint64_t)1 << station % 64;
        }
}

static void put(struct search *search, int station, int way)
{
    search->way[station] = (uint8_t)way;
    if (way == NOWHERE)
        search->lay->station[station].label.lines = 0;
    else
        search->lay->station[station].label = label_for(search, station, way);
}

/* Moves a name to where it is liked best and covers fewest others; returns how many it covers
 * there. `at_most`: else it stays nowhere. */
static int settle(struct search *search, int station, int at_most)
{
    double least = 1e9;
    int best = NOWHERE, covered = 0;
    for (uint64_t left = search->good[station]; left; left &= left - 1) {
        int way = __builtin_ctzll(left);
        struct es_name_label label = label_for(search, station, way);
        int others = covers(search, station, label.box).count;
        double cost = 100 * others + sides[way % SIDES].dislike + (way >= SIDES ? 0.9 : 0);
        /* A long name on one line runs far into the map. */
        if (way < SIDES && label.box.right - label.box.left > 68)
            cost += 0.8;
        if (cost < least) {
            least = cost;
            best = way;
            covered = others;
        }
    }
    put(search, station, covered > at_most ? NOWHERE : best);
    return covered;
}

/* Makes room for an unplaced name: takes a position and moves away the names it covers there.
 * Changes nothing if one of them cannot move. */
static bool push(struct search *search, int station)
{
    for (uint64_t left = search->good[station]; left; left &= left - 1) {
        uint8_t before[ES_STATIONS_MAX];
        memcpy(before, search->way, sizeof before);
        struct es_box box = label_for(search, station, __builtin_ctzll(left)).box;
        struct covered covered = covers(search, station, box);
        bool moved = covered.count <= 3;
        if (moved)
            put(search, station, __builtin_ctzll(left));
        for (int s = 0; s < search->map->stations && moved; s++)
            if (covered.bits[s / 64] >> s % 64 & 1)
                moved = settle(search, s, 0) == 0;
        if (moved)
            return true;
        for (int s = 0; s < search->map->stations; s++)
            if (search->way[s] != before[s])
                put(search, s, before[s]);
    }
    return false;
}

void es__place_labels(const struct es_map *map, struct es_layout *lay)
{
    enum { ROUNDS = 6 };
    struct search search = {.map = map, .lay = lay};
    uint8_t order[ES_STATIONS_MAX];
    for (int s = 0; s < map->stations; s++) {
        find_good(&search, s);
        find_near(&search, s);
        /* Names with the fewest good positions are placed first. */
        int at = s, places = __builtin_popcountll(search.good[s]);
        for (; at > 0 && __builtin_popcountll(search.good[order[at - 1]]) > places; at--)
            order[at] = order[at - 1];
        order[at] = (uint8_t)s;
    }
    bool covered = true;
    for (int round = 0; round < ROUNDS && covered; round++) {
        covered = false;
        for (int i = 0; i < map->stations; i++)
            covered |= settle(&search, order[i], ES_STATIONS_MAX) > 0;
    }
    for (int i = 0; i < map->stations; i++)
        if (settle(&search, order[i], 0) > 0)
            push(&search, order[i]);
}
