/* Declarations shared by the files of `endstation arena`: games in groups, played by threads, then
 * evaluated.
 *
 * With k seats a group is k games with the same cards, in which every seat takes every place once;
 * with --solo it is one game for each seat, with the same cards. Confidence intervals are computed
 * over groups, since games of one group are not independent. */
#ifndef ENDSTATION_ARENA_H
#define ENDSTATION_ARENA_H

#include "cli/player.h"
#include <pthread.h>

enum arena_end { ARENA_UNPLAYED, ARENA_PLAYED, ARENA_FORFEITED };

/* The outcome of one game, by seats in the order of the command line. */
struct arena_outcome {
    uint8_t end;
    uint8_t seated;  /* bit s: seat s took part */
    uint8_t winners; /* bit s: seat s won */
    uint8_t loser;   /* the seat whose program failed, from 0 */
    int16_t points[ES_PLAYERS_MAX];
};

struct arena_time {
    double ms, longest;
    uint64_t moves;
};

struct arena {
    struct seat seat[ES_PLAYERS_MAX];
    int seats;
    bool solo, json;
    unsigned games;        /* in all */
    uint8_t seed[32];      /* all other seeds are derived from it */
    struct cli_game setup; /* a game without events, to begin from */
    const char *records;   /* a folder, or NULL */
    const char *log;       /* a folder for the programs' dialogues, or NULL */
    const char *clear;     /* escape sequence that clears the line of progress on a terminal */

    pthread_mutex_t lock; /* protects the fields below */
    pthread_cond_t idle;  /* a thread has ended */
    unsigned next, done, working;
    unsigned threads; /* that have begun */
    bool failed;      /* a record or log could not be written */
    /* The players of the first thread. Their programs are started before it, so that the match ends
     * at once if one of them cannot be. */
    struct player first[ES_PLAYERS_MAX];
    struct arena_outcome *outcome;
    struct arena_time time[ES_PLAYERS_MAX];
};

/* Returns true once the user has interrupted the arena. */
bool arena_halted(void *unused);

/* ---- One game (arena_match.c) --------------------------------------------------------------- */

/* Derives 32 bytes from any text. */
void arena_seed(const char *text, uint8_t seed[32]);
/* Plays game `number` (from 0); `players` are this thread's, in the order of the seats. */
void arena_match(struct arena *arena, struct player *players, struct cli_game *game,
                 unsigned number);

/* ---- Counting (arena_report.c) --------------------------------------------------------------- */

/* Writes a line with the score so far, without a line end. */
void arena_standing(const struct arena *arena, char *line, size_t size);
/* Prints the table and the result lines, or all of it as an object of JSON. Returns an exit
 * status. */
int arena_report(const struct arena *arena);

#endif
