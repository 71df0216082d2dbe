/* Serves the page from a folder, for developers. */
#include "server/site.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *site_folder(const char *path)
{
    return realpath(path, NULL);
}

/* Returns true if a resolved name lies within a resolved folder. */
static bool within(const char *folder, const char *name)
{
    size_t size = strlen(folder);
    if (size == 1) /* the root folder */
        return true;
    return strncmp(name, folder, size) == 0 && name[size] == '/';
}

/* Opens a file of the folder; -1 if it cannot be opened, or is outside the folder because of `..`
 * or links. */
static int open_within(const char *folder, const char *path)
{
    char wanted[PATH_MAX], name[PATH_MAX];
    int size = snprintf(wanted, sizeof wanted, "%s/%s", folder, path);
    if (size < 0 || (size_t)size >= sizeof wanted || !realpath(wanted, name) ||
        !within(folder, name))
        return -1;
    /* Non-blocking, since it may be a pipe. */
    return open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

static char *read_all(int file, size_t *size)
{
    struct stat about;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > SITE_FILE_MAX)
        return NULL;
    char *bytes = malloc((size_t)about.st_size + 1);
    size_t used = 0;
    while (bytes && used < (size_t)about.st_size) {
        ssize_t n = read(file, bytes + used, (size_t)about.st_size - used);
        if (n < 0) {
            free(bytes);
            return NULL;
        }
        if (n == 0)
            break; /* the file became shorter */
        used += (size_t)n;
    }
    if (bytes)
        bytes[used] = '\0';
    *size = used;
    return bytes;
}

/* Returns a copy of the text with `word` replaced by `value`, and frees the old text. Returns NULL
 * if that is NULL or memory is short. */
static char *fill_in(char *bytes, size_t *size, const char *word, const char *value)
{
    size_t word_size = strlen(word), value_size = strlen(value), filled_size = *size;
    if (!bytes)
        return NULL;
    char *end = bytes + *size;
    for (const char *at = bytes; (at = memmem(at, (size_t)(end - at), word, word_size));
         at += word_size)
        filled_size += value_size - word_size;
    char *filled = malloc(filled_size + 1);
    char *to = filled, *from = bytes;
    while (filled && from < end) {
        char *next = memmem(from, (size_t)(end - from), word, word_size);
        size_t plain_size = (size_t)((next ? next : end) - from);
        memcpy(to, from, plain_size);
        to += plain_size;
        from += plain_size;
        if (next) {
            memcpy(to, value, value_size);
            to += value_size;
            from += word_size;
        }
    }
    free(bytes);
    *size = filled_size;
    return filled;
}

void *site_read(const struct site *site, const char *path, size_t *size)
{
    int file = open_within(site->folder, path);
    if (file < 0)
        return NULL;
    char *bytes = read_all(file, size);
    close(file);
    if (site_at_root(path)) {
        bytes = fill_in(bytes, size, "@GAMES@", site->games); /* contains versions */
        bytes = fill_in(bytes, size, "@VERSION@", SITE_FOLDER_VERSION);
        bytes = fill_in(bytes, size, "@FILES@",
                        "[]"); /* nothing is cached, so that edits show at once */
    }
    return bytes;
}
