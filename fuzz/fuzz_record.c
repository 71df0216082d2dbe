/* Fuzz target: any bytes as a record on the practice sheet. It is refused with a line and a reason,
 * or read; then the state is valid, the report fits, what is written reads back the same, and each
 * player's view is a valid record too. Its shuffle is proved or not, with a reason, and the same of
 * what is written. It is a row of statistics, or not, and the row is one line of CSV. */
#include <assert.h>
#include <endstation/fair.h>
#include <endstation/stats.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A name can have no line ends, so that a row is one line. */
static void count_game(const struct es_record *record, const struct es_state *state)
{
    static _Alignas(16) char memory[1 << 13];
    static char csv[1 << 13];
    struct es_stats stats;
    assert(es_stats_bytes(1) <= sizeof memory);
    es_stats_begin(&stats, 1, memory);
    enum es_stats_kind kind = es_stats_add(&stats, record, state, es_str("Ada"));
    assert((kind == ES_STATS_COUNTED) == (stats.count == 1));
    es_stats_finish(&stats);
    struct es_out out = {csv, sizeof csv, 0};
    es_stats_csv(&stats, &out);
    assert(es_out_ok(&out) && csv[out.used - 1] == '\n');
    size_t lines = 0;
    for (size_t i = 0; i < out.used; i++)
        lines += csv[i] == '\n';
    assert(lines == 1 + stats.count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct es_map map;
    static es_event events[ES_EVENTS_MAX], events2[ES_EVENTS_MAX], legal[ES_LEGAL_MAX];
    static struct es_state state, state2;
    static char report[ES_REPORT_BYTES], text[1 << 20];
    struct es_fault fault = {ES_OK, -1, "", ""};
    if (map.lines == 0)
        assert(es_map_read(&map, es_builtin_map(es_str("practice")), &fault) == ES_OK);

    struct es_record record = {.events = events, .capacity = ES_EVENTS_MAX};
    if (es_record_header(&record, (struct es_str){(const char *)data, size}, &fault) ||
        es_record_events(&record, record.setup.game->has_map ? &map : NULL, &state, &fault)) {
        assert(fault.line >= 0 && fault.status != ES_OK && strlen(fault.reason) > 0);
        return 0;
    }
    const struct es_game *game = record.setup.game;
    assert(game->check(&record.setup, &state) == ES_OK);
    struct es_out out = {report, sizeof report, 0};
    game->report(&record.setup, &state, &out);
    assert(es_out_ok(&out));
    for (int who = 0; who <= record.setup.players; who++)
        game->legal(&record.setup, &state, who, legal);

    count_game(&record, &state);

    struct es_out written = {text, sizeof text, 0};
    es_record_write(&record, &written);
    assert(written.used <= es_record_bytes(&record));
    if (!es_out_ok(&written))
        return 0;
    struct es_record again = {.events = events2, .capacity = ES_EVENTS_MAX};
    assert(es_record_header(&again, (struct es_str){text, written.used}, &fault) == ES_OK);
    assert(es_record_events(&again, record.setup.map, &state2, &fault) == ES_OK);
    assert(again.count == record.count);
    assert(memcmp(events, events2, record.count * sizeof events[0]) == 0);
    assert(memcmp(&state, &state2, sizeof state) == 0);
    struct es_fair_facts facts, facts2;
    es_status proved = es_fair_verify(&record, (struct es_str){(const char *)data, size}, NULL,
                                      &state2, &facts, &fault);
    assert(proved == ES_OK || (fault.line >= 0 && fault.status == proved));
    assert(es_fair_verify(&again, (struct es_str){text, written.used}, NULL, &state2, &facts2,
                          &fault) == proved);
    assert(facts.proved == facts2.proved && facts.chances == facts2.chances);
    for (int viewer = 0; viewer <= record.setup.players; viewer++) {
        written.used = 0;
        es_record_write_view(&record, &state, viewer, events2, &written);
        again = (struct es_record){.events = events2, .capacity = ES_EVENTS_MAX};
        assert(es_record_header(&again, (struct es_str){text, written.used}, &fault) == ES_OK);
        assert(es_record_events(&again, record.setup.map, &state2, &fault) == ES_OK);
        assert(game->check(&again.setup, &state2) == ES_OK);
    }
    return 0;
}
