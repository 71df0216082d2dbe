// Uses the library from C++: plays a random game of metro, which links and ends only if the headers
// declare its functions as C.
#include <endstation/bots.h>
#include <endstation/metro.h>
#include <endstation/record.h>
#include <stdio.h>

int main()
{
    struct es_setup setup = {};
    struct es_state state;
    struct es_random random;
    es_event events[ES_LEGAL_MAX];
    setup.game = es_game_named(es_str("metro"));
    setup.players = 2;
    if (!setup.game || es_setup_prepare(&setup))
        return 1;
    es_random_seed(&random, 1);
    setup.game->start(&setup, &state);
    for (struct es_turn turn; (turn = setup.game->turn(&setup, &state)).kind != ES_TURN_OVER;) {
        int who = turn.kind == ES_TURN_CHANCE ? 0 : __builtin_ctz(turn.players) + 1;
        size_t count = setup.game->legal(&setup, &state, who, events);
        if (setup.game->apply(&setup, &state, events[es_random_below(&random, (uint32_t)count)]))
            return 1;
    }
    printf("%d %d\n", setup.game->score(&setup, &state, 1), setup.game->score(&setup, &state, 2));
    return 0;
}
