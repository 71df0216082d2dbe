/* Implementation of server.h. We accept connections and run the event loop ourselves, and hand each
 * socket to libwebsockets. That lets us stop accepting before descriptors run out and stop on a
 * signal. libwebsockets gets no connection limit of its own: with one below the system's, it would
 * search its whole table at every event instead of indexing by descriptor.
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
    FILES_MAX = 16384, /* descriptors that we ask for */
    FILES_SPARE = 64,  /* descriptors kept for everything but connections */
    HEADERS_BYTES =
        16384, /* of a request; large, since localhost shares the cookies of all its ports */
    HEADERS_AT_ONCE = 4096, /* requests being read */
    HEADER_BYTES = 1024,    /* of each header that we use */
    HEAD_BYTES = 3072,      /* of an answer */
    ACCEPT_AT_ONCE = 64,
    SECONDS_IDLE = 15,  /* between requests */
    SECONDS_STUCK = 20, /* without progress in a request or an answer */
};

struct server {
    struct server_options options;
    struct listener listener;
    struct ev_loop *loop;
    struct lws_context *library;
    struct lws_vhost *host;
    struct ev_io accept_watcher[LISTEN_MAX];
    struct ev_timer pause, tick;
    struct ev_signal signal[2];
    int connections, most;
    bool paused; /* not accepting connections */
};

/* An answer that the client was too slow to take at once. */
struct connection {
    struct lws *wsi;
    struct ev_loop *loop;
    struct ev_io room;     /* watches for room to send more of it */
    struct iovec parts[2]; /* the unsent rest of its head and its content */
    void *head, *owned;    /* to be freed */
    bool held;             /* the next request waits for it */
    bool last;             /* close the connection after it */
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

/* Sends as much as possible of two parts. Returns 0 if everything was sent and the socket is still
 * writable, EAGAIN if something is left or the send buffer is full, else errno. A full buffer
 * counts as EAGAIN because libwebsockets would wait for room before taking the next request, and
 * spin if one is pending. */
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

/* Sends more of an answer when there is room. */
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

/* Starts an answer, and usually finishes it. Returns what the libwebsockets callback has to return.
 * We write ourselves: libwebsockets would copy what cannot be sent at once, and poll all the time
 * for a next request that it does not yet take. `last`: close the connection after it. */
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

/* Copies a header; a missing or too long one becomes empty. */
static const char *copy(struct lws *wsi, enum lws_token_indexes token, char text[HEADER_BYTES])
{
    if (lws_hdr_copy(wsi, text, HEADER_BYTES, token) < 0)
        text[0] = '\0';
    return text;
}

/* Returns true if a body follows the headers; we read no bodies. */
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
    /* A path shorter than its size contains a zero, or '&', which libwebsockets takes for its
     * end. */
    if (!path || path[0] != '/' || strlen(path) != size)
        return refuse(server, wsi, connection, 400, "Malformed request path.\n");
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
        return refuse(server, wsi, connection, 413, "Request bodies are not accepted.\n");
    struct server_answer answer = {0};
    server->options.answer(server->options.context, &request, &answer);
    return send_answer(server, wsi, connection, &answer, request.method != SERVER_HEAD,
                       body || request.method == SERVER_OTHER);
}

/* Refuses what is not HTTP, or has a method that libwebsockets does not know. Writes the usual
 * headers by hand, since the connection is no longer in HTTP mode. */
static int refuse_non_http(struct lws *wsi, const char *bytes, size_t size)
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

static void resume_accepting(struct server *server)
{
    if (!server->paused)
        return;
    server->paused = false;
    for (int i = 0; i < server->listener.count; i++)
        ev_io_start(server->loop, &server->accept_watcher[i]);
}

static void pause_accepting(struct server *server)
{
    server->paused = true;
    for (int i = 0; i < server->listener.count; i++)
        ev_io_stop(server->loop, &server->accept_watcher[i]);
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
            resume_accepting(server);
        return 0;
    case LWS_CALLBACK_HTTP:
        return take_request(server, wsi, connection, in, size);
    case LWS_CALLBACK_HTTP_BODY:
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return -1;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        /* There is no protocol to upgrade to. If libwebsockets has refused already, the header is
         * gone. */
        if (lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) > 0)
            lws_return_http_status(wsi, HTTP_STATUS_NOT_FOUND, NULL);
        return -1;
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
        forget(connection);
        return 0;
    case LWS_CALLBACK_RAW_RX:
        return refuse_non_http(wsi, in, size);
    default:
        return 0;
    }
}

/* ---- Connections ----------------------------------------------------------------------------- */

static void on_connection(struct ev_loop *loop, struct ev_io *watcher, int events)
{
    (void)events;
    struct server *server = watcher->data;
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        if (server->connections >= server->most) {
            pause_accepting(server); /* new connections wait in the system's queue */
            return;
        }
        int file = accept4(watcher->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (file >= 0) {
            lws_adopt_socket_vhost(server->host, file); /* closes it if it fails */
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            /* The system is short of a resource; trying again at once would not help. */
            pause_accepting(server);
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
    resume_accepting(watcher->data);
}

/* Makes libwebsockets check its timeouts: on an idle loop it does so late (version 4.1 changes a
 * running timer, which libev does not allow). */
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

/* The last error message of libwebsockets, for the reason why it does not start. */
static char complaint[160];

static void on_log(int level, const char *line)
{
    (void)level;
    snprintf(complaint, sizeof complaint, "%.*s", (int)strcspn(line, "\n"), line);
}

/* Sets the limit of descriptors and returns how many connections that allows. The limit may also be
 * lowered, because libwebsockets makes tables of its size. */
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
        snprintf(fault, SERVER_FAULT_BYTES, "libev finds no method to wait for connections");
    } else if (start_library(server, fault)) {
        static const int signals[] = {SIGINT, SIGTERM};
        for (int i = 0; i < 2; i++) {
            ev_signal_init(&server->signal[i], on_signal, signals[i]);
            ev_signal_start(server->loop, &server->signal[i]);
        }
        for (int i = 0; i < server->listener.count; i++) {
            ev_io_init(&server->accept_watcher[i], on_connection, server->listener.socket[i],
                       EV_READ);
            server->accept_watcher[i].data = server;
        }
        server->paused = true;
        resume_accepting(server);
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
    server->most = 0; /* accept no new connections while closing */
    if (server->loop) {
        pause_accepting(server);
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
