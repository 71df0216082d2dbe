/* The lobby: the list of open tables.
 *
 * It needs only a line of each table, so rooms at which nobody looks are read once and leave memory
 * again. Viewers have the newest tables (`shown`), those where somebody is before others, and of
 * each network so many that all have room. All
 * have the same, as they were told last, and are told what has changed since, a bounded number of
 * bytes at a time: whoever changes their name all the time does not fill the lines of all viewers.
 * What has waited longest comes first. */
#include "rooms/internal.h"
#include <stdlib.h>
#include <string.h>

enum {
    LOADS_MAX = 20,       /* rooms that are read at the same time */
    CHANGES_BYTES = 8192, /* about so much is told at a time */
    WHOLE_BYTES_MS = 4,   /* of whole lists, for those who do not take changes */
};

/* ---- Tables ---------------------------------------------------------------------------------- */

static struct table *table_of(const struct rooms *rooms, const char *id)
{
    return index_get(&rooms->tables, id, strlen(id));
}

static struct table *table_new(struct rooms *rooms, const char *id)
{
    struct table *table = hub_alloc(sizeof *table);
    es_str_copy(es_str(id), table->room, sizeof table->room);
    index_put(&rooms->tables, table->room, strlen(table->room), table);
    return table;
}

static void count_guests(struct rooms *rooms, const char *guests, int more)
{
    struct es_str rest = es_str(guests ? guests : ""), word;
    char guest[STORE_GUEST_BYTES];
    while (es_str_word(&rest, &word))
        if (es_str_copy(word, guest, sizeof guest))
            hub_crowd(rooms, CROWD_TABLES, hub_key(guest), more);
}

/* Sets who sits or hosts at a table (NULL: nobody): ids with blanks between, which become the
 * table's. */
static void set_guests(struct rooms *rooms, struct table *table, char *guests)
{
    char *before = table->guests;
    table->guests = guests;
    if (!before || !guests || strcmp(before, guests) != 0) {
        count_guests(rooms, before, -1);
        count_guests(rooms, guests, 1);
    }
    free(before);
}

uint32_t lobby_tables(struct rooms *rooms, const char *guest)
{
    return hub_crowd(rooms, CROWD_TABLES, hub_key(guest), 0);
}

static void table_free(struct table *table)
{
    free(table->card);
    free(table->guests);
    free(table->told);
    free(table);
}

/* Frees a table that viewers do not have and that does not wait to be read. */
static void release(struct rooms *rooms, struct table *table)
{
    if (table->card || table->told || table->waits)
        return;
    index_remove(&rooms->tables, table->room, strlen(table->room));
    table_free(table);
}

/* Has viewers told of what has changed. */
static void changed(struct rooms *rooms)
{
    uint64_t at = rooms->lobby_told + rooms->limits.lobby_ms;
    if (at <= rooms->now)
        at = rooms->now + 1;
    if (!rooms->lobby_at || rooms->lobby_at > at)
        rooms->lobby_at = at;
}

/* Writes what the lobby shows of a room. */
static void write_card(struct es__writer *w, const void *context)
{
    const struct room *room = context;
    const struct body *body = room->body;
    const struct person *host = body_person(body, body->host);
    int taken = 0;
    es__write_object(w, NULL);
    es__write_text(w, "room", room->id);
    es__write_int(w, "made", (int64_t)room->made);
    es__write_text(w, "setup", body->setup_text);
    es__write_int(w, "seats", body->setup.players);
    for (int p = 0; p < body->setup.players; p++)
        taken += body->seat[p].kind != SEAT_OPEN;
    es__write_int(w, "taken", taken);
    es__write_int(w, "clock", (int64_t)body->settings.clock);
    es__write_array(w, "names");
    for (int p = 0; p < body->setup.players; p++) {
        const struct person *person = body_person(body, body->seat[p].guest);
        if (body->seat[p].kind == SEAT_PERSON && person)
            es__write_text(w, NULL, person->name);
    }
    es__write_end(w);
    es__write_text(w, "host", host ? host->name : "");
    es__write_end(w);
}

/* Returns the ids of those who sit or host, to be freed. */
static char *guests_of(const struct body *body)
{
    char text[(ES_PLAYERS_MAX + 1) * STORE_GUEST_BYTES];
    struct es_out out = {text, sizeof text, 0};
    if (body_seat(body, body->host) == 0)
        es_out_text(&out, body->host);
    for (int p = 0; p < body->setup.players; p++) {
        es_out_char(&out, ' ');
        es_out_text(&out, body->seat[p].guest);
    }
    return hub_copy((struct es_str){text, out.used});
}

static void drop(struct rooms *rooms, struct table *table)
{
    free(table->card);
    table->card = NULL;
    set_guests(rooms, table, NULL);
    if (table->told)
        changed(rooms);
    release(rooms, table);
}

void lobby_card(struct rooms *rooms, const struct room *room)
{
    const struct body *body = room->body;
    struct table *table = table_of(rooms, room->id);
    if (!room->listed || !body || body->phase != PHASE_WAITING || body->count == 0) {
        if (table)
            drop(rooms, table);
        return;
    }
    if (!table)
        table = table_new(rooms, room->id);
    char *before = table->card;
    table->card = hub_copy(say(rooms, write_card, room));
    if (!before || strcmp(before, table->card) != 0) {
        if (!table->since)
            table->since = rooms->now;
        changed(rooms);
    }
    free(before);
    set_guests(rooms, table, guests_of(body));
    table->made = room->made;
    table->network = room->network ? room->network : table->network;
    table->stamp = room->stamp;
}

void lobby_hide(struct rooms *rooms, const char *id)
{
    struct table *table = table_of(rooms, id);
    if (!table)
        return;
    table->hidden = table->told;
    drop(rooms, table);
}

bool lobby_has(const struct rooms *rooms, const char *id)
{
    return table_of(rooms, id) != NULL;
}

void lobby_attend(struct rooms *rooms, const struct room *room)
{
    struct table *table = table_of(rooms, room->id);
    uint64_t network = room->network ? room->network : table ? table->network : 0;
    if (!table || (table->network == network && table->attended == room->attended))
        return;
    table->network = network;
    table->attended = room->attended;
    changed(rooms);
}

bool lobby_concerns(struct rooms *rooms, const struct table *table, const char *guest)
{
    return table->guests && strstr(table->guests, guest) && !hub_room(rooms, table->room);
}

/* ---- Reading rooms --------------------------------------------------------------------------- */

static void read_room(struct rooms *rooms, struct room *room)
{
    room->heard = true;
    hub_wake(rooms, room, rooms->now);
}

void lobby_heard(struct rooms *rooms, const char *id)
{
    struct room *room = hub_room(rooms, id);
    if (room) {
        read_room(rooms, room);
        return;
    }
    struct table *table = table_of(rooms, id);
    if (!table)
        table = table_new(rooms, id);
    if (table->waits)
        return;
    table->waits = true;
    table->next = NULL;
    *(rooms->unread ? rooms->last_unread : &rooms->unread) = table;
    rooms->last_unread = &table->next;
}

void lobby_people(struct rooms *rooms, const char *id)
{
    if (lobby_has(rooms, id))
        lobby_heard(rooms, id);
}

void lobby_load(struct rooms *rooms)
{
    while (rooms->unread && rooms->loading < LOADS_MAX) {
        struct table *table = rooms->unread;
        struct room *room = hub_room(rooms, table->room);
        rooms->unread = table->next;
        table->waits = false;
        if (!room) {
            room = hub_room_new(rooms, table->room);
            room->until = 0; /* it leaves memory when it has been read */
            room->for_lobby = true;
            rooms->loading++;
        }
        read_room(rooms, room);
    }
}

void lobby_loaded(struct rooms *rooms, struct room *room)
{
    rooms->loading -= room->for_lobby;
    room->for_lobby = false;
}

uint64_t lobby_stamp(const struct store_head *head)
{
    uint8_t hash[ES_SHA256_BYTES];
    uint64_t people;
    hub_hash(head->people, hash);
    memcpy(&people, hash, sizeof people);
    return people ^ (head->changed * 3 + head->wake) * 2 ^ head->listed;
}

void lobby_listed(struct rooms *rooms, const struct store_answer *answer)
{
    rooms->listings++;
    for (size_t i = 0; i < answer->rooms; i++) {
        const struct store_head *head = &answer->heads[i];
        struct table *table = table_of(rooms, head->room);
        if (table)
            table->seen = rooms->listings;
        /* Attended: perhaps at a process that has ended. */
        if (!hub_room(rooms, head->room) &&
            (!table || !table->card || table->attended || table->stamp != lobby_stamp(head)))
            lobby_heard(rooms, head->room);
    }
    for (size_t i = 0; i < rooms->tables.slots; i++) {
        struct table *table = rooms->tables.slot[i].key ? rooms->tables.slot[i].thing : NULL;
        if (table && table->card && table->seen != rooms->listings && !hub_room(rooms, table->room))
            lobby_heard(rooms, table->room); /* it adds none, because this one is there */
    }
}

/* ---- What viewers have ----------------------------------------------------------------------- */

static int newer(const void *a, const void *b)
{
    const struct table *x = *(struct table *const *)a, *y = *(struct table *const *)b;
    if (x->made != y->made)
        return x->made < y->made ? 1 : -1;
    return strcmp(x->room, y->room);
}

static int waits_longer(const void *a, const void *b)
{
    const struct table *x = *(struct table *const *)a, *y = *(struct table *const *)b;
    if (x->since != y->since)
        return x->since > y->since ? 1 : -1;
    return newer(a, b);
}

static int by_network(const void *a, const void *b)
{
    const struct table *x = *(struct table *const *)a, *y = *(struct table *const *)b;
    if (x->network != y->network)
        return x->network < y->network ? -1 : 1;
    if (x->attended != y->attended)
        return x->attended ? -1 : 1;
    return newer(a, b);
}

static int by_rank(const void *a, const void *b)
{
    const struct table *x = *(struct table *const *)a, *y = *(struct table *const *)b;
    if (x->attended != y->attended)
        return x->attended ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return newer(a, b);
}

/* Finds the tables to be shown: the newest, or if there are too many, those where somebody is
 * before the others; of both the newest of each network, then the second of each, and so on: nobody
 * can fill the list with their own. Returns their number. */
static size_t find_top(const struct rooms *rooms, struct table *top[TABLES_MAX])
{
    struct table **list = hub_alloc((rooms->tables.used + 1) * sizeof *list);
    size_t count = 0;
    for (size_t i = 0; i < rooms->tables.slots; i++) {
        struct table *table = rooms->tables.slot[i].key ? rooms->tables.slot[i].thing : NULL;
        if (table && table->card)
            list[count++] = table;
    }
    if (count > TABLES_MAX) {
        qsort(list, count, sizeof *list, by_network);
        for (size_t i = 0; i < count; i++)
            list[i]->rank =
                i > 0 && list[i]->network == list[i - 1]->network ? list[i - 1]->rank + 1 : 0;
        qsort(list, count, sizeof *list, by_rank);
        count = TABLES_MAX;
    }
    qsort(list, count, sizeof *list, newer);
    memcpy(top, list, count * sizeof *list);
    free(list);
    return count;
}

/* Returns true if somebody takes changes. */
static bool is_followed(const struct rooms *rooms)
{
    for (size_t i = 0; i < rooms->connections.slots; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        const struct connection *c = slot->key ? slot->thing : NULL;
        if (c && c->looks && c->step == STEP_READY && c->changes)
            return true;
    }
    return false;
}

/* Writes the tables that viewers have and that are not shown any more, and forgets them. Returns
 * whether there were any. */
static bool write_gone(struct rooms *rooms, struct es_out *out)
{
    const char *between = "";
    for (size_t i = 0; i < rooms->shown_count; i++) {
        struct table *table = rooms->shown[i];
        if (table->top)
            continue;
        if (!MUTATED(LOST_TABLES)) {
            es_out_text(out, between);
            es_out_char(out, '"');
            es_out_text(out, table->room);
            es_out_char(out, '"');
        }
        between = ",";
        free(table->told);
        table->told = NULL;
        table->hidden = false;
        if (table->card)
            table->since = rooms->now;
        release(rooms, table);
    }
    return between[0];
}

/* Writes cards that viewers do not have, up to `most` bytes. Returns whether there were any, and
 * sets *more if some are left. */
static bool write_changed(struct table *top[], size_t count, size_t most, struct es_out *out,
                          bool *more)
{
    struct table *list[TABLES_MAX];
    size_t changes = 0, i;
    for (i = 0; i < count; i++)
        if (!top[i]->told || strcmp(top[i]->told, top[i]->card) != 0) {
            list[changes++] = top[i];
        } else { /* also of a table that was hidden: what was deleted is not in its card */
            top[i]->since = 0;
            top[i]->hidden = false;
        }
    qsort(list, changes, sizeof list[0], waits_longer);
    for (i = 0; i < changes && (i == 0 || out->used < most); i++) {
        es_out_text(out, i ? "," : "");
        es_out_text(out, list[i]->card);
        free(list[i]->told);
        list[i]->told = hub_copy(es_str(list[i]->card));
        list[i]->hidden = false;
        list[i]->since = 0;
    }
    *more = i < changes;
    return changes > 0;
}

/* Makes the list that viewers have the present one, as far as one message may. Returns the message
 * in `out`, whose memory is to be freed, or nothing if there is no change. */
static struct es_out change_shown(struct rooms *rooms, bool *more)
{
    struct table *top[TABLES_MAX];
    size_t count = find_top(rooms, top), size = 200, most = CHANGES_BYTES, cards = 0, longest = 0;
    for (size_t i = 0; i < rooms->shown_count; i++) {
        rooms->shown[i]->top = false;
        size += STORE_ROOM_BYTES + 3;
    }
    for (size_t i = 0; i < count; i++) {
        top[i]->top = true;
        size_t card = strlen(top[i]->card) + 1;
        longest = card > longest ? card : longest;
        cards += card;
    }
    if (!is_followed(rooms))
        most = cards;
    size += most + longest;
    struct es_out out = {hub_alloc(size), size, 0};
    es_out_text(&out, "{\"t\":\"tables\",\"tables\":[");
    bool any = write_changed(top, count, most + out.used, &out, more);
    es_out_text(&out, "],\"gone\":[");
    any = write_gone(rooms, &out) || any;
    es_out_text(&out, "]}");
    rooms->shown_count = 0;
    for (size_t i = 0; i < count; i++)
        if (top[i]->told)
            rooms->shown[rooms->shown_count++] = top[i];
    out.used = any ? out.used : 0;
    return out;
}

struct es_str lobby_text(struct rooms *rooms, const char *head)
{
    size_t size = strlen(head) + 16;
    for (size_t i = 0; i < rooms->shown_count; i++)
        size += strlen(rooms->shown[i]->told) + 1;
    rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, size, 1);
    struct es_out out = {rooms->buffer, rooms->buffer_size, 0};
    const char *between = "";
    es_out_text(&out, head);
    for (size_t i = 0; i < rooms->shown_count; i++) {
        if (rooms->shown[i]->hidden)
            continue;
        es_out_text(&out, between);
        es_out_text(&out, rooms->shown[i]->told);
        between = ",";
    }
    es_out_text(&out, "]}");
    return (struct es_str){rooms->buffer, out.used};
}

/* ---- Telling --------------------------------------------------------------------------------- */

/* Sends a text to those who take changes, or to the others who do not have the present list. */
static void send_to(struct rooms *rooms, bool changes, struct es_str text)
{
    uint64_t to[64];
    enum { MANY = sizeof to / sizeof to[0] };
    size_t count = 0;
    for (size_t i = 0; i < rooms->connections.slots; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        struct connection *c = slot->key ? slot->thing : NULL;
        if (c && c->looks && c->step == STEP_READY && c->changes == changes &&
            c->lobby != rooms->lobby_revision) {
            c->lobby = rooms->lobby_revision;
            to[count++] = c->id;
        }
        if (count == MANY || (count > 0 && i + 1 == rooms->connections.slots)) {
            struct rooms_output output = {
                .kind = ROOMS_SEND, .connection = to, .connections = count, .text = text};
            rooms->options.out(rooms->options.context, &output);
            count = 0;
        }
    }
}

/* Returns true if somebody who gets the whole list does not have the present one. */
static bool lacks_list(const struct rooms *rooms)
{
    for (size_t i = 0; i < rooms->connections.slots; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        const struct connection *c = slot->key ? slot->thing : NULL;
        if (c && c->looks && c->step == STEP_READY && !c->changes &&
            c->lobby != rooms->lobby_revision)
            return true;
    }
    return false;
}

void lobby_tell(struct rooms *rooms)
{
    bool more = false;
    struct es_out out = change_shown(rooms, &more);
    rooms->lobby_at = 0;
    rooms->lobby_told = rooms->now;
    if (out.used > 0) {
        rooms->lobby_revision++;
        send_to(rooms, true, (struct es_str){out.at, out.used});
    }
    free(out.at);
    bool lacks = lacks_list(rooms);
    if (lacks && rooms->lobby_whole <= rooms->now) {
        struct es_str text = lobby_text(rooms, "{\"t\":\"lobby\",\"tables\":[");
        uint64_t ms = text.size / WHOLE_BYTES_MS;
        rooms->lobby_whole =
            rooms->now + (ms > rooms->limits.lobby_ms ? ms : rooms->limits.lobby_ms);
        send_to(rooms, false, text);
        lacks = false;
    }
    if (lacks)
        rooms->lobby_at = rooms->lobby_whole;
    if (more)
        changed(rooms);
}

void lobby_free(struct rooms *rooms)
{
    for (size_t i = 0; i < rooms->tables.slots; i++)
        if (rooms->tables.slot[i].key)
            table_free(rooms->tables.slot[i].thing);
    index_free(&rooms->tables);
}
