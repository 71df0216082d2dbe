/* Log entries of verplant: cards, entries, completed lines. */
#include "games/verplant/table.h"

static void tell_card(struct es__telling *t)
{
    const struct es_verplant_state *before = es_verplant_state(t->before);
    if (!es__tell(t, t->n, "card"))
        return;
    es__verplant_card_fact(t->w, "card", (int)ES_EVENT_WHAT(t->event));
    es__write_bool(t->w, "shuffled",
                   before->shuffles > 0 && before->pile_count == es_verplant_deck(t->setup)->size);
    es__told(t);
}

/* Closes the log entry of a move, with the fields that all of them have. */
static void entry_told(struct es__telling *t)
{
    es__write_int(t->w, "round", es_verplant_state(t->before)->round);
    es__write_event(t->w, "event", t->setup, t->event);
    es__told(t);
}

static void tell_entry(struct es__telling *t)
{
    const struct es_map *map = t->setup->map;
    const struct es_verplant_state *before = es_verplant_state(t->before);
    int player = ES_EVENT_WHO(t->event);
    es_choice choice = (es_choice)ES_EVENT_WHAT(t->event);
    const struct es_sheet *sheet = &before->sheet[player - 1];
    if (before->card == ES_CARD_FREE_RIDE) {
        if (!es__tell_of(t, t->n, "ride", player))
            return;
        if (choice == ES_CHOICE_NO_RIDE)
            es__write_text(t->w, "station", "");
        else
            es__verplant_station_fact(t->w, "station", map, choice - 1);
        entry_told(t);
        return;
    }
    if (!es__tell_of(t, t->n, "entry", player))
        return;
    es__write_str(t->w, "line", (struct es_str){&map->line[ES_CHOICE_LINE(choice)].letter, 1});
    es__verplant_card_fact(t->w, "card", before->card);
    es__verplant_marks_fact(t->w, map, sheet, choice);
    es__write_int(t->w, "framed",
                  es_verplant_state(t->after)->sheet[player - 1].framed - sheet->framed);
    entry_told(t);
}

/* Writes the lines completed in a round, once it is closed. */
static void tell_done(struct es__telling *t)
{
    const struct es_map *map = t->setup->map;
    for (int p = 1; p <= t->setup->players; p++) {
        const struct es_verplant_detail *detail = &es_verplant_state(t->after)->detail[p - 1];
        uint32_t fresh = es_verplant_state(t->after)->sheet[p - 1].scored &
                         ~es_verplant_state(t->before)->sheet[p - 1].scored;
        for (; fresh; fresh &= fresh - 1) {
            int l = __builtin_ctz(fresh);
            if (!es__tell_of(t, t->place, "done", p))
                return;
            es__write_str(t->w, "line", (struct es_str){&map->line[l].letter, 1});
            es__write_int(t->w, "points", es_verplant_won(map, detail, l));
            es__write_bool(t->w, "first", detail->first >> l & 1);
            es__told(t);
        }
    }
}

/* A player's own entry is known at once, the others' entries when the last entry closes the
 * round. */
size_t es__verplant_known_at(const struct es__looking *look, const es_event *events, size_t at)
{
    const es_event *seen = look->seen;
    size_t end = at + 1;
    if (ES_EVENT_WHO(seen[at]) == ES_CHANCE)
        return at + 1;
    bool own = ES_EVENT_WHO(seen[at]) == look->viewer;
    bool open = es_verplant.turn(look->setup, look->now).kind == ES_TURN_PLAYERS;
    while (end < look->count && ES_EVENT_WHO(seen[end]) != ES_CHANCE)
        end++;
    if (open && end == look->count)
        return at + 1; /* only own entries of an open round are in the view */
    bool last_own = own && (at + 1 == end || ES_EVENT_WHO(seen[at + 1]) != look->viewer);
    bool closes = last_own && ES_EVENT_WHO(events[end - 1]) == look->viewer;
    return own && !closes
               ? at + 1
               : end; /* a closed round has the same length in the game and in the view */
}

void es__verplant_tell(struct es__telling *t)
{
    if (ES_EVENT_WHO(t->event) == ES_CHANCE)
        tell_card(t);
    else
        tell_entry(t);
    tell_done(t);
}
