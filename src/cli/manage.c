/* `endstation manage`: lets the operator of a running server list people and close rooms, and
 * delete guests. */
#include "cli/cli.h"
#include "server/control.h"
#include "server/data.h"
#include <stdlib.h>
#include <string.h>

static int run(int argc, char **argv)
{
    static const struct {
        const char *word, *field;
    } kinds[] = {{"people", "room"}, {"close", "room"}, {"block", "guest"}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    const char *data = NULL, *words[2] = {NULL, NULL};
    const struct cli_option options[] = {{"--data", &data, NULL}, {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, words, 2), kind = 0;
    if (status)
        return status;
    while (words[0] && kind < KINDS && strcmp(words[0], kinds[kind].word) != 0)
        kind++;
    if (!words[0] || kind == KINDS)
        return cli_usage(argv[0], "needs people, close or block", NULL);
    if (!words[1] || strspn(words[1], "abcdefghijklmnopqrstuvwxyz234567") != strlen(words[1]))
        return cli_usage(argv[0], "needs the id of a", kinds[kind].field);
    char *folder = data_folder(data), line[200], text[CONTROL_TEXT_BYTES];
    snprintf(line, sizeof line, "{\"t\":\"%s\",\"%s\":\"%.100s\"}", kinds[kind].word,
             kinds[kind].field, words[1]);
    switch (folder ? control_ask(folder, line, text, sizeof text) : CONTROL_NOBODY) {
    case CONTROL_DONE:
        puts(text);
        status = cli_flush();
        break;
    case CONTROL_NOBODY:
        fprintf(stderr, "endstation manage: no server uses %s\n", folder ? folder : "that folder");
        status = CLI_BAD_INPUT;
        break;
    case CONTROL_FAILED:
        fprintf(stderr, "endstation manage: %s\n", text);
        status = CLI_BAD_INPUT;
        break;
    }
    free(folder);
    return status;
}

const struct cli_command cli_manage = {
    .name = "manage",
    .summary = "close rooms and block guests of a running server",
    .help = "manage [--data DIR] people ROOM | close ROOM | block GUEST\n\n"
            "Asks the server that runs with this folder, and prints its answer, JSON.\n\n"
            "  people ROOM       lists who has sat or written there, with the guests' ids\n"
            "  close ROOM        closes the room\n"
            "  block GUEST       deletes the guest: name, devices, chat. Moves stay\n"
            "  --data DIR        the server's folder (default: as for serve)\n",
    .run = run,
};
