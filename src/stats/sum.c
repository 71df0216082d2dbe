/* What follows from all rows: groups of games that can be compared, wins, streaks. */
#include <assert.h>
#include <endstation/stats.h>
#include <string.h>

/* ---- Sorting -------------------------------------------------------------------------------- */

typedef int compare(const struct es_stats_row *a, const struct es_stats_row *b);

/* Sorts numbers of rows; equal ones stay in their order. (Merges runs of 1, 2, 4 … numbers.) */
static void sort(const struct es_stats *stats, uint32_t *list, size_t count, compare *by)
{
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t from = 0; from < count; from += 2 * width) {
            size_t middle = from + width < count ? from + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t a = from, b = middle;
            for (size_t to = from; to < end; to++) {
                bool left = b == end ||
                            (a < middle && by(&stats->rows[list[a]], &stats->rows[list[b]]) <= 0);
                stats->scratch[to] = left ? list[a++] : list[b++];
            }
        }
        memcpy(list, stats->scratch, count * sizeof *list);
    }
}

static int by_date(const struct es_stats_row *a, const struct es_stats_row *b)
{
    return strcmp(a->date, b->date);
}

static int by_points(const struct es_stats_row *a, const struct es_stats_row *b)
{
    return a->points - b->points;
}

/* Returns the place of a game in the order in which games are offered. */
static int game_number(const struct es_game *game)
{
    int i = 0;
    while (es_games[i] && es_games[i] != game)
        i++;
    return i;
}

static int by_group(const struct es_stats_row *a, const struct es_stats_row *b)
{
    int order = game_number(a->game) - game_number(b->game);
    order = order ? order : strcmp(a->sheet, b->sheet);
    order = order ? order : strcmp(a->hash, b->hash);
    if (order == 0 && a->rules != b->rules)
        order = a->rules < b->rules ? -1 : 1;
    order = order ? order : strcmp(a->options, b->options);
    order = order ? order : a->players - b->players;
    return order ? order : a->aided - b->aided;
}

bool es_stats_together(const struct es_stats_row *a, const struct es_stats_row *b)
{
    return by_group(a, b) == 0;
}

void es_stats_finish(struct es_stats *stats)
{
    for (size_t i = 0; i < stats->count; i++)
        stats->order[i] = (uint32_t)i;
    sort(stats, stats->order, stats->count, by_date);
    memcpy(stats->grouped, stats->order, stats->count * sizeof *stats->order);
    sort(stats, stats->grouped, stats->count, by_group);
}

/* ---- Figures -------------------------------------------------------------------------------- */

enum { WHOLE = 60 }; /* a win in sixtieths: can be shared by 1 to 6 */

static void add_row(struct es_stats_figures *figures, const struct es_stats_row *row)
{
    figures->games++;
    figures->sum += row->points;
    if (row->points > figures->best) {
        figures->best = row->points;
        figures->best_row = row;
    }
    if (row->points < figures->least)
        figures->least = row->points;
    if (row->place == 1) {
        figures->won++;
        figures->shared += row->winners > 1;
        figures->wins_60 += WHOLE / row->winners;
    }
    if (row->lines >= 0) {
        figures->lines += row->lines;
        if (row->lines > figures->lines_best)
            figures->lines_best = row->lines;
    }
}

/* Sums up the first rows of stats->sorted, which are by date at first and by points afterwards;
 * false if there are none. */
static bool sum_up(const struct es_stats *stats, size_t count, struct es_stats_figures *figures)
{
    const uint32_t *rows = stats->sorted;
    if (count == 0)
        return false;
    const struct es_stats_row *first = &stats->rows[rows[0]];
    *figures = (struct es_stats_figures){.best = first->points,
                                         .least = first->points,
                                         .best_row = first,
                                         .lines = first->lines < 0 ? -1 : 0};
    for (size_t i = 0; i < count; i++)
        add_row(figures, &stats->rows[rows[i]]);
    sort(stats, stats->sorted, count, by_points);
    figures->median_doubled =
        stats->rows[rows[(count - 1) / 2]].points + stats->rows[rows[count / 2]].points;
    return true;
}

int es_stats_median_up(const struct es_stats_figures *figures)
{
    return (figures->median_doubled + (figures->median_doubled > 0)) / 2;
}

bool es_stats_group(const struct es_stats *stats, size_t *at, struct es_stats_group *group)
{
    size_t from = *at;
    if (from >= stats->count)
        return false;
    group->rows = stats->grouped + from;
    group->first = &stats->rows[group->rows[0]];
    while (*at < stats->count && es_stats_together(&stats->rows[stats->grouped[*at]], group->first))
        ++*at;
    memcpy(stats->sorted, group->rows, (*at - from) * sizeof *group->rows);
    return sum_up(stats, *at - from, &group->all);
}

/* ---- Rivals --------------------------------------------------------------------------------- */

static bool met(const struct es_stats_row *row, int rival)
{
    for (int r = 0; r + 1 < row->players; r++)
        if (row->rival[r] == rival)
            return true;
    return false;
}

bool es_stats_group_against(const struct es_stats *stats, const struct es_stats_group *group,
                            int rival, struct es_stats_figures *figures)
{
    size_t count = 0;
    for (size_t i = 0; i < group->all.games; i++)
        if (met(&stats->rows[group->rows[i]], rival))
            stats->sorted[count++] = group->rows[i];
    return sum_up(stats, count, figures);
}

bool es_stats_against(const struct es_stats *stats, const struct es_game *game, int rival,
                      bool aided, struct es_stats_figures *figures)
{
    size_t count = 0;
    for (size_t i = 0; i < stats->count; i++) {
        const struct es_stats_row *row = &stats->rows[stats->order[i]];
        if (row->game == game && row->aided == aided && met(row, rival))
            stats->sorted[count++] = stats->order[i];
    }
    return sum_up(stats, count, figures);
}

/* ---- Wins in a row -------------------------------------------------------------------------- */

struct es_stats_streak es_stats_wins(const struct es_stats *stats, const struct es_game *game)
{
    struct es_stats_streak streak = {0};
    for (size_t i = 0; i < stats->count; i++) {
        const struct es_stats_row *row = &stats->rows[stats->order[i]];
        if (row->game != game || row->aided || row->players == 1)
            continue;
        streak.latest = row->place == 1 ? streak.latest + 1 : 0;
        if (streak.latest > streak.longest)
            streak.longest = streak.latest;
    }
    return streak;
}

/* ---- Days ----------------------------------------------------------------------------------- */

static long digits(const char *text, int count)
{
    long value = 0;
    for (int i = 0; i < count; i++)
        value = 10 * value + text[i] - '0';
    return value;
}

/* Returns the number of a day, counted from some day long ago. (Years begin in March, so that the
 * day that leap years have comes last.) */
static long day_number(const char *date)
{
    long year = digits(date, 4), month = digits(date + 5, 2), day = digits(date + 8, 2);
    year -= month <= 2;
    month = (month + 9) % 12;
    return 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day;
}

struct es_stats_days es_stats_days(const struct es_stats *stats)
{
    struct es_stats_days days = {.until = ""};
    long before = -1;
    for (size_t i = 0; i < stats->count; i++) {
        const struct es_stats_row *row = &stats->rows[stats->order[i]];
        if (!row->date[0])
            continue;
        long day = day_number(row->date);
        days.until = row->date;
        if (day == before)
            continue;
        days.days++;
        days.latest = day == before + 1 && days.latest > 0 ? days.latest + 1 : 1;
        if (days.latest > days.longest)
            days.longest = days.latest;
        before = day;
    }
    return days;
}
