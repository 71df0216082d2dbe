/* Adds up a paper sheet from what people have written on it, for the page's conductor. */
#include "games/verplant/table.h"

struct form {
    unsigned players, transfers, empty;
    uint32_t first, later; /* lines, a bit each */
};

static es_status read_line(const struct es_map *map, struct es_str word, struct form *form,
                           uint32_t *lines)
{
    int l = word.size == 1 ? es_map_line_named(map, word.at[0]) : -1;
    if (l < 0)
        return ES_LINE_UNKNOWN;
    if ((form->first | form->later) >> l & 1)
        return ES_TWICE;
    *lines |= (uint32_t)1 << l;
    return ES_OK;
}

static es_status read_form(const struct es_map *map, struct es_str words, struct form *form)
{
    const struct {
        const char *word;
        unsigned *number, most;
        uint32_t *lines;
    } fields[] = {
        {"players", &form->players, ES_PLAYERS_MAX, NULL},
        {"first", NULL, 0, &form->first},
        {"later", NULL, 0, &form->later},
        {"transfers", &form->transfers, ES_STATIONS_MAX * ES_LINES_MAX, NULL},
        {"empty", &form->empty, map->stations, NULL},
    };
    const int count = sizeof fields / sizeof fields[0];
    int field = count;
    struct es_str word;
    while (es_str_word(&words, &word)) {
        int i = 0;
        while (i < count && !es_str_is(word, fields[i].word))
            i++;
        es_status status = ES_OK;
        if (i < count) {
            field = i;
            if (!fields[i].number)
                continue;
            status = es_str_word(&words, &word)
                         ? es_str_number(word, fields[i].most, fields[i].number)
                         : ES_WORD_MISSING;
        } else {
            status = field < count && fields[field].lines
                         ? read_line(map, word, form, fields[field].lines)
                         : ES_WORD_UNKNOWN;
        }
        if (status)
            return status;
    }
    return form->players > 0 ? ES_OK : ES_PLAYERS_RANGE;
}

es_status es__verplant_tally(const struct es_setup *setup, struct es_str words,
                             struct es__writer *w)
{
    const struct es_map *map = setup->map;
    struct form form = {.players = 1};
    es_status status = read_form(map, words, &form);
    if (status)
        return status;
    int lines = 0;
    for (int l = 0; l < map->lines; l++)
        lines += form.first >> l & 1   ? map->line[l].first
                 : form.later >> l & 1 ? map->line[l].later
                                       : 0;
    int transfers = 2 * (int)form.transfers;
    int penalty = (int)(form.players == 1 ? form.empty : form.empty / 2);
    int total = lines + transfers - penalty;
    es__write_object(w, NULL);
    es__write_int(w, "lines", lines);
    es__write_int(w, "transfers", transfers);
    es__write_int(w, "penalty", penalty);
    es__write_int(w, "total", total);
    es__write_int(w, "grade", es_verplant_grade(total));
    es__write_int(w, "order", 256 * total - (int)form.empty);
    es__write_end(w);
    return ES_OK;
}
