/* Implementation of control.h. */
#include "server/control.h"
#include "server/data.h"
#include "server/listen.h"
#include "server/log.h"
#include "server/thread.h"
#include "store/store.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { LINE_BYTES = PATH_MAX + 100, ASK_SECONDS = 5 };

struct control {
    char *folder;
    struct listener listener;
    int end[2]; /* a pipe; closed to end the thread */
    pthread_t thread;
    unsigned copies;
};

/* ---- The server's side ---------------------------------------------------------------------- */

static void back_up(struct control *control, char answer[LINE_BYTES])
{
    char path[PATH_MAX], copy[PATH_MAX], name[60], fault[STORE_FAULT_BYTES];
    snprintf(name, sizeof name, "backup-%ld-%u", (long)getpid(), ++control->copies);
    if (!data_path(control->folder, DATA_FILE, path) || !data_path(control->folder, name, copy))
        snprintf(fault, sizeof fault, "the name of the data folder is too long");
    else if (store_backup(path, copy, fault)) {
        snprintf(answer, LINE_BYTES, "ok %s\n", name);
        log_line("event=backup outcome=done");
        return;
    }
    snprintf(answer, LINE_BYTES, "error %s\n", fault);
    log_line("event=backup outcome=failed");
}

static void answer_one(struct control *control, int file)
{
    static const char wanted[] = "backup\n";
    const struct timeval most = {.tv_sec = ASK_SECONDS};
    char line[sizeof wanted] = "", answer[LINE_BYTES] = "error unknown request\n";
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    if (recv(file, line, sizeof wanted - 1, MSG_WAITALL) == (ssize_t)sizeof wanted - 1 &&
        strcmp(line, wanted) == 0)
        back_up(control, answer);
    send(file, answer, strlen(answer), MSG_NOSIGNAL);
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

struct control *control_open(const char *folder)
{
    char path[PATH_MAX], fault[SERVER_FAULT_BYTES] = "not enough memory";
    struct control *control = calloc(1, sizeof *control);
    if (control && data_path(folder, DATA_SOCKET, path) &&
        listen_unix(&control->listener, path, fault) && pipe(control->end) == 0) {
        control->folder = strdup(folder);
        if (control->folder && thread_start(&control->thread, run, control))
            return control;
    }
    log_line("event=control outcome=failed reason=\"%s\"", fault);
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

enum control_status control_backup(const char *folder, char *text, size_t size)
{
    static const char request[] = "backup\n";
    char line[LINE_BYTES];
    size_t used = 0;
    ssize_t got = 1;
    int file = reach(folder);
    if (file < 0)
        return CONTROL_NOBODY;
    if (send(file, request, sizeof request - 1, MSG_NOSIGNAL) == (ssize_t)sizeof request - 1) {
        while (used + 1 < sizeof line &&
               (got = recv(file, line + used, sizeof line - 1 - used, 0)) != 0) {
            if (got > 0)
                used += (size_t)got;
            else if (errno != EINTR)
                break;
        }
    }
    close(file);
    line[used] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, "ok ", 3) == 0 && !strchr(line, '/')) {
        snprintf(text, size, "%s/%s", folder, line + 3);
        return CONTROL_DONE;
    }
    snprintf(text, size, "%s",
             strncmp(line, "error ", 6) == 0 ? line + 6 : "the server gave no answer");
    return CONTROL_FAILED;
}
