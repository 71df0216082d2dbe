/* metro's part of a session (struct es_table): the answers of page.h that only metro has.
 *
 * Facts (es_page_state)
 *     "stock":41,"placed":17,"tiles":60 (in all),
 *     "drawn":"aacb" (or "" or "?"),"rotate":false,"hand_size":1,
 *     "unseen":[{"tile":"aacb","left":3}],           // in the stock or in others' hands
 *     "draw":true,                                   // the viewer may draw
 *     "stations":[{"station":5,"owner":1 (0: nobody),"tiles":6,"end":"" "edge" "centre",
 *                  "points":12}]                     // all 32; tiles so far
 *   and to each player
 *     "hand":["aacb","?"],"open":4 (lines not finished)
 *
 * A piece (es_page_piece)
 *     {"tile":"aacb","turns":1,"tracks":[1,3,0,2]}   // the side to which a train gets
 *                               // from the top, right, bottom and left, numbered in that order;
 *                               // [] for ?
 *
 * The log (es_page_log)
 *     {"n":1,"what":"deal","player":1,"tile":"aacb"}       // or "?"
 *     {"n":9,"what":"draw","player":1}
 *     {"n":9,"what":"lay","player":1,"tile":"aacb","turns":0,"square":"d8"}
 *     {"n":9,"what":"finish","station":5,"owner":1,"tiles":6,"end":"centre","points":12}
 *
 * Choosing (es_page_choose): hand-N or a digit picks the tile up; a square lays it there; arrows
 * walk over the legal squares, row by row or column by column; Space, or a tap on the tile picked
 * up, turns it, and it stays on its square if it may; the stock or D plans to draw. A tile is
 * always picked up while a player may lay one: the first, if none was chosen.
 *
 * Its answer
 *      "tile":"aacb","turns":0,"hand":1 (0: drawn),"square":"d8" (or ""),
 *      "squares":["a1",…],                    // where it may lie as it is turned
 *      "finish":[{"station":5,"owner":1,"tiles":6,"end":"centre","points":12}],"gain":12,
 *      "longer":[{"station":7,"owner":2,"tiles":4,"more":2,"to":"e4"}]   // lines that it makes
 *                               // longer by `more` tiles and does not finish: to `to` next
 *
 * Two moves (es_table.compare). `owner` is the player in the facts of the left column, another in
 * those of the right; `ways` of the `unseen` tiles, laid on `to` next, would do it.
 *      finish  the better move finishes the line          give  the played move finishes the line,
 *              for more points                                  for more points
 *      cut     the played move finishes the line,         stop  the better move finishes the line,
 *              the better one leaves it open                    the played one leaves it open
 *      longer  it is longer after the better move         lengthen  … after the played move
 *      exposed after the played move more tiles could     threat  … after the better move
 *              end it at the edge, with at most two
 *              tiles more
 *      aim     after the better move more tiles could     aim_other  … after the played move
 *              end it in the centre
 *      ahead   after the better move the next tile        ahead_other  … after the played move
 *              can make it longer
 *   {"what":"finish","station":5,"owner":1,"tiles":4,"end":"centre","points":8,"playedPoints":0}
 *   {"what":"give", … as finish, "betterPoints":0}      // 0: it stays open
 *   {"what":"cut" or "stop","station":5,"owner":1,"tiles":2,"end":"edge","points":2}
 *   {"what":"longer","station":5,"owner":1,"tiles":4,"playedTiles":2}, lengthen: "betterTiles"
 *   {"what":"exposed","station":5,"owner":1,"tiles":1,"to":"b2","points":3,"ways":12,
 *    "betterWays":0,"unseen":40}, threat: "playedWays"  // points: the most of these ends
 *   {"what":"aim", … as exposed, "playedWays"}, aim_other: "betterWays"
 *   {"what":"ahead","station":5,"owner":1,"tiles":2,"to":"b2","most":8,"playedMost":5},
 *    ahead_other: "betterMost"                          // most: tiles with the next one
 * and, if there is nothing else to say,
 *   {"what":"keep","tile":"dddd"}     // the better move draws, and keeps the tile that was laid
 *   {"what":"blind","tile":"dddd"}    // the played move draws; this tile was in the hand
 */
#ifndef ENDSTATION_SRC_METRO_TABLE_H
#define ENDSTATION_SRC_METRO_TABLE_H

#include "page/table.h"
#include <endstation/metro.h>

extern const struct es_table es__metro_table;

/* ---- Facts (table_facts.c) ------------------------------------------------------------------ */

/* Writes a tile, "" for none; a square, "" for -1; the facts of a line that is or would be
 * finished, into an object that is open. */
void es__metro_tile_fact(struct es__writer *w, const char *name, int tile);
void es__metro_square_fact(struct es__writer *w, const char *name, int square);
void es__metro_line_facts(struct es__writer *w, const struct es_setup *setup, struct es_line line);
/* Returns the square that a train enters at an end of an open track. */
int es__metro_square_at(int end);
/* Lists the lines that laying a tile finishes, sorted by station; returns their number. */
int es__metro_finishes(const struct es_board *board, es_event lay, struct es_line lines[4]);
/* Writes the lines that laying a tile makes longer and does not finish, into an array that is
 * open. */
void es__metro_longer_facts(struct es__writer *w, const struct es_setup *setup,
                            const struct es_board *board, es_event lay);
bool es__metro_piece_facts(struct es_str name, struct es__writer *w);
void es__metro_facts(const struct es__looking *look, struct es__writer *w);
void es__metro_player_facts(const struct es__looking *look, int player, struct es__writer *w);

/* ---- The log (table_log.c) ------------------------------------------------------------------ */

void es__metro_tell(struct es__telling *t);

/* ---- Two moves (table_compare.c) ------------------------------------------------------------ */

/* The page's first module is linked without it, for its size (cmake/page.cmake). */
#ifdef __wasm__
__attribute__((weak))
#endif
void es__metro_compare(const struct es_setup *setup, const struct es_state *view, int player,
                       es_event played, es_event better, struct es__writer *w);

#endif
