/* Fuzz target: any bytes as events, four each, in a game for 2 to 6 players that the first byte
 * chooses: verplant with special stations on the practice sheet, or metro with any of its rules. A
 * refused event changes nothing; an accepted one was listed (or deals or lays an unknown tile) and
 * leaves the state valid. Instead of a refused event, one from the list is made, so that games go
 * on. */
#include <assert.h>
#include <endstation/map.h>
#include <endstation/metro.h>
#include <endstation/verplant.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether an event is one that metro accepts without listing it: dealing an unknown tile, or laying
 * an unknown one as some tile that has not been seen, where it is allowed. */
static bool is_unlisted(const struct es_setup *setup, const struct es_state *state, es_event event)
{
    const struct es_metro_state *s = es_metro_state(state);
    int tile = ES_METRO_LAY_TILE(event), held = s->held[s->player - 1];
    if (ES_EVENT_WHO(event) == ES_CHANCE)
        return ES_METRO_DEAL_TILE(event) == ES_TILE_UNKNOWN;
    bool has = s->drawn == ES_TILE_UNKNOWN; /* in a hand, unknown tiles come last */
    if (s->drawn == ES_TILE_NONE && held > 0)
        has = s->hand[s->player - 1][held - 1] == ES_TILE_UNKNOWN;
    return has && ES_METRO_IS_LAY(event) && s->unseen[tile] > 0 &&
           es_metro_fault(setup, s, tile, ES_METRO_LAY_QUARTERS(event),
                          ES_METRO_LAY_SQUARE(event)) == ES_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct es_map map;
    static struct es_state state, before;
    es_event legal[ES_LEGAL_MAX];
    struct es_fault fault;
    if (map.lines == 0)
        assert(es_map_read(&map, es_builtin_map(es_str("practice")), &fault) == ES_OK);
    if (size == 0)
        return 0;
    static const uint32_t rules[] = {0,
                                     ES_METRO_HAND2,
                                     ES_METRO_HAND3,
                                     ES_METRO_ROTATE,
                                     ES_METRO_ROTATE | ES_METRO_HAND2,
                                     ES_METRO_ROTATE | ES_METRO_HAND3};
    bool metro = data[0] & 1;
    const struct es_game *game = metro ? &es_metro : &es_verplant;
    struct es_setup setup = {.game = game,
                             .map = metro ? NULL : &map,
                             .players = (uint8_t)(2 + data[0] / 12 % 5),
                             .rules = metro ? rules[data[0] / 2 % 6] : ES_VERPLANT_SPECIAL};
    assert(es_setup_prepare(&setup) == ES_OK);
    game->start(&setup, &state);
    for (data++, size--; size >= 4; data += 4, size -= 4) {
        es_event event =
            (es_event)data[0] << 24 | (es_event)data[1] << 16 | (es_event)data[2] << 8 | data[3];
        int who = ES_EVENT_WHO(event);
        size_t count = game->legal(&setup, &state, who <= setup.players ? who : 0, legal), i = 0;
        while (i < count && legal[i] != event)
            i++;
        before = state;
        bool accepted = game->apply(&setup, &state, event) == ES_OK;
        assert(accepted == (i < count) ||
               (metro && accepted && is_unlisted(&setup, &before, event)));
        assert(accepted || memcmp(&before, &state, sizeof state) == 0);
        if (!accepted && count > 0)
            assert(game->apply(&setup, &state, legal[event % count]) == ES_OK);
        assert(game->check(&setup, &state) == ES_OK);
    }
    return 0;
}
