/* The options of `print` for metro. */
#include "games/metro/terminal.h"

static bool wanted;

static const struct cli_option options[] = {{"--metro", NULL, &wanted}, {NULL, NULL, NULL}};

static bool is_wanted(void)
{
    return wanted;
}

static int run(const char *file, enum es_paper paper)
{
    struct es_setup setup = {.game = &es_metro, .players = 2};
    struct canvas canvas;
    es_status status = es_setup_prepare(&setup);
    assert(!status);
    canvas_open_pages(&canvas, "Endstation: metro", paper);
    for (const struct es_printable *thing = es_metro.prints; thing->name; thing++)
        es_print(&setup, es_str(thing->name), &(struct es_draw){0}, &canvas.press);
    return canvas_close(&canvas, "print", file);
}

const struct cli_print es__metro_print = {
    .usage = "--metro",
    .help = "  --metro           the board of metro, in two halves to glue together, its 60 tiles\n"
            "                    of 25.4 mm, the trains, and who owns which station\n",
    .options = options,
    .is_wanted = is_wanted,
    .run = run,
};
