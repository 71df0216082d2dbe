/* The picture of one player's sheet: map, wagons, marks, table of values, sum. */
#include "draw.h"
#include <endstation/verplant.h>

/* Everything that the parts of the picture need. */
struct sheet_picture {
    const struct es_setup *setup;
    const struct es_map *map;
    const struct es_layout *lay;
    const struct es_draw *draw;
    struct es_painter *painter;
    struct es__theme theme;
    bool patterns;
    int player; /* from 0 */
    const struct es_verplant_state *now, *before, *planned;
    const struct es_state *state;
};

static uint32_t line_colour(const struct sheet_picture *p, int l)
{
    return es__bright(p->draw->theme, p->map->line[l].colour);
}

#define RIM 0.7 /* how wide it is */
static uint32_t rim_colour(const struct sheet_picture *p, int l)
{
    return es__rim(p->draw->theme, p->map->line[l].colour);
}

static struct es_str letter_of(const struct sheet_picture *p, int l)
{
    return (struct es_str){&p->map->line[l].letter, 1};
}

/* A part that belongs to a line. */
static void open_of_line(const struct sheet_picture *p, int l, const char *kind, const char *prefix,
                         const struct es__title *title)
{
    struct es_part part = es__part(kind, prefix, letter_of(p, l));
    part.data[0].name = "line";
    part.data[0].value = letter_of(p, l);
    part.title = es__titled(title);
    p->painter->open(p->painter, &part);
}

/* ---- Lines --------------------------------------------------------------------------------- */

/* What tells lines apart without colours: dashes along the middle. */
static void pattern(const struct sheet_picture *p, int l, struct es_pen *pen)
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

/* A line from its wagon to the bar at its end. */
static void paint_track(const struct sheet_picture *p, int l, const struct es_pen *pen)
{
    const struct es_layout_line *line = &p->lay->line[l];
    es_layout_trace(p->map, p->lay, l, p->painter);
    if (!p->map->line[l].ring) {
        p->painter->move(p->painter, line->end);
        p->painter->line(p->painter, (struct es_spot){(line->bar[0].x + line->bar[1].x) / 2,
                                                      (line->bar[0].y + line->bar[1].y) / 2});
    }
    p->painter->paint(p->painter, pen);
}

static void draw_line(const struct sheet_picture *p, int l)
{
    struct es_painter *painter = p->painter;
    const struct es_layout_line *line = &p->lay->line[l];
    const struct es_map_line *facts = &p->map->line[l];
    struct es__title title = {0};
    es__title_called(&title, p->draw, facts->ring ? ES_SAY_RING : ES_SAY_LINE, letter_of(p, l));
    double faded = p->draw->lit && p->draw->lit != l + 1 ? 0.3 : 0;
    struct es_pen edge = {
        .fill = ES_CLEAR, .stroke = p->theme.paper, .width = 2 * ES_TRACK_PITCH - ES_TRACK_WIDE};
    struct es_pen ink = {
        .fill = ES_CLEAR, .stroke = line_colour(p, l), .width = ES_TRACK_WIDE, .opacity = faded};
    open_of_line(p, l, p->draw->lit == l + 1 ? "line lit" : "line", "line-", &title);
    es_layout_trace(p->map, p->lay, l, painter);
    painter->paint(painter, &edge);
    const struct es_pen rim = {.fill = ES_CLEAR,
                               .stroke = rim_colour(p, l),
                               .width = ES_TRACK_WIDE + 2 * RIM,
                               .opacity = faded};
    if (rim.stroke != ES_CLEAR)
        paint_track(p, l, &rim);
    paint_track(p, l, &ink);
    if (p->patterns) {
        struct es_pen inlay;
        pattern(p, l, &inlay);
        inlay.opacity = faded;
        if (inlay.stroke != ES_CLEAR) {
            es_layout_trace(p->map, p->lay, l, painter);
            painter->paint(painter, &inlay);
        }
    }
    if (!facts->ring) {
        ink.width = ES_BAR_WIDE;
        es__segment(painter, line->bar[0], line->bar[1], &ink);
    }
    painter->close(painter);
}

/* ---- Stations ------------------------------------------------------------------------------ */

/* The outline of a station: a disc, a capsule, or a rounded polygon. */
static void draw_shape(const struct sheet_picture *p, const struct es_layout_station *s,
                       double radius, uint32_t colour)
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
        painter->shut(painter);
    painter->paint(painter, &(struct es_pen){.fill = s->corners > 2 ? colour : ES_CLEAR,
                                             .stroke = colour,
                                             .width = 2 * radius});
}

/* Rays around a special station. */
static void draw_star(const struct sheet_picture *p, const struct es_layout_station *s)
{
    static const double ray[12][2] = {{1, 0},         {0.866, 0.5},  {0.5, 0.866},  {0, 1},
                                      {-0.5, 0.866},  {-0.866, 0.5}, {-1, 0},       {-0.866, -0.5},
                                      {-0.5, -0.866}, {0, -1},       {0.5, -0.866}, {0.866, -0.5}};
    struct es_painter *painter = p->painter;
    for (int i = 0; i < 12; i++) {
        /* From the corner of the shape that lies farthest that way. */
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

/* Marked since the state before. */
static bool is_fresh(const struct sheet_picture *p, int station)
{
    return p->before && es_sheet_marked(&p->now->sheet[p->player], station) &&
           !es_sheet_marked(&p->before->sheet[p->player], station);
}

static void draw_mark(const struct sheet_picture *p, int station)
{
    const struct es_layout_station *s = &p->lay->station[station];
    const struct es_sheet *sheet = &p->now->sheet[p->player];
    bool made = es_sheet_marked(sheet, station);
    bool planned = !made && p->planned && es_sheet_marked(&p->planned->sheet[p->player], station);
    bool fresh = is_fresh(p, station);
    if (!made && !planned)
        return;
    const struct es_verplant_state *from = planned ? p->planned : p->now;
    bool framed = es_verplant_framed(&from->paper[p->player], station);
    uint32_t colour = planned ? p->theme.planned : fresh ? p->theme.fresh : p->theme.pencil;
    struct es_part part = {.kind = planned ? "mark planned" : fresh ? "mark fresh" : "mark"};
    p->painter->open(p->painter, &part);
    if (framed)
        es__hand_number(p->painter, s->centre, 8.6, (unsigned)station + 7,
                        es_map_calls(p->map, station), true, colour);
    else
        es__hand_cross(p->painter, s->centre, 11.5, (unsigned)station, colour);
    p->painter->close(p->painter);
}

static void station_title(const struct sheet_picture *p, int station, struct es_str lines,
                          struct es__title *title)
{
    const struct es_map_station *facts = &p->map->station[station];
    const struct es_sheet *sheet = &p->now->sheet[p->player];
    es__title_text(title, es_str(facts->name[0] ? facts->name : facts->id));
    if (facts->special)
        es__title_word(title, p->draw, ES_SAY_SPECIAL);
    es__title_word(title, p->draw, lines.size > 1 ? ES_SAY_LINES : ES_SAY_LINE);
    for (size_t i = 0; i < lines.size; i++) {
        es_out_char(&title->out, ' ');
        es_out_char(&title->out, lines.at[i]);
    }
    if (!es_sheet_marked(sheet, station)) {
        es__title_word(title, p->draw, ES_SAY_EMPTY);
        if (p->planned && es_sheet_marked(&p->planned->sheet[p->player], station))
            es__title_word(title, p->draw, ES_SAY_PLANNED);
    } else if (es_verplant_framed(&p->now->paper[p->player], station)) {
        es__title_named(title, p->draw, ES_SAY_TRANSFER, es_map_calls(p->map, station));
    } else {
        es__title_word(title, p->draw, ES_SAY_CROSSED);
    }
    if (is_fresh(p, station))
        es__title_word(title, p->draw, ES_SAY_FRESH);
}

static void draw_station(const struct sheet_picture *p, int station)
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
    p->painter->open(p->painter, &part);
    if (es_map_special(p->map, station))
        draw_star(p, s);
    draw_shape(p, s, s->radius, p->theme.ink);
    draw_shape(p, s, s->radius - 1.7, p->theme.face);
    draw_mark(p, station);
    p->painter->close(p->painter);
}

static void draw_names(const struct sheet_picture *p)
{
    p->painter->open(p->painter, &(struct es_part){.kind = "names"});
    for (int s = 0; s < p->map->stations; s++) {
        const struct es_label *label = &p->lay->station[s].label;
        for (int i = 0; i < label->lines; i++)
            es__text(p->painter, label->text[i], label->at[i], label->align, ES_LABEL_SIZE, false,
                     p->theme.ink);
    }
    p->painter->close(p->painter);
}

/* ---- Wagons -------------------------------------------------------------------------------- */

/* The line's letter in a light disc, in its colour as far as that can be read. */
static void draw_letter(const struct sheet_picture *p, struct es_spot at, double radius, int l)
{
    uint32_t disc = p->draw->theme == ES_THEME_DARK ? p->theme.ink : 0xffffff;
    p->painter->circle(p->painter, at, radius, &(struct es_pen){.fill = disc, .stroke = ES_CLEAR});
    es__text(p->painter, letter_of(p, l), (struct es_spot){at.x, at.y + radius * 0.55},
             ES_ALIGN_MIDDLE, radius * 1.55, true, es__legible(p->map->line[l].colour, disc, 6));
}

/* Two arrows, one for each way round. */
static void draw_arrows(const struct sheet_picture *p, struct es_spot at)
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

static void draw_windows(const struct sheet_picture *p, int l, double left, double middle)
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
        if (w >= planned)
            continue;
        bool made = w < written;
        const struct es_verplant_state *from = made ? p->now : p->planned;
        int card = es_verplant_written(p->map, &from->paper[p->player], l, w);
        uint32_t colour = !made ? p->theme.planned : w >= old ? p->theme.fresh : p->theme.pencil;
        es__hand_card(p->painter, (struct es_spot){(box.left + box.right) / 2, middle}, 10,
                      (unsigned)(l * 8 + w), card, colour);
    }
}

static void draw_wagon(const struct sheet_picture *p, int l)
{
    struct es_painter *painter = p->painter;
    const struct es_layout_line *line = &p->lay->line[l];
    const struct es_map_line *facts = &p->map->line[l];
    struct es_box box = line->wagon;
    double middle = (box.top + box.bottom) / 2;
    bool to_the_right = line->nose.x >= (box.left + box.right) / 2;
    struct es__title title = {0};
    int free = es_sheet_free(&p->now->sheet[p->player], l);
    es__title_called(&title, p->draw, ES_SAY_WAGON, letter_of(p, l));
    for (int w = 0; w < facts->windows - free; w++) {
        es_out_text(&title.out, w == 0 ? ", " : " ");
        es_verplant_card_write(es_verplant_written(p->map, &p->now->paper[p->player], l, w),
                               &title.out);
    }
    es__title_named(&title, p->draw, ES_SAY_WINDOWS, free);
    open_of_line(p, l, "wagon", "wagon-", &title);
    const struct es_pen wheel = {.fill = p->theme.ink, .stroke = ES_CLEAR};
    painter->circle(painter, (struct es_spot){box.left + 7, box.bottom}, 2.6, &wheel);
    painter->circle(painter, (struct es_spot){box.right - 7, box.bottom}, 2.6, &wheel);
    uint32_t rim = rim_colour(p, l);
    es__rectangle(painter, box, 5,
                  &(struct es_pen){.fill = line_colour(p, l),
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
    draw_letter(p, (struct es_spot){letter, middle}, 8, l);
    draw_windows(p, l, left, middle);
    painter->close(painter);
}

/* ---- The table of values and the sum ------------------------------------------------------- */

enum { TABLE_LEFT = ES_MAP_WIDE + 14, TABLE_RIGHT = ES_SHEET_WIDE - 14 };

static void draw_diamond(const struct sheet_picture *p, struct es_spot at, double half,
                         const struct es_pen *pen)
{
    struct es_painter *painter = p->painter;
    painter->move(painter, (struct es_spot){at.x, at.y - half});
    painter->line(painter, (struct es_spot){at.x + half, at.y});
    painter->line(painter, (struct es_spot){at.x, at.y + half});
    painter->line(painter, (struct es_spot){at.x - half, at.y});
    painter->shut(painter);
    painter->paint(painter, pen);
}

static void draw_square(const struct sheet_picture *p, struct es_spot at, double half,
                        const struct es_pen *pen)
{
    es__rectangle(p->painter, (struct es_box){at.x - half, at.y - half, at.x + half, at.y + half},
                  2, pen);
}

static void draw_value(const struct sheet_picture *p, int l, double y, double scale)
{
    struct es_painter *painter = p->painter;
    const struct es_map_line *facts = &p->map->line[l];
    const struct es_sheet *sheet = &p->now->sheet[p->player];
    bool won = sheet->scored >> l & 1, first = p->now->paper[p->player].first >> l & 1;
    bool lost = p->now->claimed >> l & 1 && !(won && first);
    struct es__title title = {0};
    es__title_called(&title, p->draw, ES_SAY_LINE, letter_of(p, l));
    es__title_named(&title, p->draw, ES_SAY_FIRST, facts->first);
    if (lost)
        es__title_word(&title, p->draw, ES_SAY_LOST);
    es__title_named(&title, p->draw, ES_SAY_LATER, facts->later);
    if (won)
        es__title_named(&title, p->draw, ES_SAY_WON,
                        es_verplant_won(p->map, &p->now->paper[p->player], l));
    open_of_line(p, l, won ? "value won" : "value", "value-", &title);

    uint32_t colour = line_colour(p, l), rim = rim_colour(p, l);
    struct es_spot letter = {TABLE_LEFT + 12, y};
    struct es_spot diamond = {TABLE_LEFT + 78, y}, square = {TABLE_LEFT + 118, y};
    struct es_spot end = {TABLE_LEFT + 48, y};
    struct es_pen track = {.fill = ES_CLEAR, .stroke = rim, .width = ES_TRACK_WIDE + 2 * RIM};
    if (rim != ES_CLEAR)
        es__segment(painter, letter, end, &track);
    track.stroke = colour;
    track.width = ES_TRACK_WIDE;
    es__segment(painter, letter, end, &track);
    if (p->patterns) {
        struct es_pen inlay;
        pattern(p, l, &inlay);
        es__segment(painter, letter, end, &inlay);
    }
    painter->circle(painter, letter, 11.5 * scale,
                    &(struct es_pen){.fill = colour, .stroke = rim, .width = RIM});
    draw_letter(p, letter, 8.5 * scale, l);
    struct es_pen frame = {.fill = p->theme.face, .stroke = p->theme.faint, .width = 1.2};
    draw_diamond(p, diamond, 15.5 * scale, &frame);
    draw_square(p, square, 11 * scale, &frame);
    double size = 12.5 * scale, base = y + 0.36 * size;
    es__number(painter, facts->first, (struct es_spot){diamond.x, base}, ES_ALIGN_MIDDLE, size,
               true, p->theme.ink);
    es__number(painter, facts->later, (struct es_spot){square.x, base}, ES_ALIGN_MIDDLE, size,
               false, p->theme.ink);
    if (lost)
        es__hand_strike(painter, (struct es_spot){diamond.x - 10 * scale, y + 9 * scale},
                        (struct es_spot){diamond.x + 10 * scale, y - 9 * scale}, (unsigned)l,
                        p->theme.pencil);
    bool fresh = p->before && won && !(p->before->sheet[p->player].scored >> l & 1);
    if (won)
        es__hand_ring(painter, first ? diamond : square, 17 * scale, (unsigned)l,
                      fresh ? p->theme.fresh : p->theme.pencil);
    painter->close(painter);
}

/* One row of the sum: a sign for what is counted, and a box for the number. */
static void draw_box(const struct sheet_picture *p, double y, double high, bool known, int number,
                     bool bold)
{
    struct es_box box = {TABLE_RIGHT - 62, y - high / 2, TABLE_RIGHT, y + high / 2};
    es__rectangle(p->painter, box, 3,
                  &(struct es_pen){.fill = p->theme.face,
                                   .stroke = bold ? p->theme.ink : p->theme.faint,
                                   .width = bold ? 1.8 : 1.2});
    if (known)
        es__number(p->painter, number, (struct es_spot){TABLE_RIGHT - 10, y + 5.5}, ES_ALIGN_END,
                   bold ? 17 : 14.5, bold, p->theme.ink);
}

static void draw_sum(const struct sheet_picture *p, double top)
{
    struct es_painter *painter = p->painter;
    struct es_verplant_sum sum = es_verplant_sum(p->setup, p->state, p->player + 1);
    bool known = p->now->round > 0; /* else it is paper, to be filled in by hand */
    const double step = 34, sign = TABLE_LEFT + 40;
    const struct es_pen thin = {.fill = p->theme.face, .stroke = p->theme.ink, .width = 1.4};
    struct es__title title = {0};
    es__title_named(&title, p->draw, ES_SAY_LINES, sum.lines);
    es__title_named(&title, p->draw, ES_SAY_TRANSFERS, sum.transfers);
    es__title_counted(&title, p->draw, sum.empty, ES_SAY_EMPTY);
    es__title_named(&title, p->draw, ES_SAY_PENALTY, sum.penalty);
    es__title_named(&title, p->draw, ES_SAY_TOTAL, sum.total);
    struct es_part part = es__part("sum", "sum", es_str(""));
    part.title = es__titled(&title);
    painter->open(painter, &part);
    double y = top;
    draw_diamond(p, (struct es_spot){sign - 12, y}, 8.5, &thin);
    draw_square(p, (struct es_spot){sign + 7, y}, 6.5, &thin);
    draw_box(p, y, 26, known, sum.lines, false);
    y += step;
    es__text(painter, es_str("2 \xc3\x97"), (struct es_spot){sign - 6, y + 5}, ES_ALIGN_END, 14,
             false, p->theme.ink);
    es__hand_number(painter, (struct es_spot){sign + 9, y}, 9, 3, 3, true, p->theme.pencil);
    draw_box(p, y, 26, known, sum.transfers, false);
    y += step;
    /* Alone, every empty station counts; among several, half of them. */
    bool halved = known && p->setup->players > 1;
    es__text(painter, es_str(halved ? "\xe2\x88\x92 \xc2\xbd" : "\xe2\x88\x92"),
             (struct es_spot){sign - 6, y + 5}, ES_ALIGN_END, 14, false, p->theme.ink);
    painter->circle(painter, (struct es_spot){sign + 8, y}, 7.5,
                    &(struct es_pen){.fill = p->theme.face, .stroke = p->theme.ink, .width = 1.7});
    draw_box(p, y, 26, known, sum.penalty, false);
    y += step + 5;
    es__text(painter, es_str("="), (struct es_spot){sign + 8, y + 6}, ES_ALIGN_MIDDLE, 20, true,
             p->theme.ink);
    draw_box(p, y, 32, known, sum.total, true);
    painter->close(painter);
}

static void draw_table(const struct sheet_picture *p)
{
    enum { TOP = 78, SUM = 610 };
    struct es_str title = es_str(p->map->title);
    const double room = TABLE_RIGHT - TABLE_LEFT, wide = es_text_width(title, 26, true);
    double size = wide > room ? 26 * room / wide : 26;
    es__text(p->painter, title, (struct es_spot){TABLE_LEFT, 44}, ES_ALIGN_START, size, true,
             p->theme.ink);
    if (p->draw->name && p->draw->name[p->player][0]) {
        enum { SIZE = 13 };
        char cut[ES__CUT];
        struct es_str name = es_str(p->draw->name[p->player]);
        es__text(p->painter, es__fitted(name, SIZE, false, room, cut),
                 (struct es_spot){TABLE_LEFT, 66}, ES_ALIGN_START, SIZE, false, p->theme.ink);
    }
    double row = (SUM - 40.0 - TOP) / p->map->lines;
    row = row > 38 ? 38 : row;
    p->painter->open(p->painter, &(struct es_part){.kind = "values"});
    for (int l = 0; l < p->map->lines; l++)
        draw_value(p, l, TOP + row * (l + 0.5), row < 33 ? row / 33 : 1);
    p->painter->close(p->painter);
    draw_sum(p, SUM);
}

/* -------------------------------------------------------------------------------------------- */

void es__draw_verplant(const struct es_setup *setup, const struct es_state *state,
                       const struct es_draw *draw, struct es_painter *painter)
{
    struct sheet_picture p = {
        .setup = setup,
        .map = setup->map,
        .lay = draw->layout,
        .draw = draw,
        .painter = painter,
        .theme = es__theme(draw->theme, setup->map->paper),
        .patterns = draw->patterns || draw->theme == ES_THEME_PRINT,
        .player = draw->viewer > 0 && draw->viewer <= setup->players ? draw->viewer - 1 : 0,
        .now = es_verplant_view(state),
        .before = draw->before ? es_verplant_view(draw->before) : NULL,
        .planned = draw->planned ? es_verplant_view(draw->planned) : NULL,
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
    if (!draw->no_names)
        draw_names(&p);
    for (int l = 0; l < p.map->lines; l++)
        draw_wagon(&p, l);
    if (!draw->bare)
        draw_table(&p);
    painter->end(painter);
}
