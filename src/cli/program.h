/* A program that speaks the engine protocol, in a process group of its own. */
#ifndef ENDSTATION_PROGRAM_H
#define ENDSTATION_PROGRAM_H

#include "cli/player.h"

/* As player_ask; starts the program if *program is NULL, and ends it after a failure. */
bool program_ask(struct program **program, const struct seat *seat, const struct cli_game *game,
                 int who, uint32_t seed, bool (*halt)(void *), void *context, es_event *event,
                 char fault[PLAYER_FAULT_BYTES]);
/* Asks it to quit, and sees to it that it does; NULL is fine. */
void program_end(struct program *program);

#endif
