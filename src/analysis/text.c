/* Results of nodes as text, to send them between workers: whole numbers, separated by blanks; and
 * whether a result that was read can be that of a node. */
#include "analysis/internal.h"

enum { FIELDS = 11, VALUE_FIELDS = 6 };

static void write_number(struct es_out *out, int64_t number)
{
    if (out->used > 0)
        es_out_char(out, ' ');
    es_out_int(out, number);
}

void es_node_write(const struct es_node_result *result, struct es_out *out)
{
    const int64_t fields[FIELDS] = {
        result->before,     result->error, result->after,      result->loss,
        result->loss_error, result->luck,  result->luck_error, result->samples,
        result->legal,      result->count, result->played,
    };
    for (int i = 0; i < FIELDS; i++)
        write_number(out, fields[i]);
    for (int v = 0; v < result->count; v++) {
        const struct es_value *value = &result->value[v];
        const int64_t numbers[VALUE_FIELDS] = {value->event, value->weight, value->mean,
                                               value->error, value->behind, value->difference};
        for (int i = 0; i < VALUE_FIELDS; i++)
            write_number(out, numbers[i]);
    }
}

/* Reads the next number of a line; false if there is none that fits 32 bits. */
static bool read_number(struct es_str *rest, int32_t *number)
{
    struct es_str word;
    unsigned value;
    if (!es_str_word(rest, &word))
        return false;
    bool minus = word.size > 1 && word.at[0] == '-';
    if (minus) {
        word.at++;
        word.size--;
    }
    if (es_str_number(word, INT32_MAX, &value))
        return false;
    *number = minus ? -(int32_t)value : (int32_t)value;
    return true;
}

bool es_node_read(struct es_str line, struct es_node_result *result)
{
    int32_t f[FIELDS], n[VALUE_FIELDS];
    for (int i = 0; i < FIELDS; i++)
        if (!read_number(&line, &f[i]))
            return false;
    for (int i = 7; i < FIELDS; i++)
        if (f[i] < 0)
            return false;
    if (f[9] > ES_VALUES_MAX || f[10] > f[9])
        return false;
    *result = (struct es_node_result){
        .before = f[0],
        .error = f[1],
        .after = f[2],
        .loss = f[3],
        .loss_error = f[4],
        .luck = f[5],
        .luck_error = f[6],
        .samples = (uint32_t)f[7],
        .legal = (uint32_t)f[8],
        .count = (uint8_t)f[9],
        .played = (uint8_t)f[10],
    };
    for (int v = 0; v < result->count; v++) {
        for (int i = 0; i < VALUE_FIELDS; i++)
            if (!read_number(&line, &n[i]))
                return false;
        if (n[0] < 0 || n[1] < 0)
            return false;
        result->value[v] =
            (struct es_value){(es_event)n[0], (uint32_t)n[1], n[2], n[3], n[4], n[5]};
    }
    return es_str_trim(line).size == 0;
}

/* ---- Validation ----------------------------------------------------------------------------- */

enum {
    VALUE_LIMIT = 1 << 29, /* so that the difference of two values is a number of 32 bits */
};

static bool is_small(int64_t value)
{
    return value >= -VALUE_LIMIT && value <= VALUE_LIMIT;
}

/* Returns true if the numbers of a result agree with each other, whatever its events are. */
static bool numbers_fit(const struct es_node *node, const struct es_node_result *result)
{
    const int64_t before = result->before;
    if (!is_small(before) || result->error < 0 || result->loss_error < 0 ||
        result->luck_error < 0 || result->samples < 1 || result->samples > ES_SAMPLES_MAX)
        return false;
    for (int i = 0; i < result->count; i++) {
        const struct es_value *value = &result->value[i];
        if (!is_small(value->mean) || value->mean != before - value->behind || value->error < 0 ||
            value->difference < 0)
            return false;
    }
    if (node->open)
        return result->played == result->count && result->luck == 0 && result->loss == 0 &&
               result->luck_error == 0 && result->loss_error == 0 && result->after == before;
    if (result->played >= result->count || result->value[result->played].event != node->event)
        return false;
    const struct es_value *played = &result->value[result->played];
    if (result->after != played->mean)
        return false;
    if (node->chance)
        return result->luck == -(int64_t)played->behind && result->loss == 0 &&
               result->loss_error == 0;
    return result->loss == played->behind && result->loss_error == played->difference &&
           result->luck == 0 && result->luck_error == 0;
}

/* Returns true if the values are those of every kind, and `before` is their mean. */
static bool kinds_fit(const struct es_setup *setup, const struct es_state *view,
                      const struct es_node_result *result, const es_event *legal, size_t count)
{
    int64_t sum = 0, weights = 0;
    if (result->count != count)
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct es_value *value = &result->value[i];
        if (value->event != legal[i] || value->weight != setup->game->weight(setup, view, legal[i]))
            return false;
        sum += (int64_t)value->weight * value->mean;
        weights += value->weight;
    }
    return weights > 0 && es__ratio(sum, weights) == result->before;
}

/* Returns true if the values are those of different legal events, the best first. */
static bool events_fit(const struct es_node_result *result, const es_event *legal, size_t count)
{
    if (result->count < 1 || result->count > ES_ALTERNATIVES || result->value[0].behind != 0)
        return false;
    for (int i = 0; i < result->count; i++) {
        bool listed = false;
        for (size_t k = 0; k < count; k++)
            listed |= legal[k] == result->value[i].event;
        for (int k = 0; k < i; k++)
            listed &= result->value[k].event != result->value[i].event;
        if (!listed || result->value[i].weight != 0)
            return false;
    }
    return true;
}

bool es_node_fits(const struct es_setup *setup, const struct es_state *view,
                  const struct es_node *node, int player, const struct es_node_result *result)
{
    es_event legal[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, view, node->chance ? ES_CHANCE : player, legal);
    return result->legal == count && numbers_fit(node, result) &&
           (node->chance ? kinds_fit(setup, view, result, legal, count)
                         : events_fit(result, legal, count));
}
