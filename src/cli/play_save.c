/* Implementation of play_save.h. */
#include "cli/play_save.h"
#include "cli/screen.h"
#include "server/data.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char ending[] = ".record";

static int failed(const struct play_save *save)
{
    int reason = errno;
    screen_wipe();
    fflush(stdout);
    fprintf(stderr, "endstation play: cannot save to %s: %s%s\n", save->path, strerror(reason),
            save->is_chosen ? "; name a FILE to save it in: 'play FILE'" : "");
    return CLI_BAD_INPUT;
}

/* ---- Finding a path ------------------------------------------------------------------------ */

/* Writes the folder of games without a path; `.` where there is no home. */
static void find_folder(char folder[PATH_MAX])
{
    char *found = data_folder(NULL);
    snprintf(folder, PATH_MAX, "%s", found ? found : ".");
    free(found);
}

/* Writes `path` with a number before its ending: game.record becomes game-2.record. */
static bool number_path(const char *path, int number, char numbered[PATH_MAX])
{
    int size = (int)strlen(path), tail = cli_ends_in(path, ending) ? (int)strlen(ending) : 0;
    int used =
        snprintf(numbered, PATH_MAX, "%.*s-%d%s", size - tail, path, number, path + size - tail);
    return used > 0 && used < PATH_MAX;
}

void play_save_choose(struct play_save *save, const struct es_game *game)
{
    char folder[PATH_MAX], first[PATH_MAX], name[80], stamp[32];
    time_t now = time(NULL);
    save->is_chosen = true;
    find_folder(folder);
    data_make(folder, 0755); /* if this fails, saving reports it */
    strftime(stamp, sizeof stamp, "%Y-%m-%d-%H%M%S", localtime(&now));
    snprintf(name, sizeof name, "%.40s-%s%s", game->name, stamp, ending);
    if (!data_path(folder, name, first))
        first[0] = '\0'; /* likewise */
    strcpy(save->path, first);
    for (int i = 2; access(save->path, F_OK) == 0; i++) /* two games within a second */
        if (!number_path(first, i, save->path))
            break;
}

static bool is_over(const struct cli_game *game)
{
    const struct es_setup *setup = &game->record.setup;
    return setup->game->turn(setup, &game->state).kind == ES_TURN_OVER;
}

struct found {
    struct timespec changed;
    char name[NAME_MAX + 1];
};

/* Orders files by time, the latest first; those of one moment by name, the last first. */
static int compare(const void *one, const void *other)
{
    const struct found *a = one, *b = other;
    if (a->changed.tv_sec != b->changed.tv_sec)
        return a->changed.tv_sec < b->changed.tv_sec ? 1 : -1;
    if (a->changed.tv_nsec != b->changed.tv_nsec)
        return a->changed.tv_nsec < b->changed.tv_nsec ? 1 : -1;
    return strcmp(b->name, a->name);
}

static int is_record(const struct dirent *entry)
{
    return cli_ends_in(entry->d_name, ending);
}

/* Lists the records of a folder, the latest first. Free the list. */
static struct found *list_records(const char *folder, size_t *count)
{
    struct dirent **entries = NULL;
    int most = scandir(folder, &entries, is_record, NULL);
    struct found *list = most > 0 ? cli_alloc((size_t)most * sizeof *list) : NULL;
    *count = 0;
    for (int i = 0; i < most; i++) {
        char path[PATH_MAX];
        struct stat about;
        if (data_path(folder, entries[i]->d_name, path) && stat(path, &about) == 0 &&
            S_ISREG(about.st_mode)) {
            list[*count].changed = about.st_mtim;
            strcpy(list[(*count)++].name, entries[i]->d_name);
        }
        free(entries[i]);
    }
    free(entries);
    if (*count > 0)
        qsort(list, *count, sizeof *list, compare);
    return list;
}

/* Reads --map alone, so that a fault in it is reported once and not for every record. */
static int check_map(const char *name)
{
    struct es_map *map = cli_alloc(sizeof *map);
    int status = cli_read_map(name, map);
    free(map);
    return status;
}

int play_save_latest(struct play_save *save, const char *map)
{
    char folder[PATH_MAX];
    size_t count;
    bool is_found = false, is_skipped = false;
    if (map && check_map(map))
        return CLI_BAD_INPUT;
    find_folder(folder);
    struct found *list = list_records(folder, &count);
    for (size_t i = 0; i < count && !is_found; i++) {
        struct cli_game game;
        bool fits = data_path(folder, list[i].name, save->path);
        assert(fits); /* it did when it was listed */
        int status = cli_game_read(&game, "play", save->path, map);
        if (status) { /* the reason has been printed */
            fprintf(stderr, "endstation play: skipping %s\n", save->path);
            is_skipped = true;
        }
        is_found = status == CLI_OK && !is_over(&game);
        cli_game_free(&game);
    }
    free(list);
    if (is_found)
        return CLI_OK;
    fprintf(stderr, "endstation play: %s has no%s game to continue%s\n", folder,
            is_skipped ? " other" : "",
            is_skipped ? "; games on a sheet of your own need --map" : "");
    return CLI_BAD_INPUT;
}

/* ---- The file ------------------------------------------------------------------------------ */

/* Returns true if the path still names the file that is open. */
static bool is_named(const struct play_save *save)
{
    struct stat locked, named;
    return fstat(save->file, &locked) == 0 && stat(save->path, &named) == 0 &&
           locked.st_dev == named.st_dev && locked.st_ino == named.st_ino;
}

/* Returns true if that file also holds what this process has left there, and nothing else: not
 * every program heeds the lock, and a time or a size alone would not tell. */
static bool is_same(const struct play_save *save)
{
    struct stat about;
    if (!is_named(save) || fstat(save->file, &about) != 0 || about.st_size != (off_t)save->size)
        return false;
    char *found = cli_alloc(save->size + 1);
    bool same = pread(save->file, found, save->size, 0) == (ssize_t)save->size &&
                memcmp(found, save->text, save->size) == 0;
    free(found);
    return same;
}

/* Remembers what the file holds: `text` after the first `before` bytes that it held. */
static void remember(struct play_save *save, size_t before, const char *text, size_t size)
{
    char *all = cli_alloc(before + size + 1);
    memcpy(all, save->text ? save->text : "", before);
    memcpy(all + before, text, size);
    free(save->text);
    save->text = all;
    save->size = before + size;
}

/* Opens the file for the whole game and locks it. */
static int open_file(struct play_save *save, int flags)
{
    save->file = open(save->path, flags | O_RDWR | O_APPEND | O_CLOEXEC, 0644);
    if (save->file < 0)
        return failed(save);
    /* A process that changed the seats may have replaced the file just before our lock: then the
     * file locked here no longer has this name. */
    if (flock(save->file, LOCK_EX | LOCK_NB) == 0 && is_named(save))
        return CLI_OK;
    fprintf(stderr, "endstation play: %s is locked by another process\n", save->path);
    return CLI_BAD_INPUT;
}

static void close_file(struct play_save *save)
{
    if (save->file >= 0)
        close(save->file);
    save->file = -1;
    free(save->text);
    save->text = NULL;
    save->size = 0;
}

/* Appends a text completely or not at all, since half a line would make the record invalid. */
static int append(struct play_save *save, const char *text, size_t size, size_t events)
{
    if (!cli_write_all(save->file, text, size)) {
        int reason = errno;
        if (ftruncate(save->file, (off_t)save->size) != 0)
            fprintf(stderr, "endstation play: %s may end in an incomplete line\n", save->path);
        errno = reason;
        return failed(save);
    }
    remember(save, save->size, text, size);
    save->events = events;
    save->ends_properly = true;
    return CLI_OK;
}

/* Writes the whole record to a file that must be new. */
static int write_new(struct play_save *save, const struct es_record *record)
{
    size_t size = es_record_bytes(record);
    char *text = cli_alloc(size);
    struct es_out out = {text, size, 0};
    es_record_write(record, &out);
    int status = open_file(save, O_CREAT | O_EXCL);
    if (status == CLI_OK) {
        status = append(save, text, out.used, record->count);
        if (status) {
            unlink(save->path);
            close_file(save);
        }
    }
    free(text);
    return status;
}

int play_save_new(struct play_save *save, const struct es_record *record)
{
    save->is_new = true;
    return write_new(save, record);
}

int play_save_resume(struct play_save *save, struct cli_game *game, const char *map)
{
    struct es_str text = {NULL, 0};
    int status = open_file(save, 0);
    if (status == CLI_OK)
        status = cli_game_read_text(game, "play", save->path, map, &text);
    if (status == CLI_OK) {
        save->ends_properly = text.size > 0 && text.at[text.size - 1] == '\n';
        save->events = game->record.count;
        remember(save, 0, text.at, text.size);
    }
    free((void *)text.at);
    return status;
}

/* Writes a record to standard error, when it can be saved nowhere. */
static void show_record(const struct es_record *record)
{
    size_t size = es_record_bytes(record);
    char *text = cli_alloc(size);
    struct es_out out = {text, size, 0};
    es_record_write(record, &out);
    fflush(stdout);
    fputs("Nothing is lost if you copy this record to a file and go on with 'play FILE':\n\n",
          stderr);
    fwrite(text, 1, out.used, stderr);
    free(text);
}

/* Keeps the game in a new file beside the one that is lost, or where games without a path are. */
static int keep_elsewhere(struct play_save *save, const struct es_record *record)
{
    char lost[PATH_MAX];
    bool is_gone = access(save->path, F_OK) != 0;
    strcpy(lost, save->path);
    close_file(save);
    for (int i = 2; number_path(lost, i, save->path) && access(save->path, F_OK) == 0; i++)
        ;
    /* The folder may have gone too. */
    char folder[PATH_MAX];
    strcpy(folder, save->path);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = '\0';
    if (access(slash ? folder : ".", W_OK) != 0)
        play_save_choose(save, record->setup.game);
    int status = write_new(save, record);
    if (status && !save->is_chosen) { /* such as a disk that is full */
        play_save_choose(save, record->setup.game);
        status = write_new(save, record);
    }
    screen_wipe();
    printf("\n%s was %s by another program.\n", lost, is_gone ? "removed" : "changed");
    if (status == CLI_OK)
        printf("The game is now saved in %s\n", save->path);
    else
        show_record(record);
    return status;
}

int play_save_more(struct play_save *save, const struct es_record *record)
{
    size_t size = (record->count - save->events) * (ES_EVENT_BYTES + 1) + 2;
    if (!is_same(save))
        return keep_elsewhere(save, record);
    if (record->count == save->events)
        return CLI_OK;
    char *text = cli_alloc(size);
    struct es_out out = {text, size, 0};
    if (!save->ends_properly)
        es_out_char(&out, '\n');
    if (record->needs_blank_line && save->events == 0)
        es_out_char(&out, '\n');
    for (size_t i = save->events; i < record->count; i++) {
        record->setup.game->format(&record->setup, record->events[i], &out);
        es_out_char(&out, '\n');
    }
    int status = append(save, text, out.used, record->count);
    free(text);
    return status;
}

int play_save_all(struct play_save *save, const struct es_record *record)
{
    if (!is_same(save))
        return keep_elsewhere(save, record);
    size_t size = es_record_bytes(record);
    char *text = cli_alloc(size);
    struct es_out out = {text, size, 0};
    es_record_write(record, &out);
    int status = cli_write_file("play", save->path, text, out.used);
    if (status == CLI_OK) { /* the file was replaced; lock the new one */
        close_file(save);
        status = open_file(save, 0);
        remember(save, 0, text, out.used);
    }
    free(text);
    save->ends_properly = true;
    save->events = record->count;
    return status;
}

static bool has_moves(const struct es_record *record)
{
    for (size_t i = 0; i < record->count; i++)
        if (ES_EVENT_WHO(record->events[i]) != ES_CHANCE)
            return true;
    return false;
}

bool play_save_close(struct play_save *save, const struct es_record *record)
{
    bool stays = !save->is_new || has_moves(record);
    if (save->file >= 0 && !stays && is_same(save))
        unlink(save->path);
    close_file(save);
    return stays;
}
