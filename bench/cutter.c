/* Implementation of cutter.h. */
#include "cutter.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAIRS = 100, BUFFER = 65536 };

/* What one side has sent and the other has not been given yet. */
struct flow {
    char bytes[BUFFER];
    size_t size;
};

/* A connection: side 0 is the server's, side 1 PostgreSQL's. */
struct pair {
    int side[2];         /* -1: there is none */
    struct flow flow[2]; /* from that side */
};

static struct pair pair[PAIRS];
static uint32_t left; /* bytes before the next cut; 0: none is wanted */

static void name_socket(struct sockaddr_un *name, const char *folder)
{
    *name = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(name->sun_path, sizeof name->sun_path, "%.90s/.s.PGSQL.5432", folder);
}

static void end(struct pair *one)
{
    close(one->side[0]);
    close(one->side[1]);
    one->side[0] = one->side[1] = -1;
    one->flow[0].size = one->flow[1].size = 0;
}

static void begin(int listening, const char *postgres)
{
    struct sockaddr_un name;
    struct pair *one = pair;
    while (one < pair + PAIRS && one->side[0] >= 0)
        one++;
    int client = accept4(listening, NULL, NULL, SOCK_NONBLOCK);
    if (client < 0)
        return;
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    name_socket(&name, postgres);
    if (one == pair + PAIRS || server < 0 ||
        connect(server, (struct sockaddr *)&name, sizeof name) != 0) {
        close(client);
        close(server);
        return;
    }
    fcntl(server, F_SETFL, O_NONBLOCK);
    one->side[0] = client;
    one->side[1] = server;
}

/* Reads from a side. False: the connection is over. */
static bool take(struct pair *one, int side)
{
    struct flow *flow = &one->flow[side];
    ssize_t got = read(one->side[side], flow->bytes + flow->size, BUFFER - flow->size);
    if (got < 0 && errno == EAGAIN)
        return true;
    if (got <= 0)
        return false;
    flow->size += (size_t)got;
    return true;
}

/* Gives a side what the other has sent. False: the connection is over, or cut. */
static bool give(struct pair *one, int side)
{
    struct flow *flow = &one->flow[!side];
    size_t most = left && left < flow->size ? left : flow->size;
    ssize_t sent = send(one->side[side], flow->bytes, most, MSG_NOSIGNAL);
    if (sent < 0)
        return errno == EAGAIN;
    flow->size -= (size_t)sent;
    memmove(flow->bytes, flow->bytes + sent, flow->size);
    if (left == 0)
        return true;
    left -= (uint32_t)sent;
    return left > 0;
}

static void serve(int listening, int command, const char *postgres)
{
    static struct pollfd wait[2 + 2 * PAIRS];
    for (int i = 0; i < PAIRS; i++)
        pair[i].side[0] = pair[i].side[1] = -1;
    for (;;) {
        wait[0] = (struct pollfd){listening, POLLIN, 0};
        wait[1] = (struct pollfd){command, POLLIN, 0};
        for (int i = 0; i < PAIRS; i++)
            for (int side = 0; side < 2; side++) {
                short want = pair[i].flow[side].size < BUFFER ? POLLIN : 0;
                if (pair[i].flow[!side].size > 0)
                    want |= POLLOUT;
                wait[2 + 2 * i + side] = (struct pollfd){pair[i].side[side], want, 0};
            }
        poll(wait, 2 + 2 * PAIRS, -1);
        if (wait[1].revents && read(command, &left, sizeof left) != (ssize_t)sizeof left)
            return;
        for (int i = 0; i < PAIRS; i++) {
            bool is_good = true;
            for (int side = 0; side < 2 && pair[i].side[0] >= 0; side++) {
                short event = wait[2 + 2 * i + side].revents;
                if (event & (POLLIN | POLLHUP | POLLERR))
                    is_good = is_good && take(&pair[i], side);
                if (is_good && pair[i].flow[side].size > 0)
                    is_good = give(&pair[i], !side);
            }
            if (!is_good)
                end(&pair[i]);
        }
        if (wait[0].revents)
            begin(listening, postgres);
    }
}

bool cutter_start(struct cutter *cutter, const char *folder, const char *postgres)
{
    struct sockaddr_un name;
    int pipes[2], listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    name_socket(&name, folder);
    unlink(name.sun_path);
    if (listening < 0 || bind(listening, (struct sockaddr *)&name, sizeof name) != 0 ||
        listen(listening, PAIRS) != 0 || pipe2(pipes, O_CLOEXEC) != 0)
        return false;
    fflush(NULL);
    cutter->process = fork();
    if (cutter->process == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(pipes[1]);
        serve(listening, pipes[0], postgres);
        _exit(0);
    }
    close(listening);
    close(pipes[0]);
    cutter->command = pipes[1];
    return cutter->process > 0;
}

void cutter_cut(const struct cutter *cutter, uint32_t bytes)
{
    if (write(cutter->command, &bytes, sizeof bytes) != (ssize_t)sizeof bytes)
        fprintf(stderr, "the cutter is gone\n");
}

void cutter_stop(struct cutter *cutter)
{
    if (cutter->process > 0) {
        close(cutter->command);
        kill((pid_t)cutter->process, SIGKILL);
        waitpid((pid_t)cutter->process, NULL, 0);
    }
    cutter->process = 0;
}
