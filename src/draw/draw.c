/* Every game has a picture of its own. */
#include "draw.h"

void es_draw(const struct es_setup *setup, const struct es_state *state, const struct es_draw *draw,
             struct es_painter *painter)
{
    if (setup->game == &es_verplant)
        es__draw_verplant(setup, state, draw, painter);
    else if (setup->game == &es_metro)
        es__draw_metro(setup, state, draw, painter);
}
