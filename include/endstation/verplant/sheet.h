/* One player's verplant sheet as bit sets, small enough for search to copy. Implements all rules of
 * a single entry. verplant.h adds rounds, players and validation of events from outside.
 *
 * A sheet stores the empty stations twice, always in step: `empty` has a bit for every station (for
 * free rides and scores), `open` a word for each line with a bit for every stop (for what a card
 * may mark). Marking a station clears its bits in all these words; what a card may mark is then bit
 * arithmetic on one word:
 *
 *     line from its wagon      x  x  .  .  .  x  .  .      open = 0b11011100  (bit 0 leftmost)
 *     a 4 marks                      *  *  *               the lowest run of ones, at most 4
 *     an express 4 marks             *  *  *     *         the lowest 4 ones
 *
 * Loops run over ten lines, or over ES_LINES_MAX if the map has more: a constant length lets the
 * compiler unroll them, and most maps have at most ten.
 */
#ifndef ENDSTATION_SHEET_H
#define ENDSTATION_SHEET_H

#include <assert.h>
#include <endstation/map.h>
#include <endstation/verplant/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of cards: numbers 1 to 9, express cards 1 to 9, transfer, free ride. */
enum {
    ES_CARD_NUMBER = 0,  /* + n - 1 */
    ES_CARD_EXPRESS = 9, /* + n - 1 */
    ES_CARD_TRANSFER = 18,
    ES_CARD_FREE_RIDE = 19,
    ES_CARD_KINDS = 20,
    ES_CARD_SIX = ES_CARD_NUMBER + 5,
    ES_CARD_NONE = 255,
};

enum { ES_DIRECTION_NONE, ES_DIRECTION_BACKWARDS, ES_DIRECTION_FORWARDS };

/* One way to use a card, in 16 bits: a line with direction and number of marks, or a station for a
 * free ride. If the map's lines and stations are in alphabetical order, choices sort like their
 * texts: @ before letters, < before >. */
typedef uint16_t es_choice;
enum { ES_CHOICES_MAX = 512 }; /* room for any list and the blocks written past its end */

#define ES_CHOICE_NO_RIDE 0
#define ES_CHOICE_RIDE(station) ((es_choice)((station) + 1))
#define ES_CHOICE(line, direction, marks)                                                          \
    ((es_choice)(((line) + 1) << 8 | (direction) << 4 | (marks)))
#define ES_CHOICE_LINE(choice) (((choice) >> 8) - 1) /* -1 for a ride */
#define ES_CHOICE_DIRECTION(choice) ((choice) >> 4 & 15)
#define ES_CHOICE_MARKS(choice) ((choice)&15)

/* On a map of up to ten lines only the first 128 bytes (two cache lines) are used;
 * es_sheet_bytes(map) is the number of bytes to copy. */
struct es_sheet {
    uint64_t free[2];     /* free windows, four bits a line */
    uint32_t choosable;   /* bit l: line l has a free window */
    uint32_t scored;      /* bit l: line l is complete and its points have been given */
    uint16_t points;      /* won with lines */
    uint16_t framed;      /* sum of the framed numbers */
    uint8_t windows_left; /* free windows of all lines */
    uint8_t owed;         /* entries to make in this round */
    uint8_t unused[2];
    /* The words that marking clears bits of; es_map_mark.keep has the same order. */
    uint64_t empty[2] __attribute__((aligned(16))); /* bit s: station s is not marked */
    uint64_t open[ES_LINES_MAX];                    /* bit i of line l: its stop i is not marked */
};

enum { ES__USUAL_LINES = 10 };
static_assert(offsetof(struct es_sheet, open[ES__USUAL_LINES]) == 128, "ten lines in 128 bytes");

static inline size_t es_sheet_bytes(const struct es_map *map)
{
    return map->lines <= ES__USUAL_LINES ? offsetof(struct es_sheet, open[ES__USUAL_LINES])
                                         : sizeof(struct es_sheet);
}

/* Makes the sheet empty, as before the first card. */
void es_sheet_blank(const struct es_map *map, struct es_sheet *sheet);

static inline int es_sheet_free(const struct es_sheet *sheet, int line)
{
    return (int)(sheet->free[line / 16] >> line % 16 * 4 & 15);
}

static inline bool es_sheet_marked(const struct es_sheet *sheet, int station)
{
    return !(sheet->empty[station / 64] >> station % 64 & 1);
}

/* ---- What a card may mark ------------------------------------------------------------------- */

/* Returns the most marks that a card allows on one line. A transfer is one mark on the first empty
 * station, like an express 1. */
static inline int es_card_marks(int card)
{
    static const uint8_t marks[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1};
    return marks[card];
}

/* Permutes stop bits into the order of travel. Backwards round a ring of n stops the order is 0,
 * n-1, n-2, …, 1: bit 0 stays, bit i > 0 moves to n-i. The permutation is its own inverse. */
static inline uint64_t es__in_order(const struct es_map_line *line, uint64_t stops, int direction)
{
    if (direction != ES_DIRECTION_BACKWARDS)
        return stops;
    uint64_t x = stops >> 1;
    x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
    x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
    x = __builtin_bswap64(x);
    return (x >> (ES_STOPS_MAX + 1 - line->stops)) << 1 | (stops & 1);
}

/* Returns min(length of the lowest run of ones, most). Bit 63 keeps ctz defined for open == 0: the
 * shift then leaves 0, and so does the result. */
static inline unsigned es__reach_in_a_row(uint64_t open, int most)
{
    int first = __builtin_ctzll(open | (uint64_t)1 << 63);
    return (unsigned)__builtin_ctzll(~(open >> first) | (uint64_t)1 << most);
}

/* Returns min(number of ones, most). */
static inline unsigned es__reach_by_jumps(uint64_t open, int most)
{
    unsigned marks = 0;
    for (int i = 0; i < most; i++) {
        marks += open != 0;
        open &= open - 1;
    }
    return marks;
}

/* es__reach_in_a_row for a ring travelled backwards. `turned` has the stops in the order of travel
 * from the top bit down, so the run is counted as the leading ones of `run` (the leading zeros of
 * ~run). */
static inline unsigned es__reach_backwards(uint64_t open, int stops, int most)
{
    uint64_t turned = open << 63 | ((open & ~(uint64_t)1) << (ES_STOPS_MAX - stops)) >> 1;
    uint64_t run = turned << __builtin_clzll(turned | 1);
    return (unsigned)__builtin_clzll(~run | (uint64_t)1 << 63 >> most);
}

/* Returns the most marks that a card can make on a line in a direction, whether or not the line has
 * a free window. Not for free rides. */
static inline int es_sheet_reach(const struct es_map *map, const struct es_sheet *sheet, int card,
                                 int line, int direction)
{
    uint64_t open = es__in_order(&map->line[line], sheet->open[line], direction);
    int most = es_card_marks(card);
    return (int)(card < ES_CARD_EXPRESS ? es__reach_in_a_row(open, most)
                                        : es__reach_by_jumps(open, most));
}

/* Returns the stops (a bit each, in the line's own order) that an entry of `marks` marks, at most
 * es_sheet_reach, would take: the next empty ones, in a row or with jumps. */
static inline uint64_t es_sheet_taken(const struct es_map *map, const struct es_sheet *sheet,
                                      int line, int direction, int marks)
{
    uint64_t open = es__in_order(&map->line[line], sheet->open[line], direction), left = open;
    for (; marks > 0; marks--)
        left &= left - 1;
    return es__in_order(&map->line[line], open ^ left, direction);
}

/* ---- Lists ---------------------------------------------------------------------------------- */

/* Lists every choice for a card, ascending; `choices` has room for ES_CHOICES_MAX. Returns their
 * number. The sheet must have a free window. */
size_t es_sheet_choices(const struct es_map *map, const struct es_sheet *sheet, int card,
                        es_choice *choices);

/* ---- Entries -------------------------------------------------------------------------------- */

enum { ES__USUAL_MARKS = 2 };

/* The words of a sheet that marking clears bits of, two at a time. */
typedef uint64_t es__pair __attribute__((vector_size(16), may_alias));
enum { ES__USUAL_PAIRS = (2 + ES__USUAL_LINES) / 2, ES__ALL_PAIRS = (2 + ES_LINES_MAX) / 2 };

/* Marks the first `marks` stops of `open` (bits in the order of `stop`) in the first `pairs` pairs
 * of words, which stay in registers from the first mark to the last. Adds the lines calling at
 * these stations to *calls; returns the number of special ones.
 *
 * The loop runs at least ES__USUAL_MARKS times, since the number of marks is unpredictable. Surplus
 * iterations use map->mark[0], whose masks are all ones and whose counts are 0, so they change
 * nothing. In a row or with jumps, the next stop to mark is always the next empty one. */
static inline __attribute__((always_inline)) unsigned es__mark_stops(const struct es_map *map,
                                                                     struct es_sheet *sheet,
                                                                     const uint8_t *stop,
                                                                     uint64_t open, int marks,
                                                                     unsigned *calls, int pairs)
{
    es__pair words[ES__ALL_PAIRS], *at = (es__pair *)sheet->empty;
    uint32_t wanted = ((uint32_t)1 << marks) - 1; /* bit n: mark n is to be made */
    unsigned special = 0;
    for (int i = 0; i < pairs; i++)
        words[i] = at[i];
    for (int n = 0; n < ES__USUAL_MARKS || n < marks; n++) {
        uint32_t station = stop[__builtin_ctzll(open | (uint64_t)1 << 63)];
        const struct es_map_mark *mark = &map->mark[(station + 1) & -(wanted >> n & 1)];
        open &= open - 1;
        special += mark->special;
        *calls += mark->calls;
        for (int i = 0; i < pairs; i++)
            words[i] &= ((const es__pair *)mark->keep)[i];
    }
    for (int i = 0; i < pairs; i++)
        at[i] = words[i];
    return special;
}

/* Marks one station, as a free ride does. */
static inline void es_sheet_mark(const struct es_map *map, struct es_sheet *sheet, int station)
{
    es__pair *words = (es__pair *)sheet->empty;
    const es__pair *keep = (const es__pair *)map->mark[station + 1].keep;
    int pairs = map->lines <= ES__USUAL_LINES ? ES__USUAL_PAIRS : ES__ALL_PAIRS;
    for (int i = 0; i < pairs; i++)
        words[i] &= keep[i];
}

/* Makes an entry: fills a window of a line and marks stations. `choice` is from es_sheet_choices
 * and not a free ride (use es_sheet_mark). Returns the number of special stations marked. */
static inline unsigned es_sheet_enter(const struct es_map *map, struct es_sheet *sheet, int card,
                                      es_choice choice)
{
    unsigned l = ES_CHOICE_LINE((unsigned)choice);
    int direction = ES_CHOICE_DIRECTION(choice);
    int marks = ES_CHOICE_MARKS(choice);
    const struct es_map_line *line = &map->line[l];
    const uint8_t *stop = direction == ES_DIRECTION_BACKWARDS ? line->back : line->stop;
    uint64_t open = es__in_order(line, sheet->open[l], direction);
    unsigned calls = 0, special = 0;
    if (map->lines <= ES__USUAL_LINES)
        special = es__mark_stops(map, sheet, stop, open, marks, &calls, ES__USUAL_PAIRS);
    else
        special = es__mark_stops(map, sheet, stop, open, marks, &calls, ES__ALL_PAIRS);
    sheet->framed = (uint16_t)(sheet->framed + (card == ES_CARD_TRANSFER ? calls : 0));
    uint64_t one = (uint64_t)1 << l % 16 * 4;
    uint64_t free = sheet->free[l / 16] -= one;
    sheet->choosable ^= (uint32_t) !(free & one * 15) << l;
    sheet->windows_left--;
    return special;
}

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "es_sheet_complete takes the lower half of a word to be its first"
#endif

/* Returns the complete lines, a bit each. Works on two lines at a time: the upper half of each word
 * is ORed into the lower, then the lower halves are compared with 0. */
static inline uint32_t es_sheet_complete(const struct es_map *map, const struct es_sheet *sheet)
{
    typedef uint32_t quad __attribute__((vector_size(16)));
    const es__pair *open = (const es__pair *)sheet->open;
    quad complete = {0};
    for (int i = 0; i < ES__USUAL_LINES / 2; i++)
        complete |=
            (quad)((quad)(open[i] | open[i] >> 32) == 0) & (quad){1U << 2 * i, 0, 2U << 2 * i};
    if (map->lines > ES__USUAL_LINES)
        for (int i = ES__USUAL_LINES / 2; i < ES_LINES_MAX / 2; i++)
            complete |=
                (quad)((quad)(open[i] | open[i] >> 32) == 0) & (quad){1U << 2 * i, 0, 2U << 2 * i};
    return (complete[0] | complete[2]) & (((uint32_t)1 << map->lines) - 1);
}

/* Returns true if any of the first ES__USUAL_LINES lines is complete, two words at a time. (x - 1)
 * & ~x is the mask of the zeros below x's lowest one; its top bit is set only if x is 0. Lines that
 * the map does not have are all ones, never 0. */
static inline bool es__any_complete(const struct es_sheet *sheet)
{
    const es__pair *open = (const es__pair *)sheet->open;
    es__pair none = {0};
    for (int i = 0; i < ES__USUAL_LINES / 2; i++)
        none |= (open[i] - 1) & ~open[i];
    return (none[0] | none[1]) >> 63;
}

/* Scores the lines completed in this round: the later value for those in `claimed`, else the first.
 * Returns them, a bit each. */
static inline uint32_t es_sheet_score(const struct es_map *map, struct es_sheet *sheet,
                                      uint32_t claimed)
{
    if (__builtin_expect(map->lines <= ES__USUAL_LINES && !es__any_complete(sheet), 1))
        return 0;
    uint32_t fresh = es_sheet_complete(map, sheet) & ~sheet->scored;
    for (uint32_t left = fresh; left; left &= left - 1) {
        int l = __builtin_ctz(left);
        uint8_t points = claimed >> l & 1 ? map->line[l].later : map->line[l].first;
        sheet->points = (uint16_t)(sheet->points + points);
    }
    sheet->scored |= fresh;
    return fresh;
}

static inline int es_sheet_empty(const struct es_sheet *sheet)
{
    return __builtin_popcountll(sheet->empty[0]) + __builtin_popcountll(sheet->empty[1]);
}

#ifdef __cplusplus
}
#endif

#endif
