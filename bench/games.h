/* The fixed games whose hashes are the signatures of `bench`: no clock and no I/O, so that the
 * program and the WebAssembly module for tests play the same games. */
#ifndef ENDSTATION_BENCH_GAMES_H
#define ENDSTATION_BENCH_GAMES_H

#include <endstation/analysis.h>
#include <endstation/bots.h>
#include <endstation/map.h>

/* The sheet of the bench, made from bench.map; the only one in the list. */
extern const struct es_builtin_map bench_maps[];

/* ---- Random games -------------------------------------------------------------------------- */

struct bench_result {
    uint64_t events, moves, signature; /* moves: events of players */
    uint64_t choices, points;          /* choices listed in all; final points of all players */
};

/* Separate streams for cards and choices, so that cards can be drawn in advance. */
struct bench_streams {
    struct es_random cards, choices;
};

/* Plays one game and adds it to `result`, on bare sheets or boards as search does, or through the
 * interface that all games have. */
typedef void bench_play(const struct es_setup *setup, struct bench_streams *random,
                        struct bench_result *result);

/* The two ways to play a game, which must give the same result, and the bots whose thinking is
 * timed. */
struct bench_ways {
    const struct es_game *game;
    bench_play *search; /* NULL: the game is searched through the interface */
    bench_play *interface;
    const char *const *bots; /* their names, up to NULL */
};
/* The entries of games that have a bench.c, listed by the build; NULL at the end. */
extern const struct bench_ways *const bench_ways[];
/* Returns the entry of a game, or the defaults. */
const struct bench_ways *bench_ways_of(const struct es_game *game);

/* Returns the signature so far with one more event. */
static inline uint64_t bench_hash(uint64_t hash, es_event event)
{
    return (hash ^ event) * 0x9e3779b97f4a7c15;
}

/* Fills in the setup: as few players as possible, on the bench's sheet (which is read into `map`)
 * if the game has sheets. */
es_status bench_setup(const struct es_game *game, struct es_map *map, struct es_setup *setup,
                      struct es_fault *fault);

/* Plays N games, from the same seeds every time. */
struct bench_result bench_play_games(const struct es_setup *setup, bench_play *play,
                                     unsigned games);

/* ---- Thinking ------------------------------------------------------------------------------ */

/* A bot whose thinking is timed. */
struct bench_bot {
    const struct es_game *game;
    const char *name;
};
/* Returns the i-th bot of all games, counted from 0; its name is NULL after the last. */
struct bench_bot bench_bot_at(int i);

/* Scratch memory. */
struct bench_room {
    struct es_map map;
    es_event events[ES_EVENTS_MAX], seen[ES_EVENTS_MAX];
    _Alignas(16) char memory[1 << 18]; /* of bots and the analysis */
};

struct bench_thinking {
    uint64_t done, signature;
    size_t events; /* of the game */
    unsigned moves;
    double ns;
};

/* Plays one game from a fixed seed with the bot in every seat and as few players as possible
 * (on the sheet of Amsterdam, if the game has sheets). Every move has the level's default
 * iterations, so the moves are the same everywhere. `now` returns the time in nanoseconds, or is
 * NULL. */
struct bench_thinking bench_think(const struct bench_bot *bot, double (*now)(void),
                                  struct bench_room *room);

/* ---- Analysis ------------------------------------------------------------------------------ */

/* Plays one game from a fixed seed with the bot `greedy` as bench_think does, and evaluates every
 * eighth node of it for player 1: `done` nodes, whose results as text have the signature. Nothing
 * is done for games that cannot be analysed. */
struct bench_thinking bench_analyse(const struct es_game *game, double (*now)(void),
                                    struct bench_room *room);

#endif
