/* Fixed games from fixed seeds, and the hash over all their events. */
#include "games.h"

/* ---- Games --------------------------------------------------------------------------------- */

/* Plays any game through its interface: chance by weight, players at random. */
static void bench_any_game(const struct es_setup *setup, struct bench_streams *random,
                           struct bench_result *result)
{
    const struct es_game *game = setup->game;
    struct es_state state;
    es_event events[ES_LEGAL_MAX], event;
    game->start(setup, &state);
    for (;;) {
        const struct es_turn turn = game->turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        if (turn.kind == ES_TURN_CHANCE) {
            size_t count = game->legal(setup, &state, ES_CHANCE, events), i = 0;
            uint32_t all = 0;
            for (size_t k = 0; k < count; k++)
                all += game->weight(setup, &state, events[k]);
            uint32_t ways = es_random_below(&random->cards, all), weight;
            for (; ways >= (weight = game->weight(setup, &state, events[i])); i++)
                ways -= weight;
            event = events[i];
        } else {
            int player = __builtin_ctz(turn.players) + 1;
            size_t count = game->legal(setup, &state, player, events);
            event = events[es_random_below(&random->choices, (uint32_t)count)];
            result->moves++;
            result->choices += count;
        }
        game->apply(setup, &state, event);
        result->signature = bench_hash(result->signature, event);
        result->events++;
    }
    for (int p = 1; p <= setup->players; p++)
        result->points += (uint64_t)game->score(setup, &state, p);
}

static const struct bench_ways any_game = {
    .interface = bench_any_game,
    .bots = (const char *const[]){NULL},
};

const struct bench_ways *bench_ways_of(const struct es_game *game)
{
    for (int i = 0; bench_ways[i]; i++)
        if (bench_ways[i]->game == game)
            return bench_ways[i];
    return &any_game;
}

es_status bench_setup(const struct es_game *game, struct es_map *map, struct es_setup *setup,
                      struct es_fault *fault)
{
    *setup = (struct es_setup){.game = game, .players = game->players_min};
    if (game->has_map) {
        es_status status = es_map_read(map, bench_maps[0].text, fault);
        if (status)
            return status;
        setup->map = map;
    }
    return es_setup_prepare(setup);
}

struct bench_result bench_play_games(const struct es_setup *setup, bench_play *play, unsigned games)
{
    struct bench_streams random;
    struct bench_result result = {0};
    es_random_seed(&random.cards, 1);
    es_random_seed(&random.choices, 2);
    for (unsigned i = 0; i < games; i++)
        play(setup, &random, &result);
    return result;
}

/* ---- Thinking ------------------------------------------------------------------------------ */

struct bench_bot bench_bot_at(int i)
{
    for (int g = 0; es_games[g]; g++)
        for (const char *const *bot = bench_ways_of(es_games[g])->bots; *bot; bot++)
            if (i-- == 0)
                return (struct bench_bot){es_games[g], *bot};
    return (struct bench_bot){NULL, NULL};
}

static double no_time(void)
{
    return 0;
}

/* Plays one game of a bot; the signature is a hash of the events. */
static void think_through(const struct es_setup *setup, const struct es_bot *bot,
                          double (*now)(void), struct bench_room *room,
                          struct bench_thinking *result)
{
    const uint8_t seed[ES_SEED_BYTES] = {1};
    size_t count = 0;
    struct es_state state, view;
    setup->game->start(setup, &state);
    for (;;) {
        struct es_turn turn = setup->game->turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        es_event event;
        if (turn.kind == ES_TURN_CHANCE) {
            event = setup->game->deal(setup, &state, seed);
        } else {
            int player = __builtin_ctz(turn.players) + 1;
            struct es_thought thought = {.memory = room->memory, .seed = count};
            es_view(setup, &state, room->events, count, player, room->seen, &view);
            double before = now();
            event = bot->think(bot, setup, &view, player, &thought);
            result->ns += now() - before;
            result->done += thought.done;
            result->moves++;
        }
        setup->game->apply(setup, &state, event);
        room->events[count++] = event;
        result->signature = bench_hash(result->signature, event);
    }
    result->events = count;
}

struct bench_thinking bench_think(const struct bench_bot *bot, double (*now)(void),
                                  struct bench_room *room)
{
    struct es_setup setup = {.game = bot->game, .players = bot->game->players_min};
    struct bench_thinking result = {0};
    struct es_fault fault;
    struct es_bot player;
    if (bot->game->has_map) {
        setup.map = &room->map;
        if (es_map_read(&room->map, es_builtin_map(es_str("amsterdam")), &fault))
            return result;
    }
    if (es_bot_bytes(bot->game) <= sizeof room->memory && es_setup_prepare(&setup) == ES_OK &&
        es_bot_named(bot->game, es_str(bot->name), &player) == ES_OK)
        think_through(&setup, &player, now ? now : no_time, room, &result);
    return result;
}

/* ---- Analysis ------------------------------------------------------------------------------ */

static void analyse_some(const struct es_setup *setup, struct bench_room *room, size_t count,
                         double (*now)(void), struct bench_thinking *result)
{
    enum { NODES_MOST = 256, ONE_IN = 8 };
    struct es_node nodes[NODES_MOST];
    size_t length, found;
    if (es_nodes(setup, room->events, count, 1, room->seen, &length, nodes, NODES_MOST, &found))
        return;
    double before = now();
    for (size_t i = 0; i < found && i < NODES_MOST; i += ONE_IN) {
        struct es_node_result node;
        char text[ES_NODE_BYTES];
        struct es_out out = {text, sizeof text, 0};
        es_node_run(setup, room->seen, &nodes[i], 1, room->memory, &node);
        es_node_write(&node, &out);
        for (size_t k = 0; k < out.used; k++)
            result->signature = bench_hash(result->signature, (unsigned char)text[k]);
        result->done++;
    }
    result->ns = now() - before;
}

struct bench_thinking bench_analyse(const struct es_game *game, double (*now)(void),
                                    struct bench_room *room)
{
    const struct bench_bot greedy = {game, "greedy"};
    struct bench_thinking result = {0};
    if (!game->analysis)
        return result;
    size_t count = bench_think(&greedy, NULL, room).events;
    struct es_setup setup = {
        .game = game, .players = game->players_min, .map = game->has_map ? &room->map : NULL};
    if (es_analysis_bytes(game) <= sizeof room->memory && es_setup_prepare(&setup) == ES_OK)
        analyse_some(&setup, room, count, now ? now : no_time, &result);
    return result;
}
