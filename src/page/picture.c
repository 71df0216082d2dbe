/* Pictures of the open game, drawn only from what the viewer may know; only the viewer's own plan
 * is shown. */
#include "page/internal.h"
#include <string.h>

static struct es_draw usual(const struct es_page *page, bool dark)
{
    return (struct es_draw){
        .theme = dark ? ES_THEME_DARK : ES_THEME_LIGHT,
        .name = page->label,
        .words = page->words,
        .word_count = page->word_count,
    };
}

/* Adds the viewer's pick to the picture: the state after the planned move, and where the piece in
 * hand may go. Adds nothing if the viewer is not to act. */
static void add_pick(struct es_page *page, const struct es_page_look *look, struct es_draw *draw,
                     struct es_state *planned, uint64_t *targets)
{
    const struct es_game *game = page->record.setup.game;
    struct es_state view;
    struct es__hand hand;
    struct es__choosing c;
    if (es__page_begin_choosing(page, look->viewer, look->pick, &view, &hand, &c))
        return;
    *planned = view;
    if (hand.plan && game->apply(c.setup, planned, hand.plan) == ES_OK)
        draw->planned = planned;
    if (game->table && game->table->targets && game->table->targets(&c, targets))
        draw->targets = targets;
}

static const struct es_prepared *prepared(struct es_page *page)
{
    if (!page->is_prepared)
        es_draw_prepare(&page->record.setup, &page->prepared);
    page->is_prepared = true;
    return &page->prepared;
}

void es_page_draw(struct es_page *page, const struct es_page_look *look, struct es_svg *svg)
{
    const struct es_setup *setup = &page->record.setup;
    struct es_state view, before, planned[2];
    uint64_t targets;
    if (!page->is_open)
        return;
    const struct es_picture *picture = setup->game->picture;
    size_t count = es__page_seen(page, look->viewer);
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
        int viewer = look->latest ? 0 : es__page_viewer(page, look->viewer);
        size_t earlier = es_before_latest(setup, page->seen, count, viewer);
        es__page_fold(page, page->seen, earlier, &before);
        draw.before = &before;
        draw.since = page->seen + earlier;
        draw.since_count = count - earlier;
    }
    draw.prepared = prepared(page);
    if (look->better.size || look->played.size)
        es__page_add_moves(page, look, &view, planned, &draw);
    else
        add_pick(page, look, &draw, planned, &targets);
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

bool es_page_print(struct es_page *page, struct es_str name, enum es_paper paper, bool no_names,
                   struct es_svg *svg)
{
    struct es_press press;
    struct es_draw draw = usual(page, false);
    if (!page->is_open)
        return false;
    draw.prepared = prepared(page);
    draw.no_names = no_names;
    es_svg_press(svg, &press, paper);
    bool printed = es_print(&page->record.setup, name, &draw, &press);
    svg->press = NULL; /* it ends here */
    return printed;
}

/* Inserts a word at its place in the sorted translation; false if it is there already. */
static bool add_word(struct es_page *page, struct es_word word)
{
    int at = page->word_count;
    for (; at > 0; at--) {
        int order = strcmp(word.english, page->words[at - 1].english);
        if (order == 0)
            return false;
        if (order > 0)
            break;
        page->words[at] = page->words[at - 1];
    }
    page->words[at] = word;
    page->word_count++;
    return true;
}

/* Copies the line for good, as a string. */
static const char *keep_line(struct es_out *out, const struct es_lines *lines)
{
    const char *text = out->at + out->used;
    es_out_str(out, lines->line);
    es_out_char(out, '\0');
    return text;
}

bool es_page_words(struct es_page *page, struct es_str words)
{
    struct es_lines lines;
    struct es_fault fault;
    struct es_out out = {page->words_text, sizeof page->words_text, 0};
    page->word_count = 0;
    bool good =
        es_lines_open(&lines, words, &fault) == ES_OK && words.size < sizeof page->words_text;
    while (good && es_lines_next(&lines)) {
        struct es_word word = {keep_line(&out, &lines), NULL};
        good = page->word_count < ES_PAGE_WORDS && es_lines_next(&lines);
        if (good)
            word.translated = keep_line(&out, &lines);
        good = good && word.english[0] && word.translated[0] && add_word(page, word);
    }
    if (!good)
        page->word_count = 0;
    return good;
}
