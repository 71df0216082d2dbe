/* Tests of the rooms' logic: every message of docs/protocol.md, what it does and when it is
 * refused. The simulation (tests/sim) covers faults and chance. */
#include "check.h"
#include "rooms_world.h"
#include <endstation/fair.h>
#include <malloc.h>
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
    char code[40];
    client_connect(ada, room);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(bo, room, code);
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

/* Checks a record's shuffle; returns its chance events, and who sent no word. */
static size_t verified(const char *text, unsigned *missing)
{
    struct es_record *record = calloc(1, sizeof *record);
    struct es_map *map = calloc(1, sizeof *map);
    struct es_state state;
    struct es_fault fault = {0};
    struct es_fair_facts facts;
    record->events = calloc(ES_EVENTS_MAX, sizeof *record->events);
    record->capacity = ES_EVENTS_MAX;
    if (es_record_read(record, es_str(text), NULL, map, &state, &fault) ||
        es_fair_verify(record, es_str(text), NULL, &state, &facts, &fault))
        fail_msg("%d: %s\n%s", fault.line, fault.reason, text);
    assert_true(facts.proved);
    *missing = facts.missing;
    free(record->events);
    free(record);
    free(map);
    return facts.chances;
}

/* The record that a client was told; NULL: none. */
static const char *record_of(const struct client *client)
{
    for (size_t i = client->count; i-- > 0;)
        if (strcmp(json_string_value(json_object_get(client->heard[i], "t")), "record") == 0)
            return json_string_value(json_object_get(client->heard[i], "text"));
    return NULL;
}

static json_t *seat_of(const struct client *client, int seat)
{
    return json_array_get(json_object_get(client->room, "seats"), (size_t)seat - 1);
}

static const char *seat_text(const struct client *client, int seat, const char *field)
{
    const char *text = json_string_value(json_object_get(seat_of(client, seat), field));
    return text ? text : "";
}

static bool seat_is(const struct client *client, int seat, const char *field)
{
    return json_is_true(json_object_get(seat_of(client, seat), field));
}

static bool is_due(const struct client *client, int seat)
{
    size_t i;
    json_t *due;
    json_array_foreach(client->due, i, due) if (json_integer_value(due) == seat) return true;
    return false;
}

/* How many moves of a seat a client has seen. */
static int moves_of(const struct client *client, int seat)
{
    char prefix[8];
    int count = 0;
    snprintf(prefix, sizeof prefix, "\n%d ", seat);
    for (const char *at = strstr(client->view, "\n\n"); at && (at = strstr(at, prefix)); at++)
        count++;
    return count;
}

#define SOLO "game verplant\\nmap berlin\\nplayers 2\\n"
#define METRO "game metro\\nplayers 2\\n"

/* How often a limit has been reached. */
#define LIMITED(name) (rooms_counts(world->rooms)->limited[ROOMS_LIMIT_##name])

static void a_whole_game(const char *setup)
{
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world);
    client_connect(eve, two_play(ada, bo, setup, ",'open':true"));
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
    assert_string_equal(phase_of(eve), "over");
    const char *record = record_of(ada);
    unsigned missing;
    assert_non_null(record);
    assert_string_equal(record, record_of(bo));
    assert_string_equal(record, record_of(eve));
    assert_true(verified(record, &missing) > 10);
    assert_int_equal(missing, 0);
    assert_non_null(strstr(record, "\nplayer 1 Ada\nplayer 2 Bo\n"));
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

/* ---- Hello ---- */

/* Opens a connection to the lobby that has said nothing. */
static void knock_from(struct client *client, uint64_t address, uint64_t network)
{
    client->connection = ++world->next_connection;
    client->closed = 0;
    rooms_step(world->rooms, &(struct rooms_input){.kind = ROOMS_OPENED,
                                                   .now = world->now,
                                                   .connection = client->connection,
                                                   .path = ROOMS_LOBBY,
                                                   .address = address,
                                                   .network = network});
}

static void knock(struct client *client)
{
    knock_from(client, 99, 99);
}

static void hello_comes_first(void **state)
{
    (void)state;
    struct client *eve = world_stranger(world);
    knock(eve);
    client_say(eve, "{'t':'ping'}");
    assert_string_equal(client_refused(eve), "HELLO_FIRST");
    assert_int_equal(eve->closed, 4000);
    client_connect(eve, "");
    eve->read = 0;
    assert_true(client_heard(eve, "welcome"));
    assert_string_equal(client_text(eve, "guest"), "");
    assert_true(client_heard(eve, "lobby"));
    client_say(eve, "{'t':'ping'}");
    assert_true(client_heard(eve, "pong"));
    /* The cookie identifies a guest, too; a cookie that is not known is ignored. */
    struct client *ada = world_guest(world, "Ada");
    char *tokens[] = {ada->token, "0123"};
    for (int i = 0; i < 2; i++) {
        eve->connection = ++world->next_connection;
        rooms_step(world->rooms, &(struct rooms_input){.kind = ROOMS_OPENED,
                                                       .now = world->now,
                                                       .connection = eve->connection,
                                                       .path = ROOMS_LOBBY,
                                                       .token = es_str(tokens[i])});
        client_say(eve, "{'t':'hello','v':1}");
        assert_true(client_heard(eve, "welcome"));
        assert_string_equal(client_text(eve, "name"), i == 0 ? "Ada" : "");
    }
}

static void wrong_tokens_and_rooms_are_turned_away(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    struct client *eve = world_stranger(world);
    client_connect(eve, "abcdefghijklmnop");
    assert_int_equal(eve->closed, 4000);
    client_connect(eve, room); /* by invitation: as if it were not there */
    assert_int_equal(eve->closed, 4000);
    json_t *last = eve->heard[eve->count - 1], *first = eve->heard[0];
    assert_true(json_equal(last, first));
    client_connect(eve, "no such id");
    assert_true(json_equal(eve->heard[eve->count - 1], first));
    snprintf(eve->token, sizeof eve->token, "%064d", 0);
    client_connect(eve, "");
    eve->read = eve->count - 1;
    assert_string_equal(client_refused(eve), "TOKEN_BAD");
    client_connect(ada, room);
    char more[64];
    snprintf(more, sizeof more, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    eve->token[0] = 0;
    client_connect_with(eve, room, more);
    assert_int_equal(eve->closed, 0);
    assert_string_equal(phase_of(eve), "waiting");
}

static void another_protocol_version_is_refused(void **state)
{
    (void)state;
    struct client *eve = world_stranger(world);
    knock(eve);
    client_say(eve, "{'t':'hello','v':2,'token':7}"); /* another version may have other fields */
    assert_string_equal(client_refused(eve), "VERSION");
    assert_int_equal(eve->closed, 4001);
}

/* In every message, a field of a wrong type is refused and not taken as missing. */
static void fields_of_a_wrong_type_are_refused(void **state)
{
    (void)state;
    static const char *const hello[] = {"'token':7", "'code':null", "'have':'3'", "'have':1.5"};
    static const char *const messages[] = {
        "'t':'name','name':['Ada']",
        "'t':'name','name':'Ada','colour':'3'",
        "'t':'withdraw','device':{}",
        "'t':'find','code':12345678",
        "'t':'make','key':'k','setup':'" METRO "','open':1",
        "'t':'make','key':'k','setup':'" METRO "','watch':'false'",
        "'t':'make','key':'k','setup':'" METRO "','hints':null",
        "'t':'make','key':'k','setup':'" METRO "','clock':'60'",
        "'t':'make','key':'k','setup':'" METRO "','patience':60.0",
        "'t':'make','key':7,'setup':'" METRO "'",
        "'t':'sit','key':'k','seat':'2','hash':'00'",
        "'t':'seat','key':'k','seat':2,'bot':null",
        "'t':'give','key':'k','bot':false",
        "'t':'word','word':5",
        "'t':'move','decision':'0','event':'1 A1'",
        "'t':'move','decision':0,'event':1",
        "'t':'chat','key':'k','text':7",
        "'t':'react','what':[]",
        "'t':'ping','id':'1'",
        "'t':7",
    };
    static const char *const requests[] = {
        "'t':'guest','name':7",
        "'t':'guest','name':'Ada','colour':'3'",
        "'t':'guest','name':'Ada','label':[]",
        "'t':'device','ticket':7",
        "'t':'device','ticket':'abcdefghijklmnopabcdefghijklmnop','label':null",
    };
    struct client *eve = world_stranger(world), *ada = world_guest(world, "Ada");
    for (size_t i = 0; i < sizeof hello / sizeof hello[0]; i++) {
        knock(eve);
        client_say(eve, "{'t':'hello','v':1,%s}", hello[i]);
        assert_string_equal(client_refused(eve), "FIELD_BAD");
        assert_int_equal(eve->closed, 4000);
    }
    client_connect(ada, world_room(ada, SOLO, ""));
    for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++) {
        client_say(ada, "{%s}", messages[i]);
        if (strcmp(client_refused(ada), "FIELD_BAD") != 0)
            fail_msg("%s is not refused", messages[i]);
        world_pass(world, 1000);
    }
    client_say(ada, "{'t':'ping','taste':'sweet','id':3}"); /* what is unknown is ignored */
    assert_true(client_heard(ada, "pong"));
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
        client_request(eve, "{%s}", requests[i]);
        assert_int_equal(eve->status, 400);
        assert_string_equal(eve->body, "{\"code\":\"FIELD_BAD\"}");
    }
}

static void repeated_field_names_are_refused(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, "");
    client_say(ada, "{'t':'ping','t':'ping'}");
    assert_int_equal(ada->closed, 1007);
    client_request(ada, "{'t':'guest','name':'Ada','name':'Bo'}");
    assert_int_equal(ada->status, 400);
}

static void silence_garbage_and_floods_end_a_connection(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, "");
    client_send(ada, es_str("{"));
    assert_int_equal(ada->closed, 1007);
    client_connect(ada, "");
    client_send(ada, es_str("[1]"));
    assert_int_equal(ada->closed, 1007);
    client_connect(ada, "");
    static char long_message[ROOMS_MESSAGE_MAX + 10];
    memset(long_message, ' ', sizeof long_message - 1);
    client_send(ada, es_str(long_message));
    assert_int_equal(ada->closed, 1009);
    client_connect(ada, "");
    for (int i = 0; i < 19; i++)
        client_say(ada, "{'t':'ping'}");
    assert_int_equal(ada->closed, 0);
    client_say(ada, "{'t':'ping'}");
    assert_int_equal(ada->closed, 1008);
    client_connect(ada, "");
    for (int i = 0; i < 99; i++) {
        client_say(ada, "{'t':'ping'}");
        world_pass(world, 100);
    }
    assert_int_equal(ada->closed, 0);
    client_say(ada, "{'t':'ping'}");
    assert_int_equal(ada->closed, 1008);
    /* Opened, and nothing said. */
    struct client *eve = world_stranger(world);
    knock(eve);
    world_pass(world, 6000);
    assert_int_equal(eve->closed, 1008);
    /* The process stood still meanwhile: what eve has said is not read yet. */
    knock(eve);
    world->now += 8000;
    client_connect(ada, "");
    assert_int_equal(eve->closed, 0);
    client_say(eve, "{'t':'hello','v':1}");
    assert_true(client_heard(eve, "welcome"));
}

static void an_address_has_at_most_fifty_connections(void **state)
{
    (void)state;
    struct client *eve = world_stranger(world);
    uint64_t first = world->next_connection + 1;
    for (int i = 0; i < 50; i++) {
        knock(eve);
        assert_int_equal(eve->closed, 0);
    }
    knock(eve);
    assert_int_equal(eve->closed, 1013);
    for (uint64_t i = first; i <= world->next_connection; i++)
        rooms_step(world->rooms,
                   &(struct rooms_input){.kind = ROOMS_GONE, .now = world->now, .connection = i});
    eve->connection = 0;
    eve->closed = 0;
}

static unsigned wait_of(uint64_t address, uint64_t network, uint64_t later)
{
    return rooms_wait(world->rooms, world->now + later, address, network);
}

static void an_address_makes_forty_requests_in_four_seconds(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++)
        assert_int_equal(wait_of(7, 1, 0), 0);
    assert_int_equal(wait_of(7, 1, 0), 4);
    assert_int_equal(wait_of(8, 1, 0), 0);
    assert_int_equal(wait_of(7, 1, 3001), 1);
    for (int i = 0; i < 40; i++)
        assert_int_equal(wait_of(7, 1, 4000), 0);
    assert_int_equal(wait_of(7, 1, 4000), 4);
    world->now += 4000;
}

static void a_network_makes_ten_times_as_many_requests(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 400; i++)
        assert_int_equal(wait_of(100 + i / 40, 1, 0), 0);
    assert_int_equal(wait_of(99, 1, 0), 4);
    assert_int_equal(LIMITED(requests_of_network), 1);
    assert_int_equal(LIMITED(requests), 0);
    assert_int_equal(wait_of(99, 2, 0), 0);
    assert_int_equal(wait_of(98, 1, 3999), 1);
    assert_int_equal(wait_of(99, 1, 4000), 0);
    world->now += 4000;
}

/* ---- Making and finding ---- */

static void a_room_is_made_once(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, "");
    client_say(ada, "{'t':'make','id':7,'key':'k1','setup':'" SOLO "'}");
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(client_int(ada, "id"), 7);
    char room[20], code[40];
    snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    snprintf(code, sizeof code, "%s", client_text(ada, "code"));
    assert_int_equal(strlen(code), 12);
    client_say(ada, "{'t':'make','key':'k1','setup':'" SOLO "'}");
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(client_text(ada, "room"), room);
    assert_string_equal(client_text(ada, "code"), code);
    world_restart(world);
    client_connect(ada, "");
    client_say(ada, "{'t':'make','key':'k1','setup':'" SOLO "'}");
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(client_text(ada, "room"), room);
    client_say(ada, "{'t':'make','key':'k1','setup':'" SOLO "','clock':60}");
    assert_string_equal(client_refused(ada), "KEY_USED");
    struct client *bo = world_guest(world, "Bo");
    client_connect(bo, "");
    client_say(bo, "{'t':'make','key':'k1','setup':'" SOLO "'}");
    assert_true(client_heard(bo, "ok"));
    assert_string_not_equal(client_text(bo, "room"), room);
    client_say(bo, "{'t':'find','code':'%s'}", code);
    assert_true(client_heard(bo, "ok"));
    assert_string_equal(client_text(bo, "room"), room);
    client_say(bo, "{'t':'find','code':'AAAAAAAAAAAA'}");
    assert_string_equal(client_refused(bo), "NO_ROOM");
}

/* The key that made a room says nothing about what is done there, as that of another room. */
static void a_key_that_made_a_room_may_be_used_there(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    client_connect(ada, "");
    client_say(ada, "{'t':'make','key':'1','setup':'" METRO "','open':true}");
    assert_true(client_heard(ada, "ok"));
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    client_connect(ada, room);
    client_connect(bo, room);
    const char *hash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    client_say(ada, "{'t':'sit','key':'1','hash':'%s'}", hash);
    assert_true(client_heard(ada, "ok"));
    client_sit(bo, 2);
    world_restart(world);
    client_connect(ada, room);
    client_say(ada, "{'t':'sit','key':'1','hash':'%s'}", hash);
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'start','key':'2'}");
    client_say(ada, "{'t':'give','key':'3','bot':'random'}");
    client_connect(bo, room);
    world_pass(world, 11000);
    client_say(bo, "{'t':'give','key':'3','bot':'random'}");
    for (int i = 0; i < 1000 && strcmp(phase_of(ada), "over") != 0; i++)
        world_pass(world, 2000);
    client_say(ada, "{'t':'rematch','key':'4'}");
    assert_true(client_heard(ada, "ok"));
    client_connect(ada, client_text(ada, "room"));
    client_say(ada, "{'t':'sit','key':'4','hash':'%s'}", hash);
    assert_true(client_heard(ada, "ok"));
    /* It is still the key of the room that it made. */
    client_say(ada, "{'t':'make','key':'1','setup':'" METRO "','open':true}");
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(client_text(ada, "room"), room);
}

static void make_with_bad_fields_is_refused(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"'setup':'" SOLO "'", "KEY_BAD"},
        {"'key':'a b','setup':'" SOLO "'", "KEY_BAD"},
        {"'key':'k'", "FIELD_BAD"},
        {"'key':'k','setup':'game chess\\nplayers 2\\n'", "SETUP_BAD"},
        {"'key':'k','setup':'game metro\\nplayers 9\\n'", "SETUP_BAD"},
        {"'key':'k','setup':'game metro\\nplayers 2\\nplayer 1 Eve\\n'", "SETUP_BAD"},
        {"'key':'k','setup':'game metro\\nplayers 2\\nnote x\\n'", "SETUP_BAD"},
        {"'key':'k','setup':'game metro\\nplayers 2\\n\\ndeal 1 aaaa\\n'", "SETUP_BAD"},
        {"'key':'k','setup':'game metro\\nplayers 2\\nbot 1 wizard\\n'", "BOT_UNKNOWN"},
        {"'key':'k','setup':'game verplant\\nmap atlantis\\nplayers 2\\n'", "MAP_UNKNOWN"},
        {"'key':'k','setup':'game verplant\\nmap atlantis 00000000000000000000000000000000"
         "\\nplayers 2\\n'",
         "MAP_UNKNOWN"},
        {"'key':'k','setup':'" METRO "','clock':14}", "FIELD_BAD"},
        {"'key':'k','setup':'" METRO "','clock':259201", "FIELD_BAD"},
        {"'key':'k','setup':'" METRO "','patience':1", "FIELD_BAD"},
    };
    struct client *ada = world_guest(world, "Ada");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        client_connect(ada, "");
        client_say(ada, "{'t':'make',%s}", bad[i][0]);
        if (ada->closed)
            continue; /* one of them is no JSON */
        assert_string_equal(client_refused(ada), bad[i][1]);
    }
    struct client *eve = world_stranger(world);
    client_connect(eve, "");
    client_say(eve, "{'t':'make','key':'k','setup':'" METRO "'}");
    assert_string_equal(client_refused(eve), "GUEST_NEEDED");
    client_say(eve, "{'t':'dance'}");
    assert_string_equal(client_refused(eve), "UNKNOWN");
}

/* The operator is told what becomes of rooms, once each. */
static void the_operator_is_told_of_rooms(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES], log[400];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ""));
    client_say(ada, "{'t':'start','key':'start'}");
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
    snprintf(log, sizeof log, "room-made room=%s guest=%s\ngame-begun room=%s\ngame-over room=%s\n",
             room, ada->guest, room, room);
    assert_string_equal(world->log, log);
    world->log[0] = '\0';
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    client_connect(ada, room);
    client_say(ada, "{'t':'close','key':'x'}");
    assert_true(client_heard(ada, "ok"));
    snprintf(log, sizeof log, "room-made room=%s guest=%s\nroom-closed room=%s why=host\n", room,
             ada->guest, room);
    assert_string_equal(world->log, log);
}

/* Nothing is told or counted before it is durable. */
static void the_operator_is_told_of_what_is_stored(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, "");
    world->outcome = STORE_UNKNOWN;
    client_say(ada, "{'t':'make','key':'k','setup':'" SOLO "'}");
    assert_true(client_heard(ada, "ok"));
    char log[100];
    snprintf(log, sizeof log, "room-made room=%s guest=%s\n", client_text(ada, "room"), ada->guest);
    assert_string_equal(world->log, log);
}

/* A move is counted in the class of the time until its confirmation. */
static void moves_are_timed_until_they_are_confirmed(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    const struct es__times *moves = &rooms_counts(world->rooms)->moves;
    two_play(ada, bo, METRO, "");
    struct client *who = is_due(ada, 1) ? ada : bo;
    world->store_waits = true;
    client_move(who);
    client_say(who, "{'t':'move','decision':0,'event':'nonsense'}"); /* refusals are not counted */
    world->now += 40;
    while (world_answer(world))
        continue;
    world->store_waits = false;
    assert_true(client_heard(who, "ok"));
    assert_int_equal(moves->sum, 40000);
    for (int i = 0; i <= ES__TIMES_ENDS; i++)
        assert_int_equal(moves->count[i], i < ES__TIMES_ENDS && es__times_end[i] == 50000);
}

static void the_number_of_rooms_made_is_limited(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    for (int i = 0; i < 10; i++)
        world_room(ada, METRO, "");
    client_connect(ada, "");
    client_say(ada, "{'t':'make','key':'one-more','setup':'" METRO "'}");
    assert_string_equal(client_refused(ada), "TOO_MANY");
    assert_int_equal(LIMITED(rooms_of_guest), 1);
    world_pass(world, 3600000);
    world_room(ada, METRO, "");
    struct client *eve = world_stranger(world);
    client_connect(eve, "");
    for (int i = 0; i < 20; i++) {
        client_say(eve, "{'t':'find','code':'AAAAAAAA'}");
        assert_string_equal(client_refused(eve), "NO_ROOM");
        world_pass(world, 1000);
    }
    client_say(eve, "{'t':'find','code':'AAAAAAAA'}");
    assert_string_equal(client_refused(eve), "TOO_MANY");
    assert_int_equal(LIMITED(codes_of_address), 1);
    for (int i = 0; i < 29; i++)
        client_request(ada, "{'t':'guest','name':'Ada'}");
    assert_int_equal(ada->status, 200);
    client_request(ada, "{'t':'guest','name':'Ada'}");
    client_request(ada, "{'t':'guest','name':'Ada'}");
    assert_int_equal(ada->status, 429);
    assert_int_equal(LIMITED(guests_of_address), 1);
}

/* The limits count rooms, not messages: a repeated message gets its answer again, and rooms that
 * are still being made count. */
static void the_last_room_is_made_once(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, "");
    world->store_waits = true;
    for (int i = 0; i < 12; i++)
        client_say(ada, "{'t':'make','key':'k%d','setup':'" METRO "'}", i);
    world->store_waits = false;
    ada->read = ada->count;
    world_pass(world, 1000);
    int made = 0;
    char room[STORE_ROOM_BYTES] = "";
    while (client_heard(ada, "ok")) {
        made++;
        snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    }
    assert_int_equal(made, 10);
    client_say(ada, "{'t':'make','key':'k9','setup':'" METRO "'}");
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(client_text(ada, "room"), room);
    client_say(ada, "{'t':'make','key':'k10','setup':'" METRO "'}");
    assert_string_equal(client_refused(ada), "TOO_MANY");
}

static void repeated_messages_make_no_rooms(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, "");
    for (int i = 0; i < 12; i++) {
        client_say(ada, "{'t':'make','key':'k','setup':'" METRO "'}");
        assert_true(client_heard(ada, "ok"));
        world_pass(world, 1000);
    }
    for (int i = 1; i < 10; i++)
        world_room(ada, METRO, "");
    client_say(ada, "{'t':'make','key':'last','setup':'" METRO "'}");
    assert_string_equal(client_refused(ada), "TOO_MANY");
}

/* The ways to give a code: to a lobby, to a room, and with a request. */
static bool lets_in(struct client *client, const char *room, const char *code)
{
    char more[80];
    bool is_found, is_in;
    client_connect(client, "");
    client_say(client, "{'t':'find','code':'%s'}", code);
    is_found = client_heard(client, "ok");
    snprintf(more, sizeof more, ",'code':'%s'", code);
    client_connect_with(client, room, more);
    is_in = !client->closed;
    if (is_in)
        assert_string_equal(json_string_value(json_object_get(client->room, "room")), room);
    client_request(client, "{'t':'get','what':'room','room':'%s','code':'%s'}", room, code);
    assert_int_equal(client->status == 200, is_in);
    assert_int_equal(is_found, is_in);
    return is_in;
}

/* Gives a room a code of eight characters, like those of rooms that were made when all codes had
 * eight. Restarts the server. */
static void make_code_short(const char *room, char code[STORE_CODE_BYTES])
{
    struct store_question question = {.kind = STORE_READ, .first = 1};
    struct store_answer answer, stored;
    snprintf(question.head.room, sizeof question.head.room, "%s", room);
    store_ask(world->store, &question, &answer);
    assert_true(answer.found);
    question = (struct store_question){
        .kind = STORE_APPEND, .head = answer.head, .first = answer.entries + 1};
    question.head.code[8] = '\0';
    store_ask(world->store, &question, &stored);
    assert_int_equal(stored.outcome, STORE_STORED);
    strcpy(code, question.head.code);
    free(answer.memory);
    free(stored.memory);
    world_restart(world);
}

/* Makes a room by invitation; returns its id and its code in static memory. */
static const char *room_with_code(struct client *host, char code[STORE_CODE_BYTES])
{
    static char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(host, SOLO, ""));
    client_connect(host, room);
    snprintf(code, STORE_CODE_BYTES, "%s", json_string_value(json_object_get(host->room, "code")));
    return room;
}

static void codes_may_be_written_in_groups_and_in_small_letters(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char code[STORE_CODE_BYTES], text[40];
    const char *room = room_with_code(ada, code);
    assert_true(lets_in(bo, room, code));
    snprintf(text, sizeof text, "%.4s-%.4s-%.4s", code, code + 4, code + 8);
    assert_true(lets_in(bo, room, text));
    snprintf(text, sizeof text, " %.4s %.4s  %.4s ", code, code + 4, code + 8);
    for (char *c = text; *c; c++)
        if (*c >= 'A' && *c <= 'Z')
            *c = (char)(*c - 'A' + 'a');
    assert_true(lets_in(bo, room, text));
    snprintf(text, sizeof text, "%.4s\xe2\x80\x93%.8s", code, code + 4); /* an en dash */
    assert_true(lets_in(bo, room, text));
    static const char *const wrong[] = {"", "-", "%.11s", "%sA", "A%s", "%.8s"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(text, sizeof text, wrong[i], code);
        assert_false(lets_in(bo, room, text));
    }
}

/* Wrong codes, from however many addresses, keep nobody out who has the right one: neither others
 * nor those who come from the same address. */
static void wrong_codes_keep_nobody_out(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo"), *eve[12];
    char code[STORE_CODE_BYTES];
    const char *room = room_with_code(ada, code);
    for (int i = 0; i < 12; i++) {
        eve[i] = world_stranger(world);
        for (int k = 0; k < 30; k++) {
            client_connect(eve[i], "");
            client_say(eve[i], "{'t':'find','code':'%s'}", k % 3 ? "AAAABBBBCCCC" : "AAAABBBB");
            assert_string_equal(client_refused(eve[i]), "NO_ROOM");
            client_request(eve[i], "{'t':'get','what':'room','room':'%s','code':'AAAABBBBCCCC'}",
                           room);
            assert_int_equal(eve[i]->status, 404);
        }
    }
    for (int i = 0; i < 12; i++)
        assert_true(lets_in(eve[i], room, code));
    assert_true(lets_in(bo, room, code));
    assert_int_equal(LIMITED(codes_of_address), 0);
}

/* Codes of eight characters, which rooms had before, are still good; but they could be guessed, so
 * wrong ones of that length are counted, and then right ones are refused, too, in every message. */
static void short_codes_cannot_be_guessed(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *eve = world_guest(world, "Eve");
    char code[STORE_CODE_BYTES], new_code[STORE_CODE_BYTES], room[STORE_ROOM_BYTES];
    char new_room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", room_with_code(ada, code));
    snprintf(new_room, sizeof new_room, "%s", room_with_code(ada, new_code));
    make_code_short(room, code);
    assert_true(lets_in(eve, room, code));
    for (int i = 0; i < 10; i++) {
        client_connect_with(eve, room, ",'code':'AAAABBBB'");
        eve->read = eve->count - 1;
        assert_string_equal(client_refused(eve), "NO_ROOM");
        client_request(eve, "{'t':'get','what':'room','room':'%s','code':'AAAABBBB'}", room);
        assert_int_equal(eve->status, 404);
    }
    char more[64];
    snprintf(more, sizeof more, ",'code':'%s'", code);
    const char *const rooms[] = {room, "abcdefghijklmnop"}; /* the second does not exist */
    for (int i = 0; i < 2; i++) {
        client_connect_with(eve, rooms[i], more);
        eve->read = eve->count - 1;
        assert_string_equal(client_refused(eve), "TOO_MANY");
        client_request(eve, "{'t':'get','what':'room','room':'%s','code':'%s'}", rooms[i], code);
        assert_int_equal(eve->status, 429);
    }
    assert_true(lets_in(eve, new_room, new_code));
    client_connect_with(ada, room, ",'code':'AAAABBBB'"); /* needs no code, so any will do */
    assert_int_equal(ada->closed, 0);
    world_pass(world, 3600000);
    assert_true(lets_in(eve, room, code));
}

/* The addresses of a network have such a limit together. The first four clients are in one. */
static void short_codes_cannot_be_guessed_by_a_network(void **state)
{
    (void)state;
    world->limits.of_network = 2;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada"), *eve = NULL;
    char code[STORE_CODE_BYTES], room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", room_with_code(ada, code));
    make_code_short(room, code);
    for (int i = 0; i < 4; i++) {
        eve = world_guest(world, "Eve");
        client_connect(eve, "");
        for (int k = 0; k < 20 && i < 2; k++) {
            client_say(eve, "{'t':'find','code':'AAAABBBB'}");
            assert_string_equal(client_refused(eve), "NO_ROOM");
            world_pass(world, 1000);
        }
        client_say(eve, "{'t':'find','code':'%s'}", code);
        assert_true(client_heard(eve, i < 3 ? "no" : "ok")); /* the last is in another network */
    }
    assert_int_equal(LIMITED(codes_of_address), 2);
    assert_int_equal(LIMITED(codes_of_network), 1);
}

static void short_codes_cannot_be_guessed_in_parallel(void **state)
{
    (void)state;
    struct client *eve = world_stranger(world);
    client_connect(eve, "");
    world->store_waits = true;
    for (int i = 0; i < 30; i++) {
        client_say(eve, "{'t':'find','code':'AAAABBBB'}");
        world->now += 100;
    }
    world->store_waits = false;
    world_pass(world, 1000);
    eve->read = 0;
    int asked = 0;
    while (client_heard(eve, "no"))
        asked += strcmp(client_text(eve, "code"), "NO_ROOM") == 0;
    assert_int_equal(asked, 20);
    /* Right ones do not count. */
    struct client *ada = world_guest(world, "Ada");
    char code[STORE_CODE_BYTES];
    make_code_short(room_with_code(ada, code), code);
    client_connect(ada, "");
    for (int i = 0; i < 30; i++) {
        client_say(ada, "{'t':'find','code':'%s'}", code);
        assert_true(client_heard(ada, "ok"));
        world_pass(world, 1000);
    }
}

/* Nobody can guess a ticket, so neither right nor wrong ones are counted. */
static void tickets_are_good_however_many_were_tried(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *eve = world_stranger(world);
    client_connect(ada, "");
    for (int i = 0; i < 30; i++) {
        client_say(ada, "{'t':'ticket'}");
        assert_true(client_heard(ada, "ticket"));
        client_request(eve, "{'t':'device','ticket':'abcdefghijklmnopqrstuvwxyz234567'}");
        assert_int_equal(eve->status, 404);
        client_request(eve, "{'t':'device','ticket':'%s'}", client_text(ada, "ticket"));
        assert_int_equal(eve->status, 200);
        world_pass(world, 1000);
    }
    assert_int_equal(LIMITED(codes_of_address), 0);
}

static void the_lobby_shows_open_tables(void **state)
{
    (void)state;
    struct client *eve = world_stranger(world), *ada = world_guest(world, "Ada");
    client_connect(eve, "");
    assert_true(client_heard(eve, "lobby"));
    assert_int_equal(json_array_size(json_object_get(eve->latest, "tables")), 0);
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ",'open':true"));
    world_room(ada, METRO, ""); /* by invitation */
    world_pass(world, 3000);
    assert_true(client_heard(eve, "lobby"));
    assert_int_equal(json_array_size(json_object_get(eve->latest, "tables")), 1);
    size_t before = eve->count;
    client_connect(ada, room);
    client_sit(ada, 0);
    client_say(ada, "{'t':'seat','key':'b','seat':2,'bot':'random'}");
    world_pass(world, 2000);
    assert_int_equal(eve->count - before, 1); /* joined */
    assert_true(client_heard(eve, "lobby"));
    json_t *table = json_array_get(json_object_get(eve->latest, "tables"), 0);
    assert_int_equal(json_integer_value(json_object_get(table, "taken")), 2);
    assert_string_equal(json_string_value(json_object_get(table, "host")), "Ada");
    client_say(ada, "{'t':'start','key':'s'}");
    world_pass(world, 3000);
    assert_true(client_heard(eve, "lobby"));
    assert_int_equal(json_array_size(json_object_get(eve->latest, "tables")), 0);
}

/* The tables that the lobby shows now, to be freed by the next call. */
static json_t *tables(void)
{
    static json_t *lobby;
    struct client *eve = world_stranger(world);
    json_decref(lobby);
    client_request(eve, "{'t':'get','what':'rooms'}");
    lobby = json_loads(eve->body, 0, NULL);
    free(eve->body);
    eve->body = NULL;
    world->clients--;
    return json_object_get(lobby, "tables");
}

/* A table is in the lobby as long as somebody who sits or hosts is there, and ten minutes more. */
static void tables_leave_the_lobby_and_come_back(void **state)
{
    (void)state;
    const uint64_t minute = 60000;
    struct client *ada = world_guest(world, "Ada"), *eve = world_stranger(world);
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ",'open':true"));
    client_connect(eve, room);
    client_connect(ada, room);
    client_sit(ada, 0);
    world_pass(world, 60 * minute);
    assert_int_equal(json_array_size(tables()), 1);
    client_lose(ada);
    world_pass(world, 9 * minute);
    assert_int_equal(json_array_size(tables()), 1);
    world_pass(world, 2 * minute);
    assert_int_equal(json_array_size(tables()), 0);
    assert_string_equal(phase_of(eve), "waiting"); /* who only looks does not keep it there */
    client_connect(ada, room);
    world_pass(world, 3000);
    assert_int_equal(json_array_size(tables()), 1);
    /* The same where nobody looks, so that it is not in memory, and after a restart. */
    client_lose(eve);
    client_lose(ada);
    world_pass(world, 5 * minute);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    assert_int_equal(json_array_size(tables()), 1);
    world_restart(world);
    world_pass(world, 3000);
    assert_int_equal(json_array_size(tables()), 1);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    world_pass(world, 6 * minute);
    assert_int_equal(json_array_size(tables()), 0);
    world_pass(world, 5 * minute);
    world_restart(world);
    client_connect(ada, room);
    world_pass(world, 3000);
    assert_int_equal(json_array_size(tables()), 1);
    /* If the process ends without a word, it stays for at least half of the time. */
    world_pass(world, 33 * minute);
    world_kill(world);
    world_start(world);
    world_pass(world, 4 * minute);
    assert_int_equal(json_array_size(tables()), 1);
    world_pass(world, 7 * minute);
    assert_int_equal(json_array_size(tables()), 0);
}

/* Programs from before kept a table in the lobby until it was closed, and stored only that time. */
static void tables_of_earlier_programs_leave_the_lobby(void **state)
{
    (void)state;
    const uint64_t minute = 60000;
    struct client *ada = world_guest(world, "Ada");
    struct store_question question = {.kind = STORE_READ, .first = 1};
    struct store_answer before, answer;
    snprintf(question.head.room, sizeof question.head.room, "%s",
             world_room(ada, SOLO, ",'open':true"));
    world_kill(world);
    store_ask(world->store, &question, &before);
    question.kind = STORE_APPEND;
    question.head = before.head;
    question.head.wake = world->now + 24 * 60 * minute;
    question.first = before.entries + 1;
    store_ask(world->store, &question, &answer);
    assert_int_equal(answer.outcome, STORE_STORED);
    free(before.memory);
    world_start(world);
    world_pass(world, 9 * minute);
    assert_int_equal(json_array_size(tables()), 1);
    world_pass(world, 2 * minute);
    assert_int_equal(json_array_size(tables()), 0);
    client_connect(ada, question.head.room);
    assert_string_equal(phase_of(ada), "waiting");
}

/* Names are told, and deleted, also of tables whose rooms are not in memory. */
static void tables_that_are_not_in_memory_change(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    const char *room = world_room(ada, SOLO, ",'open':true");
    client_connect(bo, room);
    client_sit(bo, 0);
    client_connect(bo, "");
    world_pass(world, 120000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    client_say(bo, "{'t':'name','name':'Bob','colour':1}");
    world_pass(world, 3000);
    char *text = json_dumps(tables(), 0);
    assert_non_null(strstr(text, "[\"Bob\"]"));
    free(text);
    world_pass(world, 120000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    client_say(bo, "{'t':'forget'}");
    text = json_dumps(tables(), 0); /* at once */
    assert_null(strstr(text, "Bob"));
    free(text);
    world_pass(world, 3000);
    assert_int_equal(json_array_size(tables()), 1);
    assert_int_equal(json_integer_value(json_object_get(json_array_get(tables(), 0), "taken")), 0);
}

/* Opens a table at which a guest sits who is not there any more. */
static void table_of(struct client *ada)
{
    client_connect(ada, world_room(ada, SOLO, ",'open':true"));
    client_sit(ada, 0);
    client_connect(ada, "");
    world_pass(world, 1000);
}

/* What somebody holds who follows the lobby by what has changed. */
static json_t *followed(struct client *client, json_t *shown)
{
    size_t i;
    json_t *part;
    for (client->read = 0; client->read < client->count; client->read++) {
        json_t *message = client->heard[client->read];
        const char *type = json_string_value(json_object_get(message, "t"));
        if (strcmp(type, "lobby") == 0)
            json_object_clear(shown);
        else if (strcmp(type, "tables") != 0)
            continue;
        json_array_foreach(json_object_get(message, "tables"), i, part)
            json_object_set(shown, json_string_value(json_object_get(part, "room")), part);
        json_array_foreach(json_object_get(message, "gone"), i, part)
            json_object_del(shown, json_string_value(part));
    }
    return shown;
}

/* Who asks for changes gets no more than some kilobytes a second, whatever others do, and in the
 * end has the same list as those who get it whole. */
static void the_lobby_tells_what_has_changed(void **state)
{
    (void)state;
    enum { TABLES = 120, RENAMES = 30 };
    world->limits.rooms_of_guest = world->limits.rooms_of_address = 2 * TABLES;
    world->limits.tables_of_guest = 2 * TABLES;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada"), *eve = world_stranger(world);
    struct client *old = world_stranger(world);
    client_connect_with(eve, "", ",'changes':true");
    client_connect(old, "");
    assert_true(client_heard(eve, "lobby"));
    for (int i = 0; i < TABLES; i++)
        table_of(ada);
    world_pass(world, 60000);
    size_t bytes = eve->bytes, bytes_old = old->bytes;
    char name[61];
    for (int i = 0; i < RENAMES; i++) {
        memset(name, 'a' + i % 26, sizeof name - 1);
        name[60] = '\0';
        client_say(ada, "{'t':'name','name':'%s','colour':1}", name);
        world_pass(world, 2000);
    }
    assert_true(eve->bytes - bytes < RENAMES * 10000);
    assert_true(eve->bytes - bytes > RENAMES * 1000);
    assert_true(old->bytes - bytes_old < RENAMES * 10000);
    assert_true(old->bytes - bytes_old > RENAMES * 1000);
    world_pass(world, 60000);
    json_t *shown = followed(eve, json_object()), *list = json_object(), *part;
    size_t i;
    json_array_foreach(tables(), i, part)
        json_object_set(list, json_string_value(json_object_get(part, "room")), part);
    assert_int_equal(json_object_size(list), 100);
    assert_true(json_equal(shown, list));
    old->read = 0;
    while (client_heard(old, "lobby"))
        continue;
    for (size_t k = old->count; k-- > 0;) /* the latest */
        if (strcmp(json_string_value(json_object_get(old->heard[k], "t")), "lobby") == 0) {
            assert_true(json_equal(json_object_get(old->heard[k], "tables"), tables()));
            break;
        }
    /* One change is one message with one table, and no more. */
    size_t before = eve->count;
    bytes = eve->bytes;
    table_of(ada);
    world_pass(world, 4000);
    assert_true(eve->count > before && eve->count - before <= 2);
    assert_true(eve->bytes - bytes < 1500);
    json_decref(list);
    json_decref(shown);
}

/* The tables of one network do not take the place of others'. The first four clients are in one. */
static void nobody_fills_the_lobby(void **state)
{
    (void)state;
    enum { TABLES = 130 };
    world->limits.rooms_of_guest = world->limits.rooms_of_address = TABLES;
    world->limits.tables_of_guest = TABLES;
    world_restart(world);
    struct client *mallory = world_guest(world, "Mallory"), *ada = NULL;
    for (int i = 0; i < 4; i++)
        ada = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ",'open':true"));
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < TABLES / 2; i++) {
            client_connect(mallory, world_room(mallory, METRO, ",'open':true"));
            world_pass(world, 1000);
        }
        world_pass(world, 10000);
        char *text = json_dumps(tables(), 0);
        assert_int_equal(json_array_size(tables()), again ? 100 : TABLES / 2 + 1);
        assert_non_null(strstr(text, room));
        free(text);
    }
    /* After a restart it is known where somebody is when they come back. */
    world_restart(world);
    client_connect(ada, room);
    world_pass(world, 10000);
    char *text = json_dumps(tables(), 0);
    assert_int_equal(json_array_size(tables()), 100);
    assert_non_null(strstr(text, room));
    free(text);
}

/* Makes an open table from a network of its own, and leaves. */
static void litter(struct client *client, uint64_t network)
{
    knock_from(client, network, network);
    client_say(client, "{'t':'hello','v':1,'token':'%s'}", client->token);
    client_say(client, "{'t':'make','key':'n%d','setup':'" METRO "','open':true}", (int)network);
    assert_true(client_heard(client, "ok"));
    client_lose(client);
}

/* Nor do those of many networks at which nobody is: they come after those where somebody is. */
static void tables_without_people_hide_nobody(void **state)
{
    (void)state;
    enum { TABLES = 110 };
    world->limits.rooms_of_guest = world->limits.tables_of_guest = TABLES;
    world_restart(world);
    struct client *mallory = world_guest(world, "Mallory"), *ada = world_guest(world, "Ada");
    struct client *bo = world_guest(world, "Bo"); /* of the same network as Ada */
    char room[3][STORE_ROOM_BYTES];
    snprintf(room[0], sizeof room[0], "%s", world_room(ada, SOLO, ",'open':true"));
    snprintf(room[1], sizeof room[1], "%s", world_room(bo, SOLO, ",'open':true"));
    snprintf(room[2], sizeof room[2], "%s", world_room(ada, METRO, ",'open':true"));
    client_connect(ada, room[0]);
    client_connect(bo, room[1]);
    for (uint64_t i = 0; i < TABLES; i++) {
        litter(mallory, 1000 + i);
        world_pass(world, 1000);
    }
    world_pass(world, 10000);
    char *text = json_dumps(tables(), 0);
    assert_int_equal(json_array_size(tables()), 100);
    assert_non_null(strstr(text, room[0]));
    assert_non_null(strstr(text, room[1]));
    assert_null(strstr(text, room[2]));
    free(text);
    client_lose(bo); /* then it is one of those without people, the second of its network */
    world_pass(world, 10000);
    text = json_dumps(tables(), 0);
    assert_non_null(strstr(text, room[0]));
    assert_null(strstr(text, room[1]));
    free(text);
}

/* Every name is written to all rooms where somebody sits. */
static void names_are_limited(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, "");
    for (int i = 0; i < 60; i++) {
        client_say(ada, "{'t':'name','name':'Ada %d','colour':1}", i);
        assert_true(client_heard(ada, "ok"));
        client_say(ada, "{'t':'name','name':'','colour':1}");
        assert_string_equal(client_refused(ada), "NAME_BAD");
        world_pass(world, 3000);
    }
    client_say(ada, "{'t':'name','name':'Eve','colour':1}");
    assert_string_equal(client_refused(ada), "TOO_MANY");
    assert_int_equal(LIMITED(names_of_guest), 1);
    world_pass(world, 3600000);
    client_say(ada, "{'t':'name','name':'Eve','colour':1}");
    assert_true(client_heard(ada, "ok"));
}

/* Says `make` in the lobby with keys of its own, every hour as often as an hour allows, for so many
 * hours. Returns how often that was done. */
static int make_for_hours(struct client *client, int hours)
{
    int made = 0;
    for (int i = 0; i < hours; i++) {
        client_connect(client, "");
        for (uint32_t k = 0; k < world->limits.rooms_of_address; k++) {
            client->read = client->count;
            client_say(client, "{'t':'make','key':'k%d-%u','setup':'" METRO "'}", i, k);
            made += client_heard(client, "ok");
        }
        client_lose(client);
        world_pass(world, 3600000);
    }
    return made;
}

/* Rooms stay open for days, so an address makes fewer in a day than a day has hours for. The first
 * four clients of a world are in one network, which makes as many as two of its addresses. */
static void rooms_of_a_day_are_limited(void **state)
{
    (void)state;
    world->limits.rooms_of_guest = 1000;
    world->limits.rooms_of_address = 5;
    world->limits.of_network = 2;
    world_restart(world);
    struct client *client[5];
    for (int i = 0; i < 5; i++)
        client[i] = world_guest(world, "Ada");
    assert_int_equal(make_for_hours(client[0], 6), 20);
    assert_true(LIMITED(rooms_of_address) > 0);
    assert_int_equal(make_for_hours(client[1], 3), 15);
    assert_int_equal(make_for_hours(client[2], 3), 5);
    assert_true(LIMITED(rooms_of_network) > 0);
    assert_int_equal(make_for_hours(client[4], 1), 5); /* others as ever */
    world_pass(world, 24 * 3600000);
    assert_int_equal(make_for_hours(client[0], 1), 5);
}

/* A guest is at so many open tables at most, because a new name is written to all of them, and that
 * is done a few at a time: others' questions to the store go in between. */
static void a_guest_is_at_fifty_tables(void **state)
{
    (void)state;
    enum { TABLES = 60, MOST = 50, STEP = 20 };
    world->limits.rooms_of_guest = world->limits.rooms_of_address = TABLES;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[MOST + 1][STORE_ROOM_BYTES];
    client_connect(bo, "");
    for (int i = 0; i <= MOST; i++) {
        client_say(bo, "{'t':'make','key':'k%d','setup':'" METRO "','open':true}", i);
        assert_true(client_heard(bo, i < MOST ? "ok" : "no"));
        if (i < MOST)
            snprintf(room[i], sizeof room[i], "%s", client_text(bo, "room"));
        world_pass(world, 1000);
    }
    assert_string_equal(client_text(bo, "code"), "TOO_MANY");
    assert_int_equal(LIMITED(tables_of_guest), 1);
    struct client *cyd = world_guest(world, "Cyd");
    snprintf(room[MOST], sizeof room[MOST], "%s", world_room(cyd, METRO, ",'open':true"));
    for (int i = 0; i <= MOST; i++) {
        client_connect(ada, room[i]);
        client_sit(ada, 0);
        assert_true(client_heard(ada, i < MOST ? "ok" : "no"));
    }
    assert_string_equal(client_text(ada, "code"), "TOO_MANY");
    assert_int_equal(LIMITED(tables_of_guest), 2);
    client_connect(bo, room[0]); /* a host sits down at their own */
    client_sit(bo, 0);
    assert_true(client_heard(bo, "ok"));
    client_connect(ada, room[1]); /* who has left one has a place at another */
    client_say(ada, "{'t':'leave','key':'l'}");
    assert_true(client_heard(ada, "ok"));
    client_connect(ada, room[MOST]);
    client_sit(ada, 0);
    assert_true(client_heard(ada, "ok"));
    /* Nobody is there any more, and the rooms leave memory. */
    client_connect(ada, "");
    client_lose(bo);
    world_pass(world, 120000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    for (int forget = 0; forget < 2; forget++) {
        client_say(ada, forget ? "{'t':'forget'}" : "{'t':'name','name':'Eve','colour':1}");
        assert_true(rooms_counts(world->rooms)->rooms <= STEP);
        world_pass(world, 10000);
        char *text = json_dumps(tables(), 0);
        assert_null(strstr(text, "Ada"));
        assert_int_equal(strstr(text, "Eve") != NULL, !forget);
        assert_int_equal(json_array_size(tables()), MOST + 1);
        free(text);
        assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    }
}

/* However many rooms others have opened, nobody makes fewer for that: not even more rooms than
 * there once was a ceiling for. */
static void rooms_of_others_keep_nobody_from_making_one(void **state)
{
    (void)state;
    enum { OPEN = 25000, CLUB = 10 };
    for (int i = 0; i < OPEN; i++) {
        struct store_entry entry = {.kind = ENTRY_MADE, .decision = -1, .text = es_str("room")};
        struct store_question append = {
            .kind = STORE_APPEND, .first = 1, .entry = &entry, .entries = 1};
        struct store_answer answer;
        append.head.changed = world->now;
        snprintf(append.head.room, sizeof append.head.room, "roooooooooo%05u", i % 100000u);
        snprintf(append.head.code, sizeof append.head.code, "CODE%08u", i % 100000u);
        store_ask(world->store, &append, &answer);
        assert_int_equal(answer.outcome, STORE_STORED);
        free(answer.memory);
    }
    world_pass(world, 10000);
    assert_int_equal(rooms_counts(world->rooms)->rooms_open, OPEN);
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, "");
    for (int i = 0; i < CLUB; i++) {
        client_say(ada, "{'t':'make','key':'k%d','setup':'" METRO "'}", i);
        assert_true(client_heard(ada, "ok"));
    }
}

/* ---- Sitting ---- */

static void seats_are_taken_and_left(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world);
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ",'open':true"));
    client_connect(ada, room);
    client_connect(bo, room);
    client_connect(eve, room);
    client_sit(eve, 0);
    assert_string_equal(client_refused(eve), "GUEST_NEEDED");
    client_sit(ada, 2);
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(client_int(ada, "seat"), 2);
    client_sit(ada, 1);
    assert_string_equal(client_refused(ada), "SEATED");
    client_sit(bo, 2);
    assert_string_equal(client_refused(bo), "SEAT_TAKEN");
    client_say(bo, "{'t':'sit','key':'x','hash':'12'}");
    assert_string_equal(client_refused(bo), "FIELD_BAD");
    client_say(bo, "{'t':'start','key':'x'}");
    assert_string_equal(client_refused(bo), "NOT_HOST");
    client_say(bo, "{'t':'leave','key':'x'}");
    assert_string_equal(client_refused(bo), "NOT_SEATED");
    client_sit(bo, 0);
    client_say(bo, "{'t':'leave','key':'y'}");
    assert_true(client_heard(bo, "ok"));
    client_say(bo, "{'t':'leave','key':'y'}"); /* the same message again */
    assert_true(client_heard(bo, "ok"));
    client_say(bo, "{'t':'seat','key':'y','seat':1,'bot':''}");
    assert_string_equal(client_refused(bo), "KEY_USED");
    client_sit(bo, 0);
    client_say(ada, "{'t':'leave','key':'z'}"); /* the host's rights pass on */
    world_pass(world, 1000);
    assert_true(seat_is(bo, 1, "host"));
    client_say(bo, "{'t':'seat','key':'b','seat':2,'bot':'wizard'}");
    assert_string_equal(client_refused(bo), "FIELD_BAD");
    client_say(bo, "{'t':'seat','key':'b','seat':2,'bot':'greedy'}");
    assert_true(client_heard(bo, "ok"));
    assert_string_equal(seat_text(bo, 2, "level"), "greedy");
    client_say(bo, "{'t':'seat','key':'c','seat':2,'bot':''}");
    client_sit(ada, 2);
    client_say(bo, "{'t':'seat','key':'d','seat':2,'bot':'greedy'}");
    assert_string_equal(client_refused(bo), "SEAT_TAKEN");
    client_say(bo, "{'t':'seat','key':'e','seat':2,'bot':''}"); /* and out */
    assert_true(client_heard(bo, "ok"));
    assert_string_equal(seat_text(ada, 2, "kind"), "open");
}

static void a_game_needs_its_players(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, "game metro\\nplayers 4\\n", ",'open':true"));
    client_connect(ada, room);
    client_connect(bo, room);
    client_say(ada, "{'t':'start','key':'s1'}");
    assert_string_equal(client_refused(ada), "TOO_FEW");
    client_sit(ada, 2);
    client_say(ada, "{'t':'start','key':'s2'}");
    assert_string_equal(client_refused(ada), "TOO_FEW");
    client_sit(bo, 4);
    client_say(bo, "{'t':'move','decision':0,'event':'2 draw'}");
    assert_string_equal(client_refused(bo), "NOT_STARTED");
    client_word(bo);
    assert_string_equal(client_refused(bo), "NOT_STARTED");
    client_say(ada, "{'t':'start','key':'s3'}");
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'start','key':'s4'}");
    assert_string_equal(client_refused(ada), "STARTED");
    client_say(ada, "{'t':'leave','key':'l'}");
    assert_string_equal(client_refused(ada), "STARTED");
    /* Open seats disappear, and the others move up. */
    assert_int_equal(json_array_size(json_object_get(ada->room, "seats")), 2);
    assert_int_equal(json_integer_value(json_object_get(bo->room, "seat")), 2);
    client_say(ada, "{'t':'close','key':'c'}");
    assert_string_equal(client_refused(ada), "STARTED");
}

/* Seats move up at the start. A message from before that is repeated gets the same answer. */
static void an_answer_stays_the_same_after_the_start(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, world_room(ada, "game metro\\nplayers 4\\n", ""));
    client_sit(ada, 0);
    client_say(ada, "{'t':'seat','key':'b','seat':4,'bot':'random'}");
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'start','key':'s'}");
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'seat','key':'b','seat':4,'bot':'random'}");
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'seat','key':'b2','seat':4,'bot':'random'}");
    assert_string_equal(client_refused(ada), "STARTED");
}

static void a_host_who_is_away_is_replaced(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ",'open':true"));
    client_connect(ada, room);
    client_connect(bo, room);
    client_sit(ada, 1);
    client_sit(bo, 2);
    client_lose(ada);
    world_pass(world, 119000);
    assert_false(seat_is(bo, 2, "host"));
    world_pass(world, 3000);
    assert_true(seat_is(bo, 2, "host"));
    assert_false(seat_is(bo, 1, "here"));
}

/* A room at which nobody is: after a day, or by invitation after a week. */
static void idle_rooms_are_closed(void **state)
{
    (void)state;
    const uint64_t hour = 3600000;
    struct client *ada = world_guest(world, "Ada");
    char open[STORE_ROOM_BYTES], room[STORE_ROOM_BYTES];
    snprintf(open, sizeof open, "%s", world_room(ada, SOLO, ",'open':true"));
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    client_connect(ada, open);
    client_lose(ada);
    world_pass(world, 23 * hour);
    client_connect(ada, open);
    assert_string_equal(phase_of(ada), "waiting");
    client_lose(ada);
    world_pass(world, 25 * hour);
    client_connect(ada, open);
    assert_string_equal(phase_of(ada), "closed");
    client_connect(ada, room);
    assert_string_equal(phase_of(ada), "waiting");
    client_lose(ada);
    world_pass(world, (7 * 24 - 1) * hour);
    world_restart(world);
    client_connect(ada, room);
    assert_string_equal(phase_of(ada), "waiting");
    client_lose(ada);
    world_pass(world, (7 * 24 + 1) * hour);
    client_connect(ada, room);
    assert_string_equal(phase_of(ada), "closed");
    client_sit(ada, 0);
    assert_string_equal(client_refused(ada), "STARTED");
    client_lose(ada);
    world_pass(world, 1);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
}

/* ---- Words ---- */

/* A sheet and a deck can be made so that a game hardly ends. */
static void a_game_without_end_is_closed(void **state)
{
    (void)state;
    world->limits.entries = 40;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    const char *room = two_play(ada, bo, SOLO, "");
    client_move(ada);
    client_move(bo);
    client_connect(ada, room);
    assert_string_equal(phase_of(ada), "playing");
    for (int i = 0; i < 40 && strcmp(phase_of(ada), "playing") == 0; i++) {
        client_move(ada);
        client_move(bo);
        client_connect(ada, room);
    }
    assert_string_equal(phase_of(ada), "closed");
}

static void words_may_be_missing(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ",'open':true"));
    client_connect(ada, room);
    client_connect(bo, room);
    client_sit(ada, 1);
    client_sit(bo, 2);
    char commit[65];
    snprintf(commit, sizeof commit, "%s", json_string_value(json_object_get(bo->room, "commit")));
    client_say(ada, "{'t':'start','key':'s'}");
    assert_string_equal(phase_of(bo), "words");
    client_say(bo, "{'t':'word','word':'%064d'}", 5);
    assert_string_equal(client_refused(bo), "WORD_WRONG");
    client_word(ada);
    assert_true(client_heard(ada, "ok"));
    client_word(ada);
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(seat_text(bo, 1, "word"), ""); /* not shown before all are fixed */
    world_pass(world, 9000);
    assert_string_equal(phase_of(bo), "words");
    world_pass(world, 2000);
    assert_string_equal(phase_of(bo), "playing");
    client_word(bo);
    assert_string_equal(client_refused(bo), "WORD_LATE");
    assert_int_equal(strlen(seat_text(bo, 1, "word")), 64);
    assert_string_equal(seat_text(bo, 2, "word"), "");
    world_play(world);
    unsigned missing;
    verified(record_of(bo), &missing);
    assert_int_equal(missing, 2);
    char line[100];
    snprintf(line, sizeof line, "\ncommit %s %s\n", commit, room);
    assert_non_null(strstr(record_of(bo), line));
}

/* The host may close a room while the words are awaited, if nobody else plays. */
static void words_of_no_game_stay_unseen(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s",
             world_room(ada, "game metro\\nplayers 2\\nbot 2 random\\n", ""));
    client_connect(ada, room);
    client_sit(ada, 1);
    client_say(ada, "{'t':'start','key':'s'}");
    world->store_waits = true; /* so that both are taken together */
    client_word(ada);
    client_say(ada, "{'t':'close','key':'x'}");
    world->outcome = STORE_REFUSED;
    world->store_waits = false;
    while (world_answer(world))
        ;
    assert_string_equal(phase_of(ada), "closed");
    assert_string_equal(seat_text(ada, 1, "word"), "");
}

/* ---- Moves ---- */

static void a_decision_is_made_once(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'open':true");
    struct client *eve = world_guest(world, "Eve");
    client_connect(eve, room);
    client_say(eve, "{'t':'move','decision':0,'event':'1 A1'}");
    assert_string_equal(client_refused(eve), "NOT_SEATED");
    client_say(ada, "{'t':'move','decision':0,'event':'2 A1'}");
    assert_string_equal(client_refused(ada), "NOT_TO_ACT");
    client_say(ada, "{'t':'move','decision':1,'event':'1 A1'}");
    assert_string_equal(client_refused(ada), "DECISION_EARLY");
    client_say(ada, "{'t':'move','event':'1 A1'}");
    assert_string_equal(client_refused(ada), "FIELD_BAD");
    client_say(ada, "{'t':'move','decision':0,'event':'1 dance'}");
    assert_true(strlen(client_refused(ada)) > 0);
    assert_true(client_move(ada));
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(moves_of(ada, 1), 1);
    const char *line = strstr(strstr(ada->view, "\n\n"), "\n1 ") + 1;
    char event[32];
    snprintf(event, sizeof event, "%.*s", (int)strcspn(line, "\n"), line);
    client_say(ada, "{'t':'move','decision':0,'event':'%s'}", event);
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(client_int(ada, "decision"), 0);
    client_say(ada, "{'t':'move','decision':0,'event':'1 B0'}");
    assert_string_equal(client_refused(ada), "DECISION_MADE");
    assert_string_equal(client_text(ada, "event"), event);
    assert_int_equal(moves_of(ada, 1), 1);
    world_restart(world);
    client_connect(ada, room);
    client_say(ada, "{'t':'move','decision':0,'event':'%s'}", event);
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'move','decision':0,'event':'1 B0'}");
    assert_string_equal(client_refused(ada), "DECISION_MADE");
    world_play(world);
    client_say(ada, "{'t':'move','decision':0,'event':'%s'}", event);
    assert_true(client_heard(ada, "ok"));
}

static void entries_of_an_open_round_are_hidden(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'open':true");
    struct client *eve = world_stranger(world);
    client_connect(eve, room);
    size_t heard = bo->count;
    assert_true(client_move(ada));
    assert_int_equal(moves_of(ada, 1), 1);
    assert_int_equal(moves_of(bo, 1), 0);
    assert_int_equal(moves_of(eve, 1), 0);
    assert_true(!is_due(bo, 1) && is_due(bo, 2) && !is_due(eve, 1));
    assert_int_equal(bo->count - heard, 1); /* only that somebody has finished */
    client_connect(bo, room);
    assert_int_equal(moves_of(bo, 1), 0);
    client_request(eve, "{'t':'get','what':'record','room':'%s'}", room);
    assert_int_equal(eve->status, 200);
    assert_null(strstr(eve->body, "\n1 "));
    client_request(eve, "{'t':'get','what':'state','room':'%s'}", room);
    assert_non_null(strstr(eve->body, "to-act 1 2\n"));
    assert_true(client_move(bo));
    assert_int_equal(moves_of(bo, 1), 1);
    assert_int_equal(moves_of(eve, 1), 1);
    assert_int_equal(moves_of(eve, 2), 1);
}

static void nothing_is_told_before_it_is_durable(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, METRO, "");
    struct client *first = is_due(ada, 1) ? ada : bo, *other = first == ada ? bo : ada;
    world->store_waits = true;
    size_t a = first->count, b = other->count;
    assert_true(client_move(first));
    assert_int_equal(first->count, a);
    assert_int_equal(other->count, b);

    assert_true(world_answer(world));
    assert_true(first->count > a && other->count > b);
}

/* Whatever somebody asks for, they hear within five seconds that the store does not answer. What it
 * stores later is found when they say it again; they hear one answer each time. */
static void a_store_that_says_nothing_keeps_nobody_waiting(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_guest(world, "Eve"), *joe = world_guest(world, "Joe");
    struct client *web = world_stranger(world);
    char room[STORE_ROOM_BYTES], event[64];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'open':true"));
    client_connect(joe, "");
    assert_true(client_heard(joe, "lobby"));
    world->store_waits = true;
    assert_true(client_move(ada)); /* is being stored */
    assert_true(client_move(bo));  /* waits in the queue */
    client_say(joe, "{'t':'name','id':5,'name':'Joseph','colour':1}");
    client_say(joe, "{'t':'make','id':6,'key':'k','setup':'game metro\\nplayers 2\\n'}");
    client_connect(eve, room);
    client_begin_request(web, "{'t':'get','what':'state','room':'%s'}", room);
    world_pass(world, 4000);
    assert_int_equal(eve->closed, 0);
    world_pass(world, 1000);
    assert_string_equal(client_refused(ada), "BUSY");
    assert_string_equal(client_refused(bo), "BUSY");
    assert_string_equal(client_refused(joe), "BUSY");
    assert_string_equal(client_refused(joe), "BUSY");
    assert_string_equal(client_refused(eve), "BUSY");
    assert_int_equal(eve->closed, 1013);
    assert_int_equal(web->status, 503);
    assert_int_equal(rooms_counts(world->rooms)->late, 6);
    client_lose(web);
    world->store_waits = false;
    world_pass(world, 1000);
    assert_false(client_heard(joe, "ok"));
    assert_int_equal(moves_of(ada, 1), 1); /* was stored, and is shown */
    assert_int_equal(moves_of(bo, 2), 0);  /* was forgotten */
    assert_false(client_heard(ada, "ok") || client_heard(bo, "ok"));
    sscanf(strstr(strstr(ada->view, "\n\n"), "\n1 ") + 1, "%63[^\n]", event);
    client_say(ada, "{'t':'move','id':9,'decision':0,'event':'%s'}", event);
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(client_int(ada, "decision"), 0);
    assert_true(client_move(bo));
    assert_true(client_heard(bo, "ok"));
    client_connect(eve, room);
    assert_true(client_heard(eve, "welcome"));
}

/* Requests over HTTP cannot fill the queue of a room, so that players can always move. */
static void requests_of_strangers_do_not_fill_the_queue(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world);
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'open':true"));
    world->store_waits = true;
    assert_true(client_move(ada));
    for (int i = 0; i < 100; i++)
        client_request(eve, "{'t':'get','what':'state','room':'%s'}", room);
    assert_int_equal(eve->status, 503);
    assert_true(client_move(bo));
    world->store_waits = false;
    world_pass(world, 1000);
    assert_true(client_heard(bo, "ok"));
}

/* Stores a move with that outcome; afterwards the game continues as if nothing had happened. */
static void a_batch_ends(enum store_outcome outcome, bool stored)
{
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, "");
    world->outcome = outcome;
    world->lies = stored;
    assert_true(client_move(ada));
    world_pass(world, 2000);
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(moves_of(ada, 1), 1);
    world_play(world);
    assert_string_equal(phase_of(bo), "over");
    unsigned missing;
    verified(record_of(ada), &missing);
}

static void after_an_unknown_outcome_the_list_is_read(void **state)
{
    (void)state;
    a_batch_ends(STORE_UNKNOWN, true);
    close_world(state);
    open_world(state);
    a_batch_ends(STORE_UNKNOWN, false);
    close_world(state);
    open_world(state);
    a_batch_ends(STORE_REFUSED, false);
    close_world(state);
    open_world(state);
    a_batch_ends(STORE_FAILED, false);
}

/* If others noticed that a batch is tried again, they would know that there was one. */
static void a_second_try_shows_nothing_to_others(void **state)
{
    (void)state;
    static const enum store_outcome outcomes[] = {STORE_STORED, STORE_REFUSED, STORE_UNKNOWN};
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, "");
    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
        world_pass(world, 2000);
        size_t heard = bo->count;
        world->outcome = outcomes[i];
        assert_true(client_move(ada));
        assert_true(client_heard(ada, "ok"));
        world_pass(world, 2000);
        assert_int_equal(bo->count - heard, 1); /* one bit: finished */
        client_move(bo);
    }
}

static void a_stream_goes_on_where_it_was(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES], more[32];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ""));
    for (int i = 0; i < 5; i++) {
        client_move(ada);
        client_move(bo);
    }
    client_lose(bo);
    snprintf(more, sizeof more, ",'have':%zu", bo->lines);
    client_move(ada);
    world_restart(world);
    client_connect_with(bo, room, more);
    assert_true(client_heard(bo, "lines"));
    assert_int_equal(client_int(bo, "from"), bo->lines);
    client_move(bo);
    char *before = strdup(bo->view);
    client_connect(bo, room);
    assert_string_equal(bo->view, before);
    free(before);
    client_connect_with(bo, room, ",'have':100000");
    assert_true(client_heard(bo, "view"));
    client_say(bo, "{'t':'again'}");
    assert_true(client_heard(bo, "view"));
}

/* A client that asks for a whole view says why: only another hash of the same events counts, of
 * those who play, and once an hour for each network. The first four clients are in one. */
static void only_real_differences_are_counted(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    const struct rooms_counts *counts = rooms_counts(world->rooms);
    for (int i = 0; i < 3; i++)
        bo = world_guest(world, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'open':true");
    struct client *eve = world_stranger(world);
    client_connect(eve, room);
    client_move(ada);
    client_move(bo);
    client_say(eve, "{'t':'again','have':%zu,'hash':'0123456789abcdef'}", eve->lines);
    ada->read = 0;
    char right[17] = "";
    while (client_heard(ada, "lines"))
        snprintf(right, sizeof right, "%s", client_text(ada, "hash"));
    client_say(ada, "{'t':'again'}");
    client_say(ada, "{'t':'again','have':%zu,'hash':'%s'}", ada->lines, right);
    client_say(ada, "{'t':'again','have':%zu,'hash':'0123456789abcdef'}", ada->lines - 1);
    client_say(ada, "{'t':'again','have':%zu,'hash':'0123456789abcdef'}", ada->lines + 1);
    client_say(ada, "{'t':'again','hash':'0123456789abcdef'}");
    assert_int_equal(counts->hash_differs, 0);
    for (int i = 0; i < 3; i++)
        client_say(ada, "{'t':'again','have':%zu,'hash':'0123456789abcdef'}", ada->lines);
    assert_int_equal(counts->hash_differs, 1);
    client_connect(ada, room);
    client_say(ada, "{'t':'again','have':%zu,'hash':'0123456789abcdef'}", ada->lines);
    assert_int_equal(counts->hash_differs, 1);
    bo->read = bo->count;
    client_say(bo, "{'t':'again','have':%zu,'hash':'0123456789abcdef'}", bo->lines);
    assert_true(client_heard(bo, "view"));
    assert_int_equal(counts->hash_differs, 2);
}

/* The notes about takeovers, which come only with the end, may be long. */
static void the_longest_record_has_room(void **state)
{
    (void)state;
    enum { GIVEN = 220 };
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct store_question question = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    snprintf(question.head.room, sizeof question.head.room, "%s", two_play(ada, bo, SOLO, ""));
    store_ask(world->store, &question, &answer);
    size_t count = answer.entries;
    struct store_entry *entry = calloc(count + GIVEN + 1, sizeof *entry);
    memcpy(entry, answer.entry, count * sizeof *entry);
    for (int i = 0; i <= GIVEN; i++)
        entry[count++] = (struct store_entry){.time = world->now,
                                              .kind = i < GIVEN ? ENTRY_GIVEN : ENTRY_CLOSED,
                                              .seat = i < GIVEN ? 1 : 0,
                                              .decision = -1,
                                              .text = es_str("a-level-of-thirty-two-characters")};
    answer.entry = entry;
    answer.entries = count;
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(rooms_record(world->rooms, &answer, &text, &size), ROOMS_RECORD);
    size_t notes = 0;
    text[size - 1] = '\0';
    for (const char *at = text; (at = strstr(at, "note takeover")); at++)
        notes++;
    assert_int_equal(notes, GIVEN);
    free(text);
    free(entry);
    free(answer.memory);
}

/* ---- Bots and clocks ---- */

static void a_seat_is_given_and_taken_back(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, "");
    client_say(bo, "{'t':'take','key':'t0'}");
    assert_string_equal(client_refused(bo), "NOT_GIVEN");
    client_say(bo, "{'t':'give','key':'g','bot':'wizard'}");
    assert_string_equal(client_refused(bo), "FIELD_BAD");
    client_say(bo, "{'t':'give','key':'g','bot':'random'}");
    assert_true(client_heard(bo, "ok"));
    assert_string_equal(seat_text(ada, 2, "bot"), "random");
    assert_string_equal(seat_text(ada, 2, "kind"), "person");
    client_say(bo, "{'t':'move','decision':0,'event':'2 A1'}");
    assert_string_equal(client_refused(bo), "GIVEN");
    assert_true(is_due(ada, 2));
    world_pass(world, 1100);
    assert_true(is_due(ada, 2)); /* the bot moves at a fixed time, however soon it has answered */
    world_pass(world, 200);
    assert_false(is_due(ada, 2));
    client_say(bo, "{'t':'take','key':'t'}");
    assert_true(client_heard(bo, "ok"));
    client_move(ada);
    assert_true(is_due(ada, 2));
    world_pass(world, 60000);
    assert_true(is_due(ada, 2));
    client_move(bo);
    world_play(world);
    assert_non_null(strstr(record_of(ada), "\nnote takeover 2 random 0\n"));
    assert_non_null(strstr(record_of(ada), "\nnote return 2 1\n"));
    client_say(bo, "{'t':'give','key':'g2','bot':'random'}");
    assert_string_equal(client_refused(bo), "OVER");
}

static void somebody_late_may_be_replaced(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'patience':60"));
    client_lose(bo);
    client_move(ada);
    client_say(ada, "{'t':'replace','key':'r','seat':2,'bot':'random'}");
    assert_string_equal(client_refused(ada), "NOT_LATE");
    world_pass(world, 61000);
    assert_true(seat_is(ada, 2, "late"));
    client_say(ada, "{'t':'replace','key':'r2','seat':2,'bot':'random'}");
    assert_true(client_heard(ada, "ok"));
    world_pass(world, 5000);
    assert_int_equal(moves_of(ada, 2), 1);
    client_connect(bo, room);
    client_say(bo, "{'t':'take','key':'t'}");
    assert_true(client_heard(bo, "ok"));
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
}

static void a_clock_moves_once(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'clock':20"));
    client_move(ada);
    world_pass(world, 19000);
    assert_int_equal(moves_of(ada, 2), 0);
    world_pass(world, 2000);
    assert_int_equal(moves_of(ada, 2), 1);
    assert_true(is_due(ada, 1) && is_due(ada, 2));
    client_move(bo); /* still theirs */
    assert_true(client_heard(bo, "ok"));
    client_move(ada);
    /* The server's own downtime does not count. */
    client_lose(ada);
    client_lose(bo);
    world_pass(world, 10000);
    world->now += 3600000;
    world_restart(world);
    world_pass(world, 4000);
    client_connect(bo, room);
    assert_int_equal(moves_of(bo, 2), 2);
    world_pass(world, 8000);
    assert_int_equal(moves_of(bo, 2), 3);
    client_connect(ada, room);
    world_play(world);
    assert_non_null(strstr(record_of(ada), "\nnote clock 2 0\n"));
}

/* The gap is known only from the store. Until it has answered, no clock runs out. */
static void no_clock_runs_before_the_gap_is_known(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'clock':20"));
    client_move(ada);
    world_pass(world, 6000);
    world->now += 3600000;
    world->fails = 1U << STORE_ROOMS;
    world_restart(world);
    client_connect(bo, room);
    world_pass(world, 400); /* the store is asked again after half a second */
    assert_int_equal(rooms_counts(world->rooms)->clock_moves, 0);
    world_pass(world, 5000);
    assert_int_equal(rooms_counts(world->rooms)->clock_moves, 0);
    assert_string_equal(phase_of(bo), "playing");
    assert_true(client_move(bo));
    assert_true(client_heard(bo, "ok"));
}

/* Somebody who says hello while the store is away waits for it; who hangs up meanwhile does not. */
static void hello_waits_for_the_store(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    world->fails = 1U << STORE_WHO;
    client_connect(ada, "");
    for (int i = 0; i < 4; i++) {
        assert_int_equal(ada->closed, 0);
        assert_false(client_heard(ada, "welcome"));
        world->fails = 1U << STORE_WHO;
        world_pass(world, 500);
    }
    world_pass(world, 500);
    assert_true(client_heard(ada, "welcome"));
    world->fails = 1U << STORE_WHO;
    client_connect(bo, "");
    client_lose(bo);
    world_pass(world, 1000);
    assert_false(client_heard(bo, "welcome"));
    client_connect(bo, "");
    assert_true(client_heard(bo, "welcome"));
    /* It does not wait longer than a page does. */
    world->fails = 1U << STORE_WHO;
    client_connect(bo, "");
    for (int i = 0; i < 30 && !bo->closed; i++) {
        world->fails = 1U << STORE_WHO;
        world_pass(world, 500);
    }
    assert_string_equal(client_refused(bo), "BUSY");
    assert_int_equal(bo->closed, 1013);
}

/* A gap that the store could not write at first is written later. */
static void a_gap_is_told_until_it_is_stored(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'clock':60"));
    client_move(ada);
    world_pass(world, 6000);
    world->now += 3600000;
    world->fails = 1U << STORE_ALIVE;
    world_restart(world);
    world_pass(world, 20000);
    world_restart(world);
    client_connect(bo, room);
    world_pass(world, 1000);
    assert_int_equal(rooms_counts(world->rooms)->clock_moves, 0);
    assert_true(client_move(bo));
    assert_true(client_heard(bo, "ok"));
}

/* The time for which the machine sleeps is a gap, too. */
static void no_clock_runs_while_the_machine_sleeps(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'clock':20"));
    client_move(ada);
    world_pass(world, 10000);
    world->now += 3600000;
    world_pass(world, 9000);
    assert_int_equal(moves_of(ada, 2), 0);
    world_restart(world); /* the gap is stored, too */
    client_connect(ada, room);
    assert_int_equal(moves_of(ada, 2), 0);
    world_pass(world, 15000);
    assert_int_equal(moves_of(ada, 2), 1);
}

/* A clock that is two days ahead for nine seconds stops nobody's clock when it is right again: no
 * gap and no turn lies in the future, and rooms that were used meanwhile are found. */
static void a_clock_that_was_ahead_stops_nobody(void **state)
{
    (void)state;
    const uint64_t days = UINT64_C(48) * 3600 * 1000;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *cy = world_guest(world, "Cy"), *di = world_guest(world, "Di");
    char room[STORE_ROOM_BYTES], other[STORE_ROOM_BYTES];
    snprintf(other, sizeof other, "%s", two_play(cy, di, SOLO, ",'clock':120"));
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'clock':20"));
    client_move(ada);
    world_pass(world, 5000);
    world->now += days;
    world_pass(world, 5000);
    assert_int_equal(rooms_counts(world->rooms)->clock_moves, 0);
    client_move(bo); /* the next round begins in the future */
    world_pass(world, 4000);
    client_lose(ada);
    client_lose(bo);
    client_lose(cy);
    client_lose(di);
    world->now -= days;
    world_restart(world);
    world_pass(world, 15000);
    assert_int_equal(rooms_counts(world->rooms)->clock_moves, 0);
    world_pass(world, 27000);
    assert_int_equal(rooms_counts(world->rooms)->clock_moves, 2); /* of Ada and Bo */
    client_connect(ada, room);
    assert_int_equal(moves_of(ada, 2), 2);
    client_connect(cy, other);
    assert_int_equal(moves_of(cy, 1), 0);
    world_pass(world, 110000);
    assert_int_equal(moves_of(cy, 1), 1);
    client_connect(bo, room);
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
    assert_non_null(record_of(ada));
}

/* Nor is a room forgotten that was about to be read when the machine went to sleep. */
static void a_clock_runs_out_after_the_machine_has_slept(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, ",'clock':300");
    client_lose(ada);
    client_lose(bo);
    world_pass(world, 100000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    while (rooms_counts(world->rooms)->rooms == 0)
        world_pass(world, 100);
    world->now += 3600000;
    world_pass(world, 30000);
    assert_int_equal(rooms_counts(world->rooms)->clock_moves, 2);
}

/* Nor one that was claimed by a process that ended before it acted, or could not know of it. */
static void a_clock_runs_out_after_a_claim_was_lost(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    for (int lost = 0; lost < 2; lost++) {
        uint64_t start = world->now;
        char room[STORE_ROOM_BYTES];
        snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'clock':300"));
        client_lose(ada);
        client_lose(bo);
        world_pass(world, 288000);
        assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
        if (lost) {
            while (rooms_counts(world->rooms)->rooms == 0)
                world_pass(world, 100);
            world_restart(world);
        } else {
            world->unsure = 1U << STORE_ALIVE;
            world->lies = true;
        }
        world_pass(world, start + 312000 - world->now);
        assert_int_equal(rooms_counts(world->rooms)->clock_moves, 2);
        client_command(ada, "{'t':'close','room':'%s'}", room);
        world_restart(world);
    }
}

/* A seat that is given and taken back in a turn has the time that it had. */
static void giving_a_seat_to_a_bot_gains_no_time(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, ",'clock':60");
    client_move(ada);
    world_pass(world, 50000);
    world->bots_wait = true;
    client_say(bo, "{'t':'give','key':'g','bot':'random'}");
    assert_true(client_heard(ada, "lines"));
    while (client_heard(ada, "lines"))
        continue;
    json_t *left = json_object_get(ada->heard[ada->count - 1], "left");
    assert_int_equal(json_integer_value(json_array_get(left, 0)), -1); /* a bot has no clock */
    world_pass(world, 5000);
    client_say(bo, "{'t':'take','key':'t'}");
    assert_true(client_heard(bo, "lines"));
    left = json_object_get(bo->latest, "left");
    assert_int_equal(json_integer_value(json_array_get(left, 0)), 10000);
    /* A gap while the bot had the seat is not counted twice. */
    client_say(bo, "{'t':'give','key':'g2','bot':'random'}");
    world->now += 3600000;
    world_pass(world, 1000);
    client_say(bo, "{'t':'take','key':'t2'}");
    assert_true(client_heard(bo, "lines"));
    left = json_object_get(bo->latest, "left");
    assert_int_equal(json_integer_value(json_array_get(left, 0)), 10000);
    world->bots_wait = false;
    world_pass(world, 9000);
    assert_true(is_due(ada, 2));
    assert_int_equal(moves_of(ada, 2), 0);
    world_pass(world, 2000);
    assert_int_equal(moves_of(ada, 2), 1);
}

/* An entry of a player after which they have to make another one, from their view; false: none. */
static bool special_entry(const char *view, int player, char event[64])
{
    static es_event events[ES_EVENTS_MAX];
    static struct es_map map;
    struct es_record *record = calloc(1, sizeof *record);
    struct es_state state;
    struct es_fault fault;
    es_event legal[ES_LEGAL_MAX];
    record->events = events;
    record->capacity = ES_EVENTS_MAX;
    assert_int_equal(es_record_read(record, es_str(view), NULL, &map, &state, &fault), 0);
    const struct es_setup *setup = &record->setup;
    bool found = false;
    size_t count = setup->game->legal(setup, &state, player, legal);
    for (size_t i = 0; i < count && !found; i++) {
        struct es_state after = state;
        struct es_out out = {event, 63, 0};
        assert_int_equal(setup->game->apply(setup, &after, legal[i]), ES_OK);
        struct es_turn turn = setup->game->turn(setup, &after);
        found = turn.kind == ES_TURN_PLAYERS && (turn.players >> (player - 1) & 1);
        setup->game->format(setup, legal[i], &out);
        event[out.used] = 0;
    }
    free(record);
    return found;
}

/* With rule `special` an entry may need another one. Others must not see that. */
static void an_entry_after_the_clock_shows_nothing_to_others(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, "game verplant\\nmap paris\\nplayers 2\\nrules special\\n", ",'clock':20");
    char event[64];
    int rounds = 0;
    while (!seat_is(bo, 1, "late") || !special_entry(ada->view, 1, event)) {
        assert_true(++rounds < 100);
        world_pass(world, 5000); /* the clock moves for both */
    }
    size_t heard = bo->count;
    client_say(ada, "{'t':'move','decision':%d,'event':'%s'}", moves_of(ada, 1), event);
    assert_true(client_heard(ada, "ok"));
    assert_true(is_due(bo, 1));
    assert_int_equal(bo->count, heard);
}

/* A record has space for all takeovers in which the bot moved. */
static void the_record_names_every_takeover(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, "");
    world->bots_wait = true;
    for (int i = 0; i < 150; i++) {
        client_say(bo, "{'t':'give','key':'g%d','bot':'random'}", i);
        assert_true(client_heard(bo, "ok"));
        client_say(bo, "{'t':'take','key':'t%d'}", i);
        assert_true(client_heard(bo, "ok"));
        world_pass(world, 3000);
    }
    world->bots_wait = false;
    client_move(ada);
    client_move(bo);
    client_say(bo, "{'t':'give','key':'g','bot':'random'}");
    world_play(world);
    assert_non_null(strstr(record_of(ada), "\nnote takeover 2 random 1\n"));
    assert_null(strstr(record_of(ada), "note return")); /* no bot has moved before */
}

/* A bot that needs an extra entry gets less time for it, so that the moment at which it has
 * finished does not show how many entries there were. */
static void a_bot_has_finished_at_the_same_moment(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, "game verplant\\nmap paris\\nplayers 2\\nrules special\\n", "");
    world->bots_wait = true;
    client_say(bo, "{'t':'give','key':'g','bot':'master'}");
    char event[64];
    int rounds = 0;
    while (!special_entry(world->thought[0].record, 2, event)) {
        assert_true(++rounds < 30);
        while (world_think(world, NULL))
            continue;
        world_pass(world, 2000);
        while (world->thoughts == 0)
            assert_true(client_move(ada)); /* until the round is closed */
    }
    assert_int_equal(world->thought[0].ms, 1000);
    world->now += 1000;
    world_think(world, event);
    assert_int_equal(world->thoughts, 1);
    assert_true(world->thought[0].ms > 0 && world->thought[0].ms < 200);
}

/* Levels are those that the game lists, not every bot that its makers use for measurements. */
static void levels_are_chosen_by_name(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    client_connect(ada, "");
    static const char *const wrong[] = {"flat:1000000000", "flat:1", "solo", "wizard"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        client_say(ada, "{'t':'make','key':'w%zu','setup':'" SOLO "bot 2 %s\\n'}", i, wrong[i]);
        assert_string_equal(client_refused(ada), "BOT_UNKNOWN");
    }
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    client_connect(ada, room);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        client_say(ada, "{'t':'seat','key':'s%zu','seat':2,'bot':'%s'}", i, wrong[i]);
        assert_string_equal(client_refused(ada), "FIELD_BAD");
    }
    client_lose(ada);
    two_play(ada, bo, SOLO, "");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        client_say(bo, "{'t':'give','key':'g%zu','bot':'%s'}", i, wrong[i]);
        assert_string_equal(client_refused(bo), "FIELD_BAD");
    }
    client_say(bo, "{'t':'give','key':'g','bot':'master'}");
    assert_true(client_heard(bo, "ok"));
}

/* Appends an entry to a room's list, as another program would, while no process knows the room. */
static void put_entry(const char *room, struct store_entry entry)
{
    struct store_question read = {.kind = STORE_READ, .first = 1};
    struct store_answer was, answer;
    snprintf(read.head.room, sizeof read.head.room, "%s", room);
    store_ask(world->store, &read, &was);
    assert_true(was.found);
    entry.time = world->now;
    entry.decision = -1;
    struct store_question append = {.kind = STORE_APPEND,
                                    .head = was.head,
                                    .first = was.entries + 1,
                                    .entry = &entry,
                                    .entries = 1};
    store_ask(world->store, &append, &answer);
    assert_int_equal(answer.outcome, STORE_STORED);
    free(answer.memory);
    free(was.memory);
}

/* Rooms that were made before have other levels, too, whose bots think no longer than others. */
static void a_stored_level_that_is_not_listed_plays(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    put_entry(room, (struct store_entry){
                        .kind = ENTRY_SEAT, .seat = 2, .text = es_str("flat:1000000000")});
    world_restart(world);
    client_connect(ada, room);
    client_sit(ada, 1);
    world->bots_wait = true;
    client_say(ada, "{'t':'start','key':'start'}");
    assert_true(client_heard(ada, "ok"));
    client_word(ada);
    assert_string_equal(phase_of(ada), "playing");
    assert_int_equal(world->thoughts, 1);
    assert_int_equal(world->thought[0].ms, 1000);
    world->bots_wait = false;
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
}

/* A room whose list has what this program does not know, because a newer one has written it, is
 * answered at once, each time. */
static void a_room_that_cannot_be_read_is_answered(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES], other[STORE_ROOM_BYTES];
    snprintf(other, sizeof other, "%s", world_room(ada, SOLO, ",'open':true"));
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ",'open':true"));
    put_entry(room, (struct store_entry){.kind = 'z', .text = es_str("new")});
    world_restart(world);
    for (int i = 0; i < 3; i++) {
        client_connect(bo, room);
        assert_string_equal(client_refused(bo), "UNREADABLE");
        assert_int_equal(bo->closed, 4000);
        client_lose(bo);
        client_request(bo, "{'t':'get','what':'room','room':'%s'}", room);
        assert_int_equal(bo->status, 503);
        assert_string_equal(bo->body, "{\"code\":\"UNREADABLE\"}");
        world_pass(world, i * 1000);
    }
    const char *line = strstr(world->log, "room-unreadable");
    assert_non_null(line);
    assert_null(strstr(line + 1, "room-unreadable")); /* once, however many ask */
    client_connect(bo, other);
    client_sit(bo, 0);
    assert_true(client_heard(bo, "ok"));
}

/* A bot that does not answer in time keeps nobody waiting when time is up. */
static void the_clock_waits_for_no_bot(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, ",'clock':20");
    client_move(ada);
    world->bots_wait = true;
    world_pass(world, 21000);
    assert_int_equal(world->thoughts, 1);
    assert_true(world->thought[0].clock);
    assert_int_equal(moves_of(ada, 2), 0);
    world_pass(world, 4000);
    assert_int_equal(moves_of(ada, 2), 1);
    assert_int_equal(world->thoughts, 0); /* the question is given up */
    assert_int_equal(rooms_counts(world->rooms)->clock_moves, 1);
    /* An answer that comes in time counts. */
    client_move(ada);
    while (world->thoughts == 0)
        world_pass(world, 500);
    assert_true(world_think(world, NULL));
    world_pass(world, 100);
    assert_int_equal(moves_of(ada, 2), 2);
}

/* A question says who has made the room, for sharing threads: the address and its network, and
 * after a restart the guest, and the network of whoever is there: nobody yet. */
static void a_question_names_maker_and_room(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    world->bots_wait = true;
    uint64_t network[3], maker[3], whose[3];
    char room[STORE_ROOM_BYTES] = "";
    for (int i = 0; i < 3; i++) {
        if (i == 2)
            world_restart(world);
        else
            snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ""));
        if (i < 2)
            client_say(bo, "{'t':'give','key':'g','bot':'random'}");
        else
            client_connect(bo, room);
        size_t n = 0; /* the other room may have asked, too */
        while (n < world->thoughts && !strstr(world->thought[n].record, room))
            n++;
        assert_true(n < world->thoughts);
        network[i] = world->thought[n].network;
        maker[i] = world->thought[n].maker;
        whose[i] = world->thought[n].whose;
        assert_false(world->thought[n].clock);
        client_lose(ada);
        client_lose(bo);
    }
    assert_true(maker[0] == maker[1] && maker[1] != maker[2] && maker[0] && maker[2]);
    assert_true(whose[0] != whose[1] && whose[1] == whose[2]);
    assert_true(network[0] && network[0] == network[1] && !network[2]);
}

/* A bot that has to wait for a free thread does not count as failing. */
static void a_bot_without_a_free_thread_is_asked_again(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, "");
    world->bots_wait = true;
    client_say(bo, "{'t':'give','key':'g','bot':'random'}");
    for (int i = 0; i < 20; i++) {
        assert_int_equal(world->thoughts, 1);
        uint64_t question = world->thought[0].id;
        free(world->thought[0].record);
        free(world->thought[0].map);
        world->thoughts = 0;
        rooms_step(world->rooms, &(struct rooms_input){.kind = ROOMS_THOUGHT,
                                                       .now = world->now,
                                                       .question = question,
                                                       .text = es_str(""),
                                                       .busy = true});
        world_pass(world, 2000);
    }
    assert_true(is_due(ada, 2));
    assert_true(world_think(world, NULL));
    world_pass(world, 2000);
    assert_false(is_due(ada, 2));
}

static void a_bot_that_fails_does_not_stop_the_game(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, "");
    world->bots_wait = true;
    client_say(bo, "{'t':'give','key':'g','bot':'random'}");
    client_move(ada);
    for (int i = 0; i < 8; i++) {
        assert_true(world_think(world, i % 2 ? "" : "2 nonsense"));
        world_pass(world, 2000);
    }
    assert_int_equal(moves_of(ada, 2), 1);
    /* The server gives up questions to bots whose answers are no longer needed. */
    client_move(ada);
    assert_int_equal(world->thoughts, 1);
    client_say(bo, "{'t':'take','key':'t'}");
    assert_int_equal(world->thoughts, 0);
}

/* ---- Talking ---- */

static void chat_and_reactions(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ""));
    client_say(ada, "{'t':'chat','key':'c1','text':'Good luck'}");
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'chat','key':'c1','text':'Good luck'}");
    assert_true(client_heard(ada, "ok"));
    client_say(ada, "{'t':'chat','key':'c1','text':'Bad luck'}");
    assert_string_equal(client_refused(ada), "KEY_USED");
    client_say(ada, "{'t':'chat','key':'c2','text':'\\u202Ekcul'}");
    assert_string_equal(client_refused(ada), "TEXT_BAD");
    client_connect(bo, room);
    assert_true(client_heard(bo, "chat"));
    assert_string_equal(client_text(bo, "text"), "Good luck");
    assert_string_equal(client_text(bo, "name"), "Ada");
    assert_false(client_heard(bo, "chat"));
    client_say(bo, "{'t':'react','what':'clap'}");
    assert_true(client_heard(ada, "react"));
    assert_int_equal(client_int(ada, "seat"), 2);
    client_say(bo, "{'t':'react','what':'<script>'}");
    assert_string_equal(client_refused(bo), "FIELD_BAD");
    struct client *cy = world_guest(world, "Cy");
    char open[STORE_ROOM_BYTES];
    snprintf(open, sizeof open, "%s", world_room(cy, METRO, ",'open':true"));
    client_connect(cy, open);
    client_say(cy, "{'t':'chat','key':'c','text':'Hello'}");
    assert_string_equal(client_refused(cy), "NO_CHAT");
}

static void chat_is_deleted_a_month_after_the_game(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, METRO, ""));
    client_say(ada, "{'t':'chat','key':'c1','text':'Good luck'}");
    world_play(world);
    client_lose(ada);
    client_lose(bo);
    world_pass(world, UINT64_C(29) * 24 * 3600000);
    client_connect(bo, room);
    assert_true(client_heard(bo, "chat"));
    client_lose(bo);
    world_pass(world, UINT64_C(2) * 24 * 3600000);
    client_connect(bo, room);
    assert_true(client_heard(bo, "record"));
    assert_false(client_heard(bo, "chat"));
}

static void a_rematch_is_another_room(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_guest(world, "Eve");
    char room[STORE_ROOM_BYTES], again[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, METRO, ",'open':true"));
    client_say(ada, "{'t':'rematch','key':'r0'}");
    assert_string_equal(client_refused(ada), "NOT_OVER");
    world_play(world);
    client_connect(eve, room);
    client_say(eve, "{'t':'rematch','key':'r'}");
    assert_string_equal(client_refused(eve), "NOT_SEATED");
    client_say(ada, "{'t':'rematch','key':'r1'}");
    assert_true(client_heard(ada, "ok"));
    snprintf(again, sizeof again, "%s", client_text(ada, "room"));
    assert_string_not_equal(again, room);
    client_say(bo, "{'t':'rematch','key':'r2'}");
    assert_true(client_heard(bo, "ok"));
    assert_string_equal(client_text(bo, "room"), again);
    assert_string_equal(json_string_value(json_object_get(eve->room, "next")), again);
    client_connect(bo, again); /* no code is needed */
    assert_string_equal(phase_of(bo), "waiting");
    client_connect(eve, again);
    assert_int_equal(eve->closed, 4000);
    client_connect(ada, again);
    client_sit(ada, 0);
    client_sit(bo, 0);
    client_say(ada, "{'t':'start','key':'s'}");
    client_word(ada);
    client_word(bo);
    world_play(world);
    assert_string_equal(phase_of(bo), "over");
}

static void a_rematch_has_a_key_of_its_own(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, METRO, "");
    client_say(ada, "{'t':'chat','key':'k','text':'Hello'}");
    world_play(world);
    client_say(ada, "{'t':'rematch','key':'k'}");
    assert_string_equal(client_refused(ada), "KEY_USED");
    /* Used for something else while the new room is being made. */
    world->store_waits = true;
    client_say(ada, "{'t':'rematch','key':'r'}");
    assert_true(world_answer(world)); /* it is counted */
    client_say(ada, "{'t':'chat','key':'r','text':'Once more?'}");
    world->store_waits = false;
    ada->read = ada->count;
    world_pass(world, 1000);
    assert_true(client_heard(ada, "ok"));
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(rooms_counts(world->rooms)->batches_refused, 0);
    assert_true(strlen(json_string_value(json_object_get(bo->room, "next"))) > 0);
}

/* Refuses the batches of a room until it gives up; everything else is answered. */
static void refuse_batches(const char *room)
{
    for (int i = 0; i < 60; i++) {
        while (world->first < world->count) {
            const struct store_question *question = &world->question[world->first]->question;
            if (question->kind == STORE_APPEND && strcmp(question->head.room, room) == 0)
                world->outcome = STORE_REFUSED;
            world_answer(world);
        }
        world_pass(world, 40); /* it tries again after a pause */
    }
}

/* The new room exists, but the old one could not store that. The next player who asks gets an
 * answer when the old room has stored it, and not before. */
static void a_rematch_is_told_when_it_is_durable(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, METRO, ""));
    world_play(world);
    world->store_waits = true;
    client_say(ada, "{'t':'rematch','key':'r1'}");
    refuse_batches(room);
    assert_string_equal(client_refused(ada), "BUSY");
    client_say(bo, "{'t':'rematch','key':'r2'}");
    assert_false(client_heard(bo, "ok"));
    while (world_answer(world))
        continue;
    assert_true(client_heard(bo, "ok"));
    assert_string_equal(client_text(bo, "room"),
                        json_string_value(json_object_get(bo->room, "next")));
    assert_false(client_heard(bo, "ok"));
}

/* A game that was closed is not over: else rematches would cost nothing. */
static void a_closed_game_has_no_rematch(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_connect(ada, world_room(ada, "game metro\\nplayers 2\\nbot 2 random\\n", ""));
    client_sit(ada, 0);
    client_say(ada, "{'t':'start','key':'s'}");
    client_word(ada);
    client_say(ada, "{'t':'close','key':'x'}");
    assert_string_equal(phase_of(ada), "closed");
    client_say(ada, "{'t':'rematch','key':'r'}");
    assert_string_equal(client_refused(ada), "NOT_OVER");
}

/* Plays a game against a bot in a room that is waiting, to its end. */
static void play_with_bot(struct client *ada, const char *room)
{
    client_connect(ada, room);
    client_sit(ada, 0);
    client_say(ada, "{'t':'start','key':'s'}");
    client_word(ada);
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
}

/* Playing and asking for rematches does not get around the limit of rooms. */
static void rematches_are_limited(void **state)
{
    (void)state;
    world->limits.rooms_of_guest = 3;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s",
             world_room(ada, "game metro\\nplayers 2\\nbot 2 random\\n", ""));
    for (int i = 1; i < 9; i++) {
        play_with_bot(ada, room);
        ada->read = ada->count;
        client_say(ada, "{'t':'rematch','key':'r%d'}", i);
        assert_true(client_heard(ada, "ok"));
        snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    }
    play_with_bot(ada, room);
    ada->read = ada->count;
    client_say(ada, "{'t':'rematch','key':'r'}");
    assert_string_equal(client_refused(ada), "TOO_MANY");
    world_pass(world, 3600000);
    client_say(ada, "{'t':'rematch','key':'r'}");
    assert_true(client_heard(ada, "ok"));
}

/* Many guests of one address do not get around its limits by rematches. */
static void rematches_of_an_address_are_limited(void **state)
{
    (void)state;
    world->limits.rooms_of_guest = 1000;
    world->limits.rooms_of_address = 2;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s",
             world_room(ada, "game metro\\nplayers 2\\nbot 2 random\\n", ""));
    int made = 0;
    do {
        made++;
        play_with_bot(ada, room);
        ada->read = ada->count;
        client_say(ada, "{'t':'rematch','key':'r'}");
        if (client_heard(ada, "ok"))
            snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    } while (strcmp(client_text(ada, "t"), "ok") == 0 && made < 20);
    assert_string_equal(client_text(ada, "code"), "TOO_MANY");
    assert_int_equal(made, 6); /* three times as many as new rooms */
}

/* The addresses of a network have limits together, ten times those of one. The first four clients
 * of a world are in one network. */
static void networks_are_limited(void **state)
{
    (void)state;
    world->limits.guests_of_address = world->limits.rooms_of_address = 2;
    world->limits.of_network = 3;
    world_restart(world);
    struct client *client[5];
    for (int i = 0; i < 5; i++)
        client[i] = world_guest(world, "Ada");
    for (int i = 0, made = 0; i < 4; i++) {
        client_request(client[i], "{'t':'guest','name':'Bo'}");
        assert_int_equal(client[i]->status, ++made <= 2 ? 200 : 429);
    }
    client_request(client[4], "{'t':'guest','name':'Bo'}");
    assert_int_equal(client[4]->status, 200);
    for (int i = 0, made = 0; i < 5; i++) {
        client_connect(client[i], "");
        for (int k = 0; k < 2; k++) {
            client_say(client[i], "{'t':'make','key':'k%d','setup':'" METRO "'}", k);
            bool allowed = i == 4 || ++made <= 6;
            assert_true(client_heard(client[i], allowed ? "ok" : "no"));
        }
    }
    world_pass(world, 3600000);
    client_say(client[3], "{'t':'make','key':'later','setup':'" METRO "'}");
    assert_true(client_heard(client[3], "ok"));
}

/* So have their WebSockets: an address two here, and its network four. */
static void connections_of_a_network_are_limited(void **state)
{
    (void)state;
    world->limits.of_address = world->limits.of_network = 2;
    world_restart(world);
    struct client *client[5], *other = world_stranger(world);
    for (uint64_t i = 0; i < 5; i++) {
        client[i] = world_stranger(world);
        knock_from(client[i], 1 + i, 1);
        assert_int_equal(client[i]->closed, i < 4 ? 0 : 1013);
    }
    assert_int_equal(LIMITED(connections_of_network), 1);
    assert_int_equal(LIMITED(connections_of_address), 0);
    knock_from(other, 1, 2); /* the numbers of addresses and networks may be the same */
    assert_int_equal(other->closed, 0);
    client_lose(client[4]); /* the one that was refused counted, too */
    client_lose(client[0]);
    knock_from(client[0], 6, 1);
    assert_int_equal(client[0]->closed, 0);
}

/* Strangers make room for guests, who are known from their hello on. */
static void guests_are_known(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *eve = world_stranger(world);
    client_connect(ada, "");
    client_connect(eve, "");
    assert_true(ada->is_known);
    assert_true(client_heard(eve, "welcome"));
    assert_false(eve->is_known);
}

/* Who only follows to the room of a rematch makes none. */
static void following_to_a_rematch_is_not_limited(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, METRO, "");
    world_play(world);
    client_say(bo, "{'t':'rematch','key':'r'}");
    assert_true(client_heard(bo, "ok"));
    for (int i = 0; i < 35; i++) {
        client_say(ada, "{'t':'rematch','key':'r%d'}", i);
        assert_true(client_heard(ada, "ok"));
        world_pass(world, 1000);
    }
    world_room(ada, METRO, "");
}

/* The number of a guest's messages in a room is limited, because all are stored. */
static void messages_of_a_guest_in_a_room_are_limited(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, "");
    for (int i = 0; i < 600; i++) {
        client_say(ada, "{'t':'chat','key':'c%d','text':'Hello %d'}", i, i);
        world_pass(world, 1000);
    }
    assert_string_equal(client_refused(ada), "TOO_MANY");
    assert_true(LIMITED(acts_of_guest) > 0);
    client_say(ada, "{'t':'chat','key':'c1','text':'Hello 1'}");
    assert_true(client_heard(ada, "ok"));
    client_say(bo, "{'t':'chat','key':'c','text':'Hello'}"); /* others may */
    assert_true(client_heard(bo, "ok"));
    for (int i = 0; i < 30; i++) {
        client_say(ada, "{'t':'ticket'}");
        assert_true(client_heard(ada, "ticket"));
        world_pass(world, 1000);
    }
    client_say(ada, "{'t':'ticket'}");
    assert_string_equal(client_refused(ada), "TOO_MANY");
    assert_int_equal(LIMITED(tickets_of_guest), 1);
}

/* Says in a room what is so many characters long, until that is refused. Returns how often it was
 * not. */
static int chatter(struct client *client, int characters)
{
    static int key;
    char text[301];
    snprintf(text, sizeof text, "%0*d", characters, 1);
    for (int said = 0;; said++) {
        client->read = client->count;
        client_say(client, "{'t':'chat','key':'chatter%d','text':'%s'}", ++key, text);
        world_pass(world, 1000);
        if (!client_heard(client, "ok"))
            return said;
    }
}

#define SHEET                                                                                      \
    "{'t':'map','text':'endstation-map 1\\nid own\\ntitle Own\\npaper ffffff\\n"                   \
    "station a 1 1\\nstation b 2 1\\nstation c 3 1\\n"                                             \
    "line A 000000 windows 3 points 5 3 wagon 0 1 : a b c\\n"                                      \
    "line B 000000 windows 3 points 5 3 wagon 4 1 : c b\\n'}"

/* What is written costs disk for months: chat and sheets of an address and of its network have a
 * limit in bytes, for a day. The first four clients are in one network. */
static void text_is_limited(void **state)
{
    (void)state;
    world->limits.rooms_of_address = world->limits.of_network = 1;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo"), *cy = NULL;
    for (int i = 0; i < 3; i++)
        cy = world_guest(world, "Cy"); /* in another network */
    char code[STORE_CODE_BYTES], room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", room_with_code(ada, code));
    assert_true(lets_in(bo, room, code) && lets_in(cy, room, code));
    assert_int_equal(chatter(ada, 300), (128 << 10) / (300 + 128));
    assert_int_equal(LIMITED(text_of_address), 1);
    chatter(ada, 1);
    client_request(ada, SHEET);
    assert_int_equal(ada->status, 429);
    assert_int_equal(chatter(bo, 1), 0); /* another address of the network, which may no more */
    assert_int_equal(LIMITED(text_of_network), 1);
    client_say(cy, "{'t':'chat','key':'c','text':'Hello'}");
    assert_true(client_heard(cy, "ok"));
    client_request(cy, SHEET);
    assert_int_equal(cy->status, 200);
    world_pass(world, 23 * 3600000);
    assert_int_equal(chatter(ada, 1), 0);
    world_pass(world, 3600000);
    client_request(ada, SHEET);
    assert_int_equal(ada->status, 200);
    assert_true(chatter(ada, 300) > 100);
}

static void chat_of_a_room_is_limited(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char code[STORE_CODE_BYTES], room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", room_with_code(ada, code));
    assert_true(lets_in(bo, room, code));
    int said = chatter(ada, 300); /* as much as one guest may */
    said += chatter(bo, 300);
    assert_int_equal(said, (256 << 10) / (300 + 128));
    assert_int_equal(LIMITED(chat_of_room), 1);
    assert_int_equal(LIMITED(text_of_address), 0);
}

/* Who sits down and leaves all the time writes, too. Leaving is not counted. */
static void acts_are_limited(void **state)
{
    (void)state;
    world->limits.rooms_of_address = 1;
    world->limits.of_network = 2;
    world_restart(world);
    struct client *client[6];
    for (int i = 0; i < 6; i++)
        client[i] = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(client[0], METRO, ",'open':true"));
    static const int may[] = {20, 20, 0, -1, 20, 20}; /* the fourth does nothing */
    for (int i = 0; i < 6; i++) {
        client_connect(client[i], room);
        for (int k = 0; k <= may[i]; k++) {
            client[i]->read = client[i]->count;
            client_sit(client[i], 1);
            assert_true(client_heard(client[i], k < may[i] ? "ok" : "no"));
            world_pass(world, 1000);
            client_say(client[i], "{'t':'leave','key':'l%d'}", k);
            world_pass(world, 1000);
        }
    }
    assert_int_equal(LIMITED(acts_of_address), 4);
    assert_int_equal(LIMITED(acts_of_network), 1);
    world_pass(world, 3600000);
    client_sit(client[0], 1);
    assert_string_equal(seat_text(client[0], 1, "kind"), "person");
}

/* Returns how much memory is in use; always the same where a sanitizer has replaced malloc(). */
static size_t memory_in_use(void)
{
    return mallinfo2().uordblks;
}

/* A room that waits for people needs no memory for a game. */
static void waiting_rooms_are_small(void **state)
{
    (void)state;
    enum { ROOMS = 100 };
    world->limits.rooms_of_guest = world->limits.rooms_of_address = ROOMS;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada");
    char room[ROOMS][STORE_ROOM_BYTES];
    for (int i = 0; i < ROOMS; i++)
        snprintf(room[i], sizeof room[i], "%s", world_room(ada, METRO, ""));
    world_pass(world, 120000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    size_t before = memory_in_use();
    for (int i = 0; i < ROOMS; i++)
        client_request(ada, "{'t':'get','what':'room','room':'%s'}", room[i]);
    assert_int_equal(rooms_counts(world->rooms)->rooms, ROOMS);
    assert_true(memory_in_use() - before < ROOMS * 5120);
}

/* An open table at which nobody looks needs only its line in the lobby, also after a restart. */
static void tables_are_small(void **state)
{
    (void)state;
    enum { TABLES = 400 };
    world->limits.rooms_of_guest = world->limits.rooms_of_address = TABLES;
    world->limits.tables_of_guest = TABLES;
    world->limits.listed_ms = 3600000;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada");
    size_t before = memory_in_use();
    for (int i = 0; i < TABLES; i++)
        world_room(ada, METRO, ",'open':true");
    for (int again = 0; again < 2; again++) {
        world_pass(world, 120000);
        assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
        assert_int_equal(rooms_counts(world->rooms)->rooms_open, TABLES);
        rooms_free(world->rooms);
        size_t without = memory_in_use();
        world->rooms = NULL;
        world_start(world);
        world_pass(world, 120000);
        assert_true(memory_in_use() - without < TABLES * 1500);
    }
    assert_true(memory_in_use() >= before);
}

/* A game takes much memory, and an address can read many in a minute. */
static void games_that_are_only_read_leave_memory_soon(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world);
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'open':true,'patience':86400"));
    client_lose(ada);
    client_lose(bo);
    world_pass(world, 59000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 1); /* they may come back */
    world_pass(world, 2000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    client_request(eve, "{'t':'get','what':'record','room':'%s'}", room);
    assert_int_equal(eve->status, 200);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 1);
    world_pass(world, 6000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    client_request(eve, "{'t':'get','what':'record','room':'%s'}", room);
    client_connect(ada, room);
    client_lose(ada);
    world_pass(world, 6000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 1);
}

/* However many games are visited one after the other, those that were left longest ago make room.
 */
static void games_that_nobody_is_in_make_room(void **state)
{
    (void)state;
    enum { GAMES = 6, RESTS = 3 };
    world->limits.rests = RESTS;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[GAMES][STORE_ROOM_BYTES];
    for (int i = 0; i < GAMES; i++) {
        snprintf(room[i], sizeof room[i], "%s", two_play(ada, bo, SOLO, ",'patience':86400"));
        client_lose(ada);
        client_lose(bo);
        world_pass(world, 100);
        assert_int_equal(rooms_counts(world->rooms)->rooms, i < RESTS ? i + 1 : RESTS);
    }
    client_connect(ada, room[GAMES - 1]);
    assert_int_equal(rooms_counts(world->rooms)->rooms, RESTS); /* it was still there */
    client_connect(ada, room[0]);
    assert_int_equal(rooms_counts(world->rooms)->rooms, RESTS + 1); /* this one was not */
    client_connect(bo, room[0]);
    assert_true(client_move(ada) && client_move(bo));
    client_lose(ada);
    client_lose(bo);
    world_pass(world, 100);
    assert_int_equal(rooms_counts(world->rooms)->rooms, RESTS);
    world_pass(world, 61000);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
}

static void finished_games_leave_memory(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, METRO, ""));
    world_play(world);
    client_lose(ada);
    client_lose(bo);
    world_pass(world, 1);
    assert_int_equal(rooms_counts(world->rooms)->rooms, 0);
    assert_int_equal(rooms_counts(world->rooms)->rooms_open, 0);
    client_connect(bo, room);
    assert_string_equal(phase_of(bo), "over");
    assert_true(client_heard(bo, "record"));
}

/* ---- Guests ---- */

static void a_guest_has_devices(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *phone = world_stranger(world);
    char room[STORE_ROOM_BYTES], ticket[40], device[16];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    client_connect(ada, room);
    client_sit(ada, 1);
    client_say(ada, "{'t':'ticket'}");
    assert_true(client_heard(ada, "ticket"));
    snprintf(ticket, sizeof ticket, "%s", client_text(ada, "ticket"));
    client_request(phone, "{'t':'device','ticket':'%s','label':'Phone'}", ticket);
    assert_int_equal(phone->status, 200);
    json_t *answer = json_loads(phone->body, 0, NULL);
    snprintf(phone->token, sizeof phone->token, "%s",
             json_string_value(json_object_get(answer, "token")));
    snprintf(device, sizeof device, "%s", json_string_value(json_object_get(answer, "device")));
    json_decref(answer);
    client_request(phone, "{'t':'device','ticket':'%s'}", ticket);
    assert_int_equal(phone->status, 404); /* once */
    client_connect(phone, room);
    assert_int_equal(json_integer_value(json_object_get(phone->room, "seat")), 1);
    client_say(ada, "{'t':'devices'}");
    assert_true(client_heard(ada, "devices"));
    assert_int_equal(json_array_size(json_object_get(ada->latest, "devices")), 2);
    client_say(ada, "{'t':'withdraw','device':'%s'}", device);
    assert_true(client_heard(ada, "ok"));
    assert_int_equal(phone->closed, 4002);
    client_say(ada, "{'t':'withdraw','device':'%s'}", device); /* it is gone */
    assert_string_equal(client_refused(ada), "NO_DEVICE");
    client_say(ada, "{'t':'withdraw','device':''}");
    assert_string_equal(client_refused(ada), "NO_DEVICE");
    client_connect(phone, room);
    assert_string_equal(client_text(phone, "code"), "");
    assert_int_equal(phone->closed, 4000);
    client_say(ada, "{'t':'ticket'}");
    assert_true(client_heard(ada, "ticket"));
    snprintf(ticket, sizeof ticket, "%s", client_text(ada, "ticket"));
    world_pass(world, 600001);
    client_request(phone, "{'t':'device','ticket':'%s'}", ticket);
    assert_int_equal(phone->status, 404);
}

/* The 33rd device is refused with a code that says why; its ticket is good when one is signed out.
 */
static void a_guest_has_at_most_32_devices(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *phone = world_stranger(world);
    char ticket[40], device[20] = "";
    client_connect(ada, "");
    for (int i = 1; i <= 32; i++) {
        client_say(ada, "{'t':'ticket'}");
        assert_true(client_heard(ada, "ticket"));
        snprintf(ticket, sizeof ticket, "%s", client_text(ada, "ticket"));
        client_request(phone, "{'t':'device','ticket':'%s'}", ticket);
        assert_int_equal(phone->status, i < 32 ? 200 : 409);
        if (i < 32)
            sscanf(strstr(phone->body, "\"device\":\""), "\"device\":\"%8[0-9a-f]", device);
        if (i == 20)
            world_pass(world, 3600000); /* more than 30 tickets are not made in an hour */
        world_pass(world, 1000);
    }
    assert_string_equal(phone->body, "{\"code\":\"TOO_MANY_DEVICES\"}");
    client_say(ada, "{'t':'withdraw','device':'%s'}", device);
    assert_true(client_heard(ada, "ok"));
    client_request(phone, "{'t':'device','ticket':'%s'}", ticket);
    assert_int_equal(phone->status, 200);
    client_say(ada, "{'t':'devices'}");
    assert_true(client_heard(ada, "devices"));
    assert_int_equal(json_array_size(json_object_get(ada->latest, "devices")), 32);
}

/* What `rooms` tells a client: ids and codes, with blanks between. */
static const char *own_rooms(struct client *client)
{
    static char text[STORE_MINE_MAX * 32];
    size_t i;
    json_t *room;
    client_say(client, "{'t':'rooms','id':4}");
    assert_true(client_heard(client, "rooms"));
    assert_int_equal(client_int(client, "id"), 4);
    text[0] = 0;
    json_array_foreach(json_object_get(client->latest, "rooms"), i, room)
    {
        strcat(text, json_string_value(json_object_get(room, "room")));
        strcat(text, json_object_size(room) == 2 && json_object_get(room, "code") ? " " : "?");
    }
    return text;
}

static void another_device_finds_ones_rooms(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world);
    char hosted[STORE_ROOM_BYTES], played[STORE_ROOM_BYTES], expected[80], code[40];
    client_connect(eve, "");
    client_say(eve, "{'t':'rooms'}");
    assert_string_equal(client_refused(eve), "GUEST_NEEDED");
    client_connect(ada, "");
    assert_string_equal(own_rooms(ada), "");
    snprintf(hosted, sizeof hosted, "%s", world_room(ada, METRO, ""));
    client_connect(ada, hosted);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(bo, hosted, code);
    client_say(bo, "{'t':'chat','key':'c','text':'Only looking'}"); /* writing is not sitting */
    world_pass(world, 1000);
    snprintf(played, sizeof played, "%s", two_play(ada, bo, SOLO, ""));
    world_pass(world, 1000);
    snprintf(expected, sizeof expected, "%s ", played);
    assert_string_equal(own_rooms(bo), expected);
    snprintf(expected, sizeof expected, "%s %s ", played, hosted);
    assert_string_equal(own_rooms(ada), expected);
    world_restart(world);
    client_connect(ada, "");
    assert_string_equal(own_rooms(ada), expected);
    client_connect(ada, hosted);
    client_sit(ada, 1);
    world_pass(world, 1000);
    snprintf(expected, sizeof expected, "%s %s ", hosted, played);
    assert_string_equal(own_rooms(ada), expected); /* the latest first */
    client_say(ada, "{'t':'close','key':'x'}");
    client_connect(ada, played);
    client_connect(bo, played);
    snprintf(expected, sizeof expected, "%s ", played);
    assert_string_equal(own_rooms(ada), expected);
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
    assert_string_equal(own_rooms(ada), "");
}

static void names_consist_of_what_can_be_seen(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\\u2800",
        "A\\u2800",
        "\\u3164",
        "\\uffa0Ada",
        "\\u115f\\u1160",
        "A\\u034fda",
        "\\u00a0\\u205f\\u3000",
        "A\\udb40\\udc41", /* a tag */
        "\\ufe0f",
        "Ada\\ufe0f",
        "\\u2764\\ufe0f\\ufe0f",
        "\\u200d",
        "Ada\\u200d",
        "A \\u200c\\u0646",
        "\\u0646\\u200c\\u200c\\u0645",
        "\\u0301\\u0301",
        "a\\u0301\\u0302\\u0303",
        "a\\u0301\\u200d\\u0302\\u200d\\u0303",
        "\\u0e01\\u0e47\\u0e47\\u0e47\\u0e47\\u0e47\\u0e47",
        "\\ud83c\\udff4\\udb40\\udc67\\udb40\\udc62", /* half a flag */
        "A\\ufffc",
        "A\\ufdd0",
        "A\\ud83f\\udffe",
        "A\\ud804\\udcbd", /* a sign before numbers of Kaithi, alone */
        "\\u1112\\u1161\\u1161\\u1161\\u1161\\u1161\\u1161",
    };
    static const char *const good[] = {
        "Zo\\u00eb",
        "Nguye\\u0302\\u0303n Ha\\u0323\\u0302nh",           /* Vietnamese, decomposed */
        "\\u091b\\u094b\\u0921\\u093c\\u0942\\u0901",        /* Devanagari */
        "\\u0e19\\u0e49\\u0e33\\u0e1c\\u0e36\\u0e49\\u0e07", /* Thai */
        "\\u05d4\\u05b7\\u05e9\\u05bc\\u05c1\\u05b7\\u05d1\\u05bc\\u05b8\\u05ea", /* Hebrew with
                                                                                     points */
        "\\u0645\\u064f\\u062d\\u064e\\u0645\\u0651\\u064e\\u062f", /* Arabic with vowels */
        "\\u0f66\\u0f92\\u0fb2\\u0f7c\\u0f63",                      /* Tibetan */
        "\\u101c\\u103b\\u103e\\u102d\\u102f\\u1037",               /* Burmese */
        "\\u06cc\\u200c\\u062f",                                    /* Persian */
        "\\u0d28\\u0d4d\\u200d",                                    /* Malayalam */
        "\\u845b\\udb40\\udd00",                                    /* a variant of a kanji */
        "\\ud83d\\udc69\\ud83c\\udffd\\u200d\\ud83d\\ude80",        /* an astronaut */
        "\\u2764\\ufe0f\\u200d\\ud83d\\udd25",                      /* a heart on fire */
        "1\\ufe0f\\u20e3",                                          /* a key */
        "\\ud83c\\uddf3\\ud83c\\uddf1",                             /* the Netherlands */
        "\\u1112\\u1161\\u11ab\\u1100\\u1173\\u11af",               /* Hangul, decomposed */
        "\\ud83c\\udff4\\udb40\\udc67\\udb40\\udc62\\udb40\\udc77\\udb40\\udc6c\\udb40\\udc73\\udb4"
        "0\\udc7f",
    };
    struct client *ada = world_guest(world, "Ada");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ""));
    client_connect(ada, room);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        client_say(ada, "{'t':'name','name':'%s'}", bad[i]);
        if (strcmp(client_refused(ada), "NAME_BAD") != 0)
            fail_msg("accepted: %s", bad[i]);
        world_pass(world, 1000);
    }
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        client_say(ada, "{'t':'name','name':'%s'}", good[i]);
        if (!client_heard(ada, "ok"))
            fail_msg("refused: %s", good[i]);
        world_pass(world, 1000);
        client_say(ada, "{'t':'chat','key':'c%d','text':'%s'}", (int)i, good[i]);
        if (!client_heard(ada, "ok"))
            fail_msg("refused as chat: %s", good[i]);
        world_pass(world, 1000);
    }
    client_say(ada, "{'t':'chat','key':'pile','text':'a\\u0301\\u0302\\u0303'}");
    assert_string_equal(client_refused(ada), "TEXT_BAD");
    client_say(ada, "{'t':'chat','key':'join','text':'Yes \\u200c\\u2764'}"); /* harmless here */
    assert_true(client_heard(ada, "ok"));
}

static void names_are_changed_and_forgotten(void **state)
{
    (void)state;
    static const char *const bad[] = {"",        " Ada",       "Ada ",
                                      "A\\nb",   "\\u202eadA", "\\u200b",
                                      "\\u0000", "\\ufeffAda", "\\u2800\\u3164"};
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        client_request(ada, "{'t':'guest','name':'%s'}", bad[i]);
        assert_int_equal(ada->status, 400);
    }
    client_request(ada, "{'t':'guest','name':'\\ud83d\\udc69\\u200d\\ud83d\\ude80 \\u0646\\u0645"
                        "\\u06cc\\u200c\\u062f'}");
    assert_int_equal(ada->status, 200);
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ""));
    client_say(ada, "{'t':'chat','key':'c','text':'Hello'}");
    client_say(bo, "{'t':'name','name':'Bob','colour':1}");
    assert_true(client_heard(bo, "ok"));
    client_say(bo, "{'t':'name','name':'','colour':1}");
    assert_string_equal(client_refused(bo), "NAME_BAD");
    client_move(bo);
    assert_string_equal(seat_text(ada, 2, "name"), "Bo"); /* as at the start */
    client_connect(bo, room);
    assert_true(client_heard(bo, "welcome"));
    assert_string_equal(client_text(bo, "name"), "Bob");
    client_say(ada, "{'t':'forget'}");
    assert_int_equal(ada->closed, 4002);
    world_pass(world, 1000);
    assert_string_equal(seat_text(bo, 1, "name"), "");
    assert_string_equal(seat_text(bo, 1, "bot"), "casual");
    world_restart(world);
    client_connect(bo, room);
    assert_false(client_heard(bo, "chat"));
    assert_string_equal(seat_text(bo, 1, "name"), "");
    client_connect(ada, room);
    ada->read = ada->count - 1;
    assert_string_equal(client_refused(ada), "TOKEN_BAD");
    world_play(world);
    assert_string_equal(phase_of(bo), "over");
    assert_null(strstr(record_of(bo), "Ada"));
}

static void a_new_name_is_told_at_once(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world);
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ",'open':true"));
    client_connect(ada, room);
    client_connect(bo, room);
    client_sit(ada, 1);
    client_sit(bo, 2);
    client_connect(eve, "");
    world_pass(world, 3000);
    client_say(bo, "{'t':'name','name':'Bob','colour':5}");
    assert_string_equal(seat_text(ada, 2, "name"), "Bob");
    assert_int_equal(json_integer_value(json_object_get(seat_of(ada, 2), "colour")), 5);
    world_pass(world, 3000);
    while (client_heard(eve, "lobby")) /* the latest */
        continue;
    char *lobby = json_dumps(eve->latest, 0);
    assert_non_null(strstr(lobby, "[\"Ada\", \"Bob\"]"));
    free(lobby);
    size_t before = ada->count;
    client_say(bo, "{'t':'name','name':'Bob','colour':5}"); /* no change, no news */
    assert_true(client_heard(bo, "ok"));
    assert_int_equal(ada->count, before);
    world_restart(world);
    client_connect(ada, room);
    assert_string_equal(seat_text(ada, 2, "name"), "Bob");
    /* A name that changes while the room is not in memory is updated when the guest comes back. */
    snprintf(room, sizeof room, "%s", world_room(bo, SOLO, ""));
    client_connect(bo, room);
    client_sit(bo, 1);
    world_restart(world);
    client_connect(bo, "");
    client_say(bo, "{'t':'name','name':'Robert'}");
    client_connect(bo, room);
    assert_string_equal(seat_text(bo, 1, "name"), "Robert");
}

/* Another connection of the same guest. */
static struct client *device_of(const struct client *client)
{
    struct client *other = world_stranger(world);
    memcpy(other->token, client->token, sizeof other->token);
    client_connect(other, "");
    return other;
}

/* Fails if the store has the name of a guest in a room, or chat that they wrote. */
static void check_nothing_left(const char *room, const char *guest)
{
    struct store_question read = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    strcpy(read.head.room, room);
    store_ask(world->store, &read, &answer);
    assert_true(answer.found);
    char *people = strndup(answer.head.people.at, answer.head.people.size);
    assert_null(strstr(people, guest));
    free(people);
    for (size_t i = 0; i < answer.entries; i++)
        if (answer.entry[i].kind == ENTRY_CHAT && !strcmp(answer.entry[i].guest, guest))
            assert_int_equal(answer.entry[i].text.size, 0);
    free(answer.memory);
}

/* A client that is not needed any more makes room for another. */
static void dismiss(struct client *client)
{
    assert_ptr_equal(client, &world->client[world->clients - 1]);
    client_lose(client);
    for (size_t i = 0; i < client->count; i++)
        json_decref(client->heard[i]);
    free(client->body);
    memset(client, 0, sizeof *client);
    world->clients--;
}

/* Everybody who sits or writes in a room has a name there, and can be forgotten: more than the room
 * has names for are refused, unless they only watch. */
static void a_room_knows_everybody_who_sits_or_writes(void **state)
{
    (void)state;
    world->limits.guests_of_address = 1000;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_guest(world, "Eve");
    char room[STORE_ROOM_BYTES], code[40];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    client_connect(ada, room);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(bo, room, code);
    client_say(bo, "{'t':'chat','key':'c','text':'Hello'}");
    for (int i = 0; i < 198; i++) {
        struct client *one = world_guest(world, "Cy");
        client_connect_with(one, room, code);
        client_say(one, "{'t':'chat','key':'c','text':'Hello'}");
        assert_true(client_heard(one, "ok"));
        dismiss(one);
    }
    client_connect_with(eve, room, code);
    client_say(eve, "{'t':'chat','key':'c','text':'Hello'}");
    assert_string_equal(client_refused(eve), "TOO_MANY");
    client_sit(eve, 1);
    assert_string_equal(client_refused(eve), "TOO_MANY");
    assert_int_equal(LIMITED(people_of_room), 2);
    client_say(eve, "{'t':'react','what':'clap'}");
    assert_true(client_heard(eve, "ok"));
    client_say(bo, "{'t':'chat','key':'d','text':'Hello'}");
    assert_true(client_heard(bo, "ok"));
    client_sit(ada, 2);
    assert_true(client_heard(ada, "ok"));
    client_say(bo, "{'t':'forget'}");
    assert_int_equal(bo->closed, 4002);
    client_sit(eve, 1);
    assert_true(client_heard(eve, "ok"));
    assert_string_equal(seat_text(ada, 1, "name"), "Eve");
    client_say(eve, "{'t':'forget'}");
    assert_string_equal(seat_text(ada, 1, "kind"), "open");
    check_nothing_left(room, eve->guest);
}

/* Guests sit down, leave and never come back: they keep nobody out, and who has written keeps their
 * name. */
static void who_sat_and_left_keeps_nobody_out(void **state)
{
    (void)state;
    world->limits.guests_of_address = 1000;
    world_restart(world);
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_guest(world, "Eve");
    char room[STORE_ROOM_BYTES], code[40];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    client_connect(ada, room);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(bo, room, code);
    client_say(bo, "{'t':'chat','key':'c','text':'Hello'}");
    for (int i = 0; i < 300; i++) {
        struct client *one = world_guest(world, "Cy");
        client_connect_with(one, room, code);
        client_sit(one, 1);
        assert_true(client_heard(one, "ok"));
        client_say(one, "{'t':'leave','key':'l'}");
        assert_true(client_heard(one, "ok"));
        dismiss(one);
    }
    assert_int_equal(LIMITED(people_of_room), 0);
    client_connect_with(eve, room, code);
    assert_true(client_heard(eve, "chat"));
    assert_string_equal(client_text(eve, "name"), "Bo");
    client_sit(eve, 1);
    assert_true(client_heard(eve, "ok"));
    world_restart(world);
    client_connect(ada, room);
    assert_string_equal(seat_text(ada, 1, "name"), "Eve");
    client_sit(ada, 2);
    assert_true(client_heard(ada, "ok"));
}

/* Reactions reach everybody in a room, so neither a guest nor those who watch may send many. Who
 * sits can react all the same. */
static void reactions_are_limited(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'open':true");
    int told = 0;
    for (int w = 0; w < 4; w++) {
        struct client *one = world_guest(world, "Cy");
        client_connect(one, room);
        for (int i = 0; i < 11; i++)
            client_say(one, "{'t':'react','what':'clap'}");
        assert_string_equal(client_refused(one), "TOO_MANY");
    }
    while (client_heard(ada, "react"))
        told++;
    assert_int_equal(told, 20);
    assert_int_equal(LIMITED(reactions_of_guest), 4);
    assert_int_equal(LIMITED(reactions_of_room), 20);
    client_say(bo, "{'t':'react','what':'clap'}");
    assert_true(client_heard(ada, "react"));
    world_pass(world, 10000);
    client_say(&world->client[world->clients - 1], "{'t':'react','what':'clap'}");
    assert_true(client_heard(ada, "react"));
}

/* A guest deletes themself while the room is busy and their latest message is in its queue. */
static void queued_messages_of_a_forgotten_guest_are_not_stored(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES], code[40];
    snprintf(room, sizeof room, "%s", world_room(ada, SOLO, ""));
    client_connect(ada, room);
    client_sit(ada, 1);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(bo, room, code);
    struct client *phone = device_of(bo);
    world_pass(world, 1000);
    for (int i = 0; i < 2; i++) {
        world->store_waits = true;
        client_say(ada, "{'t':'chat','key':'c%d','text':'Hello'}", i);
        if (i == 0)
            client_say(bo, "{'t':'chat','key':'c','text':'secret'}");
        else
            client_sit(bo, 2);
        client_say(phone, "{'t':'forget'}");
        size_t before = ada->count;
        assert_true(world_answer(world)); /* Ada's chat; Bo's message is at the store now */
        assert_true(world_answer(world)); /* Bo is forgotten */
        world->store_waits = false;
        world_pass(world, 1000);
        assert_int_equal(phone->closed, 4002);
        for (; before < ada->count; before++) {
            char *text = json_dumps(ada->heard[before], 0);
            assert_null(strstr(text, "secret"));
            assert_null(strstr(text, "\"Bo\""));
            free(text);
        }
        assert_string_equal(seat_text(ada, 2, "kind"), "open");
        check_nothing_left(room, bo->guest);
        bo = world_guest(world, "Bo"); /* once more, as another guest */
        client_connect_with(bo, room, code);
        phone = device_of(bo);
        world_pass(world, 60000);
    }
}

/* The store refuses a room's batches again and again: whoever waits is told to try again, but
 * nobody stays who has deleted themself. */
static void a_guest_is_forgotten_where_nothing_is_taken(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ""));
    struct client *phone = device_of(bo);
    uint64_t refused = rooms_counts(world->rooms)->refused;
    world->store_waits = true;
    assert_true(client_move(ada));
    client_say(phone, "{'t':'forget'}");
    world->outcome = STORE_REFUSED;
    assert_true(world_answer(world)); /* Ada's move */
    assert_true(world_answer(world)); /* Bo is forgotten */
    refuse_batches(room);
    assert_string_equal(client_refused(ada), "BUSY");
    assert_int_equal(rooms_counts(world->rooms)->refused, refused + 1);
    world->store_waits = false;
    world_pass(world, 1000);
    assert_string_equal(seat_text(ada, 2, "name"), "");
    assert_string_equal(seat_text(ada, 2, "bot"), "casual");
    check_nothing_left(room, bo->guest);
}

/* Whether a guest's device or the guest is there: that is found out before it is answered. */
static void an_unknown_end_of_a_guest_is_looked_up(void **state)
{
    (void)state;
    for (int stored = 0; stored < 2; stored++) {
        struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
        struct client *phone = world_stranger(world), *boss = world_stranger(world);
        char room[STORE_ROOM_BYTES];
        snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ""));
        client_say(bo, "{'t':'ticket'}");
        assert_true(client_heard(bo, "ticket"));
        client_request(phone, "{'t':'device','ticket':'%s'}", client_text(bo, "ticket"));
        json_t *made = json_loads(phone->body, 0, NULL);
        snprintf(phone->token, sizeof phone->token, "%s",
                 json_string_value(json_object_get(made, "token")));
        client_connect(phone, "");
        world->unsure = 1U << STORE_WITHDRAW;
        world->lies = stored;
        client_say(bo, "{'t':'withdraw','id':5,'device':'%s'}",
                   json_string_value(json_object_get(made, "device")));
        json_decref(made);
        world->fails = 1U << STORE_WITHDRAW; /* that is no answer either */
        world_pass(world, 3000);
        assert_true(client_heard(bo, "ok"));
        assert_int_equal(client_int(bo, "id"), 5);
        assert_int_equal(phone->closed, 4002);
        assert_false(client_heard(bo, "no"));

        world->unsure = 1U << STORE_FORGET;
        world->lies = stored;
        client_say(bo, "{'t':'forget'}");
        assert_int_equal(bo->closed, 0);
        world_pass(world, 3000);
        assert_int_equal(bo->closed, 4002);
        assert_string_equal(seat_text(ada, 2, "name"), "");
        assert_string_equal(seat_text(ada, 2, "bot"), "casual");
        check_nothing_left(room, bo->guest);

        world->unsure = 1U << STORE_FORGET;
        world->lies = stored;
        world->store_waits = true; /* a request waits, too */
        client_command(boss, "{'t':'block','guest':'%s'}", ada->guest);
        world->store_waits = false;
        world_pass(world, 3000);
        assert_int_equal(ada->closed, 4002);
    }
}

/* After BUSY nobody knows whether a name was taken or a ticket made; both can be said again. */
static void names_and_tickets_may_be_repeated(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *phone = world_stranger(world);
    client_connect(ada, "");
    for (int stored = 0; stored < 2; stored++) {
        const char *name = stored ? "Ada Lovelace" : "Augusta";
        world->unsure = 1U << STORE_GUEST | 1U << STORE_TICKET;
        world->lies = stored;
        client_say(ada, "{'t':'name','name':'%s'}", name);
        assert_string_equal(client_refused(ada), "BUSY");
        client_say(ada, "{'t':'name','name':'%s'}", name);
        assert_true(client_heard(ada, "ok"));
        client_connect(ada, "");
        assert_string_equal(json_string_value(json_object_get(ada->heard[ada->count - 2], "name")),
                            name);
        world->lies = stored;
        client_say(ada, "{'t':'ticket'}");
        assert_string_equal(client_refused(ada), "BUSY");
        client_say(ada, "{'t':'ticket'}");
        assert_true(client_heard(ada, "ticket"));
        client_request(phone, "{'t':'device','ticket':'%s'}", client_text(ada, "ticket"));
        assert_int_equal(phone->status, 200);
    }
}

/* What somebody asked for in vain while the store said nothing counts towards none of their limits,
 * whether the store hangs for long or each of its answers takes a while. */
static void nothing_counts_that_was_not_made(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *web = world_stranger(world);
    client_connect(ada, "");
    for (int slow = 0; slow < 2; slow++) {
        for (int times = 0; times < 65; times++) { /* more than any limit */
            size_t heard = ada->count;
            world->store_waits = true;
            client_begin_request(web, "{'t':'guest','name':'Bo','colour':1}");
            if (!slow) { /* else there is time enough for these */
                client_say(ada, "{'t':'name','name':'Augusta','colour':1}");
                client_say(ada, "{'t':'ticket'}");
            }
            client_say(ada, "{'t':'make','key':'%d-%d','setup':'game metro\\nplayers 2\\n'}", slow,
                       times);
            for (int half = 0; half < 9; half++) {
                world_pass(world, 500);
                for (size_t n = slow && half % 3 == 2 ? world->count - world->first : 0; n; n--)
                    assert_true(world_answer(world));
            }
            world_pass(world, 100);
            assert_int_equal(web->status, 503);
            client_lose(web);
            for (; heard < ada->count; heard++) {
                const char *code = json_string_value(json_object_get(ada->heard[heard], "code"));
                assert_string_equal(code ? code : "BUSY", "BUSY");
            }
            client_lose(ada);
            world->store_waits = false;
            world_pass(world, 100);
            client_connect(ada, "");
        }
        client_request(web, "{'t':'guest','name':'Bo','colour':1}");
        assert_int_equal(web->status, 200);
        client_say(ada, "{'t':'name','name':'Augusta','colour':1}");
        assert_true(client_heard(ada, "ok"));
        client_say(ada, "{'t':'ticket'}");
        assert_true(client_heard(ada, "ticket"));
        client_say(ada, "{'t':'make','key':'last%d','setup':'game metro\\nplayers 2\\n'}", slow);
        assert_true(client_heard(ada, "ok"));
        world_pass(world, 3600000);
    }
}

/* Asks for a room as with a token's cookie ("": none), without letting the store answer. */
static void ask_for_room(struct client *client, const char *room, const char *token)
{
    char text[100];
    client->connection = ++world->next_connection;
    snprintf(text, sizeof text, "{\"t\":\"get\",\"what\":\"room\",\"room\":\"%s\"}", room);
    rooms_step(world->rooms, &(struct rooms_input){.kind = ROOMS_OPENED,
                                                   .now = world->now,
                                                   .connection = client->connection,
                                                   .path = ROOMS_REQUEST,
                                                   .room = es_str(""),
                                                   .token = es_str(token)});
    rooms_step(world->rooms, &(struct rooms_input){.kind = ROOMS_MESSAGE,
                                                   .now = world->now,
                                                   .connection = client->connection,
                                                   .text = es_str(text)});
}

/* A request that waited when a guest was deleted does not tell their name afterwards. */
static void a_waiting_request_does_not_name_a_forgotten_guest(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, METRO, ",'open':true,'watch':true"));
    struct client *phone = device_of(bo), *eve = world_stranger(world);
    world->store_waits = true;
    world_pass(world, 40000); /* nothing is answered: the room does nothing */
    ask_for_room(eve, room, "");
    client_say(phone, "{'t':'forget'}");
    world->store_waits = false;
    world_pass(world, 20000);
    assert_int_equal(eve->status, 200);
    assert_non_null(strstr(eve->body, "\"Ada\""));
    assert_null(strstr(eve->body, "\"Bo\""));
}

/* Requests of a guest who is deleted while they wait, or whose device is signed out, are answered
 * like those of anybody else. */
static void requests_of_a_forgotten_guest_are_answered(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, METRO, ",'open':true,'watch':true"));
    struct client *reader[4];
    for (size_t i = 0; i < 4; i++)
        reader[i] = world_stranger(world);
    world->store_waits = true;
    world_pass(world, 40000); /* the room's own question is not answered: requests queue up */
    for (size_t i = 0; i < 2; i++)
        ask_for_room(reader[i], room, bo->token);
    client_say(bo, "{'t':'forget'}");
    for (size_t i = 2; i < 4; i++)
        ask_for_room(reader[i], room, bo->token);
    world->store_waits = false;
    world_pass(world, 20000);
    assert_int_equal(bo->closed, 4002);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(reader[i]->status, 200);
}

/* Whether a name was changed is found out, and then told. */
static void a_name_of_unknown_outcome_is_looked_up(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ",'open':true"));
    client_connect(ada, room);
    client_connect(bo, room);
    client_sit(ada, 1);
    world->unsure = 1U << STORE_GUEST;
    world->lies = true;
    client_say(ada, "{'t':'name','name':'Adele'}");
    assert_string_equal(client_refused(ada), "BUSY");
    world_pass(world, 2000);
    assert_string_equal(seat_text(bo, 1, "name"), "Adele");
}

static void a_queued_name_does_not_make_a_forgotten_guest_again(void **state)
{
    (void)state;
    struct client *bo = world_guest(world, "Bo"), *phone = device_of(bo);
    client_connect(bo, "");
    world->store_waits = true;
    client_say(bo, "{'t':'forget'}");
    client_say(phone, "{'t':'name','name':'Bob'}");
    world->store_waits = false;
    world_pass(world, 1000);
    assert_int_equal(phone->closed, 4002);
    struct store_question devices = {.kind = STORE_DEVICES};
    struct store_answer answer;
    strcpy(devices.guest.id, bo->guest);
    store_ask(world->store, &devices, &answer);
    assert_false(answer.found);
    free(answer.memory);
}

static void the_seat_of_a_forgotten_guest_goes_to_a_bot_when_the_room_is_read(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ""));
    client_lose(ada);
    client_lose(bo);
    world_restart(world);
    client_connect(bo, "");
    client_say(bo, "{'t':'forget'}");
    assert_int_equal(bo->closed, 4002);
    client_connect(ada, room);
    world_pass(world, 1000);
    assert_string_equal(seat_text(ada, 2, "name"), "");
    assert_string_equal(seat_text(ada, 2, "bot"), "casual");
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
}

static void clients_are_told_that_the_server_will_stop(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    two_play(ada, bo, SOLO, "");
    rooms_step(world->rooms, &(struct rooms_input){.kind = ROOMS_DRAIN, .now = world->now});
    assert_true(client_heard(bo, "soon"));
    client_say(bo, "{'t':'move','decision':0,'event':'2 A1'}");
    assert_string_equal(client_refused(bo), "BUSY");
}

static void the_operator_closes_rooms_and_blocks_guests(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, METRO, ""));
    struct client *boss = world_stranger(world);
    client_request(ada, "{'t':'close','room':'%s'}", room);
    assert_int_equal(ada->status, 404); /* people have no such messages */
    client_command(boss, "{'t':'people','room':'%s'}", room);
    assert_int_equal(boss->status, 200);
    assert_non_null(strstr(boss->body, bo->guest));
    client_command(boss, "{'t':'block','guest':'%s'}", bo->guest);
    assert_int_equal(boss->status, 200);
    assert_int_equal(bo->closed, 4002);
    client_connect(bo, room);
    assert_int_equal(bo->closed, 4000);
    assert_string_equal(seat_text(ada, 2, "name"), "");
    client_command(boss, "{'t':'block','guest':'%s'}", bo->guest);
    assert_int_equal(boss->status, 404);
    client_command(boss, "{'t':'close','room':'%s'}", room);
    assert_int_equal(boss->status, 200);
    assert_string_equal(phase_of(ada), "closed");
    assert_non_null(record_of(ada)); /* what there is, with its secret */
    client_command(boss, "{'t':'close','room':'%s'}", room);
    assert_int_equal(boss->status, 404);
    client_command(boss, "{'t':'dance'}");
    assert_int_equal(boss->status, 400);
}

/* ---- Sheets of one's own, and reading ---- */

static void own_sheets_are_uploaded(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    client_request(ada, "{'t':'map','text':'endstation-map 1\\nid own\\ntitle Own\\npaper ffffff"
                        "\\nstation a 1 1\\nstation b 2 1\\nstation c 3 1\\n"
                        "line A 000000 windows 3 points 5 3 wagon 0 1 : a b c\\n"
                        "line B 000000 windows 3 points 5 3 wagon 4 1 : c b\\n'}");
    assert_int_equal(ada->status, 200);
    char hash[40];
    sscanf(ada->body, "{\"map\":\"%32[0-9a-f]", hash);
    client_request(ada, "{'t':'map','text':'not a map'}");
    assert_int_equal(ada->status, 400);
    assert_string_equal(ada->body, "{\"code\":\"NOT_A_MAP\"}");
    char setup[120], room[STORE_ROOM_BYTES];
    snprintf(setup, sizeof setup, "game verplant\\nmap own %s\\nplayers 2\\nbot 2 random\\n", hash);
    snprintf(room, sizeof room, "%s", world_room(ada, setup, ""));
    world_restart(world);
    client_connect(ada, room);
    client_sit(ada, 0);
    client_say(ada, "{'t':'start','key':'s'}");
    client_word(ada);
    assert_non_null(strstr(ada->view, hash));
    client_say(ada, "{'t':'give','key':'g','bot':'random'}");
    for (int i = 0; i < 100 && strcmp(phase_of(ada), "over") != 0; i++)
        world_pass(world, 2000);
    assert_string_equal(phase_of(ada), "over");
    client_say(ada, "{'t':'rematch','key':'r'}");
    assert_true(client_heard(ada, "ok"));
}

/* Uploads a sheet, `before` and `after` which is something else, with these line ends. */
static void upload_in_words(struct client *client, const char *before, const char *end,
                            const char *after)
{
    static const char *const lines[] = {"endstation-map 1",
                                        "id own",
                                        "title Own",
                                        "paper ffffff",
                                        "station a 1 1",
                                        "station b 2 1",
                                        "station c 3 1",
                                        "line A 000000 windows 3 points 5 3 wagon 0 1 : a b c",
                                        "line B 000000 windows 3 points 5 3 wagon 4 1 : c b"};
    char text[1000] = "";
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        strcat(text, lines[i]);
        strcat(text, end);
        strcat(text, i == 0 ? before : "");
    }
    strcat(text, after);
    client_request(client, "{'t':'map','text':'%s'}", text);
}

/* The first who uploads a sheet does not decide in which words others may; its comments, which may
 * be about anything, are not kept. */
static void a_sheet_may_be_uploaded_in_other_words(void **state)
{
    (void)state;
    static const char *const words[][3] = {{"# Eve was here\\n", "\\n", "# and here"},
                                           {"", "\\n", ""},
                                           {"", "\\r\\n", ""},
                                           {"\\n", "  \\n", "\\n\\n"}};
    char first[100] = "";
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct client *client = world_guest(world, "Ada");
        upload_in_words(client, words[i][0], words[i][1], words[i][2]);
        assert_int_equal(client->status, 200);
        if (i == 0)
            snprintf(first, sizeof first, "%s", client->body);
        assert_string_equal(client->body, first);
    }
    struct store_question sheet = {.kind = STORE_SHEET};
    struct store_answer answer;
    sscanf(first, "{\"map\":\"%32[0-9a-f]", sheet.map);
    store_ask(world->store, &sheet, &answer);
    assert_true(answer.found);
    assert_null(memchr(answer.map.at, '#', answer.map.size));
    assert_null(memchr(answer.map.at, '\r', answer.map.size));
    free(answer.memory);
}

/* Sheets that were kept before in the words of whoever uploaded them can be used, and uploaded. */
static void a_sheet_that_is_there_in_other_words_is_used(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    upload_in_words(ada, "", "\\n", "");
    struct store_question sheet = {.kind = STORE_MAP, .time = world->now};
    struct store_answer answer;
    sscanf(ada->body, "{\"map\":\"%32[0-9a-f]", sheet.map);
    struct store_question clean = {.kind = STORE_CLEAN, .first = world->now + 1};
    store_ask(world->store, &clean, &answer);
    sheet.text = es_str("endstation-map 1\n# Eve was here\nid own\ntitle Own\npaper ffffff\n"
                        "station a 1 1\nstation b 2 1\nstation c 3 1\n"
                        "line A 000000 windows 3 points 5 3 wagon 0 1 : a b c\n"
                        "line B 000000 windows 3 points 5 3 wagon 4 1 : c b\n");
    store_ask(world->store, &sheet, &answer);
    assert_int_equal(answer.outcome, STORE_STORED);
    upload_in_words(ada, "", "\\n", "");
    assert_int_equal(ada->status, 200);
    char setup[120];
    snprintf(setup, sizeof setup, "game verplant\\nmap own %s\\nplayers 2\\nbot 2 random\\n",
             sheet.map);
    client_connect(ada, world_room(ada, setup, ""));
    client_sit(ada, 0);
    client_say(ada, "{'t':'start','key':'s'}");
    client_word(ada);
    assert_string_equal(phase_of(ada), "playing");
}

/* Uploads a sheet and returns the setup of a room with it. */
static const char *upload(struct client *client)
{
    static char setup[120];
    char hash[40];
    client_request(client, "{'t':'map','text':'endstation-map 1\\nid own\\ntitle Own\\npaper ffffff"
                           "\\nstation a 1 1\\nstation b 2 1\\nstation c 3 1\\n"
                           "line A 000000 windows 3 points 5 3 wagon 0 1 : a b c\\n"
                           "line B 000000 windows 3 points 5 3 wagon 4 1 : c b\\n'}");
    assert_int_equal(client->status, 200);
    sscanf(client->body, "{\"map\":\"%32[0-9a-f]", hash);
    snprintf(setup, sizeof setup, "game verplant\\nmap own %s\\nplayers 2\\nbot 2 random\\n", hash);
    return setup;
}

static void sheets_that_nobody_uses_are_deleted(void **state)
{
    (void)state;
    const uint64_t hour = 3600000;
    struct client *ada = world_guest(world, "Ada");
    const char *setup = upload(ada);
    world_pass(world, 20 * hour);
    upload(ada); /* once more, so that it is kept for another day */
    world_pass(world, 20 * hour);
    client_connect(ada, "");
    /* It is deleted between the questions whether it is there and to make the room. */
    struct store_question clean = {.kind = STORE_CLEAN, .first = world->now};
    struct store_answer answer;
    world->store_waits = true;
    client_say(ada, "{'t':'make','key':'k','setup':'%s'}", setup);
    assert_true(world_answer(world)); /* it is there */
    assert_true(world_answer(world)); /* and the room is not */
    store_ask(world->store, &clean, &answer);
    world->store_waits = false;
    world_pass(world, 1000);
    assert_string_equal(client_refused(ada), "BUSY");
    client_say(ada, "{'t':'make','key':'k','setup':'%s'}", setup);
    assert_string_equal(client_refused(ada), "MAP_UNKNOWN");
    upload(ada);
    client_say(ada, "{'t':'make','key':'k','setup':'%s'}", setup);
    assert_true(client_heard(ada, "ok"));
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    world_pass(world, 8 * 24 * hour); /* a room needs it now */
    world_restart(world);
    client_connect(ada, room);
    assert_string_equal(phase_of(ada), "closed"); /* since nobody was there */
    client_connect(ada, "");
    client_say(ada, "{'t':'make','key':'l','setup':'%s'}", setup);
    assert_true(client_heard(ada, "ok"));
}

static void people_who_may_enter_get_the_sheet(void **state)
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
    assert_non_null(strstr(eve->body, "endstation-map 1\nid two\ntitle Two\npaper ffffff\n"));
    snprintf(room, sizeof room, "%s",
             world_room(ada, "game verplant\\nmap berlin\\nplayers 2\\n", ",'open':true"));
    client_request(eve, "{'t':'get','what':'map','room':'%s'}", room);
    assert_int_equal(eve->status, 404);
    assert_non_null(strstr(eve->body, "BUILT_IN"));
}

/* Sets the setup of a room for two on an earlier version of a built-in sheet, or on what it is
 * today. */
static void changed_sheet(char setup[120], bool earlier)
{
    const struct es_builtin_map *one = &es_earlier_maps[0];
    snprintf(setup, 120, "game verplant\\nmap %s%s%s\\nplayers 2\\n", one->id, earlier ? " " : "",
             earlier ? one->hash : "");
}

/* A room from before a sheet was changed has nothing but the hash. It goes on, and so does its
 * rematch. */
static void rooms_on_an_earlier_sheet_go_on(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    char setup[120], room[STORE_ROOM_BYTES], map[80];
    changed_sheet(setup, true);
    snprintf(map, sizeof map, "\nmap %s %s\n", es_earlier_maps[0].id, es_earlier_maps[0].hash);
    snprintf(room, sizeof room, "%s", two_play(ada, bo, setup, ""));
    assert_non_null(strstr(ada->view, map));
    client_request(ada, "{'t':'get','what':'map','room':'%s'}", room);
    assert_non_null(strstr(ada->body, "BUILT_IN")); /* the store has no text of it */
    assert_true(client_move(ada));
    world_restart(world);
    client_connect(ada, room);
    client_connect(bo, room);
    assert_string_equal(phase_of(ada), "playing");
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
    assert_non_null(strstr(record_of(ada), map));
    client_say(ada, "{'t':'rematch','key':'r'}");
    assert_true(client_heard(ada, "ok"));
    snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    client_connect(ada, room);
    assert_non_null(strstr(json_string_value(json_object_get(ada->room, "setup")), map + 1));
}

/* Processes and pages from before the change know the sheet only if they get its text. */
static void a_room_on_a_changed_sheet_has_its_text(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct es_str text = es_builtin_map(es_str(es_earlier_maps[0].id));
    char setup[120], room[STORE_ROOM_BYTES];
    changed_sheet(setup, false);
    snprintf(room, sizeof room, "%s", two_play(ada, bo, setup, ""));
    assert_null(strstr(ada->view, es_earlier_maps[0].hash));
    for (int i = 0; i < 2; i++) { /* the second time it is what the store has */
        client_request(ada, "{'t':'get','what':'map','room':'%s'}", room);
        assert_int_equal(ada->status, 200);
        assert_true(es_str_same(es_str(ada->body), text));
        world_pass(world, (uint64_t)30 * 3600 * 1000);
        world_restart(world);
    }
    client_connect(ada, room);
    client_connect(bo, room);
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
    client_say(ada, "{'t':'rematch','key':'r'}");
    assert_true(client_heard(ada, "ok"));
    snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    client_request(ada, "{'t':'get','what':'map','room':'%s'}", room);
    assert_true(es_str_same(es_str(ada->body), text));
}

/* Somebody may have uploaded the same sheet in other words: here, with another comment. */
static void a_changed_sheet_may_be_there_in_other_words(void **state)
{
    (void)state;
    struct client *eve = world_guest(world, "Eve"), *ada = world_guest(world, "Ada");
    struct client *bo = world_guest(world, "Bo");
    struct es_str text = es_builtin_map(es_str(es_earlier_maps[0].id));
    char setup[120], room[STORE_ROOM_BYTES], escaped[20000];
    struct es_out out = {escaped, sizeof escaped - 1, 0};
    for (size_t i = 0; i < text.size; i++)
        if (text.at[i] == '\n')
            es_out_text(&out, "\\n");
        else if (text.at[i] == '\'')
            es_out_text(&out, "\\u0027");
        else
            es_out_char(&out, text.at[i]);
    escaped[out.used] = 0;
    client_request(eve, "{'t':'map','text':'%s# mine\\n'}", escaped);
    assert_int_equal(eve->status, 200);
    changed_sheet(setup, false);
    snprintf(room, sizeof room, "%s", two_play(ada, bo, setup, ""));
    world_restart(world);
    client_connect(ada, room);
    client_connect(bo, room);
    world_play(world);
    assert_string_equal(phase_of(ada), "over");
}

/* While the store does not answer, nobody is told that there is a room. */
static void a_changed_sheet_is_stored_before_its_room(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada");
    char setup[120];
    changed_sheet(setup, false);
    client_connect(ada, "");
    world->store_waits = true;
    client_say(ada, "{'t':'make','key':'k','setup':'%s'}", setup);
    client_say(ada, "{'t':'make','key':'k','setup':'%s'}", setup);
    assert_false(client_heard(ada, "ok"));
    while (world_answer(world))
        continue;
    world->store_waits = false;
    assert_true(client_heard(ada, "ok"));
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    client_say(ada, "{'t':'make','key':'k','setup':'%s'}", setup);
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(client_text(ada, "room"), room);
}

static void rooms_are_read_without_a_connection(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world);
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'open':false"));
    client_request(eve, "{'t':'get','what':'rooms'}");
    assert_string_equal(eve->body, "{\"tables\":[]}");
    client_request(eve, "{'t':'get','what':'room','room':'%s'}", room);
    assert_int_equal(eve->status, 404);
    client_request(eve, "{'t':'get','what':'room','room':'%s','code':'%s'}", room,
                   json_string_value(json_object_get(ada->room, "code")));
    assert_int_equal(eve->status, 200);
    client_request(ada, "{'t':'get','what':'picture','room':'%s','seat':1,'dark':true}", room);
    assert_int_equal(ada->status, 200);
    assert_string_equal(ada->type, "image/svg+xml");
    assert_non_null(strstr(ada->body, "</svg>"));
    client_request(ada, "{'t':'get','what':'state','room':'%s'}", room);
    assert_int_equal(strncmp(ada->body, "game verplant\n", 14), 0);
    client_request(ada, "{'t':'get','what':'taxes','room':'%s'}", room);
    assert_int_equal(ada->status, 404);
    client_request(ada, "{'t':'get','what':'room','room':'x'}");
    assert_int_equal(ada->status, 404);
}

/* Looks at the picture of a sheet. Returns how many pictures were drawn for that. */
static uint64_t pictures_for(struct client *client, const char *room, int seat)
{
    uint64_t before = rooms_counts(world->rooms)->pictures;
    client_request(client, "{'t':'get','what':'picture','room':'%s','seat':%d}", room, seat);
    assert_int_equal(client->status, 200);
    return rooms_counts(world->rooms)->pictures - before;
}

/* Drawing takes longer than everything else that strangers can ask for. */
static void pictures_are_drawn_when_there_is_something_new(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    /* Every card is written into a window. (The first move with a free ride is to mark nothing.) */
    const char *room = two_play(ada, bo, SOLO "deck 3 4 5 6\\n", ",'open':true");
    struct client *eve = world_stranger(world), *cy = world_stranger(world);
    assert_int_equal(pictures_for(eve, room, 1), 1);
    char *first = strdup(eve->body);
    assert_int_equal(pictures_for(eve, room, 1), 0);
    assert_int_equal(pictures_for(cy, room, 1), 0);
    assert_string_equal(cy->body, first);
    assert_int_equal(pictures_for(eve, room, 2), 1);
    assert_string_not_equal(eve->body, first);
    assert_true(client_move(ada)); /* which only she sees, until the round is over */
    assert_int_equal(pictures_for(eve, room, 1), 0);
    assert_int_equal(pictures_for(ada, room, 1), 1);
    assert_string_not_equal(ada->body, first);
    assert_int_equal(pictures_for(eve, room, 1), 0);
    assert_string_equal(eve->body, first);
    assert_true(client_move(bo));
    assert_int_equal(pictures_for(eve, room, 1), 1);
    assert_string_not_equal(eve->body, first);
    free(first);
    /* Others do not share the kept ones: a room that looks the same has its own. */
    room = two_play(ada, bo, SOLO, ",'open':true");
    assert_int_equal(pictures_for(eve, room, 1), 1);
}

static void a_picture_that_is_drawn_counts_as_four_requests_or_more(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'open':true");
    struct client *eve = world_stranger(world);
    uint64_t address = (uint64_t)(eve - world->client) + 1;
    assert_int_equal(pictures_for(eve, room, 1), 1);
    assert_int_equal(pictures_for(eve, room, 2), 1);
    assert_int_equal(pictures_for(eve, room, 1), 0);
    /* The sheet of a city takes longer. */
    room = two_play(ada, bo, "game verplant\\nmap madrid\\nplayers 2\\n", ",'open':true");
    assert_int_equal(pictures_for(eve, room, 1), 1);
    int city = (int)(strlen(eve->body) / (12 << 10));
    assert_true(city > 4);
    /* Without those that the server would have counted. */
    for (int i = 0; i < 40 - 2 * 3 - (city - 1); i++)
        assert_int_equal(wait_of(address, 1, 0), 0);
    assert_true(wait_of(address, 1, 0) > 0);
}

static void rooms_without_spectators_have_none(void **state)
{
    (void)state;
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct client *eve = world_stranger(world), *cy = world_guest(world, "Cy");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ",'open':true,'watch':false"));
    client_connect(ada, room);
    client_connect(bo, room);
    client_connect(cy, room);
    client_sit(ada, 0);
    client_sit(bo, 0);
    client_say(ada, "{'t':'start','key':'s'}");
    assert_int_equal(cy->closed, 4000);
    client_connect(eve, room);
    assert_int_equal(eve->closed, 4000);
    client_request(eve, "{'t':'get','what':'room','room':'%s'}", room);
    assert_int_equal(eve->status, 404);
}

#define IN_WORLD(test) cmocka_unit_test_setup_teardown(test, open_world, close_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_WORLD(verplant_is_played_to_the_end),
        IN_WORLD(metro_is_played_to_the_end),
        IN_WORLD(bots_play_their_seats),
        IN_WORLD(hello_comes_first),
        IN_WORLD(wrong_tokens_and_rooms_are_turned_away),
        IN_WORLD(another_protocol_version_is_refused),
        IN_WORLD(fields_of_a_wrong_type_are_refused),
        IN_WORLD(repeated_field_names_are_refused),
        IN_WORLD(silence_garbage_and_floods_end_a_connection),
        IN_WORLD(an_address_has_at_most_fifty_connections),
        IN_WORLD(an_address_makes_forty_requests_in_four_seconds),
        IN_WORLD(a_network_makes_ten_times_as_many_requests),
        IN_WORLD(a_room_is_made_once),
        IN_WORLD(a_key_that_made_a_room_may_be_used_there),
        IN_WORLD(make_with_bad_fields_is_refused),
        IN_WORLD(the_operator_is_told_of_rooms),
        IN_WORLD(the_operator_is_told_of_what_is_stored),
        IN_WORLD(moves_are_timed_until_they_are_confirmed),
        IN_WORLD(the_number_of_rooms_made_is_limited),
        IN_WORLD(the_last_room_is_made_once),
        IN_WORLD(repeated_messages_make_no_rooms),
        IN_WORLD(codes_may_be_written_in_groups_and_in_small_letters),
        IN_WORLD(wrong_codes_keep_nobody_out),
        IN_WORLD(short_codes_cannot_be_guessed),
        IN_WORLD(short_codes_cannot_be_guessed_in_parallel),
        IN_WORLD(tickets_are_good_however_many_were_tried),
        IN_WORLD(a_guest_has_at_most_32_devices),
        IN_WORLD(the_lobby_shows_open_tables),
        IN_WORLD(tables_leave_the_lobby_and_come_back),
        IN_WORLD(tables_of_earlier_programs_leave_the_lobby),
        IN_WORLD(tables_that_are_not_in_memory_change),
        IN_WORLD(the_lobby_tells_what_has_changed),
        IN_WORLD(nobody_fills_the_lobby),
        IN_WORLD(tables_without_people_hide_nobody),
        IN_WORLD(names_are_limited),
        IN_WORLD(rooms_of_a_day_are_limited),
        IN_WORLD(rooms_of_others_keep_nobody_from_making_one),
        IN_WORLD(seats_are_taken_and_left),
        IN_WORLD(a_game_needs_its_players),
        IN_WORLD(an_answer_stays_the_same_after_the_start),
        IN_WORLD(a_host_who_is_away_is_replaced),
        IN_WORLD(idle_rooms_are_closed),
        IN_WORLD(a_game_without_end_is_closed),
        IN_WORLD(words_may_be_missing),
        IN_WORLD(words_of_no_game_stay_unseen),
        IN_WORLD(a_decision_is_made_once),
        IN_WORLD(entries_of_an_open_round_are_hidden),
        IN_WORLD(nothing_is_told_before_it_is_durable),
        IN_WORLD(a_store_that_says_nothing_keeps_nobody_waiting),
        IN_WORLD(requests_of_strangers_do_not_fill_the_queue),
        IN_WORLD(after_an_unknown_outcome_the_list_is_read),
        IN_WORLD(a_second_try_shows_nothing_to_others),
        IN_WORLD(a_stream_goes_on_where_it_was),
        IN_WORLD(only_real_differences_are_counted),
        IN_WORLD(the_longest_record_has_room),
        IN_WORLD(a_seat_is_given_and_taken_back),
        IN_WORLD(somebody_late_may_be_replaced),
        IN_WORLD(a_clock_moves_once),
        IN_WORLD(no_clock_runs_before_the_gap_is_known),
        IN_WORLD(hello_waits_for_the_store),
        IN_WORLD(a_gap_is_told_until_it_is_stored),
        IN_WORLD(no_clock_runs_while_the_machine_sleeps),
        IN_WORLD(a_clock_that_was_ahead_stops_nobody),
        IN_WORLD(a_clock_runs_out_after_the_machine_has_slept),
        IN_WORLD(a_clock_runs_out_after_a_claim_was_lost),
        IN_WORLD(giving_a_seat_to_a_bot_gains_no_time),
        IN_WORLD(an_entry_after_the_clock_shows_nothing_to_others),
        IN_WORLD(levels_are_chosen_by_name),
        IN_WORLD(a_stored_level_that_is_not_listed_plays),
        IN_WORLD(a_room_that_cannot_be_read_is_answered),
        IN_WORLD(the_clock_waits_for_no_bot),
        IN_WORLD(a_question_names_maker_and_room),
        IN_WORLD(the_record_names_every_takeover),
        IN_WORLD(a_bot_without_a_free_thread_is_asked_again),
        IN_WORLD(a_bot_has_finished_at_the_same_moment),
        IN_WORLD(a_bot_that_fails_does_not_stop_the_game),
        IN_WORLD(chat_and_reactions),
        IN_WORLD(chat_is_deleted_a_month_after_the_game),
        IN_WORLD(a_rematch_is_another_room),
        IN_WORLD(a_rematch_has_a_key_of_its_own),
        IN_WORLD(a_rematch_is_told_when_it_is_durable),
        IN_WORLD(a_closed_game_has_no_rematch),
        IN_WORLD(rematches_are_limited),
        IN_WORLD(rematches_of_an_address_are_limited),
        IN_WORLD(networks_are_limited),
        IN_WORLD(connections_of_a_network_are_limited),
        IN_WORLD(guests_are_known),
        IN_WORLD(following_to_a_rematch_is_not_limited),
        IN_WORLD(messages_of_a_guest_in_a_room_are_limited),
        IN_WORLD(waiting_rooms_are_small),
        IN_WORLD(tables_are_small),
        IN_WORLD(games_that_are_only_read_leave_memory_soon),
        IN_WORLD(finished_games_leave_memory),
        IN_WORLD(a_guest_has_devices),
        IN_WORLD(another_device_finds_ones_rooms),
        IN_WORLD(names_are_changed_and_forgotten),
        IN_WORLD(names_consist_of_what_can_be_seen),
        IN_WORLD(a_new_name_is_told_at_once),
        IN_WORLD(a_room_knows_everybody_who_sits_or_writes),
        IN_WORLD(who_sat_and_left_keeps_nobody_out),
        IN_WORLD(reactions_are_limited),
        IN_WORLD(queued_messages_of_a_forgotten_guest_are_not_stored),
        IN_WORLD(a_guest_is_forgotten_where_nothing_is_taken),
        IN_WORLD(an_unknown_end_of_a_guest_is_looked_up),
        IN_WORLD(names_and_tickets_may_be_repeated),
        IN_WORLD(nothing_counts_that_was_not_made),
        IN_WORLD(a_waiting_request_does_not_name_a_forgotten_guest),
        IN_WORLD(requests_of_a_forgotten_guest_are_answered),
        IN_WORLD(a_name_of_unknown_outcome_is_looked_up),
        IN_WORLD(a_queued_name_does_not_make_a_forgotten_guest_again),
        IN_WORLD(the_seat_of_a_forgotten_guest_goes_to_a_bot_when_the_room_is_read),
        IN_WORLD(clients_are_told_that_the_server_will_stop),
        IN_WORLD(the_operator_closes_rooms_and_blocks_guests),
        IN_WORLD(own_sheets_are_uploaded),
        IN_WORLD(a_sheet_may_be_uploaded_in_other_words),
        IN_WORLD(a_sheet_that_is_there_in_other_words_is_used),
        IN_WORLD(sheets_that_nobody_uses_are_deleted),
        IN_WORLD(people_who_may_enter_get_the_sheet),
        IN_WORLD(rooms_on_an_earlier_sheet_go_on),
        IN_WORLD(a_room_on_a_changed_sheet_has_its_text),
        IN_WORLD(a_changed_sheet_may_be_there_in_other_words),
        IN_WORLD(a_changed_sheet_is_stored_before_its_room),
        IN_WORLD(rooms_are_read_without_a_connection),
        IN_WORLD(pictures_are_drawn_when_there_is_something_new),
        IN_WORLD(a_picture_that_is_drawn_counts_as_four_requests_or_more),
        IN_WORLD(rooms_without_spectators_have_none),
        IN_WORLD(short_codes_cannot_be_guessed_by_a_network),
        IN_WORLD(text_is_limited),
        IN_WORLD(games_that_nobody_is_in_make_room),
        IN_WORLD(chat_of_a_room_is_limited),
        IN_WORLD(acts_are_limited),
        IN_WORLD(a_guest_is_at_fifty_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
