/* What the terminal can do, as terminfo says. Its headers define many short names, so only
 * terminfo.c includes them. */
#ifndef ENDSTATION_CLI_TERMINFO_H
#define ENDSTATION_CLI_TERMINFO_H

#include <stdbool.h>

/* We write the sequences of ANSI ourselves, so others do not count. */
struct terminfo {
    bool is_fancy; /* it can clear the screen and a line */
    int colours;   /* 0, 8 or 256 */
};

/* Looks at the terminal of standard output. A terminal that is not known can do nothing. */
struct terminfo terminfo_look(void);

#endif
