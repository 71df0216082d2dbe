/* Draws the panel beside metro's board: players with their points, the viewer's tiles, the
 * stock. */
#include "games/metro/picture.h"

enum {
    LEFT = ES__BOARD,
    RIGHT = ES__BOARD + ES__PANEL - ES__EDGE,
    ROW = 54,
    ROWS_TOP = ES__EDGE,
    MINI = 16, /* side of the back of a tile in a hand */
};

static bool at_turn(const struct es__metro *m, int player)
{
    return m->now->player == player && m->now->phase != ES_METRO_OVER &&
           m->now->phase != ES_METRO_DEALING;
}

/* ---- Players -------------------------------------------------------------------------------- */

static void star(const struct es__metro *m, struct es_spot at, double size)
{
    /* The ten corners of a five-pointed star, outer and inner in turn, in hundredths of `size`. */
    static const int8_t corners[10][2] = {{0, -100}, {24, -32}, {95, -31}, {38, 12},   {59, 81},
                                          {0, 40},   {-59, 81}, {-38, 12}, {-95, -31}, {-24, -32}};
    for (int i = 0; i < 10; i++) {
        struct es_spot corner = {at.x + size * corners[i][0] / 100,
                                 at.y + size * corners[i][1] / 100};
        if (i == 0)
            m->painter->move(m->painter, corner);
        else
            m->painter->line(m->painter, corner);
    }
    m->painter->close_path(m->painter);
    m->painter->paint(m->painter, &(struct es_pen){.fill = m->theme.fresh, .stroke = ES_CLEAR});
}

/* Draws a hand as the others see it. */
static void small_hand(const struct es__metro *m, int player, double left, double top)
{
    for (int i = 0; i < m->now->held[player - 1]; i++)
        es__tile_back(m->painter, m->draw, (struct es__frame){left + (MINI + 4) * i, top, MINI});
}

/* Draws the frame of a row, with an arrow for the player at turn. */
static void row_frame(const struct es__metro *m, double top, bool turn)
{
    const struct es__theme *t = &m->theme;
    const double middle = top + ROW / 2.0;
    es__rectangle(m->painter, (struct es_box){LEFT, top, RIGHT, top + ROW}, 10,
                  &(struct es_pen){.fill = es__mix(t->paper, t->face, turn ? 1 : 0.5),
                                   .stroke = turn ? t->ink : es__mix(t->paper, t->ink, 0.2),
                                   .width = turn ? 2.4 : 1});
    if (!turn)
        return;
    m->painter->move(m->painter, (struct es_spot){LEFT + 7, middle - 8});
    m->painter->line(m->painter, (struct es_spot){LEFT + 15, middle});
    m->painter->line(m->painter, (struct es_spot){LEFT + 7, middle + 8});
    m->painter->close_path(m->painter);
    m->painter->paint(m->painter, &(struct es_pen){.fill = t->ink, .stroke = t->ink, .width = 1.5});
}

/* Draws the points, those of the planned move, and a star for winners. Returns the left edge of
 * it. */
static double row_points(const struct es__metro *m, int player, double middle, bool won)
{
    const int points = es_board_points(&m->now->board, player);
    const int gain = es_board_points(&m->shown->board, player) - points;
    const double right = RIGHT - 14, left = right - (points > 99 ? 42 : 28);
    es__number(m->painter, points, (struct es_spot){right, middle + (gain > 0 ? 2 : 8)},
               ES_ALIGN_END, 23, true, m->theme.ink);
    if (gain > 0) {
        char text[16];
        struct es_out out = {text, sizeof text, 0};
        es_out_char(&out, '+');
        es_out_int(&out, gain);
        es__text(m->painter, (struct es_str){text, out.used}, (struct es_spot){right, middle + 20},
                 ES_ALIGN_END, 14, true, m->theme.planned);
    }
    if (won)
        star(m, (struct es_spot){left - 16, middle}, 9);
    return won ? left - 26 : left;
}

/* Draws the name, or the number of a player without one; below it the hand as others see it. */
static void row_name(const struct es__metro *m, int player, double middle, double right)
{
    enum { NAME_LEFT = LEFT + 78, SIZE = 15 };
    const char number = (char)('0' + player);
    const bool named = m->draw->name && m->draw->name[player - 1][0];
    const bool own = m->draw->viewer == player, backs = !own && m->now->held[player - 1] > 0;
    char cut[ES__CUT];
    struct es_str name = named ? es_str(m->draw->name[player - 1]) : (struct es_str){&number, 1};
    es__text(m->painter, es__fitted(name, SIZE, own, right - NAME_LEFT - 8, cut),
             (struct es_spot){NAME_LEFT, backs ? middle - 3 : middle + 5.5}, ES_ALIGN_START, SIZE,
             own, m->theme.ink);
    if (backs)
        small_hand(m, player, NAME_LEFT, middle + 4);
}

static void player_row(const struct es__metro *m, int player, bool won)
{
    const double top = ROWS_TOP + (ROW + 8) * (player - 1), middle = top + ROW / 2.0;
    const bool turn = at_turn(m, player);
    const char number = (char)('0' + player);
    struct es__title title = {0};
    es__title_player(&title, m->draw, player);
    es__title_counted(&title, m->draw, es_board_points(&m->now->board, player), ES_SAY("points"));
    if (turn || won)
        es__title_word(&title, m->draw, won ? ES_SAY("winner") : ES_SAY("to play"));
    struct es_part part =
        es__part(turn ? "player turn" : "player", "player-", (struct es_str){&number, 1});
    part.data[0].name = "player";
    part.data[0].value = (struct es_str){&number, 1};
    part.title = es__titled(&title);
    m->painter->begin_part(m->painter, &part);
    row_frame(m, top, turn);
    es__wagon(m, player, (struct es_spot){LEFT + 46, middle}, (struct es_spot){1, 0}, 1.3);
    row_name(m, player, middle, row_points(m, player, middle, won));
    m->painter->end_part(m->painter);
}

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* Draws a tile that is not on the board: a shadow, the tile, its edge. */
static void loose_tile(const struct es__metro *m, const char *id, int tile, struct es__frame f)
{
    struct es__title title = {0};
    es__title_tile(&title, m->draw, tile);
    struct es_part part = es__part("tile", id, es_str(""));
    const bool known = tile < ES_TILE_KINDS;
    part.data[0].name = known ? "tile" : NULL;
    part.data[0].value = known ? es_str(es_tile_name[tile]) : es_str("");
    part.title = es__titled(&title);
    m->painter->begin_part(m->painter, &part);
    const struct es_box box = {f.left - 1, f.top - 1, f.left + f.side + 1, f.top + f.side + 1};
    const struct es_box shadow = {box.left + 2, box.top + 4, box.right + 2, box.bottom + 4};
    if (m->draw->theme != ES_THEME_PRINT)
        es__rectangle(m->painter, shadow, 6,
                      &(struct es_pen){.fill = 0x000000, .stroke = ES_CLEAR, .opacity = 0.2});
    if (known) {
        es__tile(m->painter, &m->theme, f, tile, m->theme.face, NULL);
        es__rectangle(m->painter, box, 5,
                      &(struct es_pen){.fill = ES_CLEAR,
                                       .stroke = es__mix(m->theme.face, m->theme.ink, 0.5),
                                       .width = 2});
    } else {
        es__tile_back(m->painter, m->draw, f);
    }
    m->painter->end_part(m->painter);
}

/* Draws the viewer's own tiles, large: one, or rows of two. A tile that was drawn and must be laid
 * now is framed, with the hand beside it. */
static void hand(const struct es__metro *m, double top)
{
    static const char *const ids[ES_HAND_MAX] = {"hand-1", "hand-2", "hand-3"};
    enum { LARGE = 140, HALF = 112, SMALL = 62 };
    const int viewer = m->draw->viewer, held = m->now->held[viewer - 1];
    const bool drawn = m->now->player == viewer && m->now->drawn != ES_TILE_NONE;
    const double side = drawn ? SMALL : held > 1 ? HALF : LARGE, step = side + 14;
    const double left = drawn ? LEFT + LARGE + 26 : LEFT + 4;
    struct es_part part = es__part("hand", "hand", es_str(""));
    part.title = es_str(es__word(m->draw, ES_SAY("hand")));
    m->painter->begin_part(m->painter, &part);
    if (drawn) {
        loose_tile(m, "drawn", m->now->drawn, (struct es__frame){LEFT + 4, top, LARGE});
        es__rectangle(m->painter, (struct es_box){LEFT, top - 4, LEFT + 8 + LARGE, top + LARGE + 4},
                      7,
                      &(struct es_pen){.fill = ES_CLEAR, .stroke = m->theme.planned, .width = 3});
    }
    for (int i = 0; i < held; i++) {
        int column = drawn ? 0 : i % 2, row = drawn ? i : i / 2;
        loose_tile(m, ids[i], m->now->hand[viewer - 1][i],
                   (struct es__frame){left + step * column, top + step * row, side});
    }
    m->painter->end_part(m->painter);
}

/* Draws the stock as a pile of backs with the number of tiles; beside it a tile that another player
 * has drawn. */
static void stock(const struct es__metro *m, double top)
{
    enum { SIDE = 84 };
    struct es_painter *painter = m->painter;
    struct es__frame frame = {LEFT + 4, top, SIDE};
    struct es__title title = {0};
    const int tiles = m->now->stock;
    es__title_word(&title, m->draw, ES_SAY("stock"));
    es__title_counted(&title, m->draw, tiles, tiles == 1 ? ES_SAY("tile") : ES_SAY("tiles"));
    struct es_part part = es__part("stock", "stock", es_str(""));
    part.title = es__titled(&title);
    painter->begin_part(painter, &part);
    const int backs = tiles > 20 ? 4 : tiles > 6 ? 3 : tiles > 1 ? 2 : tiles;
    for (int i = 0; i < backs; i++) {
        es__tile_back(painter, m->draw, frame);
        frame.left += 4;
        frame.top -= 4;
    }
    if (backs) {
        frame.left -= 4;
        frame.top += 4;
    } else {
        es__rectangle(
            painter, (struct es_box){frame.left, frame.top, frame.left + SIDE, frame.top + SIDE}, 8,
            &(struct es_pen){
                .fill = ES_CLEAR, .stroke = m->theme.faint, .width = 1.5, .dash = {5, 4}});
    }
    const struct es_spot middle = {frame.left + SIDE / 2.0, frame.top + SIDE / 2.0};
    if (backs)
        painter->circle(painter, middle, 21,
                        &(struct es_pen){.fill = m->theme.face, .stroke = ES_CLEAR});
    es__number(painter, tiles, (struct es_spot){middle.x, middle.y + 8}, ES_ALIGN_MIDDLE, 22, true,
               m->theme.ink);
    painter->end_part(painter);
    if (m->now->drawn != ES_TILE_NONE && m->now->player != m->draw->viewer)
        loose_tile(m, "drawn", ES_TILE_UNKNOWN, (struct es__frame){LEFT + 126, top, SIDE});
}

void es__metro_panel(const struct es__metro *m)
{
    const int players = m->setup->players, viewer = m->draw->viewer;
    const struct es_state *state = (const struct es_state *)m->now;
    const unsigned winners = es_metro.winners(m->setup, state);
    const double top = ROWS_TOP + (ROW + 8) * players + 24;
    for (int player = 1; player <= players; player++)
        player_row(m, player, winners >> (player - 1) & 1);
    if (viewer >= 1 && viewer <= players)
        hand(m, top);
    stock(m, ES__BOARD - ES__EDGE - 84 - 6);
}
