/* Implementation of transfer.h.
 *
 * A source reads a store, page by page, and gives the lines of an archive in their order. Exporting
 * writes them down. Importing merges the lines of the file with those of the target: what both have
 * must be the same, what only the file has is written, and what only the target has is a reason to
 * refuse. So an import that was interrupted finds by itself where it was. In the end a source reads
 * the target again, and the hash of its lines must be that of the file.
 */
#include "store/transfer.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Writes why something failed, unless that is known already. Returns false. */
__attribute__((format(printf, 2, 3))) static bool fail(struct transfer *transfer,
                                                       const char *format, ...)
{
    va_list values;
    va_start(values, format);
    if (!transfer->fault[0])
        vsnprintf(transfer->fault, sizeof transfer->fault, format, values);
    va_end(values);
    return false;
}

static void tell(const struct transfer *transfer, const char *what, uint64_t done, uint64_t all)
{
    if (transfer->progress)
        transfer->progress(transfer->context, what, done, all);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

/* Asks one question; the answer's memory is to be freed. */
static bool ask(struct transfer *transfer, const struct store_question *question,
                struct store_answer *answer)
{
    struct store *store = transfer->store;
    store_ask(store, question, answer);
    if (answer->outcome == STORE_STORED)
        return true;
    free(answer->memory);
    answer->memory = NULL;
    return fail(transfer, "%s", store->fault(store)[0] ? store->fault(store) : "not enough memory");
}

/* Fails if a server is using the store. */
static bool is_quiet(struct transfer *transfer, const struct store_answer *state)
{
    if (transfer->now && state->heres)
        return fail(transfer,
                    "%zu server%s using this store (process %s): stop %s first. One that did not "
                    "end properly counts for another %d seconds",
                    state->heres, state->heres == 1 ? " is" : "s are", state->here[0].process,
                    state->heres == 1 ? "it" : "them", STORE_AWAY_MS / 1000);
    return true;
}

static bool ask_state(struct transfer *transfer, struct store_answer *state)
{
    struct store_question question = {.kind = STORE_STATE, .time = transfer->now};
    if (!ask(transfer, &question, state))
        return false;
    if (is_quiet(transfer, state))
        return true;
    free(state->memory);
    state->memory = NULL;
    return false;
}

/* ---- Sources --------------------------------------------------------------------------------- */

/* Rooms that are read at once: one round trip instead of many. */
enum { READ_AHEAD = 16 };

struct source {
    struct transfer *transfer;
    enum archive_kind next; /* the kind of the next line, or where there is none of it, a later one;
                               DEVICE for both of a guest's passes */
    struct store_answer state, page;
    size_t gap, row, pass, entry; /* the next of each */
    struct store_answer room[READ_AHEAD];
    size_t rooms, current; /* how many, and the next of them */
    struct archive_counts counts;
    char guest[STORE_GUEST_BYTES], sheet[33], id[STORE_ROOM_BYTES]; /* the latest … */
    char note[STORE_NOTE_BYTES];                                    /* … of each */
};

static bool source_begin(struct source *source, struct transfer *transfer)
{
    *source = (struct source){.transfer = transfer, .next = ARCHIVE_FIRST};
    return ask_state(transfer, &source->state);
}

static void free_rooms(struct source *source)
{
    for (size_t i = 0; i < source->rooms; i++)
        free(source->room[i].memory);
    source->rooms = source->current = 0;
}

static void source_end(struct source *source)
{
    free(source->state.memory);
    free(source->page.memory);
    free_rooms(source);
    source->state.memory = source->page.memory = NULL;
}

/* Goes to the item after the latest one in `order`. */
static void source_skip(struct source *source, const struct archive_order *order)
{
    source->counts = order->counts;
    strcpy(source->guest, order->guest);
    strcpy(source->sheet, order->sheet);
    strcpy(source->id, order->room);
    strcpy(source->note, order->note);
    source->next = order->note[0]    ? ARCHIVE_NOTE
                   : order->room[0]  ? ARCHIVE_ROOM
                   : order->sheet[0] ? ARCHIVE_SHEET
                                     : ARCHIVE_GUEST;
}

/* Asks for the next page if this one has no more rows. Returns how many rows there are, 0 at the
 * end; -1 after a failure. */
static int source_page(struct source *source, enum store_kind kind)
{
    struct store_answer *page = &source->page;
    struct store_question question = {.kind = kind};
    size_t rows = page->kind != kind          ? 0
                  : kind == STORE_PAGE_GUESTS ? page->owners
                  : kind == STORE_PAGE_SHEETS ? page->sheets
                  : kind == STORE_NOTES       ? page->notes
                                              : page->rooms;
    if (source->row < rows)
        return 1;
    free(page->memory);
    *page = (struct store_answer){0};
    strcpy(question.guest.id, source->guest);
    strcpy(question.map, source->sheet);
    strcpy(question.head.room, source->id);
    strcpy(question.note.id, source->note);
    if (!ask(source->transfer, &question, page))
        return -1;
    source->row = source->pass = 0;
    rows = page->owners + page->sheets + page->rooms + page->notes;
    return rows > 0;
}

static bool next_gap(struct source *source, struct archive_line *line)
{
    if (source->gap == source->state.gaps)
        return false;
    line->gap = source->state.gap[source->gap++];
    return true;
}

static int next_guest(struct source *source, struct archive_line *line)
{
    int more = source_page(source, STORE_PAGE_GUESTS);
    if (more > 0) {
        line->guest = source->page.owner[source->row++];
        strcpy(source->guest, line->guest.id);
        source->counts.guests++;
    }
    return more;
}

/* The next device or ticket of the latest guest. */
static bool next_pass(struct source *source, struct archive_line *line)
{
    const struct store_answer *page = &source->page;
    if (source->pass == page->passes || strcmp(page->pass[source->pass].guest, source->guest) != 0)
        return false;
    line->pass = page->pass[source->pass++];
    line->kind = line->pass.device[0] ? ARCHIVE_DEVICE : ARCHIVE_TICKET;
    return true;
}

static int next_sheet(struct source *source, struct archive_line *line)
{
    int more = source_page(source, STORE_PAGE_SHEETS);
    if (more > 0) {
        line->sheet = source->page.sheet[source->row++];
        strcpy(source->sheet, line->sheet.map);
        source->counts.sheets++;
    }
    return more;
}

/* Reads the rooms of the next rows of the page. */
static bool read_ahead(struct source *source)
{
    struct store *store = source->transfer->store;
    struct store_question question[READ_AHEAD];
    struct store_pair pair[READ_AHEAD];
    size_t left = source->page.rooms - source->row;
    bool is_good = true;
    free_rooms(source);
    source->rooms = left < READ_AHEAD ? left : READ_AHEAD;
    for (size_t i = 0; i < source->rooms; i++) {
        question[i] = (struct store_question){.kind = STORE_READ, .first = 1};
        strcpy(question[i].head.room, source->page.heads[source->row + i].room);
        pair[i] = (struct store_pair){&question[i], &source->room[i]};
    }
    store->answer(store, pair, source->rooms);
    for (size_t i = 0; i < source->rooms; i++)
        is_good &= source->room[i].outcome == STORE_STORED;
    return is_good || fail(source->transfer, "%s",
                           store->fault(store)[0] ? store->fault(store) : "not enough memory");
}

static int next_room(struct source *source, struct archive_line *line)
{
    int more = source_page(source, STORE_PAGE_ROOMS);
    if (more <= 0)
        return more;
    if (source->current == source->rooms && !read_ahead(source))
        return -1;
    line->head = source->page.heads[source->row++];
    strcpy(source->id, line->head.room);
    source->current++;
    source->entry = 0;
    source->counts.rooms++;
    return 1;
}

static bool next_entry(struct source *source, struct archive_line *line)
{
    const struct store_answer *room = &source->room[source->current - 1];
    if (source->entry == room->entries)
        return false;
    line->entry = room->entry[source->entry++];
    line->number = source->entry;
    source->counts.entries++;
    return true;
}

static int next_note(struct source *source, struct archive_line *line)
{
    int more = source_page(source, STORE_NOTES);
    if (more > 0) {
        line->note = source->page.note[source->row++];
        strcpy(source->note, line->note.id);
    }
    return more;
}

/* Gives the next line; the last one is END, without a hash. Its texts are valid until the next one.
 * Returns false after a failure. */
static bool source_next(struct source *source, struct archive_line *line)
{
    int found = 0;
    memset(line, 0, sizeof *line);
    while (found == 0) {
        line->kind = source->next;
        switch (source->next) {
        case ARCHIVE_FIRST:
            source->next = ARCHIVE_STATE;
            return true;
        case ARCHIVE_STATE:
            line->alive = source->state.alive;
            memcpy(line->key, source->state.key, sizeof line->key);
            source->next = ARCHIVE_GAP;
            return true;
        case ARCHIVE_GAP:
            found = next_gap(source, line);
            source->next = found ? ARCHIVE_GAP : ARCHIVE_GUEST;
            break;
        case ARCHIVE_GUEST:
            found = next_guest(source, line);
            source->next = found ? ARCHIVE_DEVICE : ARCHIVE_SHEET;
            break;
        case ARCHIVE_DEVICE:
        case ARCHIVE_TICKET:
            found = next_pass(source, line);
            source->next = found ? ARCHIVE_DEVICE : ARCHIVE_GUEST;
            break;
        case ARCHIVE_SHEET:
            found = next_sheet(source, line);
            source->next = found ? ARCHIVE_SHEET : ARCHIVE_ROOM;
            break;
        case ARCHIVE_ROOM:
            found = next_room(source, line);
            source->next = found ? ARCHIVE_ENTRY : ARCHIVE_NOTE;
            break;
        case ARCHIVE_ENTRY:
            found = next_entry(source, line);
            source->next = found ? ARCHIVE_ENTRY : ARCHIVE_ROOM;
            break;
        case ARCHIVE_NOTE:
            found = next_note(source, line);
            source->next = found ? ARCHIVE_NOTE : ARCHIVE_END;
            break;
        case ARCHIVE_END:
            line->counts = source->counts;
            return true;
        }
    }
    return found > 0;
}

/* Writes a line of a source as the file has it. */
static bool write_line(struct transfer *transfer, const struct source *source,
                       const struct archive_line *line, struct es_out *out)
{
    out->used = 0;
    if (archive_write(line, out))
        return true;
    if (line->kind == ARCHIVE_ROOM || line->kind == ARCHIVE_ENTRY)
        return fail(transfer, "room %s has a text that is too long, or that is not UTF-8",
                    source->id);
    return fail(transfer, "guest %s or sheet %s has a text that is too long, or that is not UTF-8",
                source->guest, source->sheet);
}

/* Everything that was counted: for progress. */
static uint64_t items(const struct archive_counts *counts)
{
    return counts->guests + counts->sheets + counts->rooms;
}

static uint64_t all_items(const struct store_answer *state)
{
    return state->total.guests + state->total.sheets + state->total.rooms;
}

static void source_tell(const struct source *source, const char *what)
{
    tell(source->transfer, what, items(&source->counts), all_items(&source->state));
}

/* ---- Exporting ------------------------------------------------------------------------------- */

struct export
{
    struct transfer *transfer;
    struct source source;
    FILE *file;
    struct archive_place place; /* the end of what is written */
    char text[ARCHIVE_LINE_BYTES];
};

static bool put(struct export *export, const struct archive_line *line)
{
    struct es_out out = {export->text, sizeof export->text, 0};
    if (!write_line(export->transfer, &export->source, line, &out))
        return false;
    if (!archive_follows(&export->place.order, line))
        return fail(export->transfer, "the store contradicts itself at '%.60s'", export->text);
    es_sha256_update(&export->place.sha, out.at, out.used);
    export->place.offset += out.used;
    if (fwrite(out.at, 1, out.used, export->file) == out.used)
        return true;
    return fail(export->transfer, "%s", strerror(errno));
}

/* Finds out whether the file begins with what is known before the first item: if no server has used
 * the store since, it is as it was. The source is at its first item afterwards. */
static bool begins_alike(struct export *export, struct archive_reader *reader, bool *is_alike)
{
    struct archive_line own, found;
    struct es_out out = {export->text, sizeof export->text, 0};
    *is_alike = true;
    while (export->source.next < ARCHIVE_GUEST) {
        if (export->source.next == ARCHIVE_GAP && export->source.gap == export->source.state.gaps)
            break;
        if (!source_next(&export->source, &own) ||
            !write_line(export->transfer, &export->source, &own, &out))
            return false;
        uint64_t before = reader->place.offset;
        *is_alike = *is_alike && archive_next(reader, &found) == ARCHIVE_LINE &&
                    reader->place.offset - before == out.used &&
                    memcmp(reader->line, out.at, out.used) == 0;
    }
    return true;
}

/* Reads a file as far as it is right, if it begins as it must: up to its end, to where it was cut
 * off or to a mistake. Sets the place after the last item that is certainly complete; if the file
 * begins differently, the beginning. The source is at that place then. */
static bool find_place(struct export *export, bool *is_complete)
{
    struct archive_reader *reader = archive_open(export->file);
    struct archive_line line;
    enum archive_result result = ARCHIVE_LINE;
    bool is_alike = false;
    if (!reader)
        return fail(export->transfer, "not enough memory");
    bool is_done = begins_alike(export, reader, &is_alike);
    while (is_done && is_alike && result == ARCHIVE_LINE) {
        result = archive_next(reader, &line);
        is_alike = result != ARCHIVE_LINE || line.kind != ARCHIVE_GAP; /* the store has no more */
    }
    *is_complete = is_alike && result == ARCHIVE_COMPLETE;
    if (is_done && is_alike) {
        export->transfer->counts = line.counts; /* if it is complete */
        export->place = reader->item;
        source_skip(&export->source, &reader->item.order);
    } else if (is_done) {
        es_sha256_init(&export->place.sha);
        source_end(&export->source);
        is_done = source_begin(&export->source, export->transfer);
    }
    free(reader);
    return is_done;
}

static bool go_to_place(struct export *export)
{
    clearerr(export->file);
    return (!ftruncate(fileno(export->file), (off_t) export->place.offset) &&
            !fseeko(export->file, (off_t) export->place.offset, SEEK_SET)) ||
           fail(export->transfer, "%s", strerror(errno));
}

/* Returns false if a server has used the store since the export began. */
static bool is_as_it_was(struct export *export)
{
    struct store_answer state;
    if (!ask_state(export->transfer, &state))
        return false;
    bool is_same = state.alive == export->source.state.alive;
    free(state.memory);
    return is_same ||
           fail(export->transfer, "a server has used the store meanwhile: start the export again");
}

static bool write_all(struct export *export)
{
    struct archive_line line;
    while (source_next(&export->source, &line)) {
        if (line.kind == ARCHIVE_END) {
            archive_finish(&line, export->place.sha);
            export->transfer->counts = line.counts;
        }
        if (!put(export, &line))
            return false;
        if (line.kind == ARCHIVE_END)
            return true;
        source_tell(&export->source, "written");
    }
    return false;
}

static bool sync_file(struct export *export)
{
    return (!fflush(export->file) && !fsync(fileno(export->file))) ||
           fail(export->transfer, "%s", strerror(errno));
}

/* Writes to a file that is open for reading and writing, and may have the beginning. A file that
 * `must_be` complete is only read. */
static bool export_to(struct transfer *transfer, FILE *file, bool must_be)
{
    struct export *export = calloc(1, sizeof *export);
    bool is_complete = false;
    if (!export)
        return fail(transfer, "not enough memory");
    export->transfer = transfer;
    export->file = file;
    bool is_done = source_begin(&export->source, transfer) && find_place(export, &is_complete);
    if (is_done && must_be)
        is_done = is_complete;
    else if (is_done)
        is_done =
            go_to_place(export) && write_all(export) && is_as_it_was(export) && sync_file(export);
    source_end(&export->source);
    free(export);
    return is_done;
}

/* Gives a complete file its name, under which nothing may be. */
static bool name_file(struct transfer *transfer, const char *part, const char *path)
{
    char folder[4096];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path + 1) : 1,
             slash ? path : ".");
    bool is_named = !renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE);
    if (!is_named && errno == EINVAL) /* a file system that cannot do that */
        is_named = access(path, F_OK) && !rename(part, path);
    if (!is_named)
        return fail(transfer, "%s: %s", path, strerror(errno));
    int place = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (place >= 0) {
        fsync(place);
        close(place);
    }
    return true;
}

/* Accepts a file that is there only if it is complete, and the store is as it was. */
static bool is_exported(struct transfer *transfer, FILE *file, const char *path)
{
    bool is_done = export_to(transfer, file, true);
    fclose(file);
    return is_done || fail(transfer, "%s: %s", path, strerror(EEXIST));
}

/* Opens the file in which an export is made; NULL after a failure. */
static FILE *open_part(struct transfer *transfer, const char *part)
{
    int descriptor = open(part, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    FILE *file = NULL;
    if (descriptor < 0 || fchmod(descriptor, 0600))
        fail(transfer, "%s: %s", part, strerror(errno));
    else if (flock(descriptor, LOCK_EX | LOCK_NB))
        fail(transfer, "another export is writing %s", part);
    else if (!(file = fdopen(descriptor, "r+")))
        fail(transfer, "%s: %s", part, strerror(errno));
    if (!file && descriptor >= 0)
        close(descriptor);
    return file;
}

bool transfer_export(struct transfer *transfer, const char *path)
{
    char part[4096];
    transfer->fault[0] = '\0';
    if (access(path, F_OK) == 0) {
        FILE *old = fopen(path, "rbe");
        return old ? is_exported(transfer, old, path)
                   : fail(transfer, "%s: %s", path, strerror(errno));
    }
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return fail(transfer, "%.200s: %s", path, strerror(ENAMETOOLONG));
    FILE *file = open_part(transfer, part);
    if (!file)
        return false;
    bool is_done = export_to(transfer, file, false) && name_file(transfer, part, path);
    fclose(file);
    return is_done;
}

/* ---- Checking -------------------------------------------------------------------------------- */

static FILE *open_archive(struct transfer *transfer, const char *path, uint64_t *size)
{
    struct stat status;
    FILE *file = fopen(path, "rbe");
    if (file && fstat(fileno(file), &status) == 0 && !S_ISREG(status.st_mode)) {
        fclose(file); /* it is read twice */
        fail(transfer, "%s: this is not a file", path);
        return NULL;
    }
    if (file)
        *size = (uint64_t)status.st_size;
    else
        fail(transfer, "%s: %s", path, strerror(errno));
    return file;
}

bool transfer_check(struct transfer *transfer, const char *path)
{
    struct archive_line line;
    uint64_t size = 0;
    transfer->fault[0] = '\0';
    FILE *file = open_archive(transfer, path, &size);
    if (!file)
        return false;
    struct archive_reader *reader = archive_open(file);
    enum archive_result result = ARCHIVE_LINE;
    while (reader && (result = archive_next(reader, &line)) == ARCHIVE_LINE)
        tell(transfer, "checked", reader->place.offset, size);
    if (result == ARCHIVE_COMPLETE)
        transfer->counts = line.counts;
    else
        fail(transfer, "%s: %s", path, reader ? reader->fault : "not enough memory");
    free(reader);
    fclose(file);
    return result == ARCHIVE_COMPLETE;
}

/* ---- Writing to a store ---------------------------------------------------------------------- */

enum {
    BATCH_QUESTIONS = 64,
    BATCH_ENTRIES = 1000,
    BATCH_BYTES = 1 << 20,
    BATCH_PASSES = 3000, /* and as many more as the latest guest has */
};

/* Questions to be asked together, with what they point to. Later ones come after all others. */
struct batch {
    struct store_question question[BATCH_QUESTIONS], later[BATCH_QUESTIONS];
    size_t count, laters;
    struct store_entry entry[BATCH_ENTRIES];
    size_t entries;
    struct store_pass *pass;
    size_t passes, passes_room;
    char bytes[BATCH_BYTES];
    size_t used;
};

struct import {
    struct transfer *transfer;
    const char *path; /* of the file */
    struct archive_reader *reader;
    struct archive_line line; /* the next of the file */
    struct source target;
    struct archive_line there; /* the next of the target */
    bool writes;               /* false: only compares */
    bool is_refused;           /* something that was to be written */
    struct archive_line end;
    uint64_t alive; /* of the file, and the next three */
    uint8_t key[ES_SHA256_BYTES];
    struct store_gap *gap;
    size_t gaps, gaps_room;
    struct batch batch;
    char people[STORE_TEXT_MAX]; /* of the current room */
    char text[ARCHIVE_LINE_BYTES];
};

/* Sets where the passes of each guest are, which may have moved while some were added. */
static void place_passes(struct batch *batch)
{
    const struct store_pass *next = batch->pass;
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->question[i].passes == 0)
            continue;
        batch->question[i].pass = next;
        next += batch->question[i].passes;
    }
}

static bool flush(struct import *import)
{
    struct transfer *transfer = import->transfer;
    struct batch *batch = &import->batch;
    struct store *store = transfer->store;
    struct store_pair pair[2 * BATCH_QUESTIONS];
    struct store_answer answers[2 * BATCH_QUESTIONS];
    size_t count = batch->count + batch->laters;
    place_passes(batch);
    for (size_t i = 0; i < count; i++)
        pair[i] = (struct store_pair){
            i < batch->count ? &batch->question[i] : &batch->later[i - batch->count], &answers[i]};
    bool is_done = count == 0 || store->answer(store, pair, count) == STORE_STORED ||
                   fail(transfer, "%s", store->fault(store));
    for (size_t i = 0; i < count; i++) {
        const struct store_question *question = pair[i].question;
        const struct store_answer *answer = pair[i].answer;
        const char *id = question->kind == STORE_APPEND ? question->head.room
                         : question->kind == STORE_MAP  ? question->map
                         : question->kind == STORE_NOTE ? question->note.id
                                                        : question->guest.id;
        import->is_refused |= answer->outcome == STORE_REFUSED;
        if (is_done && answer->outcome == STORE_REFUSED)
            is_done = fail(transfer,
                           "the store refuses '%s': the file contradicts itself, or "
                           "somebody else is writing to the store",
                           id);
        if (is_done && answer->dropped)
            is_done =
                fail(transfer, "room %s has chat or people of guests who are not in the file", id);
        free(answer->memory);
    }
    batch->count = batch->laters = batch->entries = batch->passes = batch->used = 0;
    return is_done;
}

/* Makes room for one question, entries and bytes. */
static bool make_room(struct import *import, size_t entries, size_t bytes)
{
    struct batch *batch = &import->batch;
    return (batch->count < BATCH_QUESTIONS && batch->laters < BATCH_QUESTIONS &&
            batch->entries + entries <= BATCH_ENTRIES && batch->used + bytes <= BATCH_BYTES) ||
           flush(import);
}

static struct es_str keep(struct batch *batch, struct es_str text)
{
    char *copy = batch->bytes + batch->used;
    if (text.size)
        memcpy(copy, text.at, text.size);
    batch->used += text.size;
    return (struct es_str){copy, text.size};
}

static struct store_question *add(struct batch *batch, enum store_kind kind)
{
    struct store_question *question = &batch->question[batch->count++];
    *question = (struct store_question){.kind = kind};
    return question;
}

/* ---- Merging --------------------------------------------------------------------------------- */

static bool next_line(struct import *import)
{
    struct archive_reader *reader = import->reader;
    switch (archive_next(reader, &import->line)) {
    case ARCHIVE_LINE:
        return true;
    case ARCHIVE_COMPLETE:
        import->end = import->line;
        return true;
    default:
        return fail(import->transfer, "%s: %s", import->path, reader->fault);
    }
}

static bool next_there(struct import *import)
{
    return source_next(&import->target, &import->there);
}

/* The store has something else than the file. */
static bool other(struct import *import, const char *what, const char *id)
{
    return fail(import->transfer,
                "the store is not empty: it has %s%s%s. Import into an empty store", what,
                id[0] ? " " : "", id);
}

/* Returns whether the next line of the target is that of the file; -1 after a failure. */
static int is_same(struct import *import)
{
    struct es_out out = {import->text, sizeof import->text, 0};
    size_t size = import->reader->size;
    if (!write_line(import->transfer, &import->target, &import->there, &out))
        return -1;
    return import->line.kind == import->there.kind && out.used == size &&
           memcmp(out.at, import->reader->line, size) == 0;
}

static bool is_pass(const struct archive_line *line)
{
    return line->kind == ARCHIVE_DEVICE || line->kind == ARCHIVE_TICKET;
}

/* Compares a guest that is there, with devices and tickets. */
static bool compare_guest(struct import *import)
{
    char id[STORE_GUEST_BYTES];
    strcpy(id, import->there.guest.id);
    do {
        int same = is_same(import);
        if (same <= 0)
            return same == 0 ? other(import, "another guest", id) : false;
        if (!next_line(import) || !next_there(import))
            return false;
    } while (is_pass(&import->line) && is_pass(&import->there));
    return (!is_pass(&import->line) && !is_pass(&import->there)) ||
           other(import, "another guest", id);
}

/* Takes what belongs to the latest item of the file. */
static bool skip(struct import *import)
{
    bool is_good = true;
    do
        is_good = next_line(import);
    while (is_good && (is_pass(&import->line) || import->line.kind == ARCHIVE_ENTRY));
    return is_good;
}

static bool keep_pass(struct import *import)
{
    struct batch *batch = &import->batch;
    if (batch->passes == batch->passes_room) {
        size_t space = batch->passes_room * 2 + 64;
        struct store_pass *larger = realloc(batch->pass, space * sizeof *larger);
        if (!larger)
            return fail(import->transfer, "not enough memory");
        batch->pass = larger;
        batch->passes_room = space;
    }
    batch->pass[batch->passes++] = import->line.pass;
    return true;
}

/* Adds a question that writes a guest, with all devices and tickets. */
static bool put_guest(struct import *import)
{
    struct batch *batch = &import->batch;
    bool is_good = true;
    if ((batch->passes >= BATCH_PASSES || batch->count == BATCH_QUESTIONS) && !flush(import))
        return false;
    struct store_question *question = add(batch, STORE_PUT_GUEST);
    question->time = (uint64_t)time(NULL) * 1000; /* the file does not say when they were seen */
    question->guest = import->line.guest;
    while ((is_good = next_line(import)) && is_pass(&import->line)) {
        if (!keep_pass(import))
            return false;
        question->passes++;
    }
    return is_good;
}

static bool put_sheet(struct import *import)
{
    const struct store_sheet *sheet = &import->line.sheet;
    if (!make_room(import, 0, sheet->text.size))
        return false;
    struct store_question *question = add(&import->batch, STORE_MAP);
    strcpy(question->map, sheet->map);
    question->time = sheet->kept;
    question->text = keep(&import->batch, sheet->text);
    return next_line(import);
}

/* Compares an item of one line that is there. */
static bool compare_line(struct import *import, const char *another)
{
    int same = is_same(import);
    if (same <= 0)
        return same == 0 ? other(import, another, archive_id(&import->there)) : false;
    return next_line(import) && next_there(import);
}

static bool put_note(struct import *import)
{
    const struct store_note *note = &import->line.note;
    if (!make_room(import, 0, note->text.size))
        return false;
    struct store_question *question = add(&import->batch, STORE_NOTE);
    question->note = *note;
    question->note.text = keep(&import->batch, note->text);
    return next_line(import);
}

static void set_head(struct batch *batch, struct store_question *question,
                     const struct store_head *head, uint64_t first)
{
    *question = (struct store_question){.kind = STORE_APPEND, .head = *head, .first = first};
    question->head.people = keep(batch, head->people);
    question->head.since = 0;
    question->entry = batch->entry + batch->entries;
}

/* Adds a question that writes a room's head, and entries from `first` on, which are still to be
 * added. NULL after a failure. */
static struct store_question *put_entries(struct import *import, const struct store_head *head,
                                          uint64_t first)
{
    struct batch *batch = &import->batch;
    if (!make_room(import, 1, head->people.size + STORE_TEXT_MAX))
        return NULL;
    set_head(batch, &batch->question[batch->count], head, first);
    return &batch->question[batch->count++];
}

/* Adds a question that writes only the head. Those of many rooms together are faster. */
static bool put_head(struct import *import, const struct store_head *head, uint64_t first)
{
    struct batch *batch = &import->batch;
    if (!make_room(import, 0, head->people.size))
        return false;
    set_head(batch, &batch->later[batch->laters++], head, first);
    return true;
}

/* Adds the entries of a room that the target does not have: those after number `have`. A room is
 * over from `changed` of the first head that says so; so a room that is over gets its head with the
 * time when that was first, and then the latest one. */
static bool put_room(struct import *import, const struct store_head *head, uint64_t have)
{
    struct batch *batch = &import->batch;
    struct store_head first = *head;
    if (head->over)
        first.changed = head->since;
    struct store_question *question = put_entries(import, &first, have + 1);
    while (question && import->line.kind == ARCHIVE_ENTRY) {
        const struct store_entry *entry = &import->line.entry;
        if (batch->entries == BATCH_ENTRIES || batch->used + entry->text.size > BATCH_BYTES) {
            question = put_entries(import, &first, have + 1);
            continue;
        }
        batch->entry[batch->entries] = *entry;
        batch->entry[batch->entries++].text = keep(batch, entry->text);
        question->entries++;
        have++;
        if (!next_line(import))
            return false;
    }
    return question && (first.changed == head->changed || put_head(import, head, have + 1));
}

/* Compares the head and the entries of a room that is there. It may have been written only in part:
 * then it has fewer entries, or the first of the two heads of put_room(). */
static bool merge_room(struct import *import, bool is_there)
{
    struct store_head head = import->line.head;
    uint64_t have = 0;
    bool is_part = !is_there;
    memcpy(import->people, head.people.at, head.people.size);
    head.people.at = import->people;
    if (is_there && head.over && import->there.head.changed == head.since &&
        head.changed != head.since) {
        import->there.head.changed = head.changed;
        is_part = true;
    }
    int same = is_there ? is_same(import) : 1;
    if (same > 0 && (!next_line(import) || (is_there && !next_there(import))))
        return false;
    while (same > 0 && is_there && import->there.kind == ARCHIVE_ENTRY) {
        same = is_same(import); /* not if the file has no more entries */
        have++;
        if (same > 0 && (!next_line(import) || !next_there(import)))
            return false;
    }
    if (same <= 0)
        return same == 0 ? other(import, "another room", head.room) : false;
    is_part = is_part || import->line.kind == ARCHIVE_ENTRY;
    if (import->writes && is_part)
        return put_room(import, &head, have);
    return import->line.kind == ARCHIVE_ENTRY ? skip(import) : true;
}

/* Takes the next item of the file, which is also the next of the target or not there. */
static bool merge_item(struct import *import, bool is_there)
{
    switch (import->line.kind) {
    case ARCHIVE_GUEST:
        return is_there ? compare_guest(import) : import->writes ? put_guest(import) : skip(import);
    case ARCHIVE_SHEET:
        return is_there         ? compare_line(import, "another sheet")
               : import->writes ? put_sheet(import)
                                : skip(import);
    case ARCHIVE_NOTE:
        return is_there         ? compare_line(import, "another note")
               : import->writes ? put_note(import)
                                : skip(import);
    default:
        return merge_room(import, is_there);
    }
}

static bool merge_items(struct import *import)
{
    static const char *const names[] = {[ARCHIVE_GUEST] = "guest",
                                        [ARCHIVE_SHEET] = "sheet",
                                        [ARCHIVE_ROOM] = "room",
                                        [ARCHIVE_NOTE] = "note"};
    while (import->line.kind != ARCHIVE_END || import->there.kind != ARCHIVE_END) {
        const struct archive_line *there = &import->there;
        int order = archive_compare(&import->line, there);
        if (order > 0)
            return other(import, names[there->kind], archive_id(there));
        if (!merge_item(import, order == 0))
            return false;
        tell(import->transfer, import->writes ? "stored" : "compared",
             items(&import->reader->place.order.counts), items(&import->transfer->counts));
    }
    return !import->writes || flush(import);
}

static bool keep_gap(struct import *import)
{
    if (import->gaps == import->gaps_room) {
        size_t space = import->gaps_room * 2 + 16;
        struct store_gap *larger = realloc(import->gap, space * sizeof *larger);
        if (!larger)
            return fail(import->transfer, "not enough memory");
        import->gap = larger;
        import->gaps_room = space;
    }
    import->gap[import->gaps++] = import->line.gap;
    return true;
}

/* Takes the lines of the file before its first item. */
static bool take_state(struct import *import)
{
    import->gaps = 0;
    for (;;) {
        if (!next_line(import))
            return false;
        if (import->line.kind > ARCHIVE_GAP)
            return true;
        if (import->line.kind == ARCHIVE_STATE) {
            import->alive = import->line.alive;
            memcpy(import->key, import->line.key, sizeof import->key);
        }
        if (import->line.kind == ARCHIVE_GAP && !keep_gap(import))
            return false;
    }
}

/* Takes the lines before the first item, of both. `must_match`: a server has used the target, so
 * that they have to be the same. */
static bool merge_state(struct import *import, bool must_match)
{
    struct es_out out = {import->text, sizeof import->text, 0};
    struct es_sha256 sha, theirs;
    uint8_t hash[2][ES_SHA256_BYTES];
    es_sha256_init(&sha);
    if (!take_state(import) || !next_there(import))
        return false;
    while (import->there.kind <= ARCHIVE_GAP) {
        if (!write_line(import->transfer, &import->target, &import->there, &out))
            return false;
        es_sha256_update(&sha, out.at, out.used);
        if (!next_there(import))
            return false;
    }
    theirs = import->reader->item.sha; /* of everything before the first item */
    es_sha256_final(&sha, hash[0]);
    es_sha256_final(&theirs, hash[1]);
    return !must_match || memcmp(hash[0], hash[1], sizeof hash[0]) == 0 ||
           fail(import->transfer, "the store is not empty: a server has used it since it got what "
                                  "it has. Import into an empty store");
}

/* Goes through the file and the target once. */
static bool merge(struct import *import, FILE *file, bool writes, bool must_match)
{
    struct batch *batch = &import->batch;
    rewind(file);
    batch->count = batch->laters = batch->entries = batch->passes = batch->used = 0;
    import->writes = writes;
    import->reader = archive_open(file);
    bool is_done = (import->reader || fail(import->transfer, "not enough memory")) &&
                   source_begin(&import->target, import->transfer) &&
                   merge_state(import, must_match) && merge_items(import);
    source_end(&import->target);
    free(import->reader);
    import->reader = NULL;
    return is_done;
}

/* Sets what is neither a guest nor a sheet nor a room. */
static bool put_state(struct import *import, const struct store_question *question)
{
    struct store_answer answer;
    if (!ask(import->transfer, question, &answer))
        return false;
    free(answer.memory);
    return true;
}

/* As it is in the file. This comes last: a target that has it is complete. */
static bool put_own_state(struct import *import)
{
    struct store_question question = {
        .kind = STORE_PUT_STATE, .time = import->alive, .gap = import->gap, .gaps = import->gaps};
    memcpy(question.key, import->key, sizeof question.key);
    return put_state(import, &question);
}

/* As if no server had ever used the target, which is empty. */
static bool put_no_state(struct import *import, const uint8_t key[ES_SHA256_BYTES])
{
    struct store_question question = {.kind = STORE_PUT_STATE};
    memcpy(question.key, key, sizeof question.key);
    return put_state(import, &question);
}

/* Reads everything from the target and compares it with the file. */
static bool read_back(struct import *import)
{
    struct source *source = &import->target;
    struct archive_line line;
    struct es_sha256 sha;
    struct es_out out = {import->text, sizeof import->text, 0};
    es_sha256_init(&sha);
    bool is_good = source_begin(source, import->transfer);
    while (is_good && (is_good = source_next(source, &line)) && line.kind != ARCHIVE_END) {
        is_good = write_line(import->transfer, source, &line, &out);
        es_sha256_update(&sha, out.at, out.used);
        source_tell(source, "read back");
    }
    source_end(source);
    if (!is_good)
        return false;
    archive_finish(&line, sha);
    return memcmp(line.hash, import->end.hash, sizeof line.hash) == 0 ||
           fail(import->transfer, "what the store has now is not what the file has: the hash "
                                  "differs");
}

/* Writes what is missing. In a shared store the session of an import that was killed may be
 * committing its last group just now: then that is refused to us, and there when we look again. */
static bool merge_patiently(struct import *import, FILE *file)
{
    enum { TIMES = 3 };
    const struct timespec pause = {.tv_nsec = 500000000};
    for (int i = 1;; i++) {
        import->is_refused = false;
        if (merge(import, file, true, false))
            return true;
        if (!import->is_refused || !import->transfer->now || i == TIMES)
            return false;
        import->transfer->fault[0] = '\0';
        nanosleep(&pause, NULL);
    }
}

static bool import_from(struct import *import, FILE *file)
{
    struct store_answer state;
    if (!ask_state(import->transfer, &state))
        return false;
    bool is_empty = all_items(&state) == 0, was_used = state.alive != 0;
    free(state.memory);
    if (is_empty && was_used && !put_no_state(import, state.key))
        return false;
    return (is_empty || merge(import, file, false, was_used)) && merge_patiently(import, file) &&
           put_own_state(import) && read_back(import);
}

bool transfer_import(struct transfer *transfer, const char *path)
{
    uint64_t size;
    transfer->fault[0] = '\0';
    FILE *file = open_archive(transfer, path, &size);
    if (!file)
        return false;
    struct import *import = calloc(1, sizeof *import);
    bool is_done = import || fail(transfer, "not enough memory");
    if (import) {
        import->transfer = transfer;
        import->path = path;
        is_done = import_from(import, file);
        free(import->gap);
        free(import->batch.pass);
    }
    free(import);
    fclose(file);
    return is_done;
}

bool transfer_is_partial(struct store *store)
{
    struct store_question question = {.kind = STORE_STATE};
    struct store_answer state;
    store_ask(store, &question, &state);
    bool is_partial = state.outcome == STORE_STORED && all_items(&state) > 0 && state.alive == 0;
    free(state.memory);
    return is_partial;
}
