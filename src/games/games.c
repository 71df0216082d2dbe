/* What is common to all games: finding them, checking setups, counting. */
#include <endstation/game.h>

const struct es_game *const es_games[] = {&es_verplant, &es_metro, NULL};

const struct es_game *es_game_named(struct es_str name)
{
    for (int i = 0; es_games[i]; i++)
        if (es_str_is(name, es_games[i]->name))
            return es_games[i];
    return NULL;
}

uint32_t es_game_rule(const struct es_game *game, struct es_str word)
{
    for (int i = 0; game->rules[i]; i++)
        if (es_str_is(word, game->rules[i]))
            return (uint32_t)1 << i;
    return 0;
}

enum es_status es_setup_prepare(struct es_setup *setup)
{
    const struct es_game *game = setup->game;
    if (setup->players < game->players_min || setup->players > game->players_max)
        return ES_PLAYERS_RANGE;
    uint32_t known = 0;
    for (int i = 0; game->rules[i]; i++)
        known |= (uint32_t)1 << i;
    uint32_t clashing = setup->rules & game->exclusive;
    if (setup->rules & ~known)
        return ES_RULE_UNKNOWN;
    if (clashing & (clashing - 1))
        return ES_RULES_CLASH;
    if (game->has_map != (setup->map != NULL))
        return game->has_map ? ES_MAP_MISSING : ES_MAP_UNWANTED;
    if (!game->read_deck && setup->deck_size > 0)
        return ES_DECK_UNWANTED;
    return game->prepare(setup);
}

void es_fold(const struct es_setup *setup, const es_event *events, size_t count,
             struct es_state *state)
{
    setup->game->start(setup, state);
    for (size_t i = 0; i < count; i++)
        setup->game->apply(setup, state, events[i]);
}

void es_view(const struct es_setup *setup, const struct es_state *state, const es_event *events,
             size_t count, int viewer, es_event *scratch, struct es_state *view)
{
    size_t seen = setup->game->observe(setup, state, events, count, viewer, scratch);
    es_fold(setup, scratch, seen, view);
}

uint64_t es_perft(const struct es_setup *setup, const struct es_state *state, int depth)
{
    if (depth == 0)
        return 1;
    const struct es_game *game = setup->game;
    es_event events[ES_LEGAL_MAX];
    uint64_t sum = 0;
    for (int who = 0; who <= setup->players; who++) {
        size_t count = game->legal(setup, state, who, events);
        for (size_t i = 0; i < count; i++) {
            struct es_state next = *state;
            game->apply(setup, &next, events[i]);
            sum += es_perft(setup, &next, depth - 1);
        }
    }
    return sum;
}
