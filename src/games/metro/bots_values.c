/* Values of open lines, and the quick player that uses them. */
#include "games/metro/bots.h"

/* ---- Places --------------------------------------------------------------------------------- */

/* The end as the board's n-th symmetry shows it: up to three quarter turns, then perhaps the
 * mirror. Trains keep right in a mirror too: only the names of two letters change places. */
static unsigned turned_end(int square, int side, int n)
{
    int column = square % 8, row = square / 8;
    for (int i = 0; i < (n & 3); i++) {
        int kept = column;
        column = 7 - row;
        row = kept;
        side = (side + 1) & 3;
    }
    if (n & 4) {
        column = 7 - column;
        side = (4 - side) & 3;
    }
    return es__end[8 * row + column] + (unsigned)side;
}

void es__metro_places(uint8_t place[240])
{
    uint8_t count = 0;
    for (int square = 0; square < ES_SQUARES; square++)
        for (int side = 0; side < 4 && !(ES_CENTRE >> square & 1); side++) {
            unsigned end = es__end[square] + (unsigned)side, first = end;
            for (int n = 1; n < 8; n++) {
                unsigned other = turned_end(square, side, n);
                first = other < first ? other : first;
            }
            place[end] = first == end ? count++ : place[first];
        }
}

void es__metro_values_load(struct es__metro_values *values, const struct es_setup *setup,
                           const struct es__metro_learned *learned)
{
    const float one = 1.0f / ES__TABLE_ONE;
    uint8_t place[240];
    memset(values, 0, sizeof *values);
    values->players = setup->players;
    values->rotate = setup->rules & ES_METRO_ROTATE;
    /* Found by experiment: about the average gain of a tile's best placement. */
    values->draw_threshold = 1.5f + 5 / (float)setup->players;
    es__metro_places(place);
    for (int stage = 0; stage < ES__STAGES; stage++) {
        for (int i = 0; i < 8; i++)
            values->way[stage][i] = (float)learned->way[stage][i & 3] * one;
        for (int end = 0; end < 240; end++) {
            const int16_t *worth = learned->worth[stage][place[end]];
            values->end[stage][end] =
                (struct es__worth){(float)worth[0] * one, (float)worth[1] * one};
        }
        values->end[stage][ES_END_RIM] = (struct es__worth){1, 0};
        values->end[stage][ES_END_CENTRE] = (struct es__worth){2, 0};
    }
    /* Four ends per square, so an end's number without the last two bits identifies its square. */
    for (int square = 0; square < ES_SQUARES; square++)
        if (!(ES_CENTRE >> square & 1))
            memcpy(values->exits[es__end[square] / 4], es__beyond[square], 4);
    /* What one gains the others lose together: all of them are as much in the way. */
    for (int player = 0; player < setup->players; player++)
        for (int end = 0; end < 240; end++) {
            int seat = es__station[end] ? es__seat[setup->players][es__station[end]] : ES__NOBODY;
            values->weight[player][end] = seat == ES__NOBODY ? 0
                                          : seat == player   ? 1
                                                             : -1 / (float)(setup->players - 1);
        }
}

/* ---- Gains ---------------------------------------------------------------------------------- */

/* A free square as the player at turn sees it. */
struct outlook {
    struct es__worth beyond[4]; /* by exit: of a line that leaves there, by its tiles before */
    float weight[4], tiles[4];  /* by way in: whose line waits there, and how long it is */
    float now;                  /* what the waiting lines are worth */
    bool returns;               /* some exit leads back to this square */
    unsigned first;
    uint16_t out[4];
};

/* Computes everything that does not depend on the tile, once for a square. Tracks that the tile
 * itself would change farther on are taken as they are: laying it first would cost more than the
 * error does. */
static inline void look_at(const struct es__metro_values *values, const struct es_board *board,
                           int stage, int player, int square, struct outlook *outlook)
{
    unsigned first = es__end[square];
    const float *weight = values->weight[player];
    struct es__worth mean[4] = {{0, 0}};
    outlook->first = first;
    outlook->returns = false;
    for (unsigned i = 0; i < 4; i++) {
        unsigned out = board->ends[es__beyond[square][i]];
        struct es__worth beyond = es__worth_ahead(values, stage, board, out & 255);
        beyond.extra += beyond.factor * (float)((out >> 8) + 1);
        outlook->beyond[i] = beyond;
        outlook->out[i] = (uint16_t)out;
        outlook->returns |= (out & 252) == first;
        const float *way = values->way[stage] + 4 + i;
        for (int from = 0; from < 4; from++) {
            mean[from].factor += way[-from] * beyond.factor;
            mean[from].extra += way[-from] * beyond.extra;
        }
    }
    outlook->now = 0;
    for (unsigned i = 0; i < 4; i++) {
        unsigned in = board->ends[first + i];
        outlook->weight[i] = weight[in & 255];
        outlook->tiles[i] = (float)(in >> 8);
        outlook->now += outlook->weight[i] * (mean[i].factor * outlook->tiles[i] + mean[i].extra);
    }
}

/* gain() for a square to which a line may come back: follows the line. */
static float gain_returning(const struct outlook *outlook, int look)
{
    float sum = -outlook->now;
    for (unsigned i = 0; i < 4; i++) {
        if (outlook->weight[i] == 0)
            continue;
        unsigned side = i, exit = es_tile_exit[look][i];
        float tiles = outlook->tiles[i];
        while ((outlook->out[exit] & 252) == outlook->first) {
            tiles += (float)((outlook->out[exit] >> 8) + 1);
            side = outlook->out[exit] & 3;
            exit = es_tile_exit[look][side];
        }
        sum += outlook->weight[i] *
               (outlook->beyond[exit].factor * tiles + outlook->beyond[exit].extra);
    }
    return sum;
}

/* Returns the change in value of all lines through the square, weighted by owner. */
static inline float gain(const struct outlook *outlook, int look)
{
    if (outlook->returns)
        return gain_returning(outlook, look);
    float sum = -outlook->now;
    for (unsigned i = 0; i < 4; i++) {
        struct es__worth beyond = outlook->beyond[es_tile_exit[look][i]];
        sum += outlook->weight[i] * (beyond.factor * outlook->tiles[i] + beyond.extra);
    }
    return sum;
}

int es__metro_moves(const struct es__metro_values *values, const struct es_board *board, int player,
                    int tile, struct es__metro_move *moves)
{
    uint64_t squares[4];
    int stage = es__metro_stage(board->laid), count = 0;
    int looks = es_board_places(board, tile, values->rotate, squares);
    for (uint64_t left = es_board_open(board); left; left &= left - 1) {
        int square = __builtin_ctzll(left);
        struct outlook outlook;
        look_at(values, board, stage, player, square, &outlook);
        for (int q = 0; q < looks; q++)
            if (squares[q] >> square & 1) {
                int look = es_tile_turned[tile][q];
                moves[count++] =
                    (struct es__metro_move){gain(&outlook, look), (uint8_t)tile, (uint8_t)look,
                                            (uint8_t)square, (uint8_t)q};
            }
    }
    return count;
}

struct es__metro_move es__metro_best(const struct es__metro_values *values,
                                     const struct es_board *board, int player, const uint8_t *tiles,
                                     int count)
{
    uint64_t squares[ES_HAND_MAX][4], any = 0;
    int looks[ES_HAND_MAX], stage = es__metro_stage(board->laid);
    struct es__metro_move best = {.gain = -1e9f};
    for (int i = 0; i < count; i++) {
        looks[i] = es_board_places(board, tiles[i], values->rotate, squares[i]);
        for (int q = 0; q < looks[i]; q++)
            any |= squares[i][q];
    }
    for (uint64_t left = any; left; left &= left - 1) {
        int square = __builtin_ctzll(left);
        struct outlook outlook;
        look_at(values, board, stage, player, square, &outlook);
        for (int i = 0; i < count; i++)
            for (int q = 0; q < looks[i]; q++) {
                if (!(squares[i][q] >> square & 1))
                    continue;
                int look = es_tile_turned[tiles[i]][q];
                float now = gain(&outlook, look);
                if (now > best.gain)
                    best = (struct es__metro_move){now, tiles[i], (uint8_t)look, (uint8_t)square,
                                                   (uint8_t)q};
            }
    }
    return best;
}

/* ---- Turns ---------------------------------------------------------------------------------- */

void es__metro_lay(const struct es__metro_values *values, struct es__metro_game *game,
                   struct es__metro_move move)
{
    int player = game->player;
    es_board_lay(&game->board, values->players, move.square, move.look);
    if (game->drawn != ES_TILE_NONE) {
        game->drawn = ES_TILE_NONE;
    } else {
        uint8_t *hand = game->hand[player];
        int at = 0;
        while (hand[at] != move.tile)
            at++;
        if (game->next < game->size)
            hand[at] = game->stock[game->next++];
        else
            hand[at] = hand[--game->held[player]];
    }
    if (es__metro_over(game))
        return;
    do
        player = player + 1 < values->players ? player + 1 : 0;
    while (game->held[player] == 0 && game->next == game->size);
    game->player = (uint8_t)player;
}

void es__metro_play(const struct es__metro_values *values, struct es__metro_game *game)
{
    int player = game->player, held = game->held[player];
    struct es__metro_move move;
    /* Whether to draw is decided before the tile is known, as in the game. */
    if (game->drawn == ES_TILE_NONE) {
        move = es__metro_best(values, &game->board, player, game->hand[player], held);
        if (game->next < game->size && (held == 0 || move.gain < values->draw_threshold))
            game->drawn = game->stock[game->next++];
    }
    if (game->drawn != ES_TILE_NONE)
        move = es__metro_best(values, &game->board, player, &game->drawn, 1);
    es__metro_lay(values, game, move);
}

void es__metro_expect(const struct es__metro_values *values, const struct es_board *board,
                      float points[ES_PLAYERS_MAX])
{
    int stage = es__metro_stage(board->laid);
    for (int p = 0; p < values->players; p++)
        points[p] = (float)es_board_points(board, p + 1);
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        struct es_line line = es_board_line(board, station);
        int seat = es__seat[values->players][station];
        if (line.end >= ES_END_RIM || seat == ES__NOBODY)
            continue;
        struct es__worth worth = es__worth_ahead(values, stage, board, line.end);
        points[seat] += worth.factor * (float)line.tiles + worth.extra;
    }
}
