/* WebSockets: puts received messages together, sends queued ones, sends pings to silent clients.
 *
 * libwebsockets does the handshake. Afterwards we read and write frames: it takes frames without a
 * mask, and closes without a code where somebody sends a ping that is too long. Its own input is
 * held, and the socket has a watcher of ours; when the connection is to end, the input goes back.
 *
 * A text for many is framed once and shared by their queues. Frames are made here and not by
 * libwebsockets, which writes a frame's head in front of its content in the caller's buffer: that
 * would overwrite what others still have to send. They are handed over as raw bytes, whole frames
 * only, because libwebsockets sends its own frames (pong, close) between two writes. A write has at
 * most PIECE_BYTES, so that this is also the most that libwebsockets copies for a slow reader.
 *
 * A close is sent here too, and then the connection stays until the client closes it, within
 * bounds: if the system still had unread input when the socket is closed, it would reset the
 * connection, and the client could lose the code. libwebsockets can wait like that as well, but it
 * puts the content of a ping that comes at the wrong moment in the place of the code.
 *
 * A client that reads nothing is disconnected even if it says something now and then: what waits
 * for it would stay in memory. Whenever there is something to send, the connection is on a list
 * until libwebsockets says that the socket has room; who is first there has waited longest.
 *
 * Timeouts of silent clients are kept here too: libwebsockets would keep them in one list that it
 * searches from its beginning whenever a client sends something, 10,000 steps each with 10,000
 * connections.
 */
#include "server/http.h"
#include "server/internal.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

enum {
    FRAME_BYTES = PIECE_BYTES - 4, /* content of a frame: the most with a head of 4 bytes */
    PIECES_AT_ONCE = 4,            /* written to a client before others have their turn */
    EMPTIES_MAX = 16,              /* pieces without content in a message */
    SOCKET_BUFFER = 64 << 10,      /* of the system, for what a slow reader does not take */
    CLOSE_SECONDS = 5,             /* for what is queued before a close */
    PARTED_SECONDS = 5,            /* for the client's answer to a close */
    THROWN_MAX = 1 << 20,          /* bytes that are read and thrown away meanwhile */
    RECEIVE_MAX = 4096,            /* read from a client before others have their turn */
    PING_MS = 25000,
    SILENCE_MS = 40000,
};

/* Kinds of frames. */
enum { MORE, TEXT, BINARY, CLOSE = 8, PING, PONG };

/* ---- Sending -------------------------------------------------------------------------------- */

/* Frames a text: one frame, or several with FRAME_BYTES each except the last. NULL: no memory. */
static struct parcel *wrap(struct es_str text)
{
    size_t frames = text.size > FRAME_BYTES ? (text.size + FRAME_BYTES - 1) / FRAME_BYTES : 1;
    struct parcel *parcel = malloc(sizeof *parcel + text.size + 4 * frames);
    if (!parcel)
        return NULL;
    unsigned char *to = parcel->bytes;
    for (size_t i = 0; i < frames; i++) {
        size_t size = i + 1 < frames ? FRAME_BYTES : text.size - i * FRAME_BYTES;
        *to++ = (unsigned char)((i == 0 ? 1 : 0) | (i + 1 == frames ? 0x80 : 0));
        if (size < 126) {
            *to++ = (unsigned char)size;
        } else {
            *to++ = 126;
            *to++ = (unsigned char)(size >> 8);
            *to++ = (unsigned char)size;
        }
        if (size > 0)
            memcpy(to, text.at + i * FRAME_BYTES, size);
        to += size;
    }
    parcel->users = 0;
    parcel->size = (size_t)(to - parcel->bytes);
    return parcel;
}

static void release(struct server *server, struct parcel *parcel)
{
    if (--parcel->users > 0)
        return;
    server->counts.queued -= parcel->size;
    free(parcel);
}

static void set_copied(struct connection *connection, size_t size)
{
    connection->server->counts.queued += size - connection->copied;
    connection->copied = size;
}

static void drop_queue(struct connection *connection)
{
    for (size_t i = 0; i < connection->queue_count; i++)
        release(connection->server,
                connection->queue[(connection->queue_first + i) % connection->queue_room]);
    free(connection->queue);
    connection->queue = NULL;
    connection->queue_first = connection->queue_count = connection->queue_room = 0;
    connection->queued = connection->offset = 0;
}

/* Leaves reading to libwebsockets, which closes the connection: it waits until the client has
 * closed its side. */
static void stop_reading(struct connection *connection)
{
    if (!ev_is_active(&connection->reads))
        return;
    ev_io_stop(connection->server->loop, &connection->reads);
    lws_rx_flow_control(connection->wsi, 1);
}

static void heard(struct connection *connection)
{
    connection_put(connection, LIST_TURN, &connection->server->heard[connection->is_known]);
}

/* Disconnects without sending the queue or waiting for a close handshake. */
static void doom(struct connection *connection)
{
    connection->doomed = true;
    connection_put(connection, LIST_TURN, NULL);
    connection_put(connection, LIST_UNSENT, NULL);
    connection_count(connection, NULL, NULL);
    drop_queue(connection);
    stop_reading(connection);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
}

/* Asks for on_writable(), when the socket has room. */
static void want_room(struct connection *connection)
{
    if (!connection->place[LIST_UNSENT].list)
        connection_put(connection, LIST_UNSENT, &connection->server->unsent);
    lws_callback_on_writable(connection->wsi);
}

/* If too much waits for all together, disconnects whoever has most. */
static void relieve(struct server *server)
{
    size_t max = server->options.queues_max ? server->options.queues_max : SERVER_QUEUES_MAX;
    struct connection *fullest = server->unsent.first, *one = fullest;
    if (server->counts.queued <= max)
        return;
    for (; one; one = one->place[LIST_UNSENT].after)
        if (one->queued + one->copied > fullest->queued + fullest->copied)
            fullest = one;
    if (!fullest)
        return;
    server->counts.slow++;
    doom(fullest);
}

/* Adds a parcel to a queue; false: no memory. */
static bool enqueue(struct connection *connection, struct parcel *parcel)
{
    if (connection->queue_count == connection->queue_room) {
        size_t room = connection->queue_room ? 2 * connection->queue_room : 4;
        struct parcel **queue = malloc(room * sizeof *queue);
        if (!queue)
            return false;
        for (size_t i = 0; i < connection->queue_count; i++)
            queue[i] = connection->queue[(connection->queue_first + i) % connection->queue_room];
        free(connection->queue);
        connection->queue = queue;
        connection->queue_first = 0;
        connection->queue_room = room;
    }
    size_t last = (connection->queue_first + connection->queue_count++) % connection->queue_room;
    connection->queue[last] = parcel;
    connection->queued += parcel->size;
    parcel->users++;
    return true;
}

void server_send(struct server *server, const uint64_t *id, size_t count, struct es_str text)
{
    struct parcel *parcel = NULL;
    for (size_t i = 0; i < count; i++) {
        struct connection *connection = connection_find(server, id[i]);
        if (!connection || !connection->open || connection->doomed || connection->code)
            continue;
        if (!parcel) {
            parcel = wrap(text);
            if (!parcel)
                return;
            parcel->users++;
            server->counts.queued += parcel->size;
        }
        /* A text larger than the limit is still sent if the queue is empty. */
        bool is_slow =
            connection->queued > 0 && connection->queued + parcel->size > SERVER_QUEUE_MAX;
        if (is_slow || !enqueue(connection, parcel)) {
            server->counts.slow++;
            doom(connection);
            continue;
        }
        server->counts.sent++;
        server->counts.sent_bytes += parcel->size;
        want_room(connection);
    }
    if (!parcel)
        return;
    release(server, parcel);
    relieve(server);
}

/* Moves whole frames from the queue to `piece`, at most PIECE_BYTES. Returns their size. */
static size_t fill(struct connection *connection, unsigned char *piece)
{
    size_t used = 0;
    while (connection->queue_count > 0) {
        struct parcel *parcel = connection->queue[connection->queue_first];
        size_t size = parcel->size - connection->offset;
        if (size > FRAME_BYTES + 4)
            size = FRAME_BYTES + 4; /* one of several frames */
        if (used + size > PIECE_BYTES)
            break;
        memcpy(piece + used, parcel->bytes + connection->offset, size);
        used += size;
        connection->offset += size;
        connection->queued -= size;
        if (connection->offset < parcel->size)
            continue;
        release(connection->server, parcel);
        connection->offset = 0;
        connection->queue_first = (connection->queue_first + 1) % connection->queue_room;
        connection->queue_count--;
    }
    if (connection->queue_count == 0)
        drop_queue(connection);
    return used;
}

/* Sends the close. The rest of the server hears that the connection is gone. Returns false if that
 * was all. */
static bool part(struct connection *connection, unsigned char *piece)
{
    piece[0] = 0x80 | CLOSE;
    piece[1] = connection->code == LWS_CLOSE_STATUS_NO_STATUS ? 0 : 2;
    piece[2] = (unsigned char)(connection->code >> 8);
    piece[3] = (unsigned char)connection->code;
    if (lws_write(connection->wsi, piece, 2u + piece[1], LWS_WRITE_HTTP) < 0 || connection->is_left)
        return false;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_ACK, PARTED_SECONDS);
    connection->parted = true;
    connection->server->parted++;
    connection_put(connection, LIST_TURN, NULL);
    connection_gone(connection);
    return true;
}

/* Sends what is queued. Returns what the callback has to return. */
static int on_writable(struct connection *connection)
{
    static unsigned char buffer[LWS_PRE + PIECE_BYTES]; /* of the loop's thread */
    unsigned char *piece = buffer + LWS_PRE;
    struct lws *wsi = connection->wsi;
    if (connection->doomed)
        return -1;
    connection_put(connection, LIST_UNSENT, NULL);
    set_copied(connection, 0);
    if (connection->parted)
        return 0;
    if (connection->wants_ping) {
        static const unsigned char ping[] = {0x80 | PING, 0};
        connection->wants_ping = false;
        memcpy(piece, ping, sizeof ping);
        if (lws_write(wsi, piece, sizeof ping, LWS_WRITE_HTTP) < 0)
            return -1;
    }
    if (connection->pong[0]) {
        size_t size = 2u + connection->pong[1];
        memcpy(piece, connection->pong, size);
        connection->pong[0] = 0;
        if (lws_write(wsi, piece, size, LWS_WRITE_HTTP) < 0)
            return -1;
    }
    for (int i = 0; connection->queue_count > 0; i++) {
        if (i == PIECES_AT_ONCE || (i > 0 && lws_send_pipe_choked(wsi))) {
            want_room(connection);
            return 0;
        }
        size_t size = fill(connection, piece);
        /* To libwebsockets, HTTP content on a WebSocket is raw bytes. */
        if (lws_write(wsi, piece, size, LWS_WRITE_HTTP) < 0)
            return -1;
        if (lws_partial_buffered(wsi)) {
            set_copied(connection, size);
            want_room(connection);
            return 0;
        }
    }
    if (!connection->code)
        return 0;
    if (lws_send_pipe_choked(wsi)) { /* libwebsockets still has bytes that go before the close */
        want_room(connection);
        return 0;
    }
    if (part(connection, piece))
        return 0;
    stop_reading(connection);
    return -1;
}

void websocket_close(struct connection *connection, int code)
{
    if (!connection->open || connection->doomed || connection->code)
        return;
    connection->code = code;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, CLOSE_SECONDS);
    want_room(connection);
}

void server_know(struct server *server, uint64_t id)
{
    struct connection *connection = connection_find(server, id);
    if (!connection || !connection->open || connection->doomed)
        return;
    connection->is_known = true;
    heard(connection);
}

/* ---- Places --------------------------------------------------------------------------------- */

/* Returns true if a WebSocket makes room before another: one that is only waited for until the
 * client closes, then a stranger's, then the one that has been silent longer. */
static bool goes_before(const struct connection *a, const struct connection *b)
{
    const struct server *server = a->server;
    const struct place *x = &a->place[LIST_TURN], *y = &b->place[LIST_TURN];
    if (a->parted != b->parted)
        return a->parted;
    if (a->is_known != b->is_known)
        return b->is_known;
    const struct list *asked = &server->asked[a->is_known];
    return x->list == y->list ? x->since < y->since : x->list == asked;
}

static struct connection *first_to_go(const struct visitor *visitor)
{
    struct connection *first = visitor->list.first, *one = first;
    for (; one; one = one->place[LIST_ADDRESS].after)
        if (goes_before(one, first))
            first = one;
    return first;
}

static uint32_t count_of(const struct visitor *visitor)
{
    return visitor ? visitor->connections : 0;
}

/* Returns the WebSocket that makes room for one more of an address: of the network, and in it of
 * the address, which have most. That would still have as many as the newcomer then, so nobody can
 * take the place of one who has few. Where all have as many, only strangers make room, for
 * newcomers of their address, or of networks that have fewer than theirs. NULL: none. */
static struct connection *leaver(struct server *server, uint64_t address, uint64_t network)
{
    const struct visitor *own = visitors_find(&server->sockets, network, true);
    const struct visitor *most = visitors_most(&server->sockets), *visitor = NULL;
    bool is_own = count_of(most) < count_of(own) + 2;
    if (is_own)
        most = own;
    if (most)
        visitor = visitors_most_in(most);
    const struct visitor *same = is_own ? visitors_find(&server->sockets, address, false) : NULL;
    bool has_more = visitor && (!is_own || count_of(visitor) >= count_of(same) + 2);
    if (!has_more)
        visitor = same;
    struct connection *one = visitor ? first_to_go(visitor) : NULL;
    if (one && (has_more || one->parted || !one->is_known))
        return one;
    one = server->asked[false].first ? server->asked[false].first : server->heard[false].first;
    return one && one->visitor && one->visitor->network->connections > count_of(own) ? one : NULL;
}

bool websocket_place(struct server *server, uint64_t address, uint64_t network)
{
    if (server->counts.sockets + server->parted < server->counts.most_sockets)
        return true;
    server->counts.displaced++;
    struct connection *connection = leaver(server, address, network);
    if (connection)
        doom(connection);
    return connection;
}

void server_hang_up(struct server *server, uint64_t id, int code)
{
    struct connection *connection = connection_find(server, id);
    if (connection)
        websocket_close(connection, code);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

/* Ends a connection that has sent something that is not a message. */
static void wrong(struct connection *connection, enum lws_close_status status)
{
    connection->server->counts.wrong++;
    drop_queue(connection);
    websocket_close(connection, status);
}

/* Returns true if nothing that still comes matters, but that the client closes, too. */
static bool is_closing(const struct connection *connection)
{
    return connection->doomed || connection->code;
}

static void forget_message(struct connection *connection)
{
    free(connection->input);
    connection->input = NULL;
    connection->input_size = 0;
    connection->empties = 0;
}

static void take_message(struct connection *connection, struct es_str text)
{
    struct server *server = connection->server;
    char *input = connection->input;
    connection->input = NULL;
    forget_message(connection);
    if (!http_is_utf8(text.at, text.size)) {
        wrong(connection, LWS_CLOSE_STATUS_INVALID_PAYLOAD);
    } else {
        server->counts.messages++;
        if (server->options.events->message)
            server->options.events->message(server->options.context, connection->id,
                                            text.size > 0 ? text : es_str(""));
    }
    free(input);
}

/* Returns true if a client may close with this code. */
static bool is_close_code(unsigned code)
{
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) ||
           (code >= 3000 && code <= 4999);
}

/* Takes the client's close, and answers it if it is not the answer to ours. */
static void take_close(struct connection *connection)
{
    const unsigned char *at = connection->control;
    size_t size = connection->control_size;
    unsigned code = size >= 2 ? (unsigned)at[0] << 8 | at[1] : 0;
    connection->is_left = true;
    if (connection->code)
        return;
    drop_queue(connection);
    if (size > 0 && !is_close_code(code))
        wrong(connection, LWS_CLOSE_STATUS_PROTOCOL_ERR);
    else if (size > 2 && !http_is_utf8((const char *)at + 2, size - 2))
        wrong(connection, LWS_CLOSE_STATUS_INVALID_PAYLOAD);
    else
        websocket_close(connection, size > 0 ? (int)code : LWS_CLOSE_STATUS_NO_STATUS);
}

static void take_control(struct connection *connection)
{
    switch (connection->frame[0] & 15) {
    case CLOSE:
        take_close(connection);
        break;
    case PING: /* of several, the latest is answered */
        if (is_closing(connection))
            break;
        heard(connection);
        connection->pong[0] = 0x80 | PONG;
        connection->pong[1] = (unsigned char)connection->control_size;
        memcpy(connection->pong + 2, connection->control, connection->control_size);
        want_room(connection);
        break;
    case PONG:
        if (!is_closing(connection))
            heard(connection);
        break;
    }
}

/* Returns the bytes of a frame's head, as far as its first ones say. */
static size_t head_size(const struct connection *connection)
{
    unsigned second = connection->frame_size < 2 ? 0 : connection->frame[1], length = second & 127;
    return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + (second & 0x80 ? 4 : 0);
}

/* Returns the size of the content, when the head is complete. */
static uint64_t content_size(const struct connection *connection)
{
    const unsigned char *at = connection->frame;
    size_t bytes = (at[1] & 127) == 126 ? 2 : (at[1] & 127) == 127 ? 8 : 0;
    uint64_t size = bytes ? 0 : at[1] & 127;
    for (size_t i = 0; i < bytes; i++)
        size = size << 8 | at[2 + i];
    return size;
}

/* Looks at a frame whose head is complete. Returns the code of a refusal, or 0. */
static int check_frame(struct connection *connection)
{
    unsigned first = connection->frame[0], second = connection->frame[1], kind = first & 15;
    bool is_final = first & 0x80, is_data = kind <= BINARY;
    uint64_t size = connection->left;
    bool is_long = (second & 127) > 125; /* and could be written shorter: */
    if ((second & 127) == 126 ? size < 126 : is_long && (size < 65536 || size >> 63))
        return LWS_CLOSE_STATUS_PROTOCOL_ERR;
    if (first & 0x70 || !(second & 0x80)) /* an extension; no mask */
        return LWS_CLOSE_STATUS_PROTOCOL_ERR;
    if (!is_data)
        return kind >= CLOSE && kind <= PONG && is_final && !is_long
                   ? 0
                   : LWS_CLOSE_STATUS_PROTOCOL_ERR;
    if (kind == BINARY)
        return LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE;
    if (connection->is_fragmented != (kind == MORE))
        return LWS_CLOSE_STATUS_PROTOCOL_ERR;
    if (size > SERVER_MESSAGE_MAX - connection->input_size)
        return LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE;
    if (size == 0 && !is_final && ++connection->empties > EMPTIES_MAX)
        return LWS_CLOSE_STATUS_POLICY_VIOLATION;
    connection->is_fragmented = !is_final;
    return 0;
}

/* Takes bytes of a frame's head. Returns how many. */
static size_t take_head(struct connection *connection, const unsigned char *at, size_t size)
{
    size_t taken = 0;
    while (taken < size && connection->frame_size < head_size(connection))
        connection->frame[connection->frame_size++] = at[taken++];
    if (connection->frame_size < head_size(connection))
        return taken;
    connection->left = content_size(connection);
    connection->unmasked = 0;
    connection->control_size = 0;
    int code = is_closing(connection) ? 0 : check_frame(connection);
    if (code)
        wrong(connection, (enum lws_close_status)code);
    return taken;
}

/* Takes content of a frame that is no message. */
static void take_control_content(struct connection *connection, const unsigned char *at,
                                 size_t size)
{
    size_t room = sizeof connection->control - connection->control_size;
    size = size < room ? size : room; /* more is wrong, and is thrown away */
    if (size > 0)
        memcpy(connection->control + connection->control_size, at, size);
    connection->control_size += size;
    if (connection->left == 0)
        take_control(connection);
}

/* Takes content of a message; `is_alone`: all of this frame. Returns false if there is no memory.
 */
static bool take_text(struct connection *connection, const unsigned char *at, size_t size,
                      bool is_alone)
{
    bool is_final = connection->frame[0] & 0x80 && connection->left == 0;
    heard(connection);
    if (is_alone && is_final && !connection->input) {
        take_message(connection, (struct es_str){(const char *)at, size});
        return true;
    }
    if (!connection->input)
        connection->input = malloc(SERVER_MESSAGE_MAX);
    if (!connection->input)
        return false;
    if (size > 0)
        memcpy(connection->input + connection->input_size, at, size);
    connection->input_size += size;
    if (is_final)
        take_message(connection, (struct es_str){connection->input, connection->input_size});
    return true;
}

/* Takes some of a frame's content, which is unmasked in its place. Returns false if there is no
 * memory. */
static bool take_content(struct connection *connection, unsigned char *at, size_t size)
{
    static const unsigned char no_mask[4];
    const unsigned char *mask = connection->frame[1] & 0x80
                                    ? connection->frame + connection->frame_size - 4
                                    : no_mask; /* it was refused */
    bool is_alone = connection->unmasked == 0 && size == connection->left;
    for (size_t i = 0; i < size; i++)
        at[i] ^= mask[connection->unmasked++ % 4];
    connection->left -= size;
    if ((connection->frame[0] & 15) > BINARY)
        take_control_content(connection, at, size);
    else if (!is_closing(connection))
        return take_text(connection, at, size, is_alone);
    return true;
}

/* Takes bytes as they come. Returns false if the connection has to be closed now. */
static bool take_bytes(struct connection *connection, unsigned char *at, size_t size)
{
    if (is_closing(connection)) {
        connection->thrown += size;
        if (connection->thrown > THROWN_MAX)
            return false;
    }
    while (size > 0 && !connection->is_left) {
        if (connection->left == 0) {
            size_t taken = take_head(connection, at, size);
            at += taken;
            size -= taken;
            if (connection->frame_size < head_size(connection))
                break;
        }
        size_t taken = size < connection->left ? size : (size_t)connection->left;
        if (!take_content(connection, at, taken))
            return false;
        at += taken;
        size -= taken;
        if (connection->left == 0)
            connection->frame_size = 0;
    }
    return !(connection->parted && connection->is_left); /* both have closed */
}

static void on_input(struct ev_loop *loop, struct ev_io *watcher, int events)
{
    (void)loop;
    (void)events;
    struct connection *connection = watcher->data;
    unsigned char bytes[RECEIVE_MAX];
    ssize_t size = recv(watcher->fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size > 0 && take_bytes(connection, bytes, (size_t)size))
        return;
    stop_reading(connection);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_ACK, LWS_TO_KILL_SYNC);
}

/* ---- Those who say nothing, or read nothing ------------------------------------------------- */

void websocket_tick(struct server *server)
{
    const struct server_options *options = &server->options;
    double now = server_now(server);
    double ping = (options->ping_ms ? options->ping_ms : PING_MS) / 1000.0;
    double silence = (options->silence_ms ? options->silence_ms : SILENCE_MS) / 1000.0;
    double stuck = options->stuck_ms ? options->stuck_ms / 1000.0 : SECONDS_STUCK;
    struct connection *connection;
    while ((connection = server->unsent.first) &&
           now - connection->place[LIST_UNSENT].since >= stuck) {
        server->counts.slow++;
        doom(connection);
    }
    for (int i = 0; i < 2; i++) {
        while ((connection = server->heard[i].first) &&
               now - connection->place[LIST_TURN].since >= ping) {
            connection_put(connection, LIST_TURN, &server->asked[i]);
            connection->wants_ping = true;
            want_room(connection);
        }
        while ((connection = server->asked[i].first) &&
               now - connection->place[LIST_TURN].since >= silence - ping) {
            server->counts.silent++;
            doom(connection);
        }
    }
}

/* ---- Beginning and end ---------------------------------------------------------------------- */

static int on_open(struct server *server, struct lws *wsi)
{
    struct connection *connection = connection_make(wsi);
    struct server_request request;
    struct request_texts texts;
    int size = SOCKET_BUFFER;
    if (!connection || !request_read(server, wsi, &request, &texts))
        return -1;
    setsockopt(lws_get_socket_fd(wsi), SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    connection_count(connection, &server->sockets,
                     visitors_enter(&server->sockets, request.address, request.network, UINT32_MAX,
                                    UINT32_MAX)); /* the rooms have the limits */
    connection_number(connection);
    connection->open = true;
    lws_rx_flow_control(wsi, 0); /* we read */
    ev_io_init(&connection->reads, on_input, lws_get_socket_fd(wsi), EV_READ);
    connection->reads.data = connection;
    ev_io_start(server->loop, &connection->reads);
    server->counts.handshakes++;
    server->counts.sockets++;
    heard(connection);
    request.method = SERVER_UPGRADE;
    request.connection = connection->id;
    if (server->options.events->opened)
        server->options.events->opened(server->options.context, &request);
    return 0;
}

void websocket_forget(struct connection *connection)
{
    drop_queue(connection);
    set_copied(connection, 0);
    connection_put(connection, LIST_UNSENT, NULL);
    free(connection->input);
    connection->input = NULL;
    if (ev_is_active(&connection->reads))
        ev_io_stop(connection->server->loop, &connection->reads);
    if (!connection->parted)
        return;
    connection->parted = false;
    connection->server->parted--;
    server_check_finished(connection->server);
}

int websocket_callback(struct server *server, struct lws *wsi, enum lws_callback_reasons reason)
{
    struct connection *connection = connection_of(wsi);
    if (reason == LWS_CALLBACK_ESTABLISHED)
        return on_open(server, wsi);
    if (!connection)
        return 0;
    switch (reason) {
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return on_writable(connection);
    case LWS_CALLBACK_CLOSED:
        connection_put(connection, LIST_TURN, NULL);
        websocket_forget(connection);
        connection_gone(connection);
        return 0;
    default:
        return 0;
    }
}
