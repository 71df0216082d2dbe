/* Implementation of visitors.h: a hash table with lists. */
#include "server/visitors.h"
#include <stdlib.h>

/* Returns the link that points to the address's visitor, or to NULL at the end of its bucket. */
static struct visitor **link_of(struct visitors *visitors, uint64_t address)
{
    struct visitor **link = &visitors->bucket[address % VISITORS_BUCKETS];
    while (*link && (*link)->address != address)
        link = &(*link)->next;
    return link;
}

struct visitor *visitors_enter(struct visitors *visitors, uint64_t address, uint32_t most)
{
    struct visitor **link = link_of(visitors, address), *visitor = *link;
    if (!visitor) {
        visitor = *link = calloc(1, sizeof *visitor);
        if (!visitor)
            return NULL;
        visitor->address = address;
    }
    if (visitor->connections >= most)
        return NULL;
    visitor->connections++;
    return visitor;
}

void visitors_leave(struct visitors *visitors, struct visitor *visitor)
{
    if (--visitor->connections > 0)
        return;
    *link_of(visitors, visitor->address) = visitor->next;
    free(visitor);
}
