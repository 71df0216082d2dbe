/* Simple bots on a bare sheet: any line, and greedy. */
#include <endstation/bots.h>
#include <endstation/verplant/bots.h>

/* Returns the position of the n-th one bit of a word. */
static int nth(uint32_t word, uint32_t n)
{
    while (n-- > 0)
        word &= word - 1;
    return __builtin_ctz(word);
}

es_choice es_bot_any_line(const struct es_map *map, const struct es_sheet *sheet, int card,
                          struct es_random *random)
{
    if (card == ES_CARD_FREE_RIDE) {
        uint32_t empty = (uint32_t)es_sheet_empty(sheet);
        if (empty == 0)
            return ES_CHOICE_NO_RIDE;
        uint32_t wanted = es_random_below(random, empty);
        for (int s = 0;; s++)
            if (!es_sheet_marked(sheet, s) && wanted-- == 0)
                return ES_CHOICE_RIDE(s);
    }
    uint32_t lines = (uint32_t)__builtin_popcount(sheet->choosable);
    int line = nth(sheet->choosable, es_random_below(random, lines));
    int direction = ES_DIRECTION_NONE;
    if (map->line[line].ring)
        direction = ES_DIRECTION_BACKWARDS + (int)es_random_below(random, 2);
    int marks = es_sheet_reach(map, sheet, card, line, direction);
    return marks > 0 ? ES_CHOICE(line, direction, marks) : ES_CHOICE(line, ES_DIRECTION_NONE, 0);
}

/* Returns the greedy bot's value of a choice: stations marked, or lines that meet there. */
static int liking(const struct es_map *map, const struct es_sheet *sheet, int card,
                  es_choice choice)
{
    int line = ES_CHOICE_LINE(choice), marks = ES_CHOICE_MARKS(choice);
    if (line < 0)
        return choice == ES_CHOICE_NO_RIDE ? 0 : es_map_calls(map, choice - 1);
    if (card != ES_CARD_TRANSFER || marks == 0)
        return marks;
    uint64_t taken = es_sheet_taken(map, sheet, line, ES_CHOICE_DIRECTION(choice), marks);
    return es_map_calls(map, map->line[line].stop[__builtin_ctzll(taken)]);
}

es_choice es_bot_greedy(const struct es_map *map, const struct es_sheet *sheet, int card,
                        struct es_random *random)
{
    es_choice choices[ES_CHOICES_MAX], best = ES_CHOICE_NO_RIDE;
    size_t count = es_sheet_choices(map, sheet, card, choices);
    int most = -1;
    uint32_t equals = 0;
    for (size_t i = 0; i < count; i++) {
        int value = liking(map, sheet, card, choices[i]);
        if (value < most)
            continue;
        equals = value > most ? 1 : equals + 1;
        most = value;
        if (es_random_below(random, equals) == 0)
            best = choices[i];
    }
    return best;
}
