/* The fixed games of `bench` for verplant. */
#include <endstation/verplant.h>
#include <games.h>

/* One solo game as search plays it, on a bare sheet: a card, all choices, one of them, and so on.
 * The next card is drawn while the entry is still being made, so that its kind, which nothing can
 * foresee, is known early. Not inlined, so that callgrind can count it alone. */
__attribute__((noinline)) static void bench_verplant_sheet(const struct es_setup *setup,
                                                           struct bench_streams *source,
                                                           struct bench_result *result)
{
    const struct es_map *map = setup->map;
    struct bench_streams random = *source; /* stays in registers */
    const uint64_t whole = ((uint64_t)1 << es_verplant_deck(setup)->size) - 1;
    struct es_sheet sheet;
    es_choice choices[ES_CHOICES_MAX];
    uint64_t pile = whole, hash = result->signature, rounds = 0, listed = 0;
    es_sheet_blank(map, &sheet);
    int next = es_verplant_deck(setup)->card[es_verplant_draw(setup, pile, &random.cards)];
    for (bool more = true; more; rounds++) {
        int card = next;
        uint64_t copies = pile & es_verplant_deck(setup)->copies[card];
        /* As in the rules, but without a branch on what nothing can foresee. */
        pile = (pile ^ (copies & -copies)) | (whole & -(uint64_t)(card == ES_CARD_SIX));
        more = sheet.windows_left > (card != ES_CARD_FREE_RIDE);
        if (more)
            next = es_verplant_deck(setup)->card[es_verplant_draw(setup, pile, &random.cards)];
        size_t count = es_sheet_choices(map, &sheet, card, choices);
        es_choice choice = choices[es_random_below(&random.choices, (uint32_t)count)];
        listed += count;
        if (card != ES_CARD_FREE_RIDE)
            es_sheet_enter(map, &sheet, card, choice);
        else if (choice != ES_CHOICE_NO_RIDE)
            es_sheet_mark(map, &sheet, choice - 1);
        es_sheet_score(map, &sheet, 0);
        hash = bench_hash(bench_hash(hash, ES_VERPLANT_CARD(card)), ES_VERPLANT_ENTRY(1, choice));
    }
    *source = random;
    result->moves += rounds;
    result->events += 2 * rounds;
    result->choices += listed;
    result->points += (uint64_t)(sheet.points + 2 * sheet.framed - es_sheet_empty(&sheet));
    result->signature = hash;
}

/* The same game through the interface that all games have, every event checked. */
__attribute__((noinline)) static void bench_verplant_game(const struct es_setup *setup,
                                                          struct bench_streams *random,
                                                          struct bench_result *result)
{
    struct es_state state;
    es_event events[ES_LEGAL_MAX], event;
    es_verplant.start(setup, &state);
    for (;;) {
        const struct es_turn turn = es_verplant.turn(setup, &state);
        if (turn.kind == ES_TURN_OVER)
            break;
        if (turn.kind == ES_TURN_CHANCE) {
            int place = es_verplant_draw(setup, es_verplant_state(&state)->pile, &random->cards);
            event = ES_VERPLANT_CARD(es_verplant_deck(setup)->card[place]);
        } else {
            size_t count = es_verplant.legal(setup, &state, 1, events);
            event = events[es_random_below(&random->choices, (uint32_t)count)];
            result->moves++;
            result->choices += count;
        }
        es_verplant.apply(setup, &state, event);
        result->signature = bench_hash(result->signature, event);
        result->events++;
    }
    result->points += (uint64_t)es_verplant.score(setup, &state, 1);
}

const struct bench_ways bench_ways_verplant = {
    .game = &es_verplant,
    .search = bench_verplant_sheet,
    .interface = bench_verplant_game,
    .bots = (const char *const[]){"flat:20000", "strong", "master", NULL},
};
