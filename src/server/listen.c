/* Implementation of listen.h. */
#include "server/listen.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { BACKLOG = 1024, ANY_TRIES = 20 };

void listen_hide(struct listener *listener)
{
    if (listener->path)
        unlink(listener->path);
    free(listener->path);
    listener->path = NULL;
}

void listen_close(struct listener *listener)
{
    for (int i = 0; i < listener->count; i++)
        close(listener->socket[i]);
    listener->count = 0;
    listen_hide(listener);
}

static void set_port(struct sockaddr_storage *at, unsigned port)
{
    if (at->ss_family == AF_INET6)
        ((struct sockaddr_in6 *)at)->sin6_port = htons((uint16_t)port);
    else
        ((struct sockaddr_in *)at)->sin_port = htons((uint16_t)port);
}

static unsigned port_of(int socket)
{
    struct sockaddr_storage at;
    socklen_t size = sizeof at;
    if (getsockname(socket, (struct sockaddr *)&at, &size) != 0)
        return 0;
    return ntohs(at.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&at)->sin6_port
                                          : ((struct sockaddr_in *)&at)->sin_port);
}

/* Returns a listening socket, or -1 with errno. */
static int open_one(const struct addrinfo *info, unsigned port)
{
    struct sockaddr_storage at = {0};
    memcpy(&at, info->ai_addr, info->ai_addrlen);
    set_port(&at, port);
    int file = socket(info->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (file < 0)
        return -1;
    int yes = 1;
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (info->ai_family == AF_INET6)
        setsockopt(file, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    if (bind(file, (struct sockaddr *)&at, info->ai_addrlen) == 0 && listen(file, BACKLOG) == 0)
        return file;
    int why = errno;
    close(file);
    errno = why;
    return -1;
}

/* Listens on all addresses at one port. Returns 0 or an errno. Address families that this machine
 * does not have are skipped, as long as another one works. */
static int open_all(struct listener *listener, const struct addrinfo *infos, unsigned port)
{
    int absent = EADDRNOTAVAIL;
    for (const struct addrinfo *info = infos; info; info = info->ai_next) {
        if (listener->count == LISTEN_MAX)
            break;
        int file = open_one(info, port);
        if (file >= 0) {
            listener->socket[listener->count++] = file;
            if (port == 0)
                port = port_of(file); /* the same for all */
        } else if (errno == EADDRNOTAVAIL || errno == EAFNOSUPPORT) {
            absent = errno;
        } else {
            int why = errno;
            listen_close(listener);
            return why;
        }
    }
    listener->port = port;
    return listener->count > 0 ? 0 : absent;
}

static void say(char fault[SERVER_FAULT_BYTES], const char *address, unsigned port, int why)
{
    if (why == EADDRINUSE)
        snprintf(fault, SERVER_FAULT_BYTES,
                 "port %u is in use by another program; stop it, or choose a port with --port N "
                 "and keep to it, because browsers keep games separately for each port",
                 port);
    else if (why == EACCES || why == EPERM)
        snprintf(fault, SERVER_FAULT_BYTES, "not allowed to open port %u: %s", port, strerror(why));
    else if (address)
        snprintf(fault, SERVER_FAULT_BYTES, "cannot listen on '%.100s': %s", address,
                 strerror(why));
    else
        snprintf(fault, SERVER_FAULT_BYTES, "cannot listen on port %u: %s", port, strerror(why));
}

bool listen_open(struct listener *listener, const char *address, unsigned port,
                 char fault[SERVER_FAULT_BYTES])
{
    static const char *const local[] = {"127.0.0.1", "::1"};
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *infos = NULL;
    *listener = (struct listener){0};
    if (address) {
        int wrong = getaddrinfo(address, NULL, &hints, &infos);
        if (wrong) {
            snprintf(fault, SERVER_FAULT_BYTES, "cannot resolve address '%.100s': %s", address,
                     gai_strerror(wrong));
            return false;
        }
    } else {
        /* Not "localhost", which depends on /etc/hosts. */
        hints.ai_flags = AI_NUMERICHOST;
        struct addrinfo **end = &infos;
        for (size_t i = 0; i < sizeof local / sizeof local[0]; i++) {
            if (getaddrinfo(local[i], NULL, &hints, end) == 0)
                end = &(*end)->ai_next;
        }
    }
    /* The system's choice of a port may be taken on the second address. */
    int why = EADDRNOTAVAIL, tries = port == 0 ? ANY_TRIES : 1;
    for (int i = 0; i < tries && (i == 0 || why == EADDRINUSE); i++)
        why = open_all(listener, infos, port);
    if (infos)
        freeaddrinfo(infos);
    if (why)
        say(fault, address, port, why);
    return why == 0;
}

/* Binds a Unix socket. A socket that nobody listens on any more is removed first. Returns 0 or an
 * errno. */
static int bind_unix(int file, const struct sockaddr_un *at)
{
    if (bind(file, (const struct sockaddr *)at, sizeof *at) == 0)
        return 0;
    if (errno != EADDRINUSE)
        return errno;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool is_dead = probe >= 0 && connect(probe, (const struct sockaddr *)at, sizeof *at) != 0 &&
                   errno == ECONNREFUSED;
    if (probe >= 0)
        close(probe);
    if (!is_dead || unlink(at->sun_path) != 0)
        return EADDRINUSE;
    return bind(file, (const struct sockaddr *)at, sizeof *at) == 0 ? 0 : errno;
}

bool listen_unix(struct listener *listener, const char *path, char fault[SERVER_FAULT_BYTES])
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    *listener = (struct listener){0};
    if (strlen(path) >= sizeof at.sun_path) {
        snprintf(fault, SERVER_FAULT_BYTES, "the name of a Unix socket has at most %zu bytes",
                 sizeof at.sun_path - 1);
        return false;
    }
    memcpy(at.sun_path, path, strlen(path));
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    mode_t mask = umask(0117);
    int why = file < 0 ? errno : bind_unix(file, &at);
    umask(mask);
    if (why == 0 && listen(file, BACKLOG) != 0)
        why = errno;
    if (why == 0) {
        listener->path = strdup(path);
        listener->socket[listener->count++] = file;
        return true;
    }
    if (file >= 0)
        close(file);
    snprintf(fault, SERVER_FAULT_BYTES, "cannot listen on '%.100s': %s", path,
             why == EADDRINUSE ? "another program listens there" : strerror(why));
    return false;
}
