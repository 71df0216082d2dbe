/* The terminal that people play at: prompts, hiding secrets, colour. */
#include "cli/screen.h"
#include <endstation/text.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static volatile sig_atomic_t secret;

/* Returns true for a terminal that understands escape sequences. */
static bool fancy(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDOUT_FILENO) && kind && kind[0] && strcmp(kind, "dumb") != 0;
}

bool screen_colour(void)
{
    const char *no = getenv("NO_COLOR");
    return fancy() && !(no && no[0]);
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

/* Clears the screen and the scroll-back; where that is impossible, scrolls everything out of
 * sight. */
static const char wipe_fancy[] = "\033[H\033[2J\033[3J";
static const char wipe_plain[] =
    "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n"
    "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n";
static const char *wipe = wipe_plain; /* chosen at the start, since a signal handler cannot */

static void (*on_interrupt)(void);

void screen_on_interrupt(void (*function)(void))
{
    on_interrupt = function;
}

static void interrupted(int number)
{
    if (on_interrupt)
        on_interrupt();
    if (secret && write(STDOUT_FILENO, wipe, strlen(wipe)) < 0)
        _exit(1);
    signal(number, SIG_DFL);
    raise(number);
}

void screen_open(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    wipe = fancy() ? wipe_fancy : wipe_plain;
    if (isatty(STDIN_FILENO))
        setvbuf(stdin, NULL, _IONBF, 0); /* so that type-ahead can be discarded */
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (signal(numbers[i], interrupted) == SIG_IGN)
            signal(numbers[i], SIG_IGN);
}

void screen_secret(void)
{
    secret = isatty(STDOUT_FILENO);
}

void screen_wipe(void)
{
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

bool screen_ask(const char *prompt, bool discard_typeahead, char line[SCREEN_LINE])
{
    fputs(prompt, stdout);
    fflush(stdout);
    if (discard_typeahead && isatty(STDIN_FILENO))
        tcflush(STDIN_FILENO, TCIFLUSH);
    size_t size = 0;
    int c;
    while ((c = getchar()) != '\n' && c != EOF) {
        if (size < SCREEN_LINE)
            line[size] = (char)(c == '\0' ? '?' : c);
        size++;
    }
    if (c == EOF && size == 0) {
        puts("");
        return false;
    }
    struct es_str text = {line, size};
    if (size >= SCREEN_LINE)
        text = es_str("(too long)");
    else if (size > 0 && line[size - 1] == '\r')
        text.size--;
    text = es_str_trim(text);
    memmove(line, text.at, text.size);
    line[text.size] = '\0';
    return true;
}
