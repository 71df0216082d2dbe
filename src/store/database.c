/* The file of the SQLite store: making, locking, opening and copying it. */
#include "store/sqlite.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_BYTES = 4096 };

void database_fault(sqlite3 *db, const char *what, const char *path, char fault[STORE_FAULT_BYTES])
{
    int code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM;
    snprintf(fault, STORE_FAULT_BYTES, "%.40s %.160s: %.60s (SQLite %d)", what, path,
             db ? sqlite3_errmsg(db) : sqlite3_errstr(code), code);
}

static void system_fault(const char *what, const char *path, char fault[STORE_FAULT_BYTES])
{
    snprintf(fault, STORE_FAULT_BYTES, "%s %.200s: %s", what, path, strerror(errno));
}

/* ---- Folders and locks ----------------------------------------------------------------------- */

/* Writes the folder of a path. */
static void folder_of(const char *path, char folder[PATH_BYTES])
{
    const char *slash = strrchr(path, '/');
    if (!slash)
        strcpy(folder, ".");
    else if (slash == path)
        strcpy(folder, "/");
    else
        snprintf(folder, PATH_BYTES, "%.*s", (int)(slash - path), path);
}

/* Syncs a folder, so that new names in it are durable. */
static bool folder_sync(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return false;
    /* EINVAL: a file system that cannot sync folders, and needs no sync. */
    bool is_synced = !fsync(folder) || errno == EINVAL;
    close(folder);
    return is_synced;
}

/* Makes a folder, and those above it, accessible to their owner alone. */
static bool folder_make(const char *path)
{
    struct stat status;
    if (!stat(path, &status))
        return S_ISDIR(status.st_mode) || (errno = ENOTDIR, false);
    char above[PATH_BYTES];
    folder_of(path, above);
    return folder_make(above) && (!mkdir(path, 0700) || errno == EEXIST) && folder_sync(above);
}

/* Says which process has the lock. */
static void locked_fault(int lock, const char *path, char fault[STORE_FAULT_BYTES])
{
    char process[24] = "";
    ssize_t size = pread(lock, process, sizeof process - 1, 0);
    process[size > 0 ? strspn(process, "0123456789") : 0] = '\0';
    snprintf(fault, STORE_FAULT_BYTES, "another server%s%s%s uses %.200s",
             *process ? " (process " : "", process, *process ? ")" : "", path);
}

int database_lock(const char *path, char fault[STORE_FAULT_BYTES])
{
    char folder[PATH_BYTES], name[PATH_BYTES];
    if (strlen(path) + sizeof ".lock" > sizeof name) {
        errno = ENAMETOOLONG;
        system_fault("cannot open", path, fault);
        return -1;
    }
    folder_of(path, folder);
    snprintf(name, sizeof name, "%s.lock", path);
    if (!folder_make(folder)) {
        system_fault("cannot make the folder", folder, fault);
        return -1;
    }
    int lock = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) {
        system_fault("cannot open", name, fault);
        return -1;
    }
    if (flock(lock, LOCK_EX | LOCK_NB)) {
        if (errno == EWOULDBLOCK)
            locked_fault(lock, path, fault);
        else
            system_fault("cannot lock", name, fault);
        close(lock);
        return -1;
    }
    char process[24];
    int size = snprintf(process, sizeof process, "%ld\n", (long)getpid());
    /* Only for the message of locked_fault(), which also works without it. */
    if (ftruncate(lock, 0) || pwrite(lock, process, (size_t)size, 0) != size)
        errno = 0;
    /* Made here because SQLite would let others read it. Its log gets the same permissions. */
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || !folder_sync(folder)) {
        system_fault("cannot open", path, fault);
        if (file >= 0)
            close(file);
        close(lock);
        return -1;
    }
    close(file);
    return lock;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Copies a file with the functions of a VFS, and syncs the copy. */
static int file_copy(sqlite3_vfs *vfs, const char *from, const char *to)
{
    enum { BLOCK = 1 << 16 };
    const char *name[] = {from, to};
    sqlite3_file *file[2] = {sqlite3_malloc(vfs->szOsFile), sqlite3_malloc(vfs->szOsFile)};
    char *block = sqlite3_malloc(BLOCK);
    int rc = file[0] && file[1] && block ? SQLITE_OK : SQLITE_NOMEM;
    for (int i = 0; i < 2; i++) {
        if (file[i])
            memset(file[i], 0, (size_t)vfs->szOsFile);
        int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_WAL | (i ? SQLITE_OPEN_CREATE : 0);
        if (!rc)
            rc = vfs->xOpen(vfs, name[i], file[i], flags, NULL);
    }
    sqlite3_int64 size = 0;
    if (!rc)
        rc = file[0]->pMethods->xFileSize(file[0], &size);
    for (sqlite3_int64 at = 0; !rc && at < size; at += BLOCK) {
        int count = size - at < BLOCK ? (int)(size - at) : BLOCK;
        rc = file[0]->pMethods->xRead(file[0], block, count, at);
        if (!rc)
            rc = file[1]->pMethods->xWrite(file[1], block, count, at);
    }
    if (!rc)
        rc = file[1]->pMethods->xSync(file[1], SQLITE_SYNC_NORMAL);
    for (int i = 0; i < 2; i++) {
        if (file[i] && file[i]->pMethods)
            file[i]->pMethods->xClose(file[i]);
        sqlite3_free(file[i]);
    }
    sqlite3_free(block);
    return rc;
}

/* Renames a file durably. Returns false if it may not be durable. */
static bool system_rename(const char *from, const char *to)
{
    char folder[PATH_BYTES];
    folder_of(to, folder);
    return !rename(from, to) && folder_sync(folder);
}

/* Replaces a log that exists by a synced copy of it.
 *
 * SQLite takes everything that it finds in a log for durable. But if the last process was killed
 * between writing and syncing, some of it may only be in the system's cache. And after a failed
 * sync Linux treats the pages that it could not write as written: later syncs succeed without them.
 * In both cases a power cut could undo a move that clients were told of, or leave a hole in the log
 * that hides everything after it. A copy, because overwriting a durable log would put it at risk.
 */
static int log_copy(const struct store_sqlite_options *options)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(options->vfs);
    if (!vfs)
        return SQLITE_ERROR;
    char *full = sqlite3_malloc(vfs->mxPathname + 1);
    char *log = NULL, *copy = NULL;
    int there = 0, rc = full ? SQLITE_OK : SQLITE_NOMEM;
    if (!rc)
        rc = vfs->xFullPathname(vfs, options->path, vfs->mxPathname + 1, full) & ~SQLITE_OK_SYMLINK;
    if (!rc) {
        char *name = sqlite3_mprintf("%s-wal", full), *other = sqlite3_mprintf("%s-new", name);
        /* xOpen needs names in this form. */
        log = name ? (char *)sqlite3_create_filename(name, "", name, 0, NULL) : NULL;
        copy = other ? (char *)sqlite3_create_filename(other, "", other, 0, NULL) : NULL;
        sqlite3_free(name);
        sqlite3_free(other);
        rc = log && copy ? vfs->xAccess(vfs, log, SQLITE_ACCESS_EXISTS, &there) : SQLITE_NOMEM;
    }
    if (!rc && there) {
        rc = vfs->xDelete(vfs, copy, 0); /* an unfinished one */
        if (rc == SQLITE_IOERR_DELETE_NOENT)
            rc = SQLITE_OK;
        if (!rc) {
            rc = file_copy(vfs, log, copy);
            if (rc)
                vfs->xDelete(vfs, copy, 0); /* if the disk is full, leave it no fuller */
        }
        if (!rc && !(options->rename ? options->rename : system_rename)(copy, log))
            rc = SQLITE_IOERR_DIR_FSYNC;
    }
    sqlite3_free_filename(log);
    sqlite3_free_filename(copy);
    sqlite3_free(full);
    return rc;
}

/* Sets the options of a connection, which SQLite does not store. */
static bool configure(sqlite3 *db, const struct store_sqlite_options *options)
{
    char sql[300];
    sqlite3_extended_result_codes(db, 1);
    sqlite3_busy_timeout(db, 1000); /* an operator may look at it with another program */
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    snprintf(sql, sizeof sql,
             "PRAGMA synchronous = %s;"
             "PRAGMA mmap_size = 0;"
             "PRAGMA cache_size = %d;"
             "PRAGMA temp_store = MEMORY;"
             "PRAGMA secure_delete = ON;" /* what is deleted is overwritten */
             "PRAGMA journal_size_limit = 67108864;"
             "PRAGMA wal_autocheckpoint = 0", /* sqlite.c does it */
             options->synchronous ? options->synchronous : "FULL",
             options->cache ? options->cache : -16384);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL))
        return false;
    sqlite3_stmt *statement = NULL;
    bool is_log =
        sqlite3_prepare_v2(db, "PRAGMA journal_mode = WAL", -1, &statement, NULL) == SQLITE_OK &&
        sqlite3_step(statement) == SQLITE_ROW &&
        !strcmp((const char *)sqlite3_column_text(statement, 0), "wal");
    return sqlite3_finalize(statement) == SQLITE_OK && is_log;
}

sqlite3 *database_open(const struct store_sqlite_options *options, char fault[STORE_FAULT_BYTES])
{
    int rc = options->keeps_log ? SQLITE_OK : log_copy(options);
    if (rc) {
        snprintf(fault, STORE_FAULT_BYTES, "cannot copy the log of %.200s: %s (SQLite %d)",
                 options->path, sqlite3_errstr(rc), rc);
        return NULL;
    }
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(options->path, &db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX,
                        options->vfs) ||
        !configure(db, options)) {
        database_fault(db, "cannot open", options->path, fault);
    } else if (schema_prepare(db, options->path, fault)) {
        return db;
    }
    sqlite3_close(db);
    return NULL;
}

sqlite3 *database_open_reader(const char *path, char fault[STORE_FAULT_BYTES])
{
    sqlite3 *db = NULL;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL)) {
        database_fault(db, "cannot open", path, fault);
    } else {
        /* Only the writer may move the log into the database. */
        sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        sqlite3_busy_timeout(db, 1000);
        if (schema_check(db, path, fault))
            return db;
    }
    sqlite3_close(db);
    return NULL;
}

/* ---- Copies ---------------------------------------------------------------------------------- */

/* Copies the current contents of the database into the file `part`. Others may write meanwhile. */
static bool vacuum_into(sqlite3 *db, const char *part, char fault[STORE_FAULT_BYTES])
{
    sqlite3_stmt *statement = NULL;
    bool is_done = sqlite3_prepare_v2(db, "VACUUM INTO ?", -1, &statement, NULL) == SQLITE_OK &&
                   sqlite3_bind_text(statement, 1, part, -1, SQLITE_STATIC) == SQLITE_OK &&
                   sqlite3_step(statement) == SQLITE_DONE;
    if (!is_done)
        database_fault(db, "cannot write", part, fault);
    sqlite3_finalize(statement);
    return is_done;
}

/* Makes the copy `part` durable and renames it to `target`, an empty file that we have made. */
static bool rename_durably(const char *part, const char *target, char fault[STORE_FAULT_BYTES])
{
    char folder[PATH_BYTES];
    folder_of(target, folder);
    int file = open(part, O_RDWR | O_CLOEXEC);
    bool is_done = file >= 0 && !fsync(file) && !rename(part, target) && folder_sync(folder);
    if (!is_done)
        system_fault("cannot write", target, fault);
    if (file >= 0)
        close(file);
    return is_done;
}

bool store_backup(const char *path, const char *target, char fault[STORE_FAULT_BYTES])
{
    char part[PATH_BYTES];
    if (strlen(target) + sizeof ".part" > sizeof part) {
        errno = ENAMETOOLONG;
        system_fault("cannot write", target, fault);
        return false;
    }
    snprintf(part, sizeof part, "%s.part", target);
    sqlite3 *db = database_open_reader(path, fault);
    bool is_done = false;
    if (db) {
        /* An empty file takes the name first, so that no existing file is overwritten; the complete
         * copy replaces it. */
        int file = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        int empty = file >= 0 ? open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) : -1;
        if (empty < 0) {
            system_fault("cannot write", file >= 0 ? part : target, fault);
        } else {
            close(empty);
            is_done = vacuum_into(db, part, fault) && rename_durably(part, target, fault);
            if (!is_done)
                unlink(part);
        }
        if (file >= 0) {
            close(file);
            if (!is_done)
                unlink(target);
        }
    }
    sqlite3_close(db);
    return is_done;
}
