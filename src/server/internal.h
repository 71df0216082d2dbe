/* Declarations shared by the files of the server that use libwebsockets: server.c (the loop),
 * connection.c, line.c (the first line of a request), request.c (reading headers), exchange.c
 * (HTTP) and websocket.c. */
#ifndef ENDSTATION_SERVER_INTERNAL_H
#define ENDSTATION_SERVER_INTERNAL_H

#include "server/listen.h"
#include "server/server.h"
#include "server/visitors.h"
#include <ev.h>
#include <libwebsockets.h>
#include <sys/uio.h>

enum {
    HEADERS_BYTES =
        16384,           /* of a request; large, since all ports of localhost share their cookies */
    PIECE_BYTES = 65539, /* the most that one write to a WebSocket hands to libwebsockets */
    SECONDS_STUCK = 20,  /* a request or an answer without progress ends the connection */
};

/* A connection is on at most one list of each kind. */
enum list_kind {
    LIST_TURN,    /* of those who have to do something next: awaited, replies, heard, asked */
    LIST_ADDRESS, /* of those of an address */
    LIST_UNSENT,  /* WebSockets that wait until the socket has room */
    LIST_KINDS
};
struct place {
    struct list *list; /* NULL: on none */
    struct connection *before, *after;
    double since; /* when it was put there */
};

/* A text in WebSocket frames, shared by all queues that contain it. */
struct parcel {
    unsigned users;
    size_t size;
    unsigned char bytes[];
};

/* A client's connection. Made at its first request. */
struct connection {
    struct server *server;
    struct lws *wsi;
    uint64_t id;   /* of the WebSocket, or of the request being answered; 0: none */
    uint32_t slot; /* in server->slot */
    struct place place[LIST_KINDS];
    struct visitors *visitors; /* among which it is counted … */
    struct visitor *visitor;   /* … for this address; NULL: for nobody's */

    /* HTTP: the next request, before libwebsockets reads it (line.c). */
    struct ev_io line;
    struct ev_timer look; /* at headers that come in pieces, again … */
    double pause;   /* … after so many seconds; 0: they do not, and libwebsockets may read */
    bool has_asked; /* this is not the first */
    bool seen;      /* its headers were looked at, and are written in the usual way */
    long extra;     /* bytes that came with its headers and are neither of them nor of its body; -1:
                 nobody knows. With 0 the next request begins at the next byte */

    /* An answer that could not be sent in one go. */
    struct ev_io room;     /* watches until the socket is writable again */
    struct iovec parts[2]; /* the unsent rest of its head and its content */
    void *head, *owned;    /* to be freed */
    bool held;             /* the next request is not read yet */
    bool last;             /* close the connection after this answer */
    bool head_only;        /* the request is HEAD */
    bool secure;           /* the request came by https */
    bool waiting;          /* server_reply() has not been called yet */
    uint64_t asked;        /* when the request was complete, in microseconds */
    char *body;            /* of a request, as far as it has been received */
    size_t body_size, body_room;
    struct server_answer *reply; /* from server_reply(), not sent yet */

    /* WebSocket. */
    bool open;
    bool is_known; /* server_know() was called */
    bool doomed;   /* to be closed: nothing more is sent or taken */
    bool parted;   /* the close is sent: what still comes is thrown away until the client closes */
    bool wants_ping;
    int code;      /* close with this code when the queue is sent; 0: do not */
    bool is_left;  /* the client has closed: nothing more comes */
    size_t thrown; /* bytes received after the code was set */
    struct ev_io reads;
    unsigned char frame[14]; /* the head of the frame that is being received … */
    size_t frame_size;
    uint64_t left, unmasked; /* … and of its content what is still to come, and what has come */
    unsigned char control[125]; /* the content of a frame that is no message */
    size_t control_size;
    unsigned char pong[127]; /* to be sent; pong[0] 0: none */
    bool is_fragmented;      /* a message has begun, and its last frame has not */
    int empties;             /* frames without content in this message */
    char *input;             /* what has been received of a message that did not come at once */
    size_t input_size;
    struct parcel **queue;
    size_t queue_first, queue_count, queue_room;
    size_t queued; /* bytes */
    size_t offset; /* bytes of the first parcel that are sent */
    size_t copied; /* bytes handed to libwebsockets that it may still have; 0: it has none */
};

struct server {
    struct server_options options;
    struct listener listener;
    struct ev_loop *loop;
    struct lws_context *library;
    struct lws_vhost *host;
    struct ev_io accept_watcher[LISTEN_MAX];
    struct ev_timer pause, tick, wake, stop;
    struct ev_async post;
    struct ev_prepare prepare;
    struct ev_signal signal[2];
    struct server_counts counts;
    int most;       /* connections at a time */
    bool paused;    /* not accepting connections */
    bool stopping;  /* a signal came */
    bool hurried;   /* … and another */
    bool finishing; /* server_finish() was called */
    bool closed;    /* no more callbacks */
    uint8_t key[SERVER_KEY_BYTES];
    /* Connections by the lower bits of their numbers. */
    struct connection **slot;
    uint32_t *free_slot;
    uint32_t slots, free_slots;
    uint64_t serial;
    /* HTTP connections whose clients have to do something: send a request or the rest of one, or
     * read an answer. */
    struct list awaited;
    struct list replies; /* connections with a `reply` to be sent */
    /* WebSockets of strangers, and of those who are known: who has sent something since the last
     * ping, and who has not answered a ping yet. */
    struct list heard[2], asked[2];
    struct list unsent; /* WebSockets that wait for room, by how long */
    size_t waiting;     /* requests without an answer */
    size_t sending;     /* answers that could not be sent in one go, and are not sent yet */
    size_t parted;      /* WebSockets that have been sent a close and are still connected */
    struct visitors https, sockets; /* those who have connections that are no WebSockets, or are */
};

/* ---- connection.c --------------------------------------------------------------------------- */

bool connection_table_open(struct server *server, uint32_t slots);
void connection_table_close(struct server *server);
/* Returns the client's connection, or NULL if none was made. */
struct connection *connection_of(struct lws *wsi);
/* Returns the client's connection; makes it if there is none. NULL: no memory or no free slot. */
struct connection *connection_make(struct lws *wsi);
void connection_free(struct connection *connection);
/* Gives a connection a new number. */
void connection_number(struct connection *connection);
struct connection *connection_find(struct server *server, uint64_t id);
/* Moves a connection to the end of a list of this kind; NULL: to none. */
void connection_put(struct connection *connection, enum list_kind kind, struct list *list);
/* Counts a connection for an address, and no longer for the one before; NULL: for none. */
void connection_count(struct connection *connection, struct visitors *visitors,
                      struct visitor *visitor);
/* Takes the connection's number away and calls `gone` if the callbacks know it. */
void connection_gone(struct connection *connection);

/* ---- request.c ------------------------------------------------------------------------------ */

/* The texts of a request. */
struct request_texts {
    char path[HEADERS_BYTES], accept[1024], none_match[1024], cookie[HEADERS_BYTES],
        authorization[200], type[200], args[1200];
};

/* Fills in a request from the headers that libwebsockets has read. Returns false if its path is
 * malformed. */
bool request_read(struct server *server, struct lws *wsi, struct server_request *request,
                  struct request_texts *texts);
/* Sets keyed hashes of the address that a socket is connected to, and of its network: /24, or /48
 * of IPv6. */
void request_peer(const struct server *server, int file, uint64_t *address, uint64_t *network);
/* Returns how many bytes follow the headers; -1: an unknown number; -2: Content-Length is
 * malformed. */
long request_body(struct lws *wsi);

/* ---- line.c --------------------------------------------------------------------------------- */

/* Begins to wait for the next request. */
void line_await(struct connection *connection);
void line_stop(struct connection *connection);

/* ---- exchange.c ----------------------------------------------------------------------------- */

extern const struct lws_protocol_vhost_options exchange_headers[];

int exchange_callback(struct server *server, struct lws *wsi, enum lws_callback_reasons reason,
                      void *in, size_t size);
/* Writes a refusal with the usual headers by hand, for where libwebsockets cannot, and returns its
 * size. `status` is what follows the version. */
enum { REFUSAL_BYTES = 3584 };
size_t exchange_refusal(char text[REFUSAL_BYTES], const char *status, const char *sentence);
/* Frees a request's body and answer, sent or not. */
void exchange_forget(struct connection *connection);
/* Sends the answers that server_reply() has stored. */
void exchange_replies(struct server *server);
/* Disconnects clients that have been awaited for too long. */
void exchange_tick(struct server *server);
/* Disconnects a client that is awaited: of the network, and in it of the address, which have most
 * connections, the one that has been awaited longest. Where nobody has many, that is the one that
 * has been awaited longest of all. Returns false if none is. */
bool exchange_make_room(struct server *server);

/* ---- websocket.c ---------------------------------------------------------------------------- */

int websocket_callback(struct server *server, struct lws *wsi, enum lws_callback_reasons reason);
/* Frees a WebSocket's queue and the parts of an unfinished message. */
void websocket_forget(struct connection *connection);
void websocket_close(struct connection *connection, int code);
/* Returns true if there is a place for another WebSocket of an address; if need be disconnects one
 * of those who have most. */
bool websocket_place(struct server *server, uint64_t address, uint64_t network);
/* Sends pings to silent clients, and disconnects those that do not answer or do not read. */
void websocket_tick(struct server *server);

/* ---- server.c ------------------------------------------------------------------------------- */

double server_now(const struct server *server);
/* Ends the loop if everything that server_finish() waits for is done. */
void server_check_finished(struct server *server);

#endif
