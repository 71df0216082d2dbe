/* depot's part of a session: arrow keys, facts and log. Taps, undo and the validation of picks are
 * the defaults of page/table.h. */
#include "games/depot/table.h"
#include "games/depot/depot.h"

/* ---- Choosing ------------------------------------------------------------------------------- */

/* Returns the next free place from `place` in the key's direction, row by row or column by column,
 * wrapping at the edges; -1 if there is none. */
static int next_free(const struct depot_state *s, int place, int key)
{
    bool along_rows = key == KEY_LEFT || key == KEY_RIGHT;
    int step = key == KEY_LEFT || key == KEY_UP ? DEPOT_PLACES - 1 : 1;
    /* The position in the order of the walk: the place's number, or that of its mirror image. */
    int at = along_rows ? place : place % DEPOT_SIDE * DEPOT_SIDE + place / DEPOT_SIDE;
    for (int i = 0; i < DEPOT_PLACES; i++) {
        at = (at + step) % DEPOT_PLACES;
        int next = along_rows ? at : at % DEPOT_SIDE * DEPOT_SIDE + at / DEPOT_SIDE;
        if (s->wagon[next] == 0)
            return next;
    }
    return -1;
}

static void walk(struct es__choosing *c, int key)
{
    const struct depot_state *s = depot_state(c->view);
    if (key < KEY_LEFT || key > KEY_DOWN)
        return;
    bool is_back = key == KEY_LEFT || key == KEY_UP;
    int from = *c->plan ? (int)ES_EVENT_WHAT(*c->plan) : is_back ? 0 : DEPOT_PLACES - 1;
    int place = next_free(s, from, key);
    if (place >= 0)
        es__plan(c, ES_EVENT(c->player, place));
}

/* ---- Facts ---------------------------------------------------------------------------------- */

/* Writes the facts of a wagon that is parked or would be. `before`: the yard without it. */
static void wagon_facts(struct es__writer *w, const struct es_setup *setup,
                        const struct depot_state *before, es_event event)
{
    char text[4];
    struct es_out out = {text, sizeof text, 0};
    int place = (int)ES_EVENT_WHAT(event);
    depot_place_write(place, &out);
    es__write_int(w, "number", before->rolled);
    es__write_str(w, "place", (struct es_str){text, out.used});
    es__write_int(w, "gain", depot_gain(setup, before, place, before->rolled));
}

static void answer(const struct es__choosing *c, struct es__writer *w)
{
    if (*c->plan)
        wagon_facts(w, c->setup, depot_state(c->view), *c->plan);
}

static void facts(const struct es__looking *look, struct es__writer *w)
{
    const struct depot_state *s = depot_state(look->view);
    es__write_int(w, "rolled", s->rolled);
    es__write_int(w, "parked", s->parked);
    es__write_int(w, "places", DEPOT_PLACES);
}

static void tell(struct es__telling *t)
{
    if (ES_EVENT_WHO(t->event) == ES_CHANCE) {
        unsigned player = depot_turn(t->setup, t->after).players;
        if (!es__tell_of(t, t->n, "deal", __builtin_ctz(player) + 1))
            return;
        es__write_int(t->w, "number", (long)ES_EVENT_WHAT(t->event));
    } else {
        if (!es__tell_of(t, t->n, "park", ES_EVENT_WHO(t->event)))
            return;
        wagon_facts(t->w, t->setup, depot_state(t->before), t->event);
    }
    es__told(t);
}

const struct es_table depot_table = {
    .key = walk,
    .answer = answer,
    .facts = facts,
    .tell = tell,
};
