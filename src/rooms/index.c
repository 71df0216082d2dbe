/* Hash tables from bytes to pointers: open addressing with linear probing, no tombstones. */
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(const void *key, size_t size)
{
    const uint8_t *bytes = key;
    uint64_t hash = 0xcbf29ce484222325;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3;
    return hash ^ hash >> 29;
}

static struct index_slot *find(const struct index *index, const void *key, size_t size,
                               uint64_t hash)
{
    size_t i = hash & (index->slots - 1);
    while (index->slot[i].key && !(index->slot[i].hash == hash && index->slot[i].size == size &&
                                   memcmp(index->slot[i].key, key, size) == 0))
        i = (i + 1) & (index->slots - 1);
    return &index->slot[i];
}

void *index_get(const struct index *index, const void *key, size_t size)
{
    if (index->used == 0)
        return NULL;
    struct index_slot *slot = find(index, key, size, hash_of(key, size));
    return slot->key ? slot->thing : NULL;
}

void index_put(struct index *index, const void *key, size_t size, void *thing)
{
    if (index->used * 2 >= index->slots) {
        struct index larger = {.slots = index->slots ? index->slots * 2 : 16};
        larger.slot = hub_alloc(larger.slots * sizeof *larger.slot);
        for (size_t i = 0; i < index->slots; i++)
            if (index->slot[i].key) {
                struct index_slot *old = &index->slot[i];
                *find(&larger, old->key, old->size, old->hash) = *old;
            }
        free(index->slot);
        larger.used = index->used;
        *index = larger;
    }
    uint64_t hash = hash_of(key, size);
    *find(index, key, size, hash) = (struct index_slot){key, size, hash, thing};
    index->used++;
}

void index_remove(struct index *index, const void *key, size_t size)
{
    if (index->used == 0)
        return;
    struct index_slot *slot = find(index, key, size, hash_of(key, size));
    if (!slot->key)
        return;
    slot->key = NULL;
    index->used--;
    /* Move later entries of the same run into the hole unless that would put them before their own
     * first slot. */
    size_t hole = (size_t)(slot - index->slot), mask = index->slots - 1;
    for (size_t i = (hole + 1) & mask; index->slot[i].key; i = (i + 1) & mask) {
        size_t home = index->slot[i].hash & mask;
        if (((i - home) & mask) >= ((i - hole) & mask)) {
            index->slot[hole] = index->slot[i];
            index->slot[i].key = NULL;
            hole = i;
        }
    }
}

void index_free(struct index *index)
{
    free(index->slot);
    *index = (struct index){0};
}
