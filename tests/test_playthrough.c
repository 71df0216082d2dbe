/* Golden files: whole games from fixed seeds with every list and report. A change of behaviour
 * shows as a difference and has to be explained; `UPDATE=1 build/tests/test_playthrough` (in the
 * folder tests) writes them anew. */
#include "check.h"

struct playthrough {
    const char *name;
    const struct es_game *game;
    int players;
    uint32_t rules;
    const char *deck;
    uint64_t seed;
};

static const struct playthrough playthroughs[] = {
    {"null", &es_null, 3, 0, NULL, 1},
    {"verplant-solo", &es_verplant, 1, 0, NULL, 2},
    {"verplant-two-special", &es_verplant, 2, ES_VERPLANT_SPECIAL, NULL, 3},
    {"verplant-three-deck-15", &es_verplant, 3, 0, es_verplant_deck_15, 4},
    {"metro-two", &es_metro, 2, 0, NULL, 5},
    {"metro-three-rotate-hand2", &es_metro, 3, ES_METRO_ROTATE | ES_METRO_HAND2, NULL, 6},
};

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

/* Chance from the fair shuffle, players at random; the report after every round, in metro after
 * every tenth tile. */
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
            .game = p->game, .players = (uint8_t)p->players, .rules = p->rules};
        char path[128];
        setup.map = p->game->has_map ? &map : NULL;
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(golden_files)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
