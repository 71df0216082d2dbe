/* The checks: keeps a mirror of what is durable, and compares everything that a process says with
 * the mirror at that moment. Where there are several processes, one of them may not have heard of
 * the latest changes; process_knows() says what it must have heard of. */
#include "sim.h"
#include <endstation/fair.h>

/* A message of a client that has not been answered. */
struct request {
    struct request *next;
    json_int_t id;
    uint64_t heard; /* when the server heard it; 0: not yet */
    const char *type, *key, *event, *text, *code, *name, *device, *what;
    int seat, decision, colour;
};

/* A move or keyed message that somebody sent, legal or not. */
struct sent {
    struct sent *next;
    char room[STORE_ROOM_BYTES];
    int person, decision;
    const char *event, *key;
};

/* The process that has written something, and how many gaps it knew of. */
struct writer {
    struct process *process;
    size_t gaps;
};

static struct mirror *mirrors[SIM_ROOMS];
static size_t mirror_count;
static struct sent *sents;
static char forgotten[64][STORE_GUEST_BYTES];
static uint64_t forgotten_told[64]; /* when the guest was told so; 0: not yet */
static size_t forgotten_count;
static struct {
    char id[STORE_GUEST_BYTES];
    char name[ES_NAME_BYTES];
    int colour;
    uint64_t changed;
} guests[256];
static size_t guest_count;
/* Rooms and guests that were made, for the limits. */
static struct creation {
    struct creation *next;
    char guest[STORE_GUEST_BYTES]; /* empty: it is a guest, made from `address` */
    uint64_t address, time;
} * creations;
static uint64_t listed_changed; /* when a table was last added to the lobby or removed */
static struct {
    const char *token;
    uint64_t time;
} withdrawn[64]; /* tokens whose owner was told that they are withdrawn */
static size_t withdrawn_count;

void check_begin(void)
{
    mirror_count = 0;
    sents = NULL;
    forgotten_count = 0;
    memset(forgotten_told, 0, sizeof forgotten_told);
    guest_count = withdrawn_count = 0;
    listed_changed = 0;
    creations = NULL;
    fresh_begin();
}

struct mirror *mirror_of(const char *room)
{
    for (size_t i = 0; i < mirror_count; i++)
        if (!strcmp(mirrors[i]->room, room))
            return mirrors[i];
    return NULL;
}

struct mirror *mirror_number(size_t i)
{
    return i < mirror_count ? mirrors[i] : NULL;
}

bool person_forgotten(const char *guest)
{
    for (size_t i = 0; i < forgotten_count; i++)
        if (!strcmp(forgotten[i], guest))
            return true;
    return false;
}

bool guest_deleted(const char *guest, uint64_t bound)
{
    for (size_t i = 0; i < forgotten_count; i++)
        if (!strcmp(forgotten[i], guest) && forgotten_told[i] && forgotten_told[i] < bound)
            return true;
    return false;
}

const char *guest_name(const char *guest, uint64_t *changed)
{
    for (size_t i = 0; i < guest_count; i++)
        if (!strcmp(guests[i].id, guest)) {
            *changed = guests[i].changed;
            return guests[i].name;
        }
    return "";
}

bool token_withdrawn(const char *token, uint64_t bound)
{
    for (size_t i = 0; i < withdrawn_count && token; i++)
        if (withdrawn[i].time < bound && !strcmp(withdrawn[i].token, token))
            return true;
    return false;
}

uint64_t tables_changed(void)
{
    return listed_changed;
}

bool mirror_chat_deleted(const struct mirror *m)
{
    for (size_t i = 0; i < m->entries; i++)
        if (m->kept[i].kind == ENTRY_CHAT && person_forgotten(m->kept[i].guest))
            return true;
    return false;
}

int mirror_seat(const struct mirror *m, const char *guest)
{
    for (int p = 1; guest[0] && p <= m->seats; p++)
        if (!strcmp(m->sitter[p], guest))
            return p;
    return 0;
}

/* ---- The mirror ------------------------------------------------------------------------------ */

static void set_due(struct mirror *m, uint64_t time)
{
    struct es_turn turn = m->record->setup.game->turn(&m->record->setup, m->state);
    for (int p = 1; p <= m->seats; p++) {
        bool due = turn.kind == ES_TURN_PLAYERS && turn.players >> (p - 1) & 1;
        if (due && !m->due_since[p]) {
            m->due_since[p] = time;
            m->bot_times[p] = 0;
        } else if (!due) {
            m->due_since[p] = 0;
        }
    }
    m->game_over = turn.kind == ES_TURN_OVER;
}

/* Notes that a guest has made a room, or somebody at an address (guest: "") a guest. In an hour
 * there are at most `limit`, whatever the processes; in two of the store's hours twice as many. */
static void check_limit(const char *guest, uint64_t address, uint32_t limit)
{
    uint32_t times = 1;
    for (const struct creation *c = creations; c; c = c->next)
        times +=
            c->address == address && !strcmp(c->guest, guest) && world.now < c->time + MINUTES(58);
    if (limit && times > 2 * limit)
        violated("%s%llu has made %u %s in an hour", guest, (unsigned long long)address, times,
                 guest[0] ? "rooms" : "guests");
    struct creation *c = sim_alloc(sizeof *c);
    *c = (struct creation){.next = creations, .address = address, .time = world.now};
    snprintf(c->guest, sizeof c->guest, "%s", guest);
    creations = c;
}

static void made(struct mirror *m, const struct kept *k)
{
    const char *setup = strstr(k->text, "\n\n");
    const char *clock = strstr(k->text, "clock "), *patience = strstr(k->text, "patience ");
    const char *table = strstr(k->text, "table");
    const char *line_end = table ? strchr(table, '\n') : NULL;
    if (!setup || !clock || !patience || !line_end)
        violated("room %s: its settings cannot be read: %s", m->room, k->text);
    m->clock = atoi(clock + 6);
    m->patience = atoi(patience + 9);
    const char *open = strstr(table, " open"), *watch = strstr(table, " watch");
    m->open = open && open < line_end;
    m->watch = watch && watch < line_end;
    m->record = sim_alloc(sizeof *m->record);
    m->record->events = sim_alloc(4 * sizeof(es_event));
    m->record->capacity = 4;
    m->state = sim_alloc(sizeof *m->state);
    struct es_fault fault;
    if (read_record(m->record, es_str(setup + 2), m->state, &fault))
        violated("room %s: its setup cannot be read: line %d: %s", m->room, fault.line,
                 fault.reason);
    m->seats = m->record->setup.players;
    for (int p = 1; p <= m->seats; p++)
        strcpy(m->bot[p], m->record->bot[p - 1]);
    strcpy(m->host, k->guest);
    m->event = sim_alloc(ES_EVENTS_MAX / 64 * sizeof *m->event);
    if (!strstr(k->text, "\ninvited "))
        check_limit(k->guest, 0, world.limits.rooms_of_guest);
}

static void started(struct mirror *m)
{
    int players = 0;
    for (int p = 1; p <= m->seats; p++) {
        if (!m->sitter[p][0] && !m->bot[p][0])
            continue;
        players++;
        if (players != p) {
            memmove(m->sitter[players], m->sitter[p], sizeof m->sitter[p]);
            memmove(m->bot[players], m->bot[p], sizeof m->bot[p]);
            m->word_hash[players] = m->word_hash[p];
            m->sitter[p][0] = m->bot[p][0] = '\0';
        }
    }
    if (m->started)
        violated("room %s: started twice", m->room);
    m->seats = players;
    m->record->setup.players = (uint8_t)players;
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        strcpy(m->record->bot[p], p < players && !m->sitter[p + 1][0] ? m->bot[p + 1] : "");
    if (es_setup_prepare(&m->record->setup))
        violated("room %s: started with %d players", m->room, players);
    m->started = true;
}

/* Returns the milliseconds between two times without the gaps that a process knew of. */
static uint64_t lived(const struct process *process, size_t gaps, uint64_t from, uint64_t to)
{
    uint64_t ms = to > from ? to - from : 0;
    for (size_t i = 0; i < gaps && i < process->gaps; i++) {
        uint64_t start = process->gap[i].from > from ? process->gap[i].from : from;
        uint64_t end = process->gap[i].to < to ? process->gap[i].to : to;
        ms -= end > start ? end - start : 0;
    }
    return ms;
}

uint64_t mirror_waited(const struct mirror *m, int seat, const struct process *process, size_t gaps,
                       uint64_t now)
{
    uint64_t ms = lived(process, gaps, m->due_since[seat], now);
    for (size_t i = 0; i < m->bot_times[seat]; i++)
        ms -= lived(process, gaps, m->bot_time[seat][i].from, m->bot_time[seat][i].to);
    return ms;
}

/* Nobody's clock runs out too early, by the clock of the process that moves for them. */
static void check_clock(const struct mirror *m, const struct kept *k, const struct writer *writer)
{
    uint64_t since = m->due_since[k->seat];
    uint64_t ms = mirror_waited(m, k->seat, writer->process, writer->gaps, k->time);
    if (!m->clock || !since || ms < SECONDS(m->clock))
        violated("room %s: the clock moved for seat %d (decision %d) after %llu ms of %d s",
                 m->room, k->seat, k->decision, (unsigned long long)ms, m->clock);
}

static void moved(struct mirror *m, const struct kept *k, const struct writer *writer)
{
    const struct es_setup *setup = &m->record->setup;
    es_event event;
    es_status status = setup->game->parse(setup, es_str(k->text), &event);
    if (!m->begun || m->closed)
        violated("room %s: an event where no game is on", m->room);
    if (!status)
        status = setup->game->apply(setup, m->state, event);
    if (status)
        violated("room %s: its list has the event '%s', but %s", m->room, k->text,
                 es_status_text(status));
    int who = ES_EVENT_WHO(event);
    if (who != k->seat || (who == 0) != (k->kind == ENTRY_CHANCE))
        violated("room %s: '%s' is an entry of kind %c of seat %d", m->room, k->text, k->kind,
                 k->seat);
    if (who) {
        int before = 0;
        for (size_t i = 0; i < m->events; i++)
            before += ES_EVENT_WHO(m->event[i]) == who;
        if (k->decision != before)
            violated("room %s: '%s' is stored as decision %d, but is number %d", m->room, k->text,
                     k->decision, before);
    }
    if (k->kind == ENTRY_MOVE) {
        int person = person_of_guest(k->guest);
        struct sent *sent = sents;
        if (strcmp(m->sitter[who], k->guest))
            violated("room %s: '%s' was made by somebody who does not sit there", m->room, k->text);
        while (sent && (sent->person != person || sent->decision != k->decision ||
                        strcmp(sent->room, m->room) || strcmp(sent->event, k->text)))
            sent = sent->next;
        if (!sent)
            violated("room %s: nobody sent '%s' for decision %d", m->room, k->text, k->decision);
    }
    if (k->kind == ENTRY_BOT && !m->bot[who][0])
        violated("room %s: a bot moved for seat %d, which a person has", m->room, who);
    if (k->kind == ENTRY_CLOCK)
        check_clock(m, k, writer);
    m->event[m->events++] = event;
    set_due(m, k->time);
}

/* Before the start a host is replaced if they have left their seat, or have been away. */
static void check_host(const struct mirror *m, const struct kept *k, const struct writer *writer)
{
    uint64_t knows = process_knows(writer->process);
    if (!k->guest[0])
        count("checked", "hosts replaced");
    if (k->guest[0] || !knows || person_forgotten(m->host) || !fresh_here(m, m->host, knows))
        return;
    for (int p = 1; p <= m->seats; p++)
        if (!strcmp(m->sitter[p], m->host))
            violated("room %s: the host %s is replaced, but is there", m->room, m->host);
}

/* Returns true if an earlier entry says that the host removed this guest for good. */
static bool is_removed(const struct mirror *m, const char *guest)
{
    for (size_t i = 0; i < m->entries; i++)
        if (m->kept[i].kind == ENTRY_REMOVED && !strcmp(m->kept[i].text, guest))
            return true;
    return false;
}

static void apply(struct mirror *m, const struct kept *k, const struct writer *writer)
{
    int p = k->seat;
    char name[8];
    snprintf(name, sizeof name, "%c", k->kind);
    count("entry", name);
    if (p > ES_PLAYERS_MAX)
        violated("room %s: an entry of seat %d", m->room, p);
    switch ((enum entry_kind)k->kind) {
    case ENTRY_MADE:
        made(m, k);
        break;
    case ENTRY_SAT:
        if (m->started || m->sitter[p][0] || m->bot[p][0] || mirror_seat(m, k->guest))
            violated("room %s: %s sat down at seat %d, which was not free", m->room, k->guest, p);
        if (is_removed(m, k->guest))
            violated("room %s: %s sat down again after the host had removed them", m->room,
                     k->guest);
        strcpy(m->sitter[p], k->guest);
        m->word_hash[p] = k->text;
        break;
    case ENTRY_LEFT:
        if (m->started)
            violated("room %s: a seat was left after the start", m->room);
        m->sitter[p][0] = '\0';
        break;
    case ENTRY_SEAT:
        if (m->started || (k->text[0] && m->sitter[p][0]))
            violated("room %s: seat %d was given to a bot", m->room, p);
        m->sitter[p][0] = '\0';
        snprintf(m->bot[p], sizeof m->bot[p], "%s", k->text);
        break;
    case ENTRY_HOST:
        check_host(m, k, writer);
        snprintf(m->host, sizeof m->host, "%s", k->text);
        break;
    case ENTRY_START:
        started(m);
        break;
    case ENTRY_WORD:
        if (!m->started || m->begun || !m->sitter[p][0])
            violated("room %s: a word at the wrong time", m->room);
        break;
    case ENTRY_BEGIN:
        if (!m->started || m->begun)
            violated("room %s: begins at the wrong time", m->room);
        m->begun = true;
        m->record->setup.game->start(&m->record->setup, m->state);
        set_due(m, k->time);
        break;
    case ENTRY_MOVE:
    case ENTRY_BOT:
    case ENTRY_CLOCK:
    case ENTRY_CHANCE:
        moved(m, k, writer);
        break;
    case ENTRY_GIVEN:
        snprintf(m->bot[p], sizeof m->bot[p], "%s", k->text);
        m->given[p] = k->time;
        break;
    case ENTRY_TAKEN:
        m->bot[p][0] = '\0';
        if (m->due_since[p] && m->bot_times[p] < SIM_BOT_TIMES) {
            uint64_t from = m->given[p] > m->due_since[p] ? m->given[p] : m->due_since[p];
            m->bot_time[p][m->bot_times[p]++] = (struct store_gap){from, k->time};
        }
        break;
    case ENTRY_CHAT:
        m->chats++;
        if (is_removed(m, k->guest))
            violated("room %s: %s wrote after the host had removed them", m->room, k->guest);
        break;
    case ENTRY_REMOVED:
        if (m->started || strcmp(m->sitter[p], k->text) || strcmp(m->host, k->guest))
            violated("room %s: %s was removed from seat %d", m->room, k->text, p);
        m->sitter[p][0] = '\0';
        break;
    case ENTRY_NEXT:
        snprintf(m->next, sizeof m->next, "%s", k->text);
        break;
    case ENTRY_CLOSED:
        m->closed = true;
        break;
    default:
        violated("room %s: an entry of the unknown kind %d", m->room, k->kind);
    }
    if (!m->host[0])
        violated("room %s has no host", m->room);
}

static void append(const struct writer *writer, const struct store_question *q)
{
    struct mirror *m = mirror_of(q->head.room);
    if (!m) {
        if (mirror_count == SIM_ROOMS)
            violated("too many rooms for this simulation");
        m = mirrors[mirror_count++] = sim_alloc(sizeof *m);
        m->deleted = true;
    }
    /* It is made; perhaps again, because whoever made it says the same again hours later. */
    if (m->deleted && q->first == 1) {
        *m = (struct mirror){0};
        memcpy(m->room, q->head.room, sizeof m->room);
        memcpy(m->code, q->head.code, sizeof m->code);
    }
    if (m->deleted)
        violated("room %s: written to after it was deleted", m->room);
    if (q->first != m->entries + 1)
        violated("room %s: number %llu was stored after %zu entries", m->room,
                 (unsigned long long)q->first, m->entries);
    for (size_t i = 0; i < q->entries; i++) {
        const struct store_entry *e = &q->entry[i];
        if (m->entries == m->room_for) {
            size_t wanted = m->room_for ? 2 * m->room_for : 64;
            struct kept *more = sim_alloc(wanted * sizeof *more);
            if (m->entries)
                memcpy(more, m->kept, m->entries * sizeof *more);
            m->kept = more;
            m->room_for = wanted;
        }
        if (e->time > world.now + SIM_OFFSET_MS)
            violated("room %s: entry %zu is of the future, by %llu ms", m->room, m->entries + 1,
                     (unsigned long long)(e->time - world.now));
        struct kept *k = &m->kept[m->entries];
        *k = (struct kept){.time = e->time,
                           .stored = world.now,
                           .kind = e->kind,
                           .seat = e->seat,
                           .decision = e->decision};
        memcpy(k->guest, e->guest, sizeof k->guest);
        memcpy(k->key, e->key, sizeof k->key);
        k->text = sim_text("%.*s", (int)e->text.size, e->text.size ? e->text.at : "");
        for (size_t j = 0; k->key[0] && j < m->entries; j++)
            if (!strcmp(m->kept[j].key, k->key) && !strcmp(m->kept[j].guest, k->guest))
                violated("room %s: the key %s of %s was stored twice", m->room, k->key, k->guest);
        if (m->entries && k->time < m->kept[m->entries - 1].time)
            violated("room %s: an entry before the one before", m->room);
        m->entries++;
        if (k->time > world.now + SIM_OFFSET_MS)
            violated("room %s: an entry of the future", m->room);
        apply(m, k, writer);
    }
    bool listed = q->head.listed;
    if (listed || m->listed)
        listed_changed = world.now;
    if (listed && (!m->open || m->started || m->closed))
        violated("room %s: its head says that it is in the lobby, but it is not open", m->room);
    if (listed != m->listed && m->entries > q->entries && !m->started && !m->closed)
        count("checked", listed ? "tables back in the lobby" : "tables that left the lobby");
    m->listed = listed;
    m->changed = world.now;
    if (q->head.over && !m->ended)
        m->ended = world.now;
    if (q->entries && q->head.over != (m->closed || (m->begun && m->game_over)))
        violated("room %s: its head says that it is %s", m->room,
                 q->head.over ? "over, but it is not" : "not over, but it is");
}

/* A room is deleted when it is over for as long as it is kept, and its record is on disk. */
static void deleted(struct mirror *m)
{
    const struct rooms_keep *keep = &world.keep;
    uint64_t ms = m->begun ? keep->games : keep->rooms;
    if (!m->ended || !ms || world.now + 2 * SIM_OFFSET_MS < m->ended + ms)
        violated("room %s: deleted too early", m->room);
    if (m->begun && keep->records && !m->saved)
        violated("room %s: deleted, but its record was not written", m->room);
    m->deleted = world.now;
    count("checked", m->begun ? "games deleted" : "rooms deleted");
}

void check_stored(struct process *process, const struct store_question *q, size_t gaps)
{
    struct mirror *m = q->kind == STORE_DELETE ? mirror_of(q->head.room) : NULL;
    if (m && !m->deleted)
        deleted(m);
    if (q->kind == STORE_APPEND) {
        append(&(struct writer){process, gaps}, q);
    } else if (q->kind == STORE_FORGET) {
        listed_changed = world.now; /* tables with their name are hidden for a moment */
        if (forgotten_count < 64)
            memcpy(forgotten[forgotten_count++], q->guest.id, STORE_GUEST_BYTES);
    } else if (q->kind == STORE_GUEST && guest_count < 256) {
        size_t i = 0;
        while (i < guest_count && strcmp(guests[i].id, q->guest.id))
            i++;
        guest_count += i == guest_count;
        memcpy(guests[i].id, q->guest.id, sizeof guests[i].id);
        memcpy(guests[i].name, q->guest.name, sizeof guests[i].name);
        guests[i].colour = q->guest.colour;
        guests[i].changed = world.now;
    }
}

/* ---- What clients send ----------------------------------------------------------------------- */

static const char *field(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? text : "";
}

static const char *keep(const char *text)
{
    return text[0] ? sim_text("%s", text) : "";
}

static long number(const json_t *json, const char *name, long otherwise)
{
    const json_t *value = json_object_get(json, name);
    return json_is_integer(value) ? (long)json_integer_value(value) : otherwise;
}

struct request *check_sent(struct conn *conn, const char *text, size_t size)
{
    json_t *json = json_loadb(text, size, 0, NULL);
    const char *type = field(json, "t");
    char name[32];
    if (!json_is_object(json)) {
        json_decref(json);
        return NULL;
    }
    snprintf(name, sizeof name, "%s", type[0] ? type : "none");
    count("sent", name);
    conn->makes_guest = conn->path == ROOMS_REQUEST && !strcmp(type, "guest");
    if (conn->path == ROOMS_REQUEST && !strcmp(type, "get")) {
        snprintf(conn->room, sizeof conn->room, "%s", field(json, "room"));
        snprintf(conn->code, sizeof conn->code, "%s", field(json, "code"));
        snprintf(conn->what, sizeof conn->what, "%s", field(json, "what"));
        conn->person = person_of_token(conn->token);
    }
    bool is_hello = !strcmp(type, "hello") && !conn->greeted;
    if (is_hello) {
        conn->greeted = true;
        const char *token = field(json, "token");
        conn->uses = keep(token[0] ? token : conn->token);
        conn->person = person_of_token(conn->uses);
        snprintf(conn->code, sizeof conn->code, "%s", field(json, "code"));
    }
    if (!strcmp(type, "move") || field(json, "key")[0]) {
        struct sent *sent = sim_alloc(sizeof *sent);
        *sent = (struct sent){.next = sents,
                              .person = conn->person,
                              .decision = (int)number(json, "decision", -1),
                              .event = keep(field(json, "event")),
                              .key = keep(field(json, "key"))};
        memcpy(sent->room, conn->room, sizeof sent->room);
        sents = sent;
    }
    struct request *r = NULL;
    if (conn->path == ROOMS_REQUEST || is_hello) {
        r = conn->opening = sim_alloc(sizeof *r);
        *r = (struct request){.type = keep(type)};
    } else if (json_is_integer(json_object_get(json, "id"))) {
        r = sim_alloc(sizeof *r);
        *r = (struct request){.next = conn->requests,
                              .id = json_integer_value(json_object_get(json, "id")),
                              .type = keep(type),
                              .key = keep(field(json, "key")),
                              .event = keep(field(json, "event")),
                              .text = keep(field(json, "text")),
                              .code = keep(field(json, "code")),
                              .name = keep(field(json, "name")),
                              .device = keep(field(json, "device")),
                              .what = keep(field(json, "what")),
                              .seat = (int)number(json, "seat", 0),
                              .colour = (int)number(json, "colour", 0),
                              .decision = (int)number(json, "decision", -1)};
        conn->requests = r;
    }
    json_decref(json);
    return r;
}

void check_heard(struct request *request)
{
    if (request)
        request->heard = world.now;
}

/* Clients expect an answer within this time, the network's left out. */
enum { ANSWERED_MS = 5000, BUSY_MS = 4000 };

/* How long a process has had for a request. It has none while its machine stands still. */
static uint64_t waited(const struct conn *conn, const struct request *r)
{
    const struct process *process = conn->process;
    uint64_t from = r->heard > process->thawed ? r->heard : process->thawed;
    return r->heard && !process->frozen && world.now > from ? world.now - from : 0;
}

static void check_waited(const struct conn *conn, const struct request *r)
{
    /* These are answered by something else, or by nothing. */
    if (strcmp(r->type, "again") && strcmp(r->type, "ping") && waited(conn, r) > ANSWERED_MS)
        violated("'%s' has no answer after %llu ms", r->type, (unsigned long long)waited(conn, r));
}

void check_in_time(const struct conn *conn)
{
    if (!conn->process->rooms || !conn->server_has || conn->closing)
        return;
    if (conn->opening)
        check_waited(conn, conn->opening);
    for (const struct request *r = conn->requests; r; r = r->next)
        check_waited(conn, r);
}

/* Takes the request that an answer is for out of the connection's list; NULL: none. */
static struct request *answered(struct conn *conn, const json_t *json)
{
    const json_t *id = json_object_get(json, "id");
    if (!json_is_integer(id))
        return NULL;
    for (struct request **at = &conn->requests; *at; at = &(*at)->next)
        if ((*at)->id == json_integer_value(id)) {
            struct request *r = *at;
            *at = r->next;
            check_waited(conn, r);
            return r;
        }
    violated("answers %lld, which nobody asked, or a second time",
             (long long)json_integer_value(id));
}

/* ---- What the server says -------------------------------------------------------------------- */

static const char *guest_of(const struct conn *conn)
{
    return conn->guest;
}

static struct mirror *room_of(struct conn *conn)
{
    struct mirror *m = mirror_of(conn->room);
    if (!m)
        violated("tells of the room %s, which is not durable", conn->room);
    return m;
}

static struct kept *entry_with_key(struct mirror *m, const char *guest, const char *key)
{
    for (size_t i = 0; i < m->entries; i++)
        if (!strcmp(m->kept[i].key, key) && !strcmp(m->kept[i].guest, guest))
            return &m->kept[i];
    return NULL;
}

static struct kept *entry_of_decision(struct mirror *m, int seat, int decision)
{
    for (size_t i = 0; i < m->entries; i++)
        if (m->kept[i].decision == decision && m->kept[i].seat == seat && decision >= 0)
            return &m->kept[i];
    return NULL;
}

static const struct {
    const char *type;
    uint8_t kind;
} keyed[] = {
    {"sit", ENTRY_SAT},        {"leave", ENTRY_LEFT},    {"seat", ENTRY_SEAT},
    {"start", ENTRY_START},    {"close", ENTRY_CLOSED},  {"give", ENTRY_GIVEN},
    {"take", ENTRY_TAKEN},     {"replace", ENTRY_GIVEN}, {"chat", ENTRY_CHAT},
    {"remove", ENTRY_REMOVED},
};

/* A key of a guest makes one room, and a room is made by one key. */
static void check_made(struct mirror *m, const char *guest, const char *key)
{
    if (strcmp(m->kept[0].guest, guest) || (m->made_key && strcmp(m->made_key, key)))
        violated("'make' is acknowledged with another room");
    for (size_t i = 0; i < mirror_count; i++)
        if (mirrors[i] != m && mirrors[i]->made_key && !strcmp(mirrors[i]->made_key, key) &&
            !strcmp(mirrors[i]->kept[0].guest, guest))
            violated("%s made two rooms with the key %s", guest, key);
    if (!m->made_key)
        m->made_key = keep(key);
}

static void check_ok(struct conn *conn, const json_t *json, const struct request *r)
{
    if (!strcmp(r->type, "move")) {
        struct mirror *m = room_of(conn);
        struct kept *k = entry_of_decision(m, mirror_seat(m, guest_of(conn)), r->decision);
        if (!k)
            violated("room %s: the move '%s' for decision %d is acknowledged but not durable",
                     m->room, r->event, r->decision);
        if (strcmp(k->text, r->event))
            violated("room %s: '%s' is acknowledged for decision %d, but '%s' was stored", m->room,
                     r->event, r->decision, k->text);
        if (number(json, "decision", -1) != r->decision)
            violated("room %s: ok without the decision", m->room);
        return;
    }
    if (!strcmp(r->type, "word")) {
        struct mirror *m = room_of(conn);
        int seat = mirror_seat(m, guest_of(conn));
        size_t i = 0;
        while (i < m->entries && (m->kept[i].kind != ENTRY_WORD || m->kept[i].seat != seat))
            i++;
        if (i == m->entries)
            violated("room %s: a word is acknowledged but not durable", m->room);
        return;
    }
    for (size_t i = 0; i < sizeof keyed / sizeof *keyed; i++)
        if (!strcmp(r->type, keyed[i].type)) {
            struct mirror *m = room_of(conn);
            struct kept *k = entry_with_key(m, guest_of(conn), r->key);
            if (!k || k->kind != keyed[i].kind)
                violated("room %s: '%s' with key %s is acknowledged but not durable", m->room,
                         r->type, r->key);
            if (!strcmp(r->type, "sit") && number(json, "seat", -1) != k->seat)
                violated("room %s: another seat is told than was stored", m->room);
            if (!strcmp(r->type, "chat") && strcmp(k->text, r->text) && k->text[0])
                violated("room %s: another chat is acknowledged", m->room);
            return;
        }
    if (!strcmp(r->type, "make") || !strcmp(r->type, "find") || !strcmp(r->type, "rematch")) {
        struct mirror *m = mirror_of(field(json, "room"));
        if (!m)
            violated("'%s' is acknowledged with the room '%s', which is not durable", r->type,
                     field(json, "room"));
        if (!strcmp(r->type, "make"))
            check_made(m, guest_of(conn), r->key);
        if (!strcmp(r->type, "make") && strcmp(field(json, "code"), m->code))
            violated("'make' is acknowledged with another code");
        if (!strcmp(r->type, "rematch") && strcmp(room_of(conn)->next, m->room))
            violated("'rematch' is acknowledged, but is not durable");
        if (!strcmp(r->type, "find") && strcmp(r->code, m->code))
            violated("'find' gives another room");
        return;
    }
    if (!strcmp(r->type, "name")) {
        for (size_t i = 0; i < guest_count; i++)
            if (!strcmp(guests[i].id, guest_of(conn)) && !guests[i].name[0])
                violated("a name is acknowledged, but not durable");
        return;
    }
    if (!strcmp(r->type, "react"))
        fresh_reaction_taken(conn, r->what);
    if (!strcmp(r->type, "withdraw") && withdrawn_count < 64) {
        withdrawn[withdrawn_count].token = token_of_device(conn->person, r->device);
        withdrawn[withdrawn_count++].time = world.now;
    }
    if (strcmp(r->type, "forget"))
        return;
    if (!person_forgotten(guest_of(conn)))
        violated("forgetting is acknowledged, but not durable");
    for (size_t i = 0; i < forgotten_count; i++)
        if (!forgotten_told[i] && !strcmp(forgotten[i], guest_of(conn)))
            forgotten_told[i] = world.now;
}

/* BUSY means that nothing was done: a message that was sent only once must not be durable. After
 * some seconds without an answer of the store, though the machine may have stood still in them, it
 * means that nobody knows. */
static void check_busy(struct conn *conn, const struct request *r)
{
    if (r->heard && r->heard + BUSY_MS <= world.now) {
        count("checked", "BUSY in time");
        return;
    }
    struct mirror *m = mirror_of(conn->room);
    bool move = !strcmp(r->type, "move");
    int times = 0;
    if (!m || conn->process->draining || (!move && !r->key[0]))
        return;
    for (struct sent *sent = sents; sent; sent = sent->next)
        times += sent->person == conn->person && !strcmp(sent->room, m->room) &&
                 (move ? sent->decision == r->decision && !strcmp(sent->event, r->event)
                       : !strcmp(sent->key, r->key));
    struct kept *k = move ? entry_of_decision(m, mirror_seat(m, guest_of(conn)), r->decision)
                          : entry_with_key(m, guest_of(conn), r->key);
    if (times == 1 && k && (!move || (k->kind == ENTRY_MOVE && !strcmp(k->text, r->event))))
        violated("room %s: '%s' is said not to be taken, but it is durable", m->room, r->type);
}

static void check_no(struct conn *conn, const json_t *json, const struct request *r)
{
    const char *code = field(json, "code");
    count("refused", code);
    if (!strcmp(code, "BUSY") && r)
        check_busy(conn, r);
    if (strcmp(code, "DECISION_MADE") || !r)
        return;
    struct mirror *m = room_of(conn);
    struct kept *k = entry_of_decision(m, mirror_seat(m, guest_of(conn)), r->decision);
    if (!k)
        violated("room %s: decision %d is said to be made, but is not durable", m->room,
                 r->decision);
    if (strcmp(k->text, field(json, "event")) || !strcmp(k->text, r->event))
        violated("room %s: decision %d is '%s', but '%s' is told", m->room, r->decision, k->text,
                 field(json, "event"));
}

/* ---- Streams --------------------------------------------------------------------------------- */

static const struct seen *seen_by(struct mirror *m, int viewer)
{
    struct seen *seen = &m->seen[viewer];
    if (!seen->event)
        seen->event = sim_alloc(ES_EVENTS_MAX / 64 * sizeof *seen->event);
    if (seen->at != m->events) {
        const struct es_setup *setup = &m->record->setup;
        seen->count =
            setup->game->observe(setup, m->state, m->event, m->events, viewer, seen->event);
        seen->at = m->events;
    }
    return seen;
}

size_t mirror_lines(struct mirror *m, int viewer)
{
    return seen_by(m, viewer)->count;
}

static void check_line(struct mirror *m, int viewer, const struct seen *seen, size_t i,
                       struct es_str line)
{
    char text[ES_EVENT_BYTES + 1];
    if (i >= seen->count)
        violated("room %s: viewer %d is told '%.*s' as line %zu, but may know only %zu", m->room,
                 viewer, (int)line.size, line.at, i, seen->count);
    format_event(&m->record->setup, seen->event[i], text);
    if (!es_str_is(line, text))
        violated("room %s: viewer %d is told '%.*s' as line %zu, which is '%s'", m->room, viewer,
                 (int)line.size, line.at, i, text);
}

/* Returns true if a process may not know yet who plays for a seat. */
static bool may_be_wrong(const struct mirror *m, struct process *process, int seat)
{
    uint64_t bound = process_bound(process);
    for (size_t i = m->entries; i-- > 0 && m->kept[i].stored >= bound;)
        if (m->kept[i].seat == seat &&
            (m->kept[i].kind == ENTRY_GIVEN || m->kept[i].kind == ENTRY_TAKEN))
            return true;
    return false;
}

static void check_due(struct conn *conn, struct mirror *m, const json_t *json, bool all)
{
    const json_t *due = json_object_get(json, "due"), *left = json_object_get(json, "left");
    struct es_turn turn = m->record->setup.game->turn(&m->record->setup, m->state);
    unsigned told = 0;
    if (!json_is_array(due) || json_array_size(due) != json_array_size(left))
        violated("room %s: due and left do not fit", m->room);
    for (size_t i = 0; i < json_array_size(due); i++) {
        long p = (long)json_integer_value(json_array_get(due, i));
        long ms = (long)json_integer_value(json_array_get(left, i));
        if (p < 1 || p > m->seats || told >> (p - 1))
            violated("room %s: seat %ld is due", m->room, p);
        told |= 1U << (p - 1);
        bool clock = m->clock && !m->bot[p][0];
        if (may_be_wrong(m, conn->process, (int)p))
            clock = ms != -1;
        if (clock ? ms < 0 || ms > (long)SECONDS(m->clock) : ms != -1)
            violated("room %s: seat %ld has %ld ms left, with a clock of %d s", m->room, p, ms,
                     m->clock);
    }
    conn->due = told;
    if (all && !m->closed && turn.kind == ES_TURN_PLAYERS && (turn.players & ~told))
        violated("room %s: a player who is due is not told as due", m->room);
}

static int viewer_of(struct mirror *m, struct conn *conn)
{
    int viewer = mirror_seat(m, guest_of(conn));
    if (!m->begun)
        violated("room %s: a game is told that has not begun", m->room);
    if (!viewer && !m->watch)
        violated("room %s: somebody watches where nobody may", m->room);
    return viewer;
}

/* Calls check_line for each event of a record's text; returns their number. */
static size_t check_text(struct mirror *m, int viewer, const struct seen *seen, const char *text)
{
    const char *at = strstr(text, "\n\n");
    size_t lines = 0;
    if (!at)
        violated("room %s: a view without an end of its header", m->room);
    for (at += 2; *at;) {
        const char *end = strchr(at, '\n');
        if (!end)
            violated("room %s: a line without an end", m->room);
        if (end > at)
            check_line(m, viewer, seen, lines++, (struct es_str){at, (size_t)(end - at)});
        at = end + 1;
    }
    return lines;
}

/* Texts with names of players must be equal if this is the same for both, and not UNSETTLED: the
 * number of deleted guests. While one of them has not been told, the name may be there or not. */
#define UNSETTLED SIZE_MAX
static size_t names_now(struct process *process)
{
    uint64_t bound = process_bound(process);
    for (size_t i = 0; i < forgotten_count; i++)
        if (!forgotten_told[i] || forgotten_told[i] >= bound)
            return UNSETTLED;
    return forgotten_count;
}

static bool same_names(size_t names, struct process *process)
{
    return names != UNSETTLED && names == names_now(process);
}

static bool same_bots(const struct es_record *a, const struct es_record *b)
{
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        if (strcmp(a->bot[p], b->bot[p]))
            return false;
    return true;
}

/* Every viewer gets the same header, with the room's setup. */
static void check_header(struct process *process, struct mirror *m, const char *text)
{
    const char *end = strstr(text, "\n\n");
    size_t size = (size_t)(end - text);
    if (m->header && same_names(m->names, process) &&
        (strlen(m->header) != size || memcmp(m->header, text, size)))
        violated("room %s: two headers of a view", m->room);
    if (m->header && same_names(m->names, process))
        return;
    m->header = sim_text("%.*s", (int)size, text);
    m->names = names_now(process);
    static struct es_record record;
    es_event none[4];
    struct es_state state;
    struct es_fault fault;
    record = (struct es_record){.events = none, .capacity = 4};
    char *whole = sim_text("%s\n\n", m->header);
    if (read_record(&record, es_str(whole), &state, &fault))
        violated("room %s: header line %d: %s", m->room, fault.line, fault.reason);
    if (record.setup.game != m->record->setup.game || record.setup.map != m->record->setup.map ||
        record.setup.rules != m->record->setup.rules ||
        record.setup.players != m->record->setup.players || !same_bots(&record, m->record) ||
        record.has_seed)
        violated("room %s: the header is not what was agreed:\n%s", m->room, m->header);
    if (strstr(m->header, "\nsecret") || strstr(m->header, "\nword") || strstr(m->header, "\nnote"))
        violated("room %s: the header of a view tells too much", m->room);
}

static void check_view(struct conn *conn, const json_t *json)
{
    struct mirror *m = room_of(conn);
    int viewer = viewer_of(m, conn);
    const struct seen *seen = seen_by(m, viewer);
    const char *text = field(json, "text");
    conn->told = (long)check_text(m, viewer, seen, text);
    check_header(conn->process, m, text);
    check_due(conn, m, json, (size_t)conn->told == seen->count);
}

static void check_lines(struct conn *conn, const json_t *json)
{
    struct mirror *m = room_of(conn);
    int viewer = viewer_of(m, conn);
    const struct seen *seen = seen_by(m, viewer);
    const json_t *lines = json_object_get(json, "lines");
    long from = number(json, "from", -1);
    if (from < 0 || (conn->told >= 0 && from != conn->told))
        violated("room %s: lines from %ld, after %ld lines", m->room, from, conn->told);
    for (size_t i = 0; i < json_array_size(lines); i++)
        check_line(m, viewer, seen, (size_t)from + i,
                   es_str(json_string_value(json_array_get(lines, i))));
    conn->told = from + (long)json_array_size(lines);
    if ((size_t)conn->told > seen->count)
        violated("room %s: viewer %d is told of %ld lines, but may know %zu", m->room, viewer,
                 conn->told, seen->count);
    check_due(conn, m, json, (size_t)conn->told == seen->count);
}

static void check_record(struct process *process, struct mirror *m, const char *text)
{
    if (!m->game_over && !(m->closed && m->begun))
        violated("room %s: the record is told, but the game is not over", m->room);
    if (m->told_record && same_names(m->record_names, process)) {
        if (strcmp(m->told_record, text))
            violated("room %s: two records of a game:\n%s\n%s", m->room, m->told_record, text);
        return;
    }
    m->told_record = keep(text);
    m->record_names = names_now(process);
    static struct es_record record;
    static es_event events[ES_EVENTS_MAX / 64];
    struct es_state state, scratch;
    struct es_fault fault;
    struct es_fair_facts facts;
    uint8_t commit[ES_FAIR_BYTES];
    record = (struct es_record){.events = events, .capacity = ES_EVENTS_MAX / 64};
    if (read_record(&record, es_str(m->told_record), &state, &fault))
        violated("room %s: the record cannot be read: line %d: %s", m->room, fault.line,
                 fault.reason);
    if (record.count != m->events ||
        (m->events && memcmp(events, m->event, m->events * sizeof *events)))
        violated("room %s: the record has other events than the list", m->room);
    if (m->commit[0] && !es_str_hex(es_str(m->commit), commit, sizeof commit))
        violated("room %s: a commit that is none", m->room);
    if (es_fair_verify(&record, es_str(m->told_record), m->commit[0] ? commit : NULL, &scratch,
                       &facts, &fault))
        violated("room %s: the record does not verify: line %d: %s", m->room, fault.line,
                 fault.reason);
    if (!facts.proved)
        violated("room %s: the record proves nothing", m->room);
    unsigned missing = 0;
    for (int p = 1; p <= m->seats; p++) {
        bool word = false;
        for (size_t i = 0; i < m->entries; i++)
            word = word || (m->kept[i].kind == ENTRY_WORD && m->kept[i].seat == p);
        missing |= (unsigned)(m->sitter[p][0] && !word) << (p - 1);
    }
    if (facts.missing != missing)
        violated("room %s: the record says that other words are missing", m->room);
    count("checked", "records verified");
    if (missing)
        count("checked", "records with words missing");
}

/* ---- Rooms ----------------------------------------------------------------------------------- */

static bool may_enter(struct mirror *m, struct conn *conn)
{
    const char *guest = guest_of(conn), *invited = strstr(m->kept[0].text, "invited ");
    if (m->open || !strcmp(conn->code, m->code))
        return true;
    if (!guest[0])
        return false;
    if (mirror_seat(m, guest) || !strcmp(m->host, guest) || !strcmp(m->kept[0].guest, guest))
        return true;
    /* The process may not know yet that they have left, or are not the host any more. */
    if (conn->process->id[0])
        for (size_t i = 0; i < m->entries; i++)
            if ((m->kept[i].kind == ENTRY_SAT && !strcmp(m->kept[i].guest, guest)) ||
                (m->kept[i].kind == ENTRY_HOST && !strcmp(m->kept[i].text, guest)))
                return true;
    const char *end = invited ? strchr(invited, '\n') : NULL;
    const char *found = invited ? strstr(invited, guest) : NULL;
    return found && found < end;
}

/* `entered`: it is told to somebody who has entered, not the answer to a request. */
static void check_room(struct conn *conn, struct mirror *m, const json_t *json, bool entered)
{
    static const char *const phases[] = {"waiting", "words", "playing", "over", "closed"};
    const char *phase = field(json, "phase"), *commit = field(json, "commit");
    size_t i = 0, n;
    json_t *seat;
    while (i < 5 && strcmp(phase, phases[i]))
        i++;
    count("phase", phase);
    if (i == 5 || (i == 1 && !m->started) || (i == 2 && !m->begun) ||
        (i == 3 && !(m->begun && m->game_over)) || (i == 4 && !m->closed))
        violated("room %s: told as %s, which is not durable", m->room, phase);
    if (m->commit[0] && strcmp(commit, m->commit))
        violated("room %s: two commits", m->room);
    snprintf(m->commit, sizeof m->commit, "%s", commit);
    if (field(json, "next")[0] && strcmp(field(json, "next"), m->next))
        violated("room %s: tells of a rematch that is not durable", m->room);
    if (number(json, "clock", -1) != m->clock || number(json, "patience", -1) != m->patience ||
        json_is_true(json_object_get(json, "open")) != m->open ||
        json_is_true(json_object_get(json, "watch")) != m->watch)
        violated("room %s: tells other settings than it was made with", m->room);
    int hosts = 0;
    unsigned here = 0;
    json_array_foreach(json_object_get(json, "seats"), n, seat)
    {
        const char *kind = field(seat, "kind"), *hash = field(seat, "hash");
        if (strcmp(kind, "person"))
            continue;
        here |= (unsigned)json_is_true(json_object_get(seat, "here")) << n;
        if (entered && n < ES_PLAYERS_MAX)
            conn->names[n] = hash_text(field(seat, "name"));
        hosts += json_is_true(json_object_get(seat, "host"));
        const struct kept *sat = NULL;
        for (size_t j = 0; j < m->entries && !sat; j++)
            if (m->kept[j].kind == ENTRY_SAT && !strcmp(m->kept[j].text, hash))
                sat = &m->kept[j];
        if (!sat)
            violated("room %s: tells of somebody who sat down, which is not durable", m->room);
        if (field(seat, "name")[0] && guest_deleted(sat->guest, process_bound(conn->process)))
            violated("room %s: tells the name of %s, who was forgotten", m->room, sat->guest);
        if (field(seat, "word")[0] && !m->begun)
            violated("room %s: tells a word before the game has begun", m->room);
    }
    if (hosts > 1)
        violated("room %s has %d hosts", m->room, hosts);
    if (!entered)
        return;
    conn->here = here;
    conn->watchers = (int)number(json, "watchers", -1);
    snprintf(conn->phase, sizeof conn->phase, "%s", phase);
    snprintf(conn->next_room, sizeof conn->next_room, "%s", field(json, "next"));
    /* Who entered without a code, because they sat there, may stay when they leave their seat. */
    conn->may_stay |= may_enter(m, conn);
    if (!may_enter(m, conn) && (!conn->may_stay || m->started))
        violated("room %s: told to somebody who may not know of it", m->room);
    if (field(json, "code")[0] && strcmp(conn->code, m->code) && strcmp(m->host, guest_of(conn)) &&
        !mirror_seat(m, guest_of(conn)) && !may_enter(m, conn))
        violated("room %s: its code is told to a stranger", m->room);
}

static void check_chat(struct conn *conn, const json_t *json)
{
    struct mirror *m = room_of(conn);
    long n = number(json, "n", -1), at = 0;
    if (n <= conn->chats)
        violated("room %s: tells the chat number %ld after %ld", m->room, n, conn->chats);
    conn->chats = n;
    for (size_t i = 0; i < m->entries; i++)
        if (m->kept[i].kind == ENTRY_CHAT && ++at == n) {
            if (strcmp(field(json, "text"), m->kept[i].text) &&
                (field(json, "text")[0] || !person_forgotten(m->kept[i].guest)))
                violated("room %s: tells another chat as number %ld", m->room, n);
            if (field(json, "text")[0] &&
                guest_deleted(m->kept[i].guest, process_bound(conn->process)))
                violated("room %s: tells what %s wrote, who was forgotten", m->room,
                         m->kept[i].guest);
            return;
        }
    violated("room %s: tells of the chat number %ld, but there are %ld", m->room, n, at);
}

static void forget_card(struct conn *conn, const char *room)
{
    for (size_t i = 0; i < conn->cards; i++)
        if (!strcmp(conn->card[i].room, room)) {
            conn->card[i] = conn->card[--conn->cards];
            return;
        }
}

/* Takes the list of open tables, or what has changed in it. */
static void check_lobby(struct conn *conn, const json_t *json, bool whole)
{
    size_t i;
    json_t *table;
    if (whole)
        conn->cards = 0;
    json_array_foreach(json_object_get(json, "gone"), i, table)
        forget_card(conn, json_string_value(table));
    json_array_foreach(json_object_get(json, "tables"), i, table)
    {
        struct mirror *m = mirror_of(field(table, "room"));
        if (!m)
            violated("the lobby tells of the room %s, which is not durable", field(table, "room"));
        if (!m->open)
            violated("the lobby tells of the room %s, which is by invitation", m->room);
        if (number(table, "clock", -1) != m->clock)
            violated("the lobby tells of another clock");
        forget_card(conn, m->room);
        struct card *card = &conn->card[conn->cards++];
        memcpy(card->room, m->room, sizeof card->room);
        card->taken = number(table, "taken", 0);
    }
}

/* Checks a guest's own rooms: none of another guest, and none missing that is not new. */
static void check_own_rooms(struct conn *conn, const json_t *json)
{
    const json_t *list = json_object_get(json, "rooms");
    const char *guest = guest_of(conn);
    size_t i;
    json_t *own;
    json_array_foreach((json_t *)list, i, own)
    {
        const struct mirror *m = mirror_of(field(own, "room"));
        bool was_there = false;
        if (!m)
            violated("%s is told of the room %s, which is not durable", guest, field(own, "room"));
        for (size_t j = 0; j < m->entries; j++) {
            const struct kept *k = &m->kept[j];
            was_there = was_there || (!strcmp(k->guest, guest) &&
                                      (k->kind == ENTRY_MADE || k->kind == ENTRY_SAT));
        }
        if (!was_there || strcmp(field(own, "code"), m->code))
            violated("%s is told of the room %s as their own", guest, m->room);
        count("checked", "rooms of one's own");
    }
    for (i = 0; i < mirror_count && json_array_size(list) < STORE_MINE_MAX; i++) {
        const struct mirror *m = mirrors[i];
        bool found = m->closed || m->game_over ||
                     (!mirror_seat(m, guest) && strcmp(m->host, guest)) ||
                     m->kept[m->entries - 1].time + MINUTES(5) > world.now;
        for (size_t j = 0; j < json_array_size(list) && !found; j++)
            found = !strcmp(field(json_array_get(list, j), "room"), m->room);
        if (!found)
            violated("%s is not told of the room %s, where they sit or host", guest, m->room);
    }
}

static void check_react(struct conn *conn, const json_t *json)
{
    if (!may_enter(room_of(conn), conn))
        violated("a reaction reaches a stranger");
    fresh_reaction_told(conn, field(json, "what"));
}

/* ---- Messages -------------------------------------------------------------------------------- */

/* The fields that each message may have. Another field might reveal something. */
static const struct {
    const char *type, *fields;
} allowed[] = {
    {"welcome", " t id v guest name colour "},
    {"room", " t room code phase open watch hints clock patience setup commit seat host seats "
             "watchers next "},
    {"view", " t id text hash due left "},
    {"lines", " t from lines hash due left "},
    {"record", " t text "},
    {"chat", " t n name colour seat who text ago "},
    {"react", " t seat name who what "},
    {"lobby", " t tables "},
    {"tables", " t tables gone "},
    {"ok", " t id room code seat decision "},
    {"no", " t id code decision event "},
    {"ticket", " t id ticket ms "},
    {"devices", " t id devices "},
    {"rooms", " t id rooms "},
    {"pong", " t id "},
    {"soon", " t ms "},
};
static const char seat_fields[] = " kind name colour who here host hash word bot late level ";
static const char table_fields[] = " room made setup seats taken clock names host ";

static void check_fields(const char *type, const json_t *json, const char *fields)
{
    const char *name;
    json_t *value;
    char word[40];
    json_object_foreach((json_t *)json, name, value)
    {
        snprintf(word, sizeof word, " %s ", name);
        if (!strstr(fields, word))
            violated("'%s' has the field '%s', which the protocol does not know", type, name);
    }
}

void check_told(struct conn *conn, const json_t *json, struct es_str text)
{
    const char *type = field(json, "t");
    size_t i = 0, n;
    json_t *part;
    (void)text;
    while (i < sizeof allowed / sizeof *allowed && strcmp(type, allowed[i].type))
        i++;
    if (i == sizeof allowed / sizeof *allowed)
        violated("says '%s', which the protocol does not know", type);
    count("told", type);
    check_fields(type, json, allowed[i].fields);
    json_array_foreach(json_object_get(json, "seats"), n, part)
    {
        check_fields("seat", part, seat_fields);
    }
    json_array_foreach(json_object_get(json, "tables"), n, part)
    {
        check_fields("table", part, table_fields);
    }
    struct request *r = answered(conn, json);
    if (conn->opening && (!strcmp(type, "welcome") || !strcmp(type, "no"))) {
        check_waited(conn, conn->opening);
        conn->opening = NULL;
    }
    if (!strcmp(type, "welcome")) {
        snprintf(conn->guest, sizeof conn->guest, "%s", field(json, "guest"));
        if (conn->guest[0] && person_of_guest(conn->guest) != conn->person)
            violated("welcomes somebody else");
        conn->welcome = true;
        conn->joined = world.now;
        fresh_entered(conn);
        return;
    }
    if (!conn->welcome && strcmp(type, "no") && strcmp(type, "pong") && strcmp(type, "soon"))
        violated("says '%s' before it has welcomed", type);
    if (!strcmp(type, "ok") && r)
        check_ok(conn, json, r);
    else if (!strcmp(type, "no"))
        check_no(conn, json, r);
    else if (!strcmp(type, "view"))
        check_view(conn, json);
    else if (!strcmp(type, "lines"))
        check_lines(conn, json);
    else if (!strcmp(type, "record")) {
        viewer_of(room_of(conn), conn);
        check_record(conn->process, room_of(conn), field(json, "text"));
    } else if (!strcmp(type, "room"))
        check_room(conn, room_of(conn), json, true);
    else if (!strcmp(type, "chat"))
        check_chat(conn, json);
    else if (!strcmp(type, "lobby") || !strcmp(type, "tables"))
        check_lobby(conn, json, !strcmp(type, "lobby"));
    else if (!strcmp(type, "rooms"))
        check_own_rooms(conn, json);
    else if (!strcmp(type, "react"))
        check_react(conn, json);
}

/* Checks the answer to a GET request about a room. */
static void check_got(struct conn *conn, struct es_str text)
{
    json_t *json;
    count("got", conn->what);
    if (!strcmp(conn->what, "rooms")) {
        json = json_loadb(text.at, text.size, 0, NULL);
        check_lobby(conn, json, true);
        json_decref(json);
        return;
    }
    struct mirror *m = room_of(conn);
    const char *copy = sim_text("%.*s", (int)text.size, text.at);
    for (int p = 1; p <= m->seats; p++) /* whose view it is */
        if (m->sitter[p][0] && conn->person >= 0 && person_of_guest(m->sitter[p]) == conn->person &&
            !person_forgotten(m->sitter[p]))
            memcpy(conn->guest, m->sitter[p], sizeof conn->guest);
    if (conn->person >= 0 && person_of_guest(m->host) == conn->person)
        memcpy(conn->guest, m->host, sizeof conn->guest);
    if (!strcmp(conn->what, "room")) {
        json = json_loadb(text.at, text.size, 0, NULL);
        check_room(conn, m, json, false);
        json_decref(json);
    } else if (!strcmp(conn->what, "record")) {
        int viewer = viewer_of(m, conn);
        if (strstr(copy, "\nsecret "))
            check_record(conn->process, m, copy);
        else
            check_text(m, viewer, seen_by(m, viewer), copy);
    } else {
        viewer_of(m, conn);
    }
}

void check_saved(struct process *process, const char *room, struct es_str text)
{
    struct mirror *m = mirror_of(room);
    if (!m || m->deleted)
        return; /* by another process */
    check_record(process, m, sim_text("%.*s", (int)text.size, text.at));
    m->saved = true;
}

void check_reply(struct conn *conn, int status, const char *type, struct es_str text)
{
    char name[16];
    if (conn->opening)
        check_waited(conn, conn->opening);
    conn->opening = NULL;
    snprintf(name, sizeof name, "%d", status);
    count("reply", name);
    (void)type;
    if (status == 200 && conn->what[0])
        check_got(conn, text);
    if (status == 200 && conn->makes_guest)
        check_limit("", conn->address, world.limits.guests_of_address);
    if (status != 200 && text.size) {
        json_t *json = json_loadb(text.at, text.size, 0, NULL);
        if (field(json, "code")[0])
            count("refused", field(json, "code"));
        json_decref(json);
    }
}

/* ---- Crashes and the end --------------------------------------------------------------------- */

void check_kept(void)
{
    for (size_t i = 0; i < mirror_count; i++) {
        struct mirror *m = mirrors[i];
        struct store_question q = {.kind = STORE_READ, .first = 1};
        struct store_answer a;
        memcpy(q.head.room, m->room, sizeof m->room);
        disk_read(&q, &a);
        if (m->deleted) {
            if (a.found)
                violated("room %s: the store has it, but it was deleted", m->room);
            continue;
        }
        if (!a.found || a.entries != m->entries)
            violated("room %s: the store has %zu entries of %zu", m->room, a.entries, m->entries);
        for (size_t j = 0; j < a.entries; j++) {
            const struct store_entry *e = &a.entry[j];
            const struct kept *k = &m->kept[j];
            bool same = es_str_is(e->text, k->text) || (k->kind == ENTRY_CHAT && !e->text.size);
            if (!same || e->kind != k->kind || e->seat != k->seat || e->decision != k->decision ||
                e->time != k->time || strcmp(e->guest, k->guest) || strcmp(e->key, k->key))
                violated("room %s: entry %zu has changed in the store", m->room, j + 1);
        }
        free(a.memory);
    }
}

/* Checks that the store has no name or chat of a deleted guest. */
static void check_forgotten(void)
{
    for (size_t i = 0; i < mirror_count; i++) {
        struct store_question q = {.kind = STORE_READ, .first = 1};
        struct store_answer a;
        memcpy(q.head.room, mirrors[i]->room, sizeof q.head.room);
        disk_read(&q, &a);
        for (size_t k = 0; k < forgotten_count; k++) {
            const char *guest = forgotten[k];
            for (size_t at = 0; at + 16 <= a.head.people.size; at++)
                if (!memcmp(a.head.people.at + at, guest, 16))
                    violated("room %s: the name of %s is there, who was forgotten",
                             mirrors[i]->room, guest);
            for (size_t j = 0; j < a.entries; j++)
                if (a.entry[j].kind == ENTRY_CHAT && a.entry[j].text.size &&
                    !strcmp(a.entry[j].guest, guest))
                    violated("room %s: the chat of %s is there, who was forgotten",
                             mirrors[i]->room, guest);
        }
        free(a.memory);
    }
}

bool check_done(void)
{
    for (size_t i = 0; i < mirror_count; i++)
        if (mirrors[i]->started && !mirrors[i]->closed && !mirrors[i]->game_over)
            return false;
    return true;
}

bool check_complete(const char *room, int viewer, size_t lines)
{
    struct mirror *m = mirror_of(room);
    return m && (!m->begun || seen_by(m, viewer)->count == lines);
}

void check_end(void)
{
    size_t begun = 0, over = 0;
    check_kept();
    check_forgotten();
    for (size_t i = 0; i < mirror_count; i++) {
        struct mirror *m = mirrors[i];
        begun += m->begun;
        over += m->begun && m->game_over;
        if (m->started && !m->begun && !m->closed)
            violated("room %s: its words never came to an end", m->room);
        if (!m->begun || m->game_over || m->closed)
            continue;
        struct es_turn turn = m->record->setup.game->turn(&m->record->setup, m->state);
        if (turn.kind != ES_TURN_PLAYERS)
            violated("room %s: a card or tile is due, and does not come", m->room);
        for (int p = 1; p <= m->seats; p++)
            if ((turn.players >> (p - 1) & 1) && (m->bot[p][0] || m->clock))
                violated("room %s: seat %d is due, which a bot or the clock moves for", m->room, p);
        count("checked", "games that wait for somebody");
    }
    for (size_t i = 0; i < begun; i++)
        count("checked", "games begun");
    for (size_t i = 0; i < over; i++)
        count("checked", "games ended");
    for (size_t i = 0; i < mirror_count; i++)
        count("checked", "rooms");
    if (mirror_count < 8)
        violated("only %zu rooms were made: the simulation is too weak", mirror_count);
}
