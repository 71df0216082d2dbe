/* Implementation of writer.h: calls of the functions that a writer provides. */
#include "page/writer.h"

void es__write_object(struct es__writer *w, const char *name)
{
    w->open(w, name, false);
}

void es__write_array(struct es__writer *w, const char *name)
{
    w->open(w, name, true);
}

void es__write_end(struct es__writer *w)
{
    w->close(w);
}

void es__write_int(struct es__writer *w, const char *name, int64_t value)
{
    w->number(w, name, value);
}

void es__write_fixed(struct es__writer *w, const char *name, double value, int digits)
{
    w->fixed(w, name, value, digits);
}

void es__write_bool(struct es__writer *w, const char *name, bool value)
{
    w->boolean(w, name, value);
}

void es__write_str(struct es__writer *w, const char *name, struct es_str value)
{
    w->text(w, name, value);
}

void es__write_text(struct es__writer *w, const char *name, const char *value)
{
    w->text(w, name, es_str(value));
}

void es__write_set(struct es__writer *w, const char *name, unsigned set)
{
    es__write_array(w, name);
    for (; set; set &= set - 1)
        es__write_int(w, NULL, __builtin_ctz(set) + 1);
    es__write_end(w);
}
