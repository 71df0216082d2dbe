/* Editing a line at the prompt, with a history: by libedit, where the program is built with it. */
#ifndef ENDSTATION_CLI_EDIT_H
#define ENDSTATION_CLI_EDIT_H

#include <stdbool.h>

/* What the function that gets keys returns when there is none. */
enum { EDIT_ENDED = -1, EDIT_RESIZED = -2, EDIT_STOPPED = -3 };

/* Returns true if the program was built with libedit. */
bool edit_is_there(void);
/* Asks for a line, without a line break, which is valid until the next call; NULL: the input has
 * ended. `next_key` returns a byte that was typed, or one of the above. */
const char *edit_ask(const char *prompt, int (*next_key)(void));
/* Forgets all lines, and what was cut. */
void edit_forget(void);

#endif
