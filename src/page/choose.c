/* Turns taps and keys of a player into a planned move, which is always legal. */
#include "page/internal.h"
#include <assert.h>
#include <string.h>

bool es__plan(struct es__choosing *c, es_event event)
{
    struct es_state after = *c->view;
    es_status status = ES_EVENT_WHO(event) == c->player
                           ? c->setup->game->apply(c->setup, &after, event)
                           : ES_NOT_TO_ACT;
    if (status)
        c->why = status;
    else
        *c->plan = event;
    return status == ES_OK;
}

bool es__part_of(struct es_str part, const char *kind, struct es_str *name)
{
    size_t size = strlen(kind);
    if (part.size < size || memcmp(part.at, kind, size) != 0)
        return false;
    *name = (struct es_str){part.at + size, part.size - size};
    return true;
}

static int read_key(struct es_str word)
{
    static const char *const names[] = {
        [KEY_LEFT] = "Left", [KEY_RIGHT] = "Right",         [KEY_UP] = "Up",
        [KEY_DOWN] = "Down", [KEY_BACKSPACE] = "Backspace", [KEY_SPACE] = "Space",
    };
    for (int i = KEY_LEFT; i <= KEY_SPACE; i++)
        if (es_str_is(word, names[i]))
            return i;
    char c = word.size == 1 ? word.at[0] : '\0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 'A';
    return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : KEY_NONE;
}

/* ---- When ----------------------------------------------------------------------------------- */

/* Returns ES_OK if the player is to act, else why not. */
static es_status not_to_act(const struct es_page *page, const struct es_state *view, int player)
{
    const struct es_setup *setup = &page->record.setup;
    struct es_turn turn = setup->game->turn(setup, view);
    if (player == 0)
        return ES_PLAYER_UNKNOWN;
    if (page->cursor < page->record.count)
        return ES_NOT_TO_ACT;
    if (turn.kind != ES_TURN_PLAYERS)
        return turn.kind == ES_TURN_OVER ? ES_GAME_OVER : ES_CHANCE_DUE;
    return turn.players >> (player - 1) & 1 ? ES_OK : ES_NOT_TO_ACT;
}

/* ---- Picks: LENGTH;EVENT;TAPPED;OWN --------------------------------------------------------- */

/* Returns true if a text can be the id of a part; a pick keeps no other texts. */
static bool is_id(struct es_str text)
{
    for (size_t i = 0; i < text.size; i++) {
        char c = text.at[i];
        if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
            c != '-')
            return false;
    }
    return true;
}

/* Removes the next field from a pick; false if there is none. */
static bool next_part(struct es_str *pick, struct es_str *part)
{
    if (!pick->at)
        return false;
    size_t size = 0;
    while (size < pick->size && pick->at[size] != ';')
        size++;
    *part = (struct es_str){pick->at, size};
    if (size < pick->size)
        *pick = (struct es_str){pick->at + size + 1, pick->size - size - 1};
    else
        *pick = (struct es_str){NULL, 0};
    return true;
}

/* Returns true if c->pick.own is possible in this game. */
static bool can_hold(const struct es__choosing *c)
{
    static const uint8_t nothing[sizeof c->pick->own];
    const struct es_table *table = c->setup->game->table;
    if (table && table->can_hold)
        return table->can_hold(c);
    return memcmp(c->pick->own, nothing, sizeof nothing) == 0;
}

static bool read_pick(struct es__choosing *c, size_t length, struct es_str text)
{
    struct es_str number, event, tapped, own;
    unsigned made_for;
    if (text.size >= ES_PICK_BYTES || !next_part(&text, &number) || !next_part(&text, &event) ||
        !next_part(&text, &tapped) || !next_part(&text, &own) || text.at)
        return false;
    if (es_str_number(number, ES_EVENTS_MAX, &made_for) || made_for != length)
        return false;
    if (event.size > 0) {
        es_event planned;
        if (c->setup->game->parse(c->setup, event, &planned) || !es__plan(c, planned))
            return false;
    }
    return is_id(tapped) && es_str_copy(tapped, c->pick->tapped, sizeof c->pick->tapped) &&
           es_str_hex(own, c->pick->own, sizeof c->pick->own) && can_hold(c);
}

static void write_pick(const struct es__choosing *c, size_t length, struct es__writer *w)
{
    static const struct es__pick none;
    char text[ES_PICK_BYTES];
    struct es_out out = {text, sizeof text - 1, 0};
    if (*c->plan || memcmp(c->pick, &none, sizeof none) != 0) {
        es_out_int(&out, (long)length);
        es_out_char(&out, ';');
        if (*c->plan)
            c->setup->game->format(c->setup, *c->plan, &out);
        es_out_char(&out, ';');
        es_out_text(&out, c->pick->tapped);
        es_out_char(&out, ';');
        es_out_hex(&out, c->pick->own, sizeof c->pick->own);
    }
    assert(es_out_ok(&out));
    es__write_str(w, "pick", (struct es_str){text, out.used});
}

es_status es__page_begin_choosing(struct es_page *page, int player, struct es_str pick,
                                  struct es_state *view, struct es__hand *hand,
                                  struct es__choosing *c)
{
    *hand = (struct es__hand){0};
    *c = (struct es__choosing){.setup = &page->record.setup,
                               .player = es__page_viewer(page, player),
                               .view = view,
                               .plan = &hand->plan,
                               .pick = &hand->pick};
    size_t length = es__page_seen(page, c->player);
    es__page_fold(page, page->seen, length, view);
    es_status idle = not_to_act(page, view, c->player);
    if (!idle && !read_pick(c, length, pick))
        *hand = (struct es__hand){0};
    c->why = ES_OK;
    return idle;
}

/* ---- Defaults ------------------------------------------------------------------------------- */

/* Returns true if the name is one of the words of a move's text, after the player's number. */
static bool is_named(const struct es__choosing *c, es_event event, struct es_str name)
{
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    c->setup->game->format(c->setup, event, &out);
    struct es_str words = {text, out.used}, word;
    es_str_word(&words, &word);
    while (es_str_word(&words, &word))
        if (word.size == name.size && memcmp(word.at, name.at, name.size) == 0)
            return true;
    return false;
}

/* Default tap: the part `square-c3` stands for the first legal event whose text has the word c3. */
static bool tap_named(struct es__choosing *c, struct es_str part)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = c->setup->game->legal(c->setup, c->view, c->player, events);
    for (size_t i = 0; i < part.size; i++)
        if (part.at[i] == '-') {
            struct es_str name = {part.at + i + 1, part.size - i - 1};
            for (size_t k = 0; k < count; k++)
                if (is_named(c, events[k], name))
                    return es__plan(c, events[k]);
            return false;
        }
    return false;
}

static void walk_legal(struct es__choosing *c, int key)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = c->setup->game->legal(c->setup, c->view, c->player, events), at = 0;
    bool back = key == KEY_LEFT || key == KEY_UP;
    if (key < KEY_LEFT || key > KEY_DOWN || count == 0)
        return;
    while (at < count && events[at] != *c->plan)
        at++;
    if (at == count)
        at = back ? count - 1 : 0;
    else
        at = (at + (back ? count - 1 : 1)) % count;
    es__plan(c, events[at]);
}

static void answer_legal(const struct es__choosing *c, struct es__writer *w)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = c->setup->game->legal(c->setup, c->view, c->player, events);
    es__write_array(w, "options");
    for (size_t i = 0; i < count; i++)
        es__write_event(w, NULL, c->setup, events[i]);
    es__write_end(w);
}

/* Returns the game's functions, with defaults for those it lacks. */
static struct es_table table_of(const struct es_game *game)
{
    struct es_table table = game->table ? *game->table : (struct es_table){0};
    table.tap = table.tap ? table.tap : tap_named;
    table.key = table.key ? table.key : walk_legal;
    table.answer = table.answer ? table.answer : answer_legal;
    return table;
}

/* ---- What ----------------------------------------------------------------------------------- */

/* Handles a tap on a part of the picture; true if it repeats the tap that made the plan. */
static bool tap(struct es__choosing *c, struct es_str part)
{
    es_event before = *c->plan;
    struct es__pick *pick = c->pick;
    bool same = es_str_is(part, pick->tapped);
    bool means_move = table_of(c->setup->game).tap(c, part);
    if (!is_id(part) || !es_str_copy(part, pick->tapped, sizeof pick->tapped))
        pick->tapped[0] = '\0';
    return means_move && same && before && *c->plan == before && c->why == ES_OK;
}

static void key(struct es__choosing *c, struct es_str word)
{
    int which = read_key(word);
    if (which == KEY_NONE)
        c->why = ES_WORD_UNKNOWN;
    else if (which == KEY_BACKSPACE)
        *c->plan = 0;
    else
        table_of(c->setup->game).key(c, which);
}

static void move(struct es__choosing *c, struct es_str text)
{
    const struct es_table *table = c->setup->game->table;
    es_event event;
    c->why = c->setup->game->parse(c->setup, text, &event);
    if (c->why == ES_OK && es__plan(c, event) && table && table->planned)
        table->planned(c);
}

static bool act(struct es__choosing *c, struct es_str words)
{
    const struct es_table *table = c->setup->game->table;
    struct es_str verb = {"", 0};
    es_str_word(&words, &verb);
    words = es_str_trim(words);
    if (es_str_is(verb, "tap"))
        return tap(c, words);
    if (es_str_is(verb, "key"))
        key(c, words);
    else if (es_str_is(verb, "move"))
        move(c, words);
    else if (es_str_is(verb, "clear"))
        *c->plan = 0;
    else if (!es_str_is(verb, "look") && !(table && table->word && table->word(c, verb)))
        c->why = ES_WORD_UNKNOWN;
    return false;
}

es_status es__write_plan(struct es__writer *w, const struct es_setup *setup,
                         const struct es_state *view, int player, es_event event)
{
    const struct es_table table = table_of(setup->game);
    struct es__hand hand = {0};
    struct es__choosing c = {
        .setup = setup, .player = player, .view = view, .plan = &hand.plan, .pick = &hand.pick};
    if (!es__plan(&c, event))
        return c.why;
    if (table.planned)
        table.planned(&c);
    es__write_object(w, NULL);
    table.answer(&c, w);
    es__write_end(w);
    return ES_OK;
}

void es_page_choose(struct es_page *page, int player, struct es_str pick, struct es_str words,
                    struct es_out *out)
{
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    if (page->is_open) {
        struct es_state view;
        struct es__hand hand;
        struct es__choosing c;
        es_status idle = es__page_begin_choosing(page, player, pick, &view, &hand, &c);
        bool again = !idle && act(&c, words), look = es_str_is(es_str_trim(words), "look");
        es_status why = idle && !look ? idle : c.why;
        write_pick(&c, es__page_seen(page, c.player), w);
        if (*c.plan)
            es__write_event(w, "plan", c.setup, *c.plan);
        else
            es__write_text(w, "plan", "");
        es__write_bool(w, "again", again);
        es__write_text(w, "why", why ? es_status_code(why) : "");
        es__write_text(w, "sentence", why ? es_status_text(why) : "");
        if (!idle)
            table_of(c.setup->game).answer(&c, w);
    }
    es__write_end(w);
}
