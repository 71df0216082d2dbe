/* The bots of metro: the list, and greedy and casual, which do not look ahead. bots_search.c has
 * the searching ones. */
#include "games/metro/bots.h"

/* ---- greedy --------------------------------------------------------------------------------- */

/* Returns how far a player is ahead of each of the others, added up, as things stand: a line counts
 * the tiles that it has crossed so far, doubled at a central station, and one more as long as it
 * can grow. If only finished lines counted, greedy would end its own at the first chance and lose
 * to random. */
static int lead_now(const struct es_setup *setup, const struct es_board *board, int player)
{
    int lead = 0;
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_line line = es_board_line(board, station);
        int owner = es_station_owner(setup->players, station);
        int worth = line.end < ES_END_RIM ? line.tiles + 1 : es_line_points(line);
        if (owner > 0)
            lead += owner == player ? (setup->players - 1) * worth : -worth;
    }
    return lead;
}

/* Takes the best lead that a tile brings; among equals, any. Draws if every placement loses some of
 * the lead. */
static es_event think_greedy(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    (void)bot;
    const struct es_board *board = &es_metro_state(view)->board;
    es_event events[ES_LEGAL_MAX], best = 0;
    struct es_random random;
    uint32_t equals = 0;
    int most = 0;
    es_random_seed(&random, thought->seed);
    thought->done = thought->candidates = 0;
    size_t count = setup->game->legal(setup, view, player, events);
    for (size_t i = 0; i < count; i++) {
        struct es_board after = *board;
        if (ES_METRO_IS_LAY(events[i])) {
            int tile = ES_METRO_LAY_TILE(events[i]), quarters = ES_METRO_LAY_QUARTERS(events[i]);
            es_board_lay(&after, setup->players, ES_METRO_LAY_SQUARE(events[i]),
                         es_tile_turned[tile][quarters]);
        }
        int lead = lead_now(setup, &after, player);
        if (equals > 0 && lead < most)
            continue;
        equals = equals > 0 && lead == most ? equals + 1 : 1;
        most = lead;
        if (es_random_below(&random, equals) == 0)
            best = events[i];
    }
    return best;
}

/* ---- casual --------------------------------------------------------------------------------- */

/* Plays like a person who knows the game but does not calculate: evaluates placements like the
 * searching bots' quick player, but with an error of a few points, and overlooks some squares.
 * Draws if no placement is good enough. */
static es_event think_casual(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    enum {
        MISJUDGED = 3,  /* largest error in points, either way */
        OVERLOOKED = 2, /* of ten squares */
    };
    (void)bot;
    const struct es_metro_state *s = es_metro_state(view);
    struct es__metro_values *values = es__thought_memory(thought);
    struct es__metro_move moves[ES__MOVES_MAX];
    struct es_random random;
    const uint8_t *tiles = s->hand[player - 1];
    int held = s->held[player - 1];
    es_event best = 0;
    float most = -1e9f;
    if (s->drawn != ES_TILE_NONE) {
        tiles = &s->drawn;
        held = 1;
    }
    es_random_seed(&random, thought->seed);
    thought->done = thought->candidates = 0;
    es__metro_values_load(values, setup, es__metro_learned_for(setup));
    uint64_t unseen = 0;
    for (int square = 0; square < ES_SQUARES; square++)
        unseen |= (uint64_t)(es_random_below(&random, 10) < OVERLOOKED) << square;
    for (int i = 0; i < held; i++) {
        int count = es__metro_moves(values, &s->board, player - 1, tiles[i], moves);
        for (int m = 0; m < count; m++) {
            float off = (float)((int)es_random_below(&random, 201) - 100) * (MISJUDGED / 100.0f);
            float worth = moves[m].gain + off;
            /* Overlooked squares are used only if there is no other. */
            if (unseen >> moves[m].square & 1)
                worth -= 1000;
            if (worth > most) {
                most = worth;
                best = ES_METRO_LAY(player, tiles[i], moves[m].quarters, moves[m].square);
            }
        }
    }
    return most < 1 && s->drawn == ES_TILE_NONE && s->stock > 0 ? ES_METRO_DRAW(player) : best;
}

/* ---- strong and master ---------------------------------------------------------------------- */

/* Default iterations of strong and master, which are otherwise the same bot. More than a thousand
 * or so bring little: strong should lose now and then, and master does not use all its time. */
enum { STRONG_USUAL = 400, MASTER_USUAL = 20000 };

static es_event think_search(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    return es__metro_search(es__metro_learned_for(setup), setup, view, player, bot->parameter,
                            thought);
}

static const struct es__bot_entry list[] = {
    {.name = "greedy", .think = think_greedy},
    {.name = "casual", .think = think_casual},
    {.name = "strong", .think = think_search, .ms = 50, .parameter = STRONG_USUAL},
    {.name = "master", .think = think_search, .ms = 1000, .parameter = MASTER_USUAL},
    {.name = NULL},
};

/* A bot cannot play if the view hides its player's tiles. */
static es_status fault(const struct es_setup *setup, const struct es_state *view, int player)
{
    (void)setup;
    const struct es_metro_state *s = es_metro_state(view);
    int held = s->held[player - 1];
    bool blind = held > 0 && s->hand[player - 1][held - 1] == ES_TILE_UNKNOWN;
    return blind || s->drawn == ES_TILE_UNKNOWN ? ES_VIEW_BLIND : ES_OK;
}

const struct es_bots es__metro_bots = {
    .list = list, .bytes = sizeof(struct es__metro_values), .fault = fault};
