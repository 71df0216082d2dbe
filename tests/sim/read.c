/* Reads the server's messages as JSON, because jansson's reader would take a quarter of a seed's
 * time. It accepts only what the server writes. Now and then jansson reads the same text, and the
 * results must be equal. */
#include "sim.h"

struct reading {
    const char *at, *end;
};

static json_t *read_value(struct reading *r, int depth);

static bool skip(struct reading *r, char c)
{
    bool found = r->at < r->end && *r->at == c;
    r->at += found;
    return found;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a string, after its opening quote, into `text`, which must be as large as the rest of the
 * input. The only escapes are those of control characters, quotes, slashes and backslashes. */
static bool read_string(struct reading *r, char *text, size_t *size)
{
    char *to = text;
    while (r->at < r->end && *r->at != '"') {
        if (*r->at != '\\') {
            if ((unsigned char)*r->at < 0x20)
                return false;
            *to++ = *r->at++;
            continue;
        }
        if (r->end - r->at < 2)
            return false;
        char c = r->at[1];
        r->at += 2;
        if (c == '"' || c == '\\' || c == '/') {
            *to++ = c;
        } else if (c == 'n') {
            *to++ = '\n';
        } else if (c == 'u' && r->end - r->at >= 4 && r->at[0] == '0' && r->at[1] == '0' &&
                   hex_digit(r->at[2]) >= 0 && hex_digit(r->at[2]) < 8 &&
                   hex_digit(r->at[3]) >= 0) {
            *to++ = (char)(hex_digit(r->at[2]) << 4 | hex_digit(r->at[3]));
            r->at += 4;
        } else {
            return false;
        }
    }
    *size = (size_t)(to - text);
    return skip(r, '"');
}

static json_t *read_object(struct reading *r, int depth)
{
    json_t *object = json_object();
    char name[64];
    size_t size;
    if (skip(r, '}'))
        return object;
    do {
        const char *quote =
            r->at < r->end ? memchr(r->at + 1, '"', (size_t)(r->end - r->at) - 1) : NULL;
        json_t *value = NULL;
        if (skip(r, '"') && quote && (size_t)(quote - r->at) < sizeof name &&
            read_string(r, name, &size) && skip(r, ':'))
            value = read_value(r, depth);
        if (!value) {
            json_decref(object);
            return NULL;
        }
        name[size] = '\0';
        json_object_set_new_nocheck(object, name, value);
    } while (skip(r, ','));
    if (skip(r, '}'))
        return object;
    json_decref(object);
    return NULL;
}

static json_t *read_array(struct reading *r, int depth)
{
    json_t *array = json_array();
    if (skip(r, ']'))
        return array;
    do {
        json_t *value = read_value(r, depth);
        if (!value) {
            json_decref(array);
            return NULL;
        }
        json_array_append_new(array, value);
    } while (skip(r, ','));
    if (skip(r, ']'))
        return array;
    json_decref(array);
    return NULL;
}

static bool skip_word(struct reading *r, const char *word)
{
    size_t size = strlen(word);
    bool found = (size_t)(r->end - r->at) >= size && !memcmp(r->at, word, size);
    r->at += found ? size : 0;
    return found;
}

static json_t *read_value(struct reading *r, int depth)
{
    static char text[1 << 20];
    size_t size;
    if (depth == 0 || r->at == r->end)
        return NULL;
    if (skip(r, '"')) {
        if ((size_t)(r->end - r->at) >= sizeof text || !read_string(r, text, &size))
            return NULL;
        return json_stringn_nocheck(text, size);
    }
    if (skip(r, '{'))
        return read_object(r, depth - 1);
    if (skip(r, '['))
        return read_array(r, depth - 1);
    if (skip_word(r, "true"))
        return json_true();
    if (skip_word(r, "false"))
        return json_false();
    bool minus = skip(r, '-');
    json_int_t value = 0;
    const char *digits = r->at;
    while (r->at < r->end && *r->at >= '0' && *r->at <= '9' && r->at - digits < 18)
        value = value * 10 + (*r->at++ - '0');
    return r->at > digits ? json_integer(minus ? -value : value) : NULL;
}

json_t *read_json(struct es_str text)
{
    struct reading r = {text.at, text.at + text.size};
    json_t *json = text.size ? read_value(&r, 8) : NULL;
    if (json && r.at != r.end) {
        json_decref(json);
        json = NULL;
    }
    if (!json || text.size % 64 == 0) {
        json_t *same = json_loadb(text.at, text.size, 0, NULL);
        if (!json || !same || !json_equal(json, same))
            violated("not JSON, or JSON that the simulation cannot read: %.*s", (int)text.size,
                     text.at);
        json_decref(same);
    }
    return json;
}
