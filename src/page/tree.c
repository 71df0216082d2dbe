/* Implementation of tree.h. */
#include "page/tree.h"
#include <assert.h>
#include <string.h>

/* ---- Writing -------------------------------------------------------------------------------- */

static struct es__tree *tree_of(struct es__writer *w)
{
    return (struct es__tree *)w;
}

static void add(struct es__writer *w, struct es__fact fact)
{
    struct es__tree *tree = tree_of(w);
    assert(tree->depth > 0 || tree->count == 0); /* there is one root */
    fact.size = 1;
    if (tree->count < tree->capacity)
        tree->fact[tree->count] = fact;
    tree->count++;
}

static void open(struct es__writer *w, const char *name, bool array)
{
    struct es__tree *tree = tree_of(w);
    assert(tree->depth < ES__FACTS_DEPTH);
    add(w, (struct es__fact){.name = name, .kind = array ? ES__FACT_ARRAY : ES__FACT_OBJECT});
    tree->open[tree->depth++] = tree->count - 1;
}

static void close(struct es__writer *w)
{
    struct es__tree *tree = tree_of(w);
    assert(tree->depth > 0);
    size_t at = tree->open[--tree->depth];
    if (at < tree->capacity)
        tree->fact[at].size = tree->count - at;
}

static void number(struct es__writer *w, const char *name, int64_t value)
{
    add(w, (struct es__fact){.name = name, .kind = ES__FACT_INT, .number = (long)value});
}

static void fixed(struct es__writer *w, const char *name, double value, int digits)
{
    (void)digits; /* kept without rounding */
    add(w, (struct es__fact){.name = name, .kind = ES__FACT_FIXED, .fixed = value});
}

static void boolean(struct es__writer *w, const char *name, bool value)
{
    add(w, (struct es__fact){.name = name, .kind = ES__FACT_BOOL, .boolean = value});
}

static void text(struct es__writer *w, const char *name, struct es_str value)
{
    struct es_out *out = &tree_of(w)->text;
    const char *at = out->used < out->size ? out->at + out->used : "";
    es_out_str(out, value);
    es_out_char(out, '\0');
    add(w, (struct es__fact){.name = name, .kind = ES__FACT_TEXT, .text = at});
}

struct es__writer *es__tree_begin(struct es__tree *tree, struct es__fact *facts, size_t capacity,
                                  char *text_at, size_t text_size)
{
    *tree = (struct es__tree){
        .writer = {.open = open,
                   .close = close,
                   .number = number,
                   .fixed = fixed,
                   .boolean = boolean,
                   .text = text},
        .fact = facts,
        .capacity = capacity,
        .text = {text_at, text_size, 0},
    };
    return &tree->writer;
}

bool es__tree_ok(const struct es__tree *tree)
{
    return tree->count <= tree->capacity && es_out_ok(&tree->text);
}

const struct es__fact *es__tree_root(const struct es__tree *tree)
{
    assert(es__tree_ok(tree) && tree->count > 0 && tree->depth == 0);
    return &tree->fact[0];
}

/* ---- Reading -------------------------------------------------------------------------------- */

const struct es__fact *es__fact_first(const struct es__fact *list)
{
    assert(list->kind == ES__FACT_OBJECT || list->kind == ES__FACT_ARRAY);
    return list->size > 1 ? list + 1 : NULL;
}

const struct es__fact *es__fact_next(const struct es__fact *list, const struct es__fact *fact)
{
    const struct es__fact *next = fact + fact->size;
    return next < list + list->size ? next : NULL;
}

size_t es__fact_count(const struct es__fact *list)
{
    size_t count = 0;
    for (const struct es__fact *f = es__fact_first(list); f; f = es__fact_next(list, f))
        count++;
    return count;
}

const struct es__fact *es__fact_find(const struct es__fact *object, const char *name)
{
    assert(object->kind == ES__FACT_OBJECT);
    for (const struct es__fact *f = es__fact_first(object); f; f = es__fact_next(object, f))
        if (strcmp(f->name, name) == 0)
            return f;
    return NULL;
}

const struct es__fact *es__fact_get(const struct es__fact *object, const char *name)
{
    const struct es__fact *fact = es__fact_find(object, name);
    assert(fact);
    return fact;
}

/* The fact of that name, or with NULL this one, which must be of a kind. */
static const struct es__fact *value(const struct es__fact *fact, const char *name,
                                    enum es__fact_kind kind)
{
    if (name)
        fact = es__fact_get(fact, name);
    assert(fact->kind == kind);
    return fact;
}

long es__fact_int(const struct es__fact *fact, const char *name)
{
    return value(fact, name, ES__FACT_INT)->number;
}

double es__fact_fixed(const struct es__fact *fact, const char *name)
{
    return value(fact, name, ES__FACT_FIXED)->fixed;
}

bool es__fact_bool(const struct es__fact *fact, const char *name)
{
    return value(fact, name, ES__FACT_BOOL)->boolean;
}

const char *es__fact_text(const struct es__fact *fact, const char *name)
{
    return value(fact, name, ES__FACT_TEXT)->text;
}

bool es__fact_is(const struct es__fact *fact, const char *name, const char *text_is)
{
    return strcmp(es__fact_text(fact, name), text_is) == 0;
}
