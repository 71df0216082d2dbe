/* Looks at requests before libwebsockets reads them. libwebsockets resolves `..`, `//` and escapes,
 * and keeps nothing of what was written; what it finds malformed it answers in its own words, or
 * not at all. So we look first, refuse what is malformed or could be read in two ways, and know of
 * all others that their path is what was sent. A line of the headers that it does not understand
 * would take those after it along, such as the one in which a proxy says who asks.
 *
 * A watcher of a higher priority than that of libwebsockets comes before it in each round of the
 * loop, and looks at the socket without taking anything. It has to know where a request begins: at
 * the beginning of a connection, and after a request that nothing followed. Who sends several
 * requests at once gets the answers of libwebsockets, and counts as somebody who has come through a
 * proxy.
 *
 * Headers that come in pieces stay in the socket until they are complete, and libwebsockets does
 * not read meanwhile. As the socket is readable all the time, we cannot wait for more, but look
 * again after a while: twice as long each time, so that many who send slowly cost little. The time
 * for a request is limited as always (exchange_tick()).
 */
#include "server/http.h"
#include "server/internal.h"
#include <poll.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* Headers in bytes: some more than libwebsockets can read, so that it is the one to refuse them. */
enum { LOOK_BYTES = 2 * HEADERS_BYTES, METHOD_MAX = 20 };
static const double FIRST_PAUSE = 0.001, LONGEST_PAUSE = 1; /* seconds */

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

/* Returns what is wrong with a request, as far as it has come; NULL: nothing. */
static const char *fault_of(enum http_line line, const char *bytes, size_t size)
{
    if (line == HTTP_LINE_BAD)
        return "The address in this request is malformed, or not written in the usual way.\n";
    return line == HTTP_LINE_GOOD ? http_header_fault(bytes, size, is_misread) : NULL;
}

/* Returns what follows the headers; NULL: they are not complete. */
static const char *find_end(const char *bytes, size_t size)
{
    const char *end = memmem(bytes, size, "\r\n\r\n", 4);
    return end ? end + 4 : NULL;
}

/* Returns true if a request may begin like that: with a method. */
static bool is_beginning(const char *bytes, size_t size)
{
    size_t word = 0;
    while (word < size && word < METHOD_MAX && bytes[word] >= 'A' && bytes[word] <= 'Z')
        word++;
    return word == size || (word > 0 && bytes[word] == ' ');
}

/* Returns true if the client sends nothing more. */
static bool has_left(int file)
{
    struct pollfd end = {.fd = file, .events = POLLRDHUP};
    return poll(&end, 1, 0) == 1 && end.revents != 0;
}

static void on_pause_over(struct ev_loop *loop, struct ev_timer *watcher, int events)
{
    (void)events;
    struct connection *connection = watcher->data;
    ev_io_start(loop, &connection->line);
}

/* Looks again later at headers that are not complete. */
static void look_later(struct connection *connection)
{
    struct ev_loop *loop = connection->server->loop;
    if (connection->pause == 0)
        lws_rx_flow_control(connection->wsi, 0);
    double pause = connection->pause > 0 ? 2 * connection->pause : FIRST_PAUSE;
    connection->pause = pause < LONGEST_PAUSE ? pause : LONGEST_PAUSE;
    ev_io_stop(loop, &connection->line);
    ev_timer_set(&connection->look, connection->pause, 0);
    ev_timer_start(loop, &connection->look);
}

static void on_line(struct ev_loop *loop, struct ev_io *watcher, int events)
{
    (void)events;
    struct connection *connection = watcher->data;
    char bytes[LOOK_BYTES];
    ssize_t received = recv(watcher->fd, bytes, sizeof bytes, MSG_PEEK | MSG_DONTWAIT);
    size_t size = received > 0 ? (size_t)received : 0;
    const char *end = find_end(bytes, size);
    enum http_line line = http_check_line(bytes, size);
    const char *fault = fault_of(line, bytes, size);
    if (fault) {
        refuse_request(connection, bytes, size, fault);
    } else if (!end && size > 0 && size < sizeof bytes && is_beginning(bytes, size)) {
        if (has_left(watcher->fd))
            lws_set_timeout(connection->wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_SYNC);
        else
            look_later(connection);
    } else if (connection->pause > 0) { /* from the next round on libwebsockets reads */
        connection->pause = 0;
        lws_rx_flow_control(connection->wsi, 1);
    } else { /* it reads in this round, also of an error */
        ev_io_stop(loop, watcher);
        connection->extra = end ? bytes + size - end : -1;
        connection->seen = line == HTTP_LINE_GOOD && end;
    }
}

void line_stop(struct connection *connection)
{
    ev_io_stop(connection->server->loop, &connection->line);
    ev_timer_stop(connection->server->loop, &connection->look);
}

void line_await(struct connection *connection)
{
    bool is_known = connection->extra == 0 || !connection->has_asked;
    line_stop(connection);
    connection->pause = 0;
    connection->seen = false;
    connection->extra = -1;
    connection->has_asked = true;
    if (!is_known)
        return;
    ev_io_init(&connection->line, on_line, lws_get_socket_fd(connection->wsi), EV_READ);
    ev_set_priority(&connection->line, EV_MAXPRI);
    connection->line.data = connection;
    ev_timer_init(&connection->look, on_pause_over, 0, 0);
    connection->look.data = connection;
    ev_io_start(connection->server->loop, &connection->line);
}
