/* A WebAssembly module for tests only: the games of `bench`, whose signatures must be those of the
 * program. */
#include "games.h"
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name)))

static struct bench_room room;

/* Returns the name of a game as a C string; NULL after the last. */
EXPORT(game_name) const char *game_name(int i)
{
    return es_games[i] ? es_games[i]->name : NULL;
}

/* Returns the signature of N random games; 0 if the two ways to play them differ. */
EXPORT(signature) uint64_t signature(int i, unsigned games)
{
    const struct bench_ways *ways = bench_ways_of(es_games[i]);
    struct es_setup setup;
    struct es_fault fault;
    if (bench_setup(es_games[i], &room.map, &setup, &fault))
        return 0;
    struct bench_result game = bench_play_games(&setup, ways->interface, games);
    if (!ways->search)
        return game.signature;
    struct bench_result bare = bench_play_games(&setup, ways->search, games);
    return memcmp(&bare, &game, sizeof bare) == 0 ? bare.signature : 0;
}

/* Returns the name of the game of the bench's i-th bot as a C string; NULL after the last. */
EXPORT(bot_game) const char *bot_game(int i)
{
    const struct es_game *game = bench_bot_at(i).game;
    return game ? game->name : NULL;
}

/* Returns the name of the bench's i-th bot; NULL after the last. */
EXPORT(bot_name) const char *bot_name(int i)
{
    return bench_bot_at(i).name;
}

static unsigned moves_made;

/* Returns the signature of the i-th bot's game; moves() then returns the number of its moves. */
EXPORT(bot) uint64_t bot(int i)
{
    struct bench_bot bot = bench_bot_at(i);
    struct bench_thinking all = bench_think(&bot, NULL, &room);
    moves_made = all.moves;
    return all.signature;
}

EXPORT(moves) unsigned moves(void)
{
    return moves_made;
}

/* Returns the signature of the analysis of a game; 0 if it has none. */
EXPORT(analysis) uint64_t analysis(int i)
{
    return bench_analyse(es_games[i], NULL, &room).signature;
}
