/* The board of metro, small enough for search to copy. Implements all rules of laying a tile;
 * metro.h adds hands, stock, turns and validation of events from outside.
 *
 * Lines are never traced. Between two neighbouring squares run two tracks, one each way. An end is
 * a point where a train enters a square: it is named by that square and the side. Invariant: for an
 * end e with a tile on exactly one side, ends[e] = (o, n): the track through e has its other end at
 * o, n tiles away; unless o is the rim or the centre, ends[o] = (e, n). With no tile on either side
 * ends[e] = (e, 0). With tiles on both sides the entry is stale and never read.
 *
 *             station 8
 *        |                              With tiles on a1 and b1, the track from station 8 over a1,
 *     +--v----+-------+                 b1 and a1 again down to a2 is stored as

 *     |  '----|--->-. |
 *     |  .----|---<-' |                     ends[a1 top] = a2 top, 3 tiles
 *     |  |    |       |                     ends[a2 top] = a1 top, 3 tiles
 *     +--v----+-------+
 *        a2        A tile laid on a2 joins each of the four tracks that lead into the square with
 *                  the one that leaves it: four joins, each of which updates two far ends.
 *
 * A line is finished when a station's other end is the rim or the centre.
 */
#ifndef ENDSTATION_BOARD_H
#define ENDSTATION_BOARD_H

#include <assert.h>
#include <endstation/metro/status.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ES_SQUARES = 64, /* a1 is 0, b1 is 1, … h8 is 63; four of them are the central stations */
    ES_METRO_STATIONS = 32,
    ES_METRO_TILES = 60,
    ES_TILE_KINDS = 24,
    ES_LIST_MAX = 72, /* room for any list of squares, blocks written past its end included */
};

enum { ES_SIDE_TOP, ES_SIDE_RIGHT, ES_SIDE_BOTTOM, ES_SIDE_LEFT };

/* Sets of squares: bit s for square s. */
#define ES_RIM 0xff818181818181ffULL
#define ES_CENTRE 0x0000001818000000ULL

/* Every kind of tile in the order of the names, with the number of copies: X(arg, letters …, n) */
#define ES_TILE_LIST(X, arg)                                                                       \
    X(arg, a, a, a, a, 4)                                                                          \
    X(arg, a, a, c, b, 4)                                                                          \
    X(arg, a, c, b, a, 4)                                                                          \
    X(arg, a, c, c, d, 2)                                                                          \
    X(arg, a, d, a, d, 2)                                                                          \
    X(arg, a, d, b, b, 2)                                                                          \
    X(arg, b, a, a, c, 4)                                                                          \
    X(arg, b, a, d, b, 2)                                                                          \
    X(arg, b, b, a, d, 2)                                                                          \
    X(arg, b, b, b, b, 2)                                                                          \
    X(arg, b, c, b, c, 3)                                                                          \
    X(arg, b, c, d, d, 2)                                                                          \
    X(arg, c, b, a, a, 4)                                                                          \
    X(arg, c, b, c, b, 3)                                                                          \
    X(arg, c, c, c, c, 2)                                                                          \
    X(arg, c, c, d, a, 2)                                                                          \
    X(arg, c, d, a, c, 2)                                                                          \
    X(arg, c, d, d, b, 2)                                                                          \
    X(arg, d, a, c, c, 2)                                                                          \
    X(arg, d, a, d, a, 2)                                                                          \
    X(arg, d, b, b, a, 2)                                                                          \
    X(arg, d, b, c, d, 2)                                                                          \
    X(arg, d, d, b, c, 2)                                                                          \
    X(arg, d, d, d, d, 2)

/* Kinds of tiles as numbers: ES_TILE_aacb and so on. A turned tile looks like some kind that is not
 * turned, so the same numbers also describe a tile as it lies on the board: its look. */
enum {
#define ES_TILE_CODE(arg, t, r, b, l, n) ES_TILE_##t##r##b##l,
    ES_TILE_LIST(ES_TILE_CODE, )
#undef ES_TILE_CODE
};

/* An end packs into 16 bits: the other end in the lower byte, the tiles between in the upper. The
 * numbers below 240 are the ways into the 60 squares, four for each. */
enum {
    ES_END_RIM = 240,    /* the arrival track of a station */
    ES_END_CENTRE = 241, /* a central station */
    ES__ENDS = 244, /* with two that are only read: the entries for the far side of the rim and of
                       the centre */
};

/* Players' points are fields of one word, above eight bits that stay 0: an end counts its tiles
 * from bit 8 on, so they can be added without a shift. No player can have more than 480: the 60
 * tiles have 240 tracks, each on one line at most, and a line's points are doubled at best.
 */
enum { ES__POINT_SHIFT = 8, ES__POINT_BITS = 9, ES__NOBODY = 6 };

struct es_board {
    uint64_t laid;   /* squares with a tile */
    uint64_t near;   /* squares on the rim or next to a tile, taken or not; without the centre */
    uint64_t points; /* nine bits a player */
    uint16_t ends[ES__ENDS];
};
static_assert(sizeof(struct es_board) <= 512, "search copies boards by the million");

/* ---- Tables (board.c) ----------------------------------------------------------------------- */

/* [look][side]: the side by which a train leaves that entered by `side`. */
extern const uint8_t es_tile_exit[ES_TILE_KINDS][4];
/* [tile][n]: the look of a tile after n quarter turns clockwise. */
extern const uint8_t es_tile_turned[ES_TILE_KINDS][4];
extern const uint8_t es_tile_copies[ES_TILE_KINDS];
extern const char es_tile_name[ES_TILE_KINDS][5];

/* Stations 1 to 32: the square where a station's line begins, and the side it enters by. */
extern const uint8_t es_station_square[ES_METRO_STATIONS + 1];
extern const uint8_t es_station_side[ES_METRO_STATIONS + 1];

/* [look]: the squares where a line would lead from a station to a station over this tile alone. */
extern const uint64_t es__one_tile[ES_TILE_KINDS];
/* [square]: the number of its first end, the one at its top; the others follow clockwise. The
 * entries of the central squares are never used. */
extern const uint8_t es__end[ES_SQUARES];
/* [square][side]: the end that a train reaches when it leaves the square by that side. */
extern const uint8_t es__beyond[ES_SQUARES][4];
/* The neighbours of a square, without the centre. Shifts that wrap at an edge land on rim squares,
 * which are always in es_board.near, so the extra bits change nothing. */
extern const uint64_t es__near[ES_SQUARES];
/* [end]: the station there, or 0. */
extern const uint8_t es__station[256];
/* [number of players][station]: the seat of its owner, from 0; or ES__NOBODY. */
extern const uint8_t es__seat[7][ES_METRO_STATIONS + 1];
/* Scoring without branches: a join adds tiles * factor[to] * unit[players][from]. The factor is 1
 * at the rim, 2 at the centre, 0 elsewhere (the line is still open). The unit is 1 in the owner's
 * field of es_board.points (`tiles` already carries the shift by 8), 0 if no player's station is at
 * that end. */
extern const uint8_t es__factor[256];
extern const uint64_t es__unit[7][256];
/* [byte]: the numbers of its set bits, ascending, one in each byte from the lowest on. */
extern const uint64_t es__bits[256];
/* [byte]: how many bits are set. */

extern const uint8_t es__bit_count[256];

/* ---- Looking -------------------------------------------------------------------------------- */

/* Makes the board empty. */
void es_board_blank(struct es_board *board);

/* Returns the neighbour of a square at a side. There must be one. */
static inline int es_square_beyond(int square, int side)
{
    return square + (side == ES_SIDE_TOP      ? -8
                     : side == ES_SIDE_RIGHT  ? 1
                     : side == ES_SIDE_BOTTOM ? 8
                                              : -1);
}

/* Returns the number of different looks of a tile in its four rotations: 1, 2 or 4. */
static inline int es_tile_looks(int tile)
{
    return es_tile_turned[tile][1] == tile ? 1 : es_tile_turned[tile][2] == tile ? 2 : 4;
}

/* Returns the player who owns a station, 1 to 6, or 0 for nobody. */
static inline int es_station_owner(int players, int station)
{
    int seat = es__seat[players][station];
    return seat == ES__NOBODY ? 0 : seat + 1;
}

static inline int es_board_points(const struct es_board *board, int player)
{
    return (int)(board->points >> (ES__POINT_SHIFT + (player - 1) * ES__POINT_BITS) &
                 ((1 << ES__POINT_BITS) - 1));
}

/* The line of a station: the tiles it has crossed so far, and its end: ES_END_RIM, ES_END_CENTRE,
 * or less while it is open. */
struct es_line {
    uint8_t station, tiles, end;
};

static inline struct es_line es_board_line(const struct es_board *board, int station)
{
    unsigned end = board->ends[es__end[es_station_square[station]] + es_station_side[station]];
    return (struct es_line){(uint8_t)station, (uint8_t)(end >> 8), (uint8_t)end};
}

/* Returns the points of a line, 0 while it is open. */
static inline int es_line_points(struct es_line line)
{
    return line.end < ES_END_RIM ? 0 : line.tiles << (line.end - ES_END_RIM);
}

/* ---- Where a tile may go -------------------------------------------------------------------- */

/* Returns the squares that rule 1 allows: empty, and on the rim or next to a tile. */
static inline uint64_t es_board_open(const struct es_board *board)
{
    return board->near & ~board->laid;
}

/* Returns the squares that rules 1 to 3 allow for a tile that is not turned. */
static inline uint64_t es_board_squares(const struct es_board *board, int tile)
{
    uint64_t open = es_board_open(board), good = open & ~es__one_tile[tile];
    return good ? good : open;
}

/* Writes the squares that rules 1 to 3 allow for each rotation of a tile (without `rotate`, only
 * the first), by quarter turns. Returns the number of rotations. */
static inline int es_board_places(const struct es_board *board, int tile, bool rotate,
                                  uint64_t squares[4])
{
    uint64_t open = es_board_open(board), any = 0;
    int looks = rotate ? es_tile_looks(tile) : 1;
    for (int q = 0; q < looks; q++)
        any |= squares[q] = open & ~es__one_tile[es_tile_turned[tile][q]];
    for (int q = 0; q < looks && !any; q++)
        squares[q] = open;
    return looks;
}

/* Two rows of squares in a vector register, to leave the general registers to other work. */
typedef uint64_t es__two_rows __attribute__((vector_size(16)));

/* Lists the squares of a set, ascending, and returns their number. Writes each row as a block of 8
 * bytes, then advances by the row's count, so up to 8 bytes after the last square are overwritten:
 * `list` has room for ES_LIST_MAX. */
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the first square in the lowest byte");
static inline unsigned es_squares_list(uint64_t squares, uint8_t *list)
{
    const uint64_t eights = 0x0808080808080808;
    unsigned count = 0;
#pragma GCC unroll 4
    for (unsigned row = 0; row < 8; row += 2) {
        unsigned one = squares >> 8 * row & 255, two = squares >> (8 * row + 8) & 255;
        es__two_rows first = {eights * row, eights * (row + 1)};
        es__two_rows blocks = (es__two_rows){es__bits[one], es__bits[two]} + first;
        uint64_t block[2] = {blocks[0], blocks[1]};
        memcpy(list + count, &block[0], sizeof block[0]);
        count += es__bit_count[one];
        memcpy(list + count, &block[1], sizeof block[1]);
        count += es__bit_count[two];
    }
    return count;
}

/* ---- Laying --------------------------------------------------------------------------------- */

/* Step 1 of es_board_lay: marks the square as taken. Legal squares depend on this step only;
 * listing those of the next tile before step 2 lets the processor overlap both. */
static inline void es_board_take(struct es_board *board, int square)
{
    board->laid |= (uint64_t)1 << square;
    board->near |= es__near[square];
}

/* Step 2 of es_board_lay: joins the tracks of the four ways into the square and adds points. */
static inline void es_board_join(struct es_board *board, int players, int square, int look)
{
    unsigned first = es__end[square], in[4], out[4], way[4];
    const uint64_t *unit = es__unit[players];
    uint64_t points = board->points;
    for (unsigned i = 0; i < 4; i++) {
        in[i] = board->ends[first + i];
        way[i] = es__beyond[square][es_tile_exit[look][i]];
        out[i] = board->ends[way[i]];
    }
    /* All entries are read before any is written, so that no load waits for a store. Where a join
     * changes an entry that a later one has already read (a track that comes back to this square),
     * the value read is corrected. */
#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        unsigned from = in[i] & 255, to = out[i] & 255;
        unsigned tiles = (in[i] & 0xff00) + (out[i] & 0xff00) + 0x100;
        board->ends[from] = (uint16_t)(tiles | to);
        board->ends[to] = (uint16_t)(tiles | from);
        points += tiles * es__factor[to] * unit[from];
#pragma GCC unroll 4
        for (unsigned j = i + 1; j < 4; j++) {
            in[j] = to == first + j ? tiles | from : in[j];
            out[j] = from == way[j] ? tiles | to : out[j];
        }
    }
    board->points = points;
    board->ends[ES_END_RIM] = board->ends[ES_END_CENTRE] =
        0; /* written by joins that end there, but never read */
}

/* Lays a tile on a free square. Does not check whether the rules allow it. */
static inline void es_board_lay(struct es_board *board, int players, int square, int look)
{
    es_board_take(board, square);
    es_board_join(board, players, square, look);
}

/* Lists the lines that a tile would finish on a free square; returns their number, at most four. */
static inline int es_board_finishes(const struct es_board *board, int square, int look,
                                    struct es_line lines[4])
{
    unsigned first = es__end[square];
    int count = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned in = board->ends[first + i], tiles = in >> 8, to = first + i;
        if (!es__station[in & 255])
            continue;
        do { /* at most four times: over this tile, and back to it */
            unsigned out = board->ends[es__beyond[square][es_tile_exit[look][to - first]]];
            tiles += 1 + (out >> 8);
            to = out & 255;
        } while (to - first < 4);
        if (to >= ES_END_RIM)
            lines[count++] = (struct es_line){es__station[in & 255], (uint8_t)tiles, (uint8_t)to};
    }
    return count;
}

#ifdef __cplusplus
}
#endif

#endif
