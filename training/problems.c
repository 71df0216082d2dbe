/* Finds problems: positions from bots' games in which one move is clearly the best. Writes
 * problems/NAME.records; docs/analysis.md says how they are chosen, and what the lines mean.
 *
 *     cmake --build build --target problems
 *     build/problems --game GAME --games FROM-TO [--threads N] >candidates
 *     build/problems --game GAME --select COUNT [--keep FILE] candidates >problems/GAME.records
 *     build/problems --game GAME --check FROM-TO problems/GAME.records
 *
 * A game is a function of its number, and so are its candidates: the output is the same with any
 * number of threads, and chunks of numbers can run anywhere. --keep chooses problems of a file
 * first that are candidates still, because people have solved them. --check finds problems of a
 * file again, from the numbers that they carry, and reports the first that is different.
 */
#include "problems.h"
#include <endstation/analysis.h>
#include <endstation/bots.h>
#include <endstation/metro.h>
#include <endstation/record.h>
#include <endstation/verplant.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVENTS = 4096,
    THREADS_MAX = 64,
    STACK_BYTES = 1 << 20,
    TEXT_BYTES = 16 << 10,  /* one problem as text, at most */
    GAME_BYTES = 256 << 10, /* all candidates of a game */
    LEGAL_LEAST = 6,        /* fewer possible events are no problem */
    ERRORS_AHEAD = 5,       /* standard errors that the best event must be ahead */
    SHOWN = 7,              /* alternatives that are written, at most */
    FEW = 3,                /* alternatives that are tried first on fewer samples */
    SETS = 12,
};

/* ---- What is played ------------------------------------------------------------------------- */

/* Game n is played in set n % SETS. */
struct set {
    const char *map;
    uint8_t players;
    uint32_t rules;
};

static const struct set verplant_sets[SETS] = {
    {"amsterdam", 1, 0}, {"berlin", 1, 0}, {"paris", 1, 0},     {"madrid", 1, 0},
    {"amsterdam", 1, 1}, {"berlin", 1, 1}, {"amsterdam", 1, 0}, {"berlin", 1, 0},
    {"paris", 1, 0},     {"madrid", 1, 0}, {"paris", 1, 1},     {"madrid", 1, 1},
};
static const struct set metro_sets[SETS] = {
    {NULL, 2, 0}, {NULL, 2, ES_METRO_ROTATE},
    {NULL, 2, 0}, {NULL, 3, 0},
    {NULL, 2, 0}, {NULL, 2, ES_METRO_HAND2},
    {NULL, 2, 0}, {NULL, 2, ES_METRO_ROTATE},
    {NULL, 2, 0}, {NULL, 3, ES_METRO_ROTATE},
    {NULL, 2, 0}, {NULL, 2, ES_METRO_ROTATE | ES_METRO_HAND2},
};

/* How carefully a game's positions are evaluated. */
struct care {
    uint32_t glance, samples; /* for all events, and for those that could be second best */
};
static const struct care verplant_care = {64, 1024}, metro_care = {256, 2048};

/* Who is asked how difficult a position is, how often, and what it counts if they miss it. */
static const struct {
    const char *level;
    unsigned seeds, weight;
} judges[] = {{"greedy", 4, 15}, {"casual", 12, 25}, {"strong", 4, 15}, {"master", 2, 5}};
enum { JUDGES = sizeof judges / sizeof judges[0], MISSED_WEIGHT = 60 };

static const struct es_game *game;
static const struct care *care;
static struct es_setup setups[SETS];
static struct es_map maps[SETS];
static struct es_bot bots[JUDGES];

static bool prepare(const char *name)
{
    struct es_fault fault;
    game = es_game_named(es_str(name));
    const struct set *sets = game == &es_verplant ? verplant_sets : metro_sets;
    if (game != &es_verplant && game != &es_metro)
        return false;
    care = game == &es_verplant ? &verplant_care : &metro_care;
    for (int i = 0; i < SETS; i++) {
        setups[i] = (struct es_setup){
            .game = game, .players = sets[i].players, .rules = sets[i].rules, .map = NULL};
        if (sets[i].map) {
            if (es_map_read(&maps[i], es_builtin_map(es_str(sets[i].map)), &fault))
                return false;
            setups[i].map = &maps[i];
        }
        if (es_setup_prepare(&setups[i]))
            return false;
    }
    for (unsigned i = 0; i < JUDGES; i++)
        if (es_bot_named(game, es_str(judges[i].level), &bots[i]))
            return false;
    return true;
}

/* A game while it is searched. */
struct work {
    unsigned number;
    const struct es_setup *setup;
    int player; /* whose decisions are looked at */
    size_t count, seen_count, found;
    es_event events[EVENTS], seen[EVENTS];
    struct es_node nodes[EVENTS];
    void *memory; /* of bots and the analysis */
    char *text;   /* GAME_BYTES */
    size_t used;
};

/* Returns memory for a game, or NULL. */
static struct work *make_work(void)
{
    size_t bot_bytes = es_bot_bytes(game), bytes = es_analysis_bytes(game);
    struct work *work = calloc(1, sizeof *work);
    if (work && !(work->memory = malloc(bytes > bot_bytes ? bytes : bot_bytes))) {
        free(work);
        work = NULL;
    }
    return work;
}

static void free_work(struct work *work)
{
    if (work)
        free(work->memory);
    free(work);
}

static es_event think(const struct work *work, const struct es_bot *bot,
                      const struct es_state *view, int player, uint64_t seed)
{
    struct es_thought thought = {.memory = work->memory, .seed = seed};
    return bot->think(bot, work->setup, view, player, &thought);
}

/* Plays the game of a number: every seat casual or strong, and lists the nodes of one player. */
static void play(struct work *work, unsigned number)
{
    static const int levels[] = {1, 2}; /* of `bots` */
    struct es_state state, view;
    struct es_random random;
    int level[ES_PLAYERS_MAX];
    uint8_t seed[ES_SEED_BYTES] = {(uint8_t)number, (uint8_t)(number >> 8), 43};
    const struct es_setup *setup = &setups[number % SETS];
    es_random_seed(&random, number);
    work->number = number;
    work->setup = setup;
    work->player = 1 + (int)es_random_below(&random, setup->players);
    for (int p = 0; p < setup->players; p++)
        level[p] = levels[es_random_below(&random, 2)];
    work->count = 0;
    game->start(setup, &state);
    for (struct es_turn turn; (turn = game->turn(setup, &state)).kind != ES_TURN_OVER;) {
        es_event event;
        if (turn.kind == ES_TURN_CHANCE) {
            event = game->deal(setup, &state, seed);
        } else {
            int player = __builtin_ctz(turn.players) + 1;
            es_view(setup, &state, work->events, work->count, player, work->seen, &view);
            event = think(work, &bots[level[player - 1]], &view, player, es_random_next(&random));
        }
        if (work->count == EVENTS || game->apply(setup, &state, event))
            abort();
        work->events[work->count++] = event;
    }
    if (es_nodes(setup, work->events, work->count, work->player, work->seen, &work->seen_count,
                 work->nodes, EVENTS, &work->found))
        abort();
}

/* ---- Is one event the best? ----------------------------------------------------------------- */

/* What is known about a position. */
struct answer {
    size_t legal, count; /* `count` alternatives were measured, the best event apart */
    struct es_value best, other[ES_VALUES_MAX]; /* ascending by `behind` */
    size_t same; /* events that lead to the same state as the best one */
    es_event also[ES_VALUES_MAX];
    int32_t rest; /* all other events are behind by more than this */
    bool has_rest;
};

static uint64_t seed_for(const struct work *work, const struct es_node *node, unsigned use)
{
    struct es_random random;
    es_random_seed(&random, ((uint64_t)work->number << 24 | (uint64_t)node->at << 8 | use) + 1);
    return es_random_next(&random);
}

static void evaluate(const struct work *work, const struct es_state *view, const es_event *events,
                     size_t count, uint64_t seed, uint32_t samples,
                     struct es_value values[ES_VALUES_MAX])
{
    const struct es_sampling sampling = {.memory = work->memory,
                                         .seed = seed,
                                         .samples = samples,
                                         .careful = true,
                                         .calibrated = true};
    if (es_evaluate(work->setup, view, work->player, events, count, &sampling, values))
        abort();
}

static int by_behind(const void *a, const void *b)
{
    const struct es_value *x = a, *y = b;
    if (x->behind != y->behind)
        return x->behind < y->behind ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

/* Compares all events but `best` and those that do the same with it, on the same samples, and sorts
 * them; returns their number. */
static size_t look_at_all(const struct work *work, const struct es_node *node,
                          const struct es_state *view, es_event best, const es_event *legal,
                          size_t count, struct es_value *all, struct answer *answer)
{
    const struct es_setup *setup = work->setup;
    struct es_state after_best = *view;
    size_t found = 0;
    es_event events[ES_VALUES_MAX] = {best};
    struct es_value values[ES_VALUES_MAX];
    size_t listed = 1;
    if (game->apply(setup, &after_best, best))
        abort();
    for (size_t i = 0; i < count; i++) {
        struct es_state after = *view;
        if (game->apply(setup, &after, legal[i]))
            abort();
        if (legal[i] != best && memcmp(&after, &after_best, sizeof after) == 0) {
            if (answer->same < ES_VALUES_MAX)
                answer->also[answer->same++] = legal[i];
        } else if (legal[i] != best) {
            events[listed++] = legal[i];
        }
        if (listed > 1 && (listed == ES_VALUES_MAX || i + 1 == count)) {
            evaluate(work, view, events, listed, seed_for(work, node, 1), care->glance, values);
            memcpy(all + found, values + 1, (listed - 1) * sizeof *values);
            found += listed - 1;
            listed = 1;
        }
    }
    qsort(all, found, sizeof *all, by_behind);
    return found;
}

/* Returns true if one event is the best by at least a mistake and ERRORS_AHEAD standard errors.
 * First the analysis itself must say so; then all legal events are compared on some samples, and
 * those that might be near on many. */
static bool find_best(const struct work *work, const struct es_node *node,
                      const struct es_state *view, struct answer *answer)
{
    const struct es_setup *setup = work->setup;
    const int32_t mistake = es_label_least(setup, ES_LABEL_MISTAKE);
    struct es_node_result result;
    struct es_value all[ES_LEGAL_MAX], values[ES_VALUES_MAX];
    es_event legal[ES_LEGAL_MAX], events[ES_VALUES_MAX];
    memset(answer, 0, sizeof *answer);
    answer->legal = game->legal(setup, view, work->player, legal);
    if (answer->legal < LEGAL_LEAST)
        return false;
    es_node_run(setup, work->seen, node, work->player, work->memory, &result);
    const es_event best = result.value[0].event;
    for (int i = 1; i < result.count; i++)
        if (result.value[i].behind < mistake &&
            (result.value[i].behind != 0 || result.value[i].difference != 0))
            return false;
    size_t found = look_at_all(work, node, view, best, legal, answer->legal, all, answer), near = 0;
    if (found == 0 || all[0].behind < mistake / 2)
        return false;
    while (near < found &&
           (near < SHOWN || all[near].behind < mistake + ERRORS_AHEAD * all[near].difference))
        near++;
    if (near >= ES_VALUES_MAX)
        return false;
    events[0] = best;
    for (size_t i = 0; i < near; i++)
        events[i + 1] = all[i].event;
    /* Most that fail do so here, for a fraction of the work. */
    size_t few = near < FEW ? near : FEW;
    evaluate(work, view, events, few + 1, seed_for(work, node, 3), care->samples / 4, values);
    for (size_t i = 1; i <= few; i++)
        if (values[i].behind < mistake - 2 * values[i].difference)
            return false;
    evaluate(work, view, events, near + 1, seed_for(work, node, 2), care->samples, values);
    qsort(values + 1, near, sizeof *values, by_behind);
    for (size_t i = 1; i <= near; i++)
        if (values[i].behind < mistake || values[i].behind < ERRORS_AHEAD * values[i].difference)
            return false;
    answer->best = values[0];
    answer->count = near;
    memcpy(answer->other, values + 1, near * sizeof *values);
    /* What is not written: measured, or looked at. */
    answer->has_rest = found > SHOWN;
    answer->rest = INT32_MAX;
    for (size_t i = SHOWN; i < near; i++)
        if (values[i + 1].behind < answer->rest)
            answer->rest = values[i + 1].behind;
    for (size_t i = near; i < found; i++)
        if (all[i].behind - 2 * all[i].difference < answer->rest)
            answer->rest = all[i].behind - 2 * all[i].difference;
    return true;
}

/* ---- How difficult is it? ------------------------------------------------------------------- */

struct estimate {
    unsigned difficulty;     /* 0 to 100 */
    unsigned missed[JUDGES]; /* by how many of the seeds */
    es_event tempting;       /* the best by static evaluation; 0: that is the best one */
    bool trivial;            /* everybody finds it always, and so does the static evaluation */
};

/* Returns the logarithm to base 2 of a number up to 255, in eighths: that of its eighth power. */
static unsigned log_of(uint64_t n)
{
    uint64_t square = n * n, power = square * square * square * square;
    return 63 - (unsigned)__builtin_clzll(power | 1);
}

/* 60 of 100 are for bots that miss the best event, 20 for the number of events (64 and more: all
 * 20), and 20 for the event that looks best by static evaluation: none if it is the best one; else
 * the more, the less it is behind. */
static struct estimate judge(const struct work *work, const struct es_node *node,
                             const struct es_state *view, const struct answer *answer)
{
    const struct es_setup *setup = work->setup;
    const int32_t mistake = es_label_least(setup, ES_LABEL_MISTAKE);
    struct estimate estimate = {.trivial = true};
    es_event legal[ES_LEGAL_MAX];
    unsigned missed = 0;
    for (unsigned j = 0; j < JUDGES; j++) {
        unsigned misses = 0;
        for (unsigned s = 0; s < judges[j].seeds; s++) {
            es_event event =
                think(work, &bots[j], view, work->player, seed_for(work, node, 16 + 16 * j + s));
            bool hit = event == answer->best.event;
            for (size_t i = 0; i < answer->same; i++)
                hit = hit || event == answer->also[i];
            misses += !hit;
        }
        estimate.missed[j] = misses;
        missed += 100 * judges[j].weight * misses / judges[j].seeds;
        estimate.trivial = estimate.trivial && misses == 0;
    }
    size_t count = game->legal(setup, view, work->player, legal);
    es_sort_events(setup, view, work->player, work->memory, legal, count);
    int32_t behind = INT32_MAX;
    bool tempting = legal[0] != answer->best.event;
    for (size_t i = 0; i < answer->same; i++)
        tempting = tempting && legal[0] != answer->also[i];
    for (size_t i = 0; i < answer->count; i++)
        if (answer->other[i].event == legal[0])
            behind = answer->other[i].behind;
    unsigned near = tempting ? 500 + (unsigned)(1500 * (int64_t)mistake / behind) : 0;
    unsigned many = 2000 * log_of(count < 64 ? count : 64) / 48;
    estimate.trivial = estimate.trivial && !tempting;
    estimate.tempting = tempting ? legal[0] : 0;
    unsigned sum = missed + (near < 2000 ? near : 2000) + many;
    estimate.difficulty = (sum + 50) / 100;
    return estimate;
}

/* ---- Diversity ------------------------------------------------------------------------------ */

/* Returns the kind of an entry: it completes a line, is a free ride or a transfer, marks less than
 * it could, or uses an express or a number card. */
static unsigned verplant_kind(const struct work *work, const struct es_state *view, es_event event)
{
    const struct es_verplant_state *s = es_verplant_state(view);
    struct es_state after = *view;
    es_event legal[ES_LEGAL_MAX];
    if (game->apply(work->setup, &after, event))
        abort();
    if (es_verplant_state(&after)->sheet[work->player - 1].scored !=
        s->sheet[work->player - 1].scored)
        return 0;
    if (s->card == ES_CARD_FREE_RIDE || s->card == ES_CARD_TRANSFER)
        return s->card == ES_CARD_FREE_RIDE ? 1 : 2;
    size_t count = game->legal(work->setup, view, work->player, legal);
    unsigned choice = ES_EVENT_WHAT(event);
    for (size_t i = 0; i < count; i++) {
        unsigned other = ES_EVENT_WHAT(legal[i]);
        if (other >> 4 == choice >> 4 && ES_CHOICE_MARKS(other) > ES_CHOICE_MARKS(choice))
            return 3;
    }
    return s->card >= ES_CARD_EXPRESS ? 4 : 5;
}

/* Returns the kind of a move: a draw, one that brings the player points, one that brings only
 * others points, or one that brings nobody any. */
static unsigned metro_kind(const struct work *work, const struct es_state *view, es_event event)
{
    struct es_state after = *view;
    unsigned kind = 3;
    if (!ES_METRO_IS_LAY(event))
        return 0;
    if (game->apply(work->setup, &after, event))
        abort();
    for (int p = 1; p <= work->setup->players; p++)
        if (game->score(work->setup, &after, p) > game->score(work->setup, view, p))
            kind = p == work->player ? 1 : kind == 1 ? 1 : 2;
    return kind;
}

/* ---- Text ----------------------------------------------------------------------------------- */

static const char *event_text(const struct es_setup *setup, es_event event, char text[])
{
    struct es_out out = {text, ES_EVENT_BYTES, 0};
    game->format(setup, event, &out);
    text[out.used] = '\0';
    return text;
}

/* Points, or per cent of the win. */
static double shown(const struct es_setup *setup, int32_t value)
{
    return (double)value / ES_VALUE_ONE * (setup->players == 1 ? 1 : 100);
}

/* Writes a problem as a record, with a zero after it; returns its size. */
static size_t write_problem(const struct work *work, const struct es_node *node,
                            const struct answer *answer, const struct estimate *estimate,
                            char text[TEXT_BYTES])
{
    const struct es_setup *setup = work->setup;
    static _Thread_local struct es_record record;
    char event[ES_EVENT_BYTES + 1];
    char *notes = record.notes;
    size_t used = 0, room = sizeof record.notes;
    memset(&record, 0, sizeof record);
    record.setup = *setup;
    record.events = (es_event *)work->seen;
    record.count = record.capacity = node->at;
    if (setup->map)
        snprintf(record.map_id, sizeof record.map_id, "%s", setup->map->id);
    used += (size_t)snprintf(notes, room,
                             PROBLEM_FROM "%u %u\n"
                                          "note problem difficulty %u legal %zu samples %u\n"
                                          "note problem best %s\n",
                             work->number, node->at, estimate->difficulty, answer->legal,
                             care->samples, event_text(setup, answer->best.event, event));
    used += (size_t)snprintf(notes + used, room - used, "note problem missed");
    for (unsigned j = 0; j < JUDGES; j++)
        used += (size_t)snprintf(notes + used, room - used, " %s %u/%u", judges[j].level,
                                 estimate->missed[j], judges[j].seeds);
    used += (size_t)snprintf(notes + used, room - used, "\n");
    if (estimate->tempting)
        used += (size_t)snprintf(notes + used, room - used, "note problem tempting %s\n",
                                 event_text(setup, estimate->tempting, event));
    for (size_t i = 0; i < answer->same; i++)
        used += (size_t)snprintf(notes + used, room - used, "note problem same %s\n",
                                 event_text(setup, answer->also[i], event));
    for (size_t i = 0; i < answer->count && i < SHOWN; i++)
        used += (size_t)snprintf(notes + used, room - used, "note problem other %s %.2f %.2f\n",
                                 event_text(setup, answer->other[i].event, event),
                                 shown(setup, answer->other[i].behind),
                                 shown(setup, answer->other[i].difference));
    if (answer->has_rest)
        used += (size_t)snprintf(notes + used, room - used, "note problem rest %.1f\n",
                                 shown(setup, answer->rest));
    record.notes_size = used;
    struct es_out out = {text, TEXT_BYTES - 1, 0};
    es_record_write(&record, &out);
    if (used >= room || !es_out_ok(&out))
        abort();
    text[out.used] = '\0';
    return out.used;
}

/* ---- Searching ------------------------------------------------------------------------------ */

/* Looks at one node; returns the size of the problem as text, 0 if it is none. */
static size_t look(const struct work *work, const struct es_node *node, char text[TEXT_BYTES],
                   char *about, size_t about_bytes)
{
    struct es_state view;
    struct answer answer;
    if (es_fold(work->setup, work->seen, node->at, &view))
        abort();
    if (!find_best(work, node, &view, &answer))
        return 0;
    struct estimate estimate = judge(work, node, &view, &answer);
    unsigned kind = game == &es_verplant ? verplant_kind(work, &view, answer.best.event)
                                         : metro_kind(work, &view, answer.best.event);
    snprintf(about, about_bytes, PROBLEM_ABOUT, work->number, work->number % SETS, kind,
             (unsigned)(node->at * 3 / work->seen_count), estimate.trivial, estimate.difficulty);
    return write_problem(work, node, &answer, &estimate, text);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned first_game, next_game, last_game, next_printed;
static char **results; /* by game, until they are printed */

/* Prints all games that are done and have none before them that is not. */
static void print_results(void)
{
    for (; next_printed <= last_game && results[next_printed - first_game]; next_printed++) {
        fputs(results[next_printed - first_game], stdout);
        free(results[next_printed - first_game]);
        results[next_printed - first_game] = NULL;
    }
    fflush(stdout);
}

static void *search(void *unused)
{
    struct work *work = make_work();
    char *text = malloc(TEXT_BYTES), about[128];
    if (!work || !text)
        abort();
    for (;;) {
        pthread_mutex_lock(&lock);
        unsigned number = next_game++;
        pthread_mutex_unlock(&lock);
        if (number > last_game)
            break;
        play(work, number);
        struct es_out out = {malloc(GAME_BYTES), GAME_BYTES - 1, 0};
        if (!out.at)
            abort();
        for (size_t i = 0; i < work->found; i++)
            if (!work->nodes[i].chance &&
                look(work, &work->nodes[i], text, about, sizeof about) > 0) {
                es_out_text(&out, about);
                es_out_text(&out, text);
                es_out_text(&out, PROBLEM_END);
            }
        if (!es_out_ok(&out))
            abort();
        out.at[out.used] = '\0';
        pthread_mutex_lock(&lock);
        results[number - first_game] = out.at;
        print_results();
        pthread_mutex_unlock(&lock);
    }
    free_work(work);
    free(text);
    return unused;
}

static int find(unsigned threads)
{
    pthread_t thread[THREADS_MAX];
    pthread_attr_t how;
    results = calloc(last_game - first_game + 1, sizeof *results);
    if (!results)
        abort();
    next_printed = next_game = first_game;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    for (unsigned t = 0; t < threads; t++)
        if (pthread_create(&thread[t], &how, search, NULL))
            abort();
    for (unsigned t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    free(results);
    return 0;
}

/* ---- Checking ------------------------------------------------------------------------------- */

/* Finds problems `first` to `last` of a file again, from 1. */
static int check(const char *path, unsigned first, unsigned last)
{
    char *file = problems_read(path), *at = file, *text = malloc(TEXT_BYTES), about[128];
    struct work *work = make_work();
    int status = file && work && text ? 0 : 1;
    for (unsigned n = 1; status == 0 && n <= last; n++) {
        char *end = strstr(at, PROBLEM_END), *from = strstr(at, PROBLEM_FROM);
        unsigned number, node_at;
        if (!end || !from || from > end ||
            sscanf(from, PROBLEM_FROM "%u %u", &number, &node_at) != 2) {
            fprintf(stderr, "problems: %s has no problem %u\n", path, n);
            status = 1;
            break;
        }
        if (n >= first) {
            size_t size = 0;
            play(work, number);
            for (size_t i = 0; i < work->found; i++)
                if (work->nodes[i].at == node_at && !work->nodes[i].chance)
                    size = look(work, &work->nodes[i], text, about, sizeof about);
            if (size != (size_t)(end - at) || memcmp(text, at, size) != 0) {
                fprintf(stderr, "problems: problem %u of %s is now:\n%s", n, path,
                        size > 0 ? text : "none\n");
                status = 1;
            }
        }
        at = end + strlen(PROBLEM_END);
    }
    free(file);
    free(text);
    free_work(work);
    return status;
}

static int usage(const char *what)
{
    fprintf(stderr, "problems: %s; training/problems.c says how it is used\n", what);
    return 2;
}

int main(int argc, char **argv)
{
    unsigned threads = 1, count = 0, from = 1, to = 0;
    const char *name = "", *path = NULL, *kept = NULL;
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (argv[i][0] != '-') {
            path = argv[i];
            continue;
        }
        if (strcmp(argv[i], "--game") == 0)
            name = value;
        else if (strcmp(argv[i], "--threads") == 0)
            threads = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--select") == 0)
            count = (unsigned)atoi(value);
        else if (strcmp(argv[i], "--keep") == 0)
            kept = value;
        else if (strcmp(argv[i], "--check") == 0 && sscanf(value, "%u-%u", &from, &to) == 2)
            ;
        else if (strcmp(argv[i], "--games") != 0 ||
                 sscanf(value, "%u-%u", &first_game, &last_game) != 2)
            return usage(argv[i]);
        i++;
    }
    if (threads < 1 || threads > THREADS_MAX || !prepare(name))
        return usage("no such game, or too many threads");
    if (path && count)
        return problems_select(path, kept, count, SETS);
    if (path)
        return check(path, from, to);
    return last_game < first_game ? usage("which games?") : find(threads);
}
