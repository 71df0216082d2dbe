/* Checks the whole history of a server, or of several that share a store, against what clients were
 * told: every acknowledged decision is there exactly once, numbers have no gaps, every game is
 * legal. It trusts the rules of the games and the shuffle, but nothing of src/rooms: it reads the
 * lists of entries itself.
 *
 * What clients have said and heard is a text, a line each, in any order:
 *
 *     asked move ROOM SEAT DECISION EVENT    sent, perhaps more than once
 *     told move ROOM SEAT DECISION EVENT     acknowledged
 *     asked key ROOM KIND GUEST KEY [TEXT]   anything else that makes an entry (store.h) of that
 *     told key ROOM KIND GUEST KEY [TEXT]    KIND, a letter; acknowledged. Without TEXT: any text
 *     told room ROOM                         it was made
 *     told next ROOM NEXT                    the room of the rematch
 *     told commit ROOM HASH                  what was shown before the game
 *     told stream ROOM VIEWER LINES HASH     all that a viewer (0: a spectator) was shown in the
 *                                            end: the number of lines, and SHA-256 over them,
 *                                            each with its line end
 */
#ifndef BENCH_HISTORY_H
#define BENCH_HISTORY_H

#include "store/store.h"

struct history_room {
    char id[STORE_ROOM_BYTES];
};

struct history {
    struct store *store;
    struct es_str log;
    /* Rooms that are in the store but perhaps not in the log. */
    const struct history_room *room;
    size_t rooms;
    /* Called for every violation, with a line about it. */
    void (*complain)(void *context, const char *text);
    void *context;
};

/* What was checked. */
struct history_facts {
    size_t rooms, entries;
    size_t moves;        /* of people, in the store */
    size_t acknowledged; /* moves */
    size_t others;       /* other acknowledged things */
    size_t finished;     /* games whose records were verified */
    size_t streams;
    size_t complaints;
};

/* Checks everything. Failed reads are tried again for half a minute. */
struct history_facts history_check(const struct history *history);

#endif
