/* Declarations shared by the files of src/analysis. */
#ifndef ENDSTATION_ANALYSIS_INTERNAL_H
#define ENDSTATION_ANALYSIS_INTERNAL_H

#include "core/exact.h"
#include <endstation/analysis.h>

/* Mixes numbers for seeds (the finaliser of splitmix64). */
static inline uint64_t es__mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

/* A sum of whole numbers and of their squares. A square of a difference of two values may have 64
 * bits, so the sum of squares has 128. */
struct es__tally {
    int64_t sum, count;
    uint64_t squares, overflows;
};

static inline void es__tally_add(struct es__tally *tally, int64_t x)
{
    uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, square = size * size;
    tally->sum += x;
    tally->squares += square;
    tally->overflows += tally->squares < square;
    tally->count++;
}

/* Returns the quotient, rounded to the nearest whole number. */
int32_t es__ratio(int64_t sum, int64_t count);
int32_t es__tally_mean(const struct es__tally *tally);
/* Returns the standard error of the mean; INT32_MAX if there are fewer than two numbers. */
int32_t es__tally_error(const struct es__tally *tally);

/* Plays one batch of a sampling, `samples` of its samples (at most ES_BATCH); batches of other
 * numbers have other random numbers. */
void es__play_batch(const struct es_setup *setup, const struct es_state *view, int player,
                    const es_event *events, size_t count, const struct es_sampling *sampling,
                    uint32_t batch, uint32_t samples, int32_t *values);

/* Returns ES_OK if a view of this game can be evaluated for a player. */
es_status es__analysis_fault(const struct es_setup *setup, int player);

#endif
