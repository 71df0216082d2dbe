/* Colours, simple shapes, and text. */
#include "draw/internal.h"
#include <string.h>

/* ---- Colours -------------------------------------------------------------------------------- */

static int channel(uint32_t colour, int i)
{
    return (int)(colour >> (16 - 8 * i) & 255);
}

uint32_t es__mix(uint32_t a, uint32_t b, double share)
{
    uint32_t mixed = 0;
    for (int i = 0; i < 3; i++)
        mixed = mixed << 8 | (uint32_t)(channel(a, i) * (1 - share) + channel(b, i) * share + 0.5);
    return mixed;
}

/* Returns the perceived brightness of a colour, 0 to 255. */
static double brightness(uint32_t colour)
{
    return 0.299 * channel(colour, 0) + 0.587 * channel(colour, 1) + 0.114 * channel(colour, 2);
}

/* Returns the relative luminance of a colour as in WCAG, 0 to 1; its power of 2.4 is approximated
 * by a cubic, to a few thousandths. */
static double luminance(uint32_t colour)
{
    static const double weight[3] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double c = channel(colour, i) / 255.0;
        sum += weight[i] * c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878);
    }
    return sum;
}

double es_contrast(uint32_t a, uint32_t b)
{
    double x = luminance(a), y = luminance(b);
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

uint32_t es__contrast(uint32_t colour)
{
    const uint32_t black = 0x1c1c1c, white = 0xffffff;
    return es_contrast(colour, black) > es_contrast(colour, white) ? black : white;
}

uint32_t es__legible(uint32_t colour, uint32_t on, double ratio)
{
    uint32_t extreme = es_contrast(on, 0) > es_contrast(on, 0xffffff) ? 0 : 0xffffff;
    uint32_t mixed = colour;
    for (int i = 1; i <= 20 && es_contrast(mixed, on) < ratio; i++)
        mixed = es__mix(colour, extreme, i / 20.0);
    return mixed;
}

/* In the dark theme colours are lightened only a little: lightened to equal brightness, they would
 * look alike to people who see fewer colours. A light rim makes them stand out. */
uint32_t es__bright(enum es_theme theme, uint32_t colour)
{
    const double enough = 66, bright = brightness(colour);
    if (theme != ES_THEME_DARK || bright >= enough)
        return colour;
    return es__mix(colour, 0xffffff, (enough - bright) / (255 - bright));
}

uint32_t es__rim(enum es_theme theme, uint32_t colour)
{
    const double enough = 150, bright = brightness(colour);
    double share = (enough - bright) / (255 - bright + 1);
    return theme == ES_THEME_DARK ? es__mix(colour, 0xffffff, share > 0.3 ? share : 0.3) : ES_CLEAR;
}

struct es__theme es__theme(enum es_theme theme, uint32_t tint)
{
    if (theme == ES_THEME_PRINT)
        return (struct es__theme){0xffffff, 0x000000, 0x8c8c8c, 0xffffff,
                                  0x1a1a1a, 0x1a1a1a, 0x6e6e6e};
    if (theme == ES_THEME_DARK)
        return (struct es__theme){es__mix(0x14171c, tint, 0.06),
                                  0xeceae4,
                                  0x8d9299,
                                  0x23272e,
                                  0xf2efe6,
                                  0xffc861,
                                  0x8fb7ff};
    /* The names must be legible on any paper colour that a map asks for. */
    tint = es__legible(tint, 0x23262b, 9);
    return (struct es__theme){tint, 0x23262b, 0x6b665f, 0xffffff, 0x2b2f3a, 0xc2410c, 0x3d6fb8};
}

/* ---- Shapes --------------------------------------------------------------------------------- */

void es__diamond(struct es_painter *painter, struct es_spot at, double half,
                 const struct es_pen *pen)
{
    painter->move(painter, (struct es_spot){at.x, at.y - half});
    painter->line(painter, (struct es_spot){at.x + half, at.y});
    painter->line(painter, (struct es_spot){at.x, at.y + half});
    painter->line(painter, (struct es_spot){at.x - half, at.y});
    painter->close_path(painter);
    painter->paint(painter, pen);
}

void es__rectangle(struct es_painter *painter, struct es_box b, double radius,
                   const struct es_pen *pen)
{
    const double k = 0.448 * radius; /* distance of the curve's control points from the corner */
    if (radius <= 0) {
        painter->move(painter, (struct es_spot){b.left, b.top});
        painter->line(painter, (struct es_spot){b.right, b.top});
        painter->line(painter, (struct es_spot){b.right, b.bottom});
        painter->line(painter, (struct es_spot){b.left, b.bottom});
    } else {
        painter->move(painter, (struct es_spot){b.left + radius, b.top});
        painter->line(painter, (struct es_spot){b.right - radius, b.top});
        painter->curve(painter, (struct es_spot){b.right - k, b.top},
                       (struct es_spot){b.right, b.top + k},
                       (struct es_spot){b.right, b.top + radius});
        painter->line(painter, (struct es_spot){b.right, b.bottom - radius});
        painter->curve(painter, (struct es_spot){b.right, b.bottom - k},
                       (struct es_spot){b.right - k, b.bottom},
                       (struct es_spot){b.right - radius, b.bottom});
        painter->line(painter, (struct es_spot){b.left + radius, b.bottom});
        painter->curve(painter, (struct es_spot){b.left + k, b.bottom},
                       (struct es_spot){b.left, b.bottom - k},
                       (struct es_spot){b.left, b.bottom - radius});
        painter->line(painter, (struct es_spot){b.left, b.top + radius});
        painter->curve(painter, (struct es_spot){b.left, b.top + k},
                       (struct es_spot){b.left + k, b.top},
                       (struct es_spot){b.left + radius, b.top});
    }
    painter->close_path(painter);
    painter->paint(painter, pen);
}

void es__segment(struct es_painter *painter, struct es_spot a, struct es_spot b,
                 const struct es_pen *pen)
{
    painter->move(painter, a);
    painter->line(painter, b);
    painter->paint(painter, pen);
}

struct es_spot es__direction(struct es_spot a, struct es_spot b, double *length)
{
    double x = b.x - a.x, y = b.y - a.y;
    *length = __builtin_sqrt(x * x + y * y);
    return *length > 0 ? (struct es_spot){x / *length, y / *length} : (struct es_spot){1, 0};
}

struct es_spot es__ahead(struct es_spot at, struct es_spot direction, double points)
{
    return (struct es_spot){at.x + direction.x * points, at.y + direction.y * points};
}

struct es_spot es__towards(struct es_spot a, struct es_spot b, double most)
{
    double length;
    struct es_spot direction = es__direction(a, b, &length);
    return es__ahead(a, direction, length / 2 < most ? length / 2 : most);
}

/* ---- Text ----------------------------------------------------------------------------------- */

/* Widths of the printable ASCII characters, in hundredths of the size: regular, bold. */
static const uint8_t widths[2][95] = {
    {28, 28, 35, 56, 56, 89, 67, 19, 33, 33, 39, 58, 28, 33, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56,
     56, 56, 28, 28, 58, 58, 58, 56, 99, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78,
     67, 78, 72, 67, 61, 72, 67, 94, 67, 67, 61, 28, 28, 28, 47, 56, 33, 56, 56, 50, 56, 56, 28, 56,
     56, 22, 22, 50, 22, 83, 56, 56, 56, 56, 33, 50, 28, 56, 50, 72, 50, 50, 50, 33, 26, 33, 58},
    {28, 33, 47, 56, 56, 89, 72, 24, 33, 33, 39, 58, 28, 33, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56,
     56, 56, 33, 33, 58, 58, 58, 61, 98, 72, 72, 72, 72, 67, 61, 78, 72, 28, 56, 72, 61, 83, 72, 78,
     67, 78, 72, 67, 61, 72, 67, 94, 67, 67, 61, 33, 28, 33, 58, 56, 33, 56, 61, 56, 61, 56, 33, 61,
     61, 28, 28, 56, 28, 89, 61, 61, 61, 61, 39, 56, 33, 61, 56, 78, 56, 56, 50, 39, 28, 39, 58},
};

double es_text_width(struct es_str text, double size, bool bold)
{
    int sum = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c >= ' ' && c <= '~')
            sum += widths[bold][c - ' '];
        else if (c == 0xe2)
            sum += 58; /* punctuation, signs, arrows */
        else if (c >= 0xe1)
            sum += 100; /* most of the world's scripts: square characters and wide ones */
        else if (c == 0xc3 && i + 1 < text.size)
            sum += (unsigned char)text.at[i + 1] < 0xa0 ? 72 : 56; /* À to ß, à to ÿ */
        else if (c >= 0xc0)
            sum += 62;
    }
    return size * sum / 100;
}

struct es_str es__fitted(struct es_str text, double size, bool bold, double width,
                         char cut[ES__CUT])
{
    if (es_text_width(text, size, bold) <= width)
        return text;
    for (;;) {
        while (text.size > 0 && ((unsigned char)text.at[--text.size] & 0xc0) == 0x80)
            ;
        struct es_out out = {cut, ES__CUT, 0};
        es_out_str(&out, es_str_trim(text));
        es_out_text(&out, "\xe2\x80\xa6");
        struct es_str shown = {cut, out.used};
        if (text.size == 0 || es_text_width(shown, size, bold) <= width)
            return shown;
    }
}

void es__text(struct es_painter *painter, struct es_str text, struct es_spot at,
              enum es_align align, double size, bool bold, uint32_t colour)
{
    painter->text(painter, &(struct es_writing){
                               .text = text,
                               .at = at,
                               .align = align,
                               .size = size,
                               .width = es_text_width(text, size, bold),
                               .bold = bold,
                               .colour = colour,
                           });
}

void es__number(struct es_painter *painter, long number, struct es_spot at, enum es_align align,
                double size, bool bold, uint32_t colour)
{
    char text[24];
    struct es_out out = {text, sizeof text, 0};
    if (number < 0)
        es_out_text(&out, "\xe2\x88\x92"); /* U+2212, a minus as wide as a plus */
    es_out_int(&out, number < 0 ? -number : number);
    es__text(painter, (struct es_str){text, out.used}, at, align, size, bold, colour);
}
