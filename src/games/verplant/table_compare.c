/* Why one entry of verplant is better than another: facts about the sheet after each of them, for
 * the analysis. table.h lists them. All are true whatever comes next, and follow from the rules
 * alone; weights only decide which two are told. */
#include "games/verplant/table.h"

/* A fact: its numbers, and a line or a station where it has one. */
struct fact {
    const char *what;
    int weight;        /* in quarters of a point, roughly what it is worth */
    int line, station; /* -1: none */
    uint32_t lines[2]; /* sets of lines, as "lines" and "playedLines"; both 0: left out */
    struct {
        const char *name; /* NULL ends the list */
        int value;
    } number[5];
};

/* The two most telling facts so far, the first one first. Of equal ones, the first found stays. */
struct facts {
    struct fact best[2];
    int count;
};

static void add(struct facts *facts, const struct fact *fact)
{
    int at = facts->count;
    while (at > 0 && facts->best[at - 1].weight < fact->weight)
        at--;
    if (at == 2)
        return;
    facts->best[1] = at == 0 ? facts->best[0] : facts->best[1];
    facts->best[at] = *fact;
    facts->count += facts->count < 2;
}

/* A player's sheet before and after an entry. */
struct entry {
    struct es_sheet after;
    uint64_t marked[2]; /* stations, a bit each */
    int marks;
    int framed;         /* the number written, or 0 */
    uint32_t completed; /* lines, a bit each */
    int points;         /* of these lines */
    int owed;           /* entries to make after it with the same card */
};

/* Both entries, and what they have in common. */
struct comparison {
    const struct es_setup *setup;
    const struct es_map *map;
    const struct es_verplant_state *now;
    const struct es_sheet *sheet; /* before */
    struct entry better, played;
    int most;        /* marks that a card of the deck can make on a line */
    int most_number; /* the same for numbers alone; 0: it has none */
};

static int line_left(const struct es_sheet *sheet, int l)
{
    return __builtin_popcountll(sheet->open[l]);
}

/* Returns what the player gets for completing a line in this round. */
static int line_points(const struct comparison *c, int l)
{
    const struct es_map_line *line = &c->map->line[l];
    return c->now->claimed >> l & 1 ? line->later : line->first;
}

static bool look_after(struct comparison *c, const struct es_state *view, int player,
                       es_event event, struct entry *entry)
{
    struct es_state state = *view;
    if (ES_EVENT_WHO(event) != player || c->setup->game->apply(c->setup, &state, event))
        return false;
    entry->after = es_verplant_state(&state)->sheet[player - 1];
    for (int half = 0; half < 2; half++) {
        entry->marked[half] = c->sheet->empty[half] & ~entry->after.empty[half];
        entry->marks += __builtin_popcountll(entry->marked[half]);
    }
    entry->framed = entry->after.framed - c->sheet->framed;
    entry->owed = es__verplant_owed(&entry->after);
    for (int l = 0; l < c->map->lines; l++)
        if (c->sheet->open[l] && !entry->after.open[l]) {
            entry->completed |= (uint32_t)1 << l;
            entry->points += line_points(c, l);
        }
    return true;
}

static bool marks_station(const struct entry *entry, int station)
{
    return entry->marked[station / 64] >> station % 64 & 1;
}

/* ---- Points --------------------------------------------------------------------------------- */

static void compare_points(const struct comparison *c, struct facts *facts)
{
    const struct entry *better = &c->better, *played = &c->played;
    if (better->points > played->points)
        add(facts, &(struct fact){
                       .what = "complete",
                       .weight = 6 * (better->points - played->points) + 4,
                       .line = -1,
                       .station = -1,
                       .lines = {better->completed, played->completed},
                       .number = {{"points", better->points}, {"playedPoints", played->points}},
                   });
    if (better->framed > played->framed) {
        int station = 0;
        while (!marks_station(better, station))
            station++;
        add(facts, &(struct fact){
                       .what = "transfer",
                       .weight = 8 * (better->framed - played->framed),
                       .line = -1,
                       .station = station,
                       .number = {{"number", better->framed},
                                  {"points", 2 * better->framed},
                                  {"playedPoints", 2 * played->framed}},
                   });
    }
    if (better->owed > played->owed)
        add(facts, &(struct fact){
                       .what = "extra",
                       .weight = 12 * (better->owed - played->owed),
                       .line = -1,
                       .station = -1,
                       .number = {{"entries", better->owed}, {"playedEntries", played->owed}},
                   });
    if (better->marks > played->marks)
        add(facts, &(struct fact){
                       .what = "marks",
                       .weight = 5 * (better->marks - played->marks),
                       .line = -1,
                       .station = -1,
                       .number = {{"marks", better->marks},
                                  {"playedMarks", played->marks},
                                  {"card", es_card_marks(c->now->card)}},
                   });
}

/* ---- What can no longer be done ------------------------------------------------------------- */

/* Returns true if a line that is not complete has too few windows to be completed by its own
 * entries. */
static bool is_beyond(const struct comparison *c, const struct es_sheet *sheet, int l)
{
    return line_left(sheet, l) > es_sheet_free(sheet, l) * c->most;
}

/* A line that has too few windows after the entry played, but neither before nor after the better
 * one. */
static void compare_beyond(const struct comparison *c, struct facts *facts)
{
    int worst = -1, weight = 0;
    for (int l = 0; l < c->map->lines; l++) {
        int w = 3 * line_points(c, l) - line_left(&c->played.after, l);
        if (is_beyond(c, &c->played.after, l) && !is_beyond(c, &c->better.after, l) &&
            !is_beyond(c, c->sheet, l) && (worst < 0 || w > weight)) {
            worst = l;
            weight = w;
        }
    }
    if (worst >= 0)
        add(facts, &(struct fact){
                       .what = "beyond",
                       .weight = weight > 1 ? weight : 1,
                       .line = worst,
                       .station = -1,
                       .number = {{"points", line_points(c, worst)},
                                  {"left", line_left(&c->played.after, worst)},
                                  {"windows", es_sheet_free(&c->played.after, worst)},
                                  {"most", c->most}},
                   });
}

/* Returns true if no line that calls at a station has a free window. */
static bool is_lost(const struct comparison *c, const struct es_sheet *sheet, int station)
{
    for (int l = 0; l < c->map->lines; l++)
        if (es_map_stops(c->map, l, station) && es_sheet_free(sheet, l) > 0)
            return false;
    return true;
}

static int count_lost(const struct comparison *c, const struct es_sheet *sheet)
{
    int count = 0;
    for (int s = 0; s < c->map->stations; s++)
        count += !es_sheet_marked(sheet, s) && is_lost(c, sheet, s);
    return count;
}

static void compare_lost(const struct comparison *c, struct facts *facts)
{
    int better = count_lost(c, &c->better.after), played = count_lost(c, &c->played.after);
    if (better < played)
        add(facts, &(struct fact){
                       .what = "lost",
                       .weight = 4 * (played - better),
                       .line = -1,
                       .station = -1,
                       .number = {{"stations", better}, {"playedStations", played}},
                   });
}

/* ---- What the next cards can do ------------------------------------------------------------- */

/* Returns how many stations the largest number of the deck could mark on a line. */
static int run_of(const struct comparison *c, const struct es_sheet *sheet, int l)
{
    const int card = ES_CARD_NUMBER + c->most_number - 1;
    if (!c->map->line[l].ring)
        return es_sheet_reach(c->map, sheet, card, l, ES_DIRECTION_NONE);
    int a = es_sheet_reach(c->map, sheet, card, l, ES_DIRECTION_BACKWARDS);
    int b = es_sheet_reach(c->map, sheet, card, l, ES_DIRECTION_FORWARDS);
    return a > b ? a : b;
}

/* A line whose next empty stations are cut off from the others by a mark, so that a number marks
 * few there. */
static void compare_runs(const struct comparison *c, struct facts *facts)
{
    int worst = -1, most = 0;
    for (int l = 0; l < c->map->lines && c->most_number; l++) {
        const struct es_sheet *better = &c->better.after, *played = &c->played.after;
        if (es_sheet_free(better, l) == 0 || es_sheet_free(played, l) == 0)
            continue;
        int by = run_of(c, better, l) - run_of(c, played, l);
        int filled = line_left(better, l) - line_left(played, l);
        /* Not because the entry played has filled more of it. */
        if (by > (filled > 0 ? filled : 0) && by > most &&
            run_of(c, played, l) < line_left(played, l)) {
            worst = l;
            most = by;
        }
    }
    if (worst >= 0)
        add(facts, &(struct fact){
                       .what = "run",
                       .weight = 2 * most,
                       .line = worst,
                       .station = -1,
                       .number = {{"marks", run_of(c, &c->better.after, worst)},
                                  {"playedMarks", run_of(c, &c->played.after, worst)}},
                   });
}

/* Finds the station where a transfer would be worth most as the next card; returns the number that
 * it would get there, or 0. */
static int next_transfer(const struct comparison *c, const struct es_sheet *sheet, int *station)
{
    int most = 0;
    for (int l = 0; l < c->map->lines; l++)
        for (int d = ES_DIRECTION_BACKWARDS; d <= ES_DIRECTION_FORWARDS; d++) {
            uint64_t first = es_sheet_taken(c->map, sheet, l, c->map->line[l].ring ? d : 0, 1);
            if (!sheet->open[l] || es_sheet_free(sheet, l) == 0)
                continue;
            int s = c->map->line[l].stop[__builtin_ctzll(first)];
            if (es_map_calls(c->map, s) > most) {
                most = es_map_calls(c->map, s);
                *station = s;
            }
        }
    return most;
}

static void compare_transfers(const struct comparison *c, struct facts *facts)
{
    const struct es_verplant_deck *deck = es_verplant_deck(c->setup);
    uint64_t pile = c->now->card == ES_CARD_SIX ? ~(uint64_t)0 : c->now->pile;
    int left = __builtin_popcountll(pile & deck->copies[ES_CARD_TRANSFER]);
    int there = -1, unused;
    int better = next_transfer(c, &c->better.after, &there);
    int played = next_transfer(c, &c->played.after, &unused);
    if (left > 0 && better > played)
        add(facts, &(struct fact){
                       .what = "next_transfer",
                       .weight = 2 * (better - played),
                       .line = -1,
                       .station = there,
                       .number = {{"number", better},
                                  {"points", 2 * better},
                                  {"playedPoints", 2 * played},
                                  {"left", left}},
                   });
}

/* ---- Progress ------------------------------------------------------------------------------- */

/* Returns how much nearer an entry has come to the points of a line, all of them at most. */
static int progress(const struct comparison *c, const struct entry *entry, int l)
{
    int before = line_left(c->sheet, l), after = line_left(&entry->after, l);
    if (before == after || is_beyond(c, &entry->after, l))
        return 0;
    return 16 * line_points(c, l) * (before - after) / (before * (after + 1));
}

/* The line that the better entry brings nearest to its completion, if that is worth more than what
 * the entry played does for any line. */
static void compare_progress(const struct comparison *c, struct facts *facts)
{
    int line = -1, best = 0, other = 0;
    for (int l = 0; l < c->map->lines; l++) {
        int a = progress(c, &c->better, l), b = progress(c, &c->played, l);
        int left = line_left(&c->better.after, l);
        if (a > best && left > 0 && left < line_left(&c->played.after, l)) {
            best = a;
            line = l;
        }
        other = b > other ? b : other;
    }
    if (line >= 0 && best > other)
        add(facts, &(struct fact){
                       .what = "nearer",
                       .weight = 1 + best / 16,
                       .line = line,
                       .station = -1,
                       .number = {{"points", line_points(c, line)},
                                  {"left", line_left(&c->better.after, line)},
                                  {"playedLeft", line_left(&c->played.after, line)},
                                  {"windows", es_sheet_free(&c->better.after, line)}},
                   });
}

/* A window that the entry played uses on a line that is not complete after it and can still be,
 * while the better one does without. */
static void compare_windows(const struct comparison *c, struct facts *facts)
{
    for (int l = 0; l < c->map->lines; l++) {
        int free = es_sheet_free(&c->played.after, l), left = line_left(&c->played.after, l);
        int kept = es_sheet_free(&c->better.after, l);
        if (free >= kept || left == 0 || is_beyond(c, &c->played.after, l))
            continue;
        add(facts, &(struct fact){
                       .what = "window",
                       .weight = 1 + line_points(c, l) * left / (4 * (free + 1)),
                       .line = l,
                       .station = -1,
                       .number = {{"points", line_points(c, l)},
                                  {"left", left},
                                  {"windows", kept},
                                  {"playedWindows", free}},
                   });
    }
}

/* Returns on how many lines that were not complete an entry marks a station. */
static int lines_helped(const struct comparison *c, const struct entry *entry)
{
    int count = 0;
    for (int l = 0; l < c->map->lines; l++)
        count += c->sheet->open[l] != entry->after.open[l];
    return count;
}

static void compare_lines(const struct comparison *c, struct facts *facts)
{
    int better = lines_helped(c, &c->better), played = lines_helped(c, &c->played);
    if (better > played)
        add(facts, &(struct fact){
                       .what = "lines",
                       .weight = better - played,
                       .line = -1,
                       .station = -1,
                       .number = {{"count", better}, {"playedCount", played}},
                   });
}

/* ---- Writing -------------------------------------------------------------------------------- */

static void write_lines(struct es__writer *w, const char *name, const struct es_map *map,
                        uint32_t lines)
{
    es__write_array(w, name);
    for (int l = 0; l < map->lines; l++)
        if (lines >> l & 1)
            es__write_str(w, NULL, (struct es_str){&map->line[l].letter, 1});
    es__write_end(w);
}

static void write_fact(struct es__writer *w, const struct es_map *map, const struct fact *fact)
{
    es__write_object(w, NULL);
    es__write_text(w, "what", fact->what);
    if (fact->line >= 0)
        es__write_str(w, "line", (struct es_str){&map->line[fact->line].letter, 1});
    if (fact->station >= 0) {
        es__write_text(w, "station", map->station[fact->station].id);
        es__verplant_station_fact(w, "name", map, fact->station);
    }
    if (fact->lines[0] | fact->lines[1]) {
        write_lines(w, "lines", map, fact->lines[0]);
        write_lines(w, "playedLines", map, fact->lines[1]);
    }
    for (int i = 0; fact->number[i].name; i++)
        es__write_int(w, fact->number[i].name, fact->number[i].value);
    es__write_end(w);
}

void es__verplant_compare(const struct es_setup *setup, const struct es_state *view, int player,
                          es_event played, es_event better, struct es__writer *w)
{
    const struct es_verplant_state *now = es_verplant_state(view);
    struct facts facts = {.count = 0};
    struct comparison c = {
        .setup = setup, .map = setup->map, .now = now, .sheet = &now->sheet[player - 1]};
    if (!look_after(&c, view, player, better, &c.better) ||
        !look_after(&c, view, player, played, &c.played))
        return;
    for (int kind = 0; kind < ES_CARD_TRANSFER; kind++)
        if (es_verplant_deck(setup)->copies[kind]) {
            int marks = es_card_marks(kind);
            c.most = marks > c.most ? marks : c.most;
            if (kind < ES_CARD_EXPRESS)
                c.most_number = marks;
        }
    compare_points(&c, &facts);
    compare_beyond(&c, &facts);
    compare_lost(&c, &facts);
    compare_runs(&c, &facts);
    compare_transfers(&c, &facts);
    compare_windows(&c, &facts);
    compare_progress(&c, &facts);
    compare_lines(&c, &facts);
    for (int i = 0; i < facts.count; i++)
        write_fact(w, setup->map, &facts.best[i]);
}
