/* Reads options, from command lines and files, and prints usage errors. */
#include "cli/cli.h"
#include <stdlib.h>
#include <string.h>

int cli_usage(const char *command, const char *what, const char *about)
{
    fprintf(stderr, "endstation %s: %s%s%s; see 'endstation %s --help'\n", command, what,
            about ? " " : "", about ? about : "", command);
    return CLI_BAD_USAGE;
}

/* Finds the option that an argument begins with: --name, --name=VALUE, or for a name of one letter
 * -nVALUE. Sets *value to the value in the argument; NULL: it has none. */
static const struct cli_option *find(const struct cli_option *options, const char *arg,
                                     const char **value)
{
    bool is_letter = arg[1] != '-';
    size_t size = is_letter ? 2 : strcspn(arg, "=");
    *value = arg[size] == '=' ? arg + size + 1 : arg[size] ? arg + size : NULL;
    for (; options->name; options++)
        if (strlen(options->name) == size && strncmp(options->name, arg, size) == 0)
            return options;
    return NULL;
}

/* Sets an option; `value` is NULL if there is none. Returns NULL, or what is wrong, which the
 * option's name follows. */
static const char *set(const struct cli_option *option, const char *value)
{
    if (option->flag) {
        if (value)
            return "no value is allowed for";
        *option->flag = true;
        return NULL;
    }
    if (*option->text)
        return "given twice:";
    *option->text = value;
    return value ? NULL : "missing value of";
}

int cli_options(int argc, char **argv, const struct cli_option *options, const char **words,
                int most)
{
    int count = 0;
    bool only_words = false;
    for (int i = 1; i < argc; i++) {
        char *arg = argv[i];
        if (!arg[0]) /* such as a variable of a script that is not set */
            return cli_usage(argv[0], "an argument is empty", NULL);
        if (only_words || arg[0] != '-' || arg[1] == '\0') {
            if (count == most)
                return cli_usage(argv[0], "too many arguments:", arg);
            words[count++] = arg;
            continue;
        }
        if (strcmp(arg, "--") == 0) {
            only_words = true;
            continue;
        }
        const char *value;
        const struct cli_option *option = find(options, arg, &value);
        if (!option)
            return cli_usage(argv[0], "unknown option", arg);
        if (!value && !option->flag && !*option->text && i + 1 < argc)
            value = argv[++i];
        const char *wrong = set(option, value);
        if (wrong)
            return cli_usage(argv[0], wrong, option->name);
    }
    return CLI_OK;
}

/* Sets the option in a line `NAME VALUE` or `NAME`, which is changed and stays in use. Returns
 * false and writes what is wrong. */
static bool set_line(char *line, const struct cli_option *options, char *wrong, size_t size)
{
    size_t name_size = strcspn(line, " \t");
    char *value = line + name_size + strspn(line + name_size, " \t");
    line[name_size] = '\0';
    while (options->name && strcmp(options->name + strlen("--"), line) != 0)
        options++;
    const char *what = !options->name                    ? "unknown option"
                       : *value == '"' || *value == '\'' ? "no quotes around the value of"
                                                         : set(options, *value ? value : NULL);
    if (what)
        snprintf(wrong, size, "%s '%.60s'", what, line);
    return !what;
}

int cli_options_file(const char *path, const struct cli_option *options, cli_options_check *check,
                     const void *context, char **memory)
{
    struct es_str text;
    struct es_lines lines;
    struct es_fault fault = {0};
    int status = cli_read_file(path, &text);
    if (status)
        return status;
    bool is_good = es_lines_open(&lines, text, &fault) == ES_OK;
    char *to = *memory = cli_alloc(text.size + 1);
    while (is_good && es_lines_next(&lines)) {
        if (lines.line.size == 0 || lines.line.at[0] == '#')
            continue;
        es_str_copy(lines.line, to, lines.line.size + 1);
        fault.line = lines.number;
        is_good = set_line(to, options, fault.reason, sizeof fault.reason) &&
                  check(context, fault.reason, sizeof fault.reason);
        to += lines.line.size + 1;
    }
    free((char *)text.at);
    return is_good ? CLI_OK : cli_fault(path, &fault);
}

int cli_number(const char *command, const char *option, const char *text, unsigned min,
               unsigned max, unsigned *value)
{
    char what[80];
    if (es_str_number(es_str(text), max, value) == ES_OK && *value >= min)
        return CLI_OK;
    snprintf(what, sizeof what, "%s takes a whole number from %u to %u, not", option, min, max);
    return cli_usage(command, what, text);
}
