/* Results of nodes as text, to send them between workers: whole numbers, separated by blanks. */
#include "analysis/internal.h"

enum { FIELDS = 11, VALUE_FIELDS = 6 };

static void write_number(struct es_out *out, int64_t number)
{
    if (out->used > 0)
        es_out_char(out, ' ');
    es_out_int(out, (long)number);
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
        result->value[v] =
            (struct es_value){(es_event)n[0], (uint32_t)n[1], n[2], n[3], n[4], n[5]};
    }
    return es_str_trim(line).size == 0;
}
