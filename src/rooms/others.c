/* Other processes that share the store: what they tell by their news, and who is in a room there.
 *
 * Each process keeps a short text in the store about every room in which it has connections
 * (STORE_HERE). A line each:
 *
 *     g GUEST                       somebody who sits or hosts is connected
 *     n NETWORK                     from which one of them comes: a keyed hash, 16 hex digits
 *     w NUMBER                      so many connections of people who do not sit
 *     r SERIAL SEAT WHAT GUEST      a reaction; the latest few. SERIAL only grows
 *
 * Names are not in it, so that nothing of a guest who deletes themself stays there.
 */
#include "rooms/internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    AGAIN_MS = 500,     /* from a fault of the store to the next try */
    REACTION_MS = 5000, /* a reaction is told that long, also if its author has gone */
    SILENT_MAX = 32,    /* processes that say nothing about a room any more, and are remembered */
};

bool others_shared(const struct rooms *rooms)
{
    return rooms->options.process[0] != 0;
}

/* ---- What we tell about a room ----------------------------------------------------------------
 */

/* Returns true if the text about the room names this guest. */
static bool is_named(const struct body *body, const char *guest)
{
    return guest[0] && (body_seat(body, guest) > 0 || strcmp(guest, body->host) == 0);
}

/* Returns true if an earlier connection of the room has the same guest. */
static bool is_repeated(const struct room *room, const struct connection *c)
{
    for (const struct connection *d = room->connections; d != c; d = d->after)
        if (strcmp(d->guest.id, c->guest.id) == 0)
            return true;
    return false;
}

static void write_here(const struct room *room, struct es_out *out)
{
    int watchers = 0;
    uint64_t network = 0;
    for (const struct connection *c = room->connections; c; c = c->after) {
        watchers += body_seat(room->body, c->guest.id) == 0;
        if (is_named(room->body, c->guest.id) && !is_repeated(room, c)) {
            es_out_text(out, "g ");
            es_out_text(out, c->guest.id);
            es_out_char(out, '\n');
            network = c->network;
        }
    }
    if (network && room->body->phase == PHASE_WAITING) {
        char line[20];
        snprintf(line, sizeof line, "n %016llx\n", (unsigned long long)network);
        es_out_text(out, line);
    }
    if (watchers > 0) {
        es_out_text(out, "w ");
        es_out_int(out, watchers);
        es_out_char(out, '\n');
    }
    for (size_t i = 0; i < REACTIONS_MAX; i++) {
        const struct reaction *reaction =
            &room->reaction[(room->reactions + i) % REACTIONS_MAX]; /* the oldest first */
        if (!reaction->serial)
            continue;
        es_out_text(out, "r ");
        es_out_int(out, (int64_t)reaction->serial);
        es_out_char(out, ' ');
        es_out_int(out, reaction->seat);
        es_out_char(out, ' ');
        es_out_text(out, reaction->what);
        es_out_char(out, ' ');
        es_out_text(out, reaction->guest);
        es_out_char(out, '\n');
    }
}

bool others_unsaid(const struct room *room)
{
    return room->here_asked || (room->here && room->here[0]);
}

void others_tell(struct rooms *rooms, struct room *room)
{
    enum { LINE = 64 };
    if (!others_shared(rooms) || room->here_asked || !room->body || rooms->draining ||
        (!room->connections && !others_unsaid(room)))
        return;
    for (size_t i = 0; i < REACTIONS_MAX && !room->connections; i++)
        if (room->reaction[i].until <= rooms->now)
            room->reaction[i].serial = 0;
    size_t size = (2 * ES_PLAYERS_MAX + 3 + REACTIONS_MAX) * LINE;
    char *text = hub_alloc(size);
    struct es_out out = {text, size - 1, 0};
    write_here(room, &out);
    if (room->here && strcmp(room->here, text) == 0) {
        free(text);
        return;
    }
    free(room->here);
    room->here = text;
    room->here_asked = true;
    struct pending *p = hub_alloc(sizeof *p);
    struct store_question question = {.kind = STORE_HERE, .text = {text, out.used}};
    memcpy(question.head.room, room->id, sizeof room->id);
    memcpy(question.process, rooms->options.process, sizeof question.process);
    p->text = hub_copy(es_str(room->id));
    hub_ask(rooms, &question, p);
}

uint64_t others_wake(const struct rooms *rooms, const struct room *room)
{
    uint64_t latest = 0;
    for (size_t i = 0; i < REACTIONS_MAX && others_unsaid(room) && !room->connections; i++)
        if (room->reaction[i].serial && room->reaction[i].until > latest)
            latest = room->reaction[i].until;
    return latest > rooms->now ? latest : 0;
}

void others_told(struct rooms *rooms, const struct pending *p, const struct store_answer *answer)
{
    struct room *room = hub_room(rooms, p->text);
    if (!room)
        return;
    room->here_asked = false;
    if (answer->outcome == STORE_STORED && !answer->found)
        alive_soon(rooms); /* we were taken for dead */
    if (answer->outcome != STORE_STORED || !answer->found || room->here_again) {
        room->here_again = false;
        free(room->here);
        room->here = hub_copy(es_str("?"));
        room->tell = rooms->now + AGAIN_MS;
        if (!room->wake || room->wake > room->tell)
            hub_wake(rooms, room, room->tell);
    } else {
        hub_wake(rooms, room, rooms->now); /* it may have changed meanwhile, or may be unloaded */
    }
}

void others_tell_again(struct rooms *rooms)
{
    for (size_t i = 0; i < rooms->rooms.slots; i++) {
        struct room *room = rooms->rooms.slot[i].key ? rooms->rooms.slot[i].thing : NULL;
        if (!room || !room->here || !room->here[0])
            continue;
        room->here_again = room->here_asked;
        if (!room->here_asked)
            room->here[0] = '?';
        hub_wake(rooms, room, rooms->now);
    }
}

void others_reacted(struct rooms *rooms, struct room *room, int seat, const char *what,
                    const char *guest)
{
    if (!others_shared(rooms))
        return;
    struct reaction *reaction = &room->reaction[room->reactions++ % REACTIONS_MAX];
    *reaction = (struct reaction){
        .serial = ++rooms->serial, .until = rooms->now + REACTION_MS, .seat = seat, .what = what};
    memcpy(reaction->guest, guest, sizeof reaction->guest);
}

void others_unreacted(struct room *room)
{
    while (room->reactions > room->reactions_kept)
        room->reaction[--room->reactions % REACTIONS_MAX].serial = 0;
}

/* ---- What others tell about a room ------------------------------------------------------------
 */

static struct elsewhere *elsewhere_of(const struct room *room, const char *process)
{
    for (size_t i = 0; i < room->elsewheres; i++)
        if (strcmp(room->elsewhere[i].process, process) == 0)
            return &room->elsewhere[i];
    return NULL;
}

bool others_attend(const struct room *room, uint64_t *network)
{
    for (size_t i = 0; i < room->elsewheres; i++)
        if (room->elsewhere[i].guests > 0) {
            *network = room->elsewhere[i].network ? room->elsewhere[i].network : *network;
            return !MUTATED(ALONE);
        }
    return false;
}

bool others_here(const struct room *room, const char *guest)
{
    for (size_t i = 0; i < room->elsewheres; i++)
        for (int k = 0; k < room->elsewhere[i].guests; k++)
            if (strcmp(room->elsewhere[i].guest[k], guest) == 0)
                return !MUTATED(ALONE);
    return false;
}

int others_watchers(const struct room *room)
{
    int watchers = 0;
    for (size_t i = 0; i < room->elsewheres; i++)
        watchers += room->elsewhere[i].watchers;
    return watchers;
}

/* Tells this process's clients of a reaction. The name of somebody whom the room does not know is
 * looked up first. */
static void pass_on(struct rooms *rooms, struct room *room, int seat, const char *what,
                    const char *guest)
{
    const struct person *person = body_person(room->body, guest);
    if (person) {
        struct store_guest known = {0};
        memcpy(known.id, guest, sizeof known.id);
        memcpy(known.name, person->name, sizeof known.name);
        table_react(rooms, room, seat, what, &known, true);
        return;
    }
    struct pending *p = hub_alloc(sizeof *p);
    struct store_question question = {.kind = STORE_DEVICES};
    es_str_copy(es_str(guest), question.guest.id, sizeof question.guest.id);
    p->text = hub_copy(es_str(room->id));
    p->guest = question.guest;
    p->seat = seat;
    p->what = what;
    hub_ask(rooms, &question, p);
}

void others_named(struct rooms *rooms, const struct pending *p, const struct store_answer *answer)
{
    struct room *room = hub_room(rooms, p->text);
    if (!room || !room->body || answer->outcome != STORE_STORED || !answer->found)
        return;
    table_react(rooms, room, p->seat, p->what, &answer->guest, true);
}

/* Takes the words of a line after its letter. */
static void read_line(struct rooms *rooms, struct room *room, struct elsewhere *there, char letter,
                      struct es_str rest, uint64_t seen)
{
    struct es_str word[4];
    int words = 0;
    unsigned serial, seat, watchers;
    const char *what;
    char guest[STORE_GUEST_BYTES];
    while (words < 4 && es_str_word(&rest, &word[words]))
        words++;
    if (letter == 'g' && words == 1 && there->guests < ES_PLAYERS_MAX + 1) {
        if (es_str_copy(word[0], there->guest[there->guests], STORE_GUEST_BYTES))
            there->guests++;
    } else if (letter == 'n' && words == 1) {
        uint8_t bytes[sizeof there->network];
        there->network = 0;
        if (es_str_hex(word[0], bytes, sizeof bytes))
            for (size_t i = 0; i < sizeof bytes; i++)
                there->network = there->network << 8 | bytes[i];
    } else if (letter == 'w' && words == 1 && !es_str_number(word[0], 1000000, &watchers)) {
        there->watchers = (int)watchers;
    } else if (letter == 'r' && words == 4 && !es_str_number(word[0], INT32_MAX, &serial) &&
               !es_str_number(word[1], ES_PLAYERS_MAX, &seat) && serial > there->serial) {
        there->serial = serial;
        what = table_reaction(word[2]);
        if (seen != SEEN_NOTHING && serial > seen && what &&
            es_str_copy(word[3], guest, sizeof guest))
            pass_on(rooms, room, (int)seat, what, guest);
    }
}

static void read_here(struct rooms *rooms, struct room *room, struct elsewhere *there,
                      struct es_str text, uint64_t seen)
{
    struct es_lines lines;
    struct es_fault fault;
    if (es_lines_open(&lines, text, &fault))
        return;
    while (es_lines_next(&lines)) {
        struct es_str rest = lines.line, letter;
        if (es_str_word(&rest, &letter) && letter.size == 1)
            read_line(rooms, room, there, letter.at[0], rest, seen);
    }
}

static bool same_people(const struct elsewhere *a, const struct elsewhere *b)
{
    if (!b || a->silent != b->silent || a->watchers != b->watchers || a->guests != b->guests)
        return false;
    for (int i = 0; i < a->guests; i++)
        if (strcmp(a->guest[i], b->guest[i]) != 0)
            return false;
    return true;
}

static void fall_silent(struct elsewhere *there)
{
    there->silent = true;
    there->guests = there->watchers = 0;
}

/* Keeps a process that says nothing (any more) about the room, for the serial number: it may say
 * something again, with reactions that were told before. Returns whether it has said something. */
static bool keep_silent(struct elsewhere *list, size_t *count, const struct elsewhere *before)
{
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i].process, before->process) == 0)
            return false;
    if (before->serial > 0) {
        list[*count] = *before;
        fall_silent(&list[(*count)++]);
    }
    return !before->silent;
}

void others_read(struct rooms *rooms, struct room *room, const struct store_answer *answer)
{
    bool changed = false;
    size_t count = answer->heres;
    size_t first = room->elsewheres > SILENT_MAX ? room->elsewheres - SILENT_MAX : 0;
    struct elsewhere *list = hub_alloc((count + room->elsewheres + 1) * sizeof *list);
    for (size_t i = 0; i < answer->heres; i++) {
        const struct elsewhere *before = elsewhere_of(room, answer->here[i].process);
        memcpy(list[i].process, answer->here[i].process, sizeof list[i].process);
        list[i].serial = before ? before->serial : 0;
        /* Reactions that were there when we first read are old. */
        read_here(rooms, room, &list[i], answer->here[i].text,
                  before || room->read_before ? list[i].serial : SEEN_NOTHING);
        list[i].silent = list[i].guests == 0 && list[i].watchers == 0;
        changed |= !same_people(&list[i], before);
    }
    for (size_t i = first; i < room->elsewheres; i++)
        changed |= keep_silent(list, &count, &room->elsewhere[i]);
    free(room->elsewhere);
    room->elsewhere = list;
    room->elsewheres = count;
    room->read_before = true;
    if (changed)
        room_presence(rooms, room);
}

/* ---- News ------------------------------------------------------------------------------------ */

void others_ask_listed(struct rooms *rooms)
{
    hub_ask(rooms, &(struct store_question){.kind = STORE_ROOMS}, NULL);
}

void others_listed(struct rooms *rooms, const struct store_answer *answer)
{
    if (answer->outcome != STORE_STORED) {
        rooms->start_again = rooms->now + AGAIN_MS;
        return;
    }
    lobby_listed(rooms, answer);
}

void others_ask_guest(struct rooms *rooms, const char *guest, uint64_t connection)
{
    struct pending *p = hub_alloc(sizeof *p);
    struct store_question question = {.kind = STORE_DEVICES};
    es_str_copy(es_str(guest), question.guest.id, sizeof question.guest.id);
    p->guest = question.guest;
    p->connection = connection;
    p->news = true;
    hub_ask(rooms, &question, p);
}

void others_check(struct rooms *rooms, struct connection *c)
{
    c->checked = c->doubted && c->guest.id[0];
    c->doubted = false;
    if (c->checked)
        others_ask_guest(rooms, c->guest.id, c->id);
}

void others_check_names(struct rooms *rooms, const struct room *room)
{
    for (const struct connection *c = room->connections; c; c = c->after)
        if (others_shared(rooms) && body_misnames(room->body, &c->guest))
            others_ask_guest(rooms, c->guest.id, 0);
}

/* Returns true if the guest is connected here, or a room in memory or an open table may have to do
 * with them. */
static bool is_known(struct rooms *rooms, const char *guest)
{
    bool known = false;
    for (size_t i = 0; i < rooms->connections.slots; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        struct connection *c = slot->key ? slot->thing : NULL;
        if (!c)
            continue;
        c->doubted |= c->step == STEP_ASKING;
        known |= strcmp(c->guest.id, guest) == 0;
    }
    for (size_t i = 0; i < rooms->rooms.slots && !known; i++) {
        const struct room *room = rooms->rooms.slot[i].key ? rooms->rooms.slot[i].thing : NULL;
        known = room && room_concerns(room, guest);
    }
    for (size_t i = 0; i < rooms->tables.slots && !known; i++) {
        const struct table *table = rooms->tables.slot[i].key ? rooms->tables.slot[i].thing : NULL;
        known = table && lobby_concerns(rooms, table, guest);
    }
    return known;
}

static void hear_room(struct rooms *rooms, const struct store_news *news)
{
    struct room *room = hub_room(rooms, news->room);
    if (room && room->body && !room->storing && news->next && news->next <= room->body->count)
        return; /* we know more already */
    if (room || news->listed || lobby_has(rooms, news->room))
        lobby_heard(rooms, news->room);
}

/* News may be missing: reads everything again that depends on them. */
static void hear_all(struct rooms *rooms)
{
    for (size_t i = 0; i < rooms->rooms.slots; i++)
        if (rooms->rooms.slot[i].key) {
            struct room *room = rooms->rooms.slot[i].thing;
            room->heard = room->heard || room->body || room->reading || room->storing;
            if (room->heard)
                hub_wake(rooms, room, rooms->now);
        }
    for (size_t i = 0; i < rooms->connections.slots; i++) {
        const struct index_slot *slot = &rooms->connections.slot[i];
        struct connection *c = slot->key ? slot->thing : NULL;
        if (!c || c->step == STEP_CLOSED || is_request(c))
            continue;
        c->doubted = true;
        if (c->step != STEP_ASKING && !c->checked)
            others_check(rooms, c);
    }
    others_ask_listed(rooms);
    alive_soon(rooms); /* if the database has lost what we tell, it has forgotten us, too */
}

void others_news(struct rooms *rooms, const struct store_news *news)
{
    if (MUTATED(DEAF) || (MUTATED(DEAF_GUEST) && news->kind == NEWS_GUEST) ||
        (MUTATED(DEAF_ALL) && news->kind == NEWS_ALL))
        return;
    switch (news->kind) {
    case NEWS_ROOM:
        hear_room(rooms, news);
        break;
    case NEWS_HERE: {
        struct room *room = hub_room(rooms, news->room);
        if (room && (room->connections || room->body)) {
            room->heard = true;
            hub_wake(rooms, room, rooms->now);
        } else if (!room) {
            lobby_people(rooms, news->room);
        }
        break;
    }
    case NEWS_GUEST:
        if (is_known(rooms, news->guest))
            others_ask_guest(rooms, news->guest, 0);
        break;
    case NEWS_GAPS:
        alive_soon(rooms);
        break;
    case NEWS_ALL:
        hear_all(rooms);
        break;
    }
}

/* ---- Processes ------------------------------------------------------------------------------- */

static bool is_running(const struct store_answer *answer, const char *process)
{
    for (size_t i = 0; i < answer->heres; i++)
        if (strcmp(answer->here[i].process, process) == 0)
            return true;
    return false;
}

/* What processes that are not running said about a room is void. */
static void forget_gone(struct rooms *rooms, struct room *room, const struct store_answer *answer)
{
    bool changed = false;
    for (size_t i = 0; i < room->elsewheres; i++) {
        struct elsewhere *there = &room->elsewhere[i];
        if (!there->silent && !is_running(answer, there->process)) {
            fall_silent(there);
            changed = true;
        }
    }
    if (changed) {
        room_presence(rooms, room);
        hub_wake(rooms, room, rooms->now);
    }
}

void others_processes(struct rooms *rooms, const struct store_answer *answer)
{
    bool is_gone = false;
    for (size_t i = 0; i < rooms->rooms.slots; i++)
        if (rooms->rooms.slot[i].key)
            forget_gone(rooms, rooms->rooms.slot[i].thing, answer);
    for (size_t i = 0; i < rooms->processes; i++)
        is_gone |= !is_running(answer, rooms->process[i].process);
    rooms->process =
        hub_grow(rooms->process, &rooms->processes_room, answer->heres, sizeof *rooms->process);
    for (size_t i = 0; i < answer->heres; i++)
        rooms->process[i] = answer->here[i];
    rooms->processes = answer->heres;
    if (is_gone && !MUTATED(DEAF_DEATH))
        hear_all(rooms); /* it may have died before it could tell what it had done */
}
