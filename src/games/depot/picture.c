/* The yard of depot: a square for each place, a wagon in the colour of its player with its number.
 */
#include "games/depot/picture.h"
#include "draw/internal.h"
#include "games/depot/depot.h"

enum { PLACE = 84, MARGIN = 20, YARD = DEPOT_SIDE * PLACE + 2 * MARGIN };

static const uint32_t colours[] = {0x1f6fc8, 0xc2410c, 0x15803d, 0x7c3aed};

struct picture {
    const struct es_setup *setup;
    const struct es_draw *draw;
    struct es_painter *painter;
    struct es__theme theme;
    const struct depot_state *now, *shown; /* shown: with the planned move */
};

static bool is_planned(const struct picture *p, int place)
{
    return p->shown->wagon[place] && !p->now->wagon[place];
}

static bool is_fresh(const struct picture *p, int place)
{
    const struct es_state *before = p->draw->before;
    return before && p->now->wagon[place] && !depot_state(before)->wagon[place];
}

static const char *kind_of(const struct picture *p, int place)
{
    if (is_planned(p, place))
        return "place planned";
    if (is_fresh(p, place))
        return "place fresh";
    return p->now->rolled && !p->shown->wagon[place] ? "place free" : "place";
}

/* A planned wagon has a dashed rim, the latest one a thick rim. */
static struct es_pen rim_of(const struct picture *p, int place)
{
    struct es_pen pen = {.fill = p->theme.face, .stroke = p->theme.faint, .width = 1};
    if (is_planned(p, place)) {
        pen = (struct es_pen){.fill = p->theme.face, .stroke = p->theme.planned, .width = 4};
        pen.dash[0] = pen.dash[1] = 8;
    } else if (is_fresh(p, place)) {
        pen = (struct es_pen){.fill = p->theme.face, .stroke = p->theme.fresh, .width = 4};
    }
    return pen;
}

/* "place c3, wagon 4, player 1" */
static void tell(const struct picture *p, int place, struct es_str name, struct es__title *title)
{
    es__title_called(title, p->draw, ES_SAY("place"), name);
    if (p->shown->wagon[place]) {
        es__title_named(title, p->draw, ES_SAY("wagon"), p->shown->wagon[place]);
        es__title_player(title, p->draw, p->shown->owner[place]);
    } else {
        es__title_word(title, p->draw, ES_SAY("empty"));
    }
}

static void draw_place(const struct picture *p, int place)
{
    double left = MARGIN + place % DEPOT_SIDE * PLACE, top = MARGIN + place / DEPOT_SIDE * PLACE;
    char text[4];
    struct es_out out = {text, sizeof text, 0};
    struct es__title title = {0};
    depot_place_write(place, &out);
    struct es_str name = {text, out.used};
    struct es_part part = es__part(kind_of(p, place), "place-", name);
    part.data[0].name = "place";
    part.data[0].value = name;
    tell(p, place, name, &title);
    part.title = es__titled(&title);
    p->painter->begin_part(p->painter, &part);
    const struct es_pen rim = rim_of(p, place);
    es__rectangle(p->painter, (struct es_box){left + 3, top + 3, left + PLACE - 3, top + PLACE - 3},
                  6, &rim);
    if (p->shown->wagon[place]) {
        uint32_t colour = es__bright(p->draw->theme, colours[p->shown->owner[place] - 1]);
        es__rectangle(p->painter,
                      (struct es_box){left + 12, top + 20, left + PLACE - 12, top + PLACE - 20}, 10,
                      &(struct es_pen){.fill = colour, .stroke = ES_CLEAR});
        es__number(p->painter, p->shown->wagon[place],
                   (struct es_spot){left + PLACE / 2.0, top + PLACE / 2.0 + 10}, ES_ALIGN_MIDDLE,
                   28, true, es__contrast(colour));
    }
    p->painter->end_part(p->painter);
}

static void draw_yard(const struct es_setup *setup, const struct es_state *state,
                      const struct es_draw *draw, struct es_painter *painter)
{
    const struct picture p = {
        .setup = setup,
        .draw = draw,
        .painter = painter,
        .theme = es__theme(draw->theme, 0xf4f1ea),
        .now = depot_state(state),
        .shown = depot_state(draw->planned ? draw->planned : state),
    };
    painter->begin(painter, YARD, YARD, p.theme.paper, es_str("depot"));
    for (int place = 0; place < DEPOT_PLACES; place++)
        draw_place(&p, place);
    painter->end(painter);
}

const struct es_picture depot_picture = {.draw = draw_yard};
