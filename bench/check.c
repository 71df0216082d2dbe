/* A module of WebAssembly for tests alone: the games of `bench`, whose signatures must come out as
 * they do in the program. */
#include "games.h"
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

static struct es_map map;
static es_event events[2 * ES_EVENTS_MAX];

/* The signature of so many random games; 0 if the two ways to play them differ. */
static uint64_t both(const struct es_setup *setup, bench_play *search, bench_play *interface,
                     unsigned games)
{
    struct bench_result bare = bench_play_games(setup, search, games);
    struct bench_result game = bench_play_games(setup, interface, games);
    return memcmp(&bare, &game, sizeof bare) == 0 ? bare.signature : 0;
}

EXPORT(verplant) uint64_t verplant(unsigned games)
{
    struct es_setup setup;
    struct es_fault fault;
    if (bench_verplant_setup(&map, &setup, &fault))
        return 0;
    return both(&setup, bench_verplant_sheet, bench_verplant_game, games);
}

EXPORT(metro) uint64_t metro(unsigned games)
{
    struct es_setup setup;
    if (bench_metro_setup(&setup))
        return 0;
    return both(&setup, bench_metro_board, bench_metro_game, games);
}

/* The game and the name of a bot of the bench, as zero-ended texts; NULL behind the last. */
EXPORT(bot_game) const char *bot_game(int i)
{
    return bench_bot_list[i].game ? bench_bot_list[i].game->name : NULL;
}

EXPORT(bot_name) const char *bot_name(int i)
{
    return bench_bot_list[i].name;
}

/* The signature of its game, and how many moves that took. */
static unsigned moves_made;

EXPORT(bot) uint64_t bot(int i)
{
    struct bench_thinking all = bench_think(&bench_bot_list[i], NULL, &map, events);
    moves_made = all.moves;
    return all.signature;
}

EXPORT(moves) unsigned moves(void)
{
    return moves_made;
}
