/* A store in memory, for tests and simulations; tests compare the SQLite store with it.
 *
 * Everything that has to be unique, or is looked up, is in a hash table whose keys are bytes: a
 * room's id, a code, a token, but also (room, seat, decision) and (room, guest, key).
 */
#include "store/answer.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Hash tables ----------------------------------------------------------------------------- */

enum { KEY_BYTES = STORE_ROOM_BYTES + STORE_GUEST_BYTES + STORE_KEY_BYTES }; /* also for notes */

struct key {
    size_t size;
    uint8_t bytes[KEY_BYTES];
};

struct node {
    struct node *next;
    uint64_t hash;
    void *value;
    struct key key;
};

struct table {
    struct node **bucket;
    size_t buckets, count; /* `buckets` is a power of two, or 0 */
};

static void key_add(struct key *key, const void *bytes, size_t size)
{
    assert(key->size + size <= sizeof key->bytes);
    memcpy(key->bytes + key->size, bytes, size);
    key->size += size;
}

static struct key key_text(const char *text)
{
    struct key key = {0, {0}};
    key_add(&key, text, strlen(text));
    return key;
}

static struct key key_hash(const uint8_t hash[ES_SHA256_BYTES])
{
    struct key key = {0, {0}};
    key_add(&key, hash, ES_SHA256_BYTES);
    return key;
}

/* A key of three texts. Each keeps its zero, so that different texts have different keys. */
static struct key key_texts(const char *a, const char *b, const char *c)
{
    struct key key = {0, {0}};
    key_add(&key, a, strlen(a) + 1);
    key_add(&key, b, strlen(b) + 1);
    key_add(&key, c, strlen(c) + 1);
    return key;
}

static struct key key_decision(const char *room, const struct store_entry *entry)
{
    struct key key = {0, {0}};
    key_add(&key, room, strlen(room) + 1);
    key_add(&key, &entry->seat, sizeof entry->seat);
    key_add(&key, &entry->decision, sizeof entry->decision);
    return key;
}

static struct key key_tally(const struct store_tally *tally)
{
    struct key key = {0, {0}};
    key_add(&key, &tally->kind, sizeof tally->kind);
    key_add(&key, &tally->who, sizeof tally->who);
    return key;
}

/* FNV-1a. */
static uint64_t hash_of(const struct key *key)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < key->size; i++)
        hash = (hash ^ key->bytes[i]) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

/* Returns the link that points to the key's node, or where it would have to be added; NULL in an
 * empty table. */
static struct node **table_link(const struct table *table, const struct key *key)
{
    if (!table->buckets)
        return NULL;
    uint64_t hash = hash_of(key);
    struct node **link = &table->bucket[hash & (table->buckets - 1)];
    while (*link && ((*link)->hash != hash || (*link)->key.size != key->size ||
                     memcmp((*link)->key.bytes, key->bytes, key->size)))
        link = &(*link)->next;
    return link;
}

static void *table_get(const struct table *table, struct key key)
{
    struct node **link = table_link(table, &key);
    return link && *link ? (*link)->value : NULL;
}

static bool table_grow(struct table *table)
{
    size_t buckets = table->buckets ? table->buckets * 2 : 64;
    struct node **bucket = calloc(buckets, sizeof *bucket);
    if (!bucket)
        return false;
    for (size_t i = 0; i < table->buckets; i++) {
        for (struct node *node = table->bucket[i], *next; node; node = next) {
            next = node->next;
            node->next = bucket[node->hash & (buckets - 1)];
            bucket[node->hash & (buckets - 1)] = node;
        }
    }
    free(table->bucket);
    table->bucket = bucket;
    table->buckets = buckets;
    return true;
}

/* Adds a key that is not there. Returns false if there is no memory. */
static bool table_add(struct table *table, struct key key, void *value)
{
    if (table->count >= table->buckets && !table_grow(table))
        return false;
    struct node *node = malloc(sizeof *node);
    if (!node)
        return false;
    struct node **link = table_link(table, &key);
    assert(!*link);
    *node = (struct node){NULL, hash_of(&key), value, key};
    *link = node;
    table->count++;
    return true;
}

static void table_remove(struct table *table, struct key key)
{
    struct node **link = table_link(table, &key);
    if (!link || !*link)
        return;
    struct node *node = *link;
    *link = node->next;
    free(node);
    table->count--;
}

/* Frees the table, and its values with `free_value` unless that is NULL. */
static void table_free(struct table *table, void (*free_value)(void *))
{
    for (size_t i = 0; i < table->buckets; i++) {
        for (struct node *node = table->bucket[i], *next; node; node = next) {
            next = node->next;
            if (free_value)
                free_value(node->value);
            free(node);
        }
    }
    free(table->bucket);
    *table = (struct table){NULL, 0, 0};
}

/* ---- What is kept ---------------------------------------------------------------------------- */

struct room {
    struct store_head head;
    uint64_t over_since; /* `changed` of the first head with `over`; 0: not over */
    uint64_t claimed;    /* when a process has last claimed it; 0: never */
    char claimer[STORE_PROCESS_BYTES];
    struct store_entry *entry;
    size_t entries, space;
    bool is_clean; /* its chat was deleted, and there is none since then */
};

struct guest {
    struct store_guest guest; /* without device */
    struct device *device;    /* a list */
    uint64_t seen;            /* when they were last noted to be here */
};

struct device {
    struct device *next;
    struct guest *owner;
    uint8_t token[ES_SHA256_BYTES];
    struct store_device device;
};

struct ticket {
    char guest[STORE_GUEST_BYTES];
    uint64_t until;
};

struct sheet {
    struct es_str text;
    uint64_t kept; /* when it was last handed in */
};

struct count {
    uint64_t start;
    uint32_t count;
};

struct process {
    char id[STORE_PROCESS_BYTES];
    uint64_t noted;
    bool was_ahead; /* it was noted by a clock that was, and `noted` is when that was found */
};

/* What a process says about a room. */
struct here {
    char process[STORE_PROCESS_BYTES];
    struct es_str text;
};

struct memory {
    struct store store;
    struct table rooms, codes, decisions, keys; /* values: rooms */
    struct table guests, tokens, tickets, maps; /* values: guest, device, ticket, sheet */
    struct table counts;                        /* by kind and who */
    struct table processes, heres;              /* heres: by room and process */
    struct table notes;                         /* by id */
    struct store_gap *gap;                      /* ascending */
    size_t gaps;
    uint64_t alive; /* the latest note of any process; 0: none yet */
    uint8_t key[ES_SHA256_BYTES];
};

/* Copies a text; false if there is no memory. */
static bool text_copy(struct es_str *to, struct es_str from)
{
    char *copy = NULL;
    if (from.size) {
        copy = malloc(from.size);
        if (!copy)
            return false;
        memcpy(copy, from.at, from.size);
    }
    *to = (struct es_str){copy, from.size};
    return true;
}

static void text_free(struct es_str *text)
{
    free((char *)text->at);
    *text = (struct es_str){NULL, 0};
}

static void room_free(void *value)
{
    struct room *room = value;
    text_free(&room->head.people);
    for (size_t i = 0; i < room->entries; i++)
        text_free(&room->entry[i].text);
    free(room->entry);
    free(room);
}

static void guest_free(void *value)
{
    struct guest *guest = value;
    for (struct device *device = guest->device, *next; device; device = next) {
        next = device->next;
        free(device);
    }
    free(guest);
}

static void map_free(void *value)
{
    struct sheet *sheet = value;
    text_free(&sheet->text);
    free(sheet);
}

static void here_free(void *value)
{
    struct here *here = value;
    text_free(&here->text);
    free(here);
}

static void note_free(void *value)
{
    struct store_note *note = value;
    text_free(&note->text);
    free(note);
}

static void memory_close(struct store *store)
{
    struct memory *memory = (struct memory *)store;
    table_free(&memory->codes, NULL);
    table_free(&memory->decisions, NULL);
    table_free(&memory->keys, NULL);
    table_free(&memory->tokens, NULL);
    table_free(&memory->rooms, room_free);
    table_free(&memory->guests, guest_free);
    table_free(&memory->tickets, free);
    table_free(&memory->counts, free);
    table_free(&memory->maps, map_free);
    table_free(&memory->processes, free);
    table_free(&memory->heres, here_free);
    table_free(&memory->notes, note_free);
    free(memory->gap);
    free(memory);
}

/* ---- Rooms ----------------------------------------------------------------------------------- */

/* Returns true if no other room may have the code in this head. */
static bool has_code(const struct store_head *head)
{
    return !head->over && head->code[0];
}

static void entries_remove(struct memory *memory, struct room *room, size_t left)
{
    while (room->entries > left) {
        struct store_entry *entry = &room->entry[--room->entries];
        if (entry->decision >= 0)
            table_remove(&memory->decisions, key_decision(room->head.room, entry));
        if (entry->key[0])
            table_remove(&memory->keys, key_texts(room->head.room, entry->guest, entry->key));
        text_free(&entry->text);
    }
}

/* Adds an entry. If it is refused or there is no memory, nothing has changed. */
static enum store_outcome entry_add(struct memory *memory, struct room *room,
                                    const struct store_entry *entry)
{
    struct key decision = key_decision(room->head.room, entry);
    struct key key = key_texts(room->head.room, entry->guest, entry->key);
    if ((entry->decision >= 0 && table_get(&memory->decisions, decision)) ||
        (entry->key[0] && table_get(&memory->keys, key)))
        return STORE_REFUSED;
    if (room->entries == room->space) {
        size_t space = room->space * 2 + 8;
        struct store_entry *larger = realloc(room->entry, space * sizeof *larger);
        if (!larger)
            return STORE_FAILED;
        room->entry = larger;
        room->space = space;
    }
    struct store_entry *copy = &room->entry[room->entries];
    *copy = *entry;
    if (!text_copy(&copy->text, entry->text))
        return STORE_FAILED;
    if (entry->decision >= 0 && !table_add(&memory->decisions, decision, room)) {
        text_free(&copy->text);
        return STORE_FAILED;
    }
    if (entry->key[0] && !table_add(&memory->keys, key, room)) {
        if (entry->decision >= 0)
            table_remove(&memory->decisions, decision);
        text_free(&copy->text);
        return STORE_FAILED;
    }
    room->entries++;
    return STORE_STORED;
}

/* Gives the room a new head. Its code must not be another room's. False if there is no memory. */
static bool head_set(struct memory *memory, struct room *room, const struct store_head *head)
{
    struct store_head copy = *head;
    if (!text_copy(&copy.people, head->people))
        return false;
    bool changes = has_code(head) != has_code(&room->head) ||
                   (has_code(head) && strcmp(head->code, room->head.code));
    if (changes && has_code(head) && !table_add(&memory->codes, key_text(head->code), room)) {
        text_free(&copy.people);
        return false;
    }
    if (changes && has_code(&room->head))
        table_remove(&memory->codes, key_text(room->head.code));
    if (!head->over)
        room->over_since = 0;
    else if (!room->head.over)
        room->over_since = head->changed;
    text_free(&room->head.people);
    room->head = copy;
    return true;
}

static bool guest_is_there(void *memory, struct es_str guest)
{
    char id[STORE_GUEST_BYTES];
    return es_str_copy(guest, id, sizeof id) &&
           table_get(&((struct memory *)memory)->guests, key_text(id));
}

/* Deletes the text of the chat that an entry takes back. */
static void unsay(struct room *room, const struct store_entry *entry, uint64_t first)
{
    unsigned number;
    if (entry->kind == ENTRY_UNSAID && !es_str_number(entry->text, INT32_MAX, &number) &&
        number >= 1 && number < first && room->entry[number - 1].kind == ENTRY_CHAT)
        text_free(&room->entry[number - 1].text);
}

/* Adds an entry, without its text if that is the chat of a guest that does not exist. */
static enum store_outcome entry_take(struct memory *memory, struct room *room,
                                     const struct store_entry *entry, bool *dropped)
{
    struct store_entry copy = *entry;
    if (entry->kind == ENTRY_CHAT && entry->text.size > 0 &&
        !guest_is_there(memory, es_str(entry->guest))) {
        copy.text = es_str("");
        *dropped = true;
    }
    room->is_clean &= entry->kind != ENTRY_CHAT;
    return entry_add(memory, room, &copy);
}

/* Sets the head, without the lines of guests that do not exist. */
static bool head_take(struct memory *memory, struct room *room, const struct store_head *head,
                      bool *dropped)
{
    struct store_head copy = *head;
    char *people = malloc(head->people.size + 1);
    if (!people)
        return false;
    copy.people =
        (struct es_str){people, people_keep(head->people, guest_is_there, memory, people)};
    *dropped |= copy.people.size < head->people.size;
    bool is_set = head_set(memory, room, &copy);
    free(people);
    return is_set;
}

static enum store_outcome append(struct memory *memory, const struct store_question *question,
                                 bool *dropped)
{
    const struct store_head *head = &question->head;
    struct room *room = table_get(&memory->rooms, key_text(head->room));
    const struct room *other =
        has_code(head) ? table_get(&memory->codes, key_text(head->code)) : NULL;
    if (question->first != (room ? room->entries : 0) + 1 || (other && other != room))
        return STORE_REFUSED;
    bool is_new = !room;
    if (is_new && head->map[0] && !table_get(&memory->maps, key_text(head->map)))
        return STORE_REFUSED;
    if (is_new) {
        room = calloc(1, sizeof *room);
        if (!room)
            return STORE_FAILED;
        memcpy(room->head.room, head->room, sizeof head->room);
        if (!table_add(&memory->rooms, key_text(head->room), room)) {
            free(room);
            return STORE_FAILED;
        }
    }
    size_t before = room->entries;
    enum store_outcome outcome = STORE_STORED;
    for (size_t i = 0; i < question->entries && outcome == STORE_STORED; i++)
        outcome = entry_take(memory, room, &question->entry[i], dropped);
    if (outcome == STORE_STORED && !head_take(memory, room, head, dropped))
        outcome = STORE_FAILED;
    for (size_t i = 0; i < question->entries && outcome == STORE_STORED; i++)
        unsay(room, &question->entry[i], question->first);
    if (outcome != STORE_STORED) {
        *dropped = false;
        entries_remove(memory, room, before);
        if (is_new) {
            table_remove(&memory->rooms, key_text(head->room));
            room_free(room);
        }
    }
    return outcome;
}

/* Deletes the texts of chat: of one guest, or of everybody (NULL). */
static void chat_delete(struct room *room, const char *guest)
{
    for (size_t i = 0; i < room->entries; i++)
        if (room->entry[i].kind == ENTRY_CHAT && (!guest || !strcmp(room->entry[i].guest, guest)))
            text_free(&room->entry[i].text);
}

static struct es_str map_text(const struct memory *memory, const char *hash)
{
    const struct sheet *sheet = table_get(&memory->maps, key_text(hash));
    return sheet ? sheet->text : (struct es_str){NULL, 0};
}

static int compare_processes(const void *a, const void *b)
{
    const struct process *const *left = a, *const *right = b;
    return strcmp((*left)->id, (*right)->id);
}

/* Returns the running processes by id, to be freed; NULL if there is no memory. */
static const struct process **list_processes(const struct memory *memory)
{
    const struct process **list = malloc((memory->processes.count + 1) * sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < memory->processes.buckets && list; i++)
        for (const struct node *node = memory->processes.bucket[i]; node; node = node->next)
            list[count++] = node->value;
    if (list)
        qsort(list, count, sizeof *list, compare_processes);
    return list;
}

/* Adds what the running processes say about a room, except the one that asks. */
static void list_heres(struct memory *memory, const struct store_question *question,
                       struct answer_parts *parts)
{
    if (!memory->heres.count)
        return;
    const struct process **list = list_processes(memory);
    parts->failed |= !list;
    for (size_t i = 0; i < memory->processes.count && list; i++) {
        const struct here *here =
            table_get(&memory->heres, key_texts(question->head.room, list[i]->id, ""));
        if (here && strcmp(list[i]->id, question->process))
            answer_here(parts, list[i]->id, here->text);
    }
    free(list);
}

static void read_room(struct memory *memory, const struct store_question *question,
                      struct answer_parts *parts)
{
    const struct room *room = table_get(&memory->rooms, key_text(question->head.room));
    if (!room)
        return;
    parts->answer->found = true;
    answer_head(parts, &room->head);
    answer_map(parts, map_text(memory, room->head.map));
    for (size_t i = question->first ? question->first - 1 : 0; i < room->entries; i++)
        answer_entry(parts, &room->entry[i]);
    list_heres(memory, question, parts);
}

static int compare_rooms(const void *a, const void *b)
{
    const struct store_head *const *left = a, *const *right = b;
    return strcmp((*left)->room, (*right)->room);
}

static int compare_changes(const void *a, const void *b)
{
    const struct store_head *const *left = a, *const *right = b;
    if ((*left)->changed != (*right)->changed)
        return (*left)->changed < (*right)->changed ? 1 : -1;
    return strcmp((*left)->room, (*right)->room);
}

/* Adds the heads of rooms: the listed ones by id (guest NULL), or the latest of a guest that are
 * not over. */
static void list_heads(struct memory *memory, const char *guest, struct answer_parts *parts)
{
    const struct store_head **heads = malloc((memory->rooms.count + 1) * sizeof *heads);
    if (!heads) {
        parts->failed = true;
        return;
    }
    size_t count = 0;
    for (size_t i = 0; i < memory->rooms.buckets; i++) {
        for (const struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            const struct room *room = node->value;
            if (guest ? !room->head.over && people_sits(room->head.people, guest)
                      : room->head.listed)
                heads[count++] = &room->head;
        }
    }
    qsort(heads, count, sizeof *heads, guest ? compare_changes : compare_rooms);
    for (size_t i = 0; i < count && !(guest && i == STORE_MINE_MAX); i++)
        answer_room(parts, heads[i]);
    free(heads);
}

/* ---- Guests ---------------------------------------------------------------------------------- */

static struct device **device_link(struct guest *guest, const char *id)
{
    struct device **link = &guest->device;
    while (*link && strcmp((*link)->device.id, id))
        link = &(*link)->next;
    return link;
}

static enum store_outcome device_add(struct memory *memory, struct guest *guest,
                                     const struct store_question *question)
{
    if (table_get(&memory->tokens, key_hash(question->token)) ||
        *device_link(guest, question->guest.device))
        return STORE_REFUSED;
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return STORE_FAILED;
    device->owner = guest;
    memcpy(device->token, question->token, sizeof device->token);
    strcpy(device->device.id, question->guest.device);
    strcpy(device->device.label, question->label);
    device->device.made = question->time;
    if (!table_add(&memory->tokens, key_hash(question->token), device)) {
        free(device);
        return STORE_FAILED;
    }
    device->next = guest->device;
    guest->device = device;
    return STORE_STORED;
}

static void device_remove(struct memory *memory, struct device **link)
{
    struct device *device = *link;
    *link = device->next;
    table_remove(&memory->tokens, key_hash(device->token));
    free(device);
}

static enum store_outcome guest_set(struct memory *memory, const struct store_question *question,
                                    bool *found)
{
    struct guest *guest = table_get(&memory->guests, key_text(question->guest.id));
    bool is_new = !guest;
    *found = !is_new && !question->label[0];
    if (is_new && !question->label[0])
        return STORE_STORED;
    if (is_new) {
        guest = calloc(1, sizeof *guest);
        if (!guest)
            return STORE_FAILED;
        if (!table_add(&memory->guests, key_text(question->guest.id), guest)) {
            free(guest);
            return STORE_FAILED;
        }
    }
    enum store_outcome outcome =
        question->label[0] ? device_add(memory, guest, question) : STORE_STORED;
    if (outcome == STORE_STORED) {
        if (is_new)
            guest->seen = question->time;
        guest->guest = question->guest;
        memset(guest->guest.device, 0, sizeof guest->guest.device);
    } else if (is_new) {
        table_remove(&memory->guests, key_text(question->guest.id));
        free(guest);
    }
    return outcome;
}

/* Returns the ticket of a guest that expires first, of those that expire together the one that is
 * last in the order of bytes; and how many there are. */
static struct node *first_ticket(struct memory *memory, const char *guest, size_t *count)
{
    struct node *first = NULL;
    *count = 0;
    for (size_t i = 0; i < memory->tickets.buckets; i++)
        for (struct node *node = memory->tickets.bucket[i]; node; node = node->next) {
            const struct ticket *ticket = node->value, *other = first ? first->value : NULL;
            if (strcmp(ticket->guest, guest) != 0)
                continue;
            ++*count;
            if (!other || ticket->until < other->until ||
                (ticket->until == other->until &&
                 memcmp(node->key.bytes, first->key.bytes, ES_SHA256_BYTES) > 0))
                first = node;
        }
    return first;
}

/* Makes room for one more ticket of a guest. */
static void leave_tickets(struct memory *memory, const char *guest)
{
    size_t count;
    for (struct node *first; (first = first_ticket(memory, guest, &count)) != NULL;) {
        struct ticket *ticket = first->value;
        if (count < STORE_TICKETS_MAX)
            return;
        table_remove(&memory->tickets, first->key);
        free(ticket);
    }
}

static enum store_outcome ticket_add(struct memory *memory, const struct store_question *question)
{
    if (!table_get(&memory->guests, key_text(question->guest.id)) ||
        table_get(&memory->tickets, key_hash(question->ticket)))
        return STORE_REFUSED;
    struct ticket *ticket = calloc(1, sizeof *ticket);
    if (!ticket)
        return STORE_FAILED;
    strcpy(ticket->guest, question->guest.id);
    ticket->until = question->time;
    if (!table_add(&memory->tickets, key_hash(question->ticket), ticket)) {
        free(ticket);
        return STORE_FAILED;
    }
    return STORE_STORED;
}

static enum store_outcome redeem(struct memory *memory, const struct store_question *question,
                                 struct store_answer *answer)
{
    struct ticket *ticket = table_get(&memory->tickets, key_hash(question->ticket));
    if (!ticket || ticket->until <= question->time)
        return STORE_STORED;
    struct guest *guest = table_get(&memory->guests, key_text(ticket->guest));
    assert(guest); /* FORGET removes tickets too */
    size_t devices = 0;
    for (const struct device *one = guest->device; one; one = one->next)
        devices++;
    if (devices >= STORE_DEVICES_MAX)
        return STORE_REFUSED;
    enum store_outcome outcome = device_add(memory, guest, question);
    if (outcome != STORE_STORED)
        return outcome;
    table_remove(&memory->tickets, key_hash(question->ticket));
    free(ticket);
    answer->found = true;
    answer->guest = guest->guest;
    strcpy(answer->guest.device, question->guest.device);
    return STORE_STORED;
}

static bool withdraw(struct memory *memory, const struct store_question *question)
{
    struct guest *guest = table_get(&memory->guests, key_text(question->guest.id));
    struct device **link = guest ? device_link(guest, question->guest.device) : NULL;
    if (!link || !*link)
        return false;
    device_remove(memory, link);
    return true;
}

static enum store_outcome count_once(struct memory *memory, const struct store_question *question,
                                     bool *found)
{
    const struct store_tally *tally = &question->tally;
    uint64_t time = question->time;
    struct key key = key_tally(tally);
    struct count *count = table_get(&memory->counts, key);
    bool is_new = !count || time >= count->start + tally->span;
    if (tally->back) {
        *found = !is_new && count->count > 0;
        if (*found)
            count->count--;
        return STORE_STORED;
    }
    *found = tally->limit && (is_new || count->count < tally->limit);
    if (!*found)
        return STORE_STORED;
    if (!count) {
        count = calloc(1, sizeof *count);
        if (!count || !table_add(&memory->counts, key, count)) {
            free(count);
            return STORE_FAILED;
        }
    }
    if (is_new)
        *count = (struct count){time, 0};
    count->count++;
    return STORE_STORED;
}

/* Removes counts that began at `time` or before. */
static void counts_remove(struct memory *memory, uint64_t after, uint64_t until)
{
    for (size_t i = 0; i < memory->counts.buckets; i++) {
        for (struct node **link = &memory->counts.bucket[i]; *link;) {
            struct node *node = *link;
            struct count *count = node->value;
            if (count->start > until || (after && count->start <= after)) {
                link = &node->next;
                continue;
            }
            *link = node->next;
            free(count);
            free(node);
            memory->counts.count--;
        }
    }
}

/* Removes the tickets of a guest, or those (guest NULL) that are not valid at `time`. */
static void tickets_remove(struct memory *memory, const char *guest, uint64_t time)
{
    for (size_t i = 0; i < memory->tickets.buckets; i++) {
        for (struct node **link = &memory->tickets.bucket[i]; *link;) {
            struct node *node = *link;
            struct ticket *ticket = node->value;
            if (guest ? strcmp(ticket->guest, guest) : ticket->until > time) {
                link = &node->next;
                continue;
            }
            *link = node->next;
            free(ticket);
            free(node);
            memory->tickets.count--;
        }
    }
}

/* ---- Notes ----------------------------------------------------------------------------------- */

/* Keeps a copy of a note instead of any that has its id. */
static enum store_outcome note_set(struct memory *memory, const struct store_note *from)
{
    struct store_note *note = table_get(&memory->notes, key_text(from->id));
    struct es_str text;
    if (!text_copy(&text, from->text))
        return STORE_FAILED;
    if (!note) {
        note = calloc(1, sizeof *note);
        if (!note || !table_add(&memory->notes, key_text(from->id), note)) {
            text_free(&text);
            free(note);
            return STORE_FAILED;
        }
    }
    text_free(&note->text);
    *note = *from;
    note->text = text;
    return STORE_STORED;
}

static enum store_outcome note_add(struct memory *memory, const struct store_question *question,
                                   bool *found)
{
    const struct store_note *note = &question->note;
    uint64_t own = 0, all = 0;
    for (size_t i = 0; i < memory->notes.buckets; i++)
        for (const struct node *node = memory->notes.bucket[i]; node; node = node->next) {
            const struct store_note *other = node->value;
            bool is_same = other->id[0] == note->id[0];
            all += is_same;
            own += is_same && strcmp(other->guest, note->guest) == 0;
        }
    *found = !question->first || table_get(&memory->notes, key_text(note->id)) ||
             (own < question->first && all < STORE_NOTES_MAX);
    return *found ? note_set(memory, note) : STORE_STORED;
}

/* Removes the notes with the id of `wanted`, or if that is only a letter, those of its guest; or
 * (NULL) those whose time has come. Returns true if there were any. */
static bool notes_remove(struct memory *memory, const struct store_note *wanted, uint64_t now)
{
    size_t before = memory->notes.count;
    for (size_t i = 0; i < memory->notes.buckets; i++) {
        for (struct node **link = &memory->notes.bucket[i]; *link;) {
            struct node *node = *link;
            const struct store_note *note = node->value;
            bool is_meant = !wanted         ? note->until <= now
                            : wanted->id[1] ? strcmp(note->id, wanted->id) == 0
                                            : note->id[0] == wanted->id[0] &&
                                                  strcmp(note->guest, wanted->guest) == 0;
            if (!is_meant) {
                link = &node->next;
                continue;
            }
            *link = node->next;
            note_free(node->value);
            free(node);
            memory->notes.count--;
        }
    }
    return memory->notes.count < before;
}

/* Notes that a guest who will be deleted is blocked, with all devices. */
static enum store_outcome block(struct memory *memory, const struct store_question *question)
{
    struct guest *guest = table_get(&memory->guests, key_text(question->guest.id));
    struct store_note note = question->note;
    if (!guest || !note.until)
        return STORE_STORED;
    strcpy(note.guest, question->guest.id);
    snprintf(note.id, sizeof note.id, "%c%s", NOTE_BLOCK, note.guest);
    enum store_outcome outcome = note_set(memory, &note);
    for (const struct device *one = guest->device; one && outcome == STORE_STORED;
         one = one->next) {
        struct es_out id = {note.id, sizeof note.id, 0};
        es_out_char(&id, NOTE_TOKEN);
        es_out_hex(&id, one->token, sizeof one->token);
        note.id[id.used] = 0;
        outcome = note_set(memory, &note);
    }
    return outcome;
}

/* Returns until when a guest is muted; 0 if that is over, or never was. */
static uint64_t muted(const struct memory *memory, const char *guest)
{
    char id[STORE_NOTE_BYTES];
    snprintf(id, sizeof id, "%c%s", NOTE_MUTE, guest);
    const struct store_note *note = table_get(&memory->notes, key_text(id));
    return note ? note->until : 0;
}

static void noted(struct memory *memory, const struct store_question *question,
                  struct answer_parts *parts)
{
    const struct store_note *note = table_get(&memory->notes, key_text(question->note.id));
    if (!note || note->until <= question->time)
        return;
    parts->answer->found = true;
    answer_note(parts, note);
}

static void see(struct memory *memory, const struct store_question *question)
{
    struct guest *guest = table_get(&memory->guests, key_text(question->guest.id));
    if (guest && guest->seen < question->time)
        guest->seen = question->time;
}

/* `unseen`: only if the guest was not seen from then on; 0: in any case. */
static bool forget(struct memory *memory, const char *id, uint64_t unseen)
{
    struct guest *guest = table_get(&memory->guests, key_text(id));
    if (unseen && guest && guest->seen >= unseen)
        return false;
    for (size_t i = 0; i < memory->rooms.buckets; i++) {
        for (struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            struct room *room = node->value;
            struct es_str *people = &room->head.people;
            chat_delete(room, id);
            if (people->size) /* in place: lines only move towards the front */
                people->size = people_without(*people, id, (char *)people->at);
        }
    }
    tickets_remove(memory, id, 0);
    if (!guest)
        return false;
    while (guest->device)
        device_remove(memory, &guest->device);
    table_remove(&memory->guests, key_text(id));
    free(guest);
    return true;
}

static void who(struct memory *memory, const struct store_question *question,
                struct store_answer *answer)
{
    const struct device *device = table_get(&memory->tokens, key_hash(question->token));
    if (!device)
        return;
    answer->found = true;
    answer->guest = device->owner->guest;
    strcpy(answer->guest.device, device->device.id);
    answer->guest.muted = muted(memory, answer->guest.id);
    answer->guest.seen = device->owner->seen;
}

static bool is_later(const struct store_device *a, const struct store_device *b)
{
    return a->made != b->made ? a->made > b->made : strcmp(a->id, b->id) > 0;
}

static void list_devices(struct memory *memory, const struct store_question *question,
                         struct answer_parts *parts)
{
    const struct guest *guest = table_get(&memory->guests, key_text(question->guest.id));
    if (!guest)
        return;
    parts->answer->found = true;
    parts->answer->guest = guest->guest;
    parts->answer->guest.muted = muted(memory, guest->guest.id);
    parts->answer->guest.seen = guest->seen;
    /* By `made`, then id: finds the next one each time, since there are only a few. */
    for (const struct device *last = NULL, *next;; last = next) {
        next = NULL;
        for (const struct device *one = guest->device; one; one = one->next)
            if ((!last || is_later(&one->device, &last->device)) &&
                (!next || is_later(&next->device, &one->device)))
                next = one;
        if (!next)
            break;
        answer_device(parts, &next->device);
    }
}

/* ---- The rest -------------------------------------------------------------------------------- */

static enum store_outcome map_set(struct memory *memory, const struct store_question *question)
{
    struct sheet *sheet = table_get(&memory->maps, key_text(question->map));
    if (!sheet) {
        sheet = malloc(sizeof *sheet);
        if (!sheet)
            return STORE_FAILED;
        if (!text_copy(&sheet->text, question->text)) {
            free(sheet);
            return STORE_FAILED;
        }
        if (!table_add(&memory->maps, key_text(question->map), sheet)) {
            map_free(sheet);
            return STORE_FAILED;
        }
    }
    sheet->kept = question->time;
    return STORE_STORED;
}

/* ---- Processes ------------------------------------------------------------------------------- */

/* Removes everything that a process has said. */
static void heres_remove(struct memory *memory, const char *process)
{
    for (size_t i = 0; i < memory->heres.buckets; i++) {
        for (struct node **link = &memory->heres.bucket[i]; *link;) {
            struct node *node = *link;
            if (strcmp(((struct here *)node->value)->process, process)) {
                link = &node->next;
                continue;
            }
            *link = node->next;
            here_free(node->value);
            free(node);
            memory->heres.count--;
        }
    }
}

/* Removes a process and what it says. Returns true if it was running. */
static bool process_remove(struct memory *memory, const char *id)
{
    struct process *process = table_get(&memory->processes, key_text(id));
    if (!process)
        return false;
    heres_remove(memory, process->id);
    table_remove(&memory->processes, key_text(process->id));
    free(process);
    return true;
}

static enum store_outcome here_set(struct memory *memory, const struct store_question *question,
                                   bool *found)
{
    struct key key = key_texts(question->head.room, question->process, "");
    struct here *here = table_get(&memory->heres, key);
    struct es_str text = {NULL, 0};
    *found = table_get(&memory->processes, key_text(question->process)) != NULL;
    if (!*found)
        return STORE_STORED;
    if (!question->text.size) {
        table_remove(&memory->heres, key);
        if (here)
            here_free(here);
        return STORE_STORED;
    }
    if (!text_copy(&text, question->text))
        return STORE_FAILED;
    if (!here) {
        here = calloc(1, sizeof *here);
        if (!here || !table_add(&memory->heres, key, here)) {
            text_free(&text);
            free(here);
            return STORE_FAILED;
        }
        strcpy(here->process, question->process);
    }
    text_free(&here->text);
    here->text = text;
    return STORE_STORED;
}

/* Removes the processes that were not noted for a while. One that was noted by a clock that was
 * ahead may have ended since. */
static bool processes_sweep(struct memory *memory, uint64_t now)
{
    const struct process **list = list_processes(memory);
    if (!list)
        return false;
    for (size_t i = 0, count = memory->processes.count; i < count; i++) {
        struct process *process = table_get(&memory->processes, key_text(list[i]->id));
        if (process->noted > now + STORE_AHEAD_MS) {
            process->noted = now;
            process->was_ahead = true;
        }
        if (process->noted + STORE_AWAY_MS <= now)
            process_remove(memory, process->id);
    }
    free(list);
    return true;
}

/* Notes that a process is running. Sets whether it was already. */
static bool process_note(struct memory *memory, const char *id, uint64_t now, bool *found)
{
    struct process *process = table_get(&memory->processes, key_text(id));
    *found = process != NULL;
    if (!process) {
        process = calloc(1, sizeof *process);
        if (!process || !table_add(&memory->processes, key_text(id), process)) {
            free(process);
            return false;
        }
        strcpy(process->id, id);
    }
    process->noted = now;
    process->was_ahead = false;
    return true;
}

static bool one_was_ahead(const struct memory *memory)
{
    for (size_t i = 0; i < memory->processes.buckets; i++)
        for (const struct node *node = memory->processes.bucket[i]; node; node = node->next)
            if (((const struct process *)node->value)->was_ahead)
                return true;
    return false;
}

/* Undoes what was noted while a clock was ahead, if the latest note lies in the future and nobody
 * runs who may have made it: then this question may only be late. */
static void ahead_undo(struct memory *memory, uint64_t now)
{
    uint64_t most = now + STORE_AHEAD_MS, by = memory->alive - now;
    size_t kept = 0;
    if (memory->alive <= most || one_was_ahead(memory))
        return;
    memory->alive = now;
    for (size_t i = 0; i < memory->gaps; i++) {
        struct store_gap gap = memory->gap[i];
        gap.to = gap.to > most ? now : gap.to;
        if (gap.from < gap.to)
            memory->gap[kept++] = gap;
    }
    memory->gaps = kept;
    if (kept && memory->gap[kept - 1].to > now) /* the next gap begins after it */
        memory->alive = memory->gap[kept - 1].to;
    counts_remove(memory, most, UINT64_MAX);
    for (size_t i = 0; i < memory->rooms.buckets; i++)
        for (const struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            struct room *room = node->value;
            if (room->claimed > most)
                room->claimed = 0;
            if (!room->head.over && room->head.wake > now && room->head.changed > most)
                room->head.wake = room->head.wake > now + by ? room->head.wake - by : now;
        }
}

/* Adds a gap if there is one. As notes only become later, gaps are ascending. */
static bool gap_note(struct memory *memory, uint64_t least, uint64_t now, bool is_alone)
{
    if (!memory->alive || !is_alone || now <= memory->alive || now - memory->alive < least)
        return true;
    struct store_gap *larger = realloc(memory->gap, (memory->gaps + 1) * sizeof *larger);
    if (!larger)
        return false;
    memory->gap = larger;
    memory->gap[memory->gaps++] = (struct store_gap){memory->alive, now};
    return true;
}

static void gaps_sweep(struct memory *memory, uint64_t now)
{
    size_t kept = 0;
    for (size_t i = 0; i < memory->gaps; i++)
        if (memory->gap[i].to + STORE_GAP_KEPT > now)
            memory->gap[kept++] = memory->gap[i];
    memory->gaps = kept;
}

static int compare_wakes(const void *a, const void *b)
{
    const struct room *const *left = a, *const *right = b;
    if ((*left)->head.wake != (*right)->head.wake)
        return (*left)->head.wake > (*right)->head.wake ? 1 : -1;
    return strcmp((*left)->head.room, (*right)->head.room);
}

/* Returns true if a claim of the room keeps the asking process from claiming it. */
static bool is_claimed(const struct memory *memory, const struct room *room,
                       const struct store_question *question)
{
    bool is_own = strcmp(room->claimer, question->process) == 0;
    return room->claimed && room->claimed + STORE_CLAIM_MS > question->time &&
           table_get(&memory->processes, key_text(room->claimer)) && !(is_own && question->fresh);
}

/* Claims the rooms that are due, and counts those that are not over. */
static void claim(struct memory *memory, const struct store_question *question,
                  struct answer_parts *parts)
{
    uint64_t until = question->head.wake;
    struct room **due = malloc((memory->rooms.count + 1) * sizeof *due);
    size_t count = 0;
    if (!due) {
        parts->failed = true;
        return;
    }
    for (size_t i = 0; i < memory->rooms.buckets; i++) {
        for (const struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            struct room *room = node->value;
            parts->answer->open += !room->head.over;
            if (!room->head.over && room->head.wake && room->head.wake <= until &&
                !is_claimed(memory, room, question))
                due[count++] = room;
        }
    }
    qsort(due, count, sizeof *due, compare_wakes);
    for (size_t i = 0; i < count && i < STORE_DUE_MAX; i++) {
        due[i]->claimed = question->time;
        strcpy(due[i]->claimer, question->process);
        answer_room(parts, &due[i]->head);
    }
    free(due);
}

static enum store_outcome alive(struct memory *memory, const struct store_question *question,
                                struct answer_parts *parts)
{
    uint64_t now = question->time;
    struct store_answer *answer = parts->answer;
    if (!processes_sweep(memory, now) ||
        !process_note(memory, question->process, now, &answer->found))
        return STORE_FAILED;
    ahead_undo(memory, now);
    if (!gap_note(memory, question->first, now, memory->processes.count == 1))
        return STORE_FAILED;
    if (memory->alive < now)
        memory->alive = now;
    gaps_sweep(memory, now);
    if (now >= STORE_COUNT_KEPT)
        counts_remove(memory, 0, now - STORE_COUNT_KEPT);
    claim(memory, question, parts);
    const struct process **list = list_processes(memory);
    parts->failed |= !list;
    for (size_t i = 0; i < memory->processes.count && list; i++)
        answer_here(parts, list[i]->id, es_str(""));
    free(list);
    for (size_t i = 0; i < memory->gaps; i++)
        answer_gap(parts, memory->gap[i].from, memory->gap[i].to);
    return STORE_STORED;
}

/* ---- Cleaning -------------------------------------------------------------------------------- */

static bool is_named(const struct memory *memory, const struct key *map)
{
    for (size_t i = 0; i < memory->rooms.buckets; i++)
        for (const struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            const char *own = ((const struct room *)node->value)->head.map;
            if (strlen(own) == map->size && memcmp(own, map->bytes, map->size) == 0)
                return true;
        }
    return false;
}

/* Removes the sheets that no room names and that were last handed in before `time`. */
static void maps_remove(struct memory *memory, uint64_t time)
{
    for (size_t i = 0; i < memory->maps.buckets; i++) {
        for (struct node **link = &memory->maps.bucket[i]; *link;) {
            struct node *node = *link;
            if (((struct sheet *)node->value)->kept >= time || is_named(memory, &node->key)) {
                link = &node->next;
                continue;
            }
            *link = node->next;
            map_free(node->value);
            free(node);
            memory->maps.count--;
        }
    }
}

/* Returns the room that was over first, before `time`, and may have chat; NULL: there is none. */
static struct room *oldest_with_chat(const struct memory *memory, uint64_t time)
{
    struct room *oldest = NULL;
    for (size_t i = 0; i < memory->rooms.buckets; i++) {
        for (struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            struct room *room = node->value;
            if (room->head.over && !room->is_clean && room->over_since < time &&
                (!oldest || room->over_since < oldest->over_since))
                oldest = room;
        }
    }
    return oldest;
}

/* Returns true if there may be more rooms with chat to delete. */
static bool clean(struct memory *memory, const struct store_question *question)
{
    struct room *room = NULL;
    int rooms = 0;
    while (rooms < STORE_CLEAN_MAX && (room = oldest_with_chat(memory, question->time))) {
        chat_delete(room, NULL);
        room->is_clean = true;
        rooms++;
    }
    tickets_remove(memory, NULL, question->time);
    maps_remove(memory, question->first);
    notes_remove(memory, NULL, question->note.until);
    return rooms == STORE_CLEAN_MAX;
}

/* ---- What is old ----------------------------------------------------------------------------- */

static bool room_delete(struct memory *memory, const struct store_question *question)
{
    struct room *room = table_get(&memory->rooms, key_text(question->head.room));
    if (!room || !(room->head.over || question->even_open))
        return false;
    entries_remove(memory, room, 0);
    if (has_code(&room->head))
        table_remove(&memory->codes, key_text(room->head.code));
    table_remove(&memory->rooms, key_text(question->head.room));
    room_free(room);
    return true;
}

static bool has_begun(const struct room *room)
{
    for (size_t i = 0; i < room->entries; i++)
        if (room->entry[i].kind == ENTRY_BEGIN)
            return true;
    return false;
}

/* By when they were over, then by id. */
static int compare_ends(const void *a, const void *b)
{
    const struct room *const *left = a, *const *right = b;
    if ((*left)->over_since != (*right)->over_since)
        return (*left)->over_since < (*right)->over_since ? -1 : 1;
    return strcmp((*left)->head.room, (*right)->head.room);
}

static void list_old_rooms(struct memory *memory, bool begun, uint64_t before,
                           const struct store_head *after, struct answer_parts *parts)
{
    const struct room start = {.head = *after, .over_since = after->since}, *first = &start;
    const struct room **list = malloc((memory->rooms.count + 1) * sizeof *list);
    size_t count = 0;
    parts->failed |= !list;
    for (size_t i = 0; i < memory->rooms.buckets && list; i++)
        for (const struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            const struct room *room = node->value;
            if (room->head.over && room->over_since < before && has_begun(room) == begun &&
                compare_ends(&room, &first) > 0)
                list[count++] = room;
        }
    if (list)
        qsort(list, count, sizeof *list, compare_ends);
    for (size_t i = 0; i < count && i < STORE_OLD_MAX; i++) {
        struct store_head head = list[i]->head;
        head.since = list[i]->over_since;
        answer_room(parts, &head);
    }
    free(list);
}

static int compare_seen(const void *a, const void *b)
{
    const struct guest *const *left = a, *const *right = b;
    if ((*left)->seen != (*right)->seen)
        return (*left)->seen < (*right)->seen ? -1 : 1;
    return strcmp((*left)->guest.id, (*right)->guest.id);
}

static bool has_person(struct es_str people, const char *guest)
{
    struct es_str line, who;
    while (people_next(&people, &line, &who))
        if (es_str_is(who, guest))
            return true;
    return false;
}

/* Returns true if a guest is among the people of a room that is not over. */
static bool is_in_open_room(const struct memory *memory, const char *guest)
{
    for (size_t i = 0; i < memory->rooms.buckets; i++)
        for (const struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            const struct store_head *head = &((const struct room *)node->value)->head;
            if (!head->over && has_person(head->people, guest))
                return true;
        }
    return false;
}

static void list_old_guests(struct memory *memory, uint64_t before, struct answer_parts *parts)
{
    const struct guest **list = malloc((memory->guests.count + 1) * sizeof *list);
    size_t count = 0;
    parts->failed |= !list;
    for (size_t i = 0; i < memory->guests.buckets && list; i++)
        for (const struct node *node = memory->guests.bucket[i]; node; node = node->next) {
            const struct guest *guest = node->value;
            if (guest->seen < before && !is_in_open_room(memory, guest->guest.id))
                list[count++] = guest;
        }
    if (list)
        qsort(list, count, sizeof *list, compare_seen);
    for (size_t i = 0; i < count && i < STORE_OLD_MAX; i++) {
        struct store_guest guest = {.colour = 0};
        memcpy(guest.id, list[i]->guest.id, sizeof guest.id);
        answer_owner(parts, &guest);
    }
    free(list);
}

static void list_old(struct memory *memory, const struct store_question *question,
                     struct answer_parts *parts)
{
    const struct store_old *old = &question->old;
    list_old_rooms(memory, false, old->rooms, &(struct store_head){.since = 0}, parts);
    list_old_rooms(memory, true, old->games, &question->head, parts);
    list_old_guests(memory, old->guests, parts);
}

static void page_own_rooms(struct memory *memory, const struct store_question *question,
                           struct answer_parts *parts)
{
    const struct store_head **list = malloc((memory->rooms.count + 1) * sizeof *list);
    size_t count = 0;
    parts->failed |= !list;
    for (size_t i = 0; i < memory->rooms.buckets && list; i++)
        for (const struct node *node = memory->rooms.bucket[i]; node; node = node->next) {
            const struct store_head *head = &((const struct room *)node->value)->head;
            if (strcmp(head->room, question->head.room) > 0 &&
                has_person(head->people, question->guest.id))
                list[count++] = head;
        }
    if (list)
        qsort(list, count, sizeof *list, compare_rooms);
    for (size_t i = 0; i < count && i < STORE_PAGE_MINE_MAX; i++)
        answer_room(parts, list[i]);
    free(list);
}

static void find(struct memory *memory, const char *code, struct answer_parts *parts)
{
    const struct room *room = table_get(&memory->codes, key_text(code));
    if (!room)
        return;
    parts->answer->found = true;
    answer_head(parts, &room->head);
}

/* ---- Moving everything ----------------------------------------------------------------------- */

static int compare_nodes(const void *a, const void *b)
{
    const struct key *left = &(*(const struct node *const *)a)->key;
    const struct key *right = &(*(const struct node *const *)b)->key;
    size_t size = left->size < right->size ? left->size : right->size;
    int order = memcmp(left->bytes, right->bytes, size);
    return order ? order : (left->size > right->size) - (left->size < right->size);
}

/* Calls `add` for up to `most` values of a table after a key, in the order of their keys. */
static void page(const struct table *table, struct key after, size_t most,
                 struct answer_parts *parts,
                 void (*add)(struct memory *memory, const struct node *node,
                             struct answer_parts *parts),
                 struct memory *memory)
{
    const struct node start = {.key = after}, *first = &start, **found;
    size_t count = 0;
    found = malloc((table->count + 1) * sizeof *found);
    if (!found) {
        parts->failed = true;
        return;
    }
    for (size_t i = 0; i < table->buckets; i++)
        for (const struct node *node = table->bucket[i]; node; node = node->next)
            if (compare_nodes(&node, &first) > 0)
                found[count++] = node;
    qsort(found, count, sizeof *found, compare_nodes);
    for (size_t i = 0; i < count && i < most; i++)
        add(memory, found[i], parts);
    free(found);
}

static void add_room(struct memory *memory, const struct node *node, struct answer_parts *parts)
{
    const struct room *room = node->value;
    struct store_head head = room->head;
    (void)memory;
    head.since = room->over_since;
    answer_room(parts, &head);
}

static void page_rooms(struct memory *memory, const struct store_question *question,
                       struct answer_parts *parts)
{
    page(&memory->rooms, key_text(question->head.room), STORE_PAGE_MAX, parts, add_room, memory);
}

static void add_sheet(struct memory *memory, const struct node *node, struct answer_parts *parts)
{
    const struct sheet *own = node->value;
    struct store_sheet sheet = {.kept = own->kept, .text = own->text};
    (void)memory;
    memcpy(sheet.map, node->key.bytes, node->key.size);
    answer_sheet(parts, &sheet);
}

static void page_sheets(struct memory *memory, const struct store_question *question,
                        struct answer_parts *parts)
{
    page(&memory->maps, key_text(question->map), STORE_PAGE_SHEETS_MAX, parts, add_sheet, memory);
}

static void add_note(struct memory *memory, const struct node *node, struct answer_parts *parts)
{
    (void)memory;
    answer_note(parts, node->value);
}

static int compare_notes(const void *a, const void *b)
{
    const struct store_note *const *left = a, *const *right = b;
    return strcmp((*left)->id, (*right)->id);
}

static void page_own_notes(struct memory *memory, const struct store_note *after,
                           struct answer_parts *parts)
{
    const struct store_note **list = malloc((memory->notes.count + 1) * sizeof *list);
    size_t count = 0;
    parts->failed |= !list;
    for (size_t i = 0; i < memory->notes.buckets && list; i++)
        for (const struct node *node = memory->notes.bucket[i]; node; node = node->next) {
            const struct store_note *note = node->value;
            if (!strcmp(note->guest, after->guest) && strcmp(note->id, after->id) > 0)
                list[count++] = note;
        }
    if (list)
        qsort(list, count, sizeof *list, compare_notes);
    for (size_t i = 0; i < count && i < STORE_PAGE_NOTES_MAX; i++)
        answer_note(parts, list[i]);
    free(list);
}

static void page_notes(struct memory *memory, const struct store_question *question,
                       struct answer_parts *parts)
{
    if (question->note.guest[0]) {
        page_own_notes(memory, &question->note, parts);
        return;
    }
    page(&memory->notes, key_text(question->note.id), STORE_PAGE_NOTES_MAX, parts, add_note,
         memory);
}

static int compare_passes(const void *a, const void *b)
{
    const struct store_pass *left = a, *right = b;
    if (left->device[0] && right->device[0])
        return strcmp(left->device, right->device);
    if (left->device[0] || right->device[0])
        return left->device[0] ? -1 : 1;
    return memcmp(left->hash, right->hash, sizeof left->hash);
}

/* Adds a device or ticket to a list; false if there is no memory. */
static bool pass_add(struct store_pass **list, size_t *count, struct store_pass pass)
{
    struct store_pass *larger = realloc(*list, (*count + 1) * sizeof *larger);
    if (!larger)
        return false;
    *list = larger;
    larger[(*count)++] = pass;
    return true;
}

static void add_guest(struct memory *memory, const struct node *node, struct answer_parts *parts)
{
    const struct guest *guest = node->value;
    struct store_pass *pass = NULL;
    size_t passes = 0;
    answer_owner(parts, &guest->guest);
    for (const struct device *one = guest->device; one; one = one->next) {
        struct store_pass device = {.time = one->device.made};
        memcpy(device.hash, one->token, sizeof device.hash);
        strcpy(device.device, one->device.id);
        strcpy(device.label, one->device.label);
        parts->failed |= !pass_add(&pass, &passes, device);
    }
    for (size_t i = 0; i < memory->tickets.buckets; i++)
        for (const struct node *one = memory->tickets.bucket[i]; one; one = one->next) {
            const struct ticket *own = one->value;
            struct store_pass ticket = {.time = own->until};
            memcpy(ticket.hash, one->key.bytes, sizeof ticket.hash);
            if (strcmp(own->guest, guest->guest.id) == 0)
                parts->failed |= !pass_add(&pass, &passes, ticket);
        }
    if (passes)
        qsort(pass, passes, sizeof *pass, compare_passes);
    for (size_t i = 0; i < passes; i++) {
        strcpy(pass[i].guest, guest->guest.id);
        answer_pass(parts, &pass[i]);
    }
    free(pass);
}

static void page_guests(struct memory *memory, const struct store_question *question,
                        struct answer_parts *parts)
{
    page(&memory->guests, key_text(question->guest.id), STORE_PAGE_MAX, parts, add_guest, memory);
}

static void read_state(struct memory *memory, const struct store_question *question,
                       struct answer_parts *parts)
{
    struct store_answer *answer = parts->answer;
    const struct process **list = list_processes(memory);
    parts->failed |= !list;
    for (size_t i = 0; i < memory->processes.count && list; i++)
        if (list[i]->noted + STORE_AWAY_MS > question->time)
            answer_here(parts, list[i]->id, es_str(""));
    free(list);
    for (size_t i = 0; i < memory->gaps; i++)
        answer_gap(parts, memory->gap[i].from, memory->gap[i].to);
    answer->found = true;
    answer->alive = memory->alive;
    memcpy(answer->key, memory->key, sizeof answer->key);
    answer->total.rooms = memory->rooms.count;
    answer->total.guests = memory->guests.count;
    answer->total.sheets = memory->maps.count;
}

/* Adds the devices and tickets of a guest. */
static enum store_outcome passes_put(struct memory *memory, struct guest *guest,
                                     const struct store_question *question)
{
    enum store_outcome outcome = STORE_STORED;
    for (size_t i = 0; i < question->passes && outcome == STORE_STORED; i++) {
        const struct store_pass *pass = &question->pass[i];
        struct store_question one = {.guest = question->guest, .time = pass->time};
        memcpy(one.token, pass->hash, sizeof one.token);
        memcpy(one.ticket, pass->hash, sizeof one.ticket);
        strcpy(one.guest.device, pass->device);
        strcpy(one.label, pass->label);
        outcome = pass->device[0] ? device_add(memory, guest, &one) : ticket_add(memory, &one);
    }
    return outcome;
}

static enum store_outcome guest_put(struct memory *memory, const struct store_question *question)
{
    if (table_get(&memory->guests, key_text(question->guest.id)))
        return STORE_REFUSED;
    struct guest *guest = calloc(1, sizeof *guest);
    if (!guest)
        return STORE_FAILED;
    guest->seen = question->time;
    guest->guest = question->guest;
    memset(guest->guest.device, 0, sizeof guest->guest.device);
    if (!table_add(&memory->guests, key_text(question->guest.id), guest)) {
        free(guest);
        return STORE_FAILED;
    }
    enum store_outcome outcome = passes_put(memory, guest, question);
    if (outcome != STORE_STORED) { /* as if the guest had never been there */
        tickets_remove(memory, question->guest.id, 0);
        while (guest->device)
            device_remove(memory, &guest->device);
        table_remove(&memory->guests, key_text(question->guest.id));
        free(guest);
    }
    return outcome;
}

static enum store_outcome state_put(struct memory *memory, const struct store_question *question)
{
    struct store_gap *gap = malloc((question->gaps + 1) * sizeof *gap);
    if (!gap)
        return STORE_FAILED;
    if (question->gaps)
        memcpy(gap, question->gap, question->gaps * sizeof *gap);
    free(memory->gap);
    memory->gap = gap;
    memory->gaps = question->gaps;
    memory->alive = question->time;
    memcpy(memory->key, question->key, sizeof memory->key);
    return STORE_STORED;
}

/* ---- Questions ------------------------------------------------------------------------------- */

static void answer_one(struct memory *memory, const struct store_question *question,
                       struct store_answer *answer)
{
    struct answer_parts parts;
    answer_begin(&parts, question, answer);
    switch (question->kind) {
    case STORE_APPEND:
        answer->outcome = append(memory, question, &answer->dropped);
        break;
    case STORE_GUEST:
        answer->outcome = guest_set(memory, question, &answer->found);
        break;
    case STORE_TICKET:
        if (!table_get(&memory->tickets, key_hash(question->ticket)))
            leave_tickets(memory, question->guest.id);
        answer->outcome = ticket_add(memory, question);
        break;
    case STORE_REDEEM:
        answer->outcome = redeem(memory, question, answer);
        break;
    case STORE_WITHDRAW:
        answer->found = withdraw(memory, question);
        break;
    case STORE_FORGET:
        answer->outcome = block(memory, question);
        answer->found = forget(memory, question->guest.id, question->time);
        break;
    case STORE_SEEN:
        see(memory, question);
        break;
    case STORE_DELETE:
        answer->found = room_delete(memory, question);
        break;
    case STORE_NOTE:
        answer->outcome = note_add(memory, question, &answer->found);
        break;
    case STORE_UNNOTE:
        answer->found = notes_remove(memory, &question->note, 0);
        break;
    case STORE_MAP:
        answer->outcome = map_set(memory, question);
        break;
    case STORE_COUNT:
        answer->outcome = count_once(memory, question, &answer->found);
        break;
    case STORE_ALIVE:
        answer->outcome = alive(memory, question, &parts);
        break;
    case STORE_HERE:
        answer->outcome = here_set(memory, question, &answer->found);
        break;
    case STORE_GONE:
        answer->found = process_remove(memory, question->process);
        break;
    case STORE_CLEAN:
        answer->found = clean(memory, question);
        break;
    case STORE_READ:
        read_room(memory, question, &parts);
        break;
    case STORE_FIND:
        find(memory, question->head.code, &parts);
        break;
    case STORE_WHO:
        who(memory, question, answer);
        break;
    case STORE_DEVICES:
        list_devices(memory, question, &parts);
        break;
    case STORE_SHEET:
        answer->found = table_get(&memory->maps, key_text(question->map)) != NULL;
        answer_map(&parts, map_text(memory, question->map));
        break;
    case STORE_MINE:
        list_heads(memory, question->guest.id, &parts);
        break;
    case STORE_ROOMS:
        list_heads(memory, NULL, &parts);
        answer->found = true;
        break;
    case STORE_KEY:
        memcpy(answer->key, memory->key, sizeof answer->key);
        answer->found = true;
        break;
    case STORE_NOTED:
        noted(memory, question, &parts);
        break;
    case STORE_NOTES:
        page_notes(memory, question, &parts);
        break;
    case STORE_OLD:
        list_old(memory, question, &parts);
        break;
    case STORE_PAGE_MINE:
        page_own_rooms(memory, question, &parts);
        break;
    case STORE_PAGE_ROOMS:
        page_rooms(memory, question, &parts);
        break;
    case STORE_PAGE_GUESTS:
        page_guests(memory, question, &parts);
        break;
    case STORE_PAGE_SHEETS:
        page_sheets(memory, question, &parts);
        break;
    case STORE_STATE:
        read_state(memory, question, &parts);
        break;
    case STORE_PUT_GUEST:
        answer->outcome = guest_put(memory, question);
        break;
    case STORE_PUT_STATE:
        answer->outcome = state_put(memory, question);
        break;
    }
    answer_end(&parts);
}

static enum store_outcome memory_answer(struct store *store, const struct store_pair *pair,
                                        size_t count)
{
    for (size_t i = 0; i < count; i++)
        answer_one((struct memory *)store, pair[i].question, pair[i].answer);
    return STORE_STORED;
}

static const char *memory_fault(struct store *store)
{
    (void)store;
    return "";
}

struct store *store_memory(void)
{
    struct memory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    memory->store = (struct store){memory_answer, memory_close, memory_fault, false};
    /* Always the same, so that simulations can be repeated. */
    memset(memory->key, 'k', sizeof memory->key);
    return &memory->store;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static bool room_copy(struct memory *to, const struct room *from)
{
    struct room *room = calloc(1, sizeof *room);
    if (!room)
        return false;
    memcpy(room->head.room, from->head.room, sizeof room->head.room);
    if (!table_add(&to->rooms, key_text(from->head.room), room)) {
        free(room);
        return false;
    }
    for (size_t i = 0; i < from->entries; i++)
        if (entry_add(to, room, &from->entry[i]) != STORE_STORED)
            return false;
    if (!head_set(to, room, &from->head))
        return false;
    room->over_since = from->over_since;
    room->claimed = from->claimed;
    strcpy(room->claimer, from->claimer);
    return true;
}

static bool guest_copy(struct memory *to, const struct guest *from)
{
    struct guest *guest = calloc(1, sizeof *guest);
    if (!guest)
        return false;
    guest->guest = from->guest;
    guest->seen = from->seen;
    if (!table_add(&to->guests, key_text(from->guest.id), guest)) {
        free(guest);
        return false;
    }
    for (const struct device *one = from->device; one; one = one->next) {
        struct device *device = malloc(sizeof *device);
        if (!device)
            return false;
        *device = *one;
        device->owner = guest;
        device->next = guest->device;
        guest->device = device;
        if (!table_add(&to->tokens, key_hash(device->token), device))
            return false;
    }
    return true;
}

static bool ticket_copy(struct memory *to, const struct node *from)
{
    struct ticket *ticket = malloc(sizeof *ticket);
    if (!ticket)
        return false;
    *ticket = *(const struct ticket *)from->value;
    if (table_add(&to->tickets, from->key, ticket))
        return true;
    free(ticket);
    return false;
}

static bool count_copy(struct memory *to, const struct node *from)
{
    struct count *count = malloc(sizeof *count);
    if (!count)
        return false;
    *count = *(const struct count *)from->value;
    if (table_add(&to->counts, from->key, count))
        return true;
    free(count);
    return false;
}

static bool map_copy(struct memory *to, const struct node *from)
{
    const struct sheet *sheet = from->value;
    struct store_question question = {.text = sheet->text, .time = sheet->kept};
    memcpy(question.map, from->key.bytes, from->key.size);
    return map_set(to, &question) == STORE_STORED;
}

static bool process_copy(struct memory *to, const struct process *from)
{
    bool found;
    if (!process_note(to, from->id, from->noted, &found))
        return false;
    struct process *copy = table_get(&to->processes, key_text(from->id));
    copy->was_ahead = from->was_ahead;
    return true;
}

/* Copies what the process of the node says. */
static bool here_copy(struct memory *to, const struct node *from)
{
    const struct here *here = from->value;
    struct here *copy = calloc(1, sizeof *copy);
    if (!copy || !text_copy(&copy->text, here->text)) {
        free(copy);
        return false;
    }
    strcpy(copy->process, here->process);
    if (table_add(&to->heres, from->key, copy))
        return true;
    here_free(copy);
    return false;
}

static bool copy_all(struct memory *to, const struct memory *from)
{
    for (size_t i = 0; i < from->rooms.buckets; i++)
        for (const struct node *node = from->rooms.bucket[i]; node; node = node->next)
            if (!room_copy(to, node->value))
                return false;
    for (size_t i = 0; i < from->guests.buckets; i++)
        for (const struct node *node = from->guests.bucket[i]; node; node = node->next)
            if (!guest_copy(to, node->value))
                return false;
    for (size_t i = 0; i < from->tickets.buckets; i++)
        for (const struct node *node = from->tickets.bucket[i]; node; node = node->next)
            if (!ticket_copy(to, node))
                return false;
    for (size_t i = 0; i < from->counts.buckets; i++)
        for (const struct node *node = from->counts.bucket[i]; node; node = node->next)
            if (!count_copy(to, node))
                return false;
    for (size_t i = 0; i < from->maps.buckets; i++)
        for (const struct node *node = from->maps.bucket[i]; node; node = node->next)
            if (!map_copy(to, node))
                return false;
    for (size_t i = 0; i < from->processes.buckets; i++)
        for (const struct node *node = from->processes.bucket[i]; node; node = node->next)
            if (!process_copy(to, node->value))
                return false;
    for (size_t i = 0; i < from->heres.buckets; i++)
        for (const struct node *node = from->heres.bucket[i]; node; node = node->next)
            if (!here_copy(to, node))
                return false;
    for (size_t i = 0; i < from->notes.buckets; i++)
        for (const struct node *node = from->notes.bucket[i]; node; node = node->next)
            if (note_set(to, node->value) != STORE_STORED)
                return false;
    to->alive = from->alive;
    memcpy(to->key, from->key, sizeof to->key);
    to->gap = malloc((from->gaps + 1) * sizeof *to->gap);
    if (!to->gap)
        return false;
    if (from->gaps)
        memcpy(to->gap, from->gap, from->gaps * sizeof *to->gap);
    to->gaps = from->gaps;
    return true;
}

struct store *store_memory_copy(const struct store *store)
{
    struct store *copy = store_memory();
    if (copy && !copy_all((struct memory *)copy, (const struct memory *)store)) {
        copy->close(copy);
        return NULL;
    }
    return copy;
}
