/* The terminal that people play at: prompts, hiding secrets, colour. */
#ifndef ENDSTATION_SCREEN_H
#define ENDSTATION_SCREEN_H

#include <stdbool.h>

enum { SCREEN_LINE = 200 };

/* Call before anything is read. */
void screen_open(void);
/* Sets a function to be called if the program is interrupted, before it ends. It may do only what
 * signal handlers may. */
void screen_on_interrupt(void (*function)(void));

/* Asks for one line, trimmed; false at the end of input. Lines of SCREEN_LINE bytes or more become
 * "(too long)", zero bytes '?'. `discard_typeahead`: drop what was typed before the prompt
 * (terminals only). */
bool screen_ask(const char *prompt, bool discard_typeahead, char line[SCREEN_LINE]);

/* Notes that the screen shows a secret: it will be wiped, even if the program is interrupted. */
void screen_secret(void);
/* Wipes the screen if it shows a secret. */
void screen_wipe(void);

/* Says on a terminal that somebody thinks, and takes it away again. */
void screen_busy(const char *who);
void screen_idle(void);

/* Prints a warning, once, if the terminal is smaller than `lines` lines of 80 columns. */
void screen_warn_of_size(const char *what, int lines);

/* Returns true if standard output is a terminal with colours, and the user wants them. */
bool screen_colour(void);

#endif
