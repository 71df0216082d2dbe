/* Trains the values of metro's open lines by self-play, and writes src/games/metro/bots_trained.c.
 *
 *     cmake --build build --target metro_values
 *     build/metro_values [QUICK [SEARCHING [TABLES]]] > src/games/metro/bots_trained.c
 *
 * First the quick player of src/games/metro/bots_values.c plays QUICK games against itself, with
 * the values learned so far and some random moves; then searching players play SEARCHING games.
 * After each game, the prediction for every open line at every tile laid is compared with the
 * points that the line brought. The two numbers of the places that it was made from, and the
 * probabilities of the four ways, are then moved a little towards the truth. The games are the same
 * on every machine; only their numbers change the result.
 */
#include "games/metro/bots.h"
#include <stdio.h>
#include <stdlib.h>

struct learner {
    struct es__metro_values values;
    float worth[ES__STAGES][ES__PLACES][2];
    uint8_t place[240];
    struct es_random random;
    double error[ES__STAGES], margin[ES__STAGES];
    long errors[ES__STAGES], margins[ES__STAGES];
};

static void begin(struct learner *l, const struct es_setup *setup, uint64_t seed)
{
    struct es__metro_learned first;
    for (int stage = 0; stage < ES__STAGES; stage++) {
        const int16_t way[4] = {51, 64, 77, 64}; /* how often tiles have the letters d, b, a, c */
        memcpy(first.way[stage], way, sizeof way);
        for (int place = 0; place < ES__PLACES; place++) {
            first.worth[stage][place][0] = 280;
            first.worth[stage][place][1] = (int16_t)(200 * (ES__STAGES - stage));
        }
    }
    memset(l, 0, sizeof *l);
    es__metro_values_load(&l->values, setup, &first);
    es__metro_places(l->place);
    for (int stage = 0; stage < ES__STAGES; stage++)
        for (int place = 0; place < ES__PLACES; place++)
            for (int i = 0; i < 2; i++)
                l->worth[stage][place][i] =
                    (float)first.worth[stage][place][i] / (float)ES__TABLE_ONE;
    es_random_seed(&l->random, seed);
}

static void deal(struct learner *l, const struct es_setup *setup, struct es__metro_game *game)
{
    memset(game, 0, sizeof *game);
    es_board_blank(&game->board);
    game->drawn = ES_TILE_NONE;
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        for (int i = 0; i < es_tile_copies[tile]; i++)
            game->stock[game->size++] = (uint8_t)tile;
    for (uint32_t i = ES_METRO_TILES - 1; i > 0; i--) {
        uint32_t j = es_random_below(&l->random, i + 1);
        uint8_t kept = game->stock[i];
        game->stock[i] = game->stock[j];
        game->stock[j] = kept;
    }
    for (int i = 0; i < es_metro_hand_size(setup); i++)
        for (int p = 0; p < setup->players; p++) {
            game->hand[p][i] = game->stock[game->next++];
            game->held[p]++;
        }
}

/* Learns from one line: its prediction and the points it brought. */
static void learn(struct learner *l, const struct es_board *board, int station, float truth,
                  float rate)
{
    struct es_line line = es_board_line(board, station);
    int stage = es__metro_stage(board->laid);
    if (line.end >= ES_END_RIM)
        return;
    float guess = 0, after[4], tiles[4];
    unsigned place[4];
    float *way = l->values.way[stage];
    for (unsigned i = 0; i < 4; i++) {
        unsigned track = board->ends[l->values.exits[line.end >> 2][i]], end = track & 255;
        struct es__worth worth = l->values.end[stage][end];
        place[i] = end < ES_END_RIM ? l->place[end] : ES__PLACES;
        tiles[i] = (float)(line.tiles + (track >> 8) + 1);
        after[i] = worth.factor * tiles[i] + worth.extra;
        guess += way[4 + i - (line.end & 3)] * after[i];
    }
    float off = truth - guess;
    l->error[stage] += off * off;
    l->errors[stage]++;
    off = off > 20 ? 20 : off < -20 ? -20 : off;
    for (unsigned i = 0; i < 4; i++) {
        float share = way[4 + i - (line.end & 3)];
        unsigned letter = (i - (line.end & 3)) & 3;
        way[letter] += rate * 0.00002f * off * (after[i] - guess);
        if (place[i] == ES__PLACES)
            continue;
        float *worth = l->worth[stage][place[i]];
        worth[0] += rate * 0.002f * off * share * tiles[i];
        worth[1] += rate * 0.05f * off * share;
        /* If all lines have the same length, factor and extra cannot be told apart; the factor is
         * kept between 0.8 and 2 points a tile. */
        worth[0] = worth[0] < 0.8f ? 0.8f : worth[0] > 2 ? 2 : worth[0];
    }
    /* Left and right are mirror images; the four probabilities add up to 1. */
    float turn = (way[1] + way[3]) / 2, sum = way[0] + way[2] + 2 * turn;
    way[1] = way[3] = turn;
    for (int i = 0; i < 4; i++)
        way[i + 4] = way[i] /= sum;
}

static void lay_out(struct learner *l)
{
    for (int stage = 0; stage < ES__STAGES; stage++)
        for (int end = 0; end < 240; end++) {
            const float *worth = l->worth[stage][l->place[end]];
            l->values.end[stage][end] = (struct es__worth){worth[0], worth[1]};
        }
}

static int rounded(float value)
{
    float scaled = value * ES__TABLE_ONE;
    return (int)(scaled < 0 ? scaled - 0.5f : scaled + 0.5f);
}

static void save(const struct learner *l, struct es__metro_learned *learned)
{
    for (int stage = 0; stage < ES__STAGES; stage++) {
        for (int i = 0; i < 4; i++)
            learned->way[stage][i] = (int16_t)rounded(l->values.way[stage][i]);
        for (int place = 0; place < ES__PLACES; place++)
            for (int i = 0; i < 2; i++)
                learned->worth[stage][place][i] = (int16_t)rounded(l->worth[stage][place][i]);
    }
}

/* Learns from all lines of a finished game, at every tile laid. */
static void learn_from(struct learner *l, const struct es_board *boards, int count,
                       const struct es_board *end, float rate)
{
    for (int i = 0; i < count; i++) {
        float points[ES_PLAYERS_MAX];
        int stage = es__metro_stage(boards[i].laid);
        es__metro_expect(&l->values, &boards[i], points);
        float off =
            points[0] - points[1] - (float)(es_board_points(end, 1) - es_board_points(end, 2));
        l->margin[stage] += off * off;
        l->margins[stage]++;
        for (int station = 1; station <= ES_METRO_STATIONS; station++)
            learn(l, &boards[i], station, (float)es_line_points(es_board_line(end, station)), rate);
    }
    lay_out(l);
}

/* Plays a game with the quick player, and learns from it. */
static void play_quickly(struct learner *l, const struct es_setup *setup, float rate)
{
    static struct es_board boards[ES_METRO_TILES];
    struct es__metro_game game;
    int count = 0;
    deal(l, setup, &game);
    while (!es__metro_over(&game)) {
        boards[count++] = game.board;
        if (es_random_below(&l->random, 16) > 0) {
            es__metro_play(&l->values, &game);
            continue;
        }
        struct es__metro_move moves[ES__MOVES_MAX];
        int player = game.player;
        int n = es__metro_moves(&l->values, &game.board, player, game.hand[player][0], moves);
        es__metro_lay(&l->values, &game, moves[es_random_below(&l->random, (uint32_t)n)]);
    }
    learn_from(l, boards, count, &game.board, rate);
}

/* Plays a game with players who search a little, by the rules and on views as in a real game, and
 * learns from it. */
static void play_searching(struct learner *l, const struct es_setup *setup, float rate)
{
    enum { USUAL = 120 };
    static struct es_board boards[ES_METRO_TILES];
    static es_event events[ES_EVENTS_MAX], scratch[ES_EVENTS_MAX];
    static struct es__metro_values memory;
    struct es__metro_learned learned;
    struct es_state state, view;
    const struct es_metro_state *s = es_metro_state(&state);
    uint8_t seed[ES_SEED_BYTES];
    size_t count = 0;
    int laid = 0;
    for (int i = 0; i < ES_SEED_BYTES; i++)
        seed[i] = (uint8_t)es_random_next(&l->random);
    save(l, &learned);
    es_metro.start(setup, &state);
    for (; s->phase != ES_METRO_OVER; count++) {
        es_event event;
        if (s->phase != ES_METRO_TURN) {
            event = es_metro.deal(setup, &state, seed);
        } else if (es_random_below(&l->random, 30) == 0) {
            es_event all[ES_LEGAL_MAX];
            size_t n = es_metro.legal(setup, &state, s->player, all);
            event = all[es_random_below(&l->random, (uint32_t)n)];
        } else {
            struct es_thought thought = {.memory = &memory, .seed = es_random_next(&l->random)};
            es_view(setup, &state, events, count, s->player, scratch, &view);
            event = es__metro_search(&learned, setup, &view, s->player, USUAL, &thought);
        }
        if (ES_METRO_IS_LAY(event))
            boards[laid++] = s->board;
        es_metro.apply(setup, &state, event);
        events[count] = event;
    }
    learn_from(l, boards, laid, &s->board, rate);
}

static void print(const struct learner *l)
{
    puts("    {\n        .way =\n            {");
    for (int stage = 0; stage < ES__STAGES; stage++) {
        const float *way = l->values.way[stage];
        printf("                {%d, %d, %d, %d},\n", rounded(way[0]), rounded(way[1]),
               rounded(way[2]), rounded(way[3]));
    }
    puts("            },\n        .worth =\n            {");
    for (int stage = 0; stage < ES__STAGES; stage++) {
        printf("                {");
        for (int place = 0; place < ES__PLACES; place++) {
            const float *worth = l->worth[stage][place];
            printf("%s{%d, %d}",
                   place == 0       ? ""
                   : place % 6 == 0 ? ",\n                 "
                                    : ", ",
                   rounded(worth[0]), rounded(worth[1]));
        }
        puts("},");
    }
    puts("            },\n    },");
}

static void forget_errors(struct learner *l)
{
    memset(l->error, 0, sizeof l->error), memset(l->errors, 0, sizeof l->errors);
    memset(l->margin, 0, sizeof l->margin), memset(l->margins, 0, sizeof l->margins);
}

/* Prints mean squared errors: of a line's points, and of the difference between two players. */
static void tell_errors(const struct learner *l, const struct es_setup *setup)
{
    fprintf(stderr, "%d players, rules %u:", setup->players, (unsigned)setup->rules);
    for (int stage = 0; stage < ES__STAGES; stage++)
        fprintf(stderr, "  %.1f %.0f", l->error[stage] / (double)l->errors[stage],
                l->margin[stage] / (double)l->margins[stage]);
    fputc('\n', stderr);
}

int main(int argc, char **argv)
{
    static struct learner l;
    static const float rates[] = {1, 0.3f, 0.1f, 0.03f};
    int quick = argc > 1 ? atoi(argv[1]) : 20000, searching = argc > 2 ? atoi(argv[2]) : 800;
    int tables = argc > 3 ? atoi(argv[3]) : ES__TABLES;
    puts("/* Trained values of open lines, written by training/metro_values.c: for 2 to 6 players, "
         "then the\n * same with rotation. */\n#include \"games/metro/bots.h\"\n\n"
         "/* clang-format off */\n"
         "const struct es__metro_learned es__metro_learned[ES__TABLES] = {");
    for (int table = 0; table < tables; table++) {
        struct es_setup setup = {.game = &es_metro, .players = (uint8_t)(table % 5 + 2)};
        setup.rules = table < 5 ? 0 : ES_METRO_ROTATE;
        begin(&l, &setup, (uint64_t)table + 1);
        for (int i = 0; i < quick; i++)
            play_quickly(&l, &setup, rates[i * 4 / quick]);
        tell_errors(&l, &setup);
        forget_errors(&l);
        for (int i = 0; i < searching; i++)
            play_searching(&l, &setup, rates[1 + i * 3 / searching]);
        tell_errors(&l, &setup);
        print(&l);
    }
    puts("};");
    return 0;
}
