/* The names and sentences of depot's own status codes. */
#include "games/depot/status.h"

static const struct es_status_entry entries[] = {ES_DEPOT_STATUS_LIST(ES_STATUS_ENTRY)};

extern const struct es_status_list es__depot_statuses;
const struct es_status_list es__depot_statuses = {
    .first = ES_STATUS_OF(3),
    .count = sizeof entries / sizeof entries[0],
    .entry = entries,
};
