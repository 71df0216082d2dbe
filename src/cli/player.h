/* Players of the arena and of `play`: a built-in bot, or a program that speaks the engine protocol.
 * Both get only their player's view.
 *
 * A seat is written
 *
 *     [NAME=]LEVEL[@ms=T][@iterations=N]
 *     [NAME=]exec:COMMAND[@ms=T][@iterations=N][@level=LEVEL]
 *
 * There is a name if an = comes before the first : and the first @, so commands may contain all
 * three. */
#ifndef ENDSTATION_PLAYER_H
#define ENDSTATION_PLAYER_H

#include "cli/cli.h"
#include "cli/wire.h"
#include <endstation/bots.h>

enum {
    SEAT_BYTES = 1024,
    SEAT_NAME_BYTES = 33, /* up to 32 letters, digits, '.', '_' and '-' */
    PLAYER_FAULT_BYTES = 400,
    PLAYER_MS_MAX = 3600000
};
#define PLAYER_COUNT_MAX 4294967295u /* of iterations and seeds */

struct seat {
    char spec[SEAT_BYTES];      /* all of it, as written */
    char name[SEAT_NAME_BYTES]; /* of its own; empty: none */
    char command[SEAT_BYTES];   /* empty for bots */
    struct es_bot bot;          /* for programs: the level they are asked to play at */
    unsigned ms, iterations;    /* 0: no limit of this kind; programs always have one */
    unsigned grace;             /* milliseconds that a program may take longer; 0: the default */
};

/* Default limits of all seats; 0: not given. */
struct seat_limits {
    unsigned ms, iterations, grace;
};

/* Reads a seat; prints errors. */
int seat_read(const char *command, const struct es_game *game, struct es_str text,
              const struct seat_limits *limits, struct seat *seat);
/* Returns what to call a seat in results and messages: its own name, or all of it as written. */
const char *seat_label(const struct seat *seat);
/* Writes level (`exec` for a program) and name of a seat for records. Without a name of its own it
 * is called by its command or, if it has limits, as it is written; a level alone has no name. Names
 * are cut to ES_NAME_CHARS. */
void seat_sign(const struct seat *seat, char level[ES_LEVEL_BYTES], char name[ES_NAME_BYTES]);

/* ---- Thinking ------------------------------------------------------------------------------ */

/* Returns the seed of a bot's thinking about one move: independent of the cards, and different in
 * each game (`turn`) with the same cards. */
uint32_t player_seed(const uint8_t seed[ES_SEED_BYTES], int seat, unsigned turn, size_t move);
/* Lets a bot think about what the player may see. `thought` brings seed and iterations; `halt` may
 * end it early. */
es_event player_think(const struct es_bot *bot, const struct cli_game *game, int player,
                      unsigned ms, bool (*halt)(void *), void *context, struct es_thought *thought);

/* ---- Playing ------------------------------------------------------------------------------- */

struct program;

/* A player in a seat. Programs are started by player_start() or the first question, and again after
 * a failure. */
struct player {
    const struct seat *seat;
    struct program *program; /* NULL: not running */
    FILE *log;               /* gets the dialogue with the program; may be NULL */
};

/* Starts the player's program, if it is one, and waits for its first line. Returns false with the
 * reason if that does not come; an empty reason: halted. */
bool player_start(struct player *player, bool (*halt)(void *), void *context,
                  char fault[PLAYER_FAULT_BYTES]);
/* Prints that a program could not be started; returns CLI_NOT_STARTED. */
int player_not_started(const char *command, int seat, const struct player *player,
                       const char *fault);

/* Gets the move of a player who is to act. If there is no legal one, returns false with the reason,
 * and the program has been ended. An empty reason: halted. */
bool player_ask(struct player *player, const struct cli_game *game, int who, uint32_t seed,
                bool (*halt)(void *), void *context, es_event *event,
                char fault[PLAYER_FAULT_BYTES]);
/* Ends the player's program, if it has one. */
void player_leave(struct player *player);

#endif
