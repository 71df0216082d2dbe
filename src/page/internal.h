/* Declarations shared by the files of src/page; not part of page.h. */
#ifndef ENDSTATION_SRC_PAGE_INTERNAL_H
#define ENDSTATION_SRC_PAGE_INTERNAL_H

#include "page/json.h"
#include "page/page.h"

/* A viewer, or 0 for numbers that are no player's. */
int es__page_viewer(const struct es_page *page, int viewer);
/* The game at the cursor, with all that is hidden. */
void es__page_now(const struct es_page *page, struct es_state *state);
/* What the viewer may know of it: events into page->seen; returns how many. */
size_t es__page_seen(struct es_page *page, int viewer);

/* The state after events that were legal when they came, or after a viewer's view of them. */
void es__page_fold(const struct es_page *page, const es_event *events, size_t count,
                   struct es_state *state);
/* Makes an event that is not text any more. */
es_status es__page_make(struct es_page *page, es_event event);
/* Takes events back until `count` are left. */
void es__page_cut(struct es_page *page, size_t count);
/* The place among the events of a player's last move if it can be taken back, or -1; `state` is the
 * one after all of them. */
long es__undo(const struct es_record *record, const struct es_state *state, int player);
/* The same for the open game; -1 while an earlier moment is shown. */
long es__page_undo(const struct es_page *page, int player);

/* What a player has in hand and has planned, as a pick says it, for es__choosing. */
struct es__hand {
    es_event plan;
    struct es__pick pick;
};
/* Begins to choose: what the player knows, and what the pick says about it. Returns why the player
 * cannot choose anything now, if so. */
es_status es__page_begin_choosing(struct es_page *page, int player, struct es_str pick,
                                  struct es_state *view, struct es__hand *hand,
                                  struct es__choosing *c);

#endif
