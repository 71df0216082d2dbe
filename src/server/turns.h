/* Whose question a bot thinks about next, and for how long at most: so that many questions of one
 * network, or of one maker of rooms, delay the others' by no more than one thought.
 *
 * First among networks: the one for which bots have thought the shortest time. Then in the same way
 * among the makers in it, and then among the rooms of that maker, in rotation. Nobody gains by
 * having asked for nothing, or by being new (start-time fair queueing): there is a time that goes
 * on with all thoughts, divided by those who share them, and whoever begins to wait has at least
 * the time of that moment. So those who come later, however many, are behind those who wait.
 *
 * Times are kept by a few thousand slots; networks that share one, and makers of the same network,
 * share their turns. A maker of another network takes a slot over, as somebody new. */
#ifndef ENDSTATION_TURNS_H
#define ENDSTATION_TURNS_H

#include <stdbool.h>
#include <stdint.h>

enum { TURNS_SLOTS = 4096 };

/* Begin with zeros, apart from `threads`. Times are in microseconds; while many share the threads,
 * thoughts become shorter and a microsecond counts for more. */
struct turns {
    uint32_t threads; /* in which bots think at the same time */
    uint64_t time;    /* of everybody; grows */
    uint64_t number;  /* of the latest turn */
    uint32_t active;  /* networks with questions */
    struct turns_network {
        uint64_t spent;
        uint64_t time;  /* of the makers in it */
        uint32_t asked; /* questions that wait or are thought about */
    } network[TURNS_SLOTS];
    struct turns_maker {
        uint64_t spent;
        uint64_t network; /* whose time it is: a slot */
    } maker[TURNS_SLOTS];
    uint64_t served[TURNS_SLOTS]; /* by room: the number of its latest turn; 0: none */
};

struct turn {
    uint64_t network, maker, room; /* any numbers that stand for them */
    /* Set by turns_ask(): the three times when it was asked. */
    uint64_t network_since, maker_since, room_since;
    /* Among how many networks the threads are shared, and among how many questions if each network
     * had as many as this one: the most so far. */
    uint64_t networks, crowd;
};

/* A question begins to wait. */
void turns_ask(struct turns *turns, struct turn *turn);
/* It is given up before its turn. */
void turns_drop(struct turns *turns, const struct turn *turn);
/* Returns true if `a` comes before `b`; where neither does, whoever has asked first does. */
bool turns_before(const struct turns *turns, const struct turn *a, const struct turn *b);
/* A turn begins. Until it ends it counts as a tenth of a second, for those who are next. Returns
 * how many milliseconds it may take of the `ms` that were asked for: less if many wait, so that
 * each has its turn within two or three seconds. Of many questions of one network, only that
 * network's thoughts are shortened. */
uint64_t turns_begin(struct turns *turns, struct turn *turn, uint64_t ms);
/* It has ended, after `us` microseconds. */
void turns_end(struct turns *turns, const struct turn *turn, uint64_t us);

#endif
