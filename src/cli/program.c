/* Runs a program that speaks the engine protocol. It may hang, crash, send too much or nonsense,
 * and leave child processes. Each of these ends the program with a message, and never harms us. */
#define _GNU_SOURCE /* pipe2: another thread must not hand our ends on to its own program */
#include "cli/program.h"
#include "cli/dialogue.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    START_MS = 30000,     /* for the first line */
    GRACE_MS = 1000,      /* with a time limit T the answer may take 2 T and this */
    UNTIMED_MS = 60000,   /* the longest answer without a time limit */
    QUIT_MS = 500,        /* from `quit` to the end */
    ANSWER_MAX = 1 << 20, /* bytes of one answer */
    LAST_BYTES = 100,     /* shown of its last line */
    RUNNING_MAX = 64,     /* programs that program_kill_all() finds: all those of `play` */
};

struct program {
    pid_t process;
    int to; /* -1: closed */
    struct wire from;
    char last[LAST_BYTES + 1]; /* its last line, made printable */
};

extern char **environ;

/* ---- Processes ----------------------------------------------------------------------------- */

static atomic_int running[RUNNING_MAX]; /* process ids; 0: a free place */

/* Replaces the first `old` in the list of running programs. */
static void list_running(int old, int new)
{
    for (int i = 0; i < RUNNING_MAX; i++)
        if (atomic_compare_exchange_strong(&running[i], &(int){old}, new))
            return;
}

/* Kills the process group, and the process too, in case it has left the group. */
static void kill_group(pid_t process)
{
    kill(-process, SIGKILL);
    kill(process, SIGKILL);
}

void program_kill_all(void)
{
    for (int i = 0; i < RUNNING_MAX; i++) {
        int process = running[i];
        if (process)
            kill_group(process);
    }
}

void program_environment(void)
{
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
    if (size <= 0)
        return;
    path[size] = '\0';
    setenv("ENDSTATION", path, 0);
}

/* Starts a shell. Our threads block all signals; a program must not inherit that. */
static pid_t start_shell(const char *command, int in, int out)
{
    char *const words[] = {"sh", "-c", (char *)command, NULL};
    posix_spawnattr_t how;
    posix_spawn_file_actions_t files;
    sigset_t none, usual;
    pid_t process = -1;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    sigaddset(&usual, SIGINT);
    posix_spawnattr_init(&how);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
                                       POSIX_SPAWN_SETSIGDEF);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    int reason = posix_spawn(&process, "/bin/sh", &files, &how, words, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&how);
    errno = reason;
    return reason ? -1 : process;
}

static struct program *start(const char *command)
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0)
        return NULL;
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return NULL;
    }
    pid_t process = start_shell(command, to[0], from[1]);
    int reason = errno;
    close(to[0]);
    close(from[1]);
    if (process < 0) {
        close(to[1]);
        close(from[0]);
        errno = reason;
        return NULL;
    }
    fcntl(to[1], F_SETFL, O_NONBLOCK);
    struct program *program = cli_alloc(sizeof *program);
    program->process = process;
    list_running(0, process);
    program->to = to[1];
    program->last[0] = '\0';
    wire_open(&program->from, from[0]);
    return program;
}

/* Kills the program, and takes it off the list, before waitpid(): until then its id cannot be
 * reused. */
static void finish(struct program *program)
{
    kill_group(program->process);
    list_running(program->process, 0);
    waitpid(program->process, NULL, 0);
    if (program->to >= 0)
        close(program->to);
    close(program->from.in);
    free(program);
}

static bool has_exited(const struct program *program)
{
    siginfo_t about = {0};
    return waitid(P_PID, (id_t)program->process, &about, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           about.si_pid != 0;
}

/* Returns true if the program exits on its own in time. */
static bool exits_within(const struct program *program, double ms)
{
    for (double until = wire_now() + ms; !has_exited(program);) {
        if (wire_now() >= until)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return true;
}

void program_end(struct player *player)
{
    static const char quit[] = "quit\n";
    struct program *program = player->program;
    if (!program)
        return;
    struct wire_limit limit = {.until = wire_now() + QUIT_MS};
    dialogue_sent(player->log, quit, strlen(quit));
    bool is_told = wire_write(program->to, &limit, quit, strlen(quit)) == WIRE_OK;
    close(program->to); /* for programs that wait for the end of input */
    program->to = -1;
    if (is_told)
        exits_within(program, QUIT_MS);
    player->program = NULL;
    finish(program);
}

/* ---- Asking -------------------------------------------------------------------------------- */

static void remember(struct program *program, struct es_str line)
{
    size_t size = line.size < LAST_BYTES ? line.size : LAST_BYTES;
    for (size_t i = 0; i < size; i++) /* no control characters on our terminal */
        program->last[i] = line.at[i] >= ' ' && line.at[i] < 127 ? line.at[i] : '?';
    program->last[size] = '\0';
}

/* Ends the program, writes why to `fault` and returns false. */
__attribute__((format(printf, 3, 4))) static bool fail(struct player *player,
                                                       char fault[PLAYER_FAULT_BYTES],
                                                       const char *format, ...)
{
    struct program *program = player->program;
    va_list values;
    va_start(values, format);
    int used = vsnprintf(fault, PLAYER_FAULT_BYTES, format, values);
    va_end(values);
    if (program && used >= 0 && used < PLAYER_FAULT_BYTES)
        snprintf(fault + used, PLAYER_FAULT_BYTES - (size_t)used,
                 program->last[0] ? "; its last line: %s" : "; it said nothing", program->last);
    dialogue_remark(player->log, "%s", fault);
    player->program = NULL;
    if (program)
        finish(program);
    return false;
}

/* Fails with the reason of a broken wire. */
static bool broken(struct player *player, enum wire_status status, double ms,
                   char fault[PLAYER_FAULT_BYTES])
{
    struct program *program = player->program;
    if (status == WIRE_HALTED) {
        dialogue_remark(player->log, "interrupted");
        player->program = NULL;
        finish(program);
        return false;
    }
    if (status == WIRE_LATE)
        return fail(player, fault, "no answer within %.0f ms%s", ms,
                    program->last[0] ? "" : " (does it flush its output?)");
    if (status == WIRE_TOO_LONG)
        return fail(player, fault, "a line of more than %d bytes", WIRE_LINE - 1);
    siginfo_t about = {0};
    if (exits_within(program, QUIT_MS) &&
        waitid(P_PID, (id_t)program->process, &about, WEXITED | WNOHANG | WNOWAIT) == 0) {
        if (about.si_code == CLD_EXITED)
            return fail(player, fault, "it ended with status %d", about.si_status);
        return fail(player, fault, "it was ended by signal %d", about.si_status);
    }
    return fail(player, fault, "it closed its standard input or output");
}

/* Reads until a line begins with `word`; sets *rest to the text after it. Skips empty lines, `info`
 * lines and comments. */
static bool expect(struct player *player, const struct wire_limit *limit, double ms,
                   const char *word, struct es_str *rest, char fault[PLAYER_FAULT_BYTES])
{
    for (size_t bytes = 0;;) {
        struct es_str line, first;
        enum wire_status status = wire_read(&player->program->from, limit, &line);
        if (status)
            return broken(player, status, ms, fault);
        dialogue_received(player->log, line);
        remember(player->program, line);
        bytes += line.size + 1;
        if (bytes > ANSWER_MAX)
            return fail(player, fault, "an answer of more than %d bytes", ANSWER_MAX);
        *rest = line;
        if (!es_str_word(rest, &first) || first.at[0] == '#' || es_str_is(first, "info"))
            continue;
        if (!es_str_is(first, word))
            return fail(player, fault, "'%s' was expected", word);
        *rest = es_str_trim(*rest);
        return true;
    }
}

/* Writes the position as this player sees it, and the question, as lines. */
static char *question(const struct seat *seat, const struct cli_game *game, int who, uint32_t seed,
                      size_t *size)
{
    struct es_record record = game->record;
    size_t room = es_record_bytes(&record) + 256;
    char *text = cli_alloc(room);
    es_event *scratch = cli_alloc((record.count + 1) * sizeof *scratch);
    struct es_out out = {text, room, 0};
    memset(record.name, 0, sizeof record.name); /* programs do not learn their opponents' names */
    memset(record.bot, 0, sizeof record.bot);
    es_out_text(&out, "position\n");
    es_record_write_view(&record, &game->state, who, scratch, &out);
    es_out_text(&out, "end\ngo player ");
    es_out_int(&out, who);
    es_out_text(&out, " level ");
    es_out_text(&out, seat->bot.name);
    if (seat->ms) {
        es_out_text(&out, " ms ");
        es_out_int(&out, seat->ms);
    }
    if (seat->iterations) {
        es_out_text(&out, " iterations ");
        es_out_int(&out, seat->iterations);
    }
    es_out_text(&out, " seed ");
    es_out_int(&out, seed);
    es_out_char(&out, '\n');
    free(scratch);
    *size = out.used;
    return text;
}

bool program_start(struct player *player, bool (*halt)(void *), void *context,
                   char fault[PLAYER_FAULT_BYTES])
{
    struct wire_limit limit = {wire_now() + START_MS, halt, context};
    struct es_str rest, version;
    dialogue_remark(player->log, "started: %s", player->seat->command);
    player->program = start(player->seat->command);
    if (!player->program)
        return fail(player, fault, "%s", strerror(errno));
    if (!expect(player, &limit, START_MS, "endstation-engine", &rest, fault))
        return false;
    if (!es_str_word(&rest, &version) || !es_str_is(version, "1"))
        return fail(player, fault, "it speaks another version of the protocol than 1");
    return true;
}

bool program_ask(struct player *player, const struct cli_game *game, int who, uint32_t seed,
                 bool (*halt)(void *), void *context, es_event *event,
                 char fault[PLAYER_FAULT_BYTES])
{
    const struct es_setup *setup = &game->record.setup;
    const struct seat *seat = player->seat;
    if (!player->program && !program_start(player, halt, context, fault))
        return false;
    double ms = seat->grace ? (double)seat->ms + seat->grace
                : seat->ms  ? 2.0 * seat->ms + GRACE_MS
                            : UNTIMED_MS;
    struct wire_limit limit = {wire_now() + ms, halt, context};
    struct es_str rest;
    size_t size;
    char *text = question(seat, game, who, seed, &size);
    dialogue_sent(player->log, text, size);
    enum wire_status written = wire_write(player->program->to, &limit, text, size);
    free(text);
    if (written)
        return broken(player, written, ms, fault);
    if (!expect(player, &limit, ms, "ok", &rest, fault) ||
        !expect(player, &limit, ms, "best", &rest, fault))
        return false;
    struct es_lines lines;
    struct es_fault bad;
    struct es_state after = game->state;
    struct es_str first, unread = rest;
    unsigned number;
    if (!es_str_word(&unread, &first) || es_str_number(first, ES_PLAYERS_MAX, &number))
        return fail(player, fault, "an event begins with the player's number");
    es_status status = es_lines_open(&lines, rest, &bad) ? ES_NOT_TEXT : ES_OK;
    if (status == ES_OK)
        status = setup->game->parse(setup, rest, event);
    if (status == ES_OK && ES_EVENT_WHO(*event) != who)
        status = ES_NOT_TO_ACT;
    if (status == ES_OK)
        status = setup->game->apply(setup, &after, *event);
    if (status)
        return fail(player, fault, "an illegal event: %s", es_status_text(status));
    return true;
}
