/* Plays metro in a terminal: shows positions, reads moves, explains. terminal_board.c draws the
 * board. */
#include "games/metro/terminal.h"
#include "cli/play.h"
#include "cli/screen.h"
#include "games/metro/table.h"
#include "games/metro/terminal_board.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- Words ---------------------------------------------------------------------------------- */

static const char *owner_name(const struct es_record *record, int owner, int player)
{
    return !owner ? "nobody" : owner == player ? "you" : play_name(record, owner);
}

static const char *square_name(int square)
{
    static char name[3];
    struct es_out out = {name, sizeof name - 1, 0};
    es_square_write(square, &out);
    return name;
}

/* Prints "line 5 (you): 6 tiles to the centre, 12 points" from the facts of a line that is or would
 * be finished. */
static void print_line(const struct es_record *record, const struct es__fact *line, int player)
{
    long tiles = es__fact_int(line, "tiles"), points = es__fact_int(line, "points");
    printf("line %ld (%s): %ld tile%s%s, %ld point%s", es__fact_int(line, "station"),
           owner_name(record, (int)es__fact_int(line, "owner"), player), tiles,
           tiles == 1 ? "" : "s", es__fact_is(line, "end", "centre") ? " to the centre" : "",
           points, points == 1 ? "" : "s");
}

static void print_finished(const struct es_record *record, const struct es__fact *line, int player)
{
    fputs("  finished: ", stdout);
    print_line(record, line, player);
    puts("");
}

static void print_tile(const struct es_record *record, int tile, int quarters)
{
    char turned[16] = "";
    if (quarters)
        snprintf(turned, sizeof turned, "/%d", quarters);
    printf("%s%*s", es_tile_name[tile], record->setup.rules & ES_METRO_ROTATE ? -2 : 0, turned);
}

static void show_scores(const struct es_record *record, const struct es_metro_state *s, int player)
{
    int column = 0;
    for (int p = 1; p <= record->setup.players; p++) {
        char text[ES_NAME_BYTES + 32];
        snprintf(text, sizeof text, "P%d %s%s %d", p, play_name(record, p),
                 p == player ? " (you)" : "", es_board_points(&s->board, p));
        column = play_item(text, ",", column, 0);
    }
    char stock[32];
    snprintf(stock, sizeof stock, "stock %d", s->stock);
    play_item(stock, ".\n", column, 0);
}

/* ---- Places for tiles ----------------------------------------------------------------------- */

/* Lists what a player can lay now: the tile drawn, or the hand, each kind once, in all rotations
 * allowed. Unknown tiles are left out. Returns their number. */
static int tiles_of(const struct es_setup *setup, const struct es_metro_state *s, int player,
                    struct play_tile tiles[4 * ES_HAND_MAX])
{
    const uint8_t *hand = s->hand[player - 1];
    int held = s->held[player - 1], count = 0;
    if (s->phase != ES_METRO_TURN || s->player != player)
        return 0;
    if (s->drawn != ES_TILE_NONE) {
        hand = &s->drawn;
        held = 1;
    }
    for (int i = 0; i < held; i++) {
        if (hand[i] == ES_TILE_UNKNOWN || (i > 0 && hand[i] == hand[i - 1]))
            continue;
        int looks = setup->rules & ES_METRO_ROTATE ? es_tile_looks(hand[i]) : 1;
        for (int q = 0; q < looks; q++)
            tiles[count++] = (struct play_tile){hand[i], (uint8_t)q};
    }
    return count;
}

static uint64_t squares_of(const struct es_setup *setup, const struct es_metro_state *s,
                           const struct play_tile *tiles, int count)
{
    uint64_t all = 0, squares[4];
    for (int i = 0; i < count; i++) {
        es_board_places(&s->board, tiles[i].tile, setup->rules & ES_METRO_ROTATE, squares);
        all |= squares[tiles[i].quarters];
    }
    return all;
}

/* A move that would finish lines. */
struct finisher {
    es_event move;
    long gain; /* the player's points less the others' */
};

static int by_gain(const void *a, const void *b)
{
    const struct finisher *x = a, *y = b;
    int tile = ES_METRO_LAY_TILE(x->move) - ES_METRO_LAY_TILE(y->move);
    int square = ES_METRO_LAY_SQUARE(x->move) - ES_METRO_LAY_SQUARE(y->move);
    return x->gain != y->gain ? (x->gain < y->gain) - (x->gain > y->gain)
           : tile             ? tile
           : square           ? square
                              : ES_METRO_LAY_QUARTERS(x->move) - ES_METRO_LAY_QUARTERS(y->move);
}

/* Returns the lines that a legal move would finish; valid until the next call. */
static const struct es__fact *lines_finished(const struct es_setup *setup,
                                             const struct es_state *view, int player, es_event move)
{
    const struct es__fact *plan;
    es_status status = play_plan(setup, view, player, move, &plan);
    assert(status == ES_OK);
    return es__fact_get(plan, "finish");
}

/* Prints the moves that would finish lines, best first. */
static void show_gains(const struct es_record *record, const struct es_state *view, int player)
{
    enum { SHOWN = 8 };
    static es_event moves[ES_LEGAL_MAX];
    static struct finisher finishers[ES_LEGAL_MAX];
    const struct es_setup *setup = &record->setup;
    size_t count = setup->game->legal(setup, view, player, moves), found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct es__fact *lines = lines_finished(setup, view, player, moves[i]), *line;
        long gain = 0;
        for (line = es__fact_first(lines); line; line = es__fact_next(lines, line)) {
            long owner = es__fact_int(line, "owner"), points = es__fact_int(line, "points");
            gain += owner == player ? points : owner ? -points : 0;
        }
        if (es__fact_count(lines) > 0)
            finishers[found++] = (struct finisher){moves[i], gain};
    }
    qsort(finishers, found, sizeof finishers[0], by_gain);
    puts(found ? "What would finish lines, most points now first:"
               : "Nothing would finish a line now.");
    for (size_t i = 0; i < found && i < SHOWN; i++) {
        es_event move = finishers[i].move;
        const struct es__fact *lines = lines_finished(setup, view, player, move);
        const struct es__fact *first = es__fact_first(lines), *line;
        for (line = first; line; line = es__fact_next(lines, line)) {
            fputs("  ", stdout);
            if (line == first) {
                print_tile(record, ES_METRO_LAY_TILE(move), ES_METRO_LAY_QUARTERS(move));
                printf(" %s  ", square_name(ES_METRO_LAY_SQUARE(move)));
            } else {
                printf("%*s", setup->rules & ES_METRO_ROTATE ? 11 : 9, "");
            }
            print_line(record, line, player);
            puts("");
        }
    }
    if (found > SHOWN)
        printf("  and %zu more; 'why' and a square tells what happens there.\n", found - SHOWN);
}

/* Returns the square laid last: by the move not yet confirmed, or by the last one of the record;
 * -1: none. */
static int last_square(const struct es_record *record, es_event tentative)
{
    if (tentative && ES_METRO_IS_LAY(tentative))
        return ES_METRO_LAY_SQUARE(tentative);
    for (size_t i = record->count; i-- > 0;)
        if (ES_METRO_IS_LAY(record->events[i]))
            return ES_METRO_LAY_SQUARE(record->events[i]);
    return -1;
}

/* ---- The face ------------------------------------------------------------------------------- */

static void show(const struct es_record *record, const struct es_state *view, int player,
                 int entries, es_event tentative, const struct es_state *before)
{
    (void)entries;
    const struct es_setup *setup = &record->setup;
    const struct es_metro_state *s = es_metro_state(view);
    struct play_tile tiles[4 * ES_HAND_MAX];
    int count = tiles_of(setup, s, player, tiles);
    puts("");
    play_board(setup, s, squares_of(setup, s, tiles, count), last_square(record, tentative), 0);
    show_scores(record, s, player);
    screen_warn_of_size("the board and your tiles", PLAY_BOARD_ROWS + 14);
    if (tentative && ES_METRO_IS_LAY(tentative)) {
        const struct es__fact *lines = lines_finished(setup, before, player, tentative), *line;
        puts("Laid, not yet confirmed.");
        for (line = es__fact_first(lines); line; line = es__fact_next(lines, line))
            print_finished(record, line, player);
    } else if (tentative) {
        puts("You draw the top tile of the stock and must lay it. Once confirmed, this stays.");
    }
    if (count == 0)
        return;
    if (s->drawn != ES_TILE_NONE) {
        fputs("You drew this tile and must lay it; in your hand stays", stdout);
        for (int i = 0; i < s->held[player - 1]; i++)
            printf(" %s", es_tile_name[s->hand[player - 1][i]]);
        puts(":");
    } else {
        fputs(s->held[player - 1] > 1 ? "Your tiles" : "Your tile", stdout);
        for (int i = 0; i < s->held[player - 1] && s->held[player - 1] > 1; i++)
            printf(" %s", es_tile_name[s->hand[player - 1][i]]);
        puts(s->stock > 0 ? ", to lay, or draw another:" : ":");
    }
    play_board_tiles(tiles, count);
    show_gains(record, view, player);
}

/* A draw is reported together with the tile laid after it. */
static bool tell(const struct cli_news *news)
{
    const struct es_record *record = news->record;
    const struct es__fact *log = news->log, *f;
    uint8_t last = 0;
    bool laid = false;
    for (f = es__fact_first(log); f; f = es__fact_next(log, f))
        laid |= es__fact_is(f, "what", "lay");
    if (!laid)
        return false;
    puts("");
    for (f = es__fact_first(log); f; f = es__fact_next(log, f)) {
        if (es__fact_is(f, "what", "lay")) {
            long turns = es__fact_int(f, "turns");
            const char *square = es__fact_text(f, "square");
            char turned[16] = "";
            if (turns)
                snprintf(turned, sizeof turned, "/%ld", turns);
            printf("%s lays %s%s %s.\n", play_name(record, (int)es__fact_int(f, "player")),
                   es__fact_text(f, "tile"), turned, square);
            es_square_read(es_str(square), &last);
        } else if (es__fact_is(f, "what", "finish")) {
            print_finished(record, f, 0);
        } else if (es__fact_is(f, "what", "draw")) {
            printf("%s draws a tile.\n", play_name(record, (int)es__fact_int(f, "player")));
        }
    }
    if (!news->shown &&
        !es__fact_bool(news->state, "over")) { /* the end of the game shows it anyway */
        play_board(&record->setup, es_metro_state(news->view), 0, last, 0);
        show_scores(record, es_metro_state(news->view), 0);
    }
    return true;
}

static void finish(const struct cli_news *news)
{
    const struct es_record *record = news->record;
    const struct es__fact *players = es__fact_get(news->state, "players");
    const struct es__fact *lines = es__fact_get(news->state, "stations"), *line;
    puts("\nAll tiles are laid.");
    play_board(&record->setup, es_metro_state(news->view), 0, last_square(record, 0), 0);
    for (const struct es__fact *f = es__fact_first(players); f; f = es__fact_next(players, f)) {
        long player = es__fact_int(f, "player"), best = 0, most = 0;
        for (line = es__fact_first(lines); line; line = es__fact_next(lines, line))
            if (es__fact_int(line, "owner") == player && es__fact_int(line, "points") > most) {
                best = es__fact_int(line, "station");
                most = es__fact_int(line, "points");
            }
        printf("P%ld %s: %ld points, the best with line %ld: %ld\n", player,
               play_name(record, (int)player), es__fact_int(f, "score"), best, most);
    }
    puts("");
    play_winners(news);
    puts(".");
}

/* Returns the station at a side of a square. */
static int station_at(int square, int side)
{
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        if (es_station_square[station] == square && es_station_side[station] == side)
            return station;
    return 0;
}

/* Shows one line on the board and prints its facts. */
static void show_line(const struct es_record *record, const struct es_metro_state *s, int player,
                      int station)
{
    struct es_metro_step way[ES_METRO_STEPS_MAX];
    struct es__fact facts[8];
    char text[8];
    struct es__tree tree;
    struct es__writer *w = es__tree_begin(&tree, facts, 8, text, sizeof text);
    es__write_object(w, NULL);
    es__metro_line_facts(w, &record->setup, es_board_line(&s->board, station));
    es__write_end(w);
    const struct es__fact *line = es__tree_root(&tree);
    int steps = es_metro_way(s, station, way), column = 0;
    int next = es_station_square[station];
    play_board(&record->setup, s, 0, -1, station);
    for (int i = 0; i < steps; i++)
        column = play_item(square_name(way[i].square), i + 1 < steps ? "" : "\n", column, 0);
    if (!es__fact_is(line, "end", "")) {
        fputs("Finished: ", stdout);
        print_line(record, line, player);
        if (es__fact_is(line, "end", "edge"))
            printf(", ends at station %d", station_at(way[steps - 1].square, way[steps - 1].out));
        puts(".");
        return;
    }
    if (steps > 0)
        next = es_square_beyond(way[steps - 1].square, way[steps - 1].out);
    long tiles = es__fact_int(line, "tiles");
    printf("Line %d (%s) is open after %ld tile%s; it goes on at %s.\n", station,
           owner_name(record, (int)es__fact_int(line, "owner"), player), tiles,
           tiles == 1 ? "" : "s", square_name(next));
}

/* Prints why a tile may not be laid on a square, or what it would do there. */
static void explain(const struct es_record *record, const struct es_state *view, int player,
                    struct play_tile tile, int square)
{
    const struct es_metro_state *s = es_metro_state(view);
    const struct es__fact *plan = NULL;
    es_status status = es_metro_fault(&record->setup, s, tile.tile, tile.quarters, square);
    if (status == ES_OK)
        status = play_plan(&record->setup, view, player,
                           ES_METRO_LAY(player, tile.tile, tile.quarters, square), &plan);
    fputs("  ", stdout);
    print_tile(record, tile.tile, tile.quarters);
    printf(" %s: ", square_name(square));
    if (status == ES_LINE_TOO_SHORT) {
        fputs("not allowed: a line would run from station to station over this\n"
              "  tile alone, and it fits elsewhere",
              stdout);
        uint64_t squares[4];
        int looks =
            es_board_places(&s->board, tile.tile, record->setup.rules & ES_METRO_ROTATE, squares);
        const char *before = ". Here it may lie turned:";
        for (int q = 0; q < looks; q++)
            if (squares[q] >> square & 1) {
                printf(q ? "%s %s/%d" : "%s %s", before, es_tile_name[tile.tile], q);
                before = "";
            }
        puts(".");
        return;
    }
    if (status) {
        printf("%s.\n", es_status_text(status));
        return;
    }
    const struct es__fact *lines = es__fact_get(plan, "finish"), *line = es__fact_first(lines);
    puts(line ? "allowed, and finishes" : "allowed, and finishes no line.");
    for (; line; line = es__fact_next(lines, line)) {
        fputs("    ", stdout);
        print_line(record, line, player);
        puts(es__fact_int(line, "tiles") == 1 ? "; so short only since the tile fits nowhere else"
                                              : "");
    }
}

static void explain_all(const struct es_record *record, const struct es_state *view, int player,
                        int square)
{
    const struct es_metro_state *s = es_metro_state(view);
    struct play_tile tiles[4 * ES_HAND_MAX];
    int count = tiles_of(&record->setup, s, player, tiles);
    if (count == 0)
        puts(s->phase == ES_METRO_DRAWING
                 ? "The tile you draw is not known yet."
                 : "Your move is made: press Enter to confirm it, or type undo.");
    for (int i = 0; i < count; i++)
        explain(record, view, player, tiles[i], square);
}

static void show_unseen(const struct es_metro_state *s)
{
    char text[ES_TILE_KINDS][160];
    int count = 0, column = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        if (s->unseen[tile] > 0)
            snprintf(text[count++], sizeof text[0], "%d %s", s->unseen[tile], es_tile_name[tile]);
    puts("Tiles that you have not seen, in the stock or in others' hands:");
    for (int i = 0; i < count; i++)
        column = play_item(text[i], i + 1 < count ? "," : "", column, 0);
    puts(count ? "" : "none");
}

/* Any tile, or one of its directions: where it could lie. */
static bool show_tile(const struct es_record *record, const struct es_metro_state *s,
                      struct es_str word)
{
    struct play_tile tiles[4];
    uint8_t tile;
    int quarters = -1, count = 0;
    if (word.size == 6 && word.at[4] == '/' && word.at[5] >= '1' && word.at[5] <= '3') {
        quarters = word.at[5] - '0';
        word.size = 4;
    }
    if (es_tile_read(word, &tile) || tile == ES_TILE_UNKNOWN)
        return false;
    int looks = record->setup.rules & ES_METRO_ROTATE ? es_tile_looks(tile) : 1;
    for (int q = 0; q < looks; q++)
        if (quarters < 0 || q == quarters)
            tiles[count++] = (struct play_tile){tile, (uint8_t)q};
    if (count == 0)
        return false;
    play_board(&record->setup, s, squares_of(&record->setup, s, tiles, count), -1, 0);
    play_board_tiles(tiles, count);
    return true;
}

static bool command(const struct es_record *record, const struct es_state *view, int player,
                    const char *words)
{
    const struct es_metro_state *s = es_metro_state(view);
    struct es_str rest = es_str(words), word = {"", 0}, what = {"", 0};
    uint8_t square;
    unsigned station;
    es_str_word(&rest, &word);
    es_str_word(&rest, &what);
    if (es_str_trim(rest).size > 0)
        return false;
    if (es_str_is(word, "line")) {
        if (es_str_number(what, ES_METRO_STATIONS, &station) || station == 0)
            puts("Stations are 1 to 32: line 5 shows the line of station 5.");
        else
            show_line(record, s, player, (int)station);
        return true;
    }
    if (es_str_is(word, "why")) {
        if (es_square_read(what, &square))
            puts("Squares are a1 to h8: why d1 tells about d1.");
        else
            explain_all(record, view, player, square);
        return true;
    }
    if (es_str_is(word, "tiles") && what.size == 0) {
        show_unseen(s);
        return true;
    }
    return what.size == 0 && show_tile(record, s, word);
}

/* Reads a move in the notation of records, but accepts capitals, and the tile may be left out if
 * there is only one kind: d8, or /1 d8. */
static es_status read_move(const struct es_record *record, const struct es_state *view, int player,
                           const char *words, es_event *event)
{
    const struct es_setup *setup = &record->setup;
    char typed[SCREEN_LINE], text[SCREEN_LINE + 16];
    struct es_out out = {text, sizeof text, 0};
    snprintf(typed, sizeof typed, "%s", words);
    play_lower_case(typed);
    struct es_str rest = es_str(typed), first = {"", 0};
    struct play_tile tiles[4 * ES_HAND_MAX];
    uint8_t square;
    int count = tiles_of(setup, es_metro_state(view), player, tiles);
    es_str_word(&rest, &first);
    bool turned = first.size > 0 && first.at[0] == '/';
    es_out_int(&out, player);
    es_out_char(&out, ' ');
    if (turned || es_square_read(first, &square) == ES_OK) {
        if (count == 0 || tiles[0].tile != tiles[count - 1].tile)
            return ES_TILE_BAD;
        es_out_text(&out, es_tile_name[tiles[0].tile]);
        es_out_text(&out, turned ? "" : " ");
    }
    es_out_text(&out, typed);
    return setup->game->parse(setup, (struct es_str){text, out.used}, event);
}

/* Prints "Which tile? aacb d8 cbcb d8" if the words are a square and several tiles could go there;
 * else returns false. */
static bool ask_which(const struct es_record *record, const struct es_state *view, int player,
                      const char *words)
{
    struct play_tile tiles[4 * ES_HAND_MAX];
    int count = tiles_of(&record->setup, es_metro_state(view), player, tiles);
    bool turned = words[0] == '/';
    uint8_t square;
    if (turned ? !(record->setup.rules & ES_METRO_ROTATE)
               : es_square_read(es_str(words), &square) != ES_OK)
        return false;
    fputs("Which tile?", stdout);
    for (int i = 0; i < count; i++)
        if (tiles[i].quarters == (turned ? words[1] - '0' : 0))
            printf(" %s%s%s", es_tile_name[tiles[i].tile], turned ? "" : " ", words);
    puts("");
    return true;
}

static void refuse(const struct es_record *record, const struct es_state *view, int player,
                   const char *words, es_status status)
{
    es_event event;
    char small[SCREEN_LINE];
    snprintf(small, sizeof small, "%s", words);
    play_lower_case(small);
    if (status == ES_TILE_BAD && ask_which(record, view, player, small))
        return;
    if (read_move(record, view, player, words, &event) == ES_OK && ES_METRO_IS_LAY(event) &&
        status != ES_TILE_NOT_HELD && status != ES_TILE_NOT_DRAWN) {
        struct play_tile tile = {(uint8_t)ES_METRO_LAY_TILE(event),
                                 (uint8_t)ES_METRO_LAY_QUARTERS(event)};
        explain(record, view, player, tile, ES_METRO_LAY_SQUARE(event));
    } else if (status == ES_EVENT_BAD || status == ES_WORD_EXTRA || status == ES_WORD_MISSING ||
               status == ES_TILE_BAD || status == ES_SQUARE_BAD) {
        printf("%s: not understood. Name %s, or draw, or help.\n", words,
               es_metro_hand_size(&record->setup) > 1 ? "a tile and a square like aacb d8"
                                                      : "a square like d8");
    } else {
        printf("%s: %s.\n", words, es_status_text(status));
    }
}

/* Returns where the last turn begins, including a draw. */
static size_t recap(const es_event *events, size_t known)
{
    while (known > 0 && !ES_METRO_IS_LAY(events[known - 1]))
        known--;
    if (known > 2 && events[known - 3] == ES_METRO_DRAW(ES_EVENT_WHO(events[known - 1])))
        return known - 3;
    return known > 0 ? known - 1 : 0;
}

static const char *fault(const struct es_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        if (ES_EVENT_WHO(record->events[i]) == ES_CHANCE &&
            ES_METRO_DEAL_TILE(record->events[i]) == ES_TILE_UNKNOWN)
            return "this record hides tiles: it can be looked at with replay, not played";
    return NULL;
}

static void help(const struct es_record *record)
{
    const struct es_setup *setup = &record->setup;
    bool rotate = setup->rules & ES_METRO_ROTATE, hand = es_metro_hand_size(setup) > 1;
    puts("A line starts at each station around the board and follows the tracks until it\n"
         "reaches a station again. Its owner then scores a point for every tile it\n"
         "crosses, each time it crosses it; twice that if it ends in the centre. When all\n"
         "60 tiles are laid, the highest score wins. A tile goes at the edge of the board\n"
         "or next to another tile, but not so that a line runs from station to station\n"
         "over this tile alone, unless the tile fits nowhere else.\n");
    puts("An arrow at each side of a tile shows where a train that enters there leaves.\n"
         "The name says the same in letters, for top, right, bottom and left: a straight\n"
         "on, b to the next side clockwise, c anticlockwise, d back out:");
    play_board_tiles((const struct play_tile[]){{ES_TILE_accd, 0}}, 1);
    puts("Here, a train that enters at the top leaves at the bottom (a); at the right, at\n"
         "the top (c); at the bottom, at the right (c); at the left, at the left (d).\n");
    puts("Each station shows its number and owner: P1 is player 1, -- is nobody. Below,\n"
         "3.. is a line of 3 tiles so far, =7 one that is finished with 7 points. The\n"
         "latest tile is framed. On empty squares:");
    printf("  d8: free for %s%s%s\n", hand ? "one of your tiles" : "your tile",
           rotate ? ", in some direction" : "",
           hand || rotate ? "; 'aacb' shows where aacb fits" : "");
    puts("  a cross: not allowed, a line would be too short\n"
         "  a dot: neither at the edge nor next to a tile\n\n"
         "Write your move like this:");
    if (hand)
        puts("  aacb d8    lay the tile aacb on d8");
    else
        puts("  d8         lay your tile on d8 (aacb d8 is the same, if your tile is aacb)");
    if (rotate && hand)
        puts("  aacb/1 d8  turned by a quarter clockwise; /2 and /3 by more");
    else if (rotate)
        puts("  /1 d8      turned by a quarter clockwise; /2 and /3 by more");
    puts("  draw       draw a tile from the stock instead, and then lay that one\n"
         "Other commands:\n"
         "  line 5     the line of station 5, on the board and in words\n"
         "  why d8     whether your tile can go on d8, why not, and what it would finish\n"
         "  aacb       where the tile aacb can go\n"
         "  tiles      the tiles that you have not seen yet\n"
         "  board      show everything again");
}

const struct cli_terminal cli_terminal_metro = {
    .game = &es_metro,
    .show_command = "board",
    .reply_to_empty_line = "Make a move first; type help to see how.",
    .reply_when_entered = "Your move is made: press Enter to confirm it, or type undo.",
    .fault = fault,
    .recap = recap,
    .show = show,
    .tell = tell,
    .finish = finish,
    .command = command,
    .read = read_move,
    .refuse = refuse,
    .help = help,
    .setup_help = "    --rules rotate    tiles may be turned\n"
                  "    --rules hand2     two tiles in hand, or three with hand3\n",
    .print = &es__metro_print,
    .bench = es__metro_bench,
};
