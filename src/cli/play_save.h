/* The file of a game in `play`: locked for as long as it is played, and complete at any time. */
#ifndef ENDSTATION_CLI_PLAY_SAVE_H
#define ENDSTATION_CLI_PLAY_SAVE_H

#include "cli/cli.h"
#include <limits.h>

struct play_save {
    char path[PATH_MAX];
    int file;           /* open and locked; -1: none */
    char *text;         /* what it holds, as this process has left it */
    size_t size;        /* of `text` */
    size_t events;      /* on disk */
    bool ends_properly; /* its last line ends in a newline */
    bool is_new;        /* made by this run, which has not continued a game */
    bool is_chosen;     /* the path is ours, not the user's */
};

/* Below, functions print what fails and return an exit status. */

/* Chooses the path of a new game without one: in $XDG_DATA_HOME/endstation, or
 * ~/.local/share/endstation. */
void play_save_choose(struct play_save *save, const struct es_game *game);
/* Finds the latest game there that is not over; skips records that cannot be read, and says so.
 * `map` is the value of --map, or NULL. */
int play_save_latest(struct play_save *save, const char *map);
/* Makes the file of a new game, which must not be there. */
int play_save_new(struct play_save *save, const struct es_record *record);
/* Locks the file of a game that is continued, and reads the game. */
int play_save_resume(struct play_save *save, struct cli_game *game, const char *map);
/* Appends the events that are new; comments and notes stay. If the file is no longer there, or
 * another program has changed it, says so and keeps the game in another one. Where none can be
 * written, prints the record and fails. */
int play_save_more(struct play_save *save, const struct es_record *record);
/* Replaces the file, after a change of seats. */
int play_save_all(struct play_save *save, const struct es_record *record);
/* Closes the file. A new game in which nobody has moved leaves none: then this returns false. */
bool play_save_close(struct play_save *save, const struct es_record *record);

#endif
