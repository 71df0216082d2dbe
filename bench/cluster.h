/* Server processes on one store, and the store's PostgreSQL, which can be killed, stopped and cut
 * off; what is killed is started again. One cluster at a time. */
#ifndef BENCH_CLUSTER_H
#define BENCH_CLUSTER_H

#include <stdbool.h>
#include <stdint.h>

enum { CLUSTER_MAX = 8 };

struct cluster_options {
    const char *program;  /* endstation */
    const char *folder;   /* for the output of the processes and, in SQLite, the store */
    const char *postgres; /* the folder of a running PostgreSQL (script); NULL: SQLite */
    const char *script;   /* scripts/postgres.sh */
    bool has_cutter;      /* between the processes and PostgreSQL (cutter.h) */
    int processes;
};

/* Starts everything and waits until it listens; false with a message. Stopped at exit. */
bool cluster_start(const struct cluster_options *options);
void cluster_stop(void);
/* Starts what is to be started again. Call it often. */
void cluster_run(void);

int cluster_port(int process);
/* When it was started, in microseconds (socket.h); 0: it is not running, halted, or about
 * to end. */
uint64_t cluster_up(int process);
/* How often a process has ended by itself although it should not have. */
int cluster_surprises(void);

/* SIGKILL, or SIGTERM; started again after `ms` milliseconds, or when it has ended. */
void cluster_kill(int process, int ms);
void cluster_drain(int process, int ms);
/* SIGSTOP for so long. */
void cluster_halt(int process, int ms);

enum cluster_blow {
    CLUSTER_FAST,      /* stopped and started */
    CLUSTER_IMMEDIATE, /* stopped without saying goodbye, and started */
    CLUSTER_CRASH,     /* SIGKILL, and started */
};
/* Does that to PostgreSQL, which takes a while. */
void cluster_blow(enum cluster_blow blow);
/* When PostgreSQL was back after the latest blow, in microseconds; 0: it is not yet. */
uint64_t cluster_back(void);
/* Sends a signal to one of the processes' sessions, the n-th of them modulo their number. SIGTERM
 * ends that session; SIGKILL ends all of them, and PostgreSQL recovers. */
void cluster_end_session(uint32_t n, int signal);
/* Cuts a connection after so many bytes. */
void cluster_cut(uint32_t bytes);

#endif
