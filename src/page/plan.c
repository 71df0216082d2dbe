/* Choosing by hand: what a player taps or types becomes a planned move, which is always legal. */
#include "plan.h"
#include <string.h>

bool es__plan(struct es__choosing *c, es_event event)
{
    struct es_state after = *c->view;
    enum es_status status = ES_EVENT_WHO(event) == c->player
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

/* Why a player cannot choose anything at all now, if so. */
static enum es_status not_to_act(const struct es_page *page, const struct es_state *view,
                                 int player)
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

/* Begins with what was planned before. That is still legal: a plan is forgotten with its player's
 * next event, and nothing that others do meanwhile stands in its way. */
static enum es_status begin(struct es_page *page, int player, struct es_state *view,
                            struct es__choosing *c)
{
    *c = (struct es__choosing){
        .setup = &page->record.setup, .player = es__page_viewer(page, player), .view = view};
    es_page_see(page, c->player, view);
    if (c->player > 0) {
        c->plan = &page->plan[c->player - 1];
        c->pick = &page->pick[c->player - 1];
    }
    return not_to_act(page, view, c->player);
}

/* ---- What ----------------------------------------------------------------------------------- */

/* A tap on a part of the picture; true if it only says again what is planned already. */
static bool tap(struct es__choosing *c, struct es_str part)
{
    es_event before = *c->plan;
    struct es_page_pick *pick = c->pick;
    bool same = es_str_is(part, pick->tapped);
    bool means_move =
        c->setup->game == &es_metro ? es__metro_tap(c, part) : es__verplant_tap(c, part);
    if (!es_str_copy(part, pick->tapped, sizeof pick->tapped))
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
    else if (c->setup->game == &es_metro)
        es__metro_key(c, which);
    else
        es__verplant_key(c, which);
}

static void move(struct es__choosing *c, struct es_str text)
{
    es_event event;
    c->why = c->setup->game->parse(c->setup, text, &event);
    if (c->why == ES_OK && es__plan(c, event) && c->setup->game == &es_metro)
        es__metro_moved(c);
}

static bool act(struct es__choosing *c, struct es_str words)
{
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
    else if (es_str_is(verb, "blank") && c->setup->game == &es_verplant)
        es__verplant_blank(c);
    else if (!es_str_is(verb, "look"))
        c->why = ES_WORD_UNKNOWN;
    return false;
}

void es_page_choose(struct es_page *page, int player, struct es_str words, struct es_out *out)
{
    struct es__json json = {.out = out};
    es__json_open(&json, NULL, '{');
    if (page->seen_ready) {
        struct es_state view;
        struct es__choosing c;
        enum es_status idle = begin(page, player, &view, &c);
        bool again = !idle && act(&c, words), look = es_str_is(es_str_trim(words), "look");
        es__page_event(&json, "plan", c.setup, idle ? 0 : *c.plan);
        es__json_bool(&json, "again", again);
        enum es_status why = idle && !look ? idle : c.why;
        es__json_text(&json, "why", why ? es_status_text(why) : "");
        if (!idle && c.setup->game == &es_metro)
            es__metro_answer(&c, &json);
        else if (!idle)
            es__verplant_answer(&c, &json);
    }
    es__json_close(&json, '}');
}

bool es__page_squares(struct es_page *page, int player, uint64_t *squares)
{
    struct es_state view;
    struct es__choosing c;
    return begin(page, player, &view, &c) == ES_OK && es__metro_squares(&c, squares);
}
