/* Tests of es_page_choose(): every sentence of its contract in src/page/page.h as a drawn position,
 * then random taps and keys in random games: every plan can be made. */
#include "page_table.h"

#define CARDS "deck 3 3 4 4 5 6 x2 x3 + o\n"
#define SOLO HEAD "verplant\nmap practice\nplayers 1\n" CARDS "\n"
#define SPECIAL HEAD "verplant\nmap practice\nplayers 1\nrules special\n" CARDS "\n"

/* Checks that an action makes player 1 plan this move ("": none) and is not refused. */
static void plans(const char *words, const char *plan)
{
    const char *text = choose(1, words);
    if (strcmp(field(text, "plan"), plan) != 0 || field(text, "why")[0])
        fail_msg("%s: %s expected, got\n%s", words, plan, text);
}

static void refused(const char *words, es_status status, const char *plan)
{
    const char *text = choose(1, words);
    if (strcmp(field(text, "plan"), plan) != 0 ||
        strcmp(field(text, "why"), es_status_code(status)) != 0)
        fail_msg("%s: %s expected, got\n%s", words, es_status_text(status), text);
}

static bool confirms(const char *words)
{
    return strstr(choose(1, words), "\"again\":true") != NULL;
}

/* ---- verplant ------------------------------------------------------------------------------- */

static void lines_are_tapped(void **state)
{
    (void)state;
    open_game(SOLO "card 3\n");
    plans("look", "");
    plans("tap wagon-A", "1 A3");
    plans("tap line-B", "1 B3");
    plans("tap value-D", "1 D3");
    plans("key e", "1 E3");
    plans("key A", "1 A3");
    plans("look", "1 A3");
    refused("tap wagon-Z", ES_LINE_UNKNOWN, "1 A3");
    refused("key Z", ES_LINE_UNKNOWN, "1 A3");
    plans("tap sum", "1 A3");
    refused("wink", ES_WORD_UNKNOWN, "1 A3");
    refused("key F1", ES_WORD_UNKNOWN, "1 A3");
    plans("clear", "");
    plans("move 1 D2", "1 D2");
    refused("move 1 D4", ES_MARKS_MANY, "1 D2");
    refused("move 2 D2", ES_PLAYER_UNKNOWN, "1 D2");
    refused("move card 3", ES_NOT_TO_ACT, "1 D2");
    plans("key Backspace", "");
    plans("blank", "1 A0");
}

static void stations_are_tapped(void **state)
{
    (void)state;
    open_game(SOLO "card 3\n");
    plans("tap station-w2", "1 A2");
    plans("tap station-w1", "1 A1");
    plans("tap station-r8", "1 A3"); /* also C<2, but A is planned */
    plans("tap station-e2", "1 A3"); /* out of reach: all that A can get */
    plans("clear", "");
    plans("tap station-r8", "1 A3"); /* three marks there, two on the ring */
    plans("tap station-ce", "1 B3"); /* A comes no further than r8, B gets there */
    refused("tap station-xx", ES_STATION_UNKNOWN, "1 B3");
    make("1 B3");
    make("card 4");
    refused("tap station-ce", ES_STATION_MARKED, "");
    plans("tap station-r4", "1 A3"); /* ce is in the way; C>4 would do, but r2 is marked, too */
    has(choose(1, "look"), "\"marks\":[\"Airfield\",\"Orchard\",\"West Park\"]");
    has(answer, "\"stations\":[\"w1\",\"w2\",\"r8\"]");
}

static void a_second_tap_confirms(void **state)
{
    (void)state;
    open_game(SOLO "card 3\n");
    assert_false(confirms("tap wagon-A"));
    assert_true(confirms("tap wagon-A"));
    assert_false(confirms("tap station-r8")); /* the same marks, but another part */
    assert_true(confirms("tap station-r8"));
    assert_false(confirms("tap station-w1"));
    assert_false(confirms("tap station-r8"));
    assert_false(confirms("key Left"));
    assert_false(confirms("tap station-r8")); /* it was changed in between */
    assert_false(confirms("key A"));
    assert_false(confirms("key A"));
    choose(1, "clear");
    assert_false(confirms("tap station-r8"));
    /* Tapping a part that stands for no move twice confirms nothing. */
    for (int i = 0; i < 2; i++) {
        assert_false(confirms("tap sum"));
        assert_false(confirms("tap"));
    }
    plans("look", "1 A3");
    make("1 A3");
    make("card 4");
    assert_false(confirms("tap wagon-A"));
}

static void nearer_and_farther_by_keys(void **state)
{
    (void)state;
    open_game(SOLO "card 3\n");
    plans("key 2", ""); /* on which line? */
    plans("key A", "1 A3");
    plans("key 1", "1 A1");
    plans("key 0", "1 A0");
    plans("key Left", "1 A0");
    plans("key Right", "1 A1");
    plans("key 3", "1 A3");
    plans("key Right", "1 A3");
    refused("key 4", ES_MARKS_MANY, "1 A3");
    has(choose(1, "look"), "\"most\":3,\"line\":\"A\",\"direction\":\"\"");
    plans("key Down", "1 B3");
    plans("key Up", "1 A3");
    plans("key Up", "1 E3");
    plans("key Down", "1 A3");
    plans("clear", "");
    plans("key Right", "1 A3");
    plans("clear", "");
    plans("key Up", "1 E3");
}

static void rings_go_both_ways(void **state)
{
    (void)state;
    open_game(SOLO "card 4\n");
    plans("tap wagon-C", "1 C>4");
    plans("key Left", "1 C<4");
    plans("tap wagon-C", "1 C<4"); /* the way that was meant */
    plans("key 2", "1 C<2");
    plans("key Right", "1 C>2");
    plans("key 0", "1 C0");
    has(choose(1, "look"), "\"most\":4,\"line\":\"C\",\"direction\":\"\",\"marks\":[]");
    plans("key 3", "1 C>3");
    plans("tap station-r8", "1 C<2"); /* the side that is tapped */
    plans("tap station-r3", "1 C>3");
    plans("tap station-r7", "1 C<3");
    plans("tap station-r5", "1 C<4"); /* out of reach, and as far both ways: as it was */
    plans("tap station-r4", "1 C>4");
    plans("tap station-r5", "1 C>4");
    plans("tap station-r1", "1 C>1");
    has(choose(1, "look"), "{\"event\":\"1 C<4\",\"line\":\"C\",\"direction\":\"<\",\"marks\":4},"
                           "{\"event\":\"1 C>4\",\"line\":\"C\",\"direction\":\">\",\"marks\":4}");
    make("1 C>4"); /* r1 to r4 */
    make("card 3");
    plans("tap wagon-C", "1 C>3");
    plans("tap station-r6", "1 C>2");
    plans("tap station-r7", "1 C<2");
    make("1 C<3"); /* r8, r7, r6 */
    make("card x3");
    plans("tap wagon-C", "1 C>1");
    make("1 C>1");
    make("card 6");
    refused("tap wagon-C", ES_LINE_FULL, "");
    refused("key C", ES_LINE_FULL, "");
}

static void a_ring_that_is_complete(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 1\ndeck 9 9 6\n\ncard 9\n1 C>8\ncard 9\n");
    plans("tap wagon-C", "1 C0");
    plans("key Left", "1 C0");
    plans("key Right", "1 C0");
    has(choose(1, "look"), "{\"event\":\"1 C0\",\"line\":\"C\",\"direction\":\"\",\"marks\":0}");
}

static void full_lines_are_refused_with_their_reason(void **state)
{
    (void)state;
    open_game(SOLO "card 3\n1 A0\ncard 3\n1 A0\ncard 4\n");
    refused("tap wagon-A", ES_LINE_FULL, "");
    refused("tap station-w1", ES_LINE_FULL, "");
    plans("key Down", "1 B4"); /* the first that has a window */
    plans("key Up", "1 E4");
    plans("blank", "1 B0");
    has_not(choose(1, "look"), "\"event\":\"1 A");
    refused("tap wagon-A", ES_LINE_FULL, "1 B0"); /* what was planned stays */
    choose(1, "clear");
    has(field(choose(1, "tap station-r4"), "plan"), "1 C"); /* A is nearer, but full */
}

static void transfers_where_several_lines_begin(void **state)
{
    (void)state;
    /* r2 is the first empty station of B (two windows), and of C (three) after r1 */
    open_game(SOLO "card 3\n1 B1\ncard 3\n1 C>1\ncard +\n");
    plans("tap station-r2", "1 C>1"); /* more windows are left there */
    plans("key B", "1 B1");
    plans("tap station-r2", "1 B1"); /* on the planned line */
    has(choose(1, "look"), "\"marks\":[\"North Gate\"],\"gain\":5,\"framed\":2");
    plans("tap station-r8", "1 C<1"); /* the other first one of the ring */
    plans("tap station-a2", "1 D1");  /* out of reach: the first */
}

static void express_cards_skip_marked_stations(void **state)
{
    (void)state;
    open_game(SOLO "card 3\n1 B3\ncard x3\n");
    plans("key A", "1 A3");
    make("1 A3"); /* w1 w2 r8 */
    make("card x2");
    plans("tap station-r4", "1 A1"); /* over ce */
    plans("tap station-e1", "1 A2");
    plans("tap station-e2", "1 A2"); /* one too far */
}

static void free_rides_go_anywhere(void **state)
{
    (void)state;
    open_game(SOLO "card 3\n1 B3\ncard o\n");
    has(choose(1, "look"), "\"options\":[{\"event\":\"1 @-\",\"line\":\"\",\"direction\":\"\","
                           "\"marks\":0}],\"most\":1,\"line\":\"\"");
    plans("tap station-e2", "1 @e2");
    has(choose(1, "look"), "\"line\":\"A\",\"direction\":\"\",\"marks\":[\"Sand Bay\"],\"gain\":1");
    assert_true(confirms("tap station-e2"));
    refused("tap station-ce", ES_STATION_MARKED, "1 @e2");
    plans("key B", "1 @r6"); /* the first empty one after n1, r2 and ce */
    plans("key Right", "1 @s1");
    plans("key Right", "1 @r6"); /* wraps around */
    plans("key Left", "1 @s1");
    plans("key Down", "1 @r1"); /* on C */
    plans("key Left", "1 @r8");
    plans("key Up", "1 @r6");
    plans("tap wagon-A", "1 @w1");
    plans("key 0", "1 @-");
    has(choose(1, "look"), "\"line\":\"\",\"direction\":\"\",\"marks\":[],\"gain\":0");
    plans("clear", "");
    plans("blank", "1 @-");
    plans("key 5", "1 @-");
}

static void what_an_entry_brings(void **state)
{
    (void)state;
    open_game(SPECIAL "card 5\n");
    plans("tap wagon-B", "1 B5");
    has(choose(1, "look"),
        "\"gain\":8,\"framed\":0,\"done\":[\"B\"],\"owed\":1,"); /* 5 stations, 3 points */
    plans("key 2", "1 B2");
    has(choose(1, "look"), "\"gain\":2,\"framed\":0,\"done\":[],\"owed\":0,");
    make("1 B5");
    plans("look", ""); /* an extra entry with the same card */
    plans("tap wagon-A", "1 A3");
    make("1 A3");
    refused("tap wagon-A", ES_CHANCE_DUE, "");
    plans("look", "");
}

static void lines_of_several_players(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 2\n" CARDS "\ncard 5\n");
    plans("tap wagon-B", "1 B5");
    has(choose(1, "look"),
        "\"gain\":6,\"framed\":0,\"done\":[\"B\"],\"owed\":0,"); /* halved: 13 to 10 */
    choose(2, "tap wagon-D");
    make("2 B5"); /* hidden */
    plans("look", "1 B5");
    assert_true(confirms("tap wagon-B"));
    make("1 A0");
    make("card 6");
    plans("tap wagon-B", "1 B5");
    has(choose(1, "look"),
        "\"gain\":5,\"framed\":0,\"done\":[\"B\"]"); /* the later value is left */
}

static void players_who_are_not_to_act_get_a_reason(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 2\n" CARDS "\n");
    refused("tap wagon-A", ES_CHANCE_DUE, "");
    make("card 5");
    make("1 A1");
    refused("tap wagon-A", ES_NOT_TO_ACT, "");
    assert_string_equal(
        choose(1, "look"),
        "{\"pick\":\"\",\"plan\":\"\",\"again\":false,\"why\":\"\",\"sentence\":\"\"}");
    has(choose(0, "tap wagon-A"), es_status_text(ES_PLAYER_UNKNOWN));
    has(choose(3, "tap wagon-A"), es_status_text(ES_PLAYER_UNKNOWN));
    choose(2, "tap wagon-A");
    has(with_pick(2, picks[2], "look"), "\"plan\":\"2 A5\"");
    es_page_seek(&page, 2, 0); /* an earlier moment, where nothing can be planned */
    has(with_pick(2, picks[2], "look"), "{\"pick\":\"\",\"plan\":\"\"");
    es_page_seek(&page, 2, 9);
    has(with_pick(2, picks[2], "look"), "\"plan\":\"2 A5\"");
}

/* ---- Picks ---------------------------------------------------------------------------------- */

static void choosing_is_a_pure_function(void **state)
{
    (void)state;
    static char first[sizeof answer];
    open_game(HEAD "verplant\nmap practice\nplayers 2\n" CARDS "\ncard 3\n");
    snprintf(first, sizeof first, "%s", with_pick(1, "", "tap wagon-A"));
    has(first, "{\"pick\":\"1;1 A3;wagon-A;00000000\",\"plan\":\"1 A3\",\"again\":false");
    has(with_pick(1, "", "look"), "{\"pick\":\"\",\"plan\":\"\"");
    assert_string_equal(with_pick(1, "", "tap wagon-A"), first);
    has(with_pick(1, "1;1 A3;wagon-A;00000000", "tap wagon-A"), "\"again\":true");
    has(with_pick(1, "1;1 A3;line-A;00000000", "tap wagon-A"), "\"again\":false");
    has(with_pick(1, "1;1 A3;;00000000", "key 2"), "\"plan\":\"1 A2\"");
    make("2 A1"); /* hidden, so plans stay */
    has(with_pick(1, "1;1 A3;;00000000", "look"), "\"plan\":\"1 A3\"");
    make("1 A3");
    make("card 4");
    has(with_pick(1, "1;1 A3;;00000000", "look"), "{\"pick\":\"\",\"plan\":\"\"");
}

static void picks_that_make_no_sense_are_empty(void **state)
{
    (void)state;
    static const char *const sheet[] = {
        ";",
        ";;;",
        "1;1 A3",
        "1;1 A3;;",
        "1;1 A3;;00000000;",
        "1;1 A3;;0000000",
        "1;1 A3;;0000000g",
        "1;1 A3;;00030000",
        "1;1 A3;;00000100",
        "1;1 A3;;1b000000",
        "1;1 A3;;00030000",
        "2;1 A3;;00000000",
        "01;1 A3;;00000000",
        "-1;1 A3;;00000000",
        "1;2 A3;;00000000",
        "1;1 A4;;00000000",
        "1;card 4;;00000000",
        "1;1 Z1;;00000000",
        "1;\xff;;00000000",
        "1;1 A3;a b;00000000",
        "1;1 A3;\"x\";00000000",
        "1;1 A3;\xc3\xa4;00000000",
        "1;1 A3;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;00000000",
        "1;1 A3;aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;0",
    };
    static const char *const board[] = {
        "4;;;03000000",
        "4;;;01010000",
        "4;;;00020000",
        "4;;;00000001",
        "4;1 aaaa/1 d1;;00000000",
        "4;1 dddd d1;;00000000",
        "4;1 aaaa d4;;00000000",
    };
    open_game(HEAD "verplant\nmap practice\nplayers 2\n" CARDS "\ncard 3\n");
    for (size_t i = 0; i < sizeof sheet / sizeof sheet[0]; i++)
        has(with_pick(1, sheet[i], "look"), "{\"pick\":\"\",\"plan\":\"\"");
    has(with_pick(1, "1;1 A3;;00020000", "look"), "\"plan\":\"1 A3\"");
    open_game(HEAD "metro\nplayers 2\nrules hand2 rotate\n\ndeal 1 aaaa\ndeal 2 dddd\n"
                   "deal 1 aacb\ndeal 2 dddd\n");
    for (size_t i = 0; i < sizeof board / sizeof board[0]; i++)
        has(with_pick(1, board[i], "look"), "{\"pick\":\"\",\"plan\":\"\"");
    has(with_pick(1, "4;;;02030000", "look"), "\"tile\":\"aacb\",\"turns\":3,\"hand\":2,");
}

/* ---- metro ---------------------------------------------------------------------------------- */

#define METRO(rules, tile, other)                                                                  \
    HEAD "metro\nplayers 2\n" rules "\ndeal 1 " tile "\ndeal 2 bbbb\n" other

static void a_tile_is_always_picked_up(void **state)
{
    (void)state;
    open_game(METRO("", "aaaa", ""));
    has(choose(1, "look"), "{\"pick\":\"\",\"plan\":\"\",\"again\":false,\"why\":\"\",\"sentence\":"
                           "\"\",\"tile\":\"aaaa\","
                           "\"turns\":0,\"hand\":1,\"square\":\"\",\"squares\":[\"a1\",");
    has(choose(1, "look"), "\"finish\":[],\"gain\":0,\"longer\":[]}");
}

static void squares_are_tapped(void **state)
{
    (void)state;
    open_game(METRO("", "aaaa", ""));
    plans("tap square-d1", "1 aaaa d1");
    assert_true(confirms("tap square-d1"));
    plans("tap square-e1", "1 aaaa e1");
    refused("tap square-d4", ES_SQUARE_CENTRE, "1 aaaa e1");
    refused("tap centre", ES_SQUARE_CENTRE, "1 aaaa e1");
    refused("tap square-b2", ES_SQUARE_ALONE, "1 aaaa e1");
    refused("tap square-z9", ES_SQUARE_BAD, "1 aaaa e1");
    refused("key Space", ES_TURN_UNWANTED, "1 aaaa e1");
    plans("tap station-5", "1 aaaa e1");
    plans("tap hand-1", "1 aaaa e1");
    refused("tap hand-2", ES_TILE_NOT_HELD, "1 aaaa e1");
    refused("tap drawn", ES_TILE_NOT_HELD, "1 aaaa e1");
    make("1 aaaa d1");
    make("deal 1 dacc");
    make("2 bbbb d2");
    make("deal 2 aaaa");
    refused("tap square-d1", ES_SQUARE_TAKEN, "");
    refused("tap square-f1", ES_LINE_TOO_SHORT, "");
}

static void what_a_tile_finishes(void **state)
{
    (void)state;
    open_game(METRO("", "aaaa",
                    "1 aaaa d1\ndeal 1 aaaa\n2 bbbb g1\ndeal 2 acba\n1 aaaa d2\n"
                    "deal 1 aaaa\n2 acba b1\ndeal 2 aacb\n"));
    plans("tap square-d3", "1 aaaa d3");
    has(choose(1, "look"), "\"finish\":[{\"station\":5,\"owner\":1,\"tiles\":3,\"end\":\"centre\","
                           "\"points\":6}],\"gain\":6,");
}

/* Sets the number of tiles that a line has crossed, and the square that it leads to (not if it has
 * crossed none). False if it is finished. */
static bool trace(const struct es_metro_state *s, int station, int *tiles, int *to)
{
    struct es_metro_step way[ES_METRO_STEPS_MAX];
    *tiles = es_metro_way(s, station, way);
    if (*tiles == 0)
        return true;
    const int square = way[*tiles - 1].square, side = way[*tiles - 1].out;
    if ((side == ES_SIDE_TOP && square < 8) || (side == ES_SIDE_BOTTOM && square >= 56) ||
        (side == ES_SIDE_LEFT && square % 8 == 0) || (side == ES_SIDE_RIGHT && square % 8 == 7))
        return false;
    *to = es_square_beyond(square, side);
    return !(ES_CENTRE >> *to & 1);
}

/* What is said to become longer is what tracing the lines before and after the move shows. */
static void what_a_tile_makes_longer(void **state)
{
    (void)state;
    struct es_random random;
    int longer = 0;
    for (int game = 0; game < 10 * KINDS; game++) {
        es_random_seed(&random, 7 + (uint64_t)game);
        new_game(game % KINDS);
        if (page.record.setup.map)
            continue;
        do {
            const struct es_metro_state *s = es_metro_state(&page.state);
            if (s->phase != ES_METRO_TURN)
                continue;
            const char *text = choose(s->player, "key Right");
            if (!field(text, "plan")[0])
                continue;
            char got[4096], expected[4096] = "\"longer\":[";
            snprintf(got, sizeof got, "%s", strstr(text, "\"longer\":["));
            struct es_state after = page.state;
            es_event lay;
            assert_int_equal(es_metro.parse(&page.record.setup, es_str(field(text, "plan")), &lay),
                             ES_OK);
            assert_int_equal(es_metro.apply(&page.record.setup, &after, lay), ES_OK);
            size_t used = strlen(expected);
            for (int station = 1; station <= ES_METRO_STATIONS; station++) {
                int old, tiles, to = 0;
                char name[4] = {0};
                trace(s, station, &old, &to);
                if (!trace(es_metro_state(&after), station, &tiles, &to) || tiles == old)
                    continue;
                struct es_out out = {name, sizeof name - 1, 0};
                es_square_write(to, &out);
                used += (size_t)snprintf(
                    expected + used, sizeof expected - used,
                    "%s{\"station\":%d,\"owner\":%d,\"tiles\":%d,\"more\":%d,\"to\":\"%s\"}",
                    expected[used - 1] == '[' ? "" : ",", station,
                    es_station_owner(page.record.setup.players, station), tiles, tiles - old, name);
                longer++;
            }
            snprintf(expected + used, sizeof expected - used, "]}");
            assert_string_equal(got, expected);
        } while (play_on(&random));
    }
    assert_true(longer > 100);
}

static void drawing_is_planned(void **state)
{
    (void)state;
    open_game(METRO("", "aaaa", ""));
    plans("tap stock", "1 draw");
    assert_true(confirms("tap stock"));
    plans("tap square-d1", "1 aaaa d1");
    plans("key D", "1 draw");
    plans("key 1", ""); /* the tile in hand after all */
    plans("key D", "1 draw");
    has(choose(1, "look"), "\"square\":\"\",");
    make("1 draw");
    refused("key D", ES_CHANCE_DUE, "");
    make("deal 1 cccc");
    has(choose(1, "look"), "\"tile\":\"cccc\",\"turns\":0,\"hand\":0,");
    refused("key D", ES_TILE_NOT_DRAWN, "");
    refused("tap hand-1", ES_TILE_NOT_DRAWN, "");
    plans("tap square-d1", "1 cccc d1");
    make("1 cccc d1");
    refused("tap square-d1", ES_NOT_TO_ACT, "");
}

static void tiles_are_turned(void **state)
{
    (void)state;
    open_game(METRO("rules rotate\n", "aacb", ""));
    plans("key Space", "");
    has(choose(1, "look"), "\"tile\":\"aacb\",\"turns\":1,");
    plans("tap square-d1", "1 aacb/1 d1");
    plans("tap hand-1", "1 aacb/2 d1");
    plans("key Space", "1 aacb/3 d1");
    plans("key Space", "1 aacb d1");
    assert_false(confirms("tap square-d1")); /* it has been turned since */
    assert_true(confirms("tap square-d1"));
    plans("move 1 aacb/2 e1", "1 aacb/2 e1");
    has(choose(1, "look"), "\"turns\":2,");
    assert_true(confirms("tap square-e1"));
    for (int i = 0; i < 5; i++)
        assert_false(confirms("tap hand-1")); /* turns the tile, and never makes the move */
    make("1 aacb/2 e1");
    make("deal 1 adad");
    make("2 bbbb g1");
    make("deal 2 aaaa");
    has(choose(1, "look"), "\"turns\":0,"); /* a new tile lies straight */
    plans("key Space", "");
    plans("key Space", ""); /* only two orientations */
    has(choose(1, "look"), "\"tile\":\"adad\",\"turns\":0,");
}

static void a_turned_tile_that_does_not_fit_is_taken_away(void **state)
{
    (void)state;
    /* dacc sends a train from the top straight back */
    open_game(METRO("rules rotate\n", "dacc", ""));
    refused("tap square-d1", ES_LINE_TOO_SHORT, "");
    plans("key Space", "");
    plans("tap square-d1", "1 dacc/1 d1");
    plans("key Space", "1 dacc/2 d1");
    plans("key Space", "1 dacc/3 d1");
    plans("key Space", "");
    has(choose(1, "look"), "\"square\":\"\",");
}

static void several_tiles_in_hand(void **state)
{
    (void)state;
    open_game(HEAD "metro\nplayers 2\nrules hand3\n\ndeal 1 aaaa\ndeal 2 aaaa\ndeal 1 dacc\n"
                   "deal 2 aaaa\ndeal 1 cccc\ndeal 2 aaaa\n");
    plans("tap square-d1", "1 aaaa d1");
    plans("key 2", "1 cccc d1"); /* stays on its square */
    has(choose(1, "look"), "\"hand\":2,");
    plans("tap hand-3", ""); /* dacc may not be laid there */
    has(choose(1, "look"), "\"tile\":\"dacc\",\"turns\":0,\"hand\":3,");
    refused("tap square-d1", ES_LINE_TOO_SHORT, "");
    plans("tap hand-3", ""); /* without the rule, no turning */
    plans("move 1 cccc e1", "1 cccc e1");
    has(choose(1, "look"), "\"hand\":2,");
    refused("key 4", ES_TILE_NOT_HELD, "1 cccc e1");
    plans("clear", "");
    has(choose(1, "look"), "\"hand\":2,");
    plans("tap square-e1", "1 cccc e1");
    for (int i = 0; i < 2; i++) {
        assert_false(confirms("tap hand-2"));
        assert_false(confirms("tap anything"));
    }
    refused("blank", ES_WORD_UNKNOWN, "1 cccc e1");
}

static void picking_another_tile_resets_its_rotation(void **state)
{
    (void)state;
    open_game(HEAD "metro\nplayers 2\nrules hand2 rotate\n\ndeal 1 aacb\ndeal 2 aaaa\n"
                   "deal 1 dacc\ndeal 2 aaaa\n");
    plans("key Space", "");
    has(choose(1, "look"), "\"turns\":1,\"hand\":1,");
    plans("key 2", "");
    has(choose(1, "look"), "\"turns\":0,\"hand\":2,");
}

/* In another player's view it is unknown where a hidden tile may go. */
static void hidden_tiles_have_no_squares(void **state)
{
    (void)state;
    open_game(METRO("rules rotate\n", "?", ""));
    has(choose(1, "look"), "\"tile\":\"?\",\"turns\":0,\"hand\":1,\"square\":\"\",\"squares\":[],");
    refused("tap square-d1", ES_VIEW_BLIND, "");
    refused("key Right", ES_VIEW_BLIND, "");
    plans("key Space", "");
    plans("tap stock", "1 draw");
    plans("move 1 aacb/1 a1", "1 aacb/1 a1"); /* a hidden tile may be any */
    has(choose(1, "look"), "\"tile\":\"?\",\"turns\":1,\"hand\":1,\"square\":\"a1\",");
}

static void arrows_walk_over_the_board(void **state)
{
    (void)state;
    open_game(METRO("", "aaaa", ""));
    plans("key Right", "1 aaaa a1");
    plans("key Right", "1 aaaa b1");
    plans("key Left", "1 aaaa a1");
    plans("key Down", "1 aaaa a2");
    plans("key Left", "1 aaaa h1"); /* row by row … */
    plans("key Right", "1 aaaa a2");
    plans("key Right", "1 aaaa h2");
    plans("key Right", "1 aaaa a3");
    plans("key Up", "1 aaaa a2");
    plans("key Up", "1 aaaa a1");
    plans("key Up", "1 aaaa h8"); /* … and column by column, round and round */
    plans("key Down", "1 aaaa a1");
    plans("key Left", "1 aaaa h8");
}

/* Checks that arrows lead from the first legal square to every other. */
static void check_arrows(void)
{
    static const char *const keys[] = {"key Left", "key Right", "key Up", "key Down"};
    const struct es_metro_state *s = es_metro_state(&page.state);
    char squares[64][4], words[320];
    int player = s->player, count = 0, queue = 0;
    bool found[64] = {false};
    const char *text = choose(player, "look");
    char tile[256];
    snprintf(tile, sizeof tile, "%s", field(text, "tile"));
    int turns = atoi(strstr(text, "\"turns\":") + 8);
    const char *at = strstr(text, "\"squares\":[");
    for (at += 11; *at == '"'; at += 4 + (at[4] == ',')) {
        memcpy(squares[count], at + 1, 2);
        squares[count++][2] = '\0';
    }
    if (count == 0)
        return;
    int order[64] = {0}, known = 1;
    found[0] = true;
    for (; queue < known && known < count; queue++) {
        if (turns)
            snprintf(words, sizeof words, "move %d %s/%d %s", player, tile, turns,
                     squares[order[queue]]);
        else
            snprintf(words, sizeof words, "move %d %s %s", player, tile, squares[order[queue]]);
        choose(player, words);
        for (int k = 0; k < 4; k++) {
            const char *to = field(with_pick(player, picks[player], keys[k]), "square");
            for (int i = 0; i < count; i++)
                if (strcmp(squares[i], to) == 0 && !found[i]) {
                    found[i] = true;
                    order[known++] = i;
                }
        }
    }
    assert_int_equal(known, count);
}

static void arrows_reach_every_legal_square(void **state)
{
    (void)state;
    struct es_random random;
    for (int game = 0; game < 10 * KINDS; game++) {
        es_random_seed(&random, 99 + (uint64_t)game);
        new_game(game % KINDS);
        if (page.record.setup.map)
            continue;
        do
            if (es_metro_state(&page.state)->phase == ES_METRO_TURN)
                check_arrows();
        while (play_on(&random));
    }
}

/* ---- Anything, anywhere --------------------------------------------------------------------- */

static const char *random_action(struct es_random *random)
{
    static const char *const keys[] = {"Left",      "Right", "Up", "Down",
                                       "Backspace", "Space", "D",  "Q"};
    static char words[64];
    const struct es_map *map = page.record.setup.map;
    uint32_t what = es_random_below(random, 12);
    if (what < 3)
        snprintf(words, sizeof words, "key %s", keys[es_random_below(random, 8)]);
    else if (what == 3)
        snprintf(words, sizeof words, "key %u", es_random_below(random, 10));
    else if (what == 4)
        snprintf(words, sizeof words, "key %c", 'A' + (int)es_random_below(random, 12));
    else if (what == 5)
        snprintf(words, sizeof words, "%s", (const char *[]){"clear", "blank", "look"}[what % 3]);
    else if (map && what < 9)
        snprintf(words, sizeof words, "tap station-%s",
                 map->station[es_random_below(random, map->stations)].id);
    else if (map)
        snprintf(words, sizeof words, "tap wagon-%c",
                 map->line[es_random_below(random, map->lines)].letter);
    else if (what < 10)
        snprintf(words, sizeof words, "tap square-%c%c", 'a' + (int)es_random_below(random, 8),
                 '1' + (int)es_random_below(random, 8));
    else
        snprintf(words, sizeof words, "tap %s",
                 (const char *[]){"hand-1", "hand-2", "hand-3", "drawn",
                                  "stock"}[es_random_below(random, 5)]);
    return words;
}

static bool is_sentence(const char *text)
{
    for (int i = 1; i < ES_STATUS_COUNT; i++)
        if (strcmp(text, es_status_text((es_status)i)) == 0)
            return true;
    for (int i = 0; es_status_lists[i]; i++)
        for (int k = 0; k < es_status_lists[i]->count; k++)
            if (strcmp(text, es_status_lists[i]->entry[k].sentence) == 0)
                return true;
    return text[0] == '\0';
}

/* Takes a random action. Whatever it is, a plan is legal, and a refusal or a second tap leaves the
 * plan as it was. */
static void try_random_action(struct es_random *random, int *planned)
{
    const struct es_setup *setup = &page.record.setup;
    char before[256], plan[256];
    int player = 1 + (int)es_random_below(random, setup->players);
    const char *words = random_action(random);
    snprintf(before, sizeof before, "%s", field(choose(player, "look"), "plan"));
    const char *text = choose(player, words);
    snprintf(plan, sizeof plan, "%s", field(text, "plan"));
    const char *why = field(text, "sentence");
    if (!is_sentence(why))
        fail_msg("%s: %s", words, why);
    if (why[0] || strstr(text, "\"again\":true"))
        assert_string_equal(plan, before);
    if (strstr(text, "\"again\":true"))
        assert_true(plan[0] && strncmp(words, "tap", 3) == 0);
    if (plan[0]) {
        struct es_state after = page.state;
        check_apply(setup, &after, plan);
        (*planned)++;
    }
}

static void any_taps_and_keys(void **state)
{
    (void)state;
    struct es_random random;
    for (int kind = 0; kind < KINDS; kind++) {
        int planned = 0;
        for (uint64_t game = 0; game < 4; game++) {
            es_random_seed(&random, 100 * game + (uint64_t)kind);
            new_game(kind);
            do
                for (int i = 0; i < 20; i++)
                    try_random_action(&random, &planned);
            while (play_on(&random));
        }
        assert_true(planned > 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(choosing_is_a_pure_function),
        cmocka_unit_test(picks_that_make_no_sense_are_empty),
        cmocka_unit_test(lines_are_tapped),
        cmocka_unit_test(stations_are_tapped),
        cmocka_unit_test(a_second_tap_confirms),
        cmocka_unit_test(nearer_and_farther_by_keys),
        cmocka_unit_test(rings_go_both_ways),
        cmocka_unit_test(a_ring_that_is_complete),
        cmocka_unit_test(full_lines_are_refused_with_their_reason),
        cmocka_unit_test(transfers_where_several_lines_begin),
        cmocka_unit_test(express_cards_skip_marked_stations),
        cmocka_unit_test(free_rides_go_anywhere),
        cmocka_unit_test(what_an_entry_brings),
        cmocka_unit_test(lines_of_several_players),
        cmocka_unit_test(players_who_are_not_to_act_get_a_reason),
        cmocka_unit_test(a_tile_is_always_picked_up),
        cmocka_unit_test(squares_are_tapped),
        cmocka_unit_test(what_a_tile_finishes),
        cmocka_unit_test(what_a_tile_makes_longer),
        cmocka_unit_test(drawing_is_planned),
        cmocka_unit_test(tiles_are_turned),
        cmocka_unit_test(a_turned_tile_that_does_not_fit_is_taken_away),
        cmocka_unit_test(several_tiles_in_hand),
        cmocka_unit_test(picking_another_tile_resets_its_rotation),
        cmocka_unit_test(hidden_tiles_have_no_squares),
        cmocka_unit_test(arrows_walk_over_the_board),
        cmocka_unit_test(arrows_reach_every_legal_square),
        cmocka_unit_test(any_taps_and_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
