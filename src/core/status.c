/* The names and sentences of the status codes. */
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

const char *es_status_code(enum es_status status)
{
    static const char *const codes[] = {
#define ES_STATUS_NAME(code, sentence) [ES_##code] = #code,
        ES_STATUS_LIST(ES_STATUS_NAME)
#undef ES_STATUS_NAME
    };
    return (unsigned)status < ES_STATUS_COUNT ? codes[status] : "UNKNOWN";
}
