/* Reference implementation of metro for differential tests: the board as text, lines walked square
 * by square. It shares no tables or rules with the engine, keeps no score between events, and is
 * compared with it throughout the random simulation. */
#ifndef ENDSTATION_METRO_MODEL_H
#define ENDSTATION_METRO_MODEL_H

#include <endstation/game.h>

/* Tiles are their four letters, "?" for one that a view hides, "" for none. Rows and columns count
 * from 0, from the top and the left. */
struct metro_model {
    int players, hand_size;
    bool rotate;
    char board[8][8][5]; /* as the tile lies, already turned */
    char name[8][8][5];  /* the same tile as it was called in the hand */
    char hand[6][3][5];
    int held[6];   /* how many tiles a hand holds */
    char drawn[5]; /* the tile that must be laid now */
    int stock;     /* how many tiles are left, known or not */
    int turn;      /* the player (1 …) whose turn it is, once the hands are dealt */
    int due;       /* the player (1 …) to whom a tile must be dealt now, 0 for none */
    bool drawing;  /* that tile is drawn, not a refill of the hand */
};

void metro_model_start(struct metro_model *m, const struct es_setup *setup);
/* Applies a legal event, given as text. */
void metro_model_apply(struct metro_model *m, const char *event);
/* Writes the report, as `replay` prints it. */
void metro_model_report(const struct metro_model *m, struct es_out *out);
/* Lists every legal event of a player (1 …) or chance (0) as text, sorted by byte value, each once,
 * as `moves` prints them. Returns their number, at most 800. */
int metro_model_list(const struct metro_model *m, int who, char list[][16]);
/* Walks a station's line from its departure track. Returns 0 while it is open, 1 if it ends at the
 * edge, 2 in the centre. `tiles` becomes the number of crossings so far. */
int metro_model_trace(const struct metro_model *m, int station, int *tiles);
/* Returns how many copies of a tile are in the stock or, in a view, unknown in a hand. */
int metro_model_copies(const struct metro_model *m, const char *tile);

#endif
