/* Statistics of games: reads records, writes JSON, draws. */
#include "page/stats.h"
#include "page/json.h"
#include <endstation/plot.h>
#include <string.h>

size_t es_page_stats_bytes(size_t games)
{
    return sizeof(struct es_page_stats) + es_stats_bytes(games);
}

void es_page_stats_begin(struct es_page_stats *s, size_t games, struct es_str names)
{
    es_stats_begin(&s->stats, games, s->rows);
    s->map.lines = 0;
    s->names_size = names.size <= sizeof s->names ? names.size : 0;
    memcpy(s->names, names.at, s->names_size);
}

/* ---- Records -------------------------------------------------------------------------------- */

static bool fits(const struct es_map *map, const struct es_record *record)
{
    return map->lines > 0 && es_str_is(es_str(record->map_id), map->id) &&
           (!record->map_hash[0] || es_str_is(es_str(record->map_hash), map->hash));
}

/* Returns the sheet of a record whose header was read; NULL if the game has none, or if it is
 * missing. */
static const struct es_map *sheet_of(const struct es_page *page, struct es_page_stats *s,
                                     const struct es_record *record)
{
    struct es_fault fault;
    struct es_str text = es_builtin_map_named(es_str(record->map_id), es_str(record->map_hash));
    if (!record->map_id[0])
        return NULL;
    if (fits(&page->own, record))
        return &page->own;
    /* Where there is an earlier version, a record without a hash means the other one. */
    if (fits(&s->map, record) && (record->map_hash[0] || !es_map_earlier(es_str(s->map.hash))))
        return &s->map;
    if (text.size == 0 || es_map_read(&s->map, text, &fault))
        return NULL;
    return &s->map;
}

enum es_stats_kind es_page_stats_add(struct es_page *page, struct es_page_stats *s,
                                     struct es_str text, struct es_fault *fault)
{
    struct es_record record = {.events = page->seen, .capacity = ES_EVENTS_MAX};
    struct es_state state;
    if (es_record_header(&record, text, fault) ||
        es_record_events(&record, sheet_of(page, s, &record), &state, fault))
        return ES_STATS_UNREADABLE;
    if (s->stats.count == s->stats.capacity) {
        es_fault_set(fault, 0, ES_TOO_LARGE, es_str(""));
        return ES_STATS_UNREADABLE;
    }
    enum es_stats_kind kind =
        es_stats_add(&s->stats, &record, &state, (struct es_str){s->names, s->names_size});
    if (kind == ES_STATS_COUNTED)
        s->stats.rows[s->stats.count - 1].built_in = record.setup.map == &s->map;
    return kind;
}

void es_page_stats_skip(struct es_page_stats *s)
{
    s->stats.left[ES_STATS_UNREADABLE]++;
}

void es_page_stats_finish(struct es_page_stats *s)
{
    es_stats_finish(&s->stats);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

enum { DIGITS = 2, WHOLE = 60 };

static void write_half(struct es__writer *w, const char *name, int doubled)
{
    es__write_fixed(w, name, doubled / 2.0, 1);
}

static void write_points(struct es__writer *w, const struct es_stats_figures *figures)
{
    es__write_int(w, "games", (long)figures->games);
    es__write_fixed(w, "mean", (double)figures->sum / (double)figures->games, DIGITS);
    write_half(w, "median", figures->median_doubled);
    es__write_int(w, "best", figures->best);
}

/* Writes wins: all, shared ones among them, and their sum where a shared win is a part of one. */
static void write_wins(struct es__writer *w, const struct es_stats_figures *figures)
{
    es__write_int(w, "won", (long)figures->won);
    es__write_int(w, "shared", (long)figures->shared);
    es__write_fixed(w, "wins", (double)figures->wins_60 / WHOLE, DIGITS);
}

/* Writes the results of the levels for what was played in a row, and how points compare with
 * them: by names[i] those of points[i]. */
static void write_levels(struct es__writer *w, const struct es_stats_row *row,
                         const char *const *names, const int *points, int count)
{
    struct es_results results;
    es__write_array(w, "levels");
    for (int i = 0; es_bot_level(row->game, i); i++) {
        if (!es_results(row, i, &results))
            continue;
        es__write_object(w, NULL);
        es__write_text(w, "level", es_bot_level(row->game, i));
        es__write_int(w, "games", (long)results.games);
        es__write_fixed(w, "mean", (double)results.sum / (double)results.games, DIGITS);
        write_half(w, "median", results.median_doubled);
        for (int k = 0; k < count; k++)
            es__write_int(w, names[k], (long)es_results_percent(&results, points[k]));
        es__write_end(w);
    }
    es__write_end(w);
}

static void write_what(struct es__writer *w, const struct es_stats_row *row)
{
    es__write_text(w, "game", row->game->name);
    es__write_text(w, "sheet", row->sheet);
    es__write_text(w, "hash", row->hash);
    es__write_text(w, "title", row->title);
    es__write_bool(w, "built_in", row->built_in);
    if (es_map_earlier(es_str(row->hash)))
        es__write_bool(w, "earlier", true);
    es__write_array(w, "rules");
    for (int i = 0; row->game->rules[i]; i++)
        if (row->rules >> i & 1)
            es__write_text(w, NULL, row->game->rules[i]);
    es__write_end(w);
    es__write_text(w, "options", row->options);
}

/* Writes the figures of a group against each kind of rival. */
static void write_opponents(struct es__writer *w, const struct es_stats *stats,
                            const struct es_stats_group *group)
{
    struct es_stats_figures figures;
    es__write_array(w, "rivals");
    for (int rival = 0; rival < ES_STATS_RIVALS; rival++) {
        if (!es_stats_group_against(stats, group, rival, &figures))
            continue;
        es__write_object(w, NULL);
        es__write_text(w, "rival", es_stats_rival(group->first->game, rival));
        write_points(w, &figures);
        write_wins(w, &figures);
        es__write_end(w);
    }
    es__write_end(w);
}

static void write_results(struct es__writer *w, const struct es_stats *stats,
                          const struct es_stats_group *group)
{
    es__write_array(w, "results");
    for (size_t i = 0; i < group->all.games; i++) {
        const struct es_stats_row *row = &stats->rows[group->rows[i]];
        es__write_object(w, NULL);
        es__write_text(w, "date", row->date);
        es__write_int(w, "points", row->points);
        if (row->players > 1)
            es__write_int(w, "place", row->place);
        if (row->lines >= 0)
            es__write_int(w, "lines", row->lines);
        es__write_end(w);
    }
    es__write_end(w);
}

static void write_group(struct es__writer *w, const struct es_stats *stats,
                        const struct es_stats_group *group)
{
    static const char *const names[] = {"belowBest", "belowMedian"};
    const struct es_stats_row *first = group->first;
    const struct es_stats_figures *all = &group->all;
    const int points[] = {all->best, es_stats_median_up(all)};
    es__write_object(w, NULL);
    write_what(w, first);
    es__write_int(w, "players", first->players);
    es__write_bool(w, "aided", first->aided);
    write_points(w, all);
    es__write_text(w, "bestDate", all->best_row->date);
    es__write_int(w, "least", all->least);
    es__write_int(w, "window", (long)es_plot_window(all->games));
    if (all->lines >= 0) {
        es__write_int(w, "lines", all->lines);
        es__write_fixed(w, "linesMean", (double)all->lines / (double)all->games, DIGITS);
        es__write_int(w, "linesBest", all->lines_best);
    }
    if (first->players > 1) {
        write_wins(w, all);
        write_opponents(w, stats, group);
    } else {
        write_levels(w, first, names, points, 2);
    }
    write_results(w, stats, group);
    es__write_end(w);
}

static void write_rivals(struct es__writer *w, const struct es_stats *stats)
{
    struct es_stats_figures figures;
    es__write_array(w, "rivals");
    for (int g = 0; es_games[g]; g++)
        for (int aided = 0; aided < 2; aided++)
            for (int rival = 0; rival < ES_STATS_RIVALS; rival++) {
                if (!es_stats_against(stats, es_games[g], rival, aided, &figures))
                    continue;
                es__write_object(w, NULL);
                es__write_text(w, "game", es_games[g]->name);
                es__write_text(w, "rival", es_stats_rival(es_games[g], rival));
                es__write_bool(w, "aided", aided);
                es__write_int(w, "games", (long)figures.games);
                write_wins(w, &figures);
                es__write_end(w);
            }
    es__write_end(w);
}

static void write_streaks(struct es__writer *w, const struct es_stats *stats)
{
    struct es_stats_days days = es_stats_days(stats);
    es__write_array(w, "streaks");
    for (int g = 0; es_games[g]; g++) {
        struct es_stats_streak wins = es_stats_wins(stats, es_games[g]);
        if (wins.longest == 0)
            continue;
        es__write_object(w, NULL);
        es__write_text(w, "game", es_games[g]->name);
        es__write_int(w, "latest", (long)wins.latest);
        es__write_int(w, "longest", (long)wins.longest);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_object(w, "days");
    es__write_int(w, "days", (long)days.days);
    es__write_int(w, "latest", (long)days.latest);
    es__write_text(w, "until", days.until);
    es__write_int(w, "longest", (long)days.longest);
    es__write_end(w);
}

void es_page_stats_json(const struct es_page_stats *s, struct es_out *out)
{
    const struct es_stats *stats = &s->stats;
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    struct es_stats_group group;
    long aided = 0, alone = 0;
    for (size_t i = 0; i < stats->count; i++) {
        aided += stats->rows[i].aided;
        alone += stats->rows[i].players == 1;
    }
    es__write_object(w, NULL);
    es__write_int(w, "games", (long)stats->count);
    es__write_int(w, "alone", alone);
    es__write_int(w, "aided", aided);
    es__write_object(w, "left");
    es__write_int(w, "unfinished", (long)stats->left[ES_STATS_UNFINISHED]);
    es__write_int(w, "unknown", (long)stats->left[ES_STATS_UNKNOWN]);
    es__write_int(w, "unreadable", (long)stats->left[ES_STATS_UNREADABLE]);
    es__write_end(w);
    es__write_array(w, "groups");
    for (size_t at = 0; es_stats_group(stats, &at, &group);)
        write_group(w, stats, &group);
    es__write_end(w);
    write_rivals(w, stats);
    write_streaks(w, stats);
    es__write_end(w);
}

/* ---- One result ----------------------------------------------------------------------------- */

void es_page_stats_standing(const struct es_page_stats *s, size_t row, struct es_out *out)
{
    static const char *const names[] = {"percent"};
    const struct es_stats *stats = &s->stats;
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    if (row < stats->count) {
        const struct es_stats_row *own = &stats->rows[row];
        long place = 1, of = 0;
        int best = own->points;
        for (size_t i = 0; i < stats->count; i++) {
            const struct es_stats_row *other = &stats->rows[i];
            if (!es_stats_together(own, other))
                continue;
            of++;
            place += other->points > own->points;
            best = other->points > best ? other->points : best;
        }
        const int points = own->points;
        write_what(w, own);
        es__write_int(w, "points", points);
        es__write_int(w, "place", place);
        es__write_int(w, "of", of);
        es__write_int(w, "best", best);
        es__write_bool(w, "aided", own->aided);
        write_levels(w, own, names, &points, 1);
    }
    es__write_end(w);
}

/* ---- The plot ------------------------------------------------------------------------------- */

struct plotted {
    const struct es_stats *stats;
    struct es_stats_group group;
};

static int points_of(const void *context, size_t i, const char **date)
{
    const struct plotted *plotted = context;
    const struct es_stats_row *row = &plotted->stats->rows[plotted->group.rows[i]];
    *date = row->date;
    return row->points;
}

bool es_page_stats_plot(struct es_page *page, const struct es_page_stats *s, size_t group,
                        enum es_theme theme, bool narrow, struct es_svg *svg)
{
    struct plotted plotted = {.stats = &s->stats};
    size_t at = 0;
    for (size_t i = 0; i <= group; i++)
        if (!es_stats_group(&s->stats, &at, &plotted.group))
            return false;
    const struct es_stats_figures *all = &plotted.group.all;
    const struct es_plot plot = {.count = all->games,
                                 .points = points_of,
                                 .context = &plotted,
                                 .mean = (double)all->sum / (double)all->games,
                                 .median = all->median_doubled / 2.0,
                                 .narrow = narrow};
    const struct es_draw draw = {
        .theme = theme, .words = page->words, .word_count = page->word_count};
    es_plot_draw(&plot, &draw, &svg->painter);
    return true;
}
