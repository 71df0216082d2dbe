/* Facts about a game of verplant: sheet, cards, and what every player has on paper. */
#include "games/verplant/table.h"

void es__verplant_card_fact(struct es__json *json, const char *name, int card)
{
    char text[8];
    struct es_out out = {text, sizeof text, 0};
    if (card != ES_CARD_NONE)
        es_verplant_card_write(card, &out);
    es__json_str(json, name, (struct es_str){text, out.used});
}

void es__verplant_station_fact(struct es__json *json, const char *name, const struct es_map *map,
                               int station)
{
    const struct es_map_station *s = &map->station[station];
    es__json_text(json, name, s->name[0] ? s->name : s->id);
}

void es__verplant_marks_fact(struct es__json *json, const struct es_map *map,
                             const struct es_sheet *sheet, es_choice choice)
{
    int l = ES_CHOICE_LINE(choice), direction = ES_CHOICE_DIRECTION(choice);
    es__json_open(json, "marks", '[');
    if (l < 0 && choice != ES_CHOICE_NO_RIDE)
        es__verplant_station_fact(json, NULL, map, choice - 1);
    for (int i = 0; l >= 0 && i < ES_CHOICE_MARKS(choice); i++) {
        uint64_t next = es_sheet_taken(map, sheet, l, direction, i + 1) &
                        ~es_sheet_taken(map, sheet, l, direction, i);
        es__verplant_station_fact(json, NULL, map, map->line[l].stop[__builtin_ctzll(next)]);
    }
    es__json_close(json, ']');
}

bool es__verplant_piece_facts(struct es_str name, struct es__json *json)
{
    uint8_t card = ES_CARD_NONE;
    if (!es_str_is(name, "back") && es_verplant_card_read(name, &card))
        return false;
    es__verplant_card_fact(json, "card", card);
    es__json_text(json, "kind",
                  card < ES_CARD_EXPRESS      ? "number"
                  : card < ES_CARD_TRANSFER   ? "express"
                  : card == ES_CARD_TRANSFER  ? "transfer"
                  : card == ES_CARD_FREE_RIDE ? "ride"
                                              : "back");
    es__json_int(json, "marks", card == ES_CARD_NONE ? 0 : es_card_marks(card));
    return true;
}

int es__verplant_owed(const struct es_sheet *sheet)
{
    return sheet->owed < sheet->windows_left ? sheet->owed : sheet->windows_left;
}

static void map_facts(const struct es__looking *look, struct es__json *json)
{
    const struct es_map *map = look->setup->map;
    int special = 0;
    for (int s = 0; s < map->stations; s++)
        special += es_map_special(map, s);
    es__json_open(json, "map", '{');
    es__json_text(json, "id", map->id);
    es__json_text(json, "title", map->title);
    es__json_text(json, "hash", map->hash);
    es__json_bool(json, "built_in", look->built_in);
    es__json_int(json, "stations", map->stations);
    es__json_int(json, "special", special);
    es__json_open(json, "lines", '[');
    for (int l = 0; l < map->lines; l++) {
        const struct es_map_line *line = &map->line[l];
        char colour[6];
        struct es_out hex = {colour, sizeof colour, 0};
        es_out_hex(&hex,
                   (const uint8_t[]){(uint8_t)(line->colour >> 16), (uint8_t)(line->colour >> 8),
                                     (uint8_t)line->colour},
                   3);
        es__json_open(json, NULL, '{');
        es__json_str(json, "letter", (struct es_str){&line->letter, 1});
        es__json_str(json, "colour", (struct es_str){colour, sizeof colour});
        es__json_bool(json, "ring", line->ring);
        es__json_int(json, "windows", line->windows);
        es__json_int(json, "first", line->first);
        es__json_int(json, "later", line->later);
        es__json_open(json, "stops", '[');
        for (int i = 0; i < line->stops; i++)
            es__json_text(json, NULL, map->station[line->stop[i]].id);
        es__json_close(json, ']');
        es__json_close(json, '}');
    }
    es__json_close(json, ']');
    es__json_close(json, '}');
}

/* Which cards came and which are in the pile: no secret to anybody. */
static void card_facts(const struct es__looking *look, struct es__json *json)
{
    const struct es_setup *setup = look->setup;
    const struct es_verplant_state *s = es_verplant_view(look->view);
    int last = ES_CARD_NONE, latest = ES_CARD_NONE;
    es__json_open(json, "cards", '[');
    for (size_t i = 0; i < look->count; i++)
        if (ES_EVENT_WHO(look->seen[i]) == ES_CHANCE) {
            last = latest;
            latest = (int)ES_EVENT_WHAT(look->seen[i]);
            es__verplant_card_fact(json, NULL, latest);
        }
    es__json_close(json, ']');
    es__verplant_card_fact(json, "card", s->card);
    es__verplant_card_fact(json, "last", s->card == ES_CARD_NONE ? latest : last);
    es__json_int(json, "round", s->round);
    es__json_int(json, "left", s->left);
    es__json_int(json, "shuffles", s->shuffles);
    es__json_int(json, "windows", setup->map->windows);
    es__json_open(json, "deck", '[');
    for (int kind = 0; kind < ES_CARD_KINDS; kind++) {
        int all = __builtin_popcountll(es_verplant_deck(setup)->copies[kind]);
        if (all == 0)
            continue;
        es__json_open(json, NULL, '{');
        es__verplant_card_fact(json, "card", kind);
        es__json_int(json, "left",
                     __builtin_popcountll(s->pile & es_verplant_deck(setup)->copies[kind]));
        es__json_int(json, "all", all);
        es__json_close(json, '}');
    }
    es__json_close(json, ']');
}

static void line_facts(struct es__json *json, const struct es_map *map,
                       const struct es_verplant_state *s, int player, int l)
{
    const struct es_sheet *sheet = &s->sheet[player - 1];
    const struct es_verplant_paper *paper = &s->paper[player - 1];
    const struct es_map_line *line = &map->line[l];
    int free = es_sheet_free(sheet, l);
    bool done = sheet->scored >> l & 1;
    es__json_open(json, NULL, '{');
    es__json_str(json, "letter", (struct es_str){&line->letter, 1});
    es__json_open(json, "written", '[');
    for (int w = 0; w < line->windows - free; w++)
        es__verplant_card_fact(json, NULL, es_verplant_written(map, paper, l, w));
    es__json_close(json, ']');
    es__json_int(json, "free", free);
    es__json_int(json, "left", __builtin_popcountll(sheet->open[l]));
    es__json_bool(json, "done", done);
    es__json_int(json, "won", done ? es_verplant_won(map, paper, l) : 0);
    es__json_bool(json, "first", paper->first >> l & 1);
    es__json_bool(json, "claimed", !done && (s->claimed >> l & 1));
    es__json_close(json, '}');
}

void es__verplant_player_facts(const struct es__looking *look, int player, struct es__json *json)
{
    const struct es_setup *setup = look->setup;
    const struct es_verplant_state *s = es_verplant_view(look->view);
    unsigned acting = es_verplant_view(look->now)->acting;
    struct es_verplant_sum sum = es_verplant_sum(setup, look->view, player);
    es__json_open(json, "sum", '{');
    es__json_int(json, "lines", sum.lines);
    es__json_int(json, "transfers", sum.transfers);
    es__json_int(json, "empty", sum.empty);
    es__json_int(json, "penalty", sum.penalty);
    es__json_int(json, "total", sum.total);
    es__json_close(json, '}');
    es__json_int(json, "grade", es_verplant_grade(sum.total));
    es__json_int(json, "free", s->sheet[player - 1].windows_left);
    /* That somebody has chosen is seen at a table; what, is not. */
    es__json_bool(json, "entered", s->card != ES_CARD_NONE && !(acting >> (player - 1) & 1));
    es__json_open(json, "lines", '[');
    for (int l = 0; l < setup->map->lines; l++)
        line_facts(json, setup->map, s, player, l);
    es__json_close(json, ']');
}

void es__verplant_facts(const struct es__looking *look, struct es__json *json)
{
    const struct es_verplant_state *s = es_verplant_view(look->view);
    map_facts(look, json);
    card_facts(look, json);
    es__json_int(json, "owed", look->viewer ? es__verplant_owed(&s->sheet[look->viewer - 1]) : 0);
}
