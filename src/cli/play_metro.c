/* How metro looks in a terminal.
 *
 * A tile is a cell of 5 by 3 characters. At each of its sides an arrow says where a train goes that
 * comes in there: in by the top of aacb a train goes down, in by the left it goes up.
 *
 *     ╭ ↓ ╮
 *     ↑   ←
 *     ╰ → ╯
 */
#include "play.h"
#include <endstation/metro.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Painting ------------------------------------------------------------------------------ */

/* Terminals that do not say they know UTF-8 get plain characters. */
struct glyphs {
    const char *arrow[4];       /* by side */
    const char *corner[4];      /* of a tile: top left, top right, bottom left, bottom right */
    const char *last[4];        /* … of the tile laid last */
    const char *flat, *upright; /* the rim of the central stations */
    const char *nowhere;        /* a square where nothing can be laid now */
    const char *forbidden;      /* … or not these tiles, by rule 3 */
    const char *train;          /* on a tile, when its line is shown */
};

static const struct glyphs *glyphs(void)
{
    static const struct glyphs fancy = {
        {"↑", "→", "↓", "←"}, {"╭", "╮", "╰", "╯"}, {"╔", "╗", "╚", "╝"}, "━", "┃", "·", "×", "●"};
    static const struct glyphs plain = {
        {"^", ">", "v", "<"}, {".", ".", "'", "'"}, {"#", "#", "#", "#"}, "=", "|", ".", "x", "o"};
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (int i = 0; i < 3; i++) {
        const char *locale = getenv(names[i]);
        if (locale && locale[0])
            return strstr(locale, "UTF-8") || strstr(locale, "utf8") ? &fancy : &plain;
    }
    return &plain;
}

/* Styles: 1 to 6 the players' colours, then these. Nothing is told by colour alone. */
enum { PLAIN = 0, FAINT = 7, STRONG = 8 };

static const char *style_code(int style)
{
    static const char *const codes[] = {"0", "33", "34", "38;5;208", "32", "35", "31", "2", "1"};
    return codes[style];
}

/* A page of characters, each up to three bytes long, to be painted in any order. */
enum { ROWS = 30, COLUMNS = 64, CELL_WIDE = 6, CELL_HIGH = 3, LEFT = 8, ABOVE = 3 };

struct page {
    char text[ROWS][COLUMNS][4];
    uint8_t style[ROWS][COLUMNS];
};

static void put(struct page *page, int row, int column, const char *glyph, int style)
{
    snprintf(page->text[row][column], sizeof page->text[row][column], "%s", glyph);
    page->style[row][column] = (uint8_t)style;
}

/* Plain characters, one a column. */
static void put_text(struct page *page, int row, int column, const char *text, int style)
{
    for (; *text; text++, column++)
        put(page, row, column, (char[]){*text, '\0'}, style);
}

static void print_page(const struct page *page, int rows)
{
    bool colour = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
    for (int row = 0; row < rows; row++) {
        int last = COLUMNS, style = PLAIN;
        while (last > 0 && !page->text[row][last - 1][0])
            last--;
        for (int column = 0; column < last; column++) {
            const char *glyph = page->text[row][column];
            int wanted = glyph[0] ? page->style[row][column] : PLAIN;
            if (colour && wanted != style)
                printf("\033[0;%sm", style_code(wanted));
            style = wanted;
            fputs(glyph[0] ? glyph : " ", stdout);
        }
        puts(colour && style != PLAIN ? "\033[0m" : "");
    }
}

static void paint_tile(struct page *page, int row, int column, int look, bool last, int style)
{
    const struct glyphs *g = glyphs();
    const char *const *corner = last ? g->last : g->corner;
    static const uint8_t at[4][2] = {{0, 2}, {1, 4}, {2, 2}, {1, 0}};
    for (int i = 0; i < 4; i++)
        put(page, row + i / 2 * 2, column + i % 2 * 4, corner[i], last ? STRONG : FAINT);
    for (int side = 0; side < 4; side++)
        put(page, row + at[side][0], column + at[side][1], g->arrow[es_tile_exit[look][side]],
            style);
}

/* ---- The board ----------------------------------------------------------------------------- */

static int row_of(int square)
{
    return ABOVE + CELL_HIGH * (square / 8);
}

static int column_of(int square)
{
    return LEFT + CELL_WIDE * (square % 8);
}

static void paint_centre(struct page *page)
{
    const struct glyphs *g = glyphs();
    int top = row_of(27), left = column_of(27), right = left + 2 * CELL_WIDE - 2;
    for (int column = left; column <= right; column++) {
        put(page, top, column, g->flat, PLAIN);
        put(page, top + 2 * CELL_HIGH - 1, column, g->flat, PLAIN);
    }
    for (int row = top + 1; row < top + 2 * CELL_HIGH - 1; row++) {
        put(page, row, left, g->upright, PLAIN);
        put(page, row, right, g->upright, PLAIN);
    }
    put_text(page, top + 2, left + 3, "centre", PLAIN);
}

/* Number and owner of a station, and below it what its line is worth or how far it has come. */
static void paint_station(struct page *page, const struct es_setup *setup,
                          const struct es_metro_state *s, int station)
{
    int square = es_station_square[station], side = es_station_side[station];
    int row = row_of(square), column = column_of(square);
    int owner = es_station_owner(setup->players, station);
    struct es_line line = es_board_line(&s->board, station);
    char name[16], worth[16] = "";
    snprintf(name, sizeof name, owner ? "%d P%d" : "%d --", station, owner);
    if (line.end >= ES_END_RIM)
        snprintf(worth, sizeof worth, "=%d", es_line_points(line));
    else if (line.tiles > 0)
        snprintf(worth, sizeof worth, "%d..", line.tiles);
    if (side == ES_SIDE_TOP)
        row -= 2;
    else if (side == ES_SIDE_BOTTOM)
        row += CELL_HIGH;
    else if (side == ES_SIDE_LEFT)
        column = 2;
    else
        column += CELL_WIDE;
    put_text(page, row, column, name, owner);
    put_text(page, row + 1, column, worth, owner);
}

/* The whole board. `squares`: where a tile may go, if anything (else 0); `last`: the square laid
 * last, or -1; `station`: whose line is shown, or 0. */
static void show_board(const struct es_setup *setup, const struct es_metro_state *s,
                       uint64_t squares, int last, int station)
{
    static struct page page;
    struct es_metro_step way[ES_METRO_STEPS_MAX];
    int steps = station ? es_metro_way(s, station, way) : 0;
    uint64_t forbidden = squares ? es_board_open(&s->board) & ~squares : 0;
    memset(&page, 0, sizeof page);
    for (int i = 0; i < 8; i++) {
        put_text(&page, 0, column_of(i) + 2, (char[]){(char)('a' + i), '\0'}, FAINT);
        put_text(&page, row_of(8 * i) + 1, 0, (char[]){(char)('1' + i), '\0'}, FAINT);
    }
    for (int i = 1; i <= ES_METRO_STATIONS; i++)
        paint_station(&page, setup, s, i);
    paint_centre(&page);
    for (int square = 0; square < ES_SQUARES; square++) {
        int row = row_of(square), column = column_of(square);
        if (s->board.laid >> square & 1)
            paint_tile(&page, row, column, s->look[square], square == last, PLAIN);
        else if (squares >> square & 1)
            put_text(&page, row + 1, column + 1,
                     (char[]){(char)('a' + square % 8), (char)('1' + square / 8), '\0'}, STRONG);
        else if (!(ES_CENTRE >> square & 1))
            put(&page, row + 1, column + 2,
                forbidden >> square & 1 ? glyphs()->forbidden : glyphs()->nowhere, FAINT);
    }
    for (int i = 0; i < steps; i++) {
        int owner = es_station_owner(setup->players, station);
        put(&page, row_of(way[i].square) + 1, column_of(way[i].square) + 2, glyphs()->train, owner);
    }
    print_page(&page, ROWS);
}

static void show_scores(const struct es_record *record, const struct es_metro_state *s)
{
    for (int p = 1; p <= record->setup.players; p++)
        printf("%sP%d %s: %d", p > 1 ? ", " : "", p, play_name(record, p),
               es_board_points(&s->board, p));
    printf(". Stock: %d.\n", s->stock);
}

/* ---- What a move does ---------------------------------------------------------------------- */

/* "line 5 (you): 6 tiles to the centre, 12 points" */
static void print_line(const struct es_record *record, struct es_line line, int player)
{
    int owner = es_station_owner(record->setup.players, line.station);
    int points = es_line_points(line);
    printf("line %d (%s): %d tile%s", line.station,
           !owner            ? "nobody's"
           : owner == player ? "you"
                             : play_name(record, owner),
           line.tiles, line.tiles == 1 ? "" : "s");
    printf("%s, %d point%s", line.end == ES_END_CENTRE ? " to the centre, doubled" : "", points,
           points == 1 ? "" : "s");
}

/* The lines that the tile on a square has finished: they lead over it, and had a gap there before.
 */
static void print_finished(const struct es_record *record, const struct es_metro_state *s,
                           int square, int player)
{
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_metro_step way[ES_METRO_STEPS_MAX];
        struct es_line line = es_board_line(&s->board, station);
        int steps = line.end >= ES_END_RIM ? es_metro_way(s, station, way) : 0;
        for (int i = 0; i < steps; i++)
            if (way[i].square == square) {
                fputs("  finished: ", stdout);
                print_line(record, line, player);
                puts(".");
                break;
            }
    }
}

/* One way to lay a tile, with what it would give. */
struct place {
    int tile, quarters, square, gain, lines; /* gain: the player's points less the others' */
    struct es_line line[4];
};

static int by_gain(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->gain != y->gain ? y->gain - x->gain : x->square - y->square;
}

static void print_place(const struct es_record *record, const struct place *place)
{
    char square[4] = "";
    struct es_out out = {square, sizeof square - 1, 0};
    es_square_write(place->square, &out);
    fputs(es_tile_name[place->tile], stdout);
    if (place->quarters)
        printf("/%d", place->quarters);
    else if (record->setup.rules & ES_METRO_ROTATE)
        fputs("  ", stdout);
    printf(" %s", square);
}

/* The tiles a player can lay now: what was drawn, or the hand, each kind once. */
static int tiles_of(const struct es_metro_state *s, int player, uint8_t tiles[ES_HAND_MAX])
{
    int count = 0;
    if (s->drawn != ES_TILE_NONE) {
        tiles[0] = s->drawn;
        return s->player == player && s->drawn < ES_TILE_KINDS;
    }
    for (int i = 0; i < s->held[player - 1]; i++) {
        uint8_t tile = s->hand[player - 1][i];
        if (tile < ES_TILE_KINDS && (count == 0 || tiles[count - 1] != tile))
            tiles[count++] = tile;
    }
    return count;
}

/* Where the tiles may go, as a set of squares. */
static uint64_t squares_of(const struct es_setup *setup, const struct es_metro_state *s,
                           const uint8_t *tiles, int count)
{
    uint64_t all = 0, squares[4];
    for (int i = 0; i < count; i++) {
        int looks = es_board_places(&s->board, tiles[i], setup->rules & ES_METRO_ROTATE, squares);
        for (int q = 0; q < looks; q++)
            all |= squares[q];
    }
    return all;
}

/* Which places would finish lines, best first. */
static void show_gains(const struct es_record *record, const struct es_metro_state *s, int player,
                       const uint8_t *tiles, int count)
{
    enum { SHOWN = 8 };
    static struct place places[ES_LEGAL_MAX];
    const struct es_setup *setup = &record->setup;
    int found = 0;
    for (int i = 0; i < count; i++) {
        uint64_t squares[4];
        int looks = es_board_places(&s->board, tiles[i], setup->rules & ES_METRO_ROTATE, squares);
        for (int q = 0; q < looks; q++)
            for (int square = 0; square < ES_SQUARES; square++) {
                struct place *place = &places[found];
                *place = (struct place){.tile = tiles[i], .quarters = q, .square = square};
                if (!(squares[q] >> square & 1))
                    continue;
                place->lines =
                    es_board_finishes(&s->board, square, es_tile_turned[tiles[i]][q], place->line);
                for (int k = 0; k < place->lines; k++) {
                    int owner = es_station_owner(setup->players, place->line[k].station);
                    int points = es_line_points(place->line[k]);
                    place->gain += owner == player ? points : owner ? -points : 0;
                }
                found += place->lines > 0;
            }
    }
    qsort(places, (size_t)found, sizeof places[0], by_gain);
    puts(found ? "What would finish lines:" : "Nothing would finish a line now.");
    for (int i = 0; i < found && i < SHOWN; i++) {
        fputs("  ", stdout);
        print_place(record, &places[i]);
        for (int k = 0; k < places[i].lines; k++) {
            fputs(k ? "; " : "  ", stdout);
            print_line(record, places[i].line[k], player);
        }
        puts("");
    }
    if (found > SHOWN)
        printf("  and %d more; 'why' and a square tells what a tile does there.\n", found - SHOWN);
}

/* The tiles as they look, side by side, with all directions where they may be turned. */
static void show_tiles(const struct es_setup *setup, const uint8_t *tiles, int count)
{
    bool rotate = setup->rules & ES_METRO_ROTATE;
    static struct page page;
    int column = 2, used = 0;
    memset(&page, 0, sizeof page);
    for (int i = 0; i < count; i++) {
        int looks = rotate ? es_tile_looks(tiles[i]) : 1;
        for (int q = 0; q < looks; q++, column += 9) {
            char name[8];
            if (column + 8 > COLUMNS) {
                print_page(&page, 4);
                memset(&page, 0, sizeof page);
                column = 2;
            }
            snprintf(name, sizeof name, q ? "%s/%d" : "%s", es_tile_name[tiles[i]], q);
            put_text(&page, 0, column, name, STRONG);
            paint_tile(&page, 1, column, es_tile_turned[tiles[i]][q], false, PLAIN);
            used++;
        }
    }
    if (used)
        print_page(&page, 4);
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

/* ---- The face ------------------------------------------------------------------------------ */

static void show(const struct es_record *record, const struct es_state *view, int player,
                 int entries, es_event tentative)
{
    const struct es_setup *setup = &record->setup;
    const struct es_metro_state *s = es_metro_view(view);
    uint8_t tiles[ES_HAND_MAX];
    bool acting = s->phase == ES_METRO_TURN && s->player == player && entries >= 0;
    int count = acting ? tiles_of(s, player, tiles) : 0;
    puts("");
    show_board(setup, s, squares_of(setup, s, tiles, count), last_square(record, tentative), 0);
    show_scores(record, s);
    if (tentative && ES_METRO_IS_LAY(tentative)) {
        puts("Laid, not yet confirmed.");
        print_finished(record, s, ES_METRO_LAY_SQUARE(tentative), player);
    } else if (tentative) {
        puts("You draw the top tile of the stock and must lay it. Once confirmed, this stays.");
    }
    if (!acting)
        return;
    if (s->drawn != ES_TILE_NONE)
        puts("You drew this tile and must lay it:");
    else
        printf("Your tile%s%s:\n", s->held[player - 1] > 1 ? "s" : "",
               s->stock > 0 ? ", to lay, or draw another" : "");
    show_tiles(setup, tiles, count);
    show_gains(record, s, player, tiles, count);
}

static void tell(const struct es_record *record, const struct es_state *before,
                 const struct es_state *after, const es_event *events, size_t count)
{
    const struct es_setup *setup = &record->setup;
    struct es_state now = *before;
    int last = -1;
    puts("");
    for (size_t i = 0; i < count; i++) {
        char text[ES_EVENT_BYTES] = "";
        struct es_out out = {text, sizeof text - 1, 0};
        setup->game->apply(setup, &now, events[i]);
        setup->game->format(setup, events[i], &out);
        if (ES_METRO_IS_LAY(events[i])) {
            last = ES_METRO_LAY_SQUARE(events[i]);
            printf("%s lays %s.\n", play_name(record, ES_EVENT_WHO(events[i])), text + 2);
            print_finished(record, es_metro_view(&now), last, 0);
        } else if (ES_EVENT_WHO(events[i]) != ES_CHANCE) {
            printf("%s draws a tile.\n", play_name(record, ES_EVENT_WHO(events[i])));
        }
    }
    if (es_metro_view(after)->phase == ES_METRO_OVER)
        return; /* the end shows the board */
    show_board(setup, es_metro_view(after), 0, last, 0);
    show_scores(record, es_metro_view(after));
}

static void finish(const struct es_record *record, const struct es_state *state)
{
    const struct es_setup *setup = &record->setup;
    const struct es_metro_state *s = es_metro_view(state);
    puts("\nAll tiles are laid.");
    show_board(setup, s, 0, last_square(record, 0), 0);
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

/* One line, in words and on the board. */
static void show_line(const struct es_record *record, const struct es_metro_state *s, int player,
                      int station)
{
    struct es_metro_step way[ES_METRO_STEPS_MAX];
    struct es_line line = es_board_line(&s->board, station);
    int steps = es_metro_way(s, station, way);
    show_board(&record->setup, s, 0, -1, station);
    fputs("From the station over", stdout);
    for (int i = 0; i < steps; i++) {
        char text[4] = "";
        struct es_out out = {text, sizeof text - 1, 0};
        es_square_write(way[i].square, &out);
        printf("%s%s", i % 20 == 19 ? "\n  " : " ", text);
    }
    puts(steps ? "." : " nothing yet.");
    if (line.end >= ES_END_RIM) {
        fputs("Finished: ", stdout);
        print_line(record, line, player);
        puts(".");
    } else {
        int owner = es_station_owner(record->setup.players, station);
        printf("Line %d (%s) is open after %d tile%s.\n", station,
               !owner            ? "nobody's"
               : owner == player ? "you"
                                 : play_name(record, owner),
               line.tiles, line.tiles == 1 ? "" : "s");
    }
}

/* Why a tile may not lie on a square, or what it does there. */
static void explain(const struct es_record *record, const struct es_metro_state *s, int player,
                    int tile, int quarters, int square)
{
    struct place place = {.tile = tile, .quarters = quarters, .square = square};
    enum es_status status = es_metro_fault(&record->setup, s, tile, quarters, square);
    fputs("  ", stdout);
    print_place(record, &place);
    if (status == ES_LINE_TOO_SHORT) {
        puts(": forbidden while the tile fits elsewhere, a line would lead from a station to a\n"
             "  station over this one tile.");
        return;
    }
    if (status) {
        printf(": %s.\n", es_status_text(status));
        return;
    }
    int lines = es_board_finishes(&s->board, square, es_tile_turned[tile][quarters], place.line);
    puts(lines ? ": allowed, and finishes" : ": allowed, and finishes no line.");
    for (int i = 0; i < lines; i++) {
        fputs("    ", stdout);
        print_line(record, place.line[i], player);
        puts(".");
    }
}

static void explain_all(const struct es_record *record, const struct es_metro_state *s, int player,
                        int square)
{
    uint8_t tiles[ES_HAND_MAX];
    int count = tiles_of(s, player, tiles);
    bool rotate = record->setup.rules & ES_METRO_ROTATE;
    for (int i = 0; i < count; i++)
        for (int q = 0; q < (rotate ? es_tile_looks(tiles[i]) : 1); q++)
            explain(record, s, player, tiles[i], q, square);
}

static void show_unseen(const struct es_metro_state *s)
{
    puts("Tiles you have not seen, in the stock or in others' hands:");
    int printed = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        if (s->unseen[tile] > 0) {
            fputs(printed == 0 ? "  " : printed % 8 == 0 ? ",\n  " : ", ", stdout);
            printf("%d %s", s->unseen[tile], es_tile_name[tile]);
            printed++;
        }
    puts(printed ? "" : "  none");
}

static bool command(const struct es_record *record, const struct es_state *view, int player,
                    const char *words)
{
    const struct es_metro_state *s = es_metro_view(view);
    struct es_str rest = es_str(words), word, what = {"", 0};
    uint8_t square, tile;
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
    } else if (es_str_is(word, "why")) {
        if (es_square_read(what, &square))
            puts("Squares are a1 to h8: why d1 tells about d1.");
        else
            explain_all(record, s, player, square);
    } else if (es_str_is(word, "tiles") && what.size == 0) {
        show_unseen(s);
    } else if (what.size == 0 && es_tile_read(word, &tile) == ES_OK && tile < ES_TILE_KINDS) {
        show_board(&record->setup, s, squares_of(&record->setup, s, &tile, 1), -1, 0);
        show_tiles(&record->setup, &tile, 1);
    } else {
        return false;
    }
    return true;
}

/* As the notation has it; capitals are forgiven, and the tile may be left out where there is only
 * one: d8, or /1 d8. */
static enum es_status read_move(const struct es_record *record, const struct es_state *view,
                                int player, const char *words, es_event *event)
{
    const struct es_setup *setup = &record->setup;
    char text[256];
    struct es_out out = {text, sizeof text, 0};
    uint8_t tiles[ES_HAND_MAX], square;
    int count = tiles_of(es_metro_view(view), player, tiles);
    struct es_str rest = es_str(words), first = {"", 0};
    es_str_word(&rest, &first);
    es_out_int(&out, player);
    es_out_char(&out, ' ');
    if (count == 1 && (first.at[0] == '/' || es_square_read(first, &square) == ES_OK)) {
        es_out_text(&out, es_tile_name[tiles[0]]);
        es_out_text(&out, first.at[0] == '/' ? "" : " ");
    }
    for (; *words; words++)
        es_out_char(&out, (char)(*words >= 'A' && *words <= 'Z' ? *words - 'A' + 'a' : *words));
    return setup->game->parse(setup, (struct es_str){text, out.used}, event);
}

static void refuse(const struct es_record *record, const struct es_state *view, int player,
                   const char *words, enum es_status status)
{
    es_event event;
    if (read_move(record, view, player, words, &event) == ES_OK && ES_METRO_IS_LAY(event) &&
        (status == ES_LINE_TOO_SHORT || status == ES_SQUARE_ALONE || status == ES_SQUARE_TAKEN))
        explain(record, es_metro_view(view), player, ES_METRO_LAY_TILE(event),
                ES_METRO_LAY_QUARTERS(event), ES_METRO_LAY_SQUARE(event));
    else if (status == ES_EVENT_BAD || status == ES_WORD_EXTRA || status == ES_WORD_MISSING ||
             status == ES_TILE_BAD || status == ES_SQUARE_BAD)
        printf("%s: not understood. Name a square like d8, or draw, or help.\n", words);
    else
        printf("%s: %s.\n", words, es_status_text(status));
}

static void help(const struct es_record *record)
{
    const struct es_setup *setup = &record->setup;
    fputs(
        "A line begins at each station on the rim and follows the tracks of the tiles until it\n"
        "comes to a station again. It is then worth a point for every tile it crossed, each time\n"
        "it crossed it, to the owner of the station it began at; twice that if it ends at the\n"
        "central stations. When all 60 tiles are laid, the most points win.\n"
        "A tile goes onto the rim or next to another tile, but not so that a line leads from\n"
        "station to station over that one tile, unless it fits nowhere else.",
        stdout);
    puts(setup->rules & ES_METRO_ROTATE ? " Tiles may be\nturned." : " Tiles are not\nturned.");
    puts(
        "On a tile an arrow at each side tells where a train goes that comes in there. At a\n"
        "station: its number and owner; below, 3.. for a line that is 3 tiles long so far, =7 for\n"
        "one that is finished with 7 points. Squares with a name are free for your tile, those\n"
        "with a cross are forbidden to it.\n\n"
        "Write your move like this:");
    if (setup->rules & (ES_METRO_HAND2 | ES_METRO_HAND3))
        puts("  aacb d8    lay the tile aacb on d8");
    else
        puts("  d8         lay your tile on d8 (aacb d8 is the same, if your tile is aacb)");
    if (setup->rules & ES_METRO_ROTATE)
        puts("  aacb/1 d8  turned by a quarter clockwise; /2 and /3 by more");
    puts("  draw       draw a tile from the stock instead, and then lay that one\n"
         "Other words:\n"
         "  line 5     the line of station 5, on the board and in words\n"
         "  why d8     whether your tile may lie on d8, why not, and what it would finish\n"
         "  aacb       where the tile aacb could lie\n"
         "  tiles      the tiles that you have not seen yet\n"
         "  board      show everything again");
}

const struct play_face play_metro = {
    .game = &es_metro,
    .page = "board",
    .needed = "Lay a tile, or draw one: help tells how.",
    .made = "Your move is made: Enter confirms it, undo takes it back.",
    .show = show,
    .tell = tell,
    .finish = finish,
    .command = command,
    .read = read_move,
    .refuse = refuse,
    .help = help,
};
