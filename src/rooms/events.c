/* The names of events and limits. */
#include "rooms/events.h"

const struct rooms_event_about rooms_event_about[ROOMS_EVENTS_COUNT] = {
#define ABOUT(kind, name, always) {name, always},
    ROOMS_EVENTS(ABOUT)
#undef ABOUT
};

const char *const rooms_limit_name[ROOMS_LIMITS_COUNT] = {
#define NAME(name, what) #name,
    ROOMS_LIMITS(NAME)
#undef NAME
};
