/* Implementation of terminfo.h, by ncurses. Without it no terminal has colours. */
#include "cli/terminfo.h"
#include <stdlib.h>
#include <string.h>

#ifdef ES_TERMINFO
#include <curses.h>
#include <term.h>
#include <unistd.h>

static bool has_ansi(const char *capability)
{
    const char *sequence = tigetstr(capability);
    return sequence && sequence != (char *)-1 && strncmp(sequence, "\033[", 2) == 0;
}

struct terminfo terminfo_look(void)
{
    struct terminfo found = {false, 0};
    int result;
    if (setupterm(NULL, STDOUT_FILENO, &result) != OK)
        return found;
    int colours = has_ansi("setaf") ? tigetnum("colors") : 0;
    found.is_fancy = has_ansi("clear") && has_ansi("el");
    found.colours = colours >= 256 ? 256 : colours >= 8 ? 8 : 0;
    return found;
}
#else
struct terminfo terminfo_look(void)
{
    const char *kind = getenv("TERM");
    return (struct terminfo){kind && kind[0] && strcmp(kind, "dumb") != 0, 0};
}
#endif
