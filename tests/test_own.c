/* Tests of GET /api/me: a guest gets everything that the server has about them, and nothing that
 * others have done before a game is over. */
#include "check.h"
#include "rooms_world.h"
#include <stdlib.h>
#include <string.h>

#define METRO "game metro\\nplayers 2\\n"

static struct world *world;
static struct client *ada, *bo;

static int open_world(void **state)
{
    (void)state;
    world = calloc(1, sizeof *world);
    world->limits.rooms_of_guest = 100;
    world->limits.rooms_of_address = 100;
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

/* Gets a page, to be freed. */
static json_t *page(struct client *client, const char *after)
{
    client_request(client, "{'t':'get','what':'me','after':'%s'}", after);
    assert_int_equal(client->status, 200);
    assert_string_equal(client->type, "application/json");
    json_t *answer = json_loads(client->body, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(answer);
    return answer;
}

static const char *text(const json_t *object, const char *name)
{
    const char *value = json_string_value(json_object_get(object, name));
    return value ? value : "";
}

/* The room with this id in a page; NULL: it is not there. */
static const json_t *room_in(const json_t *answer, const char *room)
{
    const json_t *rooms = json_object_get(answer, "rooms");
    for (size_t i = 0; i < json_array_size(rooms); i++)
        if (strcmp(text(json_array_get(rooms, i), "room"), room) == 0)
            return json_array_get(rooms, i);
    return NULL;
}

static char code[40];

/* Makes a room by invitation, in which both sit. */
static const char *make_room(const char *setup)
{
    static char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, setup, ""));
    client_connect(ada, room);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(bo, room, code);
    client_sit(ada, 1);
    client_sit(bo, 2);
    return room;
}

static void begin(void)
{
    client_say(ada, "{'t':'start','id':3,'key':'start'}");
    client_word(ada);
    client_word(bo);
}

static void leave(void)
{
    client_lose(ada);
    client_lose(bo);
}

static void chat(struct client *client, const char *words)
{
    static int number;
    client_say(client, "{'t':'chat','id':77,'key':'chat%d','text':'%s'}", number++, words);
    assert_true(client_heard(client, "ok"));
}

static void guests_get_what_is_theirs(void **state)
{
    (void)state;
    char over[STORE_ROOM_BYTES], other[STORE_ROOM_BYTES];
    struct client *cy = world_guest(world, "Cy");
    snprintf(over, sizeof over, "%s", make_room(METRO));
    client_connect_with(cy, over, code);
    chat(ada, "mine");
    chat(bo, "his");
    chat(cy, "hers");
    client_say(ada, "{'t':'report','id':8,'n':2}");
    assert_true(client_heard(ada, "ok"));
    begin();
    world_play(world);
    leave();
    snprintf(other, sizeof other, "%s", world_room(bo, METRO, "")); /* not hers */
    client_request(ada, "{'t':'get','what':'record','room':'%s'}", over);
    char *record = strdup(ada->body);

    json_t *answer = page(ada, "");
    const json_t *me = json_object_get(answer, "me"), *room = room_in(answer, over);
    assert_string_equal(text(me, "guest"), ada->guest);
    assert_string_equal(text(me, "name"), "Ada");
    assert_int_equal(json_array_size(json_object_get(me, "devices")), 1);
    assert_null(strstr(ada->body, ada->token));
    const json_t *reports = json_object_get(answer, "reports");
    assert_int_equal(json_array_size(reports), 1);
    assert_non_null(strstr(text(json_array_get(reports, 0), "text"), "\"text\":\"his\""));
    assert_int_equal(json_array_size(json_object_get(answer, "rooms")), 1);
    assert_null(room_in(answer, other));
    assert_non_null(room);
    assert_string_equal(text(room, "game"), "metro");
    assert_string_equal(text(room, "phase"), "over");
    assert_int_equal(json_integer_value(json_object_get(room, "seat")), 1);
    assert_string_equal(text(room, "record"), record);
    const json_t *chats = json_object_get(room, "chat");
    assert_int_equal(json_array_size(chats), 1);
    assert_string_equal(text(json_array_get(chats, 0), "text"), "mine");
    assert_string_equal(text(answer, "after"), "");
    json_decref(answer);
    free(record);

    /* Who has no seat gets what they wrote, and nothing about the game. */
    answer = page(cy, "");
    room = room_in(answer, over);
    assert_non_null(room);
    assert_int_equal(json_object_size(room), 2);
    assert_string_equal(text(json_array_get(json_object_get(room, "chat"), 0), "text"), "hers");
    assert_int_equal(json_array_size(json_object_get(answer, "reports")), 0);
    json_decref(answer);
}

static void much_comes_in_pages(void **state)
{
    (void)state;
    enum { MANY = 2 * STORE_PAGE_MINE_MAX + 3 };
    char after[STORE_ROOM_BYTES] = "", last[STORE_ROOM_BYTES] = "";
    size_t rooms = 0;
    for (int i = 0; i < MANY; i++) {
        world_room(ada, METRO, "");
        world_pass(world, 60000);
    }
    for (int i = 0; i == 0 || after[0]; i++) {
        json_t *answer = page(ada, after), *list = json_object_get(answer, "rooms");
        assert_int_equal(json_object_get(answer, "me") != NULL, i == 0);
        assert_true(json_array_size(list) <= STORE_PAGE_MINE_MAX);
        for (size_t k = 0; k < json_array_size(list); k++, rooms++) {
            assert_true(strcmp(text(json_array_get(list, k), "room"), last) > 0);
            strcpy(last, text(json_array_get(list, k), "room"));
        }
        strcpy(after, text(answer, "after"));
        json_decref(answer);
    }
    assert_int_equal(rooms, MANY);
}

/* A page with long records and much chat ends early, and nothing is left out. */
static void long_pages_end_early(void **state)
{
    (void)state;
    char words[401] = "", after[STORE_ROOM_BYTES] = "";
    size_t rooms = 0, pages = 0;
    memset(words, 'x', 290);
    for (int i = 0; i < 5; i++) {
        make_room(METRO);
        for (int k = 0; k < 250; k++) {
            chat(ada, words);
            world_pass(world, 2000);
        }
        leave();
    }
    do {
        json_t *answer = page(ada, after);
        assert_true(strlen(ada->body) < 450000);
        rooms += json_array_size(json_object_get(answer, "rooms"));
        strcpy(after, text(answer, "after"));
        json_decref(answer);
        pages++;
    } while (after[0]);
    assert_int_equal(rooms, 5);
    assert_true(pages > 1);
}

/* What somebody enters in an open round, and that they have, shows in nothing. */
static void open_rounds_stay_hidden(void **state)
{
    (void)state;
    make_room("game verplant\\nmap practice\\nplayers 2\\n");
    begin();
    world_pass(world, 1000);
    json_t *answer = page(ada, "");
    char *before = strdup(ada->body);
    json_decref(answer);
    assert_null(strstr(before, "\"record\""));
    assert_true(client_move(bo));
    answer = page(ada, "");
    assert_string_equal(ada->body, before);
    json_decref(answer);
    free(before);
    answer = page(bo, ""); /* his own he gets */
    const json_t *room = json_array_get(json_object_get(answer, "rooms"), 0);
    const json_t *moves = json_object_get(room, "moves");
    assert_true(json_array_size(moves) > 0);
    for (size_t i = 0; i < json_array_size(moves); i++)
        assert_int_equal(strncmp(json_string_value(json_array_get(moves, i)), "2 ", 2), 0);
    json_decref(answer);
}

/* Also of a room that one has made without sitting down there. */
static void who_hosts_gets_settings_and_code(void **state)
{
    (void)state;
    char room[STORE_ROOM_BYTES], own[STORE_CODE_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ",'clock':60,'hints':true"));
    client_connect(ada, room);
    snprintf(own, sizeof own, "%s", json_string_value(json_object_get(ada->room, "code")));
    snprintf(code, sizeof code, ",'code':'%s'", own);
    client_connect_with(bo, room, code);
    chat(bo, "who has neither");
    json_t *answer = page(ada, "");
    const json_t *mine = room_in(answer, room);
    assert_string_equal(text(mine, "code"), own);
    assert_string_equal(text(mine, "game"), "metro");
    assert_string_equal(text(mine, "phase"), "waiting");
    assert_string_equal(text(mine, "setup"), "game metro\nplayers 2\n");
    assert_int_equal(json_integer_value(json_object_get(mine, "clock")), 60);
    assert_true(json_is_true(json_object_get(mine, "host")));
    assert_null(json_object_get(mine, "seat"));
    json_decref(answer);
    answer = page(bo, "");
    assert_int_equal(json_object_size(room_in(answer, room)), 2);
    json_decref(answer);
}

static void strangers_and_mistakes_are_refused(void **state)
{
    (void)state;
    struct client *nobody = world_stranger(world);
    client_request(nobody, "{'t':'get','what':'me'}");
    assert_int_equal(nobody->status, 403);
    client_request(ada, "{'t':'get','what':'me','after':'../../x'}");
    assert_int_equal(ada->status, 400);
    world->fails = 1U << STORE_PAGE_MINE;
    client_request(ada, "{'t':'get','what':'me'}");
    assert_int_equal(ada->status, 503);
    for (int i = 0; i < 60 && ada->status != 429; i++)
        client_request(ada, "{'t':'get','what':'me'}");
    assert_int_equal(ada->status, 429);
    assert_int_equal(rooms_counts(world->rooms)->limited[ROOMS_LIMIT_pages_of_guest], 1);
    json_decref(page(bo, "")); /* others are not held up */
    world_pass(world, 60000);
    json_decref(page(ada, ""));
}

int main(void)
{
#define OWN(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)
    const struct CMUnitTest tests[] = {
        OWN(guests_get_what_is_theirs),
        OWN(much_comes_in_pages),
        OWN(long_pages_end_early),
        OWN(open_rounds_stay_hidden),
        OWN(who_hosts_gets_settings_and_code),
        OWN(strangers_and_mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
