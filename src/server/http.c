/* HTTP helpers without connections: encodings, entity tags, content types. */
#include "server/http.h"
#include <string.h>
#include <strings.h>

/* Sets the next item of a comma-separated list, trimmed; false at the end. */
static bool next_item(const char **at, const char **item, size_t *size)
{
    while (**at == ',' || **at == ' ' || **at == '\t')
        (*at)++;
    if (**at == '\0')
        return false;
    *item = *at;
    *size = strcspn(*at, ",");
    *at += *size;
    while (*size > 0 && ((*item)[*size - 1] == ' ' || (*item)[*size - 1] == '\t'))
        (*size)--;
    return true;
}

/* Returns true if the parameters of an item exclude it: `q=0`, `q=0.000`. */
static bool refused(const char *item, size_t size)
{
    const char *end = item + size, *at = memchr(item, ';', size);
    while (at && at < end) {
        at++;
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        if (end - at >= 3 && (*at == 'q' || *at == 'Q') && at[1] == '=') {
            for (at += 2; at < end && (*at == '0' || *at == '.'); at++) {
            }
            return at == end || *at == ';' || *at == ' ';
        }
        at = memchr(at, ';', (size_t)(end - at));
    }
    return false;
}

bool http_accepts(const char *header, const char *encoding)
{
    const char *item;
    size_t size;
    bool any = false;
    while (next_item(&header, &item, &size)) {
        size_t name = 0;
        while (name < size && item[name] != ';' && item[name] != ' ')
            name++;
        if (name == strlen(encoding) && strncasecmp(item, encoding, name) == 0)
            return !refused(item, size);
        if (name == 1 && *item == '*')
            any = !refused(item, size);
    }
    return any;
}

bool http_matches(const char *header, const char *tag)
{
    const char *item;
    size_t size;
    while (next_item(&header, &item, &size)) {
        if (size == 1 && *item == '*')
            return true;
        if (size > 2 && item[0] == 'W' && item[1] == '/')
            item += 2, size -= 2; /* weak tags match too */
        if (size == strlen(tag) && memcmp(item, tag, size) == 0)
            return true;
    }
    return false;
}

const char *http_type(const char *path)
{
    static const struct {
        const char *ending, *type;
    } types[] = {
        {"html", "text/html; charset=utf-8"},
        {"js", "text/javascript; charset=utf-8"},
        {"css", "text/css; charset=utf-8"},
        {"json", "application/json"},
        {"wasm", "application/wasm"},
        {"webmanifest", "application/manifest+json"},
        {"svg", "image/svg+xml"},
        {"png", "image/png"},
        {"ico", "image/vnd.microsoft.icon"},
        {"woff2", "font/woff2"},
        {"map", "text/plain; charset=utf-8"},
        {"txt", "text/plain; charset=utf-8"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(dot + 1, types[i].ending) == 0)
            return types[i].type;
    return "application/octet-stream";
}
