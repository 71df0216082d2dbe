/* Functions for any game: finding one by name, validating setups, views, chance, lists of moves,
 * perft. */
#include <assert.h>
#include <endstation/game.h>
#include <string.h>

const struct es_game *es_game_named(struct es_str name)
{
    for (int i = 0; es_games[i]; i++)
        if (es_str_is(name, es_games[i]->name))
            return es_games[i];
    return NULL;
}

uint32_t es_game_rule(const struct es_game *game, struct es_str word)
{
    for (int i = 0; game->rules[i]; i++)
        if (es_str_is(word, game->rules[i]))
            return (uint32_t)1 << i;
    return 0;
}

int es_game_option(const struct es_game *game, struct es_str word)
{
    for (int i = 0; game->options && game->options[i]; i++)
        if (es_str_is(word, game->options[i]))
            return i;
    return -1;
}

const char *es_game_preset(const struct es_game *game, const char *option, struct es_str name)
{
    for (const struct es_preset *one = game->presets; one && one->option; one++)
        if (strcmp(one->option, option) == 0 && es_str_is(name, one->name))
            return one->text;
    return NULL;
}

es_status es_setup_prepare(struct es_setup *setup)
{
    const struct es_game *game = setup->game;
    if (setup->players < game->players_min || setup->players > game->players_max)
        return ES_PLAYERS_RANGE;
    uint32_t known = 0;
    for (int i = 0; game->rules[i]; i++)
        known |= (uint32_t)1 << i;
    uint32_t clashing = setup->rules & game->exclusive;
    if (setup->rules & ~known)
        return ES_RULE_UNKNOWN;
    if (clashing & (clashing - 1))
        return ES_RULES_CLASH;
    if (game->has_map != (setup->map != NULL))
        return game->has_map ? ES_MAP_MISSING : ES_MAP_UNWANTED;
    return game->prepare(setup);
}

es_status es_fold(const struct es_setup *setup, const es_event *events, size_t count,
                  struct es_state *state)
{
    es_status status = ES_OK;
    setup->game->start(setup, state);
    for (size_t i = 0; i < count && status == ES_OK; i++)
        status = setup->game->apply(setup, state, events[i]);
    return status;
}

void es_view(const struct es_setup *setup, const struct es_state *state, const es_event *events,
             size_t count, int viewer, es_event *scratch, struct es_state *view)
{
    size_t seen = setup->game->observe(setup, state, events, count, viewer, scratch);
    bool folded = es_fold(setup, scratch, seen, view) == ES_OK;
    assert(folded);
}

es_event es_chance(const struct es_setup *setup, const struct es_state *state,
                   struct es_random *random)
{
    es_event events[ES_LEGAL_MAX];
    size_t count = setup->game->legal(setup, state, ES_CHANCE, events), i = 0;
    uint32_t sum = 0;
    for (i = 0; i < count; i++)
        sum += setup->game->weight(setup, state, events[i]);
    uint32_t pick = es_random_below(random, sum);
    for (i = 0; pick >= setup->game->weight(setup, state, events[i]); i++)
        pick -= setup->game->weight(setup, state, events[i]);
    return events[i];
}

/* Returns true if the text of event a sorts before that of event b. */
static bool comes_before(const struct es_setup *setup, es_event a, es_event b)
{
    char one[ES_EVENT_BYTES + 1] = "", two[ES_EVENT_BYTES + 1] = "";
    setup->game->format(setup, a, &(struct es_out){one, ES_EVENT_BYTES, 0});
    setup->game->format(setup, b, &(struct es_out){two, ES_EVENT_BYTES, 0});
    return strcmp(one, two) < 0;
}

void es_moves_write(const struct es_setup *setup, const struct es_state *state, struct es_out *out)
{
    es_event events[(ES_PLAYERS_MAX + 1) * ES_LEGAL_MAX], event;
    size_t count = 0;
    for (int who = 0; who <= setup->players; who++)
        count += setup->game->legal(setup, state, who, events + count);
    /* Shell sort: the lists are nearly sorted already. */
    static const size_t gaps[] = {701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        for (size_t i = gaps[g], at; i < count; i++) {
            event = events[i];
            for (at = i; at >= gaps[g] && comes_before(setup, event, events[at - gaps[g]]);
                 at -= gaps[g])
                events[at] = events[at - gaps[g]];
            events[at] = event;
        }
    for (size_t i = 0; i < count; i++) {
        setup->game->format(setup, events[i], out);
        es_out_char(out, '\n');
    }
}

/* What each event of a sequence needs; too much for the stack. */
struct step {
    es_event events[ES_LEGAL_MAX];
    struct es_state next;
};

size_t es_perft_bytes(int depth)
{
    return (size_t)depth * sizeof(struct step);
}

uint64_t es_perft(const struct es_setup *setup, const struct es_state *state, int depth,
                  void *memory)
{
    if (depth == 0)
        return 1;
    const struct es_game *game = setup->game;
    struct step *step = memory;
    uint64_t sum = 0;
    for (int who = 0; who <= setup->players; who++) {
        size_t count = game->legal(setup, state, who, step->events);
        for (size_t i = 0; i < count; i++) {
            step->next = *state;
            game->apply(setup, &step->next, step->events[i]);
            sum += es_perft(setup, &step->next, depth - 1, step + 1);
        }
    }
    return sum;
}
