/* Implementation of json.h: quotes, escapes, commas and brackets. */
#include "page/json.h"
#include <assert.h>

static struct es__json *json_of(struct es__writer *w)
{
    return (struct es__json *)w;
}

static void quote(struct es_out *out, struct es_str text)
{
    es_out_char(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.at[i];
        if (c == '\n') {
            es_out_text(out, "\\n");
            continue;
        }
        if (c < 0x20) {
            es_out_text(out, "\\u00");
            es_out_hex(out, &c, 1);
            continue;
        }
        if (c == '"' || c == '\\')
            es_out_char(out, '\\');
        es_out_char(out, (char)c);
    }
    es_out_char(out, '"');
}

/* Writes what comes before a value: a comma and a name. Returns where the value goes. */
static struct es_out *before_value(struct es__writer *w, const char *name)
{
    struct es__json *json = json_of(w);
    if (json->comma)
        es_out_char(json->out, ',');
    json->comma = true;
    if (name) {
        quote(json->out, es_str(name));
        es_out_char(json->out, ':');
    }
    return json->out;
}

static void open(struct es__writer *w, const char *name, bool array)
{
    struct es__json *json = json_of(w);
    assert(json->depth < ES__FACTS_DEPTH);
    es_out_char(before_value(w, name), array ? '[' : '{');
    json->arrays = json->arrays << 1 | array;
    json->depth++;
    json->comma = false;
}

static void close(struct es__writer *w)
{
    struct es__json *json = json_of(w);
    assert(json->depth > 0);
    es_out_char(json->out, json->arrays & 1 ? ']' : '}');
    json->arrays >>= 1;
    json->depth--;
    json->comma = true;
}

static void number(struct es__writer *w, const char *name, int64_t value)
{
    es_out_int(before_value(w, name), value);
}

static void fixed(struct es__writer *w, const char *name, double value, int digits)
{
    struct es_out *out = before_value(w, name);
    int64_t unit = 1;
    for (int i = 0; i < digits; i++)
        unit *= 10;
    if (value < 0)
        es_out_char(out, '-');
    int64_t rest = (int64_t)((value < 0 ? -value : value) * (double)unit + 0.5);
    es_out_int(out, rest / unit);
    es_out_char(out, '.');
    for (rest %= unit; unit > 1; rest %= unit) {
        unit /= 10;
        es_out_char(out, (char)('0' + rest / unit));
    }
}

static void boolean(struct es__writer *w, const char *name, bool value)
{
    es_out_text(before_value(w, name), value ? "true" : "false");
}

static void text(struct es__writer *w, const char *name, struct es_str value)
{
    quote(before_value(w, name), value);
}

struct es__writer *es__json_begin(struct es__json *json, struct es_out *out)
{
    *json = (struct es__json){
        .writer = {.open = open,
                   .close = close,
                   .number = number,
                   .fixed = fixed,
                   .boolean = boolean,
                   .text = text},
        .out = out,
    };
    return &json->writer;
}
