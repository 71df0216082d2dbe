/* The rules of depot: turns, legal events, points. */
#include "games/depot/depot.h"
#include <string.h>

es_status depot_prepare(struct es_setup *setup)
{
    (void)setup; /* nothing is derived */
    return ES_OK;
}

void depot_start(const struct es_setup *setup, struct es_state *state)
{
    (void)setup;
    memset(state, 0, sizeof *state);
}

static int player_at_turn(const struct es_setup *setup, const struct depot_state *s)
{
    return s->parked % setup->players + 1;
}

struct es_turn depot_turn(const struct es_setup *setup, const struct es_state *state)
{
    const struct depot_state *s = depot_state(state);
    if (s->parked == DEPOT_PLACES)
        return (struct es_turn){ES_TURN_OVER, 0};
    if (s->rolled == 0)
        return (struct es_turn){ES_TURN_CHANCE, 0};
    return (struct es_turn){ES_TURN_PLAYERS, 1U << (player_at_turn(setup, s) - 1)};
}

size_t depot_legal(const struct es_setup *setup, const struct es_state *state, int who,
                   es_event *events)
{
    const struct depot_state *s = depot_state(state);
    struct es_turn turn = depot_turn(setup, state);
    size_t count = 0;
    if (who == ES_CHANCE && turn.kind == ES_TURN_CHANCE)
        for (int number = 1; number <= DEPOT_DIE; number++)
            events[count++] = ES_EVENT(ES_CHANCE, number);
    if (who != ES_CHANCE && turn.players >> (who - 1) & 1)
        for (int place = 0; place < DEPOT_PLACES; place++)
            if (s->wagon[place] == 0)
                events[count++] = ES_EVENT(who, place);
    return count;
}

int depot_gain(const struct es_setup *setup, const struct depot_state *s, int place, int number)
{
    int column = place % DEPOT_SIDE, row = place / DEPOT_SIDE, gain = 0;
    for (int other = 0; other < DEPOT_PLACES; other++) {
        int x = other % DEPOT_SIDE - column, y = other / DEPOT_SIDE - row;
        int distance = x * x + y * y, step = s->wagon[other] - number;
        bool near = distance == 1 || (distance == 2 && setup->rules & DEPOT_CORNERS);
        if (near && s->wagon[other])
            gain += step == 0 ? 2 : step == 1 || step == -1;
    }
    return gain;
}

es_status depot_apply(const struct es_setup *setup, struct es_state *state, es_event event)
{
    struct depot_state *s = (struct depot_state *)state;
    struct es_turn turn = depot_turn(setup, state);
    int who = ES_EVENT_WHO(event);
    unsigned what = ES_EVENT_WHAT(event);
    if (who > setup->players)
        return ES_PLAYER_UNKNOWN;
    if (turn.kind == ES_TURN_OVER)
        return ES_GAME_OVER;
    if (who == ES_CHANCE) {
        if (turn.kind != ES_TURN_CHANCE)
            return ES_CHANCE_NOT_DUE;
        if (what < 1 || what > DEPOT_DIE)
            return ES_EVENT_BAD;
        s->rolled = (uint8_t)what;
        return ES_OK;
    }
    if (!(turn.players >> (who - 1) & 1))
        return turn.kind == ES_TURN_CHANCE ? ES_CHANCE_DUE : ES_NOT_TO_ACT;
    if (what >= DEPOT_PLACES)
        return ES_EVENT_BAD;
    if (s->wagon[what])
        return ES_PLACE_TAKEN;
    s->points[who - 1] = (int16_t)(s->points[who - 1] + depot_gain(setup, s, (int)what, s->rolled));
    s->wagon[what] = s->rolled;
    s->owner[what] = (uint8_t)who;
    s->rolled = 0;
    s->parked++;
    return ES_OK;
}

unsigned depot_weight(const struct es_setup *setup, const struct es_state *state, es_event event)
{
    (void)setup, (void)state, (void)event;
    return 1;
}

/* Each roll is the first element of a shuffle of its own. */
es_event depot_deal(const struct es_setup *setup, const struct es_state *state,
                    const uint8_t seed[ES_SEED_BYTES])
{
    uint8_t order[DEPOT_DIE];
    (void)setup;
    es_fair_shuffle(seed, depot_state(state)->parked, DEPOT_DIE, order);
    return ES_EVENT(ES_CHANCE, order[0] + 1);
}

/* Nothing is hidden. */
size_t depot_observe(const struct es_setup *setup, const struct es_state *state,
                     const es_event *events, size_t count, int viewer, es_event *seen)
{
    (void)setup, (void)state, (void)viewer;
    memcpy(seen, events, count * sizeof *seen);
    return count;
}

int depot_score(const struct es_setup *setup, const struct es_state *state, int player)
{
    (void)setup;
    return depot_state(state)->points[player - 1];
}

unsigned depot_winners(const struct es_setup *setup, const struct es_state *state)
{
    const struct depot_state *s = depot_state(state);
    unsigned best = 0;
    int most = -1;
    for (int p = 0; p < setup->players && s->parked == DEPOT_PLACES; p++) {
        if (s->points[p] > most)
            best = 0;
        if (s->points[p] >= most) {
            most = s->points[p];
            best |= 1U << p;
        }
    }
    return best;
}
