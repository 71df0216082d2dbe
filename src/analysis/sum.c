/* Adds up the nodes of a game: luck, loss, and the rest of the way to the result. */
#include "analysis/internal.h"
#include <assert.h>

/* Returns the player's result of a game that is over: points alone, else the share of the win. */
static int32_t final_value(const struct es_setup *setup, const struct es_state *state, int player)
{
    if (setup->players == 1)
        return setup->game->score(setup, state, player) * ES_VALUE_ONE;
    unsigned winners = setup->game->winners(setup, state);
    if (!(winners >> (player - 1) & 1))
        return 0;
    return es__ratio(ES_VALUE_ONE, __builtin_popcount(winners));
}

/* Returns true if any of these events is another player's, or chance that the player did not
 * see. */
static bool others_acted(const struct es_setup *setup, const es_event *seen, size_t from, size_t to,
                         int player, struct es_state *state)
{
    bool acted = false;
    for (size_t i = from; i < to; i++) {
        es_event legal[ES_LEGAL_MAX];
        int who = ES_EVENT_WHO(seen[i]);
        bool own = who == player;
        if (who == ES_CHANCE) {
            size_t count = setup->game->legal(setup, state, ES_CHANCE, legal);
            for (size_t k = 0; k < count; k++)
                own |= legal[k] == seen[i];
        }
        acted |= !own;
        es_status status = setup->game->apply(setup, state, seen[i]);
        assert(!status);
    }
    return acted;
}

int32_t es_label_least(const struct es_setup *setup, enum es_label label)
{
    static const int32_t least[2][ES_LABEL_BLUNDER + 1] = {
        {0, 0, ES_VALUE_ONE / 50, ES_VALUE_ONE / 20, ES_VALUE_ONE / 10},  /* of the win */
        {0, 0, ES_VALUE_ONE / 2, 3 * ES_VALUE_ONE / 2, 3 * ES_VALUE_ONE}, /* points */
    };
    return least[setup->players == 1][label];
}

enum es_label es_node_label(const struct es_setup *setup, const struct es_node_result *result)
{
    if (result->played >= result->count)
        return ES_LABEL_NONE;
    if (result->played == 0) {
        const struct es_value *next = &result->value[1];
        return result->count > 1 && next->behind > 2 * (int64_t)next->difference &&
                       next->behind >= es_label_least(setup, ES_LABEL_MISTAKE)
                   ? ES_LABEL_GOOD
                   : ES_LABEL_NONE;
    }
    if (result->loss <= 2 * (int64_t)result->loss_error)
        return ES_LABEL_NONE;
    for (enum es_label label = ES_LABEL_BLUNDER; label >= ES_LABEL_INACCURACY; label--)
        if (result->loss >= es_label_least(setup, label))
            return label;
    return ES_LABEL_NONE;
}

void es_nodes_add_up(const struct es_setup *setup, const es_event *seen, size_t seen_count,
                     int player, const struct es_node *nodes, const struct es_node_result *results,
                     size_t found, struct es_step *steps, struct es_analysis_sum *sum)
{
    struct es_state state;
    double variance = 0;
    size_t at = 0;
    *sum = (struct es_analysis_sum){0};
    setup->game->start(setup, &state);
    others_acted(setup, seen, 0, found > 0 ? nodes[0].at : seen_count, player, &state);
    at = found > 0 ? nodes[0].at : seen_count;
    for (size_t i = 0; i < found; i++) {
        const struct es_node_result *result = &results[i];
        bool last = i + 1 == found;
        size_t next = last ? seen_count : nodes[i + 1].at;
        /* The node's own event is luck or loss; what follows it until the next node is not. */
        if (!nodes[i].open) {
            es_status status = setup->game->apply(setup, &state, seen[at++]);
            assert(!status);
        }
        bool others = others_acted(setup, seen, at, next, player, &state);
        bool over = setup->game->turn(setup, &state).kind == ES_TURN_OVER;
        int32_t then = !last  ? results[i + 1].before
                       : over ? final_value(setup, &state, player)
                              : result->after;
        struct es_step step = {.value = result->before, .luck = result->luck, .loss = result->loss};
        *(others ? &step.others : &step.correction) = then - result->after;
        if (!nodes[i].chance) {
            step.label = es_node_label(setup, result);
            sum->decisions += !nodes[i].open;
            sum->labels[step.label]++;
            variance += (double)result->loss_error * (double)result->loss_error;
        }
        sum->luck += step.luck;
        sum->loss += step.loss;
        sum->others += step.others;
        sum->correction += step.correction;
        sum->result = then;
        if (i == 0)
            sum->start = step.value;
        if (steps)
            steps[i] = step;
        at = next;
    }
    sum->over = setup->game->turn(setup, &state).kind == ES_TURN_OVER;
    if (found == 0 && sum->over)
        sum->start = sum->result = final_value(setup, &state, player);
    sum->without_luck = sum->result - sum->luck;
    sum->loss_error = (int64_t)(__builtin_sqrt(variance) + 0.5);
}
