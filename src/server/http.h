/* HTTP helpers without connections: encodings, entity tags, content types. */
#ifndef ENDSTATION_HTTP_H
#define ENDSTATION_HTTP_H

#include <stdbool.h>

/* Returns true if a header `Accept-Encoding` allows an encoding, by its name or by `*`. */
bool http_accepts(const char *header, const char *encoding);
/* Returns true if a header `If-None-Match` has this tag (with its quotes), or `*`. */
bool http_matches(const char *header, const char *tag);
/* Returns the content type of a file, by its extension. */
const char *http_type(const char *path);

#endif
