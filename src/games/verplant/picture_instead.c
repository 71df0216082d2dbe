/* Draws the entry that was played beside a better one, which is drawn as planned: each of its marks
 * in a diamond, its window in a frame. */
#include "games/verplant/picture.h"

static const struct es_verplant_state *instead(const struct es__sheet *p)
{
    return es_verplant_state(p->draw->instead);
}

/* Returns true if a station is empty now and marked in a later state. */
static bool is_marked(const struct es__sheet *p, const struct es_verplant_state *later, int station)
{
    return later && !es_sheet_marked(&p->now->sheet[p->player], station) &&
           es_sheet_marked(&later->sheet[p->player], station);
}

/* Returns true if a later state has more cards in the windows of a line. */
static bool is_used(const struct es__sheet *p, const struct es_verplant_state *later, int l)
{
    return later &&
           es_sheet_free(&later->sheet[p->player], l) < es_sheet_free(&p->now->sheet[p->player], l);
}

void es__sheet_title_station(const struct es__sheet *p, int station, struct es__title *title)
{
    es__title_moves(title, p->draw, is_marked(p, p->planned, station),
                    is_marked(p, instead(p), station));
}

void es__sheet_title_wagon(const struct es__sheet *p, int l, struct es__title *title)
{
    es__title_moves(title, p->draw, is_used(p, p->planned, l), is_used(p, instead(p), l));
}

static void played_mark(const struct es__sheet *p, int station)
{
    const struct es_layout_station *s = &p->lay->station[station];
    const uint32_t colour = es__played(p->draw->theme);
    const struct es_str id = es_str(p->map->station[station].id);
    struct es_part part = es__part("mark played", "played-", id);
    part.data[0].name = "station";
    part.data[0].value = id;
    p->painter->begin_part(p->painter, &part);
    es__played_ring(p->painter, s->centre, 16, colour, p->theme.face);
    if (!is_marked(p, p->planned, station)) {
        if (es_verplant_framed(&instead(p)->detail[p->player], station))
            es__handwrite_number(p->painter, s->centre, 8.6, (unsigned)station + 7,
                                 es_map_calls(p->map, station), true, colour);
        else
            es__handwrite_cross(p->painter, s->centre, 10, (unsigned)station, colour);
    }
    p->painter->end_part(p->painter);
}

void es__sheet_instead(const struct es__sheet *p)
{
    for (int s = 0; s < p->map->stations; s++)
        if (is_marked(p, instead(p), s))
            played_mark(p, s);
}

void es__sheet_instead_window(const struct es__sheet *p, int l, int window, struct es_box box)
{
    const int first = p->map->line[l].windows - es_sheet_free(&p->now->sheet[p->player], l);
    const uint32_t colour = es__played(p->draw->theme);
    if (window != first || !is_used(p, instead(p), l))
        return;
    p->painter->begin_part(p->painter, &(struct es_part){.kind = "window played"});
    const struct es_box frame = {box.left - 2.5, box.top - 2.5, box.right + 2.5, box.bottom + 2.5};
    es__rectangle(p->painter, frame, 0,
                  &(struct es_pen){.fill = ES_CLEAR, .stroke = p->theme.face, .width = 5.5});
    es__rectangle(p->painter, frame, 0,
                  &(struct es_pen){.fill = ES_CLEAR, .stroke = colour, .width = 3});
    if (!is_used(p, p->planned, l))
        es__handwrite_card(
            p->painter, (struct es_spot){(box.left + box.right) / 2, (box.top + box.bottom) / 2},
            10, (unsigned)(l * 8 + window),
            es_verplant_written(p->map, &instead(p)->detail[p->player], l, window), colour);
    p->painter->end_part(p->painter);
}
