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

/* Returns what to write for a character without UTF-8: the letter without its accent, or a sign
 * that is alike. */
static const char *ascii_of(uint32_t character)
{
    static const char latin[] = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty"
                                "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
                                "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";
    static const struct {
        uint32_t character;
        const char *text;
    } signs[] = {{0xa0, " "},    {0xb1, "+-"},   {0xb7, "."},    {0xdf, "ss"},   {0xc6, "AE"},
                 {0xe6, "ae"},   {0x152, "OE"},  {0x153, "oe"},  {0x2013, "-"},  {0x2014, "-"},
                 {0x2018, "'"},  {0x2019, "'"},  {0x201c, "\""}, {0x201d, "\""}, {0x2026, "..."},
                 {0x2264, "<="}, {0x2265, ">="}, {0x2212, "-"},  {0x202f, " "}};
    static char letter[2];
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++)
        if (signs[i].character == character)
            return signs[i].text;
    letter[0] = character >= 0xc0 && character < 0x180 ? latin[character - 0xc0] : '?';
    return letter;
}

char *term_fold(char *text)
{
    const unsigned char *from = (const unsigned char *)text;
    char *to = text;
    if (term_utf8())
        return text;
    while (*from) {
        uint32_t character = *from++;
        if (character < 0x80) {
            *to++ = (char)character;
            continue;
        }
        character &= character >= 0xf0 ? 7 : character >= 0xe0 ? 15 : 31;
        for (; (*from & 0xc0) == 0x80; from++)
            character = character << 6 | (*from & 63u);
        for (const char *ascii = ascii_of(character); *ascii;) /* never longer than it was */
            *to++ = *ascii++;
    }
    *to = '\0';
    return text;
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

/* Returns the nearest of the 8 colours that every terminal with colours has; 9, the default, for
 * grey, because white or black may be the background. */
static int basic_colour(int number)
{
    enum { GREY = 9 };
    struct rgb c = cube_colour(number);
    int most = 0, least = 255, bits = 0;
    for (int i = 0; i < 3; i++) {
        most = c.channel[i] > most ? c.channel[i] : most;
        least = c.channel[i] < least ? c.channel[i] : least;
    }
    for (int i = 0; i < 3; i++)
        bits |= (2 * c.channel[i] > most + least) << i;
    return most - least < 60 ? GREY : bits;
}

static void print_colour(int number, bool is_reversed)
{
    bool many = screen_colours() == 256;
    if (is_reversed && many) /* black or white text, whichever is easier to read */
        printf(";48;5;%d;38;5;%d", number, brightness(cube_colour(number)) > 140 ? 16 : 231);
    else if (many)
        printf(";38;5;%d", number);
    else
        printf(";3%d%s", basic_colour(number), is_reversed ? ";7" : "");
}

static void print_style(int style)
{
    static const char *const players[] = {"", ";33", ";34", ";38;5;208", ";32", ";35", ";31"};
    int number = style & 255;
    bool is_orange = strlen(players[style & TERM_COLOURED ? 0 : number]) > 3;
    fputs("\033[0", stdout);
    if (style & TERM_FAINT)
        fputs(";2", stdout);
    if (style & TERM_STRONG)
        fputs(";1", stdout);
    if (style & TERM_COLOURED)
        print_colour(number, style & TERM_REVERSED);
    else
        printf("%s%s", is_orange && screen_colours() < 256 ? ";36" : players[number],
               style & TERM_REVERSED ? ";7" : "");
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
    bool colour = screen_colours() > 0;
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
    if (screen_colours() > 0)
        print_style(style);
    fputs(text, stdout);
    if (screen_colours() > 0)
        print_style(TERM_PLAIN);
}
