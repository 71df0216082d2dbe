/* Implementation of term_buffer.h: cells, UTF-8 or ASCII, the nearest of 256 colours. */
#define _GNU_SOURCE /* strcasestr */
#include "cli/term_buffer.h"
#include "cli/screen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool term_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    for (int i = 0; i < 3 && !locale[0]; i++)
        locale = getenv(names[i]) ? getenv(names[i]) : "";
    return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
}

/* ---- Colours ------------------------------------------------------------------------------- */

/* Of the terminal's 256 colours the first 16 depend on the user's settings; then comes a cube of 6
 * by 6 by 6 levels, which we use, then greys. */
static const uint8_t levels[6] = {0, 95, 135, 175, 215, 255};

struct rgb {
    int channel[3];
};

static struct rgb cube_colour(int number)
{
    number -= 16;
    return (struct rgb){{levels[number / 36], levels[number / 6 % 6], levels[number % 6]}};
}

/* Returns the perceived brightness of a colour, 0 to 255. */
static int brightness(struct rgb c)
{
    return (299 * c.channel[0] + 587 * c.channel[1] + 114 * c.channel[2]) / 1000;
}

static int within(int value)
{
    return value < 0 ? 0 : value > 255 ? 255 : value;
}

int term_colour(uint32_t colour)
{
    enum { LEAST = 75, MOST = 185 };
    struct rgb c = {{colour >> 16 & 255, colour >> 8 & 255, colour & 255}};
    int bright = brightness(c), best = 16, least = INT32_MAX;
    int wanted = bright < LEAST ? LEAST : bright > MOST ? MOST : bright;
    for (int i = 0; i < 3; i++) {
        int *v = &c.channel[i];
        *v = bright > 0 ? within(*v * wanted / bright) : LEAST;
        /* The cube is coarse: increase the saturation a little, so that the nearest colour is not
         * grey. */
        *v = within(wanted + (*v - wanted) * 13 / 10);
    }
    for (int number = 16; number < 232; number++) {
        struct rgb other = cube_colour(number);
        int far = 0;
        for (int i = 0; i < 3; i++)
            far += (c.channel[i] - other.channel[i]) * (c.channel[i] - other.channel[i]);
        if (far < least) {
            least = far;
            best = number;
        }
    }
    return TERM_COLOURED + best;
}

static void print_style(int style)
{
    static const char *const players[] = {"", ";33", ";34", ";38;5;208", ";32", ";35", ";31"};
    int number = style & 255;
    fputs("\033[0", stdout);
    if (style & TERM_FAINT)
        fputs(";2", stdout);
    if (style & TERM_STRONG)
        fputs(";1", stdout);
    if (!(style & TERM_COLOURED))
        printf("%s%s", players[number], style & TERM_REVERSED ? ";7" : "");
    else if (style & TERM_REVERSED) /* black or white text, whichever is easier to read */
        printf(";48;5;%d;38;5;%d", number, brightness(cube_colour(number)) > 140 ? 16 : 231);
    else
        printf(";38;5;%d", number);
    putchar('m');
}

/* ---- Painting ------------------------------------------------------------------------------ */

void term_clear(struct term_buffer *page)
{
    memset(page, 0, sizeof *page);
}

void term_put(struct term_buffer *page, int row, int column, const char *glyph, int style)
{
    snprintf(page->text[row][column], sizeof page->text[row][column], "%s", glyph);
    page->style[row][column] = (uint16_t)style;
}

void term_put_text(struct term_buffer *page, int row, int column, const char *text, int style)
{
    for (; *text; text++, column++)
        term_put(page, row, column, (char[]){*text, '\0'}, style);
}

int term_crop(struct term_buffer *page)
{
    int top = TERM_ROWS, bottom = 0, left = TERM_COLUMNS;
    for (int row = 0; row < TERM_ROWS; row++)
        for (int column = 0; column < TERM_COLUMNS; column++)
            if (page->text[row][column][0]) {
                top = row < top ? row : top;
                bottom = row + 1;
                left = column < left ? column : left;
            }
    if (bottom == 0)
        return 0;
    left = left > 0 ? left - 1 : 0;
    for (int row = top; row < bottom; row++)
        for (int column = left; column < TERM_COLUMNS; column++) {
            memcpy(page->text[row - top][column - left], page->text[row][column],
                   sizeof page->text[row][column]);
            page->style[row - top][column - left] = page->style[row][column];
        }
    /* Cells to the right were copied, not moved: clear them. */
    for (int row = 0; row < bottom - top; row++)
        for (int column = TERM_COLUMNS - left; column < TERM_COLUMNS; column++)
            term_put(page, row, column, "", TERM_PLAIN);
    return bottom - top;
}

void term_print(const struct term_buffer *page, int rows)
{
    bool colour = screen_colour();
    for (int row = 0; row < rows; row++) {
        int last = TERM_COLUMNS, style = TERM_PLAIN;
        while (last > 0 && !page->text[row][last - 1][0])
            last--;
        for (int column = 0; column < last; column++) {
            const char *glyph = page->text[row][column];
            int wanted = glyph[0] ? page->style[row][column] : TERM_PLAIN;
            if (colour && wanted != style)
                print_style(wanted);
            style = wanted;
            fputs(glyph[0] ? glyph : " ", stdout);
        }
        puts(colour && style != TERM_PLAIN ? "\033[0m" : "");
    }
}

void term_say(const char *text, int style)
{
    if (screen_colour())
        print_style(style);
    fputs(text, stdout);
    if (screen_colour())
        print_style(TERM_PLAIN);
}
