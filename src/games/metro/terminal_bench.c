/* `bench` for metro: times random games, and the operations of search on bare boards. */
#include "cli/bench.h"
#include "games/metro/bench.h"
#include "games/metro/terminal.h"
#include <games.h>

/* Times what search does besides laying: copying boards, and finding what a tile would finish. */
static void bench_boards(void)
{
    enum { BOARDS = 64, COPIES = 4000000, ROUNDS = 60 };
    static struct es_board boards[BOARDS], copies[BOARDS];
    struct es_random random;
    uint64_t asked = 0, finished = 0;
    es_random_seed(&random, 3);
    for (int i = 0; i < BOARDS; i++) {
        uint8_t order[ES_METRO_TILES], list[ES_LIST_MAX];
        es__metro_shuffle(&random, order);
        es_board_blank(&boards[i]);
        for (int k = 0; k < 20 + i % 20; k++) {
            unsigned count = es_squares_list(es_board_squares(&boards[i], order[k]), list);
            es_board_lay(&boards[i], 2, list[es_random_below(&random, count)], order[k]);
        }
    }
    double start = bench_now_ns();
    for (int i = 0; i < COPIES; i++) {
        copies[i % BOARDS] = boards[i * 7 % BOARDS];
        __asm__ volatile("" ::"r"(&copies[i % BOARDS])
                         : "memory"); /* keeps the compiler from merging the copies */
    }
    double copied = bench_now_ns();
    for (int i = 0; i < BOARDS * ROUNDS; i++)
        for (int tile = 0; tile < ES_TILE_KINDS; tile++) {
            const struct es_board *board = &boards[i % BOARDS];
            struct es_line lines[4];
            for (uint64_t left = es_board_squares(board, tile); left; left &= left - 1, asked++)
                finished += (uint64_t)es_board_finishes(board, __builtin_ctzll(left), tile, lines);
        }
    printf("metro: a board of %zu bytes copied in %.1f ns; asked what a tile would finish (%.2f "
           "lines) in %.1f ns\n",
           sizeof(struct es_board), (copied - start) / COPIES, (double)finished / (double)asked,
           (bench_now_ns() - copied) / (double)asked);
}

int es__metro_bench(unsigned games, char line[BENCH_LINE_BYTES])
{
    struct es_setup setup;
    struct es_fault fault;
    if (bench_setup(&es_metro, NULL, &setup, &fault))
        return CLI_BAD_INPUT;
    int status =
        bench_game(&setup, games, "a tile laid; two players, who lay what they have in hand", line);
    if (status == CLI_OK)
        bench_boards();
    return status;
}
