/* Reference implementation of verplant for differential tests: plain arrays and loops. It takes
 * only the map and the deck from the engine, and is compared with it throughout the random
 * simulation. */
#ifndef ENDSTATION_MODEL_H
#define ENDSTATION_MODEL_H

#include <endstation/game.h>
#include <endstation/map.h>

struct model {
    const struct es_map *map;
    int players;
    bool special;
    int deck[60], deck_size, gone[60]; /* gone: revealed since the last shuffle */
    int round, card;                   /* card: -1 for none */
    struct model_sheet {
        char mark[128]; /* 0, 'x', or the framed number */
        int window[26][8], filled[26];
        int owed;
        int done[26]; /* points won, -1 for none */
    } sheet[6];
};

void model_start(struct model *m, const struct es_setup *setup);
/* Applies a legal event, given as text. */
void model_apply(struct model *m, const char *event);
/* Writes the report, as `replay` prints it. */
void model_report(const struct model *m, struct es_out *out);
/* Returns how many legal events a player (1 …) or chance (0) has. */
int model_choices(const struct model *m, int who);

/* Returns how many copies of a card, given as text, are in the pile. */
int model_copies(const struct model *m, const char *card);

#endif
