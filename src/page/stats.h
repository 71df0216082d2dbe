/* Statistics of games as text: adds records, and writes what follows from all of them as JSON or as
 * a plot. The page and `endstation stats` use the same functions.
 *
 *     struct es_page_stats *s = malloc(es_page_stats_bytes(1000));
 *     es_page_stats_begin(s, 1000, es_str("Ada\nAda B."));
 *     es_page_stats_add(&page, s, text);                 // for each record
 *     es_page_stats_finish(s);
 *     es_page_stats_json(s, &out);
 */
#ifndef ENDSTATION_SRC_PAGE_STATS_H
#define ENDSTATION_SRC_PAGE_STATS_H

#include "page/page.h"
#include <endstation/stats.h>

enum { ES_PAGE_NAMES_BYTES = 8 * ES_NAME_BYTES };
struct es_page_stats {
    struct es_stats stats;
    struct es_map map; /* the latest built-in sheet: most games are on few sheets */
    char names[ES_PAGE_NAMES_BYTES];
    size_t names_size;
    _Alignas(16) char rows[]; /* of stats */
};

/* Returns the size of the memory for that many games, at most ES_STATS_ROWS_MAX. */
size_t es_page_stats_bytes(size_t games);
/* Begins with no games. `names`: yours, one a line; too many are as good as none. */
void es_page_stats_begin(struct es_page_stats *s, size_t games, struct es_str names);
/* Adds the game of a record. Its sheet is the page's own (es_page_map) if that has the record's
 * hash, or if the record has none and the ids agree; otherwise the built-in one. The open game does
 * not change. On ES_STATS_UNREADABLE `fault` says why; the caller may try again with another sheet,
 * or count the game by es_page_stats_skip(). */
enum es_stats_kind es_page_stats_add(struct es_page *page, struct es_page_stats *s,
                                     struct es_str text, struct es_fault *fault);
void es_page_stats_skip(struct es_page_stats *s);
/* Sorts all games; call it after the last. */
void es_page_stats_finish(struct es_page_stats *s);

/* Writes the statistics, as docs/formats.md describes them. */
void es_page_stats_json(const struct es_page_stats *s, struct es_out *out);
/* Writes where a result stands, by the number of its row in the order of adding:
 *
 *     {"game":"NAME",…,"options":"",      // as in the groups of the JSON
 *      "points":57,"place":3,"of":24,"best":66,   // among the games of its group, itself included
 *      "aided":false,
 *      "levels":[{"level":"strong","games":2000,"mean":51.30,"median":52.0,"percent":62},…]}
 *
 * percent: how many games of the level have fewer points, rounded down. Levels are listed only for
 * a game alone on a built-in sheet. {}: there is no such row. */
void es_page_stats_standing(const struct es_page_stats *s, size_t row, struct es_out *out);
/* Draws the results of a group, by its number in the JSON; false if there is none. */
bool es_page_stats_plot(struct es_page *page, const struct es_page_stats *s, size_t group,
                        enum es_theme theme, bool narrow, struct es_svg *svg);

#endif
