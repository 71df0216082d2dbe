/* `endstation print`: boards, sheets, cards and tiles to print, as PDF; games supply them (struct
 * cli_print). */
#include "cli/print.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const struct es_draw print_on_paper = {.theme = ES_THEME_PRINT};

/* ---- Lines to cut along -------------------------------------------------------------------- */

void print_cut(struct canvas *canvas, double ax, double ay, double bx, double by)
{
    struct es_painter *painter = &canvas->painter;
    painter->move(painter, (struct es_spot){ax, ay});
    painter->line(painter, (struct es_spot){bx, by});
    painter->paint(
        painter,
        &(struct es_pen){.fill = ES_CLEAR, .stroke = PRINT_GREY, .width = 0.4, .butt = true});
}

void print_cuts(struct canvas *canvas, struct print_grid g, bool through)
{
    const double gap = 1.2 * CANVAS_MM, size = 4 * CANVAS_MM;
    double right = g.left + g.columns * g.width, bottom = g.top + g.rows * g.height;
    for (int i = 0; i <= g.columns; i++) {
        double x = g.left + i * g.width;
        print_cut(canvas, x, g.top - gap - size, x, through ? bottom + gap + size : g.top - gap);
        if (!through)
            print_cut(canvas, x, bottom + gap, x, bottom + gap + size);
    }
    for (int i = 0; i <= g.rows; i++) {
        double y = g.top + i * g.height;
        print_cut(canvas, g.left - gap - size, y, through ? right + gap + size : g.left - gap, y);
        if (!through)
            print_cut(canvas, right + gap, y, right + gap + size, y);
    }
}

void print_place_in(struct canvas *canvas, struct print_grid g, int i)
{
    canvas_place(canvas, g.left + i % g.columns * g.width, g.top + i / g.columns * g.height,
                 g.width, g.height, false);
}

void print_place_large(struct canvas *canvas)
{
    canvas_place(canvas, PRINT_MARGIN, PRINT_MARGIN, canvas->width - 2 * PRINT_MARGIN,
                 canvas->height - 2 * PRINT_MARGIN, false);
}

struct print_grid print_middle_grid(const struct canvas *canvas, double width, double height,
                                    int columns, int rows)
{
    return (struct print_grid){
        .left = (canvas->width - columns * width) / 2,
        .top = (canvas->height - rows * height) / 2,
        .width = width,
        .height = height,
        .columns = columns,
        .rows = rows,
    };
}

/* ---- The command ---------------------------------------------------------------------------- */

static int read_paper(const char *name, enum canvas_paper *paper)
{
    *paper = CANVAS_A4;
    if (!name || strcmp(name, "a4") == 0)
        return CLI_OK;
    *paper = CANVAS_LETTER;
    return strcmp(name, "letter") == 0 ? CLI_OK
                                       : cli_usage("print", "--paper is a4 or letter, not", name);
}

static int check_file(const char *file)
{
    if (!file && isatty(STDOUT_FILENO))
        return cli_usage("print", "missing -o FILE.pdf", NULL);
    if (!file || strcmp(file, "-") == 0 || cli_ends_in(file, ".pdf"))
        return CLI_OK;
    return cli_usage("print", "the file name must end in .pdf:", file);
}

/* Writes the things to print as in a usage line: "--map MAP | --cards". */
static void list_wishes(struct es_out *out)
{
    for (int i = 0; cli_terminals[i]; i++)
        if (cli_terminals[i]->print) {
            es_out_text(out, out->used ? " | " : "");
            es_out_text(out, cli_terminals[i]->print->usage);
        }
    es_out_char(out, '\0');
}

static int run(int argc, char **argv)
{
    enum { OPTIONS_MAX = 64 };
    const char *file = NULL, *paper_name = NULL;
    enum canvas_paper paper;
    struct cli_option options[OPTIONS_MAX] = {{"-o", &file, NULL}, {"--paper", &paper_name, NULL}};
    int count = 2;
    for (int i = 0; cli_terminals[i]; i++) {
        const struct cli_print *print = cli_terminals[i]->print;
        for (int k = 0; print && print->options[k].name && count < OPTIONS_MAX - 1; k++)
            options[count++] = print->options[k];
    }
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status)
        return status;
    const struct cli_print *wanted = NULL;
    int wishes = 0;
    for (int i = 0; cli_terminals[i]; i++)
        if (cli_terminals[i]->print && cli_terminals[i]->print->is_wanted()) {
            wanted = cli_terminals[i]->print;
            wishes++;
        }
    if (wishes != 1) {
        char list[256];
        struct es_out out = {list, sizeof list, 0};
        list_wishes(&out);
        return cli_usage("print", "name one thing to print:", list);
    }
    status = read_paper(paper_name, &paper);
    if (status == CLI_OK)
        status = check_file(file);
    return status ? status : wanted->run(file, paper);
}

static void more_help(void)
{
    for (int i = 0; cli_terminals[i]; i++)
        if (cli_terminals[i]->print)
            fputs(cli_terminals[i]->print->help, stdout);
}

const struct cli_command cli_print = {
    .name = "print",
    .summary = "print sheets, cards, or a board and its tiles, as PDF",
    .help = "print WHAT [OPTIONS]\n\n"
            "Makes a PDF of what you need to play on paper, readable in black and white.\n\n"
            "  -o FILE.pdf    where to (default: standard output)\n"
            "  --paper PAPER  a4 (default) or letter\n",
    .more_help = more_help,
    .run = run,
};
