/* The terminal that people play at: asking, hiding, colour. */
#ifndef ENDSTATION_SCREEN_H
#define ENDSTATION_SCREEN_H

#include <stdbool.h>

enum { SCREEN_LINE = 200 };

/* Before anything is read. */
void screen_open(void);

/* Asks for one line, trimmed; false at the end of input. What is too long for anything we know, or
 * holds a zero byte, becomes something we do not know. `afresh`: nothing typed before the question
 * is an answer. */
bool screen_ask(const char *prompt, bool afresh, char line[SCREEN_LINE]);

/* Says that the screen shows what not everybody may see: it will be wiped, also when the program is
 * interrupted. */
void screen_secret(void);
/* Wipes the screen if it shows a secret. */
void screen_wipe(void);

/* Says on a terminal that somebody thinks, and takes it away again. */
void screen_busy(const char *who);
void screen_idle(void);

/* A word, once, to whoever cannot see that many lines of 80 columns at a time. */
void screen_warn_of_size(const char *what, int lines);

/* Whether standard output is a terminal that can do colours, and the user wants them. */
bool screen_colour(void);

#endif
