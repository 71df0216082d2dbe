/* Implementation of screen.h. */
#include "cli/screen.h"
#include "cli/edit.h"
#include "cli/terminfo.h"
#include <endstation/text.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* ---- What the terminal can do --------------------------------------------------------------- */

/* Standard output; nothing if it is no terminal. */
static const struct terminfo *terminal(void)
{
    static struct terminfo found;
    static bool is_known;
    if (!is_known && isatty(STDOUT_FILENO))
        found = terminfo_look();
    is_known = true;
    return &found;
}

/* Returns true for a terminal that understands escape sequences. */
static bool fancy(void)
{
    return terminal()->is_fancy;
}

int screen_colours(void)
{
    const char *no = getenv("NO_COLOR");
    return no && no[0] ? 0 : terminal()->colours;
}

void screen_warn_of_size(const char *what, int lines)
{
    enum { NEARLY = 6, WIDE = 80 }; /* scrolling this many lines is acceptable */
    static bool warned;
    struct winsize size;
    if (!warned && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 &&
        (size.ws_row < lines - NEARLY || (size.ws_col > 0 && size.ws_col < WIDE)))
        printf("This terminal has %d lines and %d columns; %s need about %d and %d.\n", size.ws_row,
               size.ws_col, what, lines, WIDE);
    warned = true;
}

/* ---- Signals -------------------------------------------------------------------------------- */

/* Clears the screen and the scroll-back; where that is impossible, scrolls everything out of
 * sight. */
static const char wipe_fancy[] = "\033[H\033[2J\033[3J";
static const char wipe_plain[] =
    "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
    "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
static const char *wipe = wipe_plain; /* chosen at the start, since a signal handler cannot */

static volatile sig_atomic_t secret, interrupted, resized, stopped;
static int bell[2] = {-1, -1}; /* a pipe: rung by handlers, so that no wait misses a signal */
static void (*on_interrupt)(void);

void screen_on_interrupt(void (*function)(void))
{
    on_interrupt = function;
}

bool screen_interrupted(void *unused)
{
    (void)unused;
    return interrupted != 0;
}

/* The first signal ends the prompt, and so the game, in order; the second ends the program. */
static void on_signal(int number)
{
    int before = errno;
    if (number == SIGWINCH) {
        resized = 1;
    } else if (number == SIGTSTP) {
        stopped = 1;
    } else if (!interrupted) {
        interrupted = number;
    } else {
        if (on_interrupt)
            on_interrupt();
        if (secret && write(STDOUT_FILENO, wipe, strlen(wipe)) < 0)
            _exit(1);
        signal(number, SIG_DFL);
        raise(number);
    }
    if (write(bell[1], "", 1) < 0)
        errno = before; /* it rings already */
    errno = before;
}

/* Sets our handler for a signal that is not ignored. Waiting ends when it comes. */
static void handle(int number, struct sigaction *before)
{
    const struct sigaction action = {.sa_handler = on_signal};
    sigaction(number, NULL, before);
    if (before->sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void screen_open(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction before;
    wipe = fancy() ? wipe_fancy : wipe_plain;
    signal(SIGPIPE, SIG_IGN); /* the reader of our output may end, or a program that is asked */
    if (pipe(bell) != 0)
        return; /* signals then end the program as usual */
    for (int i = 0; i < 2; i++) {
        fcntl(bell[i], F_SETFL, O_NONBLOCK);
        fcntl(bell[i], F_SETFD, FD_CLOEXEC);
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        handle(numbers[i], &before);
}

void screen_close(void)
{
    edit_forget();
    if (!interrupted)
        return;
    fflush(stdout);
    signal(interrupted, SIG_DFL);
    raise(interrupted);
}

/* ---- Secrets -------------------------------------------------------------------------------- */

void screen_secret(void)
{
    secret = isatty(STDOUT_FILENO);
}

void screen_wipe(void)
{
    edit_forget();
    if (secret)
        fputs(wipe, stdout);
    secret = 0;
}

static bool busy;

void screen_busy(const char *who)
{
    busy = fancy();
    if (!busy)
        return;
    printf("%s is thinking...", who);
    fflush(stdout);
}

void screen_idle(void)
{
    if (busy)
        fputs("\r\033[K", stdout);
    busy = false;
}

/* ---- Prompts -------------------------------------------------------------------------------- */

static struct {
    char byte[4096];
    size_t at, size;
} typed; /* read, but not yet looked at */

/* Returns the next byte of standard input, or one of edit.h. */
static int next_key(void)
{
    for (;;) {
        char rung[64];
        if (interrupted)
            return EDIT_ENDED;
        if (resized || stopped) {
            bool is_resized = resized;
            resized = is_resized ? 0 : resized;
            stopped = is_resized ? stopped : 0;
            return is_resized ? EDIT_RESIZED : EDIT_STOPPED;
        }
        if (typed.at < typed.size)
            return (unsigned char)typed.byte[typed.at++];
        struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                                 {.fd = bell[0], .events = POLLIN}};
        if (poll(files, 2, -1) < 0 && errno != EINTR)
            return EDIT_ENDED;
        while (read(bell[0], rung, sizeof rung) > 0)
            ;
        if (!files[0].revents || interrupted || resized || stopped)
            continue;
        ssize_t size = read(STDIN_FILENO, typed.byte, sizeof typed.byte);
        if (size == 0 || (size < 0 && errno != EINTR))
            return EDIT_ENDED;
        typed.at = 0;
        typed.size = size > 0 ? (size_t)size : 0;
    }
}

/* Asks on a terminal that can move its cursor. */
static const char *ask_editor(const char *prompt)
{
    struct sigaction resize, stop;
    handle(SIGWINCH, &resize);
    handle(SIGTSTP, &stop);
    const char *line = edit_ask(prompt, next_key);
    sigaction(SIGWINCH, &resize, NULL);
    sigaction(SIGTSTP, &stop, NULL);
    resized = stopped = 0;
    return line;
}

/* Asks anywhere else; NULL at the end of input. */
static const char *ask_plainly(const char *prompt)
{
    static char line[SCREEN_LINE + 1];
    size_t size = 0;
    int c;
    fputs(prompt, stdout);
    if (fflush(stdout) || ferror(stdout))
        return NULL; /* nobody sees the prompt */
    while ((c = next_key()) != '\n' && c >= 0) {
        if (size < SCREEN_LINE)
            line[size++] = (char)(c == '\0' ? '?' : c);
    }
    line[size] = '\0';
    return c < 0 && (size == 0 || interrupted) ? NULL : line;
}

bool screen_ask(const char *prompt, bool discard_typeahead, char line[SCREEN_LINE])
{
    bool is_terminal = isatty(STDIN_FILENO);
    if (fflush(stdout) || ferror(stdout))
        return false;
    if (discard_typeahead && is_terminal) {
        tcflush(STDIN_FILENO, TCIFLUSH);
        typed.size = typed.at = 0;
    }
    const char *answer =
        is_terminal && fancy() && edit_is_there() ? ask_editor(prompt) : ask_plainly(prompt);
    if (!answer) {
        puts("");
        return false;
    }
    struct es_str text = es_str_trim(es_str(strlen(answer) < SCREEN_LINE ? answer : "(too long)"));
    memcpy(line, text.at, text.size);
    line[text.size] = '\0';
    return true;
}
