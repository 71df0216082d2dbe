/* Draws the central station from above: a hipped roof with skylights and a dome, and two gates at
 * each side, where trains come in. It looks the same after a quarter turn. */
#include "games/metro/picture.h"

enum { BLOCK = 2 * ES__SQUARE, WALL = 14 };

/* Returns a spot of the central block of four squares after some quarter turns clockwise. */
static struct es_spot central(int quarters, double x, double y)
{
    const struct es__frame first = es__square(27); /* d4 */
    for (; quarters > 0; quarters--) {
        double turned = BLOCK - y;
        y = x;
        x = turned;
    }
    return (struct es_spot){first.left + x, first.top + y};
}

struct colours {
    uint32_t roof, line, copper, glass;
    bool flat; /* no light, no shadow */
};

static struct colours colours_of(const struct es__metro *m)
{
    const struct es__theme *t = &m->theme;
    if (m->draw->theme == ES_THEME_PRINT)
        return (struct colours){t->face, t->ink, t->face, t->face, true};
    const uint32_t roof = es__mix(t->face, 0x9a5f4a, 0.75);
    return (struct colours){roof, es__mix(roof, 0x2a1a14, 0.55), es__mix(t->face, 0x4f9c8b, 0.75),
                            0xd7ecf2, false};
}

/* Draws all gates between two distances from the block's side. */
static void gates(const struct es__metro *m, double from, double to, const struct es_pen *pen)
{
    for (int side = 0; side < 4; side++)
        for (int gate = 0; gate < 2; gate++) {
            double x = ES__SQUARE / 3 + ES__SQUARE * gate;
            m->painter->move(m->painter, central(side, x, from));
            m->painter->line(m->painter, central(side, x, to));
        }
    m->painter->paint(m->painter, pen);
}

static void four_corners(const struct es__metro *m, int side, const double at[8],
                         const struct es_pen *pen)
{
    m->painter->move(m->painter, central(side, at[0], at[1]));
    for (int i = 2; i < 8; i += 2)
        m->painter->line(m->painter, central(side, at[i], at[i + 1]));
    m->painter->close_path(m->painter);
    m->painter->paint(m->painter, pen);
}

/* Draws one of the four slopes of the roof, with a skylight. */
static void slope(const struct es__metro *m, const struct colours *c, int side)
{
    /* Light falls from the upper left. */
    static const double light[4] = {0.18, 0, 0, 0.06}, shadow[4] = {0, 0.08, 0.2, 0};
    static const double roof[] = {WALL, WALL, BLOCK - WALL, WALL, 100, 68, 68, 68};
    static const double glass[] = {66, 21, 102, 21, 102, 42, 66, 42};
    uint32_t face = c->roof;
    if (!c->flat)
        face = es__mix(es__mix(face, 0xffffff, light[side]), 0x000000, shadow[side]);
    four_corners(m, side, roof, &(struct es_pen){.fill = face, .stroke = c->line, .width = 1.6});
    four_corners(
        m, side, glass,
        &(struct es_pen){.fill = es__mix(face, c->glass, 0.55), .stroke = c->line, .width = 1});
    for (int bar = 1; bar < 4; bar++) {
        m->painter->move(m->painter, central(side, 66 + 9 * bar, 21));
        m->painter->line(m->painter, central(side, 66 + 9 * bar, 42));
    }
    m->painter->paint(m->painter,
                      &(struct es_pen){.fill = ES_CLEAR, .stroke = c->line, .width = 1});
}

/* Draws the dome, with a sign that lines ending here count twice. */
static void dome(const struct es__metro *m, const struct colours *c)
{
    struct es_painter *painter = m->painter;
    const struct es_spot middle = central(0, ES__SQUARE, ES__SQUARE);
    const struct es_pen ribs = {
        .fill = ES_CLEAR, .stroke = es__mix(c->copper, c->line, 0.45), .width = 1.2};
    painter->circle(painter, middle, 34,
                    &(struct es_pen){.fill = c->copper, .stroke = c->line, .width = 1.6});
    for (int side = 0; side < 4; side++) {
        painter->move(painter, middle);
        painter->line(painter, central(side, 84, 50));
        painter->move(painter, middle);
        painter->line(painter, central(side, 108, 60));
    }
    painter->paint(painter, &ribs);
    painter->circle(painter, middle, 20,
                    &(struct es_pen){.fill = m->theme.face, .stroke = c->line, .width = 1.6});
    es__text(painter, es_str("\u00d72"), (struct es_spot){middle.x, middle.y + 7}, ES_ALIGN_MIDDLE,
             20, true, m->theme.ink);
}

void es__metro_centre(const struct es__metro *m)
{
    const struct es__theme *t = &m->theme;
    const struct colours c = colours_of(m);
    const struct es__frame first = es__square(27);
    struct es_part part = {.kind = "centre", .id = "centre"};
    part.title = es_str(es__word(m->draw, ES_SAY("central station")));
    m->painter->begin_part(m->painter, &part);
    es__rectangle(m->painter, es__inside((struct es__frame){first.left, first.top, BLOCK}, 0), 0,
                  &(struct es_pen){.fill = es__mix(t->paper, t->ink, c.flat ? 0 : 0.1),
                                   .stroke = es__mix(t->paper, t->ink, 0.3),
                                   .width = 1});
    gates(m, -1, WALL,
          &(struct es_pen){
              .fill = ES_CLEAR, .stroke = es__track_colour(t), .width = ES__TRACK, .butt = true});
    for (int side = 0; side < 4; side++)
        slope(m, &c, side);
    gates(m, WALL - 6, WALL + 7,
          &(struct es_pen){.fill = ES_CLEAR, .stroke = c.line, .width = 18, .butt = true});
    dome(m, &c);
    m->painter->end_part(m->painter);
}
