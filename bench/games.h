/* The fixed games whose hashes are the signatures of `bench`: no clock and no I/O, so that the
 * program and the WebAssembly module for tests play the same games. */
#ifndef ENDSTATION_BENCH_GAMES_H
#define ENDSTATION_BENCH_GAMES_H

#include <endstation/bots.h>
#include <endstation/map.h>

/* The sheet of the bench, made from bench.map; the list has no more. */
extern const struct es_builtin_map bench_maps[];

/* ---- Random games -------------------------------------------------------------------------- */

struct bench_result {
    uint64_t events, moves, signature; /* moves: events of players */
    uint64_t choices, points;          /* listed for all moves; of all players in the end */
};

/* Cards and choices come from separate streams, so that cards can be drawn in advance. */
struct bench_streams {
    struct es_random cards, choices;
};

/* One game, as search plays it or through the interface that all games have. */
typedef void bench_play(const struct es_setup *setup, struct bench_streams *random,
                        struct bench_result *result);

/* The two ways to play a game; both must give the same result. */
struct bench_ways {
    const struct es_game *game;
    bench_play *search; /* NULL: the game is searched through the interface */
    bench_play *interface;
};
/* Returns those of a game, or the defaults. */
const struct bench_ways *bench_ways_of(const struct es_game *game);

/* The setup: as few players as there can be, on the bench's sheet (which is read into `map`) where
 * the game has sheets. */
es_status bench_setup(const struct es_game *game, struct es_map *map, struct es_setup *setup,
                      struct es_fault *fault);

/* Plays N games, from the same seeds every time. */
struct bench_result bench_play_games(const struct es_setup *setup, bench_play *play,
                                     unsigned games);
/* Writes all tiles in a random order. */
void bench_shuffle_tiles(struct es_random *random, uint8_t *order);

/* ---- Thinking ------------------------------------------------------------------------------ */

/* The bots whose thinking is timed; the list ends with NULL. */
struct bench_bot {
    const struct es_game *game;
    const char *name;
};
extern const struct bench_bot bench_bot_list[];

struct bench_thinking {
    uint64_t done, signature;
    unsigned moves;
    double ns;
};

/* One game from a fixed seed in which all seats are the bot's, solo on Amsterdam or a game of two,
 * every move with the level's default iterations: the moves are the same everywhere.
 * `now` tells the time in nanoseconds, or is NULL; `map` and `events` (twice ES_EVENTS_MAX) are
 * scratch. */
struct bench_thinking bench_think(const struct bench_bot *bot, double (*now)(void),
                                  struct es_map *map, es_event *events);

#endif
