/* Any bytes as events, four each, in a game of three on the practice sheet: what is refused changes
 * nothing, what is accepted was listed and keeps the state sound. Bytes that are no legal event
 * choose one from the list instead, so that games go on. */
#include <assert.h>
#include <endstation/map.h>
#include <endstation/verplant.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct es_map map;
    static struct es_state state, before;
    es_event legal[ES_LEGAL_MAX];
    struct es_fault fault;
    if (map.lines == 0)
        assert(es_map_read(&map, es_builtin_map(es_str("practice")), &fault) == ES_OK);
    struct es_setup setup = {
        .game = &es_verplant, .map = &map, .players = 3, .rules = ES_VERPLANT_SPECIAL};
    assert(es_setup_prepare(&setup) == ES_OK);
    es_verplant.start(&setup, &state);
    for (; size >= 4; data += 4, size -= 4) {
        es_event event =
            (es_event)data[0] << 24 | (es_event)data[1] << 16 | (es_event)data[2] << 8 | data[3];
        int who = ES_EVENT_WHO(event);
        size_t count = es_verplant.legal(&setup, &state, who <= 3 ? who : 0, legal), i = 0;
        while (i < count && legal[i] != event)
            i++;
        before = state;
        bool accepted = es_verplant.apply(&setup, &state, event) == ES_OK;
        assert(accepted == (i < count));
        assert(accepted || memcmp(&before, &state, sizeof state) == 0);
        if (!accepted && count > 0)
            assert(es_verplant.apply(&setup, &state, legal[event % count]) == ES_OK);
        assert(es_verplant.check(&setup, &state) == ES_OK);
    }
    return 0;
}
