/* The server's sockets: HTTP requests and WebSocket connections, with libwebsockets on a libev
 * loop. No other part of the project uses these libraries. Requests and messages are handed to
 * callbacks as plain values, so that the rest can be tested without sockets.
 *
 * Everything happens in the thread that calls server_run(), except server_post(), which any thread
 * may call.
 */
#ifndef ENDSTATION_SERVER_H
#define ENDSTATION_SERVER_H

#include "core/times.h"
#include <endstation/text.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SERVER_FAULT_BYTES = 300,
    SERVER_TAG_BYTES = 40,
    SERVER_PATH_MAX = 1000,
    SERVER_NETWORK_SHARE = 4,      /* connections of a network, for one of an address */
    SERVER_MESSAGE_MAX = 8192,     /* bytes of a message from a client; 1009 for more */
    SERVER_QUEUE_MAX = 256 * 1024, /* bytes queued for a client; with more it is disconnected */
    SERVER_QUEUES_MAX = 64 << 20,  /* … for all clients; with more whoever has most is */
    SERVER_ORIGINS_MAX = 8,
    SERVER_KEY_BYTES = 32,
};

enum server_method { SERVER_GET, SERVER_HEAD, SERVER_POST, SERVER_UPGRADE, SERVER_OTHER };

/* A request, or the handshake of a WebSocket (SERVER_UPGRADE). Texts are valid until the callback
 * returns; a missing header is empty. */
struct server_request {
    enum server_method method;
    const char *path; /* decoded; begins with '/', and ends before any '?' */
    const char *accept_encoding;
    const char *if_none_match;
    uint64_t connection; /* a number that is never used twice: of this request, or of the WebSocket
                            that it opens */
    const char *args;    /* what follows '?': decoded texts `name=value`, each with its terminating
                            zero; an empty one ends them. NULL: none */
    const char *cookie, *authorization, *content_type;
    uint64_t address;   /* a keyed hash of the client's IPv4 address or IPv6 /64 network … */
    uint64_t network;   /* … and of the /24 or /48 network that it is in */
    bool foreign;       /* sent by a page of another origin */
    bool direct;        /* from this machine, not through a proxy, to a name of this machine, and
                           with its path written in the usual way */
    bool secure;        /* came by https, according to a trusted proxy */
    struct es_str body; /* of SERVER_POST; `at` is NULL as long as it has not been read … */
    size_t length;      /* … and then this is its size, as its headers say */
};

/* Statuses with a meaning of their own. */
enum {
    SERVER_LATER = 0,    /* server_reply() will be called */
    SERVER_READ = 100,   /* read a body of at most `size` bytes, then call again; `type`, `cache`
                            and `bytes`, a zero-terminated text, are the answer if it is refused */
    SERVER_ACCEPT = 101, /* open the WebSocket */
};

struct server_answer {
    int status;
    const char *type;           /* of the content */
    const char *encoding;       /* "br", "gzip", or NULL: none */
    const char *cache;          /* Cache-Control */
    char tag[SERVER_TAG_BYTES]; /* ETag with its quotes, or empty */
    bool varies;                /* the answer depends on Accept-Encoding */
    unsigned retry_after;       /* seconds after which to ask again; 0: nothing is said */
    const char *allow;          /* of status 405: the methods; NULL: GET, HEAD */
    char cookie[200];           /* Set-Cookie, or empty; where the request came by https `; Secure`
                                   is added */
    const void *bytes;          /* the content; not sent for HEAD */
    size_t size;
    void *owned; /* freed when all is sent, or NULL */
};

/* Callbacks. All but `answer` may be NULL. They may call every function below except server_run()
 * and server_close(). */
struct server_events {
    void (*answer)(void *context, const struct server_request *request,
                   struct server_answer *answer);
    /* A WebSocket that was accepted is open. */
    void (*opened)(void *context, const struct server_request *request);
    /* A whole message: text, valid UTF-8. */
    void (*message)(void *context, uint64_t connection, struct es_str text);
    /* A WebSocket is closed, for any reason; or the connection of a request without an answer is
     * lost. */
    void (*gone)(void *context, uint64_t connection);
    void (*woken)(void *context);  /* the time set by server_wake() has come */
    void (*posted)(void *context); /* after server_post(), once for any number of calls */
    /* A signal has come. Call server_finish() when all work is done; the server ends without that
     * after a few seconds. Without this callback it ends at the signal. */
    void (*stopping)(void *context);
};

struct server_options {
    const char *address;   /* to listen on; NULL: this machine only */
    unsigned port;         /* 0: any that is free */
    const char *unix_path; /* listen on this Unix socket instead; NULL: do not */
    bool trust_proxy;      /* believe X-Forwarded-For and X-Forwarded-Proto; from a Unix socket we
                              always do */
    const char *origin[SERVER_ORIGINS_MAX]; /* other origins whose pages may send requests */
    uint32_t of_address; /* connections that an address may have, WebSockets not counted; more are
                            closed. A network (/24, or /48 of IPv6) may have SERVER_NETWORK_SHARE
                            times as many. Those from a proxy are not counted. 0: any number */
    bool shared;         /* other processes serve the same clients: after a signal, new connections
                            are refused instead of waiting for the next start */
    unsigned ping_ms;    /* a silent client is sent a ping after this time (0: 25 s) */
    unsigned silence_ms; /* a silent client is disconnected after this time (0: 40 s) */
    unsigned stuck_ms;   /* so is one who reads nothing of what waits for it (0: 20 s) */
    size_t queues_max;   /* 0: SERVER_QUEUES_MAX */
    const struct server_events *events;
    void *context;
};

/* Figures since the start. */
struct server_counts {
    uint64_t connections;  /* open sockets */
    uint64_t most;         /* of them that are possible */
    uint64_t most_http;    /* of them that are possible and no WebSockets */
    uint64_t most_sockets; /* WebSockets that are possible: the rest is for HTTP */
    uint64_t sockets;      /* open WebSockets */
    uint64_t requests, handshakes, messages, sent, sent_bytes;
    struct es__times answers; /* from requests, with their bodies, to answers */
    uint64_t rounds;          /* of the loop: how often it waited for something to happen */
    uint64_t crowds;    /* disconnected because their address or network has too many connections */
    uint64_t displaced; /* disconnected or refused because places were short */
    uint64_t slow;      /* disconnected because they did not read */
    uint64_t queued;    /* bytes that wait for WebSockets; a text for many counts once */
    uint64_t silent;    /* disconnected because they did not answer a ping */
    uint64_t wrong;     /* disconnected because they sent something that is not a message */
};

struct server;

/* Opens a server that listens. On failure returns NULL and writes the reason (without a full stop)
 * to `fault`. At most one per process, because of signals. */
struct server *server_open(const struct server_options *options, char fault[SERVER_FAULT_BYTES]);
/* Sets the key for hashes of addresses; call it before server_run(). Without it the key is random.
 */
void server_set_key(struct server *server, const uint8_t key[SERVER_KEY_BYTES]);
/* Returns the port; 0 on a Unix socket. */
unsigned server_port(const struct server *server);
/* From here on SIGINT and SIGTERM are for server_run(); before, they end the process. */
void server_take_signals(struct server *server);
/* Serves until SIGINT or SIGTERM. Returns false if a second one came, which ends it at once; after
 * that signals end the process again. */
bool server_run(struct server *server);
/* Closes all connections and frees the server, without calling callbacks. */
void server_close(struct server *server);

/* Sends a text to WebSockets; those that are gone are skipped. The text is copied once. */
void server_send(struct server *server, const uint64_t *connection, size_t count,
                 struct es_str text);
/* Closes a WebSocket with a code, after all messages in its queue. `gone` follows. */
void server_hang_up(struct server *server, uint64_t connection, int code);
/* Says that a WebSocket belongs to somebody known: strangers of its address make room before it. */
void server_know(struct server *server, uint64_t connection);
/* Answers a request whose answer was SERVER_LATER. Takes over `answer->owned`. */
void server_reply(struct server *server, uint64_t connection, const struct server_answer *answer);
/* Calls `woken` once after `ms` milliseconds instead of any time set before; -1: never. */
void server_wake(struct server *server, int64_t ms);
/* Calls `posted` soon. Any thread may call this while the server is open. */
void server_post(struct server *server);
/* After `stopping`: closes all WebSockets with 1001 and lets server_run() return when all are
 * closed and all requests answered, or after a few seconds. */
void server_finish(struct server *server);
const struct server_counts *server_counts(const struct server *server);

#endif
