/* Tests of what `print` puts on paper, measured in points of the page: a painter between the pages
 * and cairo passes everything on and remembers where it was painted. */
#include "check.h"
#include "cli/print.h"
#include "games/metro/terminal.h"
#include "games/verplant/terminal.h"
#include "sketch.h"
#include <endstation/draw.h>
#include <endstation/verplant/layout.h>
#include <math.h>

enum { PICTURES = 256, PAGES = 8 };

/* A sheet, card, tile, wagon or board on a page. */
struct picture {
    char title[ES_PART_TEXT];
    struct es_box box;
    int page;
    int first, end; /* its spots in the sketch */
    int texts, texts_end;
};

static struct es_painter cairo; /* the painter that everything is passed on to */
static struct canvas canvas;
static struct sketch sketch;
static struct picture picture[PICTURES];
static int pictures;
static bool in_picture;
static int spots_at[PAGES + 1], texts_at[PAGES + 1]; /* the first of each page */

/* ---- Between print and cairo --------------------------------------------------------------- */

/* Pages count from 1. */
static void note_page(void)
{
    assert_in_range(canvas.pages, 1, PAGES - 1);
    for (int page = canvas.pages; page > 0 && spots_at[page] < 0; page--) {
        spots_at[page] = sketch.spots;
        texts_at[page] = sketch.texts;
    }
}

static struct es_spot on_page(struct es_spot at)
{
    cairo_user_to_device(canvas.cairo, &at.x, &at.y);
    return at;
}

static double scale(void)
{
    double x = 1, y = 0;
    cairo_user_to_device_distance(canvas.cairo, &x, &y);
    return x;
}

static struct es_pen scaled(const struct es_pen *pen)
{
    struct es_pen copy = *pen;
    copy.width *= scale();
    return copy;
}

static void begin(struct es_painter *painter, double wide, double high, uint32_t paper,
                  struct es_str title)
{
    note_page();
    assert_false(in_picture);
    assert_true(pictures < PICTURES);
    cairo.begin(painter, wide, high, paper, title);
    in_picture = true;
    struct picture *p = &picture[pictures];
    struct es_spot a = on_page((struct es_spot){0, 0}), b = on_page((struct es_spot){wide, high});
    *p = (struct picture){.box = {a.x, a.y, b.x, b.y}, .page = canvas.pages};
    p->first = sketch.spots;
    p->texts = sketch.texts;
    assert_true(es_str_copy(title, p->title, sizeof p->title));
}

static void end(struct es_painter *painter)
{
    picture[pictures].end = sketch.spots;
    picture[pictures++].texts_end = sketch.texts;
    cairo.end(painter);
    in_picture = false;
}

static void open_part(struct es_painter *painter, const struct es_part *part)
{
    cairo.begin_part(painter, part);
    sketch.painter.begin_part(&sketch.painter, part);
}

static void close_part(struct es_painter *painter)
{
    cairo.end_part(painter);
    sketch.painter.end_part(&sketch.painter);
}

static void move(struct es_painter *painter, struct es_spot to)
{
    note_page();
    cairo.move(painter, to);
    sketch.painter.move(&sketch.painter, on_page(to));
}

static void line(struct es_painter *painter, struct es_spot to)
{
    cairo.line(painter, to);
    sketch.painter.line(&sketch.painter, on_page(to));
}

static void curve(struct es_painter *painter, struct es_spot a, struct es_spot b, struct es_spot to)
{
    cairo.curve(painter, a, b, to);
    sketch.painter.curve(&sketch.painter, on_page(a), on_page(b), on_page(to));
}

static void shut(struct es_painter *painter)
{
    cairo.close_path(painter);
    sketch.painter.close_path(&sketch.painter);
}

static void paint(struct es_painter *painter, const struct es_pen *pen)
{
    struct es_pen copy = scaled(pen);
    cairo.paint(painter, pen);
    sketch.painter.paint(&sketch.painter, &copy);
}

static void circle(struct es_painter *painter, struct es_spot centre, double radius,
                   const struct es_pen *pen)
{
    struct es_pen copy = scaled(pen);
    note_page();
    cairo.circle(painter, centre, radius, pen);
    sketch.painter.circle(&sketch.painter, on_page(centre), radius * scale(), &copy);
}

static void text(struct es_painter *painter, const struct es_writing *writing)
{
    struct es_writing copy = *writing;
    note_page();
    cairo.text(painter, writing);
    copy.at = on_page(writing->at);
    copy.size *= scale();
    copy.width *= scale();
    sketch.painter.text(&sketch.painter, &copy);
}

static void open_pages(enum canvas_paper paper, bool landscape)
{
    canvas_open_pages(&canvas, "Test", paper, landscape);
    cairo = canvas.painter;
    canvas.painter = (struct es_painter){begin, end,  open_part, close_part, move, line,
                                         curve, shut, paint,     circle,     text};
    sketch_open(&sketch);
    pictures = 0;
    in_picture = false;
    for (int i = 0; i <= PAGES; i++)
        spots_at[i] = texts_at[i] = -1;
}

/* A test that failed has left its pages open. */
static int close_pages(void **unused)
{
    (void)unused;
    return canvas.surface ? canvas_close(&canvas, "test", "/dev/null") : 0;
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

static bool same(double a, double b)
{
    return fabs(a - b) < 0.001;
}

static bool inside(struct es_box box, struct es_box outer)
{
    return box.left >= outer.left - 0.001 && box.top >= outer.top - 0.001 &&
           box.right <= outer.right + 0.001 && box.bottom <= outer.bottom + 0.001;
}

/* Eight millimetres stay white on every side, for any printer. Pictures are clipped to their
 * boxes. */
static void assert_margins(void)
{
    const double mm = 72 / 25.4;
    const struct es_box room = {8 * mm, 8 * mm, canvas.width - 8 * mm, canvas.height - 8 * mm};
    for (int i = 0; i < pictures; i++)
        if (!inside(picture[i].box, room))
            fail_msg("'%s' on page %d leaves the page", picture[i].title, picture[i].page);
    for (int i = 0; i < sketch.spots; i++) {
        struct es_spot at = sketch.spot[i].at;
        double r = sketch.spot[i].radius - 0.25; /* hairlines may run along the margin */
        struct es_box box = {at.x - r, at.y - r, at.x + r, at.y + r};
        if (is_loose(i) && !inside(box, room))
            fail_msg("something lies %.1f, %.1f mm from the upper left corner", at.x / mm,
                     at.y / mm);
    }
    for (int i = 0; i < sketch.texts; i++)
        if (is_loose_text(i) && !inside(sketch.text[i].box, room))
            fail_msg("the text %s leaves the page", sketch.text[i].text);
}

static void assert_apart(void)
{
    for (int i = 0; i < pictures; i++)
        for (int k = 0; k < i; k++) {
            struct es_box a = picture[i].box, b = picture[k].box;
            if (picture[i].page == picture[k].page && a.left < b.right - 0.001 &&
                b.left < a.right - 0.001 && a.top < b.bottom - 0.001 && b.top < a.bottom - 0.001)
                fail_msg("'%s' covers '%s'", picture[i].title, picture[k].title);
        }
}

/* Whether a spot of the page itself is in the box. */
static bool is_marked(int page, struct es_box box)
{
    int last = page < canvas.pages ? spots_at[page + 1] : sketch.spots;
    for (int i = spots_at[page]; i < last; i++) {
        struct es_spot at = sketch.spot[i].at;
        if (inside((struct es_box){at.x, at.y, at.x, at.y}, box) && is_loose(i))
            return true;
    }
    return false;
}

/* One can cut along every side of these pictures: at both ends of the cut there is a mark outside
 * all of them, to lay a ruler on. */
static void assert_cuts(int first, int count)
{
    struct es_box all = picture[first].box;
    for (int i = first; i < first + count; i++) {
        struct es_box box = picture[i].box;
        all = (struct es_box){fmin(all.left, box.left), fmin(all.top, box.top),
                              fmax(all.right, box.right), fmax(all.bottom, box.bottom)};
    }
    const double w = canvas.width, h = canvas.height, gap = 1;
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

static int names(void)
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
    struct es_fault fault;
    assert_int_equal(es_map_read(&map, es_builtin_map(es_str("practice")), &fault), ES_OK);
    for (enum canvas_paper paper = CANVAS_A4; paper <= CANVAS_LETTER; paper++)
        for (int count = 1; count <= 3; count += 2) {
            open_pages(paper, true);
            es__print_sheets(&canvas, &map, count == 1, (unsigned)count);
            assert_int_equal(canvas.pages, count);
            assert_int_equal(pictures, count);
            for (int i = 0; i < pictures; i++) {
                struct es_box box = picture[i].box;
                double wide = box.right - box.left, high = box.bottom - box.top;
                assert_int_equal(picture[i].page, i + 1);
                assert_true(same(wide, canvas.width - 16 * 72 / 25.4) ||
                            same(high, canvas.height - 16 * 72 / 25.4));
                assert_true(same(box.left, canvas.width - box.right));
                assert_true(same(box.top, canvas.height - box.bottom));
            }
            assert_margins();
            assert_true(count == 1 ? names() == 0 : names() >= count * map.stations);
            assert_int_equal(canvas_close(&canvas, "test", "/dev/null"), CLI_OK);
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
    for (int i = 0; i < 6; i++) {
        struct es_setup setup = {.game = &es_verplant, .players = 1};
        assert_int_equal(es_verplant_deck_read(&setup, es_str(decks[i / 2])), ES_OK);
        open_pages(i % 2 ? CANVAS_LETTER : CANVAS_A4, true);
        es__print_cards(&canvas, &setup);
        assert_int_equal(canvas.pages, pages[i / 2]);
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
        assert_int_equal(canvas_close(&canvas, "test", "/dev/null"), CLI_OK);
    }
}

/* ---- metro --------------------------------------------------------------------------------- */

static struct es_box square_of(const char *id)
{
    int part = sketch_part(&sketch, id);
    assert_true(part >= 0);
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

static void assert_board(void)
{
    assert_int_equal(picture[0].page, 1);
    assert_true(same(picture[0].box.left, 8 * 72 / 25.4));
    assert_true(same(picture[0].box.right, canvas.width - 8 * 72 / 25.4));
    assert_int_equal(picture[1].page, 2);
}

/* The sixty tiles have the size of the squares, and the same side is up. */
static void assert_tiles(void)
{
    const struct es_box a1 = square_of("square-a1");
    const double side = a1.right - a1.left;
    const struct es_box sign = sign_in(a1, spots_at[1], spots_at[2]);
    assert_true(sign.left > 0 && sign.top > 0 && sign.right < 0.25 && sign.bottom < 0.25);
    for (int square = 0; square < ES_SQUARES; square++) {
        char id[16] = "square-";
        struct es_out out = {id, sizeof id - 1, 7};
        es_square_write(square, &out);
        if (ES_CENTRE >> square & 1)
            continue;
        struct es_box s = sign_in(square_of(id), spots_at[1], spots_at[2]);
        assert_true(same(s.left, sign.left) && same(s.bottom, sign.bottom));
    }
    int copies[ES_TILE_KINDS] = {0};
    for (int i = 1; i <= 60; i++) {
        const struct es_box box = picture[i].box;
        assert_int_equal(picture[i].page, 2);
        assert_true(same(box.right - box.left, side) && same(box.bottom - box.top, side));
        struct es_box s = sign_in(box, spots_at[2], spots_at[3]);
        assert_true(same(s.left, sign.left) && same(s.bottom, sign.bottom));
        for (int tile = 0; tile < ES_TILE_KINDS; tile++)
            copies[tile] += strcmp(picture[i].title, tile_title(es_tile_name[tile])) == 0;
    }
    assert_memory_equal(
        copies, ((int[]){4, 4, 4, 2, 2, 2, 4, 2, 2, 2, 3, 2, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}),
        sizeof copies);
    assert_int_equal(picture[61].page, 3);
    assert_cuts(1, 60);
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
    int first = 61, most[ES_PLAYERS_MAX + 1] = {0}, made[ES_PLAYERS_MAX + 1] = {0}, i = first;
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
    for (int i = texts_at[3]; i < sketch.texts; i++) {
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
    for (int i = texts_at[3]; i < sketch.texts; i++)
        if (is_loose_text(i) && sketch.text[i].box.left < canvas.width / 10) {
            assert_int_equal(atoi(sketch.text[i].text), 2 + companies);
            companies++;
        }
    assert_int_equal(companies, ES_PLAYERS_MAX - 1);
}

static void metro_can_be_played_on_paper(void **unused)
{
    (void)unused;
    for (enum canvas_paper paper = CANVAS_A4; paper <= CANVAS_LETTER; paper++) {
        open_pages(paper, false);
        es__print_metro(&canvas);
        assert_int_equal(canvas.pages, 3);
        assert_board();
        assert_tiles();
        assert_owners(assert_wagons());
        assert_margins();
        assert_apart();
        assert_int_equal(canvas_close(&canvas, "test", "/dev/null"), CLI_OK);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(sheets_fill_their_pages, close_pages),
        cmocka_unit_test_teardown(cards_can_be_cut_out, close_pages),
        cmocka_unit_test_teardown(metro_can_be_played_on_paper, close_pages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
