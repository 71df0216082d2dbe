/* `endstation maps`: the built-in sheets, and reports on any sheet. */
#include "games/verplant/table.h"
#include "games/verplant/terminal.h"
#include <stdlib.h>

static void write_map(struct es__writer *w, const void *context)
{
    const struct es_map *map = context;
    es__verplant_map_facts(w, map, cli_is_built_in(map));
}

static int list(bool json)
{
    static struct es_map map;
    int status = CLI_OK;
    if (!json)
        printf("%-12s %-20s %8s %6s %8s %6s %8s  %s\n", "id", "title", "stations", "lines",
               "windows", "rings", "special", "hash");
    for (int i = 0; es_builtin_maps[i].id && status == CLI_OK; i++) {
        struct es_fault fault;
        if (es_map_read(&map, es_builtin_maps[i].text, &fault))
            return cli_fault(es_builtin_maps[i].id, &fault);
        if (json) {
            status = cli_print_json(NULL, write_map, &map);
            continue;
        }
        int rings = 0, special = 0;
        for (int l = 0; l < map.lines; l++)
            rings += map.line[l].ring;
        for (int s = 0; s < map.stations; s++)
            special += map.station[s].special;
        printf("%-12s %-20s %8d %6d %8d %6d %8d  %s\n", map.id, map.title, map.stations, map.lines,
               map.windows, rings, special, map.hash);
    }
    return status ? status : cli_flush();
}

/* What is asked for. */
struct wishes {
    const char *games_text;
    unsigned games;
    bool check, json;
};

/* Prints a sheet as a .map file: a built-in one as it is, others in a uniform layout. */
static int print_map(struct cli_files *files, const char *name, const struct es_map *map)
{
    struct es_str text = es_builtin_map(es_str(name));
    char *uniform = cli_alloc(ES_MAP_TEXT_BYTES);
    struct es_out out = {uniform, ES_MAP_TEXT_BYTES, 0};
    if (text.size == 0) {
        es_map_write(map, &out);
        text = (struct es_str){uniform, out.used};
    }
    cli_head(files, name);
    fwrite(text.at, 1, text.size, stdout);
    free(uniform);
    return cli_flush();
}

static int one_map(struct cli_files *files, const char *name, void *context)
{
    const struct wishes *wishes = context;
    struct es_map *map = cli_alloc(sizeof *map);
    int status = cli_read_map(name, map);
    if (status == CLI_OK && wishes->json)
        status = cli_print_json(name, write_map, map);
    else if (status == CLI_OK && wishes->check)
        status = es__verplant_check_map(files, name, map, (int)wishes->games);
    else if (status == CLI_OK)
        status = print_map(files, name, map);
    free(map);
    return status;
}

static int run(int argc, char **argv)
{
    struct wishes wishes = {.games = 2000};
    const struct cli_option options[] = {{"--check", NULL, &wishes.check},
                                         {"--games", &wishes.games_text, NULL},
                                         {"--json", NULL, &wishes.json},
                                         {NULL, NULL, NULL}};
    struct cli_files files;
    int status = cli_files_read(&files, argc, argv, options, NULL);
    if (status == CLI_OK && wishes.games_text)
        status = cli_number(argv[0], "--games", wishes.games_text, 1, 1000000, &wishes.games);
    if (status == CLI_OK && wishes.check && files.count == 0)
        status = cli_usage(argv[0], "--check needs a MAP", NULL);
    if (status == CLI_OK && wishes.games_text && !wishes.check)
        status = cli_usage(argv[0], "--games needs --check", NULL);
    if (status == CLI_OK && wishes.check && wishes.json)
        status = cli_usage(argv[0], "--check and --json cannot be combined", NULL);
    if (status == CLI_OK && files.count == 0)
        status = list(wishes.json);
    else if (status == CLI_OK)
        status = cli_files_each(&files, one_map, &wishes);
    cli_files_free(&files);
    return status;
}

const struct cli_command es__cli_maps = {
    .name = "maps",
    .summary = "list the built-in sheets, print one, or check a new one",
    .help =
        "maps [--json] [MAP...]\n"
        "       endstation maps --check [--games N] MAP...\n\n"
        "Lists the built-in sheets. With MAP, a built-in id, prints that sheet's .map file, to\n"
        "be changed; with a .map file, checks it and prints it in a uniform layout. The hash\n"
        "names the content of a sheet: records tell versions of one sheet apart by it.\n\n"
        "--check reports how good a sheet is: as a game, from N games of two simple players,\n"
        "and as a picture, where things overlap. Anything unusual for a full-size sheet is\n"
        "listed at the end.\n\n"
        "  MAP               a .map file, or the id of a built-in sheet; - reads standard input\n"
        "  --check           print this report instead\n"
        "  --games N         the number of games for --check (default 2000)\n" CLI_JSON_HELP,
    .run = run,
};
