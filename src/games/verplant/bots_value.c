/* The features of a sheet, and the network that evaluates them. */
#include "games/verplant/bots_value.h"
#include "games/verplant/bots_entry.h"
#include <string.h>

/* Maps any number smoothly to between -1 and 1. */
static float squash(float x)
{
    return x / (1 + (x < 0 ? -x : x));
}

static float most(float a, float b)
{
    return a > b ? a : b;
}

/* sums += x times rows, sixteen sums at a time in registers. Every sum is added up in the order of
 * x, so the result does not depend on the registers. */
typedef float four __attribute__((vector_size(16), aligned(4), may_alias));
_Static_assert(ES__HIDDEN % 16 == 0 && ES__HEAD % 16 == 0, "sixteen at a time");

static inline void add_rows(int width, float *sums, int count, const float *x, const float *rows)
{
    for (int h = 0; h < width; h += 16) {
        four *to = (four *)(sums + h), a = to[0], b = to[1], c = to[2], d = to[3];
        for (int i = 0; i < count; i++) {
            const four *row = (const four *)(rows + i * width + h);
            a += x[i] * row[0];
            b += x[i] * row[1];
            c += x[i] * row[2];
            d += x[i] * row[3];
        }
        to[0] = a;
        to[1] = b;
        to[2] = c;
        to[3] = d;
    }
}

void es__evaluator_init(struct es__evaluator *evaluator, const struct es_setup *setup,
                        const struct es__net *net)
{
    evaluator->setup = setup;
    evaluator->net = net;
    evaluator->special = setup->rules & ES_VERPLANT_SPECIAL;
    evaluator->evaluations = 0;
    for (int l = 0; l < setup->map->lines; l++) {
        evaluator->race.points[l] = setup->map->line[l].first;
        evaluator->race.gap[l] = evaluator->race.rival[l] = 0;
    }
    for (int w = 0; w <= ES__REACH_WINDOWS; w++)
        for (int i = 0; i < ES__REACH_PLACES; i++) {
            evaluator->miss[w][i] = w ? 1 - net->reach[w - 1][i] : 1;
            evaluator->inverse_miss[w][i] = 1 / most(evaluator->miss[w][i], 1e-6F);
        }
    evaluator->line_memos = ES__LINE_MEMOS;
    while (evaluator->line_memos * setup->map->lines > ES__LINE_MEMOS)
        evaluator->line_memos /= 2;
    for (int i = 0; i < ES__LINE_MEMOS; i++)
        evaluator->line[i].windows = 0;
    for (int i = 0; i < ES__PILE_MEMOS; i++)
        evaluator->pile[i].pile = 0; /* never a key: no pile is empty when a card is due */
}

void es__race(const struct es_setup *setup, const struct es_sheet *sheets, int player,
              uint32_t claimed, struct es__race *race)
{
    const struct es_map *map = setup->map;
    for (int l = 0; l < map->lines; l++) {
        bool late = claimed >> l & 1;
        race->points[l] = late ? map->line[l].later : map->line[l].first;
        race->gap[l] = late ? 0 : (float)(map->line[l].first - map->line[l].later);
        race->rival[l] = 0;
        for (int p = 1; p <= setup->players && !late; p++)
            if (p != player) {
                int lacking = __builtin_popcountll(sheets[p - 1].open[l]);
                race->rival[l] = most(race->rival[l], 1 / (1 + (float)lacking));
            }
    }
}

/* ---- One line ------------------------------------------------------------------------------- */

/* Lists the empty stations of a line in the order of travel, with their places in the reach table;
 * on a ring, by the nearer direction. */
static void list_stations(const struct es_map_line *line, uint64_t open, struct es__line_memo *memo)
{
    int before = 0, gaps = 0, last = -1;
    uint8_t back[ES_STOPS_MAX];
    if (line->ring) {
        uint64_t turned = es__in_order(line, open, ES_DIRECTION_BACKWARDS);
        for (; turned; turned &= turned - 1, before++) {
            int at = __builtin_ctzll(turned);
            gaps += last >= 0 && at != last + 1;
            last = at;
            back[at == 0 ? 0 : line->stops - at] = (uint8_t)es__reach_place(before, gaps);
        }
    }
    before = gaps = 0;
    last = -1;
    for (; open; open &= open - 1, before++) {
        int at = __builtin_ctzll(open);
        gaps += last >= 0 && at != last + 1;
        last = at;
        int place = es__reach_place(before, gaps);
        memo->station[before] = line->stop[at];
        memo->place[before] = (uint8_t)(line->ring && back[at] < place ? back[at] : place);
    }
    memo->count = (uint8_t)before;
}

/* Sets the lengths of the first three runs of ones; returns the number of runs. */
static int runs_of(uint64_t open, int run[3])
{
    int runs = 0;
    run[0] = run[1] = run[2] = 0;
    while (open) {
        open >>= __builtin_ctzll(open);
        int length = ~open ? __builtin_ctzll(~open) : ES_STOPS_MAX;
        if (runs < 3)
            run[runs] = length < 8 ? length : 8;
        runs++;
        open = length < ES_STOPS_MAX ? open >> length : 0;
    }
    return runs;
}

static void local_features(const struct es__evaluator *evaluator, const struct es__line_memo *memo,
                           float x[ES__LOCAL])
{
    const struct es_map *map = evaluator->setup->map;
    const struct es_map_line *line = &map->line[memo->line];
    int windows = memo->windows - 1, run[3], runs = runs_of(memo->open, run);
    float lacking = memo->count, capacity = (float)windows * 3.8F - lacking;
    memset(x, 0, ES__LOCAL * sizeof *x);
    x[windows < 4 ? windows : 4] = 1;
    x[5] = lacking * 0.1F;
    x[6] = memo->open == 0;
    x[7] = (float)run[0] * 0.2F;
    x[8] = (float)run[1] * 0.2F;
    x[9] = (float)run[2] * 0.2F;
    x[10] = (float)runs * 0.3F;
    for (int i = 0; i < 4; i++)
        x[11 + i] = run[0] >= 3 + i;
    x[15] = line->ring;
    x[16] = squash(capacity);
    x[17] = squash(capacity - 1.5F * (float)(runs > 1 ? runs - 1 : 0));
    /* Other lines that call at the empty stations: the value of a transfer, and of marks for other
     * lines. */
    for (int i = 0; i < memo->count; i++) {
        float calls = (float)es_map_calls(map, memo->station[i]);
        if (i < 3)
            x[18 + i] = calls * 0.25F;
        if (i < 8 && windows)
            x[21] = most(x[21], calls * 0.25F);
        if (i < 4 && evaluator->special && es_map_special(map, memo->station[i]))
            x[22] += 0.5F;
        x[23] += (calls - 1) * 0.05F;
    }
}

static void fill_line(const struct es__evaluator *evaluator, int l, uint64_t open, int windows,
                      struct es__line_memo *memo)
{
    const struct es_map *map = evaluator->setup->map;
    memo->open = open;
    memo->line = (uint8_t)l;
    memo->windows = (uint8_t)(windows + 1);
    list_stations(&map->line[l], open, memo);
    int run[3], runs = runs_of(open, run);
    memo->run = (uint8_t)run[0];
    memo->runs = (uint8_t)runs;
    memo->first_calls = memo->count && windows ? (uint8_t)es_map_calls(map, memo->station[0]) : 0;
}

static const struct es__line_memo *look_at_line(struct es__evaluator *evaluator, int l,
                                                uint64_t open, int windows)
{
    uint64_t key = (open * 16 + (uint64_t)windows) * 0x9e3779b97f4a7c15;
    uint32_t place =
        (uint32_t)l * evaluator->line_memos + (key >> 40 & (evaluator->line_memos - 1));
    struct es__line_memo *memo = &evaluator->line[place];
    if (__builtin_expect(memo->windows == windows + 1 && memo->open == open, 1))
        return memo;
    float x[ES__LOCAL];
    fill_line(evaluator, l, open, windows, memo);
    local_features(evaluator, memo, x);
    memset(memo->hidden, 0, sizeof memo->hidden);
    add_rows(ES__HIDDEN, memo->hidden, ES__LOCAL, x, &evaluator->net->local[0][0]);
    return memo;
}

/* ---- Lines among each other ----------------------------------------------------------------- */

/* Lines that still matter, and for every station how likely all windows are to miss it. */
struct lines {
    int count;
    const struct es__line_memo *memo[ES_LINES_MAX];
    float missed[ES_STATIONS_MAX];
};

static int reach_row(const struct es__line_memo *memo)
{
    int windows = memo->windows - 1;
    return windows < ES__REACH_WINDOWS ? windows : ES__REACH_WINDOWS;
}

static void combine(const struct es__evaluator *evaluator, struct lines *lines)
{
    for (int s = 0; s < evaluator->setup->map->stations; s++)
        lines->missed[s] = 1;
    for (int n = 0; n < lines->count; n++) {
        const struct es__line_memo *memo = lines->memo[n];
        const float *miss = evaluator->miss[reach_row(memo)];
        if (memo->windows > 1)
            for (int i = 0; i < memo->count; i++)
                lines->missed[memo->station[i]] *= miss[memo->place[i]];
    }
}

static void cross_features(const struct es__evaluator *evaluator, const struct lines *lines, int n,
                           const struct es__pile_memo *pile, float x[ES__CROSS])
{
    const struct es__line_memo *memo = lines->memo[n];
    const float *inverse_miss = evaluator->inverse_miss[reach_row(memo)];
    float all = 1, lacking = 0, help = (float)memo->count, worst = 1;
    for (int i = 0; i < memo->count; i++) {
        float missed = lines->missed[memo->station[i]];
        all *= 1 - missed;
        lacking += missed;
        help -= missed * inverse_miss[memo->place[i]];
        worst = 1 - missed < worst ? 1 - missed : worst;
    }
    float windows = (float)(memo->windows - 1), count = memo->count;
    float points = count > 0 ? evaluator->race.points[memo->line] : 0;
    float gap = count > 0 ? evaluator->race.gap[memo->line] : 0,
          rival = evaluator->race.rival[memo->line];
    x[0] = all;
    x[1] = lacking * 0.3F;
    x[2] = help * 0.2F;
    x[3] = worst;
    x[4] = squash(windows * 3.8F - count + help);
    x[5] = squash((count - help) * 0.25F - windows);
    x[6] = all * points * 0.125F;
    x[7] = points * 0.125F;
    x[8] = memo->windows > 1 ? pile->likely[memo->run] : 0;
    x[9] = memo->windows > 1 ? pile->marks[memo->run] * 0.3F : 0;
    x[10] = memo->runs == 1 ? x[8] : 0;
    /* In solo all of these are 0, and left out. */
    x[11] = gap * 0.25F;
    x[12] = gap > 0 ? rival : 0;
    x[13] = gap * rival * 0.25F;
    x[14] = all * gap * 0.25F;
}

/* ---- The whole ------------------------------------------------------------------------------ */

static void sheet_features(const struct es__evaluator *evaluator, const struct es_sheet *sheet,
                           const struct lines *lines, float transfers, int card, float x[ES__SHEET])
{
    float expected = 0, idle = 0, calls = 0;
    for (int half = 0; half < 2; half++)
        for (uint64_t left = sheet->empty[half]; left; left &= left - 1)
            expected += lines->missed[64 * half + __builtin_ctzll(left)];
    for (int n = 0; n < lines->count; n++) {
        const struct es__line_memo *memo = lines->memo[n];
        calls = most(calls, memo->first_calls);
        idle += memo->count ? 0 : (float)(memo->windows - 1);
    }
    (void)evaluator;
    x[0] = (float)sheet->windows_left * 0.05F;
    x[1] = (float)es_sheet_empty(sheet) * 0.02F;
    x[2] = expected * 0.05F;
    x[3] = idle * 0.2F;
    x[4] = calls * 0.25F;
    x[5] = transfers * calls * 0.2F;
    x[6] = 10 / ((float)sheet->windows_left + 5);
    x[7] = sheet->owed;
    x[8] = sheet->owed ? (float)es_card_marks(card) * 0.2F : 0;
}

/* Returns the group of a card: low, middle and high numbers, express, transfer, free ride. */
static int group_of(int kind)
{
    return kind == ES_CARD_FREE_RIDE  ? 5
           : kind == ES_CARD_TRANSFER ? 4
           : kind >= ES_CARD_EXPRESS  ? 3
           : kind >= 4                ? 2
           : kind >= 2                ? 1
                                      : 0;
}

static void pile_features(const struct es__evaluator *evaluator, uint64_t pile,
                          struct es__pile_memo *memo, float x[ES__PILE])
{
    const struct es_setup *setup = evaluator->setup;
    float left = (float)__builtin_popcountll(pile), size = es_verplant_deck(setup)->size;
    float in_pile[6] = {0}, in_deck[6] = {0};
    for (int kind = 0; kind < ES_CARD_KINDS; kind++) {
        in_pile[group_of(kind)] +=
            (float)__builtin_popcountll(pile & es_verplant_deck(setup)->copies[kind]);
        in_deck[group_of(kind)] +=
            (float)__builtin_popcountll(es_verplant_deck(setup)->copies[kind]);
    }
    x[0] = setup->players == 1;
    for (int i = 1; i < 6; i++)
        x[i] = in_pile[i] / left;
    x[6] = left / size;
    x[7] = in_pile[4] * 0.5F;
    x[8] = in_pile[5];
    x[9] = in_deck[4] / size * 5;
    x[10] = in_deck[2] / size * 3;
    x[11] = evaluator->special;
    memo->pile = pile;
    memo->transfers = in_pile[4];
    for (int run = 0; run <= 8; run++) {
        memo->likely[run] = memo->marks[run] = 0;
        for (int kind = 0; kind < ES_CARD_EXPRESS; kind++) {
            float share =
                (float)__builtin_popcountll(pile & es_verplant_deck(setup)->copies[kind]) / left;
            memo->likely[run] += run > 0 && kind + 1 >= run ? share : 0;
            memo->marks[run] += share * (float)(kind + 1 < run ? kind + 1 : run);
        }
    }
}

static const struct es__pile_memo *look_at_pile(struct es__evaluator *evaluator, uint64_t pile)
{
    struct es__pile_memo *memo =
        &evaluator->pile[(pile * 0x9e3779b97f4a7c15) >> 32 & (ES__PILE_MEMOS - 1)];
    if (memo->pile == pile)
        return memo;
    const struct es__net *net = evaluator->net;
    float x[ES__PILE];
    pile_features(evaluator, pile, memo, x);
    memcpy(memo->hidden, net->bias, sizeof memo->hidden);
    memcpy(memo->head, net->head_bias, sizeof memo->head);
    add_rows(ES__HIDDEN, memo->hidden, ES__PILE, x, &net->pile[0][0]);
    add_rows(ES__HEAD, memo->head, ES__PILE, x, &net->head_pile[0][0]);
    return memo;
}

/* Collects the lines that can still bring or cost points. */
static void gather(struct es__evaluator *evaluator, const struct es_sheet *sheet,
                   struct lines *lines)
{
    lines->count = 0;
    for (int l = 0; l < evaluator->setup->map->lines; l++) {
        int windows = es_sheet_free(sheet, l);
        if (windows || sheet->open[l])
            lines->memo[lines->count++] = look_at_line(evaluator, l, sheet->open[l], windows);
    }
}

float es__evaluate(struct es__evaluator *evaluator, const struct es_sheet *sheet, uint64_t pile,
                   int card)
{
    const struct es__net *net = evaluator->net;
    int empty = es_sheet_empty(sheet);
    evaluator->evaluations++;
    if (sheet->windows_left == 0)
        return -(float)(evaluator->setup->players == 1 ? empty : empty / 2);
    struct lines lines;
    const struct es__pile_memo *base = look_at_pile(evaluator, pile);
    gather(evaluator, sheet, &lines);
    combine(evaluator, &lines);
    float x[ES__SHEET], shared[ES__HIDDEN], pool[ES__HIDDEN] = {0}, head[ES__HEAD];
    sheet_features(evaluator, sheet, &lines, base->transfers, card, x);
    memcpy(shared, base->hidden, sizeof shared);
    memcpy(head, base->head, sizeof head);
    add_rows(ES__HIDDEN, shared, ES__SHEET, x, &net->sheet[0][0]);
    add_rows(ES__HEAD, head, ES__SHEET, x, &net->head_sheet[0][0]);
    float value = net->out_bias;
    const int cross = evaluator->setup->players == 1 ? 11 : ES__CROSS; /* no race in solo */
    for (int n = 0; n < lines.count; n++) {
        float hidden[ES__HIDDEN], y[ES__CROSS];
        four products = {0};
        cross_features(evaluator, &lines, n, base, y);
        for (int h = 0; h < ES__HIDDEN; h++)
            hidden[h] = shared[h] + lines.memo[n]->hidden[h];
        add_rows(ES__HIDDEN, hidden, cross, y, &net->cross[0][0]);
        for (int h = 0; h < ES__HIDDEN; h++) {
            hidden[h] = most(hidden[h], 0);
            pool[h] += hidden[h];
        }
        for (int h = 0; h < ES__HIDDEN; h += 4)
            products += *(const four *)(hidden + h) * *(const four *)(net->line + h);
        float sum = products[0] + products[1] + products[2] + products[3] + net->line_bias;
        float chance = 0.5F + 0.5F * squash(sum);
        evaluator->chance[lines.memo[n]->line] = chance;
        value += 8 * y[7] * chance;
    }
    add_rows(ES__HEAD, head, ES__HIDDEN, pool, &net->head_pool[0][0]);
    for (int h = 0; h < ES__HEAD; h++)
        value += most(head[h], 0) * net->out[h];
    return value;
}

float es__evaluate_total(struct es__evaluator *evaluator, const struct es_sheet *sheet,
                         uint64_t pile, int card)
{
    float sum = (float)es__banked(sheet);
    uint32_t fresh = es_sheet_complete(evaluator->setup->map, sheet) & ~sheet->scored;
    for (; fresh; fresh &= fresh - 1)
        sum += evaluator->race.points[__builtin_ctz(fresh)];
    return sum + es__evaluate(evaluator, sheet, pile, card);
}

/* Prefers stations on lines that lack few marks and bring many points. */
size_t es__good_rides(const struct es__evaluator *evaluator, const struct es_sheet *sheet,
                      es_choice choices[ES__RIDES])
{
    const struct es_map *map = evaluator->setup->map;
    float liking[ES_STATIONS_MAX] = {0}, best[ES__RIDES];
    size_t count = 0;
    for (int l = 0; l < map->lines; l++) {
        float lacking = (float)__builtin_popcountll(sheet->open[l]);
        for (uint64_t left = sheet->open[l]; left; left &= left - 1)
            liking[map->line[l].stop[__builtin_ctzll(left)]] +=
                evaluator->race.points[l] / (lacking * lacking);
    }
    for (int s = 0; s < map->stations; s++) {
        if (es_sheet_marked(sheet, s) || (count == ES__RIDES && liking[s] <= best[count - 1]))
            continue;
        size_t at = count < ES__RIDES ? count++ : ES__RIDES - 1;
        for (; at > 0 && best[at - 1] < liking[s]; at--) {
            best[at] = best[at - 1];
            choices[at] = choices[at - 1];
        }
        best[at] = liking[s];
        choices[at] = ES_CHOICE_RIDE(s);
    }
    if (count == 0)
        choices[count++] = ES_CHOICE_NO_RIDE;
    return count;
}

void es__features(struct es__evaluator *evaluator, const struct es_sheet *sheet, uint64_t pile,
                  int card, struct es__features *features)
{
    struct lines lines = {.count = 0};
    struct es__line_memo memo[ES_LINES_MAX];
    for (int l = 0; l < evaluator->setup->map->lines; l++) {
        int windows = es_sheet_free(sheet, l);
        if (!windows && !sheet->open[l])
            continue;
        fill_line(evaluator, l, sheet->open[l], windows, &memo[l]);
        lines.memo[lines.count++] = &memo[l];
    }
    combine(evaluator, &lines);
    struct es__pile_memo of_pile;
    pile_features(evaluator, pile, &of_pile, features->pile);
    features->lines = lines.count;
    for (int n = 0; n < lines.count; n++) {
        features->line[n] = lines.memo[n]->line;
        local_features(evaluator, lines.memo[n], features->local[n]);
        cross_features(evaluator, &lines, n, &of_pile, features->cross[n]);
        features->points[n] = 8 * features->cross[n][7];
    }
    sheet_features(evaluator, sheet, &lines, of_pile.transfers, card, features->sheet);
}
