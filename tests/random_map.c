/* Random sheets: see random_map.h. */
#include "random_map.h"

static int from_to(struct es_random *random, int from, int to)
{
    return from + (int)es_random_below(random, (uint32_t)(to - from + 1));
}

static void number(struct es_out *out, const char *before, int value)
{
    es_out_text(out, before);
    es_out_int(out, value);
}

void random_map(struct es_random *random, int size, struct es_out *out)
{
    static const struct {
        int stations, lines, stops, windows;
    } most[] = {{5, 3, 5, 2}, {24, 6, 12, 4}, {78, 10, 19, 4}, {128, 26, 64, 8}};
    /* The lines need not use all of these stations; those that they do not use are not declared. */
    int stations = from_to(random, most[size].stations / 2 + 1, most[size].stations);
    int lines = from_to(random, size == 3 ? 20 : 2, most[size].lines);
    int order[26][64], stops[26], used[128] = {0};
    for (int l = 0; l < lines; l++) {
        int limit = most[size].stops < stations ? most[size].stops : stations;
        stops[l] = size == 3 && l == 0 ? limit : from_to(random, 2, limit);
        uint8_t pool[128];
        for (int s = 0; s < stations; s++)
            pool[s] = (uint8_t)s;
        for (int i = 0; i < stops[l]; i++) {
            int j = from_to(random, i, stations - 1);
            uint8_t kept = pool[i];
            pool[i] = pool[j];
            pool[j] = kept;
            order[l][i] = pool[i];
            used[pool[i]] = 1;
        }
    }
    es_out_text(out, "endstation-map 1\nid random\ntitle Random\npaper f0f0f0\n");
    for (int s = 0; s < stations; s++)
        if (used[s]) {
            number(out, "station s", s);
            number(out, " ", s % 12);
            number(out, " -", s / 12);
            es_out_text(out, s % 3 == 0 ? ".5" : "");
            es_out_text(out, from_to(random, 0, 7) == 0 ? " special" : "");
            es_out_text(out, s % 4 == 0 ? " : Söder: " : s % 4 == 1 ? " : Nord" : "");
            if (s % 4 < 2)
                es_out_int(out, s);
            es_out_char(out, '\n');
        }
    for (int l = 0; l < lines; l++) {
        int first = from_to(random, 0, 12);
        es_out_text(out, "line ");
        es_out_char(out, (char)('Z' - l)); /* not in alphabetical order */
        es_out_text(out, " 00c0ff");
        number(out, " windows ", from_to(random, 1, most[size].windows));
        number(out, " points ", first);
        number(out, " ", from_to(random, 0, first));
        bool ring = from_to(random, 0, 2) == 0;
        es_out_text(out, ring ? " wagon -1 0.5 ring :" : " wagon -1 0.5 :");
        for (int i = 0; i < stops[l]; i++) {
            number(out, " s", order[l][i]);
            if ((ring || i + 1 < stops[l]) && from_to(random, 0, 5) == 0)
                es_out_text(out, " (3,-2.5)");
        }
        es_out_char(out, '\n');
    }
}
