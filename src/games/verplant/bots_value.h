/* Static evaluation for verplant: a small neural network that predicts the points a sheet will
 * still gain.
 *
 * It was trained by self-play on random sheets (training/) and uses only features that every sheet
 * has, so it can evaluate sheets it was not trained on: for each line the empty stations and their
 * runs, free windows and points, the other lines that call there; and the cards in the pile.
 *
 *     line A: features -> hidden --+-- chance to be completed x points --+
 *     line B: features -> hidden --+-- ...                               +-- points to come
 *     ...        (same weights)    +-- sum -> hidden, with the globals --+
 *
 * Search evaluates millions of sheets that differ in a line or two. What depends on one line alone
 * (its empty stations and free windows) or on the pile alone is therefore cached; only the features
 * between lines are computed each time.
 *
 * Float arithmetic in a fixed order without library functions, so that results are the same on
 * every machine.
 */
#ifndef ENDSTATION_VALUE_H
#define ENDSTATION_VALUE_H

#include "core/exact.h"
#include <endstation/verplant.h>

enum {
    ES__LOCAL = 24, /* features of a line alone */
    ES__CROSS = 15, /* of a line among the others, and in the race */
    ES__PILE = 12,  /* of the pile and the rules */
    ES__SHEET = 9,  /* of the whole sheet */
    ES__HIDDEN = 48,
    ES__HEAD = 48,
    ES__REACH_WINDOWS = 4,
    ES__REACH_PLACES = 64,
    ES__LINE_MEMOS = 512, /* a power of 2, divided equally among the lines */
    ES__PILE_MEMOS = 32,
};

struct es__net {
    float local[ES__LOCAL][ES__HIDDEN], cross[ES__CROSS][ES__HIDDEN];
    float pile[ES__PILE][ES__HIDDEN], sheet[ES__SHEET][ES__HIDDEN], bias[ES__HIDDEN];
    float line[ES__HIDDEN], line_bias; /* weights of the chance to complete a line */
    float head_pool[ES__HIDDEN][ES__HEAD], head_pile[ES__PILE][ES__HEAD];
    float head_sheet[ES__SHEET][ES__HEAD], head_bias[ES__HEAD];
    float out[ES__HEAD], out_bias;
    /* Counted, not trained: how often the free windows of a line reach a station, by its distance
     * (see es__reach_place). */
    float reach[ES__REACH_WINDOWS][ES__REACH_PLACES];
};

/* Cached features of one line: its empty stations and their distance from the wagon, and the
 * network's first layer for them. */
struct es__line_memo {
    uint64_t open;
    uint8_t line, windows;                 /* windows + 1; 0: not used */
    uint8_t count, first_calls, run, runs; /* of empty stations: the first, and how many */
    uint8_t station[ES_STOPS_MAX], place[ES_STOPS_MAX];
    float hidden[ES__HIDDEN];
};

struct es__pile_memo {
    uint64_t pile;
    float transfers; /* in the pile */
    /* [n], n up to 8: the probability that the next card is a number of at least n; the mean number
     * of marks it makes where n stations are empty in a row. */
    float likely[9], marks[9];
    float hidden[ES__HIDDEN], head[ES__HEAD];
};

/* For each line: the points for completing it now, what is lost if another player is first, and how
 * near the nearest other player is. */
struct es__race {
    float points[ES_LINES_MAX], gap[ES_LINES_MAX], rival[ES_LINES_MAX];
};

/* The evaluator of one game, with its caches. Filled in by es__evaluator_init; callers may change
 * `race` between evaluations, nothing else. */
struct es__evaluator {
    const struct es_setup *setup;
    const struct es__net *net;
    bool special;         /* the rule */
    uint64_t evaluations; /* made so far: the work of a thought, whatever the sheet */
    struct es__race race;
    /* Set by each evaluation: the chance of each open line to be completed. */
    float chance[ES_LINES_MAX];
    /* The probability that a line's windows miss a station, and its inverse. */
    float miss[ES__REACH_WINDOWS + 1][ES__REACH_PLACES];
    float inverse_miss[ES__REACH_WINDOWS + 1][ES__REACH_PLACES];
    uint32_t line_memos; /* for each line, a power of 2 */
    struct es__line_memo line[ES__LINE_MEMOS];
    struct es__pile_memo pile[ES__PILE_MEMOS];
};

/* The inputs of the network, for training. */
struct es__features {
    int lines;
    uint8_t line[ES_LINES_MAX];
    float points[ES_LINES_MAX];
    float local[ES_LINES_MAX][ES__LOCAL], cross[ES_LINES_MAX][ES__CROSS];
    float pile[ES__PILE], sheet[ES__SHEET];
};

void es__evaluator_init(struct es__evaluator *evaluator, const struct es_setup *setup,
                        const struct es__net *net);
/* Computes the race for the lines for a player, from the claimed lines and the others' sheets. */
void es__race(const struct es_setup *setup, const struct es_sheet *sheets, int player,
              uint32_t claimed, struct es__race *race);

/* Returns the points still to come, penalties included, without those already on the sheet (points,
 * framed numbers). `pile` is the one that the next card comes from; sheet->owed entries are still
 * to be made with `card` before that. */
float es__evaluate(struct es__evaluator *evaluator, const struct es_sheet *sheet, uint64_t pile,
                   int card);

/* Returns the expected final points: es__evaluate plus the points on the sheet, with those of lines
 * completed in this round. */
float es__evaluate_total(struct es__evaluator *evaluator, const struct es_sheet *sheet,
                         uint64_t pile, int card);

/* Lists the best stations for a free ride, at least one choice; returns their number. */
enum { ES__RIDES = 6 };
size_t es__good_rides(const struct es__evaluator *evaluator, const struct es_sheet *sheet,
                      es_choice choices[ES__RIDES]);

/* Returns the index in the reach table of an empty station that has `before` empty stations and
 * `gaps` gaps before it. */
static inline int es__reach_place(int before, int gaps)
{
    int place = 2 * before + 3 * gaps;
    return place < ES__REACH_PLACES ? place : ES__REACH_PLACES - 1;
}

void es__features(struct es__evaluator *evaluator, const struct es_sheet *sheet, uint64_t pile,
                  int card, struct es__features *features);

union es__numbers {
    float number[sizeof(struct es__net) / sizeof(float)];
    struct es__net net;
};
extern const union es__numbers es__trained;

#endif
