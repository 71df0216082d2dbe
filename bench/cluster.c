/* Implementation of cluster.h. */
#include "cluster.h"
#include "cutter.h"
#include "socket.h"
#include "usage.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MS = 1000, AGAIN_MS = 300, START_SECONDS = 60, SESSIONS = 200 };

struct process {
    int port;
    pid_t id;        /* 0: not running */
    uint64_t up;     /* when it was started */
    uint64_t start;  /* when to start it; 0: it runs */
    uint64_t resume; /* when to continue it; 0: it is not halted */
    int restart_ms;  /* after SIGTERM: when it has ended; -1: it should not end */
};

static struct cluster_options options;
static struct process process[CLUSTER_MAX];
static struct cutter cutter;
static pid_t blow; /* the shell that restarts PostgreSQL; 0: none */
static uint64_t back = 1;
static int surprises;

/* ---- Processes ------------------------------------------------------------------------------- */

static void become_server(int number)
{
    char port[16], text[600];
    snprintf(port, sizeof port, "%d", process[number].port);
    snprintf(text, sizeof text, "%.300s/server-%d.log", options.folder, number);
    int output = open(text, O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive us, however we end */
    if (options.postgres) {
        snprintf(text, sizeof text, "postgres://endstation@/postgres?host=%.300s",
                 options.has_cutter ? options.folder : options.postgres);
        execl(options.program, options.program, "serve", "--port", port, "--store", text,
              "--no-open", "--log", (char *)NULL);
    } else {
        snprintf(text, sizeof text, "%.300s/data", options.folder);
        execl(options.program, options.program, "serve", "--port", port, "--data", text,
              "--no-open", "--log", (char *)NULL);
    }
    perror(options.program);
    _exit(127);
}

static void start(int number)
{
    struct process *one = &process[number];
    fflush(NULL);
    one->id = fork();
    if (one->id == 0)
        become_server(number);
    one->up = socket_now();
    one->start = one->resume = 0;
    one->restart_ms = -1;
}

/* Looks whether it has ended. */
static void watch(int number)
{
    struct process *one = &process[number];
    int status;
    if (!one->id || waitpid(one->id, &status, WNOHANG) != one->id)
        return;
    one->id = 0;
    one->start = socket_now() + (uint64_t)(one->restart_ms >= 0 ? one->restart_ms : AGAIN_MS) * MS;
    /* Without PostgreSQL it cannot start: then it is tried again. */
    bool may_fail = options.postgres && WIFEXITED(status) &&
                    (!back || socket_now() - back < START_SECONDS * (uint64_t)1000000);
    if (one->restart_ms >= 0 ? status != 0 : !may_fail) {
        surprises++;
        printf("process %d ended by itself, with status %#x\n", number, (unsigned)status);
    }
}

int cluster_port(int number)
{
    return process[number].port;
}

uint64_t cluster_up(int number)
{
    const struct process *one = &process[number];
    return one->id && !one->resume && one->restart_ms < 0 ? one->up : 0;
}

int cluster_surprises(void)
{
    return surprises;
}

void cluster_kill(int number, int ms)
{
    struct process *one = &process[number];
    if (!one->id)
        return;
    kill(one->id, SIGKILL);
    waitpid(one->id, NULL, 0);
    one->id = 0;
    one->resume = 0;
    one->start = socket_now() + (uint64_t)ms * MS;
}

void cluster_drain(int number, int ms)
{
    if (!process[number].id || process[number].resume)
        return;
    process[number].restart_ms = ms;
    kill(process[number].id, SIGTERM);
}

void cluster_halt(int number, int ms)
{
    if (!process[number].id || process[number].resume)
        return;
    kill(process[number].id, SIGSTOP);
    process[number].resume = socket_now() + (uint64_t)ms * MS;
}

/* ---- PostgreSQL ------------------------------------------------------------------------------ */

/* The process of PostgreSQL; 0: it is not running. */
static long postgres_process(void)
{
    char path[400];
    long id = 0;
    snprintf(path, sizeof path, "%.300s/data/postmaster.pid", options.postgres);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%ld", &id) != 1)
        id = 0;
    if (file)
        fclose(file);
    return id;
}

void cluster_blow(enum cluster_blow how)
{
    char stop[700] = "", command[1500];
    long id = postgres_process();
    if (blow || !options.postgres)
        return;
    if (how != CLUSTER_CRASH)
        snprintf(stop, sizeof stop, "sh '%.300s' stop '%.300s' %s; ", options.script,
                 options.postgres, how == CLUSTER_FAST ? "fast" : "immediate");
    else if (id > 0)
        kill((pid_t)id, SIGKILL);
    /* After a crash its sessions end a little later, and only then can it be started. */
    snprintf(command, sizeof command,
             "%si=0; until sh '%.300s' start '%.300s' >/dev/null 2>&1; do "
             "i=$((i + 1)); [ $i -lt 100 ] || exit 1; sleep 0.1; done",
             stop, options.script, options.postgres);
    back = 0;
    fflush(NULL);
    blow = fork();
    if (blow == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
}

uint64_t cluster_back(void)
{
    return back;
}

struct sessions {
    long id[SESSIONS];
    uint32_t count;
};

static void add_session(void *context, long child, const char *command)
{
    struct sessions *sessions = context;
    if (strncmp(command, "postgres: endstation ", 21) == 0 && sessions->count < SESSIONS)
        sessions->id[sessions->count++] = child;
}

void cluster_end_session(uint32_t n, int signal)
{
    struct sessions sessions = {.count = 0};
    long id = options.postgres ? postgres_process() : 0;
    if (id > 0)
        usage_children(id, add_session, &sessions);
    if (sessions.count > 0)
        kill((pid_t)sessions.id[n % sessions.count], signal);
}

void cluster_cut(uint32_t bytes)
{
    if (cutter.process)
        cutter_cut(&cutter, bytes);
}

/* ---- Everything ------------------------------------------------------------------------------ */

void cluster_run(void)
{
    int status;
    if (blow && waitpid(blow, &status, WNOHANG) == blow) {
        blow = 0;
        back = socket_now();
        if (status != 0) {
            printf("PostgreSQL could not be started again\n");
            exit(1);
        }
    }
    for (int i = 0; i < options.processes; i++) {
        struct process *one = &process[i];
        watch(i);
        if (one->resume && socket_now() >= one->resume) {
            kill(one->id, SIGCONT);
            one->resume = 0;
        }
        if (one->start && socket_now() >= one->start)
            start(i);
    }
}

void cluster_stop(void)
{
    for (int i = 0; i < options.processes; i++)
        if (process[i].id) {
            kill(process[i].id, SIGCONT);
            kill(process[i].id, SIGTERM);
        }
    for (int i = 0; i < options.processes; i++) {
        uint64_t limit = socket_now() + 20 * (uint64_t)1000000;
        while (process[i].id && waitpid(process[i].id, NULL, WNOHANG) == 0) {
            if (socket_now() > limit)
                kill(process[i].id, SIGKILL);
            usleep(10 * MS);
        }
        process[i].id = 0;
    }
    if (blow)
        waitpid(blow, NULL, 0);
    blow = 0;
    cutter_stop(&cutter);
    options.processes = 0;
}

bool cluster_start(const struct cluster_options *wanted)
{
    options = *wanted;
    atexit(cluster_stop);
    if (options.has_cutter && !cutter_start(&cutter, options.folder, options.postgres)) {
        perror("the cutter");
        return false;
    }
    for (int i = 0; i < options.processes; i++) {
        process[i].port = socket_free_port();
        start(i);
    }
    for (int i = 0; i < options.processes; i++) {
        uint64_t limit = socket_now() + START_SECONDS * (uint64_t)1000000;
        for (;;) {
            int file = socket_connect(process[i].port, 0, false);
            if (file >= 0) {
                close(file);
                break;
            }
            watch(i);
            if (!process[i].id || socket_now() > limit) {
                fprintf(stderr, "process %d does not start: see %s/server-%d.log\n", i,
                        options.folder, i);
                return false;
            }
            usleep(10 * MS);
        }
    }
    return true;
}
