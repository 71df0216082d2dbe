/* How many ways three small games can go, counted and stored: a fingerprint of the rules that any
 * other program can be held against (`endstation perft`). Every distinct card counts once; with
 * several players each order of their entries counts. The first figures are derived by hand; the
 * last step of each count is checked against the plain model. */
#include "check.h"
#include "model.h"

struct count {
    const char *header, *map;
    uint64_t perft[8]; /* perft[d - 1]: sequences of d events; 0 ends the list */
};

#define MAP "endstation-map 1\nid small\ntitle Small\npaper ffffff\n"

static const struct count counts[] = {
    /* Two lines of two stations that share one, a window each; a deck of a 6 and a transfer.
     *   1: either card                                                                        2
     *   2: a 6 may mark 0, 1 or 2 stations of A or B (6 ways); a transfer 0 or 1 (4 ways)    10
     *   3: behind the 6 both cards are in the pile again, behind the transfer only the 6     16
     *   4: the other line has the last window. Behind a 6 on A0 A1 A2 B0 B1 B2 it has, for a 6 and
     *      a transfer together, 5 5 4 5 4 4 ways; behind a transfer on A0 A1 B0 B1, for the 6,
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
                              const struct model *model, int depth)
{
    uint64_t sum = 0;
    for (int who = 0; who <= setup->players; who++) {
        es_event events[ES_LEGAL_MAX];
        size_t count = setup->game->legal(setup, state, who, events);
        if (depth == 1) {
            assert_int_equal(count, model_choices(model, who));
            sum += count;
            continue;
        }
        for (size_t i = 0; i < count; i++) {
            struct es_state next = *state;
            struct model plain = *model;
            assert_int_equal(setup->game->apply(setup, &next, events[i]), ES_OK);
            model_apply(&plain, check_event(setup, events[i]));
            sum += checked_perft(setup, &next, &plain, depth - 1);
        }
    }
    return sum;
}

static void stored_counts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        char text[256];
        struct es_fault fault;
        struct es_state start;
        struct model model;
        struct es_record record = {.capacity = 0};
        check_map(&map, counts[i].map);
        snprintf(text, sizeof text, "endstation-record 1\ngame verplant\nmap small\n%s",
                 counts[i].header);
        assert_int_equal(es_record_header(&record, es_str(text), &fault), ES_OK);
        assert_int_equal(es_record_events(&record, &map, &start, &fault), ES_OK);
        model_start(&model, &record.setup);
        for (int d = 1; counts[i].perft[d - 1] > 0; d++) {
            uint64_t count = es_perft(&record.setup, &start, d);
            if (count != counts[i].perft[d - 1])
                fail_msg("game %zu, depth %d: %llu instead of %llu", i, d,
                         (unsigned long long)count, (unsigned long long)counts[i].perft[d - 1]);
            assert_int_equal(checked_perft(&record.setup, &start, &model, d), count);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(stored_counts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
