/* Computes and prints the arena's results. Intervals are Student's t over the means of the groups,
 * and Wilson's for a share of the win of 0 or 1, where all means are equal. */
#include "cli/arena.h"
#include "cli/term_buffer.h"
#include "page/writer.h"
#include <math.h>
#include <string.h>

/* Running mean and variance (Welford). */
struct sum {
    unsigned count;
    double mean, squares;
};

static void add(struct sum *sum, double value)
{
    double off = value - sum->mean;
    sum->mean += off / ++sum->count;
    sum->squares += off * (value - sum->mean);
}

static double deviation(const struct sum *sum)
{
    return sum->count > 1 ? sqrt(sum->squares / (sum->count - 1)) : 0;
}

/* Returns half the width of the 95 % confidence interval; infinite for one value. Beyond the table,
 * the first terms of the expansion are accurate to 0.1 %. */
static double half_width(const struct sum *sum)
{
    static const double table[] = {12.706, 4.303, 3.182, 2.776, 2.571,
                                   2.447,  2.365, 2.306, 2.262, 2.228};
    if (sum->count < 2)
        return INFINITY;
    unsigned n = sum->count - 1;
    double t =
        n <= sizeof table / sizeof table[0] ? table[n - 1] : 1.95996 + 2.3722 / n + 2.8225 / n / n;
    return t * deviation(sum) / sqrt(sum->count);
}

struct figures {
    unsigned games, lost; /* played; forfeited by a failing program */
    struct sum points;    /* of each game */
    struct sum groups;    /* each group's mean */
    struct sum to_first;  /* each group's mean less that of seat 1 */
    struct sum wins;      /* each group's mean share of the win */
    double share;         /* of the win, in all games */
};

/* With --solo, the seats with the most points with the same cards win. */
static unsigned solo_winners(const struct arena_outcome *group, int seats)
{
    unsigned winners = 0;
    int most = INT16_MIN;
    for (int s = 0; s < seats; s++) {
        if (group[s].end != ARENA_PLAYED)
            continue;
        if (group[s].points[s] > most)
            winners = 0;
        if (group[s].points[s] >= most) {
            most = group[s].points[s];
            winners |= 1u << s;
        }
    }
    return winners;
}

static void add_group(const struct arena *arena, const struct arena_outcome *group,
                      struct figures *figures)
{
    int seats = arena->seats;
    struct sum points[ES_PLAYERS_MAX] = {0}, wins[ES_PLAYERS_MAX] = {0};
    for (int g = 0; arena->solo && g < seats; g++)
        if (group[g].end == ARENA_UNPLAYED)
            return; /* interrupted: the group is incomplete */
    for (int g = 0; g < seats; g++) {
        const struct arena_outcome *game = &group[g];
        unsigned winners = arena->solo && seats > 1 ? solo_winners(group, seats) : game->winners;
        for (int s = 0; s < seats; s++) {
            if (game->end == ARENA_UNPLAYED || !(game->seated >> s & 1))
                continue;
            bool forfeited = game->end == ARENA_FORFEITED;
            bool won = winners >> s & 1;
            figures[s].games++;
            figures[s].lost += forfeited && game->loser == s;
            add(&wins[s], won ? 1.0 / __builtin_popcount(winners) : 0);
            if (forfeited) /* a forfeited game has no points */
                continue;
            add(&figures[s].points, game->points[s]);
            add(&points[s], game->points[s]);
        }
    }
    for (int s = 0; s < seats; s++) {
        if (wins[s].count > 0)
            add(&figures[s].wins, wins[s].mean);
        figures[s].share += wins[s].mean * wins[s].count;
        if (points[s].count > 0)
            add(&figures[s].groups, points[s].mean);
        if (points[s].count > 0 && points[0].count > 0)
            add(&figures[s].to_first, points[s].mean - points[0].mean);
    }
}

static void count_all(const struct arena *arena, struct figures figures[ES_PLAYERS_MAX])
{
    memset(figures, 0, ES_PLAYERS_MAX * sizeof figures[0]);
    for (unsigned g = 0; g < arena->games; g += (unsigned)arena->seats)
        add_group(arena, &arena->outcome[g], figures);
    for (int s = 0; s < arena->seats; s++)
        if (figures[s].games > 0)
            figures[s].share /= figures[s].games;
}

void arena_standing(const struct arena *arena, char *line, size_t size)
{
    struct figures figures[ES_PLAYERS_MAX];
    count_all(arena, figures);
    struct es_out out = {line, size - 1, 0};
    for (int s = 0; s < arena->seats; s++) {
        char text[80];
        snprintf(text, sizeof text, "%sseat %d %.1f (%.2f)", s ? ", " : "", s + 1,
                 figures[s].points.mean, figures[s].share);
        es_out_text(&out, text);
    }
    line[out.used < size - 1 ? out.used : size - 1] = '\0';
}

/* Prints a number and its interval, if there is one, at the right end of some columns (not
 * bytes). */
static void print_right(const char *number, const char *interval, int columns)
{
    int used = (int)es_str_length(es_str(number)) + (int)es_str_length(es_str(interval));
    printf("%*s%s%s", columns > used ? columns - used : 0, "", number, interval);
}

/* Prints "47.50 ± 0.76", without the interval if there is only one group. */
static void print_interval(const char *format, double value, const struct sum *groups, int columns)
{
    char number[32] = "-", interval[32] = "";
    double half = half_width(groups);
    if (groups->count > 0)
        snprintf(number, sizeof number, format, value);
    if (isfinite(half))
        snprintf(interval, sizeof interval, " ± %.2f", half);
    print_right(number, term_fold(interval), columns);
}

/* Of n groups that were all won, or all lost, returns the other end of Wilson's interval:
 * n / (n + z²), or z² / (n + z²). */
static double wilson_end(double share, const struct sum *groups)
{
    static const double z2 = 1.95996 * 1.95996;
    return (share >= 1 ? groups->count : z2) / (groups->count + z2);
}

/* Returns true if all groups were won, or all lost. */
static bool is_extreme(double share, const struct sum *groups)
{
    return groups->count > 0 && (share >= 1 || share <= 0);
}

/* Prints the share of the win. */
static void print_share(double share, const struct sum *groups, int columns)
{
    char interval[32];
    if (!is_extreme(share, groups)) {
        print_interval("%.2f", share, groups, columns);
        return;
    }
    snprintf(interval, sizeof interval, share >= 1 ? " ≥ %.2f" : " ≤ %.2f",
             wilson_end(share, groups));
    print_right(share >= 1 ? "1.00" : "0.00", term_fold(interval), columns);
}

static double ms_a_move(const struct arena_time *time)
{
    return time->moves ? time->ms / (double)time->moves : 0;
}

/* Prints a text as one word. */
static void print_word(const char *text)
{
    for (; *text; text++)
        putchar(*text == ' ' || *text == '\t' ? '_' : *text);
}

static void print_table(const struct arena *arena, const struct figures *figures)
{
    puts("seat            points        to seat 1           wins  ms/move  longest  lost");
    for (int s = 0; s < arena->seats; s++) {
        const struct figures *f = &figures[s];
        printf("%4d", s + 1);
        print_interval("%.2f", f->points.mean, &f->groups, 18);
        if (s == 0)
            printf("%17s", "");
        else
            print_interval("%+.2f", f->to_first.mean, &f->to_first, 17);
        char alone[16];
        snprintf(alone, sizeof alone, "%.2f", f->share);
        if (arena->seats == 1) /* wins all but those that it lost by failing */
            print_right(f->games > 0 ? alone : "-", "", 15);
        else
            print_share(f->share, &f->wins, 15);
        printf(" %8.1f %8.1f %5u  %s\n", ms_a_move(&arena->time[s]), arena->time[s].longest,
               f->lost, arena->seat[s].spec);
    }
    char signs[] = "±, ≥, ≤";
    printf("%s: 95 %% confidence interval over groups with the same cards;\n"
           "lost: games forfeited by a failing program\n",
           term_fold(signs));
    for (int s = 0; s < arena->seats; s++) {
        const struct figures *f = &figures[s];
        printf("result %d ", s + 1);
        print_word(seat_label(&arena->seat[s]));
        printf(" games %u mean %.2f sd %.2f wins %.2f lost %u ms/move %.1f\n", f->games,
               f->points.mean, deviation(&f->points), f->share, f->lost,
               ms_a_move(&arena->time[s]));
    }
}

/* ---- JSON ------------------------------------------------------------------------------------ */

enum { DIGITS = 6, MS_DIGITS = 3 };

static void write_ends(struct es__writer *w, const char *name, double low, double high)
{
    es__write_array(w, name);
    es__write_fixed(w, NULL, low, DIGITS);
    es__write_fixed(w, NULL, high, DIGITS);
    es__write_end(w);
}

static void write_interval(struct es__writer *w, const char *name, double value,
                           const struct sum *groups)
{
    double half = half_width(groups);
    if (isfinite(half))
        write_ends(w, name, value - half, value + half);
}

static void write_share(struct es__writer *w, double share, const struct sum *groups)
{
    double end = wilson_end(share, groups);
    if (is_extreme(share, groups))
        write_ends(w, "winsInterval", share >= 1 ? end : 0, share >= 1 ? 1 : end);
    else
        write_interval(w, "winsInterval", share, groups);
}

static void write_seat(struct es__writer *w, const struct arena *arena,
                       const struct figures *figures, int s)
{
    const struct figures *f = &figures[s];
    es__write_object(w, NULL);
    es__write_int(w, "seat", s + 1);
    cli_write_word(w, "name", seat_label(&arena->seat[s]));
    cli_write_word(w, "bot", arena->seat[s].spec);
    es__write_int(w, "games", f->games);
    if (f->points.count > 0) {
        es__write_fixed(w, "mean", f->points.mean, DIGITS);
        write_interval(w, "meanInterval", f->points.mean, &f->groups);
        es__write_fixed(w, "sd", deviation(&f->points), DIGITS);
    }
    if (s > 0 && f->to_first.count > 0) {
        es__write_fixed(w, "toFirst", f->to_first.mean, DIGITS);
        write_interval(w, "toFirstInterval", f->to_first.mean, &f->to_first);
    }
    if (f->games > 0)
        es__write_fixed(w, "wins", f->share, DIGITS);
    if (arena->seats > 1)
        write_share(w, f->share, &f->wins);
    es__write_int(w, "lost", f->lost);
    es__write_fixed(w, "ms", ms_a_move(&arena->time[s]), MS_DIGITS);
    es__write_fixed(w, "msLongest", arena->time[s].longest, MS_DIGITS);
    es__write_end(w);
}

struct results {
    const struct arena *arena;
    const struct figures *figures;
};

static void write_results(struct es__writer *w, const void *context)
{
    const struct results *results = context;
    const struct arena *arena = results->arena;
    es__write_text(w, "game", arena->setup.record.setup.game->name);
    es__write_bool(w, "solo", arena->solo);
    es__write_int(w, "games", arena->done);
    es__write_array(w, "seats");
    for (int s = 0; s < arena->seats; s++)
        write_seat(w, arena, results->figures, s);
    es__write_end(w);
}

int arena_report(const struct arena *arena)
{
    struct figures figures[ES_PLAYERS_MAX];
    count_all(arena, figures);
    if (arena->json)
        return cli_print_json(NULL, write_results, &(struct results){arena, figures});
    print_table(arena, figures);
    return cli_flush();
}
