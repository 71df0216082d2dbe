/* Tests of a session's facts and log: they are true, every event is logged once, nothing hidden is
 * revealed. */
#include "page/internal.h"
#include "page_table.h"

/* ---- Where a game stands -------------------------------------------------------------------- */

#define SOLO HEAD "verplant\nmap practice\nplayers 1\nplayer 1 A \"quoted\\\" Ada\n\n"
/* Cards of verplant as facts. */
#define CARD(code, kind, marks) "{\"code\":\"" code "\",\"kind\":\"" kind "\",\"marks\":" marks "}"
#define NUMBER_3 CARD("3", "number", "3")
#define NUMBER_6 CARD("6", "number", "6")
#define EXPRESS_2 CARD("x2", "express", "2")
#define EXPRESS_3 CARD("x3", "express", "3")
#define TRANSFER CARD("+", "transfer", "1")
#define RIDE CARD("o", "ride", "1")
#define TWO HEAD "verplant\nmap practice\nplayers 2\nplayer 2 Otto\nbot 2 strong\n\n"

static void nothing_is_open(void **state)
{
    (void)state;
    memset(&page, 0, sizeof page);
    assert_string_equal(state_of(1), "{}");
    assert_string_equal(log_of(1, 0), "[]");
    assert_string_equal(choose(1, "tap wagon-A"), "{}");
    struct es_out out = {answer, sizeof answer, 0};
    assert_int_equal(es_page_ask(&page, es_str("sheet"), &out), ES_WORD_UNKNOWN);
    struct es_svg svg;
    es_svg_open(&svg, answer, sizeof answer);
    es_page_draw(&page, &(struct es_page_look){.viewer = 1}, &svg);
    assert_false(es_page_print(&page, es_str("sheet"), ES_PAPER_A4, false, &svg));
    assert_int_equal(svg.out.used, 0);
}

static void all_facts_of_a_solo_game(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 1\nplayer 1 A \"b\\\xc3\xa9\n"
                   "note date\ndate  2025-06-30 \ndeck 3 6 +\n\n"
                   "card 6\n1 B5\ncard +\n1 A1\ncard 3\n");
    const char *text = state_of(1);
    has(text, "{\"game\":\"verplant\",\"events\":5,\"cursor\":5,\"decisions\":2,"
              "\"date\":\"2025-06-30\",\"over\":false,\"chance\":false,"
              "\"turn\":[1],\"rules\":[],\"seed\":false,\"undo\":false,"
              "\"back\":false,\"aided\":false,\"challenge\":{},\"winners\":[],"
              "\"players\":[{\"player\":1,\"name\":\"A \\\"b\\\\\xc3\xa9\",\"bot\":\"\","
              "\"score\":-15,\"sum\":{\"lines\":3,\"transfers\":2,\"empty\":20,\"penalty\":20,"
              "\"total\":-15},\"grade\":7,\"free\":11,\"lines\":["
              "{\"letter\":\"A\",\"written\":[" TRANSFER "],\"free\":1,\"left\":5,\"done\":false,"
              "\"won\":0,\"first\":false,\"claimed\":false},"
              "{\"letter\":\"B\",\"written\":[" NUMBER_6 "],\"free\":1,\"left\":0,\"done\":true,"
              "\"won\":3,\"first\":true,\"claimed\":false},");
    has(text, "\"map\":{\"id\":\"practice\",\"title\":\"Practice\","
              "\"hash\":\"3c88349a7438c422786680fe3c0dc9a6\",\"built_in\":true,"
              "\"stations\":26,\"special\":1,\"lines\":[{\"letter\":\"A\",\"colour\":\"b82a1c\","
              "\"ring\":false,"
              "\"windows\":2,\"first\":4,\"later\":2,"
              "\"stops\":[\"w1\",\"w2\",\"r8\",\"ce\",\"r4\",\"e1\",\"e2\"]},");
    has(text, "\"letter\":\"C\",\"colour\":\"1f9a6e\",\"ring\":true");
    has(text, "\"card\":" NUMBER_3 ",\"last\":" TRANSFER ",\"round\":3,\"left\":1,"
              "\"windows\":13,\"deck\":[{\"card\":" NUMBER_3 ",\"left\":0,\"all\":1},"
              "{\"card\":" NUMBER_6 ",\"left\":1,\"all\":1},{\"card\":" TRANSFER
              ",\"left\":0,\"all\":1}],"
              "\"extra\":0}");
    es_page_seek(&page, 1, 2);
    text = state_of(1);
    has(text, "\"last\":" NUMBER_6 ",\"round\":1,\"left\":3");
    has(text, "\"cursor\":2,\"decisions\":1,\"date\":\"2025-06-30\",\"over\":false,"
              "\"chance\":true,\"turn\":[]");
}

static void what_others_have_entered_is_hidden(void **state)
{
    (void)state;
    open_game(TWO "card 3\n1 B3\n");
    const char *text = state_of(2);
    has(text, "\"turn\":[2],");
    has(text, "\"name\":\"\",\"bot\":\"\",\"score\":-13,");
    has(text, "\"name\":\"Otto\",\"bot\":\"strong\",\"score\":-13,");
    has(text, "\"extra\":0}");
    has_not(text, "\"written\":[" NUMBER_3 "]");
    text = state_of(1);
    has(text, "\"score\":-11,");
    has(text, "\"written\":[" NUMBER_3 "]");
    has(text, "\"extra\":0}");
    has_not(state_of(0), "\"written\":[" NUMBER_3 "]");
    has_not(state_of(7), "\"written\":[" NUMBER_3 "]");
}

static void the_later_value_is_all_that_is_left(void **state)
{
    (void)state;
    open_game(TWO "card 5\n1 B5\n2 A0\ncard 5\n1 A0\n2 B5\n");
    const char *text = state_of(0);
    has(text, "\"left\":0,\"done\":true,\"won\":3,\"first\":true,\"claimed\":false}");
    has(text, "\"left\":0,\"done\":true,\"won\":2,\"first\":false,\"claimed\":false}");
    es_page_seek(&page, 1, 3);
    has(state_of(0), "\"left\":5,\"done\":false,\"won\":0,\"first\":false,\"claimed\":true}");
}

static void facts_of_metro(void **state)
{
    (void)state;
    open_game(HEAD "metro\nplayers 2\nrules hand2\n\ndeal 1 aaaa\ndeal 2 dddd\ndeal 1 aacb\n"
                   "deal 2 dddd\n1 aacb c1\ndeal 1 bbbb\n2 draw\ndeal 2 cccc\n");
    const char *text = state_of(1);
    has(text, "\"rules\":[\"hand2\"]");
    has(text, "\"turn\":[2],");
    has(text, "\"hand\":[\"aaaa\",\"bbbb\"],\"open\":16}");
    has(text, "\"hand\":[\"?\",\"?\"],\"open\":16}");
    has(text, "\"stock\":54,\"placed\":1,\"tiles\":60,\"drawn\":\"?\","
              "\"rotate\":false,"
              "\"hand_size\":2,\"unseen\":[{\"tile\":\"aaaa\",\"left\":3},");
    has(text, "{\"tile\":\"dddd\",\"left\":2}],\"draw\":false,\"stations\":[{\"station\":1,"
              "\"owner\":1,\"tiles\":0,\"end\":\"\",\"points\":0},");
    text = state_of(2);
    has(text, "\"hand\":[\"dddd\",\"dddd\"]");
    has(text, "\"drawn\":\"cccc\"");
    has(text, "\"draw\":false"); /* only one tile may be drawn in a turn */
    has_not(text, "dddd\",\"left");
    es_page_seek(&page, 1, 6);
    has(state_of(2), "\"draw\":true");
    has(state_of(1), "\"draw\":false");
    es_page_seek(&page, 1, 3);
    has(state_of(1), "\"chance\":true");
}

static void a_line_that_ends_in_the_centre(void **state)
{
    (void)state;
    /* straight down from station 5 into the centre, over d1, d2, d3 */
    open_game(HEAD "metro\nplayers 2\n\ndeal 1 aaaa\ndeal 2 aaaa\n1 aaaa d1\ndeal 1 aaaa\n"
                   "2 aaaa d2\ndeal 2 aaaa\n");
    make("1 aaaa d3");
    has(state_of(1), "{\"station\":5,\"owner\":1,\"tiles\":3,\"end\":\"centre\",\"points\":6}");
    has(state_of(1), "\"score\":6,\"hand\":[],\"open\":15}");
    has(log_of(1, 6), "[{\"n\":7,\"what\":\"lay\",\"player\":1,\"tile\":\"aaaa\",\"turns\":0,"
                      "\"square\":\"d3\"},{\"n\":7,\"what\":\"finish\",\"station\":5,\"owner\":1,"
                      "\"tiles\":3,\"end\":\"centre\",\"points\":6}]");
}

/* ---- Taking back ---------------------------------------------------------------------------- */

/* Returns whether the viewer can take back a move, according to the facts, and checks that
 * es_page_take_back() agrees. The game stays as it is. */
static bool can_undo(int viewer)
{
    bool can = strstr(state_of(viewer), "\"undo\":true") != NULL;
    assert_true(can != (strstr(answer, "\"undo\":false") != NULL));
    assert_int_equal(es__page_undo(&page, viewer) >= 0, can);
    if (!can && viewer > 0 && viewer <= page.record.setup.players)
        assert_int_equal(es_page_take_back(&page, viewer), ES_NOTHING_TO_UNDO);
    return can;
}

static void entries_can_be_taken_back_while_the_round_is_open(void **state)
{
    (void)state;
    open_game(TWO "card 3\n");
    assert_false(can_undo(1));
    make("1 A2");
    assert_true(can_undo(1));
    assert_false(can_undo(2));
    assert_false(can_undo(0));
    es_page_seek(&page, 1, 1);
    assert_false(can_undo(1)); /* not at an earlier moment */
    es_page_seek(&page, 1, 9);
    assert_int_equal(es_page_take_back(&page, 1), ES_OK);
    assert_int_equal(page.record.count, 1);
    assert_int_equal(es_page_take_back(&page, 0), ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_take_back(&page, 3), ES_PLAYER_UNKNOWN);
    make("2 A2");
    make("1 A2"); /* closes the round: everyone has seen the entries */
    assert_false(can_undo(1));
    assert_false(can_undo(2));
}

static void taking_back_leaves_hidden_entries_of_others(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 3\n\ncard 3\n1 A2\n2 A2\n");
    assert_true(can_undo(1));
    assert_true(can_undo(2));
    assert_false(can_undo(3));
    assert_int_equal(es_page_take_back(&page, 1), ES_OK);
    has(state_of(2), "\"events\":2,\"cursor\":2,"); /* player 2's entry is still there */
    has(state_of(2), "\"turn\":[1,3],");
    has(log_of(2, 1), "\"marks\":[\"Airfield\",\"Orchard\"]");
    assert_false(can_undo(1));
    make("1 A1");
    make("3 A1");
    has(log_of(0, 1), "\"player\":1,\"line\":\"A\",\"card\":" NUMBER_3 ",\"marks\":[\"Airfield\"]");
}

/* ---- Help ----------------------------------------------------------------------------------- */

static const char *record_text(void)
{
    struct es_out out = {answer, sizeof answer - 1, 0};
    es_page_record(&page, &out);
    assert_true(es_out_ok(&out));
    answer[out.used] = '\0';
    return answer;
}

#define SEED "seed 00000000000000000000000000000000000000000000000000000000000000ff\n"
#define WITH_BOT HEAD "verplant\nmap practice\nplayers 2\nbot 2 greedy\n" SEED "\n"

/* The only person at the table can take back a move even after a card has been revealed; then the
 * same cards come again. */
static void the_only_person_can_go_back(void **state)
{
    (void)state;
    open_game(WITH_BOT);
    es_page_deal(&page, 1);
    has(state_of(1), "\"undo\":false,\"back\":false,\"aided\":false,");
    assert_int_equal(es_page_go_back(&page, 1), ES_NOTHING_TO_UNDO); /* no move yet */
    make("1 A1");
    make("2 A1");
    es_page_deal(&page, 2);
    assert_int_equal(page.record.count, 4);
    const es_event card = page.record.events[3];
    has(state_of(1), "\"undo\":false,\"back\":true,\"aided\":false,");
    has(state_of(2), "\"back\":false,"); /* a bot cannot go back */
    has(state_of(0), "\"back\":false,");
    assert_int_equal(es_page_go_back(&page, 2), ES_NOTHING_TO_UNDO);
    assert_int_equal(es_page_go_back(&page, 0), ES_PLAYER_UNKNOWN);
    es_page_seek(&page, 1, 1);
    assert_int_equal(es_page_go_back(&page, 1),
                     ES_NOTHING_TO_UNDO); /* not from an earlier moment */
    es_page_seek(&page, 1, 4);
    assert_int_equal(es_page_go_back(&page, 1), ES_OK);
    assert_int_equal(page.record.count, 1);
    has(state_of(1), "\"turn\":[1,2],");
    has(state_of(1), "\"back\":false,\"aided\":true,");
    make("1 A2");
    make("2 A1");
    es_page_deal(&page, 3);
    assert_int_equal(page.record.events[3], card);
    assert_int_equal(es_page_go_back(&page, 1), ES_OK);
    const char *text = record_text();
    const char *note = strstr(text, "note aided\n");
    assert_non_null(note);
    assert_null(strstr(note + 1, "note aided")); /* the note is there once */
}

static void going_back_needs_a_seed_and_no_other_person(void **state)
{
    (void)state;
    /* another person has seen the card */
    open_game(HEAD "verplant\nmap practice\nplayers 2\n" SEED "\ncard 3\n1 A1\n2 A1\ncard 3\n");
    assert_int_equal(es_page_go_back(&page, 1), ES_NOTHING_TO_UNDO);
    assert_int_equal(es_page_go_back(&page, 2), ES_NOTHING_TO_UNDO);
    /* without a seed other cards would come */
    open_game(HEAD "verplant\nmap practice\nplayers 1\n\ncard 3\n1 A1\ncard 3\n");
    assert_int_equal(es_page_go_back(&page, 1), ES_NOTHING_TO_UNDO);
    assert_null(strstr(record_text(), "aided"));
}

static void help_is_noted_once(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 1\nnote aided by nobody\n\n");
    has(state_of(1), "\"aided\":false,");
    assert_int_equal(es_page_aid(&page), ES_OK);
    has(state_of(1), "\"aided\":true,");
    size_t size = page.record.notes_size;
    assert_int_equal(es_page_aid(&page), ES_OK);
    assert_int_equal(page.record.notes_size, size);
    /* If the notes are full, nothing changes. */
    open_game(HEAD "verplant\nmap practice\nplayers 1\n" SEED "\ncard 3\n1 A1\ncard 3\n");
    memset(page.record.notes, 'x', sizeof page.record.notes);
    memcpy(page.record.notes, "note ", 5);
    page.record.notes[sizeof page.record.notes - 1] = '\n';
    page.record.notes_size = sizeof page.record.notes;
    assert_int_equal(es_page_go_back(&page, 1), ES_NOTES_TOO_LONG);
    assert_int_equal(page.record.count, 3);
}

/* In an open round, no number that a viewer gets counts the others' entries. */
static void numbers_are_lengths_of_the_viewers_view(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 3\n\ncard 3\n1 A2\n2 A2\n");
    has(state_of(0), "\"events\":1,\"cursor\":1,");
    has(state_of(1), "\"events\":2,\"cursor\":2,");
    has(state_of(3), "\"events\":1,\"cursor\":1,");
    make("3 A1");
    has(state_of(0), "\"events\":4,\"cursor\":4,");
    es_page_seek(&page, 1, 2);
    has(state_of(1), "\"events\":4,\"cursor\":2,");
    has(state_of(3), "\"events\":4,\"cursor\":1,");
    es_page_seek(&page, 0, 2); /* a spectator sees all three entries at once */
    has(state_of(0), "\"events\":4,\"cursor\":4,");
}

static void special_stations_one_entry_after_the_other(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 2\nrules special\n\ncard 4\n1 A4\n");
    assert_true(can_undo(1));
    has(state_of(1), "\"extra\":1}");
    has(state_of(2), "\"extra\":0}");
    make("1 B2");
    has(state_of(1), "\"extra\":0}");
    assert_true(can_undo(1));
    make("2 C0"); /* closes the round */
    assert_false(can_undo(1));
}

static void no_more_entries_are_owed_than_there_are_windows(void **state)
{
    (void)state;
    static const char map[] = "endstation-map 1\nid two\ntitle Two\npaper ffffff\n"
                              "station a 1 1 special : A\nstation b 5 1 special : B\n"
                              "station c 9 1 special : C\n"
                              "line A e2001a windows 1 points 3 1 wagon 0 1 : a b c\n"
                              "line B 0055aa windows 2 points 3 1 wagon 9 5 : c b\n";
    struct es_fault fault;
    if (es_page_map(&page, es_str(map), &fault))
        fail_msg("line %d: %s", fault.line, fault.reason);
    open_game(HEAD "verplant\nmap two\nplayers 1\nrules special\n\ncard 6\n");
    has(choose(1, "move 1 A3"), "\"owed\":2,");
    make("1 A3"); /* owes three, of which one is dropped */
    has(state_of(1), "\"extra\":2}");
}

/* The default, in null, whose calls are hidden until all have called, and in depot. */
static void by_default_moves_can_be_taken_back_until_something_is_seen(void **state)
{
    (void)state;
    open_game(HEAD "null\nplayers 3\n\n1 heads\n2 tails\n");
    assert_true(can_undo(1)); /* what the second player called is hidden */
    assert_true(can_undo(2));
    assert_false(can_undo(3));
    assert_int_equal(es_page_take_back(&page, 1), ES_OK);
    assert_false(can_undo(1));
    make("1 tails");
    make("3 heads"); /* shows all calls */
    for (int player = 1; player <= 3; player++)
        assert_false(can_undo(player));
    open_game(HEAD "depot\nplayers 2\n\nroll 3\n1 c3\n");
    assert_true(can_undo(1));
    make("roll 2");
    assert_false(can_undo(1));
}

static void solo_entries_can_be_taken_back_until_the_next_card(void **state)
{
    (void)state;
    open_game(SOLO "card 3\n1 A2\n");
    assert_true(can_undo(1));
    make("card 4");
    assert_false(can_undo(1));
}

static void tiles_can_be_taken_back_until_another_is_dealt(void **state)
{
    (void)state;
    open_game(HEAD "metro\nplayers 2\n\ndeal 1 aaaa\ndeal 2 dddd\n");
    assert_false(can_undo(1));
    make("1 aaaa d1");
    assert_true(can_undo(1));
    assert_false(can_undo(2));
    make("deal 1 aaaa");
    assert_false(can_undo(1));
    make("2 draw");
    assert_false(can_undo(2));
    make("deal 2 aaaa");
    make("2 aaaa c1"); /* nothing is dealt after it: player 1 is at turn */
    assert_false(can_undo(2));
}

/* ---- What happened -------------------------------------------------------------------------- */

static void events_in_words(void **state)
{
    (void)state;
    open_game(HEAD "verplant\nmap practice\nplayers 1\ndeck 6 x3 + o\n\ncard 6\n1 B5\ncard x3\n"
                   "1 C<3\ncard +\n1 C>1\ncard o\n1 @e2\n");
    assert_string_equal(
        log_of(1, 0),
        "[{\"n\":1,\"what\":\"card\",\"card\":" NUMBER_6 ",\"shuffled\":false},"
        "{\"n\":2,\"what\":\"entry\",\"player\":1,\"line\":\"B\",\"card\":" NUMBER_6 ",\"marks\":["
        "\"Observatory\",\"North Gate\",\"Central\",\"South Gate\",\"Botanic Garden\"],"
        "\"framed\":0,\"round\":1,\"event\":\"1 B5\"},"
        "{\"n\":2,\"what\":\"done\",\"player\":1,\"line\":\"B\",\"points\":3,\"first\":true},"
        "{\"n\":3,\"what\":\"card\",\"card\":" EXPRESS_3 ",\"shuffled\":true},"
        "{\"n\":4,\"what\":\"entry\",\"player\":1,\"line\":\"C\",\"card\":" EXPRESS_3 ",\"marks\":["
        "\"Old Market\",\"West Park\",\"Water Mill\"],\"framed\":0,\"round\":2,"
        "\"event\":\"1 C<3\"},"
        "{\"n\":5,\"what\":\"card\",\"card\":" TRANSFER ",\"shuffled\":false},"
        "{\"n\":6,\"what\":\"entry\",\"player\":1,\"line\":\"C\",\"card\":" TRANSFER ",\"marks\":["
        "\"Museum\"],\"framed\":2,\"round\":3,\"event\":\"1 C>1\"},"
        "{\"n\":7,\"what\":\"card\",\"card\":" RIDE ",\"shuffled\":false},"
        "{\"n\":8,\"what\":\"ride\",\"player\":1,\"station\":\"Sand Bay\",\"round\":4,"
        "\"event\":\"1 @e2\"}]");
    open_game(SOLO "card o\n1 @-\n");
    has(log_of(1, 1), "[{\"n\":2,\"what\":\"ride\",\"player\":1,\"station\":\"\",\"round\":1,"
                      "\"event\":\"1 @-\"}]");
}

static void others_entries_are_told_when_the_round_is_closed(void **state)
{
    (void)state;
    open_game(TWO "card 3\n2 B3\n");
    has_not(log_of(1, 0), "entry");
    has(log_of(2, 0), "entry");
    make("1 A3");
    /* player 1 knew of one event; with the entry that closes the round they know all three */
    assert_string_equal(
        log_of(1, 1),
        "[{\"n\":3,\"what\":\"entry\",\"player\":1,\"line\":\"A\",\"card\":" NUMBER_3 ","
        "\"marks\":[\"Airfield\",\"Orchard\",\"West Park\"],\"framed\":0,"
        "\"round\":1,\"event\":\"1 A3\"},"
        "{\"n\":3,\"what\":\"entry\",\"player\":2,\"line\":\"B\",\"card\":" NUMBER_3 ","
        "\"marks\":[\"Observatory\",\"North Gate\",\"Central\"],\"framed\":0,"
        "\"round\":1,\"event\":\"2 B3\"}]");
    has(log_of(2, 1), "{\"n\":2,\"what\":\"entry\",\"player\":2,");
    has_not(log_of(2, 2), "\"player\":2");
    has(log_of(2, 2), "{\"n\":3,\"what\":\"entry\",\"player\":1,");
    assert_string_equal(log_of(1, 3), "[]");
    has(log_of(0, 1), "[{\"n\":3,\"what\":\"entry\",\"player\":1,");
}

static void tiles_of_others_stay_unknown(void **state)
{
    (void)state;
    open_game(HEAD "metro\nplayers 2\n\ndeal 1 aaaa\ndeal 2 dddd\n1 draw\ndeal 1 cccc\n");
    assert_string_equal(log_of(2, 0), "[{\"n\":1,\"what\":\"deal\",\"player\":1,\"tile\":\"?\"},"
                                      "{\"n\":2,\"what\":\"deal\",\"player\":2,\"tile\":\"dddd\"},"
                                      "{\"n\":3,\"what\":\"draw\",\"player\":1},"
                                      "{\"n\":4,\"what\":\"deal\",\"player\":1,\"tile\":\"?\"}]");
}

/* ---- The companion's form ------------------------------------------------------------------- */

static const char *tally(const char *words, es_status expected)
{
    struct es_out out = {answer, sizeof answer - 1, 0};
    assert_int_equal(es_page_ask(&page, es_str(words), &out), expected);
    answer[out.used] = '\0';
    return answer;
}

static void sums_as_on_paper(void **state)
{
    (void)state;
    open_game(SOLO);
    assert_string_equal(tally("sheet empty 7", ES_OK),
                        "{\"sheets\":[{\"lines\":0,\"transfers\":0,\"penalty\":7,\"total\":-7,"
                        "\"grade\":7}],\"winners\":[1],\"tied\":[]}");
    assert_string_equal(tally("sheet sheet first A C later D transfers 7 empty 12", ES_OK),
                        "{\"sheets\":[{\"lines\":0,\"transfers\":0,\"penalty\":0,\"total\":0,"
                        "\"grade\":7},{\"lines\":13,\"transfers\":14,\"penalty\":6,\"total\":21,"
                        "\"grade\":3}],\"winners\":[2],\"tied\":[]}");
    /* Equal points: fewer empty stations win; if those are equal too, the win is shared. */
    has(tally("sheet empty 1 sheet empty 3 sheet sheet empty 1", ES_OK),
        "\"winners\":[3],\"tied\":[1,4]");
    has(tally("sheet empty 1 sheet empty 1 sheet empty 3", ES_OK), "\"winners\":[1,2],\"tied\":[]");
    tally("", ES_PLAYERS_RANGE);
    tally("sheet sheet sheet sheet sheet sheet sheet", ES_PLAYERS_RANGE);
    tally("empty 1", ES_WORD_UNKNOWN);
    tally("sheet transfers", ES_WORD_MISSING);
    tally("sheet transfers sheet", ES_NUMBER_BAD);
    tally("sheet first A later A", ES_TWICE);
    tally("sheet first A A", ES_TWICE);
    tally("sheet first Z", ES_LINE_UNKNOWN);
    tally("sheet first AB", ES_LINE_UNKNOWN);
    tally("sheet empty 27", ES_NUMBER_RANGE);
    tally("sheet empty -1", ES_NUMBER_BAD);
    tally("sheet A", ES_WORD_UNKNOWN);
    tally("sheet first A empty 1 C", ES_WORD_UNKNOWN);
    open_game(HEAD "metro\nplayers 2\n\n");
    tally("sheet", ES_WORD_UNKNOWN);
}

/* ---- Pictures ------------------------------------------------------------------------------- */

static char picture[ES_SVG_BYTES * 2];

static char other_picture[sizeof picture];

static const char *draw(struct es_page_look look, char *text)
{
    struct es_svg svg;
    es_svg_open(&svg, text, sizeof picture - 1);
    es_page_draw(&page, &look, &svg);
    assert_true(svg.out.used < sizeof picture);
    text[svg.out.used] = '\0';
    return text;
}

static void plans_are_shown_to_their_makers(void **state)
{
    (void)state;
    open_game(TWO "card 3\n");
    choose(1, "tap wagon-A");
    has(draw((struct es_page_look){.viewer = 1, .sheet = 1, .pick = es_str(picks[1])}, picture),
        "mark planned");
    has_not(draw((struct es_page_look){.viewer = 1, .sheet = 1}, picture), "mark planned");
    has_not(draw((struct es_page_look){.viewer = 1, .sheet = 2, .pick = es_str(picks[1])}, picture),
            "mark planned");
    for (int viewer = 0; viewer <= 2; viewer += 2) /* a pick shows only for its player */
        has_not(draw((struct es_page_look){.viewer = viewer, .sheet = 1, .pick = es_str(picks[1])},
                     picture),
                "mark planned");
    es_page_seek(&page, 1, 0);
    has_not(draw((struct es_page_look){.viewer = 1, .sheet = 1, .pick = es_str(picks[1])}, picture),
            "mark planned");
    es_page_seek(&page, 1, 1);
    for (int lit = 0; lit < 2; lit++) {
        struct es_page_look look = {.viewer = 1, .sheet = 1, .lit = lit, .patterns = !lit};
        draw(look, picture);
        look.lit = look.patterns = false;
        assert_string_not_equal(draw(look, other_picture), picture);
    }
    make("2 A1"); /* hidden, so the plan stays */
    has(draw(
            (struct es_page_look){
                .viewer = 1, .sheet = 1, .pick = es_str(picks[1]), .prefix = "x-"},
            picture),
        "mark planned");
    has(picture, "id=\"x-wagon-A\"");
    make("1 A3");
    has(draw((struct es_page_look){.viewer = 1, .sheet = 2, .fresh = true}, picture), "mark fresh");
    has_not(draw((struct es_page_look){.viewer = 1, .sheet = 2}, picture), "mark fresh");
}

/* A better move and the one played are drawn if they are legal for the viewer then. */
static void better_and_played_moves_are_drawn(void **state)
{
    (void)state;
    open_game(TWO "card 3\n2 A1\n");
    struct es_page_look look = {
        .viewer = 1, .sheet = 1, .better = es_str("1 A3"), .played = es_str("1 B2")};
    draw(look, picture);
    has(picture, "mark planned");
    has(picture, "mark played");
    static const char *const wrong[] = {"1 A9", "1 Z1",  "2 A1", "card 3", "x",
                                        "\n",   "1 @w1", "1",    ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        look.played = es_str(wrong[i]);
        draw(look, picture);
        has(picture, "mark planned");
        has_not(picture, "mark played");
        look.played = look.better;
        look.better = es_str(wrong[i]);
        draw(look, picture);
        has_not(picture, "mark planned");
        has(picture, "mark played");
        look.better = look.played;
    }
    look.played = es_str("1 B2");
    look.viewer = 2; /* these are not the moves of this player, who has moved already */
    has_not(draw(look, picture), "mark played");
    look.viewer = 0;
    has_not(draw(look, picture), "mark played");
    look.viewer = 1;
    look.sheet = 2; /* nor on this sheet */
    has_not(draw(look, picture), "mark played");
    es_page_seek(&page, 1, 0); /* before the card */
    look.sheet = 1;
    has_not(draw(look, picture), "mark p");
}

static int occurrences(const char *text, const char *words)
{
    int count = 0;
    for (; (text = strstr(text, words)); text++)
        count++;
    return count;
}

static void legal_squares_of_the_tile_picked_up_are_marked(void **state)
{
    (void)state;
    open_game(HEAD "metro\nplayers 2\nrules hand2 rotate\n\ndeal 1 aaaa\ndeal 2 dddd\n"
                   "deal 1 dacc\ndeal 2 dddd\n");
    draw((struct es_page_look){.viewer = 1, .pick = es_str(picks[1])}, picture);
    assert_int_equal(occurrences(picture, "square legal"), 28);
    choose(1, "key 2"); /* unturned, it sends a train from the top straight back */
    draw((struct es_page_look){.viewer = 1, .pick = es_str(picks[1])}, picture);
    assert_true(occurrences(picture, "square legal") < 20);
    choose(1, "key 1");
    draw((struct es_page_look){.viewer = 2, .pick = es_str(picks[2])}, picture);
    assert_int_equal(occurrences(picture, "square legal"), 0);
    choose(1, "tap square-d1");
    draw((struct es_page_look){.viewer = 1, .pick = es_str(picks[1])}, picture);
    assert_int_equal(occurrences(picture, "square planned"), 1);
    draw((struct es_page_look){.viewer = 2, .pick = es_str(picks[2])}, picture);
    assert_int_equal(occurrences(picture, "square planned"), 0);
}

static void pieces_of_games(void **state)
{
    (void)state;
    struct es_svg svg;
    const char *const pieces[] = {
        "verplant back", "verplant 1", "verplant 9",    "verplant x2",  "verplant +",
        "verplant o",    "metro aacb", "metro aacb/0",  "metro aacb/3", "metro ?",
        "metro wagon-1", "metro  ? ",  "metro wagon-6",
    };
    const char *const none[] = {
        "",           "verplant",     "verplant 0",  "verplant x",    "verplant 44",
        "verplant -", "metro",        "metro aacc",  "metro aacb/4",  "metro aacb/",
        "metro ?/1",  "metro wagon-", "metro wagon", "metro wagon-0", "metro wagon-7",
        "metro x2",   "verplant ?",   "tram 1",      "null heads",
    };
    open_game(SOLO);
    for (int dark = 0; dark < 2; dark++)
        for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
            es_svg_open(&svg, picture, sizeof picture);
            assert_true(es_page_draw_piece(&page, es_str(pieces[i]), dark, &svg));
            assert_true(svg.out.used > 100);
        }
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        es_svg_open(&svg, picture, sizeof picture);
        assert_false(es_page_draw_piece(&page, es_str(none[i]), false, &svg));
        assert_int_equal(svg.out.used, 0);
    }
}

static const char *piece(const char *name)
{
    static char text[256];
    struct es_out out = {text, sizeof text - 1, 0};
    bool known = es_page_piece(es_str(name), &out);
    text[out.used] = '\0';
    return known ? text : "none";
}

static void info_lists_every_game(void **state)
{
    (void)state;
    struct es_out out = {answer, sizeof answer, 0};
    es_page_info(&out);
    const char *info = checked(&out);
    assert_non_null(strstr(info, "{\"name\":\"verplant\",\"players\":[1,6],\"rules\":[\"special\"],"
                                 "\"levels\":[\"random\",\"greedy\",\"casual\",\"strong\","
                                 "\"master\"],\"secrets\":true,\"exclusive\":[],"
                                 "\"presets\":[{\"option\":\"deck\",\"name\":\"14\","
                                 "\"text\":\"3 3 3 4 4 5 5 6 x2 x2 x3 + + o\"},"));
    assert_non_null(strstr(info, "{\"name\":\"metro\",\"players\":[2,6],"
                                 "\"rules\":[\"rotate\",\"hand2\",\"hand3\"],"));
    assert_non_null(strstr(info, "\"exclusive\":[\"hand2\",\"hand3\"],\"presets\":[],"
                                 "\"prints\":[\"board\",\"tiles\",\"trains\"]}"));
    assert_string_equal(piece("verplant x2"), EXPRESS_2);
    assert_string_equal(piece("verplant 6"), NUMBER_6);
    assert_string_equal(piece("verplant +"), TRANSFER);
    assert_string_equal(piece("verplant o"), RIDE);
    assert_string_equal(piece("verplant back"), "{\"code\":\"\",\"kind\":\"back\",\"marks\":0}");
    /* a: straight on; b: to the next side clockwise; c: anticlockwise; d: back. */
    assert_string_equal(piece("metro aaaa"),
                        "{\"tile\":\"aaaa\",\"turns\":0,\"tracks\":[2,3,0,1]}");
    assert_string_equal(piece("metro aacb/1"),
                        "{\"tile\":\"aacb\",\"turns\":1,\"tracks\":[1,3,0,2]}");
    assert_string_equal(piece("metro ?"), "{\"tile\":\"?\",\"turns\":0,\"tracks\":[]}");
    assert_string_equal(piece("metro wagon-1"), "none");
    assert_string_equal(piece("metro aacb/4"), "none");
    assert_string_equal(piece("verplant "), "none");
    assert_string_equal(piece("tram 1"), "none");
    assert_string_equal(piece(""), "none");
}

/* A game with nothing but rules is described and chosen by its events as text. */
static void games_without_a_table_have_defaults(void **state)
{
    (void)state;
    const es_event calls[] = {ES_EVENT(2, 1), ES_EVENT(1, 0), ES_EVENT(ES_CHANCE, 0)};
    open_game(HEAD "null\nplayers 2\n\n");
    memset(picks, 0, sizeof picks);
    has(choose(1, "look"), "\"plan\":\"\",\"again\":false,\"why\":\"\",\"sentence\":\"\","
                           "\"options\":[\"1 tails\",\"1 heads\"]}");
    has(choose(1, "tap side-heads"), "\"plan\":\"1 heads\",\"again\":false");
    has(choose(1, "tap side-heads"), "\"plan\":\"1 heads\",\"again\":true");
    has(choose(1, "key Right"), "\"plan\":\"1 tails\"");
    has(choose(1, "key Left"), "\"plan\":\"1 heads\"");
    has(draw((struct es_page_look){.viewer = 1, .pick = es_str(picks[1])}, picture),
        "player 1 heads");
    has_not(draw((struct es_page_look){.viewer = 1}, picture), "player 1 heads");
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        assert_int_equal(es__page_make(&page, calls[i]), ES_OK);
    has(log_of(0, 0), "{\"n\":3,\"what\":\"event\",\"player\":0,\"event\":\"toss tails\"}");
    has(log_of(0, 0), "\"event\":\"2 heads\"");
    has(state_of(1), "\"game\":\"null\"");
    has(state_of(1), "\"over\":true");
    open_game(SOLO);
}

/* Checks the word for a train in the first line's title, in the language that is set. */
static void train_is(const char *word)
{
    char title[64];
    snprintf(title, sizeof title, "<title>%s A", word);
    has(draw((struct es_page_look){.viewer = 1, .sheet = 1}, picture), title);
}

static void titles_in_another_language(void **state)
{
    static const char *const bad[] = {"train\n",
                                      "train\nZug\nline\n",
                                      " ",
                                      "train\n\n",
                                      "\nZug\n",
                                      "\x01\nZug\n",
                                      "train\nZug\nline\nLinie\ntrain\nBahn\n"};
    (void)state;
    open_game(SOLO);
    train_is("train");
    assert_true(es_page_words(&page, es_str("unknown\n?\ntrain\nZug\nline\nLinie\nabc\nxyz\n")));
    train_is("Zug");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_true(es_page_words(&page, es_str("train\nZug\n")));
        assert_false(es_page_words(&page, es_str(bad[i])));
        train_is("train");
    }
    char words[2 * (ES_PAGE_WORDS + 1) * 8] = "";
    for (int i = 0; i < ES_PAGE_WORDS; i++)
        snprintf(words + strlen(words), sizeof words - strlen(words), "w%d\nz\n", i);
    assert_true(es_page_words(&page, es_str(words)));
    snprintf(words + strlen(words), sizeof words - strlen(words), "train\nz\n");
    assert_false(es_page_words(&page, es_str(words)));
    assert_true(es_page_words(&page, es_str("train\nZug\n")));
    assert_true(es_page_words(&page, es_str("")));
    train_is("train");
}

/* ---- Games by chance ------------------------------------------------------------------------ */

/* Checks points, stock, round and the like against the state and the report. */
static void compare_with_report(void)
{
    static char report[ES_REPORT_BYTES + 1];
    const struct es_setup *setup = &page.record.setup;
    struct es_state view;
    char words[128];
    for (int viewer = 0; viewer <= setup->players; viewer++) {
        es_page_see(&page, viewer, &view);
        struct es_out out = {report, sizeof report - 1, 0};
        setup->game->report(setup, &view, &out);
        report[out.used] = '\0';
        const char *text = state_of(viewer);
        for (int p = 1; p <= setup->players; p++) {
            snprintf(words, sizeof words, "\"score\":%d,", setup->game->score(setup, &view, p));
            has(text, words);
        }
        if (setup->game == &es_metro) {
            const struct es_metro_state *s = es_metro_state(&view);
            snprintf(words, sizeof words, "\"stock\":%d,\"placed\":%d,", s->stock,
                     es_metro_laid(s));
            has(text, words);
            es_event legal[ES_LEGAL_MAX] = {0};
            setup->game->legal(setup, &view, viewer ? viewer : 1, legal); /* a draw comes first */
            has(text,
                viewer && legal[0] == ES_METRO_DRAW(viewer) ? "\"draw\":true" : "\"draw\":false");
            snprintf(words, sizeof words, "placed %d\n", es_metro_laid(s));
        } else {
            const struct es_verplant_state *s = es_verplant_state(&view);
            snprintf(words, sizeof words, "\"round\":%d,\"left\":%d,", s->round, s->pile_count);
            has(text, words);
            snprintf(words, sizeof words, "round %d\n", s->round);
        }
        has(report, words);
    }
}

static void facts_agree_with_reports(void **state)
{
    (void)state;
    struct es_random random;
    for (int kind = 0; kind < KINDS; kind++) {
        es_random_seed(&random, (uint64_t)kind);
        new_game(kind);
        do
            compare_with_report();
        while (play_on(&random));
        has(state_of(0), "\"over\":true");
        has(log_of(0, 0), "\"what\":\"over\"");
    }
}

/* The points in the log add up to those that lines have brought: in verplant those for lines, in
 * metro the score. */
static void points_of_lines_add_up(void **state)
{
    (void)state;
    struct es_random random;
    for (int kind = 0; kind < KINDS; kind++) {
        es_random_seed(&random, 99 + (uint64_t)kind);
        new_game(kind);
        while (play_on(&random)) {
        }
        const struct es_setup *setup = &page.record.setup;
        int points[ES_PLAYERS_MAX + 1] = {0};
        for (const char *at = log_of(0, 0); (at = strstr(at, "\"points\":"));) {
            const char *fact = at;
            while (strncmp(fact, "{\"n\":", 5) != 0)
                fact--;
            const char *who = strstr(fact, setup->map ? "\"player\":" : "\"owner\":");
            at += strlen("\"points\":");
            points[strtol(strchr(who, ':') + 1, NULL, 10)] += (int)strtol(at, NULL, 10);
        }
        for (int p = 1; p <= setup->players; p++)
            assert_int_equal(points[p], setup->map ? es_verplant_sum(setup, &page.state, p).lines
                                                   : setup->game->score(setup, &page.state, p));
    }
}

/* At an earlier moment the facts are those of that moment, except for the number of events and that
 * nothing can be taken back. */
static void facts_at_the_cursor_are_those_of_that_moment(void **state)
{
    (void)state;
    static char record[1 << 16], then[1 << 20];
    struct es_random random;
    for (int kind = 0; kind < KINDS; kind++) {
        es_random_seed(&random, 55 + (uint64_t)kind);
        new_game(kind);
        while (play_on(&random)) {
        }
        struct es_out out = {record, sizeof record - 1, 0};
        es_page_record(&page, &out);
        record[out.used] = '\0';
        const size_t count = page.record.count;
        int viewer = (int)es_random_below(&random, page.record.setup.players + 1U);
        for (size_t i = 0; i <= count; i += 1 + es_random_below(&random, 3)) {
            open_game(record);
            es_page_seek(&page, viewer, i);
            strcpy(then, log_of(viewer, 0));
            strcat(then, strstr(state_of(viewer), "\"winners\":"));
            es_page_fork(&page, viewer, i);
            const size_t size = strlen(log_of(viewer, 0));
            assert_memory_equal(then, answer, size);
            assert_string_equal(then + size, strstr(state_of(viewer), "\"winners\":"));
        }
    }
}

/* Asking for the log repeatedly gives the same entries as asking once, except for the order of
 * those that became known late. */
static void every_event_is_told_once(void **state)
{
    (void)state;
    static char told[1 << 20];
    struct es_random random;
    for (int kind = 0; kind < KINDS; kind++) {
        es_random_seed(&random, 77 + (uint64_t)kind);
        new_game(kind);
        int viewer = (int)es_random_below(&random, page.record.setup.players + 1U);
        size_t known = 0, facts = 0;
        told[0] = '\0';
        do {
            if (es_random_below(&random, 3) == 0)
                continue;
            const char *text = log_of(viewer, known);
            known = es__page_seen(&page, viewer);
            facts += (size_t)occurrences(text, "\"what\"");
            strcat(told, text);
        } while (play_on(&random));
        const char *rest = log_of(viewer, known);
        facts += (size_t)occurrences(rest, "\"what\"");
        strcat(told, rest);
        const char *all = log_of(viewer, 0);
        assert_int_equal(occurrences(all, "\"what\""), facts);
        for (const char *at = all + 1; *at == '{' || *at == ',';) {
            char fact[8192];
            at += *at == ',';
            const char *end = json_value(at);
            memcpy(fact, at, (size_t)(end - at));
            fact[end - at] = '\0';
            assert_int_equal(occurrences(told, fact), 1);
            at = end;
        }
        size_t entries = 0;
        for (size_t i = 0; i < page.record.count; i++)
            entries += ES_EVENT_WHO(page.event[i]) != ES_CHANCE;
        assert_int_equal(
            occurrences(all, "\"what\":\"entry\"") + occurrences(all, "\"what\":\"ride\"") +
                occurrences(all, "\"what\":\"lay\"") + occurrences(all, "\"what\":\"draw\""),
            entries);
    }
}

/* The `n` of a fact is the length of the viewer's view when it became known. */
static void facts_have_the_length_of_the_view_when_they_became_known(void **state)
{
    (void)state;
    struct es_random random;
    for (int kind = 0; kind < KINDS; kind++) {
        es_random_seed(&random, 123 + (uint64_t)kind);
        new_game(kind);
        size_t known[ES_PLAYERS_MAX + 1] = {0};
        do
            for (int viewer = 0; viewer <= page.record.setup.players; viewer++) {
                size_t now = es__page_seen(&page, viewer);
                char expected[32];
                snprintf(expected, sizeof expected, "{\"n\":%zu,\"what\"", now);
                const char *text = log_of(viewer, known[viewer]);
                assert_int_equal(occurrences(text, expected), occurrences(text, "\"what\""));
                assert_int_equal(now > known[viewer], strcmp(text, "[]") != 0);
                known[viewer] = now;
            }
        while (play_on(&random));
    }
}

/* ---- Secrets -------------------------------------------------------------------------------- */

/* Writes everything that a viewer is shown as one text. */
static void write_all_that_is_shown(int viewer, char *text, size_t size)
{
    const struct es_setup *setup = &page.record.setup;
    snprintf(text, size, "%s", state_of(viewer));
    snprintf(text + strlen(text), size - strlen(text), "%s", log_of(viewer, 0));
    if (viewer)
        snprintf(text + strlen(text), size - strlen(text), "%s", choose(viewer, "look"));
    for (int sheet = 1; sheet <= (setup->map ? setup->players : 1); sheet++) {
        struct es_page_look look = {viewer, sheet, .pick = es_str(picks[viewer]), .fresh = true};
        snprintf(text + strlen(text), size - strlen(text), "%s", draw(look, picture));
    }
}

/* Makes another game that the viewer cannot tell from this one: hidden entries, and tiles in other
 * hands, are changed. False if there is none that differs. */
static bool make_indistinguishable_game(int viewer, struct es_random *random, es_event *events)
{
    const struct es_setup *setup = &page.record.setup;
    size_t count = page.record.count;
    struct es_state view, now;
    es_event legal[ES_LEGAL_MAX];
    memcpy(events, page.event, count * sizeof *events);
    es_page_see(&page, viewer, &view);
    if (setup->game == &es_metro) {
        const struct es_metro_state *s = es_metro_state(&view), *all = es_metro_state(&page.state);
        uint8_t unseen[ES_TILE_KINDS];
        memcpy(unseen, s->unseen, sizeof unseen);
        for (int p = 1; p <= setup->players; p++)
            for (int i = 0; i < all->held[p - 1] && p != viewer; i++) {
                size_t at = count;
                while (at > 0 && page.event[at - 1] != ES_METRO_DEAL(p, all->hand[p - 1][i]))
                    at--;
                int tile = (int)es_random_below(random, ES_TILE_KINDS);
                if (at > 0 && unseen[tile] > 0)
                    events[at - 1] = ES_METRO_DEAL(p, tile);
            }
        if (all->drawn < ES_TILE_KINDS && all->player != viewer)
            events[count - 1] = ES_METRO_DEAL(all->player, es_random_below(random, ES_TILE_KINDS));
    } else if (es_verplant_state(&page.state)->acting) {
        size_t open = count;
        while (ES_EVENT_WHO(events[open - 1]) != ES_CHANCE)
            open--;
        assert_int_equal(es_fold(setup, events, open, &now), ES_OK);
        for (size_t i = open; i < count; i++) {
            int who = ES_EVENT_WHO(events[i]);
            size_t choices = setup->game->legal(setup, &now, who, legal);
            if (who != viewer && choices > 0)
                events[i] = legal[es_random_below(random, (uint32_t)choices)];
            if (setup->game->apply(setup, &now, events[i]))
                return false;
        }
        /* Which players have entered is no secret. */
        if (es_verplant_state(&now)->acting != es_verplant_state(&page.state)->acting)
            return false;
    }
    setup->game->start(setup, &now);
    for (size_t i = 0; i < count; i++)
        if (setup->game->apply(setup, &now, events[i]))
            return false;
    return memcmp(events, page.event, count * sizeof *events) != 0;
}

/* Lets all others plan something, which must be hidden, too. */
static void let_others_plan(int viewer)
{
    for (int p = 1; p <= page.record.setup.players; p++)
        if (p != viewer) {
            choose(p, page.record.setup.map ? "key A" : "key Right");
            choose(p, page.record.setup.map ? "tap wagon-C" : "key 2");
        }
}

/* Compares what a viewer is shown in this game and in one that they cannot tell from it. The game
 * stays as it was. */
static bool compare(int viewer, struct es_random *random)
{
    static char one[1 << 21], two[1 << 21];
    static es_event events[ES_EVENTS_MAX], own[ES_EVENTS_MAX];
    size_t bytes = page.record.count * sizeof *events;
    if (!make_indistinguishable_game(viewer, random, events))
        return false;
    choose(viewer, page.record.setup.map ? "key D" : "key Down");
    write_all_that_is_shown(viewer, one, sizeof one);
    struct es_state kept = page.state;
    memcpy(own, page.event, bytes);
    memcpy(page.event, events, bytes);
    assert_int_equal(es_fold(&page.record.setup, page.event, page.record.count, &page.state),
                     ES_OK);
    let_others_plan(viewer);
    write_all_that_is_shown(viewer, two, sizeof two);
    assert_string_equal(one, two);
    memcpy(page.event, own, bytes);
    page.state = kept;
    return true;
}

static void what_is_hidden_changes_no_byte(void **state)
{
    (void)state;
    struct es_random random;
    for (int kind = 1; kind < KINDS; kind++) {
        int compared = 0;
        es_random_seed(&random, 4711 + (uint64_t)kind);
        while (compared < 20) {
            new_game(kind);
            do {
                int viewer = (int)es_random_below(&random, page.record.setup.players + 1U);
                compared += compare(viewer, &random);
            } while (play_on(&random));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_open),
        cmocka_unit_test(all_facts_of_a_solo_game),
        cmocka_unit_test(what_others_have_entered_is_hidden),
        cmocka_unit_test(the_later_value_is_all_that_is_left),
        cmocka_unit_test(facts_of_metro),
        cmocka_unit_test(a_line_that_ends_in_the_centre),
        cmocka_unit_test(entries_can_be_taken_back_while_the_round_is_open),
        cmocka_unit_test(taking_back_leaves_hidden_entries_of_others),
        cmocka_unit_test(the_only_person_can_go_back),
        cmocka_unit_test(going_back_needs_a_seed_and_no_other_person),
        cmocka_unit_test(help_is_noted_once),
        cmocka_unit_test(numbers_are_lengths_of_the_viewers_view),
        cmocka_unit_test(special_stations_one_entry_after_the_other),
        cmocka_unit_test(no_more_entries_are_owed_than_there_are_windows),
        cmocka_unit_test(by_default_moves_can_be_taken_back_until_something_is_seen),
        cmocka_unit_test(solo_entries_can_be_taken_back_until_the_next_card),
        cmocka_unit_test(tiles_can_be_taken_back_until_another_is_dealt),
        cmocka_unit_test(events_in_words),
        cmocka_unit_test(others_entries_are_told_when_the_round_is_closed),
        cmocka_unit_test(tiles_of_others_stay_unknown),
        cmocka_unit_test(sums_as_on_paper),
        cmocka_unit_test(plans_are_shown_to_their_makers),
        cmocka_unit_test(better_and_played_moves_are_drawn),
        cmocka_unit_test(legal_squares_of_the_tile_picked_up_are_marked),
        cmocka_unit_test(pieces_of_games),
        cmocka_unit_test(info_lists_every_game),
        cmocka_unit_test(games_without_a_table_have_defaults),
        cmocka_unit_test(titles_in_another_language),
        cmocka_unit_test(facts_agree_with_reports),
        cmocka_unit_test(points_of_lines_add_up),
        cmocka_unit_test(facts_at_the_cursor_are_those_of_that_moment),
        cmocka_unit_test(every_event_is_told_once),
        cmocka_unit_test(facts_have_the_length_of_the_view_when_they_became_known),
        cmocka_unit_test(what_is_hidden_changes_no_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
