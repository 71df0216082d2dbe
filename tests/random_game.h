/* Random games of verplant, for tests of bots and of hindsight. */
#ifndef ENDSTATION_RANDOM_GAME_H
#define ENDSTATION_RANDOM_GAME_H

#include "check.h"
#include "random_map.h"
#include <endstation/bots.h>
#include <endstation/verplant/bots.h>

struct game {
    struct es_map map;
    struct es_setup setup;
    struct es_state state;
    struct es_random random;
    size_t count;
    es_event events[ES_EVENTS_MAX];
};

/* Sets the map: a built-in sheet by its id, or a random one of this size. */
static inline void choose_map(struct game *g, const char *id, int size)
{
    static char text[1 << 16];
    if (id) {
        check_builtin(&g->map, id);
        return;
    }
    struct es_out out = {text, sizeof text - 1, 0};
    random_map(&g->random, size, &out);
    assert_true(es_out_ok(&out));
    text[out.used] = '\0';
    check_map(&g->map, text);
}

static inline void begin(struct game *g, int players, bool special, const char *deck)
{
    g->setup = (struct es_setup){.game = &es_verplant,
                                 .players = (uint8_t)players,
                                 .map = &g->map,
                                 .rules = special ? ES_VERPLANT_SPECIAL : 0};
    assert_int_equal(es_verplant_deck_read(&g->setup, es_str(deck)), ES_OK);
    assert_int_equal(es_setup_prepare(&g->setup), ES_OK);
    g->setup.game->start(&g->setup, &g->state);
    g->count = 0;
}

static inline void apply(struct game *g, es_event event)
{
    assert_true(g->count < ES_EVENTS_MAX);
    assert_int_equal(g->setup.game->apply(&g->setup, &g->state, event), ES_OK);
    g->events[g->count++] = event;
}

static inline bool over(const struct game *g)
{
    return g->setup.game->turn(&g->setup, &g->state).kind == ES_TURN_OVER;
}

static inline unsigned acting(const struct game *g)
{
    return es_verplant_state(&g->state)->acting;
}

/* Returns a random player who is to act; 0 if a card is due. */
static inline int any_player(struct game *g)
{
    int player = 0;
    for (uint32_t p = 1, seen = 0; p <= g->setup.players; p++)
        if ((acting(g) >> (p - 1) & 1) && es_random_below(&g->random, ++seen) == 0)
            player = (int)p;
    return player;
}

/* Plays one event: chance at random, players half at random and half greedily, so that lines get
 * completed. */
static inline void play_on(struct game *g, int player)
{
    es_event events[ES_LEGAL_MAX];
    const struct es_verplant_state *s = es_verplant_state(&g->state);
    if (player > 0 && es_random_below(&g->random, 2)) {
        es_choice choice = es_bot_greedy(&g->map, &s->sheet[player - 1], s->card, &g->random);
        apply(g, ES_VERPLANT_ENTRY(player, choice));
        return;
    }
    size_t count = g->setup.game->legal(&g->setup, &g->state, player, events);
    apply(g, events[es_random_below(&g->random, (uint32_t)count)]);
}

/* Plays until a player is to act who has at most N free windows. Returns that player, or 0 at the
 * end. */
static inline int play_until(struct game *g, int windows)
{
    while (!over(g)) {
        int player = any_player(g);
        if (player && es_verplant_state(&g->state)->sheet[player - 1].windows_left <= windows)
            return player;
        play_on(g, player);
    }
    return 0;
}

#endif
