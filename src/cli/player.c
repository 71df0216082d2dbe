/* Players named on a command line: bots with a time limit, and programs. */
#include "cli/player.h"
#include "cli/program.h"
#include <stdlib.h>
#include <string.h>

void cli_print_levels(FILE *file, const struct es_game *game)
{
    for (int i = 0; es_bot_level(game, i); i++)
        fprintf(file, "%s%s", i ? ", " : "", es_bot_level(game, i));
}

static struct es_str best_level(const struct es_game *game)
{
    int i = 0;
    while (es_bot_level(game, i + 1))
        i++;
    return es_str(es_bot_level(game, i));
}

/* Prints that the game has no such level, and lists those it has. */
static int no_such_level(const char *command, const struct es_game *game, struct es_str level)
{
    fprintf(stderr, "endstation %s: '%.*s' in %s: no such level: ", command, (int)level.size,
            level.at, game->name);
    cli_print_levels(stderr, game);
    fputs(" (programs: exec:COMMAND, without commas)\n", stderr);
    return CLI_BAD_USAGE;
}

enum { USUAL_MS = 1000 }; /* for programs whose level has no time */

/* Removes `@key=value` from the end of a seat; false if there is none. */
static bool cut_limit(struct es_str *text, struct es_str *key, struct es_str *value)
{
    size_t at = text->size;
    while (at > 0 && text->at[at - 1] != '@')
        at--;
    if (at == 0)
        return false;
    struct es_str rest = {text->at + at, text->size - at};
    const char *equals = memchr(rest.at, '=', rest.size);
    if (!equals)
        return false;
    *key = (struct es_str){rest.at, (size_t)(equals - rest.at)};
    *value = (struct es_str){equals + 1, rest.size - key->size - 1};
    if (!es_str_is(*key, "ms") && !es_str_is(*key, "iterations") && !es_str_is(*key, "level"))
        return false; /* the @ belongs to the command */
    text->size = at - 1;
    return true;
}

static int read_limits(const char *command, struct es_str *text, struct seat *seat,
                       struct es_str *level)
{
    struct es_str key, value;
    while (cut_limit(text, &key, &value)) {
        char number[32] = "";
        es_str_copy(value, number, sizeof number);
        unsigned *limit = es_str_is(key, "ms") ? &seat->ms : &seat->iterations;
        bool is_level = es_str_is(key, "level");
        if (is_level ? level->size > 0 : *limit > 0)
            return cli_usage(command, "a limit is given twice:", seat->spec);
        if (is_level) {
            *level = value;
        } else {
            unsigned max = limit == &seat->ms ? PLAYER_MS_MAX : PLAYER_COUNT_MAX;
            int status = cli_number(command, limit == &seat->ms ? "@ms" : "@iterations", number, 1,
                                    max, limit);
            if (status)
                return status;
        }
    }
    return CLI_OK;
}

/* Cuts `NAME=` off the beginning of a seat, if it has one. */
static int read_name(const char *command, const struct es_game *game, struct es_str *text,
                     struct seat *seat)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "._-";
    size_t size = strcspn(seat->spec, "=:@");
    struct es_bot bot;
    if (seat->spec[size] != '=')
        return CLI_OK;
    struct es_str name = {text->at, size};
    if (size == 0 || strspn(seat->spec, allowed) != size ||
        !es_str_copy(name, seat->name, sizeof seat->name))
        return cli_usage(command,
                         "a seat's name has 1 to 32 letters, digits, '.', '_' or '-':", seat->spec);
    if (es_str_is(name, "exec") || es_str_is(name, "me") || es_bot_named(game, name, &bot) == ES_OK)
        return cli_usage(command,
                         "a seat may not have the name of a level, 'exec' or 'me':", seat->spec);
    text->at += size + 1;
    text->size -= size + 1;
    return CLI_OK;
}

int seat_read(const char *command, const struct es_game *game, struct es_str text,
              const struct seat_limits *limits, struct seat *seat)
{
    static const char prefix[] = "exec:";
    struct es_lines lines;
    struct es_fault fault;
    struct es_str level = {"", 0};
    *seat = (struct seat){.grace = limits->grace};
    if (!es_str_copy(text, seat->spec, sizeof seat->spec))
        return cli_usage(command, "a seat is longer than 1000 characters", NULL);
    if (es_lines_open(&lines, text, &fault) || memchr(text.at, '\n', text.size))
        return cli_usage(command, "a seat may not hold line breaks or control characters", NULL);
    int status = read_name(command, game, &text, seat);
    if (status == CLI_OK)
        status = read_limits(command, &text, seat, &level);
    if (status)
        return status;
    bool program = text.size >= 5 && memcmp(text.at, prefix, 5) == 0;
    if (program) {
        es_str_copy(es_str_trim((struct es_str){text.at + 5, text.size - 5}), seat->command,
                    sizeof seat->command);
        if (!seat->command[0])
            return cli_usage(command, "missing command after", prefix);
        if (level.size == 0)
            level = best_level(game);
        bool known = es_bot_named(game, level, &seat->bot) == ES_OK;
        if (!known && !es_str_copy(level, seat->bot.name, sizeof seat->bot.name))
            return cli_usage(command, es_status_text(ES_BOT_UNKNOWN), seat->spec);
        if (!known)
            seat->bot.ms = USUAL_MS;
    } else if (level.size > 0) {
        return cli_usage(command, "@level= is only for exec:, not for", seat->spec);
    } else if (es_bot_named(game, text, &seat->bot)) {
        return no_such_level(command, game, text);
    }
    /* Bots that answer at once ignore the limits for all seats. */
    if (seat->ms == 0 && seat->iterations == 0 && (seat->bot.ms > 0 || program)) {
        seat->ms = limits->ms;
        seat->iterations = limits->iterations;
        if (seat->ms == 0 && seat->iterations == 0)
            seat->ms = seat->bot.ms ? seat->bot.ms : USUAL_MS;
    }
    return CLI_OK;
}

const char *seat_label(const struct seat *seat)
{
    return seat->name[0] ? seat->name : seat->spec;
}

void seat_sign(const struct seat *seat, char level[ES_LEVEL_BYTES], char name[ES_NAME_BYTES])
{
    bool is_command = seat->command[0] && !seat->name[0];
    struct es_str full = es_str_trim(es_str(is_command ? seat->command : seat_label(seat)));
    struct es_str cut = full;
    es_str_copy(es_str(seat->command[0] ? "exec" : seat->bot.name), level, ES_LEVEL_BYTES);
    if (es_str_length(full) > ES_NAME_CHARS) {
        for (cut.size = 0; es_str_length(cut) < ES_NAME_CHARS; cut.size++)
            ;
        while (cut.size < full.size && ((unsigned char)full.at[cut.size] & 0xc0) == 0x80)
            cut.size++;
    }
    if (es_str_is(full, level) && !is_command)
        cut.size = 0; /* the level alone is enough */
    es_str_copy(es_str_trim(cut), name, ES_NAME_BYTES);
}

/* ---- Thinking ------------------------------------------------------------------------------ */

uint32_t player_seed(const uint8_t seed[ES_SEED_BYTES], int seat, unsigned turn, size_t move)
{
    uint8_t nonce[12] = "player", block[64];
    nonce[10] = (uint8_t)seat;
    nonce[11] = (uint8_t)turn;
    es_chacha20_block(seed, (uint32_t)move, nonce, block);
    return (uint32_t)block[0] | (uint32_t)block[1] << 8 | (uint32_t)block[2] << 16 |
           (uint32_t)block[3] << 24;
}

struct stopwatch {
    bool up; /* stays true: bots may ask again */
    double until;
    bool (*halt)(void *);
    void *context;
};

static bool time_is_up(void *context)
{
    struct stopwatch *watch = context;
    watch->up = watch->up || (watch->until > 0 && wire_now() >= watch->until) ||
                (watch->halt && watch->halt(watch->context));
    return watch->up;
}

es_event player_think(const struct es_bot *bot, const struct cli_game *game, int player,
                      unsigned ms, bool (*halt)(void *), void *context, struct es_thought *thought)
{
    struct stopwatch watch = {false, ms ? wire_now() + ms : 0, halt, context};
    struct es_state view;
    cli_game_view(game, player, &view);
    thought->memory = cli_alloc(es_bot_bytes(game->record.setup.game));
    thought->stop = time_is_up;
    thought->context = &watch;
    es_event event = bot->think(bot, &game->record.setup, &view, player, thought);
    free(thought->memory);
    thought->memory = NULL;
    return event;
}

/* ---- Playing ------------------------------------------------------------------------------- */

bool player_start(struct player *player, bool (*halt)(void *), void *context,
                  char fault[PLAYER_FAULT_BYTES])
{
    fault[0] = '\0';
    return !player->seat->command[0] || player->program ||
           program_start(player, halt, context, fault);
}

int player_not_started(const char *command, int seat, const struct player *player,
                       const char *fault)
{
    fprintf(stderr, "endstation %s: seat %d (%s) cannot be started: %s\n", command, seat,
            seat_label(player->seat), fault);
    return CLI_NOT_STARTED;
}

bool player_ask(struct player *player, const struct cli_game *game, int who, uint32_t seed,
                bool (*halt)(void *), void *context, es_event *event,
                char fault[PLAYER_FAULT_BYTES])
{
    const struct seat *seat = player->seat;
    fault[0] = '\0';
    if (seat->command[0])
        return program_ask(player, game, who, seed, halt, context, event, fault);
    struct es_thought thought = {.seed = seed, .iterations = seat->iterations};
    *event = player_think(&seat->bot, game, who, seat->ms, halt, context, &thought);
    return !(halt && halt(context));
}

void player_leave(struct player *player)
{
    program_end(player);
}
