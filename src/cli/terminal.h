/* What a game offers to the program: its face in `play`, what can be printed and measured, commands
 * of its own. A game without a terminal.c is played by its report and its events as text
 * (play_plain.c). */
#ifndef ENDSTATION_CLI_TERMINAL_H
#define ENDSTATION_CLI_TERMINAL_H

#include "cli/canvas.h"
#include "page/tree.h"

enum { BENCH_LINE_BYTES = 160 };

/* What `print` can make of a game. */
struct cli_print {
    const char *usage;                /* "--map MAP | --cards" */
    const char *help;                 /* lines of help */
    const struct cli_option *options; /* they set variables of the game's */
    bool (*is_wanted)(void);          /* after the command line was read */
    /* Checks what was asked for and makes the file. */
    int (*run)(const char *file, enum canvas_paper paper);
};

/* What everybody may know of a game, as the page is told it: facts are those of es_page_state() and
 * es_page_log() in src/page/page.h and in the game's table.h. */
struct cli_news {
    const struct es_record *record;
    const struct es_state *view; /* all that everybody may know */
    const es_event *seen;        /* the events of that view */
    size_t count;
    size_t from;                  /* … of which the first so many were told before */
    const struct es__fact *state; /* where the game stands */
    const struct es__fact *log;   /* what happened since the last time */
    bool moved;                   /* … and some of it was done by players */
    int person;                   /* the only person at the table, or 0: there are several */
    bool shown;                   /* what everybody may see is on the screen already */
};

struct cli_terminal {
    const struct es_game *game;
    const char *show_command;        /* the word that shows everything again: "sheet" */
    const char *reply_to_empty_line; /* says what is needed */
    const char *reply_when_entered;  /* says that Enter confirms, to players who enter more */
    bool has_sheets;                 /* every player has a page of their own */
    bool news_above; /* against bots, too, news come above the page instead of below */
    /* Why a record cannot be played, or NULL; may be missing. */
    const char *(*fault)(const struct es_record *record);
    /* What happened last, to be told again when a game goes on: from which event on, of those that
     * everybody may know. */
    size_t (*recap)(const es_event *events, size_t known);
    /* What a player may see: the sheet or board, what is due, and what each choice would do.
     * `entries`: how many this player has made since the last card, -1 for somebody else's sheet;
     * `tentative`: the last of them that is not yet confirmed, or 0; `before`: the view before it.
     */
    void (*show)(const struct es_record *record, const struct es_state *view, int player,
                 int entries, es_event tentative, const struct es_state *before);
    /* What happened, in words, now that all may see it; false if that is not worth telling yet. */
    bool (*tell)(const struct cli_news *news);
    /* The end: sums, winners. */
    void (*finish)(const struct cli_news *news);
    /* A command of this game alone, in small letters; false if it knows none of that name. */
    bool (*command)(const struct es_record *record, const struct es_state *view, int player,
                    const char *words);
    /* Reads what a player typed as an event, and says why it was refused. */
    es_status (*read)(const struct es_record *record, const struct es_state *view, int player,
                      const char *words, es_event *event);
    void (*refuse)(const struct es_record *record, const struct es_state *view, int player,
                   const char *words, es_status status);
    void (*help)(const struct es_record *record);

    /* ---- The rest may be missing ---- */

    /* What can be chosen for a new game, as lines of help. */
    const char *setup_help;
    /* What a choice (`deck`) is that people call by a name, or NULL: it has none. */
    const char *(*option_named)(const char *option, const char *name);
    /* Commands that only this game has; NULL at the end. */
    const struct cli_command *const *commands;
    const struct cli_print *print;
    /* Plays so many fixed random games, prints what they took, and writes the line that `bench`
     * ends with. */
    int (*bench)(unsigned games, char line[BENCH_LINE_BYTES]);
};

/* Those of the games, written by the build; NULL at the end. */
extern const struct cli_terminal *const cli_terminals[];
/* The one for games that have none. */
extern const struct cli_terminal cli_terminal_plain;
/* The terminal of a game, or the plain one. */
const struct cli_terminal *cli_terminal_of(const struct es_game *game);

#endif
