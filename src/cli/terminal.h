/* A game's part of the program (struct cli_terminal): how `play` shows positions and reads moves,
 * what `print` and `bench` can do, commands of its own. A game without a terminal.c is played by
 * its report and its events as text (play_plain.c). */
#ifndef ENDSTATION_CLI_TERMINAL_H
#define ENDSTATION_CLI_TERMINAL_H

#include "cli/canvas.h"
#include "page/tree.h"

enum { BENCH_LINE_BYTES = 160 };

/* What `print` can print of a game. */
struct cli_print {
    const char *usage;                /* "--map MAP | --cards" */
    const char *help;                 /* lines of help */
    const struct cli_option *options; /* they set the game's own variables */
    bool (*is_wanted)(void);          /* called after the command line was read */
    /* Validates the options and writes the file. */
    int (*run)(const char *file, enum es_paper paper);
};

/* What everybody may know of a game. The facts are those of es_page_state() and es_page_log(),
 * documented in src/page/page.h and in the game's table.h. */
struct cli_news {
    const struct es_record *record;
    const struct es_state *view; /* the state as a spectator sees it */
    const es_event *seen;        /* the events of that view */
    size_t count;
    size_t from;                  /* the first `from` of these events were reported before */
    const struct es__fact *state; /* es_page_state() */
    const struct es__fact *log;   /* es_page_log() since the last time */
    bool moved;                   /* the log contains a player's move */
    int person;                   /* the only person in the game, or 0 if there are several */
    bool shown;                   /* the public position is already on the screen */
};

/* What is missing is as in play_plain.c; `show`, `show_command`, `read`, `refuse` and `help` come
 * together or not at all. */
struct cli_terminal {
    const struct es_game *game;
    const char *show_command;        /* the command that shows the position again: "sheet" */
    const char *reply_to_empty_line; /* tells the player what to enter */
    const char *reply_when_entered;  /* tells a player who enters more that Enter confirms */
    bool has_sheets;                 /* every player has a sheet of their own */
    bool news_above;                 /* print news above the position even against bots */
    /* Returns why a record cannot be played, or NULL. The function may be NULL. */
    const char *(*fault)(const struct es_record *record);
    /* Returns the index of the first event, among those that everybody may know, to report again
     * when a game is resumed. */
    size_t (*recap)(const es_event *events, size_t known);
    /* Shows what a player may see: the sheet or board, what is due, and what each choice would do.
     * `entries`: how many this player has made since the last card, -1 for another player's sheet;
     * `tentative`: the last of them that is not yet confirmed, or 0; `before`: the view before it.
     */
    void (*show)(const struct es_record *record, const struct es_state *view, int player,
                 int entries, es_event tentative, const struct es_state *before);
    /* Prints what happened; returns false to wait until there is more to print. */
    bool (*tell)(const struct cli_news *news);
    /* Prints the end of the game: sums, winners. */
    void (*finish)(const struct cli_news *news);
    /* Runs a command that only this game has, in lower case; false if there is none of that
     * name. */
    bool (*command)(const struct es_record *record, const struct es_state *view, int player,
                    const char *words);
    /* Reads what a player typed as an event. */
    es_status (*read)(const struct es_record *record, const struct es_state *view, int player,
                      const char *words, es_event *event);
    /* Prints why it was refused. */
    void (*refuse)(const struct es_record *record, const struct es_state *view, int player,
                   const char *words, es_status status);
    void (*help)(const struct es_record *record);

    /* Lines of help about the choices for a new game; default: the rules' words. */
    const char *setup_help;
    /* The sheet of a new game without --map, for games that have sheets, and what `play` says
     * about it. */
    const char *default_map, *about_default_map;
    /* Commands that only this game has; NULL at the end. */
    const struct cli_command *const *commands;
    const struct cli_print *print;
    /* Times `games` fixed random games, prints the result, and writes the line that `bench` ends
     * with. */
    int (*bench)(unsigned games, char line[BENCH_LINE_BYTES]);
};

/* The games' terminals, listed by the build; NULL at the end. */
extern const struct cli_terminal *const cli_terminals[];
/* The default, for games without a terminal.c. */
extern const struct cli_terminal cli_terminal_plain;
/* Returns the terminal of a game, or the default; members may be missing. */
const struct cli_terminal *cli_terminal_of(const struct es_game *game);
/* Returns the same with everything that `play` needs filled in. */
struct cli_terminal cli_terminal_filled(const struct es_game *game);

#endif
