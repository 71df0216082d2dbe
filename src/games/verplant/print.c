/* Pages to print for playing verplant: an empty sheet, and the cards of a deck. */
#include "games/verplant/print.h"
#include "draw/print.h"
#include "games/verplant/picture.h"

static void print_sheet(const struct es_setup *setup, const struct es_draw *draw,
                        struct es_press *press)
{
    struct es_state state;
    setup->game->start(setup, &state);
    es__print_page(press, true);
    es__print_place_large(press);
    es_draw(setup, &state, draw, press->painter);
}

/* On landscape pages: three rows on a portrait page would leave no room for crop marks. */
static void print_cards(const struct es_setup *setup, const struct es_draw *draw,
                        struct es_press *press)
{
    enum { COLUMNS = 4, ROWS = 2, EACH = COLUMNS * ROWS };
    const struct es_verplant_deck *deck = es_verplant_deck(setup);
    struct es__grid grid = {0};
    for (int i = 0; i < deck->size; i++) {
        if (i % EACH == 0) {
            es__print_page(press, true);
            grid = es__print_grid(press, 63, 88, COLUMNS, ROWS);
            es__print_cuts(press, grid, false);
        }
        es__print_place_in(press, grid, i % EACH);
        es_verplant_draw_card(deck->card[i], draw, press->painter);
    }
}

const struct es_printable es__verplant_prints[] = {
    {"sheet", print_sheet},
    {"cards", print_cards},
    {NULL, NULL},
};
