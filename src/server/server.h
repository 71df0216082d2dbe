/* The server: sockets, connections and HTTP, by libwebsockets on a libev loop. Nothing else in the
 * project knows these libraries; what is answered is decided by a function that sees requests and
 * answers only, so that it can be tested without sockets.
 */
#ifndef ENDSTATION_SERVER_H
#define ENDSTATION_SERVER_H

#include <stdbool.h>
#include <stddef.h>

enum { SERVER_FAULT_BYTES = 300, SERVER_TAG_BYTES = 40, SERVER_PATH_MAX = 1000 };

enum server_method { SERVER_GET, SERVER_HEAD, SERVER_OTHER };

/* All texts are there until the answer is given; a header that is missing is empty. */
struct server_request {
    enum server_method method;
    const char *path; /* decoded; begins with '/', and ends before any '?' */
    const char *accept_encoding;
    const char *if_none_match;
};

struct server_answer {
    int status;
    const char *type;           /* of the content */
    const char *encoding;       /* "br", "gzip", or NULL: as it is */
    const char *cache;          /* Cache-Control */
    char tag[SERVER_TAG_BYTES]; /* ETag with its quotes, or empty */
    bool varies;                /* other encodings would have been possible */
    const void *bytes;          /* the content; said but not sent to HEAD */
    size_t size;
    void *owned; /* freed when all is sent, or NULL */
};

struct server_options {
    const char *address; /* to listen on; NULL: only for this machine */
    unsigned port;       /* 0: any that is free */
    void (*answer)(void *context, const struct server_request *request,
                   struct server_answer *answer);
    void *context;
};

struct server;

/* Listens. NULL with the reason, a sentence without its end, if that is not possible. There is one
 * server in a process, because signals are. */
struct server *server_open(const struct server_options *options, char fault[SERVER_FAULT_BYTES]);
unsigned server_port(const struct server *server);
/* Answers until SIGINT or SIGTERM comes. */
void server_run(struct server *server);
/* Hangs up on everybody. */
void server_close(struct server *server);

#endif
