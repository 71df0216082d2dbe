/* What happens in a room without a message: cards and tiles, bots, clocks, missing words, absent
 * hosts, idle rooms. */
#include "rooms/internal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FAILURES_MAX = 8, /* of a bot in a row; then it makes the first legal move */
    RETRY_MS = 1000,
    HURRY_MS = 20,     /* a bot has at least this long for a decision */
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

static uint64_t idle_at(const struct rooms *rooms, const struct room *room)
{
    uint64_t from = room->body->latest;
    if (room->occupied)
        from = rooms->now;
    else if (room->empty > from)
        from = room->empty;
    uint64_t end = hub_deadline(rooms, from, rooms->limits.idle_ms);
    /* It was empty when it was read: the process that had the last visitor stored the time. */
    bool is_known = room->occupied || room->empty;
    return !is_known && room->saved > end ? room->saved : end;
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
        wake = idle_at(rooms, room);
        if (room->host_away && room->connections)
            wake = earlier(wake, room->host_away + rooms->limits.host_ms);
        break;
    case PHASE_WORDS:
        wake = words_at(rooms, body);
        break;
    case PHASE_PLAYING:
        wake = hub_deadline(rooms, body->moved, rooms->limits.stale_ms);
        for (int p = 0; p < body->record.setup.players; p++)
            wake = earlier(wake, seat_wake(rooms, body, &body->seat[p]));
        break;
    case PHASE_OVER:
    case PHASE_CLOSED:
        break;
    }
    return wake;
}

/* ---- Bots ------------------------------------------------------------------------------------ */

void play_forget(struct rooms *rooms, struct seat *seat)
{
    struct plan *plan = &seat->plan;
    if (plan->question) {
        index_remove(&rooms->thinking, &plan->question, sizeof plan->question);
        rooms->options.out(
            rooms->options.context,
            &(struct rooms_output){.kind = ROOMS_FORGET, .question = plan->question});
    }
    *plan = (struct plan){0};
}

/* Returns true if a plan is for the decision that is due. If not, the player or another process has
 * decided meanwhile. */
static bool plan_holds(const struct body *body, int p)
{
    const struct seat *seat = &body->seat[p];
    if (!body_running(body) || !seat->due)
        return false;
    if (MUTATED(CLOCK_TWICE)) { /* whatever the decision, if the move is legal */
        struct es_state state = body->state;
        return seat->plan.count == 0 ||
               body->record.setup.game->apply(&body->record.setup, &state, seat->plan.event[0]) ==
                   ES_OK;
    }
    return seat->plan.decision == seat->decisions;
}

/* The state after the moves of a plan. */
static struct es_state planned(const struct body *body, const struct plan *plan)
{
    const struct es_setup *setup = &body->record.setup;
    struct es_state state = body->state;
    for (int i = 0; i < plan->count; i++) {
        es_status status = setup->game->apply(setup, &state, plan->event[i]);
        assert(status == ES_OK);
    }
    return state;
}

/* Returns how long a bot may think; 0: as long as its level does. Decisions after its first share
 * the time that is left until its moves are made. Otherwise they would come later if there are more
 * of them, and others could tell. */
static uint64_t time_to_think(const struct rooms *rooms, const struct seat *seat)
{
    uint64_t end = seat->due + rooms->limits.bot_ms;
    if (seat->plan.count == 0)
        return 0;
    return end > rooms->now + 2 * HURRY_MS ? (end - rooms->now) / 2 : HURRY_MS;
}

/* Asks the bot for the next decision of its plan. It gets the seat's view as if the decisions so
 * far had been made. */
static void ask(struct rooms *rooms, struct room *room, int p)
{
    struct body *body = room->body;
    struct seat *seat = &body->seat[p];
    struct plan *plan = &seat->plan;
    struct es_record *record = &body->record;
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
                               .ms = time_to_think(rooms, seat),
                               .text = {rooms->buffer, out.used},
                               .map = es_str(body->map_text ? body->map_text : "")});
}

/* Adds a decision to a plan; false if it is illegal. */
static bool decide(struct body *body, int p, es_event event)
{
    const struct es_setup *setup = &body->record.setup;
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
    const struct es_setup *setup = &body->record.setup;
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
    const struct es_setup *setup = &body->record.setup;
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
        body->record.setup.game->format(&body->record.setup, plan.event[i], &out);
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
    if (!plan->active) {
        *plan = (struct plan){.active = true, .decision = seat->decisions};
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
    const struct es_setup *setup = &body->record.setup;
    es_event event = setup->game->deal(setup, &body->state, body->record.seed);
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
        for (int p = 0; p < body->record.setup.players && !moved; p++)
            moved = let_bot_play(rooms, room, p);
        if (!moved)
            break;
    }
    unsigned late = 0;
    for (int p = 0; p < body->record.setup.players; p++)
        late |= (unsigned)play_late(rooms, body, &body->seat[p]) << p;
    if (late != room->late) {
        room->late = late;
        room_changed(room);
    }
    if (body_running(body) &&
        rooms->now >= hub_deadline(rooms, body->moved, rooms->limits.stale_ms))
        room_append(rooms, room, ENTRY_CLOSED, 0, -1, "", "", es_str("stale"));
}

/* ---- Before the game ------------------------------------------------------------------------- */

static bool all_words(const struct body *body)
{
    for (int p = 0; p < body->record.setup.players; p++)
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
    for (int p = 0; p < body->record.setup.players; p++) {
        const struct seat *seat = &body->seat[p];
        if (seat->kind == SEAT_PERSON && strcmp(seat->guest, body->host) != 0 &&
            (!best || seat->sat < best->sat) && hub_here(room, seat->guest))
            best = seat;
    }
    return best;
}

/* Before the start: closes an idle room, or replaces a host who is away. */
static void check_waiting(struct rooms *rooms, struct room *room)
{
    if (!room->occupied && rooms->now >= idle_at(rooms, room)) {
        room_append(rooms, room, ENTRY_CLOSED, 0, -1, "", "", es_str("idle"));
        return;
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
    if (body->phase == PHASE_WORDS && (all_words(body) || rooms->now >= words_at(rooms, body)))
        room_append(rooms, room, ENTRY_BEGIN, 0, -1, "", "", es_str(""));
    if (body->phase == PHASE_PLAYING)
        play(rooms, room);
    for (int p = 0; p < ES_PLAYERS_MAX && body->phase > PHASE_PLAYING; p++)
        play_forget(rooms, &room->body->seat[p]);
}
