/* The rules of verplant, the flip-and-write game: rounds, players and cards, on the sheets of
 * verplant/sheet.h.
 *
 * Details that only reports, pictures and check() use (contents of the windows, framed marks,
 * values won) are kept apart from the sheets; the rules never read them.
 */
#ifndef ENDSTATION_VERPLANT_H
#define ENDSTATION_VERPLANT_H

#include <assert.h>
#include <endstation/game.h>
#include <endstation/verplant/sheet.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const struct es_game es_verplant;

/* The deck of a setup. 0 cards: prepare() fills in the standard deck. */
enum { ES_DECK_MAX = 60 };
struct es_verplant_deck {
    uint8_t size;
    uint8_t card[ES_DECK_MAX];      /* kinds of cards; prepare() sorts them */
    uint64_t copies[ES_CARD_KINDS]; /* derived: bit i: card i of the sorted deck is of this kind */
} __attribute__((may_alias));
static_assert(sizeof(struct es_verplant_deck) <= ES_OPTIONS_BYTES, "deck too large");

static inline const struct es_verplant_deck *es_verplant_deck(const struct es_setup *setup)
{
    return (const struct es_verplant_deck *)setup->options;
}

enum { ES_VERPLANT_SPECIAL = 1 }; /* the rule bit */

/* Events: a card is revealed, or a player makes one of the choices of sheet.h. */
#define ES_VERPLANT_CARD(kind) ES_EVENT(ES_CHANCE, kind)
#define ES_VERPLANT_ENTRY(player, choice) ES_EVENT(player, choice)

struct es_verplant_detail {
    uint64_t framed[2];              /* bit s: the mark of station s is a framed number */
    uint32_t first;                  /* bit l: line l was scored with its first value */
    uint8_t written[ES_WINDOWS_MAX]; /* cards in the windows, lines in map order */
};

struct es_verplant_state {
    uint64_t pile;      /* bit i: card i of the sorted deck lies face down */
    uint32_t claimed;   /* bit l: some player completed line l in an earlier round */
    uint16_t round;     /* cards revealed */
    uint16_t shuffles;  /* after the first one */
    uint8_t card;       /* open, or ES_CARD_NONE */
    uint8_t pile_count; /* cards in the pile */
    uint8_t acting;     /* bit p - 1: player p owes an entry */
    uint8_t playing;    /* bit p - 1: player p has a free window */
    struct es_sheet sheet[ES_PLAYERS_MAX];
    struct es_verplant_detail detail[ES_PLAYERS_MAX];
} __attribute__((may_alias));

static_assert(sizeof(struct es_verplant_state) <= sizeof(struct es_state), "state too large");

static inline const struct es_verplant_state *es_verplant_state(const struct es_state *state)
{
    return (const struct es_verplant_state *)state;
}

/* Returns the card in a filled window of a line. */
static inline int es_verplant_written(const struct es_map *map,
                                      const struct es_verplant_detail *detail, int line, int window)
{
    return detail->written[map->line[line].windows_end - map->line[line].windows + window];
}

/* Returns true if a station's mark is a framed number. */
static inline bool es_verplant_framed(const struct es_verplant_detail *detail, int station)
{
    return detail->framed[station / 64] >> station % 64 & 1;
}

/* Returns the points won with a scored line. */
static inline int es_verplant_won(const struct es_map *map, const struct es_verplant_detail *detail,
                                  int line)
{
    return detail->first >> line & 1 ? map->line[line].first : map->line[line].later;
}

/* Draws a random card from a pile (not empty), each equally likely, and returns its place in the
 * sorted deck. For simulations; real games take their cards from `deal`. */
static inline int es_verplant_draw(const struct es_setup *setup, uint64_t pile,
                                   struct es_random *random)
{
    for (;;) {
        /* Rejection sampling: draws random places of the deck until one is still in the pile, three
         * 21-bit candidates per random number. */
        uint64_t bits = es_random_next(random), size = es_verplant_deck(setup)->size,
                 most = 0x1fffff;
        uint64_t a = (bits & most) * size >> 21, b = (bits >> 21 & most) * size >> 21;
        uint64_t c = (bits >> 42 & most) * size >> 21;
        /* Selects, not branches, which would be unpredictable: the first of a, b, c that is in the
         * pile, else c. */
        uint64_t place = c ^ ((b ^ c) & -(pile >> b & 1));
        place ^= (a ^ place) & -(pile >> a & 1);
        if (pile >> place & 1)
            return (int)place;
    }
}

/* The parts of a player's score at this moment. */
struct es_verplant_sum {
    int lines, transfers, empty, penalty, total;
};
struct es_verplant_sum es_verplant_sum(const struct es_setup *setup, const struct es_state *state,
                                       int player);

/* Reads a card: 3, x2, + or o. Returns ES_OK or ES_CARD_BAD. */
es_status es_verplant_card_read(struct es_str text, uint8_t *card);
void es_verplant_card_write(int card, struct es_out *out);
/* Reads a deck, cards such as 3 3 x2 + separated by blanks, into a setup. On a fault the setup
 * stays as it was. */
es_status es_verplant_deck_read(struct es_setup *setup, struct es_str text);

/* The two printed decks: 14 cards, and 15 in the other edition. */
extern const char es_verplant_deck_14[], es_verplant_deck_15[];

/* Returns the solo grade: 0 (50 points and more) to 7 (0 and less). */
int es_verplant_grade(int points);

#ifdef __cplusplus
}
#endif

#endif
