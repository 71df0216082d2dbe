/* How a result alone compares with the games of bots that come with the library. */
#include <assert.h>
#include <endstation/bots.h>
#include <endstation/stats.h>
#include <string.h>

enum { GAMES_MAX = 10000000, POINTS_MAX = 1023 };

/* Returns true if the word names the rules of a row: `-`, or words joined by +. */
static bool is_rules(struct es_str word, const struct es_stats_row *row)
{
    char text[128];
    struct es_out out = {text, sizeof text, 0};
    for (int i = 0; row->game->rules[i]; i++)
        if (row->rules >> i & 1) {
            es_out_text(&out, out.used > 0 ? "+" : "");
            es_out_text(&out, row->game->rules[i]);
        }
    if (out.used == 0)
        es_out_char(&out, '-');
    return es_out_ok(&out) && es_str_same(word, (struct es_str){text, out.used});
}

/* Takes the next POINTS:COUNT; false after the last. */
static bool next_count(struct es_str *rest, int *points, unsigned *count)
{
    struct es_str word;
    if (!es_str_word(rest, &word))
        return false;
    const char *colon = memchr(word.at, ':', word.size);
    assert(colon);
    bool minus = word.at[0] == '-';
    size_t size = (size_t)(colon - word.at);
    unsigned number = 0;
    es_status status =
        es_str_number((struct es_str){word.at + minus, size - minus}, POINTS_MAX, &number);
    assert(status == ES_OK);
    *points = minus ? -(int)number : (int)number;
    status = es_str_number((struct es_str){colon + 1, word.size - size - 1}, GAMES_MAX, count);
    assert(status == ES_OK);
    return true;
}

/* Returns the points of game number `n` (from 0) when all are sorted. */
static int nth(const struct es_results *results, unsigned n)
{
    struct es_str rest = results->counts;
    int points = 0;
    unsigned count;
    while (next_count(&rest, &points, &count) && n >= count)
        n -= count;
    return points;
}

/* Reads the counts of a line. */
static void read_counts(struct es_str counts, struct es_results *results)
{
    struct es_str rest = counts;
    int points;
    unsigned count;
    *results = (struct es_results){.counts = counts};
    while (next_count(&rest, &points, &count)) {
        results->games += count;
        results->sum += (int64_t)points * count;
    }
    assert(results->games > 0);
    results->median_doubled =
        nth(results, (results->games - 1) / 2) + nth(results, results->games / 2);
}

/* Looks for the line of a row and a level in the results of a game. */
static bool find_line(struct es_str text, const struct es_stats_row *row, const char *level,
                      struct es_str *counts)
{
    struct es_lines lines;
    struct es_fault fault;
    struct es_str word[5], name;
    es_status status = es_lines_open(&lines, text, &fault);
    assert(status == ES_OK);
    bool good = es_lines_next(&lines) && es_str_is(lines.line, "endstation-results 1") &&
                es_lines_next(&lines) && es_str_word(&lines.line, &name) &&
                es_str_word(&lines.line, &name);
    assert(good);
    if (!es_str_is(name, row->game->name))
        return false;
    while (es_lines_next(&lines)) {
        struct es_str rest = lines.line;
        for (int i = 0; i < 5; i++)
            if (!es_str_word(&rest, &word[i]))
                word[i] = es_str("");
        if (es_str_is(word[1], row->hash) && is_rules(word[2], row) && es_str_is(word[3], level)) {
            *counts = rest;
            return true;
        }
    }
    return false;
}

bool es_results(const struct es_stats_row *row, int level, struct es_results *results)
{
    const char *name = es_bot_level(row->game, level);
    struct es_str counts;
    if (!name || row->players > 1 || row->options[0])
        return false;
    for (int i = 0; es_builtin_results[i].id; i++)
        if (find_line(es_builtin_results[i].text, row, name, &counts)) {
            read_counts(counts, results);
            return true;
        }
    return false;
}

unsigned es_results_below(const struct es_results *results, int points)
{
    struct es_str rest = results->counts;
    unsigned below = 0, count;
    int other;
    while (next_count(&rest, &other, &count) && other < points)
        below += count;
    return below;
}

unsigned es_results_percent(const struct es_results *results, int points)
{
    return (unsigned)(100ULL * es_results_below(results, points) / results->games);
}
