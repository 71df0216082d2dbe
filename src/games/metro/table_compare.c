/* Why one move of metro is better than another: what each does to the lines of the board, for the
 * analysis. table.h lists the facts. All follow from the rules alone; weights, which guess what
 * they are worth, only decide which two are told. */
#include "games/metro/table.h"

enum { POINT = 64 }; /* in weights */

/* Both moves: the board after each. Drawing a tile changes nothing on it. */
struct comparison {
    const struct es_setup *setup;
    const struct es_metro_state *now;
    struct es_board better, played;
    int player;
    int unseen; /* tiles */
    int hope;   /* what an open line may still gain, as a weight */
};

static bool look_after(const struct comparison *c, const struct es_state *view, es_event event,
                       struct es_board *board)
{
    struct es_state state = *view;
    if (ES_EVENT_WHO(event) != c->player || c->setup->game->apply(c->setup, &state, event))
        return false;
    *board = es_metro_state(&state)->board;
    return true;
}

/* ---- A line --------------------------------------------------------------------------------- */

/* A station's line, and what the next tile could do to it on the square that it leads to: how many
 * of the tiles that the player has not seen would end it short (at the edge, with at most SHORT
 * tiles more) or in the centre, and the most points that would be; and how many tiles long it would
 * be at most. */
enum { SHORT = 2 };
struct line {
    struct es_line now;
    int square; /* -1: it is finished */
    int edge, edge_points, centre, centre_points, ahead;
};

static bool is_open(struct es_line line)
{
    return line.end < ES_END_RIM;
}

/* Returns what would become of an open line if a tile lay on the square that it leads to. */
static struct es_line with_tile(const struct es_board *board, struct es_line line, int square,
                                int look)
{
    const unsigned first = es__end[square];
    unsigned tiles = line.tiles, to = line.end;
    do { /* at most four times: over this tile, and back to it */
        const unsigned out = board->ends[es__beyond[square][es_tile_exit[look][to - first]]];
        tiles += 1 + (out >> 8);
        to = out & 255;
    } while (to - first < 4);
    return (struct es_line){line.station, (uint8_t)tiles, (uint8_t)to};
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* Adds what the tiles of one kind could do. */
static void add_tile(const struct comparison *c, const struct es_board *board, int tile,
                     struct line *line)
{
    const int looks = c->setup->rules & ES_METRO_ROTATE ? 4 : 1;
    bool edge = false, centre = false;
    for (int q = 0; q < looks; q++) {
        const struct es_line after =
            with_tile(board, line->now, line->square, es_tile_turned[tile][q]);
        if (after.end == ES_END_RIM && after.tiles == 1)
            continue; /* over this tile alone it may not run */
        line->ahead = larger(line->ahead, after.tiles);
        if (after.end == ES_END_RIM && after.tiles <= line->now.tiles + SHORT) {
            edge = true;
            line->edge_points = larger(line->edge_points, es_line_points(after));
        } else if (after.end == ES_END_CENTRE) {
            centre = true;
            line->centre_points = larger(line->centre_points, es_line_points(after));
        }
    }
    line->edge += edge ? c->now->unseen[tile] : 0;
    line->centre += centre ? c->now->unseen[tile] : 0;
}

static struct line line_of(const struct comparison *c, const struct es_board *board, int station)
{
    struct line line = {.now = es_board_line(board, station), .square = -1};
    if (!is_open(line.now))
        return line;
    line.square = es__metro_square_at(line.now.end);
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        if (c->now->unseen[tile] > 0)
            add_tile(c, board, tile, &line);
    return line;
}

/* ---- Facts ---------------------------------------------------------------------------------- */

/* What about a line differs, if it is open after both moves. */
enum { TILES, EDGE, CENTRE, AHEAD, ASPECTS };

/* A line after both moves. */
struct fact {
    struct line better, played;
    int owner;
    int weight; /* what the player gains by it with the better move; 0: nothing to tell */
    int aspect; /* the one that gains most, if the line is open after both */
};

/* An aspect is told of the move after which there is more of it: the better one if the player likes
 * that. */
static bool told_of_better(bool own, int aspect)
{
    return own == (aspect != EDGE);
}

/* Returns what an aspect of a line is worth to its owner. */
static int worth(const struct comparison *c, const struct line *line, int aspect)
{
    if (aspect == TILES)
        return is_open(line->now) ? line->now.tiles * POINT + c->hope
                                  : es_line_points(line->now) * POINT;
    if (c->unseen == 0 || !is_open(line->now))
        return 0;
    if (aspect == AHEAD)
        return (line->ahead - line->now.tiles - 1) * POINT / 4;
    return aspect == EDGE ? -line->edge * c->hope / c->unseen
                          : line->centre * line->centre_points * POINT / 2 / c->unseen;
}

/* Returns by how much an aspect of a line is larger after the first move than after the second. */
static int excess(const struct line *a, const struct line *b, int aspect)
{
    switch (aspect) {
    case TILES:
        return a->now.tiles - b->now.tiles;
    case EDGE:
        return a->edge - b->edge;
    case CENTRE:
        return a->centre - b->centre;
    default:
        return a->ahead - b->ahead;
    }
}

static struct fact fact_of(const struct comparison *c, int station)
{
    struct fact fact = {.better = line_of(c, &c->better, station),
                        .played = line_of(c, &c->played, station),
                        .owner = es_station_owner(c->setup->players, station),
                        .aspect = -1};
    const bool own = fact.owner == c->player;
    const bool open = is_open(fact.better.now) && is_open(fact.played.now);
    int most = 0;
    for (int i = 0; i < ASPECTS && fact.owner; i++) {
        int gain = worth(c, &fact.better, i) - worth(c, &fact.played, i);
        /* What one of several others loses is not all the player's gain. */
        gain = own ? gain : -gain / (c->setup->players - 1);
        fact.weight += gain;
        const struct line *more = told_of_better(own, i) ? &fact.better : &fact.played;
        const struct line *less = told_of_better(own, i) ? &fact.played : &fact.better;
        if (gain > most && excess(more, less, i) >= (i == AHEAD ? 2 : 1)) {
            most = gain;
            fact.aspect = i;
        }
    }
    if (open && fact.aspect < 0)
        fact.weight = 0;
    return fact;
}

static void write_aspect(const struct comparison *c, const struct fact *fact, struct es__writer *w)
{
    static const char *const own_kinds[] = {"longer", "exposed", "aim", "ahead"};
    static const char *const other_kinds[] = {"lengthen", "threat", "aim_other", "ahead_other"};
    const bool own = fact->owner == c->player;
    const int aspect = fact->aspect;
    const bool of_better = told_of_better(own, aspect);
    const struct line *line = of_better ? &fact->better : &fact->played;
    const struct line *other = of_better ? &fact->played : &fact->better;
    es__write_text(w, "what", (own ? own_kinds : other_kinds)[aspect]);
    es__write_int(w, "station", line->now.station);
    es__write_int(w, "owner", fact->owner);
    es__write_int(w, "tiles", line->now.tiles);
    if (aspect == TILES) {
        es__write_int(w, of_better ? "playedTiles" : "betterTiles", other->now.tiles);
        return;
    }
    es__metro_square_fact(w, "to", line->square);
    if (aspect == AHEAD) {
        es__write_int(w, "most", line->ahead);
        es__write_int(w, of_better ? "playedMost" : "betterMost", other->ahead);
        return;
    }
    /* The bound holds after both moves. */
    const int points = aspect == EDGE ? line->edge_points : line->centre_points;
    const int others = aspect == EDGE ? other->edge_points : other->centre_points;
    es__write_int(w, "points", others > points ? others : points);
    es__write_int(w, "ways", aspect == EDGE ? line->edge : line->centre);
    es__write_int(w, of_better ? "playedWays" : "betterWays",
                  aspect == EDGE ? other->edge : other->centre);
    es__write_int(w, "unseen", c->unseen);
}

static void write_fact(const struct comparison *c, const struct fact *fact, struct es__writer *w)
{
    const bool own = fact->owner == c->player;
    /* The line as it is after the move that the player gains or suffers by, and after the other. */
    const struct es_line line = own ? fact->better.now : fact->played.now;
    const struct es_line other = own ? fact->played.now : fact->better.now;
    es__write_object(w, NULL);
    if (!is_open(line)) {
        es__write_text(w, "what", own ? "finish" : "give");
        es__metro_line_facts(w, c->setup, line);
        es__write_int(w, own ? "playedPoints" : "betterPoints", es_line_points(other));
    } else if (!is_open(other)) {
        es__write_text(w, "what", own ? "cut" : "stop");
        es__metro_line_facts(w, c->setup, other);
    } else {
        write_aspect(c, fact, w);
    }
    es__write_end(w);
}

/* Writes what is to be said about drawing a tile in general, where one of the moves is that. */
static void write_draw(es_event played, es_event better, struct es__writer *w)
{
    if (ES_METRO_IS_LAY(played) == ES_METRO_IS_LAY(better))
        return;
    const es_event lay = ES_METRO_IS_LAY(played) ? played : better;
    es__write_object(w, NULL);
    es__write_text(w, "what", lay == played ? "keep" : "blind");
    es__metro_tile_fact(w, "tile", ES_METRO_LAY_TILE(lay));
    es__write_end(w);
}

void es__metro_compare(const struct es_setup *setup, const struct es_state *view, int player,
                       es_event played, es_event better, struct es__writer *w)
{
    struct comparison c = {.setup = setup, .now = es_metro_state(view), .player = player};
    struct fact best[2] = {{.weight = 0}, {.weight = 0}};
    if (!look_after(&c, view, better, &c.better) || !look_after(&c, view, played, &c.played))
        return;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        c.unseen += c.now->unseen[tile];
    c.hope = POINT + 4 * POINT * (ES_METRO_TILES - es_metro_laid(c.now)) / ES_METRO_TILES;
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct fact fact = fact_of(&c, station);
        if (fact.weight > best[0].weight) {
            best[1] = best[0];
            best[0] = fact;
        } else if (fact.weight > best[1].weight) {
            best[1] = fact;
        }
    }
    for (int i = 0; i < 2 && best[i].weight > 0; i++)
        write_fact(&c, &best[i], w);
    if (best[0].weight == 0)
        write_draw(played, better, w);
}
