/* Opens, continues, takes back and replays the game of a session. */
#include "page/internal.h"
#include <assert.h>
#include <string.h>

/* Reads the built-in sheet into page->next; false if there is none with this id and hash. */
static bool is_built_in(struct es_page *page, const char *id, const char *hash)
{
    struct es_str text = es_builtin_map_named(es_str(id), es_str(hash));
    struct es_fault fault;
    return text.size > 0 && es_map_read(&page->next, text, &fault) == ES_OK &&
           es_str_is(es_str(hash), page->next.hash);
}

es_status es_page_map(struct es_page *page, struct es_str text, struct es_fault *fault)
{
    if (text.size == 0) {
        page->own.lines = 0;
        return ES_OK;
    }
    if (es_map_read(&page->next, text, fault))
        return fault->status;
    page->own = page->next;
    return ES_OK;
}

void es_page_map_facts(struct es_page *page, struct es_out *out)
{
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    if (page->own.lines > 0) {
        es__write_text(w, "id", page->own.id);
        es__write_text(w, "title", page->own.title);
        es__write_text(w, "hash", page->own.hash);
        es__write_bool(w, "built_in", is_built_in(page, page->own.id, page->own.hash));
    }
    es__write_end(w);
}

es_status es_page_needs(struct es_page *page, struct es_str text, struct es_out *out,
                        struct es_fault *fault)
{
    struct es_record record = {.events = NULL};
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    if (es_record_header(&record, text, fault))
        return fault->status;
    const char *id = record.map_id, *hash = record.map_hash;
    es__write_object(w, NULL);
    es__write_text(w, "game", record.setup.game->name);
    es__write_text(w, "map", id);
    es__write_text(w, "hash", hash);
    es__write_bool(w, "built_in",
                   hash[0] ? is_built_in(page, id, hash) : es_builtin_map(es_str(id)).size > 0);
    es__write_end(w);
    return ES_OK;
}

/* Makes a game that was read completely the open one. */
static void take(struct es_page *page, const struct es_record *record, const struct es_state *state)
{
    page->record = *record;
    page->record.events = page->event;
    page->record.lines = (struct es_lines){0}; /* the text need not stay any longer */
    page->record.needs_blank_line = false;     /* it will be written whole */
    memcpy(page->event, record->events, record->count * sizeof *record->events);
    if (record->setup.map) {
        page->map = *record->setup.map;
        page->record.setup.map = &page->map;
        page->built_in = is_built_in(page, page->map.id, page->map.hash);
    }
    page->state = *state;
    es_record_labels(&page->record, page->label);
    page->is_prepared = false;
    page->is_open = true;
    page->cursor = record->count;
    page->old_count = 0;
}

es_status es_page_open(struct es_page *page, struct es_str text, struct es_fault *fault)
{
    struct es_record record = {.events = page->seen, .capacity = ES_EVENTS_MAX};
    struct es_state state;
    if (es_record_header(&record, text, fault))
        return fault->status;
    struct es_str id = es_str(record.map_id);
    bool own = page->own.lines > 0 && es_str_is(id, page->own.id);
    bool fits = !record.map_hash[0] || es_str_is(es_str(record.map_hash), page->own.hash);
    if (own && !fits && es_builtin_map(id).size > 0)
        own = false; /* where there is no other, the fault names both hashes */
    if (es_record_read(&record, text, own ? &page->own : NULL, &page->next, &state, fault))
        return fault->status;
    take(page, &record, &state);
    return ES_OK;
}

es_status es__page_make(struct es_page *page, es_event event)
{
    struct es_record *record = &page->record;
    const struct es_setup *setup = &record->setup;
    if (record->count == ES_EVENTS_MAX)
        return ES_EVENTS_TOO_MANY;
    es_status status = setup->game->apply(setup, &page->state, event);
    if (status)
        return status;
    record->events[record->count++] = event;
    page->cursor = record->count;
    return ES_OK;
}

es_status es_page_apply(struct es_page *page, struct es_str text)
{
    assert(page->is_open);
    const struct es_setup *setup = &page->record.setup;
    es_event event;
    es_status status = setup->game->parse(setup, text, &event);
    return status ? status : es__page_make(page, event);
}

int es_page_deal(struct es_page *page, uint64_t entropy)
{
    assert(page->is_open);
    const struct es_record *record = &page->record;
    const struct es_setup *setup = &record->setup;
    struct es_random random;
    size_t before = record->count;
    es_random_seed(&random, entropy);
    while (setup->game->turn(setup, &page->state).kind == ES_TURN_CHANCE) {
        bool dealt =
            record->has_seed &&
            es__page_make(page, setup->game->deal(setup, &page->state, record->seed)) == ES_OK;
        if (!dealt && es__page_make(page, es_chance(setup, &page->state, &random)))
            break; /* no room is left */
    }
    return (int)(record->count - before);
}

void es__page_fold(const struct es_page *page, const es_event *events, size_t count,
                   struct es_state *state)
{
    es_status status = es_fold(&page->record.setup, events, count, state);
    assert(status == ES_OK);
}

void es__page_cut(struct es_page *page, size_t count)
{
    assert(page->is_open);
    struct es_record *record = &page->record;
    if (count < record->count) {
        record->count = count;
        es__page_fold(page, record->events, count, &page->state);
    }
    page->cursor = record->count;
}

/* ---- Taking back ---------------------------------------------------------------------------- */

/* The default of es_table.undo. `seen` has room for all events. */
static long undo_unseen(const struct es_record *record, const struct es_state *state, int player,
                        es_event *seen)
{
    const struct es_setup *setup = &record->setup;
    const struct es_game *game = setup->game;
    struct es_state without;
    size_t at = record->count;
    while (at > 0 && ES_EVENT_WHO(record->events[at - 1]) != player)
        at--;
    if (at-- == 0 || es_fold(setup, record->events, at, &without))
        return -1;
    size_t now = game->observe(setup, state, record->events, record->count, player, seen);
    if (now != game->observe(setup, &without, record->events, at, player, seen) + 1)
        return -1;
    for (size_t i = at + 1; i < record->count; i++)
        if (game->apply(setup, &without, record->events[i]))
            return -1;
    return (long)at;
}

long es__undo(const struct es_record *record, const struct es_state *state, int player,
              es_event *seen)
{
    const struct es_table *table = record->setup.game->table;
    if (player == 0)
        return -1;
    if (table && table->undo)
        return table->undo(&record->setup, state, record->events, record->count, player);
    return undo_unseen(record, state, player, seen);
}

long es__page_undo(struct es_page *page, int player)
{
    if (page->cursor < page->record.count)
        return -1;
    return es__undo(&page->record, &page->state, player, page->seen);
}

es_status es_page_take_back(struct es_page *page, int player)
{
    assert(page->is_open);
    struct es_record *record = &page->record;
    if (es__page_viewer(page, player) == 0)
        return ES_PLAYER_UNKNOWN;
    long at = es__page_undo(page, player);
    if (at < 0)
        return ES_NOTHING_TO_UNDO;
    size_t after = record->count - (size_t)at - 1;
    memmove(page->event + at, page->event + at + 1, after * sizeof page->event[0]);
    record->count--;
    page->cursor = record->count;
    es__page_fold(page, record->events, record->count, &page->state);
    return ES_OK;
}

/* ---- Help ----------------------------------------------------------------------------------- */

enum { CHALLENGE_MAX = 9999 };

bool es__aided(const struct es_record *record)
{
    struct es_str word, text;
    for (size_t at = 0; es_record_note(record, &at, &word, &text);)
        if (es_str_is(word, "note") && es_str_is(es_str_trim(text), "aided"))
            return true;
    return false;
}

bool es__challenge(const struct es_record *record, struct es__challenge *challenge)
{
    struct es_str word, text, number;
    unsigned n;
    for (size_t at = 0; es_record_note(record, &at, &word, &text);) {
        if (!es_str_is(word, "note") || !es_str_word(&text, &word))
            continue;
        const bool own = es_str_is(word, "before");
        if ((!own && !es_str_is(word, "challenge")) || !es_str_word(&text, &number))
            continue;
        const size_t minus = number.at[0] == '-';
        number = (struct es_str){number.at + minus, number.size - minus};
        if (es_str_number(number, CHALLENGE_MAX, &n))
            continue;
        *challenge = (struct es__challenge){minus ? -(int)n : (int)n, es_str_trim(text), own};
        return true;
    }
    return false;
}

es_status es_page_aid(struct es_page *page)
{
    static const char line[] = "note aided\n";
    const size_t size = sizeof line - 1;
    assert(page->is_open);
    struct es_record *record = &page->record;
    if (es__aided(record))
        return ES_OK;
    if (record->notes_size + size > sizeof record->notes)
        return ES_NOTES_TOO_LONG;
    memcpy(record->notes + record->notes_size, line, size);
    record->notes_size += size;
    return ES_OK;
}

long es__go_back(const struct es_record *record, const struct es_state *state, int player)
{
    const struct es_setup *setup = &record->setup;
    if (player == 0 || !record->has_seed || setup->game->turn(setup, state).kind == ES_TURN_OVER)
        return -1;
    for (int p = 1; p <= setup->players; p++)
        if ((p == player) != (record->bot[p - 1][0] == '\0'))
            return -1;
    size_t at = record->count;
    while (at > 0 && ES_EVENT_WHO(record->events[at - 1]) != player)
        at--;
    return (long)at - 1;
}

es_status es_page_go_back(struct es_page *page, int player)
{
    assert(page->is_open);
    if (es__page_viewer(page, player) == 0)
        return ES_PLAYER_UNKNOWN;
    long at =
        page->cursor < page->record.count ? -1 : es__go_back(&page->record, &page->state, player);
    if (at < 0)
        return ES_NOTHING_TO_UNDO;
    es_status status = es_page_aid(page);
    if (status == ES_OK)
        es__page_cut(page, (size_t)at);
    return status;
}

/* ---- Looking back --------------------------------------------------------------------------- */

/* Returns the length of a viewer's view after `count` events. */
static size_t view_length(struct es_page *page, int viewer, size_t count)
{
    const struct es_setup *setup = &page->record.setup;
    struct es_state then;
    es__page_fold(page, page->event, count, &then);
    return setup->game->observe(setup, &then, page->event, count, viewer, page->seen);
}

/* Returns the first number of events at which the viewer's view has at least `n`, by binary search:
 * views only grow. */
static size_t events_for_view(struct es_page *page, int viewer, size_t n)
{
    size_t low = 0, high = page->record.count;
    viewer = es__page_viewer(page, viewer);
    if (view_length(page, viewer, high) < n)
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (view_length(page, viewer, middle) < n)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void es_page_seek(struct es_page *page, int viewer, size_t n)
{
    assert(page->is_open);
    page->cursor = events_for_view(page, viewer, n);
}

/* Removes the notes that begin with one of these words; NULL ends the list. */
static void drop_notes(struct es_record *record, const char *const words[])
{
    struct es_str word, text;
    size_t kept = 0;
    for (size_t from = 0, at = 0; es_record_note(record, &at, &word, &text); from = at) {
        bool drop = false;
        for (int i = 0; words[i]; i++)
            drop |= es_str_is(word, words[i]);
        if (drop)
            continue;
        memmove(record->notes + kept, record->notes + from, at - from);
        kept += at - from;
    }
    record->notes_size = kept;
}

void es_page_fork(struct es_page *page, int viewer, size_t n)
{
    static const char *const secrets[] = {"commit", "secret", "word", NULL};
    assert(page->is_open);
    struct es_record *record = &page->record;
    if (record->setup.game->turn(&record->setup, &page->state).kind != ES_TURN_OVER) {
        record->has_seed = false;
        memset(record->seed, 0, sizeof record->seed);
        drop_notes(record, secrets);
    }
    es__page_cut(page, events_for_view(page, viewer, n));
}

/* ---- New games ------------------------------------------------------------------------------ */

/* Writes one line of es_page_begin's words as exactly one line of a record, so that faults have the
 * right line number. */
static es_status begin_line(struct es_str line, int *players, struct es_out *out)
{
    static const char *const as_it_is[] = {"game", "map", "rules", "date", "seed", "note", NULL};
    struct es_str rest = line, word;
    es_str_word(&rest, &word);
    rest = es_str_trim(rest);
    bool person = es_str_is(word, "person"), bot = es_str_is(word, "bot");
    bool known = false;
    for (int i = 0; as_it_is[i]; i++)
        known |= es_str_is(word, as_it_is[i]);
    for (int i = 0; es_games[i]; i++)
        known |= es_game_option(es_games[i], word) >= 0;
    if (known) {
        es_out_str(out, line);
        es_out_char(out, '\n');
        return ES_OK;
    }
    if (!person && !bot)
        return ES_WORD_UNKNOWN;
    if (++*players > ES_PLAYERS_MAX)
        return ES_PLAYERS_RANGE;
    if (person && rest.size == 0) {
        es_out_text(out, "#\n"); /* a person without a name: a comment keeps the line numbers */
        return ES_OK;
    }
    es_out_text(out, person ? "player " : "bot ");
    es_out_int(out, *players);
    es_out_char(out, ' ');
    es_out_str(out, rest);
    es_out_char(out, '\n');
    return ES_OK;
}

es_status es_page_begin(struct es_page *page, struct es_str words, struct es_fault *fault)
{
    struct es_out out = {page->header, sizeof page->header, 0};
    struct es_lines lines;
    int players = 0;
    if (es_lines_open(&lines, words, fault))
        return fault->status;
    es_out_text(&out, "endstation-record 1\n");
    while (es_lines_next(&lines)) {
        es_status status = ES_OK;
        if (lines.line.size == 0)
            es_out_text(&out, "#\n");
        else
            status = begin_line(lines.line, &players, &out);
        if (status == ES_OK && !es_out_ok(&out))
            status = ES_NOTES_TOO_LONG;
        if (status)
            return es_fault_set(fault, lines.number, status, lines.line);
    }
    es_out_text(&out, "players ");
    es_out_int(&out, players);
    es_out_char(&out, '\n');
    if (!es_out_ok(&out))
        return es_fault_set(fault, lines.number, ES_NOTES_TOO_LONG, es_str(""));
    if (es_page_open(page, (struct es_str){page->header, out.used}, fault) == ES_OK)
        return ES_OK;
    if (fault->line > 0)
        fault->line = fault->line - 1 < lines.number ? fault->line - 1 : lines.number;
    return fault->status;
}

/* Reads the seed of another game: 64 digits, or `same` for the seed of this one. */
static es_status read_seed(const struct es_record *record, struct es_str text,
                           uint8_t seed[ES_SEED_BYTES])
{
    if (!es_str_is(text, "same"))
        return es_str_hex(text, seed, ES_SEED_BYTES) ? ES_OK : ES_SEED_BAD;
    memcpy(seed, record->seed, ES_SEED_BYTES);
    return record->has_seed ? ES_OK : ES_SEED_BAD;
}

es_status es_page_rematch(struct es_page *page, struct es_str words, struct es_fault *fault)
{
    assert(page->is_open);
    struct es_record *record = &page->record;
    struct es_out notes = {page->header, sizeof record->notes, 0};
    struct es_lines lines;
    uint8_t seed[ES_SEED_BYTES] = {0};
    bool has_seed = false, has_date = false, nameless = false;
    if (es_lines_open(&lines, words, fault))
        return fault->status;
    while (es_lines_next(&lines)) {
        struct es_str rest = lines.line, word;
        es_status status = ES_WORD_UNKNOWN;
        if (!es_str_word(&rest, &word))
            continue;
        if (es_str_is(word, "date") || es_str_is(word, "note")) {
            status = has_date && word.at[0] == 'd' ? ES_TWICE : ES_OK;
            has_date |= word.at[0] == 'd';
            es_out_str(&notes, lines.line);
            es_out_char(&notes, '\n');
        } else if (es_str_is(word, "seed")) {
            status = has_seed ? ES_TWICE : read_seed(record, es_str_trim(rest), seed);
            has_seed = true;
        } else if (es_str_is(word, "names") && es_str_is(es_str_trim(rest), "none")) {
            status = ES_OK;
            nameless = true;
        }
        if (status == ES_OK && !es_out_ok(&notes))
            status = ES_NOTES_TOO_LONG;
        if (status)
            return es_fault_set(fault, lines.number, status, lines.line);
    }
    memcpy(record->notes, notes.at, notes.used);
    record->notes_size = notes.used;
    for (int i = 0; nameless && i < record->setup.players; i++)
        if (!record->bot[i][0])
            record->name[i][0] = '\0';
    memcpy(record->seed, seed, sizeof seed);
    record->has_seed = has_seed;
    page->old_count = 0;
    es__page_cut(page, 0);
    return ES_OK;
}

/* ---- Seats ---------------------------------------------------------------------------------- */

es_status es_page_seat(struct es_page *page, int player, struct es_str level)
{
    assert(page->is_open);
    struct es_record *record = &page->record;
    struct es_bot bot;
    if (es__page_viewer(page, player) == 0)
        return ES_PLAYER_UNKNOWN;
    if (level.size > 0 && es_bot_named(record->setup.game, level, &bot))
        return ES_BOT_UNKNOWN;
    es_str_copy(level, record->bot[player - 1], ES_LEVEL_BYTES);
    es_record_labels(record, page->label);
    return ES_OK;
}

/* Sets the level in a name like `strong (bot)` or `strong (bot 2)`; false for any other name. */
static bool level_in_name(struct es_str name, struct es_str *level)
{
    static const char sign[] = " (bot";
    const size_t size = sizeof sign - 1;
    if (name.size == 0 || name.at[name.size - 1] != ')')
        return false;
    for (size_t at = 0; at + size < name.size; at++) {
        struct es_str rest = {name.at + at + size, name.size - at - size - 1};
        unsigned number;
        if (memcmp(name.at + at, sign, size) != 0)
            continue;
        *level = (struct es_str){name.at, at};
        if (rest.size == 0)
            return true;
        rest.at++;
        rest.size--;
        return rest.at[-1] == ' ' && es_str_number(rest, ES_PLAYERS_MAX, &number) == ES_OK;
    }
    return false;
}

int es_page_upgrade(struct es_page *page)
{
    assert(page->is_open);
    struct es_record *record = &page->record;
    int changed = 0;
    for (int p = 0; p < record->setup.players; p++) {
        struct es_str level;
        struct es_bot bot;
        if (record->bot[p][0] || !level_in_name(es_str(record->name[p]), &level) ||
            es_bot_named(record->setup.game, level, &bot))
            continue;
        es_str_copy(level, record->bot[p], ES_LEVEL_BYTES);
        memset(record->name[p], 0, sizeof record->name[p]);
        changed++;
    }
    es_record_labels(record, page->label);
    return changed;
}

/* ---- As text -------------------------------------------------------------------------------- */

void es_page_see(struct es_page *page, int viewer, struct es_state *view)
{
    assert(page->is_open);
    size_t count = es__page_seen(page, viewer);
    es__page_fold(page, page->seen, count, view);
}

void es_page_record(struct es_page *page, struct es_out *out)
{
    assert(page->is_open);
    es_record_write(&page->record, out);
}

void es_page_view(struct es_page *page, int viewer, struct es_out *out)
{
    assert(page->is_open);
    es_record_write_view(&page->record, &page->state, viewer, page->seen, out);
}

void es_page_report(struct es_page *page, struct es_out *out)
{
    assert(page->is_open);
    page->record.setup.game->report(&page->record.setup, &page->state, out);
}

void es_page_moves(struct es_page *page, struct es_out *out)
{
    assert(page->is_open);
    es_moves_write(&page->record.setup, &page->state, out);
}
