/* Draws what is beside the map: the player's name, the table of values, the sum. */
#include "games/verplant/picture.h"

enum { TABLE_LEFT = ES_MAP_WIDE + 14, TABLE_RIGHT = ES_SHEET_WIDE - 14 };

static void draw_square(const struct es__sheet *p, struct es_spot at, double half,
                        const struct es_pen *pen)
{
    es__rectangle(p->painter, (struct es_box){at.x - half, at.y - half, at.x + half, at.y + half},
                  2, pen);
}

static void draw_value(const struct es__sheet *p, int l, double y, double scale)
{
    struct es_painter *painter = p->painter;
    const struct es_map_line *facts = &p->map->line[l];
    const struct es_sheet *sheet = &p->now->sheet[p->player];
    bool won = sheet->scored >> l & 1, first = p->now->detail[p->player].first >> l & 1;
    bool taken = p->now->claimed >> l & 1 && !(won && first);
    struct es__title title = {0};
    es__title_called(&title, p->draw, ES_SAY("line"), es__sheet_letter(p, l));
    es__title_named(&title, p->draw, ES_SAY("first"), facts->first);
    if (taken)
        es__title_word(&title, p->draw, ES_SAY("taken"));
    es__title_named(&title, p->draw, ES_SAY("later"), facts->later);
    if (won)
        es__title_named(&title, p->draw, ES_SAY("won"),
                        es_verplant_won(p->map, &p->now->detail[p->player], l));
    es__sheet_open(p, l, won ? "value won" : "value", "value-", &title);

    uint32_t colour = es__sheet_colour(p, l), rim = es__sheet_rim(p, l);
    struct es_spot letter = {TABLE_LEFT + 12, y};
    struct es_spot diamond = {TABLE_LEFT + 78, y}, square = {TABLE_LEFT + 118, y};
    struct es_spot end = {TABLE_LEFT + 48, y};
    struct es_pen track = {
        .fill = ES_CLEAR, .stroke = rim, .width = ES_TRACK_WIDE + 2 * ES__SHEET_RIM};
    if (rim != ES_CLEAR)
        es__segment(painter, letter, end, &track);
    track.stroke = colour;
    track.width = ES_TRACK_WIDE;
    es__segment(painter, letter, end, &track);
    if (p->patterns) {
        struct es_pen inlay;
        es__sheet_pattern(p, l, &inlay);
        es__segment(painter, letter, end, &inlay);
    }
    painter->circle(painter, letter, 11.5 * scale,
                    &(struct es_pen){.fill = colour, .stroke = rim, .width = ES__SHEET_RIM});
    es__sheet_disc(p, letter, 8.5 * scale, l);
    struct es_pen frame = {.fill = p->theme.face, .stroke = p->theme.faint, .width = 1.2};
    es__diamond(p->painter, diamond, 15.5 * scale, &frame);
    draw_square(p, square, 11 * scale, &frame);
    double size = 12.5 * scale, base = y + 0.36 * size;
    es__number(painter, facts->first, (struct es_spot){diamond.x, base}, ES_ALIGN_MIDDLE, size,
               true, p->theme.ink);
    es__number(painter, facts->later, (struct es_spot){square.x, base}, ES_ALIGN_MIDDLE, size,
               false, p->theme.ink);
    if (taken)
        es__handwrite_strike(painter, (struct es_spot){diamond.x - 10 * scale, y + 9 * scale},
                             (struct es_spot){diamond.x + 10 * scale, y - 9 * scale}, (unsigned)l,
                             p->theme.pencil);
    bool fresh = p->before && won && !(p->before->sheet[p->player].scored >> l & 1);
    if (won)
        es__handwrite_ring(painter, first ? diamond : square, 17 * scale, (unsigned)l,
                           fresh ? p->theme.fresh : p->theme.pencil);
    painter->end_part(painter);
}

/* One row of the sum: a sign for what is counted, and a box for the number. */
static void draw_box(const struct es__sheet *p, double y, double high, bool known, int number,
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

static void draw_sum(const struct es__sheet *p, double top)
{
    struct es_painter *painter = p->painter;
    struct es_verplant_sum sum = es_verplant_sum(p->setup, p->state, p->player + 1);
    bool known = p->now->round > 0; /* else it is an empty sheet, to be filled in by hand */
    const double step = 34, sign = TABLE_LEFT + 40;
    const struct es_pen thin = {.fill = p->theme.face, .stroke = p->theme.ink, .width = 1.4};
    struct es__title title = {0};
    es__title_named(&title, p->draw, ES_SAY("lines"), sum.lines);
    es__title_named(&title, p->draw, ES_SAY("transfers"), sum.transfers);
    es__title_counted(&title, p->draw, sum.empty, ES_SAY("empty stations"));
    es__title_named(&title, p->draw, ES_SAY("penalty"), sum.penalty);
    es__title_named(&title, p->draw, ES_SAY("total"), sum.total);
    struct es_part part = es__part("sum", "sum", es_str(""));
    part.title = es__titled(&title);
    painter->begin_part(painter, &part);
    double y = top;
    es__diamond(p->painter, (struct es_spot){sign - 12, y}, 8.5, &thin);
    draw_square(p, (struct es_spot){sign + 7, y}, 6.5, &thin);
    draw_box(p, y, 26, known, sum.lines, false);
    y += step;
    es__text(painter, es_str("2 \xc3\x97"), (struct es_spot){sign - 6, y + 5}, ES_ALIGN_END, 14,
             false, p->theme.ink);
    es__handwrite_number(painter, (struct es_spot){sign + 9, y}, 9, 3, 3, true, p->theme.pencil);
    draw_box(p, y, 26, known, sum.transfers, false);
    y += step;
    /* In solo every empty station counts, otherwise half of them. */
    const char *minus = !known                  ? "\xe2\x88\x92 (\xc2\xbd)"
                        : p->setup->players > 1 ? "\xe2\x88\x92 \xc2\xbd"
                                                : "\xe2\x88\x92";
    es__text(painter, es_str(minus), (struct es_spot){sign - 6, y + 5}, ES_ALIGN_END, 14, false,
             p->theme.ink);
    painter->circle(painter, (struct es_spot){sign + 8, y}, 7.5,
                    &(struct es_pen){.fill = p->theme.face, .stroke = p->theme.ink, .width = 1.7});
    draw_box(p, y, 26, known, sum.penalty, false);
    y += step + 5;
    es__text(painter, es_str("="), (struct es_spot){sign + 8, y + 6}, ES_ALIGN_MIDDLE, 20, true,
             p->theme.ink);
    draw_box(p, y, 32, known, sum.total, true);
    painter->end_part(painter);
}

void es__sheet_values(const struct es__sheet *p)
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
    if (p->now->round == 0 && !(p->draw->name && p->draw->name[p->player][0])) /* room for one */
        es__segment(p->painter, (struct es_spot){TABLE_LEFT, 68}, (struct es_spot){TABLE_RIGHT, 68},
                    &(struct es_pen){.fill = ES_CLEAR, .stroke = p->theme.faint, .width = 0.8});
    double row = (SUM - 40.0 - TOP) / p->map->lines;
    row = row > 38 ? 38 : row;
    p->painter->begin_part(p->painter, &(struct es_part){.kind = "values"});
    for (int l = 0; l < p->map->lines; l++)
        draw_value(p, l, TOP + row * (l + 0.5), row < 33 ? row / 33 : 1);
    p->painter->end_part(p->painter);
    draw_sum(p, SUM);
}
