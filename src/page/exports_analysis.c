/* The functions that only analysis.wasm exports: those of analysis.h for the session of exports.c.
 */
#include "page/analysis.h"
#include "page/exports.h"
#include <assert.h>

static void *analysis_memory(void)
{
    return es__memory(es_page_analysis_bytes(&es__exported));
}

EXPORT(nodes) int nodes(int player)
{
    struct es_out out;
    do {
        out = es__answer_begin();
        es_status status = es_page_nodes(&es__exported, player, analysis_memory(), &out);
        if (status)
            return es__answer_status(status, es_str(""));
    } while (!es__answer_keep(&out));
    return ES_OK;
}

EXPORT(node) int node(int player, size_t index)
{
    struct es_out out = es__answer_begin();
    es_status status = es_page_node(&es__exported, player, index, analysis_memory(), &out);
    if (status)
        return es__answer_status(status, es_str(""));
    es__answer_keep(&out);
    return ES_OK;
}

/* The input is a line for every node. */
EXPORT(analysis) int analysis(int player, size_t size)
{
    struct es_fault fault;
    struct es_out out;
    do {
        out = es__answer_begin();
        if (es_page_analysis(&es__exported, player, es__input(size), analysis_memory(), &out,
                             &fault))
            return es__answer_fault(&fault);
    } while (!es__answer_keep(&out));
    return ES_OK;
}

/* The bits of `flags`. */
enum { DARK = 1, PRINT = 2, NARROW = 4 };

/* The input is a line for every node; `selected` is the number of one, or -1. */
EXPORT(chart) int chart(int player, int flags, int selected, size_t size)
{
    const struct es_page_chart_look look = {.dark = flags & DARK,
                                            .print = flags & PRINT,
                                            .narrow = flags & NARROW,
                                            .selected = selected};
    struct es_fault fault;
    struct es_svg *svg;
    do {
        svg = es__answer_svg();
        if (es_page_chart(&es__exported, player, es__input(size), &look, analysis_memory(), svg,
                          &fault))
            return es__answer_fault(&fault);
    } while (!es__answer_keep(&svg->out));
    return ES_OK;
}

EXPORT(hindsight) int hindsight(int player)
{
    struct es_out out = es__answer_begin();
    es_status status = es_page_hindsight(&es__exported, player,
                                         es__memory(es_page_hindsight_bytes(&es__exported)), &out);
    if (status)
        return es__answer_status(status, es_str(""));
    es__answer_keep(&out);
    return ES_OK;
}

/* The input is the better move and the one played, one after the other. */
EXPORT(reasons) int reasons(int player, size_t better_size, size_t size)
{
    struct es_str all = es__input(size);
    struct es_out out;
    assert(better_size <= size);
    do {
        out = es__answer_begin();
        es_status status =
            es_page_reasons(&es__exported, player, (struct es_str){all.at, better_size},
                            (struct es_str){all.at + better_size, size - better_size}, &out);
        if (status)
            return es__answer_status(status, es_str(""));
    } while (!es__answer_keep(&out));
    return ES_OK;
}

/* The input is the better move, the one played and the prefix of ids, one after the other; flags as
 * for draw. */
EXPORT(draw_moves)
int draw_moves(int viewer, int sheet, int flags, int lit, size_t better_size, size_t played_size,
               size_t size)
{
    struct es_str all = es__input(size);
    assert(better_size <= size && played_size <= size - better_size);
    const size_t moves = better_size + played_size;
    return es__answer_look((struct es_page_look){.viewer = viewer,
                                                 .sheet = sheet,
                                                 .lit = lit,
                                                 .better = {all.at, better_size},
                                                 .played = {all.at + better_size, played_size}},
                           flags, (struct es_str){all.at + moves, size - moves});
}
