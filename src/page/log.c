/* The log of a game as facts: each event of the viewer's view once. */
#include "page/internal.h"

bool es__tell(struct es__telling *t, size_t n, const char *what)
{
    if (n <= t->from)
        return false;
    es__write_object(t->w, NULL);
    es__write_int(t->w, "n", (long)n);
    es__write_text(t->w, "what", what);
    return true;
}

bool es__tell_of(struct es__telling *t, size_t n, const char *what, int player)
{
    if (!es__tell(t, n, what))
        return false;
    es__write_int(t->w, "player", player);
    return true;
}

void es__told(struct es__telling *t)
{
    es__write_end(t->w);
}

/* The default of es_table.tell. */
static void tell_event(struct es__telling *t)
{
    if (!es__tell_of(t, t->n, "event", ES_EVENT_WHO(t->event)))
        return;
    es__write_event(t->w, "event", t->setup, t->event);
    es__told(t);
}

void es__write_log(struct es__writer *w, const struct es__looking *look, size_t from)
{
    const struct es_setup *setup = look->setup;
    const struct es_table *table = setup->game->table;
    struct es_state before, after;
    struct es__telling t = {
        .w = w, .setup = setup, .before = &before, .after = &after, .from = from};
    es__write_array(w, NULL);
    setup->game->start(setup, &after);
    for (size_t i = 0; i < look->count; i++) {
        before = after;
        t.event = look->seen[i];
        t.place = i + 1;
        t.n = table && table->known_at ? table->known_at(look, look->record->events, i) : i + 1;
        setup->game->apply(setup, &after, t.event);
        if (table && table->tell)
            table->tell(&t);
        else
            tell_event(&t);
    }
    unsigned winners = setup->game->winners(setup, &after);
    if (winners && es__tell(&t, look->count, "over")) {
        es__write_set(w, "winners", winners);
        es__told(&t);
    }
    es__write_end(w);
}

void es_page_log(struct es_page *page, int viewer, size_t from, struct es_out *out)
{
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    if (!page->is_open) {
        es__write_array(w, NULL);
        es__write_end(w);
        return;
    }
    struct es_state now, view;
    struct es__looking look;
    es__page_now(page, &now);
    es__look(&look, &page->record, &now, page->cursor, es__page_viewer(page, viewer), page->seen,
             &view);
    es__write_log(w, &look, from);
}
