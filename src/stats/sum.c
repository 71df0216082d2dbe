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

static bool is_alone(const struct es_stats_row *row)
{
    return row->players == 1;
}

static int by_group(const struct es_stats_row *a, const struct es_stats_row *b)
{
    int order = game_number(a->game) - game_number(b->game);
    order = order ? order : strcmp(a->sheet, b->sheet);
    order = order ? order : strcmp(a->hash, b->hash);
    if (order == 0 && a->rules != b->rules)
        order = a->rules < b->rules ? -1 : 1;
    order = order ? order : strcmp(a->options, b->options);
    order = order ? order : is_alone(b) - is_alone(a);
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

/* ---- Groups --------------------------------------------------------------------------------- */

enum { WHOLE = 60 }; /* a win in sixtieths: can be shared by 1 to 6 */

/* Adds whether a game was won. */
static void add_win(const struct es_stats_row *row, size_t *won, size_t *shared, long *wins_60)
{
    if (row->place != 1)
        return;
    ++*won;
    *shared += row->winners > 1;
    *wins_60 += WHOLE / row->winners;
}

/* Returns twice the median of a group's points. */
static int median_of(const struct es_stats *stats, const uint32_t *rows, size_t count)
{
    memcpy(stats->sorted, rows, count * sizeof *rows);
    sort(stats, stats->sorted, count, by_points);
    return stats->rows[stats->sorted[(count - 1) / 2]].points +
           stats->rows[stats->sorted[count / 2]].points;
}

bool es_stats_group(const struct es_stats *stats, size_t *at, struct es_stats_group *group)
{
    if (*at >= stats->count)
        return false;
    const uint32_t *rows = stats->grouped + *at;
    const struct es_stats_row *first = &stats->rows[rows[0]];
    *group = (struct es_stats_group){.first = first,
                                     .rows = rows,
                                     .alone = is_alone(first),
                                     .best = first->points,
                                     .least = first->points,
                                     .best_row = first,
                                     .lines = first->lines < 0 ? -1 : 0};
    for (; *at < stats->count; ++*at) {
        const struct es_stats_row *row = &stats->rows[stats->grouped[*at]];
        if (!es_stats_together(row, first))
            break;
        group->games++;
        group->sum += row->points;
        add_win(row, &group->won, &group->shared, &group->wins_60);
        if (row->points > group->best) {
            group->best = row->points;
            group->best_row = row;
        }
        if (row->points < group->least)
            group->least = row->points;
        if (row->lines >= 0) {
            group->lines += row->lines;
            group->lines_best = row->lines > group->lines_best ? row->lines : group->lines_best;
        }
    }
    group->median_doubled = median_of(stats, rows, group->games);
    return true;
}

/* ---- Wins ----------------------------------------------------------------------------------- */

struct es_stats_score es_stats_against(const struct es_stats *stats, const struct es_game *game,
                                       int rival, bool aided)
{
    struct es_stats_score score = {0};
    for (size_t i = 0; i < stats->count; i++) {
        const struct es_stats_row *row = &stats->rows[i];
        bool met = false;
        for (int r = 0; r + 1 < row->players; r++)
            met = met || row->rival[r] == rival;
        if (row->game != game || row->aided != aided || !met)
            continue;
        score.games++;
        add_win(row, &score.won, &score.shared, &score.wins_60);
    }
    return score;
}

struct es_stats_streak es_stats_wins(const struct es_stats *stats, const struct es_game *game)
{
    struct es_stats_streak streak = {0};
    for (size_t i = 0; i < stats->count; i++) {
        const struct es_stats_row *row = &stats->rows[stats->order[i]];
        if (row->game != game || row->aided || is_alone(row))
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
