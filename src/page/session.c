/* The game of a page: a record that is opened, played on, taken back, looked at from any event. */
#include "inside.h"
#include <assert.h>
#include <string.h>

enum es_status es_page_map(struct es_page *page, struct es_str text, struct es_fault *fault)
{
    if (es_map_read(&page->next, text, fault))
        return fault->status;
    page->own = page->next;
    struct es_str built_in = es_builtin_map(es_str(page->own.id));
    if (built_in.size == 0)
        return ES_OK;
    /* A record only names its sheet: one that differs from the built-in sheet of the same name
     * would turn into that one as soon as the record is read without it. */
    bool same = es_map_read(&page->next, built_in, fault) == ES_OK &&
                memcmp(&page->next, &page->own, sizeof page->own) == 0;
    page->own.lines = 0;
    return same ? ES_OK : es_fault_set(fault, 0, ES_MAP_ID_TAKEN, es_str(page->own.id));
}

static void forget_plan(struct es_page *page, int player)
{
    page->plan[player - 1] = 0;
    page->pick[player - 1] = (struct es_page_pick){0};
}

static void forget_plans(struct es_page *page)
{
    for (int p = 1; p <= ES_PLAYERS_MAX; p++)
        forget_plan(page, p);
}

/* A game that was read into the scratch becomes the one that is played. */
static void take(struct es_page *page, const struct es_record *record, const struct es_state *state)
{
    page->record = *record;
    page->record.events = page->event;
    page->record.lines = (struct es_lines){0}; /* the text may go now */
    page->record.ends_in_header = false;       /* it will be written whole */
    memcpy(page->event, record->events, record->count * sizeof *record->events);
    if (record->setup.map) {
        page->map = *record->setup.map;
        page->record.setup.map = &page->map;
    }
    page->state = *state;
    page->laid_out = false;
    page->seen_ready = true;
    page->cursor = record->count;
    page->old_count = 0;
    forget_plans(page);
}

enum es_status es_page_open(struct es_page *page, struct es_str text, struct es_fault *fault)
{
    struct es_record record = {.events = page->seen, .capacity = ES_EVENTS_MAX};
    struct es_state state;
    if (es_record_header(&record, text, fault))
        return fault->status;
    struct es_str id = es_str(record.map_id);
    bool own = page->own.lines > 0 && (es_str_is(id, page->own.id) || es_builtin_map(id).size == 0);
    if (es_record_read(&record, text, own ? &page->own : NULL, &page->next, &state, fault))
        return fault->status;
    take(page, &record, &state);
    return ES_OK;
}

enum es_status es__page_make(struct es_page *page, es_event event)
{
    struct es_record *record = &page->record;
    const struct es_setup *setup = &record->setup;
    if (record->count == ES_EVENTS_MAX)
        return ES_EVENTS_TOO_MANY;
    enum es_status status = setup->game->apply(setup, &page->state, event);
    if (status)
        return status;
    record->events[record->count++] = event;
    page->cursor = record->count;
    if (ES_EVENT_WHO(event) != ES_CHANCE)
        forget_plan(page, ES_EVENT_WHO(event)); /* nobody else's: they could still make theirs */
    return ES_OK;
}

enum es_status es_page_apply(struct es_page *page, struct es_str text)
{
    assert(page->seen_ready);
    const struct es_setup *setup = &page->record.setup;
    es_event event;
    enum es_status status = setup->game->parse(setup, text, &event);
    return status ? status : es__page_make(page, event);
}

int es_page_deal(struct es_page *page, uint64_t entropy)
{
    assert(page->seen_ready);
    const struct es_record *record = &page->record;
    const struct es_setup *setup = &record->setup;
    struct es_random random;
    size_t before = record->count;
    es_random_seed(&random, entropy);
    while (setup->game->turn(setup, &page->state).kind == ES_TURN_CHANCE) {
        bool dealt =
            record->has_seed &&
            es__page_make(page, setup->game->deal(setup, &page->state, record->seed)) == ES_OK;
        if (!dealt && es__page_make(page, es_chance(setup, &page->state, &random)))
            break; /* no room is left */
    }
    return (int)(record->count - before);
}

void es_page_cut(struct es_page *page, size_t count)
{
    assert(page->seen_ready);
    struct es_record *record = &page->record;
    if (count < record->count) {
        record->count = count;
        bool folded = es_fold(&record->setup, record->events, count, &page->state) == ES_OK;
        assert(folded);
        forget_plans(page);
    }
    page->cursor = record->count;
}

void es_page_seek(struct es_page *page, size_t count)
{
    assert(page->seen_ready);
    page->cursor = count < page->record.count ? count : page->record.count;
}

void es_page_see(struct es_page *page, int viewer, struct es_state *view)
{
    assert(page->seen_ready);
    size_t count = es__page_seen(page, viewer);
    bool folded = es_fold(&page->record.setup, page->seen, count, view) == ES_OK;
    assert(folded);
}

void es_page_record(struct es_page *page, struct es_out *out)
{
    assert(page->seen_ready);
    es_record_write(&page->record, out);
}

void es_page_view(struct es_page *page, int viewer, struct es_out *out)
{
    assert(page->seen_ready);
    es_record_write_view(&page->record, &page->state, viewer, page->seen, out);
}

void es_page_report(struct es_page *page, struct es_out *out)
{
    assert(page->seen_ready);
    page->record.setup.game->report(&page->record.setup, &page->state, out);
}

void es_page_moves(struct es_page *page, struct es_out *out)
{
    assert(page->seen_ready);
    es_moves_write(&page->record.setup, &page->state, out);
}
