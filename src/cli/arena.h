/* What the arena is made of: games in groups, played by threads, then counted.
 *
 * With k seats a group is k games with the same cards, in which the seats move round the table
 * once; alone (--solo) it is one game a seat, with the same cards. Groups are the unit of every
 * interval: games of one group are no independent measurements. */
#ifndef ENDSTATION_ARENA_H
#define ENDSTATION_ARENA_H

#include "cli/player.h"
#include <pthread.h>

enum arena_end { ARENA_UNPLAYED, ARENA_PLAYED, ARENA_FORFEITED };

/* One game, by seats as given, wherever they sat. */
struct arena_outcome {
    uint8_t end;
    uint8_t seated;  /* a bit each seat that took part */
    uint8_t winners; /* … that won */
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
    bool solo;
    unsigned games;        /* in all */
    uint8_t seed[32];      /* all others come from it */
    struct cli_game setup; /* a game without events, to begin from */
    const char *records;   /* a folder, or NULL */
    const char *clear;     /* what takes the line of progress off a terminal */

    pthread_mutex_t lock; /* of all below */
    pthread_cond_t idle;  /* a thread has ended */
    unsigned next, done, working;
    bool failed; /* a record could not be written */
    struct arena_outcome *outcome;
    struct arena_time time[ES_PLAYERS_MAX];
};

/* Whether the user wants to see the end of it; set by signals. */
bool arena_halted(void *unused);

/* ---- One game (arena_match.c) --------------------------------------------------------------- */

/* 32 bytes from any text. */
void arena_seed(const char *text, uint8_t seed[32]);
/* Plays one game, from 0; `players` are this thread's, by seats as given. */
void arena_match(struct arena *arena, struct player *players, struct cli_game *game,
                 unsigned number);

/* ---- Counting (arena_report.c) --------------------------------------------------------------- */

/* A line about where it stands, without its end. */
void arena_standing(const struct arena *arena, char *line, size_t size);
/* The table and the result lines. */
void arena_report(const struct arena *arena);

#endif
