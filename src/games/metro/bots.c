/* The players of metro. greedy and casual look at the board as it is; those who search are in
 * bots_search.c. */
#include "games/metro/bots.h"

/* ---- greedy --------------------------------------------------------------------------------- */

/* What the lines that a placement finishes bring the player, and all others together. */
static void points_now(const struct es_setup *setup, const struct es_metro_state *s, int player,
                       es_event event, int *mine, int *others)
{
    struct es_line lines[4];
    int tile = ES_METRO_LAY_TILE(event), quarters = ES_METRO_LAY_QUARTERS(event);
    int look = es_tile_turned[tile][quarters];
    int count = es_board_finishes(&s->board, ES_METRO_LAY_SQUARE(event), look, lines);
    *mine = *others = 0;
    for (int i = 0; i < count; i++) {
        int owner = es_station_owner(setup->players, lines[i].station);
        if (owner == player)
            *mine += es_line_points(lines[i]);
        else if (owner > 0)
            *others += es_line_points(lines[i]);
    }
}

/* Most points for itself now; among equals least for the others; among equals any. To draw brings
 * nothing and gives nothing. */
static es_event think_greedy(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    enum { MUCH = 4096 }; /* more than all points of a game */
    (void)bot;
    es_event events[ES_LEGAL_MAX], best = 0;
    struct es_random random;
    uint32_t equals = 0;
    int most = 0;
    es_random_seed(&random, thought->seed);
    thought->done = thought->candidates = 0;
    size_t count = setup->game->legal(setup, view, player, events);
    for (size_t i = 0; i < count; i++) {
        int mine = 0, others = 0;
        if (ES_METRO_IS_LAY(events[i]))
            points_now(setup, es_metro_view(view), player, events[i], &mine, &others);
        int worth = MUCH * mine - others;
        if (equals > 0 && worth < most)
            continue;
        equals = equals > 0 && worth == most ? equals + 1 : 1;
        most = worth;
        if (es_random_below(&random, equals) == 0)
            best = events[i];
    }
    return best;
}

/* ---- casual --------------------------------------------------------------------------------- */

/* Plays as one does who knows the game but does not count: has an idea of which lines are going
 * where, likes what makes its own longer and others' shorter, misjudges every placement by a few
 * points, and does not see some of them at all. Draws when it likes nothing. */
static es_event think_casual(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    enum {
        MISJUDGED = 3,  /* points, either way */
        OVERLOOKED = 2, /* of ten squares */
    };
    (void)bot;
    const struct es_metro_state *s = es_metro_view(view);
    struct es__metro_values values;
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
    es__metro_values_load(&values, setup, es__metro_learned_for(setup));
    uint64_t unseen = 0;
    for (int square = 0; square < ES_SQUARES; square++)
        unseen |= (uint64_t)(es_random_below(&random, 10) < OVERLOOKED) << square;
    for (int i = 0; i < held; i++) {
        int count = es__metro_moves(&values, &s->board, player - 1, tiles[i], moves);
        for (int m = 0; m < count; m++) {
            float off = (float)((int)es_random_below(&random, 201) - 100) * (MISJUDGED / 100.0f);
            float worth = moves[m].gain + off;
            /* What was overlooked is found when there is nothing else. */
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

/* The same player with different patience. Trials beyond a thousand or so bring little, so that
 * strong, who is to be beaten now and then, is content with few, and master does not use all its
 * time. */
enum { STRONG_USUAL = 400, MASTER_USUAL = 20000 };

static es_event think_search(const struct es_bot *bot, const struct es_setup *setup,
                             const struct es_state *view, int player, struct es_thought *thought)
{
    return es__metro_search(es__metro_learned_for(setup), setup, view, player, bot->number,
                            thought);
}

static const struct es__bot_entry list[] = {
    {.name = "greedy", .think = think_greedy},
    {.name = "casual", .think = think_casual},
    {.name = "strong", .think = think_search, .ms = 50, .number = STRONG_USUAL},
    {.name = "master", .think = think_search, .ms = 1000, .number = MASTER_USUAL},
    {.name = NULL},
};

/* Nobody can play tiles that they do not see. */
static es_status fault(const struct es_setup *setup, const struct es_state *view, int player)
{
    (void)setup;
    const struct es_metro_state *s = es_metro_view(view);
    int held = s->held[player - 1];
    bool blind = held > 0 && s->hand[player - 1][held - 1] == ES_TILE_UNKNOWN;
    return blind || s->drawn == ES_TILE_UNKNOWN ? ES_VIEW_BLIND : ES_OK;
}

const struct es_bots es__metro_bots = {.list = list, .fault = fault};
