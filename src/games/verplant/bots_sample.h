/* Playing a position of verplant on with cards drawn at random: one sample of the searching bots
 * and of the analysis. The cards of a sample are drawn (or set) first, then the others' sheets are
 * played on once, then any number of sheets of one's own are tried with the same cards. */
#ifndef ENDSTATION_SAMPLE_H
#define ENDSTATION_SAMPLE_H

#include "games/verplant/bots.h"
#include "games/verplant/bots_value.h"

enum {
    ES__ROUNDS = 8, /* cards to look ahead, at most */
    ES__WIDEST = 8, /* ways to play on at once, at most */
};

/* The other players in one sample. */
struct es__others {
    float points[ES_PLAYERS_MAX]; /* final points, if nobody else completes their lines first */
    uint8_t round[ES_PLAYERS_MAX][ES_LINES_MAX]; /* in which they complete a line, or 255: never */
    float chance[ES_PLAYERS_MAX][ES_LINES_MAX];  /* to complete it after that */
    uint8_t windows[ES_PLAYERS_MAX];             /* still to fill after the sample's cards */
    int windows_left;                            /* of all of them */
    struct es__race race[ES__ROUNDS + 2];        /* the race before each round */
    uint32_t claimed[ES__ROUNDS + 2];            /* before each round */
};

struct es__sampler {
    const struct es_setup *setup;
    const struct es_verplant_state *view; /* a card is open */
    const struct es__search_level *level;
    int player;
    bool alone;                      /* no other players, or they are ignored */
    uint64_t pile;                   /* after the open card */
    struct es__evaluator *evaluator; /* in the caller's memory */
    /* Whose `stop` ends a sample early. NULL, as es__sampler_init sets it: nothing does. */
    const struct es_thought *thought;
    uint64_t polled; /* evaluations made when `stop` was last polled */
    struct es_random random;
    /* The sample: cards of the rounds to come, and the pile after each; the open card is the
     * first. */
    int cards;
    uint8_t card[ES__ROUNDS + 1];
    uint64_t piles[ES__ROUNDS + 1];
    struct es__others others;
};

void es__sampler_init(struct es__sampler *s, const struct es__search_level *level,
                      const struct es_setup *setup, const struct es_state *view, int player,
                      uint64_t seed, struct es__evaluator *memory);
/* Takes another position of the same game, in which a card is open. */
void es__sampler_move(struct es__sampler *s, const struct es_state *view);
/* Draws the cards of a sample. */
void es__sampler_draw(struct es__sampler *s);
/* Plays the others' sheets on with the sample's cards; does nothing if there are none. Returns
 * false if stopped. */
bool es__sampler_others(struct es__sampler *s);
/* Plays a sheet on through the sample's cards in the best few ways and evaluates the best result:
 * expected final points, and the share of the win (1 if alone). Returns false if stopped. */
bool es__sampler_try(struct es__sampler *s, const struct es_sheet *sheet, float *points,
                     float *win);
/* Does the same without being stopped, and returns the player's share of the win (1 if alone) as
 * the chance to be ahead of each of the others, in proportion to everybody's. (The search compares
 * candidates by the lead over the best of the others, which is quicker, but no share if there are
 * several.) */
float es__sampler_share(struct es__sampler *s, const struct es_sheet *sheet, float *points);

#endif
