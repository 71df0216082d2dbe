/* What a sheet is worth: the points that are still to come, judged at a glance.
 *
 * The judge is a small network, trained by self-play on random sheets (training/). It has never
 * seen the sheet it judges, so it looks at nothing but what every sheet has: for each line how
 * many stations are empty and in which runs, its free windows and points, who else calls at its
 * stations; and what the pile still holds.
 *
 *     line A: features -> hidden --+-- chance to be completed x points --+
 *     line B: features -> hidden --+-- ...                               +-- points to come
 *     ...        (same weights)    +-- sum -> hidden, with the globals --+
 *
 * Search asks millions of times about sheets that differ in a line or two. What depends on one
 * line alone (its empty stations and free windows) is therefore kept, and so is what depends on
 * the pile alone; only how the lines stand to each other is worked out anew.
 *
 * Plain float arithmetic in a fixed order, no library function: the same on every machine.
 */
#ifndef ENDSTATION_VALUE_H
#define ENDSTATION_VALUE_H

#include <endstation/verplant.h>

enum {
    ES__LOCAL = 24, /* features of a line by itself */
    ES__CROSS = 15, /* of a line among the others, and in the race */
    ES__PILE = 12,  /* of the pile and the rules */
    ES__SHEET = 9,  /* of the whole sheet */
    ES__HIDDEN = 48,
    ES__HEAD = 48,
    ES__REACH_WINDOWS = 4,
    ES__REACH_PLACES = 64,
    ES__LINE_MEMOS = 512, /* a power of 2, shared out equally among the lines */
    ES__PILE_MEMOS = 32,
};

struct es__net {
    float local[ES__LOCAL][ES__HIDDEN], cross[ES__CROSS][ES__HIDDEN];
    float pile[ES__PILE][ES__HIDDEN], sheet[ES__SHEET][ES__HIDDEN], bias[ES__HIDDEN];
    float line[ES__HIDDEN], line_bias; /* how likely a line is to be completed */
    float head_pool[ES__HIDDEN][ES__HEAD], head_pile[ES__PILE][ES__HEAD];
    float head_sheet[ES__SHEET][ES__HEAD], head_bias[ES__HEAD];
    float out[ES__HEAD], out_bias;
    /* Not trained but counted: how often the free windows of a line get to a station, by how far
     * it is (see es__reach_place). */
    float reach[ES__REACH_WINDOWS][ES__REACH_PLACES];
};

/* One line as it stands: its empty stations and how far each is from the wagon, and what the
 * network makes of that. */
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
    /* How likely the next card is a number of at least so much, and how many marks it makes where
     * so many stations are empty in a row, on average; by how many, up to 8. */
    float likely[9], marks[9];
    float hidden[ES__HIDDEN], head[ES__HEAD];
};

/* Of each line: points for whoever completes it now, what is lost if another is first, and how
 * near the nearest other is. */
struct es__race {
    float points[ES_LINES_MAX], gap[ES_LINES_MAX], rival[ES_LINES_MAX];
};

/* A judge for one game. Filled by es__judge_begin; what is said of the race may change between
 * questions, the rest may not. */
struct es__judge {
    const struct es_setup *setup;
    const struct es__net *net;
    bool special; /* the rule */
    struct es__race race;
    /* Answered beside the value: how likely each open line is to be completed. */
    float chance[ES_LINES_MAX];
    /* How likely a station is missed by a line's windows, and 1 / that. */
    float miss[ES__REACH_WINDOWS + 1][ES__REACH_PLACES];
    float unmiss[ES__REACH_WINDOWS + 1][ES__REACH_PLACES];
    uint32_t line_memos; /* for each line, a power of 2 */
    struct es__line_memo line[ES__LINE_MEMOS];
    struct es__pile_memo pile[ES__PILE_MEMOS];
};

/* What the network looks at, for training. */
struct es__features {
    int lines;
    uint8_t line[ES_LINES_MAX];
    float points[ES_LINES_MAX];
    float local[ES_LINES_MAX][ES__LOCAL], cross[ES_LINES_MAX][ES__CROSS];
    float pile[ES__PILE], sheet[ES__SHEET];
};

void es__judge_begin(struct es__judge *judge, const struct es_setup *setup,
                     const struct es__net *net);
/* How the race for the lines stands for a player: who claimed what, and the others' sheets. */
void es__race(const struct es_setup *setup, const struct es_sheet *sheets, int player,
              uint32_t claimed, struct es__race *race);

/* The points to come from now on, penalties included; what is on the sheet already (points,
 * framed numbers) does not count. `pile` is what the next card comes from; `owed` entries are
 * still to be made with `card` before that. */
float es__judge(struct es__judge *judge, const struct es_sheet *sheet, uint64_t pile, int card);

/* The same with what is on the sheet, lines completed in this round included. */
float es__judge_all(struct es__judge *judge, const struct es_sheet *sheet, uint64_t pile, int card);

/* The stations where a free ride promises most, at least one choice; returns how many. */
enum { ES__RIDES = 6 };
size_t es__good_rides(const struct es__judge *judge, const struct es_sheet *sheet,
                      es_choice choices[ES__RIDES]);

/* Where an empty station stands in the reach table: behind so many empty ones and gaps. */
static inline int es__reach_place(int behind, int gaps)
{
    int place = 2 * behind + 3 * gaps;
    return place < ES__REACH_PLACES ? place : ES__REACH_PLACES - 1;
}

void es__features(struct es__judge *judge, const struct es_sheet *sheet, uint64_t pile, int card,
                  struct es__features *features);

union es__numbers {
    float number[sizeof(struct es__net) / sizeof(float)];
    struct es__net net;
};
extern const union es__numbers es__trained;

#endif
