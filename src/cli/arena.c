/* `endstation arena`: plays many games between bots or programs and reports their strength.
 */
#include "cli/arena.h"
#include "cli/program.h"
#include "server/data.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    GAMES_MAX = 1000000,
    THREADS_MAX = 256,
    RULE_WORDS = 4,
    STACK_BYTES = 1 << 20,
};

static atomic_bool halted; /* signals set it, all threads read it */

static void on_signal(int number)
{
    (void)number;
    halted = true;
}

static void heed_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (signal(numbers[i], on_signal) == SIG_IGN)
            signal(numbers[i], SIG_IGN);
}

bool arena_halted(void *unused)
{
    (void)unused;
    return halted;
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Reports that a log could not be written, and ends the match. */
static void log_failed(struct arena *arena, const char *path, const char *reason)
{
    pthread_mutex_lock(&arena->lock);
    if (!arena->failed)
        fprintf(stderr, "%sendstation arena: cannot write %s: %s\n", arena->clear, path, reason);
    arena->failed = true;
    pthread_mutex_unlock(&arena->lock);
}

/* Seats the players of a thread (from 0), and opens the logs of those that are programs. */
static void sit_down(struct arena *arena, unsigned thread, struct player *players)
{
    for (int s = 0; s < arena->seats; s++) {
        char path[PATH_MAX];
        players[s] = (struct player){.seat = &arena->seat[s]};
        if (!arena->log || !arena->seat[s].command[0])
            continue;
        int size =
            snprintf(path, sizeof path, "%s/seat%d-thread%u.log", arena->log, s + 1, thread + 1);
        errno = ENAMETOOLONG;
        players[s].log = size < (int)sizeof path ? fopen(path, "wxe") : NULL;
        if (!players[s].log)
            log_failed(arena, path, strerror(errno));
    }
}

/* Ends the programs of a thread's players, and closes their logs. */
static void stand_up(struct arena *arena, struct player *players)
{
    for (int s = 0; s < arena->seats; s++) {
        FILE *log = players[s].log;
        player_leave(&players[s]);
        bool is_incomplete = log && ferror(log);
        if (log && (fclose(log) || is_incomplete))
            log_failed(arena, arena->log, "a log is incomplete");
        players[s].log = NULL;
    }
}

static bool logs_are_complete(const struct arena *arena, const struct player *players)
{
    for (int s = 0; s < arena->seats; s++)
        if (players[s].log && ferror(players[s].log))
            return false;
    return true;
}

/* Takes the next game for a thread; false if there is none. */
static bool take_game(struct arena *arena, unsigned *number)
{
    pthread_mutex_lock(&arena->lock);
    bool more = arena->next < arena->games && !arena->failed && !halted;
    if (more)
        *number = arena->next++;
    pthread_mutex_unlock(&arena->lock);
    return more;
}

static void *work(void *context)
{
    struct arena *arena = context;
    struct player players[ES_PLAYERS_MAX];
    struct cli_game game;
    unsigned number;
    cli_game_alloc(&game);
    pthread_mutex_lock(&arena->lock);
    unsigned thread = arena->threads++;
    memcpy(players, arena->first, sizeof players);
    if (thread == 0)
        memset(arena->first, 0, sizeof arena->first);
    pthread_mutex_unlock(&arena->lock);
    if (thread > 0)
        sit_down(arena, thread, players);
    while (logs_are_complete(arena, players) && take_game(arena, &number))
        arena_match(arena, players, &game, number);
    stand_up(arena, players);
    cli_game_free(&game);
    pthread_mutex_lock(&arena->lock);
    arena->working--;
    pthread_cond_signal(&arena->idle);
    pthread_mutex_unlock(&arena->lock);
    return NULL;
}

/* Starts the programs of the first thread. Returns CLI_NOT_STARTED if one cannot be. */
static int start_programs(struct arena *arena)
{
    char fault[PLAYER_FAULT_BYTES];
    sit_down(arena, 0, arena->first);
    for (int s = 0; s < arena->seats && !arena->failed && !halted; s++)
        if (!player_start(&arena->first[s], arena_halted, NULL, fault) && fault[0])
            return player_not_started("arena", s + 1, &arena->first[s], fault);
    return CLI_OK;
}

/* Prints one line of progress: overwritten on a terminal, now and then elsewhere. The caller holds
 * the lock. */
static void show_progress(const struct arena *arena, double begun, bool terminal)
{
    char standing[ES_PLAYERS_MAX * 40], line[sizeof standing + 80];
    int used = snprintf(line, sizeof line, "%u of %u games", arena->done, arena->games);
    if (arena->done > 0) { /* nothing to show before that */
        double each = (wire_now() - begun) / 1000 / arena->done;
        unsigned left = (unsigned)(each * (arena->games - arena->done) + 0.5);
        arena_standing(arena, standing, sizeof standing);
        snprintf(line + used, sizeof line - (size_t)used, ", %u:%02u left: %s", left / 60,
                 left % 60, standing);
    }
    if (terminal)
        fprintf(stderr, "%s%.79s", arena->clear, line);
    else
        fprintf(stderr, "%s\n", line);
}

static void watch(struct arena *arena, double begun)
{
    enum { OFTEN = 200, SELDOM = 10000 };
    bool terminal = isatty(STDERR_FILENO);
    double shown = begun;
    pthread_mutex_lock(&arena->lock);
    while (arena->working > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += OFTEN * 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&arena->idle, &arena->lock, &until);
        if (wire_now() - shown >= (terminal ? OFTEN : SELDOM)) {
            show_progress(arena, begun, terminal);
            shown = wire_now();
        }
    }
    pthread_mutex_unlock(&arena->lock);
}

static void play_all(struct arena *arena, unsigned threads)
{
    pthread_t thread[THREADS_MAX];
    pthread_attr_t how;
    sigset_t ours, before;
    unsigned started = 0;
    double begun = wire_now();
    /* Signals go to this thread only. */
    sigfillset(&ours);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    arena->working = threads;
    for (; started < threads; started++)
        if (pthread_create(&thread[started], &how, work, arena) != 0)
            break;
    pthread_attr_destroy(&how);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_mutex_lock(&arena->lock);
    arena->working -= threads - started;
    pthread_mutex_unlock(&arena->lock);
    if (started == 0) {
        fputs("endstation arena: no thread can be started\n", stderr);
        arena->failed = true;
    }
    watch(arena, begun);
    for (unsigned t = 0; t < started; t++)
        pthread_join(thread[t], NULL);
    fprintf(stderr, "%s%u of %u games played in %.1f s\n", arena->clear, arena->done, arena->games,
            (wire_now() - begun) / 1000);
}

/* ---- The command line ------------------------------------------------------------------------ */

struct wishes {
    struct cli_choices choices;
    const char *seats, *games, *ms, *iterations, *threads, *records, *log, *grace;
    bool solo;
};

static int read_limits(const struct wishes *w, struct seat_limits *limits)
{
    int status = CLI_OK;
    if (w->ms && w->iterations)
        return cli_usage("arena", "--ms and --iterations cannot be combined", NULL);
    if (w->ms)
        status = cli_number("arena", "--ms", w->ms, 1, PLAYER_MS_MAX, &limits->ms);
    if (status == CLI_OK && w->iterations)
        status = cli_number("arena", "--iterations", w->iterations, 1, PLAYER_COUNT_MAX,
                            &limits->iterations);
    if (status == CLI_OK && w->grace)
        status = cli_number("arena", "--grace", w->grace, 1, PLAYER_MS_MAX, &limits->grace);
    return status;
}

static int read_seats(struct arena *arena, const struct es_game *game, const char *seats,
                      const struct seat_limits *limits)
{
    for (bool more = true; more; arena->seats++) {
        size_t size = strcspn(seats, ",");
        if (arena->seats == ES_PLAYERS_MAX)
            return cli_usage("arena", "there are at most 6 seats", NULL);
        int status = seat_read("arena", game, (struct es_str){seats, size}, limits,
                               &arena->seat[arena->seats]);
        if (status)
            return status;
        for (int s = 0; s < arena->seats; s++)
            if (arena->seat[s].name[0] &&
                strcmp(arena->seat[s].name, arena->seat[arena->seats].name) == 0)
                return cli_usage("arena", "two seats have the name", arena->seat[s].name);
        more = seats[size] == ',';
        seats += size + more;
    }
    return CLI_OK;
}

static int read_wishes(struct arena *arena, struct wishes *w, unsigned *threads)
{
    struct seat_limits limits = {0};
    unsigned games = 100;
    char players[4] = "1";
    struct cli_choices choices = w->choices;
    const char *name = choices.game ? choices.game : es_games[0]->name;
    const struct es_game *game = es_game_named(es_str(name));
    if (!game)
        return cli_usage("arena", "no such game:", name);
    if (!w->seats)
        return cli_usage("arena", "--seats is missing, like --seats strong,greedy", NULL);
    int status = read_limits(w, &limits);
    if (status == CLI_OK)
        status = read_seats(arena, game, w->seats, &limits);
    if (status == CLI_OK && w->games)
        status = cli_number("arena", "--games", w->games, 1, GAMES_MAX, &games);
    if (status == CLI_OK && w->threads)
        status = cli_number("arena", "--threads", w->threads, 1, THREADS_MAX, threads);
    if (status)
        return status;
    arena->solo = w->solo || arena->seats == 1;
    if (arena->solo && game->players_min > 1)
        return cli_usage("arena", "this game cannot be played alone:", name);
    if (!arena->solo)
        players[0] = (char)('0' + arena->seats);
    arena_seed(choices.seed ? choices.seed : "1", arena->seed);
    choices.seed = NULL; /* the seed is the arena's, not that of one game */
    choices.players = players;
    status = cli_game_new(&arena->setup, "arena", &choices);
    unsigned seats = (unsigned)arena->seats;
    arena->games = arena->solo ? games * seats : (games + seats - 1) / seats * seats;
    return status;
}

/* Adds the other words of the command line to --rules, for `--rules rotate hand2` without
 * quotes. */
static int join_rules(struct wishes *w, const char *const *words, char *rules, size_t size)
{
    if (!words[0])
        return CLI_OK;
    if (!w->choices.rules)
        return cli_usage("arena", "too many arguments:", words[0]);
    int used = snprintf(rules, size, "%s", w->choices.rules);
    for (int i = 0; i < RULE_WORDS && words[i]; i++)
        if (used >= 0 && (size_t)used < size)
            used += snprintf(rules + used, size - (size_t)used, " %s", words[i]);
    w->choices.rules = rules;
    return CLI_OK;
}

/* Makes a folder, or takes one without such files: those of two runs would mix. */
static int make_folder(const char *folder, const char *ending)
{
    if (!folder)
        return CLI_OK;
    if (!data_make(folder, 0777)) {
        fprintf(stderr, "endstation arena: cannot make %s: %s\n", folder, strerror(errno));
        return CLI_BAD_INPUT;
    }
    DIR *list = opendir(folder);
    const struct dirent *file = list ? readdir(list) : NULL;
    while (file && !cli_ends_in(file->d_name, ending))
        file = readdir(list);
    if (file)
        fprintf(stderr, "endstation arena: %s/%s: %s; name another folder\n", folder, file->d_name,
                strerror(EEXIST));
    bool has_any = file != NULL;
    if (list)
        closedir(list);
    return has_any ? CLI_BAD_INPUT : CLI_OK;
}

/* Plays the match and prints its results. */
static int play_match(struct arena *arena, unsigned threads)
{
    const char *kind = getenv("TERM");
    bool fancy = isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb") != 0;
    arena->clear = fancy ? "\r\033[K" : isatty(STDERR_FILENO) ? "\n" : "";
    arena->outcome = calloc(arena->games, sizeof *arena->outcome);
    if (!arena->outcome)
        cli_alloc(SIZE_MAX); /* prints the error and exits */
    signal(SIGPIPE, SIG_IGN);
    heed_signals();
    program_environment();
    int status = start_programs(arena);
    if (status == CLI_OK && !arena->failed) {
        play_all(arena, threads < arena->games ? threads : arena->games);
        status = arena_report(arena);
    }
    stand_up(arena, arena->first); /* if no thread has taken them over */
    free(arena->outcome);
    return arena->failed ? CLI_BAD_INPUT : status;
}

static int run(int argc, char **argv)
{
    static struct arena arena = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                 .idle = PTHREAD_COND_INITIALIZER};
    struct wishes w = {0};
    struct cli_choices *c = &w.choices;
    struct cli_option options[CLI_CHOICES_MAX + 15] = {
        {"--game", &c->game, NULL},      {"--map", &c->map, NULL},
        {"--rules", &c->rules, NULL},    {"--seed", &c->seed, NULL},
        {"--seats", &w.seats, NULL},     {"--games", &w.games, NULL},
        {"--ms", &w.ms, NULL},           {"--iterations", &w.iterations, NULL},
        {"--threads", &w.threads, NULL}, {"--records", &w.records, NULL},
        {"--grace", &w.grace, NULL},     {"--log", &w.log, NULL},
        {"--solo", NULL, &w.solo},       {"--json", NULL, &arena.json}};
    cli_own_options(options, c);
    const char *words[RULE_WORDS + 1] = {0};
    char rules[256];
    unsigned threads = 1;
    int status = cli_options(argc, argv, options, words, RULE_WORDS);
    if (status == CLI_OK)
        status = join_rules(&w, words, rules, sizeof rules);
    if (status == CLI_OK)
        status = read_wishes(&arena, &w, &threads);
    if (status == CLI_OK)
        status = make_folder(w.records, ".record");
    if (status == CLI_OK)
        status = make_folder(w.log, ".log");
    arena.records = w.records;
    arena.log = w.log;
    if (status == CLI_OK)
        status = play_match(&arena, threads);
    cli_game_free(&arena.setup);
    return status;
}

const struct cli_command cli_arena = {
    .name = "arena",
    .summary = "play many games between bots or programs and report their strength",
    .help =
        "arena --seats A[,B...] [OPTIONS]\n\n"
        "Plays many games and reports mean points, shares of the win (a shared win counts in\n"
        "part) and the time of a move, with 95 % confidence intervals. With k seats,\n"
        "k games in a row have the same cards, and every seat takes every place once.\n"
        "Ctrl-C ends it with the results so far.\n\n"
        "  --seats A,B       levels of bots (see below), or exec:COMMAND for a program that\n"
        "                    speaks the engine protocol (no commas in it);\n"
        "                    strong@ms=20 or master@iterations=500 gives one seat its own limit,\n"
        "                    exec:COMMAND@level=greedy asks for another level than the best,\n"
        "                    mine=exec:COMMAND gives a seat a name for results and records\n"
        "  --games N         games of each seat, rounded up to whole groups (default 100)\n"
        "  --seed S          a number or a text that all cards come from (default 1)\n"
        "  --ms T            time limit per move in milliseconds, for every seat that thinks\n"
        "  --iterations N    iterations per move instead: the games are then reproducible\n"
        "  --solo            every seat plays alone, all of them with the same cards\n"
        "  --threads K       games played at a time (default 1)\n"
        "  --records DIR     save every game, as DIR/0001.record and so on; a folder that has\n"
        "                    records is refused\n"
        "  --log DIR         log what is sent to each program and what it answers, as\n"
        "                    DIR/seat2-thread1.log and so on; a folder that has logs is refused\n"
        "  --grace MS        how much longer than T a program may take before it loses\n"
        "                    (default: T plus a second; a minute without "
        "T)\n" CLI_JSON_HELP CLI_GAME_HELP "\n"
        "A program that fails in a game loses that game. If one cannot even be started,\n"
        "no game is played, and the exit status is 3.\n",
    .more_help = cli_choices_help,
    .run = run,
};
