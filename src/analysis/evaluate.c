/* Evaluates events by samples: means, standard errors, paired differences. */
#include "analysis/internal.h"
#include <endstation/bots.h>
#include <string.h>

int32_t es__ratio(int64_t sum, int64_t count)
{
    int64_t half = count / 2;
    return (int32_t)(sum < 0 ? -((-sum + half) / count) : (sum + half) / count);
}

int32_t es__tally_mean(const struct es__tally *tally)
{
    return es__ratio(tally->sum, tally->count);
}

/* The sums are whole numbers; what follows are single operations whose results IEEE 754 fixes. */
int32_t es__tally_error(const struct es__tally *tally)
{
    if (tally->count < 2)
        return INT32_MAX;
    double n = (double)tally->count, sum = (double)tally->sum;
    double squares = (double)tally->overflows * 0x1p64 + (double)tally->squares;
    double spread = squares - sum * sum / n;
    return spread > 0 ? (int32_t)(__builtin_sqrt(spread / (n * (n - 1))) + 0.5) : 0;
}

void es_best_of_halves(int32_t u[ES_CONSIDERED][ES_BATCH], size_t events, uint32_t samples,
                       size_t step, int32_t *values)
{
    int64_t sum[2][ES_CONSIDERED] = {{0}};
    size_t best[2] = {0, 0};
    for (size_t k = 0; k < events; k++)
        for (uint32_t i = 0; i < samples; i++)
            sum[i & 1][k] += u[k][i];
    for (int half = 0; half < 2; half++)
        for (size_t k = 1; k < events; k++)
            if (sum[half][k] > sum[half][best[half]])
                best[half] = k;
    for (uint32_t i = 0; i < samples; i++)
        values[i * step] = u[best[~i & 1]][i];
}

void es__play_batch(const struct es_setup *setup, const struct es_state *view, int player,
                    const es_event *events, size_t count, const struct es_sampling *sampling,
                    uint32_t batch, uint32_t samples, int32_t *values)
{
    const struct es_analysis *analysis = setup->game->analysis;
    struct es_sampling part = *sampling;
    part.seed = es__mix(sampling->seed + batch);
    part.samples = samples;
    analysis->play_on(setup, view, player, events, count, &part, values);
    if (sampling->calibrated && analysis->calibration)
        for (size_t i = 0; i < samples * count; i++)
            values[i] += analysis->calibration(setup, view, player, events[i % count], values[i]);
}

size_t es_analysis_bytes(const struct es_game *game)
{
    size_t most = game && game->analysis ? game->analysis->bytes : 1;
    for (int i = 0; !game && es_games[i]; i++) {
        size_t bytes = es_analysis_bytes(es_games[i]);
        most = bytes > most ? bytes : most;
    }
    return most;
}

void es_sort_events(const struct es_setup *setup, const struct es_state *view, int player,
                    void *memory, es_event *events, size_t count)
{
    float rating[ES_LEGAL_MAX];
    setup->game->analysis->glance(setup, view, player, events, count, memory, rating);
    for (size_t i = 1; i < count; i++) {
        const float now = rating[i];
        const es_event event = events[i];
        size_t at = i;
        for (; at > 0 && rating[at - 1] < now; at--) {
            rating[at] = rating[at - 1];
            events[at] = events[at - 1];
        }
        rating[at] = now;
        events[at] = event;
    }
}

es_status es__analysis_fault(const struct es_setup *setup, int player)
{
    if (!setup->game->analysis)
        return ES_ANALYSIS_NONE;
    return player < 1 || player > setup->players ? ES_PLAYER_UNKNOWN : ES_OK;
}

/* Returns ES_OK if the events can be evaluated: legal, and all of chance or all of the player. */
static es_status events_fault(const struct es_setup *setup, const struct es_state *view, int player,
                              const es_event *events, size_t count)
{
    es_status status = es__analysis_fault(setup, player);
    if (status)
        return status;
    int who = count > 0 ? ES_EVENT_WHO(events[0]) : -1;
    if (count < 1 || count > ES_VALUES_MAX || (who != ES_CHANCE && who != player))
        return ES_EVENT_BAD;
    if (who == player && (status = es_bot_fault(setup, view, player)))
        return status;
    if (who == ES_CHANCE && (status = es_view_fault(setup, view, player)))
        return status;
    for (size_t i = 0; i < count; i++) {
        struct es_state after = *view;
        if (ES_EVENT_WHO(events[i]) != who)
            return ES_EVENT_BAD;
        if ((status = setup->game->apply(setup, &after, events[i])))
            return status;
    }
    return ES_OK;
}

es_status es_evaluate(const struct es_setup *setup, const struct es_state *view, int player,
                      const es_event *events, size_t count, const struct es_sampling *sampling,
                      struct es_value values[ES_VALUES_MAX])
{
    es_status status = events_fault(setup, view, player, events, count);
    if (status || sampling->samples < 1 || sampling->samples > ES_SAMPLES_MAX)
        return status ? status : ES_NUMBER_RANGE;
    struct es__tally mean[ES_VALUES_MAX] = {{0}}, behind[ES_VALUES_MAX] = {{0}};
    int32_t u[ES_BATCH * ES_VALUES_MAX];
    uint32_t batch = 0;
    for (uint32_t left = sampling->samples; left > 0; batch++) {
        uint32_t samples = left < ES_BATCH ? left : ES_BATCH;
        es__play_batch(setup, view, player, events, count, sampling, batch, samples, u);
        for (uint32_t i = 0; i < samples; i++)
            for (size_t e = 0; e < count; e++) {
                es__tally_add(&mean[e], u[i * count + e]);
                es__tally_add(&behind[e], (int64_t)u[i * count] - u[i * count + e]);
            }
        left -= samples;
    }
    for (size_t e = 0; e < count; e++) {
        bool chance = ES_EVENT_WHO(events[e]) == ES_CHANCE;
        values[e] = (struct es_value){
            .event = events[e],
            .weight = chance ? setup->game->weight(setup, view, events[e]) : 0,
            .mean = es__tally_mean(&mean[e]),
            .error = es__tally_error(&mean[e]),
            .behind = es__tally_mean(&behind[e]),
            .difference = es__tally_error(&behind[e]),
        };
    }
    return ES_OK;
}
