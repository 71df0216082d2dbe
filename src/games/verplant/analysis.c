/* Evaluates positions of verplant for the analysis: plays them on with the quick players of the
 * searching bots.
 *
 * Values that are compared between positions come from players who make the entry with the best
 * static evaluation and do not know the cards to come. To compare the entries of one decision, the
 * player analysed plays on in several ways at once, of which the best counts: without that, entries
 * that leave more open are not recognised, and a master's choices would look no better than those
 * of a weaker player (docs/analysis.md has the figures). That overrates all entries, by about the
 * same, which cancels out in the difference.
 *
 * In each sample the cards come in an order that does not depend on the position: every card of the
 * deck has a random rank, and the lowest in the pile comes next. After a 6 the ranks are new. So
 * two positions with nearly the same pile get nearly the same cards. */
#include "games/verplant/analysis.h"
#include "games/verplant/bots_entry.h"
#include "games/verplant/bots_sample.h"
#include <assert.h>
#include <endstation/analysis.h>
#include <endstation/verplant/hindsight.h>
#include <string.h>

static const struct es__search_level plain = {.rounds = 4, .width = 1};
static const struct es__search_level careful = {.rounds = 5, .width = 4};

/* ---- A glance ------------------------------------------------------------------------------- */

static void glance(const struct es_setup *setup, const struct es_state *view, int player,
                   const es_event *events, size_t count, void *memory, float *ratings)
{
    const struct es_verplant_state *s = es_verplant_state(view);
    const struct es_sheet *sheet = &s->sheet[player - 1];
    const uint64_t pile = s->card == ES_CARD_SIX ? es__whole_pile(setup) : s->pile;
    struct es__evaluator *evaluator = memory;
    es__evaluator_init(evaluator, setup, &es__trained.net);
    es__race(setup, s->sheet, player, s->claimed, &evaluator->race);
    for (size_t i = 0; i < count; i++) {
        struct es_sheet next;
        memcpy(&next, sheet, es_sheet_bytes(setup->map));
        es__enter(setup, &next, s->card, (es_choice)ES_EVENT_WHAT(events[i]));
        ratings[i] = es__evaluate_total(evaluator, &next, pile, s->card);
    }
}

/* ---- Samples -------------------------------------------------------------------------------- */

static uint64_t rank(uint64_t sample, int shuffle, int place)
{
    uint64_t x = sample + (uint64_t)(shuffle * ES_DECK_MAX + place) * 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* Returns the place of the card that comes next. */
static int next_card(uint64_t pile, uint64_t sample, int shuffle)
{
    int best = __builtin_ctzll(pile);
    uint64_t lowest = rank(sample, shuffle, best);
    for (uint64_t left = pile & (pile - 1); left; left &= left - 1) {
        int place = __builtin_ctzll(left);
        uint64_t now = rank(sample, shuffle, place);
        if (now < lowest) {
            lowest = now;
            best = place;
        }
    }
    return best;
}

/* Sets the cards of a sample. `first`: which card of the pile comes first, counted from its lowest;
 * below 0: the one of the lowest rank. */
static void set_cards(struct es__sampler *s, uint64_t sample, int first)
{
    const uint8_t *deck = es_verplant_deck(s->setup)->card;
    uint64_t pile = s->pile;
    int shuffle = s->view->card == ES_CARD_SIX;
    s->card[0] = s->view->card;
    s->piles[0] = pile;
    for (s->cards = 1; s->cards <= s->level->rounds; s->cards++) {
        uint64_t left = pile;
        for (; first > 0; first--)
            left &= left - 1;
        int card = deck[first == 0 ? __builtin_ctzll(left) : next_card(pile, sample, shuffle)];
        first = -1;
        pile = es__pile_without(s->setup, pile, card);
        shuffle += card == ES_CARD_SIX;
        s->card[s->cards] = (uint8_t)card;
        s->piles[s->cards] = pile;
    }
}

static int32_t value_of(struct es__sampler *s, const struct es_sheet *sheet)
{
    float points, share = es__sampler_share(s, sheet, &points);
    float value = (s->alone ? points : share) * (float)ES_VALUE_ONE;
    return (int32_t)(value < 0 ? value - 0.5F : value + 0.5F);
}

/* Lists the entries with the best static evaluation; returns their number. */
static size_t list_best(struct es__sampler *s, struct es_sheet best[ES_CONSIDERED])
{
    const struct es_sheet *sheet = &s->view->sheet[s->player - 1];
    const size_t bytes = es_sheet_bytes(s->setup->map);
    es_choice choices[ES_CHOICES_MAX];
    float value[ES_CONSIDERED];
    size_t kept = 0;
    if (!sheet->owed) { /* the player has finished; others go on */
        memcpy(&best[0], sheet, bytes);
        return 1;
    }
    size_t count = es_sheet_choices(s->setup->map, sheet, s->view->card, choices);
    for (size_t i = 0; i < count; i++) {
        struct es_sheet next;
        memcpy(&next, sheet, bytes);
        es__enter(s->setup, &next, s->view->card, choices[i]);
        float now = es__evaluate_total(s->evaluator, &next, s->pile, s->view->card);
        if (kept == ES_CONSIDERED && value[kept - 1] >= now)
            continue;
        size_t at = kept < ES_CONSIDERED ? kept++ : ES_CONSIDERED - 1;
        for (; at > 0 && value[at - 1] < now; at--) {
            value[at] = value[at - 1];
            memcpy(&best[at], &best[at - 1], bytes);
        }
        value[at] = now;
        memcpy(&best[at], &next, bytes);
    }
    return kept;
}

/* Each kind of card in turn, with the same ranks of the other cards. */
static void play_cards(struct es__sampler *s, const struct es_state *view, const es_event *events,
                       size_t count, uint64_t seed, uint32_t samples, int32_t *values)
{
    int32_t u[ES_CONSIDERED][ES_BATCH];
    for (size_t e = 0; e < count; e++) {
        struct es_state after = *view;
        struct es_sheet sheets[ES_CONSIDERED];
        es_status status = s->setup->game->apply(s->setup, &after, events[e]);
        assert(!status);
        es__sampler_move(s, &after);
        size_t entries = list_best(s, sheets);
        for (uint32_t i = 0; i < samples; i++) {
            set_cards(s, rank(seed, 0, (int)i), -1);
            es__sampler_others(s);
            for (size_t k = 0; k < entries; k++)
                u[k][i] = value_of(s, &sheets[k]);
        }
        es_best_of_halves(u, entries, samples, count, values + e);
    }
}

/* Each entry in turn, with the same cards. The first card of the samples is spread evenly over the
 * pile, which leaves less to chance. */
static void play_entries(struct es__sampler *s, const es_event *events, size_t count, uint64_t seed,
                         uint32_t samples, int32_t *values)
{
    uint64_t size = (uint64_t)__builtin_popcountll(s->pile), offset = rank(seed, 1, 0) >> 32;
    for (uint32_t i = 0; i < samples; i++) {
        /* floor((i + offset) * size / samples), with an offset between 0 and 1 */
        uint64_t first = ((((uint64_t)i << 32) + offset) * size / samples) >> 32;
        set_cards(s, rank(seed, 0, (int)i), (int)first);
        es__sampler_others(s);
        for (size_t e = 0; e < count; e++) {
            struct es_sheet sheet;
            memcpy(&sheet, &s->view->sheet[s->player - 1], es_sheet_bytes(s->setup->map));
            es__enter(s->setup, &sheet, s->view->card, (es_choice)ES_EVENT_WHAT(events[e]));
            values[i * count + e] = value_of(s, &sheet);
        }
    }
}

static void play_on(const struct es_setup *setup, const struct es_state *view, int player,
                    const es_event *events, size_t count, const struct es_sampling *sampling,
                    int32_t *values)
{
    struct es__sampler s;
    assert(sampling->samples <= ES_BATCH);
    es__sampler_init(&s, sampling->careful ? &careful : &plain, setup, view, player, 0,
                     sampling->memory);
    if (ES_EVENT_WHO(events[0]) == ES_CHANCE)
        play_cards(&s, view, events, count, sampling->seed, sampling->samples, values);
    else
        play_entries(&s, events, count, sampling->seed, sampling->samples, values);
}

/* ---- Calibration ---------------------------------------------------------------------------- */

/* What the static evaluation misjudges on an empty sheet of a city, in tenths of a point. */
static const struct {
    const char *hash;
    int tenths;
} misjudged[] = {
    {"14ef81ba2c2de24b43b64d46ac1131a5", -6},  /* Amsterdam */
    {"7489d4756c6cb1924e7d9964d2ab1bcd", -16}, /* its earlier version */
    {"4d6b0fcf9b1b71e291ceddc9a0a37aca", 26},  /* Paris */
    {"6ea910e5261a9f5aa036c75c4c02aa0d", -17}, /* Madrid */
};

/* Returns what is missing from the values of a solo game. The quick players get fewer points than
 * the best play that losses are measured against: about a sixth of a point for each window still to
 * fill. What is misjudged on a sheet fades in the first third of the game. */
static int32_t missing_alone(const struct es_map *map, int left)
{
    const int early = 3 * left - 2 * map->windows;
    int32_t missing = left * (ES_VALUE_ONE * 5 / 32);
    for (size_t i = 0; early > 0 && i < sizeof misjudged / sizeof misjudged[0]; i++)
        if (strcmp(map->hash, misjudged[i].hash) == 0)
            missing += misjudged[i].tenths * (ES_VALUE_ONE / 10) * early / map->windows;
    return missing;
}

/* With others, the values that all players have at the start should add up to 1, but the player
 * analysed makes the next entry better than the quick players. (docs/analysis.md) */
static int32_t calibration(const struct es_setup *setup, const struct es_state *view, int player,
                           es_event event, int32_t value)
{
    (void)event, (void)value;
    static const uint8_t surplus[ES_PLAYERS_MAX + 1] = {0,   0,   55, 80,
                                                        100, 115, 140}; /* per mille */
    const int left = es_verplant_state(view)->sheet[player - 1].windows_left;
    if (setup->players == 1)
        return missing_alone(setup->map, left);
    return -left * (ES_VALUE_ONE / 1000 * surplus[setup->players]) / setup->map->windows;
}

/* ---- Hindsight ------------------------------------------------------------------------------ */

enum { HINDSIGHT_WIDTH = 300 };

static size_t hindsight_bytes(const struct es_setup *setup, size_t count)
{
    return es_hindsight_bytes(setup, count, HINDSIGHT_WIDTH);
}

static bool hindsight(const struct es_setup *setup, const es_event *events, size_t count,
                      int player, void *memory, int *points)
{
    struct es_hindsight best;
    if (!es_hindsight(setup, events, count, player, HINDSIGHT_WIDTH, memory, &best))
        return false;
    *points = best.points;
    return true;
}

static int completed(const struct es_setup *setup, const struct es_state *state, int player)
{
    (void)setup;
    return __builtin_popcount(es_verplant_state(state)->sheet[player - 1].scored);
}

const struct es_analysis es__verplant_analysis = {
    .bytes = sizeof(struct es__evaluator),
    .glance = glance,
    .play_on = play_on,
    .calibration = calibration,
    .hindsight_bytes = hindsight_bytes,
    .hindsight = hindsight,
    .completed = completed,
    .chance_samples = 32,
    .choose_samples = 48,
    .measure_samples = 64,
};
