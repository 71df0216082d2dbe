/* Tests of all stores, in memory, in SQLite and in PostgreSQL: the same questions have the same
 * answers. */
#include "check.h"
#include "postgres.h"
#include "store/sqlite.h"
#include "store_questions.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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

static struct store *open_postgres(void)
{
    char fault[STORE_FAULT_BYTES] = "";
    struct store *store = store_postgres(postgres_address, fault);
    if (!store)
        fail_msg("%s", fault);
    return store;
}

/* Runs a test with each store. */
static void with_each(void (*test)(struct store *store))
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
    if (!postgres_address)
        return;
    postgres_empty(postgres_address);
    store = open_postgres();
    test(store);
    store->close(store);
}

/* ---- Asking ---------------------------------------------------------------------------------- */

/* Asks one question in a group of its own. */
static struct store_answer ask(struct store *store, const struct store_question *question)
{
    struct store_answer answer;
    struct store_pair pair = {question, &answer};
    assert_int_equal(store->answer(store, &pair, 1), STORE_STORED);
    if (answer.outcome != STORE_REFUSED)
        assert_int_equal(answer.outcome, STORE_STORED);
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

/* ---- All stores ------------------------------------------------------------------------------ */

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
    with_each(check_numbers);
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
    with_each(check_decisions);
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
    with_each(check_keys);
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
}

static void codes_are_unique_among_rooms_not_over(void **state)
{
    (void)state;
    with_each(check_codes);
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
    struct store_answer answer[5];
    struct store_pair pair[5];
    for (int i = 0; i < 5; i++)
        pair[i] = (struct store_pair){&question[i], &answer[i]};
    assert_int_equal(store->answer(store, pair, 5), STORE_STORED);
    for (int i = 0; i < 5; i++)
        assert_int_equal(answer[i].outcome, outcome[i]);
    expect_entries(store, "a", 2);
    expect_entries(store, "b", 0);
    expect_entries(store, "c", 1);
}

static void refused_writes_leave_the_others_of_a_group(void **state)
{
    (void)state;
    with_each(check_group);
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
    assert_true(answer.found);
    assert_string_equal(answer.guest.id, "ada");
    assert_string_equal(answer.guest.name, "Ada Lovelace");
    assert_int_equal(answer.guest.colour, 3);
    assert_string_equal(answer.guest.device, "");
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

static struct store_question redeem_number(int number)
{
    struct store_question redeem = {
        .kind = STORE_REDEEM, .ticket = {9, (uint8_t)number}, .token = {7, (uint8_t)number}};
    snprintf(redeem.guest.device, sizeof redeem.guest.device, "r%d", number);
    strcpy(redeem.label, "Phone");
    return redeem;
}

static size_t count_devices(struct store *store, const char *guest)
{
    struct store_question devices = {.kind = STORE_DEVICES};
    strcpy(devices.guest.id, guest);
    struct store_answer answer = ask(store, &devices);
    free(answer.memory);
    return answer.devices;
}

/* A guest has at most STORE_DEVICES_MAX devices, and as many tickets: the latest. Who had more
 * devices before there was a limit keeps them. */
static void check_guest_limits(struct store *store)
{
    struct store_pass pass[40] = {{{0}, "", "", "", 0}};
    for (int i = 0; i < 40; i++) {
        pass[i].hash[0] = (uint8_t)(100 + i);
        snprintf(pass[i].device, sizeof pass[i].device, "d%02d", i % 100);
        strcpy(pass[i].label, "?");
    }
    struct store_question put = {.kind = STORE_PUT_GUEST, .pass = pass, .passes = 40};
    put.guest = (struct store_guest){.id = "ada", .name = "Ada"};
    assert_int_equal(outcome_of(store, &put), STORE_STORED);
    struct store_question ticket = {.kind = STORE_TICKET, .guest = {.id = "ada"}};
    for (int i = 0; i < STORE_TICKETS_MAX + 8; i++) {
        ticket.ticket[0] = 9;
        ticket.ticket[1] = (uint8_t)i;
        ticket.time = 1000 + (uint64_t)i / 2;
        assert_int_equal(outcome_of(store, &ticket), STORE_STORED);
    }
    assert_int_equal(outcome_of(store, &ticket), STORE_REFUSED); /* it is there already */
    struct store_question page = {.kind = STORE_PAGE_GUESTS};
    struct store_answer answer = ask(store, &page);
    assert_int_equal(answer.passes, 40 + STORE_TICKETS_MAX);
    for (int i = 0; i < STORE_TICKETS_MAX; i++)
        assert_int_equal(answer.pass[40 + i].hash[1], 8 + i);
    free(answer.memory);
    struct store_question redeem = redeem_number(3);
    assert_false(ask(store, &redeem).found); /* it is gone */
    redeem = redeem_number(20);
    struct store_question withdraw = {.kind = STORE_WITHDRAW, .guest = {.id = "ada"}};
    for (size_t left = 40; left >= STORE_DEVICES_MAX; left--) {
        assert_int_equal(outcome_of(store, &redeem), STORE_REFUSED);
        assert_int_equal(count_devices(store, "ada"), left);
        snprintf(withdraw.guest.device, sizeof withdraw.guest.device, "d%02d", (int)left - 1);
        assert_true(ask(store, &withdraw).found);
    }
    assert_true(ask(store, &redeem).found);
    assert_int_equal(count_devices(store, "ada"), STORE_DEVICES_MAX);
    redeem = redeem_number(21);
    assert_int_equal(outcome_of(store, &redeem), STORE_REFUSED);
}

static void guests_have_a_bounded_number_of_devices_and_tickets(void **state)
{
    (void)state;
    with_each(check_guest_limits);
}

static void guests_have_devices_and_tickets(void **state)
{
    (void)state;
    with_each(check_guests);
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
    with_each(check_forget);
}

/* Questions about a guest that come after STORE_FORGET write nothing of theirs. */
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

    assert_false(ask(store, &rename).found); /* it makes no new guest */
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
    with_each(check_late);
}

static void check_mine(struct store *store)
{
    static const char *const people[] = {"ada +3 Ada\nbo 2 Bo\n", "bo +2 Bo\nada 3 +Ada\n",
                                         "ada +3 Ada\n", "ada +3 Ada\nbo +2 Bo\n"};
    make_guest(store, "ada", "Ada", 1);
    make_guest(store, "bo", "Bo", 2);
    for (int i = 0; i < 4; i++) {
        char room[20], code[20];
        snprintf(room, sizeof room, "room%d", i);
        snprintf(code, sizeof code, "CODE%d", i);
        struct store_question question = append(room, code, 1, NULL, 0);
        question.head.people = es_str(people[i]);
        question.head.changed = 100 + (uint64_t)i;
        question.head.over = i == 2;
        assert_int_equal(outcome_of(store, &question), STORE_STORED);
    }
    struct store_question mine = {.kind = STORE_MINE};
    strcpy(mine.guest.id, "ada"); /* neither rooms where she only wrote, nor finished ones */
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
    with_each(check_mine);
}

static bool is_done(struct store *store, const struct store_question *question)
{
    struct store_answer answer = ask(store, question);
    free(answer.memory);
    return answer.found;
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
    struct store_question other = append("b", "B", 1, &entry, 1);
    assert_int_equal(outcome_of(store, &other), STORE_STORED);
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
    question.first = 3; /* nor is later chat kept */
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    assert_int_equal(outcome_of(store, &clean), STORE_STORED);
    answer = read_room(store, "a");
    assert_int_equal(answer.entries, 3);
    assert_int_equal(answer.entry[2].text.size, 0);
    free(answer.memory);
    answer = read_room(store, "b"); /* not over */
    assert_true(es_str_is(answer.entry[0].text, "hello"));
    free(answer.memory);
}

static void chat_is_deleted_some_time_after_the_end(void **state)
{
    (void)state;
    with_each(check_clean);
}

/* Rooms that were over at 1000, 1001 and so on, but made in another order. */
static void check_clean_in_steps(struct store *store)
{
    enum { ROOMS = STORE_CLEAN_MAX + 10 };
    const struct store_entry entry = {
        .kind = ENTRY_CHAT, .decision = -1, .guest = "ada", .text = es_str("hello")};
    make_guest(store, "ada", "Ada", 1);
    for (int i = 0; i < ROOMS; i++) {
        char id[8], code[8];
        int at = i * 7 % ROOMS;
        snprintf(id, sizeof id, "r%02d", at);
        snprintf(code, sizeof code, "R%02d", at);
        struct store_question question = append(id, code, 1, &entry, 1);
        question.head.over = true;
        question.head.changed = 1000 + (uint64_t)at;
        assert_int_equal(outcome_of(store, &question), STORE_STORED);
    }
    struct store_question clean = {.kind = STORE_CLEAN, .time = 1000 + ROOMS - 1};
    for (int step = 0; step < 2; step++) {
        assert_int_equal(is_done(store, &clean), step == 0);
        int cleaned = step == 0 ? STORE_CLEAN_MAX : ROOMS - 1;
        for (int i = 0; i < ROOMS; i++) {
            char id[16];
            snprintf(id, sizeof id, "r%02d", i);
            struct store_answer answer = read_room(store, id);
            assert_int_equal(answer.entry[0].text.size, i < cleaned ? 0 : 5);
            free(answer.memory);
        }
    }
}

static void chat_is_deleted_in_steps_the_oldest_first(void **state)
{
    (void)state;
    with_each(check_clean_in_steps);
}

/* ---- What is old ----------------------------------------------------------------------------- */

/* Ends a room of two entries. */
static void make_ending(struct store *store, const char *room, uint64_t time)
{
    const struct store_entry entry = {.kind = ENTRY_CHAT, .decision = -1};
    struct store_question question = append(room, room, 3, &entry, 1);
    question.head.people = es_str("bo +1 Bo\n");
    question.head.changed = time;
    question.head.over = true;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
}

/* Makes a room that is over since `time`, or not over if that is 0. */
static void make_old(struct store *store, const char *room, uint64_t time, enum entry_kind kind)
{
    const struct store_entry entry[] = {
        {.kind = ENTRY_MADE, .decision = -1},
        {.kind = (uint8_t)kind, .decision = -1, .guest = "bo", .key = "key"}};
    struct store_question question = append(room, room, 1, entry, 2);
    question.head.people = es_str("bo +1 Bo\n");
    question.head.changed = 1;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    if (time)
        make_ending(store, room, time);
}

/* Expects that the rooms in `rooms`, and then the guests in `guests`, are listed as old. */
static void expect_old(struct store *store, const struct store_question *question,
                       const char *rooms, const char *guests)
{
    char found[400] = "", names[400] = "";
    struct store_answer answer = ask(store, question);
    for (size_t i = 0; i < answer.rooms; i++) {
        strcat(strcat(found, answer.heads[i].room), " ");
        assert_true(answer.heads[i].since > 0);
    }
    for (size_t i = 0; i < answer.owners; i++)
        strcat(strcat(names, answer.owner[i].id), " ");
    free(answer.memory);
    assert_string_equal(found, rooms);
    assert_string_equal(names, guests);
}

static void check_old_rooms(struct store *store)
{
    struct store_question old = {.kind = STORE_OLD};
    struct store_question delete = {.kind = STORE_DELETE};
    make_guest(store, "bo", "Bo", 1);
    make_old(store, "wait", 0, ENTRY_SAT);
    make_old(store, "play", 0, ENTRY_BEGIN);
    make_old(store, "shut2", 200, ENTRY_SAT);
    make_old(store, "shut1", 100, ENTRY_SAT);
    make_old(store, "end3", 300, ENTRY_BEGIN);
    make_old(store, "end2b", 200, ENTRY_BEGIN);
    make_old(store, "end2a", 200, ENTRY_BEGIN);
    expect_old(store, &old, "", "");
    old.old = (struct store_old){.rooms = 200, .games = 300};
    expect_old(store, &old, "shut1 end2a end2b ", "");
    old.old = (struct store_old){.rooms = 1000, .games = 1000};
    expect_old(store, &old, "shut1 shut2 end2a end2b end3 ", "");
    old.head.since = 200;
    strcpy(old.head.room, "end2a");
    expect_old(store, &old, "shut1 shut2 end2b end3 ", "");

    strcpy(delete.head.room, "play"); /* not over */
    assert_false(is_done(store, &delete));
    expect_entries(store, "play", 2);
    delete.even_open = true;
    assert_true(is_done(store, &delete));
    assert_false(read_room(store, "play").found);
    delete.even_open = false;
    strcpy(delete.head.room, "end2a");
    assert_true(is_done(store, &delete));
    assert_false(is_done(store, &delete));
    struct store_answer answer = read_room(store, "end2a");
    assert_false(answer.found);
    struct store_question mine = {.kind = STORE_PAGE_MINE, .guest.id = "bo"};
    answer = ask(store, &mine);
    assert_int_equal(answer.rooms, 5);
    assert_string_equal(answer.heads[0].room, "end2b");
    assert_true(es_str_is(answer.heads[0].people, "bo +1 Bo\n"));
    free(answer.memory);
    /* Nothing of it is left: the same id, code, keys and numbers can be used again. */
    make_old(store, "end2a", 400, ENTRY_SAT);
    make_old(store, "play", 0, ENTRY_BEGIN);
    old.head.since = 0;
    expect_old(store, &old, "shut1 shut2 end2a end2b end3 ", "");
}

static void rooms_that_were_over_long_ago_are_deleted(void **state)
{
    (void)state;
    with_each(check_old_rooms);
}

static void see(struct store *store, const char *guest, uint64_t time)
{
    struct store_question seen = {.kind = STORE_SEEN, .time = time};
    strcpy(seen.guest.id, guest);
    assert_int_equal(outcome_of(store, &seen), STORE_STORED);
}

static void check_old_guests(struct store *store)
{
    static const char *const names[] = {"ann", "bo", "cy"};
    struct store_question old = {.kind = STORE_OLD}, who = {.kind = STORE_WHO, .token = {1}};
    struct store_question forget = {.kind = STORE_FORGET, .time = 500};
    for (uint8_t i = 0; i < 3; i++)
        make_guest(store, names[i], names[i], i + 1); /* seen at 0 */
    see(store, "ann", 500);
    see(store, "ann", 300); /* a process whose clock is behind */
    see(store, "cy", 100);
    see(store, "nobody", 100);
    struct store_answer answer = ask(store, &who);
    assert_int_equal(answer.guest.seen, 500);
    free(answer.memory);
    old.old.guests = 100;
    expect_old(store, &old, "", "bo ");
    old.old.guests = 501;
    expect_old(store, &old, "", "bo cy ann ");
    make_old(store, "play", 0, ENTRY_BEGIN); /* bo sits there */
    expect_old(store, &old, "", "cy ann ");
    strcpy(forget.guest.id, "ann"); /* has come meanwhile */
    assert_false(is_done(store, &forget));
    answer = ask(store, &who);
    assert_true(answer.found);
    free(answer.memory);
    forget.time = 501;
    assert_true(is_done(store, &forget));
    answer = ask(store, &who);
    assert_false(answer.found);
    free(answer.memory);
    expect_old(store, &old, "", "cy ");
}

static void guests_who_were_not_seen_for_long_are_deleted(void **state)
{
    (void)state;
    with_each(check_old_guests);
}

static void check_own_pages(struct store *store)
{
    struct store_question mine = {.kind = STORE_PAGE_MINE, .guest.id = "bo"};
    char room[STORE_ROOM_BYTES];
    make_guest(store, "bo", "Bo", 1);
    make_guest(store, "cy", "Cy", 2);
    for (int i = 0; i < STORE_PAGE_MINE_MAX + 3; i++) {
        snprintf(room, sizeof room, "room%02d", i % 100);
        struct store_question question = append(room, "", 1, NULL, 0);
        question.head.people = es_str(i == 2 ? "cy +1 Cy\n" : "bo 1 Bo\n");
        question.head.over = i % 2;
        assert_int_equal(outcome_of(store, &question), STORE_STORED);
    }
    struct store_answer answer = ask(store, &mine);
    assert_int_equal(answer.rooms, STORE_PAGE_MINE_MAX);
    assert_string_equal(answer.heads[2].room, "room03");
    strcpy(mine.head.room, answer.heads[STORE_PAGE_MINE_MAX - 1].room);
    free(answer.memory);
    answer = ask(store, &mine);
    assert_int_equal(answer.rooms, 2);
    assert_string_equal(answer.heads[1].room, "room12");
    free(answer.memory);
}

static void guests_have_all_their_rooms_in_pages(void **state)
{
    (void)state;
    with_each(check_own_pages);
}

/* ---- Notes ----------------------------------------------------------------------------------- */

static struct store_question note_of(const char *id, const char *guest, uint64_t until,
                                     const char *text)
{
    struct store_question question = {.kind = STORE_NOTE, .note.until = until};
    strcpy(question.note.id, id);
    strcpy(question.note.guest, guest);
    question.note.text = es_str(text);
    return question;
}

static bool is_noted(struct store *store, const char *id, uint64_t time, const char *text)
{
    struct store_question question = {.kind = STORE_NOTED, .time = time};
    strcpy(question.note.id, id);
    struct store_answer answer = ask(store, &question);
    bool found = answer.found;
    if (found) {
        assert_int_equal(answer.notes, 1);
        assert_string_equal(answer.note[0].id, id);
        assert_true(es_str_is(answer.note[0].text, text));
    }
    free(answer.memory);
    return found;
}

static void check_notes(struct store *store)
{
    struct store_question first = note_of("r1", "ann", 100, "one"), page = {.kind = STORE_NOTES};
    struct store_question other = note_of("r2", "ann", 300, "two");
    struct store_question more = note_of("r3", "ann", 300, "three");
    struct store_question mute = note_of("mbob", "bob", 200, "");
    assert_true(is_done(store, &first));
    assert_true(is_done(store, &other));
    more.first = 2;
    assert_false(is_done(store, &more)); /* ann has two of the letter */
    strcpy(more.note.guest, "bob");
    assert_true(is_done(store, &more));
    assert_true(is_done(store, &mute));
    other.first = 1;
    assert_true(is_done(store, &other)); /* it is there already */
    assert_true(is_noted(store, "r1", 99, "one"));
    assert_false(is_noted(store, "r1", 100, "one"));
    strcpy(page.note.id, "mc");
    struct store_answer answer = ask(store, &page);
    assert_int_equal(answer.notes, 3);
    assert_string_equal(answer.note[2].id, "r3");
    assert_string_equal(answer.note[2].guest, "bob");
    free(answer.memory);
    page = (struct store_question){.kind = STORE_NOTES, .note = {.id = "r", .guest = "ann"}};
    answer = ask(store, &page);
    assert_int_equal(answer.notes, 2);
    assert_string_equal(answer.note[1].id, "r2");
    free(answer.memory);
    struct store_question clean = {.kind = STORE_CLEAN, .note.until = 200};
    assert_false(is_done(store, &clean));
    answer = ask(store, &(struct store_question){.kind = STORE_NOTES});
    assert_int_equal(answer.notes, 2); /* r1 and the mute have ended */
    free(answer.memory);
    struct store_question lift = {.kind = STORE_UNNOTE, .note = {.id = "r", .guest = "ann"}};
    assert_true(is_done(store, &lift));
    assert_false(is_done(store, &lift));
    assert_false(is_noted(store, "r2", 0, ""));
    lift = (struct store_question){.kind = STORE_UNNOTE, .note.id = "r3"};
    assert_true(is_done(store, &lift));
}

static void notes_are_kept_until_their_time(void **state)
{
    (void)state;
    with_each(check_notes);
}

static void check_block(struct store *store)
{
    char token[STORE_NOTE_BYTES] = "t01";
    memset(token + 3, '0', 62);
    make_guest(store, "ann", "Ann", 1);
    struct store_question block = {.kind = STORE_FORGET, .note.until = 500, .guest.id = "ann"};
    block.note.text = es_str("address");
    assert_true(is_done(store, &block));
    assert_true(is_noted(store, "bann", 0, "address"));
    assert_true(is_noted(store, token, 499, "address"));
    struct store_question who = {.kind = STORE_WHO, .token = {1}};
    assert_false(is_done(store, &who));
    assert_false(is_done(store, &block)); /* there is no such guest … */
    strcpy(block.guest.id, "bob");
    assert_false(is_done(store, &block));
    assert_false(is_noted(store, "bbob", 0, "")); /* … nor is one noted who never was there */
    make_guest(store, "cy", "Cy", 2);
    struct store_question forget = {.kind = STORE_FORGET, .guest.id = "cy"};
    assert_true(is_done(store, &forget));
    assert_false(is_noted(store, "bcy", 0, "")); /* deleted, not blocked */
    /* A block replaces what was noted of the same device or guest. */
    make_guest(store, "dee", "Dee", 3);
    token[2] = '3';
    struct store_question device = note_of(token, "eve", 100, "earlier"),
                          guest = note_of("bdee", "eve", 100, "earlier");
    assert_true(is_done(store, &device));
    assert_true(is_done(store, &guest));
    strcpy(block.guest.id, "dee");
    assert_true(is_done(store, &block));
    assert_true(is_noted(store, token, 499, "address"));
    assert_true(is_noted(store, "bdee", 499, "address"));
}

static void blocked_guests_and_their_devices_are_noted(void **state)
{
    (void)state;
    with_each(check_block);
}

static void check_mute(struct store *store)
{
    struct store_question mute = note_of("mann", "ann", 700, ""), who = {.kind = STORE_WHO};
    struct store_question devices = {.kind = STORE_DEVICES, .guest.id = "ann"};
    make_guest(store, "ann", "Ann", 1);
    who.token[0] = 1;
    struct store_answer answer = ask(store, &who);
    assert_int_equal(answer.guest.muted, 0);
    assert_true(is_done(store, &mute));
    answer = ask(store, &who);
    assert_int_equal(answer.guest.muted, 700);
    free(answer.memory);
    answer = ask(store, &devices);
    assert_int_equal(answer.guest.muted, 700);
    free(answer.memory);
}

static void muted_guests_are_known_as_such(void **state)
{
    (void)state;
    with_each(check_mute);
}

static void check_unsaid(struct store *store)
{
    const struct store_entry entry[] = {
        {.kind = ENTRY_CHAT, .decision = -1, .guest = "ann", .text = es_str("bad")},
        {.kind = ENTRY_CHAT, .decision = -1, .guest = "ann", .text = es_str("good")},
        {.kind = ENTRY_MADE, .decision = -1, .text = es_str("settings")},
    };
    const struct store_entry unsaid[] = {
        {.kind = ENTRY_UNSAID, .decision = -1, .text = es_str("1")},
        {.kind = ENTRY_UNSAID, .decision = -1, .text = es_str("3")}, /* not chat */
        {.kind = ENTRY_UNSAID, .decision = -1, .text = es_str("x")},
        {.kind = ENTRY_UNSAID, .decision = -1, .text = es_str("99")},
    };
    make_guest(store, "ann", "Ann", 1);
    struct store_question question = append("room", "CODE", 1, entry, 3);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    question = append("room", "CODE", 4, unsaid, 4);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    struct store_answer answer = read_room(store, "room");
    assert_int_equal(answer.entries, 7);
    assert_int_equal(answer.entry[0].text.size, 0);
    assert_true(es_str_is(answer.entry[1].text, "good"));
    assert_true(es_str_is(answer.entry[2].text, "settings"));
    free(answer.memory);
}

static void chat_that_is_taken_back_is_deleted(void **state)
{
    (void)state;
    with_each(check_unsaid);
}

static void check_maps(struct store *store)
{
    struct store_question map = {.kind = STORE_MAP, .text = es_str("a sheet")};
    strcpy(map.map, "0123456789abcdef0123456789abcdef");
    assert_int_equal(outcome_of(store, &map), STORE_STORED);
    assert_int_equal(outcome_of(store, &map), STORE_STORED);
    map.text = es_str("the same in other words"); /* the hash is that of the canonical text */
    assert_int_equal(outcome_of(store, &map), STORE_STORED);
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
    with_each(check_maps);
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
    with_each(check_sheets_clean);
}

/* Asks ALIVE, which answers lists; `found` is whether the process was running. */
static bool note(struct store *store, const char *process, uint64_t time)
{
    struct store_question alive = {.kind = STORE_ALIVE, .first = INT64_MAX, .time = time};
    strcpy(alive.process, process);
    struct store_answer answer = ask(store, &alive);
    free(answer.memory);
    return answer.found;
}

static void check_counts(struct store *store)
{
    const uint64_t day = UINT64_C(24) * 3600 * 1000;
    struct store_question count = {.kind = STORE_COUNT, .time = 1000};
    struct store_tally *tally = &count.tally;
    *tally = (struct store_tally){.kind = 1, .who = UINT64_MAX, .limit = 2, .span = 100};
    assert_true(ask(store, &count).found);
    assert_true(ask(store, &count).found);
    assert_false(ask(store, &count).found);
    tally->who = 5; /* others have counts of their own */
    assert_true(ask(store, &count).found);
    tally->who = UINT64_MAX;
    tally->kind = 2;
    assert_true(ask(store, &count).found);
    tally->kind = 1;
    count.time = 1099;
    assert_false(ask(store, &count).found);
    count.time = 1100; /* a refused one does not make it last longer */
    assert_true(ask(store, &count).found);
    count.time = 1050; /* another process's clock; the span has begun nevertheless */
    assert_true(ask(store, &count).found);
    count.time = 1199;
    assert_false(ask(store, &count).found);
    /* Forgotten after a day, whatever the span. */
    tally->span = 2 * (uint32_t)day;
    note(store, "", 1099 + day);
    assert_false(ask(store, &count).found);
    note(store, "", 1100 + day);
    assert_true(ask(store, &count).found);
    tally->who = 7;
    tally->limit = 0;
    assert_false(ask(store, &count).found);
    /* What did not happen is taken back, but not after its span. */
    tally->limit = 2;
    tally->span = 100;
    tally->back = true;
    assert_false(ask(store, &count).found);
    tally->back = false;
    assert_true(ask(store, &count).found);
    assert_true(ask(store, &count).found);
    tally->back = true;
    assert_true(ask(store, &count).found);
    tally->back = false;
    assert_true(ask(store, &count).found);
    assert_false(ask(store, &count).found);
    tally->back = true;
    count.time += 100;
    assert_false(ask(store, &count).found);
    count.time--;
    assert_true(ask(store, &count).found);
    assert_true(ask(store, &count).found);
    assert_false(ask(store, &count).found);
}

static void counts_have_a_limit_in_a_span_of_time(void **state)
{
    (void)state;
    with_each(check_counts);
}

/* Notes that a process is running; compares the gaps, given as `from`, `to`, ..., 0. */
static void expect_gaps(struct store *store, const char *process, uint64_t time, uint64_t first,
                        const uint64_t *gap)
{
    struct store_question alive = {.kind = STORE_ALIVE, .first = first, .time = time};
    strcpy(alive.process, process);
    struct store_answer answer = ask(store, &alive);
    size_t count = 0;
    for (; gap[2 * count]; count++) {
        assert_true(count < answer.gaps);
        assert_int_equal(answer.gap[count].from, gap[2 * count]);
        assert_int_equal(answer.gap[count].to, gap[2 * count + 1]);
    }
    assert_int_equal(answer.gaps, count);
    free(answer.memory);
}
#define GAPS(...) ((const uint64_t[]){__VA_ARGS__, 0})
#define NO_GAPS ((const uint64_t[]){0})

static void check_gaps(struct store *store)
{
    const uint64_t day = UINT64_C(24) * 3600 * 1000;
    expect_gaps(store, "", 100, 0, NO_GAPS); /* nothing came before */
    expect_gaps(store, "", 149, 50, NO_GAPS);
    expect_gaps(store, "", 199, 50, GAPS(149, 199));
    expect_gaps(store, "", 199, 0, GAPS(149, 199));
    expect_gaps(store, "", 180, 0, GAPS(149, 199)); /* a clock that was set back */
    expect_gaps(store, "", 200, 50, GAPS(149, 199));
    expect_gaps(store, "", 260, 50, GAPS(149, 199, 200, 260));
    expect_gaps(store, "", 198 + 30 * day, INT64_MAX, GAPS(149, 199, 200, 260));
    expect_gaps(store, "", 199 + 30 * day, INT64_MAX, GAPS(200, 260));
    expect_gaps(store, "", 260 + 30 * day, INT64_MAX, NO_GAPS);
}

/* Of several processes one notes the gap, and none is noted while another one runs. */
static void check_shared_gaps(struct store *store)
{
    const uint64_t away = STORE_AWAY_MS;
    expect_gaps(store, "a", 100, 50, NO_GAPS);
    expect_gaps(store, "b", 200, 50, NO_GAPS); /* a was there */
    expect_gaps(store, "a", 200 + away - 1, 50, NO_GAPS);
    expect_gaps(store, "a", 200 + away, 50, NO_GAPS); /* b is away, but a was there just now */
    expect_gaps(store, "b", 200 + 2 * away, 50, GAPS(200 + away, 200 + 2 * away));
    expect_gaps(store, "a", 201 + 2 * away, 1, GAPS(200 + away, 200 + 2 * away));
    /* One that says that it goes is not waited for. */
    struct store_question gone = {.kind = STORE_GONE, .process = "a"};
    assert_true(ask(store, &gone).found);
    expect_gaps(store, "b", 251 + 2 * away, 50,
                GAPS(200 + away, 200 + 2 * away, 201 + 2 * away, 251 + 2 * away));
}

/* A process whose clock is days ahead notes a gap, rooms and counts; when it is right again, all of
 * that is undone, and due rooms are found. While others run, the question may only be late. */
static void check_ahead(struct store *store)
{
    const uint64_t now = 1000000, far = now + UINT64_C(48) * 3600 * 1000;
    struct store_question count = {.kind = STORE_COUNT, .time = far};
    count.tally = (struct store_tally){.kind = 1, .who = 7, .limit = 1, .span = 1000};
    expect_gaps(store, "a", now - 100, 50, NO_GAPS);
    expect_gaps(store, "a", now, 50, GAPS(now - 100, now));
    expect_gaps(store, "a", far, 50, GAPS(now - 100, now, now, far));
    assert_true(ask(store, &count).found);
    static const char *const ids[] = {"aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "cccccccccccccccc"};
    for (int i = 0; i < 3; i++) {
        struct store_entry entry = {.kind = ENTRY_MADE, .decision = -1, .text = es_str("room")};
        struct store_question append = {.kind = STORE_APPEND,
                                        .first = 1,
                                        .entry = &entry,
                                        .entries = 1,
                                        .head.over = i == 1,
                                        .head.wake = far + (i < 2 ? 20000 : 90000),
                                        .head.changed = i < 2 ? far : now};
        strcpy(append.head.room, ids[i]);
        strcpy(append.head.code, "AAAAAAAA");
        append.head.code[7] = (char)('0' + i);
        assert_int_equal(ask(store, &append).outcome, STORE_STORED);
    }
    struct store_question alive = {
        .kind = STORE_ALIVE, .first = 50, .time = far + 40, .process = "a"};
    alive.head.wake = far + 30000;
    struct store_answer answer = ask(store, &alive);
    assert_int_equal(answer.rooms, 1); /* which is claimed now */
    free(answer.memory);
    /* Nothing is undone as long as another process runs, nor if a clock is only a little ahead. */
    expect_gaps(store, "b", now + 10, 50, GAPS(now - 100, now, now, far));
    struct store_question gone = {.kind = STORE_GONE, .process = "b"};
    ask(store, &gone);
    expect_gaps(store, "a", far + 40 - STORE_AHEAD_MS, 50, GAPS(now - 100, now, now, far));
    assert_false(ask(store, &count).found);
    alive.time = now + 10;
    alive.head.wake = now + 10 + 20000 - 40; /* the latest note was so much later */
    answer = ask(store, &alive);
    assert_int_equal(answer.gaps, 2);
    assert_int_equal(answer.gap[1].from, now);
    assert_int_equal(answer.gap[1].to, now + 10);
    assert_int_equal(answer.rooms, 1); /* one is over, and one was changed before */
    assert_string_equal(answer.heads[0].room, ids[0]);
    assert_true(answer.heads[0].wake == alive.head.wake);
    free(answer.memory);
    count.time = now + 20;
    assert_true(ask(store, &count).found);
    /* Gaps are noted again. */
    expect_gaps(store, "a", now + 200, 50,
                GAPS(now - 100, now, now, now + 10, now + 10, now + 200));
}

static void what_a_wrong_clock_has_noted_is_undone(void **state)
{
    (void)state;
    with_each(check_ahead);
}

/* A question that is late by minutes, when nobody else runs, may be taken for one of a clock that
 * is right again. Gaps stay in their order. */
static void check_late_question(struct store *store)
{
    const uint64_t now = 1000000;
    struct store_question gone = {.kind = STORE_GONE, .process = "b"};
    expect_gaps(store, "a", now, 50, NO_GAPS);
    expect_gaps(store, "b", now + 100000, 50, GAPS(now, now + 100000));
    expect_gaps(store, "b", now + 180000, INT64_MAX, GAPS(now, now + 100000));
    ask(store, &gone);
    expect_gaps(store, "c", now + 50000, INT64_MAX, GAPS(now, now + 100000));
    expect_gaps(store, "c", now + 200000, 50, GAPS(now, now + 100000, now + 100000, now + 200000));
}

static void late_questions_leave_gaps_in_order(void **state)
{
    (void)state;
    with_each(check_late_question);
}

/* A process that was killed while its clock was days ahead is not waited for: others undo what it
 * has noted as soon as they would miss any process. One that runs is, however wrong its clock. */
static void check_ahead_and_gone(struct store *store)
{
    const uint64_t now = 1000000, far = now + UINT64_C(48) * 3600 * 1000, away = STORE_AWAY_MS;
    struct store_entry entry = {.kind = ENTRY_MADE, .decision = -1, .text = es_str("room")};
    struct store_question append = {.kind = STORE_APPEND,
                                    .first = 1,
                                    .entry = &entry,
                                    .entries = 1,
                                    .head.room = "aaaaaaaaaaaaaaaa",
                                    .head.code = "AAAAAAAA",
                                    .head.wake = now + 10,
                                    .head.changed = now};
    expect_gaps(store, "a", now, 50, NO_GAPS);
    assert_int_equal(ask(store, &append).outcome, STORE_STORED);
    struct store_question alive = {
        .kind = STORE_ALIVE, .first = 50, .time = far, .process = "a", .head.wake = now + 10};
    struct store_answer answer = ask(store, &alive);
    assert_int_equal(answer.rooms, 1);
    free(answer.memory);
    /* It runs. */
    for (uint64_t ms = 20; ms < 3 * away; ms += away / 3) {
        expect_gaps(store, "b", now + ms, away, GAPS(now, far));
        expect_gaps(store, "a", far + ms, away, GAPS(now, far));
    }
    /* It was killed; others run. */
    const uint64_t late = now + 4 * away;
    expect_gaps(store, "c", late - 10, away, GAPS(now, far));
    alive.time = alive.head.wake = late;
    strcpy(alive.process, "b");
    answer = ask(store, &alive);
    assert_int_equal(answer.heres, 3);
    assert_int_equal(answer.rooms, 0); /* it is claimed */
    free(answer.memory);
    expect_gaps(store, "c", late + away - 11, away, GAPS(now, far));
    alive.time = late + away;
    answer = ask(store, &alive);
    assert_int_equal(answer.heres, 2);
    assert_int_equal(answer.gaps, 1);
    assert_int_equal(answer.gap[0].from, now);
    assert_int_equal(answer.gap[0].to, late + away);
    assert_int_equal(answer.rooms, 1);
    free(answer.memory);
}

static void a_process_that_was_ahead_is_gone_as_soon_as_others(void **state)
{
    (void)state;
    with_each(check_ahead_and_gone);
}

static void gaps_are_remembered_for_thirty_days(void **state)
{
    (void)state;
    with_each(check_gaps);
    with_each(check_shared_gaps);
}

/* ---- Processes ------------------------------------------------------------------------------- */

/* Says something about a room; returns whether the process is running. */
static bool say(struct store *store, const char *process, const char *room, const char *text)
{
    struct store_question here = {.kind = STORE_HERE, .text = es_str(text)};
    strcpy(here.process, process);
    strcpy(here.head.room, room);
    return ask(store, &here).found;
}

/* Compares what processes say about a room with a line for each: `PROCESS TEXT`. */
static void expect_said(struct store *store, const char *reader, const char *room,
                        const char *lines)
{
    char text[400] = "";
    size_t used = 0;
    struct store_question read = {.kind = STORE_READ};
    strcpy(read.process, reader);
    strcpy(read.head.room, room);
    struct store_answer answer = ask(store, &read);
    for (size_t i = 0; i < answer.heres; i++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s %.*s\n", answer.here[i].process,
                             (int)answer.here[i].text.size, answer.here[i].text.at);
    assert_string_equal(text, lines);
    free(answer.memory);
}

static void check_here(struct store *store)
{
    struct store_question question = append("room", "", 1, NULL, 0);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    assert_false(say(store, "b", "room", "too early"));
    assert_false(note(store, "b", 1000));
    assert_true(note(store, "b", 1000));
    assert_false(note(store, "a", 1000));
    expect_said(store, "c", "room", "");
    assert_true(say(store, "b", "room", "bo"));
    assert_true(say(store, "a", "room", "ada\neve"));
    assert_true(say(store, "a", "elsewhere", "nobody"));
    expect_said(store, "c", "room", "a ada\neve\nb bo\n");
    expect_said(store, "a", "room", "b bo\n");
    expect_said(store, "c", "elsewhere", ""); /* there is no such room */
    assert_true(say(store, "b", "room", "cy"));
    expect_said(store, "a", "room", "b cy\n");
    assert_true(say(store, "b", "room", ""));
    assert_true(say(store, "b", "room", ""));
    expect_said(store, "a", "room", "");
    expect_said(store, "b", "room", "a ada\neve\n");
    /* A process that goes takes with it what it has said, and begins again without it. */
    struct store_question gone = {.kind = STORE_GONE, .process = "a"};
    assert_true(ask(store, &gone).found);
    assert_false(ask(store, &gone).found);
    expect_said(store, "b", "room", "");
    assert_false(say(store, "a", "room", "too late"));
    assert_false(note(store, "a", 1000));
    expect_said(store, "b", "room", "");
    assert_true(say(store, "a", "room", "again"));
    assert_true(say(store, "b", "room", "bo"));
    /* So does one that is not noted for a while: another one finds that out, or itself. */
    assert_true(note(store, "b", 999 + STORE_AWAY_MS));
    expect_said(store, "b", "room", "a again\n");
    assert_true(note(store, "b", 1000 + STORE_AWAY_MS));
    expect_said(store, "b", "room", "");
    expect_said(store, "c", "room", "b bo\n");
    assert_false(note(store, "b", 1000 + 2 * STORE_AWAY_MS));
    expect_said(store, "c", "room", "");
}

static void processes_say_who_is_there_while_they_run(void **state)
{
    (void)state;
    with_each(check_here);
}

/* Compares the processes that are running, with a blank before each. */
static void expect_running(struct store *store, const char *process, uint64_t time,
                           const char *names)
{
    char text[200] = "";
    size_t used = 0;
    struct store_question alive = {.kind = STORE_ALIVE, .time = time};
    strcpy(alive.process, process);
    struct store_answer answer = ask(store, &alive);
    for (size_t i = 0; i < answer.heres; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", answer.here[i].process);
        assert_int_equal(answer.here[i].text.size, 0);
    }
    assert_string_equal(text, names);
    free(answer.memory);
}

static void check_running(struct store *store)
{
    expect_running(store, "b", 1000, " b");
    expect_running(store, "c", 2000, " b c");
    expect_running(store, "a", 3000, " a b c");
    expect_running(store, "b", 1999 + STORE_AWAY_MS, " a b c");
    expect_running(store, "b", 2000 + STORE_AWAY_MS, " a b");
    struct store_question gone = {.kind = STORE_GONE, .process = "b"};
    assert_true(ask(store, &gone).found);
    expect_running(store, "", 2000 + STORE_AWAY_MS, "  a");
}

static void processes_know_who_is_running(void **state)
{
    (void)state;
    with_each(check_running);
}

/* Makes a room, or changes it, without entries. */
static void make_room(struct store *store, const char *room, uint64_t wake, bool over, bool listed)
{
    struct store_question question = append(room, room, 1, NULL, 0);
    question.head.wake = wake;
    question.head.over = over;
    question.head.listed = listed;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
}

/* Claims rooms that are due at `wake`, and compares their ids, with a blank before each. */
static void expect_claims(struct store *store, const char *process, bool fresh, uint64_t time,
                          uint64_t wake, const char *names)
{
    char text[100] = "";
    size_t used = 0;
    struct store_question alive = {
        .kind = STORE_ALIVE, .time = time, .head.wake = wake, .fresh = fresh};
    strcpy(alive.process, process);
    struct store_answer answer = ask(store, &alive);
    for (size_t i = 0; i < answer.rooms; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s", answer.heads[i].room);
    assert_string_equal(text, names);
    free(answer.memory);
}

static void expect_claimed(struct store *store, uint64_t time, uint64_t wake, const char *names)
{
    expect_claims(store, "a", false, time, wake, names);
}

static void check_claims(struct store *store)
{
    make_room(store, "late", 300, false, false);
    make_room(store, "even", 200, false, false);
    make_room(store, "early", 100, false, false);
    make_room(store, "also", 200, false, false);
    make_room(store, "never", 0, false, false);
    make_room(store, "over", 100, true, false);
    expect_claimed(store, 1000, 99, "");
    expect_claimed(store, 1000, 200, " early also even");
    expect_claimed(store, 1001, 300, " late");
    make_room(store, "early", 150, false, false); /* somebody has acted: claimed nevertheless */
    expect_claimed(store, 14000, 300, "");
    expect_claimed(store, 28000, 300, "");
    expect_claimed(store, 999 + STORE_CLAIM_MS, 300, "");
    expect_claimed(store, 1000 + STORE_CLAIM_MS, 300, " early also even");
    make_room(store, "even", 0, false, false);
    make_room(store, "also", 200, true, false);
    expect_claimed(store, 1000 + 2 * STORE_CLAIM_MS, 300, " early late");
}

static void rooms_that_are_due_are_claimed_once(void **state)
{
    (void)state;
    with_each(check_claims);
}

/* A claim keeps others away as long as its process is running, and the process itself unless it
 * has forgotten it. */
static void check_void_claims(struct store *store)
{
    make_room(store, "one", 100, false, false);
    make_room(store, "two", 200, false, false);
    expect_claims(store, "a", false, 1000, 100, " one");
    expect_claims(store, "b", true, 2000, 200, " two");
    expect_claims(store, "a", false, 3000, 200, "");
    expect_claims(store, "a", true, 4000, 200, " one");
    expect_claims(store, "a", false, 5000, 200, "");
    struct store_question gone = {.kind = STORE_GONE, .process = "b"};
    free(ask(store, &gone).memory);
    expect_claims(store, "c", true, 6000, 200, " two");
    expect_claims(store, "a", false, 7000, 200, "");
    expect_claims(store, "a", false, 6000 + STORE_AWAY_MS - 1, 200, "");
    expect_claims(store, "a", false, 6000 + STORE_AWAY_MS, 200, " two");
    expect_claims(store, "c", false, 6000 + STORE_AWAY_MS, 200, "");
    /* The only process. */
    free(ask(store, &(struct store_question){.kind = STORE_GONE, .process = "a"}).memory);
    free(ask(store, &(struct store_question){.kind = STORE_GONE, .process = "c"}).memory);
    expect_claims(store, "", true, 30000, 200, " one two");
    expect_claims(store, "", false, 30001, 200, "");
    expect_claims(store, "", true, 30002, 200, " one two");
}

static void claims_last_as_long_as_their_process(void **state)
{
    (void)state;
    with_each(check_void_claims);
}

static void check_many_claims(struct store *store)
{
    enum { ROOMS = STORE_DUE_MAX + 50 };
    static struct store_question question[ROOMS];
    static struct store_answer answer[ROOMS];
    struct store_pair pair[ROOMS];
    for (int i = 0; i < ROOMS; i++) {
        char name[STORE_ROOM_BYTES];
        snprintf(name, sizeof name, "room%d", i);
        question[i] = append(name, "", 1, NULL, 0);
        question[i].head.wake = (uint64_t)(1000 - i);
        question[i].head.over = i == 0;
        pair[i] = (struct store_pair){&question[i], &answer[i]};
    }
    assert_int_equal(store->answer(store, pair, ROOMS), STORE_STORED);
    struct store_question alive = {.kind = STORE_ALIVE, .time = 5000, .head.wake = 5000};
    struct store_answer first = ask(store, &alive);
    assert_int_equal(first.rooms, STORE_DUE_MAX);
    assert_int_equal(first.open, ROOMS - 1);
    for (size_t i = 0; i < first.rooms; i++)
        assert_int_equal(first.heads[i].wake, 1000 - ROOMS + 1 + i);
    free(first.memory);
    struct store_answer rest = ask(store, &alive);
    assert_int_equal(rest.rooms, ROOMS - STORE_DUE_MAX - 1);
    assert_int_equal(rest.heads[0].wake, 1000 - ROOMS + 1 + STORE_DUE_MAX);
    free(rest.memory);
}

static void the_earliest_rooms_are_claimed_first(void **state)
{
    (void)state;
    with_each(check_many_claims);
}

static void check_listed(struct store *store)
{
    make_room(store, "b", 0, false, true);
    make_room(store, "c", 0, false, false);
    make_room(store, "a", 0, false, true);
    make_room(store, "d", 0, false, true);
    make_room(store, "d", 0, false, false);
    struct store_question rooms = {.kind = STORE_ROOMS};
    struct store_answer answer = ask(store, &rooms);
    assert_true(answer.found);
    assert_int_equal(answer.rooms, 2);
    assert_string_equal(answer.heads[0].room, "a");
    assert_string_equal(answer.heads[1].room, "b");
    free(answer.memory);
}

static void listed_rooms_are_listed(void **state)
{
    (void)state;
    with_each(check_listed);
}

static void each_store_has_a_key_of_its_own(void **state)
{
    (void)state;
    const struct store_question question = {.kind = STORE_KEY};
    struct store_answer first, again, other;
    struct store *store = open_sqlite("key");
    first = ask(store, &question);
    store->close(store);
    store = open_sqlite("key");
    again = ask(store, &question);
    store->close(store);
    assert_true(first.found);
    assert_memory_equal(first.key, again.key, sizeof first.key);
    store = open_sqlite("another key");
    other = ask(store, &question);
    store->close(store);
    assert_memory_not_equal(first.key, other.key, sizeof first.key);
    if (!postgres_address)
        return;
    for (int i = 0; i < 3; i++) {
        struct store_answer *answer[] = {&first, &again, &other};
        if (i != 1)
            postgres_empty(postgres_address);
        store = open_postgres();
        *answer[i] = ask(store, &question);
        assert_true(answer[i]->found);
        store->close(store);
    }
    assert_memory_equal(first.key, again.key, sizeof first.key);
    assert_memory_not_equal(first.key, other.key, sizeof first.key);
}

/* ---- Stores against each other ----------------------------------------------------------------
 */

static void same(const char *what, uint64_t seed, int step, enum store_kind kind)
{
    if (what)
        fail_msg("seed %d, step %d, kind %d: %s", (int)seed, step, kind, what);
}

/* Asks a store and one in memory the same random questions, in groups of random size. Without
 * options it is in PostgreSQL. */
static void compare(uint64_t seed, int groups, const struct store_sqlite_options *options,
                    int counts[STORE_PUT_STATE + 1][2], int *dropped)
{
    static struct asker asker;
    struct store *model = store_memory(), *store = options ? open_with(options) : open_postgres();
    asker_begin(&asker, seed);
    asker.counts = asker.moves = true;
    int step = 0;
    for (int i = 0; i < groups; i++) {
        struct group group = {0};
        for (int left = 1 + (int)es_random_below(&asker.random, 12); left; left--)
            group_add(&group, model, asker_next(&asker, model));
        assert_int_equal(group_ask(&group, store), STORE_STORED);
        for (size_t k = 0; k < group.count; k++) {
            const struct store_answer *answer = &group.expected[k];
            same(answers_differ(answer, group.pair[k].answer), seed, step++, answer->kind);
            counts[answer->kind][answer->outcome == STORE_REFUSED]++;
            *dropped += answer->dropped;
        }
        group_end(&group);
        if (i % 100 == 99) {
            store->close(store);
            store = options ? open_with(options) : open_postgres();
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
    int counts[STORE_PUT_STATE + 1][2] = {{0}}, dropped = 0; /* by kind: answered, refused */
    for (uint64_t seed = 1; seed <= 8; seed++) {
        char name[40];
        snprintf(name, sizeof name, "random%d", (int)seed);
        /* No disk fails here, so it need not be waited for. */
        struct store_sqlite_options options = {.path = path_of(name), .synchronous = "OFF"};
        compare(seed, 300, &options, counts, &dropped);
    }
    assert_true(dropped > 0);
    for (int i = 0; i <= STORE_PUT_STATE; i++)
        assert_true(counts[i][0] > 0);
    assert_true(counts[STORE_APPEND][1] && counts[STORE_GUEST][1] && counts[STORE_TICKET][1] &&
                counts[STORE_REDEEM][1] && counts[STORE_PUT_GUEST][1]);
    for (uint64_t seed = 1; seed <= 4 && postgres_address; seed++) {
        postgres_empty(postgres_address);
        compare(seed, 300, NULL, counts, &dropped);
    }
}

/* ---- Moving everything ----------------------------------------------------------------------- */

static void check_room_pages(struct store *store)
{
    enum { ROOMS = 2 * STORE_PAGE_MAX + 1 };
    struct store_question question = {.kind = STORE_PAGE_ROOMS};
    struct store_answer answer = ask(store, &question);
    assert_int_equal(answer.rooms, 0);
    free(answer.memory);
    for (int i = 0; i < ROOMS; i++) { /* in another order */
        char room[STORE_ROOM_BYTES];
        /* Not in the order of a language, in which "ch" may come after "h". */
        snprintf(room, sizeof room, "%s%04d", i % 2 ? "ch" : "d", i * 17 % ROOMS);
        struct store_question made = append(room, "", 1, NULL, 0);
        made.head.changed = 5;
        made.head.over = i % 3 == 0;
        assert_int_equal(outcome_of(store, &made), STORE_STORED);
        made.head.changed = 9; /* it is over since 5 */
        made.head.over = i % 3 <= 1;
        assert_int_equal(outcome_of(store, &made), STORE_STORED);
    }
    char last[STORE_ROOM_BYTES] = "";
    size_t count = 0, pages = 0, since[10] = {0};
    do {
        strcpy(question.head.room, last);
        answer = ask(store, &question);
        for (size_t i = 0; i < answer.rooms; i++) {
            assert_true(strcmp(answer.heads[i].room, last) > 0);
            strcpy(last, answer.heads[i].room);
            assert_int_equal(answer.heads[i].changed, 9);
            since[answer.heads[i].since]++;
        }
        count += answer.rooms;
        pages += answer.rooms > 0;
        free(answer.memory);
    } while (answer.rooms > 0);
    assert_int_equal(count, ROOMS);
    assert_int_equal(pages, 3);
    assert_int_equal(since[5], ROOMS / 3);
    assert_int_equal(since[9], ROOMS / 3);
    assert_int_equal(since[0], ROOMS / 3);
    answer = ask(store, &(struct store_question){.kind = STORE_STATE});
    assert_int_equal(answer.total.rooms, ROOMS);
    free(answer.memory);
}

static void rooms_come_in_pages(void **state)
{
    (void)state;
    with_each(check_room_pages);
}

/* A guest with two devices and a ticket, in the order of pages. */
static const struct store_pass passes[] = {
    {.hash = {9}, .device = "a", .label = "Firefox", .time = 3},
    {.hash = {8}, .device = "b", .label = "Chromium", .time = 2},
    {.hash = {1, 2}, .time = 7},
};

static struct store_question put_guest(const char *id, const struct store_pass *pass, size_t count)
{
    struct store_question question = {.kind = STORE_PUT_GUEST, .pass = pass, .passes = count};
    strcpy(question.guest.id, id);
    strcpy(question.guest.name, "Ada");
    question.guest.colour = 3;
    return question;
}

static void expect_passes(struct store *store, const char *after, const char *guest, size_t count)
{
    struct store_question question = {.kind = STORE_PAGE_GUESTS};
    strcpy(question.guest.id, after);
    struct store_answer answer = ask(store, &question);
    assert_true(answer.owners > 0);
    assert_string_equal(answer.owner[0].id, guest);
    assert_string_equal(answer.owner[0].name, "Ada");
    assert_int_equal(answer.owner[0].colour, 3);
    assert_int_equal(answer.passes, count);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(answer.pass[i].guest, guest);
        assert_memory_equal(answer.pass[i].hash, passes[i].hash, ES_SHA256_BYTES);
        assert_string_equal(answer.pass[i].device, passes[i].device);
        assert_string_equal(answer.pass[i].label, passes[i].label);
        assert_int_equal(answer.pass[i].time, passes[i].time);
    }
    free(answer.memory);
}

static void check_put_guests(struct store *store)
{
    struct store_question question = put_guest("ada", passes, 3);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    expect_passes(store, "", "ada", 3);
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED); /* there is one */
    struct store_question who = {.kind = STORE_WHO, .token = {8}};
    struct store_answer answer = ask(store, &who);
    assert_true(answer.found);
    assert_string_equal(answer.guest.device, "b");
    struct store_question redeem = {.kind = STORE_REDEEM, .ticket = {1, 2}, .token = {7}};
    redeem.time = 6;
    strcpy(redeem.guest.device, "c");
    strcpy(redeem.label, "Phone");
    answer = ask(store, &redeem);
    assert_true(answer.found);
    assert_string_equal(answer.guest.id, "ada");
    /* Of another guest: a token, a ticket and an id of a device twice. Nothing of it is left. */
    struct store_pass other[] = {passes[0], {.hash = {5}, .time = 7}};
    question = put_guest("bo", other, 2);
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    other[0].hash[0] = 4;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    other[0].hash[0] = 44;
    question = put_guest("cy", other, 2);
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    other[0].hash[0] = 45;
    other[1] = other[0];
    other[1].hash[0] = 46;
    assert_int_equal(outcome_of(store, &question), STORE_REFUSED);
    other[1] = (struct store_pass){.hash = {45}, .time = 7}; /* a ticket is not a token */
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    question = put_guest("dora", NULL, 0); /* all devices are withdrawn */
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    expect_passes(store, "cy", "dora", 0);
    answer = ask(store, &(struct store_question){.kind = STORE_STATE});
    assert_int_equal(answer.total.guests, 4);
    free(answer.memory);
}

static void guests_are_put_in_with_devices_and_tickets(void **state)
{
    (void)state;
    with_each(check_put_guests);
}

static void check_sheet_pages(struct store *store)
{
    enum { SHEETS = STORE_PAGE_SHEETS_MAX + 3 };
    for (int i = 0; i < SHEETS; i++) {
        struct store_question map = {.kind = STORE_MAP, .time = 50, .text = es_str("sheet\n")};
        snprintf(map.map, sizeof map.map, "%032d", i * 7 % SHEETS);
        map.time += (uint64_t)(i * 7 % SHEETS);
        assert_int_equal(outcome_of(store, &map), STORE_STORED);
    }
    struct store_question question = {.kind = STORE_PAGE_SHEETS};
    struct store_answer answer = ask(store, &question);
    assert_int_equal(answer.sheets, STORE_PAGE_SHEETS_MAX);
    for (int i = 0; i < STORE_PAGE_SHEETS_MAX; i++) {
        assert_int_equal(atoi(answer.sheet[i].map), i);
        assert_int_equal(answer.sheet[i].kept, 50 + i);
        assert_true(es_str_is(answer.sheet[i].text, "sheet\n"));
    }
    strcpy(question.map, answer.sheet[STORE_PAGE_SHEETS_MAX - 1].map);
    free(answer.memory);
    answer = ask(store, &question);
    assert_int_equal(answer.sheets, 3);
    free(answer.memory);
    answer = ask(store, &(struct store_question){.kind = STORE_STATE});
    assert_int_equal(answer.total.sheets, SHEETS);
    free(answer.memory);
}

static void sheets_come_in_pages(void **state)
{
    (void)state;
    with_each(check_sheet_pages);
}

static void check_state(struct store *store)
{
    const struct store_gap gap[] = {{5, 8}, {20, 90}};
    struct store_answer answer = ask(store, &(struct store_question){.kind = STORE_STATE});
    assert_true(answer.found);
    assert_int_equal(answer.alive, 0);
    assert_int_equal(answer.gaps, 0);
    free(answer.memory);
    struct store_question alive = {.kind = STORE_ALIVE, .process = "old", .time = 100};
    answer = ask(store, &alive);
    free(answer.memory);
    struct store_question question = {
        .kind = STORE_PUT_STATE, .time = 1000, .gap = gap, .gaps = 2, .key = {1, 2, 3}};
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    answer = ask(store, &(struct store_question){.kind = STORE_STATE, .time = 100});
    assert_int_equal(answer.alive, 1000);
    assert_int_equal(answer.gaps, 2);
    assert_int_equal(answer.gap[1].from, 20);
    assert_int_equal(answer.gap[1].to, 90);
    assert_memory_equal(answer.key, question.key, sizeof answer.key);
    assert_int_equal(answer.heres, 1);
    assert_string_equal(answer.here[0].process, "old");
    free(answer.memory);
    answer = ask(store, &(struct store_question){.kind = STORE_KEY});
    assert_memory_equal(answer.key, question.key, sizeof answer.key);
    answer = ask(store, &(struct store_question){.kind = STORE_STATE, .time = 100 + STORE_AWAY_MS});
    assert_int_equal(answer.heres, 0); /* not noted for too long */
    free(answer.memory);
    /* The time until a server runs again is a gap. */
    alive = (struct store_question){.kind = STORE_ALIVE, .process = "new", .time = 900000};
    answer = ask(store, &alive);
    assert_int_equal(answer.gaps, 3);
    assert_int_equal(answer.gap[2].from, 1000);
    assert_int_equal(answer.gap[2].to, 900000);
    free(answer.memory);
    question.time = 0;
    question.gaps = 0;
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    answer = ask(store, &(struct store_question){.kind = STORE_STATE});
    assert_int_equal(answer.alive, 0);
    assert_int_equal(answer.gaps, 0);
    free(answer.memory);
}

static void gaps_and_the_key_can_be_set(void **state)
{
    (void)state;
    with_each(check_state);
}

static void readers_see_what_is_written_meanwhile(void **state)
{
    (void)state;
    char fault[STORE_FAULT_BYTES] = "", path[300];
    strcpy(path, path_of("read"));
    assert_null(store_sqlite_reader(path, fault));
    assert_non_null(strstr(fault, "cannot open"));
    struct store *store = open_sqlite("read"), *reader = store_sqlite_reader(path, fault);
    assert_non_null(reader);
    expect_entries(reader, "room", 0);
    const struct store_entry entry = {.kind = ENTRY_MADE, .decision = -1};
    struct store_question question = append("room", "CODE", 1, &entry, 1);
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    expect_entries(reader, "room", 1);
    struct store_answer answer;
    question.first = 2;
    store_ask(reader, &question, &answer);
    assert_int_equal(answer.outcome, STORE_FAILED);
    expect_entries(store, "room", 1);
    store->close(store);
    expect_entries(reader, "room", 1);
    reader->close(reader);
    /* Also if nobody has it open. */
    reader = store_sqlite_reader(path, fault);
    assert_non_null(reader);
    expect_entries(reader, "room", 1);
    reader->close(reader);
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

static void fill_older(struct store *store)
{
    for (int i = 0; i < 2; i++) {
        struct store_question map = {.kind = STORE_MAP, .text = es_str("a sheet"), .time = 900};
        strcpy(map.map, i ? "named" : "old");
        assert_int_equal(outcome_of(store, &map), STORE_STORED);
    }
    struct store_question question = append("a", "A", 1, NULL, 0);
    strcpy(question.head.map, "named");
    assert_int_equal(outcome_of(store, &question), STORE_STORED);
    make_guest(store, "bo", "Bo", 1);
    make_old(store, "end", 100, ENTRY_BEGIN);
    make_old(store, "wait", 0, ENTRY_SAT);
    store->close(store);
}

/* The sheets of a database of the first version count as old. */
static void check_older(struct store *store)
{
    struct store_question clean = {.kind = STORE_CLEAN, .first = 800};
    assert_int_equal(outcome_of(store, &clean), STORE_STORED);
    assert_false(sheet_is_there(store, "old"));
    assert_true(sheet_is_there(store, "named"));
    struct store_question old = {.kind = STORE_OLD, .old = {.games = 101}};
    expect_old(store, &old, "end ", ""); /* not a room that never began */
    old.old = (struct store_old){.rooms = 101};
    make_ending(store, "wait", 100);
    expect_old(store, &old, "wait ", "");
    /* Guests of before count as seen when the tables were brought up to date. */
    struct store_question who = {.kind = STORE_WHO, .token = {1}};
    struct store_answer answer = ask(store, &who);
    assert_true(answer.guest.seen > 1000000000000);
    free(answer.memory);
    check_here(store);
    check_claims(store);
    check_counts(store);
    store->close(store);
}

static void older_databases_are_brought_up_to_date(void **state)
{
    (void)state;
    fill_older(open_sqlite("older"));
    run_sql("older", "DROP INDEX map_kept; DROP INDEX room_map; ALTER TABLE map DROP COLUMN kept;"
                     "DROP TABLE tally; DROP INDEX room_wake; DROP INDEX room_listed;"
                     "ALTER TABLE room DROP COLUMN claimed; ALTER TABLE room DROP COLUMN claimer;"
                     "DROP TABLE process; DROP TABLE here;"
                     "DROP TABLE key; DROP TABLE note; DROP INDEX room_old; "
                     "ALTER TABLE room DROP COLUMN begun; DROP INDEX guest_seen;"
                     "ALTER TABLE guest DROP COLUMN seen; DROP INDEX room_chat; "
                     "ALTER TABLE room DROP COLUMN chat; PRAGMA user_version = 1");
    check_older(open_sqlite("older"));
    if (!postgres_address)
        return;
    postgres_empty(postgres_address);
    fill_older(open_postgres());
    postgres_sql(postgres_address,
                 "SET search_path = endstation; DROP INDEX map_kept; DROP INDEX room_map;"
                 "ALTER TABLE map DROP COLUMN kept; DROP TABLE tally;"
                 "ALTER TABLE room DROP COLUMN claimed, DROP COLUMN claimer, "
                 "DROP COLUMN chat, DROP COLUMN begun; ALTER TABLE guest DROP COLUMN seen;"
                 "DROP INDEX room_listed; DROP TABLE process; DROP TABLE here;"
                 "DROP TABLE key; DROP TABLE note; DROP INDEX room_page, guest_page, map_page;"
                 "DROP TRIGGER room_keeps_code ON room; DROP FUNCTION keep_code;"
                 "UPDATE version SET version = 1, oldest = 1");
    check_older(open_postgres());
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
        struct group group = {0};
        for (int k = 0; k < 10; k++)
            group_add(&group, model, asker_next(&asker, model));
        assert_int_equal(group_ask(&group, store), STORE_STORED);
        assert_null(group_end(&group));
        if (i == 20) { /* while it is in use, its log and all */
            assert_true(store_backup(source, path_of("early"), NULL, fault));
            assert_false(store_backup(source, path_of("early"), NULL, fault));
            assert_non_null(strstr(fault, "File exists"));
            copy = open_sqlite("early");
            assert_null(stores_differ(model, copy));
            copy->close(copy);
        }
    }
    store->close(store);
    assert_true(store_backup(source, path_of("late"), NULL, fault));
    assert_int_equal(mode_of("late"), 0600);
    copy = open_sqlite("late");
    assert_null(stores_differ(model, copy));
    copy->close(copy);
    assert_false(store_backup(path_of("nothing"), path_of("never"), NULL, fault));
    assert_false(store_backup(source, path_of("no/folder"), NULL, fault));
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
        cmocka_unit_test(guests_have_a_bounded_number_of_devices_and_tickets),
        cmocka_unit_test(forgotten_guests_leave_moves_alone),
        cmocka_unit_test(nothing_of_a_forgotten_guest_is_written_later),
        cmocka_unit_test(a_guest_finds_the_rooms_where_they_sit_or_host),
        cmocka_unit_test(chat_is_deleted_some_time_after_the_end),
        cmocka_unit_test(chat_is_deleted_in_steps_the_oldest_first),
        cmocka_unit_test(rooms_that_were_over_long_ago_are_deleted),
        cmocka_unit_test(guests_who_were_not_seen_for_long_are_deleted),
        cmocka_unit_test(guests_have_all_their_rooms_in_pages),
        cmocka_unit_test(notes_are_kept_until_their_time),
        cmocka_unit_test(blocked_guests_and_their_devices_are_noted),
        cmocka_unit_test(muted_guests_are_known_as_such),
        cmocka_unit_test(chat_that_is_taken_back_is_deleted),
        cmocka_unit_test(sheets_are_kept_by_their_hash),
        cmocka_unit_test(sheets_that_no_room_names_are_deleted),
        cmocka_unit_test(counts_have_a_limit_in_a_span_of_time),
        cmocka_unit_test(gaps_are_remembered_for_thirty_days),
        cmocka_unit_test(what_a_wrong_clock_has_noted_is_undone),
        cmocka_unit_test(late_questions_leave_gaps_in_order),
        cmocka_unit_test(a_process_that_was_ahead_is_gone_as_soon_as_others),
        cmocka_unit_test(processes_say_who_is_there_while_they_run),
        cmocka_unit_test(processes_know_who_is_running),
        cmocka_unit_test(rooms_that_are_due_are_claimed_once),
        cmocka_unit_test(claims_last_as_long_as_their_process),
        cmocka_unit_test(the_earliest_rooms_are_claimed_first),
        cmocka_unit_test(listed_rooms_are_listed),
        cmocka_unit_test(each_store_has_a_key_of_its_own),
        cmocka_unit_test(rooms_come_in_pages),
        cmocka_unit_test(guests_are_put_in_with_devices_and_tickets),
        cmocka_unit_test(sheets_come_in_pages),
        cmocka_unit_test(gaps_and_the_key_can_be_set),
        cmocka_unit_test(readers_see_what_is_written_meanwhile),
        cmocka_unit_test(random_questions_have_the_same_answers),
        cmocka_unit_test(files_are_for_their_owner_alone),
        cmocka_unit_test(a_second_server_is_refused_and_told_of_the_first),
        cmocka_unit_test(older_databases_are_brought_up_to_date),
        cmocka_unit_test(other_databases_are_refused),
        cmocka_unit_test(backups_are_whole_and_overwrite_nothing),
    };
    return cmocka_run_group_tests(tests, postgres_make_folder, postgres_remove_folder);
}
