/* The functions that only analysis.wasm exports: those of analysis.h for the session of exports.c.
 */
#include "page/analysis.h"
#include "page/exports.h"
#include <assert.h>

/* Returns memory for the functions of analysis.h. */
static void *memory(size_t size)
{
    static struct es__room room;
    es__reserve(&room, size);
    return room.at;
}

static void *analysis_memory(void)
{
    return memory(es_page_analysis_bytes(&es__exported));
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

EXPORT(hindsight) int hindsight(int player)
{
    struct es_out out = es__answer_begin();
    es_status status = es_page_hindsight(&es__exported, player,
                                         memory(es_page_hindsight_bytes(&es__exported)), &out);
    if (status)
        return es__answer_status(status, es_str(""));
    es__answer_keep(&out);
    return ES_OK;
}
