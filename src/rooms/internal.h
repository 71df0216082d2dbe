/* What the files of the rooms' logic share.
 *
 * What people do becomes an item in the queue of its room. A room takes the items that wait, makes
 * entries of them, applies these to its own state at once and hands them to the store as one batch.
 * Until the store has answered, nothing of it leaves the room: neither answers nor news, and the
 * next items wait. If the batch is stored, answers and news go out. If it is refused or its outcome
 * is unknown, the room forgets everything, reads its list, and takes the same items again: a move
 * that was stored after all is then found there, and answered as if nothing had happened.
 *
 *     hub.c        inputs, connections, questions to the store, time
 *     people.c     hello, guests, devices
 *     lobby.c      making and finding rooms, the lobby
 *     room.c       a room's queue, batches, reading its list
 *     body.c       a room's state, from its entries
 *     table.c      what people do in a room
 *     play.c       what happens by itself: cards, bots, clocks, words, hosts
 *     stream.c     what each viewer is told
 *     api.c        reading without a connection
 *     operator.c   what whoever runs the server may do
 *     settings.c   a room's settings as text
 *     say.c        JSON in and out
 *     names.c      texts from strangers
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
    ROOMS_EARLY_OK,       /* acknowledges before it is durable */
    ROOMS_UNKNOWN_AS_NO,  /* takes an unknown outcome for a refusal, and goes on without reading */
    ROOMS_NO_DECISION,    /* takes a move for whatever decision is due */
    ROOMS_LEAK_ENTRY,     /* tells everybody what the first player has entered */
    ROOMS_SHOW_NUMBER,    /* tells the number of the list */
    ROOMS_CLOCK_TWICE,    /* lets the clock move again for the next decision */
    ROOMS_FORGET_KEY,     /* does not look whether a key was used */
    ROOMS_UNKNOWN_AS_YES, /* takes an unknown outcome for stored */
    ROOMS_CHAT_NUMBER,    /* numbers chat by the list */
    ROOMS_LEAK_TIMING,    /* says something whenever somebody has entered something */
    ROOMS_LEAK_CLOCK,     /* every entry gives everybody new time */
    ROOMS_EAGER_BOT,      /* a bot moves as soon as it has found its move */
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
        const void *key; /* NULL: empty; points into the thing */
        size_t size;
        uint64_t hash;
        void *thing;
    } * slot;
    size_t slots, used;
};

void *index_get(const struct index *index, const void *key, size_t size);
/* The key must not be there; it must stay where it is. */
void index_put(struct index *index, const void *key, size_t size, void *thing);
void index_remove(struct index *index, const void *key, size_t size);
void index_free(struct index *index);

/* Allocates zeroed memory; there is no answer to having none. */
void *hub_alloc(size_t size);
void *hub_grow(void *memory, size_t *capacity, size_t wanted, size_t size);
char *hub_copy(struct es_str text);

/* ---- Connections ---------------------------------------------------------------------------- */

enum { STEP_NEW, STEP_ASKING, STEP_JOINING, STEP_READY, STEP_CLOSED };

struct connection {
    uint64_t id;
    enum rooms_path path;
    uint64_t address;
    char room_id[STORE_ROOM_BYTES];
    char cookie[65];
    struct store_guest guest; /* id empty: a stranger */
    int step;
    uint64_t since; /* opened */
    uint64_t burst_from, steady_from;
    uint32_t burst, steady;
    bool counted; /* for its guest */
    json_t *hello;
    bool invited; /* knows the code */

    /* In a room: what it has been told. */
    struct room *room;
    struct connection *before, *after; /* in its room, or among those that are new */
    bool welcomed, told_record, again;
    uint64_t revision;
    uint8_t room_hash[8]; /* of the latest `room` */
    size_t told;          /* lines of the stream; TOLD_NOTHING at first */
    size_t have;          /* as it said */
    unsigned due;
    uint64_t ends; /* of the clocks of those who are due, added up */
    size_t chats;
    /* In the lobby. */
    bool looks;
    uint64_t lobby;
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

/* What a bot will do in its turn: all decisions of the turn, so that others cannot tell how many
 * there were. */
struct plan {
    bool active;
    int decision; /* the first */
    uint64_t question;
    uint64_t retry; /* ask again then; 0: no */
    int failures;
    bool complete;
    int count;
    es_event event[PLAN_MAX];
};

struct seat {
    enum seat_kind kind;
    char guest[STORE_GUEST_BYTES];
    char level[ES_LEVEL_BYTES]; /* of the bot that plays; empty: the person does */
    uint64_t sat;               /* the number of the entry */
    uint8_t hash[ES_FAIR_BYTES], word[ES_FAIR_BYTES];
    bool has_word;
    int decisions;
    uint64_t due;   /* since when its move is awaited; 0: it is not */
    uint64_t given; /* when it was given to the bot that plays for its owner */
    uint64_t taken; /* when its owner took it back in this turn; 0: not */
    uint64_t pause; /* how long a bot had it in this turn, which the owner's clock does not count */
    bool out;       /* the clock has moved for it in its latest turn */
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
    char *invited; /* ids of guests, with blanks between; NULL: none */
};

struct used_key {
    char guest[STORE_GUEST_BYTES], key[STORE_KEY_BYTES];
    uint8_t kind, seat;
    uint8_t text[8]; /* a hash */
};

struct chat {
    char guest[STORE_GUEST_BYTES];
    int seat;
    uint64_t time;
    char *text;
};

struct stream {
    size_t count; /* events that were applied to `view` */
    struct es_state view;
    char hash[17];
};

/* A room's state: everything that follows from its entries. */
struct body {
    uint64_t count;  /* entries, those of the batch included */
    uint64_t latest; /* time of the latest */
    enum phase phase;
    struct settings settings;
    char *made; /* the text of the first entry, without its secret: what a key stands for */
    char maker[STORE_GUEST_BYTES];
    char host[STORE_GUEST_BYTES];
    uint8_t commit[ES_FAIR_BYTES];
    struct es_map *own_map; /* a sheet that is not built in */
    char *map_text;
    struct es_record record;
    struct es_state state;
    struct seat seat[ES_PLAYERS_MAX]; /* record.setup.players of them */
    uint64_t started, moved;          /* times */
    struct person *person;
    size_t people, people_room;
    struct used_key *key;
    size_t keys, keys_room;
    struct chat *chat;
    size_t chats, chats_room;
    char next[STORE_ROOM_BYTES];
    char notes[12 << 10]; /* for the record: takeovers, clocks */
    size_t notes_size;
    struct stream stream[ES_PLAYERS_MAX + 1];
};

/* Something that waits for a room. */
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
    char *text;                   /* MAKE: settings; */
    char *map;                    /* MAKE: the sheet, where it is not built in */
    char other[STORE_ROOM_BYTES]; /* MAKE: the room it follows; NEXT: the new room */
    uint64_t address;             /* of the connection */
    uint64_t time;
};

struct reply {
    uint64_t connection;
    int status; /* of a request; 0: a message */
    const char *type;
    char *text;
    size_t size;
    int close;         /* a code to close the connection with; 0: no */
    struct item *item; /* instead: goes to another room's queue */
    char room[STORE_ROOM_BYTES];
};

struct room {
    char id[STORE_ROOM_BYTES], code[STORE_CODE_BYTES];
    char map[33];
    bool known; /* the store has it, or may have it */
    bool over;
    bool listed;   /* stays in memory, since the lobby shows it */
    char *card;    /* what the lobby says of it; NULL: not listed */
    uint64_t made; /* when, for the order of the lobby */
    bool reading, storing;
    uint64_t again;             /* ask the store again then; 0: no */
    uint64_t question;          /* the one that is under way */
    int refusals, unknowns;     /* since something was stored */
    struct body *body;          /* NULL: not in memory */
    struct item *first, **last; /* waiting */
    size_t waiting;
    unsigned late;                    /* seats that were told to be late */
    struct item *taken, **taken_last; /* in the batch under way */
    struct store_entry *entry;        /* the batch */
    size_t entries, entries_room;
    bool unsaved; /* there is a batch: entries, or a change of the head alone */
    struct reply *reply;
    size_t replies, replies_room;
    struct connection *connections;
    uint64_t revision;  /* of what `room` tells */
    bool presence;      /* somebody came or went: told a little later */
    uint64_t tell;      /* … then */
    uint64_t empty;     /* since when nobody is there; 0: somebody is */
    uint64_t host_away; /* since when the host is; 0: here */
    uint64_t wake;      /* place in time; 0: none */
    size_t heap;        /* place in the heap, from 1 */
};

/* ---- The hub -------------------------------------------------------------------------------- */

/* A question to the store that is not a room's own. */
struct pending {
    uint64_t id;
    enum store_kind kind;
    uint64_t connection;
    json_t *message; /* or NULL */
    struct store_guest guest;
    char *text; /* of a sheet, or of settings */
    char token[65];
    bool unsure; /* it may have happened before: see hub.c */
    struct pending *next;
};

struct tally {
    uint64_t key[2];
    uint64_t from;
    uint32_t count;
};

/* The connections of an address, or of a guest (a hash of the id). */
struct crowd {
    uint64_t address;
    uint32_t count;
};

struct rooms {
    struct rooms_options options;
    struct rooms_limits limits;
    struct rooms_counts counts;
    uint64_t now;
    bool ready; /* the store has told what there is */
    bool draining;
    uint64_t block;
    uint8_t random[64];
    size_t random_used;
    uint64_t next_question;
    struct index connections, rooms, pending, tallies, crowds;
    struct index thinking;              /* rooms, by their questions to bots */
    struct index asking;                /* rooms, by their questions to the store */
    struct connection *oldest, *newest; /* those that have not said hello */
    struct room **heap;                 /* by their `wake`; from 1 */
    size_t heaped, heap_room;
    uint64_t woken; /* what ROOMS_WAKE said last */
    struct store_gap *gap;
    size_t gaps, gaps_room;
    uint64_t alive, swept, cleaned;
    uint64_t untold, telling; /* when a gap began that may not be stored; the question that does */
    uint64_t start_again;
    struct pending *unsure; /* to be asked again … */
    uint64_t unsure_again;  /* … then; 0: there are none */
    uint64_t lobby_revision, lobby_told, lobby_at;
    struct es_map *built_in; /* read when needed, in the order of es_builtin_maps */
    char *buffer;            /* for messages */
    size_t buffer_size;
    es_event *scratch; /* for views */
    size_t scratch_room;
    struct es_page *page; /* for pictures */
};

void hub_random(struct rooms *rooms, void *bytes, size_t size);
/* Fills `text` with `count` characters of base 32 and a zero. */
void hub_id(const uint8_t *bytes, char *text, size_t count);
void hub_hash(struct es_str text, uint8_t hash[ES_SHA256_BYTES]);
/* Counts a connection for an address or a guest; returns how many it has now. */
uint32_t hub_crowd(struct rooms *rooms, uint64_t whose, int more);
struct connection *hub_connection(struct rooms *rooms, uint64_t id);
void hub_http(struct rooms *rooms, uint64_t connection, int status, const char *type,
              struct es_str text, const char *cookie);
void hub_send(struct rooms *rooms, uint64_t connection, struct es_str text);
void hub_close(struct rooms *rooms, struct connection *c, int status);
/* Forgets what a connection said in its hello, which may be 40 times as large in memory. */
void hub_greeted(struct connection *c);
void hub_log(struct rooms *rooms, const char *what, const char *room);
/* Asks the store. `pending` (or NULL) is found again by the answer. */
uint64_t hub_ask(struct rooms *rooms, struct store_question *question, struct pending *pending);
/* Asks the store for a room, which gets the answer. */
void hub_ask_for(struct rooms *rooms, struct store_question *question, struct room *room);
/* Counts one more of `kind` for `key`; false if that is more than `most` in `ms`. */
bool hub_allow(struct rooms *rooms, uint64_t kind, uint64_t key, uint32_t most, uint64_t ms);
bool hub_spent(struct rooms *rooms, uint64_t kind, uint64_t key, uint32_t most, uint64_t ms);
/* Codes that somebody shows are limited, right or wrong ones, once too many of an address, or of
 * all, were wrong. `more`: 1: a wrong one; -1: one that was counted as wrong was right. */
bool hub_codes_spent(struct rooms *rooms, uint64_t address);
void hub_codes_count(struct rooms *rooms, uint64_t address, int more);
enum {
    TALLY_ROOMS_GUEST = 1,
    TALLY_ROOMS_ADDRESS,
    TALLY_GUESTS,
    TALLY_MAPS,
    TALLY_TICKETS,
    TALLY_CODES,
    TALLY_CODES_ALL,
    TALLY_REQUESTS
};
uint64_t hub_key(const char *guest);
/* The built-in sheet of that id, or NULL. */
const struct es_map *hub_map(struct rooms *rooms, struct es_str id);
/* Returns true if these are characters of an id of a room or guest. */
bool hub_id_good(struct es_str id);
struct room *hub_room(struct rooms *rooms, const char *id);
struct room *hub_room_new(struct rooms *rooms, const char *id);
void hub_room_free(struct rooms *rooms, struct room *room);
void hub_wake(struct rooms *rooms, struct room *room, uint64_t when);
/* When a time that began at `from` and lasts `ms` is over, the server's own gaps not counted. */
uint64_t hub_deadline(const struct rooms *rooms, uint64_t from, uint64_t ms);
/* How long that is, the server's own gaps not counted. */
uint64_t hub_lived(const struct rooms *rooms, uint64_t from, uint64_t to);
bool hub_here(const struct room *room, const char *guest);

/* ---- JSON (say.c) --------------------------------------------------------------------------- */

/* Calls `write` until everything fits; the text is valid until the next call. */
struct es_str say(struct rooms *rooms, void (*write)(struct es__writer *w, const void *context),
                  const void *context);
/* {"t":"no","id":…,"code":…}, {"t":"ok",…} */
struct es_str say_no(struct rooms *rooms, json_t *message, const char *code);
struct es_str say_ok(struct rooms *rooms, json_t *message, const char *name, struct es_str text,
                     long number);
/* A message; NULL if the text is no JSON object, or one that has a name twice. */
json_t *get_message(struct es_str text);
/* Whether every field that has a meaning is of its type. Checked once, when a message comes; what
 * follows only reads. */
bool get_types_good(json_t *message);
const char *get_text(json_t *message, const char *name); /* "" if it is not there */
struct es_str get_str(json_t *message, const char *name);
long get_int(json_t *message, const char *name, long otherwise);
bool get_bool(json_t *message, const char *name, bool otherwise);
/* The key of a message; NULL if it is missing or malformed. */
const char *get_key(json_t *message);

/* ---- Texts from strangers (names.c) --------------------------------------------------------- */

/* 1 to `most` characters, none of them control, invisible or direction characters; not only
 * blanks; no blanks at the ends. */
bool name_good(struct es_str text, size_t most);

/* ---- Settings (settings.c) ------------------------------------------------------------------ */

/* Reads the settings of a `make` message; NULL, or the code of the refusal. `text` gets what a key
 * stands for (no secret), to be freed; `own` the hash of a sheet that is not built in, else "". */
const char *settings_of(struct rooms *rooms, json_t *message, char **text, char own[33]);
/* Reads the text of an entry into a body; false if it is no such text. `own`: the sheet's text, or
 * NULL. */
bool settings_read(struct rooms *rooms, struct body *body, struct es_str text, struct es_str own);

/* ---- A room's state (body.c) ---------------------------------------------------------------- */

struct body *body_new(void);
void body_free(struct body *body);
/* Applies an entry; false if it contradicts the state. */
bool body_apply(struct rooms *rooms, struct room *room, struct body *body,
                const struct store_entry *entry);
int body_seat(const struct body *body, const char *guest); /* 0: none */
const struct person *body_person(const struct body *body, const char *guest);
/* Notes what a guest is called; false if nothing changes. */
bool body_name(struct body *body, const struct store_guest *guest);
/* Drops the name of a guest and what they wrote; false if there was neither. */
bool body_forget(struct body *body, const char *guest);
bool body_running(const struct body *body);
/* Fills the record's notes with what may be known when the game is over. */
void body_reveal(struct body *body);
/* Puts the names of those who sit into the record. */
void body_names(struct body *body);
const struct used_key *body_key(const struct body *body, const char *guest, const char *key);
struct es_turn body_turn(const struct body *body);

/* ---- A room's queue (room.c) ---------------------------------------------------------------- */

void room_enqueue(struct rooms *rooms, struct room *room, struct item *item);
struct item *room_item(enum item_kind kind, const struct connection *c, json_t *message);
void item_free(struct item *item);
/* Goes on: takes what waits, lets happen what is due, asks the store or tells. */
void room_run(struct rooms *rooms, struct room *room);
void room_answer(struct rooms *rooms, struct room *room, const struct store_answer *answer);
/* Adds an entry to the batch. */
void room_append(struct rooms *rooms, struct room *room, enum entry_kind kind, int seat,
                 int decision, const char *guest, const char *key, struct es_str text);
/* Makes a batch of what the head says of people, if there is none. */
void room_save(struct room *room);
/* Answers when the batch is stored. */
void room_reply(struct rooms *rooms, struct room *room, uint64_t connection, struct es_str text);
void room_reply_http(struct rooms *rooms, struct room *room, uint64_t connection, int status,
                     const char *type, struct es_str text);
/* Refuses an item when the batch is stored. */
void room_refuse(struct rooms *rooms, struct room *room, struct item *item, const char *code);
/* Hands an item to another room when the batch is stored. */
void room_hand_on(struct room *room, const char *other, struct item *item);
/* Refuses everything that waits, except that somebody is forgotten. */
void room_refuse_all(struct rooms *rooms, struct room *room, const char *code);
void room_changed(struct room *room);
void room_presence(struct rooms *rooms, struct room *room);
void room_join(struct rooms *rooms, struct room *room, struct connection *c);
void room_quit(struct rooms *rooms, struct connection *c);
/* Whether a connection may still be here, now that the game has started. */
bool room_may_stay(const struct room *room, const struct connection *c);
/* The code of the refusal if whoever sent an item, with that code of an invitation, may not know of
 * the room, or there is none; else NULL. */
const char *room_shut(struct rooms *rooms, const struct room *room, const struct item *item,
                      const char *code);

/* ---- The rest ------------------------------------------------------------------------------- */

void table_take(struct rooms *rooms, struct room *room, struct item *item);
void play_advance(struct rooms *rooms, struct room *room);
/* When something happens by itself; 0: never. */
uint64_t play_wake(struct rooms *rooms, struct room *room);
void play_forget(struct rooms *rooms, struct seat *seat);
/* When a person's time for a move is up, in a room with a clock; 0: never. */
uint64_t play_deadline(const struct rooms *rooms, const struct body *body, const struct seat *seat);
bool play_late(const struct rooms *rooms, const struct body *body, const struct seat *seat);
void play_thought(struct rooms *rooms, uint64_t question, struct es_str text, bool busy);
void stream_tell(struct rooms *rooms, struct room *room);
/* A viewer's view, or the whole record when the game is over; to be freed. */
char *stream_text(struct rooms *rooms, struct body *body, int viewer, size_t *size);
size_t stream_update(struct rooms *rooms, struct body *body, int viewer);
void stream_write_room(struct es__writer *w, const struct rooms *rooms, const struct room *room,
                       const char *guest, bool invited);
void lobby_message(struct rooms *rooms, struct connection *c, json_t *message);
/* Writes anew what the lobby says of a room; called when everything is durable. */
void lobby_card(struct rooms *rooms, struct room *room);
/* The head, the cards of open tables, and the end of a list; valid until the next text. */
struct es_str lobby_text(struct rooms *rooms, const char *head);
/* Takes a room out of the list until lobby_card() is called. */
void lobby_hide(struct rooms *rooms, struct room *room);
void lobby_tell(struct rooms *rooms);
void lobby_changed(struct rooms *rooms);
void lobby_make(struct rooms *rooms, struct connection *c, json_t *message, char *settings,
                char *map);
/* Makes the room that follows a finished one. */
void lobby_rematch(struct room *room, struct item *item);
struct es_str people_welcome(struct rooms *rooms, const struct connection *c);
void people_hello(struct rooms *rooms, struct connection *c, json_t *message);
void people_known(struct rooms *rooms, struct connection *c);
bool people_message(struct rooms *rooms, struct connection *c, json_t *message);
void people_request(struct rooms *rooms, struct connection *c, json_t *message);
void people_answer(struct rooms *rooms, struct pending *p, const struct store_answer *answer);
void operator_message(struct rooms *rooms, struct connection *c, json_t *message);
void operator_take(struct rooms *rooms, struct room *room, struct item *item);
void api_get(struct rooms *rooms, struct room *room, struct item *item);

#endif
