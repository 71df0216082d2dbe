/* `endstation draw`: draws the position of a recorded game for one of its players. */
#include "cli/canvas.h"
#include "cli/play.h"
#include <assert.h>
#include <endstation/draw.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum format { SVG, PNG, PDF };
enum { PIXELS_MIN = 64, PIXELS_USUAL = 1600, PIXELS_MAX = 8000 };

/* The command line, and values derived from it. */
struct request {
    const char *record, *file, *wanted, *map, *player, *size, *theme, *preview, *instead, *lit;
    enum format format;
    unsigned viewer, pixels;
    es_event planned, other; /* of --preview and --instead */
    struct es_draw draw;
    es_event *seen; /* what the viewer knows */
};

/* ---- What is asked for --------------------------------------------------------------------- */

static int read_format(struct request *r)
{
    static const char *const endings[] = {[SVG] = ".svg", [PNG] = ".png", [PDF] = ".pdf"};
    const bool to_file = r->file && strcmp(r->file, "-") != 0;
    if (to_file && cli_same_file(r->file, r->record))
        return cli_usage("draw", "-o would overwrite the record", NULL);
    for (int i = SVG; i <= PDF; i++)
        if (r->wanted ? strcmp(r->wanted, endings[i] + 1) == 0
                      : to_file && cli_ends_in(r->file, endings[i])) {
            r->format = (enum format)i;
            if (!r->file && r->format != SVG && isatty(STDOUT_FILENO))
                return cli_usage("draw", "missing -o FILE", NULL);
            return CLI_OK;
        }
    if (r->wanted)
        return cli_usage("draw", "--format is svg, png or pdf, not", r->wanted);
    r->format = SVG;
    if (to_file)
        return cli_usage("draw", "name a --format, or a file that ends in .svg, .png or .pdf, not",
                         r->file);
    return CLI_OK;
}

static int read_theme(struct request *r)
{
    static const char *const names[] = {"light", "dark", "print"};
    for (int i = 0; r->theme && i < 3; i++)
        if (strcmp(r->theme, names[i]) == 0) {
            r->draw.theme = (enum es_theme)i;
            return CLI_OK;
        }
    return r->theme ? cli_usage("draw", "--theme is light, dark or print, not", r->theme) : CLI_OK;
}

/* Checks what can be checked before the record is read. */
static int read_choices(struct request *r)
{
    int status = r->record ? read_format(r) : cli_usage("draw", "a record is missing", NULL);
    if (status == CLI_OK)
        status = read_theme(r);
    r->pixels = r->format == PNG ? PIXELS_USUAL : 0;
    if (status == CLI_OK && r->size)
        status = cli_number("draw", "--size", r->size, PIXELS_MIN, PIXELS_MAX, &r->pixels);
    return status;
}

/* Refuses the event of --preview or --instead. */
static int refuse_event(const char *option, const char *event, const char *why)
{
    char what[320];
    snprintf(what, sizeof what, "%s '%.48s': %s", option, event, why);
    return cli_usage("draw", what, NULL);
}

/* Reads such an event; without one, leaves everything as it is. */
static int read_event(const struct request *r, const struct es_setup *setup, const char *option,
                      const char *from, es_event *event)
{
    if (!from)
        return CLI_OK;
    es_status status = setup->game->parse(setup, es_str(from), event);
    char text[64];
    struct es_out out = {text, sizeof text, 0};
    es_out_text(&out, r->player ? r->player : "1");
    es_out_char(&out, ' ');
    es_out_text(&out, from);
    /* Alone, or for a certain player, nobody needs to be named. */
    if (status && es_out_ok(&out) && from[strspn(from, "0123456789")] != ' ')
        status = setup->game->parse(setup, (struct es_str){text, out.used}, event);
    if (status)
        return refuse_event(option, from, es_status_text(status));
    if (ES_EVENT_WHO(*event) == ES_CHANCE)
        return refuse_event(option, from, "only what a player does can be planned");
    return CLI_OK;
}

/* Sets the viewer. For games with sheets the default is the player of the previewed entry, else
 * player 1. */
static int read_viewer(struct request *r, const struct es_setup *setup)
{
    const bool sheets = setup->game->picture && setup->game->picture->sheets;
    int status = read_event(r, setup, "--preview", r->preview, &r->planned);
    if (status == CLI_OK)
        status = read_event(r, setup, "--instead", r->instead, &r->other);
    if (status == CLI_OK && r->instead &&
        (!r->preview || ES_EVENT_WHO(r->other) != ES_EVENT_WHO(r->planned)))
        status = refuse_event("--instead", r->instead, "it needs a --preview of the same player");
    if (status)
        return status;
    r->viewer = sheets;
    if (r->preview && sheets)
        r->viewer = (unsigned)ES_EVENT_WHO(r->planned);
    unsigned planner = r->viewer;
    if (r->player) {
        status = cli_number("draw", "--player", r->player, sheets, setup->players, &r->viewer);
        if (status)
            return status;
    }
    if (r->preview && sheets && planner != r->viewer)
        return refuse_event("--preview", r->preview,
                            "that is not an entry on the sheet of --player");
    return CLI_OK;
}

static int read_lit(struct request *r, const struct es_setup *setup)
{
    if (!r->lit)
        return CLI_OK;
    const struct es_picture *picture = setup->game->picture;
    if (picture && picture->line_named)
        r->draw.lit = picture->line_named(setup, es_str(r->lit));
    return r->draw.lit ? CLI_OK : cli_usage("draw", "--lit: there is no such line:", r->lit);
}

/* ---- States -------------------------------------------------------------------------------- */

struct states {
    struct es_state now, before, planned, instead;
};

/* Applies the event of --preview or --instead, if there is one, to a copy of what is known. */
static int preview(const struct es_setup *setup, const struct es_state *now, const char *option,
                   const char *text, es_event event, struct es_state *after,
                   const struct es_state **drawn)
{
    if (!text)
        return CLI_OK;
    *after = *now;
    *drawn = after;
    es_status status = setup->game->apply(setup, after, event);
    return status ? refuse_event(option, text, es_status_text(status)) : CLI_OK;
}

/* Computes what the viewer knows: now, before the latest move, and after the planned ones. */
static int look(struct request *r, const struct cli_game *game, struct states *states)
{
    const struct es_record *record = &game->record;
    const struct es_setup *setup = &record->setup;
    es_event *seen = r->seen = cli_alloc((record->count + 1) * sizeof *seen);
    size_t count = setup->game->observe(setup, &game->state, record->events, record->count,
                                        (int)r->viewer, seen);
    size_t earlier = es_before_latest(setup, seen, count, (int)r->viewer);
    bool folded = es_fold(setup, seen, count, &states->now) == ES_OK &&
                  es_fold(setup, seen, earlier, &states->before) == ES_OK;
    assert(folded);
    r->draw.before = earlier < count ? &states->before : NULL;
    r->draw.since = seen + earlier;
    r->draw.since_count = count - earlier;
    int status = preview(setup, &states->now, "--preview", r->preview, r->planned, &states->planned,
                         &r->draw.planned);
    if (status == CLI_OK)
        status = preview(setup, &states->now, "--instead", r->instead, r->other, &states->instead,
                         &r->draw.instead);
    return status;
}

/* ---- Painting ------------------------------------------------------------------------------ */

static int write_svg(const struct request *r, const struct es_setup *setup,
                     const struct es_state *state)
{
    size_t size = ES_SVG_BYTES;
    for (;;) {
        char *text = cli_alloc(size);
        struct es_svg svg;
        es_svg_open(&svg, text, size);
        svg.width = r->pixels;
        es_draw(setup, state, &r->draw, &svg.painter);
        int status = CLI_OK;
        if (es_out_ok(&svg.out))
            status = cli_write_file("draw", r->file, text, svg.out.used);
        free(text);
        if (es_out_ok(&svg.out))
            return status;
        size = svg.out.used; /* large only for sheets with very many bends or very long names */
    }
}

static int write_picture(const struct request *r, const struct es_setup *setup,
                         const struct es_state *state)
{
    struct canvas canvas;
    if (r->format == SVG)
        return write_svg(r, setup, state);
    if (r->format == PNG)
        canvas_open_png(&canvas, r->pixels);
    else
        canvas_open_pdf(&canvas, r->pixels * 0.75); /* 96 pixels to the inch */
    es_draw(setup, state, &r->draw, &canvas.painter);
    return canvas_close(&canvas, "draw", r->file);
}

static int run(int argc, char **argv)
{
    struct request r = {0};
    const struct cli_option options[] = {
        {"-o", &r.file, NULL},
        {"--format", &r.wanted, NULL},
        {"--map", &r.map, NULL},
        {"--player", &r.player, NULL},
        {"--size", &r.size, NULL},
        {"--theme", &r.theme, NULL},
        {"--no-names", NULL, &r.draw.no_names},
        {"--patterns", NULL, &r.draw.patterns},
        {"--preview", &r.preview, NULL},
        {"--instead", &r.instead, NULL},
        {"--lit", &r.lit, NULL},
        {NULL, NULL, NULL},
    };
    struct cli_game game = {0};
    struct states states;
    char label[ES_PLAYERS_MAX][ES_LABEL_BYTES];
    int status = cli_options(argc, argv, options, &r.record, 1);
    if (status == CLI_OK)
        status = read_choices(&r);
    if (status == CLI_OK)
        status = cli_game_read(&game, "draw", r.record, r.map);
    const struct es_record *record = &game.record;
    const struct es_setup *setup = &record->setup;
    if (status == CLI_OK)
        status = read_viewer(&r, setup);
    if (status == CLI_OK)
        status = read_lit(&r, setup);
    if (status == CLI_OK)
        status = look(&r, &game, &states);
    if (status == CLI_OK) {
        struct es_prepared *prepared = cli_alloc(sizeof *prepared);
        es_draw_prepare(setup, prepared);
        r.draw.prepared = prepared;
        r.draw.viewer = (int)r.viewer;
        es_record_labels(record, label);
        r.draw.name = (const char(*)[ES_LABEL_BYTES])label;
        status = write_picture(&r, setup, &states.now);
        free(prepared);
    }
    free(r.seen);
    cli_game_free(&game);
    return status;
}

const struct cli_command cli_draw = {
    .name = "draw",
    .summary = "draw the position of a recorded game as SVG, PNG or PDF",
    .help = "draw [OPTIONS] RECORD\n\n"
            "Draws one player's sheet, or the board, as that player may see it. The latest move\n"
            "is highlighted, or all moves since that player's own.\n\n" CLI_RECORD_HELP CLI_MAP_HELP
            "  -o FILE           the file to write (default: standard output)\n"
            "  --format FORMAT   svg, png or pdf (default: as FILE ends, else svg)\n"
            "  --player N        whose view (default: player 1 where each has a sheet, else 0,\n"
            "                    a spectator)\n"
            "  --size PIXELS     width, 64 to 8000 (default: 1600 for a .png; an .svg fits its\n"
            "                    container)\n"
            "  --theme THEME     light (default), dark, or print: on white, lines with patterns\n"
            "  --no-names        leave out the names of stations\n"
            "  --patterns        distinguish lines by patterns too\n"
            "  --preview EVENT   show what an event would do, written as in a record: '1 F3',\n"
            "                    '2 aacb d8'\n"
            "  --instead EVENT   also show EVENT, as the move played; that of --preview is\n"
            "                    then the better one\n"
            "  --lit LINE        highlight a line: its letter, or the number of its station\n",
    .run = run,
};
