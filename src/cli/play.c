/* `endstation play`: one or several people at one terminal.
 *
 * The file on disk is the game: every confirmed event is appended and synced at once, so a game
 * can be left at any time, by any means. A player's entries stay tentative, on a copy of what that
 * player may see, until confirmed; only then do they reach the game. Nothing confirmed is ever
 * taken back: the next card would be known. */
#include "play.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TENTATIVE_MAX = 256, LINE_MAX_BYTES = 200 };

struct play {
    struct cli_game game;
    const struct play_face *face;
    char path[4096];
    size_t saved;       /* events on disk */
    bool ends_properly; /* the file's last line has its newline */

    /* One player's entries that are not yet confirmed, and what the view was before each. A sheet
     * has fewer windows than this. */
    es_event made[TENTATIVE_MAX];
    struct es_state before[TENTATIVE_MAX];
};
_Static_assert((int)TENTATIVE_MAX > (int)ES_WINDOWS_MAX, "room for every window");

static const struct play_face *const faces[] = {&play_verplant, NULL};

const char *play_name(const struct es_record *record, int player)
{
    static char name[16];
    if (record->name[player - 1][0])
        return record->name[player - 1];
    snprintf(name, sizeof name, "Player %d", player);
    return name;
}

/* ---- The file ------------------------------------------------------------------------------ */

static int save_failed(const struct play *play)
{
    fprintf(stderr, "endstation play: cannot save to %s: %s\n", play->path, strerror(errno));
    return CLI_BAD_INPUT;
}

static bool write_all(int file, const char *text, size_t size)
{
    while (size > 0) {
        ssize_t done = write(file, text, size);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            text += done;
            size -= (size_t)done;
        }
    }
    return true;
}

static int save_text(struct play *play, int flags, const char *text, size_t size)
{
    int file = open(play->path, flags, 0644);
    if (file < 0)
        return save_failed(play);
    bool good = write_all(file, text, size) && fsync(file) == 0;
    if (close(file) != 0 || !good)
        return save_failed(play);
    play->saved = play->game.record.count;
    play->ends_properly = true;
    return CLI_OK;
}

static int save_new(struct play *play)
{
    size_t size = es_record_bytes(&play->game.record);
    char *text = cli_alloc(size);
    struct es_out out = {text, size, 0};
    es_record_write(&play->game.record, &out);
    int status = save_text(play, O_WRONLY | O_CREAT | O_EXCL, text, out.used);
    free(text);
    return status;
}

/* Appends what is new; the file keeps its comments and notes. */
static int save_more(struct play *play)
{
    const struct es_record *record = &play->game.record;
    size_t size = (record->count - play->saved) * (ES_EVENT_BYTES + 1) + 2;
    if (record->count == play->saved)
        return CLI_OK;
    char *text = cli_alloc(size);
    struct es_out out = {text, size, 0};
    if (!play->ends_properly)
        es_out_char(&out, '\n');
    if (record->ends_in_header && play->saved == 0)
        es_out_char(&out, '\n');
    for (size_t i = play->saved; i < record->count; i++) {
        record->setup.game->format(&record->setup, record->events[i], &out);
        es_out_char(&out, '\n');
    }
    int status = save_text(play, O_WRONLY | O_APPEND, text, out.used);
    free(text);
    return status;
}

/* Where games go that nobody gave a name: ~/.local/share/endstation, or what XDG says. */
static void choose_path(struct play *play)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char folder[3072] = ".", stamp[32];
    if (data && data[0] == '/')
        snprintf(folder, sizeof folder, "%s/endstation", data);
    else if (home && home[0] == '/')
        snprintf(folder, sizeof folder, "%s/.local/share/endstation", home);
    for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(folder, 0755); /* if this fails, saving says so */
        *slash = '/';
    }
    mkdir(folder, 0755);
    time_t now = time(NULL);
    strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", localtime(&now));
    const char *game = play->game.record.setup.game->name;
    snprintf(play->path, sizeof play->path, "%s/%s-%s.record", folder, game, stamp);
    for (int i = 2; access(play->path, F_OK) == 0; i++) /* two games within a second */
        snprintf(play->path, sizeof play->path, "%s/%s-%s-%d.record", folder, game, stamp, i);
}

static void tell_resume(const struct play *play)
{
    const char *quote = strpbrk(play->path, " \"$`\\*?&;|<>()") ? "'" : "";
    printf("The game is saved. Go on with: %s play %s%s%s\n", cli_program, quote, play->path,
           quote);
}

/* ---- Asking -------------------------------------------------------------------------------- */

/* Reads one line, trimmed; false at the end of input. */
static bool ask(const char *prompt, char line[LINE_MAX_BYTES])
{
    fputs(prompt, stdout);
    fflush(stdout);
    if (!fgets(line, LINE_MAX_BYTES, stdin)) {
        puts("");
        return false;
    }
    if (!strchr(line, '\n') && !feof(stdin)) { /* too long for anything we know */
        int c;
        while ((c = getchar()) != '\n' && c != EOF)
            continue;
        strcpy(line, "(too long)");
    }
    line[strcspn(line, "\r\n")] = '\0';
    struct es_str text = es_str_trim(es_str(line));
    memmove(line, text.at, text.size);
    line[text.size] = '\0';
    return true;
}

static void help(const struct play *play)
{
    fputs(play->face->help, stdout);
    puts("  undo       take your last entry back, until you confirm it\n"
         "  sheet      show everything again\n"
         "  help       this page\n"
         "  quit       leave; the game is saved and can be gone on with\n"
         "Enter confirms your entries; the next card comes only then.");
}

/* The state after a list of events that are known to be legal. */
static void fold(const struct es_setup *setup, const es_event *events, size_t count,
                 struct es_state *state)
{
    setup->game->start(setup, state);
    for (size_t i = 0; i < count; i++)
        setup->game->apply(setup, state, events[i]);
}

/* What a player may see, as a state. */
static void look(const struct play *play, int player, struct es_state *view)
{
    const struct es_record *record = &play->game.record;
    const struct es_setup *setup = &record->setup;
    es_event *seen = cli_alloc((record->count + 1) * sizeof *seen);
    size_t count =
        setup->game->observe(setup, &play->game.state, record->events, record->count, player, seen);
    fold(setup, seen, count, view);
    free(seen);
}

static bool to_act(const struct es_setup *setup, const struct es_state *state, int player)
{
    return setup->game->turn(setup, state).players >> (player - 1) & 1;
}

/* Reads an entry as the notation has it; the line's letter may be small. */
static enum es_status read_entry(const struct es_setup *setup, int player, const char *line,
                                 es_event *event)
{
    char text[LINE_MAX_BYTES + 16];
    snprintf(text, sizeof text, "%d %s", player, line);
    char *first = strchr(text, ' ') + 1;
    if (*first >= 'a' && *first <= 'z')
        *first = (char)(*first - 'a' + 'A');
    return setup->game->parse(setup, es_str(text), event);
}

/* One player's entries for a round, until confirmed. False to leave the game. */
static bool player_turn(struct play *play, int player)
{
    const struct es_record *record = &play->game.record;
    const struct es_setup *setup = &record->setup;
    struct es_state view;
    int count = 0;
    char line[LINE_MAX_BYTES], prompt[ES_NAME_BYTES + 64];
    bool show = true;
    look(play, player, &view);
    for (;;) {
        bool done = !to_act(setup, &view, player);
        if (show)
            play->face->show(record, &view, player);
        show = false;
        snprintf(prompt, sizeof prompt, done ? "%s: Enter confirms, undo takes back> " : "%s> ",
                 setup->players == 1 && !record->name[0][0] ? "Your entry"
                                                            : play_name(record, player));
        if (!ask(prompt, line) || strcmp(line, "quit") == 0) {
            if (count > 0)
                puts("What was not confirmed is forgotten.");
            return false;
        }
        if (line[0] == '\0') {
            if (!done) {
                puts("An entry is needed; 'help' tells how to write it.");
                continue;
            }
            for (int i = 0; i < count; i++)
                cli_game_apply(&play->game, play->made[i]);
            return true;
        }
        if (strcmp(line, "help") == 0) {
            help(play);
        } else if (strcmp(line, "sheet") == 0) {
            show = true;
        } else if (strcmp(line, "undo") == 0) {
            if (count == 0) {
                puts("There is nothing to take back: what was confirmed stays.");
                continue;
            }
            view = play->before[--count];
            show = true;
        } else if (!play->face->command(record, &view, player, line)) {
            es_event event;
            enum es_status status = read_entry(setup, player, line, &event);
            play->before[count] = view;
            if (status == ES_OK)
                status = setup->game->apply(setup, &view, event);
            if (status == ES_OK) {
                play->made[count++] = event;
                show = true;
            } else {
                printf("%s: %s.\n", line, es_status_text(status));
            }
        }
    }
}

/* With several people at one screen nobody sees what the others enter. */
static bool hand_over(const struct play *play, int player)
{
    const struct es_record *record = &play->game.record;
    char line[LINE_MAX_BYTES], prompt[ES_NAME_BYTES + 64];
    if (record->setup.players == 1)
        return true;
    if (isatty(STDOUT_FILENO))
        fputs("\033[H\033[2J\033[3J", stdout);
    snprintf(prompt, sizeof prompt, "Now %s; the others look away. Press Enter> ",
             play_name(record, player));
    return ask(prompt, line) && strcmp(line, "quit") != 0;
}

static int play_on(struct play *play)
{
    struct es_record *record = &play->game.record;
    const struct es_setup *setup = &record->setup;
    for (;;) {
        cli_game_deal(&play->game);
        int status = save_more(play);
        if (status)
            return status;
        struct es_turn turn = setup->game->turn(setup, &play->game.state);
        if (turn.kind == ES_TURN_OVER) {
            play->face->finish(record, &play->game.state);
            return cli_flush();
        }
        size_t from = record->count; /* where the players' part of this round began */
        while (from > 0 && ES_EVENT_WHO(record->events[from - 1]) != ES_CHANCE)
            from--;
        struct es_state before;
        fold(setup, record->events, from, &before);
        for (int p = 1; p <= setup->players; p++)
            while (to_act(setup, &play->game.state, p)) {
                if (!hand_over(play, p) || !player_turn(play, p)) {
                    tell_resume(play);
                    return cli_flush();
                }
                status = save_more(play);
                if (status)
                    return status;
            }
        play->face->tell(record, &before, &play->game.state, record->events + from,
                         record->count - from);
    }
}

static int resume(struct play *play, const struct cli_choices *choices)
{
    if (choices->game || choices->players || choices->rules || choices->deck || choices->names ||
        choices->seed)
        return cli_usage("play", "the game exists already, its setup is fixed:", play->path);
    int status = cli_game_read(&play->game, "play", play->path, choices->map);
    if (status)
        return status;
    struct es_str text;
    status = cli_read_file(play->path, &text);
    if (status)
        return status;
    play->ends_properly = text.size > 0 && text.at[text.size - 1] == '\n';
    free((void *)text.at);
    play->saved = play->game.record.count;
    printf("Going on with %s\n", play->path);
    return CLI_OK;
}

static int begin(struct play *play, const struct cli_choices *choices)
{
    int status = cli_game_new(&play->game, "play", choices);
    if (status)
        return status;
    if (!play->path[0])
        choose_path(play);
    status = save_new(play);
    if (status == CLI_OK)
        printf("The game is kept in %s\n'help' explains everything.\n", play->path);
    return status;
}

static int run(int argc, char **argv)
{
    static struct play play;
    struct cli_choices choices = {0};
    const char *path = NULL;
    const struct cli_option options[] = {CLI_CHOICES(choices), {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, &path, 1);
    if (status)
        return status;
    if (path && (strcmp(path, "-") == 0 || strlen(path) >= sizeof play.path))
        return cli_usage(argv[0], "a game needs a file to be kept in, not", path);
    if (path)
        strcpy(play.path, path);
    status = path && access(path, F_OK) == 0 ? resume(&play, &choices) : begin(&play, &choices);
    if (status == CLI_OK) {
        for (int i = 0; faces[i]; i++)
            if (faces[i]->game == play.game.record.setup.game)
                play.face = faces[i];
        status = play_on(&play);
    }
    cli_game_free(&play.game);
    return status;
}

const struct cli_command cli_play = {
    .name = "play",
    .summary = "play in the terminal, alone or several at one screen",
    .help = "play [OPTIONS] [FILE]\n\n"
            "Plays a game in the terminal. It is kept in FILE (default: a new file in\n"
            "~/.local/share/endstation), event by event; if FILE exists, that game goes "
            "on.\n\n" CLI_CHOICES_HELP,
    .run = run,
};
