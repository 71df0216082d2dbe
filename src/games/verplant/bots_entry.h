/* Helpers of verplant's bots on bare sheets: list the choices worth searching, make an entry, take
 * a card from the pile, count points. */
#ifndef ENDSTATION_ENTRY_H
#define ENDSTATION_ENTRY_H

#include <endstation/verplant.h>

/* Lists the choices worth searching: for each line, and each direction of a ring, the `most`
 * choices with the most marks (a ring's empty entry is kept); all choices of a free ride. Returns
 * their number. */
static inline size_t es__candidates(const struct es_map *map, const struct es_sheet *sheet,
                                    int card, size_t most, es_choice choices[ES_CHOICES_MAX])
{
    size_t count = es_sheet_choices(map, sheet, card, choices), kept = 0, run = 0;
    if (card == ES_CARD_FREE_RIDE)
        return count;
    for (size_t i = 0; i < count; i++) {
        choices[kept++] = choices[i];
        run++;
        if (i + 1 == count || choices[i + 1] != choices[i] + 1) { /* the end of a run */
            size_t drop = run > most ? run - most : 0;
            for (size_t j = kept - run; j + drop < kept && drop; j++)
                choices[j] = choices[j + drop];
            kept -= drop;
            run = 0;
        }
    }
    return kept;
}

/* Makes one entry; special stations add to `owed`. */
static inline void es__enter(const struct es_setup *setup, struct es_sheet *sheet, int card,
                             es_choice choice)
{
    unsigned special = 0;
    if (card != ES_CARD_FREE_RIDE)
        special = es_sheet_enter(setup->map, sheet, card, choice);
    else if (choice != ES_CHOICE_NO_RIDE)
        es_sheet_mark(setup->map, sheet, choice - 1);
    if (!(setup->rules & ES_VERPLANT_SPECIAL))
        special = 0;
    sheet->owed = sheet->windows_left ? (uint8_t)(sheet->owed - 1 + special) : 0;
}

static inline uint64_t es__whole_pile(const struct es_setup *setup)
{
    return ((uint64_t)1 << es_verplant_deck(setup)->size) - 1;
}

/* Returns the pile after one of its cards has been played; a 6 brings all cards back. */
static inline uint64_t es__pile_without(const struct es_setup *setup, uint64_t pile, int card)
{
    uint64_t copies = pile & es_verplant_deck(setup)->copies[card];
    return card == ES_CARD_SIX ? es__whole_pile(setup) : pile ^ (copies & -copies);
}

/* Returns a sheet's points without the penalty for empty stations. */
static inline int es__banked(const struct es_sheet *sheet)
{
    return sheet->points + 2 * sheet->framed;
}

static inline int es__penalty(const struct es_setup *setup, const struct es_sheet *sheet)
{
    int empty = es_sheet_empty(sheet);
    return setup->players == 1 ? empty : empty / 2;
}

#endif
