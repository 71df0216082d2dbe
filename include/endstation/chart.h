/* The chart of an analysed game: the expected result from node to node as a line, below it a bar
 * for the luck or the loss of each node, and a mark where a decision has a label.
 *
 *     struct es_chart chart = {.count = found, .node = node_of, .context = &results, .selected =
 * -1}; es_chart_draw(&chart, &draw, &svg.painter);
 *
 * Nodes that have no result yet leave gaps. Luck and loss differ by colour and, in print, by
 * filling; labels differ by shape as well as by colour. The only texts are numbers on the axes.
 *
 * Parts: each node has one, as high as the picture, whose id is "node-12" and whose data-node is
 * its number; its kind is "node chance", "node decision" or "node decision mistake" (or another
 * label), with "open" and "selected" added where they hold. */
#ifndef ENDSTATION_CHART_H
#define ENDSTATION_CHART_H

#include <endstation/draw.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Labels of decisions, in the order of enum es_label (analysis.h). */
enum { ES_CHART_LABELS = 5 };

struct es_chart_node {
    bool chance;       /* else a decision */
    bool open;         /* it has not happened yet */
    bool known;        /* it has a result: what follows is set */
    int label;         /* 0: none */
    double value;      /* expected before it: points, or per cent of the win */
    double luck, loss; /* the same unit */
};

struct es_chart {
    size_t count;
    /* Returns node i. */
    struct es_chart_node (*node)(const void *context, size_t i);
    const void *context;
    bool has_result;
    double result; /* after the last node */
    bool per_cent; /* values are per cent of the win, else points */
    bool narrow;   /* for a phone: 390 x 240 points instead of 900 x 260 */
    long selected; /* the number of a node; -1: none */
};

/* Draws the chart. Of `draw` only theme and words are used. */
void es_chart_draw(const struct es_chart *chart, const struct es_draw *draw,
                   struct es_painter *painter);

/* The colours of a chart. */
struct es_chart_colours {
    uint32_t paper, ink, text, grid, band; /* text: numbers; band: behind the selected node */
    uint32_t luck, loss;
    uint32_t label[ES_CHART_LABELS]; /* of the marks */
};
struct es_chart_colours es_chart_colours(enum es_theme theme);

#ifdef __cplusplus
}
#endif

#endif
