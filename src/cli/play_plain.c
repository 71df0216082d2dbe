/* The default struct cli_terminal: any game by its report and its events as text. */
#include "cli/play.h"
#include <stdlib.h>
#include <string.h>

/* Returns an event as text, a move without its player's number; valid until the next call. */
static const char *event_text(const struct es_setup *setup, es_event event)
{
    static char text[ES_EVENT_BYTES + 1];
    struct es_out out = {text, sizeof text - 1, 0};
    setup->game->format(setup, event, &out);
    text[out.used] = '\0';
    const char *blank = ES_EVENT_WHO(event) != ES_CHANCE ? strchr(text, ' ') : NULL;
    return blank ? blank + 1 : text;
}

/* Returns where the latest moves begin. */
static size_t recap(const es_event *events, size_t known)
{
    while (known > 0 && ES_EVENT_WHO(events[known - 1]) == ES_CHANCE)
        known--;
    while (known > 0 && ES_EVENT_WHO(events[known - 1]) != ES_CHANCE)
        known--;
    return known;
}

static void print_moves(const struct es_setup *setup, const struct es_state *view, int player)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, view, player, events);
    int column = printf("Moves: ");
    for (size_t i = 0; i < count; i++)
        column = play_item(event_text(setup, events[i]), i + 1 < count ? "," : "", column, 7);
    putchar('\n');
}

static void show(const struct es_record *record, const struct es_state *view, int player,
                 int entries, es_event tentative, const struct es_state *before)
{
    (void)before;
    const struct es_setup *setup = &record->setup;
    puts("");
    char *report = cli_alloc(ES_REPORT_BYTES);
    struct es_out out = {report, ES_REPORT_BYTES, 0};
    setup->game->report(setup, view, &out);
    fwrite(report, 1, out.used, stdout);
    free(report);
    if (tentative)
        printf("Your move: %s\n", event_text(setup, tentative));
    else if (entries >= 0)
        print_moves(setup, view, player);
}

/* The only person in the game has just seen their own move. */
static bool tell(const struct cli_news *news)
{
    puts("");
    for (size_t i = news->from; i < news->count; i++) {
        int player = ES_EVENT_WHO(news->seen[i]);
        const char *text = event_text(&news->record->setup, news->seen[i]);
        if (player == ES_CHANCE)
            puts(text);
        else if (player != news->person)
            printf("%s: %s\n", play_name(news->record, player), text);
    }
    return true;
}

static void finish(const struct cli_news *news)
{
    const struct es__fact *players = es__fact_get(news->state, "players");
    puts("\nThe game is over.");
    for (const struct es__fact *f = es__fact_first(players); f; f = es__fact_next(players, f))
        printf("%s: %ld\n", play_name(news->record, (int)es__fact_int(f, "player")),
               es__fact_int(f, "score"));
    if (es__fact_count(players) > 1) {
        play_winners(news);
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
    if (record->setup.game->parse(&record->setup, es_str(words), event) == ES_OK &&
        ES_EVENT_WHO(*event) == player)
        return ES_OK; /* as in a record, with the player's number */
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
    puts("Other commands:\n  show       show everything again");
}

const struct cli_terminal cli_terminal_plain = {
    .show_command = "show",
    .news_above = true,
    .reply_to_empty_line = "Make a move first; type help to see how.",
    .reply_when_entered = "Your move is made: press Enter to confirm it, or type undo.",
    .recap = recap,
    .show = show,
    .tell = tell,
    .finish = finish,
    .command = command,
    .read = read_move,
    .refuse = refuse,
    .help = help,
};

struct cli_terminal cli_terminal_filled(const struct es_game *game)
{
    struct cli_terminal own = *cli_terminal_of(game);
    const struct cli_terminal *plain = &cli_terminal_plain;
    if (!own.show) { /* positions and moves are shown and read together */
        own.show = plain->show;
        own.show_command = plain->show_command;
        own.news_above = plain->news_above;
        own.read = plain->read;
        own.refuse = plain->refuse;
        own.help = plain->help;
    }
    own.reply_to_empty_line =
        own.reply_to_empty_line ? own.reply_to_empty_line : plain->reply_to_empty_line;
    own.reply_when_entered =
        own.reply_when_entered ? own.reply_when_entered : plain->reply_when_entered;
    own.recap = own.recap ? own.recap : plain->recap;
    own.tell = own.tell ? own.tell : plain->tell;
    own.finish = own.finish ? own.finish : plain->finish;
    own.command = own.command ? own.command : plain->command;
    return own;
}

const struct cli_terminal *cli_terminal_of(const struct es_game *game)
{
    for (int i = 0; cli_terminals[i]; i++)
        if (cli_terminals[i]->game == game)
            return cli_terminals[i];
    return &cli_terminal_plain;
}
