/* Reads and writes files, prints faults, reads records with their maps. */
#include "cli/cli.h"
#include "cli/term_buffer.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_fault(const char *path, const struct es_fault *fault)
{
    char reason[sizeof fault->reason];
    strcpy(reason, fault->reason);
    fprintf(stderr, "%s:%d: %s\n", path, fault->line, term_fold(reason));
    return CLI_BAD_INPUT;
}

/* The reader of standard output has ended, as `head` does. errno may be of an earlier write. */
static bool reader_is_gone(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO};
    return poll(&out, 1, 0) > 0 && out.revents & (POLLERR | POLLHUP);
}

/* Reports that standard output could not be written; `reason` is as in errno, 0: unknown. */
static int not_written(int reason)
{
    if (reader_is_gone())
        return CLI_UNREAD;
    fprintf(stderr, "endstation: cannot write to standard output%s%s\n", reason ? ": " : "",
            reason ? strerror(reason) : "");
    return CLI_BAD_INPUT;
}

int cli_flush(void)
{
    errno = 0;
    return fflush(stdout) == 0 && !ferror(stdout) ? CLI_OK : not_written(errno);
}

void *cli_alloc(size_t size)
{
    void *memory = malloc(size);
    if (!memory) {
        fputs("endstation: out of memory\n", stderr);
        exit(CLI_BAD_INPUT);
    }
    return memory;
}

static void unreadable(struct es_fault *fault)
{
    es_fault_set(fault, 0, ES_UNREADABLE, es_str(""));
    size_t used = strlen(fault->reason);
    snprintf(fault->reason + used, sizeof fault->reason - used, ": %s", strerror(errno));
}

/* Reads a whole file into memory that doubles as needed, since a pipe has no known size. */
static char *read_all(FILE *file, size_t *size, struct es_fault *fault)
{
    char *text = NULL;
    size_t room = 0;
    *size = 0;
    for (;;) {
        if (*size == room) {
            room = room ? room * 2 : 1 << 16;
            char *more = realloc(text, room);
            if (!more)
                break;
            text = more;
        }
        size_t got = fread(text + *size, 1, room - *size, file);
        *size += got;
        if (*size > ES_TEXT_MAX) {
            es_fault_set(fault, 0, ES_TOO_LARGE, es_str(""));
            free(text);
            return NULL;
        }
        if (got == 0 && feof(file))
            return text;
        if (ferror(file))
            break;
    }
    unreadable(fault);
    free(text);
    return NULL;
}

int cli_read_file(const char *path, struct es_str *text)
{
    struct es_fault fault;
    bool standard = strcmp(path, "-") == 0;
    if (standard && feof(stdin)) {
        fputs("-:0: standard input has been read already\n", stderr);
        return CLI_BAD_INPUT;
    }
    FILE *file = standard ? stdin : fopen(path, "rb");
    if (!file) {
        unreadable(&fault);
        return cli_fault(path, &fault);
    }
    text->at = read_all(file, &text->size, &fault);
    if (!standard)
        fclose(file);
    return text->at ? CLI_OK : cli_fault(path, &fault);
}

bool cli_write_all(int file, const void *bytes, size_t size)
{
    const char *rest = bytes;
    while (size > 0) {
        ssize_t done = write(file, rest, size);
        if (done < 0 && errno != EINTR)
            return false;
        if (done > 0) {
            rest += done;
            size -= (size_t)done;
        }
    }
    return fsync(file) == 0 || errno == EINVAL; /* EINVAL: not a file that can be synced */
}

static bool is_plain(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Creates a new file in the folder of `path`; writes its name to `name`. */
static int open_beside(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    for (int i = 0; i < 1000; i++) {
        snprintf(name, size, "%.*s.endstation-%ld-%d", folder, path, (long)getpid(), i);
        int file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* Writes a new file and renames it to `path`, so that readers see the old or the new contents. */
static bool replace_file(const char *path, const void *bytes, size_t size)
{
    char name[PATH_MAX + 64];
    int file = open_beside(path, name, sizeof name);
    if (file < 0)
        return false;
    struct stat old;
    bool good = cli_write_all(file, bytes, size);
    if (good && stat(path, &old) == 0) /* keep the permissions */
        good = fchmod(file, old.st_mode & 0777) == 0;
    good = close(file) == 0 && good && rename(name, path) == 0;
    if (!good) {
        int reason = errno;
        unlink(name);
        errno = reason;
    }
    return good;
}

/* Writes into an existing file, device or pipe, or through a dangling link, without replacing
 * it. */
static bool write_into(const char *path, const void *bytes, size_t size)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    bool good = cli_write_all(file, bytes, size);
    return close(file) == 0 && good;
}

static bool replace_or_overwrite(const char *path, const void *bytes, size_t size)
{
    struct stat about;
    char place[PATH_MAX]; /* the target of links, which stay links */
    if (lstat(path, &about) != 0)
        return errno == ENOENT && replace_file(path, bytes, size);
    if (!realpath(path, place) || !is_plain(place))
        return write_into(path, bytes, size);
    if (access(place, W_OK) != 0)
        return false;
    /* In a folder where no file can be created, an existing one may still be writable. */
    return replace_file(place, bytes, size) ||
           ((errno == EACCES || errno == EPERM || errno == EROFS) &&
            write_into(place, bytes, size));
}

bool cli_ends_in(const char *path, const char *ending)
{
    size_t size = strlen(path), tail = strlen(ending);
    return size > tail && strcmp(path + size - tail, ending) == 0;
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat one, two;
    return stat(a, &one) == 0 && stat(b, &two) == 0 && one.st_dev == two.st_dev &&
           one.st_ino == two.st_ino && S_ISREG(one.st_mode);
}

int cli_write_file(const char *command, const char *path, const void *bytes, size_t size)
{
    if (!path || strcmp(path, "-") == 0) {
        int status = cli_flush();
        if (status == CLI_OK && !cli_write_all(STDOUT_FILENO, bytes, size))
            status = not_written(errno);
        return status;
    }
    if (replace_or_overwrite(path, bytes, size))
        return CLI_OK;
    fprintf(stderr, "endstation %s: cannot write %s: %s\n", command, path, strerror(errno));
    return CLI_BAD_INPUT;
}

int cli_read_map(const char *name, struct es_map *map)
{
    struct es_fault fault;
    struct es_str text = es_builtin_map(es_str(name));
    bool from_file = text.size == 0;
    if (from_file && es_map_id_good(es_str(name)) && access(name, F_OK) != 0) {
        fprintf(stderr,
                "%s:0: neither a built-in sheet ('endstation maps' lists them) nor a file\n", name);
        return CLI_BAD_INPUT;
    }
    if (from_file) {
        int status = cli_read_file(name, &text);
        if (status)
            return status;
    }
    es_status status = es_map_read(map, text, &fault);
    if (from_file)
        free((void *)text.at);
    return status ? cli_fault(name, &fault) : CLI_OK;
}

bool cli_is_built_in(const struct es_map *map)
{
    struct es_fault fault;
    struct es_str text =
        map ? es_builtin_map_named(es_str(map->id), es_str(map->hash)) : es_str("");
    struct es_map *own = cli_alloc(sizeof *own);
    bool same = text.size > 0 && es_map_read(own, text, &fault) == ES_OK &&
                strcmp(own->hash, map->hash) == 0;
    free(own);
    return same;
}

void cli_fold_map(struct es_map *map)
{
    term_fold(map->title);
    for (int s = 0; s < map->stations; s++)
        term_fold(map->station[s].name);
}

void cli_game_alloc(struct cli_game *game)
{
    *game = (struct cli_game){
        .map = cli_alloc(sizeof(struct es_map)),
        .record = {.events = cli_alloc(ES_EVENTS_MAX * sizeof(es_event)),
                   .capacity = ES_EVENTS_MAX},
    };
}

void cli_game_free(struct cli_game *game)
{
    free(game->record.events);
    free(game->map);
    *game = (struct cli_game){0};
}

es_status cli_game_parse(struct cli_game *game, struct es_str text, const struct es_map *own,
                         struct es_fault *fault)
{
    es_status status = es_record_read(&game->record, text, own, game->map, &game->state, fault);
    if (status == ES_OK && game->record.setup.map == own && own) {
        *game->map = *own; /* copied: the caller's does not stay */
        game->record.setup.map = game->map;
    }
    return status;
}

static int read_record(struct cli_game *game, const char *command, const char *path,
                       struct es_str text, const char *map)
{
    struct es_fault fault;
    struct es_map *own = NULL;
    int status = CLI_OK;
    if (map) { /* faults in the header come before faults in the map */
        if (es_record_header(&game->record, text, &fault))
            return cli_fault(path, &fault);
        if (!game->record.setup.game->has_map)
            return cli_usage(command, "--map is not for records of", game->record.setup.game->name);
        own = cli_alloc(sizeof *own);
        status = cli_read_map(map, own);
    }
    if (status == CLI_OK && cli_game_parse(game, text, own, &fault))
        status = cli_fault(path, &fault);
    free(own);
    return status;
}

void cli_game_view(const struct cli_game *game, int viewer, struct es_state *view)
{
    const struct es_record *record = &game->record;
    es_event *scratch = cli_alloc((record->count + 1) * sizeof *scratch);
    es_view(&record->setup, &game->state, record->events, record->count, viewer, scratch, view);
    free(scratch);
}

int cli_game_read_text(struct cli_game *game, const char *command, const char *path,
                       const char *map, struct es_str *text)
{
    *text = (struct es_str){NULL, 0};
    cli_game_alloc(game);
    if (map && strcmp(map, "-") == 0 && strcmp(path, "-") == 0)
        return cli_usage(command, "standard input cannot be both record and map", NULL);
    int status = cli_read_file(path, text);
    return status ? status : read_record(game, command, path, *text, map);
}

int cli_game_read(struct cli_game *game, const char *command, const char *path, const char *map)
{
    struct es_str text;
    int status = cli_game_read_text(game, command, path, map, &text);
    free((void *)text.at);
    return status;
}
