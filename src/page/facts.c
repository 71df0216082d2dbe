/* Where a game stands, in facts: everything that a page says about it in words of its own. */
#include "inside.h"

/* ---- What is known -------------------------------------------------------------------------- */

int es__page_viewer(const struct es_page *page, int viewer)
{
    return viewer > 0 && viewer <= page->record.setup.players ? viewer : 0;
}

void es__page_now(const struct es_page *page, struct es_state *state)
{
    if (page->cursor < page->record.count)
        es__page_fold(page, page->record.events, page->cursor, state);
    else
        *state = page->state;
}

size_t es__page_seen(struct es_page *page, int viewer)
{
    const struct es_setup *setup = &page->record.setup;
    struct es_state now;
    es__page_now(page, &now);
    return setup->game->observe(setup, &now, page->record.events, page->cursor,
                                es__page_viewer(page, viewer), page->seen);
}

/* ---- Things of the games -------------------------------------------------------------------- */

void es__page_card(struct es__json *json, const char *name, int card)
{
    char text[8];
    struct es_out out = {text, sizeof text, 0};
    if (card != ES_CARD_NONE)
        es_verplant_card_write(card, &out);
    es__json_str(json, name, (struct es_str){text, out.used});
}

void es__page_tile(struct es__json *json, const char *name, int tile)
{
    char text[8];
    struct es_out out = {text, sizeof text, 0};
    if (tile != ES_TILE_NONE)
        es_tile_write(tile, &out);
    es__json_str(json, name, (struct es_str){text, out.used});
}

void es__page_square(struct es__json *json, const char *name, int square)
{
    char text[4];
    struct es_out out = {text, sizeof text, 0};
    if (square >= 0)
        es_square_write(square, &out);
    es__json_str(json, name, (struct es_str){text, out.used});
}

void es__page_station(struct es__json *json, const char *name, const struct es_map *map,
                      int station)
{
    const struct es_map_station *s = &map->station[station];
    es__json_text(json, name, s->name[0] ? s->name : s->id);
}

void es__page_event(struct es__json *json, const char *name, const struct es_setup *setup,
                    es_event event)
{
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    if (event)
        setup->game->format(setup, event, &out);
    es__json_str(json, name, (struct es_str){text, out.used});
}

void es__page_line(struct es__json *json, const struct es_setup *setup, struct es_line line)
{
    es__json_int(json, "station", line.station);
    es__json_int(json, "owner", es_station_owner(setup->players, line.station));
    es__json_int(json, "tiles", line.tiles);
    es__json_text(json, "end",
                  line.end == ES_END_RIM      ? "edge"
                  : line.end == ES_END_CENTRE ? "centre"
                                              : "");
    es__json_int(json, "points", es_line_points(line));
}

/* ---- verplant ------------------------------------------------------------------------------- */

int es__page_owed(const struct es_sheet *sheet)
{
    return sheet->owed < sheet->windows_left ? sheet->owed : sheet->windows_left;
}

static void map_facts(struct es__json *json, const struct es_page *page)
{
    const struct es_map *map = page->record.setup.map;
    int special = 0;
    for (int s = 0; s < map->stations; s++)
        special += es_map_special(map, s);
    es__json_open(json, "map", '{');
    es__json_text(json, "id", map->id);
    es__json_text(json, "title", map->title);
    es__json_text(json, "hash", map->hash);
    es__json_bool(json, "built_in", page->built_in);
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
static void card_facts(struct es__json *json, const struct es_page *page, size_t seen,
                       const struct es_verplant_state *s)
{
    const struct es_setup *setup = &page->record.setup;
    int last = ES_CARD_NONE, latest = ES_CARD_NONE;
    es__json_open(json, "cards", '[');
    for (size_t i = 0; i < seen; i++)
        if (ES_EVENT_WHO(page->seen[i]) == ES_CHANCE) {
            last = latest;
            latest = (int)ES_EVENT_WHAT(page->seen[i]);
            es__page_card(json, NULL, latest);
        }
    es__json_close(json, ']');
    es__page_card(json, "card", s->card);
    es__page_card(json, "last", s->card == ES_CARD_NONE ? latest : last);
    es__json_int(json, "round", s->round);
    es__json_int(json, "left", s->left);
    es__json_int(json, "shuffles", s->shuffles);
    es__json_int(json, "windows", setup->map->windows);
    es__json_open(json, "deck", '[');
    for (int kind = 0; kind < ES_CARD_KINDS; kind++) {
        int all = __builtin_popcountll(setup->copies[kind]);
        if (all == 0)
            continue;
        es__json_open(json, NULL, '{');
        es__page_card(json, "card", kind);
        es__json_int(json, "left", __builtin_popcountll(s->pile & setup->copies[kind]));
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
        es__page_card(json, NULL, es_verplant_written(map, paper, l, w));
    es__json_close(json, ']');
    es__json_int(json, "free", free);
    es__json_int(json, "left", __builtin_popcountll(sheet->open[l]));
    es__json_bool(json, "done", done);
    es__json_int(json, "won", done ? es_verplant_won(map, paper, l) : 0);
    es__json_bool(json, "first", paper->first >> l & 1);
    es__json_bool(json, "claimed", !done && (s->claimed >> l & 1));
    es__json_close(json, '}');
}

static void sheet_facts(struct es__json *json, const struct es_setup *setup,
                        const struct es_state *now, const struct es_state *view, int player)
{
    const struct es_verplant_state *s = es_verplant_view(view);
    struct es_verplant_sum sum = es_verplant_sum(setup, view, player);
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
    es__json_bool(json, "entered",
                  s->card != ES_CARD_NONE && !(es_verplant_view(now)->acting >> (player - 1) & 1));
    es__json_open(json, "lines", '[');
    for (int l = 0; l < setup->map->lines; l++)
        line_facts(json, setup->map, s, player, l);
    es__json_close(json, ']');
}

/* `seen`: how many events of the viewer's view are in page->seen. */
static void verplant_facts(struct es__json *json, const struct es_page *page, size_t seen,
                           const struct es_state *view, int viewer)
{
    const struct es_verplant_state *s = es_verplant_view(view);
    map_facts(json, page);
    card_facts(json, page, seen, s);
    es__json_int(json, "owed", viewer ? es__page_owed(&s->sheet[viewer - 1]) : 0);
}

/* ---- metro ---------------------------------------------------------------------------------- */

static void hand_facts(struct es__json *json, const struct es_setup *setup,
                       const struct es_metro_state *s, int player)
{
    int open = 0;
    es__json_open(json, "hand", '[');
    for (int i = 0; i < s->held[player - 1]; i++)
        es__page_tile(json, NULL, s->hand[player - 1][i]);
    es__json_close(json, ']');
    for (int station = 1; station <= ES_METRO_STATIONS; station++)
        open += es_station_owner(setup->players, station) == player &&
                es_board_line(&s->board, station).end < ES_END_RIM;
    es__json_int(json, "open", open);
}

static void metro_facts(struct es__json *json, const struct es_setup *setup,
                        const struct es_metro_state *s, int viewer)
{
    static const char *const phases[] = {"dealing", "turn", "drawing", "refilling", "over"};
    es__json_int(json, "stock", s->stock);
    es__json_int(json, "placed", es_metro_laid(s));
    es__json_int(json, "tiles", ES_METRO_TILES);
    es__json_text(json, "phase", phases[s->phase]);
    es__page_tile(json, "drawn", s->drawn);
    es__json_bool(json, "rotate", setup->rules & ES_METRO_ROTATE);
    es__json_int(json, "hand_size", es_metro_hand_size(setup));
    es__json_open(json, "unseen", '[');
    for (int tile = 0; tile < ES_TILE_KINDS; tile++)
        if (s->unseen[tile] > 0) {
            es__json_open(json, NULL, '{');
            es__page_tile(json, "tile", tile);
            es__json_int(json, "left", s->unseen[tile]);
            es__json_close(json, '}');
        }
    es__json_close(json, ']');
    es__json_bool(json, "draw",
                  s->phase == ES_METRO_TURN && s->player == viewer && s->drawn == ES_TILE_NONE &&
                      s->stock > 0);
    es__json_open(json, "stations", '[');
    for (int station = 1; station <= ES_METRO_STATIONS; station++) {
        es__json_open(json, NULL, '{');
        es__page_line(json, setup, es_board_line(&s->board, station));
        es__json_close(json, '}');
    }
    es__json_close(json, ']');
}

/* ---- Both ----------------------------------------------------------------------------------- */

static void rule_facts(struct es__json *json, const struct es_setup *setup)
{
    es__json_open(json, "rules", '[');
    for (int i = 0; setup->game->rules[i]; i++)
        if (setup->rules >> i & 1)
            es__json_text(json, NULL, setup->game->rules[i]);
    es__json_close(json, ']');
}

static void player_facts(struct es__json *json, const struct es_page *page,
                         const struct es_state *now, const struct es_state *view)
{
    const struct es_setup *setup = &page->record.setup;
    es__json_open(json, "players", '[');
    for (int p = 1; p <= setup->players; p++) {
        es__json_open(json, NULL, '{');
        es__json_int(json, "player", p);
        es__json_text(json, "name", page->record.name[p - 1]);
        es__json_text(json, "bot", page->record.bot[p - 1]);
        es__json_int(json, "score", setup->game->score(setup, view, p));
        if (setup->game == &es_metro)
            hand_facts(json, setup, es_metro_view(view), p);
        else
            sheet_facts(json, setup, now, view, p);
        es__json_close(json, '}');
    }
    es__json_close(json, ']');
}

/* The date that the record names, or "". */
static struct es_str date_of(const struct es_record *record)
{
    struct es_str word, text;
    for (size_t at = 0; es_record_note(record, &at, &word, &text);)
        if (es_str_is(word, "date"))
            return text;
    return es_str("");
}

/* How many events of the list are the player's own. */
static long decisions(const es_event *events, size_t count, int player)
{
    long sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += ES_EVENT_WHO(events[i]) == player;
    return sum;
}

void es_page_state(struct es_page *page, int viewer, struct es_out *out)
{
    const struct es_setup *setup = &page->record.setup;
    struct es__json json = {.out = out};
    es__json_open(&json, NULL, '{');
    if (page->seen_ready) {
        struct es_state now, view;
        viewer = es__page_viewer(page, viewer);
        es__page_now(page, &now);
        size_t events = setup->game->observe(setup, &page->state, page->event, page->record.count,
                                             viewer, page->seen);
        size_t cursor = es__page_seen(page, viewer);
        es__page_fold(page, page->seen, cursor, &view);
        struct es_turn turn = setup->game->turn(setup, &now);
        es__json_text(&json, "game", setup->game->name);
        es__json_int(&json, "events", (long)events);
        es__json_int(&json, "cursor", (long)cursor);
        es__json_int(&json, "decisions", viewer ? decisions(page->seen, cursor, viewer) : 0);
        es__json_str(&json, "date", date_of(&page->record));
        es__json_bool(&json, "over", turn.kind == ES_TURN_OVER);
        es__json_bool(&json, "chance", turn.kind == ES_TURN_CHANCE);
        es__json_set(&json, "turn", turn.players);
        rule_facts(&json, setup);
        es__json_bool(&json, "seed", page->record.has_seed);
        es__json_bool(&json, "undo", es__page_undo(page, viewer) >= 0);
        es__json_set(&json, "winners", setup->game->winners(setup, &now));
        player_facts(&json, page, &now, &view);
        if (setup->game == &es_metro)
            metro_facts(&json, setup, es_metro_view(&view), viewer);
        else
            verplant_facts(&json, page, cursor, &view, viewer);
    }
    es__json_close(&json, '}');
}

/* ---- The companion's form ------------------------------------------------------------------- */

struct form {
    unsigned players, transfers, empty;
    uint32_t first, later; /* lines, a bit each */
};

static enum es_status read_line(const struct es_map *map, struct es_str word, struct form *form,
                                uint32_t *lines)
{
    int l = word.size == 1 ? es_map_line_named(map, word.at[0]) : -1;
    if (l < 0)
        return ES_LINE_UNKNOWN;
    if ((form->first | form->later) >> l & 1)
        return ES_TWICE;
    *lines |= (uint32_t)1 << l;
    return ES_OK;
}

static enum es_status read_form(const struct es_map *map, struct es_str words, struct form *form)
{
    const struct {
        const char *word;
        unsigned *number, most;
        uint32_t *lines;
    } fields[] = {
        {"players", &form->players, ES_PLAYERS_MAX, NULL},
        {"first", NULL, 0, &form->first},
        {"later", NULL, 0, &form->later},
        {"transfers", &form->transfers, ES_STATIONS_MAX * ES_LINES_MAX, NULL},
        {"empty", &form->empty, map->stations, NULL},
    };
    const int count = sizeof fields / sizeof fields[0];
    int field = count;
    struct es_str word;
    while (es_str_word(&words, &word)) {
        int i = 0;
        while (i < count && !es_str_is(word, fields[i].word))
            i++;
        enum es_status status = ES_OK;
        if (i < count) {
            field = i;
            if (!fields[i].number)
                continue;
            status = es_str_word(&words, &word)
                         ? es_str_number(word, fields[i].most, fields[i].number)
                         : ES_WORD_MISSING;
        } else {
            status = field < count && fields[field].lines
                         ? read_line(map, word, form, fields[field].lines)
                         : ES_WORD_UNKNOWN;
        }
        if (status)
            return status;
    }
    return form->players > 0 ? ES_OK : ES_PLAYERS_RANGE;
}

enum es_status es_page_tally(struct es_page *page, struct es_str words, struct es_out *out)
{
    const struct es_map *map = page->record.setup.map;
    struct form form = {.players = 1};
    if (!page->seen_ready || !map)
        return ES_MAP_MISSING;
    enum es_status status = read_form(map, words, &form);
    if (status)
        return status;
    int lines = 0;
    for (int l = 0; l < map->lines; l++)
        lines += form.first >> l & 1   ? map->line[l].first
                 : form.later >> l & 1 ? map->line[l].later
                                       : 0;
    int transfers = 2 * (int)form.transfers;
    int penalty = (int)(form.players == 1 ? form.empty : form.empty / 2);
    int total = lines + transfers - penalty;
    struct es__json json = {.out = out};
    es__json_open(&json, NULL, '{');
    es__json_int(&json, "lines", lines);
    es__json_int(&json, "transfers", transfers);
    es__json_int(&json, "penalty", penalty);
    es__json_int(&json, "total", total);
    es__json_int(&json, "grade", es_verplant_grade(total));
    es__json_int(&json, "order", 256 * total - (int)form.empty);
    es__json_close(&json, '}');
    return ES_OK;
}
