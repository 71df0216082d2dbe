/* Tests of player_turn() in play.c, with a game that no build has: one player moves for ever. */
#include "check.h"
#include "cli/play.c"

static struct es_turn always_the_first(const struct es_setup *setup, const struct es_state *state)
{
    (void)setup, (void)state;
    return (struct es_turn){ES_TURN_PLAYERS, 1};
}

static void start_empty(const struct es_setup *setup, struct es_state *state)
{
    (void)setup;
    memset(state, 0, sizeof *state);
}

static es_status accept(const struct es_setup *setup, struct es_state *state, es_event event)
{
    (void)setup, (void)state, (void)event;
    return ES_OK;
}

static size_t see_all(const struct es_setup *setup, const struct es_state *state,
                      const es_event *events, size_t count, int viewer, es_event *seen)
{
    (void)setup, (void)state, (void)viewer;
    memcpy(seen, events, count * sizeof *seen);
    return count;
}

static const struct es_game endless = {
    .name = "endless",
    .players_min = 1,
    .players_max = 1,
    .start = start_empty,
    .turn = always_the_first,
    .apply = accept,
    .observe = see_all,
};

static void show_nothing(const struct es_record *record, const struct es_state *view, int player,
                         int entries, es_event tentative, const struct es_state *before)
{
    (void)record, (void)view, (void)player, (void)entries, (void)tentative, (void)before;
}

static bool no_command(const struct es_record *record, const struct es_state *view, int player,
                       const char *words)
{
    (void)record, (void)view, (void)player, (void)words;
    return false;
}

static es_status read_any(const struct es_record *record, const struct es_state *view, int player,
                          const char *words, es_event *event)
{
    (void)record, (void)view, (void)words;
    *event = ES_EVENT(player, 1);
    return ES_OK;
}

/* Makes `text` what the player types. */
static void type(const char *text)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs(text, file);
    rewind(file);
    assert_true(dup2(fileno(file), STDIN_FILENO) >= 0);
    fclose(file);
    clearerr(stdin);
}

/* There is room for TENTATIVE_MAX moves that are not confirmed; then nothing but Enter or undo. */
static void moves_beyond_the_room_for_tentative_ones_are_refused_until_enter(void **state)
{
    (void)state;
    static struct play play;
    static char text[4 * TENTATIVE_MAX];
    play.terminal = (struct cli_terminal){
        .show_command = "sheet",
        .reply_to_empty_line = "",
        .reply_when_entered = "",
        .show = show_nothing,
        .command = no_command,
        .read = read_any,
    };
    cli_game_alloc(&play.game);
    play.game.record.setup = (struct es_setup){.game = &endless, .players = 1};
    endless.start(&play.game.record.setup, &play.game.state);
    struct es_out out = {text, sizeof text - 1, 0};
    for (int i = 0; i < TENTATIVE_MAX + 20; i++)
        es_out_text(&out, "x\n");
    es_out_text(&out, "\n");
    type(text);
    assert_true(player_turn(&play, 1));
    assert_int_equal(play.game.record.count, TENTATIVE_MAX);
    cli_game_free(&play.game);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_beyond_the_room_for_tentative_ones_are_refused_until_enter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
