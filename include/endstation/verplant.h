/* verplant, the flip-and-write game: rounds, players and cards around the sheets of sheet.h.
 *
 * What only reports and pictures show (the text in the windows, which marks are framed, which
 * value was won) is the paper, kept apart from the sheets.
 */
#ifndef ENDSTATION_VERPLANT_H
#define ENDSTATION_VERPLANT_H

#include <endstation/game.h>
#include <endstation/verplant/sheet.h>

extern const struct es_game es_verplant;

/* The deck that a setup chooses: 0 cards until prepare() takes the standard one. */
enum { ES_DECK_MAX = 60 };
struct es_verplant_deck {
    uint8_t size;
    uint8_t card[ES_DECK_MAX];      /* kinds of cards; prepare() sorts them */
    uint64_t copies[ES_CARD_KINDS]; /* derived: which places of the sorted deck hold a kind */
} __attribute__((may_alias));
_Static_assert(sizeof(struct es_verplant_deck) <= ES_OPTIONS_BYTES, "deck too large");

static inline const struct es_verplant_deck *es_verplant_deck(const struct es_setup *setup)
{
    return (const struct es_verplant_deck *)setup->options;
}

enum { ES_VERPLANT_SPECIAL = 1 }; /* the rule bit */

/* Events: a card is revealed, or a player makes one of the choices of sheet.h. */
#define ES_VERPLANT_CARD(kind) ES_EVENT(ES_CHANCE, kind)
#define ES_VERPLANT_ENTRY(player, choice) ES_EVENT(player, choice)

struct es_verplant_paper {
    uint64_t framed[2];              /* bit s: the mark of station s is a framed number */
    uint32_t first;                  /* bit l: line l was scored with its first value */
    uint8_t written[ES_WINDOWS_MAX]; /* cards in the windows, lines in map order */
};

struct es_verplant_state {
    uint64_t pile;     /* bit i: card i of the sorted deck lies face down */
    uint32_t claimed;  /* bit l: line l was completed by somebody in an earlier round */
    uint16_t round;    /* cards revealed */
    uint16_t shuffles; /* after the first one */
    uint8_t card;      /* open, or ES_CARD_NONE */
    uint8_t left;      /* cards in the pile */
    uint8_t acting;    /* bit p - 1: player p owes an entry */
    uint8_t playing;   /* bit p - 1: player p has a free window */
    struct es_sheet sheet[ES_PLAYERS_MAX];
    struct es_verplant_paper paper[ES_PLAYERS_MAX];
} __attribute__((may_alias));

_Static_assert(sizeof(struct es_verplant_state) <= sizeof(struct es_state), "state too large");

static inline const struct es_verplant_state *es_verplant_view(const struct es_state *state)
{
    return (const struct es_verplant_state *)state;
}

/* What stands on a player's paper: the card in a filled window of a line, whether a station's mark
 * is a framed number, the points won with a scored line. */
static inline int es_verplant_written(const struct es_map *map,
                                      const struct es_verplant_paper *paper, int line, int window)
{
    return paper->written[map->line[line].windows_end - map->line[line].windows + window];
}

static inline bool es_verplant_framed(const struct es_verplant_paper *paper, int station)
{
    return paper->framed[station / 64] >> station % 64 & 1;
}

static inline int es_verplant_won(const struct es_map *map, const struct es_verplant_paper *paper,
                                  int line)
{
    return paper->first >> line & 1 ? map->line[line].first : map->line[line].later;
}

/* A random card of a pile (not empty), each equally likely: its place in the sorted deck. For
 * simulations; real games take their cards from `deal`. */
static inline int es_verplant_draw(const struct es_setup *setup, uint64_t pile,
                                   struct es_random *random)
{
    for (;;) {
        /* Places of the deck until one still holds a card: three from each number, so that the
         * loop hardly ever runs twice. */
        uint64_t bits = es_random_next(random), size = es_verplant_deck(setup)->size,
                 most = 0x1fffff;
        uint64_t a = (bits & most) * size >> 21, b = (bits >> 21 & most) * size >> 21;
        uint64_t c = (bits >> 42 & most) * size >> 21;
        /* Without a branch, since nothing can foresee it: the first of them that holds a card. */
        uint64_t place = c ^ ((b ^ c) & -(pile >> b & 1));
        place ^= (a ^ place) & -(pile >> a & 1);
        if (pile >> place & 1)
            return (int)place;
    }
}

/* The parts of a score as the sheet shows them now. */
struct es_verplant_sum {
    int lines, transfers, empty, penalty, total;
};
struct es_verplant_sum es_verplant_sum(const struct es_setup *setup, const struct es_state *state,
                                       int player);

/* Cards as text: 3, x2, +, o. */
es_status es_verplant_card_read(struct es_str text, uint8_t *card);
void es_verplant_card_write(int card, struct es_out *out);
/* Cards like 3 3 x2 + separated by blanks, into a setup's deck; on a fault it stays as it was. */
es_status es_verplant_deck_read(struct es_setup *setup, struct es_str text);

/* The two printed decks: 14 cards, and 15 in the other edition. */
extern const char es_verplant_deck_14[], es_verplant_deck_15[];

/* The solo grade: 0 (50 points and more) to 7 (0 and less). */
int es_verplant_grade(int points);

#endif
