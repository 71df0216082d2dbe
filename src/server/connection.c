/* The table of connections: numbers that are never used twice, and lists ordered by time. */
#include "server/internal.h"
#include <stdlib.h>

enum { SLOT_BITS = 16 };

bool connection_table_open(struct server *server, uint32_t slots)
{
    server->slots = slots < 1u << SLOT_BITS ? slots : 1u << SLOT_BITS;
    server->slot = calloc(server->slots, sizeof *server->slot);
    server->free_slot = calloc(server->slots, sizeof *server->free_slot);
    if (!server->slot || !server->free_slot)
        return false;
    for (uint32_t i = 0; i < server->slots; i++)
        server->free_slot[i] = server->slots - 1 - i;
    server->free_slots = server->slots;
    return true;
}

void connection_table_close(struct server *server)
{
    free(server->slot);
    free(server->free_slot);
}

struct connection *connection_of(struct lws *wsi)
{
    return lws_get_opaque_user_data(wsi);
}

struct connection *connection_make(struct lws *wsi)
{
    struct server *server = lws_context_user(lws_get_context(wsi));
    struct connection *connection = connection_of(wsi);
    if (connection || server->free_slots == 0)
        return connection;
    connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    connection->server = server;
    connection->wsi = wsi;
    connection->slot = server->free_slot[--server->free_slots];
    server->slot[connection->slot] = connection;
    lws_set_opaque_user_data(wsi, connection);
    return connection;
}

void connection_count(struct connection *connection, struct visitors *visitors,
                      struct visitor *visitor)
{
    connection_put(connection, LIST_ADDRESS, visitor ? &visitor->list : NULL);
    if (connection->visitor)
        visitors_leave(connection->visitors, connection->visitor);
    connection->visitors = visitors;
    connection->visitor = visitor;
}

void connection_free(struct connection *connection)
{
    struct server *server = connection->server;
    connection_count(connection, NULL, NULL);
    line_stop(connection);
    exchange_forget(connection);
    websocket_forget(connection);
    connection_gone(connection);
    connection_put(connection, LIST_TURN, NULL);
    server->slot[connection->slot] = NULL;
    server->free_slot[server->free_slots++] = connection->slot;
    lws_set_opaque_user_data(connection->wsi, NULL);
    free(connection);
}

void connection_number(struct connection *connection)
{
    connection->id = ++connection->server->serial << SLOT_BITS | connection->slot;
}

struct connection *connection_find(struct server *server, uint64_t id)
{
    uint32_t slot = (uint32_t)(id & ((1u << SLOT_BITS) - 1));
    struct connection *connection = slot < server->slots ? server->slot[slot] : NULL;
    return connection && connection->id == id ? connection : NULL;
}

void connection_put(struct connection *connection, enum list_kind kind, struct list *list)
{
    struct place *place = &connection->place[kind];
    struct list *old = place->list;
    if (old) {
        *(place->before ? &place->before->place[kind].after : &old->first) = place->after;
        *(place->after ? &place->after->place[kind].before : &old->last) = place->before;
    }
    *place = (struct place){.list = list, .before = list ? list->last : NULL};
    if (!list)
        return;
    *(list->last ? &list->last->place[kind].after : &list->first) = connection;
    list->last = connection;
    place->since = server_now(connection->server);
}

void connection_gone(struct connection *connection)
{
    struct server *server = connection->server;
    uint64_t id = connection->id;
    bool is_known = connection->open || connection->waiting;
    if (connection->open)
        server->counts.sockets--;
    if (connection->waiting)
        server->waiting--;
    connection->open = connection->waiting = false;
    connection->id = 0;
    if (is_known && !server->closed && server->options.events->gone)
        server->options.events->gone(server->options.context, id);
    if (is_known)
        server_check_finished(server);
}
