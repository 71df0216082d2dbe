/* What the files of a table share among themselves. */
#ifndef ENDSTATION_SRC_PAGE_INSIDE_H
#define ENDSTATION_SRC_PAGE_INSIDE_H

#include "json.h"
#include "page.h"
#include <endstation/metro.h>
#include <endstation/verplant.h>

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
enum es_status es__page_make(struct es_page *page, es_event event);
/* Takes events back until `count` are left. */
void es__page_cut(struct es_page *page, size_t count);
/* The place among the events of a player's last move if it can be taken back, or -1. */
long es__page_undo(const struct es_page *page, int player);

/* Things of the games as JSON: a card ("" for none), a tile ("" for none), a square (likewise, for
 * -1), a station's name, an event, a line of metro that is or would be finished. */
void es__page_card(struct es__json *json, const char *name, int card);
void es__page_tile(struct es__json *json, const char *name, int tile);
void es__page_square(struct es__json *json, const char *name, int square);
void es__page_station(struct es__json *json, const char *name, const struct es_map *map,
                      int station);
void es__page_event(struct es__json *json, const char *name, const struct es_setup *setup,
                    es_event event);
void es__page_line(struct es__json *json, const struct es_setup *setup, struct es_line line);

/* Entries that are owed and can still be made. */
int es__page_owed(const struct es_sheet *sheet);
/* The stations that a choice for the open card marks, in order: their names as "marks". */
void es__page_marks(struct es__json *json, const struct es_map *map, const struct es_sheet *sheet,
                    es_choice choice);

/* The squares where the tile that a player has picked up may lie; false if there is none. */
bool es__page_squares(struct es_page *page, int player, uint64_t *squares);

#endif
