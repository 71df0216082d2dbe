/* Tests of the rooms' logic in several processes that share a store: players of one room at
 * different processes notice nothing of it. The simulation (tests/sim) covers faults and chance. */
#include "check.h"
#include "rooms/internal.h"
#include "rooms_world.h"
#include <stdlib.h>
#include <string.h>

#define METRO "game metro\\nplayers 2\\n"
#define SOLO "game verplant\\nmap practice\\nplayers 2\\n"

static struct world *one, *two;

static int open_both(void **state)
{
    (void)state;
    one = calloc(1, sizeof *one);
    two = calloc(1, sizeof *two);
    world_beside(one, NULL, 1);
    world_beside(two, one, 7);
    return 0;
}

static int close_both(void **state)
{
    (void)state;
    world_close(two);
    world_close(one);
    free(two);
    free(one);
    return 0;
}

static const char *phase_of(const struct client *client)
{
    return json_string_value(json_object_get(client->room, "phase"));
}

static json_t *seat_field(const struct client *client, int seat, const char *field)
{
    json_t *seats = json_object_get(client->room, "seats");
    return json_object_get(json_array_get(seats, (size_t)seat - 1), field);
}

static bool is_here(const struct client *client, int seat)
{
    return json_is_true(seat_field(client, seat, "here"));
}

static long watchers(const struct client *client)
{
    return (long)json_integer_value(json_object_get(client->room, "watchers"));
}

/* A room of two, whose seats are taken at different processes; not started. */
static const char *two_sit(struct client *ada, struct client *bo, const char *setup,
                           const char *more)
{
    static char room[STORE_ROOM_BYTES];
    char code[40];
    snprintf(room, sizeof room, "%s", world_room(ada, setup, more));
    client_connect(ada, room);
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    bo->view[0] = 0;
    client_connect_with(bo, room, code);
    client_sit(ada, 1);
    client_sit(bo, 2);
    assert_true(client_heard(bo, "ok"));
    return room;
}

static const char *two_play(struct client *ada, struct client *bo, const char *setup,
                            const char *more)
{
    const char *room = two_sit(ada, bo, setup, more);
    client_say(ada, "{'t':'start','key':'start'}");
    client_word(ada);
    client_word(bo);
    assert_string_equal(phase_of(ada), "playing");
    assert_string_equal(phase_of(bo), "playing");
    return room;
}

static const char *record_of(const struct client *client)
{
    for (size_t i = client->count; i-- > 0;)
        if (strcmp(json_string_value(json_object_get(client->heard[i], "t")), "record") == 0)
            return json_string_value(json_object_get(client->heard[i], "text"));
    return "";
}

static void play_on(struct client *ada, struct client *bo)
{
    for (int i = 0; i < 2000 && strcmp(phase_of(ada), "playing") == 0; i++) {
        client_move(ada);
        client_move(bo);
        world_pass(one, 3000);
    }
}

static size_t entries_of(const char *room, uint8_t kind)
{
    struct store_question read = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    size_t count = 0;
    strcpy(read.head.room, room);
    store_ask(one->store, &read, &answer);
    for (size_t i = 0; i < answer.entries; i++)
        count += kind == 0 || answer.entry[i].kind == kind;
    free(answer.memory);
    return count;
}

/* ---- What a process has not heard ---- */

static void nothing_is_refused_that_others_made_possible(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    char code[40];
    const char *room = world_room(ada, METRO, "");
    client_connect(ada, room);
    client_sit(ada, 1);
    client_say(ada, "{'t':'start','key':'early'}");
    assert_string_equal(client_refused(ada), "TOO_FEW");
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(bo, room, code);
    one->deaf = true;
    client_sit(bo, 2);
    while (client_heard(ada, "ok")) {
    }
    client_say(ada, "{'t':'start','key':'start'}");
    assert_true(client_heard(ada, "ok"));
    assert_string_equal(phase_of(ada), "words");
}

/* Two messages of one person, of which the first is judged again: their order stays. */
static void messages_stay_in_order(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_sit(ada, bo, METRO, "");
    one->store_waits = true;
    client_say(ada, "{'t':'word','word':'%064d','id':1}", 0); /* too early */
    client_say(ada, "{'t':'chat','key':'c','text':'Hello','id':2}");
    client_say(ada, "{'t':'leave','key':'l','id':3}");
    one->store_waits = false;
    world_pass(one, 100);
    long next = 1;
    for (size_t i = 0; i < ada->count; i++) {
        json_t *id = json_object_get(ada->heard[i], "id");
        if (id && json_integer_value(id) == next)
            next++;
    }
    assert_int_equal(next, 4);
}

/* One read is enough for all messages that have come before it. */
static void many_refusals_take_one_read(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_sit(ada, bo, METRO, "");
    world_pass(one, 3000);
    one->store_waits = true;
    client_say(ada, "{'t':'chat','key':'c','text':'Hello'}"); /* the others wait for this */
    for (int i = 0; i < 15; i++)
        client_say(ada, "{'t':'nonsense'}");
    size_t answers = 0;
    while (world_answer(one))
        answers++;
    one->store_waits = false;
    assert_true(answers <= 4);
    for (int i = 0; i < 15; i++)
        assert_string_equal(client_refused(ada), "UNKNOWN");
}

static void a_request_is_told_what_others_did(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_sit(ada, bo, METRO, "");
    one->deaf = true;
    client_say(bo, "{'t':'leave','key':'l'}");
    client_request(ada, "{'t':'get','what':'room','room':'%s'}", room);
    assert_int_equal(ada->status, 200);
    assert_null(strstr(ada->body, "\"name\":\"Bo\""));
}

/* ---- Games ---- */

static void a_game_is_played_at_two_processes(void **state)
{
    (void)state;
    static const char *const setup[] = {METRO, SOLO};
    for (int i = 0; i < 2; i++) {
        struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
        two_play(ada, bo, setup[i], "");
        play_on(ada, bo);
        assert_string_equal(phase_of(ada), "over");
        assert_string_equal(phase_of(bo), "over");
        assert_true(strlen(record_of(ada)) > 100);
        assert_string_equal(record_of(ada), record_of(bo));
        world_pass(one, 60000);
    }
}

/* Without news a process still never contradicts the others: its batch is refused, and it reads. */
static void without_news_nothing_contradicts(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_play(ada, bo, SOLO, "");
    two->deaf = true;
    for (int i = 0; i < 3; i++) {
        assert_true(client_move(ada));
        assert_true(client_move(bo)); /* written after Ada's, of which this process has not heard */
        world_pass(one, 1000);
    }
    assert_true(rooms_counts(two->rooms)->batches_refused >= 3);
    assert_int_equal(ada->lines, bo->lines);
    assert_true(client_move(ada));
    two->deaf = false;
    world_hear_all(two);
    assert_true(client_move(bo));
    play_on(ada, bo);
    assert_string_equal(record_of(ada), record_of(bo));
}

static void a_move_is_made_once_at_two_processes(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_play(ada, bo, SOLO, "");
    struct client *tab = client_at(ada, two);
    client_connect(tab, room);
    one->store_waits = two->store_waits = true;
    assert_true(client_move(ada));
    assert_true(client_move(tab)); /* the same move for the same decision */
    one->store_waits = two->store_waits = false;
    world_pass(one, 1000);
    assert_true(client_heard(ada, "ok"));
    assert_true(client_heard(tab, "ok"));
    assert_int_equal(entries_of(room, ENTRY_MOVE), 1);
    tab->view[0] = 0;
    client_connect(tab, room);
    assert_int_equal(tab->lines, ada->lines);
    assert_false(client_move(tab)); /* Bo is due */
}

static void a_client_continues_at_another_process(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(one, "Bo");
    const char *room = two_play(ada, bo, METRO, "");
    for (int i = 0; i < 6; i++) {
        client_move(ada);
        client_move(bo);
    }
    struct client *away = client_at(bo, two);
    char have[40];
    snprintf(have, sizeof have, ",'have':%zu", bo->lines);
    memcpy(away->view, bo->view, sizeof away->view);
    away->lines = bo->lines;
    world_kill(one);
    client_connect_with(away, room, have);
    assert_int_equal(away->closed, 0);
    assert_int_equal(away->lines, bo->lines);
    assert_string_equal(away->view, bo->view);
    world_start(one);
    client_connect(ada, room);
    play_on(ada, away);
    assert_string_equal(phase_of(away), "over");
    assert_string_equal(record_of(ada), record_of(away));
}

/* A process stored something and died before it could tell others. */
static void the_last_deeds_of_a_process_are_found(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_play(ada, bo, METRO, "");
    size_t lines = bo->lines;
    two->deaf = true;
    if (!client_move(ada)) {
        client_move(bo);
        lines = bo->lines;
        world_hear_all(one);
        assert_true(client_move(ada));
    }
    world_kill(one);
    two->deaf = false;
    assert_int_equal(bo->lines, lines);
    world_pass(two, 25000);
    assert_true(bo->lines > lines);
}

/* ---- Presence ---- */

static void people_at_another_process_are_here(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_sit(ada, bo, METRO, ",'open':true,'watch':true");
    struct client *eve = world_stranger(two);
    client_connect(eve, room);
    world_pass(one, 1000);
    assert_true(is_here(ada, 2));
    assert_true(is_here(bo, 1));
    assert_int_equal(watchers(ada), 1);
    assert_int_equal(watchers(bo), 1);
    client_lose(bo);
    client_lose(eve);
    world_pass(one, 1000);
    assert_false(is_here(ada, 2));
    assert_int_equal(watchers(ada), 0);
    client_connect(bo, room);
    world_pass(one, 1000);
    assert_true(is_here(ada, 2));
    world_kill(two); /* that shows when it has not been noted for a while */
    world_pass(one, 25000);
    assert_false(is_here(ada, 2));
    world_start(two);
    client_connect(bo, room);
    world_pass(one, 1000);
    assert_true(is_here(ada, 2));
    struct rooms_input drain = {.kind = ROOMS_DRAIN, .now = two->now};
    rooms_step(two->rooms, &drain);
    world_pass(one, 6000);
    assert_false(is_here(ada, 2));
    assert_true(client_heard(bo, "soon"));
    assert_true(client_int(bo, "ms") < 1000);
}

/* A process that others took for dead tells them again who is there. */
static void a_process_that_was_away_tells_again(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_sit(ada, bo, METRO, "");
    two->store_waits = true;
    world_pass(one, 30000);
    assert_false(is_here(ada, 2));
    two->store_waits = false;
    world_pass(one, 10000);
    assert_true(is_here(ada, 2));
}

static void a_host_elsewhere_stays_host(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_sit(ada, bo, METRO, "");
    world_pass(one, 600000);
    assert_true(json_is_true(seat_field(bo, 1, "host")));
    client_lose(ada);
    world_pass(one, 130000);
    assert_false(json_is_true(seat_field(bo, 1, "host")));
    assert_true(json_is_true(seat_field(bo, 2, "host")));
    assert_int_equal(entries_of(room, ENTRY_HOST), 1);
}

static void a_room_with_people_elsewhere_is_not_idle(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_sit(ada, bo, METRO, "");
    client_lose(bo);
    for (int hour = 0; hour < 60; hour++)
        world_pass(one, 3600000);
    assert_string_equal(phase_of(ada), "waiting");
    client_lose(ada);
    for (int hour = 0; hour < 7 * 24 - 1; hour++)
        world_pass(one, 3600000);
    assert_int_equal(entries_of(room, ENTRY_CLOSED), 0);
    for (int hour = 0; hour < 2; hour++)
        world_pass(one, 3600000);
    assert_int_equal(entries_of(room, ENTRY_CLOSED), 1);
    assert_int_equal(rooms_counts(one->rooms)->rooms, 0);
    assert_int_equal(rooms_counts(two->rooms)->rooms, 0);
}

static void chat_and_reactions_reach_everybody(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_sit(ada, bo, METRO, ",'watch':true");
    client_say(bo, "{'t':'chat','key':'c','text':'Hello'}");
    assert_true(client_heard(ada, "chat"));
    assert_string_equal(client_text(ada, "text"), "Hello");
    assert_string_equal(client_text(ada, "name"), "Bo");
    client_say(bo, "{'t':'react','what':'clap'}");
    assert_true(client_heard(ada, "react"));
    assert_string_equal(client_text(ada, "what"), "clap");
    assert_string_equal(client_text(ada, "name"), "Bo");
    assert_int_equal(client_int(ada, "seat"), 2);
    client_say(bo, "{'t':'react','what':'clap'}"); /* the same once more */
    assert_true(client_heard(ada, "react"));
    assert_false(client_heard(ada, "react"));
    /* A spectator, whose name the room does not know. */
    struct client *cy = world_guest(two, "Cy");
    char code[40];
    snprintf(code, sizeof code, ",'code':'%s'",
             json_string_value(json_object_get(ada->room, "code")));
    client_connect_with(cy, room, code);
    client_say(cy, "{'t':'react','what':'wow'}");
    assert_true(client_heard(ada, "react"));
    assert_string_equal(client_text(ada, "name"), "Cy");
    /* Who comes later, to a process that reads the room for the first time, hears no old ones. */
    world_kill(one);
    world_start(one);
    client_connect(ada, room);
    world_pass(one, 1000);
    assert_false(client_heard(ada, "react"));
}

/* The other process reads the reaction only after its author has gone. */
static void the_reaction_of_somebody_who_leaves_arrives(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_sit(ada, bo, METRO, "");
    world_pass(one, 1000);
    one->store_waits = true;
    client_say(bo, "{'t':'react','what':'clap'}");
    client_lose(bo);
    world_pass(two, 1000);
    one->store_waits = false;
    world_pass(one, 1000);
    assert_true(client_heard(ada, "react"));
    assert_string_equal(client_text(ada, "name"), "Bo");
    assert_false(is_here(ada, 2));
    world_pass(one, 120000);
    assert_false(client_heard(ada, "react"));
    assert_int_equal(rooms_counts(two->rooms)->rooms, 0);
}

/* … but is not told to somebody who comes long after it. */
static void an_old_reaction_does_not_come_back(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_sit(ada, bo, METRO, "");
    client_say(bo, "{'t':'react','what':'clap'}");
    client_lose(bo);
    world_pass(one, 20000);
    world_kill(one);
    world_start(one);
    client_connect(ada, room);
    world_pass(one, 1000);
    client_connect(bo, room);
    world_pass(one, 1000);
    assert_true(is_here(ada, 2));
    assert_false(client_heard(ada, "react"));
}

/* ---- Guests and the lobby ---- */

static const char *table_host(struct client *client)
{
    const char *host = "";
    while (client_heard(client, "lobby")) {
        json_t *table = json_array_get(json_object_get(client->latest, "tables"), 0);
        host = table ? json_string_value(json_object_get(table, "host")) : "";
    }
    return host;
}

static void the_lobby_shows_tables_of_all(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    struct client *eve = world_stranger(two);
    client_connect(eve, "");
    const char *room = world_room(ada, METRO, ",'open':true");
    world_pass(one, 3000);
    assert_string_equal(table_host(eve), "Ada");
    client_connect(bo, room);
    client_sit(bo, 1);
    client_connect(ada, room);
    client_sit(ada, 2);
    client_say(ada, "{'t':'name','name':'Adele','colour':1}");
    world_pass(one, 3000);
    assert_string_equal(table_host(eve), "Adele");
    client_say(ada, "{'t':'start','key':'s'}");
    eve->read = 0;
    world_pass(one, 3000);
    assert_string_equal(table_host(eve), "");
    /* A process that starts later, and one that has missed the news. */
    two->deaf = true;
    world_room(ada, SOLO, ",'open':true");
    world_pass(one, 3000);
    assert_false(client_heard(eve, "lobby"));
    two->deaf = false;
    world_hear_all(two);
    world_pass(one, 3000);
    assert_string_equal(table_host(eve), "Adele");
    world_kill(two);
    world_start(two);
    client_connect(eve, "");
    world_pass(one, 3000);
    assert_string_equal(table_host(eve), "Adele");
}

/* Returns whether the lobby of a process shows a table. */
static bool shows_table(struct world *world)
{
    struct client *eve = world_stranger(world);
    client_request(eve, "{'t':'get','what':'rooms'}");
    bool shown = strstr(eve->body, "\"room\"") != NULL;
    free(eve->body);
    eve->body = NULL;
    world->clients--;
    return shown;
}

static void tables_leave_the_lobbies_of_all(void **state)
{
    (void)state;
    const uint64_t minute = 60000;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ",'open':true"));
    client_connect(ada, room);
    client_sit(ada, 1);
    client_connect(bo, room);
    client_sit(bo, 2);
    client_lose(ada);
    world_pass(one, 30 * minute);
    assert_true(shows_table(one) && shows_table(two)); /* somebody is there, at the other one */
    client_lose(bo);
    world_pass(one, 9 * minute);
    assert_int_equal(rooms_counts(one->rooms)->rooms, 0);
    assert_int_equal(rooms_counts(two->rooms)->rooms, 0);
    assert_true(shows_table(one) && shows_table(two));
    world_pass(one, 2 * minute);
    assert_false(shows_table(one) || shows_table(two));
    client_connect(ada, room);
    world_pass(one, 3000);
    assert_true(shows_table(one) && shows_table(two));
    /* The process at which somebody was has ended. */
    world_pass(one, 33 * minute);
    world_kill(one);
    world_pass(two, 4 * minute);
    assert_true(shows_table(two));
    world_pass(two, 7 * minute);
    assert_false(shows_table(two));
    world_start(one);
}

/* Also tables that were made at another process. */
static void nobody_fills_the_lobbies_of_all(void **state)
{
    (void)state;
    enum { TABLES = 110 };
    one->limits.rooms_of_guest = one->limits.rooms_of_address = TABLES;
    one->limits.tables_of_guest = TABLES;
    world_restart(one);
    struct client *mallory = world_guest(one, "Mallory"), *ada = NULL;
    for (int i = 0; i < 4; i++)
        ada = world_guest(one, "Ada"); /* the last in another network */
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ",'open':true"));
    client_connect(ada, room);
    for (int i = 0; i < TABLES; i++) {
        client_connect(mallory, world_room(mallory, METRO, ",'open':true"));
        world_pass(one, 1000);
    }
    world_pass(one, 10000);
    for (struct world *world = one; world; world = world == one ? two : NULL) {
        struct client *eve = world_stranger(world);
        client_request(eve, "{'t':'get','what':'rooms'}");
        assert_non_null(strstr(eve->body, room));
    }
}

static bool shows_room(struct world *world, const char *room)
{
    struct client *eve = world_stranger(world);
    client_request(eve, "{'t':'get','what':'rooms'}");
    bool shown = strstr(eve->body, room) != NULL;
    free(eve->body);
    eve->body = NULL;
    world->clients--;
    return shown;
}

/* A table where somebody is at another process comes before those where nobody is. */
static void tables_without_people_hide_nobody_elsewhere(void **state)
{
    (void)state;
    enum { TABLES = 110 };
    one->limits.rooms_of_guest = one->limits.rooms_of_address = TABLES;
    one->limits.tables_of_guest = TABLES;
    world_restart(one);
    struct client *mallory = world_guest(one, "Mallory"), *ada = world_guest(one, "Ada");
    struct client *there = client_at(ada, two); /* all of one network */
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", world_room(ada, METRO, ",'open':true"));
    world_pass(one, 1000);
    for (int i = 0; i < TABLES; i++)
        world_room(mallory, METRO, ",'open':true");
    world_pass(one, 100000);
    assert_false(shows_room(one, room) || shows_room(two, room));
    for (int again = 0; again < 2; again++) {
        client_connect(there, room);
        world_pass(one, 10000);
        assert_true(shows_room(one, room) && shows_room(two, room));
        if (again)
            world_kill(two);
        else
            client_lose(there);
        world_pass(one, 30000);
        assert_false(shows_room(one, room));
    }
    world_start(two);
}

static void a_name_is_told_everywhere(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_sit(ada, bo, METRO, "");
    struct client *tab = client_at(bo, one);
    client_connect(tab, "");
    client_say(tab, "{'t':'name','name':'Bob','colour':2}");
    world_pass(one, 1000);
    assert_string_equal(json_string_value(seat_field(ada, 2, "name")), "Bob");
    assert_string_equal(json_string_value(seat_field(bo, 2, "name")), "Bob");
    client_say(bo, "{'t':'chat','key':'c','text':'Hello'}");
    assert_true(client_heard(ada, "chat"));
    assert_string_equal(client_text(ada, "name"), "Bob");
}

/* A process that missed a new name writes the old one with a move of its own. */
static void an_old_name_does_not_come_back(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_sit(ada, bo, METRO, "");
    two->deaf = true;
    client_say(ada, "{'t':'name','name':'Adele','colour':1}");
    client_say(bo, "{'t':'chat','key':'c','text':'Hello'}");
    two->deaf = false;
    world_hear_all(two);
    world_pass(one, 1000);
    assert_string_equal(json_string_value(seat_field(ada, 1, "name")), "Adele");
    assert_string_equal(json_string_value(seat_field(bo, 1, "name")), "Adele");
    struct store_question read = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    strcpy(read.head.room, room);
    store_ask(one->store, &read, &answer);
    char *people = strndup(answer.head.people.at, answer.head.people.size);
    assert_non_null(strstr(people, " Adele\n"));
    free(people);
    free(answer.memory);
}

/* A process that missed a new name, and then hears of the start, knows the name of the start. */
static void the_names_of_the_start_are_the_same_everywhere(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_sit(ada, bo, METRO, "");
    two->deaf = true;
    client_say(ada, "{'t':'name','name':'Adele','colour':1}");
    client_say(ada, "{'t':'start','key':'start'}");
    client_word(ada);
    two->deaf = false;
    world_hear_all(two);
    client_word(bo);
    assert_string_equal(phase_of(bo), "playing");
    assert_string_equal(json_string_value(seat_field(bo, 1, "name")), "Adele");
    play_on(ada, bo);
    assert_string_equal(record_of(ada), record_of(bo));
}

static void who_is_gone_is_signed_out_everywhere(void **state)
{
    (void)state;
    for (int missed = 0; missed < 2; missed++) {
        struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
        const char *room = two_play(ada, bo, SOLO, "");
        client_say(bo, "{'t':'chat','key':'c','text':'secret'}");
        client_say(bo, "{'t':'ticket'}");
        assert_true(client_heard(bo, "ticket"));
        struct client *phone = world_stranger(one);
        client_request(phone, "{'t':'device','ticket':'%s'}", client_text(bo, "ticket"));
        json_t *made = json_loads(phone->body, 0, NULL);
        snprintf(phone->token, sizeof phone->token, "%s",
                 json_string_value(json_object_get(made, "token")));
        client_connect(phone, "");
        two->deaf = missed;
        one->deaf = missed;
        client_say(bo, "{'t':'withdraw','device':'%s'}",
                   json_string_value(json_object_get(made, "device")));
        json_decref(made);
        if (missed)
            world_hear_all(one);
        assert_int_equal(phone->closed, 4002);
        assert_int_equal(bo->closed, 0);
        struct client *tab = client_at(bo, one);
        client_connect(tab, "");
        client_say(tab, "{'t':'forget'}");
        if (missed) {
            assert_int_equal(bo->closed, 0);
            world_hear_all(two);
        }
        assert_int_equal(bo->closed, 4002);
        one->deaf = two->deaf = false;
        world_hear_all(one);
        world_pass(one, 2000);
        assert_string_equal(json_string_value(seat_field(ada, 2, "name")), "");
        assert_string_equal(json_string_value(seat_field(ada, 2, "bot")), "casual");
        assert_int_equal(entries_of(room, ENTRY_GIVEN), 1);
        struct client *eve = client_at(ada, two);
        client_connect(eve, room);
        assert_false(client_heard(eve, "chat"));
        world_pass(one, 3600000);
    }
}

static void limits_count_all_processes(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada");
    struct client *tab = client_at(ada, two);
    for (int i = 0; i < 10; i++)
        world_room(i % 2 ? ada : tab, METRO, "");
    client_connect(tab, "");
    client_say(tab, "{'t':'make','key':'last','setup':'" METRO "'}");
    assert_string_equal(client_refused(tab), "TOO_MANY");
    client_connect(ada, "");
    client_say(ada, "{'t':'make','key':'last','setup':'" METRO "'}");
    assert_string_equal(client_refused(ada), "TOO_MANY");
    world_pass(one, 3600000);
    client_connect(ada, "");
    client_say(ada, "{'t':'make','key':'last','setup':'" METRO "'}");
    assert_true(client_heard(ada, "ok"));
}

/* A message that is repeated at the other process, when the limit is reached, gets its answer. */
static void a_room_is_made_once(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada");
    struct client *tab = client_at(ada, two);
    for (int i = 0; i < 9; i++)
        world_room(ada, METRO, "");
    char room[STORE_ROOM_BYTES];
    client_say(ada, "{'t':'make','key':'k','setup':'" METRO "'}");
    assert_true(client_heard(ada, "ok"));
    snprintf(room, sizeof room, "%s", client_text(ada, "room"));
    client_connect(tab, "");
    client_say(tab, "{'t':'make','key':'k','setup':'" METRO "'}");
    assert_true(client_heard(tab, "ok"));
    assert_string_equal(client_text(tab, "room"), room);
}

/* Who has made all rooms that they may takes nothing from others at the same address. */
static void who_is_refused_spends_nothing_of_others(void **state)
{
    (void)state;
    /* The first clients of both worlds have the same address. */
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    for (int i = 0; i < 10; i++)
        world_room(ada, METRO, "");
    for (int i = 0; i < 25; i++) {
        client_say(ada, "{'t':'make','key':'more%d','setup':'" METRO "'}", i);
        assert_string_equal(client_refused(ada), "TOO_MANY");
        world_pass(one, 10000);
    }
    world_room(bo, METRO, "");
}

/* ---- News ---- */

static size_t waiting(const struct world *world)
{
    const struct index *index = &world->rooms->rooms;
    size_t count = 0;
    for (size_t i = 0; i < index->slots; i++)
        if (index->slot[i].key)
            count += ((const struct room *)index->slot[i].thing)->waiting;
    return count;
}

/* When everything is read again, a guest of one room does not concern the others. */
static void reading_everything_again_takes_little(void **state)
{
    (void)state;
    enum { ROOMS = 20 };
    for (int i = 0; i < ROOMS; i++)
        two_sit(world_guest(one, "Ada"), world_guest(one, "Bo"), METRO, "");
    one->store_waits = true;
    world_hear_all(one);
    size_t questions = one->count, most = 0;
    world_hear_all(one); /* that changes nothing before the answers */
    assert_true(one->count < questions + 3);
    while (world_answer(one))
        most = waiting(one) > most ? waiting(one) : most;
    assert_true(questions < 5 * ROOMS);
    assert_true(most <= ROOMS);
    one->store_waits = false;
    world_pass(one, 1000);
}

/* A process that was killed may have stored something without a word. */
static void what_a_lost_process_has_stored_is_read(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    two_play(ada, bo, METRO, "");
    size_t lines = bo->lines;
    two->deaf = true;
    assert_true(client_move(ada) || client_move(bo));
    if (bo->lines > lines) /* it was not Ada's turn */
        assert_true(client_move(ada));
    lines = bo->lines;
    world_kill(one);
    two->deaf = false;
    world_pass(two, 10000);
    assert_int_equal(bo->lines, lines);
    world_pass(two, 20000);
    assert_true(bo->lines > lines);
}

/* The store has found the device, then another process withdraws it, and this one hears of that
 * before it has the store's answer. */
static void a_device_is_withdrawn_while_it_says_hello(void **state)
{
    (void)state;
    for (int missed = 0; missed < 2; missed++) {
        struct client *bo = world_guest(two, "Bo"), *phone = world_stranger(one);
        client_connect(bo, "");
        client_say(bo, "{'t':'ticket'}");
        assert_true(client_heard(bo, "ticket"));
        client_request(phone, "{'t':'device','ticket':'%s'}", client_text(bo, "ticket"));
        json_t *made = json_loads(phone->body, 0, NULL);
        snprintf(phone->token, sizeof phone->token, "%s",
                 json_string_value(json_object_get(made, "token")));
        one->store_waits = true;
        client_connect(phone, "");
        struct store_answer answer;
        store_ask(one->store, &one->question[one->first]->question, &answer);
        assert_true(answer.found);
        one->deaf = missed;
        client_say(bo, "{'t':'withdraw','device':'%s'}",
                   json_string_value(json_object_get(made, "device")));
        assert_true(client_heard(bo, "ok"));
        one->deaf = false;
        if (missed)
            world_hear_all(one);
        rooms_step(one->rooms,
                   &(struct rooms_input){.kind = ROOMS_ANSWER, .now = one->now, .answer = &answer});
        free(answer.memory);
        one->store_waits = false;
        world_pass(one, 2000);
        assert_int_equal(phone->closed, 4002);
        json_decref(made);
    }
}

/* ---- Clocks ---- */

/* The process that had the room is gone: another one moves for those whose time is up, once. */
static void a_clock_is_taken_over(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(one, "Bo");
    char room[STORE_ROOM_BYTES];
    snprintf(room, sizeof room, "%s", two_play(ada, bo, SOLO, ",'clock':600"));
    world_kill(one);
    for (int i = 0; i < 59; i++)
        world_pass(two, 10000);
    assert_int_equal(entries_of(room, ENTRY_CLOCK), 0);
    world_pass(two, 30000);
    assert_int_equal(entries_of(room, ENTRY_CLOCK), 2);
    world_start(one);
    for (int i = 0; i < 62; i++)
        world_pass(one, 10000);
    assert_int_equal(entries_of(room, ENTRY_CLOCK), 4);
    assert_int_equal(entries_of(room, ENTRY_CHANCE), 3);
}

/* Nor does anything hold a clock up if the store cannot take what we say about the room. */
static void a_clock_does_not_wait_for_presence(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(one, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'clock':20");
    world_pass(one, 19800);
    one->fails = 1U << STORE_HERE;
    client_lose(bo);
    assert_int_equal(one->fails, 0);
    world_pass(one, 300);
    assert_int_equal(entries_of(room, ENTRY_CLOCK), 2);
}

/* Both have connections, and both ask a bot when time is up. */
static void two_processes_make_one_clock_move(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'clock':20");
    world_pass(one, 25000);
    assert_int_equal(entries_of(room, ENTRY_CLOCK), 2);
    assert_int_equal(ada->lines, bo->lines);
}

/* One process closes the room while the bot of the other is still thinking. */
static void a_bot_that_was_overtaken_stops(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'clock':20");
    one->bots_wait = two->bots_wait = true;
    world_pass(one, 22000);
    assert_int_equal(one->thoughts, 2);
    assert_int_equal(two->thoughts, 2);
    client_command(ada, "{'t':'close','room':'%s'}", room);
    assert_string_equal(phase_of(bo), "closed");
    assert_int_equal(one->thoughts, 0);
    assert_int_equal(two->thoughts, 0);
}

/* While no process can reach the store, nobody's time runs. */
static void the_time_without_a_store_is_nobodys(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'clock':60");
    world_pass(one, 10000);
    one->store_waits = two->store_waits = true;
    world_pass(one, 300000);
    one->store_waits = two->store_waits = false;
    world_pass(one, 30000);
    assert_int_equal(entries_of(room, ENTRY_CLOCK), 0);
    world_pass(one, 40000);
    assert_int_equal(entries_of(room, ENTRY_CLOCK), 2);
}

/* One that was away while the others ran finds no more time on the clocks than they do. */
static void the_time_of_one_process_is_no_gap(void **state)
{
    (void)state;
    struct client *ada = world_guest(one, "Ada"), *bo = world_guest(two, "Bo");
    const char *room = two_play(ada, bo, SOLO, ",'clock':60");
    one->store_waits = true;
    world_pass(one, 40000);
    one->store_waits = false;
    world_pass(one, 22000);
    assert_int_equal(entries_of(room, ENTRY_CLOCK), 2);
    assert_int_equal(ada->lines, bo->lines);
}

#define WITH_BOTH(test) cmocka_unit_test_setup_teardown(test, open_both, close_both)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_BOTH(nothing_is_refused_that_others_made_possible),
        WITH_BOTH(messages_stay_in_order),
        WITH_BOTH(many_refusals_take_one_read),
        WITH_BOTH(a_request_is_told_what_others_did),
        WITH_BOTH(a_game_is_played_at_two_processes),
        WITH_BOTH(without_news_nothing_contradicts),
        WITH_BOTH(a_move_is_made_once_at_two_processes),
        WITH_BOTH(a_client_continues_at_another_process),
        WITH_BOTH(the_last_deeds_of_a_process_are_found),
        WITH_BOTH(people_at_another_process_are_here),
        WITH_BOTH(a_process_that_was_away_tells_again),
        WITH_BOTH(a_host_elsewhere_stays_host),
        WITH_BOTH(a_room_with_people_elsewhere_is_not_idle),
        WITH_BOTH(chat_and_reactions_reach_everybody),
        WITH_BOTH(the_reaction_of_somebody_who_leaves_arrives),
        WITH_BOTH(an_old_reaction_does_not_come_back),
        WITH_BOTH(the_lobby_shows_tables_of_all),
        WITH_BOTH(tables_leave_the_lobbies_of_all),
        WITH_BOTH(nobody_fills_the_lobbies_of_all),
        WITH_BOTH(tables_without_people_hide_nobody_elsewhere),
        WITH_BOTH(a_name_is_told_everywhere),
        WITH_BOTH(an_old_name_does_not_come_back),
        WITH_BOTH(the_names_of_the_start_are_the_same_everywhere),
        WITH_BOTH(who_is_gone_is_signed_out_everywhere),
        WITH_BOTH(limits_count_all_processes),
        WITH_BOTH(a_room_is_made_once),
        WITH_BOTH(who_is_refused_spends_nothing_of_others),
        WITH_BOTH(reading_everything_again_takes_little),
        WITH_BOTH(what_a_lost_process_has_stored_is_read),
        WITH_BOTH(a_device_is_withdrawn_while_it_says_hello),
        WITH_BOTH(a_clock_is_taken_over),
        WITH_BOTH(a_clock_does_not_wait_for_presence),
        WITH_BOTH(two_processes_make_one_clock_move),
        WITH_BOTH(a_bot_that_was_overtaken_stops),
        WITH_BOTH(the_time_without_a_store_is_nobodys),
        WITH_BOTH(the_time_of_one_process_is_no_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
