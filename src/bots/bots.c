/* Finds bots by name; the bot `random`, which plays every game. */
#include "bots/internal.h"
#include <string.h>

/* Returns any legal event, each equally likely. */
static es_event think_random(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    (void)bot;
    es_event events[ES_LEGAL_MAX];
    struct es_random random;
    es_random_seed(&random, thought->seed);
    size_t count = setup->game->legal(setup, view, player, events);
    thought->done = thought->candidates = 0;
    return events[es_random_below(&random, (uint32_t)count)];
}

static const struct es__bot_entry any_game[] = {{.name = "random", .think = think_random},
                                                {.name = NULL}};

static es_status match(const struct es__bot_entry *entry, struct es_str name, uint32_t *parameter)
{
    enum { PARAMETER_MAX = 1000000000 };
    struct es_str wanted = es_str(entry->name);
    bool has_parameter = wanted.at[wanted.size - 1] == ':';
    if (!has_parameter)
        return es_str_is(name, entry->name) ? ES_OK : ES_BOT_UNKNOWN;
    if (name.size <= wanted.size || memcmp(name.at, wanted.at, wanted.size) != 0)
        return ES_BOT_UNKNOWN;
    unsigned value;
    struct es_str digits = {name.at + wanted.size, name.size - wanted.size};
    if (es_str_number(digits, PARAMETER_MAX, &value) || value == 0)
        return ES_BOT_UNKNOWN;
    *parameter = value;
    return ES_OK;
}

static bool find(const struct es__bot_entry *list, struct es_str name, struct es_bot *bot)
{
    for (const struct es__bot_entry *entry = list; entry->name; entry++) {
        uint32_t parameter = entry->parameter;
        if (match(entry, name, &parameter))
            continue;
        *bot = (struct es_bot){.think = entry->think, .parameter = parameter, .ms = entry->ms};
        memcpy(bot->name, name.at, name.size);
        return true;
    }
    return false;
}

es_status es_bot_named(const struct es_game *game, struct es_str name, struct es_bot *bot)
{
    if (name.size >= ES_BOT_NAME_BYTES)
        return ES_BOT_UNKNOWN;
    bool found = find(any_game, name, bot) || (game->bots && find(game->bots->list, name, bot));
    return found ? ES_OK : ES_BOT_UNKNOWN;
}

size_t es_bot_bytes(const struct es_game *game)
{
    size_t most = game && game->bots ? game->bots->bytes : 1;
    for (int i = 0; !game && es_games[i]; i++) {
        size_t bytes = es_bot_bytes(es_games[i]);
        most = bytes > most ? bytes : most;
    }
    return most;
}

const char *es_bot_level(const struct es_game *game, int i)
{
    if (i == 0)
        return any_game[0].name;
    const struct es__bot_entry *entry = game->bots ? game->bots->list : &any_game[1];
    for (; entry->name; entry++)
        if (!entry->baseline && --i == 0)
            return entry->name;
    return NULL;
}

es_status es_bot_fault(const struct es_setup *setup, const struct es_state *view, int player)
{
    struct es_turn turn = setup->game->turn(setup, view);
    if (player < 1 || player > setup->players)
        return ES_PLAYER_UNKNOWN;
    if (turn.kind == ES_TURN_OVER)
        return ES_GAME_OVER;
    if (turn.kind == ES_TURN_CHANCE)
        return ES_CHANCE_DUE;
    if (!(turn.players >> (player - 1) & 1))
        return ES_NOT_TO_ACT;
    return es_view_fault(setup, view, player);
}

es_status es_view_fault(const struct es_setup *setup, const struct es_state *view, int player)
{
    const struct es_bots *bots = setup->game->bots;
    return bots && bots->fault ? bots->fault(setup, view, player) : ES_OK;
}
