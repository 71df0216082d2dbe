/* Playing a position of verplant on with the cards of a sample. */
#include "games/verplant/bots_sample.h"
#include "games/verplant/bots_entry.h"
#include <string.h>

enum {
    NEVER = 255,
    /* Evaluations after which `stop` is polled: a few hundred microseconds on a usual sheet, about
     * a millisecond on the largest. There, with extra entries for special stations, one round can
     * take hundreds of thousands. */
    POLLED_AFTER = 128,
};

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* ---- Positions ------------------------------------------------------------------------------ */

void es__sampler_move(struct es__sampler *s, const struct es_state *view)
{
    s->view = es_verplant_state(view);
    s->pile = s->view->card == ES_CARD_SIX ? es__whole_pile(s->setup) : s->view->pile;
    es__race(s->setup, s->view->sheet, s->player, s->view->claimed, &s->evaluator->race);
    if (s->alone)
        for (int l = 0; l < s->setup->map->lines; l++)
            s->evaluator->race.gap[l] = s->evaluator->race.rival[l] = 0;
}

void es__sampler_init(struct es__sampler *s, const struct es__search_level *level,
                      const struct es_setup *setup, const struct es_state *view, int player,
                      uint64_t seed, struct es__evaluator *memory)
{
    s->setup = setup;
    s->level = level;
    s->player = player;
    s->alone = level->ignore_others || setup->players == 1;
    s->evaluator = memory;
    s->thought = NULL;
    s->polled = 0;
    es_random_seed(&s->random, seed);
    es__evaluator_init(s->evaluator, setup, &es__trained.net);
    es__sampler_move(s, view);
}

/* ---- Stopping ------------------------------------------------------------------------------- */

/* Returns true if whoever asked wants the answer now. */
static bool poll_stop(struct es__sampler *s)
{
    s->polled = s->evaluator->evaluations;
    return s->thought && s->thought->stop && s->thought->stop(s->thought->context);
}

/* Does so after enough evaluations; otherwise returns false. */
static inline bool stopped(struct es__sampler *s)
{
    return s->evaluator->evaluations - s->polled >= POLLED_AFTER && poll_stop(s);
}

/* ---- Playing on ----------------------------------------------------------------------------- */

/* Lists the entries considered while playing on: as many marks as possible on each line, or the
 * best free rides. */
static size_t list_entries(const struct es__evaluator *evaluator, const struct es_sheet *sheet,
                           int card, es_choice choices[ES_CHOICES_MAX])
{
    if (card == ES_CARD_FREE_RIDE)
        return es__good_rides(evaluator, sheet, choices);
    return es__candidates(evaluator->setup->map, sheet, card, 1, choices);
}

/* Makes the entry with the best static evaluation. */
static void enter_best(struct es__evaluator *evaluator, struct es_sheet *sheet, uint64_t pile,
                       int card)
{
    const struct es_setup *setup = evaluator->setup;
    const size_t bytes = es_sheet_bytes(setup->map);
    es_choice choices[ES_CHOICES_MAX];
    size_t count = list_entries(evaluator, sheet, card, choices);
    struct es_sheet tried[2];
    int best = 0;
    float most = -1e9F;
    for (size_t i = 0; i < count; i++) {
        struct es_sheet *next = &tried[1 - best];
        memcpy(next, sheet, bytes);
        es__enter(setup, next, card, choices[i]);
        float value = count > 1 ? es__evaluate_total(evaluator, next, pile, card) : 0;
        if (value > most) {
            most = value;
            best = 1 - best;
        }
    }
    memcpy(sheet, &tried[best], bytes);
}

/* Makes all entries of a round. Returns false if stopped. */
static bool enter_round(struct es__sampler *s, struct es_sheet *sheet, int r)
{
    for (; sheet->owed; enter_best(s->evaluator, sheet, s->piles[r], s->card[r]))
        if (stopped(s))
            return false;
    return true;
}

/* ---- One sample ----------------------------------------------------------------------------- */

void es__sampler_draw(struct es__sampler *s)
{
    uint64_t pile = s->pile;
    s->card[0] = s->view->card;
    s->piles[0] = pile;
    for (s->cards = 1; s->cards <= s->level->rounds; s->cards++) {
        int place = es_verplant_draw(s->setup, pile, &s->random);
        s->card[s->cards] = es_verplant_deck(s->setup)->card[place];
        pile = es__pile_without(s->setup, pile, es_verplant_deck(s->setup)->card[place]);
        s->piles[s->cards] = pile;
    }
}

/* Includes the open round, whose entries are not known. */
bool es__sampler_others(struct es__sampler *s)
{
    const struct es_map *map = s->setup->map;
    const struct es_verplant_state *view = s->view;
    struct es__others *o = &s->others;
    if (s->alone)
        return true;
    struct es_sheet sheet[ES_PLAYERS_MAX];
    memcpy(sheet, view->sheet, (size_t)s->setup->players * sizeof sheet[0]);
    memset(o->round, NEVER, sizeof o->round);
    o->claimed[0] = view->claimed;
    o->windows_left = 0;
    for (int p = 0; p < s->setup->players; p++)
        for (int l = 0; l < map->lines; l++)
            if (sheet[p].scored >> l & 1)
                o->round[p][l] = 0; /* scored already */
    for (int r = 0; r < s->cards; r++) {
        uint32_t fresh = 0;
        es__race(s->setup, sheet, s->player, o->claimed[r], &o->race[r]);
        for (int p = 0; p < s->setup->players; p++) {
            if (p + 1 == s->player || !sheet[p].windows_left)
                continue;
            /* They are taken to run for themselves: what matters is how far they get. */
            s->evaluator->race = o->race[r];
            for (int l = 0; l < map->lines; l++)
                s->evaluator->race.rival[l] = 0;
            sheet[p].owed = r > 0 ? 1 : view->acting >> p & 1 ? view->sheet[p].owed : 0;
            if (!enter_round(s, &sheet[p], r))
                return false;
            uint32_t done = es_sheet_score(map, &sheet[p], o->claimed[r]);
            fresh |= done;
            for (; done; done &= done - 1)
                o->round[p][__builtin_ctz(done)] = (uint8_t)(r + 1);
        }
        o->claimed[r + 1] = o->claimed[r] | fresh;
    }
    es__race(s->setup, sheet, s->player, o->claimed[s->cards], &o->race[s->cards]);
    for (int p = 0; p < s->setup->players; p++) {
        if (p + 1 == s->player)
            continue;
        s->evaluator->race = o->race[s->cards];
        memset(s->evaluator->chance, 0, sizeof s->evaluator->chance);
        o->points[p] = (float)es__banked(&sheet[p]) +
                       es__evaluate(s->evaluator, &sheet[p], s->piles[s->cards - 1], 0);
        memcpy(o->chance[p], s->evaluator->chance, sizeof o->chance[p]);
        o->windows[p] = sheet[p].windows_left;
        o->windows_left += sheet[p].windows_left;
    }
    return true;
}

/* Returns the expected share of the win for a lead in points, with `windows_left` windows still to
 * fill. */
static float win_of(float lead, int windows_left)
{
    if (windows_left == 0)
        return lead > 0.25F ? 1 : lead < -0.25F ? 0 : 0.5F;
    float x = 1.6F * lead / (0.6F + __builtin_sqrtf((float)windows_left));
    return 0.5F + 0.5F * x / (1 + (x < 0 ? -x : x));
}

/* One of the ways in which a candidate is played on. */
struct lane {
    struct es_sheet sheet;
    float value;
    uint8_t mine[ES_LINES_MAX]; /* the round in which a line is completed, or NEVER */
};

/* Adds a sheet to the best so far, unless it is there already. Returns their number. */
static int keep_lane(const struct es__sampler *s, struct lane *lanes, int count,
                     const struct es_sheet *sheet, float value, const uint8_t *mine)
{
    const int width = s->level->width;
    if (count == width && value <= lanes[width - 1].value)
        return count;
    for (int i = 0; i < count; i++)
        if (lanes[i].value == value &&
            memcmp(lanes[i].sheet.empty, sheet->empty, sizeof sheet->empty) == 0)
            return count;
    int at = count < width ? count++ : width - 1;
    for (; at > 0 && lanes[at - 1].value < value; at--)
        lanes[at] = lanes[at - 1];
    memcpy(&lanes[at].sheet, sheet, es_sheet_bytes(s->setup->map));
    lanes[at].value = value;
    memcpy(lanes[at].mine, mine, sizeof lanes[at].mine);
    return count;
}

/* Expands every lane by every entry for a card of the sample, and keeps the best. Returns their
 * number; 0 if stopped. */
static int play_lanes(struct es__sampler *s, const struct lane *from, int count, int r,
                      struct lane *to)
{
    const struct es_setup *setup = s->setup;
    const uint32_t claimed = s->alone ? s->view->claimed : s->others.claimed[r];
    int kept = 0;
    if (!s->alone)
        s->evaluator->race = s->others.race[r];
    for (int i = 0; i < count; i++) {
        es_choice choices[ES_CHOICES_MAX];
        const struct es_sheet *now = &from[i].sheet;
        size_t ways = now->owed ? list_entries(s->evaluator, now, s->card[r], choices) : 1;
        for (size_t k = 0; k < ways; k++) {
            struct es_sheet next;
            memcpy(&next, now, es_sheet_bytes(setup->map));
            if (now->owed)
                es__enter(setup, &next, s->card[r], choices[k]);
            if (stopped(s) || !enter_round(s, &next, r))
                return 0;
            float value = es__evaluate_total(s->evaluator, &next, s->piles[r], s->card[r]);
            kept = keep_lane(s, to, kept, &next, value, from[i].mine);
        }
    }
    for (int i = 0; i < kept; i++) {
        uint32_t done = es_sheet_score(setup->map, &to[i].sheet, claimed);
        for (; done; done &= done - 1)
            to[i].mine[__builtin_ctz(done)] = (uint8_t)(r + 1);
        to[i].sheet.owed = to[i].sheet.windows_left > 0; /* for the next card */
    }
    return kept;
}

/* What a player can expect in the end who is beaten to some lines. */
static float beaten(const struct es__sampler *s, int player, const uint8_t *mine)
{
    const struct es_map *map = s->setup->map;
    const struct es__others *o = &s->others;
    float theirs = o->points[player];
    for (int l = 0; l < map->lines; l++) {
        if (mine[l] == NEVER || s->view->claimed >> l & 1 || o->round[player][l] <= mine[l])
            continue;
        bool other = false; /* a third player was first */
        for (int q = 0; q < s->setup->players; q++)
            other |= q != player && q + 1 != s->player && o->round[q][l] <= mine[l];
        float gap = (float)(map->line[l].first - map->line[l].later);
        if (!other)
            theirs -= gap * (o->round[player][l] == NEVER ? o->chance[player][l] : 1);
    }
    return theirs;
}

/* Plays a sheet on in the best few ways; returns the best, which is in `lanes`, or NULL if
 * stopped. */
static const struct lane *play_sheet(struct es__sampler *s, const struct es_sheet *sheet,
                                     struct lane lanes[2][ES__WIDEST])
{
    struct lane *now = lanes[0], *next = lanes[1];
    int count = 1;
    memcpy(&now->sheet, sheet, es_sheet_bytes(s->setup->map));
    memset(now->mine, NEVER, sizeof now->mine);
    for (int r = 0; r < s->cards; r++) {
        struct lane *swap = now;
        if (r > 0 && poll_stop(s))
            return NULL;
        count = play_lanes(s, now, count, r, next);
        if (!count)
            return NULL;
        now = next;
        next = swap;
    }
    return now;
}

bool es__sampler_try(struct es__sampler *s, const struct es_sheet *sheet, float *points, float *win)
{
    struct lane lanes[2][ES__WIDEST];
    const struct lane *now = play_sheet(s, sheet, lanes);
    if (!now)
        return false;
    *points = now->value;
    *win = 1;
    if (s->alone)
        return true;
    float best = -1e9F;
    for (int p = 0; p < s->setup->players; p++)
        if (p + 1 != s->player)
            best = larger(best, beaten(s, p, now->mine));
    *win = win_of(*points - best, now->sheet.windows_left + s->others.windows_left);
    return true;
}

float es__sampler_share(struct es__sampler *s, const struct es_sheet *sheet, float *points)
{
    struct lane lanes[2][ES__WIDEST];
    const struct lane *now = play_sheet(s, sheet, lanes);
    assert(now && !s->thought);
    float expected[ES_PLAYERS_MAX], sum = 0, own = 0;
    int windows[ES_PLAYERS_MAX];
    *points = now->value;
    if (s->alone)
        return 1;
    for (int p = 0; p < s->setup->players; p++) {
        bool other = p + 1 != s->player;
        expected[p] = other ? beaten(s, p, now->mine) : now->value;
        windows[p] = other ? s->others.windows[p] : now->sheet.windows_left;
    }
    for (int p = 0; p < s->setup->players; p++) {
        float share = 1;
        for (int q = 0; q < s->setup->players; q++)
            if (q != p)
                share *= win_of(expected[p] - expected[q], windows[p] + windows[q]);
        sum += share;
        own = p + 1 == s->player ? share : own;
    }
    return sum > 0 ? own / sum : 0;
}
