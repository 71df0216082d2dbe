/* flat:N, a baseline for measuring verplant's bots: N games played to the end by the greedy bot,
 * distributed among the candidates by sequential halving. All candidates get the same cards. When
 * stopped early, the best candidate so far is the answer. */
#include "games/verplant/bots.h"
#include "games/verplant/bots_entry.h"
#include <endstation/verplant/bots.h>
#include <string.h>

struct candidate {
    es_choice choice;
    int64_t sum;
};

static int roll_out(const struct es_setup *setup, struct es_sheet *sheet, uint64_t pile,
                    uint32_t claimed, int card, struct es_random *cards, struct es_random *random)
{
    const struct es_map *map = setup->map;
    for (;;) {
        while (sheet->owed)
            es__enter(setup, sheet, card, es_bot_greedy(map, sheet, card, random));
        es_sheet_score(map, sheet, claimed);
        if (sheet->windows_left == 0)
            break;
        int place = es_verplant_draw(setup, pile, cards);
        card = es_verplant_deck(setup)->card[place];
        pile = es__pile_without(setup, pile, card);
        sheet->owed = 1;
    }
    return es__banked(sheet) - es__penalty(setup, sheet);
}

/* Sorts the candidates, best first, and returns the number that stays. */
static size_t halve(struct candidate *candidates, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && candidates[j].sum > candidates[j - 1].sum; j--) {
            struct candidate kept = candidates[j];
            candidates[j] = candidates[j - 1];
            candidates[j - 1] = kept;
        }
    return (count + 1) / 2;
}

/* Plays one more game for each candidate, with the same cards for all. Returns false, adding
 * nothing to the sums, if stopped before every candidate had its game. */
static bool try_all(const struct es_setup *setup, const struct es_verplant_state *s,
                    const struct es_sheet *sheet, uint64_t pile, struct candidate *candidates,
                    size_t count, uint64_t number, struct es_thought *thought)
{
    int points[ES_CHOICES_MAX];
    for (size_t c = 0; c < count; c++) {
        struct es_random cards, random;
        struct es_sheet next;
        if (es__stopped(thought))
            return false;
        es_random_seed(&cards, thought->seed + 2 * number);
        es_random_seed(&random, thought->seed + 2 * number + 1);
        memcpy(&next, sheet, es_sheet_bytes(setup->map));
        es__enter(setup, &next, s->card, candidates[c].choice);
        points[c] = roll_out(setup, &next, pile, s->claimed, s->card, &cards, &random);
        thought->done++;
    }
    for (size_t c = 0; c < count; c++)
        candidates[c].sum += points[c];
    return true;
}

es_event es__verplant_flat(uint64_t roll_outs, const struct es_setup *setup,
                           const struct es_state *view, int player, struct es_thought *thought)
{
    const struct es_verplant_state *s = es_verplant_state(view);
    const struct es_sheet *sheet = &s->sheet[player - 1];
    const uint64_t pile = s->card == ES_CARD_SIX ? es__whole_pile(setup) : s->pile;
    struct candidate candidates[ES_CHOICES_MAX];
    es_choice choices[ES_CHOICES_MAX];
    size_t count = es__candidates(setup->map, sheet, s->card, 3, choices), rounds = 0;
    for (size_t i = 0; i < count; i++)
        candidates[i] = (struct candidate){.choice = choices[i]};
    thought->done = thought->candidates = 0;
    while ((size_t)1 << rounds < count)
        rounds++;
    for (uint64_t from = 0; count > 1;) {
        uint64_t each = roll_outs / (rounds * count), i = from;
        each = each ? each : 1;
        /* All candidates of a round have had the same number of games, so sums can be compared. */
        while (i < from + each && try_all(setup, s, sheet, pile, candidates, count, i, thought))
            i++;
        const bool stopped = i < from + each;
        from += each;
        count = halve(candidates, count);
        if (stopped)
            break;
    }
    return ES_VERPLANT_ENTRY(player, candidates[0].choice);
}
