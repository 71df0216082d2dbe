/* Functions for the texts of HTTP headers: encodings, entity tags, origins, cookies, types. */
#ifndef ENDSTATION_HTTP_H
#define ENDSTATION_HTTP_H

#include <stdbool.h>
#include <stddef.h>

/* What the beginning of a request says. */
enum http_line {
    HTTP_LINE_UNKNOWN, /* the line is not complete, or has no method that looks like one */
    HTTP_LINE_GOOD,
    HTTP_LINE_BAD, /* no HTTP/1; or the address is malformed, or not written in the usual way */
};

/* Looks at the first line of a request. The usual way of writing a path is the one that nobody
 * would change: no empty part, `.` or `..` between two slashes, and no escape of what needs none.
 * So the path that a proxy has looked at is the one that is answered. */
enum http_line http_check_line(const char *bytes, size_t size);
/* Looks at the other lines of a request's headers, as far as they have come: one must be a name, a
 * colon and a value, and only one names the host. `is_misread` knows the names that the reader of
 * the headers gets wrong. Returns a sentence about what is wrong; NULL: nothing. */
const char *http_header_fault(const char *bytes, size_t size,
                              bool (*is_misread)(const char *name, size_t size));
/* Returns true if a header `Accept-Encoding` allows an encoding, by its name or by `*`. */
bool http_accepts(const char *header, const char *encoding);
/* Returns true if a header `If-None-Match` has this tag (with its quotes), or `*`. */
bool http_matches(const char *header, const char *tag);
/* Returns true if a header `Origin` names the host of a header `Host`. Ignores the scheme, which a
 * proxy may have changed. */
bool http_same_origin(const char *origin, const char *host);
/* Returns true if a header `Host` is localhost, 127.0.0.1 or [::1], with any port. */
bool http_is_local_name(const char *host);
/* Copies the value of a cookie; false if it is missing or does not fit. */
bool http_cookie(const char *header, const char *name, char *value, size_t size);
/* Returns true if a header `Content-Type` has this type, whatever its parameters. */
bool http_is_type(const char *header, const char *type);
/* Returns the value of an argument (struct server_request), or NULL. */
const char *http_arg(const char *args, const char *name);
/* Returns true if the bytes are valid UTF-8: no surrogates, no overlong forms. */
bool http_is_utf8(const char *bytes, size_t size);
/* Returns the content type of a file, by its extension. */
const char *http_type(const char *path);

#endif
