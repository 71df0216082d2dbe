/* Bots: computer players for any game. A bot gets its player's view of the game, never the full
 * state, and returns one legal event.
 *
 *     struct es_bot bot;
 *     struct es_thought thought = {.seed = 7, .iterations = 1000};
 *     thought.memory = malloc(es_bot_bytes(setup.game));
 *     es_bot_named(setup.game, es_str("strong"), &bot);
 *     es_view(&setup, &state, events, count, player, scratch, &view);
 *     es_event event = bot.think(&bot, &setup, &view, player, &thought);
 *
 * Every game has the level `random`. Most also have greedy, casual, strong and master; a game's
 * bots.c may list more, as baselines for measurements.
 *
 * A bot thinks until its iterations are used up, `stop` returns true or there is nothing left to
 * search, and returns the best event so far. Without `stop` the answer depends only on the view,
 * the seed and the iterations, and is the same on every machine.
 */
#ifndef ENDSTATION_BOTS_H
#define ENDSTATION_BOTS_H

#include <endstation/game.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ES_CANDIDATES_MAX = 64, ES_BOT_NAME_BYTES = 24 };

/* An event that the bot considered. */
struct es_candidate {
    es_event event;
    uint32_t samples; /* how often it was tried */
    float points;     /* the player's expected final points */
    float win;        /* expected share of the win, 0 to 1; always 1 in solo */
};

struct es_thought {
    /* Set by the caller. `stop` is polled every few hundred microseconds on a usual sheet and
     * every few milliseconds on the largest possible one; when it returns true, the search ends
     * with the best move so far. */
    void *memory; /* es_bot_bytes(), aligned like malloc's, for one thought at a time */
    uint64_t seed;
    uint64_t iterations;         /* 0: the level's default */
    bool (*stop)(void *context); /* NULL: never stop early */
    void *context;
    /* Set by the bot: iterations made (games or samples simulated), and the candidates, best first;
     * the first is the answer. Bots that do not search leave both at 0. */
    uint64_t done;
    size_t candidates;
    struct es_candidate candidate[ES_CANDIDATES_MAX];
};

struct es_bot {
    char name[ES_BOT_NAME_BYTES];
    /* It must be the player's turn in `view`, and `view` must show the player's own tiles. */
    es_event (*think)(const struct es_bot *bot, const struct es_setup *setup,
                      const struct es_state *view, int player, struct es_thought *thought);
    uint32_t
        parameter; /* private to `think`: the N of NAME:N, or a level or default of the game's */
    uint32_t ms;   /* most milliseconds that a caller should let it think; 0: it answers at once */
};

/* Fills in the bot of that name. Returns ES_OK, or ES_BOT_UNKNOWN if the game has none. */
es_status es_bot_named(const struct es_game *game, struct es_str name, struct es_bot *bot);

/* Returns the size of the memory that a bot of the game needs to think; with NULL instead of a
 * game, a bot of any game. At least 1. */
size_t es_bot_bytes(const struct es_game *game);

/* Returns the name of the game's i-th level (from 0, weakest first); NULL past the last. */
const char *es_bot_level(const struct es_game *game, int i);

/* Returns ES_OK if a bot can play for this player, else why not: it is not their turn, or the view
 * hides their own tiles. */
es_status es_bot_fault(const struct es_setup *setup, const struct es_state *view, int player);
/* Returns ES_OK, or ES_VIEW_BLIND if the view hides the player's own tiles, whoever's turn it is.
 */
es_status es_view_fault(const struct es_setup *setup, const struct es_state *view, int player);

#ifdef __cplusplus
}
#endif

#endif
