/* Implementation of history.h. A room's list is replayed from its first entry; then each line of
 * the log about that room is compared with what the list says. */
#include "history.h"
#include <endstation/fair.h>
#include <endstation/record.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TRIES = 300, TRY_US = 100000, LINE_MAX = 300 };

/* A line of the log. */
struct line {
    struct es_str room, rest; /* `rest`: what follows the room */
    struct es_str what;       /* move, key, room, … */
    bool told;                /* else only asked */
};

struct seat {
    char guest[STORE_GUEST_BYTES]; /* of a person */
    char level[ES_LEVEL_BYTES];    /* of a bot */
    bool taken, has_word;
    uint8_t hash[ES_FAIR_BYTES], word[ES_FAIR_BYTES];
    int decisions;
};

enum phase { WAITING, WORDS, PLAYING, OVER, CLOSED };

/* A room while its list is replayed. */
struct replay {
    const struct history *history;
    struct history_facts *facts;
    const char *room;
    const struct store_answer *list;
    size_t number; /* of the entry that is looked at; 0: none */
    enum phase phase;
    uint8_t secret[ES_FAIR_BYTES];
    struct es_record record;
    struct es_map map;
    struct es_state state;
    struct seat seat[ES_PLAYERS_MAX];
    bool has_begun;
    char next[STORE_ROOM_BYTES];
};

__attribute__((format(printf, 2, 3))) static void complain(struct replay *replay, const char *form,
                                                           ...)
{
    char text[LINE_MAX], line[2 * LINE_MAX];
    va_list values;
    va_start(values, form);
    vsnprintf(text, sizeof text, form, values);
    va_end(values);
    if (replay->number)
        snprintf(line, sizeof line, "%s, entry %zu: %s", replay->room, replay->number, text);
    else
        snprintf(line, sizeof line, "%s: %s", replay->room, text);
    replay->facts->complaints++;
    replay->history->complain(replay->history->context, line);
}

/* ---- The list -------------------------------------------------------------------------------- */

/* Returns false if the store could not be read for a long time. */
static bool read_list(const struct history *history, const char *room, uint64_t first,
                      struct store_answer *answer)
{
    struct store_question question = {.kind = STORE_READ, .first = first};
    snprintf(question.head.room, sizeof question.head.room, "%s", room);
    for (int i = 0; i < TRIES; i++) {
        store_ask(history->store, &question, answer);
        if (answer->outcome == STORE_STORED)
            return true;
        free(answer->memory);
        usleep(TRY_US);
    }
    return false;
}

/* Reads settings (src/rooms/settings.c): lines up to an empty one, then the setup as a record. */
static bool make(struct replay *replay, const struct store_entry *entry)
{
    struct es_str text = entry->text, line, word;
    struct es_fault fault;
    bool has_secret = false;
    for (;;) {
        const char *end = memchr(text.at, '\n', text.size);
        if (!end)
            return false;
        line = (struct es_str){text.at, (size_t)(end - text.at)};
        text = (struct es_str){end + 1, text.size - line.size - 1};
        if (!es_str_word(&line, &word))
            break;
        if (es_str_is(word, "secret"))
            has_secret = es_str_hex(es_str_trim(line), replay->secret, sizeof replay->secret);
    }
    const struct es_map *map = NULL;
    if (!has_secret || es_record_header(&replay->record, text, &fault))
        return false;
    if (replay->record.setup.game->has_map) {
        struct es_str sheet = replay->list->map;
        if (es_map_read(&replay->map,
                        sheet.size ? sheet
                                   : es_builtin_map_named(es_str(replay->record.map_id),
                                                          es_str(replay->record.map_hash)),
                        &fault))
            return false;
        map = &replay->map;
    }
    for (int p = 0; p < replay->record.setup.players; p++)
        if (replay->record.bot[p][0]) {
            replay->seat[p].taken = true;
            memcpy(replay->seat[p].level, replay->record.bot[p], ES_LEVEL_BYTES);
        }
    return es_record_events(&replay->record, map, &replay->state, &fault) == ES_OK;
}

/* Empty seats go, and the others move up. */
static bool start(struct replay *replay)
{
    struct es_record *record = &replay->record;
    int players = 0;
    for (int p = 0; p < record->setup.players; p++)
        if (replay->seat[p].taken)
            replay->seat[players++] = replay->seat[p];
    for (int p = players; p < ES_PLAYERS_MAX; p++)
        replay->seat[p] = (struct seat){.taken = false};
    record->setup.players = (uint8_t)players;
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        memcpy(record->bot[p], replay->seat[p].level, ES_LEVEL_BYTES);
    replay->phase = WORDS;
    return es_setup_prepare(&record->setup) == ES_OK;
}

static bool begin(struct replay *replay)
{
    struct es_record *record = &replay->record;
    const uint8_t *word[ES_PLAYERS_MAX] = {NULL};
    for (int p = 0; p < record->setup.players; p++)
        if (replay->seat[p].has_word)
            word[p] = replay->seat[p].word;
    es_fair_seed(replay->secret, es_str(replay->room), record, word, record->seed);
    record->setup.game->start(&record->setup, &replay->state);
    record->events = malloc(replay->list->entries * sizeof *record->events);
    record->capacity = replay->list->entries;
    record->count = 0;
    replay->phase = PLAYING;
    replay->has_begun = true;
    return record->events != NULL;
}

/* A move or a chance event: it must be the next one, and legal. */
static void play(struct replay *replay, const struct store_entry *entry)
{
    struct es_record *record = &replay->record;
    const struct es_setup *setup = &record->setup;
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    es_event event;
    if (replay->phase != PLAYING) {
        complain(replay, "an event of a game that is not being played");
        return;
    }
    if (setup->game->parse(setup, entry->text, &event)) {
        complain(replay, "'%.*s' is no event", (int)entry->text.size, entry->text.at);
        return;
    }
    setup->game->format(setup, event, &out);
    if (!es_str_same(entry->text, (struct es_str){text, out.used}))
        complain(replay, "'%.*s' is not how this event is written", (int)entry->text.size,
                 entry->text.at);
    int who = ES_EVENT_WHO(event);
    if (who != entry->seat || (who == ES_CHANCE) != (entry->kind == ENTRY_CHANCE))
        complain(replay, "'%.*s' is stored as an event of seat %d", (int)entry->text.size,
                 entry->text.at, entry->seat);
    if (who > 0) {
        struct seat *seat = &replay->seat[who - 1];
        if (entry->decision != seat->decisions)
            complain(replay, "decision %d of seat %d follows %d of its decisions", entry->decision,
                     who, seat->decisions);
        if (entry->kind == ENTRY_MOVE && strcmp(entry->guest, seat->guest) != 0)
            complain(replay, "a move of a guest who does not sit there");
        seat->decisions++;
        replay->facts->moves += entry->kind == ENTRY_MOVE;
    } else if (setup->game->turn(setup, &replay->state).kind == ES_TURN_CHANCE &&
               event != setup->game->deal(setup, &replay->state, record->seed)) {
        complain(replay, "'%.*s' does not follow from the seed", (int)entry->text.size,
                 entry->text.at);
    }
    es_status status = setup->game->apply(setup, &replay->state, event);
    if (status) {
        complain(replay, "'%.*s' is illegal", (int)entry->text.size, entry->text.at);
        return;
    }
    record->events[record->count++] = event;
    if (setup->game->turn(setup, &replay->state).kind == ES_TURN_OVER)
        replay->phase = OVER;
}

static bool take_word(struct seat *seat, struct es_str text)
{
    uint8_t hash[ES_FAIR_BYTES];
    seat->has_word = true;
    if (!es_str_hex(text, seat->word, sizeof seat->word))
        return false;
    es_fair_hash(seat->word, hash);
    return memcmp(hash, seat->hash, sizeof hash) == 0;
}

/* Applies an entry; false if it cannot come here. */
static bool apply(struct replay *replay, const struct store_entry *entry)
{
    struct seat *seat =
        entry->seat >= 1 && entry->seat <= ES_PLAYERS_MAX ? &replay->seat[entry->seat - 1] : NULL;
    switch ((enum entry_kind)entry->kind) {
    case ENTRY_MADE:
        return replay->number == 1 && make(replay, entry);
    case ENTRY_SAT:
        if (!seat || replay->phase != WAITING || seat->taken)
            return false;
        *seat = (struct seat){.taken = true};
        memcpy(seat->guest, entry->guest, sizeof seat->guest);
        return es_str_hex(entry->text, seat->hash, sizeof seat->hash);
    case ENTRY_LEFT:
    case ENTRY_SEAT:
        if (!seat || replay->phase != WAITING)
            return false;
        *seat = (struct seat){.taken = entry->text.size > 0};
        return es_str_copy(entry->text, seat->level, sizeof seat->level);
    case ENTRY_START:
        return replay->phase == WAITING && start(replay);
    case ENTRY_WORD:
        return seat && replay->phase == WORDS && take_word(seat, entry->text);
    case ENTRY_BEGIN:
        return replay->phase == WORDS && begin(replay);
    case ENTRY_MOVE:
    case ENTRY_BOT:
    case ENTRY_CLOCK:
    case ENTRY_CHANCE:
        play(replay, entry);
        return true;
    case ENTRY_GIVEN:
    case ENTRY_TAKEN:
        return seat && replay->phase == PLAYING;
    case ENTRY_NEXT:
        return replay->phase >= OVER && !replay->next[0] &&
               es_str_copy(entry->text, replay->next, sizeof replay->next);
    case ENTRY_CLOSED:
        if (replay->phase >= OVER)
            return false;
        replay->phase = CLOSED;
        return true;
    case ENTRY_REMOVED:
        if (!seat || replay->phase != WAITING || !es_str_is(entry->text, seat->guest))
            return false;
        *seat = (struct seat){0};
        return true;
    case ENTRY_HOST:
    case ENTRY_CHAT:
    case ENTRY_UNSAID:
        return true;
    }
    return false;
}

/* Complains about every (seat, decision) and every (guest, key) that is there twice. */
static void check_unique(struct replay *replay)
{
    const struct store_answer *list = replay->list;
    for (size_t i = 0; i < list->entries; i++)
        for (size_t j = 0; j < i; j++) {
            const struct store_entry *a = &list->entry[i], *b = &list->entry[j];
            replay->number = i + 1;
            if (a->decision >= 0 && a->decision == b->decision && a->seat == b->seat)
                complain(replay, "decision %d of seat %d is also in entry %zu", a->decision,
                         a->seat, j + 1);
            if (a->key[0] && strcmp(a->key, b->key) == 0 && strcmp(a->guest, b->guest) == 0)
                complain(replay, "the key %s is also in entry %zu", a->key, j + 1);
        }
    replay->number = 0;
}

/* The numbers are 1 to n: there are n entries, all with different numbers from 1 on, and none with
 * a number above n. */
static void check_numbers(struct replay *replay)
{
    struct store_answer rest;
    if (!read_list(replay->history, replay->room, replay->list->entries + 1, &rest)) {
        complain(replay, "cannot be read");
        return;
    }
    if (rest.entries > 0)
        complain(replay, "of %zu entries %zu have higher numbers: there is a gap",
                 replay->list->entries, rest.entries);
    free(rest.memory);
}

/* ---- The log --------------------------------------------------------------------------------- */

static unsigned take_number(struct es_str *rest)
{
    struct es_str word;
    unsigned value = 0;
    if (!es_str_word(rest, &word) || es_str_number(word, 1000000, &value))
        return UINT32_MAX;
    return value;
}

/* Returns the number of entries with that decision; *at is the last of them. */
static int find_decision(const struct store_answer *list, unsigned seat, unsigned decision,
                         size_t *at)
{
    int count = 0;
    for (size_t i = 0; i < list->entries; i++)
        if (list->entry[i].decision >= 0 && list->entry[i].seat == seat &&
            list->entry[i].decision == (int32_t)decision) {
            *at = i;
            count++;
        }
    return count;
}

static void check_move(struct replay *replay, const struct line *line)
{
    struct es_str rest = line->rest;
    unsigned seat = take_number(&rest), decision = take_number(&rest);
    struct es_str event = es_str_trim(rest);
    size_t at = 0;
    int count = find_decision(replay->list, seat, decision, &at);
    replay->facts->acknowledged++;
    if (count == 0)
        complain(replay, "decision %u of seat %u, '%.*s', was acknowledged and is lost", decision,
                 seat, (int)event.size, event.at);
    else if (count > 1)
        complain(replay, "decision %u of seat %u was acknowledged once and is there %d times",
                 decision, seat, count);
    else if (!es_str_same(replay->list->entry[at].text, event) ||
             replay->list->entry[at].kind != ENTRY_MOVE)
        complain(replay, "decision %u of seat %u was acknowledged as '%.*s' and is '%.*s'",
                 decision, seat, (int)event.size, event.at, (int)replay->list->entry[at].text.size,
                 replay->list->entry[at].text.at);
}

static bool is_of_key(const struct store_entry *entry, const struct line *line)
{
    struct es_str rest = line->rest, kind, guest, key;
    return es_str_word(&rest, &kind) && es_str_word(&rest, &guest) && es_str_word(&rest, &key) &&
           kind.size == 1 && (uint8_t)kind.at[0] == entry->kind && es_str_is(guest, entry->guest) &&
           es_str_is(key, entry->key) &&
           (es_str_trim(rest).size == 0 || es_str_same(es_str_trim(rest), entry->text));
}

static void check_key(struct replay *replay, const struct line *line)
{
    int count = 0;
    for (size_t i = 0; i < replay->list->entries; i++)
        count += is_of_key(&replay->list->entry[i], line);
    replay->facts->others++;
    if (count != 1)
        complain(replay, "'%.*s' was acknowledged once and is there %d times", (int)line->rest.size,
                 line->rest.at, count);
}

static void check_next(struct replay *replay, const struct line *line)
{
    replay->facts->others++;
    if (!es_str_is(es_str_trim(line->rest), replay->next))
        complain(replay, "the rematch was acknowledged as %.*s and is '%s'", (int)line->rest.size,
                 line->rest.at, replay->next);
}

static void check_commit(struct replay *replay, const struct line *line)
{
    uint8_t shown[ES_FAIR_BYTES], commit[ES_FAIR_BYTES];
    es_fair_commit(replay->secret, es_str(replay->room), commit);
    if (!es_str_hex(es_str_trim(line->rest), shown, sizeof shown) ||
        memcmp(shown, commit, sizeof commit) != 0)
        complain(replay, "the commit that was shown is not that of the secret");
}

/* Compares what a viewer has been shown with what they must see of the list. */
static void check_stream(struct replay *replay, const struct line *line)
{
    const struct es_record *record = &replay->record;
    struct es_str rest = line->rest;
    unsigned viewer = take_number(&rest), lines = take_number(&rest);
    char text[ES_EVENT_BYTES + 1], hex[2 * ES_SHA256_BYTES + 1] = "";
    uint8_t hash[ES_SHA256_BYTES];
    struct es_sha256 sha;
    size_t seen = 0;
    es_event *event = malloc((record->count + 1) * sizeof *event);
    replay->facts->streams++;
    es_sha256_init(&sha);
    if (event && replay->has_begun)
        seen = record->setup.game->observe(&record->setup, &replay->state, record->events,
                                           record->count, (int)viewer, event);
    for (size_t i = 0; i < seen; i++) {
        struct es_out out = {text, sizeof text, 0};
        record->setup.game->format(&record->setup, event[i], &out);
        es_out_char(&out, '\n');
        es_sha256_update(&sha, text, out.used);
    }
    free(event);
    es_sha256_final(&sha, hash);
    struct es_out out = {hex, sizeof hex - 1, 0};
    es_out_hex(&out, hash, sizeof hash);
    if (seen != lines)
        complain(replay, "viewer %u was shown %u lines of %zu", viewer, lines, seen);
    else if (!es_str_is(es_str_trim(rest), hex))
        complain(replay, "viewer %u was shown other lines", viewer);
}

/* Every move of a person, and everything with a key, was asked for by somebody. */
static void check_asked(struct replay *replay, const struct line *line, size_t lines)
{
    for (size_t i = 0; i < replay->list->entries; i++) {
        const struct store_entry *entry = &replay->list->entry[i];
        bool is_move = entry->kind == ENTRY_MOVE, found = !is_move && !entry->key[0];
        for (size_t l = 0; l < lines && !found; l++) {
            struct es_str rest = line[l].rest;
            if (line[l].told || es_str_is(line[l].what, "move") != is_move)
                continue;
            found = is_move ? take_number(&rest) == entry->seat &&
                                  take_number(&rest) == (unsigned)entry->decision &&
                                  es_str_same(es_str_trim(rest), entry->text)
                            : is_of_key(entry, &line[l]);
        }
        replay->number = i + 1;
        if (!found)
            complain(replay, "nobody has asked for '%.*s' (%c)", (int)entry->text.size,
                     entry->text.at, entry->kind);
    }
    replay->number = 0;
}

static void check_line(struct replay *replay, const struct line *line)
{
    static const struct {
        const char *what;
        void (*check)(struct replay *replay, const struct line *line);
    } checks[] = {{"move", check_move},
                  {"key", check_key},
                  {"next", check_next},
                  {"commit", check_commit},
                  {"stream", check_stream}};
    if (!line->told)
        return;
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++)
        if (es_str_is(line->what, checks[i].what))
            checks[i].check(replay, line);
}

/* ---- Rooms ----------------------------------------------------------------------------------- */

/* Writes the record of a finished game as players get it, reads it, and verifies it. */
static void check_record(struct replay *replay)
{
    struct es_record *record = &replay->record;
    struct es_out notes = {record->notes, sizeof record->notes, 0};
    uint8_t commit[ES_FAIR_BYTES];
    es_fair_commit(replay->secret, es_str(replay->room), commit);
    es_fair_write_commit(commit, es_str(replay->room), &notes);
    for (int p = 0; p < record->setup.players; p++)
        if (!replay->seat[p].level[0])
            es_fair_write_word(p + 1, replay->seat[p].has_word ? replay->seat[p].word : NULL,
                               replay->seat[p].hash, &notes);
    es_fair_write_secret(replay->secret, &notes);
    record->notes_size = notes.used;
    record->has_seed = true;

    size_t size = es_record_bytes(record);
    char *text = malloc(size);
    struct es_record *again = calloc(1, sizeof *again);
    es_event *events = malloc((record->count + 1) * sizeof *events);
    if (text && again && events) {
        struct es_out out = {text, size, 0};
        struct es_state state;
        struct es_fair_facts facts;
        struct es_fault fault = {.status = ES_OK};
        static struct es_map map;
        again->events = events;
        again->capacity = record->count + 1;
        es_record_write(record, &out);
        struct es_str whole = {text, out.used};
        if (es_record_read(again, whole, record->setup.map, &map, &state, &fault) ||
            es_fair_verify(again, whole, commit, &state, &facts, &fault) || !facts.proved)
            complain(replay, "the record does not verify: %s", fault.reason);
        else
            replay->facts->finished++;
    }
    free(events);
    free(again);
    free(text);
}

static void check_room(const struct history *history, struct history_facts *facts, const char *room,
                       const struct line *line, size_t lines)
{
    struct store_answer list;
    struct replay *replay = calloc(1, sizeof *replay);
    if (!replay)
        abort();
    *replay = (struct replay){.history = history, .facts = facts, .room = room, .list = &list};
    facts->rooms++;
    bool was_made = false;
    for (size_t l = 0; l < lines && !was_made; l++)
        was_made = line[l].told;
    if (!read_list(history, room, 1, &list)) {
        complain(replay, "cannot be read");
        free(replay);
        return;
    }
    if (!list.found)
        complain(replay, "was acknowledged and is lost");
    if (!was_made)
        complain(replay, "nobody was told of this room");
    facts->entries += list.entries;
    check_numbers(replay);
    check_unique(replay);
    for (size_t i = 0; i < list.entries; i++) {
        replay->number = i + 1;
        if (!apply(replay, &list.entry[i])) {
            complain(replay, "an entry '%c' that cannot follow", list.entry[i].kind);
            break; /* what follows makes no sense */
        }
    }
    replay->number = 0;
    if (list.found && list.head.over != (replay->phase >= OVER))
        complain(replay, "its head says that the game is %s", list.head.over ? "over" : "not over");
    for (size_t l = 0; l < lines; l++)
        check_line(replay, &line[l]);
    check_asked(replay, line, lines);
    if (replay->phase == OVER)
        check_record(replay);
    free(replay->record.events);
    free(replay);
    free(list.memory);
}

/* ---- Everything ------------------------------------------------------------------------------ */

static int compare_str(struct es_str a, struct es_str b)
{
    int order = memcmp(a.at, b.at, a.size < b.size ? a.size : b.size);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static int compare_lines(const void *a, const void *b)
{
    return compare_str(((const struct line *)a)->room, ((const struct line *)b)->room);
}

/* Reads the log; lines about the same room are neighbours then. Each room of the store gets a line,
 * too, so that it is checked even if nobody has heard of it. */
static struct line *read_log(const struct history *history, struct history_facts *facts,
                             size_t *count)
{
    size_t most = history->rooms + 1;
    for (size_t i = 0; i < history->log.size; i++)
        most += history->log.at[i] == '\n';
    struct line *line = calloc(most, sizeof *line);
    struct es_str rest = history->log;
    if (!line)
        abort();
    for (*count = 0; rest.size > 0;) {
        const char *end = memchr(rest.at, '\n', rest.size);
        struct es_str text = {rest.at, end ? (size_t)(end - rest.at) : rest.size}, word;
        struct line *one = &line[*count];
        rest.at += text.size + (end != NULL);
        rest.size -= text.size + (end != NULL);
        if (es_str_word(&text, &word) && es_str_word(&text, &one->what) &&
            es_str_word(&text, &one->room) && one->room.size < STORE_ROOM_BYTES &&
            (es_str_is(word, "told") || es_str_is(word, "asked"))) {
            one->told = es_str_is(word, "told");
            one->rest = es_str_trim(text);
            ++*count;
        } else {
            facts->complaints++;
            history->complain(history->context, "a line of the log cannot be read");
        }
    }
    for (size_t i = 0; i < history->rooms; i++)
        line[(*count)++] =
            (struct line){.room = es_str(history->room[i].id), .what = es_str("stored")};
    qsort(line, *count, sizeof *line, compare_lines);
    return line;
}

struct history_facts history_check(const struct history *history)
{
    struct history_facts facts = {0};
    size_t count;
    struct line *line = read_log(history, &facts, &count);
    for (size_t from = 0, to; from < count; from = to) {
        char room[STORE_ROOM_BYTES];
        for (to = from + 1; to < count && compare_lines(&line[from], &line[to]) == 0;)
            to++;
        es_str_copy(line[from].room, room, sizeof room);
        check_room(history, &facts, room, &line[from], to - from);
    }
    free(line);
    return facts;
}
