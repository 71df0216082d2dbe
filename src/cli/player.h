/* Who plays: a bot of ours, or a program that speaks the engine protocol. Both are given views.
 *
 * A seat is written
 *
 *     LEVEL[@ms=T][@iterations=N]
 *     exec:COMMAND[@ms=T][@iterations=N][@level=LEVEL]
 */
#ifndef ENDSTATION_PLAYER_H
#define ENDSTATION_PLAYER_H

#include "cli/cli.h"
#include "cli/wire.h"
#include <endstation/bots.h>

enum { SEAT_BYTES = 1024, PLAYER_FAULT_BYTES = 400, PLAYER_MS_MAX = 3600000 };
#define PLAYER_COUNT_MAX 4294967295u /* of iterations and seeds */

struct seat {
    char spec[SEAT_BYTES];
    char command[SEAT_BYTES]; /* empty for bots */
    struct es_bot bot;        /* for programs: what they are asked to play like */
    unsigned ms, iterations;  /* 0: no limit of this kind; one of them is there for programs */
    unsigned grace;           /* milliseconds that a program may take longer; 0: as usual */
};

/* What all seats have unless they say otherwise; 0: not given. */
struct seat_limits {
    unsigned ms, iterations, grace;
};

/* Reads a seat; what is wrong is said. */
int seat_read(const char *command, const struct es_game *game, struct es_str text,
              const struct seat_limits *limits, struct seat *seat);
/* What a record says of it: the level and, if the seat has limits of its own, the spec as its name;
 * for a program `exec` and its command. Names are cut to ES_NAME_CHARS. */
void seat_sign(const struct seat *seat, char level[ES_LEVEL_BYTES], char name[ES_NAME_BYTES]);

/* ---- Thinking ------------------------------------------------------------------------------ */

/* The seed of a player's thinking about one move: not that of the cards, and another in each game
 * (`turn`) that has the same cards. */
uint32_t player_seed(const uint8_t seed[ES_SEED_BYTES], int seat, unsigned turn, size_t move);
/* Lets a bot think about what the player may see. `thought` brings seed and iterations; `halt` may
 * end it early. */
es_event player_think(const struct es_bot *bot, const struct cli_game *game, int player,
                      unsigned ms, bool (*halt)(void *), void *context, struct es_thought *thought);

/* ---- Playing ------------------------------------------------------------------------------- */

struct program;

/* Somebody in a seat. Programs are started when they are asked first, and again after a failure. */
struct player {
    const struct seat *seat;
    struct program *program;
};

/* The move of a player who is to act. False with the reason if there is none that is legal; the
 * program is then dead. An empty reason: halted. */
bool player_ask(struct player *player, const struct cli_game *game, int who, uint32_t seed,
                bool (*halt)(void *), void *context, es_event *event,
                char fault[PLAYER_FAULT_BYTES]);
/* Lets a program go. */
void player_leave(struct player *player);

/* Complains about a level that the game does not have, and lists those that it has; returns
 * CLI_BAD_USAGE. */
int cli_no_such_level(const char *command, const struct es_game *game, struct es_str level);

#endif
