/* HTTP: takes requests, with limited bodies, and sends answers, during the request or later.
 *
 * We write answers ourselves and do not hand them to libwebsockets piece by piece from its
 * writeable callback, because version 4.1.6 cannot do that for a slow reader who has sent another
 * request: while input is held (lws_rx_flow_control) it gives HTTP connections no writeable
 * callback, but keeps watching until the socket is writable, so that the loop spins; while input is
 * not held it takes the next request in the middle of an answer. It also copies everything that
 * cannot be sent immediately. So we hold the input, and have a watcher of our own.
 * docs/performance.md has figures.
 */
#include "server/internal.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

enum {
    HEAD_BYTES = REFUSAL_BYTES, /* of an answer */
    BROWSER = 8,                /* connections that a browser may have at a time; most have six */
};

/* ---- Headers of every answer, also of those that libwebsockets gives on its own -------------- */

#define HEADER(next, name, value)                                                                  \
    {                                                                                              \
        next, NULL, name, value                                                                    \
    }
const struct lws_protocol_vhost_options exchange_headers[] = {
    HEADER(&exchange_headers[1], "content-security-policy:",
           "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
           "img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; "
           "worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    HEADER(&exchange_headers[2], "x-content-type-options:", "nosniff"),
    HEADER(&exchange_headers[3], "referrer-policy:", "no-referrer"),
    HEADER(&exchange_headers[4], "cross-origin-opener-policy:", "same-origin"),
    HEADER(&exchange_headers[5], "cross-origin-resource-policy:", "same-origin"),
    HEADER(NULL, "permissions-policy:",
           "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), "
           "magnetometer=(), microphone=(), midi=(), payment=(), usb=()"),
};

/* ---- Answers --------------------------------------------------------------------------------- */

struct head {
    struct lws *wsi;
    unsigned char *at, *end;
    bool is_secure, full;
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
    if (answer->retry_after > 0) {
        char seconds[12];
        snprintf(seconds, sizeof seconds, "%u", answer->retry_after);
        put(head, "retry-after:", seconds);
    }
    if (answer->status == 405)
        put(head, "allow:", answer->allow ? answer->allow : "GET, HEAD");
    if (answer->status == 426)
        put(head, "sec-websocket-version:", "13");
    if (answer->cookie[0]) {
        char cookie[sizeof answer->cookie + 10];
        snprintf(cookie, sizeof cookie, "%s%s", answer->cookie, head->is_secure ? "; Secure" : "");
        put(head, "set-cookie:", cookie);
    }
    if (last)
        put(head, "connection:", "close");
    if (lws_finalize_http_header(head->wsi, &head->at, head->end))
        head->full = true;
}

/* Frees an answer, sent or not. */
static void forget_answer(struct connection *connection)
{
    free(connection->head);
    free(connection->owned);
    connection->head = connection->owned = NULL;
    connection->parts[0] = connection->parts[1] = (struct iovec){0};
    if (!ev_is_active(&connection->room))
        return;
    ev_io_stop(connection->server->loop, &connection->room);
    connection->server->sending--;
    server_check_finished(connection->server);
}

void exchange_forget(struct connection *connection)
{
    forget_answer(connection);
    if (connection->reply) {
        free(connection->reply->owned);
        free(connection->reply);
        connection->reply = NULL;
    }
    free(connection->body);
    connection->body = NULL;
    connection->body_size = connection->body_room = 0;
    if (connection->place[LIST_TURN].list == &connection->server->replies)
        connection_put(connection, LIST_TURN, NULL);
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

/* Stops reading until the answer is sent. */
static void hold(struct connection *connection)
{
    if (!connection->held)
        lws_rx_flow_control(connection->wsi, 0);
    connection->held = true;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, SECONDS_STUCK);
}

/* Waits for a client that has read some of its answer. */
static void await_reader(struct connection *connection)
{
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, SECONDS_STUCK);
    connection_put(connection, LIST_TURN, &connection->server->awaited);
}

/* Prepares for the next request after an answer. Returns false if the connection has to be closed.
 */
static bool finish(struct connection *connection)
{
    bool held = connection->held, last = connection->last;
    exchange_forget(connection);
    connection->held = false;
    if (held)
        lws_rx_flow_control(connection->wsi, 1);
    bool goes_on = !last && lws_http_transaction_completed(connection->wsi) == 0;
    if (goes_on) {
        connection_put(connection, LIST_TURN, &connection->server->awaited);
        line_await(connection);
    }
    server_check_finished(connection->server);
    return goes_on;
}

/* Closes a connection outside the callbacks of libwebsockets. */
static void kill_now(struct connection *connection)
{
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_SYNC);
}

/* Sends more of an answer when there is room. */
static void on_room(struct ev_loop *loop, struct ev_io *watcher, int events)
{
    (void)loop;
    (void)events;
    struct connection *connection = watcher->data;
    int fault = push(watcher->fd, connection->parts);
    if (fault == EAGAIN)
        await_reader(connection);
    else if (fault || !finish(connection))
        kill_now(connection);
}

/* Returns true if an address or a network has so many connections that none should wait for another
 * request: that makes room for others there, such as a class that loads the page. */
static bool is_crowded(const struct connection *connection)
{
    uint32_t most = connection->server->options.of_address;
    return connection->visitor &&
           (connection->visitor->connections > most / 2 ||
            connection->visitor->network->connections > SERVER_NETWORK_SHARE * most / 2);
}

/* Starts an answer, and usually finishes it; takes over answer->owned. Returns false if the
 * connection has to be closed. `last`: close it after the answer. */
static bool send_answer(struct connection *connection, const struct server_answer *answer,
                        bool last)
{
    struct server *server = connection->server;
    unsigned char buffer[LWS_PRE + HEAD_BYTES];
    unsigned char *start = buffer + LWS_PRE;
    struct head head = {connection->wsi, start, start + HEAD_BYTES, connection->secure, false};
    /* Whoever asks too much has no more requests read that may be waiting already. */
    last |= is_crowded(connection) || server->stopping || answer->status == 429;
    put_head(&head, answer, last);
    connection->owned = answer->owned;
    connection->last = last;
    if (head.full)
        return false;
    connection->parts[0] = (struct iovec){start, (size_t)(head.at - start)};
    connection->parts[1] =
        (struct iovec){(void *)answer->bytes, connection->head_only ? 0 : answer->size};
    int file = lws_get_socket_fd(connection->wsi), fault = push(file, connection->parts);
    if (fault == 0)
        return finish(connection);
    if (fault != EAGAIN)
        return false;
    struct iovec *rest = &connection->parts[0];
    connection->head = rest->iov_len > 0 ? malloc(rest->iov_len) : NULL;
    if (rest->iov_len > 0 && !connection->head)
        return false;
    if (rest->iov_len > 0)
        rest->iov_base = memcpy(connection->head, rest->iov_base, rest->iov_len);
    hold(connection);
    await_reader(connection);
    ev_io_init(&connection->room, on_room, file, EV_WRITE);
    connection->room.data = connection;
    ev_io_start(server->loop, &connection->room);
    server->sending++;
    return true;
}

void exchange_replies(struct server *server)
{
    struct connection *connection;
    while ((connection = server->replies.first) != NULL) {
        struct server_answer *reply = connection->reply;
        connection_put(connection, LIST_TURN, NULL);
        connection->reply = NULL;
        if (!send_answer(connection, reply, false))
            kill_now(connection);
        free(reply);
    }
}

/* Microseconds; unlike server_now() not those at which the loop woke up. */
static uint64_t clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static void count_answer(struct connection *connection)
{
    es__times_add(&connection->server->counts.answers, clock_us() - connection->asked);
}

void server_reply(struct server *server, uint64_t id, const struct server_answer *answer)
{
    struct connection *connection = connection_find(server, id);
    if (!connection || !connection->waiting) {
        free(answer->owned);
        return;
    }
    connection->waiting = false;
    connection->id = 0;
    server->waiting--;
    count_answer(connection);
    connection->reply = malloc(sizeof *answer);
    if (!connection->reply) {
        free(answer->owned);
        lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_ASYNC);
        return;
    }
    *connection->reply = *answer;
    connection_put(connection, LIST_TURN, &server->replies);
}

/* ---- Requests -------------------------------------------------------------------------------- */

static bool refuse(struct connection *connection, int status, const char *sentence)
{
    const struct server_answer answer = {.status = status,
                                         .type = "text/plain; charset=utf-8",
                                         .cache = "no-store",
                                         .bytes = sentence,
                                         .size = strlen(sentence)};
    return send_answer(connection, &answer, true);
}

/* Asks for an answer. Returns false if there is none yet. */
static bool ask(struct connection *connection, struct server_request *request,
                struct server_answer *answer)
{
    struct server *server = connection->server;
    connection_number(connection);
    connection->waiting = true;
    server->waiting++;
    server->counts.requests++;
    connection->head_only = request->method == SERVER_HEAD;
    connection->secure = request->secure;
    request->connection = connection->id;
    connection->asked = clock_us();
    *answer = (struct server_answer){0};
    server->options.events->answer(server->options.context, request, answer);
    if (answer->status != SERVER_LATER && answer->status != SERVER_READ)
        count_answer(connection);
    if (answer->status != SERVER_LATER) {
        connection->waiting = false;
        connection->id = 0;
        server->waiting--;
    } else if (connection->reply) { /* it came during the call */
        *answer = *connection->reply;
        connection_put(connection, LIST_TURN, NULL);
        free(connection->reply);
        connection->reply = NULL;
    } else {
        hold(connection);
        return false;
    }
    return true;
}

/* Prepares to read a body of at most `most` bytes. Returns 0 or the status of a refusal. */
static int expect_body(struct connection *connection, size_t most)
{
    long size = request_body(connection->wsi);
    if (size < 0)
        return size == -1 ? 411 : 400;
    if ((size_t)size > most)
        return 413;
    connection->body = malloc((size_t)size + 1);
    if (!connection->body)
        return 503;
    connection->body_room = (size_t)size;
    connection_put(connection, LIST_TURN, &connection->server->awaited);
    return 0;
}

/* Takes a request whose headers have come. Returns false if the connection has to be closed. */
static bool take_request(struct connection *connection)
{
    struct server_request request;
    struct request_texts texts;
    struct server_answer answer;
    exchange_forget(connection);
    connection_put(connection, LIST_TURN, NULL);
    connection->head_only = false;
    if (!request_read(connection->server, connection->wsi, &request, &texts))
        return refuse(connection, 400, "Malformed request path.\n");
    bool is_read = request.method == SERVER_GET || request.method == SERVER_HEAD;
    long length = request_body(connection->wsi);
    request.length = length > 0 ? (size_t)length : 0;
    if (is_read && length != 0)
        return refuse(connection, 413, "Request bodies are not accepted.\n");
    if (!ask(connection, &request, &answer))
        return true;
    if (answer.status != SERVER_READ)
        return send_answer(connection, &answer, !is_read);
    int status = expect_body(connection, answer.size);
    if (status == 0)
        return true;
    answer.status = status;
    answer.size = strlen(answer.bytes);
    return send_answer(connection, &answer, true);
}

static bool take_body(struct connection *connection, const void *bytes, size_t size)
{
    if (!connection || !connection->body || size > connection->body_room - connection->body_size)
        return false;
    if (size > 0)
        memcpy(connection->body + connection->body_size, bytes, size);
    connection->body_size += size;
    return true;
}

/* Takes a request whose body is complete. Returns false if the connection has to be closed: also
 * for a POST that was sent before the answer to the previous request, because libwebsockets 4.1.6
 * then reports the request itself as its body. (Browsers and proxies do not pipeline POSTs.) */
static bool take_whole(struct connection *connection)
{
    static const char mistaken[] = "POST /";
    struct server_request request;
    struct request_texts texts;
    struct server_answer answer;
    if (!connection || !connection->body || connection->body_size != connection->body_room ||
        !request_read(connection->server, connection->wsi, &request, &texts))
        return false;
    if (memcmp(connection->body, mistaken,
               connection->body_size < sizeof mistaken - 1 ? connection->body_size
                                                           : sizeof mistaken - 1) == 0 &&
        connection->body_size > 0)
        return false;
    connection_put(connection, LIST_TURN, NULL);
    if (connection->body_size > 0)
        connection->extra = connection->extra == (long)connection->body_size ? 0 : -1;
    request.body = (struct es_str){connection->body, connection->body_size};
    bool is_answered = ask(connection, &request, &answer);
    free(connection->body);
    connection->body = NULL;
    return !is_answered || send_answer(connection, &answer, false);
}

/* Returns the connection of an address that has been awaited longest; NULL: none is. */
static struct connection *longest_of(const struct server *server, const struct visitor *visitor)
{
    struct connection *longest = NULL, *one = visitor->list.first;
    for (; one; one = one->place[LIST_ADDRESS].after) {
        const struct place *place = &one->place[LIST_TURN];
        if (place->list == &server->awaited &&
            (!longest || place->since < longest->place[LIST_TURN].since))
            longest = one;
    }
    return longest;
}

static void drop(struct connection *connection)
{
    connection_put(connection, LIST_TURN, NULL);
    kill_now(connection);
}

bool exchange_make_room(struct server *server)
{
    const struct visitor *network = visitors_most(&server->https);
    struct connection *connection = NULL;
    if (network && network->connections > BROWSER)
        connection = longest_of(server, visitors_most_in(network));
    if (!connection)
        connection = server->awaited.first;
    if (connection)
        drop(connection);
    return connection;
}

void exchange_tick(struct server *server)
{
    double now = server_now(server);
    while (server->awaited.first &&
           now - server->awaited.first->place[LIST_TURN].since > SECONDS_STUCK)
        drop(server->awaited.first);
}

size_t exchange_refusal(char text[REFUSAL_BYTES], const char *status, const char *sentence)
{
    size_t used = (size_t)snprintf(text, REFUSAL_BYTES, "HTTP/1.1 %s\r\n", status);
    for (const struct lws_protocol_vhost_options *h = exchange_headers; h; h = h->next)
        used += (size_t)snprintf(text + used, REFUSAL_BYTES - used, "%s %s\r\n", h->name, h->value);
    return used + (size_t)snprintf(text + used, REFUSAL_BYTES - used,
                                   "content-type: text/plain; charset=utf-8\r\n"
                                   "cache-control: no-store\r\nconnection: close\r\n"
                                   "content-length: %zu\r\n\r\n%s",
                                   strlen(sentence), sentence);
}

/* Refuses what is not HTTP, or has a method that libwebsockets does not know. The connection is no
 * longer in HTTP mode. */
static int refuse_non_http(struct lws *wsi, const char *bytes, size_t size)
{
    size_t word = 0;
    while (word < size && word < 20 && bytes[word] >= 'A' && bytes[word] <= 'Z')
        word++;
    bool method = word > 0 && word + 1 < size && bytes[word] == ' ' && bytes[word + 1] == '/';
    unsigned char buffer[LWS_PRE + REFUSAL_BYTES];
    char *text = (char *)buffer + LWS_PRE;
    size_t used = method ? exchange_refusal(text, "405 Method Not Allowed\r\nallow: GET, HEAD", "")
                         : exchange_refusal(text, "400 Bad Request", "");
    lws_write(wsi, (unsigned char *)text, used, LWS_WRITE_RAW);
    return -1;
}

/* Decides about a WebSocket's handshake. Returns 0 to accept it, -1 after a refusal. */
static int take_upgrade(struct connection *connection, const char *protocol)
{
    struct lws *wsi = connection->wsi;
    struct server *server = connection->server;
    struct server_request request;
    struct request_texts texts;
    struct server_answer answer = {0};
    char version[8];
    exchange_forget(connection);
    connection_put(connection, LIST_TURN, NULL);
    connection->head_only = false;
    if (lws_hdr_copy(wsi, version, sizeof version, WSI_TOKEN_VERSION) < 0)
        version[0] = '\0';
    if (!request_read(server, wsi, &request, &texts) || request.method != SERVER_GET) {
        refuse(connection, 400, "Malformed request.\n");
    } else if (strcasecmp(protocol, "websocket") != 0) {
        refuse(connection, 404, "There is nothing at this address.\n");
    } else if (strcmp(version, "13") != 0) {
        refuse(connection, 426, "Version 13 of WebSocket is needed.\n");
    } else if (lws_hdr_total_length(wsi, WSI_TOKEN_PROTOCOL) > 0) {
        refuse(connection, 400, "There are no WebSocket subprotocols here.\n");
    } else if (connection->extra > 0) { /* libwebsockets has it, and will not give it back */
        refuse(connection, 400, "A client sends no messages before it has the answer.\n");
    } else if (server->stopping) {
        refuse(connection, 503, "The server is about to end.\n");
    } else {
        request.method = SERVER_UPGRADE;
        server->options.events->answer(server->options.context, &request, &answer);
        if (answer.status != SERVER_ACCEPT)
            send_answer(connection, &answer, true);
        else if (websocket_place(server, request.address, request.network))
            return 0;
        else
            refuse(connection, 503, "All places are taken; try again later.\n");
    }
    return -1; /* closes the connection; an answer that was not sent completely is lost */
}

int exchange_callback(struct server *server, struct lws *wsi, enum lws_callback_reasons reason,
                      void *in, size_t size)
{
    (void)server;
    struct connection *connection = connection_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_HTTP:
        connection = connection_make(wsi);
        return connection && take_request(connection) ? 0 : -1;
    case LWS_CALLBACK_HTTP_BODY:
        return take_body(connection, in, size) ? 0 : -1;
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
        return take_whole(connection) ? 0 : -1;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
        /* If libwebsockets has refused already, the header is gone. */
        connection = connection_make(wsi);
        if (!connection || lws_hdr_total_length(wsi, WSI_TOKEN_UPGRADE) == 0)
            return -1;
        return take_upgrade(connection, in);
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
    case LWS_CALLBACK_CLOSED_HTTP:
        /* Also called after every answer; then there is nothing left to free. */
        if (connection)
            exchange_forget(connection);
        return 0;
    case LWS_CALLBACK_RAW_RX:
        return refuse_non_http(wsi, in, size);
    default:
        return 0;
    }
}
