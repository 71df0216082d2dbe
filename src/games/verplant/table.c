/* verplant's part of a session: taps and keys that choose a line and the number of marks, or the
 * station of a free ride. */
#include "games/verplant/table.h"

/* What es__pick.own holds. */
struct in_hand {
    uint8_t line;      /* of a free ride, from 1; 0: none */
    uint8_t direction; /* round a ring */
};

static struct in_hand *in_hand(const struct es__choosing *c)
{
    return (struct in_hand *)c->pick->own;
}

/* ---- The sheet ------------------------------------------------------------------------------ */

static const struct es_sheet *sheet_of(const struct es__choosing *c)
{
    return &es_verplant_state(c->view)->sheet[c->player - 1];
}

static int card_of(const struct es__choosing *c)
{
    return es_verplant_state(c->view)->card;
}

static bool is_ride(const struct es__choosing *c)
{
    return card_of(c) == ES_CARD_FREE_RIDE;
}

static es_choice planned(const struct es__choosing *c)
{
    return (es_choice)ES_EVENT_WHAT(*c->plan);
}

/* Returns the planned line, or -1. */
static int planned_line(const struct es__choosing *c)
{
    return *c->plan && !is_ride(c) ? ES_CHOICE_LINE(planned(c)) : -1;
}

static int reach(const struct es__choosing *c, int l, int direction)
{
    return es_sheet_reach(c->setup->map, sheet_of(c), card_of(c), l, direction);
}

static bool is_empty(const struct es__choosing *c, int station)
{
    return !es_sheet_marked(sheet_of(c), station);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

/* Plans a number of marks on a line. Remembers the direction of a ring, even if the entry has none.
 */
static void plan_marks(struct es__choosing *c, int l, int direction, int marks)
{
    if (marks == 0 || !c->setup->map->line[l].ring)
        direction = ES_DIRECTION_NONE;
    if (es__plan(c, ES_VERPLANT_ENTRY(c->player, ES_CHOICE(l, direction, marks))) && direction)
        in_hand(c)->direction = (uint8_t)direction;
}

/* Returns the direction that is planned, was chosen last, or marks most. */
static int usual_direction(const struct es__choosing *c, int l)
{
    if (!c->setup->map->line[l].ring)
        return ES_DIRECTION_NONE;
    if (planned_line(c) == l && in_hand(c)->direction)
        return in_hand(c)->direction;
    return reach(c, l, ES_DIRECTION_BACKWARDS) > reach(c, l, ES_DIRECTION_FORWARDS)
               ? ES_DIRECTION_BACKWARDS
               : ES_DIRECTION_FORWARDS;
}

static void plan_line(struct es__choosing *c, int l)
{
    int direction = usual_direction(c, l);
    plan_marks(c, l, direction, reach(c, l, direction));
}

/* A way to mark a station: the number of marks that reaches it, or comes nearest. */
struct way {
    int line, direction, marks;
    int stops;    /* empty ones up to and including the station */
    bool reached; /* all of them can be marked */
};

/* Returns the shorter way to an empty station on a line that calls there. */
static struct way way_to(const struct es__choosing *c, int l, int station)
{
    const struct es_map_line *line = &c->setup->map->line[l];
    struct way best = {.line = -1};
    int first = line->ring ? ES_DIRECTION_BACKWARDS : ES_DIRECTION_NONE;
    int last = line->ring ? ES_DIRECTION_FORWARDS : ES_DIRECTION_NONE;
    for (int d = first; d <= last; d++) {
        const uint8_t *stop = d == ES_DIRECTION_BACKWARDS ? line->back : line->stop;
        int stops = 0, most = reach(c, l, d);
        for (int i = 0; i < line->stops; i++) {
            stops += is_empty(c, stop[i]);
            if (stop[i] == station)
                break;
        }
        struct way way = {l, d, stops < most ? stops : most, stops, stops <= most};
        bool usual = way.stops == best.stops && usual_direction(c, l) == d;
        if (best.line < 0 || way.reached > best.reached ||
            (way.reached == best.reached && (way.stops < best.stops || usual)))
            best = way;
    }
    return best;
}

/* Returns true if a player who taps a station more likely means way a than way b: one that reaches
 * it, on the line already planned, with more marks, or on a line with more free windows. */
static bool is_better(const struct es__choosing *c, struct way a, struct way b)
{
    const struct es_sheet *sheet = sheet_of(c);
    int line = planned_line(c);
    if (b.line < 0 || a.reached != b.reached)
        return b.line < 0 || a.reached;
    if ((a.line == line) != (b.line == line))
        return a.line == line;
    if (a.marks != b.marks)
        return a.marks > b.marks;
    return es_sheet_free(sheet, a.line) > es_sheet_free(sheet, b.line);
}

static void plan_station(struct es__choosing *c, int station)
{
    const struct es_map *map = c->setup->map;
    struct way best = {.line = -1};
    if (!is_empty(c, station)) {
        c->why = ES_STATION_MARKED;
        return;
    }
    for (int l = 0; l < map->lines; l++)
        if (es_map_stops(map, l, station) && es_sheet_free(sheet_of(c), l) > 0) {
            struct way way = way_to(c, l, station);
            if (is_better(c, way, best))
                best = way;
        }
    if (best.line < 0)
        c->why = ES_LINE_FULL;
    else
        plan_marks(c, best.line, best.direction, best.marks);
}

/* ---- Free rides ----------------------------------------------------------------------------- */

static void plan_ride(struct es__choosing *c, int station)
{
    const struct es_map *map = c->setup->map;
    int line = in_hand(c)->line - 1;
    if (!es__plan(c, ES_VERPLANT_ENTRY(c->player, ES_CHOICE_RIDE(station))) ||
        (line >= 0 && es_map_stops(map, line, station)))
        return;
    line = 0;
    while (!es_map_stops(map, line, station))
        line++;
    in_hand(c)->line = (uint8_t)(line + 1);
}

/* Moves the ride along a line to the next empty station, wrapping around. */
static void walk_line(struct es__choosing *c, int l, int step)
{
    const struct es_map_line *line = &c->setup->map->line[l];
    int at = step > 0 ? line->stops - 1 : 0;
    for (int i = 0; i < line->stops; i++)
        if (*c->plan && ES_CHOICE_RIDE(line->stop[i]) == planned(c))
            at = i;
    for (int i = 0; i < line->stops; i++) {
        at = (at + step + line->stops) % line->stops;
        if (is_empty(c, line->stop[at])) {
            in_hand(c)->line = (uint8_t)(l + 1);
            plan_ride(c, line->stop[at]);
            return;
        }
    }
    c->why = ES_STATION_MARKED;
}

/* Plans a ride to the first empty station of a line. */
static void plan_ride_on(struct es__choosing *c, int l)
{
    *c->plan = 0;
    walk_line(c, l, 1);
}

/* ---- Taps and keys -------------------------------------------------------------------------- */

/* Returns the next line that can be chosen, wrapping around; from -1, the first or the last.
 */
static int next_line(const struct es__choosing *c, int l, int step)
{
    const struct es_map *map = c->setup->map;
    int at = l < 0 && step < 0 ? 0 : l;
    for (int i = 0; i < map->lines; i++) {
        at = (at + step + map->lines) % map->lines;
        if (is_ride(c) ? sheet_of(c)->open[at] != 0 : es_sheet_free(sheet_of(c), at) > 0)
            return at;
    }
    return -1;
}

static void choose_line(struct es__choosing *c, int l)
{
    if (l < 0)
        c->why = ES_LINE_UNKNOWN;
    else if (!is_ride(c))
        plan_line(c, l);
    else if (sheet_of(c)->open[l] == 0)
        c->why = ES_STATION_MARKED;
    else
        plan_ride_on(c, l);
}

static bool tap(struct es__choosing *c, struct es_str part)
{
    const struct es_map *map = c->setup->map;
    struct es_str name;
    if (es__part_of(part, "station-", &name)) {
        int station = es_map_station_named(map, name);
        if (station < 0)
            c->why = ES_STATION_UNKNOWN;
        else if (is_ride(c))
            plan_ride(c, station);
        else
            plan_station(c, station);
    } else if (es__part_of(part, "wagon-", &name) || es__part_of(part, "line-", &name) ||
               es__part_of(part, "value-", &name)) {
        choose_line(c, name.size == 1 ? es_map_line_named(map, name.at[0]) : -1);
    } else {
        return false;
    }
    return true;
}

/* Handles keys on a free ride: Left and Right move along a line, Up and Down change the line. */
static void ride_key(struct es__choosing *c, int key)
{
    int line = in_hand(c)->line - 1, step = key == KEY_LEFT || key == KEY_UP ? -1 : 1;
    if (key == '0')
        es__plan(c, ES_VERPLANT_ENTRY(c->player, ES_CHOICE_NO_RIDE));
    if (key != KEY_LEFT && key != KEY_RIGHT && key != KEY_UP && key != KEY_DOWN)
        return;
    int next = next_line(c, line, step);
    if (next < 0)
        c->why = ES_STATION_MARKED;
    else if (line >= 0 && (key == KEY_LEFT || key == KEY_RIGHT))
        walk_line(c, line, step);
    else
        plan_ride_on(c, next);
}

/* The other way round a ring: all there, or as many as were planned. */
static void turn_round(struct es__choosing *c, int l, int direction)
{
    int marks = ES_CHOICE_MARKS(planned(c)), most = reach(c, l, direction);
    bool all = marks == 0 || marks == reach(c, l, usual_direction(c, l));
    plan_marks(c, l, direction, all || marks > most ? most : marks);
}

static void line_key(struct es__choosing *c, int key)
{
    int l = planned_line(c);
    if (key == KEY_UP || key == KEY_DOWN || (l < 0 && (key == KEY_LEFT || key == KEY_RIGHT))) {
        choose_line(c, next_line(c, l, key == KEY_UP || key == KEY_LEFT ? -1 : 1));
        return;
    }
    if (l < 0)
        return;
    int direction = usual_direction(c, l), marks = ES_CHOICE_MARKS(planned(c));
    if (key >= '0' && key <= '9') {
        plan_marks(c, l, direction, key - '0');
    } else if (key == KEY_LEFT || key == KEY_RIGHT) {
        if (c->setup->map->line[l].ring)
            turn_round(c, l, key == KEY_LEFT ? ES_DIRECTION_BACKWARDS : ES_DIRECTION_FORWARDS);
        else if (key == KEY_LEFT ? marks > 0 : marks < reach(c, l, direction))
            plan_marks(c, l, direction, marks + (key == KEY_LEFT ? -1 : 1));
    }
}

static void press_key(struct es__choosing *c, int key)
{
    if (key >= 'A' && key <= 'Z')
        choose_line(c, es_map_line_named(c->setup->map, (char)key));
    else if (is_ride(c))
        ride_key(c, key);
    else
        line_key(c, key);
}

/* `blank`: the first entry that marks nothing. */
static bool word(struct es__choosing *c, struct es_str word)
{
    if (!es_str_is(word, "blank"))
        return false;
    if (is_ride(c))
        es__plan(c, ES_VERPLANT_ENTRY(c->player, ES_CHOICE_NO_RIDE));
    else
        plan_marks(c, next_line(c, -1, 1), ES_DIRECTION_NONE, 0);
    return true;
}

/* ---- The answer ----------------------------------------------------------------------------- */

static const char *direction_sign(int direction)
{
    return (const char *[]){"", "<", ">"}[direction];
}

static void option(const struct es__choosing *c, struct es__writer *w, es_choice choice)
{
    const struct es_map *map = c->setup->map;
    int l = ES_CHOICE_LINE(choice);
    es__write_object(w, NULL);
    es__write_event(w, "event", c->setup, ES_VERPLANT_ENTRY(c->player, choice));
    es__write_str(w, "line", (struct es_str){l < 0 ? "" : &map->line[l].letter, l >= 0});
    es__write_text(w, "direction", direction_sign(ES_CHOICE_DIRECTION(choice)));
    es__write_int(w, "marks", ES_CHOICE_MARKS(choice));
    es__write_end(w);
}

/* Writes the options: the most marks on each line, in both directions of a ring; on a free ride,
 * only not to take it. */
static void options(const struct es__choosing *c, struct es__writer *w)
{
    const struct es_map *map = c->setup->map;
    es__write_array(w, "options");
    if (is_ride(c))
        option(c, w, ES_CHOICE_NO_RIDE);
    for (int l = 0; l < map->lines && !is_ride(c); l++) {
        bool both = map->line[l].ring && sheet_of(c)->open[l] != 0;
        int last = both ? ES_DIRECTION_FORWARDS : ES_DIRECTION_NONE;
        if (es_sheet_free(sheet_of(c), l) == 0)
            continue;
        for (int d = both ? ES_DIRECTION_BACKWARDS : ES_DIRECTION_NONE; d <= last; d++)
            option(c, w, ES_CHOICE(l, d, reach(c, l, d)));
    }
    es__write_end(w);
}

/* Writes the effect of the plan: points, lines it completes, entries owed after it. */
static void gains(const struct es__choosing *c, struct es__writer *w)
{
    const struct es_map *map = c->setup->map;
    struct es_state after = *c->view;
    uint32_t done = 0;
    int gain = 0, owed = 0, framed = 0;
    if (*c->plan && c->setup->game->apply(c->setup, &after, *c->plan) == ES_OK) {
        struct es_verplant_state *s = (struct es_verplant_state *)&after;
        struct es_sheet *sheet = &s->sheet[c->player - 1];
        framed = sheet->framed - sheet_of(c)->framed;
        owed = es__verplant_owed(sheet);
        es_sheet_score(map, sheet, es_verplant_state(c->view)->claimed); /* if still to come */
        done = sheet->scored & ~sheet_of(c)->scored;
        gain = c->setup->game->score(c->setup, &after, c->player) -
               c->setup->game->score(c->setup, c->view, c->player);
    }
    es__write_int(w, "gain", gain);
    es__write_int(w, "framed", framed);
    es__write_array(w, "done");
    for (; done; done &= done - 1)
        es__write_str(w, NULL, (struct es_str){&map->line[__builtin_ctz(done)].letter, 1});
    es__write_end(w);
    es__write_int(w, "owed", owed);
}

static void answer(const struct es__choosing *c, struct es__writer *w)
{
    const struct es_map *map = c->setup->map;
    es_choice choice = *c->plan ? planned(c) : ES_CHOICE_NO_RIDE;
    int l = planned_line(c), direction = l < 0 ? 0 : ES_CHOICE_DIRECTION(choice), most = 0;
    if (l >= 0)
        most = reach(c, l, usual_direction(c, l));
    else if (is_ride(c))
        most = es_sheet_empty(sheet_of(c)) > 0;
    options(c, w);
    es__write_int(w, "most", most);
    if (is_ride(c))
        l = *c->plan && choice != ES_CHOICE_NO_RIDE ? in_hand(c)->line - 1 : -1;
    es__write_str(w, "line", (struct es_str){l < 0 ? "" : &map->line[l].letter, l >= 0});
    es__write_text(w, "direction", direction_sign(direction));
    es__verplant_marks_fact(w, map, sheet_of(c), choice);
    gains(c, w);
    es__verplant_stations_fact(w, map, sheet_of(c), choice);
}

/* Validates pick.own, which comes from outside. */
static bool can_hold(const struct es__choosing *c)
{
    const struct in_hand *hand = in_hand(c);
    return hand->line <= c->setup->map->lines && hand->direction <= ES_DIRECTION_FORWARDS &&
           !c->pick->own[2] && !c->pick->own[3];
}

/* ---- Taking back ---------------------------------------------------------------------------- */

/* As long as the round is open nobody sees an entry, and entries of the others, which say nothing
 * yet, stay. Alone there is nobody to see it. */
static long undo(const struct es_setup *setup, const struct es_state *state, const es_event *events,
                 size_t count, int player)
{
    bool unseen = es_verplant_state(state)->acting || setup->players == 1;
    while (count > 0 && ES_EVENT_WHO(events[count - 1]) != ES_CHANCE &&
           ES_EVENT_WHO(events[count - 1]) != player)
        count--;
    return unseen && count > 0 && ES_EVENT_WHO(events[count - 1]) == player ? (long)count - 1 : -1;
}

const struct es_table es__verplant_table = {
    .tap = tap,
    .key = press_key,
    .word = word,
    .can_hold = can_hold,
    .answer = answer,
    .facts = es__verplant_facts,
    .player_facts = es__verplant_player_facts,
    .piece_facts = es__verplant_piece_facts,
    .tell = es__verplant_tell,
    .known_at = es__verplant_known_at,
    .undo = undo,
    .others_repeat = true,
    .compare = es__verplant_compare,
    .ask = es__verplant_tally,
};
