/* Pictures of a better move and the one that was played, for the analysis. */
#include "page/internal.h"

/* Applies an event of the viewer, as text, to a copy of the viewer's view; false if there is none
 * or it is illegal. */
static bool apply_text(const struct es_setup *setup, const struct es_state *view, int viewer,
                       struct es_str text, struct es_state *after)
{
    es_event event;
    *after = *view;
    return text.size > 0 && setup->game->parse(setup, text, &event) == ES_OK &&
           ES_EVENT_WHO(event) == viewer && setup->game->apply(setup, after, event) == ES_OK;
}

void es__page_add_moves(const struct es_page *page, const struct es_page_look *look,
                        const struct es_state *view, struct es_state moves[2], struct es_draw *draw)
{
    const struct es_setup *setup = &page->record.setup;
    const int viewer = es__page_viewer(page, look->viewer);
    if (!viewer)
        return;
    if (apply_text(setup, view, viewer, look->better, &moves[0]))
        draw->planned = &moves[0];
    if (apply_text(setup, view, viewer, look->played, &moves[1]))
        draw->instead = &moves[1];
}
