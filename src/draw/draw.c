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

size_t es_before_latest(const struct es_setup *setup, const es_event *events, size_t count)
{
    const struct es_picture *picture = setup->game->picture;
    if (picture && picture->before_latest)
        return picture->before_latest(setup, events, count);
    while (count > 0 && ES_EVENT_WHO(events[count - 1]) == ES_CHANCE)
        count--;
    return count > 0 ? count - 1 : 0;
}

bool es_draw_piece(const struct es_game *game, struct es_str name, const struct es_draw *draw,
                   struct es_painter *painter)
{
    return game->picture && game->picture->piece && game->picture->piece(name, draw, painter);
}
