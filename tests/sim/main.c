/* The program of the simulation: runs seeds, counts what happened, reports what was violated.
 *
 *     sim_rooms [--seeds A-B] [--jobs N] [--all]    --all: everything expected must have happened
 *     sim_rooms --seed N [--verbose]                one seed; --verbose prints every message
 *     sim_rooms [--mutation NAME | --mutations]     in test builds: finds faults made on purpose
 */
#include "sim.h"
#ifdef ROOMS_MUTATIONS
#include "rooms/internal.h"
#endif
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

bool verbose;

/* ---- Memory of a seed ------------------------------------------------------------------------ */

enum { CHUNK = 1 << 20, CHUNKS = 1024 };
static char *chunk[CHUNKS];
static size_t chunk_at, chunk_used;

void *sim_alloc(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > CHUNK)
        abort();
    if (chunk_used + size > CHUNK) {
        chunk_at++;
        chunk_used = 0;
        if (chunk_at == CHUNKS)
            violated("the simulation needs too much memory");
    }
    if (!chunk[chunk_at] && !(chunk[chunk_at] = malloc(CHUNK)))
        abort();
    void *at = chunk[chunk_at] + chunk_used;
    chunk_used += size;
    memset(at, 0, size);
    return at;
}

static void reset_memory(void)
{
    chunk_at = chunk_used = 0;
}

char *sim_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = sim_alloc((size_t)size + 1);
    va_start(args, format);
    vsnprintf(text, (size_t)size + 1, format, args);
    va_end(args);
    return text;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

enum { COUNTS = 1024 };
static struct counted {
    char what[12], name[60];
    uint64_t times;
} counted[COUNTS];

static struct counted *find_count(const char *what, const char *name)
{
    uint32_t hash = 2166136261U;
    for (const char *c = what; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619U;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619U;
    for (uint32_t i = hash % COUNTS, tries = 0; tries < COUNTS; i = (i + 1) % COUNTS, tries++) {
        struct counted *c = &counted[i];
        if (!c->what[0]) {
            snprintf(c->what, sizeof c->what, "%s", what);
            snprintf(c->name, sizeof c->name, "%s", name);
            return c;
        }
        if (!strcmp(c->what, what) && !strncmp(c->name, name, sizeof c->name - 1))
            return c;
    }
    abort();
}

void count(const char *what, const char *name)
{
    find_count(what, name)->times++;
}

/* What has to happen in 500 seeds: names of a kind, separated by blanks or bars. */
static const struct {
    const char *what, *names, *between;
} expected[] = {
    {"sent",
     "hello name ticket devices withdraw rooms forget ping make find sit leave seat start close "
     "word "
     "move give take replace rematch chat react again guest device map get",
     " "},
    {"told",
     "welcome room view lines record chat react lobby tables ok no ticket devices rooms pong soon",
     " "},
    {"entry", "m s l a h S w B e b t c g k C n x r", " "},
    {"store",
     "append guest ticket redeem withdraw forget map count here alive gone clean delete read find "
     "who devices sheet mine rooms note noted old seen",
     " "},
    {"news", "room here guest gaps all", " "},
    {"phase", "waiting words playing over closed", " "},
    {"refused",
     "BOT_UNKNOWN BUSY DECISION_EARLY DECISION_MADE FIELD_BAD GIVEN GUEST_NEEDED HELLO_FIRST "
     "KEY_BAD KEY_USED MAP_UNKNOWN NAME_BAD NOT_GIVEN NOT_HOST NOT_LATE NOT_OVER NOT_SEATED "
     "NOT_STARTED NOT_TO_ACT NO_CHAT NO_DEVICE NO_ROOM OVER REMOVED SEATED SEAT_TAKEN SETUP_BAD "
     "STARTED "
     "TEXT_BAD "
     "TICKET_BAD TOKEN_BAD TOO_FEW TOO_LARGE TOO_MANY UNKNOWN VERSION WORD_LATE WORD_WRONG "
     "EVENT_BAD NOT_A_MAP",
     " "},
    {"close", "1007 1008 1009 1013 4000 4001 4002", " "},
    {"reply", "200 400 404 413 429 503", " "},
    {"got", "rooms room record state picture", " "},
    {"output", "think forget log save", " "},
    {"leak",
     "entries compared|several entries|one entry|tiles compared|thoughts compared|one process|"
     "two processes",
     "|"},
    {"checked",
     "rooms|rooms of one's own|games begun|games ended|moves acknowledged|records verified|"
     "records with words missing|rooms up to date|lobbies up to date|people told as here|"
     "people told as away|watchers|new names|reactions|reactions from another process|"
     "games in time|hosts replaced|tables with somebody|tables with nobody|"
     "tables that left the lobby|tables back in the lobby|BUSY in time|"
     "rooms deleted|games deleted",
     "|"},
    {"fault",
     "record not written|slow network|connection lost, both notice|half-open: the client has gone|"
     "half-open: the client noticed|crash that nobody notices for a while|half-open: the server "
     "noticed|silence: nobody noticed|"
     "messages late: after the next connection's|"
     "a message of a connection that the client has given up|slow reader|"
     "slow reader: too much waits, closed|no server to connect to|crash|"
     "crash before the write|crash between write and answer|server ended and started|"
     "machine stands still|clock ahead|clock behind|slow store|store full|store broken|store "
     "gone|store damaged: a read|"
     "store damaged: a write|a day of failing stores|store refused|"
     "another process was first|unknown: it was written|unknown: it was not written|"
     "cut off from the store|cut off before the answer|cut off during a group|"
     "late news|lost news|listener lost its connection|stored, but the others are not told|"
     "the database forgot who is where|gap|due room claimed by the only process|"
     "due room claimed from another process|slow bot|bot died|bot never answers|"
     "came back with a view|hello with another number than there is|the same said again|"
     "the same move twice|a chosen move sent again|another device|signed out|asleep|"
     "a wrong hello, or none|garbage|a message that is too long|flood|many wrong codes|"
     "a key with another content|a move for the wrong decision or seat|an odd message|"
     "a sheet that is too long|too many rooms and guests at once|"
     "signs in while the device is withdrawn|gone home|word late|word wrong|word never sent",
     "|"},
};

/* Prints the expected things that never happened, and returns their number. */
static int count_missing(void)
{
    int missing = 0;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char name[80];
        for (const char *at = expected[i].names; *at;) {
            size_t size = strcspn(at, expected[i].between);
            snprintf(name, sizeof name, "%.*s", (int)size, at);
            if (!find_count(expected[i].what, name)->times) {
                printf("never happened: %s %s\n", expected[i].what, name);
                missing++;
            }
            at += size;
            at += *at != '\0';
        }
    }
    return missing;
}

static int by_name(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    int order = strcmp(x->what, y->what);
    return order ? order : strcmp(x->name, y->name);
}

static void print_counts(void)
{
    static struct counted sorted[COUNTS];
    memcpy(sorted, counted, sizeof counted);
    qsort(sorted, COUNTS, sizeof *sorted, by_name);
    for (int i = 0; i < COUNTS; i++)
        if (sorted[i].what[0])
            printf("%-8s %-55s %12llu\n", sorted[i].what, sorted[i].name,
                   (unsigned long long)sorted[i].times);
}

/* ---- The trace ------------------------------------------------------------------------------- */

static uint64_t trace_hash;

static void mix(uint64_t value)
{
    trace_hash = (trace_hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    trace_hash ^= trace_hash >> 29;
}

void trace(const char *what, uint64_t number, struct es_str text)
{
    mix(world.now);
    mix(number ^ (uint64_t)what[0] << 56);
    size_t i = 0;
    for (; i + 8 <= text.size; i += 8) {
        uint64_t word;
        memcpy(&word, text.at + i, 8);
        mix(word);
    }
    for (; i < text.size; i++)
        mix((uint8_t)text.at[i]);
    if (verbose) {
        uint64_t ms = world.now - world.begin;
        printf("%02llu:%02llu:%02llu.%03llu %s %llu %.*s\n", (unsigned long long)(ms / 3600000),
               (unsigned long long)(ms / 60000 % 60), (unsigned long long)(ms / 1000 % 60),
               (unsigned long long)(ms % 1000), what, (unsigned long long)number, (int)text.size,
               text.size ? text.at : "");
    }
}

/* ---- Violations ------------------------------------------------------------------------------ */

static jmp_buf failed;
static char violation[2000];
static const char *program, *mutation = "";
static uint64_t running;

void violated(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(violation, sizeof violation, format, args);
    va_end(args);
    longjmp(failed, 1);
}

/* Signal handler for an endless loop (SIGALRM) or a failed assertion: reports the seed and exits.
 */
static void dies(int number)
{
    char text[200];
    const char *how = number == SIGALRM ? "does not come to its end" : "fails an assertion";
    int size = mutation[0]
                   ? snprintf(text, sizeof text, "mutation %s found by seed %llu: the logic %s\n",
                              mutation, (unsigned long long)running, how)
                   : snprintf(text, sizeof text, "seed %llu: the logic %s\n",
                              (unsigned long long)running, how);
    if (size < 0 || write(STDOUT_FILENO, text, (size_t)size) < 0)
        _exit(4);
    _exit(mutation[0] ? 0 : 3);
}

/* Runs a seed; returns false if something was violated. */
static bool run(uint64_t seed)
{
    reset_memory();
    trace_hash = running = seed;
    alarm(300); /* against endless loops; long enough for sanitizers on a busy machine */
    if (setjmp(failed) == 0) {
        world_run(seed);
        disk_move();
        world_end();
        world.now = world.begin;
        leak_run(seed);
        return true;
    }
    /* The server may have been in the middle of a step, so its memory cannot be freed. */
    for (int i = 0; i < SIM_PROCESSES; i++)
        world.process[i].rooms = NULL;
    if (!mutation[0]) {
        uint64_t ms = world.now - world.begin;
        printf("seed %llu, after %llu:%02llu:%02llu.%03llu: %s\n", (unsigned long long)seed,
               (unsigned long long)(ms / 3600000), (unsigned long long)(ms / 60000 % 60),
               (unsigned long long)(ms / 1000 % 60), (unsigned long long)(ms % 1000), violation);
        printf("    again with: %s --seed %llu --verbose\n", program, (unsigned long long)seed);
        fflush(stdout);
    }
    return false;
}

/* ---- Mutations ------------------------------------------------------------------------------- */

#ifdef ROOMS_MUTATIONS
static const char *const mutations[] = {
    "sound",       "early-ok",    "unknown-as-no",  "no-decision",  "leak-entry",   "show-number",
    "clock-twice", "forget-key",  "unknown-as-yes", "chat-number",  "leak-timing",  "leak-clock",
    "eager-bot",   "patient",     "twice",          "hasty-delete", "stay-deleted", "no-gaps",
    "trust-clock", "deaf",        "deaf-guest",     "deaf-all",     "deaf-death",   "keep-refused",
    "stale-hello", "alone",       "silent",         "early-claim",  "no-limit",     "keep-listed",
    "stay-hidden", "lost-tables",
};
_Static_assert(sizeof mutations / sizeof *mutations == ROOMS_MUTATIONS_COUNT, "a name for each");

static bool set_mutation(const char *name)
{
    for (int i = 0; i < ROOMS_MUTATIONS_COUNT; i++)
        if (!strcmp(mutations[i], name)) {
            rooms_mutation = (enum rooms_mutation)i;
            return true;
        }
    return false;
}

/* Runs seeds until one finds the fault; only those with several processes if it needs these. */
static int find_mutation(uint64_t from, uint64_t to)
{
    for (uint64_t seed = from; seed <= to; seed++)
        if ((rooms_mutation < ROOMS_DEAF || seed % 2 == 0) && !run(seed)) {
            printf("mutation %s found by seed %llu: %.*s\n", mutation, (unsigned long long)seed,
                   (int)strcspn(violation, "\n"), violation);
            return 0;
        }
    printf("mutation %s was not found by the seeds %llu to %llu\n", mutation,
           (unsigned long long)from, (unsigned long long)to);
    return 1;
}

/* Finds every mutation, each in a new process, because a violation leaves memory in disorder. */
static int find_mutations(void)
{
    int bad = 0;
    for (int i = 1; i < ROOMS_MUTATIONS_COUNT; i++) {
        int status = 1;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            mutation = mutations[i];
            set_mutation(mutation);
            status = find_mutation(1, 1000);
            fflush(stdout);
            _exit(status);
        }
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
            bad++;
    }
    return bad > 0;
}
#endif

/* ---- Seeds ----------------------------------------------------------------------------------- */

enum { JOBS_MAX = 64, BAD_MAX = 10 };

/* Runs every `step`-th seed; returns how many were bad. The first one runs twice, and must give the
 * same trace. */
static int run_seeds(uint64_t from, uint64_t to, uint64_t step)
{
    int bad = 0;
    for (uint64_t seed = from; seed <= to && bad < BAD_MAX; seed += step) {
        bool good = run(seed);
        uint64_t hash = trace_hash;
        bad += !good;
        if (good && seed == from && (!run(seed) || trace_hash != hash)) {
            printf("seed %llu: another trace the second time\n", (unsigned long long)seed);
            bad++;
        }
    }
    return bad;
}

static int run_jobs(uint64_t from, uint64_t to, int jobs)
{
    int bad = 0;
    struct counted(*shared)[COUNTS] =
        mmap(NULL, (size_t)jobs * sizeof counted, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    for (int i = 0; i < jobs; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child < 0)
            return 1;
        if (child == 0) {
            int failures = run_seeds(from + (uint64_t)i, to, (uint64_t)jobs);
            memcpy(shared[i], counted, sizeof counted);
            fflush(stdout);
            _exit(failures);
        }
    }
    for (int i = 0, status; i < jobs; i++)
        if (wait(&status) < 0 || !WIFEXITED(status))
            bad++;
        else
            bad += WEXITSTATUS(status);
    for (int i = 0; i < jobs; i++)
        for (int k = 0; k < COUNTS; k++)
            if (shared[i][k].what[0])
                find_count(shared[i][k].what, shared[i][k].name)->times += shared[i][k].times;
    return bad;
}

static int usage(void)
{
    fprintf(stderr, "usage: sim_rooms [--seeds A-B] [--jobs N] [--all] [--seed N [--verbose]] "
                    "[--mutation NAME | --mutations]\n");
    return 2;
}

int main(int argc, char **argv)
{
    unsigned long long from = 1, to = 20;
    int jobs = 1;
    bool all = false, one = false;
    program = argv[0];
    json_object_seed(1);
    signal(SIGALRM, dies);
    signal(SIGABRT, dies);
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(argv[i], "--seeds") && next) {
            if (sscanf(argv[++i], "%llu-%llu", &from, &to) != 2)
                return usage();
        } else if (!strcmp(argv[i], "--seed") && next) {
            from = to = strtoull(argv[++i], NULL, 10);
            one = true;
        } else if (!strcmp(argv[i], "--jobs") && next) {
            jobs = atoi(argv[++i]);
            if (jobs < 1 || jobs > JOBS_MAX)
                return usage();
        } else if (!strcmp(argv[i], "--verbose")) {
            verbose = true;
        } else if (!strcmp(argv[i], "--all")) {
            all = true;
#ifdef ROOMS_MUTATIONS
        } else if (!strcmp(argv[i], "--mutation") && next) {
            mutation = argv[++i];
            if (!set_mutation(mutation))
                return usage();
        } else if (!strcmp(argv[i], "--mutations")) {
            return find_mutations();
#endif
        } else {
            return usage();
        }
    }
#ifdef ROOMS_MUTATIONS
    if (mutation[0])
        return find_mutation(from, to);
#endif
    if (one) {
        bool good = run(from);
        printf("seed %llu: trace %016llx\n", from, (unsigned long long)trace_hash);
        return !good;
    }
    clock_t begin = clock();
    int bad = jobs > 1 ? run_jobs(from, to, jobs) : run_seeds(from, to, 1);
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_counts();
    if (all)
        bad += count_missing();
    printf("seeds %llu to %llu: %d bad", from, to, bad);
    if (jobs == 1)
        printf(", %.1f ms each", 1000 * seconds / (double)(to - from + 2));
    printf("\n");
    return bad > 0;
}
