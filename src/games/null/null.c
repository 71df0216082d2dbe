/* The null game: rules only, in one file; everything else is the default. In test builds only.
 *
 * All players call heads or tails, unseen by the others; then a coin is tossed (`toss heads`), and
 * each player who was right gets a point. 1 to 6 players.
 */
#include "games/rounds.h"
#include <string.h>

struct null_state {
    uint8_t called; /* bit p - 1: player p has called */
    uint8_t heads;  /* bit p - 1: player p has called heads */
    uint8_t tossed; /* 0: not yet, else 1 + the side */
} __attribute__((may_alias));

static const char *const sides[] = {"tails", "heads"};

static const struct null_state *view(const struct es_state *state)
{
    return (const struct null_state *)state;
}

static unsigned everybody(const struct es_setup *setup)
{
    return (1U << setup->players) - 1;
}

static es_status prepare(struct es_setup *setup)
{
    (void)setup;
    return ES_OK;
}

static void start(const struct es_setup *setup, struct es_state *state)
{
    (void)setup;
    memset(state, 0, sizeof *state);
}

static struct es_turn turn(const struct es_setup *setup, const struct es_state *state)
{
    unsigned acting = everybody(setup) & ~view(state)->called;
    if (acting)
        return (struct es_turn){ES_TURN_PLAYERS, acting};
    return (struct es_turn){view(state)->tossed ? ES_TURN_OVER : ES_TURN_CHANCE, 0};
}

static size_t legal(const struct es_setup *setup, const struct es_state *state, int who,
                    es_event *events)
{
    struct es_turn now = turn(setup, state);
    bool due = who == ES_CHANCE ? now.kind == ES_TURN_CHANCE : now.players >> (who - 1) & 1;
    for (int side = 0; side < 2; side++)
        events[side] = ES_EVENT(who, side);
    return due ? 2 : 0;
}

static es_status apply(const struct es_setup *setup, struct es_state *state, es_event event)
{
    struct null_state *s = (struct null_state *)state;
    int who = ES_EVENT_WHO(event);
    unsigned side = ES_EVENT_WHAT(event);
    struct es_turn now = turn(setup, state);
    if (who > setup->players)
        return ES_PLAYER_UNKNOWN;
    if (side > 1)
        return ES_EVENT_BAD;
    if (now.kind == ES_TURN_OVER)
        return ES_GAME_OVER;
    if (who == ES_CHANCE) {
        if (now.kind != ES_TURN_CHANCE)
            return ES_CHANCE_NOT_DUE;
        s->tossed = (uint8_t)(1 + side);
        return ES_OK;
    }
    if (!(now.players >> (who - 1) & 1))
        return now.kind == ES_TURN_CHANCE ? ES_CHANCE_DUE : ES_NOT_TO_ACT;
    s->called |= (uint8_t)(1 << (who - 1));
    s->heads |= (uint8_t)(side << (who - 1));
    return ES_OK;
}

static unsigned weight(const struct es_setup *setup, const struct es_state *state, es_event event)
{
    (void)setup, (void)state, (void)event;
    return 1;
}

static es_event deal(const struct es_setup *setup, const struct es_state *state,
                     const uint8_t seed[ES_SEED_BYTES])
{
    (void)setup, (void)state;
    uint8_t order[2];
    es_fair_shuffle(seed, 0, 2, order);
    return ES_EVENT(ES_CHANCE, order[0]);
}

static size_t observe(const struct es_setup *setup, const struct es_state *state,
                      const es_event *events, size_t count, int viewer, es_event *seen)
{
    bool closed = turn(setup, state).kind != ES_TURN_PLAYERS;
    size_t tossed = count > 0 && ES_EVENT_WHO(events[count - 1]) == ES_CHANCE;
    size_t kept =
        es__observe_round(events, 0, count - tossed, setup->players, viewer, closed, seen, 0);
    if (tossed)
        seen[kept++] = events[count - 1];
    return kept;
}

static int score(const struct es_setup *setup, const struct es_state *state, int player)
{
    (void)setup;
    const struct null_state *s = view(state);
    return s->tossed && (s->heads >> (player - 1) & 1) == s->tossed - 1;
}

static unsigned winners(const struct es_setup *setup, const struct es_state *state)
{
    unsigned right = 0;
    for (int p = 1; p <= setup->players; p++)
        right |= (unsigned)score(setup, state, p) << (p - 1);
    return turn(setup, state).kind != ES_TURN_OVER ? 0 : right ? right : everybody(setup);
}

static void report(const struct es_setup *setup, const struct es_state *state, struct es_out *out)
{
    const struct null_state *s = view(state);
    es_out_text(out, "game null\nplayers ");
    es_out_int(out, setup->players);
    es_out_text(out, "\ntossed ");
    es_out_text(out, s->tossed ? sides[s->tossed - 1] : "-");
    for (int p = 1; p <= setup->players; p++) {
        es_out_text(out, "\nplayer ");
        es_out_int(out, p);
        es_out_char(out, ' ');
        es_out_text(out, s->called >> (p - 1) & 1 ? sides[s->heads >> (p - 1) & 1] : "-");
    }
    es_out_char(out, '\n');
}

static es_status parse(const struct es_setup *setup, struct es_str text, es_event *event)
{
    struct es_str who, side;
    unsigned player = ES_CHANCE;
    if (!es_str_word(&text, &who) || !es_str_word(&text, &side))
        return ES_WORD_MISSING;
    if (es_str_trim(text).size > 0)
        return ES_WORD_EXTRA;
    if (!es_str_is(who, "toss") &&
        (es_str_number(who, setup->players, &player) != ES_OK || player == 0))
        return ES_EVENT_BAD;
    for (unsigned i = 0; i < 2; i++)
        if (es_str_is(side, sides[i])) {
            *event = ES_EVENT(player, i);
            return ES_OK;
        }
    return ES_EVENT_BAD;
}

static void format(const struct es_setup *setup, es_event event, struct es_out *out)
{
    (void)setup;
    if (ES_EVENT_WHO(event) == ES_CHANCE)
        es_out_text(out, "toss");
    else
        es_out_int(out, ES_EVENT_WHO(event));
    es_out_char(out, ' ');
    es_out_text(out, sides[ES_EVENT_WHAT(event) & 1]);
}

static es_status check(const struct es_setup *setup, const struct es_state *state)
{
    const struct null_state *s = view(state);
    bool sound = !(s->heads & ~s->called) && !(s->called & ~everybody(setup)) &&
                 (!s->tossed || s->called == everybody(setup)) && s->tossed <= 2;
    return sound ? ES_OK : ES_BROKEN;
}

static const char *const rule_words[] = {NULL};

extern const struct es_game es_null;
const struct es_game es_null = {
    .name = "null",
    .players_min = 1,
    .players_max = 6,
    .has_secrets = true,
    .rules = rule_words,
    .prepare = prepare,
    .start = start,
    .turn = turn,
    .legal = legal,
    .apply = apply,
    .weight = weight,
    .deal = deal,
    .observe = observe,
    .score = score,
    .winners = winners,
    .report = report,
    .parse = parse,
    .format = format,
    .check = check,
};
