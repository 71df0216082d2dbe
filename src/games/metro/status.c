/* The names and sentences of metro's own status codes. */
#include <endstation/metro/status.h>

static const struct es_status_entry entries[] = {ES_METRO_STATUS_LIST(ES_STATUS_ENTRY)};

extern const struct es_status_list es__metro_statuses;
const struct es_status_list es__metro_statuses = {
    .first = ES_STATUS_OF(2),
    .count = sizeof entries / sizeof entries[0],
    .entry = entries,
};
