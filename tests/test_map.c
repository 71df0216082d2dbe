/* Tests of the map reader and writer: what is accepted, what is refused and where, round trips. */
#include "check.h"
#include "random_map.h"
#include "town_map.h"
#include <endstation/sha256.h>

#define HEAD "endstation-map 1\nid m\ntitle M\npaper ffffff\n"
#define STATIONS HEAD "station a 0 0\nstation b 1 0\nstation c 2 0\n"
#define LINE_A "line A ff0000 windows 1 points 2 1 wagon 0 0 : "
#define LINE_B "line B 00ff00 windows 1 points 2 1 wagon 0 0 : "

static struct es_map map;

static void expect(const char *text, int line, es_status status)
{
    struct es_fault fault = {ES_OK, -1, "", ""};
    es_status got = es_map_read(&map, es_str(text), &fault);
    if (got != status || (got && fault.line != line))
        fail_msg("expected line %d: %s; got line %d: %s (%s) for\n%s", line, es_status_text(status),
                 fault.line, es_status_text(got), fault.reason, text);
}

static void the_first_line_names_the_format(void **state)
{
    (void)state;
    expect("", 1, ES_NOT_A_MAP);
    expect("\n", 1, ES_NOT_A_MAP);
    expect("endstation-map", 1, ES_NOT_A_MAP);
    expect("endstation-map 2\n", 1, ES_NOT_A_MAP);
    expect("endstation-map 1 x\n", 1, ES_NOT_A_MAP);
    expect("# endstation-map 1\nendstation-map 1\n", 1, ES_NOT_A_MAP);
    expect("Endstation-map 1\n", 1, ES_NOT_A_MAP);
    expect(" endstation-map \t 1 \r\nid x", 2, ES_MAP_TOO_SMALL); /* blanks do not count */
}

static void header_lines_come_once_and_early(void **state)
{
    (void)state;
    expect("endstation-map 1\nid m\nid n\n", 3, ES_TWICE);
    expect("endstation-map 1\ntitle m\ntitle n\n", 3, ES_TWICE);
    expect("endstation-map 1\npaper ffffff\npaper ffffff\n", 3, ES_TWICE);
    expect("endstation-map 1\nid\n", 2, ES_ID_BAD);
    expect("endstation-map 1\nid a_b\n", 2, ES_ID_BAD);
    expect("endstation-map 1\nid Berlin\n", 2, ES_ID_BAD);
    expect("endstation-map 1\nid a b\n", 2, ES_ID_BAD);
    expect("endstation-map 1\nid 123456789012345678901234567890123\n", 2, ES_ID_BAD);
    expect("endstation-map 1\nid 12345678901234567890123456789012\n", 2, ES_MAP_TOO_SMALL);
    expect("endstation-map 1\ntitle\n", 2, ES_NAME_LENGTH);
    expect(
        "endstation-map 1\ntitle 1234567890123456789012345678901234567890123456789012345678901\n",
        2, ES_NAME_LENGTH);
    expect("endstation-map 1\n"
           "title 12345678901234567890123456789012345678901234567890123456789ü\n",
           2, ES_MAP_TOO_SMALL); /* sixty characters, not bytes */
    expect("endstation-map 1\npaper fffff\n", 2, ES_COLOUR_BAD);
    expect("endstation-map 1\npaper FFFFFF\n", 2, ES_COLOUR_BAD);
    expect("endstation-map 1\npaper ffffff ffffff\n", 2, ES_COLOUR_BAD);
    expect("endstation-map 1\ncolour ffffff\n", 2, ES_WORD_UNKNOWN);
    expect("endstation-map 1\nid m\ntitle M\nstation a 0 0\npaper ffffff\n", 4,
           ES_MAP_PAPER_MISSING);
    expect("endstation-map 1\nid m\npaper ffffff\nstation a 0 0\n", 4, ES_MAP_TITLE_MISSING);
    expect("endstation-map 1\ntitle M\npaper ffffff\n# c\n\nstation a 0 0\n", 6, ES_MAP_ID_MISSING);
    expect(STATIONS "id n\n", 8, ES_MAP_LATE);
}

static void stations_are_checked(void **state)
{
    (void)state;
    expect(HEAD "station\n", 5, ES_WORD_MISSING);
    expect(HEAD "station a\n", 5, ES_WORD_MISSING);
    expect(HEAD "station a 1\n", 5, ES_WORD_MISSING);
    expect(HEAD "station a 1 2 3\n", 5, ES_WORD_UNKNOWN);
    expect(HEAD "station a 1 2 special special\n", 5, ES_WORD_EXTRA);
    expect(HEAD "station a 1 2 Special\n", 5, ES_WORD_UNKNOWN);
    expect(HEAD "station abcdefghi 1 2\n", 5, ES_STATION_ID_BAD);
    expect(HEAD "station a-b 1 2\n", 5, ES_STATION_ID_BAD);
    expect(HEAD "station \xc3\xbc 1 2\n", 5, ES_STATION_ID_BAD);
    expect(HEAD "station a 1 2\nstation A 1 2\nstation a 3 4\n", 7, ES_TWICE);
    static const char *const coordinates[] = {"-",   "01",  "1.",  ".5",  "1.55", "1000", "+1",
                                              "--1", "1,5", "1e2", "0x1", "-00",  "1.x",  "1.5.5"};
    for (size_t i = 0; i < sizeof coordinates / sizeof coordinates[0]; i++) {
        char text[200];
        snprintf(text, sizeof text, HEAD "station a %s 2\n", coordinates[i]);
        expect(text, 5, ES_COORDINATE_BAD);
    }
    expect(HEAD "station a -999.9 0.1 : :: : \nstation b -0 999\n" LINE_A "a b\n" LINE_B "b a\n", 0,
           ES_OK);
    assert_int_equal(map.station[0].at.x, -9999);
    assert_int_equal(map.station[0].at.y, 1);
    assert_string_equal(map.station[0].name, ":: :"); /* after the first colon */
    expect(HEAD "station a 0 0:A\nstation b 1 1 special:\n" LINE_A "a b\n"
                "line B 00ff00 windows 1 points 2 1 wagon 0 0:b a\n",
           0, ES_OK); /* the colon is a separator, with or without blanks */
    assert_string_equal(map.station[0].name, "A");
    expect(HEAD "station a 0 0 : 1234567890123456789012345678901234567890123456789012345678901\n",
           5, ES_NAME_LENGTH);
}

static void at_most_128_stations(void **state)
{
    (void)state;
    static char text[8192];
    struct es_out out = {text, sizeof text - 1, 0};
    es_out_text(&out, HEAD);
    for (int i = 0; i < 129; i++) {
        es_out_text(&out, "station s");
        es_out_int(&out, i);
        es_out_text(&out, " 0 0\n");
    }
    text[out.used] = '\0';
    expect(text, 133, ES_STATIONS_TOO_MANY);
}

static void lines_are_checked(void **state)
{
    (void)state;
#define L(rest) STATIONS "line " rest "\n"
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a b"), 8, ES_MAP_TOO_SMALL);
    expect(L("a ff0000 windows 1 points 2 1 wagon 0 0 : a b"), 8, ES_LETTER_BAD);
    expect(L("AB ff0000 windows 1 points 2 1 wagon 0 0 : a b"), 8, ES_LETTER_BAD);
    expect(L("A ff000 windows 1 points 2 1 wagon 0 0 : a b"), 8, ES_COLOUR_BAD);
    expect(L("A ff0000 window 1 points 2 1 wagon 0 0 : a b"), 8, ES_WORD_UNKNOWN);
    expect(L("A ff0000 windows 0 points 2 1 wagon 0 0 : a b"), 8, ES_NUMBER_RANGE);
    expect(L("A ff0000 windows 9 points 2 1 wagon 0 0 : a b"), 8, ES_NUMBER_RANGE);
    expect(L("A ff0000 windows 01 points 2 1 wagon 0 0 : a b"), 8, ES_NUMBER_BAD);
    expect(L("A ff0000 windows 1 points 100 1 wagon 0 0 : a b"), 8, ES_NUMBER_RANGE);
    expect(L("A ff0000 windows 1 points 2 3 wagon 0 0 : a b"), 8, ES_POINTS_ORDER);
    expect(L("A ff0000 windows 1 points 2 wagon 0 0 : a b"), 8, ES_NUMBER_BAD);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 : a b"), 8, ES_WORD_MISSING);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 round : a b"), 8, ES_WORD_UNKNOWN);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 ring ring : a b"), 8, ES_WORD_EXTRA);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 a b"), 8, ES_WORD_UNKNOWN);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0"), 8, ES_WORD_MISSING);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 :"), 8, ES_STOPS_TOO_FEW);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a"), 8, ES_STOPS_TOO_FEW);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a z"), 8, ES_STATION_UNKNOWN);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a b a"), 8, ES_STATION_TWICE);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : (1,1) a b"), 8, ES_BEND_PLACE);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a b (1,1)"), 8, ES_BEND_PLACE);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a (1 ,1) b"), 8, ES_BEND_BAD);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a (1,1 b"), 8, ES_BEND_BAD);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a ( b"), 8, ES_BEND_BAD);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a () b"), 8, ES_BEND_BAD);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a (,) b"), 8, ES_COORDINATE_BAD);
    expect(L("A ff0000 windows 1 points 2 1 wagon 0 0 : a (1,2,3) b"), 8, ES_COORDINATE_BAD);
    expect(STATIONS LINE_A "a b\n" LINE_A "b c\n", 9, ES_TWICE);
    expect(STATIONS LINE_A "a b\n" LINE_B "b a\n", 7, ES_STATION_UNUSED); /* at its own line */
    expect(STATIONS LINE_A "a b\nstation d 0 0\n" LINE_B "b c d (1,1) a\n", 0, ES_OK);
    expect(STATIONS
           "line A ff0000 windows 8 points 99 99 wagon 0 0 ring : a b c (1,1) (2,2)\n" LINE_B "b c",
           0, ES_OK);
    expect(HEAD LINE_A "a b\n", 5, ES_STATION_UNKNOWN);
#undef L
}

/* There are 26 letters. */
static void a_27th_line_is_refused(void **state)
{
    (void)state;
    char text[4096];
    struct es_out out = {text, sizeof text - 1, 0};
    es_out_text(&out, STATIONS);
    for (int i = 0; i < 27; i++) {
        es_out_text(&out, "line ");
        es_out_char(&out, (char)('A' + i % 26));
        es_out_text(&out, " ff0000 windows 1 points 2 1 wagon 0 0 : a b c\n");
    }
    text[out.used] = '\0';
    expect(text, 34, ES_TWICE);
}

static void too_many_bends_are_refused(void **state)
{
    (void)state;
    static char text[40000];
    struct es_out out = {text, sizeof text - 1, 0};
    es_out_text(&out, STATIONS LINE_A "a");
    for (int i = 0; i < 4097; i++)
        es_out_text(&out, " (0,0)");
    es_out_text(&out, " b\n");
    text[out.used] = '\0';
    expect(text, 8, ES_BENDS_TOO_MANY);
}

/* formats.md says in which order faults are found. */
static void the_first_fault_in_order_is_reported(void **state)
{
    (void)state;
    expect("endstation-map 1\nnonsense\n\x07\n", 3, ES_NOT_TEXT); /* invalid text before all else */
    expect("nonsense\nid m\nid m\n", 1, ES_NOT_A_MAP);
    expect(STATIONS "line A ff0000 windows 1 points 2 1 wagon 0 0 : a b\nnonsense\n", 9,
           ES_WORD_UNKNOWN); /* before "too few lines" */
}

static void derived_tables_agree_with_the_sheet(void **state)
{
    (void)state;
    expect(HEAD "station a 0 0 special\nstation b 1 0\nstation c 2 0\n"
                "line A ff0000 windows 3 points 5 4 wagon 0 0 ring : c a b\n"
                "line B ff0000 windows 2 points 3 2 wagon 0 0 : b c\n",
           0, ES_OK);
    assert_int_equal(map.windows, 5);
    assert_int_equal(map.rings, 1);
    assert_int_equal(map.all[0], 7);
    assert_int_equal(es_map_calls(&map, 0), 1);
    assert_int_equal(es_map_calls(&map, 2), 2);
    assert_int_equal(es_map_special(&map, 0), 1);
    assert_int_equal(es_map_special(&map, 1), 0);
    assert_memory_equal(map.line[0].back, "\2\1\0", 3); /* c b a */
    assert_int_equal(map.mark[2 + 1].keep[0], ~(uint64_t)4);
    assert_int_equal(map.mark[2 + 1].keep[2], ~(uint64_t)1);
    assert_int_equal(map.mark[2 + 1].keep[3], ~(uint64_t)2);
}

static void written_maps_read_back_the_same(void **state)
{
    (void)state;
    static char text[ES_MAP_TEXT_BYTES], again[ES_MAP_TEXT_BYTES];
    static struct es_map copy;
    struct es_random random;
    struct es_fault fault;
    es_random_seed(&random, 7);
    for (int i = 0; i < 200; i++) {
        struct es_out out = {text, sizeof text, 0}, out2 = {again, sizeof again, 0};
        random_map(&random, i % 4, &out);
        assert_true(es_out_ok(&out));
        if (es_map_read(&map, (struct es_str){text, out.used}, &fault))
            fail_msg("random map %d, line %d: %s", i, fault.line, fault.reason);
        es_map_write(&map, &out2);
        assert_true(es_out_ok(&out2));
        assert_int_equal(es_map_read(&copy, (struct es_str){again, out2.used}, &fault), ES_OK);
        assert_memory_equal(&map, &copy, sizeof map);
    }
}

/* Reads the town of a number, and checks that making it twice gives the same text, and writing and
 * reading it the same map. */
static void read_town(int number)
{
    static char text[TOWN_TEXT_BYTES], again[TOWN_TEXT_BYTES], written[ES_MAP_TEXT_BYTES];
    static struct es_map copy;
    struct es_fault fault;
    struct es_out out = {text, sizeof text, 0}, out2 = {again, sizeof again, 0};
    struct es_out out3 = {written, sizeof written, 0};
    town_map((uint64_t)number, &out);
    town_map((uint64_t)number, &out2);
    assert_true(es_out_ok(&out));
    assert_int_equal(out.used, out2.used);
    assert_memory_equal(text, again, out.used);
    if (es_map_read(&map, (struct es_str){text, out.used}, &fault))
        fail_msg("town %d, line %d: %s", number, fault.line, fault.reason);
    es_map_write(&map, &out3);
    assert_true(es_out_ok(&out3));
    assert_int_equal(es_map_read(&copy, (struct es_str){written, out3.used}, &fault), ES_OK);
    assert_memory_equal(&map, &copy, sizeof map);
}

/* "The file with id, title, paper in this order …; one blank between words, ` : ` before a name or
 * the stops, no name no colon; runs of blanks or tabs in titles and names are one blank;
 * coordinates without .0, and no -0; no comments, no empty lines." */
static void written_maps_are_canonical(void **state)
{
    (void)state;
    static const char messy[] = "\xef\xbb\xbf endstation-map\t1\r\n"
                                "# a comment\n"
                                "paper f6efe0\n"
                                "title   New \t  Town \t\n\n"
                                "id\tm\r\n"
                                " station b 0.0 -0 special:Am\t\tZoo\n"
                                "station a -0.5 12.0 :  \n"
                                "station c\t3  -0.0\n"
                                "line B 00ff00 windows 1 points 2 1 wagon -0.0 -3.5:a (4.5,8.0)  "
                                "(-0,0.0) b\n"
                                "# another\n"
                                "line A ff0000 windows 2 points 2 0 wagon 0 0 ring : c\tb a (7,3)";
    static const char canonical[] =
        "endstation-map 1\nid m\ntitle New Town\npaper f6efe0\n"
        "station b 0 0 special : Am Zoo\nstation a -0.5 12\nstation c 3 0\n"
        "line B 00ff00 windows 1 points 2 1 wagon 0 -3.5 : a (4.5,8) (0,0) b\n"
        "line A ff0000 windows 2 points 2 0 wagon 0 0 ring : c b a (7,3)\n";
    static char text[ES_MAP_TEXT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    expect(messy, 0, ES_OK);
    es_map_write(&map, &out);
    assert_int_equal(out.used, sizeof canonical - 1);
    assert_memory_equal(text, canonical, out.used);
    assert_string_equal(map.hash, "3823e6d29272dfc448f0761863c108ff");
    expect(canonical, 0, ES_OK);
    assert_string_equal(map.hash, "3823e6d29272dfc448f0761863c108ff");
}

/* Text with the longest words of every kind, which must not overrun the buffer either. */
static void the_hash_is_that_of_the_written_text(void **state)
{
    (void)state;
    static char text[ES_MAP_TEXT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    es_out_text(&out, "endstation-map 1\nid 12345678901234567890123456789012\ntitle ");
    for (int i = 0; i < ES_NAME_CHARS; i++)
        es_out_text(&out, "\xf0\x9f\x9a\x87");
    es_out_text(&out, "\npaper ffffff\n");
    for (int s = 0; s < 64; s++) {
        es_out_text(&out, "station ABCDEF");
        es_out_int(&out, 10 + s);
        es_out_text(&out, " -999.9 -999.9 special : ");
        for (int i = 0; i < ES_NAME_CHARS; i++)
            es_out_text(&out, "\xf0\x9f\x9a\x87");
        es_out_char(&out, '\n');
    }
    for (int l = 0; l < 2; l++) {
        es_out_text(&out, "line ");
        es_out_char(&out, (char)('A' + l));
        es_out_text(&out, " ffffff windows 8 points 99 99 wagon -999.9 -999.9 ring :");
        for (int s = 0; s < 64; s++) {
            es_out_text(&out, " ABCDEF");
            es_out_int(&out, 10 + s);
            for (int i = 0; i < 32; i++)
                es_out_text(&out, " (-999.9,-999.9)");
        }
        es_out_char(&out, '\n');
    }
    assert_true(es_out_ok(&out));
    struct es_fault fault;
    es_status status = es_map_read(&map, (struct es_str){text, out.used}, &fault);
    if (status)
        fail_msg("line %d: %s", fault.line, fault.reason);
    struct es_sha256 sha;
    uint8_t digest[ES_SHA256_BYTES];
    char hash[ES_MAP_HASH_BYTES] = "";
    struct es_out hex = {hash, sizeof hash - 1, 0};
    es_sha256_init(&sha);
    es_sha256_update(&sha, text, out.used);
    es_sha256_final(&sha, digest);
    es_out_hex(&hex, digest, (sizeof hash - 1) / 2);
    assert_string_equal(map.hash, hash);
}

static void towns_are_like_cities(void **state)
{
    (void)state;
    int with_ring = 0, with_special = 0, parallel = 0;
    for (int number = 1; number <= 200; number++) {
        char id[32];
        read_town(number);
        snprintf(id, sizeof id, "town-%d", number);
        assert_string_equal(map.id, id);
        assert_in_range(map.stations, TOWN_STATIONS_FEWEST, TOWN_STATIONS_MOST);
        assert_in_range(map.lines, TOWN_LINES_FEWEST, TOWN_LINES_MOST);
        assert_in_range(map.windows, TOWN_WINDOWS_FEWEST, TOWN_WINDOWS_MOST);
        int special = 0, shared = 0;
        for (int s = 0; s < map.stations; s++) {
            special += es_map_special(&map, s);
            shared += es_map_calls(&map, s) > 1;
            for (int other = 0; other < s; other++)
                assert_memory_not_equal(&map.station[s].at, &map.station[other].at,
                                        sizeof map.station[s].at);
        }
        for (int l = 0; l < map.lines; l++) {
            const struct es_map_line *line = &map.line[l];
            assert_in_range(line->stops, TOWN_STOPS_FEWEST, TOWN_STOPS_MOST);
            assert_in_range(line->windows, 1, 4);
            assert_in_range(line->first, 2, 9);
            assert_in_range(line->first - line->later, 1, 2);
        }
        with_ring += map.rings != 0;
        with_special += special > 0;
        parallel += shared > 9; /* more than there are hubs, so some lines share streets */
    }
    assert_in_range(with_ring, 20, 180);
    assert_in_range(with_special, 20, 180);
    assert_in_range(parallel, 180, 200);
}

static void built_in_maps_are_good_and_found_by_id(void **state)
{
    (void)state;
    struct es_fault fault;
    assert_non_null(es_builtin_maps[0].id);
    for (int i = 0; es_builtin_maps[i].id; i++) {
        assert_int_equal(es_map_read(&map, es_builtin_maps[i].text, &fault), ES_OK);
        assert_string_equal(map.id, es_builtin_maps[i].id);
        assert_ptr_equal(es_builtin_map(es_str(map.id)).at, es_builtin_maps[i].text.at);
    }
    assert_int_equal(es_builtin_map(es_str("atlantis")).size, 0);
}

/* What a sheet was before it was changed is found by its hash alone, and nowhere else. */
static void earlier_versions_are_found_by_their_hash(void **state)
{
    (void)state;
    struct es_fault fault;
    assert_non_null(es_earlier_maps[0].id);
    for (int i = 0; es_earlier_maps[i].id; i++) {
        const struct es_builtin_map *one = &es_earlier_maps[i];
        struct es_str id = es_str(one->id), hash = es_str(one->hash);
        assert_int_equal(es_map_read(&map, one->text, &fault), ES_OK);
        assert_string_equal(map.id, one->id);
        assert_string_equal(map.hash, one->hash);
        assert_ptr_equal(es_builtin_map_named(id, hash).at, one->text.at);
        assert_true(es_map_earlier(hash));
        assert_true(es_map_changed(id));
        struct es_str today = es_builtin_map(id);
        assert_int_equal(es_map_read(&map, today, &fault), ES_OK);
        assert_string_not_equal(map.hash, one->hash);
        assert_false(es_map_earlier(es_str(map.hash)));
        assert_ptr_equal(es_builtin_map_named(id, es_str(map.hash)).at, today.at);
        assert_ptr_equal(es_builtin_map_named(id, es_str("")).at, today.at);
        assert_ptr_equal(es_builtin_map_named(es_str("practice"), hash).at,
                         es_builtin_map(es_str("practice")).at);
    }
    assert_false(es_map_earlier(es_str("")));
    assert_false(es_map_changed(es_str("practice")));
    assert_int_equal(es_builtin_map_named(es_str("atlantis"), es_str("")).size, 0);
}

/* The rulebook prints the values of one sheet (docs/rules.md). */
static void amsterdam_has_the_printed_values(void **state)
{
    (void)state;
    static const uint8_t printed[][2] = {{6, 3}, {4, 2}, {7, 3}, {6, 4}, {6, 4},
                                         {3, 2}, {3, 2}, {4, 2}, {4, 2}, {2, 1}};
    enum { LINES = sizeof printed / sizeof printed[0] };
    struct es_fault fault;
    assert_int_equal(es_map_read(&map, es_builtin_map(es_str("amsterdam")), &fault), ES_OK);
    assert_int_equal(map.lines, LINES);
    for (int l = 0; l < LINES; l++) {
        assert_int_equal(map.line[l].letter, 'A' + l);
        assert_int_equal(map.line[l].first, printed[l][0]);
        assert_int_equal(map.line[l].later, printed[l][1]);
    }
}

/* The practice sheet is meant for learning: it stays small. */
static void the_practice_sheet_is_small(void **state)
{
    (void)state;
    struct es_fault fault;
    assert_int_equal(es_map_read(&map, es_builtin_map(es_str("practice")), &fault), ES_OK);
    int special = 0;
    for (int s = 0; s < map.stations; s++)
        special += es_map_special(&map, s);
    assert_int_equal(map.lines, 5);
    assert_int_equal(__builtin_popcount(map.rings), 1);
    assert_int_equal(special, 1);
    assert_in_range(map.stations, 23, 27);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_line_names_the_format),
        cmocka_unit_test(header_lines_come_once_and_early),
        cmocka_unit_test(stations_are_checked),
        cmocka_unit_test(at_most_128_stations),
        cmocka_unit_test(lines_are_checked),
        cmocka_unit_test(a_27th_line_is_refused),
        cmocka_unit_test(too_many_bends_are_refused),
        cmocka_unit_test(the_first_fault_in_order_is_reported),
        cmocka_unit_test(derived_tables_agree_with_the_sheet),
        cmocka_unit_test(written_maps_read_back_the_same),
        cmocka_unit_test(written_maps_are_canonical),
        cmocka_unit_test(the_hash_is_that_of_the_written_text),
        cmocka_unit_test(towns_are_like_cities),
        cmocka_unit_test(built_in_maps_are_good_and_found_by_id),
        cmocka_unit_test(earlier_versions_are_found_by_their_hash),
        cmocka_unit_test(amsterdam_has_the_printed_values),
        cmocka_unit_test(the_practice_sheet_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
