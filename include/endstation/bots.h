/* Players. A bot is given what its player may see, never the game itself, and answers with an
 * event.
 *
 *     struct es_bot bot;
 *     struct es_thought thought = {.seed = 7, .iterations = 1000};
 *     es_bot_named(setup.game, es_str("strong"), &bot);
 *     es_view(&setup, &state, events, count, player, scratch, &view);
 *     es_event event = bot.think(&bot, &setup, &view, player, &thought);
 *
 * Every game has the level random. Most have also greedy, casual, strong and master; a game may
 * have more for measurements, listed in its bots.c.
 *
 * Thinking goes on until the iterations are used up or the caller says stop, or until there is
 * nothing left to think about; it then answers with the best so far. Without `stop` the answer
 * depends on nothing but the view, the seed and the iterations: on every machine it is the same.
 */
#ifndef ENDSTATION_BOTS_H
#define ENDSTATION_BOTS_H

#include <endstation/game.h>

enum { ES_CANDIDATES_MAX = 64, ES_BOT_NAME_BYTES = 24 };

/* One event that was thought about. */
struct es_candidate {
    es_event event;
    uint32_t samples; /* how often it was tried */
    float points;     /* the points that the player will have in the end, on average */
    float win;        /* the share of the win, 0 to 1; always 1 in solo */
};

struct es_thought {
    /* Set by the caller. Iterations 0: as many as the level is used to, or fewer if `stop` ends it.
     * It is asked every few hundred microseconds on a usual sheet, and every few milliseconds on
     * the largest that there can be. */
    uint64_t seed;
    uint64_t iterations;
    bool (*stop)(void *context);
    void *context;
    /* Answered: iterations made (games or samples simulated), and the candidates, best first; the
     * first is the answer. Bots that do not search answer with the event alone. */
    uint64_t done;
    size_t candidates;
    struct es_candidate candidate[ES_CANDIDATES_MAX];
};

struct es_bot {
    char name[ES_BOT_NAME_BYTES];
    /* The player must be to act in the view, which must show the player's own tiles. */
    es_event (*think)(const struct es_bot *bot, const struct es_setup *setup,
                      const struct es_state *view, int player, struct es_thought *thought);
    uint32_t number; /* the N of flat:N; to others what tells them from their like */
    uint32_t ms;     /* how long it may think at most, 0 for those who just answer */
};

/* Finds a bot for a game by its name; ES_BOT_UNKNOWN. */
es_status es_bot_named(const struct es_game *game, struct es_str name, struct es_bot *bot);

/* The name of a game's level number `i`, from 0, weakest first; NULL past the last. */
const char *es_bot_level(const struct es_game *game, int i);

/* Why a bot cannot answer for this player: the turn is not theirs, or their own tiles are hidden in
 * this view; ES_OK if it can. */
es_status es_bot_fault(const struct es_setup *setup, const struct es_state *view, int player);

#endif
