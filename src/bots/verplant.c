/* The players of verplant. */
#include "bots.h"
#include <endstation/verplant.h>

static es_event think_greedy(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    (void)bot;
    const struct es_verplant_state *s = es_verplant_view(view);
    struct es_random random;
    es_random_seed(&random, thought->seed);
    thought->done = thought->candidates = 0;
    return ES_VERPLANT_ENTRY(player,
                             es_bot_greedy(setup->map, &s->sheet[player - 1], s->card, &random));
}

const struct es__bot_entry es__verplant_bots[] = {{"greedy", think_greedy, 0}, {NULL, NULL, 0}};
