/* Draws the tile that was laid beside a better move, which is drawn as planned. */
#include "games/metro/picture.h"

/* Returns the square of the tile that a later state has and this one has not, or -1: a tile that
 * was drawn lies nowhere. */
static int new_square(const struct es__metro *m, const struct es_metro_state *later)
{
    const uint64_t laid = later->board.laid & ~m->now->board.laid;
    return laid ? __builtin_ctzll(laid) : -1;
}

/* The tile in a frame with square corners, and its sign. */
static void played_tile(const struct es__metro *m, struct es__frame frame, int look)
{
    const struct es__theme *t = &m->theme;
    const uint32_t colour = es__played(m->draw->theme);
    es__tile(m->painter, t, frame, look, es__mix(t->face, colour, 0.12), NULL);
    const double inside = frame.side < ES__SQUARE ? 0 : 2;
    struct es_pen pen = {.fill = ES_CLEAR, .stroke = t->face, .width = 7};
    es__rectangle(m->painter, es__inside(frame, inside), 0, &pen);
    pen.stroke = colour;
    pen.width = 4;
    es__rectangle(m->painter, es__inside(frame, inside), 0, &pen);
}

void es__metro_instead(const struct es__metro *m)
{
    enum { CORNER = 11, SIGN = 11, INSET = 54, OVER = 14 };
    const struct es_metro_state *played = es_metro_state(m->draw->instead);
    const int there = new_square(m, played), better = new_square(m, m->shown);
    const uint32_t colour = es__played(m->draw->theme);
    if (better >= 0) {
        const struct es__frame frame = es__square(better);
        es__sign(m->painter, (struct es_spot){frame.left + CORNER, frame.top + CORNER}, SIGN, false,
                 m->theme.planned, m->theme.face);
    }
    if (there < 0)
        return;
    struct es__frame frame = es__square(there);
    if (there == better) /* small, in the corner */
        frame = (struct es__frame){frame.left + frame.side - INSET + OVER,
                                   frame.top + frame.side - INSET + OVER, INSET};
    struct es__title title = {0};
    char text[4];
    struct es_out out = {text, sizeof text, 0};
    es_square_write(there, &out);
    const struct es_str name = {text, out.used};
    struct es_part part = es__part("square played", "played-", name);
    part.data[0].name = "square";
    part.data[0].value = name;
    part.data[1].name = "tile";
    part.data[1].value = es_str(es_tile_name[played->look[there]]);
    es__title_called(&title, m->draw, ES_SAY("square"), name);
    es__title_word(&title, m->draw, ES_SAY("tile"));
    es__title_moves(&title, m->draw, false, true);
    part.title = es__titled(&title);
    m->painter->begin_part(m->painter, &part);
    played_tile(m, frame, played->look[there]);
    es__sign(m->painter,
             (struct es_spot){frame.left + frame.side - (there == better ? 2 : CORNER),
                              frame.top + (there == better ? 2 : CORNER)},
             there == better ? 9 : SIGN, true, colour, m->theme.face);
    m->painter->end_part(m->painter);
}

void es__metro_title_better(struct es__title *title, const struct es_draw *draw)
{
    es__title_moves(title, draw, true, false);
}
