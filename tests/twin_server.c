/* A server for tests of what is told to whom: twin_server MUTATION [TILE]. Prints its port.
 *
 * It is the program's server with a store in memory, but with a fixed source of randomness: two of
 * them that are asked the same answer the same. MUTATION is a number of enum rooms_mutation, a
 * fault that the test has to find; 0: none. With TILE, what the store has kept as the first tile of
 * the first player is read as another one. Rooms leave memory as soon as nobody is there, so that
 * they are read when somebody comes back.
 */
#include "rooms/internal.h"
#include "server/service.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

ssize_t getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)flags;
    memset(bytes, 7, size);
    return (ssize_t)size;
}

/* ---- The store ------------------------------------------------------------------------------- */

static struct store *memory;
static const char *tile;

static void answer_one(const struct store_question *question, struct store_answer *answer)
{
    static const char deal[] = "deal 1 ";
    store_ask(memory, question, answer);
    for (size_t i = 0; tile && question->kind == STORE_READ && i < answer->entries; i++) {
        const struct store_entry *entry = &answer->entry[i];
        if (entry->kind != ENTRY_CHANCE || entry->text.size != strlen(deal) + strlen(tile) ||
            memcmp(entry->text.at, deal, strlen(deal)) != 0)
            continue;
        memcpy((char *)entry->text.at + strlen(deal), tile, strlen(tile));
        return;
    }
}

static enum store_outcome answer_group(struct store *store, const struct store_pair *pair,
                                       size_t count)
{
    (void)store;
    for (size_t i = 0; i < count; i++)
        answer_one(pair[i].question, pair[i].answer);
    return STORE_STORED;
}

static void close_store(struct store *store)
{
    (void)store;
    memory->close(memory);
}

static const char *fault_of(struct store *store)
{
    (void)store;
    return "";
}

/* ---- The server ------------------------------------------------------------------------------ */

int main(int argc, char **argv)
{
    static const struct site_file none[1];
    static struct site site = {.files = none, .version = "1", .games = ""};
    static struct store store = {.answer = answer_group, .close = close_store, .fault = fault_of};
    const struct service_options options = {.site = &site,
                                            .bots = 1,
                                            .limits = {.burst = 1000000,
                                                       .steady = 1000000,
                                                       .of_guest = 1000,
                                                       .requests = 1000000,
                                                       .hello_ms = 600000,
                                                       .keep_ms = 1,
                                                       .read_ms = 1}};
    struct server_options sockets = {.address = "127.0.0.1", .events = &service_events};
    char fault[SERVER_FAULT_BYTES] = "no memory";
    rooms_mutation = argc > 1 ? (enum rooms_mutation)atoi(argv[1]) : ROOMS_SOUND;
    tile = argc > 2 ? argv[2] : NULL;
    memory = store_memory();
    struct service *service = service_open(&options);
    sockets.context = service;
    struct server *server = memory && service ? server_open(&sockets, fault) : NULL;
    if (!server || !service_start(service, server, &store, fault)) {
        fprintf(stderr, "twin_server: %s\n", fault);
        return 1;
    }
    printf("%u\n", server_port(server));
    fflush(stdout);
    server_run(server);
    service_stop(service);
    server_close(server);
    service_close(service);
    return 0;
}
