/* The sockets of clients of a room server, for load.c and players.c: connections from many loopback
 * addresses, WebSocket frames, and guests and rooms to begin with. */
#ifndef BENCH_SOCKET_H
#define BENCH_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A WebSocket, or one that is being opened. */
struct socket {
    int file;     /* -1: none */
    bool is_open; /* the handshake is over */
    int close;    /* the code with which the server has closed it; 0: none */
    char *rest;   /* the beginning of a message */
    size_t rest_size;
};

/* What happens on it. */
struct socket_events {
    void (*opened)(void *context);
    /* A whole message; text[size] is 0. */
    void (*message)(void *context, char *text, size_t size);
};

/* Microseconds of a clock that only goes forward. */
uint64_t socket_now(void);

/* Connects from the address of the n-th client: a few of them share one. A socket that `waits`
 * blocks. Returns -1 if nobody listens. */
int socket_connect(int port, int n, bool waits);
/* Sends all of it, or nothing more if the connection is lost. */
void socket_put(int file, const char *bytes, size_t size);
/* Writes a client's frame, with a random mask, and returns its size: up to SOCKET_FRAME_HEAD bytes
 * more than the content, which has up to 65535. */
enum { SOCKET_FRAME_HEAD = 8 };
size_t socket_frame(unsigned char *frame, int kind, const char *bytes, size_t size);
/* Opens a WebSocket on a connection. */
void socket_shake_hands(int file, const char *path);
void socket_say(int file, const char *text);
/* Reads what has come. Returns false if the connection is over. The events must not close the
 * socket. */
bool socket_read(struct socket *socket, const struct socket_events *events, void *context);
void socket_close(struct socket *socket);

/* Returns a free port outside the range from which the system chooses ports; each time another. */
int socket_free_port(void);

struct socket_guest {
    char id[17], token[65];
};
/* Makes a guest, or a room in which that guest is the host; `n` as above. `setup` as in docs/
 * protocol.md, with \n for line ends; an empty `code` is set for rooms that are not open. They exit
 * with a message if the server refuses. */
void socket_make_guest(int port, int n, struct socket_guest *guest);
void socket_make_room(int port, int n, const struct socket_guest *guest, const char *setup,
                      bool is_open, char id[17], char code[13]);

#endif
