/* Tests of moving everything from one store to another by a file: all stores give the same file,
 * whatever interrupts it; damaged files and stores with something else are refused. */
#include "check.h"
#include "postgres.h"
#include "store/transfer.h"
#include "store_questions.h"
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Stores ---------------------------------------------------------------------------------- */

enum { MEMORY, SQLITE, POSTGRES };

/* Opens an empty store. */
static struct store *open_empty(int kind)
{
    static int count;
    char fault[STORE_FAULT_BYTES] = "", name[40];
    struct store *store = NULL;
    if (kind == MEMORY)
        store = store_memory();
    if (kind == SQLITE) {
        snprintf(name, sizeof name, "sqlite%d", count++);
        store = store_sqlite(path_of(name), fault);
    }
    if (kind == POSTGRES) {
        postgres_empty(postgres_address);
        store = store_postgres(postgres_address, fault);
    }
    if (!store)
        fail_msg("%s", fault);
    return store;
}

static struct store_answer ask(struct store *store, const struct store_question *question)
{
    struct store_answer answer;
    store_ask(store, question, &answer);
    assert_int_equal(answer.outcome, STORE_STORED);
    return answer;
}

static void tell(struct store *store, const struct store_question *question)
{
    free(ask(store, question).memory);
}

/* Has all guests of a store be seen late. */
static void see_all(struct store *store)
{
    struct store_question page = {.kind = STORE_PAGE_GUESTS};
    for (bool more = true; more;) {
        struct store_answer answer = ask(store, &page);
        more = answer.owners > 0;
        for (size_t i = 0; i < answer.owners; i++) {
            struct store_question seen = {.kind = STORE_SEEN, .time = INT64_MAX - 1};
            seen.guest = page.guest = answer.owner[i];
            tell(store, &seen);
        }
        free(answer.memory);
    }
}

/* Like stores_differ(), but for when guests were seen: those that are moved count as seen then. */
static const char *copies_differ(struct store *store, struct store *copy)
{
    see_all(store);
    see_all(copy);
    return stores_differ(store, copy);
}

/* A room with texts that have to be escaped, over since before its latest change. */
static void add_special_room(struct store *store)
{
    const struct store_entry entry[] = {
        {.kind = ENTRY_MADE, .decision = -1, .text = es_str("a\n\n\\n b\t\\\\\r\n \n")},
        {.kind = ENTRY_MOVE, .seat = 6, .decision = 0, .key = "A-_z9", .text = es_str(" ")},
        {.kind = ENTRY_CHAT, .decision = -1, .guest = "zoe", .text = es_str("Grüße, 你好 🚇")},
        {.kind = ENTRY_CLOSED, .decision = -1, .text = es_str("")},
    };
    struct store_question question = {
        .kind = STORE_APPEND, .first = 1, .entry = entry, .entries = 4};
    static const struct store_pass pass = {
        .hash = {1, 2, 3}, .device = "0011aabb", .label = "Fire \\ fox", .time = 77};
    struct store_question guest = {.kind = STORE_PUT_GUEST, .pass = &pass, .passes = 1};
    strcpy(guest.guest.id, "zoe");
    strcpy(guest.guest.name, "Zoë  Ü \\n");
    tell(store, &guest);
    strcpy(question.head.room, "zzzzzzzzzzzzzzzz");
    strcpy(question.head.code, "ABCD2345");
    question.head.people = es_str("zoe +7 Zoë  Ü \\n\n");
    question.head.over = true;
    question.head.changed = 1234567890123;
    tell(store, &question);
    question.first = 5;
    question.entries = 0;
    question.head.changed = 1234567899999;
    tell(store, &question);
}

/* Fills a store in memory with whatever the questions of a seed write. */
static struct store *make_store(uint64_t seed)
{
    static struct asker asker;
    struct store *store = store_memory();
    asker_begin(&asker, seed);
    asker.moves = true;
    for (int i = 0; i < 1500; i++) {
        struct store_answer answer;
        store_ask(store, asker_next(&asker, store), &answer);
        free(answer.memory);
    }
    add_special_room(store);
    /* The questions may let rooms name sheets that are not there, which nobody else does. */
    for (uint32_t i = 0; i < 4; i++) {
        struct store_question map = {.kind = STORE_MAP, .time = 5, .text = es_str("lost\n\\")};
        struct store_answer answer;
        snprintf(map.map, sizeof map.map, "%032u", i);
        store_ask(store, &map, &answer);
    }
    /* Processes are not moved. */
    for (uint32_t i = 0; i < 4; i++) {
        struct store_question gone = {.kind = STORE_GONE};
        if (i)
            snprintf(gone.process, sizeof gone.process, "process%u", i % 10);
        tell(store, &gone);
    }
    const struct store_gap gap[] = {{100, 200}, {300, 3000}};
    struct store_question put = {.kind = STORE_PUT_STATE, .time = 5000, .gap = gap, .gaps = 2};
    memset(put.key, (int)seed, sizeof put.key);
    tell(store, &put);
    return store;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* Reads a file; the caller frees it. */
static char *read_all(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s cannot be read", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    assert_int_equal(fread(text, 1, *size, file), *size);
    text[*size] = '\0';
    fclose(file);
    return text;
}

static void write_all(const char *path, const char *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    fclose(file);
}

static void expect_same_files(const char *a, const char *b)
{
    size_t size[2];
    char *text[2] = {read_all(a, &size[0]), read_all(b, &size[1])};
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(text[0], text[1], size[0]);
    free(text[0]);
    free(text[1]);
}

static void export_to(struct store *store, const char *path)
{
    struct transfer transfer = {.store = store};
    if (!transfer_export(&transfer, path))
        fail_msg("export: %s", transfer.fault);
}

static void import_from(struct store *store, const char *path)
{
    struct transfer transfer = {.store = store};
    if (!transfer_check(&transfer, path) || !transfer_import(&transfer, path))
        fail_msg("import: %s", transfer.fault);
}

static void expect_fault(const struct transfer *transfer, const char *words)
{
    if (!strstr(transfer->fault, words))
        fail_msg("'%s' instead of '%s'", transfer->fault, words);
}

static void expect_import_refused(struct store *store, const char *path, const char *words)
{
    struct transfer transfer = {.store = store};
    assert_false(transfer_import(&transfer, path));
    expect_fault(&transfer, words);
}

static void expect_check_refused(const char *path, const char *words)
{
    struct transfer transfer = {.store = NULL};
    assert_false(transfer_check(&transfer, path));
    expect_fault(&transfer, words);
}

/* Completes a file of which the end is missing. */
static void finish(const char *path)
{
    FILE *file = fopen(path, "r+b");
    struct archive_reader *reader = archive_open(file);
    struct archive_line line;
    enum archive_result result;
    do
        result = archive_next(reader, &line);
    while (result == ARCHIVE_LINE);
    if (result != ARCHIVE_CUT)
        fail_msg("%s", reader->fault);
    struct archive_line end = {.kind = ARCHIVE_END, .counts = reader->place.order.counts};
    archive_finish(&end, reader->place.sha);
    char text[300];
    struct es_out out = {text, sizeof text, 0};
    assert_true(archive_write(&end, &out));
    fseek(file, (long)reader->place.offset, SEEK_SET);
    assert_int_equal(fwrite(text, 1, out.used, file), out.used);
    fclose(file);
    free(reader);
}

/* ---- From store to store --------------------------------------------------------------------- */

static void move_on(const char *from, int kind, const char *to)
{
    struct store *store = open_empty(kind);
    import_from(store, from);
    import_from(store, from); /* once more: everything is there */
    export_to(store, to);
    store->close(store);
    expect_same_files(from, to);
}

static void all_stores_give_the_same_file(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        char name[4][40];
        for (int i = 0; i < 4; i++)
            snprintf(name[i], sizeof name[i], "move%d-%d", (int)seed, i);
        struct store *store = make_store(seed), *copy = store_memory();
        export_to(store, path_of(name[0]));
        struct stat status;
        assert_int_equal(stat(path_of(name[0]), &status), 0);
        assert_int_equal(status.st_mode & 0777, 0600);
        assert_int_not_equal(access(path_of(name[0]), F_OK) + 1, 0);
        import_from(copy, path_of(name[0]));
        assert_null(copies_differ(store, copy));
        copy->close(copy);
        move_on(path_of(name[0]), SQLITE, path_of(name[1]));
        if (postgres_address && seed <= 3) {
            move_on(path_of(name[1]), POSTGRES, path_of(name[2]));
            move_on(path_of(name[2]), SQLITE, path_of(name[3]));
        }
        store->close(store);
    }
}

static void an_empty_store_can_be_moved(void **state)
{
    (void)state;
    struct store *store = store_memory(), *sqlite = open_empty(SQLITE);
    export_to(store, path_of("empty"));
    import_from(sqlite, path_of("empty"));
    export_to(sqlite, path_of("empty2"));
    expect_same_files(path_of("empty"), path_of("empty2"));
    store->close(store);
    sqlite->close(sqlite);
}

static void many_rooms_and_long_ones_fit(void **state)
{
    (void)state;
    struct store *store = store_memory(), *sqlite = open_empty(SQLITE);
    static char text[STORE_TEXT_MAX];
    memset(text, '\n', sizeof text); /* twice as long in the file */
    struct store_entry entry[300];
    for (size_t i = 0; i < 300; i++)
        entry[i] = (struct store_entry){.kind = ENTRY_MOVE, .decision = -1, .text = es_str("1 A3")};
    for (int i = 0; i < 250; i++) {
        struct store_question question = {
            .kind = STORE_APPEND, .first = 1, .entry = entry, .entries = (size_t)(i % 7)};
        snprintf(question.head.room, sizeof question.head.room, "r%d", i);
        question.head.over = i % 2;
        question.head.changed = 5;
        tell(store, &question);
        if (i % 100 == 1) { /* more than fits into one group */
            question.entries = 300;
            for (question.first = 1u + i % 7; question.first < 3000; question.first += 300)
                tell(store, &question);
            question.head.changed = 9;
            entry[0].text = (struct es_str){text, sizeof text};
            question.entries = 1;
            for (int k = 0; k < 30; k++, question.first++)
                tell(store, &question);
            entry[0].text = es_str("1 A3");
        }
    }
    for (int i = 0; i < 400; i++) {
        struct store_question guest = {.kind = STORE_PUT_GUEST};
        struct store_pass pass[50] = {{{0}, "", "", "", 0}};
        snprintf(guest.guest.id, sizeof guest.guest.id, "g%d", i);
        strcpy(guest.guest.name, "G");
        for (int k = 0; k < 50; k++) {
            memcpy(pass[k].hash, (int[]){i, k}, 2 * sizeof i);
            snprintf(pass[k].device, sizeof pass[k].device, "%d", k % 1000);
            strcpy(pass[k].label, "?");
        }
        guest.pass = pass;
        guest.passes = i % 50;
        tell(store, &guest);
    }
    export_to(store, path_of("many"));
    import_from(sqlite, path_of("many"));
    export_to(sqlite, path_of("many2"));
    expect_same_files(path_of("many"), path_of("many2"));
    store->close(store);
    sqlite->close(sqlite);
}

/* A guest with many devices, from when there was no limit, and the longest texts that a server
 * takes: a sheet, chat, names, labels, a list of people, a report. */
static void add_the_largest(struct store *store)
{
    enum { DEVICES = 5000, TICKETS = 90, PEOPLE = 200 };
    static struct store_pass pass[DEVICES + TICKETS];
    static char text[STORE_TEXT_MAX], people[STORE_TEXT_MAX];
    struct store_question guest = {
        .kind = STORE_PUT_GUEST, .pass = pass, .passes = DEVICES + TICKETS};
    struct es_out line = {people, sizeof people, 0};
    char emoji[241] = "", label[121] = "";
    for (int i = 0; i < 60; i++)
        strcat(emoji, "\xf0\x9f\x9a\x87");
    for (int i = 0; i < 40; i++)
        strcat(label, "\xe4\xbd\xa0");
    for (int i = 0; i < DEVICES + TICKETS; i++) {
        memcpy(pass[i].hash, &i, sizeof i);
        if (i < DEVICES) {
            snprintf(pass[i].device, sizeof pass[i].device, "%08x", (unsigned)i);
            strcpy(pass[i].label, label);
        }
        pass[i].time = 9999999999999;
    }
    for (int i = 0; i < PEOPLE; i++) {
        snprintf(guest.guest.id, sizeof guest.guest.id, "abcdefghijklm%03u", (unsigned)i % 1000);
        strcpy(guest.guest.name, emoji);
        guest.guest.colour = 7;
        tell(store, &guest);
        guest.passes = 0;
        es_out_text(&line, guest.guest.id);
        es_out_text(&line, " +7 ");
        es_out_text(&line, emoji);
        es_out_char(&line, '\n');
    }
    assert_true(es_out_ok(&line));
    memset(text, '\n', sizeof text);
    struct store_question map = {
        .kind = STORE_MAP, .map = "0123456789abcdef0123456789abcdef", .text = {text, sizeof text}};
    tell(store, &map);
    struct store_entry entry = {.kind = ENTRY_CHAT,
                                .decision = -1,
                                .guest = "abcdefghijklm000",
                                .time = 9999999999999,
                                .text = {text, sizeof text}};
    memset(entry.key, '_', sizeof entry.key - 1);
    struct store_question room = {.kind = STORE_APPEND, .first = 1, .entry = &entry, .entries = 1};
    room.head = (struct store_head){.room = "abcdefghijklmnop",
                                    .code = "ABCDEFGHJKMN",
                                    .map = "0123456789abcdef0123456789abcdef",
                                    .wake = 9999999999999,
                                    .changed = 9999999999999,
                                    .people = {people, line.used}};
    tell(store, &room);
    struct store_question note = {.kind = STORE_NOTE};
    memset(note.note.id, 'f', sizeof note.note.id - 1);
    note.note.id[0] = NOTE_TOKEN;
    strcpy(note.note.guest, "abcdefghijklm000");
    note.note.made = note.note.until = 9999999999999;
    note.note.text = (struct es_str){text, sizeof text};
    tell(store, &note);
}

static void the_largest_that_a_server_takes_can_be_moved(void **state)
{
    (void)state;
    struct store *store = store_memory();
    add_the_largest(store);
    export_to(store, path_of("largest"));
    for (int kind = MEMORY; kind <= POSTGRES; kind++)
        if (kind != POSTGRES || postgres_address) {
            unlink(path_of("largest2"));
            move_on(path_of("largest"), kind, path_of("largest2"));
        }
    store->close(store);
}

/* The shortest gap is one of two seconds, and they are kept for thirty days. */
static void as_many_gaps_as_there_can_be_are_in_order(void **state)
{
    (void)state;
    static struct archive_order order;
    struct archive_line line = {.kind = ARCHIVE_FIRST};
    assert_true(archive_follows(&order, &line));
    line.kind = ARCHIVE_STATE;
    assert_true(archive_follows(&order, &line));
    line.kind = ARCHIVE_GAP;
    for (uint64_t end = UINT64_C(30) * 24 * 3600 * 1000; line.gap.to < end;) {
        line.gap = (struct store_gap){line.gap.to, line.gap.to + 2000};
        if (line.gap.from == 0)
            line.gap.from = 1;
        assert_true(archive_follows(&order, &line));
    }
}

/* ---- Interruptions --------------------------------------------------------------------------- */

static void an_export_that_was_cut_off_goes_on(void **state)
{
    (void)state;
    struct es_random random;
    struct store *store = make_store(11);
    size_t size, size_now;
    export_to(store, path_of("whole"));
    char *whole = read_all(path_of("whole"), &size);
    es_random_seed(&random, 5);
    for (int i = 0; i < 100; i++) {
        size_t cut = i == 0 ? size : es_random_below(&random, (uint32_t)size);
        char *part = malloc(size + 100);
        memcpy(part, whole, size);
        memset(part + size, 0, 100);
        size_t garbage = i % 3 ? 0 : es_random_below(&random, 100);
        memset(part + cut, 0, garbage); /* as after a power cut */
        write_all(path_of("cut.part"), part, cut + garbage);
        free(part);
        export_to(store, path_of("cut"));
        char *now = read_all(path_of("cut"), &size_now);
        assert_int_equal(size_now, size);
        assert_memory_equal(now, whole, size);
        free(now);
        assert_int_equal(unlink(path_of("cut")), 0);
        assert_int_not_equal(access(path_of("cut.part"), F_OK), 0);
    }
    /* A part of another store, and of this one before a server has used it, are of no use. */
    struct store *other = make_store(12);
    export_to(other, path_of("other"));
    assert_int_equal(rename(path_of("other"), path_of("cut.part")), 0);
    export_to(store, path_of("cut"));
    expect_same_files(path_of("cut"), path_of("whole"));
    tell(store, &(struct store_question){.kind = STORE_FORGET, .guest = {.id = "zoe"}});
    tell(store, &(struct store_question){.kind = STORE_ALIVE, .time = 6000});
    tell(store, &(struct store_question){.kind = STORE_GONE});
    write_all(path_of("used.part"), whole, size / 2);
    export_to(store, path_of("used"));
    struct store *copy = store_memory();
    import_from(copy, path_of("used"));
    assert_null(copies_differ(store, copy));
    copy->close(copy);
    other->close(other);
    store->close(store);
    free(whole);
}

/* A store that fails after some groups, as if the power went off: before or after a group. */
struct weak {
    struct store store;
    struct store *inner;
    int left;
    bool after;
};

static enum store_outcome weak_answer(struct store *store, const struct store_pair *pair,
                                      size_t count)
{
    struct weak *weak = (struct weak *)store;
    bool fails = weak->left-- <= 0;
    enum store_outcome outcome = STORE_FAILED;
    if (!fails || weak->after)
        outcome = weak->inner->answer(weak->inner, pair, count);
    else
        for (size_t i = 0; i < count; i++)
            *pair[i].answer = (struct store_answer){.outcome = STORE_FAILED};
    if (fails && weak->after)
        for (size_t i = 0; i < count; i++) {
            free(pair[i].answer->memory);
            *pair[i].answer = (struct store_answer){.outcome = STORE_UNKNOWN};
        }
    return fails ? (weak->after ? STORE_UNKNOWN : STORE_FAILED) : outcome;
}

static const char *weak_fault(struct store *store)
{
    return ((struct weak *)store)->left < 0 ? "the power is off" : "";
}

/* Returns how often the store was left with a part. */
static int import_weakly(struct store *store, const char *path, uint64_t seed)
{
    struct es_random random;
    es_random_seed(&random, seed);
    int times = 0, partial = 0;
    for (bool is_done = false; !is_done; times++) {
        struct weak weak = {{weak_answer, NULL, weak_fault, false}, store, 0, false};
        struct transfer transfer = {.store = &weak.store};
        weak.left = (int)es_random_below(&random, 10 + (uint32_t)times / 4);
        weak.after = es_random_below(&random, 2);
        is_done = transfer_import(&transfer, path);
        if (!is_done)
            expect_fault(&transfer, "the power is off");
        partial += transfer_is_partial(store);
    }
    assert_true(times > 3);
    assert_false(transfer_is_partial(store));
    return partial;
}

static void an_import_that_was_cut_off_goes_on(void **state)
{
    (void)state;
    int partial = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct store *store = make_store(20 + seed % 5);
        int kind = seed % 10 == 0 && postgres_address ? POSTGRES : seed % 5 == 0 ? SQLITE : MEMORY;
        struct store *target = open_empty(kind);
        if (seed % 2) /* a server has been there, but nobody else */
            tell(target, &(struct store_question){.kind = STORE_ALIVE, .time = 77});
        export_to(store, path_of("weak"));
        partial += import_weakly(target, path_of("weak"), seed);
        export_to(target, path_of("weak2"));
        expect_same_files(path_of("weak"), path_of("weak2"));
        unlink(path_of("weak"));
        unlink(path_of("weak2"));
        store->close(store);
        target->close(target);
    }
    assert_true(partial > 20);
}

/* Rooms that a database has in part: an interruption between the two heads of a room, or between
 * the groups of a long one. */
static void a_room_that_is_there_in_part_is_completed(void **state)
{
    (void)state;
    struct store *store = make_store(31), *target = store_memory();
    export_to(store, path_of("part-room"));
    struct store_question read = {
        .kind = STORE_READ, .first = 1, .head = {.room = "zzzzzzzzzzzzzzzz"}};
    struct store_answer room = ask(store, &read);
    struct store_question guest = {.kind = STORE_PUT_GUEST, .guest = {.id = "zoe"}};
    static const struct store_pass pass = {
        .hash = {1, 2, 3}, .device = "0011aabb", .label = "Fire \\ fox", .time = 77};
    strcpy(guest.guest.name, "Zoë  Ü \\n");
    guest.pass = &pass;
    guest.passes = 1;
    tell(target, &guest);
    struct store_question append = {
        .kind = STORE_APPEND, .first = 1, .head = room.head, .entry = room.entry, .entries = 2};
    append.head.changed = 1234567890123;
    tell(target, &append);
    import_from(target, path_of("part-room"));
    assert_null(copies_differ(store, target));
    free(room.memory);
    store->close(store);
    target->close(target);
}

/* A store that confirms writes of one kind without doing them. */
struct liar {
    struct store store;
    struct store *inner;
    enum store_kind kind;
};

static enum store_outcome liar_answer(struct store *store, const struct store_pair *pair,
                                      size_t count)
{
    struct liar *liar = (struct liar *)store;
    for (size_t i = 0; i < count; i++) {
        if (pair[i].question->kind == liar->kind)
            *pair[i].answer = (struct store_answer){.outcome = STORE_STORED};
        else
            liar->inner->answer(liar->inner, &pair[i], 1);
    }
    return STORE_STORED;
}

static const char *no_fault(struct store *store)
{
    (void)store;
    return "";
}

static void what_is_not_stored_is_found_in_the_end(void **state)
{
    (void)state;
    static const enum store_kind kinds[] = {STORE_PUT_STATE, STORE_APPEND};
    struct store *store = make_store(35);
    export_to(store, path_of("lies"));
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct liar liar = {{liar_answer, NULL, no_fault, false}, store_memory(), kinds[i]};
        expect_import_refused(&liar.store, path_of("lies"), "the hash differs");
        liar.kind = STORE_KEY; /* which is not asked: it is honest now */
        import_from(&liar.store, path_of("lies"));
        assert_null(copies_differ(store, liar.inner));
        liar.inner->close(liar.inner);
    }
    store->close(store);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static void every_damage_is_found(void **state)
{
    (void)state;
    struct es_random random;
    struct store *store = make_store(3);
    size_t size;
    export_to(store, path_of("sound"));
    store->close(store);
    char *text = read_all(path_of("sound"), &size);
    es_random_seed(&random, 9);
    struct transfer transfer = {.store = NULL};
    for (int i = 0; i < 150; i++) {
        char *bad = malloc(size);
        memcpy(bad, text, size);
        uint32_t at = es_random_below(&random, (uint32_t)size);
        bad[at] = (char)(bad[at] ^ 1 << es_random_below(&random, 8));
        write_all(path_of("bad"), bad, size);
        free(bad);
        assert_false(transfer_check(&transfer, path_of("bad")));
        assert_non_null(strstr(transfer.fault, "line "));
        write_all(path_of("bad"), text, at); /* cut off */
        assert_false(transfer_check(&transfer, path_of("bad")));
        expect_fault(&transfer, "cut off");
    }
    write_all(path_of("bad"), text, size);
    FILE *file = fopen(path_of("bad"), "ab");
    fputs("\n", file);
    fclose(file);
    expect_check_refused(path_of("bad"), "something follows the end");
    free(text);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "line 1: the file is cut off"},
        {"Dear Ada,\n", "line 1: this is not a file of 'endstation export'"},
        {"endstation-export 2\n", "line 1: version 2 of the format; this program knows 1"},
        {"endstation-export 0\n", "not a file of"},
        {"endstation-export 1 \n", "not a file of"},
        {"endstation-export 1\nend 0 0 0 0 00\n", "line 2: it is malformed"},
        {"endstation-export 1\ngap 1 2\n", "line 2: it is out of order"},
        {"endstation-export 1\nstate 01 00\n", "line 2: it is malformed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char named[300];
        struct store *store = store_memory();
        write_all(path_of("case"), cases[i].text, strlen(cases[i].text));
        expect_check_refused(path_of("case"), cases[i].words);
        /* Changed after it was checked: the file is still named. */
        snprintf(named, sizeof named, "%s: line ", path_of("case"));
        expect_import_refused(store, path_of("case"), named);
        expect_check_refused(path_of("case"), named);
        store->close(store);
    }
    expect_check_refused(path_of("nowhere"), "No such file");
    expect_check_refused(postgres_folder, "this is not a file");
    char *line = malloc(ARCHIVE_LINE_BYTES + 1);
    memset(line, 'x', ARCHIVE_LINE_BYTES + 1);
    write_all(path_of("case"), line, ARCHIVE_LINE_BYTES + 1);
    expect_check_refused(path_of("case"), "line 1: it is too long");
    free(line);
}

#define STATE                                                                                      \
    "endstation-export 1\n"                                                                        \
    "state 5 0000000000000000000000000000000000000000000000000000000000000000\n"
#define HASH "000000000000000000000000000000000000000000000000000000000000000"

/* Lines after STATE that a reader refuses, and that it takes. */
static void lines_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool good;
    } cases[] = {
        {"gap 1 2\ngap 3 4\n", true},
        {"gap 1 2\ngap 1 4\n", false},
        {"gap 2 2\n", false},
        {"gap 1 9007199254740992\n", true},
        {"gap 1 9007199254740993\n", false},
        {"gap 1 2 \n", false},
        {"gap  1 2\n", false},
        {"guest a 3 Ada\nguest b 3 Bo\n", true},
        {"guest b 3 Ada\nguest a 3 Bo\n", false},
        {"guest a 3 Ada\nguest a 3 Bo\n", false},
        {"guest a 3 A\\td\n", false},
        {"guest a 3 \n", false},
        {"guest a 3 Ad\x7f\n", false},
        {"guest a 3 Ad\xff\n", false},
        {"guest ../a 3 Ad\n", false},
        {"guest - 3 Ad\n", false},
        {"guest a 256 Ad\n", false},
        {"guest a 3 Ad\ndevice d 5 " HASH "0 Firefox\nticket " HASH "1 4\n", true},
        {"guest a 3 Ad\nticket " HASH "1 4\ndevice d 5 " HASH "0 Firefox\n", false},
        {"guest a 3 Ad\nticket " HASH "1 4\nticket " HASH "1 4\n", false},
        {"guest a 3 Ad\nticket " HASH "1 4\nguest b 3 Bo\nticket " HASH "0 4\n", true},
        {"guest a 3 Ad\ndevice d 5 " HASH "0 X\ndevice d 5 " HASH "1 X\n", false},
        {"ticket " HASH "1 4\n", false},
        {"sheet ab 5 text\\n\n", true},
        {"sheet ab 5 \n", true},
        {"sheet ab 5\n", false},
        {"sheet gh 5 text\n", false},
        {"sheet ab 5 text\\x\n", false},
        {"sheet ab 5 text\\\n", false},
        {"sheet ab 5 te\txt\n", false},
        {"sheet ab 5 text\r\n", false},
        {"sheet ab 5 text\nguest a 3 Ada\n", false},
        {"room r A - open 0 - 0 5 \nentry 1 5 m 0 - - - text\n", true},
        {"room r A - open 0 - 0 5 \nentry 2 5 m 0 - - - text\n", false},
        {"room r A - open 0 - 0 5 \nentry 1 5 z 0 - - - text\n", false},
        {"room r A - open 0 - 0 5 \nentry 1 5 m 0 -1 - - text\n", false},
        {"room r A - open 0 - 0 5 \nentry 1 5 m 0 2147483648 - - text\n", false},
        {"room r A - open 0 - 0 5 \nentry 1 5 m 0 2147483647 a k text\n", true},
        {"room r A - open 0 - 0 5 \nentry 1 5 m 0 0 a k! text\n", false},
        {"room r A - open 7 - 0 5 \n", false},
        {"room r A - over 7 listed 3 5 a 1 Ada\\n\n", true},
        {"room r a - open 0 - 0 5 \n", false},
        {"room r A zz open 0 - 0 5 \n", false},
        {"room r A - done 0 - 0 5 \n", false},
        {"room /r A - open 0 - 0 5 \n", false},
        {"room R A - open 0 - 0 5 \n", false},
        {"room r23456789012345ab A - open 0 - 0 5 \n", false},
        {"entry 1 5 m 0 - - - text\n", false},
        {STATE, false},
        {"nothing\n", false},
        {"\n", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        snprintf(text, sizeof text, STATE "%s", cases[i].text);
        write_all(path_of("lines"), text, strlen(text));
        struct transfer transfer = {.store = NULL};
        assert_false(transfer_check(&transfer, path_of("lines")));
        bool good = strstr(transfer.fault, "cut off") != NULL;
        if (good != cases[i].good)
            fail_msg("%s%s", cases[i].text, transfer.fault);
        if (good) {
            finish(path_of("lines"));
            if (!transfer_check(&transfer, path_of("lines")))
                fail_msg("%s%s", cases[i].text, transfer.fault);
        }
    }
}

static void files_that_contradict_themselves_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"guest a 3 Ad\ndevice d 5 " HASH "0 X\nguest b 3 Bo\ndevice d 5 " HASH "0 X\n",
         "refuses 'b'"},
        {"room r A - open 0 - 0 5 \nroom s A - open 0 - 0 5 \n", "refuses 's'"},
        {"room r A - open 0 - 0 5 \nentry 1 5 e 1 0 - - x\nentry 2 5 e 1 0 - - x\n", "refuses 'r'"},
        {"room r A aa open 0 - 0 5 \n", "refuses 'r'"},
        {"room r A - open 0 - 0 5 a 3 Ada\\n\n", "room r has chat or people of guests who are not"},
        {"room r A - open 0 - 0 5 \nentry 1 5 C 0 - a k Hi\n", "room r has chat or people"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int kind = MEMORY; kind <= POSTGRES; kind++) {
            if (kind == POSTGRES && !postgres_address)
                continue;
            char text[2000];
            snprintf(text, sizeof text, STATE "%s", cases[i].text);
            write_all(path_of("against"), text, strlen(text));
            finish(path_of("against"));
            struct store *store = open_empty(kind);
            expect_import_refused(store, path_of("against"), cases[i].words);
            store->close(store);
        }
}

/* Changes a store that has everything of a file, or nothing, and expects that it is refused and
 * stays as it is. */
static void expect_other(int kind, bool is_full, const struct store_question *change,
                         const char *words)
{
    struct store *store = make_store(40), *target = open_empty(kind);
    unlink(path_of("own"));
    export_to(store, path_of("own"));
    if (is_full)
        import_from(target, path_of("own"));
    tell(target, change);
    unlink(path_of("before"));
    unlink(path_of("after"));
    export_to(target, path_of("before"));
    expect_import_refused(target, path_of("own"), words);
    export_to(target, path_of("after"));
    expect_same_files(path_of("before"), path_of("after"));
    store->close(store);
    target->close(target);
}

static void stores_with_something_else_are_refused(void **state)
{
    (void)state;
    const struct store_entry entry = {.kind = ENTRY_NEXT, .decision = -1, .text = es_str("x")};
    struct store_question room = {.kind = STORE_APPEND, .first = 1, .entry = &entry, .entries = 1};
    strcpy(room.head.room, "r");
    expect_other(MEMORY, false, &room, "it has room r. Import into an empty store");
    expect_other(SQLITE, true, &room, "it has room r");
    strcpy(room.head.room, "zzzzzzzzzzzzzzzz");
    room.first = 5;
    room.head.over = true;
    room.head.changed = 1234567899999;
    strcpy(room.head.code, "ABCD2345");
    room.head.people = es_str("zoe +7 Zoë  Ü \\n\n");
    expect_other(MEMORY, true, &room, "it has another room zzzzzzzzzzzzzzzz");
    room.entries = 0; /* only its head */
    room.head.wake = 7;
    expect_other(SQLITE, true, &room, "it has another room zzzzzzzzzzzzzzzz");
    struct store_question name = {.kind = STORE_GUEST, .guest = {.id = "zoe", .name = "Zoe"}};
    expect_other(MEMORY, true, &name, "it has another guest zoe");
    struct store_question guest = {.kind = STORE_PUT_GUEST, .guest = {.id = "zzz", .name = "Z"}};
    expect_other(SQLITE, false, &guest, "it has guest zzz");
    struct store_question ticket = {.kind = STORE_TICKET, .guest = {.id = "zoe"}, .time = 5};
    expect_other(MEMORY, true, &ticket, "it has another guest zoe");
    struct store_question withdraw = {.kind = STORE_WITHDRAW,
                                      .guest = {.id = "zoe", .device = "0011aabb"}};
    expect_other(MEMORY, true, &withdraw, "it has another guest zoe");
    struct store_question map = {
        .kind = STORE_MAP, .map = "ffffffffffffffffffffffffffffffff", .text = es_str("x")};
    expect_other(MEMORY, true, &map, "it has sheet ffffffffffffffffffffffffffffffff");
    struct store_question alive = {.kind = STORE_ALIVE, .time = 900000};
    expect_other(SQLITE, true, &alive, "a server has used it since");
    if (postgres_address)
        expect_other(POSTGRES, true, &alive, "a server has used it since");
}

/* ---- Servers --------------------------------------------------------------------------------- */

static void nothing_is_moved_while_a_server_runs(void **state)
{
    (void)state;
    struct store *store = make_store(50), *target = store_memory();
    struct transfer transfer = {.store = store, .now = 100000};
    export_to(store, path_of("quiet"));
    tell(store, &(struct store_question){.kind = STORE_ALIVE, .process = "aaa", .time = 99000});
    tell(target, &(struct store_question){.kind = STORE_ALIVE, .process = "bbb", .time = 99000});
    assert_false(transfer_export(&transfer, path_of("running")));
    expect_fault(&transfer, "1 server is using this store (process aaa): stop it first");
    assert_int_not_equal(access(path_of("running"), F_OK), 0);
    transfer.store = target;
    assert_false(transfer_import(&transfer, path_of("quiet")));
    expect_fault(&transfer, "1 server is using this store (process bbb)");
    tell(store, &(struct store_question){.kind = STORE_GONE, .process = "aaa"});
    transfer = (struct transfer){.store = store, .now = 100000};
    assert_true(transfer_export(&transfer, path_of("running")));
    transfer = (struct transfer){.store = target, .now = 99000 + STORE_AWAY_MS}; /* it was killed */
    assert_true(transfer_import(&transfer, path_of("quiet")));
    store->close(store);
    target->close(target);
}

/* Notes a server when the export has read something. */
static void start_server(void *context, const char *what, uint64_t done, uint64_t all)
{
    (void)what;
    (void)all;
    if (done == 3)
        tell(context, &(struct store_question){.kind = STORE_ALIVE, .time = 900000});
}

static void an_export_fails_if_a_server_starts_meanwhile(void **state)
{
    (void)state;
    struct store *store = make_store(51);
    struct transfer transfer = {.store = store, .progress = start_server, .context = store};
    assert_false(transfer_export(&transfer, path_of("disturbed")));
    expect_fault(&transfer, "a server has used the store meanwhile");
    assert_int_not_equal(access(path_of("disturbed"), F_OK), 0);
    export_to(store, path_of("disturbed"));
    store->close(store);
}

static void exports_overwrite_nothing(void **state)
{
    (void)state;
    struct store *store = make_store(52);
    struct transfer transfer = {.store = store};
    write_all(path_of("letter"), "Dear Ada", 8);
    assert_false(transfer_export(&transfer, path_of("letter")));
    expect_fault(&transfer, "File exists");
    size_t size;
    char *text = read_all(path_of("letter"), &size);
    assert_string_equal(text, "Dear Ada");
    free(text);
    /* What is there already is a success, as long as the store is the same. */
    export_to(store, path_of("there"));
    export_to(store, path_of("there"));
    tell(store, &(struct store_question){.kind = STORE_ALIVE, .time = 900000});
    assert_false(transfer_export(&transfer, path_of("there")));
    expect_fault(&transfer, "File exists");
    assert_false(transfer_export(&transfer, postgres_folder));
    expect_fault(&transfer, "File exists");
    assert_false(transfer_export(&transfer, path_of("no/folder")));
    expect_fault(&transfer, "No such file");
    store->close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_stores_give_the_same_file),
        cmocka_unit_test(an_empty_store_can_be_moved),
        cmocka_unit_test(many_rooms_and_long_ones_fit),
        cmocka_unit_test(the_largest_that_a_server_takes_can_be_moved),
        cmocka_unit_test(as_many_gaps_as_there_can_be_are_in_order),
        cmocka_unit_test(an_export_that_was_cut_off_goes_on),
        cmocka_unit_test(an_import_that_was_cut_off_goes_on),
        cmocka_unit_test(a_room_that_is_there_in_part_is_completed),
        cmocka_unit_test(what_is_not_stored_is_found_in_the_end),
        cmocka_unit_test(every_damage_is_found),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(lines_are_checked),
        cmocka_unit_test(files_that_contradict_themselves_are_refused),
        cmocka_unit_test(stores_with_something_else_are_refused),
        cmocka_unit_test(nothing_is_moved_while_a_server_runs),
        cmocka_unit_test(an_export_fails_if_a_server_starts_meanwhile),
        cmocka_unit_test(exports_overwrite_nothing),
    };
    return cmocka_run_group_tests(tests, postgres_make_folder, postgres_remove_folder);
}
