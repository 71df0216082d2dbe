/* The rules of verplant: rounds, events, scores. The rules of an entry are in sheet.h. */
#include "games/verplant/rules.h"
#include "games/rounds.h"
#include <assert.h>
#include <string.h>

static struct es_verplant_state *verplant_state(struct es_state *state)
{
    return (struct es_verplant_state *)state;
}

static uint64_t bit(int i)
{
    return (uint64_t)1 << i;
}

/* ---- Setup ---------------------------------------------------------------------------------- */

es_status es__verplant_prepare(struct es_setup *setup)
{
    struct es_verplant_deck *deck = es__verplant_deck(setup);
    if (deck->size == 0)
        es_verplant_deck_read(setup, es_str(es_verplant_deck_14));
    if (deck->size > ES_DECK_MAX)
        return ES_DECK_SIZE;
    int count[ES_CARD_KINDS] = {0};
    for (int i = 0; i < deck->size; i++) {
        if (deck->card[i] >= ES_CARD_KINDS)
            return ES_CARD_BAD;
        count[deck->card[i]]++;
    }
    if (count[ES_CARD_SIX] == 0)
        return ES_DECK_SIX;
    int place = 0;
    for (int kind = 0; kind < ES_CARD_KINDS; kind++) {
        deck->copies[kind] = (bit(count[kind]) - 1) << place;
        for (int i = 0; i < count[kind]; i++)
            deck->card[place++] = (uint8_t)kind;
    }
    return ES_OK;
}

static uint64_t whole_pile(const struct es_setup *setup)
{
    return bit(es_verplant_deck(setup)->size) - 1;
}

void es__verplant_start(const struct es_setup *setup, struct es_state *state)
{
    memset(state, 0, sizeof *state);
    struct es_verplant_state *s = verplant_state(state);
    s->pile = whole_pile(setup);
    s->pile_count = es_verplant_deck(setup)->size;
    s->card = ES_CARD_NONE;
    s->playing = (uint8_t)((1 << setup->players) - 1);
    for (int p = 0; p < setup->players; p++)
        es_sheet_blank(setup->map, &s->sheet[p]);
}

/* ---- Lists ---------------------------------------------------------------------------------- */

struct es_turn es__verplant_turn(const struct es_setup *setup, const struct es_state *state)
{
    (void)setup;
    const struct es_verplant_state *s = es_verplant_state(state);
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
            if (s->pile & es_verplant_deck(setup)->copies[kind])
                events[count++] = ES_VERPLANT_CARD(kind);
    return count;
}

size_t es__verplant_legal(const struct es_setup *setup, const struct es_state *state, int who,
                          es_event *events)
{
    const struct es_verplant_state *s = es_verplant_state(state);
    if (who == ES_CHANCE)
        return legal_cards(setup, s, events);
    if (who < 0 || who > setup->players || !(s->acting >> (who - 1) & 1))
        return 0;
    es_choice choices[ES_CHOICES_MAX];
    size_t count = es_sheet_choices(setup->map, &s->sheet[who - 1], s->card, choices);
    for (size_t i = 0; i < count; i += 16) /* sixteen at a time; the list has room past its end */
        for (size_t j = i; j < i + 16; j++)
            events[j] = ES_VERPLANT_ENTRY(who, choices[j]);
    return count;
}

unsigned es__verplant_weight(const struct es_setup *setup, const struct es_state *state,
                             es_event event)
{
    return (unsigned)__builtin_popcountll(es_verplant_state(state)->pile &
                                          es_verplant_deck(setup)->copies[ES_EVENT_WHAT(event)]);
}

es_event es__verplant_deal(const struct es_setup *setup, const struct es_state *state,
                           const uint8_t seed[ES_SEED_BYTES])
{
    const struct es_verplant_state *s = es_verplant_state(state);
    uint8_t order[ES_DECK_MAX];
    assert(s->pile_count > 0);
    es_fair_shuffle(seed, s->shuffles, es_verplant_deck(setup)->size, order);
    return ES_VERPLANT_CARD(
        es_verplant_deck(setup)->card[order[es_verplant_deck(setup)->size - s->pile_count]]);
}

/* ---- Events --------------------------------------------------------------------------------- */

static es_status reveal(const struct es_setup *setup, struct es_verplant_state *s, uint32_t kind)
{
    if (s->acting)
        return ES_CHANCE_NOT_DUE;
    if (!s->playing)
        return ES_GAME_OVER;
    if (kind >= ES_CARD_KINDS)
        return ES_EVENT_BAD;
    uint64_t copies = s->pile & es_verplant_deck(setup)->copies[kind];
    if (!copies)
        return ES_CARD_GONE;
    s->pile ^= copies & -copies; /* always the lowest copy, so that equal piles have equal bits */
    s->pile_count--;
    s->card = (uint8_t)kind;
    s->round++;
    s->acting = s->playing;
    for (int p = 0; p < setup->players; p++)
        s->sheet[p].owed = s->playing >> p & 1;
    return ES_OK;
}

/* Scores the lines completed in this round, then prepares the next round. */
static void close_round(const struct es_setup *setup, struct es_verplant_state *s)
{
    uint32_t claimed = s->claimed;
    assert(s->card < ES_CARD_KINDS && s->acting == 0);
    for (int p = 0; p < setup->players; p++) {
        uint32_t fresh = es_sheet_score(setup->map, &s->sheet[p], claimed);
        s->detail[p].first |= fresh & ~claimed;
        s->claimed |= fresh;
    }
    if (s->card == ES_CARD_SIX) {
        s->pile = whole_pile(setup);
        s->pile_count = es_verplant_deck(setup)->size;
        s->shuffles++;
    }
    s->card = ES_CARD_NONE;
}

static es_status ride(const struct es_setup *setup, struct es_verplant_state *s, int player,
                      uint32_t what)
{
    struct es_sheet *sheet = &s->sheet[player - 1];
    int station = (int)what - 1;
    if (s->card != ES_CARD_FREE_RIDE)
        return ES_RIDE_NOT_OPEN;
    if (station >= setup->map->stations)
        return ES_STATION_UNKNOWN;
    if (station >= 0 && es_sheet_marked(sheet, station))
        return ES_STATION_MARKED;
    if (station >= 0)
        es_sheet_mark(setup->map, sheet, station);
    sheet->owed = 0; /* special stations add nothing here */
    return ES_OK;
}

/* Returns ES_OK, or why an entry on a line is illegal. */
static es_status entry_fault(const struct es_map *map, const struct es_sheet *sheet, int card,
                             uint32_t what)
{
    int l = (int)(what >> 8) - 1;
    int direction = ES_CHOICE_DIRECTION(what), marks = ES_CHOICE_MARKS(what);
    if (l >= map->lines)
        return ES_LINE_UNKNOWN;
    if (card == ES_CARD_FREE_RIDE)
        return ES_RIDE_NOT_OPEN;
    bool ring = map->rings >> l & 1;
    if (direction != ES_DIRECTION_NONE &&
        (!ring || marks == 0 || direction > ES_DIRECTION_FORWARDS))
        return ES_NO_RING;
    if (direction == ES_DIRECTION_NONE && ring && marks > 0)
        return ES_RING_NEEDS_DIRECTION;
    if (!(sheet->choosable >> l & 1))
        return ES_LINE_FULL;
    return marks > es_sheet_reach(map, sheet, card, l, direction) ? ES_MARKS_MANY : ES_OK;
}

static es_status enter(const struct es_setup *setup, struct es_verplant_state *s, int player,
                       uint32_t what)
{
    const struct es_map *map = setup->map;
    struct es_sheet *sheet = &s->sheet[player - 1];
    struct es_verplant_detail *detail = &s->detail[player - 1];
    es_status status = entry_fault(map, sheet, s->card, what);
    if (status)
        return status;

    es_choice choice = (es_choice)what;
    int l = ES_CHOICE_LINE(choice);
    const struct es_map_line *line = &map->line[l];
    assert(sheet->owed > 0 && es_sheet_free(sheet, l) > 0);
    detail->written[line->windows_end - es_sheet_free(sheet, l)] = s->card;
    uint64_t before[2] = {sheet->empty[0], sheet->empty[1]};
    unsigned special = es_sheet_enter(map, sheet, s->card, choice);
    if (s->card == ES_CARD_TRANSFER)
        for (int half = 0; half < 2; half++)
            detail->framed[half] |= before[half] & ~sheet->empty[half];
    if (!(setup->rules & ES_VERPLANT_SPECIAL))
        special = 0;
    sheet->owed = (uint8_t)(sheet->owed + special - 1);
    if (sheet->windows_left == 0) { /* entries still owed lapse */
        sheet->owed = 0;
        s->playing &= (uint8_t) ~(1 << (player - 1));
    }
    return ES_OK;
}

/* Applies a player's event. Not inlined into apply, so that card events do not save the registers
 * that entries need. */
static __attribute__((noinline)) es_status act(const struct es_setup *setup,
                                               struct es_verplant_state *s, es_event event)
{
    int player = ES_EVENT_WHO(event);
    uint32_t what = ES_EVENT_WHAT(event);
    if (player > setup->players)
        return ES_PLAYER_UNKNOWN;
    if (!(s->acting >> (player - 1) & 1))
        return s->acting ? ES_NOT_TO_ACT : s->playing ? ES_CHANCE_DUE : ES_GAME_OVER;
    es_status status = what >> 8 ? enter(setup, s, player, what) : ride(setup, s, player, what);
    if (status)
        return status;
    if (s->sheet[player - 1].owed == 0) {
        s->acting &= (uint8_t) ~(1 << (player - 1));
        if (!s->acting)
            close_round(setup, s);
    }
    return ES_OK;
}

es_status es__verplant_apply(const struct es_setup *setup, struct es_state *state, es_event event)
{
    return ES_EVENT_WHO(event) == ES_CHANCE
               ? reveal(setup, verplant_state(state), ES_EVENT_WHAT(event))
               : act(setup, verplant_state(state), event);
}

/* Other players' entries are left out until the round is closed. */
size_t es__verplant_observe(const struct es_setup *setup, const struct es_state *state,
                            const es_event *events, size_t count, int viewer, es_event *seen)
{
    size_t kept = 0;
    for (size_t from = 0, to; from < count; from = to) {
        if (ES_EVENT_WHO(events[from]) == ES_CHANCE) {
            seen[kept++] = events[from];
            to = from + 1;
            continue;
        }
        for (to = from; to < count && ES_EVENT_WHO(events[to]) != ES_CHANCE; to++)
            ;
        bool closed = to < count || !es_verplant_state(state)->acting;
        kept = es__observe_round(events, from, to, setup->players, viewer, closed, seen, kept);
    }
    return kept;
}

/* ---- Scores --------------------------------------------------------------------------------- */

struct es_verplant_sum es_verplant_sum(const struct es_setup *setup, const struct es_state *state,
                                       int player)
{
    const struct es_sheet *sheet = &es_verplant_state(state)->sheet[player - 1];
    struct es_verplant_sum sum = {
        .lines = sheet->points,
        .transfers = 2 * sheet->framed,
        .empty = es_sheet_empty(sheet),
    };
    sum.penalty = setup->players == 1 ? sum.empty : sum.empty / 2;
    sum.total = sum.lines + sum.transfers - sum.penalty;
    return sum;
}

int es__verplant_score(const struct es_setup *setup, const struct es_state *state, int player)
{
    return es_verplant_sum(setup, state, player).total;
}

unsigned es__verplant_winners(const struct es_setup *setup, const struct es_state *state)
{
    if (es__verplant_turn(setup, state).kind != ES_TURN_OVER)
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

/* ---- Invariants ----------------------------------------------------------------------------- */

static bool sheet_sound(const struct es_map *map, const struct es_sheet *sheet,
                        const struct es_verplant_detail *detail)
{
    int left = 0, framed = 0;
    for (int l = 0; l < map->lines; l++) {
        const struct es_map_line *line = &map->line[l];
        uint64_t open = 0;
        for (int i = 0; i < line->stops; i++)
            open |= (sheet->empty[line->stop[i] / 64] >> line->stop[i] % 64 & 1) << i;
        int free = es_sheet_free(sheet, l);
        left += free;
        if (open != sheet->open[l] || (free > 0) != (sheet->choosable >> l & 1) ||
            free > line->windows)
            return false;
        for (int w = 0; w < line->windows - free; w++)
            if (es_verplant_written(map, detail, l, w) >= ES_CARD_FREE_RIDE)
                return false;
    }
    for (int s = 0; s < map->stations; s++)
        if (es_verplant_framed(detail, s))
            framed += es_map_calls(map, s);
    for (int half = 0; half < 2; half++)
        if ((sheet->empty[half] & detail->framed[half]) || (sheet->empty[half] & ~map->all[half]))
            return false;
    return left == sheet->windows_left && framed == sheet->framed &&
           !(sheet->scored & ~es_sheet_complete(map, sheet)) && !(detail->first & ~sheet->scored);
}

es_status es__verplant_check(const struct es_setup *setup, const struct es_state *state)
{
    const struct es_verplant_state *s = es_verplant_state(state);
    uint32_t scored = 0;
    if ((s->card == ES_CARD_NONE) != (s->acting == 0) || (s->pile & ~whole_pile(setup)) ||
        (s->acting & ~s->playing) || (!s->acting && !s->pile) ||
        s->pile_count != __builtin_popcountll(s->pile))
        return ES_BROKEN;
    for (int p = 0; p < setup->players; p++) {
        const struct es_sheet *sheet = &s->sheet[p];
        int points = 0;
        for (int l = 0; l < setup->map->lines; l++)
            if (sheet->scored >> l & 1)
                points += es_verplant_won(setup->map, &s->detail[p], l);
        scored |= sheet->scored;
        if (!sheet_sound(setup->map, sheet, &s->detail[p]) || points != sheet->points ||
            (s->playing >> p & 1) != (sheet->windows_left > 0) ||
            (s->acting >> p & 1) != (sheet->owed > 0) ||
            (!s->acting && sheet->scored != es_sheet_complete(setup->map, sheet)))
            return ES_BROKEN;
    }
    return scored == s->claimed ? ES_OK : ES_BROKEN;
}
