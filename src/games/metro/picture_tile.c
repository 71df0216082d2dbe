/* Draws tiles and their tracks.
 *
 * Trains keep right, so every side of a square has two ends of tracks, at its thirds. In clockwise
 * order one finds the way in first, then the way out:
 *
 *           in  out
 *        +--|----|--+      Tracks meet the sides at right angles and end exactly on them, so that
 *    out |  v    ^  | in   the next square's continue without a kink. Sharp bends and those that
 *     in |          | out  turn back touch nothing else; straight tracks and wide bends can cross.
 *        +--v----^--+
 *          out  in
 */
#include "games/metro/picture.h"

struct es__theme es__board_theme(enum es_theme theme)
{
    struct es__theme board = es__theme(theme, 0xefece4);
    if (theme == ES_THEME_DARK)
        board.face = es__mix(board.face, 0xffffff, 0.13);
    return board;
}

/* Where tracks enter by each side, in thirds of the side. */
static const int8_t ways_in[4][2] = {{1, 0}, {3, 1}, {2, 3}, {0, 2}};
static const int8_t ways_out[4][2] = {{2, 0}, {3, 2}, {1, 3}, {0, 1}};

static struct es_spot third(struct es__frame frame, const int8_t at[2])
{
    return (struct es_spot){frame.left + frame.side * at[0] / 3,
                            frame.top + frame.side * at[1] / 3};
}

struct es_spot es__way_in(struct es__frame frame, int side)
{
    return third(frame, ways_in[side]);
}

struct es_spot es__way_out(struct es__frame frame, int side)
{
    return third(frame, ways_out[side]);
}

struct es_spot es__inward(int side)
{
    static const int8_t ways[4][2] = {{0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    return (struct es_spot){ways[side][0], ways[side][1]};
}

/* ---- Tracks --------------------------------------------------------------------------------- */

/* The letter of a track, as steps clockwise from the side it comes from. */
enum { BACK = 0, WIDE = 1, STRAIGHT = 2, SHARP = 3 };

static int kind_of(int from, int to)
{
    return (to - from) & 3;
}

void es__track(struct es_painter *painter, struct es__frame frame, int from, int to)
{
    /* Distance of a curve's control points, in squares: half and quarter circles, except for the
     * wide bend, which is flatter than a circle so that two of them pass each other in the
     * middle. */
    static const double reach[4] = {[BACK] = 2.0 / 9, [WIDE] = 0.27, [SHARP] = 0.5523 / 3};
    struct es_spot a = es__way_in(frame, from), b = es__way_out(frame, to);
    double handle = frame.side * reach[kind_of(from, to)];
    if (handle > 0)
        painter->curve(painter, es__ahead(a, es__inward(from), handle),
                       es__ahead(b, es__inward(to), handle), b);
    else
        painter->line(painter, b);
}

uint32_t es__track_colour(const struct es__theme *theme)
{
    return es__mix(theme->ink, theme->face, 0.28);
}

/* Layers of tracks: a track lies over those of lower layers and crosses none of its own layer. */
enum { LAYERS = 4 };
static int layer_of(int from, int to)
{
    switch (kind_of(from, to)) {
    case STRAIGHT:
        return from % 2 ? 0 : 1;
    case WIDE:
        return from % 2 ? 3 : 2;
    default:
        return 0;
    }
}

/* Adds the tracks of a layer as one path, extended past the sides by `over`; false if there are
 * none.
 */
static bool layer(struct es_painter *painter, struct es__frame frame, int look, int layer,
                  double over)
{
    bool any = false;
    for (int from = 0; from < 4; from++) {
        int to = es_tile_exit[look][from];
        if (layer_of(from, to) != layer)
            continue;
        struct es_spot in = es__way_in(frame, from), out = es__way_out(frame, to);
        painter->move(painter, es__ahead(in, es__inward(from), -over));
        if (over > 0 && kind_of(from, to) != STRAIGHT) {
            painter->line(painter, in);
            es__track(painter, frame, from, to);
        } else if (over <= 0) {
            es__track(painter, frame, from, to);
        }
        if (over > 0)
            painter->line(painter, es__ahead(out, es__inward(to), -over));
        any = true;
    }
    return any;
}

/* Draws all tracks, extended a little past the sides: where two edges meet exactly, most renderers
 * let the background shine through. */
static void tracks(struct es_painter *painter, struct es__frame frame, int look, uint32_t track,
                   uint32_t face)
{
    const double unit = frame.side / ES__SQUARE;
    const struct es_pen gap = {
        .fill = ES_CLEAR, .stroke = face, .width = ES__GAP * unit, .butt = true};
    const struct es_pen pen = {
        .fill = ES_CLEAR, .stroke = track, .width = ES__TRACK * unit, .butt = true};
    bool under = false;
    for (int i = 0; i < LAYERS; i++) {
        if (under && layer(painter, frame, look, i, 0))
            painter->paint(painter, &gap);
        if (layer(painter, frame, look, i, unit)) {
            painter->paint(painter, &pen);
            under = true;
        }
    }
}

/* ---- Tiles ---------------------------------------------------------------------------------- */

struct es_box es__inside(struct es__frame f, double inset)
{
    return (struct es_box){f.left + inset, f.top + inset, f.left + f.side - inset,
                           f.top + f.side - inset};
}

void es__tile(struct es_painter *painter, const struct es__theme *theme, struct es__frame frame,
              int look, uint32_t face, const struct es_pen *mark)
{
    const struct es_pen pen = {.fill = face, .stroke = es__mix(face, theme->ink, 0.16), .width = 1};
    es__rectangle(painter, es__inside(frame, 0), 0, &pen);
    if (mark)
        es__rectangle(painter, es__inside(frame, 2), 4, mark);
    tracks(painter, frame, look, es__track_colour(theme), face);
}

/* Draws a tile's back, the same for all: four bends and a ring. */
void es__tile_back(struct es_painter *painter, const struct es_draw *draw, struct es__frame frame)
{
    static const struct {
        uint32_t cloth, line, edge;
    } colours[] = {
        [ES_THEME_LIGHT] = {0x47597a, 0xa3b1c9, 0xffffff},
        [ES_THEME_DARK] = {0x3a4a66, 0x8092b2, 0x14171c},
        [ES_THEME_PRINT] = {0xffffff, 0x8c8c8c, 0x000000},
    };
    const double unit = frame.side / ES__SQUARE;
    const struct es_pen edge = {
        .fill = colours[draw->theme].cloth, .stroke = colours[draw->theme].edge, .width = 2 * unit};
    const struct es_pen line = {
        .fill = ES_CLEAR, .stroke = colours[draw->theme].line, .width = 3 * unit};
    es__rectangle(painter, es__inside(frame, 0), 8 * unit, &edge);
    es__rectangle(painter, es__inside(frame, 8 * unit), 4 * unit, &line);
    for (int side = 0; side < 4; side++) {
        struct es__frame inner = {frame.left + 8 * unit, frame.top + 8 * unit,
                                  frame.side - 16 * unit};
        painter->move(painter, es__way_in(inner, side));
        es__track(painter, inner, side, (side + 3) & 3);
    }
    painter->paint(painter, &line);
    painter->circle(painter,
                    (struct es_spot){frame.left + frame.side / 2, frame.top + frame.side / 2},
                    9 * unit, &line);
}

void es_metro_draw_tile(int look, const struct es_draw *draw, struct es_painter *painter)
{
    const struct es__theme theme = es__board_theme(draw->theme);
    const struct es__frame frame = {0, 0, 100};
    const bool known = look >= 0 && look < ES_TILE_KINDS;
    struct es__title title = {0};
    es__title_tile(&title, draw, known ? look : ES_TILE_UNKNOWN);
    painter->begin(painter, frame.side, frame.side, known ? theme.face : theme.paper,
                   es__titled(&title));
    if (known)
        es__tile(painter, &theme, frame, look, theme.face, NULL);
    else
        es__tile_back(painter, draw, frame);
    painter->end(painter);
}
