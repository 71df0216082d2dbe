/* Lists the nodes of a game: the chance that a player sees, and the player's decisions. */
#include "analysis/internal.h"
#include <assert.h>

static bool is_listed(const es_event *events, size_t count, es_event event)
{
    for (size_t i = 0; i < count; i++)
        if (events[i] == event)
            return true;
    return false;
}

/* Returns true if the player would see the chance event that is due. */
static bool sees_chance(const struct es_setup *setup, const struct es_state *view, int player,
                        es_event any)
{
    struct es_state after = *view;
    es_event seen[1];
    if (setup->game->apply(setup, &after, any))
        return false;
    return setup->game->observe(setup, &after, &any, 1, player, seen) == 1 && seen[0] == any;
}

/* Returns true if the view is at a node, before `event` (NULL: nothing more is known). */
static bool is_node(const struct es_setup *setup, const struct es_state *view, int player,
                    const es_event *event, struct es_node *node)
{
    es_event legal[ES_LEGAL_MAX];
    struct es_turn turn = setup->game->turn(setup, view);
    bool chance = turn.kind == ES_TURN_CHANCE;
    if (turn.kind == ES_TURN_OVER || (!chance && !(turn.players >> (player - 1) & 1)))
        return false;
    size_t count = setup->game->legal(setup, view, chance ? ES_CHANCE : player, legal);
    if (count < 2)
        return false;
    if (event ? !is_listed(legal, count, *event)
              : chance && !sees_chance(setup, view, player, legal[0]))
        return false;
    *node = (struct es_node){.chance = chance, .open = !event, .event = event ? *event : 0};
    return true;
}

es_status es_nodes(const struct es_setup *setup, const es_event *events, size_t count, int player,
                   es_event *seen, size_t *seen_count, struct es_node *nodes, size_t room,
                   size_t *found)
{
    struct es_state state;
    *found = *seen_count = 0;
    es_status status = es__analysis_fault(setup, player);
    if (!status)
        status = es_fold(setup, events, count, &state);
    if (status)
        return status;
    size_t length = setup->game->observe(setup, &state, events, count, player, seen);
    setup->game->start(setup, &state);
    for (size_t i = 0; i <= length; i++) {
        struct es_node node;
        if (is_node(setup, &state, player, i < length ? &seen[i] : NULL, &node)) {
            node.at = (uint32_t)i;
            if (*found < room)
                nodes[*found] = node;
            ++*found;
        }
        if (i == length)
            break;
        /* A move of the player's own that is not listed uses something that this record hides. */
        bool own = ES_EVENT_WHO(seen[i]) == player;
        es_event legal[ES_LEGAL_MAX];
        if (own && !is_listed(legal, setup->game->legal(setup, &state, player, legal), seen[i]))
            return ES_VIEW_BLIND;
        status = setup->game->apply(setup, &state, seen[i]);
        assert(!status);
    }
    *seen_count = length;
    return ES_OK;
}
