/* Tests of pictures of sheets: on all built-in sheets nothing covers what it should not; pages can
 * find every part; whatever is in a map, the SVG is well-formed. */
#include "check.h"
#include "random_map.h"
#include "sketch.h"
#include <endstation/bots.h>
#include <endstation/verplant/bots.h>
#include <endstation/verplant/layout.h>
#include <math.h>

static struct es_map map;
static struct es_layout layout;
static struct sketch sketch;
static char svg_text[4 << 20];

static struct es_setup setup_for(int players)
{
    struct es_setup setup = {.game = &es_verplant, .players = (uint8_t)players, .map = &map};
    assert_int_equal(es_setup_prepare(&setup), ES_OK);
    return setup;
}

/* Plays rounds with a greedy bot in every seat. */
static void play_rounds(const struct es_setup *setup, struct es_state *state, int rounds)
{
    const uint8_t seed[ES_SEED_BYTES] = {7};
    struct es_random random;
    es_random_seed(&random, 11);
    for (int i = 0; i < rounds && setup->game->turn(setup, state).kind != ES_TURN_OVER; i++) {
        es_event card = setup->game->deal(setup, state, seed);
        assert_int_equal(setup->game->apply(setup, state, card), ES_OK);
        for (int p = 1; p <= setup->players; p++) {
            const struct es_verplant_state *s = es_verplant_state(state);
            while (s->acting >> (p - 1) & 1) {
                es_choice choice = es_bot_greedy(&map, &s->sheet[p - 1], s->card, &random);
                assert_int_equal(setup->game->apply(setup, state, ES_VERPLANT_ENTRY(p, choice)),
                                 ES_OK);
            }
        }
    }
}

/* Starts a game on the practice sheet and makes its layout. */
static struct es_setup practice_game(int players, struct es_state *state)
{
    check_builtin(&map, "practice");
    struct es_setup setup = setup_for(players);
    setup.game->start(&setup, state);
    es_layout(&map, false, &layout);
    return setup;
}

static struct es_str draw_svg(const struct es_setup *setup, const struct es_state *state,
                              const struct es_draw *draw)
{
    struct es_svg svg;
    es_svg_open(&svg, svg_text, sizeof svg_text - 1);
    es_draw(setup, state, draw, &svg.painter);
    assert_true(es_out_ok(&svg.out));
    svg_text[svg.out.used] = '\0';
    return (struct es_str){svg_text, svg.out.used};
}

/* ---- Nothing covers anything --------------------------------------------------------------- */

static bool has_kind(int part, const char *kind)
{
    size_t size = strlen(kind);
    return part >= 0 && strncmp(sketch.part[part].kind, kind, size) == 0 &&
           (sketch.part[part].kind[size] == '\0' || sketch.part[part].kind[size] == ' ');
}

static double to_box(struct es_spot s, struct es_box b)
{
    double x = fmax(fmax(b.left - s.x, s.x - b.right), 0);
    double y = fmax(fmax(b.top - s.y, s.y - b.bottom), 0);
    return hypot(x, y);
}

/* Whether a spot is nearer to a box than that; most are far away, and are told by a comparison. */
static bool is_near(struct es_spot s, struct es_box b, double distance)
{
    return b.left - s.x < distance && s.x - b.right < distance && b.top - s.y < distance &&
           s.y - b.bottom < distance && to_box(s, b) < distance;
}

static bool boxes_meet(struct es_box a, struct es_box b)
{
    return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/* Whether a spot is more than the paper-coloured edge of a line. */
static bool is_ink(const struct sketch_spot *s)
{
    return !(has_kind(s->part, "line") && s->radius > ES_TRACK_WIDE / 2);
}

static void names_cover_nothing(const char *id)
{
    for (int i = 0; i < sketch.texts; i++) {
        const struct sketch_text *t = &sketch.text[i];
        if (strcmp(t->kind, "names") != 0)
            continue;
        if (t->box.left < 0 || t->box.top < 0 || t->box.right > ES_MAP_WIDE ||
            t->box.bottom > ES_SHEET_HIGH)
            fail_msg("%s: the name '%s' leaves the map", id, t->text);
        for (int k = 0; k < i; k++)
            if (strcmp(sketch.text[k].kind, "names") == 0 && boxes_meet(t->box, sketch.text[k].box))
                fail_msg("%s: '%s' covers '%s'", id, t->text, sketch.text[k].text);
        for (int k = 0; k < sketch.spots; k++) {
            const struct sketch_spot *s = &sketch.spot[k];
            if (is_near(s->at, t->box, s->radius - 0.01) && is_ink(s))
                fail_msg("%s: the name '%s' covers %s at %.0f,%.0f", id, t->text,
                         s->part >= 0 ? sketch.part[s->part].id : "something", s->at.x, s->at.y);
        }
        for (int k = 0; k < sketch.parts; k++)
            if (has_kind(k, "wagon") && boxes_meet(t->box, sketch.part[k].box))
                fail_msg("%s: the name '%s' covers %s", id, t->text, sketch.part[k].id);
    }
}

/* Every name is painted, and none is cut off. */
static void names_are_whole(const char *id)
{
    int next = 0;
    for (int s = 0; s < map.stations; s++) {
        const char *name = map.station[s].name;
        while (*name) {
            while (next < sketch.texts && strcmp(sketch.text[next].kind, "names") != 0)
                next++;
            if (next == sketch.texts)
                fail_msg("%s: the name of '%s' is missing", id, map.station[s].name);
            size_t size = strlen(sketch.text[next].text);
            if (strncmp(name, sketch.text[next].text, size) != 0)
                fail_msg("%s: the name of '%s' is missing", id, map.station[s].name);
            name += size;
            name += *name == ' ';
            next++;
        }
    }
}

static bool calls(int part, int other)
{
    char letter = sketch.part[part].id[strlen("line-")];
    int line = es_map_line_named(&map, letter);
    int station = es_map_station_named(&map, es_str(sketch.part[other].id + strlen("station-")));
    return memchr(map.line[line].stop, station, map.line[line].stops) != NULL;
}

/* No station or wagon covers another, or a line that does not belong to it. */
static void shapes_keep_apart(const char *id)
{
    for (int a = 0; a < sketch.parts; a++) {
        bool station = has_kind(a, "station"), wagon = has_kind(a, "wagon");
        if (!station && !wagon)
            continue;
        for (int b = 0; b < a; b++)
            if (wagon && has_kind(b, "wagon") && boxes_meet(sketch.part[a].box, sketch.part[b].box))
                fail_msg("%s: %s covers %s", id, sketch.part[a].id, sketch.part[b].id);
        for (int k = 0; k < sketch.spots; k++) {
            const struct sketch_spot *s = &sketch.spot[k];
            if (s->part == a || s->part < 0 || !is_near(s->at, sketch.part[a].box, s->radius) ||
                !is_ink(s))
                continue;
            bool of_line = has_kind(s->part, "line"), of_station = has_kind(s->part, "station");
            if (!of_line && !of_station)
                continue;
            const char *letter = sketch.part[s->part].id + strlen("line-");
            if (of_line && wagon && strcmp(letter, sketch.part[a].id + strlen("wagon-")) == 0)
                continue;
            if (of_line && station && calls(s->part, a))
                continue;
            /* A station's box has corners where the station is round: use its own spots. */
            double distance = 1e9;
            if (wagon)
                distance = to_box(s->at, sketch.part[a].box);
            else
                for (int m = sketch.part[a].first; m < sketch.part[a].end; m++)
                    distance = fmin(distance, hypot(s->at.x - sketch.spot[m].at.x,
                                                    s->at.y - sketch.spot[m].at.y) -
                                                  sketch.spot[m].radius);
            if (distance < s->radius - 0.01)
                fail_msg("%s: %s covers %s at %.0f,%.0f", id, sketch.part[a].id,
                         sketch.part[s->part].id, s->at.x, s->at.y);
        }
    }
}

/* Whether a part has ink nearer to a spot than that. */
static bool has_ink_near(struct es_spot at, int part, double distance)
{
    for (int k = sketch.part[part].first; k < sketch.part[part].end; k++) {
        double x = at.x - sketch.spot[k].at.x, y = at.y - sketch.spot[k].at.y;
        if (x * x + y * y < distance * distance && is_ink(&sketch.spot[k]))
            return true;
    }
    return false;
}

/* Whether a station is painted on top of a spot. */
static bool under_station(const struct sketch_spot *spot)
{
    for (int part = 0; part < sketch.parts; part++) {
        if (!has_kind(part, "station") || to_box(spot->at, sketch.part[part].box) > 0)
            continue;
        for (int k = sketch.part[part].first; k < sketch.part[part].end; k++) {
            const struct sketch_spot *s = &sketch.spot[k];
            if (hypot(s->at.x - spot->at.x, s->at.y - spot->at.y) < s->radius)
                return true;
        }
    }
    return false;
}

/* Lines may cross, and change lanes under stations, but never run on top of each other: no line
 * stays closer than a lane to another for long. */
static void lines_run_side_by_side(const char *id)
{
    const double lane = ES_TRACK_PITCH - 0.6, longest = 30;
    for (int a = 0; a < sketch.parts; a++)
        for (int b = 0; b < sketch.parts; b++) {
            if (a == b || !has_kind(a, "line") || !has_kind(b, "line"))
                continue;
            int run = 0;
            for (int k = sketch.part[a].first; k < sketch.part[a].end; k += 3) {
                const struct sketch_spot *s = &sketch.spot[k];
                if (!is_ink(s))
                    continue;
                if (!has_ink_near(s->at, b, lane))
                    run = 0;
                else if (!under_station(s))
                    run += 3;
                if (run > longest)
                    fail_msg("%s: %s runs on %s at %.0f,%.0f", id, sketch.part[a].id,
                             sketch.part[b].id, s->at.x, s->at.y);
            }
        }
}

static void nothing_covers_anything(void **unused)
{
    (void)unused;
    for (int i = 0; es_builtin_maps[i].id; i++) {
        const char *id = es_builtin_maps[i].id;
        check_builtin(&map, id);
        struct es_setup setup = setup_for(1);
        struct es_state state;
        struct es_clash clash[1];
        es_layout(&map, false, &layout);
        setup.game->start(&setup, &state);
        sketch_open(&sketch);
        es_draw(&setup, &state, &(struct es_draw){.prepared = &layout}, &sketch.painter);
        assert_int_equal(sketch.begun, 1);
        assert_int_equal(sketch.ended, 1);
        names_are_whole(id);
        names_cover_nothing(id);
        shapes_keep_apart(id);
        lines_run_side_by_side(id);
        assert_int_equal(es_layout_clashes(&map, &layout, clash, 1), 0);
    }
}

/* Authors of sheets get a warning for everything that covers something else, and for colours that
 * are too similar or too pale. */
static void clashes_are_reported(void **unused)
{
    (void)unused;
    static const struct {
        const char *lines, *says;
    } cases[] = {
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B 008800 windows 1 points 2 1 wagon 1 3.2 : c d\n",
         "the wagons of line A and line B lie on each other"},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B 008800 windows 1 points 2 1 wagon 7 5 : c d\n",
         "the wagon of line B lies on line A"},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B 008800 windows 1 points 2 1 wagon 3 5 : c d\n",
         "the wagon of line B lies on Alpha"},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b e\n"
         "line B 008800 windows 1 points 2 1 wagon 1 8 : c d\n",
         "b and Echo lie on each other"},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B 008800 windows 1 points 2 1 wagon 1 8 : c d f\n",
         NULL},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B 008800 windows 1 points 2 1 wagon 1 8 : c d f g\n"
         "line C 0000ff windows 1 points 2 1 wagon 1 10 : c g\n",
         "line C runs over Delta, but does not stop there"},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B 008800 windows 1 points 2 1 wagon 1 8 : c d f g\n"
         "line C 0000ff windows 1 points 2 1 wagon 1 10 : c g\n",
         "line B and line C lie on each other over a part of a hop"},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B f01000 windows 1 points 2 1 wagon 1 8 : c d\n",
         "line A and line B have nearly the same colour"},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B ffff00 windows 1 points 2 1 wagon 1 8 : c d\n",
         "line B is too pale for its paper"},
        {"line A ff0000 windows 1 points 2 1 wagon 1 3 : a b\n"
         "line B ffc000 windows 1 points 2 1 wagon 1 8 : c d\n",
         "line B is too pale for its paper"},
        {"line A ff0000 windows 1 points 2 1 wagon 8.6 4.6 : b a\n"
         "line B 008800 windows 1 points 2 1 wagon 1 8 : c d\n"
         "line C 0000ff windows 1 points 2 1 wagon 3 9.5 : c h\n",
         "line A runs over Hotel, but does not stop there"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[2000];
        const char *lines = cases[i].lines;
        snprintf(text, sizeof text,
                 "endstation-map 1\nid m\ntitle M\npaper ffffff\nstation a 3 5 : Alpha\n"
                 "station b 9 5\nstation c 3 8\nstation d 9 8 : Delta\n%s%s%s%s%s",
                 strstr(lines, " h\n") ? "station h 2.7 5 : Hotel\n" : "",
                 strstr(lines, " e\n") ? "station e 9.1 5.1 : Echo\n" : "",
                 strstr(lines, " d f") ? "station f 12 8 : Fox\n" : "",
                 strstr(lines, " g\n") ? "station g 15 8 : Golf\n" : "", lines);
        check_map(&map, text);
        es_layout(&map, false, &layout);
        struct es_clash clash[20];
        int count = es_layout_clashes(&map, &layout, clash, 20);
        bool found = cases[i].says == NULL && count == 0;
        for (int k = 0; k < count && cases[i].says; k++) {
            char said[300];
            struct es_out out = {said, sizeof said - 1, 0};
            es_clash_write(&map, &clash[k], &out);
            said[out.used] = '\0';
            found |= strcmp(said, cases[i].says) == 0;
        }
        if (!found)
            fail_msg("case %zu: not said: %s", i, cases[i].says ? cases[i].says : "nothing");
    }
}

/* ---- Sound SVG ----------------------------------------------------------------------------- */

/* Reads SVG as strictly as XML requires: elements nest, attributes are quoted and unique, no bare <
 * or &. Ids must be unique, and only elements that pictures use may occur. */
static void check_svg(struct es_str svg)
{
    static const char *const known[] = {"svg", "title", "rect", "g", "path", "circle", "text"};
    const char *at = svg.at, *end = svg.at + svg.size;
    char open[32][8], ids[1024][40];
    int depth = 0, id_count = 0;
    while (at < end) {
        if (*at == '&') {
            assert_true(strncmp(at, "&amp;", 5) == 0 || strncmp(at, "&lt;", 4) == 0 ||
                        strncmp(at, "&gt;", 4) == 0 || strncmp(at, "&quot;", 6) == 0 ||
                        strncmp(at, "&#39;", 5) == 0);
            at++;
            continue;
        }
        assert_true(*at != '>');
        if (*at++ != '<')
            continue;
        bool closing = *at == '/';
        at += closing;
        size_t size = strcspn(at, " />");
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            found |= strlen(known[i]) == size && memcmp(at, known[i], size) == 0;
        if (!found)
            fail_msg("an element that is not ours: <%.40s", at);
        if (closing) {
            assert_true(depth > 0);
            depth--;
            assert_true(strlen(open[depth]) == size && memcmp(open[depth], at, size) == 0);
            at += size;
            assert_int_equal(*at++, '>');
            continue;
        }
        assert_true(depth < 32);
        memcpy(open[depth], at, size);
        open[depth++][size] = '\0';
        at += size;
        while (*at == ' ') {
            const char *name = ++at;
            size_t length = strcspn(at, "=\" <>");
            at += length;
            assert_int_equal(*at++, '=');
            assert_int_equal(*at++, '"');
            size_t value = strcspn(at, "\"<");
            assert_int_equal(at[value], '"');
            assert_false(length > 2 && memcmp(name, "on", 2) == 0); /* no handlers */
            if (length == 2 && memcmp(name, "id", 2) == 0) {
                assert_true(id_count < 1024 && value < sizeof ids[0]);
                memcpy(ids[id_count], at, value);
                ids[id_count][value] = '\0';
                for (int i = 0; i < id_count; i++)
                    if (strcmp(ids[i], ids[id_count]) == 0)
                        fail_msg("the id %s comes twice", ids[i]);
                id_count++;
            }
            at += value + 1;
        }
        if (*at == '/') {
            depth--;
            at++;
        }
        assert_int_equal(*at++, '>');
    }
    assert_int_equal(depth, 0);
}

static void hostile_names_are_escaped(void **unused)
{
    (void)unused;
    check_map(&map, "endstation-map 1\nid m\ntitle </title><script>alert(1)</script>\n"
                    "paper ffffff\n"
                    "station a 0 0 : </text></g></svg><script>alert(2)</script>\n"
                    "station b 2 0 : \" onload=\"alert(3)\" x='\n"
                    "station c 4 0 : &lt;script&gt; &#60; ]]> <!-- -->\n"
                    "station d 6 0 : \xef\xbf\xbf\xef\xbf\xbe <?xml?> <![CDATA[\n"
                    "line A ff0000 windows 2 points 2 1 wagon -1 0 : a b c d\n"
                    "line B 0000ff windows 2 points 2 1 wagon 6 2 : d c b a\n");
    static const char names[ES_PLAYERS_MAX][ES_LABEL_BYTES] = {"</title><script>alert(4)</script>",
                                                               "\" onclick=\"alert(5)"};
    struct es_setup setup = setup_for(2);
    struct es_state state;
    setup.game->start(&setup, &state);
    es_layout(&map, false, &layout);
    struct es_draw draw = {.prepared = &layout, .viewer = 1, .name = names};
    struct es_str svg = draw_svg(&setup, &state, &draw);
    check_svg(svg);
    assert_null(strstr(svg.at, "<script"));
    assert_null(strstr(svg.at, "\xef\xbf\xbf"));
    assert_non_null(strstr(svg.at, "&lt;/text&gt;"));
    assert_non_null(strstr(svg.at, "&amp;lt;script&amp;gt;"));
    struct es_setup metro = {.game = &es_metro, .players = 2};
    assert_int_equal(es_setup_prepare(&metro), ES_OK);
    metro.game->start(&metro, &state);
    check_svg(draw_svg(&metro, &state, &draw));
}

/* The largest picture of each sheet, with every station marked and every window full, fits into
 * ES_SVG_BYTES. */
static void full_sheets_fit_into_the_svg_limit(void **unused)
{
    (void)unused;
    for (int i = 0; es_builtin_maps[i].id; i++) {
        check_builtin(&map, es_builtin_maps[i].id);
        struct es_setup setup = setup_for(1);
        struct es_state state, before;
        es_layout(&map, false, &layout);
        setup.game->start(&setup, &state);
        before = state;
        play_rounds(&setup, &state, 1000);
        struct es_verplant_state *s = (struct es_verplant_state *)&state;
        for (int station = 0; station < map.stations; station++) /* more than any game marks */
            es_sheet_mark(&map, &s->sheet[0], station);
        for (int theme = ES_THEME_LIGHT; theme <= ES_THEME_PRINT; theme++) {
            struct es_draw draw = {.prepared = &layout,
                                   .theme = (enum es_theme)theme,
                                   .patterns = true,
                                   .before = &before};
            struct es_str svg = draw_svg(&setup, &state, &draw);
            check_svg(svg);
            if (svg.size > ES_SVG_BYTES)
                fail_msg("%s takes %zu bytes", map.id, svg.size);
        }
    }
}

/* A buffer that is too small is never overrun, and `used` says how large it would have to be. */
static void svg_never_overruns_a_small_buffer(void **unused)
{
    (void)unused;
    struct es_state state;
    struct es_setup setup = practice_game(1, &state);
    struct es_draw draw = {.prepared = &layout};
    size_t needed = draw_svg(&setup, &state, &draw).size;
    char little[100];
    memset(little, '#', sizeof little);
    struct es_svg svg;
    es_svg_open(&svg, little, 50);
    es_draw(&setup, &state, &draw, &svg.painter);
    assert_false(es_out_ok(&svg.out));
    assert_int_equal(svg.out.used, needed);
    for (size_t i = 50; i < sizeof little; i++)
        assert_int_equal(little[i], '#');
}

/* ---- What a picture shows ------------------------------------------------------------------ */

static void every_part_can_be_found(void **unused)
{
    (void)unused;
    struct es_state state;
    struct es_setup setup = practice_game(1, &state);
    struct es_draw draw = {.prepared = &layout};
    const char *svg = draw_svg(&setup, &state, &draw).at;
    assert_non_null(strstr(svg, "<g id=\"line-A\" class=\"line\" data-line=\"A\">"));
    assert_non_null(strstr(svg, "<g id=\"wagon-C\" class=\"wagon\" data-line=\"C\">"));
    assert_non_null(strstr(svg, "<g id=\"value-E\" class=\"value\" data-line=\"E\">"));
    assert_non_null(strstr(svg, "<g id=\"station-ce\" class=\"station special\" "
                                "data-station=\"ce\" data-lines=\"ABDE\">"
                                "<title>Central, special station, lines A B D E, empty</title>"));
    sketch_open(&sketch);
    es_draw(&setup, &state, &draw, &sketch.painter);
    for (int s = 0; s < map.stations; s++) {
        char id[32];
        snprintf(id, sizeof id, "station-%s", map.station[s].id);
        assert_true(sketch_part(&sketch, id) >= 0);
    }
}

/* Returns the stations that have marks of a kind, as text. */
static const char *marks_of(const char *kind)
{
    static char text[1000];
    struct es_out out = {text, sizeof text - 1, 0};
    int station = -1;
    for (int i = 0; i < sketch.parts; i++) {
        if (has_kind(i, "station"))
            station = i;
        if (strcmp(sketch.part[i].kind, kind) == 0) {
            es_out_char(&out, ' ');
            es_out_text(&out, sketch.part[station].id + strlen("station-"));
        }
    }
    text[out.used] = '\0';
    return text;
}

static void marks_are_old_fresh_or_planned(void **unused)
{
    (void)unused;
    struct es_state before, state, planned;
    struct es_setup setup = practice_game(2, &state);
    check_apply(&setup, &state, "card 3");
    check_apply(&setup, &state, "1 A2");
    check_apply(&setup, &state, "2 B1");
    before = state;
    check_apply(&setup, &state, "card +");
    check_apply(&setup, &state, "1 B1");
    check_apply(&setup, &state, "2 B0");
    check_apply(&setup, &state, "card 4");
    planned = state;
    check_apply(&setup, &planned, "1 C<2");
    struct es_draw draw = {
        .prepared = &layout, .viewer = 1, .before = &before, .planned = &planned};
    sketch_open(&sketch);
    es_draw(&setup, &state, &draw, &sketch.painter);
    assert_string_equal(marks_of("mark"), " w1 w2");
    assert_string_equal(marks_of("mark fresh"), " n1");
    assert_string_equal(marks_of("mark planned"), " r1 r8");
    const struct sketch_part *part = &sketch.part[sketch_part(&sketch, "station-n1")];
    assert_string_equal(part->title, "Observatory, line B, transfer 1, new");
    draw.viewer = 2; /* another sheet, with marks of its own */
    sketch_open(&sketch);
    es_draw(&setup, &state, &draw, &sketch.painter);
    assert_string_equal(marks_of("mark"), " n1");
    assert_string_equal(marks_of("mark planned"), "");
}

/* A player who completes a line first wins the higher value; one who completes it later wins the
 * lower, and the higher is marked as taken. */
static void values_are_shown_as_won_or_taken(void **unused)
{
    (void)unused;
    check_map(&map, "endstation-map 1\nid m\ntitle M\npaper ffffff\n"
                    "station a 0 0\nstation b 2 0\nstation c 4 0\n"
                    "line A ff0000 windows 2 points 5 3 wagon -1 0 : a b\n"
                    "line B 0000ff windows 2 points 4 2 wagon 6 0 : c b\n");
    struct es_setup setup = setup_for(2);
    struct es_state state;
    setup.game->start(&setup, &state);
    es_layout(&map, false, &layout);
    static const char *const events[] = {"card 3", "1 A2", "2 B0", "card 3", "1 B0", "2 A2"};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        check_apply(&setup, &state, events[i]);
    static const char *const titles[] = {"line A, first 5, later 3, won 5",
                                         "line A, first 5, taken, later 3, won 3"};
    for (int player = 1; player <= 2; player++) {
        sketch_open(&sketch);
        es_draw(&setup, &state, &(struct es_draw){.prepared = &layout, .viewer = player},
                &sketch.painter);
        const struct sketch_part *part = &sketch.part[sketch_part(&sketch, "value-A")];
        assert_string_equal(part->kind, "value won");
        assert_string_equal(part->title, titles[player - 1]);
    }
}

/* The same state gives the same picture, and a sheet's picture reveals nothing about another
 * sheet. */
static void pictures_depend_on_the_viewers_sheet_alone(void **unused)
{
    (void)unused;
    static char first[2 * ES_SVG_BYTES];
    struct es_state one, two;
    struct es_setup setup = practice_game(2, &one);
    check_apply(&setup, &one, "card 3");
    two = one;
    check_apply(&setup, &one, "2 B2");
    check_apply(&setup, &two, "2 A3");
    struct es_draw draw = {.prepared = &layout, .viewer = 1};
    struct es_str svg = draw_svg(&setup, &one, &draw);
    assert_true(es_str_copy(svg, first, sizeof first));
    memset(&layout, 0x55, sizeof layout); /* nothing of an earlier layout may be left */
    es_layout(&map, false, &layout);
    assert_string_equal(first, draw_svg(&setup, &two, &draw).at);
}

/* ---- Maps of all kinds --------------------------------------------------------------------- */

/* Random maps of every size, after some rounds of a game. */
static void random_maps_can_be_drawn(void **unused)
{
    (void)unused;
    static char text[ES_MAP_TEXT_BYTES];
    struct es_random random;
    for (unsigned i = 0; i < 60; i++) {
        struct es_out out = {text, sizeof text - 1, 0};
        struct es_fault fault;
        es_random_seed(&random, i);
        random_map(&random, (int)(i % 4), &out);
        assert_int_equal(es_map_read(&map, (struct es_str){text, out.used}, &fault), ES_OK);
        struct es_setup setup = setup_for(1);
        struct es_state state;
        setup.game->start(&setup, &state);
        play_rounds(&setup, &state, 5);
        es_layout(&map, false, &layout);
        struct es_draw draw = {.prepared = &layout, .patterns = true};
        check_svg(draw_svg(&setup, &state, &draw));
    }
}

static void the_worst_maps_can_be_drawn(void **unused)
{
    (void)unused;
    static char text[ES_MAP_TEXT_BYTES];
    for (int spread = 0; spread <= 999; spread += 333) { /* 0: all in one spot */
        struct es_out out = {text, sizeof text - 1, 0};
        es_out_text(&out, "endstation-map 1\nid m\ntitle M\npaper ffffff\n");
        for (int s = 0; s < ES_STATIONS_MAX; s++) {
            char line[120];
            int x = s * 37 % 64 * spread / 64, y = s * 11 % 64 * spread / 64 - spread / 2;
            snprintf(line, sizeof line, "station s%d %d %d : A name as long as they come %d\n", s,
                     x, y, s);
            es_out_text(&out, line);
        }
        for (int l = 0; l < ES_LINES_MAX; l++) {
            char line[80];
            snprintf(line, sizeof line,
                     "line %c 123456 windows 8 points 2 1 wagon %d 0 %s:", 'A' + l, spread,
                     l % 3 ? "" : "ring ");
            es_out_text(&out, line);
            for (int i = 0; i < ES_STOPS_MAX; i++) {
                snprintf(line, sizeof line, " s%d", (i * (2 * l + 1) + l) % ES_STATIONS_MAX);
                es_out_text(&out, line);
                for (int b = 0; b < 2 && i + 1 < ES_STOPS_MAX; b++) {
                    snprintf(line, sizeof line, " (%d.5,%d)", b * spread, i % (spread + 1));
                    es_out_text(&out, line);
                }
            }
            es_out_char(&out, '\n');
        }
        assert_true(es_out_ok(&out));
        text[out.used] = '\0';
        check_map(&map, text);
        struct es_setup setup = setup_for(1);
        struct es_state state;
        setup.game->start(&setup, &state);
        es_layout(&map, false, &layout);
        static struct es_clash clash[50];
        assert_true(es_layout_clashes(&map, &layout, clash, 50) > 0);
        check_svg(draw_svg(&setup, &state, &(struct es_draw){.prepared = &layout}));
    }
}

/* Wherever stations are, lines run at 0, 45 and 90 degrees: where two stations are not aligned, a
 * bend is added, the same for every line on that hop, without a detour. */
static void lines_run_at_multiples_of_45_degrees(void **unused)
{
    (void)unused;
    static const int away[][2] = {{7, 2}, {2, 7}, {-7, 2}, {-2, 7}, {7, -2}, {2, -7}, {-7, -2}};
    for (size_t i = 0; i < sizeof away / sizeof away[0]; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "endstation-map 1\nid m\ntitle M\npaper ffffff\n"
                 "station a 20 20\nstation b %d %d\nstation c 40 3\n"
                 "line A ff0000 windows 1 points 2 1 wagon 18 20 : a b c\n"
                 "line B 0000ff windows 1 points 2 1 wagon 41 2 : c b a\n",
                 20 + away[i][0], 20 + away[i][1]);
        check_map(&map, text);
        es_layout(&map, true, &layout);
        for (int l = 0; l < 2; l++)
            for (int p = layout.first_place[l]; p + 1 < layout.first_place[l + 1]; p++) {
                int x = abs(layout.place[p + 1].at.x - layout.place[p].at.x);
                int y = abs(layout.place[p + 1].at.y - layout.place[p].at.y);
                assert_true(x == 0 || y == 0 || x == y);
                assert_true(x <= 250 && y <= 250); /* no detour */
            }
        int places = layout.first_place[1];
        assert_int_equal(places, layout.first_place[2] - places); /* the same in both directions */
        assert_true(places >= 5);
        for (int l = 0; l < 2; l++) { /* both lines share every hop */
            int start = layout.first_place[l];
            for (int p = start; p + 1 < layout.first_place[l + 1]; p++)
                if (layout.place[p].station >= 0)
                    assert_int_equal(layout.bed[layout.place[p].bed].lines, 2);
        }
    }
}

/* Rings over the same stations never separate: sorting their lanes must come to an end all the
 * same, and give each its own. */
static void rings_that_never_part_can_be_drawn(void **unused)
{
    (void)unused;
    static char text[ES_MAP_TEXT_BYTES];
    struct es_out out = {text, sizeof text - 1, 0};
    char line[120];
    es_out_text(&out, "endstation-map 1\nid m\ntitle M\npaper ffffff\n");
    for (int s = 0; s < ES_STOPS_MAX; s++) {
        snprintf(line, sizeof line, "station s%d %d %d\n", s, s, s % 2 * 3);
        es_out_text(&out, line);
    }
    for (int l = 0; l < ES_LINES_MAX; l++) {
        snprintf(line, sizeof line,
                 "line %c 123456 windows 1 points 2 1 wagon 0 0 ring :", 'A' + l);
        es_out_text(&out, line);
        for (int i = 0; i < ES_STOPS_MAX; i++) {
            snprintf(line, sizeof line, " s%d", ES_STOPS_MAX - 1 - i);
            es_out_text(&out, line);
        }
        es_out_char(&out, '\n');
    }
    text[out.used] = '\0';
    check_map(&map, text);
    es_layout(&map, false, &layout);
    int lanes[ES_LINES_MAX] = {0};
    for (int l = 0; l < map.lines; l++) {
        int lane = layout.place[layout.first_place[l] + 2].lane + ES_LINES_MAX - 1;
        assert_in_range(lane, 0, 2 * (ES_LINES_MAX - 1));
        lanes[lane / 2]++;
    }
    for (int l = 0; l < map.lines; l++)
        assert_int_equal(lanes[l], 1); /* one line in each */
}

/* Several pictures on one page need different ids. */
static void ids_take_a_prefix(void **unused)
{
    (void)unused;
    struct es_state state;
    struct es_setup setup = practice_game(1, &state);
    struct es_svg svg;
    es_svg_open(&svg, svg_text, sizeof svg_text - 1);
    svg.prefix = "p2-";
    es_draw(&setup, &state, &(struct es_draw){.prepared = &layout}, &svg.painter);
    svg_text[svg.out.used] = '\0';
    check_svg((struct es_str){svg_text, svg.out.used});
    assert_non_null(strstr(svg_text, " id=\"p2-station-ce\" "));
    assert_null(strstr(svg_text, " id=\"station-ce\" "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_covers_anything),
        cmocka_unit_test(clashes_are_reported),
        cmocka_unit_test(hostile_names_are_escaped),
        cmocka_unit_test(full_sheets_fit_into_the_svg_limit),
        cmocka_unit_test(svg_never_overruns_a_small_buffer),
        cmocka_unit_test(every_part_can_be_found),
        cmocka_unit_test(marks_are_old_fresh_or_planned),
        cmocka_unit_test(values_are_shown_as_won_or_taken),
        cmocka_unit_test(pictures_depend_on_the_viewers_sheet_alone),
        cmocka_unit_test(random_maps_can_be_drawn),
        cmocka_unit_test(the_worst_maps_can_be_drawn),
        cmocka_unit_test(lines_run_at_multiples_of_45_degrees),
        cmocka_unit_test(rings_that_never_part_can_be_drawn),
        cmocka_unit_test(ids_take_a_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
