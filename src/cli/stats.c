/* `endstation stats`: the statistics of one person over many recorded games. */
#include "page/stats.h"
#include "cli/cli.h"
#include <stdlib.h>
#include <string.h>

/* What is read: words of the command line, and the sheets among them. */
struct work {
    const char **paths; /* of records */
    struct es_str *sheets;
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
    for (int i = 0; i < work->maps; i++) {
        const struct es_map *own = &work->page->own;
        bool good = es_page_map(work->page, work->sheets[i], &fault) == ES_OK;
        if (good && es_str_is(es_str(own->id), record.map_id) &&
            (!record.map_hash[0] || es_str_is(es_str(own->hash), record.map_hash)))
            return;
    }
    es_page_map(work->page, es_str(""), &fault);
}

/* Adds the record of a file. A damaged one is left out; a file that is not there is an error. */
static int add_record(struct work *work, const char *path)
{
    struct es_str text;
    struct es_fault fault;
    int status = cli_read_file(path, &text);
    if (status)
        return status;
    choose_sheet(work, text);
    if (es_page_stats_add(work->page, work->stats, text, &fault) == ES_STATS_UNREADABLE) {
        bool is_elsewhere = strstr(fault.reason, es_status_text(ES_MAP_ELSEWHERE)) != NULL;
        fprintf(work->faults, "%s:%d: %s\n", path, fault.line,
                is_elsewhere ? "this sheet is not built in: name its .map file, too"
                             : fault.reason);
        es_page_stats_skip(work->stats);
    }
    free((void *)text.at);
    return CLI_OK;
}

/* Reads the sheets, which end in .map, and sorts out the records. */
static int read_words(struct work *work, const char **words, int count)
{
    struct es_fault fault;
    for (int i = 0; i < count; i++) {
        if (!cli_ends_in(words[i], ".map")) {
            work->paths[work->records++] = words[i];
            continue;
        }
        struct es_str *text = &work->sheets[work->maps];
        int status = cli_read_file(words[i], text);
        if (status)
            return status;
        work->maps++;
        if (es_page_map(work->page, *text, &fault))
            return cli_fault(words[i], &fault);
    }
    return CLI_OK;
}

/* ---- Text ----------------------------------------------------------------------------------- */

static void print_levels(const struct es_stats_group *group)
{
    struct es_results results;
    for (int i = 0; es_bot_level(group->first->game, i); i++)
        if (es_results(group->first, i, &results))
            printf("  %-8s mean %6.2f of %u games: your best is better than %u %%, your median "
                   "than %u %%\n",
                   es_bot_level(group->first->game, i), (double)results.sum / results.games,
                   results.games, es_results_percent(&results, group->best),
                   es_results_percent(&results,
                                      (group->median_doubled + (group->median_doubled > 0)) / 2));
}

static void print_group(const struct es_stats_group *group)
{
    const struct es_stats_row *first = group->first;
    printf("\n%s%s%s", first->game->name, first->sheet[0] ? " " : "", first->sheet);
    for (int i = 0; first->game->rules[i]; i++)
        if (first->rules >> i & 1)
            printf(" %s", first->game->rules[i]);
    if (first->options[0])
        printf(" (%s)", first->options);
    printf(", %s%s: %zu game%s\n", group->alone ? "alone" : "with others",
           first->aided ? ", with help" : "", group->games, group->games == 1 ? "" : "s");
    printf("  mean %.2f, median %.1f, best %d%s%s, least %d\n",
           (double)group->sum / (double)group->games, group->median_doubled / 2.0, group->best,
           group->best_row->date[0] ? " on " : "", group->best_row->date, group->least);
    if (group->lines >= 0)
        printf("  lines: %.2f a game, most %d\n", (double)group->lines / (double)group->games,
               group->lines_best);
    if (group->alone)
        print_levels(group);
    else
        printf("  won %zu, %zu of them shared\n", group->won, group->shared);
}

static void print_rivals(const struct es_stats *stats)
{
    for (int g = 0; es_games[g]; g++)
        for (int aided = 0; aided < 2; aided++)
            for (int rival = 0; rival < ES_STATS_RIVALS; rival++) {
                struct es_stats_score score = es_stats_against(stats, es_games[g], rival, aided);
                if (score.games > 0)
                    printf("%s against %s%s: %zu of %zu won, %zu of them shared\n",
                           es_games[g]->name, es_stats_rival(es_games[g], rival),
                           aided ? ", with help" : "", score.won, score.games, score.shared);
            }
}

static void print_text(const struct es_stats *stats, const char *faults)
{
    struct es_stats_group group;
    struct es_stats_days days = es_stats_days(stats);
    printf("%zu game%s; left out: %u not over, %u without you, %u unreadable\n", stats->count,
           stats->count == 1 ? "" : "s", stats->left[ES_STATS_UNFINISHED],
           stats->left[ES_STATS_UNKNOWN], stats->left[ES_STATS_UNREADABLE]);
    fputs(faults, stdout);
    for (size_t at = 0; es_stats_group(stats, &at, &group);)
        print_group(&group);
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

static int count_games(struct work *work, const char *name, bool csv, bool json)
{
    int status = CLI_OK;
    char *faults = NULL;
    size_t size = 0;
    work->faults = open_memstream(&faults, &size);
    work->stats = cli_alloc(es_page_stats_bytes((size_t)work->records));
    es_page_stats_begin(work->stats, (size_t)work->records, es_str(name ? name : ""));
    for (int i = 0; i < work->records && status == CLI_OK; i++)
        status = add_record(work, work->paths[i]);
    es_page_stats_finish(work->stats);
    fclose(work->faults);
    if (status == CLI_OK && csv)
        print(work, write_csv);
    else if (status == CLI_OK && json)
        print(work, write_json);
    else if (status == CLI_OK)
        print_text(&work->stats->stats, faults);
    free(work->stats);
    free(faults);
    return status ? status : cli_flush();
}

static int run(int argc, char **argv)
{
    const char *name = NULL;
    bool csv = false, json = false;
    const struct cli_option options[] = {{"--name", &name, NULL},
                                         {"--csv", NULL, &csv},
                                         {"--json", NULL, &json},
                                         {NULL, NULL, NULL}};
    const char **words = cli_alloc((size_t)argc * sizeof *words);
    struct work work = {.paths = cli_alloc((size_t)argc * sizeof *work.paths),
                        .sheets = cli_alloc((size_t)argc * sizeof *work.sheets),
                        .page = cli_alloc(sizeof *work.page)};
    int count = 0;
    memset(words, 0, (size_t)argc * sizeof *words);
    memset(work.page, 0, sizeof *work.page);
    int status = cli_options(argc, argv, options, words, argc);
    while (count < argc && words[count])
        count++;
    if (status == CLI_OK && csv && json)
        status = cli_usage(argv[0], "--csv and --json exclude each other", NULL);
    if (status == CLI_OK)
        status = read_words(&work, words, count);
    if (status == CLI_OK && work.records == 0)
        status = cli_usage(argv[0], "a record is missing", NULL);
    if (status == CLI_OK && work.records > ES_STATS_ROWS_MAX)
        status = cli_usage(argv[0], "at most 20000 records can be counted", NULL);
    if (status == CLI_OK)
        status = count_games(&work, name, csv, json);
    for (int i = 0; i < work.maps; i++)
        free((void *)work.sheets[i].at);
    free(work.paths);
    free(work.sheets);
    free(work.page);
    free(words);
    return status;
}

const struct cli_command cli_stats = {
    .name = "stats",
    .summary = "your statistics over many recorded games",
    .help = "stats [--name NAME] [--csv | --json] RECORD... [MAP...]\n\n"
            "Prints means, medians, bests, wins and streaks of one person, and how results alone\n"
            "compare with games of bots. You are the only player who is not a bot, otherwise the\n"
            "one called NAME. Games that are not over, in which nobody can tell who you are, or\n"
            "whose record is damaged are left out, and their number is printed.\n\n"
            "  --name NAME  your name; several: one a line\n"
            "  --csv        one line a game, by date\n"
            "  --json       all figures\n"
            "  RECORD       a .record file; - reads standard input\n"
            "  MAP          a .map file: a sheet of records that is not built in\n",
    .run = run,
};
