#include "draw.h"
void es__draw_metro(const struct es_setup *setup, const struct es_state *state,
                    const struct es_draw *draw, struct es_painter *painter)
{
    (void)setup;
    (void)state;
    (void)draw;
    (void)painter;
}
