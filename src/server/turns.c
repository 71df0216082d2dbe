/* Implementation of turns.h. */
#include "server/turns.h"

enum {
    GUESS_US = 100000,
    SOON_MS = 2000,
    LEAST_MS = 10, /* enough for a sensible move */
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t slot_of(uint64_t number)
{
    return number % TURNS_SLOTS;
}

static uint64_t time_of_network(const struct turns *turns, const struct turn *turn)
{
    return later(turns->network[slot_of(turn->network)].spent, turn->network_since);
}

static bool has_slot(const struct turns *turns, const struct turn *turn)
{
    return turns->maker[slot_of(turn->maker)].network == slot_of(turn->network);
}

static uint64_t time_of_maker(const struct turns *turns, const struct turn *turn)
{
    uint64_t spent = has_slot(turns, turn) ? turns->maker[slot_of(turn->maker)].spent : 0;
    return later(spent, turn->maker_since);
}

static uint64_t time_of_room(const struct turns *turns, const struct turn *turn)
{
    return later(turns->served[slot_of(turn->room)], turn->room_since);
}

/* Notes among how many the threads are shared. Those who were there when it was asked count, too:
 * else the last of many would have much time, and those before them, too. */
static void look_around(const struct turns *turns, struct turn *turn)
{
    uint64_t asked = turns->network[slot_of(turn->network)].asked;
    turn->networks = later(turn->networks, turns->active);
    turn->crowd = later(turn->crowd, turns->active * asked);
}

/* What a thought counts for, if the threads are shared among so many. */
static uint64_t cost(const struct turns *turns, uint64_t us, uint64_t sharers)
{
    uint64_t few = 2 * (uint64_t)turns->threads;
    return sharers > few ? us * sharers / few : us;
}

void turns_ask(struct turns *turns, struct turn *turn)
{
    struct turns_network *network = &turns->network[slot_of(turn->network)];
    turns->active += network->asked++ == 0;
    turn->network_since = turns->time;
    turn->maker_since = network->time;
    turn->room_since = turns->number;
    turn->networks = turn->crowd = 0;
    look_around(turns, turn);
}

void turns_drop(struct turns *turns, const struct turn *turn)
{
    turns->active -= --turns->network[slot_of(turn->network)].asked == 0;
}

bool turns_before(const struct turns *turns, const struct turn *a, const struct turn *b)
{
    if (slot_of(a->network) != slot_of(b->network))
        return time_of_network(turns, a) < time_of_network(turns, b);
    if (slot_of(a->maker) != slot_of(b->maker))
        return time_of_maker(turns, a) < time_of_maker(turns, b);
    return time_of_room(turns, a) < time_of_room(turns, b);
}

uint64_t turns_begin(struct turns *turns, struct turn *turn, uint64_t ms)
{
    struct turns_network *network = &turns->network[slot_of(turn->network)];
    uint64_t networks = time_of_network(turns, turn), makers = time_of_maker(turns, turn);
    turns->time = later(turns->time, networks);
    network->time = later(network->time, makers);
    network->spent = networks + GUESS_US;
    turns->maker[slot_of(turn->maker)] =
        (struct turns_maker){makers + GUESS_US, slot_of(turn->network)};
    turns->served[slot_of(turn->room)] = ++turns->number;
    look_around(turns, turn);
    if (turn->crowd <= 2 * (uint64_t)turns->threads)
        return ms;
    uint64_t most = later(SOON_MS * (uint64_t)turns->threads / turn->crowd, LEAST_MS);
    return ms < most ? ms : most;
}

/* (A maker's slot may have been another's meanwhile.) */
static uint64_t without_guess(uint64_t spent)
{
    return spent > GUESS_US ? spent - GUESS_US : 0;
}

void turns_end(struct turns *turns, const struct turn *turn, uint64_t us)
{
    struct turns_network *network = &turns->network[slot_of(turn->network)];
    struct turns_maker *maker = &turns->maker[slot_of(turn->maker)];
    uint64_t of_network = cost(turns, us, turn->networks), of_maker = cost(turns, us, turn->crowd);
    turns->time += of_network / turns->active;
    network->time += of_maker / network->asked;
    network->spent = without_guess(network->spent) + of_network;
    if (has_slot(turns, turn))
        maker->spent = without_guess(maker->spent) + of_maker;
    turns_drop(turns, turn);
}
