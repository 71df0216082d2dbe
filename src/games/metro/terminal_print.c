/* Pages to print for playing metro: the board, the tiles, wagons, and the owners of stations.
 */
#include "cli/print.h"
#include "games/metro/terminal.h"
#include <endstation/metro/picture.h>

static void write_number(struct canvas *canvas, int number, double x, double y, double size,
                         bool bold)
{
    char text[12];
    struct es_out out = {text, sizeof text, 0};
    es_out_int(&out, number);
    struct es_str shown = {text, out.used};
    canvas->painter.text(&canvas->painter, &(struct es_writing){
                                               .text = shown,
                                               .at = {x, y},
                                               .align = ES_ALIGN_MIDDLE,
                                               .size = size,
                                               .width = es_text_width(shown, size, bold),
                                               .bold = bold,
                                           });
}

/* Tiles may not be turned, so tiles to cut out and squares of the board have the same sign in one
 * corner, where no track ever is. */
static void this_side_up(struct canvas *canvas, struct print_grid g, int i)
{
    struct es_painter *painter = &canvas->painter;
    double left = g.left + (i % g.columns + 0.06) * g.width;
    double top = g.top + (i / g.columns + 0.06) * g.height, size = 0.09 * g.width;
    painter->move(painter, (struct es_spot){left, top + size});
    painter->line(painter, (struct es_spot){left + size, top + size});
    painter->line(painter, (struct es_spot){left + size / 2, top});
    painter->close_path(painter);
    painter->paint(painter, &(struct es_pen){.fill = PRINT_GREY, .stroke = ES_CLEAR});
}

/* Prints all tiles, as large as the board's squares. */
static void print_tiles(struct canvas *canvas, double side)
{
    enum { COLUMNS = 6, ROWS = ES_METRO_TILES / COLUMNS };
    const struct print_grid grid = print_middle_grid(canvas, side, side, COLUMNS, ROWS);
    int place = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int copy = 0; copy < es_tile_copies[tile]; copy++) {
            print_place_in(canvas, grid, place);
            es_metro_draw_tile(tile, &print_on_paper, &canvas->painter);
            this_side_up(canvas, grid, place++);
        }
    print_cuts(canvas, grid, true);
}

static int stations_of(int players, int player)
{
    int count = 0;
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        count += es_station_owner(players, station) == player;
    return count;
}

/* Prints as many wagons as each player can need. Returns the position below them. */
static double print_wagons(struct canvas *canvas, double scale)
{
    enum { COLUMNS = 16, ROWS = 4 };
    struct print_grid grid = print_middle_grid(canvas, 40 * scale, 26 * scale, COLUMNS, ROWS);
    grid.top = PRINT_MARGIN + 6 * CANVAS_MM;
    /* Seats in an order that fills the rows: 16, 16, 10 + 6, 8 + 5. */
    static const int seats[] = {1, 2, 3, 5, 4, 6};
    int place = 0;
    for (int i = 0; i < ES_PLAYERS_MAX; i++) {
        int most = 0;
        for (int players = 2; players <= ES_PLAYERS_MAX; players++)
            if (seats[i] <= players && stations_of(players, seats[i]) > most)
                most = stations_of(players, seats[i]);
        for (int copy = 0; copy < most; copy++) {
            print_place_in(canvas, grid, place++);
            es_metro_draw_wagon(seats[i], &print_on_paper, &canvas->painter);
        }
    }
    print_cuts(canvas, grid, true);
    return grid.top + ROWS * grid.height + 14 * CANVAS_MM;
}

/* Draws a pawn, the sign for a player, so that no word has to be translated. */
static void pawn(struct canvas *canvas, double x, double base, double size)
{
    struct es_painter *painter = &canvas->painter;
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
static void print_owners(struct canvas *canvas, double top)
{
    const double row = (canvas->height - PRINT_MARGIN - top) / 22.5, left = PRINT_MARGIN;
    const double text = 0.5 * row, wagons = left + 32 * CANVAS_MM, first = left + 50 * CANVAS_MM;
    const double step = (canvas->width - PRINT_MARGIN - first) / 16;
    double y = top;
    for (int players = 2; players <= ES_PLAYERS_MAX; players++) {
        print_cut(canvas, left, y, canvas->width - PRINT_MARGIN, y);
        y += 0.25 * row;
        write_number(canvas, players, left + 0.5 * row, y + 0.85 * row, row, true);
        pawn(canvas, left + 1.35 * row, y + 0.85 * row, 0.75 * row);
        for (int player = 1; player <= players; player++, y += row) {
            double base = y + 0.5 * row + 0.36 * text, x = first + step / 2;
            write_number(canvas, player, wagons - 0.5 * row, base, text, true);
            canvas_place(canvas, wagons, y + 0.12 * row, 1.4 * row, 0.76 * row, false);
            es_metro_draw_wagon(player, &print_on_paper, &canvas->painter);
            for (int station = 1; station <= ES_METRO_STATIONS; station++)
                if (es_station_owner(players, station) == player) {
                    write_number(canvas, station, x, base, text, false);
                    x += step;
                }
        }
        y += 0.25 * row;
    }
}

static void print_board(struct canvas *canvas)
{
    struct es_setup setup = {.game = &es_metro, .players = 2};
    struct es_state state;
    struct es_draw draw = print_on_paper;
    draw.bare = true;
    es_setup_prepare(&setup);
    setup.game->start(&setup, &state);
    print_place_large(canvas);
    es_draw(&setup, &state, &draw, &canvas->painter);
    double side = ES_METRO_SQUARE_SIZE * canvas->scale;
    const struct print_grid grid = print_middle_grid(canvas, side, side, 8, 8);
    for (int square = 0; square < ES_SQUARES; square++)
        if (!(ES_CENTRE >> square & 1))
            this_side_up(canvas, grid, square);
}

void es__print_metro(struct canvas *canvas)
{
    canvas_page(canvas);
    print_board(canvas);
    double scale = canvas->scale;
    canvas_page(canvas);
    print_tiles(canvas, ES_METRO_SQUARE_SIZE * scale);
    canvas_page(canvas);
    print_owners(canvas, print_wagons(canvas, 1.15 * scale));
}

/* ---- For the command ------------------------------------------------------------------------ */

static bool wanted;

static const struct cli_option options[] = {{"--metro", NULL, &wanted}, {NULL, NULL, NULL}};

static bool is_wanted(void)
{
    return wanted;
}

static int run(const char *file, enum canvas_paper paper)
{
    struct canvas canvas;
    canvas_open_pages(&canvas, "Endstation: metro", paper, false);
    es__print_metro(&canvas);
    return canvas_close(&canvas, "print", file);
}

const struct cli_print es__metro_print = {
    .usage = "--metro",
    .help = "  --metro        the board of metro, its 60 tiles, the trains, and who owns\n"
            "                 which station; print all pages at the same scale\n",
    .options = options,
    .is_wanted = is_wanted,
    .run = run,
};
