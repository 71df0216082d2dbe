/* Declarations shared by the files of the rooms' logic.
 *
 * What people do becomes an item in the queue of its room. A room takes the items that wait, turns
 * them into entries, applies these to its own state and hands them to the store as one batch. Until
 * the store has answered, the room sends neither answers nor news of it, and further items wait. If
 * the batch is stored, answers and news go out. If it is refused or its outcome is unknown, the
 * room drops its state, reads its list again, and takes the same items once more: a move that was
 * stored after all is then found in the list, and gets the answer that it would have got.
 *
 * Whoever asks for something is answered within ANSWER_MS, whatever the store does: then BUSY says
 * that it was not taken, or that nobody knows. What waits in a queue is forgotten; what the store
 * has been given may still be stored, and then nothing more is said of it. Saying the same again
 * finds it.
 *
 *     hub.c        inputs, connections, questions to the store, time
 *     people.c     hello, guests, devices
 *     alive.c      noting that this process runs; gaps; rooms that are due
 *     others.c     other processes: their news, and who is in a room there
 *     lobby.c      the lobby: the list of open tables
 *     make.c       making and finding rooms
 *     room.c       a room's queue, batches, reading its list
 *     body.c       a room's state, from its entries
 *     table.c      what people do in a room
 *     play.c       what happens without a message: cards, bots, clocks, words, hosts
 *     stream.c     what each viewer is sent
 *     api.c        reading a room over HTTP
 *     own.c        … and everything that the server has about a guest, for them
 *     notes.c      who is blocked; what players report
 *     keep.c       deleting old rooms, and guests who have not been here for long
 *     operator.c   messages of the operator
 *     operator_rooms.c  … their list of rooms
 *     settings.c   a room's settings as text
 *     record.c     the record of a game that is over, for exports
 *     count.c      limits on what people make, which the store counts
 *     events.c     names of events and limits, for the operator
 *     say.c        reading JSON messages and their fields, writing short answers
 *     names.c      validation of names and chat
 *     index.c      hash tables
 */
#ifndef ENDSTATION_ROOMS_INTERNAL_H
#define ENDSTATION_ROOMS_INTERNAL_H

#include "page/json.h"
#include "rooms/rooms.h"
#include <endstation/bots.h>
#include <endstation/fair.h>
#include <endstation/record.h>
#include <jansson.h>

struct rooms;
struct room;

/* ---- Mutations: faults that the simulation has to find, in test builds only ------------------ */

enum rooms_mutation {
    ROOMS_SOUND,
    ROOMS_EARLY_OK,       /* acknowledges before the batch is durable */
    ROOMS_UNKNOWN_AS_NO,  /* answers BUSY after an unknown outcome, as if nothing was stored */
    ROOMS_NO_DECISION,    /* ignores a move's `decision` and takes the one that is due */
    ROOMS_LEAK_ENTRY,     /* tells everybody how many decisions the first player has made */
    ROOMS_SHOW_NUMBER,    /* tells clients how many entries the list has */
    ROOMS_CLOCK_TWICE,    /* keeps a move that was planned when time was up for a later decision */
    ROOMS_FORGET_KEY,     /* does not check whether a key was used */
    ROOMS_UNKNOWN_AS_YES, /* takes an unknown outcome for stored */
    ROOMS_CHAT_NUMBER,    /* numbers chat by the list of entries, which counts hidden moves */
    ROOMS_LEAK_TIMING,    /* sends `lines` after every batch, also if a viewer sees nothing new */
    ROOMS_LEAK_CLOCK,     /* every move restarts the clocks of all who are due */
    ROOMS_EAGER_BOT,      /* a bot moves as soon as it has found its move */
    ROOMS_PATIENT,        /* waits for the store for as long as it takes */
    ROOMS_TWICE,          /* answers what it has said BUSY to, when the store has */
    ROOMS_HASTY_DELETE,   /* deletes a room before the record of its game is on disk */
    ROOMS_STAY_DELETED,   /* leaves those who are in a room there when it is deleted */
    ROOMS_NO_GAPS,        /* counts times in which no server ran */
    ROOMS_TRUST_CLOCK,    /* the simulation's processes follow their machine's clock at once */
    /* With several processes. */
    ROOMS_DEAF,         /* ignores the news of other processes */
    ROOMS_DEAF_GUEST,   /* … that a guest was changed or deleted */
    ROOMS_DEAF_ALL,     /* … that news may be missing */
    ROOMS_DEAF_DEATH,   /* does not look for what a process has done before it ended */
    ROOMS_KEEP_REFUSED, /* does not read again after a refused batch */
    ROOMS_STALE_HELLO,  /* tells those who come what it knows, without reading */
    ROOMS_ALONE,        /* takes those who are connected to other processes for absent */
    ROOMS_SILENT,       /* does not say again who is here after it was taken for dead */
    ROOMS_EARLY_CLAIM,  /* takes rooms that are due although another process has them */
    ROOMS_NO_LIMIT,     /* ignores what the store has counted */
    ROOMS_KEEP_LISTED,  /* leaves tables in the lobby when nobody is there any more */
    ROOMS_STAY_HIDDEN,  /* does not show them again when somebody comes back */
    ROOMS_LOST_TABLES,  /* leaves out tables that have gone when it tells what has changed */
    ROOMS_MUTATIONS_COUNT
};
#ifdef ROOMS_MUTATIONS
extern enum rooms_mutation rooms_mutation;
#define MUTATED(name) (rooms_mutation == ROOMS_##name)
#else
#define MUTATED(name) false
#endif

/* ---- Hash tables (index.c) ------------------------------------------------------------------ */

struct index {
    struct index_slot {
        const void *key; /* inside `thing`; NULL: an empty slot */
        size_t size;
        uint64_t hash;
        void *thing;
    } * slot;
    size_t slots, used;
};

void *index_get(const struct index *index, const void *key, size_t size);
/* Adds a thing. The key must not be in the table yet. It is not copied, so it must not move. */
void index_put(struct index *index, const void *key, size_t size, void *thing);
void index_remove(struct index *index, const void *key, size_t size);
void index_free(struct index *index);

/* Allocates zeroed memory; aborts if there is none, as the next two do. */
void *hub_alloc(size_t size);
/* Makes room for at least `wanted` elements of `size` bytes. Returns the array, which may have
 * moved. New elements are not zeroed. */
void *hub_grow(void *memory, size_t *capacity, size_t wanted, size_t size);
char *hub_copy(struct es_str text);

/* ---- Connections ---------------------------------------------------------------------------- */

enum { STEP_NEW, STEP_ASKING, STEP_JOINING, STEP_READY, STEP_CLOSED };

struct connection {
    uint64_t id;
    enum rooms_path path;
    uint64_t address, network;
    char room_id[STORE_ROOM_BYTES];
    char cookie[65];
    struct store_guest guest; /* an empty id: no token, may only watch */
    int step;
    uint64_t since;                   /* when it was opened */
    uint64_t burst_from, steady_from; /* when the two windows of the message limit began */
    uint32_t burst, steady;           /* messages in them */
    bool counted;                     /* among the connections of its guest */
    bool checked;                     /* the store is being asked what became of its guest … */
    bool doubted;                     /* … or who it is, and that may have changed meanwhile */
    json_t *hello;
    uint64_t greeted; /* when it came */
    char *act;        /* of the operator: what is done, for the log; NULL: nothing */
    bool invited;     /* has given the room's code */

    /* In a room: what it has been sent. */
    struct room *room;
    struct connection *before, *after; /* in its room's list, or in the list of new connections */
    bool welcomed, told_record;
    bool again;           /* has asked for a whole view */
    bool differed;        /* … because its own had another hash */
    uint64_t revision;    /* room->revision for which it has the `room` message */
    uint8_t room_hash[8]; /* the beginning of the SHA-256 of the latest `room` message */
    size_t told;          /* events of the stream; TOLD_NOTHING at first */
    size_t have;          /* events that its hello said it has; SIZE_MAX: none given */
    unsigned due;         /* the seats in the latest `due`, as bits */
    uint64_t ends;        /* sum of the ends of their clocks, to see whether one has changed */
    size_t chats;         /* chat messages */
    size_t unsaids;       /* … and those that were taken back */
    /* In the lobby. */
    bool looks;     /* is told of open tables: */
    bool changes;   /* what has changed, by `tables`; else the whole list, by `lobby` */
    uint64_t lobby; /* lobby_revision of the latest `lobby` */
};
#define TOLD_NOTHING SIZE_MAX

/* One message, one answer. */
static inline bool is_request(const struct connection *c)
{
    return c->path >= ROOMS_REQUEST;
}

/* ---- Rooms ---------------------------------------------------------------------------------- */

enum phase { PHASE_WAITING, PHASE_WORDS, PHASE_PLAYING, PHASE_OVER, PHASE_CLOSED };
enum seat_kind { SEAT_OPEN, SEAT_PERSON, SEAT_BOT };

enum { PLAN_MAX = 16, CHATS_TOLD = 50, PEOPLE_MAX = 200 };

/* What a bot will do in its turn. It decides everything first and then makes all its moves
 * together, so that others cannot tell from the timing how many there were. */
struct plan {
    bool active;
    uint64_t since;    /* when it began */
    int decision;      /* the seat's decision that event[0] answers */
    uint64_t question; /* to the bot, not answered yet; 0: none */
    uint64_t retry;    /* when to ask again; 0: no need */
    int failures;      /* since the bot's latest legal answer */
    bool complete;     /* nothing more to decide in this turn */
    int count;
    es_event event[PLAN_MAX];
};

struct seat {
    enum seat_kind kind;
    char guest[STORE_GUEST_BYTES];
    char level[ES_LEVEL_BYTES]; /* of the bot that plays; empty: the person plays */
    uint64_t sat;               /* number of the entry with which the person sat down */
    uint8_t hash[ES_FAIR_BYTES], word[ES_FAIR_BYTES];
    bool has_word;
    int decisions;  /* moves of this seat so far */
    uint64_t due;   /* since when its move is awaited; 0: it is not */
    uint64_t given; /* when it was last given to a bot; 0: never */
    uint64_t taken; /* when its owner took it back in this turn; 0: not in this turn */
    uint64_t pause; /* milliseconds that a bot had it in this turn: the clock does not count them */
    bool out;       /* its latest move was made because time was up. The player's own moves clear
                       this when their turn is over, so that nothing shows before */
    struct plan plan;
};

struct person {
    char guest[STORE_GUEST_BYTES];
    uint8_t colour;
    char name[ES_NAME_BYTES];
};

struct settings {
    bool open, watch, hints;
    unsigned clock, patience; /* seconds */
    uint8_t secret[ES_FAIR_BYTES];
    char *invited; /* ids of guests who need no code, with blanks between; NULL: none */
};

/* A built-in sheet; `text` is where its text is in the library. */
struct built_in {
    struct built_in *next;
    const char *text;
    struct es_map map;
};

struct used_key {
    char guest[STORE_GUEST_BYTES], key[STORE_KEY_BYTES];
    uint8_t kind, seat;
    uint8_t text[8]; /* of SHA-256 of the entry's text */
};

struct chat {
    char guest[STORE_GUEST_BYTES];
    int seat;
    uint64_t time, number; /* of the entry */
    char *text;
};

/* What one viewer sees of the game. */
struct stream {
    size_t count; /* events that were applied to `view` */
    struct es_state view;
    char hash[17]; /* of the report of `view`, as clients get it; empty: not computed yet */
};

/* What only a game needs that has started. Apart from the rest, so that rooms that wait for people
 * are small. */
struct game {
    struct es_record record;
    struct es_state state;
    char notes[12 << 10]; /* for the record: takeovers, clocks */
    size_t notes_size;
    struct stream stream[ES_PLAYERS_MAX + 1]; /* by seat; 0: spectators */
};

/* A room's state: everything that follows from its entries. */
struct body {
    uint64_t count;  /* entries, those of the batch included */
    uint64_t latest; /* time of the latest entry */
    enum phase phase;
    struct settings settings;
    char *made; /* the text of the first entry without its secret; a repeated `make` must match */
    char maker[STORE_GUEST_BYTES];
    char host[STORE_GUEST_BYTES];
    uint8_t commit[ES_FAIR_BYTES];
    struct es_map *own_map; /* a sheet that is not built in */
    char *map_text;         /* of a sheet that the store has */
    struct es_setup setup;
    char *setup_text;                 /* its header lines */
    struct game *game;                /* NULL before ENTRY_START */
    struct seat seat[ES_PLAYERS_MAX]; /* setup.players of them */
    uint64_t started;                 /* time of ENTRY_START */
    uint64_t moved; /* time of the latest event, or of ENTRY_BEGIN; 0: not begun */
    struct person *person;
    size_t people, people_room;
    struct used_key *key;
    size_t keys, keys_room;
    struct chat *chat;
    size_t chats, chats_room;
    size_t *unsaid; /* the chat that was taken back, in that order, as indexes */
    size_t unsaids, unsaids_room;
    char (*removed)[STORE_GUEST_BYTES]; /* who may not sit down any more */
    size_t removals, removals_room;
    char next[STORE_ROOM_BYTES]; /* the room of the rematch; empty: none */
};

/* Something for a room to do, in its queue. */
enum item_kind {
    ITEM_MESSAGE,
    ITEM_HELLO,
    ITEM_MAKE,
    ITEM_NEXT,
    ITEM_FORGET,
    ITEM_NAME,
    ITEM_GET,
    ITEM_OPERATOR
};
struct item {
    struct item *next;
    enum item_kind kind;
    uint64_t connection;
    struct store_guest guest;
    json_t *message;
    char *text;                   /* MAKE: settings */
    char *map;                    /* MAKE: the sheet, if the store has it; else NULL */
    char other[STORE_ROOM_BYTES]; /* MAKE: the room that this is a rematch of; NEXT: the new room;
                                     NAME, FORGET: the room, in rooms->errand */
    uint64_t address, network;    /* of the connection */
    uint64_t since;               /* when it was asked for */
    bool told;                    /* that it could not be taken in time: nothing more is said */
    bool moved;                   /* MESSAGE: a move that is confirmed with the batch */
    bool counted;                 /* the limits have counted the room, chat, act or reaction … */
    bool limited;                 /* … or too many rooms have been made */
    bool handed_on;               /* MAKE: it is being counted, and comes back as another item; a
                                     report: it has been taken */
    bool covered;                 /* the list has been read since it came, or is being read */
    bool put_back;                /* MESSAGE: would be refused, but waits to be covered */
};

/* An answer that is held back until the batch is stored. */
struct reply {
    uint64_t connection;
    int status; /* of an HTTP answer; 0: a WebSocket message */
    const char *type;
    char *text;
    size_t size;
    int close;             /* a code to close the connection with; 0: do not */
    const struct item *to; /* the item of the batch that it answers */
    struct item *item;     /* not NULL: not an answer, but an item for the queue of `room` */
    char room[STORE_ROOM_BYTES];
};

/* A reaction, for other processes. */
struct reaction {
    uint64_t serial; /* 0: none */
    uint64_t until;  /* when everybody has read it, also if nobody is here any more */
    int seat;
    const char *what;
    char guest[STORE_GUEST_BYTES];
};
enum { REACTIONS_MAX = 4 };

/* Who is in a room at another process. */
struct elsewhere {
    char process[STORE_PROCESS_BYTES];
    char guest[ES_PLAYERS_MAX + 1][STORE_GUEST_BYTES]; /* those who sit or host */
    int guests, watchers;
    uint64_t network; /* of one of the guests; 0: not known */
    uint64_t serial;  /* of the latest reaction */
    bool silent;      /* says nothing any more: nobody is there */
};
#define SEEN_NOTHING UINT64_MAX

struct room {
    char id[STORE_ROOM_BYTES], code[STORE_CODE_BYTES];
    char map[33];
    bool over;
    bool listed;           /* in the lobby, according to the head that is stored or will be */
    uint64_t network;      /* of who has made it or was there last; 0: not known here */
    bool for_lobby;        /* it is being read so that the lobby can show it */
    uint64_t made;         /* when it was made, for the order of the lobby */
    uint64_t stamp;        /* of the head that is stored (lobby_stamp()) … */
    uint64_t stamp_saving; /* … and of the one that is being stored */
    uint64_t maker; /* the address from which it was made; 0: it has been read from the store … */
    uint64_t maker_network; /* … and the network that the address is in */
    bool reading, storing;
    bool heard;                       /* others may have written: read what we miss */
    bool failing;                     /* the latest answer of the store was a fault */
    bool unreadable;                  /* … was a list that cannot be read */
    uint64_t again;                   /* when to ask the store again, after a fault; 0: no need */
    uint64_t question;                /* to the store, the latest */
    int refusals, unknowns;           /* batches since one was stored */
    struct body *body;                /* NULL: not in memory */
    struct item *first, **last;       /* the queue */
    size_t waiting;                   /* items in it */
    unsigned late;                    /* seats that `room` calls late, as bits */
    struct item *taken, **taken_last; /* the items of the batch */
    struct store_entry *entry;        /* the batch: entries that are not stored yet */
    size_t entries, entries_room;
    bool unsaved; /* there is a batch: entries, or a change of the head alone */
    size_t gaps;  /* that were known when it was made */
    struct reply *reply;
    size_t replies, replies_room;
    struct connection *connections;
    uint64_t revision; /* grows when the content of `room` messages changes */
    uint64_t tell;     /* when clients are told who came or went; 0: nobody did */
    bool attended;     /* somebody who sits or hosts is connected, at any process */
    uint64_t left;     /* since when nobody is, before the start; 0: not known */
    uint64_t until;    /* how long it stays in memory although nobody is connected here … */
    bool rests;        /* … which it does: it is in a list … */
    struct room *older, *newer;   /* … between these */
    uint64_t saved;               /* `wake` of the head that is stored */
    uint64_t saving;              /* … and of the one that is being stored */
    uint64_t host_away;           /* since when the host is away; 0: is here */
    char host[STORE_GUEST_BYTES]; /* … which one */
    /* With other processes (others.c). */
    struct elsewhere *elsewhere;
    size_t elsewheres;
    bool read_before; /* `elsewhere` has been read since the room came to memory */
    char *here;       /* what we told about it; NULL: nothing yet */
    bool here_asked;  /* … and that is not known to be stored yet */
    bool here_again;  /* … and has to be told again then */
    struct reaction reaction[REACTIONS_MAX];
    size_t reactions;
    size_t reactions_kept; /* without those of the batch */
    uint64_t wake;         /* when room_run() has to be called; 0: no need */
    size_t heap;           /* index in rooms->heap, from 1; 0: not in it */
};

/* ---- Open tables ---------------------------------------------------------------------------- */

/* An open table, as the lobby shows it. Its room need not be in memory. */
struct table {
    char room[STORE_ROOM_BYTES];
    uint64_t made;
    uint64_t stamp;     /* of the head that `card` was made from */
    char *card;         /* its JSON object; NULL: not read yet, or not shown any more */
    char *guests;       /* the ids of those who sit or host there, with blanks between */
    uint64_t network;   /* of somebody who made it or was there; 0: not known here */
    bool attended;      /* somebody who sits or hosts was there when it was last looked at */
    size_t rank;        /* how many tables from there come before it */
    char *told;         /* the card that viewers have; NULL: they have none */
    uint64_t since;     /* when `card` became another one than `told`; 0: it is the same */
    bool top;           /* among the tables that are shown */
    bool hidden;        /* `told` has something that was deleted: nobody else is told it */
    uint64_t seen;      /* rooms->listings of the latest list in which it was */
    bool waits;         /* its room is to be read … */
    struct table *next; /* … after that of this one */
};
enum { TABLES_MAX = 100 };

/* ---- The hub -------------------------------------------------------------------------------- */

enum { LIMITS_MAX = 5 }; /* of a guest; of an address and a network, in an hour and in a day */

/* Whom the answer is for, if not for people_answer(). */
enum pending_why {
    WHY_USUAL,
    /* notes.c */
    WHY_HELLO,   /* is this the token of somebody who is blocked? */
    WHY_ADDRESS, /* is the address of a new guest blocked? */
    WHY_COOKIE,  /* … and was their cookie somebody's who is? */
    WHY_LEARN,   /* is the address of a blocked guest to be noted? */
    WHY_REPORT,  /* a report, while it is counted and kept */
    /* operator.c, operator_rooms.c */
    WHY_OPERATOR,
    WHY_ROOMS,
    WHY_KEEP, /* keep.c */
    WHY_OWN,  /* own.c */
};

struct page;
struct own;

/* A question to the store that is not a room's own. */
struct pending {
    uint64_t id;
    enum store_kind kind;
    uint64_t since;      /* when it was asked for */
    uint64_t connection; /* 0: nobody's, or it has been told that no answer came in time */
    json_t *message;     /* that asked; NULL: a request over HTTP, except a GET */
    struct store_guest guest;
    char *text; /* MAP: the sheet's hash, or as SHEET; SHEET: a room's settings; TICKET: the
                   ticket; FIND: the code; HERE, COUNT, DEVICES: a room */
    struct es_str shared; /* MAP: the built-in sheet of a new room */
    char token[65];       /* GUEST, REDEEM: of the new device; WHO: that was given */
    bool unsure;          /* it was asked before, and may have happened: see hub.c */
    bool news;            /* DEVICES: asked because another process may have changed the guest */
    struct item *item;    /* COUNT: makes a room, in `text` */
    struct store_tally tally[LIMITS_MAX]; /* COUNT: what is to be counted, one after the other … */
    int tallies, counted;                 /* … so many, and so many of them have been */
    enum pending_why why;
    uint64_t time;          /* FORGET: only who was not seen from then on */
    uint64_t address;       /* where somebody comes from who may be blocked, or reports */
    struct store_note note; /* what is asked for or to be kept; FORGET: of the block */
    struct page *page;      /* WHY_ROOMS: the operator's list, and … */
    size_t place;           /* … the room's place in it */
    struct own *own;        /* WHY_OWN: the page that is being made */
    int seat;               /* DEVICES: of a reaction in the room in `text`, if `what` is set */
    const char *what;
    struct pending *next;
};

/* Counts what is limited in a time and by process: requests, wrong codes, text. */
struct tally {
    uint64_t key[2]; /* a TALLY_ constant, and a guest or address */
    uint64_t from;   /* when the count began … */
    uint64_t ms;     /* … and for how long it counts */
    uint32_t count;
};

/* The WebSockets of an address, of a network, or of a guest (a hash of the id); open tables where
 * a guest sits or hosts. */
enum crowd_kind { CROWD_ADDRESS = 1, CROWD_NETWORK, CROWD_GUEST, CROWD_TABLES };
struct crowd {
    uint64_t key[2]; /* the kind, and whose */
    uint32_t count;
};

/* When the store noted that this process is running. */
struct alive {
    uint64_t noted; /* the time of the latest note that is stored; 0: none */
    uint64_t asked; /* the time of the latest question */
    uint64_t next;  /* when to ask next; 0: an answer is awaited */
    bool again;     /* … and then ask at once */
    bool unsure;    /* nobody knows whether the latest question was stored */
};

/* What is being deleted because it is old. */
struct old {
    char id[STORE_ROOM_BYTES]; /* of a room, or … */
    bool is_guest;             /* … of a guest */
    uint64_t since;            /* of a room: since when it is over */
};
struct keeping {
    uint64_t clean;  /* when to ask STORE_CLEAN next */
    uint64_t next;   /* when to go on with rooms and guests */
    uint64_t looked; /* when it was last looked at */
    bool is_halted;  /* nothing is deleted until the next start */
    bool is_writing; /* the record of the current room */
    struct old old[3 * STORE_OLD_MAX];
    size_t at, count; /* the current one; how many there are */
    uint64_t unseen;  /* guests were last seen before this */
    struct {
        uint64_t since;
        char room[STORE_ROOM_BYTES];
    } after;                /* a game that cannot be read, and so stays */
    unsigned rooms, guests; /* deleted in this round */
};

/* A picture that was drawn, kept because most who ask for it again find nothing new in it. */
struct picture {
    uint8_t hash[ES_SHA256_BYTES]; /* of everything that it depends on */
    uint64_t used;                 /* rooms->pictures when it was last asked for */
    char *text;                    /* NULL: none */
    size_t size;
};
enum { PICTURES_KEPT = 64 };

struct rooms {
    struct rooms_options options;
    struct rooms_limits limits;
    struct rooms_counts counts;
    uint64_t now;
    bool ready; /* STORE_ALIVE was answered lately: the gaps are known */
    bool draining;
    uint64_t block; /* of the random stream, the next */
    uint8_t random[64];
    size_t random_used;
    uint64_t next_question;
    struct index connections, rooms, pending, tallies, crowds;
    struct room *rested, *resting;      /* those that rest: the first and the last */
    size_t rests;                       /* … and how many there are */
    struct index thinking;              /* rooms, by their questions to bots */
    struct index asking;                /* rooms, by their questions to the store */
    struct connection *oldest, *newest; /* of those that have not said hello */
    struct room **heap;                 /* a binary heap by `wake`; indexes from 1 */
    size_t heaped, heap_room;
    uint64_t woken; /* the time in the latest ROOMS_WAKE */
    struct store_gap *gap;
    size_t gaps, gaps_room;
    struct alive alive;
    struct keeping keeping;
    struct store_here *process; /* those that were running lately, without texts */
    size_t processes, processes_room;
    uint64_t serial;        /* of the latest reaction */
    uint64_t silence;       /* since when a connection is late with its hello; 0: none is */
    uint64_t swept;         /* when sweep() came last */
    uint64_t start_again;   /* when to ask STORE_ROOMS again, after a fault; 0: no need */
    uint64_t asked;         /* when that was asked for which is being done */
    uint64_t late_at;       /* when to look for questions without an answer; 0: never */
    struct pending *unsure; /* questions to be asked again … */
    uint64_t unsure_again;  /* … at this time; 0: there are none */
    struct item *errand, **last_errand;  /* items that rooms are to take, some at a time: … */
    uint64_t errands_at;                 /* … until then … */
    int errands;                         /* … so many more */
    struct index tables;                 /* all open tables, by room */
    struct table *unread, **last_unread; /* those whose rooms are to be read … */
    size_t loading;                      /* … and how many are being read */
    uint64_t listings;                   /* answers to STORE_ROOMS */
    struct table *shown[TABLES_MAX];     /* that viewers have, newest first */
    size_t shown_count;
    uint64_t lobby_revision;       /* grows when what viewers have changes */
    uint64_t lobby_told, lobby_at; /* when the lobby was last told; when it will be, 0: no need */
    uint64_t lobby_whole;          /* when those who get the whole list may be told again */
    struct built_in *built_in;     /* built-in sheets, read when needed */
    char *buffer;                  /* for messages */
    size_t buffer_size;
    es_event *scratch; /* for views */
    size_t scratch_room;
    struct es_page *page; /* for pictures */
    struct picture picture[PICTURES_KEPT];
    uint64_t pictures; /* asked for so far */
};

void hub_random(struct rooms *rooms, void *bytes, size_t size);
/* Fills `text` with `count` characters of base 32 and a zero. */
void hub_id(const uint8_t *bytes, char *text, size_t count);
void hub_hash(struct es_str text, uint8_t hash[ES_SHA256_BYTES]);
/* Adds `more` (1, 0 or -1) to somebody's WebSockets or open tables; returns their number. */
uint32_t hub_crowd(struct rooms *rooms, enum crowd_kind kind, uint64_t whose, int more);
/* Tells that a WebSocket is a guest's. */
void hub_known(struct rooms *rooms, uint64_t connection);
struct connection *hub_connection(struct rooms *rooms, uint64_t id);
void hub_http(struct rooms *rooms, uint64_t connection, int status, const char *type,
              struct es_str text, const char *cookie);
void hub_send(struct rooms *rooms, uint64_t connection, struct es_str text);
void hub_close(struct rooms *rooms, struct connection *c, int status);
/* Frees a connection's hello, which may be 40 times as large in memory as the message. */
void hub_drop_hello(struct connection *c);
/* Tells the operator of an event. */
void hub_event(struct rooms *rooms, const struct rooms_event *event);
/* Has the record of a room that is over written to disk; `room` is what the store has of it.
 * keep_recorded() follows. */
void hub_write_record(struct rooms *rooms, const struct store_answer *room, struct es_str text);
/* Counts a refusal because of a limit. */
void hub_limited(struct rooms *rooms, enum rooms_limit limit);
/* Asks the store. The answer goes to people_answer() with `pending`, which is then freed; NULL: it
 * is not needed. */
uint64_t hub_ask(struct rooms *rooms, struct store_question *question, struct pending *pending);
void hub_pending_free(struct pending *p);
/* Milliseconds until who has asked for something is told BUSY. (Clients expect something within
 * five seconds, and the network needs some of that.) */
enum { ANSWER_MS = 4500 };
/* Returns when that is for what was asked for at a time. */
static inline uint64_t hub_late(uint64_t since)
{
    return since + ANSWER_MS;
}
/* Asks the store. The answer goes to room_answer(). */
void hub_ask_for(struct rooms *rooms, struct store_question *question, struct room *room);
/* Counts one more of `kind` for `key`, in this process. Returns false, counting nothing, if there
 * were `most` in the last `ms` milliseconds. */
bool hub_allow(struct rooms *rooms, uint64_t kind, uint64_t key, uint32_t most, uint64_t ms);
/* Counts `size` bytes of chat or of a sheet, in this process. Returns false, and counts that it was
 * refused, if the address or its network has sent too much in a day. */
bool hub_allow_text(struct rooms *rooms, uint64_t address, uint64_t network, size_t size);
/* Reads a code as people give it: its letters and digits, as capitals. Empty if it has none, or too
 * many for a code. */
void hub_code(struct es_str text, char code[STORE_CODE_BYTES]);
/* Nobody can guess a code of twelve characters, so all of them are tried. The codes of rooms that
 * were made before had eight: when an address or a network has given many wrong ones of these,
 * right ones are refused, too. Returns true if it has, and counts that. */
bool hub_codes_spent(struct rooms *rooms, uint64_t address, uint64_t network, const char *code);
/* Counts a wrong code (`more` 1), or takes one back that was counted but was right (-1), if it has
 * eight characters. */
void hub_codes_count(struct rooms *rooms, uint64_t address, uint64_t network, const char *code,
                     int more);
/* What is counted. The store keeps these numbers. */
enum {
    TALLY_ROOMS_GUEST = 1,
    TALLY_ROOMS_ADDRESS,
    TALLY_GUESTS,
    TALLY_MAPS,
    TALLY_TICKETS,
    TALLY_CODES,
    TALLY_REQUESTS = 8, /* 7 was another limit on codes */
    TALLY_ROOMS_NETWORK,
    TALLY_GUESTS_NETWORK,
    TALLY_MAPS_NETWORK,
    TALLY_REPORTS_GUEST,
    TALLY_REPORTS_ADDRESS,
    TALLY_REPORTS_NETWORK,
    TALLY_OWN,
    TALLY_NAMES,
    TALLY_REQUESTS_NETWORK,
    TALLY_REACTIONS_GUEST,
    TALLY_REACTIONS_ROOM,
    TALLY_ROOMS_ADDRESS_DAY,
    TALLY_ROOMS_NETWORK_DAY,
    TALLY_TEXT_ADDRESS,
    TALLY_TEXT_NETWORK,
    TALLY_ACTS_ADDRESS,
    TALLY_ACTS_NETWORK,
    TALLY_CODES_NETWORK,
    TALLY_DIFFERS
};
/* Adds a limit to those that something counts towards: at most `most` in an hour. */
void count_towards(struct pending *p, uint8_t kind, uint64_t who, uint32_t most);
/* … or in a day. */
void count_in_day(struct pending *p, uint8_t kind, uint64_t who, uint32_t most);
/* Has the store count towards these limits, one after the other, so that who has reached a limit of
 * their own takes nothing from others in the same network. The answer goes to people_answer(). */
void count_ask(struct rooms *rooms, struct pending *p);
/* Takes back what has been counted: nothing is made of it. */
void count_back(struct rooms *rooms, const struct pending *p);
/* Takes the answer for one limit. Returns true if the next one is asked for. */
bool count_goes_on(struct rooms *rooms, struct pending *p, const struct store_answer *answer);
/* Returns a hash of a guest's id, for hub_crowd() and the tallies. */
uint64_t hub_key(const char *guest);
/* The built-in sheet that a record names, which may be an earlier version; NULL if none has its id
 * and its hash. */
const struct es_map *hub_map(struct rooms *rooms, const struct es_record *record);
/* Returns true if a text has the form of the id of a room or guest. */
bool hub_id_good(struct es_str id);
struct room *hub_room(struct rooms *rooms, const char *id);
struct room *hub_room_new(struct rooms *rooms, const char *id);
void hub_room_free(struct rooms *rooms, struct room *room);
/* A room stays in memory although nobody is connected here, for a time, or that is over. If more
 * than limits.rests do, the one that has done so for longest leaves. */
void hub_rest(struct rooms *rooms, struct room *room, bool rests);
/* Has room_run() called at `when` instead of any time set before; 0: never. */
void hub_wake(struct rooms *rooms, struct room *room, uint64_t when);
/* Returns when `ms` milliseconds from `from` are over, not counting gaps in which no server ran. */
uint64_t hub_deadline(const struct rooms *rooms, uint64_t from, uint64_t ms);
/* Returns the milliseconds from `from` to `to`, not counting gaps in which no server ran. */
uint64_t hub_lived(const struct rooms *rooms, uint64_t from, uint64_t to);
/* Returns true if a guest has a connection in the room, at any process. */
bool hub_here(const struct room *room, const char *guest);

/* ---- This process and others (alive.c, others.c) --------------------------------------------- */

void alive_ask(struct rooms *rooms);
void alive_answer(struct rooms *rooms, const struct store_answer *answer);
/* Asks again if it is time to; rooms stop if the latest answer is too old. */
void alive_check(struct rooms *rooms);
uint64_t alive_wake(const struct rooms *rooms);
/* Has the question asked now, or as soon as the current one is answered. */
void alive_soon(struct rooms *rooms);

/* Returns true if other processes may use the same store. */
bool others_shared(const struct rooms *rooms);
/* Asks for the open tables. */
void others_ask_listed(struct rooms *rooms);
void others_news(struct rooms *rooms, const struct store_news *news);
/* Asks what became of a guest: a new name, a device less, or nobody; tells those who have to know.
 * With a connection (0: none) tells nobody if nothing is new for it. */
void others_ask_guest(struct rooms *rooms, const char *guest, uint64_t connection);
/* The store has said who is connected. Asks again if news have come meanwhile. */
void others_check(struct rooms *rooms, struct connection *c);
/* A process that has missed a new name may have written the old one to the room. If what was read
 * is not what we know of somebody who is here, asks the store. */
void others_check_names(struct rooms *rooms, const struct room *room);
/* The answer to STORE_ROOMS. */
void others_listed(struct rooms *rooms, const struct store_answer *answer);
/* The running processes, from the answer to STORE_ALIVE: those that are not there are nowhere. */
void others_processes(struct rooms *rooms, const struct store_answer *answer);
/* What others say about the room, from the answer to STORE_READ. */
void others_read(struct rooms *rooms, struct room *room, const struct store_answer *answer);
/* Tells others who is in the room here, if that has changed. */
void others_tell(struct rooms *rooms, struct room *room);
/* Has everything told again that others have been told. */
void others_tell_again(struct rooms *rooms);
void others_told(struct rooms *rooms, const struct pending *p, const struct store_answer *answer);
/* Returns true if others have been told that somebody is here, or are being told something. */
bool others_unsaid(const struct room *room);
/* Returns when others_tell() has to be called again although nothing happens; 0: never. */
uint64_t others_wake(const struct rooms *rooms, const struct room *room);
/* Keeps a reaction for others_tell(). */
void others_reacted(struct rooms *rooms, struct room *room, int seat, const char *what,
                    const char *guest);
/* Forgets the reactions of the batch: their items will be taken again. */
void others_unreacted(struct room *room);
/* The answer to the question for the name of somebody who has reacted elsewhere. */
void others_named(struct rooms *rooms, const struct pending *p, const struct store_answer *answer);
/* Returns true if somebody who sits or hosts is in the room at another process. Sets *network to
 * theirs, if it is known. */
bool others_attend(const struct room *room, uint64_t *network);
bool others_here(const struct room *room, const char *guest);
int others_watchers(const struct room *room);

/* ---- JSON (say.c) --------------------------------------------------------------------------- */

/* Returns the JSON that `write` writes. It may be called twice, if the buffer was too small. The
 * text is valid until the next call. */
struct es_str say(struct rooms *rooms, void (*write)(struct es__writer *w, const void *context),
                  const void *context);
/* {"t":"no","id":…,"code":…}; `id` if the message has one. */
struct es_str say_no(struct rooms *rooms, json_t *message, const char *code);
/* {"t":"ok","id":…} with a field `name` (NULL: none), whose value is `text`, or `number` if
 * text.at is NULL. */
struct es_str say_ok(struct rooms *rooms, json_t *message, const char *name, struct es_str text,
                     long number);
/* {"t":"soon","ms":…} */
struct es_str say_soon(struct rooms *rooms, uint32_t ms);
/* Parses a message. Returns NULL if the text is no JSON object, or has a name twice. */
json_t *get_message(struct es_str text);
/* Returns true if every known field of a message has its type. Checked once, when a message comes.
 */
bool get_types_good(json_t *message);
const char *get_text(json_t *message, const char *name); /* "" if it is not there */
struct es_str get_str(json_t *message, const char *name);
long get_int(json_t *message, const char *name, long otherwise);
bool get_bool(json_t *message, const char *name, bool otherwise);
/* The key of a message; NULL if it is missing or malformed. */
const char *get_key(json_t *message);

/* ---- Names and chat (names.c) --------------------------------------------------------------- */

/* Returns true if a text has 1 to `most` characters, none of them a control, invisible or direction
 * character, at least one of them visible, no pile of combining marks, and no blanks at its ends.
 */
bool text_good(struct es_str text, size_t most);
/* The same, and no joiner or variation selector where it would change nothing that can be seen. */
bool name_good(struct es_str text, size_t most);

/* ---- Settings (settings.c) ------------------------------------------------------------------ */

/* Reads the settings of a `make` message. Returns NULL, or the code of the refusal. Sets *text to
 * the text of ENTRY_MADE without its secret, to be freed, and `own` to the hash of the sheet if the
 * store has to have it, else "": one that is not built in, or one that programs before this one
 * lack. `shared`: the text of the latter, to be put there, else empty; so processes and pages from
 * before the change can play on it. */
const char *settings_of(struct rooms *rooms, json_t *message, char **text, char own[33],
                        struct es_str *shared);
/* Returns true if people may choose this level: one of those that the game lists by name. Rooms may
 * have others, which were made before. */
bool settings_level(const struct es_game *game, struct es_str level);
/* Returns the setup in such a text, or in that of ENTRY_MADE; points into it. */
struct es_str settings_setup(const char *text);
/* Returns the header lines of a record that say what is played, to be freed. */
char *settings_header(const struct es_record *record);
/* Reads the text of ENTRY_MADE into a body; false if it is malformed. `own`: the text of a sheet
 * that the store has, else empty. */
bool settings_read(struct rooms *rooms, struct body *body, struct es_str text, struct es_str own);

/* ---- A room's state (body.c) ---------------------------------------------------------------- */

struct body *body_new(void);
void body_free(struct body *body);
/* Applies an entry; false if it contradicts the state. */
bool body_apply(struct rooms *rooms, struct room *room, struct body *body,
                const struct store_entry *entry);
int body_seat(const struct body *body, const char *guest); /* 0: none */
/* Returns true if the host has removed this guest for good. */
bool body_removed(const struct body *body, const char *guest);
const struct person *body_person(const struct body *body, const char *guest);
/* Adds a guest to the room's people, or updates their name and colour. Names of players are not
 * changed after the start. Returns false if nothing changes. */
bool body_name(struct body *body, const struct store_guest *guest);
/* Returns true if the guest is among the room's people with another name or colour, which
 * body_name() would change. */
bool body_misnames(const struct body *body, const struct store_guest *guest);
/* Like body_name(), but sets the name of anybody: it is what the store has. */
bool body_know(struct body *body, const struct store_guest *guest);
/* Removes the name of somebody who neither sits nor hosts nor has written, if there is one. */
bool body_forget_idle(struct body *body);
/* Removes a guest's name and chat; false if there was neither. */
bool body_forget(struct body *body, const char *guest);
bool body_running(const struct body *body);
/* Adds what stays secret until the game is over to the record: words, secret, seed, and the notes
 * about clocks and takeovers. Does nothing before, or if there was no game. */
void body_reveal(struct body *body);
/* Copies the names of the seated people into the record. */
void body_names(struct body *body);
const struct used_key *body_key(const struct body *body, const char *guest, const char *key);
struct es_turn body_turn(const struct body *body);

/* ---- A room's queue (room.c) ---------------------------------------------------------------- */

void room_enqueue(struct rooms *rooms, struct room *room, struct item *item);
struct item *room_item(enum item_kind kind, const struct connection *c, json_t *message);
void item_free(struct item *item);
/* Does everything that can be done now: takes items from the queue, does what is due, and hands the
 * new entries to the store or, if there are none, sends answers and news. May free the room. */
void room_run(struct rooms *rooms, struct room *room);
void room_answer(struct rooms *rooms, struct room *room, const struct store_answer *answer);
/* Makes the room's people those of a head. Returns true if something has changed. */
bool room_read_people(struct body *body, struct es_str text);
/* Returns true if a guest is among the room's people, or something of theirs waits in its queue or
 * is being stored; also if that is not known, since the list is being read. */
bool room_concerns(const struct room *room, const char *guest);
/* Returns true if somebody who sits or hosts has a connection in the room, at any process. Sets
 * *network to theirs, if it is known. */
bool room_attended(const struct room *room, uint64_t *network);
/* Adds an entry to the batch. */
void room_append(struct rooms *rooms, struct room *room, enum entry_kind kind, int seat,
                 int decision, const char *guest, const char *key, struct es_str text);
/* Has the room's head stored, with the next batch or alone. */
void room_save(struct room *room);
/* Answers when the batch is stored. */
void room_reply(struct rooms *rooms, struct room *room, uint64_t connection, struct es_str text);
void room_reply_http(struct rooms *rooms, struct room *room, uint64_t connection, int status,
                     const char *type, struct es_str text);
/* Refuses an item when the batch is stored. If other processes may have made possible what it asks
 * for, sets its `put_back` instead: it is taken again when the list has been read. */
void room_refuse(struct rooms *rooms, struct room *room, struct item *item, const char *code);
/* Hands an item to another room when the batch is stored. */
void room_hand_on(struct room *room, const char *other, struct item *item);
/* Refuses everything that waits, except that somebody is forgotten. */
void room_refuse_all(struct rooms *rooms, struct room *room, const char *code);
void room_changed(struct room *room);
void room_presence(struct rooms *rooms, struct room *room);
void room_join(struct rooms *rooms, struct room *room, struct connection *c);
void room_quit(struct rooms *rooms, struct connection *c);
/* Returns false if the game has started, without spectators, and the connection has no seat. */
bool room_may_stay(const struct room *room, const struct connection *c);
/* Returns NULL if the sender of an item may enter with this invitation code, which hub_code() has
 * read; else the code of the refusal, which is the same if there is no such room. */
const char *room_shut(struct rooms *rooms, const struct room *room, const struct item *item,
                      const char *code);

/* ---- The rest ------------------------------------------------------------------------------- */

void table_take(struct rooms *rooms, struct room *room, struct item *item);
/* Returns the name of a reaction in static memory; NULL if there is none of that name. */
const char *table_reaction(struct es_str name);
/* Tells everybody who is here of a reaction, with the batch or now. */
void table_react(struct rooms *rooms, struct room *room, int seat, const char *what,
                 const struct store_guest *guest, bool now);
void play_advance(struct rooms *rooms, struct room *room);
/* Returns when play_advance() will have something to do even if nobody is here and no message
 * comes; 0: never. */
uint64_t play_wake(struct rooms *rooms, struct room *room);
/* … and when because somebody is here. */
uint64_t play_look(const struct rooms *rooms, const struct room *room);
/* Returns when the `wake` that is stored has to be renewed. */
uint64_t play_renew(const struct rooms *rooms, const struct room *room);
/* Takes from the head that was read since when nobody has been there. */
void play_read(const struct rooms *rooms, struct room *room, const struct store_head *head);
void play_forget(struct rooms *rooms, struct seat *seat);
/* Returns when a person's time for a move is up; 0: there is no clock, no move is due, or a bot
 * plays. */
uint64_t play_deadline(const struct rooms *rooms, const struct body *body, const struct seat *seat);
bool play_late(const struct rooms *rooms, const struct body *body, const struct seat *seat);
void play_thought(struct rooms *rooms, uint64_t question, struct es_str text, bool busy);
void stream_tell(struct rooms *rooms, struct room *room);
/* Returns a viewer's view, or the whole record when the game is over; to be freed. */
char *stream_text(struct rooms *rooms, struct body *body, int viewer, size_t *size);
size_t stream_update(struct rooms *rooms, struct body *body, int viewer);
/* Returns the name of a room's phase. */
const char *stream_phase(const struct body *body);
/* Writes the phase, and the settings of a room that people may know. */
void stream_write_settings(struct es__writer *w, const struct body *body);
/* Writes by what people in a room can tell that a guest is the same. */
void stream_write_who(struct es__writer *w, const struct room *room, const char *guest);
void stream_write_room(struct es__writer *w, const struct rooms *rooms, const struct room *room,
                       const char *guest, bool invited);
/* Shows a room in the lobby as it is now, or not any more. Call it only when the room's state is
 * durable. */
void lobby_card(struct rooms *rooms, const struct room *room);
/* Removes a table from the lobby until lobby_card() is called. */
void lobby_hide(struct rooms *rooms, const char *id);
/* Returns `head`, the cards of the tables that viewers have, and "]}"; valid until the next text.
 */
struct es_str lobby_text(struct rooms *rooms, const char *head);
void lobby_tell(struct rooms *rooms);
bool lobby_has(const struct rooms *rooms, const char *id);
/* Notes whether somebody is at a table, and from which network. */
void lobby_attend(struct rooms *rooms, const struct room *room);
/* Somebody has come to a table, or gone, at another process. */
void lobby_people(struct rooms *rooms, const char *id);
/* Returns true if a guest sits or hosts at an open table whose room is not in memory. */
bool lobby_concerns(struct rooms *rooms, const struct table *table, const char *guest);
/* Returns at how many open tables a guest sits or hosts. */
uint32_t lobby_tables(struct rooms *rooms, const char *guest);
/* A table may have changed: has its room read, now or soon. */
void lobby_heard(struct rooms *rooms, const char *id);
/* Has rooms read that wait for it, some at a time. */
void lobby_load(struct rooms *rooms);
/* A room that was being read for the lobby has been read, or is not needed any more. */
void lobby_loaded(struct rooms *rooms, struct room *room);
/* The heads of all open tables: those that have changed are read. */
void lobby_listed(struct rooms *rooms, const struct store_answer *answer);
/* Two heads of a room with the same stamp are the same. */
uint64_t lobby_stamp(const struct store_head *head);
void lobby_free(struct rooms *rooms);
void make_message(struct rooms *rooms, struct connection *c, json_t *message);
void make_room(struct rooms *rooms, struct connection *c, json_t *message, char *settings,
               char *map);
/* Has the store count a room that does not exist yet. Returns false if it has: the item can make
 * the room, or is limited. Otherwise it comes back later. */
bool make_count(struct rooms *rooms, const struct room *room, struct item *item);
/* The answer. */
void make_counted(struct rooms *rooms, struct pending *p, bool limited);
/* Takes back the count of a room that is not made, if this item was to make one. */
void make_given_up(struct rooms *rooms, const struct item *item);
/* Makes the room that follows a finished one. */
void make_rematch(struct room *room, struct item *item);
struct es_str people_welcome(struct rooms *rooms, const struct connection *c);
/* Notes in the store that a connection's guest is here, at most once a day. */
void people_seen(struct rooms *rooms, struct connection *c);
void people_hello(struct rooms *rooms, struct connection *c, json_t *message);
void people_known(struct rooms *rooms, struct connection *c);
bool people_message(struct rooms *rooms, struct connection *c, json_t *message);
/* Has the store count a message or request that makes something. It goes on when that is answered.
 */
void people_count(struct rooms *rooms, struct connection *c, json_t *message);
void people_request(struct rooms *rooms, struct connection *c, json_t *message);
void people_answer(struct rooms *rooms, struct pending *p, const struct store_answer *answer);
/* Gives rooms the next of the names that they wait for. */
void people_errands(struct rooms *rooms);
/* Sends a refusal. */
void people_no(struct rooms *rooms, const struct connection *c, json_t *message, const char *code);
/* Tells who waits for a question to the store that there is no answer. */
void people_late(struct rooms *rooms, struct connection *c, const struct pending *p);
/* … of a request. */
void people_refuse(struct rooms *rooms, const struct connection *c, int status, const char *code);
/* The store does not know the token of a hello. `code`: why nothing comes of it; NULL: go on. */
void people_unknown(struct rooms *rooms, struct connection *c, const char *code);
void people_make_guest(struct rooms *rooms, struct connection *c, json_t *message);
/* Asks whether a token that nobody has is that of somebody who is blocked; goes on with
 * people_unknown(). Returns false if it has not the form of a token. */
bool notes_ask_hello(struct rooms *rooms, const struct connection *c, const char *token);
/* Asks whether somebody who is blocked wants to be a new guest, whom `p` has counted; goes on with
 * people_make_guest(). */
void notes_ask_new(struct rooms *rooms, const struct connection *c, const struct pending *p);
/* The guest of a connection was deleted: notes where it comes from, if they are blocked. */
void notes_learn(struct rooms *rooms, struct connection *c, const struct pending *p);
void notes_answer(struct rooms *rooms, const struct pending *p, const struct store_answer *answer);
/* Keeps a report, which is counted first, and answers. */
void notes_report(struct rooms *rooms, const struct item *item, struct es_str text);
void notes_counted(struct rooms *rooms, struct pending *p, bool limited);
/* Whether there is the same already, or whether it is kept. */
void notes_reported(struct rooms *rooms, struct pending *p, const struct store_answer *answer);
/* The room of this id was deleted: tells those who look at it here. */
void room_deleted(struct rooms *rooms, const char *id);
/* Deletes what is old, when it is time for that. */
void keep_check(struct rooms *rooms);
uint64_t keep_wake(const struct rooms *rooms); /* when to call keep_check() again; 0: never */
void keep_answer(struct rooms *rooms, const struct store_answer *answer);
/* The record of a room was written to disk, or could not be. */
void keep_recorded(struct rooms *rooms, bool written);
/* Reads a room from its list; NULL if that contradicts itself, or is empty. */
struct body *record_body(struct rooms *rooms, const struct store_answer *answer);
void operator_message(struct rooms *rooms, struct connection *c, json_t *message);
void operator_answer(struct rooms *rooms, const struct pending *p,
                     const struct store_answer *stored);
/* Returns false if a field is malformed. */
bool operator_rooms(struct rooms *rooms, const struct connection *c, json_t *message);
void operator_rooms_answer(struct rooms *rooms, const struct pending *p,
                           const struct store_answer *answer);
void operator_page_free(struct page *page);
void operator_take(struct rooms *rooms, struct room *room, struct item *item);
void api_get(struct rooms *rooms, struct room *room, struct item *item);
/* Answers a guest's request for everything that is theirs. */
void own_get(struct rooms *rooms, struct connection *c, json_t *message);
void own_answer(struct rooms *rooms, struct pending *p, const struct store_answer *answer);
void own_free(struct own *own);

#endif
