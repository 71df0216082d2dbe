/* The functions of sheet.h that are too large to inline: the empty sheet, lists of choices. */
#include <endstation/verplant/sheet.h>
#include <string.h>

void es_sheet_blank(const struct es_map *map, struct es_sheet *sheet)
{
    *sheet = (struct es_sheet){
        .free = {map->free[0], map->free[1]},
        .empty = {map->all[0], map->all[1]},
        .windows_left = map->windows,
        .choosable = ((uint32_t)1 << map->lines) - 1,
    };
    memcpy(sheet->open, map->stop_bits, sizeof sheet->open);
}

/* Choices are always written in whole blocks of eight. The surplus is overwritten by the next
 * line's choices; ES_CHOICES_MAX leaves room after the last. A fixed number of stores is cheaper
 * than the exact number. */
typedef es_choice block __attribute__((vector_size(16), aligned(2), may_alias));

static size_t list_rides(const struct es_map *map, const struct es_sheet *sheet, es_choice *choices)
{
    /* [set of four stations]: its members in order, 16 bits each like choices; and their number. */
#define FOUR(a, b, c, d)                                                                           \
    ((uint64_t)(a) | (uint64_t)(b) << 16 | (uint64_t)(c) << 32 | (uint64_t)(d) << 48)
    static const uint64_t members[16] = {
        FOUR(0, 0, 0, 0), FOUR(0, 0, 0, 0), FOUR(1, 0, 0, 0), FOUR(0, 1, 0, 0),
        FOUR(2, 0, 0, 0), FOUR(0, 2, 0, 0), FOUR(1, 2, 0, 0), FOUR(0, 1, 2, 0),
        FOUR(3, 0, 0, 0), FOUR(0, 3, 0, 0), FOUR(1, 3, 0, 0), FOUR(0, 1, 3, 0),
        FOUR(2, 3, 0, 0), FOUR(0, 2, 3, 0), FOUR(1, 2, 3, 0), FOUR(0, 1, 2, 3),
    };
    static const uint8_t size[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    es_choice *to = choices;
    *to++ = ES_CHOICE_NO_RIDE;
    for (unsigned station = 0; station < map->stations; station += 4) {
        unsigned four = sheet->empty[station / 64] >> station % 64 & 15;
        uint64_t rides = members[four] + ES_CHOICE_RIDE(station) * FOUR(1, 1, 1, 1);
        for (int i = 0; i < 4; i++)
            to[i] = (es_choice)(rides >> 16 * i);
        to += size[four];
    }
#undef FOUR
    return (size_t)(to - choices);
}

/* Writes the entries on one line from `to` on, and returns where the next line's go: `to` itself if
 * the line is full. Inlined for each kind of card. Numbers above 7 (`high`) need a second block; no
 * printed card has one. */
static inline __attribute__((always_inline)) es_choice *list_line(const struct es_map *map,
                                                                  const struct es_sheet *sheet,
                                                                  unsigned l, unsigned full,
                                                                  int most, bool jumps, bool high,
                                                                  es_choice *to)
{
    uint64_t open = sheet->open[l];
    block run = *(const block *)map->run[l];
    *(block *)to = run;
    if (high)
        *(block *)(to + 8) = run + 8;
    /* Number of choices: reach + 1 (0 to reach marks), or 0 if the line has no free window.
     * ctz(end) is the reach as in es__reach_in_a_row, so ctz(2 * end) is reach + 1; adding `full`
     * sets bit 0 and gives 0. */
    int first = __builtin_ctzll(open | (uint64_t)1 << 63);
    uint64_t end = ~(open >> first) | (uint64_t)1 << most;
    if (__builtin_expect(!(map->rings >> l & 1), 1)) {
        if (jumps)
            return to + ((es__reach_by_jumps(open, most) + 1) & (full - 1));
        return to + __builtin_ctzll(end * 2 + full);
    }
    if (full)
        return to;
    size_t reach = jumps ? es__reach_by_jumps(open, most) : (unsigned)__builtin_ctzll(end);
    /* With jumps, both directions reach the same number of stations. */
    size_t back = jumps ? reach : es__reach_backwards(open, map->line[l].stops, most);
    run += (es_choice)(ES_DIRECTION_BACKWARDS << 4 | 1);
    *(block *)++to = run;
    if (high)
        *(block *)(to + 8) = run + 8;
    run += (es_choice)(1 << 4);
    *(block *)(to += back) = run;
    if (high)
        *(block *)(to + 8) = run + 8;
    return to + reach;
}

static inline __attribute__((always_inline)) size_t list_entries(const struct es_map *map,
                                                                 const struct es_sheet *sheet,
                                                                 int most, bool jumps, bool high,
                                                                 es_choice *choices)
{
    uint32_t lines = sheet->choosable;
    es_choice *to = choices;
    if (map->lines > ES__USUAL_LINES || high) {
        for (; lines; lines &= lines - 1)
            to = list_line(map, sheet, (unsigned)__builtin_ctz(lines), 0, most, jumps, high, to);
        return (size_t)(to - choices);
    }
    /* Which lines are full is unpredictable, so all are listed, and the full ones overwritten. */
#pragma GCC unroll 10
    for (unsigned l = 0; l < ES__USUAL_LINES; l++)
        to = list_line(map, sheet, l, ~lines >> l & 1, most, jumps, high, to);
    return (size_t)(to - choices);
}

/* Not inlined, so that each saves only the registers it needs. */
static __attribute__((noinline)) size_t list_in_a_row(const struct es_map *map,
                                                      const struct es_sheet *sheet, int most,
                                                      es_choice *choices)
{
    return list_entries(map, sheet, most, false, false, choices);
}

static __attribute__((noinline)) size_t list_by_jumps(const struct es_map *map,
                                                      const struct es_sheet *sheet, int most,
                                                      es_choice *choices)
{
    switch (most) { /* a constant number of steps can be unrolled */
    case 1:
        return list_entries(map, sheet, 1, true, false, choices);
    case 2:
        return list_entries(map, sheet, 2, true, false, choices);
    case 3:
        return list_entries(map, sheet, 3, true, false, choices);
    default:
        return list_entries(map, sheet, most, true, false, choices);
    }
}

static __attribute__((noinline)) size_t list_high(const struct es_map *map,
                                                  const struct es_sheet *sheet, int card,
                                                  es_choice *choices)
{
    return list_entries(map, sheet, es_card_marks(card), card >= ES_CARD_EXPRESS, true, choices);
}

size_t es_sheet_choices(const struct es_map *map, const struct es_sheet *sheet, int card,
                        es_choice *choices)
{
    int most = es_card_marks(card);
    if (most > 7)
        return list_high(map, sheet, card, choices);
    if (card < ES_CARD_EXPRESS)
        return list_in_a_row(map, sheet, most, choices);
    if (card < ES_CARD_FREE_RIDE)
        return list_by_jumps(map, sheet, most, choices);
    return list_rides(map, sheet, choices);
}
