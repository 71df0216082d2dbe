/* Players and spectators of a cluster, for chaos.c: each has a connection to one of its processes
 * and, when it is lost, gets another one as the page does (web/online/connection.js). The players
 * of a room are at different processes. Games follow each other as rematches.
 *
 * What they ask for and are told is written to a log for the checker of histories (history.h).
 * They check themselves that every view continues legally where it was, and that its hash is right.
 */
#ifndef BENCH_PLAYERS_H
#define BENCH_PLAYERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct players_options {
    int rooms, seats, watchers; /* seats and watchers of each room */
    int processes;              /* of the cluster (cluster.h), which runs */
    bool are_together;          /* everybody in a room is at the same process */
    uint64_t seed;
    FILE *log;
};

/* Makes guests and rooms, and connects everybody. */
void players_start(const struct players_options *options);
/* Reads what has come, waiting at most so long, and does what is due. */
void players_run(int ms);
/* The next room moves: everybody in it whose turn it is. Returns how many moves were sent. */
int players_move(void);
/* From now on there are no rematches. */
void players_finish(void);
/* Returns true if every game is over and everybody has been told all of it. */
bool players_finished(void);
/* Returns true if everybody who had lost their connection before the time `since`, or by what is
 * blamed now, is back, with all there is to see, and nothing that was asked before it waits for an
 * answer. */
bool players_settled(uint64_t since);
/* Prints who is not. */
void players_explain(uint64_t since);

/* What happens from now on while people lose their connections, or move to another process by
 * themselves: a number of the caller's, below PLAYERS_WHYS. */
enum { PLAYERS_WHYS = 16 };
void players_blame(int why);

/* Times in milliseconds, to be sorted by the caller. */
struct players_times {
    double *ms;
    size_t count, space;
};

struct players_facts {
    size_t acknowledged; /* moves */
    size_t others;       /* other things */
    size_t games;        /* that are over */
    size_t repeated;     /* messages that were sent again */
    size_t busy;         /* answers BUSY */
    size_t wrong;        /* violations */
    /* By why a connection was lost: from then until welcome, with everything there is to see. */
    struct players_times away[PLAYERS_WHYS];
    /* From sending a move to its acknowledgement, including all repetitions. */
    struct players_times answer;
};
struct players_facts *players_facts(void);

#endif
