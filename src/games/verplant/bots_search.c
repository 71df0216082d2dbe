/* Monte Carlo search for verplant: strong, master and solo.
 *
 * Each sample draws cards from those left in the pile. For every candidate entry the game is played
 * on for a few rounds with these cards, in the way with the best static evaluation (bots_value.h),
 * or in a few ways at once, of which the best counts; then the position is evaluated. All
 * candidates get the same cards, so that luck cancels out in the comparison; a candidate that is
 * clearly behind is given up, and the time goes to the close ones.
 *
 * Playing on in several ways and taking the best uses knowledge of the sample's cards. It values
 * what an entry leaves open, and overrates all candidates about equally.
 *
 *     candidates   A3  A2  C>4  E1 …          sorted by static evaluation
 *     sample 1     41  40   43   38           the same cards for all
 *     sample 2     35  36   39   31
 *     …            given up: E1, then A2 …
 *
 * With several players, the others' sheets are played on too. That does not depend on one's own
 * entry, apart from the race for the higher values, so it is done once per sample; who was first is
 * worked out for each candidate, and candidates are compared by the chance to win.
 */
#include "games/verplant/bots.h"
#include "games/verplant/bots_entry.h"
#include "games/verplant/bots_value.h"
#include <string.h>

enum {
    KEPT = 16,          /* candidates to search, at most */
    ROUNDS = 8,         /* cards to look ahead, at most */
    WIDEST = 8,         /* ways to play on at once, at most */
    FEWEST = 8,         /* samples before a candidate can be given up */
    GIVE_UP_SIGMA2 = 9, /* given up when more than 3 standard errors behind the leader (3² = 9) */
};

struct candidate {
    es_choice choice;
    struct es_sheet sheet; /* with the entry made */
    float first;           /* static evaluation of the entry */
    /* Sums over all samples: the value compared, and the points and wins behind it. */
    double value, points, win;
    double squares[KEPT]; /* of the difference to other candidates */
    int samples;
    bool given_up;
    /* Set when given up: the leader then, and its mean lead. Later samples used cards that this
     * candidate was not tried with, so only this difference can be compared. */
    int leader;
    struct estimate {
        double value, points, win;
    } ahead;
};

/* The other players in one sample. */
struct others {
    float points[ES_PLAYERS_MAX]; /* final points, if nobody else completes their lines first */
    uint8_t round[ES_PLAYERS_MAX][ES_LINES_MAX]; /* in which they complete a line, or NEVER */
    float chance[ES_PLAYERS_MAX][ES_LINES_MAX];  /* to complete it after that */
    int windows_left;
    struct es__race race[ROUNDS + 2]; /* the race before each round */
    uint32_t claimed[ROUNDS + 2];     /* before each round */
};
enum { NEVER = 255 };

struct search {
    const struct es_setup *setup;
    const struct es_verplant_state *view;
    const struct es__search_level *level;
    int player;
    bool alone;    /* no other players, or they are ignored */
    uint64_t pile; /* after the open card */
    struct es__evaluator evaluator;
    struct es_random random;
    /* The sample: cards of the rounds to come, and the pile after each. */
    int cards;
    uint8_t card[ROUNDS + 1];
    uint64_t piles[ROUNDS + 1];
    struct others others;
    struct candidate candidate[KEPT];
    int count;
};

static float larger(float a, float b)
{
    return a > b ? a : b;
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

static void enter_round(struct es__evaluator *evaluator, struct es_sheet *sheet, uint64_t pile,
                        int card)
{
    while (sheet->owed)
        enter_best(evaluator, sheet, pile, card);
}

/* ---- One sample ----------------------------------------------------------------------------- */

static void draw_cards(struct search *s)
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

/* Plays the others' sheets on, including the open round, whose entries are not known. */
static void play_others(struct search *s)
{
    const struct es_map *map = s->setup->map;
    const struct es_verplant_state *view = s->view;
    struct others *o = &s->others;
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
            s->evaluator.race = o->race[r];
            for (int l = 0; l < map->lines; l++)
                s->evaluator.race.rival[l] = 0;
            sheet[p].owed = r > 0 ? 1 : view->acting >> p & 1 ? view->sheet[p].owed : 0;
            enter_round(&s->evaluator, &sheet[p], s->piles[r], s->card[r]);
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
        s->evaluator.race = o->race[s->cards];
        memset(s->evaluator.chance, 0, sizeof s->evaluator.chance);
        o->points[p] = (float)es__banked(&sheet[p]) +
                       es__evaluate(&s->evaluator, &sheet[p], s->piles[s->cards - 1], 0);
        memcpy(o->chance[p], s->evaluator.chance, sizeof o->chance[p]);
        o->windows_left += sheet[p].windows_left;
    }
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
static int keep_lane(const struct search *s, struct lane *lanes, int count,
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
 * number. */
static int play_lanes(struct search *s, const struct lane *from, int count, int r, struct lane *to)
{
    const struct es_setup *setup = s->setup;
    const uint32_t claimed = s->alone ? s->view->claimed : s->others.claimed[r];
    int kept = 0;
    if (!s->alone)
        s->evaluator.race = s->others.race[r];
    for (int i = 0; i < count; i++) {
        es_choice choices[ES_CHOICES_MAX];
        const struct es_sheet *now = &from[i].sheet;
        size_t ways = now->owed ? list_entries(&s->evaluator, now, s->card[r], choices) : 1;
        for (size_t k = 0; k < ways; k++) {
            struct es_sheet next;
            memcpy(&next, now, es_sheet_bytes(setup->map));
            if (now->owed)
                es__enter(setup, &next, s->card[r], choices[k]);
            enter_round(&s->evaluator, &next, s->piles[r], s->card[r]);
            float value = es__evaluate_total(&s->evaluator, &next, s->piles[r], s->card[r]);
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
static float beaten(const struct search *s, int player, const uint8_t *mine)
{
    const struct es_map *map = s->setup->map;
    const struct others *o = &s->others;
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

/* Plays a candidate on through the sample's cards in the best few ways and evaluates the best
 * result. Returns false if stopped on the way, which matters on large sheets. */
static bool try_candidate(struct search *s, const struct candidate *c,
                          const struct es_thought *thought, float *points, float *win)
{
    struct lane lanes[2][WIDEST], *now = lanes[0], *next = lanes[1];
    int count = 1;
    memcpy(&now->sheet, &c->sheet, es_sheet_bytes(s->setup->map));
    memset(now->mine, NEVER, sizeof now->mine);
    for (int r = 0; r < s->cards; r++) {
        struct lane *swap = now;
        if (r > 0 && thought->stop && thought->stop(thought->context))
            return false;
        count = play_lanes(s, now, count, r, next);
        now = next;
        next = swap;
    }
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

/* ---- The search ----------------------------------------------------------------------------- */

static void list_candidates(struct search *s)
{
    const struct es_sheet *sheet = &s->view->sheet[s->player - 1];
    es_choice choices[ES_CHOICES_MAX];
    size_t count = es_sheet_choices(s->setup->map, sheet, s->view->card, choices);
    for (size_t i = 0; i < count; i++) {
        struct candidate new = {.choice = choices[i]};
        memcpy(&new.sheet, sheet, es_sheet_bytes(s->setup->map));
        es__enter(s->setup, &new.sheet, s->view->card, choices[i]);
        new.first = es__evaluate_total(&s->evaluator, &new.sheet, s->pile, s->view->card);
        if (s->count == KEPT && s->candidate[KEPT - 1].first >= new.first)
            continue;
        int at = s->count < KEPT ? s->count++ : KEPT - 1;
        for (; at > 0 && s->candidate[at - 1].first < new.first; at--)
            s->candidate[at] = s->candidate[at - 1];
        s->candidate[at] = new;
    }
}

static int leader(const struct search *s)
{
    int best = -1;
    for (int i = 0; i < s->count; i++)
        if (!s->candidate[i].given_up &&
            (best < 0 || s->candidate[i].value > s->candidate[best].value))
            best = i;
    return best;
}

/* Gives up candidates that are behind the leader by more than chance explains; returns the number
 * left. */
static int give_up(struct search *s)
{
    int best = leader(s), left = 0;
    for (int i = 0; i < s->count; i++) {
        struct candidate *c = &s->candidate[i];
        if (c->given_up)
            continue;
        double n = c->samples, behind = (s->candidate[best].value - c->value) / n;
        double spread = c->squares[best] / n - behind * behind;
        if (i != best && n >= FEWEST && behind * behind * n > GIVE_UP_SIGMA2 * (spread + 0.05)) {
            c->given_up = true;
            c->leader = best;
            c->ahead = (struct estimate){behind, (s->candidate[best].points - c->points) / n,
                                         (s->candidate[best].win - c->win) / n};
        } else {
            left++;
        }
    }
    return left;
}

/* Tries all candidates with the same cards. Returns false, adding nothing, if stopped before the
 * last: half a sample would not be fair. */
static bool sample(struct search *s, struct es_thought *thought)
{
    float points[KEPT], win[KEPT], value[KEPT];
    draw_cards(s);
    if (!s->alone)
        play_others(s);
    for (int i = 0; i < s->count; i++) {
        if (s->candidate[i].given_up)
            continue;
        if (es__stopped(thought) ||
            !try_candidate(s, &s->candidate[i], thought, &points[i], &win[i]))
            return false;
        thought->done++;
        value[i] = s->alone ? points[i] : 100 * win[i] + 0.02F * points[i];
    }
    for (int i = 0; i < s->count; i++) {
        struct candidate *c = &s->candidate[i];
        if (c->given_up)
            continue;
        c->samples++;
        c->value += value[i];
        c->points += points[i];
        c->win += win[i];
        for (int j = 0; j < s->count; j++)
            if (!s->candidate[j].given_up)
                c->squares[j] += (value[i] - value[j]) * (value[i] - value[j]);
    }
    return true;
}

/* Returns the estimate of a candidate. For one that was given up, that is the estimate of its
 * leader then, less its lead: it was tried with fewer cards. */
static struct estimate estimate(const struct search *s, const struct candidate *c)
{
    if (!c->samples)
        return (struct estimate){c->first, c->first, 1.0 / s->setup->players};
    if (!c->given_up)
        return (struct estimate){c->value / c->samples, c->points / c->samples,
                                 c->win / c->samples};
    struct estimate e = estimate(s, &s->candidate[c->leader]); /* which stayed longer */
    return (struct estimate){e.value - c->ahead.value, e.points - c->ahead.points,
                             e.win - c->ahead.win};
}

/* The best first, then the others by what is expected of them. Nothing on a sheet is ever lost, so
 * nobody ends below what they have, whatever the judge says of a strange sheet. */
static void report(const struct search *s, int best, struct es_thought *thought)
{
    const struct es_sheet *sheet = &s->view->sheet[s->player - 1];
    const float least = (float)(es__banked(sheet) - es__penalty(s->setup, sheet));
    const struct candidate *order[KEPT] = {&s->candidate[best]};
    int count = 1;
    for (int i = 0; i < s->count; i++) {
        const struct candidate *c = &s->candidate[i];
        int at = count;
        if (i == best)
            continue;
        double value = estimate(s, c).value;
        for (; at > 1 && c->samples && value > estimate(s, order[at - 1]).value; at--)
            order[at] = order[at - 1];
        order[at] = c;
        count++;
    }
    for (int i = 0; i < count; i++) {
        const struct candidate *c = order[i];
        struct estimate e = estimate(s, c);
        thought->candidate[i] = (struct es_candidate){
            .event = ES_VERPLANT_ENTRY(s->player, c->choice),
            .samples = (uint32_t)c->samples,
            .points = larger((float)e.points, least),
            .win = larger(e.win > 1 ? 1 : (float)e.win, 0),
        };
    }
    thought->candidates = (size_t)count;
}

es_event es__verplant_search(const struct es__search_level *level, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    struct search s;
    const uint64_t asked = thought->iterations;
    s.setup = setup;
    s.view = es_verplant_state(view);
    s.level = level;
    s.player = player;
    s.alone = level->ignore_others || setup->players == 1;
    s.pile = s.view->card == ES_CARD_SIX ? es__whole_pile(setup) : s.view->pile;
    s.count = 0;
    es_random_seed(&s.random, thought->seed);
    es__evaluator_init(&s.evaluator, setup, &es__trained.net);
    es__race(setup, s.view->sheet, player, s.view->claimed, &s.evaluator.race);
    if (s.alone)
        for (int l = 0; l < setup->map->lines; l++)
            s.evaluator.race.gap[l] = s.evaluator.race.rival[l] = 0;
    thought->done = 0;
    if (!asked)
        thought->iterations = level->usual;
    list_candidates(&s);
    while (s.count > 1 && sample(&s, thought) && give_up(&s) > 1)
        ;
    thought->iterations = asked;
    int best = s.candidate[0].samples ? leader(&s) : 0;
    report(&s, best, thought);
    return thought->candidate[0].event;
}
