/* What the two games need to turn taps and keys into a plan. */
#ifndef ENDSTATION_SRC_PAGE_PLAN_H
#define ENDSTATION_SRC_PAGE_PLAN_H

#include "inside.h"

/* Keys as numbers: letters and digits are themselves. */
enum { KEY_NONE, KEY_LEFT = 1, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_BACKSPACE, KEY_SPACE };

struct es__choosing {
    const struct es_setup *setup;
    int player;
    const struct es_state *view; /* what the player knows */
    es_event *plan;
    struct es_page_pick *pick;
    enum es_status why; /* nothing was planned because of this; the plan is then as before */
};

/* A part of the picture that was tapped, by its id (true if it stands for a move, so that a second
 * tap can mean to make it); a key; and the rest of the answer. The player is to act. */
bool es__verplant_tap(struct es__choosing *c, struct es_str part);
void es__verplant_key(struct es__choosing *c, int key);
void es__verplant_blank(struct es__choosing *c);
void es__verplant_answer(const struct es__choosing *c, struct es__json *json);
bool es__metro_tap(struct es__choosing *c, struct es_str part);
void es__metro_key(struct es__choosing *c, int key);
void es__metro_moved(struct es__choosing *c); /* the plan was set: the tile follows */
void es__metro_answer(const struct es__choosing *c, struct es__json *json);
/* The squares where the tile picked up may lie; false if there is none. */
bool es__metro_squares(const struct es__choosing *c, uint64_t *squares);

/* Plans a move if it is legal; else says why not. */
bool es__plan(struct es__choosing *c, es_event event);
/* Cuts "wagon-" off "wagon-A"; false if it does not begin so. */
bool es__part_of(struct es_str part, const char *kind, struct es_str *name);

#endif
