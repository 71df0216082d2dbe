/* Evaluates one node of a game. */
#include "analysis/internal.h"
#include <assert.h>
#include <endstation/map.h>
#include <endstation/sha256.h>
#include <string.h>

enum {
    STAGE = 16,  /* samples before events that are behind are given up */
    GIVE_UP = 3, /* standard errors behind the leader */
};

/* Derives a node's seed from everything that its result may depend on, apart from the event there:
 * the setup, the player, and the view before it. */
static uint64_t seed_of(const struct es_setup *setup, const es_event *seen, size_t count,
                        int player)
{
    struct es_sha256 sha;
    uint8_t digest[ES_SHA256_BYTES],
        bytes[4] = {setup->players, (uint8_t)setup->rules, (uint8_t)player};
    uint64_t seed = 0;
    es_sha256_init(&sha);
    es_sha256_update(&sha, setup->game->name, strlen(setup->game->name) + 1);
    if (setup->map)
        es_sha256_update(&sha, setup->map->hash, sizeof setup->map->hash);
    es_sha256_update(&sha, bytes, sizeof bytes);
    es_sha256_update(&sha, setup->options, sizeof setup->options);
    for (size_t i = 0; i < count; i++) {
        for (int b = 0; b < 4; b++)
            bytes[b] = (uint8_t)(seen[i] >> 8 * b);
        es_sha256_update(&sha, bytes, sizeof bytes);
    }
    es_sha256_final(&sha, digest);
    for (int b = 0; b < 8; b++)
        seed |= (uint64_t)digest[b] << 8 * b;
    return seed;
}

/* ---- Chance --------------------------------------------------------------------------------- */

/* Values every kind on the same samples. A kind's value in a sample is compared with the mean of
 * all kinds, by weight, in that sample. */
static void run_chance(const struct es_setup *setup, const struct es_state *view,
                       const struct es_node *node, int player, void *memory, uint64_t seed,
                       struct es_node_result *result)
{
    const struct es_sampling sampling = {.memory = memory,
                                         .seed = seed,
                                         .samples = setup->game->analysis->chance_samples,
                                         .calibrated = true};
    es_event legal[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, view, ES_CHANCE, legal);
    struct es__tally mean[ES_VALUES_MAX] = {{0}}, of_all = {0}, luck = {0};
    int32_t u[ES_BATCH * ES_VALUES_MAX];
    int64_t weights = 0, sum = 0;
    assert(count <= ES_VALUES_MAX);
    result->count = result->played = (uint8_t)count;
    result->legal = (uint32_t)count;
    for (size_t e = 0; e < count; e++) {
        uint32_t weight = setup->game->weight(setup, view, legal[e]);
        weights += weight;
        result->value[e] = (struct es_value){.event = legal[e], .weight = weight};
        if (!node->open && legal[e] == node->event)
            result->played = (uint8_t)e;
    }
    result->samples = sampling.samples;
    uint32_t batch = 0;
    for (uint32_t left = result->samples; left > 0; batch++) {
        uint32_t samples = left < ES_BATCH ? left : ES_BATCH;
        es__play_batch(setup, view, player, legal, count, &sampling, batch, samples, u);
        for (uint32_t i = 0; i < samples; i++) {
            int64_t all = 0;
            for (size_t e = 0; e < count; e++) {
                all += (int64_t)result->value[e].weight * u[i * count + e];
                es__tally_add(&mean[e], u[i * count + e]);
            }
            es__tally_add(&of_all, es__ratio(all, weights));
            if (!node->open)
                es__tally_add(&luck, u[i * count + result->played] - es__ratio(all, weights));
        }
        left -= samples;
    }
    for (size_t e = 0; e < count; e++) {
        result->value[e].mean = es__tally_mean(&mean[e]);
        result->value[e].error = es__tally_error(&mean[e]);
        sum += (int64_t)result->value[e].weight * result->value[e].mean;
    }
    result->before = es__ratio(sum, weights);
    result->error = es__tally_error(&of_all);
    for (size_t e = 0; e < count; e++)
        result->value[e].behind = result->before - result->value[e].mean;
    if (!node->open) {
        result->luck = result->value[result->played].mean - result->before;
        result->luck_error = es__tally_error(&luck);
    }
    result->after = result->before + result->luck;
}

/* ---- Decisions ------------------------------------------------------------------------------ */

/* The events that are compared to choose the best, and their values so far. */
struct race {
    size_t count;
    es_event event[ES_SHORTLIST];
    bool given_up[ES_SHORTLIST];
    uint32_t samples[ES_SHORTLIST];
    int64_t sum[ES_SHORTLIST];
    int32_t u[ES_SHORTLIST][ES_SAMPLES_MAX / 16];
};

/* Returns the leader; among equals the first, which is the event played. */
static size_t leader(const struct race *race)
{
    size_t best = race->count;
    for (size_t e = 0; e < race->count; e++)
        if (!race->given_up[e] && (best == race->count || race->sum[e] > race->sum[best]))
            best = e;
    return best;
}

/* Gives up events that are behind by more than chance explains; returns the number that is left. */
static size_t give_up(struct race *race)
{
    size_t best = leader(race), left = 0;
    for (size_t e = 0; e < race->count; e++) {
        struct es__tally behind = {0};
        if (race->given_up[e])
            continue;
        for (uint32_t i = 0; i < race->samples[e]; i++)
            es__tally_add(&behind, (int64_t)race->u[best][i] - race->u[e][i]);
        int64_t mean = es__tally_mean(&behind), error = es__tally_error(&behind);
        race->given_up[e] = e != best && mean > 0 && mean >= GIVE_UP * error;
        left += !race->given_up[e];
    }
    return left;
}

/* Chooses the best of the race's events. */
static size_t choose(const struct es_setup *setup, const struct es_state *view, int player,
                     void *memory, uint64_t seed, struct race *race)
{
    const struct es_sampling sampling = {memory, seed, setup->game->analysis->choose_samples, true,
                                         true};
    size_t left = race->count;
    uint32_t batch = 0;
    for (uint32_t done = 0; done < sampling.samples && left > 1; done += STAGE, batch++) {
        es_event events[ES_SHORTLIST];
        int32_t u[STAGE * ES_SHORTLIST];
        size_t who[ES_SHORTLIST], count = 0;
        for (size_t e = 0; e < race->count; e++)
            if (!race->given_up[e]) {
                who[count] = e;
                events[count++] = race->event[e];
            }
        es__play_batch(setup, view, player, events, count, &sampling, batch, STAGE, u);
        for (uint32_t i = 0; i < STAGE; i++)
            for (size_t k = 0; k < count; k++) {
                size_t e = who[k];
                race->u[e][race->samples[e]++] = u[i * count + k];
                race->sum[e] += u[i * count + k];
            }
        left = give_up(race);
    }
    return leader(race);
}

/* Lists what is measured: the best, the one played, and the next best as far as the race says. */
static size_t list_measured(const struct race *race, size_t best, bool open,
                            es_event events[ES_ALTERNATIVES])
{
    bool taken[ES_SHORTLIST] = {false};
    size_t count = 0;
    events[count++] = race->event[best];
    taken[best] = true;
    if (!open && best != 0) {
        events[count++] = race->event[0];
        taken[0] = true;
    }
    while (count < ES_ALTERNATIVES) {
        size_t next = race->count;
        for (size_t e = 0; e < race->count; e++)
            if (!taken[e] && race->samples[e] > 0 &&
                (next == race->count || race->samples[e] > race->samples[next] ||
                 (race->samples[e] == race->samples[next] && race->sum[e] > race->sum[next])))
                next = e;
        if (next == race->count)
            break;
        events[count++] = race->event[next];
        taken[next] = true;
    }
    return count;
}

/* Sorts all values but the first, the best, by how far they are behind it. */
static void sort_values(struct es_node_result *result, es_event played)
{
    for (size_t i = 2; i < result->count; i++)
        for (size_t j = i; j > 1 && result->value[j].behind < result->value[j - 1].behind; j--) {
            struct es_value kept = result->value[j];
            result->value[j] = result->value[j - 1];
            result->value[j - 1] = kept;
        }
    for (size_t i = 0; i < result->count; i++)
        if (result->value[i].event == played)
            result->played = (uint8_t)i;
}

/* Chooses the best event on one set of samples and measures it on another. */
static void run_decision(const struct es_setup *setup, const struct es_state *view,
                         const struct es_node *node, int player, void *memory, uint64_t seed,
                         struct es_node_result *result)
{
    const struct es_analysis *analysis = setup->game->analysis;
    es_event legal[ES_LEGAL_MAX], events[ES_ALTERNATIVES];
    struct race race;
    memset(&race, 0, sizeof race);
    assert(analysis->choose_samples <= ES_SAMPLES_MAX / 16);
    size_t count = setup->game->legal(setup, view, player, legal);
    result->legal = (uint32_t)count;
    es_sort_events(setup, view, player, memory, legal, count);
    if (!node->open)
        race.event[race.count++] = node->event;
    for (size_t i = 0; i < count && race.count < ES_SHORTLIST; i++)
        if (node->open || legal[i] != node->event)
            race.event[race.count++] = legal[i];
    size_t best = choose(setup, view, player, memory, es__mix(seed + 1), &race);
    count = list_measured(&race, best, node->open, events);
    struct es_sampling sampling = {memory, es__mix(seed + 2), analysis->measure_samples, true,
                                   true};
    struct es_value plain[ES_VALUES_MAX];
    es_status status = es_evaluate(setup, view, player, events, count, &sampling, result->value);
    assert(!status);
    sampling.careful = false;
    status = es_evaluate(setup, view, player, events, 1, &sampling, plain);
    assert(!status);
    result->samples = sampling.samples;
    result->count = result->played = (uint8_t)count;
    result->before = plain[0].mean;
    result->error = plain[0].error;
    if (!node->open) {
        sort_values(result, node->event);
        result->loss = result->value[result->played].behind;
        result->loss_error = result->value[result->played].difference;
    }
    result->after = result->before - result->loss;
    /* Means are shown on the scale of `before`. */
    for (size_t i = 0; i < result->count; i++)
        result->value[i].mean = result->before - result->value[i].behind;
}

void es_node_run(const struct es_setup *setup, const es_event *seen, const struct es_node *node,
                 int player, void *memory, struct es_node_result *result)
{
    struct es_state view;
    es_status status = es_fold(setup, seen, node->at, &view);
    assert(!status);
    uint64_t seed = seed_of(setup, seen, node->at, player);
    memset(result, 0, sizeof *result);
    if (node->chance)
        run_chance(setup, &view, node, player, memory, seed, result);
    else
        run_decision(setup, &view, node, player, memory, seed, result);
}
