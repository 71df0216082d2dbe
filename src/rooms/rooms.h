/* The logic of online rooms: rooms, seats, clocks, guests and the lobby, as one value that takes
 * inputs and gives outputs. It has no socket, disk, clock, thread or random source of its own: the
 * time and a random seed are inputs, and whatever it wants done is an output. The same inputs
 * always give the same outputs, so that days with faults can be simulated and replayed from a seed.
 *
 *     struct rooms *rooms = rooms_new(&options);
 *     rooms_step(rooms, &(struct rooms_input){.kind = ROOMS_OPENED, .now = …, .connection = 7, …});
 *
 * docs/protocol.md describes the messages, store.h what is stored. What people do is first added to
 * the room's list of entries. The sender gets an answer, and others hear of it, only after the
 * store has answered that the entries are durable. A room has at most one batch of entries at the
 * store; messages that arrive meanwhile wait.
 */
#ifndef ENDSTATION_ROOMS_H
#define ENDSTATION_ROOMS_H

#include "core/times.h"
#include "rooms/events.h"
#include "store/store.h"
#include <endstation/game.h>

enum {
    ROOMS_PROTOCOL = 1,
    ROOMS_MESSAGE_MAX = 8192,    /* bytes of a message from a client */
    ROOMS_UPLOAD_MAX = 64 << 10, /* bytes of the body of a request */
};

/* ---- Inputs --------------------------------------------------------------------------------- */

enum rooms_input_kind {
    ROOMS_OPENED,  /* a new connection: `connection`, `path`, `room`, `address`, `token` */
    ROOMS_MESSAGE, /* `connection`, `text`: one whole message */
    ROOMS_GONE,    /* `connection` is lost, or was closed because of ROOMS_CLOSE or ROOMS_REPLY */
    ROOMS_ANSWER,  /* the store's `answer`; the caller keeps and frees it */
    ROOMS_THOUGHT, /* a bot's answer to `question`: `text` is the event; empty: it failed, or if
                      `busy` no bot had time for it */
    ROOMS_NEWS,    /* another process has changed something: `news` */
    ROOMS_SAVED,   /* the record of ROOMS_SAVE is on disk; `busy`: it could not be written */
    ROOMS_TIME,    /* only `now`: the time that ROOMS_WAKE asked for has come */
    ROOMS_DRAIN,   /* the server will stop: tell all clients, take no more messages */
};

/* What a connection is for. */
enum rooms_path {
    ROOMS_LOBBY,    /* a WebSocket at /ws/lobby */
    ROOMS_ROOM,     /* a WebSocket at /ws/ROOM */
    ROOMS_REQUEST,  /* an HTTP request: one message, one answer */
    ROOMS_OPERATOR, /* one message, one answer, from the operator of the server (operator.c) */
};

struct rooms_input {
    enum rooms_input_kind kind;
    uint64_t now;        /* milliseconds since 1970; never less than before */
    uint64_t connection; /* chosen by the caller, never used twice */
    enum rooms_path path;
    struct es_str room;  /* the id in the path */
    uint64_t address;    /* a keyed hash of the client's address, for limits by address … */
    uint64_t network;    /* … and of the network that it is in */
    struct es_str token; /* from the cookie, or empty */
    struct es_str text;
    const struct store_answer *answer;
    const struct store_news *news;
    uint64_t question;
    bool busy;
};

/* ---- Outputs -------------------------------------------------------------------------------- */

enum rooms_output_kind {
    ROOMS_SEND,   /* `text` to each of `connection[0 … connections - 1]` */
    ROOMS_REPLY,  /* the answer to a request: `status` of HTTP, `type`, `text`; then close it */
    ROOMS_CLOSE,  /* close a connection with `status`, a WebSocket close code */
    ROOMS_KNOWN,  /* a WebSocket is a guest's: those of strangers make room for it */
    ROOMS_ASK,    /* `store`, a question to the store */
    ROOMS_THINK,  /* a question to a bot: `question`, `level`, `seat`; `text`: the seat's view, as a
                     record; `map`: the text of its sheet if that is not built in; `ms`: the
                     longest time to think; `clock`: the move is made because time is up. For
                     sharing threads fairly, `network` and `maker` stand for who made the room: the
                     address, or if that is not known any more the guest, and the network of whoever
                     is there, 0 if nobody is; and `whose` for the room */
    ROOMS_FORGET, /* the answer to `question`, asked of a bot, is no longer needed */
    ROOMS_WAKE,   /* send ROOMS_TIME at the time `when`; replaces the last ROOMS_WAKE. 0: never */
    ROOMS_LOG,    /* tell the operator of `event` */
    ROOMS_SAVE, /* write the record `text` of the game in `room` to disk, with the sheet `map` whose
                   hash is `sheet` unless that is empty; then send ROOMS_SAVED */
};

struct rooms_output {
    enum rooms_output_kind kind;
    const uint64_t *connection;
    size_t connections;
    int status;
    const char *type;
    struct es_str text, map;
    const struct store_question *store;
    const struct rooms_event *event;
    const char *room, *sheet;
    uint64_t question;
    struct es_str level;
    int seat;
    bool clock;
    uint64_t ms, network, maker, whose;
    uint64_t when;
    struct es_str cookie; /* ROOMS_REPLY: the guest's token, to be set as a cookie; empty: to be
                             deleted; without a text: as it is */
};

/* ---- The logic ------------------------------------------------------------------------------ */

/* Limits and times, in milliseconds. 0: the default, which is at the end of each comment. */
struct rooms_limits {
    uint32_t burst, burst_ms;   /* messages of a connection in a short time: 20 in 1 s */
    uint32_t steady, steady_ms; /* messages of a connection in a long time: 100 in 60 s */
    uint32_t of_address;        /* connections of an address: 50 */
    uint32_t of_guest;          /* connections of a guest: 8 */
    uint32_t hello_ms;          /* from opening to hello: 5 s */
    uint32_t rooms_of_guest;    /* rooms made by a guest in an hour: 10 */
    uint32_t rooms_of_address;  /* … from an address: 30; in a day four times as many */
    uint32_t tables_of_guest;   /* open tables at which a guest sits or hosts: 50 */
    uint32_t guests_of_address; /* guests made from an address in an hour: 30 */
    uint32_t of_network;        /* a network may do so many times as much as an address: 10 */
    uint32_t codes_of_address;  /* wrong short codes from an address in an hour: 20 */
    uint32_t requests;          /* requests from an address in 4 s: 40 */
    uint32_t waiting;           /* items in a room's queue (GET requests: half of it): 64 */
    uint32_t bot_ms;            /* from the beginning of a bot's turn to its move: 1.2 s */
    uint32_t words_ms;          /* from the start until missing words count as missing: 10 s */
    uint32_t host_ms;           /* an absent host is replaced before the start after: 2 min */
    uint32_t listed_ms;         /* a table at which nobody is leaves the lobby after: 10 min */
    uint32_t idle_ms;           /* … and is closed after: 24 h */
    uint32_t invited_ms;        /* … or, by invitation, after: 7 days */
    uint32_t stale_ms;          /* a game without a move is closed after: 30 days */
    uint32_t entries;           /* a game with so many entries is closed: 8,000 */
    uint32_t keep_ms;           /* a room without connections stays in memory for: 60 s … */
    uint32_t read_ms;           /* … or, if nobody was there who did more than read it: 5 s */
    uint32_t rests;             /* rooms without connections that stay in memory: 1000 */
    uint32_t lobby_ms;          /* between two messages to the lobby, at least: 2 s */
};

/* How long things are kept, in milliseconds; 0: for ever. */
struct rooms_keep {
    uint64_t rooms;  /* rooms whose game has never begun, from when they were closed */
    uint64_t games;  /* other rooms, from the end of their game */
    uint64_t guests; /* guests, from when they were last here */
    bool records;    /* ROOMS_SAVE the record of a game before its room is deleted */
};

struct rooms_options {
    uint8_t seed[32]; /* for all secrets, tokens and ids; take it from the system's random source */
    struct rooms_limits limits;
    struct rooms_keep keep;
    /* This process among those that share the store: a random id, like that of a room. Empty: it
     * is the only one. */
    char process[STORE_PROCESS_BYTES];
    void (*out)(void *context, const struct rooms_output *output);
    void *context;
};

/* Figures for the operator (/metrics). Names that begin with `rooms`, and `connections`, are
 * current values; the others only grow. */
#define ROOMS_COUNTS(X)                                                                            \
    X(connections, "open connections")                                                             \
    X(rooms, "rooms in memory")                                                                    \
    X(rooms_open, "rooms that are not over")                                                       \
    X(messages, "messages taken")                                                                  \
    X(refused, "messages refused")                                                                 \
    X(late, "BUSY because the store took too long")                                                \
    X(entries, "entries stored")                                                                   \
    X(batches, "batches stored")                                                                   \
    X(batches_refused, "batches refused")                                                          \
    X(batches_unknown, "batches of unknown outcome")                                               \
    X(games_begun, "games begun")                                                                  \
    X(games_over, "games finished")                                                                \
    X(clock_moves, "moves made because time was up")                                               \
    X(hash_differs, "players who said that their view had another hash")                           \
    X(thoughts, "questions to bots")                                                               \
    X(pictures, "pictures drawn")                                                                  \
    X(deleted_rooms, "rooms deleted because they were old")                                        \
    X(deleted_guests, "guests deleted because they were not here for long")
struct rooms_counts {
#define ROOMS_COUNT(name, help) uint64_t name;
    ROOMS_COUNTS(ROOMS_COUNT)
#undef ROOMS_COUNT
    uint64_t limited[ROOMS_LIMITS_COUNT]; /* refusals by limit */
    struct es__times moves;               /* from moves to their confirmation */
};

/* Returns NULL if there is no memory. Call rooms_start() before rooms_step(). */
struct rooms *rooms_new(const struct rooms_options *options);
/* Notes in the store that this process is running, and asks for the open tables. Connections may be
 * opened before the answers; rooms do nothing until the first has come. */
void rooms_start(struct rooms *rooms, uint64_t now);
/* Takes an input and calls `out` for each output before it returns. What an output points to is
 * valid during that call only. `out` must not call rooms_step(). */
void rooms_step(struct rooms *rooms, const struct rooms_input *input);
/* Counts a request from an address and its network. Returns 0, or if there have been too many
 * lately: after how many seconds it may be made. */
unsigned rooms_wait(struct rooms *rooms, uint64_t now, uint64_t address, uint64_t network);
/* Counts more towards the same limits, for a request that takes more time than others. */
void rooms_count_requests(struct rooms *rooms, uint64_t address, uint64_t network, uint32_t more);
const struct rooms_counts *rooms_counts(const struct rooms *rooms);
void rooms_free(struct rooms *rooms);

/* Sets *text to the record of a room's game, as a client gets it when the game is over; to be
 * freed. `answer` is that to STORE_READ, from the first entry on. Needs no more of `rooms` than
 * rooms_new(). */
enum rooms_recorded {
    ROOMS_RECORD,
    ROOMS_NO_RECORD,  /* the game is not over, or has never begun */
    ROOMS_UNREADABLE, /* the entries contradict each other */
};
enum rooms_recorded rooms_record(struct rooms *rooms, const struct store_answer *answer,
                                 char **text, size_t *size);

/* Returns what is wrong with a room, or NULL. `answer` and `rooms` as above. */
const char *rooms_check(struct rooms *rooms, const struct store_answer *answer);

#endif
