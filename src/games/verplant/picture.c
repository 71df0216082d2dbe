/* Draws one player's sheet: lines, stations, marks, wagons. picture_values.c draws the table beside
 * the map.
 */
#include "games/verplant/picture.h"

uint32_t es__sheet_colour(const struct es__sheet *p, int l)
{
    return es__bright(p->draw->theme, p->map->line[l].colour);
}

uint32_t es__sheet_rim(const struct es__sheet *p, int l)
{
    return es__rim(p->draw->theme, p->map->line[l].colour);
}

/* Returns the opacity of a line: less while another one is highlighted. */
static double faded(const struct es__sheet *p, int l)
{
    return p->draw->lit && p->draw->lit != l + 1 ? 0.3 : 0;
}

struct es_str es__sheet_letter(const struct es__sheet *p, int l)
{
    return (struct es_str){&p->map->line[l].letter, 1};
}

void es__sheet_open(const struct es__sheet *p, int l, const char *kind, const char *prefix,
                    const struct es__title *title)
{
    struct es_part part = es__part(kind, prefix, es__sheet_letter(p, l));
    part.data[0].name = "line";
    part.data[0].value = es__sheet_letter(p, l);
    part.title = es__titled(title);
    p->painter->begin_part(p->painter, &part);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

void es__sheet_pattern(const struct es__sheet *p, int l, struct es_pen *pen)
{
    static const double dashes[][4] = {
        {0, 0, 0, 0},   {9, 7, 9, 7},   {0.1, 7, 0.1, 7},     {14, 5, 0.1, 5}, {3, 4, 3, 4},
        {20, 6, 20, 6}, {6, 4, 0.1, 4}, {0.1, 3.6, 0.1, 3.6}, {22, 5, 4, 5},   {3, 11, 3, 11},
    };
    const double *dash = dashes[l % (int)(sizeof dashes / sizeof dashes[0])];
    *pen = (struct es_pen){.fill = ES_CLEAR, .stroke = p->theme.paper, .width = 2.4};
    for (int i = 0; i < 4; i++)
        pen->dash[i] = dash[i];
    if (dash[0] == 0)
        pen->stroke = ES_CLEAR;
}

static bool is_shared(const struct es__sheet *p, const struct es_layout_point *point)
{
    return point->station >= 0 && es_map_calls(p->map, point->station) > 1;
}

/* Adds a line's path like es_layout_trace, but leaves out the parts near stations it shares with
 * others: there lines come close to each other at all angles, and an edge around one would cut off
 * the others. */
static void trace_between_stations(const struct es__sheet *p, int l)
{
    const double near = 27;
    const struct es_layout_line *line = &p->lay->line[l];
    const struct es_layout_point *point = &p->lay->point[line->first];
    bool ring = p->map->line[l].ring;
    int first = 0, last = line->points - 1; /* of the current piece */
    struct es_spot from = point[0].at;
    for (int i = 0; i <= last; i++) {
        if (!is_shared(p, &point[i]))
            continue;
        if (i > 0)
            es__trace_between(p->painter, from, &point[first + 1], i - first - 1,
                              es__towards(point[i].at, point[i - 1].at, near));
        while (i < last &&
               point[i + 1].station == point[i].station) /* the line changes lanes here */
            i++;
        first = i;
        from = i < last ? es__towards(point[i].at, point[i + 1].at, near) : point[i].at;
    }
    if (first < last)
        es__trace_between(p->painter, from, &point[first + 1], last - first - 1, point[last].at);
    if (ring) {
        bool a = is_shared(p, &point[last]), b = is_shared(p, &point[0]);
        es__trace_between(p->painter,
                          a ? es__towards(point[last].at, point[0].at, near) : point[last].at, NULL,
                          0, b ? es__towards(point[0].at, point[last].at, near) : point[0].at);
    }
}

/* Paints a line from its wagon to the bar at its end. */
static void paint_track(const struct es__sheet *p, int l, const struct es_pen *pen)
{
    const struct es_layout_line *line = &p->lay->line[l];
    es_layout_trace(p->map, p->lay, l, p->painter);
    if (!p->map->line[l].ring && !line->bar_inside) {
        struct es_spot bar = {(line->bar[0].x + line->bar[1].x) / 2,
                              (line->bar[0].y + line->bar[1].y) / 2};
        p->painter->move(p->painter, line->end);
        p->painter->line(p->painter,
                         es__towards(bar, line->end, 1.5)); /* its round end is longer */
    }
    p->painter->paint(p->painter, pen);
}

static void draw_line(const struct es__sheet *p, int l)
{
    struct es_painter *painter = p->painter;
    const struct es_layout_line *line = &p->lay->line[l];
    const struct es_map_line *facts = &p->map->line[l];
    struct es__title title = {0};
    es__title_called(&title, p->draw, facts->ring ? ES_SAY("ring line") : ES_SAY("line"),
                     es__sheet_letter(p, l));
    struct es_pen edge = {.fill = ES_CLEAR,
                          .stroke = p->theme.paper,
                          .width = 2 * ES_TRACK_PITCH - ES_TRACK_WIDE,
                          .butt = true};
    struct es_pen ink = {.fill = ES_CLEAR,
                         .stroke = es__sheet_colour(p, l),
                         .width = ES_TRACK_WIDE,
                         .opacity = faded(p, l)};
    es__sheet_open(p, l, p->draw->lit == l + 1 ? "line lit" : "line", "line-", &title);
    trace_between_stations(p, l);
    painter->paint(painter, &edge);
    const struct es_pen rim = {.fill = ES_CLEAR,
                               .stroke = es__sheet_rim(p, l),
                               .width = ES_TRACK_WIDE + 2 * ES__SHEET_RIM,
                               .opacity = faded(p, l)};
    if (rim.stroke != ES_CLEAR)
        paint_track(p, l, &rim);
    paint_track(p, l, &ink);
    if (p->patterns) {
        struct es_pen inlay;
        es__sheet_pattern(p, l, &inlay);
        inlay.opacity = faded(p, l);
        if (inlay.stroke != ES_CLEAR) {
            es_layout_trace(p->map, p->lay, l, painter);
            painter->paint(painter, &inlay);
        }
    }
    if (!facts->ring && !line->bar_inside) {
        ink.width = ES_BAR_WIDE;
        es__segment(painter, line->bar[0], line->bar[1], &ink);
    }
    painter->end_part(painter);
}

/* Draws the bars of lines that end on a station where other lines continue. */
static void draw_inner_bars(const struct es__sheet *p)
{
    p->painter->begin_part(p->painter, &(struct es_part){.kind = "bars"});
    for (int l = 0; l < p->map->lines; l++) {
        const struct es_layout_line *line = &p->lay->line[l];
        if (!p->map->line[l].ring && line->bar_inside)
            es__segment(
                p->painter, line->bar[0], line->bar[1],
                &(struct es_pen){.fill = ES_CLEAR,
                                 .stroke = es__legible(es__sheet_colour(p, l), p->theme.face, 3),
                                 .width = 3.2,
                                 .opacity = faded(p, l)});
    }
    p->painter->end_part(p->painter);
}

/* ---- Stations ------------------------------------------------------------------------------- */

/* Draws the shape of a station: a disc, a capsule, or a rounded polygon. */
static void draw_shape(const struct es__sheet *p, const struct es_layout_station *s, double radius,
                       uint32_t colour)
{
    struct es_painter *painter = p->painter;
    if (s->corners == 1) {
        painter->circle(painter, s->centre, radius,
                        &(struct es_pen){.fill = colour, .stroke = ES_CLEAR});
        return;
    }
    painter->move(painter, s->corner[0]);
    for (int i = 1; i < s->corners; i++)
        painter->line(painter, s->corner[i]);
    if (s->corners > 2)
        painter->close_path(painter);
    painter->paint(painter, &(struct es_pen){.fill = s->corners > 2 ? colour : ES_CLEAR,
                                             .stroke = colour,
                                             .width = 2 * radius});
}

/* Draws the rays around a special station. */
static void draw_star(const struct es__sheet *p, const struct es_layout_station *s)
{
    static const double ray[12][2] = {{1, 0},         {0.866, 0.5},  {0.5, 0.866},  {0, 1},
                                      {-0.5, 0.866},  {-0.866, 0.5}, {-1, 0},       {-0.866, -0.5},
                                      {-0.5, -0.866}, {0, -1},       {0.5, -0.866}, {0.866, -0.5}};
    struct es_painter *painter = p->painter;
    for (int i = 0; i < 12; i++) {
        /* From the corner of the shape that is farthest in that direction. */
        struct es_spot from = s->corner[0];
        for (int j = 1; j < s->corners; j++)
            if ((s->corner[j].x - from.x) * ray[i][0] + (s->corner[j].y - from.y) * ray[i][1] > 0)
                from = s->corner[j];
        double in = s->radius - 1, out = s->reach - 1.2;
        painter->move(painter, (struct es_spot){from.x + ray[i][0] * in, from.y + ray[i][1] * in});
        painter->line(painter,
                      (struct es_spot){from.x + ray[i][0] * out, from.y + ray[i][1] * out});
    }
    painter->paint(painter,
                   &(struct es_pen){.fill = ES_CLEAR, .stroke = p->theme.ink, .width = 2.4});
}

/* Returns true if the station was marked since draw->before. */
static bool is_fresh(const struct es__sheet *p, int station)
{
    return p->before && es_sheet_marked(&p->now->sheet[p->player], station) &&
           !es_sheet_marked(&p->before->sheet[p->player], station);
}

/* Returns true if the planned entry marks the station. */
static bool is_planned(const struct es__sheet *p, int station)
{
    return p->planned && !es_sheet_marked(&p->now->sheet[p->player], station) &&
           es_sheet_marked(&p->planned->sheet[p->player], station);
}

static void draw_mark(const struct es__sheet *p, int station)
{
    const struct es_layout_station *s = &p->lay->station[station];
    const struct es_sheet *sheet = &p->now->sheet[p->player];
    bool made = es_sheet_marked(sheet, station);
    bool planned = is_planned(p, station);
    bool fresh = is_fresh(p, station);
    if (!made && !planned)
        return;
    const struct es_verplant_state *from = planned ? p->planned : p->now;
    bool framed = es_verplant_framed(&from->detail[p->player], station);
    /* A planned mark is light on a filled station: seen at the size of a phone. */
    uint32_t colour = planned ? p->theme.face : fresh ? p->theme.fresh : p->theme.pencil;
    struct es_part part = {.kind = planned ? "mark planned" : fresh ? "mark fresh" : "mark"};
    p->painter->begin_part(p->painter, &part);
    if (framed)
        es__handwrite_number(p->painter, s->centre, 8.6, (unsigned)station + 7,
                             es_map_calls(p->map, station), true, colour);
    else
        es__handwrite_cross(p->painter, s->centre, 11.5, (unsigned)station, colour);
    p->painter->end_part(p->painter);
}

static void station_title(const struct es__sheet *p, int station, struct es_str lines,
                          struct es__title *title)
{
    const struct es_map_station *facts = &p->map->station[station];
    const struct es_sheet *sheet = &p->now->sheet[p->player];
    es__title_text(title, es_str(facts->name[0] ? facts->name : facts->id));
    if (facts->special)
        es__title_word(title, p->draw, ES_SAY("special station"));
    es__title_word(title, p->draw, lines.size > 1 ? ES_SAY("lines") : ES_SAY("line"));
    for (size_t i = 0; i < lines.size; i++) {
        es_out_char(&title->out, ' ');
        es_out_char(&title->out, lines.at[i]);
    }
    if (!es_sheet_marked(sheet, station)) {
        es__title_word(title, p->draw, ES_SAY("empty"));
        if (p->draw->instead)
            es__sheet_title_station(p, station, title);
        else if (is_planned(p, station))
            es__title_word(title, p->draw, ES_SAY("planned"));
    } else if (es_verplant_framed(&p->now->detail[p->player], station)) {
        es__title_named(title, p->draw, ES_SAY("transfer"), es_map_calls(p->map, station));
    } else {
        es__title_word(title, p->draw, ES_SAY("crossed"));
    }
    if (is_fresh(p, station))
        es__title_word(title, p->draw, ES_SAY("new"));
}

static void draw_station(const struct es__sheet *p, int station)
{
    const struct es_layout_station *s = &p->lay->station[station];
    struct es_str id = es_str(p->map->station[station].id);
    struct es_part part =
        es__part(es_map_special(p->map, station) ? "station special" : "station", "station-", id);
    struct es__title title = {0};
    char letters[ES_LINES_MAX];
    struct es_out out = {letters, sizeof letters, 0};
    for (int l = 0; l < p->map->lines; l++)
        if (es_map_stops(p->map, l, station))
            es_out_char(&out, p->map->line[l].letter);
    struct es_str lines = {letters, out.used};
    station_title(p, station, lines, &title);
    part.data[0].name = "station";
    part.data[0].value = id;
    part.data[1].name = "lines";
    part.data[1].value = lines;
    part.title = es__titled(&title);
    p->painter->begin_part(p->painter, &part);
    if (es_map_special(p->map, station))
        draw_star(p, s);
    if (is_planned(p, station)) {
        draw_shape(p, s, s->radius + 1.5, p->theme.planned);
    } else {
        draw_shape(p, s, s->radius, p->theme.ink);
        draw_shape(p, s, s->radius - 1.7, p->theme.face);
    }
    draw_mark(p, station);
    p->painter->end_part(p->painter);
}

static void draw_names(const struct es__sheet *p)
{
    p->painter->begin_part(p->painter, &(struct es_part){.kind = "names"});
    for (int s = 0; s < p->map->stations; s++) {
        const struct es_name_label *label = &p->lay->station[s].label;
        for (int i = 0; i < label->lines; i++)
            es__text(p->painter, label->text[i], label->at[i], label->align, ES_LABEL_SIZE, false,
                     p->theme.ink);
    }
    p->painter->end_part(p->painter);
}

/* ---- Wagons --------------------------------------------------------------------------------- */

void es__sheet_disc(const struct es__sheet *p, struct es_spot at, double radius, int l)
{
    uint32_t disc = p->draw->theme == ES_THEME_DARK ? p->theme.ink : 0xffffff;
    p->painter->circle(p->painter, at, radius, &(struct es_pen){.fill = disc, .stroke = ES_CLEAR});
    es__text(p->painter, es__sheet_letter(p, l), (struct es_spot){at.x, at.y + radius * 0.55},
             ES_ALIGN_MIDDLE, radius * 1.55, true, es__legible(p->map->line[l].colour, disc, 6));
}

/* Draws two arrows, one for each direction of a ring. */
static void draw_arrows(const struct es__sheet *p, struct es_spot at)
{
    struct es_painter *painter = p->painter;
    const struct es_pen pen = {.fill = ES_CLEAR, .stroke = p->theme.face, .width = 1.7};
    for (int way = -1; way <= 1; way += 2) {
        double y = at.y + way * 3.6;
        painter->move(painter, (struct es_spot){at.x - way * 5.5, y});
        painter->line(painter, (struct es_spot){at.x + way * 5.5, y});
        painter->move(painter, (struct es_spot){at.x + way * 2.6, y - 2.6});
        painter->line(painter, (struct es_spot){at.x + way * 5.5, y});
        painter->line(painter, (struct es_spot){at.x + way * 2.6, y + 2.6});
    }
    painter->paint(painter, &pen);
}

static void draw_windows(const struct es__sheet *p, int l, double left, double middle)
{
    enum { SIDE = ES_WAGON_WINDOW - 2 };
    const struct es_map_line *facts = &p->map->line[l];
    int written = facts->windows - es_sheet_free(&p->now->sheet[p->player], l), planned = written;
    int old = written;
    if (p->planned)
        planned = facts->windows - es_sheet_free(&p->planned->sheet[p->player], l);
    if (p->before)
        old = facts->windows - es_sheet_free(&p->before->sheet[p->player], l);
    for (int w = 0; w < facts->windows; w++) {
        struct es_box box = {left + w * ES_WAGON_WINDOW, middle - SIDE / 2.0,
                             left + w * ES_WAGON_WINDOW + SIDE, middle + SIDE / 2.0};
        es__rectangle(p->painter, box, 2.5,
                      &(struct es_pen){.fill = p->theme.face, .stroke = ES_CLEAR});
        if (p->draw->instead)
            es__sheet_instead_window(p, l, w, box);
        if (w >= planned)
            continue;
        bool made = w < written;
        const struct es_verplant_state *from = made ? p->now : p->planned;
        int card = es_verplant_written(p->map, &from->detail[p->player], l, w);
        uint32_t colour = !made ? p->theme.planned : w >= old ? p->theme.fresh : p->theme.pencil;
        es__handwrite_card(p->painter, (struct es_spot){(box.left + box.right) / 2, middle}, 10,
                           (unsigned)(l * 8 + w), card, colour);
    }
}

static void draw_wagon(const struct es__sheet *p, int l)
{
    struct es_painter *painter = p->painter;
    const struct es_layout_line *line = &p->lay->line[l];
    const struct es_map_line *facts = &p->map->line[l];
    struct es_box box = line->wagon;
    double middle = (box.top + box.bottom) / 2;
    bool to_the_right = line->nose.x >= (box.left + box.right) / 2;
    struct es__title title = {0};
    int free = es_sheet_free(&p->now->sheet[p->player], l);
    es__title_called(&title, p->draw, ES_SAY("train"), es__sheet_letter(p, l));
    for (int w = 0; w < facts->windows - free; w++) {
        es_out_text(&title.out, w == 0 ? ", " : " ");
        es_verplant_card_write(es_verplant_written(p->map, &p->now->detail[p->player], l, w),
                               &title.out);
    }
    es__title_named(&title, p->draw, ES_SAY("free windows"), free);
    if (p->draw->instead)
        es__sheet_title_wagon(p, l, &title);
    es__sheet_open(p, l, "wagon", "wagon-", &title);
    const struct es_pen wheel = {.fill = p->theme.ink, .stroke = ES_CLEAR};
    painter->circle(painter, (struct es_spot){box.left + 7, box.bottom}, 2.6, &wheel);
    painter->circle(painter, (struct es_spot){box.right - 7, box.bottom}, 2.6, &wheel);
    uint32_t rim = es__sheet_rim(p, l);
    es__rectangle(painter, box, 5,
                  &(struct es_pen){.fill = es__sheet_colour(p, l),
                                   .stroke = rim == ES_CLEAR ? p->theme.paper : rim,
                                   .width = 1});
    /* The letter is at the rear, the windows towards the nose. */
    const double half = ES_WAGON_LETTER / 2.0;
    double letter = to_the_right ? box.left + half : box.right - half;
    double left = to_the_right ? box.left + ES_WAGON_LETTER - 1 : box.left + 3;
    if (facts->ring) {
        double arrows = ES_WAGON_LETTER + ES_WAGON_ARROWS / 2.0 - 1;
        draw_arrows(
            p, (struct es_spot){to_the_right ? box.left + arrows : box.right - arrows, middle});
        left += to_the_right ? ES_WAGON_ARROWS : 0;
    }
    es__sheet_disc(p, (struct es_spot){letter, middle}, 8, l);
    draw_windows(p, l, left, middle);
    painter->end_part(painter);
}

static void draw_sheet(const struct es_setup *setup, const struct es_state *state,
                       const struct es_draw *draw, struct es_painter *painter)
{
    struct es__sheet p = {
        .setup = setup,
        .map = setup->map,
        .lay = draw->prepared,
        .draw = draw,
        .painter = painter,
        .theme = es__theme(draw->theme, setup->map->paper),
        .patterns = draw->patterns || draw->theme == ES_THEME_PRINT,
        .player = draw->viewer > 0 && draw->viewer <= setup->players ? draw->viewer - 1 : 0,
        .now = es_verplant_state(state),
        .before = draw->before ? es_verplant_state(draw->before) : NULL,
        .planned = draw->planned ? es_verplant_state(draw->planned) : NULL,
        .state = state,
    };
    struct es__title title = {0};
    es__title_text(&title, es_str(setup->map->title));
    if (setup->players > 1)
        es__title_player(&title, draw, p.player + 1);
    painter->begin(painter, draw->bare ? ES_MAP_WIDE : ES_SHEET_WIDE, ES_SHEET_HIGH, p.theme.paper,
                   es__titled(&title));
    for (int l = 0; l < p.map->lines; l++)
        draw_line(&p, l);
    for (int s = 0; s < p.map->stations; s++)
        draw_station(&p, s);
    draw_inner_bars(&p);
    if (draw->instead)
        es__sheet_instead(&p);
    if (!draw->no_names)
        draw_names(&p);
    for (int l = 0; l < p.map->lines; l++)
        draw_wagon(&p, l);
    if (!draw->bare)
        es__sheet_values(&p);
    painter->end(painter);
}

/* ---- What the machinery asks ---------------------------------------------------------------- */

_Static_assert(sizeof(struct es_layout) <= ES_PREPARED_BYTES, "layout too large");

static void prepare(const struct es_setup *setup, void *prepared)
{
    es_layout(setup->map, false, prepared); /* without its names a sheet has the same layout */
}

/* The latest round as a whole is fresh. */
static size_t before_latest(const struct es_setup *setup, const es_event *events, size_t count,
                            int viewer)
{
    (void)setup;
    (void)viewer;
    while (count > 0 && ES_EVENT_WHO(events[count - 1]) == ES_CHANCE)
        count--;
    while (count > 0 && ES_EVENT_WHO(events[count - 1]) != ES_CHANCE)
        count--;
    return count;
}

/* Pieces: a card as in records; "back" for a card's back. */
static bool draw_piece(struct es_str name, const struct es_draw *draw, struct es_painter *painter)
{
    uint8_t card = ES_CARD_NONE;
    if (!es_str_is(name, "back") && es_verplant_card_read(name, &card))
        return false;
    es_verplant_draw_card(card, draw, painter);
    return true;
}

static int line_named(const struct es_setup *setup, struct es_str name)
{
    char letter = name.size == 1 ? name.at[0] : '\0';
    if (letter >= 'a' && letter <= 'z')
        letter = (char)(letter - 'a' + 'A');
    return es_map_line_named(setup->map, letter) + 1;
}

const struct es_picture es__verplant_picture = {
    .bytes = sizeof(struct es_layout),
    .prepare = prepare,
    .sheets = true,
    .draw = draw_sheet,
    .before_latest = before_latest,
    .piece = draw_piece,
    .line_named = line_named,
};
