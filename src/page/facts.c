/* Where a game stands, in facts: everything that a page says about it in words of its own. */
#include "page/internal.h"

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

/* ---- What there is -------------------------------------------------------------------------- */

static void game_info(struct es__json *json, const struct es_game *game)
{
    es__json_open(json, NULL, '{');
    es__json_text(json, "name", game->name);
    es__json_open(json, "players", '[');
    es__json_int(json, NULL, game->players_min);
    es__json_int(json, NULL, game->players_max);
    es__json_close(json, ']');
    es__json_open(json, "rules", '[');
    for (int i = 0; game->rules[i]; i++)
        es__json_text(json, NULL, game->rules[i]);
    es__json_close(json, ']');
    es__json_open(json, "levels", '[');
    for (int i = 0; es_bot_level(game, i); i++)
        es__json_text(json, NULL, es_bot_level(game, i));
    es__json_close(json, ']');
    es__json_bool(json, "secrets", game->has_secrets);
    es__json_bool(json, "player_pictures", game->picture && game->picture->sheets);
    es__json_open(json, "sheets", '[');
    for (int i = 0; game->has_map && es_builtin_maps[i].id; i++)
        es__json_text(json, NULL, es_builtin_maps[i].id);
    es__json_close(json, ']');
    es__json_close(json, '}');
}

void es_page_info(struct es_out *out)
{
    struct es__json json = {.out = out};
    es__json_open(&json, NULL, '{');
    es__json_open(&json, "games", '[');
    for (int i = 0; es_games[i]; i++)
        game_info(&json, es_games[i]);
    es__json_close(&json, ']');
    es__json_close(&json, '}');
}

bool es_page_piece(struct es_str name, struct es_out *out)
{
    struct es__json json = {.out = out};
    struct es_str word;
    const struct es_game *game = es_str_word(&name, &word) ? es_game_named(word) : NULL;
    if (!game || !game->table || !game->table->piece_facts)
        return false;
    es__json_open(&json, NULL, '{');
    bool known = game->table->piece_facts(es_str_trim(name), &json);
    es__json_close(&json, '}');
    return known;
}

/* ---- The facts of every game ---------------------------------------------------------------- */

void es__page_event(struct es__json *json, const char *name, const struct es_setup *setup,
                    es_event event)
{
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    setup->game->format(setup, event, &out);
    es__json_str(json, name, (struct es_str){text, out.used});
}

static void rule_facts(struct es__json *json, const struct es_setup *setup)
{
    es__json_open(json, "rules", '[');
    for (int i = 0; setup->game->rules[i]; i++)
        if (setup->rules >> i & 1)
            es__json_text(json, NULL, setup->game->rules[i]);
    es__json_close(json, ']');
}

static void player_facts(struct es__json *json, const struct es_page *page,
                         const struct es__looking *look)
{
    const struct es_setup *setup = look->setup;
    const struct es_table *table = setup->game->table;
    es__json_open(json, "players", '[');
    for (int p = 1; p <= setup->players; p++) {
        es__json_open(json, NULL, '{');
        es__json_int(json, "player", p);
        es__json_text(json, "name", page->record.name[p - 1]);
        es__json_text(json, "bot", page->record.bot[p - 1]);
        es__json_int(json, "score", setup->game->score(setup, look->view, p));
        if (table && table->player_facts)
            table->player_facts(look, p, json);
        es__json_close(json, '}');
    }
    es__json_close(json, ']');
}

/* The date that the record names, or "". */
static struct es_str date_of(const struct es_record *record)
{
    struct es_str word, text;
    for (size_t at = 0; es_record_note(record, &at, &word, &text);)
        if (es_str_is(word, "date"))
            return text;
    return es_str("");
}

/* How many events of the list are the player's own. */
static long decisions(const es_event *events, size_t count, int player)
{
    long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += ES_EVENT_WHO(events[i]) == player;
    return sum;
}

void es_page_state(struct es_page *page, int viewer, struct es_out *out)
{
    const struct es_setup *setup = &page->record.setup;
    struct es__json json = {.out = out};
    es__json_open(&json, NULL, '{');
    if (page->seen_ready) {
        struct es_state now, view;
        viewer = es__page_viewer(page, viewer);
        es__page_now(page, &now);
        size_t events = setup->game->observe(setup, &page->state, page->event, page->record.count,
                                             viewer, page->seen);
        size_t cursor = es__page_seen(page, viewer);
        es__page_fold(page, page->seen, cursor, &view);
        struct es_turn turn = setup->game->turn(setup, &now);
        es__json_text(&json, "game", setup->game->name);
        es__json_int(&json, "events", (long)events);
        es__json_int(&json, "cursor", (long)cursor);
        es__json_int(&json, "decisions", viewer ? decisions(page->seen, cursor, viewer) : 0);
        es__json_str(&json, "date", date_of(&page->record));
        es__json_bool(&json, "over", turn.kind == ES_TURN_OVER);
        es__json_bool(&json, "chance", turn.kind == ES_TURN_CHANCE);
        es__json_set(&json, "turn", turn.players);
        rule_facts(&json, setup);
        es__json_bool(&json, "seed", page->record.has_seed);
        es__json_bool(&json, "undo", es__page_undo(page, viewer) >= 0);
        es__json_set(&json, "winners", setup->game->winners(setup, &now));
        const struct es__looking look = {setup,      viewer, &now,          &view,
                                         page->seen, cursor, page->built_in};
        player_facts(&json, page, &look);
        if (setup->game->table && setup->game->table->facts)
            setup->game->table->facts(&look, &json);
    }
    es__json_close(&json, '}');
}

es_status es_page_tally(struct es_page *page, struct es_str words, struct es_out *out)
{
    const struct es_setup *setup = &page->record.setup;
    if (!page->seen_ready || !setup->game->table || !setup->game->table->tally)
        return ES_MAP_MISSING;
    return setup->game->table->tally(setup, words, out);
}
