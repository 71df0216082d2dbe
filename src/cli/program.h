/* A program that speaks the engine protocol, in a process group of its own. */
#ifndef ENDSTATION_PROGRAM_H
#define ENDSTATION_PROGRAM_H

#include "cli/player.h"

/* Sets the variable ENDSTATION for all programs to the path of this program, unless it is set. Call
 * it before there are threads. */
void program_environment(void);
/* player_start() for a program. */
bool program_start(struct player *player, bool (*halt)(void *), void *context,
                   char fault[PLAYER_FAULT_BYTES]);
/* player_ask() for a program. Starts it if it is not running, and ends it after a failure. */
bool program_ask(struct player *player, const struct cli_game *game, int who, uint32_t seed,
                 bool (*halt)(void *), void *context, es_event *event,
                 char fault[PLAYER_FAULT_BYTES]);
/* Asks the player's program to quit, and kills it if it does not. Does nothing without one. */
void program_end(struct player *player);
/* Kills every running program of this process and its children. For signal handlers. */
void program_kill_all(void);

#endif
