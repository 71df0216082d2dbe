/* The struct es_game of depot; the only file that includes all parts of the game. */
#include "games/depot/depot.h"
#include "games/depot/picture.h"
#include "games/depot/table.h"

static const char *const rule_words[] = {"corners", NULL};

extern const struct es_game es_depot;
const struct es_game es_depot = {
    .name = "depot",
    .players_min = 2,
    .players_max = 4,
    .rules = rule_words,
    .prepare = depot_prepare,
    .start = depot_start,
    .turn = depot_turn,
    .legal = depot_legal,
    .apply = depot_apply,
    .weight = depot_weight,
    .deal = depot_deal,
    .observe = depot_observe,
    .score = depot_score,
    .winners = depot_winners,
    .report = depot_report,
    .parse = depot_parse,
    .format = depot_format,
    .check = depot_check,
    .picture = &depot_picture,
    .table = &depot_table,
};
