/* A table to play verplant on in tests: a drawn sheet, events as text, what must be seen.
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
 */
#ifndef ENDSTATION_TABLE_H
#define ENDSTATION_TABLE_H

#include "check.h"

struct table {
    struct es_map map;
    struct es_setup setup;
    struct es_state state;
    es_event events[512];
    size_t count;
};

void sit(struct table *t, const char *header, const char *drawing);
/* An event that must be legal … */
void say(struct table *t, const char *event);
/* … several of them, separated by semicolons … */
void say_all(struct table *t, const char *events);
/* … or must be refused for this reason, leaving everything as it was. */
void refuse(struct table *t, const char *event, enum es_status reason);
/* A line that the report must have. */
void sees(const struct table *t, const char *line);
/* Exactly the events that one player or chance may make, sorted by their text. */
void may(const struct table *t, int who, const char *events);

#endif
