/* Adds up paper sheets from what people have written on them, for the page's conductor. */
#include "games/verplant/table.h"

struct form {
    unsigned transfers, empty;
    uint32_t first, later; /* lines, a bit each */
    int total;
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

/* Reads the words of one sheet, up to the next `sheet`. */
static es_status read_form(const struct es_map *map, struct es_str *words, struct form *form)
{
    struct es_str word, rest;
    uint32_t *lines = NULL; /* what a line's letter is added to */
    for (rest = *words; es_str_word(&rest, &word) && !es_str_is(word, "sheet"); *words = rest) {
        bool transfers = es_str_is(word, "transfers"), empty = es_str_is(word, "empty");
        es_status status = ES_OK;
        if (transfers || empty) {
            lines = NULL;
            if (!es_str_word(&rest, &word))
                return ES_WORD_MISSING;
            status = transfers
                         ? es_str_number(word, ES_STATIONS_MAX * ES_LINES_MAX, &form->transfers)
                         : es_str_number(word, map->stations, &form->empty);
        } else if (es_str_is(word, "first")) {
            lines = &form->first;
        } else if (es_str_is(word, "later")) {
            lines = &form->later;
        } else {
            status = lines ? read_line(map, word, form, lines) : ES_WORD_UNKNOWN;
        }
        if (status)
            return status;
    }
    return ES_OK;
}

static void write_sheet(const struct es_map *map, int players, struct form *form,
                        struct es__writer *w)
{
    int lines = 0;
    for (int l = 0; l < map->lines; l++)
        lines += form->first >> l & 1   ? map->line[l].first
                 : form->later >> l & 1 ? map->line[l].later
                                        : 0;
    int transfers = 2 * (int)form->transfers;
    int penalty = (int)(players == 1 ? form->empty : form->empty / 2);
    form->total = lines + transfers - penalty;
    es__write_object(w, NULL);
    es__write_int(w, "lines", lines);
    es__write_int(w, "transfers", transfers);
    es__write_int(w, "penalty", penalty);
    es__write_int(w, "total", form->total);
    es__write_int(w, "grade", es_verplant_grade(form->total));
    es__write_end(w);
}

es_status es__verplant_tally(const struct es_setup *setup, struct es_str words,
                             struct es__writer *w)
{
    struct form form[ES_PLAYERS_MAX] = {0};
    struct es_str word;
    int players = 0, best = 0;
    for (; es_str_word(&words, &word); players++) {
        if (!es_str_is(word, "sheet"))
            return ES_WORD_UNKNOWN;
        if (players == ES_PLAYERS_MAX)
            return ES_PLAYERS_RANGE;
        es_status status = read_form(setup->map, &words, &form[players]);
        if (status)
            return status;
    }
    if (players == 0)
        return ES_PLAYERS_RANGE;
    es__write_object(w, NULL);
    es__write_array(w, "sheets");
    for (int i = 0; i < players; i++) {
        write_sheet(setup->map, players, &form[i], w);
        if (form[i].total > form[best].total ||
            (form[i].total == form[best].total && form[i].empty < form[best].empty))
            best = i;
    }
    es__write_end(w);
    for (int tied = 0; tied <= 1; tied++) {
        es__write_array(w, tied ? "tied" : "winners");
        for (int i = 0; i < players; i++)
            if (form[i].total == form[best].total && (form[i].empty != form[best].empty) == tied)
                es__write_int(w, NULL, i + 1);
        es__write_end(w);
    }
    es__write_end(w);
    return ES_OK;
}
