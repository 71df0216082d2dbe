/* Guessing what is hidden in a game of metro, and judging how it will end. */
#include "games/metro/bots.h"

void es__metro_look(struct es__metro_guess *guess, const struct es_metro_state *view, int player)
{
    struct es__metro_game *game = &guess->game;
    memset(game, 0, sizeof *game);
    game->board = view->board;
    memcpy(game->hand, view->hand, sizeof game->hand);
    memcpy(game->held, view->held, sizeof game->held);
    game->drawn = view->drawn;
    game->player = (uint8_t)(view->player - 1);
    game->size = view->stock;
    guess->player = player;
    guess->unseen = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int i = 0; i < view->unseen[tile]; i++)
            guess->pool[guess->unseen++] = (uint8_t)tile;
}

void es__metro_shuffle_pool(struct es__metro_guess *guess, struct es_random *random)
{
    uint8_t *pool = guess->pool;
    for (uint32_t i = (uint32_t)guess->unseen; i > 1; i--) {
        uint32_t j = es_random_below(random, i);
        uint8_t kept = pool[i - 1];
        pool[i - 1] = pool[j];
        pool[j] = kept;
    }
}

void es__metro_deal_pool(struct es__metro_guess *guess, const struct es_metro_state *view)
{
    struct es__metro_game *game = &guess->game;
    int used = view->stock;
    memcpy(game->stock, guess->pool, view->stock);
    for (int p = 0; p < guess->values->players; p++)
        for (int i = 0; i < view->held[p]; i++)
            if (view->hand[p][i] == ES_TILE_UNKNOWN)
                game->hand[p][i] = guess->pool[used++];
}

void es__metro_judge(const struct es__metro_guess *guess, const struct es__metro_game *game,
                     struct es__metro_outcome *outcome)
{
    float expected[ES_PLAYERS_MAX], sum = 0;
    int players = guess->values->players;
    es__metro_expect(guess->values, &game->board, expected);
    outcome->points = expected[guess->player];
    outcome->ahead = 1000;
    for (int p = 0; p < players; p++)
        if (p != guess->player && outcome->points - expected[p] < outcome->ahead)
            outcome->ahead = outcome->points - expected[p];
    if (es__metro_over(game)) {
        float most = 0, best = 0;
        for (int p = 0; p < players; p++)
            most = expected[p] > most ? expected[p] : most;
        for (int p = 0; p < players; p++)
            best += expected[p] == most;
        for (int p = 0; p < players; p++)
            outcome->share[p] = expected[p] == most ? 1 / best : 0;
        return;
    }
    /* The difference of two players' points is about normal, and less certain the more tiles are
     * still to come; a function with a square root approximates the integral well enough. */
    float left = (float)(ES_METRO_TILES - __builtin_popcountll(game->board.laid));
    float spread = 38 * left / (float)players;
    for (int p = 0; p < players; p++) {
        float share = 1;
        for (int q = 0; q < players; q++) {
            float ahead = expected[p] - expected[q];
            if (q != p)
                share *= 0.5f + 0.5f * ahead / __builtin_sqrtf(ahead * ahead + spread);
        }
        sum += share;
        outcome->share[p] = share;
    }
    for (int p = 0; p < players; p++)
        outcome->share[p] /= sum;
}
