/* The tables of the board, all of them constants: the rules need no start-up. */
#include <endstation/board.h>

/* ---- Tiles --------------------------------------------------------------------------------- */

/* Sides are numbered clockwise, so that a letter is a number of steps. */
enum { STEP_a = 2, STEP_b = 1, STEP_c = 3, STEP_d = 0 };

#define EXIT(side, letter) (((side) + STEP_##letter) & 3)

const uint8_t es_tile_exit[ES_TILE_KINDS][4] = {
#define ROW(arg, t, r, b, l, n) {EXIT(0, t), EXIT(1, r), EXIT(2, b), EXIT(3, l)},
    ES_TILE_LIST(ROW, )
#undef ROW
};

const uint8_t es_tile_turned[ES_TILE_KINDS][4] = {
#define ROW(arg, t, r, b, l, n)                                                                    \
    {ES_TILE_##t##r##b##l, ES_TILE_##l##t##r##b, ES_TILE_##b##l##t##r, ES_TILE_##r##b##l##t},
    ES_TILE_LIST(ROW, )
#undef ROW
};

const uint8_t es_tile_copies[ES_TILE_KINDS] = {
#define ROW(arg, t, r, b, l, n) n,
    ES_TILE_LIST(ROW, )
#undef ROW
};

const char es_tile_name[ES_TILE_KINDS][5] = {
#define ROW(arg, t, r, b, l, n) #t #r #b #l,
    ES_TILE_LIST(ROW, )
#undef ROW
};

/* A line over one tile goes back out of the side it came in by, anywhere along that rim; or round
 * a corner of the board, where two sides have stations. */
#define BACK(side, letter, squares) (EXIT(side, letter) == (side) ? (squares) : 0)
#define ROUND(one, letter, other, letter2, square)                                                 \
    (EXIT(one, letter) == (other) || EXIT(other, letter2) == (one) ? (uint64_t)1 << (square) : 0)

const uint64_t es__one_tile[ES_TILE_KINDS] = {
#define ROW(arg, t, r, b, l, n)                                                                    \
    BACK(0, t, 0x00000000000000ff) | BACK(1, r, 0x8080808080808080) |                              \
        BACK(2, b, 0xff00000000000000) | BACK(3, l, 0x0101010101010101) | ROUND(0, t, 3, l, 0) |   \
        ROUND(0, t, 1, r, 7) | ROUND(1, r, 2, b, 63) | ROUND(2, b, 3, l, 56),
    ES_TILE_LIST(ROW, )
#undef ROW
};

/* ---- Squares ------------------------------------------------------------------------------- */

#define IN_CENTRE(s) (ES_CENTRE >> (s)&1)
/* Two central squares come before those behind d4 and e4, two more before those behind d5, e5. */
#define END(s) ((s) < 27 ? 4 * (s) : (s) < 35 ? 4 * (s)-8 : 4 * (s)-16)
#define WAY(s, side) (IN_CENTRE(s) ? ES_END_CENTRE + 2 : END(s) + (side))
#define RIM (ES_END_RIM + 2)
#define BEYOND(s)                                                                                  \
    {                                                                                              \
        (s) < 8 ? RIM : WAY(((s) + 56) % 64, ES_SIDE_BOTTOM),                                      \
            (s) % 8 == 7 ? RIM : WAY(((s) + 1) % 64, ES_SIDE_LEFT),                                \
            (s) >= 56 ? RIM : WAY(((s) + 8) % 64, ES_SIDE_TOP),                                    \
            (s) % 8 == 0 ? RIM : WAY(((s) + 63) % 64, ES_SIDE_RIGHT)                               \
    }

#define FOUR(M, n) M(n), M((n) + 1), M((n) + 2), M((n) + 3)
#define SIXTEEN(M, n) FOUR(M, n), FOUR(M, (n) + 4), FOUR(M, (n) + 8), FOUR(M, (n) + 12)
#define SIXTY_FOUR(M, n)                                                                           \
    SIXTEEN(M, n), SIXTEEN(M, (n) + 16), SIXTEEN(M, (n) + 32), SIXTEEN(M, (n) + 48)

const uint8_t es__end[ES_SQUARES] = {SIXTY_FOUR(END, 0)};
const uint8_t es__beyond[ES_SQUARES][4] = {SIXTY_FOUR(BEYOND, 0)};

#define BIT(n, k) ((n) >> (k)&1)
#define BITS_BELOW(n, k)                                                                           \
    ((BIT(n, 0) & ((k) > 0)) + (BIT(n, 1) & ((k) > 1)) + (BIT(n, 2) & ((k) > 2)) +                 \
     (BIT(n, 3) & ((k) > 3)) + (BIT(n, 4) & ((k) > 4)) + (BIT(n, 5) & ((k) > 5)) +                 \
     (BIT(n, 6) & ((k) > 6)) + (BIT(n, 7) & ((k) > 7)))
#define LISTED(n, k) ((uint64_t)(BIT(n, k) * (k)) << 8 * BITS_BELOW(n, k))
#define LIST(n)                                                                                    \
    LISTED(n, 1) | LISTED(n, 2) | LISTED(n, 3) | LISTED(n, 4) | LISTED(n, 5) | LISTED(n, 6) |      \
        LISTED(n, 7)
#define COUNT(n) BITS_BELOW(n, 8)

const uint64_t es__bits[256] = {SIXTY_FOUR(LIST, 0), SIXTY_FOUR(LIST, 64), SIXTY_FOUR(LIST, 128),
                                SIXTY_FOUR(LIST, 192)};
const uint8_t es__bit_count[256] = {SIXTY_FOUR(COUNT, 0), SIXTY_FOUR(COUNT, 64),
                                    SIXTY_FOUR(COUNT, 128), SIXTY_FOUR(COUNT, 192)};

/* ---- Stations ------------------------------------------------------------------------------ */

/* Along the top from right to left, down the left side, along the bottom from left to right, up
 * the right side. X(station, square, side) */
#define SIDE(X, first, square, step, side)                                                         \
    X((first), (square), side)                                                                     \
    X((first) + 1, (square) + (step), side)                                                        \
    X((first) + 2, (square) + 2 * (step), side)                                                    \
    X((first) + 3, (square) + 3 * (step), side)                                                    \
    X((first) + 4, (square) + 4 * (step), side)                                                    \
    X((first) + 5, (square) + 5 * (step), side)                                                    \
    X((first) + 6, (square) + 6 * (step), side)                                                    \
    X((first) + 7, (square) + 7 * (step), side)
#define STATIONS(X)                                                                                \
    SIDE(X, 1, 7, -1, ES_SIDE_TOP)                                                                 \
    SIDE(X, 9, 0, 8, ES_SIDE_LEFT)                                                                 \
    SIDE(X, 17, 56, 1, ES_SIDE_BOTTOM)                                                             \
    SIDE(X, 25, 63, -8, ES_SIDE_RIGHT)

const uint8_t es_station_square[ES_METRO_STATIONS + 1] = {
#define ENTRY(station, square, side) [station] = (square),
    STATIONS(ENTRY)
#undef ENTRY
};

const uint8_t es_station_side[ES_METRO_STATIONS + 1] = {
#define ENTRY(station, square, side) [station] = (side),
    STATIONS(ENTRY)
#undef ENTRY
};

const uint8_t es__station[256] = {
#define ENTRY(station, square, side) [END(square) + (side)] = (station),
    STATIONS(ENTRY)
#undef ENTRY
};

/* Seats of the owners of stations 1 to 32; 6: nobody. Before them what is no station. */
const uint8_t es__seat[7][ES_METRO_STATIONS + 1] = {
    [2] = {6, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1,
           0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1},
    [3] = {6, 0, 1, 2, 0, 2, 0, 1, 2, 1, 2, 0, 1, 2, 1, 0, 6,
           6, 2, 1, 0, 2, 1, 0, 2, 0, 2, 1, 0, 1, 2, 0, 1},
    [4] = {6, 2, 3, 1, 0, 3, 2, 0, 1, 3, 2, 0, 1, 2, 3, 1, 0,
           3, 2, 1, 0, 2, 3, 0, 1, 2, 3, 0, 1, 3, 2, 1, 0},
    [5] = {6, 0, 3, 2, 4, 0, 1, 2, 4, 3, 0, 4, 1, 3, 0, 2, 6,
           6, 1, 2, 4, 3, 0, 1, 4, 2, 3, 1, 0, 2, 3, 4, 1},
    [6] = {6, 0, 1, 4, 2, 0, 3, 5, 2, 4, 0, 1, 5, 4, 2, 3, 6,
           6, 1, 0, 3, 2, 5, 4, 3, 1, 2, 0, 5, 1, 4, 3, 5},
};

/* ---- The empty board ----------------------------------------------------------------------- */

void es_board_blank(struct es_board *board)
{
    memset(board, 0, sizeof *board);
    for (unsigned end = 0; end < ES_END_RIM; end++)
        board->ends[end] = (uint16_t)end;
    board->ends[ES_END_RIM + 2] = ES_END_RIM;
    board->ends[ES_END_CENTRE + 2] = ES_END_CENTRE;
}
