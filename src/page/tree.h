/* A writer (writer.h) that keeps facts as a tree, in the caller's memory, for C code to read.
 *
 *     struct es__fact facts[100];
 *     char text[1000];
 *     struct es__tree tree;
 *     es__write_state(es__tree_begin(&tree, facts, 100, text, sizeof text), &look);
 *     if (es__tree_ok(&tree))
 *         round = es__fact_int(es__tree_root(&tree), "round");
 *
 * Facts lie in the order in which they were written, each object and array right before what is in
 * it. If they do not fit, they are only counted, so that the caller can see how much memory is
 * needed; such a tree cannot be read.
 */
#ifndef ENDSTATION_SRC_TREE_H
#define ENDSTATION_SRC_TREE_H

#include "page/writer.h"

enum es__fact_kind {
    ES__FACT_OBJECT,
    ES__FACT_ARRAY,
    ES__FACT_INT,
    ES__FACT_FIXED,
    ES__FACT_BOOL,
    ES__FACT_TEXT,
};

struct es__fact {
    const char *name; /* NULL in arrays */
    enum es__fact_kind kind;
    size_t size; /* number of facts: itself and all in it */
    union {
        long number; /* ES__FACT_INT */
        double fixed;
        bool boolean;
        const char *text; /* zero-terminated */
    };
};

struct es__tree {
    struct es__writer writer; /* first: see writer.h */
    struct es__fact *fact;
    size_t capacity, count; /* count goes on past the capacity */
    struct es_out text;
    size_t open[ES__FACTS_DEPTH]; /* the objects and arrays that are not closed yet */
    int depth;
};

/* Begins to write; returns &tree->writer. */
struct es__writer *es__tree_begin(struct es__tree *tree, struct es__fact *facts, size_t capacity,
                                  char *text, size_t size);
/* Returns true if everything fitted. If not, count and text.used are the sizes needed. */
bool es__tree_ok(const struct es__tree *tree);
/* Returns the first fact. The tree must be complete and es__tree_ok. */
const struct es__fact *es__tree_root(const struct es__tree *tree);

/* ---- Reading -------------------------------------------------------------------------------- */

/* Returns the fact of that name in an object, or NULL. */
const struct es__fact *es__fact_find(const struct es__fact *object, const char *name);
/* Returns the fact of that name in an object, which must have it. */
const struct es__fact *es__fact_get(const struct es__fact *object, const char *name);
/* These return the value of that name in an object; with NULL, that of the fact itself (an item of
 * an array). A missing fact, or one of another kind, is a bug. */
long es__fact_int(const struct es__fact *fact, const char *name);
double es__fact_fixed(const struct es__fact *fact, const char *name);
bool es__fact_bool(const struct es__fact *fact, const char *name);
const char *es__fact_text(const struct es__fact *fact, const char *name);
/* Returns true if the fact of that name is this text. */
bool es__fact_is(const struct es__fact *fact, const char *name, const char *text);

/* Iterates over an object or array in order:
 *     for (fact = es__fact_first(list); fact; fact = es__fact_next(list, fact)) */
const struct es__fact *es__fact_first(const struct es__fact *list);
const struct es__fact *es__fact_next(const struct es__fact *list, const struct es__fact *fact);
size_t es__fact_count(const struct es__fact *list);

#endif
