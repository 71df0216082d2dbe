/* Tests that pictures show the true state: values, sums, marks, windows, wagons, lanes, hands. They
 * check what is painted where, not how. */
#include "check.h"
#include "sketch.h"
#include <endstation/bots.h>
#include <endstation/verplant/bots.h>
#include <endstation/verplant/layout.h>
#include <math.h>

static struct es_map map;
static struct es_layout layout;
static struct sketch sketch;

static struct es_setup new_game(int players, struct es_state *state)
{
    struct es_setup setup = {.game = &es_verplant, .players = (uint8_t)players, .map = &map};
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    setup.game->start(&setup, state);
    es_layout(&map, false, &layout);
    return setup;
}

static struct es_setup practice_game(int players, struct es_state *state)
{
    check_builtin(&map, "practice");
    return new_game(players, state);
}

static void show(const struct es_setup *setup, const struct es_state *state, struct es_draw draw)
{
    draw.prepared = &layout;
    sketch_open(&sketch);
    es_draw(setup, state, &draw, &sketch.painter);
}

static int part_of(const char *id)
{
    int part = sketch_part(&sketch, id);
    if (part < 0)
        fail_msg("there is no part %s", id);
    return part;
}

/* Returns the part of this kind within another; -1: none. */
static int kind_in(int outer, const char *kind)
{
    for (int i = outer + 1; i < sketch.parts && sketch.part[i].first < sketch.part[outer].end; i++)
        if (strcmp(sketch.part[i].kind, kind) == 0)
            return i;
    return -1;
}

static bool is_stroke(int run)
{
    return sketch.run[run].pen.fill == ES_CLEAR && sketch.run[run].pen.stroke != ES_CLEAR;
}

/* Returns how many strokes without a fill a part has, and sets the last of them. */
static int strokes_of(int part, int *last)
{
    int count = 0;
    for (int run = -1; (run = sketch_next_run(&sketch, part, run)) >= 0;)
        if (is_stroke(run)) {
            *last = run;
            count++;
        }
    return count;
}

static bool inside(struct es_box box, struct es_box outer)
{
    return box.left >= outer.left && box.top >= outer.top && box.right <= outer.right &&
           box.bottom <= outer.bottom;
}

/* ---- Values and sum ------------------------------------------------------------------------ */

static const struct sketch_text *text_in(const char *id, const char *text)
{
    int part = part_of(id);
    for (int i = 0; i < sketch.texts; i++)
        if (sketch.text[i].part == part && strcmp(sketch.text[i].text, text) == 0)
            return &sketch.text[i];
    fail_msg("%s does not show %s", id, text);
    return NULL;
}

/* Counts pen marks at a number: a stroke that stays clear of it rings it, one that runs through it
 * strikes it out. */
static void pen_at(const char *id, const char *number, int *rings, int *strikes)
{
    const struct es_box box = text_in(id, number)->box;
    int part = part_of(id);
    *rings = *strikes = 0;
    for (int run = -1; (run = sketch_next_run(&sketch, part, run)) >= 0;) {
        bool through = false;
        for (int i = sketch.run[run].first; i < sketch.run[run].end; i++) {
            struct es_spot at = sketch.spot[i].at;
            through |= inside((struct es_box){at.x, at.y, at.x, at.y}, box);
        }
        if (!is_stroke(run) || !inside(box, sketch.run[run].box))
            continue;
        *rings += !through;
        *strikes += through;
    }
}

static void assert_pen(const char *id, const char *number, int rings, int strikes)
{
    int r, s;
    pen_at(id, number, &r, &s);
    if (r != rings || s != strikes)
        fail_msg("%s: the %s is ringed %d times and struck out %d times", id, number, r, s);
}

/* For a player who completes a line later, the square is ringed and the diamond struck out. */
static void the_value_won_is_ringed(void **unused)
{
    (void)unused;
    check_map(&map, "endstation-map 1\nid m\ntitle M\npaper ffffff\n"
                    "station a 0 0\nstation b 2 0\nstation c 4 0\n"
                    "line A ff0000 windows 2 points 5 3 wagon -1 0 : a b\n"
                    "line B 0000ff windows 2 points 4 2 wagon 6 0 : c b\n");
    struct es_state state;
    struct es_setup setup = new_game(2, &state);
    static const char *const events[] = {"card 3", "1 A2", "2 B0", "card 3", "1 B0", "2 A2"};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        check_apply(&setup, &state, events[i]);
    show(&setup, &state, (struct es_draw){.viewer = 1});
    assert_pen("value-A", "5", 1, 0);
    assert_pen("value-A", "3", 0, 0);
    assert_pen("value-B", "4", 0, 0);
    assert_pen("value-B", "2", 0, 0);
    show(&setup, &state, (struct es_draw){.viewer = 2});
    assert_pen("value-A", "5", 0, 1);
    assert_pen("value-A", "3", 1, 0);
    assert_pen("value-B", "4", 0, 0);
}

/* Returns the number in the box of the sum at the height of a sign. */
static int number_beside(const struct sketch_text *sign)
{
    double middle = (sign->box.top + sign->box.bottom) / 2;
    const struct sketch_text *found = NULL;
    for (int i = 0; i < sketch.texts; i++) {
        const struct sketch_text *t = &sketch.text[i];
        if (t != sign && t->part == sign->part && t->box.top < middle && t->box.bottom > middle &&
            t->box.left > sign->box.right) {
            assert_null(found);
            found = t;
        }
    }
    assert_non_null(found);
    bool minus = strncmp(found->text, "\xe2\x88\x92", 3) == 0;
    return minus ? -atoi(found->text + 3) : atoi(found->text);
}

/* Returns the topmost number of the sum, which has no sign beside it: the points of lines. */
static int first_number(void)
{
    const struct sketch_text *top = NULL;
    for (int i = 0; i < sketch.texts; i++)
        if (sketch.text[i].part == part_of("sum") &&
            (!top || sketch.text[i].box.top < top->box.top))
            top = &sketch.text[i];
    assert_non_null(top);
    return atoi(top->text);
}

/* After every round of a game, each number of the sum is right and beside its own sign. */
static void the_numbers_of_the_sum_are_right(void **unused)
{
    (void)unused;
    struct es_state state;
    struct es_setup setup = practice_game(2, &state);
    struct es_random random;
    es_random_seed(&random, 3);
    const uint8_t seed[ES_SEED_BYTES] = {9};
    int telling = 0; /* sums in which all numbers differ */
    while (setup.game->turn(&setup, &state).kind != ES_TURN_OVER) {
        es_event card = setup.game->deal(&setup, &state, seed);
        assert_int_equal(setup.game->apply(&setup, &state, card), ES_OK);
        for (int p = 1; p <= 2; p++)
            while (es_verplant_state(&state)->acting >> (p - 1) & 1) {
                const struct es_verplant_state *s = es_verplant_state(&state);
                es_sheet_bot *bot = p == 1 ? es_bot_greedy : es_bot_any_line;
                es_choice choice = bot(&map, &s->sheet[p - 1], s->card, &random);
                setup.game->apply(&setup, &state, ES_VERPLANT_ENTRY(p, choice));
            }
        for (int p = 1; p <= 2; p++) {
            struct es_verplant_sum sum = es_verplant_sum(&setup, &state, p);
            char title[100];
            snprintf(title, sizeof title,
                     "lines %d, transfers %d, %d empty stations, penalty %d, "
                     "total %d",
                     sum.lines, sum.transfers, sum.empty, sum.penalty, sum.total);
            show(&setup, &state, (struct es_draw){.viewer = p});
            assert_string_equal(sketch.part[part_of("sum")].title, title);
            assert_int_equal(first_number(), sum.lines);
            assert_int_equal(number_beside(text_in("sum", "2 \xc3\x97")), sum.transfers);
            assert_int_equal(number_beside(text_in("sum", "\xe2\x88\x92 \xc2\xbd")), sum.penalty);
            assert_int_equal(number_beside(text_in("sum", "=")), sum.total);
            telling += sum.lines != sum.transfers && sum.lines != sum.penalty &&
                       sum.transfers != sum.penalty && sum.lines && sum.transfers;
        }
    }
    assert_true(telling > 5);
}

/* ---- Stations ------------------------------------------------------------------------------ */

static void special_stations_have_rays(void **unused)
{
    (void)unused;
    for (int i = 0; es_builtin_maps[i].id; i++) {
        struct es_fault fault;
        struct es_state state;
        assert_int_equal(es_map_read(&map, es_builtin_maps[i].text, &fault), ES_OK);
        struct es_setup setup = new_game(1, &state);
        show(&setup, &state, (struct es_draw){0});
        for (int s = 0; s < map.stations; s++) {
            char id[40];
            snprintf(id, sizeof id, "station-%s", map.station[s].id);
            bool rays = false;
            for (int run = -1; (run = sketch_next_run(&sketch, part_of(id), run)) >= 0;)
                rays |= is_stroke(run) && sketch.run[run].moves >= 8;
            assert_int_equal(rays, es_map_special(&map, s));
        }
    }
}

/* Checks the mark on a station: a cross is one run of two strokes, a transfer a number in a frame.
 * Returns the number of strokes of the number; 0: a cross. */
static int mark_at(const char *id, const char *kind, uint32_t *colour)
{
    int mark = kind_in(part_of(id), kind), last = -1;
    if (mark < 0)
        fail_msg("%s has no %s", id, kind);
    int strokes = strokes_of(mark, &last), first = sketch_next_run(&sketch, mark, -1);
    *colour = sketch.run[last].pen.stroke;
    if (strokes == 1) {
        assert_int_equal(sketch.run[first].moves, 2);
        return 0;
    }
    assert_int_equal(strokes, 2);
    assert_int_equal(sketch.run[first].pen.stroke, *colour);
    assert_true(inside(sketch.run[first].box, sketch.run[last].box));
    return sketch.run[first].moves;
}

static void transfers_are_framed_numbers(void **unused)
{
    (void)unused;
    struct es_state state, planned;
    struct es_setup setup = practice_game(1, &state);
    uint32_t colour;
    check_apply(&setup, &state, "card 3");
    check_apply(&setup, &state, "1 A3");
    check_apply(&setup, &state, "card +");
    check_apply(&setup, &state, "1 A1");
    check_apply(&setup, &state, "card +");
    planned = state;
    check_apply(&setup, &planned, "1 B1");
    show(&setup, &state, (struct es_draw){.planned = &planned});
    assert_int_equal(mark_at("station-w1", "mark", &colour), 0);
    assert_int_equal(mark_at("station-r8", "mark", &colour), 0);
    assert_int_equal(mark_at("station-ce", "mark", &colour), 2);         /* a 4 takes two strokes */
    assert_int_equal(mark_at("station-n1", "mark planned", &colour), 1); /* a 1 only one */
}

/* ---- Wagons -------------------------------------------------------------------------------- */

/* On a new sheet nothing but the arrows of a ring is stroked on a wagon. */
static void rings_have_arrows(void **unused)
{
    (void)unused;
    struct es_state state;
    struct es_setup setup = practice_game(1, &state);
    show(&setup, &state, (struct es_draw){0});
    for (int l = 0; l < map.lines; l++) {
        char id[16];
        int last = -1;
        snprintf(id, sizeof id, "wagon-%c", map.line[l].letter);
        int strokes = strokes_of(part_of(id), &last);
        assert_int_equal(strokes > 0, map.line[l].ring);
        if (strokes == 0)
            continue;
        struct es_box box = sketch.run[last].box;
        assert_true(inside(box, layout.line[l].wagon));
        assert_true(box.right - box.left > 6 && box.bottom - box.top > 6);
        assert_true(sketch.run[last].moves >= 2); /* one for each way round */
    }
}

/* Returns the run that is written into a window of a wagon, counted from the left; -1: nothing. It
 * must be large and dark enough to be read. */
static int written_in(const char *id, int window)
{
    int part = part_of(id), seen = 0;
    for (int run = -1; (run = sketch_next_run(&sketch, part, run)) >= 0;) {
        const struct sketch_run *w = &sketch.run[run];
        double side = w->box.right - w->box.left;
        if (w->pen.fill == ES_CLEAR || w->moves != 1 || side > 20 || seen++ != window)
            continue;
        for (int sign = -1; (sign = sketch_next_run(&sketch, part, sign)) >= 0;) {
            const struct sketch_run *s = &sketch.run[sign];
            if (!is_stroke(sign) || !inside(s->box, w->box))
                continue;
            assert_true(fmax(s->box.bottom - s->box.top, s->box.right - s->box.left) > 7);
            assert_true(es_contrast(s->pen.stroke, w->pen.fill) > 2.5);
            assert_true(s->pen.width > 1);
            return sign;
        }
        return -1;
    }
    fail_msg("%s has no window %d", id, window);
    return -1;
}

/* Every card that fills a window is written differently, in every theme. */
static void cards_are_written_into_windows(void **unused)
{
    (void)unused;
    static const char *const cards[] = {"3", "4", "5", "6", "x2", "x3", "+"};
    enum { CARDS = sizeof cards / sizeof cards[0], SPOTS = 600 };
    static struct es_spot spots[CARDS][SPOTS];
    int count[CARDS];
    for (enum es_theme theme = ES_THEME_LIGHT; theme <= ES_THEME_PRINT; theme++)
        for (int i = 0; i < CARDS; i++) {
            struct es_state state;
            struct es_setup setup = practice_game(1, &state);
            char event[16];
            show(&setup, &state, (struct es_draw){.theme = theme});
            assert_int_equal(written_in("wagon-A", 0), -1);
            snprintf(event, sizeof event, "card %s", cards[i]);
            check_apply(&setup, &state, event);
            check_apply(&setup, &state, "1 A1");
            show(&setup, &state, (struct es_draw){.theme = theme});
            int run = written_in("wagon-A", 0);
            assert_true(run >= 0);
            assert_int_equal(written_in("wagon-A", 1), -1);
            assert_int_equal(written_in("wagon-B", 0), -1);
            count[i] = sketch.run[run].end - sketch.run[run].first;
            assert_true(count[i] > 0 && count[i] <= SPOTS);
            for (int k = 0; k < count[i]; k++)
                spots[i][k] = sketch.spot[sketch.run[run].first + k].at;
            for (int k = 0; k < i; k++)
                assert_true(count[i] != count[k] ||
                            memcmp(spots[i], spots[k], (size_t)count[i] * sizeof **spots) != 0);
        }
}

/* The latest marks have one colour wherever they are. Planned ones have another: windows are
 * written in it; stations are filled with it and marked in the colour of the paper. */
static void old_fresh_and_planned_marks_differ_in_colour(void **unused)
{
    (void)unused;
    struct es_state before, state, planned;
    struct es_setup setup = practice_game(1, &state);
    uint32_t old, fresh, plan, mark;
    check_apply(&setup, &state, "card 3");
    check_apply(&setup, &state, "1 E3");
    before = state;
    check_apply(&setup, &state, "card 3");
    check_apply(&setup, &state, "1 D2");
    check_apply(&setup, &state, "card 4");
    planned = state;
    check_apply(&setup, &planned, "1 D2");
    show(&setup, &state, (struct es_draw){.before = &before, .planned = &planned});
    mark_at("station-b1", "mark", &old);
    mark_at("station-a1", "mark fresh", &fresh);
    mark_at("station-r1", "mark planned", &mark);
    const struct es_pen *filled =
        &sketch.run[sketch_next_run(&sketch, part_of("station-r1"), -1)].pen;
    plan = filled->fill != ES_CLEAR ? filled->fill : filled->stroke;
    assert_true(es_contrast(mark, plan) >= 4.5);
    assert_true(old != fresh && fresh != plan && plan != old);
    assert_int_equal(sketch.run[written_in("wagon-E", 0)].pen.stroke, old);
    assert_int_equal(sketch.run[written_in("wagon-D", 0)].pen.stroke, fresh);
    assert_int_equal(sketch.run[written_in("wagon-D", 1)].pen.stroke, plan);
    assert_int_equal(written_in("wagon-D", 2), -1);
    /* Without `before`, nothing is fresh. */
    show(&setup, &state, (struct es_draw){0});
    assert_int_equal(sketch.run[written_in("wagon-D", 0)].pen.stroke, old);
    assert_int_equal(written_in("wagon-D", 1), -1);
}

/* ---- Lanes --------------------------------------------------------------------------------- */

/* Returns the path of a line as it is painted. */
static const struct sketch_run *path_of(char letter)
{
    char id[] = {'l', 'i', 'n', 'e', '-', letter, '\0'};
    for (int run = -1; (run = sketch_next_run(&sketch, part_of(id), run)) >= 0;)
        if (sketch.run[run].pen.width == ES_TRACK_WIDE)
            return &sketch.run[run];
    fail_msg("line %c is not painted", letter);
    return NULL;
}

static double side_of(struct es_spot a, struct es_spot b, struct es_spot c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static int crossings(char one, char two)
{
    const struct sketch_run *p = path_of(one), *q = path_of(two);
    int count = 0;
    for (int i = p->first + 1; i < p->end; i++)
        for (int k = q->first + 1; k < q->end; k++) {
            struct es_spot a = sketch.spot[i - 1].at, b = sketch.spot[i].at;
            struct es_spot c = sketch.spot[k - 1].at, d = sketch.spot[k].at;
            if (fabs(a.x - c.x) > 3) /* spots are a point apart */
                continue;
            count += (side_of(a, b, c) > 0) != (side_of(a, b, d) > 0) &&
                     (side_of(c, d, a) > 0) != (side_of(c, d, b) > 0);
        }
    return count;
}

/* Two or three lines come from the west, share a stretch, and part in the east. Line i comes in at
 * place from[i] and leaves at place to[i], counted from the north; `back`: the lines whose wagons
 * are in the east. Lines cross once if their order changes, and otherwise never. */
static void assert_fork(int lines, const int *from, const int *to, unsigned back)
{
    char text[1200] = "endstation-map 1\nid m\ntitle M\npaper ffffff\n"
                      "station t1 6 4\nstation t2 8 4\nstation t3 10 4\n";
    for (int i = 0; i < 3; i++) {
        char station[60];
        bool used = lines == 3 || i != 1;
        snprintf(station, sizeof station, "station w%d 3 %d\nstation e%d 13 %d\n", i, 1 + 3 * i, i,
                 1 + 3 * i);
        if (used)
            strcat(text, station);
    }
    for (int i = 0; i < lines; i++) {
        char line[120];
        if (back >> i & 1)
            snprintf(line, sizeof line,
                     "line %c ff0000 windows 1 points 2 1 wagon 15 %d : e%d t3 t2 t1 w%d\n",
                     'A' + i, 1 + 3 * to[i], to[i], from[i]);
        else
            snprintf(line, sizeof line,
                     "line %c ff0000 windows 1 points 2 1 wagon 1 %d : w%d t1 t2 t3 e%d\n", 'A' + i,
                     1 + 3 * from[i], from[i], to[i]);
        strcat(text, line);
    }
    check_map(&map, text);
    struct es_state state;
    struct es_setup setup = new_game(1, &state);
    show(&setup, &state, (struct es_draw){.no_names = true});
    for (int i = 0; i < lines; i++)
        for (int k = 0; k < i; k++) {
            int needed = (from[i] < from[k]) != (to[i] < to[k]);
            int found = crossings((char)('A' + i), (char)('A' + k));
            if (found != needed)
                fail_msg("lines %c and %c cross %d times instead of %d:\n%s", 'A' + k, 'A' + i,
                         found, needed, text);
        }
}

static void lines_cross_only_if_they_must(void **unused)
{
    (void)unused;
    static const int pairs[][2] = {{0, 2}, {2, 0}};
    for (int i = 0; i < 4; i++)
        for (unsigned back = 0; back < 4; back++)
            assert_fork(2, pairs[i / 2], pairs[i % 2], back);
    static const int threes[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 36; i++)
        for (unsigned back = 0; back < 8; back++)
            assert_fork(3, threes[i / 6], threes[i % 6], back);
}

/* ---- Cards --------------------------------------------------------------------------------- */

static void cards_have_titles_and_only_the_6_a_shuffle_sign(void **unused)
{
    (void)unused;
    static const struct {
        int card;
        const char *title;
    } cases[] = {
        {ES_CARD_NUMBER + 2, "card 3"},     {ES_CARD_SIX, "card 6, then all cards are reshuffled"},
        {ES_CARD_NUMBER + 8, "card 9"},     {ES_CARD_EXPRESS + 1, "express 2"},
        {ES_CARD_EXPRESS + 5, "express 6"}, {ES_CARD_TRANSFER, "transfer"},
        {ES_CARD_FREE_RIDE, "free ride"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct es_box corner = {40, 4, 60, 20}; /* only the shuffle sign is there */
        int signs = 0;
        sketch_open(&sketch);
        es_verplant_draw_card(cases[i].card, &(struct es_draw){0}, &sketch.painter);
        assert_true(sketch.wide == 63 && sketch.high == 88);
        assert_string_equal(sketch.title, cases[i].title);
        for (int run = 0; run < sketch.runs; run++)
            signs += inside(sketch.run[run].box, corner);
        assert_int_equal(signs > 0, cases[i].card == ES_CARD_SIX);
    }
}

/* ---- Boards -------------------------------------------------------------------------------- */

static struct es_setup board_game(uint32_t rules, struct es_state *state)
{
    struct es_setup setup = {.game = &es_metro, .players = 2, .rules = rules};
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    setup.game->start(&setup, state);
    return setup;
}

/* Plays a random legal event; players who may draw do so at least every third time on average. */
static bool play_on(const struct es_setup *setup, struct es_state *state, struct es_random *random)
{
    es_event events[ES_LEGAL_MAX];
    for (int who = 0; who <= setup->players; who++) {
        size_t count = setup->game->legal(setup, state, who, events);
        if (count == 0)
            continue;
        es_event event = events[es_random_below(random, (uint32_t)count)];
        bool draws = who > 0 && es_random_below(random, 3) == 0;
        for (size_t i = 0; i < count; i++)
            if (draws && !ES_METRO_IS_LAY(events[i]))
                event = events[i];
        assert_int_equal(setup->game->apply(setup, state, event), ES_OK);
        return true;
    }
    return false;
}

static void assert_titled(const char *id, const char *title)
{
    assert_string_equal(sketch.part[part_of(id)].title, title);
}

/* Checks that the picture shows the viewer's own tiles and nobody else's. */
static void assert_hand(const struct es_metro_state *s, int viewer)
{
    char id[24];
    for (int i = 0; i < ES_HAND_MAX; i++) {
        snprintf(id, sizeof id, "hand-%d", i + 1);
        if (viewer == 0 || i >= s->held[viewer - 1]) {
            assert_int_equal(sketch_part(&sketch, id), -1);
            continue;
        }
        assert_titled(id, tile_title(es_tile_name[s->hand[viewer - 1][i]]));
    }
    if (s->drawn == ES_TILE_NONE) {
        assert_int_equal(sketch_part(&sketch, "drawn"), -1);
        return;
    }
    assert_titled("drawn",
                  s->player == viewer ? tile_title(es_tile_name[s->drawn]) : "hidden tile");
}

static void assert_stock(const struct es_metro_state *s)
{
    char number[16], title[32];
    snprintf(number, sizeof number, "%d", s->stock);
    snprintf(title, sizeof title, "stock, %d tile%s", s->stock, s->stock == 1 ? "" : "s");
    text_in("stock", number);
    assert_titled("stock", title);
}

static void hands_and_stock_are_right(void **unused)
{
    (void)unused;
    static const uint32_t rules[] = {0, ES_METRO_ROTATE, ES_METRO_HAND2, ES_METRO_HAND3};
    struct es_random random;
    es_random_seed(&random, 8);
    int others = 0, own = 0; /* drawn tiles that were shown */
    for (int game = 0; game < 4; game++) {
        struct es_state state;
        struct es_setup setup = board_game(rules[game % 4], &state);
        const struct es_metro_state *s = es_metro_state(&state);
        for (int step = 0; play_on(&setup, &state, &random); step++)
            for (int viewer = 0; viewer <= setup.players; viewer++) {
                bool drawn = s->drawn != ES_TILE_NONE;
                if (!drawn && step % 6 != 0)
                    continue;
                show(&setup, &state, (struct es_draw){.viewer = viewer});
                assert_hand(s, viewer);
                assert_stock(s);
                own += drawn && s->player == viewer;
                others += drawn && s->player != viewer;
            }
    }
    assert_true(own > 10 && others > 10);
}

/* Even in a picture made from the full state, another player's tiles change no byte. */
static void pictures_hide_what_others_hold(void **unused)
{
    (void)unused;
    static const char *const games[][2] = {
        {"deal 1 cddb; deal 2 aacb; 1 cddb c1; deal 1 acba", /* player 1's hand differs */
         "deal 1 cddb; deal 2 aacb; 1 cddb c1; deal 1 dddd"},
        {"deal 1 cddb; deal 2 aacb; 1 draw; deal 1 acba", /* the tile that player 1 drew differs */
         "deal 1 cddb; deal 2 aacb; 1 draw; deal 1 dddd"},
    };
    static char text[2][ES_SVG_BYTES + 1];
    for (int game = 0; game < 2; game++)
        for (int viewer = 0; viewer <= 2; viewer++) {
            for (int i = 0; i < 2; i++) {
                struct es_state state;
                struct es_setup setup = board_game(0, &state);
                struct es_str rest = es_str(games[game][i]);
                while (rest.size > 0) {
                    char event[32] = {0};
                    size_t size = strcspn(rest.at, ";");
                    assert_true(es_str_copy(es_str_trim((struct es_str){rest.at, size}), event,
                                            sizeof event));
                    check_apply(&setup, &state, event);
                    size += rest.at[size] == ';';
                    rest = es_str(rest.at + size);
                }
                struct es_svg svg;
                es_svg_open(&svg, text[i], ES_SVG_BYTES);
                es_draw(&setup, &state, &(struct es_draw){.viewer = viewer}, &svg.painter);
                assert_true(es_out_ok(&svg.out));
                text[i][svg.out.used] = '\0';
            }
            assert_int_equal(strcmp(text[0], text[1]) == 0, viewer != 1);
        }
}

/* Returns the wagon of a station: the largest thing there that has a fill and an edge. */
static struct es_box wagon_at(int station)
{
    char id[24];
    struct es_box box = {0, 0, 0, 0};
    snprintf(id, sizeof id, "station-%d", station);
    for (int run = -1; (run = sketch_next_run(&sketch, part_of(id), run)) >= 0;) {
        struct es_box b = sketch.run[run].box;
        if (sketch.run[run].pen.fill != ES_CLEAR && sketch.run[run].pen.stroke != ES_CLEAR &&
            (b.right - b.left) * (b.bottom - b.top) >
                (box.right - box.left) * (box.bottom - box.top))
            box = b;
    }
    assert_true(box.right > box.left);
    return box;
}

/* A wagon points at the board until its line is finished; then it is turned along the edge. */
static void wagons_turn_when_their_line_is_finished(void **unused)
{
    (void)unused;
    struct es_random random;
    es_random_seed(&random, 4);
    struct es_state state;
    struct es_setup setup = board_game(0, &state);
    int turned = 0, waiting = 0;
    for (int step = 0; play_on(&setup, &state, &random); step++) {
        if (step % 5 != 0)
            continue;
        show(&setup, &state, (struct es_draw){0});
        for (int station = 1; station <= ES_METRO_STATIONS; station++) {
            if (es_station_owner(2, station) == 0)
                continue;
            bool done = es_board_line(&es_metro_state(&state)->board, station).end >= ES_END_RIM;
            bool beside = es_station_side[station] % 2; /* left or right of the board */
            struct es_box b = wagon_at(station);
            assert_int_equal(b.right - b.left > b.bottom - b.top, done != beside);
            turned += done;
            waiting += !done;
        }
    }
    assert_true(turned > 50 && waiting > 50);
}

/* ---- SVG ----------------------------------------------------------------------------------- */

/* Fonts differ: every text has its width set, unless it is a single character. */
static void svg_texts_have_their_computed_width(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *element;
    } cases[] = {
        {"Hm", "<text x=\"1\" y=\"2\" font-size=\"9.5\" textLength=\"30.5\" "
               "lengthAdjust=\"spacingAndGlyphs\" fill=\"#102030\">Hm</text>"},
        {"H", "<text x=\"1\" y=\"2\" font-size=\"9.5\" fill=\"#102030\">H</text>"},
        {"\xc3\x85", "<text x=\"1\" y=\"2\" font-size=\"9.5\" fill=\"#102030\">\xc3\x85</text>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char buffer[400];
        struct es_svg svg;
        es_svg_open(&svg, buffer, sizeof buffer - 1);
        svg.painter.text(&svg.painter, &(struct es_writing){.text = es_str(cases[i].text),
                                                            .at = {1, 2},
                                                            .size = 9.5,
                                                            .width = 30.5,
                                                            .colour = 0x102030});
        buffer[svg.out.used] = '\0';
        assert_string_equal(buffer, cases[i].element);
    }
}

/* Returns the outline with four corners that a part has in this colour; -1: none. */
static int diamond_in(const char *id, uint32_t *colour, uint32_t *ground)
{
    int part = part_of(id), found = -1;
    for (int run = -1; (run = sketch_next_run(&sketch, part, run)) >= 0;)
        if (is_stroke(run) && sketch.run[run].end - sketch.run[run].first >= 4 &&
            sketch.run[run].box.right - sketch.run[run].box.left > 30) {
            *ground = found < 0 ? sketch.run[run].pen.stroke : *ground;
            *colour = sketch.run[run].pen.stroke;
            found = run;
        }
    return found;
}

/* A better entry is drawn as planned. What was played has a diamond around it, also where both mark
 * the same station, and its window is framed. Titles say which is which. */
static void a_better_and_a_played_entry_differ_in_shape(void **unused)
{
    (void)unused;
    for (enum es_theme theme = ES_THEME_LIGHT; theme <= ES_THEME_PRINT; theme++) {
        struct es_state state, better, played;
        struct es_setup setup = practice_game(1, &state);
        uint32_t colour = 0, ground = 0;
        check_apply(&setup, &state, "card 3");
        better = played = state;
        check_apply(&setup, &better, "1 C<2");
        check_apply(&setup, &played, "1 A3");
        show(&setup, &state,
             (struct es_draw){.theme = theme, .planned = &better, .instead = &played});
        static const struct {
            const char *station, *played, *title;
            bool is_better, is_played;
        } marks[] = {
            {"station-r1", "played-r1", "the better move", true, false},
            {"station-r8", "played-r8", "the better move, the move played", true, true},
            {"station-w1", "played-w1", "the move played", false, true},
            {"station-n1", "played-n1", "empty", false, false},
        };
        for (int i = 0; i < 4; i++) {
            const char *title = sketch.part[part_of(marks[i].station)].title;
            assert_string_equal(title + strlen(title) - strlen(marks[i].title), marks[i].title);
            assert_int_equal(kind_in(part_of(marks[i].station), "mark planned") >= 0,
                             marks[i].is_better);
            assert_int_equal(sketch_part(&sketch, marks[i].played) >= 0, marks[i].is_played);
            if (!marks[i].is_played)
                continue;
            assert_true(diamond_in(marks[i].played, &colour, &ground) >= 0);
            assert_true(es_contrast(colour, ground) >= 4.5);
        }
        /* The cross that was played is there only if no other is. */
        int last = -1, alone = strokes_of(part_of("played-w1"), &last);
        assert_true(last >= 0);
        assert_int_equal(sketch.run[last].pen.stroke, colour);
        assert_true(alone > strokes_of(part_of("played-r8"), &last));
        assert_true(kind_in(part_of("wagon-A"), "window played") >= 0);
        assert_int_equal(kind_in(part_of("wagon-C"), "window played"), -1);
        assert_non_null(strstr(sketch.part[part_of("wagon-A")].title, "the move played"));
        assert_non_null(strstr(sketch.part[part_of("wagon-C")].title, "the better move"));
        assert_null(strstr(sketch.part[part_of("wagon-B")].title, "move"));
        /* A move alone, without a better one. */
        show(&setup, &state, (struct es_draw){.theme = theme, .instead = &played});
        assert_true(sketch_part(&sketch, "played-r8") >= 0);
        assert_int_equal(kind_in(part_of("station-r8"), "mark planned"), -1);
    }
}

/* A framed number that was played is a number, too. */
static void a_transfer_played_shows_its_number(void **unused)
{
    (void)unused;
    struct es_state state, better, played;
    struct es_setup setup = practice_game(1, &state);
    check_apply(&setup, &state, "card +");
    better = played = state;
    check_apply(&setup, &better, "1 B1");
    check_apply(&setup, &played, "1 A1");
    show(&setup, &state, (struct es_draw){.planned = &better, .instead = &played});
    int last = -1, number = strokes_of(part_of("played-w1"), &last);
    check_apply(&setup, &state, "1 A1");
    check_apply(&setup, &state, "card 3");
    played = state;
    check_apply(&setup, &played, "1 A1");
    show(&setup, &state, (struct es_draw){.instead = &played});
    assert_true(number > strokes_of(part_of("played-w2"), &last)); /* a cross */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_value_won_is_ringed),
        cmocka_unit_test(the_numbers_of_the_sum_are_right),
        cmocka_unit_test(special_stations_have_rays),
        cmocka_unit_test(transfers_are_framed_numbers),
        cmocka_unit_test(rings_have_arrows),
        cmocka_unit_test(cards_are_written_into_windows),
        cmocka_unit_test(old_fresh_and_planned_marks_differ_in_colour),
        cmocka_unit_test(a_better_and_a_played_entry_differ_in_shape),
        cmocka_unit_test(a_transfer_played_shows_its_number),
        cmocka_unit_test(lines_cross_only_if_they_must),
        cmocka_unit_test(cards_have_titles_and_only_the_6_a_shuffle_sign),
        cmocka_unit_test(hands_and_stock_are_right),
        cmocka_unit_test(pictures_hide_what_others_hold),
        cmocka_unit_test(wagons_turn_when_their_line_is_finished),
        cmocka_unit_test(svg_texts_have_their_computed_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
