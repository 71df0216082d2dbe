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
    es_fair_seed(secret, es_str("k7m2x9"), &record,
                 (const uint8_t *[ES_PLAYERS_MAX]){word1, word3}, got);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_short_and_plain),
        cmocka_unit_test(commit_and_seed_are_those_of_the_document),
        cmocka_unit_test(the_setup_has_no_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
