/* Golden files: whole games from fixed seeds with every list and report. A change of behaviour
 * shows as a difference and has to be explained; `UPDATE=1 build/tests/test_playthrough` (in the
 * folder tests) rewrites them. */
#include "check.h"

struct playthrough {
    const char *name; /* of its file: the game's name, then what is special about this game */
    int players;
    uint32_t rules; /* bit i: the i-th of the game's rule words */
    const char *deck;
    uint64_t seed;
};

static const struct playthrough playthroughs[] = {
    {"null", 3, 0, NULL, 1},
    {"depot-two", 2, 0, NULL, 7},
    {"depot-three-corners", 3, 1, NULL, 8},
    {"verplant-solo", 1, 0, NULL, 2},
    {"verplant-two-special", 2, ES_VERPLANT_SPECIAL, NULL, 3},
    {"verplant-three-deck-15", 3, 0, es_verplant_deck_15, 4},
    {"metro-two", 2, 0, NULL, 5},
    {"metro-three-rotate-hand2", 3, ES_METRO_ROTATE | ES_METRO_HAND2, NULL, 6},
};

/* The game that a file's name begins with. */
static const struct es_game *game_of(const struct playthrough *p)
{
    return es_game_named((struct es_str){p->name, strcspn(p->name, "-")});
}

static char text[1 << 20], file[1 << 20];

static void write_legal(const struct es_setup *setup, const struct es_state *state, int who,
                        struct es_out *out)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, state, who, events);
    if (count == 0)
        return;
    es_out_text(out, "# legal:");
    for (size_t i = 0; i < count; i++) {
        es_out_text(out, i ? ", " : " ");
        es_out_text(out, check_event(setup, events[i]));
    }
    es_out_char(out, '\n');
}

/* Plays a game: chance from the fair shuffle, players at random. The report is written whenever no
 * player is to act; in metro after every tenth tile. */
static void write_game(const struct es_setup *setup, uint64_t seed, struct es_out *out)
{
    const struct es_game *game = setup->game;
    struct es_random random;
    struct es_state state;
    uint8_t bytes[ES_SEED_BYTES] = {(uint8_t)seed};
    int lays = 0, reported = -1;
    es_random_seed(&random, seed);
    game->start(setup, &state);
    for (;;) {
        struct es_turn turn = game->turn(setup, &state);
        es_event event, events[ES_LEGAL_MAX];
        bool due = turn.kind != ES_TURN_PLAYERS;
        if (game == &es_metro)
            due = lays % 10 == 0 && (turn.kind == ES_TURN_OVER || lays != reported);
        if (due) {
            game->report(setup, &state, out);
            reported = lays;
        }
        if (turn.kind == ES_TURN_OVER)
            break;
        for (int who = 0; who <= setup->players; who++)
            write_legal(setup, &state, who, out);
        if (turn.kind == ES_TURN_CHANCE) {
            event = game->deal(setup, &state, bytes);
        } else {
            int who = __builtin_ctz(turn.players) + 1;
            size_t count = game->legal(setup, &state, who, events);
            event = events[es_random_below(&random, (uint32_t)count)];
        }
        es_out_text(out, "> ");
        es_out_text(out, check_event(setup, event));
        es_out_char(out, '\n');
        assert_int_equal(game->apply(setup, &state, event), ES_OK);
        lays += game == &es_metro && ES_METRO_IS_LAY(event);
    }
}

static void golden_files(void **unused)
{
    (void)unused;
    static struct es_map map;
    struct es_fault fault;
    assert_int_equal(es_map_read(&map, es_builtin_map(es_str("practice")), &fault), ES_OK);
    for (size_t i = 0; i < sizeof playthroughs / sizeof playthroughs[0]; i++) {
        const struct playthrough *p = &playthroughs[i];
        struct es_setup setup = {
            .game = game_of(p), .players = (uint8_t)p->players, .rules = p->rules};
        char path[128];
        assert_non_null(setup.game);
        setup.map = setup.game->has_map ? &map : NULL;
        if (p->deck)
            es_verplant_deck_read(&setup, es_str(p->deck));
        assert_int_equal(es_setup_prepare(&setup), ES_OK);
        struct es_out out = {text, sizeof text, 0};
        write_game(&setup, p->seed, &out);
        assert_true(es_out_ok(&out));
        snprintf(path, sizeof path, "playthroughs/%s.txt", p->name);
        FILE *golden = fopen(path, getenv("UPDATE") ? "wb" : "rb");
        if (!golden)
            fail_msg("%s cannot be opened", path);
        if (getenv("UPDATE")) {
            assert_int_equal(fwrite(text, 1, out.used, golden), out.used);
        } else {
            size_t size = fread(file, 1, sizeof file, golden);
            size_t same = 0, line = 1;
            while (same < size && same < out.used && file[same] == text[same])
                line += text[same++] == '\n';
            if (size != out.used || same < size)
                fail_msg("%s differs from line %zu on", path, line);
        }
        assert_int_equal(fclose(golden), 0);
    }
}

static void every_game_has_a_golden_file(void **unused)
{
    (void)unused;
    for (int i = 0; es_games[i]; i++) {
        bool found = false;
        for (size_t k = 0; k < sizeof playthroughs / sizeof playthroughs[0]; k++)
            found |= game_of(&playthroughs[k]) == es_games[i];
        if (!found)
            fail_msg("%s has no playthrough", es_games[i]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(golden_files),
                                       cmocka_unit_test(every_game_has_a_golden_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
