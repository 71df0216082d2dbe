/* `endstation stats`: the statistics of one person over many recorded games. */
#include "page/stats.h"
#include "cli/cli.h"
#include <stdlib.h>
#include <string.h>

/* What is read: words of the command line, and the sheets among them. */
struct work {
    const char **paths;     /* of records */
    struct es_map **sheets; /* that can be read */
    int records, maps;
    struct es_page *page;
    struct es_page_stats *stats;
    FILE *faults; /* collects a line for each record that cannot be read */
};

/* ---- Reading -------------------------------------------------------------------------------- */

/* Makes the sheet of a record the session's own, if one of the files has it. */
static void choose_sheet(const struct work *work, struct es_str record_text)
{
    struct es_record record = {.events = NULL};
    struct es_fault fault;
    if (es_record_header(&record, record_text, &fault))
        return;
    work->page->own.lines = 0; /* none */
    for (int i = 0; i < work->maps; i++) {
        const struct es_map *sheet = work->sheets[i];
        if (es_str_is(es_str(sheet->id), record.map_id) &&
            (!record.map_hash[0] || es_str_is(es_str(sheet->hash), record.map_hash))) {
            work->page->own = *sheet;
            return;
        }
    }
}

/* Adds the record of a file. One that cannot be read is left out. */
static int add_record(struct work *work, const char *path)
{
    struct es_str text;
    struct es_fault fault;
    int status = cli_read_file(path, &text);
    if (status) {
        es_page_stats_skip(work->stats);
        return status;
    }
    choose_sheet(work, text);
    if (es_page_stats_add(work->page, work->stats, text, &fault) == ES_STATS_UNREADABLE) {
        bool is_elsewhere = strstr(fault.reason, es_status_text(ES_MAP_ELSEWHERE)) != NULL;
        fprintf(work->faults, "%s:%d: %s\n", path, fault.line,
                is_elsewhere ? "this sheet is not built in: name its .map file, too"
                             : fault.reason);
        es_page_stats_skip(work->stats);
        status = CLI_BAD_INPUT;
    }
    free((void *)text.at);
    return status;
}

/* Sorts out sheets, which end in .map and are read, and records. */
static int sort_out(struct cli_files *files, const char *path, void *context)
{
    struct work *work = context;
    struct es_fault fault;
    (void)files;
    if (!cli_ends_in(path, ".map")) {
        work->paths[work->records++] = path;
        return CLI_OK;
    }
    struct es_str text;
    int status = cli_read_file(path, &text);
    if (status)
        return status;
    struct es_map *sheet = cli_alloc(sizeof *sheet);
    if (es_map_read(sheet, text, &fault)) {
        status = cli_fault(path, &fault);
        free(sheet);
    } else {
        work->sheets[work->maps++] = sheet;
    }
    free((void *)text.at);
    return status;
}

/* ---- Text ----------------------------------------------------------------------------------- */

static void print_levels(const struct es_stats_group *group)
{
    const struct es_stats_figures *all = &group->all;
    struct es_results results;
    for (int i = 0; es_bot_level(group->first->game, i); i++)
        if (es_results(group->first, i, &results))
            printf("  %-8s mean %6.2f of %u games: your best is better than %u %%, your median "
                   "than %u %%\n",
                   es_bot_level(group->first->game, i), (double)results.sum / results.games,
                   results.games, es_results_percent(&results, all->best),
                   es_results_percent(&results, es_stats_median_up(all)));
}

static void print_points(const struct es_stats_figures *figures)
{
    printf("mean %.2f, median %.1f, best %d", (double)figures->sum / (double)figures->games,
           figures->median_doubled / 2.0, figures->best);
}

static void print_wins(const struct es_stats_figures *figures)
{
    printf("%zu of %zu won", figures->won, figures->games);
    if (figures->shared > 0)
        printf(" (%zu shared)", figures->shared);
}

static void print_group(const struct es_stats *stats, const struct es_stats_group *group)
{
    const struct es_stats_row *first = group->first;
    const struct es_stats_figures *all = &group->all;
    printf("\n%s%s%s%s", first->game->name, first->sheet[0] ? " " : "", first->sheet,
           es_map_earlier(es_str(first->hash)) ? " (earlier version)" : "");
    for (int i = 0; first->game->rules[i]; i++)
        if (first->rules >> i & 1)
            printf(" %s", first->game->rules[i]);
    if (first->options[0])
        printf(" (%s)", first->options);
    if (first->players > 1)
        printf(", %d players", first->players);
    else
        printf(", alone");
    printf("%s: %zu game%s\n  ", first->aided ? ", with help" : "", all->games,
           all->games == 1 ? "" : "s");
    print_points(all);
    printf("%s%s, least %d\n", all->best_row->date[0] ? " on " : "", all->best_row->date,
           all->least);
    if (all->lines >= 0)
        printf("  lines: %.2f a game, most %d\n", (double)all->lines / (double)all->games,
               all->lines_best);
    if (first->players == 1) {
        print_levels(group);
        return;
    }
    printf("  ");
    print_wins(all);
    putchar('\n');
    for (int rival = 0; rival < ES_STATS_RIVALS; rival++) {
        struct es_stats_figures figures;
        if (!es_stats_group_against(stats, group, rival, &figures))
            continue;
        printf("  against %s: ", es_stats_rival(first->game, rival));
        print_wins(&figures);
        printf(", ");
        print_points(&figures);
        putchar('\n');
    }
}

static void print_rivals(const struct es_stats *stats)
{
    struct es_stats_figures figures;
    for (int g = 0; es_games[g]; g++)
        for (int aided = 0; aided < 2; aided++)
            for (int rival = 0; rival < ES_STATS_RIVALS; rival++) {
                if (!es_stats_against(stats, es_games[g], rival, aided, &figures))
                    continue;
                printf("%s against %s%s: ", es_games[g]->name, es_stats_rival(es_games[g], rival),
                       aided ? ", with help" : "");
                print_wins(&figures);
                putchar('\n');
            }
}

static bool any_left_out(const struct es_stats *stats)
{
    return stats->left[ES_STATS_UNFINISHED] || stats->left[ES_STATS_UNKNOWN] ||
           stats->left[ES_STATS_UNREADABLE];
}

/* Prints how many games count, how many do not, and a line for each that cannot be read. */
static void print_count(const struct es_stats *stats, const char *faults, FILE *to)
{
    fprintf(to, "%zu game%s; left out: %u not over, %u without you, %u unreadable\n%s",
            stats->count, stats->count == 1 ? "" : "s", stats->left[ES_STATS_UNFINISHED],
            stats->left[ES_STATS_UNKNOWN], stats->left[ES_STATS_UNREADABLE], faults);
}

static void print_text(const struct es_stats *stats)
{
    struct es_stats_group group;
    struct es_stats_days days = es_stats_days(stats);
    for (size_t at = 0; es_stats_group(stats, &at, &group);)
        print_group(stats, &group);
    if (stats->count > 0)
        putchar('\n');
    print_rivals(stats);
    for (int g = 0; es_games[g]; g++) {
        struct es_stats_streak wins = es_stats_wins(stats, es_games[g]);
        if (wins.longest > 0)
            printf("%s: longest streak of wins %zu, latest %zu\n", es_games[g]->name, wins.longest,
                   wins.latest);
    }
    if (days.days > 0)
        printf("days with a game: %zu; most in a row %zu; latest, until %s: %zu\n", days.days,
               days.longest, days.until, days.latest);
}

/* ---- The command ---------------------------------------------------------------------------- */

/* Prints what a function writes. */
static void print(const struct work *work, void (*write)(const struct work *, struct es_out *))
{
    struct es_out out = {NULL, 0, 0};
    write(work, &out);
    out = (struct es_out){cli_alloc(out.used), out.used, 0};
    write(work, &out);
    fwrite(out.at, 1, out.used, stdout);
    free(out.at);
}

static void write_csv(const struct work *work, struct es_out *out)
{
    es_stats_csv(&work->stats->stats, out);
}

static void write_json(const struct work *work, struct es_out *out)
{
    es_page_stats_json(work->stats, out);
    es_out_char(out, '\n');
}

/* What is asked for. */
struct wishes {
    const char *name;
    bool csv, json;
};

static int count_games(struct work *work, const struct wishes *wishes)
{
    int status = CLI_OK, flushed;
    char *faults = NULL;
    size_t size = 0;
    work->faults = open_memstream(&faults, &size);
    if (!work->faults)
        cli_alloc(SIZE_MAX); /* prints the error and exits */
    work->stats = cli_alloc(es_page_stats_bytes((size_t)work->records));
    es_page_stats_begin(work->stats, (size_t)work->records,
                        es_str(wishes->name ? wishes->name : ""));
    work->stats->stats.bots = true;
    for (int i = 0; i < work->records; i++)
        if (add_record(work, work->paths[i]))
            status = CLI_BAD_INPUT;
    es_page_stats_finish(work->stats);
    if (fclose(work->faults) != 0)
        cli_alloc(SIZE_MAX);
    const struct es_stats *stats = &work->stats->stats;
    if (wishes->csv || wishes->json) {
        print(work, wishes->csv ? write_csv : write_json);
        if (any_left_out(stats))
            print_count(stats, faults, stderr);
    } else {
        print_count(stats, faults, stdout);
        print_text(stats);
    }
    free(work->stats);
    free(faults);
    flushed = cli_flush();
    return flushed ? flushed : status;
}

static int run(int argc, char **argv)
{
    struct wishes wishes = {0};
    const struct cli_option options[] = {{"--name", &wishes.name, NULL},
                                         {"--csv", NULL, &wishes.csv},
                                         {"--json", NULL, &wishes.json},
                                         {NULL, NULL, NULL}};
    struct work work = {.paths = cli_alloc((size_t)argc * sizeof *work.paths),
                        .sheets = cli_alloc((size_t)argc * sizeof *work.sheets),
                        .page = cli_alloc(sizeof *work.page)};
    struct cli_files files;
    memset(work.page, 0, sizeof *work.page);
    int status = cli_files_read(&files, argc, argv, options, "a record is missing");
    if (status == CLI_OK && wishes.csv && wishes.json)
        status = cli_usage(argv[0], "--csv and --json cannot be combined", NULL);
    if (status == CLI_OK) {
        status = cli_files_each(&files, sort_out, &work);
        if (work.records == 0)
            status = cli_usage(argv[0], "a record is missing", NULL);
        else if (work.records > ES_STATS_ROWS_MAX)
            status = cli_usage(argv[0], "at most 20000 records can be counted", NULL);
        else {
            int counted = count_games(&work, &wishes);
            status = counted > status ? counted : status;
        }
    }
    for (int i = 0; i < work.maps; i++)
        free(work.sheets[i]);
    free(work.paths);
    free(work.sheets);
    free(work.page);
    cli_files_free(&files);
    return status;
}

const struct cli_command cli_stats = {
    .name = "stats",
    .summary = "your statistics over many recorded games",
    .help = "stats [--name NAME] [--csv | --json] RECORD... [MAP...]\n\n"
            "Prints means, medians, bests, wins and streaks of one person, and how results alone\n"
            "compare with those of bots. You are the only player who is not a bot, otherwise the\n"
            "one called NAME. Games that are not over, in which it is unclear who you are, or\n"
            "whose record is damaged are left out; their number is printed, with --csv and --json\n"
            "on standard error. After a damaged record the exit status is 1.\n\n" CLI_RECORD_HELP
            "  MAP               a .map file: a sheet of records that is not built in\n"
            "  --name NAME       your name; several names: one per line. Where only bots play,\n"
            "                    the name of a bot, or its level\n"
            "  --csv             one line per game, by date\n" CLI_JSON_HELP,
    .run = run,
};
