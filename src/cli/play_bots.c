/* Bots in `play`: seats for them, and records that name a bot that does not exist. */
#include "cli/play.h"
#include "cli/player.h"
#include "cli/screen.h"
#include <assert.h>
#include <string.h>

int play_bots_count(const char *bots)
{
    int count = bots != NULL;
    for (; bots && *bots; bots++)
        count += *bots == ',';
    return count;
}

/* Gives a seat to a bot; false if the game has no such level. */
static bool take_seat(struct es_record *record, int player, struct es_str level)
{
    struct es_bot bot;
    return es_bot_named(record->setup.game, level, &bot) == ES_OK &&
           es_str_copy(level, record->bot[player - 1], ES_LEVEL_BYTES);
}

int play_bots_seat(struct es_record *record, const char *bots)
{
    int first = record->setup.players - play_bots_count(bots) + 1;
    for (int p = first; bots && p <= record->setup.players; p++) {
        struct es_str level = {bots, strcspn(bots, ",")};
        if (record->name[p - 1][0])
            return cli_usage("play",
                             "--names is for people; this would be a bot's:", record->name[p - 1]);
        if (!take_seat(record, p, level))
            return cli_no_such_level("play", record->setup.game, level);
        bots += level.size + (bots[level.size] == ',');
    }
    return CLI_OK;
}

int play_bots_change(struct es_record *record, const char *seats, bool *changed)
{
    while (seats && *seats) {
        struct es_str seat = {seats, strcspn(seats, "=,")};
        unsigned player;
        if (es_str_number(seat, record->setup.players, &player) || player == 0 ||
            seats[seat.size] != '=')
            return cli_usage("play", "--seat takes a value like 2=strong or 2=me, not", seats);
        seats += seat.size + 1;
        struct es_str level = {seats, strcspn(seats, ",")};
        if (es_str_is(level, "me"))
            record->bot[player - 1][0] = '\0';
        else if (!take_seat(record, (int)player, level))
            return cli_no_such_level("play", record->setup.game, level);
        seats += level.size;
        if (*seats == ',' && seats[1] == '\0')
            return cli_usage("play", "--seat takes a value like 2=strong or 2=me, not", seats);
        seats += *seats == ',';
        *changed = true;
    }
    return CLI_OK;
}

static int report_seat(const char *path, int player, const char *why)
{
    fprintf(stderr, "endstation play: %s: %s; --seat %d=LEVEL or --seat %d=me changes that\n", path,
            why, player, player);
    return CLI_BAD_INPUT;
}

/* Asks for another level for a seat, or a person. */
static int ask_level(struct es_record *record, const char *path, int player, bool *changed)
{
    char line[SCREEN_LINE], prompt[64];
    printf("Seat %d is for a bot of the level '%s', which this program does not have.\nLevels: ",
           player, record->bot[player - 1]);
    cli_print_levels(stdout, record->setup.game);
    puts("");
    snprintf(prompt, sizeof prompt, "Another level for seat %d, or me> ", player);
    while (screen_ask(prompt, false, line) && strcmp(line, "quit") != 0) {
        play_lower_case(line);
        *changed = strcmp(line, "me") == 0 || take_seat(record, player, es_str(line));
        if (strcmp(line, "me") == 0)
            record->bot[player - 1][0] = '\0';
        if (*changed)
            return CLI_OK;
        puts("Type a level, me to play the seat yourself, or quit.");
    }
    return report_seat(path, player, "there is no bot of that level");
}

/* Asks which seat becomes a person's. */
static int ask_seat(struct es_record *record, const char *path, bool *changed)
{
    char line[SCREEN_LINE], prompt[64];
    unsigned player;
    puts("Only bots sit at this table ('arena' plays such games).");
    snprintf(prompt, sizeof prompt, "Which seat do you take, 1 to %d> ", record->setup.players);
    while (screen_ask(prompt, false, line) && strcmp(line, "quit") != 0) {
        if (es_str_number(es_str(line), record->setup.players, &player) == ES_OK && player > 0) {
            record->bot[player - 1][0] = '\0';
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
        if (level[0] && es_bot_named(record->setup.game, es_str(level), &bot))
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

void play_bots_move(struct cli_game *game, int player)
{
    const struct es_record *record = &game->record;
    struct es_bot bot;
    static struct es_thought thought;
    thought = (struct es_thought){.seed = player_seed(record->seed, player, 0, record->count)};
    es_status known = es_bot_named(record->setup.game, es_str(record->bot[player - 1]), &bot);
    assert(known == ES_OK); /* ensured by play_bots_settle */
    if (bot.ms > 0)
        screen_busy(play_name(record, player));
    es_event event = player_think(&bot, game, player, bot.ms, NULL, NULL, &thought);
    screen_idle();
    es_status status = cli_game_apply(game, event);
    assert(status == ES_OK);
}
