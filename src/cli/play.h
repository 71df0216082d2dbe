/* A game in the terminal: play.c runs the prompt and saves; a game's terminal.c shows positions,
 * explains them and reads moves. A game without one is played by its report and its events as text
 * (play_plain.c). */
#ifndef ENDSTATION_CLI_PLAY_H
#define ENDSTATION_CLI_PLAY_H

#include "cli/cli.h"

struct cli_terminal {
    const struct es_game *game;
    const char *show_command;        /* the word that shows everything again: "sheet" */
    const char *reply_to_empty_line; /* says what is needed */
    const char *reply_when_entered;  /* says that Enter confirms, to players who enter more */
    bool has_sheets;                 /* every player has a page of their own */
    /* Why a record cannot be played, or NULL; may be missing. */
    const char *(*fault)(const struct es_record *record);
    /* What happened last, to be told again when a game goes on: from which event on, of those that
     * everybody may know. */
    size_t (*recap)(const es_event *events, size_t known);
    /* What a player may see: the sheet or board, what is due, and what each choice would do.
     * `entries`: how many this player has made since the last card, -1 for somebody else's sheet;
     * `tentative`: the last of them that is not yet confirmed, or 0. */
    void (*show)(const struct es_record *record, const struct es_state *view, int player,
                 int entries, es_event tentative);
    /* What happened from one state to the next, in words, now that all may see it; false if that is
     * not worth telling yet. `shown`: what everybody may see is on the screen already. */
    bool (*tell)(const struct es_record *record, const struct es_state *before,
                 const struct es_state *after, const es_event *events, size_t count, bool shown);
    /* The end: sums, winners. */
    void (*finish)(const struct es_record *record, const struct es_state *state);
    /* A command of this game alone, in small letters; false if it knows none of that name. */
    bool (*command)(const struct es_record *record, const struct es_state *view, int player,
                    const char *words);
    /* Reads what a player typed as an event, and says why it was refused. */
    enum es_status (*read)(const struct es_record *record, const struct es_state *view, int player,
                           const char *words, es_event *event);
    void (*refuse)(const struct es_record *record, const struct es_state *view, int player,
                   const char *words, enum es_status status);
    void (*help)(const struct es_record *record);
};

/* Those of the games, written by the build; NULL at the end. */
extern const struct cli_terminal *const cli_terminals[];
/* The one for games that have none. */
extern const struct cli_terminal cli_terminal_plain;

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
