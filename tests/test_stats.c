/* Tests of statistics (stats.h, src/page/stats.h): rows of games, CSV, sums against plain
 * arithmetic, results of bots against brute force, JSON and plot. */
#include "page/stats.h"
#include "page_table.h"
#include <endstation/bots.h>

enum { ROWS = 400, TEXT = 1 << 19 };

static struct es_stats stats;
static struct es_page_stats *counted;
static char text[TEXT];

/* ---- Rows made by hand ----------------------------------------------------------------------- */

static void begin(void)
{
    static void *memory;
    free(memory);
    memory = malloc(es_stats_bytes(ROWS));
    assert_non_null(memory);
    es_stats_begin(&stats, ROWS, memory);
}

/* Adds a row of a game alone on a sheet; returns it, to be changed. */
static struct es_stats_row *add(const char *date, int points)
{
    struct es_stats_row *row = &stats.rows[stats.count++];
    assert_true(stats.count <= ROWS);
    memset(row, 0, sizeof *row);
    row->game = &es_verplant;
    row->players = row->seat = row->place = row->winners = 1;
    row->points = (int16_t)points;
    row->lines = 0;
    snprintf(row->date, sizeof row->date, "%s", date);
    snprintf(row->sheet, sizeof row->sheet, "berlin");
    snprintf(row->title, sizeof row->title, "Berlin");
    return row;
}

/* The same against one rival. */
static struct es_stats_row *add_rival(const char *date, int rival, int place, int winners)
{
    struct es_stats_row *row = add(date, 10);
    row->players = 2;
    row->rival[0] = (uint8_t)rival;
    row->place = (uint8_t)place;
    row->winners = (uint8_t)winners;
    return row;
}

static const char *csv(void)
{
    struct es_out out = {text, sizeof text - 1, 0};
    es_stats_finish(&stats);
    es_stats_csv(&stats, &out);
    assert_true(es_out_ok(&out));
    text[out.used] = '\0';
    return text;
}

static struct es_stats_group only_group(void)
{
    struct es_stats_group group, other;
    size_t at = 0;
    es_stats_finish(&stats);
    assert_true(es_stats_group(&stats, &at, &group));
    assert_false(es_stats_group(&stats, &at, &other));
    return group;
}

#define CSV_HEAD                                                                                   \
    "date,game,sheet,hash,title,rules,options,players,seat,name,others,points,place,winners,"      \
    "lines,aided\n"

static void nothing_gives_empty_statistics(void **state)
{
    (void)state;
    struct es_stats_group group;
    size_t at = 0;
    begin();
    assert_string_equal(csv(), CSV_HEAD);
    assert_false(es_stats_group(&stats, &at, &group));
    assert_int_equal(es_stats_days(&stats).days, 0);
    assert_string_equal(es_stats_days(&stats).until, "");
    assert_int_equal(es_stats_wins(&stats, &es_metro).longest, 0);
}

static void csv_is_sorted_by_date_and_stable(void **state)
{
    (void)state;
    begin();
    add("2026-02-01", 1);
    add("", 2);
    add("2026-01-31", 3);
    add("2026-02-01", 4);
    add("", 5);
    csv();
    const char *at = text;
    static const char *const order[] = {",2,1,1,0,no", ",5,1,1,0,no", ",3,1,1,0,no", ",1,1,1,0,no",
                                        ",4,1,1,0,no"};
    for (int i = 0; i < 5; i++) {
        at = strchr(at, '\n') + 1;
        const char *end = strchr(at, '\n');
        size_t size = strlen(order[i]);
        assert_memory_equal(end - size, order[i], size);
    }
}

/* A cell with a text of people never ends early and is never a formula. */
static void csv_cells_are_quoted_and_no_formulas(void **state)
{
    (void)state;
    static const char *const cells[][2] = {
        {"Ada", "Ada"},
        {"Ada, Countess", "\"Ada, Countess\""},
        {"\"Ada\"", "\"\"\"Ada\"\"\""},
        {"=1+1", "\"'=1+1\""},
        {"+1", "\"'+1\""},
        {"-1", "\"'-1\""},
        {"@SUM(A1)", "\"'@SUM(A1)\""},
        {"'quoted", "\"''quoted\""},
        {"a\nb", "\"a\nb\""},
        {"Görlitz", "Görlitz"},
        {"1=1", "1=1"},
    };
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        char expected[256];
        begin();
        struct es_stats_row *row = add("2026-01-01", -7);
        snprintf(row->name, sizeof row->name, "%s", cells[i][0]);
        snprintf(row->title, sizeof row->title, "%s", cells[i][0]);
        snprintf(expected, sizeof expected,
                 CSV_HEAD "2026-01-01,verplant,berlin,,%s,,,1,1,%s,,-7,1,1,0,no\n", cells[i][1],
                 cells[i][1]);
        assert_string_equal(csv(), expected);
    }
}

static void csv_names_rules_options_and_rivals(void **state)
{
    (void)state;
    begin();
    struct es_stats_row *row = add_rival("2026-01-01", 3, 2, 1);
    row->players = 4;
    row->rival[1] = ES_STATS_PERSON;
    row->rival[2] = ES_STATS_OTHER_BOT;
    row->rules = ES_VERPLANT_SPECIAL;
    row->aided = true;
    row->lines = -1;
    snprintf(row->options, sizeof row->options, "deck 15");
    assert_string_equal(csv(), CSV_HEAD "2026-01-01,verplant,berlin,,Berlin,special,deck 15,4,1,,"
                                        "strong person other,10,2,1,,yes\n");
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void medians_of_odd_and_even_numbers(void **state)
{
    (void)state;
    static const struct {
        int points[5], count, doubled, up;
    } cases[] = {
        {{7}, 1, 14, 7},          {{7, 8}, 2, 15, 8},           {{9, -3, 5}, 3, 10, 5},
        {{4, 4, 4, 4}, 4, 8, 4},  {{-5, -2, -9, 0}, 4, -7, -3}, {{5, 1, 4, 2, 3}, 5, 6, 3},
        {{0, -1, 0, 0}, 4, 0, 0}, {{0, -1}, 2, -1, 0},          {{-4, -2}, 2, -6, -3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        begin();
        for (int k = 0; k < cases[i].count; k++)
            add("", cases[i].points[k]);
        const struct es_stats_figures all = only_group().all;
        assert_int_equal(all.median_doubled, cases[i].doubled);
        assert_int_equal(es_stats_median_up(&all), cases[i].up);
    }
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void groups_agree_with_plain_arithmetic(void **state)
{
    (void)state;
    struct es_random random;
    for (unsigned seed = 1; seed <= 50; seed++) {
        int points[ROWS], count = 1 + (int)(seed * 7 % ROWS), lines = 0, most = 0;
        long sum = 0;
        es_random_seed(&random, seed);
        begin();
        for (int i = 0; i < count; i++) {
            points[i] = (int)es_random_below(&random, 120) - 50;
            int completed = (int)es_random_below(&random, 10);
            add("", points[i])->lines = (int16_t)completed;
            sum += points[i];
            lines += completed;
            most = completed > most ? completed : most;
        }
        struct es_stats_group group = only_group();
        qsort(points, (size_t)count, sizeof points[0], ascending);
        assert_int_equal(group.all.games, count);
        assert_int_equal(group.all.sum, sum);
        assert_int_equal(group.all.best, points[count - 1]);
        assert_int_equal(group.all.least, points[0]);
        assert_int_equal(group.all.median_doubled, points[(count - 1) / 2] + points[count / 2]);
        assert_int_equal(group.all.lines, lines);
        assert_int_equal(group.all.lines_best, most);
    }
}

static void the_best_of_equal_results_is_the_first(void **state)
{
    (void)state;
    begin();
    add("2026-03-01", 40);
    add("2026-02-01", 50);
    add("2026-01-01", 30);
    add("2026-02-02", 50);
    assert_string_equal(only_group().all.best_row->date, "2026-02-01");
}

static void only_games_that_can_be_compared_are_a_group(void **state)
{
    (void)state;
    struct es_stats_group group;
    size_t at = 0, groups = 0;
    begin();
    for (int twice = 0; twice < 2; twice++) {
        add("", 1);
        add("", 2)->aided = true;
        add("", 3)->rules = ES_VERPLANT_SPECIAL;
        snprintf(add("", 4)->options, ES_STATS_OPTIONS_BYTES, "deck 15");
        snprintf(add("", 5)->hash, ES_MAP_HASH_BYTES, "0123");
        snprintf(add("", 6)->sheet, ES_MAP_ID_BYTES, "amsterdam");
        add_rival("", 0, 1, 1)->points = 7;
        add_rival("", 0, 1, 1)->game = &es_metro;
        add_rival("", 0, 1, 1)->players = 3;
    }
    es_stats_finish(&stats);
    for (; es_stats_group(&stats, &at, &group); groups++) {
        assert_int_equal(group.all.games, 2);
        assert_int_equal(group.all.best, group.all.least);
    }
    assert_int_equal(groups, 9);
    at = 0;
    assert_true(es_stats_group(&stats, &at, &group));
    assert_int_equal(group.all.best, 6); /* Amsterdam comes first */
    assert_true(es_stats_group(&stats, &at, &group));
    assert_int_equal(group.all.best, 1); /* alone, without help */
    assert_true(es_stats_group(&stats, &at, &group));
    assert_true(group.first->aided);
    assert_true(es_stats_group(&stats, &at, &group));
    assert_int_equal(group.all.best, 7); /* for two, then for three */
    assert_true(es_stats_group(&stats, &at, &group));
    assert_int_equal(group.first->players, 3);
}

static void wins_are_counted_by_rival(void **state)
{
    (void)state;
    begin();
    add_rival("", 1, 1, 1);
    add_rival("", 1, 2, 1);
    add_rival("", 1, 1, 2);
    add_rival("", 1, 1, 1)->aided = true;
    struct es_stats_row *row = add_rival("", 1, 1, 3);
    row->players = 4;
    row->rival[1] = 1;
    row->rival[2] = 3;
    add("", 5);
    es_stats_finish(&stats);
    struct es_stats_figures score;
    assert_true(es_stats_against(&stats, &es_verplant, 1, false, &score));
    assert_int_equal(score.games, 4); /* two of a level count once */
    assert_int_equal(score.won, 3);
    assert_int_equal(score.shared, 2);
    assert_int_equal(score.wins_60, 60 + 30 + 20);
    assert_true(es_stats_against(&stats, &es_verplant, 3, false, &score));
    assert_int_equal(score.games, 1);
    assert_true(es_stats_against(&stats, &es_verplant, 1, true, &score));
    assert_int_equal(score.won, 1);
    assert_false(es_stats_against(&stats, &es_metro, 1, false, &score));
}

/* Figures of a group by rival, from random games for three, against plain arithmetic. */
static void a_group_is_summed_up_by_rival(void **state)
{
    (void)state;
    enum { GAMES = 90, LEVELS = 3 };
    struct es_random random;
    es_random_seed(&random, 1);
    for (int times = 0; times < 50; times++) {
        int points[LEVELS][GAMES], met[LEVELS] = {0}, sum[LEVELS] = {0};
        int won[LEVELS] = {0};
        begin();
        add("", 99); /* alone */
        for (int i = 0; i < GAMES; i++) {
            int a = (int)es_random_below(&random, LEVELS),
                b = (int)es_random_below(&random, LEVELS);
            struct es_stats_row *row = add_rival("", a, 1 + i % 2, 1);
            row->players = 3;
            row->rival[1] = (uint8_t)b;
            row->points = (int16_t)((int)es_random_below(&random, 60) - 20);
            for (int k = 0; k < LEVELS; k++)
                if (k == a || k == b) {
                    points[k][met[k]++] = row->points;
                    sum[k] += row->points;
                    won[k] += row->place == 1;
                }
        }
        es_stats_finish(&stats);
        struct es_stats_group group;
        struct es_stats_figures figures;
        size_t at = 0;
        assert_true(es_stats_group(&stats, &at, &group));
        assert_false(es_stats_group_against(&stats, &group, 0, &figures));
        assert_true(es_stats_group(&stats, &at, &group));
        for (int k = 0; k < LEVELS; k++) {
            assert_true(es_stats_group_against(&stats, &group, k, &figures));
            qsort(points[k], (size_t)met[k], sizeof points[k][0], ascending);
            assert_int_equal(figures.games, met[k]);
            assert_int_equal(figures.sum, sum[k]);
            assert_int_equal(figures.won, won[k]);
            assert_int_equal(figures.best, points[k][met[k] - 1]);
            assert_int_equal(figures.median_doubled,
                             points[k][(met[k] - 1) / 2] + points[k][met[k] / 2]);
        }
        assert_false(es_stats_group_against(&stats, &group, LEVELS, &figures));
    }
}

static void streaks_of_wins_leave_out_games_alone_and_with_help(void **state)
{
    (void)state;
    begin();
    add_rival("2026-01-01", 0, 1, 1);
    add_rival("2026-01-02", 0, 1, 2); /* a shared win is a win */
    add("2026-01-03", 1);
    add_rival("2026-01-04", 0, 2, 1)->aided = true;
    add_rival("2026-01-05", 0, 1, 1);
    add_rival("2026-01-06", 0, 3, 1);
    add_rival("2026-01-08", 0, 1, 1);
    add_rival("2026-01-07", 0, 2, 1);
    es_stats_finish(&stats);
    struct es_stats_streak streak = es_stats_wins(&stats, &es_verplant);
    assert_int_equal(streak.longest, 3);
    assert_int_equal(streak.latest, 1);
    add_rival("2026-01-09", 0, 2, 1);
    es_stats_finish(&stats);
    assert_int_equal(es_stats_wins(&stats, &es_verplant).latest, 0);
}

static void days_in_a_row_cross_months_and_leap_days(void **state)
{
    (void)state;
    static const char *const dates[] = {"2024-02-28", "2024-02-29", "2024-03-01", "2024-03-01",
                                        "2025-02-28", "2025-03-01", "2025-12-31", "2026-01-01",
                                        "",           "2026-01-03"};
    begin();
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++)
        add(dates[i], 1);
    es_stats_finish(&stats);
    struct es_stats_days days = es_stats_days(&stats);
    assert_int_equal(days.days, 8);
    assert_int_equal(days.longest, 3);
    assert_int_equal(days.latest, 1);
    assert_string_equal(days.until, "2026-01-03");
}

/* ---- Results of bots ------------------------------------------------------------------------- */

/* Reads POINTS:COUNT … into all points, ascending; returns how many there are. */
static unsigned expand(struct es_str counts, int *points, unsigned room)
{
    char line[4096];
    unsigned used = 0, count;
    int value, size;
    assert_true(es_str_copy(counts, line, sizeof line));
    for (const char *at = line; sscanf(at, "%d:%u%n", &value, &count, &size) == 2; at += size) {
        assert_true(used == 0 || points[used - 1] < value);
        assert_true(count > 0 && used + count <= room);
        for (unsigned i = 0; i < count; i++)
            points[used++] = value;
    }
    return used;
}

/* Compares a level's results with all its games, one by one. */
static void check_results(const struct es_stats_row *row, int level)
{
    enum { MOST = 20000 };
    static int points[MOST];
    struct es_results results;
    long sum = 0;
    assert_true(es_results(row, level, &results));
    unsigned games = expand(results.counts, points, MOST);
    for (unsigned i = 0; i < games; i++)
        sum += points[i];
    assert_int_equal(results.games, games);
    assert_int_equal(results.sum, sum);
    assert_int_equal(results.median_doubled, points[(games - 1) / 2] + points[games / 2]);
    for (int value = -100; value <= 150; value++) {
        unsigned below = 0;
        while (below < games && points[below] < value)
            below++;
        assert_int_equal(es_results_below(&results, value), below);
        assert_int_equal(es_results_percent(&results, value), below * 100 / games);
        assert_true((es_results_percent(&results, value) == 100) == (below == games));
    }
}

static bool has_special(const struct es_map *sheet)
{
    for (int s = 0; s < sheet->stations; s++)
        if (es_map_special(sheet, s))
            return true;
    return false;
}

/* Every built-in sheet has results of 2,000 games of each level, with special stations and without,
 * and a higher level gets more points. */
static void results_agree_with_brute_force(void **state)
{
    (void)state;
    static struct es_map map;
    for (int i = 0; es_builtin_maps[i].id; i++) {
        struct es_results results;
        begin();
        struct es_stats_row *row = add("", 1);
        check_builtin(&map, es_builtin_maps[i].id);
        memcpy(row->hash, map.hash, sizeof row->hash);
        for (int special = 0; special <= has_special(&map); special++) {
            double mean = -1000;
            row->rules = special ? ES_VERPLANT_SPECIAL : 0;
            for (int level = 0; es_bot_level(row->game, level); level++) {
                check_results(row, level);
                assert_true(es_results(row, level, &results));
                assert_int_equal(results.games, 2000);
                assert_true((double)results.sum / results.games > mean);
                mean = (double)results.sum / results.games;
            }
        }
        row->players = 2;
        assert_false(es_results(row, 0, &results));
        row->players = 1;
        assert_false(es_results(row, 99, &results));
        snprintf(row->options, sizeof row->options, "deck 15");
        assert_false(es_results(row, 0, &results));
        row->options[0] = '\0';
        row->hash[0] = row->hash[0] == '0' ? '1' : '0';
        assert_false(es_results(row, 0, &results));
    }
}

/* ---- Games ----------------------------------------------------------------------------------- */

/* Plays a record at random until it is over, or has `events` events; leaves it in the session. */
static void play(const char *header, uint64_t seed, size_t events)
{
    struct es_random random;
    es_random_seed(&random, seed);
    open_game(header);
    while (page.record.count < events && play_on(&random))
        ;
}

static enum es_stats_kind row_of(const char *names, struct es_stats_row *row)
{
    return es_stats_row(&page.record, &page.state, es_str(names), row);
}

/* What a row says about a game's end, one by one. */
static void check_row(const struct es_stats_row *row, int seat)
{
    const struct es_setup *setup = &page.record.setup;
    const struct es_game *game = setup->game;
    unsigned winners = game->winners(setup, &page.state);
    int before = 0;
    for (int p = 1; p <= setup->players; p++) {
        bool more = game->score(setup, &page.state, p) > game->score(setup, &page.state, seat);
        before += p != seat && (more || winners >> (p - 1) & 1);
    }
    bool won = winners >> (seat - 1) & 1;
    assert_ptr_equal(row->game, game);
    assert_int_equal(row->seat, seat);
    assert_int_equal(row->players, setup->players);
    assert_int_equal(row->points, game->score(setup, &page.state, seat));
    assert_int_equal(row->winners, __builtin_popcount(winners));
    assert_int_equal(row->place, won ? 1 : before + 1);
    assert_true((row->place == 1) == won);
    int lines = -1;
    if (game == &es_verplant)
        for (int l = lines = 0; l < setup->map->lines; l++)
            lines += es_verplant_state(&page.state)->sheet[seat - 1].scored >> l & 1;
    assert_int_equal(row->lines, lines);
}

static void a_row_says_how_a_game_ended(void **state)
{
    (void)state;
    struct es_stats_row row;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        play(HEAD "verplant\nmap practice\nplayers 1\ndate 2026-11-17\n\n", seed, ES_EVENTS_MAX);
        assert_int_equal(row_of("", &row), ES_STATS_COUNTED);
        check_row(&row, 1);
        assert_string_equal(row.date, "2026-11-17");
        assert_string_equal(row.sheet, "practice");
        assert_string_equal(row.hash, page.map.hash);
        play(HEAD "verplant\nmap practice\nplayers 3\nrules special\nbot 1 strong\nbot 3 greedy\n"
                  "deck 3 3 3 4 4 4 5 5 6 x2 x2 x3 + + o\nnote aided\n\n",
             seed, ES_EVENTS_MAX);
        assert_int_equal(row_of("", &row), ES_STATS_COUNTED);
        check_row(&row, 2);
        assert_true(row.aided);
        assert_string_equal(row.options, "deck 15");
        assert_int_equal(row.rules, ES_VERPLANT_SPECIAL);
        assert_int_equal(row.rival[0], 3);
        assert_int_equal(row.rival[1], 1);
        play(HEAD "metro\nplayers 4\nplayer 2 Bea\nplayer 4 Ada\nbot 1 flat:9\n\n", seed,
             ES_EVENTS_MAX);
        assert_int_equal(row_of("Ada", &row), ES_STATS_COUNTED);
        check_row(&row, 4);
        assert_int_equal(row.rival[0], ES_STATS_OTHER_BOT);
        assert_int_equal(row.rival[1], ES_STATS_PERSON);
        assert_string_equal(row.name, "Ada");
    }
}

static void you_are_the_only_person_or_the_one_with_your_name(void **state)
{
    (void)state;
    static const struct {
        const char *seats, *names;
        int seat; /* 0: unknown */
    } cases[] = {
        {"players 1\n", "", 1},
        {"players 1\nplayer 1 Bea\n", "Ada", 1},
        {"players 1\nbot 1 strong\n", "Ada", 0},
        {"players 1\nplayer 1 Ada\nbot 1 strong\n", "Ada", 0},
        {"players 2\nbot 1 strong\nplayer 2 Bea\n", "Ada", 2},
        {"players 2\nplayer 1 Ada\nplayer 2 Bea\n", "Bea", 2},
        {"players 2\nplayer 1 Ada\nplayer 2 Bea\n", "", 0},
        {"players 2\nplayer 1 Ada\nplayer 2 Bea\n", "ada", 0},
        {"players 2\nplayer 1 Ada\nplayer 2 Ada\n", "Ada", 0},
        {"players 2\nplayer 1 Ada\nplayer 2 Ada\n", "Ada\n", 0},
        {"players 2\nplayer 1 Ada\nplayer 2 Bea\n", "Eve\n\n  Bea \nAda", 2},
        {"players 2\n", "\n", 0},
        {"players 3\nplayer 1 Ada\nbot 1 strong\nplayer 2 Ada\n", "Ada", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct es_stats_row row = {.seat = 0};
        char header[256];
        snprintf(header, sizeof header, HEAD "verplant\nmap practice\n%s\n", cases[i].seats);
        play(header, 1, 3);
        assert_int_equal(row_of(cases[i].names, &row), ES_STATS_UNFINISHED);
        play(header, 1, ES_EVENTS_MAX);
        enum es_stats_kind kind = row_of(cases[i].names, &row);
        assert_int_equal(kind, cases[i].seat ? ES_STATS_COUNTED : ES_STATS_UNKNOWN);
        assert_int_equal(row.seat, cases[i].seat);
    }
}

static void only_real_dates_and_whole_notes_count(void **state)
{
    (void)state;
    static const struct {
        const char *lines, *date;
        bool aided;
    } cases[] = {
        {"date 2026-11-17\n", "2026-11-17", false},
        {"date 2026-13-17\n", "", false},
        {"date 2026-00-10\n", "", false},
        {"date 2026-10-32\n", "", false},
        {"date 2026-02-29\n", "", false},
        {"date 2028-02-29\n", "2028-02-29", false},
        {"date 2100-02-29\n", "", false},
        {"date 2026-06-31\n", "", false},
        {"date 0000-02-27\n", "", false},
        {"date 2026-1-1\n", "", false},
        {"date =HYPERLINK(1)\n", "", false},
        {"date yesterday\ndate 2026-11-17\ndate 2026-11-18\n", "2026-11-17", false},
        {"note aided\n", "", true},
        {"note not aided\nnote aided not\n", "", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct es_stats_row row;
        char header[256];
        snprintf(header, sizeof header, HEAD "verplant\nmap practice\nplayers 1\n%s\n",
                 cases[i].lines);
        play(header, 1, ES_EVENTS_MAX);
        assert_int_equal(row_of("", &row), ES_STATS_COUNTED);
        assert_string_equal(row.date, cases[i].date);
        assert_int_equal(row.aided, cases[i].aided);
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void begin_counting(size_t games, const char *names)
{
    free(counted);
    counted = malloc(es_page_stats_bytes(games));
    assert_non_null(counted);
    es_page_stats_begin(counted, games, es_str(names));
}

/* Counts the session's game as a record. */
static enum es_stats_kind count_open_game(void)
{
    struct es_fault fault;
    struct es_out out = {text, sizeof text, 0};
    es_page_record(&page, &out);
    assert_true(es_out_ok(&out));
    return es_page_stats_add(&page, counted, (struct es_str){text, out.used}, &fault);
}

static const char *json(void)
{
    struct es_out out = {answer, sizeof answer, 0};
    es_page_stats_finish(counted);
    es_page_stats_json(counted, &out);
    return checked(&out);
}

static void json_of_no_game(void **state)
{
    (void)state;
    begin_counting(0, "");
    assert_string_equal(json(), "{\"games\":0,\"alone\":0,\"aided\":0,\"left\":{\"unfinished\":0,"
                                "\"unknown\":0,\"unreadable\":0},\"groups\":[],\"rivals\":[],"
                                "\"streaks\":[],\"days\":{\"days\":0,\"latest\":0,\"until\":\"\","
                                "\"longest\":0}}");
}

static void counting_leaves_the_open_game_alone(void **state)
{
    (void)state;
    begin_counting(10, "Ada");
    play(HEAD "verplant\nmap practice\nplayers 1\nplayer 1 \"Ada\\\n\n", 1, ES_EVENTS_MAX);
    assert_int_equal(count_open_game(), ES_STATS_COUNTED);
    play(HEAD "metro\nplayers 2\n\n", 1, 5);
    size_t events = page.record.count;
    assert_int_equal(count_open_game(), ES_STATS_UNFINISHED);
    play(HEAD "metro\nplayers 2\n\n", 1, ES_EVENTS_MAX);
    assert_int_equal(count_open_game(), ES_STATS_UNKNOWN);
    play(HEAD "metro\nplayers 2\n\n", 1, 5);
    struct es_fault fault;
    static const char *const damaged[] = {"", "nonsense", HEAD "verplant\nmap nowhere\nplayers 1\n",
                                          HEAD "verplant\nmap berlin "
                                               "00000000000000000000000000000000\nplayers 1\n\n",
                                          HEAD "metro\nplayers 2\n\n1 draw\n"};
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        assert_int_equal(es_page_stats_add(&page, counted, es_str(damaged[i]), &fault),
                         ES_STATS_UNREADABLE);
        assert_int_not_equal(fault.status, ES_OK);
        es_page_stats_skip(counted);
    }
    assert_int_equal(page.record.count, events);
    assert_ptr_equal(page.record.setup.game, &es_metro);
    assert_non_null(strstr(json(), "\"games\":1,\"alone\":1,\"aided\":0,\"left\":{\"unfinished\":1,"
                                   "\"unknown\":1,\"unreadable\":5}"));
}

static void more_games_than_announced_are_left_out(void **state)
{
    (void)state;
    begin_counting(1, "");
    play(HEAD "verplant\nmap practice\nplayers 1\n\n", 1, ES_EVENTS_MAX);
    assert_int_equal(count_open_game(), ES_STATS_COUNTED);
    assert_int_equal(count_open_game(), ES_STATS_UNREADABLE);
    assert_non_null(strstr(json(), "\"games\":1,"));
}

static void too_many_names_are_as_good_as_none(void **state)
{
    (void)state;
    static char names[ES_PAGE_NAMES_BYTES + 2];
    memset(names, 'a', sizeof names - 1);
    begin_counting(1, names);
    assert_int_equal(counted->names_size, 0);
}

/* The place of a result among those of its group, and what bots got. */
static void a_result_stands_where_counting_puts_it(void **state)
{
    (void)state;
    enum { GAMES = 40 };
    int points[GAMES];
    begin_counting(2 * GAMES, "");
    for (int i = 0; i < GAMES; i++) {
        play(HEAD "verplant\nmap practice\nplayers 1\n\n", (uint64_t)i, ES_EVENTS_MAX);
        points[i] = page.record.setup.game->score(&page.record.setup, &page.state, 1);
        assert_int_equal(count_open_game(), ES_STATS_COUNTED);
        play(HEAD "verplant\nmap practice\nplayers 1\nnote aided\n\n", (uint64_t)i + 100,
             ES_EVENTS_MAX);
        assert_int_equal(count_open_game(), ES_STATS_COUNTED);
    }
    json();
    for (int i = 0; i < GAMES; i++) {
        struct es_out out = {answer, sizeof answer, 0};
        char expected[128];
        int place = 1, best = points[0];
        for (int k = 0; k < GAMES; k++) {
            place += points[k] > points[i];
            best = points[k] > best ? points[k] : best;
        }
        es_page_stats_standing(counted, 2 * (size_t)i, &out);
        snprintf(expected, sizeof expected,
                 "\"points\":%d,\"place\":%d,\"of\":%d,\"best\":%d,\"aided\":false,\"levels\":[",
                 points[i], place, GAMES, best);
        assert_non_null(strstr(checked(&out), expected));
        assert_non_null(strstr(answer, "{\"level\":\"random\",\"games\":2000,"));
        assert_non_null(strstr(answer, "\"title\":\"Practice\",\"built_in\":true"));
    }
    struct es_out out = {answer, sizeof answer, 0};
    es_page_stats_standing(counted, 2 * GAMES, &out);
    assert_string_equal(checked(&out), "{}");
}

static size_t count_of(const char *in, const char *words)
{
    size_t count = 0;
    for (; (in = strstr(in, words)); in += strlen(words))
        count++;
    return count;
}

static void a_plot_has_every_result_once(void **state)
{
    (void)state;
    static const size_t games[] = {1, 2, 11, 60};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct es_svg svg;
        begin_counting(games[i], "");
        for (size_t k = 0; k < games[i]; k++) {
            play(HEAD "verplant\nmap practice\nplayers 1\ndate 2026-11-17\n\n", k, ES_EVENTS_MAX);
            assert_int_equal(count_open_game(), ES_STATS_COUNTED);
        }
        es_page_stats_finish(counted);
        for (int look = 0; look < 6; look++) {
            memset(text, 0, sizeof text);
            es_svg_open(&svg, text, sizeof text - 1);
            assert_true(
                es_page_stats_plot(&page, counted, 0, (enum es_theme)(look / 2), look % 2, &svg));
            assert_true(es_out_ok(&svg.out));
            assert_int_equal(count_of(text, "data-result=\""), games[i]);
            assert_int_equal(count_of(text, "class=\"result best\""), 1);
            assert_int_equal(count_of(text, "<title>points over time, games "), 1);
            assert_int_equal(count_of(text, "</svg>"), 1);
            assert_int_equal(count_of(text, "nan"), 0);
        }
        assert_false(es_page_stats_plot(&page, counted, 1, ES_THEME_LIGHT, false, &svg));
    }
    /* Whatever the decimal point is in another language. */
    struct es_svg svg;
    assert_true(
        es_page_words(&page, es_str(".\na point that takes more room than all of the digits\n")));
    es_svg_open(&svg, text, sizeof text - 1);
    assert_true(es_page_stats_plot(&page, counted, 0, ES_THEME_LIGHT, false, &svg));
    assert_true(es_page_words(&page, es_str("")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_gives_empty_statistics),
        cmocka_unit_test(csv_is_sorted_by_date_and_stable),
        cmocka_unit_test(csv_cells_are_quoted_and_no_formulas),
        cmocka_unit_test(csv_names_rules_options_and_rivals),
        cmocka_unit_test(medians_of_odd_and_even_numbers),
        cmocka_unit_test(groups_agree_with_plain_arithmetic),
        cmocka_unit_test(the_best_of_equal_results_is_the_first),
        cmocka_unit_test(only_games_that_can_be_compared_are_a_group),
        cmocka_unit_test(wins_are_counted_by_rival),
        cmocka_unit_test(a_group_is_summed_up_by_rival),
        cmocka_unit_test(streaks_of_wins_leave_out_games_alone_and_with_help),
        cmocka_unit_test(days_in_a_row_cross_months_and_leap_days),
        cmocka_unit_test(results_agree_with_brute_force),
        cmocka_unit_test(a_row_says_how_a_game_ended),
        cmocka_unit_test(you_are_the_only_person_or_the_one_with_your_name),
        cmocka_unit_test(only_real_dates_and_whole_notes_count),
        cmocka_unit_test(json_of_no_game),
        cmocka_unit_test(counting_leaves_the_open_game_alone),
        cmocka_unit_test(more_games_than_announced_are_left_out),
        cmocka_unit_test(too_many_names_are_as_good_as_none),
        cmocka_unit_test(a_result_stands_where_counting_puts_it),
        cmocka_unit_test(a_plot_has_every_result_once),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(counted);
    return failed;
}
