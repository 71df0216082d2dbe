/* Monte Carlo search for metro: strong and master.
 *
 * Each iteration guesses what is hidden: it deals the tiles that the player has not seen to the
 * other hands and the stock. On every guess candidates are tried: the move is made, the quick
 * player of bots_values.c plays some turns for everybody, and the values of all lines then estimate
 * who will win. Candidates are tried on the same guesses, so that luck with tiles does not decide
 * between them; promising ones are tried more often.
 */
#include "games/metro/bots.h"

enum {
    ALWAYS = 4, /* this many of the best candidates are tried on every guess */
};

/* The error of an estimate after one try; it falls with the square root of the number of tries. */
#define CAUTION 0.1f
/* The value of a point, where a win is 1. */
#define POINT 0.0005f

struct option {
    struct es__metro_move move;
    es_event event;
    uint32_t samples;
    bool draw;
    double better; /* sum of its lead over the best few on the same guess */
    double points;
    double estimate;
};

struct search {
    struct es__metro_guess guess;
    struct es_random random;
    struct option option[ES_CANDIDATES_MAX];
    int options;
    double level, levels; /* sum of the best few's shares of the win, and the number of tries */
};

/* ---- Trying --------------------------------------------------------------------------------- */

/* Returns the number of turns to play before evaluating. Looking farther ahead is better, but adds
 * chance that only many guesses average out. */
static int depth(uint64_t done)
{
    enum { FIRST = 5, STEP = 2, MANY = 8192 };
    int turns = FIRST;
    for (; done >= MANY; done /= 2)
        turns += STEP;
    return turns;
}

static void try(const struct search *search, const struct option *option, int turns,
                struct es__metro_outcome *outcome)
{
    struct es__metro_game game = search->guess.game;
    if (option->draw) {
        game.drawn = game.stock[game.next++];
        es__metro_play(search->guess.values, &game);
    } else {
        es__metro_lay(search->guess.values, &game, option->move);
    }
    for (; turns > 0 && !es__metro_over(&game); turns--)
        es__metro_play(search->guess.values, &game);
    es__metro_judge(&search->guess, &game, outcome);
    if (option->draw) {
        float *share = &outcome->share[search->guess.player];
        *share += es__metro_draw_bonus(*share);
    }
}

/* ---- Candidates ----------------------------------------------------------------------------- */

/* Adds a candidate to the list, which is sorted by gain, best first. */
static void add(struct search *search, struct option option)
{
    int at = search->options;
    if (at == ES_CANDIDATES_MAX) {
        if (option.move.gain <= search->option[at - 1].move.gain)
            return;
        at--;
    } else {
        search->options++;
    }
    for (; at > 0 && search->option[at - 1].move.gain < option.move.gain; at--)
        search->option[at] = search->option[at - 1];
    search->option[at] = option;
}

static void list(struct search *search, const struct es_metro_state *s)
{
    struct es__metro_move moves[ES__MOVES_MAX];
    const uint8_t *tiles = s->hand[search->guess.player];
    int count = s->held[search->guess.player], who = s->player;
    if (s->drawn != ES_TILE_NONE) {
        tiles = &s->drawn;
        count = 1;
    }
    for (int i = 0; i < count; i++) {
        if (i > 0 && tiles[i] == tiles[i - 1])
            continue;
        int found =
            es__metro_moves(search->guess.values, &s->board, search->guess.player, tiles[i], moves);
        for (int m = 0; m < found; m++)
            add(search, (struct option){.move = moves[m],
                                        .event = ES_METRO_LAY(who, tiles[i], moves[m].quarters,
                                                              moves[m].square)});
    }
    if (s->drawn == ES_TILE_NONE && s->stock > 0)
        add(search, (struct option){.move = {.gain = search->guess.values->draw_threshold},
                                    .event = ES_METRO_DRAW(who),
                                    .draw = true});
}

/* Sorts the candidates by estimate, lowered for those tried seldom (raised, if caution is below 0,
 * to try them again). */
static void rank(struct search *search, float caution)
{
    for (int i = 0; i < search->options; i++) {
        struct option now = search->option[i];
        int at = i;
        if (now.samples > 0) {
            double n = now.samples;
            now.estimate = now.better / n - (double)(caution / __builtin_sqrtf((float)n));
        } else {
            now.estimate = -1000 - i;
        }
        for (; at > 0 && search->option[at - 1].estimate < now.estimate; at--)
            search->option[at] = search->option[at - 1];
        search->option[at] = now;
    }
}

/* Makes one guess and tries on it the candidates that are due. */
static void round_of(struct search *search, uint32_t number, struct es_thought *thought)
{
    int tried[ES_CANDIDATES_MAX], count = 0, best = 0, turns = depth(thought->done);
    float value[ES_CANDIDATES_MAX];
    double level = 0;
    for (int i = 0; i < search->options; i++) {
        uint32_t every = i < ALWAYS ? 1 : i < 8 ? 2 : i < 16 ? 4 : i < 32 ? 8 : 16;
        if (number % every != 0)
            continue;
        if (thought->done > 0 && es__stopped(thought))
            break;
        struct es__metro_outcome outcome;
        try(search, &search->option[i], turns, &outcome);
        /* Points break the tie when the win is decided: a sure loser loses by little. */
        value[count] = outcome.share[search->guess.player] + POINT * outcome.ahead;
        search->option[i].points += (double)outcome.points;
        search->option[i].samples++;
        thought->done++;
        if (i < ALWAYS) {
            level += (double)value[count];
            search->level += (double)outcome.share[search->guess.player];
            search->levels++;
            best++;
        }
        tried[count++] = i;
    }
    if (best == 0)
        return;
    level /= best;
    for (int i = 0; i < count; i++)
        search->option[tried[i]].better += (double)value[i] - level;
}

static es_event answer(struct search *search, struct es_thought *thought)
{
    rank(search, CAUTION);
    double level = search->levels > 0 ? search->level / search->levels : 0;
    thought->candidates = 0;
    for (int i = 0; i < search->options && search->option[i].samples > 0; i++) {
        const struct option *option = &search->option[i];
        double win = level + option->estimate;
        thought->candidate[thought->candidates++] = (struct es_candidate){
            .event = option->event,
            .samples = option->samples,
            .points = (float)(option->points / option->samples),
            .win = win < 0   ? 0
                   : win > 1 ? 1
                             : (float)win,
        };
    }
    return search->option[0].event;
}

es_event es__metro_search(const struct es__metro_learned *learned, const struct es_setup *setup,
                          const struct es_state *view, int player, uint64_t usual,
                          struct es_thought *thought)
{
    const struct es_metro_state *s = es_metro_state(view);
    struct search search;
    struct es__metro_values *values = es__thought_memory(thought);
    es__metro_values_load(values, setup, learned);
    search.guess.values = values;
    search.options = 0;
    search.level = search.levels = 0;
    es_random_seed(&search.random, thought->seed);
    es__metro_look(&search.guess, s, player - 1);
    list(&search, s);
    thought->done = thought->candidates = 0;
    if (search.options == 1)
        return search.option[0].event;
    const uint64_t asked = thought->iterations;
    if (!asked)
        thought->iterations = usual;
    for (uint32_t number = 0; number == 0 || !es__stopped(thought); number++) {
        if (number > 0)
            rank(&search, -CAUTION);
        es__metro_shuffle_pool(&search.guess, &search.random);
        es__metro_deal_pool(&search.guess, s);
        round_of(&search, number, thought);
    }
    thought->iterations = asked;
    return answer(&search, thought);
}
