/* The sentences of the status codes. */
#include <endstation/status.h>

const char *es_status_text(enum es_status status)
{
    static const char *const sentences[] = {
#define ES_STATUS_SENTENCE(code, sentence) [ES_##code] = sentence,
        ES_STATUS_LIST(ES_STATUS_SENTENCE)
#undef ES_STATUS_SENTENCE
    };
    return (unsigned)status < ES_STATUS_COUNT ? sentences[status] : "unknown status";
}
