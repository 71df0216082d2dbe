/* Reads and writes the parts of events and reports that are the same in all games. */
#ifndef ENDSTATION_SRC_NOTATION_H
#define ENDSTATION_SRC_NOTATION_H

#include <endstation/game.h>

/* Reads a player's number. Returns ES_PLAYER_UNKNOWN if the game has no such player, ES_EVENT_BAD
 * if the word is not a number. */
es_status es__player_read(const struct es_setup *setup, struct es_str word, int *player);

/* Writes a text and a number after it. */
void es__report_number(struct es_out *out, const char *before, int value);
/* The report's lines `over`, `to-act` and `winner`. */
void es__report_over(struct es_out *out, struct es_turn turn);
void es__report_to_act(struct es_out *out, struct es_turn turn);
void es__report_winner(struct es_out *out, unsigned winners);

#endif
