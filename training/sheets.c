/* Random sheets for training: towns on a grid. */
#include "sheets.h"
#include <stdio.h>
#include <stdlib.h>

enum { WIDE = 16, HIGH = 12, TRIES = 200 };

static int from_to(struct es_random *random, int from, int to)
{
    return from + (int)es_random_below(random, (uint32_t)(to - from + 1));
}

static void number(struct es_out *out, const char *before, int value)
{
    es_out_text(out, before);
    es_out_int(out, value);
}

struct town {
    int wide, high, lines;
    int stops[ES_LINES_MAX], at[ES_LINES_MAX][ES_STOPS_MAX];
    bool ring[ES_LINES_MAX];
    int calls[WIDE * HIGH];
};

/* Draws a line that begins at one side, or sometimes inside the town, and wanders with some turns.
 * It never comes back to a place, and sometimes passes one without stopping. */
static bool walk(struct town *t, int l, struct es_random *random)
{
    static const int dx[] = {1, 1, 0, -1, -1, -1, 0, 1}, dy[] = {0, 1, 1, 1, 0, -1, -1, -1};
    int length = from_to(random, 5, 19), heading, x, y, count = 0;
    bool seen[WIDE * HIGH] = {false};
    switch (from_to(random, 0, 3)) {
    case 0:
        x = 0, y = from_to(random, 0, t->high - 1), heading = 0;
        break;
    case 1:
        x = t->wide - 1, y = from_to(random, 0, t->high - 1), heading = 4;
        break;
    case 2:
        y = 0, x = from_to(random, 0, t->wide - 1), heading = 2;
        break;
    default:
        y = t->high - 1, x = from_to(random, 0, t->wide - 1), heading = 6;
        break;
    }
    if (from_to(random, 0, 3) == 0) { /* begins inside the town */
        x = from_to(random, t->wide / 4, 3 * t->wide / 4);
        y = from_to(random, t->high / 4, 3 * t->high / 4);
        heading = from_to(random, 0, 7);
    }
    int skips = from_to(random, 0, 4) == 0 ? 4 : 12;
    while (count < length) {
        int place = y * t->wide + x;
        if (seen[place])
            break;
        seen[place] = true;
        if (from_to(random, 0, skips) != 0)
            t->at[l][count++] = place;
        int turn = from_to(random, 0, 5);
        heading = (heading + (turn == 0) + 7 * (turn == 1)) & 7;
        for (int i = 0; i < 8; i++) { /* turn away from the border and from places already seen */
            int nx = x + dx[heading], ny = y + dy[heading];
            if (nx >= 0 && ny >= 0 && nx < t->wide && ny < t->high && !seen[ny * t->wide + nx])
                break;
            heading = (heading + (i % 2 ? i + 1 : 8 - (i + 1))) & 7;
        }
        int nx = x + dx[heading], ny = y + dy[heading];
        if (nx < 0 || ny < 0 || nx >= t->wide || ny >= t->high)
            break;
        x = nx, y = ny;
    }
    t->stops[l] = count;
    t->ring[l] = false;
    return count >= 4;
}

static bool ring(struct town *t, int l, struct es_random *random)
{
    int x0 = from_to(random, 1, t->wide / 3), x1 = from_to(random, t->wide / 2, t->wide - 2);
    int y0 = from_to(random, 1, t->high / 3), y1 = from_to(random, t->high / 2, t->high - 2);
    int all[2 * (WIDE + HIGH)], count = 0;
    for (int x = x0; x < x1; x++)
        all[count++] = y0 * t->wide + x;
    for (int y = y0; y < y1; y++)
        all[count++] = y * t->wide + x1;
    for (int x = x1; x > x0; x--)
        all[count++] = y1 * t->wide + x;
    for (int y = y1; y > y0; y--)
        all[count++] = y * t->wide + x0;
    int from = from_to(random, 0, count - 1), step = from_to(random, 1, 2), n = 0;
    for (int i = 0; i < count && n < 20; i += step)
        t->at[l][n++] = all[(from + i) % count];
    t->stops[l] = n;
    t->ring[l] = true;
    return n >= 5;
}

static void write_town(const struct town *t, struct es_random *random, struct es_out *out)
{
    int special = from_to(random, 0, 2) == 0 ? from_to(random, 5, 12) : 1000;
    es_out_text(out, "endstation-map 1\nid training\ntitle Training\npaper f0f0f0\n");
    for (int s = 0; s < t->wide * t->high; s++)
        if (t->calls[s]) {
            number(out, "station s", s);
            number(out, " ", s % t->wide);
            number(out, " ", s / t->wide);
            es_out_text(out, from_to(random, 0, special) == 0 ? " special\n" : "\n");
        }
    int generous = from_to(random, 38, 62); /* stops per window, in tenths */
    for (int l = 0; l < t->lines; l++) {
        int alone = 0;
        for (int i = 0; i < t->stops[l]; i++)
            alone += t->calls[t->at[l][i]] == 1;
        int tenths = t->stops[l] * 7 + alone * 6 + from_to(random, -20, 20);
        int windows = (tenths + generous / 2) / generous;
        windows = windows < 1 ? 1 : windows > 4 ? 4 : windows;
        int hard = t->stops[l] + alone - 4 * windows + from_to(random, -3, 3);
        int first =
            from_to(random, 2, 4) + (hard > 0 ? hard / 3 : 0) + windows / 3 - (t->stops[l] < 8);
        first = first < 2 ? 2 : first > 9 ? 9 : first;
        es_out_text(out, "line ");
        es_out_char(out, (char)('A' + l));
        number(out, " 00c0ff windows ", windows);
        number(out, " points ", first);
        number(out, " ", first - (first > 3 ? 2 : 1));
        es_out_text(out, t->ring[l] ? " wagon 0 0 ring :" : " wagon 0 0 :");
        for (int i = 0; i < t->stops[l]; i++)
            number(out, " s", t->at[l][i]);
        es_out_char(out, '\n');
    }
}

void training_sheet(uint64_t seed, struct es_map *map)
{
    struct es_random random;
    struct es_fault fault;
    char text[65536];
    es_random_seed(&random, seed * 2 + 1);
    for (;;) {
        struct town t = {.wide = from_to(&random, 8, WIDE), .high = from_to(&random, 6, HIGH)};
        t.lines = from_to(&random, 0, 5) == 0 ? from_to(&random, 4, 14) : from_to(&random, 8, 11);
        bool good = true;
        int has_ring = from_to(&random, 0, 2) == 0 ? from_to(&random, 0, t.lines - 1) : -1;
        for (int l = 0; l < t.lines && good; l++) {
            bool made = false;
            for (int i = 0; i < TRIES && !made; i++)
                made = l == has_ring ? ring(&t, l, &random) : walk(&t, l, &random);
            good = made;
        }
        if (!good)
            continue;
        int stations = 0;
        for (int l = 0; l < t.lines; l++)
            for (int i = 0; i < t.stops[l]; i++)
                stations += t.calls[t.at[l][i]]++ == 0;
        if (stations > 110)
            continue;
        struct es_out out = {text, sizeof text, 0};
        write_town(&t, &random, &out);
        if (es_map_read(map, (struct es_str){text, out.used}, &fault) == ES_OK)
            return;
    }
}
