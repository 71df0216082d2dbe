/* Implementation of http.h. */
#include "server/http.h"
#include <string.h>
#include <strings.h>

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Returns the character that an escape at the front stands for; -1: it is malformed. */
static int escaped(const char *at, const char *end)
{
    int high = end - at > 2 ? hex_digit(at[1]) : -1, low = high >= 0 ? hex_digit(at[2]) : -1;
    return low >= 0 ? high * 16 + low : -1;
}

/* Returns true if a character needs no escape in a path, or may not be there. */
static bool is_never_escaped(int c)
{
    return c < 0x20 || c == 0x7f || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
           (c >= 'A' && c <= 'Z') || strchr("-._~/\\%", c);
}

static bool is_usual_path(const char *at, const char *end)
{
    if (at == end || *at != '/')
        return false;
    while (at < end) {
        const char *part = ++at;
        for (; at < end && *at != '/'; at++) {
            if (*at == '%' && is_never_escaped(escaped(at, end)))
                return false;
            if ((unsigned char)*at < 0x21 || *at == 0x7f || *at == '\\')
                return false;
        }
        size_t size = (size_t)(at - part);
        if ((size == 0 && at < end) || (size == 1 && *part == '.') ||
            (size == 2 && part[0] == '.' && part[1] == '.'))
            return false;
    }
    return true;
}

static bool has_good_escapes(const char *at, const char *end)
{
    for (; at < end; at++)
        if (*at == '%' && escaped(at, end) < 0)
            return false;
    return true;
}

enum http_line http_check_line(const char *bytes, size_t size)
{
    static const char version[] = " HTTP/1.";
    const char *line_end = memchr(bytes, '\n', size), *at = bytes;
    while (at < bytes + size && *at >= 'A' && *at <= 'Z')
        at++;
    if (!line_end || at == bytes || *at != ' ')
        return HTTP_LINE_UNKNOWN;
    if (line_end[-1] == '\r')
        line_end--;
    const char *target = at + 1;
    if (line_end - target < (ptrdiff_t)sizeof version)
        return HTTP_LINE_BAD;
    const char *end = line_end - sizeof version; /* before the version, and its last digit */
    if (memcmp(end, version, sizeof version - 1) != 0 || line_end[-1] < '0' || line_end[-1] > '9')
        return HTTP_LINE_BAD;
    const char *query = memchr(target, '?', (size_t)(end - target));
    return is_usual_path(target, query ? query : end) && has_good_escapes(query ? query : end, end)
               ? HTTP_LINE_GOOD
               : HTTP_LINE_BAD;
}

const char *http_header_fault(const char *bytes, size_t size,
                              bool (*is_misread)(const char *name, size_t size))
{
    const char *end = bytes + size, *at = memchr(bytes, '\n', size), *next;
    bool has_host = false;
    for (; at && (next = memchr(at + 1, '\n', (size_t)(end - at - 1))); at = next) {
        const char *line = at + 1, *line_end = next[-1] == '\r' ? next - 1 : next, *colon = line;
        if (line_end == line)
            return NULL;                                       /* the end of the headers */
        while (*colon > ' ' && *colon < 0x7f && *colon != ':') /* stops at the end of the line */
            colon++;
        size_t name = (size_t)(colon - line);
        if (name == 0 || *colon != ':' || memchr(colon, '\r', (size_t)(line_end - colon)))
            return "A header in this request is not a line with a name, a colon and a value.\n";
        if (is_misread(line, name))
            return "A header in this request has a name that is only the beginning of a usual "
                   "one.\n";
        if (name == 4 && strncasecmp(line, "host", 4) == 0) {
            if (has_host)
                return "This request has more than one header Host.\n";
            has_host = true;
        }
    }
    return NULL;
}

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

bool http_same_origin(const char *origin, const char *host)
{
    const char *at = strstr(origin, "://");
    return at && host[0] && strcasecmp(at + 3, host) == 0;
}

bool http_is_local_name(const char *host)
{
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]"};
    size_t size = host[0] == '[' ? strcspn(host, "]") + 1 : strcspn(host, ":");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strlen(names[i]) == size && strncasecmp(host, names[i], size) == 0)
            return true;
    return false;
}

bool http_cookie(const char *header, const char *name, char *value, size_t size)
{
    size_t name_size = strlen(name);
    for (const char *at = header; *at; at += strcspn(at, ";,")) {
        at += strspn(at, ";, \t");
        if (strncmp(at, name, name_size) != 0 || at[name_size] != '=')
            continue;
        const char *from = at + name_size + 1;
        size_t length = strcspn(from, ";, \t");
        if (length >= size)
            return false;
        memcpy(value, from, length);
        value[length] = '\0';
        return true;
    }
    return false;
}

bool http_is_type(const char *header, const char *type)
{
    size_t size = strcspn(header, "; \t");
    return strlen(type) == size && strncasecmp(header, type, size) == 0;
}

const char *http_arg(const char *args, const char *name)
{
    size_t size = strlen(name);
    for (const char *at = args; at && *at; at += strlen(at) + 1)
        if (strncmp(at, name, size) == 0 && at[size] == '=')
            return at + size + 1;
    return NULL;
}

bool http_is_utf8(const char *bytes, size_t size)
{
    const unsigned char *at = (const unsigned char *)bytes, *end = at + size;
    while (at < end) {
        unsigned char c = *at++;
        if (c < 0x80)
            continue;
        size_t more = c >= 0xc2 && c <= 0xdf   ? 1
                      : c >= 0xe0 && c <= 0xef ? 2
                      : c >= 0xf0 && c <= 0xf4 ? 3
                                               : 0;
        if (more == 0 || (size_t)(end - at) < more)
            return false;
        /* The second byte's limits exclude overlong forms, surrogates and what is above U+10FFFF.
         */
        unsigned char low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
        unsigned char high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
        if (at[0] < low || at[0] > high)
            return false;
        for (size_t i = 1; i < more; i++)
            if ((at[i] & 0xc0) != 0x80)
                return false;
        at += more;
    }
    return true;
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
        {"records", "text/plain; charset=utf-8"},
    };
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof types / sizeof types[0]; i++)
        if (strcmp(dot + 1, types[i].ending) == 0)
            return types[i].type;
    return "application/octet-stream";
}
