/* Random games of every game, player count and option. They check that lists are sorted and unique,
 * events are accepted exactly if they are listed, texts and records round-trip, invariants hold,
 * scores stay within bounds, views leak nothing and only grow, and the reference implementation,
 * where a game has one, agrees. Cheap checks are made after every event, the others from time to
 * time (see play()). */
#include "plain.h"
#include "random_map.h"

/* GAMES: of verplant and of metro each; at least 16 for every sheet and number of players. EACH:
 * for every set of rules and number of players of every other game. */
enum { GAMES = 4000, MAPS = 40, EACH = 60 };

struct run {
    struct es_random random;
    struct es_record record;
    struct es_state state;
    struct es_state round_start; /* when chance was last due, or the last round began */
    size_t round_from;           /* number of events before that */
    bool is_together;            /* several players have acted at once since then */
    struct plain plain;
    es_event events[ES_EVENTS_MAX];
};

static struct run run;
static char text[1 << 22], text2[1 << 22];

static size_t legal(int who, es_event *events)
{
    return run.record.setup.game->legal(&run.record.setup, &run.state, who, events);
}

/* ---- Against the reference implementations ------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Compares the list with the reference implementation's, text by text. */
static void check_metro_list(const struct metro_model *m, const struct es_setup *setup, int who,
                             const es_event *events, size_t count)
{
    static char plain[800][16], texts[800][16];
    assert_true(count <= 800);
    for (size_t i = 0; i < count; i++)
        strcpy(texts[i], check_event(setup, events[i]));
    qsort(texts, count, sizeof texts[0], by_text);
    assert_int_equal(metro_model_list(m, who, plain), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(texts[i], plain[i]);
}

static void check_reports(const struct es_setup *setup, const struct es_state *state)
{
    struct es_out a = {text, ES_REPORT_BYTES, 0}, b = {text2, ES_REPORT_BYTES, 0};
    setup->game->report(setup, state, &a);
    assert_true(es_out_ok(&a));
    if (!plain_report(&run.plain, &b))
        return;
    text[a.used] = text2[b.used] = '\0';
    assert_string_equal(text, text2);
}

/* ---- Lists and refusals -------------------------------------------------------------------- */

static void check_list(int who, const es_event *events, size_t count)
{
    const struct es_setup *setup = &run.record.setup;
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(ES_EVENT_WHO(events[i]), who);
        assert_true(i == 0 || events[i - 1] < events[i]);
        unsigned ways = who ? 1 : setup->game->weight(setup, &run.state, events[i]);
        assert_true(ways > 0);
        if (who == ES_CHANCE && plain_knows(setup->game))
            assert_int_equal(ways, plain_ways(&run.plain, events[i]));
    }
}

/* A listed event is accepted, and its text reads back as the same event. */
static void check_listed_event(es_event event)
{
    const struct es_setup *setup = &run.record.setup;
    struct es_state copy = run.state;
    es_event again;
    assert_int_equal(setup->game->parse(setup, es_str(check_event(setup, event)), &again), ES_OK);
    assert_int_equal(again, event);
    assert_int_equal(setup->game->apply(setup, &copy, event), ES_OK);
    assert_int_equal(setup->game->check(setup, &copy), ES_OK);
}

/* Returns true if an event is what a spectator sees of a deal that is listed: `apply` has to accept
 * it, since views are made of it, but `legal` does not list it. */
static bool is_mask(es_event event, const es_event *listed, size_t count)
{
    static es_event seen[ES_EVENTS_MAX];
    const struct es_setup *setup = &run.record.setup;
    for (size_t i = 0; i < count && ES_EVENT_WHO(event) == ES_CHANCE; i++) {
        struct es_state after = run.state;
        size_t length = run.record.count + 1;
        run.events[length - 1] = listed[i];
        assert_int_equal(setup->game->apply(setup, &after, listed[i]), ES_OK);
        length = setup->game->observe(setup, &after, run.events, length, 0, seen);
        if (length > 0 && seen[length - 1] == event)
            return true;
    }
    return false;
}

/* Random events, also of players who are not to act, are accepted exactly if they are listed or
 * mask a listed deal. A refused event changes nothing. */
static void check_refusals(unsigned acting)
{
    const struct es_setup *setup = &run.record.setup;
    for (int i = 0; i < 2; i++) {
        int who = (int)es_random_below(&run.random, (uint32_t)setup->players + 2);
        uint32_t what = es_random_next(&run.random) & (setup->game == &es_metro ? 0x3fff : 0x1f3f);
        if (setup->game == &es_metro && who == ES_CHANCE)
            what = what % 8 << 5 |
                   what / 8 % ES_TILE_KINDS; /* not the unknown tile, which is never listed */
        es_event event = ES_EVENT(who, what), listed[ES_LEGAL_MAX];
        size_t count = who <= setup->players ? legal(who, listed) : 0, k = 0;
        while (k < count && listed[k] != event)
            k++;
        struct es_state copy = run.state;
        bool accepted = setup->game->apply(setup, &copy, event) == ES_OK;
        assert_int_equal(accepted, k < count || (accepted && is_mask(event, listed, count)));
        if (!accepted)
            assert_memory_equal(&copy, &run.state, sizeof copy);
        if (who > 0 && who <= setup->players && !(acting >> (who - 1) & 1))
            assert_int_equal(count, 0);
    }
}

/* Reads a written record, and compares. */
static void check_record(struct es_str written, const struct es_state *expected, int viewer)
{
    static es_event buffer[ES_EVENTS_MAX];
    static struct es_state state;
    const struct es_game *game = run.record.setup.game;
    struct es_record read = {.events = buffer, .capacity = ES_EVENTS_MAX};
    struct es_fault fault;
    if (es_record_header(&read, written, &fault) ||
        es_record_events(&read, run.record.setup.map, &state, &fault))
        fail_msg("line %d: %s in\n%.*s", fault.line, fault.reason, (int)written.size, written.at);
    if (expected) {
        assert_int_equal(read.count, run.record.count);
        assert_memory_equal(read.events, run.record.events, read.count * sizeof(es_event));
        assert_memory_equal(&state, expected, sizeof state);
        struct es_out again = {text2, sizeof text2, 0};
        es_record_write(&read, &again);
        assert_int_equal(again.used, written.size);
        assert_memory_equal(text2, written.at, written.size);
    }
    if (viewer > 0) { /* a player has the same choices in the view as in the game */
        es_event real[ES_LEGAL_MAX], seen[ES_LEGAL_MAX];
        size_t count = legal(viewer, real);
        assert_int_equal(game->legal(&read.setup, &state, viewer, seen), count);
        assert_memory_equal(real, seen, count * sizeof(es_event));
    }
}

static struct es_str view_of(const struct es_record *record, const struct es_state *state,
                             int viewer, char *to)
{
    static es_event scratch[ES_EVENTS_MAX];
    struct es_out out = {to, sizeof text, 0};
    es_record_write_view(record, state, viewer, scratch, &out);
    assert_true(es_out_ok(&out) && out.used <= es_record_bytes(record));
    return (struct es_str){to, out.used};
}

/* Non-interference: in the same game with other entries, or fewer, by the others in the open round,
 * the viewer must not see any difference. */
static void check_hidden(unsigned acting)
{
    static es_event other_events[ES_EVENTS_MAX];
    const struct es_setup *setup = &run.record.setup;
    if (!acting || run.record.count == run.round_from || !run.is_together)
        return;
    int viewer = (int)es_random_below(&run.random, (uint32_t)setup->players + 1);
    struct es_record other = run.record;
    struct es_state state = run.round_start;
    other.events = other_events;
    other.count = run.round_from;
    memcpy(other_events, run.events, run.round_from * sizeof(es_event));
    for (size_t i = run.round_from; i < run.record.count; i++) {
        es_event event = run.events[i], listed[ES_LEGAL_MAX];
        int who = ES_EVENT_WHO(event);
        if (who != ES_CHANCE && who != viewer) {
            size_t count = setup->game->legal(setup, &state, who, listed);
            if (count == 0 || es_random_below(&run.random, 4) == 0)
                continue;
            event = listed[es_random_below(&run.random, (uint32_t)count)];
        }
        struct es_state next = state;
        assert_int_equal(setup->game->apply(setup, &next, event), ES_OK);
        unsigned others = setup->game->turn(setup, &next).players & ~(1U << viewer >> 1);
        if (who != ES_CHANCE && who != viewer && !others)
            continue; /* another player must be left to act: a closed round is no secret */
        state = next;
        other_events[other.count++] = event;
    }
    struct es_str a = view_of(&run.record, &run.state, viewer, text);
    struct es_str b = view_of(&other, &state, viewer, text2);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.at, b.at, a.size);
    if (viewer > 0)
        check_record(a, NULL, viewer);
}

/* "A view only grows: the events that a viewer has seen after n events of the game are the
 * beginning of those they see after n + 1, to the line." And while no move is hidden and no deal
 * masked, a spectator's events lead to the state of the game. */
static void check_growth(bool first)
{
    static es_event before[ES_PLAYERS_MAX + 1][ES_EVENTS_MAX], seen[ES_EVENTS_MAX];
    static size_t length[ES_PLAYERS_MAX + 1];
    const struct es_setup *setup = &run.record.setup;
    for (int viewer = 0; viewer <= setup->players; viewer++) {
        size_t count =
            setup->game->observe(setup, &run.state, run.events, run.record.count, viewer, seen);
        if (!first && (count < length[viewer] ||
                       memcmp(before[viewer], seen, length[viewer] * sizeof seen[0]) != 0))
            fail_msg("after %zu events, viewer %d has not seen what they saw before",
                     run.record.count, viewer);
        memcpy(before[viewer], seen, count * sizeof seen[0]);
        length[viewer] = count;
    }
    struct es_state view;
    size_t count = setup->game->observe(setup, &run.state, run.events, run.record.count, 0, seen);
    bool has_hands = false; /* something that was dealt is masked */
    for (size_t i = 0, k = 0; i < run.record.count; i++)
        if (ES_EVENT_WHO(run.events[i]) == ES_CHANCE) {
            while (k < count && ES_EVENT_WHO(seen[k]) != ES_CHANCE)
                k++;
            has_hands |= k == count || seen[k++] != run.events[i];
        }
    es_view(setup, &run.state, run.events, run.record.count, 0, seen, &view);
    if (!has_hands && setup->game->turn(setup, &run.state).kind != ES_TURN_PLAYERS)
        assert_memory_equal(&view, &run.state, sizeof view);
}

/* ---- metro --------------------------------------------------------------------------------- */

/* Checks that every line has the length and end that the reference implementation finds by tracing
 * it, and every player the points. */
static void check_traces(void)
{
    const struct es_metro_state *s = es_metro_state(&run.state);
    const struct es_setup *setup = &run.record.setup;
    int crossings = 0, points[ES_PLAYERS_MAX + 1] = {0};
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_line line = es_board_line(&s->board, station);
        int tiles, end = metro_model_trace(&run.plain.metro, station, &tiles);
        assert_int_equal(line.tiles, tiles);
        assert_int_equal(end, line.end < ES_END_RIM ? 0 : line.end - ES_END_RIM + 1);
        crossings += tiles;
        points[es_station_owner(setup->players, station)] += end * tiles;
    }
    assert_true(crossings <= 240);
    for (int p = 1; p <= setup->players; p++)
        assert_int_equal(es_board_points(&s->board, p), points[p]);
}

/* Checks that es_board_finishes() has predicted the lines that a tile finished. */
static void check_finished(const struct es_board *before, const struct es_line *said, int count)
{
    const struct es_board *board = &es_metro_state(&run.state)->board;
    int finished = 0;
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_line line = es_board_line(board, station);
        if (line.end < ES_END_RIM || es_board_line(before, station).end >= ES_END_RIM)
            continue;
        finished++;
        bool found = false;
        for (int i = 0; i < count; i++)
            found |= memcmp(&said[i], &line, sizeof line) == 0;
        assert_true(found);
    }
    assert_int_equal(finished, count);
}

/* Follows every line step by step over the letters of the reference implementation's board. */
static void check_ways(void)
{
    const struct es_metro_state *s = es_metro_state(&run.state);
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_metro_step steps[ES_METRO_STEPS_MAX];
        int count = es_metro_way(s, station, steps);
        int square = es_station_square[station], in = es_station_side[station];
        assert_int_equal(count, es_board_line(&s->board, station).tiles);
        for (int i = 0; i < count; i++) {
            static const int turns[] = {2, 1, 3, 0}; /* a b c d, in sides clockwise */
            assert_int_equal(steps[i].square, square);
            assert_int_equal(steps[i].in, in);
            int out = (in + turns[run.plain.metro.board[square / 8][square % 8][in] - 'a']) % 4;
            assert_int_equal(steps[i].out, out);
            square += (int[]){-8, 1, 8, -1}[out];
            in = (out + 2) % 4;
        }
    }
}

/* Exchanges a tile that the viewer may not know, in another hand or just drawn, for one that has
 * not been dealt, by changing the latest deal of that tile to that player. False if there is
 * none. */
static bool exchange_hidden(es_event *events, size_t count, int viewer)
{
    const struct es_metro_state *s = es_metro_state(&run.state);
    int player = 1 + (int)es_random_below(&run.random, run.record.setup.players);
    int other = (int)es_random_below(&run.random, ES_TILE_KINDS), tile;
    if (player == viewer || s->unseen[other] == 0)
        return false;
    bool drawn = s->drawn != ES_TILE_NONE && s->player == player;
    if (drawn)
        tile = s->drawn;
    else if (s->held[player - 1] > 0)
        tile = s->hand[player - 1][es_random_below(&run.random, s->held[player - 1])];
    else
        return false;
    while (count-- > 0)
        if (events[count] == ES_METRO_DEAL(player, tile) &&
            drawn == (count > 0 && events[count - 1] == ES_METRO_DRAW(player))) {
            events[count] = ES_METRO_DEAL(player, other);
            return tile != other;
        }
    fail_msg("a tile in hand was never dealt");
    return false;
}

/* Non-interference: with the same moves but another tile in somebody's hand, the viewer must not
 * see any difference. The view also replays by the same rules, and the reference implementation
 * agrees. */
static void check_hidden_tiles(void)
{
    static es_event other_events[ES_EVENTS_MAX], seen[ES_EVENTS_MAX];
    const struct es_setup *setup = &run.record.setup;
    int viewer = (int)es_random_below(&run.random, (uint32_t)setup->players + 1);
    struct es_record other = run.record;
    struct es_state state, view;
    other.events = other_events;
    memcpy(other_events, run.events, run.record.count * sizeof(es_event));
    struct es_str a = view_of(&run.record, &run.state, viewer, text);
    if (exchange_hidden(other_events, other.count, viewer)) {
        setup->game->start(setup, &state);
        for (size_t i = 0; i < other.count; i++)
            assert_int_equal(setup->game->apply(setup, &state, other_events[i]), ES_OK);
        struct es_str b = view_of(&other, &state, viewer, text2);
        assert_int_equal(a.size, b.size);
        assert_memory_equal(a.at, b.at, a.size);
    }
    check_record(a, NULL, viewer);

    struct plain whole = run.plain;
    size_t count =
        setup->game->observe(setup, &run.state, run.events, run.record.count, viewer, seen);
    assert_int_equal(count, run.record.count);
    setup->game->start(setup, &view);
    plain_start(&run.plain, setup);
    for (size_t i = 0; i < count; i++) {
        bool hidden = ES_EVENT_WHO(seen[i]) == ES_CHANCE && ES_METRO_DEAL_PLAYER(seen[i]) != viewer;
        assert_int_equal(hidden, strchr(check_event(setup, seen[i]), '?') != NULL);
        assert_int_equal(setup->game->apply(setup, &view, seen[i]), ES_OK);
        plain_apply(&run.plain, seen[i]);
    }
    assert_int_equal(setup->game->check(setup, &view), ES_OK);
    check_reports(setup, &view);
    for (int who = 0; who <= setup->players; who++) {
        es_event listed[ES_LEGAL_MAX];
        check_metro_list(&run.plain.metro, setup, who, listed,
                         setup->game->legal(setup, &view, who, listed));
    }
    run.plain = whole;
}

/* ---- Whole games --------------------------------------------------------------------------- */

static void check_end(void)
{
    const struct es_setup *setup = &run.record.setup;
    if (setup->game == &es_metro) {
        const struct es_metro_state *s = es_metro_state(&run.state);
        assert_int_equal(s->board.laid, ~ES_CENTRE);
        assert_int_equal(es_metro_laid(s), ES_METRO_TILES);
        for (int station = 1; station <= ES_METRO_STATIONS; station++)
            assert_true(es_board_line(&s->board, station).end >= ES_END_RIM);
    }
    if (setup->game == &es_verplant) {
        int most = 0, stations = setup->map->stations;
        for (int l = 0; l < setup->map->lines; l++)
            most += setup->map->line[l].first;
        for (int s = 0; s < stations; s++)
            most += 2 * es_map_calls(setup->map, s);
        for (int p = 1; p <= setup->players; p++) {
            int score = setup->game->score(setup, &run.state, p);
            assert_true(score <= most && score >= -stations);
        }
    }
    assert_true(setup->game->winners(setup, &run.state) != 0);
}

/* Applies an event; in metro, compares the lines it finishes with the prediction. */
static void apply_event(es_event event)
{
    const struct es_setup *setup = &run.record.setup;
    struct es_board before = es_metro_state(&run.state)->board;
    struct es_line said[4];
    bool lay = setup->game == &es_metro && ES_METRO_IS_LAY(event);
    int count = 0;
    if (lay)
        count = es_board_finishes(
            &before, ES_METRO_LAY_SQUARE(event),
            es_tile_turned[ES_METRO_LAY_TILE(event)][ES_METRO_LAY_QUARTERS(event)], said);
    plain_apply(&run.plain, event);
    assert_int_equal(setup->game->apply(setup, &run.state, event), ES_OK);
    if (lay) {
        check_traces();
        check_finished(&before, said, count);
    }
    assert_true(run.record.count < ES_EVENTS_MAX);
    run.events[run.record.count++] = event;
}

/* Plays one random game. On small sheets the whole report is compared with the reference
 * implementation after every event, in metro every line after every tile; costlier checks are made
 * from time to time, or in `thorough` games. */
static void play(bool thorough)
{
    const struct es_setup *setup = &run.record.setup;
    const struct es_game *game = setup->game;
    static es_event listed[ES_LEGAL_MAX];
    run.record.count = 0;
    game->start(setup, &run.state);
    plain_start(&run.plain, setup);
    run.round_start = run.state;
    run.round_from = 0;
    run.is_together = false;
    unsigned before = 0;
    for (;;) {
        struct es_turn turn = game->turn(setup, &run.state);
        /* A round can follow another without a deal between them. */
        if (turn.players == (1U << setup->players) - 1 && before && turn.players & ~before) {
            run.round_start = run.state;
            run.round_from = run.record.count;
        }
        before = turn.players;
        run.is_together |= (turn.players & (turn.players - 1)) != 0;
        bool often = thorough || es_random_below(&run.random, 16) == 0;
        if (often || (setup->map && setup->map->stations < 30)) {
            assert_int_equal(game->check(setup, &run.state), ES_OK);
            check_reports(setup, &run.state);
        }
        if (thorough)
            check_growth(run.record.count == 0);
        if (often)
            check_refusals(turn.players);
        if (often)
            check_hidden(turn.players);
        if (game == &es_metro && es_random_below(&run.random, thorough ? 4 : 128) == 0) {
            check_hidden_tiles();
            check_ways();
        }
        if (turn.kind == ES_TURN_OVER)
            break;
        int who = ES_CHANCE;
        if (turn.kind == ES_TURN_PLAYERS) {
            do
                who = 1 + (int)es_random_below(&run.random, setup->players);
            while (!(turn.players >> (who - 1) & 1));
        } else {
            run.round_start = run.state;
            run.round_from = run.record.count;
            run.is_together = false;
        }
        size_t count = legal(who, listed);
        assert_true(count > 0);
        if (often) {
            check_list(who, listed, count);
            for (size_t i = 0; thorough && i < count; i++)
                check_listed_event(listed[i]);
        }
        if (game == &es_verplant)
            assert_int_equal(count, plain_choices(&run.plain, who));
        if (game == &es_metro && thorough)
            check_metro_list(&run.plain.metro, setup, who, listed, count);
        apply_event(listed[es_random_below(&run.random, (uint32_t)count)]);
    }
    for (int who = 0; who <= setup->players; who++)
        assert_int_equal(legal(who, listed), 0);
    check_end();
    if (thorough) {
        struct es_out out = {text, sizeof text, 0};
        es_record_write(&run.record, &out);
        assert_true(es_out_ok(&out) && out.used <= es_record_bytes(&run.record));
        check_record((struct es_str){text, out.used}, &run.state, 0);
    }
}

static void verplant_games(void **state)
{
    (void)state;
    static struct es_map maps[MAPS];
    static const char *const decks[] = {es_verplant_deck_14,
                                        es_verplant_deck_15,
                                        "6",
                                        "6 o o o x1 + 9 8 x9",
                                        "1 2 3 4 5 6 7 8 9 x1 x2 x3 x4 x5 x6 x7 x8 x9 + + + o o",
                                        "6 6 6 x6 x6 +"};
    es_random_seed(&run.random, 2026);
    for (int i = 0; i < MAPS; i++) {
        struct es_out out = {text, sizeof text, 0};
        struct es_fault fault;
        static const int sizes[10] = {0, 1, 1, 2, 0, 1, 1, 2, 0, 1};
        random_map(&run.random, i % 20 == 19 ? 3 : sizes[i % 10], &out);
        if (es_map_read(&maps[i], (struct es_str){text, out.used}, &fault))
            fail_msg("random map, line %d: %s", fault.line, fault.reason);
    }
    for (int i = 0; i < GAMES; i++) {
        const struct es_map *map = &maps[i % MAPS];
        run.record = (struct es_record){
            .setup = {.game = &es_verplant, .map = map, .players = (uint8_t)(1 + i / MAPS % 6)},
            .events = run.events,
            .capacity = ES_EVENTS_MAX,
        };
        struct es_setup *setup = &run.record.setup;
        setup->rules = es_random_below(&run.random, 2);
        if (i % 3 == 0)
            es_verplant_deck_read(setup, es_str(decks[es_random_below(&run.random, 6)]));
        assert_int_equal(es_setup_prepare(setup), ES_OK);
        if (i % 5 == 0)
            strcpy(run.record.name[0], "Ada Lovelace");
        if (i % 4 == 0)
            strcpy(run.record.bot[run.record.setup.players - 1], "strong");
        if (i % 3 == 0) {
            static const char notes[] = "secret 1\ncommit 2\nnote 3\nword 4\ndate 5\n";
            memcpy(run.record.notes, notes, sizeof notes - 1);
            run.record.notes_size = sizeof notes - 1;
        }
        if (i % 7 == 0) {
            run.record.has_seed = true;
            memset(run.record.seed, i & 0xff, sizeof run.record.seed);
        }
        play(i % 50 == i / 50 % 50);
    }
}

/* All combinations of player counts and variants, equally often. */
static void metro_games(void **state)
{
    (void)state;
    static const uint32_t rules[] = {0,
                                     ES_METRO_ROTATE,
                                     ES_METRO_HAND2,
                                     ES_METRO_HAND3,
                                     ES_METRO_ROTATE | ES_METRO_HAND2,
                                     ES_METRO_ROTATE | ES_METRO_HAND3};
    es_random_seed(&run.random, 60);
    for (int i = 0; i < GAMES; i++) {
        run.record = (struct es_record){
            .setup = {.game = &es_metro,
                      .players = (uint8_t)(2 + i % 5),
                      .rules = rules[i / 5 % 6]},
            .events = run.events,
            .capacity = ES_EVENTS_MAX,
        };
        assert_int_equal(es_setup_prepare(&run.record.setup), ES_OK);
        play(i % 50 == i / 50 % 50);
    }
}

/* Every other game, with all player counts and all valid sets of rules. */
static void other_games(void **state)
{
    (void)state;
    static struct es_map map;
    check_builtin(&map, "practice");
    es_random_seed(&run.random, 1);
    for (int g = 0; es_games[g]; g++) {
        const struct es_game *game = es_games[g];
        int count = 0;
        while (game->rules[count])
            count++;
        for (unsigned rules = 0; !plain_knows(game) && rules < 1U << count; rules++)
            for (int players = game->players_min; players <= game->players_max; players++)
                for (int i = 0; i < EACH; i++) {
                    run.record = (struct es_record){
                        .setup = {.game = game,
                                  .map = game->has_map ? &map : NULL,
                                  .players = (uint8_t)players,
                                  .rules = rules},
                        .events = run.events,
                        .capacity = ES_EVENTS_MAX,
                    };
                    if (es_setup_prepare(&run.record.setup) == ES_OK)
                        play(i % 2 == 0);
                }
    }
}

/* Lists what a seed deals: cards, tiles (no matter to whom), numbers of a die. Players choose at
 * random. */
static int seed_deals(const struct es_setup *setup, const uint8_t seed[ES_SEED_BYTES],
                      uint64_t choices, es_event deals[200])
{
    const struct es_game *game = setup->game;
    es_event listed[ES_LEGAL_MAX];
    struct es_random random;
    struct es_state now;
    int count = 0;
    es_random_seed(&random, choices);
    game->start(setup, &now);
    for (;;) {
        struct es_turn turn = game->turn(setup, &now);
        if (turn.kind == ES_TURN_OVER)
            return count;
        if (turn.kind == ES_TURN_CHANCE) {
            es_event event = game->deal(setup, &now, seed);
            assert_int_equal(game->apply(setup, &now, event), ES_OK);
            deals[count++] = ES_EVENT_WHAT(event) & 31;
        } else {
            int who = __builtin_ctz(turn.players) + 1;
            size_t all = game->legal(setup, &now, who, listed);
            es_event event = listed[es_random_below(&random, (uint32_t)all)];
            assert_int_equal(game->apply(setup, &now, event), ES_OK);
        }
    }
}

/* What a seed deals is legal however the game goes, and the same whatever the players do. */
static void seeds_deal_whole_games(void **state)
{
    (void)state;
    static struct es_map map;
    es_event deals[2][200];
    check_builtin(&map, "practice");
    for (int g = 0; es_games[g]; g++)
        for (int i = 0; i < 50; i++) {
            uint8_t seed[ES_SEED_BYTES] = {(uint8_t)i};
            struct es_setup setup = {.game = es_games[g], .players = 2};
            setup.map = setup.game->has_map ? &map : NULL;
            assert_int_equal(es_setup_prepare(&setup), ES_OK);
            int one = seed_deals(&setup, seed, 1, deals[0]),
                two = seed_deals(&setup, seed, 2, deals[1]);
            int both = one < two ? one : two;
            assert_memory_equal(deals[0], deals[1], (size_t)both * sizeof(es_event));
            if (setup.game == &es_metro)
                assert_true(one == ES_METRO_TILES && two == ES_METRO_TILES);
        }
}

/* docs/shuffle.md: the tiles are sorted by name, and dealt in the order of shuffle 0. */
static void tiles_come_from_the_fair_shuffle(void **state)
{
    (void)state;
    uint8_t seed[ES_SEED_BYTES], order[ES_METRO_TILES], sorted[ES_METRO_TILES];
    es_event deals[200];
    struct es_setup setup = {.game = &es_metro, .players = 3, .rules = ES_METRO_HAND2};
    int count = 0;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int i = 0; i < es_tile_copies[tile]; i++)
            sorted[count++] = (uint8_t)tile;
    for (int i = 0; i < ES_SEED_BYTES; i++)
        seed[i] = (uint8_t)i;
    es_fair_shuffle(seed, 0, ES_METRO_TILES, order);
    assert_int_equal(seed_deals(&setup, seed, 1, deals), ES_METRO_TILES);
    for (int i = 0; i < ES_METRO_TILES; i++)
        assert_int_equal(deals[i], sorted[order[i]]);
}

/* Search copies only as much of a sheet as its map uses. A game on a sheet with only that much
 * memory (sanitizers notice any access beyond) goes like one on a whole sheet. */
static void sheets_can_be_cut_to_what_their_map_uses(void **state)
{
    (void)state;
    static struct es_map map;
    static es_choice choices[ES_CHOICES_MAX];
    struct es_fault fault;
    es_random_seed(&run.random, 5);
    for (int i = 0; i < 400; i++) {
        struct es_out out = {text, sizeof text, 0};
        random_map(&run.random, i % 4, &out);
        assert_int_equal(es_map_read(&map, (struct es_str){text, out.used}, &fault), ES_OK);
        size_t size = es_sheet_bytes(&map);
        struct es_sheet whole;
        es_sheet_blank(&map, &whole);
        assert_true(map.lines > 10 || size == 128);
        struct es_sheet *cut = aligned_alloc(16, size);
        memcpy(cut, &whole, size);
        while (whole.windows_left > 0) {
            int card = (int)es_random_below(&run.random, ES_CARD_KINDS);
            size_t count = es_sheet_choices(&map, cut, card, choices);
            es_choice choice = choices[es_random_below(&run.random, (uint32_t)count)];
            if (card != ES_CARD_FREE_RIDE) {
                es_sheet_enter(&map, &whole, card, choice);
                es_sheet_enter(&map, cut, card, choice);
            } else if (choice != ES_CHOICE_NO_RIDE) {
                es_sheet_mark(&map, &whole, choice - 1);
                es_sheet_mark(&map, cut, choice - 1);
            }
            assert_int_equal(es_sheet_score(&map, &whole, 0), es_sheet_score(&map, cut, 0));
            assert_memory_equal(cut, &whole, size);
        }
        free(cut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_games),
        cmocka_unit_test(verplant_games),
        cmocka_unit_test(metro_games),
        cmocka_unit_test(seeds_deal_whole_games),
        cmocka_unit_test(tiles_come_from_the_fair_shuffle),
        cmocka_unit_test(sheets_can_be_cut_to_what_their_map_uses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
