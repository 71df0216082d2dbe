/* Draws a game with its own picture, or its report as text if it has none. */
#include "draw/internal.h"
#include <assert.h>

enum { LINE_HIGH = 20, LETTER_SIZE = 13, MARGIN = 20, PAGE_WIDE = 640 };

static void draw_report(const struct es_setup *setup, const struct es_state *state,
                        const struct es_draw *draw, struct es_painter *painter)
{
    const struct es__theme theme = es__theme(draw->theme, 0xffffff);
    char report[ES_REPORT_BYTES];
    struct es_out out = {report, sizeof report, 0};
    struct es_lines lines;
    struct es_fault fault;
    int count = 0;
    setup->game->report(setup, draw->planned ? draw->planned : state, &out);
    assert(es_out_ok(&out));
    for (size_t i = 0; i < out.used; i++)
        count += report[i] == '\n';
    painter->begin(painter, PAGE_WIDE, 2 * MARGIN + count * LINE_HIGH, theme.paper,
                   es_str(setup->game->name));
    es_status status = es_lines_open(&lines, (struct es_str){report, out.used}, &fault);
    assert(status == ES_OK);
    for (int i = 1; es_lines_next(&lines); i++)
        es__text(painter, lines.line, (struct es_spot){MARGIN, MARGIN + i * LINE_HIGH - 5},
                 ES_ALIGN_START, LETTER_SIZE, false, theme.ink);
    painter->end(painter);
}

void es_draw_prepare(const struct es_setup *setup, struct es_prepared *prepared)
{
    const struct es_picture *picture = setup->game->picture;
    if (!picture || !picture->prepare)
        return;
    assert(picture->bytes <= sizeof *prepared);
    picture->prepare(setup, prepared);
}

void es_draw(const struct es_setup *setup, const struct es_state *state, const struct es_draw *draw,
             struct es_painter *painter)
{
    const struct es_picture *picture = setup->game->picture;
    if (picture)
        picture->draw(setup, state, draw, painter);
    else
        draw_report(setup, state, draw, painter);
}

static bool is_move(es_event event)
{
    return ES_EVENT_WHO(event) != ES_CHANCE;
}

size_t es__before_moves(const es_event *events, size_t count, int viewer, bool (*move)(es_event))
{
    bool others = false; /* have moved since */
    for (size_t i = count; i > 0; i--) {
        if (!move(events[i - 1]))
            continue;
        if (viewer == 0 || ES_EVENT_WHO(events[i - 1]) == viewer)
            return others ? i : i - 1;
        others = true;
    }
    return 0;
}

size_t es_before_latest(const struct es_setup *setup, const es_event *events, size_t count,
                        int viewer)
{
    const struct es_picture *picture = setup->game->picture;
    if (picture && picture->before_latest)
        return picture->before_latest(setup, events, count, viewer);
    return es__before_moves(events, count, viewer, is_move);
}

bool es_draw_piece(const struct es_game *game, struct es_str name, const struct es_draw *draw,
                   struct es_painter *painter)
{
    return game->picture && game->picture->piece && game->picture->piece(name, draw, painter);
}
