/* The second style of moves: for the one that was played, beside a better one that is drawn as
 * planned. It has corners where the other is round, so that colours are not needed. */
#include "draw/internal.h"

uint32_t es__played(enum es_theme theme)
{
    static const uint32_t colours[] = {
        [ES_THEME_LIGHT] = 0xa8123e, [ES_THEME_DARK] = 0xff94a8, [ES_THEME_PRINT] = 0x000000};
    return colours[theme];
}

void es__played_ring(struct es_painter *painter, struct es_spot at, double half, uint32_t colour,
                     uint32_t ground)
{
    struct es_pen pen = {.fill = ES_CLEAR, .stroke = ground, .width = 5.5};
    es__diamond(painter, at, half, &pen);
    pen.stroke = colour;
    pen.width = 2.8;
    es__diamond(painter, at, half, &pen);
}

void es__sign(struct es_painter *painter, struct es_spot at, double size, bool played,
              uint32_t colour, uint32_t ground)
{
    const double s = size;
    const struct es_pen shape = {.fill = colour, .stroke = ground, .width = 0.16 * s};
    const struct es_pen line = {.fill = ES_CLEAR, .stroke = ground, .width = 0.26 * s};
    if (played) {
        es__diamond(painter, at, 1.25 * s, &shape);
        painter->move(painter, (struct es_spot){at.x - 0.36 * s, at.y - 0.36 * s});
        painter->line(painter, (struct es_spot){at.x + 0.36 * s, at.y + 0.36 * s});
        painter->move(painter, (struct es_spot){at.x + 0.36 * s, at.y - 0.36 * s});
        painter->line(painter, (struct es_spot){at.x - 0.36 * s, at.y + 0.36 * s});
    } else {
        painter->circle(painter, at, s, &shape);
        painter->move(painter, (struct es_spot){at.x - 0.5 * s, at.y + 0.02 * s});
        painter->line(painter, (struct es_spot){at.x - 0.13 * s, at.y + 0.4 * s});
        painter->line(painter, (struct es_spot){at.x + 0.5 * s, at.y - 0.38 * s});
    }
    painter->paint(painter, &line);
}

void es__title_moves(struct es__title *title, const struct es_draw *draw, bool better, bool played)
{
    if (better)
        es__title_word(title, draw, ES_SAY("the better move"));
    if (played)
        es__title_word(title, draw, ES_SAY("the move played"));
}
