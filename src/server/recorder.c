/* Implementation of recorder.h: one mutex, one condition, one record at a time. */
#include "server/recorder.h"
#include "server/data.h"
#include "server/thread.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

struct record {
    char room[STORE_ROOM_BYTES], sheet[33];
    struct es_str text, map; /* in the same piece of memory */
};

struct recorder {
    void (*ready)(void *context);
    void *context;
    char *folder;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t change;
    /* All below: under the mutex. */
    struct record *asked; /* NULL: nothing to do */
    enum recorder_outcome outcome;
    char fault[STORE_FAULT_BYTES];
    bool is_ending;
};

/* ---- Files ----------------------------------------------------------------------------------- */

int recorder_folder(const char *path)
{
    return data_make(path, 0700) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static bool write_all(int file, struct es_str text)
{
    while (text.size > 0) {
        ssize_t done = write(file, text.at, text.size);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            text.at += done;
            text.size -= (size_t)done;
        }
    }
    return fsync(file) == 0 || errno == EINVAL; /* EINVAL: a file system without syncing */
}

bool recorder_put(int folder, const char *name, struct es_str text)
{
    char part[100];
    if (faccessat(folder, name, F_OK, 0) == 0)
        return true;
    snprintf(part, sizeof part, "%s.part", name);
    int file = openat(folder, part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (file < 0)
        return false;
    bool is_written = write_all(file, text);
    int reason = errno;
    if (close(file) != 0 && is_written) {
        is_written = false;
        reason = errno;
    }
    if (is_written && renameat(folder, part, folder, name) == 0)
        return true;
    errno = is_written ? errno : reason;
    reason = errno;
    unlinkat(folder, part, 0);
    errno = reason;
    return false;
}

/* Writes a record and its sheet. Nobody else writes to the folder meanwhile. */
static bool write_record(const char *path, const struct record *record)
{
    char name[60];
    int folder = recorder_folder(path);
    if (folder < 0)
        return false;
    bool is_written = flock(folder, LOCK_EX | LOCK_NB) == 0;
    if (is_written && record->sheet[0]) {
        snprintf(name, sizeof name, "%s.map", record->sheet);
        is_written = recorder_put(folder, name, record->map);
    }
    if (is_written) {
        snprintf(name, sizeof name, "%s.record", record->room);
        is_written = recorder_put(folder, name, record->text);
    }
    is_written = is_written && (fsync(folder) == 0 || errno == EINVAL);
    int reason = errno;
    close(folder);
    errno = reason;
    return is_written;
}

/* ---- The thread ------------------------------------------------------------------------------ */

static void *run(void *context)
{
    struct recorder *recorder = context;
    pthread_mutex_lock(&recorder->mutex);
    for (;;) {
        while (!recorder->asked && !recorder->is_ending)
            pthread_cond_wait(&recorder->change, &recorder->mutex);
        if (recorder->is_ending)
            break;
        struct record *record = recorder->asked;
        recorder->asked = NULL;
        pthread_mutex_unlock(&recorder->mutex);
        bool is_written = write_record(recorder->folder, record);
        int reason = errno;
        free(record);
        pthread_mutex_lock(&recorder->mutex);
        recorder->outcome = is_written ? RECORDER_WRITTEN : RECORDER_FAILED;
        if (!is_written)
            snprintf(recorder->fault, sizeof recorder->fault, "%.200s: %s", recorder->folder,
                     reason == EWOULDBLOCK ? "an export is writing there" : strerror(reason));
        pthread_mutex_unlock(&recorder->mutex);
        recorder->ready(recorder->context);
        pthread_mutex_lock(&recorder->mutex);
    }
    pthread_mutex_unlock(&recorder->mutex);
    return NULL;
}

/* ---- For the loop ---------------------------------------------------------------------------- */

struct recorder *recorder_open(const char *folder, void (*ready)(void *context), void *context,
                               char fault[STORE_FAULT_BYTES])
{
    int file = recorder_folder(folder);
    if (file < 0 || faccessat(file, ".", W_OK | X_OK, 0) != 0) {
        snprintf(fault, STORE_FAULT_BYTES, "%.200s: %s", folder, strerror(errno));
        if (file >= 0)
            close(file);
        return NULL;
    }
    close(file);
    snprintf(fault, STORE_FAULT_BYTES, "not enough memory");
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder)
        return NULL;
    recorder->ready = ready;
    recorder->context = context;
    recorder->folder = strdup(folder);
    pthread_mutex_init(&recorder->mutex, NULL);
    pthread_cond_init(&recorder->change, NULL);
    if (recorder->folder && thread_start(&recorder->thread, run, recorder))
        return recorder;
    pthread_cond_destroy(&recorder->change);
    pthread_mutex_destroy(&recorder->mutex);
    free(recorder->folder);
    free(recorder);
    return NULL;
}

void recorder_ask(struct recorder *recorder, const char *room, struct es_str text,
                  const char *sheet, struct es_str map)
{
    struct record *record = malloc(sizeof *record + text.size + map.size);
    pthread_mutex_lock(&recorder->mutex);
    if (record) {
        char *to = (char *)(record + 1);
        snprintf(record->room, sizeof record->room, "%s", room);
        snprintf(record->sheet, sizeof record->sheet, "%s", sheet);
        memcpy(to, text.at, text.size);
        if (map.size > 0)
            memcpy(to + text.size, map.at, map.size);
        record->text = (struct es_str){to, text.size};
        record->map = (struct es_str){to + text.size, map.size};
        free(recorder->asked);
        recorder->asked = record;
        pthread_cond_signal(&recorder->change);
    } else {
        recorder->outcome = RECORDER_FAILED;
        snprintf(recorder->fault, sizeof recorder->fault, "not enough memory");
    }
    pthread_mutex_unlock(&recorder->mutex);
    if (!record)
        recorder->ready(recorder->context);
}

enum recorder_outcome recorder_take(struct recorder *recorder, char fault[STORE_FAULT_BYTES])
{
    pthread_mutex_lock(&recorder->mutex);
    enum recorder_outcome outcome = recorder->outcome;
    recorder->outcome = RECORDER_NONE;
    memcpy(fault, recorder->fault, STORE_FAULT_BYTES);
    pthread_mutex_unlock(&recorder->mutex);
    return outcome;
}

void recorder_close(struct recorder *recorder)
{
    pthread_mutex_lock(&recorder->mutex);
    recorder->is_ending = true;
    pthread_cond_signal(&recorder->change);
    pthread_mutex_unlock(&recorder->mutex);
    pthread_join(recorder->thread, NULL);
    pthread_cond_destroy(&recorder->change);
    pthread_mutex_destroy(&recorder->mutex);
    free(recorder->asked);
    free(recorder->folder);
    free(recorder);
}
