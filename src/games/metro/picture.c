/* Draws the board of metro: squares, tiles, stations with wagons, highlighted lines, the planned
 * move. Other parts are in picture_tile.c, picture_centre.c (central station), picture_wagon.c and
 * picture_panel.c (beside the board). */
#include "games/metro/picture.h"
#include "games/metro/rules.h"
#include <string.h>

/* ---- Titles and names ----------------------------------------------------------------------- */

void es__title_tile(struct es__title *title, const struct es_draw *draw, int look)
{
    static const char *const sides[] = {ES_SAY("top"), ES_SAY("right"), ES_SAY("bottom"),
                                        ES_SAY("left")};
    es__title_word(title, draw, look < ES_TILE_KINDS ? ES_SAY("tile") : ES_SAY("hidden tile"));
    for (int side = 0; side < 4 && look < ES_TILE_KINDS; side++) {
        es__title_word(title, draw, sides[side]);
        es_out_text(&title->out, "–");
        es_out_text(&title->out, es__word(draw, sides[es_tile_exit[look][side]]));
    }
}

/* A short text of a number or a square, kept by the caller. */
struct word {
    char text[8];
    size_t size;
};

static struct es_str str(const struct word *word)
{
    return (struct es_str){word->text, word->size};
}

static struct word number_word(int number)
{
    struct word word = {0};
    struct es_out out = {word.text, sizeof word.text, 0};
    es_out_int(&out, number);
    word.size = out.used;
    return word;
}

static struct word square_word(int square)
{
    struct word word = {0};
    struct es_out out = {word.text, sizeof word.text, 0};
    es_square_write(square, &out);
    word.size = out.used;
    return word;
}

struct es__frame es__square(int square)
{
    enum { FIRST = ES__EDGE + ES__RIM };
    return (struct es__frame){FIRST + ES__SQUARE * (square % 8), FIRST + ES__SQUARE * (square / 8),
                              ES__SQUARE};
}

/* A number in a disc, which is wider for long numbers. */
struct badge {
    char text[16];
    struct es_str shown;
    double radius, broad;
};

static void badge_make(struct badge *badge, double radius, const char *sign, int number)
{
    struct es_out out = {badge->text, sizeof badge->text, 0};
    es_out_text(&out, sign);
    es_out_int(&out, number);
    badge->shown = (struct es_str){badge->text, out.used};
    badge->radius = radius;
    badge->broad = es_text_width(badge->shown, radius * 1.25, true) / 2 + radius * 0.35;
    if (badge->broad < radius)
        badge->broad = radius;
}

static void badge_paint(const struct es__metro *m, const struct badge *badge, struct es_spot at,
                        const struct es_pen *pen)
{
    const double size = badge->radius * 1.25;
    es__rectangle(m->painter,
                  (struct es_box){at.x - badge->broad, at.y - badge->radius, at.x + badge->broad,
                                  at.y + badge->radius},
                  badge->radius, pen);
    es__text(m->painter, badge->shown, (struct es_spot){at.x, at.y + size * 0.36}, ES_ALIGN_MIDDLE,
             size, true, es__contrast(pen->fill));
}

/* ---- Squares -------------------------------------------------------------------------------- */

static bool is_in(uint64_t squares, int square)
{
    return squares >> square & 1;
}

static void empty_square(const struct es__metro *m, struct es__frame frame, bool legal)
{
    const struct es__theme *t = &m->theme;
    const uint32_t ground = es__mix(t->paper, t->ink, m->draw->theme == ES_THEME_PRINT ? 0 : 0.05);
    es__rectangle(
        m->painter, es__inside(frame, 0), 0,
        &(struct es_pen){.fill = ground, .stroke = es__mix(t->paper, t->ink, 0.16), .width = 1});
    if (!legal)
        return;
    es__rectangle(m->painter, es__inside(frame, 7), 10,
                  &(struct es_pen){.fill = es__mix(ground, t->planned, 0.16),
                                   .stroke = es__mix(ground, t->planned, 0.4),
                                   .width = 1.5});
}

/* How a square is marked; indexes the kind of its part and the word in its title. */
enum square_mark { PLAIN, LEGAL, PLANNED, FRESH };

static enum square_mark square_mark(const struct es__metro *m, int at)
{
    if (!is_in(m->shown->board.laid, at))
        return is_in(m->legal, at) ? LEGAL : PLAIN;
    if (!is_in(m->now->board.laid, at))
        return PLANNED;
    return m->fresh[at] ? FRESH : PLAIN;
}

/* Finds the fresh tiles. */
static void find_fresh(struct es__metro *m)
{
    for (size_t i = 0; i < m->draw->since_count; i++) {
        const es_event event = m->draw->since[i];
        if (!ES_METRO_IS_LAY(event))
            continue;
        m->fresh[ES_METRO_LAY_SQUARE(event)] = (uint8_t)++m->fresh_count;
        m->layer[ES_METRO_LAY_SQUARE(event)] = (uint8_t)ES_EVENT_WHO(event);
    }
}

/* Marks a fresh tile: framed in the colour of the player who laid it, with their wagon in a corner
 * and, if there are several, its number in another. Tracks leave the corners free. */
static void fresh_mark(const struct es__metro *m, int at)
{
    enum { CORNER = 12 };
    const struct es__frame frame = es__square(at);
    const int player = m->layer[at];
    const uint32_t colour = es__player_colour(m, player);
    struct es_pen pen = {.fill = ES_CLEAR, .stroke = m->theme.ink, .width = 5};
    es__rectangle(m->painter, es__inside(frame, 3), 4, &pen);
    pen.stroke = colour;
    pen.width = 3;
    es__rectangle(m->painter, es__inside(frame, 3), 4, &pen);
    es__wagon(m, player, (struct es_spot){frame.left + CORNER + 2, frame.top + CORNER},
              (struct es_spot){1, 0}, 0.55);
    if (m->fresh_count < 2)
        return;
    struct badge badge;
    badge_make(&badge, 8.5, "", m->fresh[at]);
    badge_paint(m, &badge, (struct es_spot){frame.left + frame.side - CORNER, frame.top + CORNER},
                &(struct es_pen){.fill = colour, .stroke = m->theme.ink, .width = 1.2});
}

static void laid_square(const struct es__metro *m, int at, enum square_mark state)
{
    const struct es__theme *t = &m->theme;
    const struct es_pen planned = {
        .fill = ES_CLEAR, .stroke = t->planned, .width = 3, .dash = {7, 6}};
    es__tile(m->painter, t, es__square(at), m->shown->look[at],
             state == PLANNED ? es__mix(t->face, t->planned, 0.16) : t->face,
             state == PLANNED ? &planned : NULL);
    if (state == FRESH)
        fresh_mark(m, at);
}

static void square(const struct es__metro *m, int at)
{
    static const char *const kinds[] = {"square", "square legal", "square planned", "square fresh"};
    static const char *const words[] = {[LEGAL] = ES_SAY("a tile can go here"),
                                        [PLANNED] = ES_SAY("planned"),
                                        [FRESH] = ES_SAY("new")};
    const bool laid = is_in(m->shown->board.laid, at);
    const enum square_mark state = square_mark(m, at);
    const struct word name = square_word(at);
    struct es__title title = {0};
    es__title_called(&title, m->draw, ES_SAY("square"), str(&name));
    es__title_word(&title, m->draw, laid ? ES_SAY("tile") : ES_SAY("empty"));
    if (state == PLANNED && m->draw->instead)
        es__metro_title_better(&title, m->draw);
    else if (state != PLAIN)
        es__title_word(&title, m->draw, words[state]);
    if (state == FRESH)
        es__title_player(&title, m->draw, m->layer[at]);
    struct es_part part = es__part(kinds[state], "square-", str(&name));
    part.data[0].name = "square";
    part.data[0].value = str(&name);
    part.data[1].name = laid ? "tile" : NULL; /* as it lies */
    part.data[1].value = laid ? es_str(es_tile_name[m->shown->look[at]]) : es_str("");
    part.title = es__titled(&title);
    m->painter->begin_part(m->painter, &part);
    if (laid)
        laid_square(m, at, state);
    else
        empty_square(m, es__square(at), state == LEGAL);
    m->painter->end_part(m->painter);
}

/* ---- Stations ------------------------------------------------------------------------------- */

/* Returns a spot of a station: `along` the board's side, clockwise from the corner of the square,
 * and `out` from it. The departure track is at 28, the arrival track at 56. */
static struct es_spot at_station(int station, double along, double out)
{
    const int side = es_station_side[station];
    const struct es_spot inward = es__inward(side), right = {inward.y, -inward.x};
    struct es_spot gate = es__way_in(es__square(es_station_square[station]), side);
    return es__ahead(es__ahead(gate, right, along - ES__SQUARE / 3), inward, -out);
}

static struct es_box station_box(int station, double along, double out, double along2, double out2)
{
    struct es_spot a = at_station(station, along, out), b = at_station(station, along2, out2);
    return (struct es_box){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.x < b.x ? b.x : a.x,
                           a.y < b.y ? b.y : a.y};
}

/* Where the wagon stands, its points once it has turned, and how long the arrival track is. */
enum { DEPARTURE = ES__SQUARE / 3, WAGON = 26, POINTS = 48, ARRIVAL = 16 };

static void station_tracks(const struct es__metro *m, int station)
{
    const uint32_t track = es__track_colour(&m->theme);
    struct es_painter *painter = m->painter;
    painter->move(painter, at_station(station, DEPARTURE, -1));
    painter->line(painter, at_station(station, DEPARTURE, WAGON));
    painter->move(painter, at_station(station, 2 * DEPARTURE, -1));
    painter->line(painter, at_station(station, 2 * DEPARTURE, ARRIVAL));
    painter->paint(
        painter,
        &(struct es_pen){.fill = ES_CLEAR, .stroke = track, .width = ES__TRACK, .butt = true});
    es__segment(painter, at_station(station, 2 * DEPARTURE - 9, ARRIVAL),
                at_station(station, 2 * DEPARTURE + 9, ARRIVAL),
                &(struct es_pen){.fill = ES_CLEAR, .stroke = track, .width = 4});
}

/* Draws the platform of a station without an owner, with an arrow in the direction of trains. */
static void empty_platform(const struct es__metro *m, int station)
{
    struct es_painter *painter = m->painter;
    es__rectangle(painter, station_box(station, DEPARTURE - 10, 10, DEPARTURE + 10, 44), 3,
                  &(struct es_pen){.fill = es__mix(m->theme.paper, m->theme.face, 0.5),
                                   .stroke = m->theme.faint,
                                   .width = 1.4,
                                   .dash = {4, 3}});
    painter->move(painter, at_station(station, DEPARTURE - 5, 29));
    painter->line(painter, at_station(station, DEPARTURE, 24));
    painter->line(painter, at_station(station, DEPARTURE + 5, 29));
    painter->paint(painter,
                   &(struct es_pen){.fill = ES_CLEAR, .stroke = m->theme.faint, .width = 2});
}

static bool finished(const struct es_metro_state *s, int station)
{
    return es_board_line(&s->board, station).end >= ES_END_RIM;
}

static void station_title(const struct es__metro *m, int station, int owner,
                          struct es__title *title)
{
    const struct es_line line = es_board_line(&m->shown->board, station);
    es__title_named(title, m->draw, ES_SAY("station"), station);
    if (owner)
        es__title_player(title, m->draw, owner);
    else if (!m->blank)
        es__title_word(title, m->draw, ES_SAY("no owner"));
    if (line.tiles)
        es__title_counted(title, m->draw, line.tiles,
                          line.tiles == 1 ? ES_SAY("tile") : ES_SAY("tiles"));
    if (line.end < ES_END_RIM)
        return;
    es__title_word(title, m->draw,
                   finished(m->now, station) ? ES_SAY("finished") : ES_SAY("planned"));
    es__title_counted(title, m->draw, es_line_points(line), ES_SAY("points"));
}

static void station_points(const struct es__metro *m, int station, int owner)
{
    const bool planned = !finished(m->now, station);
    const bool fresh = !planned && m->before && !finished(m->before, station);
    struct es_pen pen = {.fill = owner ? es__player_colour(m, owner) : m->theme.face,
                         .stroke = m->theme.ink,
                         .width = 1.2};
    if (planned || fresh) {
        pen.stroke = planned ? m->theme.planned : m->theme.fresh;
        pen.width = 3;
    }
    struct badge badge;
    badge_make(&badge, 9.5, planned ? "+" : "",
               es_line_points(es_board_line(&m->shown->board, station)));
    double away = es_station_side[station] % 2 ? badge.broad - badge.radius : 0;
    badge_paint(m, &badge, at_station(station, DEPARTURE, POINTS + away), &pen);
}

/* Begins the part of a station, or of the line that begins there. */
static void open_station(const struct es__metro *m, int number, int owner, const char *kind,
                         const char *prefix)
{
    const struct word name = number_word(number), seat = number_word(owner);
    struct es__title title = {0};
    struct es_part part = es__part(kind, prefix, str(&name));
    station_title(m, number, owner, &title);
    part.data[0].name = "station";
    part.data[0].value = str(&name);
    part.data[1].name = owner ? "owner" : NULL;
    part.data[1].value = str(&seat);
    part.title = es__titled(&title);
    m->painter->begin_part(m->painter, &part);
}

static void station(const struct es__metro *m, int number)
{
    const int owner = m->blank ? 0 : es_station_owner(m->setup->players, number);
    const bool done = finished(m->shown, number);
    const struct es_spot label = at_station(number, 61, 41);
    open_station(m, number, owner, done ? "station finished" : "station", "station-");
    es__rectangle(
        m->painter, station_box(number, 3, 3, 81, ES__RIM - 2), 7,
        &(struct es_pen){.fill = es__mix(m->theme.paper, m->theme.face, 0.45), .stroke = ES_CLEAR});
    station_tracks(m, number);
    es__number(m->painter, number, (struct es_spot){label.x, label.y + 4.5}, ES_ALIGN_MIDDLE, 13,
               true, es__mix(m->theme.ink, m->theme.paper, 0.25));
    if (owner) {
        const struct es_spot inward = es__inward(es_station_side[number]);
        const struct es_spot aside = {inward.y, -inward.x};
        es__wagon(m, owner, at_station(number, DEPARTURE, WAGON), done ? aside : inward, 1);
    } else {
        empty_platform(m, number);
    }
    if (done)
        station_points(m, number, owner);
    m->painter->end_part(m->painter);
}

/* ---- Lit lines ------------------------------------------------------------------------------ */

/* Adds a line as one path from its wagon to its end, so that the page can animate along it; without
 * its first tiles, if `from` is not 0. Returns that end. */
static struct es_spot line_path(const struct es__metro *m, int station, int from)
{
    struct es_metro_step way[ES_METRO_STEPS_MAX];
    const int steps = es_metro_way(m->shown, station, way);
    const struct es_line line = es_board_line(&m->shown->board, station);
    const bool done = line.end >= ES_END_RIM;
    struct es_spot end = at_station(station, DEPARTURE, steps ? 0 : -14);
    if (from > 0) {
        m->painter->move(m->painter, es__way_in(es__square(way[from].square), way[from].in));
    } else {
        m->painter->move(m->painter, at_station(station, DEPARTURE, done ? 16 : 9));
        m->painter->line(m->painter, at_station(station, DEPARTURE, 0));
    }
    for (int i = from; i < steps; i++) {
        const struct es__frame frame = es__square(way[i].square);
        es__track(m->painter, frame, way[i].in, way[i].out);
        end = es__way_out(frame, way[i].out);
    }
    if (done) {
        double on = line.end == ES_END_RIM ? ARRIVAL - 2 : ES__CENTRE_STUB;
        end = es__ahead(end, es__inward(way[steps - 1].out), -on);
        m->painter->line(m->painter, end);
    }
    return end;
}

static void lit_line(const struct es__metro *m, int station)
{
    const struct es__theme *t = &m->theme;
    const int owner = m->blank ? 0 : es_station_owner(m->setup->players, station);
    const struct es_line line = es_board_line(&m->shown->board, station);
    const uint32_t colour = es__player_colour(m, owner);
    const struct es_pen pens[] = {
        {.fill = ES_CLEAR, .stroke = t->face, .width = 18, .butt = true},
        {.fill = ES_CLEAR, .stroke = t->ink, .width = 13.5, .butt = true},
        {.fill = ES_CLEAR, .stroke = colour, .width = 10, .butt = true},
        /* For themes without colours. */
        {.fill = ES_CLEAR, .stroke = t->ink, .width = 3, .dash = {9, 7}, .butt = true},
    };
    open_station(m, station, owner, "line lit", "line-");
    struct es_spot end = {0, 0};
    for (int i = 0; i < (m->draw->theme == ES_THEME_PRINT ? 4 : 3); i++) {
        end = line_path(m, station, 0);
        m->painter->paint(m->painter, &pens[i]);
    }
    struct badge badge;
    badge_make(&badge, 12, "", line.end < ES_END_RIM ? line.tiles : es_line_points(line));
    if (m->draw->lit == station)
        badge_paint(m, &badge, end,
                    &(struct es_pen){.fill = colour, .stroke = t->ink, .width = 1.8});
    m->painter->end_part(m->painter);
}

/* Returns how many tiles longer the plan makes a line. */
static int growth(const struct es__metro *m, int station)
{
    return es_board_line(&m->shown->board, station).tiles -
           es_board_line(&m->now->board, station).tiles;
}

/* Draws a line that the plan makes longer: thin as far as it goes now, bold where it would go on,
 * with the number of tiles at the place where it would end. */
static void longer_line(const struct es__metro *m, int station)
{
    const int owner = es_station_owner(m->setup->players, station);
    const uint32_t colour = es__player_colour(m, owner);
    const struct es_pen pens[] = {
        {.fill = ES_CLEAR, .stroke = colour, .width = 4, .butt = true},
        {.fill = ES_CLEAR, .stroke = m->theme.ink, .width = 11, .butt = true},
        {.fill = ES_CLEAR, .stroke = colour, .width = 8, .butt = true},
    };
    open_station(m, station, owner, "line longer", "line-");
    struct es_spot end = {0, 0};
    for (int i = 0; i < 3; i++) {
        end = line_path(m, station, i ? es_board_line(&m->now->board, station).tiles : 0);
        m->painter->paint(m->painter, &pens[i]);
    }
    struct badge badge;
    badge_make(&badge, 10, "+", growth(m, station));
    badge_paint(m, &badge, end,
                &(struct es_pen){.fill = colour, .stroke = m->theme.ink, .width = 1.4});
    m->painter->end_part(m->painter);
}

/* ---- The picture ---------------------------------------------------------------------------- */

static void rim(const struct es__metro *m)
{
    const uint32_t ground =
        es__mix(m->theme.paper, m->theme.ink, m->draw->theme == ES_THEME_PRINT ? 0 : 0.09);
    es__rectangle(
        m->painter, (struct es_box){ES__EDGE, ES__EDGE, ES__BOARD - ES__EDGE, ES__BOARD - ES__EDGE},
        14,
        &(struct es_pen){
            .fill = ground, .stroke = es__mix(m->theme.paper, m->theme.ink, 0.25), .width = 1});
    for (int i = 0; i < 8; i++) {
        const struct es__frame column = es__square(i);
        const double middle = column.left + ES__SQUARE / 2.0;
        const char letter = (char)('a' + i);
        for (int far = 0; far < 2; far++) {
            double away = far ? ES__BOARD - ES__EDGE / 2.0 : ES__EDGE / 2.0;
            es__text(m->painter, (struct es_str){&letter, 1}, (struct es_spot){middle, away + 4},
                     ES_ALIGN_MIDDLE, 11, false, m->theme.faint);
            es__number(m->painter, i + 1, (struct es_spot){away, middle + 4}, ES_ALIGN_MIDDLE, 11,
                       false, m->theme.faint);
        }
    }
}

static uint64_t legal_squares(const struct es_setup *setup, const struct es_state *state,
                              const struct es_draw *draw)
{
    es_event events[ES_LEGAL_MAX];
    uint64_t squares = 0;
    if (draw->viewer < 1 || draw->viewer > setup->players)
        return 0;
    if (draw->targets)
        return *draw->targets;
    size_t count = es_metro.legal(setup, state, draw->viewer, events);
    for (size_t i = 0; i < count; i++)
        if (ES_METRO_IS_LAY(events[i]))
            squares |= (uint64_t)1 << ES_METRO_LAY_SQUARE(events[i]);
    return squares;
}

static void draw_board(const struct es_setup *setup, const struct es_state *state,
                       const struct es_draw *draw, struct es_painter *painter)
{
    struct es__metro m = {
        .painter = painter,
        .setup = setup,
        .draw = draw,
        .now = es_metro_state(state),
        .shown = es_metro_state(draw->planned ? draw->planned : state),
        .before = draw->before ? es_metro_state(draw->before) : NULL,
        .theme = es__board_theme(draw->theme),
        .legal =
            draw->theme == ES_THEME_PRINT || draw->instead ? 0 : legal_squares(setup, state, draw),
        .blank = draw->bare && draw->theme == ES_THEME_PRINT && !es_metro_state(state)->board.laid,
    };
    find_fresh(&m);
    struct es__title title = {0};
    es__title_word(&title, draw, ES_SAY("board"));
    es__title_named(&title, draw, ES_SAY("tiles"), es_metro_laid(m.shown));
    painter->begin(painter, ES__BOARD + (draw->bare ? 0 : ES__PANEL), ES__BOARD, m.theme.paper,
                   es__titled(&title));
    rim(&m);
    for (int i = 1; i <= ES_METRO_STATIONS; i++)
        station(&m, i);
    es__metro_centre(&m);
    for (int i = 0; i < ES_SQUARES; i++)
        if (!is_in(ES_CENTRE, i))
            square(&m, i);
    for (int i = 1; i <= ES_METRO_STATIONS; i++)
        if (growth(&m, i) > 0 && !finished(m.shown, i) && draw->lit != i)
            longer_line(&m, i);
    for (int i = 1; i <= ES_METRO_STATIONS; i++)
        if (draw->lit == i || (finished(m.shown, i) && !finished(m.now, i)))
            lit_line(&m, i);
    if (draw->instead)
        es__metro_instead(&m);
    if (!draw->bare)
        es__metro_panel(&m);
    painter->end(painter);
}

/* ---- What the machinery asks ---------------------------------------------------------------- */

/* Only laying a tile counts as a move: drawing one changes nothing on the board. */
static bool is_lay(es_event event)
{
    return ES_METRO_IS_LAY(event);
}

static size_t before_latest(const struct es_setup *setup, const es_event *events, size_t count,
                            int viewer)
{
    (void)setup;
    return es__before_moves(events, count, viewer, is_lay);
}

/* Pieces: a tile with its quarter turns, `aacb` or `aacb/1`; ? for a tile's back; a player's wagon,
 * `wagon-3`.
 */
static bool draw_piece(struct es_str name, const struct es_draw *draw, struct es_painter *painter)
{
    uint8_t tile;
    unsigned player;
    int turns;
    struct es_str number = {name.at + 6, name.size - 6};
    if (name.size > 6 && memcmp(name.at, "wagon-", 6) == 0) {
        if (es_str_number(number, ES_PLAYERS_MAX, &player) || player == 0)
            return false;
        es_metro_draw_wagon((int)player, draw, painter);
        return true;
    }
    if (!es__metro_tile_piece(name, &tile, &turns))
        return false;
    es_metro_draw_tile(tile < ES_TILE_KINDS ? es_tile_turned[tile][turns] : tile, draw, painter);
    return true;
}

/* A line is named by the number of its station. */
static int line_named(const struct es_setup *setup, struct es_str name)
{
    unsigned station;
    (void)setup;
    return es_str_number(name, ES_METRO_STATIONS, &station) ? 0 : (int)station;
}

const struct es_picture es__metro_picture = {
    .draw = draw_board,
    .before_latest = before_latest,
    .piece = draw_piece,
    .line_named = line_named,
};
