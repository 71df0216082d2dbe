/* Nobody is left behind: compares, again and again, what each client was told last with what is
 * durable, and with who is connected to which process. Where nothing is wrong everybody has heard
 * of everything after some seconds, whichever process they are connected to. */
#include "sim.h"

/* From the moment at which somebody has gone without a word, because their process has crashed or
 * is cut off, until others say so: that process is gone after STORE_AWAY_MS, and they ask every
 * five seconds. */
enum { AWAY_MS = STORE_AWAY_MS + 10000 };
/* From the moment at which something is due until it has happened, with bots that fail, and rooms
 * that another process has claimed and not taken. */
enum { LATE_MS = 90000 };
/* … and until the lobby shows it. */
enum { TABLE_MS = 60000 };

/* A reaction that arrived at a process. */
static struct reaction {
    struct reaction *next;
    struct mirror *room;
    const char *what;
    const struct conn *conn;
    struct process *process;
    uint64_t time;
    bool taken; /* it was acknowledged */
    bool checked;
} * reactions;
struct heard {
    struct heard *next;
    const struct reaction *reaction;
};

void fresh_begin(void)
{
    reactions = NULL;
}

uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text; text++)
        hash = (hash ^ (uint8_t)*text) * UINT64_C(1099511628211);
    return hash;
}

/* ---- Who is where ---------------------------------------------------------------------------- */

void fresh_entered(struct conn *conn)
{
    struct mirror *m = conn->path == ROOMS_ROOM ? mirror_of(conn->room) : NULL;
    if (m)
        m->moved = world.now;
    if (!m || !conn->guest[0])
        return;
    size_t i = 0;
    while (i < m->visits && strcmp(m->visit[i]->guest, conn->guest))
        i++;
    if (i == SIM_VISITS)
        return;
    if (i == m->visits) {
        m->visit[m->visits++] = sim_alloc(sizeof **m->visit);
        memcpy(m->visit[i]->guest, conn->guest, sizeof conn->guest);
    }
    struct visit *v = conn->visit = m->visit[i];
    if (v->conns[conn->process->index]++ == 0)
        v->since[conn->process->index] = world.now;
}

void fresh_left(struct conn *conn)
{
    struct visit *v = conn->visit;
    struct mirror *m = conn->path == ROOMS_ROOM && !conn->closing ? mirror_of(conn->room) : NULL;
    if (m)
        m->moved = world.now;
    conn->visit = NULL;
    if (!v)
        return;
    v->conns[conn->process->index]--;
    v->until = world.now;
}

static const struct visit *visit_of(const struct mirror *m, const char *guest)
{
    for (size_t i = 0; i < m->visits; i++)
        if (!strcmp(m->visit[i]->guest, guest))
            return m->visit[i];
    return NULL;
}

bool fresh_here(const struct mirror *m, const char *guest, uint64_t since)
{
    const struct visit *v = visit_of(m, guest);
    for (int i = 0; v && i < world.processes; i++)
        if (v->conns[i] && v->since[i] < since && process_healthy(&world.process[i]) &&
            world.process[i].clear < since)
            return true;
    return false;
}

/* Returns true if a guest has not been connected since `until`, and not shortly before. */
static bool is_away(const struct mirror *m, const char *guest, uint64_t until)
{
    const struct visit *v = visit_of(m, guest);
    for (int i = 0; v && i < world.processes; i++)
        if (v->conns[i])
            return false;
    return !v || v->until + AWAY_MS < until;
}

/* ---- Reactions ------------------------------------------------------------------------------- */

static const char *field(const json_t *json, const char *name)
{
    const char *text = json_string_value(json_object_get(json, name));
    return text ? text : "";
}

void fresh_heard(struct conn *conn, struct es_str text)
{
    struct mirror *m = mirror_of(conn->room);
    json_t *json = text.size < 200 ? json_loadb(text.at, text.size, 0, NULL) : NULL;
    if (m && conn->welcome && !strcmp(field(json, "t"), "react")) {
        struct reaction *r = sim_alloc(sizeof *r);
        *r = (struct reaction){.next = reactions,
                               .room = m,
                               .what = sim_text("%s", field(json, "what")),
                               .conn = conn,
                               .process = conn->process,
                               .time = world.now};
        reactions = r;
    }
    json_decref(json);
}

void fresh_reaction_taken(const struct conn *conn, const char *what)
{
    for (struct reaction *r = reactions; r; r = r->next)
        if (r->conn == conn && !r->taken && !strcmp(r->what, what)) {
            r->taken = true;
            return;
        }
}

static bool has_heard(const struct conn *conn, const struct reaction *r)
{
    const struct heard *h = conn->heard;
    while (h && h->reaction != r)
        h = h->next;
    return h;
}

void fresh_reaction_told(struct conn *conn, const char *what)
{
    for (struct reaction *r = reactions; r; r = r->next) {
        if (strcmp(r->room->room, conn->room) || strcmp(r->what, what) || has_heard(conn, r))
            continue;
        struct heard *heard = sim_alloc(sizeof *heard);
        *heard = (struct heard){conn->heard, r};
        conn->heard = heard;
        count("checked",
              conn->process == r->process ? "reactions" : "reactions from another process");
        return;
    }
    violated("room %s: connection %llu is told of the reaction '%s', which nobody made, or again",
             conn->room, (unsigned long long)conn->id, what);
}

/* Returns true if nothing was wrong with a process from `time` until now. */
static bool all_well(const struct process *process, uint64_t time)
{
    return process_healthy(process) && process->clear < time;
}

static bool should_have_heard(const struct conn *conn, const struct reaction *r)
{
    return conn->server_has && conn->welcome && !conn->closing && !conn->cut_up &&
           conn->path == ROOMS_ROOM && !strcmp(conn->room, r->room->room) &&
           conn->joined + SECONDS(20) < r->time && all_well(conn->process, r->time);
}

/* Everybody who was there hears of a reaction, unless something was wrong. */
static void check_reactions(void)
{
    for (struct reaction *r = reactions; r && world.now < r->time + MINUTES(10); r = r->next) {
        if (r->checked || process_knows(r->process) <= r->time)
            continue;
        r->checked = true;
        if (!r->taken || !all_well(r->process, r->time))
            continue;
        for (const struct conn *conn = world.conns; conn; conn = conn->next)
            if (should_have_heard(conn, r) && !has_heard(conn, r))
                violated("room %s: connection %llu is not told of a reaction", r->room->room,
                         (unsigned long long)conn->id);
    }
}

/* ---- Nobody is left behind ------------------------------------------------------------------- */

static int taken(const struct mirror *m)
{
    int seats = 0;
    for (int p = 1; p <= m->seats; p++)
        seats += m->sitter[p][0] || m->bot[p][0];
    return seats;
}

static void check_lobby(const struct conn *conn, uint64_t knows)
{
    size_t listed = 0;
    /* Several messages may be needed, two seconds apart. */
    if (tables_changed() + SECONDS(10) >= knows)
        return;
    for (size_t i = 0; mirror_number(i); i++) {
        const struct mirror *m = mirror_number(i);
        bool shown = !m->listed;
        for (size_t k = 0; k < conn->cards && !shown; k++)
            shown = !strcmp(conn->card[k].room, m->room) && conn->card[k].taken == taken(m);
        if (!shown)
            violated("room %s: the lobby does not show it to connection %llu as it is", m->room,
                     (unsigned long long)conn->id);
        listed += m->listed;
    }
    if (listed != conn->cards)
        violated("the lobby shows %zu tables to connection %llu, but there are %zu", conn->cards,
                 (unsigned long long)conn->id, listed);
    count("checked", "lobbies up to date");
}

/* Before the start, a new name is told to those who are there. */
static void check_name(const struct conn *conn, const struct mirror *m, int seat, uint64_t knows)
{
    uint64_t changed = 0;
    const char *name = guest_name(m->sitter[seat], &changed);
    if (m->started || m->closed || changed >= knows || changed <= conn->joined)
        return;
    if (conn->names[seat - 1] != hash_text(name))
        violated("room %s: connection %llu is not told the new name of seat %d", m->room,
                 (unsigned long long)conn->id, seat);
    count("checked", "new names");
}

static void check_watchers(const struct conn *conn, const struct mirror *m, uint64_t knows)
{
    int watchers = 0;
    if (m->moved + AWAY_MS >= knows)
        return;
    for (int i = 0; i < world.processes; i++) {
        const struct process *process = &world.process[i];
        if (process->rooms && !all_well(process, knows))
            return;
    }
    for (const struct conn *c = world.conns; c; c = c->next)
        watchers += c->server_has && c->welcome && !c->closing && c->path == ROOMS_ROOM &&
                    !strcmp(c->room, m->room) && !mirror_seat(m, c->guest);
    if (conn->watchers != watchers)
        violated("room %s: connection %llu is told of %d watchers, but there are %d", m->room,
                 (unsigned long long)conn->id, conn->watchers, watchers);
    count("checked", "watchers");
}

/* Everybody is told who is connected, to whichever process. */
static void check_people(const struct conn *conn, const struct mirror *m, uint64_t knows)
{
    for (int p = 1; p <= m->seats; p++) {
        const char *guest = m->sitter[p];
        bool here = conn->here >> (p - 1) & 1;
        if (!guest[0] || person_forgotten(guest))
            continue;
        if (here && is_away(m, guest, knows))
            violated("room %s: seat %d is away, but connection %llu is told that they are here",
                     m->room, p, (unsigned long long)conn->id);
        if (!here && fresh_here(m, guest, knows))
            violated("room %s: seat %d is here, but connection %llu is told that they are away",
                     m->room, p, (unsigned long long)conn->id);
        count("checked", here ? "people told as here" : "people told as away");
        check_name(conn, m, p, knows);
    }
    check_watchers(conn, m, knows);
}

static void check_room(struct conn *conn, struct mirror *m, uint64_t knows)
{
    const char *phase = m->closed                  ? "closed"
                        : m->begun && m->game_over ? "over"
                        : m->begun                 ? "playing"
                        : m->started               ? "words"
                                                   : "waiting";
    if (m->changed >= knows)
        return;
    int viewer = mirror_seat(m, conn->guest);
    if (strcmp(phase, conn->phase) || strcmp(m->next, conn->next_room))
        violated("room %s: connection %llu is told that it is %s, but it is %s", m->room,
                 (unsigned long long)conn->id, conn->phase, phase);
    if (m->begun && (viewer || m->watch) && conn->told != (long)mirror_lines(m, viewer))
        violated("room %s: connection %llu has been told %ld lines of %zu", m->room,
                 (unsigned long long)conn->id, conn->told, mirror_lines(m, viewer));
    if (conn->chats != (long)m->chats && !mirror_chat_deleted(m))
        violated("room %s: connection %llu has been told %ld of %zu chats", m->room,
                 (unsigned long long)conn->id, conn->chats, m->chats);
    struct es_turn turn = {.kind = ES_TURN_OVER};
    if (m->begun && !m->game_over && !m->closed)
        turn = m->record->setup.game->turn(&m->record->setup, m->state);
    if (turn.kind == ES_TURN_PLAYERS && conn->due != turn.players)
        violated("room %s: connection %llu is not told who is due", m->room,
                 (unsigned long long)conn->id);
    check_people(conn, m, knows);
    count("checked", "rooms up to date");
}

/* Nobody is signed in with a token that is not valid any more. */
static void check_signed_out(const struct conn *conn, uint64_t knows)
{
    if (conn->guest[0] && guest_deleted(conn->guest, knows))
        violated("connection %llu is that of %s, who was forgotten", (unsigned long long)conn->id,
                 conn->guest);
    if (conn->guest[0] && token_withdrawn(conn->uses, knows))
        violated("connection %llu has a device that was withdrawn", (unsigned long long)conn->id);
}

/* Returns a process if none has had a fault for LATE_MS; NULL: one has. */
static const struct process *all_healthy(void)
{
    const struct process *healthy = NULL;
    if (world.bots_slow + LATE_MS > world.now)
        return NULL;
    for (int i = 0; i < world.processes; i++) {
        const struct process *process = &world.process[i];
        if (process->gone)
            continue;
        if (!process_healthy(process) || process->clear + LATE_MS > world.now)
            return NULL;
        healthy = process;
    }
    return healthy;
}

/* A table is in the lobby if somebody who sits or hosts is there, and not if nobody has been for
 * long. */
static void check_listed(const struct mirror *m, const struct process *process)
{
    bool here = false, away = true;
    uint64_t ms = world.limits.listed_ms ? world.limits.listed_ms : MINUTES(10);
    uint64_t long_ago = world.now - ms - TABLE_MS;
    if (!m->open || m->started || m->closed || m->changed + TABLE_MS > world.now)
        return;
    for (size_t i = 0; i < process->gaps; i++) /* which do not count, and may count twice */
        if (process->gap[i].to > long_ago)
            long_ago -= 2 * (process->gap[i].to - process->gap[i].from);
    /* Who leaves while the store fails counts as gone from the time when the room is read again. */
    for (int i = 0; i < world.processes; i++)
        away = away && (world.process[i].gone || world.process[i].clear < long_ago);
    for (int p = 0; p <= m->seats; p++) {
        const char *guest = p ? m->sitter[p] : m->host;
        if (!guest[0])
            continue;
        /* Who is forgotten is not here any more, but may have been until then. */
        here = here || (!person_forgotten(guest) && fresh_here(m, guest, world.now - TABLE_MS));
        away = away && is_away(m, guest, long_ago);
    }
    if (here && !m->listed)
        violated("room %s: it is not in the lobby, although somebody is there", m->room);
    if (away && m->listed && m->kept[m->entries - 1].stored < long_ago)
        violated("room %s: it is in the lobby, although nobody is there", m->room);
    if (here || away)
        count("checked", here ? "tables with somebody" : "tables with nobody");
}

/* Whatever happens without a message has happened, whether a process had the room in memory or not.
 */
static void check_not_late(struct mirror *m, const struct process *process)
{
    if (!m->started || m->closed || m->game_over || m->changed + LATE_MS > world.now)
        return;
    if (!m->begun)
        violated("room %s: words that are missing are awaited for too long", m->room);
    struct es_turn turn = m->record->setup.game->turn(&m->record->setup, m->state);
    if (turn.kind != ES_TURN_PLAYERS)
        violated("room %s: a card or tile does not come", m->room);
    for (int p = 1; p <= m->seats; p++) {
        bool due = turn.players >> (p - 1) & 1;
        uint64_t ms = mirror_waited(m, p, process, process->gaps, world.now);
        if (due && m->bot[p][0] && ms > LATE_MS)
            violated("room %s: the bot at seat %d does not move", m->room, p);
        if (due && !m->bot[p][0] && m->clock && ms > SECONDS(m->clock) + LATE_MS)
            violated("room %s: the clock does not move for seat %d", m->room, p);
    }
    count("checked", "games in time");
}

void fresh_check(void)
{
    const struct process *healthy = all_healthy();
    for (size_t i = 0; mirror_number(i) && healthy; i++) {
        check_not_late(mirror_number(i), healthy);
        check_listed(mirror_number(i), healthy);
    }
    check_reactions();
    for (struct conn *conn = world.conns; conn; conn = conn->next) {
        if (!conn->server_has || conn->closing || !conn->welcome || conn->path > ROOMS_ROOM ||
            conn->process->draining || conn->process->frozen)
            continue;
        uint64_t knows = process_knows(conn->process);
        if (conn->joined >= knows)
            continue;
        struct mirror *m = mirror_of(conn->room);
        check_signed_out(conn, knows);
        if (conn->path == ROOMS_LOBBY)
            check_lobby(conn, knows);
        else if (m && m->deleted && m->deleted < knows)
            violated("room %s: somebody is still in it, but it was deleted", m->room);
        else if (m && !m->deleted)
            check_room(conn, m, knows);
    }
}
