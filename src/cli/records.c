/* Writes the records of all games that are over to a folder. Files that are there are left; a new
 * one gets its name when it is complete. */
#include "cli/records.h"
#include "cli/cli.h"
#include "rooms/rooms.h"
#include "server/recorder.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

__attribute__((format(printf, 2, 3))) static bool fail(struct records *records, const char *format,
                                                       ...)
{
    va_list values;
    va_start(values, format);
    vsnprintf(records->fault, sizeof records->fault, format, values);
    va_end(values);
    return false;
}

/* Opens the folder, which is made if it is missing. Only one export at a time may write there.
 * Returns a descriptor, or -1. */
static int open_folder(struct records *records)
{
    int folder = recorder_folder(records->folder);
    if (folder < 0) {
        fail(records, "%.200s: %s", records->folder, strerror(errno));
    } else if (flock(folder, LOCK_EX | LOCK_NB)) {
        fail(records, "another export is writing to %.200s", records->folder);
        close(folder);
        folder = -1;
    }
    return folder;
}

static bool is_there(int folder, const char *name)
{
    return faccessat(folder, name, F_OK, 0) == 0;
}

static bool write_file(struct records *records, int folder, const char *name, struct es_str text)
{
    return recorder_put(folder, name, text) ||
           fail(records, "%.200s/%s: %s", records->folder, name, strerror(errno));
}

static bool ask(struct records *records, const struct store_question *question,
                struct store_answer *answer)
{
    struct store *store = records->store;
    store_ask(store, question, answer);
    if (answer->outcome == STORE_STORED)
        return true;
    free(answer->memory);
    return fail(records, "%.300s", store->fault(store)[0] ? store->fault(store) : "no memory");
}

/* Ids are part of names of files: letters and digits only. */
static bool is_plain(const char *id)
{
    return id[0] && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789") == strlen(id);
}

/* Leaves a room out that cannot be read. */
static bool skip(struct records *records, const char *id)
{
    if (records->unreadable++ == 0)
        strcpy(records->first, id);
    return true;
}

static bool write_sheet(struct records *records, int folder, const struct store_answer *room)
{
    char name[STORE_ROOM_BYTES + 40];
    snprintf(name, sizeof name, "%s.map", room->head.map);
    return !room->map.size || !is_plain(room->head.map) ||
           write_file(records, folder, name, room->map);
}

/* Writes the record of a room that is over, if there was a game. */
static bool write_record(struct records *records, struct rooms *rooms, int folder, const char *id)
{
    char name[STORE_ROOM_BYTES + 40], *text = NULL;
    struct store_question question = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    size_t size = 0;
    snprintf(name, sizeof name, "%s.record", id);
    if (!is_plain(id))
        return skip(records, id);
    if (is_there(folder, name)) {
        records->kept++;
        return true;
    }
    strcpy(question.head.room, id);
    if (!ask(records, &question, &answer))
        return false;
    enum rooms_recorded result = rooms_record(rooms, &answer, &text, &size);
    bool is_done = true;
    if (result == ROOMS_RECORD) {
        is_done = write_sheet(records, folder, &answer) &&
                  write_file(records, folder, name, (struct es_str){text, size});
        records->made += is_done;
    } else if (result == ROOMS_UNREADABLE) {
        skip(records, id);
    }
    free(text);
    free(answer.memory);
    return is_done;
}

/* Goes through all rooms, page by page. */
static bool write_records(struct records *records, struct rooms *rooms, int folder)
{
    struct store_question question = {.kind = STORE_STATE};
    struct store_answer answer;
    uint64_t all, done = 0;
    if (!ask(records, &question, &answer))
        return false;
    all = answer.total.rooms;
    free(answer.memory);
    question.kind = STORE_PAGE_ROOMS;
    for (bool is_done = true, more = true; more;) {
        if (!ask(records, &question, &answer))
            return false;
        for (size_t i = 0; i < answer.rooms && is_done; i++) {
            if (answer.heads[i].over)
                is_done = write_record(records, rooms, folder, answer.heads[i].room);
            strcpy(question.head.room, answer.heads[i].room);
            done++;
            if (records->progress)
                records->progress(records->context, "rooms looked at", done,
                                  done > all ? done : all);
        }
        more = answer.rooms > 0;
        free(answer.memory);
        if (!is_done)
            return false;
    }
    return true;
}

bool records_export(struct records *records)
{
    struct rooms *rooms = rooms_new(&(struct rooms_options){.out = NULL});
    int folder = rooms ? open_folder(records) : -1;
    bool is_done = folder >= 0 && write_records(records, rooms, folder);
    if (!rooms)
        fail(records, "not enough memory");
    if (is_done && fsync(folder) != 0 && errno != EINVAL)
        is_done = fail(records, "%.200s: %s", records->folder, strerror(errno));
    if (folder >= 0)
        close(folder);
    rooms_free(rooms);
    return is_done;
}
