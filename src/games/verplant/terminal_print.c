/* The options of `print` for verplant. */
#include "games/verplant/terminal.h"
#include <assert.h>
#include <stdlib.h>

static struct {
    const char *map, *count, *deck;
    bool cards, no_names;
} wish;

static const struct cli_option options[] = {
    {"--map", &wish.map, NULL},           {"--cards", NULL, &wish.cards},
    {"--count", &wish.count, NULL},       {"--deck", &wish.deck, NULL},
    {"--no-names", NULL, &wish.no_names}, {NULL, NULL, NULL},
};

static bool is_wanted(void)
{
    return wish.map || wish.cards;
}

static void print_sheets(struct canvas *canvas, const struct es_map *map, unsigned count)
{
    struct es_setup setup = {.game = &es_verplant, .players = 1, .map = map};
    struct es_prepared *prepared = cli_alloc(sizeof *prepared);
    es_status status = es_setup_prepare(&setup);
    assert(!status);
    es_draw_prepare(&setup, prepared);
    const struct es_draw draw = {.prepared = prepared, .no_names = wish.no_names};
    for (unsigned i = 0; i < count; i++)
        es_print(&setup, es_str("sheet"), &draw, &canvas->press);
    free(prepared);
}

static int run_sheets(const char *file, enum es_paper paper)
{
    unsigned count = 1;
    int status = CLI_OK;
    if (wish.count)
        status = cli_number("print", "--count", wish.count, 1, 500, &count);
    if (status)
        return status;
    struct es_map *map = cli_alloc(sizeof *map);
    status = cli_read_map(wish.map, map);
    if (status == CLI_OK) {
        struct canvas canvas;
        canvas_open_pages(&canvas, map->title, paper);
        print_sheets(&canvas, map, count);
        status = canvas_close(&canvas, "print", file);
    }
    free(map);
    return status;
}

static int run_cards(const char *file, enum es_paper paper)
{
    struct es_setup setup = {.game = &es_verplant, .players = 1};
    const char *deck = cli_own_value(&es_verplant, "deck", wish.deck ? wish.deck : "14");
    es_status fault = es_verplant_deck_read(&setup, es_str(deck));
    if (fault)
        return cli_usage("print", "--deck:", es_status_text(fault));
    struct canvas canvas;
    canvas_open_pages(&canvas, "Endstation: cards", paper);
    es_print(&setup, es_str("cards"), &(struct es_draw){0}, &canvas.press);
    return canvas_close(&canvas, "print", file);
}

static int run(const char *file, enum es_paper paper)
{
    if (wish.map && wish.cards)
        return cli_usage("print", "name one thing to print, not --map and --cards", NULL);
    if (!wish.map && wish.count)
        return cli_usage("print", "--count needs --map", NULL);
    if (!wish.map && wish.no_names)
        return cli_usage("print", "--no-names needs --map", NULL);
    if (!wish.cards && wish.deck)
        return cli_usage("print", "--deck needs --cards", NULL);
    return wish.map ? run_sheets(file, paper) : run_cards(file, paper);
}

const struct cli_print es__verplant_print = {
    .usage = "--map MAP | --cards",
    .help = "  --map MAP         empty sheets of verplant: a .map file, or the id of a built-in\n"
            "                    one; one a page\n"
            "    --count N       how many, 1 to 500 (default 1)\n"
            "    --no-names      leave out the names of stations\n"
            "  --cards           the cards of verplant, 63 by 88 mm, to cut out\n"
            "    --deck CARDS    14 (default), 15, or cards like '3 3 4 5 6 x2 x3 + o'\n",
    .options = options,
    .is_wanted = is_wanted,
    .run = run,
};
