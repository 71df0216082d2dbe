/* What the operator is told of the rooms: events for the log, and limits for /metrics. A new one
 * needs a line in its list here and in docs/operating.md, which a test compares. */
#ifndef ENDSTATION_ROOMS_EVENTS_H
#define ENDSTATION_ROOMS_EVENTS_H

#include <stdbool.h>

/* Events: the name in the log, and whether it is logged without `serve --log`, too. */
#define ROOMS_EVENTS(X)                                                                            \
    X(ROOM_MADE, "room-made", false)                                                               \
    X(GAME_BEGUN, "game-begun", false)                                                             \
    X(GAME_OVER, "game-over", false)                                                               \
    X(ROOM_CLOSED, "room-closed", false)                                                           \
    X(PERSON_REMOVED, "person-removed", false)                                                     \
    X(ROOM_UNREADABLE, "room-unreadable", true)                                                    \
    X(REPORTED, "reported", false)                                                                 \
    X(DELETED, "deleted", false)                                                                   \
    X(KEEP_HALTED, "keep-halted", true)                                                            \
    X(OPERATOR, "operator", true)

enum rooms_event_kind {
#define ROOMS_EVENT(kind, name, always) ROOMS_EVENT_##kind,
    ROOMS_EVENTS(ROOMS_EVENT)
#undef ROOMS_EVENT
        ROOMS_EVENTS_COUNT
};

/* An event. Its texts are valid until the output that has it returns. None is a secret: no token,
 * code, name, chat or address. */
struct rooms_event {
    enum rooms_event_kind kind;
    const char *room, *guest; /* ids; NULL: none */
    const char *detail;       /* the rest of the line, as `key=value key=value`; NULL: none */
};

extern const struct rooms_event_about {
    const char *name;
    bool always;
} rooms_event_about[ROOMS_EVENTS_COUNT];

/* Limits, and what is refused when they are reached. Their names are labels in /metrics. */
#define ROOMS_LIMITS(X)                                                                            \
    X(connections_of_address, "WebSockets of an address")                                          \
    X(connections_of_network, "WebSockets of a network")                                           \
    X(connections_of_guest, "WebSockets of a guest")                                               \
    X(hello, "WebSockets that said no hello in time")                                              \
    X(messages, "WebSockets with too many messages")                                               \
    X(requests, "requests of an address")                                                          \
    X(requests_of_network, "requests of a network")                                                \
    X(rooms_of_guest, "rooms made by a guest")                                                     \
    X(rooms_of_address, "rooms made from an address")                                              \
    X(rooms_of_network, "rooms made from a network")                                               \
    X(tables_of_guest, "seats at open tables for a guest who has many")                            \
    X(guests_of_address, "guests made from an address")                                            \
    X(guests_of_network, "guests made from a network")                                             \
    X(maps_of_address, "sheets sent from an address")                                              \
    X(maps_of_network, "sheets sent from a network")                                               \
    X(tickets_of_guest, "tickets made by a guest")                                                 \
    X(names_of_guest, "names taken by a guest")                                                    \
    X(reports_of_guest, "reports by a guest")                                                      \
    X(reports_of_address, "reports from an address")                                               \
    X(reports_open, "reports of a guest, or of all, of which many are not dealt with")             \
    X(reports_of_network, "reports from a network")                                                \
    X(pages_of_guest, "pages of what the server has about a guest")                                \
    X(codes_of_address, "short codes from an address that gave many wrong ones")                   \
    X(codes_of_network, "short codes from a network that gave many wrong ones")                    \
    X(queue_of_room, "messages to a room in whose queue many wait")                                \
    X(people_of_room, "people who sit or write in a room that had many")                           \
    X(reactions_of_guest, "reactions of a guest")                                                  \
    X(reactions_of_room, "reactions in a room of those who watch it")                              \
    X(chat_of_room, "chat in a room that has much")                                                \
    X(text_of_address, "chat and sheets from an address that has sent much")                       \
    X(text_of_network, "chat and sheets from a network that has sent much")                        \
    X(acts_of_address, "what is done in rooms from an address, after very much")                   \
    X(acts_of_network, "what is done in rooms from a network, after very much")                    \
    X(acts_of_guest, "what a guest does in a room, after very much")

enum rooms_limit {
#define ROOMS_LIMIT(name, what) ROOMS_LIMIT_##name,
    ROOMS_LIMITS(ROOMS_LIMIT)
#undef ROOMS_LIMIT
        ROOMS_LIMITS_COUNT
};

extern const char *const rooms_limit_name[ROOMS_LIMITS_COUNT];

#endif
