/* A table to play on in tests: a drawn sheet or board, events as text, what must be seen.
 *
 *     sit(&t, "players 2\nrules special\n",
 *         "A 2 5/3 : ax b. c*\n"      // line A: 2 windows, 5 or 3 points; a is crossed already,
 *         "C 1 4/2 ring : c* d.\n");  // b empty, c empty and special; C is a ring
 *     say(&t, "card 4");
 *     refuse(&t, "1 A3", ES_MARKS_MANY);
 *     say(&t, "1 A2");
 *     sees(&t, "marks 1 a=x b=x c=x");
 *
 * Crosses that a drawing shows are made by free rides of all players before the test begins, so
 * that every position comes from events; the deck has as many free rides as it takes, and one each
 * of all other cards.
 *
 *     sit_at_board(&t, "players 2\n", "cbcb",   // the player at turn holds cbcb
 *         "baac accd ....\n"                     // row 1 from the left; what is not drawn is empty
 *         ".... aaaa");
 *     goes(&t, "cbcb", "a2 b1 c1 …");            // exactly these squares
 *     say(&t, "2 cbcb c1");
 *     sees(&t, "line 8 owner 2 tiles 3 end edge points 3");
 *
 * Drawn tiles are laid by the players in turn, in some order that the rules allow, out of hands
 * that are unknown to the test; only the hand of the player at turn is known in the end.
 */
#ifndef ENDSTATION_TABLE_H
#define ENDSTATION_TABLE_H

#include "check.h"

enum { TABLE_EVENTS = 512 };

struct table {
    struct es_map map;
    struct es_setup setup;
    struct es_state state;
    es_event events[TABLE_EVENTS];
    size_t count;
};

void sit(struct table *t, const char *header, const char *drawing);
/* The board of metro before the first tile is dealt … */
void sit_to_deal(struct table *t, const char *header);
/* … or in the middle of a game. */
void sit_at_board(struct table *t, const char *header, const char *hand, const char *drawing);
/* An event that must be legal … */
void say(struct table *t, const char *event);
/* … several of them, separated by semicolons … */
void say_all(struct table *t, const char *events);
/* … or must be refused for this reason, leaving everything as it was. */
void refuse(struct table *t, const char *event, es_status reason);
/* A line that the report must have. */
void sees(const struct table *t, const char *line);
/* Exactly the events that one player or chance may make, sorted by their text. */
void may(const struct table *t, int who, const char *events);
/* Exactly the squares for a tile, turned or not, of the player at turn. */
void goes(const struct table *t, const char *tile, const char *squares);

#endif
