/* `endstation manage`: lets the operator of a running server see rooms and reports, close rooms,
 * and block, mute or delete people. */
#include "cli/cli.h"
#include "server/control.h"
#include "server/data.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIMIT_USUAL = 50, LIMIT_MAX = 100000, ID_CHARS = 16 };

/* The options that some of the words take. */
struct values {
    const char *days, *limit, *after, *before, *game, *phase, *guest;
    bool address, open, invited, json;
};

/* What follows a word: which field of the message it is. */
static const struct word {
    const char *word, *field, *more;
} words[] = {
    {"rooms", NULL, NULL},      {"show", "room", NULL},  {"people", "room", NULL},
    {"close", "room", NULL},    {"remove", "room", "n"}, {"block", "guest", NULL},
    {"unblock", "guest", NULL}, {"mute", "guest", NULL}, {"unmute", "guest", NULL},
    {"blocks", NULL, NULL},     {"reports", NULL, NULL}, {"done", "report", NULL},
};
enum { WORDS = sizeof words / sizeof words[0] };

/* ---- Asking ---------------------------------------------------------------------------------- */

/* Sends a message, which it frees. Returns the answer, to be freed; NULL after a failure, which it
 * reports. */
static json_t *ask(const char *folder, json_t *message)
{
    static char text[CONTROL_TEXT_BYTES];
    char *line = json_dumps(message, JSON_COMPACT);
    json_decref(message);
    json_t *answer = NULL;
    switch (folder && line ? control_ask(folder, line, text, sizeof text) : CONTROL_NOBODY) {
    case CONTROL_DONE:
        answer = json_loads(text, 0, NULL);
        if (!answer)
            fprintf(stderr, "endstation manage: the server's answer is malformed\n");
        break;
    case CONTROL_NOBODY:
        fprintf(stderr, "endstation manage: no server uses %s\n", folder ? folder : "that folder");
        break;
    case CONTROL_FAILED:
        fprintf(stderr, "endstation manage: %s\n", text);
        break;
    }
    free(line);
    return answer;
}

static const char *text_of(json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

static long long int_of(json_t *object, const char *name)
{
    return (long long)json_integer_value(json_object_get(object, name));
}

/* ---- Printing -------------------------------------------------------------------------------- */

static void print_json(json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT);
    puts(text ? text : "");
    free(text);
}

/* A time as 2025-06-30 14:05 UTC. */
static const char *when(long long ms)
{
    static char text[4][32];
    static unsigned next;
    char *at = text[next++ % 4];
    time_t seconds = (time_t)(ms / 1000);
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(at, sizeof text[0], "%Y-%m-%d %H:%M UTC", &parts);
    return at;
}

static void print_room(json_t *room)
{
    printf("%s  %-8s  %-7s  %s  %lld of %lld  made %s, latest %s\n", text_of(room, "room"),
           text_of(room, "game"), text_of(room, "phase"),
           json_is_true(json_object_get(room, "open")) ? "open      " : "invitation",
           int_of(room, "taken"), int_of(room, "seats"), when(int_of(room, "made")),
           when(int_of(room, "latest")));
}

static void print_report(json_t *note)
{
    json_t *what = json_loads(text_of(note, "text"), 0, NULL);
    bool is_chat = json_object_get(what, "n") != NULL;
    printf("%s  %s  by %s\n    room %s, guest %s, name: %s\n", text_of(note, "id"),
           when(int_of(note, "made")), text_of(note, "guest"), text_of(what, "room"),
           text_of(what, "guest"), text_of(what, "name"));
    if (is_chat)
        printf("    message %lld: %s\n", int_of(what, "n"), text_of(what, "text"));
    json_decref(what);
}

static void print_note(const char *kind, json_t *note)
{
    if (strcmp(kind, "reports") == 0)
        print_report(note);
    else
        printf("%-7s  %s  %s until %s\n", kind, text_of(note, "guest"), when(int_of(note, "made")),
               when(int_of(note, "until")));
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Reads the number of an option, from 1 to `most`; it stays as it is without one. */
static bool take_number(const char *command, const char *option, const char *text, unsigned most,
                        unsigned *number)
{
    return !text || cli_number(command, option, text, 1, most, number) == CLI_OK;
}

/* Returns false, and says so, if a text is not the id of a room, a guest or a report. */
static bool take_id(const char *command, const char *text)
{
    if (!text ||
        (strlen(text) == ID_CHARS && strspn(text, "abcdefghijklmnopqrstuvwxyz234567") == ID_CHARS))
        return true;
    cli_usage(command, "an id is 16 letters a to z and digits 2 to 7, not", text);
    return false;
}

static bool is_phase(const char *text)
{
    static const char *const phases[] = {"waiting", "words", "playing", "over", "closed"};
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++)
        if (strcmp(text, phases[i]) == 0)
            return true;
    return false;
}

/* Prints pages of a list until `limit` of its items were printed, or it ends. */
static int print_list(const char *folder, json_t *message, const char *field, const char *kind,
                      unsigned limit, bool as_json)
{
    unsigned count = 0;
    bool more = true;
    while (more && count < limit) {
        json_t *answer = ask(folder, json_incref(message)), *item;
        size_t i;
        if (!answer) {
            json_decref(message);
            return CLI_BAD_INPUT;
        }
        const char *latest = NULL;
        json_array_foreach(json_object_get(answer, field), i, item)
        {
            if (count == limit)
                break;
            if (as_json)
                print_json(item);
            else if (strcmp(field, "rooms") == 0)
                print_room(item);
            else
                print_note(kind, item);
            latest = text_of(item, strcmp(field, "rooms") == 0 ? "room" : "id");
            count++;
        }
        bool is_cut = i < json_array_size(json_object_get(answer, field));
        const char *after = is_cut ? latest : text_of(answer, "after");
        more = after[0];
        json_object_set_new(message, "after", json_string(after));
        json_decref(answer);
    }
    if (more)
        fprintf(stderr, "There may be more: --after %s\n", text_of(message, "after"));
    json_decref(message);
    return cli_flush();
}

static int list_rooms(const char *command, const char *folder, const struct values *values)
{
    unsigned limit = LIMIT_USUAL, days = 0;
    if (values->game && !es_game_named(es_str(values->game)))
        return cli_usage(command, "there is no game", values->game);
    if (values->phase && !is_phase(values->phase))
        return cli_usage(command, "--phase takes waiting, words, playing, over or closed, not",
                         values->phase);
    if (values->open && values->invited)
        return cli_usage(command, "--open and --invited cannot be combined", NULL);
    if (!take_id(command, values->guest) || !take_id(command, values->after))
        return CLI_BAD_USAGE;
    if (!take_number(command, "--limit", values->limit, LIMIT_MAX, &limit) ||
        !take_number(command, "--days", values->days, 100000, &days))
        return CLI_BAD_USAGE;
    json_t *message = json_pack("{s:s}", "t", "rooms");
    const struct {
        const char *name, *value;
    } filters[] = {{"game", values->game},
                   {"phase", values->phase},
                   {"guest", values->guest},
                   {"after", values->after}};
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++)
        if (filters[i].value)
            json_object_set_new(message, filters[i].name, json_string(filters[i].value));
    if (values->open || values->invited)
        json_object_set_new(message, "open", json_boolean(values->open));
    if (days)
        json_object_set_new(message, "days", json_integer(days));
    return print_list(folder, message, "rooms", NULL, limit, values->json);
}

static int list_notes(const char *command, const char *folder, const char *kind,
                      const struct values *values)
{
    unsigned limit = LIMIT_USUAL;
    if (!take_number(command, "--limit", values->limit, LIMIT_MAX, &limit))
        return CLI_BAD_USAGE;
    json_t *message = json_pack("{s:s, s:s, s:s}", "t", "notes", "kind", kind, "after",
                                values->after ? values->after : "");
    return print_list(folder, message, "notes", kind, limit, values->json);
}

/* Everybody who is kept out, where they come from, and who is muted. */
static int list_blocks(const char *command, const char *folder, const struct values *values)
{
    static const char *const kinds[] = {"blocks", "addresses", "mutes"};
    int status = CLI_OK;
    for (size_t i = 0; i < 3 && status == CLI_OK; i++)
        status = list_notes(command, folder, kinds[i], values);
    return status;
}

/* ---- One thing ------------------------------------------------------------------------------- */

static int act(const char *command, const char *folder, const struct word *word,
               const char *const *given, const struct values *values)
{
    unsigned days = 0, before = 0, number = 0;
    if (!given[1])
        return cli_usage(command, "needs the id of a", word->field);
    if (!take_id(command, given[1]))
        return CLI_BAD_USAGE;
    if (word->more && !given[2])
        return cli_usage(command, "needs the number of a message", NULL);
    if (!take_number(command, "--days", values->days, 365, &days) ||
        !take_number(command, "--before", values->before, 1000000, &before) ||
        !take_number(command, "N", word->more ? given[2] : NULL, 1000000, &number))
        return CLI_BAD_USAGE;
    json_t *message = json_pack("{s:s, s:s}", "t", word->word, word->field, given[1]);
    if (number)
        json_object_set_new(message, word->more, json_integer(number));
    if (days)
        json_object_set_new(message, "days", json_integer(days));
    if (before)
        json_object_set_new(message, "before", json_integer(before));
    if (values->address)
        json_object_set_new(message, "address", json_true());
    json_t *answer = ask(folder, message);
    if (!answer)
        return CLI_BAD_INPUT;
    print_json(answer);
    json_decref(answer);
    return cli_flush();
}

static int run(int argc, char **argv)
{
    const char *data = NULL, *given[3] = {NULL, NULL, NULL};
    struct values values = {0};
    const struct cli_option options[] = {{"--data", &data, NULL},
                                         {"--days", &values.days, NULL},
                                         {"--limit", &values.limit, NULL},
                                         {"--after", &values.after, NULL},
                                         {"--before", &values.before, NULL},
                                         {"--game", &values.game, NULL},
                                         {"--phase", &values.phase, NULL},
                                         {"--guest", &values.guest, NULL},
                                         {"--open", NULL, &values.open},
                                         {"--invited", NULL, &values.invited},
                                         {"--address", NULL, &values.address},
                                         {"--json", NULL, &values.json},
                                         {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, given, 3), kind = 0;
    if (status)
        return status;
    while (given[0] && kind < WORDS && strcmp(given[0], words[kind].word) != 0)
        kind++;
    if (!given[0] || kind == WORDS)
        return cli_usage(argv[0], "needs what to do; see --help", NULL);
    const char *extra = words[kind].more ? NULL : given[words[kind].field ? 2 : 1];
    if (extra)
        return cli_usage(argv[0], "too many arguments:", extra);
    char *folder = data_folder(data);
    if (strcmp(given[0], "rooms") == 0)
        status = list_rooms(argv[0], folder, &values);
    else if (strcmp(given[0], "blocks") == 0)
        status = list_blocks(argv[0], folder, &values);
    else if (strcmp(given[0], "reports") == 0)
        status = list_notes(argv[0], folder, "reports", &values);
    else
        status = act(argv[0], folder, &words[kind], given, &values);
    free(folder);
    return status;
}

const struct cli_command cli_manage = {
    .name = "manage",
    .summary = "see rooms and reports of a running server, block and mute guests",
    .help =
        "manage [--data DIR] rooms | show ROOM | people ROOM | close ROOM | remove ROOM N |\n"
        "       block GUEST | unblock GUEST | mute GUEST | unmute GUEST | blocks |\n"
        "       reports | done REPORT\n\n"
        "Asks the server that runs with this folder, and prints its answer. Where several\n"
        "processes share a store, any of them can be asked.\n\n"
        "  rooms             lists rooms, also those by invitation; of those, the ones that fit\n"
        "                    --game GAME, --phase waiting|words|playing|over|closed, --open or\n"
        "                    --invited, --guest GUEST (who has sat or written there),\n"
        "                    --days N (where something was done in the last N days)\n"
        "  show ROOM         a room: settings, seats, the latest 50 messages of chat, or\n"
        "                    those before number N (--before N)\n"
        "  people ROOM       lists who has sat or written there, with the guests' ids\n"
        "  close ROOM        closes the room\n"
        "  remove ROOM N     removes message N of its chat\n"
        "  block GUEST       deletes the guest: name, devices, chat. Moves stay. For --days N\n"
        "                    (1 to 365, usually 30) nobody comes in with one of the devices;\n"
        "                    with --address nobody new comes in, for at most 30 days, from\n"
        "                    where the guest is or comes back from\n"
        "  unblock GUEST     ends that. The guest stays deleted, and can come as a new one\n"
        "  mute GUEST        for --days N the guest can neither write chat nor react\n"
        "  unmute GUEST      ends that\n"
        "  blocks            lists blocks, blocked addresses (as guests) and mutes\n"
        "  reports           lists what players have reported\n"
        "  done REPORT       deletes a report\n\n"
        "  --limit N         print at most N of a list (usually 50)\n"
        "  --after ID        go on after this one\n"
        "  --json            print JSON, one object per line (docs/formats.md)\n" CLI_DATA_HELP,
    .run = run,
};
