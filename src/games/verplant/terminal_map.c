/* Draws a verplant map in a terminal, from the same layout as the pictures. A cell of the terminal
 * is twice as high as wide; with UTF-8 it has 2 by 4 Braille dots, which are square.
 *
 *      A ⠒⠒⠒○⠒⠒⠒⠒×⢄              [A]---o----x\
 *                   ⠑⢄⡀                        \\
 *                     ⠈⠢○                        \\o
 *
 * Lines are dots or strokes; every station and every wagon has a cell of its own, the nearest one
 * that is free. */
#include "games/verplant/terminal_map.h"
#include "cli/screen.h"
#include "cli/term_buffer.h"
#include <endstation/verplant/layout.h>
#include <stdio.h>
#include <string.h>

enum {
    COLUMNS = 78,
    ROWS = (ES_SHEET_HIGH * COLUMNS + 2 * ES_MAP_WIDE - 1) / (2 * ES_MAP_WIDE),
    WAGON_WIDE = 3,
};
_Static_assert((int)ROWS <= (int)TERM_ROWS && (int)COLUMNS < (int)TERM_COLUMNS, "room for a map");

#define CELL_WIDE ((double)ES_MAP_WIDE / COLUMNS) /* in points of the picture */
#define CELL_HIGH (2 * CELL_WIDE)

struct cell {
    int row, column;
};

/* The map in cells, computed once. */
static struct chart {
    const struct es_map *map;
    struct es_layout layout;
    uint8_t dots[ROWS][COLUMNS];   /* of all lines in that cell, as Braille counts them */
    char stroke[ROWS][COLUMNS];    /* without UTF-8: a character for the last line there */
    uint32_t lines[ROWS][COLUMNS]; /* bit l: line l passes */
    bool taken[ROWS][COLUMNS];     /* by a station or a wagon */
    struct cell station[ES_STATIONS_MAX], wagon[ES_LINES_MAX];
} chart;

/* ---- Lines ---------------------------------------------------------------------------------- */

/* A painter that draws a line's path as dots. */
struct pencil {
    struct es_painter painter; /* must be first: the painter is cast to pencil */
    int line;
    struct es_spot at, begun;
};

/* Returns the character nearest to a direction, ignoring that cells are higher than wide. */
static char stroke_of(double across, double down)
{
    double wide = across < 0 ? -across : across, high = down < 0 ? -down : down;
    if (high < 0.42 * wide)
        return '-';
    if (wide < 0.42 * high)
        return '|';
    return (across < 0) == (down < 0) ? '\\' : '/';
}

static void leave_dot(int line, int x, int y, char stroke)
{
    static const uint8_t dot[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    if (x < 0 || y < 0 || x >= 2 * COLUMNS || y >= 4 * ROWS)
        return;
    int row = y / 4, column = x / 2;
    chart.dots[row][column] |= dot[y % 4][x % 2];
    chart.stroke[row][column] = stroke;
    chart.lines[row][column] |= UINT32_C(1) << line;
}

static int rounded(double x)
{
    return (int)(x + 1000.5) - 1000; /* x is never below -1000 */
}

static void pencil_move(struct es_painter *painter, struct es_spot to)
{
    struct pencil *pencil = (struct pencil *)painter;
    pencil->at = pencil->begun = to;
}

/* Sets one dot for each column or, for a steep line, for each row, so that diagonals look even. */
static void pencil_line(struct es_painter *painter, struct es_spot to)
{
    struct pencil *pencil = (struct pencil *)painter;
    const double dot = CELL_WIDE / 2;
    double x = pencil->at.x / dot - 0.5, y = pencil->at.y / dot - 0.5;
    double across = to.x / dot - 0.5 - x, down = to.y / dot - 0.5 - y;
    bool steep = (down < 0 ? -down : down) > (across < 0 ? -across : across);
    double begin = steep ? y : x, length = steep ? down : across;
    int first = rounded(begin), last = rounded(begin + length), step = first < last ? 1 : -1;
    for (int i = first; i != last + step; i += step) {
        double part = length == 0 ? 0 : (i - begin) / length;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        leave_dot(pencil->line, steep ? rounded(x + across * part) : i,
                  steep ? i : rounded(y + down * part), stroke_of(across, down));
    }
    pencil->at = to;
}

static void pencil_curve(struct es_painter *painter, struct es_spot a, struct es_spot b,
                         struct es_spot to)
{
    enum { PIECES = 6 };
    struct es_spot from = ((struct pencil *)painter)->at;
    for (int i = 1; i <= PIECES; i++) {
        double t = (double)i / PIECES, s = 1 - t;
        double of_from = s * s * s, of_a = 3 * s * s * t, of_b = 3 * s * t * t, of_to = t * t * t;
        pencil_line(painter,
                    (struct es_spot){of_from * from.x + of_a * a.x + of_b * b.x + of_to * to.x,
                                     of_from * from.y + of_a * a.y + of_b * b.y + of_to * to.y});
    }
}

static void pencil_close_path(struct es_painter *painter)
{
    pencil_line(painter, ((struct pencil *)painter)->begun);
}

static struct es_spot wagon_middle(int l)
{
    struct es_box box = chart.layout.line[l].wagon;
    return (struct es_spot){(box.left + box.right) / 2, (box.top + box.bottom) / 2};
}

static void chart_line(int l)
{
    struct pencil pencil = {.painter = {.move = pencil_move,
                                        .line = pencil_line,
                                        .curve = pencil_curve,
                                        .close_path = pencil_close_path},
                            .line = l};
    const struct es_layout_line *line = &chart.layout.line[l];
    es_layout_trace(chart.map, &chart.layout, l, &pencil.painter);
    pencil_move(&pencil.painter, line->nose); /* the wagon is shorter here than in the pictures */
    pencil_line(&pencil.painter, wagon_middle(l));
    if (!chart.map->line[l].ring) {
        pencil_move(&pencil.painter, line->bar[0]);
        pencil_line(&pencil.painter, line->bar[1]);
    }
}

/* ---- Cells ---------------------------------------------------------------------------------- */

/* Takes the nearest `wide` free cells side by side, with the spot in their middle; returns the
 * first. There are always enough cells. */
static struct cell take_cells(struct es_spot at, int wide)
{
    struct cell best = {0, 0};
    double least = 1e18;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column + wide <= COLUMNS; column++) {
            double across = (column + wide / 2.0) * CELL_WIDE - at.x;
            double down = (row + 0.5) * CELL_HIGH - at.y;
            double far = across * across + down * down;
            if (far < least && !memchr(&chart.taken[row][column], true, (size_t)wide)) {
                least = far;
                best = (struct cell){row, column};
            }
        }
    memset(&chart.taken[best.row][best.column], true, (size_t)wide);
    return best;
}

static void make_chart(const struct es_map *map)
{
    memset(&chart, 0, sizeof chart);
    chart.map = map;
    es_layout(map, true, &chart.layout);
    for (int s = 0; s < map->stations; s++)
        chart.station[s] = take_cells(chart.layout.station[s].centre, 1);
    for (int l = 0; l < map->lines; l++) {
        chart.wagon[l] = take_cells(wagon_middle(l), WAGON_WIDE);
        chart_line(l);
    }
}

/* ---- Painting ------------------------------------------------------------------------------- */

const struct play_glyphs *play_map_glyphs(void)
{
    static const struct play_glyphs fancy = {"○", "☆", "×", "⊗", "⊞", "◆", "·", {"‹", "›"}};
    static const struct play_glyphs plain = {"o", "*", "x", "X", "+", "#", ".", {"<", ">"}};
    return term_utf8() ? &fancy : &plain;
}

/* Returns the line whose colour a cell gets: lines that share a stretch take turns. */
static const struct es_map_line *line_at(const struct es_map *map, int row, int column, int turn)
{
    uint32_t lines = chart.lines[row][column];
    for (int skip = turn % __builtin_popcount(lines); skip > 0; skip--)
        lines &= lines - 1;
    return &map->line[__builtin_ctz(lines)];
}

static void paint_lines(struct term_buffer *page, const struct es_map *map, int lit)
{
    enum { EVERY = 5 }; /* cells from letter to letter, without colours */
    bool dots = term_utf8(), colours = screen_colours() > 0;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            if (!chart.lines[row][column] || (lit >= 0 && !(chart.lines[row][column] >> lit & 1)))
                continue;
            unsigned bits = chart.dots[row][column]; /* the character is U+2800 + bits */
            char braille[4] = {(char)0xe2, (char)(0xa0 | bits >> 6), (char)(0x80 | (bits & 63)), 0};
            char stroke[2] = {chart.stroke[row][column], 0};
            int place = column + 4 * row; /* level, upright and slanting, letters come by */
            const struct es_map_line *line =
                line_at(map, row, column, colours ? row + column : place / EVERY);
            if (lit >= 0)
                line = &map->line[lit];
            char letter[2] = {line->letter, 0};
            bool named = !colours && place % EVERY == 0;
            term_put(page, row, column,
                     named  ? letter
                     : dots ? braille
                            : stroke,
                     term_colour(line->colour));
        }
}

static void paint_wagon(struct term_buffer *page, const struct es_map *map, int l)
{
    const struct es_map_line *line = &map->line[l];
    struct cell at = chart.wagon[l];
    int style = term_colour(line->colour) | TERM_REVERSED | TERM_STRONG;
    const char *left = screen_colours() > 0 ? " " : "[", *right = screen_colours() > 0 ? " " : "]";
    term_put(page, at.row, at.column, line->ring ? play_map_glyphs()->ring[0] : left, style);
    term_put(page, at.row, at.column + 1, (char[]){line->letter, 0}, style);
    term_put(page, at.row, at.column + 2, line->ring ? play_map_glyphs()->ring[1] : right, style);
}

static bool since(const struct es_sheet *before, int station)
{
    return before && !es_sheet_marked(before, station);
}

static void paint_station(struct term_buffer *page, const struct es_map *map,
                          const struct play_marks *marks, int s)
{
    const struct play_glyphs *g = play_map_glyphs();
    int calls = es_map_calls(map, s), style = calls > 1 ? TERM_STRONG : TERM_PLAIN;
    const char *glyph = es_map_special(map, s) ? g->special : g->empty;
    char number[2] = {(char)(calls < 10 ? '0' + calls : '#'), 0}; /* no real map has ten */
    if (es_sheet_marked(marks->sheet, s)) {
        bool framed = es_verplant_framed(marks->detail, s), planned = since(marks->confirmed, s);
        glyph = framed ? number : planned ? g->planned : g->crossed;
        if (framed && planned && screen_colours() == 0)
            glyph = g->planned_number;
        if (framed)
            style = TERM_STRONG | TERM_REVERSED;
        if (planned) /* the same colours as in other pictures */
            style = term_colour(0x3d6fb8) | TERM_STRONG | TERM_REVERSED;
        else if (since(marks->before, s))
            style |= term_colour(0xc2410c) | TERM_STRONG;
    }
    if (marks->lit_line >= 0 && !es_map_stops(map, marks->lit_line, s)) {
        glyph = g->other;
        style = TERM_FAINT;
    }
    if (marks->lit_station == s) {
        glyph = g->here;
        style = term_colour(0xc2410c) | TERM_STRONG;
    }
    term_put(page, chart.station[s].row, chart.station[s].column, glyph, style);
}

int play_map(const struct es_map *map, const struct play_marks *marks)
{
    static struct term_buffer page;
    if (chart.map != map)
        make_chart(map);
    term_clear(&page);
    paint_lines(&page, map, marks->lit_line);
    for (int l = 0; l < map->lines; l++)
        if (marks->lit_line < 0 || marks->lit_line == l)
            paint_wagon(&page, map, l);
    for (int s = 0; s < map->stations; s++)
        paint_station(&page, map, marks, s);
    int rows = term_crop(&page);
    term_print(&page, rows);
    return rows;
}
