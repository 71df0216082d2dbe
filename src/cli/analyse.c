/* `endstation analyse`: how well a player played a recorded game, and how lucky they were. */
#include "cli/cli.h"
#include "cli/term_buffer.h"
#include "page/analysis.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS_MAX = 64, STACK_BYTES = 1 << 20 };

/* A game and its nodes; the results are filled in by threads. */
struct work {
    const struct cli_game *game;
    int player;
    es_event *seen;
    size_t seen_count, found, next;
    struct es_node *nodes;
    struct es_node_result *results;
    struct es_step *steps;
    struct es_analysis_sum sum;
    bool has_hindsight;
    int hindsight;
    pthread_mutex_t lock;
};

/* ---- Running ------------------------------------------------------------------------------- */

static void *run_nodes(void *context)
{
    struct work *work = context;
    const struct es_setup *setup = &work->game->record.setup;
    void *memory = cli_alloc(es_analysis_bytes(setup->game));
    for (;;) {
        pthread_mutex_lock(&work->lock);
        size_t i = work->next++;
        pthread_mutex_unlock(&work->lock);
        if (i >= work->found)
            break;
        es_node_run(setup, work->seen, &work->nodes[i], work->player, memory, &work->results[i]);
    }
    free(memory);
    return NULL;
}

static void run_threads(struct work *work, unsigned threads)
{
    pthread_t thread[THREADS_MAX];
    pthread_attr_t how;
    unsigned started = 0;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    while (started + 1 < threads && started + 1 < work->found &&
           pthread_create(&thread[started], &how, run_nodes, work) == 0)
        started++;
    pthread_attr_destroy(&how);
    run_nodes(work);
    for (unsigned t = 0; t < started; t++)
        pthread_join(thread[t], NULL);
}

static void look_back(struct work *work)
{
    const struct es_record *record = &work->game->record;
    const struct es_setup *setup = &record->setup;
    const struct es_analysis *analysis = setup->game->analysis;
    if (!analysis->hindsight || !work->sum.over || setup->players > 1)
        return;
    void *memory = cli_alloc(analysis->hindsight_bytes(setup, record->count));
    work->has_hindsight = analysis->hindsight(setup, record->events, record->count, work->player,
                                              memory, &work->hindsight);
    free(memory);
}

/* ---- Text ---------------------------------------------------------------------------------- */

/* Points, or per cent of the win. */
static double shown(const struct es_setup *setup, int64_t value)
{
    return (double)value / ES_VALUE_ONE * (setup->players == 1 ? 1 : 100);
}

static const char *event_text(const struct es_setup *setup, es_event event)
{
    static char text[ES_EVENT_BYTES + 1];
    struct es_out out = {text, sizeof text - 1, 0};
    setup->game->format(setup, event, &out);
    text[out.used] = '\0';
    return text;
}

/* An event of the player without the number of the player. */
static const char *move_text(const struct es_setup *setup, es_event event)
{
    const char *text = event_text(setup, event), *blank = strchr(text, ' ');
    return blank && ES_EVENT_WHO(event) != ES_CHANCE ? blank + 1 : text;
}

static void print_alternatives(const struct es_setup *setup, const struct es_node_result *result)
{
    bool first = true;
    for (int i = 0; i < result->count; i++) {
        const struct es_value *value = &result->value[i];
        if (i == result->played)
            continue;
        double against = shown(setup, (int64_t)result->loss - value->behind);
        printf("%s%s %+.1f", first ? "" : ", ", move_text(setup, value->event), against);
        first = false;
    }
}

static void print_step(const struct work *work, size_t i)
{
    const struct es_setup *setup = &work->game->record.setup;
    const struct es_node *node = &work->nodes[i];
    const struct es_node_result *result = &work->results[i];
    const struct es_step *step = &work->steps[i];
    char interval[] = "±";
    printf("%4u  %6.1f  ", node->at + 1, shown(setup, step->value));
    if (node->open)
        printf("%22s(to come)\n", "");
    else if (node->chance)
        printf("%+5.1f                 %s\n", shown(setup, step->luck),
               event_text(setup, node->event));
    else {
        printf("       %5.1f %s %-4.1f   %-12s %-11s", shown(setup, step->loss),
               term_fold(interval), shown(setup, result->loss_error), move_text(setup, node->event),
               es__label_word(step->label));
        print_alternatives(setup, result);
        putchar('\n');
    }
    if (step->others != 0)
        printf("%15s%+5.1f          others\n", "", shown(setup, step->others));
}

static void print_text(const struct work *work)
{
    const struct es_record *record = &work->game->record;
    const struct es_setup *setup = &record->setup;
    const struct es_analysis_sum *sum = &work->sum;
    const bool alone = setup->players == 1;
    char label[ES_PLAYERS_MAX][ES_LABEL_BYTES], interval[] = "±";
    es_record_labels(record, label);
    printf("Player %d", work->player);
    if (label[work->player - 1][0])
        printf(", %s", term_fold(label[work->player - 1]));
    printf(": values are %s.\n\n", alone ? "points" : "per cent of the win");
    puts("   #   value   luck        loss   played                   instead");
    for (size_t i = 0; i < work->found; i++)
        print_step(work, i);
    printf("\nexpected at the start  %6.1f\n", shown(setup, sum->start));
    printf("luck                   %+6.1f\n", shown(setup, sum->luck));
    printf("loss                   %+6.1f %s %.1f in %d decisions", -shown(setup, sum->loss),
           term_fold(interval), shown(setup, sum->loss_error), sum->decisions);
    const char *before = ": ";
    for (enum es_label l = ES_LABEL_BLUNDER; l >= ES_LABEL_GOOD; l--)
        if (sum->labels[l]) {
            printf("%s%s %d", before, es__label_word(l), sum->labels[l]);
            before = ", ";
        }
    putchar('\n');
    if (!alone)
        printf("others                 %+6.1f\n", shown(setup, sum->others));
    printf("correction             %+6.1f\n", shown(setup, sum->correction));
    printf("%-23s%6.1f\n", sum->over ? "result" : "expected now", shown(setup, sum->result));
    printf("without luck           %6.1f\n", shown(setup, sum->without_luck));
    if (work->has_hindsight)
        printf("hindsight              %6d\n", work->hindsight);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static void write_analysis(struct es__writer *w, const void *context)
{
    const struct work *work = context;
    const struct es__analysed analysed = {.setup = &work->game->record.setup,
                                          .player = work->player,
                                          .seen = work->seen,
                                          .seen_count = work->seen_count,
                                          .found = work->found,
                                          .nodes = work->nodes,
                                          .results = work->results,
                                          .steps = work->steps,
                                          .complete = true,
                                          .over = work->sum.over,
                                          .sum = work->sum,
                                          .hindsight =
                                              work->has_hindsight ? &work->hindsight : NULL};
    es__write_analysis(w, &analysed);
}

/* ---- The command --------------------------------------------------------------------------- */

/* What is asked for. */
struct wishes {
    const char *map, *player, *threads;
    unsigned thread_count;
    bool json;
};

static int analyse(struct cli_files *files, const char *path, const struct wishes *wishes,
                   const struct cli_game *game, int player)
{
    const struct es_record *record = &game->record;
    struct work work = {.game = game, .player = player, .lock = PTHREAD_MUTEX_INITIALIZER};
    size_t room = record->count + 1;
    work.seen = cli_alloc(room * sizeof *work.seen);
    work.nodes = cli_alloc(room * sizeof *work.nodes);
    int printed = CLI_BAD_INPUT;
    es_status status = es_nodes(&record->setup, record->events, record->count, player, work.seen,
                                &work.seen_count, work.nodes, room, &work.found);
    if (status) {
        fprintf(stderr, "endstation analyse: %s: %s\n", path, es_status_text(status));
    } else {
        work.results = cli_alloc(room * sizeof *work.results);
        work.steps = cli_alloc(room * sizeof *work.steps);
        run_threads(&work, wishes->thread_count);
        es_nodes_add_up(&record->setup, work.seen, work.seen_count, player, work.nodes,
                        work.results, work.found, work.steps, &work.sum);
        look_back(&work);
        if (wishes->json) {
            printed = cli_print_json(path, write_analysis, &work);
        } else {
            cli_head(files, path);
            print_text(&work);
            printed = cli_flush();
        }
    }
    free(work.seen);
    free(work.nodes);
    free(work.results);
    free(work.steps);
    return printed;
}

/* Returns the first seat of a person; 1 if all are bots. */
static unsigned first_person(const struct es_record *record)
{
    for (unsigned p = 1; p <= record->setup.players; p++)
        if (!record->bot[p - 1][0])
            return p;
    return 1;
}

static int analyse_one(struct cli_files *files, const char *path, void *context)
{
    const struct wishes *wishes = context;
    unsigned player = 0;
    struct cli_game game;
    int status = cli_game_read(&game, files->command, path, wishes->map);
    if (status == CLI_OK && wishes->player)
        status = cli_number(files->command, "--player", wishes->player, 1,
                            game.record.setup.players, &player);
    if (status == CLI_OK)
        status = analyse(files, path, wishes, &game,
                         (int)(player ? player : first_person(&game.record)));
    cli_game_free(&game);
    return status;
}

static int run(int argc, char **argv)
{
    struct wishes wishes = {.thread_count = 1};
    const struct cli_option options[] = {{"--map", &wishes.map, NULL},
                                         {"--player", &wishes.player, NULL},
                                         {"--threads", &wishes.threads, NULL},
                                         {"--json", NULL, &wishes.json},
                                         {NULL, NULL, NULL}};
    struct cli_files files;
    int status = cli_files_read(&files, argc, argv, options, "a record is missing");
    if (status == CLI_OK && wishes.threads)
        status =
            cli_number(argv[0], "--threads", wishes.threads, 1, THREADS_MAX, &wishes.thread_count);
    if (status == CLI_OK)
        status = cli_files_each(&files, analyse_one, &wishes);
    cli_files_free(&files);
    return status;
}

const struct cli_command cli_analyse = {
    .name = "analyse",
    .summary = "explain a recorded game: what luck brought, and what better moves would have",
    .help = "analyse [--player P] [--json] [--threads N] [--map MAP] RECORD...\n\n"
            "Prints every card or tile that a player saw come, with how lucky it was, and every\n"
            "decision, with what it gave away compared with the best alternative; then how luck\n"
            "and loss add up to the result. In a solo game values are points; with others, per\n"
            "cent of the win. Only what the player could know is used. docs/analysis.md defines\n"
            "the terms.\n" CLI_FILES_HELP CLI_RECORD_HELP CLI_MAP_HELP CLI_JSON_HELP
            "  --player P        whose game (default: the first person's)\n"
            "  --threads N       1 to 64 (default 1); the output is the same with any number\n",
    .run = run,
};
