/* Events and reports of depot as text. */
#include "games/notation.h"
#include "games/depot/depot.h"

void depot_place_write(int place, struct es_out *out)
{
    es_out_char(out, (char)('a' + place % DEPOT_SIDE));
    es_out_char(out, (char)('1' + place / DEPOT_SIDE));
}

/* Returns the place that a word names, or -1. */
static int place_read(struct es_str word)
{
    int column = word.size == 2 ? word.at[0] - 'a' : -1;
    int row = word.size == 2 ? word.at[1] - '1' : -1;
    if (column < 0 || column >= DEPOT_SIDE || row < 0 || row >= DEPOT_SIDE)
        return -1;
    return row * DEPOT_SIDE + column;
}

/* `roll 4`, `1 c3` */
es_status depot_parse(const struct es_setup *setup, struct es_str text, es_event *event)
{
    struct es_str who, what;
    unsigned number;
    int player;
    if (!es_str_word(&text, &who) || !es_str_word(&text, &what))
        return ES_WORD_MISSING;
    if (es_str_trim(text).size > 0)
        return ES_WORD_EXTRA;
    if (es_str_is(who, "roll")) {
        es_status status = es_str_number(what, DEPOT_DIE, &number);
        if (status || number == 0)
            return status ? status : ES_NUMBER_RANGE;
        *event = ES_EVENT(ES_CHANCE, number);
        return ES_OK;
    }
    es_status status = es__player_read(setup, who, &player);
    if (status)
        return status;
    int place = place_read(what);
    if (place < 0)
        return ES_PLACE_BAD;
    *event = ES_EVENT(player, place);
    return ES_OK;
}

void depot_format(const struct es_setup *setup, es_event event, struct es_out *out)
{
    (void)setup;
    if (ES_EVENT_WHO(event) == ES_CHANCE) {
        es__report_number(out, "roll ", (int)ES_EVENT_WHAT(event));
        return;
    }
    es_out_int(out, ES_EVENT_WHO(event));
    es_out_char(out, ' ');
    depot_place_write((int)ES_EVENT_WHAT(event), out);
}

void depot_report(const struct es_setup *setup, const struct es_state *state, struct es_out *out)
{
    const struct depot_state *s = depot_state(state);
    struct es_turn turn = depot_turn(setup, state);
    es__report_number(out, "game depot\nplayers ", setup->players);
    es__report_number(out, "\nparked ", s->parked);
    es_out_char(out, '\n');
    es__report_over(out, turn);
    es__report_to_act(out, turn);
    es__report_number(out, "rolled ", s->rolled);
    for (int place = 0; place < DEPOT_PLACES; place++) {
        es_out_text(out, place % DEPOT_SIDE ? " " : "\nrow ");
        es_out_char(out, (char)(s->wagon[place] ? '0' + s->wagon[place] : '.'));
    }
    for (int p = 1; p <= setup->players; p++) {
        es__report_number(out, "\nplayer ", p);
        es__report_number(out, " total ", s->points[p - 1]);
    }
    es_out_char(out, '\n');
    es__report_winner(out, depot_winners(setup, state));
}

es_status depot_check(const struct es_setup *setup, const struct es_state *state)
{
    const struct depot_state *s = depot_state(state);
    int parked = 0;
    bool sound = s->rolled <= DEPOT_DIE && (s->rolled == 0 || s->parked < DEPOT_PLACES);
    for (int place = 0; place < DEPOT_PLACES; place++) {
        parked += s->wagon[place] != 0;
        sound = sound && s->wagon[place] <= DEPOT_DIE && s->owner[place] <= setup->players &&
                (s->wagon[place] != 0) == (s->owner[place] != 0);
    }
    return sound && parked == s->parked ? ES_OK : ES_BROKEN;
}
