/* The world of the simulation: time, the network, the server's processes and the bots. */
#include "sim.h"
#include <endstation/bots.h>
#ifdef ROOMS_MUTATIONS
#include "rooms/internal.h"
#endif

struct world world;

enum { GRACE_MS = 20000 }; /* see process_knows() */

/* ---- Time ------------------------------------------------------------------------------------ */

struct event {
    uint64_t when, order;
    enum event_kind kind;
    void *what;
    uint64_t number;
};

/* A binary heap by time; events of the same time in the order in which they were added. */
static struct event *heap;
static size_t heap_size, heap_room;
static uint64_t heap_order;

static bool sooner(const struct event *a, const struct event *b)
{
    return a->when != b->when ? a->when < b->when : a->order < b->order;
}

void after(uint64_t ms, enum event_kind kind, void *what, uint64_t number)
{
    if (heap_size == heap_room) {
        heap_room = heap_room ? 2 * heap_room : 1024;
        heap = realloc(heap, heap_room * sizeof *heap);
        if (!heap)
            abort();
    }
    struct event event = {world.now + ms, heap_order++, kind, what, number};
    size_t i = heap_size++;
    for (; i > 0 && sooner(&event, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = event;
}

static struct event next_event(void)
{
    struct event first = heap[0], last = heap[--heap_size];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child + 1 < heap_size && sooner(&heap[child + 1], &heap[child]))
            child++;
        if (child >= heap_size || !sooner(&heap[child], &last))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

uint32_t below(uint32_t n)
{
    return es_random_below(&world.random, n);
}

bool chance(uint32_t n)
{
    return below(n) == 0;
}

uint64_t between(uint64_t a, uint64_t b)
{
    return a + es_random_next(&world.random) % (b - a + 1);
}

/* ---- Sheets and records ---------------------------------------------------------------------- */

static char own_text[64 << 10];

/* The sheet that people upload is the practice sheet under another id. */
struct es_str own_map_text(void)
{
    struct es_str text = es_builtin_map(es_str("practice"));
    if (!own_text[0]) {
        const char *id = strstr(text.at, "id practice\n");
        if (!id || text.size >= sizeof own_text)
            abort();
        snprintf(own_text, sizeof own_text, "%.*sid mine\n%.*s", (int)(id - text.at), text.at,
                 (int)(text.size - (size_t)(id - text.at) - 12), id + 12);
    }
    return es_str(own_text);
}

static const struct es_map *load_map(struct es_str id, struct es_str text)
{
    struct es_fault fault;
    for (int i = 0; i < SIM_MAPS; i++) {
        if (!world.map[i]) {
            world.map[i] = calloc(1, sizeof *world.map[i]);
            if (!world.map[i] || es_map_read(world.map[i], text, &fault))
                abort();
        }
        if (es_str_is(id, world.map[i]->id))
            return world.map[i];
    }
    return NULL;
}

const char *own_map_hash(void)
{
    return load_map(es_str("mine"), own_map_text())->hash;
}

const struct es_map *world_map(const char *id, const char *hash)
{
    struct es_str text = strcmp(id, "mine") ? es_builtin_map(es_str(id)) : own_map_text();
    const struct es_map *map = text.size ? load_map(es_str(id), text) : NULL;
    return map && hash[0] && strcmp(hash, map->hash) ? NULL : map;
}

es_status read_record(struct es_record *record, struct es_str text, struct es_state *state,
                      struct es_fault *fault)
{
    if (!record->events) {
        record->capacity = 2048;
        record->events = sim_alloc(record->capacity * sizeof *record->events);
    }
    es_status status = es_record_header(record, text, fault);
    if (status)
        return status;
    const struct es_map *map =
        record->map_id[0] ? world_map(record->map_id, record->map_hash) : NULL;
    return es_record_events(record, map, state, fault);
}

void report_hash(const struct es_setup *setup, const struct es_state *state, char hash[17])
{
    static char text[ES_REPORT_BYTES];
    struct es_out out = {text, sizeof text, 0}, hex = {hash, 16, 0};
    struct es_sha256 sha;
    uint8_t digest[ES_SHA256_BYTES];
    setup->game->report(setup, state, &out);
    es_sha256_init(&sha);
    es_sha256_update(&sha, text, out.used);
    es_sha256_final(&sha, digest);
    es_out_hex(&hex, digest, 8);
    hash[16] = '\0';
}

void format_event(const struct es_setup *setup, es_event event, char text[ES_EVENT_BYTES + 1])
{
    struct es_out out = {text, ES_EVENT_BYTES, 0};
    setup->game->format(setup, event, &out);
    text[out.used] = '\0';
}

/* ---- Processes ------------------------------------------------------------------------------- */

static uint64_t clock_of(struct process *process)
{
    uint64_t real = world.now + process->offset + (uint64_t)process->wrong;
#ifdef ROOMS_MUTATIONS
    if (rooms_mutation == ROOMS_TRUST_CLOCK && real > process->clock.base + world.now)
        clock_start(&process->clock, world.now, real);
#endif
    return clock_now(&process->clock, world.now, real);
}

/* Sets a machine's clock wrong for some seconds, by hours or days, or right again. */
static void set_clock(struct process *process, bool is_wrong)
{
    if (!process->rooms || (is_wrong && world.healing))
        return;
    process->wrong = is_wrong ? (int64_t)between(HOURS(1), HOURS(72)) : 0;
    if (!is_wrong)
        return;
    if (chance(2))
        process->wrong = -process->wrong;
    count("fault", process->wrong > 0 ? "clock ahead" : "clock behind");
    after(between(SECONDS(1), SECONDS(50)), EVENT_CLOCK, process, 0);
}

static void step(struct process *process, struct rooms_input input)
{
    input.now = clock_of(process);
    world.steps++;
    rooms_step(process->rooms, &input);
}

void process_troubled(struct process *process, uint64_t ms)
{
    if (world.now + ms > process->clear)
        process->clear = world.now + ms;
}

uint64_t process_knows(struct process *process)
{
    if (process_healthy(process) && world.now - GRACE_MS > process->knows)
        process->knows = world.now - GRACE_MS;
    return process->knows;
}

bool process_healthy(const struct process *process)
{
    return process->rooms && !process->frozen && !process->draining && !disk_troubled(process) &&
           world.now > process->clear + GRACE_MS;
}

uint64_t process_bound(struct process *process)
{
    return process->id[0] ? process_knows(process) : UINT64_MAX;
}

/* Chooses the process that a new connection goes to. The proxy chooses by the room's id among those
 * that run; but its choice is not always the same. */
static struct process *route(const char *room, enum rooms_path path)
{
    struct process *up[SIM_PROCESSES];
    uint32_t count_up = 0, hash = 2166136261U;
    if (world.processes > 1 && (world.scattered || chance(path == ROOMS_ROOM ? 6 : 2)))
        return &world.process[below((uint32_t)world.processes)]; /* perhaps one that is away */
    for (int i = 0; i < world.processes; i++)
        if (world.process[i].rooms && !world.process[i].draining)
            up[count_up++] = &world.process[i];
    for (const char *c = room; *c; c++)
        hash = (hash ^ (uint8_t)*c) * 16777619U;
    return count_up ? up[hash % count_up] : &world.process[below((uint32_t)world.processes)];
}

/* ---- Connections ----------------------------------------------------------------------------- */

static void drop(struct packet *packet)
{
    json_decref(packet->json);
    free(packet);
}

static void drop_waiting(struct conn *conn)
{
    for (struct packet *packet = conn->waiting, *next; packet; packet = next) {
        next = packet->next;
        drop(packet);
    }
    conn->waiting = NULL;
    conn->waiting_end = &conn->waiting;
    conn->backlog = 0;
}

struct conn *world_open(struct tab *tab, enum rooms_path path, const char *room, const char *token,
                        uint64_t address)
{
    struct conn *conn = sim_alloc(sizeof *conn);
    *conn = (struct conn){.id = ++world.next_conn,
                          .process = route(room, path),
                          .path = path,
                          .address = address,
                          .tab = tab,
                          .client_has = true,
                          .person = -1,
                          .told = -1,
                          .next = world.conns,
                          .up_ms = (uint32_t)between(1, 60),
                          .down_ms = (uint32_t)between(1, 60)};
    conn->waiting_end = &conn->waiting;
    snprintf(conn->room, sizeof conn->room, "%s", room);
    snprintf(conn->token, sizeof conn->token, "%s", token);
    world.conns = conn;
    if (!world.healing && chance(6)) {
        conn->up_ms += below(3000);
        conn->down_ms += below(3000);
        count("fault", "slow network");
    }
    conn->up_last = world.now + conn->up_ms;
    after(conn->up_ms, EVENT_OPENED, conn, 0);
    /* Most connections fail sooner or later; requests are short. */
    if (!world.healing && !world.calm && path != ROOMS_REQUEST)
        after(chance(4) ? between(1, SECONDS(20)) : between(SECONDS(20), HOURS(4)), EVENT_BREAK,
              conn, 0);
    if (!world.healing && !world.calm && path == ROOMS_REQUEST && chance(12))
        after(between(0, 400), EVENT_BREAK, conn, 0);
    return conn;
}

static struct packet *make_packet(struct conn *conn, struct es_str text)
{
    struct packet *packet = malloc(sizeof *packet + text.size + 1);
    if (!packet)
        abort();
    *packet = (struct packet){.conn = conn, .size = text.size};
    if (text.size)
        memcpy(packet->text, text.at, text.size);
    packet->text[text.size] = '\0';
    return packet;
}

void world_send(struct conn *conn, const char *text, size_t size)
{
    uint64_t when = world.now + conn->up_ms + below(20);
    if (when < conn->up_last)
        when = conn->up_last;
    conn->up_last = when;
    struct packet *packet = make_packet(conn, (struct es_str){text, size});
    packet->request = check_sent(conn, text, size);
    after(when - world.now, EVENT_UP, packet, 0);
}

static void client_lost(struct conn *conn, int status)
{
    if (!conn->client_has)
        return;
    conn->client_has = false;
    drop_waiting(conn);
    if (conn->path == ROOMS_REQUEST)
        request_answered(conn, 0, es_str(""));
    else if (conn->tab)
        tab_lost(conn->tab, conn, status);
}

static void server_lost(struct conn *conn)
{
    if (!conn->server_has)
        return;
    conn->server_has = false;
    trace("gone", conn->id, es_str(""));
    fresh_left(conn);
    if (conn->process->rooms)
        step(conn->process, (struct rooms_input){.kind = ROOMS_GONE, .connection = conn->id});
}

void world_leave(struct conn *conn, bool rude)
{
    conn->client_has = false;
    drop_waiting(conn);
    conn->cut_down = true;
    if (rude) {
        count("fault", "half-open: the client has gone");
        after(between(SECONDS(1), MINUTES(3)), EVENT_SERVER_LOST, conn, 0);
        return;
    }
    uint64_t when = world.now + conn->up_ms;
    after((when < conn->up_last ? conn->up_last : when) - world.now, EVENT_SERVER_LOST, conn, 0);
}

/* Lets the network fail an open connection in one of several ways. */
static void break_conn(struct conn *conn)
{
    if (!conn->client_has || world.healing)
        return;
    switch (below(6)) {
    case 0:
        count("fault", "connection lost, both notice");
        conn->cut_up = conn->cut_down = true;
        after(between(0, SECONDS(2)), EVENT_SERVER_LOST, conn, 0);
        after(between(0, SECONDS(2)), EVENT_CLIENT_LOST, conn, 0);
        break;
    case 1:
        count("fault", "half-open: the client noticed");
        conn->cut_down = true;
        if (chance(2))
            conn->cut_up = true;
        after(between(SECONDS(5), MINUTES(3)), EVENT_SERVER_LOST, conn, 0);
        after(between(0, SECONDS(1)), EVENT_CLIENT_LOST, conn, 0);
        break;
    case 2:
        count("fault", "half-open: the server noticed");
        conn->cut_up = conn->cut_down = true;
        after(between(0, SECONDS(1)), EVENT_SERVER_LOST, conn, 0);
        after(between(SECONDS(3), MINUTES(1)), EVENT_CLIENT_LOST, conn, 0);
        break;
    case 3:
        count("fault", "silence: nobody noticed");
        conn->cut_up = conn->cut_down = true;
        after(between(SECONDS(20), MINUTES(4)), EVENT_SERVER_LOST, conn, 0);
        after(between(SECONDS(3), SECONDS(25)), EVENT_CLIENT_LOST, conn, 0);
        break;
    case 4:
        count("fault", "messages late: after the next connection's");
        conn->up_ms += (uint32_t)between(SECONDS(5), SECONDS(50));
        after(between(SECONDS(3), SECONDS(9)), EVENT_CLIENT_LOST, conn, 0);
        after(between(MINUTES(1), MINUTES(3)), EVENT_SERVER_LOST, conn, 0);
        break;
    default:
        count("fault", "slow reader");
        conn->stalled = true;
        /* Some send `again` all the while, as fast as the limits allow. */
        if (conn->path == ROOMS_ROOM && conn->told > 40 && chance(12)) {
            for (uint64_t i = 0; i < 290; i++)
                after(SECONDS(1) + i * 620, EVENT_RESUME, conn, 1);
            after(MINUTES(4), EVENT_RESUME, conn, 0);
        } else {
            after(between(SECONDS(1), MINUTES(5)), EVENT_RESUME, conn, 0);
        }
    }
}

static void deliver(struct packet *packet)
{
    struct conn *conn = packet->conn;
    if (conn->path == ROOMS_REQUEST) {
        if (conn->client_has) {
            conn->client_has = false;
            request_answered(conn, packet->status, (struct es_str){packet->text, packet->size});
        }
    } else if (conn->client_has && conn->tab)
        tab_heard(conn->tab, conn, packet->json, (struct es_str){packet->text, packet->size});
    drop(packet);
}

static void arrived(struct packet *packet)
{
    struct conn *conn = packet->conn;
    if (!conn->client_has || conn->cut_down) {
        drop(packet);
        return;
    }
    if (!conn->stalled && !conn->waiting) {
        deliver(packet);
        return;
    }
    conn->backlog += packet->size;
    *conn->waiting_end = packet;
    conn->waiting_end = &packet->next;
    if (conn->backlog > SIM_BACKLOG) {
        count("fault", "slow reader: too much waits, closed");
        conn->cut_up = conn->cut_down = true;
        after(0, EVENT_SERVER_LOST, conn, 0);
        after(between(0, SECONDS(5)), EVENT_CLIENT_LOST, conn, 0);
    }
}

static void resume(struct conn *conn, bool more)
{
    if (!conn->client_has)
        return;
    if (more) {
        if (conn->stalled)
            world_send(conn, "{\"t\":\"again\"}", 13);
        return;
    }
    conn->stalled = false;
    while (conn->waiting && conn->client_has) {
        struct packet *packet = conn->waiting;
        conn->waiting = packet->next;
        if (!conn->waiting)
            conn->waiting_end = &conn->waiting;
        conn->backlog -= packet->size;
        deliver(packet);
    }
}

/* ---- Bots ------------------------------------------------------------------------------------ */

struct thought {
    struct process *process;
    unsigned life; /* its `starts`: a process that ends takes its bots with it */
    uint64_t question;
    int seat;
    bool forgotten;
    bool dies;
    char level[ES_LEVEL_BYTES];
    struct es_str text, map;
    struct thought *next;
};

static struct es_str keep_str(struct es_str text)
{
    char *copy = sim_alloc(text.size + 1);
    if (text.size)
        memcpy(copy, text.at, text.size);
    copy[text.size] = '\0';
    return (struct es_str){copy, text.size};
}

static void think(struct process *process, const struct rooms_output *output)
{
    struct thought *thought = sim_alloc(sizeof *thought);
    *thought = (struct thought){.process = process,
                                .life = process->starts,
                                .question = output->question,
                                .seat = output->seat,
                                .next = process->thoughts};
    if (!es_str_copy(output->level, thought->level, sizeof thought->level))
        violated("a bot's level is too long");
    if (output->ms < 1 || output->ms > 1000)
        violated("a bot may think for %llu ms", (unsigned long long)output->ms);
    thought->text = keep_str(output->text);
    thought->map = keep_str(output->map);
    process->thoughts = thought;
    uint64_t ms = between(1, 900);
    if (!world.healing && !world.calm && chance(20)) {
        ms = between(SECONDS(2), SECONDS(40));
        count("fault", "slow bot");
    } else if (!world.healing && !world.calm && chance(30)) {
        thought->dies = true;
        count("fault", "bot died");
    } else if (!world.healing && !world.calm && chance(200)) {
        thought->dies = true;
        ms = HOURS(1);
        count("fault", "bot never answers");
    }
    if (ms > SECONDS(1) && world.now + ms > world.bots_slow)
        world.bots_slow = world.now + ms;
    after(ms, EVENT_BOT, thought, 0);
}

static void forget(struct process *process, uint64_t question)
{
    for (struct thought **at = &process->thoughts; *at; at = &(*at)->next)
        if ((*at)->question == question) {
            (*at)->forgotten = true;
            *at = (*at)->next;
            count("output", "forget");
            return;
        }
}

/* A bot answers from its seat's view alone. All levels but `random` play like `greedy`, because
 * searching takes too long. */
static void bot_answers(struct thought *thought)
{
    char text[ES_EVENT_BYTES + 1] = "";
    struct process *process = thought->process;
    if (thought->forgotten || !process->rooms || thought->life != process->starts)
        return;
    for (struct thought **at = &process->thoughts; *at; at = &(*at)->next)
        if (*at == thought) {
            *at = thought->next;
            break;
        }
    if (!thought->dies) {
        static es_event events[2048];
        static struct es_record record;
        struct es_fault fault;
        struct es_state state;
        struct es_bot bot;
        struct es_thought how = {.seed = thought->question};
        record = (struct es_record){.events = events, .capacity = 2048};
        es_status status = read_record(&record, thought->text, &state, &fault);
        if (status)
            violated("a bot's question cannot be read: line %d: %s", fault.line, fault.reason);
        if (record.map_id[0] && !strcmp(record.map_id, "mine") != (thought->map.size > 0))
            violated("a bot's question has a sheet that is built in, or lacks one that is not");
        status = es_bot_fault(&record.setup, &state, thought->seat);
        if (status)
            violated("a bot is asked for seat %d, but %s", thought->seat, es_status_text(status));
        if (es_bot_named(record.setup.game, es_str(thought->level), &bot))
            violated("a bot of the unknown level '%s' is asked", thought->level);
        const char *quick = strcmp(thought->level, "random") ? "greedy" : "random";
        es_bot_named(record.setup.game, es_str(quick), &bot);
        format_event(&record.setup, bot.think(&bot, &record.setup, &state, thought->seat, &how),
                     text);
    }
    step(process, (struct rooms_input){
                      .kind = ROOMS_THOUGHT, .question = thought->question, .text = es_str(text)});
}

/* ---- What a process does --------------------------------------------------------------------- */

static struct conn *conn_of(uint64_t id)
{
    for (struct conn *conn = world.conns; conn; conn = conn->next)
        if (conn->id == id)
            return conn;
    return NULL;
}

static void send_down(struct conn *conn, struct packet *packet)
{
    uint64_t when = world.now + conn->down_ms + below(20);
    if (when < conn->down_last)
        when = conn->down_last;
    conn->down_last = when;
    after(when - world.now, EVENT_DOWN, packet, 0);
}

/* Returns the connection that a process speaks of; NULL if it has none of that number. */
static struct conn *conn_at(const struct process *process, uint64_t id)
{
    struct conn *conn = conn_of(id);
    return conn && conn->server_has && conn->process == process ? conn : NULL;
}

static void tell(const struct process *process, const struct rooms_output *output)
{
    json_t *json = read_json(output->text);
    if (!json_is_object(json))
        violated("not JSON: %.*s", (int)output->text.size, output->text.at);
    for (size_t i = 0; i < output->connections; i++) {
        struct conn *conn = conn_at(process, output->connection[i]);
        if (!conn)
            violated("sends to the connection %llu, which is not open",
                     (unsigned long long)output->connection[i]);
        if (conn->path == ROOMS_REQUEST)
            violated("sends a message as answer to a request");
        trace("tell", conn->id, output->text);
        check_told(conn, json, output->text);
        struct packet *packet = make_packet(conn, output->text);
        packet->json = json_incref(json);
        send_down(conn, packet);
    }
    json_decref(json);
}

/* Writes a record to disk, which takes its time and may fail. */
static void save(struct process *process, const struct rooms_output *output)
{
    bool fails = !world.healing && !world.calm && chance(5);
    if (!fails)
        check_saved(process, output->room, output->text);
    else
        count("fault", "record not written");
    after(between(1, chance(10) ? SECONDS(20) : 30), EVENT_SAVED, process,
          (uint64_t)process->starts << 1 | fails);
}

static void carry_out(void *context, const struct rooms_output *output)
{
    static char text[64];
    struct process *process = context;
    struct conn *conn;
    switch (output->kind) {
    case ROOMS_SEND:
        tell(process, output);
        return;
    case ROOMS_REPLY:
        conn = conn_at(process, *output->connection);
        if (!conn || conn->path != ROOMS_REQUEST)
            violated("replies where there is no request");
        trace("reply", conn->id, output->text);
        check_reply(conn, output->status, output->type, output->text);
        struct packet *packet = make_packet(conn, output->text);
        packet->status = output->status;
        send_down(conn, packet);
        after(1, EVENT_SERVER_LOST, conn, 0);
        return;
    case ROOMS_KNOWN:
        if (!conn_at(process, *output->connection))
            violated("knows a connection that is not open");
        return;
    case ROOMS_CLOSE:
        conn = conn_at(process, *output->connection);
        if (!conn)
            violated("closes a connection that is not open");
        trace("close", conn->id, es_str(""));
        fresh_left(conn);
        snprintf(text, sizeof text, "%d", output->status);
        count("close", text);
        conn->cut_up = conn->closing = true;
        after(1, EVENT_SERVER_LOST, conn, 0);
        after((conn->down_last > world.now ? conn->down_last - world.now : 0) + 1,
              EVENT_CLIENT_LOST, conn, (uint64_t)output->status);
        return;
    case ROOMS_ASK:
        disk_ask(process, output->store);
        return;
    case ROOMS_THINK:
        trace("think", output->question, output->text);
        count("output", "think");
        think(process, output);
        return;
    case ROOMS_FORGET:
        forget(process, output->question);
        return;
    case ROOMS_WAKE:
        process->wake = output->when;
        if (output->when)
            after(output->when > clock_of(process) ? output->when - clock_of(process) : 0,
                  EVENT_WAKE, process, output->when);
        return;
    case ROOMS_SAVE:
        count("output", "save");
        save(process, output);
        return;
    case ROOMS_LOG:
        count("output", "log");
        if (verbose)
            trace("log", 0, es_str(rooms_event_about[output->event->kind].name));
        return;
    }
}

static void start(struct process *process)
{
    struct rooms_options options = {
        .out = carry_out, .context = process, .limits = world.limits, .keep = world.keep};
    if (process->rooms)
        return;
    for (int i = 0; i < 32; i += 8) {
        uint64_t bits = es_random_next(&world.random);
        memcpy(options.seed + i, &bits, 8);
    }
    for (int i = 0; world.processes > 1 && i < STORE_PROCESS_BYTES - 1; i++)
        options.process[i] = "abcdefghijklmnopqrstuvwxyz234567"[below(32)];
    memcpy(process->id, options.process, sizeof process->id);
    process->wake = 0;
    process->draining = false;
    process->gaps = 0;
    process->knows = 0;
    process->clear = world.now;
    process->wrong = 0;
    clock_start(&process->clock, world.now, world.now + process->offset);
    trace("start", (uint64_t)process->index << 8 | process->starts++, es_str(process->id));
    process->rooms = rooms_new(&options);
    if (!process->rooms)
        abort();
    rooms_start(process->rooms, clock_of(process));
    disk_start(process);
}

static void drop_held(struct process *process)
{
    for (size_t i = 0; i < process->held_count; i++)
        if (process->held[i].kind == EVENT_UP)
            drop(process->held[i].what);
    process->held_count = 0;
    process->frozen = false;
}

/* Ends a process without warning. */
static void crash(struct process *process, bool wanted)
{
    if (!process->rooms)
        return;
    trace("crash", (uint64_t)process->index, es_str(""));
    count("fault", wanted ? "server ended and started" : "crash");
    bool late = !wanted && !world.healing && chance(3);
    if (late)
        count("fault", "crash that nobody notices for a while");
    rooms_free(process->rooms);
    process->rooms = NULL;
    process->thoughts = NULL;
    process->draining = false;
    drop_held(process);
    disk_crash(process);
    for (struct conn *conn = world.conns; conn; conn = conn->next)
        if (conn->process == process && (conn->server_has || !conn->opened)) {
            if (conn->server_has)
                fresh_left(conn);
            conn->server_has = false;
            conn->opened = true;
            conn->cut_up = conn->cut_down = true;
            if (conn->client_has && late)
                after(between(SECONDS(40), MINUTES(3)), EVENT_CLIENT_LOST, conn, 0);
            else if (conn->client_has)
                after(chance(10) ? between(SECONDS(3), MINUTES(1)) : between(0, SECONDS(2)),
                      EVENT_CLIENT_LOST, conn, 0);
        }
    check_kept();
    after(wanted || !chance(6) ? between(100, SECONDS(20)) : between(SECONDS(20), MINUTES(15)),
          EVENT_START, process, 0);
}

static void opened(struct conn *conn)
{
    conn->opened = true;
    if (conn->cut_up)
        return;
    if (!conn->process->rooms) {
        count("fault", "no server to connect to");
        conn->cut_up = true;
        after(below(300), EVENT_CLIENT_LOST, conn, 0);
        return;
    }
    conn->server_has = true;
    trace("open", conn->id, es_str(conn->room));
    step(conn->process, (struct rooms_input){.kind = ROOMS_OPENED,
                                             .connection = conn->id,
                                             .path = conn->path,
                                             .room = es_str(conn->room),
                                             .address = conn->address,
                                             .network = conn->address / 4,
                                             .token = es_str(conn->token)});
}

static void message_arrives(struct packet *packet)
{
    struct conn *conn = packet->conn;
    if (conn->process->rooms && conn->server_has && !conn->cut_up) {
        struct es_str text = {packet->text, packet->size};
        trace("hear", conn->id, text);
        if (!conn->client_has)
            count("fault", "a message of a connection that the client has given up");
        fresh_heard(conn, text);
        check_heard(packet->request);
        step(conn->process,
             (struct rooms_input){.kind = ROOMS_MESSAGE, .connection = conn->id, .text = text});
    }
    drop(packet);
}

void world_answer(struct process *process, const struct store_answer *answer)
{
    if (process->rooms)
        step(process, (struct rooms_input){.kind = ROOMS_ANSWER, .answer = answer});
}

void world_news(struct process *process, const struct store_news *news)
{
    step(process, (struct rooms_input){.kind = ROOMS_NEWS, .news = news});
}

/* ---- A machine that stands still ------------------------------------------------------------- */

/* Returns the process that an event happens to; NULL: none. */
static struct process *happens_to(const struct event *event)
{
    switch (event->kind) {
    case EVENT_OPENED:
    case EVENT_SERVER_LOST:
        return ((struct conn *)event->what)->process;
    case EVENT_UP:
        return ((struct packet *)event->what)->conn->process;
    case EVENT_BOT:
        return ((struct thought *)event->what)->process;
    case EVENT_NEWS:
        return disk_hearer(event->what);
    case EVENT_WAKE:
    case EVENT_SAVED:
    case EVENT_ANSWER:
    case EVENT_DRAIN:
        return event->what;
    default:
        return NULL;
    }
}

static void hold(struct process *process, const struct event *event)
{
    if (process->held_count == process->held_room) {
        process->held_room = process->held_room ? 2 * process->held_room : 64;
        struct event *more = sim_alloc(process->held_room * sizeof *more);
        if (process->held_count)
            memcpy(more, process->held, process->held_count * sizeof *more);
        process->held = more;
    }
    process->held[process->held_count++] = *event;
}

static void freeze(struct process *process)
{
    if (world.healing || !process->rooms || process->frozen)
        return;
    count("fault", "machine stands still");
    trace("freeze", (uint64_t)process->index, es_str(""));
    process->frozen = true;
    after(chance(4) ? between(SECONDS(20), MINUTES(5)) : between(500, SECONDS(20)), EVENT_THAW,
          process, process->starts);
}

/* ---- A seed ---------------------------------------------------------------------------------- */

static void forget_conns(void)
{
    for (struct conn **at = &world.conns; *at;) {
        if ((*at)->opened && !(*at)->server_has && !(*at)->client_has)
            *at = (*at)->next;
        else
            at = &(*at)->next;
    }
}

static void happen(const struct event *event);

static void thaw(struct process *process, uint64_t life)
{
    if (!process->frozen || process->starts != life)
        return;
    trace("thaw", (uint64_t)process->index, es_str(""));
    process->frozen = false;
    process->thawed = world.now;
    process_troubled(process, 0);
    for (size_t i = 0; i < process->held_count; i++)
        happen(&process->held[i]);
    process->held_count = 0;
}

/* The last act: people have played, and every game is over. A process ends for good, if there are
 * others, and some people go home. Then everybody else is told so. */
static void last_act(void)
{
    int running = 0;
    struct process *last = &world.process[below((uint32_t)world.processes)];
    trace("last", 0, es_str(""));
    for (int i = 0; i < world.processes; i++)
        running += world.process[i].rooms != NULL;
    last->gone = running > 1;
    if (last->gone)
        crash(last, false);
    people_leave();
}

static void happen(const struct event *event)
{
    struct conn *conn = event->what;
    struct process *process = happens_to(event);
    if (process && process->frozen) {
        hold(process, event);
        return;
    }
    process = event->what;
    switch (event->kind) {
    case EVENT_OPENED:
        opened(conn);
        break;
    case EVENT_UP:
        message_arrives(event->what);
        break;
    case EVENT_DOWN:
        arrived(event->what);
        break;
    case EVENT_SERVER_LOST:
        server_lost(conn);
        break;
    case EVENT_CLIENT_LOST:
        client_lost(conn, (int)event->number);
        break;
    case EVENT_BREAK:
        break_conn(conn);
        break;
    case EVENT_RESUME:
        resume(conn, event->number);
        break;
    case EVENT_WAKE:
        if (process->rooms && event->number == process->wake) {
            process->wake = 0;
            if (verbose)
                trace("wake", (uint64_t)process->index, es_str(""));
            step(process, (struct rooms_input){.kind = ROOMS_TIME});
        }
        break;
    case EVENT_SAVED:
        if (process->rooms && event->number >> 1 == process->starts)
            step(process, (struct rooms_input){.kind = ROOMS_SAVED, .busy = event->number & 1});
        break;
    case EVENT_BOT:
        bot_answers(event->what);
        break;
    case EVENT_WRITE:
        disk_write(process, event->number);
        break;
    case EVENT_ANSWER:
        disk_answer(process, event->number);
        break;
    case EVENT_NEWS:
        disk_news(event->what);
        break;
    case EVENT_LISTEN:
        disk_listen(process, event->number);
        break;
    case EVENT_DEAF:
        disk_deaf(process);
        break;
    case EVENT_STORE_FAULT:
        disk_fault();
        break;
    case EVENT_LINK_FAULT:
        disk_link_fault(process);
        break;
    case EVENT_CRASH:
        if (!world.healing || process->draining)
            crash(process, process->draining);
        break;
    case EVENT_START:
        if (!process->gone)
            start(process);
        break;
    case EVENT_DRAIN:
        if (process->rooms && !process->draining && !world.healing) {
            process->draining = true;
            step(process, (struct rooms_input){.kind = ROOMS_DRAIN});
            after(SECONDS(5), EVENT_CRASH, process, 0);
        }
        break;
    case EVENT_FREEZE:
        freeze(process);
        break;
    case EVENT_THAW:
        thaw(process, event->number);
        break;
    case EVENT_CLOCK:
        set_clock(process, event->number);
        break;
    case EVENT_TAB:
        tab_act(event->what, event->number);
        break;
    case EVENT_PERSON:
        person_act(event->what, event->number);
        break;
    case EVENT_HEAL:
        trace("heal", 0, es_str(""));
        world.healing = true;
        disk_heal();
        for (int i = 0; i < world.processes; i++)
            thaw(&world.process[i], world.process[i].starts);
        for (conn = world.conns; conn; conn = conn->next)
            if (conn->stalled)
                resume(conn, false);
        people_heal();
        break;
    case EVENT_LAST:
        last_act();
        break;
    case EVENT_KINDS:
        break;
    }
}

/* Chooses the processes of a seed, and starts them: one if it is odd, else several. */
static void start_processes(void)
{
    world.processes = world.seed % 2 ? 1 : 2 + (int)below(SIM_PROCESSES - 1);
    world.scattered = chance(4);
    if (chance(4))
        world.limits = (struct rooms_limits){
            .rooms_of_guest = 2, .rooms_of_address = 3, .guests_of_address = 3, .of_network = 3};
    world.limits.rests = world.seed % 3 ? 0 : 1; /* 0: as usual */
    if (chance(2))                               /* tables leave the lobby soon, and come back */
        world.limits.listed_ms = (uint32_t)between(2000, 30000);
    for (int i = 0; i < world.processes; i++) {
        struct process *process = &world.process[i];
        *process = (struct process){.index = i};
        process->offset = world.processes > 1 ? below(SIM_OFFSET_MS + 1) : 0;
        start(process);
    }
}

/* Plans the faults of a process. */
static void plan_faults(struct process *process)
{
    for (uint32_t i = 1 + below(world.processes > 1 ? 4 : 6); i > 0; i--)
        after(between(MINUTES(1), HOURS(24)), EVENT_CRASH, process, 0);
    if (chance(3))
        after(between(MINUTES(1), HOURS(23)), EVENT_DRAIN, process, 0);
    for (uint32_t i = below(4); i > 0; i--)
        after(between(MINUTES(1), HOURS(24)), EVENT_FREEZE, process, 0);
    if (world.processes > 1) {
        after(between(MINUTES(1), HOURS(3)), EVENT_LINK_FAULT, process, 0);
        after(between(MINUTES(1), HOURS(3)), EVENT_DEAF, process, 0);
    } else { /* several processes follow the store's clock */
        for (uint32_t i = below(6); i > 0; i--)
            after(between(MINUTES(1), HOURS(24)), EVENT_CLOCK, process, 1);
    }
}

void world_run(uint64_t seed)
{
    struct es_map *map[SIM_MAPS];
    memcpy(map, world.map, sizeof map);
    world = (struct world){.seed = seed, .now = 1700000000000};
    memcpy(world.map, map, sizeof map);
    own_map_hash();
    es_random_seed(&world.random, seed);
    world.begin = world.now;
    world.heal = world.now + HOURS(24);
    world.end = world.heal + HOURS(24) * 5;
    world.calm = chance(20);
    world.failing = !world.calm && chance(8);
    if (chance(3))
        world.keep = (struct rooms_keep){.rooms = between(HOURS(1), HOURS(6)),
                                         .games = between(HOURS(2), HOURS(8)),
                                         .records = chance(2)};
    heap_size = 0;
    heap_order = 0;
    check_begin();
    disk_open();
    start_processes();
    people_begin();
    for (int i = 0; i < world.processes && !world.calm; i++)
        plan_faults(&world.process[i]);
    if (!world.calm)
        after(between(MINUTES(1), HOURS(2)), EVENT_STORE_FAULT, NULL, 0);
    if (world.failing)
        count("fault", "a day of failing stores");
    after(world.heal - world.now, EVENT_HEAL, NULL, 0);
    uint64_t finished = 0, kinds[EVENT_KINDS] = {0};
    for (uint64_t done = 0; heap_size > 0; done++) {
        struct event event = next_event();
        if (event.when > world.end)
            break;
        world.now = event.when;
        happen(&event);
        if (done % 64 == 0)
            forget_conns();
        if (done % 256 == 0)
            fresh_check();
        for (struct conn *conn = world.conns; conn && done % 256 == 0; conn = conn->next)
            check_in_time(conn);
        /* Some time after the last game, so that everybody has been told. */
        if (world.healing && !finished && done % 256 == 0 && check_done()) {
            finished = world.now + MINUTES(15);
            after(MINUTES(5), EVENT_LAST, NULL, 0);
        }
        if (finished && world.now > finished)
            break;
        kinds[event.kind]++;
        if (done > 2000000) {
            for (int i = 0; i < EVENT_KINDS; i++)
                printf("events of kind %d: %llu\n", i, (unsigned long long)kinds[i]);
            violated("the world does not come to rest");
        }
    }
    check_end();
    people_check_end();
}

/* Frees packets that have not arrived, the server and the store. */
void world_end(void)
{
    for (size_t i = 0; i < heap_size; i++)
        if (heap[i].kind == EVENT_UP || heap[i].kind == EVENT_DOWN)
            drop(heap[i].what);
    for (struct conn *conn = world.conns; conn; conn = conn->next)
        drop_waiting(conn);
    heap_size = 0;
    for (int i = 0; i < world.processes; i++) {
        drop_held(&world.process[i]);
        rooms_free(world.process[i].rooms);
        world.process[i].rooms = NULL;
    }
    disk_close();
}
