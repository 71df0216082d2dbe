/* A plot of results over time: a dot for each game in order, and as a line the mean of the last
 * games up to each: ten, or fifty where there are many. The best result is marked and has its
 * number.
 *
 *     struct es_plot plot = {.count = games, .points = points_of, .context = &rows};
 *     es_plot_draw(&plot, &draw, &svg.painter);
 *
 * The only texts are numbers and two dates. The picture's title says what it shows, for screen
 * readers. Parts: each game has one, "result" or "result best", whose id is "result-12" and whose
 * data-result is its number, from 0, with its date and points as title. */
#ifndef ENDSTATION_PLOT_H
#define ENDSTATION_PLOT_H

#include <endstation/draw.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns of how many games the line is the mean. */
size_t es_plot_window(size_t count);

struct es_plot {
    size_t count; /* at least 1 */
    /* Returns the points of result i, and sets *date, "" if it has none. */
    int (*points)(const void *context, size_t i, const char **date);
    const void *context;
    double mean, median;
    bool narrow; /* for a phone: 390 x 240 points instead of 900 x 260 */
};

/* Draws the plot. Of `draw` only theme and words are used. */
void es_plot_draw(const struct es_plot *plot, const struct es_draw *draw,
                  struct es_painter *painter);

#ifdef __cplusplus
}
#endif

#endif
