/* The HTTP server: sockets and connections, with libwebsockets on a libev loop. No other part of
 * the project uses these libraries. A callback turns requests into answers, so that it can be
 * tested without sockets.
 */
#ifndef ENDSTATION_SERVER_H
#define ENDSTATION_SERVER_H

#include <stdbool.h>
#include <stddef.h>

enum { SERVER_FAULT_BYTES = 300, SERVER_TAG_BYTES = 40, SERVER_PATH_MAX = 1000 };

enum server_method { SERVER_GET, SERVER_HEAD, SERVER_OTHER };

/* A request. Texts are valid until the callback returns; a missing header is empty. */
struct server_request {
    enum server_method method;
    const char *path; /* decoded; begins with '/', and ends before any '?' */
    const char *accept_encoding;
    const char *if_none_match;
};

struct server_answer {
    int status;
    const char *type;           /* of the content */
    const char *encoding;       /* "br", "gzip", or NULL: none */
    const char *cache;          /* Cache-Control */
    char tag[SERVER_TAG_BYTES]; /* ETag with its quotes, or empty */
    bool varies;                /* the answer depends on Accept-Encoding */
    const void *bytes;          /* the content; not sent for HEAD */
    size_t size;
    void *owned; /* freed when all is sent, or NULL */
};

struct server_options {
    const char *address; /* to listen on; NULL: this machine only */
    unsigned port;       /* 0: any that is free */
    void (*answer)(void *context, const struct server_request *request,
                   struct server_answer *answer);
    void *context;
};

struct server;

/* Opens a server that listens. On failure returns NULL and writes the reason (without a full stop)
 * to `fault`. At most one per process, because of signals. */
struct server *server_open(const struct server_options *options, char fault[SERVER_FAULT_BYTES]);
unsigned server_port(const struct server *server);
/* Answers requests until SIGINT or SIGTERM. */
void server_run(struct server *server);
/* Closes all connections and frees the server. */
void server_close(struct server *server);

#endif
