/* Implementation of socket.h. */
#include "socket.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, OF_ADDRESS = 24, WAIT_SECONDS = 30, CONNECT_SECONDS = 5 };

static char buffer[BUFFER];

uint64_t socket_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void die(const char *what)
{
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    exit(1);
}

int socket_connect(int port, int n, bool waits)
{
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    struct timeval connecting = {.tv_sec = CONNECT_SECONDS};
    n /= OF_ADDRESS; /* each address is in a network of its own */
    struct sockaddr_in from = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(0x7f010001 + (uint32_t)n * 256)};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(file, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &connecting, sizeof connecting);
    if (file < 0 || bind(file, (struct sockaddr *)&from, sizeof from))
        die("a loopback address");
    if (connect(file, (struct sockaddr *)&to, sizeof to)) {
        close(file);
        return -1;
    }
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct timeval limit = {.tv_sec = WAIT_SECONDS};
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (!waits)
        fcntl(file, F_SETFL, O_NONBLOCK);
    return file;
}

void socket_put(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = send(file, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN)
            continue; /* we send little */
        if (sent < 0)
            return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

size_t socket_frame(unsigned char *frame, int kind, const char *bytes, size_t size)
{
    size_t used = 0;
    frame[used++] = (unsigned char)(0x80 | kind);
    if (size < 126) {
        frame[used++] = (unsigned char)(0x80 | size);
    } else {
        frame[used++] = 0xfe;
        frame[used++] = (unsigned char)(size >> 8);
        frame[used++] = (unsigned char)size;
    }
    unsigned char *mask = frame + used;
    if (getrandom(mask, 4, 0) != 4)
        die("random numbers");
    used += 4;
    for (size_t i = 0; i < size; i++)
        frame[used++] = (unsigned char)bytes[i] ^ mask[i % 4];
    return used;
}

void socket_say(int file, const char *text)
{
    unsigned char frame[1200];
    size_t size = strlen(text);
    if (size + SOCKET_FRAME_HEAD > sizeof frame)
        abort();
    socket_put(file, (char *)frame, socket_frame(frame, 1, text, size));
}

void socket_shake_hands(int file, const char *path)
{
    char text[300];
    int size = snprintf(text, sizeof text,
                        "GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                        "Sec-WebSocket-Version: 13\r\n\r\n",
                        path);
    socket_put(file, text, (size_t)size);
}

void socket_close(struct socket *socket)
{
    if (socket->file >= 0)
        close(socket->file);
    free(socket->rest);
    *socket = (struct socket){.file = -1};
}

/* ---- Frames ---------------------------------------------------------------------------------- */

struct frame {
    bool is_last;
    int kind;
    char *at;
    size_t size;
    char *end;
};

/* Finds the frame at the beginning of some bytes; false if it is not complete. */
static bool find_frame(char *at, const char *end, struct frame *frame)
{
    if (end - at < 2)
        return false;
    size_t size = (unsigned char)at[1] & 127, head = 2;
    size_t bytes = size == 126 ? 2 : size == 127 ? 8 : 0;
    if ((size_t)(end - at) < head + bytes)
        return false;
    if (bytes)
        size = 0;
    for (; bytes > 0; bytes--)
        size = size << 8 | (unsigned char)at[head++];
    if ((size_t)(end - at) - head < size)
        return false;
    *frame = (struct frame){at[0] & 0x80, at[0] & 15, at + head, size, at + head + size};
    return true;
}

/* Returns true if all frames of the first message have come. */
static bool is_whole(char *at, const char *end)
{
    struct frame frame = {.end = at};
    while (find_frame(frame.end, end, &frame))
        if (frame.is_last)
            return true;
    return false;
}

/* Joins the frames of such a message to one. */
static struct frame join(char *at, const char *end)
{
    struct frame whole = {.is_last = true}, next;
    find_frame(at, end, &whole);
    while (!whole.is_last && find_frame(whole.end, end, &next)) {
        memmove(whole.at + whole.size, next.at, next.size);
        whole.size += next.size;
        whole.is_last = next.is_last;
        whole.end = next.end;
    }
    return whole;
}

/* Answers pings, and takes them out: they may come between the frames of a message. Returns the new
 * end. */
static char *answer_pings(int file, char *at, char *end)
{
    struct frame frame;
    while (find_frame(at, end, &frame)) {
        if (frame.kind != 9) {
            at = frame.end;
            continue;
        }
        unsigned char pong[SOCKET_FRAME_HEAD + 125];
        size_t size = frame.size < 125 ? frame.size : 125;
        socket_put(file, (char *)pong, socket_frame(pong, 10, frame.at, size));
        memmove(at, frame.end, (size_t)(end - frame.end));
        end -= frame.end - at;
    }
    return end;
}

/* Takes a message; false if it ends the connection. */
static bool take(struct socket *socket, const struct frame *frame,
                 const struct socket_events *events, void *context)
{
    char kept = frame->at[frame->size];
    switch (frame->kind) {
    case 1:
        frame->at[frame->size] = 0;
        events->message(context, frame->at, frame->size);
        frame->at[frame->size] = kept;
        return true;
    case 8:
        if (frame->size >= 2)
            socket->close = (unsigned char)frame->at[0] << 8 | (unsigned char)frame->at[1];
        return false;
    }
    return true;
}

bool socket_read(struct socket *socket, const struct socket_events *events, void *context)
{
    if (socket->rest_size)
        memcpy(buffer, socket->rest, socket->rest_size);
    size_t used = socket->rest_size;
    ssize_t got = read(socket->file, buffer + used, sizeof buffer - used - 1);
    if (got < 0 && errno == EAGAIN)
        return true;
    if (got <= 0)
        return false;
    used += (size_t)got;
    char *at = buffer, *end = buffer + used;
    if (!socket->is_open) {
        char *body = memmem(at, used, "\r\n\r\n", 4);
        if (body) {
            at = body + 4;
            socket->is_open = true;
            events->opened(context);
        }
    }
    if (socket->is_open)
        end = answer_pings(socket->file, at, end);
    while (socket->is_open && is_whole(at, end)) {
        struct frame frame = join(at, end);
        if (!take(socket, &frame, events, context))
            return false;
        at = frame.end;
    }
    socket->rest_size = (size_t)(end - at);
    if (socket->rest_size > 0) {
        socket->rest = realloc(socket->rest, socket->rest_size);
        memcpy(socket->rest, at, socket->rest_size);
    } else {
        free(socket->rest);
        socket->rest = NULL;
    }
    return true;
}

/* ---- Guests and rooms ------------------------------------------------------------------------ */

int socket_free_port(void)
{
    static int last;
    for (int port = last ? last + 1 : 20000 + getpid() % 10000;; port++) {
        struct sockaddr_in at = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int file = socket(AF_INET, SOCK_STREAM, 0);
        int fault = bind(file, (struct sockaddr *)&at, sizeof at);
        close(file);
        if (!fault)
            return last = port;
    }
}

static int connect_now(int port, int n)
{
    int file = socket_connect(port, n, true);
    if (file < 0)
        die("connect");
    return file;
}

/* Reads from a blocking socket until a text appears, or the end. */
static void read_until(int file, const char *wanted)
{
    size_t used = 0;
    buffer[0] = 0;
    while (!strstr(buffer, wanted)) {
        ssize_t got = read(file, buffer + used, sizeof buffer - used - 1);
        if (got <= 0)
            return;
        for (ssize_t i = 0; i < got; i++)
            if (!buffer[used + (size_t)i])
                buffer[used + (size_t)i] = ' ';
        used += (size_t)got;
        buffer[used] = 0;
    }
}

/* Copies what follows a name in the buffer. */
static void copy(const char *name, char *text, size_t size)
{
    const char *at = strstr(buffer, name);
    if (!at) {
        fprintf(stderr, "no %s in %.300s\n", name, buffer);
        exit(1);
    }
    snprintf(text, size, "%.*s", (int)size - 1, at + strlen(name));
}

void socket_make_guest(int port, int n, struct socket_guest *guest)
{
    static const char body[] = "{\"name\":\"Load\",\"colour\":1}";
    char text[300];
    int file = connect_now(port, n);
    snprintf(text, sizeof text,
             "POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
             sizeof body - 1, body);
    socket_put(file, text, strlen(text));
    read_until(file, "\"device\"");
    copy("\"guest\":\"", guest->id, sizeof guest->id);
    copy("\"token\":\"", guest->token, sizeof guest->token);
    close(file);
}

void socket_make_room(int port, int n, const struct socket_guest *guest, const char *setup,
                      bool is_open, char id[17], char code[13])
{
    char text[600];
    int file = connect_now(port, n);
    socket_shake_hands(file, "/ws/lobby");
    read_until(file, "\r\n\r\n");
    snprintf(text, sizeof text, "{\"t\":\"hello\",\"v\":1,\"token\":\"%s\"}", guest->token);
    socket_say(file, text);
    read_until(file, "\"tables\"");
    snprintf(text, sizeof text, "{\"t\":\"make\",\"key\":\"k\",\"open\":%s,\"setup\":\"%s\"}",
             is_open ? "true" : "false", setup);
    socket_say(file, text);
    read_until(file, "\"code\":\"");
    copy("\"t\":\"ok\",\"room\":\"", id, 17);
    copy("\"code\":\"", code, 13);
    close(file);
}
