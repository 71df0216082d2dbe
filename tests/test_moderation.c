/* Tests of what an operator does about people, and what people do about each other: blocks, mutes,
 * reports, removing from a room; in two processes that share a store. */
#include "check.h"
#include "rooms_world.h"
#include <stdlib.h>
#include <string.h>

#define METRO "game metro\\nplayers 3\\n"
#define DAY_MS (UINT64_C(24) * 3600000)

static struct world *one, *two;
static struct client *boss, *ada, *bo; /* the operator; a host at one; another person at two */
static char room[STORE_ROOM_BYTES], code[40];

/* A room by invitation, where Ada and Bo sit. */
static int open_room(void **state)
{
    (void)state;
    one = calloc(1, sizeof *one);
    two = calloc(1, sizeof *two);
    world_beside(one, NULL, 1);
    world_beside(two, one, 7);
    boss = world_stranger(one);
    ada = world_guest(one, "Ada");
    world_stranger(two); /* so that Bo's address is not Ada's */
    world_stranger(two);
    bo = world_guest(two, "Bo");
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ""));
    client_connect(ada, room);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_sit(ada, 1);
    client_connect_with(bo, room, code);
    client_sit(bo, 2);
    assert_true(client_heard(bo, "ok"));
    return 0;
}

static int close_room(void **state)
{
    (void)state;
    world_close(two);
    world_close(one);
    free(two);
    free(one);
    return 0;
}

/* The operator's answer, to be freed; fails unless the command was done. */
static json_t *done(void)
{
    assert_int_equal(boss->status, 200);
    json_t *answer = json_loads(boss->body, 0, NULL);
    assert_non_null(answer);
    return answer;
}

/* Lists notes of a kind. Returns how many, and a copy of the first one's id. */
static size_t notes(const char *kind, char id[80])
{
    client_command(boss, "{'t':'notes','kind':'%s'}", kind);
    json_t *answer = done(), *list = json_object_get(answer, "notes");
    size_t count = json_array_size(list);
    if (count > 0)
        snprintf(id, 80, "%s", json_string_value(json_object_get(json_array_get(list, 0), "id")));
    json_decref(answer);
    return count;
}

/* How often the log of the first process has this. */
static size_t logged(const char *what)
{
    size_t count = 0;
    for (const char *at = one->log; (at = strstr(at, what)) != NULL; at++)
        count++;
    return count;
}

static const char *kind_of_seat(const struct client *client, size_t seat)
{
    json_t *seats = json_object_get(client->room, "seats");
    return json_string_value(json_object_get(json_array_get(seats, seat - 1), "kind"));
}

/* ---- Blocking -------------------------------------------------------------------------------- */

static void make_guest(struct client *client)
{
    client_request(client, "{'t':'guest','name':'New','colour':1,'label':'x'}");
}

static void a_blocked_guest_does_not_come_back(void **state)
{
    (void)state;
    client_command(boss, "{'t':'block','guest':'%s','days':10,'address':true}", bo->guest);
    json_decref(done());
    assert_non_null(strstr(one->log, "operator act=block guest="));
    assert_non_null(strstr(one->log, "days=10 address=yes status=200"));
    assert_int_equal(bo->closed, 4002);
    world_pass(one, 1000);
    assert_string_equal(kind_of_seat(ada, 2), "open");
    client_connect_with(bo, room, code); /* with the old token */
    assert_string_equal(client_refused(bo), "BLOCKED");
    assert_int_equal(bo->closed, 4000);
    make_guest(bo); /* with the cookie */
    assert_int_equal(bo->status, 403);
    assert_string_equal(bo->body, "{\"code\":\"BLOCKED\"}");
    bo->token[0] = 0;
    make_guest(bo); /* without it, from the same address */
    assert_int_equal(bo->status, 403);
    make_guest(ada); /* others may */
    assert_int_equal(ada->status, 200);
    world_pass(one, 10 * DAY_MS);
    make_guest(bo);
    assert_int_equal(bo->status, 200);
    char id[80];
    assert_int_equal(notes("blocks", id), 0);
    assert_int_equal(notes("addresses", id), 0);
}

static void an_address_is_learnt_when_they_come_again(void **state)
{
    (void)state;
    char token[80], id[80];
    client_lose(bo); /* nobody knows where they are */
    client_command(boss, "{'t':'block','guest':'%s','address':true}", bo->guest);
    json_decref(done());
    assert_int_equal(notes("addresses", id), 0);
    client_connect(bo, room);
    assert_string_equal(client_refused(bo), "BLOCKED");
    assert_int_equal(notes("addresses", id), 1);
    snprintf(token, sizeof token, "%s", bo->token);
    bo->token[0] = 0;
    make_guest(bo);
    assert_int_equal(bo->status, 403);
    /* They cannot have everybody's addresses blocked by going there. */
    for (int i = 0; i < 8; i++) {
        struct client *other = world_stranger(two);
        snprintf(other->token, sizeof other->token, "%s", token);
        client_connect(other, "");
        assert_string_equal(client_refused(other), "BLOCKED");
    }
    assert_int_equal(notes("addresses", id), 5);
    world_pass(one, 30 * DAY_MS);
    assert_int_equal(notes("addresses", id), 0);
}

static void without_the_address_others_can_come_from_there(void **state)
{
    (void)state;
    char id[80];
    client_command(boss, "{'t':'block','guest':'%s'}", bo->guest);
    json_decref(done());
    client_connect(bo, room);
    assert_string_equal(client_refused(bo), "BLOCKED");
    assert_int_equal(notes("addresses", id), 0);
    assert_int_equal(notes("blocks", id), 1);
    assert_string_equal(id, bo->guest);
    bo->token[0] = 0;
    make_guest(bo);
    assert_int_equal(bo->status, 200);
}

static void unblocking_lets_them_come_again(void **state)
{
    (void)state;
    char id[80];
    client_command(boss, "{'t':'block','guest':'%s','address':true}", bo->guest);
    json_decref(done());
    client_command(boss, "{'t':'unblock','guest':'%s'}", bo->guest);
    json_decref(done());
    assert_int_equal(notes("blocks", id), 0);
    assert_int_equal(notes("addresses", id), 0);
    client_connect(bo, room);
    assert_string_equal(client_refused(bo), "TOKEN_BAD"); /* the guest was deleted */
    make_guest(bo);
    assert_int_equal(bo->status, 200);
    client_command(boss, "{'t':'unblock','guest':'%s'}", bo->guest);
    assert_int_equal(boss->status, 404);
    assert_non_null(strstr(one->log, "operator act=unblock"));
    assert_non_null(strstr(one->log, "status=404"));
    client_command(boss, "{'t':'block','guest':'%s','days':366}", ada->guest);
    assert_int_equal(boss->status, 400);
}

/* A block whose outcome is unknown is asked for again, as a block. */
static void a_block_is_not_lost_in_doubt(void **state)
{
    (void)state;
    char id[80];
    one->unsure = 1U << STORE_FORGET;
    client_command(boss, "{'t':'block','guest':'%s'}", bo->guest);
    world_pass(one, 2000);
    assert_int_equal(notes("blocks", id), 1);
    client_connect(bo, room);
    assert_string_equal(client_refused(bo), "BLOCKED");
}

/* ---- Muting ---------------------------------------------------------------------------------- */

static void a_muted_guest_is_not_heard(void **state)
{
    (void)state;
    client_say(bo, "{'t':'chat','key':'c1','text':'before'}");
    assert_true(client_heard(bo, "ok"));
    client_command(boss, "{'t':'mute','guest':'%s','days':2}", bo->guest);
    json_decref(done());
    client_say(bo, "{'t':'chat','key':'c2','text':'after'}");
    assert_string_equal(client_refused(bo), "MUTED");
    client_say(bo, "{'t':'react','what':'clap'}");
    assert_string_equal(client_refused(bo), "MUTED");
    client_say(bo, "{'t':'chat','key':'c1','text':'before'}");
    assert_true(client_heard(bo, "ok")); /* it was said */
    client_say(bo, "{'t':'name','name':'Said by a name','colour':2}");
    assert_string_equal(client_refused(bo), "MUTED");
    client_say(bo, "{'t':'name','name':'Bo','colour':2}");
    assert_true(client_heard(bo, "ok"));
    client_connect(bo, room); /* and again, at another process */
    client_say(bo, "{'t':'chat','key':'c2','text':'after'}");
    assert_string_equal(client_refused(bo), "MUTED");
    world_pass(one, 2 * DAY_MS);
    client_connect(bo, room);
    client_say(bo, "{'t':'chat','key':'c2','text':'after'}");
    assert_true(client_heard(bo, "ok"));
}

static void unmuting_lets_them_speak(void **state)
{
    (void)state;
    client_command(boss, "{'t':'mute','guest':'%s'}", bo->guest);
    json_decref(done());
    client_command(boss, "{'t':'unmute','guest':'%s'}", bo->guest);
    json_decref(done());
    client_say(bo, "{'t':'chat','key':'c','text':'hello'}");
    assert_true(client_heard(bo, "ok"));
    client_command(boss, "{'t':'unmute','guest':'%s'}", bo->guest);
    assert_int_equal(boss->status, 404);
    client_command(boss, "{'t':'mute','guest':'aaaaaaaaaaaaaaaa'}");
    assert_int_equal(boss->status, 404);
}

/* ---- Telling people apart ------------------------------------------------------------------- */

static const char *who_of_seat(const struct client *client, size_t seat)
{
    json_t *seats = json_object_get(client->room, "seats");
    return json_string_value(json_object_get(json_array_get(seats, seat - 1), "who"));
}

/* Whoever mutes somebody means the person, whose seat and name may change. */
static void people_are_the_same_in_another_seat_and_by_another_name(void **state)
{
    (void)state;
    char who[STORE_ROOM_BYTES];
    client_say(bo, "{'t':'leave','key':'l'}");
    client_sit(bo, 3);
    snprintf(who, sizeof who, "%s", who_of_seat(ada, 3));
    assert_string_not_equal(who, who_of_seat(ada, 1));
    assert_string_not_equal(who, bo->guest);
    client_say(bo, "{'t':'name','name':'Bob','colour':2}");
    client_say(bo, "{'t':'chat','key':'c','text':'hello'}");
    assert_true(client_heard(ada, "chat"));
    assert_string_equal(client_text(ada, "who"), who);
    client_say(ada, "{'t':'start','key':'s'}");
    assert_string_equal(who_of_seat(ada, 2), who);
    client_say(bo, "{'t':'react','what':'clap'}");
    assert_true(client_heard(ada, "react"));
    assert_int_equal(client_int(ada, "seat"), 2);
    assert_string_equal(client_text(ada, "who"), who);
    struct client *cy = world_guest(two, "Cy"); /* whom Ada's process does not know */
    client_connect_with(cy, room, code);
    client_say(cy, "{'t':'react','what':'wow'}");
    assert_true(client_heard(ada, "react"));
    assert_string_not_equal(client_text(ada, "who"), who);
    snprintf(who, sizeof who, "%s", client_text(ada, "who"));
    client_say(cy, "{'t':'chat','key':'c','text':'hello'}");
    assert_true(client_heard(ada, "chat"));
    assert_string_equal(client_text(ada, "who"), who);
    char other[STORE_ROOM_BYTES];
    snprintf(other, sizeof other, "%s", world_room(ada, METRO, ""));
    client_connect(ada, other);
    client_sit(ada, 1);
    assert_string_not_equal(who_of_seat(ada, 1), who_of_seat(bo, 1)); /* in another room */
}

/* ---- Removing -------------------------------------------------------------------------------- */

static void a_message_is_removed(void **state)
{
    (void)state;
    client_say(bo, "{'t':'chat','key':'c1','text':'rude'}");
    client_say(bo, "{'t':'chat','key':'c2','text':'polite'}");
    assert_true(client_heard(ada, "chat"));
    client_command(boss, "{'t':'remove','room':'%s','n':3}", room);
    assert_int_equal(boss->status, 404);
    client_command(boss, "{'t':'remove','room':'%s','n':1}", room);
    json_decref(done());
    assert_true(client_heard(ada, "unsaid"));
    assert_int_equal(client_int(ada, "n"), 1);
    assert_true(client_heard(bo, "unsaid")); /* at the other process */
    client_command(boss, "{'t':'remove','room':'%s','n':1}", room);
    json_decref(done());
    assert_false(client_heard(bo, "unsaid"));
    client_connect(ada, room); /* is told only of the other */
    assert_true(client_heard(ada, "chat"));
    assert_string_equal(client_text(ada, "text"), "polite");
    struct store_question read = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    memcpy(read.head.room, room, sizeof read.head.room);
    store_ask(one->store, &read, &answer);
    for (size_t i = 0; i < answer.entries; i++)
        assert_false(es_str_is(answer.entry[i].text, "rude"));
    free(answer.memory);
}

static void who_was_away_learns_what_was_removed(void **state)
{
    (void)state;
    client_say(bo, "{'t':'chat','key':'c1','text':'rude'}");
    assert_true(client_heard(ada, "chat"));
    client_lose(ada); /* and the page still shows it */
    client_command(boss, "{'t':'remove','room':'%s','n':1}", room);
    json_decref(done());
    client_connect(ada, room);
    assert_true(client_heard(ada, "unsaid"));
    assert_int_equal(client_int(ada, "n"), 1);
    assert_false(client_heard(ada, "chat"));
}

static void whom_the_host_removes_cannot_sit_down_again(void **state)
{
    (void)state;
    struct client *cy = world_guest(two, "Cy");
    client_connect_with(cy, room, code);
    client_say(bo, "{'t':'remove','key':'r','seat':1}");
    assert_string_equal(client_refused(bo), "NOT_HOST");
    client_say(ada, "{'t':'remove','key':'r','seat':1}");
    assert_string_equal(client_refused(ada), "FIELD_BAD"); /* themself */
    client_say(ada, "{'t':'remove','key':'r','seat':3}");
    assert_string_equal(client_refused(ada), "NOT_SEATED");
    client_say(ada, "{'t':'remove','key':'r','seat':2}");
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(kind_of_seat(ada, 2), "open");
    client_sit(bo, 2);
    assert_string_equal(client_refused(bo), "REMOVED");
    client_say(bo, "{'t':'chat','key':'c','text':'but why'}");
    assert_string_equal(client_refused(bo), "REMOVED");
    client_say(bo, "{'t':'react','what':'sorry'}");
    assert_string_equal(client_refused(bo), "REMOVED");
    client_sit(cy, 2);
    assert_true(client_heard(cy, "ok"));
    client_say(ada, "{'t':'remove','key':'r','seat':2}"); /* again: it is done */
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(kind_of_seat(ada, 2), "person");
    client_say(ada, "{'t':'remove','key':'r','seat':3}");
    assert_string_equal(client_refused(ada), "KEY_USED");
    world_kill(two); /* it is in the room's list */
    world_start(two);
    client_connect_with(bo, room, code);
    client_sit(bo, 3);
    assert_string_equal(client_refused(bo), "REMOVED");
}

/* ---- Reports --------------------------------------------------------------------------------- */

static void reports_come_to_the_operator(void **state)
{
    (void)state;
    char id[80];
    client_say(bo, "{'t':'chat','key':'c','text':'rude \\\\ words'}");
    client_say(ada, "{'t':'report','id':4,'n':1}");
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(client_int(ada, "id"), 4);
    client_say(ada, "{'t':'report','n':1}"); /* the same once more is one report */
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'report','seat':2}");
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(notes("reports", id), 2);
    assert_int_equal(logged("reported"), 2);
    client_say(bo, "{'t':'report','n':1}"); /* their own */
    assert_string_equal(client_refused(bo), "FIELD_BAD");
    client_say(ada, "{'t':'report','n':2}");
    assert_string_equal(client_refused(ada), "FIELD_BAD");
    client_say(ada, "{'t':'report','seat':3}");
    assert_string_equal(client_refused(ada), "FIELD_BAD");
    client_command(boss, "{'t':'notes','kind':'reports'}");
    assert_non_null(strstr(boss->body, ada->guest));
    assert_non_null(strstr(boss->body, bo->guest));
    assert_non_null(strstr(boss->body, room));
    assert_non_null(strstr(boss->body, "rude"));
    client_command(boss, "{'t':'done','report':'%s'}", id);
    json_decref(done());
    assert_int_equal(notes("reports", id), 1);
    world_pass(one, 30 * DAY_MS);
    assert_int_equal(notes("reports", id), 0); /* deleted after a term */
}

static void reports_have_a_limit(void **state)
{
    (void)state;
    char id[80];
    for (int i = 0; i < 11; i++) {
        client_say(bo, "{'t':'chat','key':'c%d','text':'%d'}", i, i);
        client_say(ada, "{'t':'report','n':%d}", i + 1);
        if (i < 10)
            assert_true(client_heard(ada, "ok"));
        world_pass(one, 2000);
    }
    assert_string_equal(client_refused(ada), "TOO_MANY");
    assert_int_equal(notes("reports", id), 10);
    assert_int_equal(logged("reported"), 10);
}

static uint64_t limited(const struct world *world, enum rooms_limit limit)
{
    return rooms_counts(world->rooms)->limited[limit];
}

static void who_has_many_open_reports_waits(void **state)
{
    (void)state;
    char id[80];
    for (int i = 0; i < 21; i++) {
        client_say(bo, "{'t':'chat','key':'c%d','text':'%d'}", i, i);
        client_say(ada, "{'t':'report','n':%d}", i + 1);
        if (i < 20)
            assert_true(client_heard(ada, "ok"));
        world_pass(one, 10 * 60000);
    }
    assert_string_equal(client_refused(ada), "TOO_MANY");
    assert_int_equal(limited(one, ROOMS_LIMIT_reports_open), 1);
    assert_int_equal(logged("reported"), 20);
    assert_int_equal(notes("reports", id), 20);
    client_command(boss, "{'t':'done','report':'%s'}", id);
    json_decref(done());
    client_say(ada, "{'t':'report','n':21}");
    assert_true(client_heard(ada, "ok"));
}

/* There is a place for 5,000, and each is kept for 30 days. */
static void one_network_cannot_take_all_places_of_reports(void **state)
{
    (void)state;
    struct client *crowd[4]; /* which the world puts in one network … */
    size_t taken = 0;
    world_stranger(two); /* … and Bo, who came before, in another */
    for (int i = 0; i < 4; i++) {
        crowd[i] = world_guest(two, "Crowd");
        client_connect_with(crowd[i], room, code);
    }
    client_say(bo, "{'t':'chat','key':'c','text':'hello'}");
    for (int hour = 0; hour < 6; hour++) {
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 10; k++) {
                client_say(crowd[i], "{'t':'report','n':1}");
                taken += client_heard(crowd[i], "ok");
            }
        world_pass(one, 3600000);
    }
    assert_int_equal(taken, 150);
    assert_int_equal(limited(two, ROOMS_LIMIT_reports_of_network), 50);
    assert_int_equal(limited(two, ROOMS_LIMIT_reports_of_address), 40);
    client_say(ada, "{'t':'report','n':1}");
    assert_true(client_heard(ada, "ok"));
    world_pass(one, DAY_MS);
    client_say(crowd[0], "{'t':'report','n':1}");
    assert_true(client_heard(crowd[0], "ok"));
}

/* ---- The log --------------------------------------------------------------------------------- */

static void what_is_read_and_who_is_removed_is_logged(void **state)
{
    (void)state;
    char line[120], id[80];
    static const char *const words[] = {"show", "people"};
    for (size_t i = 0; i < 2; i++) {
        client_command(boss, "{'t':'%s','room':'%s'}", words[i], room);
        json_decref(done());
        snprintf(line, sizeof line, "act=%s room=%s status=200", words[i], room);
        assert_int_equal(logged(line), 1);
    }
    notes("reports", id);
    assert_int_equal(logged("act=reports status=200"), 1);
    notes("blocks", id); /* in which nothing is that anybody wrote */
    assert_int_equal(logged("act="), 3);
    client_say(ada, "{'t':'remove','key':'r','seat':2}");
    assert_true(client_heard(ada, "ok"));
    snprintf(line, sizeof line, "removed=%s", bo->guest);
    assert_int_equal(logged("person-removed"), 1);
    assert_int_equal(logged(line), 1);
}

/* ---- The operator's lists -------------------------------------------------------------------- */

static size_t rooms_that(const char *filter)
{
    client_command(boss, "{'t':'rooms'%s}", filter);
    json_t *answer = done();
    size_t count = json_array_size(json_object_get(answer, "rooms"));
    assert_string_equal(json_string_value(json_object_get(answer, "after")), "");
    json_decref(answer);
    return count;
}

static void rooms_are_listed_with_filters(void **state)
{
    (void)state;
    char filter[80];
    world_pass(one, 3 * DAY_MS);
    client_connect(bo, "");
    world_room(bo, "game verplant\\nmap practice\\nplayers 2\\n", ",'open':true");
    assert_int_equal(rooms_that(""), 2);
    assert_int_equal(rooms_that(",'game':'metro'"), 1);
    assert_int_equal(rooms_that(",'game':'chess'"), 0);
    assert_int_equal(rooms_that(",'open':true"), 1);
    assert_int_equal(rooms_that(",'open':false"), 1);
    assert_int_equal(rooms_that(",'phase':'waiting'"), 2);
    assert_int_equal(rooms_that(",'phase':'over'"), 0);
    assert_int_equal(rooms_that(",'days':1"), 1);
    snprintf(filter, sizeof filter, ",'guest':'%s'", ada->guest);
    assert_int_equal(rooms_that(filter), 1);
    snprintf(filter, sizeof filter, ",'guest':'%s','game':'verplant'", ada->guest);
    assert_int_equal(rooms_that(filter), 0);
    client_command(boss, "{'t':'rooms','guest':'x'}");
    assert_int_equal(boss->status, 400);
    assert_null(strstr(boss->body, "code\":\"2"));
}

/* Nobody can do anything there, and it is never over: the operator can see it, and delete it. */
static void a_room_that_cannot_be_read_is_listed_and_deleted(void **state)
{
    (void)state;
    static const char id[] = "unreadable2222aa";
    const struct store_entry entry = {.kind = 'z', .decision = -1, .time = one->now};
    struct store_question question = {
        .kind = STORE_APPEND, .first = 1, .entry = &entry, .entries = 1};
    struct store_answer answer;
    strcpy(question.head.room, id);
    strcpy(question.head.code, "UNREADABLE22");
    store_ask(one->store, &question, &answer);
    assert_int_equal(answer.outcome, STORE_STORED);
    struct store_question read = {.kind = STORE_READ, .first = 1};
    strcpy(read.head.room, id);
    store_ask(one->store, &read, &answer);
    assert_non_null(strstr(rooms_check(one->rooms, &answer), "of a kind"));
    free(answer.memory);
    assert_int_equal(rooms_that(""), 2);
    assert_int_equal(rooms_that(",'phase':'unreadable'"), 1);
    assert_non_null(strstr(boss->body, id));
    assert_int_equal(rooms_that(",'phase':'waiting'"), 1);
    assert_int_equal(rooms_that(",'game':'metro'"), 1);
    assert_int_equal(rooms_that(",'open':false"), 1);
    client_command(boss, "{'t':'close','room':'%s'}", id);
    assert_string_equal(boss->body, "{\"code\":\"UNREADABLE\"}");
    client_command(boss, "{'t':'delete','room':'%s'}", room);
    assert_string_equal(boss->body, "{\"code\":\"READABLE\"}");
    client_command(boss, "{'t':'delete','room':'%s'}", id);
    json_decref(done());
    assert_int_equal(logged("act=delete room=unreadable2222aa status=200"), 1);
    assert_int_equal(rooms_that(""), 1);
    client_command(boss, "{'t':'delete','room':'%s'}", id);
    assert_string_equal(boss->body, "{\"code\":\"NO_ROOM\"}");
    client_connect(bo, id);
    assert_string_equal(client_refused(bo), "NO_ROOM");
}

static void many_rooms_come_in_pages(void **state)
{
    (void)state;
    size_t seen = 0, pages = 0;
    char after[STORE_ROOM_BYTES] = "";
    for (int i = 0; i < 14; i++) { /* a guest makes ten in an hour */
        struct client *client = world_guest(two, "Host");
        client_connect(client, "");
        for (int k = 0; k < 10; k++)
            client_say(client, "{'t':'make','key':'k%d','setup':'" METRO "'}", k);
        assert_true(client_heard(client, "ok"));
        client_lose(client);
    }
    do {
        client_command(boss, "{'t':'rooms','after':'%s'}", after);
        json_t *answer = done();
        seen += json_array_size(json_object_get(answer, "rooms"));
        snprintf(after, sizeof after, "%s", json_string_value(json_object_get(answer, "after")));
        json_decref(answer);
        pages++;
    } while (after[0]);
    assert_int_equal(seen, 141);
    assert_int_equal(pages, 2);
}

/* Nothing of a game that players may not know, and nothing that lets somebody in. */
static void a_room_is_shown_without_secrets(void **state)
{
    (void)state;
    client_say(bo, "{'t':'chat','key':'c','text':'hello'}");
    client_say(ada, "{'t':'start','key':'s'}");
    client_word(ada);
    client_word(bo);
    client_say(ada, "{'t':'move','decision':0,'event':'1 draw'}");
    client_command(boss, "{'t':'show','room':'%s'}", room);
    json_t *answer = done();
    assert_string_equal(json_string_value(json_object_get(answer, "phase")), "playing");
    assert_string_equal(json_string_value(json_object_get(answer, "host")), ada->guest);
    assert_int_equal(json_array_size(json_object_get(answer, "seats")), 2);
    assert_int_equal(json_array_size(json_object_get(answer, "chat")), 1);
    json_t *chat = json_array_get(json_object_get(answer, "chat"), 0);
    assert_string_equal(json_string_value(json_object_get(chat, "guest")), bo->guest);
    static const char *const secrets[] = {"code", "secret", "seed", "word", "hand", "token"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++)
        assert_null(strstr(boss->body, secrets[i]));
    json_decref(answer);
    client_command(boss, "{'t':'show','room':'%s','before':1}", room);
    answer = done();
    assert_int_equal(json_array_size(json_object_get(answer, "chat")), 0);
    json_decref(answer);
    client_command(boss, "{'t':'show','room':'aaaaaaaaaaaaaaaa'}");
    assert_int_equal(boss->status, 404);
}

/* While the store fails, the operator hears of it and can try again. */
static void a_failing_store_is_said(void **state)
{
    (void)state;
    one->fails = 1U << STORE_READ;
    client_command(boss, "{'t':'rooms'}");
    assert_int_equal(boss->status, 503);
    one->fails = 1U << STORE_PAGE_ROOMS;
    client_command(boss, "{'t':'rooms'}");
    assert_int_equal(boss->status, 503);
    assert_int_equal(rooms_that(""), 1);
    one->fails = 1U << STORE_NOTED;
    make_guest(ada);
    assert_int_equal(ada->status, 503);
}

int main(void)
{
#define IN_ROOM(test) cmocka_unit_test_setup_teardown(test, open_room, close_room)
    const struct CMUnitTest tests[] = {
        IN_ROOM(a_blocked_guest_does_not_come_back),
        IN_ROOM(an_address_is_learnt_when_they_come_again),
        IN_ROOM(without_the_address_others_can_come_from_there),
        IN_ROOM(unblocking_lets_them_come_again),
        IN_ROOM(a_block_is_not_lost_in_doubt),
        IN_ROOM(a_muted_guest_is_not_heard),
        IN_ROOM(unmuting_lets_them_speak),
        IN_ROOM(people_are_the_same_in_another_seat_and_by_another_name),
        IN_ROOM(a_message_is_removed),
        IN_ROOM(who_was_away_learns_what_was_removed),
        IN_ROOM(whom_the_host_removes_cannot_sit_down_again),
        IN_ROOM(reports_come_to_the_operator),
        IN_ROOM(reports_have_a_limit),
        IN_ROOM(who_has_many_open_reports_waits),
        IN_ROOM(one_network_cannot_take_all_places_of_reports),
        IN_ROOM(what_is_read_and_who_is_removed_is_logged),
        IN_ROOM(rooms_are_listed_with_filters),
        IN_ROOM(a_room_that_cannot_be_read_is_listed_and_deleted),
        IN_ROOM(many_rooms_come_in_pages),
        IN_ROOM(a_room_is_shown_without_secrets),
        IN_ROOM(a_failing_store_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
