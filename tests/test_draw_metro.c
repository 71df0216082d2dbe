/* Tests of the picture of metro's board: tracks meet at the seams, parts can be found, nothing
 * overflows. */
#include "check.h"
#include <endstation/draw.h>
#include <endstation/metro.h>
#include <endstation/metro/picture.h>
#include <string.h>

/* ---- Seams --------------------------------------------------------------------------------- */

/* A painter that keeps only the paths painted with butt ends: the tracks. */
enum { PATHS = 16, SPOTS = 16 };
struct tracer {
    struct es_painter painter;
    struct es_spot spots[PATHS][SPOTS];
    int size[PATHS], count, kept;
};

static struct tracer *tracer_of(struct es_painter *painter)
{
    return (struct tracer *)painter;
}

static void add(struct es_painter *painter, struct es_spot at)
{
    struct tracer *t = tracer_of(painter);
    assert_true(t->count > 0 && t->size[t->count - 1] < SPOTS);
    t->spots[t->count - 1][t->size[t->count - 1]++] = at;
}

static void move(struct es_painter *painter, struct es_spot to)
{
    struct tracer *t = tracer_of(painter);
    assert_true(t->count < PATHS);
    t->size[t->count++] = 0;
    add(painter, to);
}

static void curve(struct es_painter *painter, struct es_spot a, struct es_spot b, struct es_spot to)
{
    add(painter, a);
    add(painter, b);
    add(painter, to);
}

static void paint(struct es_painter *painter, const struct es_pen *pen)
{
    struct tracer *t = tracer_of(painter);
    if (pen->butt && pen->width < 15) /* broader ones are the gaps below a crossing track */
        t->kept = t->count;
    t->count = t->kept;
}

static void circle(struct es_painter *painter, struct es_spot centre, double radius,
                   const struct es_pen *pen)
{
    (void)painter, (void)centre, (void)radius, (void)pen;
}

static void text(struct es_painter *painter, const struct es_writing *writing)
{
    (void)painter, (void)writing;
}

static void open_part(struct es_painter *painter, const struct es_part *part)
{
    (void)painter, (void)part;
}

static void begin(struct es_painter *painter, double width, double height, uint32_t paper,
                  struct es_str title)
{
    (void)painter, (void)paper;
    assert_true(width == 100 && height == 100 && title.size > 0);
}

static void nothing(struct es_painter *painter)
{
    (void)painter;
}

static bool same(double a, double b)
{
    return a - b < 1e-9 && b - a < 1e-9;
}

/* Returns the side of the tile beyond which a spot lies, and sets which third of it. */
static int side_of(struct es_spot at, int *third)
{
    int side = at.y < 0     ? ES_SIDE_TOP
               : at.x > 100 ? ES_SIDE_RIGHT
               : at.y > 100 ? ES_SIDE_BOTTOM
               : at.x < 0   ? ES_SIDE_LEFT
                            : -1;
    assert_true(side >= 0);
    double along = side % 2 ? at.y : at.x;
    *third = same(along, 100.0 / 3) ? 1 : same(along, 200.0 / 3) ? 2 : 0;
    assert_true(*third != 0);
    return side;
}

/* Checks that a track crosses the side at a right angle: its end and the next two points are in
 * line. */
static void assert_square_on(int side, struct es_spot a, struct es_spot b, struct es_spot c)
{
    assert_true(side % 2 ? same(a.y, b.y) && same(b.y, c.y) : same(a.x, b.x) && same(b.x, c.x));
}

/* "trains keep right": clockwise round the tile, each side has its way in first, then its way out.
 * All orientations therefore have their track ends at the same eight spots. */
static void tracks_meet_at_the_seams(void **state)
{
    (void)state;
    static const int way_in[4] = {1, 1, 2, 2};
    for (int look = 0; look < ES_TILE_KINDS; look++) {
        struct tracer t = {.painter = {begin, nothing, open_part, nothing, move, add, curve,
                                       nothing, paint, circle, text}};
        struct es_draw draw = {0};
        unsigned seen = 0;
        es_metro_draw_tile(look, &draw, &t.painter);
        assert_int_equal(t.kept, 4);
        for (int i = 0; i < 4; i++) {
            const struct es_spot *p = t.spots[i];
            int n = t.size[i], in, out, from = side_of(p[0], &in), to = side_of(p[n - 1], &out);
            assert_int_equal(in, way_in[from]);
            assert_int_equal(out, 3 - way_in[to]);
            assert_int_equal(es_tile_exit[look][from], to);
            seen |= 1u << from;
            if (n == 2)
                continue; /* straight across */
            assert_int_equal(n, 6);
            assert_square_on(from, p[0], p[1], p[2]);
            assert_square_on(to, p[5], p[4], p[3]);
            /* The curve itself ends on the side. */
            assert_true(same(from % 2 ? p[1].x : p[1].y, from == 0 || from == 3 ? 0 : 100));
            assert_true(same(to % 2 ? p[4].x : p[4].y, to == 0 || to == 3 ? 0 : 100));
        }
        assert_int_equal(seen, 15);
    }
}

/* ---- Boards -------------------------------------------------------------------------------- */

static char svg_text[2 * ES_SVG_BYTES];

static const char *drawn(const struct es_setup *setup, const struct es_state *state,
                         const struct es_draw *draw)
{
    struct es_svg svg;
    es_svg_open(&svg, svg_text, sizeof svg_text - 1);
    es_draw(setup, state, draw, &svg.painter);
    assert_true(svg.out.used <= ES_SVG_BYTES);
    svg_text[svg.out.used] = '\0';
    return svg_text;
}

static int count_of(const char *svg, const char *words)
{
    int count = 0;
    for (const char *at = svg; (at = strstr(at, words)); at++)
        count++;
    return count;
}

/* Plays any legal event, chosen by a generator that is the same everywhere. */
static bool play_on(const struct es_setup *setup, struct es_state *state, uint32_t *seed)
{
    es_event events[ES_LEGAL_MAX];
    for (int who = 0; who <= setup->players; who++) {
        size_t count = setup->game->legal(setup, state, who, events);
        if (count == 0)
            continue;
        *seed = *seed * 1664525 + 1013904223;
        assert_int_equal(setup->game->apply(setup, state, events[(*seed >> 8) % count]), ES_OK);
        return true;
    }
    return false;
}

static void assert_ids_once(const char *svg)
{
    for (const char *at = svg; (at = strstr(at, " id=\"")); at++) {
        char id[48] = {0};
        const char *end = strchr(at + 5, '"');
        assert_non_null(end);
        assert_true((size_t)(end - at) < sizeof id - 1);
        memcpy(id, at, (size_t)(end - at) + 1);
        assert_int_equal(count_of(svg, id), 1);
    }
}

static void assert_whole(const char *svg)
{
    assert_int_equal(count_of(svg, " data-square=\""), 60);
    assert_int_equal(count_of(svg, "<g id=\"station-"), 32);
    assert_int_equal(count_of(svg, "<g"), count_of(svg, "</g>"));
    assert_int_equal(count_of(svg, "<svg"), count_of(svg, "</svg>"));
}

/* Whole games with a picture at every step: viewers, themes, lit stations, plans and names take
 * turns. */
static void every_state_can_be_drawn(void **state)
{
    (void)state;
    static const char name[ES_PLAYERS_MAX][ES_LABEL_BYTES] = {"Ada", "<Grace> & \"Co\"", "",
                                                              "Somebody with quite a long name"};
    for (uint32_t game = 0; game < 5; game++) {
        struct es_setup setup = {.game = &es_metro,
                                 .players = (uint8_t)(2 + game % 5),
                                 .rules = game % 3 == 1   ? ES_METRO_ROTATE
                                          : game % 3 == 2 ? ES_METRO_HAND3
                                                          : 0};
        struct es_state now, before, next;
        uint32_t seed = game;
        assert_int_equal(es_setup_prepare(&setup), ES_OK);
        setup.game->start(&setup, &now);
        before = now;
        for (int step = 0;; step++) {
            next = now;
            bool more = play_on(&setup, &next, &seed);
            struct es_draw draw = {.viewer = step % (setup.players + 1),
                                   .theme = (enum es_theme)(step % 3),
                                   .bare = step % 7 == 0,
                                   .before = step % 2 ? &before : NULL,
                                   .planned = step % 3 == 0 ? &next : NULL,
                                   .lit = step % 40 - 3, /* some of these are no stations */
                                   .name = step % 2 ? name : NULL};
            const char *svg = drawn(&setup, &now, &draw);
            assert_whole(svg);
            if (step % 11 == 0)
                assert_ids_once(svg);
            if (draw.lit >= 1 && draw.lit <= 32)
                assert_true(count_of(svg, "class=\"line lit\"") >= 1);
            if (!more)
                break;
            before = now;
            now = next;
        }
    }
}

/* The planned move, and the latest one made, are marked. */
static void planned_and_latest_moves_are_marked(void **state)
{
    (void)state;
    struct es_setup setup = {.game = &es_metro, .players = 2};
    struct es_state now, next;
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    setup.game->start(&setup, &now);
    es_metro.apply(&setup, &now, ES_METRO_DEAL(1, ES_TILE_aacb));
    es_metro.apply(&setup, &now, ES_METRO_DEAL(2, ES_TILE_dddd));
    next = now;
    uint8_t square;
    es_square_read(es_str("d8"), &square);
    assert_int_equal(es_metro.apply(&setup, &next, ES_METRO_LAY(1, ES_TILE_aacb, 0, square)),
                     ES_OK);
    struct es_draw draw = {.viewer = 1};
    const char *svg = drawn(&setup, &now, &draw);
    assert_non_null(strstr(svg, "<g id=\"square-d8\" class=\"square legal\" data-square=\"d8\">"
                                "<title>square d8, empty, a tile can go here</title>"));
    assert_non_null(strstr(svg, "id=\"hand-1\" class=\"tile\" data-tile=\"aacb\""));
    assert_null(strstr(svg, "dddd")); /* in the other player's hand */
    draw.planned = &next;
    svg = drawn(&setup, &now, &draw);
    assert_non_null(strstr(svg, "class=\"square planned\" data-square=\"d8\" data-tile=\"aacb\">"
                                "<title>square d8, tile, planned</title>"));
    /* it makes the line of station 20 longer, which is in its owner's colour */
    assert_non_null(strstr(svg, "<g id=\"line-20\" class=\"line longer\" data-station=\"20\" "
                                "data-owner=\"2\">"));
    const es_event lay = ES_METRO_LAY(1, ES_TILE_aacb, 0, square);
    draw = (struct es_draw){.before = &now, .since = &lay, .since_count = 1, .lit = 20};
    svg = drawn(&setup, &next, &draw);
    assert_int_equal(count_of(svg, "class=\"line longer\""), 0);
    assert_int_equal(count_of(svg, "class=\"square legal\""), 0); /* a spectator lays nothing */
    assert_non_null(strstr(svg, "class=\"square fresh\" data-square=\"d8\" data-tile=\"aacb\">"));
    assert_non_null(strstr(svg, "<g id=\"line-20\" class=\"line lit\" data-station=\"20\" "
                                "data-owner=\"2\"><title>station 20, player 2, 1 tile</title>"));
}

/* The better move and the one played, on squares of their own or on the same. */
static void a_better_and_a_played_move_are_marked(void **state)
{
    (void)state;
    struct es_setup setup = {.game = &es_metro, .players = 2, .rules = ES_METRO_ROTATE};
    struct es_state now, better, played;
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    setup.game->start(&setup, &now);
    check_apply(&setup, &now, "deal 1 aacb");
    check_apply(&setup, &now, "deal 2 dddd");
    better = played = now;
    check_apply(&setup, &better, "1 aacb d8");
    check_apply(&setup, &played, "1 aacb/1 a2");
    struct es_draw draw = {.viewer = 1, .planned = &better, .instead = &played};
    const char *svg = drawn(&setup, &now, &draw);
    assert_non_null(strstr(svg, "class=\"square planned\" data-square=\"d8\" data-tile=\"aacb\">"
                                "<title>square d8, tile, the better move</title>"));
    assert_non_null(strstr(svg, "<g id=\"played-a2\" class=\"square played\" data-square=\"a2\" "
                                "data-tile=\"baac\">"
                                "<title>square a2, tile, the move played</title>"));
    assert_int_equal(count_of(svg, "class=\"square legal\""), 0);
    assert_ids_once(svg);
    played = now;
    check_apply(&setup, &played, "1 aacb/1 d8");
    svg = drawn(&setup, &now, &draw);
    assert_int_equal(count_of(svg, "class=\"square planned\""), 1);
    assert_non_null(strstr(svg, "<g id=\"played-d8\" class=\"square played\" data-square=\"d8\" "
                                "data-tile=\"baac\">"));
    better = now; /* a tile that is drawn lies on no square */
    check_apply(&setup, &better, "1 draw");
    svg = drawn(&setup, &now, &draw);
    assert_int_equal(count_of(svg, "class=\"square planned\""), 0);
    assert_int_equal(count_of(svg, "class=\"square played\""), 1);
    draw.planned = &played;
    draw.instead = &better;
    svg = drawn(&setup, &now, &draw);
    assert_int_equal(count_of(svg, "class=\"square planned\""), 1);
    assert_int_equal(count_of(svg, "class=\"square played\""), 0);
}

/* New to a player are the tiles that others have laid since the player's own last one, each titled
 * with who laid it; if there are none, and for spectators, the last tile laid. Drawing a tile is no
 * move. */
static void tiles_laid_since_the_viewers_own_are_new(void **state)
{
    (void)state;
    struct es_setup setup = {.game = &es_metro, .players = 3};
    struct es_state before, now;
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    uint8_t square[4];
    static const char *const squares[] = {"a1", "c1", "e1", "g1"};
    for (int i = 0; i < 4; i++)
        es_square_read(es_str(squares[i]), &square[i]);
    const es_event events[] = {
        ES_METRO_DEAL(1, ES_TILE_aaaa), ES_METRO_DEAL(2, ES_TILE_aaaa),
        ES_METRO_DEAL(3, ES_TILE_aaaa), ES_METRO_LAY(1, ES_TILE_aaaa, 0, square[0]),
        ES_METRO_DEAL(1, ES_TILE_aaaa), ES_METRO_LAY(2, ES_TILE_aaaa, 0, square[1]),
        ES_METRO_DEAL(2, ES_TILE_aacb), ES_METRO_LAY(3, ES_TILE_aaaa, 0, square[2]),
        ES_METRO_DEAL(3, ES_TILE_aacb), ES_METRO_DRAW(1),
        ES_METRO_DEAL(1, ES_TILE_aacb),
    };
    enum { COUNT = sizeof events / sizeof events[0] };
    static const size_t earlier[] = {7, 4, 6, 7}; /* for a spectator, and players 1, 2 and 3 */
    for (int viewer = 0; viewer <= 3; viewer++)
        assert_int_equal(es_before_latest(&setup, events, COUNT, viewer), earlier[viewer]);
    assert_int_equal(es_before_latest(&setup, events, 3, 1), 0);
    assert_int_equal(es_before_latest(&setup, events, 5, 2), 0); /* player 2 has not moved yet */
    assert_int_equal(es_fold(&setup, events, COUNT, &now), ES_OK);
    assert_int_equal(es_fold(&setup, events, 4, &before), ES_OK);
    struct es_draw draw = {
        .viewer = 1, .before = &before, .since = events + 4, .since_count = COUNT - 4};
    const char *svg = drawn(&setup, &now, &draw);
    assert_int_equal(count_of(svg, "class=\"square fresh\""), 2);
    assert_non_null(strstr(svg, "<title>square c1, tile, new, player 2</title>"));
    assert_non_null(strstr(svg, "<title>square e1, tile, new, player 3</title>"));
}

/* A board to print and play on has numbers, but no wagons. */
static void blank_boards_have_no_wagons(void **state)
{
    (void)state;
    struct es_setup setup = {.game = &es_metro, .players = 2};
    struct es_state start;
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    setup.game->start(&setup, &start);
    struct es_draw draw = {.theme = ES_THEME_PRINT, .bare = true};
    const char *svg = drawn(&setup, &start, &draw);
    assert_whole(svg);
    assert_int_equal(count_of(svg, "data-owner"), 0);
    draw.theme = ES_THEME_LIGHT;
    assert_int_equal(count_of(drawn(&setup, &start, &draw), "data-owner"), 32);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracks_meet_at_the_seams),
        cmocka_unit_test(every_state_can_be_drawn),
        cmocka_unit_test(planned_and_latest_moves_are_marked),
        cmocka_unit_test(a_better_and_a_played_move_are_marked),
        cmocka_unit_test(tiles_laid_since_the_viewers_own_are_new),
        cmocka_unit_test(blank_boards_have_no_wagons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
