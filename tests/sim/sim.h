/* The simulation of rooms: the logic of src/rooms with a network, a clock, a disk, bots and people
 * that are all made from one seed, in one thread.
 *
 *     world.c   time, events, connections, the server's process, bots
 *     disk.c    the store behind a queue, with faults
 *     people.c  people and their tabs: clients that know docs/protocol.md and nothing else
 *     check.c   a mirror of what is durable, and everything that must be true of what is told
 *     leak.c    two runs that differ only in what a viewer may not know
 *     read.c    JSON, quickly
 *     main.c    seeds, counts, the command line
 *
 * Everything that lives as long as a seed lies in sim_alloc()'s memory, which is reset before the
 * next one. What is violated ends the seed: violated() does not return.
 */
#ifndef ENDSTATION_SIM_H
#define ENDSTATION_SIM_H

#include "rooms/rooms.h"
#include <endstation/record.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIM_PEOPLE = 12,
    SIM_TABS = 160,
    SIM_ROOMS = 64,
    SIM_MAPS = 8,
    SIM_TOKEN_BYTES = 65,
    SIM_BACKLOG = 256 << 10, /* bytes that may wait for a slow reader */
};

#define SECONDS(n) ((uint64_t)(n)*1000)
#define MINUTES(n) SECONDS((uint64_t)(n)*60)
#define HOURS(n) MINUTES((uint64_t)(n)*60)

/* ---- main.c ---------------------------------------------------------------------------------- */

void *sim_alloc(size_t size);
char *sim_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints what is wrong and ends the seed. */
_Noreturn void violated(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Counts that something happened; over many seeds everything that is expected must. */
void count(const char *what, const char *name);
/* A line of the trace: hashed always, printed if the run is verbose. */
void trace(const char *what, uint64_t number, struct es_str text);
extern bool verbose;

/* ---- world.c --------------------------------------------------------------------------------- */

struct tab;
struct packet;

/* A connection as both sides know it. Each direction keeps its order. */
struct conn {
    uint64_t id;
    enum rooms_path path;
    char room[STORE_ROOM_BYTES];
    char token[SIM_TOKEN_BYTES]; /* of the cookie */
    uint64_t address;
    struct tab *tab;       /* whose it is; NULL: nobody reads any more */
    bool opened;           /* the server has been told of it */
    bool server_has;       /* the server believes that it is open */
    bool client_has;       /* the client believes so */
    bool cut_up, cut_down; /* nothing gets through any more; nobody may have noticed */
    bool stalled;          /* the client does not read: what comes piles up */
    size_t backlog;
    struct packet *waiting, **waiting_end; /* for a reader that is stalled */
    uint64_t up_last, down_last;           /* when the latest packet arrives, each way */
    uint32_t up_ms, down_ms;
    /* check.c: what has been said on it. */
    struct request *requests;
    int person;                    /* whose token it came with; -1: a stranger */
    char guest[STORE_GUEST_BYTES]; /* as the server welcomed it; empty: a stranger, or not yet */
    char code[STORE_CODE_BYTES];   /* of its hello */
    bool greeted, welcome;
    char what[12]; /* of a request that reads */
    long told;     /* events of the stream that were told; -1: none yet */
    void *context; /* of a request: whose it is */
    struct conn *next;
};

struct packet {
    struct conn *conn;
    struct packet *next;
    json_t *json; /* to clients: parsed once, for checks and for the client */
    size_t size;
    int status; /* of requests */
    char text[];
};

enum event_kind {
    EVENT_OPENED,      /* conn: the server hears of it */
    EVENT_UP,          /* packet: arrives at the server */
    EVENT_DOWN,        /* packet: arrives at the client */
    EVENT_SERVER_LOST, /* conn: the server notices that it is gone */
    EVENT_CLIENT_LOST, /* conn: the client notices */
    EVENT_BREAK,       /* conn: the network fails it */
    EVENT_RESUME,      /* conn: a stalled reader reads again */
    EVENT_WAKE,        /* the server's own wish */
    EVENT_BOT,         /* thought */
    EVENT_WRITE,       /* disk: the group becomes durable, or not */
    EVENT_ANSWER,      /* disk: its answers reach the server */
    EVENT_DISK_FAULT,  /* disk: another kind of trouble, or none */
    EVENT_CRASH,
    EVENT_START,
    EVENT_DRAIN,
    EVENT_TAB,    /* tab: time to do something */
    EVENT_PERSON, /* person: time to do something */
    EVENT_HEAL,
};

struct world {
    uint64_t seed, now, begin, heal, end;
    struct es_random random; /* of the world and of people */
    bool healing;            /* no more faults: people play on until every game has ended */
    bool calm;               /* no faults at all in this seed */
    struct rooms *rooms;     /* the server's process; NULL: there is none */
    uint64_t wake;
    unsigned starts;
    bool draining;
    uint64_t next_conn;
    struct conn *conns;
    uint64_t steps;
    struct es_map *map[SIM_MAPS]; /* sheets of all seeds, read once */
};
extern struct world world;

/* A number from 0 to n - 1. */
uint32_t below(uint32_t n);
/* True once in n. */
bool chance(uint32_t n);
/* A number from a to b. */
uint64_t between(uint64_t a, uint64_t b);
void after(uint64_t ms, enum event_kind kind, void *what, uint64_t number);

/* Runs one seed from its beginning to its end. */
void world_run(uint64_t seed);
/* Frees what a seed holds beside sim_alloc()'s memory. */
void world_end(void);

/* What a client does with the network. */
struct conn *world_open(struct tab *tab, enum rooms_path path, const char *room, const char *token,
                        uint64_t address);
void world_send(struct conn *conn, const char *text, size_t size);
/* The client goes. If `rude`, the server does not hear of it for a while, and what is on its way
 * may come late. */
void world_leave(struct conn *conn, bool rude);
/* Hands an answer of the store to the server. */
void world_answer(const struct store_answer *answer);

/* The sheet of a record: built in, or one of people's own. NULL: none has that id and hash. */
const struct es_map *world_map(const char *id, const char *hash);
/* The sheet that people upload: its text and its hash. */
struct es_str own_map_text(void);
const char *own_map_hash(void);

/* Reads a record or view. `record` keeps its setup; its events lie in sim_alloc()'s memory if
 * `record->events` is NULL. */
es_status read_record(struct es_record *record, struct es_str text, struct es_state *state,
                      struct es_fault *fault);
/* The first 16 hex digits of SHA-256 over what `replay` prints. */
void report_hash(const struct es_setup *setup, const struct es_state *state, char hash[17]);
void format_event(const struct es_setup *setup, es_event event, char text[ES_EVENT_BYTES + 1]);

/* ---- read.c ---------------------------------------------------------------------------------- */

/* Reads a message of the server. */
json_t *read_json(struct es_str text);

/* ---- disk.c ---------------------------------------------------------------------------------- */

void disk_open(void);
void disk_close(void);
void disk_ask(const struct store_question *question);
void disk_write(uint64_t group);
void disk_answer(uint64_t group);
/* The process is gone: what was not written is lost, or was just about to be. */
void disk_crash(void);
void disk_fault(void);
void disk_heal(void);
/* Answers a read at once, without a queue or faults; free its memory. */
void disk_read(const struct store_question *question, struct store_answer *answer);

/* ---- check.c --------------------------------------------------------------------------------- */

/* An entry that is durable. */
struct kept {
    uint64_t time;
    uint8_t kind, seat;
    int32_t decision;
    char guest[STORE_GUEST_BYTES];
    char key[STORE_KEY_BYTES];
    const char *text;
};

/* What is durable of a room, and what follows from it. */
struct mirror {
    char room[STORE_ROOM_BYTES], code[STORE_CODE_BYTES];
    struct kept *kept;
    size_t entries, room_for;
    bool open, watch; /* from its `make` */
    int clock;        /* seconds */
    int patience;
    bool started, begun, closed, game_over;
    char next[STORE_ROOM_BYTES];
    /* The game; `record` has its setup. */
    const char *header;         /* of the first view that was told */
    size_t names, record_names; /* how many people were forgotten when a text was kept */
    const char *made_key;       /* that `make` was acknowledged with; NULL: none */
    size_t chats;
    struct es_record *record;
    struct es_state *state;
    es_event *event;
    size_t events;
    struct seen {
        es_event *event;
        size_t count, at;
    } seen[1 + ES_PLAYERS_MAX];
    const char *told_record; /* the first that was told */
    char commit[65];
    /* Seats as the list has them: a guest, a bot's level, or nothing. */
    char sitter[ES_PLAYERS_MAX + 1][STORE_GUEST_BYTES];
    char bot[ES_PLAYERS_MAX + 1][ES_LEVEL_BYTES];
    const char *word_hash[ES_PLAYERS_MAX + 1];
    int seats;
    char host[STORE_GUEST_BYTES];
    /* When each seat's decision became due, by the list alone. */
    uint64_t due_since[ES_PLAYERS_MAX + 1], given[ES_PLAYERS_MAX + 1];
};

void check_begin(void);
/* A batch became durable. */
void check_stored(const struct store_question *question);
/* The client sent something; checked when the answer comes. */
void check_sent(struct conn *conn, const char *text, size_t size);
/* The server says something. */
void check_told(struct conn *conn, const json_t *json, struct es_str text);
void check_reply(struct conn *conn, int status, const char *type, struct es_str text);
/* After a crash: what was acknowledged is in the store. */
void check_kept(void);
/* At the end of the seed. */
void check_end(void);
/* Every game that began is over. */
bool check_done(void);
/* A viewer who has so many lines has all of them. */
bool check_complete(const char *room, int viewer, size_t lines);
struct mirror *mirror_of(const char *room);
struct mirror *mirror_number(size_t i);

/* ---- people.c -------------------------------------------------------------------------------- */

struct person;
void people_begin(void);
void people_heal(void);
void person_act(struct person *person, uint64_t turn);
void tab_act(struct tab *tab, uint64_t turn);
void tab_lost(struct tab *tab, struct conn *conn, int status);
void tab_heard(struct tab *tab, struct conn *conn, const json_t *json, struct es_str text);
void request_answered(struct conn *conn, int status, struct es_str text);
/* The guest's id of a person, or empty; -1: nobody's. */
int person_of_guest(const char *guest);
int person_of_token(const char *token);
bool person_forgotten(const char *guest);
void people_check_end(void);

/* ---- leak.c ---------------------------------------------------------------------------------- */

/* Compares what viewers are told in two runs that differ in what they may not know. */
void leak_run(uint64_t seed);

#endif
