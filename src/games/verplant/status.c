/* The names and sentences of verplant's own status codes. */
#include <endstation/verplant/status.h>

static const struct es_status_entry entries[] = {ES_VERPLANT_STATUS_LIST(ES_STATUS_ENTRY)};

extern const struct es_status_list es__verplant_statuses;
const struct es_status_list es__verplant_statuses = {
    .first = ES_STATUS_OF(1),
    .count = sizeof entries / sizeof entries[0],
    .entry = entries,
};
