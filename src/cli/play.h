/* Functions shared by play.c and the games' terminal.c: names, lists, winners, facts, bots. */
#ifndef ENDSTATION_CLI_PLAY_H
#define ENDSTATION_CLI_PLAY_H

#include "cli/terminal.h"

/* Returns the player's name, cut if it is long, or "Player 2". */
const char *play_name(const struct es_record *record, int player);
void play_lower_case(char *text);
/* Prints one item of a list, with `suffix` (such as ",") right after it. The list wraps between its
 * items, for terminals of 80 columns. Returns the column after it. */
int play_item(const char *item, const char *suffix, int column, int indent);
/* Returns the number of rows that play_item began since the last call. */
int play_rows_wrapped(void);
/* Prints "Ada wins" or "Ada and Grace share the win", without a full stop or line end. */
void play_winners(const struct cli_news *news);

/* ---- Facts (play_facts.c) ------------------------------------------------------------------- */

/* Collects what everybody may know of a game, with a log of what became known after the first
 * `from` events of that view. The facts are valid until the next call. The caller sets `person` and
 * `shown`, which only `tell` uses. */
void play_news(const struct cli_game *game, size_t from, struct cli_news *news);
/* Computes the effect of a move, as the facts of es_page_choose(); `view` is what the player knows.
 * The facts are valid until the next call. If the move is illegal, returns why and sets *plan to
 * NULL.
 */
es_status play_plan(const struct es_setup *setup, const struct es_state *view, int player,
                    es_event event, const struct es__fact **plan);

/* ---- Bots and programs (play_bots.c) --------------------------------------------------------- */

/* Returns the number of seats in `--bots A,B`. */
int play_bots_count(const char *bots);
/* Gives the last seats of a new game to the bots and programs of `--bots`; NULL: none. Programs are
 * started. Prints errors. */
int play_bots_seat(struct es_record *record, const char *bots);
/* Changes seats as in `--seat 2=strong,3=me,4=exec:COMMAND`; NULL: none. Sets *changed if the
 * record's header differs then. Prints errors. */
int play_bots_change(struct es_record *record, const char *seats, bool *changed);
/* Asks what to do with seats whose bot does not exist or whose program is not known, and which seat
 * a person takes if all are bots'. Prints an error if that cannot be settled. */
int play_bots_settle(struct es_record *record, const char *path, bool *changed);
/* Returns the seats of bots and programs, a bit each. */
unsigned play_bots_find(const struct es_record *record);
/* Lets a bot or program move. If a program fails, asks what to do: the seat may get another player,
 * then *changed is true and nobody has moved. Returns false to leave the game. */
bool play_bots_move(struct cli_game *game, int player, bool *changed);
/* Writes the value of `--seat` that gives all programs their seats again; nothing if there are
 * none. */
enum { PLAY_BOTS_BYTES = 8192 }; /* is enough for it */
void play_bots_write(struct es_out *out);
/* Ends all programs. */
void play_bots_leave(void);

#endif
