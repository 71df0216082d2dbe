/* Is a sheet a good game? Two plain players (bots.h) play it alone, many times, with the special
 * station rule off, and the sheet's figures are held against those of a good sheet. */
#ifndef ENDSTATION_BALANCE_H
#define ENDSTATION_BALANCE_H

#include <endstation/game.h>
#include <endstation/verplant/bots.h>

/* What many solo games of one player came to. */
struct es_balance {
    int games;
    double mean, deviation;         /* of the points */
    double completed[ES_LINES_MAX]; /* share of the games in which a line was completed */
};

/* Plays `games` solo games with the setup's deck, shuffled from `seed`; the same seed brings the
 * same cards to every player. The setup is for verplant, with a map, and prepared. */
void es_balance(const struct es_setup *setup, es_sheet_bot *bot, int games, uint64_t seed,
                struct es_balance *balance);

#endif
