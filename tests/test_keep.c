/* Tests of deleting what is old: rooms that were over long ago, and guests who do not come. */
#include "check.h"
#include "rooms_world.h"
#include <stdlib.h>
#include <string.h>

#define METRO "game metro\\nplayers 2\\n"
#define HOUR_MS (UINT64_C(3600000))
#define DAY_MS (24 * HOUR_MS)

static struct world *world;
static struct client *ada, *bo;

static int open_world(void **state)
{
    (void)state;
    world = calloc(1, sizeof *world);
    world_open(world, 3);
    ada = world_guest(world, "Ada");
    bo = world_guest(world, "Bo");
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    world_close(world);
    free(world);
    return 0;
}

/* Starts the server again, with these times. */
static void keep(uint64_t rooms, uint64_t games, uint64_t guests)
{
    world->keep.rooms = rooms;
    world->keep.games = games;
    world->keep.guests = guests;
    world_restart(world);
}

/* Makes a room, which is closed again. */
static void make_closed(char room[STORE_ROOM_BYTES])
{
    snprintf(room, STORE_ROOM_BYTES, "%s", world_room(ada, METRO, ",'open':true"));
    client_connect(ada, room);
    client_say(ada, "{'t':'close','id':9,'key':'close'}");
    assert_true(client_heard(ada, "ok"));
    client_lose(ada);
}

/* Plays a game to its end in a room where both are. */
static void play(void)
{
    client_sit(ada, 1);
    client_sit(bo, 2);
    client_say(ada, "{'t':'start','id':3,'key':'start'}");
    client_word(ada);
    client_word(bo);
    world_play(world);
}

static void leave(void)
{
    client_lose(ada);
    client_lose(bo);
}

/* Makes a room and plays a game there to its end. */
static void make_over(char room[STORE_ROOM_BYTES])
{
    snprintf(room, STORE_ROOM_BYTES, "%s", world_room(ada, METRO, ",'open':true"));
    client_connect(ada, room);
    client_connect(bo, room);
    play();
    leave();
}

/* Makes a room by invitation, where chat is possible, plays a game there to its end, and chats. */
static void make_over_with_chat(char room[STORE_ROOM_BYTES])
{
    char code[40];
    snprintf(room, STORE_ROOM_BYTES, "%s", world_room(ada, METRO, ""));
    client_connect(ada, room);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(bo, room, code);
    play();
    client_say(bo, "{'t':'chat','id':7,'key':'chat','text':'Well played'}");
    assert_true(client_heard(bo, "ok"));
    leave();
}

static bool is_there(const char *room)
{
    struct store_question question = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    strcpy(question.head.room, room);
    store_ask(world->store, &question, &answer);
    free(answer.memory);
    return answer.found;
}

static bool guest_is_there(const struct client *client)
{
    struct store_question question = {.kind = STORE_DEVICES};
    struct store_answer answer;
    strcpy(question.guest.id, client->guest);
    store_ask(world->store, &question, &answer);
    free(answer.memory);
    return answer.found;
}

/* ---- Rooms ----------------------------------------------------------------------------------- */

static void rooms_are_deleted_some_time_after_their_end(void **state)
{
    (void)state;
    char closed[STORE_ROOM_BYTES], over[STORE_ROOM_BYTES];
    make_closed(closed);
    make_over(over);
    world_pass(world, 200 * HOUR_MS); /* for ever, without other words */
    assert_true(is_there(closed));
    keep(300 * HOUR_MS, 400 * HOUR_MS, 0);
    world_pass(world, 98 * HOUR_MS);
    assert_true(is_there(closed));
    world_pass(world, 4 * HOUR_MS);
    assert_false(is_there(closed));
    assert_true(is_there(over));
    world_pass(world, 96 * HOUR_MS);
    assert_true(is_there(over));
    world_pass(world, 4 * HOUR_MS);
    assert_false(is_there(over));
    client_request(ada, "{'t':'get','what':'record','room':'%s'}", over);
    assert_int_equal(ada->status, 404);
    assert_int_equal(rooms_counts(world->rooms)->deleted_rooms, 2);
    assert_non_null(strstr(world->log, "deleted rooms=1 guests=0"));
    assert_true(guest_is_there(ada));
}

static void who_looks_at_a_room_is_told_that_it_is_deleted(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES];
    keep(0, 10 * HOUR_MS, 0);
    make_over(over);
    client_connect(bo, over);
    world_pass(world, 9 * HOUR_MS);
    assert_int_equal(bo->closed, 0);
    world_pass(world, 3 * HOUR_MS);
    assert_int_equal(bo->closed, 4000);
    client_connect(bo, over);
    assert_string_equal(client_refused(bo), "NO_ROOM");
}

/* A chat that comes while the room is being deleted. */
static void writing_to_a_deleted_room_is_refused(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES];
    make_over(over);
    client_connect(bo, over);
    struct store_question delete = {.kind = STORE_DELETE};
    struct store_answer answer;
    strcpy(delete.head.room, over);
    store_ask(world->store, &delete, &answer); /* by another process, unheard */
    assert_true(answer.found);
    client_say(bo, "{'t':'rematch','id':4,'key':'late'}");
    world_pass(world, 1000);
    assert_string_not_equal(client_refused(bo), "");
    assert_int_equal(bo->closed, 4000);
    assert_false(is_there(over));
}

static void records_are_written_before(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES], closed[STORE_ROOM_BYTES];
    world->keep.records = true;
    keep(HOUR_MS, HOUR_MS, 0);
    make_closed(closed);
    make_over(over);
    client_request(ada, "{'t':'get','what':'record','room':'%s'}", over);
    char *record = strdup(ada->body);
    world->save_fails = true;
    world_pass(world, 3 * HOUR_MS);
    assert_false(is_there(closed)); /* there is no record of it */
    assert_true(is_there(over));
    assert_true(world->saves > 1); /* it is tried again */
    world->save_fails = false;
    world_pass(world, HOUR_MS);
    assert_false(is_there(over));
    assert_string_equal(world->saved, record);
    assert_string_equal(world->saved_room, over);
    free(record);
}

/* Makes a room that is over and has no record, because its entries say nothing. */
static void make_unreadable(const char *room)
{
    const struct store_entry entry = {.kind = ENTRY_BEGIN, .decision = -1};
    struct store_question question = {
        .kind = STORE_APPEND, .first = 1, .entry = &entry, .entries = 1};
    struct store_answer answer;
    strcpy(question.head.room, room);
    question.head.over = true;
    question.head.changed = world->now;
    store_ask(world->store, &question, &answer);
    assert_int_equal(answer.outcome, STORE_STORED);
}

static void games_that_cannot_be_read_stay_until_they_can(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES];
    for (int i = 0; i < STORE_OLD_MAX + 1; i++) {
        char name[] = "unreadable2222aa";
        name[15] = (char)('a' + i);
        make_unreadable(name);
    }
    make_over(over);
    world->keep.records = true;
    keep(0, HOUR_MS, 0);
    world_pass(world, 3 * HOUR_MS);
    assert_false(is_there(over));
    assert_true(is_there("unreadable2222aa"));
    assert_non_null(strstr(world->log, "room-unreadable room=unreadable2222aa"));
    world->keep.records = false;
    keep(0, HOUR_MS, 0);
    world_pass(world, HOUR_MS);
    assert_false(is_there("unreadable2222aa"));
}

/* However much there is to delete, moves find the store free. */
static void little_is_deleted_at_a_time(void **state)
{
    (void)state;
    for (int i = 0; i < 26 * 26; i++) {
        char name[] = "oldoldoldoldoldd";
        name[14] = (char)('a' + i / 26);
        name[15] = (char)('a' + i % 26);
        make_unreadable(name);
    }
    keep(0, HOUR_MS, 0);
    world_pass(world, HOUR_MS);
    uint64_t before = rooms_counts(world->rooms)->deleted_rooms;
    for (int i = 0; i < 60; i++) {
        world_pass(world, 1000);
        uint64_t now = rooms_counts(world->rooms)->deleted_rooms;
        assert_true(now - before <= 20);
        before = now;
    }
    world_pass(world, HOUR_MS);
    assert_int_equal(rooms_counts(world->rooms)->deleted_rooms, 26 * 26);
}

static void a_failing_store_is_asked_again(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES];
    static const enum store_kind kinds[] = {STORE_OLD, STORE_DELETE};
    for (int i = 0; i < 4; i++) {
        keep(0, 0, 0);
        make_over(over);
        world_pass(world, 2 * HOUR_MS);
        *(i % 2 ? &world->unsure : &world->fails) = 1U << kinds[i / 2];
        keep(0, HOUR_MS, 0);
        world_pass(world, 1000);
        assert_true(is_there(over));
        world_pass(world, 2 * 60000);
        assert_false(is_there(over));
    }
}

/* ---- Guests ---------------------------------------------------------------------------------- */

static void guests_who_do_not_come_are_deleted(void **state)
{
    (void)state;
    struct client *cy = world_guest(world, "Cy");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ",'open':true,'clock':0"));
    keep(0, 0, 50 * HOUR_MS);
    client_connect(ada, room);
    client_connect(bo, room);
    client_sit(ada, 1);
    client_sit(bo, 2);
    client_say(ada, "{'t':'start','id':3,'key':'start'}");
    client_word(ada);
    client_word(bo);
    client_lose(ada); /* the game goes on: Ada and Bo stay */
    client_lose(bo);
    client_connect(cy, "");
    for (int i = 0; i < 10; i++) {
        world_pass(world, 10 * HOUR_MS);
        client_say(cy, "{'t':'ping'}");
    }
    assert_true(guest_is_there(cy));
    assert_true(guest_is_there(ada));
    client_lose(cy);
    world_pass(world, 40 * HOUR_MS);
    assert_true(guest_is_there(cy));
    world_pass(world, 36 * HOUR_MS);
    assert_false(guest_is_there(cy));
    assert_true(guest_is_there(ada));
    assert_true(guest_is_there(bo));
    client_connect(cy, "");
    assert_string_equal(client_refused(cy), "TOKEN_BAD");
}

static size_t asked_seen(void)
{
    size_t count = 0;
    for (size_t i = world->first; i < world->count; i++)
        count += world->question[i]->question.kind == STORE_SEEN;
    return count;
}

static void being_here_is_noted_once_a_day(void **state)
{
    (void)state;
    world_pass(world, 25 * HOUR_MS);
    world->store_waits = true;
    client_connect(ada, "");
    while (world_answer(world))
        assert_true(asked_seen() <= 1);
    for (int i = 0; i < 5; i++)
        client_say(ada, "{'t':'ping'}");
    assert_int_equal(asked_seen(), 0);
    world->store_waits = false;
}

/* ---- Chat and notes -------------------------------------------------------------------------- */

/* Returns true if the text of the chat in a room is there. */
static bool chat_is_there(const char *room)
{
    struct store_question question = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    strcpy(question.head.room, room);
    store_ask(world->store, &question, &answer);
    bool is_there = false;
    for (size_t i = 0; i < answer.entries; i++)
        is_there |= answer.entry[i].kind == ENTRY_CHAT && answer.entry[i].text.size > 0;
    free(answer.memory);
    return is_there;
}

static void make_note(uint64_t ms)
{
    struct store_question question = {.kind = STORE_NOTE,
                                      .note = {.id = "mute", .until = world->now + ms}};
    struct store_answer answer;
    store_ask(world->store, &question, &answer);
    assert_true(answer.found);
}

static bool note_is_there(void)
{
    struct store_question question = {.kind = STORE_NOTES};
    struct store_answer answer;
    store_ask(world->store, &question, &answer);
    bool is_there = answer.notes > 0;
    free(answer.memory);
    return is_there;
}

static void chat_is_deleted_a_month_after_the_end(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES];
    make_over_with_chat(over);
    make_note(HOUR_MS);
    world_pass(world, 3 * HOUR_MS);
    assert_false(note_is_there());
    world_pass(world, 29 * DAY_MS);
    assert_true(chat_is_there(over));
    world_pass(world, DAY_MS);
    assert_false(chat_is_there(over));
    assert_true(is_there(over));
}

/* More rooms than one step cleans are done within a minute, not one step an hour. */
static void much_chat_is_deleted_in_steps(void **state)
{
    (void)state;
    enum { ROOMS = 2 * STORE_CLEAN_MAX + 1 };
    struct store_entry entry = {.kind = ENTRY_CHAT, .decision = -1, .text = es_str("Hello")};
    strcpy(entry.guest, ada->guest);
    for (int i = 0; i < ROOMS; i++) {
        struct store_question question = {.kind = STORE_APPEND, .first = 1, .head.over = true};
        struct store_answer answer;
        question.entry = &entry;
        question.entries = 1;
        question.head.changed = world->now;
        snprintf(question.head.room, sizeof question.head.room, "old%03d", i);
        snprintf(question.head.code, sizeof question.head.code, "OLD%03u", (unsigned)i % 1000);
        store_ask(world->store, &question, &answer);
        assert_int_equal(answer.outcome, STORE_STORED);
    }
    world_pass(world, 30 * DAY_MS - HOUR_MS);
    assert_true(chat_is_there("old000"));
    for (int i = 0; i < 130 && chat_is_there("old000"); i++)
        world_pass(world, 60000);
    world_pass(world, 60000);
    for (int i = 0; i < ROOMS; i++) {
        char room[STORE_ROOM_BYTES];
        snprintf(room, sizeof room, "old%03d", i);
        assert_false(chat_is_there(room));
    }
}

/* ---- Time ------------------------------------------------------------------------------------ */

static void time_without_a_server_does_not_count(void **state)
{
    (void)state;
    keep(HOUR_MS, 100 * HOUR_MS, 100 * HOUR_MS);
    char over[STORE_ROOM_BYTES];
    make_over_with_chat(over);
    make_note(30 * DAY_MS);
    world_kill(world);
    world->now += 900 * DAY_MS; /* or the clock was wrong when the machine started */
    world_restart(world);
    world_pass(world, 3 * HOUR_MS);
    assert_true(note_is_there());
    world_pass(world, 87 * HOUR_MS);
    assert_true(guest_is_there(ada));
    assert_true(is_there(over));
    assert_true(chat_is_there(over));
    world_pass(world, 50 * HOUR_MS);
    assert_false(guest_is_there(ada));
    assert_false(is_there(over));
}

/* Chat and notes have terms that the page promises; and if a long gap was no wrong clock, they are
 * deleted when nobody has mended it for a week. */
static void terms_of_chat_and_notes_go_by_the_calendar(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES];
    make_over_with_chat(over);
    make_note(30 * DAY_MS);
    for (int day = 0; day < 29; day++) { /* the server is off every night */
        world_pass(world, DAY_MS / 2);
        world_kill(world);
        world->now += DAY_MS / 2;
        world_restart(world);
    }
    world_pass(world, DAY_MS / 2);
    assert_true(note_is_there());
    assert_true(chat_is_there(over));
    world_pass(world, DAY_MS);
    assert_false(note_is_there());
    assert_false(chat_is_there(over));
    make_over_with_chat(over);
    make_note(30 * DAY_MS);
    world_kill(world);
    world->now += 40 * DAY_MS;
    world_restart(world);
    world_pass(world, 6 * DAY_MS);
    assert_true(note_is_there());
    assert_true(chat_is_there(over));
    world_pass(world, 2 * DAY_MS);
    assert_false(note_is_there());
    assert_false(chat_is_there(over));
}

static void jump(void)
{
    world_pass(world, HOUR_MS / 2);
    world->wake = 0; /* the next input comes after the jump */
    world->now += 900 * DAY_MS;
    world_pass(world, 200 * HOUR_MS);
}

static void a_clock_that_is_set_forward_by_much_deletes_nothing(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES];
    keep(HOUR_MS, 100 * HOUR_MS, 100 * HOUR_MS);
    make_over_with_chat(over);
    make_note(HOUR_MS);
    jump();
    assert_true(guest_is_there(ada));
    assert_true(is_there(over));
    assert_true(chat_is_there(over));
    assert_true(note_is_there());
    assert_non_null(strstr(world->log, "keep-halted"));
}

/* Chat of old games is deleted, although games are kept. */
static void nor_does_it_where_everything_is_kept(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES];
    make_over_with_chat(over);
    jump();
    assert_true(chat_is_there(over));
    assert_non_null(strstr(world->log, "keep-halted"));
}

/* ---- Processes ------------------------------------------------------------------------------- */

static void of_several_processes_one_deletes(void **state)
{
    (void)state;
    struct world *two = calloc(1, sizeof *two), *one = calloc(1, sizeof *one);
    close_world(state);
    world = one;
    world_beside(one, NULL, 1);
    world_beside(two, one, 7);
    one->keep = two->keep =
        (struct rooms_keep){.rooms = HOUR_MS, .games = 5 * HOUR_MS, .records = true};
    world_restart(one);
    world_restart(two);
    ada = world_guest(one, "Ada");
    bo = world_guest(one, "Bo");
    struct client *cy = world_guest(two, "Cy");
    char over[STORE_ROOM_BYTES];
    make_over(over);
    client_connect(cy, over);
    world_pass(world, 4 * HOUR_MS);
    assert_int_equal(cy->closed, 0);
    world_pass(world, 3 * HOUR_MS);
    assert_int_equal(cy->closed, 4000); /* at the other process */
    assert_int_equal(one->saves + two->saves, 1);
    assert_int_equal(rooms_counts(one->rooms)->deleted_rooms, 1);
    assert_int_equal(rooms_counts(two->rooms)->deleted_rooms, 0);
    make_over(over);
    world_kill(one); /* then the other one does it */
    for (int i = 0; i < 7; i++)
        world_pass(two, HOUR_MS);
    world = two;
    assert_false(is_there(over));
    world = one;
    world_close(two);
    free(two);
}

int main(void)
{
#define KEEPING(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)
    const struct CMUnitTest tests[] = {
        KEEPING(rooms_are_deleted_some_time_after_their_end),
        KEEPING(who_looks_at_a_room_is_told_that_it_is_deleted),
        KEEPING(writing_to_a_deleted_room_is_refused),
        KEEPING(records_are_written_before),
        KEEPING(games_that_cannot_be_read_stay_until_they_can),
        KEEPING(little_is_deleted_at_a_time),
        KEEPING(a_failing_store_is_asked_again),
        KEEPING(guests_who_do_not_come_are_deleted),
        KEEPING(being_here_is_noted_once_a_day),
        KEEPING(chat_is_deleted_a_month_after_the_end),
        KEEPING(much_chat_is_deleted_in_steps),
        KEEPING(time_without_a_server_does_not_count),
        KEEPING(terms_of_chat_and_notes_go_by_the_calendar),
        KEEPING(a_clock_that_is_set_forward_by_much_deletes_nothing),
        KEEPING(nor_does_it_where_everything_is_kept),
        KEEPING(of_several_processes_one_deletes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
