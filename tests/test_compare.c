/* Tests of the facts that say why one move is better than another (es_table.compare): in many
 * positions of bots' games each fact is recomputed with the models, which share no rules with the
 * engine; and for each kind there is a drawn position in which it is told first. */
#include "check.h"
#include "fixture.h"
#include "metro_model.h"
#include "model.h"
#include "page/json.h"
#include "page/table.h"
#include "page/tree.h"
#include <endstation/bots.h>

/* ---- Facts ---------------------------------------------------------------------------------- */

static struct es__fact facts[64];
static char fact_text[2048];
static struct es__tree tree;

/* Returns the facts about two events, as an array. */
static const struct es__fact *compare(const struct es_setup *setup, const struct es_state *view,
                                      int player, es_event played, es_event better)
{
    struct es__writer *w = es__tree_begin(&tree, facts, 64, fact_text, sizeof fact_text);
    es__write_array(w, NULL);
    setup->game->table->compare(setup, view, player, played, better, w);
    es__write_end(w);
    assert_true(es__tree_ok(&tree));
    const struct es__fact *list = es__tree_root(&tree);
    assert_true(es__fact_count(list) <= 2);
    return list;
}

/* Every number of a fact that a test has looked at, so that none is forgotten. */
static size_t looked;

static void is_number(const struct es__fact *fact, const char *name, int expected)
{
    long told = es__fact_int(fact, name);
    if (told != expected)
        fail_msg("%s: %s is %ld, not %d", es__fact_text(fact, "what"), name, told, expected);
    looked++;
}

static void is_text(const struct es__fact *fact, const char *name, const char *expected)
{
    assert_string_equal(es__fact_text(fact, name), expected);
    looked++;
}

/* How often each kind was told. */
struct tally {
    const char *kind;
    int told;
};

static void count_kind(struct tally *tallies, const struct es__fact *fact)
{
    const char *kind = es__fact_text(fact, "what");
    struct tally *tally = tallies;
    while (tally->kind && strcmp(tally->kind, kind) != 0)
        tally++;
    if (!tally->kind)
        fail_msg("a fact of an unknown kind: %s", kind);
    tally->told++;
}

static void all_were_told(const struct tally *tally, int least)
{
    for (; tally->kind; tally++)
        if (tally->told < least)
            fail_msg("%s was told only %d times", tally->kind, tally->told);
}

/* ---- Playing -------------------------------------------------------------------------------- */

/* A game, the events of it, and those that a player sees. */
struct game {
    struct es_setup setup;
    struct es_state state;
    es_event events[ES_EVENTS_MAX], seen[ES_EVENTS_MAX];
    size_t count;
    struct es_random random;
};

static struct game game;
static struct es_map map;

static void begin(const struct es_game *rules, const char *city, int players, unsigned options)
{
    game.setup =
        (struct es_setup){.game = rules, .players = (uint8_t)players, .rules = (uint8_t)options};
    if (city) {
        check_builtin(&map, city);
        game.setup.map = &map;
    }
    assert_int_equal(es_setup_prepare(&game.setup), ES_OK);
    rules->start(&game.setup, &game.state);
    game.count = 0;
}

static void add(es_event event)
{
    assert_int_equal(game.setup.game->apply(&game.setup, &game.state, event), ES_OK);
    game.events[game.count++] = event;
}

/* Returns a random legal event; of players in most cases one that a bot likes. */
static es_event any_event(int who)
{
    static const char *const levels[] = {"random", "greedy", "greedy"};
    es_event legal[ES_LEGAL_MAX];
    size_t count = game.setup.game->legal(&game.setup, &game.state, who, legal);
    struct es_bot bot;
    static struct es_thought thought;
    struct es_state view;
    if (who == ES_CHANCE)
        return legal[es_random_below(&game.random, (uint32_t)count)];
    const char *level = levels[es_random_below(&game.random, 3)];
    assert_int_equal(es_bot_named(game.setup.game, es_str(level), &bot), ES_OK);
    es_view(&game.setup, &game.state, game.events, game.count, who, game.seen, &view);
    thought = (struct es_thought){.memory = check_memory(), .seed = es_random_next(&game.random)};
    return bot.think(&bot, &game.setup, &view, who, &thought);
}

/* Plays a game to its end, and calls `look` before each move of a player. */
static void play_game(void (*look)(int player))
{
    for (;;) {
        struct es_turn turn = game.setup.game->turn(&game.setup, &game.state);
        if (turn.kind == ES_TURN_OVER)
            return;
        int who = turn.kind == ES_TURN_CHANCE ? ES_CHANCE : __builtin_ctz(turn.players) + 1;
        if (who != ES_CHANCE)
            look(who);
        add(any_event(who));
    }
}

/* Compares some pairs of the player's events, and calls `check` for each fact. */
static void compare_some(int player, void (*prepare)(es_event played, es_event better),
                         void (*check)(const struct es__fact *fact, int player),
                         struct tally *tallies)
{
    es_event legal[ES_LEGAL_MAX];
    struct es_state view;
    es_view(&game.setup, &game.state, game.events, game.count, player, game.seen, &view);
    size_t count = game.setup.game->legal(&game.setup, &view, player, legal);
    for (int i = 0; i < 4; i++) {
        es_event played = legal[es_random_below(&game.random, (uint32_t)count)];
        es_event better =
            i == 0 ? any_event(player) : legal[es_random_below(&game.random, (uint32_t)count)];
        const struct es__fact *list = compare(&game.setup, &view, player, played, better);
        if (played == better)
            assert_int_equal(es__fact_count(list), 0);
        prepare(played, better);
        for (const struct es__fact *f = es__fact_first(list); f; f = es__fact_next(list, f)) {
            looked = 1; /* "what" */
            check(f, player);
            assert_int_equal(looked, es__fact_count(f));
            count_kind(tallies, f);
        }
    }
}

/* ---- verplant ------------------------------------------------------------------------------- */

/* The position, and what comes of each event: at once, and when the round is over (everybody makes
 * entries without marks). */
struct outcome {
    struct model at_once, later;
    int entries; /* that the player then had to make */
};
static struct model position;
static struct outcome with_better, with_played;

static struct outcome outcome_of(es_event event)
{
    static struct outcome o;
    struct es_state state = game.state;
    const int player = ES_EVENT_WHO(event);
    o = (struct outcome){.at_once = position};
    model_apply(&o.at_once, check_event(&game.setup, event));
    assert_int_equal(game.setup.game->apply(&game.setup, &state, event), ES_OK);
    o.later = o.at_once;
    for (;;) {
        es_event legal[ES_LEGAL_MAX];
        struct es_turn turn = game.setup.game->turn(&game.setup, &state);
        if (turn.kind != ES_TURN_PLAYERS)
            return o;
        int who = __builtin_ctz(turn.players) + 1;
        assert_true(game.setup.game->legal(&game.setup, &state, who, legal) > 0);
        o.entries += who == player;
        model_apply(&o.later, check_event(&game.setup, legal[0]));
        assert_int_equal(game.setup.game->apply(&game.setup, &state, legal[0]), ES_OK);
    }
}

static void prepare_sheets(es_event played, es_event better)
{
    with_better = outcome_of(better);
    with_played = outcome_of(played);
}

static int letter(const struct es__fact *fact)
{
    looked++;
    return es_map_line_named(&map, es__fact_text(fact, "line")[0]);
}

static int line_left(const struct model *m, int player, int l)
{
    int left = 0;
    for (int i = 0; i < map.line[l].stops; i++)
        left += m->sheet[player - 1].mark[map.line[l].stop[i]] == 0;
    return left;
}

static int line_free(const struct model *m, int player, int l)
{
    return map.line[l].windows - m->sheet[player - 1].filled[l];
}

/* Returns what completing the line in this round is worth: the lower value only if somebody got
 * points for it. */
static int line_value(int l)
{
    for (int p = 0; p < position.players; p++)
        if (position.sheet[p].done[l] >= 0)
            return map.line[l].later;
    return map.line[l].first;
}

static bool stops_at(int l, int station)
{
    for (int i = 0; i < map.line[l].stops; i++)
        if (map.line[l].stop[i] == station)
            return true;
    return false;
}

static int lines_at(int station)
{
    int count = 0;
    for (int l = 0; l < map.lines; l++)
        count += stops_at(l, station);
    return count;
}

static int station_named(const struct es__fact *fact)
{
    int s = 0;
    while (s < map.stations && strcmp(map.station[s].id, es__fact_text(fact, "station")) != 0)
        s++;
    assert_true(s < map.stations);
    looked++;
    is_text(fact, "name", map.station[s].name[0] ? map.station[s].name : map.station[s].id);
    return s;
}

static int count_marks(const struct model *m, int player)
{
    int count = 0;
    for (int s = 0; s < map.stations; s++)
        count += !position.sheet[player - 1].mark[s] && m->sheet[player - 1].mark[s];
    return count;
}

/* Returns the framed number that an event wrote, or 0, and where. */
static int framed(const struct model *m, int player, int *station)
{
    for (int s = 0; s < map.stations; s++) {
        char mark = m->sheet[player - 1].mark[s];
        if (!position.sheet[player - 1].mark[s] && mark && mark != 'x') {
            *station = s;
            return mark;
        }
    }
    return 0;
}

/* Returns the points for lines that an event completes, and adds their letters to a text. */
static int completed(const struct outcome *o, int player, char letters[32])
{
    int points = 0, count = 0;
    for (int l = 0; l < map.lines; l++)
        if (line_left(&position, player, l) > 0 && line_left(&o->at_once, player, l) == 0) {
            letters[count++] = map.line[l].letter;
            assert_true(o->later.sheet[player - 1].done[l] >= 0);
            points += o->later.sheet[player - 1].done[l];
        }
    letters[count] = '\0';
    return points;
}

static void are_letters(const struct es__fact *fact, const char *name, const char *letters)
{
    const struct es__fact *list = es__fact_get(fact, name), *f = es__fact_first(list);
    for (; *letters; letters++, f = es__fact_next(list, f)) {
        assert_non_null(f);
        assert_int_equal(es__fact_text(f, NULL)[0], *letters);
    }
    assert_null(f);
    looked++;
}

/* Empty stations that are on no line with a free window. */
static int count_lost(const struct model *m, int player)
{
    int count = 0;
    for (int s = 0; s < map.stations; s++) {
        bool reached = m->sheet[player - 1].mark[s] != 0;
        for (int l = 0; l < map.lines; l++)
            reached |= stops_at(l, s) && line_free(m, player, l) > 0;
        count += !reached;
    }
    return count;
}

/* Returns the station that is `i`-th on a line, from its wagon; round a ring either way. */
static int stop_at(int l, int i, bool back)
{
    const struct es_map_line *line = &map.line[l];
    return line->stop[back && i > 0 ? line->stops - i : i];
}

/* Returns how many empty stations in a row come first, at most six; whichever way is better. */
static int run_of(const struct model *m, int player, int l)
{
    const char *mark = m->sheet[player - 1].mark;
    int best = 0;
    for (int back = 0; back <= map.line[l].ring; back++) {
        int i = 0, run = 0;
        while (i < map.line[l].stops && mark[stop_at(l, i, back)])
            i++;
        for (; i < map.line[l].stops && !mark[stop_at(l, i, back)] && run < 6; i++)
            run++;
        best = run > best ? run : best;
    }
    return best;
}

/* Returns the most lines at a station that a transfer could mark. */
static int best_transfer(const struct model *m, int player, int at)
{
    const char *mark = m->sheet[player - 1].mark;
    int best = 0;
    bool there = false;
    for (int l = 0; l < map.lines; l++)
        for (int back = 0; back <= map.line[l].ring && line_free(m, player, l) > 0; back++) {
            int i = 0;
            while (i < map.line[l].stops && mark[stop_at(l, i, back)])
                i++;
            if (i == map.line[l].stops)
                continue;
            int station = stop_at(l, i, back);
            there |= station == at;
            if (lines_at(station) > best)
                best = lines_at(station);
        }
    assert_true(at < 0 || (there && lines_at(at) == best));
    return best;
}

static int lines_marked(const struct model *m, int player)
{
    int count = 0;
    for (int l = 0; l < map.lines; l++)
        count += line_left(m, player, l) < line_left(&position, player, l);
    return count;
}

/* The most stations that a card of the standard deck marks on a line. */
enum { MOST = 6 };

static bool is_beyond(const struct model *m, int player, int l)
{
    return line_left(m, player, l) > MOST * line_free(m, player, l);
}

static void check_sheet_fact(const struct es__fact *f, int player)
{
    const struct model *better = &with_better.at_once, *played = &with_played.at_once;
    if (es__fact_is(f, "what", "complete")) {
        char letters[2][32];
        int gain = completed(&with_better, player, letters[0]);
        int other = completed(&with_played, player, letters[1]);
        are_letters(f, "lines", letters[0]);
        are_letters(f, "playedLines", letters[1]);
        is_number(f, "points", gain);
        is_number(f, "playedPoints", other);
        assert_true(gain > other);
    } else if (es__fact_is(f, "what", "transfer")) {
        int at = -1, none, number = framed(better, player, &at);
        int other = framed(played, player, &none);
        assert_int_equal(station_named(f), at);
        is_number(f, "number", number);
        is_number(f, "points", 2 * number);
        is_number(f, "playedPoints", 2 * other);
        assert_true(number > other);
    } else if (es__fact_is(f, "what", "extra")) {
        is_number(f, "entries", with_better.entries);
        is_number(f, "playedEntries", with_played.entries);
        assert_true(with_better.entries > with_played.entries);
    } else if (es__fact_is(f, "what", "marks")) {
        is_number(f, "marks", count_marks(better, player));
        is_number(f, "playedMarks", count_marks(played, player));
        is_number(f, "card", es_card_marks(es_verplant_state(&game.state)->card));
        assert_true(count_marks(better, player) > count_marks(played, player));
    } else if (es__fact_is(f, "what", "beyond")) {
        int l = letter(f);
        is_number(f, "points", line_value(l));
        is_number(f, "left", line_left(played, player, l));
        is_number(f, "windows", line_free(played, player, l));
        is_number(f, "most", MOST);
        assert_true(is_beyond(played, player, l) && !is_beyond(better, player, l));
        assert_false(is_beyond(&position, player, l)); /* so the entry played uses a window */
        assert_true(line_free(played, player, l) < line_free(&position, player, l));
    } else if (es__fact_is(f, "what", "lost")) {
        is_number(f, "stations", count_lost(better, player));
        is_number(f, "playedStations", count_lost(played, player));
        assert_true(count_lost(better, player) < count_lost(played, player));
    } else if (es__fact_is(f, "what", "run")) {
        int l = letter(f);
        is_number(f, "marks", run_of(better, player, l));
        is_number(f, "playedMarks", run_of(played, player, l));
        assert_true(run_of(better, player, l) > run_of(played, player, l));
        assert_true(line_free(better, player, l) > 0 && line_free(played, player, l) > 0);
        /* A mark cuts them off: more are empty than can be marked. */
        assert_true(line_left(played, player, l) > run_of(played, player, l));
    } else if (es__fact_is(f, "what", "next_transfer")) {
        int number = best_transfer(better, player, station_named(f));
        is_number(f, "number", number);
        is_number(f, "points", 2 * number);
        is_number(f, "playedPoints", 2 * best_transfer(played, player, -1));
        is_number(f, "left", model_copies(&with_better.later, "+"));
        assert_true(number > best_transfer(played, player, -1));
        assert_true(es__fact_int(f, "left") > 0);
    } else if (es__fact_is(f, "what", "window")) {
        int l = letter(f);
        is_number(f, "points", line_value(l));
        is_number(f, "left", line_left(played, player, l));
        is_number(f, "windows", line_free(better, player, l));
        is_number(f, "playedWindows", line_free(played, player, l));
        assert_true(line_free(better, player, l) > line_free(played, player, l));
        assert_true(line_left(played, player, l) > 0 && !is_beyond(played, player, l));
    } else if (es__fact_is(f, "what", "nearer")) {
        int l = letter(f);
        is_number(f, "points", line_value(l));
        is_number(f, "left", line_left(better, player, l));
        is_number(f, "playedLeft", line_left(played, player, l));
        is_number(f, "windows", line_free(better, player, l));
        assert_true(line_left(better, player, l) < line_left(played, player, l));
        assert_true(line_left(better, player, l) > 0 && !is_beyond(better, player, l));
    } else {
        is_text(f, "what", "lines");
        looked--; /* "what" is counted already */
        is_number(f, "count", lines_marked(better, player));
        is_number(f, "playedCount", lines_marked(played, player));
        assert_true(lines_marked(better, player) > lines_marked(played, player));
    }
}

static struct tally sheet_kinds[] = {
    {"complete", 0}, {"transfer", 0},      {"extra", 0},  {"marks", 0},  {"beyond", 0}, {"lost", 0},
    {"run", 0},      {"next_transfer", 0}, {"window", 0}, {"nearer", 0}, {"lines", 0},  {NULL, 0}};

static void look_at_sheet(int player)
{
    es_event seen[ES_EVENTS_MAX];
    struct es_state view;
    es_view(&game.setup, &game.state, game.events, game.count, player, seen, &view);
    model_start(&position, &game.setup);
    for (size_t i = 0; i < game.count; i++)
        model_apply(&position, check_event(&game.setup, game.events[i]));
    compare_some(player, prepare_sheets, check_sheet_fact, sheet_kinds);
}

static void facts_of_sheets_are_true(void **unused)
{
    (void)unused;
    static const char *const cities[] = {"amsterdam", "berlin", "paris", "madrid"};
    es_random_seed(&game.random, 18);
    for (int i = 0; i < 24; i++) {
        begin(&es_verplant, cities[i % 4], 1 + i / 4 % 3, ES_VERPLANT_SPECIAL);
        play_game(look_at_sheet);
    }
    all_were_told(sheet_kinds, 10);
}

/* ---- metro ---------------------------------------------------------------------------------- */

static struct metro_model board, better_board, played_board;

static void prepare_boards(es_event played, es_event better)
{
    better_board = played_board = board;
    metro_model_apply(&better_board, check_event(&game.setup, better));
    metro_model_apply(&played_board, check_event(&game.setup, played));
}

/* Returns the points of a line, 0 while it is open. */
static int points_of(const struct metro_model *m, int station)
{
    int tiles, end = metro_model_trace(m, station, &tiles);
    return tiles * end;
}

static int tiles_of(const struct metro_model *m, int station)
{
    int tiles;
    metro_model_trace(m, station, &tiles);
    return tiles;
}

/* What the unseen tiles could do on the next square of a line. */
struct future {
    int edge, edge_points, centre, centre_points, most, unseen;
};

/* Finds the square that a line leads to next: where a tile makes it longer. */
static void next_square(const struct metro_model *m, int station, char name[3])
{
    for (int row = 0; row < 8; row++)
        for (int column = 0; column < 8; column++) {
            struct metro_model with = *m;
            bool centre = row >= 3 && row <= 4 && column >= 3 && column <= 4;
            if (m->board[row][column][0] || centre)
                continue;
            strcpy(with.board[row][column], "aaaa");
            if (tiles_of(&with, station) > tiles_of(m, station)) {
                name[0] = (char)('a' + column);
                name[1] = (char)('1' + row);
                name[2] = '\0';
                return;
            }
        }
    name[0] = '\0';
}

static struct future future_of(const struct metro_model *m, int station)
{
    struct future future = {0};
    char square[3];
    const int now = tiles_of(m, station);
    next_square(m, station, square);
    for (int tile = 0; tile < ES_TILE_KINDS; tile++) {
        const int copies = metro_model_copies(&board, es_tile_name[tile]);
        bool edge = false, centre = false;
        char look[5];
        future.unseen += copies;
        strcpy(look, es_tile_name[tile]);
        for (int quarter = 0; square[0] && copies && quarter < (m->rotate ? 4 : 1); quarter++) {
            struct metro_model with = *m;
            int tiles;
            strcpy(with.board[square[1] - '1'][square[0] - 'a'], look);
            int end = metro_model_trace(&with, station, &tiles);
            const char last = look[3];
            memmove(look + 1, look, 3);
            look[0] = last;
            if (end == 1 && tiles == 1)
                continue; /* rule 3 */
            future.most = tiles > future.most ? tiles : future.most;
            if (end == 1 && tiles <= now + 2) {
                edge = true;
                future.edge_points = tiles > future.edge_points ? tiles : future.edge_points;
            }
            if (end == 2) {
                centre = true;
                future.centre_points =
                    2 * tiles > future.centre_points ? 2 * tiles : future.centre_points;
            }
        }
        future.edge += edge ? copies : 0;
        future.centre += centre ? copies : 0;
    }
    return future;
}

static const char *end_word(const struct metro_model *m, int station)
{
    int tiles, end = metro_model_trace(m, station, &tiles);
    return end == 0 ? "" : end == 1 ? "edge" : "centre";
}

/* Checks the end of a line that one of the moves finishes. */
static void check_end(const struct es__fact *f, const struct metro_model *m, int station)
{
    is_number(f, "tiles", tiles_of(m, station));
    is_text(f, "end", end_word(m, station));
    is_number(f, "points", points_of(m, station));
    assert_true(points_of(m, station) > 0 && points_of(&board, station) == 0);
}

static void check_future(const struct es__fact *f, const struct metro_model *m,
                         const struct metro_model *other, int station, bool edge, const char *less)
{
    const struct future a = future_of(m, station), b = future_of(other, station);
    char square[3];
    next_square(m, station, square);
    is_text(f, "to", square);
    const int points = edge ? a.edge_points : a.centre_points; /* at most so many after both */
    const int others = edge ? b.edge_points : b.centre_points;
    is_number(f, "points", others > points ? others : points);
    is_number(f, "ways", edge ? a.edge : a.centre);
    is_number(f, less, edge ? b.edge : b.centre);
    is_number(f, "unseen", a.unseen);
    assert_true(edge ? a.edge > b.edge : a.centre > b.centre);
}

static void check_board_fact(const struct es__fact *f, int player)
{
    static const char *const own[] = {"finish", "cut", "longer", "exposed", "aim", "ahead"};
    const char *what = es__fact_text(f, "what");
    if (strcmp(what, "keep") == 0 || strcmp(what, "blind") == 0) {
        const struct metro_model *lay = what[0] == 'k' ? &played_board : &better_board;
        const struct metro_model *draw = what[0] == 'k' ? &better_board : &played_board;
        assert_true(draw->drawing && !lay->drawing);
        bool laid = false; /* the tile, as it was called in the hand */
        for (int i = 0; i < 64; i++)
            laid |= !board.board[i / 8][i % 8][0] && lay->board[i / 8][i % 8][0] &&
                    strcmp(lay->name[i / 8][i % 8], es__fact_text(f, "tile")) == 0;
        assert_true(laid);
        looked++;
        return;
    }
    const int station = (int)es__fact_int(f, "station");
    looked++;
    bool is_own = false;
    for (int i = 0; i < 6; i++)
        is_own |= strcmp(what, own[i]) == 0;
    const int owner = es_station_owner(game.setup.players, station);
    is_number(f, "owner", owner);
    assert_true(owner != 0 && is_own == (owner == player));
    const struct metro_model *better = &better_board, *played = &played_board;
    if (strcmp(what, "finish") == 0 || strcmp(what, "give") == 0) {
        check_end(f, is_own ? better : played, station);
        is_number(f, is_own ? "playedPoints" : "betterPoints",
                  points_of(is_own ? played : better, station));
        assert_true(points_of(is_own ? better : played, station) >
                    points_of(is_own ? played : better, station));
        return;
    }
    if (strcmp(what, "cut") == 0 || strcmp(what, "stop") == 0) {
        check_end(f, is_own ? played : better, station);
        assert_int_equal(points_of(is_own ? better : played, station), 0);
        return;
    }
    assert_true(points_of(better, station) == 0 && points_of(played, station) == 0);
    if (strcmp(what, "exposed") == 0 || strcmp(what, "threat") == 0) {
        is_number(f, "tiles", tiles_of(is_own ? played : better, station));
        check_future(f, is_own ? played : better, is_own ? better : played, station, true,
                     is_own ? "betterWays" : "playedWays");
        return;
    }
    const struct metro_model *more = is_own ? better : played, *less = is_own ? played : better;
    is_number(f, "tiles", tiles_of(more, station));
    if (strcmp(what, "longer") == 0 || strcmp(what, "lengthen") == 0) {
        is_number(f, is_own ? "playedTiles" : "betterTiles", tiles_of(less, station));
        assert_true(tiles_of(more, station) > tiles_of(less, station));
    } else if (strcmp(what, "aim") == 0 || strcmp(what, "aim_other") == 0) {
        check_future(f, more, less, station, false, is_own ? "playedWays" : "betterWays");
    } else {
        char square[3];
        assert_int_equal(strncmp(what, "ahead", 5), 0);
        next_square(more, station, square);
        is_text(f, "to", square);
        is_number(f, "most", future_of(more, station).most);
        is_number(f, is_own ? "playedMost" : "betterMost", future_of(less, station).most);
        assert_true(future_of(more, station).most >= future_of(less, station).most + 2);
    }
}

static struct tally board_kinds[] = {
    {"finish", 0},   {"give", 0},        {"cut", 0},    {"stop", 0},  {"longer", 0},
    {"lengthen", 0}, {"exposed", 0},     {"threat", 0}, {"aim", 0},   {"aim_other", 0},
    {"ahead", 0},    {"ahead_other", 0}, {"keep", 0},   {"blind", 0}, {NULL, 0}};

static void look_at_board(int player)
{
    es_event seen[ES_EVENTS_MAX];
    struct es_state view;
    es_view(&game.setup, &game.state, game.events, game.count, player, seen, &view);
    size_t count =
        game.setup.game->observe(&game.setup, &game.state, game.events, game.count, player, seen);
    metro_model_start(&board, &game.setup);
    for (size_t i = 0; i < count; i++)
        metro_model_apply(&board, check_event(&game.setup, seen[i]));
    compare_some(player, prepare_boards, check_board_fact, board_kinds);
}

static void facts_of_boards_are_true(void **unused)
{
    (void)unused;
    static const unsigned rules[] = {0, ES_METRO_ROTATE, ES_METRO_HAND2};
    es_random_seed(&game.random, 5);
    for (int i = 0; i < 9; i++) {
        begin(&es_metro, NULL, 2 + i / 3, rules[i % 3]);
        play_game(look_at_board);
    }
    all_were_told(board_kinds, 5);
}

/* ---- Drawn positions ------------------------------------------------------------------------ */

static struct fixture t;

static es_event event_of(const char *text)
{
    es_event event;
    assert_int_equal(t.setup.game->parse(&t.setup, es_str(text), &event), ES_OK);
    return event;
}

/* Checks that this is the first fact about two events. */
static void told_first(const char *better, const char *played, const char *expected)
{
    char text[1024];
    struct es_out out = {text, sizeof text - 1, 0};
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, &out);
    const int player = ES_EVENT_WHO(event_of(better));
    es__write_array(w, NULL);
    t.setup.game->table->compare(&t.setup, &t.state, player, event_of(played), event_of(better), w);
    es__write_end(w);
    text[out.used] = '\0';
    const char *end = strstr(text, "},");
    text[end ? end + 1 - text : (long)out.used - 1] = '\0';
    assert_string_equal(text, expected[0] ? expected : "[");
}

static void a_line_is_completed(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 2\n", "A 3 5/3 : a. b.\nB 3 2/1 : c. d. e.\nC 2 1/1 : a. e. f.");
    play_all(&t, "card 2");
    told_first("1 A2", "1 B2",
               "[{\"what\":\"complete\",\"lines\":[\"A\"],\"playedLines\":[],\"points\":5,"
               "\"playedPoints\":0}");
    told_first("1 B2", "1 A2", "");    /* nothing speaks for it */
    play_all(&t, "1 B0;2 A2;card x2"); /* the other player completes it before */
    told_first("1 A2", "1 B2",
               "[{\"what\":\"complete\",\"lines\":[\"A\"],\"playedLines\":[],\"points\":3,"
               "\"playedPoints\":0}");
    play_all(&t, "1 B2;2 B0;card 3");
    told_first("1 A2", "1 B1",
               "[{\"what\":\"complete\",\"lines\":[\"A\"],\"playedLines\":[\"B\"],\"points\":3,"
               "\"playedPoints\":2}");
}

static void a_transfer_is_worth_more(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\n", "A 2 5/3 : a. b.\nB 2 2/1 : c. d.\nC 2 1/1 : d. a.");
    play(&t, "card +");
    told_first("1 A1", "1 B1",
               "[{\"what\":\"transfer\",\"station\":\"a\",\"name\":\"a\",\"number\":2,"
               "\"points\":4,\"playedPoints\":2}");
    told_first("1 B1", "1 A0",
               "[{\"what\":\"transfer\",\"station\":\"c\",\"name\":\"c\",\"number\":1,"
               "\"points\":2,\"playedPoints\":0}");
}

static void a_special_station_gives_an_entry(void **unused)
{
    (void)unused;
    static const char sheet[] = "A 2 5/3 : a* b. c.\nB 2 5/3 : d. e. f.";
    start_sheet(&t, "players 1\nrules special\n", sheet);
    play(&t, "card 2");
    told_first("1 A2", "1 B2", "[{\"what\":\"extra\",\"entries\":1,\"playedEntries\":0}");
    start_sheet(&t, "players 1\n", sheet); /* without the rule it is a station like others */
    play(&t, "card 2");
    told_first("1 A2", "1 B2",
               "[{\"what\":\"window\",\"line\":\"B\",\"points\":5,\"left\":1,\"windows\":2,"
               "\"playedWindows\":1}");
    /* Two are owed, but only one window is left for them. */
    start_sheet(&t, "players 1\nrules special\n", "A 2 5/3 : a* b* c.\nB 1 5/3 : d. e. f. g*");
    play_all(&t, "card 1;1 B0;card 2");
    told_first("1 A2", "1 A0", "[{\"what\":\"extra\",\"entries\":1,\"playedEntries\":0}");
}

static void more_stations_are_marked(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\n", "A 8 1/1 : a. b. c. d. e.\nB 8 1/1 : f. g. hx i. j.");
    play(&t, "card 4");
    told_first("1 A4", "1 B2", "[{\"what\":\"marks\",\"marks\":4,\"playedMarks\":2,\"card\":4}");
}

static void a_line_can_no_longer_be_completed(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\ndeck 1 4 6 o\n",
                "A 1 7/5 : a. b. c.\nB 3 1/1 : d. e. f.\nC 2 6/3 : g. h. i. j. k. l. m. n.");
    play(&t, "card 1");
    told_first("1 B1", "1 A1",
               "[{\"what\":\"beyond\",\"line\":\"A\",\"points\":7,\"left\":2,\"windows\":0,"
               "\"most\":6}");
    told_first("1 B1", "1 C1", /* seven stations, and no card marks more than six */
               "[{\"what\":\"beyond\",\"line\":\"C\",\"points\":6,\"left\":7,\"windows\":1,"
               "\"most\":6}");
}

static void stations_can_no_longer_be_reached(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\n", "A 1 1/1 : a. b. c. d.\nB 3 1/1 : d. e. f.");
    play(&t, "card 1");
    told_first("1 B1", "1 A1", "[{\"what\":\"lost\",\"stations\":0,\"playedStations\":2}");
}

static void a_mark_cuts_a_line(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\ndeck 1 6 o\n",
                "A 3 1/1 : a. b. c. d. e.\nB 3 1/1 : c. f. g.\nC 3 1/1 : h. i. j.");
    play(&t, "card 1");
    told_first("1 C1", "1 B1", "[{\"what\":\"run\",\"line\":\"A\",\"marks\":5,\"playedMarks\":2}");
    start_sheet(&t, "players 1\ndeck 1 6 o\n", /* round a ring, the better way */
                "A 3 1/1 ring : ax b. c. d. e. f. g.\nB 3 1/1 : d. h. i.\nC 3 1/1 : j. k. l.");
    play(&t, "card 1");
    told_first("1 C1", "1 B1", "[{\"what\":\"run\",\"line\":\"A\",\"marks\":6,\"playedMarks\":3}");
}

static void a_transfer_would_be_worth_more_next(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\ndeck 1 6 + + o\n",
                "A 3 1/1 : j. a.\nB 3 1/1 : b. j.\nC 3 1/1 : c. j.\nD 3 1/1 : d. e. f.");
    play(&t, "card 1");
    told_first("1 D1", "1 A1",
               "[{\"what\":\"next_transfer\",\"station\":\"j\",\"name\":\"j\",\"number\":3,"
               "\"points\":6,\"playedPoints\":2,\"left\":2}");
    play_all(&t, "1 D0;card 6"); /* goes back into the pile with the others */
    told_first("1 D1", "1 A1",
               "[{\"what\":\"next_transfer\",\"station\":\"j\",\"name\":\"j\",\"number\":3,"
               "\"points\":6,\"playedPoints\":2,\"left\":2}");
}

static void a_window_is_kept(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\n", "A 2 6/3 : a. b. c. d. e. f.\nB 2 1/1 : g. h.");
    play(&t, "card 1");
    told_first("1 B0", "1 A0",
               "[{\"what\":\"window\",\"line\":\"A\",\"points\":6,\"left\":6,\"windows\":2,"
               "\"playedWindows\":1}");
}

static void a_line_comes_nearer(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\n", "A 2 6/3 : ax b. c.\nB 2 1/1 : d. e. f. g. h.");
    play(&t, "card o");
    told_first("1 @c", "1 @h",
               "[{\"what\":\"nearer\",\"line\":\"A\",\"points\":6,\"left\":1,\"playedLeft\":2,"
               "\"windows\":2}");
}

static void marks_are_on_more_lines(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\ndeck 1 6 o\n",
                "A 2 1/1 : a. b. c. d.\nB 2 1/1 : e. f. g. d.\nC 2 2/1 : h. i. j. k.");
    play(&t, "card o");
    told_first("1 @d", "1 @k", "[{\"what\":\"lines\",\"count\":2,\"playedCount\":1}");
}

/* A sheet's or board's facts are about legal events only. */
static void illegal_events_have_no_facts(void **unused)
{
    (void)unused;
    start_sheet(&t, "players 1\n", "A 2 6/3 : a. b. c.\nB 2 1/1 : d. e.");
    play(&t, "card 2");
    told_first("1 A3", "1 B0", "");
    told_first("1 A2", "1 B9", "");
    start_board(&t, "players 2\n", "aaaa", "");
    told_first("1 dddd a1", "1 aaaa a1", "");
    told_first("1 aaaa a1", "1 aaaa c3", "");
}

static const char nothing[] = "";
static const struct board_case {
    const char *drawing, *better, *played, *fact;
} board_cases[] = {
    {".... .... .... .... .... .... .... ....\n"
     ".... .... .... .... .... dddd .... ....\n"
     ".... .... .... .... .... acba badb dacc\n"
     ".... .... .... .... .... .... .... ....\n"
     ".... .... .... .... .... .... .... ....\n"
     ".... .... .... .... .... .... .... ....\n"
     ".... .... .... .... .... .... .... cbaa\n"
     ".... .... .... .... cccc .... cbcb ....",
     "2 cdac f4", "2 cdac a4",
     "\"finish\",\"station\":30,\"owner\":2,\"tiles\":6,\"end\":\"centre\",\"points\":12,"
     "\"playedPoints\":0"},
    {"....\ndada\n....\ncbcb", "1 aaaa b2", "1 aaaa a3",
     "\"give\",\"station\":12,\"owner\":2,\"tiles\":5,\"end\":\"edge\",\"points\":5,"
     "\"betterPoints\":0"},
    {nothing, "1 dddd c8", "1 dddd e8",
     "\"cut\",\"station\":21,\"owner\":1,\"tiles\":1,\"end\":\"edge\",\"points\":1"},
    {nothing, "1 dddd g1", "1 draw",
     "\"stop\",\"station\":2,\"owner\":2,\"tiles\":1,\"end\":\"edge\",\"points\":1"},
    {nothing, "1 accd d1", "1 accd d8",
     "\"longer\",\"station\":5,\"owner\":1,\"tiles\":1,\"playedTiles\":0"},
    {nothing, "1 draw", "1 accd g1",
     "\"lengthen\",\"station\":2,\"owner\":2,\"tiles\":1,\"betterTiles\":0"},
    {nothing, "1 draw", "1 cddb e1",
     "\"exposed\",\"station\":5,\"owner\":1,\"tiles\":0,\"to\":\"d1\",\"points\":2,\"ways\":15,"
     "\"betterWays\":0,\"unseen\":59"},
    {nothing, "1 cddb a2", "1 draw",
     "\"threat\",\"station\":10,\"owner\":2,\"tiles\":1,\"to\":\"a1\",\"points\":3,\"ways\":44,"
     "\"playedWays\":0,\"unseen\":59"},
    {"....\n....\n....\nbcbc dbba", "1 cbaa c4", "1 cbaa h3",
     "\"aim\",\"station\":11,\"owner\":1,\"tiles\":0,\"to\":\"a3\",\"points\":8,\"ways\":14,"
     "\"playedWays\":0,\"unseen\":57"},
    {".... .... .... adad cdac", "1 aacb a3", "1 aacb e2",
     "\"aim_other\",\"station\":4,\"owner\":2,\"tiles\":4,\"to\":\"e3\",\"points\":10,\"ways\":16,"
     "\"betterWays\":0,\"unseen\":57"},
    {nothing, "1 accd e1", "1 accd c8",
     "\"ahead\",\"station\":5,\"owner\":1,\"tiles\":0,\"to\":\"d1\",\"most\":3,\"playedMost\":1"},
    {nothing, "1 accd h3", "1 accd b1",
     "\"ahead_other\",\"station\":8,\"owner\":2,\"tiles\":0,\"to\":\"a1\",\"most\":3,"
     "\"betterMost\":1"},
    {nothing, "1 draw", "1 badb a4", "\"keep\",\"tile\":\"badb\""},
    {nothing, "1 badb c1", "1 draw", "\"blind\",\"tile\":\"badb\""},
};

static void each_fact_of_a_board_is_told(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof board_cases / sizeof board_cases[0]; i++) {
        const struct board_case *c = &board_cases[i];
        const char *lay = c->better[2] == 'd' && c->better[3] == 'r' ? c->played : c->better;
        char hand[5] = {0}, fact[256];
        memcpy(hand, lay + 2, 4);
        start_board(&t, "players 2\n", hand, c->drawing);
        snprintf(fact, sizeof fact, "[{\"what\":%s}", c->fact);
        told_first(c->better, c->played, fact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_completed),
        cmocka_unit_test(a_transfer_is_worth_more),
        cmocka_unit_test(a_special_station_gives_an_entry),
        cmocka_unit_test(more_stations_are_marked),
        cmocka_unit_test(a_line_can_no_longer_be_completed),
        cmocka_unit_test(stations_can_no_longer_be_reached),
        cmocka_unit_test(a_mark_cuts_a_line),
        cmocka_unit_test(a_transfer_would_be_worth_more_next),
        cmocka_unit_test(a_window_is_kept),
        cmocka_unit_test(a_line_comes_nearer),
        cmocka_unit_test(marks_are_on_more_lines),
        cmocka_unit_test(illegal_events_have_no_facts),
        cmocka_unit_test(each_fact_of_a_board_is_told),
        cmocka_unit_test(facts_of_sheets_are_true),
        cmocka_unit_test(facts_of_boards_are_true),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
