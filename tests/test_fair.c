/* Tests of the provable shuffle: commit, words and seed, and the check of records. The expected
 * values were computed by another program. */
#include "check.h"
#include <endstation/fair.h>

#define COMMIT "1883d35c3935512588d362d26ab50446494036d8522586915e57f51e94a2b23e"
#define WORD1 "404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f"
#define HASH1 "ca2a4fe727faaecf16ecd130a86e0885c5540c05375340445071c0657555fd42"
#define WORD3 "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"
#define HASH3 "82d86408530b765e46ebf47807095027e807bc08674b0de77ee5ef2fae7d0492"
#define SECRET "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
#define SEED "d3aea7c4a759225ee78e73319496c584618d5ea0324c48f682d08897503df1c0"
#define SEED_WITHOUT_3 "8229687db22b7d55e6e677f469d9a286b6a2aa5c1da483f4869a6031717e646d"

static const char *hex(const uint8_t bytes[ES_FAIR_BYTES])
{
    static char text[2 * ES_FAIR_BYTES + 1];
    struct es_out out = {text, sizeof text - 1, 0};
    es_out_hex(&out, bytes, ES_FAIR_BYTES);
    return text;
}

static void from_hex(const char *text, uint8_t bytes[ES_FAIR_BYTES])
{
    assert_true(es_str_hex(es_str(text), bytes, ES_FAIR_BYTES));
}

static void ids_are_short_and_plain(void **state)
{
    (void)state;
    assert_true(es_fair_id_good(es_str("a")));
    assert_true(es_fair_id_good(es_str("0123456789abcdefghijklmnopqrstuv")));
    assert_false(es_fair_id_good(es_str("0123456789abcdefghijklmnopqrstuvw")));
    assert_false(es_fair_id_good(es_str("")));
    assert_false(es_fair_id_good(es_str("A")));
    assert_false(es_fair_id_good(es_str("a-b")));
}

static void commit_and_seed_are_those_of_the_document(void **state)
{
    (void)state;
    struct es_record record = {.setup = {.game = &es_metro, .players = 3}, .bot = {"", "strong"}};
    record.setup.rules =
        es_game_rule(&es_metro, es_str("rotate")) | es_game_rule(&es_metro, es_str("hand2"));
    assert_int_equal(es_setup_prepare(&record.setup), ES_OK);
    uint8_t secret[ES_FAIR_BYTES], word1[ES_FAIR_BYTES], word3[ES_FAIR_BYTES], got[ES_FAIR_BYTES];
    from_hex(SECRET, secret);
    from_hex(WORD1, word1);
    from_hex(WORD3, word3);
    es_fair_commit(secret, es_str("k7m2x9"), got);
    assert_string_equal(hex(got), COMMIT);
    es_fair_hash(word1, got);
    assert_string_equal(hex(got), HASH1);
    es_fair_hash(word3, got);
    assert_string_equal(hex(got), HASH3);

    char setup[ES_FAIR_SETUP_BYTES];
    struct es_out out = {setup, sizeof setup, 0};
    es_fair_setup(&record, &out);
    assert_true(es_str_is((struct es_str){setup, out.used},
                          "game metro\nplayers 3\nrules rotate hand2\nbots 2\n"));
    es_fair_seed(secret, es_str("k7m2x9"), &record,
                 (const uint8_t *[ES_PLAYERS_MAX]){word1, NULL, word3}, got);
    assert_string_equal(hex(got), SEED);
    es_fair_seed(secret, es_str("k7m2x9"), &record, (const uint8_t *[ES_PLAYERS_MAX]){word1, word3},
                 got);
    assert_string_equal(hex(got), SEED_WITHOUT_3);
}

static void the_setup_has_no_names(void **state)
{
    (void)state;
    static struct es_map map;
    check_builtin(&map, "practice");
    struct es_record record = {.setup = {.game = &es_verplant, .players = 2, .map = &map},
                               .name = {"Ada", "Eve"}};
    assert_int_equal(es_verplant_deck_read(&record.setup, es_str("x2 6 o 3")), ES_OK);
    assert_int_equal(es_setup_prepare(&record.setup), ES_OK);
    char setup[ES_FAIR_SETUP_BYTES];
    struct es_out out = {setup, sizeof setup, 0};
    es_fair_setup(&record, &out);
    assert_true(es_str_is((struct es_str){setup, out.used},
                          "game verplant\nmap practice 3c88349a7438c422786680fe3c0dc9a6\n"
                          "players 2\ndeck 3 6 x2 o\nbots\n"));
}

/* ---- Records -------------------------------------------------------------------------------- */

enum { TEXT_BYTES = 1 << 17 };

static struct es_map practice;
static es_event events[ES_EVENTS_MAX];
static char text[TEXT_BYTES], changed[TEXT_BYTES];

/* Makes a whole game of random moves, dealt from the seed of the record. */
static void play_out(struct es_record *record, uint64_t number)
{
    struct es_setup *setup = &record->setup;
    const struct es_game *game = setup->game;
    struct es_random random;
    struct es_state state;
    es_event legal[ES_LEGAL_MAX];
    es_random_seed(&random, number);
    game->start(setup, &state);
    for (struct es_turn turn; (turn = game->turn(setup, &state)).kind != ES_TURN_OVER;) {
        es_event event = 0;
        int player = 1;
        while (turn.kind == ES_TURN_PLAYERS && !(turn.players >> (player - 1) & 1))
            player++;
        if (turn.kind == ES_TURN_CHANCE)
            event = game->deal(setup, &state, record->seed);
        else
            event = legal[es_random_below(&random,
                                          (uint32_t)game->legal(setup, &state, player, legal))];
        assert_int_equal(game->apply(setup, &state, event), ES_OK);
        record->events[record->count++] = event;
    }
}

static void write_text(const struct es_record *record)
{
    struct es_out out = {text, sizeof text - 1, 0};
    es_record_write(record, &out);
    assert_true(es_out_ok(&out));
    text[out.used] = '\0';
}

/* Writes to `text` a game of three, in which player 2 is a bot and player 3's word may be missing.
 */
static void make_text(const char *game, bool missing)
{
    check_builtin(&practice, "practice");
    struct es_record record = {.events = events,
                               .capacity = ES_EVENTS_MAX,
                               .setup = {.game = es_game_named(es_str(game)), .players = 3},
                               .name = {"Ada"},
                               .bot = {"", "strong"},
                               .has_seed = true};
    if (record.setup.game->has_map)
        record.setup.map = &practice;
    else
        record.setup.rules = es_game_rule(record.setup.game, es_str("rotate"));
    assert_int_equal(es_setup_prepare(&record.setup), ES_OK);
    uint8_t secret[ES_FAIR_BYTES], commit[ES_FAIR_BYTES], word[2][ES_FAIR_BYTES],
        hash[2][ES_FAIR_BYTES];
    from_hex(SECRET, secret);
    from_hex(WORD1, word[0]);
    from_hex(WORD3, word[1]);
    es_fair_hash(word[0], hash[0]);
    es_fair_hash(word[1], hash[1]);
    es_fair_commit(secret, es_str("k7m2x9"), commit);
    es_fair_seed(secret, es_str("k7m2x9"), &record,
                 (const uint8_t *[ES_PLAYERS_MAX]){word[0], NULL, missing ? NULL : word[1]},
                 record.seed);
    struct es_out notes = {record.notes, sizeof record.notes, 0};
    es_out_text(&notes, "date 2026-05-04\n");
    es_fair_write_commit(commit, es_str("k7m2x9"), &notes);
    es_fair_write_word(1, word[0], hash[0], &notes);
    es_fair_write_word(3, missing ? NULL : word[1], hash[1], &notes);
    es_out_text(&notes, "note takeover 3 strong 17\n");
    es_fair_write_secret(secret, &notes);
    record.notes_size = notes.used;
    play_out(&record, 1);
    write_text(&record);
}

static struct es_fair_facts facts;
static struct es_fault fault;

/* Reads and verifies a record; sets `fault` and `facts`. */
static es_status verify(const char *record_text, const uint8_t *commit)
{
    struct es_record record = {.events = events, .capacity = ES_EVENTS_MAX};
    struct es_state state;
    fault = (struct es_fault){.line = -1};
    if (es_record_read(&record, es_str(record_text), NULL, &practice, &state, &fault))
        return fault.status;
    return es_fair_verify(&record, es_str(record_text), commit, &state, &facts, &fault);
}

/* Returns the number of the line of `text` that begins with `line`, and its start and end. */
static int find(const char *line, const char **start, const char **end)
{
    int number = 1;
    *start = *end = text;
    for (const char *at = text; *at; at = *end + 1, number++) {
        *start = at;
        *end = strchr(at, '\n');
        if (strncmp(at, line, strlen(line)) == 0)
            return number;
    }
    fail_msg("no line %s", line);
    return 0;
}

/* Puts `with` in place of the line of `text` that begins with `line`; '': takes it out. */
static void change(const char *line, const char *with)
{
    const char *start, *end;
    find(line, &start, &end);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(start - text), text, with,
             end + (with[0] == '\0'));
}

/* Changes a line; the result must be refused for this reason at the line that began with `at`;
 * NULL: at the record as a whole. */
static void refused(const char *line, const char *with, const char *at, es_status status)
{
    const char *start, *end;
    int number = at ? find(at, &start, &end) : 0;
    change(line, with);
    es_status got = verify(changed, NULL);
    if (got != status || fault.line != number)
        fail_msg("%s: expected %s at line %d, got %s at line %d", with, es_status_code(status),
                 number, es_status_code(got), fault.line);
}

static void accepted(const char *line, const char *with)
{
    change(line, with);
    if (verify(changed, NULL))
        fail_msg("%s: line %d: %s", with, fault.line, fault.reason);
}

static void whole_records_fit(void **state)
{
    (void)state;
    uint8_t commit[ES_FAIR_BYTES];
    from_hex(COMMIT, commit);
    for (int i = 0; i < 4; i++) {
        make_text(i & 1 ? "metro" : "verplant", i & 2);
        assert_int_equal(verify(text, NULL), ES_OK);
        assert_int_equal(verify(text, commit), ES_OK);
        assert_true(facts.proved && facts.chances >= 10);
        assert_int_equal(facts.missing, i & 2 ? 4 : 0);
        commit[31] ^= 1;
        assert_int_equal(verify(text, commit), ES_COMMIT_OTHER);
        commit[31] ^= 1;
    }
}

#define OTHER "1883d35c3935512588d362d26ab50446494036d8522586915e57f51e94a2b23f"

static void commit_and_secret_are_checked(void **state)
{
    (void)state;
    make_text("metro", false);
    refused("commit", "commit " OTHER " k7m2x9", "secret", ES_SECRET_WRONG);
    refused("commit", "commit " COMMIT " k7m2x8", "secret", ES_SECRET_WRONG);
    refused("commit", "commit " COMMIT, "commit", ES_COMMIT_BAD);
    refused("commit", "commit " COMMIT " k7m2X9", "commit", ES_COMMIT_BAD);
    refused("commit", "commit " COMMIT " k7m2x9 x", "commit", ES_COMMIT_BAD);
    refused("commit", "commit k7m2x9", "commit", ES_COMMIT_BAD);
    refused("commit", "commit", "commit", ES_COMMIT_BAD);
    refused("commit", "", NULL, ES_COMMIT_MISSING);
    refused("note", "commit " COMMIT " k7m2x9", "note", ES_TWICE);
    accepted("commit", " commit \t" COMMIT "   k7m2x9 ");
    refused("secret", "secret " OTHER, "secret", ES_SECRET_WRONG);
    refused("secret", "secret " SECRET "0", "secret", ES_SECRET_BAD);
    refused("secret", "secret", "secret", ES_SECRET_BAD);
    refused("secret", "", NULL, ES_SECRET_MISSING);
    refused("note", "secret " SECRET, "secret", ES_TWICE);
}

static void words_are_checked(void **state)
{
    (void)state;
    make_text("verplant", false);
    refused("word 1", "word 1 " WORD3 " " HASH1, "word 1", ES_WORD_WRONG);
    refused("word 1", "word 1 " WORD1 " " HASH3, "word 1", ES_WORD_WRONG);
    refused("word 1", "word 1 " WORD3 " " HASH3, "seed", ES_SEED_WRONG);
    refused("word 1", "word 1 - " HASH1, "seed", ES_SEED_WRONG);
    refused("word 1", "", NULL, ES_WORD_LINE_MISSING);
    assert_string_equal(fault.words, "1");
    refused("word 1", "word 2 " WORD1 " " HASH1, "word 1", ES_WORD_OF_BOT);
    refused("note", "word 2 " WORD1 " " HASH1, "note", ES_WORD_OF_BOT);
    refused("note", "word 1 " WORD1 " " HASH1, "note", ES_TWICE);
    refused("note", "word 4 " WORD1 " " HASH1, "note", ES_PLAYER_UNKNOWN);
    refused("note", "word 0 " WORD1 " " HASH1, "note", ES_PLAYER_UNKNOWN);
    refused("note", "word", "note", ES_WORD_LINE_BAD);
    refused("word 1", "word 1 " WORD1, "word 1", ES_WORD_LINE_BAD);
    refused("word 1", "word 1 " WORD1 " -", "word 1", ES_WORD_LINE_BAD);
    refused("word 1", "word 1 " WORD1 "0 " HASH1, "word 1", ES_WORD_LINE_BAD);
    refused("word 1", "word 1 " WORD1 " " HASH1 " x", "word 1", ES_WORD_LINE_BAD);
    refused("word 1", "word 01 " WORD1 " " HASH1, "word 1", ES_WORD_LINE_BAD);
    make_text("verplant", true);
    refused("word 3", "word 3 " WORD3 " " HASH3, "seed", ES_SEED_WRONG);
    refused("word 3", "", NULL, ES_WORD_LINE_MISSING);
}

static void setup_and_seed_are_checked(void **state)
{
    (void)state;
    make_text("metro", false);
    refused("seed", "seed " OTHER, "seed", ES_SEED_WRONG);
    refused("bot 2", "", NULL, ES_WORD_LINE_MISSING);
    refused("bot 2", "bot 1 strong", "word 1", ES_WORD_OF_BOT);
    accepted("bot 2", "bot 2 master"); /* only which seats are bots' counts */
    accepted("player 1", "player 1 Eve");
    accepted("date", "");
    accepted("note", "");
    accepted("seed", ""); /* it follows from the secret */
    /* Other rules or another number of players make another seed, also before the first event. */
    strstr(text, "\n\n")[1] = '\0';
    refused("rules", "rules hand2", "seed", ES_SEED_WRONG);
    refused("rules", "# rules", "seed", ES_SEED_WRONG);
    refused("players", "players 4", NULL, ES_WORD_LINE_MISSING);
}

static void games_without_a_secret_have_a_seed(void **state)
{
    (void)state;
    make_text("metro", false);
    char *commit = strstr(text, "commit"), *secret = strstr(text, "secret"),
         *seed = strstr(text, "seed ");
    commit[0] = secret[0] = '#';
    assert_int_equal(verify(text, NULL), ES_OK);
    assert_false(facts.proved);
    assert_true(facts.chances > 10);
    uint8_t shown[ES_FAIR_BYTES];
    from_hex(COMMIT, shown);
    assert_int_equal(verify(text, shown), ES_COMMIT_MISSING);
    refused("seed", "seed " OTHER, "deal 1", ES_DEAL_WRONG);
    seed[0] = '#';
    assert_int_equal(verify(text, NULL), ES_SEED_MISSING);
    assert_int_equal(fault.line, 0);
    commit[0] = 'c';
    assert_int_equal(verify(text, NULL), ES_SECRET_MISSING);
    assert_int_equal(verify(text, shown), ES_SECRET_MISSING);
}

/* Every chance event becomes every other one that would be legal at that point. */
static void every_chance_event_is_checked(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        make_text(i ? "metro" : "verplant", false);
        struct es_record record = {.events = events, .capacity = ES_EVENTS_MAX};
        struct es_state end, now;
        assert_int_equal(es_record_read(&record, es_str(text), NULL, &practice, &end, &fault), 0);
        const struct es_game *game = record.setup.game;
        game->start(&record.setup, &now);
        for (size_t k = 0; k < record.count; k++) {
            es_event legal[ES_LEGAL_MAX], event = record.events[k];
            size_t count = game->legal(&record.setup, &now, ES_CHANCE, legal);
            for (size_t n = 0; n < count; n++) {
                struct es_state scratch;
                record.events[k] = legal[n];
                es_status status =
                    es_fair_verify(&record, es_str(text), NULL, &scratch, &facts, &fault);
                assert_int_equal(status, legal[n] == event ? ES_OK : ES_DEAL_WRONG);
                const char *line = text;
                for (int number = 1; status && number < fault.line; number++)
                    line = strchr(line, '\n') + 1;
                const char *was = check_event(&record.setup, event);
                assert_true(status == ES_OK || strncmp(line, was, strlen(was)) == 0);
            }
            record.events[k] = event;
            assert_int_equal(game->apply(&record.setup, &now, event), ES_OK);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_short_and_plain),
        cmocka_unit_test(commit_and_seed_are_those_of_the_document),
        cmocka_unit_test(the_setup_has_no_names),
        cmocka_unit_test(whole_records_fit),
        cmocka_unit_test(commit_and_secret_are_checked),
        cmocka_unit_test(words_are_checked),
        cmocka_unit_test(setup_and_seed_are_checked),
        cmocka_unit_test(games_without_a_secret_have_a_seed),
        cmocka_unit_test(every_chance_event_is_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
