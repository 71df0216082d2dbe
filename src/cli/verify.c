/* The command `verify`: checks that the cards or tiles of a record follow from its seed, and the
 * seed from what was shown before the game. */
#include "cli/cli.h"
#include "cli/term_buffer.h"
#include "page/writer.h"
#include <endstation/fair.h>
#include <stdlib.h>

/* `the word of player 1 (Ada) is missing`, a line for each. */
static void print_missing(const struct es_record *record, unsigned missing)
{
    char label[ES_PLAYERS_MAX][ES_LABEL_BYTES];
    es_record_labels(record, label);
    for (int p = 0; p < record->setup.players; p++) {
        if (!(missing >> p & 1))
            continue;
        if (label[p][0])
            printf("the word of player %d (%s) is missing\n", p + 1, term_fold(label[p]));
        else
            printf("the word of player %d is missing\n", p + 1);
    }
}

static void write_facts(struct es__writer *w, const void *context)
{
    const struct es_fair_facts *facts = context;
    es__write_int(w, "chances", (long)facts->chances);
    es__write_bool(w, "proved", facts->proved);
    es__write_set(w, "missing", facts->missing);
}

/* What is asked for. */
struct wishes {
    const char *map, *shown;
    uint8_t commit[ES_FAIR_BYTES];
    bool json;
};

static int verify(struct cli_files *files, const char *path, const struct wishes *wishes,
                  const struct cli_game *game, struct es_str text)
{
    struct es_state scratch;
    struct es_fair_facts facts;
    struct es_fault fault;
    const uint8_t *commit = wishes->shown ? wishes->commit : NULL;
    if (es_fair_verify(&game->record, text, commit, &scratch, &facts, &fault))
        return cli_fault(path, &fault);
    if (wishes->json)
        return cli_print_json(path, write_facts, &facts);
    cli_head(files, path);
    if (facts.proved) {
        puts("commit, words and seed fit");
        print_missing(&game->record, facts.missing);
    }
    printf("verified %zu of %zu chance events from the seed\n", facts.chances, facts.chances);
    return cli_flush();
}

static int verify_one(struct cli_files *files, const char *path, void *context)
{
    const struct wishes *wishes = context;
    struct cli_game game;
    struct es_str text;
    int status = cli_game_read_text(&game, files->command, path, wishes->map, &text);
    if (status == CLI_OK)
        status = verify(files, path, wishes, &game, text);
    free((void *)text.at);
    cli_game_free(&game);
    return status;
}

static int run(int argc, char **argv)
{
    struct wishes wishes = {0};
    const struct cli_option options[] = {{"--map", &wishes.map, NULL},
                                         {"--commit", &wishes.shown, NULL},
                                         {"--json", NULL, &wishes.json},
                                         {NULL, NULL, NULL}};
    struct cli_files files;
    int status = cli_files_read(&files, argc, argv, options, "a record is missing");
    if (status == CLI_OK && wishes.shown &&
        !es_str_hex(es_str(wishes.shown), wishes.commit, sizeof wishes.commit))
        status = cli_usage(argv[0], "--commit takes 64 lower-case hex digits, not", wishes.shown);
    if (status == CLI_OK)
        status = cli_files_each(&files, verify_one, &wishes);
    cli_files_free(&files);
    return status;
}

const struct cli_command cli_verify = {
    .name = "verify",
    .summary = "check the shuffle of a recorded game",
    .help =
        "verify [--map MAP] [--commit HASH] [--json] RECORD...\n\n"
        "Checks that every card or tile of a record follows from its seed. If the record has\n"
        "a secret, checks first that the seed follows from the secret and the players' words,\n"
        "and that these have the hashes that were shown before the game.\n" CLI_FILES_HELP
            CLI_RECORD_HELP CLI_MAP_HELP
        "  --commit HASH     the commit that you saw before the game: the record must have it,\n"
        "                    and its secret\n" CLI_JSON_HELP,
    .run = run,
};
