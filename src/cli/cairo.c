/* The painter for PNG and PDF, on cairo and pango. */
#include "cli/canvas.h"
#include <cairo-pdf.h>
#include <pango/pangocairo.h>
#include <stdlib.h>
#include <string.h>

static struct canvas *canvas_of(struct es_painter *painter)
{
    return (struct canvas *)painter;
}

/* ---- Text ---------------------------------------------------------------------------------- */

/* Returns a zero-terminated copy without noncharacters (U+FFFE, U+FDD0 and the like), after which
 * cairo would reject everything that follows. */
static char *plain_text(struct es_str text)
{
    char *copy = cli_alloc(text.size + 1);
    memcpy(copy, text.at, text.size);
    copy[text.size] = '\0';
    for (unsigned char *c = (unsigned char *)copy; *c; c++) {
        bool last = c[0] >= 0xf0 && (c[1] & 0xf) == 0xf && c[2] == 0xbf && c[3] >= 0xbe;
        bool none = c[0] == 0xef && c[1] == 0xb7 && c[2] >= 0x90 && c[2] <= 0xaf;
        none |= c[0] == 0xef && c[1] == 0xbf && c[2] >= 0xbe;
        if (last)
            memcpy(c, "\xef\xbf\xbd ", 4);
        else if (none)
            memcpy(c, "\xef\xbf\xbd", 3);
        else if (c[0] == '\t')
            c[0] = ' ';
    }
    return copy;
}

static void start_pdf(struct canvas *canvas, struct es_str title)
{
    char *text = plain_text(title);
    /* The oldest version with transparency: every reader supports it. */
    cairo_pdf_surface_restrict_to_version(canvas->surface, CAIRO_PDF_VERSION_1_4);
    cairo_pdf_surface_set_metadata(canvas->surface, CAIRO_PDF_METADATA_TITLE, text);
    cairo_pdf_surface_set_metadata(canvas->surface, CAIRO_PDF_METADATA_CREATOR, "Endstation");
    /* No date, so that the same picture gives the same file. */
    cairo_pdf_surface_set_metadata(canvas->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
    free(text);
}

static void set_colour(cairo_t *cairo, uint32_t colour, double opacity)
{
    cairo_set_source_rgba(cairo, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0,
                          (colour & 255) / 255.0, opacity);
}

/* Pango, because it takes characters that a font lacks from other fonts: names come in all scripts.
 * Text is stretched to the width that the picture expects. */
static void text(struct es_painter *painter, const struct es_writing *writing)
{
    cairo_t *cairo = canvas_of(painter)->cairo;
    char *plain = plain_text(writing->text);
    PangoLayout *layout = pango_cairo_create_layout(cairo);
    PangoFontDescription *font =
        pango_font_description_from_string("Liberation Sans, Helvetica, Arial, sans-serif");
    PangoRectangle logical;
    pango_context_set_round_glyph_positions(pango_layout_get_context(layout), false);
    pango_font_description_set_absolute_size(font, writing->size * PANGO_SCALE);
    pango_font_description_set_weight(font,
                                      writing->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_layout_set_font_description(layout, font);
    pango_layout_set_single_paragraph_mode(layout, true);
    pango_layout_set_text(layout, plain, -1);
    pango_layout_get_extents(layout, NULL, &logical);
    double width = (double)logical.width / PANGO_SCALE, stretch = 1;
    if (width > 0 && es_str_length(writing->text) > 1) {
        stretch = writing->width / width;
        width = writing->width;
    }
    if (width > 0) {
        double share = writing->align == ES_ALIGN_MIDDLE ? 0.5 : writing->align == ES_ALIGN_END;
        cairo_save(cairo);
        cairo_translate(cairo, writing->at.x - share * width, writing->at.y);
        cairo_scale(cairo, stretch, 1);
        cairo_move_to(cairo, 0, -(double)pango_layout_get_baseline(layout) / PANGO_SCALE);
        set_colour(cairo, writing->colour, 1);
        pango_cairo_show_layout(cairo, layout);
        cairo_restore(cairo);
        cairo_new_path(cairo);
    }
    pango_font_description_free(font);
    g_object_unref(layout);
    free(plain);
}

/* ---- Shapes -------------------------------------------------------------------------------- */

static void move(struct es_painter *painter, struct es_spot to)
{
    cairo_move_to(canvas_of(painter)->cairo, to.x, to.y);
}

static void line(struct es_painter *painter, struct es_spot to)
{
    cairo_line_to(canvas_of(painter)->cairo, to.x, to.y);
}

static void curve(struct es_painter *painter, struct es_spot a, struct es_spot b, struct es_spot to)
{
    cairo_curve_to(canvas_of(painter)->cairo, a.x, a.y, b.x, b.y, to.x, to.y);
}

static void shut(struct es_painter *painter)
{
    cairo_close_path(canvas_of(painter)->cairo);
}

static void stroke(cairo_t *cairo, const struct es_pen *pen, double opacity)
{
    bool four = pen->dash[2] > 0 || pen->dash[3] > 0;
    bool dashed = pen->dash[0] > 0 || pen->dash[1] > 0;
    cairo_set_dash(cairo, pen->dash, !dashed ? 0 : four ? 4 : 2, 0);
    cairo_set_line_cap(cairo, pen->butt ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cairo, pen->width);
    set_colour(cairo, pen->stroke, opacity);
    cairo_stroke_preserve(cairo);
}

static void paint(struct es_painter *painter, const struct es_pen *pen)
{
    cairo_t *cairo = canvas_of(painter)->cairo;
    bool both = pen->fill != ES_CLEAR && pen->stroke != ES_CLEAR;
    double opacity = pen->opacity > 0 && pen->opacity < 1 ? pen->opacity : 1;
    /* A translucent shape with an edge is drawn as a group, so that the fill does not show through
     * the edge. */
    bool group = both && opacity < 1;
    if (group) {
        cairo_push_group(cairo);
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    }
    if (pen->fill != ES_CLEAR) {
        set_colour(cairo, pen->fill, group ? 1 : opacity);
        cairo_fill_preserve(cairo);
    }
    if (pen->stroke != ES_CLEAR)
        stroke(cairo, pen, group ? 1 : opacity);
    cairo_new_path(cairo);
    if (group) {
        cairo_pop_group_to_source(cairo);
        cairo_paint_with_alpha(cairo, opacity);
    }
}

static void circle(struct es_painter *painter, struct es_spot centre, double radius,
                   const struct es_pen *pen)
{
    cairo_new_sub_path(canvas_of(painter)->cairo);
    cairo_arc(canvas_of(painter)->cairo, centre.x, centre.y, radius, 0, 6.283185307179586);
    cairo_close_path(canvas_of(painter)->cairo);
    paint(painter, pen);
}

/* Parts matter only to web pages. */
static void open_part(struct es_painter *painter, const struct es_part *part)
{
    (void)painter, (void)part;
}

static void close_part(struct es_painter *painter)
{
    (void)painter;
}

/* ---- Pictures ------------------------------------------------------------------------------ */

static cairo_status_t append(void *to, const unsigned char *bytes, unsigned size)
{
    struct canvas *canvas = to;
    if (size > canvas->file.room - canvas->file.used) {
        size_t room = 2 * canvas->file.room + size + (1 << 16);
        unsigned char *more = realloc(canvas->file.at, room);
        if (!more)
            return CAIRO_STATUS_NO_MEMORY;
        canvas->file.at = more;
        canvas->file.room = room;
    }
    memcpy(canvas->file.at + canvas->file.used, bytes, size);
    canvas->file.used += size;
    return CAIRO_STATUS_SUCCESS;
}

static void start(struct canvas *canvas, cairo_surface_t *surface)
{
    canvas->surface = surface;
    canvas->cairo = cairo_create(surface);
    cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    /* No hinting of metrics, so that letters have the same positions at every size. */
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_set_font_options(canvas->cairo, options);
    cairo_font_options_destroy(options);
}

/* Creates a surface of the picture's size, and scales it. */
static void start_picture(struct canvas *canvas, double width, double height, uint32_t paper,
                          struct es_str title)
{
    double scale = canvas->width > 0 ? canvas->width / width : 1;
    if (canvas->pixels > 0) {
        start(canvas, cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)canvas->pixels,
                                                 (int)(height * scale + 0.5)));
    } else {
        start(canvas,
              cairo_pdf_surface_create_for_stream(append, canvas, width * scale, height * scale));
        start_pdf(canvas, title);
    }
    set_colour(canvas->cairo, paper, 1);
    cairo_paint(canvas->cairo); /* up to the edge of the last pixels */
    cairo_scale(canvas->cairo, scale, scale);
}

static void begin(struct es_painter *painter, double width, double height, uint32_t paper,
                  struct es_str title)
{
    struct canvas *canvas = canvas_of(painter);
    struct es_box seen = {0, 0, width, height};
    if (!canvas->press.painter)
        start_picture(canvas, width, height, paper, title);
    cairo_t *cairo = canvas->cairo;
    cairo_save(cairo);
    if (canvas->press.painter) {
        const struct es_fit fit = es_press_fit(&canvas->press, width, height);
        cairo_translate(cairo, fit.at.x, fit.at.y);
        cairo_scale(cairo, fit.scale, fit.scale);
        seen = fit.seen;
    }
    cairo_new_path(cairo);
    cairo_rectangle(cairo, seen.left, seen.top, seen.right - seen.left, seen.bottom - seen.top);
    cairo_clip(cairo);
}

static void end(struct es_painter *painter)
{
    cairo_restore(canvas_of(painter)->cairo);
}

/* ---- Opening and closing ------------------------------------------------------------------- */

static void open_canvas(struct canvas *canvas, unsigned pixels)
{
    *canvas = (struct canvas){
        .painter = {begin, end, open_part, close_part, move, line, curve, shut, paint, circle,
                    text},
        .pixels = pixels,
    };
}

void canvas_open_png(struct canvas *canvas, unsigned pixels)
{
    open_canvas(canvas, pixels);
    canvas->width = pixels;
}

void canvas_open_pdf(struct canvas *canvas, double width)
{
    open_canvas(canvas, 0);
    canvas->width = width;
}

/* A surface shows its last page when it is finished, so each is shown when the next begins. */
static void begin_page(struct es_press *press)
{
    struct canvas *canvas = canvas_of(press->painter);
    if (press->pages > 1)
        cairo_show_page(canvas->cairo);
    cairo_pdf_surface_set_size(canvas->surface, press->width * CANVAS_MM,
                               press->height * CANVAS_MM);
}

static void end_page(struct es_press *press)
{
    (void)press;
}

void canvas_open_pages(struct canvas *canvas, const char *title, enum es_paper paper)
{
    open_canvas(canvas, 0);
    canvas->press = (struct es_press){.painter = &canvas->painter,
                                      .paper = paper,
                                      .begin_page = begin_page,
                                      .end_page = end_page};
    start(canvas, cairo_pdf_surface_create_for_stream(append, canvas, 1, 1));
    cairo_scale(canvas->cairo, CANVAS_MM, CANVAS_MM);
    start_pdf(canvas, es_str(title));
}

/* Finishes the file in memory. */
static cairo_status_t finish(struct canvas *canvas)
{
    cairo_status_t status = cairo_status(canvas->cairo);
    if (status == CAIRO_STATUS_SUCCESS && canvas->pixels > 0)
        status = cairo_surface_write_to_png_stream(canvas->surface, append, canvas);
    cairo_destroy(canvas->cairo);
    cairo_surface_finish(canvas->surface);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(canvas->surface);
    cairo_surface_destroy(canvas->surface);
    return status;
}

int canvas_close(struct canvas *canvas, const char *command, const char *path)
{
    int result = CLI_BAD_INPUT;
    cairo_status_t status = finish(canvas);
    if (status != CAIRO_STATUS_SUCCESS)
        fprintf(stderr, "endstation %s: the picture cannot be made: %s\n", command,
                cairo_status_to_string(status));
    else
        result = cli_write_file(command, path, canvas->file.at, canvas->file.used);
    free(canvas->file.at);
    *canvas = (struct canvas){0};
    return result;
}
