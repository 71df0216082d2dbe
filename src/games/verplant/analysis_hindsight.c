/* Implementation of hindsight.h: a beam search that after each card keeps the `width` positions
 * with the best evaluation (bots_value.h).
 *
 *     card 4      card +      card x2
 *     o --------- o --------- o          every position of the beam is played on in every way;
 *       \-------- o --------- o          two ways to the same sheet are one position
 *        \------- o   \------ o
 *
 * With special stations, positions that owe an entry are expanded again before the next card.
 */
#include "games/verplant/bots_entry.h"
#include "games/verplant/bots_value.h"
#include <endstation/verplant/hindsight.h>
#include <string.h>

enum {
    MARKS = 9, /* most marks of one entry */
    KEYS = 1 << 16,
    LOWEST = -400, /* no value is less */
};

struct child {
    uint64_t hash;
    uint32_t parent;
    es_choice choice;
    uint16_t key; /* the value, as fine as all values leave room for */
};

struct beam {
    const struct es_setup *setup;
    int player, width;
    struct es__evaluator evaluator;
    size_t cards;
    uint8_t card[ES_HINDSIGHT_ENTRIES_MAX];
    uint64_t pile[ES_HINDSIGHT_ENTRIES_MAX]; /* after the card */
    size_t claimed[ES_LINES_MAX]; /* the card with which another player claimed it; `cards`: nobody
                                     did */
    int as_played;                /* the points that the player got */
    float unit;                   /* keys per point */

    struct es_sheet *now, *next;
    /* The entries that led to each position: their number, then the entries. */
    es_choice *way, *next_way;
    size_t way_size;
    int count;
    struct child *children;
    size_t choices; /* of one position, at most */
    uint64_t *seen; /* hashes of children, open addressing */
    size_t seen_size;
    uint32_t histogram[KEYS];
};

/* Rounds a size up, so that what follows is aligned for any type. */
static size_t part(size_t bytes)
{
    return (bytes + 63) & ~(size_t)63;
}

/* Returns an upper bound of the choices of one position. Free rides go to any station or none;
 * marking nothing on a line is a choice too, and rings have two directions. */
static size_t choices_at_most(const struct es_map *map)
{
    size_t rides = map->stations + 1U, entries = 0;
    for (int l = 0; l < map->lines; l++)
        entries += map->line[l].ring ? 1 + 2 * MARKS : 1 + MARKS;
    return rides > entries ? rides : entries;
}

static size_t seen_size(const struct es_map *map, int width)
{
    size_t size = 1024;
    while (size < (size_t)width * choices_at_most(map) * 3 / 2)
        size *= 2;
    return size;
}

/* One for every window, and for every free ride. */
static size_t way_size(const struct es_setup *setup, size_t events)
{
    size_t most = events + setup->map->windows;
    return 1 + (most < ES_HINDSIGHT_ENTRIES_MAX ? most : ES_HINDSIGHT_ENTRIES_MAX);
}

static bool width_good(int width)
{
    return width >= 1 && width <= ES_HINDSIGHT_WIDTH_MAX;
}

size_t es_hindsight_bytes(const struct es_setup *setup, size_t events, int width)
{
    if (!width_good(width))
        return 1;
    size_t w = (size_t)width;
    return part(sizeof(struct beam)) + 2 * part(w * sizeof(struct es_sheet)) +
           part(w * choices_at_most(setup->map) * sizeof(struct child)) +
           part(seen_size(setup->map, width) * sizeof(uint64_t)) +
           2 * part(w * way_size(setup, events) * sizeof(es_choice));
}

static struct beam *lay_out(const struct es_setup *setup, size_t events, int width, void *memory)
{
    struct beam *b = memory;
    uint8_t *at = (uint8_t *)memory + part(sizeof *b);
    size_t w = (size_t)width;
    b->setup = setup;
    b->width = width;
    b->choices = choices_at_most(setup->map);
    b->seen_size = seen_size(setup->map, width);
    b->way_size = way_size(setup, events);
    b->now = (struct es_sheet *)at;
    b->next = (struct es_sheet *)(at += part(w * sizeof(struct es_sheet)));
    b->children = (struct child *)(at += part(w * sizeof(struct es_sheet)));
    b->seen = (uint64_t *)(at += part(w * b->choices * sizeof(struct child)));
    b->way = (es_choice *)(at += part(b->seen_size * sizeof(uint64_t)));
    b->next_way = (es_choice *)(at + part(w * b->way_size * sizeof(es_choice)));
    return b;
}

/* Returns the keys per point: 64, or fewer if the sheet's highest possible score (every line first,
 * every window a transfer at the largest hub) would not fit. */
static float unit_of(const struct es_map *map)
{
    int most = 0, calls = 0;
    for (int l = 0; l < map->lines; l++)
        most += map->line[l].first;
    for (int s = 0; s < map->stations; s++)
        calls = es_map_calls(map, s) > calls ? es_map_calls(map, s) : calls;
    most += 2 * map->windows * calls;
    float unit = 64;
    while ((float)(most - LOWEST) * unit > KEYS)
        unit /= 2;
    return unit;
}

/* Reads the cards of the game, and when others completed lines. */
static bool read_game(struct beam *b, const es_event *events, size_t count)
{
    const struct es_map *map = b->setup->map;
    struct es_state state;
    const struct es_verplant_state *s = es_verplant_state(&state);
    size_t entries = map->windows; /* of one player, at most */
    b->cards = 0;
    for (int l = 0; l < map->lines; l++)
        b->claimed[l] = ES_HINDSIGHT_ENTRIES_MAX;
    es_verplant.start(b->setup, &state);
    uint64_t pile = es__whole_pile(b->setup);
    for (size_t i = 0; i < count; i++) {
        if (es_verplant.apply(b->setup, &state, events[i]))
            return false;
        if (ES_EVENT_WHO(events[i]) == ES_CHANCE) {
            if (b->cards == ES_HINDSIGHT_ENTRIES_MAX)
                return false;
            pile = es__pile_without(b->setup, pile, s->card);
            b->pile[b->cards] = pile;
            b->card[b->cards++] = s->card;
            entries += s->card == ES_CARD_FREE_RIDE;
            continue;
        }
        for (int p = 1; p <= b->setup->players; p++)
            for (int l = 0; l < map->lines && p != b->player; l++)
                if ((s->sheet[p - 1].scored >> l & 1) && b->claimed[l] >= b->cards)
                    b->claimed[l] = b->cards - 1;
    }
    b->as_played = es_verplant.score(b->setup, &state, b->player);
    return es_verplant.turn(b->setup, &state).kind == ES_TURN_OVER &&
           entries <= ES_HINDSIGHT_ENTRIES_MAX;
}

/* Returns the lines that others have claimed before a card. */
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

/* Returns true if a position is new among the children. */
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

static uint16_t key_of(const struct beam *b, float value)
{
    float key = (value - LOWEST) * b->unit;
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
            ways = es_sheet_choices(b->setup->map, from, b->card[card], choices);
        for (size_t k = 0; k < ways; k++) {
            struct es_sheet next = *from;
            if (!waits)
                make(b, from, card, choices[k], claimed, &next);
            struct child child = {hash_of(&next), (uint32_t)i, choices[k], 0};
            if (!remember(b, child.hash))
                continue;
            child.key =
                key_of(b, es__evaluate_total(&b->evaluator, &next, b->pile[card], b->card[card]));
            b->histogram[child.key]++;
            b->children[count++] = child;
        }
    }
    return count;
}

/* Copies the parent's entries to a position, and adds its own if it made one. */
static void go_on(struct beam *b, int to, const struct child *child, bool entered)
{
    const es_choice *from = b->way + child->parent * b->way_size;
    es_choice *way = b->next_way + (size_t)to * b->way_size;
    memcpy(way, from, (1 + (size_t)from[0]) * sizeof *way);
    if (entered)
        way[++way[0]] = child->choice;
}

/* Makes the best children the new beam; of equals at the cut, the first. */
static void select_best(struct beam *b, size_t children, size_t card, uint32_t claimed)
{
    size_t above = 0, border = KEYS;
    while (border > 0 && above + b->histogram[border - 1] <= (size_t)b->width)
        above += b->histogram[--border];
    size_t room = (size_t)b->width - above;
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
        go_on(b, kept++, child, entered);
    }
    struct es_sheet *sheets = b->now;
    b->now = b->next;
    b->next = sheets;
    es_choice *ways = b->way;
    b->way = b->next_way;
    b->next_way = ways;
    b->count = kept;
}

static bool anyone_owes(const struct beam *b)
{
    for (int i = 0; i < b->count; i++)
        if (b->now[i].owed)
            return true;
    return false;
}

static void read_way(const struct beam *b, int best, struct es_hindsight *hindsight)
{
    const es_choice *way = b->way + (size_t)best * b->way_size;
    hindsight->count = way[0];
    for (size_t i = 0; i < hindsight->count; i++)
        hindsight->entry[i] = ES_VERPLANT_ENTRY(b->player, way[1 + i]);
}

static void read_played(const struct beam *b, const es_event *events, size_t count,
                        struct es_hindsight *hindsight)
{
    hindsight->count = 0;
    for (size_t i = 0; i < count; i++)
        if (ES_EVENT_WHO(events[i]) == b->player)
            hindsight->entry[hindsight->count++] = events[i];
}

bool es_hindsight(const struct es_setup *setup, const es_event *events, size_t count, int player,
                  int width, void *memory, struct es_hindsight *hindsight)
{
    if (!width_good(width) || player < 1 || player > setup->players)
        return false;
    struct beam *b = lay_out(setup, count, width, memory);
    b->player = player;
    if (!read_game(b, events, count))
        return false;
    es__evaluator_init(&b->evaluator, setup, &es__trained.net);
    es_sheet_blank(setup->map, &b->now[0]);
    b->count = 1;
    b->way[0] = 0;
    b->unit = unit_of(setup->map);
    for (size_t card = 0; card < b->cards; card++) {
        uint32_t claimed = claimed_before(b, card);
        for (int l = 0; l < setup->map->lines; l++) {
            const struct es_map_line *line = &setup->map->line[l];
            b->evaluator.race.points[l] = claimed >> l & 1 ? line->later : line->first;
        }
        for (int i = 0; i < b->count; i++)
            b->now[i].owed = b->now[i].windows_left > 0;
        while (anyone_owes(b))
            select_best(b, expand(b, card, claimed), card, claimed);
    }
    /* A narrow beam may drop every position better than the actual play, or even (special stations
     * fill windows at different speeds) every one that ends with these cards. */
    int best = -1, most = b->as_played;
    for (int i = 0; i < b->count; i++) {
        int points = es__banked(&b->now[i]) - es__penalty(setup, &b->now[i]);
        if (b->now[i].windows_left == 0 && points > most) {
            best = i;
            most = points;
        }
    }
    hindsight->points = most;
    if (best >= 0)
        read_way(b, best, hindsight);
    else
        read_played(b, events, count, hindsight);
    return true;
}
