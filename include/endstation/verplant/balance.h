/* Statistics of many solo games of one simple bot (verplant/bots.h) on a sheet: mean, deviation,
 * and how often each line was completed. Special stations have no effect. (`maps --check` compares
 * the figures with those of a good sheet.) */
#ifndef ENDSTATION_BALANCE_H
#define ENDSTATION_BALANCE_H

#include <endstation/game.h>
#include <endstation/verplant/bots.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The statistics of `games` solo games. */
struct es_balance {
    int games;
    double mean, deviation;         /* of the points */
    double completed[ES_LINES_MAX]; /* share of the games in which a line was completed */
};

/* Plays `games` solo games with the setup's deck, shuffled from `seed`; the same seed brings the
 * same cards to every bot. The setup must be one of verplant and prepared. */
void es_balance(const struct es_setup *setup, es_sheet_bot *bot, int games, uint64_t seed,
                struct es_balance *balance);

#ifdef __cplusplus
}
#endif

#endif
