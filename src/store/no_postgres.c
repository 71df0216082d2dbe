/* Instead of the PostgreSQL store, in a program that is built without libpq. */
#include "store/store.h"
#include <stdio.h>

struct store *store_postgres(const char *address, char fault[STORE_FAULT_BYTES])
{
    (void)address;
    snprintf(fault, STORE_FAULT_BYTES, "this program was built without PostgreSQL (libpq)");
    return NULL;
}

struct store_listener *store_listen(const struct store *store)
{
    (void)store;
    return NULL;
}

void store_hear(struct store_listener *listener, int wake, int ms,
                void (*hear)(void *context, const struct store_news *news), void *context)
{
    (void)listener;
    (void)wake;
    (void)ms;
    (void)hear;
    (void)context;
}

const char *store_listener_fault(const struct store_listener *listener)
{
    (void)listener;
    return "";
}

void store_listener_close(struct store_listener *listener)
{
    (void)listener;
}
