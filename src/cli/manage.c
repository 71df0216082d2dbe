/* `endstation manage`: lets the operator of a running server see rooms and reports, close rooms,
 * and block, mute or delete people. */
#include "cli/cli.h"
#include "server/control.h"
#include "server/data.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LIMIT_USUAL = 50, LIMIT_MAX = 100000, ID_CHARS = 16, GIVEN_MAX = 102, AFTER_BYTES = 80 };

/* The options that some of the words take. */
struct values {
    const char *days, *limit, *after, *before, *game, *phase, *guest, *room;
    bool address, open, invited, json;
};

/* What follows a word: which field of the message it is; and what to say when it is done, where the
 * answer is nothing else. */
static const struct word {
    const char *word, *field, *more, *done;
} words[] = {
    {"rooms", NULL, NULL, NULL},
    {"show", "room", NULL, NULL},
    {"people", "room", NULL, NULL},
    {"close", "room", NULL, "The room is closed."},
    {"delete", "room", NULL, "The room is deleted."},
    {"remove", "room", "n", "The message is removed."},
    {"block", "guest", NULL, "The guest is deleted and blocked."},
    {"unblock", "guest", NULL, "The guest is not blocked any more."},
    {"mute", "guest", NULL, "The guest is muted."},
    {"unmute", "guest", NULL, "The guest is not muted any more."},
    {"blocks", NULL, NULL, NULL},
    {"reports", NULL, NULL, NULL},
    {"done", "report", NULL, "The report is deleted."},
};
enum { WORDS = sizeof words / sizeof words[0] };

/* What the server's refusals mean. */
static const struct {
    const char *code, *text;
} refusals[] = {
    {"BUSY", "the store fails; it may still be done later"},
    {"FIELD_BAD", "the server does not understand this: perhaps it is of another version"},
    {"NOT_NOTED", "the guest is not blocked, or not muted"},
    {"NO_GUEST", "there is no such guest"},
    {"NO_MESSAGE", "there is no such message"},
    {"NO_REPORT", "there is no such report"},
    {"NO_ROOM", "there is no such room"},
    {"OVER", "the game is over, or the room was closed before"},
    {"READABLE", "only rooms that cannot be read are deleted; this one can be closed"},
    {"UNREADABLE", "the room cannot be read: it is damaged, or a newer version has written to it"},
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

/* ---- Asking ---------------------------------------------------------------------------------- */

/* Returns what a refusal means, or the text itself if that is not known. */
static const char *meaning(const char *text)
{
    json_t *refusal = json_loads(text, 0, NULL);
    const char *code = json_string_value(json_object_get(refusal, "code"));
    for (size_t i = 0; code && i < REFUSALS; i++)
        if (strcmp(refusals[i].code, code) == 0)
            text = refusals[i].text;
    json_decref(refusal);
    return text;
}

/* Sends a message, which it frees. Returns the answer, to be freed; NULL after a failure, which it
 * reports, with `as_json` as the server says it. */
static json_t *ask(const char *folder, json_t *message, bool as_json)
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
        fprintf(stderr, "endstation manage: %s\n", as_json ? text : meaning(text));
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
    if (strcmp(text_of(room, "phase"), "unreadable") == 0) {
        printf("%s  unreadable  made %s, latest %s\n", text_of(room, "room"),
               when(int_of(room, "made")), when(int_of(room, "latest")));
        return;
    }
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
    static const char *const phases[] = {"waiting", "words",  "playing",
                                         "over",    "closed", "unreadable"};
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++)
        if (strcmp(text, phases[i]) == 0)
            return true;
    return false;
}

/* Prints pages of a list until `*left` of its items were printed, or it ends. Sets `after` to the
 * id after which to go on; empty: it has ended. */
static int print_list(const char *folder, json_t *message, const char *field, const char *kind,
                      unsigned *left, bool as_json, char after[AFTER_BYTES])
{
    bool more = true;
    after[0] = 0;
    while (more && *left > 0) {
        json_t *answer = ask(folder, json_incref(message), as_json), *item;
        size_t i;
        if (!answer) {
            json_decref(message);
            return CLI_BAD_INPUT;
        }
        const char *latest = NULL;
        json_array_foreach(json_object_get(answer, field), i, item)
        {
            if (*left == 0)
                break;
            if (kind)
                json_object_set_new(item, "kind", json_string(kind));
            if (as_json)
                print_json(item);
            else if (strcmp(field, "rooms") == 0)
                print_room(item);
            else
                print_note(kind, item);
            latest = text_of(item, strcmp(field, "rooms") == 0 ? "room" : "id");
            --*left;
        }
        bool is_cut = i < json_array_size(json_object_get(answer, field));
        snprintf(after, AFTER_BYTES, "%s", is_cut ? latest : text_of(answer, "after"));
        more = after[0];
        json_object_set_new(message, "after", json_string(after));
        json_decref(answer);
    }
    json_decref(message);
    return cli_flush();
}

/* Says how to go on with a list of which so many were printed as were wished. */
static void hint(const char *before, const char *after)
{
    fprintf(stderr, "There may be more: --after %s%s\n", before, after);
}

/* Prints a list, and how to go on. */
static int print_some(const char *folder, json_t *message, const char *field, const char *kind,
                      unsigned limit, bool as_json)
{
    char after[AFTER_BYTES];
    int status = print_list(folder, message, field, kind, &limit, as_json, after);
    if (status == CLI_OK && after[0])
        hint("", after);
    return status;
}

static int list_rooms(const char *command, const char *folder, const struct values *values)
{
    unsigned limit = LIMIT_USUAL, days = 0;
    if (values->game && !es_game_named(es_str(values->game)))
        return cli_usage(command, "there is no game", values->game);
    if (values->phase && !is_phase(values->phase))
        return cli_usage(command,
                         "--phase takes waiting, words, playing, over, closed or unreadable, not",
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
    return print_some(folder, message, "rooms", NULL, limit, values->json);
}

static json_t *of_notes(const char *kind, const char *after)
{
    return json_pack("{s:s, s:s, s:s}", "t", "notes", "kind", kind, "after", after);
}

static int list_reports(const char *command, const char *folder, const struct values *values)
{
    unsigned limit = LIMIT_USUAL;
    if (!take_number(command, "--limit", values->limit, LIMIT_MAX, &limit) ||
        !take_id(command, values->after))
        return CLI_BAD_USAGE;
    return print_some(folder, of_notes("reports", values->after ? values->after : ""), "notes",
                      "reports", limit, values->json);
}

/* Everybody who is kept out, where they come from, and who is muted: three lists of the server's as
 * one. It goes on after KIND/ID, since ids of different kinds have no common order. */
static int list_blocks(const char *command, const char *folder, const struct values *values)
{
    static const char *const kinds[] = {"blocks", "addresses", "mutes"};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    unsigned limit = LIMIT_USUAL;
    const char *after = values->after ? values->after : "blocks/";
    size_t i = 0, size = strcspn(after, "/");
    while (i < KINDS && (strncmp(after, kinds[i], size) != 0 || kinds[i][size]))
        i++;
    if (i == KINDS || !after[size])
        return cli_usage(command, "--after takes what the list says at its end, not", after);
    if (!take_number(command, "--limit", values->limit, LIMIT_MAX, &limit))
        return CLI_BAD_USAGE;
    char rest[AFTER_BYTES];
    int status = CLI_OK;
    for (after += size + 1; i < KINDS && limit > 0 && status == CLI_OK; i++, after = "")
        status = print_list(folder, of_notes(kinds[i], after), "notes", kinds[i], &limit,
                            values->json, rest);
    if (status != CLI_OK || (!rest[0] && i == KINDS))
        return status;
    char before[16];
    snprintf(before, sizeof before, "%s/", kinds[rest[0] ? i - 1 : i]);
    hint(before, rest);
    return CLI_OK;
}

/* ---- One thing ------------------------------------------------------------------------------- */

/* Has one thing done, and prints the answer. */
static int act_on(const char *folder, const struct word *word, const char *id, unsigned number,
                  unsigned days, unsigned before, const struct values *values)
{
    json_t *message = json_pack("{s:s, s:s}", "t", word->word, word->field, id);
    if (number)
        json_object_set_new(message, word->more, json_integer(number));
    if (days)
        json_object_set_new(message, "days", json_integer(days));
    if (before)
        json_object_set_new(message, "before", json_integer(before));
    if (values->address)
        json_object_set_new(message, "address", json_true());
    json_t *answer = ask(folder, message, values->json);
    if (!answer)
        return CLI_BAD_INPUT;
    if (word->done && !values->json)
        puts(word->done);
    else
        print_json(answer);
    json_decref(answer);
    return cli_flush();
}

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
    return act_on(folder, word, given[1], number, days, before, values);
}

/* ---- Reports that are dealt with ------------------------------------------------------------- */

/* Returns true if a report is one of those that are meant: from a guest, about a room. */
static bool is_meant(json_t *report, const struct values *values)
{
    json_t *what = json_loads(text_of(report, "text"), 0, NULL);
    bool is = (!values->guest || strcmp(text_of(report, "guest"), values->guest) == 0) &&
              (!values->room || strcmp(text_of(what, "room"), values->room) == 0);
    json_decref(what);
    return is;
}

/* Deletes the reports from a guest, or about a room, or both. */
static int done_all(const char *folder, const struct word *word, const struct values *values)
{
    char after[AFTER_BYTES] = "";
    int status = CLI_OK;
    unsigned count = 0;
    do {
        json_t *answer = ask(folder, of_notes("reports", after), values->json), *item;
        size_t i;
        if (!answer)
            return CLI_BAD_INPUT;
        snprintf(after, sizeof after, "%s", text_of(answer, "after"));
        json_array_foreach(json_object_get(answer, "notes"), i, item)
        {
            if (status != CLI_OK || !is_meant(item, values))
                continue;
            status = act_on(folder, word, text_of(item, "id"), 0, 0, 0, values);
            count++;
        }
        json_decref(answer);
    } while (after[0] && status == CLI_OK);
    if (status == CLI_OK && count == 0)
        fprintf(stderr, "endstation manage: there is no such report\n");
    return count == 0 ? CLI_BAD_INPUT : status;
}

/* Deletes reports; all that it can, even if one is not there. */
static int done(const char *command, const char *folder, const struct word *word,
                const char *const *given, const struct values *values)
{
    int status = CLI_OK;
    if (values->guest || values->room)
        return given[1] ? cli_usage(command, "--guest and --room need no report:", given[1])
               : take_id(command, values->guest) && take_id(command, values->room)
                   ? done_all(folder, word, values)
                   : CLI_BAD_USAGE;
    if (!given[1])
        return cli_usage(command, "needs the id of a", word->field);
    for (size_t i = 1; given[i]; i++)
        if (!take_id(command, given[i]))
            return CLI_BAD_USAGE;
    for (size_t i = 1; given[i]; i++)
        if (act_on(folder, word, given[i], 0, 0, 0, values) != CLI_OK)
            status = CLI_BAD_INPUT;
    return status;
}

static int run(int argc, char **argv)
{
    const char *data = NULL, *given[GIVEN_MAX + 1] = {NULL};
    struct values values = {0};
    const struct cli_option options[] = {{"--data", &data, NULL},
                                         {"--days", &values.days, NULL},
                                         {"--limit", &values.limit, NULL},
                                         {"--after", &values.after, NULL},
                                         {"--before", &values.before, NULL},
                                         {"--game", &values.game, NULL},
                                         {"--phase", &values.phase, NULL},
                                         {"--guest", &values.guest, NULL},
                                         {"--room", &values.room, NULL},
                                         {"--open", NULL, &values.open},
                                         {"--invited", NULL, &values.invited},
                                         {"--address", NULL, &values.address},
                                         {"--json", NULL, &values.json},
                                         {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, given, GIVEN_MAX), kind = 0;
    if (status)
        return status;
    while (given[0] && kind < WORDS && strcmp(given[0], words[kind].word) != 0)
        kind++;
    if (!given[0] || kind == WORDS)
        return cli_usage(argv[0], "needs what to do; see --help", NULL);
    bool is_done = strcmp(given[0], "done") == 0;
    const char *extra = is_done ? NULL : given[words[kind].more ? 3 : words[kind].field ? 2 : 1];
    if (extra)
        return cli_usage(argv[0], "too many arguments:", extra);
    char *folder = data_folder(data);
    if (strcmp(given[0], "rooms") == 0)
        status = list_rooms(argv[0], folder, &values);
    else if (strcmp(given[0], "blocks") == 0)
        status = list_blocks(argv[0], folder, &values);
    else if (strcmp(given[0], "reports") == 0)
        status = list_reports(argv[0], folder, &values);
    else if (is_done)
        status = done(argv[0], folder, &words[kind], given, &values);
    else
        status = act(argv[0], folder, &words[kind], given, &values);
    free(folder);
    return status;
}

const struct cli_command cli_manage = {
    .name = "manage",
    .summary = "see rooms and reports of a running server, block and mute guests",
    .help =
        "manage [--data DIR] rooms | show ROOM | people ROOM | close ROOM | delete ROOM |\n"
        "       remove ROOM N | block GUEST | unblock GUEST | mute GUEST | unmute GUEST |\n"
        "       blocks | reports | done REPORT...\n\n"
        "Asks the server that runs with this folder, and prints its answer. Where several\n"
        "processes share a store, any of them can be asked.\n\n"
        "  rooms             lists rooms, also those by invitation; of those, the ones that fit\n"
        "                    --game GAME, --phase waiting|words|playing|over|closed|unreadable,\n"
        "                    --open or --invited, --guest GUEST (who has sat or written there),\n"
        "                    --days N (where something was done in the last N days)\n"
        "  show ROOM         a room: settings, seats, the latest 50 messages of chat, or\n"
        "                    those before number N (--before N)\n"
        "  people ROOM       lists who has sat or written there, with the guests' ids\n"
        "  close ROOM        closes the room\n"
        "  delete ROOM       deletes a room that cannot be read, with all that is in it\n"
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
        "  done REPORT...    deletes reports; or all from --guest GUEST, or about --room ROOM\n\n"
        "  --limit N         print at most N of a list (usually 50)\n"
        "  --after ID        go on after this one, as the end of a list says\n"
        "  --json            print JSON, one object per line (docs/formats.md)\n" CLI_DATA_HELP,
    .run = run,
};
