/* metro's part of a session: taps and keys that pick up a tile, turn it and lay it on a square. */
#include "games/metro/table.h"

/* What es__pick.own holds. */
struct in_hand {
    uint8_t number; /* the tile picked up, from 1; 0: the first */
    uint8_t turns;  /* its quarter turns */
};

static struct in_hand *in_hand(const struct es__choosing *c)
{
    return (struct in_hand *)c->pick->own;
}

/* ---- The tile picked up --------------------------------------------------------------------- */

static const struct es_metro_state *table(const struct es__choosing *c)
{
    return es_metro_state(c->view);
}

/* Returns the index in the hand of the tile picked up. A tile that was drawn is not in the hand. */
static int place(const struct es__choosing *c)
{
    return in_hand(c)->number > 0 ? in_hand(c)->number - 1 : 0;
}

/* Returns the tile picked up, or ES_TILE_UNKNOWN if this view does not show it. */
static int tile_of(const struct es__choosing *c)
{
    const struct es_metro_state *s = table(c);
    return s->drawn != ES_TILE_NONE ? s->drawn : s->hand[c->player - 1][place(c)];
}

static bool is_known(const struct es__choosing *c)
{
    return tile_of(c) < ES_TILE_KINDS;
}

static bool targets(const struct es__choosing *c, uint64_t *squares)
{
    uint64_t places[4];
    if (!is_known(c))
        return false;
    es_board_places(&table(c)->board, tile_of(c), c->setup->rules & ES_METRO_ROTATE, places);
    *squares = places[in_hand(c)->turns];
    return true;
}

/* Returns the planned square, or -1. */
static int square_of(const struct es__choosing *c)
{
    return ES_METRO_IS_LAY(*c->plan) ? ES_METRO_LAY_SQUARE(*c->plan) : -1;
}

static void plan_square(struct es__choosing *c, int square)
{
    if (!is_known(c)) {
        c->why = ES_VIEW_BLIND;
        return;
    }
    /* Why a square is forbidden is the first reason to report. */
    c->why = es_metro_fault(c->setup, table(c), tile_of(c), in_hand(c)->turns, square);
    if (c->why == ES_OK)
        es__plan(c, ES_METRO_LAY(c->player, tile_of(c), in_hand(c)->turns, square));
}

/* Called after the tile or its rotation changed: keeps the planned square if that is legal. */
static void follow(struct es__choosing *c)
{
    int square = square_of(c);
    *c->plan = 0;
    if (square >= 0)
        plan_square(c, square);
    c->why = ES_OK;
}

static void turn_tile(struct es__choosing *c)
{
    if (!(c->setup->rules & ES_METRO_ROTATE)) {
        c->why = ES_TURN_UNWANTED;
    } else if (is_known(c)) {
        in_hand(c)->turns = (uint8_t)((in_hand(c)->turns + 1) % es_tile_looks(tile_of(c)));
        follow(c);
    }
}

static void pick_up(struct es__choosing *c, int number, bool turn)
{
    const struct es_metro_state *s = table(c);
    if (s->drawn != ES_TILE_NONE) {
        c->why = ES_TILE_NOT_DRAWN;
    } else if (number < 1 || number > s->held[c->player - 1]) {
        c->why = ES_TILE_NOT_HELD;
    } else if (number - 1 == place(c)) {
        if (turn && c->setup->rules & ES_METRO_ROTATE)
            turn_tile(c);
        else
            follow(c); /* cancels a planned draw */
    } else {
        in_hand(c)->number = (uint8_t)number;
        in_hand(c)->turns = 0;
        follow(c);
    }
}

/* Picks up the planned tile; a tap on its square then counts as the second one. */
static void planned(struct es__choosing *c)
{
    const struct es_metro_state *s = table(c);
    int tile = ES_METRO_LAY_TILE(*c->plan), square = square_of(c);
    struct es_out out = {c->pick->tapped, sizeof c->pick->tapped, 0};
    es_out_text(&out, square < 0 ? "stock" : "square-");
    if (square >= 0) {
        es_square_write(square, &out);
        in_hand(c)->turns = (uint8_t)ES_METRO_LAY_QUARTERS(*c->plan);
        for (int i = 0; i < s->held[c->player - 1] && tile_of(c) != tile; i++)
            in_hand(c)->number =
                (uint8_t)(s->hand[c->player - 1][i] == tile ? i + 1 : in_hand(c)->number);
    }
    es_out_char(&out, '\0');
}

/* ---- Walking over the board ----------------------------------------------------------------- */

/* Returns the next legal square: Left and Right go row by row, Up and Down column by column,
 * wrapping around, so that every legal square can be reached. */
static int next_square(uint64_t squares, int from, int key)
{
    const bool along = key == KEY_LEFT || key == KEY_RIGHT;
    const int by = key == KEY_RIGHT || key == KEY_DOWN ? 1 : ES_SQUARES - 1;
    int place = along ? from : from % 8 * 8 + from / 8;
    for (int i = 1; i < ES_SQUARES; i++) {
        place = (place + by) % ES_SQUARES;
        int square = along ? place : place % 8 * 8 + place / 8;
        if (squares >> square & 1)
            return square;
    }
    return from;
}

static void walk(struct es__choosing *c, int key)
{
    uint64_t squares;
    int from = square_of(c);
    if (!targets(c, &squares))
        plan_square(c, 0); /* sets c->why */
    else if (squares)
        plan_square(c, from < 0 ? __builtin_ctzll(squares) : next_square(squares, from, key));
}

/* ---- Taps and keys -------------------------------------------------------------------------- */

static bool tap(struct es__choosing *c, struct es_str part)
{
    struct es_str name;
    uint8_t square;
    unsigned number;
    if (es__part_of(part, "square-", &name)) {
        c->why = es_square_read(name, &square);
        if (c->why == ES_OK)
            plan_square(c, square);
        return true;
    }
    if (es_str_is(part, "stock")) {
        es__plan(c, ES_METRO_DRAW(c->player));
        return true;
    }
    if (es__part_of(part, "hand-", &name)) {
        c->why = es_str_number(name, ES_HAND_MAX, &number);
        if (c->why == ES_OK)
            pick_up(c, (int)number, true);
    } else if (es_str_is(part, "drawn")) {
        if (table(c)->drawn == ES_TILE_NONE)
            c->why = ES_TILE_NOT_HELD;
        else
            turn_tile(c);
    } else if (es_str_is(part, "centre")) {
        c->why = ES_SQUARE_CENTRE;
    }
    return false;
}

static void press_key(struct es__choosing *c, int key)
{
    if (key == 'D')
        es__plan(c, ES_METRO_DRAW(c->player));
    else if (key == KEY_SPACE)
        turn_tile(c);
    else if (key >= '1' && key <= '9')
        pick_up(c, key - '0', false);
    else if (key >= KEY_LEFT && key <= KEY_DOWN)
        walk(c, key);
}

/* ---- The answer ----------------------------------------------------------------------------- */

static void answer(const struct es__choosing *c, struct es__writer *w)
{
    const struct es_metro_state *s = table(c);
    uint64_t squares = 0;
    int square = square_of(c), count = 0, gain = 0;
    struct es_line lines[4];
    es__metro_tile_fact(w, "tile", tile_of(c));
    es__write_int(w, "turns", in_hand(c)->turns);
    es__write_int(w, "hand", s->drawn == ES_TILE_NONE ? place(c) + 1 : 0);
    es__metro_square_fact(w, "square", square);
    targets(c, &squares);
    es__write_array(w, "squares");
    for (; squares; squares &= squares - 1)
        es__metro_square_fact(w, NULL, __builtin_ctzll(squares));
    es__write_end(w);
    if (square >= 0) /* from the plan, since the view may hide the tile in hand */
        count = es__metro_finishes(&s->board, *c->plan, lines);
    es__write_array(w, "finish");
    for (int i = 0; i < count; i++) {
        if (es_station_owner(c->setup->players, lines[i].station) == c->player)
            gain += es_line_points(lines[i]);
        es__write_object(w, NULL);
        es__metro_line_facts(w, c->setup, lines[i]);
        es__write_end(w);
    }
    es__write_end(w);
    es__write_int(w, "gain", gain);
    es__write_array(w, "longer");
    if (square >= 0)
        es__metro_longer_facts(w, c->setup, &s->board, *c->plan);
    es__write_end(w);
}

/* Validates pick.own, which comes from outside. */
static bool can_hold(const struct es__choosing *c)
{
    const struct in_hand *hand = in_hand(c);
    if (hand->number > table(c)->held[c->player - 1] || c->pick->own[2] || c->pick->own[3])
        return false;
    int looks = is_known(c) ? es_tile_looks(tile_of(c)) : 4;
    return hand->turns < (c->setup->rules & ES_METRO_ROTATE ? looks : 1);
}

/* ---- Taking back, playing again ------------------------------------------------------------- */

/* A laid tile can be taken back until the next one is dealt; a draw cannot. */
static long undo(const struct es_setup *setup, const struct es_state *state, const es_event *events,
                 size_t count, int player)
{
    (void)setup;
    bool unseen = es_metro_state(state)->phase == ES_METRO_REFILLING;
    return unseen && count > 0 && ES_EVENT_WHO(events[count - 1]) == player ? (long)count - 1 : -1;
}

/* Deals the same tile, to the player who is due now. */
static bool deal_again(const struct es_setup *setup, const struct es_state *state, es_event *event)
{
    (void)setup;
    int tile = ES_METRO_DEAL_TILE(*event);
    *event = ES_METRO_DEAL(es_metro_state(state)->player, tile);
    return tile != ES_TILE_UNKNOWN;
}

const struct es_table es__metro_table = {
    .tap = tap,
    .key = press_key,
    .planned = planned,
    .can_hold = can_hold,
    .answer = answer,
    .targets = targets,
    .facts = es__metro_facts,
    .player_facts = es__metro_player_facts,
    .piece_facts = es__metro_piece_facts,
    .tell = es__metro_tell,
    .undo = undo,
    .deal_again = deal_again,
    .compare = es__metro_compare,
};
