/* JSON: reading messages and their fields, and writing the short answers. */
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
        es__write_int(w, "id", json_integer_value(id));
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

struct es_str say_soon(struct rooms *rooms, uint32_t ms)
{
    struct brief brief = {.type = "soon", .name = "ms", .number = (long)ms};
    return say(rooms, write_brief, &brief);
}

/* ---- Reading --------------------------------------------------------------------------------- */

/* Every field of messages and requests. A field has the same type in all messages. */
static const struct {
    const char *name;
    enum { FIELD_TEXT, FIELD_WHOLE, FIELD_YES_NO } type;
} fields[] = {
    {"t", FIELD_TEXT},       {"id", FIELD_WHOLE},       {"v", FIELD_WHOLE},
    {"token", FIELD_TEXT},   {"code", FIELD_TEXT},      {"have", FIELD_WHOLE},
    {"name", FIELD_TEXT},    {"colour", FIELD_WHOLE},   {"label", FIELD_TEXT},
    {"ticket", FIELD_TEXT},  {"device", FIELD_TEXT},    {"key", FIELD_TEXT},
    {"setup", FIELD_TEXT},   {"open", FIELD_YES_NO},    {"watch", FIELD_YES_NO},
    {"hints", FIELD_YES_NO}, {"clock", FIELD_WHOLE},    {"patience", FIELD_WHOLE},
    {"seat", FIELD_WHOLE},   {"hash", FIELD_TEXT},      {"bot", FIELD_TEXT},
    {"word", FIELD_TEXT},    {"decision", FIELD_WHOLE}, {"event", FIELD_TEXT},
    {"text", FIELD_TEXT},    {"what", FIELD_TEXT},      {"room", FIELD_TEXT},
    {"dark", FIELD_YES_NO},  {"guest", FIELD_TEXT},     {"n", FIELD_WHOLE},
    {"days", FIELD_WHOLE},   {"before", FIELD_WHOLE},   {"address", FIELD_YES_NO},
    {"after", FIELD_TEXT},   {"game", FIELD_TEXT},      {"phase", FIELD_TEXT},
    {"kind", FIELD_TEXT},    {"report", FIELD_TEXT},    {"changes", FIELD_YES_NO},
};

static bool field_good(const char *name, const json_t *value)
{
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        if (strcmp(fields[i].name, name) == 0)
            return fields[i].type == FIELD_TEXT    ? json_is_string(value)
                   : fields[i].type == FIELD_WHOLE ? json_is_integer(value)
                                                   : json_is_boolean(value);
    return true; /* unknown fields are ignored */
}

json_t *get_message(struct es_str text)
{
    json_t *message = json_loadb(text.at, text.size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(message))
        return message;
    json_decref(message);
    return NULL;
}

bool get_types_good(json_t *message)
{
    const char *name;
    json_t *value;
    json_object_foreach(message, name, value) if (!field_good(name, value)) return false;
    return true;
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
