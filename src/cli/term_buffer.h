/* A 40 × 80 buffer of styled characters for boards in a terminal: set cells in any order, then
 * print.
 */
#ifndef ENDSTATION_CLI_TERM_BUFFER_H
#define ENDSTATION_CLI_TERM_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

enum { TERM_ROWS = 40, TERM_COLUMNS = 80 };

/* Styles: a colour (none, a player's by number, or any of the terminal's 256) and attributes.
 * Terminals without colours show none of them, so a style must never be the only carrier of
 * information. */
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

/* Returns true if the locale uses UTF-8; otherwise boards use ASCII. */
bool term_utf8(void);
/* Rewrites a text in UTF-8 for such a terminal: letters lose their accents. Returns it. */
char *term_fold(char *text);
/* Returns the style of a colour, 0xrrggbb: the nearest one that is visible on light and dark
 * screens. */
int term_colour(uint32_t colour);

void term_clear(struct term_buffer *page);
void term_put(struct term_buffer *page, int row, int column, const char *glyph, int style);
/* Writes ASCII characters, one per column. */
void term_put_text(struct term_buffer *page, int row, int column, const char *text, int style);
/* Moves the contents to the top and to column 1; returns the number of rows.
 */
int term_crop(struct term_buffer *page);
void term_print(const struct term_buffer *page, int rows);
/* Prints a text outside of any buffer. */
void term_say(const char *text, int style);

#endif
