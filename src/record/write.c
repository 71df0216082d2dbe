/* Writing records, whole or as one player may see them. */
#include <endstation/record.h>
#include <string.h>

/* `whole`: with what no player may see, and with notes, which may hold anything. */
static void write_header(const struct es_record *record, bool whole, struct es_out *out)
{
    const struct es_setup *setup = &record->setup;
    es_out_text(out, "endstation-record 1\ngame ");
    es_out_text(out, setup->game->name);
    if (setup->game->has_map) {
        es_out_text(out, "\nmap ");
        es_out_text(out, setup->map->id);
    }
    es_out_text(out, "\nplayers ");
    es_out_int(out, setup->players);
    if (setup->rules)
        es_out_text(out, "\nrules");
    for (int i = 0; setup->game->rules[i]; i++)
        if (setup->rules >> i & 1) {
            es_out_char(out, ' ');
            es_out_text(out, setup->game->rules[i]);
        }
    if (setup->game->write_deck) {
        struct es_setup standard = {.game = setup->game, .players = 1, .map = setup->map};
        es_setup_prepare(&standard);
        if (standard.deck_size != setup->deck_size ||
            memcmp(standard.deck, setup->deck, setup->deck_size) != 0) {
            es_out_text(out, "\ndeck ");
            setup->game->write_deck(setup, out);
        }
    }
    for (int p = 0; p < setup->players; p++)
        if (record->name[p][0]) {
            es_out_text(out, "\nplayer ");
            es_out_int(out, p + 1);
            es_out_char(out, ' ');
            es_out_text(out, record->name[p]);
        }
    es_out_char(out, '\n');
    if (whole)
        es_out_str(out, (struct es_str){record->notes, record->notes_size});
    if (whole && record->has_seed) {
        es_out_text(out, "seed ");
        es_out_hex(out, record->seed, sizeof record->seed);
        es_out_char(out, '\n');
    }
    es_out_char(out, '\n');
}

static void write_events(const struct es_setup *setup, const es_event *events, size_t count,
                         struct es_out *out)
{
    for (size_t i = 0; i < count; i++) {
        setup->game->format(setup, events[i], out);
        es_out_char(out, '\n');
    }
}

void es_record_write(const struct es_record *record, struct es_out *out)
{
    write_header(record, true, out);
    write_events(&record->setup, record->events, record->count, out);
}

void es_record_write_view(const struct es_record *record, const struct es_state *state, int viewer,
                          es_event *scratch, struct es_out *out)
{
    const struct es_setup *setup = &record->setup;
    size_t seen =
        setup->game->observe(setup, state, record->events, record->count, viewer, scratch);
    write_header(record, false, out);
    write_events(setup, scratch, seen, out);
}

size_t es_record_bytes(const struct es_record *record)
{
    return 4096 + record->notes_size + record->count * (ES_EVENT_BYTES + 1);
}
