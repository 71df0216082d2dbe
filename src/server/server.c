/* Implementation of server.h: the loop. We accept connections and run the event loop ourselves, and
 * hand each socket to libwebsockets. That lets us stop accepting before descriptors run out and
 * stop on a signal. libwebsockets gets no connection limit of its own: with one below the system's,
 * it would search its whole table at every event instead of indexing by descriptor.
 */
#include "server/server.h"
#include "server/internal.h"
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    FILES_MAX = 16384,      /* descriptors that we ask for */
    FILES_SPARE = 64,       /* descriptors kept for everything but connections */
    HTTP_MAX = 4032,        /* connections that are not WebSockets */
    HEADERS_AT_ONCE = 4096, /* requests being read: some more, for those that are being closed */
    ACCEPT_AT_ONCE = 64,
    SECONDS_IDLE = 15,   /* between requests */
    SECONDS_TO_STOP = 4, /* from a signal to the end */
    RECEIVE_BYTES = 128, /* each WebSocket has a buffer of this size, which is not used */
};

double server_now(const struct server *server)
{
    return ev_now(server->loop);
}

static void resume_accepting(struct server *server)
{
    if (!server->paused || server->stopping)
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
    (void)user;
    struct server *server = lws_context_user(lws_get_context(wsi));
    struct connection *connection;
    switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
        server->counts.connections++;
        if (!ev_is_active(&server->tick))
            ev_timer_again(server->loop, &server->tick);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY:
        server->counts.connections--;
        connection = connection_of(wsi);
        if (connection)
            connection_free(connection);
        if ((int)server->counts.connections < server->most && !ev_is_active(&server->pause))
            resume_accepting(server);
        server_check_finished(server);
        return 0;
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_SERVER_WRITEABLE:
    case LWS_CALLBACK_CLOSED:
        return websocket_callback(server, wsi, reason);
    default:
        return exchange_callback(server, wsi, reason, in, size);
    }
}

/* ---- Connections ----------------------------------------------------------------------------- */

/* Counts a connection for its address and its network; false if one of them has too many. */
static bool count_visitor(struct server *server, int file, struct visitor **visitor)
{
    const struct server_options *options = &server->options;
    uint64_t address, network;
    if (options->of_address == 0 || options->unix_path || options->trust_proxy)
        return true;
    request_peer(server, file, &address, &network);
    *visitor = visitors_enter(&server->https, address, network, options->of_address,
                              SERVER_NETWORK_SHARE * options->of_address);
    return *visitor;
}

/* Where places are short, disconnects a client that is awaited. */
static void make_room(struct server *server)
{
    const struct server_counts *counts = &server->counts;
    uint64_t https = counts->connections - counts->sockets - server->parted;
    if ((int)counts->connections < server->most && https < counts->most_http)
        return;
    if (exchange_make_room(server))
        server->counts.displaced++;
}

/* Hands a socket to libwebsockets, or closes it if its address or network has too many. */
static void take_connection(struct server *server, int file)
{
    struct visitor *visitor = NULL;
    int yes = 1; /* fails on a Unix socket, which needs none */
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    if (!count_visitor(server, file, &visitor)) {
        server->counts.crowds++;
        close(file);
        return;
    }
    make_room(server);
    struct lws *wsi = lws_adopt_socket_vhost(server->host, file); /* closes it if it fails */
    struct connection *connection = wsi ? connection_make(wsi) : NULL;
    if (connection) {
        connection_count(connection, &server->https, visitor);
        connection_put(connection, LIST_TURN, &server->awaited);
        line_await(connection);
    } else if (visitor) {
        visitors_leave(&server->https, visitor);
    }
}

/* Takes new connections, at most ACCEPT_AT_ONCE. Returns false if there are no more now. */
static bool take_some(struct server *server, int socket)
{
    for (int i = 0; i < ACCEPT_AT_ONCE; i++) {
        if ((int)server->counts.connections >= server->most && !server->awaited.first) {
            pause_accepting(server); /* new connections wait in the system's queue */
            return false;
        }
        int file = accept4(socket, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (file >= 0) {
            take_connection(server, file);
        } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            /* The system is short of a resource; trying again at once would not help. */
            pause_accepting(server);
            ev_timer_set(&server->pause, 0.2, 0);
            ev_timer_start(server->loop, &server->pause);
            return false;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            return false;
        }
    }
    return true;
}

static void on_connection(struct ev_loop *loop, struct ev_io *watcher, int events)
{
    (void)loop;
    (void)events;
    take_some(watcher->data, watcher->fd);
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
    if (server->counts.connections == 0) {
        ev_timer_stop(loop, watcher);
        return;
    }
    exchange_tick(server);
    websocket_tick(server);
    lws_cancel_service(server->library);
}

static void on_prepare(struct ev_loop *loop, struct ev_prepare *watcher, int events)
{
    (void)loop;
    (void)events;
    struct server *server = watcher->data;
    server->counts.rounds++;
    exchange_replies(server);
}

static void on_wake(struct ev_loop *loop, struct ev_timer *watcher, int events)
{
    (void)loop;
    (void)events;
    struct server *server = watcher->data;
    if (server->options.events->woken)
        server->options.events->woken(server->options.context);
}

void server_wake(struct server *server, int64_t ms)
{
    ev_timer_stop(server->loop, &server->wake);
    if (ms < 0)
        return;
    /* libev counts from the beginning of its current round: add the time since then. */
    double late = ev_time() - ev_now(server->loop);
    ev_timer_set(&server->wake, (double)ms / 1000.0 + (late > 0 ? late : 0), 0);
    ev_timer_start(server->loop, &server->wake);
}

static void on_post(struct ev_loop *loop, struct ev_async *watcher, int events)
{
    (void)loop;
    (void)events;
    struct server *server = watcher->data;
    if (server->options.events->posted)
        server->options.events->posted(server->options.context);
}

void server_post(struct server *server)
{
    ev_async_send(server->loop, &server->post);
}

const struct server_counts *server_counts(const struct server *server)
{
    return &server->counts;
}

/* ---- Stopping ------------------------------------------------------------------------------- */

static void on_too_late(struct ev_loop *loop, struct ev_timer *watcher, int events)
{
    (void)watcher;
    (void)events;
    ev_break(loop, EVBREAK_ALL);
}

void server_check_finished(struct server *server)
{
    /* A proxy may just be sending a request on a connection that it keeps. If others can take over,
     * we wait until it has closed all of them. */
    bool is_left = server->options.shared && server->counts.connections > 0;
    if (server->finishing && !server->closed && !is_left && server->counts.sockets == 0 &&
        server->parted == 0 && server->waiting == 0 && server->sending == 0 &&
        !server->replies.first)
        ev_break(server->loop, EVBREAK_ALL);
}

void server_finish(struct server *server)
{
    if (server->finishing)
        return;
    server->finishing = true;
    for (uint32_t i = 0; i < server->slots; i++)
        if (server->slot[i])
            websocket_close(server->slot[i], LWS_CLOSE_STATUS_GOINGAWAY);
    server_check_finished(server);
}

/* Refuses new connections, so that a proxy asks another process at once. Those that the system has
 * accepted already are taken: their clients think that they are connected. */
static void refuse_connections(struct server *server)
{
    listen_hide(&server->listener);
    for (int i = 0; i < server->listener.count; i++)
        while (take_some(server, server->listener.socket[i])) {
        }
    listen_close(&server->listener);
}

/* The first signal ends the server when all work is done, a second one immediately. */
static void on_signal(struct ev_loop *loop, struct ev_signal *watcher, int events)
{
    (void)events;
    struct server *server = watcher->data;
    if (server->stopping || !server->options.events->stopping) {
        server->hurried = server->stopping;
        ev_break(loop, EVBREAK_ALL);
        return;
    }
    pause_accepting(server);
    server->stopping = true;
    if (server->options.shared)
        refuse_connections(server);
    ev_timer_set(&server->stop, SECONDS_TO_STOP, 0);
    ev_timer_start(loop, &server->stop);
    server->options.events->stopping(server->options.context);
}

/* ---- Opening, running, closing --------------------------------------------------------------- */

/* The latest error message of libwebsockets, for the fault if it does not start. */
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
        {.name = "http",
         .callback = callback,
         .rx_buffer_size = RECEIVE_BYTES,
         .tx_packet_size = PIECE_BYTES},
        {0},
    };
    static const lws_retry_bo_t no_pings = {0}; /* websocket.c sends them */
    void *loops[] = {server->loop};
    struct lws_context_creation_info info = {
        .port = CONTEXT_PORT_NO_LISTEN_SERVER,
        .protocols = protocols,
        .headers = exchange_headers,
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
        .retry_and_idle_policy = &no_pings,
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
    server->counts.most = (uint64_t)server->most;
    /* A quarter of the places is for WebSockets, and an eighth for HTTP. */
    server->counts.most_http = (uint64_t)(server->most / 4 * 3);
    if (server->counts.most_http > HTTP_MAX)
        server->counts.most_http = HTTP_MAX;
    server->counts.most_sockets = (uint64_t)(server->most - server->most / 8);
    bool is_listening =
        options->unix_path ? listen_unix(&server->listener, options->unix_path, fault)
                           : listen_open(&server->listener, options->address, options->port, fault);
    if (!is_listening) {
        free(server);
        return NULL;
    }
    ev_timer_init(&server->pause, on_pause_over, 0, 0);
    ev_timer_init(&server->tick, on_tick, 0, 1.0);
    ev_timer_init(&server->wake, on_wake, 0, 0);
    ev_timer_init(&server->stop, on_too_late, 0, 0);
    ev_async_init(&server->post, on_post);
    ev_prepare_init(&server->prepare, on_prepare);
    server->pause.data = server->tick.data = server->wake.data = server->stop.data = server;
    server->post.data = server->prepare.data = server;
    server->loop = ev_loop_new(EVFLAG_AUTO);
    if (!server->loop) {
        snprintf(fault, SERVER_FAULT_BYTES, "libev finds no method to wait for connections");
    } else if (getrandom(server->key, sizeof server->key, 0) != (ssize_t)sizeof server->key ||
               !connection_table_open(server, (uint32_t)(server->most + FILES_SPARE))) {
        snprintf(fault, SERVER_FAULT_BYTES, "not enough memory");
    } else if (start_library(server, fault)) {
        static const int signals[] = {SIGINT, SIGTERM};
        for (int i = 0; i < 2; i++) {
            ev_signal_init(&server->signal[i], on_signal, signals[i]);
            server->signal[i].data = server;
        }
        for (int i = 0; i < server->listener.count; i++) {
            ev_io_init(&server->accept_watcher[i], on_connection, server->listener.socket[i],
                       EV_READ);
            server->accept_watcher[i].data = server;
        }
        ev_async_start(server->loop, &server->post);
        ev_prepare_start(server->loop, &server->prepare);
        server->paused = true;
        resume_accepting(server);
        return server;
    }
    server_close(server);
    return NULL;
}

void server_set_key(struct server *server, const uint8_t key[SERVER_KEY_BYTES])
{
    memcpy(server->key, key, sizeof server->key);
}

unsigned server_port(const struct server *server)
{
    return server->listener.port;
}

void server_take_signals(struct server *server)
{
    for (int i = 0; i < 2; i++)
        ev_signal_start(server->loop, &server->signal[i]); /* nothing if it is started */
}

/* libev keeps one table of signals for the process: without this, a signal that comes later would
 * be handed to a loop that does not run, or is freed. Now it ends the process as usual. */
static void leave_signals(struct server *server)
{
    for (int i = 0; i < 2; i++)
        ev_signal_stop(server->loop, &server->signal[i]);
}

bool server_run(struct server *server)
{
    server_take_signals(server);
    ev_run(server->loop, 0);
    leave_signals(server);
    return !server->hurried;
}

void server_close(struct server *server)
{
    server->most = 0; /* accept no new connections while closing */
    server->closed = true;
    if (server->loop) {
        pause_accepting(server);
        ev_timer_stop(server->loop, &server->pause);
        ev_timer_stop(server->loop, &server->tick);
        ev_timer_stop(server->loop, &server->wake);
        ev_timer_stop(server->loop, &server->stop);
        ev_async_stop(server->loop, &server->post);
        ev_prepare_stop(server->loop, &server->prepare);
        leave_signals(server);
    }
    listen_close(&server->listener);
    if (server->library)
        lws_context_destroy(server->library);
    if (server->loop)
        ev_loop_destroy(server->loop);
    connection_table_close(server);
    free(server);
}
