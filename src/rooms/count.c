/* Limits on what people make in an hour or a day: a guest, an address, and the network that it is
 * in. The store counts, so that all processes count together. */
#include "rooms/internal.h"
#include <assert.h>
#include <string.h>

enum { HOUR_MS = 3600000, DAY_MS = 24 * HOUR_MS };

static void add(struct pending *p, struct store_tally tally)
{
    assert(p->tallies < LIMITS_MAX);
    p->tally[p->tallies++] = tally;
}

void count_towards(struct pending *p, uint8_t kind, uint64_t who, uint32_t most)
{
    add(p, (struct store_tally){kind, who, most, HOUR_MS});
}

void count_in_day(struct pending *p, uint8_t kind, uint64_t who, uint32_t most)
{
    add(p, (struct store_tally){kind, who, most, DAY_MS});
}

static enum rooms_limit limit_of(uint8_t kind)
{
    static const enum rooms_limit limit[] = {
        [TALLY_ROOMS_GUEST] = ROOMS_LIMIT_rooms_of_guest,
        [TALLY_ROOMS_ADDRESS] = ROOMS_LIMIT_rooms_of_address,
        [TALLY_ROOMS_NETWORK] = ROOMS_LIMIT_rooms_of_network,
        [TALLY_GUESTS] = ROOMS_LIMIT_guests_of_address,
        [TALLY_GUESTS_NETWORK] = ROOMS_LIMIT_guests_of_network,
        [TALLY_MAPS] = ROOMS_LIMIT_maps_of_address,
        [TALLY_MAPS_NETWORK] = ROOMS_LIMIT_maps_of_network,
        [TALLY_TICKETS] = ROOMS_LIMIT_tickets_of_guest,
        [TALLY_NAMES] = ROOMS_LIMIT_names_of_guest,
        [TALLY_REPORTS_GUEST] = ROOMS_LIMIT_reports_of_guest,
        [TALLY_REPORTS_ADDRESS] = ROOMS_LIMIT_reports_of_address,
        [TALLY_REPORTS_NETWORK] = ROOMS_LIMIT_reports_of_network,
    };
    return limit[kind];
}

void count_ask(struct rooms *rooms, struct pending *p)
{
    p->counting = p->tally[0].kind;
    struct store_question question = {
        .kind = STORE_COUNT, .time = rooms->now, .tally = p->tally[0]};
    memmove(&p->tally[0], &p->tally[1], (LIMITS_MAX - 1) * sizeof p->tally[0]);
    p->tallies--;
    hub_ask(rooms, &question, p);
}

bool count_goes_on(struct rooms *rooms, struct pending *p, const struct store_answer *answer)
{
    bool reached = !answer->found && !MUTATED(NO_LIMIT);
    if (p->kind != STORE_COUNT || answer->outcome != STORE_STORED)
        return false;
    if (reached)
        hub_limited(rooms, limit_of(p->counting));
    if (reached || p->tallies == 0)
        return false;
    count_ask(rooms, p);
    return true;
}
