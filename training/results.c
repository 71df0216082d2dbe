/* Plays solo games of bots and counts their points: what a result is compared with. Writes the file
 * alone.results of a game's folder; docs/formats.md says what its lines mean.
 *
 *     cmake --build build --target results
 *     build/results --game GAME --levels A,B --games FROM-TO [--sheets A,B] [--rules A,B]
 *         [--threads N] >chunk
 *     build/results --merge chunk… >src/games/GAME/alone.results
 *
 * A game is a function of its number and the level: its cards come from the fair shuffle, the same
 * for all levels. So the output is the same with any number of threads, and chunks of numbers can
 * run anywhere and be merged. --merge also takes an alone.results, to add games to it.
 */
#include <endstation/bots.h>
#include <endstation/map.h>
#include <endstation/record.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EVENTS = 4096,
    THREADS_MAX = 64,
    STACK_BYTES = 1 << 20,
    LISTS_MAX = 512, /* lines of a file */
    RANGES_MAX = 64,
    POINTS_MAX = 1023, /* and least: the negative of it */
    WORD_BYTES = 64,
    LINE_BYTES = 64 << 10,
};

/* The points of one level on one sheet. */
struct list {
    char sheet[ES_MAP_ID_BYTES], hash[ES_MAP_HASH_BYTES];
    char rules[WORD_BYTES], level[WORD_BYTES];
    struct range {
        unsigned from, to;
    } range[RANGES_MAX];
    int ranges;
    unsigned count[2 * POINTS_MAX + 1];
    /* Only while games are played. */
    struct es_setup setup;
    struct es_map *map;
    struct es_bot bot;
};

static struct list *lists;
static int list_count;
static const struct es_game *game;

static int fail(const char *what, const char *about)
{
    fprintf(stderr, "results: %s%s%s\n", what, about ? ": " : "", about ? about : "");
    return 1;
}

static struct list *new_list(void)
{
    if (list_count == LISTS_MAX)
        exit(fail("too many lines", NULL));
    return &lists[list_count++];
}

/* ---- Playing -------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned next_job, jobs, first_game;

/* Returns the points of a game. */
static int play(const struct list *list, unsigned number, es_event *events, es_event *seen,
                void *memory)
{
    const struct es_setup *setup = &list->setup;
    const uint8_t seed[ES_SEED_BYTES] = {(uint8_t)number, (uint8_t)(number >> 8),
                                         (uint8_t)(number >> 16), 44};
    struct es_state state, view;
    struct es_random random;
    size_t count = 0;
    es_random_seed(&random, number);
    game->start(setup, &state);
    for (struct es_turn turn; (turn = game->turn(setup, &state)).kind != ES_TURN_OVER;) {
        es_event event;
        if (turn.kind == ES_TURN_CHANCE) {
            event = game->deal(setup, &state, seed);
        } else {
            struct es_thought thought = {.memory = memory, .seed = es_random_next(&random)};
            es_view(setup, &state, events, count, 1, seen, &view);
            event = list->bot.think(&list->bot, setup, &view, 1, &thought);
        }
        if (count == EVENTS || game->apply(setup, &state, event))
            abort();
        events[count++] = event;
    }
    return game->score(setup, &state, 1);
}

static void *work(void *unused)
{
    es_event *events = calloc(EVENTS, sizeof *events), *seen = calloc(EVENTS, sizeof *seen);
    void *memory = malloc(es_bot_bytes(game));
    if (!events || !seen || !memory)
        abort();
    for (;;) {
        pthread_mutex_lock(&lock);
        unsigned job = next_job++;
        if (job > 0 && job % 500 == 0)
            fprintf(stderr, "%u of %u games\n", job, jobs);
        pthread_mutex_unlock(&lock);
        if (job >= jobs)
            break;
        struct list *list = &lists[job % (unsigned)list_count];
        int points = play(list, first_game + job / (unsigned)list_count, events, seen, memory);
        if (points < -POINTS_MAX || points > POINTS_MAX)
            abort();
        pthread_mutex_lock(&lock);
        list->count[points + POINTS_MAX]++;
        pthread_mutex_unlock(&lock);
    }
    free(events);
    free(seen);
    free(memory);
    return unused;
}

static void run_threads(unsigned threads)
{
    pthread_t thread[THREADS_MAX];
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    for (unsigned t = 0; t < threads; t++)
        if (pthread_create(&thread[t], &how, work, NULL))
            abort();
    for (unsigned t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
}

/* Returns the next of some words that are separated by commas; false after the last. */
static bool next_name(struct es_str *rest, struct es_str *name)
{
    const char *comma = rest->size ? memchr(rest->at, ',', rest->size) : NULL;
    if (rest->size == 0)
        return false;
    name->at = rest->at;
    name->size = comma ? (size_t)(comma - rest->at) : rest->size;
    size_t cut = name->size + (comma ? 1 : 0);
    *rest = (struct es_str){rest->at + cut, rest->size - cut};
    return true;
}

/* Adds a list for a level on a sheet. */
static int add_list(struct es_map *map, struct es_str level, const char *rules)
{
    struct list *list = new_list();
    struct es_str rest = es_str(rules ? rules : ""), word;
    list->map = map;
    list->setup = (struct es_setup){.game = game, .players = 1, .map = map};
    while (next_name(&rest, &word)) {
        uint32_t bit = es_game_rule(game, word);
        if (!bit)
            return fail("no such rule", rules);
        list->setup.rules |= bit;
    }
    struct es_out out = {list->rules, sizeof list->rules - 1, 0};
    for (int i = 0; game->rules[i]; i++)
        if (list->setup.rules >> i & 1) {
            if (out.used > 0)
                es_out_char(&out, '+');
            es_out_text(&out, game->rules[i]);
        }
    if (out.used == 0)
        es_out_char(&out, '-');
    if (!es_out_ok(&out) || !es_str_copy(level, list->level, sizeof list->level) ||
        es_setup_prepare(&list->setup) || es_bot_named(game, level, &list->bot))
        return fail("cannot be played alone by", list->level);
    memcpy(list->sheet, map->id, sizeof list->sheet);
    memcpy(list->hash, map->hash, sizeof list->hash);
    return 0;
}

/* Returns true if a list of names, separated by commas, has this one; also if there is no list. */
static bool listed(const char *names, const char *name)
{
    struct es_str rest = es_str(names ? names : ""), one;
    while (next_name(&rest, &one))
        if (es_str_is(one, name))
            return true;
    return !names;
}

/* Adds the lists of those of some built-in sheets whose ids are asked for. */
static int add_sheets(const struct es_builtin_map *builtin, const char *sheets, const char *levels,
                      const char *rules)
{
    for (; builtin->id; builtin++) {
        struct es_fault fault;
        struct es_str rest = es_str(levels), level;
        if (!listed(sheets, builtin->id))
            continue;
        struct es_map *map = malloc(sizeof *map);
        if (!map || es_map_read(map, builtin->text, &fault))
            abort();
        while (next_name(&rest, &level))
            if (add_list(map, level, rules))
                return 1;
    }
    return 0;
}

/* Games on earlier versions of sheets are compared with bots on these. */
static int prepare(const char *sheets, const char *levels, const char *rules)
{
    if (add_sheets(es_builtin_maps, sheets, levels, rules) ||
        add_sheets(es_earlier_maps, sheets, levels, rules))
        return 1;
    return list_count > 0 ? 0 : fail("there is no such sheet", sheets);
}

/* ---- Files ---------------------------------------------------------------------------------- */

/* Adds the games from..to; 1 if the list has one of them already. */
static int add_range(struct list *list, unsigned from, unsigned to)
{
    int at = 0;
    while (at < list->ranges && list->range[at].to < from)
        at++;
    if (list->ranges == RANGES_MAX || from > to ||
        (at < list->ranges && list->range[at].from <= to))
        return fail("games counted twice", list->sheet);
    memmove(&list->range[at + 1], &list->range[at],
            (size_t)(list->ranges - at) * sizeof *list->range);
    list->range[at] = (struct range){from, to};
    list->ranges++;
    for (int i = 0; i + 1 < list->ranges;) {
        if (list->range[i].to + 1 != list->range[i + 1].from) {
            i++;
            continue;
        }
        list->range[i].to = list->range[i + 1].to;
        list->ranges--;
        memmove(&list->range[i + 1], &list->range[i + 2],
                (size_t)(list->ranges - i - 1) * sizeof *list->range);
    }
    return 0;
}

static struct list *find_list(const struct list *like)
{
    for (int i = 0; i < list_count; i++)
        if (strcmp(lists[i].hash, like->hash) == 0 && strcmp(lists[i].rules, like->rules) == 0 &&
            strcmp(lists[i].level, like->level) == 0)
            return &lists[i];
    struct list *list = new_list();
    memcpy(list->sheet, like->sheet, sizeof list->sheet);
    memcpy(list->hash, like->hash, sizeof list->hash);
    memcpy(list->rules, like->rules, sizeof list->rules);
    memcpy(list->level, like->level, sizeof list->level);
    return list;
}

/* Adds what a line counts. */
static int merge_line(char *line)
{
    static struct list like;
    char *words = strtok(line, " "), *saved = NULL;
    char *cell[5] = {words};
    for (int i = 1; i < 5; i++)
        cell[i] = strtok(NULL, " ");
    if (!cell[4])
        return fail("a line is too short", words);
    bool good = es_str_copy(es_str(cell[0]), like.sheet, sizeof like.sheet) &&
                es_str_copy(es_str(cell[1]), like.hash, sizeof like.hash) &&
                es_str_copy(es_str(cell[2]), like.rules, sizeof like.rules) &&
                es_str_copy(es_str(cell[3]), like.level, sizeof like.level);
    if (!good)
        return fail("a word is too long", words);
    struct list *list = find_list(&like);
    unsigned games = 0, counted = 0, from, to, count;
    int points;
    for (char *pair; (pair = strtok(NULL, " "));) {
        if (sscanf(pair, "%d:%u", &points, &count) != 2 || abs(points) > POINTS_MAX)
            return fail("not POINTS:COUNT", pair);
        list->count[points + POINTS_MAX] += count;
        counted += count;
    }
    for (char *one = strtok_r(cell[4], ",", &saved); one; one = strtok_r(NULL, ",", &saved)) {
        if (sscanf(one, "%u-%u", &from, &to) != 2 || add_range(list, from, to))
            return fail("not a range of games", one);
        games += to - from + 1;
    }
    return games == counted ? 0 : fail("counts do not add up", list->level);
}

static int merge_file(const char *path)
{
    static char line[LINE_BYTES];
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file) || strcmp(line, "endstation-results 1\n") != 0 ||
        !fgets(line, sizeof line, file) || strncmp(line, "game ", 5) != 0)
        return fail("not a file of results", path);
    line[strcspn(line, "\n")] = '\0';
    const struct es_game *named = es_game_named(es_str(line + 5));
    if (!named || (game && game != named))
        return fail("of another game", path);
    game = named;
    int status = 0;
    while (status == 0 && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        status = merge_line(line);
    }
    fclose(file);
    return status;
}

static int level_number(const char *level)
{
    int i = 0;
    while (es_bot_level(game, i) && strcmp(es_bot_level(game, i), level) != 0)
        i++;
    return i;
}

static int by_name(const void *a, const void *b)
{
    const struct list *x = a, *y = b;
    int order = strcmp(x->sheet, y->sheet);
    order = order ? order : strcmp(x->hash, y->hash);
    order = order ? order : strcmp(x->rules, y->rules);
    return order ? order : level_number(x->level) - level_number(y->level);
}

static void write_lists(void)
{
    qsort(lists, (size_t)list_count, sizeof *lists, by_name);
    printf("endstation-results 1\ngame %s\n", game->name);
    for (int i = 0; i < list_count; i++) {
        const struct list *list = &lists[i];
        printf("%s %s %s %s ", list->sheet, list->hash, list->rules, list->level);
        for (int r = 0; r < list->ranges; r++)
            printf("%s%u-%u", r ? "," : "", list->range[r].from, list->range[r].to);
        for (int p = -POINTS_MAX; p <= POINTS_MAX; p++)
            if (list->count[p + POINTS_MAX])
                printf(" %d:%u", p, list->count[p + POINTS_MAX]);
        putchar('\n');
    }
}

/* ---- The program ---------------------------------------------------------------------------- */

static int run(const char *levels, const char *sheets, const char *rules, unsigned last,
               unsigned threads)
{
    if (prepare(sheets, levels, rules))
        return 1;
    jobs = (last - first_game + 1) * (unsigned)list_count;
    run_threads(threads);
    for (int i = 0; i < list_count; i++)
        if (add_range(&lists[i], first_game, last))
            return 1;
    write_lists();
    return 0;
}

int main(int argc, char **argv)
{
    const char *name = NULL, *levels = NULL, *sheets = NULL, *rules = NULL, *games = NULL;
    unsigned last = 0, threads = 1;
    lists = calloc(LISTS_MAX, sizeof *lists);
    if (!lists)
        abort();
    if (argc > 2 && strcmp(argv[1], "--merge") == 0) {
        for (int i = 2; i < argc; i++)
            if (merge_file(argv[i]))
                return 1;
        write_lists();
        return 0;
    }
    for (int i = 1; i + 1 < argc; i += 2) {
        const char *option = argv[i], *value = argv[i + 1];
        if (strcmp(option, "--game") == 0)
            name = value;
        else if (strcmp(option, "--levels") == 0)
            levels = value;
        else if (strcmp(option, "--sheets") == 0)
            sheets = value;
        else if (strcmp(option, "--rules") == 0)
            rules = value;
        else if (strcmp(option, "--games") == 0)
            games = value;
        else if (strcmp(option, "--threads") != 0 || sscanf(value, "%u", &threads) != 1)
            return fail("unknown option", option);
    }
    game = name ? es_game_named(es_str(name)) : NULL;
    if (!game || !levels || !games || sscanf(games, "%u-%u", &first_game, &last) != 2 ||
        first_game > last || last >= 1u << 24 || threads < 1 || threads > THREADS_MAX)
        return fail("--game GAME --levels A,B --games FROM-TO, or --merge FILE…", NULL);
    return run(levels, sheets, rules, last, threads);
}
