/* Tests of the record reader: what is accepted, what is refused and where; and that views hide what
 * they must. */
#include "check.h"

#define MAP                                                                                        \
    "endstation-map 1\nid m\ntitle M\npaper ffffff\nstation a 0 0\nstation b 1 0\n"                \
    "station c 2 0\nline A ff0000 windows 2 points 2 1 wagon 0 0 : a b\n"                          \
    "line B 00ff00 windows 1 points 2 1 wagon 0 0 : b c\n"
#define TOP "endstation-record 1\n"
#define HEAD TOP "game verplant\nmap m\nplayers 2\n"
#define HASH "a99d90fba8529916ee9c0a8166f62847"
#define OTHER_HASH "0123456789abcdef0123456789abcdef"
#define WRITTEN TOP "game verplant\nmap m " HASH "\nplayers 2\n" /* HEAD as it is written */
#define SEED "5f1d0c00000000000000000000000000000000000000000000000000000000ff"

static struct es_map map;
static struct es_record record;
static struct es_state now;
static es_event events[64];

static void expect(const char *text, int line, es_status status)
{
    struct es_fault fault = {ES_OK, -1, "", ""};
    check_map(&map, MAP);
    record = (struct es_record){.events = events, .capacity = 64};
    es_status got = es_record_header(&record, es_str(text), &fault);
    if (got == ES_OK)
        got = es_record_events(&record, &map, &now, &fault);
    if (got != status || (got && fault.line != line))
        fail_msg("expected line %d: %s; got line %d: %s for\n%s", line, es_status_text(status),
                 fault.line, es_status_text(got), text);
}

static void good(const char *text)
{
    expect(text, 0, ES_OK);
}

static void the_first_line_names_the_format(void **state)
{
    (void)state;
    expect("", 1, ES_NOT_A_RECORD);
    expect("endstation-map 1\n", 1, ES_NOT_A_RECORD);
    expect("endstation-record 2\n", 1, ES_NOT_A_RECORD);
    expect("#\nendstation-record 1\n", 1, ES_NOT_A_RECORD);
}

static void the_game_comes_first(void **state)
{
    (void)state;
    expect(TOP "players 2\ngame verplant\n", 2, ES_GAME_FIRST);
    expect(TOP "# c\nnonsense\n", 3, ES_GAME_FIRST);
    expect(TOP "game chess\n", 2, ES_GAME_UNKNOWN);
    expect(TOP "game tram\n", 2, ES_GAME_UNKNOWN);
    expect(TOP "game\n", 2, ES_GAME_UNKNOWN);
    expect(TOP "\n", 2, ES_GAME_FIRST);
    expect(TOP, 1, ES_GAME_FIRST);
    expect(TOP "game verplant\ngame verplant\n", 3, ES_TWICE);
    good(TOP "note before\ncommit x\n# c\nsecret y\nword\ndate 2026\n  game \t verplant\nnote\n"
             "note twice\nmap m\nplayers 2\nplayer 2 Ada  Lovelace\nseed " SEED "\nrules special\n"
             "deck 6 x6 +\n");
    assert_string_equal(record.name[1], "Ada  Lovelace");
    assert_true(record.has_seed);
    assert_int_equal(record.seed[31], 0xff);
    assert_int_equal(record.setup.rules, ES_VERPLANT_SPECIAL);
}

static void header_lines_are_checked(void **state)
{
    (void)state;
    expect(HEAD "plyers 2\n", 5, ES_WORD_UNKNOWN);
    expect(HEAD "players 2\n", 5, ES_TWICE);
    expect(HEAD "map m\n", 5, ES_TWICE);
    expect(TOP "game verplant\nplayers 0\n", 3, ES_PLAYERS_RANGE);
    expect(TOP "game verplant\nplayers 7\n", 3, ES_PLAYERS_RANGE);
    expect(TOP "game verplant\nplayers two\n", 3, ES_NUMBER_BAD);
    expect(TOP "game verplant\nplayers 02\n", 3, ES_NUMBER_BAD);
    expect(TOP "game verplant\nplayers 2 3\n", 3, ES_NUMBER_BAD);
    expect(TOP "game verplant\nmap M\n", 3, ES_ID_BAD);
    expect(TOP "game verplant\nmap\n", 3, ES_ID_BAD);
    expect(HEAD "rules\n", 5, ES_WORD_MISSING);
    expect(HEAD "rules rotate\n", 5, ES_RULE_UNKNOWN);
    expect(HEAD "rules special special\n", 5, ES_TWICE);
    expect(HEAD "rules special\nrules special\n", 6, ES_TWICE);
    expect(HEAD "deck\n", 5, ES_DECK_SIZE);
    expect(HEAD "deck 3 4\n", 5, ES_DECK_SIX);
    expect(HEAD "deck 6 7 x0\n", 5, ES_CARD_BAD);
    expect(HEAD "deck 6\ndeck 6\n", 6, ES_TWICE);
    expect(HEAD
           "deck 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6"
           " 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6\n",
           5, ES_DECK_SIZE);
    expect(HEAD "player 1\n", 5, ES_NAME_LENGTH);
    expect(HEAD "player\n", 5, ES_WORD_MISSING);
    expect(HEAD "player 3 Eve\n", 5, ES_PLAYER_UNKNOWN);
    expect(HEAD "player 0 Eve\n", 5, ES_PLAYER_UNKNOWN);
    expect(HEAD "player 1 Eve\nplayer 1 Eve\n", 6, ES_TWICE);
    expect(TOP "game verplant\nplayer 3 Eve\nmap m\nplayers 2\n", 5, ES_PLAYER_UNKNOWN);
    expect(TOP "game verplant\nmap m " HASH " x\n", 3, ES_WORD_EXTRA);
    expect(TOP "game verplant\nmap m 0123456789abcdef0123456789abcde\n", 3, ES_HASH_BAD);
    expect(TOP "game verplant\nmap m 0123456789ABCDEF0123456789ABCDEF\n", 3, ES_HASH_BAD);
    expect(TOP "game metro\nmap m " HASH "\n", 3, ES_MAP_UNWANTED);
    expect(HEAD "seed 12\n", 5, ES_SEED_BAD);
    expect(HEAD "seed " SEED "\nseed " SEED "\n", 6, ES_TWICE);
}

/* "`bot P LEVEL` (once a player: this seat is a bot's; one word of 1 to 32 printable ASCII
 * characters …). Where `players` and a `player` or `bot` line contradict each other, the later of
 * the two lines is at fault." */
static void bots_are_named_by_bot_lines(void **state)
{
    (void)state;
    good(HEAD "bot 2 strong\nplayer 2 Ada\nplayer 1 strong (bot)\n");
    assert_string_equal(record.bot[1], "strong");
    assert_string_equal(record.bot[0], "");
    assert_string_equal(record.name[0], "strong (bot)");
    good(HEAD "bot 1 ~!x{}012345678901234567890123456\n");
    assert_int_equal(strlen(record.bot[0]), 32);
    expect(HEAD "bot\n", 5, ES_WORD_MISSING);
    expect(HEAD "bot 1\n", 5, ES_LEVEL_BAD);
    expect(HEAD "bot 1 two words\n", 5, ES_LEVEL_BAD);
    expect(HEAD "bot 1 \xc3\xbc\n", 5, ES_LEVEL_BAD);
    expect(HEAD "bot 1 123456789012345678901234567890123\n", 5, ES_LEVEL_BAD);
    expect(HEAD "bot 1 a\nbot 1 a\n", 6, ES_TWICE);
    expect(HEAD "bot 0 a\n", 5, ES_PLAYER_UNKNOWN);
    expect(HEAD "bot 3 a\n", 5, ES_PLAYER_UNKNOWN);
    expect(HEAD "bot 01 a\n", 5, ES_NUMBER_BAD);
    expect(TOP "bot 1 a\ngame verplant\n", 2, ES_GAME_FIRST);
    expect(TOP "game verplant\nbot 3 a\nmap m\nplayers 2\n", 5, ES_PLAYER_UNKNOWN);
    expect(TOP "game verplant\nbot 7 a\n", 3, ES_PLAYER_UNKNOWN);
}

static void expect_labels(const char *header, const char *a, const char *b, const char *c)
{
    char label[ES_PLAYERS_MAX][ES_LABEL_BYTES], text[2048];
    struct es_out out = {text, sizeof text - 1, 0};
    es_out_text(&out, TOP "game verplant\nmap m\nplayers 3\n");
    es_out_text(&out, header);
    text[out.used] = '\0';
    good(text);
    es_record_labels(&record, label);
    assert_string_equal(label[0], a);
    assert_string_equal(label[1], b);
    assert_string_equal(label[2], c);
}

static void labels_tell_all_players_apart(void **state)
{
    (void)state;
    expect_labels("", "", "", "");
    expect_labels("player 2 Ada\n", "", "Ada", "");
    expect_labels("player 1 Ada\nplayer 3 Ada\n", "Ada (1)", "", "Ada (3)");
    expect_labels("player 1 Ada\nplayer 2 Ada\nplayer 3 Ada (1)\n", "Ada (1) (1)", "Ada (2)",
                  "Ada (1) (3)");
    expect_labels("bot 1 strong\nbot 2 greedy\nbot 3 strong\n", "strong (bot)", "greedy (bot)",
                  "strong (bot 2)");
    expect_labels("bot 1 strong\nbot 3 strong\nplayer 1 Otto\n", "Otto", "", "strong (bot)");
    expect_labels("player 1 strong (bot)\nbot 2 strong\n", "strong (bot) (1)", "strong (bot) (2)",
                  "");
    char header[600], name[ES_NAME_BYTES] = "", label[ES_LABEL_BYTES];
    for (int i = 0; i < ES_NAME_CHARS; i++)
        strcat(name, "\xf0\x9f\x9a\x87");
    snprintf(header, sizeof header, "player 1 %s\nplayer 2 %s\n", name, name);
    snprintf(label, sizeof label, "%s (1)", name);
    char second[ES_LABEL_BYTES];
    snprintf(second, sizeof second, "%s (2)", name);
    expect_labels(header, label, second, "");
}

static void what_a_header_lacks_is_said_where_it_ends(void **state)
{
    (void)state;
    expect(TOP "game verplant\nmap m\n\ncard 3\n", 4, ES_PLAYERS_MISSING);
    expect(TOP "game verplant\nmap m\n# c\n", 4, ES_PLAYERS_MISSING);
    expect(TOP "game verplant\nplayers 2\n \t\nnonsense\n", 4, ES_MAP_MISSING);
}

static void the_map_must_be_the_right_one(void **state)
{
    (void)state;
    struct es_fault fault;
    expect(TOP "game verplant\nplayers 2\nmap n\n\nnonsense\n", 4, ES_MAP_OTHER);
    assert_int_equal(es_record_header(&record, es_str(HEAD), &fault), ES_OK);
    assert_int_equal(es_record_events(&record, NULL, &now, &fault), ES_MAP_ELSEWHERE);
    assert_int_equal(fault.line, 3);
    good(WRITTEN);
    expect(TOP "game verplant\nplayers 2\nmap m " OTHER_HASH "\n\nnonsense\n", 4, ES_MAP_CHANGED);
    expect(TOP "game verplant\nplayers 2\nmap n " HASH "\n\nnonsense\n", 4, ES_MAP_OTHER);
}

/* A record that names a hash is never played on another sheet; the error names both hashes. */
static void a_hash_chooses_the_sheet(void **state)
{
    (void)state;
    static struct es_map sheet, own;
    struct es_fault fault;
    char text[256];
    check_builtin(&sheet, "practice");
    const char *const top = TOP "game verplant\nplayers 1\nmap practice";
    record = (struct es_record){.events = events, .capacity = 64};
    snprintf(text, sizeof text, "%s %s\n", top, sheet.hash);
    assert_int_equal(es_record_read(&record, es_str(text), NULL, &own, &now, &fault), ES_OK);
    snprintf(text, sizeof text, "%s %s\n", top, OTHER_HASH);
    assert_int_equal(es_record_read(&record, es_str(text), NULL, &own, &now, &fault),
                     ES_MAP_VERSION);
    assert_int_equal(fault.line, 4);
    assert_non_null(strstr(fault.reason, OTHER_HASH));
    assert_non_null(strstr(fault.reason, sheet.hash));
    assert_non_null(strstr(fault.reason, "--map"));
    assert_int_equal(es_record_read(&record, es_str(text), &sheet, &own, &now, &fault),
                     ES_MAP_CHANGED);
    assert_int_equal(fault.line, 4);
    assert_non_null(strstr(fault.reason, OTHER_HASH));
    assert_non_null(strstr(fault.reason, sheet.hash));
    /* a player's own version of the sheet is used for a record without a hash */
    check_map(&own, MAP);
    strcpy(own.id, "practice");
    snprintf(text, sizeof text, "%s\n", top);
    assert_int_equal(es_record_read(&record, es_str(text), &own, &sheet, &now, &fault), ES_OK);
    assert_ptr_equal(record.setup.map, &own);
}

static void events_are_checked_one_by_one(void **state)
{
    (void)state;
    good(HEAD "\n\n# c\ncard 3\n\n1 A2\n 2\tB1 \ncard 4");
    assert_int_equal(record.count, 4);
    expect(HEAD "\ncard 3\n1 A2\n1 A0\n", 8, ES_NOT_TO_ACT);
    expect(HEAD "\ncard 3\n1 A3\n", 7, ES_MARKS_MANY);
    expect(HEAD "\n1 A1\n", 6, ES_CHANCE_DUE);
    expect(HEAD "\ncard 3 # no comment here\n", 6, ES_WORD_EXTRA);
    expect(HEAD "\ncard 3\nplayers 2\n", 7, ES_EVENT_BAD);
    /* nothing may follow the end */
    expect(HEAD "\ncard 3\n1 A0\n2 A0\ncard 3\n1 A0\n2 A0\ncard 3\n1 B0\n2 B0\n# c\n\ncard 4\n", 17,
           ES_GAME_OVER);
}

static void text_comes_before_everything(void **state)
{
    (void)state;
    expect("nonsense\n\xff\n", 2, ES_NOT_TEXT);
    good("\xef\xbb\xbf" HEAD "\r\ncard 3\r\n");
}

static void more_events_than_room_are_refused(void **state)
{
    (void)state;
    struct es_fault fault;
    check_map(&map, MAP);
    record = (struct es_record){.events = events, .capacity = 1};
    assert_int_equal(es_record_header(&record, es_str(HEAD "\ncard 3\n1 A0\n"), &fault), ES_OK);
    assert_int_equal(es_record_events(&record, &map, &now, &fault), ES_EVENTS_TOO_MANY);
    assert_int_equal(fault.line, 7);
}

static void views_hide_seed_and_open_entries(void **state)
{
    (void)state;
    char text[1024];
    es_event scratch[64];
    good(HEAD "player 1 Ada\ncommit 0f\nbot 2 strong\nseed " SEED "\nsecret 42\nword 1 x\n"
              "date 2026-11-15\nnote n\ncommit 1f\n\ncard 3\n1 A2\n2 B0\ncard 4\n2 A2\n");
#define SEEN WRITTEN "player 1 Ada\nbot 2 strong\ncommit 0f\ndate 2026-11-15\ncommit 1f\n"
    struct es_out out = {text, sizeof text - 1, 0};
    es_record_write_view(&record, &now, 1, scratch, &out);
    text[out.used] = '\0';
    assert_string_equal(text, SEEN "\ncard 3\n1 A2\n2 B0\ncard 4\n");
    out.used = 0;
    es_record_write_view(&record, &now, 2, scratch, &out);
    text[out.used] = '\0';
    assert_string_equal(text, SEEN "\ncard 3\n2 B0\n1 A2\ncard 4\n2 A2\n");
    good(text); /* a view is a record */
}

static void records_are_written_as_they_were_read(void **state)
{
    (void)state;
    static const char text[] =
        WRITTEN "rules special\ndeck 6 x2 + o\nplayer 2 Grace\nbot 1 exec\nbot 2 strong\n"
                "secret 1\ndate 2026-11-15\nnote  a  note\nword 2 3\ncommit 4\nnote\nseed " SEED
                "\n\ncard o\n1 @c\n2 @-\n";
    char again[1024];
    good(text);
    struct es_out out = {again, sizeof again - 1, 0};
    es_record_write(&record, &out);
    again[out.used] = '\0';
    assert_string_equal(again, text);
    good(HEAD "deck + + x3 x2 x2 o 6 5 5 4 4 3 3 3\n");
    out.used = 0;
    es_record_write(&record, &out);
    again[out.used] = '\0';
    assert_string_equal(again, WRITTEN "\n"); /* the standard deck is not written */
}

/* "Our programs … refuse more than 16 KiB of commit, secret, word, date and note lines"; up to that
 * limit, all of them survive reading and writing. */
static void notes_are_kept_or_refused(void **state)
{
    (void)state;
    static char text[3 * ES_NOTES_BYTES], again[3 * ES_NOTES_BYTES];
    struct es_out in = {text, sizeof text - 1, 0}, out = {again, sizeof again - 1, 0};
    es_out_text(&in, WRITTEN "note ");
    for (int i = 0; i < ES_NOTES_BYTES - 11; i++)
        es_out_char(&in, 'x');
    es_out_text(&in, "\nnote\n");
    text[in.used] = '\0';
    good(text);
    assert_int_equal(record.notes_size, ES_NOTES_BYTES);
    es_record_write(&record, &out);
    assert_true(out.used <= es_record_bytes(&record));
    again[out.used] = '\0';
    assert_memory_equal(again, text, in.used);
    assert_string_equal(again + in.used, "\n");
    es_out_text(&in, "word\n");
    text[in.used] = '\0';
    expect(text, 7, ES_NOTES_TOO_LONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_names_the_format),
        cmocka_unit_test(the_game_comes_first),
        cmocka_unit_test(header_lines_are_checked),
        cmocka_unit_test(bots_are_named_by_bot_lines),
        cmocka_unit_test(labels_tell_all_players_apart),
        cmocka_unit_test(what_a_header_lacks_is_said_where_it_ends),
        cmocka_unit_test(the_map_must_be_the_right_one),
        cmocka_unit_test(a_hash_chooses_the_sheet),
        cmocka_unit_test(events_are_checked_one_by_one),
        cmocka_unit_test(text_comes_before_everything),
        cmocka_unit_test(more_events_than_room_are_refused),
        cmocka_unit_test(views_hide_seed_and_open_entries),
        cmocka_unit_test(records_are_written_as_they_were_read),
        cmocka_unit_test(notes_are_kept_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
