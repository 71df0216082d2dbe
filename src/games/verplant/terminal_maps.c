/* `endstation maps`: the built-in sheets, and reports on any sheet. */
#include "games/verplant/terminal.h"
#include <stdlib.h>

static int list(void)
{
    static struct es_map map;
    printf("%-12s %-20s %8s %6s %8s %6s %8s  %s\n", "id", "title", "stations", "lines", "windows",
           "rings", "special", "hash");
    for (int i = 0; es_builtin_maps[i].id; i++) {
        struct es_fault fault;
        if (es_map_read(&map, es_builtin_maps[i].text, &fault))
            return cli_fault(es_builtin_maps[i].id, &fault);
        int rings = 0, special = 0;
        for (int l = 0; l < map.lines; l++)
            rings += map.line[l].ring;
        for (int s = 0; s < map.stations; s++)
            special += map.station[s].special;
        printf("%-12s %-20s %8d %6d %8d %6d %8d  %s\n", map.id, map.title, map.stations, map.lines,
               map.windows, rings, special, map.hash);
    }
    return cli_flush();
}

static int run(int argc, char **argv)
{
    bool check = false;
    const char *name = NULL, *games_text = NULL;
    unsigned games = 2000;
    const struct cli_option options[] = {
        {"--check", NULL, &check}, {"--games", &games_text, NULL}, {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, &name, 1);
    if (status == CLI_OK && games_text)
        status = cli_number(argv[0], "--games", games_text, 1, 1000000, &games);
    if (status)
        return status;
    if ((check && !name) || (games_text && !check))
        return cli_usage(argv[0], check ? "--check needs a MAP" : "--games needs --check", NULL);
    if (!name)
        return list();
    if (check)
        return es__verplant_check_map(name, (int)games);
    struct es_str built_in = es_builtin_map(es_str(name));
    if (built_in.size > 0) {
        fwrite(built_in.at, 1, built_in.size, stdout);
        return cli_flush();
    }
    struct es_map *map = cli_alloc(sizeof *map);
    char *text = cli_alloc(ES_MAP_TEXT_BYTES);
    struct es_out out = {text, ES_MAP_TEXT_BYTES, 0};
    status = cli_read_map(name, map);
    if (status == CLI_OK) {
        es_map_write(map, &out);
        fwrite(text, 1, out.used, stdout);
        status = cli_flush();
    }
    free(map);
    free(text);
    return status;
}

const struct cli_command es__cli_maps = {
    .name = "maps",
    .summary = "list the built-in sheets, print one, or check a new one",
    .help =
        "maps [MAP]\n"
        "       endstation maps --check MAP [--games N]\n\n"
        "Lists the built-in sheets. With MAP, a built-in id, prints that sheet's .map file, to\n"
        "be changed; with a .map file, checks it and prints it in a uniform layout. The hash\n"
        "names the content of a sheet: records tell versions of one sheet apart by it.\n\n"
        "--check reports what a sheet is worth: as a game, from N (2000) games of two simple\n"
        "players, and as a picture, where things lie on each other. What is out of the ordinary\n"
        "for a sheet of full size is listed at the end.\n",
    .run = run,
};
