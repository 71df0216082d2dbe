/* Tests of a session (page.h): opening, dealing, playing, taking back, thinking. */
#include "check.h"
#include "page/internal.h"

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

/* Returns what a function of page.h writes, as a string in buffer `place` of `text`. */
static const char *written(int place, void (*write)(struct es_page *page, struct es_out *out))
{
    struct es_out out = {text[place], sizeof text[place] - 1, 0};
    write(&page, &out);
    assert_true(es_out_ok(&out));
    text[place][out.used] = '\0';
    return text[place];
}

static void state_for_nobody(struct es_page *session, struct es_out *out)
{
    es_page_state(session, 0, out);
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
        assert_int_equal(es_page_think(&page, player, es_str(level), 7, check_memory(), &out),
                         ES_OK);
        text[0][out.used] = '\0';
        const char *event = strstr(text[0], "\"event\":\"") + 9;
        struct es_str move = {event, strcspn(event, "\"")};
        assert_int_equal(es_page_apply(&page, move), ES_OK);
    }
}

/* ---- Opening ------------------------------------------------------------------------------- */

static void a_fault_leaves_the_open_game_unchanged(void **state)
{
    (void)state;
    struct es_fault fault;
    open_game(solo);
    play_on("greedy", 9);
    written(1, es_page_record);
    assert_int_equal(es_page_open(&page, es_str("endstation-record 2\n"), &fault), ES_NOT_A_RECORD);
    assert_int_equal(es_page_open(&page,
                                  es_str("endstation-record 1\ngame verplant\nmap paris\n"
                                         "players 1\n\ncard 6\n1 A9\n"),
                                  &fault),
                     ES_MARKS_MANY);
    assert_int_equal(fault.line, 7);
    assert_string_equal(fault.words, "1 A9");
    assert_string_equal(written(0, es_page_record), text[1]);
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
    es_status status = es_page_map(&page, es_str(own_map), &fault);
    if (status)
        fail_msg("line %d: %s", fault.line, fault.reason);
    open_game(record);
    assert_int_equal(page.record.setup.map->stations, 3);
    assert_ptr_equal(page.record.setup.map, &page.map);
    /* It does not affect other games. */
    open_game(solo);
    assert_string_equal(page.record.setup.map->id, "amsterdam");
    assert_int_equal(es_page_map(&page, es_str(""), &fault), ES_OK);
    assert_int_equal(es_page_open(&page, es_str(record), &fault), ES_MAP_ELSEWHERE);
}

/* Sheets with the same id are told apart by their hashes. */
static void own_sheets_may_have_the_id_of_a_built_in_one(void **state)
{
    (void)state;
#define PARIS "endstation-record 1\ngame verplant\nplayers 1\nmap paris"
    static struct es_map paris;
    struct es_fault fault;
    char record[256], hash[ES_MAP_HASH_BYTES];
    struct es_str built_in = es_builtin_map(es_str("paris"));
    check_builtin(&paris, "paris");
    assert_int_equal(es_page_map(&page, built_in, &fault), ES_OK);
    assert_non_null(strstr(written(0, es_page_map_facts), "\"id\":\"paris\",\"title\":\"Paris\""));
    assert_non_null(strstr(text[0], "\"built_in\":true}"));
    memcpy(text[0], built_in.at, built_in.size);
    text[0][built_in.size] = '\0';
    memcpy(strstr(text[0], "title ") + 6, "X", 1);
    assert_int_equal(es_page_map(&page, es_str(text[0]), &fault), ES_OK);
    strcpy(hash, page.own.hash);
    assert_non_null(strstr(written(0, es_page_map_facts), hash));
    assert_non_null(strstr(text[0], "\"built_in\":false}"));
    open_game(PARIS "\n"); /* without a hash, the player's own sheet comes first */
    assert_string_equal(page.record.setup.map->title, "Xaris");
    assert_false(page.built_in);
    snprintf(record, sizeof record, PARIS " %s\n", hash);
    open_game(record);
    assert_string_equal(page.record.setup.map->title, "Xaris");
    snprintf(record, sizeof record, PARIS " %s\n", paris.hash);
    open_game(record);
    assert_string_equal(page.record.setup.map->title, "Paris");
    assert_true(page.built_in);
    assert_int_equal(
        es_page_open(&page, es_str(PARIS " 0123456789abcdef0123456789abcdef\n"), &fault),
        ES_MAP_VERSION);
    assert_int_equal(fault.line, 4);
    assert_non_null(strstr(fault.words, "0123456789abcdef0123456789abcdef"));
    assert_non_null(strstr(fault.words, paris.hash));
    /* if there is no built-in sheet of that id, the hash is compared with the player's own sheet */
    assert_int_equal(es_page_map(&page, es_str(own_map), &fault), ES_OK);
    assert_int_equal(es_page_open(&page,
                                  es_str("endstation-record 1\ngame verplant\nplayers 1\n"
                                         "map own 0123456789abcdef0123456789abcdef\n"),
                                  &fault),
                     ES_MAP_CHANGED);
    assert_non_null(strstr(fault.words, page.own.hash));
}

static void earlier_versions_of_sheets_are_built_in(void **state)
{
    (void)state;
    const struct es_builtin_map *earlier = &es_earlier_maps[0];
    struct es_fault fault;
    char record[256];
    assert_int_equal(es_page_map(&page, earlier->text, &fault), ES_OK);
    assert_non_null(strstr(written(0, es_page_map_facts), "\"built_in\":true}"));
    assert_int_equal(es_page_map(&page, es_str(""), &fault), ES_OK);
    snprintf(record, sizeof record, "endstation-record 1\ngame verplant\nplayers 1\nmap %s %s\n",
             earlier->id, earlier->hash);
    open_game(record);
    assert_string_equal(page.record.setup.map->hash, earlier->hash);
    assert_true(page.built_in);
    assert_non_null(strstr(written(0, state_for_nobody), "\"built_in\":true,\"earlier\":true,"));
    record[strlen(record) - sizeof page.map.hash] = '\n'; /* without the hash */
    record[strlen(record) - sizeof page.map.hash + 1] = '\0';
    open_game(record);
    assert_string_not_equal(page.record.setup.map->hash, earlier->hash);
    assert_true(page.built_in);
    assert_null(strstr(written(0, state_for_nobody), "\"earlier\""));
}

static const char *needs(const char *record)
{
    struct es_out out = {text[0], sizeof text[0] - 1, 0};
    struct es_fault fault;
    if (es_page_needs(&page, es_str(record), &out, &fault))
        fail_msg("line %d: %s", fault.line, fault.reason);
    text[0][out.used] = '\0';
    return text[0];
}

static void a_header_tells_which_sheet_it_needs(void **state)
{
    (void)state;
    static struct es_map paris;
    char record[256], expected[256];
    struct es_fault fault;
    struct es_out out = {text[0], sizeof text[0], 0};
    check_builtin(&paris, "paris");
    assert_string_equal(needs(metro), "{\"game\":\"metro\",\"map\":\"\",\"hash\":\"\","
                                      "\"built_in\":false}");
    assert_string_equal(needs(PARIS "\n\nnonsense\n"), "{\"game\":\"verplant\",\"map\":\"paris\","
                                                       "\"hash\":\"\",\"built_in\":true}");
    snprintf(record, sizeof record, PARIS " %s\n", paris.hash);
    snprintf(expected, sizeof expected,
             "{\"game\":\"verplant\",\"map\":\"paris\",\"hash\":\"%s\",\"built_in\":true}",
             paris.hash);
    assert_string_equal(needs(record), expected);
    assert_non_null(strstr(needs(PARIS " 0123456789abcdef0123456789abcdef\n"), "built_in\":false"));
    snprintf(record, sizeof record, "endstation-record 1\ngame verplant\nplayers 1\nmap %s %s\n",
             es_earlier_maps[0].id, es_earlier_maps[0].hash);
    assert_non_null(strstr(needs(record), "\"built_in\":true}"));
    assert_non_null(strstr(needs("endstation-record 1\ngame verplant\nplayers 1\nmap oz\n"),
                           "built_in\":false"));
    assert_int_equal(
        es_page_needs(&page, es_str("endstation-record 1\ngame chess\n"), &out, &fault),
        ES_GAME_UNKNOWN);
    assert_int_equal(fault.line, 2);
}

/* ---- New games ------------------------------------------------------------------------------ */

static void expect_begin(const char *words, int line, es_status status)
{
    struct es_fault fault = {0};
    es_status got = es_page_begin(&page, es_str(words), &fault);
    if (got != status || (got && fault.line != line))
        fail_msg("expected line %d: %s; got line %d: %s for\n%s", line, es_status_text(status),
                 fault.line, es_status_text(got), words);
}

static void new_games_begin_from_choices(void **state)
{
    (void)state;
    static struct es_map berlin;
    char expected[1024];
    check_builtin(&berlin, "berlin");
    expect_begin(
        "game verplant\nmap berlin\nrules special\ndeck 6 x2\nperson  Ada  L \nbot strong\n"
        "person\ndate 2026-11-15\nnote one\n" SEED "note two",
        0, ES_OK);
    snprintf(expected, sizeof expected,
             "endstation-record 1\ngame verplant\nmap berlin %s\nplayers 3\nrules special\n"
             "deck 6 x2\nplayer 1 Ada  L\nbot 2 strong\ndate 2026-11-15\nnote one\nnote two\n" SEED
             "\n",
             berlin.hash);
    assert_string_equal(written(0, es_page_record), expected);
    expect_begin("game metro\n\nbot greedy\nperson strong (bot)\n", 0, ES_OK);
    assert_string_equal(written(0, es_page_record), "endstation-record 1\ngame metro\nplayers 2\n"
                                                    "player 2 strong (bot)\nbot 1 greedy\n\n");
    written(1, es_page_record);
    expect_begin("", 0, ES_GAME_FIRST);
    expect_begin("game metro\nperson\n", 2, ES_PLAYERS_RANGE);
    expect_begin("game metro\nperson\nbot two words\n", 3, ES_LEVEL_BAD);
    expect_begin("game metro\nperson\nbot\n", 3, ES_LEVEL_BAD);
    expect_begin("game metro\nmap berlin\nperson\nperson\n", 2, ES_MAP_UNWANTED);
    expect_begin("game verplant\nperson\n\n", 3, ES_MAP_MISSING);
    expect_begin("game verplant\nperson\nmap oz\n", 3, ES_MAP_ELSEWHERE);
    expect_begin("game verplant\nmap berlin 0123456789abcdef0123456789abcdef\nperson\n", 2,
                 ES_MAP_VERSION);
    expect_begin("person Ada\ngame metro\nperson\n", 1, ES_GAME_FIRST);
    expect_begin("game metro\nperson\nplayers 2\n", 3, ES_WORD_UNKNOWN);
    expect_begin("game metro\nsecret 1\n", 2, ES_WORD_UNKNOWN);
    expect_begin(
        "game metro\nperson 12345678901234567890123456789012345678901234567890123456789ab\n", 2,
        ES_NAME_LENGTH);
    expect_begin("game verplant\nperson\nperson\nperson\nperson\nperson\nperson\nperson\n", 8,
                 ES_PLAYERS_RANGE);
    expect_begin("game metro\nperson a\001b\nperson\n", 2, ES_NOT_TEXT);
    char *words = text[0] + (sizeof text[0] - (64 << 10));
    memcpy(words, "game metro\nnote ", 16);
    memset(words + 16, 'x', 40000);
    words[40016] = '\0';
    expect_begin(words, 2, ES_NOTES_TOO_LONG);
    assert_string_equal(written(0, es_page_record), text[1]); /* the game stays as it was */
}

static void a_rematch_has_the_same_setup(void **state)
{
    (void)state;
    struct es_fault fault;
    open_game(
        "endstation-record 1\ngame metro\nplayers 2\nrules rotate\nplayer 1 Ada\nbot 2 strong\n"
        "commit 1\ndate 2025-01-01\nsecret 2\nword 3\nnote 4\n" SEED);
    play_on("greedy", 9);
    written(1, es_page_record);
    assert_int_equal(es_page_rematch(&page, es_str("date 2026\nbot 1 x\n"), &fault),
                     ES_WORD_UNKNOWN);
    assert_int_equal(fault.line, 2);
    assert_int_equal(es_page_rematch(&page, es_str("date 1\ndate 2\n"), &fault), ES_TWICE);
    assert_int_equal(es_page_rematch(&page, es_str("seed 12\n"), &fault), ES_SEED_BAD);
    assert_int_equal(es_page_rematch(&page, es_str("seed same\nseed same\n"), &fault), ES_TWICE);
    assert_string_equal(written(0, es_page_record), text[1]);
    static const char same[] = "endstation-record 1\ngame metro\nplayers 2\nrules rotate\n"
                               "player 1 Ada\nbot 2 strong\n";
    char expected[512];
    snprintf(expected, sizeof expected, "%sdate 2026-11-15\n" SEED "\n", same);
    assert_int_equal(es_page_rematch(&page, es_str("\n" SEED "date 2026-11-15"), &fault), ES_OK);
    assert_string_equal(written(0, es_page_record), expected);
    assert_int_equal(es_page_deal(&page, 1), 2);
    assert_int_equal(es_page_rematch(&page, es_str(""), &fault), ES_OK);
    snprintf(expected, sizeof expected, "%s\n", same);
    assert_string_equal(written(0, es_page_record), expected);
    assert_int_equal(es_page_rematch(&page, es_str("seed same"), &fault), ES_SEED_BAD);
}

/* A challenge keeps the setup and the seed and notes what somebody got with it; it contains none of
 * their moves, and not their name as a player. */
static void a_challenge_has_the_same_cards(void **state)
{
    (void)state;
    struct es_fault fault;
    open_game("endstation-record 1\ngame verplant\nmap practice\nplayers 2\nplayer 1 Ada B.\n"
              "player 2 Bot\nbot 2 greedy\n" SEED);
    assert_non_null(strstr(written(0, state_for_nobody), "\"challenge\":{},"));
    play_on("greedy", 9);
    assert_int_equal(
        es_page_rematch(
            &page, es_str("date 2026-11-16\nseed same\nnames none\nnote challenge 41 Ada B.\n"),
            &fault),
        ES_OK);
    assert_string_equal(written(0, es_page_record),
                        "endstation-record 1\ngame verplant\n"
                        "map practice 3c88349a7438c422786680fe3c0dc9a6\nplayers 2\n"
                        "player 2 Bot\nbot 2 greedy\n"
                        "date 2026-11-16\nnote challenge 41 Ada B.\n" SEED "\n");
    assert_non_null(strstr(written(0, state_for_nobody),
                           "\"challenge\":{\"points\":41,\"name\":\"Ada B.\",\"own\":false},"));
    assert_int_equal(es_page_rematch(&page, es_str("note before -4"), &fault), ES_OK);
    assert_non_null(strstr(written(0, state_for_nobody),
                           "\"challenge\":{\"points\":-4,\"name\":\"\",\"own\":true},"));
    for (int i = 0; i < 3; i++) {
        static const char *const bad[] = {"note challenge", "note challenge - Ada",
                                          "note challenge 99999999999 Ada"};
        assert_int_equal(es_page_rematch(&page, es_str(bad[i]), &fault), ES_OK);
        assert_non_null(strstr(written(0, state_for_nobody), "\"challenge\":{},"));
    }
}

static void seats_can_be_given_to_bots_and_people(void **state)
{
    (void)state;
    open_game("endstation-record 1\ngame metro\nplayers 2\nplayer 1 Ada\nbot 2 wizard\n");
    assert_int_equal(es_page_seat(&page, 2, es_str("wizard")), ES_BOT_UNKNOWN);
    assert_int_equal(es_page_seat(&page, 3, es_str("strong")), ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_seat(&page, 0, es_str("")), ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_seat(&page, 2, es_str("strong")), ES_OK);
    assert_non_null(strstr(written(0, es_page_record), "\nbot 2 strong\n"));
    assert_string_equal(page.label[1], "strong (bot)");
    assert_int_equal(es_page_seat(&page, 2, es_str("")), ES_OK);
    assert_null(strstr(written(0, es_page_record), "bot"));
    assert_string_equal(page.label[1], "");
}

/* Records of earlier versions mark bots by name. */
static void bots_recorded_by_name_are_converted(void **state)
{
    (void)state;
    open_game("endstation-record 1\ngame metro\nplayers 6\nplayer 1 strong (bot)\n"
              "player 2 Ada\nplayer 3 strong (bot 2)\nplayer 4 wizard (bot)\n"
              "player 5 strong (bot x)\nplayer 6 (bot)\n");
    assert_int_equal(es_page_upgrade(&page), 2);
    assert_string_equal(written(0, es_page_record),
                        "endstation-record 1\ngame metro\nplayers 6\nplayer 2 Ada\n"
                        "player 4 wizard (bot)\nplayer 5 strong (bot x)\nplayer 6 (bot)\n"
                        "bot 1 strong\nbot 3 strong\n\n");
    assert_int_equal(es_page_upgrade(&page), 0);
    /* a bot may have any name */
    open_game("endstation-record 1\ngame metro\nplayers 2\nplayer 1 strong (bot)\nbot 1 greedy\n");
    assert_int_equal(es_page_upgrade(&page), 0);
}

/* A session's answers about its sheet are about the one in use. */
static void opening_another_sheet_replaces_the_layout(void **state)
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
        page.is_prepared = false;
    }
    assert_string_equal(text[0], text[1]);
    struct es_out out = {text[0], sizeof text[0] - 1, 0};
    es_page_log(&page, 1, 0, &out);
    es_page_state(&page, 1, &out);
    text[0][out.used] = '\0';
    assert_non_null(strstr(text[0], "\"marks\":[\"c\",\"Bb\"]")); /* c has no name */
    assert_non_null(strstr(text[0], "\"id\":\"own\",\"title\":\"Own\",\"hash\":\""));
    assert_non_null(strstr(text[0], page.own.hash));
    assert_non_null(strstr(text[0], "\"built_in\":false"));
}

/* ---- Playing ------------------------------------------------------------------------------- */

static void test_dealing(void **state)
{
    (void)state;
    open_game(metro);
    assert_int_equal(es_page_deal(&page, 1), 4);
    assert_int_equal(es_page_deal(&page, 1), 0);
    /* If there is a seed, it decides; else the entropy does. */
    written(1, es_page_record);
    open_game(metro);
    es_page_deal(&page, 2);
    assert_string_equal(written(0, es_page_record), text[1]);
    int same = 0;
    for (uint64_t entropy = 1; entropy <= 8; entropy++) {
        open_game("endstation-record 1\ngame metro\nplayers 2\nrules hand2\n");
        assert_int_equal(es_page_deal(&page, entropy), 4);
        same += strcmp(written((int)entropy % 2, es_page_record), text[(entropy + 1) % 2]) == 0;
    }
    assert_true(same < 4);
}

/* A record that ended in its header is completed when it is written. */
static void test_what_is_written_can_be_read(void **state)
{
    (void)state;
    static const char *const records[] = {solo, two, metro};
    for (int i = 0; i < 3; i++) {
        open_game(records[i]);
        for (size_t until = 0; until < 4; until++) {
            play_on("greedy", until);
            written(1, es_page_record);
            open_game(text[1]);
            assert_string_equal(written(0, es_page_record), text[1]);
        }
    }
}

static void a_full_record_takes_no_more_events(void **state)
{
    (void)state;
    open_game(metro);
    es_page_deal(&page, 1);
    es_page_apply(&page, es_str("1 draw"));
    page.record.count = ES_EVENTS_MAX; /* longer than any game */
    assert_int_equal(es_page_deal(&page, 1), 0);
    assert_int_equal(es_page_apply(&page, es_str("deal 1 aacb")), ES_EVENTS_TOO_MANY);
    assert_false(es_page_rerun_step(&page, 1, es_str("greedy"), check_memory()));
    assert_int_equal(page.record.count, ES_EVENTS_MAX);
}

static void test_events(void **state)
{
    (void)state;
    open_game(two);
    es_page_deal(&page, 1);
    assert_int_equal(es_page_apply(&page, es_str("nothing")), ES_WORD_MISSING);
    assert_int_equal(es_page_apply(&page, es_str("3 A1")), ES_PLAYER_UNKNOWN);
    assert_int_equal(page.record.count, 1);
    assert_int_equal(es_page_apply(&page, es_str(" 1 A1 ")), ES_OK);
    assert_int_equal(es_page_apply(&page, es_str("1 A1")), ES_NOT_TO_ACT);
    assert_int_equal(es_page_take_back(&page, 1), ES_OK);
}

static void seeking_and_forking(void **state)
{
    (void)state;
    open_game(two);
    play_on("greedy", 20);
    const struct es_setup *setup = &page.record.setup;
    const size_t count = page.record.count;
    struct es_state view, known;
    written(1, es_page_report);
    for (size_t i = 0; i <= count + 1; i++) {
        es_page_seek(&page, 1, i);
        size_t at = page.cursor;
        /* the first moment at which the view had i events */
        assert_true(at == count || es__page_seen(&page, 1) >= i);
        page.cursor = at > 0 ? at - 1 : 0;
        assert_true(at == 0 || es__page_seen(&page, 1) < i);
        page.cursor = at;
        es_page_see(&page, 1, &view);
        assert_int_equal(es_fold(setup, page.event, page.cursor, &known), ES_OK);
        assert_int_equal(setup->game->score(setup, &view, 1), setup->game->score(setup, &known, 1));
        assert_int_equal(setup->game->check(setup, &view), ES_OK);
    }
    assert_string_equal(written(0, es_page_report), text[1]); /* seeking changes nothing */
    es_page_seek(&page, 1, SIZE_MAX);
    assert_int_equal(page.cursor, count);
    es_event last = page.event[count - 1];
    es_page_fork(&page, ES_EVENT_WHO(last), count - 1);
    assert_int_equal(page.cursor, count - 1);
    assert_int_equal(es__page_make(&page, last), ES_OK);
    assert_string_equal(written(0, es_page_report), text[1]);
    es_page_fork(&page, 0, 0);
    assert_int_equal(page.record.count, 0);
}

/* Forking an unfinished game must not reveal what comes next. */
static void a_fork_keeps_its_seed_only_when_the_game_was_over(void **state)
{
    (void)state;
    static const char record[] =
        "endstation-record 1\ngame metro\nplayers 2\nnote a\ncommit 1\ndate 2\nsecret 3\n"
        "word 4\nnote b\n" SEED;
    open_game(record);
    play_on("greedy", 20);
    es_page_fork(&page, 1, 10);
    assert_int_equal(page.record.count, 10);
    assert_non_null(strstr(written(0, es_page_record), "\nnote a\ndate 2\nnote b\n\n"));
    open_game(record);
    play_on("greedy", ES_EVENTS_MAX);
    es_page_fork(&page, 1, 10);
    assert_int_equal(page.record.count, 10);
    assert_non_null(strstr(written(0, es_page_record), "\nword 4\nnote b\n" SEED));
}

/* ---- Thinking ------------------------------------------------------------------------------ */

static void test_refusals_to_think(void **state)
{
    (void)state;
    struct es_out out = {text[0], sizeof text[0], 0};
    open_game(metro);
    assert_int_equal(es_page_think(&page, 1, es_str("strong"), 1, check_memory(), &out),
                     ES_CHANCE_DUE);
    es_page_deal(&page, 1);
    assert_int_equal(es_page_think(&page, 2, es_str("strong"), 1, check_memory(), &out),
                     ES_NOT_TO_ACT);
    assert_int_equal(es_page_think(&page, 0, es_str("strong"), 1, check_memory(), &out),
                     ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_think(&page, 1, es_str("flat:20"), 1, check_memory(), &out),
                     ES_BOT_UNKNOWN);
    /* A bot cannot answer from another player's view. */
    out.used = 0;
    es_page_view(&page, 2, &out);
    text[0][out.used] = '\0';
    memcpy(text[1], text[0], out.used + 1);
    open_game(text[1]);
    out.used = 0;
    assert_int_equal(es_page_think(&page, 1, es_str("strong"), 1, check_memory(), &out),
                     ES_VIEW_BLIND);
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
    assert_int_equal(es_page_think(&page, player + 1, es_str("strong"), 5, check_memory(), &out),
                     ES_OK);
    one[out.used] = '\0';
    es_page_view(&page, player + 1, &seen);
    open_game(view);
    struct es_out other = {text[0], sizeof text[0] - 1, 0};
    assert_int_equal(es_page_think(&page, player + 1, es_str("strong"), 5, check_memory(), &other),
                     ES_OK);
    text[0][other.used] = '\0';
    assert_string_equal(text[0], one);
    assert_non_null(strstr(one, "\"candidates\":[{\"event\":\""));
}

static void a_rerun_repeats_the_cards(void **state)
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
    es_page_rerun_begin(&page);
    assert_int_equal(page.old_count, count);
    while (es_page_rerun_step(&page, 1, es_str("strong"), check_memory()))
        ;
    assert_int_equal(setup->game->turn(setup, &page.state).kind, ES_TURN_OVER);
    assert_true(setup->game->score(setup, &page.state, 1) > before[0]);
    assert_true(setup->game->score(setup, &page.state, 2) <=
                before[1]); /* the same entries, but fewer lines completed first */
    assert_memory_equal(old, page.event, sizeof old[0]); /* the same first card */
    /* A game that has only just begun is played to its end. */
    open_game(metro);
    play_on("greedy", 12);
    es_page_rerun_begin(&page);
    while (es_page_rerun_step(&page, 2, es_str("greedy"), check_memory()))
        ;
    assert_int_equal(setup->game->turn(setup, &page.state).kind, ES_TURN_OVER);
    assert_false(es_page_rerun_step(&page, 2, es_str("greedy"), check_memory()));
}

static void test_numbers_as_json(void **state)
{
    (void)state;
    char out_text[100];
    struct es_out out = {out_text, sizeof out_text, 0};
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, &out);
    es__write_array(w, NULL);
    es__write_fixed(w, NULL, 41.238, 2);
    es__write_fixed(w, NULL, 12.996, 2);
    es__write_fixed(w, NULL, 0.0625, 3);
    es__write_fixed(w, NULL, -7.04, 1);
    es__write_fixed(w, NULL, -0.5, 2);
    es__write_end(w);
    out_text[out.used] = '\0';
    assert_string_equal(out_text, "[41.24,13.00,0.063,-7.0,-0.50]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fault_leaves_the_open_game_unchanged),
        cmocka_unit_test(test_own_sheets),
        cmocka_unit_test(own_sheets_may_have_the_id_of_a_built_in_one),
        cmocka_unit_test(earlier_versions_of_sheets_are_built_in),
        cmocka_unit_test(a_header_tells_which_sheet_it_needs),
        cmocka_unit_test(new_games_begin_from_choices),
        cmocka_unit_test(a_rematch_has_the_same_setup),
        cmocka_unit_test(a_challenge_has_the_same_cards),
        cmocka_unit_test(seats_can_be_given_to_bots_and_people),
        cmocka_unit_test(bots_recorded_by_name_are_converted),
        cmocka_unit_test(opening_another_sheet_replaces_the_layout),
        cmocka_unit_test(test_dealing),
        cmocka_unit_test(test_what_is_written_can_be_read),
        cmocka_unit_test(a_full_record_takes_no_more_events),
        cmocka_unit_test(test_events),
        cmocka_unit_test(seeking_and_forking),
        cmocka_unit_test(a_fork_keeps_its_seed_only_when_the_game_was_over),
        cmocka_unit_test(test_refusals_to_think),
        cmocka_unit_test(test_thinking_is_the_same_from_a_view),
        cmocka_unit_test(a_rerun_repeats_the_cards),
        cmocka_unit_test(test_numbers_as_json),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
