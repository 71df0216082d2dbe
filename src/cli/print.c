/* `endstation print`: what one needs to play on paper. Sheets, cards, or the board of metro with
 * its tiles and wagons, as PDF. */
#include "cli/print.h"
#include <endstation/metro.h>
#include <endstation/metro/picture.h>
#include <endstation/verplant.h>
#include <endstation/verplant/layout.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define GREY ((uint32_t)0x8c8c8c)

static const struct es_draw on_paper = {.theme = ES_THEME_PRINT};

/* ---- Lines to cut along -------------------------------------------------------------------- */

/* Things of one size side by side. */
struct grid {
    double left, top, width, height;
    int columns, rows;
};

static void cut(struct canvas *canvas, double ax, double ay, double bx, double by)
{
    struct es_painter *painter = &canvas->painter;
    painter->move(painter, (struct es_spot){ax, ay});
    painter->line(painter, (struct es_spot){bx, by});
    painter->paint(painter,
                   &(struct es_pen){.fill = ES_CLEAR, .stroke = GREY, .width = 0.4, .butt = true});
}

/* Marks at the rim for a ruler or a cutting machine; lines from one to the other if `through`. */
static void cuts(struct canvas *canvas, struct grid g, bool through)
{
    const double gap = 1.2 * CANVAS_MM, size = 4 * CANVAS_MM;
    double right = g.left + g.columns * g.width, bottom = g.top + g.rows * g.height;
    for (int i = 0; i <= g.columns; i++) {
        double x = g.left + i * g.width;
        cut(canvas, x, g.top - gap - size, x, through ? bottom + gap + size : g.top - gap);
        if (!through)
            cut(canvas, x, bottom + gap, x, bottom + gap + size);
    }
    for (int i = 0; i <= g.rows; i++) {
        double y = g.top + i * g.height;
        cut(canvas, g.left - gap - size, y, through ? right + gap + size : g.left - gap, y);
        if (!through)
            cut(canvas, right + gap, y, right + gap + size, y);
    }
}

/* Where the i-th of them goes. */
static void place_in(struct canvas *canvas, struct grid g, int i)
{
    canvas_place(canvas, g.left + i % g.columns * g.width, g.top + i / g.columns * g.height,
                 g.width, g.height, false);
}

/* As large as the page allows. */
static void place_large(struct canvas *canvas)
{
    canvas_place(canvas, PRINT_MARGIN, PRINT_MARGIN, canvas->width - 2 * PRINT_MARGIN,
                 canvas->height - 2 * PRINT_MARGIN, false);
}

/* A grid in the middle of the page. */
static struct grid middle_grid(const struct canvas *canvas, double width, double height,
                               int columns, int rows)
{
    return (struct grid){
        .left = (canvas->width - columns * width) / 2,
        .top = (canvas->height - rows * height) / 2,
        .width = width,
        .height = height,
        .columns = columns,
        .rows = rows,
    };
}

/* ---- Sheets and cards of verplant ---------------------------------------------------------- */

void print_sheets(struct canvas *canvas, const struct es_map *map, bool no_names, unsigned count)
{
    struct es_setup setup = {.game = &es_verplant, .players = 2, .map = map};
    struct es_state state;
    struct es_draw draw = on_paper;
    es_setup_prepare(&setup);
    setup.game->start(&setup, &state);
    struct es_layout *layout = cli_alloc(sizeof *layout);
    es_layout(map, no_names, layout);
    draw.prepared = layout;
    draw.no_names = no_names;
    draw.viewer = 1;
    for (unsigned i = 0; i < count; i++) {
        canvas_page(canvas);
        place_large(canvas);
        es_draw(&setup, &state, &draw, &canvas->painter);
    }
    free(layout);
}

/* On pages that lie: three rows of a standing one would leave no room for marks. */
void print_cards(struct canvas *canvas, const struct es_setup *setup)
{
    enum { COLUMNS = 4, ROWS = 2, EACH = COLUMNS * ROWS };
    const struct grid grid = middle_grid(canvas, 63 * CANVAS_MM, 88 * CANVAS_MM, COLUMNS, ROWS);
    for (int i = 0; i < setup->deck_size; i++) {
        if (i % EACH == 0) {
            canvas_page(canvas);
            cuts(canvas, grid, false);
        }
        place_in(canvas, grid, i % EACH);
        es_verplant_draw_card(setup->deck[i], &on_paper, &canvas->painter);
    }
}

/* ---- metro --------------------------------------------------------------------------------- */

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

/* Tiles may not be turned: those cut out and the squares of the board have the same sign in the
 * corner, where no track ever is. */
static void this_side_up(struct canvas *canvas, struct grid g, int i)
{
    struct es_painter *painter = &canvas->painter;
    double left = g.left + (i % g.columns + 0.06) * g.width;
    double top = g.top + (i / g.columns + 0.06) * g.height, size = 0.09 * g.width;
    painter->move(painter, (struct es_spot){left, top + size});
    painter->line(painter, (struct es_spot){left + size, top + size});
    painter->line(painter, (struct es_spot){left + size / 2, top});
    painter->shut(painter);
    painter->paint(painter, &(struct es_pen){.fill = GREY, .stroke = ES_CLEAR});
}

/* All tiles as large as the board's squares. */
static void print_tiles(struct canvas *canvas, double side)
{
    enum { COLUMNS = 6, ROWS = ES_METRO_TILES / COLUMNS };
    const struct grid grid = middle_grid(canvas, side, side, COLUMNS, ROWS);
    int place = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int copy = 0; copy < es_tile_copies[tile]; copy++) {
            place_in(canvas, grid, place);
            es_metro_draw_tile(tile, &on_paper, &canvas->painter);
            this_side_up(canvas, grid, place++);
        }
    cuts(canvas, grid, true);
}

static int stations_of(int players, int player)
{
    int count = 0;
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        count += es_station_owner(players, station) == player;
    return count;
}

/* As many wagons as a player can ever need. Returns where the page goes on below them. */
static double print_wagons(struct canvas *canvas, double scale)
{
    enum { COLUMNS = 16, ROWS = 4 };
    struct grid grid = middle_grid(canvas, 40 * scale, 26 * scale, COLUMNS, ROWS);
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
            place_in(canvas, grid, place++);
            es_metro_draw_wagon(seats[i], &on_paper, &canvas->painter);
        }
    }
    cuts(canvas, grid, true);
    return grid.top + ROWS * grid.height + 14 * CANVAS_MM;
}

/* A pawn stands for a player: no word has to be translated. */
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
    painter->shut(painter);
    painter->paint(painter, &pen);
    painter->circle(painter, (struct es_spot){x, base - 0.78 * size}, 0.22 * size, &pen);
}

/* Whose stations are whose: for each number of players, a row a player. */
static void print_owners(struct canvas *canvas, double top)
{
    const double row = (canvas->height - PRINT_MARGIN - top) / 22.5, left = PRINT_MARGIN;
    const double text = 0.5 * row, wagons = left + 32 * CANVAS_MM, first = left + 50 * CANVAS_MM;
    const double step = (canvas->width - PRINT_MARGIN - first) / 16;
    double y = top;
    for (int players = 2; players <= ES_PLAYERS_MAX; players++) {
        cut(canvas, left, y, canvas->width - PRINT_MARGIN, y);
        y += 0.25 * row;
        write_number(canvas, players, left + 0.5 * row, y + 0.85 * row, row, true);
        pawn(canvas, left + 1.35 * row, y + 0.85 * row, 0.75 * row);
        for (int player = 1; player <= players; player++, y += row) {
            double base = y + 0.5 * row + 0.36 * text, x = first + step / 2;
            write_number(canvas, player, wagons - 0.5 * row, base, text, true);
            canvas_place(canvas, wagons, y + 0.12 * row, 1.4 * row, 0.76 * row, false);
            es_metro_draw_wagon(player, &on_paper, &canvas->painter);
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
    struct es_draw draw = on_paper;
    draw.bare = true;
    es_setup_prepare(&setup);
    setup.game->start(&setup, &state);
    place_large(canvas);
    es_draw(&setup, &state, &draw, &canvas->painter);
    double side = ES_METRO_SQUARE_SIZE * canvas->scale;
    const struct grid grid = middle_grid(canvas, side, side, 8, 8);
    for (int square = 0; square < ES_SQUARES; square++)
        if (!(ES_CENTRE >> square & 1))
            this_side_up(canvas, grid, square);
}

void print_metro(struct canvas *canvas)
{
    canvas_page(canvas);
    print_board(canvas);
    double scale = canvas->scale;
    canvas_page(canvas);
    print_tiles(canvas, ES_METRO_SQUARE_SIZE * scale);
    canvas_page(canvas);
    print_owners(canvas, print_wagons(canvas, 1.15 * scale));
}

/* ---- The command --------------------------------------------------------------------------- */

struct request {
    const char *file, *map, *paper, *count, *deck;
    bool cards, metro, no_names;
    enum canvas_paper format;
};

static int read_paper(struct request *r)
{
    if (!r->paper || strcmp(r->paper, "a4") == 0)
        r->format = CANVAS_A4;
    else if (strcmp(r->paper, "letter") == 0)
        r->format = CANVAS_LETTER;
    else
        return cli_usage("print", "--paper is a4 or letter, not", r->paper);
    return CLI_OK;
}

static int read_file(const struct request *r)
{
    if (!r->file && isatty(STDOUT_FILENO))
        return cli_usage("print", "say where to print with -o FILE.pdf", NULL);
    if (!r->file || strcmp(r->file, "-") == 0 || cli_ends_in(r->file, ".pdf"))
        return CLI_OK;
    return cli_usage("print", "a file that ends in .pdf is needed, not", r->file);
}

static int run_sheets(const struct request *r)
{
    unsigned count = 1;
    int status = CLI_OK;
    if (r->count)
        status = cli_number("print", "--count", r->count, 1, 500, &count);
    if (status)
        return status;
    struct es_map *map = cli_alloc(sizeof *map);
    status = cli_read_map(r->map, map);
    if (status == CLI_OK) {
        struct canvas canvas;
        canvas_open_pages(&canvas, map->title, r->format, true);
        print_sheets(&canvas, map, r->no_names, count);
        status = canvas_close(&canvas, "print", r->file);
    }
    free(map);
    return status;
}

static int run_cards(const struct request *r)
{
    struct es_setup setup = {.game = &es_verplant, .players = 1};
    const char *deck = !r->deck || strcmp(r->deck, "14") == 0 ? es_verplant_deck_14
                       : strcmp(r->deck, "15") == 0           ? es_verplant_deck_15
                                                              : r->deck;
    enum es_status fault = es_verplant_deck_read(&setup, es_str(deck));
    if (fault)
        return cli_usage("print", "--deck:", es_status_text(fault));
    struct canvas canvas;
    canvas_open_pages(&canvas, "Endstation: cards", r->format, true);
    print_cards(&canvas, &setup);
    return canvas_close(&canvas, "print", r->file);
}

static int run_metro(const struct request *r)
{
    struct canvas canvas;
    canvas_open_pages(&canvas, "Endstation: metro", r->format, false);
    print_metro(&canvas);
    return canvas_close(&canvas, "print", r->file);
}

static int run(int argc, char **argv)
{
    struct request r = {0};
    const struct cli_option options[] = {
        {"-o", &r.file, NULL},
        {"--map", &r.map, NULL},
        {"--cards", NULL, &r.cards},
        {"--metro", NULL, &r.metro},
        {"--paper", &r.paper, NULL},
        {"--count", &r.count, NULL},
        {"--no-names", NULL, &r.no_names},
        {"--deck", &r.deck, NULL},
        {NULL, NULL, NULL},
    };
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status)
        return status;
    if ((r.map != NULL) + r.cards + r.metro != 1)
        return cli_usage("print", "just one of --map MAP, --cards and --metro is needed", NULL);
    if (!r.map && r.count)
        return cli_usage("print", "--count goes with --map only", NULL);
    if (!r.map && r.no_names)
        return cli_usage("print", "--no-names goes with --map only", NULL);
    if (!r.cards && r.deck)
        return cli_usage("print", "--deck goes with --cards only", NULL);
    status = read_paper(&r);
    if (status == CLI_OK)
        status = read_file(&r);
    if (status)
        return status;
    return r.map ? run_sheets(&r) : r.cards ? run_cards(&r) : run_metro(&r);
}

const struct cli_command cli_print = {
    .name = "print",
    .summary = "sheets, cards, or the board and its tiles, as PDF to print",
    .help = "print --map MAP | --cards | --metro [OPTIONS]\n\n"
            "Makes a PDF of what one needs to play on paper; it is readable in black and white.\n\n"
            "  --map MAP      empty sheets of verplant: the id of a built-in sheet, or a .map\n"
            "                 file; one a page\n"
            "    --count N    so many of them, 1 to 500 (default 1)\n"
            "    --no-names   without the names of stations\n"
            "  --cards        the cards of verplant, 63 by 88 mm, to cut out\n"
            "    --deck CARDS 14 (default), 15, or cards like '3 3 4 5 6 x2 x3 + o'\n"
            "  --metro        the board of metro, its 60 tiles, wagons, and whose station is\n"
            "                 whose; print all pages at the same scale\n"
            "  -o FILE.pdf    where to (default: standard output)\n"
            "  --paper PAPER  a4 (default) or letter\n",
    .run = run,
};
