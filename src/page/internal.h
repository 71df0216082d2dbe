/* Declarations shared by the files of src/page; not part of page.h. */
#ifndef ENDSTATION_SRC_PAGE_INTERNAL_H
#define ENDSTATION_SRC_PAGE_INTERNAL_H

#include "page/json.h"
#include "page/page.h"

/* Returns `viewer` if it is a player's number, else 0. */
int es__page_viewer(const struct es_page *page, int viewer);
/* Computes the full state at the cursor, hidden information included. */
void es__page_now(const struct es_page *page, struct es_state *state);
/* Writes to page->seen the events up to the cursor that the viewer may know; returns their
 * number. */
size_t es__page_seen(struct es_page *page, int viewer);

/* Computes the state after events that are known to be legal, or after a viewer's view of them. */
void es__page_fold(const struct es_page *page, const es_event *events, size_t count,
                   struct es_state *state);
/* Applies an event that has been parsed already. */
es_status es__page_make(struct es_page *page, es_event event);
/* Takes events back until `count` are left. */
void es__page_cut(struct es_page *page, size_t count);
/* Returns the index of a player's last move among the record's events if it can be taken back, or
 * -1. `state` is the state after all of them; `seen` has room for as many events. */
long es__undo(const struct es_record *record, const struct es_state *state, int player,
              es_event *seen);
/* Returns the index of the event that es_page_go_back() would cut the game to, or -1. */
long es__go_back(const struct es_record *record, const struct es_state *state, int player);
/* Returns true if the record says `note aided`. */
bool es__aided(const struct es_record *record);
/* What somebody got with the same seed: a line `note challenge POINTS NAME`, or `note before
 * POINTS` if the same person plays again. */
struct es__challenge {
    int points;
    struct es_str name;
    bool own;
};
/* Reads that line; false if there is none. */
bool es__challenge(const struct es_record *record, struct es__challenge *challenge);
/* es__undo for the open game; -1 while the cursor is not at the end. */
long es__page_undo(struct es_page *page, int player);

/* Adds look->better and look->played to a picture of the viewer's view (picture_moves.c). The
 * page's first module is linked without it, for its size (cmake/page.cmake). */
#ifdef __wasm__
__attribute__((weak))
#endif
void es__page_add_moves(const struct es_page *page, const struct es_page_look *look,
                        const struct es_state *view, struct es_state moves[2],
                        struct es_draw *draw);

/* A decoded pick: what a player holds and has planned; es__choosing points into it. */
struct es__hand {
    es_event plan;
    struct es__pick pick;
};
/* Fills in the choosing player's view and the decoded pick. Returns ES_OK, or why the player cannot
 * choose now. */
es_status es__page_begin_choosing(struct es_page *page, int player, struct es_str pick,
                                  struct es_state *view, struct es__hand *hand,
                                  struct es__choosing *c);

#endif
