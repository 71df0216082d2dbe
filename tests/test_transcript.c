/* Plays the game whose messages are docs/transcript.txt, and compares. UPDATE=1 rewrites it. */
#include "check.h"
#include "rooms_world.h"

enum { SIZE = 1 << 20 };

static char *read_text(const char *path)
{
    char *text = calloc(1, SIZE);
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(text, 1, SIZE - 1, file) : 0;
    if (file)
        fclose(file);
    text[size] = 0;
    return text;
}

/* Two people play; one of them loses the connection in the middle and comes back. */
static void the_transcript_is_what_happens(void **state)
{
    (void)state;
    static const char path[] = "../docs/transcript.txt";
    struct world *world = calloc(1, sizeof *world);
    world_open(world, 41);
    struct client *ada = world_guest(world, "Ada"), *bo = world_guest(world, "Bo");
    struct es_out script = {calloc(1, SIZE), SIZE, 0};
    char code[40], have[40], room[STORE_ROOM_BYTES];
    world->script = &script;
    snprintf(room, sizeof room, "%s",
             world_room(ada, "game verplant\\nmap practice\\nplayers 2\\ndeck 3 4 5 6\\n", ""));
    snprintf(code, sizeof code, ",'code':'%s'", client_text(ada, "code"));
    client_connect(ada, room);
    client_connect_with(bo, room, code);
    client_sit(ada, 1);
    client_sit(bo, 2);
    client_say(ada, "{'t':'start','id':1,'key':'start-1'}");
    client_word(ada);
    client_word(bo);
    for (int i = 0; i < 3; i++) {
        client_move(bo);
        client_move(ada);
    }
    client_move(ada);
    client_lose(bo);
    snprintf(have, sizeof have, ",'have':%zu", bo->lines);
    world_pass(world, 30000);
    client_connect_with(bo, room, have);
    client_say(bo, "{'t':'chat','key':'chat-1','text':'Sorry, a tunnel'}");
    world_play(world);
    assert_string_equal(json_string_value(json_object_get(ada->room, "phase")), "over");
    assert_true(es_out_ok(&script));
    script.at[script.used] = 0;
    if (getenv("UPDATE")) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fwrite(script.at, 1, script.used, file);
        fclose(file);
    }
    char *expected = read_text(path);
    assert_string_equal(script.at, expected);
    free(expected);
    free(script.at);
    world_close(world);
    free(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_transcript_is_what_happens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
