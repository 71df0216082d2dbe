/* What happens in a room without a message: cards and tiles, bots, clocks, missing words, absent
 * hosts, idle rooms. */
#include "rooms/internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAILURES_MAX = 8, /* of a bot in a row; then it makes the first legal move */
    RETRY_MS = 1000,
    LATE_MS = 5000,    /* a stored `wake` that passed so long ago is renewed */
    THINK_MS = 1000,   /* a bot has at most this long for a decision … */
    HURRY_MS = 20,     /* … and at least this long */
    CLOCK_MS = 3000,   /* so long after time is up the clock makes the first legal move itself */
    ADVANCE_MAX = 512, /* entries in a batch; then the rest waits for the next one */
};

static const char *const usual_level = "casual";

/* ---- When ------------------------------------------------------------------------------------ */

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return !a || (b && b < a) ? b : a;
}

static bool bot_plays(const struct seat *seat)
{
    return seat->kind == SEAT_BOT || seat->level[0];
}

uint64_t play_deadline(const struct rooms *rooms, const struct body *body, const struct seat *seat)
{
    if (!body->settings.clock || !seat->due || seat->kind != SEAT_PERSON || bot_plays(seat))
        return 0;
    return hub_deadline(rooms, seat->due, (uint64_t)body->settings.clock * 1000 + seat->pause);
}

static bool time_is_up(const struct rooms *rooms, const struct body *body, const struct seat *seat)
{
    uint64_t end = play_deadline(rooms, body, seat);
    return end && rooms->now >= end;
}

/* Returns when others may replace a player. After a player comes back it is the whole time again.
 */
static uint64_t late_at(const struct rooms *rooms, const struct body *body, const struct seat *seat)
{
    return hub_deadline(rooms, seat->taken > seat->due ? seat->taken : seat->due,
                        (uint64_t)body->settings.patience * 1000);
}

bool play_late(const struct rooms *rooms, const struct body *body, const struct seat *seat)
{
    return body_running(body) && seat->kind == SEAT_PERSON && !seat->level[0] && seat->due &&
           (seat->out || rooms->now >= late_at(rooms, body, seat));
}

/* How long nobody may be at a table until it leaves the lobby, or is closed. */
static uint64_t patience_of(const struct rooms *rooms, const struct body *body, bool listed)
{
    return listed                ? rooms->limits.listed_ms
           : body->settings.open ? rooms->limits.idle_ms
                                 : rooms->limits.invited_ms;
}

/* Returns when a table leaves the lobby (`listed`) or is closed, if nobody comes. */
static uint64_t empty_until(const struct rooms *rooms, const struct room *room, bool listed)
{
    uint64_t from = room->left > room->body->latest ? room->left : room->body->latest;
    return hub_deadline(rooms, room->attended ? rooms->now : from,
                        patience_of(rooms, room->body, listed));
}

void play_read(const struct rooms *rooms, struct room *room, const struct store_head *head)
{
    const struct body *body = room->body;
    if (body->phase != PHASE_WAITING || body->count == 0)
        return;
    /* What is stored is when it leaves the lobby, or is closed. Another process's clock may be
     * ahead; and programs before this one stored later times. */
    uint64_t ms = patience_of(rooms, body, head->listed);
    uint64_t left = head->wake > ms ? head->wake - ms : 0;
    if (left > rooms->now + STORE_AHEAD_MS)
        left = rooms->now;
    if (left > room->left)
        room->left = left;
}

static uint64_t words_at(const struct rooms *rooms, const struct body *body)
{
    return hub_deadline(rooms, body->started, rooms->limits.words_ms);
}

static uint64_t seat_wake(const struct rooms *rooms, const struct body *body,
                          const struct seat *seat)
{
    const struct plan *plan = &seat->plan;
    uint64_t wake = 0;
    if (!seat->due)
        return 0;
    if (bot_plays(seat)) {
        wake = seat->due + rooms->limits.bot_ms;
    } else {
        wake = play_deadline(rooms, body, seat);
        if (!play_late(rooms, body, seat))
            wake = earlier(wake, late_at(rooms, body, seat));
    }
    if (plan->active && plan->retry)
        wake = earlier(wake, plan->retry);
    /* In the past: a bot is still thinking, and its answer will run the room. There has to be a
     * time all the same, because it is stored: if the server stops before the answer, the next one
     * loads the room because of it. */
    return wake && wake <= rooms->now ? rooms->now + RETRY_MS : wake;
}

uint64_t play_wake(struct rooms *rooms, struct room *room)
{
    const struct body *body = room->body;
    uint64_t wake = 0;
    switch (body->phase) {
    case PHASE_WAITING:
        wake = empty_until(rooms, room, room->listed);
        break;
    case PHASE_WORDS:
        wake = words_at(rooms, body);
        break;
    case PHASE_PLAYING:
        wake = hub_deadline(rooms, body->moved, rooms->limits.stale_ms);
        for (int p = 0; p < body->setup.players; p++)
            wake = earlier(wake, seat_wake(rooms, body, &body->seat[p]));
        break;
    case PHASE_OVER:
    case PHASE_CLOSED:
        break;
    }
    return wake;
}

uint64_t play_look(const struct rooms *rooms, const struct room *room)
{
    bool waits = room->body->phase == PHASE_WAITING && room->host_away && room->connections;
    return waits ? room->host_away + rooms->limits.host_ms : 0;
}

/* While somebody is at a table, what is stored is always later than half of the time that it would
 * have without them: the process might end. */
uint64_t play_renew(const struct rooms *rooms, const struct room *room)
{
    if (room->body->phase != PHASE_WAITING || !room->attended)
        return room->saved + LATE_MS;
    uint64_t ms = patience_of(rooms, room->body, room->listed) / 2;
    return room->saved > ms ? room->saved - ms : 0;
}

/* ---- Bots ------------------------------------------------------------------------------------ */

/* Gives up the question to the bot, if there is one. */
static void stop_asking(struct rooms *rooms, struct plan *plan)
{
    if (!plan->question)
        return;
    index_remove(&rooms->thinking, &plan->question, sizeof plan->question);
    rooms->options.out(rooms->options.context,
                       &(struct rooms_output){.kind = ROOMS_FORGET, .question = plan->question});
    plan->question = 0;
}

void play_forget(struct rooms *rooms, struct seat *seat)
{
    stop_asking(rooms, &seat->plan);
    seat->plan = (struct plan){0};
}

/* Returns true if a plan is for the decision that is due. If not, the player or another process has
 * decided meanwhile. */
static bool plan_holds(const struct body *body, int p)
{
    const struct seat *seat = &body->seat[p];
    if (!body_running(body) || !seat->due)
        return false;
    if (MUTATED(CLOCK_TWICE)) { /* whatever the decision, if the move is legal */
        struct es_state state = body->game->state;
        return seat->plan.count == 0 ||
               body->setup.game->apply(&body->setup, &state, seat->plan.event[0]) == ES_OK;
    }
    return seat->plan.decision == seat->decisions;
}

/* The state after the moves of a plan. */
static struct es_state planned(const struct body *body, const struct plan *plan)
{
    const struct es_setup *setup = &body->setup;
    struct es_state state = body->game->state;
    for (int i = 0; i < plan->count; i++) {
        es_status status = setup->game->apply(setup, &state, plan->event[i]);
        assert(status == ES_OK);
    }
    return state;
}

/* Returns how long a bot may think. Decisions after its first share the time that is left until its
 * moves are made. Otherwise they would come later if there are more of them, and others could tell.
 */
static uint64_t time_to_think(const struct rooms *rooms, const struct seat *seat)
{
    uint64_t end = seat->due + rooms->limits.bot_ms;
    if (seat->plan.count == 0)
        return THINK_MS;
    return end > rooms->now + 2 * HURRY_MS ? (end - rooms->now) / 2 : HURRY_MS;
}

/* Returns the network to which a bot's thought counts. Where nobody is who would wait for the bot,
 * all rooms share one: who leaves a room until the server has forgotten who made it gains nothing.
 */
static uint64_t network_of(const struct room *room)
{
    uint64_t network = room->maker_network;
    if (!room->maker)
        room_attended(room, &network);
    return network;
}

/* Asks the bot for the next decision of its plan. It gets the seat's view as if the decisions so
 * far had been made. */
static void ask(struct rooms *rooms, struct room *room, int p)
{
    struct body *body = room->body;
    struct seat *seat = &body->seat[p];
    struct plan *plan = &seat->plan;
    struct es_record *record = &body->game->record;
    struct es_state state = planned(body, plan);
    size_t count = record->count;
    record->events =
        hub_grow(record->events, &record->capacity, count + PLAN_MAX, sizeof *record->events);
    memcpy(record->events + count, plan->event, (size_t)plan->count * sizeof plan->event[0]);
    record->count = count + (size_t)plan->count;
    rooms->scratch =
        hub_grow(rooms->scratch, &rooms->scratch_room, record->count + 1, sizeof *rooms->scratch);
    rooms->buffer = hub_grow(rooms->buffer, &rooms->buffer_size, es_record_bytes(record) + 4096, 1);
    body_names(body);
    struct es_out out = {rooms->buffer, rooms->buffer_size, 0};
    es_record_write_view(record, &state, p + 1, rooms->scratch, &out);
    record->count = count;

    plan->retry = 0;
    plan->question = ++rooms->next_question;
    index_put(&rooms->thinking, &plan->question, sizeof plan->question, room);
    rooms->counts.thoughts++;
    rooms->options.out(
        rooms->options.context,
        &(struct rooms_output){.kind = ROOMS_THINK,
                               .question = plan->question,
                               .level = es_str(seat->level[0] ? seat->level : usual_level),
                               .seat = p + 1,
                               .clock = !bot_plays(seat),
                               .ms = time_to_think(rooms, seat),
                               .network = network_of(room),
                               .maker = room->maker ? room->maker : hub_key(body->maker),
                               .whose = hub_key(room->id),
                               .text = {rooms->buffer, out.used},
                               .map = es_str(body->own_map ? body->map_text : "")});
}

/* Adds a decision to a plan; false if it is illegal. */
static bool decide(struct body *body, int p, es_event event)
{
    const struct es_setup *setup = &body->setup;
    struct plan *plan = &body->seat[p].plan;
    struct es_state state = planned(body, plan);
    if (ES_EVENT_WHO(event) != p + 1 || setup->game->apply(setup, &state, event))
        return false;
    plan->event[plan->count++] = event;
    plan->failures = 0;
    struct es_turn turn = setup->game->turn(setup, &state);
    plan->complete =
        turn.kind != ES_TURN_PLAYERS || !(turn.players >> p & 1) || plan->count == PLAN_MAX;
    return true;
}

static void decide_first_legal(struct body *body, int p)
{
    const struct es_setup *setup = &body->setup;
    struct es_state state = planned(body, &body->seat[p].plan);
    es_event legal[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, &state, p + 1, legal);
    assert(count > 0);
    decide(body, p, legal[0]);
}

void play_thought(struct rooms *rooms, uint64_t question, struct es_str text, bool busy)
{
    struct room *room = index_get(&rooms->thinking, &question, sizeof question);
    if (!room)
        return;
    struct body *body = room->body;
    int p = 0;
    while (body->seat[p].plan.question != question)
        p++;
    struct plan *plan = &body->seat[p].plan;
    index_remove(&rooms->thinking, &plan->question, sizeof plan->question);
    plan->question = 0;
    if (!plan_holds(body, p)) {
        play_forget(rooms, &body->seat[p]);
        return;
    }
    const struct es_setup *setup = &body->setup;
    es_event event;
    bool good =
        text.size > 0 && setup->game->parse(setup, text, &event) == ES_OK && decide(body, p, event);
    if (!good && !busy && ++plan->failures >= FAILURES_MAX)
        decide_first_legal(body, p);
    else if (!good)
        plan->retry = rooms->now + RETRY_MS;
    room_run(rooms, room);
}

/* Makes the moves of a complete plan. */
static void carry_out(struct rooms *rooms, struct room *room, int p, enum entry_kind kind)
{
    struct body *body = room->body;
    struct plan plan = body->seat[p].plan;
    body->seat[p].plan = (struct plan){0};
    for (int i = 0; i < plan.count; i++) {
        char text[ES_EVENT_BYTES];
        struct es_out out = {text, sizeof text, 0};
        body->setup.game->format(&body->setup, plan.event[i], &out);
        room_append(rooms, room, kind, p + 1, body->seat[p].decisions, "", "",
                    (struct es_str){text, out.used});
    }
}

/* Lets a bot play a seat that it has, or whose time is up. Returns true if it has moved. */
static bool let_bot_play(struct rooms *rooms, struct room *room, int p)
{
    struct body *body = room->body;
    struct seat *seat = &body->seat[p];
    struct plan *plan = &seat->plan;
    bool bot = bot_plays(seat), up = !bot && time_is_up(rooms, body, seat);
    if (plan->active && (!plan_holds(body, p) || (!bot && !up && !MUTATED(CLOCK_TWICE))))
        play_forget(rooms, seat);
    if (!seat->due || (!bot && !up && !plan->complete))
        return false;
    if (plan->active && !plan->complete && up && rooms->now >= plan->since + CLOCK_MS) {
        stop_asking(rooms, plan); /* nobody waits for a bot that has no time */
        while (!plan->complete)
            decide_first_legal(body, p);
    }
    if (!plan->active) {
        *plan = (struct plan){.active = true, .since = rooms->now, .decision = seat->decisions};
        ask(rooms, room, p);
    } else if (!plan->complete && !plan->question && plan->retry <= rooms->now) {
        ask(rooms, room, p);
    } else if (plan->complete &&
               (!bot || MUTATED(EAGER_BOT) || rooms->now >= seat->due + rooms->limits.bot_ms)) {
        carry_out(rooms, room, p, bot ? ENTRY_BOT : ENTRY_CLOCK);
        return true;
    }
    return false;
}

/* ---- The game -------------------------------------------------------------------------------- */

static void deal(struct rooms *rooms, struct room *room)
{
    const struct body *body = room->body;
    const struct es_setup *setup = &body->setup;
    es_event event = setup->game->deal(setup, &body->game->state, body->game->record.seed);
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    setup->game->format(setup, event, &out);
    room_append(rooms, room, ENTRY_CHANCE, 0, -1, "", "", (struct es_str){text, out.used});
}

static void play(struct rooms *rooms, struct room *room)
{
    struct body *body = room->body;
    while (body_running(body) && room->entries < ADVANCE_MAX) {
        if (body_turn(body).kind == ES_TURN_CHANCE) {
            deal(rooms, room);
            continue;
        }
        bool moved = false;
        for (int p = 0; p < body->setup.players && !moved; p++)
            moved = let_bot_play(rooms, room, p);
        if (!moved)
            break;
    }
    unsigned late = 0;
    for (int p = 0; p < body->setup.players; p++)
        late |= (unsigned)play_late(rooms, body, &body->seat[p]) << p;
    if (late != room->late) {
        room->late = late;
        room_changed(room);
    }
    if (body_running(body) &&
        rooms->now >= hub_deadline(rooms, body->moved, rooms->limits.stale_ms))
        room_append(rooms, room, ENTRY_CLOSED, 0, -1, "", "", es_str("stale"));
    /* With a deck of free rides and a sheet of hundreds of windows a game could go on for weeks. */
    if (body_running(body) && body->count >= rooms->limits.entries)
        room_append(rooms, room, ENTRY_CLOSED, 0, -1, "", "", es_str("long"));
}

/* ---- Before the game ------------------------------------------------------------------------- */

static bool all_words(const struct body *body)
{
    for (int p = 0; p < body->setup.players; p++)
        if (body->seat[p].kind == SEAT_PERSON && !body->seat[p].has_word)
            return false;
    return true;
}

/* Returns the seat of the connected person, other than the host, who has been seated longest; NULL
 * if there is none. */
static const struct seat *next_host(const struct room *room)
{
    const struct body *body = room->body;
    const struct seat *best = NULL;
    for (int p = 0; p < body->setup.players; p++) {
        const struct seat *seat = &body->seat[p];
        if (seat->kind == SEAT_PERSON && strcmp(seat->guest, body->host) != 0 &&
            (!best || seat->sat < best->sat) && hub_here(room, seat->guest))
            best = seat;
    }
    return best;
}

/* Returns whether the lobby shows a room that has not started. */
static bool is_listed(const struct rooms *rooms, const struct room *room)
{
    if (!room->body->settings.open)
        return false;
    if (!room->listed)
        return room->attended && !MUTATED(STAY_HIDDEN);
    return room->attended || rooms->now < empty_until(rooms, room, true) || MUTATED(KEEP_LISTED);
}

/* Before the start: closes an idle room, takes it out of the lobby or shows it there again, or
 * replaces a host who is away. */
static void check_waiting(struct rooms *rooms, struct room *room)
{
    bool attended = room_attended(room, &room->network);
    if (room->attended && !attended)
        room->left = rooms->now;
    room->attended = attended;
    lobby_attend(rooms, room);
    if (!attended && rooms->now >= empty_until(rooms, room, false)) {
        room_append(rooms, room, ENTRY_CLOSED, 0, -1, "", "", es_str("idle"));
        return;
    }
    if (room->listed != is_listed(rooms, room)) {
        room->listed = !room->listed;
        room_save(room);
    }
    if (!room->host_away || rooms->now < room->host_away + rooms->limits.host_ms)
        return;
    const struct seat *next = next_host(room);
    if (next) {
        char guest[STORE_GUEST_BYTES];
        memcpy(guest, next->guest, sizeof guest);
        room_append(rooms, room, ENTRY_HOST, 0, -1, "", "", es_str(guest));
        room->host_away = 0;
    } else {
        room->host_away = rooms->now; /* look again later */
    }
}

void play_advance(struct rooms *rooms, struct room *room)
{
    const struct body *body = room->body;
    if (body->phase == PHASE_WAITING)
        check_waiting(rooms, room);
    else
        room->attended = false;
    if (body->phase == PHASE_WORDS && (all_words(body) || rooms->now >= words_at(rooms, body)))
        room_append(rooms, room, ENTRY_BEGIN, 0, -1, "", "", es_str(""));
    if (body->phase == PHASE_PLAYING)
        play(rooms, room);
    for (int p = 0; p < ES_PLAYERS_MAX && body->phase > PHASE_PLAYING; p++)
        play_forget(rooms, &room->body->seat[p]);
}
