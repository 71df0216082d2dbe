/* The constant tables of metro's board (board.h), and the empty board. */
#include <endstation/metro/board.h>

/* ---- Tiles ---------------------------------------------------------------------------------- */

/* The letter of a track as steps clockwise from the side it comes from. */
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

/* A line from station to station over one tile either leaves by the side it came in by, anywhere
 * along the rim; or turns round a corner of the board, where two sides have stations. */
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

/* ---- Squares -------------------------------------------------------------------------------- */

#define IN_CENTRE(s) (ES_CENTRE >> (s)&1)
/* The first end of a square. Central squares (27, 28, 35, 36) have no ends, so squares after 28
 * have two squares fewer before them, and those after 36 four. */
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

/* Bits that wrap to the other side of the board land on the rim, which is always in
 * es_board.near. */
#define ONE(s) ((uint64_t)1 << (s))
#define NEAR(s) ((ONE(s) << 8 | ONE(s) >> 8 | ONE(s) << 1 | ONE(s) >> 1) & ~ES_CENTRE)

const uint64_t es__near[ES_SQUARES] = {SIXTY_FOUR(NEAR, 0)};

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

/* ---- Stations ------------------------------------------------------------------------------- */

/* The stations: along the top from right to left, down the left side, along the bottom from left to
 * right, up the right side; each with the seat of its owner among 2, 3, 4, 5 and 6 players, 6 for
 * nobody. X(station, square, side, seats …) */
#define STATIONS(X)                                                                                \
    X(1, 7, ES_SIDE_TOP, 0, 0, 2, 0, 0)                                                            \
    X(2, 6, ES_SIDE_TOP, 1, 1, 3, 3, 1)                                                            \
    X(3, 5, ES_SIDE_TOP, 0, 2, 1, 2, 4)                                                            \
    X(4, 4, ES_SIDE_TOP, 1, 0, 0, 4, 2)                                                            \
    X(5, 3, ES_SIDE_TOP, 0, 2, 3, 0, 0)                                                            \
    X(6, 2, ES_SIDE_TOP, 1, 0, 2, 1, 3)                                                            \
    X(7, 1, ES_SIDE_TOP, 0, 1, 0, 2, 5)                                                            \
    X(8, 0, ES_SIDE_TOP, 1, 2, 1, 4, 2)                                                            \
    X(9, 0, ES_SIDE_LEFT, 0, 1, 3, 3, 4)                                                           \
    X(10, 8, ES_SIDE_LEFT, 1, 2, 2, 0, 0)                                                          \
    X(11, 16, ES_SIDE_LEFT, 0, 0, 0, 4, 1)                                                         \
    X(12, 24, ES_SIDE_LEFT, 1, 1, 1, 1, 5)                                                         \
    X(13, 32, ES_SIDE_LEFT, 0, 2, 2, 3, 4)                                                         \
    X(14, 40, ES_SIDE_LEFT, 1, 1, 3, 0, 2)                                                         \
    X(15, 48, ES_SIDE_LEFT, 0, 0, 1, 2, 3)                                                         \
    X(16, 56, ES_SIDE_LEFT, 1, 6, 0, 6, 6)                                                         \
    X(17, 56, ES_SIDE_BOTTOM, 0, 6, 3, 6, 6)                                                       \
    X(18, 57, ES_SIDE_BOTTOM, 1, 2, 2, 1, 1)                                                       \
    X(19, 58, ES_SIDE_BOTTOM, 0, 1, 1, 2, 0)                                                       \
    X(20, 59, ES_SIDE_BOTTOM, 1, 0, 0, 4, 3)                                                       \
    X(21, 60, ES_SIDE_BOTTOM, 0, 2, 2, 3, 2)                                                       \
    X(22, 61, ES_SIDE_BOTTOM, 1, 1, 3, 0, 5)                                                       \
    X(23, 62, ES_SIDE_BOTTOM, 0, 0, 0, 1, 4)                                                       \
    X(24, 63, ES_SIDE_BOTTOM, 1, 2, 1, 4, 3)                                                       \
    X(25, 63, ES_SIDE_RIGHT, 0, 0, 2, 2, 1)                                                        \
    X(26, 55, ES_SIDE_RIGHT, 1, 2, 3, 3, 2)                                                        \
    X(27, 47, ES_SIDE_RIGHT, 0, 1, 0, 1, 0)                                                        \
    X(28, 39, ES_SIDE_RIGHT, 1, 0, 1, 0, 5)                                                        \
    X(29, 31, ES_SIDE_RIGHT, 0, 1, 3, 2, 1)                                                        \
    X(30, 23, ES_SIDE_RIGHT, 1, 2, 2, 3, 4)                                                        \
    X(31, 15, ES_SIDE_RIGHT, 0, 0, 1, 4, 3)                                                        \
    X(32, 7, ES_SIDE_RIGHT, 1, 1, 0, 1, 5)

const uint8_t es_station_square[ES_METRO_STATIONS + 1] = {
#define ENTRY(station, square, side, two, three, four, five, six) [station] = (square),
    STATIONS(ENTRY)
#undef ENTRY
};

const uint8_t es_station_side[ES_METRO_STATIONS + 1] = {
#define ENTRY(station, square, side, two, three, four, five, six) [station] = (side),
    STATIONS(ENTRY)
#undef ENTRY
};

const uint8_t es__station[256] = {
#define ENTRY(station, square, side, two, three, four, five, six)                                  \
    [END(square) + (side)] = (station),
    STATIONS(ENTRY)
#undef ENTRY
};

const uint8_t es__seat[7][ES_METRO_STATIONS + 1] = {
#define ENTRY(station, square, side, two, three, four, five, six)                                  \
    [2][station] = (two), [3][station] = (three), [4][station] = (four), [5][station] = (five),    \
    [6][station] = (six),
    STATIONS(ENTRY)
#undef ENTRY
};

#define UNIT(seat) ((seat) == ES__NOBODY ? 0 : (uint64_t)1 << (seat)*ES__POINT_BITS)

const uint64_t es__unit[7][256] = {
#define ENTRY(station, square, side, two, three, four, five, six)                                  \
    [2][END(square) + side] = UNIT(two), [3][END(square) + side] = UNIT(three),                    \
                      [4][END(square) + side] = UNIT(four), [5][END(square) + side] = UNIT(five),  \
                      [6][END(square) + side] = UNIT(six),
    STATIONS(ENTRY)
#undef ENTRY
};

const uint8_t es__factor[256] = {[ES_END_RIM] = 1, [ES_END_CENTRE] = 2};

/* ---- The empty board ------------------------------------------------------------------------ */

void es_board_blank(struct es_board *board)
{
    memset(board, 0, sizeof *board);
    board->near = ES_RIM;
    for (unsigned end = 0; end < ES_END_RIM; end++)
        board->ends[end] = (uint16_t)end;
    board->ends[ES_END_RIM + 2] = ES_END_RIM;
    board->ends[ES_END_CENTRE + 2] = ES_END_CENTRE;
}
