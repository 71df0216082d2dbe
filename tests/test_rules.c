/* Tests of the rules of verplant: every sentence as a drawn position. The comment above each test
 * is the clause that it tests (docs/rules.md). */
#include "fixture.h"

static struct fixture t;

/* ---- Deck and rounds ----------------------------------------------------------------------- */

/* "The standard deck is 3 3 3 4 4 5 5 6 x2 x2 x3 + + o" */
static void the_standard_deck(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\ndeck 3 3 3 4 4 5 5 6 x2 x2 x3 + + o\n",
                "A 8 1/1 : a. b.\nB 8 1/1 : b. c.");
    struct es_setup standard = {.game = &es_verplant, .map = &t.map, .players = 1};
    assert_int_equal(es_setup_prepare(&standard), ES_OK);
    assert_int_equal(es_verplant_deck(&standard)->size, 14);
    assert_memory_equal(es_verplant_deck(&standard)->card, es_verplant_deck(&t.setup)->card, 14);
    expect_legal(&t, ES_CHANCE, "+ 3 4 5 6 o x2 x3");
}

/* "A game may use any other deck, with other numbers and express cards, if it has at least one
 * 6." */
static void a_deck_needs_a_six(void **state)
{
    (void)state;
    struct es_setup setup = {.game = &es_verplant, .players = 1, .map = &t.map};
    assert_int_equal(es_verplant_deck_read(&setup, es_str("6")), ES_OK);
    assert_int_equal(es_verplant_deck_read(&setup, es_str("3 + o x6")), ES_DECK_SIX);
    assert_int_equal(es_verplant_deck_read(&setup, es_str("6 0")), ES_CARD_BAD);
    assert_int_equal(es_verplant_deck_read(&setup, es_str("6 x10")), ES_CARD_BAD);
    assert_int_equal(es_verplant_deck_read(&setup, es_str("")), ES_DECK_SIZE);
    assert_int_equal(es_verplant_deck(&setup)->size, 1); /* a refused deck changes nothing */
    assert_int_equal(es_verplant_deck(&setup)->card[0], ES_CARD_SIX);
    ((struct es_verplant_deck *)setup.options)->card[0] = ES_CARD_TRANSFER;
    assert_int_equal(es_setup_prepare(&setup), ES_DECK_SIX);
    assert_int_equal(es_verplant_deck_read(&setup, es_str(es_verplant_deck_15)), ES_OK);
    assert_int_equal(es_verplant_deck(&setup)->size, 15);
}

/* "One card is revealed for everyone. Every player then makes one entry" */
static void a_round_is_a_card_and_one_entry_per_player(void **state)
{
    (void)state;
    start_sheet(&t, "players 3\n", "A 2 1/1 : a. b.\nB 2 1/1 : b. c.");
    expect_line(&t, "to-act chance");
    expect_refused(&t, "1 A0", ES_CHANCE_DUE);
    play(&t, "card 3");
    expect_line(&t, "to-act 1 2 3");
    expect_refused(&t, "card 4", ES_CHANCE_NOT_DUE);
    play(&t, "2 A1");
    expect_line(&t, "to-act 1 3");
    expect_refused(&t, "2 B1", ES_NOT_TO_ACT);
    play_all(&t, "3 B1;1 A0");
    expect_line(&t, "card -");
    expect_line(&t, "to-act chance");
    expect_line(&t, "round 1");
}

/* "all at the same time, hidden from the others until all have chosen" */
static void entries_are_hidden_until_all_are_in(void **state)
{
    (void)state;
    es_event seen[16];
    start_sheet(&t, "players 2\n", "A 2 1/1 : a. b.\nB 2 1/1 : b. c.");
    play_all(&t, "card 2;1 A1;2 A0;card 3;1 B1");
    assert_int_equal(es_verplant.observe(&t.setup, &t.state, t.events, t.count, 1, seen), 5);
    assert_int_equal(es_verplant.observe(&t.setup, &t.state, t.events, t.count, 2, seen), 4);
    assert_int_equal(es_verplant.observe(&t.setup, &t.state, t.events, t.count, 0, seen), 4);
    assert_int_equal(seen[3], t.events[3]); /* the card is public */
    play(&t, "2 B0");
    assert_int_equal(es_verplant.observe(&t.setup, &t.state, t.events, t.count, 0, seen), 6);
}

/* "if the card was a 6, all revealed cards go back and the pile is shuffled" */
static void after_a_six_all_cards_go_back(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\ndeck 3 6 x6\n", "A 8 1/1 : a. b.\nB 8 1/1 : b. c.");
    play_all(&t, "card 3;1 A0;2 A0");
    expect_legal(&t, ES_CHANCE, "6 x6");
    expect_refused(&t, "card 3", ES_CARD_GONE);
    expect_refused(&t, "card 4", ES_CARD_GONE);
    play_all(&t, "card x6;1 A0;2 A0"); /* an express card, not a 6 */
    expect_legal(&t, ES_CHANCE, "6");
    play_all(&t, "card 6;1 A0");
    expect_legal(&t, ES_CHANCE, ""); /* not before the round is over */
    play(&t, "2 A0");
    expect_legal(&t, ES_CHANCE, "3 6 x6");
}

/* ---- Entries by card ----------------------------------------------------------------------- */

/* Worked example 1, and "start at the train, follow the line to the first empty station, cross it
 * and then the stations directly after it; stop before the first station that is already marked" */
static void a_number_stops_before_a_mark(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : ax b. c. d. ex f.\nB 1 1/1 : a. f.");
    play(&t, "card 4");
    expect_legal(&t, 1, "A0 A1 A2 A3 B0 B1");
    expect_refused(&t, "1 A4", ES_MARKS_MANY);
    play(&t, "1 A3");
    expect_line(&t, "marks 1 a=x b=x c=x d=x e=x");
}

/* "up to n crosses" */
static void a_number_marks_no_more_than_its_value(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 8 5/3 : a. b. c. d. e.\nB 1 1/1 : a. e.");
    play(&t, "card 3");
    expect_refused(&t, "1 A4", ES_MARKS_MANY);
    play(&t, "1 A3");
    expect_line(&t, "marks 1 a=x b=x c=x");
}

/* "or at the end of the line" */
static void a_number_ends_with_the_line(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 8 5/3 : ax b. c.\nB 1 1/1 : a. b.");
    play(&t, "card 9");
    expect_refused(&t, "1 A3", ES_MARKS_MANY);
    play(&t, "1 A2");
    expect_line(&t, "marks 1 a=x b=x c=x");
}

/* Worked example 2, and "skipping marked stations: the crosses go to the first n empty stations of
 * the line" */
static void an_express_skips_marked_stations(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : a. bx c. dx ex f. g.\nB 1 1/1 : a. g.");
    play(&t, "card x3");
    expect_legal(&t, 1, "A0 A1 A2 A3 B0 B1 B2");
    play(&t, "1 A3");
    expect_line(&t, "marks 1 a=x b=x c=x d=x e=x f=x");
}

/* "An empty station is never skipped" */
static void an_express_skips_no_empty_station(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : ax b. c. d.\nB 1 1/1 : a. d.");
    play_all(&t, "card x2;1 A2");
    expect_line(&t, "marks 1 a=x b=x c=x");
}

/* "up to n crosses": an express card whose number is larger than the number of empty stations */
static void an_express_marks_all_that_are_left(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : a. bx c. dx\nB 1 1/1 : a. d.");
    play(&t, "card x9");
    expect_refused(&t, "1 A3", ES_MARKS_MANY);
    play(&t, "1 A2");
    expect_line(&t, "marks 1 a=x b=x c=x d=x");
}

/* Worked example 3, and "the first empty station after the train gets a framed number: how many
 * different lines stop there" */
static void a_transfer_frames_the_number_of_lines(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : ax b. c.\nB 1 1/1 : c. b.\nC 1 1/1 : d. b. e.");
    play(&t, "card +");
    expect_refused(&t, "1 A2", ES_MARKS_MANY);
    play(&t, "1 A1");
    expect_line(&t, "marks 1 a=x b=3");
    expect_line(&t, "windows 1 A:+ B: C:");
    expect_line(&t, "player 1 lines 0 transfers 6 empty 3 penalty 3 total 3");
}

/* "(at least 1)" */
static void a_transfer_at_a_station_of_one_line_is_a_one(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : a. b.\nB 1 1/1 : b. c.");
    play_all(&t, "card +;1 A1");
    expect_line(&t, "marks 1 a=1");
}

/* A free ride fills no window: "one cross in any empty station of the sheet" */
static void a_free_ride_crosses_any_empty_station(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 1 5/3 : a. bx c.\nB 1 1/1 : c. d.");
    play(&t, "card o");
    expect_legal(&t, 1, "@- @a @c @d");
    expect_refused(&t, "1 @b", ES_STATION_MARKED);
    expect_refused(&t, "1 A1", ES_RIDE_NOT_OPEN);
    expect_refused(&t, "1 A0", ES_RIDE_NOT_OPEN);
    expect_refused(&t, "1 @z", ES_STATION_UNKNOWN);
    play(&t, "1 @d");
    expect_line(&t, "marks 1 b=x d=x");
    expect_line(&t, "windows 1 A: B:");
    play(&t, "card 1");
    expect_refused(&t, "1 @a", ES_RIDE_NOT_OPEN);
}

/* "A player may always mark fewer stations than allowed, or none; this includes transfers and free
 * rides." */
static void fewer_marks_are_always_allowed(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 8 5/3 : a. b. c.\nB 1 1/1 : a. c.");
    play_all(&t, "card 3;1 A1;card x3;1 A0;card +;1 A0;card o;1 @-");
    expect_line(&t, "marks 1 a=x");
    expect_line(&t, "windows 1 A:3,x3,+ B:");
}

/* "But a window must always be filled (except for a free ride), even on a line that is already
 * complete." */
static void a_window_is_filled_even_on_a_complete_line(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : ax bx\nB 1 1/1 : b. c.");
    play(&t, "card 3");
    expect_legal(&t, 1, "A0 B0 B1");
    expect_refused(&t, "1 @-", ES_RIDE_NOT_OPEN);
    play(&t, "1 A0");
    expect_line(&t, "windows 1 A:3 B:");
    play_all(&t, "card +;1 A0"); /* a transfer with nothing left to frame fills one too */
    expect_line(&t, "windows 1 A:3,+ B:");
}

/* "A line with no free window cannot be chosen." */
static void a_full_line_cannot_be_chosen(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 1 5/3 : a. b. c.\nB 2 1/1 : c. d.");
    play_all(&t, "card 1;1 A1;card 2");
    expect_legal(&t, 1, "B0 B1 B2");
    expect_refused(&t, "1 A1", ES_LINE_FULL);
    expect_refused(&t, "1 A0", ES_LINE_FULL);
    expect_refused(&t, "1 Q0", ES_LINE_UNKNOWN);
}

/* ---- Rings --------------------------------------------------------------------------------- */

/* "the player chooses the direction again in every entry. In both directions the line begins at the
 * first station" */
static void a_ring_goes_both_ways_from_its_first_station(void **state)
{
    (void)state;
    static const char ring[] = "C 4 5/3 ring : a. b. c. d. e.\nB 1 1/1 : a. c.";
    start_sheet(&t, "players 1\n", ring);
    play(&t, "card 3");
    expect_legal(&t, 1, "B0 B1 B2 C0 C<1 C<2 C<3 C>1 C>2 C>3");
    expect_refused(&t, "1 C3", ES_RING_NEEDS_DIRECTION);
    expect_refused(&t, "1 C<0", ES_NO_RING);
    expect_refused(&t, "1 B>1", ES_NO_RING);
    play(&t, "1 C<3");
    expect_line(&t, "marks 1 a=x d=x e=x");
    play_all(&t, "card 1;1 C>1");
    expect_line(&t, "marks 1 a=x b=x d=x e=x");
    start_sheet(&t, "players 1\n", ring);
    play_all(&t, "card 3;1 C>3");
    expect_line(&t, "marks 1 a=x b=x c=x");
}

/* "and ends after one full round" */
static void a_ring_ends_after_one_full_round(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "C 4 5/3 ring : a. bx c. d.\nB 1 1/1 : a. c.");
    play(&t, "card 9");
    expect_legal(&t, 1, "B0 B1 B2 C0 C<1 C<2 C<3 C>1");
    play(&t, "1 C<3"); /* a, d, c; then b is marked, and the ring is complete */
    expect_line(&t, "marks 1 a=x b=x c=x d=x");
    start_sheet(&t, "players 1\n", "C 4 5/3 ring : ax b. c. dx\nB 1 1/1 : a. c.");
    play(&t, "card 9");
    expect_legal(&t, 1, "B0 B1 C0 C<1 C<2 C>1 C>2"); /* after d backwards come c, b; not a again */
    play_all(&t, "1 C<1");
    expect_line(&t, "marks 1 a=x c=x d=x");
}

/* The same for express cards and transfers. */
static void express_and_transfer_go_both_ways_round_a_ring(void **state)
{
    (void)state;
    static const char ring[] = "C 4 5/3 ring : ax b. c. dx e.\nB 1 1/1 : a. c.";
    start_sheet(&t, "players 1\n", ring);
    play_all(&t, "card x2;1 C<2");
    expect_line(&t, "marks 1 a=x c=x d=x e=x");
    play(&t, "card +");
    expect_legal(&t, 1, "B0 C0 C<1 C>1"); /* both directions even where they mark the same */
    start_sheet(&t, "players 1\n", ring);
    play_all(&t, "card +;1 C<1");
    expect_line(&t, "marks 1 a=x d=x e=1");
}

/* "A ring is complete when all its stations are marked." */
static void a_ring_is_complete_like_any_line(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "C 4 5/3 ring : a. b. c.\nB 1 1/1 : d. c.");
    play_all(&t, "card 2;1 C>2;card 1;1 C<1");
    expect_line(&t, "done 1 C=5");
}

/* ---- Special stations ---------------------------------------------------------------------- */

/* "a player who marks one with a number, an express card or a transfer must at once make another
 * entry with the same card, on the same or another line, in another free window" */
static void a_special_station_gives_another_entry(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\nrules special\n", "A 2 5/3 : a. b* c. d.\nB 2 1/1 : d. e.");
    play_all(&t, "card 2;1 A2");
    expect_line(&t, "card 2");
    expect_line(&t, "to-act 1");
    expect_legal(&t, 1, "A0 A1 A2 B0 B1 B2");
    play(&t, "1 A1"); /* the same line again */
    expect_line(&t, "to-act chance");
    expect_line(&t, "windows 1 A:2,2 B:");
    start_sheet(&t, "players 1\nrules special\n", "A 1 5/3 : a. b* c. d.\nB 2 1/1 : d. e.");
    play_all(&t, "card 2;1 A2");
    expect_refused(&t, "1 A1", ES_LINE_FULL);
    play(&t, "1 B2"); /* another line */
    expect_line(&t, "windows 1 A:2 B:2");
}

/* "with a number, an express card or a transfer" */
static void express_cards_and_transfers_give_another_entry_too(void **state)
{
    (void)state;
    static const char drawing[] = "A 3 5/3 : ax b* c. d.\nB 2 1/1 : d. e.";
    start_sheet(&t, "players 1\nrules special\n", drawing);
    play_all(&t, "card x1;1 A1");
    expect_line(&t, "to-act 1");
    play(&t, "1 B0");
    expect_line(&t, "to-act chance");
    start_sheet(&t, "players 1\nrules special\n", drawing);
    play_all(&t, "card +;1 A1");
    expect_line(&t, "marks 1 a=x b=1");
    expect_line(&t, "to-act 1");
    play(&t, "1 A1");
    expect_line(&t, "marks 1 a=x b=1 c=1");
    expect_line(&t, "to-act chance");
}

/* "Each special station marked means one more entry, and those entries can mean more" */
static void special_stations_add_up_in_chains(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\nrules special\n", "A 4 5/3 : a* b* c. d.\nB 4 1/1 : e* f. g.");
    play_all(&t, "card 3;1 A3"); /* two extra entries */
    expect_line(&t, "to-act 1");
    play(&t, "1 B1"); /* one of the two made, one more earned */
    expect_line(&t, "to-act 1");
    play(&t, "1 B0");
    expect_line(&t, "to-act 1");
    play(&t, "1 B2");
    expect_line(&t, "to-act chance");
    expect_line(&t, "windows 1 A:3 B:3,3,3");
}

/* "when the player's windows are full, entries still owed are dropped" */
static void owed_entries_are_dropped_with_the_last_window(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\nrules special\n", "A 1 5/3 : a* b*\nB 1 1/1 : b. c.");
    play_all(&t, "card 2;1 A2;1 B1");
    expect_line(&t, "over yes");
    expect_line(&t, "to-act -");
}

/* "Other players may make their entries in between." */
static void others_may_enter_before_owed_entries_are_made(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\nrules special\n", "A 3 5/3 : a* b. c.\nB 2 1/1 : c. d.");
    play_all(&t, "card 1;1 A1");
    expect_line(&t, "to-act 1 2");
    play_all(&t, "2 B1;1 A1");
    expect_line(&t, "to-act chance");
}

/* "Without the rule, special stations are ordinary ones." */
static void without_the_rule_special_stations_are_ordinary(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : a* b. c.\nB 2 1/1 : c. d.");
    play_all(&t, "card 1;1 A1");
    expect_line(&t, "to-act chance");
}

/* "A free ride that marks a special station gives no extra entry" */
static void a_free_ride_to_a_special_station_gives_no_entry(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\nrules special\n", "A 2 5/3 : a* b. c.\nB 2 1/1 : c. d.");
    play_all(&t, "card o;1 @a");
    expect_line(&t, "to-act chance");
}

/* "a player whose windows are full sits out, free rides included …, until the others have
 * finished" */
static void a_player_with_full_windows_sits_out(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\nrules special\n", "A 1 5/3 : a* b. c.\nB 1 1/1 : c. d.");
    play_all(&t, "card 1;2 B1;1 A1;1 B1");
    expect_line(&t, "over no");
    play(&t, "card o");
    expect_line(&t, "to-act 2");
    expect_refused(&t, "1 @b", ES_NOT_TO_ACT);
    play_all(&t, "2 @b;card 2;2 A1");
    expect_line(&t, "over yes");
}

/* ---- Completing lines ---------------------------------------------------------------------- */

/* "A line is complete for a player when all its stations are marked, no matter how"; "One entry can
 * complete several lines." */
static void line_is_complete_whatever_marked_its_stations(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 4 5/3 : ax b. c.\nB 1 4/1 : c. a.\nD 1 2/1 : e. c. b.");
    play_all(&t, "card +;1 A1;card 9;1 D1;card 3;1 A1");
    expect_line(&t, "marks 1 a=x b=2 c=x e=x");
    expect_line(&t, "done 1 A=5 B=4 D=2");
}

/* "its points are given when the round is over, not before" */
static void points_come_when_the_round_is_over(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\n", "A 4 5/3 : a. b.\nB 1 1/1 : b. c.");
    play_all(&t, "card 2;1 A2");
    expect_line(&t, "done 1 -");
    expect_line(&t, "player 1 lines 0 transfers 0 empty 1 penalty 0 total 0");
    play(&t, "2 A0");
    expect_line(&t, "done 1 A=5");
    expect_line(&t, "player 1 lines 5 transfers 0 empty 1 penalty 0 total 5");
}

/* "All players who complete it in the first round in which anyone does get the higher value;
 * everyone who completes it later gets the lower." */
static void first_to_complete_gets_the_higher_value(void **state)
{
    (void)state;
    start_sheet(&t, "players 3\n", "A 4 5/3 : a. b.\nB 1 1/1 : b. c.");
    play_all(&t, "card 2;1 A2;2 A2;3 A1");
    expect_line(&t, "done 1 A=5");
    expect_line(&t, "done 2 A=5");
    expect_line(&t, "done 3 -");
    play_all(&t, "card 1;1 A0;2 A0;3 A1");
    expect_line(&t, "done 3 A=3");
}

/* ---- The end ------------------------------------------------------------------------------- */

/* "When every player's windows are full." */
static void the_game_ends_with_the_last_window(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\n", "A 1 5/3 : a. b.\nB 1 1/1 : b. c.");
    play_all(&t, "card 1;1 A1;2 B1;card o;1 @c;2 @-;card 2;1 B1");
    expect_line(&t, "over no");
    expect_line(&t, "winner -");
    play(&t, "2 A0");
    expect_line(&t, "over yes");
    expect_line(&t, "to-act -");
    expect_line(&t, "card -");
    expect_legal(&t, ES_CHANCE, "");
    expect_legal(&t, 1, "");
    expect_refused(&t, "card 3", ES_GAME_OVER);
    expect_refused(&t, "1 A0", ES_GAME_OVER);
}

/* Worked example 4: "Lines 1+2+4+2+3+6 = 18, transfers 2 × (1+4+1+3+2) = 22, nine empty stations
 * −4: 36 points." The five transfers are written at stations of one, four, one, three and two
 * lines, the six lines are completed by crosses. */
static void the_worked_example_of_the_rules_adds_up(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\ndeck 1 2 6 9 9 9 9 9 9 9 9 + + + + + o\n",
                "A 2 1/1 : a. h.\n" /* h: 4 lines */
                "B 1 2/1 : b. h.\n"
                "C 2 4/2 : c. h. i.\n" /* i: 3 lines */
                "D 1 2/1 : d. h.\n"
                "E 2 3/2 : e. i.\n"
                "F 2 6/4 : f. i. j.\n" /* j: 2 lines */
                "G 1 9/9 : k. l. m. n. o. p. q. r. s. j.\n");
    play_all(&t, "card +;1 A1;2 A0"); /* a: 1 */
    play_all(&t, "card +;1 A1;2 A0"); /* h: 4 */
    play_all(&t, "card +;1 E1;2 E0"); /* e: 1 */
    play_all(&t, "card +;1 E1;2 E0"); /* i: 3 */
    play_all(&t, "card 9;1 F1;2 F0"); /* f crossed, i is marked: the 9 stops */
    play_all(&t, "card +;1 F1;2 F0"); /* j: 2 */
    play_all(&t, "card 9;1 B1;2 B0;card 9;1 C1;2 C0;card 9;1 C0;2 C0;card 9;1 D1;2 D0");
    expect_line(&t, "done 1 A=1 B=2 C=4 D=2 E=3 F=6");
    play_all(&t, "card 9;1 G0;2 G0");
    expect_line(&t, "player 1 lines 18 transfers 22 empty 9 penalty 4 total 36");
    expect_line(&t, "over yes");
    expect_line(&t, "winner 1");
}

/* "− the empty stations halved and rounded down" */
static void empty_stations_are_halved_and_rounded_down(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\n", "A 1 5/3 : a. b. c.\nB 1 1/1 : c. d. e.");
    expect_line(&t, "player 1 lines 0 transfers 0 empty 5 penalty 2 total -2");
    play_all(&t, "card 1;1 A1;2 A0");
    expect_line(&t, "player 1 lines 0 transfers 0 empty 4 penalty 2 total -2");
}

/* "The highest score wins; if scores are equal, fewer empty stations; if those are equal too, the
 * win is shared." */
static void equal_totals_go_to_fewer_empty_stations(void **state)
{
    (void)state;
    static const char drawing[] = "A 1 0/0 : a. b. c.\nB 1 0/0 : c. d. e.";
    start_sheet(&t, "players 3\n", drawing); /* -2, -2, -1 */
    play_all(&t, "card 2;1 A1;2 A0;3 A2;card 1;1 B0;2 B0;3 B0");
    expect_line(&t, "winner 3");
    start_sheet(&t, "players 3\n", drawing); /* all -2, but player 1 has fewer empty stations */
    play_all(&t, "card 2;1 A1;2 A0;3 A0;card 1;1 B0;2 B0;3 B0");
    expect_line(&t, "winner 1");
    start_sheet(&t, "players 3\n", drawing);
    play_all(&t, "card 2;1 A0;2 A1;3 A1;card 1;1 B0;2 B0;3 B0");
    expect_line(&t, "winner 2 3");
}

/* "One player: always the higher value, and empty stations count in full (not halved)." */
static void solo_scores_first_values_and_full_penalty(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 5/3 : a. b.\nB 1 1/1 : b. c. d. e.");
    play_all(&t, "card 2;1 A2;card 1;1 A0;card 3;1 B0");
    expect_line(&t, "done 1 A=5");
    expect_line(&t, "player 1 lines 5 transfers 0 empty 3 penalty 3 total 2");
    expect_line(&t, "winner 1");
}

/* "Rating: 50 or more, 40–49, 30–39, 20–29, 10–19, 5–9, 1–4, 0 or less" */
static void solo_grades(void **state)
{
    (void)state;
    static const int edges[][2] = {{99, 0}, {50, 0}, {49, 1}, {40, 1}, {39, 2}, {30, 2},
                                   {29, 3}, {20, 3}, {19, 4}, {10, 4}, {9, 5},  {5, 5},
                                   {4, 6},  {1, 6},  {0, 7},  {-60, 7}};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++)
        assert_int_equal(es_verplant_grade(edges[i][0]), edges[i][1]);
}

/* "1 to 6 players" */
static void one_to_six_players(void **state)
{
    (void)state;
    for (int players = 0; players <= 7; players++) {
        struct es_setup setup = {.game = &es_verplant, .map = &t.map, .players = (uint8_t)players};
        assert_int_equal(es_setup_prepare(&setup),
                         players >= 1 && players <= 6 ? ES_OK : ES_PLAYERS_RANGE);
    }
}

/* ---- Malformed events and broken states ------------------------------------------------------ */

static void malformed_events_change_nothing(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\n", "A 2 5/3 : a. b.\nB 1 1/1 : b. c.");
    play(&t, "card 3");
    static const char *const words[] = {"",      "1",      "1 ",    "card",  "card 0",     "card x",
                                        "1 A",   "1 3",    "1 A-1", "1 A10", "1 A>",       "1 A=1",
                                        "1 a1",  "1 A1 x", "01 A1", "1 @",   "1 @@a",      "x A1",
                                        "-1 A1", "1 A 1",  "1 >1",  "1 A1>", "deal 1 aaaa"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        es_event event;
        if (es_verplant.parse(&t.setup, es_str(words[i]), &event) == ES_OK)
            fail_msg("'%s' is no event", words[i]);
    }
    expect_refused(&t, "3 A1", ES_PLAYER_UNKNOWN);
    expect_refused(&t, "0 A1", ES_PLAYER_UNKNOWN);
    /* Whatever bits an event has, it is validated. */
    struct es_random random;
    es_random_seed(&random, 3);
    for (int i = 0; i < 200000; i++) {
        struct es_state copy = t.state;
        es_event event = (es_event)es_random_next(&random);
        event = i % 2 ? event : ES_EVENT(1 + i % 3, event & 0x3ff);
        if (es_verplant.apply(&t.setup, &copy, event) == ES_OK) {
            es_event legal[ES_LEGAL_MAX];
            size_t count = es_verplant.legal(&t.setup, &t.state, ES_EVENT_WHO(event), legal), k = 0;
            while (k < count && legal[k] != event)
                k++;
            assert_true(k < count);
        } else {
            assert_memory_equal(&copy, &t.state, sizeof copy);
        }
    }
}

/* `check` notices broken invariants: each of these fields, changed alone, contradicts the
 * others. */
static void a_broken_state_is_noticed(void **state)
{
    (void)state;
    start_sheet(&t, "players 2\nrules special\n", "A 2 5/3 : a. b.\nB 2 1/1 : b. c* d.");
    play_all(&t, "card +;1 A1;2 B1;card 3;1 A1");
    struct es_verplant_state *s = (struct es_verplant_state *)&t.state;
    const struct es_verplant_state good = *s;
#define BROKEN(change)                                                                             \
    do {                                                                                           \
        assert_int_equal(es_verplant.check(&t.setup, &t.state), ES_OK);                            \
        change;                                                                                    \
        assert_int_equal(es_verplant.check(&t.setup, &t.state), ES_BROKEN);                        \
        *s = good;                                                                                 \
    } while (0)
    BROKEN(s->pile ^= 1);
    BROKEN(s->pile |= (uint64_t)1 << 63);
    BROKEN(s->pile_count++);
    BROKEN(s->card = ES_CARD_NONE);
    BROKEN(s->acting = 0);
    BROKEN(s->acting |= 1);
    BROKEN(s->acting |= 4);
    BROKEN(s->playing ^= 2);
    BROKEN(s->claimed |= 2);
    for (int p = 0; p < 2; p++) {
        BROKEN(s->sheet[p].empty[0] ^= 2);
        BROKEN(s->sheet[p].empty[1] ^= 1);
        BROKEN(s->sheet[p].open[1] ^= 2);
        BROKEN(s->sheet[p].free[0]++);
        BROKEN(s->sheet[p].windows_left--);
        BROKEN(s->sheet[p].choosable ^= 1);
        BROKEN(s->sheet[p].scored ^= 2);
        BROKEN(s->sheet[p].points++);
        BROKEN(s->sheet[p].framed++);
        BROKEN(s->sheet[p].owed = !s->sheet[p].owed);
        BROKEN(s->detail[p].framed[0] ^= 1);
        BROKEN(s->detail[p].first ^= 2);
    }
    BROKEN(s->detail[1].written[2] = ES_CARD_FREE_RIDE);
#undef BROKEN
}

/* es_fold stops at the first illegal event and returns the reason. */
static void fold_returns_the_reason_of_an_illegal_event(void **state)
{
    (void)state;
    start_sheet(&t, "players 1\n", "A 2 1/1 : a. b.\nB 2 1/1 : b. c.");
    play_all(&t, "card 3;1 A1;card 4");
    struct es_state folded;
    assert_int_equal(es_fold(&t.setup, t.events, t.count, &folded), ES_OK);
    assert_memory_equal(&folded, &t.state, sizeof folded);
    t.events[1] = t.events[2]; /* a card after a card */
    assert_int_equal(es_fold(&t.setup, t.events, t.count, &folded), ES_CHANCE_NOT_DUE);
    struct es_state first;
    assert_int_equal(es_fold(&t.setup, t.events, 1, &first), ES_OK);
    assert_memory_equal(&folded, &first, sizeof folded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_standard_deck),
        cmocka_unit_test(a_deck_needs_a_six),
        cmocka_unit_test(a_round_is_a_card_and_one_entry_per_player),
        cmocka_unit_test(entries_are_hidden_until_all_are_in),
        cmocka_unit_test(after_a_six_all_cards_go_back),
        cmocka_unit_test(a_number_stops_before_a_mark),
        cmocka_unit_test(a_number_marks_no_more_than_its_value),
        cmocka_unit_test(a_number_ends_with_the_line),
        cmocka_unit_test(an_express_skips_marked_stations),
        cmocka_unit_test(an_express_skips_no_empty_station),
        cmocka_unit_test(an_express_marks_all_that_are_left),
        cmocka_unit_test(a_transfer_frames_the_number_of_lines),
        cmocka_unit_test(a_transfer_at_a_station_of_one_line_is_a_one),
        cmocka_unit_test(a_free_ride_crosses_any_empty_station),
        cmocka_unit_test(fewer_marks_are_always_allowed),
        cmocka_unit_test(a_window_is_filled_even_on_a_complete_line),
        cmocka_unit_test(a_full_line_cannot_be_chosen),
        cmocka_unit_test(a_ring_goes_both_ways_from_its_first_station),
        cmocka_unit_test(a_ring_ends_after_one_full_round),
        cmocka_unit_test(express_and_transfer_go_both_ways_round_a_ring),
        cmocka_unit_test(a_ring_is_complete_like_any_line),
        cmocka_unit_test(a_special_station_gives_another_entry),
        cmocka_unit_test(express_cards_and_transfers_give_another_entry_too),
        cmocka_unit_test(special_stations_add_up_in_chains),
        cmocka_unit_test(owed_entries_are_dropped_with_the_last_window),
        cmocka_unit_test(others_may_enter_before_owed_entries_are_made),
        cmocka_unit_test(without_the_rule_special_stations_are_ordinary),
        cmocka_unit_test(a_free_ride_to_a_special_station_gives_no_entry),
        cmocka_unit_test(a_player_with_full_windows_sits_out),
        cmocka_unit_test(line_is_complete_whatever_marked_its_stations),
        cmocka_unit_test(points_come_when_the_round_is_over),
        cmocka_unit_test(first_to_complete_gets_the_higher_value),
        cmocka_unit_test(the_game_ends_with_the_last_window),
        cmocka_unit_test(the_worked_example_of_the_rules_adds_up),
        cmocka_unit_test(empty_stations_are_halved_and_rounded_down),
        cmocka_unit_test(equal_totals_go_to_fewer_empty_stations),
        cmocka_unit_test(solo_scores_first_values_and_full_penalty),
        cmocka_unit_test(solo_grades),
        cmocka_unit_test(one_to_six_players),
        cmocka_unit_test(malformed_events_change_nothing),
        cmocka_unit_test(a_broken_state_is_noticed),
        cmocka_unit_test(fold_returns_the_reason_of_an_illegal_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
