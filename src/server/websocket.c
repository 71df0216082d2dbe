/* WebSockets: puts received messages together, sends queued ones, sends pings to silent clients.
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
 * Timeouts of silent clients are kept here too: libwebsockets would keep them in one list that it
 * searches from its beginning whenever a client sends something, 10,000 steps each with 10,000
 * connections.
 */
#include "server/http.h"
#include "server/internal.h"
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
    FRAME_HEAD = 6,                /* bytes of a client's frame without content */
    PING_MS = 25000,
    SILENCE_MS = 40000,
};

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

static void release(struct parcel *parcel)
{
    if (--parcel->users == 0)
        free(parcel);
}

static void drop_queue(struct connection *connection)
{
    for (size_t i = 0; i < connection->queue_count; i++)
        release(connection->queue[(connection->queue_first + i) % connection->queue_room]);
    free(connection->queue);
    connection->queue = NULL;
    connection->queue_first = connection->queue_count = connection->queue_room = 0;
    connection->queued = connection->offset = 0;
}

/* Disconnects without sending the queue or waiting for a close handshake. */
static void doom(struct connection *connection)
{
    connection->doomed = true;
    drop_queue(connection);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, LWS_TO_KILL_ASYNC);
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
        lws_callback_on_writable(connection->wsi);
    }
    if (parcel)
        release(parcel);
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
        release(parcel);
        connection->offset = 0;
        connection->queue_first = (connection->queue_first + 1) % connection->queue_room;
        connection->queue_count--;
    }
    if (connection->queue_count == 0)
        drop_queue(connection);
    return used;
}

/* Sends the close. The rest of the server hears that the connection is gone. */
static bool part(struct connection *connection, unsigned char *piece)
{
    piece[0] = 0x88;
    piece[1] = 2;
    piece[2] = (unsigned char)(connection->code >> 8);
    piece[3] = (unsigned char)connection->code;
    if (lws_write(connection->wsi, piece, 4, LWS_WRITE_HTTP) < 0)
        return false;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_ACK, PARTED_SECONDS);
    connection->parted = true;
    connection->server->parted++;
    connection_put(connection, NULL);
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
    if (connection->parted)
        return 0;
    if (connection->wants_ping) {
        connection->wants_ping = false;
        piece[0] = '.'; /* libwebsockets does not report the answer to an empty ping */
        if (lws_write(wsi, piece, 1, LWS_WRITE_PING) < 0)
            return -1;
    }
    for (int i = 0; connection->queue_count > 0; i++) {
        if (i == PIECES_AT_ONCE || (i > 0 && lws_send_pipe_choked(wsi))) {
            lws_callback_on_writable(wsi);
            return 0;
        }
        size_t size = fill(connection, piece);
        /* To libwebsockets, HTTP content on a WebSocket is raw bytes. */
        if (lws_write(wsi, piece, size, LWS_WRITE_HTTP) < 0)
            return -1;
    }
    if (!connection->code)
        return 0;
    if (lws_send_pipe_choked(wsi)) { /* libwebsockets still has bytes that go before the close */
        lws_callback_on_writable(wsi);
        return 0;
    }
    return part(connection, piece) ? 0 : -1;
}

void websocket_close(struct connection *connection, int code)
{
    if (!connection->open || connection->doomed || connection->code)
        return;
    connection->code = code;
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_CLOSE_SEND, CLOSE_SECONDS);
    lws_callback_on_writable(connection->wsi);
}

void server_hang_up(struct server *server, uint64_t id, int code)
{
    struct connection *connection = connection_find(server, id);
    if (connection)
        websocket_close(connection, code);
}

/* ---- Receiving ------------------------------------------------------------------------------ */

/* Ends a connection that has sent something that is not a message; its callback returns the result.
 */
static int wrong(struct connection *connection, enum lws_close_status status)
{
    connection->server->counts.wrong++;
    drop_queue(connection);
    websocket_close(connection, status);
    return 0;
}

static void heard(struct connection *connection)
{
    connection_put(connection, &connection->server->heard);
}

static int on_piece(struct connection *connection, const char *bytes, size_t size)
{
    struct server *server = connection->server;
    struct lws *wsi = connection->wsi;
    size_t rest = lws_remaining_packet_payload(wsi); /* of this frame */
    bool is_final = lws_is_final_fragment(wsi) && rest == 0;
    if (connection->doomed)
        return 0;
    if (connection->code) {
        connection->thrown += size + FRAME_HEAD;
        return connection->thrown > THROWN_MAX ? -1 : 0;
    }
    heard(connection);
    if (lws_frame_is_binary(wsi))
        return wrong(connection, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    if (size > SERVER_MESSAGE_MAX - connection->input_size ||
        rest > SERVER_MESSAGE_MAX - connection->input_size - size)
        return wrong(connection, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    if (size == 0 && !is_final && ++connection->empties > EMPTIES_MAX)
        return wrong(connection, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    struct es_str text = {bytes, size};
    if (!is_final || connection->input) {
        if (!connection->input)
            connection->input = malloc(SERVER_MESSAGE_MAX);
        if (!connection->input)
            return -1;
        if (size > 0)
            memcpy(connection->input + connection->input_size, bytes, size);
        connection->input_size += size;
        text = (struct es_str){connection->input, connection->input_size};
    }
    if (!is_final)
        return 0;
    if (!http_is_utf8(text.at, text.size))
        return wrong(connection, LWS_CLOSE_STATUS_INVALID_PAYLOAD);
    char *input = connection->input;
    connection->input = NULL;
    connection->input_size = 0;
    connection->empties = 0;
    server->counts.messages++;
    if (server->options.events->message)
        server->options.events->message(server->options.context, connection->id,
                                        text.size > 0 ? text : es_str(""));
    free(input);
    return 0;
}

/* ---- Silence -------------------------------------------------------------------------------- */

void websocket_tick(struct server *server)
{
    const struct server_options *options = &server->options;
    double now = server_now(server);
    double ping = (options->ping_ms ? options->ping_ms : PING_MS) / 1000.0;
    double silence = (options->silence_ms ? options->silence_ms : SILENCE_MS) / 1000.0;
    struct connection *connection;
    while ((connection = server->heard.first) && now - connection->since >= ping) {
        connection_put(connection, &server->asked);
        connection->wants_ping = true;
        lws_callback_on_writable(connection->wsi);
    }
    while ((connection = server->asked.first) && now - connection->since >= silence - ping) {
        connection_put(connection, NULL);
        server->counts.silent++;
        doom(connection);
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
    connection_uncount(connection); /* the rooms count WebSockets */
    connection_number(connection);
    connection->open = true;
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
    free(connection->input);
    connection->input = NULL;
    if (!connection->parted)
        return;
    connection->parted = false;
    connection->server->parted--;
    server_check_finished(connection->server);
}

int websocket_callback(struct server *server, struct lws *wsi, enum lws_callback_reasons reason,
                       void *in, size_t size)
{
    struct connection *connection = connection_of(wsi);
    if (reason == LWS_CALLBACK_ESTABLISHED)
        return on_open(server, wsi);
    if (!connection)
        return 0;
    switch (reason) {
    case LWS_CALLBACK_RECEIVE:
        return on_piece(connection, in, size);
    case LWS_CALLBACK_RECEIVE_PONG:
        if (!connection->doomed && !connection->code)
            heard(connection);
        return 0;
    case LWS_CALLBACK_SERVER_WRITEABLE:
        return on_writable(connection);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
        return connection->parted ? -1 : 0; /* -1: it is the answer to ours, and all is said */
    case LWS_CALLBACK_CLOSED:
        connection_put(connection, NULL);
        websocket_forget(connection);
        connection_gone(connection);
        return 0;
    default:
        return 0;
    }
}
