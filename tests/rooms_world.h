/* A small world around the rooms' logic, for tests: a store in memory that answers at once (or when
 * it is told to), bots that make the first legal move, and connections whose messages are kept.
 *
 *     struct world world;
 *     world_open(&world, 7);
 *     struct client *ada = world_guest(&world, "Ada");
 *     client_connect(ada, "");                       // the lobby
 *     client_say(ada, "{'t':'make','key':'k','setup':'game metro\\nplayers 2\\n'}");
 *     assert_true(client_heard(ada, "ok"));          // ada->latest is that message
 *
 * Messages are written with ' for ", which reads better in C.
 *
 * Several worlds can be processes that share a store (world_beside()).
 */
#ifndef ENDSTATION_ROOMS_WORLD_H
#define ENDSTATION_ROOMS_WORLD_H

#include "rooms/rooms.h"
#include <jansson.h>

enum { WORLD_CLIENTS = 64, WORLD_QUESTIONS = 4096, WORLD_NEWS = 4096 };

struct world;

struct client {
    struct world *world;
    char name[64], guest[STORE_GUEST_BYTES], token[80];
    uint64_t connection; /* 0: none */
    int closed;          /* the code that the server closed it with */
    bool is_known;       /* the server has been told that it is a guest's */
    json_t *heard[4096];
    size_t count, read; /* messages, and those that client_heard() has passed */
    json_t *latest;     /* owned by `heard` */
    json_t *room;       /* the latest `room` */
    char view[65536];   /* its stream, as text; empty: none */
    size_t lines;       /* events in it */
    json_t *due;
    int status; /* of the latest request */
    char *body, type[64];
    size_t bytes;     /* heard in all */
    uint8_t hash[32]; /* over everything that it heard, and when */
};

struct world {
    struct rooms *rooms;
    struct store *store;
    uint64_t now, next_connection;
    uint8_t seed;
    struct rooms_limits limits;
    struct rooms_keep keep; /* set it before a start */
    char *saved;            /* the record that was written last; NULL: none */
    char saved_room[STORE_ROOM_BYTES];
    int saves;                  /* records that were to be written */
    bool is_saving, save_fails; /* one is; the next ones fail */
    bool store_waits;           /* answers only by world_answer() */
    enum store_outcome outcome; /* of the next append, if not STORED; then STORED again */
    bool lies;                  /* the append with outcome UNKNOWN is stored all the same */
    unsigned fails;             /* bit k: the next question of kind k is answered FAILED */
    unsigned unsure;            /* bit k: the next question of kind k is answered UNKNOWN */
    bool bots_wait;             /* they answer by world_think() */
    struct asked {
        struct store_question question;
        struct store_entry *entry;
        char *text[512], *people;
    } * question[WORLD_QUESTIONS];
    size_t first, count;
    struct {
        uint64_t id;
        char *record, *map;
        int seat;
        uint64_t ms, network, maker, whose;
        bool clock;
    } thought[256];
    size_t thoughts;
    uint64_t wake;
    struct client client[WORLD_CLIENTS];
    size_t clients;
    char log[4096]; /* what the operator was told: lines of the server's log, as far as they fit */
    char process[STORE_PROCESS_BYTES];
    struct world *next; /* the next process of those that share the store, in a ring; or itself */
    bool deaf;          /* hears no news of the others; after that, call world_hear_all() */
    struct store_news news[WORLD_NEWS]; /* to be heard */
    size_t heard, news_count;
    struct es_out *script; /* if set: everything that is said and heard is written there */
};

void world_open(struct world *world, uint8_t seed);
/* Opens a second process on the store of one that was opened by this function, or a first one
 * (`first` is NULL) that others can join. */
void world_beside(struct world *world, struct world *first, uint8_t seed);
/* The listener has connected again: everything is read again. */
void world_hear_all(struct world *world);
/* Kills the process without a word: connections and questions are lost. */
void world_kill(struct world *world);
/* After world_kill(): starts it again, with another id. */
void world_start(struct world *world);
void world_close(struct world *world);
/* Restarts the server with what is stored; all connections are lost. */
void world_restart(struct world *world);
/* Lets time pass in all processes, with everything that happens meanwhile. */
void world_pass(struct world *world, uint64_t ms);
/* Lets the store answer one question; false if none waits. */
bool world_answer(struct world *world);
/* Lets a bot answer: the first legal move, or `text`. False if none is asked. */
bool world_think(struct world *world, const char *text);

struct client *world_stranger(struct world *world);
/* A guest with a token. */
struct client *world_guest(struct world *world, const char *name);
/* The same guest and device, as a client of another process. */
struct client *client_at(const struct client *client, struct world *world);
/* Connects to a room, or to the lobby (""), and says hello; `more` are further fields: ",'have':3".
 */
void client_connect(struct client *client, const char *room);
void client_connect_with(struct client *client, const char *room, const char *more);
void client_lose(struct client *client);
void client_say(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Sends exactly these bytes. */
void client_send(struct client *client, struct es_str text);
/* Moves on to the next message of that type; false if there is none. */
bool client_heard(struct client *client, const char *type);
/* The code of the next `no`; "" if there is none. */
const char *client_refused(struct client *client);
/* A request; the answer is in `status` and `body`. */
void client_request(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same; the answer comes later. client_lose() ends it. */
void client_begin_request(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Like client_request(), as a message of the operator. */
void client_command(struct client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *client_text(const struct client *client, const char *field); /* of `latest` */
long client_int(const struct client *client, const char *field);

/* Makes a room with this setup (and further fields) and returns its id. */
const char *world_room(struct client *host, const char *setup, const char *more);
/* Sits down with a word of the client's own. */
void client_sit(struct client *client, int seat);
/* Sends its word. */
void client_word(struct client *client);
/* Plays the first legal move of the client's view, if it is due; false if it is not. */
bool client_move(struct client *client);
/* Lets everybody who is connected play until the game is over. */
void world_play(struct world *world);

#endif
