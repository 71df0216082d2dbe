/* Tests of both stores, in memory and in SQLite: the same questions have the same answers. */
#include "check.h"
#include "store/sqlite.h"
#include "store_questions.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[200];

/* A path in the folder of this test. */
static const char *path_of(const char *name)
{
    static char path[2][300];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int make_folder(void **state)
{
    (void)state;
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/endstation-store-XXXXXX", temporary ? temporary : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static struct store *open_with(const struct store_sqlite_options *options)
{
    char fault[STORE_FAULT_BYTES] = "";
    struct store *store = store_sqlite_open(options, fault);
    if (!store)
        fail_msg("%s", fault);
    return store;
}

static struct store *open_sqlite(const char *name)
{
    return open_with(&(struct store_sqlite_options){.path = path_of(name)});
}

/* Runs a test with each store. */
static void with_both(void (*test)(struct store *store))
{
    static int count;
    struct store *memory = store_memory();
    test(memory);
    memory->close(memory);
    char name[40];
    snprintf(name, sizeof name, "both%d", count++);
    struct store *store = open_sqlite(name);
    test(store);
    store->close(store);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

/* Asks one question in a group of its own. */
static struct store_answer ask(struct store *store, const struct store_question *question)
{
    struct store_answer answer;
    store->begin(store);
    store->ask(store, question, &answer);
    enum store_outcome outcome = store->commit(store);
    if (answer.outcome != STORE_REFUSED)
        assert_int_equal(outcome, STORE_STORED);
    assert_string_equal(store->fault(store), "");
    return answer;
}

static enum store_outcome outcome_of(struct store *store, const struct store_question *question)
{
    struct store_answer answer = ask(store, question);
    assert_null(answer.memory);
    return answer.outcome;
}

/* Reads a room; the caller frees the memory. */
static struct store_answer read_room(struct store *store, const char *room)
{
    struct store_question question = {.kind = STORE_READ, .first = 1};
    strcpy(question.head.room, room);
    return ask(store, &question);
}

static struct store_question append(const char *room, const char *code, uint64_t first,
                                    const struct store_entry *entry, size_t entries)
{
    struct store_question question = {
        .kind = STORE_APPEND, .first = first, .entry = entry, .entries = entries};
    strcpy(question.head.room, room);
    strcpy(question.head.code, code);
    return question;
}

/* Makes a guest with a device, whose token begins with `token`. */
static void make_guest(struct store *store, const char *id, const char *name, uint8_t token)
{
    struct store_question guest = {.kind = STORE_GUEST, .token = {token}};
    strcpy(guest.guest.id, id);
    strcpy(guest.guest.name, name);
    strcpy(guest.guest.device, "d1");
    strcpy(guest.label, "Firefox");
    assert_int_equal(outcome_of(store, &guest), STORE_STORED);
}

static void expect_entries(struct store *store, const char *room, size_t entries)
{
    struct store_answer answer = read_room(store, room);
    assert_int_equal(answer.entries, entries);
    free(answer.memory);
}

/* ---- Both stores ----------------------------------------------------------------------------- */

static void check_numbers(struct store *store)
{
    const struct store_entry entry[] = {
        {.time = 7, .kind = ENTRY_MADE, .decision = -1, .text = es_str("settings")},
        {.time = 8, .kind = ENTRY_MOVE, .seat = 2, .decision = 0, .text = es_str("1 A3")},
    };
    struct store_question question = append("room", "CODE", 1, entry, 2);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED); /* 1 and 2 are taken */
    question = append("room", "CODE", 2, entry, 1);
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    question.first = 4; /* 3 would be left out */
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    question.first = 0;
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    question.first = 3;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    struct store_answer answer = read_room(store, "room");
    assert_true(answer.found);
    assert_int_equal(answer.entries, 3);
    assert_int_equal(answer.entry[1].time, 8);
    assert_int_equal(answer.entry[1].kind, ENTRY_MOVE);
    assert_int_equal(answer.entry[1].seat, 2);
    assert_true(es_str_is(answer.entry[1].text, "1 A3"));
    free(answer.memory);
    struct store_question later = {.kind = STORE_READ, .first = 3};
    strcpy(later.head.room, "room");
    answer = ask(store, &later);
    assert_int_equal(answer.entries, 1);
    assert_true(es_str_is(answer.entry[0].text, "settings"));
    free(answer.memory);
    answer = read_room(store, "nowhere");
    assert_false(answer.found);
    free(answer.memory);
}

static void numbers_are_taken_once_and_leave_none_out(void **state)
{
    (void)state;
    with_both(check_numbers);
}

static void check_decisions(struct store *store)
{
    struct store_entry entry[2] = {
        {.kind = ENTRY_MOVE, .seat = 1, .decision = 0, .text = es_str("1 A")},
        {.kind = ENTRY_CLOCK, .seat = 2, .decision = 0, .text = es_str("2 A")},
    };
    struct store_question question = append("a", "A", 1, entry, 2);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    entry[0].decision = 1;
    entry[1].kind = ENTRY_BOT; /* the decision counts, whoever makes it */
    question = append("a", "A", 3, entry, 2);
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    expect_entries(store, "a", 2); /* nor is the first of the two there */
    entry[1].decision = 1;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    entry[0].decision = 2;
    entry[1] = entry[0]; /* the same decision twice in one batch */
    question.first = 5;
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    question = append("b", "B", 1, entry, 1); /* another room has decisions of its own */
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    entry[0].decision = entry[1].decision = -1; /* no decision: as often as you like */
    question = append("b", "B", 2, entry, 2);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
}

static void decisions_are_made_once(void **state)
{
    (void)state;
    with_both(check_decisions);
}

static void check_keys(struct store *store)
{
    struct store_entry entry[2] = {
        {.kind = ENTRY_SAT, .seat = 1, .decision = -1, .guest = "ada", .key = "k1"},
        {.kind = ENTRY_SAT, .seat = 2, .decision = -1, .guest = "bo", .key = "k1"},
    };
    struct store_question question = append("a", "A", 1, entry, 2);
    assert_int_equal(outcome_of(store, &question), STORE_STORED); /* keys are a guest's own */
    question = append("a", "A", 3, entry, 1);
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    strcpy(entry[0].key, "k2");
    entry[1] = entry[0];
    question.entries = 2;
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    expect_entries(store, "a", 2);
    question.entries = 1;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    question = append("b", "B", 1, entry, 1);
    assert_int_equal(outcome_of(store, &question), STORE_STORED); /* and a room's */
    entry[0].key[0] = '\0';
    entry[1] = entry[0];
    question = append("b", "B", 2, entry, 2);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
}

static void keys_are_used_once(void **state)
{
    (void)state;
    with_both(check_keys);
}

static void check_codes(struct store *store)
{
    struct store_question question = append("a", "SAME", 1, NULL, 0);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    struct store_question other = append("b", "SAME", 1, NULL, 0);
    assert_int_equal(outcome_of(store, &other), STORE_REFUSED);
    struct store_question find = {.kind = STORE_FIND};
    strcpy(find.head.code, "SAME");
    struct store_answer answer = ask(store, &find);
    assert_true(answer.found);
    assert_string_equal(answer.head.room, "a");
    free(answer.memory);
    question.head.over = true;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    answer = ask(store, &find);
    assert_false(answer.found);
    assert_int_equal(outcome_of(store, &other), STORE_STORED);
    answer = ask(store, &find);
    assert_string_equal(answer.head.room, "b");
    free(answer.memory);
    question.head.over = false; /* not back to life: the code is another's now */
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    struct store_question rooms = {.kind = STORE_ROOMS};
    answer = ask(store, &rooms);
    assert_int_equal(answer.rooms, 1);
    assert_string_equal(answer.heads[0].room, "b");
    free(answer.memory);
}

static void codes_are_unique_among_rooms_not_over(void **state)
{
    (void)state;
    with_both(check_codes);
}

/* The writes of a group that are refused leave nothing, the others stay. */
static void check_group(struct store *store)
{
    const struct store_entry entry = {.kind = ENTRY_MADE, .decision = -1};
    struct store_question question[] = {
        append("a", "A", 1, &entry, 1),
        append("b", "A", 1, &entry, 1), /* the code is taken in this very group */
        append("c", "C", 1, &entry, 1),
        append("a", "A", 1, &entry, 1),
        append("a", "A", 2, &entry, 1),
    };
    static const enum store_outcome outcome[] = {STORE_STORED, STORE_REFUSED, STORE_STORED,
                                                 STORE_REFUSED, STORE_STORED};
    store->begin(store);
    for (int i = 0; i < 5; i++) {
        struct store_answer answer;
        store->ask(store, &question[i], &answer);
        assert_int_equal(answer.outcome, outcome[i]);
    }
    assert_int_equal(store->commit(store), STORE_STORED);
    expect_entries(store, "a", 2);
    expect_entries(store, "b", 0);
    expect_entries(store, "c", 1);
}

static void refused_writes_leave_the_others_of_a_group(void **state)
{
    (void)state;
    with_both(check_group);
}

static void check_guests(struct store *store)
{
    struct store_question guest = {.kind = STORE_GUEST, .token = {1}, .time = 50};
    guest.guest = (struct store_guest){.id = "ada", .name = "Ada", .colour = 3, .device = "d1"};
    strcpy(guest.label, "Firefox");
    assert_int_equal(outcome_of(store, &guest), STORE_STORED);
    assert_int_equal(outcome_of(store, &guest), STORE_REFUSED); /* the token */
    guest.token[0] = 2;
    assert_int_equal(outcome_of(store, &guest), STORE_REFUSED); /* the device */
    guest.label[0] = '\0';
    strcpy(guest.guest.name, "Ada Lovelace");
    assert_int_equal(outcome_of(store, &guest), STORE_STORED); /* a new name alone */

    struct store_question who = {.kind = STORE_WHO, .token = {1}};
    struct store_answer answer = ask(store, &who);
    assert_true(answer.found);
    assert_string_equal(answer.guest.name, "Ada Lovelace");
    assert_string_equal(answer.guest.device, "d1");
    assert_int_equal(answer.guest.colour, 3);

    struct store_question ticket = {.kind = STORE_TICKET, .ticket = {9}, .time = 1000};
    strcpy(ticket.guest.id, "nobody");
    assert_int_equal(outcome_of(store, &ticket), STORE_REFUSED);
    strcpy(ticket.guest.id, "ada");
    assert_int_equal(outcome_of(store, &ticket), STORE_STORED);
    assert_int_equal(outcome_of(store, &ticket), STORE_REFUSED);

    struct store_question redeem = {.kind = STORE_REDEEM, .ticket = {9}, .token = {1}, .time = 999};
    strcpy(redeem.guest.device, "d2");
    strcpy(redeem.label, "Phone");
    assert_int_equal(outcome_of(store, &redeem), STORE_REFUSED); /* token taken; the ticket stays */
    redeem.token[0] = 3;
    redeem.time = 1000;
    assert_false(ask(store, &redeem).found); /* too late */
    redeem.time = 999;
    answer = ask(store, &redeem);
    assert_true(answer.found);
    assert_string_equal(answer.guest.id, "ada");
    assert_string_equal(answer.guest.name, "Ada Lovelace");
    assert_string_equal(answer.guest.device, "d2");
    redeem.token[0] = 4;
    strcpy(redeem.guest.device, "d3");
    assert_false(ask(store, &redeem).found); /* used up */

    struct store_question devices = {.kind = STORE_DEVICES};
    strcpy(devices.guest.id, "ada");
    answer = ask(store, &devices);
    assert_int_equal(answer.devices, 2);
    assert_string_equal(answer.device[0].label, "Firefox");
    assert_int_equal(answer.device[0].made, 50);
    assert_string_equal(answer.device[1].id, "d2");
    free(answer.memory);

    struct store_question withdraw = {.kind = STORE_WITHDRAW};
    withdraw.guest = (struct store_guest){.id = "ada", .device = "d1"};
    assert_true(ask(store, &withdraw).found);
    assert_false(ask(store, &withdraw).found);
    assert_false(ask(store, &who).found);
    who.token[0] = 3;
    assert_true(ask(store, &who).found);
}

static void guests_have_devices_and_tickets(void **state)
{
    (void)state;
    with_both(check_guests);
}

static void check_forget(struct store *store)
{
    make_guest(store, "ada", "Ada", 1);
    make_guest(store, "adam", "Adam", 7);
    make_guest(store, "bo", "ada", 8);
    struct store_question ticket = {.kind = STORE_TICKET, .ticket = {9}, .time = 1000};
    strcpy(ticket.guest.id, "ada");
    assert_int_equal(outcome_of(store, &ticket), STORE_STORED);
    const struct store_entry entry[] = {
        {.kind = ENTRY_CHAT, .decision = -1, .guest = "ada", .key = "k", .text = es_str("secret")},
        {.kind = ENTRY_CHAT, .decision = -1, .guest = "adam", .text = es_str("hello")},
        {.kind = ENTRY_MOVE, .decision = 0, .guest = "ada", .text = es_str("1 A")},
    };
    struct store_question question = append("a", "A", 1, entry, 3);
    question.head.people = es_str("adam 1 Adam\nada 3 Ada\nbo 2 ada\n");
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    question = append("b", "B", 1, NULL, 0);
    question.head.people = es_str("ada 3 Ada");
    assert_int_equal(outcome_of(store, &question), STORE_STORED);

    struct store_question forget = {.kind = STORE_FORGET};
    strcpy(forget.guest.id, "ada");
    assert_true(ask(store, &forget).found);
    assert_false(ask(store, &forget).found);
    struct store_answer answer = read_room(store, "a");
    assert_true(es_str_is(answer.head.people, "adam 1 Adam\nbo 2 ada\n"));
    assert_int_equal(answer.entries, 3);
    assert_int_equal(answer.entry[0].text.size, 0);
    assert_string_equal(answer.entry[0].key, "k");
    assert_true(es_str_is(answer.entry[1].text, "hello"));
    assert_true(es_str_is(answer.entry[2].text, "1 A"));
    free(answer.memory);
    answer = read_room(store, "b");
    assert_int_equal(answer.head.people.size, 0);
    free(answer.memory);
    struct store_question who = {.kind = STORE_WHO, .token = {1}};
    assert_false(ask(store, &who).found);
    struct store_question redeem = {.kind = STORE_REDEEM, .ticket = {9}, .token = {2}};
    strcpy(redeem.label, "Phone");
    assert_false(ask(store, &redeem).found);
    struct store_question devices = {.kind = STORE_DEVICES};
    strcpy(devices.guest.id, "ada");
    assert_false(ask(store, &devices).found);
}

static void forgotten_guests_leave_moves_alone(void **state)
{
    (void)state;
    with_both(check_forget);
}

/* What was on its way when its guest was forgotten. */
static void check_late(struct store *store)
{
    make_guest(store, "ada", "Ada", 1);
    make_guest(store, "bo", "Bo", 2);
    const struct store_entry entry[] = {
        {.kind = ENTRY_CHAT, .decision = -1, .guest = "ada", .key = "k", .text = es_str("secret")},
        {.kind = ENTRY_CHAT, .decision = -1, .guest = "bo", .text = es_str("hello")},
        {.kind = ENTRY_MOVE, .decision = 0, .guest = "ada", .text = es_str("1 A")},
    };
    struct store_question question = append("a", "A", 1, entry, 3);
    question.head.people = es_str("ada 3 Ada\nbo 2 Bo\n");
    struct store_question rename = {.kind = STORE_GUEST};
    rename.guest = (struct store_guest){.id = "ada", .name = "Ada Lovelace", .device = "d1"};
    assert_true(ask(store, &rename).found);
    assert_false(ask(store, &question).dropped);
    struct store_question forget = {.kind = STORE_FORGET};
    strcpy(forget.guest.id, "ada");
    assert_true(ask(store, &forget).found);

    assert_false(ask(store, &rename).found); /* no guest again */
    struct store_question ticket = {.kind = STORE_TICKET, .ticket = {9}, .time = 1000};
    strcpy(ticket.guest.id, "ada");
    assert_int_equal(outcome_of(store, &ticket), STORE_REFUSED);
    struct store_question next = append("b", "B", 1, entry, 3);
    next.head.people = question.head.people;
    struct store_answer answer = ask(store, &next);
    assert_int_equal(answer.outcome, STORE_STORED);
    assert_true(answer.dropped);
    struct store_question same = append("a", "A", 4, NULL, 0);
    same.head.people = question.head.people;
    assert_true(ask(store, &same).dropped); /* the head alone */
    same.head.people = es_str("bo 2 Bo\n");
    assert_false(ask(store, &same).dropped);
    same.first = 3;
    same.head.people = question.head.people;
    answer = ask(store, &same);
    assert_int_equal(answer.outcome, STORE_REFUSED);
    assert_false(answer.dropped);
    for (int i = 0; i < 2; i++) {
        answer = read_room(store, i ? "b" : "a");
        assert_true(es_str_is(answer.head.people, "bo 2 Bo\n"));
        assert_int_equal(answer.entries, 3);
        assert_int_equal(answer.entry[0].text.size, 0);
        assert_string_equal(answer.entry[0].key, "k");
        assert_true(es_str_is(answer.entry[1].text, "hello"));
        assert_true(es_str_is(answer.entry[2].text, "1 A"));
        free(answer.memory);
    }
}

static void nothing_of_a_forgotten_guest_is_written_later(void **state)
{
    (void)state;
    with_both(check_late);
}

static void check_mine(struct store *store)
{
    static const char *const people[] = {"ada +3 Ada\nbo 2 Bo\n", "bo +2 Bo\nada 3 +Ada\n",
                                         "ada +3 Ada\n", "ada +3 Ada\nbo +2 Bo\n"};
    make_guest(store, "ada", "Ada", 1);
    make_guest(store, "bo", "Bo", 2);
    for (int i = 0; i < 4; i++) {
        char room[16], code[16];
        snprintf(room, sizeof room, "room%d", i);
        snprintf(code, sizeof code, "CODE%d", i);
        struct store_question question = append(room, code, 1, NULL, 0);
        question.head.people = es_str(people[i]);
        question.head.changed = 100 + (uint64_t)i;
        question.head.over = i == 2;
        assert_int_equal(outcome_of(store, &question), STORE_STORED);
    }
    struct store_question mine = {.kind = STORE_MINE};
    strcpy(mine.guest.id, "ada"); /* not where she only wrote, nor what is over */
    struct store_answer answer = ask(store, &mine);
    assert_int_equal(answer.rooms, 2);
    assert_string_equal(answer.heads[0].room, "room3");
    assert_string_equal(answer.heads[1].room, "room0");
    assert_string_equal(answer.heads[1].code, "CODE0");
    free(answer.memory);
    strcpy(mine.guest.id, "bo");
    answer = ask(store, &mine);
    assert_int_equal(answer.rooms, 2);
    free(answer.memory);
    for (int i = 0; i < STORE_MINE_MAX + 5; i++) { /* those that have changed latest */
        char room[12];
        snprintf(room, sizeof room, "more%02d", i % 100);
        struct store_question question = append(room, "", 1, NULL, 0);
        question.head.people = es_str("bo +2 Bo\n");
        question.head.changed = 200 + (uint64_t)i;
        assert_int_equal(outcome_of(store, &question), STORE_STORED);
    }
    answer = ask(store, &mine);
    assert_int_equal(answer.rooms, STORE_MINE_MAX);
    assert_string_equal(answer.heads[0].room, "more44");
    assert_string_equal(answer.heads[STORE_MINE_MAX - 1].room, "more05");
    free(answer.memory);
    strcpy(mine.guest.id, "nobody");
    assert_int_equal(ask(store, &mine).rooms, 0);
}

static void a_guest_finds_the_rooms_where_they_sit_or_host(void **state)
{
    (void)state;
    with_both(check_mine);
}

static void check_clean(struct store *store)
{
    make_guest(store, "ada", "Ada", 1);
    const struct store_entry entry = {
        .kind = ENTRY_CHAT, .decision = -1, .guest = "ada", .text = es_str("hello")};
    struct store_question question = append("a", "A", 1, &entry, 1);
    question.head.over = true;
    question.head.changed = 100;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    question.first = 2; /* chat after the end does not make it live longer */
    question.head.changed = 500;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    question = append("b", "B", 1, &entry, 1);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    struct store_question clean = {.kind = STORE_CLEAN, .time = 100};
    assert_int_equal(outcome_of(store, &clean), STORE_STORED);
    struct store_answer answer = read_room(store, "a");
    assert_true(es_str_is(answer.entry[0].text, "hello"));
    free(answer.memory);
    clean.time = 101;
    assert_int_equal(outcome_of(store, &clean), STORE_STORED);
    answer = read_room(store, "a");
    assert_int_equal(answer.entries, 2);
    assert_int_equal(answer.entry[0].text.size, 0);
    assert_int_equal(answer.entry[1].text.size, 0);
    free(answer.memory);
    answer = read_room(store, "b"); /* not over */
    assert_true(es_str_is(answer.entry[0].text, "hello"));
    free(answer.memory);
}

static void chat_is_deleted_some_time_after_the_end(void **state)
{
    (void)state;
    with_both(check_clean);
}

static void check_maps(struct store *store)
{
    struct store_question map = {.kind = STORE_MAP, .text = es_str("a sheet")};
    strcpy(map.map, "0123456789abcdef0123456789abcdef");
    assert_int_equal(outcome_of(store, &map), STORE_STORED);
    assert_int_equal(outcome_of(store, &map), STORE_STORED);
    map.text = es_str("another");
    assert_int_equal(outcome_of(store, &map), STORE_REFUSED);
    struct store_question sheet = {.kind = STORE_SHEET};
    strcpy(sheet.map, map.map);
    struct store_answer answer = ask(store, &sheet);
    assert_true(answer.found && es_str_is(answer.map, "a sheet"));
    free(answer.memory);
    strcpy(sheet.map, "no such map");
    assert_false(ask(store, &sheet).found);
    struct store_question question = append("a", "A", 1, NULL, 0);
    strcpy(question.head.map, map.map);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    answer = read_room(store, "a");
    assert_true(es_str_is(answer.map, "a sheet"));
    free(answer.memory);
}

static void sheets_are_kept_by_their_hash(void **state)
{
    (void)state;
    with_both(check_maps);
}

static bool sheet_is_there(struct store *store, const char *hash)
{
    struct store_question sheet = {.kind = STORE_SHEET};
    strcpy(sheet.map, hash);
    struct store_answer answer = ask(store, &sheet);
    bool is_there = answer.found;
    free(answer.memory);
    return is_there;
}

/* Sheets that no room names are deleted some time after they were last handed in. */
static void check_sheets_clean(struct store *store)
{
    static const char *const name[] = {"named", "early", "again", "late"};
    for (int i = 0; i < 4; i++) {
        struct store_question map = {
            .kind = STORE_MAP, .text = es_str("a sheet"), .time = i < 3 ? 100 : 200};
        strcpy(map.map, name[i]);
        assert_int_equal(outcome_of(store, &map), STORE_STORED);
        map.time = 200;
        if (i == 2)
            assert_int_equal(outcome_of(store, &map), STORE_STORED);
    }
    struct store_question question = append("a", "A", 1, NULL, 0);
    strcpy(question.head.map, "named");
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    question.head.over = true; /* its record needs the sheet */
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    struct store_question clean = {.kind = STORE_CLEAN, .first = 100};
    assert_int_equal(outcome_of(store, &clean), STORE_STORED);
    assert_true(sheet_is_there(store, "early"));
    clean.first = 200;
    assert_int_equal(outcome_of(store, &clean), STORE_STORED);
    assert_true(sheet_is_there(store, "named"));
    assert_false(sheet_is_there(store, "early"));
    assert_true(sheet_is_there(store, "again"));
    assert_true(sheet_is_there(store, "late"));
    /* No room is made with a sheet that has been deleted meanwhile. */
    question = append("b", "B", 1, NULL, 0);
    strcpy(question.head.map, "early");
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    struct store_answer answer = read_room(store, "b");
    assert_false(answer.found);
    free(answer.memory);
}

static void sheets_that_no_room_names_are_deleted(void **state)
{
    (void)state;
    with_both(check_sheets_clean);
}

static void check_gaps(struct store *store)
{
    const uint64_t day = UINT64_C(24) * 3600 * 1000;
    struct store_question rooms = {.kind = STORE_ROOMS};
    struct store_answer answer = ask(store, &rooms);
    assert_int_equal(answer.gaps, 0);
    free(answer.memory);
    static const uint64_t times[][2] = {{0, 100}, {100, 150}, {100, 170}, {170, 170}, {0, 200}};
    for (int i = 0; i < 5; i++) {
        struct store_question alive = {
            .kind = STORE_ALIVE, .first = times[i][0], .time = times[i][1]};
        assert_int_equal(outcome_of(store, &alive), STORE_STORED);
    }
    answer = ask(store, &rooms);
    assert_int_equal(answer.gaps, 2);
    assert_int_equal(answer.gap[0].from, 100);
    assert_int_equal(answer.gap[0].to, 170);
    assert_int_equal(answer.gap[1].from, 200);
    assert_int_equal(answer.gap[1].to, 0);
    free(answer.memory);
    struct store_question alive = {.kind = STORE_ALIVE, .time = 169 + 30 * day};
    assert_int_equal(outcome_of(store, &alive), STORE_STORED);
    answer = ask(store, &rooms);
    assert_int_equal(answer.gaps, 2);
    free(answer.memory);
    alive.time++;
    assert_int_equal(outcome_of(store, &alive), STORE_STORED);
    answer = ask(store, &rooms);
    assert_int_equal(answer.gaps, 1);
    free(answer.memory);
}

static void gaps_are_remembered_for_thirty_days(void **state)
{
    (void)state;
    with_both(check_gaps);
}

/* ---- Both stores against each other ---------------------------------------------------------- */

static void same(const char *what, uint64_t seed, int step, enum store_kind kind)
{
    if (what)
        fail_msg("seed %d, step %d, kind %d: %s", (int)seed, step, kind, what);
}

/* Asks both stores the same random questions, in groups of random size. */
static void compare(uint64_t seed, int groups, int counts[STORE_ROOMS + 1][2], int *dropped)
{
    static struct asker asker;
    char name[40];
    snprintf(name, sizeof name, "random%d", (int)seed);
    /* No disk fails here, so it need not be waited for. */
    struct store_sqlite_options options = {.path = path_of(name), .synchronous = "OFF"};
    struct store *model = store_memory(), *store = open_with(&options);
    asker_begin(&asker, seed);
    int step = 0;
    for (int i = 0; i < groups; i++) {
        model->begin(model);
        store->begin(store);
        for (int left = 1 + (int)es_random_below(&asker.random, 12); left; left--) {
            const struct store_question *question = asker_next(&asker, model);
            struct store_answer a, b;
            model->ask(model, question, &a);
            store->ask(store, question, &b);
            same(answers_differ(&a, &b), seed, step++, question->kind);
            counts[question->kind][a.outcome == STORE_REFUSED]++;
            *dropped += a.dropped;
            free(a.memory);
            free(b.memory);
        }
        assert_int_equal(model->commit(model), STORE_STORED);
        assert_int_equal(store->commit(store), STORE_STORED);
        if (i % 100 == 99) {
            store->close(store);
            store = open_with(&options);
            struct store *copy = store_memory_copy(model);
            model->close(model);
            model = copy;
            same(stores_differ(model, store), seed, step, STORE_ROOMS);
        }
    }
    store->close(store);
    model->close(model);
}

static void random_questions_have_the_same_answers(void **state)
{
    (void)state;
    int counts[STORE_ROOMS + 1][2] = {{0}}, dropped = 0; /* by kind: answered, refused */
    for (uint64_t seed = 1; seed <= 8; seed++)
        compare(seed, 300, counts, &dropped);
    assert_true(dropped > 0);
    for (int i = 0; i <= STORE_ROOMS; i++)
        assert_true(counts[i][0] > 0);
    assert_true(counts[STORE_APPEND][1] && counts[STORE_GUEST][1] && counts[STORE_TICKET][1] &&
                counts[STORE_REDEEM][1] && counts[STORE_MAP][1]);
}

/* ---- Files ----------------------------------------------------------------------------------- */

static void expect_refused(const char *name, const char *words)
{
    char fault[STORE_FAULT_BYTES] = "";
    assert_null(store_sqlite(path_of(name), fault));
    if (!strstr(fault, words))
        fail_msg("'%s' instead of '%s'", fault, words);
}

static unsigned mode_of(const char *name)
{
    struct stat status;
    assert_int_equal(stat(path_of(name), &status), 0);
    return status.st_mode & 0777;
}

static void files_are_for_their_owner_alone(void **state)
{
    (void)state;
    mode_t before = umask(022);
    struct store *store = open_sqlite("new/deep/data");
    struct store_question question = append("a", "A", 1, NULL, 0);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    assert_int_equal(mode_of("new"), 0700);
    assert_int_equal(mode_of("new/deep"), 0700);
    assert_int_equal(mode_of("new/deep/data"), 0600);
    assert_int_equal(mode_of("new/deep/data-wal"), 0600);
    assert_int_equal(mode_of("new/deep/data-shm"), 0600);
    assert_int_equal(mode_of("new/deep/data.lock"), 0600);
    store->close(store);
    umask(before);
}

static void a_second_server_is_refused_and_told_of_the_first(void **state)
{
    (void)state;
    struct store *store = open_sqlite("locked");
    char words[60];
    snprintf(words, sizeof words, "another server (process %ld) uses ", (long)getpid());
    expect_refused("locked", words);
    store->close(store);
    store = open_sqlite("locked");
    store->close(store);
}

static void run_sql(const char *name, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path_of(name), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

/* A database of the first version: its sheets count as old. */
static void older_databases_are_brought_up_to_date(void **state)
{
    (void)state;
    struct store *store = open_sqlite("older");
    for (int i = 0; i < 2; i++) {
        struct store_question map = {.kind = STORE_MAP, .text = es_str("a sheet"), .time = 900};
        strcpy(map.map, i ? "named" : "old");
        assert_int_equal(outcome_of(store, &map), STORE_STORED);
    }
    struct store_question question = append("a", "A", 1, NULL, 0);
    strcpy(question.head.map, "named");
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    store->close(store);
    run_sql("older", "DROP INDEX map_kept; DROP INDEX room_map; ALTER TABLE map DROP COLUMN kept;"
                     "PRAGMA user_version = 1");
    store = open_sqlite("older");
    struct store_question clean = {.kind = STORE_CLEAN, .first = 800};
    assert_int_equal(outcome_of(store, &clean), STORE_STORED);
    assert_false(sheet_is_there(store, "old"));
    assert_true(sheet_is_there(store, "named"));
    store->close(store);
}

static void other_databases_are_refused(void **state)
{
    (void)state;
    struct store *store = open_sqlite("newer");
    store->close(store);
    run_sql("newer", "PRAGMA user_version = 1000");
    expect_refused("newer", "was written by a newer Endstation (version 1000 of the tables");
    run_sql("foreign", "CREATE TABLE x (y)");
    expect_refused("foreign", "is a database of another program");
    FILE *file = fopen(path_of("letter"), "w");
    fputs("Dear Ada, this is not a database, and it is long enough to be one. Yours, Bo.", file);
    for (int i = 0; i < 100; i++)
        fputs("It is rather long, in fact.\n", file);
    fclose(file);
    expect_refused("letter", "not a database");
    assert_int_equal(mkdir(path_of("folder"), 0700), 0);
    expect_refused("folder", "cannot open");
    file = fopen(path_of("plain"), "w");
    fclose(file);
    expect_refused("plain/data", "cannot make the folder");
}

static void backups_are_whole_and_overwrite_nothing(void **state)
{
    (void)state;
    char source[300], fault[STORE_FAULT_BYTES] = "";
    static struct asker asker;
    struct store *model = store_memory(), *store = open_sqlite("source"), *copy;
    strcpy(source, path_of("source"));
    asker_begin(&asker, 99);
    for (int i = 0; i < 30; i++) {
        store->begin(store);
        for (int k = 0; k < 10; k++) {
            const struct store_question *question = asker_next(&asker, model);
            struct store_answer answer;
            store->ask(store, question, &answer);
            free(answer.memory);
            model->ask(model, question, &answer);
            free(answer.memory);
        }
        assert_int_equal(store->commit(store), STORE_STORED);
        if (i == 20) { /* while it is in use, its log and all */
            assert_true(store_backup(source, path_of("early"), fault));
            assert_false(store_backup(source, path_of("early"), fault));
            assert_non_null(strstr(fault, "File exists"));
            copy = open_sqlite("early");
            assert_null(stores_differ(model, copy));
            copy->close(copy);
        }
    }
    store->close(store);
    assert_true(store_backup(source, path_of("late"), fault));
    assert_int_equal(mode_of("late"), 0600);
    copy = open_sqlite("late");
    assert_null(stores_differ(model, copy));
    copy->close(copy);
    assert_int_not_equal(access(path_of("late.part"), F_OK), 0);
    assert_false(store_backup(path_of("nothing"), path_of("never"), fault));
    assert_false(store_backup(source, path_of("no/folder"), fault));
    assert_int_not_equal(access(path_of("never"), F_OK), 0);
    model->close(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_taken_once_and_leave_none_out),
        cmocka_unit_test(decisions_are_made_once),
        cmocka_unit_test(keys_are_used_once),
        cmocka_unit_test(codes_are_unique_among_rooms_not_over),
        cmocka_unit_test(refused_writes_leave_the_others_of_a_group),
        cmocka_unit_test(guests_have_devices_and_tickets),
        cmocka_unit_test(forgotten_guests_leave_moves_alone),
        cmocka_unit_test(nothing_of_a_forgotten_guest_is_written_later),
        cmocka_unit_test(a_guest_finds_the_rooms_where_they_sit_or_host),
        cmocka_unit_test(chat_is_deleted_some_time_after_the_end),
        cmocka_unit_test(sheets_are_kept_by_their_hash),
        cmocka_unit_test(sheets_that_no_room_names_are_deleted),
        cmocka_unit_test(gaps_are_remembered_for_thirty_days),
        cmocka_unit_test(random_questions_have_the_same_answers),
        cmocka_unit_test(files_are_for_their_owner_alone),
        cmocka_unit_test(a_second_server_is_refused_and_told_of_the_first),
        cmocka_unit_test(older_databases_are_brought_up_to_date),
        cmocka_unit_test(other_databases_are_refused),
        cmocka_unit_test(backups_are_whole_and_overwrite_nothing),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
