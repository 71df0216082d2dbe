/* What the terminal faces of games share: names, lists, winners, facts, bots at the table. */
#ifndef ENDSTATION_CLI_PLAY_H
#define ENDSTATION_CLI_PLAY_H

#include "cli/terminal.h"

/* The player's name, cut if it is long, or "Player 2". */
const char *play_name(const struct es_record *record, int player);
void play_lower_case(char *text);
/* Prints one item of a list that wraps between its items, for terminals of 80 columns; returns the
 * column behind it. */
int play_item(const char *item, const char *behind, int column, int indent);
/* How many rows were begun in this way since it was asked last. */
int play_rows_wrapped(void);
/* Prints "Ada wins", "Ada and Grace share the win", without an end. */
void play_winners(const struct cli_news *news);

/* ---- Facts (play_facts.c) ------------------------------------------------------------------- */

/* Finds out what everybody may know of a game, with a log of what became known after the first
 * `from` events of that view. The facts are valid until the next call. `person` and `shown`, for
 * `tell` only, are the caller's to set. */
void play_news(const struct cli_game *game, size_t from, struct cli_news *news);
/* Finds out what a move would do, as es_page_choose() answers it; `view` is what the player knows.
 * The facts are valid until the next call. Returns why the move is not legal, if so: *plan is NULL.
 */
es_status play_plan(const struct es_setup *setup, const struct es_state *view, int player,
                    es_event event, const struct es__fact **plan);

/* ---- Bots (play_bots.c) --------------------------------------------------------------------- */

/* How many levels `--bots A,B` names. */
int play_bots_count(const char *bots);
/* Gives the last seats of a new game to them; NULL: to none. What is wrong is said. */
int play_bots_seat(struct es_record *record, const char *bots);
/* Changes seats as `--seat 2=strong,3=me` says; NULL: none. What is wrong is said. */
int play_bots_change(struct es_record *record, const char *seats, bool *changed);
/* Asks what to do with seats whose bots there are not, and for a seat where all are bots'. What
 * cannot be settled is said. */
int play_bots_settle(struct es_record *record, const char *path, bool *changed);
/* Which seats are bots', a bit each. */
unsigned play_bots_find(const struct es_record *record);
/* Lets a bot think, and applies its move. */
void play_bots_move(struct cli_game *game, int player);

#endif
