/* Facts about a game of verplant: map, cards, and the players' sheets. */
#include "games/verplant/table.h"

/* Writes what a card is, into the object that is open. */
static void write_card(struct es__writer *w, int card)
{
    char text[8];
    struct es_out out = {text, sizeof text, 0};
    if (card != ES_CARD_NONE)
        es_verplant_card_write(card, &out);
    es__write_str(w, "code", (struct es_str){text, out.used});
    es__write_text(w, "kind",
                   card < ES_CARD_EXPRESS      ? "number"
                   : card < ES_CARD_TRANSFER   ? "express"
                   : card == ES_CARD_TRANSFER  ? "transfer"
                   : card == ES_CARD_FREE_RIDE ? "ride"
                                               : "back");
    es__write_int(w, "marks", card == ES_CARD_NONE ? 0 : es_card_marks(card));
}

void es__verplant_card_fact(struct es__writer *w, const char *name, int card)
{
    if (card == ES_CARD_NONE)
        return;
    es__write_object(w, name);
    write_card(w, card);
    es__write_end(w);
}

void es__verplant_station_fact(struct es__writer *w, const char *name, const struct es_map *map,
                               int station)
{
    const struct es_map_station *s = &map->station[station];
    es__write_text(w, name, s->name[0] ? s->name : s->id);
}

/* Lists the stations that a choice marks, in order; returns their number. */
static int marked_stations(const struct es_map *map, const struct es_sheet *sheet, es_choice choice,
                           int stations[ES_STOPS_MAX])
{
    int l = ES_CHOICE_LINE(choice), direction = ES_CHOICE_DIRECTION(choice), count = 0;
    if (l < 0 && choice != ES_CHOICE_NO_RIDE)
        stations[count++] = choice - 1;
    for (int i = 0; l >= 0 && i < ES_CHOICE_MARKS(choice); i++) {
        uint64_t next = es_sheet_taken(map, sheet, l, direction, i + 1) &
                        ~es_sheet_taken(map, sheet, l, direction, i);
        stations[count++] = map->line[l].stop[__builtin_ctzll(next)];
    }
    return count;
}

void es__verplant_marks_fact(struct es__writer *w, const struct es_map *map,
                             const struct es_sheet *sheet, es_choice choice)
{
    int stations[ES_STOPS_MAX], count = marked_stations(map, sheet, choice, stations);
    es__write_array(w, "marks");
    for (int i = 0; i < count; i++)
        es__verplant_station_fact(w, NULL, map, stations[i]);
    es__write_end(w);
}

void es__verplant_stations_fact(struct es__writer *w, const struct es_map *map,
                                const struct es_sheet *sheet, es_choice choice)
{
    int stations[ES_STOPS_MAX], count = marked_stations(map, sheet, choice, stations);
    es__write_array(w, "stations");
    for (int i = 0; i < count; i++)
        es__write_text(w, NULL, map->station[stations[i]].id);
    es__write_end(w);
}

bool es__verplant_piece_facts(struct es_str name, struct es__writer *w)
{
    uint8_t card = ES_CARD_NONE;
    if (!es_str_is(name, "back") && es_verplant_card_read(name, &card))
        return false;
    write_card(w, card);
    return true;
}

int es__verplant_owed(const struct es_sheet *sheet)
{
    return sheet->owed < sheet->windows_left ? sheet->owed : sheet->windows_left;
}

void es__verplant_map_facts(struct es__writer *w, const struct es_map *map, bool built_in)
{
    int special = 0;
    for (int s = 0; s < map->stations; s++)
        special += es_map_special(map, s);
    es__write_text(w, "id", map->id);
    es__write_text(w, "title", map->title);
    es__write_text(w, "hash", map->hash);
    es__write_bool(w, "built_in", built_in);
    if (es_map_earlier(es_str(map->hash)))
        es__write_bool(w, "earlier", true);
    es__write_int(w, "stations", map->stations);
    es__write_int(w, "special", special);
    es__write_array(w, "lines");
    for (int l = 0; l < map->lines; l++) {
        const struct es_map_line *line = &map->line[l];
        char colour[6];
        struct es_out hex = {colour, sizeof colour, 0};
        es_out_hex(&hex,
                   (const uint8_t[]){(uint8_t)(line->colour >> 16), (uint8_t)(line->colour >> 8),
                                     (uint8_t)line->colour},
                   3);
        es__write_object(w, NULL);
        es__write_str(w, "letter", (struct es_str){&line->letter, 1});
        es__write_str(w, "colour", (struct es_str){colour, sizeof colour});
        es__write_bool(w, "ring", line->ring);
        es__write_int(w, "windows", line->windows);
        es__write_int(w, "first", line->first);
        es__write_int(w, "later", line->later);
        es__write_array(w, "stops");
        for (int i = 0; i < line->stops; i++)
            es__write_text(w, NULL, map->station[line->stop[i]].id);
        es__write_end(w);
        es__write_end(w);
    }
    es__write_end(w);
}

/* Writes the open card, the one before it, and those in the pile, which everybody may know. */
static void card_facts(const struct es__looking *look, struct es__writer *w)
{
    const struct es_setup *setup = look->setup;
    const struct es_verplant_state *s = es_verplant_state(look->view);
    int last = ES_CARD_NONE, latest = ES_CARD_NONE;
    for (size_t i = 0; i < look->count; i++)
        if (ES_EVENT_WHO(look->seen[i]) == ES_CHANCE) {
            last = latest;
            latest = (int)ES_EVENT_WHAT(look->seen[i]);
        }
    es__verplant_card_fact(w, "card", s->card);
    es__verplant_card_fact(w, "last", s->card == ES_CARD_NONE ? latest : last);
    es__write_int(w, "round", s->round);
    es__write_int(w, "left", s->pile_count);
    es__write_int(w, "windows", setup->map->windows);
    es__write_array(w, "deck");
    for (int kind = 0; kind < ES_CARD_KINDS; kind++) {
        int all = __builtin_popcountll(es_verplant_deck(setup)->copies[kind]);
        if (all == 0)
            continue;
        es__write_object(w, NULL);
        es__verplant_card_fact(w, "card", kind);
        es__write_int(w, "left",
                      __builtin_popcountll(s->pile & es_verplant_deck(setup)->copies[kind]));
        es__write_int(w, "all", all);
        es__write_end(w);
    }
    es__write_end(w);
}

static void line_facts(struct es__writer *w, const struct es_map *map,
                       const struct es_verplant_state *s, int player, int l)
{
    const struct es_sheet *sheet = &s->sheet[player - 1];
    const struct es_verplant_detail *detail = &s->detail[player - 1];
    const struct es_map_line *line = &map->line[l];
    int free = es_sheet_free(sheet, l);
    bool done = sheet->scored >> l & 1;
    es__write_object(w, NULL);
    es__write_str(w, "letter", (struct es_str){&line->letter, 1});
    es__write_array(w, "written");
    for (int window = 0; window < line->windows - free; window++)
        es__verplant_card_fact(w, NULL, es_verplant_written(map, detail, l, window));
    es__write_end(w);
    es__write_int(w, "free", free);
    es__write_int(w, "left", __builtin_popcountll(sheet->open[l]));
    es__write_bool(w, "done", done);
    es__write_int(w, "won", done ? es_verplant_won(map, detail, l) : 0);
    es__write_bool(w, "first", detail->first >> l & 1);
    es__write_bool(w, "claimed", !done && (s->claimed >> l & 1));
    es__write_end(w);
}

/* Writes the stations that are marked, with the number of a transfer. */
static void mark_facts(struct es__writer *w, const struct es_map *map,
                       const struct es_verplant_state *s, int player)
{
    es__write_array(w, "marks");
    for (int station = 0; station < map->stations; station++) {
        if (!es_sheet_marked(&s->sheet[player - 1], station))
            continue;
        bool framed = es_verplant_framed(&s->detail[player - 1], station);
        es__write_object(w, NULL);
        es__write_text(w, "station", map->station[station].id);
        es__write_int(w, "framed", framed ? es_map_calls(map, station) : 0);
        es__write_end(w);
    }
    es__write_end(w);
}

void es__verplant_player_facts(const struct es__looking *look, int player, struct es__writer *w)
{
    const struct es_setup *setup = look->setup;
    const struct es_verplant_state *s = es_verplant_state(look->view);
    struct es_verplant_sum sum = es_verplant_sum(setup, look->view, player);
    es__write_object(w, "sum");
    es__write_int(w, "lines", sum.lines);
    es__write_int(w, "transfers", sum.transfers);
    es__write_int(w, "empty", sum.empty);
    es__write_int(w, "penalty", sum.penalty);
    es__write_int(w, "total", sum.total);
    es__write_end(w);
    es__write_int(w, "grade", es_verplant_grade(sum.total));
    es__write_int(w, "free", s->sheet[player - 1].windows_left);
    es__write_array(w, "lines");
    for (int l = 0; l < setup->map->lines; l++)
        line_facts(w, setup->map, s, player, l);
    es__write_end(w);
    if (look->is_report)
        mark_facts(w, setup->map, s, player);
}

/* Returns how many more entries of the open card special stations call for from the viewer. */
static int extra_entries(const struct es__looking *look)
{
    const struct es_verplant_state *s = es_verplant_state(look->view);
    if (!look->viewer || !(s->acting >> (look->viewer - 1) & 1))
        return 0;
    for (size_t i = look->count; i-- > 0 && ES_EVENT_WHO(look->seen[i]) != ES_CHANCE;)
        if (ES_EVENT_WHO(look->seen[i]) == look->viewer)
            return es__verplant_owed(&s->sheet[look->viewer - 1]);
    return 0; /* the first entry of this round is due */
}

void es__verplant_facts(const struct es__looking *look, struct es__writer *w)
{
    es__write_object(w, "map");
    es__verplant_map_facts(w, look->setup->map, look->built_in);
    es__write_end(w);
    card_facts(look, w);
    es__write_int(w, "extra", extra_entries(look));
}
