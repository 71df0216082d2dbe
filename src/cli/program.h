/* A program that speaks the engine protocol, in a process group of its own. */
#ifndef ENDSTATION_PROGRAM_H
#define ENDSTATION_PROGRAM_H

#include "cli/player.h"

/* player_ask() for a program. Starts it if *program is NULL, and ends it after a failure. */
bool program_ask(struct program **program, const struct seat *seat, const struct cli_game *game,
                 int who, uint32_t seed, bool (*halt)(void *), void *context, es_event *event,
                 char fault[PLAYER_FAULT_BYTES]);
/* Asks the program to quit, and kills it if it does not; NULL is allowed. */
void program_end(struct program *program);

#endif
