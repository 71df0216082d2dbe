/* A game in the terminal: play.c asks and saves, a face for each game shows and explains. */
#ifndef ENDSTATION_PLAY_H
#define ENDSTATION_PLAY_H

#include "cli.h"

struct play_face {
    const struct es_game *game;
    /* What a player may see: the sheet or board, what is due, and what each choice would do.
     * `made`: how many entries this player has made since the last card. */
    void (*show)(const struct es_record *record, const struct es_state *view, int player, int made);
    /* What happened from one state to the next, in words, after all could see it. */
    void (*tell)(const struct es_record *record, const struct es_state *before,
                 const struct es_state *after, const es_event *events, size_t count);
    /* The end: sums, winners. */
    void (*finish)(const struct es_record *record, const struct es_state *state);
    /* A command of this game alone; false if it knows none of that name. */
    bool (*command)(const struct es_record *record, const struct es_state *view, int player,
                    const char *words);
    /* Why an entry was refused. */
    void (*refuse)(const struct es_record *record, const struct es_state *view, int player,
                   const char *words, enum es_status status);
    void (*help)(const struct es_record *record);
};

extern const struct play_face play_verplant;

/* The player's name, or "Player 2". */
const char *play_name(const struct es_record *record, int player);

#endif
