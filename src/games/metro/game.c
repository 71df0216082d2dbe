/* The struct es_game of metro; the only file that includes all parts of the game. */
#include "games/metro/analysis.h"
#include "games/metro/bots.h"
#include "games/metro/picture.h"
#include "games/metro/print.h"
#include "games/metro/rules.h"
#include "games/metro/table.h"

static const char *const rule_words[] = {"rotate", "hand2", "hand3", NULL};

const struct es_game es_metro = {
    .name = "metro",
    .players_min = 2,
    .players_max = 6,
    .has_secrets = true,
    .rules = rule_words,
    .exclusive = ES_METRO_HAND2 | ES_METRO_HAND3,
    .prepare = es__metro_prepare,
    .start = es__metro_start,
    .turn = es__metro_turn,
    .legal = es__metro_legal,
    .apply = es__metro_apply,
    .weight = es__metro_weight,
    .deal = es__metro_deal,
    .observe = es__metro_observe,
    .score = es__metro_score,
    .winners = es__metro_winners,
    .report = es__metro_report,
    .parse = es__metro_parse,
    .format = es__metro_format,
    .check = es__metro_check,
    .picture = &es__metro_picture,
    .bots = &es__metro_bots,
    .analysis = &es__metro_analysis,
    .table = &es__metro_table,
    .prints = es__metro_prints,
};
