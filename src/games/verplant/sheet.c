/* The parts of a sheet that are too large to stand in the header. */
#include <endstation/sheet.h>

void es_sheet_blank(const struct es_map *map, struct es_sheet *sheet)
{
    *sheet = (struct es_sheet){
        .empty = {map->all[0], map->all[1]},
        .windows_left = map->windows,
        .choosable = ((uint32_t)1 << map->lines) - 1,
    };
    for (int l = 0; l < map->lines; l++) {
        sheet->free[l / 16] |= (uint64_t)map->line[l].windows << l % 16 * 4;
        sheet->open[l] = ~(uint64_t)0 >> (ES_STOPS_MAX - map->line[l].stops);
    }
}

/* Choices are written in blocks, always whole: what is too much is written over by what follows,
 * and ES_CHOICES_MAX leaves room at the end. A fixed number of stores is cheaper than the right
 * number. */
typedef es_choice block __attribute__((vector_size(16), aligned(2), may_alias));

static size_t list_rides(const struct es_map *map, const struct es_sheet *sheet, es_choice *choices)
{
    /* For every set of four stations, its members in order, four bits each, and how many they
     * are: 16 bits each in a word make four choices. */
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

/* Entries on lines; made for one kind of card by inlining, so that the loop has no branch for it.
 * Numbers above 7 need a second block; no printed card does. */
static inline __attribute__((always_inline)) size_t list_entries(const struct es_map *map,
                                                                 const struct es_sheet *sheet,
                                                                 int most, bool jumps, bool high,
                                                                 es_choice *choices)
{
    const uint64_t rings = map->rings;
    es_choice *to = choices;
    for (uint64_t lines = sheet->choosable; lines; lines &= lines - 1) {
        uint64_t l = (unsigned)__builtin_ctzll(lines), open = sheet->open[l];
        block run = *(const block *)map->run[l];
        *(block *)to = run;
        if (high)
            *(block *)(to + 8) = run + 8;
        size_t reach = jumps ? es__reach_by_jumps(open, most) : es__reach_in_a_row(open, most);
        if (!(rings >> l & 1)) {
            to += reach + 1;
            continue;
        }
        /* What can be jumped to is the same both ways. */
        size_t back = jumps ? reach : es__reach_backwards(open, map->line[l].stops, most);
        run += (es_choice)(ES_DIRECTION_BACKWARDS << 4 | 1);
        *(block *)++to = run;
        if (high)
            *(block *)(to + 8) = run + 8;
        run += (es_choice)(1 << 4);
        *(block *)(to += back) = run;
        if (high)
            *(block *)(to + 8) = run + 8;
        to += reach;
    }
    return (size_t)(to - choices);
}

/* Kept apart, so that the compiler gives each only the registers it needs. */
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
    switch (most) { /* a known number of steps needs no loop */
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
