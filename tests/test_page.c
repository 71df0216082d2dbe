/* A game as a page plays it: opened, dealt, played, taken back, thought about. */
#include "../src/page/json.h"
#include "../src/page/page.h"
#include "check.h"

#define SEED "seed 5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a\n"

static const char solo[] = "endstation-record 1\ngame verplant\nmap amsterdam\nplayers 1\n" SEED;
static const char two[] = "endstation-record 1\ngame verplant\nmap amsterdam\nplayers 2\n" SEED;
static const char metro[] = "endstation-record 1\ngame metro\nplayers 2\nrules hand2\n" SEED;

static struct es_page page;
static char text[2][1 << 20];

static void open_game(const char *record)
{
    struct es_fault fault;
    if (es_page_open(&page, es_str(record), &fault))
        fail_msg("line %d: %s", fault.line, fault.reason);
}

/* What a function writes, zero-ended, in one of two places. */
static const char *said(int place, void (*write)(struct es_page *page, struct es_out *out))
{
    struct es_out out = {text[place], sizeof text[place] - 1, 0};
    write(&page, &out);
    assert_true(es_out_ok(&out));
    text[place][out.used] = '\0';
    return text[place];
}

static void play_on(const char *level, size_t until)
{
    const struct es_record *record = &page.record;
    while (record->count < until) {
        es_page_deal(&page, 1);
        struct es_turn turn = record->setup.game->turn(&record->setup, &page.state);
        if (turn.kind == ES_TURN_OVER)
            return;
        struct es_out out = {text[0], sizeof text[0] - 1, 0};
        int player = __builtin_ctz(turn.players) + 1;
        assert_int_equal(es_page_think(&page, player, es_str(level), 7, &out), ES_OK);
        text[0][out.used] = '\0';
        const char *event = strstr(text[0], "\"event\":\"") + 9;
        struct es_str move = {event, strcspn(event, "\"")};
        assert_int_equal(es_page_apply(&page, move), ES_OK);
    }
}

/* ---- Opening ------------------------------------------------------------------------------- */

static void test_a_fault_leaves_the_game(void **state)
{
    (void)state;
    struct es_fault fault;
    open_game(solo);
    play_on("greedy", 9);
    said(1, es_page_record);
    assert_int_equal(es_page_open(&page, es_str("endstation-record 2\n"), &fault), ES_NOT_A_RECORD);
    assert_int_equal(es_page_open(&page,
                                  es_str("endstation-record 1\ngame verplant\nmap paris\n"
                                         "players 1\n\ncard 6\n1 A9\n"),
                                  &fault),
                     ES_MARKS_MANY);
    assert_int_equal(fault.line, 7);
    assert_string_equal(fault.words, "1 A9");
    assert_string_equal(said(0, es_page_record), text[1]);
    assert_string_equal(page.record.setup.map->id, "amsterdam");
}

static const char own_map[] = "endstation-map 1\nid own\ntitle Own\npaper ffffff\n"
                              "station a 1 1 : Aa\nstation b 5 1 : Bb\nstation c 5 5\n"
                              "line A e2001a windows 1 points 3 1 wagon 0 1 : a b\n"
                              "line B 0055aa windows 1 points 3 1 wagon 0 5 : c b\n";

static void test_own_sheets(void **state)
{
    (void)state;
    static const char record[] = "endstation-record 1\ngame verplant\nmap own\nplayers 1\n" SEED;
    struct es_fault fault;
    page.own.lines = 0;
    assert_int_equal(es_page_open(&page, es_str(record), &fault), ES_MAP_ELSEWHERE);
    enum es_status status = es_page_map(&page, es_str(own_map), &fault);
    if (status)
        fail_msg("line %d: %s", fault.line, fault.reason);
    open_game(record);
    assert_int_equal(page.record.setup.map->stations, 3);
    assert_ptr_equal(page.record.setup.map, &page.map);
    /* It stands in nobody's way. */
    open_game(solo);
    assert_string_equal(page.record.setup.map->id, "amsterdam");
    /* One that is called like a built-in sheet must be it. */
    struct es_str built_in = es_builtin_map(es_str("paris"));
    assert_int_equal(es_page_map(&page, built_in, &fault), ES_OK);
    memcpy(text[0], built_in.at, built_in.size);
    text[0][built_in.size] = '\0';
    memcpy(strstr(text[0], "title ") + 6, "X", 1);
    assert_int_equal(es_page_map(&page, es_str(text[0]), &fault), ES_MAP_ID_TAKEN);
    open_game("endstation-record 1\ngame verplant\nmap paris\nplayers 1\n");
    assert_string_equal(page.record.setup.map->title, "Paris");
    assert_int_equal(es_page_open(&page, es_str(record), &fault), ES_MAP_ELSEWHERE);
}

/* What a page says of its sheet is said of the one in use. */
static void test_another_sheet(void **state)
{
    (void)state;
    static const char record[] = "endstation-record 1\ngame verplant\nmap own\nplayers 1\n\n"
                                 "card 6\n1 B2\n";
    static char picture[1 << 20];
    const struct es_page_look look = {.viewer = 1, .sheet = 1};
    struct es_fault fault;
    struct es_svg svg;
    open_game(solo);
    es_svg_open(&svg, picture, sizeof picture);
    es_page_draw(&page, &look, &svg); /* lays Amsterdam out */
    assert_int_equal(es_page_map(&page, es_str(own_map), &fault), ES_OK);
    open_game(record);
    for (int i = 0; i < 2; i++) {
        es_svg_open(&svg, text[i], sizeof text[i] - 1);
        es_page_draw(&page, &look, &svg);
        assert_true(es_out_ok(&svg.out));
        text[i][svg.out.used] = '\0';
        page.laid_out = false;
    }
    assert_string_equal(text[0], text[1]);
    struct es_out out = {text[0], sizeof text[0] - 1, 0};
    es_page_log(&page, 1, 0, &out);
    es_page_state(&page, 1, &out);
    text[0][out.used] = '\0';
    assert_non_null(strstr(text[0], "\"marks\":[\"c\",\"Bb\"]")); /* c has no name */
    assert_non_null(strstr(text[0], "\"id\":\"own\",\"title\":\"Own\",\"built_in\":false"));
}

/* ---- Playing ------------------------------------------------------------------------------- */

static void test_dealing(void **state)
{
    (void)state;
    open_game(metro);
    assert_int_equal(es_page_deal(&page, 1), 4);
    assert_int_equal(es_page_deal(&page, 1), 0);
    /* The seed decides where there is one; else the entropy does. */
    said(1, es_page_record);
    open_game(metro);
    es_page_deal(&page, 2);
    assert_string_equal(said(0, es_page_record), text[1]);
    int same = 0;
    for (uint64_t entropy = 1; entropy <= 8; entropy++) {
        open_game("endstation-record 1\ngame metro\nplayers 2\nrules hand2\n");
        assert_int_equal(es_page_deal(&page, entropy), 4);
        same += strcmp(said((int)entropy % 2, es_page_record), text[(entropy + 1) % 2]) == 0;
    }
    assert_true(same < 4);
}

/* A record that ended in its header is whole when it is written. */
static void test_what_is_written_can_be_read(void **state)
{
    (void)state;
    static const char *const records[] = {solo, two, metro};
    for (int i = 0; i < 3; i++) {
        open_game(records[i]);
        for (size_t until = 0; until < 4; until++) {
            play_on("greedy", until);
            said(1, es_page_record);
            open_game(text[1]);
            assert_string_equal(said(0, es_page_record), text[1]);
        }
    }
}

static void test_a_record_that_is_full(void **state)
{
    (void)state;
    open_game(metro);
    es_page_deal(&page, 1);
    es_page_apply(&page, es_str("1 draw"));
    page.record.count = ES_EVENTS_MAX; /* no game is as long */
    assert_int_equal(es_page_deal(&page, 1), 0);
    assert_int_equal(es_page_apply(&page, es_str("deal 1 aacb")), ES_EVENTS_TOO_MANY);
    assert_false(es_page_again_step(&page, 1, es_str("greedy")));
    assert_int_equal(page.record.count, ES_EVENTS_MAX);
}

static void test_events_and_plans(void **state)
{
    (void)state;
    open_game(two);
    es_page_deal(&page, 1);
    assert_int_equal(es_page_apply(&page, es_str("nothing")), ES_WORD_MISSING);
    assert_int_equal(es_page_apply(&page, es_str("3 A1")), ES_PLAYER_UNKNOWN);
    assert_int_equal(page.record.count, 1);
    es_verplant.parse(&page.record.setup, es_str("1 B1"), &page.plan[0]);
    es_verplant.parse(&page.record.setup, es_str("2 A1"), &page.plan[1]);
    assert_int_equal(es_page_apply(&page, es_str(" 1 A1 ")), ES_OK);
    assert_int_equal(page.plan[0], 0);
    assert_int_not_equal(page.plan[1], 0); /* may still be made */
    assert_int_equal(es_page_apply(&page, es_str("1 A1")), ES_NOT_TO_ACT);
    es_page_cut(&page, 1);
    assert_int_equal(page.plan[1], 0);
}

static void test_back_and_forth(void **state)
{
    (void)state;
    open_game(two);
    play_on("greedy", 20);
    const struct es_setup *setup = &page.record.setup;
    const size_t count = page.record.count;
    struct es_state view, known;
    said(1, es_page_report);
    for (size_t i = 0; i <= count + 1; i++) {
        es_page_seek(&page, i);
        assert_int_equal(page.cursor, i < count ? i : count);
        es_page_see(&page, 1, &view);
        assert_int_equal(es_fold(setup, page.event, page.cursor, &known), ES_OK);
        assert_int_equal(setup->game->score(setup, &view, 1), setup->game->score(setup, &known, 1));
        assert_int_equal(setup->game->check(setup, &view), ES_OK);
    }
    assert_string_equal(said(0, es_page_report), text[1]); /* replays look, and change nothing */
    es_event last = page.event[count - 1];
    es_page_cut(&page, count - 1);
    assert_int_equal(page.cursor, count - 1);
    assert_int_equal(es__page_make(&page, last), ES_OK);
    assert_string_equal(said(0, es_page_report), text[1]);
    es_page_cut(&page, 0);
    assert_int_equal(page.record.count, 0);
}

/* ---- Thinking ------------------------------------------------------------------------------ */

static void test_refusals_to_think(void **state)
{
    (void)state;
    struct es_out out = {text[0], sizeof text[0], 0};
    open_game(metro);
    assert_int_equal(es_page_think(&page, 1, es_str("strong"), 1, &out), ES_CHANCE_DUE);
    es_page_deal(&page, 1);
    assert_int_equal(es_page_think(&page, 2, es_str("strong"), 1, &out), ES_NOT_TO_ACT);
    assert_int_equal(es_page_think(&page, 0, es_str("strong"), 1, &out), ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_think(&page, 1, es_str("flat:20"), 1, &out), ES_BOT_UNKNOWN);
    /* With the view of another player nobody knows what to do. */
    out.used = 0;
    es_page_view(&page, 2, &out);
    text[0][out.used] = '\0';
    memcpy(text[1], text[0], out.used + 1);
    open_game(text[1]);
    out.used = 0;
    assert_int_equal(es_page_think(&page, 1, es_str("strong"), 1, &out), ES_VIEW_BLIND);
    assert_int_equal(out.used, 0);
}

static void test_thinking_is_the_same_from_a_view(void **state)
{
    (void)state;
    static char view[1 << 16], one[1 << 16];
    open_game(metro);
    play_on("casual", 30);
    es_page_deal(&page, 1);
    int player =
        __builtin_ctz(page.record.setup.game->turn(&page.record.setup, &page.state).players);
    struct es_out out = {one, sizeof one - 1, 0}, seen = {view, sizeof view - 1, 0};
    assert_int_equal(es_page_think(&page, player + 1, es_str("strong"), 5, &out), ES_OK);
    one[out.used] = '\0';
    es_page_view(&page, player + 1, &seen);
    open_game(view);
    struct es_out other = {text[0], sizeof text[0] - 1, 0};
    assert_int_equal(es_page_think(&page, player + 1, es_str("strong"), 5, &other), ES_OK);
    text[0][other.used] = '\0';
    assert_string_equal(text[0], one);
    assert_non_null(strstr(one, "\"candidates\":[{\"event\":\""));
}

static void test_a_game_again(void **state)
{
    (void)state;
    static es_event old[4096];
    open_game(two);
    play_on("random", 4096);
    const struct es_record *record = &page.record;
    const struct es_setup *setup = &record->setup;
    size_t count = record->count;
    memcpy(old, page.event, count * sizeof old[0]);
    int before[2] = {setup->game->score(setup, &page.state, 1),
                     setup->game->score(setup, &page.state, 2)};
    es_page_again(&page);
    assert_int_equal(page.old_count, count);
    while (es_page_again_step(&page, 1, es_str("strong")))
        ;
    assert_int_equal(setup->game->turn(setup, &page.state).kind, ES_TURN_OVER);
    assert_true(setup->game->score(setup, &page.state, 1) > before[0]);
    assert_true(setup->game->score(setup, &page.state, 2) <=
                before[1]);                              /* same marks, fewer firsts */
    assert_memory_equal(old, page.event, sizeof old[0]); /* the same first card */
    /* A game that had only begun is played to its end. */
    open_game(metro);
    play_on("greedy", 12);
    es_page_again(&page);
    while (es_page_again_step(&page, 2, es_str("greedy")))
        ;
    assert_int_equal(setup->game->turn(setup, &page.state).kind, ES_TURN_OVER);
    assert_false(es_page_again_step(&page, 2, es_str("greedy")));
}

static void test_numbers_as_json(void **state)
{
    (void)state;
    char out_text[100];
    struct es_out out = {out_text, sizeof out_text, 0};
    struct es__json json = {.out = &out};
    es__json_open(&json, NULL, '[');
    es__json_fixed(&json, NULL, 41.238, 2);
    es__json_fixed(&json, NULL, 12.996, 2);
    es__json_fixed(&json, NULL, 0.0625, 3);
    es__json_fixed(&json, NULL, -7.04, 1);
    es__json_fixed(&json, NULL, -0.5, 2);
    es__json_close(&json, ']');
    out_text[out.used] = '\0';
    assert_string_equal(out_text, "[41.24,13.00,0.063,-7.0,-0.50]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_fault_leaves_the_game),
        cmocka_unit_test(test_own_sheets),
        cmocka_unit_test(test_another_sheet),
        cmocka_unit_test(test_dealing),
        cmocka_unit_test(test_what_is_written_can_be_read),
        cmocka_unit_test(test_a_record_that_is_full),
        cmocka_unit_test(test_events_and_plans),
        cmocka_unit_test(test_back_and_forth),
        cmocka_unit_test(test_refusals_to_think),
        cmocka_unit_test(test_thinking_is_the_same_from_a_view),
        cmocka_unit_test(test_a_game_again),
        cmocka_unit_test(test_numbers_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
