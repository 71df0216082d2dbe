/* What happened, in facts: every event of the viewer's view once. */
#include "page/internal.h"

bool es__tell(struct es__telling *t, size_t n, const char *what)
{
    if (n <= t->from)
        return false;
    es__json_open(&t->json, NULL, '{');
    es__json_int(&t->json, "n", (long)n);
    es__json_text(&t->json, "what", what);
    return true;
}

bool es__tell_of(struct es__telling *t, size_t n, const char *what, int player)
{
    if (!es__tell(t, n, what))
        return false;
    es__json_int(&t->json, "player", player);
    return true;
}

void es__told(struct es__telling *t)
{
    es__json_close(&t->json, '}');
}

/* Of a game that has no words of its own for it. */
static void tell_event(struct es__telling *t)
{
    if (!es__tell_of(t, t->n, "event", ES_EVENT_WHO(t->event)))
        return;
    es__page_event(&t->json, "event", t->setup, t->event);
    es__told(t);
}

void es_page_log(struct es_page *page, int viewer, size_t from, struct es_out *out)
{
    const struct es_setup *setup = &page->record.setup;
    struct es_state now, before, after;
    struct es__telling t = {
        .json = {.out = out}, .setup = setup, .before = &before, .after = &after, .from = from};
    es__json_open(&t.json, NULL, '[');
    if (page->seen_ready) {
        const struct es_table *table = setup->game->table;
        viewer = es__page_viewer(page, viewer);
        es__page_now(page, &now);
        size_t seen = es__page_seen(page, viewer);
        const struct es__looking look = {setup, viewer, &now, &now, page->seen, seen, false};
        setup->game->start(setup, &after);
        for (size_t i = 0; i < seen; i++) {
            before = after;
            t.event = page->seen[i];
            t.place = i + 1;
            t.n = table && table->known_at ? table->known_at(&look, page->event, i) : i + 1;
            setup->game->apply(setup, &after, t.event);
            if (table && table->tell)
                table->tell(&t);
            else
                tell_event(&t);
        }
        unsigned winners = setup->game->winners(setup, &after);
        if (winners && es__tell(&t, seen, "over")) {
            es__json_set(&t.json, "winners", winners);
            es__told(&t);
        }
    }
    es__json_close(&t.json, ']');
}
