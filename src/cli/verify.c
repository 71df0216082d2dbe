/* The command `verify`: checks that the cards or tiles of a record follow from its seed, and the
 * seed from what was shown before the game. */
#include "cli/cli.h"
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
            printf("the word of player %d (%s) is missing\n", p + 1, label[p]);
        else
            printf("the word of player %d is missing\n", p + 1);
    }
}

static int verify(const struct cli_game *game, const char *path, struct es_str text,
                  const uint8_t *commit)
{
    struct es_state scratch;
    struct es_fair_facts facts;
    struct es_fault fault;
    if (es_fair_verify(&game->record, text, commit, &scratch, &facts, &fault))
        return cli_fault(path, &fault);
    if (facts.proved) {
        puts("commit, words and seed fit");
        print_missing(&game->record, facts.missing);
    }
    printf("verified %zu of %zu chance events from the seed\n", facts.chances, facts.chances);
    return cli_flush();
}

static int run(int argc, char **argv)
{
    const char *map = NULL, *shown = NULL, *path = NULL;
    const struct cli_option options[] = {
        {"--map", &map, NULL}, {"--commit", &shown, NULL}, {NULL, NULL, NULL}};
    uint8_t commit[ES_FAIR_BYTES];
    int status = cli_options(argc, argv, options, &path, 1);
    if (status)
        return status;
    if (!path)
        return cli_usage(argv[0], "a record is missing", NULL);
    if (shown && !es_str_hex(es_str(shown), commit, sizeof commit))
        return cli_usage(argv[0], "--commit takes 64 lower-case hex digits, not", shown);
    struct cli_game game;
    struct es_str text;
    status = cli_game_read_text(&game, argv[0], path, map, &text);
    if (status == CLI_OK)
        status = verify(&game, path, text, shown ? commit : NULL);
    free((void *)text.at);
    cli_game_free(&game);
    return status;
}

const struct cli_command cli_verify = {
    .name = "verify",
    .summary = "check the shuffle of a recorded game",
    .help = "verify [--map MAP] [--commit HASH] RECORD\n\n"
            "Checks that every card or tile of a record follows from its seed. If the record has\n"
            "a secret, checks first that the seed follows from the secret and the players' words,\n"
            "and that these have the hashes that were shown before the game.\n\n"
            "  RECORD         a .record file; - reads standard input\n"
            "  --map MAP      the record's sheet: a .map file, or the id of a built-in sheet\n"
            "  --commit HASH  the commit that you saw before the game: the record must have it,\n"
            "                 and its secret\n",
    .run = run,
};
