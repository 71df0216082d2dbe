/* Bots and programs in `play`: seats for them, records that name a bot that does not exist, and
 * programs that fail. Records do not keep a program's command, since a record from somebody else
 * would then run it. */
#include "cli/play.h"
#include "cli/player.h"
#include "cli/program.h"
#include "cli/screen.h"
#include <assert.h>
#include <string.h>
#include <strings.h>

static const char program_level[] = "exec"; /* in records, for every program */

/* The players that are programs, by seat; `seat` is NULL for all others. */
static struct player programs[ES_PLAYERS_MAX];
static struct seat program_seats[ES_PLAYERS_MAX];

int play_bots_count(const char *bots)
{
    int count = bots != NULL;
    for (; bots && *bots; bots++)
        count += *bots == ',';
    return count;
}

void play_bots_leave(void)
{
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        player_leave(&programs[p]);
}

/* Makes a seat a person's. A program's name goes with it. */
static void empty_seat(struct es_record *record, int player)
{
    int p = player - 1;
    player_leave(&programs[p]);
    programs[p].seat = NULL;
    if (strcmp(record->bot[p], program_level) == 0)
        record->name[p][0] = '\0';
    record->bot[p][0] = '\0';
}

/* Starts a program and gives it the seat. If it cannot be started, nothing changes. */
static int seat_program(struct es_record *record, int player, struct seat *seat)
{
    struct player program = {.seat = seat};
    char fault[PLAYER_FAULT_BYTES];
    int p = player - 1;
    screen_on_interrupt(program_kill_all);
    program_environment();
    if (!player_start(&program, screen_interrupted, NULL, fault))
        return fault[0] ? player_not_started("play", player, &program, fault) : CLI_NOT_STARTED;
    empty_seat(record, player);
    program_seats[p] = *seat;
    programs[p] = program;
    programs[p].seat = &program_seats[p];
    seat_sign(seat, record->bot[p], record->name[p]);
    return CLI_OK;
}

/* Gives a seat to a bot or program, written as in the arena; prints errors. */
static int take_seat(struct es_record *record, int player, struct es_str text)
{
    static struct seat seat;
    int status = seat_read("play", record->setup.game, text, &(struct seat_limits){0}, &seat);
    if (status)
        return status;
    if (seat.command[0])
        return seat_program(record, player, &seat);
    if (strchr(seat.spec, '@'))
        return cli_usage("play", "only programs can have limits of their own, not", seat.spec);
    empty_seat(record, player);
    strcpy(record->bot[player - 1], seat.bot.name);
    if (seat.name[0])
        strcpy(record->name[player - 1], seat.name);
    return CLI_OK;
}

int play_bots_seat(struct es_record *record, const char *bots)
{
    int first = record->setup.players - play_bots_count(bots) + 1;
    for (int p = first; bots && p <= record->setup.players; p++) {
        struct es_str seat = {bots, strcspn(bots, ",")};
        if (record->name[p - 1][0])
            return cli_usage("play",
                             "--names is for people; this would be a bot's:", record->name[p - 1]);
        int status = take_seat(record, p, seat);
        if (status)
            return status;
        bots += seat.size + (bots[seat.size] == ',');
    }
    return CLI_OK;
}

int play_bots_change(struct es_record *record, const char *seats, bool *changed)
{
    static const char example[] = "--seat takes a value like 2=strong, 2=exec:COMMAND or 2=me, not";
    const struct es_record before = *record;
    while (seats && *seats) {
        struct es_str seat = {seats, strcspn(seats, "=,")};
        unsigned player;
        if (seats[seat.size] != '=' || es_str_number(seat, 99, &player))
            return cli_usage("play", example, seats);
        if (player == 0 || player > record->setup.players) {
            char what[64];
            snprintf(what, sizeof what, "there are seats 1 to %d, and no seat %u for",
                     record->setup.players, player);
            return cli_usage("play", what, seats);
        }
        seats += seat.size + 1;
        struct es_str who = {seats, strcspn(seats, ",")};
        int status = CLI_OK;
        if (es_str_is(who, "me"))
            empty_seat(record, (int)player);
        else
            status = take_seat(record, (int)player, who);
        if (status)
            return status;
        seats += who.size;
        if (*seats == ',' && seats[1] == '\0')
            return cli_usage("play", example, seats);
        seats += *seats == ',';
    }
    for (int p = 0; p < ES_PLAYERS_MAX; p++)
        if (strcmp(before.bot[p], record->bot[p]) != 0 ||
            strcmp(before.name[p], record->name[p]) != 0)
            *changed = true;
    return CLI_OK;
}

static int report_seat(const char *path, int player, const char *why)
{
    fprintf(stderr,
            "endstation play: %s: %s; --seat %d=LEVEL, --seat %d=exec:COMMAND or --seat %d=me "
            "changes that\n",
            path, why, player, player, player);
    return CLI_BAD_INPUT;
}

/* Gives a seat to whom a person has typed; if there is nobody like that, prints why and returns
 * false. */
static bool take_typed_seat(struct es_record *record, int player, const char *line)
{
    char word[SCREEN_LINE];
    struct es_bot bot;
    snprintf(word, sizeof word, "%s", line);
    play_lower_case(word);
    if (strcmp(word, "me") == 0) {
        empty_seat(record, player);
        return true;
    }
    if (es_bot_named(record->setup.game, es_str(word), &bot) == ES_OK)
        return take_seat(record, player, es_str(word)) == CLI_OK;
    if (strstr(line, "exec:") && !strchr(line, ','))
        return take_seat(record, player, es_str(line)) == CLI_OK;
    puts("Type a level, exec:COMMAND (without commas) for a program, me to play the seat yourself, "
         "or quit.");
    return false;
}

/* Asks who plays a seat whose bot does not exist, or whose program is not known. */
static int ask_level(struct es_record *record, const char *path, int player, bool *changed)
{
    char line[SCREEN_LINE], prompt[80];
    bool is_program = strcmp(record->bot[player - 1], program_level) == 0;
    if (is_program)
        printf("Seat %d was played by a program, %s.\n"
               "Records do not keep the commands of programs.\nLevels: ",
               player, play_name(record, player));
    else
        printf("Seat %d is for a bot of the level '%s', which this program does not have.\n"
               "Levels: ",
               player, record->bot[player - 1]);
    cli_print_levels(stdout, record->setup.game);
    puts("");
    snprintf(prompt, sizeof prompt, "A level for seat %d, exec:COMMAND, or me> ", player);
    while (screen_ask(prompt, false, line) && strcasecmp(line, "quit") != 0)
        if (take_typed_seat(record, player, line)) {
            *changed = true;
            return CLI_OK;
        }
    return report_seat(path, player,
                       is_program ? "which program plays is not known"
                                  : "there is no bot of that level");
}

/* Asks which seat becomes a person's. */
static int ask_seat(struct es_record *record, const char *path, bool *changed)
{
    char line[SCREEN_LINE], prompt[64];
    unsigned player;
    puts("Only bots sit at this table ('arena' plays such games).");
    snprintf(prompt, sizeof prompt, "Which seat do you take, 1 to %d> ", record->setup.players);
    while (screen_ask(prompt, false, line) && strcasecmp(line, "quit") != 0) {
        if (es_str_number(es_str(line), record->setup.players, &player) == ES_OK && player > 0) {
            empty_seat(record, (int)player);
            *changed = true;
            return CLI_OK;
        }
        puts("Type the number of a seat, or quit.");
    }
    return report_seat(path, 1, "only bots would play");
}

int play_bots_settle(struct es_record *record, const char *path, bool *changed)
{
    int status = CLI_OK;
    for (int p = 1; p <= record->setup.players && status == CLI_OK; p++) {
        struct es_bot bot;
        const char *level = record->bot[p - 1];
        if (level[0] && !programs[p - 1].seat &&
            es_bot_named(record->setup.game, es_str(level), &bot))
            status = ask_level(record, path, p, changed);
    }
    if (status == CLI_OK && play_bots_find(record) + 1 == 1u << record->setup.players)
        status = ask_seat(record, path, changed);
    return status;
}

unsigned play_bots_find(const struct es_record *record)
{
    unsigned seats = 0;
    for (int p = 1; p <= record->setup.players; p++)
        seats |= (unsigned)(record->bot[p - 1][0] != '\0') << (p - 1);
    return seats;
}

void play_bots_write(struct es_out *out)
{
    for (int p = 0; p < ES_PLAYERS_MAX; p++) {
        if (!programs[p].seat)
            continue;
        if (out->used > 0)
            es_out_char(out, ',');
        es_out_int(out, p + 1);
        es_out_char(out, '=');
        es_out_text(out, programs[p].seat->spec);
    }
}

/* Lets a program move. If it fails, asks what to do: nothing is lost, since the game is saved up to
 * here. */
static bool move_program(struct cli_game *game, int player, uint32_t seed, bool *changed)
{
    struct es_record *record = &game->record;
    char fault[PLAYER_FAULT_BYTES], line[SCREEN_LINE], prompt[128];
    es_event event;
    for (;;) {
        screen_busy(play_name(record, player));
        bool is_good = player_ask(&programs[player - 1], game, player, seed, screen_interrupted,
                                  NULL, &event, fault);
        screen_idle();
        if (screen_interrupted(NULL))
            return false;
        if (is_good) {
            es_status status = cli_game_apply(game, event);
            assert(status == ES_OK); /* player_ask() has tried it */
            return true;
        }
        printf("%s has failed: %s\n", play_name(record, player), fault);
        snprintf(prompt, sizeof prompt,
                 "Press Enter to ask it again. A level for seat %d, exec:COMMAND, me, or quit> ",
                 player);
        do {
            if (!screen_ask(prompt, true, line) || strcasecmp(line, "quit") == 0)
                return false;
            *changed = line[0] && take_typed_seat(record, player, line);
            if (*changed)
                return true;
        } while (line[0]);
    }
}

bool play_bots_move(struct cli_game *game, int player, bool *changed)
{
    const struct es_record *record = &game->record;
    struct es_bot bot;
    static struct es_thought thought;
    uint32_t seed = player_seed(record->seed, player, 0, record->count);
    *changed = false;
    if (programs[player - 1].seat)
        return move_program(game, player, seed, changed);
    thought = (struct es_thought){.seed = seed};
    es_status known = es_bot_named(record->setup.game, es_str(record->bot[player - 1]), &bot);
    assert(known == ES_OK); /* ensured by play_bots_settle */
    if (bot.ms > 0)
        screen_busy(play_name(record, player));
    es_event event = player_think(&bot, game, player, bot.ms, screen_interrupted, NULL, &thought);
    screen_idle();
    if (screen_interrupted(NULL))
        return false;
    es_status status = cli_game_apply(game, event);
    assert(status == ES_OK);
    return true;
}
