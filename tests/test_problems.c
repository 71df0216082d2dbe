/* Tests of the problems that the page ships: every one is a sound position, from its player's view,
 * with legal moves and numbers in order. With the argument `evaluate` some of them are evaluated
 * again. */
#include "check.h"
#include <endstation/analysis.h>

enum { SHIPPED = 150, OF_A_GAME = 2, EVENTS = 400, OTHERS = 7 };

static const char separator[] = "---\n";

/* A problem as it was read. */
struct problem {
    struct es_record record;
    struct es_state state;
    es_event events[EVENTS];
    unsigned game, at, difficulty, legal, samples;
    bool missed, tempting; /* some bot misses it; something else looks better */
    size_t others, same;
    es_event best, other[OTHERS], also[EVENTS];
    double behind[OTHERS], error[OTHERS], rest; /* rest: below 0 if there is none */
};

static struct es_map map;

static void read_event(const struct problem *p, struct es_str text, es_event *event)
{
    const struct es_setup *setup = &p->record.setup;
    struct es_state after = p->state;
    assert_int_equal(setup->game->parse(setup, text, event), ES_OK);
    assert_int_equal(setup->game->apply(setup, &after, *event), ES_OK);
}

/* Cuts the last word off, which is a number. */
static double cut_number(struct es_str *text)
{
    size_t size = text->size;
    while (size > 0 && text->at[size - 1] != ' ')
        size--;
    assert_true(size > 0);
    double number = strtod(text->at + size, NULL);
    text->size = size - 1;
    return number;
}

static void read_note(struct problem *p, struct es_str text)
{
    struct es_str word;
    char line[128];
    assert_true(es_str_word(&text, &word));
    text = es_str_trim(text);
    assert_true(es_str_copy(text, line, sizeof line));
    if (es_str_is(word, "from")) {
        assert_int_equal(sscanf(line, "%u %u", &p->game, &p->at), 2);
    } else if (es_str_is(word, "difficulty")) {
        assert_int_equal(
            sscanf(line, "%u legal %u samples %u", &p->difficulty, &p->legal, &p->samples), 3);
    } else if (es_str_is(word, "best")) {
        read_event(p, text, &p->best);
    } else if (es_str_is(word, "missed")) {
        unsigned n[8];
        assert_int_equal(sscanf(line, "greedy %u/%u casual %u/%u strong %u/%u master %u/%u", &n[0],
                                &n[1], &n[2], &n[3], &n[4], &n[5], &n[6], &n[7]),
                         8);
        p->missed = n[0] + n[2] + n[4] + n[6] > 0;
    } else if (es_str_is(word, "tempting")) {
        es_event event;
        read_event(p, text, &event);
        assert_true(event != p->best);
        p->tempting = true;
    } else if (es_str_is(word, "same")) {
        read_event(p, text, &p->also[p->same++]);
    } else if (es_str_is(word, "other")) {
        assert_true(p->others < OTHERS);
        p->error[p->others] = cut_number(&text);
        p->behind[p->others] = cut_number(&text);
        read_event(p, text, &p->other[p->others++]);
    } else {
        assert_true(es_str_is(word, "rest"));
        p->rest = strtod(line, NULL);
    }
}

static void read_problem(struct es_str text, struct problem *p)
{
    struct es_fault fault;
    struct es_str word, note;
    size_t at = 0;
    memset(p, 0, sizeof *p);
    p->rest = -1;
    p->record.events = p->events;
    p->record.capacity = EVENTS;
    if (es_record_read(&p->record, text, NULL, &map, &p->state, &fault))
        fail_msg("line %d: %s", fault.line, fault.reason);
    while (es_record_note(&p->record, &at, &word, &note)) {
        struct es_str about;
        assert_true(es_str_is(word, "note"));
        assert_true(es_str_word(&note, &about));
        assert_true(es_str_is(about, "problem"));
        read_note(p, note);
    }
}

/* Reads a whole file, with a zero after it; to be freed. */
static char *read_file(const char *path)
{
    enum { MOST = 1 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = malloc(MOST);
    assert_non_null(file);
    assert_non_null(text);
    size_t size = fread(text, 1, MOST, file);
    assert_true(size < MOST);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Calls back for every problem of a game; returns their number. */
static size_t for_each(const char *game, void (*act)(size_t n, struct es_str text, void *context),
                       void *context)
{
    char path[64];
    size_t count = 0;
    snprintf(path, sizeof path, "../web/games/%s/problems.records", game);
    char *text = read_file(path);
    for (char *end, *at = text; *at; at = end + strlen(separator)) {
        end = strstr(at, separator);
        assert_non_null(end);
        act(count++, (struct es_str){at, (size_t)(end - at)}, context);
    }
    free(text);
    return count;
}

static int32_t mistake(const struct problem *p)
{
    return es_label_least(&p->record.setup, ES_LABEL_MISTAKE);
}

/* ---- All of them ---------------------------------------------------------------------------- */

struct seen {
    unsigned difficulty, trivial, games[SHIPPED * 2][2], count;
    size_t samples;
};

static void check_moves(const struct problem *p, int player)
{
    const struct es_setup *setup = &p->record.setup;
    es_event legal[ES_LEGAL_MAX];
    assert_int_equal(setup->game->legal(setup, &p->state, player, legal), p->legal);
    assert_int_equal(ES_EVENT_WHO(p->best), player);
    double least = (double)mistake(p) / ES_VALUE_ONE * (setup->players == 1 ? 1 : 100);
    assert_true(p->others > 0);
    for (size_t i = 0; i < p->others; i++) {
        assert_int_equal(ES_EVENT_WHO(p->other[i]), player);
        assert_true(p->other[i] != p->best);
        /* Both are rounded to hundredths. */
        assert_true(p->behind[i] >= least - 0.005);
        assert_true(p->behind[i] >= 5 * p->error[i] - 0.03);
        assert_true(i == 0 || p->behind[i] >= p->behind[i - 1]);
        for (size_t k = 0; k < i; k++)
            assert_true(p->other[i] != p->other[k]);
    }
    /* Everything that is not listed is in `rest`. */
    assert_int_equal(p->rest >= 0, 1 + p->same + p->others < p->legal);
    assert_true(p->rest < 0 || p->rest > 0);
    for (size_t i = 0; i < p->same; i++) {
        struct es_state a = p->state, b = p->state;
        assert_int_equal(setup->game->apply(setup, &a, p->best), ES_OK);
        assert_int_equal(setup->game->apply(setup, &b, p->also[i]), ES_OK);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void check_problem(size_t n, struct es_str text, void *context)
{
    static struct problem p;
    struct seen *seen = context;
    (void)n;
    read_problem(text, &p);
    const struct es_setup *setup = &p.record.setup;
    struct es_turn turn = setup->game->turn(setup, &p.state);
    assert_int_equal(turn.kind, ES_TURN_PLAYERS);
    int player = __builtin_ctz(turn.players) + 1;
    check_moves(&p, player);
    /* Nothing is in it that the player may not see. */
    es_event known[EVENTS];
    assert_int_equal(p.record.count, p.at);
    assert_int_equal(setup->game->observe(setup, &p.state, p.events, p.record.count, player, known),
                     p.record.count);
    assert_memory_equal(known, p.events, p.record.count * sizeof *known);
    assert_true(p.samples >= seen->samples);
    assert_true(p.difficulty >= seen->difficulty);
    assert_true(p.difficulty <= 100);
    seen->difficulty = p.difficulty;
    seen->trivial += !p.missed && !p.tempting;
    unsigned same = 0;
    assert_true(seen->count < SHIPPED * 2);
    for (unsigned i = 0; i < seen->count; i++) {
        same += seen->games[i][0] == p.game;
        assert_true(seen->games[i][0] != p.game || seen->games[i][1] != p.at);
    }
    assert_true(same < OF_A_GAME);
    seen->games[seen->count][0] = p.game;
    seen->games[seen->count++][1] = p.at;
}

static void check_game(const char *game, size_t samples)
{
    static struct seen seen;
    seen = (struct seen){.samples = samples};
    assert_int_equal(for_each(game, check_problem, &seen), SHIPPED);
    assert_true(seen.trivial <= SHIPPED / 5);
}

static void verplant_problems_are_sound(void **state)
{
    (void)state;
    check_game("verplant", 1000);
}

static void metro_problems_are_sound(void **state)
{
    (void)state;
    check_game("metro", 2000);
}

/* ---- Some again ----------------------------------------------------------------------------- */

enum { EVERY = 15 };

/* On as many other samples the same event is the best: with fewer, a gap of five standard errors
 * could not be told from three. */
static void evaluate_again(size_t n, struct es_str text, void *context)
{
    static struct problem p;
    es_event events[OTHERS + 1];
    struct es_value values[ES_VALUES_MAX];
    (void)context;
    if (n % EVERY != 0)
        return;
    read_problem(text, &p);
    const struct es_sampling sampling = {.memory = check_memory(),
                                         .seed = 5,
                                         .samples = p.samples,
                                         .careful = true,
                                         .calibrated = true};
    events[0] = p.best;
    memcpy(events + 1, p.other, p.others * sizeof *events);
    assert_int_equal(es_evaluate(&p.record.setup, &p.state, ES_EVENT_WHO(p.best), events,
                                 p.others + 1, &sampling, values),
                     ES_OK);
    for (size_t i = 1; i <= p.others; i++) {
        assert_true(values[i].behind > mistake(&p) / 2);
        assert_true(values[i].behind > 3 * values[i].difference);
    }
}

static void best_moves_are_found_again(void **state)
{
    (void)state;
    assert_int_equal(for_each("verplant", evaluate_again, NULL), SHIPPED);
    assert_int_equal(for_each("metro", evaluate_again, NULL), SHIPPED);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest sound[] = {cmocka_unit_test(verplant_problems_are_sound),
                                       cmocka_unit_test(metro_problems_are_sound)};
    const struct CMUnitTest again[] = {cmocka_unit_test(best_moves_are_found_again)};
    if (argc > 1 && strcmp(argv[1], "evaluate") == 0)
        return cmocka_run_group_tests(again, NULL, NULL);
    return cmocka_run_group_tests(sound, NULL, NULL);
}
