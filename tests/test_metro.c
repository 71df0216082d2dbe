/* Tests of the rules of metro: every sentence as a drawn position. The comment above each test is
 * the clause that it tests (docs/rules.md). */
#include "fixture.h"

static struct fixture t;

static int points(int player)
{
    return t.setup.game->score(&t.setup, &t.state, player);
}

/* A board of straight tracks alone; one square may be left free. */
static void lay_straight(struct es_board *board, int without)
{
    es_board_blank(board);
    for (int square = 0; square < ES_SQUARES; square++)
        if (square != without && !(ES_CENTRE >> square & 1))
            es_board_lay(board, 2, square, ES_TILE_aaaa);
}

/* ---- Board, stations, tiles ---------------------------------------------------------------- */

/* "numbered 1 to 32 anticlockwise from the top right corner: 1–8 along the top from right to left,
 * 9–16 down the left side, 17–24 along the bottom from left to right, 25–32 up the right side" */
static void stations_are_numbered_anticlockwise(void **state)
{
    (void)state;
    static const char *const squares[4] = {
        "h1 g1 f1 e1 d1 c1 b1 a1",
        "a1 a2 a3 a4 a5 a6 a7 a8",
        "a8 b8 c8 d8 e8 f8 g8 h8",
        "h8 h7 h6 h5 h4 h3 h2 h1",
    };
    static const int sides[4] = {ES_SIDE_TOP, ES_SIDE_LEFT, ES_SIDE_BOTTOM, ES_SIDE_RIGHT};
    for (int station = 1; station <= 32; station++) {
        const char *name = squares[(station - 1) / 8] + (station - 1) % 8 * 3;
        uint8_t square;
        assert_int_equal(es_square_read((struct es_str){name, 2}, &square), ES_OK);
        assert_int_equal(es_station_square[station], square);
        assert_int_equal(es_station_side[station], sides[(station - 1) / 8]);
    }
}

/* The table of owners. */
static void stations_have_owners(void **state)
{
    (void)state;
    static const char *const owners[7][6] = {
        [2] = {"1 3 5 7 9 11 13 15 17 19 21 23 25 27 29 31",
               "2 4 6 8 10 12 14 16 18 20 22 24 26 28 30 32"},
        [3] = {"1 4 6 11 15 20 23 25 28 31", "2 7 9 12 14 19 22 27 29 32",
               "3 5 8 10 13 18 21 24 26 30"},
        [4] = {"4 7 11 16 20 23 27 32", "3 8 12 15 19 24 28 31", "1 6 10 13 18 21 25 30",
               "2 5 9 14 17 22 26 29"},
        [5] = {"1 5 10 14 22 28", "6 12 18 23 27 32", "3 7 15 19 25 29", "2 9 13 21 26 30",
               "4 8 11 20 24 31"},
        [6] = {"1 5 10 19 27", "2 11 18 25 29", "4 8 14 21 26", "6 15 20 24 31", "3 9 13 23 30",
               "7 12 22 28 32"},
    };
    for (int players = 2; players <= 6; players++) {
        int owner[33] = {0};
        for (int p = 0; p < players; p++) {
            struct es_str rest = es_str(owners[players][p]), word;
            unsigned station;
            while (es_str_word(&rest, &word)) {
                assert_int_equal(es_str_number(word, 32, &station), ES_OK);
                owner[station] = p + 1;
            }
        }
        for (int station = 1; station <= 32; station++)
            assert_int_equal(es_station_owner(players, station), owner[station]);
    }
}

/* "a straight across, b to the next side clockwise, c to the next side anticlockwise, d back out of
 * the same side. Two trains never leave by the same side, so there are 24 different tiles" */
static void letters_say_where_trains_go(void **state)
{
    (void)state;
    int sum = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++) {
        unsigned sides = 0;
        for (int side = 0; side < 4; side++) {
            int steps = (int[]){2, 1, 3, 0}[es_tile_name[tile][side] - 'a'];
            assert_int_equal(es_tile_exit[tile][side], (side + steps) % 4);
            sides |= 1U << es_tile_exit[tile][side];
        }
        assert_int_equal(sides, 15);
        assert_true(tile == 0 || strcmp(es_tile_name[tile - 1], es_tile_name[tile]) < 0);
        sum += es_tile_copies[tile];
    }
    assert_int_equal(sum, 60);
}

/* "four copies each of aacb cbaa acba baac aaaa; three of cbcb bcbc; two of …" */
static void tile_kinds_have_the_copies_of_the_rules(void **state)
{
    (void)state;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++) {
        const char *name = es_tile_name[tile];
        int copies = strstr("aacb cbaa acba baac aaaa", name) ? 4
                     : strstr("cbcb bcbc", name)              ? 3
                                                              : 2;
        assert_int_equal(es_tile_copies[tile], copies);
    }
}

/* "Turning a tile a quarter clockwise moves its last letter to the front (aacb → baac)." */
static void turning_moves_letters(void **state)
{
    (void)state;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int q = 0; q < 4; q++)
            for (int i = 0; i < 4; i++)
                assert_int_equal(es_tile_name[es_tile_turned[tile][q]][(i + q) % 4],
                                 es_tile_name[tile][i]);
    assert_int_equal(es_tile_turned[ES_TILE_aacb][1], ES_TILE_baac);
}

/* ---- Hands and turns ----------------------------------------------------------------------- */

/* "Every player is dealt one tile …, in seat order. Player 1 begins." */
static void tiles_are_dealt_in_seat_order(void **state)
{
    (void)state;
    start_board(&t, "players 3\n", "aacb", "");
    assert_int_equal(t.count, 3);
    expect_line(&t, "hand 1 aacb");
    expect_line(&t, "hand 2 ?");
    expect_line(&t, "stock 57");
    expect_line(&t, "to-act 1");
    expect_refused(&t, "2 draw", ES_NOT_TO_ACT);
    expect_refused(&t, "4 draw", ES_PLAYER_UNKNOWN);
    expect_refused(&t, "deal 2 aaaa", ES_CHANCE_NOT_DUE);
}

/* Tile by tile, with "They must be possible: … a tile still in the stock, due now and to that
 * player." */
static void deals_must_be_due_and_possible(void **state)
{
    (void)state;
    start_deal(&t, "players 5\n");
    expect_line(&t, "to-act chance");
    expect_refused(&t, "1 draw", ES_CHANCE_DUE);
    expect_refused(&t, "deal 2 dddd", ES_TILE_ELSEWHERE);
    play_all(&t, "deal 1 dddd;deal 2 dddd");
    expect_refused(&t, "deal 3 dddd", ES_TILE_GONE);
    expect_legal(
        &t, ES_CHANCE,
        "3 aaaa 3 aacb 3 acba 3 accd 3 adad 3 adbb 3 baac 3 badb 3 bbad 3 bbbb 3 bcbc 3 bcdd "
        "3 cbaa 3 cbcb 3 cccc 3 ccda 3 cdac 3 cddb 3 dacc 3 dada 3 dbba 3 dbcd 3 ddbc");
    assert_int_equal(t.setup.game->weight(&t.setup, &t.state, ES_METRO_DEAL(3, ES_TILE_aaaa)), 4);
    assert_int_equal(t.setup.game->weight(&t.setup, &t.state, ES_METRO_DEAL(3, ES_TILE_cbcb)), 3);
}

/* "On a turn the player either lays the tile in hand …" "Then a player whose hand is short takes a
 * tile from the stock, if there is one." */
static void laying_a_tile_refills_the_hand(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "aaaa", "");
    expect_refused(&t, "1 aacb d1", ES_TILE_NOT_HELD);
    play(&t, "1 aaaa d1");
    expect_line(&t, "hand 1 -");
    expect_line(&t, "to-act chance");
    expect_line(&t, "stock 58");
    expect_refused(&t, "2 draw", ES_CHANCE_DUE);
    expect_refused(&t, "deal 2 aacb", ES_TILE_ELSEWHERE);
    play(&t, "deal 1 dddd");
    expect_line(&t, "hand 1 dddd");
    expect_line(&t, "to-act 2");
}

/* "… or, while the stock lasts, draws the top tile of the stock and must then lay that one (the
 * tiles in hand stay there, cannot be laid in that turn, and are not refilled)" */
static void a_drawn_tile_must_be_laid(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "aaaa", "");
    play(&t, "1 draw");
    expect_line(&t, "to-act chance");
    expect_line(&t, "drawn -");
    expect_refused(&t, "1 aaaa d1", ES_CHANCE_DUE);
    play(&t, "deal 1 bbbb");
    expect_line(&t, "drawn bbbb");
    expect_line(&t, "hand 1 aaaa");
    expect_line(&t, "to-act 1");
    expect_refused(&t, "1 aaaa d1", ES_TILE_NOT_DRAWN);
    expect_refused(&t, "1 draw", ES_TILE_NOT_DRAWN);
    play(&t, "1 bbbb d1");
    expect_line(&t, "drawn -");
    expect_line(&t, "hand 1 aaaa");
    expect_line(&t, "to-act 2"); /* no refill */
    expect_line(&t, "stock 57");
}

/* "hand2, hand3: players hold two or three tiles (dealt one at a time round the table), choose
 * which to lay, and refill to that number" */
static void hand2_and_hand3_deal_larger_hands(void **state)
{
    (void)state;
    start_board(&t, "players 2\nrules hand3\n", "cbcb aacb dddd", "");
    for (int i = 0; i < 6; i++)
        assert_int_equal(ES_METRO_DEAL_PLAYER(t.events[i]), i % 2 + 1);
    expect_line(&t, "hand 1 aacb cbcb dddd");
    expect_refused(&t, "1 aaaa d1", ES_TILE_NOT_HELD);
    play_all(&t, "1 cbcb d1;deal 1 aacb");
    expect_line(&t, "hand 1 aacb aacb dddd");
    play_all(&t, "2 aaaa e1;deal 2 ?");
    expect_line(&t, "to-act 1");
    /* Two of a kind are one choice. */
    expect_squares(&t, "aacb",
                   "b1 c1 f1 g1 h1 a2 d2 e2 h2 a3 h3 a4 h4 a5 h5 a6 h6 a7 h7 a8 b8 c8 d8 e8 f8 g8");
    start_board(&t, "players 2\nrules hand2\n", "cbcb aacb", "");
    expect_line(&t, "hand 1 aacb cbcb");
}

/* "a tile drawn instead of laying one from the hand must be laid" */
static void a_drawn_tile_must_be_laid_with_a_larger_hand_too(void **state)
{
    (void)state;
    start_board(&t, "players 2\nrules hand2\n", "cbcb aacb", "");
    play_all(&t, "1 draw;deal 1 aacb");
    expect_refused(&t, "1 cbcb d1", ES_TILE_NOT_DRAWN);
    play(&t, "1 aacb d1");
    expect_line(&t, "hand 1 aacb cbcb"); /* the drawn copy was laid, not the one in hand */
    expect_line(&t, "to-act 2");
}

/* ---- Where a tile may go ------------------------------------------------------------------- */

/* "On an empty square at the edge of the board …" */
static void squares_at_the_edge_are_open(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "aaaa", "");
    expect_squares(
        &t, "aaaa",
        "a1 b1 c1 d1 e1 f1 g1 h1 a2 h2 a3 h3 a4 h4 a5 h5 a6 h6 a7 h7 a8 b8 c8 d8 e8 f8 g8 h8");
    expect_refused(&t, "1 aaaa b2", ES_SQUARE_ALONE);
    expect_refused(&t, "1 aaaa d3",
                   ES_SQUARE_ALONE); /* "The central stations do not count as tiles." */
    expect_refused(&t, "1 aaaa d4", ES_SQUARE_CENTRE);
    expect_refused(&t, "1 aaaa e5", ES_SQUARE_CENTRE);
}

/* "… or next to (side by side with) a tile already laid" */
static void squares_next_to_a_tile_are_open(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "aaaa",
                ".... .... aaaa\n"
                ".... .... aaaa");
    expect_squares(&t, "aaaa",
                   "a1 b1 d1 e1 f1 g1 h1 a2 b2 d2 h2 a3 c3 h3 a4 h4 a5 h5 a6 h6 a7 h7 "
                   "a8 b8 c8 d8 e8 f8 g8 h8");
    expect_refused(&t, "1 aaaa c2", ES_SQUARE_TAKEN);
    expect_refused(&t, "1 aaaa b3", ES_SQUARE_ALONE); /* corner to corner */
}

/* "With its arrow pointing the same way as the board's: tiles are not turned." */
static void tiles_are_not_turned(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "aacb", "");
    expect_refused(&t, "1 aacb/1 d1", ES_TURN_UNWANTED);
    expect_refused(&t, "1 baac d1", ES_TILE_NOT_HELD);
}

/* "rotate: … tiles may be laid in any of four directions"; "Q = quarter turns clockwise, … always
 * the smallest that gives that look" */
static void tiles_are_turned_with_rotate(void **state)
{
    (void)state;
    start_board(&t, "players 2\nrules rotate\n", "aacb", "");
    play(&t, "1 aacb/1 d1");
    assert_int_equal(es_metro_state(&t.state)->look[3], ES_TILE_baac);
    start_board(&t, "players 2\nrules rotate hand3\n", "adad aaaa bcbc", "");
    expect_refused(&t, "1 aaaa/1 d1", ES_TURN_NOT_LEAST);
    expect_refused(&t, "1 adad/2 d1", ES_TURN_NOT_LEAST);
    expect_refused(&t, "1 bcbc/3 d1", ES_TURN_NOT_LEAST);
    expect_refused(&t, "1 adad/0 d1", ES_TURN_BAD);
    expect_refused(&t, "1 adad/4 d1", ES_TURN_BAD);
    expect_refused(&t, "1 adad/ d1", ES_TURN_BAD);
    play(&t, "1 adad/1 a4");
    assert_int_equal(es_metro_state(&t.state)->look[24], ES_TILE_dada);
}

/* "Not so that a line runs from a numbered station to a numbered station (another or the same) over
 * that tile alone": the same one, where a tile sends trains back at the edge of the board. */
static void no_line_back_to_its_station_over_one_tile(void **state)
{
    (void)state;
    start_board(&t, "players 2\nrules hand3\n", "accd dacc cdac", "");
    expect_squares(&t, "dacc", "a2 h2 a3 h3 a4 h4 a5 h5 a6 h6 a7 h7 b8 c8 d8 e8 f8 g8"); /* top */
    expect_squares(&t, "cdac", "b1 c1 d1 e1 f1 g1 a2 a3 a4 a5 a6 a7 b8 c8 d8 e8 f8 g8"); /* right */
    expect_squares(&t, "accd", "b1 c1 d1 e1 f1 g1 h2 h3 h4 h5 h6 h7 b8 c8 d8 e8 f8 g8"); /* left */
    expect_refused(&t, "1 dacc d1", ES_LINE_TOO_SHORT);
    start_board(&t, "players 2\nrules hand2\n", "ccda dbba", "");
    expect_squares(&t, "ccda",
                   "b1 c1 d1 e1 f1 g1 a2 h2 a3 h3 a4 h4 a5 h5 a6 h6 a7 h7"); /* bottom */
}

/* Another station, round a corner of the board: in a1 a train from the top may not leave by the
 * left, nor one from the left by the top; likewise in the other corners. */
static void no_line_round_a_corner_over_one_tile(void **state)
{
    (void)state;
    struct es_board board;
    es_board_blank(&board);
    for (int tile = 0; tile < ES_TILE_KINDS; tile++) {
        const char *name = es_tile_name[tile];
        uint64_t squares = es_board_squares(&board, tile);
        if (tile == ES_TILE_dddd) { /* forbidden everywhere, so allowed everywhere */
            assert_int_equal(squares, ES_RIM);
            continue;
        }
        char top = name[0], right = name[1], bottom = name[2], left = name[3];
        bool a1 = top != 'd' && top != 'c' && left != 'd' && left != 'b';
        bool h1 = top != 'd' && top != 'b' && right != 'd' && right != 'c';
        bool h8 = right != 'd' && right != 'b' && bottom != 'd' && bottom != 'c';
        bool a8 = bottom != 'd' && bottom != 'b' && left != 'd' && left != 'c';
        assert_int_equal(squares & 1, a1);
        assert_int_equal(squares >> 7 & 1, h1);
        assert_int_equal(squares >> 63 & 1, h8);
        assert_int_equal(squares >> 56 & 1, a8);
    }
}

/* Rule 3 forbids nothing away from the edge. */
static void inner_squares_are_free_for_all_tiles(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "dddd", ".... .... .... aaaa");
    expect_squares(&t, "dddd", "d2");
}

/* "If the tile could not be laid in any other way, every square allowed by 1 is allowed": the first
 * tile of a game. */
static void a_tile_that_fits_nowhere_goes_anywhere(void **state)
{
    (void)state;
    static const char rim[] =
        "a1 b1 c1 d1 e1 f1 g1 h1 a2 h2 a3 h3 a4 h4 a5 h5 a6 h6 a7 h7 a8 b8 c8 d8 e8 f8 g8 h8";
    start_board(&t, "players 2\n", "dddd", "");
    expect_squares(&t, "dddd", rim);
    play(&t, "1 dddd a1"); /* two lines over this tile alone, each back to its own station */
    expect_line(&t, "line 8 owner 2 tiles 1 end edge points 1");
    expect_line(&t, "line 9 owner 1 tiles 1 end edge points 1");
    start_board(&t, "players 2\nrules rotate\n", "dddd", "");
    expect_squares(&t, "dddd", rim);
}

/* "This is decided for each tile separately, whatever else is in the hand." */
static void the_exception_is_decided_for_each_tile_alone(void **state)
{
    (void)state;
    start_board(&t, "players 2\nrules hand2\n", "dddd dacc", "");
    expect_refused(&t, "1 dacc d1", ES_LINE_TOO_SHORT);
    play(&t, "1 dddd d1");
}

/* A board with one square left, a3; the last tile, adad, sends trains back at its left and
 * right. */
static const char almost_full[] = "acba adbb aaaa cddb aaaa ccda aacb aaaa\n"
                                  "cdac dbcd dacc acba bbad cbcb baac badb\n"
                                  ".... bbbb accd cccc dacc cddb dddd bcdd\n"
                                  "cbcb cbaa cccc #### #### cbaa accd dbba\n"
                                  "aacb ddbc dbcd #### #### baac bcbc badb\n"
                                  "dada bcbc adad adbb dbba bbad baac cbcb\n"
                                  "aaaa dddd aacb ccda dada aacb bcdd acba\n"
                                  "cbaa ddbc acba bcbc cbaa bbbb cdac baac";

/* The exception at the end of a game; "With rotate, the exception holds only when no square is left
 * in any direction" */
static void last_square_lifts_rule_3_only_if_no_rotation_fits(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "adad", almost_full);
    expect_legal(&t, 2, "adad a3");
    start_board(&t, "players 2\nrules rotate\n", "adad", almost_full);
    expect_legal(&t, 2, "adad/1 a3");
    expect_refused(&t, "2 adad a3", ES_LINE_TOO_SHORT);
}

/* "then every square allowed by 1 is allowed in every direction" */
static void the_exception_with_rotate_allows_every_direction(void **state)
{
    (void)state;
    struct es_board board;
    uint64_t squares[4];
    /* Only b1 is left: a train that enters by the top must not go back up. ddbc does that in two of
     * its directions; the other two are allowed, so there is no exception. */
    lay_straight(&board, 1);
    assert_int_equal(es_board_places(&board, ES_TILE_ddbc, true, squares), 4);
    for (int q = 0; q < 4; q++)
        assert_int_equal(squares[q] >> 1 & 1,
                         es_tile_name[es_tile_turned[ES_TILE_ddbc][q]][0] != 'd');
    /* Only the corner a1 is left: adad sends trains back by its sides, dada by its top. No
     * direction fits, so both are allowed. */
    lay_straight(&board, 0);
    assert_int_equal(es_board_places(&board, ES_TILE_adad, true, squares), 2);
    assert_int_equal(squares[0], 1);
    assert_int_equal(squares[1], 1);
    /* bbbb leads from the left to the top in every direction, so it is allowed too. */
    assert_int_equal(es_board_places(&board, ES_TILE_bbbb, true, squares), 1);
    assert_int_equal(squares[0], 1);
    /* aacb fits the corner in two of its directions: no exception. */
    assert_int_equal(es_board_places(&board, ES_TILE_aacb, true, squares), 4);
    for (int q = 0; q < 4; q++) {
        const char *name = es_tile_name[es_tile_turned[ES_TILE_aacb][q]];
        assert_int_equal(squares[q], name[0] != 'c' && name[3] != 'b');
    }
}

/* ---- Scoring ------------------------------------------------------------------------------- */

/* The worked example: "A line over two tiles that crosses one of them twice scores 3" */
static void a_tile_crossed_twice_counts_twice(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "baac", ".... accd"); /* b1 sends trains from a1 back */
    struct es_line lines[4];
    const struct es_board *board = &es_metro_state(&t.state)->board;
    assert_int_equal(es_board_finishes(board, 0, ES_TILE_baac, lines), 1);
    assert_int_equal(lines[0].station, 8);
    assert_int_equal(lines[0].tiles, 3);
    assert_int_equal(lines[0].end, ES_END_RIM);
    play(&t, "2 baac a1"); /* from the top to the right; from the right to the left */
    expect_line(&t, "line 8 owner 2 tiles 3 end edge points 3");
    expect_line(&t, "player 1 total 0");
    expect_line(&t, "player 2 total 3");
}

/* The worked example: "one over five different tiles that ends in the centre scores 10" */
static void the_centre_doubles_the_points(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "aaaa",
                ".... aaaa\n"
                ".... aaaa\n"
                ".... aaaa\n"
                ".... bbbb");
    expect_line(&t, "player 1 total 0");
    play(&t, "1 aaaa c4"); /* station 7 down to b4, then right into d4 */
    expect_line(&t, "line 7 owner 1 tiles 5 end centre points 10");
    expect_line(&t, "player 1 total 10");
}

/* A line that crosses one tile four times: from the top of b2 to the left, sent back by a2, to the
 * bottom, sent back by b3, to the right, sent back by c2, and up again to where it came from. */
static void a_tile_crossed_four_times(void **state)
{
    (void)state;
    struct es_board board;
    struct es_line lines[4];
    es_board_blank(&board);
    es_board_lay(&board, 2, 1, ES_TILE_aaaa);  /* b1 */
    es_board_lay(&board, 2, 8, ES_TILE_adad);  /* a2 */
    es_board_lay(&board, 2, 17, ES_TILE_dddd); /* b3 */
    es_board_lay(&board, 2, 10, ES_TILE_dddd); /* c2 */
    int before = es_board_points(&board, 1) + es_board_points(&board, 2);
    assert_int_equal(es_board_finishes(&board, 9, ES_TILE_cccc, lines), 1);
    es_board_lay(&board, 2, 9, ES_TILE_cccc);
    struct es_line line = es_board_line(&board, 7);
    assert_int_equal(line.tiles, 2 + 4 + 3); /* b1 twice, b2 four times, a2 b3 c2 */
    assert_int_equal(line.end, ES_END_RIM);
    assert_memory_equal(&line, &lines[0], sizeof line);
    assert_int_equal(es_board_points(&board, 1) + es_board_points(&board, 2) - before, 9);
}

/* "ends at a central station", by each of the eight tracks that lead there; a board of aaaa alone
 * has every line straight */
static void all_eight_tracks_into_the_centre_finish_a_line(void **state)
{
    (void)state;
    static const int central[] = {4, 5, 12, 13, 20, 21, 28, 29};
    struct es_board board;
    lay_straight(&board, -1);
    for (int station = 1; station <= 32; station++) {
        bool middle = false;
        for (int i = 0; i < 8; i++)
            middle |= central[i] == station;
        struct es_line line = es_board_line(&board, station);
        assert_int_equal(line.end, middle ? ES_END_CENTRE : ES_END_RIM);
        assert_int_equal(line.tiles, middle ? 3 : 8);
    }
    assert_int_equal(es_board_points(&board, 1) + es_board_points(&board, 2), 8 * 6 + 24 * 8);
}

/* Trains that come out of the centre belong to nobody. */
static void tracks_out_of_the_centre_score_for_nobody(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "aaaa",
                ".... .... .... aaaa\n"
                ".... .... .... aaaa");
    play(&t, "1 aaaa d3"); /* from d4 up to station 5, and from 5 down to d4 */
    expect_line(&t, "line 5 owner 1 tiles 3 end centre points 6");
    assert_int_equal(points(1) + points(2), 6);
}

/* "One tile can finish several lines, of several players." */
static void one_tile_finishes_several_lines(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "baac",
                ".... aaaa accd\n" /* c1 sends trains back to the left, a2 back up */
                "dacc");
    play(&t, "2 baac a1");
    expect_line(&t, "line 8 owner 2 tiles 5 end edge points 5"); /* a1 b1 c1 b1 a1 */
    expect_line(&t, "line 9 owner 1 tiles 3 end edge points 3"); /* a1 a2 a1 */
    expect_line(&t, "player 1 total 3");
    expect_line(&t, "player 2 total 5");
    /* Four at once: only the crossing b2 is missing on a board of straight tracks. */
    struct es_board board;
    struct es_line lines[4];
    lay_straight(&board, 9);
    int before[] = {es_board_points(&board, 1), es_board_points(&board, 2)};
    assert_int_equal(es_board_finishes(&board, 9, ES_TILE_aaaa, lines), 4);
    es_board_lay(&board, 2, 9, ES_TILE_aaaa);
    for (int i = 0; i < 4; i++) {
        struct es_line line = es_board_line(&board, (int[]){7, 31, 18, 10}[i]);
        assert_memory_equal(&lines[i], &line, sizeof line);
        assert_int_equal(line.tiles, 8);
    }
    assert_int_equal(es_board_points(&board, 1) - before[0], 16);
    assert_int_equal(es_board_points(&board, 2) - before[1], 16);
}

/* "its owner scores it, once"; "It does not matter whose lines or stations it touches." */
static void the_owner_scores_whoever_lays_the_tile(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "baac", ".... accd");
    expect_line(&t, "to-act 2");
    play(&t, "2 baac a1");
    expect_line(&t, "player 2 total 3");
    start_board(&t, "players 2\n", "baac", ".... accd aaaa"); /* player 1 lays it */
    expect_line(&t, "to-act 1");
    play(&t, "1 baac a1");
    expect_line(&t, "player 2 total 3");
    expect_line(&t, "player 1 total 0");
    play_all(&t, "deal 1 ?;2 aaaa h8;deal 2 ?");
    expect_line(&t, "player 2 total 3"); /* once */
}

/* "Stations that nobody owns still count as stations." */
static void lines_without_an_owner_score_for_nobody(void **state)
{
    (void)state;
    /* With three players nobody has 16 and 17, at the corner a8. */
    start_board(&t, "players 3\n", "dddd", "");
    play(&t, "1 dddd a8");
    expect_line(&t, "line 16 owner - tiles 1 end edge points 1");
    expect_line(&t, "line 17 owner - tiles 1 end edge points 1");
    assert_int_equal(points(1) + points(2) + points(3), 0);
    /* A player's line may end there: 15 over a7 and a8 to 16. */
    start_board(&t, "players 3\n", "cbcb", "....\n....\n....\n....\n....\n....\nbaac");
    play(&t, "2 cbcb a8");
    expect_line(&t, "line 15 owner 1 tiles 2 end edge points 2");
    expect_line(&t, "player 1 total 2");
}

/* "Loops that touch no station score nothing." A tile on b2 closes a loop with a2, which sends
 * trains back, and also leads the line of station 7 down to b3, which is empty. */
static void loops_score_nothing(void **state)
{
    (void)state;
    struct es_board board;
    struct es_line lines[4];
    es_board_blank(&board);
    es_board_lay(&board, 2, 1, ES_TILE_aaaa); /* b1 */
    es_board_lay(&board, 2, 8, ES_TILE_adad); /* a2: in by the right, out by the right */
    uint64_t before =
        board.points; /* a2 is at the edge: the line of station 10 comes back at once */
    assert_int_equal(es_board_points(&board, 2), 1);
    assert_int_equal(es_board_finishes(&board, 9, ES_TILE_adad, lines), 0);
    es_board_lay(&board, 2, 9, ES_TILE_adad); /* b2: in by the left, out by the left */
    assert_int_equal(board.points, before);
    assert_int_equal(es_board_line(&board, 7).tiles, 2);
    /* The same with a longer loop: c2, c3, b3 and b2 send trains round, in both directions. */
    es_board_blank(&board);
    es_board_lay(&board, 2, 1, ES_TILE_aaaa);
    es_board_lay(&board, 2, 10, ES_TILE_bcbc); /* c2: left to bottom and back */
    es_board_lay(&board, 2, 18, ES_TILE_cbcb); /* c3: top to left and back */
    es_board_lay(&board, 2, 17, ES_TILE_bcbc); /* b3: right to top and back */
    assert_int_equal(es_board_finishes(&board, 9, ES_TILE_cbcb, lines), 0);
    es_board_lay(&board, 2, 9, ES_TILE_cbcb); /* b2: bottom to right and back, top to left */
    assert_int_equal(board.points, 0);
    assert_int_equal(es_board_line(&board, 7).tiles, 2);
}

/* ---- The end ------------------------------------------------------------------------------- */

/* "When all 60 tiles are laid; by then every line has been scored." */
static void game_ends_when_all_60_tiles_are_laid(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "adad", almost_full);
    expect_line(&t, "placed 59");
    expect_line(&t, "stock 0");
    expect_line(&t, "hand 1 -");
    expect_line(&t, "winner -");
    expect_refused(&t, "2 draw", ES_STOCK_EMPTY);
    play(&t, "2 adad a3");
    expect_line(&t, "placed 60");
    expect_line(&t, "over yes");
    expect_line(&t, "to-act -");
    for (int station = 1; station <= 32; station++)
        assert_true(es_board_line(&es_metro_state(&t.state)->board, station).end >= ES_END_RIM);
    expect_line(&t, "line 11 owner 1 tiles 1 end edge points 1");
    expect_line(&t, "player 1 total 111");
    expect_line(&t, "player 2 total 82");
    expect_line(&t, "winner 1");
    expect_refused(&t, "1 draw", ES_GAME_OVER);
    expect_refused(&t, "deal 1 aaaa", ES_GAME_OVER);
    expect_legal(&t, ES_CHANCE, "");
    expect_legal(&t, 1, "");
}

/* "The highest score wins; players with equal scores share the win." */
static void equal_points_share_the_win(void **state)
{
    (void)state;
    static const struct {
        int points[6];
        unsigned winners;
    } ends[] = {{{3, 7, 0, 7, 6, 1}, 1 << 1 | 1 << 3},
                {{0, 0, 0, 0, 0, 0}, 63},
                {{1, 2, 3, 4, 5, 480}, 1 << 5}};
    struct es_metro_state *s = (struct es_metro_state *)&t.state;
    start_board(&t, "players 6\n", "aaaa", "");
    assert_int_equal(t.setup.game->winners(&t.setup, &t.state), 0);
    s->phase = ES_METRO_OVER;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        s->board.points = 0;
        for (int p = 0; p < 6; p++)
            s->board.points |= (uint64_t)ends[i].points[p]
                               << (ES__POINT_SHIFT + p * ES__POINT_BITS);
        for (int p = 0; p < 6; p++)
            assert_int_equal(points(p + 1), ends[i].points[p]);
        assert_int_equal(t.setup.game->winners(&t.setup, &t.state), ends[i].winners);
    }
}

/* The same board with h8 free as well. */
static const char *two_squares_left(void)
{
    static char drawing[sizeof almost_full];
    strcpy(drawing, almost_full);
    memcpy(strrchr(drawing, 'b'), "....", 4);
    return drawing;
}

/* When the stock is empty nobody draws and no hand is refilled. */
static void empty_stock_allows_no_draw_and_no_refill(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "adad", two_squares_left());
    expect_line(&t, "placed 58");
    expect_line(&t, "stock 0");
    expect_refused(&t, "1 draw", ES_STOCK_EMPTY);
    expect_legal(&t, 1, "adad a3 adad h8"); /* too short a line on both: the exception */
    play(&t, "1 adad h8");
    expect_line(&t, "hand 1 -");
    expect_line(&t, "to-act 2");
    play(&t, "2 baac a3");
    expect_line(&t, "over yes");
}

/* "A player who has no tile when the stock is empty is skipped (with equal hands this hardly ever
 * happens, but the engine does not rely on it)." */
static void players_without_tiles_are_skipped(void **state)
{
    (void)state;
    struct es_metro_state *s = (struct es_metro_state *)&t.state;
    start_board(&t, "players 2\nrules hand2\n", "adad", two_squares_left());
    expect_line(&t, "hand 2 ?");
    s->held[0] = 2; /* player 1 has got the last tile of player 2 */
    s->hand[0][1] = ES_TILE_baac;
    s->held[1] = s->hand[1][0] = 0;
    s->unseen[ES_TILE_baac] = 0;
    play(&t, "1 adad h8");
    expect_line(&t, "to-act 1");
    expect_refused(&t, "2 baac a3", ES_NOT_TO_ACT);
    play(&t, "1 baac a3");
    expect_line(&t, "over yes");
}

/* ---- Invariants ---------------------------------------------------------------------------- */

/* The other tests rely on this: `check` notices a state that contradicts itself. */
static void broken_states_are_noticed(void **state)
{
    (void)state;
    start_board(&t, "players 2\nrules hand2\n", "cbcb aacb", ".... aaaa bbbb");
    const struct es_state good = t.state;
    for (int i = 0; i < 14; i++) {
        struct es_state bad = good;
        struct es_metro_state *s = (struct es_metro_state *)&bad;
        switch (i) {
        case 0:
            s->board.laid |= 1;
            break;
        case 1:
            s->board.laid |= ES_CENTRE;
            break;
        case 2:
            s->board.near |= (uint64_t)1 << 20;
            break;
        case 3:
            s->board.points += (uint64_t)1 << ES__POINT_SHIFT;
            break;
        case 4:
            s->board.ends[es__end[9]] ^= 0x100;
            break;
        case 5:
            s->board.ends[es__end[0]] = 7;
            break;
        case 6:
            s->unseen[ES_TILE_dddd]++;
            break;
        case 7:
            s->unseen[ES_TILE_dddd] = 0;
            break;
        case 8:
            s->stock--;
            break;
        case 9:
            s->hand[0][0] = ES_TILE_dddd;
            break;
        case 10:
            s->held[1] = 3;
            break;
        case 11:
            s->drawn = ES_TILE_aaaa;
            break;
        case 12:
            s->phase = ES_METRO_OVER;
            break;
        default:
            s->player = 3;
            break;
        }
        if (es_metro.check(&t.setup, &bad) != ES_BROKEN)
            fail_msg("fault %d is not noticed", i);
    }
    assert_int_equal(es_metro.check(&t.setup, &good), ES_OK);
}

/* ---- What one player knows ----------------------------------------------------------------- */

/* "`deal P ?` … counts as dealt, is shown as ? in hands and drawn, and takes shape when laid: a
 * move may name any tile that is not in a known hand, on the board or used up" */
static void unknown_tiles_become_known_when_laid(void **state)
{
    (void)state;
    start_board(&t, "players 2\n", "dddd", "");
    expect_line(&t, "hand 2 ?");
    expect_line(&t, "stock 58");
    play_all(&t, "1 dddd d1;deal 1 bbbb");
    expect_legal(&t, 2, "draw"); /* no placements of ? */
    expect_refused(&t, "2 ? d8", ES_TILE_BAD);
    play(&t, "2 draw");
    play(&t, "deal 2 ?");
    expect_line(&t, "drawn ?");
    expect_legal(&t, 2, "");
    play_all(&t, "2 dddd d2;1 bbbb e2;deal 1 bbbb");
    expect_refused(&t, "2 dddd d3", ES_TILE_GONE); /* both are on the board */
    expect_refused(&t, "2 bbbb d3", ES_TILE_GONE); /* one is on the board, one in a known hand */
    play(&t, "2 aaaa d3");
}

/* "(a known copy in the same hand is taken first)" */
static void known_copies_are_taken_first(void **state)
{
    (void)state;
    start_board(&t, "players 2\nrules hand2\n", "aacb", "");
    expect_line(&t, "hand 1 ? aacb");
    play(&t, "1 aacb d1");
    expect_line(&t, "hand 1 ?");
    play(&t, "deal 1 ?");
    expect_line(&t, "hand 1 ? ?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stations_are_numbered_anticlockwise),
        cmocka_unit_test(stations_have_owners),
        cmocka_unit_test(letters_say_where_trains_go),
        cmocka_unit_test(tile_kinds_have_the_copies_of_the_rules),
        cmocka_unit_test(turning_moves_letters),
        cmocka_unit_test(tiles_are_dealt_in_seat_order),
        cmocka_unit_test(deals_must_be_due_and_possible),
        cmocka_unit_test(laying_a_tile_refills_the_hand),
        cmocka_unit_test(a_drawn_tile_must_be_laid),
        cmocka_unit_test(hand2_and_hand3_deal_larger_hands),
        cmocka_unit_test(a_drawn_tile_must_be_laid_with_a_larger_hand_too),
        cmocka_unit_test(squares_at_the_edge_are_open),
        cmocka_unit_test(squares_next_to_a_tile_are_open),
        cmocka_unit_test(tiles_are_not_turned),
        cmocka_unit_test(tiles_are_turned_with_rotate),
        cmocka_unit_test(no_line_back_to_its_station_over_one_tile),
        cmocka_unit_test(no_line_round_a_corner_over_one_tile),
        cmocka_unit_test(inner_squares_are_free_for_all_tiles),
        cmocka_unit_test(a_tile_that_fits_nowhere_goes_anywhere),
        cmocka_unit_test(the_exception_is_decided_for_each_tile_alone),
        cmocka_unit_test(last_square_lifts_rule_3_only_if_no_rotation_fits),
        cmocka_unit_test(the_exception_with_rotate_allows_every_direction),
        cmocka_unit_test(a_tile_crossed_twice_counts_twice),
        cmocka_unit_test(the_centre_doubles_the_points),
        cmocka_unit_test(a_tile_crossed_four_times),
        cmocka_unit_test(all_eight_tracks_into_the_centre_finish_a_line),
        cmocka_unit_test(tracks_out_of_the_centre_score_for_nobody),
        cmocka_unit_test(one_tile_finishes_several_lines),
        cmocka_unit_test(the_owner_scores_whoever_lays_the_tile),
        cmocka_unit_test(lines_without_an_owner_score_for_nobody),
        cmocka_unit_test(loops_score_nothing),
        cmocka_unit_test(game_ends_when_all_60_tiles_are_laid),
        cmocka_unit_test(equal_points_share_the_win),
        cmocka_unit_test(empty_stock_allows_no_draw_and_no_refill),
        cmocka_unit_test(players_without_tiles_are_skipped),
        cmocka_unit_test(broken_states_are_noticed),
        cmocka_unit_test(unknown_tiles_become_known_when_laid),
        cmocka_unit_test(known_copies_are_taken_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
