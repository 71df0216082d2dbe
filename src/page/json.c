/* Implementation of json.h: quotes, escapes and commas. */
#include "page/json.h"

static void quote(struct es_out *out, struct es_str text)
{
    es_out_char(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.at[i];
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

static void begin(struct es__json *json, const char *name)
{
    if (json->comma)
        es_out_char(json->out, ',');
    json->comma = true;
    if (name) {
        quote(json->out, es_str(name));
        es_out_char(json->out, ':');
    }
}

void es__json_open(struct es__json *json, const char *name, char bracket)
{
    begin(json, name);
    es_out_char(json->out, bracket);
    json->comma = false;
}

void es__json_close(struct es__json *json, char bracket)
{
    es_out_char(json->out, bracket);
    json->comma = true;
}

void es__json_int(struct es__json *json, const char *name, long value)
{
    begin(json, name);
    es_out_int(json->out, value);
}

void es__json_fixed(struct es__json *json, const char *name, double value, int digits)
{
    long unit = 1;
    for (int i = 0; i < digits; i++)
        unit *= 10;
    begin(json, name);
    if (value < 0)
        es_out_char(json->out, '-');
    long rest = (long)((value < 0 ? -value : value) * (double)unit + 0.5);
    es_out_int(json->out, rest / unit);
    es_out_char(json->out, '.');
    for (rest %= unit; unit > 1; rest %= unit) {
        unit /= 10;
        es_out_char(json->out, (char)('0' + rest / unit));
    }
}

void es__json_bool(struct es__json *json, const char *name, bool value)
{
    begin(json, name);
    es_out_text(json->out, value ? "true" : "false");
}

void es__json_str(struct es__json *json, const char *name, struct es_str value)
{
    begin(json, name);
    quote(json->out, value);
}

void es__json_text(struct es__json *json, const char *name, const char *value)
{
    es__json_str(json, name, es_str(value));
}

void es__json_set(struct es__json *json, const char *name, unsigned set)
{
    es__json_open(json, name, '[');
    for (; set; set &= set - 1)
        es__json_int(json, NULL, __builtin_ctz(set) + 1);
    es__json_close(json, ']');
}
