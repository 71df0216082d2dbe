/* `endstation check`: looks for damage in everything that a server keeps. */
#include "cli/cli.h"
#include "cli/stores.h"
#include "rooms/rooms.h"
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct check {
    struct stores_wish wish;
    struct stores_progress progress;
    struct store *store;
    struct rooms *rooms; /* reads entries */
    uint64_t guests, sheets, all_rooms, entries;
    uint64_t faults;
    bool is_ahead; /* some times lie in the future */
};

/* Prints something that is wrong. */
__attribute__((format(printf, 2, 3))) static void found(struct check *check, const char *format,
                                                        ...)
{
    va_list values;
    stores_hide(&check->progress);
    va_start(values, format);
    vprintf(format, values);
    va_end(values);
    putchar('\n');
    check->faults++;
}

/* Asks one question. Prints what could not be read if that fails, and returns false. */
static bool ask(struct check *check, const struct store_question *question,
                struct store_answer *answer, const char *what, const char *id)
{
    store_ask(check->store, question, answer);
    if (answer->outcome == STORE_STORED)
        return true;
    const char *fault = check->store->fault(check->store);
    found(check, "%s%s%s: %s", what, id[0] ? " " : "", id, fault[0] ? fault : "not enough memory");
    free(answer->memory);
    return false;
}

/* ---- Rooms ----------------------------------------------------------------------------------- */

/* Reads a room from an entry on. Returns how many entries there are; -1 after a failure. */
static long read_room(struct check *check, const char *id, uint64_t first, const char **why)
{
    struct store_question question = {.kind = STORE_READ, .first = first};
    struct store_answer answer;
    snprintf(question.head.room, sizeof question.head.room, "%s", id);
    if (!ask(check, &question, &answer, "room", id))
        return -1;
    long entries = (long)answer.entries;
    if (first == 1)
        *why = answer.found ? rooms_check(check->rooms, &answer) : NULL;
    free(answer.memory);
    return entries;
}

/* A server may be writing to the room: what is wrong has to be wrong a second time, with as many
 * entries. */
static void check_room(struct check *check, const char *id)
{
    const char *why = NULL;
    long entries = read_room(check, id, 1, &why), before = -1;
    while (why && entries >= 0 && entries != before) {
        before = entries;
        entries = read_room(check, id, 1, &why);
    }
    if (entries < 0)
        return;
    if (why) {
        found(check, "room %s: %s", id, why);
        return;
    }
    /* If numbers are left out, there are some after as many as there are entries. */
    const char *later;
    long more = read_room(check, id, (uint64_t)entries + 1, &later);
    long again = more > 0 ? read_room(check, id, 1, &later) : entries;
    if (more > 0 && again >= 0 && again < entries + more)
        found(check, "room %s: entries are missing", id);
    check->entries += (uint64_t)entries;
}

static void check_rooms(struct check *check, uint64_t all)
{
    struct store_question question = {.kind = STORE_PAGE_ROOMS};
    struct store_answer answer;
    for (bool more = true; more;) {
        if (!ask(check, &question, &answer, "rooms after", question.head.room))
            return;
        more = answer.rooms > 0;
        for (size_t i = 0; i < answer.rooms; i++) {
            check_room(check, answer.heads[i].room);
            strcpy(question.head.room, answer.heads[i].room);
            check->all_rooms++;
            stores_show(&check->progress, "rooms read", check->all_rooms,
                        all > check->all_rooms ? all : check->all_rooms);
        }
        free(answer.memory);
    }
}

/* ---- The rest -------------------------------------------------------------------------------- */

static void check_guests(struct check *check)
{
    struct store_question question = {.kind = STORE_PAGE_GUESTS};
    struct store_answer answer;
    for (bool more = true; more;) {
        if (!ask(check, &question, &answer, "guests after", question.guest.id))
            return;
        more = answer.owners > 0;
        check->guests += answer.owners;
        if (more)
            strcpy(question.guest.id, answer.owner[answer.owners - 1].id);
        free(answer.memory);
    }
}

static void check_sheet(struct check *check, const struct store_sheet *sheet)
{
    struct es_fault fault;
    struct es_map *map = cli_alloc(sizeof *map);
    if (es_map_read(map, sheet->text, &fault))
        found(check, "sheet %s: line %d: %s", sheet->map, fault.line, fault.reason);
    else if (strcmp(map->hash, sheet->map) != 0)
        found(check, "sheet %s: the text is that of another one", sheet->map);
    free(map);
    check->sheets++;
}

static void check_sheets(struct check *check)
{
    struct store_question question = {.kind = STORE_PAGE_SHEETS};
    struct store_answer answer;
    for (bool more = true; more;) {
        if (!ask(check, &question, &answer, "sheets after", question.map))
            return;
        more = answer.sheets > 0;
        for (size_t i = 0; i < answer.sheets; i++) {
            check_sheet(check, &answer.sheet[i]);
            strcpy(question.map, answer.sheet[i].map);
        }
        free(answer.memory);
    }
}

static void check_notes(struct check *check)
{
    struct store_question question = {.kind = STORE_NOTES};
    struct store_answer answer;
    for (bool more = true; more;) {
        if (!ask(check, &question, &answer, "notes after", question.note.id))
            return;
        more = answer.notes > 0;
        if (more)
            strcpy(question.note.id, answer.note[answer.notes - 1].id);
        free(answer.memory);
    }
}

/* Returns the time by the clock that servers go by: the database's, or the machine's. */
static uint64_t time_of(struct store *store)
{
    const struct store_question question = {.kind = STORE_KEY};
    struct store_answer answer;
    store_ask(store, &question, &answer);
    free(answer.memory);
    return answer.outcome == STORE_STORED && answer.clock ? answer.clock : stores_now();
}

static bool is_ahead(const struct store_answer *state, uint64_t now)
{
    bool is_ahead = state->alive > now + STORE_AHEAD_MS;
    for (size_t i = 0; i < state->gaps; i++)
        is_ahead |= state->gap[i].to > now + STORE_AHEAD_MS;
    return is_ahead;
}

/* Checks the times without a server; returns how many rooms there are. */
static uint64_t check_state(struct check *check)
{
    struct store_question question = {.kind = STORE_STATE};
    struct store_answer answer;
    if (!ask(check, &question, &answer, "times", ""))
        return 0;
    for (size_t i = 0; i < answer.gaps; i++)
        if (answer.gap[i].from >= answer.gap[i].to ||
            (i > 0 && answer.gap[i].from < answer.gap[i - 1].to))
            found(check, "times: a time without a server contradicts another");
    check->is_ahead = is_ahead(&answer, time_of(check->store));
    uint64_t all = answer.total.rooms;
    free(answer.memory);
    return all;
}

/* ---- Times in the future --------------------------------------------------------------------- */

/* Undoes what was noted while a clock was ahead, as a server does that starts. A process that was
 * killed meanwhile is gone when it has not noted itself for a while: then it is asked again.
 * Returns false if a server runs that has such a clock, or the store cannot do it. */
static bool undo_ahead(struct store *store, const char *process)
{
    struct store_question alive = {.kind = STORE_ALIVE, .first = INT64_MAX, .fresh = true};
    struct store_question state = {.kind = STORE_STATE}, gone = {.kind = STORE_GONE};
    struct store_answer answer;
    bool is_undone = false;
    strcpy(alive.process, process);
    strcpy(gone.process, process);
    for (int tries = 0; tries < 2 && !is_undone; tries++) {
        if (tries > 0)
            sleep(STORE_AWAY_MS / 1000 + 1);
        alive.time = time_of(store);
        store_ask(store, &alive, &answer);
        free(answer.memory);
        store_ask(store, &state, &answer);
        is_undone = answer.outcome == STORE_STORED && !is_ahead(&answer, alive.time);
        free(answer.memory);
    }
    store_ask(store, &gone, &answer);
    free(answer.memory);
    return is_undone;
}

/* Mends it, unless a server uses an SQLite store, or something else is wrong: what is damaged is
 * not written to. */
static void mend_times(struct check *check)
{
    struct store *store = check->faults == 0 ? stores_open(&check->wish, STORES_WHOLE) : NULL;
    bool is_undone = store && undo_ahead(store, check->wish.address ? "check" : "");
    if (store)
        store->close(store);
    if (is_undone)
        puts("times: some were in the future, because a clock was wrong; this is mended");
    else
        found(check, "times: some lie in the future; a clock was wrong, or that of this machine "
                     "is. A server that starts when the clock is right mends it");
}

/* ---- The command ----------------------------------------------------------------------------- */

static void damaged(void *context, const char *what)
{
    found(context, "database: %s", what);
}

/* Looks at the file of the database itself. Returns false if it cannot be read. */
static bool check_file(struct check *check)
{
    char path[PATH_MAX], fault[STORE_FAULT_BYTES];
    if (check->wish.address)
        return true;
    if (stores_path(&check->wish, path, fault) && access(path, F_OK) == 0 &&
        !store_integrity(path, damaged, check, fault)) {
        found(check, "database: %s", fault);
        return false;
    }
    return true;
}

static int check_all(struct check *check)
{
    if (!check_file(check))
        return CLI_BAD_INPUT;
    check->store = stores_open(&check->wish, STORES_READ);
    if (!check->store)
        return CLI_BAD_INPUT;
    check->rooms = rooms_new(&(struct rooms_options){.out = NULL});
    if (check->rooms) { /* each as far as it can be read */
        uint64_t all = check_state(check);
        check_guests(check);
        check_sheets(check);
        check_notes(check);
        check_rooms(check, all);
    } else {
        found(check, "not enough memory");
    }
    stores_hide(&check->progress);
    rooms_free(check->rooms);
    check->store->close(check->store);
    if (check->is_ahead)
        mend_times(check);
    printf("%llu rooms with %llu entries, %llu guests, %llu sheets: ",
           (unsigned long long)check->all_rooms, (unsigned long long)check->entries,
           (unsigned long long)check->guests, (unsigned long long)check->sheets);
    if (check->faults > 0)
        printf("%llu fault%s\n", (unsigned long long)check->faults, check->faults == 1 ? "" : "s");
    else
        printf("no fault\n");
    return check->faults > 0 ? CLI_BAD_INPUT : CLI_OK;
}

static int run(int argc, char **argv)
{
    struct check check = {.wish = {.command = argv[0]},
                          .progress = {.is_terminal = isatty(STDERR_FILENO)}};
    const struct cli_option options[] = {{"--data", &check.wish.data, NULL},
                                         {"--store", &check.wish.address, NULL},
                                         {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status == CLI_OK)
        status = stores_check(&check.wish);
    return status ? status : check_all(&check);
}

const struct cli_command cli_check = {
    .name = "check",
    .summary = "look for damage in what a server keeps",
    .help = "check [--data DIR | --store postgres://...]\n\n"
            "Reads everything that a server keeps, and prints what is wrong with it, a line\n"
            "each: pages of the database that are damaged, rooms whose entries are missing or\n"
            "contradict each other, sheets that cannot be read. The server may be running.\n"
            "Times in the future, which a wrong clock has left, are mended if it is not. Ends\n"
            "with status 0 if nothing is wrong, and with 1 if something is.\n\n" CLI_DATA_HELP
                CLI_STORE_HELP,
    .run = run,
};
