/* Tests of the rooms' logic: every message of docs/protocol.md, what it does and when it is
 * refused. The simulation (tests/sim) covers faults and chance. */
#include "check.h"
#include "rooms_world.h"
#include <endstation/fair.h>
#include <stdlib.h>
#include <string.h>

static struct world *world;

static int open_world(void **state)
{
    (void)state;
    world = calloc(1, sizeof *world);
    world_open(world, 1);
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    world_close(world);
    free(world);
    return 0;
}

static const char *phase_of(const struct client *client)
{
    return json_string_value(json_object_get(client->room, "phase"));
}

/* A game of two people; they have sat down and their words are there. */
static const char *two_play(struct client *ada, struct client *bo, const char *setup,
                            const char *more)
{
    static char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, setup, more));
    client_connect(ada, room);
    client_connect(bo, room);
    client_sit(ada, 1);
    assert_true(client_heard(ada, "ok"));
    client_sit(bo, 0);
    assert_true(client_heard(bo, "ok"));
    client_say(ada, "{'t':'start','key':'start'}");
    assert_true(client_heard(ada, "ok"));
    client_word(ada);
    client_word(bo);
    assert_string_equal(phase_of(ada), "playing");
    return room;
}

static struct es_status_result {
    es_status status;
} verify(const char *text, size_t *chances)
{
    struct es_record *record = calloc(1, sizeof *record);
    struct es_map *map = calloc(1, sizeof *map);
    struct es_state state;
    struct es_fault fault = {0};
    struct es_fair_facts facts;
    record->events = calloc(ES_EVENTS_MAX, sizeof *record->events);
    record->capacity = ES_EVENTS_MAX;
    es_status status = es_record_read(record, es_str(text), NULL, map, &state, &fault);
    if (!status)
        status = es_fair_verify(record, es_str(text), NULL, &state, &facts, &fault);
    *chances = facts.chances;
    free(record->events);
    free(record);
    free(map);
    return (struct es_status_result){status};
}

static void a_whole_game(const char *setup)
{
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world);
    const char *room = two_play(ada, bo, setup, ",'open':true");
    client_connect(eve, room);
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
    assert_string_equal(phase_of(eve), "over");
    char *records[3] = {NULL};
    struct client *all[] = {ada, bo, eve};
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < all[i]->count; k++) {
            json_t *message = all[i]->heard[k];
            if (strcmp(json_string_value(json_object_get(message, "t")), "record") == 0)
                records[i] = (char *)json_string_value(json_object_get(message, "text"));
        }
    assert_non_null(records[0]);
    assert_string_equal(records[0], records[1]);
    assert_string_equal(records[0], records[2]);
    size_t chances;
    assert_int_equal(verify(records[0], &chances).status, ES_OK);
    assert_true(chances > 10);
    assert_non_null(strstr(records[0], "\nplayer 1 Ada\nplayer 2 Bo\n"));
}

static void verplant_is_played_to_the_end(void **state)
{
    (void)state;
    a_whole_game("game verplant\\nmap berlin\\nplayers 2\\n");
}

static void metro_is_played_to_the_end(void **state)
{
    (void)state;
    a_whole_game("game metro\\nplayers 2\\n");
}

static void bots_play_their_seats(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s",
             world_room(ada,
                        "game verplant\\nmap berlin\\nplayers 3\\nrules special\\nbot 2 random"
                        "\\nbot 3 greedy\\n",
                        ""));
    client_connect(ada, room);
    client_sit(ada, 0);
    client_say(ada, "{'t':'start','key':'s'}");
    client_word(ada);
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
}

static void whoever_may_enter_gets_the_sheet(void **state)
{
    (void)state;
    static const char map[] = "endstation-map 1\\npaper ffffff\\ntitle Two\\nid two\\n"
                              "station s1 4 2 : One\\nstation s2 3 2 : Two\\n"
                              "station s3 3 1 : Three\\nstation s4 1 4 : Four\\n"
                              "line A a8bb6d windows 3 points 5 1 wagon -1 0 : s1 s2 s3\\n"
                              "line B 6ebc3d windows 4 points 4 2 wagon -1 1 : s4 s3\\n";
    struct client *ada = world_guest(world, "Ada"), *eve = world_stranger(world);
    char room[STORE_ROOM_BYTES], setup[200], code[STORE_CODE_BYTES];
    client_request(ada, "{'t':'map','text':'%s'}", map);
    assert_int_equal(ada->status, 200);
    const char *hash = strstr(ada->body, ":\"") + 2;
    snprintf(setup, sizeof setup, "game verplant\\nmap two %.*s\\nplayers 2\\n",
             (int)strcspn(hash, "\""), hash);
    snprintf(room, sizeof room, "%s", world_room(ada, setup, ""));
    client_connect(ada, room);
    snprintf(code, sizeof code, "%s", json_string_value(json_object_get(ada->room, "code")));
    client_request(eve, "{'t':'get','what':'map','room':'%s'}", room);
    assert_int_equal(eve->status, 404);
    client_request(eve, "{'t':'get','what':'map','room':'%s','code':'%s'}", room, code);
    assert_int_equal(eve->status, 200);
    assert_non_null(strstr(eve->body, "endstation-map 1\npaper ffffff\ntitle Two\nid two\n"));
    snprintf(room, sizeof room, "%s",
             world_room(ada, "game verplant\\nmap berlin\\nplayers 2\\n", ",'open':true"));
    client_request(eve, "{'t':'get','what':'map','room':'%s'}", room);
    assert_int_equal(eve->status, 404);
    assert_non_null(strstr(eve->body, "BUILT_IN"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(verplant_is_played_to_the_end, open_world, close_world),
        cmocka_unit_test_setup_teardown(metro_is_played_to_the_end, open_world, close_world),
        cmocka_unit_test_setup_teardown(bots_play_their_seats, open_world, close_world),
        cmocka_unit_test_setup_teardown(whoever_may_enter_gets_the_sheet, open_world, close_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
