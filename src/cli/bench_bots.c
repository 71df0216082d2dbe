/* `bench --bots` and `bench --analysis`: times the bots' thinking, and the analysis of a game. */
#include "cli/bench.h"
#include <games.h>
#include <inttypes.h>
#include <stdlib.h>

int bench_bots(void)
{
    struct bench_room *room = cli_alloc(sizeof *room);
    printf("a calibration step %.2f ns\n", bench_calibrate());
    printf("iterations a second, the time of each, and what a move takes; signature\n");
    struct bench_bot bot;
    for (int i = 0; (bot = bench_bot_at(i)).name; i++) {
        struct bench_thinking all = bench_think(&bot, bench_now_ns, room);
        printf("%-9s %-11s %8.0f/s %8.2f us %9.2f ms/move %7.0f/move  %016" PRIx64 "\n",
               bot.game->name, bot.name, (double)all.done / all.ns * 1e9,
               all.ns / (double)all.done / 1e3, all.ns / all.moves / 1e6,
               (double)all.done / all.moves, all.signature);
    }
    free(room);
    return cli_flush();
}

int bench_analysis(void)
{
    struct bench_room *room = cli_alloc(sizeof *room);
    for (int i = 0; es_games[i]; i++) {
        struct bench_thinking all = bench_analyse(es_games[i], bench_now_ns, room);
        if (all.done > 0)
            printf("analysis %s nodes %" PRIu64 " ms/node %.2f signature %016" PRIx64 "\n",
                   es_games[i]->name, all.done, all.ns / (double)all.done / 1e6, all.signature);
    }
    free(room);
    return cli_flush();
}
