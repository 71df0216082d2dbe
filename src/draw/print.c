/* Pages to print: finding what a game offers, and the geometry that all of it shares. */
#include "draw/print.h"

static void end_page(struct es_press *press)
{
    if (press->is_open)
        press->end_page(press);
    press->is_open = false;
}

bool es_print(const struct es_setup *setup, struct es_str name, const struct es_draw *draw,
              struct es_press *press)
{
    const struct es_printable *thing = setup->game->prints;
    while (thing && thing->name && !es_str_is(name, thing->name))
        thing++;
    if (!thing || !thing->name)
        return false;
    const struct es_draw on_paper = {
        .theme = ES_THEME_PRINT,
        .prepared = draw->prepared,
        .no_names = draw->no_names,
        .words = draw->words,
        .word_count = draw->word_count,
    };
    thing->print(setup, &on_paper, press);
    end_page(press);
    return true;
}

struct es_fit es_press_fit(const struct es_press *press, double width, double height)
{
    const struct es_box *place = &press->place, *shown = &press->shown;
    const double wide = place->right - place->left, high = place->bottom - place->top;
    struct es_fit fit = {.scale = wide / width < high / height ? wide / width : high / height};
    fit.at.x = place->left + (wide - width * fit.scale) / 2;
    fit.at.y = place->top + (high - height * fit.scale) / 2;
    fit.seen = (struct es_box){
        (shown->left - fit.at.x) / fit.scale, (shown->top - fit.at.y) / fit.scale,
        (shown->right - fit.at.x) / fit.scale, (shown->bottom - fit.at.y) / fit.scale};
    if (fit.seen.left < 0)
        fit.seen.left = 0;
    if (fit.seen.top < 0)
        fit.seen.top = 0;
    if (fit.seen.right > width)
        fit.seen.right = width;
    if (fit.seen.bottom > height)
        fit.seen.bottom = height;
    return fit;
}

/* ---- Pages and places ----------------------------------------------------------------------- */

void es__print_page(struct es_press *press, bool landscape)
{
    static const double sizes[][2] = {
        [ES_PAPER_A4] = {210, 297}, [ES_PAPER_LETTER] = {215.9, 279.4}};
    end_page(press);
    press->pages++;
    press->is_open = true;
    press->width = sizes[press->paper][landscape];
    press->height = sizes[press->paper][!landscape];
    press->begin_page(press);
}

void es__print_place(struct es_press *press, double left, double top, double width, double height)
{
    press->place = press->shown = (struct es_box){left, top, left + width, top + height};
}

void es__print_place_large(struct es_press *press)
{
    es__print_place(press, ES__PRINT_MARGIN, ES__PRINT_MARGIN, press->width - 2 * ES__PRINT_MARGIN,
                    press->height - 2 * ES__PRINT_MARGIN);
}

/* ---- Grids ---------------------------------------------------------------------------------- */

struct es__grid es__print_grid(const struct es_press *press, double width, double height,
                               int columns, int rows)
{
    return (struct es__grid){
        .left = (press->width - columns * width) / 2,
        .top = (press->height - rows * height) / 2,
        .width = width,
        .height = height,
        .columns = columns,
        .rows = rows,
    };
}

void es__print_place_in(struct es_press *press, struct es__grid g, int i)
{
    es__print_place(press, g.left + i % g.columns * g.width, g.top + i / g.columns * g.height,
                    g.width, g.height);
}

void es__print_cut(struct es_press *press, double ax, double ay, double bx, double by)
{
    es__segment(
        press->painter, (struct es_spot){ax, ay}, (struct es_spot){bx, by},
        &(struct es_pen){.fill = ES_CLEAR, .stroke = ES__PRINT_GREY, .width = 0.14, .butt = true});
}

void es__print_cuts(struct es_press *press, struct es__grid g, bool through)
{
    const double near = ES__CUT_GAP, far = ES__CUT_GAP + ES__CUT_SIZE;
    double right = g.left + g.columns * g.width, bottom = g.top + g.rows * g.height;
    for (int i = 0; i <= g.columns; i++) {
        double x = g.left + i * g.width;
        es__print_cut(press, x, g.top - far, x, through ? bottom + far : g.top - near);
        if (!through)
            es__print_cut(press, x, bottom + near, x, bottom + far);
    }
    for (int i = 0; i <= g.rows; i++) {
        double y = g.top + i * g.height;
        es__print_cut(press, g.left - far, y, through ? right + far : g.left - near, y);
        if (!through)
            es__print_cut(press, right + near, y, right + far, y);
    }
}
