/* Small pieces of HTTP, apart from any connection. */
#ifndef ENDSTATION_HTTP_H
#define ENDSTATION_HTTP_H

#include <stdbool.h>

/* Whether a header `Accept-Encoding` allows an encoding by its name, or by `*`. */
bool http_accepts(const char *header, const char *encoding);
/* Whether a header `If-None-Match` names this tag (with its quotes), or any. */
bool http_matches(const char *header, const char *tag);
/* The content type of a file, by its ending. */
const char *http_type(const char *path);

#endif
