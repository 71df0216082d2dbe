/* What commands print of several files, one after the other, and as JSON. */
#include "cli/cli.h"
#include "page/json.h"
#include <stdlib.h>
#include <string.h>

/* ---- Several files --------------------------------------------------------------------------- */

int cli_files_read(struct cli_files *files, int argc, char **argv, const struct cli_option *options,
                   const char *what)
{
    *files = (struct cli_files){.command = argv[0], .path = calloc((size_t)argc, sizeof(char *))};
    if (!files->path)
        cli_alloc(SIZE_MAX); /* prints the error and exits */
    int status = cli_options(argc, argv, options, files->path, argc);
    while (files->count < argc && files->path[files->count])
        files->count++;
    if (status == CLI_OK && files->count == 0 && what)
        status = cli_usage(argv[0], what, NULL);
    return status;
}

void cli_files_free(struct cli_files *files)
{
    free(files->path);
    *files = (struct cli_files){0};
}

int cli_files_each(struct cli_files *files, cli_file *one, void *context)
{
    int worst = CLI_OK;
    for (int i = 0; i < files->count && worst != CLI_UNREAD; i++) {
        int status = one(files, files->path[i], context);
        worst = status > worst ? status : worst;
    }
    return worst;
}

void cli_head(struct cli_files *files, const char *path)
{
    if (files->count > 1)
        printf("%s==> %s <==\n", files->shown++ ? "\n" : "", path);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

void cli_write_word(struct es__writer *w, const char *name, const char *word)
{
    struct es_lines lines;
    struct es_fault fault;
    bool is_text = es_lines_open(&lines, es_str(word), &fault) == ES_OK;
    size_t size = 3 * strlen(word);
    struct es_out out = {cli_alloc(size + 1), size, 0};
    for (; *word; word++) {
        if (is_text || (unsigned char)*word < 0x80)
            es_out_char(&out, *word);
        else
            es_out_text(&out, "\xef\xbf\xbd"); /* U+FFFD */
    }
    es__write_str(w, name, (struct es_str){out.at, out.used});
    free(out.at);
}

static void write_line(struct es_out *out, const char *path, cli_write *write, const void *context)
{
    struct es__json json;
    struct es__writer *w = es__json_begin(&json, out);
    es__write_object(w, NULL);
    if (path)
        cli_write_word(w, "file", path);
    write(w, context);
    es__write_end(w);
    es_out_char(out, '\n');
}

int cli_print_json(const char *path, cli_write *write, const void *context)
{
    struct es_out out = {NULL, 0, 0};
    write_line(&out, path, write, context);
    out = (struct es_out){cli_alloc(out.used), out.used, 0};
    write_line(&out, path, write, context);
    fwrite(out.at, 1, out.used, stdout);
    free(out.at);
    return cli_flush();
}
