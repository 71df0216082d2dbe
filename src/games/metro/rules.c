/* The rules of metro: hands, stock, turns, events. The rules of laying a tile are in board.h. */
#include "games/metro/rules.h"
#include <assert.h>
#include <string.h>

static struct es_metro_state *metro_state(struct es_state *state)
{
    return (struct es_metro_state *)state;
}

es_status es__metro_prepare(struct es_setup *setup)
{
    (void)setup; /* the tables are constants */
    return ES_OK;
}

void es__metro_start(const struct es_setup *setup, struct es_state *state)
{
    (void)setup;
    struct es_metro_state *s = metro_state(state);
    memset(state, 0, sizeof *state);
    es_board_blank(&s->board);
    memcpy(s->unseen, es_tile_copies, sizeof s->unseen);
    s->drawn = ES_TILE_NONE;
    s->stock = ES_METRO_TILES;
    s->phase = ES_METRO_DEALING;
    s->player = 1;
}

/* ---- Hands ---------------------------------------------------------------------------------- */

static void add_to_hand(struct es_metro_state *s, uint8_t tile)
{
    uint8_t *hand = s->hand[s->player - 1];
    int i = s->held[s->player - 1]++;
    assert(i < ES_HAND_MAX);
    for (; i > 0 && hand[i - 1] > tile; i--)
        hand[i] = hand[i - 1];
    hand[i] = tile;
}

/* Returns the index of a tile in the hand of the player at turn, or -1. */
static int held_at(const struct es_metro_state *s, int tile)
{
    for (int i = 0; i < s->held[s->player - 1]; i++)
        if (s->hand[s->player - 1][i] == tile)
            return i;
    return -1;
}

static void remove_from_hand(struct es_metro_state *s, int at)
{
    uint8_t *hand = s->hand[s->player - 1];
    int last = --s->held[s->player - 1];
    for (int i = at; i < last; i++)
        hand[i] = hand[i + 1];
    hand[last] = 0; /* so that equal hands have equal bytes */
}

/* ---- Turns ---------------------------------------------------------------------------------- */

static uint8_t next_seat(const struct es_setup *setup, uint8_t player)
{
    return player < setup->players ? player + 1 : 1;
}

/* Passes the turn on. Players who have no tile and can get none are skipped. */
static void next_player(const struct es_setup *setup, struct es_metro_state *s)
{
    s->phase = ES_METRO_TURN;
    if (s->board.laid == ~ES_CENTRE) {
        s->phase = ES_METRO_OVER;
        return;
    }
    do
        s->player = next_seat(setup, s->player);
    while (s->held[s->player - 1] == 0 && s->stock == 0);
}

struct es_turn es__metro_turn(const struct es_setup *setup, const struct es_state *state)
{
    (void)setup;
    const struct es_metro_state *s = es_metro_state(state);
    if (s->phase == ES_METRO_TURN)
        return (struct es_turn){ES_TURN_PLAYERS, 1U << (s->player - 1)};
    return (struct es_turn){s->phase == ES_METRO_OVER ? ES_TURN_OVER : ES_TURN_CHANCE, 0};
}

static bool tile_due(const struct es_metro_state *s)
{
    return s->phase != ES_METRO_TURN && s->phase != ES_METRO_OVER;
}

static bool may_draw(const struct es_metro_state *s)
{
    return s->drawn == ES_TILE_NONE && s->stock > 0;
}

/* ---- Lists ---------------------------------------------------------------------------------- */

/* Four events, which fill a vector register. */
typedef es_event four_events __attribute__((vector_size(16)));

/* Lists an event for every square of a set: `event` plus the square. es_squares_list is not used:
 * its bytes, read back in other blocks than they were written in, would stall the processor. */
static size_t list_events(uint64_t squares, es_event event, es_event *events)
{
    static const struct {
        four_events list;
        size_t count;
    } fours[16] = {
        {{0}, 0},    {{0}, 1},       {{1}, 1},       {{0, 1}, 2},       {{2}, 1},    {{0, 2}, 2},
        {{1, 2}, 2}, {{0, 1, 2}, 3}, {{3}, 1},       {{0, 3}, 2},       {{1, 3}, 2}, {{0, 1, 3}, 3},
        {{2, 3}, 2}, {{0, 2, 3}, 3}, {{1, 2, 3}, 3}, {{0, 1, 2, 3}, 4},
    };
    four_events first = {event, event, event, event};
    size_t count = 0;
#pragma GCC unroll 16
    for (int shift = 0; shift < 64; shift += 4) {
        unsigned bits = squares >> shift & 15;
        four_events block = first + fours[bits].list;
        memcpy(events + count, &block, sizeof block); /* the list has room for the surplus */
        count += fours[bits].count;
        first += 4;
    }
    return count;
}

static size_t legal_tile(const struct es_setup *setup, const struct es_metro_state *s, int tile,
                         es_event *events)
{
    uint64_t squares[4];
    size_t count = 0;
    int looks = es_board_places(&s->board, tile, setup->rules & ES_METRO_ROTATE, squares);
    for (int q = 0; q < looks; q++)
        count += list_events(squares[q], ES_METRO_LAY(s->player, tile, q, 0), events + count);
    return count;
}

size_t es__metro_legal(const struct es_setup *setup, const struct es_state *state, int who,
                       es_event *events)
{
    const struct es_metro_state *s = es_metro_state(state);
    size_t count = 0;
    if (who == ES_CHANCE) {
        for (int tile = 0; tile < ES_TILE_KINDS && tile_due(s); tile++)
            if (s->unseen[tile] > 0)
                events[count++] = ES_METRO_DEAL(s->player, tile);
        return count;
    }
    if (s->phase != ES_METRO_TURN || who != s->player)
        return 0;
    if (s->drawn != ES_TILE_NONE)
        return s->drawn < ES_TILE_KINDS ? legal_tile(setup, s, s->drawn, events) : 0;
    if (may_draw(s))
        events[count++] = ES_METRO_DRAW(who);
    const uint8_t *hand = s->hand[who - 1];
    for (int i = 0; i < s->held[who - 1] && hand[i] < ES_TILE_KINDS; i++)
        if (i == 0 || hand[i] != hand[i - 1])
            count += legal_tile(setup, s, hand[i], events + count);
    return count;
}

unsigned es__metro_weight(const struct es_setup *setup, const struct es_state *state,
                          es_event event)
{
    (void)setup;
    return es_metro_state(state)->unseen[ES_METRO_DEAL_TILE(event)];
}

es_event es__metro_deal(const struct es_setup *setup, const struct es_state *state,
                        const uint8_t seed[ES_SEED_BYTES])
{
    (void)setup;
    const struct es_metro_state *s = es_metro_state(state);
    uint8_t order[ES_METRO_TILES];
    assert(s->stock > 0);
    es_fair_shuffle(seed, 0, ES_METRO_TILES, order);
    int place = order[ES_METRO_TILES - s->stock], tile = 0;
    for (; place >= es_tile_copies[tile]; tile++)
        place -= es_tile_copies[tile];
    return ES_METRO_DEAL(s->player, tile);
}

/* ---- Events --------------------------------------------------------------------------------- */

static es_status apply_deal(const struct es_setup *setup, struct es_metro_state *s, es_event event)
{
    int player = ES_METRO_DEAL_PLAYER(event), tile = ES_METRO_DEAL_TILE(event);
    if (s->phase == ES_METRO_OVER)
        return ES_GAME_OVER;
    if (!tile_due(s))
        return ES_CHANCE_NOT_DUE;
    if (tile > ES_TILE_UNKNOWN)
        return ES_EVENT_BAD;
    if (player != s->player)
        return ES_TILE_ELSEWHERE;
    if (tile < ES_TILE_KINDS && s->unseen[tile] == 0)
        return ES_TILE_GONE;
    assert(s->stock > 0);
    s->stock--;
    if (tile < ES_TILE_KINDS)
        s->unseen[tile]--;
    if (s->phase == ES_METRO_DRAWING) {
        s->drawn = (uint8_t)tile;
        s->phase = ES_METRO_TURN;
        return ES_OK;
    }
    add_to_hand(s, (uint8_t)tile);
    if (s->phase == ES_METRO_REFILLING) {
        next_player(setup, s);
        return ES_OK;
    }
    int all = setup->players * es_metro_hand_size(setup);
    if (ES_METRO_TILES - s->stock == all)
        s->phase = ES_METRO_TURN;
    s->player = next_seat(setup, s->player);
    return ES_OK;
}

es_status es_metro_fault(const struct es_setup *setup, const struct es_metro_state *s, int tile,
                         int quarters, int square)
{
    uint64_t squares[4], bit = (uint64_t)1 << square;
    bool rotate = setup->rules & ES_METRO_ROTATE;
    if (quarters == 0 && !rotate && es_board_squares(&s->board, tile) & bit)
        return ES_OK; /* the usual case; otherwise find the reason */
    if (quarters > 0 && !rotate)
        return ES_TURN_UNWANTED;
    if (quarters >= es_tile_looks(tile))
        return ES_TURN_NOT_LEAST;
    if (ES_CENTRE & bit)
        return ES_SQUARE_CENTRE;
    if (s->board.laid & bit)
        return ES_SQUARE_TAKEN;
    if (!(es_board_open(&s->board) & bit))
        return ES_SQUARE_ALONE;
    es_board_places(&s->board, tile, rotate, squares);
    return squares[quarters] & bit ? ES_OK : ES_LINE_TOO_SHORT;
}

/* Lays a tile from the hand, or the one drawn. In a view, an unseen tile can be the unknown one in
 * the hand. */
static es_status lay(const struct es_setup *setup, struct es_metro_state *s, es_event event)
{
    int tile = ES_METRO_LAY_TILE(event), quarters = ES_METRO_LAY_QUARTERS(event);
    int square = ES_METRO_LAY_SQUARE(event), at = -1;
    bool from_hand = s->drawn == ES_TILE_NONE, reveal = false;
    if (tile >= ES_TILE_KINDS)
        return ES_EVENT_BAD;
    if (from_hand) {
        at = held_at(s, tile);
        reveal = at < 0;
        if (reveal)
            at = held_at(s, ES_TILE_UNKNOWN);
        if (at < 0)
            return ES_TILE_NOT_HELD;
    } else {
        reveal = s->drawn == ES_TILE_UNKNOWN;
        if (!reveal && s->drawn != tile)
            return ES_TILE_NOT_DRAWN;
    }
    if (reveal && s->unseen[tile] == 0)
        return ES_TILE_GONE;
    es_status status = es_metro_fault(setup, s, tile, quarters, square);
    if (status)
        return status;

    int look = es_tile_turned[tile][quarters];
    es_board_lay(&s->board, setup->players, square, look);
    s->look[square] = (uint8_t)look;
    if (reveal)
        s->unseen[tile]--;
    if (from_hand)
        remove_from_hand(s, at);
    s->drawn = ES_TILE_NONE;
    if (from_hand && s->stock > 0)
        s->phase = ES_METRO_REFILLING;
    else
        next_player(setup, s);
    return ES_OK;
}

static es_status draw(struct es_metro_state *s)
{
    if (s->drawn != ES_TILE_NONE)
        return ES_TILE_NOT_DRAWN;
    if (s->stock == 0)
        return ES_STOCK_EMPTY;
    s->phase = ES_METRO_DRAWING;
    return ES_OK;
}

es_status es__metro_apply(const struct es_setup *setup, struct es_state *state, es_event event)
{
    struct es_metro_state *s = metro_state(state);
    int who = ES_EVENT_WHO(event);
    if (who == ES_CHANCE)
        return apply_deal(setup, s, event);
    if (who > setup->players)
        return ES_PLAYER_UNKNOWN;
    if (s->phase == ES_METRO_OVER)
        return ES_GAME_OVER;
    if (who != s->player || s->phase != ES_METRO_TURN)
        return tile_due(s) ? ES_CHANCE_DUE : ES_NOT_TO_ACT;
    uint32_t what = ES_EVENT_WHAT(event);
    return what == 0 ? draw(s) : what >> 13 == 1 ? lay(setup, s, event) : ES_EVENT_BAD;
}

/* Tiles dealt to others are masked until they are laid. */
size_t es__metro_observe(const struct es_setup *setup, const struct es_state *state,
                         const es_event *events, size_t count, int viewer, es_event *seen)
{
    (void)setup, (void)state;
    for (size_t i = 0; i < count; i++) {
        int player = ES_METRO_DEAL_PLAYER(events[i]);
        bool hidden = ES_EVENT_WHO(events[i]) == ES_CHANCE && player != viewer;
        seen[i] = hidden ? ES_METRO_DEAL(player, ES_TILE_UNKNOWN) : events[i];
    }
    return count;
}

/* ---- Scores --------------------------------------------------------------------------------- */

int es__metro_score(const struct es_setup *setup, const struct es_state *state, int player)
{
    (void)setup;
    return es_board_points(&es_metro_state(state)->board, player);
}

unsigned es__metro_winners(const struct es_setup *setup, const struct es_state *state)
{
    unsigned best = 0;
    int most = -1;
    if (es_metro_state(state)->phase != ES_METRO_OVER)
        return 0;
    for (int p = 1; p <= setup->players; p++) {
        int points = es__metro_score(setup, state, p);
        if (points > most)
            best = 0;
        if (points >= most) {
            most = points;
            best |= 1U << (p - 1);
        }
    }
    return best;
}

int es_metro_way(const struct es_metro_state *s, int station,
                 struct es_metro_step steps[ES_METRO_STEPS_MAX])
{
    int square = es_station_square[station], in = es_station_side[station], count = 0;
    while (s->board.laid >> square & 1) {
        int out = es_tile_exit[s->look[square]][in];
        assert(count < ES_METRO_STEPS_MAX);
        steps[count++] = (struct es_metro_step){(uint8_t)square, (uint8_t)in, (uint8_t)out};
        if (es__beyond[square][out] >= ES_END_RIM)
            break;
        square = es_square_beyond(square, out);
        in = out ^ 2;
    }
    return count;
}

/* ---- Invariants ----------------------------------------------------------------------------- */

/* Checks the invariant of es_board.ends, and that the points are those of the finished lines. */
static bool board_sound(const struct es_setup *setup, const struct es_board *board)
{
    int points[ES_PLAYERS_MAX + 1] = {0};
    uint64_t near = ES_RIM;
    for (int square = 0; square < ES_SQUARES; square++)
        near |= board->laid >> square & 1 ? es__near[square] : 0;
    if (board->laid & ES_CENTRE || board->near != near)
        return false;
    for (int square = 0; square < ES_SQUARES; square++)
        for (int side = 0; side < 4 && !(ES_CENTRE >> square & 1); side++) {
            unsigned name = es__end[square] + (unsigned)side, end = board->ends[name];
            unsigned other = end & 255;
            bool here = board->laid >> square & 1;
            bool there = es__beyond[square][side] < ES_END_RIM &&
                         board->laid >> es_square_beyond(square, side) & 1;
            if (!here && !there && end != name)
                return false;
            if (here != there && other < ES_END_RIM &&
                board->ends[other] != ((end & 0xff00) | name))
                return false;
        }
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        points[es_station_owner(setup->players, station)] +=
            es_line_points(es_board_line(board, station));
    for (int p = 1; p <= setup->players; p++)
        if (points[p] != es_board_points(board, p))
            return false;
    return true;
}

/* Checks that every tile is in exactly one place. */
static bool tiles_sound(const struct es_setup *setup, const struct es_metro_state *s)
{
    int unseen = 0, unknown = s->drawn == ES_TILE_UNKNOWN, held = s->drawn != ES_TILE_NONE;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++) {
        if (s->unseen[tile] > es_tile_copies[tile])
            return false;
        unseen += s->unseen[tile];
    }
    for (int p = 0; p < ES_PLAYERS_MAX; p++) {
        if (s->held[p] > (p < setup->players ? es_metro_hand_size(setup) : 0))
            return false;
        held += s->held[p];
        for (int i = 0; i < ES_HAND_MAX; i++) {
            bool tile = i < s->held[p];
            if (tile ? s->hand[p][i] > ES_TILE_UNKNOWN : s->hand[p][i] != 0)
                return false;
            if (tile && i > 0 && s->hand[p][i - 1] > s->hand[p][i])
                return false;
            unknown += tile && s->hand[p][i] == ES_TILE_UNKNOWN;
        }
    }
    return unseen == s->stock + unknown && s->stock + held + es_metro_laid(s) == ES_METRO_TILES;
}

es_status es__metro_check(const struct es_setup *setup, const struct es_state *state)
{
    const struct es_metro_state *s = es_metro_state(state);
    bool over = es_metro_laid(s) == ES_METRO_TILES;
    bool sound = s->player >= 1 && s->player <= setup->players && s->phase <= ES_METRO_OVER &&
                 (s->phase == ES_METRO_OVER) == over && (!tile_due(s) || s->stock > 0) &&
                 (s->phase == ES_METRO_TURN || s->drawn == ES_TILE_NONE);
    return sound && board_sound(setup, &s->board) && tiles_sound(setup, s) ? ES_OK : ES_BROKEN;
}
