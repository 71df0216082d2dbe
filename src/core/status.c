/* The names and sentences of the status codes. */
#include <endstation/status.h>
#include <stddef.h>

static const struct es_status_entry common[] = {ES_STATUS_LIST(ES_STATUS_ENTRY)};

static const struct es_status_entry *find(es_status status)
{
    static const struct es_status_entry unknown = {"UNKNOWN", "unknown status"};
    if (status >= 0 && status < ES_STATUS_COUNT)
        return &common[status];
    for (int i = 0; es_status_lists[i]; i++) {
        int place = status - es_status_lists[i]->first;
        if (place >= 0 && place < es_status_lists[i]->count)
            return &es_status_lists[i]->entry[place];
    }
    return &unknown;
}

const char *es_status_text(es_status status)
{
    return find(status)->sentence;
}

const char *es_status_code(es_status status)
{
    return find(status)->code;
}
