/* verplant's part of a session (struct es_table): the answers of page.h that only verplant has.
 *
 * Facts (es_page_state)
 *     "map":{"id":"amsterdam","title":"Amsterdam","hash":"…","built_in":true,"stations":62,
 *       "special":0 (of the stations),
 *       "lines":[{"letter":"A","colour":"e2001a","ring":false,"windows":3,"first":7,"later":4,
 *                 "stops":["r1",…]}]},                // stations, in order from the wagon
 *     "card":CARD,"last":CARD,                       // open, and before; left out if there is none
 *     "round":5,"left":9,"windows":24 (of a sheet),
 *     "deck":[{"card":CARD,"left":2,"all":3}],       // in the pile, by kind, sorted
 *     "extra":0,                                     // entries that special stations call for
 *   and to each player
 *     "sum":{"lines":7,"transfers":6,"empty":31,"penalty":15,"total":-2},"grade":6,
 *     "free":12,                                     // windows
 *     "lines":[{"letter":"A","written":[CARD,…],"free":1,"left":5,"done":false,"won":0,
 *               "first":false,"claimed":false}]      // left: empty stations; done: its points
 *                                                    // are given; claimed: only `later` is left
 *     and in a report "marks":[{"station":"r1","framed":3}]   // marked; framed: as in the log
 *
 * CARD, and a piece (es_page_piece)
 *     {"code":"x2","kind":"express","marks":2}       // number express transfer ride back
 *
 * The log (es_page_log)
 *     {"n":1,"what":"card","card":CARD,"shuffled":false}   // shuffled: before this card
 *     {"n":2,"what":"entry","player":1,"line":"A","card":CARD,"marks":["Plaza",…],
 *      "framed":3,                          // a transfer: the number; else 0
 *      "round":5,"event":"1 A3"}
 *     {"n":2,"what":"ride","player":1,"station":"Plaza" ("" for none),"round":5,"event":"1 @r4"}
 *     {"n":2,"what":"done","player":1,"line":"A","points":7,"first":true}
 * Stations without a name are called by their id.
 *
 * Choosing (es_page_choose): a wagon, a line or a value plans all marks of the line. A station
 * plans those up to it, on the planned line if that gets there, else on the line that marks most;
 * one that no line can reach, the most that its line can get. Round a ring the shorter way is
 * meant. A letter is a line, a digit the number of marks; Left and Right are the directions of a
 * ring, and otherwise fewer or more marks; Up and Down are other lines. On a free ride a station is
 * itself, a letter the line whose empty stations Left and Right walk along, 0 the ride to nowhere.
 * The word `blank` plans the first entry that marks nothing: the conductor's.
 *
 * Its answer
 *      "options":[{"event":"1 C>3","line":"C","direction":">","marks":3}],
 *                                                    // the most of each line that has a window,
 *                                                    // both ways round a ring; on a free ride
 *                                                    // only "1 @-", with line ""
 *      "most":3,                              // marks of the planned line
 *      "line":"A","direction":"" "<" ">","marks":["Plaza",…],
 *      "gain":3,"done":["A"],                 // of the score, with lines that it completes
 *      "framed":0,                            // a transfer: the number
 *      "owed":0,                              // entries that special stations then call for
 *      "stations":["r4",…]                    // the ids of "marks"
 *
 * Two entries (es_table.compare). `points` of a line: what completing it in this round is worth;
 * `played…`: the same after the entry played.
 *      {"what":"complete","lines":["C"],"playedLines":[],"points":7,"playedPoints":0}
 *                               // completes lines that are worth more
 *      {"what":"transfer","station":"r4","name":"Plaza","number":5,"points":10,"playedPoints":4}
 *                               // a larger framed number: 2 × number points
 *      {"what":"extra","entries":1,"playedEntries":0}   // entries owed for special stations
 *      {"what":"marks","marks":4,"playedMarks":2,"card":4}   // marks more; card: what it allows
 *      {"what":"beyond","line":"B","points":7,"left":3,"windows":0,"most":6}
 *                               // after the entry played, the line has more empty stations (left)
 *                               // than cards in its free windows could mark, `most` each; not so
 *                               // before, nor after the better one
 *      {"what":"lost","stations":0,"playedStations":3}
 *                               // empty stations that are on no line with a free window: fewer
 *      {"what":"run","line":"E","marks":5,"playedMarks":2}
 *                               // how many stations the largest number of the deck could mark on
 *                               // the line next: more, as no mark cuts them off
 *      {"what":"next_transfer","station":"r4","name":"Plaza","number":5,"points":10,
 *       "playedPoints":6,"left":2}   // the most that a transfer as the next card could give: more;
 *                               // where; left: transfers in the pile
 *      {"what":"window","line":"F","points":3,"left":6,"windows":2,"playedWindows":1}
 *                               // keeps a window of a line that has `left` empty stations after
 *                               // the entry played
 *      {"what":"nearer","line":"E","points":6,"left":2,"playedLeft":5,"windows":1}
 *                               // fewer empty stations of a line, with so many free windows
 *      {"what":"lines","count":4,"playedCount":1}
 *                               // marks stations of more lines
 */
#ifndef ENDSTATION_SRC_VERPLANT_TABLE_H
#define ENDSTATION_SRC_VERPLANT_TABLE_H

#include "page/table.h"
#include <endstation/verplant.h>

extern const struct es_table es__verplant_table;

/* ---- Facts (table_facts.c) ------------------------------------------------------------------ */

/* Writes a card; nothing if there is none. */
void es__verplant_card_fact(struct es__writer *w, const char *name, int card);
/* Writes a station's name, or its id where it has no name. */
void es__verplant_station_fact(struct es__writer *w, const char *name, const struct es_map *map,
                               int station);
/* Writes the stations that a choice for the open card marks, in order: their names as "marks". */
void es__verplant_marks_fact(struct es__writer *w, const struct es_map *map,
                             const struct es_sheet *sheet, es_choice choice);
/* Writes the same stations by their ids, as "stations". */
void es__verplant_stations_fact(struct es__writer *w, const struct es_map *map,
                                const struct es_sheet *sheet, es_choice choice);
/* Writes the members of "map". */
void es__verplant_map_facts(struct es__writer *w, const struct es_map *map, bool built_in);
bool es__verplant_piece_facts(struct es_str name, struct es__writer *w);
/* Returns the number of entries that are owed and can still be made. */
int es__verplant_owed(const struct es_sheet *sheet);
void es__verplant_facts(const struct es__looking *look, struct es__writer *w);
void es__verplant_player_facts(const struct es__looking *look, int player, struct es__writer *w);

/* ---- The log (table_log.c) ------------------------------------------------------------------ */

void es__verplant_tell(struct es__telling *t);
size_t es__verplant_known_at(const struct es__looking *look, const es_event *events, size_t at);

/* ---- Two entries (table_compare.c) ---------------------------------------------------------- */

/* The page's first module is linked without it, for its size (cmake/page.cmake). */
#ifdef __wasm__
__attribute__((weak))
#endif
void es__verplant_compare(const struct es_setup *setup, const struct es_state *view, int player,
                          es_event played, es_event better, struct es__writer *w);

/* ---- The conductor's form (table_tally.c) --------------------------------------------------- */

/* Adds up what people have written on paper sheets (es_page_ask). In, for each player: "sheet first
 * A C later D transfers 7 empty 12" (the sum of the framed numbers, the number of empty stations;
 * every part may be missing). Out: {"sheets":[{"lines":16,"transfers":14,"penalty":6,"total":24,
 * "grade":3},…],"winners":[1],"tied":[2]}, winners and tied as in es_page_state(). */
es_status es__verplant_tally(const struct es_setup *setup, struct es_str words,
                             struct es__writer *w);

#endif
