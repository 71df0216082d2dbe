/* The struct es_game of verplant; the only file that includes all parts of the game. */
#include "games/verplant/analysis.h"
#include "games/verplant/bots.h"
#include "games/verplant/picture.h"
#include "games/verplant/print.h"
#include "games/verplant/rules.h"
#include "games/verplant/table.h"

static const char *const rule_words[] = {"special", NULL};
static const char *const options[] = {"deck", NULL};
static const struct es_preset presets[] = {
    {"deck", "14", es_verplant_deck_14},
    {"deck", "15", es_verplant_deck_15},
    {NULL, NULL, NULL},
};

const struct es_game es_verplant = {
    .name = "verplant",
    .players_min = 1,
    .players_max = 6,
    .has_map = true,
    .has_secrets = true,
    .rules = rule_words,
    .options = options,
    .presets = presets,
    .read_option = es__verplant_read_option,
    .write_option = es__verplant_write_option,
    .prepare = es__verplant_prepare,
    .start = es__verplant_start,
    .turn = es__verplant_turn,
    .legal = es__verplant_legal,
    .apply = es__verplant_apply,
    .weight = es__verplant_weight,
    .deal = es__verplant_deal,
    .observe = es__verplant_observe,
    .score = es__verplant_score,
    .winners = es__verplant_winners,
    .report = es__verplant_report,
    .parse = es__verplant_parse,
    .format = es__verplant_format,
    .check = es__verplant_check,
    .picture = &es__verplant_picture,
    .bots = &es__verplant_bots,
    .analysis = &es__verplant_analysis,
    .table = &es__verplant_table,
    .prints = es__verplant_prints,
};
