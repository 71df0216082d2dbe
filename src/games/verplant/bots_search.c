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
#include "games/verplant/bots_sample.h"
#include <string.h>

enum {
    KEPT = 16,          /* candidates to search, at most */
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

struct search {
    struct es__sampler sampler;
    struct candidate candidate[KEPT];
    int count;
};

static float larger(float a, float b)
{
    return a > b ? a : b;
}

/* ---- The search ----------------------------------------------------------------------------- */

static void list_candidates(struct search *s)
{
    const struct es_sheet *sheet = &s->sampler.view->sheet[s->sampler.player - 1];
    es_choice choices[ES_CHOICES_MAX];
    size_t count = es_sheet_choices(s->sampler.setup->map, sheet, s->sampler.view->card, choices);
    for (size_t i = 0; i < count; i++) {
        struct candidate new = {.choice = choices[i]};
        memcpy(&new.sheet, sheet, es_sheet_bytes(s->sampler.setup->map));
        es__enter(s->sampler.setup, &new.sheet, s->sampler.view->card, choices[i]);
        new.first = es__evaluate_total(s->sampler.evaluator, &new.sheet, s->sampler.pile,
                                       s->sampler.view->card);
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
    es__sampler_draw(&s->sampler);
    if (!es__sampler_others(&s->sampler))
        return false;
    for (int i = 0; i < s->count; i++) {
        if (s->candidate[i].given_up)
            continue;
        if (es__stopped(thought) ||
            !es__sampler_try(&s->sampler, &s->candidate[i].sheet, &points[i], &win[i]))
            return false;
        thought->done++;
        value[i] = s->sampler.alone ? points[i] : 100 * win[i] + 0.02F * points[i];
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
        return (struct estimate){c->first, c->first, 1.0 / s->sampler.setup->players};
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
    const struct es_sheet *sheet = &s->sampler.view->sheet[s->sampler.player - 1];
    const float least = (float)(es__banked(sheet) - es__penalty(s->sampler.setup, sheet));
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
            .event = ES_VERPLANT_ENTRY(s->sampler.player, c->choice),
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
    s.count = 0;
    es__sampler_init(&s.sampler, level, setup, view, player, thought->seed,
                     es__thought_memory(thought));
    s.sampler.thought = thought;
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
