/* Server processes on one store under load, while they and their PostgreSQL are killed, restarted
 * and cut off: nothing that was acknowledged may be lost or doubled, and everybody comes back.
 *
 *     chaos --serve PROGRAM --folder FOLDER [--postgres FOLDER] [--processes 3] [--rooms 20]
 *           [--seats 4] [--watchers 1] [--rate 100] [--seed 1]
 *           [--kills N] [--drains N] [--halts N] [--restarts N] [--crashes N] [--sessions N]
 *           [--breaks N] [--cuts N] [--storm N] [--calm SECONDS] [--within MS] [--limit SECONDS]
 *           [--together 1] [--verbose 1]
 *
 * `--folder`: an empty folder, in which the log for the checker of histories (history.h) will be
 * `log`, and the output of the processes `server-N.log`. `--postgres`: the folder of a PostgreSQL
 * that scripts/postgres.sh has started, in which there are no rooms yet; it is running again in the
 * end. Without it there is one process, with SQLite in FOLDER/data. The players of a room are at
 * different processes; `--together`: at the same one, as behind a proxy that goes by the room.
 *
 * The faults, in an order that the seed decides; each waits until everybody has come back after the
 * one before, except those of the storm:
 *
 *     kills      a process: SIGKILL; started again a little later
 *     drains     a process: SIGTERM; started again
 *     halts      a process: SIGSTOP for some seconds
 *     restarts   PostgreSQL: stopped, in turn with a goodbye (fast) and without (immediate)
 *     crashes    PostgreSQL: SIGKILL of its first process
 *     sessions   a session of PostgreSQL ended by SIGTERM, as pg_terminate_backend() does
 *     breaks     … by SIGKILL, so that all sessions end and PostgreSQL recovers
 *     cuts       a connection to PostgreSQL cut in the middle of something (cutter.h)
 *     storm      N faults of all these kinds, without waiting
 *
 * Then all games are played to their ends. `--within`: the longest that people may be away after a
 * process was killed or drained, and that answers may take after PostgreSQL has come back or a
 * session or connection was lost, in milliseconds. Exits with 1 if anything was wrong; then run the
 * checker.
 */
#include "cluster.h"
#include "players.h"
#include "socket.h"
#include <endstation/random.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SECOND = 1000000, STUCK = 120 * SECOND, FAULTS_MAX = 10000 };

enum kind {
    NOTHING, /* people only move over by themselves */
    KILL,
    DRAIN,
    HALT,
    RESTART,
    IMMEDIATE,
    CRASH,
    SESSION,
    BREAK,
    CUT,
    STORM, /* any of them, in the storm */
    KINDS
};
static const char *const kind_name[KINDS] = {"nothing",
                                             "process killed",
                                             "process drained",
                                             "process halted",
                                             "PostgreSQL fast",
                                             "PostgreSQL immediate",
                                             "PostgreSQL killed",
                                             "session ended",
                                             "session killed",
                                             "connection cut",
                                             "storm"};

struct fault {
    enum kind kind;
    int process, pause_ms, restart_ms;
    uint32_t n;
};

static struct {
    const char *serve, *folder, *postgres, *script;
    int processes, rooms, seats, watchers, seed;
    int kills, drains, halts, restarts, crashes, sessions, breaks, cuts, storm;
    int calm, within, limit, together, verbose;
    double rate;
} options = {.script = "scripts/postgres.sh",
             .processes = 3,
             .rooms = 20,
             .seats = 4,
             .watchers = 1,
             .seed = 1,
             .calm = 2,
             .limit = 3600,
             .rate = 100};

static struct fault fault[FAULTS_MAX];
static int faults, count_of[KINDS];
static double settled_ms[KINDS]; /* the longest time until everybody had answers again */
static struct es_random source;
static uint64_t end_of_time;
static volatile sig_atomic_t interrupted;

/* ---- Playing --------------------------------------------------------------------------------- */

/* Plays for a moment, at the wanted rate. */
static void play(void)
{
    static uint64_t next;
    uint64_t now = socket_now();
    if (now > end_of_time || interrupted) {
        printf("%s\n", interrupted ? "interrupted" : "the time is up");
        players_explain(UINT64_MAX);
        exit(1);
    }
    if (next + SECOND < now)
        next = now;
    while (next <= now) {
        int moves = players_move();
        next += (uint64_t)(SECOND / options.rate * (moves ? moves : 1));
        if (!moves)
            break;
    }
    players_run(1);
    cluster_run();
}

static void play_for(uint64_t us)
{
    uint64_t end = socket_now() + us;
    while (socket_now() < end)
        play();
}

/* ---- Faults ---------------------------------------------------------------------------------- */

static void add_faults(enum kind kind, int count)
{
    for (int i = 0; i < count && faults < FAULTS_MAX; i++) {
        fault[faults++] = (struct fault){
            .kind = kind == RESTART && i % 2 ? IMMEDIATE : kind,
            .process = (int)es_random_below(&source, (uint32_t)options.processes),
            .pause_ms = 200 + (int)es_random_below(&source, 1300),
            /* If there is no other process, everybody waits. */
            .restart_ms = (int)es_random_below(&source, options.processes > 1 ? 1500 : 300),
            .n = (uint32_t)es_random_next(&source)};
    }
}

/* All faults in a random order; then those of the storm, of all kinds that there are. */
static void make_faults(void)
{
    add_faults(KILL, options.kills);
    add_faults(DRAIN, options.drains);
    add_faults(HALT, options.halts);
    add_faults(RESTART, options.restarts);
    add_faults(CRASH, options.crashes);
    add_faults(SESSION, options.sessions);
    add_faults(BREAK, options.breaks);
    add_faults(CUT, options.cuts);
    for (int i = faults - 1; i > 0; i--) {
        int j = (int)es_random_below(&source, (uint32_t)i + 1);
        struct fault kept = fault[i];
        fault[i] = fault[j];
        fault[j] = kept;
    }
}

static void strike(const struct fault *one)
{
    switch (one->kind) {
    case KILL:
        cluster_kill(one->process, one->restart_ms);
        break;
    case DRAIN:
        cluster_drain(one->process, one->restart_ms);
        break;
    case HALT:
        cluster_halt(one->process, 500 + 4 * one->restart_ms);
        break;
    case RESTART:
        cluster_blow(CLUSTER_FAST);
        break;
    case IMMEDIATE:
        cluster_blow(CLUSTER_IMMEDIATE);
        break;
    case CRASH:
        cluster_blow(CLUSTER_CRASH);
        break;
    case SESSION:
        cluster_end_session(one->n, SIGTERM);
        break;
    case BREAK:
        cluster_end_session(one->n, SIGKILL);
        break;
    case CUT:
        cluster_cut(1 + one->n % 20000);
        break;
    default:
        break;
    }
}

static bool all_run(void)
{
    for (int i = 0; i < options.processes; i++)
        if (!cluster_up(i))
            return false;
    return true;
}

/* Plays until everybody is there and has answers. Returns the milliseconds since `from`, or since
 * PostgreSQL was back. */
static double settle(uint64_t from)
{
    uint64_t begun = socket_now();
    play();
    while (!cluster_back() || !all_run() || !players_settled(from)) {
        play();
        if (cluster_back() > from)
            from = cluster_back(); /* what was asked meanwhile has waited, too */
        if (socket_now() - begun > STUCK) {
            printf("not everybody has come back\n");
            players_explain(from);
            exit(1);
        }
    }
    return (double)(socket_now() - from) / 1000;
}

static void do_faults(void)
{
    for (int i = 0; i < faults; i++) {
        enum kind kind = fault[i].kind;
        play_for((uint64_t)fault[i].pause_ms * 1000);
        uint64_t from = socket_now();
        players_blame(kind);
        strike(&fault[i]);
        if (kind == CUT || kind == SESSION)
            play_for(50000); /* until it has happened */
        double ms = settle(from);
        if (options.verbose) {
            printf("%s (process %d): all answered %.0f ms after", kind_name[kind], fault[i].process,
                   ms);
            if (cluster_back() > from)
                printf(" PostgreSQL came back, which took %.0f ms",
                       (double)(cluster_back() - from) / 1000);
            printf("\n");
        }
        players_blame(NOTHING);
        count_of[kind]++;
        if (ms > settled_ms[kind])
            settled_ms[kind] = ms;
    }
}

static void do_storm(void)
{
    players_blame(STORM);
    uint64_t from = 0;
    for (int i = 0; i < options.storm && faults > 0; i++) {
        struct fault one = fault[es_random_below(&source, (uint32_t)faults)];
        one.process = (int)es_random_below(&source, (uint32_t)options.processes);
        play_for(1000 * (uint64_t)es_random_below(&source, 700));
        from = socket_now();
        strike(&one);
        count_of[STORM]++;
    }
    if (options.storm)
        settled_ms[STORM] = settle(from);
    players_blame(NOTHING);
}

/* ---- Figures --------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double percentile(const struct players_times *times, double share)
{
    return times->count ? times->ms[(size_t)((double)(times->count - 1) * share)] : 0;
}

static void sort(struct players_times *times)
{
    if (times->count)
        qsort(times->ms, times->count, sizeof *times->ms, compare);
}

static void report_answers(const char *when)
{
    struct players_times *answer = &players_facts()->answer;
    sort(answer);
    printf("%s: %zu moves acknowledged, after p50 %.1f p99 %.1f worst %.0f ms\n", when,
           answer->count, percentile(answer, 0.5), percentile(answer, 0.99), percentile(answer, 1));
    fflush(stdout);
    answer->count = 0;
}

/* People find another process in that time … */
static bool is_limited_away(enum kind kind)
{
    return kind == KILL || kind == DRAIN;
}

/* … and in that time after PostgreSQL has come back everything is answered. (No limits: a process
 * that stands still is not noticed sooner than a slow one; nobody sees when PostgreSQL has
 * recovered after one of its processes was killed.) */
static bool is_limited_settled(enum kind kind)
{
    return kind == RESTART || kind == IMMEDIATE || kind == CRASH || kind == SESSION || kind == CUT;
}

/* Returns false if people were away for too long. */
static bool report(void)
{
    struct players_facts *facts = players_facts();
    bool is_right = true;
    printf("%-22s %6s %6s   %s\n", "", "faults", "lost",
           "away p50, p99, worst (ms)   all answered after, worst (ms)");
    for (int kind = 0; kind < KINDS; kind++) {
        struct players_times *away = &facts->away[kind];
        if (!away->count && !count_of[kind])
            continue;
        sort(away);
        printf("%-22s %6d %6zu   %8.0f %8.0f %8.0f   %8.0f\n", kind_name[kind], count_of[kind],
               away->count, percentile(away, 0.5), percentile(away, 0.99), percentile(away, 1),
               settled_ms[kind]);
        double limited = is_limited_away(kind)      ? percentile(away, 1)
                         : is_limited_settled(kind) ? settled_ms[kind]
                                                    : 0;
        if (options.within && limited > options.within) {
            printf("that was more than %d ms\n", options.within);
            is_right = false;
        }
    }
    printf("%zu moves and %zu other things acknowledged, %zu games over, %zu messages repeated, "
           "%zu times busy, %zu violations, %d surprising ends\n",
           facts->acknowledged, facts->others, facts->games, facts->repeated, facts->busy,
           facts->wrong, cluster_surprises());
    return is_right && !facts->wrong && !cluster_surprises();
}

/* ---- The program ----------------------------------------------------------------------------- */

static void interrupt(int signal)
{
    interrupted = signal;
}

static void read_options(int argc, char **argv)
{
    const struct {
        const char *name;
        const char **text;
        int *number;
    } known[] = {{"--serve", &options.serve, NULL},         {"--folder", &options.folder, NULL},
                 {"--postgres", &options.postgres, NULL},   {"--script", &options.script, NULL},
                 {"--processes", NULL, &options.processes}, {"--rooms", NULL, &options.rooms},
                 {"--seats", NULL, &options.seats},         {"--watchers", NULL, &options.watchers},
                 {"--seed", NULL, &options.seed},           {"--kills", NULL, &options.kills},
                 {"--drains", NULL, &options.drains},       {"--halts", NULL, &options.halts},
                 {"--restarts", NULL, &options.restarts},   {"--crashes", NULL, &options.crashes},
                 {"--sessions", NULL, &options.sessions},   {"--breaks", NULL, &options.breaks},
                 {"--cuts", NULL, &options.cuts},           {"--storm", NULL, &options.storm},
                 {"--calm", NULL, &options.calm},           {"--within", NULL, &options.within},
                 {"--limit", NULL, &options.limit},         {"--together", NULL, &options.together},
                 {"--verbose", NULL, &options.verbose}};
    size_t count = sizeof known / sizeof known[0];
    for (int i = 1; i < argc; i += 2) {
        size_t k = 0;
        while (k < count && strcmp(argv[i], known[k].name) != 0)
            k++;
        bool is_rate = strcmp(argv[i], "--rate") == 0;
        if ((k == count && !is_rate) || i + 1 == argc) {
            fprintf(stderr, "chaos: what is %s? See bench/chaos.c\n", argv[i]);
            exit(2);
        }
        if (is_rate)
            options.rate = atof(argv[i + 1]);
        else if (known[k].text)
            *known[k].text = argv[i + 1];
        else
            *known[k].number = atoi(argv[i + 1]);
    }
    if (!options.serve || !options.folder || options.processes < 1 ||
        options.processes > CLUSTER_MAX || options.rooms < 1 || options.seats < 1 ||
        options.watchers < 0 || options.rate <= 0) {
        fprintf(stderr, "usage: chaos --serve PROGRAM --folder FOLDER …: see bench/chaos.c\n");
        exit(2);
    }
    if (!options.postgres)
        options.processes = 1;
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    struct rlimit limit = {65536, 65536};
    setrlimit(RLIMIT_NOFILE, &limit);
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
    char path[400];
    snprintf(path, sizeof path, "%.300s/log", options.folder);
    FILE *log = fopen(path, "we");
    if (!log) {
        perror(path);
        return 1;
    }
    es_random_seed(&source, (uint64_t)options.seed);
    make_faults();
    end_of_time = socket_now() + (uint64_t)options.limit * SECOND;
    if (!cluster_start(&(struct cluster_options){.program = options.serve,
                                                 .folder = options.folder,
                                                 .postgres = options.postgres,
                                                 .script = options.script,
                                                 .has_cutter = options.cuts > 0,
                                                 .processes = options.processes}))
        return 1;
    players_start(&(struct players_options){.rooms = options.rooms,
                                            .seats = options.seats,
                                            .watchers = options.watchers,
                                            .processes = options.processes,
                                            .are_together = options.together,
                                            .seed = (uint64_t)options.seed,
                                            .log = log});
    settle(socket_now());
    players_facts()->away[NOTHING].count = 0; /* of the first time */
    players_facts()->answer.count = 0;
    play_for((uint64_t)options.calm * SECOND);
    report_answers("calm");
    do_faults();
    do_storm();
    report_answers("with faults");
    players_finish();
    while (!players_finished())
        play();
    report_answers("to the end");
    bool is_right = report();
    fclose(log);
    cluster_stop();
    return !is_right;
}
