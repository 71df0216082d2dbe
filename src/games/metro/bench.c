/* The fixed games of `bench` for metro. */
#include "games/metro/bench.h"
#include <games.h>

/* All tiles, in an order of their own for each game. */
void es__metro_shuffle(struct es_random *random, uint8_t *order)
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
    es__metro_shuffle(&random.cards, order);
    order[ES_METRO_TILES] = 0; /* looked at when nothing is left to lay */
    es_board_blank(&board);
    hash = bench_hash(hash, ES_METRO_DEAL(1, order[0]));
    hash = bench_hash(hash, ES_METRO_DEAL(2, order[1]));
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
        hash = bench_hash(hash, ES_METRO_LAY(player, tile, 0, square));
        if (i + 2 < ES_METRO_TILES)
            hash = bench_hash(hash, ES_METRO_DEAL(player, order[i + 2]));
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
    es__metro_shuffle(&random->cards, order);
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
        result->signature = bench_hash(result->signature, event);
        result->events++;
    }
    for (int p = 1; p <= setup->players; p++)
        result->points += (uint64_t)es_metro.score(setup, &state, p);
}

const struct bench_ways bench_ways_metro = {
    .game = &es_metro,
    .search = bench_metro_board,
    .interface = bench_metro_game,
    .bots = (const char *const[]){"strong", "master", NULL},
};
