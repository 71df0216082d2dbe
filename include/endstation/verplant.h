/* verplant, the flip-and-write game: its cards, its state, and what search needs of it.
 *
 * How the state is laid out. Search copies sheets by the million, so a sheet holds only what play
 * depends on, and keeps it twice: once as a bit for every station (free rides, scores), once as a
 * bit for every stop of every line (what a card may mark). Marking a station costs a bit for each
 * line that calls there; asking what a card may mark is then bit arithmetic on one word:
 *
 *     line from its wagon      x  x  .  .  .  x  .  .      open = 0b11011100  (bit 0 leftmost)
 *     a 4 marks                      *  *  *               the lowest run of ones, at most 4
 *     an express 4 marks             *  *  *     *         the lowest 4 ones
 *
 * What only reports and pictures show (the text in the windows, which marks are framed, which
 * value was won) is the paper, kept apart.
 */
#ifndef ENDSTATION_VERPLANT_H
#define ENDSTATION_VERPLANT_H

#include <endstation/game.h>
#include <endstation/map.h>

/* Kinds of cards: numbers 1 to 9, express cards 1 to 9, transfer, free ride. */
enum {
    ES_CARD_NUMBER = 0,  /* + n - 1 */
    ES_CARD_EXPRESS = 9, /* + n - 1 */
    ES_CARD_TRANSFER = 18,
    ES_CARD_FREE_RIDE = 19,
    ES_CARD_SIX = ES_CARD_NUMBER + 5,
    ES_CARD_NONE = 255,
};

enum { ES_VERPLANT_SPECIAL = 1 }; /* the rule bit */

enum { ES_DIRECTION_NONE, ES_DIRECTION_BACKWARDS, ES_DIRECTION_FORWARDS };

/* Entries: a line with its direction and number of marks, or a station for a free ride. The order
 * of the numbers is the order of the texts: @ before letters, < before >. */
#define ES_VERPLANT_CARD(kind) ES_EVENT(ES_CHANCE, kind)
#define ES_VERPLANT_RIDE(player, station) ES_EVENT(player, (station) + 1)
#define ES_VERPLANT_NO_RIDE(player) ES_EVENT(player, 0)
#define ES_VERPLANT_ENTRY(player, line, direction, marks)                                          \
    ES_EVENT(player, ((uint32_t)(line) + 1) << 8 | (uint32_t)(direction) << 4 | (uint32_t)(marks))

/* One player's sheet. On a map of up to ten lines all that is used lies in the first 128 bytes:
 * es_verplant_sheet_bytes(map) says how much has to be copied. */
struct es_verplant_sheet {
    uint64_t empty[2];                    /* bit s: station s is not marked */
    uint8_t free[(ES_LINES_MAX + 1) / 2]; /* free windows, four bits a line */
    uint8_t windows_left;                 /* free windows of all lines */
    uint8_t owed;                         /* entries to make in this round */
    uint8_t unused;
    uint32_t choosable; /* bit l: line l has a free window */
    uint32_t complete;  /* bit l: all stations of line l are marked */
    uint32_t scored;    /* bit l: … and its points have been given */
    uint16_t points;    /* for lines */
    uint16_t framed;    /* sum of the framed numbers */
    uint64_t open[ES_LINES_MAX]; /* bit i of line l: its stop i is not marked */
};

struct es_verplant_paper {
    uint64_t framed[2]; /* bit s: the mark of station s is a framed number */
    uint32_t first;     /* bit l: line l was scored with its first value */
    uint8_t written[ES_WINDOWS_MAX]; /* cards in the windows, lines in map order */
};

struct es_verplant_state {
    uint64_t pile;    /* bit i: card i of the sorted deck lies face down */
    uint32_t claimed; /* bit l: line l was completed by somebody in an earlier round */
    uint16_t round;   /* cards revealed */
    uint16_t shuffles; /* after the first one */
    uint8_t card;     /* open, or ES_CARD_NONE */
    uint8_t acting;   /* bit p - 1: player p owes an entry */
    uint8_t playing;  /* bit p - 1: player p has a free window */
    uint8_t left;     /* cards in the pile */
    struct es_verplant_sheet sheet[ES_PLAYERS_MAX];
    struct es_verplant_paper paper[ES_PLAYERS_MAX];
} __attribute__((may_alias));

_Static_assert(sizeof(struct es_verplant_state) <= sizeof(struct es_state), "state too large");
_Static_assert(offsetof(struct es_verplant_sheet, open[10]) == 128, "ten lines in 128 bytes");

static inline const struct es_verplant_state *es_verplant_view(const struct es_state *state)
{
    return (const struct es_verplant_state *)state;
}

static inline size_t es_verplant_sheet_bytes(const struct es_map *map)
{
    return offsetof(struct es_verplant_sheet, open) + map->lines * sizeof(uint64_t);
}

static inline int es_verplant_free(const struct es_verplant_sheet *sheet, int line)
{
    return sheet->free[line / 2] >> line % 2 * 4 & 15;
}

/* A sheet before the first card. */
void es_verplant_blank(const struct es_map *map, struct es_verplant_sheet *sheet);

/* The most marks that a card can make on a line in a direction; the line's windows are not
 * looked at. Not for free rides. */
int es_verplant_reach(const struct es_map *map, const struct es_verplant_sheet *sheet, int card,
                      int line, int direction);
/* The stops (a bit each, in the line's own order) that an entry of `marks` marks would take;
 * `marks` at most what es_verplant_reach says. */
uint64_t es_verplant_taken(const struct es_map *map, const struct es_verplant_sheet *sheet,
                           int line, int direction, int marks);

/* A random card of the pile, each equally likely; one must be due. For simulations: real games
 * take the cards from `deal`. */
static inline es_event es_verplant_draw(const struct es_setup *setup, const struct es_state *state,
                                        struct es_random *random)
{
    uint64_t pile = es_verplant_view(state)->pile;
    uint32_t place;
    do /* most places of the deck still hold a card */
        place = es_random_below(random, setup->deck_size);
    while (!(pile >> place & 1));
    return ES_VERPLANT_CARD(setup->deck[place]);
}

/* The parts of a score as the sheet shows them now. */
struct es_verplant_sum {
    int lines, transfers, empty, penalty, total;
};
struct es_verplant_sum es_verplant_sum(const struct es_setup *setup, const struct es_state *state,
                                       int player);

/* Cards as text: 3, x2, +, o. */
enum es_status es_verplant_card_read(struct es_str text, uint8_t *card);
void es_verplant_card_write(int card, struct es_out *out);
/* Cards like 3 3 x2 + separated by blanks, into a setup's deck: the order is kept. */
enum es_status es_verplant_deck_read(struct es_setup *setup, struct es_str text);

/* The two printed decks: 14 cards, and 15 in the other edition. */
extern const char es_verplant_deck_14[], es_verplant_deck_15[];

/* The solo grade: 0 (50 points and more) to 7 (0 and less). */
int es_verplant_grade(int points);

#endif
