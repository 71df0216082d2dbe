/* A town grows from its hubs: a few places in the plane, joined by roads that do not cross. Lines
 * run from hub to hub along the roads and leave the town at both ends. A line takes the stations of
 * one that is there already, or builds a street of its own beside it; so some lines run in parallel
 * and others only meet at the hubs.
 *
 * A town that comes out too small, too large or in two pieces is thrown away and the next one built
 * from the random numbers that follow. Nothing here asks a bot: sheets picked by how a bot fares on
 * them would not be fair to measure bots with. */
#include "town_map.h"
#include <endstation/map.h>
#include <endstation/random.h>
#include <stdlib.h>

enum {
    HUBS_FEWEST = 5,
    HUBS_MOST = 9,
    ROADS_MOST = HUBS_MOST * (HUBS_MOST - 1) / 2,
    ROADS_AT_HUB = 5,
    STREETS_MOST = 3,                /* side by side on one road */
    BRANCHES_MOST = TOWN_LINES_MOST, /* out of town, at one hub */
    CHAIN_MOST = 5,                  /* stations of a street or a branch */
    ROUTE_MOST = 6,                  /* hubs of a line */
    WINDOW_WORTH = 5, /* a line with more stations per window than this is hopeless */
    HUB_GAP = 36,     /* tenths of the grid, like everything below */
    STATION_GAP = 10,
    STREET_GAP = 11,
    BRANCH_STEP = 13,
    WAGON_GAP = 11,
    MARGIN = 20,
};

/* Stations in a row: of a street, from the road's first hub; of a branch, outwards. */
struct chain {
    int size;
    uint8_t station[CHAIN_MOST];
};

struct road {
    int from, to; /* hubs */
    long length;  /* squared */
    int used, streets;
    struct chain street[STREETS_MOST];
};

struct branches {
    int count;
    uint32_t directions; /* taken, a bit each */
    struct chain branch[BRANCHES_MOST];
};

struct town_line {
    bool ring;
    int stops, windows, points;
    int need; /* stations to mark, in twelfths; a shared station counts less */
    uint32_t hubs;
    uint8_t stop[ES_STOPS_MAX];
};

struct town {
    struct es_random random;
    int hubs, roads, stations, lines, windows;
    int own_street, branch_most; /* the town's character: per cent, and stations */
    bool crowded;                /* there was no room for another station */
    struct es_point centre;
    struct es_point at[ES_STATIONS_MAX]; /* the hubs come first */
    bool special[ES_STATIONS_MAX];
    int calls[ES_STATIONS_MAX];
    struct road road[ROADS_MOST];
    struct branches out_of[HUBS_MOST];
    struct town_line line[TOWN_LINES_MOST];
};

static int from_to(struct town *town, int from, int to)
{
    return from + (int)es_random_below(&town->random, (uint32_t)(to - from + 1));
}

static bool chance(struct town *town, int percent)
{
    return from_to(town, 1, 100) <= percent;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Returns the distance of two places along the axis on which it is larger. */
static int apart(struct es_point a, struct es_point b)
{
    return larger(abs(a.x - b.x), abs(a.y - b.y));
}

static struct es_point moved(struct es_point at, int x, int y)
{
    return (struct es_point){(int16_t)(at.x + x), (int16_t)(at.y + y)};
}

static bool room_at(const struct town *town, struct es_point at, int gap)
{
    for (int s = 0; s < town->stations; s++)
        if (apart(town->at[s], at) < gap)
            return false;
    return true;
}

static uint8_t add_station(struct town *town, struct es_point at)
{
    if (town->stations == ES_STATIONS_MAX) {
        town->crowded = true;
        return 0;
    }
    town->at[town->stations] = at;
    return (uint8_t)town->stations++;
}

/* Adds a station at a place, or as near to it as the others leave room. */
static uint8_t add_station_near(struct town *town, struct es_point at)
{
    for (int away = 0; away <= 40; away += 2)
        for (int y = -away; y <= away; y += 2)
            for (int x = -away; x <= away; x += 2) {
                struct es_point here = moved(at, x, y);
                if (larger(abs(x), abs(y)) == away && room_at(town, here, STATION_GAP))
                    return add_station(town, here);
            }
    town->crowded = true;
    return 0;
}

static void place_hubs(struct town *town)
{
    int wanted = from_to(town, HUBS_FEWEST, HUBS_MOST), x = 0, y = 0;
    for (int tries = 0; tries < 500 && town->stations < wanted; tries++) {
        int across = from_to(town, 0, 210), down = from_to(town, 0, 150);
        struct es_point at = {(int16_t)across, (int16_t)down};
        if (room_at(town, at, HUB_GAP)) {
            add_station(town, at);
            x += at.x;
            y += at.y;
        }
    }
    town->hubs = town->stations;
    town->centre = (struct es_point){(int16_t)(x / town->hubs), (int16_t)(y / town->hubs)};
}

/* The sign says on which side of the line from a to b a place is. */
static long side(struct es_point a, struct es_point b, struct es_point at)
{
    return (long)(b.x - a.x) * (at.y - a.y) - (long)(b.y - a.y) * (at.x - a.x);
}

static bool crosses(const struct town *town, const struct road *a, const struct road *b)
{
    if (a->from == b->from || a->from == b->to || a->to == b->from || a->to == b->to)
        return false;
    struct es_point p = town->at[a->from], q = town->at[a->to];
    struct es_point r = town->at[b->from], s = town->at[b->to];
    return (side(p, q, r) > 0) != (side(p, q, s) > 0) && (side(r, s, p) > 0) != (side(r, s, q) > 0);
}

static bool can_be_built(const struct town *town, const struct road *road)
{
    int from = 0, to = 0;
    for (int r = 0; r < town->roads; r++) {
        const struct road *other = &town->road[r];
        if (crosses(town, road, other))
            return false;
        from += other->from == road->from || other->to == road->from;
        to += other->from == road->to || other->to == road->to;
    }
    return from < ROADS_AT_HUB && to < ROADS_AT_HUB;
}

static int by_length(const void *a, const void *b)
{
    const struct road *first = a, *second = b;
    int by = (first->length > second->length) - (first->length < second->length);
    /* qsort leaves the order of equals open, but a number must give the same sheet everywhere. */
    return by ? by : (first->from - second->from) * HUBS_MOST + first->to - second->to;
}

/* Builds the shortest roads that join all hubs, then some of the others, short ones first. */
static void build_roads(struct town *town)
{
    struct road plan[ROADS_MOST] = {0};
    int plans = 0, piece[HUBS_MOST];
    for (int a = 0; a < town->hubs; a++) {
        piece[a] = a;
        for (int b = a + 1; b < town->hubs; b++) {
            long x = town->at[a].x - town->at[b].x, y = town->at[a].y - town->at[b].y;
            plan[plans++] = (struct road){.from = a, .to = b, .length = x * x + y * y};
        }
    }
    qsort(plan, (size_t)plans, sizeof plan[0], by_length);
    for (int p = 0; p < plans; p++) {
        int from = piece[plan[p].from], to = piece[plan[p].to];
        if (from != to) {
            town->road[town->roads++] = plan[p];
            for (int h = 0; h < town->hubs; h++)
                if (piece[h] == from)
                    piece[h] = to;
            plan[p].length = -1; /* built */
        }
    }
    int more = from_to(town, town->hubs / 2, town->hubs + 1);
    for (int p = 0; p < plans && more > 0; p++)
        if (plan[p].length >= 0 && can_be_built(town, &plan[p]) && chance(town, 80)) {
            town->road[town->roads++] = plan[p];
            more--;
        }
}

/* The road between two hubs, or NULL. */
static struct road *road_between(struct town *town, int a, int b)
{
    for (int r = 0; r < town->roads; r++) {
        struct road *road = &town->road[r];
        if ((road->from == a && road->to == b) || (road->from == b && road->to == a))
            return road;
    }
    return NULL;
}

/* Returns the weight of a hub as the next one of a line: roads that few lines use, and straight on,
 * are preferred. */
static int pull(struct town *town, const int *route, int hubs, int to)
{
    int here = route[hubs - 1];
    const struct road *road = road_between(town, here, to);
    if (!road)
        return 0;
    for (int i = 0; i < hubs; i++)
        if (route[i] == to)
            return 0;
    int weight = 60 / (1 + road->used);
    if (hubs > 1) {
        struct es_point a = town->at[route[hubs - 2]], b = town->at[here], c = town->at[to];
        long ahead = (long)(b.x - a.x) * (c.x - b.x) + (long)(b.y - a.y) * (c.y - b.y);
        weight *= ahead > 0 ? 4 : 1;
    }
    return weight;
}

/* Finds a way over `wanted` hubs, none twice; fewer if it gets stuck. Returns their number. */
static int find_route(struct town *town, int first, int wanted, int *route)
{
    int hubs = 1;
    route[0] = first;
    while (hubs < wanted) {
        int weight[HUBS_MOST], sum = 0, to = 0;
        for (int h = 0; h < town->hubs; h++)
            sum += weight[h] = pull(town, route, hubs, h);
        if (sum == 0)
            break;
        for (int left = from_to(town, 1, sum) - weight[0]; left > 0; left -= weight[to])
            to++;
        route[hubs++] = to;
    }
    return hubs;
}

/* Finds a way over hubs whose last has a road to the first. Returns their number; 0 if none was
 * found. */
static int find_ring(struct town *town, int *route)
{
    for (int tries = 0; tries < 60; tries++) {
        int first = from_to(town, 0, town->hubs - 1);
        int hubs = find_route(town, first, from_to(town, 3, ROUTE_MOST), route);
        if (hubs >= 3 && road_between(town, route[hubs - 1], first))
            return hubs;
    }
    return 0;
}

static void add_stop(struct town *town, struct town_line *line, int station)
{
    line->stop[line->stops++] = (uint8_t)station;
    town->calls[station]++;
    if (station < town->hubs)
        line->hubs |= 1u << station;
}

static struct chain *build_street(struct town *town, struct road *road)
{
    struct es_point from = town->at[road->from], to = town->at[road->to];
    int x = to.x - from.x, y = to.y - from.y, long_side = larger(abs(x), abs(y));
    static const int beside[STREETS_MOST] = {0, 1, -1};
    int off = beside[road->streets] * STREET_GAP;
    struct chain *street = &road->street[road->streets++];
    street->size = from_to(town, 1, long_side < 45 ? 2 : 3);
    for (int i = 0; i < street->size; i++) {
        struct es_point at = moved(from, x * (i + 1) / (street->size + 1) - y * off / long_side,
                                   y * (i + 1) / (street->size + 1) + x * off / long_side);
        street->station[i] = add_station_near(town, at);
    }
    return street;
}

/* Adds a line's stops between two hubs, which are not added. */
static void run_along(struct town *town, struct town_line *line, int from, int to)
{
    struct road *road = road_between(town, from, to);
    struct chain *street;
    if (road->streets == 0 || (road->streets < STREETS_MOST && chance(town, town->own_street)))
        street = build_street(town, road);
    else
        street = &road->street[from_to(town, 0, road->streets - 1)];
    road->used++;
    for (int i = 0; i < street->size; i++)
        add_stop(town, line, street->station[from == road->from ? i : street->size - 1 - i]);
}

/* A branch leaves its hub away from the centre, more or less, and not where another one does. */
static struct chain *build_branch(struct town *town, int hub)
{
    static const int8_t way[16][2] = {{10, 0},  {9, 4},  {7, 7},   {4, 9},   {0, 10},  {-4, 9},
                                      {-7, 7},  {-9, 4}, {-10, 0}, {-9, -4}, {-7, -7}, {-4, -9},
                                      {0, -10}, {4, -9}, {7, -7},  {9, -4}};
    struct branches *out_of = &town->out_of[hub];
    struct es_point at = town->at[hub];
    int x = at.x - town->centre.x, y = at.y - town->centre.y, best = -1, best_value = 0;
    int scale = larger(larger(abs(x), abs(y)), 1);
    for (int w = 0; w < 16; w++) {
        int value = 10 * (x * way[w][0] + y * way[w][1]) / scale + from_to(town, 0, 90);
        value -= out_of->directions >> w & 1 ? 200 : 0;
        if (best < 0 || value > best_value) {
            best = w;
            best_value = value;
        }
    }
    out_of->directions |= 1u << best;
    struct chain *branch = &out_of->branch[out_of->count++];
    branch->size = from_to(town, 1, town->branch_most);
    for (int i = 0; i < branch->size; i++) {
        int far = (i + 1) * BRANCH_STEP + 3;
        struct es_point there = moved(at, way[best][0] * far / 10, way[best][1] * far / 10);
        branch->station[i] = add_station_near(town, there);
    }
    return branch;
}

/* Finds how a line leaves the town: mostly by a branch of its own, sometimes some way along another
 * line's, sometimes not at all, so that it ends at the hub. Returns the number of stations. */
static int find_branch(struct town *town, int hub, struct chain **branch)
{
    struct branches *out_of = &town->out_of[hub];
    int kind = from_to(town, 1, 100);
    *branch = NULL;
    if (kind <= 10)
        return 0;
    if (kind <= 35 && out_of->count > 0) {
        *branch = &out_of->branch[from_to(town, 0, out_of->count - 1)];
        return from_to(town, 1, (*branch)->size);
    }
    *branch = build_branch(town, hub);
    return (*branch)->size;
}

static void build_ring(struct town *town, struct town_line *line, const int *route, int hubs)
{
    line->ring = true;
    for (int i = 0; i < hubs; i++) {
        add_stop(town, line, route[i]);
        run_along(town, line, route[i], route[(i + 1) % hubs]);
    }
}

static void build_line(struct town *town, struct town_line *line)
{
    /* Takes the less busy of two hubs; otherwise some would be left out. */
    int first = from_to(town, 0, town->hubs - 1), other = from_to(town, 0, town->hubs - 1);
    if (town->calls[other] < town->calls[first])
        first = other;
    int route[ROUTE_MOST], hubs = find_route(town, first, from_to(town, 2, 5), route);
    bool turned = chance(town, 50); /* the wagon may be at either end */
    for (int i = 0; turned && i < hubs / 2; i++) {
        int kept = route[i];
        route[i] = route[hubs - 1 - i];
        route[hubs - 1 - i] = kept;
    }
    struct chain *branch;
    for (int i = find_branch(town, route[0], &branch); i-- > 0;)
        add_stop(town, line, branch->station[i]);
    for (int i = 0; i < hubs; i++) {
        add_stop(town, line, route[i]);
        if (i + 1 < hubs)
            run_along(town, line, route[i], route[i + 1]);
    }
    int size = find_branch(town, route[hubs - 1], &branch);
    for (int i = 0; i < size; i++)
        add_stop(town, line, branch->station[i]);
}

static void build_lines(struct town *town)
{
    town->lines = from_to(town, TOWN_LINES_FEWEST, TOWN_LINES_MOST);
    int ring = chance(town, 40) ? from_to(town, 0, town->lines - 1) : -1;
    for (int l = 0; l < town->lines; l++) {
        int route[ROUTE_MOST], hubs = l == ring ? find_ring(town, route) : 0;
        if (hubs > 0)
            build_ring(town, &town->line[l], route, hubs);
        else
            build_line(town, &town->line[l]);
    }
}

/* Distributes windows in proportion to the stations, one by one to the line that needs it most. */
static void share_out_windows(struct town *town)
{
    int wanted = town->stations * 3 / 10 + from_to(town, -1, 2);
    int feels[TOWN_LINES_MOST];
    for (int l = 0; l < town->lines; l++) {
        struct town_line *line = &town->line[l];
        for (int i = 0; i < line->stops; i++)
            line->need += 12 / town->calls[line->stop[i]];
        feels[l] = line->need * from_to(town, 70, 130); /* cities are uneven, too */
        line->windows = 1;
    }
    for (town->windows = town->lines; town->windows < wanted; town->windows++) {
        int best = -1, best_value = 0;
        for (int l = 0; l < town->lines; l++) {
            int value = feels[l] / (2 * town->line[l].windows + 1);
            if (town->line[l].windows < 4 && value > best_value) {
                best = l;
                best_value = value;
            }
        }
        if (best < 0)
            return;
        town->line[best].windows++;
    }
}

/* Long lines with few windows are worth most; computed in twentieths of a point. */
static void set_points(struct town *town)
{
    for (int l = 0; l < town->lines; l++) {
        struct town_line *line = &town->line[l];
        int value = 7 * line->stops + 10 * line->need / (12 * line->windows) - 20;
        line->points = (value + from_to(town, -10, 10)) / 20;
        line->points = line->points < 2 ? 2 : line->points > 9 ? 9 : line->points;
    }
}

static void set_specials(struct town *town)
{
    if (chance(town, 50))
        for (int i = from_to(town, 3, 7); i > 0; i--)
            town->special[from_to(town, 0, town->stations - 1)] = true;
}

static bool within(int is, int least, int most)
{
    return is >= least && is <= most;
}

/* Whether a town has the promised size, is in one piece, and every hub has at least two lines. */
static bool good(const struct town *town)
{
    if (town->crowded || !within(town->stations, TOWN_STATIONS_FEWEST, TOWN_STATIONS_MOST) ||
        !within(town->windows, TOWN_WINDOWS_FEWEST, TOWN_WINDOWS_MOST))
        return false;
    uint32_t reached = town->line[0].hubs;
    for (int round = 0; round < town->lines; round++)
        for (int l = 0; l < town->lines; l++)
            if (town->line[l].hubs & reached)
                reached |= town->line[l].hubs;
    for (int l = 0; l < town->lines; l++) {
        const struct town_line *line = &town->line[l];
        if (!within(line->stops, TOWN_STOPS_FEWEST, TOWN_STOPS_MOST) ||
            line->need > 12 * WINDOW_WORTH * line->windows || !(line->hubs & reached))
            return false;
    }
    for (int h = 0; h < town->hubs; h++)
        if (town->calls[h] < 2)
            return false;
    return true;
}

static bool build_town(struct town *town)
{
    *town = (struct town){.random = town->random};
    town->own_street = from_to(town, 20, 60);
    town->branch_most = from_to(town, 3, CHAIN_MOST);
    place_hubs(town);
    if (town->hubs < HUBS_FEWEST)
        return false;
    build_roads(town);
    build_lines(town);
    share_out_windows(town);
    set_points(town);
    set_specials(town);
    return good(town);
}

/* Returns where a wagon is: on the far side of the first stop, seen from the second stop, or for a
 * ring from the centre of the town. */
static struct es_point wagon(const struct town *town, const struct town_line *line)
{
    struct es_point first = town->at[line->stop[0]];
    struct es_point seen_from = line->ring ? town->centre : town->at[line->stop[1]];
    int scale = larger(apart(first, seen_from), 1);
    return moved(first, (first.x - seen_from.x) * WAGON_GAP / scale,
                 (first.y - seen_from.y) * WAGON_GAP / scale);
}

static void number_out(struct es_out *out, const char *before, uint64_t value)
{
    char digits[20];
    int size = 0;
    do
        digits[size++] = (char)('0' + value % 10);
    while (value /= 10);
    es_out_text(out, before);
    while (size > 0)
        es_out_char(out, digits[--size]);
}

static void place_out(struct es_out *out, const char *before, struct es_point at)
{
    int16_t tenths[] = {at.x, at.y};
    es_out_text(out, before);
    for (int i = 0; i < 2; i++) {
        es_out_char(out, ' ');
        es_out_int(out, tenths[i] / 10);
        if (tenths[i] % 10) {
            es_out_char(out, '.');
            es_out_int(out, tenths[i] % 10);
        }
    }
}

static void line_out(struct es_out *out, const struct town *town, int l)
{
    static const char *const colour[TOWN_LINES_MOST] = {"c8102e", "1d6fb8", "2e8b57", "7a3fa0",
                                                        "b68000", "161d48", "de5452", "005f50",
                                                        "a84a0a", "6454e8", "758987"};
    const struct town_line *line = &town->line[l];
    es_out_text(out, "line ");
    es_out_char(out, (char)('A' + l));
    es_out_char(out, ' ');
    es_out_text(out, colour[l]);
    number_out(out, " windows ", (uint64_t)line->windows);
    number_out(out, " points ", (uint64_t)line->points);
    number_out(out, " ", (uint64_t)(line->points - (line->points < 4 ? 1 : 2)));
    place_out(out, " wagon", wagon(town, line));
    es_out_text(out, line->ring ? " ring :" : " :");
    for (int i = 0; i < line->stops; i++)
        number_out(out, " s", line->stop[i] + 1u);
    es_out_char(out, '\n');
}

/* Moves everything near the grid's corner, so that no coordinate is negative. */
static void move_to_corner(struct town *town)
{
    int x = INT16_MAX, y = INT16_MAX;
    for (int s = 0; s < town->stations; s++) {
        x = town->at[s].x < x ? town->at[s].x : x;
        y = town->at[s].y < y ? town->at[s].y : y;
    }
    for (int s = 0; s < town->stations; s++)
        town->at[s] = moved(town->at[s], MARGIN - x, MARGIN - y);
    town->centre = moved(town->centre, MARGIN - x, MARGIN - y);
}

void town_map(uint64_t number, struct es_out *out)
{
    struct town town;
    /* Far from the small seeds that games are dealt from. */
    es_random_seed(&town.random, number ^ 0x656e64746f776e73);
    while (!build_town(&town))
        ;
    move_to_corner(&town);
    es_out_text(out, "endstation-map 1\n");
    number_out(out, "id town-", number);
    number_out(out, "\ntitle Town ", number);
    es_out_text(out, "\npaper f4f1ea\n");
    for (int s = 0; s < town.stations; s++) {
        number_out(out, "station s", s + 1u);
        place_out(out, "", town.at[s]);
        es_out_text(out, town.special[s] ? " special\n" : "\n");
    }
    for (int l = 0; l < town.lines; l++)
        line_out(out, &town, l);
}
