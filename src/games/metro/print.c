/* Pages to print for playing metro: the board, its tiles, wagons, and the owners of stations.
 *
 * All of it is made for tiles an inch wide, large enough for fingers. The board then fits on a page
 * on its side, but is too high: it comes in two halves to be glued together. The upper one goes on
 * below the seam, as a strip to glue the lower one on, which is cut along the seam. Outside of the
 * board, arrows on both halves point at each other when the halves lie right.
 *
 *        +--------------+
 *        | rows 1 to 4  |
 *      v |              | v
 *      - +- - - - - - - + -   the seam
 *        |    strip     |
 *        +--------------+
 */
#include "games/metro/print.h"
#include "draw/print.h"
#include "games/metro/picture.h"

#define SIDE 25.4                           /* of a tile and of the board's squares */
#define POINT (SIDE / ES_METRO_SQUARE_SIZE) /* of the board's picture, in millimetres */

static void number(struct es_press *press, int value, double x, double y, double size, bool bold)
{
    es__number(press->painter, value, (struct es_spot){x, y}, ES_ALIGN_MIDDLE, size, bold, 0);
}

/* Paints a triangle with its base from a to b. */
static void triangle(struct es_press *press, struct es_spot a, struct es_spot b, struct es_spot tip)
{
    struct es_painter *painter = press->painter;
    painter->move(painter, a);
    painter->line(painter, b);
    painter->line(painter, tip);
    painter->close_path(painter);
    painter->paint(painter, &(struct es_pen){.fill = ES__PRINT_GREY, .stroke = ES_CLEAR});
}

/* Tiles may not be turned, so tiles to cut out and squares of the board have the same sign in one
 * corner, where no track ever is. */
static void this_side_up(struct es_press *press, struct es__grid g, int i)
{
    double left = g.left + (i % g.columns + 0.06) * g.width;
    double top = g.top + (i / g.columns + 0.06) * g.height, size = 0.09 * g.width;
    triangle(press, (struct es_spot){left, top + size}, (struct es_spot){left + size, top + size},
             (struct es_spot){left + size / 2, top});
}

/* ---- The board ------------------------------------------------------------------------------ */

/* Paints arrows at both ends of the seam; `away` is the direction of this half from there. */
static void join_arrows(struct es_press *press, const struct es_box *half, double seam, int away)
{
    const double out = ES__CUT_GAP + ES__CUT_SIZE / 2, base = seam + away * 3.2, size = 1.5;
    const double ends[] = {half->left - out, half->right + out};
    for (int i = 0; i < 2; i++)
        triangle(press, (struct es_spot){ends[i] - size, base},
                 (struct es_spot){ends[i] + size, base},
                 (struct es_spot){ends[i], seam + away * 0.4});
}

static void print_board(const struct es_setup *setup, const struct es_draw *draw,
                        struct es_press *press)
{
    enum { STRIP = 10, HALF = ES_SQUARES / 2 };
    const double size = ES__BOARD * POINT;
    struct es_state state;
    struct es_draw bare = *draw;
    bare.bare = true;
    setup->game->start(setup, &state);
    for (int lower = 0; lower < 2; lower++) {
        es__print_page(press, true);
        const struct es__grid half = es__print_grid(press, size, size / 2, 1, 1);
        const double top = half.top - lower * size / 2;
        const struct es_box box = {half.left, half.top, half.left + size, half.top + size / 2};
        es__print_place(press, half.left, top, size, size);
        press->shown = box;
        press->shown.bottom += lower ? 0 : STRIP;
        es_draw(setup, &state, &bare, press->painter);
        const struct es__grid squares = {.left = half.left + (ES__EDGE + ES__RIM) * POINT,
                                         .top = top + (ES__EDGE + ES__RIM) * POINT,
                                         .width = SIDE,
                                         .height = SIDE,
                                         .columns = 8,
                                         .rows = 8};
        for (int square = lower * HALF; square < (lower + 1) * HALF; square++)
            if (!(ES_CENTRE >> square & 1))
                this_side_up(press, squares, square);
        es__print_cuts(press, half, false);
        join_arrows(press, &box, lower ? box.top : box.bottom, lower ? 1 : -1);
    }
}

/* ---- Tiles ---------------------------------------------------------------------------------- */

static void print_tiles(const struct es_setup *setup, const struct es_draw *draw,
                        struct es_press *press)
{
    enum { COLUMNS = 7, ROWS = 9 };
    _Static_assert(COLUMNS * ROWS >= ES_METRO_TILES, "all tiles are on one page");
    int place = 0;
    (void)setup;
    es__print_page(press, false);
    const struct es__grid grid = es__print_grid(press, SIDE, SIDE, COLUMNS, ROWS);
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int copy = 0; copy < es_tile_copies[tile]; copy++) {
            es__print_place_in(press, grid, place);
            es_metro_draw_tile(tile, draw, press->painter);
            this_side_up(press, grid, place++);
        }
    es__print_cuts(press, grid, true);
}

/* ---- Wagons and owners ---------------------------------------------------------------------- */

static int stations_of(int players, int player)
{
    int count = 0;
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        count += es_station_owner(players, station) == player;
    return count;
}

/* Prints as many wagons as each player can need. Returns the position below them. */
static double print_wagons(const struct es_draw *draw, struct es_press *press)
{
    enum { COLUMNS = 13, ROWS = 5 };
    const double scale = 1.15 * POINT;
    struct es__grid grid = es__print_grid(press, 40 * scale, 26 * scale, COLUMNS, ROWS);
    grid.top = ES__PRINT_MARGIN + 6;
    int place = 0;
    for (int player = 1; player <= ES_PLAYERS_MAX; player++) {
        int most = 0;
        for (int players = 2; players <= ES_PLAYERS_MAX; players++)
            if (player <= players && stations_of(players, player) > most)
                most = stations_of(players, player);
        for (int copy = 0; copy < most; copy++) {
            es__print_place_in(press, grid, place++);
            es_metro_draw_wagon(player, draw, press->painter);
        }
    }
    es__print_cuts(press, grid, true);
    return grid.top + ROWS * grid.height + 14;
}

/* Draws a pawn, the sign for a player, so that no word has to be translated. */
static void pawn(struct es_press *press, double x, double base, double size)
{
    struct es_painter *painter = press->painter;
    const struct es_pen pen = {.stroke = ES_CLEAR};
    painter->move(painter, (struct es_spot){x - 0.32 * size, base});
    painter->curve(painter, (struct es_spot){x - 0.3 * size, base - 0.45 * size},
                   (struct es_spot){x - 0.1 * size, base - 0.4 * size},
                   (struct es_spot){x - 0.1 * size, base - 0.7 * size});
    painter->line(painter, (struct es_spot){x + 0.1 * size, base - 0.7 * size});
    painter->curve(painter, (struct es_spot){x + 0.1 * size, base - 0.4 * size},
                   (struct es_spot){x + 0.3 * size, base - 0.45 * size},
                   (struct es_spot){x + 0.32 * size, base});
    painter->close_path(painter);
    painter->paint(painter, &pen);
    painter->circle(painter, (struct es_spot){x, base - 0.78 * size}, 0.22 * size, &pen);
}

/* Prints the owners of stations: for each number of players, a row for each player. */
static void print_owners(const struct es_draw *draw, struct es_press *press, double top)
{
    const double row = (press->height - ES__PRINT_MARGIN - top) / 22.5, left = ES__PRINT_MARGIN;
    const double text = 0.5 * row, wagons = left + 32, first = left + 50;
    const double step = (press->width - ES__PRINT_MARGIN - first) / 16;
    double y = top;
    for (int players = 2; players <= ES_PLAYERS_MAX; players++) {
        es__print_cut(press, left, y, press->width - ES__PRINT_MARGIN, y);
        y += 0.25 * row;
        number(press, players, left + 0.5 * row, y + 0.85 * row, row, true);
        pawn(press, left + 1.35 * row, y + 0.85 * row, 0.75 * row);
        for (int player = 1; player <= players; player++, y += row) {
            double base = y + 0.5 * row + 0.36 * text, x = first + step / 2;
            number(press, player, wagons - 0.5 * row, base, text, true);
            es__print_place(press, wagons, y + 0.12 * row, 1.4 * row, 0.76 * row);
            es_metro_draw_wagon(player, draw, press->painter);
            for (int station = 1; station <= ES_METRO_STATIONS; station++)
                if (es_station_owner(players, station) == player) {
                    number(press, station, x, base, text, false);
                    x += step;
                }
        }
        y += 0.25 * row;
    }
}

static void print_trains(const struct es_setup *setup, const struct es_draw *draw,
                         struct es_press *press)
{
    (void)setup;
    es__print_page(press, false);
    print_owners(draw, press, print_wagons(draw, press));
}

const struct es_printable es__metro_prints[] = {
    {"board", print_board},
    {"tiles", print_tiles},
    {"trains", print_trains},
    {NULL, NULL},
};
