/* The program of the simulation: runs seeds, counts what happened, reports what was violated.
 *
 *     sim_rooms [--seeds A-B] [--seed N [--verbose]] [--mutation NAME] [--twice] [--leaks A-B]
 */
#include "sim.h"
#ifdef ROOMS_MUTATIONS
#include "rooms/internal.h"
#endif
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

bool verbose;

/* ---- Memory of a seed ------------------------------------------------------------------------ */

enum { CHUNK = 4 << 20 };
static char *chunk[256];
static size_t chunks, chunk_used, chunk_at;

void *sim_alloc(size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > CHUNK)
        abort();
    if (chunks == 0 || chunk_used + size > CHUNK) {
        if (chunks)
            chunk_at++;
        if (chunk_at == 256)
            violated("the simulation needs too much memory");
        if (!chunk[chunk_at] && !(chunk[chunk_at] = malloc(CHUNK)))
            abort();
        chunks = 1;
        chunk_used = 0;
    }
    void *at = chunk[chunk_at] + chunk_used;
    chunk_used += size;
    memset(at, 0, size);
    return at;
}

static void reset_memory(void)
{
    chunks = chunk_at = chunk_used = 0;
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

void count(const char *what, const char *name)
{
    uint32_t hash = 2166136261U;
    for (const char *c = what; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619U;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619U;
    for (uint32_t i = hash % COUNTS;; i = (i + 1) % COUNTS) {
        struct counted *t = &counted[i];
        if (!t->what[0]) {
            snprintf(t->what, sizeof t->what, "%s", what);
            snprintf(t->name, sizeof t->name, "%s", name);
        }
        if (!strcmp(t->what, what) && !strncmp(t->name, name, sizeof t->name - 1)) {
            t->times++;
            return;
        }
    }
}

static int by_name(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    int order = strcmp(x->what, y->what);
    return order ? order : strcmp(x->name, y->name);
}

static void print_counts(void)
{
    struct counted sorted[COUNTS];
    memcpy(sorted, counted, sizeof counted);
    qsort(sorted, COUNTS, sizeof *sorted, by_name);
    for (int i = 0; i < COUNTS; i++)
        if (sorted[i].what[0])
            printf("%-10s %-50s %12llu\n", sorted[i].what, sorted[i].name,
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

void violated(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(violation, sizeof violation, format, args);
    va_end(args);
    longjmp(failed, 1);
}

static uint64_t running;

/* A step that does not come to its end, or an assertion: nothing can be saved. */
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
static bool run(uint64_t seed, bool quiet)
{
    reset_memory();
    trace_hash = running = seed;
    alarm(60);
    if (setjmp(failed) == 0) {
        leak_run(seed);
        world_run(seed);
        world_end();
        return true;
    }
    /* The server may have been in the middle of a step: it is left as it is. */
    world.rooms = NULL;
    if (!quiet) {
        uint64_t ms = world.now - world.begin;
        printf("seed %llu, after %llu:%02llu:%02llu.%03llu: %s\n", (unsigned long long)seed,
               (unsigned long long)(ms / 3600000), (unsigned long long)(ms / 60000 % 60),
               (unsigned long long)(ms / 1000 % 60), (unsigned long long)(ms % 1000), violation);
        printf("    again with: %s%s%s --seed %llu --verbose\n", program,
               mutation[0] ? " --mutation " : "", mutation, (unsigned long long)seed);
        fflush(stdout);
    }
    return false;
}

static bool set_mutation(const char *name)
{
#ifdef ROOMS_MUTATIONS
    static const char *const names[] = {"sound",         "early-ok",    "unknown-as-no",
                                        "no-decision",   "leak-entry",  "show-number",
                                        "clock-twice",   "forget-key"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name)) {
            rooms_mutation = (enum rooms_mutation)i;
            return true;
        }
#endif
    (void)name;
    return false;
}

static int usage(void)
{
    fprintf(stderr, "usage: sim_rooms [--seeds A-B] [--seed N [--verbose]] [--mutation NAME] "
                    "[--counts]\n");
    return 2;
}

int main(int argc, char **argv)
{
    unsigned long long from = 1, to = 20;
    bool counts = false, twice = false;
    program = argv[0];
    json_object_seed(1);
    signal(SIGALRM, dies);
    signal(SIGABRT, dies);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--seeds") && i + 1 < argc) {
            if (sscanf(argv[++i], "%llu-%llu", &from, &to) != 2)
                return usage();
        } else if (!strcmp(argv[i], "--seed") && i + 1 < argc) {
            from = to = strtoull(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "--mutation") && i + 1 < argc) {
            mutation = argv[++i];
            if (!set_mutation(mutation))
                return usage();
        } else if (!strcmp(argv[i], "--verbose")) {
            verbose = true;
        } else if (!strcmp(argv[i], "--counts")) {
            counts = true;
        } else if (!strcmp(argv[i], "--twice")) {
            twice = true;
        } else {
            return usage();
        }
    }
    int bad = 0;
    clock_t begin = clock();
    for (unsigned long long seed = from; seed <= to; seed++) {
        bool good = run(seed, false);
        if (!good && mutation[0]) {
            printf("mutation %s found by seed %llu: %s\n", mutation, seed, violation);
            return 0;
        }
        bad += !good;
        uint64_t hash = trace_hash;
        if (good && (twice || seed == from)) {
            if (!run(seed, false) || trace_hash != hash) {
                printf("seed %llu: another trace the second time\n", seed);
                bad++;
            }
        }
        if (bad >= 10)
            break;
    }
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    if (mutation[0]) {
        printf("mutation %s was not found by seeds %llu to %llu\n", mutation, from, to);
        return 1;
    }
    if (counts || to > from)
        print_counts();
    printf("%llu seeds, %d bad, %.1f ms a seed, trace of the last %016llx\n", to - from + 1, bad,
           1000 * seconds / (double)(to - from + 2), (unsigned long long)trace_hash);
    return bad > 0;
}
