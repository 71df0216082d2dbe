/* A tile is a cell of 5 by 3 characters. At each of its sides an arrow says where a train goes that
 * comes in there: in by the top of aacb a train goes down, in by the left it goes up.
 *
 *     ╭ ↓ ╮
 *     ↑   ←
 *     ╰ → ╯
 */
#define _GNU_SOURCE /* strcasestr */
#include "play_board.h"
#include "screen.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Painting ------------------------------------------------------------------------------ */

/* Terminals that do not say they know UTF-8 get plain characters. */
struct glyphs {
    const char *arrow[4];       /* by side */
    const char *corner[4];      /* of a tile: top left, top right, bottom left, bottom right */
    const char *last[4];        /* … of the tile laid last */
    const char *flat, *upright; /* the rim of the central stations */
    const char *nowhere;        /* a square where nothing can be laid now */
    const char *forbidden;      /* … or not these tiles, by rule 3 */
    const char *train;          /* on a tile, when its line is shown */
};

static const struct glyphs *glyphs(void)
{
    static const struct glyphs fancy = {
        {"↑", "→", "↓", "←"}, {"╭", "╮", "╰", "╯"}, {"╔", "╗", "╚", "╝"}, "━", "┃", "·", "×", "●"};
    static const struct glyphs plain = {
        {"^", ">", "v", "<"}, {".", ".", "'", "'"}, {"#", "#", "#", "#"}, "=", "|", ".", "x", "o"};
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *locale = "";
    for (int i = 0; i < 3 && !locale[0]; i++)
        locale = getenv(names[i]) ? getenv(names[i]) : "";
    return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8") ? &fancy : &plain;
}

/* Styles: 1 to 6 the players' colours, then these. Nothing is told by colour alone. */
enum { PLAIN = 0, FAINT = 7, STRONG = 8 };

static const char *style_code(int style)
{
    static const char *const codes[] = {"0", "33", "34", "38;5;208", "32", "35", "31", "2", "1"};
    return codes[style];
}

/* A page of characters, each up to three bytes long, to be painted in any order. */
enum { ROWS = PLAY_BOARD_ROWS, COLUMNS = 64, CELL_WIDE = 6, CELL_HIGH = 3, LEFT = 8, ABOVE = 3 };

struct page {
    char text[ROWS][COLUMNS][4];
    uint8_t style[ROWS][COLUMNS];
};

static void put(struct page *page, int row, int column, const char *glyph, int style)
{
    snprintf(page->text[row][column], sizeof page->text[row][column], "%s", glyph);
    page->style[row][column] = (uint8_t)style;
}

/* Plain characters, one a column. */
static void put_text(struct page *page, int row, int column, const char *text, int style)
{
    for (; *text; text++, column++)
        put(page, row, column, (char[]){*text, '\0'}, style);
}

static void print_page(const struct page *page, int rows)
{
    bool colour = screen_colour();
    for (int row = 0; row < rows; row++) {
        int last = COLUMNS, style = PLAIN;
        while (last > 0 && !page->text[row][last - 1][0])
            last--;
        for (int column = 0; column < last; column++) {
            const char *glyph = page->text[row][column];
            int wanted = glyph[0] ? page->style[row][column] : PLAIN;
            if (colour && wanted != style)
                printf("\033[0;%sm", style_code(wanted));
            style = wanted;
            fputs(glyph[0] ? glyph : " ", stdout);
        }
        puts(colour && style != PLAIN ? "\033[0m" : "");
    }
}

static void paint_tile(struct page *page, int row, int column, int look, bool last, int style)
{
    const struct glyphs *g = glyphs();
    const char *const *corner = last ? g->last : g->corner;
    static const uint8_t at[4][2] = {{0, 2}, {1, 4}, {2, 2}, {1, 0}};
    for (int i = 0; i < 4; i++)
        put(page, row + i / 2 * 2, column + i % 2 * 4, corner[i], last ? STRONG : FAINT);
    for (int side = 0; side < 4; side++)
        put(page, row + at[side][0], column + at[side][1], g->arrow[es_tile_exit[look][side]],
            style);
}

/* ---- The board ----------------------------------------------------------------------------- */

static int row_of(int square)
{
    return ABOVE + CELL_HIGH * (square / 8);
}

static int column_of(int square)
{
    return LEFT + CELL_WIDE * (square % 8);
}

static void paint_centre(struct page *page)
{
    const struct glyphs *g = glyphs();
    int top = row_of(27), left = column_of(27), right = left + 2 * CELL_WIDE - 2;
    for (int column = left; column <= right; column++) {
        put(page, top, column, g->flat, PLAIN);
        put(page, top + 2 * CELL_HIGH - 1, column, g->flat, PLAIN);
    }
    for (int row = top + 1; row < top + 2 * CELL_HIGH - 1; row++) {
        put(page, row, left, g->upright, PLAIN);
        put(page, row, right, g->upright, PLAIN);
    }
    put_text(page, top + 2, left + 3, "centre", PLAIN);
}

/* Number and owner of a station, and below it what its line is worth or how far it has come. */
static void paint_station(struct page *page, const struct es_setup *setup,
                          const struct es_metro_state *s, int station)
{
    int square = es_station_square[station], side = es_station_side[station];
    int row = row_of(square), column = column_of(square);
    int owner = es_station_owner(setup->players, station);
    struct es_line line = es_board_line(&s->board, station);
    char name[16], worth[16] = "";
    snprintf(name, sizeof name, owner ? "%d P%d" : "%d --", station, owner);
    if (line.end >= ES_END_RIM)
        snprintf(worth, sizeof worth, "=%d", es_line_points(line));
    else if (line.tiles > 0)
        snprintf(worth, sizeof worth, "%d..", line.tiles);
    if (side == ES_SIDE_TOP)
        row -= 2;
    else if (side == ES_SIDE_BOTTOM)
        row += CELL_HIGH;
    else if (side == ES_SIDE_LEFT)
        column = 2;
    else
        column += CELL_WIDE;
    put_text(page, row, column, name, owner);
    put_text(page, row + 1, column, worth, owner);
}

void play_board(const struct es_setup *setup, const struct es_metro_state *s, uint64_t squares,
                int last, int station)
{
    static struct page page;
    struct es_metro_step way[ES_METRO_STEPS_MAX];
    int steps = station ? es_metro_way(s, station, way) : 0;
    uint64_t forbidden = squares ? es_board_open(&s->board) & ~squares : 0;
    memset(&page, 0, sizeof page);
    for (int i = 0; i < 8; i++) {
        put_text(&page, 0, column_of(i) + 2, (char[]){(char)('a' + i), '\0'}, FAINT);
        put_text(&page, row_of(8 * i) + 1, 0, (char[]){(char)('1' + i), '\0'}, FAINT);
    }
    for (int i = 1; i <= ES_METRO_STATIONS; i++)
        paint_station(&page, setup, s, i);
    paint_centre(&page);
    for (int square = 0; square < ES_SQUARES; square++) {
        int row = row_of(square), column = column_of(square);
        if (s->board.laid >> square & 1)
            paint_tile(&page, row, column, s->look[square], square == last, PLAIN);
        else if (squares >> square & 1)
            put_text(&page, row + 1, column + 1,
                     (char[]){(char)('a' + square % 8), (char)('1' + square / 8), '\0'}, STRONG);
        else if (!(ES_CENTRE >> square & 1))
            put(&page, row + 1, column + 2,
                forbidden >> square & 1 ? glyphs()->forbidden : glyphs()->nowhere, FAINT);
    }
    uint8_t crossed[ES_SQUARES] = {0};
    for (int i = 0; i < steps; i++) {
        int owner = es_station_owner(setup->players, station), square = way[i].square;
        char number[2] = {(char)('0' + ++crossed[square]), '\0'};
        put(&page, row_of(square) + 1, column_of(square) + 2,
            crossed[square] > 1 ? number : glyphs()->train, owner);
    }
    print_page(&page, ROWS);
}

void play_board_tiles(const struct play_tile *tiles, int count)
{
    static struct page page;
    int column = 2;
    memset(&page, 0, sizeof page);
    for (int i = 0; i < count; i++, column += 9) {
        char name[16];
        int tile = tiles[i].tile, quarters = tiles[i].quarters;
        if (column + 8 > COLUMNS) {
            print_page(&page, 4);
            memset(&page, 0, sizeof page);
            column = 2;
        }
        snprintf(name, sizeof name, quarters ? "%s/%d" : "%s", es_tile_name[tile], quarters);
        put_text(&page, 0, column, name, STRONG);
        paint_tile(&page, 1, column, es_tile_turned[tile][quarters], false, PLAIN);
    }
    if (count > 0)
        print_page(&page, 4);
}
