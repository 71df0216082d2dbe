/* A beam search: after each card the positions that look best (value.h) are kept, at most so many.
 *
 *     card 4      card +      card x2
 *     o --------- o --------- o          every position of the beam is played on in every way;
 *       \-------- o --------- o          two ways to the same sheet are one position
 *        \------- o   \------ o
 *
 * With special stations, whoever owes an entry is played on before the next card.
 */
#include "../bots/entry.h"
#include "../bots/value.h"
#include <endstation/hindsight.h>
#include <string.h>

enum {
    CHOICES = 136, /* of one position, at most; fewer marks than two below the most are left out */
    KEYS = 1 << 16
};
_Static_assert((int)CHOICES > (int)ES_STATIONS_MAX + 1, "every free ride");

struct child {
    uint64_t hash;
    uint32_t parent;
    es_choice choice;
    uint16_t key; /* the value, in 64ths */
};

/* How a position came about; the list of a step's positions is as long as the beam is wide. */
struct step {
    uint32_t parent;
    es_choice choice;
    bool entered; /* not just waiting for those who owe an entry */
};

struct beam {
    const struct es_setup *setup;
    int player, width;
    struct es__judge judge;
    size_t cards;
    uint8_t card[ES_HINDSIGHT_ENTRIES_MAX];
    uint64_t pile[ES_HINDSIGHT_ENTRIES_MAX]; /* after the card */
    size_t claimed[ES_LINES_MAX];            /* by another, with which card; cards: by nobody */
    size_t steps;

    struct es_sheet *now, *next;
    int count;
    struct child *children;
    uint64_t *seen; /* hashes of children, open addressing */
    size_t seen_size;
    struct step *step;
    uint32_t histogram[KEYS];
};

/* Rounded up, so that what follows is aligned for anything. */
static size_t part(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

static size_t seen_size(int width)
{
    size_t size = 1024;
    while (size < (size_t)width * CHOICES * 3 / 2)
        size *= 2;
    return size;
}

static size_t steps_at_most(const struct es_setup *setup, size_t events)
{
    /* Every card, and an entry for every window: those that special stations call for. */
    size_t most = events + setup->map->windows;
    return most < ES_HINDSIGHT_ENTRIES_MAX ? most : ES_HINDSIGHT_ENTRIES_MAX;
}

size_t es_hindsight_bytes(const struct es_setup *setup, size_t events, int width)
{
    size_t w = (size_t)width;
    return part(sizeof(struct beam)) + 2 * part(w * sizeof(struct es_sheet)) +
           part(w * CHOICES * sizeof(struct child)) + part(seen_size(width) * sizeof(uint64_t)) +
           steps_at_most(setup, events) * w * sizeof(struct step);
}

static struct beam *lay_out(const struct es_setup *setup, int width, void *memory)
{
    struct beam *b = memory;
    uint8_t *at = (uint8_t *)memory + part(sizeof *b);
    size_t w = (size_t)width;
    b->setup = setup;
    b->width = width;
    b->now = (struct es_sheet *)at;
    b->next = (struct es_sheet *)(at += part(w * sizeof(struct es_sheet)));
    b->children = (struct child *)(at += part(w * sizeof(struct es_sheet)));
    b->seen = (uint64_t *)(at += part(w * CHOICES * sizeof(struct child)));
    b->seen_size = seen_size(width);
    b->step = (struct step *)(at + part(b->seen_size * sizeof(uint64_t)));
    return b;
}

/* The cards of the game, and when others completed lines. */
static bool read_game(struct beam *b, const es_event *events, size_t count)
{
    const struct es_map *map = b->setup->map;
    struct es_state state;
    const struct es_verplant_state *s = es_verplant_view(&state);
    b->cards = 0;
    for (int l = 0; l < map->lines; l++)
        b->claimed[l] = ES_HINDSIGHT_ENTRIES_MAX;
    es_verplant.start(b->setup, &state);
    uint64_t pile = es__whole_pile(b->setup);
    for (size_t i = 0; i < count; i++) {
        es_verplant.apply(b->setup, &state, events[i]);
        if (ES_EVENT_WHO(events[i]) == ES_CHANCE) {
            if (b->cards == ES_HINDSIGHT_ENTRIES_MAX)
                return false;
            pile = es__pile_without(b->setup, pile, s->card);
            b->pile[b->cards] = pile;
            b->card[b->cards++] = s->card;
            continue;
        }
        for (int p = 1; p <= b->setup->players; p++)
            for (int l = 0; l < map->lines && p != b->player; l++)
                if ((s->sheet[p - 1].scored >> l & 1) && b->claimed[l] >= b->cards)
                    b->claimed[l] = b->cards - 1;
    }
    return es_verplant.turn(b->setup, &state).kind == ES_TURN_OVER;
}

/* What others have claimed before a card. */
static uint32_t claimed_before(const struct beam *b, size_t card)
{
    uint32_t claimed = 0;
    for (int l = 0; l < b->setup->map->lines; l++)
        claimed |= (uint32_t)(b->claimed[l] < card) << l;
    return claimed;
}

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 29;
}

static uint64_t hash_of(const struct es_sheet *sheet)
{
    uint64_t hash = mix(mix(1, sheet->empty[0]), sheet->empty[1]);
    hash = mix(mix(hash, sheet->free[0]), sheet->free[1]);
    hash = mix(hash, (uint64_t)sheet->framed << 32 | (uint64_t)sheet->points << 8 | sheet->owed);
    return hash ? hash : 1;
}

/* Whether a position is new among the children. */
static bool remember(struct beam *b, uint64_t hash)
{
    size_t at = hash & (b->seen_size - 1);
    while (b->seen[at]) {
        if (b->seen[at] == hash)
            return false;
        at = (at + 1) & (b->seen_size - 1);
    }
    b->seen[at] = hash;
    return true;
}

static uint16_t key_of(float value)
{
    float key = (value + 400) * 64;
    return (uint16_t)(key < 0 ? 0 : key > KEYS - 1 ? KEYS - 1 : key);
}

/* Makes a choice on a copy; lines are scored as soon as nothing more is owed. */
static void make(const struct beam *b, const struct es_sheet *from, size_t card, es_choice choice,
                 uint32_t claimed, struct es_sheet *to)
{
    memcpy(to, from, sizeof *to);
    es__enter(b->setup, to, b->card[card], choice);
    if (to->owed == 0)
        es_sheet_score(b->setup->map, to, claimed);
}

/* All ways to play on from the beam; a position that owes nothing waits. */
static size_t expand(struct beam *b, size_t card, uint32_t claimed)
{
    size_t count = 0;
    memset(b->seen, 0, b->seen_size * sizeof *b->seen);
    memset(b->histogram, 0, sizeof b->histogram);
    for (int i = 0; i < b->count; i++) {
        const struct es_sheet *from = &b->now[i];
        es_choice choices[ES_CHOICES_MAX] = {0};
        bool waits = from->owed == 0;
        size_t ways = 1;
        if (!waits)
            ways = es__candidates(b->setup->map, from, b->card[card], 3, choices);
        for (size_t k = 0; k < ways && k < CHOICES; k++) {
            struct es_sheet next = *from;
            if (!waits)
                make(b, from, card, choices[k], claimed, &next);
            struct child child = {hash_of(&next), (uint32_t)i, choices[k], 0};
            if (!remember(b, child.hash))
                continue;
            child.key = key_of(es__judge_all(&b->judge, &next, b->pile[card], b->card[card]));
            b->histogram[child.key]++;
            b->children[count++] = child;
        }
    }
    return count;
}

/* The best children become the beam. Of equals at the border the first are taken. */
static void select_best(struct beam *b, size_t children, size_t card, uint32_t claimed)
{
    size_t above = 0, border = KEYS;
    while (border > 0 && above + b->histogram[border - 1] <= (size_t)b->width)
        above += b->histogram[--border];
    size_t room = (size_t)b->width - above;
    struct step *steps = b->step + b->steps++ * (size_t)b->width;
    int kept = 0;
    for (size_t i = 0; i < children; i++) {
        const struct child *child = &b->children[i];
        if (child->key < border) {
            if (child->key + 1U < border || room == 0)
                continue;
            room--;
        }
        const struct es_sheet *from = &b->now[child->parent];
        bool entered = from->owed > 0;
        if (entered)
            make(b, from, card, child->choice, claimed, &b->next[kept]);
        else
            b->next[kept] = *from;
        steps[kept++] = (struct step){child->parent, child->choice, entered};
    }
    struct es_sheet *swap = b->now;
    b->now = b->next;
    b->next = swap;
    b->count = kept;
}

static bool anyone_owes(const struct beam *b)
{
    for (int i = 0; i < b->count; i++)
        if (b->now[i].owed)
            return true;
    return false;
}

static void read_back(const struct beam *b, int best, struct es_hindsight *hindsight)
{
    hindsight->count = 0;
    for (size_t i = b->steps; i-- > 0;) {
        const struct step *step = &b->step[i * (size_t)b->width + (size_t)best];
        if (step->entered)
            hindsight->entry[hindsight->count++] = ES_VERPLANT_ENTRY(b->player, step->choice);
        best = (int)step->parent;
    }
    for (size_t i = 0, j = hindsight->count; i + 1 < j; i++) {
        es_event swap = hindsight->entry[i];
        hindsight->entry[i] = hindsight->entry[--j];
        hindsight->entry[j] = swap;
    }
}

bool es_hindsight(const struct es_setup *setup, const es_event *events, size_t count, int player,
                  int width, void *memory, struct es_hindsight *hindsight)
{
    struct beam *b = lay_out(setup, width, memory);
    b->player = player;
    if (!read_game(b, events, count))
        return false;
    es__judge_begin(&b->judge, setup, &es__trained.net);
    es_sheet_blank(setup->map, &b->now[0]);
    b->count = 1;
    b->steps = 0;
    for (size_t card = 0; card < b->cards; card++) {
        uint32_t claimed = claimed_before(b, card);
        for (int l = 0; l < setup->map->lines; l++) {
            const struct es_map_line *line = &setup->map->line[l];
            b->judge.race.points[l] = claimed >> l & 1 ? line->later : line->first;
        }
        for (int i = 0; i < b->count; i++)
            b->now[i].owed = b->now[i].windows_left > 0;
        while (anyone_owes(b)) {
            if (b->steps == steps_at_most(setup, count))
                return false;
            select_best(b, expand(b, card, claimed), card, claimed);
        }
    }
    int best = -1, most = 0;
    for (int i = 0; i < b->count; i++) {
        int points = es__banked(&b->now[i]) - es__penalty(setup, &b->now[i]);
        if (b->now[i].windows_left == 0 && (best < 0 || points > most)) {
            best = i;
            most = points;
        }
    }
    if (best < 0)
        return false;
    hindsight->points = most;
    read_back(b, best, hindsight);
    return true;
}
