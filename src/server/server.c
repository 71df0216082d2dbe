/* Connections come from sockets of our own and are handed to libwebsockets; the loop and the
 * signals are ours too. So the server refuses before descriptors run out, ends when it is told to,
 * and libwebsockets looks connections up by their number (with a limit of its own set below the
 * system's, it would search its whole table at every event).
 */
#include "server/server.h"
#include "server/listen.h"
#include <errno.h>
#include <ev.h>
#include <libwebsockets.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>

enum {
    FILES_MAX = 16384,      /* descriptors that we ask for */
    FILES_SPARE = 64,       /* … and keep for everything that is no connection */
    HEADERS_BYTES = 16384,  /* of a request; localhost has the cookies of everything else there */
    HEADERS_AT_ONCE = 4096, /* requests being read */
    HEADER_BYTES = 1024,    /* of each header that we look at */
    HEAD_BYTES = 3072,      /* of an answer */
    ACCEPT_AT_ONCE = 64,
    SECONDS_IDLE = 15,  /* between requests */
    SECONDS_STUCK = 20, /* while a request or an answer is under way and nothing moves */
};

struct server {
    struct server_options options;
    struct listener listener;
    struct ev_loop *loop;
    struct lws_context *library;
    struct lws_vhost *host;
    struct ev_io door[LISTEN_MAX];
    struct ev_timer pause, tick;
    struct ev_signal signal[2];
    int connections, most;
    bool shut; /* the doors are */
};

/* An answer under way that the other side was too slow to take at once. */
struct connection {
    struct lws *wsi;
    struct ev_loop *loop;
    struct ev_io room;     /* for more of it */
    struct iovec parts[2]; /* what is left of its head and its content */
    void *head, *owned;    /* to be freed */
    bool held;             /* the next request waits for it */
    bool last;             /* it is the end of the connection */
};

/* ---- Headers of every answer, also of those that libwebsockets gives by itself --------------- */

#define HEADER(next, name, value)                                                                  \
    {                                                                                              \
        next, NULL, name, value                                                                    \
    }
static const struct lws_protocol_vhost_options headers[] = {
    HEADER(&headers[1], "content-security-policy:",
           "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
           "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
           "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    HEADER(&headers[2], "x-content-type-options:", "nosniff"),
    HEADER(&headers[3], "referrer-policy:", "no-referrer"),
    HEADER(&headers[4], "cross-origin-opener-policy:", "same-origin"),
    HEADER(&headers[5], "cross-origin-resource-policy:", "same-origin"),
    HEADER(NULL, "permissions-policy:",
           "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
           "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"),
};

/* ---- Answers --------------------------------------------------------------------------------- */

struct head {
    struct lws *wsi;
    unsigned char *at, *end;
    bool full;
};

static void put(struct head *head, const char *name, const char *value)
{
    if (lws_add_http_header_by_name(head->wsi, (const unsigned char *)name,
                                    (const unsigned char *)value, (int)strlen(value), &head->at,
                                    head->end))
        head->full = true;
}

static void put_head(struct head *head, const struct server_answer *answer, bool last)
{
    if (lws_add_http_header_status(head->wsi, (unsigned)answer->status, &head->at, head->end))
        head->full = true;
    if (answer->status != 304) {
        put(head, "content-type:", answer->type);
        if (lws_add_http_header_content_length(head->wsi, answer->size, &head->at, head->end))
            head->full = true;
    }
    put(head, "cache-control:", answer->cache);
    if (answer->tag[0])
        put(head, "etag:", answer->tag);
    if (answer->encoding && answer->status != 304)
        put(head, "content-encoding:", answer->encoding);
    if (answer->varies)
        put(head, "vary:", "accept-encoding");
    if (answer->status == 405)
        put(head, "allow:", "GET, HEAD");
    if (last)
        put(head, "connection:", "close");
    if (lws_finalize_http_header(head->wsi, &head->at, head->end))
        head->full = true;
}

static void forget(struct connection *connection)
{
    if (!connection)
        return;
    if (connection->held)
        ev_io_stop(connection->loop, &connection->room);
    free(connection->head);
    free(connection->owned);
    *connection = (struct connection){0};
}

/* Hands as much as possible of two parts to the system; how that went, as errno would say it.
 * EAGAIN also if all is sent but there is no room for more: libwebsockets waits for that room
 * before it takes the next request, and is woken all the time if one is there. */
static int push(int file, struct iovec *parts)
{
    while (parts[0].iov_len + parts[1].iov_len > 0) {
        const struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
        ssize_t sent = sendmsg(file, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno;
        for (int i = 0; i < 2; i++) {
            size_t size = (size_t)sent < parts[i].iov_len ? (size_t)sent : parts[i].iov_len;
            parts[i].iov_base = (char *)parts[i].iov_base + size;
            parts[i].iov_len -= size;
            sent -= (ssize_t)size;
        }
    }
    struct pollfd room = {.fd = file, .events = POLLOUT};
    return poll(&room, 1, 0) == 1 ? 0 : EAGAIN;
}

/* There is room for more of an answer. */
static void on_room(struct ev_loop *loop, struct ev_io *watcher, int events)
{
    (void)loop;
    (void)events;
    struct connection *connection = watcher->data;
    struct lws *wsi = connection->wsi;
    int fault = push(watcher->fd, connection->parts);
    if (fault == EAGAIN) {
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SECONDS_STUCK);
        return;
    }
    bool last = fault != 0 || connection->last;
    forget(connection);
    lws_rx_flow_control(wsi, 1);
    if (last || lws_http_transaction_completed(wsi))
        lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_SYNC);
}

/* Begins an answer, and as a rule ends it too; what libwebsockets wants to hear. It does not write
 * itself: it would copy what cannot be sent at once, and ask all the time for a next request that
 * it does not yet take. `last`: the connection ends with it. */
static int send_answer(struct server *server, struct lws *wsi, struct connection *connection,
                       const struct server_answer *answer, bool body, bool last)
{
    unsigned char buffer[LWS_PRE + HEAD_BYTES];
    unsigned char *start = buffer + LWS_PRE;
    struct head head = {wsi, start, start + HEAD_BYTES, false};
    put_head(&head, answer, last);
    connection->owned = answer->owned;
    if (head.full)
        return -1;
    connection->parts[0] = (struct iovec){start, (size_t)(head.at - start)};
    connection->parts[1] = (struct iovec){(void *)answer->bytes, body ? answer->size : 0};
    int file = lws_get_socket_fd(wsi), fault = push(file, connection->parts);
    if (fault == 0) {
        forget(connection);
        return last || lws_http_transaction_completed(wsi) ? -1 : 0;
    }
    if (fault != EAGAIN)
        return -1;
    struct iovec *rest = &connection->parts[0];
    connection->head = rest->iov_len > 0 ? malloc(rest->iov_len) : NULL;
    if (rest->iov_len > 0 && !connection->head)
        return -1;
    if (rest->iov_len > 0)
        rest->iov_base = memcpy(connection->head, rest->iov_base, rest->iov_len);
    connection->wsi = wsi;
    connection->loop = server->loop;
    connection->last = last;
    connection->held = true;
    lws_rx_flow_control(wsi, 0);
    lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, SECONDS_STUCK);
    ev_io_init(&connection->room, on_room, file, EV_WRITE);
    connection->room.data = connection;
    ev_io_start(server->loop, &connection->room);
    return 0;
}

/* ---- Requests -------------------------------------------------------------------------------- */

/* Copies a header; one that is missing or longer than we care for becomes empty. */
static const char *copy(struct lws *wsi, enum lws_token_indexes token, char text[HEADER_BYTES])
{
    if (lws_hdr_copy(wsi, text, HEADER_BYTES, token) < 0)
        text[0] = '\0';
    return text;
}

/* Whether something follows the headers: we read nothing of it. */
static bool has_body(struct lws *wsi)
{
    char text[HEADER_BYTES];
    copy(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text);
    return (text[0] && strcmp(text, "0") != 0) ||
           lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH) >= HEADER_BYTES ||
           lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0;
}

static int refuse(struct server *server, struct lws *wsi, struct connection *connection, int status,
                  const char *sentence)
{
    const struct server_answer answer = {.status = status,
                                         .type = "text/plain; charset=utf-8",
                                         .cache = "no-store",
                                         .bytes = sentence,
                                         .size = strlen(sentence)};
    return send_answer(server, wsi, connection, &answer, true, true);
}

static int take_request(struct server *server, struct lws *wsi, struct connection *connection,
                        const char *path, size_t size)
{
    forget(connection);
    /* Shorter than it should be: there is a zero in it, or '&', which libwebsockets takes for an
     * end. */
    if (!path || path[0] != '/' || strlen(path) != size)
        return refuse(server, wsi, connection, 400, "No address looks like this.\n");
    char accept[HEADER_BYTES], none_match[HEADER_BYTES];
    struct server_request request = {
        .method = lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) > 0    ? SERVER_GET
                  : lws_hdr_total_length(wsi, WSI_TOKEN_HEAD_URI) > 0 ? SERVER_HEAD
                                                                      : SERVER_OTHER,
        .path = path,
        .accept_encoding = copy(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, accept),
        .if_none_match = copy(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, none_match)};
    bool body = has_body(wsi);
    if (body && request.method != SERVER_OTHER)
        return refuse(server, wsi, connection, 413, "Nothing may be sent here.\n");
    struct server_answer answer = {0};
    server->options.answer(server->options.context, &request, &answer);
    return send_answer(server, wsi, connection, &answer, request.method != SERVER_HEAD,
                       body || request.method == SERVER_OTHER);
}

/* What is not HTTP at all, or begins with a method that libwebsockets does not know. It gets the
 * same headers, written by hand: this connection is no longer one of HTTP. */
static int refuse_stranger(struct lws *wsi, const char *bytes, size_t size)
{
    size_t word = 0;
    while (word < size && word < 20 && bytes[word] >= 'A' && bytes[word] <= 'Z')
        word++;
    bool method = word > 0 && word + 1 < size && bytes[word] == ' ' && bytes[word + 1] == '/';
    unsigned char buffer[LWS_PRE + HEAD_BYTES];
    char *text = (char *)buffer + LWS_PRE;
    size_t used =
        (size_t)snprintf(text, HEAD_BYTES, "HTTP/1.1 %s\r\n",
                         method ? "405 Method Not Allowed\r\nallow: GET, HEAD" : "400 Bad Request");
    for (const struct lws_protocol_vhost_options *h = headers; h; h = h->next)
        used += (size_t)snprintf(text + used, HEAD_BYTES - used, "%s %s\r\n", h->name, h->value);
    used += (size_t)snprintf(text + used, HEAD_BYTES - used,
                             "cache-control: no-store\r\nconnection: close\r\n"
                             "content-length: 0\r\n\r\n");
    lws_write(wsi, (unsigned char *)text, used, LWS_WRITE_RAW);
    return -1;
}

static void open_doors(struct server *server)
{
    if (!server->shut)
        return;
    server->shut = false;
    for (int i = 0; i < server->listener.count; i++)
        ev_io_start(server->loop, &server->door[i]);
}

static void shut_doors(struct server *server)
{
    server->shut = true;
    for (int i = 0; i < server->listener.count; i++)
        ev_io_stop(server->loop, &server->door[i]);
}

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t size)
{
    struct server *server = lws_context_user(lws_get_context(wsi));
    struct connection *connection = user;
    switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
        server->connections++;
        if (!ev_is_active(&server->tick))
            ev_timer_again(server->loop, &server->tick);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        server->connections--;
        if (server->connections < server->most && !ev_is_active(&server->pause))
            open_doors(server);
        return 0;
    case LWS_CALLBACK_HTTP:
        return take_request(server, wsi, connection, in, size);
    case LWS_CALLBACK_HTTP_BODY:
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return -1;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        /* HTTP/1.1 and no rooms: nothing to change to. Where libwebsockets has refused already
         * there is no header any more. */
        if (lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) > 0)
            lws_return_http_status(wsi, HTTP_STATUS_NOT_FOUND, NULL);
        return -1;
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
        forget(connection);
        return 0;
    case LWS_CALLBACK_RAW_RX:
        return refuse_stranger(wsi, in, size);
    default:
        return 0;
    }
}

/* ---- Connections ----------------------------------------------------------------------------- */

static void on_door(struct ev_loop *loop, struct ev_io *watcher, int events)
{
    (void)events;
    struct server *server = watcher->data;
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        if (server->connections >= server->most) {
            shut_doors(server); /* who comes now waits in the system's queue */
            return;
        }
        int file = accept4(watcher->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (file >= 0) {
            lws_adopt_socket_vhost(server->host, file); /* closes it if it fails */
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            /* The whole system is short of something; asking again at once would not help. */
            shut_doors(server);
            ev_timer_set(&server->pause, 0.2, 0);
            ev_timer_start(loop, &server->pause);
            return;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return;
        }
    }
}

static void on_pause_over(struct ev_loop *loop, struct ev_timer *watcher, int events)
{
    (void)loop;
    (void)events;
    open_doors(watcher->data);
}

/* Makes libwebsockets look at its time limits: on a loop where nothing else happens it does so late
 * (version 4.1 changes a timer that runs, which libev does not allow). */
static void on_tick(struct ev_loop *loop, struct ev_timer *watcher, int events)
{
    (void)events;
    struct server *server = watcher->data;
    if (server->connections > 0)
        lws_cancel_service(server->library);
    else
        ev_timer_stop(loop, watcher);
}

static void on_signal(struct ev_loop *loop, struct ev_signal *watcher, int events)
{
    (void)watcher;
    (void)events;
    ev_break(loop, EVBREAK_ALL);
}

/* ---- Beginning and end ----------------------------------------------------------------------- */

/* The library's last complaint, for the reason why it would not start. */
static char complaint[160];

static void on_log(int level, const char *line)
{
    (void)level;
    snprintf(complaint, sizeof complaint, "%.*s", (int)strcspn(line, "\n"), line);
}

/* How many connections there may be. The limit is set, and not only raised, because libwebsockets
 * makes tables as large as it. */
static int most_connections(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 256;
    limit.rlim_cur = limit.rlim_max < FILES_MAX ? limit.rlim_max : FILES_MAX;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit.rlim_cur > 2 * FILES_SPARE ? (int)limit.rlim_cur - FILES_SPARE : FILES_SPARE;
}

static bool start_library(struct server *server, char fault[SERVER_FAULT_BYTES])
{
    static const struct lws_protocols protocols[] = {
        {.name = "http", .callback = callback, .per_session_data_size = sizeof(struct connection)},
        {0},
    };
    void *loops[] = {server->loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .headers = headers,
        .user = server,
        .foreign_loops = loops,
        .options = LWS_SERVER_OPTION_LIBEV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS |
                   LWS_SERVER_OPTION_FALLBACK_TO_APPLY_LISTEN_ACCEPT_CONFIG,
        .listen_accept_role = "raw-skt",
        .listen_accept_protocol = "http",
        .vhost_name = "endstation",
        .server_string = "endstation",
        .max_http_header_data = HEADERS_BYTES,
        .max_http_header_pool = HEADERS_AT_ONCE,
        .timeout_secs = SECONDS_STUCK,
        .timeout_secs_ah_idle = SECONDS_STUCK,
        .keepalive_timeout = SECONDS_IDLE,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
    };
    lws_set_log_level(LLL_ERR, on_log);
    server->library = lws_create_context(&info);
    if (!server->library) {
        snprintf(fault, SERVER_FAULT_BYTES,
                 "libwebsockets does not start with libev (is the package libwebsockets-evlib-ev "
                 "there?): %s",
                 complaint);
        return false;
    }
    server->host = lws_create_vhost(server->library, &info);
    if (!server->host) {
        snprintf(fault, SERVER_FAULT_BYTES, "libwebsockets does not start: %s", complaint);
        return false;
    }
    return true;
}

struct server *server_open(const struct server_options *options, char fault[SERVER_FAULT_BYTES])
{
    struct server *server = calloc(1, sizeof *server);
    if (!server) {
        snprintf(fault, SERVER_FAULT_BYTES, "not enough memory");
        return NULL;
    }
    server->options = *options;
    server->most = most_connections();
    if (!listen_open(&server->listener, options->address, options->port, fault)) {
        free(server);
        return NULL;
    }
    ev_timer_init(&server->pause, on_pause_over, 0, 0);
    ev_timer_init(&server->tick, on_tick, 0, 1.0);
    server->pause.data = server->tick.data = server;
    server->loop = ev_loop_new(EVFLAG_AUTO);
    if (!server->loop) {
        snprintf(fault, SERVER_FAULT_BYTES, "libev finds no way to wait for connections");
    } else if (start_library(server, fault)) {
        static const int signals[] = {SIGINT, SIGTERM};
        for (int i = 0; i < 2; i++) {
            ev_signal_init(&server->signal[i], on_signal, signals[i]);
            ev_signal_start(server->loop, &server->signal[i]);
        }
        for (int i = 0; i < server->listener.count; i++) {
            ev_io_init(&server->door[i], on_door, server->listener.socket[i], EV_READ);
            server->door[i].data = server;
        }
        server->shut = true;
        open_doors(server);
        return server;
    }
    server_close(server);
    return NULL;
}

unsigned server_port(const struct server *server)
{
    return server->listener.port;
}

void server_run(struct server *server)
{
    ev_run(server->loop, 0);
}

void server_close(struct server *server)
{
    server->most = 0; /* nobody is let in for those who go */
    if (server->loop) {
        shut_doors(server);
        ev_timer_stop(server->loop, &server->pause);
        ev_timer_stop(server->loop, &server->tick);
        /* libev keeps one table of signals for the process: without this, a signal that comes later
         * would be handed to the loop that is freed below. Now it ends the process as usual. */
        for (int i = 0; i < 2; i++)
            ev_signal_stop(server->loop, &server->signal[i]);
    }
    listen_close(&server->listener);
    if (server->library)
        lws_context_destroy(server->library);
    if (server->loop)
        ev_loop_destroy(server->loop);
    free(server);
}
