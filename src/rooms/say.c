/* JSON: reading fields of messages, and writing the short answers. */
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

struct es_str say(struct rooms *rooms, void (*write)(struct es__writer *w, const void *context),
                  const void *context)
{
    for (;;) {
        struct es_out out = {rooms->buffer, rooms->buffer_size, 0};
        struct es__json json;
        write(es__json_begin(&json, &out), context);
        if (es_out_ok(&out))
            return (struct es_str){rooms->buffer, out.used};
        rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, out.used + 1, 1);
    }
}

struct brief {
    json_t *message;
    const char *type, *code, *name;
    struct es_str text;
    long number;
};

static void write_brief(struct es__writer *w, const void *context)
{
    const struct brief *brief = context;
    es__write_object(w, NULL);
    es__write_text(w, "t", brief->type);
    json_t *id = json_object_get(brief->message, "id");
    if (json_is_integer(id))
        es__write_int(w, "id", (long)json_integer_value(id));
    if (brief->code)
        es__write_text(w, "code", brief->code);
    if (brief->name && brief->text.at)
        es__write_str(w, brief->name, brief->text);
    else if (brief->name)
        es__write_int(w, brief->name, brief->number);
    es__write_end(w);
}

struct es_str say_no(struct rooms *rooms, json_t *message, const char *code)
{
    struct brief brief = {.message = message, .type = "no", .code = code};
    return say(rooms, write_brief, &brief);
}

struct es_str say_ok(struct rooms *rooms, json_t *message, const char *name, struct es_str text,
                     long number)
{
    struct brief brief = {message, "ok", NULL, name, text, number};
    return say(rooms, write_brief, &brief);
}

const char *get_text(json_t *message, const char *name)
{
    const char *text = json_string_value(json_object_get(message, name));
    return text ? text : "";
}

struct es_str get_str(json_t *message, const char *name)
{
    json_t *value = json_object_get(message, name);
    return json_is_string(value)
               ? (struct es_str){json_string_value(value), json_string_length(value)}
               : es_str("");
}

long get_int(json_t *message, const char *name, long otherwise)
{
    json_t *value = json_object_get(message, name);
    if (!json_is_integer(value))
        return otherwise;
    json_int_t number = json_integer_value(value);
    return number >= -1000000000 && number <= 1000000000 ? (long)number : -1000000001;
}

bool get_bool(json_t *message, const char *name, bool otherwise)
{
    json_t *value = json_object_get(message, name);
    return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

const char *get_key(json_t *message)
{
    const char *key = get_text(message, "key");
    size_t size = strlen(key);
    if (size == 0 || size >= STORE_KEY_BYTES ||
        strspn(key, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != size)
        return NULL;
    return key;
}
