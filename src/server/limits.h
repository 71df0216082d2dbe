/* Limits that were reached: how often, for /metrics and for the log. */
#ifndef ENDSTATION_LIMITS_H
#define ENDSTATION_LIMITS_H

#include "rooms/rooms.h"
#include "server/server.h"

/* Those of the rooms come first. */
enum { LIMITS_HTTP = ROOMS_LIMITS_COUNT, LIMITS_PLACES, LIMITS_COUNT };

struct limits {
    uint64_t count[LIMITS_COUNT]; /* refusals since the start */
};

/* What the log has said of them. Zeros at the start. */
struct limits_told {
    uint64_t count[LIMITS_COUNT];
    uint64_t when[LIMITS_COUNT]; /* milliseconds, when it said so last; 0: never */
};

/* Returns a limit's name. */
const char *limits_name(int limit);
void limits_read(struct limits *limits, const struct rooms_counts *rooms,
                 const struct server_counts *server);
/* Returns how many refusals the log should tell of now, and notes that it does: not more often than
 * once a minute for each limit, so that nobody can fill the disk with lines. `now`: milliseconds of
 * any clock; UINT64_MAX: all that have not been told of. */
uint64_t limits_tell(struct limits_told *told, const struct limits *limits, int limit,
                     uint64_t now);

#endif
