/* Status codes of depot alone; endstation/status.h has those of every game. */
#ifndef ENDSTATION_SRC_DEPOT_STATUS_H
#define ENDSTATION_SRC_DEPOT_STATUS_H

#include <endstation/status.h>

#define ES_DEPOT_STATUS_LIST(X)                                                                    \
    X(PLACE_BAD, "places are a1 to e5")                                                            \
    X(PLACE_TAKEN, "a wagon stands there already")

enum {
    ES__DEPOT_STATUS_BEFORE = ES_STATUS_OF(3) - 1,
#define ES_STATUS_CODE(code, sentence) ES_##code,
    ES_DEPOT_STATUS_LIST(ES_STATUS_CODE)
#undef ES_STATUS_CODE
};

#endif
