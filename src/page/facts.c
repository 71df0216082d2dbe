/* Facts about the position: everything that a user interface puts into words. */
#include "page/internal.h"
#include <assert.h>

/* ---- What is known -------------------------------------------------------------------------- */

int es__page_viewer(const struct es_page *page, int viewer)
{
    return viewer > 0 && viewer <= page->record.setup.players ? viewer : 0;
}

void es__page_now(const struct es_page *page, struct es_state *state)
{
    if (page->cursor < page->record.count)
        es__page_fold(page, page->record.events, page->cursor, state);
    else
        *state = page->state;
}

size_t es__page_seen(struct es_page *page, int viewer)
{
    const struct es_setup *setup = &page->record.setup;
    struct es_state now;
    es__page_now(page, &now);
    return setup->game->observe(setup, &now, page->record.events, page->cursor,
                                es__page_viewer(page, viewer), page->seen);
}

void es__look(struct es__looking *look, const struct es_record *record, const struct es_state *now,
              size_t count, int viewer, es_event *seen, struct es_state *view)
{
    const struct es_setup *setup = &record->setup;
    bool can_undo = count == record->count && es__undo(record, now, viewer, seen) >= 0;
    bool can_go_back = count == record->count && es__go_back(record, now, viewer) >= 0;
    size_t known = setup->game->observe(setup, now, record->events, count, viewer, seen);
    es_status status = es_fold(setup, seen, known, view);
    assert(status == ES_OK);
    *look = (struct es__looking){
        .record = record,
        .setup = setup,
        .viewer = viewer,
        .now = now,
        .view = view,
        .seen = seen,
        .count = known,
        .latest = known,
        .can_undo = can_undo,
        .can_go_back = can_go_back,
    };
}

/* ---- What there is -------------------------------------------------------------------------- */

static void game_info(struct es__writer *w, const struct es_game *game)
{
    es__write_object(w, NULL);
    es__write_text(w, "name", game->name);
    es__write_array(w, "players");
    es__write_int(w, NULL, game->players_min);
    es__write_int(w, NULL, game->players_max);
    es__write_end(w);
    es__write_array(w, "rules");
    for (int i = 0; game->rules[i]; i++)
        es__write_text(w, NULL, game->rules[i]);
    es__write_end(w);
    es__write_array(w, "levels");
    for (int i = 0; es_bot_level(game, i); i++)
        es__write_text(w, NULL, es_bot_level(game, i));
    es__write_end(w);
    es__write_bool(w, "secrets", game->has_secrets);
    es__write_array(w, "exclusive");
    for (int i = 0; game->rules[i]; i++)
        if (game->exclusive >> i & 1)
            es__write_text(w, NULL, game->rules[i]);
    es__write_end(w);
    es__write_array(w, "presets");
    for (const struct es_preset *one = game->presets; one && one->option; one++) {
        es__write_object(w, NULL);
        es__write_text(w, "option", one->option);
        es__write_text(w, "name", one->name);
        es__write_text(w, "text", one->text);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_array(w, "prints");
    for (const struct es_printable *one = game->prints; one && one->name; one++)
        es__write_text(w, NULL, one->name);
    es__write_end(w);
    es__write_end(w);
}

void es_page_info(struct es_out *out)
{
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    es__write_array(w, "games");
    for (int i = 0; es_games[i]; i++)
        game_info(w, es_games[i]);
    es__write_end(w);
    es__write_end(w);
}

bool es_page_piece(struct es_str name, struct es_out *out)
{
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    struct es_str word;
    const struct es_game *game = es_str_word(&name, &word) ? es_game_named(word) : NULL;
    if (!game || !game->table || !game->table->piece_facts)
        return false;
    es__write_object(w, NULL);
    bool known = game->table->piece_facts(es_str_trim(name), w);
    es__write_end(w);
    return known;
}

/* ---- The facts of every game ---------------------------------------------------------------- */

void es__write_event(struct es__writer *w, const char *name, const struct es_setup *setup,
                     es_event event)
{
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    setup->game->format(setup, event, &out);
    es__write_str(w, name, (struct es_str){text, out.used});
}

static void rule_facts(struct es__writer *w, const struct es_setup *setup)
{
    es__write_array(w, "rules");
    for (int i = 0; setup->game->rules[i]; i++)
        if (setup->rules >> i & 1)
            es__write_text(w, NULL, setup->game->rules[i]);
    es__write_end(w);
}

static void player_facts(struct es__writer *w, const struct es__looking *look)
{
    const struct es_setup *setup = look->setup;
    const struct es_table *table = setup->game->table;
    es__write_array(w, "players");
    for (int p = 1; p <= setup->players; p++) {
        es__write_object(w, NULL);
        es__write_int(w, "player", p);
        es__write_text(w, "name", look->record->name[p - 1]);
        es__write_text(w, "bot", look->record->bot[p - 1]);
        es__write_int(w, "score", setup->game->score(setup, look->view, p));
        if (table && table->player_facts)
            table->player_facts(look, p, w);
        es__write_end(w);
    }
    es__write_end(w);
}

/* Returns the date in the record, or "". */
static struct es_str date_of(const struct es_record *record)
{
    struct es_str word, text;
    for (size_t at = 0; es_record_note(record, &at, &word, &text);)
        if (es_str_is(word, "date"))
            return text;
    return es_str("");
}

/* Returns the number of the player's own events in the list. */
static long decisions(const es_event *events, size_t count, int player)
{
    long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += ES_EVENT_WHO(events[i]) == player;
    return sum;
}

/* Returns the players with as many points as the winners who do not win, a bit each. */
static unsigned tied(const struct es__looking *look, unsigned winners)
{
    const struct es_setup *setup = look->setup;
    unsigned set = 0;
    if (winners == 0)
        return 0;
    int most = setup->game->score(setup, look->now, __builtin_ctz(winners) + 1);
    for (int p = 1; p <= setup->players; p++)
        if (setup->game->score(setup, look->now, p) == most)
            set |= 1U << (p - 1);
    return set & ~winners;
}

void es__write_position(struct es__writer *w, const struct es__looking *look)
{
    const struct es_setup *setup = look->setup;
    struct es_turn turn = setup->game->turn(setup, look->now);
    unsigned winners = setup->game->winners(setup, look->now);
    struct es__challenge challenge;
    es__write_text(w, "game", setup->game->name);
    es__write_int(w, "events", (long)look->latest);
    if (!look->is_report) {
        es__write_int(w, "cursor", (long)look->count);
        es__write_int(w, "decisions",
                      look->viewer ? decisions(look->seen, look->count, look->viewer) : 0);
    }
    es__write_str(w, "date", date_of(look->record));
    es__write_bool(w, "over", turn.kind == ES_TURN_OVER);
    es__write_bool(w, "chance", turn.kind == ES_TURN_CHANCE);
    es__write_set(w, "turn", turn.players);
    rule_facts(w, setup);
    es__write_bool(w, "seed", look->record->has_seed);
    if (!look->is_report) {
        es__write_bool(w, "undo", look->can_undo);
        es__write_bool(w, "back", look->can_go_back);
    }
    es__write_bool(w, "aided", es__aided(look->record));
    es__write_object(w, "challenge");
    if (es__challenge(look->record, &challenge)) {
        es__write_int(w, "points", challenge.points);
        es__write_str(w, "name", challenge.name);
        es__write_bool(w, "own", challenge.own);
    }
    es__write_end(w);
    es__write_set(w, "winners", winners);
    player_facts(w, look);
    es__write_set(w, "tied", tied(look, winners));
    if (setup->game->table && setup->game->table->facts)
        setup->game->table->facts(look, w);
}

void es__write_state(struct es__writer *w, const struct es__looking *look)
{
    es__write_object(w, NULL);
    es__write_position(w, look);
    es__write_end(w);
}

void es_page_state(struct es_page *page, int viewer, struct es_out *out)
{
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    if (!page->is_open) {
        es__write_object(w, NULL);
        es__write_end(w);
        return;
    }
    const struct es_setup *setup = &page->record.setup;
    struct es_state now, view;
    struct es__looking look;
    viewer = es__page_viewer(page, viewer);
    es__page_now(page, &now);
    size_t latest = setup->game->observe(setup, &page->state, page->event, page->record.count,
                                         viewer, page->seen);
    es__look(&look, &page->record, &now, page->cursor, viewer, page->seen, &view);
    look.latest = latest;
    look.built_in = page->built_in;
    es__write_state(w, &look);
}

es_status es_page_ask(struct es_page *page, struct es_str words, struct es_out *out)
{
    const struct es_setup *setup = &page->record.setup;
    if (!page->is_open || !setup->game->table || !setup->game->table->ask)
        return ES_WORD_UNKNOWN;
    struct es__json json;
    return setup->game->table->ask(setup, words, es__json_begin(&json, out));
}
