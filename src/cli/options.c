/* Parses command lines and prints usage errors. */
#include "cli/cli.h"
#include <string.h>

int cli_usage(const char *command, const char *what, const char *about)
{
    fprintf(stderr, "endstation %s: %s%s%s; see 'endstation %s --help'\n", command, what,
            about ? " " : "", about ? about : "", command);
    return CLI_BAD_USAGE;
}

int cli_options(int argc, char **argv, const struct cli_option *options, const char **words,
                int most)
{
    int count = 0;
    bool only_words = false;
    for (int i = 1; i < argc; i++) {
        char *arg = argv[i];
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
        size_t size = strcspn(arg, "=");
        const struct cli_option *option = options;
        while (option->name &&
               (strlen(option->name) != size || strncmp(option->name, arg, size) != 0))
            option++;
        if (!option->name)
            return cli_usage(argv[0], "unknown option", arg);
        if (option->flag) {
            if (arg[size] == '=')
                return cli_usage(argv[0], "no value is allowed for", option->name);
            *option->flag = true;
        } else if (*option->text) {
            return cli_usage(argv[0], "given twice:", option->name);
        } else if (arg[size] == '=') {
            *option->text = arg + size + 1;
        } else if (++i < argc) {
            *option->text = argv[i];
        } else {
            return cli_usage(argv[0], "missing value of", option->name);
        }
    }
    return CLI_OK;
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
