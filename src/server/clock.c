/* Implementation of clock.h. */
#include "server/clock.h"

static bool is_near(int64_t ms)
{
    return ms >= -CLOCK_NEAR_MS && ms <= CLOCK_NEAR_MS;
}

void clock_start(struct clock *clock, uint64_t boot, uint64_t real)
{
    *clock = (struct clock){.base = real - boot};
}

int64_t clock_apart(const struct clock *clock, uint64_t boot)
{
    bool is_steady = clock->since && boot - clock->since >= CLOCK_STEADY_MS;
    return is_steady ? clock->ahead : 0;
}

uint64_t clock_now(struct clock *clock, uint64_t boot, uint64_t real)
{
    int64_t ahead = (int64_t)(real - (clock->base + boot));
    if (is_near(ahead)) {
        clock->since = 0;
    } else if (!clock->since || !is_near(ahead - clock->ahead)) {
        clock->since = boot;
        clock->ahead = ahead;
    } else if (ahead > 0 && clock_apart(clock, boot)) {
        clock_start(clock, boot, real);
    }
    return clock->base + boot;
}
