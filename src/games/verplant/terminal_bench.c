/* `bench` for verplant: times random games on a fixed sheet. */
#include "cli/bench.h"
#include "games/verplant/terminal.h"
#include <games.h>

int es__verplant_bench(unsigned games, char line[BENCH_LINE_BYTES])
{
    static struct es_map map;
    struct es_fault fault;
    struct es_setup setup;
    char about[128];
    if (bench_setup(&es_verplant, &map, &setup, &fault))
        return cli_fault("bench.map", &fault);
    snprintf(about, sizeof about, "an entry with its card; solo, %d lines, %d stations, %d windows",
             map.lines, map.stations, map.windows);
    return bench_game(&setup, games, about, line);
}
