/* Implementation of visitors.h: a hash table. The addresses of a network are in a list, and so are
 * the networks with the same number of connections; as numbers change in steps of one, the largest
 * is always at hand. */
#include "server/visitors.h"
#include <stdlib.h>

/* Returns the link that points to the visitor, or to NULL at the end of its bucket. */
static struct visitor **link_of(struct visitors *visitors, uint64_t number, bool is_network)
{
    struct visitor **link = &visitors->bucket[number % VISITORS_BUCKETS];
    while (*link && ((*link)->number != number || (*link)->is_network != is_network))
        link = &(*link)->next;
    return link;
}

struct visitor *visitors_find(struct visitors *visitors, uint64_t number, bool is_network)
{
    return *link_of(visitors, number, is_network);
}

static struct visitor *find_or_make(struct visitors *visitors, uint64_t number, bool is_network)
{
    struct visitor **link = link_of(visitors, number, is_network);
    if (*link)
        return *link;
    struct visitor *visitor = calloc(1, sizeof *visitor);
    if (!visitor)
        return NULL;
    visitor->number = number;
    visitor->is_network = is_network;
    return *link = visitor;
}

/* Moves a visitor to the beginning of a list; NULL: to none. */
static void move(struct visitor *visitor, struct visitor **list)
{
    if (visitor->link) {
        *visitor->link = visitor->after;
        if (visitor->after)
            visitor->after->link = visitor->link;
    }
    visitor->link = list;
    if (!list)
        return;
    visitor->after = *list;
    if (*list)
        (*list)->link = &visitor->after;
    *list = visitor;
}

static void free_if_unused(struct visitors *visitors, struct visitor *visitor)
{
    if (!visitor || visitor->connections > 0)
        return;
    move(visitor, NULL);
    *link_of(visitors, visitor->number, visitor->is_network) = visitor->next;
    free(visitor);
}

static void set_connections(struct visitors *visitors, struct visitor *network, uint32_t number)
{
    network->connections = number;
    move(network, &visitors->with[number]);
    if (number > visitors->most)
        visitors->most = number;
    while (visitors->most > 0 && !visitors->with[visitors->most])
        visitors->most--;
}

struct visitor *visitors_enter(struct visitors *visitors, uint64_t address, uint64_t network,
                               uint32_t most, uint32_t most_of_network)
{
    struct visitor *around = find_or_make(visitors, network, true);
    struct visitor *visitor = around ? find_or_make(visitors, address, false) : NULL;
    if (!visitor || visitor->connections >= most || around->connections >= most_of_network ||
        around->connections >= VISITORS_MOST) {
        free_if_unused(visitors, visitor);
        free_if_unused(visitors, around);
        return NULL;
    }
    visitor->network = around;
    if (visitor->connections++ == 0)
        move(visitor, &around->addresses);
    set_connections(visitors, around, around->connections + 1);
    return visitor;
}

void visitors_leave(struct visitors *visitors, struct visitor *address)
{
    struct visitor *network = address->network;
    address->connections--;
    free_if_unused(visitors, address);
    set_connections(visitors, network, network->connections - 1);
    free_if_unused(visitors, network);
}

struct visitor *visitors_most(const struct visitors *visitors)
{
    return visitors->with[visitors->most];
}

struct visitor *visitors_most_in(const struct visitor *network)
{
    struct visitor *most = network->addresses;
    for (struct visitor *one = most; one; one = one->after)
        if (one->connections >= most->connections)
            most = one;
    return most;
}
