/* The SVG painter, and the press that makes pages of its pictures. Numbers have one decimal: a
 * tenth of a point is finer than any screen. On paper they have two, since the unit is a
 * millimetre. */
#include <endstation/print.h>

static struct es_svg *svg_of(struct es_painter *painter)
{
    return (struct es_svg *)painter;
}

static void number(struct es_svg *svg, double value)
{
    struct es_out *out = &svg->out;
    const int unit = svg->press ? 100 : 10;
    long parts = (long)(value < 0 ? value * unit - 0.5 : value * unit + 0.5);
    if (parts < 0) {
        es_out_char(out, '-');
        parts = -parts;
    }
    if (parts >= unit || parts == 0)
        es_out_int(out, parts / unit);
    if (parts % unit)
        es_out_char(out, '.');
    for (long rest = parts % unit, digit = unit / 10; rest; digit /= 10) {
        es_out_int(out, rest / digit);
        rest %= digit;
    }
}

static void escaped(struct es_out *out, struct es_str text)
{
    for (size_t i = 0; i < text.size; i++) {
        switch (text.at[i]) {
        case '&':
            es_out_text(out, "&amp;");
            break;
        case '<':
            es_out_text(out, "&lt;");
            break;
        case '>':
            es_out_text(out, "&gt;");
            break;
        case '"':
            es_out_text(out, "&quot;");
            break;
        case '\'':
            es_out_text(out, "&#39;");
            break;
        case '\xef':
            /* XML does not allow U+FFFE and U+FFFF. */
            if (i + 2 < text.size && text.at[i + 1] == '\xbf' && text.at[i + 2] >= '\xbe') {
                es_out_text(out, "\xef\xbf\xbd");
                i += 2;
                break;
            } /* fall through */
        default:
            es_out_char(out, text.at[i]);
        }
    }
}

static void begin_attribute(struct es_out *out, const char *name)
{
    es_out_char(out, ' ');
    es_out_text(out, name);
    es_out_text(out, "=\"");
}

static void attribute(struct es_out *out, const char *name, struct es_str value)
{
    begin_attribute(out, name);
    escaped(out, value);
    es_out_char(out, '"');
}

static void length(struct es_svg *svg, const char *name, double value)
{
    begin_attribute(&svg->out, name);
    number(svg, value);
    es_out_char(&svg->out, '"');
}

static void colour(struct es_out *out, const char *name, uint32_t value)
{
    begin_attribute(out, name);
    if (value == ES_CLEAR) {
        es_out_text(out, "none");
    } else {
        const uint8_t bytes[] = {(uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value};
        es_out_char(out, '#');
        es_out_hex(out, bytes, sizeof bytes);
    }
    es_out_char(out, '"');
}

static void style(struct es_svg *svg, const struct es_pen *pen)
{
    struct es_out *out = &svg->out;
    if (pen->fill != 0)
        colour(out, "fill", pen->fill);
    if (pen->stroke != ES_CLEAR) {
        colour(out, "stroke", pen->stroke);
        if (pen->width != 1)
            length(svg, "stroke-width", pen->width);
        if (pen->butt)
            es_out_text(out, " stroke-linecap=\"butt\"");
        if (pen->dash[0] > 0 || pen->dash[1] > 0) {
            es_out_text(out, " stroke-dasharray=\"");
            for (int i = 0; i < 4 && (i < 2 || pen->dash[2] > 0 || pen->dash[3] > 0); i++) {
                if (i > 0)
                    es_out_char(out, ' ');
                number(svg, pen->dash[i]);
            }
            es_out_char(out, '"');
        }
    }
    if (pen->opacity > 0 && pen->opacity < 1)
        length(svg, "opacity", pen->opacity);
}

static void spot(struct es_svg *svg, char letter, struct es_spot at)
{
    es_out_char(&svg->out, letter);
    number(svg, at.x);
    es_out_char(&svg->out, ' ');
    number(svg, at.y);
}

static void title(struct es_out *out, struct es_str text)
{
    if (text.size == 0)
        return;
    es_out_text(out, "<title>");
    escaped(out, text);
    es_out_text(out, "</title>");
}

static void view_box(struct es_svg *svg, struct es_box box)
{
    begin_attribute(&svg->out, "viewBox");
    number(svg, box.left);
    spot(svg, ' ', (struct es_spot){box.top, box.right - box.left});
    es_out_char(&svg->out, ' ');
    number(svg, box.bottom - box.top);
    es_out_char(&svg->out, '"');
}

static const char start[] = "<svg xmlns=\"http://www.w3.org/2000/svg\"";
static const char pens[] = " font-family=\"Helvetica,Arial,'Liberation Sans',sans-serif\" "
                           "stroke-linecap=\"round\" stroke-linejoin=\"round\">";

/* Begins a picture on a page: an <svg> in that of the page shows the part of it that is seen. */
static void begin_on_page(struct es_svg *svg, double width, double height)
{
    const struct es_fit fit = es_press_fit(svg->press, width, height);
    const struct es_box *seen = &fit.seen;
    es_out_text(&svg->out, "<svg");
    length(svg, "x", fit.at.x + seen->left * fit.scale);
    length(svg, "y", fit.at.y + seen->top * fit.scale);
    length(svg, "width", (seen->right - seen->left) * fit.scale);
    length(svg, "height", (seen->bottom - seen->top) * fit.scale);
    view_box(svg, *seen);
    es_out_char(&svg->out, '>');
}

static void begin(struct es_painter *painter, double width, double height, uint32_t paper,
                  struct es_str text)
{
    struct es_svg *svg = svg_of(painter);
    struct es_out *out = &svg->out;
    svg->depth = 0;
    if (svg->press) {
        begin_on_page(svg, width, height);
        title(out, text);
        return;
    }
    es_out_text(out, start);
    view_box(svg, (struct es_box){0, 0, width, height});
    if (svg->width > 0) {
        length(svg, "width", svg->width);
        length(svg, "height", svg->width / width * height);
    }
    es_out_text(out, " role=\"graphics-document document\"");
    es_out_text(out, pens);
    title(out, text);
    es_out_text(out, "\n<rect class=\"paper\"");
    length(svg, "width", width);
    length(svg, "height", height);
    colour(out, "fill", paper);
    es_out_text(out, "/>\n");
}

static void end(struct es_painter *painter)
{
    es_out_text(&svg_of(painter)->out, svg_of(painter)->press ? "</svg>" : "</svg>\n");
}

static void open_part(struct es_painter *painter, const struct es_part *part)
{
    struct es_out *out = &svg_of(painter)->out;
    if (svg_of(painter)->press)
        return;
    svg_of(painter)->depth++;
    es_out_text(out, "<g");
    if (part->id[0]) {
        begin_attribute(out, "id");
        if (svg_of(painter)->prefix)
            escaped(out, es_str(svg_of(painter)->prefix));
        escaped(out, es_str(part->id));
        es_out_char(out, '"');
    }
    attribute(out, "class", es_str(part->kind));
    for (int i = 0; i < ES_PART_DATA && part->data[i].name; i++) {
        es_out_text(out, " data-");
        es_out_text(out, part->data[i].name);
        es_out_text(out, "=\"");
        escaped(out, part->data[i].value);
        es_out_char(out, '"');
    }
    es_out_char(out, '>');
    title(out, part->title);
}

static void close_part(struct es_painter *painter)
{
    if (svg_of(painter)->press)
        return;
    /* One line for each part that is not within another: whoever has the picture before can find
     * what has changed. */
    es_out_text(&svg_of(painter)->out, --svg_of(painter)->depth ? "</g>" : "</g>\n");
}

static void move(struct es_painter *painter, struct es_spot to)
{
    struct es_svg *svg = svg_of(painter);
    if (!svg->in_path)
        es_out_text(&svg->out, "<path d=\"");
    svg->in_path = true;
    spot(svg, 'M', to);
}

static void line(struct es_painter *painter, struct es_spot to)
{
    spot(svg_of(painter), 'L', to);
}

static void curve(struct es_painter *painter, struct es_spot a, struct es_spot b, struct es_spot to)
{
    struct es_svg *svg = svg_of(painter);
    spot(svg, 'C', a);
    spot(svg, ' ', b);
    spot(svg, ' ', to);
}

static void shut(struct es_painter *painter)
{
    es_out_char(&svg_of(painter)->out, 'Z');
}

static void paint(struct es_painter *painter, const struct es_pen *pen)
{
    struct es_svg *svg = svg_of(painter);
    es_out_char(&svg->out, '"');
    style(svg, pen);
    es_out_text(&svg->out, "/>");
    svg->in_path = false;
}

static void circle(struct es_painter *painter, struct es_spot centre, double radius,
                   const struct es_pen *pen)
{
    struct es_svg *svg = svg_of(painter);
    es_out_text(&svg->out, "<circle");
    length(svg, "cx", centre.x);
    length(svg, "cy", centre.y);
    length(svg, "r", radius);
    style(svg, pen);
    es_out_text(&svg->out, "/>");
}

static void text(struct es_painter *painter, const struct es_writing *writing)
{
    struct es_svg *svg = svg_of(painter);
    struct es_out *out = &svg->out;
    es_out_text(out, "<text");
    length(svg, "x", writing->at.x);
    length(svg, "y", writing->at.y);
    length(svg, "font-size", writing->size);
    if (writing->align != ES_ALIGN_START)
        attribute(out, "text-anchor", es_str(writing->align == ES_ALIGN_END ? "end" : "middle"));
    if (writing->bold)
        es_out_text(out, " font-weight=\"bold\"");
    /* A single character would be distorted. */
    if (es_str_length(writing->text) > 1) {
        length(svg, "textLength", writing->width);
        es_out_text(out, " lengthAdjust=\"spacingAndGlyphs\"");
    }
    colour(out, "fill", writing->colour);
    es_out_char(out, '>');
    escaped(out, writing->text);
    es_out_text(out, "</text>");
}

void es_svg_open(struct es_svg *svg, char *buffer, size_t size)
{
    *svg = (struct es_svg){
        .painter = {begin, end, open_part, close_part, move, line, curve, shut, paint, circle,
                    text},
        .out = {buffer, size, 0},
    };
}

/* ---- Pages ---------------------------------------------------------------------------------- */

static void millimetres(struct es_svg *svg, const char *name, double value)
{
    begin_attribute(&svg->out, name);
    number(svg, value);
    es_out_text(&svg->out, "mm\"");
}

static void begin_page(struct es_press *press)
{
    struct es_svg *svg = svg_of(press->painter);
    es_out_text(&svg->out, start);
    millimetres(svg, "width", press->width);
    millimetres(svg, "height", press->height);
    view_box(svg, (struct es_box){0, 0, press->width, press->height});
    es_out_text(&svg->out, pens);
}

static void end_page(struct es_press *press)
{
    es_out_text(&svg_of(press->painter)->out, "</svg>\n");
}

void es_svg_press(struct es_svg *svg, struct es_press *press, enum es_paper paper)
{
    *press = (struct es_press){
        .painter = &svg->painter, .paper = paper, .begin_page = begin_page, .end_page = end_page};
    svg->press = press;
}
