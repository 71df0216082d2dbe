/* Makes new games from the choices of a command line. The choices become the header of a record, so
 * that the record reader alone validates setups. */
#include "cli/terminal.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static void random_bytes(void *bytes, size_t size)
{
    if (getrandom(bytes, size, 0) != (ssize_t)size) {
        perror("endstation: the system gives no random numbers");
        exit(CLI_BAD_INPUT);
    }
}

static void header_line(struct es_out *out, const char *word, const char *value)
{
    es_out_text(out, word);
    es_out_char(out, ' ');
    es_out_text(out, value);
    es_out_char(out, '\n');
}

unsigned cli_count_names(const char *names)
{
    unsigned count = 0;
    while (names && *names) {
        names += strcspn(names, ",");
        names += *names == ',';
        count++;
    }
    return count;
}

/* Writes "Ada,Grace" as player lines. */
static void name_lines(struct es_out *out, const char *names)
{
    int p = 1;
    for (; *names; p++) {
        size_t size = strcspn(names, ",");
        es_out_text(out, "player ");
        es_out_int(out, p);
        es_out_char(out, ' ');
        es_out_str(out, (struct es_str){names, size});
        es_out_char(out, '\n');
        names += size + (names[size] == ',');
    }
}

static bool has_newline(const struct cli_choices *c)
{
    const char *const all[] = {c->game, c->map, c->players, c->rules, c->names, c->seed};
    bool found = false;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        found = found || (all[i] && strpbrk(all[i], "\r\n"));
    for (int i = 0; i < CLI_OWN_OPTIONS_MAX; i++)
        found = found || (c->own[i] && strpbrk(c->own[i], "\r\n"));
    return found;
}

/* The options for header lines that only some games have, "--deck", each name once. */
static char own_option[CLI_OWN_OPTIONS_MAX][32];
static int own_options;

static void add_own_option(const char *word)
{
    for (int i = 0; i < own_options; i++)
        if (strcmp(own_option[i] + 2, word) == 0)
            return;
    assert(own_options < CLI_OWN_OPTIONS_MAX && strlen(word) + 3 <= sizeof own_option[0]);
    snprintf(own_option[own_options++], sizeof own_option[0], "--%s", word);
}

void cli_own_options(struct cli_option *list, struct cli_choices *choices)
{
    for (int i = 0; es_games[i]; i++)
        for (int k = 0; es_games[i]->options && es_games[i]->options[k]; k++)
            add_own_option(es_games[i]->options[k]);
    while (list->name)
        list++;
    for (int i = 0; i < own_options; i++)
        *list++ = (struct cli_option){own_option[i], &choices->own[i], NULL};
    *list = (struct cli_option){NULL, NULL, NULL};
}

const char *cli_own_value(const struct es_game *game, const char *option, const char *value)
{
    const char *named = es_game_preset(game, option, es_str(value));
    return named ? named : value;
}

void cli_choices_help(void)
{
    puts("Games and what can be chosen for them:");
    for (int i = 0; es_games[i]; i++) {
        const struct es_game *game = es_games[i];
        const char *help = cli_terminal_of(game)->setup_help;
        printf("\n  %s%s, %d to %d players; bots: ", game->name, i == 0 ? " (default)" : "",
               game->players_min, game->players_max);
        cli_print_levels(stdout, game);
        puts("");
        if (help)
            fputs(help, stdout);
        for (int k = 0; !help && game->rules && game->rules[k]; k++)
            printf("    --rules %s\n", game->rules[k]);
    }
}

int cli_game_new(struct cli_game *game, const char *command, const struct cli_choices *choices)
{
    cli_game_alloc(game);
    struct es_record *record = &game->record;
    if (has_newline(choices))
        return cli_usage(command, "a choice may not hold a line break", NULL);
    const char *name = choices->game ? choices->game : es_games[0]->name;
    const struct es_game *rules = es_game_named(es_str(name));
    if (!rules)
        return cli_usage(command, "no such game:", name);
    if (rules->has_map) {
        const char *map = choices->map ? choices->map : cli_terminal_of(rules)->default_map;
        if (!map)
            return cli_usage(command, "this game needs --map:", name);
        int status = cli_read_map(map, game->map);
        if (status)
            return status;
    } else if (choices->map) {
        return cli_usage(command, "--map is not for", name);
    }

    char text[8192], players[12];
    struct es_out out = {text, sizeof text, 0};
    header_line(&out, "endstation-record", "1");
    header_line(&out, "game", rules->name);
    if (rules->has_map)
        header_line(&out, "map", game->map->id);
    unsigned seats = rules->players_min, named = cli_count_names(choices->names);
    if (choices->players) {
        int status = cli_number(command, "--players", choices->players, rules->players_min,
                                rules->players_max, &seats);
        if (status)
            return status;
    } else if (named > seats && named <= rules->players_max) {
        seats = named;
    }
    if (named > seats)
        return cli_usage(command, "more names than players:", choices->names);
    snprintf(players, sizeof players, "%u", seats);
    header_line(&out, "players", players);
    if (choices->rules)
        header_line(&out, "rules", choices->rules);
    for (int i = 0; i < own_options; i++)
        if (choices->own[i])
            header_line(&out, own_option[i] + 2,
                        cli_own_value(rules, own_option[i] + 2, choices->own[i]));
    if (choices->names)
        name_lines(&out, choices->names);
    if (choices->seed)
        header_line(&out, "seed", choices->seed);
    struct es_fault fault;
    if (!es_out_ok(&out))
        return cli_usage(command, "the choices are too long", NULL);
    if (es_record_header(record, (struct es_str){text, out.used}, &fault) ||
        es_record_events(record, rules->has_map ? game->map : NULL, &game->state, &fault))
        return cli_usage(command, fault.reason, NULL);
    if (!record->has_seed) {
        random_bytes(record->seed, sizeof record->seed);
        record->has_seed = true;
    }
    record->needs_blank_line = false; /* the record is written from its start */
    bool dealt = cli_game_deal(game) == ES_OK;
    assert(dealt); /* a new record has room */
    return CLI_OK;
}

es_status cli_game_apply(struct cli_game *game, es_event event)
{
    struct es_record *record = &game->record;
    if (record->count == record->capacity)
        return ES_EVENTS_TOO_MANY;
    es_status status = record->setup.game->apply(&record->setup, &game->state, event);
    if (status == ES_OK)
        record->events[record->count++] = event;
    return status;
}

/* Returns a random chance event, for games without a seed. */
static es_event any_chance(const struct es_setup *setup, const struct es_state *state)
{
    uint64_t entropy;
    struct es_random random;
    random_bytes(&entropy, sizeof entropy);
    es_random_seed(&random, entropy);
    return es_chance(setup, state, &random);
}

es_status cli_game_deal(struct cli_game *game)
{
    const struct es_record *record = &game->record;
    const struct es_setup *setup = &record->setup;
    es_status status = ES_OK;
    while (status == ES_OK && setup->game->turn(setup, &game->state).kind == ES_TURN_CHANCE) {
        es_event event = record->has_seed ? setup->game->deal(setup, &game->state, record->seed)
                                          : any_chance(setup, &game->state);
        if (cli_game_apply(game, event) != ES_OK)
            status = cli_game_apply(game, any_chance(setup, &game->state));
    }
    return status;
}
