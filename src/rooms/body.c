/* A room's state, computed from its entries and the server's gaps before them. It depends neither
 * on the time nor on who is connected, so that reading the same entries always gives the same
 * state. (Only clocks may differ: an entry from the future was written while a clock was wrong, and
 * counts as new, so that nobody waits until that time comes.) */
#include "rooms/internal.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct body *body_new(void)
{
    return hub_alloc(sizeof(struct body));
}

void body_free(struct body *body)
{
    if (!body)
        return;
    for (size_t i = 0; i < body->chats; i++)
        free(body->chat[i].text);
    free(body->chat);
    free(body->unsaid);
    free(body->removed);
    free(body->key);
    free(body->person);
    free(body->made);
    free(body->map_text);
    free(body->own_map);
    free(body->settings.invited);
    free(body->setup_text);
    if (body->game)
        free(body->game->record.events);
    free(body->game);
    free(body);
}

int body_seat(const struct body *body, const char *guest)
{
    if (guest[0])
        for (int p = 0; p < body->setup.players; p++)
            if (body->seat[p].kind == SEAT_PERSON && strcmp(body->seat[p].guest, guest) == 0)
                return p + 1;
    return 0;
}

bool body_removed(const struct body *body, const char *guest)
{
    for (size_t i = 0; i < body->removals; i++)
        if (strcmp(body->removed[i], guest) == 0)
            return true;
    return false;
}

bool body_running(const struct body *body)
{
    return body->phase == PHASE_PLAYING;
}

struct es_turn body_turn(const struct body *body)
{
    return body->setup.game->turn(&body->setup, &body->game->state);
}

/* ---- People ---------------------------------------------------------------------------------- */

const struct person *body_person(const struct body *body, const char *guest)
{
    for (size_t i = 0; i < body->people; i++)
        if (strcmp(body->person[i].guest, guest) == 0)
            return &body->person[i];
    return NULL;
}

/* The record has the names that players had at the start. */
static bool is_fixed(const struct body *body, const char *guest)
{
    return body->phase != PHASE_WAITING && body_seat(body, guest) > 0;
}

static bool is_same(const struct person *person, const struct store_guest *guest)
{
    return person->colour == guest->colour && strcmp(person->name, guest->name) == 0;
}

bool body_misnames(const struct body *body, const struct store_guest *guest)
{
    const struct person *person = body_person(body, guest->id);
    return person && !is_fixed(body, guest->id) && !is_same(person, guest);
}

bool body_name(struct body *body, const struct store_guest *guest)
{
    if (is_fixed(body, guest->id) && body_person(body, guest->id))
        return false;
    return body_know(body, guest);
}

bool body_know(struct body *body, const struct store_guest *guest)
{
    struct person *person = (struct person *)body_person(body, guest->id);
    if (person && is_same(person, guest))
        return false;
    if (!person) {
        if (body->people >= PEOPLE_MAX)
            return false;
        body->person =
            hub_grow(body->person, &body->people_room, body->people + 1, sizeof *body->person);
        person = &body->person[body->people++];
        memset(person, 0, sizeof *person);
        memcpy(person->guest, guest->id, sizeof person->guest);
    }
    person->colour = guest->colour;
    memcpy(person->name, guest->name, sizeof person->name);
    return true;
}

static bool has_written(const struct body *body, const char *guest)
{
    for (size_t i = 0; i < body->chats; i++)
        if (strcmp(body->chat[i].guest, guest) == 0)
            return true;
    return false;
}

bool body_forget_idle(struct body *body)
{
    for (size_t i = 0; i < body->people; i++) {
        const char *guest = body->person[i].guest;
        if (body_seat(body, guest) == 0 && strcmp(guest, body->host) != 0 &&
            !has_written(body, guest)) {
            body->person[i] = body->person[--body->people];
            return true;
        }
    }
    return false;
}

bool body_forget(struct body *body, const char *guest)
{
    struct person *person = (struct person *)body_person(body, guest);
    bool known = person != NULL;
    if (known)
        *person = body->person[--body->people];
    for (size_t i = 0; i < body->chats; i++)
        if (strcmp(body->chat[i].guest, guest) == 0 && body->chat[i].text[0]) {
            body->chat[i].text[0] = 0;
            known = true;
        }
    return known;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static void hash_text(struct es_str text, uint8_t hash[8])
{
    uint8_t whole[ES_SHA256_BYTES];
    hub_hash(text, whole);
    memcpy(hash, whole, 8);
}

static struct used_key key_of(const struct store_entry *entry)
{
    struct used_key key = {.kind = entry->kind, .seat = entry->seat};
    memcpy(key.guest, entry->guest, sizeof key.guest);
    memcpy(key.key, entry->key, sizeof key.key);
    hash_text(entry->text, key.text);
    return key;
}

const struct used_key *body_key(const struct body *body, const char *guest, const char *key)
{
    if (MUTATED(FORGET_KEY))
        return NULL;
    for (size_t i = 0; i < body->keys; i++)
        if (strcmp(body->key[i].guest, guest) == 0 && strcmp(body->key[i].key, key) == 0)
            return &body->key[i];
    return NULL;
}

/* ---- The game -------------------------------------------------------------------------------- */

static void note(struct game *game, const char *line)
{
    size_t size = strlen(line);
    if (game->notes_size + size < sizeof game->notes) {
        memcpy(game->notes + game->notes_size, line, size);
        game->notes_size += size;
    }
}

/* Removes a note; false if there is no such note. */
static bool unnote(struct game *game, const char *line)
{
    size_t size = strlen(line);
    game->notes[game->notes_size] = 0;
    char *at = strstr(game->notes, line);
    if (!at)
        return false;
    memmove(at, at + size, game->notes_size - (size_t)(at - game->notes) - size);
    game->notes_size -= size;
    return true;
}

static void add_note(struct es_record *record, const char *line)
{
    size_t size = strlen(line);
    if (record->notes_size + size <= sizeof record->notes) {
        memcpy(record->notes + record->notes_size, line, size);
        record->notes_size += size;
    }
}

/* Makes what only the game needs: a record with the room's setup. */
static void make_game(struct body *body)
{
    struct game *game = hub_alloc(sizeof *game);
    struct es_fault fault;
    es_status status = es_record_header(&game->record, settings_setup(body->made), &fault);
    assert(status == ES_OK); /* as in settings_read() */
    game->record.setup = body->setup;
    memset(game->record.bot, 0, sizeof game->record.bot);
    for (int p = 0; p < body->setup.players; p++)
        if (body->seat[p].kind == SEAT_BOT)
            memcpy(game->record.bot[p], body->seat[p].level, sizeof game->record.bot[p]);
    body->game = game;
    free(body->setup_text);
    body->setup_text = settings_header(&game->record);
}

/* Removes open seats, so that the others move up, and fixes the number of players. */
static bool start(struct body *body, const struct store_entry *entry)
{
    int players = 0;
    for (int p = 0; p < body->setup.players; p++) {
        if (body->seat[p].kind == SEAT_OPEN)
            continue;
        if (p != players) {
            body->seat[players] = body->seat[p];
            memset(&body->seat[p], 0, sizeof body->seat[p]);
        }
        players++;
    }
    body->setup.players = (uint8_t)players;
    if (es_setup_prepare(&body->setup))
        return false;
    make_game(body);
    body->started = entry->time;
    body->phase = PHASE_WORDS;
    return true;
}

/* Writes a day as 2025-06-30, by the civil calendar. */
static void write_day(uint64_t ms, char text[24])
{
    long days = (long)(ms / 86400000) + 719468; /* since 0000-03-01 */
    long era = days / 146097, of_era = days % 146097;
    long year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    long of_year = of_era - (365 * year + year / 4 - year / 100);
    long month = (5 * of_year + 2) / 153, day = of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    snprintf(text, 24, "%04ld-%02ld-%02ld", (era * 400 + year + (month <= 2)) % 10000, month % 100,
             day % 100);
}

static void set_due(struct body *body, uint64_t time)
{
    struct es_turn turn = body_turn(body);
    for (int p = 0; p < body->setup.players; p++) {
        struct seat *seat = &body->seat[p];
        bool due = turn.kind == ES_TURN_PLAYERS && turn.players >> p & 1;
        if (due && (!seat->due || MUTATED(LEAK_CLOCK))) {
            seat->due = time;
            seat->taken = seat->pause = 0;
        } else if (!due) {
            seat->due = 0;
        }
    }
    if (turn.kind == ES_TURN_OVER)
        body->phase = PHASE_OVER;
}

static bool begin(struct room *room, struct body *body, const struct store_entry *entry,
                  uint64_t written)
{
    struct es_record *record = &body->game->record;
    const uint8_t *word[ES_PLAYERS_MAX] = {NULL};
    for (int p = 0; p < record->setup.players; p++)
        if (body->seat[p].has_word)
            word[p] = body->seat[p].word;
    es_fair_seed(body->settings.secret, es_str(room->id), record, word, record->seed);
    char line[128], day[24];
    struct es_out out = {line, sizeof line, 0};
    es_fair_write_commit(body->commit, es_str(room->id), &out);
    line[out.used] = 0;
    add_note(record, line);
    write_day(written, day);
    snprintf(line, sizeof line, "date %s\n", day);
    add_note(record, line);
    record->setup.game->start(&record->setup, &body->game->state);
    body->phase = PHASE_PLAYING;
    body->moved = entry->time;
    for (int v = 0; v <= record->setup.players; v++) {
        body->game->stream[v].count = 0;
        record->setup.game->start(&record->setup, &body->game->stream[v].view);
    }
    set_due(body, entry->time);
    return true;
}

static bool play(struct body *body, const struct store_entry *entry)
{
    if (!body_running(body))
        return false;
    struct es_record *record = &body->game->record;
    const struct es_setup *setup = &record->setup;
    es_event event;
    if (setup->game->parse(setup, entry->text, &event) ||
        setup->game->apply(setup, &body->game->state, event))
        return false;
    record->events =
        hub_grow(record->events, &record->capacity, record->count + 1, sizeof *record->events);
    record->events[record->count++] = event;
    int who = ES_EVENT_WHO(event);
    if (who != entry->seat)
        return false;
    if (who > 0) {
        struct seat *seat = &body->seat[who - 1];
        char line[64];
        if (entry->decision != seat->decisions)
            return false;
        if (entry->kind == ENTRY_CLOCK) {
            snprintf(line, sizeof line, "note clock %d %d\n", who, seat->decisions);
            note(body->game, line);
        }
        seat->decisions++;
    }
    body->moved = entry->time;
    set_due(body, entry->time);
    /* Not before the turn is over: an entry of an open round changes nothing that others see. */
    if (who > 0 && (entry->kind == ENTRY_CLOCK || !body->seat[who - 1].due))
        body->seat[who - 1].out = entry->kind == ENTRY_CLOCK;
    return true;
}

void body_names(struct body *body)
{
    struct es_record *record = &body->game->record;
    for (int p = 0; p < record->setup.players; p++) {
        const struct seat *seat = &body->seat[p];
        const struct person *person =
            seat->kind == SEAT_PERSON ? body_person(body, seat->guest) : NULL;
        record->name[p][0] = 0;
        if (person)
            memcpy(record->name[p], person->name, sizeof record->name[p]);
    }
}

void body_reveal(struct body *body)
{
    if (body->moved == 0 || body->phase < PHASE_OVER || body->game->record.has_seed)
        return;
    struct es_record *record = &body->game->record;
    char line[256];
    for (int p = 0; p < record->setup.players; p++)
        if (body->seat[p].kind == SEAT_PERSON) {
            struct es_out out = {line, sizeof line, 0};
            es_fair_write_word(p + 1, body->seat[p].has_word ? body->seat[p].word : NULL,
                               body->seat[p].hash, &out);
            line[out.used] = 0;
            add_note(record, line);
        }
    struct es_out out = {line, sizeof line, 0};
    es_fair_write_secret(body->settings.secret, &out);
    line[out.used] = 0;
    add_note(record, line);
    body->game->notes[body->game->notes_size] = 0;
    add_note(record, body->game->notes);
    record->has_seed = true;
}

/* ---- Entries --------------------------------------------------------------------------------- */

static bool sit(struct body *body, const struct store_entry *entry, struct seat *seat)
{
    if (body->phase != PHASE_WAITING || seat->kind != SEAT_OPEN)
        return false;
    *seat = (struct seat){.kind = SEAT_PERSON, .sat = body->count};
    memcpy(seat->guest, entry->guest, sizeof seat->guest);
    return es_str_hex(entry->text, seat->hash, sizeof seat->hash);
}

enum { TAKEOVER_BYTES = 96 };

static void write_takeover(int number, const struct seat *seat, char line[TAKEOVER_BYTES])
{
    snprintf(line, TAKEOVER_BYTES, "note takeover %d %s %d\n", number, seat->level,
             seat->decisions);
}

static bool give(struct body *body, const struct store_entry *entry, struct seat *seat)
{
    char line[TAKEOVER_BYTES];
    if (!body->game || seat->kind != SEAT_PERSON ||
        !es_str_copy(entry->text, seat->level, sizeof seat->level))
        return false;
    seat->given = entry->time;
    write_takeover(entry->seat, seat, line);
    note(body->game, line);
    return true;
}

static bool take(const struct rooms *rooms, struct body *body, const struct store_entry *entry,
                 struct seat *seat)
{
    char line[TAKEOVER_BYTES];
    if (!body->game)
        return false;
    write_takeover(entry->seat, seat, line);
    /* If the bot has made no move, only removes the note of the takeover. Otherwise giving and
     * taking again and again would use up the space for notes. */
    if (!unnote(body->game, line)) {
        snprintf(line, sizeof line, "note return %d %d\n", entry->seat, seat->decisions);
        note(body->game, line);
    }
    seat->level[0] = 0;
    seat->out = false;
    if (seat->due)
        seat->pause +=
            hub_lived(rooms, seat->given > seat->due ? seat->given : seat->due, entry->time);
    seat->taken = entry->time;
    return true;
}

static bool write_chat(struct body *body, const struct store_entry *entry)
{
    body->chat = hub_grow(body->chat, &body->chats_room, body->chats + 1, sizeof *body->chat);
    struct chat *chat = &body->chat[body->chats++];
    *chat = (struct chat){.seat = entry->seat, .time = entry->time, .number = body->count};
    memcpy(chat->guest, entry->guest, sizeof chat->guest);
    chat->text = hub_copy(entry->text);
    return true;
}

static bool unsay(struct body *body, const struct store_entry *entry)
{
    unsigned number;
    size_t i = 0;
    if (es_str_number(entry->text, INT32_MAX, &number))
        return false;
    while (i < body->chats && body->chat[i].number != number)
        i++;
    if (i == body->chats)
        return false;
    body->chat[i].text[0] = 0;
    body->unsaid =
        hub_grow(body->unsaid, &body->unsaids_room, body->unsaids + 1, sizeof *body->unsaid);
    body->unsaid[body->unsaids++] = i;
    return true;
}

static bool remove_person(struct body *body, const struct store_entry *entry, struct seat *seat)
{
    if (body->phase != PHASE_WAITING || seat->kind != SEAT_PERSON ||
        !es_str_is(entry->text, seat->guest))
        return false;
    body->removed =
        hub_grow(body->removed, &body->removals_room, body->removals + 1, sizeof *body->removed);
    memcpy(body->removed[body->removals++], seat->guest, STORE_GUEST_BYTES);
    *seat = (struct seat){0};
    return true;
}

static bool apply(struct rooms *rooms, struct room *room, struct body *body,
                  const struct store_entry *entry, uint64_t written)
{
    struct seat *seat =
        entry->seat >= 1 && entry->seat <= ES_PLAYERS_MAX ? &body->seat[entry->seat - 1] : NULL;
    switch ((enum entry_kind)entry->kind) {
    case ENTRY_MADE:
        return false; /* only as the first entry: see body_apply() */
    case ENTRY_SAT:
        return seat && sit(body, entry, seat);
    case ENTRY_LEFT:
        if (!seat || body->phase != PHASE_WAITING)
            return false;
        *seat = (struct seat){0};
        return true;
    case ENTRY_SEAT:
        if (!seat || body->phase != PHASE_WAITING)
            return false;
        *seat = (struct seat){.kind = entry->text.size > 0 ? SEAT_BOT : SEAT_OPEN};
        return es_str_copy(entry->text, seat->level, sizeof seat->level);
    case ENTRY_HOST:
        return es_str_copy(entry->text, body->host, sizeof body->host);
    case ENTRY_START:
        return body->phase == PHASE_WAITING && start(body, entry);
    case ENTRY_WORD:
        if (!seat || body->phase != PHASE_WORDS)
            return false;
        seat->has_word = true;
        return es_str_hex(entry->text, seat->word, sizeof seat->word);
    case ENTRY_BEGIN:
        return body->phase == PHASE_WORDS && begin(room, body, entry, written);
    case ENTRY_MOVE:
    case ENTRY_BOT:
    case ENTRY_CLOCK:
    case ENTRY_CHANCE:
        return play(body, entry);
    case ENTRY_GIVEN:
        return seat && give(body, entry, seat);
    case ENTRY_TAKEN:
        return seat && take(rooms, body, entry, seat);
    case ENTRY_CHAT:
        return write_chat(body, entry);
    case ENTRY_NEXT:
        return es_str_copy(entry->text, body->next, sizeof body->next);
    case ENTRY_CLOSED:
        body->phase = PHASE_CLOSED;
        return true;
    case ENTRY_REMOVED:
        return seat && remove_person(body, entry, seat);
    case ENTRY_UNSAID:
        return unsay(body, entry);
    }
    return false;
}

static bool make(struct rooms *rooms, struct room *room, struct body *body,
                 const struct store_entry *entry)
{
    struct es_str own = body->map_text ? es_str(body->map_text) : es_str("");
    char *text = body->map_text;
    body->map_text = NULL;
    bool good = settings_read(rooms, body, entry->text, own);
    free(text);
    if (!good)
        return false;
    memcpy(body->host, entry->guest, sizeof body->host);
    es_fair_commit(body->settings.secret, es_str(room->id), body->commit);
    memcpy(body->maker, entry->guest, sizeof body->maker);
    return true;
}

bool body_apply(struct rooms *rooms, struct room *room, struct body *body,
                const struct store_entry *entry)
{
    struct store_entry timely = *entry;
    if (rooms->now && entry->time > rooms->now + STORE_AHEAD_MS)
        timely.time = rooms->now;
    body->count++;
    body->latest = timely.time;
    if (entry->key[0]) {
        body->key = hub_grow(body->key, &body->keys_room, body->keys + 1, sizeof *body->key);
        body->key[body->keys++] = key_of(entry);
    }
    if ((entry->kind == ENTRY_MADE) != (body->count == 1))
        return false;
    return body->count == 1 ? make(rooms, room, body, entry)
                            : apply(rooms, room, body, &timely, entry->time);
}
