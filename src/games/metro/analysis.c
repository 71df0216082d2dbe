/* Evaluates positions of metro for the analysis: guesses what is hidden, plays some turns with the
 * quick player of bots_values.c, and judges who will win.
 *
 * A guess deals the tiles that the player has not seen at random, as if the others kept their tiles
 * without choosing. In fact they keep what they dislike, so their hands are a little worse than
 * that. */
#include "games/metro/analysis.h"
#include "games/metro/bots.h"
#include <assert.h>
#include <endstation/analysis.h>
#include <endstation/metro.h>

enum { TURNS = 6 }; /* to play before judging */

/* ---- A glance ------------------------------------------------------------------------------- */

/* By what a placement gains; drawing is worth the average. */
static void glance(const struct es_setup *setup, const struct es_state *view, int player,
                   const es_event *events, size_t count, void *memory, float *ratings)
{
    const struct es_metro_state *s = es_metro_state(view);
    struct es__metro_values *values = memory;
    struct es__metro_move moves[ES__MOVES_MAX];
    int tile = ES_TILE_NONE, found = 0;
    es__metro_values_load(values, setup, es__metro_learned_for(setup));
    for (size_t i = 0; i < count; i++) {
        const es_event event = events[i];
        ratings[i] = values->draw_threshold;
        if (ES_METRO_IS_LAY(event)) {
            if (ES_METRO_LAY_TILE(event) != tile) {
                tile = ES_METRO_LAY_TILE(event);
                found = es__metro_moves(values, &s->board, player - 1, tile, moves);
            }
            for (int m = 0; m < found; m++)
                if (moves[m].square == ES_METRO_LAY_SQUARE(event) &&
                    moves[m].quarters == ES_METRO_LAY_QUARTERS(event))
                    ratings[i] = moves[m].gain;
        }
    }
}

/* ---- Samples -------------------------------------------------------------------------------- */

/* Deals the rest of the first hands from the stock. */
static void fill_hands(const struct es_setup *setup, struct es__metro_game *game)
{
    for (int p = 0; p < setup->players; p++)
        while (game->held[p] < es_metro_hand_size(setup))
            game->hand[p][game->held[p]++] = game->stock[game->next++];
    game->player = 0;
}

static int32_t value_of(const struct es__metro_guess *guess, struct es__metro_game *game)
{
    struct es__metro_outcome outcome;
    for (int turns = TURNS; turns > 0 && !es__metro_over(game); turns--)
        es__metro_play(guess->values, game);
    es__metro_judge(guess, game, &outcome);
    return (int32_t)(outcome.share[guess->player] * (float)ES_VALUE_ONE + 0.5F);
}

/* Takes the first tile of a kind out of a pool; the first tile of all takes its place. */
static void take_tile(uint8_t *pool, int size, int tile, uint8_t *rest)
{
    int at = 0;
    while (pool[at] != tile)
        at++;
    memcpy(rest, pool + 1, (size_t)size - 1);
    if (at > 0)
        rest[at - 1] = pool[0];
}

/* Lists the placements of the drawn tile or the hand with the highest gain; returns their number,
 * 0 if another player is at turn. */
static int list_best(const struct es__metro_guess *guess, const struct es_metro_state *s,
                     struct es__metro_move best[ES_CONSIDERED])
{
    struct es__metro_move moves[ES__MOVES_MAX];
    const bool drawn = s->drawn != ES_TILE_NONE;
    const uint8_t *tiles = drawn ? &s->drawn : s->hand[guess->player];
    const int held = drawn ? 1 : s->held[guess->player];
    int kept = 0;
    if (s->phase != ES_METRO_TURN || s->player != guess->player + 1)
        return 0;
    for (int t = 0; t < held; t++) {
        int count = es__metro_moves(guess->values, &s->board, guess->player, tiles[t], moves);
        for (int m = 0; m < count; m++) {
            if (kept == ES_CONSIDERED && best[kept - 1].gain >= moves[m].gain)
                continue;
            int at = kept < ES_CONSIDERED ? kept++ : ES_CONSIDERED - 1;
            for (; at > 0 && best[at - 1].gain < moves[m].gain; at--)
                best[at] = best[at - 1];
            best[at] = moves[m];
        }
    }
    return kept;
}

/* Each kind of tile in turn: it comes instead of the top tile of the stock, which goes to where the
 * other one was. */
static void play_tiles(const struct es_setup *setup, const struct es_state *view,
                       const es_event *events, size_t count, struct es__metro_guess *guess,
                       uint64_t seed, uint32_t samples, int32_t *values)
{
    int32_t u[ES_CONSIDERED][ES_BATCH];
    for (size_t e = 0; e < count; e++) {
        struct es_state after = *view;
        struct es_random random; /* the same for all kinds */
        struct es__metro_move moves[ES_CONSIDERED];
        uint8_t pool[ES_METRO_TILES];
        es_random_seed(&random, seed);
        es_status status = setup->game->apply(setup, &after, events[e]);
        assert(!status);
        const struct es_metro_state *s = es_metro_state(&after);
        const int considered = list_best(guess, s, moves);
        es__metro_look(guess, es_metro_state(view), guess->player);
        const int size = guess->unseen;
        memcpy(pool, guess->pool, sizeof pool);
        for (uint32_t i = 0; i < samples; i++) {
            memcpy(guess->pool, pool, sizeof pool);
            guess->unseen = size;
            es__metro_shuffle_pool(guess, &random);
            memcpy(pool, guess->pool, sizeof pool);
            es__metro_look(guess, s, guess->player);
            take_tile(pool, size, ES_METRO_DEAL_TILE(events[e]), guess->pool);
            es__metro_deal_pool(guess, s);
            if (s->phase == ES_METRO_DEALING)
                fill_hands(setup, &guess->game);
            for (int k = 0; k < considered || k == 0; k++) {
                struct es__metro_game game = guess->game;
                if (considered > 0)
                    es__metro_lay(guess->values, &game, moves[k]);
                u[k][i] = value_of(guess, &game);
            }
        }
        es_best_of_halves(u, considered ? (size_t)considered : 1, samples, count, values + e);
    }
}

static void play_moves(const struct es_state *view, const es_event *events, size_t count,
                       struct es__metro_guess *guess, struct es_random *random, uint32_t samples,
                       int32_t *values)
{
    const struct es_metro_state *s = es_metro_state(view);
    es__metro_look(guess, s, guess->player);
    for (uint32_t i = 0; i < samples; i++) {
        es__metro_shuffle_pool(guess, random);
        es__metro_deal_pool(guess, s);
        for (size_t e = 0; e < count; e++) {
            struct es__metro_game game = guess->game;
            if (ES_METRO_IS_LAY(events[e])) {
                uint8_t tile = (uint8_t)ES_METRO_LAY_TILE(events[e]);
                int quarters = ES_METRO_LAY_QUARTERS(events[e]);
                struct es__metro_move move = {.tile = tile,
                                              .look = es_tile_turned[tile][quarters],
                                              .square = (uint8_t)ES_METRO_LAY_SQUARE(events[e]),
                                              .quarters = (uint8_t)quarters};
                es__metro_lay(guess->values, &game, move);
            } else {
                game.drawn = game.stock[game.next++];
                es__metro_play(guess->values, &game);
            }
            values[i * count + e] = value_of(guess, &game);
        }
    }
}

static void play_on(const struct es_setup *setup, const struct es_state *view, int player,
                    const es_event *events, size_t count, const struct es_sampling *sampling,
                    int32_t *values)
{
    struct es__metro_guess guess;
    struct es_random random;
    assert(sampling->samples <= ES_BATCH);
    guess.player = player - 1;
    es_random_seed(&random, sampling->seed);
    es__metro_values_load(sampling->memory, setup, es__metro_learned_for(setup));
    guess.values = sampling->memory;
    if (ES_EVENT_WHO(events[0]) == ES_CHANCE)
        play_tiles(setup, view, events, count, &guess, sampling->seed, sampling->samples, values);
    else
        play_moves(view, events, count, &guess, &random, sampling->samples, values);
}

/* ---- Calibration ---------------------------------------------------------------------------- */

/* Drawing is worth more than the samples say. So is the tile that was drawn, before it has come,
 * since only four placements of it are compared then. */
static int32_t calibration(const struct es_setup *setup, const struct es_state *view, int player,
                           es_event event, int32_t value)
{
    const struct es_metro_state *s = es_metro_state(view);
    const float bonus = es__metro_draw_bonus((float)value / (float)ES_VALUE_ONE);
    (void)setup;
    if (event == ES_METRO_DRAW(player))
        return (int32_t)(bonus * (float)ES_VALUE_ONE + 0.5F);
    if (s->phase == ES_METRO_DRAWING && s->player == player)
        return (int32_t)(0.2F * bonus * (float)ES_VALUE_ONE + 0.5F);
    return 0;
}

const struct es_analysis es__metro_analysis = {
    .bytes = sizeof(struct es__metro_values),
    .glance = glance,
    .play_on = play_on,
    .calibration = calibration,
    .chance_samples = 128,
    .choose_samples = 192,
    .measure_samples = 512,
};
