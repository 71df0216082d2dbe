/* The analysis of the open game (docs/analysis.md) in pieces that workers can compute: the list of
 * a player's nodes, the result of each as a line of text, and, from all lines or those that are
 * there already, the whole as JSON or as a chart.
 *
 *     void *memory = malloc(es_page_analysis_bytes(&page));
 *     es_page_nodes(&page, 1, memory, &out);       // {"player":1,…,"nodes":[{"at":3,…},…]}
 *     es_page_node(&page, 1, 0, memory, &out);     // the line of the first node; some 10 ms
 *     es_page_analysis(&page, 1, lines, memory, &out, &fault);   // JSON
 *
 * The lines come from outside. Each is checked against its node before it is used: what cannot be
 * its result is refused. The whole game is analysed, wherever the cursor is. */
#ifndef ENDSTATION_SRC_PAGE_ANALYSIS_H
#define ENDSTATION_SRC_PAGE_ANALYSIS_H

#include "page/page.h"
#include <endstation/analysis.h>

/* Returns the size of the memory that the functions below need for the open game. They keep nothing
 * in it. It is aligned like malloc's. */
size_t es_page_analysis_bytes(const struct es_page *page);

/* Writes the nodes of a player's game:
 *
 *     {"player":1,"unit":"points" (alone) or "win" (with others),
 *      "nodes":[{"at":3,"kind":"chance" or "decision","event":"card 4"},
 *               {"at":4,"kind":"decision","open":true}]}
 *
 * at: events of the player's view before the node, to be passed to es_page_seek(). open: it has not
 * happened yet. Returns ES_OK or why the game cannot be analysed. */
es_status es_page_nodes(struct es_page *page, int player, void *memory, struct es_out *out);

/* Evaluates a node (from 0) and writes its result as a line without its end (es_node_write).
 * Returns ES_OK, ES_NUMBER_RANGE if there is no such node, or why the game cannot be analysed. */
es_status es_page_node(struct es_page *page, int player, size_t index, void *memory,
                       struct es_out *out);

/* Writes the analysis. `lines` has a line for every node, in order; an empty one for a node that
 * has no result yet. docs/formats.md describes the JSON, which `endstation analyse --json` prints
 * too, with the file before it. Returns ES_OK; why the game cannot be analysed (line 0);
 * ES_WORD_MISSING or ES_WORD_EXTRA for too few or too many lines; ES_NUMBER_BAD for a line that is
 * not a result, ES_EVENT_BAD for one that is not of its node. */
es_status es_page_analysis(struct es_page *page, int player, struct es_str lines, void *memory,
                           struct es_out *out, struct es_fault *fault);

/* Writes why one move of a player, `better`, is better than another one, both as text and legal
 * now: {"why":[FACT,…]}, with facts of the game's own (es_table.compare); none if it has nothing to
 * say. Returns ES_OK or why a move cannot be made. */
es_status es_page_reasons(struct es_page *page, int player, struct es_str better,
                          struct es_str played, struct es_out *out);

/* How a chart is drawn (endstation/chart.h). */
struct es_page_chart_look {
    bool dark, print;
    bool narrow;   /* for a phone */
    long selected; /* the number of a node; -1: none */
};
/* Draws the chart of an analysis. `lines` and statuses are as for es_page_analysis(). */
es_status es_page_chart(struct es_page *page, int player, struct es_str lines,
                        const struct es_page_chart_look *look, void *memory, struct es_svg *svg,
                        struct es_fault *fault);

/* Returns the size of the memory for es_page_hindsight(), at least 1. */
size_t es_page_hindsight_bytes(const struct es_page *page);
/* Writes what the player could have got, had all cards been known: {"points":61}, or {} if that
 * cannot be said: the game is not over, has several players, or is of another kind. */
es_status es_page_hindsight(struct es_page *page, int player, void *memory, struct es_out *out);

/* ---- For any writer ------------------------------------------------------------------------- */

/* A player's game with the results of its nodes. */
struct es__analysed {
    const struct es_setup *setup;
    int player;
    const es_event *seen; /* the player's view */
    size_t seen_count, found;
    const struct es_node *nodes;
    const struct es_node_result *results;
    const struct es_step *steps;
    const bool *known; /* by node: it has a result. NULL: all have */
    bool complete;     /* all have, and `sum` is set */
    bool over;
    struct es_analysis_sum sum;
    const int *hindsight; /* NULL: not known */
};

/* Writes the members of es_page_analysis() into the object that is open. */
void es__write_analysis(struct es__writer *w, const struct es__analysed *analysed);
/* Returns "good", "mistake" and so on; "" for none. */
const char *es__label_word(enum es_label label);

#endif
