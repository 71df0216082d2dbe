/* Implementation of control.h. */
#include "server/control.h"
#include "server/data.h"
#include "server/listen.h"
#include "server/log.h"
#include "server/thread.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    REQUEST_BYTES = 1000,
    ANSWER_BYTES = CONTROL_TEXT_BYTES + 16, /* with a word before it */
    ASK_SECONDS = 5,
};

struct control {
    char *folder;
    struct service *service;
    struct listener listener;
    int end[2]; /* a pipe; closed to end the thread */
    pthread_t thread;
    bool has_file;
};

/* ---- The server's side ---------------------------------------------------------------------- */

/* A backup is made by the program that asks; this server has a line in its log. */
static void back_up(const struct control *control, const char *what, char answer[ANSWER_BYTES])
{
    bool is_failed = !control->has_file || strcmp(what, "failed") == 0;
    snprintf(answer, ANSWER_BYTES, "%s\n",
             control->has_file ? "ok "
                               : "error the rooms are in PostgreSQL, whose own programs make "
                                 "backups, such as pg_dump");
    if (is_failed || strcmp(what, "done") == 0)
        log_line("event=backup outcome=%s", is_failed ? "failed" : "done");
}

static void operate(struct control *control, const char *line, char answer[ANSWER_BYTES])
{
    char *text = NULL;
    int status = service_operate(control->service, line, &text);
    snprintf(answer, ANSWER_BYTES, "%s %s\n", status == 200 ? "ok" : "error",
             text            ? text
             : status == 504 ? "no answer in time: the store fails; it may still be done later"
                             : "the server is ending");
    free(text);
}

/* Reads a line, without its end; false if none comes in time. */
static bool read_line(int file, char *line, size_t size)
{
    size_t used = 0;
    while (used + 1 < size) {
        ssize_t got = recv(file, line + used, size - 1 - used, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        used += (size_t)got;
        line[used] = '\0';
        char *end = memchr(line, '\n', used);
        if (end) {
            *end = '\0';
            return true;
        }
    }
    return false;
}

static void answer_one(struct control *control, int file)
{
    const struct timeval most = {.tv_sec = ASK_SECONDS};
    char line[REQUEST_BYTES], answer[ANSWER_BYTES] = "error unknown request\n";
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    if (read_line(file, line, sizeof line)) {
        if (strncmp(line, "backup ", strlen("backup ")) == 0)
            back_up(control, line + strlen("backup "), answer);
        else if (line[0] == '{')
            operate(control, line, answer);
        send(file, answer, strlen(answer), MSG_NOSIGNAL);
    }
    close(file);
}

static void *run(void *context)
{
    struct control *control = context;
    struct pollfd files[] = {{.fd = control->listener.socket[0], .events = POLLIN},
                             {.fd = control->end[0], .events = POLLIN}};
    while (poll(files, 2, -1) >= 0 || errno == EINTR) {
        if (files[1].revents)
            break;
        int file = files[0].revents ? accept4(files[0].fd, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (file >= 0)
            answer_one(control, file);
    }
    return NULL;
}

struct control *control_open(const char *folder, struct service *service, bool has_file)
{
    char path[PATH_MAX], fault[SERVER_FAULT_BYTES] = "not enough memory";
    struct control *control = calloc(1, sizeof *control);
    if (control && data_path(folder, DATA_SOCKET, path) &&
        listen_unix(&control->listener, path, fault) && pipe(control->end) == 0) {
        control->folder = strdup(folder);
        control->service = service;
        control->has_file = has_file;
        if (control->folder && thread_start(&control->thread, run, control))
            return control;
    }
    log_fault("event=control outcome=failed", fault);
    if (control) {
        listen_close(&control->listener);
        free(control->folder);
    }
    free(control);
    return NULL;
}

void control_close(struct control *control)
{
    close(control->end[1]);
    pthread_join(control->thread, NULL);
    close(control->end[0]);
    listen_close(&control->listener);
    free(control->folder);
    free(control);
}

/* ---- The other side ------------------------------------------------------------------------- */

static int reach(const char *folder)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    char path[PATH_MAX];
    if (!data_path(folder, DATA_SOCKET, path) || strlen(path) >= sizeof at.sun_path)
        return -1;
    memcpy(at.sun_path, path, strlen(path));
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file >= 0 && connect(file, (const struct sockaddr *)&at, sizeof at) != 0) {
        close(file);
        return -1;
    }
    return file;
}

enum control_status control_ask(const char *folder, const char *line, char *text, size_t size)
{
    char request[REQUEST_BYTES + 1], answer[ANSWER_BYTES] = "";
    int file = reach(folder);
    if (file < 0)
        return CONTROL_NOBODY;
    int length = snprintf(request, sizeof request, "%s\n", line);
    bool is_answered = length > 0 && length < (int)sizeof request &&
                       send(file, request, (size_t)length, MSG_NOSIGNAL) == length &&
                       read_line(file, answer, sizeof answer);
    close(file);
    bool is_good = is_answered && strncmp(answer, "ok ", 3) == 0;
    const char *rest = strchr(answer, ' ');
    snprintf(text, size, "%s", rest ? rest + 1 : "the server gave no answer");
    return is_good ? CONTROL_DONE : CONTROL_FAILED;
}
