/* What the terminal faces of games share: names, lists, winners, bots at the table. */
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
/* "Ada wins", "Ada and Grace share the win", without an end. */
void play_winners(const struct es_record *record, const struct es_state *state);

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
