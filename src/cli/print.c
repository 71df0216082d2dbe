/* `endstation print`: boards, sheets, cards and tiles to print, as PDF. Games lay out the pages
 * (struct es_printable) and read their options (struct cli_print). */
#include "cli/terminal.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int read_paper(const char *name, enum es_paper *paper)
{
    *paper = ES_PAPER_A4;
    if (!name || strcmp(name, "a4") == 0)
        return CLI_OK;
    *paper = ES_PAPER_LETTER;
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
    enum es_paper paper;
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
            "Makes a PDF of what you need to play on paper, readable in black and white. Print\n"
            "it at 100 %, so that everything has its true size.\n\n"
            "  -o FILE.pdf       the file to write; - is standard output, the default unless that\n"
            "                    is a terminal\n"
            "  --paper PAPER     a4 (default) or letter\n",
    .more_help = more_help,
    .run = run,
};
