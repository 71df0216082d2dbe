/* A 40 × 80 buffer of styled characters for boards in a terminal: set cells in any order, then
 * print.
 */
#ifndef ENDSTATION_CLI_TERM_BUFFER_H
#define ENDSTATION_CLI_TERM_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

enum { TERM_ROWS = 40, TERM_COLUMNS = 80 };

/* Styles: a colour (none, one of the six players' by number, or any of the terminal's 256) and what
 * is added to it. Where there are no colours all of this is left out, so nothing is told by it
 * alone. */
enum {
    TERM_PLAIN = 0,
    TERM_COLOURED = 0x100, /* + the number of the colour */
    TERM_FAINT = 0x200,
    TERM_STRONG = 0x400,
    TERM_REVERSED = 0x800,
};

struct term_buffer {
    char text[TERM_ROWS][TERM_COLUMNS][4]; /* UTF-8, one character each; empty: a blank */
    uint16_t style[TERM_ROWS][TERM_COLUMNS];
};

/* Whether the terminal says that it knows UTF-8; others get plain characters. */
bool term_utf8(void);
/* The style of a colour, 0xrrggbb: the nearest one that is seen on light and dark screens alike. */
int term_colour(uint32_t colour);

void term_clear(struct term_buffer *page);
void term_put(struct term_buffer *page, int row, int column, const char *glyph, int style);
/* Plain characters, one a column. */
void term_put_text(struct term_buffer *page, int row, int column, const char *text, int style);
/* Moves what is painted to the top, and to one blank from the left; returns how many rows it has.
 */
int term_crop(struct term_buffer *page);
void term_print(const struct term_buffer *page, int rows);
/* Prints a text outside of any buffer. */
void term_say(const char *text, int style);

#endif
