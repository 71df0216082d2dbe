/* Tests of tree.h: everything written is found again, and too little memory is noticed. */
#include "page/json.h"
#include "page/tree.h"
#include "page_table.h"

enum { FACTS = 20000 };
static struct es__fact facts[FACTS];
static char texts[1 << 18];
static struct es__tree tree;

static struct es__writer *begin(void)
{
    return es__tree_begin(&tree, facts, FACTS, texts, sizeof texts);
}

static void write_sample(struct es__writer *w)
{
    es__write_object(w, NULL);
    es__write_int(w, "round", -5);
    es__write_array(w, "cards");
    es__write_text(w, NULL, "x2");
    es__write_text(w, NULL, "");
    es__write_end(w);
    es__write_object(w, "sum");
    es__write_int(w, "round", 7);
    es__write_end(w);
    es__write_array(w, "none");
    es__write_end(w);
    es__write_array(w, "lines");
    for (int i = 0; i < 3; i++) {
        es__write_object(w, NULL);
        es__write_int(w, "line", i);
        es__write_set(w, "players", 5);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_bool(w, "over", true);
    es__write_fixed(w, "win", 0.625, 2);
    es__write_str(w, "name", (struct es_str){"Grace Hopper", 5});
    es__write_end(w);
}

static void values_are_found_by_their_names(void **state)
{
    (void)state;
    write_sample(begin());
    assert_true(es__tree_ok(&tree));
    const struct es__fact *root = es__tree_root(&tree);
    assert_int_equal(es__fact_int(root, "round"), -5);
    assert_true(es__fact_bool(root, "over"));
    assert_true(es__fact_fixed(root, "win") == 0.625);
    assert_string_equal(es__fact_text(root, "name"), "Grace");
    assert_true(es__fact_is(root, "name", "Grace"));
    assert_false(es__fact_is(root, "name", "Grac"));
    assert_null(es__fact_find(root, "line")); /* one of these is deeper */
    assert_int_equal(es__fact_int(es__fact_get(root, "sum"), "round"), 7);
    assert_int_equal(es__fact_count(root), 8);
}

static void lists_are_walked_in_order(void **state)
{
    (void)state;
    write_sample(begin());
    const struct es__fact *root = es__tree_root(&tree);
    const struct es__fact *cards = es__fact_get(root, "cards"), *card = es__fact_first(cards);
    assert_string_equal(es__fact_text(card, NULL), "x2");
    card = es__fact_next(cards, card);
    assert_string_equal(es__fact_text(card, NULL), "");
    assert_null(es__fact_next(cards, card));
    assert_null(es__fact_first(es__fact_get(root, "none")));
    assert_int_equal(es__fact_count(es__fact_get(root, "none")), 0);
    const struct es__fact *lines = es__fact_get(root, "lines");
    long number = 0;
    for (const struct es__fact *f = es__fact_first(lines); f; f = es__fact_next(lines, f)) {
        const struct es__fact *players = es__fact_get(f, "players");
        assert_int_equal(es__fact_int(f, "line"), number++);
        assert_int_equal(es__fact_count(players), 2);
        assert_int_equal(es__fact_int(es__fact_first(players), NULL), 1);
    }
    assert_int_equal(number, 3);
}

static void too_little_memory_is_counted_never_overrun(void **state)
{
    (void)state;
    write_sample(begin());
    size_t count = tree.count, size = tree.text.used;
    for (size_t few = 0; few < count; few++) {
        memset(facts, 0x55, sizeof facts);
        write_sample(es__tree_begin(&tree, facts, few, texts, sizeof texts));
        assert_false(es__tree_ok(&tree));
        assert_int_equal(tree.count, count);
        for (size_t i = 0; i < sizeof facts[0]; i++)
            assert_int_equal(((unsigned char *)&facts[few])[i], 0x55);
    }
    for (size_t few = 0; few < size; few++) {
        memset(texts, 0x55, sizeof texts);
        write_sample(es__tree_begin(&tree, facts, FACTS, texts, few));
        assert_false(es__tree_ok(&tree));
        assert_int_equal(tree.text.used, size);
        assert_int_equal(texts[few], 0x55);
    }
    write_sample(es__tree_begin(&tree, facts, count, texts, size));
    assert_true(es__tree_ok(&tree));
    assert_string_equal(es__fact_text(es__tree_root(&tree), "name"), "Grace");
}

/* ---- The same facts as JSON has ------------------------------------------------------------- */

static void copy_fact(struct es__writer *w, const struct es__fact *fact)
{
    switch (fact->kind) {
    case ES__FACT_OBJECT:
    case ES__FACT_ARRAY:
        w->open(w, fact->name, fact->kind == ES__FACT_ARRAY);
        for (const struct es__fact *f = es__fact_first(fact); f; f = es__fact_next(fact, f))
            copy_fact(w, f);
        w->close(w);
        break;
    case ES__FACT_INT:
        es__write_int(w, fact->name, es__fact_int(fact, NULL));
        break;
    case ES__FACT_FIXED:
        es__write_fixed(w, fact->name, es__fact_fixed(fact, NULL), 2);
        break;
    case ES__FACT_BOOL:
        es__write_bool(w, fact->name, es__fact_bool(fact, NULL));
        break;
    case ES__FACT_TEXT:
        es__write_text(w, fact->name, es__fact_text(fact, NULL));
        break;
    }
}

/* The tree as JSON. */
static const char *tree_as_json(void)
{
    static char copy[1 << 20];
    struct es__json json;
    struct es_out out = {copy, sizeof copy - 1, 0};
    copy_fact(es__json_begin(&json, &out), es__tree_root(&tree));
    assert_true(es_out_ok(&out));
    copy[out.used] = '\0';
    return copy;
}

static void a_tree_holds_what_json_says(void **state)
{
    (void)state;
    struct es_random random;
    static es_event seen[ES_EVENTS_MAX];
    es_random_seed(&random, 14);
    for (int kind = 0; kind < KINDS; kind++) {
        new_game(kind);
        const struct es_setup *setup = &page.record.setup;
        for (int i = 0; i < 40 && play_on(&random); i++)
            for (int viewer = 0; viewer <= setup->players; viewer++) {
                struct es_state view;
                struct es__looking look;
                es__look(&look, &page.record, &page.state, page.record.count, viewer, seen, &view);
                look.built_in = page.built_in;
                es__write_state(begin(), &look);
                assert_string_equal(tree_as_json(), state_of(viewer));
                es__write_log(begin(), &look, i / 2);
                assert_string_equal(tree_as_json(), log_of(viewer, i / 2));
            }
    }
}

/* es__write_plan() writes what es_page_choose() adds at the end of its answer to that move. */
static void a_plan_holds_what_choosing_answers(void **state)
{
    (void)state;
    struct es_random random;
    es_random_seed(&random, 15);
    for (int kind = 0; kind < KINDS; kind++) {
        new_game(kind);
        const struct es_setup *setup = &page.record.setup;
        for (int i = 0; i < 40 && play_on(&random); i++) {
            struct es_state view;
            es_event event = any_event(&random);
            int who = ES_EVENT_WHO(event);
            char words[ES_EVENT_BYTES + 8];
            if (setup->game->turn(setup, &page.state).kind != ES_TURN_PLAYERS)
                continue;
            es_page_see(&page, who, &view);
            snprintf(words, sizeof words, "move %s", check_event(setup, event));
            const char *all = with_pick(who, "", words), *own = strstr(all, "\"sentence\":\"\",");
            assert_non_null(own);
            assert_int_equal(es__write_plan(begin(), setup, &view, who, event), ES_OK);
            assert_string_equal(tree_as_json() + 1, own + strlen("\"sentence\":\"\","));
            tree.count = 0;
            assert_int_equal(es__write_plan(&tree.writer, setup, &view, who % 6 + 1, event),
                             ES_NOT_TO_ACT);
            assert_int_equal(tree.count, 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_found_by_their_names),
        cmocka_unit_test(lists_are_walked_in_order),
        cmocka_unit_test(too_little_memory_is_counted_never_overrun),
        cmocka_unit_test(a_tree_holds_what_json_says),
        cmocka_unit_test(a_plan_holds_what_choosing_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
