/* A histogram of how long things took, in fixed classes: cheap enough to count everything. */
#ifndef ENDSTATION_TIMES_H
#define ENDSTATION_TIMES_H

#include <stdint.h>

/* Upper ends of the classes, in microseconds; the last class has none. */
static const uint32_t es__times_end[] = {1000,   5000,   10000,   25000,   50000,  100000,
                                         250000, 500000, 1000000, 2500000, 5000000};
enum { ES__TIMES_ENDS = sizeof es__times_end / sizeof es__times_end[0] };

struct es__times {
    uint64_t count[ES__TIMES_ENDS + 1]; /* of each class alone */
    uint64_t sum;                       /* microseconds */
};

static inline void es__times_add(struct es__times *times, uint64_t us)
{
    int i = 0;
    while (i < ES__TIMES_ENDS && us > es__times_end[i])
        i++;
    times->count[i]++;
    times->sum += us;
}

#endif
