/* What happened, in facts: every event of the viewer's view once. */
#include "inside.h"

/* One event, what it was played in, and where its facts go. */
struct event {
    struct es__json json;
    const struct es_setup *setup;
    const struct es_state *before, *after;
    es_event event;
    size_t n; /* the length of the view when this became known */
};

static void begin(struct event *e, const char *what)
{
    es__json_open(&e->json, NULL, '{');
    es__json_int(&e->json, "n", (long)e->n);
    es__json_text(&e->json, "what", what);
}

static void begin_of_player(struct event *e, const char *what, int player)
{
    begin(e, what);
    es__json_int(&e->json, "player", player);
}

static void end(struct event *e)
{
    es__json_close(&e->json, '}');
}

/* ---- verplant ------------------------------------------------------------------------------- */

void es__page_marks(struct es__json *json, const struct es_map *map, const struct es_sheet *sheet,
                    es_choice choice)
{
    int l = ES_CHOICE_LINE(choice), direction = ES_CHOICE_DIRECTION(choice);
    es__json_open(json, "marks", '[');
    if (l < 0 && choice != ES_CHOICE_NO_RIDE)
        es__page_station(json, NULL, map, choice - 1);
    for (int i = 0; l >= 0 && i < ES_CHOICE_MARKS(choice); i++) {
        uint64_t next = es_sheet_taken(map, sheet, l, direction, i + 1) &
                        ~es_sheet_taken(map, sheet, l, direction, i);
        es__page_station(json, NULL, map, map->line[l].stop[__builtin_ctzll(next)]);
    }
    es__json_close(json, ']');
}

static void tell_card(struct event *e)
{
    const struct es_verplant_state *before = es_verplant_view(e->before);
    begin(e, "card");
    es__page_card(&e->json, "card", (int)ES_EVENT_WHAT(e->event));
    es__json_bool(&e->json, "shuffled",
                  before->shuffles > 0 && before->left == e->setup->deck_size);
    end(e);
}

static void tell_entry(struct event *e)
{
    const struct es_map *map = e->setup->map;
    const struct es_verplant_state *before = es_verplant_view(e->before);
    int player = ES_EVENT_WHO(e->event);
    es_choice choice = (es_choice)ES_EVENT_WHAT(e->event);
    const struct es_sheet *sheet = &before->sheet[player - 1];
    if (before->card == ES_CARD_FREE_RIDE) {
        begin_of_player(e, "ride", player);
        if (choice == ES_CHOICE_NO_RIDE)
            es__json_text(&e->json, "station", "");
        else
            es__page_station(&e->json, "station", map, choice - 1);
        end(e);
        return;
    }
    begin_of_player(e, "entry", player);
    es__json_str(&e->json, "line", (struct es_str){&map->line[ES_CHOICE_LINE(choice)].letter, 1});
    es__page_card(&e->json, "card", before->card);
    es__page_marks(&e->json, map, sheet, choice);
    es__json_int(&e->json, "framed",
                 es_verplant_view(e->after)->sheet[player - 1].framed - sheet->framed);
    end(e);
}

/* The lines that were completed in a round, once it is closed. */
static void tell_done(struct event *e)
{
    const struct es_map *map = e->setup->map;
    for (int p = 1; p <= e->setup->players; p++) {
        const struct es_verplant_paper *paper = &es_verplant_view(e->after)->paper[p - 1];
        uint32_t fresh = es_verplant_view(e->after)->sheet[p - 1].scored &
                         ~es_verplant_view(e->before)->sheet[p - 1].scored;
        for (; fresh; fresh &= fresh - 1) {
            int l = __builtin_ctz(fresh);
            begin_of_player(e, "done", p);
            es__json_str(&e->json, "line", (struct es_str){&map->line[l].letter, 1});
            es__json_int(&e->json, "points", es_verplant_won(map, paper, l));
            es__json_bool(&e->json, "first", paper->first >> l & 1);
            end(e);
        }
    }
}

/* A player's own entry is known at once, the others' when the round is closed: with its last entry,
 * whoever makes it. `at` is the entry's place in the view. */
static size_t known_at(const struct es_page *page, size_t seen, bool open, int viewer, size_t at)
{
    size_t end = at + 1;
    bool own = ES_EVENT_WHO(page->seen[at]) == viewer;
    while (end < seen && ES_EVENT_WHO(page->seen[end]) != ES_CHANCE)
        end++;
    if (open && end == seen)
        return at + 1; /* nothing but own entries are seen of an open round */
    bool last_own = own && (at + 1 == end || ES_EVENT_WHO(page->seen[at + 1]) != viewer);
    bool closes = last_own && ES_EVENT_WHO(page->event[end - 1]) == viewer;
    return own && !closes ? at + 1 : end; /* closed rounds are as long in the game as in the view */
}

static void tell_verplant(struct event *e, size_t from, size_t closed)
{
    if (e->n > from && ES_EVENT_WHO(e->event) == ES_CHANCE)
        tell_card(e);
    else if (e->n > from)
        tell_entry(e);
    e->n = closed;
    if (e->n > from)
        tell_done(e);
}

/* ---- metro ---------------------------------------------------------------------------------- */

static void tell_lay(struct event *e)
{
    int tile = ES_METRO_LAY_TILE(e->event), turns = ES_METRO_LAY_QUARTERS(e->event);
    int square = ES_METRO_LAY_SQUARE(e->event);
    struct es_line lines[4];
    begin_of_player(e, "lay", ES_EVENT_WHO(e->event));
    es__page_tile(&e->json, "tile", tile);
    es__json_int(&e->json, "turns", turns);
    es__page_square(&e->json, "square", square);
    end(e);
    int count = es_board_finishes(&es_metro_view(e->before)->board, square,
                                  es_tile_turned[tile][turns], lines);
    for (int i = 0; i < count; i++) {
        begin(e, "finish");
        es__page_line(&e->json, e->setup, lines[i]);
        end(e);
    }
}

static void tell_metro(struct event *e)
{
    if (ES_EVENT_WHO(e->event) == ES_CHANCE) {
        int player = ES_METRO_DEAL_PLAYER(e->event);
        begin_of_player(e, "deal", player);
        es__page_tile(&e->json, "tile", ES_METRO_DEAL_TILE(e->event));
        end(e);
    } else if (ES_METRO_IS_LAY(e->event)) {
        tell_lay(e);
    } else {
        begin_of_player(e, "draw", ES_EVENT_WHO(e->event));
        end(e);
    }
}

/* ---- Both ----------------------------------------------------------------------------------- */

void es_page_log(struct es_page *page, int viewer, size_t from, struct es_out *out)
{
    const struct es_setup *setup = &page->record.setup;
    struct es_state before, after;
    struct event e = {.json = {.out = out}, .setup = setup, .before = &before, .after = &after};
    es__json_open(&e.json, NULL, '[');
    if (page->seen_ready) {
        viewer = es__page_viewer(page, viewer);
        es__page_now(page, &after);
        bool open = setup->game->turn(setup, &after).kind == ES_TURN_PLAYERS;
        size_t seen = es__page_seen(page, viewer);
        setup->game->start(setup, &after);
        for (size_t i = 0; i < seen; i++) {
            before = after;
            e.event = page->seen[i];
            e.n = i + 1;
            setup->game->apply(setup, &after, e.event);
            if (setup->game == &es_verplant) {
                if (ES_EVENT_WHO(e.event) != ES_CHANCE)
                    e.n = known_at(page, seen, open, viewer, i);
                tell_verplant(&e, from, i + 1);
            } else if (e.n > from) {
                tell_metro(&e);
            }
        }
        unsigned winners = setup->game->winners(setup, &after);
        e.n = seen;
        if (winners && seen > from) {
            begin(&e, "over");
            es__json_set(&e.json, "winners", winners);
            end(&e);
        }
    }
    es__json_close(&e.json, ']');
}
