/* A writer (writer.h) that makes JSON text; adds commas and brackets automatically.
 *
 *     struct es__json json;
 *     es__write_int(es__json_begin(&json, out), NULL, 5);
 */
#ifndef ENDSTATION_SRC_JSON_H
#define ENDSTATION_SRC_JSON_H

#include "page/writer.h"

struct es__json {
    struct es__writer writer; /* first: see writer.h */
    struct es_out *out;
    bool comma;      /* a value was written before on the same level */
    uint32_t arrays; /* a bit for each open level, the innermost lowest: set for an array */
    int depth;       /* how many levels are open */
};

/* Begins to write; returns &json->writer. */
struct es__writer *es__json_begin(struct es__json *json, struct es_out *out);

#endif
