/* The bots of verplant: the list, and those that do not search. */
#include "games/verplant/bots.h"
#include "games/verplant/bots_entry.h"
#include "games/verplant/bots_value.h"
#include <endstation/verplant/bots.h>
#include <string.h>

static es_event think_greedy(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    (void)bot;
    const struct es_verplant_state *s = es_verplant_state(view);
    struct es_random random;
    es_random_seed(&random, thought->seed);
    thought->done = thought->candidates = 0;
    return ES_VERPLANT_ENTRY(player,
                             es_bot_greedy(setup->map, &s->sheet[player - 1], s->card, &random));
}

/* Returns a random error, mostly small, sometimes large, 0 on average: a sum of four dice. */
static float misjudgement(struct es_random *random)
{
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (int)es_random_below(random, 1001) - 500;
    return (float)sum * 0.001F;
}

/* Plays like a person who knows the game but does not calculate: overlooks some lines, and
 * evaluates choices on the others with an error of a few points. Free rides get a quarter of that
 * error; choices that complete a line are evaluated without one and never overlooked. */
static es_event think_casual(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    (void)bot;
    const struct es_verplant_state *s = es_verplant_state(view);
    const struct es_sheet *sheet = &s->sheet[player - 1];
    const uint64_t pile = s->card == ES_CARD_SIX ? es__whole_pile(setup) : s->pile;
    struct es_random random;
    struct es__evaluator *evaluator = es__thought_memory(thought);
    es_choice choices[ES_CHOICES_MAX], best = 0;
    float most = -1e9F, off[ES_LINES_MAX + 1];
    /* Errors are smaller on a small sheet. */
    const float wrong = (float)setup->map->windows / 6;
    const uint32_t overlooked = 3 * setup->map->lines / 2; /* per cent */
    es_random_seed(&random, thought->seed);
    es__evaluator_init(evaluator, setup, &es__trained.net);
    es__race(setup, s->sheet, player, s->claimed, &evaluator->race);
    for (int l = 0; l <= ES_LINES_MAX; l++)
        off[l] = wrong * misjudgement(&random) -
                 (es_random_below(&random, 100) < overlooked ? 50.0F : 0.0F);
    size_t count = es__candidates(setup->map, sheet, s->card, 2, choices);
    for (size_t i = 0; i < count; i++) {
        struct es_sheet next;
        int l = ES_CHOICE_LINE(choices[i]);
        memcpy(&next, sheet, es_sheet_bytes(setup->map));
        es__enter(setup, &next, s->card, choices[i]);
        uint32_t fresh = es_sheet_complete(setup->map, &next) & ~next.scored;
        float value = es__evaluate_total(evaluator, &next, pile, s->card);
        if (!fresh)
            value += l < 0 ? 0.25F * wrong * misjudgement(&random) : off[l];
        if (value > most) {
            most = value;
            best = choices[i];
        }
    }
    thought->done = thought->candidates = 0;
    return ES_VERPLANT_ENTRY(player, best);
}

enum { STRONG, MASTER, SOLO };
static const struct es__search_level levels[] = {
    [STRONG] = {.rounds = 3, .width = 1, .usual = 300},
    [MASTER] = {.rounds = 5, .width = 8, .usual = 1500},
    [SOLO] = {.rounds = 3, .width = 1, .usual = 300, .ignore_others = true},
};

static es_event think_search(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    return es__verplant_search(&levels[bot->parameter], setup, view, player, thought);
}

static es_event think_flat(const struct es_bot *bot, const struct es_setup *setup,
                           const struct es_state *view, int player, struct es_thought *thought)
{
    return es__verplant_flat(bot->parameter, setup, view, player, thought);
}

static const struct es__bot_entry list[] = {
    {.name = "greedy", .think = think_greedy},
    {.name = "casual", .think = think_casual},
    {.name = "strong", .think = think_search, .ms = 50, .parameter = STRONG},
    {.name = "master", .think = think_search, .ms = 1000, .parameter = MASTER},
    /* solo: like strong, but ignores the others. flat:N: flat Monte Carlo with N greedy
     * roll-outs. */
    {.name = "solo", .think = think_search, .ms = 50, .parameter = SOLO, .baseline = true},
    {.name = "flat:", .think = think_flat, .baseline = true},
    {.name = NULL},
};

const struct es_bots es__verplant_bots = {.list = list, .bytes = sizeof(struct es__evaluator)};
