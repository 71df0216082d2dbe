/* Runs bots for a session: one move, or a rerun of the whole game with the same cards. */
#include "page/internal.h"
#include <assert.h>
#include <string.h>

/* Asks a bot; it gets only its player's view, even if the open record holds more. */
static es_event ask(struct es_page *page, const struct es_bot *bot, int player,
                    struct es_thought *thought)
{
    const struct es_record *record = &page->record;
    struct es_state view;
    es_view(&record->setup, &page->state, record->events, record->count, player, page->seen, &view);
    return bot->think(bot, &record->setup, &view, player, thought);
}

es_status es_page_think(struct es_page *page, int player, struct es_str level, uint32_t seed,
                        void *memory, struct es_out *out)
{
    assert(page->is_open);
    const struct es_setup *setup = &page->record.setup;
    struct es_bot bot;
    struct es_thought thought = {.memory = memory, .seed = seed};
    es_status status = es_bot_named(setup->game, level, &bot);
    if (status == ES_OK)
        status = es_bot_fault(setup, &page->state, player);
    if (status)
        return status;
    es_event event = ask(page, &bot, player, &thought);
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    es__write_event(w, "event", setup, event);
    es__write_int(w, "done", (int64_t)thought.done);
    es__write_array(w, "candidates");
    for (size_t i = 0; i < thought.candidates; i++) {
        const struct es_candidate *c = &thought.candidate[i];
        es__write_object(w, NULL);
        es__write_event(w, "event", setup, c->event);
        es__write_fixed(w, "points", (double)c->points, 2);
        es__write_fixed(w, "win", (double)c->win, 3);
        es__write_int(w, "samples", (long)c->samples);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_end(w);
    return ES_OK;
}

/* ---- A game once more ----------------------------------------------------------------------- */

void es_page_rerun_begin(struct es_page *page)
{
    assert(page->is_open);
    memcpy(page->old, page->event, page->record.count * sizeof page->old[0]);
    page->old_count = page->record.count;
    es__page_cut(page, 0);
}

/* Sets the event of `who` in the old game that has the same number among their events as the one
 * due now; false if there was none. */
static bool as_before(const struct es_page *page, int who, es_event *event)
{
    const struct es_record *record = &page->record;
    size_t times = 0;
    for (size_t i = 0; i < record->count; i++)
        times += ES_EVENT_WHO(record->events[i]) == who;
    for (size_t i = 0; i < page->old_count; i++)
        if (ES_EVENT_WHO(page->old[i]) == who && times-- == 0) {
            *event = page->old[i];
            return true;
        }
    return false;
}

/* Deals the same cards and tiles in the same order; when they have run out, from the seed, or else
 * at random. */
static void deal_again(struct es_page *page)
{
    const struct es_record *record = &page->record;
    const struct es_setup *setup = &record->setup;
    struct es_random random;
    es_event event;
    bool known = as_before(page, ES_CHANCE, &event);
    if (known && setup->game->table && setup->game->table->deal_again)
        known = setup->game->table->deal_again(setup, &page->state, &event);
    if (known && es__page_make(page, event) == ES_OK)
        return;
    if (record->has_seed &&
        es__page_make(page, setup->game->deal(setup, &page->state, record->seed)) == ES_OK)
        return;
    es_random_seed(&random, record->count);
    es__page_make(page, es_chance(setup, &page->state, &random));
}

bool es_page_rerun_step(struct es_page *page, int player, struct es_str level, void *memory)
{
    assert(page->is_open);
    const struct es_record *record = &page->record;
    const struct es_setup *setup = &record->setup;
    struct es_turn turn = setup->game->turn(setup, &page->state);
    struct es_bot bot;
    es_event event;
    if (turn.kind == ES_TURN_OVER || record->count == ES_EVENTS_MAX)
        return false;
    if (turn.kind == ES_TURN_CHANCE) {
        deal_again(page);
        return true;
    }
    int who = __builtin_ctz(turn.players) + 1;
    bool repeats = setup->game->table && setup->game->table->others_repeat;
    bool other = who != player && repeats;
    if (other && as_before(page, who, &event) && es__page_make(page, event) == ES_OK)
        return true;
    /* Other players who cannot repeat their move get the simplest bot that looks at the game. */
    const char *simple = es_bot_level(setup->game, 1);
    if (other)
        level = es_str(simple ? simple : es_bot_level(setup->game, 0));
    es_status known = es_bot_named(setup->game, level, &bot);
    assert(known == ES_OK);
    struct es_thought thought = {.memory = memory, .seed = record->count};
    es_status made = es__page_make(page, ask(page, &bot, who, &thought));
    assert(made == ES_OK);
    return true;
}
