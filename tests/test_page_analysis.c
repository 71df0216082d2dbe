/* Tests of the analysis of a session (analysis.h): its nodes, their results as lines, which may be
 * missing or hostile, the JSON and the chart. */
#include "page/analysis.h"
#include "page_table.h"
#include <endstation/chart.h>

enum { NODES = 400 };

/* A sheet with few windows, so that games are short. */
static const char small_map[] = "endstation-map 1\n"
                                "id small\n"
                                "title Small\n"
                                "paper ffffff\n"
                                "station a 0 0\n"
                                "station b 1 0\n"
                                "station c 2 0\n"
                                "station d 3 0\n"
                                "station e 0 1\n"
                                "station f 1 1\n"
                                "station g 2 1\n"
                                "station h 3 1\n"
                                "line A ff0000 windows 2 points 5 3 wagon -1 0 : a b c d\n"
                                "line B 00ff00 windows 1 points 4 2 wagon -1 1 : e f g h\n"
                                "line C 0000ff windows 2 points 6 4 wagon 0 -1 : a e\n";

static const char alone[] = HEAD "verplant\nmap small\nplayers 1\n\n";
static const char together[] = HEAD "verplant\nmap small\nplayers 2\n\n";
static const char metro[] = HEAD "metro\nplayers 2\n\n";

static void *memory; /* for the functions of analysis.h */
static struct es_fault fault;
/* The lines of a game's nodes, each with its end. */
static char line[NODES][ES_NODE_BYTES + 2];
static size_t nodes;

/* ---- Games ---------------------------------------------------------------------------------- */

/* Opens a game and plays random events, until there are `events` of them or it is over. */
static void play(const char *record, uint64_t seed, size_t events)
{
    struct es_random random;
    es_random_seed(&random, seed);
    assert_int_equal(es_page_map(&page, es_str(small_map), &fault), ES_OK);
    open_game(record);
    while (page.record.count < events && play_on(&random))
        ;
    free(memory);
    memory = malloc(es_page_analysis_bytes(&page));
    assert_non_null(memory);
}

static const char *nodes_of(int player)
{
    struct es_out out = {answer, sizeof answer, 0};
    assert_int_equal(es_page_nodes(&page, player, memory, &out), ES_OK);
    return checked(&out);
}

static size_t count_of(const char *text, const char *words)
{
    size_t count = 0;
    for (; (text = strstr(text, words)); text += strlen(words))
        count++;
    return count;
}

/* Evaluates every node of a player's game, from the last to the first. */
static void run_all(int player)
{
    nodes = count_of(nodes_of(player), "\"at\":");
    assert_in_range(nodes, 1, NODES);
    for (size_t i = nodes; i-- > 0;) {
        struct es_out out = {line[i], sizeof line[i] - 2, 0};
        assert_int_equal(es_page_node(&page, player, i, memory, &out), ES_OK);
        assert_true(es_out_ok(&out));
        memcpy(line[i] + out.used, "\n", 2);
    }
}

static struct es_str lines(void)
{
    static char text[NODES * (ES_NODE_BYTES + 2)];
    struct es_out out = {text, sizeof text, 0};
    for (size_t i = 0; i < nodes; i++)
        es_out_text(&out, line[i]);
    assert_true(es_out_ok(&out));
    return (struct es_str){text, out.used};
}

static const char *analysis_of(int player)
{
    struct es_out out = {answer, sizeof answer, 0};
    if (es_page_analysis(&page, player, lines(), memory, &out, &fault))
        fail_msg("line %d: %s", fault.line, fault.reason);
    return checked(&out);
}

static const char *chart_of(int player, const struct es_page_chart_look *look)
{
    struct es_svg svg;
    es_svg_open(&svg, answer, sizeof answer - 1);
    if (es_page_chart(&page, player, lines(), look, memory, &svg, &fault))
        fail_msg("line %d: %s", fault.line, fault.reason);
    assert_true(es_out_ok(&svg.out));
    answer[svg.out.used] = '\0';
    return answer;
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

static void nodes_are_listed_with_what_happened(void **unused)
{
    (void)unused;
    play(alone, 1, 0);
    assert_string_equal(nodes_of(1), "{\"player\":1,\"unit\":\"points\",\"nodes\":[{\"at\":0,"
                                     "\"kind\":\"chance\",\"open\":true}]}");
    make("card 4");
    make("1 A4");
    memory = realloc(memory, es_page_analysis_bytes(&page));
    assert_string_equal(nodes_of(1), "{\"player\":1,\"unit\":\"points\",\"nodes\":["
                                     "{\"at\":0,\"kind\":\"chance\",\"event\":\"card 4\"},"
                                     "{\"at\":1,\"kind\":\"decision\",\"event\":\"1 A4\"},"
                                     "{\"at\":2,\"kind\":\"chance\",\"open\":true}]}");
    play(together, 1, 1);
    has(nodes_of(2), "{\"player\":2,\"unit\":\"win\",");
}

/* The place of a node is a moment that es_page_seek() finds: what came or was played is next. */
static void nodes_are_found_by_seeking(void **unused)
{
    (void)unused;
    play(metro, 3, 40);
    for (int player = 1; player <= 2; player++) {
        char text[4096];
        strcpy(text, nodes_of(player));
        size_t seen = 0;
        for (const char *at = text; (at = strstr(at, "{\"at\":")); at++) {
            size_t n = strtoul(at + 6, NULL, 10);
            es_page_seek(&page, player, n);
            has(state_of(player), "\"events\":");
            size_t cursor = strtoul(strstr(answer, "\"cursor\":") + 9, NULL, 10);
            assert_int_equal(cursor, n);
            seen++;
        }
        assert_true(seen > 10);
    }
    /* The analysis does not depend on the cursor. */
    char text[4096];
    es_page_seek(&page, 0, 3);
    strcpy(text, nodes_of(1));
    es_page_seek(&page, 0, SIZE_MAX);
    assert_string_equal(nodes_of(1), text);
}

static void impossible_questions_are_refused(void **unused)
{
    (void)unused;
    struct es_out out = {answer, sizeof answer, 0};
    play(alone, 1, 3);
    assert_int_equal(es_page_nodes(&page, 0, memory, &out), ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_nodes(&page, 2, memory, &out), ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_node(&page, 2, 0, memory, &out), ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_node(&page, 1, 999, memory, &out), ES_NUMBER_RANGE);
    assert_int_equal(es_page_node(&page, 1, SIZE_MAX, memory, &out), ES_NUMBER_RANGE);
    assert_int_equal(es_page_hindsight(&page, 2, memory, &out), ES_PLAYER_UNKNOWN);
    assert_int_equal(es_page_analysis(&page, 2, es_str(""), memory, &out, &fault),
                     ES_PLAYER_UNKNOWN);
    assert_int_equal(fault.line, 0);
    open_game(HEAD "depot\nplayers 2\n\n");
    assert_int_equal(es_page_nodes(&page, 1, memory, &out), ES_ANALYSIS_NONE);
    assert_int_equal(es_page_analysis(&page, 1, es_str(""), memory, &out, &fault),
                     ES_ANALYSIS_NONE);
    assert_int_equal(out.used, 0);
}

/* ---- The whole ------------------------------------------------------------------------------ */

/* Returns a number of an object as a multiple of 1/65536, in which all are exact; 0 if it is not
 * there before `end`. */
static long number_in(const char *object, const char *name, const char *end)
{
    char key[32];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(object, key);
    if (!at || (end && at > end))
        return 0;
    double value = strtod(at + strlen(key), NULL) * ES_VALUE_ONE;
    return (long)(value < 0 ? value - 0.5 : value + 0.5);
}

/* value + luck - loss + others + correction is the next value, and after the last the result. */
static void expect_telescope(const char *text)
{
    long value = number_in(text, "start", NULL), luck = 0, loss = 0, others = 0, correction = 0;
    const char *end = strstr(text, "\"nodes\":");
    size_t seen = 0;
    for (const char *at = end; (at = strstr(at, "{\"at\":")); at++, seen++) {
        /* What follows are alternatives. */
        const char *stop = strstr(at, "\"legal\":");
        assert_non_null(stop);
        assert_int_equal(number_in(at, "value", stop), value);
        value += number_in(at, "luck", stop) - number_in(at, "loss", stop) +
                 number_in(at, "others", stop) + number_in(at, "correction", stop);
        luck += number_in(at, "luck", stop);
        loss += number_in(at, "loss", stop);
        others += number_in(at, "others", stop);
        correction += number_in(at, "correction", stop);
    }
    assert_int_equal(seen, nodes);
    assert_int_equal(value, number_in(text, "result", end));
    assert_int_equal(luck, number_in(text, "luck", end));
    assert_int_equal(loss, number_in(text, "loss", end));
    assert_int_equal(others, number_in(text, "others", end));
    assert_int_equal(correction, number_in(text, "correction", end));
    assert_int_equal(number_in(text, "withoutLuck", end), value - luck);
}

static void sums_telescope(void **unused)
{
    (void)unused;
    static const char *const records[] = {alone, alone, together, metro};
    static const size_t events[] = {NODES, 7, NODES, 21};
    for (int i = 0; i < 4; i++) {
        play(records[i], 5, events[i]);
        run_all(1);
        const char *text = analysis_of(1);
        has(text, "\"complete\":true,\"start\":");
        has(text, events[i] == NODES ? "\"over\":true" : "\"over\":false");
        expect_telescope(text);
        if (i == 0)
            assert_int_equal(number_in(text, "result", NULL),
                             page.record.setup.game->score(&page.record.setup, &page.state, 1) *
                                 ES_VALUE_ONE);
    }
}

/* Each decision names the event that was found best, and one that was clearly worse says why. */
static void decisions_name_the_best_event(void **unused)
{
    (void)unused;
    play(alone, 5, NODES);
    run_all(1);
    const char *text = analysis_of(1);
    size_t decisions = count_of(text, "\"kind\":\"decision\"");
    assert_int_equal(count_of(text, "\"best\":"), decisions);
    size_t why = 0;
    for (const char *at = text; (at = strstr(at, "\"kind\":\"decision\"")); at++) {
        const char *next = strstr(at, "{\"at\":"), *reason = strstr(at, "\"why\":[");
        const char *best = strstr(at, "\"best\":\"") + 8, *first = strstr(at, "\"events\":[{");
        bool has_reason = reason && (!next || reason < next);
        assert_memory_equal(best, strstr(first, "\"event\":\"") + 9, strcspn(best, "\"") + 1);
        assert_int_equal(has_reason,
                         number_in(at, "loss", next) > 2 * number_in(at, "lossError", next));
        why += has_reason;
    }
    assert_in_range(why, 1, decisions - 1);
}

/* ---- Parts of it ---------------------------------------------------------------------------- */

static void missing_results_are_left_out(void **unused)
{
    (void)unused;
    play(alone, 5, NODES);
    run_all(1);
    static char whole[1 << 16];
    strcpy(whole, analysis_of(1));
    for (size_t i = 0; i < nodes; i++)
        if (i % 3)
            strcpy(line[i], "\n");
    const char *text = analysis_of(1);
    has(text, "\"over\":true,\"complete\":false,\"worst\":[");
    assert_int_equal(count_of(text, "\"at\":"), nodes);
    assert_int_equal(count_of(text, "\"samples\":"), (nodes + 2) / 3);
    static const char *const sums[] = {"start",  "result",     "withoutLuck", "decisions",
                                       "others", "correction", "blunder\":",  NULL};
    for (int i = 0; sums[i]; i++)
        has_not(text, sums[i]);
    /* A node without result has what the list of nodes has; the others are as in the whole. */
    size_t i = 0;
    for (const char *at = text; (at = strstr(at, "{\"at\":")); at++, i++) {
        const char *there = strstr(whole, "\"nodes\":");
        size_t bare = strcspn(at, "}");
        for (size_t k = 0; k <= i; k++)
            there = strstr(there + 1, "{\"at\":");
        if (i % 3) {
            assert_null(memchr(at, '[', bare));
            assert_memory_equal(at, there, bare - 1);
        } else {
            assert_memory_equal(at, there, (size_t)(strstr(at, "\"error\":") - at));
        }
    }
    for (i = 0; i < nodes; i++)
        strcpy(line[i], "\n");
    text = analysis_of(1);
    has(text, "\"complete\":false,\"worst\":[],\"nodes\":[");
    has_not(text, "value");
}

/* ---- Results that were changed -------------------------------------------------------------- */

static struct es_node_result result_of(size_t i)
{
    struct es_node_result result;
    assert_true(es_node_read((struct es_str){line[i], strlen(line[i]) - 1}, &result));
    return result;
}

static void set_result(size_t i, const struct es_node_result *result)
{
    struct es_out out = {line[i], sizeof line[i] - 2, 0};
    es_node_write(result, &out);
    assert_true(es_out_ok(&out));
    memcpy(line[i] + out.used, "\n", 2);
}

static bool is_decision(const char *text, size_t i)
{
    const char *at = strstr(text, "\"nodes\":");
    for (size_t k = 0; k <= i; k++)
        at = strstr(at + 1, "{\"at\":");
    return strncmp(strchr(at, ','), ",\"kind\":\"decision\"", 18) == 0;
}

/* Makes the move played at a node so much worse than another one, in points. */
static void set_loss(size_t i, double points)
{
    struct es_node_result result = result_of(i);
    int32_t loss = (int32_t)(points * ES_VALUE_ONE);
    es_event played = result.value[result.played].event;
    assert_true(result.count > 1);
    es_event other = result.value[result.played == 0].event;
    result.count = 2;
    result.played = 1;
    result.loss = loss;
    result.loss_error = loss / 8;
    result.after = result.before - loss;
    result.value[0] = (struct es_value){.event = other, .mean = result.before};
    result.value[1] = (struct es_value){
        .event = played, .mean = result.before - loss, .behind = loss, .difference = loss / 8};
    set_result(i, &result);
}

static void the_largest_losses_come_first(void **unused)
{
    (void)unused;
    size_t decision[NODES], count = 0;
    play(alone, 5, NODES);
    run_all(1);
    static char text[1 << 16];
    strcpy(text, analysis_of(1));
    for (size_t i = 0; i < nodes; i++)
        if (is_decision(text, i)) {
            decision[count++] = i;
            set_loss(i, 0.25); /* too little for a label */
        }
    assert_true(count >= 5);
    has(analysis_of(1), "\"worst\":[],");
    static const double loss[] = {1, 4, 2, 4, 0.6};
    for (int k = 0; k < 5; k++)
        set_loss(decision[k], loss[k]);
    char wanted[64];
    snprintf(wanted, sizeof wanted, "\"worst\":[%zu,%zu,%zu],", decision[1], decision[3],
             decision[2]);
    has(analysis_of(1), wanted);
    has(answer, "\"inaccuracy\":2,\"mistake\":1,\"blunder\":2,");
    set_loss(decision[4], 9);
    snprintf(wanted, sizeof wanted, "\"worst\":[%zu,%zu,%zu],", decision[4], decision[1],
             decision[3]);
    has(analysis_of(1), wanted);
}

/* Expects that the lines are refused with this status, at the line of node i. */
static void refused(size_t i, es_status status)
{
    struct es_out out = {answer, sizeof answer, 0};
    struct es_svg svg;
    const struct es_page_chart_look look = {.selected = -1};
    assert_int_equal(es_page_analysis(&page, 1, lines(), memory, &out, &fault), status);
    assert_int_equal(fault.line, (int)i + 1);
    assert_int_equal(out.used, 0);
    es_svg_open(&svg, answer, sizeof answer);
    assert_int_equal(es_page_chart(&page, 1, lines(), &look, memory, &svg, &fault), status);
    assert_int_equal(svg.out.used, 0);
}

static void a_wrong_number_of_lines_is_refused(void **unused)
{
    (void)unused;
    play(alone, 5, 9);
    run_all(1);
    nodes--;
    struct es_str fewer = lines();
    struct es_out out = {answer, sizeof answer, 0};
    assert_int_equal(es_page_analysis(&page, 1, fewer, memory, &out, &fault), ES_WORD_MISSING);
    nodes++;
    strcpy(line[nodes], "\n");
    nodes++;
    refused(nodes - 1, ES_WORD_EXTRA);
    nodes--;
    assert_int_equal(es_page_analysis(&page, 1, es_str(""), memory, &out, &fault), ES_WORD_MISSING);
    strcpy(line[1], "\xff\n");
    refused(1, ES_NOT_TEXT);
    assert_int_equal(out.used, 0);
}

/* The first chance and the first decision of the open game. */
static void find_kinds(size_t *chance, size_t *decision)
{
    const char *text = analysis_of(1);
    *chance = *decision = nodes;
    for (size_t i = nodes; i-- > 0;)
        *(is_decision(text, i) ? decision : chance) = i;
    assert_true(*chance < nodes && *decision < nodes);
}

/* Changes the result of a node in one way after the other; each is refused, and undone. */
#define EXPECT_REFUSED(i, change)                                                                  \
    do {                                                                                           \
        struct es_node_result result = result_of(i), kept = result;                                \
        change;                                                                                    \
        set_result(i, &result);                                                                    \
        refused(i, ES_EVENT_BAD);                                                                  \
        set_result(i, &kept);                                                                      \
    } while (0)

static void results_of_other_nodes_are_refused(void **unused)
{
    (void)unused;
    size_t c, d;
    play(alone, 5, 9);
    run_all(1);
    find_kinds(&c, &d);
    EXPECT_REFUSED(d, result.value[0].event++);
    EXPECT_REFUSED(d, result.value[0].event = 0);
    EXPECT_REFUSED(d, result.value[1].event = result.value[0].event);
    EXPECT_REFUSED(d, result.played = (uint8_t)!result.played);
    EXPECT_REFUSED(d, result.played = result.count);
    EXPECT_REFUSED(d, result.count = 0; result.played = 0);
    EXPECT_REFUSED(d, result.legal++);
    EXPECT_REFUSED(d, result.loss++);
    EXPECT_REFUSED(d, result.after++);
    EXPECT_REFUSED(d, result.luck++);
    EXPECT_REFUSED(d, result.loss_error = -1);
    EXPECT_REFUSED(d, result.samples = 0);
    EXPECT_REFUSED(d, result.samples = ES_SAMPLES_MAX + 1);
    EXPECT_REFUSED(d, result.value[0].behind++; result.value[0].mean--);
    EXPECT_REFUSED(d, result.value[0].weight++);
    EXPECT_REFUSED(d, result.before = 1 << 30);
    EXPECT_REFUSED(c, result.value[0].event++);
    EXPECT_REFUSED(c, result.value[0].weight++);
    EXPECT_REFUSED(c, result.value[0].mean += 99; result.value[0].behind -= 99);
    EXPECT_REFUSED(c, result.count--);
    EXPECT_REFUSED(c, result.luck++; result.after++);
    EXPECT_REFUSED(c, result.loss++);
    char kept[ES_NODE_BYTES + 2];
    strcpy(kept, line[c]);
    memmove(line[c], line[d], sizeof line[c]);
    refused(c, ES_EVENT_BAD);
    strcpy(line[c], kept);
    analysis_of(1); /* all is well again */
}

static void lines_that_are_no_results_are_refused(void **unused)
{
    (void)unused;
    static const char *const bad[] = {
        "x\n",
        "1\n",
        "0 0 0 0 0 0 0 0 0 0\n",
        "0 0 0 0 0 0 0 0 0 25 0\n",
        "0 0 0 0 0 0 0 0 0 1 2 0 0 0 0 0 0\n",
        "0 0 0 0 0 0 0 0 0 2147483647 0\n",
        "0 0 0 0 0 0 0 0 0 1 0 -1 0 0 0 0 0\n",
        "0 0 0 0 0 0 0 0 0 1 0 0 -1 0 0 0 0\n",
        "99999999999999999999 0 0 0 0 0 0 0 0 0 0\n",
        "-2147483648 0 0 0 0 0 0 0 0 0 0\n",
        "0 0 0 0 0 0 0 0 0 -1 0\n",
        "0 0 0 0 0 0 0 0 0 0 0 0\n",
        "- - - - - - - - - - -\n",
        NULL,
    };
    play(alone, 5, 9);
    run_all(1);
    for (int k = 0; bad[k]; k++) {
        strcpy(line[2], bad[k]);
        refused(2, ES_NUMBER_BAD);
    }
    strcpy(line[2], "0 0 0 0 0 0 0 1 0 0 0\n");
    refused(2, ES_EVENT_BAD);
}

/* Replaces each number of each line by others: nothing but an answer or a refusal may follow. */
static void any_number_may_be_wrong(void **unused)
{
    (void)unused;
    static const char *const numbers[] = {"0",          "1",           "-1",        "24",
                                          "2147483647", "-2147483647", "536870912", "-536870912"};
    const struct es_page_chart_look look = {.selected = 0};
    size_t refusals = 0, answers = 0;
    play(together, 5, 9);
    run_all(1);
    for (size_t i = 0; i < nodes; i++) {
        char kept[ES_NODE_BYTES + 2];
        strcpy(kept, line[i]);
        for (const char *at = kept; *at; at += strcspn(at, " \n") + 1)
            for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
                struct es_out out = {answer, sizeof answer, 0};
                struct es_svg svg;
                snprintf(line[i], sizeof line[i], "%.*s%s%s", (int)(at - kept), kept, numbers[n],
                         at + strcspn(at, " \n"));
                bool good = es_page_analysis(&page, 1, lines(), memory, &out, &fault) == ES_OK;
                *(good ? &answers : &refusals) += 1;
                if (good)
                    checked(&out);
                es_svg_open(&svg, answer, sizeof answer);
                assert_int_equal(
                    es_page_chart(&page, 1, lines(), &look, memory, &svg, &fault) == ES_OK, good);
                assert_true(es_out_ok(&svg.out));
            }
        strcpy(line[i], kept);
    }
    print_message("%zu refused, %zu accepted\n", refusals, answers);
    assert_true(refusals > answers && answers > 0);
}

/* ---- The chart ------------------------------------------------------------------------------ */

static void every_node_is_a_part_with_a_title(void **unused)
{
    (void)unused;
    const struct es_page_chart_look plain = {.selected = -1};
    size_t c, d;
    play(alone, 5, NODES);
    run_all(1);
    find_kinds(&c, &d);
    set_loss(d, 2);
    struct es_node_result result = result_of(d);
    result.before = 0x2b333; /* 2.7 */
    result.after = result.before - result.loss;
    result.value[0].mean = result.before;
    result.value[1].mean = result.after;
    set_result(d, &result);
    const char *text = chart_of(1, &plain);
    assert_int_equal(count_of(text, " data-node=\""), nodes);
    has(text, "viewBox=\"0 0 900 260\"");
    has(text, "<title>expected result, luck and loss</title>");
    has_not(text, "selected");
    char wanted[256];
    snprintf(wanted, sizeof wanted,
             "<g id=\"node-%zu\" class=\"node decision mistake\" data-node=\"%zu\">"
             "<title>decision, expected 2.7 points, loss 2.0 points, mistake</title>",
             d, d);
    has(text, wanted);
    snprintf(wanted, sizeof wanted,
             "<g id=\"node-%zu\" class=\"node chance\" data-node=\"%zu\">"
             "<title>chance, expected ",
             c, c);
    has(text, wanted);
    for (size_t i = 0; i < nodes; i++) {
        snprintf(wanted, sizeof wanted, " data-node=\"%zu\">", i);
        assert_int_equal(count_of(text, wanted), 1);
    }
    /* Titles are in the reader's language, with its decimal sign. */
    assert_true(es_page_words(&page, es_str("decision\nEntscheidung\n.\n,\nloss\nVerlust\n"
                                            "mistake\nFehler\npoints\nPunkte\n")));
    has(chart_of(1, &plain),
        "<title>Entscheidung, expected 2,7 Punkte, Verlust 2,0 Punkte, Fehler</title>");
    assert_true(es_page_words(&page, es_str("")));
}

static void charts_are_drawn_in_every_form(void **unused)
{
    (void)unused;
    play(together, 5, 8);
    run_all(1);
    const char *text = chart_of(1, &(struct es_page_chart_look){.narrow = true, .selected = 1});
    has(text, "viewBox=\"0 0 390 240\"");
    has(text, " id=\"node-1\" class=\"node decision");
    has(text, " selected\" data-node=\"1\"");
    has(text, " %, luck ");
    has(text, "class=\"node decision open\"");
    has(text, "to come, expected ");
    assert_true(strstr(text, "data-node=\"1\"") > strstr(text, "data-node=\"0\""));
    static char dark[1 << 16];
    strcpy(dark, chart_of(1, &(struct es_page_chart_look){.dark = true, .selected = -1}));
    assert_string_not_equal(dark, chart_of(1, &(struct es_page_chart_look){.selected = -1}));
    /* In print there are only greys. */
    text = chart_of(1, &(struct es_page_chart_look){.print = true, .dark = true, .selected = 99});
    for (const char *at = text; (at = strchr(at, '#')); at++)
        assert_true(at[1] == at[3] && at[3] == at[5] && at[2] == at[4] && at[4] == at[6]);
    has_not(text, "selected");
    /* What has no result yet has its place. */
    for (size_t i = 0; i < nodes; i++)
        strcpy(line[i], "\n");
    text = chart_of(1, &(struct es_page_chart_look){.selected = 0});
    assert_int_equal(count_of(text, "not yet analysed</title>"), nodes);
    has_not(text, "<text"); /* no scale is known */
    assert_int_equal(count_of(text, " data-node=\""), nodes);
}

/* Numbers and lines need 4.5 and 3 on what is behind them; the grid needs nothing. */
static void charts_have_enough_contrast(void **unused)
{
    (void)unused;
    for (enum es_theme theme = ES_THEME_LIGHT; theme <= ES_THEME_PRINT; theme++) {
        const struct es_chart_colours c = es_chart_colours(theme);
        assert_true(es_contrast(c.text, c.paper) >= 4.5);
        assert_true(es_contrast(c.ink, c.paper) >= 4.5 && es_contrast(c.ink, c.band) >= 4.5);
        const uint32_t shapes[] = {c.luck,     c.loss,     c.label[0], c.label[1],
                                   c.label[2], c.label[3], c.label[4]};
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            if (es_contrast(shapes[i], c.paper) < 3 || es_contrast(shapes[i], c.band) < 3)
                fail_msg("theme %d: %06x has %.2f on paper, %.2f on the band", (int)theme,
                         (unsigned)shapes[i], es_contrast(shapes[i], c.paper),
                         es_contrast(shapes[i], c.band));
        }
    }
}

/* ---- Hindsight ------------------------------------------------------------------------------ */

static const char *hindsight_of(void)
{
    struct es_out out = {answer, sizeof answer, 0};
    void *room = malloc(es_page_hindsight_bytes(&page));
    assert_int_equal(es_page_hindsight(&page, 1, room, &out), ES_OK);
    free(room);
    return checked(&out);
}

static void hindsight_is_of_solo_games_that_are_over(void **unused)
{
    (void)unused;
    play(alone, 5, NODES);
    int score = page.record.setup.game->score(&page.record.setup, &page.state, 1);
    const char *text = hindsight_of();
    assert_memory_equal(text, "{\"points\":", 10);
    assert_true(strtol(text + 10, NULL, 10) >= score);
    play(alone, 5, 7);
    assert_string_equal(hindsight_of(), "{}");
    play(together, 5, NODES);
    assert_string_equal(hindsight_of(), "{}");
    play(metro, 5, 4);
    assert_string_equal(hindsight_of(), "{}");
}

static int end(void **unused)
{
    (void)unused;
    free(memory);
    return 0;
}

/* ---- Reasons -------------------------------------------------------------------------------- */

static es_status reasons(int player, const char *better, const char *played, struct es_out *out)
{
    *out = (struct es_out){answer, sizeof answer, 0};
    return es_page_reasons(&page, player, es_str(better), es_str(played), out);
}

static void reasons_compare_two_legal_moves(void **state)
{
    struct es_out out;
    (void)state;
    assert_int_equal(es_page_map(&page, es_str(small_map), &fault), ES_OK);
    open_game(HEAD "verplant\nmap small\nplayers 1\n\ncard 4\n");
    assert_int_equal(reasons(1, "1 A4", "1 A1", &out), ES_OK);
    assert_non_null(strstr(checked(&out), "{\"why\":[{\"what\":\"complete\""));
    assert_int_equal(reasons(1, "1 A4", "1 A4", &out), ES_OK);
    assert_string_equal(checked(&out), "{\"why\":[]}");
    assert_int_equal(reasons(1, "1 A5", "1 A1", &out), ES_MARKS_MANY);
    assert_int_equal(reasons(1, "1 A4", "", &out), ES_WORD_MISSING);
    assert_int_equal(reasons(1, "1 A4", "card 4", &out), ES_PLAYER_UNKNOWN);
    assert_int_equal(reasons(2, "1 A4", "1 A1", &out), ES_PLAYER_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_listed_with_what_happened),
        cmocka_unit_test(reasons_compare_two_legal_moves),
        cmocka_unit_test(nodes_are_found_by_seeking),
        cmocka_unit_test(impossible_questions_are_refused),
        cmocka_unit_test(sums_telescope),
        cmocka_unit_test(decisions_name_the_best_event),
        cmocka_unit_test(missing_results_are_left_out),
        cmocka_unit_test(the_largest_losses_come_first),
        cmocka_unit_test(a_wrong_number_of_lines_is_refused),
        cmocka_unit_test(results_of_other_nodes_are_refused),
        cmocka_unit_test(lines_that_are_no_results_are_refused),
        cmocka_unit_test(any_number_may_be_wrong),
        cmocka_unit_test(every_node_is_a_part_with_a_title),
        cmocka_unit_test(charts_are_drawn_in_every_form),
        cmocka_unit_test(charts_have_enough_contrast),
        cmocka_unit_test(hindsight_is_of_solo_games_that_are_over),
    };
    return cmocka_run_group_tests(tests, NULL, end);
}
