/* Tests of what can be printed, measured in points of the page, for each press: a painter between
 * the pages and the press passes everything on and remembers where it was painted. */
#include "check.h"
#include "games/metro/terminal.h"
#include "games/verplant/terminal.h"
#include "sketch.h"
#include <endstation/metro/picture.h>
#include <endstation/verplant/layout.h>
#include <math.h>

enum { PICTURES = 256, PAGES = 8 };

/* A sheet, card, tile, wagon or board on a page. */
struct picture {
    char title[ES_PART_TEXT];
    struct es_box box;   /* the part that can be seen */
    struct es_box whole; /* including what is cut off */
    int page;
    int first, end; /* its spots in the sketch */
    int texts, texts_end;
};

enum kind { PDF, SVG, KINDS };
static struct es_painter inner; /* the painter that everything is passed on to */
static struct canvas canvas;    /* PDF */
static struct es_svg svg;       /* SVG, with its press and its text */
static struct es_press svg_press;
static char text_of_svg[4 << 20];
static struct es_spot svg_at; /* position of the picture */
static double svg_scale;
static enum kind kind;
static struct es_press *press; /* the one in use */
static struct sketch sketch;
static struct picture picture[PICTURES], other[PICTURES]; /* other: through the other press */
static int pictures, others;
static bool in_picture;
static int spots_at[PAGES + 1], texts_at[PAGES + 1];  /* the first of each page */
static double wide_at[PAGES + 1], high_at[PAGES + 1]; /* its size */

static const double mm = 72 / 25.4;

/* ---- Between the pages and the press ------------------------------------------------------- */

/* Pages count from 1. */
static void note_page(void)
{
    assert_in_range(press->pages, 1, PAGES - 1);
    assert_true(press->is_open);
    wide_at[press->pages] = press->width * mm;
    high_at[press->pages] = press->height * mm;
    for (int page = press->pages; page > 0 && spots_at[page] < 0; page--) {
        spots_at[page] = sketch.spots;
        texts_at[page] = sketch.texts;
    }
}

static double scale(void)
{
    double x = 1, y = 0;
    if (kind == SVG)
        return (in_picture ? svg_scale : 1) * mm;
    cairo_user_to_device_distance(canvas.cairo, &x, &y);
    return x;
}

static struct es_spot on_page(struct es_spot at)
{
    if (kind == PDF)
        cairo_user_to_device(canvas.cairo, &at.x, &at.y);
    else if (in_picture)
        at = (struct es_spot){(svg_at.x + at.x * svg_scale) * mm,
                              (svg_at.y + at.y * svg_scale) * mm};
    else
        at = (struct es_spot){at.x * mm, at.y * mm};
    return at;
}

static struct es_pen scaled(const struct es_pen *pen)
{
    struct es_pen copy = *pen;
    copy.width *= scale();
    return copy;
}

/* Reads the position and scale of a picture from the SVG that begins it. Returns the part that can
 * be seen. */
static struct es_box read_svg(const char *text)
{
    double x, y, wide, high, left, top, across, down;
    int read = sscanf(text,
                      "<svg x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\" "
                      "viewBox=\"%lf %lf %lf %lf\">",
                      &x, &y, &wide, &high, &left, &top, &across, &down);
    assert_int_equal(read, 8);
    svg_scale = wide / across;
    assert_true(fabs(high / down / svg_scale - 1) < 0.002);
    svg_at = (struct es_spot){x - left * svg_scale, y - top * svg_scale};
    return (struct es_box){x * mm, y * mm, (x + wide) * mm, (y + high) * mm};
}

/* Returns what cairo shows of a picture: the place that the press was given, cut to the picture.
 * (cairo reports its clip in whole points only.) */
static struct es_box read_clip(const struct es_box *whole)
{
    double left, top, right, bottom;
    const struct es_box shown = press->shown;
    const struct es_box box = {fmax(whole->left, shown.left * mm), fmax(whole->top, shown.top * mm),
                               fmin(whole->right, shown.right * mm),
                               fmin(whole->bottom, shown.bottom * mm)};
    cairo_clip_extents(canvas.cairo, &left, &top, &right, &bottom);
    struct es_spot a = on_page((struct es_spot){left, top});
    struct es_spot b = on_page((struct es_spot){right, bottom});
    assert_true(fabs(a.x - box.left) < 1.01 && fabs(a.y - box.top) < 1.01);
    assert_true(fabs(b.x - box.right) < 1.01 && fabs(b.y - box.bottom) < 1.01);
    return box;
}

static void begin(struct es_painter *painter, double wide, double high, uint32_t paper,
                  struct es_str title)
{
    note_page();
    assert_false(in_picture);
    assert_true(pictures < PICTURES);
    const size_t before = svg.out.used;
    inner.begin(painter, wide, high, paper, title);
    in_picture = true;
    struct es_box seen = {0, 0, 0, 0};
    if (kind == SVG)
        seen = read_svg(text_of_svg + before);
    struct picture *p = &picture[pictures];
    struct es_spot a = on_page((struct es_spot){0, 0}), b = on_page((struct es_spot){wide, high});
    *p = (struct picture){.whole = {a.x, a.y, b.x, b.y}, .page = press->pages};
    p->box = kind == SVG ? seen : read_clip(&p->whole);
    p->first = sketch.spots;
    p->texts = sketch.texts;
    assert_true(es_str_copy(title, p->title, sizeof p->title));
}

static void end(struct es_painter *painter)
{
    picture[pictures].end = sketch.spots;
    picture[pictures++].texts_end = sketch.texts;
    inner.end(painter);
    in_picture = false;
}

static void open_part(struct es_painter *painter, const struct es_part *part)
{
    inner.begin_part(painter, part);
    sketch.painter.begin_part(&sketch.painter, part);
}

static void close_part(struct es_painter *painter)
{
    inner.end_part(painter);
    sketch.painter.end_part(&sketch.painter);
}

static void move(struct es_painter *painter, struct es_spot to)
{
    note_page();
    inner.move(painter, to);
    sketch.painter.move(&sketch.painter, on_page(to));
}

static void line(struct es_painter *painter, struct es_spot to)
{
    inner.line(painter, to);
    sketch.painter.line(&sketch.painter, on_page(to));
}

static void curve(struct es_painter *painter, struct es_spot a, struct es_spot b, struct es_spot to)
{
    inner.curve(painter, a, b, to);
    sketch.painter.curve(&sketch.painter, on_page(a), on_page(b), on_page(to));
}

static void shut(struct es_painter *painter)
{
    inner.close_path(painter);
    sketch.painter.close_path(&sketch.painter);
}

static void paint(struct es_painter *painter, const struct es_pen *pen)
{
    struct es_pen copy = scaled(pen);
    inner.paint(painter, pen);
    sketch.painter.paint(&sketch.painter, &copy);
}

static void circle(struct es_painter *painter, struct es_spot centre, double radius,
                   const struct es_pen *pen)
{
    struct es_pen copy = scaled(pen);
    note_page();
    inner.circle(painter, centre, radius, pen);
    sketch.painter.circle(&sketch.painter, on_page(centre), radius * scale(), &copy);
}

static void text(struct es_painter *painter, const struct es_writing *writing)
{
    struct es_writing copy = *writing;
    note_page();
    inner.text(painter, writing);
    copy.at = on_page(writing->at);
    copy.size *= scale();
    copy.width *= scale();
    sketch.painter.text(&sketch.painter, &copy);
}

static void open_pages(enum kind wanted, enum es_paper paper)
{
    struct es_painter *painter = wanted == PDF ? &canvas.painter : &svg.painter;
    kind = wanted;
    if (kind == PDF) {
        canvas_open_pages(&canvas, "Test", paper);
        press = &canvas.press;
    } else {
        es_svg_open(&svg, text_of_svg, sizeof text_of_svg - 1);
        es_svg_press(&svg, &svg_press, paper);
        press = &svg_press;
    }
    inner = *painter;
    *painter = (struct es_painter){begin, end,  open_part, close_part, move, line,
                                   curve, shut, paint,     circle,     text};
    sketch_open(&sketch);
    pictures = 0;
    in_picture = false;
    for (int i = 0; i <= PAGES; i++)
        spots_at[i] = texts_at[i] = -1;
}

/* Closes the pages that a failed test has left open. */
static int abandon_pages(void **unused)
{
    (void)unused;
    return canvas.surface ? canvas_close(&canvas, "test", "/dev/null") : 0;
}

static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (; (text = strstr(text, word)); text++)
        count++;
    return count;
}

/* Checks that every page is a line of SVG in its true size, with one element for each picture. */
static void assert_svg(void)
{
    char start[128];
    int page = 0;
    assert_true(es_out_ok(&svg.out));
    text_of_svg[svg.out.used] = '\0';
    for (char *at = text_of_svg, *next; *at; at = next) {
        int shown = 0;
        next = strchr(at, '\n');
        assert_non_null(next);
        *next++ = '\0';
        page++;
        snprintf(start, sizeof start,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%gmm\" height=\"%gmm\" "
                 "viewBox=\"0 0 %g %g\"",
                 wide_at[page] / mm, high_at[page] / mm, wide_at[page] / mm, high_at[page] / mm);
        assert_memory_equal(at, start, strlen(start));
        for (int i = 0; i < pictures; i++)
            shown += picture[i].page == page;
        assert_int_equal(count_of(at, "<svg "), 1 + shown);
        assert_int_equal(count_of(at, "</svg>"), 1 + shown);
        assert_int_equal(count_of(at, " id="), 0);
        assert_int_equal(count_of(at, "<g"), 0);
    }
    assert_int_equal(page, press->pages);
}

/* Returns the tolerance of positions, in points: SVG has two decimals of a millimetre. */
static double tolerance(void)
{
    return kind == SVG ? 0.07 : 0.001;
}

static bool same(double a, double b)
{
    return fabs(a - b) < tolerance();
}

/* Checks that both presses have printed the same pictures at the same places. */
static void assert_like_other(void)
{
    assert_int_equal(pictures, others);
    for (int i = 0; i < pictures; i++) {
        const struct es_box a = picture[i].box, b = other[i].box;
        assert_string_equal(picture[i].title, other[i].title);
        assert_int_equal(picture[i].page, other[i].page);
        assert_true(same(a.left, b.left) && same(a.right, b.right));
        assert_true(same(a.top, b.top) && same(a.bottom, b.bottom));
    }
}

/* Ends the printing. Call it for PDF first, then for SVG, which is compared with the PDF. */
static void close_pages(void)
{
    if (kind == PDF) {
        assert_int_equal(canvas_close(&canvas, "test", "/dev/null"), CLI_OK);
        memcpy(other, picture, sizeof other);
        others = pictures;
        return;
    }
    assert_svg();
    assert_like_other();
}

/* Whether a spot belongs to no picture, but to the page itself. */
static bool is_loose(int spot)
{
    for (int i = 0; i < pictures; i++)
        if (spot >= picture[i].first && spot < picture[i].end)
            return false;
    return true;
}

static bool is_loose_text(int number)
{
    for (int i = 0; i < pictures; i++)
        if (number >= picture[i].texts && number < picture[i].texts_end)
            return false;
    return true;
}

static bool inside(struct es_box box, struct es_box outer)
{
    return box.left >= outer.left - tolerance() && box.top >= outer.top - tolerance() &&
           box.right <= outer.right + tolerance() && box.bottom <= outer.bottom + tolerance();
}

/* Checks that eight millimetres stay white on every side, for any printer. Pictures are clipped to
 * their boxes. */
static void assert_margins(void)
{
    for (int page = 1; page <= press->pages; page++) {
        const struct es_box room = {8 * mm, 8 * mm, wide_at[page] - 8 * mm, high_at[page] - 8 * mm};
        const bool last = page == press->pages;
        for (int i = 0; i < pictures; i++)
            if (picture[i].page == page && !inside(picture[i].box, room))
                fail_msg("'%s' on page %d leaves the page", picture[i].title, page);
        for (int i = spots_at[page]; i < (last ? sketch.spots : spots_at[page + 1]); i++) {
            struct es_spot at = sketch.spot[i].at;
            double r = sketch.spot[i].radius - 0.25; /* hairlines may run along the margin */
            struct es_box box = {at.x - r, at.y - r, at.x + r, at.y + r};
            if (is_loose(i) && !inside(box, room))
                fail_msg("something lies %.1f, %.1f mm from the upper left corner of page %d",
                         at.x / mm, at.y / mm, page);
        }
        for (int i = texts_at[page]; i < (last ? sketch.texts : texts_at[page + 1]); i++)
            if (is_loose_text(i) && !inside(sketch.text[i].box, room))
                fail_msg("the text %s leaves page %d", sketch.text[i].text, page);
    }
}

static void assert_apart(void)
{
    for (int i = 0; i < pictures; i++)
        for (int k = 0; k < i; k++) {
            struct es_box a = picture[i].box, b = picture[k].box;
            if (picture[i].page == picture[k].page && a.left < b.right - tolerance() &&
                b.left < a.right - tolerance() && a.top < b.bottom - tolerance() &&
                b.top < a.bottom - tolerance())
                fail_msg("'%s' covers '%s'", picture[i].title, picture[k].title);
        }
}

/* Whether a spot of the page itself is in the box. */
static bool is_marked(int page, struct es_box box)
{
    int last = page < press->pages ? spots_at[page + 1] : sketch.spots;
    for (int i = spots_at[page]; i < last; i++) {
        struct es_spot at = sketch.spot[i].at;
        if (inside((struct es_box){at.x, at.y, at.x, at.y}, box) && is_loose(i))
            return true;
    }
    return false;
}

/* Checks that these pictures can be cut out: each side has a mark at both ends, outside all
 * pictures, to lay a ruler on. */
static void assert_cuts(int first, int count)
{
    struct es_box all = picture[first].box;
    for (int i = first; i < first + count; i++) {
        struct es_box box = picture[i].box;
        all = (struct es_box){fmin(all.left, box.left), fmin(all.top, box.top),
                              fmax(all.right, box.right), fmax(all.bottom, box.bottom)};
    }
    const double gap = 1, w = wide_at[picture[first].page], h = high_at[picture[first].page];
    for (int i = first; i < first + count; i++) {
        const struct es_box b = picture[i].box;
        const int page = picture[i].page;
        const double xs[] = {b.left, b.right}, ys[] = {b.top, b.bottom};
        for (int k = 0; k < 2; k++)
            if (!is_marked(page, (struct es_box){xs[k], 0, xs[k], all.top - gap}) ||
                !is_marked(page, (struct es_box){xs[k], all.bottom + gap, xs[k], h}) ||
                !is_marked(page, (struct es_box){0, ys[k], all.left - gap, ys[k]}) ||
                !is_marked(page, (struct es_box){all.right + gap, ys[k], w, ys[k]}))
                fail_msg("'%s' on page %d has no marks to cut along", picture[i].title, page);
    }
}

/* ---- Sheets -------------------------------------------------------------------------------- */

static int count_names(void)
{
    int count = 0;
    for (int i = 0; i < sketch.texts; i++)
        count += strcmp(sketch.text[i].kind, "names") == 0;
    return count;
}

/* One sheet per page, as many as wanted, as large as the page allows. */
static void sheets_fill_their_pages(void **unused)
{
    (void)unused;
    static struct es_map map;
    static struct es_prepared prepared;
    struct es_fault fault;
    assert_int_equal(es_map_read(&map, es_builtin_map(es_str("practice")), &fault), ES_OK);
    struct es_setup setup = {.game = &es_verplant, .players = 1, .map = &map};
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    es_draw_prepare(&setup, &prepared);
    for (int i = 0; i < 4 * KINDS; i++) {
        const int count = i / 2 % 2 ? 3 : 1;
        const struct es_draw draw = {.prepared = &prepared, .no_names = count == 1};
        open_pages(i % 2, i / 4 % 2);
        for (int k = 0; k < count; k++)
            assert_true(es_print(&setup, es_str("sheet"), &draw, press));
        assert_int_equal(press->pages, count);
        assert_int_equal(pictures, count);
        for (int k = 0; k < pictures; k++) {
            struct es_box box = picture[k].box;
            double wide = box.right - box.left, high = box.bottom - box.top;
            assert_int_equal(picture[k].page, k + 1);
            assert_true(wide_at[k + 1] > high_at[k + 1]);
            assert_true(same(wide, wide_at[k + 1] - 16 * mm) ||
                        same(high, high_at[k + 1] - 16 * mm));
            assert_true(same(box.left, wide_at[k + 1] - box.right));
            assert_true(same(box.top, high_at[k + 1] - box.bottom));
        }
        assert_margins();
        assert_true(count == 1 ? count_names() == 0 : count_names() >= count * map.stations);
        close_pages();
    }
}

/* ---- Cards --------------------------------------------------------------------------------- */

/* A deck in its size to the millimetre, each card once for every copy; no cutting mark is left on a
 * card. */
static void cards_can_be_cut_out(void **unused)
{
    (void)unused;
    const char *const decks[] = {es_verplant_deck_14, es_verplant_deck_15,
                                 "1 2 3 4 5 6 7 8 9 x1 x2 x3 x4 x5 x6 x7 x8 x9 + o o"};
    static const int pages[] = {2, 2, 3};
    static struct sketch card;
    for (int i = 0; i < 6 * KINDS; i++) {
        struct es_setup setup = {.game = &es_verplant, .players = 1};
        assert_int_equal(es_verplant_deck_read(&setup, es_str(decks[i / 4])), ES_OK);
        open_pages(i % 2, i / 2 % 2);
        assert_true(es_print(&setup, es_str("cards"), &(struct es_draw){0}, press));
        assert_int_equal(press->pages, pages[i / 4]);
        assert_int_equal(pictures, es_verplant_deck(&setup)->size);
        for (int k = 0; k < pictures; k++) {
            const struct es_box box = picture[k].box;
            assert_true(same(box.right - box.left, 63 * 72 / 25.4));
            assert_true(same(box.bottom - box.top, 88 * 72 / 25.4));
            sketch_open(&card);
            es_verplant_draw_card(es_verplant_deck(&setup)->card[k],
                                  &(struct es_draw){.theme = ES_THEME_PRINT}, &card.painter);
            assert_string_equal(picture[k].title, card.title);
            assert_int_equal(picture[k].end - picture[k].first > 0, 1);
            assert_false(is_marked(picture[k].page, box));
        }
        assert_margins();
        assert_apart();
        for (int page = 1, first = 0, k = 0; k <= pictures; k++)
            if (k == pictures || picture[k].page != page) {
                assert_cuts(first, k - first);
                first = k;
                page++;
            }
        close_pages();
    }
}

/* ---- metro --------------------------------------------------------------------------------- */

/* Returns the box of a part in a picture. */
static struct es_box part_in(const struct picture *p, const char *id)
{
    int part = 0;
    while (part < sketch.parts &&
           (strcmp(sketch.part[part].id, id) || sketch.part[part].first < p->first))
        part++;
    assert_true(part < sketch.parts && sketch.part[part].end <= p->end);
    int run = sketch_next_run(&sketch, part, -1);
    assert_true(run >= 0);
    return sketch.run[run].box;
}

static bool is_sign(int run)
{
    return sketch.run[run].pen.stroke == ES_CLEAR && is_loose(sketch.run[run].first);
}

/* Returns where the this-side-up sign is in a square or tile, in fractions of its side; fails if
 * there is not exactly one. */
static struct es_box sign_in(struct es_box box, int first, int end)
{
    struct es_box sign = {0, 0, 0, 0};
    int count = 0;
    double side = box.right - box.left;
    for (int i = 0; i < sketch.runs; i++) {
        struct es_box b = sketch.run[i].box;
        if (sketch.run[i].first < first || sketch.run[i].end > end || !is_sign(i) ||
            !inside(b, box))
            continue;
        count++;
        sign = (struct es_box){(b.left - box.left) / side, (b.top - box.top) / side,
                               (b.right - box.left) / side, (b.bottom - box.top) / side};
    }
    assert_int_equal(count, 1);
    return sign;
}

/* On each half of the board an arrow at either end of the seam points at the other half. */
static void assert_arrows(int page, double seam)
{
    const struct es_box board = picture[page - 1].box;
    int left = 0, right = 0;
    for (int i = 0; i < sketch.runs; i++) {
        const struct es_box b = sketch.run[i].box;
        if (!is_sign(i) || sketch.run[i].first < spots_at[page] ||
            sketch.run[i].first >= spots_at[page + 1])
            continue;
        left += b.right < board.left;
        right += b.left > board.right;
        if (b.right >= board.left && b.left <= board.right)
            continue;
        assert_true(page == 1 ? b.bottom <= seam : b.top >= seam);
        assert_true(fmin(fabs(b.bottom - seam), fabs(b.top - seam)) < mm);
    }
    assert_int_equal(left, 1);
    assert_int_equal(right, 1);
}

/* The board comes in two halves on landscape pages. The seam is marked on both of them; the upper
 * half goes on beyond it, to glue the lower one on. */
static void assert_board(void)
{
    struct picture *upper = &picture[0], *lower = &picture[1];
    const double middle = (upper->whole.bottom - upper->whole.top) / 2;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(picture[i].page, i + 1);
        assert_true(wide_at[i + 1] > high_at[i + 1]);
        assert_true(same(picture[i].box.left, picture[i].whole.left));
        assert_true(same(picture[i].box.right, picture[i].whole.right));
    }
    assert_true(same(lower->box.top - lower->whole.top, middle));
    assert_true(same(lower->box.bottom, lower->whole.bottom));
    assert_true(same(upper->box.top, upper->whole.top));
    assert_true(upper->box.bottom - upper->whole.top > middle + 8 * mm);
    upper->box.bottom = upper->whole.top + middle;
    assert_cuts(0, 1);
    assert_cuts(1, 1);
    assert_arrows(1, upper->box.bottom);
    assert_arrows(2, lower->box.top);
    assert_int_equal(picture[2].page, 3);
}

/* The sixty tiles have the size of the squares, at least 25 mm, and the same side is up. */
static void assert_tiles(void)
{
    const struct es_box a1 = part_in(&picture[0], "square-a1");
    const double side = a1.right - a1.left;
    const struct es_box sign = sign_in(a1, spots_at[1], spots_at[2]);
    assert_true(side >= 25 * mm);
    assert_true(sign.left > 0 && sign.top > 0 && sign.right < 0.25 && sign.bottom < 0.25);
    for (int square = 0; square < ES_SQUARES; square++) {
        const int half = square / 8 / 4;
        char id[16] = "square-";
        struct es_out out = {id, sizeof id - 1, 7};
        es_square_write(square, &out);
        if (ES_CENTRE >> square & 1)
            continue;
        struct es_box box = part_in(&picture[half], id);
        struct es_box s = sign_in(box, spots_at[half + 1], spots_at[half + 2]);
        assert_true(inside(box, picture[half].box));
        assert_true(same(box.right - box.left, side) && same(box.bottom - box.top, side));
        assert_true(same(s.left, sign.left) && same(s.bottom, sign.bottom));
    }
    int copies[ES_TILE_KINDS] = {0};
    for (int i = 2; i < 62; i++) {
        const struct es_box box = picture[i].box;
        assert_int_equal(picture[i].page, 3);
        assert_true(same(box.right - box.left, side) && same(box.bottom - box.top, side));
        struct es_box s = sign_in(box, spots_at[3], spots_at[4]);
        assert_true(same(s.left, sign.left) && same(s.bottom, sign.bottom));
        for (int tile = 0; tile < ES_TILE_KINDS; tile++)
            copies[tile] += strcmp(picture[i].title, tile_title(es_tile_name[tile])) == 0;
    }
    assert_memory_equal(
        copies, ((int[]){4, 4, 4, 2, 2, 2, 4, 2, 2, 2, 3, 2, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}),
        sizeof copies);
    assert_int_equal(picture[62].page, 4);
    assert_cuts(2, 60);
}

static int player_of(const struct picture *p)
{
    const char *number = strstr(p->title, "player ");
    assert_non_null(number);
    return atoi(number + strlen("player "));
}

static int stations_of(int players, int player)
{
    int count = 0;
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        count += es_station_owner(players, station) == player;
    return count;
}

/* There are wagons for the stations of every player, whatever the number of players. Returns the
 * first picture after them. */
static int assert_wagons(void)
{
    int first = 62, most[ES_PLAYERS_MAX + 1] = {0}, made[ES_PLAYERS_MAX + 1] = {0}, i = first;
    for (int players = 2; players <= ES_PLAYERS_MAX; players++)
        for (int player = 1; player <= players; player++)
            if (stations_of(players, player) > most[player])
                most[player] = stations_of(players, player);
    double wide = picture[first].box.right - picture[first].box.left;
    for (; i < pictures && same(picture[i].box.right - picture[i].box.left, wide); i++)
        made[player_of(&picture[i])]++;
    assert_memory_equal(made, most, sizeof made);
    assert_cuts(first, i - first);
    return i;
}

/* Lists the numbers right or left of a wagon, in its row. */
static int numbers_beside(const struct es_box *box, bool right, int numbers[64])
{
    int count = 0;
    for (int i = texts_at[4]; i < sketch.texts; i++) {
        struct es_box t = sketch.text[i].box;
        double middle = (t.top + t.bottom) / 2;
        if (is_loose_text(i) && middle > box->top && middle < box->bottom &&
            (right ? t.left > box->right : t.right < box->left) && count < 64)
            numbers[count++] = atoi(sketch.text[i].text);
    }
    return count;
}

/* For every number of players there is a row for each player: their number, their wagon, their
 * stations. */
static void assert_owners(int next)
{
    int numbers[64], companies = 0;
    for (int players = 2; players <= ES_PLAYERS_MAX; players++)
        for (int player = 1; player <= players; player++, next++) {
            assert_true(next < pictures);
            assert_int_equal(player_of(&picture[next]), player);
            int count = numbers_beside(&picture[next].box, true, numbers), k = 0;
            assert_int_equal(count, stations_of(players, player));
            for (int station = 1; station <= ES_METRO_STATIONS; station++)
                if (es_station_owner(players, station) == player)
                    assert_int_equal(numbers[k++], station);
            count = numbers_beside(&picture[next].box, false, numbers);
            assert_true(count >= 1);
            assert_int_equal(numbers[count - 1], player);
        }
    assert_int_equal(next, pictures);
    /* The number of players is at the far left, once for each. */
    for (int i = texts_at[4]; i < sketch.texts; i++)
        if (is_loose_text(i) && sketch.text[i].box.left < wide_at[4] / 10) {
            assert_int_equal(atoi(sketch.text[i].text), 2 + companies);
            companies++;
        }
    assert_int_equal(companies, ES_PLAYERS_MAX - 1);
}

static void metro_can_be_played_on_paper(void **unused)
{
    (void)unused;
    struct es_setup setup = {.game = &es_metro, .players = 2};
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    for (int i = 0; i < 2 * KINDS; i++) {
        open_pages(i % 2, i / 2);
        for (const struct es_printable *thing = es_metro.prints; thing->name; thing++)
            assert_true(es_print(&setup, es_str(thing->name), &(struct es_draw){0}, press));
        assert_int_equal(press->pages, 4);
        assert_margins();
        assert_apart();
        assert_board();
        assert_tiles();
        assert_owners(assert_wagons());
        close_pages();
    }
}

static void unknown_things_print_nothing(void **unused)
{
    (void)unused;
    const struct es_setup metro = {.game = &es_metro, .players = 2};
    const struct es_setup depot = {.game = es_game_named(es_str("depot")), .players = 2};
    open_pages(SVG, ES_PAPER_A4);
    assert_false(es_print(&metro, es_str("sheet"), &(struct es_draw){0}, press));
    assert_false(es_print(&metro, es_str(""), &(struct es_draw){0}, press));
    assert_false(es_print(&depot, es_str("board"), &(struct es_draw){0}, press));
    assert_int_equal(press->pages, 0);
    assert_int_equal(svg.out.used, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(sheets_fill_their_pages, abandon_pages),
        cmocka_unit_test_teardown(cards_can_be_cut_out, abandon_pages),
        cmocka_unit_test_teardown(metro_can_be_played_on_paper, abandon_pages),
        cmocka_unit_test(unknown_things_print_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
