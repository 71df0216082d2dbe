/* Draws metro's board in a terminal. A tile is a cell of 5 by 3 characters. The arrow at each side
 * shows the direction in which a train leaves that comes in there: in aacb, a train from the top
 * goes down, a train from the left goes up.
 *
 *     ╭ ↓ ╮
 *     ↑   ←
 *     ╰ → ╯
 */
#include "games/metro/terminal_board.h"
#include "cli/term_buffer.h"
#include <stdio.h>

/* ---- Painting ------------------------------------------------------------------------------- */

struct glyphs {
    const char *arrow[4];       /* by side */
    const char *corner[4];      /* of a tile: top left, top right, bottom left, bottom right */
    const char *last[4];        /* the same of the tile laid last */
    const char *flat, *upright; /* the rim of the central stations */
    const char *nowhere;        /* a square where nothing can be laid now */
    const char *forbidden;      /* a square where rule 3 forbids these tiles */
    const char *train;          /* on a tile, when its line is shown */
};

static const struct glyphs *glyphs(void)
{
    static const struct glyphs fancy = {
        {"↑", "→", "↓", "←"}, {"╭", "╮", "╰", "╯"}, {"╔", "╗", "╚", "╝"}, "━", "┃", "·", "×", "●"};
    static const struct glyphs plain = {
        {"^", ">", "v", "<"}, {".", ".", "'", "'"}, {"#", "#", "#", "#"}, "=", "|", ".", "x", "o"};
    return term_utf8() ? &fancy : &plain;
}

/* Positions of the squares in the buffer. */
enum { CELL_WIDE = 6, CELL_HIGH = 3, LEFT = 8, ABOVE = 3, TILES_WIDE = 64 };
_Static_assert((int)PLAY_BOARD_ROWS <= (int)TERM_ROWS, "room for the board");

static void paint_tile(struct term_buffer *page, int row, int column, int look, bool last,
                       int style)
{
    const struct glyphs *g = glyphs();
    const char *const *corner = last ? g->last : g->corner;
    static const uint8_t at[4][2] = {{0, 2}, {1, 4}, {2, 2}, {1, 0}};
    for (int i = 0; i < 4; i++)
        term_put(page, row + i / 2 * 2, column + i % 2 * 4, corner[i],
                 last ? TERM_STRONG : TERM_FAINT);
    for (int side = 0; side < 4; side++)
        term_put(page, row + at[side][0], column + at[side][1], g->arrow[es_tile_exit[look][side]],
                 style);
}

/* ---- The board ------------------------------------------------------------------------------ */

static int row_of(int square)
{
    return ABOVE + CELL_HIGH * (square / 8);
}

static int column_of(int square)
{
    return LEFT + CELL_WIDE * (square % 8);
}

static void paint_centre(struct term_buffer *page)
{
    const struct glyphs *g = glyphs();
    int top = row_of(27), left = column_of(27), right = left + 2 * CELL_WIDE - 2;
    for (int column = left; column <= right; column++) {
        term_put(page, top, column, g->flat, TERM_PLAIN);
        term_put(page, top + 2 * CELL_HIGH - 1, column, g->flat, TERM_PLAIN);
    }
    for (int row = top + 1; row < top + 2 * CELL_HIGH - 1; row++) {
        term_put(page, row, left, g->upright, TERM_PLAIN);
        term_put(page, row, right, g->upright, TERM_PLAIN);
    }
    term_put_text(page, top + 2, left + 3, "centre", TERM_PLAIN);
}

/* Paints number and owner of a station, and below them the points or the length so far of its
 * line. */
static void paint_station(struct term_buffer *page, const struct es_setup *setup,
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
    term_put_text(page, row, column, name, owner);
    term_put_text(page, row + 1, column, worth, owner);
}

void play_board(const struct es_setup *setup, const struct es_metro_state *s, uint64_t squares,
                int last, int station)
{
    static struct term_buffer page;
    struct es_metro_step way[ES_METRO_STEPS_MAX];
    int steps = station ? es_metro_way(s, station, way) : 0;
    uint64_t forbidden = squares ? es_board_open(&s->board) & ~squares : 0;
    term_clear(&page);
    for (int i = 0; i < 8; i++) {
        term_put_text(&page, 0, column_of(i) + 2, (char[]){(char)('a' + i), '\0'}, TERM_FAINT);
        term_put_text(&page, row_of(8 * i) + 1, 0, (char[]){(char)('1' + i), '\0'}, TERM_FAINT);
    }
    for (int i = 1; i <= ES_METRO_STATIONS; i++)
        paint_station(&page, setup, s, i);
    paint_centre(&page);
    for (int square = 0; square < ES_SQUARES; square++) {
        int row = row_of(square), column = column_of(square);
        if (s->board.laid >> square & 1)
            paint_tile(&page, row, column, s->look[square], square == last, TERM_PLAIN);
        else if (squares >> square & 1)
            term_put_text(&page, row + 1, column + 1,
                          (char[]){(char)('a' + square % 8), (char)('1' + square / 8), '\0'},
                          TERM_STRONG);
        else if (!(ES_CENTRE >> square & 1))
            term_put(&page, row + 1, column + 2,
                     forbidden >> square & 1 ? glyphs()->forbidden : glyphs()->nowhere, TERM_FAINT);
    }
    uint8_t crossed[ES_SQUARES] = {0};
    for (int i = 0; i < steps; i++) {
        int owner = es_station_owner(setup->players, station), square = way[i].square;
        char number[2] = {(char)('0' + ++crossed[square]), '\0'};
        term_put(&page, row_of(square) + 1, column_of(square) + 2,
                 crossed[square] > 1 ? number : glyphs()->train, owner);
    }
    term_print(&page, PLAY_BOARD_ROWS);
}

void play_board_tiles(const struct play_tile *tiles, int count)
{
    static struct term_buffer page;
    int column = 2;
    term_clear(&page);
    for (int i = 0; i < count; i++, column += 9) {
        char name[16];
        int tile = tiles[i].tile, quarters = tiles[i].quarters;
        if (column + 8 > TILES_WIDE) {
            term_print(&page, 4);
            term_clear(&page);
            column = 2;
        }
        snprintf(name, sizeof name, quarters ? "%s/%d" : "%s", es_tile_name[tile], quarters);
        term_put_text(&page, 0, column, name, TERM_STRONG);
        paint_tile(&page, 1, column, es_tile_turned[tile][quarters], false, TERM_PLAIN);
    }
    if (count > 0)
        term_print(&page, 4);
}
