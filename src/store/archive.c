/* Implementation of archive.h: lines of an export, written and read. */
#include "store/archive.h"
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"endstation-export",
                                    "state",
                                    "gap",
                                    "guest",
                                    "device",
                                    "ticket",
                                    "sheet",
                                    "room",
                                    "entry",
                                    "note",
                                    "end"};
enum { KINDS = sizeof words / sizeof *words };

/* Larger than every time in milliseconds, and small enough for sums in any database. */
#define NUMBER_MAX (UINT64_C(1) << 53)

/* ---- Writing --------------------------------------------------------------------------------- */

static void put_number(struct es_out *out, uint64_t number)
{
    char text[24]; /* es_out_int() is signed */
    snprintf(text, sizeof text, " %llu", (unsigned long long)number);
    es_out_text(out, text);
}

/* Writes "-" for an empty word. */
static void put_word(struct es_out *out, const char *word)
{
    es_out_char(out, ' ');
    es_out_text(out, *word ? word : "-");
}

static void put_hash(struct es_out *out, const uint8_t hash[ES_SHA256_BYTES])
{
    es_out_char(out, ' ');
    es_out_hex(out, hash, ES_SHA256_BYTES);
}

/* A text goes to the end of the line. */
static void put_text(struct es_out *out, struct es_str text)
{
    es_out_char(out, ' ');
    for (size_t i = 0; i < text.size; i++) {
        char c = text.at[i];
        char letter = c == '\\' ? '\\' : c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : 0;
        if (letter)
            es_out_char(out, '\\');
        es_out_char(out, letter ? letter : c);
    }
}

static void put_counts(struct es_out *out, const struct archive_counts *counts)
{
    put_number(out, counts->guests);
    put_number(out, counts->sheets);
    put_number(out, counts->rooms);
    put_number(out, counts->entries);
}

static void put_room(struct es_out *out, const struct store_head *head)
{
    put_word(out, head->room);
    put_word(out, head->code);
    put_word(out, head->map);
    put_word(out, head->over ? "over" : "open");
    put_number(out, head->since);
    put_word(out, head->listed ? "listed" : "-");
    put_number(out, head->wake);
    put_number(out, head->changed);
    put_text(out, head->people);
}

static void put_entry(struct es_out *out, uint64_t number, const struct store_entry *entry)
{
    const char kind[] = {(char)entry->kind, '\0'};
    put_number(out, number);
    put_number(out, entry->time);
    put_word(out, kind);
    put_number(out, entry->seat);
    if (entry->decision < 0)
        put_word(out, "-");
    else
        put_number(out, (uint64_t)entry->decision);
    put_word(out, entry->guest);
    put_word(out, entry->key);
    put_text(out, entry->text);
}

static void put_note(struct es_out *out, const struct store_note *note)
{
    put_word(out, note->id);
    put_word(out, note->guest);
    put_number(out, note->made);
    put_number(out, note->until);
    put_text(out, note->text);
}

static void put_line(const struct archive_line *line, struct es_out *out)
{
    es_out_text(out, words[line->kind]);
    switch (line->kind) {
    case ARCHIVE_FIRST:
        put_number(out, ARCHIVE_VERSION);
        break;
    case ARCHIVE_STATE:
        put_number(out, line->alive);
        put_hash(out, line->key);
        break;
    case ARCHIVE_GAP:
        put_number(out, line->gap.from);
        put_number(out, line->gap.to);
        break;
    case ARCHIVE_GUEST:
        put_word(out, line->guest.id);
        put_number(out, line->guest.colour);
        put_text(out, es_str(line->guest.name));
        break;
    case ARCHIVE_DEVICE:
        put_word(out, line->pass.device);
        put_number(out, line->pass.time);
        put_hash(out, line->pass.hash);
        put_text(out, es_str(line->pass.label));
        break;
    case ARCHIVE_TICKET:
        put_hash(out, line->pass.hash);
        put_number(out, line->pass.time);
        break;
    case ARCHIVE_SHEET:
        put_word(out, line->sheet.map);
        put_number(out, line->sheet.kept);
        put_text(out, line->sheet.text);
        break;
    case ARCHIVE_ROOM:
        put_room(out, &line->head);
        break;
    case ARCHIVE_ENTRY:
        put_entry(out, line->number, &line->entry);
        break;
    case ARCHIVE_NOTE:
        put_note(out, &line->note);
        break;
    case ARCHIVE_END:
        put_counts(out, &line->counts);
        put_hash(out, line->hash);
        break;
    }
    es_out_char(out, '\n');
}

/* Returns true if a line, as it is written, is UTF-8 without control characters. */
static bool is_text(struct es_str line)
{
    struct es_lines lines;
    struct es_fault fault;
    return es_lines_open(&lines, line, &fault) == ES_OK;
}

bool archive_write(const struct archive_line *line, struct es_out *out)
{
    size_t before = out->used;
    put_line(line, out);
    return es_out_ok(out) && out->used - before < ARCHIVE_LINE_BYTES &&
           is_text((struct es_str){out->at + before, out->used - before});
}

void archive_finish(struct archive_line *end, struct es_sha256 sha)
{
    char text[200];
    struct es_out out = {text, sizeof text, 0};
    es_out_text(&out, words[ARCHIVE_END]);
    put_counts(&out, &end->counts);
    es_sha256_update(&sha, text, out.used);
    es_sha256_final(&sha, end->hash);
}

const char *archive_id(const struct archive_line *line)
{
    return line->kind == ARCHIVE_GUEST   ? line->guest.id
           : line->kind == ARCHIVE_SHEET ? line->sheet.map
           : line->kind == ARCHIVE_ROOM  ? line->head.room
           : line->kind == ARCHIVE_NOTE  ? line->note.id
                                         : "";
}

int archive_compare(const struct archive_line *a, const struct archive_line *b)
{
    return a->kind != b->kind ? (a->kind < b->kind ? -1 : 1) : strcmp(archive_id(a), archive_id(b));
}

/* ---- Fields of a line ------------------------------------------------------------------------ */

static bool take_word(struct es_str *rest, struct es_str *word)
{
    if (!rest->size || rest->at[0] != ' ')
        return false;
    rest->at++;
    rest->size--;
    const char *blank = memchr(rest->at, ' ', rest->size);
    *word = (struct es_str){rest->at, blank ? (size_t)(blank - rest->at) : rest->size};
    rest->at += word->size;
    rest->size -= word->size;
    return word->size > 0;
}

static bool take_number(struct es_str *rest, uint64_t most, uint64_t *number)
{
    struct es_str word;
    if (!take_word(rest, &word) || word.size > 16)
        return false;
    *number = 0;
    for (size_t i = 0; i < word.size; i++) {
        if (word.at[i] < '0' || word.at[i] > '9')
            return false;
        *number = *number * 10 + (uint64_t)(word.at[i] - '0');
    }
    return *number <= most;
}

static bool take_hash(struct es_str *rest, uint8_t hash[ES_SHA256_BYTES])
{
    struct es_str word;
    return take_word(rest, &word) && es_str_hex(word, hash, ES_SHA256_BYTES);
}

/* Takes a word of these letters, with their zero at most `size` bytes; "-" is the empty one. */
static bool take_name(struct es_str *rest, const char *letters, char *name, size_t size)
{
    struct es_str word;
    if (!take_word(rest, &word))
        return false;
    if (es_str_is(word, "-"))
        word.size = 0;
    return es_str_copy(word, name, size) && strspn(name, letters) == word.size;
}

#define DIGITS "0123456789"
#define ID_LETTERS "abcdefghijklmnopqrstuvwxyz" DIGITS
#define CODE_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ" DIGITS
#define KEY_LETTERS "abcdefghijklmnopqrstuvwxyz-_" CODE_LETTERS
#define HASH_LETTERS "abcdef" DIGITS

/* Takes one of two words. */
static bool take_choice(struct es_str *rest, const char *yes, const char *no, bool *choice)
{
    struct es_str word;
    if (!take_word(rest, &word))
        return false;
    *choice = es_str_is(word, yes);
    return *choice || es_str_is(word, no);
}

/* Takes the text that is the rest of the line, without escapes, to `buffer` of STORE_TEXT_MAX
 * bytes. */
static bool take_text(struct es_str *rest, char *buffer, struct es_str *text)
{
    if (!rest->size || rest->at[0] != ' ')
        return false;
    size_t used = 0;
    for (size_t i = 1; i < rest->size; i++) {
        char c = rest->at[i];
        if (used == STORE_TEXT_MAX)
            return false;
        if (c == '\\') {
            char letter = ++i < rest->size ? rest->at[i] : 0;
            c = letter == '\\' ? '\\' : letter == 'n' ? '\n' : letter == 'r' ? '\r' : '\t';
            if (letter != '\\' && letter != 'n' && letter != 'r' && letter != 't')
                return false;
        }
        buffer[used++] = c;
    }
    rest->size = 0;
    *text = (struct es_str){buffer, used};
    return true;
}

/* The same for a name or a label: something, in one line. */
static bool take_title(struct es_str *rest, char *buffer, char *title, size_t size)
{
    struct es_str text;
    return take_text(rest, buffer, &text) && text.size > 0 && es_str_copy(text, title, size) &&
           !strpbrk(title, "\n\r\t");
}

static bool read_room(struct es_str *rest, char *buffer, struct store_head *head)
{
    return take_name(rest, ID_LETTERS, head->room, sizeof head->room) && head->room[0] &&
           take_name(rest, CODE_LETTERS, head->code, sizeof head->code) &&
           take_name(rest, HASH_LETTERS, head->map, sizeof head->map) &&
           take_choice(rest, "over", "open", &head->over) &&
           take_number(rest, head->over ? NUMBER_MAX : 0, &head->since) &&
           take_choice(rest, "listed", "-", &head->listed) &&
           take_number(rest, NUMBER_MAX, &head->wake) &&
           take_number(rest, NUMBER_MAX, &head->changed) && take_text(rest, buffer, &head->people);
}

static bool read_entry(struct es_str *rest, char *buffer, struct archive_line *line)
{
    static const char kinds[] = {ENTRY_MADE,  ENTRY_SAT,    ENTRY_LEFT,    ENTRY_SEAT,  ENTRY_HOST,
                                 ENTRY_START, ENTRY_WORD,   ENTRY_BEGIN,   ENTRY_MOVE,  ENTRY_BOT,
                                 ENTRY_CLOCK, ENTRY_CHANCE, ENTRY_GIVEN,   ENTRY_TAKEN, ENTRY_CHAT,
                                 ENTRY_NEXT,  ENTRY_CLOSED, ENTRY_REMOVED, ENTRY_UNSAID};
    struct store_entry *entry = &line->entry;
    struct es_str kind, ahead;
    uint64_t seat, decision;
    if (!take_number(rest, NUMBER_MAX, &line->number) ||
        !take_number(rest, NUMBER_MAX, &entry->time) || !take_word(rest, &kind) || kind.size != 1 ||
        !memchr(kinds, kind.at[0], sizeof kinds) || !take_number(rest, UINT8_MAX, &seat))
        return false;
    entry->kind = (uint8_t)kind.at[0];
    entry->seat = (uint8_t)seat;
    entry->decision = -1;
    struct es_str after = *rest;
    if (take_word(&after, &ahead) && es_str_is(ahead, "-"))
        *rest = after;
    else if (take_number(rest, INT32_MAX, &decision))
        entry->decision = (int32_t)decision;
    else
        return false;
    return take_name(rest, ID_LETTERS, entry->guest, sizeof entry->guest) &&
           take_name(rest, KEY_LETTERS, entry->key, sizeof entry->key) &&
           take_text(rest, buffer, &entry->text);
}

static bool read_note(struct es_str *rest, char *buffer, struct store_note *note)
{
    return take_name(rest, ID_LETTERS, note->id, sizeof note->id) && note->id[0] &&
           take_name(rest, ID_LETTERS, note->guest, sizeof note->guest) &&
           take_number(rest, NUMBER_MAX, &note->made) &&
           take_number(rest, NUMBER_MAX, &note->until) && take_text(rest, buffer, &note->text);
}

/* Reads the fields after the first word. Returns false if one is malformed; that they are written
 * as we would is for the caller to check. */
static bool read_fields(struct es_str rest, char *buffer, struct archive_line *line)
{
    uint64_t number;
    switch (line->kind) {
    case ARCHIVE_FIRST:
        return take_number(&rest, ARCHIVE_VERSION, &number);
    case ARCHIVE_STATE:
        return take_number(&rest, NUMBER_MAX, &line->alive) && take_hash(&rest, line->key);
    case ARCHIVE_GAP:
        return take_number(&rest, NUMBER_MAX, &line->gap.from) &&
               take_number(&rest, NUMBER_MAX, &line->gap.to);
    case ARCHIVE_GUEST:
        if (!take_name(&rest, ID_LETTERS, line->guest.id, sizeof line->guest.id) ||
            !line->guest.id[0] || !take_number(&rest, UINT8_MAX, &number))
            return false;
        line->guest.colour = (uint8_t)number;
        return take_title(&rest, buffer, line->guest.name, sizeof line->guest.name);
    case ARCHIVE_DEVICE:
        return take_name(&rest, ID_LETTERS, line->pass.device, sizeof line->pass.device) &&
               line->pass.device[0] && take_number(&rest, NUMBER_MAX, &line->pass.time) &&
               take_hash(&rest, line->pass.hash) &&
               take_title(&rest, buffer, line->pass.label, sizeof line->pass.label);
    case ARCHIVE_TICKET:
        return take_hash(&rest, line->pass.hash) &&
               take_number(&rest, NUMBER_MAX, &line->pass.time);
    case ARCHIVE_SHEET:
        return take_name(&rest, HASH_LETTERS, line->sheet.map, sizeof line->sheet.map) &&
               line->sheet.map[0] && take_number(&rest, NUMBER_MAX, &line->sheet.kept) &&
               take_text(&rest, buffer, &line->sheet.text);
    case ARCHIVE_ROOM:
        return read_room(&rest, buffer, &line->head);
    case ARCHIVE_ENTRY:
        return read_entry(&rest, buffer, line);
    case ARCHIVE_NOTE:
        return read_note(&rest, buffer, &line->note);
    case ARCHIVE_END:
        return take_number(&rest, NUMBER_MAX, &line->counts.guests) &&
               take_number(&rest, NUMBER_MAX, &line->counts.sheets) &&
               take_number(&rest, NUMBER_MAX, &line->counts.rooms) &&
               take_number(&rest, NUMBER_MAX, &line->counts.entries) &&
               take_hash(&rest, line->hash);
    }
    return false;
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* Returns true if a line of this kind may follow one of the kind `last`. */
static bool may_follow(enum archive_kind last, enum archive_kind kind)
{
    switch (kind) {
    case ARCHIVE_FIRST:
        return false;
    case ARCHIVE_STATE:
        return last == ARCHIVE_FIRST;
    case ARCHIVE_GAP:
        return last == ARCHIVE_STATE || last == ARCHIVE_GAP;
    case ARCHIVE_DEVICE:
        return last == ARCHIVE_GUEST || last == ARCHIVE_DEVICE;
    case ARCHIVE_TICKET:
        return last >= ARCHIVE_GUEST && last <= ARCHIVE_TICKET;
    case ARCHIVE_GUEST:
        return last >= ARCHIVE_STATE && last <= ARCHIVE_TICKET;
    case ARCHIVE_SHEET:
        return last >= ARCHIVE_STATE && last <= ARCHIVE_SHEET;
    case ARCHIVE_ENTRY:
        return last == ARCHIVE_ROOM || last == ARCHIVE_ENTRY;
    case ARCHIVE_ROOM:
        return last >= ARCHIVE_STATE && last <= ARCHIVE_ENTRY;
    case ARCHIVE_NOTE:
    case ARCHIVE_END:
        return last >= ARCHIVE_STATE && last != ARCHIVE_END;
    }
    return false;
}

/* Returns true if `id` comes after the latest one, which it replaces. */
static bool is_next(char *latest, const char *id)
{
    bool is_after = strcmp(id, latest) > 0;
    strcpy(latest, id);
    return is_after;
}

static bool pass_is_next(struct archive_order *order, const struct archive_line *line)
{
    if (line->kind == ARCHIVE_DEVICE)
        return is_next(order->device, line->pass.device);
    bool is_after = order->last != ARCHIVE_TICKET ||
                    memcmp(line->pass.hash, order->ticket, sizeof order->ticket) > 0;
    memcpy(order->ticket, line->pass.hash, sizeof order->ticket);
    return is_after;
}

static bool is_in_order(struct archive_order *order, const struct archive_line *line)
{
    switch (line->kind) {
    case ARCHIVE_GAP:
        if (line->gap.from >= line->gap.to || ++order->gaps > ARCHIVE_GAPS_MAX ||
            (order->last == ARCHIVE_GAP && line->gap.from <= order->gap))
            return false;
        order->gap = line->gap.from;
        return true;
    case ARCHIVE_GUEST:
        order->counts.guests++;
        order->device[0] = '\0';
        return is_next(order->guest, line->guest.id);
    case ARCHIVE_DEVICE:
    case ARCHIVE_TICKET:
        return pass_is_next(order, line);
    case ARCHIVE_SHEET:
        order->counts.sheets++;
        return is_next(order->sheet, line->sheet.map);
    case ARCHIVE_ROOM:
        order->counts.rooms++;
        order->entry = 0;
        return is_next(order->room, line->head.room);
    case ARCHIVE_ENTRY:
        order->counts.entries++;
        return line->number == ++order->entry;
    case ARCHIVE_NOTE:
        return is_next(order->note, line->note.id);
    default:
        return true;
    }
}

bool archive_follows(struct archive_order *order, const struct archive_line *line)
{
    bool follows = order->begun ? may_follow(order->last, line->kind) : line->kind == ARCHIVE_FIRST;
    follows = follows && is_in_order(order, line);
    order->begun = true;
    order->last = line->kind;
    return follows;
}

/* ---- Reading --------------------------------------------------------------------------------- */

struct archive_reader *archive_open(FILE *file)
{
    struct archive_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->file = file;
    es_sha256_init(&reader->place.sha);
    reader->item = reader->place;
    return reader;
}

__attribute__((format(printf, 2, 3))) static enum archive_result bad(struct archive_reader *reader,
                                                                     const char *format, ...)
{
    va_list values;
    int used = snprintf(reader->fault, sizeof reader->fault,
                        "line %llu: ", (unsigned long long)reader->number);
    va_start(values, format);
    vsnprintf(reader->fault + used, sizeof reader->fault - (size_t)used, format, values);
    va_end(values);
    return ARCHIVE_BAD;
}

/* Reads the next line, with its line end. */
static enum archive_result read_line(struct archive_reader *reader)
{
    int c = EOF;
    reader->size = 0;
    reader->number++;
    while (reader->size < sizeof reader->line && (c = getc_unlocked(reader->file)) != EOF) {
        reader->line[reader->size++] = (char)c;
        if (c == '\n')
            return ARCHIVE_LINE;
    }
    if (ferror(reader->file))
        return bad(reader, "it cannot be read: %s", strerror(errno));
    return c == EOF ? ARCHIVE_CUT : bad(reader, "it is too long");
}

/* Finds the kind of a line by its first word. */
static bool find_kind(struct es_str line, struct archive_line *found, struct es_str *rest)
{
    size_t size = 0;
    while (size < line.size && line.at[size] != ' ')
        size++;
    for (int i = 0; i < KINDS; i++)
        if (es_str_is((struct es_str){line.at, size}, words[i])) {
            found->kind = (enum archive_kind)i;
            *rest = (struct es_str){line.at + size, line.size - size};
            return true;
        }
    return false;
}

/* Returns the version of the format if a first line names a later one than this program knows; else
 * 0. */
static uint64_t later_version(struct es_str line)
{
    struct archive_line found;
    uint64_t version;
    return find_kind(line, &found, &line) && found.kind == ARCHIVE_FIRST &&
                   take_number(&line, NUMBER_MAX, &version) && version > ARCHIVE_VERSION
               ? version
               : 0;
}

/* Reads a line, which must be what put_line() would write. */
static bool parse(struct archive_reader *reader, struct es_str text, struct archive_line *line)
{
    struct es_str rest;
    struct es_out again = {reader->again, sizeof reader->again, 0};
    memset(line, 0, sizeof *line);
    if (!find_kind(text, line, &rest) || !read_fields(rest, reader->text, line))
        return false;
    put_line(line, &again);
    return again.used == text.size + 1 && memcmp(again.at, text.at, again.used) == 0 &&
           is_text(text);
}

static enum archive_result check_end(struct archive_reader *reader, const struct archive_line *line)
{
    struct archive_line end = {.counts = reader->place.order.counts};
    if (memcmp(&end.counts, &line->counts, sizeof end.counts) != 0)
        return bad(reader, "the numbers of guests, sheets, rooms and entries are wrong: something "
                           "is missing, or was added");
    archive_finish(&end, reader->place.sha);
    if (memcmp(end.hash, line->hash, sizeof end.hash) != 0)
        return bad(reader, "the hash is wrong: the file was changed or damaged");
    if (getc_unlocked(reader->file) != EOF)
        return bad(reader, "something follows the end");
    return ARCHIVE_COMPLETE;
}

static bool is_item(enum archive_kind kind)
{
    return kind == ARCHIVE_GUEST || kind == ARCHIVE_SHEET || kind == ARCHIVE_ROOM ||
           kind == ARCHIVE_NOTE || kind == ARCHIVE_END;
}

enum archive_result archive_next(struct archive_reader *reader, struct archive_line *line)
{
    enum archive_result result = read_line(reader);
    if (result == ARCHIVE_CUT)
        bad(reader, "the file is cut off: the end is missing");
    if (result != ARCHIVE_LINE)
        return result;
    struct es_str text = {reader->line, reader->size - 1};
    uint64_t version = reader->number == 1 ? later_version(text) : 0;
    if (version)
        return bad(reader, "version %llu of the format; this program knows %d: use a newer one",
                   (unsigned long long)version, (int)ARCHIVE_VERSION);
    if (!parse(reader, text, line))
        return reader->number == 1 ? bad(reader, "this is not a file of 'endstation export'")
                                   : bad(reader, "it is malformed");
    struct archive_place before = reader->place;
    if (!archive_follows(&reader->place.order, line))
        return bad(reader, "it is out of order");
    if (line->kind == ARCHIVE_END)
        return check_end(reader, line);
    es_sha256_update(&reader->place.sha, reader->line, reader->size);
    reader->place.offset += reader->size;
    if (is_item(line->kind))
        reader->item = before;
    else if (line->kind <= ARCHIVE_GAP)
        reader->item = reader->place;
    return ARCHIVE_LINE;
}
