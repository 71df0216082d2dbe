/* The analysis of the open game: its nodes, their results as text, the whole as JSON. */
#include "page/analysis.h"
#include "page/internal.h"
#include <assert.h>
#include <endstation/chart.h>

/* ---- JSON ----------------------------------------------------------------------------------- */

enum { DIGITS = 6, WORST = 3 };

const char *es__label_word(enum es_label label)
{
    static const char *const words[] = {"", "good", "inaccuracy", "mistake", "blunder"};
    return words[label];
}

static void write_value(struct es__writer *w, const char *name, int64_t value)
{
    es__write_fixed(w, name, (double)value / ES_VALUE_ONE, DIGITS);
}

static void write_unit(struct es__writer *w, const struct es_setup *setup)
{
    es__write_text(w, "unit", setup->players == 1 ? "points" : "win");
}

/* Writes what is known of a node without its result. */
static void write_node(struct es__writer *w, const struct es_setup *setup,
                       const struct es_node *node)
{
    es__write_int(w, "at", (long)node->at);
    es__write_text(w, "kind", node->chance ? "chance" : "decision");
    if (!node->open)
        es__write_event(w, "event", setup, node->event);
}

static void write_alternatives(struct es__writer *w, const struct es_setup *setup,
                               const struct es_node_result *result, bool chance)
{
    es__write_array(w, chance ? "kinds" : "events");
    for (int i = 0; i < result->count; i++) {
        const struct es_value *value = &result->value[i];
        es__write_object(w, NULL);
        es__write_event(w, "event", setup, value->event);
        if (chance)
            es__write_int(w, "weight", (long)value->weight);
        write_value(w, "value", value->mean);
        if (chance) {
            write_value(w, "error", value->error);
        } else {
            write_value(w, "behind", value->behind);
            write_value(w, "error", value->difference);
        }
        es__write_end(w);
    }
    es__write_end(w);
}

/* Writes the best event of a decision and, if another one was clearly worse, what the better one
 * does. */
static void write_best(struct es__writer *w, const struct es__analysed *a,
                       const struct es_state *view, const struct es_node *node,
                       const struct es_node_result *result)
{
    const struct es_table *table = a->setup->game->table;
    es_event best = result->value[0].event;
    es__write_event(w, "best", a->setup, best);
    if (node->open || result->loss <= 2 * (int64_t)result->loss_error)
        return;
    es__write_array(w, "why");
    if (table && table->compare)
        table->compare(a->setup, view, a->player, node->event, best, w);
    es__write_end(w);
}

static void write_step(struct es__writer *w, const struct es__analysed *a, size_t i,
                       const struct es_state *view)
{
    const struct es_node *node = &a->nodes[i];
    const struct es_node_result *result = &a->results[i];
    const struct es_step *step = &a->steps[i];
    write_value(w, "value", step->value);
    write_value(w, "error", result->error);
    if (!node->open && node->chance) {
        write_value(w, "luck", step->luck);
        write_value(w, "luckError", result->luck_error);
    } else if (!node->open) {
        write_value(w, "loss", step->loss);
        write_value(w, "lossError", result->loss_error);
    }
    if (a->complete) {
        write_value(w, "others", step->others);
        write_value(w, "correction", step->correction);
    }
    if (step->label != ES_LABEL_NONE)
        es__write_text(w, "label", es__label_word(step->label));
    es__write_int(w, "legal", (long)result->legal);
    es__write_int(w, "samples", (long)result->samples);
    write_alternatives(w, a->setup, result, node->chance);
    if (!node->chance)
        write_best(w, a, view, node, result);
}

static bool is_known(const struct es__analysed *a, size_t i)
{
    return !a->known || a->known[i];
}

/* Applies events of the view to the state after `from` of them, until there are `to`. */
static void go_on(const struct es_setup *setup, const es_event *seen, size_t from, size_t to,
                  struct es_state *view)
{
    for (size_t i = from; i < to; i++) {
        es_status status = setup->game->apply(setup, view, seen[i]);
        assert(!status);
    }
}

static void write_nodes(struct es__writer *w, const struct es__analysed *a)
{
    struct es_state view;
    size_t at = 0;
    a->setup->game->start(a->setup, &view);
    es__write_array(w, "nodes");
    for (size_t i = 0; i < a->found; i++) {
        const struct es_node *node = &a->nodes[i];
        go_on(a->setup, a->seen, at, node->at, &view);
        at = node->at;
        es__write_object(w, NULL);
        write_node(w, a->setup, node);
        if (is_known(a, i))
            write_step(w, a, i, &view);
        es__write_end(w);
    }
    es__write_end(w);
}

/* Writes the indexes of the labelled decisions with the largest losses, the largest first; of
 * equals the earlier. */
static void write_worst(struct es__writer *w, const struct es__analysed *a)
{
    size_t worst[WORST], count = 0;
    for (size_t i = 0; i < a->found; i++) {
        if (!is_known(a, i) || a->steps[i].label < ES_LABEL_INACCURACY)
            continue;
        size_t place = count;
        while (place > 0 && a->steps[worst[place - 1]].loss < a->steps[i].loss)
            place--;
        if (place == WORST)
            continue;
        count += count < WORST;
        for (size_t k = count - 1; k > place; k--)
            worst[k] = worst[k - 1];
        worst[place] = i;
    }
    es__write_array(w, "worst");
    for (size_t k = 0; k < count; k++)
        es__write_int(w, NULL, (long)worst[k]);
    es__write_end(w);
}

static void write_sum(struct es__writer *w, const struct es_analysis_sum *sum)
{
    write_value(w, "start", sum->start);
    write_value(w, "luck", sum->luck);
    write_value(w, "loss", sum->loss);
    write_value(w, "lossError", sum->loss_error);
    write_value(w, "others", sum->others);
    write_value(w, "correction", sum->correction);
    write_value(w, "result", sum->result);
    write_value(w, "withoutLuck", sum->without_luck);
    es__write_int(w, "decisions", sum->decisions);
    for (enum es_label l = ES_LABEL_GOOD; l <= ES_LABEL_BLUNDER; l++)
        es__write_int(w, es__label_word(l), sum->labels[l]);
}

void es__write_analysis(struct es__writer *w, const struct es__analysed *a)
{
    es__write_text(w, "game", a->setup->game->name);
    es__write_int(w, "player", a->player);
    write_unit(w, a->setup);
    es__write_bool(w, "over", a->over);
    es__write_bool(w, "complete", a->complete);
    if (a->complete)
        write_sum(w, &a->sum);
    if (a->hindsight)
        es__write_int(w, "hindsight", *a->hindsight);
    write_worst(w, a);
    write_nodes(w, a);
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

/* The caller's memory: a place in each list for every node that the game can have. */
struct room {
    char *thinking;
    struct es_node_result *results;
    struct es_node *nodes;
    struct es_step *steps;
    bool *known;
};

static size_t places(const struct es_page *page)
{
    return page->record.count + 1;
}

/* For evaluating, rounded up so that what follows is aligned for any type. */
static size_t thinking_bytes(const struct es_page *page)
{
    return (es_analysis_bytes(page->record.setup.game) + 15) & ~(size_t)15;
}

static struct room divide(const struct es_page *page, void *memory)
{
    struct room room;
    size_t count = places(page);
    room.thinking = memory;
    room.results = (struct es_node_result *)(room.thinking + thinking_bytes(page));
    room.nodes = (struct es_node *)(room.results + count);
    room.steps = (struct es_step *)(room.nodes + count);
    room.known = (bool *)(room.steps + count);
    return room;
}

size_t es_page_analysis_bytes(const struct es_page *page)
{
    return thinking_bytes(page) +
           places(page) * (sizeof(struct es_node_result) + sizeof(struct es_node) +
                           sizeof(struct es_step) + sizeof(bool));
}

/* Lists the nodes of the open game. page->seen becomes the player's view. */
static es_status list_nodes(struct es_page *page, int player, const struct room *room,
                            struct es__analysed *a)
{
    const struct es_record *record = &page->record;
    assert(page->is_open);
    *a = (struct es__analysed){.setup = &record->setup,
                               .player = player,
                               .seen = page->seen,
                               .nodes = room->nodes,
                               .results = room->results,
                               .steps = room->steps,
                               .known = room->known};
    return es_nodes(&record->setup, record->events, record->count, player, page->seen,
                    &a->seen_count, room->nodes, places(page), &a->found);
}

/* Reads a move that is legal for the player. */
static es_status read_move(const struct es_setup *setup, const struct es_state *view, int player,
                           struct es_str text, es_event *event)
{
    struct es_state after = *view;
    es_status status = setup->game->parse(setup, text, event);
    if (!status && ES_EVENT_WHO(*event) != player)
        status = ES_PLAYER_UNKNOWN;
    return status ? status : setup->game->apply(setup, &after, *event);
}

es_status es_page_reasons(struct es_page *page, int player, struct es_str better,
                          struct es_str played, struct es_out *out)
{
    const struct es_setup *setup = &page->record.setup;
    const struct es_table *table = setup->game->table;
    es_event good, bad;
    struct es_state view;
    if (player < 1 || player > setup->players)
        return ES_PLAYER_UNKNOWN;
    es__page_fold(page, page->seen, es__page_seen(page, player), &view);
    es_status status = read_move(setup, &view, player, better, &good);
    if (!status)
        status = read_move(setup, &view, player, played, &bad);
    if (status)
        return status;
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    es__write_array(w, "why");
    if (table && table->compare)
        table->compare(setup, &view, player, bad, good, w);
    es__write_end(w);
    es__write_end(w);
    return ES_OK;
}

es_status es_page_nodes(struct es_page *page, int player, void *memory, struct es_out *out)
{
    const struct room room = divide(page, memory);
    struct es__analysed a;
    es_status status = list_nodes(page, player, &room, &a);
    if (status)
        return status;
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    es__write_int(w, "player", player);
    write_unit(w, a.setup);
    es__write_array(w, "nodes");
    for (size_t i = 0; i < a.found; i++) {
        es__write_object(w, NULL);
        write_node(w, a.setup, &a.nodes[i]);
        if (a.nodes[i].open)
            es__write_bool(w, "open", true);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_end(w);
    return ES_OK;
}

es_status es_page_node(struct es_page *page, int player, size_t index, void *memory,
                       struct es_out *out)
{
    const struct room room = divide(page, memory);
    struct es__analysed a;
    es_status status = list_nodes(page, player, &room, &a);
    if (status)
        return status;
    if (index >= a.found)
        return ES_NUMBER_RANGE;
    es_node_run(a.setup, a.seen, &a.nodes[index], player, room.thinking, &room.results[0]);
    es_node_write(&room.results[0], out);
    return ES_OK;
}

/* ---- Results -------------------------------------------------------------------------------- */

/* Reads the line of node i, which may be empty. */
static es_status read_result(const struct room *room, const struct es__analysed *a, size_t i,
                             const struct es_state *view, struct es_str line)
{
    struct es_node_result *result = &room->results[i];
    room->known[i] = line.size > 0;
    if (!room->known[i])
        return ES_OK;
    if (!es_node_read(line, result))
        return ES_NUMBER_BAD;
    if (!es_node_fits(a->setup, view, &a->nodes[i], a->player, result))
        return ES_EVENT_BAD;
    room->steps[i] = (struct es_step){
        .value = result->before,
        .luck = result->luck,
        .loss = result->loss,
        .label = a->nodes[i].chance ? ES_LABEL_NONE : es_node_label(a->setup, result)};
    return ES_OK;
}

/* Reads a line for every node; adds them up if none is empty. */
static es_status read_results(struct es_page *page, int player, struct es_str text,
                              const struct room *room, struct es__analysed *a,
                              struct es_fault *fault)
{
    struct es_lines lines;
    struct es_state view;
    size_t at = 0;
    es_status status = list_nodes(page, player, room, a);
    if (status)
        return es_fault_set(fault, 0, status, es_str(""));
    if (es_lines_open(&lines, text, fault))
        return fault->status;
    a->complete = true;
    a->setup->game->start(a->setup, &view);
    for (size_t i = 0; i < a->found; i++) {
        if (!es_lines_next(&lines))
            return es_fault_set(fault, lines.number, ES_WORD_MISSING, es_str(""));
        go_on(a->setup, a->seen, at, a->nodes[i].at, &view);
        at = a->nodes[i].at;
        status = read_result(room, a, i, &view, lines.line);
        if (status)
            return es_fault_set(fault, lines.number, status, lines.line);
        a->complete &= room->known[i];
    }
    if (es_lines_next(&lines))
        return es_fault_set(fault, lines.number, ES_WORD_EXTRA, lines.line);
    go_on(a->setup, a->seen, at, a->seen_count, &view);
    a->over = a->setup->game->turn(a->setup, &view).kind == ES_TURN_OVER;
    if (a->complete)
        es_nodes_add_up(a->setup, a->seen, a->seen_count, player, a->nodes, a->results, a->found,
                        room->steps, &a->sum);
    return ES_OK;
}

es_status es_page_analysis(struct es_page *page, int player, struct es_str lines, void *memory,
                           struct es_out *out, struct es_fault *fault)
{
    const struct room room = divide(page, memory);
    struct es__analysed a;
    struct es__json json;
    es_status status = read_results(page, player, lines, &room, &a, fault);
    if (status)
        return status;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    es__write_analysis(w, &a);
    es__write_end(w);
    return ES_OK;
}

/* ---- The chart ------------------------------------------------------------------------------ */

/* Points, or per cent of the win. */
static double shown(const struct es_setup *setup, int64_t value)
{
    return (double)value / ES_VALUE_ONE * (setup->players == 1 ? 1 : 100);
}

static struct es_chart_node chart_node(const void *context, size_t i)
{
    const struct es__analysed *a = context;
    const struct es_step *step = &a->steps[i];
    struct es_chart_node node = {.chance = a->nodes[i].chance, .open = a->nodes[i].open};
    if (!a->known[i])
        return node;
    node.known = true;
    node.label = (int)step->label;
    node.value = shown(a->setup, step->value);
    node.luck = shown(a->setup, step->luck);
    node.loss = shown(a->setup, step->loss);
    return node;
}

es_status es_page_chart(struct es_page *page, int player, struct es_str lines,
                        const struct es_page_chart_look *look, void *memory, struct es_svg *svg,
                        struct es_fault *fault)
{
    const struct room room = divide(page, memory);
    struct es__analysed a;
    es_status status = read_results(page, player, lines, &room, &a, fault);
    if (status)
        return status;
    const struct es_chart chart = {.count = a.found,
                                   .node = chart_node,
                                   .context = &a,
                                   .has_result = a.complete && a.over,
                                   .result = shown(a.setup, a.sum.result),
                                   .per_cent = a.setup->players > 1,
                                   .narrow = look->narrow,
                                   .selected = look->selected};
    const struct es_draw draw = {.theme = look->print  ? ES_THEME_PRINT
                                          : look->dark ? ES_THEME_DARK
                                                       : ES_THEME_LIGHT,
                                 .words = page->words,
                                 .word_count = page->word_count};
    es_chart_draw(&chart, &draw, &svg->painter);
    return ES_OK;
}

/* ---- Hindsight ------------------------------------------------------------------------------ */

/* Returns true if it can be said what a player could have got. */
static bool has_hindsight(const struct es_page *page)
{
    const struct es_setup *setup = &page->record.setup;
    return setup->players == 1 && setup->game->analysis && setup->game->analysis->hindsight &&
           setup->game->turn(setup, &page->state).kind == ES_TURN_OVER;
}

size_t es_page_hindsight_bytes(const struct es_page *page)
{
    const struct es_setup *setup = &page->record.setup;
    return has_hindsight(page) ? setup->game->analysis->hindsight_bytes(setup, page->record.count)
                               : 1;
}

es_status es_page_hindsight(struct es_page *page, int player, void *memory, struct es_out *out)
{
    const struct es_record *record = &page->record;
    struct es__json json;
    int points;
    assert(page->is_open);
    if (es__page_viewer(page, player) == 0)
        return ES_PLAYER_UNKNOWN;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    if (has_hindsight(page) &&
        record->setup.game->analysis->hindsight(&record->setup, record->events, record->count,
                                                player, memory, &points))
        es__write_int(w, "points", points);
    es__write_end(w);
    return ES_OK;
}
