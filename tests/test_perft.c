/* Golden counts of event sequences, for small games and for beginnings and ends of games: a
 * fingerprint of the rules that other programs can be compared with (`endstation perft`). Every
 * distinct card or tile counts once; with several players each order of their entries counts. The
 * first figures are derived by hand; the last step of each count is checked against the reference
 * implementations. */
#include "plain.h"

struct count {
    const char *header, *map;
    uint64_t perft[8]; /* perft[d - 1]: sequences of d events; 0 ends the list */
};

#define MAP "endstation-map 1\nid small\ntitle Small\npaper ffffff\n"

static const struct count counts[] = {
    /* Two lines of two stations that share one, a window each; a deck of a 6 and a transfer.
     *   1: either card                                                                        2
     *   2: a 6 may mark 0, 1 or 2 stations of A or B (6 ways); a transfer 0 or 1 (4 ways)    10
     *   3: after the 6 both cards are in the pile again, after the transfer only the 6       16
     *   4: the other line has the last window. After a 6 on A0 A1 A2 B0 B1 B2 it has, for a 6 and
     *      a transfer together, 5 5 4 5 4 4 ways; after a transfer on A0 A1 B0 B1, for the 6,
     *      3 3 3 2: 27 + 11                                                                  38
     *   5: the game is over                                                                    */
    {"players 1\ndeck 6 +\n",
     MAP "station a 0 0\nstation b 1 0\nstation c 2 0\n"
         "line A ff0000 windows 1 points 2 1 wagon 0 0 : a b\n"
         "line B 00ff00 windows 1 points 3 1 wagon 0 0 : b c\n",
     {2, 10, 16, 38, 0}},
    /* A ring of three and a line; express cards and a free ride.
     *   1: 6, x2 or o                                                                         3
     *   2: 6: on the ring C0, and 1 to 3 marks each way (7), on A 0 to 2 (3); x2: 5 + 3;
     *      o: four stations or none: 10 + 8 + 5                                               23 */
    {"players 1\ndeck 6 x2 o\n",
     MAP "station a 0 0\nstation b 1 0\nstation c 2 0\nstation d 3 0\n"
         "line C ff0000 windows 2 points 4 2 wagon 0 0 ring : a b c\n"
         "line A 00ff00 windows 1 points 2 2 wagon 0 0 : c d\n",
     {3, 23, 56, 310, 701, 2475, 3822, 0}},
    /* Two players and special stations.
     *   1: 1 or 6                                                                             2
     *   2: each player has with a 1: A0 A1 B0 B1; with a 6: A0 A1 A2 B0 B1 B2: 2*4 + 2*6     20
     *   3: A1 and A2 mark the special station a, so the player has B to choose from as well as the
     *      other player everything: with a 1: 4 + (2 + 4) + 4 + 4, with a 6: 6 + (3 + 6) + (2 + 6)
     *      + 6 + 6 + 6, each for two players: 2 * 18 + 2 * 41                               118 */
    {"players 2\nrules special\ndeck 1 6\n",
     MAP "station a 0 0 special\nstation b 1 0\nstation c 2 0\n"
         "line A ff0000 windows 1 points 2 1 wagon 0 0 : a b\n"
         "line B 00ff00 windows 1 points 3 1 wagon 0 0 : b c\n",
     {2, 20, 118, 310, 834, 1548, 0}},
};

static struct es_map map;

static uint64_t checked_perft(const struct es_setup *setup, const struct es_state *state,
                              const struct plain *plain, int depth)
{
    uint64_t sum = 0;
    for (int who = 0; who <= setup->players; who++) {
        es_event events[ES_LEGAL_MAX];
        size_t count = setup->game->legal(setup, state, who, events);
        if (depth == 1) {
            assert_int_equal(count, plain_choices(plain, who));
            sum += count;
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            struct es_state next = *state;
            struct plain next_plain = *plain;
            assert_int_equal(setup->game->apply(setup, &next, events[i]), ES_OK);
            plain_apply(&next_plain, events[i]);
            sum += checked_perft(setup, &next, &next_plain, depth - 1);
        }
    }
    return sum;
}

/* Counts to every depth in the table, by the engine alone and step by step with the reference
 * implementation. */
static void check_counts(const struct es_setup *setup, const struct es_state *state,
                         const struct plain *plain, const uint64_t perft[8])
{
    enum { DEEPEST = 8 };
    void *memory = malloc(es_perft_bytes(DEEPEST));
    assert_non_null(memory);
    for (int d = 1; d <= DEEPEST && perft[d - 1] > 0; d++) {
        uint64_t count = es_perft(setup, state, d, memory);
        if (count != perft[d - 1])
            fail_msg("%s for %d players, depth %d: %llu instead of %llu", setup->game->name,
                     setup->players, d, (unsigned long long)count,
                     (unsigned long long)perft[d - 1]);
        assert_int_equal(checked_perft(setup, state, plain, d), count);
    }
    free(memory);
}

static void stored_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char text[256];
        struct es_fault fault;
        struct es_state start;
        struct plain plain;
        struct es_record record = {.capacity = 0};
        check_map(&map, counts[i].map);
        snprintf(text, sizeof text, "endstation-record 1\ngame verplant\nmap small\n%s",
                 counts[i].header);
        assert_int_equal(es_record_header(&record, es_str(text), &fault), ES_OK);
        assert_int_equal(es_record_events(&record, &map, &start, &fault), ES_OK);
        plain_start(&plain, &record.setup);
        check_counts(&record.setup, &start, &plain, counts[i].perft);
    }
}

/* ---- metro --------------------------------------------------------------------------------- */

struct metro_count {
    int players;
    uint32_t rules;
    int laid; /* tiles laid at random before the counting begins */
    uint64_t perft[8];
};

static const struct metro_count metro_counts[] = {
    /* From the start:
     *   1, 2: any tile to each player: every tile has at least two copies               24, 576
     *   3: player 1 draws, or lays on the 28 squares of the edge, less those where a line would be
     *      too short: aaaa has 28 squares; aacb and its like 26; cbcb and bcbc 26; cccc and bbbb
     *      24; dacc and dbba and their like 18; ddbc and its like, adad and dada 12; dddd 28, by
     *      the exception. All 24 tiles: 4 * 26 + 28 + 2 * 26 + 2 * 24 + 8 * 18 +
     *      4 * 12 + 2 * 12 + 28 = 476, with 24 draws 500, for each second tile           12000 */
    {2, 0, 0, {24, 576, 12000, 287691, 0}},
    /*   3: every direction separately, 16 * 26 + 28 + 4 * 26 + 2 * 24 + 32 * 18 + 16 * 12 +
     *      4 * 12 + 28 = 1440 squares, with 24 draws 1464, for each second tile          35136 */
    {2, ES_METRO_ROTATE, 0, {24, 576, 35136, 0}},
    /* Ends of games, to the last tile: first with two tiles in the stock, then without stock. */
    {2, 0, 56, {5, 10, 33, 48, 73, 114, 102, 36}},
    {3, ES_METRO_HAND2, 54, {12, 120, 960, 2880, 5760, 5760, 0}},
    {2, ES_METRO_ROTATE | ES_METRO_HAND3, 57, {4, 22, 22, 0}},
};

static void stored_metro_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof metro_counts / sizeof metro_counts[0]; i++) {
        const struct metro_count *c = &metro_counts[i];
        struct es_setup setup = {
            .game = &es_metro, .players = (uint8_t)c->players, .rules = c->rules};
        struct es_state now;
        struct plain plain;
        struct es_random random;
        uint8_t seed[ES_SEED_BYTES] = {(uint8_t)i};
        es_random_seed(&random, i);
        assert_int_equal(es_setup_prepare(&setup), ES_OK);
        es_metro.start(&setup, &now);
        plain_start(&plain, &setup);
        while (c->laid > 0 && (es_metro_laid(es_metro_state(&now)) < c->laid ||
                               es_metro_state(&now)->phase != ES_METRO_TURN)) {
            es_event events[ES_LEGAL_MAX], event;
            if (es_metro.turn(&setup, &now).kind == ES_TURN_CHANCE) {
                event = es_metro.deal(&setup, &now, seed);
            } else {
                size_t count = es_metro.legal(&setup, &now, es_metro_state(&now)->player, events);
                event = events[es_random_below(&random, (uint32_t)count)];
            }
            assert_int_equal(es_metro.apply(&setup, &now, event), ES_OK);
            plain_apply(&plain, event);
        }
        check_counts(&setup, &now, &plain, c->perft);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stored_counts),
                                       cmocka_unit_test(stored_metro_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
