/* The simulation of rooms: the logic of src/rooms in one or several processes, with a simulated
 * network, clocks, store, bots and people, all determined by one seed, in one thread.
 *
 *     world.c   time, events, connections, the server's processes, bots
 *     disk.c    the store that the processes share, each with its own queue, news and faults
 *     people.c  people and their tabs: clients that know docs/protocol.md and nothing else
 *     check.c   a mirror of what is durable, with which everything that the server says is compared
 *     fresh.c   after some seconds everybody knows what is durable, and who is there
 *     leak.c    two runs that differ only in what a viewer may not know
 *     read.c    a fast JSON reader
 *     main.c    seeds, counts, the command line
 *
 * Everything that lives as long as a seed is in sim_alloc()'s memory, which is reset before the
 * next one. A violation ends the seed: violated() does not return.
 */
#ifndef ENDSTATION_SIM_H
#define ENDSTATION_SIM_H

#include "rooms/rooms.h"
#include "server/clock.h"
#include <endstation/record.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIM_PROCESSES = 4,
    SIM_OFFSET_MS = 400, /* the clocks of two processes differ by at most this */
    SIM_GAPS = 4096,
    SIM_BOT_TIMES = 256, /* of a seat that a bot plays for a while */
    SIM_PEOPLE = 12,
    SIM_TABS = 160,
    SIM_VISITS = 40,
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
/* Counts that something happened. With --all, everything in main.c's list must have happened. */
void count(const char *what, const char *name);
/* Adds a line to the trace: always hashed, and printed if the run is verbose. */
void trace(const char *what, uint64_t number, struct es_str text);
extern bool verbose;

/* ---- world.c --------------------------------------------------------------------------------- */

struct tab;
struct packet;
struct thought;

/* A server process: the logic, and the machine that it runs on. */
struct process {
    int index;
    char id[STORE_PROCESS_BYTES]; /* another one after each start; empty: the only process */
    struct rooms *rooms;          /* NULL: it does not run */
    uint64_t offset;              /* the clock that it follows shows world.now + offset … */
    int64_t wrong;                /* … and for a moment so much more */
    struct clock clock;
    uint64_t wake; /* by its own clock */
    unsigned starts;
    uint64_t crashed; /* when it last ended */
    bool draining;
    bool gone;       /* for good */
    bool frozen;     /* the machine stands still: what happens waits in `held` */
    uint64_t thawed; /* when it last went on */
    struct event *held;
    size_t held_count, held_room;
    struct thought *thoughts;       /* questions to its bots */
    struct store_gap gap[SIM_GAPS]; /* that it has been told of */
    size_t gaps;
    /* For process_knows(). */
    uint64_t clear; /* since when nothing has kept it from hearing of everything that is stored */
    uint64_t knows;
};

/* A connection as both sides know it. Each direction keeps its order. */
struct conn {
    uint64_t id;
    struct process *process;
    enum rooms_path path;
    char room[STORE_ROOM_BYTES];
    char token[SIM_TOKEN_BYTES]; /* of the cookie */
    uint64_t address;
    struct tab *tab;       /* the client; NULL: it has left */
    bool opened;           /* the server has got ROOMS_OPENED */
    bool server_has;       /* the server takes it for open */
    bool client_has;       /* the client takes it for open */
    bool cut_up, cut_down; /* nothing gets through any more, noticed or not */
    bool stalled;          /* the client does not read: messages pile up */
    size_t backlog;
    struct packet *waiting, **waiting_end; /* for a reader that is stalled */
    uint64_t up_last, down_last;           /* when the latest packet arrives, each way */
    uint32_t up_ms, down_ms;
    /* For check.c. */
    struct request *requests;      /* without an answer */
    struct request *opening;       /* its hello, or the request over HTTP, likewise */
    int person;                    /* the owner of its token; -1: none */
    char guest[STORE_GUEST_BYTES]; /* from the server's `welcome`; empty: none, or not yet */
    char code[STORE_CODE_BYTES];   /* of its hello */
    const char *uses;              /* the token that it said hello with */
    bool greeted, welcome;
    bool may_stay; /* it was in the room rightfully */
    bool closing;  /* the server has asked for it to be closed */
    struct visit *visit;
    uint64_t joined;     /* when it was welcomed */
    char what[12];       /* of a GET request */
    bool makes_guest;    /* it is a request for a new guest */
    long told;           /* events of the stream that were sent; -1: none yet */
    long chats;          /* the number of the latest chat that was sent */
    unsigned due;        /* the latest `due`, as bits */
    struct heard *heard; /* reactions that were sent */
    struct card {        /* the open tables that were sent, without those that are gone */
        char room[STORE_ROOM_BYTES];
        long taken;
    } card[SIM_ROOMS];
    size_t cards;
    /* In the latest `room`. */
    char phase[12];
    char next_room[STORE_ROOM_BYTES];
    unsigned here;                  /* seats, as bits */
    uint64_t names[ES_PLAYERS_MAX]; /* hashes of them */
    int watchers;
    void *context; /* of a request: for people.c */
    struct conn *next;
};

struct packet {
    struct conn *conn;
    struct packet *next;
    struct request *request; /* that it makes of the server */
    json_t *json; /* of a message to a client: parsed once, for the checks and the client */
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
    EVENT_WAKE,        /* process: the time that it asked for with ROOMS_WAKE */
    EVENT_SAVED,       /* process: a record is on disk, or could not be written */
    EVENT_BOT,         /* thought: a bot answers */
    EVENT_WRITE,       /* process: its group becomes durable, or not */
    EVENT_ANSWER,      /* process: the group's answers arrive */
    EVENT_NEWS,        /* disk: what another process has stored arrives */
    EVENT_LISTEN,      /* process: its listener connects */
    EVENT_DEAF,        /* process: its listener loses the connection */
    EVENT_STORE_FAULT, /* a fault of the whole store begins or ends */
    EVENT_LINK_FAULT,  /* process: a fault between it and the store begins or ends */
    EVENT_CRASH,       /* process; also the next four */
    EVENT_START,
    EVENT_DRAIN,
    EVENT_FREEZE,
    EVENT_CLOCK, /* … its machine's clock is set wrong, or (number 0) right again */
    EVENT_THAW,
    EVENT_TAB,    /* tab: time to do something */
    EVENT_PERSON, /* person: time to do something */
    EVENT_HEAL,   /* the end of all faults */
    EVENT_LAST,   /* the games are over: some people go home, and a process ends */
    EVENT_KINDS
};

struct world {
    uint64_t seed, now, begin, heal, end;
    struct es_random random; /* of the world and of people */
    bool healing;            /* no more faults: people play until every game has ended */
    bool calm;               /* no faults at all in this seed */
    bool failing;            /* the store fails for most of the day */
    bool scattered;          /* connections go to any process, not to that of their room */
    struct process process[SIM_PROCESSES];
    int processes;
    struct rooms_limits limits;
    struct rooms_keep keep;
    uint64_t bots_slow; /* until when a bot takes too long, or does not answer */
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

/* Opens a connection for a client. */
struct conn *world_open(struct tab *tab, enum rooms_path path, const char *room, const char *token,
                        uint64_t address);
void world_send(struct conn *conn, const char *text, size_t size);
/* The client leaves. If `rude`, the server does not notice for a while, and messages that were sent
 * may arrive late. */
void world_leave(struct conn *conn, bool rude);
/* Hands an answer of the store, or news, to a process. */
void world_answer(struct process *process, const struct store_answer *answer);
void world_news(struct process *process, const struct store_news *news);
/* Something has kept a process from hearing of everything that is stored, or will in the next `ms`
 * milliseconds. */
void process_troubled(struct process *process, uint64_t ms);
/* Returns a time: whatever was durable before, the process has heard of. It hears of it by news,
 * within GRACE_MS, as long as nothing keeps them away. */
uint64_t process_knows(struct process *process);
/* The same where it must hold at once: the only process knows everything that is durable. */
uint64_t process_bound(struct process *process);
/* Returns true if nothing has been wrong with a process for GRACE_MS. */
bool process_healthy(const struct process *process);

/* Returns a record's sheet: built in, or uploaded by people; NULL: none has that id and hash. */
const struct es_map *world_map(const char *id, const char *hash);
/* The sheet that people upload: its text and its hash. */
struct es_str own_map_text(void);
const char *own_map_hash(void);

/* Reads a record or view. If `record->events` is NULL, the events are in sim_alloc()'s memory. */
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
/* Moves everything that is durable to another store, by a file: whatever the rooms have stored can
 * be exported and imported. */
void disk_move(void);
void disk_ask(struct process *process, const struct store_question *question);
void disk_write(struct process *process, uint64_t group);
void disk_answer(struct process *process, uint64_t group);
/* A process begins: its listener will connect. */
void disk_start(struct process *process);
/* A process ends: the group under way is written or lost, and what waits is lost. */
void disk_crash(struct process *process);
struct note;
/* Returns the process that news are for. */
struct process *disk_hearer(const struct note *note);
void disk_news(const struct note *note);
void disk_listen(struct process *process, uint64_t number);
void disk_deaf(struct process *process);
void disk_fault(void);
void disk_link_fault(struct process *process);
void disk_heal(void);
/* Returns true if something is wrong between a process and the store at the moment. */
bool disk_troubled(const struct process *process);
/* Answers a read at once, without a queue or faults; free its memory. */
void disk_read(const struct store_question *question, struct store_answer *answer);

/* ---- check.c --------------------------------------------------------------------------------- */

/* An entry that is durable. */
struct kept {
    uint64_t time;   /* by the clock of the process that wrote it */
    uint64_t stored; /* when it became durable */
    uint8_t kind, seat;
    int32_t decision;
    char guest[STORE_GUEST_BYTES];
    char key[STORE_KEY_BYTES];
    const char *text;
};

/* A guest who is or was connected to a room. */
struct visit {
    char guest[STORE_GUEST_BYTES];
    int conns[SIM_PROCESSES];
    uint64_t since[SIM_PROCESSES]; /* when the first of them was welcomed */
    uint64_t until;                /* when the latest one was lost */
};

/* What is durable of a room, and the state that follows from it. */
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
    const char *header;         /* of the first view that was sent */
    size_t names, record_names; /* names_now() when `header`, `told_record` were set */
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
    const char *told_record; /* the first record that was sent */
    char commit[65];
    /* Seats according to the list: a guest, a bot's level, or nothing. */
    char sitter[ES_PLAYERS_MAX + 1][STORE_GUEST_BYTES];
    char bot[ES_PLAYERS_MAX + 1][ES_LEVEL_BYTES];
    const char *word_hash[ES_PLAYERS_MAX + 1];
    int seats;
    char host[STORE_GUEST_BYTES];
    /* When each seat's decision became due, and was given to a bot, according to the list. */
    uint64_t due_since[ES_PLAYERS_MAX + 1], given[ES_PLAYERS_MAX + 1];
    /* Times in which a bot had a seat that is due. */
    struct store_gap bot_time[ES_PLAYERS_MAX + 1][SIM_BOT_TIMES];
    size_t bot_times[ES_PLAYERS_MAX + 1];
    uint64_t changed; /* when the latest batch became durable */
    uint64_t ended;   /* when the first one that says that the room is over did; 0: it is not */
    bool saved;       /* its record was written to disk */
    uint64_t deleted; /* when it was deleted; 0: it is there */
    bool listed;      /* in the lobby */
    uint64_t moved;   /* when a connection last came or went */
    struct visit *visit[SIM_VISITS];
    size_t visits;
};

void check_begin(void);
/* A write of a process became durable. `gaps`: how many gaps the process had been told of when it
 * asked. */
void check_stored(struct process *process, const struct store_question *question, size_t gaps);
/* A client sends a message. Returns what it asks for, remembered until the answer comes; NULL:
 * nothing that is answered. */
struct request *check_sent(struct conn *conn, const char *text, size_t size);
/* The server hears it. */
void check_heard(struct request *request);
/* Whatever the store does, everything that the server has heard is answered in some seconds. */
void check_in_time(const struct conn *conn);
/* A process writes the record of a room to disk, before it deletes the room. */
void check_saved(struct process *process, const char *room, struct es_str text);
/* The server sends a message. */
void check_told(struct conn *conn, const json_t *json, struct es_str text);
void check_reply(struct conn *conn, int status, const char *type, struct es_str text);
/* After a crash: checks that everything acknowledged is in the store. */
void check_kept(void);
/* At the end of the seed. */
void check_end(void);
/* Returns true if every game that began is over. */
bool check_done(void);
/* Returns true if the game has not begun, or a viewer's stream has exactly `lines` lines. */
bool check_complete(const char *room, int viewer, size_t lines);
struct mirror *mirror_of(const char *room);
struct mirror *mirror_number(size_t i);
/* Returns a guest's seat; 0: none. */
int mirror_seat(const struct mirror *m, const char *guest);
/* Returns how many lines the stream of a viewer has. */
size_t mirror_lines(struct mirror *m, int viewer);
/* Returns how long a seat has been due, without the gaps that a process knows of, and without the
 * time that a bot had it. */
uint64_t mirror_waited(const struct mirror *m, int seat, const struct process *process, size_t gaps,
                       uint64_t now);
bool mirror_chat_deleted(const struct mirror *m);
/* Returns true if a guest was told before `bound` that they are deleted. Then their name and chat
 * are gone. */
bool guest_deleted(const char *guest, uint64_t bound);
/* Returns a guest's name, and sets when it was last changed; empty: it is not known. */
const char *guest_name(const char *guest, uint64_t *changed);
/* Returns true if the owner of a token was told before `bound` that it is withdrawn. */
bool token_withdrawn(const char *token, uint64_t bound);
/* Returns when the list of open tables last changed. */
uint64_t tables_changed(void);

/* ---- fresh.c --------------------------------------------------------------------------------- */

void fresh_begin(void);
uint64_t hash_text(const char *text);
/* A connection was welcomed; the server has lost it, or has closed it. */
void fresh_entered(struct conn *conn);
void fresh_left(struct conn *conn);
/* Returns true if a guest has been connected since before `since`, at a process from which others
 * must have heard of it by then. */
bool fresh_here(const struct mirror *m, const char *guest, uint64_t since);
/* A message of a client arrives at a process. */
void fresh_heard(struct conn *conn, struct es_str text);
/* A reaction is acknowledged; somebody is told of one. Everybody hears of each at most once. */
void fresh_reaction_taken(const struct conn *conn, const char *what);
void fresh_reaction_told(struct conn *conn, const char *what);
/* Checks that what each client was told last is what is durable, as far as its process must have
 * heard of it, and that everything that was due has happened. */
void fresh_check(void);

/* ---- people.c -------------------------------------------------------------------------------- */

struct person;
void people_begin(void);
void people_heal(void);
/* Some people go home. */
void people_leave(void);
void person_act(struct person *person, uint64_t turn);
void tab_act(struct tab *tab, uint64_t turn);
void tab_lost(struct tab *tab, struct conn *conn, int status);
void tab_heard(struct tab *tab, struct conn *conn, const json_t *json, struct es_str text);
void request_answered(struct conn *conn, int status, struct es_str text);
/* Returns the number of the person who is, or was, this guest; -1: nobody. */
int person_of_guest(const char *guest);
int person_of_token(const char *token);
/* Returns the token of a person's device; empty: there is none. */
const char *token_of_device(int person, const char *device);
bool person_forgotten(const char *guest);
void people_check_end(void);

/* ---- leak.c ---------------------------------------------------------------------------------- */

/* Compares what viewers are told in two runs that differ in what they may not know. */
void leak_run(uint64_t seed);

#endif
