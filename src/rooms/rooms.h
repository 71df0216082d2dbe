/* The rooms' logic: rooms, seats, clocks, guests and the lobby, as one value that takes inputs and
 * gives outputs. It has no socket, disk, clock, thread or random source of its own: time and
 * randomness are handed in, what it wants done goes out. The same inputs always give the same
 * outputs, so that days of faults can be simulated and replayed from a seed.
 *
 *     struct rooms *rooms = rooms_new(&options);
 *     rooms_step(rooms, &(struct rooms_input){.kind = ROOMS_OPENED, .now = …, .connection = 7, …});
 *
 * docs/protocol.md describes the messages; store.h what is kept. What people do becomes entries of
 * the room's list first. Only when the store has answered that they are durable is the sender
 * answered and anybody told. At most one batch of a room is under way; what comes meanwhile waits.
 */
#ifndef ENDSTATION_ROOMS_H
#define ENDSTATION_ROOMS_H

#include "store/store.h"
#include <endstation/game.h>

enum {
    ROOMS_PROTOCOL = 1,
    ROOMS_MESSAGE_MAX = 8192,    /* bytes of a message from a client */
    ROOMS_UPLOAD_MAX = 64 << 10, /* bytes of the body of a request */
};

/* ---- Inputs --------------------------------------------------------------------------------- */

enum rooms_input_kind {
    ROOMS_OPENED,  /* a connection: `connection`, `path`, `room`, `address`, `token` */
    ROOMS_MESSAGE, /* `connection`, `text`: one whole message */
    ROOMS_GONE,    /* a connection is lost, or was closed at our wish */
    ROOMS_ANSWER,  /* of the store: `answer`, which stays the caller's */
    ROOMS_THOUGHT, /* of a bot: `question`, `text` (the event; empty: it could not, ask again);
                      `busy`: nobody has thought about it, ask again */
    ROOMS_TIME,    /* nothing but the time: the moment that ROOMS_WAKE asked for */
    ROOMS_DRAIN,   /* the server will end: tell everybody, take nothing more */
};

/* What a connection is for. */
enum rooms_path {
    ROOMS_LOBBY,    /* a WebSocket at /ws/lobby */
    ROOMS_ROOM,     /* a WebSocket at /ws/ROOM */
    ROOMS_REQUEST,  /* an HTTP request: one message, one answer */
    ROOMS_OPERATOR, /* the same, from whoever runs the server (operator.c) */
};

struct rooms_input {
    enum rooms_input_kind kind;
    uint64_t now;        /* milliseconds since 1970; never less than before */
    uint64_t connection; /* a number of the caller's, never used twice */
    enum rooms_path path;
    struct es_str room;  /* the id in the path */
    uint64_t address;    /* a keyed hash of whom the connection counts for: limits */
    struct es_str token; /* from the cookie, or empty */
    struct es_str text;
    const struct store_answer *answer;
    uint64_t question;
    bool busy;
};

/* ---- Outputs -------------------------------------------------------------------------------- */

enum rooms_output_kind {
    ROOMS_SEND,   /* `text` to each of `connection[0 … connections - 1]` */
    ROOMS_REPLY,  /* the answer to a request: `status` of HTTP, `type`, `text`; then it is closed */
    ROOMS_CLOSE,  /* close a connection with `status`, a code of WebSocket */
    ROOMS_ASK,    /* `store`, a question to the store */
    ROOMS_THINK,  /* a question to a bot: `question`, `level`, `seat`, `text`: what the seat sees, a
                     record; `map`: its sheet, where that is not built in; `ms`: think no longer, 0:
                     as long as the level does */
    ROOMS_FORGET, /* nobody waits for that bot's answer any more: `question` */
    ROOMS_WAKE,   /* call again at the time `when`, and not for an earlier wish; 0: no need */
    ROOMS_LOG,    /* a line for the operator, without secrets: `text` */
};

struct rooms_output {
    enum rooms_output_kind kind;
    const uint64_t *connection;
    size_t connections;
    int status;
    const char *type;
    struct es_str text, map;
    const struct store_question *store;
    uint64_t question;
    struct es_str level;
    int seat;
    uint64_t ms;
    uint64_t when;
    struct es_str cookie; /* of ROOMS_REPLY: the guest's token, to be kept as a cookie; or empty */
};

/* ---- The logic ------------------------------------------------------------------------------ */

/* Limits and times, in milliseconds; 0: the default that stands behind it. */
struct rooms_limits {
    uint32_t burst, burst_ms;   /* messages of a connection in a short time: 20 in 1 s */
    uint32_t steady, steady_ms; /* … and in a long one: 100 in 60 s */
    uint32_t of_address;        /* connections of an address: 50 */
    uint32_t of_guest;          /* connections of a guest: 8 */
    uint32_t hello_ms;          /* from opening to hello: 5 s */
    uint32_t rooms_of_guest;    /* rooms made by a guest in an hour: 10 */
    uint32_t rooms_of_address;  /* … from an address: 30 */
    uint32_t guests_of_address; /* guests made from an address in an hour: 30 */
    uint32_t codes_of_address;  /* wrong codes from an address in an hour: 20 */
    uint32_t codes_in_all;      /* wrong codes in a minute: 200 */
    uint32_t requests;          /* requests from an address in 4 s: 40 */
    uint32_t rooms_open;        /* rooms that are not over: 20000 */
    uint32_t waiting;           /* messages that wait for a room's batch: 64 */
    uint32_t bot_ms;            /* from the beginning of a bot's turn to its move: 1.2 s */
    uint32_t words_ms;          /* for words to come: 10 s */
    uint32_t host_ms;           /* a host may be away before the start: 2 min */
    uint32_t idle_ms;           /* a room that has not started, with nobody there: 24 h */
    uint32_t stale_ms;          /* a game without a move: 30 days */
    uint32_t keep_ms;           /* a room stays in memory after everybody has gone: 60 s */
    uint32_t lobby_ms;          /* between two messages to the lobby: 2 s */
};

struct rooms_options {
    uint8_t seed[32]; /* all randomness comes from it: secrets, tokens, ids. From the system */
    struct rooms_limits limits;
    void (*out)(void *context, const struct rooms_output *output);
    void *context;
};

/* What the operator's page of figures shows. */
#define ROOMS_COUNTS(X)                                                                            \
    X(connections, "open connections")                                                             \
    X(rooms, "rooms in memory")                                                                    \
    X(rooms_open, "rooms that are not over")                                                       \
    X(messages, "messages taken")                                                                  \
    X(refused, "messages refused")                                                                 \
    X(entries, "entries stored")                                                                   \
    X(batches, "batches stored")                                                                   \
    X(batches_refused, "batches refused")                                                          \
    X(batches_unknown, "batches of unknown outcome")                                               \
    X(games_begun, "games begun")                                                                  \
    X(games_over, "games finished")                                                                \
    X(clock_moves, "moves made because time was up")                                               \
    X(hash_differs, "clients whose view had another hash")                                         \
    X(thoughts, "questions to bots")
struct rooms_counts {
#define ROOMS_COUNT(name, help) uint64_t name;
    ROOMS_COUNTS(ROOMS_COUNT)
#undef ROOMS_COUNT
};

/* NULL: there is no memory. Call rooms_start() first. */
struct rooms *rooms_new(const struct rooms_options *options);
/* Asks the store what there is. Connections may be opened at once; they wait for the answer. */
void rooms_start(struct rooms *rooms, uint64_t now);
/* Takes an input; all outputs are given before it returns, and what they point to is valid until
 * then. `out` may not call rooms_step(). */
void rooms_step(struct rooms *rooms, const struct rooms_input *input);
/* Counts a request from an address. Returns 0, or if there have been too many lately: after how
 * many seconds it may be made. */
unsigned rooms_wait(struct rooms *rooms, uint64_t now, uint64_t address);
const struct rooms_counts *rooms_counts(const struct rooms *rooms);
void rooms_free(struct rooms *rooms);

#endif
