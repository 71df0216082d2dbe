/* Draws the cards of verplant: a large station on a line, and below it what the card may mark.
 *
 * clang-format off
 *     +-----------+
 *     | 4         |    the index, readable when cards are held like a fan
 *     |    ___    |
 *     |===( 4 )===|    the large station on its line
 *     |    ---    |
 *     |  o-o-o-o  |    as many stations as the card marks
 *     |         4 |
 *     +-----------+
 * clang-format on
 *
 * An express has speed lines and an arrow, a transfer a second line that comes in, a free ride a
 * ticket. A 6 has the sign for shuffling beside its index.
 */
#include "games/verplant/picture.h"
#include <endstation/verplant/sheet.h>

enum { WIDTH = 63, HEIGHT = 88 };
static const struct es_spot middle = {31.5, 36};
static const double row = 67; /* y of the stations to be marked */

/* The context of one card while it is drawn. */
struct look {
    struct es_painter *painter;
    struct es__theme theme;
    uint32_t line, second; /* colours of the large line and of one that meets it */
    bool print;
};

static bool is_express(int card)
{
    return card >= ES_CARD_EXPRESS && card < ES_CARD_TRANSFER;
}

static struct look look_of(int card, const struct es_draw *draw, struct es_painter *painter)
{
    static const uint32_t numbers = 0x1f5fa8, express = 0xc9411e, transfer = 0x2e8b57,
                          ride = 0x8a4a9e;
    struct look look = {
        .painter = painter,
        .theme = es__theme(draw->theme, 0xfaf7f0),
        .print = draw->theme == ES_THEME_PRINT,
    };
    uint32_t colour = card == ES_CARD_TRANSFER    ? transfer
                      : card == ES_CARD_FREE_RIDE ? ride
                      : is_express(card)          ? express
                                                  : numbers;
    look.line = look.print ? look.theme.ink : es__bright(draw->theme, colour);
    look.second = look.print ? look.theme.ink : es__bright(draw->theme, 0xd99a1c);
    return look;
}

static struct es_pen pen_of(uint32_t colour, double width)
{
    return (struct es_pen){.fill = ES_CLEAR, .stroke = colour, .width = width};
}

static void segment(const struct look *look, double ax, double ay, double bx, double by,
                    struct es_pen pen)
{
    es__segment(look->painter, (struct es_spot){ax, ay}, (struct es_spot){bx, by}, &pen);
}

static void shape(const struct look *look, const struct es_spot *spots, int count,
                  struct es_pen pen)
{
    look->painter->move(look->painter, spots[0]);
    for (int i = 1; i < count; i++)
        look->painter->line(look->painter, spots[i]);
    look->painter->close_path(look->painter);
    look->painter->paint(look->painter, &pen);
}

/* ---- Signs, at any size --------------------------------------------------------------------- */

static void plus(const struct look *look, struct es_spot at, double half, double width,
                 uint32_t colour)
{
    struct es_pen pen = pen_of(colour, width);
    pen.butt = true;
    segment(look, at.x - half, at.y, at.x + half, at.y, pen);
    segment(look, at.x, at.y - half, at.x, at.y + half, pen);
}

/* Draws an empty station, the sign of a free ride. */
static void place(const struct look *look, struct es_spot at, double radius, uint32_t colour)
{
    const struct es_pen pen = pen_of(colour, 0.42 * radius);
    look->painter->circle(look->painter, at, 0.79 * radius, &pen);
}

/* Draws the tip of an arrow that points to the right; `at` is its point. */
static void tip(const struct look *look, struct es_spot at, double size, uint32_t colour)
{
    shape(look,
          (struct es_spot[]){
              {at.x, at.y}, {at.x - size, at.y - 0.8 * size}, {at.x - size, at.y + 0.8 * size}},
          3, (struct es_pen){.fill = colour, .stroke = colour, .width = 0.15 * size});
}

/* Draws the sign for shuffling: two arrows that cross. */
static void shuffle(const struct look *look, struct es_spot at, double size)
{
    struct es_painter *painter = look->painter;
    const struct es_pen pen = pen_of(look->theme.ink, 0.16 * size);
    for (int up = -1; up <= 1; up += 2) {
        double from = at.y - 0.5 * up * size, to = at.y + 0.5 * up * size;
        painter->move(painter, (struct es_spot){at.x - size, from});
        painter->line(painter, (struct es_spot){at.x - 0.7 * size, from});
        painter->curve(painter, (struct es_spot){at.x - 0.1 * size, from},
                       (struct es_spot){at.x - 0.1 * size, to},
                       (struct es_spot){at.x + 0.5 * size, to});
        painter->paint(painter, &pen);
        tip(look, (struct es_spot){at.x + 1.05 * size, to}, 0.5 * size, look->theme.ink);
    }
}

/* Draws the index in a corner; `left` is its left edge. Returns its right edge. */
static double corner(const struct look *look, int card, double left, double base)
{
    const double size = 11, high = 0.36 * size; /* half the height of a digit */
    if (card == ES_CARD_TRANSFER) {
        plus(look, (struct es_spot){left + high, base - high}, 0.9 * high, 1.9, look->theme.ink);
        return left + 2 * high;
    }
    if (card == ES_CARD_FREE_RIDE) {
        place(look, (struct es_spot){left + high, base - high}, high, look->theme.ink);
        return left + 2 * high;
    }
    es__number(look->painter, es_card_marks(card), (struct es_spot){left, base}, ES_ALIGN_START,
               size, true, look->theme.ink);
    if (is_express(card))
        tip(look, (struct es_spot){left + 11.5, base - high}, 4, look->theme.ink);
    return left + (is_express(card) ? 11.5 : 6.2);
}

/* ---- The large picture ---------------------------------------------------------------------- */

static void station(const struct look *look, double radius, double rim)
{
    look->painter->circle(
        look->painter, middle, radius,
        &(struct es_pen){.fill = look->theme.face, .stroke = look->theme.ink, .width = rim});
}

/* Draws a line from a to b that ends at the card's rim or under the station. Without colours the
 * second line is hollow. */
static void track(const struct look *look, double ax, double ay, double bx, double by, bool second)
{
    struct es_pen pen = pen_of(second ? look->second : look->line, 9);
    pen.butt = true;
    segment(look, ax, ay, bx, by, pen);
    if (second && look->print) {
        pen.stroke = look->theme.paper;
        pen.width = 6.4;
        segment(look, ax, ay, bx, by, pen);
    }
}

static void numeral(const struct look *look, int number)
{
    es__number(look->painter, number, (struct es_spot){middle.x, middle.y + 9.7}, ES_ALIGN_MIDDLE,
               27, true, look->theme.ink);
}

static void number_picture(const struct look *look, int number)
{
    track(look, 3, middle.y, WIDTH - 3, middle.y, false);
    station(look, 17, 3.4);
    numeral(look, number);
}

static void express_picture(const struct look *look, int number)
{
    static const struct {
        double y, left;
    } lines[] = {{-10, 14}, {-5, 8}, {0, 4.5}, {5, 8}, {10, 14}};
    for (int i = 0; i < 5; i++)
        segment(look, lines[i].left, middle.y + lines[i].y, middle.x, middle.y + lines[i].y,
                pen_of(look->line, 2.4));
    shape(look,
          (struct es_spot[]){{WIDTH - 4.5, middle.y},
                             {middle.x + 13, middle.y - 12.5},
                             {middle.x + 13, middle.y + 12.5}},
          3, (struct es_pen){.fill = look->line, .stroke = look->line, .width = 1.5});
    station(look, 15.5, 3.2);
    numeral(look, number);
}

static void transfer_picture(const struct look *look)
{
    track(look, middle.x, 3, middle.x, HEIGHT - 3, true);
    track(look, 3, middle.y, WIDTH - 3, middle.y, false);
    station(look, 17, 3.4);
    plus(look, middle, 9.5, 5.4, look->theme.ink);
}

/* Draws a ticket: a notch at each side, a dotted tear-off line, an empty station. */
static void ride_picture(const struct look *look)
{
    struct es_painter *painter = look->painter;
    const double left = 6.5, right = WIDTH - left, top = middle.y - 16, bottom = middle.y + 16;
    const double notch = 4.5, k = 0.552 * notch;
    painter->move(painter, (struct es_spot){left, top});
    painter->line(painter, (struct es_spot){right, top});
    painter->line(painter, (struct es_spot){right, middle.y - notch});
    painter->curve(painter, (struct es_spot){right - k, middle.y - notch},
                   (struct es_spot){right - notch, middle.y - k},
                   (struct es_spot){right - notch, middle.y});
    painter->curve(painter, (struct es_spot){right - notch, middle.y + k},
                   (struct es_spot){right - k, middle.y + notch},
                   (struct es_spot){right, middle.y + notch});
    painter->line(painter, (struct es_spot){right, bottom});
    painter->line(painter, (struct es_spot){left, bottom});
    painter->line(painter, (struct es_spot){left, middle.y + notch});
    painter->curve(painter, (struct es_spot){left + k, middle.y + notch},
                   (struct es_spot){left + notch, middle.y + k},
                   (struct es_spot){left + notch, middle.y});
    painter->curve(painter, (struct es_spot){left + notch, middle.y - k},
                   (struct es_spot){left + k, middle.y - notch},
                   (struct es_spot){left, middle.y - notch});
    painter->close_path(painter);
    painter->paint(painter, &(struct es_pen){.fill = look->print ? look->theme.face : look->line,
                                             .stroke = look->theme.ink,
                                             .width = 1.6});
    uint32_t on = look->print ? look->theme.ink : es__contrast(look->line);
    struct es_pen dots = pen_of(on, 1);
    dots.dash[0] = 0.1;
    dots.dash[1] = 2.9;
    segment(look, right - 11, top + 3, right - 11, bottom - 3, dots);
    place(look, (struct es_spot){middle.x - 4, middle.y}, 10, on);
}

/* ---- The stations it marks ------------------------------------------------------------------ */

static void stop(const struct look *look, double x, double radius, uint32_t fill)
{
    look->painter->circle(
        look->painter, (struct es_spot){x, row}, radius,
        &(struct es_pen){.fill = fill, .stroke = look->theme.ink, .width = 0.38 * radius});
}

/* Draws the stations to be marked in a row; with `jump`, marked ones between them are skipped. */
static void stops(const struct look *look, int marks, bool jump)
{
    int count = jump ? 2 * marks - 1 : marks;
    double step = jump ? 40.0 / (count > 5 ? count : 5) : 7.2;
    if (count > 1 && step * (count - 1) > 40)
        step = 40.0 / (count - 1);
    double radius = step * 0.36 < 2.6 ? step * 0.36 : 2.6;
    double left = middle.x - step * (count - 1) / 2;
    /* The line continues a little at both ends. */
    segment(look, left - 4.5, row, left + step * (count - 1) + 4.5, row,
            pen_of(look->line, radius));
    for (int i = 0; i < count; i++)
        stop(look, left + i * step, i % 2 && jump ? 0.85 * radius : radius,
             i % 2 && jump ? look->theme.ink : look->theme.face);
}

/* Draws the station of a transfer, with the framed number of lines that meet there. */
static void framed_stop(const struct look *look)
{
    const double half = 6.5;
    es__rectangle(
        look->painter, (struct es_box){middle.x - half, row - half, middle.x + half, row + half}, 1,
        &(struct es_pen){.fill = look->theme.face, .stroke = look->theme.ink, .width = 1.5});
    es__number(look->painter, 2, (struct es_spot){middle.x, row + 3.6}, ES_ALIGN_MIDDLE, 10, true,
               look->theme.ink);
}

/* Draws the stations of a free ride: any one of them. */
static void free_stop(const struct look *look)
{
    const struct es_pen pen = pen_of(look->theme.ink, 1.4);
    for (int i = -2; i <= 2; i++)
        stop(look, middle.x + 9 * i, 2.8, look->theme.face);
    segment(look, middle.x + 5.2, row - 3.8, middle.x + 12.8, row + 3.8, pen);
    segment(look, middle.x + 5.2, row + 3.8, middle.x + 12.8, row - 3.8, pen);
}

/* ---- The card ------------------------------------------------------------------------------- */

static void write_title(int card, const struct es_draw *draw, struct es_out *out)
{
    if (card == ES_CARD_TRANSFER || card == ES_CARD_FREE_RIDE) {
        es_out_text(out, es__word(draw, card == ES_CARD_TRANSFER ? ES_SAY("transfer")
                                                                 : ES_SAY("free ride")));
        return;
    }
    es_out_text(out, es__word(draw, is_express(card) ? ES_SAY("express") : ES_SAY("card")));
    es_out_char(out, ' ');
    es_out_int(out, es_card_marks(card));
    if (card == ES_CARD_SIX) {
        es_out_text(out, ", ");
        es_out_text(out, es__word(draw, ES_SAY("then all cards are reshuffled")));
    }
}

/* Draws a card's back: three lines with a bend, and a station on them. */
static void back(const struct es_draw *draw, struct es_painter *painter)
{
    static const struct {
        uint32_t edge, cloth, line;
    } colours[] = {
        [ES_THEME_LIGHT] = {0xffffff, 0x47597a, 0xa3b1c9},
        [ES_THEME_DARK] = {0x14171c, 0x3a4a66, 0x8092b2},
        [ES_THEME_PRINT] = {0xffffff, 0xffffff, 0x8c8c8c},
    };
    const uint32_t cloth = colours[draw->theme].cloth, line = colours[draw->theme].line;
    const struct es_pen pen = {.fill = ES_CLEAR, .stroke = line, .width = 2.6, .butt = true};
    painter->begin(painter, WIDTH, HEIGHT, colours[draw->theme].edge,
                   es_str(es__word(draw, ES_SAY("card"))));
    es__rectangle(painter, (struct es_box){3, 3, WIDTH - 3, HEIGHT - 3}, 4,
                  &(struct es_pen){.fill = cloth, .stroke = line, .width = 0.8});
    for (int i = -1; i <= 1; i++) {
        const double x = WIDTH / 2.0 + 5.5 * i, y = HEIGHT / 2.0 - 2.28 * i;
        painter->move(painter, (struct es_spot){x - 12, 3.4});
        painter->line(painter, (struct es_spot){x - 12, y - 12});
        painter->line(painter, (struct es_spot){x + 12, y + 12});
        painter->line(painter, (struct es_spot){x + 12, HEIGHT - 3.4});
        painter->paint(painter, &pen);
    }
    painter->circle(painter, (struct es_spot){WIDTH / 2.0, HEIGHT / 2.0}, 11,
                    &(struct es_pen){.fill = cloth, .stroke = line, .width = 3});
    painter->end(painter);
}

void es_verplant_draw_card(int card, const struct es_draw *draw, struct es_painter *painter)
{
    if (card == ES_CARD_NONE) {
        back(draw, painter);
        return;
    }
    const struct look look = look_of(card, draw, painter);
    int marks = es_card_marks(card);
    char title[ES_PART_TEXT];
    struct es_out out = {title, sizeof title, 0};
    write_title(card, draw, &out);
    painter->begin(painter, WIDTH, HEIGHT, look.theme.paper,
                   (struct es_str){title, es_out_ok(&out) ? out.used : 0});
    es__rectangle(painter, (struct es_box){3, 3, WIDTH - 3, HEIGHT - 3}, 4,
                  &(struct es_pen){.fill = ES_CLEAR, .stroke = look.theme.faint, .width = 0.5});
    if (card == ES_CARD_TRANSFER) {
        transfer_picture(&look);
        framed_stop(&look);
    } else if (card == ES_CARD_FREE_RIDE) {
        ride_picture(&look);
        free_stop(&look);
    } else if (is_express(card)) {
        express_picture(&look, marks);
        stops(&look, marks, true);
    } else {
        number_picture(&look, marks);
        stops(&look, marks, false);
    }
    double right = corner(&look, card, 6.5, 14.5);
    if (card == ES_CARD_SIX)
        shuffle(&look, (struct es_spot){WIDTH - 12, 10.5}, 4.6);
    corner(&look, card, WIDTH - right, HEIGHT - 6.5);
    painter->end(painter);
}

/* ---- In a window ---------------------------------------------------------------------------- */

void es__handwrite_card(struct es_painter *painter, struct es_spot centre, double size,
                        unsigned seed, int card, uint32_t colour)
{
    char signs[] = "+\0";
    if (card > ES_CARD_TRANSFER)
        return;
    if (card < ES_CARD_TRANSFER)
        signs[0] = (char)('0' + es_card_marks(card));
    if (card < ES_CARD_TRANSFER && card >= ES_CARD_EXPRESS)
        signs[1] = '>';
    es__handwrite_signs(painter, centre, size, seed, signs, colour);
}
