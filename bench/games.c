/* Fixed games from fixed seeds, and the hash over all their events. */
#include "games.h"
#include <endstation/metro.h>
#include <endstation/verplant.h>

static uint64_t hashed(uint64_t hash, es_event event)
{
    return (hash ^ event) * 0x9e3779b97f4a7c15;
}

/* ---- verplant ------------------------------------------------------------------------------ */

/* One solo game as search plays it, on a bare sheet: a card, all choices, one of them, and so on.
 * The next card is drawn while the entry is still being made, so that its kind, which nothing can
 * foresee, is known early. Not inlined, so that callgrind can count it alone. */
__attribute__((noinline)) static void bench_verplant_sheet(const struct es_setup *setup,
                                                           struct bench_streams *source,
                                                           struct bench_result *result)
{
    const struct es_map *map = setup->map;
    struct bench_streams random = *source; /* stays in registers */
    const uint64_t whole = ((uint64_t)1 << es_verplant_deck(setup)->size) - 1;
    struct es_sheet sheet;
    es_choice choices[ES_CHOICES_MAX];
    uint64_t pile = whole, hash = result->signature, rounds = 0, listed = 0;
    es_sheet_blank(map, &sheet);
    int next = es_verplant_deck(setup)->card[es_verplant_draw(setup, pile, &random.cards)];
    for (bool more = true; more; rounds++) {
        int card = next;
        uint64_t copies = pile & es_verplant_deck(setup)->copies[card];
        /* As in the rules, but without a branch on what nothing can foresee. */
        pile = (pile ^ (copies & -copies)) | (whole & -(uint64_t)(card == ES_CARD_SIX));
        more = sheet.windows_left > (card != ES_CARD_FREE_RIDE);
        if (more)
            next = es_verplant_deck(setup)->card[es_verplant_draw(setup, pile, &random.cards)];
        size_t count = es_sheet_choices(map, &sheet, card, choices);
        es_choice choice = choices[es_random_below(&random.choices, (uint32_t)count)];
        listed += count;
        if (card != ES_CARD_FREE_RIDE)
            es_sheet_enter(map, &sheet, card, choice);
        else if (choice != ES_CHOICE_NO_RIDE)
            es_sheet_mark(map, &sheet, choice - 1);
        es_sheet_score(map, &sheet, 0);
        hash = hashed(hashed(hash, ES_VERPLANT_CARD(card)), ES_VERPLANT_ENTRY(1, choice));
    }
    *source = random;
    result->moves += rounds;
    result->events += 2 * rounds;
    result->choices += listed;
    result->points += (uint64_t)(sheet.points + 2 * sheet.framed - es_sheet_empty(&sheet));
    result->signature = hash;
}

/* The same game through the interface that all games have, every event checked. */
__attribute__((noinline)) static void bench_verplant_game(const struct es_setup *setup,
                                                          struct bench_streams *random,
                                                          struct bench_result *result)
{
    struct es_state state;
    es_event events[ES_LEGAL_MAX], event;
    es_verplant.start(setup, &state);
    for (;;) {
        const struct es_turn turn = es_verplant.turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        if (turn.kind == ES_TURN_CHANCE) {
            int place = es_verplant_draw(setup, es_verplant_state(&state)->pile, &random->cards);
            event = ES_VERPLANT_CARD(es_verplant_deck(setup)->card[place]);
        } else {
            size_t count = es_verplant.legal(setup, &state, 1, events);
            event = events[es_random_below(&random->choices, (uint32_t)count)];
            result->moves++;
            result->choices += count;
        }
        es_verplant.apply(setup, &state, event);
        result->signature = hashed(result->signature, event);
        result->events++;
    }
    result->points += (uint64_t)es_verplant.score(setup, &state, 1);
}

/* ---- metro --------------------------------------------------------------------------------- */

/* All tiles, in an order of their own for each game. */
void bench_shuffle_tiles(struct es_random *random, uint8_t *order)
{
    int count = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int i = 0; i < es_tile_copies[tile]; i++)
            order[count++] = (uint8_t)tile;
    for (uint32_t i = ES_METRO_TILES - 1; i > 0; i--) {
        uint32_t j = es_random_below(random, i + 1);
        uint8_t kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

/* One game of two as search plays it, on a bare board: all squares of the tile in hand, one of
 * them, the next tile. */
__attribute__((noinline)) static void bench_metro_board(const struct es_setup *setup,
                                                        struct bench_streams *source,
                                                        struct bench_result *result)
{
    struct bench_streams random = *source;
    uint8_t order[ES_METRO_TILES + 1], list[ES_LIST_MAX];
    uint64_t hash = result->signature, choices = 0;
    struct es_board board;
    bench_shuffle_tiles(&random.cards, order);
    order[ES_METRO_TILES] = 0; /* looked at when nothing is left to lay */
    es_board_blank(&board);
    hash = hashed(hash, ES_METRO_DEAL(1, order[0]));
    hash = hashed(hash, ES_METRO_DEAL(2, order[1]));
    unsigned count = es_squares_list(es_board_squares(&board, order[0]), list);
    /* With two players who never draw, tiles are laid in the order in which they are dealt. Where
     * the next one may go is asked between the two steps of laying this one. */
    for (int i = 0; i < ES_METRO_TILES; i++) {
        int player = i % 2 + 1, tile = order[i];
        int square = list[es_random_below(&random.choices, count)];
        choices += count;
        es_board_take(&board, square);
        count = es_squares_list(es_board_squares(&board, order[i + 1]), list);
        es_board_join(&board, setup->players, square, tile);
        hash = hashed(hash, ES_METRO_LAY(player, tile, 0, square));
        if (i + 2 < ES_METRO_TILES)
            hash = hashed(hash, ES_METRO_DEAL(player, order[i + 2]));
    }
    *source = random;
    result->moves += ES_METRO_TILES;
    result->events += 2 * ES_METRO_TILES;
    result->choices += choices;
    result->points += (uint64_t)(es_board_points(&board, 1) + es_board_points(&board, 2));
    result->signature = hash;
}

/* The same game through the interface that all games have, every event checked. */
__attribute__((noinline)) static void bench_metro_game(const struct es_setup *setup,
                                                       struct bench_streams *random,
                                                       struct bench_result *result)
{
    struct es_state state;
    const struct es_metro_state *s = es_metro_state(&state);
    es_event events[ES_LEGAL_MAX], event;
    uint8_t order[ES_METRO_TILES];
    bench_shuffle_tiles(&random->cards, order);
    es_metro.start(setup, &state);
    for (;;) {
        const struct es_turn turn = es_metro.turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        if (turn.kind == ES_TURN_CHANCE) {
            event = ES_METRO_DEAL(s->player, order[ES_METRO_TILES - s->stock]);
        } else {
            uint32_t count = (uint32_t)es_metro.legal(setup, &state, s->player, events);
            uint32_t draw = events[0] == ES_METRO_DRAW(s->player); /* comes first, is not chosen */
            event = events[draw + es_random_below(&random->choices, count - draw)];
            result->moves++;
            result->choices += count - draw;
        }
        es_metro.apply(setup, &state, event);
        result->signature = hashed(result->signature, event);
        result->events++;
    }
    for (int p = 1; p <= setup->players; p++)
        result->points += (uint64_t)es_metro.score(setup, &state, p);
}

/* ---- Games --------------------------------------------------------------------------------- */

/* Any game through its interface: chance by weight, players by any of their moves. */
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
        result->signature = hashed(result->signature, event);
        result->events++;
    }
    for (int p = 1; p <= setup->players; p++)
        result->points += (uint64_t)game->score(setup, &state, p);
}

const struct bench_ways *bench_ways_of(const struct es_game *game)
{
    static const struct bench_ways ways[] = {
        {&es_verplant, bench_verplant_sheet, bench_verplant_game},
        {&es_metro, bench_metro_board, bench_metro_game},
        {NULL, NULL, bench_any_game},
    };
    const struct bench_ways *found = ways;
    while (found->game && found->game != game)
        found++;
    return found;
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

const struct bench_bot bench_bot_list[] = {
    {&es_verplant, "flat:20000"}, {&es_verplant, "strong"}, {&es_verplant, "master"},
    {&es_metro, "strong"},        {&es_metro, "master"},    {NULL, NULL},
};

static double no_time(void)
{
    return 0;
}

/* The events are hashed, as a signature. */
static void think_through(const struct es_setup *setup, const struct es_bot *bot,
                          double (*now)(void), es_event *events, struct bench_thinking *result)
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
            struct es_thought thought = {.seed = count};
            es_view(setup, &state, events, count, player, events + ES_EVENTS_MAX, &view);
            double before = now();
            event = bot->think(bot, setup, &view, player, &thought);
            result->ns += now() - before;
            result->done += thought.done;
            result->moves++;
        }
        setup->game->apply(setup, &state, event);
        events[count++] = event;
        result->signature = hashed(result->signature, event);
    }
}

struct bench_thinking bench_think(const struct bench_bot *bot, double (*now)(void),
                                  struct es_map *map, es_event *events)
{
    struct es_setup setup = {.game = bot->game, .players = bot->game->players_min};
    struct bench_thinking result = {0};
    struct es_fault fault;
    struct es_bot player;
    if (bot->game->has_map) {
        setup.map = map;
        if (es_map_read(map, es_builtin_map(es_str("amsterdam")), &fault))
            return result;
    }
    if (es_setup_prepare(&setup) == ES_OK &&
        es_bot_named(bot->game, es_str(bot->name), &player) == ES_OK)
        think_through(&setup, &player, now ? now : no_time, events, &result);
    return result;
}
