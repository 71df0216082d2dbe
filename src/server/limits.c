/* Implementation of limits.h. */
#include "server/limits.h"
#include <string.h>

enum { TELL_MS = 60000 };

const char *limits_name(int limit)
{
    static const char *const own[] = {"http", "places"};
    return limit < ROOMS_LIMITS_COUNT ? rooms_limit_name[limit] : own[limit - ROOMS_LIMITS_COUNT];
}

void limits_read(struct limits *limits, const struct rooms_counts *rooms,
                 const struct server_counts *server)
{
    memcpy(limits->count, rooms->limited, sizeof rooms->limited);
    limits->count[LIMITS_HTTP] = server->crowds;
    limits->count[LIMITS_PLACES] = server->displaced;
}

uint64_t limits_tell(struct limits_told *told, const struct limits *limits, int limit, uint64_t now)
{
    uint64_t more = limits->count[limit] - told->count[limit];
    if (more == 0 || (told->when[limit] && now < told->when[limit] + TELL_MS))
        return 0;
    told->count[limit] = limits->count[limit];
    told->when[limit] = now;
    return more;
}
