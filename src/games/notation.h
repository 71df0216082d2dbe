/* What the notations of all games share. */
#ifndef ENDSTATION_SRC_NOTATION_H
#define ENDSTATION_SRC_NOTATION_H

#include <endstation/game.h>

/* The player that a word names, 1 and up; else ES_PLAYER_UNKNOWN, or ES_EVENT_BAD for no number. */
es_status es__player_read(const struct es_setup *setup, struct es_str word, int *player);

/* A number behind some text. */
void es__report_number(struct es_out *out, const char *before, int value);
/* The report's lines `over`, `to-act` and `winner`. */
void es__report_over(struct es_out *out, struct es_turn turn);
void es__report_to_act(struct es_out *out, struct es_turn turn);
void es__report_winner(struct es_out *out, unsigned winners);

#endif
