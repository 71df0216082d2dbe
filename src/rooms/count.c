/* Limits on what people make in an hour or a day: a guest, an address, and the network that it is
 * in. The store counts, so that all processes count together. What is not made after all, because
 * whoever asked has been told BUSY or has gone, is taken back: else people who try again while the
 * store is slow would have reached their limits when it is not. */
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
    add(p, (struct store_tally){.kind = kind, .who = who, .limit = most, .span = HOUR_MS});
}

void count_in_day(struct pending *p, uint8_t kind, uint64_t who, uint32_t most)
{
    add(p, (struct store_tally){.kind = kind, .who = who, .limit = most, .span = DAY_MS});
}

static enum rooms_limit limit_of(uint8_t kind)
{
    static const enum rooms_limit limit[] = {
        [TALLY_ROOMS_GUEST] = ROOMS_LIMIT_rooms_of_guest,
        [TALLY_ROOMS_ADDRESS] = ROOMS_LIMIT_rooms_of_address,
        [TALLY_ROOMS_ADDRESS_DAY] = ROOMS_LIMIT_rooms_of_address,
        [TALLY_ROOMS_NETWORK] = ROOMS_LIMIT_rooms_of_network,
        [TALLY_ROOMS_NETWORK_DAY] = ROOMS_LIMIT_rooms_of_network,
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
    struct store_question question = {
        .kind = STORE_COUNT, .time = rooms->now, .tally = p->tally[p->counted]};
    hub_ask(rooms, &question, p);
}

void count_back(struct rooms *rooms, const struct pending *p)
{
    if (p->counted == 0)
        return;
    struct pending *back = hub_alloc(sizeof *back);
    back->tallies = p->counted;
    for (int i = 0; i < p->counted; i++) {
        back->tally[i] = p->tally[i];
        back->tally[i].back = true;
    }
    count_ask(rooms, back);
}

/* Returns true if nothing will be made of what is counted. A report is kept all the same. */
static bool is_given_up(struct rooms *rooms, const struct pending *p)
{
    return p->item ? p->item->told : p->why != WHY_REPORT && !hub_connection(rooms, p->connection);
}

bool count_goes_on(struct rooms *rooms, struct pending *p, const struct store_answer *answer)
{
    if (p->kind != STORE_COUNT || answer->outcome != STORE_STORED)
        return false;
    bool is_back = p->tally[p->counted].back;
    if (!answer->found && !is_back && !MUTATED(NO_LIMIT)) {
        hub_limited(rooms, limit_of(p->tally[p->counted].kind));
        return false;
    }
    p->counted++;
    if (!is_back && is_given_up(rooms, p)) {
        count_back(rooms, p);
        return false;
    }
    if (p->counted == p->tallies)
        return false;
    count_ask(rooms, p);
    return true;
}
