/* Looks at requests before libwebsockets reads them. libwebsockets resolves `..`, `//` and escapes,
 * and keeps nothing of what was written; what it finds malformed it answers in its own words, or
 * not at all. So we look first, refuse what is malformed or could be read in two ways, and know of
 * all others that their path is what was sent. A line of the headers that it does not understand
 * would take those after it along, such as the one in which a proxy says who asks.
 *
 * A watcher of a higher priority than that of libwebsockets comes before it in each round of the
 * loop, and looks at the socket without taking anything. It has to know where a request begins: at
 * the beginning of a connection, and after a request that nothing followed. Who sends the headers
 * in pieces, or several requests at once, gets the answers of libwebsockets, and counts as somebody
 * who has come through a proxy.
 */
#include "server/http.h"
#include "server/internal.h"
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* Takes what was looked at from the socket, answers, and disconnects. */
static void refuse_request(struct connection *connection, char *bytes, size_t size,
                           const char *sentence)
{
    char text[REFUSAL_BYTES];
    int file = lws_get_socket_fd(connection->wsi);
    bool is_head = size > 5 && memcmp(bytes, "HEAD ", 5) == 0;
    size_t used = exchange_refusal(text, "400 Bad Request", is_head ? "" : sentence);
    if (recv(file, bytes, size, MSG_DONTWAIT) > 0) /* or the system would reset the connection */
        send(file, text, used, MSG_DONTWAIT | MSG_NOSIGNAL);
    lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_SYNC);
}

/* libwebsockets 4.1.6 takes a header whose name is the beginning of one that it knows, such as `X`,
 * to end at the next header's colon: that one is lost, or it waits for it. */
static bool is_misread(const char *name, size_t size)
{
    const unsigned char *known;
    char first = (char)(*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name);
    bool is_beginning = false;
    for (int i = 0; (known = lws_token_to_string((enum lws_token_indexes)i)); i++) {
        if (known[0] != first || strncasecmp((const char *)known, name, size) != 0)
            continue;
        if (known[size] == ':')
            return false;
        is_beginning = true;
    }
    return is_beginning;
}

/* Returns what is wrong with a request, of which this much has come; NULL: nothing. */
static const char *fault_of(enum http_line line, const char *bytes, size_t size)
{
    if (line == HTTP_LINE_BAD)
        return "The address in this request is malformed, or not written in the usual way.\n";
    return line == HTTP_LINE_GOOD ? http_header_fault(bytes, size, is_misread) : NULL;
}

/* Follows the end of the headers, an empty line, through more bytes. Returns what follows it; NULL:
 * it has not come. */
static const char *find_end(struct connection *connection, const char *at, const char *end)
{
    static const char ending[] = "\r\n\r\n";
    while (at < end && connection->ending < 4) {
        char c = *at++;
        connection->ending = c == ending[connection->ending] ? connection->ending + 1 : c == '\r';
    }
    return connection->ending == 4 ? at : NULL;
}

static void on_line(struct ev_loop *loop, struct ev_io *watcher, int events)
{
    (void)events;
    struct connection *connection = watcher->data;
    char bytes[HEADERS_BYTES];
    ssize_t size = recv(watcher->fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
    const char *end = size > 0 ? find_end(connection, bytes, bytes + size) : NULL;
    if (end || size <= 0) /* libwebsockets hears of an error, too */
        ev_io_stop(loop, watcher);
    if (size <= 0)
        return;
    connection->extra = end ? bytes + size - end : -1;
    if (connection->pieces++ > 0)
        return;
    enum http_line line = http_check_line(bytes, (size_t)size);
    const char *fault = fault_of(line, bytes, (size_t)size);
    connection->seen = line == HTTP_LINE_GOOD && end;
    if (fault)
        refuse_request(connection, bytes, (size_t)size, fault);
}

void line_stop(struct connection *connection)
{
    if (ev_is_active(&connection->line))
        ev_io_stop(connection->server->loop, &connection->line);
}

void line_await(struct connection *connection)
{
    bool is_known = connection->extra == 0 || !connection->has_asked;
    line_stop(connection);
    connection->pieces = connection->ending = 0;
    connection->seen = false;
    connection->extra = -1;
    connection->has_asked = true;
    if (!is_known)
        return;
    ev_io_init(&connection->line, on_line, lws_get_socket_fd(connection->wsi), EV_READ);
    ev_set_priority(&connection->line, EV_MAXPRI);
    connection->line.data = connection;
    ev_io_start(connection->server->loop, &connection->line);
}
