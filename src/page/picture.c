/* The pictures of a table. They are drawn from what the viewer may know; a plan is its maker's. */
#include "page/internal.h"

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
    const struct es_picture *picture = setup->game->picture;
    struct es_state view, before, planned;
    uint64_t targets;
    if (!page->seen_ready)
        return;
    size_t count = es__page_seen(page, look->viewer);
    size_t earlier = es_before_latest(setup, page->seen, count);
    es__page_fold(page, page->seen, count, &view);
    struct es_draw draw = usual(page, look->dark);
    draw.viewer = picture && picture->sheets ? look->sheet : es__page_viewer(page, look->viewer);
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
    if (!page->is_prepared) {
        es_draw_prepare(setup, &page->prepared);
        page->is_prepared = true;
    }
    draw.prepared = &page->prepared;
    if (es__page_targets(page, es__page_viewer(page, look->viewer), &targets))
        draw.targets = &targets;
    svg->prefix = look->prefix;
    es_draw(setup, &view, &draw, &svg->painter);
}

bool es_page_draw_piece(struct es_page *page, struct es_str name, bool dark, struct es_svg *svg)
{
    struct es_draw draw = usual(page, dark);
    struct es_str word;
    const struct es_game *game = es_str_word(&name, &word) ? es_game_named(word) : NULL;
    return game && es_draw_piece(game, es_str_trim(name), &draw, &svg->painter);
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
