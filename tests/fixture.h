/* Games for tests of rules: a drawn sheet or board, events as text, expected reports.
 *
 *     start_sheet(&t, "players 2\nrules special\n",
 *         "A 2 5/3 : ax b. c*\n"      // line A: 2 windows, 5 or 3 points; a is crossed already,
 *         "C 1 4/2 ring : c* d.\n");  // b empty, c empty and special; C is a ring
 *     play(&t, "card 4");
 *     expect_refused(&t, "1 A3", ES_MARKS_MANY);
 *     play(&t, "1 A2");
 *     expect_line(&t, "marks 1 a=x b=x c=x");
 *
 * Crosses in a drawing are made by free rides of all players before the test begins, so that every
 * position comes from events. Unless the header names a deck, it has enough free rides, two
 * transfers, and one each of all other cards.
 *
 *     start_board(&t, "players 2\n", "cbcb",   // the player at turn holds cbcb
 *         "baac accd ....\n"                     // row 1 from the left; what is not drawn is empty
 *         ".... aaaa");
 *     expect_squares(&t, "cbcb", "a2 b1 c1 …");            // exactly these squares
 *     play(&t, "2 cbcb c1");
 *     expect_line(&t, "line 8 owner 2 tiles 3 end edge points 3");
 *
 * Drawn tiles are laid by the players in turn, in some order that the rules allow, from hidden
 * hands; at the end only the hand of the player at turn is known.
 */
#ifndef ENDSTATION_FIXTURE_H
#define ENDSTATION_FIXTURE_H

#include "check.h"

enum { FIXTURE_EVENTS = 512 };

struct fixture {
    struct es_map map;
    struct es_setup setup;
    struct es_state state;
    es_event events[FIXTURE_EVENTS];
    size_t count;
};

void start_sheet(struct fixture *t, const char *header, const char *drawing);
/* Starts metro before the first tile is dealt. */
void start_deal(struct fixture *t, const char *header);
/* Starts metro in the middle of a game. */
void start_board(struct fixture *t, const char *header, const char *hand, const char *drawing);
/* Plays an event, which must be legal. */
void play(struct fixture *t, const char *event);
/* Plays several events, separated by semicolons. */
void play_all(struct fixture *t, const char *events);
/* Checks that an event is refused for this reason and changes nothing. */
void expect_refused(struct fixture *t, const char *event, es_status reason);
/* Checks that the report has a line. */
void expect_line(const struct fixture *t, const char *line);
/* Checks that exactly these events are legal for a player or chance (0), sorted by text. */
void expect_legal(const struct fixture *t, int who, const char *events);
/* Checks that exactly these squares are legal for a tile, turned or not, of the player at turn. */
void expect_squares(const struct fixture *t, const char *tile, const char *squares);

#endif
