/* Reference implementation of metro: see metro_model.h. */
#include "metro_model.h"
#include <stdlib.h>
#include <string.h>

enum { TOP, RIGHT, BOTTOM, LEFT }; /* clockwise, in the order of a tile's letters */
enum { OPEN, EDGE, CENTRE };

static const struct {
    const char *tile;
    int copies;
} tiles_in_the_box[24] = {
    {"aacb", 4}, {"cbaa", 4}, {"acba", 4}, {"baac", 4}, {"aaaa", 4}, {"cbcb", 3},
    {"bcbc", 3}, {"cccc", 2}, {"bbbb", 2}, {"dacc", 2}, {"cdac", 2}, {"ccda", 2},
    {"accd", 2}, {"dbba", 2}, {"adbb", 2}, {"badb", 2}, {"bbad", 2}, {"ddbc", 2},
    {"cddb", 2}, {"bcdd", 2}, {"dbcd", 2}, {"adad", 2}, {"dada", 2}, {"dddd", 2},
};

/* For each number of players from 2 on, each player's stations; 0 ends a list. */
static const int stations_of[5][6][17] = {
    {{1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31},
     {2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32}},
    {{1, 4, 6, 11, 15, 20, 23, 25, 28, 31},
     {2, 7, 9, 12, 14, 19, 22, 27, 29, 32},
     {3, 5, 8, 10, 13, 18, 21, 24, 26, 30}},
    {{4, 7, 11, 16, 20, 23, 27, 32},
     {3, 8, 12, 15, 19, 24, 28, 31},
     {1, 6, 10, 13, 18, 21, 25, 30},
     {2, 5, 9, 14, 17, 22, 26, 29}},
    {{1, 5, 10, 14, 22, 28},
     {6, 12, 18, 23, 27, 32},
     {3, 7, 15, 19, 25, 29},
     {2, 9, 13, 21, 26, 30},
     {4, 8, 11, 20, 24, 31}},
    {{1, 5, 10, 19, 27},
     {2, 11, 18, 25, 29},
     {4, 8, 14, 21, 26},
     {6, 15, 20, 24, 31},
     {3, 9, 13, 23, 30},
     {7, 12, 22, 28, 32}},
};

void metro_model_start(struct metro_model *m, const struct es_setup *setup)
{
    memset(m, 0, sizeof *m);
    m->players = setup->players;
    m->rotate = setup->rules & 1;
    m->hand_size = setup->rules & 2 ? 2 : setup->rules & 4 ? 3 : 1;
    m->stock = 60;
    m->turn = 1;
    m->due = 1;
}

/* The owner of a station, 0 for nobody. */
static int owner_of(const struct metro_model *m, int station)
{
    for (int p = 0; p < m->players; p++)
        for (int i = 0; stations_of[m->players - 2][p][i]; i++)
            if (stations_of[m->players - 2][p][i] == station)
                return p + 1;
    return 0;
}

static bool on_board(int row, int column)
{
    return row >= 0 && row < 8 && column >= 0 && column < 8;
}

static bool in_centre(int row, int column)
{
    return (row == 3 || row == 4) && (column == 3 || column == 4);
}

static bool has_tile(const struct metro_model *m, int row, int column)
{
    return on_board(row, column) && m->board[row][column][0];
}

/* The square next to a station, and the side by which its trains come in there. */
static void first_square(int station, int *row, int *column, int *side)
{
    int place = (station - 1) % 8;
    if (station <= 8) { /* along the top from right to left */
        *side = TOP;
        *row = 0;
        *column = 7 - place;
    } else if (station <= 16) { /* down the left side */
        *side = LEFT;
        *row = place;
        *column = 0;
    } else if (station <= 24) { /* along the bottom from left to right */
        *side = BOTTOM;
        *row = 7;
        *column = place;
    } else { /* up the right side */
        *side = RIGHT;
        *row = 7 - place;
        *column = 7;
    }
}

/* The side by which a train that came in by `side` leaves. */
static int way_out(char letter, int side)
{
    if (letter == 'a')
        return (side + 2) % 4;
    if (letter == 'b')
        return (side + 1) % 4;
    if (letter == 'c')
        return (side + 3) % 4;
    return side;
}

/* The walk ends: every side of a tile is the way out for one way in only, so a line never comes
 * back to where it has been. */
int metro_model_trace(const struct metro_model *m, int station, int *tiles)
{
    int row, column, side;
    first_square(station, &row, &column, &side);
    *tiles = 0;
    while (has_tile(m, row, column)) {
        int out = way_out(m->board[row][column][side], side);
        ++*tiles;
        row += out == BOTTOM ? 1 : out == TOP ? -1 : 0;
        column += out == RIGHT ? 1 : out == LEFT ? -1 : 0;
        side = (out + 2) % 4; /* out by the right is in by the left */
    }
    if (!on_board(row, column))
        return EDGE;
    return in_centre(row, column) ? CENTRE : OPEN;
}

static int placed(const struct metro_model *m)
{
    int count = 0;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            count += has_tile(m, row, column);
    return count;
}

static bool over(const struct metro_model *m)
{
    return placed(m) == 60;
}

/* Hidden tiles are "?" and so are not counted as seen. */
int metro_model_copies(const struct metro_model *m, const char *tile)
{
    int copies = 0;
    for (int i = 0; i < 24; i++)
        if (strcmp(tiles_in_the_box[i].tile, tile) == 0)
            copies = tiles_in_the_box[i].copies;
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++)
            copies -= strcmp(m->name[row][column], tile) == 0;
    for (int p = 0; p < m->players; p++)
        for (int i = 0; i < m->held[p]; i++)
            copies -= strcmp(m->hand[p][i], tile) == 0;
    return copies - (strcmp(m->drawn, tile) == 0);
}

static void turn_tile(const char *tile, int quarters, char *look)
{
    strcpy(look, tile);
    for (int i = 0; i < quarters; i++) {
        char last = look[3];
        memmove(look + 1, look, 3);
        look[0] = last;
    }
}

/* Skips players without a tile, but not while the stock lasts: then they can draw. */
static void next_turn(struct metro_model *m)
{
    for (int i = 0; i < m->players; i++) {
        m->turn = m->turn % m->players + 1;
        if (m->held[m->turn - 1] > 0 || m->stock > 0)
            return;
    }
}

static void deal(struct metro_model *m, const char *tile)
{
    int p = m->due - 1;
    m->stock--;
    m->due = 0;
    if (m->drawing) {
        strcpy(m->drawn, tile);
        m->drawing = false;
        return;
    }
    strcpy(m->hand[p][m->held[p]++], tile);
    int dealt = 60 - m->stock, hands = m->players * m->hand_size;
    if (dealt < hands)
        m->due = dealt % m->players + 1;
    else if (dealt > hands)
        next_turn(m); /* it was a refill, which ends a turn */
}

/* Takes a tile out of a hand: a known copy if there is one, otherwise a hidden tile, which is then
 * known to have been this one. */
static void take(struct metro_model *m, int p, const char *tile)
{
    int i = 0;
    while (i < m->held[p] && strcmp(m->hand[p][i], tile) != 0)
        i++;
    if (i == m->held[p])
        for (i = 0; strcmp(m->hand[p][i], "?") != 0;)
            i++;
    m->held[p]--;
    for (; i < m->held[p]; i++)
        strcpy(m->hand[p][i], m->hand[p][i + 1]);
}

static void lay(struct metro_model *m, const char *tile, int quarters, int row, int column)
{
    strcpy(m->name[row][column], tile);
    turn_tile(tile, quarters, m->board[row][column]);
}

void metro_model_apply(struct metro_model *m, const char *event)
{
    if (strncmp(event, "deal ", 5) == 0) {
        deal(m, event + 7);
        return;
    }
    int p = event[0] - '1';
    if (strcmp(event + 2, "draw") == 0) {
        m->due = p + 1;
        m->drawing = true;
        return;
    }
    char tile[5] = "";
    memcpy(tile, event + 2, 4);
    int quarters = event[6] == '/' ? event[7] - '0' : 0;
    const char *square = strrchr(event, ' ') + 1;
    lay(m, tile, quarters, square[1] - '1', square[0] - 'a');
    if (m->drawn[0]) {
        m->drawn[0] = '\0';
        next_turn(m);
        return;
    }
    take(m, p, tile);
    if (m->stock > 0)
        m->due = p + 1;
    else
        next_turn(m);
}

/* Rule 1: an empty square at the edge of the board or next to a tile. */
static bool square_is_open(const struct metro_model *m, int row, int column)
{
    if (in_centre(row, column) || has_tile(m, row, column))
        return false;
    return row == 0 || row == 7 || column == 0 || column == 7 || has_tile(m, row - 1, column) ||
           has_tile(m, row + 1, column) || has_tile(m, row, column - 1) ||
           has_tile(m, row, column + 1);
}

/* Rule 3: whether a tile laid there makes a line from station to station over that tile only. Only
 * stations next to the square count: a line over one tile lies in its station's first square, and
 * other such lines may exist already. */
static bool too_short(const struct metro_model *m, const char *tile, int quarters, int row,
                      int column)
{
    struct metro_model after = *m;
    lay(&after, tile, quarters, row, column);
    for (int station = 1; station <= 32; station++) {
        int r, c, side, tiles;
        first_square(station, &r, &c, &side);
        if (metro_model_trace(&after, station, &tiles) == EDGE && tiles == 1 && r == row &&
            c == column)
            return true;
    }
    return false;
}

/* Whether a record may name this number of quarter turns: only 0 without `rotate`, and never one
 * that looks like a smaller one. */
static bool may_turn(const struct metro_model *m, const char *tile, int quarters)
{
    char look[5], other[5];
    if (quarters > 0 && !m->rotate)
        return false;
    turn_tile(tile, quarters, look);
    for (int q = 0; q < quarters; q++) {
        turn_tile(tile, q, other);
        if (strcmp(look, other) == 0)
            return false;
    }
    return true;
}

static void write_placement(char *text, int who, const char *tile, int quarters, int row,
                            int column)
{
    struct es_out out = {.at = text, .size = 16};
    es_out_int(&out, who);
    es_out_char(&out, ' ');
    es_out_text(&out, tile);
    if (quarters > 0) {
        es_out_char(&out, '/');
        es_out_int(&out, quarters);
    }
    es_out_char(&out, ' ');
    es_out_char(&out, (char)('a' + column));
    es_out_char(&out, (char)('1' + row));
    es_out_char(&out, '\0');
}

static void write_deal(char *text, int who, const char *tile)
{
    struct es_out out = {.at = text, .size = 16};
    es_out_text(&out, "deal ");
    es_out_int(&out, who);
    es_out_char(&out, ' ');
    es_out_text(&out, tile);
    es_out_char(&out, '\0');
}

/* Lists every way to lay a tile, with or without rule 3; returns their number. */
static int list_ways(const struct metro_model *m, int who, const char *tile, bool rule3,
                     char list[][16])
{
    int count = 0;
    for (int quarters = 0; quarters < 4; quarters++)
        for (int row = 0; row < 8; row++)
            for (int column = 0; column < 8; column++)
                if (may_turn(m, tile, quarters) && square_is_open(m, row, column) &&
                    !(rule3 && too_short(m, tile, quarters, row, column)))
                    write_placement(list[count++], who, tile, quarters, row, column);
    return count;
}

/* If rule 3 forbids a tile on every square in every direction, it is allowed on all of them. */
static int list_tile(const struct metro_model *m, int who, const char *tile, char list[][16])
{
    if (strcmp(tile, "?") == 0)
        return 0;
    int count = list_ways(m, who, tile, true, list);
    return count > 0 ? count : list_ways(m, who, tile, false, list);
}

static int list_deals(const struct metro_model *m, char list[][16])
{
    int count = 0;
    for (int i = 0; i < 24; i++)
        if (metro_model_copies(m, tiles_in_the_box[i].tile) > 0)
            write_deal(list[count++], m->due, tiles_in_the_box[i].tile);
    return count;
}

static int list_moves(const struct metro_model *m, char list[][16])
{
    if (m->drawn[0])
        return list_tile(m, m->turn, m->drawn, list);
    int count = 0, p = m->turn - 1;
    for (int i = 0; i < m->held[p]; i++) {
        bool again = false; /* a second copy of a tile adds nothing */
        for (int j = 0; j < i; j++)
            again |= strcmp(m->hand[p][i], m->hand[p][j]) == 0;
        if (!again)
            count += list_tile(m, m->turn, m->hand[p][i], list + count);
    }
    if (m->stock > 0) {
        strcpy(list[count], "1 draw");
        list[count++][0] = (char)('0' + m->turn);
    }
    return count;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(a, b);
}

int metro_model_list(const struct metro_model *m, int who, char list[][16])
{
    int count = 0;
    if (over(m))
        return 0;
    if (who == 0 && m->due)
        count = list_deals(m, list);
    else if (who == m->turn && !m->due)
        count = list_moves(m, list);
    qsort(list, (size_t)count, sizeof *list, by_bytes);
    return count;
}

static void line(struct es_out *out, const char *text, int number)
{
    es_out_text(out, text);
    es_out_int(out, number);
}

static void report_hand(const struct metro_model *m, int p, struct es_out *out)
{
    char sorted[3][5];
    memcpy(sorted, m->hand[p], sizeof sorted);
    qsort(sorted, (size_t)m->held[p], sizeof *sorted, by_bytes);
    line(out, "\nhand ", p + 1);
    es_out_text(out, m->held[p] ? "" : " -");
    for (int i = 0; i < m->held[p]; i++) {
        es_out_char(out, ' ');
        es_out_text(out, sorted[i]);
    }
}

/* The points of a station's line, 0 while it is open. */
static int points_of(const struct metro_model *m, int station)
{
    int tiles, end = metro_model_trace(m, station, &tiles);
    return end == OPEN ? 0 : end == CENTRE ? 2 * tiles : tiles;
}

static int total_of(const struct metro_model *m, int player)
{
    int total = 0;
    for (int station = 1; station <= 32; station++)
        if (owner_of(m, station) == player)
            total += points_of(m, station);
    return total;
}

static void report_station(const struct metro_model *m, int station, struct es_out *out)
{
    int tiles, end = metro_model_trace(m, station, &tiles), owner = owner_of(m, station);
    if (end == OPEN)
        return;
    line(out, "\nline ", station);
    if (owner)
        line(out, " owner ", owner);
    else
        es_out_text(out, " owner -");
    line(out, " tiles ", tiles);
    es_out_text(out, end == CENTRE ? " end centre" : " end edge");
    line(out, " points ", points_of(m, station));
}

static void report_winners(const struct metro_model *m, struct es_out *out)
{
    es_out_text(out, over(m) ? "\nwinner" : "\nwinner -");
    for (int p = 1; over(m) && p <= m->players; p++) {
        bool beaten = false;
        for (int q = 1; q <= m->players; q++)
            beaten |= total_of(m, q) > total_of(m, p);
        if (!beaten)
            line(out, " ", p);
    }
    es_out_char(out, '\n');
}

void metro_model_report(const struct metro_model *m, struct es_out *out)
{
    line(out, "game metro\nplayers ", m->players);
    line(out, "\nplaced ", placed(m));
    es_out_text(out, over(m) ? "\nover yes" : "\nover no");
    line(out, "\nstock ", m->stock);
    if (over(m))
        es_out_text(out, "\nto-act -");
    else if (m->due)
        es_out_text(out, "\nto-act chance");
    else
        line(out, "\nto-act ", m->turn);
    es_out_text(out, "\ndrawn ");
    es_out_text(out, m->drawn[0] ? m->drawn : "-");
    for (int p = 0; p < m->players; p++)
        report_hand(m, p, out);
    for (int p = 1; p <= m->players; p++) {
        line(out, "\nplayer ", p);
        line(out, " total ", total_of(m, p));
    }
    for (int station = 1; station <= 32; station++)
        report_station(m, station, out);
    report_winners(m, out);
}
