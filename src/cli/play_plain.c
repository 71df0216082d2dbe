/* Any game in the terminal: its report, and its events as text. */
#include "cli/play.h"
#include <stdlib.h>
#include <string.h>

static void print_event(const struct es_setup *setup, es_event event)
{
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    setup->game->format(setup, event, &out);
    fwrite(text, 1, out.used, stdout);
}

/* Everything is worth telling again. */
static size_t recap(const es_event *events, size_t known)
{
    (void)events, (void)known;
    return 0;
}

/* The player's moves, without the number of the player before them. */
static void print_moves(const struct es_setup *setup, const struct es_state *view, int player)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, view, player, events);
    int column = printf("Moves: ");
    for (size_t i = 0; i < count; i++) {
        char text[ES_EVENT_BYTES + 1];
        struct es_out out = {text, sizeof text - 1, 0};
        setup->game->format(setup, events[i], &out);
        text[out.used] = '\0';
        const char *move = strchr(text, ' ');
        column = play_item(move ? move + 1 : text, i + 1 < count ? "," : "", column, 7);
    }
    putchar('\n');
}

static void show(const struct es_record *record, const struct es_state *view, int player,
                 int entries, es_event tentative)
{
    const struct es_setup *setup = &record->setup;
    char *report = cli_alloc(ES_REPORT_BYTES);
    struct es_out out = {report, ES_REPORT_BYTES, 0};
    setup->game->report(setup, view, &out);
    fwrite(report, 1, out.used, stdout);
    free(report);
    if (tentative) {
        fputs("Your move: ", stdout);
        print_event(setup, tentative);
        putchar('\n');
    } else if (entries >= 0) {
        print_moves(setup, view, player);
    }
}

static bool tell(const struct es_record *record, const struct es_state *before,
                 const struct es_state *after, const es_event *events, size_t count, bool shown)
{
    (void)before, (void)after, (void)shown;
    for (size_t i = 0; i < count; i++) {
        int who = ES_EVENT_WHO(events[i]);
        if (who != ES_CHANCE)
            printf("%s: ", play_name(record, who));
        print_event(&record->setup, events[i]);
        putchar('\n');
    }
    return true;
}

static void finish(const struct es_record *record, const struct es_state *state)
{
    const struct es_setup *setup = &record->setup;
    puts("The game is over.");
    for (int p = 1; p <= setup->players; p++)
        printf("%s: %d\n", play_name(record, p), setup->game->score(setup, state, p));
    if (setup->players > 1) {
        play_winners(record, state);
        puts(".");
    }
}

static bool command(const struct es_record *record, const struct es_state *view, int player,
                    const char *words)
{
    (void)record, (void)view, (void)player, (void)words;
    return false;
}

static es_status read_move(const struct es_record *record, const struct es_state *view, int player,
                           const char *words, es_event *event)
{
    (void)view;
    char text[256];
    struct es_out out = {text, sizeof text, 0};
    es_out_int(&out, player);
    es_out_char(&out, ' ');
    es_out_text(&out, words);
    if (!es_out_ok(&out))
        return ES_EVENT_BAD;
    return record->setup.game->parse(&record->setup, (struct es_str){text, out.used}, event);
}

static void refuse(const struct es_record *record, const struct es_state *view, int player,
                   const char *words, es_status status)
{
    (void)words;
    printf("Not possible: %s.\n", es_status_text(status));
    print_moves(&record->setup, view, player);
}

static void help(const struct es_record *record)
{
    (void)record;
    puts("Type a move as the list shows it.");
    puts("Other words:\n  show       show everything again");
}

const struct cli_terminal cli_terminal_plain = {
    .show_command = "show",
    .reply_to_empty_line = "A move is needed: help tells how.",
    .reply_when_entered = "Your move is made: Enter confirms it, undo takes it back.",
    .recap = recap,
    .show = show,
    .tell = tell,
    .finish = finish,
    .command = command,
    .read = read_move,
    .refuse = refuse,
    .help = help,
};

const struct cli_terminal *cli_terminal_of(const struct es_game *game)
{
    for (int i = 0; cli_terminals[i]; i++)
        if (cli_terminals[i]->game == game)
            return cli_terminals[i];
    return &cli_terminal_plain;
}
