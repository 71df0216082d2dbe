/* The terminal that people play at: prompts, hiding secrets, colours, interrupts. */
#ifndef ENDSTATION_SCREEN_H
#define ENDSTATION_SCREEN_H

#include <stdbool.h>

enum { SCREEN_LINE = 200 };

/* Call before anything is read. */
void screen_open(void);
/* Call at the end: if a signal was to end the program, it does so now. */
void screen_close(void);
/* Returns true once the user or the system wants to end the program. Prompts then return false at
 * once. (The argument makes it a function that bots and programs can be halted by.) */
bool screen_interrupted(void *unused);
/* Sets a function for a second signal, which ends the program at once. It may do only what signal
 * handlers may. */
void screen_on_interrupt(void (*function)(void));

/* Asks for one line, trimmed; false at the end of input. Lines of SCREEN_LINE bytes or more become
 * "(too long)", zero bytes '?'. On a terminal the line can be edited, and earlier ones are offered
 * again. `discard_typeahead`: drop what was typed before the prompt (terminals only). */
bool screen_ask(const char *prompt, bool discard_typeahead, char line[SCREEN_LINE]);

/* Notes that the screen shows a secret: it will be wiped, even if the program is interrupted. */
void screen_secret(void);
/* Wipes the screen if it shows a secret, and forgets the lines that were typed. */
void screen_wipe(void);

/* Says on a terminal that somebody thinks, and takes it away again. */
void screen_busy(const char *who);
void screen_idle(void);

/* Prints a warning, once, if the terminal is smaller than `lines` lines of 80 columns. */
void screen_warn_of_size(const char *what, int lines);

/* Returns how many colours standard output has: 0, 8 or 256. 0 if it is no terminal, or the user
 * wants none. */
int screen_colours(void);

#endif
