/* Every game has a picture of its own. */
#include "draw.h"
#include <endstation/metro.h>

void es_draw(const struct es_setup *setup, const struct es_state *state, const struct es_draw *draw,
             struct es_painter *painter)
{
    if (setup->game == &es_verplant)
        es__draw_verplant(setup, state, draw, painter);
    else if (setup->game == &es_metro)
        es__draw_metro(setup, state, draw, painter);
}

size_t es_before_latest(const struct es_setup *setup, const es_event *events, size_t count)
{
    size_t i = count;
    if (setup->game == &es_metro) {
        while (i > 0 && !ES_METRO_IS_LAY(events[i - 1]))
            i--;
        return i > 0 ? i - 1 : 0;
    }
    while (i > 0 && ES_EVENT_WHO(events[i - 1]) == ES_CHANCE)
        i--;
    while (i > 0 && ES_EVENT_WHO(events[i - 1]) != ES_CHANCE)
        i--;
    return i;
}
