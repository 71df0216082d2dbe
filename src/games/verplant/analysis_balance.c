/* Implementation of balance.h: plays many solo games of one simple bot on a sheet. */
#include <endstation/verplant.h>
#include <endstation/verplant/balance.h>

static int solo_game(const struct es_setup *setup, es_sheet_bot *bot, struct es_random *cards,
                     struct es_random *choices, struct es_sheet *sheet)
{
    const struct es_map *map = setup->map;
    const uint64_t whole = ((uint64_t)1 << es_verplant_deck(setup)->size) - 1;
    uint64_t pile = whole;
    es_sheet_blank(map, sheet);
    while (sheet->windows_left > 0) {
        int place = es_verplant_draw(setup, pile, cards),
            card = es_verplant_deck(setup)->card[place];
        pile = card == ES_CARD_SIX ? whole : pile & ~((uint64_t)1 << place);
        es_choice choice = bot(map, sheet, card, choices);
        if (card != ES_CARD_FREE_RIDE)
            es_sheet_enter(map, sheet, card, choice);
        else if (choice != ES_CHOICE_NO_RIDE)
            es_sheet_mark(map, sheet, choice - 1);
        es_sheet_score(map, sheet, 0);
    }
    return sheet->points + 2 * sheet->framed - es_sheet_empty(sheet);
}

void es_balance(const struct es_setup *setup, es_sheet_bot *bot, int games, uint64_t seed,
                struct es_balance *balance)
{
    struct es_random cards, choices;
    struct es_sheet sheet;
    double sum = 0, squares = 0;
    *balance = (struct es_balance){.games = games};
    for (int i = 0; i < games; i++) {
        /* Separate random streams for cards and choices, so that choices do not change later
         * cards. */
        es_random_seed(&cards, seed + 2 * (uint64_t)i);
        es_random_seed(&choices, seed + 2 * (uint64_t)i + 1);
        double points = solo_game(setup, bot, &cards, &choices, &sheet);
        sum += points;
        squares += points * points;
        for (int l = 0; l < setup->map->lines; l++)
            balance->completed[l] += (sheet.scored >> l & 1) / (double)games;
    }
    double mean = sum / games, variance = squares / games - mean * mean;
    balance->mean = mean;
    balance->deviation = variance > 0 ? __builtin_sqrt(variance) : 0;
}
