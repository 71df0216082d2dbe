/* The pictures of a table. They are drawn from what the viewer may know; a plan is its maker's. */
#include "inside.h"

static struct es_draw usual(const struct es_page *page, bool dark)
{
    return (struct es_draw){
        .theme = dark ? ES_THEME_DARK : ES_THEME_LIGHT,
        .name = page->label,
        .words = page->translated ? page->word : NULL,
    };
}

/* The state after the viewer's plan; false if there is none, or it is not theirs to see here. */
static bool plan_ahead(const struct es_page *page, const struct es_page_look *look,
                       const struct es_state *view, struct es_state *planned)
{
    const struct es_setup *setup = &page->record.setup;
    int viewer = es__page_viewer(page, look->viewer);
    if (!look->plan || viewer == 0 || page->cursor < page->record.count)
        return false;
    es_event plan = page->plan[viewer - 1];
    *planned = *view;
    return plan && setup->game->apply(setup, planned, plan) == ES_OK;
}

void es_page_draw(struct es_page *page, const struct es_page_look *look, struct es_svg *svg)
{
    const struct es_setup *setup = &page->record.setup;
    struct es_state view, before, planned;
    uint64_t squares;
    if (!page->seen_ready)
        return;
    size_t count = es__page_seen(page, look->viewer);
    size_t earlier = es_before_latest(setup, page->seen, count);
    es__page_fold(page, page->seen, count, &view);
    struct es_draw draw = usual(page, look->dark);
    draw.viewer = setup->game->has_map ? look->sheet : es__page_viewer(page, look->viewer);
    draw.no_names = look->no_names;
    draw.bare = look->bare;
    draw.patterns = look->patterns;
    draw.lit = look->lit;
    if (look->print)
        draw.theme = ES_THEME_PRINT;
    if (look->fresh) {
        es__page_fold(page, page->seen, earlier, &before);
        draw.before = &before;
    }
    if (plan_ahead(page, look, &view, &planned))
        draw.planned = &planned;
    if (setup->game->has_map) {
        /* Names take no place from anything: without them the same layout is drawn. */
        if (!page->laid_out) {
            es_layout(setup->map, false, &page->layout);
            page->laid_out = true;
        }
        draw.layout = &page->layout;
    } else {
        if (es__page_squares(page, draw.viewer, &squares))
            draw.legal = &squares;
    }
    svg->prefix = look->prefix;
    es_draw(setup, &view, &draw, &svg->painter);
}

bool es_page_draw_card(struct es_page *page, struct es_str card, bool dark, struct es_svg *svg)
{
    struct es_draw draw = usual(page, dark);
    uint8_t kind = ES_CARD_NONE;
    if (card.size > 0 && es_verplant_card_read(card, &kind))
        return false;
    es_draw_card(kind, &draw, &svg->painter);
    return true;
}

bool es_page_draw_tile(struct es_page *page, struct es_str tile, bool dark, struct es_svg *svg)
{
    struct es_draw draw = usual(page, dark);
    uint8_t kind;
    int turns = 0;
    if (tile.size == 6 && tile.at[4] == '/' && tile.at[5] >= '0' && tile.at[5] <= '3') {
        turns = tile.at[5] - '0';
        tile.size = 4;
    }
    if (es_tile_read(tile, &kind))
        return false;
    es_draw_tile(kind < ES_TILE_KINDS ? es_tile_turned[kind][turns] : kind, &draw, &svg->painter);
    return true;
}

bool es_page_draw_wagon(struct es_page *page, int player, bool dark, struct es_svg *svg)
{
    struct es_draw draw = usual(page, dark);
    if (player < 1 || player > ES_PLAYERS_MAX)
        return false;
    es_draw_wagon(player, &draw, &svg->painter);
    return true;
}

bool es_page_words(struct es_page *page, struct es_str words)
{
    struct es_lines lines;
    struct es_fault fault;
    int count = 0;
    if (es_lines_open(&lines, words, &fault) || words.size >= sizeof page->words_text)
        return false;
    for (; es_lines_next(&lines); count++)
        if (lines.line.size == 0)
            return false; /* an empty word is none */
    if (count != 0 && count != ES_SAY_COUNT)
        return false;
    page->translated = count > 0;
    struct es_out out = {page->words_text, sizeof page->words_text, 0};
    es_lines_open(&lines, words, &fault);
    for (int i = 0; i < count && es_lines_next(&lines); i++) {
        page->word[i] = page->words_text + out.used;
        es_out_str(&out, lines.line);
        es_out_char(&out, '\0');
    }
    return true;
}
