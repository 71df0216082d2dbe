/* `endstation play`: a game at one terminal, for one or several people and bots. Runs the prompt
 * loop and saves; each game supplies a struct cli_terminal to show positions and read moves.
 *
 * The file on disk is the game: every confirmed event is appended and synced at once, so a game can
 * be left at any time; a lock keeps other processes from playing it. A player's entries stay
 * tentative, on a copy of that player's view, until confirmed; only then are they applied to the
 * game. Confirmed entries cannot be taken back, since the next card would be known.
 */
#include "cli/play.h"
#include "cli/play_save.h"
#include "cli/screen.h"
#include "cli/term_buffer.h"
#include <assert.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TENTATIVE_MAX = 256 };

struct play {
    struct cli_game game;
    struct cli_terminal terminal;
    struct play_save save;
    const char *map; /* as given by --map */
    size_t told;     /* events already reported to everybody */
    int holder;      /* the player whose sheet or hand is on the screen; 0: nobody */
    unsigned bots;   /* seats of bots, a bit each */

    /* One player's moves that are not yet confirmed, and the view before each. */
    es_event made[TENTATIVE_MAX];
    struct es_state before[TENTATIVE_MAX];
};

const char *play_name(const struct es_record *record, int player)
{
    enum { MOST = 24 };
    static char names[ES_PLAYERS_MAX]
                     [4 * MOST + 16]; /* one for each player: callers keep the pointer */
    char *name = names[player - 1], labels[ES_PLAYERS_MAX][ES_LABEL_BYTES];
    es_record_labels(record, labels);
    const char *label = labels[player - 1];
    struct es_str full = es_str(label), cut = full;
    if (full.size == 0) {
        snprintf(name, sizeof names[0], "Player %d", player);
        return name;
    }
    if (es_str_length(full) <= MOST) {
        snprintf(name, sizeof names[0], "%s", label);
        return term_fold(name);
    }
    /* Keep the suffix that distinguishes equal names. */
    size_t named = strlen(record->name[player - 1]);
    const char *mark = named > 0 ? label + named : "";
    for (cut.size = 0; es_str_length(cut) < MOST - 2 - strlen(mark); cut.size++)
        ;
    while ((full.at[cut.size] & 0xc0) == 0x80) /* the rest of a character */
        cut.size++;
    struct es_out out = {name, sizeof names[0] - 1, 0};
    es_out_str(&out, cut);
    es_out_text(&out, "..");
    es_out_text(&out, mark);
    name[out.used] = '\0';
    return term_fold(name);
}

void play_lower_case(char *text)
{
    for (; *text; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
}

static int wrapped; /* rows begun by play_item */

int play_rows_wrapped(void)
{
    int rows = wrapped;
    wrapped = 0;
    return rows;
}

int play_item(const char *item, const char *suffix, int column, int indent)
{
    int size = (int)(es_str_length(es_str(item)) + es_str_length(es_str(suffix)));
    if (column > indent && column + size > 78) {
        printf("\n%*s", indent, "");
        column = indent;
        wrapped++;
    } else if (column > indent) {
        putchar(' ');
        column++;
    }
    printf("%s%s", item, suffix);
    return column + size;
}

void play_winners(const struct cli_news *news)
{
    const struct es__fact *winners = es__fact_get(news->state, "winners");
    const char *before = "";
    for (const struct es__fact *f = es__fact_first(winners); f; f = es__fact_next(winners, f)) {
        printf("%s%s", before, play_name(news->record, (int)es__fact_int(f, NULL)));
        before = " and ";
    }
    fputs(es__fact_count(winners) > 1 ? " share the win" : " wins", stdout);
}

/* ---- Leaving ------------------------------------------------------------------------------- */

/* Prints a word, quoted if a shell needs that. */
static void print_argument(const char *before, const char *word)
{
    printf(" %s", before);
    if (word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-")] ==
        '\0') {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stdout);
    putchar('\'');
}

/* Says how to continue the game. */
static void tell_resume(const struct play *play)
{
    char seats[PLAY_BOTS_BYTES];
    struct es_out out = {seats, sizeof seats - 1, 0};
    play_bots_write(&out);
    seats[out.used] = '\0';
    fputs("The game is saved. Continue with:", stdout);
    print_argument("", cli_program);
    fputs(" play", stdout);
    if (seats[0])
        print_argument("--seat ", seats);
    if (play->map && es_builtin_map(es_str(play->map)).size == 0)
        print_argument("--map ", play->map);
    print_argument(play->save.path[0] == '-' ? "-- " : "", play->save.path);
    puts("");
}

/* ---- Turns --------------------------------------------------------------------------------- */

/* Returns the only person in the game, or 0 if there are several. */
static int only_person(const struct play *play)
{
    unsigned people = ((1U << play->game.record.setup.players) - 1) & ~play->bots;
    return people && !(people & (people - 1)) ? __builtin_ctz(people) + 1 : 0;
}

/* Returns true if one person plays against bots and so has the screen to themselves. */
static bool against_bots(const struct play *play)
{
    return play->bots && only_person(play);
}

static bool is_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "?") == 0;
}

static void help(const struct play *play)
{
    play->terminal.help(&play->game.record);
    puts("  undo       undo your last entry, until you confirm it\n"
         "  help       this page\n"
         "  quit       leave; the game is saved and can be continued\n"
         "Enter confirms what you entered; only then is the next card or tile shown.");
}

static bool to_act(const struct es_setup *setup, const struct es_state *state, int player)
{
    return setup->game->turn(setup, state).players >> (player - 1) & 1;
}

/* Returns the number of entries that a player has made since the last chance event. */
static int made_before(const struct es_record *record, int player)
{
    int made = 0;
    for (size_t i = record->count; i-- > 0 && ES_EVENT_WHO(record->events[i]) != ES_CHANCE;)
        made += ES_EVENT_WHO(record->events[i]) == player;
    return made;
}

/* Handles `sheet` and `sheet N` (or the game's show_command); false if the line is neither. */
static bool show_page(const struct play *play, const struct es_state *view, int player, int entries,
                      es_event tentative, const struct es_state *before, const char *line)
{
    const struct es_record *record = &play->game.record;
    unsigned other = (unsigned)player;
    size_t size = strlen(play->terminal.show_command);
    if (strncmp(line, play->terminal.show_command, size) != 0)
        return false;
    struct es_str rest = es_str_trim(es_str(line + size));
    if (rest.size == strlen(line + size) && rest.size > 0)
        return false; /* a longer word */
    if (rest.size > 0 && !play->terminal.has_sheets)
        printf("There is one %s for all.\n", play->terminal.show_command);
    else if (rest.size > 0 && (es_str_number(rest, record->setup.players, &other) || other == 0))
        printf("There are players 1 to %d.\n", record->setup.players);
    else if ((int)other == player)
        play->terminal.show(record, view, player, entries, tentative, before);
    else
        play->terminal.show(record, view, (int)other, -1, 0, NULL);
    return true;
}

/* Prints what has happened since the last time, as far as everybody may know it. Events of chance
 * alone are not printed: they are on the sheet or board. */
static void tell_news(struct play *play, bool shown)
{
    struct cli_news news;
    play_news(&play->game, play->told, &news);
    news.person = only_person(play);
    news.shown = shown;
    if (!news.moved || play->terminal.tell(&news))
        play->told = news.count;
}

static void tell_end(struct play *play)
{
    struct cli_news news;
    tell_news(play, false);
    play_news(&play->game, play->told, &news);
    play->terminal.finish(&news);
}

/* Asks one player for the entries of a round, until confirmed. Returns false to leave the game. */
static bool player_turn(struct play *play, int player)
{
    const struct es_record *record = &play->game.record;
    const struct es_setup *setup = &record->setup;
    struct es_state view;
    int count = 0, earlier = made_before(record, player);
    char line[SCREEN_LINE], word[SCREEN_LINE], prompt[ES_NAME_BYTES + 64];
    const char *name =
        setup->players == 1 && !record->name[0][0] ? "Your move" : play_name(record, player);
    bool show = true;
    cli_game_view(&play->game, player, &view);
    for (;;) {
        bool done = !to_act(setup, &view, player) || count == TENTATIVE_MAX;
        es_event tentative = count > 0 ? play->made[count - 1] : 0;
        const struct es_state *before = count > 0 ? &play->before[count - 1] : NULL;
        if (show)
            play->terminal.show(record, &view, player, earlier + count, tentative, before);
        if (against_bots(play)) /* below the sheet or board, where it is read */
            tell_news(play, true);
        show = false;
        snprintf(prompt, sizeof prompt,
                 done ? "%s: press Enter to confirm, or type undo> " : "%s> ", name);
        if (!screen_ask(prompt, false, line))
            strcpy(line, "quit");
        strcpy(word, line);
        play_lower_case(word);
        if (strcmp(word, "quit") == 0) {
            if (count > 0)
                puts("Anything not confirmed is dropped.");
            return false;
        }
        if (line[0] == '\0' && done) {
            for (int i = 0; i < count; i++)
                cli_game_apply(&play->game, play->made[i]);
            return true;
        }
        if (line[0] == '\0') {
            puts(play->terminal.reply_to_empty_line);
        } else if (is_help(word)) {
            help(play);
        } else if (strcmp(word, "undo") == 0) {
            show = count > 0;
            if (count > 0)
                view = play->before[--count];
            else
                puts("Nothing to undo: what is confirmed stays.");
        } else if (!show_page(play, &view, player, earlier + count, tentative, before, word) &&
                   !play->terminal.command(record, &view, player, word)) {
            if (done) {
                puts(play->terminal.reply_when_entered);
                continue;
            }
            es_event event;
            es_status status = play->terminal.read(record, &view, player, line, &event);
            play->before[count] = view;
            if (status == ES_OK)
                status = setup->game->apply(setup, &view, event);
            if (status == ES_OK)
                play->made[count++] = event;
            else
                play->terminal.refuse(record, &view, player, line, status);
            show = status == ES_OK;
        }
    }
}

/* Hands the screen over to a player. In games with secrets, several people at one screen do not see
 * each other's. Returns false to leave the game. */
static bool hand_over(struct play *play, int player)
{
    const struct es_record *record = &play->game.record;
    char line[SCREEN_LINE], prompt[ES_NAME_BYTES + 64];
    bool keeps = play->holder == player;
    if (!keeps)
        screen_wipe();
    if (!against_bots(play) || play->terminal.news_above)
        tell_news(play, false);
    play->holder = player;
    if (only_person(play) || !record->setup.game->has_secrets)
        return true;
    snprintf(prompt, sizeof prompt, "%s is next; everyone else, look away. Press Enter> ",
             play_name(record, player));
    while (!keeps) {
        if (!screen_ask(prompt, true, line))
            return false;
        play_lower_case(line);
        if (line[0] == '\0')
            break;
        if (strcmp(line, "quit") == 0)
            return false;
        if (is_help(line))
            help(play);
        else
            puts("Enter shows this player's own view; quit leaves the game.");
    }
    screen_secret(); /* also for who keeps the screen: it may have been wiped for a message */
    return true;
}

/* Saves the game after a change of seats. */
static int save_seats(struct play *play)
{
    struct es_record *record = &play->game.record;
    int status = play_save_all(&play->save, record);
    record->needs_blank_line = false;
    play->bots = play_bots_find(record);
    return status;
}

/* Leaves the game in the middle. */
static int leave(struct play *play)
{
    screen_wipe();
    int status = play_save_more(&play->save, &play->game.record);
    if (status)
        return status;
    if (play_save_close(&play->save, &play->game.record))
        tell_resume(play);
    else
        puts("Nobody has made a move, so there is no game to save.");
    return CLI_OK;
}

static int play_on(struct play *play)
{
    struct es_record *record = &play->game.record;
    const struct es_setup *setup = &record->setup;
    for (;;) {
        es_status dealt = cli_game_deal(&play->game);
        int status = play_save_more(&play->save, record);
        if (status == CLI_OK && dealt) {
            fprintf(stderr, "endstation play: %s: %s\n", play->save.path, es_status_text(dealt));
            status = CLI_BAD_INPUT;
        }
        if (status)
            return status;
        struct es_turn turn = setup->game->turn(setup, &play->game.state);
        if (turn.kind == ES_TURN_OVER) {
            screen_wipe();
            tell_end(play);
            return CLI_OK;
        }
        int player = __builtin_ctz(turn.players) + 1;
        bool is_bot = play->bots >> (player - 1) & 1, changed = false;
        if (is_bot ? !play_bots_move(&play->game, player, &changed)
                   : !hand_over(play, player) || !player_turn(play, player))
            return leave(play);
        status = changed ? save_seats(play) : play_save_more(&play->save, record);
        if (status)
            return status;
    }
}

/* Settles the seats: applies `--seat`, then asks if the record names a bot that does not exist, or
 * has no seat for a person. A change is saved at once. */
static int seat_all(struct play *play, const char *seats)
{
    struct es_record *record = &play->game.record;
    const struct es_setup *setup = &record->setup;
    bool changed = false;
    if (setup->game->turn(setup, &play->game.state).kind == ES_TURN_OVER)
        return seats ? cli_usage("play",
                                 "--seat changes nothing in a game that is over:", play->save.path)
                     : CLI_OK;
    int status = play_bots_change(record, seats, &changed);
    if (status == CLI_OK)
        status = play_bots_settle(record, play->save.path, &changed);
    if (status == CLI_OK && changed)
        status = save_seats(play);
    if (status == CLI_OK)
        play->bots = play_bots_find(record);
    return status;
}

static int resume(struct play *play, const struct cli_choices *choices, const char *bots)
{
    bool own = false;
    for (int i = 0; i < CLI_OWN_OPTIONS_MAX; i++)
        own = own || choices->own[i];
    if (bots || choices->game || choices->players || choices->rules || choices->names ||
        choices->seed || own)
        return cli_usage("play", "cannot change the setup of an existing game:", play->save.path);
    int status = play_save_resume(&play->save, &play->game, choices->map);
    if (status)
        return status;
    printf("Continuing %s\n", play->save.path);
    if (!play->save.ends_properly)
        puts("Its last line has no line break; it is read as it stands.");
    return CLI_OK;
}

/* Notes the day on which a game begins, where it is played. */
static void sign_date(struct es_record *record)
{
    char line[32];
    time_t now = time(NULL);
    size_t size = strftime(line, sizeof line, "date %Y-%m-%d\n", localtime(&now));
    assert(record->notes_size + size <= sizeof record->notes); /* it is a new record */
    memcpy(record->notes + record->notes_size, line, size);
    record->notes_size += size;
}

static int begin(struct play *play, const struct cli_choices *wanted, const char *bots)
{
    struct cli_choices choices = *wanted;
    char players[16];
    int seats = play_bots_count(bots);
    unsigned people = cli_count_names(choices.names);
    snprintf(players, sizeof players, "%u", (unsigned)seats + (people > 0 ? people : 1));
    if (bots && !choices.players)
        choices.players = players;
    int status = cli_game_new(&play->game, "play", &choices);
    if (status)
        return status;
    if (seats >= play->game.record.setup.players)
        return cli_usage("play", "--bots leaves no seat for a person:", bots);
    status = play_bots_seat(&play->game.record, bots);
    if (status)
        return status;
    sign_date(&play->game.record);
    if (!play->save.path[0])
        play_save_choose(&play->save, play->game.record.setup.game);
    status = play_save_new(&play->save, &play->game.record);
    if (status == CLI_OK)
        printf("The game is saved in %s\nType 'help' for help.\n", play->save.path);
    const char *about = cli_terminal_of(play->game.record.setup.game)->about_default_map;
    if (status == CLI_OK && about && !choices.map)
        puts(about);
    return status;
}

/* Finds the file: `path` as given, or with `latest` the latest game. Sets *exists if it is to be
 * continued. */
static int find_file(struct play_save *save, const char *path, bool latest, const char *map,
                     bool *exists)
{
    if (latest && path)
        return cli_usage("play", "--continue takes no file:", path);
    if (path && (strcmp(path, "-") == 0 || strlen(path) >= sizeof save->path))
        return cli_usage("play", "play needs a file to save the game in, not", path);
    if (path)
        strcpy(save->path, path);
    *exists = latest || (path && access(path, F_OK) == 0);
    return latest ? play_save_latest(save, map) : CLI_OK;
}

static int run(int argc, char **argv)
{
    static struct play play = {.save.file = -1};
    struct cli_choices choices = {0};
    const char *path = NULL, *bots = NULL, *seats = NULL;
    bool latest = false, exists;
    struct cli_option options[CLI_CHOICES_MAX + 4] = {{"--bots", &bots, NULL},
                                                      {"--seat", &seats, NULL},
                                                      {"--continue", NULL, &latest},
                                                      CLI_CHOICES(choices)};
    cli_own_options(options, &choices);
    int status = cli_options(argc, argv, options, &path, 1);
    if (status == CLI_OK)
        status = find_file(&play.save, path, latest, choices.map, &exists);
    if (status)
        return status;
    screen_open();
    play.map = choices.map;
    if (seats && !exists)
        return cli_usage(argv[0], "--seat changes a game that exists; a new one takes --bots",
                         NULL);
    status = exists ? resume(&play, &choices, bots) : begin(&play, &choices, bots);
    play.terminal = cli_terminal_filled(play.game.record.setup.game);
    const char *fault = NULL;
    if (status == CLI_OK && play.terminal.fault)
        fault = play.terminal.fault(&play.game.record);
    if (fault) {
        fprintf(stderr, "endstation play: %s: %s\n", play.save.path, fault);
        status = CLI_BAD_INPUT;
    }
    if (status == CLI_OK && play.game.record.setup.map)
        cli_fold_map(play.game.map);
    if (status == CLI_OK)
        status = seat_all(&play, seats);
    if (status == CLI_OK) {
        struct cli_news news;
        play_news(&play.game, 0, &news);
        play.told = play.terminal.recap(news.seen, news.count);
        status = play_on(&play);
    }
    play_bots_leave();
    play_save_close(&play.save, &play.game.record);
    cli_game_free(&play.game);
    screen_close();
    return status;
}

const struct cli_command cli_play = {
    .name = "play",
    .summary = "play in the terminal: solo, with others at one screen, or against bots",
    .help =
        "play [OPTIONS] [FILE]\n\n"
        "Plays a game in the terminal. It is saved in FILE (default: a new file in the folder\n"
        "endstation in $XDG_DATA_HOME or ~/.local/share) after every event; if FILE exists, that\n"
        "game is continued. A game without a move leaves no file.\n\n" CLI_CHOICES_HELP
        "  --continue        continue the latest game in that folder that is not over\n"
        "  --bots A,B        bots in the last seats, after the people: levels (see below), or\n"
        "                    exec:COMMAND for a program that speaks the engine protocol, as in\n"
        "                    'arena'; without --players, as many people as --names, or one\n"
        "  --seat 2=LEVEL    put another bot in seat 2 of a continued game; 2=exec:COMMAND: a\n"
        "                    program; 2=me: a person; several are separated by commas\n",
    .more_help = cli_choices_help,
    .run = run,
};
