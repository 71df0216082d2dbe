/* How metro is played in a terminal; terminal_board.c draws. */
#include "games/metro/terminal.h"
#include "cli/play.h"
#include "cli/screen.h"
#include "games/metro/terminal_board.h"
#include <stdlib.h>
#include <string.h>

/* ---- Words ---------------------------------------------------------------------------------- */

static const char *owner_name(const struct es_record *record, int station, int player)
{
    int owner = es_station_owner(record->setup.players, station);
    return !owner ? "nobody" : owner == player ? "you" : play_name(record, owner);
}

static const char *square_name(int square)
{
    static char name[3];
    struct es_out out = {name, sizeof name - 1, 0};
    es_square_write(square, &out);
    return name;
}

/* "line 5 (you): 6 tiles to the centre, 12 points" */
static void print_line(const struct es_record *record, struct es_line line, int player)
{
    int points = es_line_points(line);
    printf("line %d (%s): %d tile%s%s, %d point%s", line.station,
           owner_name(record, line.station, player), line.tiles, line.tiles == 1 ? "" : "s",
           line.end == ES_END_CENTRE ? " to the centre" : "", points, points == 1 ? "" : "s");
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

/* The lines that the tile on a square has finished: they lead over it, and had a gap there. */
static void print_finished(const struct es_record *record, const struct es_metro_state *s,
                           int square, int player)
{
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_metro_step way[ES_METRO_STEPS_MAX];
        struct es_line line = es_board_line(&s->board, station);
        int steps = line.end >= ES_END_RIM ? es_metro_way(s, station, way) : 0, i = 0;
        while (i < steps && way[i].square != square)
            i++;
        if (i < steps) {
            fputs("  finished: ", stdout);
            print_line(record, line, player);
            puts("");
        }
    }
}

/* ---- Places for tiles ----------------------------------------------------------------------- */

/* What a player can lay now: what was drawn, or the hand, each kind once, with all the directions
 * it may be turned to. Unknown tiles are left out. */
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

/* One way to lay a tile, with what it would give. */
struct place {
    struct play_tile tile;
    int square, gain, lines; /* gain: the player's points less the others' */
    struct es_line line[4];
};

static int by_gain(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->gain != y->gain             ? y->gain - x->gain
           : x->tile.tile != y->tile.tile ? x->tile.tile - y->tile.tile
           : x->square != y->square       ? x->square - y->square
                                          : x->tile.quarters - y->tile.quarters;
}

static void find_lines(const struct es_record *record, const struct es_metro_state *s, int player,
                       struct place *place)
{
    int look = es_tile_turned[place->tile.tile][place->tile.quarters];
    place->lines = es_board_finishes(&s->board, place->square, look, place->line);
    for (int i = 0; i < place->lines; i++) {
        int owner = es_station_owner(record->setup.players, place->line[i].station);
        int points = es_line_points(place->line[i]);
        place->gain += owner == player ? points : owner ? -points : 0;
    }
}

/* Which places would finish lines, best first. */
static void show_gains(const struct es_record *record, const struct es_metro_state *s, int player,
                       const struct play_tile *tiles, int count)
{
    enum { SHOWN = 8 };
    static struct place places[ES_LEGAL_MAX];
    int found = 0;
    for (int i = 0; i < count; i++) {
        uint64_t squares = squares_of(&record->setup, s, &tiles[i], 1);
        for (int square = 0; square < ES_SQUARES; square++)
            if (squares >> square & 1) {
                places[found] = (struct place){.tile = tiles[i], .square = square};
                find_lines(record, s, player, &places[found]);
                found += places[found].lines > 0;
            }
    }
    qsort(places, (size_t)found, sizeof places[0], by_gain);
    puts(found ? "What would finish lines, most points now first:"
               : "Nothing would finish a line now.");
    for (int i = 0; i < found && i < SHOWN; i++)
        for (int k = 0; k < places[i].lines; k++) {
            fputs("  ", stdout);
            if (k == 0) {
                print_tile(record, places[i].tile.tile, places[i].tile.quarters);
                printf(" %s  ", square_name(places[i].square));
            } else {
                printf("%*s", record->setup.rules & ES_METRO_ROTATE ? 11 : 9, "");
            }
            print_line(record, places[i].line[k], player);
            puts("");
        }
    if (found > SHOWN)
        printf("  and %d more; 'why' and a square tells what happens there.\n", found - SHOWN);
}

/* The square laid last: what is not yet confirmed, or the last move of the record; -1 for none. */
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
                 int entries, es_event tentative)
{
    (void)entries;
    const struct es_setup *setup = &record->setup;
    const struct es_metro_state *s = es_metro_view(view);
    struct play_tile tiles[4 * ES_HAND_MAX];
    int count = tiles_of(setup, s, player, tiles);
    puts("");
    play_board(setup, s, squares_of(setup, s, tiles, count), last_square(record, tentative), 0);
    show_scores(record, s, player);
    screen_warn_of_size("the board and your tiles", PLAY_BOARD_ROWS + 14);
    if (tentative && ES_METRO_IS_LAY(tentative)) {
        puts("Laid, not yet confirmed.");
        print_finished(record, s, ES_METRO_LAY_SQUARE(tentative), player);
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
    show_gains(record, s, player, tiles, count);
}

/* A draw alone is told together with what comes of it. */
static bool tell(const struct es_record *record, const struct es_state *before,
                 const struct es_state *after, const es_event *events, size_t count, bool shown)
{
    const struct es_setup *setup = &record->setup;
    struct es_state now = *before;
    bool laid = false;
    int last = -1;
    for (size_t i = 0; i < count; i++)
        laid |= ES_METRO_IS_LAY(events[i]);
    if (!laid)
        return false;
    puts("");
    for (size_t i = 0; i < count; i++) {
        const char *name =
            ES_EVENT_WHO(events[i]) ? play_name(record, ES_EVENT_WHO(events[i])) : "";
        setup->game->apply(setup, &now, events[i]);
        if (ES_METRO_IS_LAY(events[i])) {
            char text[ES_EVENT_BYTES] = "";
            struct es_out out = {text, sizeof text - 1, 0};
            setup->game->format(setup, events[i], &out);
            last = ES_METRO_LAY_SQUARE(events[i]);
            printf("%s lays %s.\n", name, text + 2);
            print_finished(record, es_metro_view(&now), last, 0);
        } else if (ES_EVENT_WHO(events[i]) != ES_CHANCE) {
            printf("%s draws a tile.\n", name);
        }
    }
    if (!shown && es_metro_view(after)->phase != ES_METRO_OVER) { /* the end shows it, too */
        play_board(setup, es_metro_view(after), 0, last, 0);
        show_scores(record, es_metro_view(after), 0);
    }
    return true;
}

static void finish(const struct es_record *record, const struct es_state *state)
{
    const struct es_setup *setup = &record->setup;
    const struct es_metro_state *s = es_metro_view(state);
    puts("\nAll tiles are laid.");
    play_board(setup, s, 0, last_square(record, 0), 0);
    for (int p = 1; p <= setup->players; p++) {
        struct es_line best = {0};
        for (int station = 1; station <= ES_METRO_STATIONS; station++) {
            struct es_line line = es_board_line(&s->board, station);
            if (es_station_owner(setup->players, station) == p &&
                es_line_points(line) > es_line_points(best))
                best = line;
        }
        printf("P%d %s: %d points, the best with line %d: %d\n", p, play_name(record, p),
               es_board_points(&s->board, p), best.station, es_line_points(best));
    }
    puts("");
    play_winners(record, state);
    puts(".");
}

/* The station at a side of a square. */
static int station_at(int square, int side)
{
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        if (es_station_square[station] == square && es_station_side[station] == side)
            return station;
    return 0;
}

/* One line, on the board and in words. */
static void show_line(const struct es_record *record, const struct es_metro_state *s, int player,
                      int station)
{
    struct es_metro_step way[ES_METRO_STEPS_MAX];
    struct es_line line = es_board_line(&s->board, station);
    int steps = es_metro_way(s, station, way), column = 0;
    int next = es_station_square[station];
    play_board(&record->setup, s, 0, -1, station);
    for (int i = 0; i < steps; i++)
        column = play_item(square_name(way[i].square), i + 1 < steps ? "" : "\n", column, 0);
    if (line.end >= ES_END_RIM) {
        fputs("Finished: ", stdout);
        print_line(record, line, player);
        if (line.end == ES_END_RIM)
            printf(", ends at station %d", station_at(way[steps - 1].square, way[steps - 1].out));
        puts(".");
        return;
    }
    if (steps > 0)
        next = es_square_beyond(way[steps - 1].square, way[steps - 1].out);
    printf("Line %d (%s) is open after %d tile%s; it goes on at %s.\n", station,
           owner_name(record, station, player), line.tiles, line.tiles == 1 ? "" : "s",
           square_name(next));
}

/* Why a tile may not lie on a square, or what it does there. */
static void explain(const struct es_record *record, const struct es_metro_state *s, int player,
                    struct play_tile tile, int square)
{
    struct place place = {.tile = tile, .square = square};
    es_status status = es_metro_fault(&record->setup, s, tile.tile, tile.quarters, square);
    fputs("  ", stdout);
    print_tile(record, tile.tile, tile.quarters);
    printf(" %s: ", square_name(square));
    if (status == ES_LINE_TOO_SHORT) {
        fputs("forbidden; a line would lead from station to station over this one\n"
              "  tile, and the tile fits elsewhere",
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
    find_lines(record, s, player, &place);
    puts(place.lines ? "allowed, and finishes" : "allowed, and finishes no line.");
    for (int i = 0; i < place.lines; i++) {
        fputs("    ", stdout);
        print_line(record, place.line[i], player);
        puts(place.line[i].tiles == 1 ? "; so short only since the tile fits nowhere else" : "");
    }
}

static void explain_all(const struct es_record *record, const struct es_metro_state *s, int player,
                        int square)
{
    struct play_tile tiles[4 * ES_HAND_MAX];
    int count = tiles_of(&record->setup, s, player, tiles);
    if (count == 0)
        puts(s->phase == ES_METRO_DRAWING ? "The tile you draw is not known yet."
                                          : "Your move is made; undo takes it back.");
    for (int i = 0; i < count; i++)
        explain(record, s, player, tiles[i], square);
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
    const struct es_metro_state *s = es_metro_view(view);
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
            explain_all(record, s, player, square);
        return true;
    }
    if (es_str_is(word, "tiles") && what.size == 0) {
        show_unseen(s);
        return true;
    }
    return what.size == 0 && show_tile(record, s, word);
}

/* As the notation has it; capitals are forgiven, and the tile may be left out where there is only
 * one kind: d8, or /1 d8. */
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
    int count = tiles_of(setup, es_metro_view(view), player, tiles);
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

/* "Which tile? aacb d8 cbcb d8": false if the words are not a place for one of several. */
static bool ask_which(const struct es_record *record, const struct es_state *view, int player,
                      const char *words)
{
    struct play_tile tiles[4 * ES_HAND_MAX];
    int count = tiles_of(&record->setup, es_metro_view(view), player, tiles);
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
        explain(record, es_metro_view(view), player, tile, ES_METRO_LAY_SQUARE(event));
    } else if (status == ES_EVENT_BAD || status == ES_WORD_EXTRA || status == ES_WORD_MISSING ||
               status == ES_TILE_BAD || status == ES_SQUARE_BAD) {
        printf("%s: not understood. Name %s, or draw, or help.\n", words,
               es_metro_hand_size(&record->setup) > 1 ? "a tile and a square like aacb d8"
                                                      : "a square like d8");
    } else {
        printf("%s: %s.\n", words, es_status_text(status));
    }
}

/* The last turn, with the draw that it may have begun with. */
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
    puts("A line begins at each station on the rim and follows the tracks of the tiles\n"
         "until it comes to a station again. It is then worth a point for every tile it\n"
         "crossed, each time it crossed it, to the owner of the station it began at;\n"
         "twice that if it ends in the centre. When all 60 tiles are laid, the most\n"
         "points win. A tile goes onto the rim or next to another tile, but not so that\n"
         "a line leads from station to station over that one tile, unless the tile fits\n"
         "nowhere else.\n");
    puts("On a tile, an arrow at each side tells where a train leaves that comes in\n"
         "there. The name says the same with letters, for top, right, bottom and left: a\n"
         "straight on, b to the next side clockwise, c anticlockwise, d back out:");
    play_board_tiles((const struct play_tile[]){{ES_TILE_accd, 0}}, 1);
    puts("Here, in by the top a train goes down (a); in by the right, up (c); in by the\n"
         "bottom, to the right (c); in by the left, back out at the left (d).\n");
    puts("At a station stand its number and owner: P1 is player 1, -- is nobody. Below,\n"
         "3.. is a line of 3 tiles so far, =7 one that is finished with 7 points. The tile\n"
         "laid last has a frame of its own. On empty squares:");
    printf("  d8: free for %s%s%s\n", hand ? "one of your tiles" : "your tile",
           rotate ? ", in some direction" : "",
           hand || rotate ? "; 'aacb' shows where aacb fits" : "");
    puts("  a cross: forbidden, a line would be too short\n"
         "  a dot: neither on the rim nor next to a tile\n\n"
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
         "Other words:\n"
         "  line 5     the line of station 5, on the board and in words\n"
         "  why d8     whether you may lay on d8, why not, and what it would finish\n"
         "  aacb       where the tile aacb could lie\n"
         "  tiles      the tiles that you have not seen yet\n"
         "  board      show everything again");
}

const struct cli_terminal cli_terminal_metro = {
    .game = &es_metro,
    .show_command = "board",
    .reply_to_empty_line = "A move is needed: help tells how.",
    .reply_when_entered = "Your move is made: Enter confirms it, undo takes it back.",
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
