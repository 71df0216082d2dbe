/* The file of the SQLite store: making, locking, opening, checking and copying it. */
#include "store/sqlite.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    PATH_BYTES = 4096,
    FULL_BYTES = 64 << 10, /* a disk with less space is full: the log's index needs half of that */
};

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

/* Returns true if a file system has no space left; SQLite often calls that an I/O error. */
static bool is_full(const char *path)
{
    struct statvfs status;
    char folder[PATH_BYTES];
    folder_of(path, folder);
    return statvfs(folder, &status) == 0 && status.f_bavail * status.f_frsize < FULL_BYTES;
}

void database_fault(sqlite3 *db, const char *what, const char *path, char fault[STORE_FAULT_BYTES])
{
    int code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM, kind = code & 0xff;
    const char *why = db ? sqlite3_errmsg(db) : sqlite3_errstr(code);
    if (kind == SQLITE_FULL || (kind == SQLITE_IOERR && is_full(path)))
        why = "the disk is full; make space, and try again";
    snprintf(fault, STORE_FAULT_BYTES, "%.40s %.160s: %.60s (SQLite %d)", what, path, why, code);
}

static void system_fault(const char *what, const char *path, char fault[STORE_FAULT_BYTES])
{
    snprintf(fault, STORE_FAULT_BYTES, "%s %.200s: %s", what, path, strerror(errno));
}

/* ---- Folders and locks ----------------------------------------------------------------------- */

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

void database_unlock(int lock[DATABASE_LOCKS])
{
    for (int i = 0; i < DATABASE_LOCKS; i++)
        if (lock[i] >= 0)
            close(lock[i]);
    lock[0] = lock[1] = -1;
}

bool database_is_there(const char *path, struct database_files *files)
{
    char log[PATH_BYTES + 8];
    snprintf(log, sizeof log, "%s-wal", path);
    const char *name[] = {path, log};
    bool is_there = true;
    for (int i = 0; i < 2; i++) {
        struct database_file *file = &files->file[i];
        struct stat status;
        bool is_found = stat(name[i], &status) == 0;
        if (is_found && !file->number)
            *file = (struct database_file){status.st_dev, status.st_ino};
        else if (file->number)
            is_there &= is_found && file->device == status.st_dev && file->number == status.st_ino;
    }
    return is_there;
}

/* Takes a name for the database that does not depend on its files: a socket that is in no folder.
 * So nobody makes a new database in the place of one whose folder was removed while a server still
 * has it open. It is named after the folder above, which is still there. Returns the socket; -1
 * with the reason in `fault` if another server has the name; -2 if there can be no such name. */
static int take_name(const char *path, char fault[STORE_FAULT_BYTES])
{
    char folder[PATH_BYTES], real[PATH_BYTES], above[PATH_BYTES], text[2 * PATH_BYTES + 60];
    struct stat status;
    folder_of(path, folder);
    if (!realpath(folder, real))
        return -2;
    folder_of(real, above);
    if (stat(above, &status) != 0)
        return -2;
    snprintf(text, sizeof text, "%llu %llu %s %s", (unsigned long long)status.st_dev,
             (unsigned long long)status.st_ino, strrchr(real, '/'), path + strlen(folder));
    struct es_sha256 sha;
    uint8_t hash[ES_SHA256_BYTES];
    es_sha256_init(&sha);
    es_sha256_update(&sha, text, strlen(text));
    es_sha256_final(&sha, hash);
    /* The first byte is 0: a name in no folder. */
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct es_out out = {name.sun_path + 1, sizeof name.sun_path - 1, 0};
    es_out_text(&out, "endstation ");
    es_out_hex(&out, hash, sizeof hash);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + out.used);
    int file = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0 ||
        (bind(file, (const struct sockaddr *)&name, size) == 0 && listen(file, SOMAXCONN) == 0))
        return file < 0 ? -2 : file;
    struct ucred owner = {.uid = (uid_t)-1};
    socklen_t owner_size = sizeof owner;
    bool is_used = errno == EADDRINUSE &&
                   connect(file, (const struct sockaddr *)&name, size) == 0 &&
                   getsockopt(file, SOL_SOCKET, SO_PEERCRED, &owner, &owner_size) == 0 &&
                   (owner.uid == geteuid() || owner.uid == 0);
    close(file);
    if (!is_used) /* nobody else is to keep a server from starting */
        return -2;
    snprintf(fault, STORE_FAULT_BYTES,
             "another server (process %ld) uses %.160s, which was removed while it runs: stop that "
             "one first",
             (long)owner.pid, path);
    return -1;
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

/* Opens and locks PATH.lock; returns its descriptor, or -1. */
static int lock_file(const char *path, char fault[STORE_FAULT_BYTES])
{
    char name[PATH_BYTES + 8];
    snprintf(name, sizeof name, "%s.lock", path);
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
    return lock;
}

bool database_lock(const char *path, int lock[DATABASE_LOCKS], char fault[STORE_FAULT_BYTES])
{
    char folder[PATH_BYTES];
    lock[0] = lock[1] = -1;
    if (strlen(path) >= PATH_BYTES) {
        errno = ENAMETOOLONG;
        system_fault("cannot open", path, fault);
        return false;
    }
    folder_of(path, folder);
    if (!folder_make(folder)) {
        system_fault("cannot make the folder", folder, fault);
        return false;
    }
    lock[0] = lock_file(path, fault);
    if (lock[0] >= 0)
        lock[1] = take_name(path, fault);
    if (lock[0] < 0 || lock[1] == -1) {
        database_unlock(lock);
        return false;
    }
    /* Made here because SQLite would let others read it. Its log gets the same permissions. */
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || !folder_sync(folder)) {
        system_fault("cannot open", path, fault);
        database_unlock(lock);
    }
    if (file >= 0)
        close(file);
    return lock[0] >= 0;
}

void database_unmake(const char *path)
{
    struct stat about;
    if (stat(path, &about) == 0 && about.st_size == 0)
        unlink(path);
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
        bool no_space = (rc & 0xff) == SQLITE_FULL;
        snprintf(fault, STORE_FAULT_BYTES, "cannot copy the log of %.160s: %s (SQLite %d)",
                 options->path,
                 no_space ? "the disk is full; make space, and try again" : sqlite3_errstr(rc), rc);
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

/* ---- Damage ---------------------------------------------------------------------------------- */

/* Calls `found` for each row of a statement, except `ok`. */
static bool look_for(sqlite3 *db, const char *sql, void (*found)(void *context, const char *what),
                     void *context)
{
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    for (; rc == SQLITE_OK || rc == SQLITE_ROW; rc = sqlite3_step(statement)) {
        const char *what =
            rc == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (what && strcmp(what, "ok") != 0)
            found(context, what);
    }
    sqlite3_finalize(statement);
    return rc == SQLITE_DONE;
}

#define LOST(what, rows)                                                                           \
    "SELECT n || ' " what "' FROM (SELECT count(*) AS n FROM " rows ") WHERE n > 0"

bool store_integrity(const char *path, void (*found)(void *context, const char *what),
                     void *context, char fault[STORE_FAULT_BYTES])
{
    static const char *const looks[] = {
        "PRAGMA integrity_check",
        LOST("entries of no room", "entry WHERE room NOT IN (SELECT n FROM room)"),
        LOST("people of no room", "person WHERE room NOT IN (SELECT n FROM room)"),
        LOST("devices of no guest", "device WHERE guest NOT IN (SELECT id FROM guest)"),
        LOST("tickets of no guest", "ticket WHERE guest NOT IN (SELECT id FROM guest)"),
    };
    sqlite3 *db = database_open_reader(path, fault);
    bool is_read = db != NULL;
    for (size_t i = 0; is_read && i < sizeof looks / sizeof *looks; i++)
        if (!look_for(db, looks[i], found, context)) {
            database_fault(db, "cannot read", path, fault);
            is_read = false;
        }
    sqlite3_close(db);
    return is_read;
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
        database_fault(db, "cannot copy the database to", part, fault);
    sqlite3_finalize(statement);
    return is_done;
}

/* Gives the copy `part` its name, which must be free, and makes both durable. */
static bool name_durably(const char *part, const char *target, const char *folder,
                         char fault[STORE_FAULT_BYTES])
{
    int file = open(part, O_RDWR | O_CLOEXEC);
    bool is_done = file >= 0 && fsync(file) == 0;
    if (is_done && renameat2(AT_FDCWD, part, AT_FDCWD, target, RENAME_NOREPLACE) != 0)
        /* Some file systems cannot do that. */
        is_done = errno != EEXIST && link(part, target) == 0 && unlink(part) == 0;
    is_done = is_done && folder_sync(folder);
    if (!is_done)
        system_fault("cannot write", target, fault);
    if (file >= 0)
        close(file);
    return is_done;
}

/* Opens a file that a backup is written to, and locks it while that goes on. Returns -1 if another
 * backup has it, or it cannot be opened. */
static int open_part(const char *part, int flags)
{
    int file = open(part, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0) {
        close(file);
        file = -1;
    }
    return file;
}

/* Removes a copy that is not complete, with SQLite's journal of it. */
static void remove_part(const char *part)
{
    char journal[PATH_BYTES + 320];
    snprintf(journal, sizeof journal, "%s-journal", part);
    unlink(journal);
    unlink(part);
}

void store_backup_clean(const char *folder)
{
    DIR *list = opendir(folder);
    char part[PATH_BYTES + 300];
    for (const struct dirent *one; list && (one = readdir(list));) {
        const char *end = strstr(one->d_name, ".part");
        if (strncmp(one->d_name, STORE_PART, strlen(STORE_PART)) != 0 || !end ||
            (strcmp(end, ".part") != 0 && strcmp(end, ".part-journal") != 0))
            continue;
        snprintf(part, sizeof part, "%s/%.*s", folder, (int)(end - one->d_name) + 5, one->d_name);
        int file = open_part(part, 0);
        if (file >= 0 || access(part, F_OK) != 0)
            remove_part(part);
        if (file >= 0)
            close(file);
    }
    if (list)
        closedir(list);
}

/* Opens a database that no server has open and whose log is empty, without the files beside it that
 * need space. Sets the lock that keeps servers away meanwhile. Returns NULL if it is not so. */
static sqlite3 *open_alone(const char *path, int *lock)
{
    char name[PATH_BYTES + 8], from[3 * PATH_BYTES + 40];
    struct stat status;
    struct es_out out = {from, sizeof from, 0};
    snprintf(name, sizeof name, "%s.lock", path);
    *lock = open(name, O_RDWR | O_CLOEXEC);
    snprintf(name, sizeof name, "%s-wal", path);
    if (*lock < 0 || flock(*lock, LOCK_EX | LOCK_NB) != 0 ||
        (stat(name, &status) == 0 && status.st_size > 0))
        return NULL;
    es_out_text(&out, "file:");
    for (const char *at = path; *at; at++) {
        const uint8_t byte = (uint8_t)*at;
        bool is_plain = strchr("?#%", *at) == NULL;
        es_out_char(&out, is_plain ? *at : '%');
        if (!is_plain)
            es_out_hex(&out, &byte, 1);
    }
    es_out_text(&out, "?immutable=1");
    from[out.used] = 0;
    sqlite3 *db = NULL;
    char fault[STORE_FAULT_BYTES];
    if (sqlite3_open_v2(from, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI,
                        NULL) == SQLITE_OK &&
        schema_check(db, path, fault))
        return db;
    sqlite3_close(db);
    return NULL;
}

bool store_backup(const char *path, const char *target, void (*begins)(const char *part),
                  char fault[STORE_FAULT_BYTES])
{
    char folder[PATH_BYTES], part[PATH_BYTES + 60];
    if (strlen(target) >= sizeof folder) {
        errno = ENAMETOOLONG;
        system_fault("cannot write", target, fault);
        return false;
    }
    if (access(target, F_OK) == 0) { /* not only at the end */
        errno = EEXIST;
        system_fault("cannot write", target, fault);
        return false;
    }
    folder_of(target, folder);
    snprintf(part, sizeof part, "%s/" STORE_PART "%ld.part", folder, (long)getpid());
    sqlite3 *db = database_open_reader(path, fault);
    bool is_done = false;
    int lock = -1;
    if (!db && is_full(path))
        db = open_alone(path, &lock);
    if (db) {
        store_backup_clean(folder);
        if (begins)
            begins(part);
        int file = open_part(part, O_CREAT | O_EXCL);
        if (file < 0)
            system_fault("cannot write", part, fault);
        else
            is_done = vacuum_into(db, part, fault) && name_durably(part, target, folder, fault);
        if (file >= 0 && !is_done)
            remove_part(part);
        if (file >= 0)
            close(file);
    }
    sqlite3_close(db);
    if (lock >= 0)
        close(lock);
    return is_done;
}
