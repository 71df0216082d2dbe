/* A page of characters to be painted in any order and then printed: the paper of both boards. */
#ifndef ENDSTATION_PAGE_H
#define ENDSTATION_PAGE_H

#include <stdbool.h>
#include <stdint.h>

enum { PAGE_ROWS = 40, PAGE_COLUMNS = 80 };

/* Styles: a colour (none, one of the six players' by number, or any of the terminal's 256) and what
 * is added to it. Where there are no colours all of this is left out, so nothing is told by it
 * alone. */
enum {
    PAGE_PLAIN = 0,
    PAGE_COLOURED = 0x100, /* + the number of the colour */
    PAGE_FAINT = 0x200,
    PAGE_STRONG = 0x400,
    PAGE_REVERSED = 0x800,
};

struct page {
    char text[PAGE_ROWS][PAGE_COLUMNS][4]; /* UTF-8, one character each; empty: a blank */
    uint16_t style[PAGE_ROWS][PAGE_COLUMNS];
};

/* Whether the terminal says that it knows UTF-8; others get plain characters. */
bool page_utf8(void);
/* The style of a colour, 0xrrggbb: the nearest one that is seen on light and dark screens alike. */
int page_colour(uint32_t colour);

void page_clear(struct page *page);
void page_put(struct page *page, int row, int column, const char *glyph, int style);
/* Plain characters, one a column. */
void page_put_text(struct page *page, int row, int column, const char *text, int style);
/* Moves what is painted to the top, and to one blank from the left; returns how many rows it has.
 */
int page_crop(struct page *page);
void page_print(const struct page *page, int rows);
/* Prints a text outside of any page. */
void page_say(const char *text, int style);

#endif
