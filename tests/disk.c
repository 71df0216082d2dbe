/* Implementation of disk.h. */
#include "disk.h"
#include <assert.h>
#include <endstation/random.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 8, NAME = 64, PIECE = 512, REGIONS = 16 };

struct bytes {
    uint8_t *at;
    size_t size, room;
};

enum change_kind { CHANGE_CREATE, CHANGE_WRITE, CHANGE_TRUNCATE, CHANGE_DELETE };

struct change {
    enum change_kind kind;
    size_t offset; /* of a truncation: the size */
    size_t size;
    uint8_t *data;
};

struct content {
    bool exists;
    struct bytes bytes;
};

struct disk_file {
    char name[NAME];
    struct content shown;   /* what the system has in memory */
    struct content platter; /* what is on the disk */
    struct change *change;  /* from the platter to what is shown, but for what a sync has lost */
    size_t changes, space;
};

static struct {
    struct es_random random;
    struct disk_file file[FILES];
    enum disk_fault planned, fault;
    uint32_t countdown;
    bool is_off;
    bool is_power; /* it is off because of the power */
    int open;
    void *region[REGIONS]; /* the shared memory of a database's log */
    struct disk_counts counts;
} disk;

static uint32_t below(uint32_t n)
{
    return es_random_below(&disk.random, n);
}

/* ---- Content --------------------------------------------------------------------------------- */

static void bytes_resize(struct bytes *bytes, size_t size)
{
    if (size > bytes->room) {
        bytes->room = size * 2 + 4096;
        bytes->at = realloc(bytes->at, bytes->room);
        assert(bytes->at);
    }
    if (size > bytes->size)
        memset(bytes->at + bytes->size, 0, size - bytes->size);
    bytes->size = size;
}

static void bytes_write(struct bytes *bytes, size_t offset, const void *data, size_t size)
{
    if (offset + size > bytes->size)
        bytes_resize(bytes, offset + size);
    memcpy(bytes->at + offset, data, size);
}

static void bytes_copy(struct bytes *to, const struct bytes *from)
{
    to->size = 0;
    bytes_resize(to, from->size);
    if (from->size)
        memcpy(to->at, from->at, from->size);
}

static void change_apply(struct content *content, const struct change *change)
{
    switch (change->kind) {
    case CHANGE_CREATE:
        content->exists = true;
        bytes_resize(&content->bytes, 0);
        break;
    case CHANGE_WRITE:
        bytes_write(&content->bytes, change->offset, change->data, change->size);
        break;
    case CHANGE_TRUNCATE:
        bytes_resize(&content->bytes, change->offset);
        break;
    case CHANGE_DELETE:
        content->exists = false;
        bytes_resize(&content->bytes, 0);
        break;
    }
}

static void file_change(struct disk_file *file, enum change_kind kind, size_t offset,
                        const void *data, size_t size)
{
    if (file->changes == file->space) {
        file->space = file->space * 2 + 16;
        file->change = realloc(file->change, file->space * sizeof *file->change);
        assert(file->change);
    }
    struct change *change = &file->change[file->changes++];
    *change = (struct change){kind, offset, size, NULL};
    if (size) {
        change->data = malloc(size);
        assert(change->data);
        memcpy(change->data, data, size);
    }
    change_apply(&file->shown, change);
}

static void changes_forget(struct disk_file *file)
{
    for (size_t i = 0; i < file->changes; i++)
        free(file->change[i].data);
    file->changes = 0;
}

static void changes_carry_out(struct disk_file *file)
{
    for (size_t i = 0; i < file->changes; i++)
        change_apply(&file->platter, &file->change[i]);
    changes_forget(file);
}

/* Makes the creation and deletion of files durable. */
static void folder_carry_out(void)
{
    for (int i = 0; i < FILES; i++) {
        struct disk_file *file = &disk.file[i];
        size_t last = file->changes;
        while (last && (file->change[last - 1].kind == CHANGE_WRITE ||
                        file->change[last - 1].kind == CHANGE_TRUNCATE))
            last--;
        for (size_t k = 0; k < last; k++) {
            change_apply(&file->platter, &file->change[k]);
            free(file->change[k].data);
        }
        file->changes -= last;
        if (file->changes)
            memmove(file->change, file->change + last, file->changes * sizeof *file->change);
    }
}

/* Carries out a write in pieces: each with `chance` of 16, whole or not. */
static void write_pieces(struct disk_file *file, const struct change *change, uint32_t chance)
{
    for (size_t done = 0, size; done < change->size; done += size) {
        size_t offset = change->offset + done;
        size = PIECE - offset % PIECE;
        if (size > change->size - done)
            size = change->size - done;
        if (below(16) >= chance) {
            disk.counts.pieces_lost++;
        } else if (below(16)) {
            disk.counts.pieces_kept++;
            bytes_write(&file->platter.bytes, offset, change->data + done, size);
        } else {
            disk.counts.pieces_torn++;
            uint8_t torn[PIECE];
            memcpy(torn, change->data + done, size);
            bool is_garbage = below(2);
            size_t good = below((uint32_t)size + 1);
            for (size_t i = good; i < size && is_garbage; i++)
                torn[i] = (uint8_t)below(256);
            bytes_write(&file->platter.bytes, offset, torn, is_garbage ? size : good);
        }
    }
}

/* Carries out some of the changes and forgets the others. Without `is_power` only writes are
 * forgotten: a file system notes names and sizes in a journal of its own. */
static void changes_scatter(struct disk_file *file, bool is_power)
{
    static const uint32_t chances[] = {0, 4, 8, 12, 15, 16};
    uint32_t chance = chances[below(6)];
    /* Half of the time the first changes are whole, and the rest is chance. */
    size_t whole = below(2) ? 0 : below((uint32_t)file->changes + 1);
    for (size_t i = 0; i < file->changes; i++) {
        const struct change *change = &file->change[i];
        if (i < whole || (!is_power && change->kind != CHANGE_WRITE))
            change_apply(&file->platter, change);
        else if (change->kind == CHANGE_WRITE)
            write_pieces(file, change, file->platter.exists ? chance : 0);
        else if (below(16) < chance)
            change_apply(&file->platter, change);
        else if (change->kind == CHANGE_DELETE)
            break; /* later changes belong to a new file of that name, which is lost */
    }
    changes_forget(file);
}

static struct disk_file *file_find(const char *name, bool is_wanted)
{
    struct disk_file *unused = NULL;
    for (int i = 0; i < FILES; i++) {
        if (!strcmp(disk.file[i].name, name))
            return &disk.file[i];
        if (!disk.file[i].name[0] && !unused)
            unused = &disk.file[i];
    }
    if (!is_wanted)
        return NULL;
    assert(unused && strlen(name) < NAME);
    strcpy(unused->name, name);
    return unused;
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* Counts an operation and returns the fault that it meets. */
static enum disk_fault strike(void)
{
    disk.counts.operations++;
    if (disk.planned != DISK_FINE && disk.countdown-- == 0) {
        disk.fault = disk.planned;
        disk.planned = DISK_FINE;
        if (disk.fault == DISK_POWER || disk.fault == DISK_KILL) {
            disk.counts.struck[disk.fault]++;
            disk_stop(disk.fault);
        }
    }
    return disk.is_off ? DISK_BROKEN : disk.fault;
}

/* Returns true if this fault hits an operation of a kind that it can hit. */
static bool is_struck(enum disk_fault fault, bool can_hit)
{
    if (disk.is_off)
        return true;
    if (fault == DISK_FINE || !can_hit)
        return false;
    disk.counts.struck[fault]++;
    if (fault == DISK_ERROR || fault == DISK_SYNC)
        disk.fault = DISK_FINE;
    return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

struct handle {
    sqlite3_file base;
    struct disk_file *file;
    bool is_deleted_at_end;
    bool syncs_folder; /* with its next sync, as SQLite's own VFS does for journals and logs */
};

static int file_close(sqlite3_file *base)
{
    struct handle *handle = (struct handle *)base;
    if (handle->is_deleted_at_end && !disk.is_off)
        file_change(handle->file, CHANGE_DELETE, 0, NULL, 0);
    disk.open--;
    return SQLITE_OK;
}

static int file_read(sqlite3_file *base, void *to, int size, sqlite3_int64 offset)
{
    const struct bytes *bytes = &((struct handle *)base)->file->shown.bytes;
    if (disk.is_off)
        return SQLITE_IOERR_READ;
    if (disk.fault == DISK_ERROR && !below(4) && is_struck(DISK_ERROR, true))
        return SQLITE_IOERR_READ;
    size_t at = (size_t)offset, there = at < bytes->size ? bytes->size - at : 0;
    if (there > (size_t)size)
        there = (size_t)size;
    if (there)
        memcpy(to, bytes->at + at, there);
    memset((char *)to + there, 0, (size_t)size - there);
    return there == (size_t)size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *base, const void *from, int size, sqlite3_int64 offset)
{
    struct disk_file *file = ((struct handle *)base)->file;
    size_t count = (size_t)size, end = (size_t)offset + count;
    enum disk_fault fault = strike();
    bool is_growing = end > file->shown.bytes.size;
    if (!is_struck(fault, fault != DISK_SYNC && (fault != DISK_FULL || is_growing))) {
        file_change(file, CHANGE_WRITE, (size_t)offset, from, count);
        return SQLITE_OK;
    }
    if (disk.is_off)
        return SQLITE_IOERR_WRITE;
    if (fault == DISK_FULL && file->shown.bytes.size > (size_t)offset)
        count = file->shown.bytes.size - (size_t)offset;
    else
        count = fault == DISK_ERROR ? below((uint32_t)size) : 0;
    if (count)
        file_change(file, CHANGE_WRITE, (size_t)offset, from, count);
    return fault == DISK_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

static int file_truncate(sqlite3_file *base, sqlite3_int64 size)
{
    enum disk_fault fault = strike();
    if (is_struck(fault, fault != DISK_SYNC && fault != DISK_FULL))
        return SQLITE_IOERR_TRUNCATE;
    file_change(((struct handle *)base)->file, CHANGE_TRUNCATE, (size_t)size, NULL, 0);
    return SQLITE_OK;
}

static int file_sync(sqlite3_file *base, int flags)
{
    (void)flags;
    struct handle *handle = (struct handle *)base;
    struct disk_file *file = handle->file;
    enum disk_fault fault = strike();
    if (!is_struck(fault, fault != DISK_FULL)) {
        if (handle->syncs_folder)
            folder_carry_out();
        handle->syncs_folder = false;
        changes_carry_out(file);
        return SQLITE_OK;
    }
    if (!disk.is_off)
        changes_scatter(file, false);
    return SQLITE_IOERR_FSYNC;
}

static int file_size(sqlite3_file *base, sqlite3_int64 *size)
{
    if (disk.is_off)
        return SQLITE_IOERR_FSTAT;
    *size = (sqlite3_int64)((struct handle *)base)->file->shown.bytes.size;
    return SQLITE_OK;
}

/* There is one connection at a time, so nobody has to wait for a lock. */
static int file_lock(sqlite3_file *base, int level)
{
    (void)base;
    (void)level;
    return SQLITE_OK;
}

static int file_is_reserved(sqlite3_file *base, int *result)
{
    (void)base;
    *result = 0;
    return SQLITE_OK;
}

static int file_control(sqlite3_file *base, int operation, void *argument)
{
    (void)base;
    (void)operation;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *base)
{
    (void)base;
    return 4096;
}

/* As SQLite takes real disks to be: a write does not damage what is beside it. */
static int file_promises(sqlite3_file *base)
{
    (void)base;
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

static int shared_map(sqlite3_file *base, int number, int size, int extend, void volatile **at)
{
    (void)base;
    assert(number < REGIONS);
    if (!disk.region[number] && extend) {
        disk.region[number] = calloc(1, (size_t)size);
        assert(disk.region[number]);
    }
    *at = disk.region[number];
    return SQLITE_OK;
}

static int shared_lock(sqlite3_file *base, int offset, int count, int flags)
{
    (void)base;
    (void)offset;
    (void)count;
    (void)flags;
    return SQLITE_OK;
}

static void shared_barrier(sqlite3_file *base)
{
    (void)base;
}

static int shared_unmap(sqlite3_file *base, int is_deleted)
{
    (void)base;
    (void)is_deleted;
    for (int i = 0; i < REGIONS; i++) {
        free(disk.region[i]);
        disk.region[i] = NULL;
    }
    return SQLITE_OK;
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_lock,
    .xCheckReservedLock = file_is_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_promises,
    .xShmMap = shared_map,
    .xShmLock = shared_lock,
    .xShmBarrier = shared_barrier,
    .xShmUnmap = shared_unmap,
};

/* ---- The VFS --------------------------------------------------------------------------------- */

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out)
{
    (void)vfs;
    struct handle *handle = (struct handle *)base;
    *handle = (struct handle){0};
    enum disk_fault fault = strike();
    struct disk_file *file = name ? file_find(name, false) : NULL;
    bool is_there = file && file->shown.exists;
    if (is_struck(fault, fault != DISK_SYNC && fault != DISK_READ_ONLY &&
                             (fault != DISK_FULL || !is_there)))
        return SQLITE_CANTOPEN;
    if (fault == DISK_READ_ONLY && flags & SQLITE_OPEN_READWRITE) {
        disk.counts.struck[fault]++;
        flags &= ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
        flags |= SQLITE_OPEN_READONLY;
    }
    assert(name); /* temporary files are in memory */
    if (!is_there) {
        if (!(flags & SQLITE_OPEN_CREATE))
            return SQLITE_CANTOPEN;
        file = file_find(name, true);
        file_change(file, CHANGE_CREATE, 0, NULL, 0);
    }
    handle->base.pMethods = &methods;
    handle->file = file;
    handle->syncs_folder =
        flags & SQLITE_OPEN_CREATE && flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL);
    handle->is_deleted_at_end = flags & SQLITE_OPEN_DELETEONCLOSE;
    disk.open++;
    if (out)
        *out = flags;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int is_synced)
{
    (void)vfs;
    enum disk_fault fault = strike();
    struct disk_file *file = file_find(name, false);
    if (is_struck(fault, fault != DISK_SYNC && fault != DISK_FULL))
        return SQLITE_IOERR_DELETE;
    if (!file || !file->shown.exists)
        return SQLITE_IOERR_DELETE_NOENT;
    file_change(file, CHANGE_DELETE, 0, NULL, 0);
    if (is_synced)
        folder_carry_out();
    return SQLITE_OK;
}

static int vfs_access(sqlite3_vfs *vfs, const char *name, int flags, int *result)
{
    (void)vfs;
    (void)flags;
    if (disk.is_off)
        return SQLITE_IOERR_ACCESS;
    const struct disk_file *file = file_find(name, false);
    /* As the system's: an empty file counts as none. */
    *result =
        file && file->shown.exists && (flags != SQLITE_ACCESS_EXISTS || file->shown.bytes.size > 0);
    return SQLITE_OK;
}

static int vfs_path(sqlite3_vfs *vfs, const char *name, int size, char *to)
{
    (void)vfs;
    snprintf(to, (size_t)size, "%s", name);
    return SQLITE_OK;
}

static int vfs_random(sqlite3_vfs *vfs, int size, char *to)
{
    (void)vfs;
    for (int i = 0; i < size; i++)
        to[i] = (char)below(256);
    return size;
}

static int vfs_sleep(sqlite3_vfs *vfs, int microseconds)
{
    (void)vfs;
    return microseconds;
}

static int vfs_time(sqlite3_vfs *vfs, sqlite3_int64 *now)
{
    (void)vfs;
    *now = INT64_C(212000000000000);
    return SQLITE_OK;
}

static int vfs_error(sqlite3_vfs *vfs, int size, char *to)
{
    (void)vfs;
    (void)size;
    (void)to;
    return 0;
}

static sqlite3_vfs vfs = {
    .iVersion = 2,
    .szOsFile = sizeof(struct handle),
    .mxPathname = NAME - 1,
    .zName = "disk",
    .xOpen = vfs_open,
    .xDelete = vfs_delete,
    .xAccess = vfs_access,
    .xFullPathname = vfs_path,
    .xRandomness = vfs_random,
    .xSleep = vfs_sleep,
    .xGetLastError = vfs_error,
    .xCurrentTimeInt64 = vfs_time,
};

/* ---- The disk -------------------------------------------------------------------------------- */

void disk_free(void)
{
    assert(!disk.open);
    for (int i = 0; i < FILES; i++) {
        struct disk_file *file = &disk.file[i];
        changes_forget(file);
        free(file->change);
        free(file->shown.bytes.at);
        free(file->platter.bytes.at);
        *file = (struct disk_file){0};
    }
    shared_unmap(NULL, 1);
}

void disk_format(uint64_t seed)
{
    disk_free();
    disk.planned = disk.fault = DISK_FINE;
    disk.is_off = false;
    disk.counts = (struct disk_counts){0};
    es_random_seed(&disk.random, seed);
    sqlite3_vfs_register(&vfs, 0);
}

void disk_plan(enum disk_fault fault, uint32_t operation)
{
    disk.planned = fault;
    disk.countdown = operation;
}

bool disk_is_off(void)
{
    return disk.is_off;
}

void disk_stop(enum disk_fault fault)
{
    if (disk.is_off)
        return;
    disk.is_off = true;
    disk.is_power = fault == DISK_POWER;
}

void disk_restart(void)
{
    assert(!disk.open);
    shared_unmap(NULL, 1);
    for (int i = 0; i < FILES && disk.is_off && disk.is_power; i++) {
        struct disk_file *file = &disk.file[i];
        changes_scatter(file, true);
        file->shown.exists = file->platter.exists;
        bytes_copy(&file->shown.bytes, &file->platter.bytes);
    }
    disk.is_off = false;
    disk_mend();
}

void disk_mend(void)
{
    disk.planned = disk.fault = DISK_FINE;
}

bool disk_rename(const char *from, const char *to)
{
    struct disk_file *old = file_find(to, true), *new = file_find(from, false);
    bool was_off = disk.is_off;
    enum disk_fault fault = strike();
    bool is_done = !is_struck(fault, fault != DISK_FULL);
    assert(new &&new->shown.exists);
    if (is_done || (disk.is_off && !was_off && below(2))) {
        folder_carry_out();
        changes_forget(old);
        old->shown.exists = old->platter.exists = true;
        bytes_copy(&old->shown.bytes, &new->shown.bytes);
        bytes_copy(&old->platter.bytes, &new->platter.bytes);
        changes_forget(new);
        new->shown.exists = new->platter.exists = false;
        bytes_resize(&new->shown.bytes, 0);
        bytes_resize(&new->platter.bytes, 0);
    }
    return is_done;
}

const struct disk_counts *disk_counts(void)
{
    return &disk.counts;
}
