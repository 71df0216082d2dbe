/* Draws the players' wagons from above; each seat has its own colour and shape. */
#include "games/metro/picture.h"

uint32_t es__player_colour(const struct es__metro *m, int player)
{
    static const uint32_t colours[ES_PLAYERS_MAX + 1] = {0,        0xf4c518, 0x1f6fc9, 0xee7c14,
                                                         0x2c9a4b, 0x8b48b5, 0xd22f3b};
    if (m->draw->theme == ES_THEME_PRINT)
        return m->theme.face;
    return player ? es__bright(m->draw->theme, colours[player]) : m->theme.faint;
}

/* Corners of half a wagon, from the rear to the front, as points along it and beside it; the other
 * half is its mirror image. The second shape of a pair is a wagon in two parts. */
enum { CORNERS = 5 };
struct half {
    int count;
    double at[CORNERS][2];
};

static const struct half halves[ES_PLAYERS_MAX + 1][2] = {
    [1] = {{0}}, /* round at both ends: drawn with curves */
    [2] = {{2, {{-17, 10}, {17, 10}}}},
    [3] = {{4, {{-17.5, 0}, {-9, 10}, {9, 10}, {17.5, 0}}}},
    [4] = {{3, {{-17, 10}, {3, 10}, {18.5, 0}}}},
    [5] = {{2, {{-17, 10}, {-2.5, 10}}}, {2, {{2.5, 10}, {17, 10}}}},
    [6] = {{5, {{-17, 10}, {-6, 10}, {0, 3.5}, {6, 10}, {17, 10}}}},
};

/* A place on the wagon as a spot of the picture. */
struct wagon {
    struct es_spot centre, direction;
    double scale;
};

static struct es_spot on(struct wagon w, double along, double beside)
{
    struct es_spot right = {-w.direction.y, w.direction.x};
    return es__ahead(es__ahead(w.centre, w.direction, along * w.scale), right, beside * w.scale);
}

static void half_wagon(struct es_painter *painter, struct wagon w, const struct half *half)
{
    for (int i = 0; i < half->count; i++) {
        struct es_spot at = on(w, half->at[i][0], half->at[i][1]);
        if (i == 0)
            painter->move(painter, at);
        else
            painter->line(painter, at);
    }
    for (int i = half->count - 1; i >= 0; i--)
        if (half->at[i][1] > 0)
            painter->line(painter, on(w, half->at[i][0], -half->at[i][1]));
    painter->close_path(painter);
}

static void round_wagon(struct es_painter *painter, struct wagon w)
{
    for (int end = 1; end >= -1; end -= 2) {
        struct es_spot first = on(w, 7.5 * end, -10 * end);
        if (end == 1)
            painter->move(painter, first);
        else
            painter->line(painter, first);
        painter->curve(painter, on(w, 21 * end, -10 * end), on(w, 21 * end, 10 * end),
                       on(w, 7.5 * end, 10 * end));
    }
    painter->close_path(painter);
}

void es__wagon(const struct es__metro *m, int player, struct es_spot centre,
               struct es_spot direction, double scale)
{
    struct es_painter *painter = m->painter;
    const struct wagon w = {centre, direction, scale};
    const uint32_t colour = es__player_colour(m, player);
    const uint32_t edge = m->draw->theme == ES_THEME_DARK ? m->theme.paper : m->theme.ink;
    const struct es_pen body = {.fill = colour, .stroke = edge, .width = 1.6 * scale};
    const struct es_pen glass = {
        .fill = ES_CLEAR, .stroke = es__contrast(colour), .width = 3 * scale};
    for (int i = 0; i < 2; i++)
        if (halves[player][i].count)
            half_wagon(painter, w, &halves[player][i]);
    if (!halves[player][0].count)
        round_wagon(painter, w);
    painter->paint(painter, &body);
    /* The windscreen shows which way it faces. */
    double front = player == 4 ? 4 : 9;
    es__segment(painter, on(w, front, -4.5), on(w, front, 4.5), &glass);
}

void es_metro_draw_wagon(int player, const struct es_draw *draw, struct es_painter *painter)
{
    const struct es__metro m = {
        .painter = painter,
        .draw = draw,
        .theme = es__board_theme(draw->theme),
    };
    struct es__title title = {0};
    es__title_word(&title, draw, ES_SAY("train"));
    es__title_player(&title, draw, player);
    painter->begin(painter, 40, 26, m.theme.paper, es__titled(&title));
    es__wagon(&m, player, (struct es_spot){20, 13}, (struct es_spot){1, 0}, 1);
    painter->end(painter);
}
