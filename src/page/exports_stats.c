/* The functions for statistics that only analysis.wasm exports: those of stats.h. They need no open
 * game.
 *
 *     stats_begin(games, size)   the input: your names, one a line
 *     stats_add(size)            the input: a record; the answer: its enum es_stats_kind
 *     stats_skip()               counts one that is unreadable
 *     stats_finish()             after the last record, before everything below
 *     stats_json(), stats_csv(), stats_standing(row), stats_plot(group, flags) */
#include "page/exports.h"
#include "page/stats.h"
#include <assert.h>

static struct es_page_stats *stats; /* NULL before stats_begin() */

EXPORT(stats_begin) int stats_begin(size_t games, size_t size)
{
    static struct es__room room;
    if (games > ES_STATS_ROWS_MAX)
        games = ES_STATS_ROWS_MAX;
    es__reserve(&room, es_page_stats_bytes(games));
    stats = (struct es_page_stats *)room.at;
    es_page_stats_begin(stats, games, es__input(size));
    return es__answer_status(ES_OK, es_str(""));
}

EXPORT(stats_add) int stats_add(size_t size)
{
    struct es_out out = es__answer_begin();
    struct es_fault fault;
    assert(stats);
    es_out_int(&out, es_page_stats_add(&es__exported, stats, es__input(size), &fault));
    es__answer_keep(&out);
    return ES_OK;
}

/* Counts a record as unreadable. */
EXPORT(stats_skip) int stats_skip(size_t size)
{
    (void)size;
    assert(stats);
    es_page_stats_skip(stats);
    return es__answer_status(ES_OK, es_str(""));
}

EXPORT(stats_finish) int stats_finish(size_t size)
{
    (void)size;
    assert(stats);
    es_page_stats_finish(stats);
    return es__answer_status(ES_OK, es_str(""));
}

EXPORT(stats_json) int stats_json(size_t size)
{
    struct es_out out;
    (void)size;
    assert(stats);
    do {
        out = es__answer_begin();
        es_page_stats_json(stats, &out);
    } while (!es__answer_keep(&out));
    return ES_OK;
}

EXPORT(stats_csv) int stats_csv(size_t size)
{
    struct es_out out;
    (void)size;
    assert(stats);
    do {
        out = es__answer_begin();
        es_stats_csv(&stats->stats, &out);
    } while (!es__answer_keep(&out));
    return ES_OK;
}

EXPORT(stats_standing) int stats_standing(size_t row, size_t size)
{
    struct es_out out = es__answer_begin();
    (void)size;
    assert(stats);
    es_page_stats_standing(stats, row, &out);
    es__answer_keep(&out);
    return ES_OK;
}

/* The bits of `flags`, as for charts. */
enum { DARK = 1, PRINT = 2, NARROW = 4 };

EXPORT(stats_plot) int stats_plot(size_t group, int flags, size_t size)
{
    const enum es_theme theme = flags & PRINT  ? ES_THEME_PRINT
                                : flags & DARK ? ES_THEME_DARK
                                               : ES_THEME_LIGHT;
    struct es_svg *svg;
    (void)size;
    assert(stats);
    do {
        svg = es__answer_svg();
        if (!es_page_stats_plot(&es__exported, stats, group, theme, flags & NARROW, svg))
            return es__answer_status(ES_NUMBER_RANGE, es_str(""));
    } while (!es__answer_keep(&svg->out));
    return ES_OK;
}
