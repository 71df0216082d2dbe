/* The rules of verplant: rounds, entries, scores. verplant.h shows how the state is laid out. */
#include "verplant.h"
#include <assert.h>
#include <string.h>

static struct es_verplant_state *mine(struct es_state *state)
{
    return (struct es_verplant_state *)state;
}

static uint64_t bit(int i)
{
    return (uint64_t)1 << i;
}

static int lowest(uint64_t word) /* of a word that is not 0 */
{
    return __builtin_ctzll(word);
}

/* ---- Setup ------------------------------------------------------------------------------- */

static enum es_status prepare(struct es_setup *setup)
{
    if (setup->deck_size == 0)
        es_verplant_deck_read(setup, es_str(es_verplant_deck_14));
    if (setup->deck_size > ES_DECK_MAX)
        return ES_DECK_SIZE;
    int count[ES_CARD_KINDS] = {0};
    for (int i = 0; i < setup->deck_size; i++) {
        if (setup->deck[i] >= ES_CARD_KINDS)
            return ES_CARD_BAD;
        count[setup->deck[i]]++;
    }
    if (count[ES_CARD_SIX] == 0)
        return ES_DECK_SIX;
    int place = 0;
    for (int kind = 0; kind < ES_CARD_KINDS; kind++) {
        setup->copies[kind] = (bit(count[kind]) - 1) << place;
        for (int i = 0; i < count[kind]; i++)
            setup->deck[place++] = (uint8_t)kind;
    }
    return ES_OK;
}

static uint64_t whole_pile(const struct es_setup *setup)
{
    return bit(setup->deck_size) - 1;
}

void es_verplant_blank(const struct es_map *map, struct es_verplant_sheet *sheet)
{
    *sheet = (struct es_verplant_sheet){
        .empty = {map->all[0], map->all[1]},
        .windows_left = map->windows,
        .choosable = (uint32_t)(bit(map->lines) - 1),
    };
    for (int l = 0; l < map->lines; l++) {
        sheet->free[l / 2] |= (uint8_t)(map->line[l].windows << l % 2 * 4);
        sheet->open[l] = ~(uint64_t)0 >> (ES_STOPS_MAX - map->line[l].stops);
    }
}

static void start(const struct es_setup *setup, struct es_state *state)
{
    memset(state, 0, sizeof *state);
    struct es_verplant_state *s = mine(state);
    s->pile = whole_pile(setup);
    s->left = setup->deck_size;
    s->card = ES_CARD_NONE;
    s->playing = (uint8_t)((1 << setup->players) - 1);
    for (int p = 0; p < setup->players; p++)
        es_verplant_blank(setup->map, &s->sheet[p]);
}

/* ---- What a card may mark ------------------------------------------------------------------ */

/* How many marks a card allows at most on one line. A transfer is one mark on the first empty
 * station, just like an express 1. */
static const uint8_t card_marks[ES_CARD_KINDS] = {
    1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, [ES_CARD_TRANSFER] = 1,
};

static bool card_jumps(int card)
{
    return card >= ES_CARD_EXPRESS;
}

/* The stops of a line as bits in the order of travel: a ring backwards begins at its first stop
 * too, and goes on with the last. The same step leads back. */
static uint64_t in_order(const struct es_map_line *line, uint64_t stops, int direction)
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

/* The length of the lowest run of ones, cut off at the card's number. Without branches: the top
 * bit set changes nothing but that an empty word is shifted out whole, which leaves no run. */
static int reach_in_a_row(uint64_t open, int most)
{
    return lowest(~(open >> lowest(open | bit(63))) | bit(most));
}

/* The number of ones, cut off likewise. Three steps without a branch do for all printed cards. */
static int reach_by_jumps(uint64_t open, int most)
{
    uint64_t second = open & (open - 1), third = second & (second - 1);
    int marks = (open != 0) + (second != 0) + (third != 0);
    if (most <= 3)
        return marks < most ? marks : most;
    for (third &= third - 1; marks < most && third; third &= third - 1)
        marks++;
    return marks;
}

static int reach_of(int card, uint64_t open)
{
    int most = card_marks[card];
    return card_jumps(card) ? reach_by_jumps(open, most) : reach_in_a_row(open, most);
}

int es_verplant_reach(const struct es_map *map, const struct es_verplant_sheet *sheet, int card,
                      int line, int direction)
{
    return reach_of(card, in_order(&map->line[line], sheet->open[line], direction));
}

uint64_t es_verplant_taken(const struct es_map *map, const struct es_verplant_sheet *sheet,
                           int line, int direction, int marks)
{
    const struct es_map_line *l = &map->line[line];
    uint64_t open = in_order(l, sheet->open[line], direction), left = open;
    while (marks-- > 0)
        left &= left - 1;
    return in_order(l, open ^ left, direction);
}

/* ---- Lists --------------------------------------------------------------------------------- */

static struct es_turn turn(const struct es_setup *setup, const struct es_state *state)
{
    (void)setup;
    const struct es_verplant_state *s = es_verplant_view(state);
    if (s->acting)
        return (struct es_turn){ES_TURN_PLAYERS, s->acting};
    return (struct es_turn){s->playing ? ES_TURN_CHANCE : ES_TURN_OVER, 0};
}

static size_t legal_cards(const struct es_setup *setup, const struct es_verplant_state *s,
                          es_event *events)
{
    size_t count = 0;
    if (!s->acting && s->playing)
        for (int kind = 0; kind < ES_CARD_KINDS; kind++)
            if (s->pile & setup->copies[kind])
                events[count++] = ES_VERPLANT_CARD(kind);
    return count;
}

/* Four events at once. Lists are written in such blocks, always whole: what is too much is written
 * over by what follows, and ES_LEGAL_MAX leaves room at the end. */
typedef es_event block __attribute__((vector_size(16), aligned(4), may_alias));

static size_t legal_rides(const struct es_map *map, const struct es_verplant_sheet *sheet,
                          int player, es_event *events)
{
    /* For every set of four stations, its members in order, and how many they are. */
    static const block members[16] = {
        {0},    {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3},    {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3},
    };
    static const uint8_t size[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    es_event *to = events;
    *to++ = ES_VERPLANT_NO_RIDE(player);
    for (int station = 0; station < map->stations; station += 4) {
        int four = sheet->empty[station / 64] >> station % 64 & 15;
        *(block *)to = members[four] + ES_VERPLANT_RIDE(player, station);
        to += size[four];
    }
    return (size_t)(to - events);
}

/* From `event` on, one after the other, `most` + 1 of them. */
static inline void write_run(es_event *to, es_event event, int most)
{
    const block steps = {0, 1, 2, 3};
    block run = steps + event;
    *(block *)to = run;
    *(block *)(to + 4) = run + 4;
    if (most > 7)
        *(block *)(to + 8) = run + 8;
}

/* Entries on lines; made for one kind of card by inlining, so that the loop has no branch for it.
 */
static inline __attribute__((always_inline)) size_t
legal_entries(const struct es_map *map, const struct es_verplant_sheet *sheet, int who, int most,
              bool jumps, es_event *events)
{
    const es_event base = ES_VERPLANT_ENTRY(who, 0, ES_DIRECTION_NONE, 0);
    const uint32_t rings = map->rings;
    es_event *to = events;
    for (uint32_t lines = sheet->choosable; lines; lines &= lines - 1) {
        int l = lowest(lines);
        uint64_t open = sheet->open[l];
        es_event entry = base + ((es_event)l << 8);
        int reach = jumps ? reach_by_jumps(open, most) : reach_in_a_row(open, most);
        if (!(rings >> l & 1)) {
            write_run(to, entry, most);
            to += reach + 1;
            continue;
        }
        *to++ = entry;
        write_run(to, entry + (ES_DIRECTION_BACKWARDS << 4) + 1, most);
        to += jumps ? reach /* what can be jumped to is the same both ways */
                    : reach_in_a_row(in_order(&map->line[l], open, ES_DIRECTION_BACKWARDS), most);
        write_run(to, entry + (ES_DIRECTION_FORWARDS << 4) + 1, most);
        to += reach;
    }
    return (size_t)(to - events);
}

/* Kept apart, so that the compiler gives each its registers. */
static __attribute__((noinline)) size_t legal_in_a_row(const struct es_map *map,
                                                       const struct es_verplant_sheet *sheet,
                                                       int who, int most, es_event *events)
{
    return legal_entries(map, sheet, who, most, false, events);
}

static __attribute__((noinline)) size_t legal_by_jumps(const struct es_map *map,
                                                       const struct es_verplant_sheet *sheet,
                                                       int who, int most, es_event *events)
{
    return legal_entries(map, sheet, who, most, true, events);
}

static size_t legal(const struct es_setup *setup, const struct es_state *state, int who,
                    es_event *events)
{
    const struct es_verplant_state *s = es_verplant_view(state);
    if (who == ES_CHANCE)
        return legal_cards(setup, s, events);
    if (who < 0 || who > setup->players || !(s->acting >> (who - 1) & 1))
        return 0;
    const struct es_verplant_sheet *sheet = &s->sheet[who - 1];
    int most = card_marks[s->card];
    if (!card_jumps(s->card))
        return legal_in_a_row(setup->map, sheet, who, most, events);
    if (s->card != ES_CARD_FREE_RIDE)
        return legal_by_jumps(setup->map, sheet, who, most, events);
    return legal_rides(setup->map, sheet, who, events);
}

static unsigned weight(const struct es_setup *setup, const struct es_state *state, es_event event)
{
    return (unsigned)__builtin_popcountll(es_verplant_view(state)->pile &
                                          setup->copies[ES_EVENT_WHAT(event)]);
}

static es_event deal(const struct es_setup *setup, const struct es_state *state,
                     const uint8_t seed[ES_SEED_BYTES])
{
    const struct es_verplant_state *s = es_verplant_view(state);
    uint8_t order[ES_DECK_MAX];
    es_fair_shuffle(seed, s->shuffles, setup->deck_size, order);
    return ES_VERPLANT_CARD(setup->deck[order[setup->deck_size - s->left]]);
}

/* ---- Events -------------------------------------------------------------------------------- */

static enum es_status reveal(const struct es_setup *setup, struct es_verplant_state *s,
                             uint32_t kind)
{
    if (s->acting)
        return ES_CHANCE_NOT_DUE;
    if (!s->playing)
        return ES_GAME_OVER;
    if (kind >= ES_CARD_KINDS)
        return ES_EVENT_BAD;
    uint64_t copies = s->pile & setup->copies[kind];
    if (!copies)
        return ES_CARD_GONE;
    s->pile ^= copies & -copies; /* always the lowest, so that equal piles are equal words */
    s->left--;
    s->card = (uint8_t)kind;
    s->round++;
    s->acting = s->playing;
    for (int p = 0; p < setup->players; p++)
        s->sheet[p].owed = s->playing >> p & 1;
    return ES_OK;
}

static void clear_call(struct es_verplant_sheet *sheet, struct es_map_call call)
{
    uint64_t open = sheet->open[call.line] &= ~bit(call.stop);
    sheet->complete |= (uint32_t)(open == 0) << call.line;
}

/* Marks a station on a sheet: its own bit, and its stop on every line that calls there. Returns 1
 * if the station is special. */
static inline unsigned mark(const struct es_map *map, struct es_verplant_sheet *sheet, int station)
{
    const struct es_map_node *node = &map->node[station];
    sheet->empty[station / 64] &= ~bit(station % 64);
    clear_call(sheet, node->front[0]);
    clear_call(sheet, node->front[1]);
    for (int i = 2; i < node->calls; i++)
        clear_call(sheet, map->call[node->from + i]);
    return node->special;
}

static void fill_window(const struct es_map *map, struct es_verplant_sheet *sheet,
                        struct es_verplant_paper *paper, int line, int card)
{
    const struct es_map_line *l = &map->line[line];
    int free = es_verplant_free(sheet, line);
    paper->written[l->windows_from + l->windows - free] = (uint8_t)card;
    sheet->free[line / 2] = (uint8_t)(sheet->free[line / 2] - (1 << line % 2 * 4));
    sheet->choosable ^= (uint32_t)(free == 1) << line;
    sheet->windows_left--;
}

/* Gives the points of the lines completed in this round, then clears the table for the next. */
static void close_round(const struct es_setup *setup, struct es_verplant_state *s)
{
    uint32_t claimed = s->claimed;
    for (int p = 0; p < setup->players; p++) {
        struct es_verplant_sheet *sheet = &s->sheet[p];
        uint32_t fresh = sheet->complete & ~sheet->scored;
        if (!fresh)
            continue;
        sheet->scored = sheet->complete;
        s->claimed |= fresh;
        s->paper[p].first |= fresh & ~claimed;
        for (; fresh; fresh &= fresh - 1) {
            const struct es_map_line *line = &setup->map->line[lowest(fresh)];
            bool late = claimed >> lowest(fresh) & 1;
            sheet->points = (uint16_t)(sheet->points + (late ? line->later : line->first));
        }
    }
    if (s->card == ES_CARD_SIX) {
        s->pile = whole_pile(setup);
        s->left = setup->deck_size;
        s->shuffles++;
    }
    s->card = ES_CARD_NONE;
}

static enum es_status ride(const struct es_setup *setup, struct es_verplant_state *s, int player,
                           uint32_t what)
{
    struct es_verplant_sheet *sheet = &s->sheet[player - 1];
    if (s->card != ES_CARD_FREE_RIDE)
        return ES_RIDE_NOT_OPEN;
    int station = (int)what - 1;
    if (station >= setup->map->stations)
        return ES_STATION_UNKNOWN;
    if (station >= 0) {
        if (!(sheet->empty[station / 64] & bit(station % 64)))
            return ES_STATION_MARKED;
        mark(setup->map, sheet, station);
    }
    sheet->owed = 0; /* a special station calls for nothing here */
    return ES_OK;
}

static enum es_status enter(const struct es_setup *setup, struct es_verplant_state *s, int player,
                            uint32_t what)
{
    const struct es_map *map = setup->map;
    struct es_verplant_sheet *sheet = &s->sheet[player - 1];
    struct es_verplant_paper *paper = &s->paper[player - 1];
    int l = (int)(what >> 8) - 1, direction = what >> 4 & 15, marks = what & 15, card = s->card;
    if (l >= map->lines)
        return ES_LINE_UNKNOWN;
    if (card == ES_CARD_FREE_RIDE)
        return ES_RIDE_NOT_OPEN;
    const struct es_map_line *line = &map->line[l];
    if (direction != ES_DIRECTION_NONE &&
        (!line->ring || marks == 0 || direction > ES_DIRECTION_FORWARDS))
        return ES_NO_RING;
    if (direction == ES_DIRECTION_NONE && line->ring && marks > 0)
        return ES_RING_NEEDS_DIRECTION;
    if (!(sheet->choosable >> l & 1))
        return ES_LINE_FULL;
    uint64_t open = in_order(line, sheet->open[l], direction);
    if (marks > reach_of(card, open))
        return ES_MARKS_MANY;

    unsigned specials = 0;
    int station = 0;
    const uint8_t *stop = direction == ES_DIRECTION_BACKWARDS ? line->back : line->stop;
    for (int i = 0; i < marks; i++) {
        station = stop[lowest(open)];
        open &= open - 1; /* in a row or with jumps: it is always the next empty one */
        specials += mark(map, sheet, station);
    }
    if (card == ES_CARD_TRANSFER && marks > 0) {
        paper->framed[station / 64] |= bit(station % 64);
        sheet->framed = (uint16_t)(sheet->framed + map->node[station].calls);
    }
    fill_window(map, sheet, paper, l, card);
    if (!(setup->rules & ES_VERPLANT_SPECIAL))
        specials = 0;
    sheet->owed = (uint8_t)(sheet->owed + specials - 1);
    if (sheet->windows_left == 0) {
        sheet->owed = 0;
        s->playing &= (uint8_t)~(1 << (player - 1));
    }
    return ES_OK;
}

static enum es_status apply(const struct es_setup *setup, struct es_state *state, es_event event)
{
    struct es_verplant_state *s = mine(state);
    int player = ES_EVENT_WHO(event);
    uint32_t what = ES_EVENT_WHAT(event);
    if (player == ES_CHANCE)
        return reveal(setup, s, what);
    if (player > setup->players)
        return ES_PLAYER_UNKNOWN;
    if (!(s->acting >> (player - 1) & 1))
        return s->acting ? ES_NOT_TO_ACT : s->playing ? ES_CHANCE_DUE : ES_GAME_OVER;
    enum es_status status =
        what >> 8 ? enter(setup, s, player, what) : ride(setup, s, player, what);
    if (status)
        return status;
    if (s->sheet[player - 1].owed == 0) {
        s->acting &= (uint8_t)~(1 << (player - 1));
        if (!s->acting)
            close_round(setup, s);
    }
    return ES_OK;
}

/* Others' entries stay unseen until the round is closed. */
static size_t observe(const struct es_setup *setup, const struct es_state *state,
                      const es_event *events, size_t count, int viewer, es_event *seen)
{
    (void)setup;
    size_t open = count; /* where the open round begins */
    if (es_verplant_view(state)->acting)
        while (open > 0 && ES_EVENT_WHO(events[open - 1]) != ES_CHANCE)
            open--;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (i < open || ES_EVENT_WHO(events[i]) == viewer)
            seen[kept++] = events[i];
    return kept;
}

/* ---- Scores -------------------------------------------------------------------------------- */

struct es_verplant_sum es_verplant_sum(const struct es_setup *setup, const struct es_state *state,
                                       int player)
{
    const struct es_verplant_sheet *sheet = &es_verplant_view(state)->sheet[player - 1];
    struct es_verplant_sum sum = {
        .lines = sheet->points,
        .transfers = 2 * sheet->framed,
        .empty = __builtin_popcountll(sheet->empty[0]) + __builtin_popcountll(sheet->empty[1]),
    };
    sum.penalty = setup->players == 1 ? sum.empty : sum.empty / 2;
    sum.total = sum.lines + sum.transfers - sum.penalty;
    return sum;
}

static int score(const struct es_setup *setup, const struct es_state *state, int player)
{
    return es_verplant_sum(setup, state, player).total;
}

static unsigned winners(const struct es_setup *setup, const struct es_state *state)
{
    if (turn(setup, state).kind != ES_TURN_OVER)
        return 0;
    unsigned best = 0;
    struct es_verplant_sum top = {0};
    for (int p = 1; p <= setup->players; p++) {
        struct es_verplant_sum sum = es_verplant_sum(setup, state, p);
        bool better = sum.total > top.total || (sum.total == top.total && sum.empty < top.empty);
        bool equal = sum.total == top.total && sum.empty == top.empty;
        if (best == 0 || better) {
            best = 0;
            top = sum;
            equal = true;
        }
        best |= (unsigned)equal << (p - 1);
    }
    return best;
}

int es_verplant_grade(int points)
{
    static const int least[] = {50, 40, 30, 20, 10, 5, 1};
    int grade = 0;
    while (grade < 7 && points < least[grade])
        grade++;
    return grade;
}

/* ---- Invariants ---------------------------------------------------------------------------- */

static bool sheet_sound(const struct es_map *map, const struct es_verplant_sheet *sheet,
                        const struct es_verplant_paper *paper)
{
    int left = 0, framed = 0;
    for (int l = 0; l < map->lines; l++) {
        const struct es_map_line *line = &map->line[l];
        uint64_t open = 0;
        for (int i = 0; i < line->stops; i++)
            open |= (sheet->empty[line->stop[i] / 64] >> line->stop[i] % 64 & 1) << i;
        int free = es_verplant_free(sheet, l);
        left += free;
        if (open != sheet->open[l] || (open == 0) != (sheet->complete >> l & 1) ||
            (free > 0) != (sheet->choosable >> l & 1) || free > line->windows)
            return false;
        for (int w = 0; w < line->windows - free; w++)
            if (paper->written[line->windows_from + w] >= ES_CARD_FREE_RIDE)
                return false;
    }
    for (int s = 0; s < map->stations; s++)
        if (paper->framed[s / 64] >> s % 64 & 1)
            framed += map->node[s].calls;
    for (int half = 0; half < 2; half++)
        if ((sheet->empty[half] & paper->framed[half]) || (sheet->empty[half] & ~map->all[half]))
            return false;
    return left == sheet->windows_left && framed == sheet->framed &&
           !(sheet->scored & ~sheet->complete) && !(paper->first & ~sheet->scored);
}

static enum es_status check(const struct es_setup *setup, const struct es_state *state)
{
    const struct es_verplant_state *s = es_verplant_view(state);
    uint32_t scored = 0;
    if ((s->card == ES_CARD_NONE) != (s->acting == 0) || (s->pile & ~whole_pile(setup)) ||
        (s->acting & ~s->playing) || (!s->acting && !s->pile) ||
        s->left != __builtin_popcountll(s->pile))
        return ES_BROKEN;
    for (int p = 0; p < setup->players; p++) {
        const struct es_verplant_sheet *sheet = &s->sheet[p];
        int points = 0;
        for (int l = 0; l < setup->map->lines; l++)
            if (sheet->scored >> l & 1)
                points += s->paper[p].first >> l & 1 ? setup->map->line[l].first
                                                     : setup->map->line[l].later;
        scored |= sheet->scored;
        if (!sheet_sound(setup->map, sheet, &s->paper[p]) || points != sheet->points ||
            (s->playing >> p & 1) != (sheet->windows_left > 0) ||
            (s->acting >> p & 1) != (sheet->owed > 0) ||
            (!s->acting && sheet->scored != sheet->complete))
            return ES_BROKEN;
    }
    return scored == s->claimed ? ES_OK : ES_BROKEN;
}

static const char *const rule_words[] = {"special", NULL};

const struct es_game es_verplant = {
    .name = "verplant",
    .players_min = 1,
    .players_max = 6,
    .has_map = true,
    .has_deck = true,
    .rules = rule_words,
    .prepare = prepare,
    .start = start,
    .turn = turn,
    .legal = legal,
    .apply = apply,
    .weight = weight,
    .deal = deal,
    .observe = observe,
    .score = score,
    .winners = winners,
    .report = es__verplant_report,
    .parse = es__verplant_parse,
    .format = es__verplant_format,
    .check = check,
};
