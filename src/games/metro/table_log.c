/* Log entries of metro: tiles dealt, drawn and laid, lines finished. */
#include "games/metro/table.h"

static void tell_lay(struct es__telling *t)
{
    struct es_line lines[4];
    es__tell_of(t, t->n, "lay", ES_EVENT_WHO(t->event));
    es__metro_tile_fact(t->w, "tile", ES_METRO_LAY_TILE(t->event));
    es__write_int(t->w, "turns", ES_METRO_LAY_QUARTERS(t->event));
    es__metro_square_fact(t->w, "square", ES_METRO_LAY_SQUARE(t->event));
    es__told(t);
    int count = es__metro_finishes(&es_metro_state(t->before)->board, t->event, lines);
    for (int i = 0; i < count; i++) {
        es__tell(t, t->n, "finish");
        es__metro_line_facts(t->w, t->setup, lines[i]);
        es__told(t);
    }
}

void es__metro_tell(struct es__telling *t)
{
    if (t->n <= t->from)
        return;
    if (ES_EVENT_WHO(t->event) == ES_CHANCE) {
        int player = ES_METRO_DEAL_PLAYER(t->event);
        es__tell_of(t, t->n, "deal", player);
        es__metro_tile_fact(t->w, "tile", ES_METRO_DEAL_TILE(t->event));
        es__told(t);
    } else if (ES_METRO_IS_LAY(t->event)) {
        tell_lay(t);
    } else {
        es__tell_of(t, t->n, "draw", ES_EVENT_WHO(t->event));
        es__told(t);
    }
}
