/* The folder in which a server keeps its data. */
#include "server/data.h"
#include "store/store.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *data_folder(const char *wanted)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char path[PATH_MAX];
    int size = 0;
    if (wanted && *wanted)
        return strdup(wanted);
    if (data && *data == '/') /* XDG: relative paths are to be ignored */
        size = snprintf(path, sizeof path, "%s/endstation", data);
    else if (home && *home)
        size = snprintf(path, sizeof path, "%s/.local/share/endstation", home);
    return size > 0 && size < (int)sizeof path ? strdup(path) : NULL;
}

/* Makes one folder, if there is none. */
static bool make_one(const char *path, mode_t mode)
{
    struct stat found;
    if (mkdir(path, mode) == 0)
        return true;
    if (errno != EEXIST || stat(path, &found) != 0)
        return false;
    if (S_ISDIR(found.st_mode))
        return true;
    errno = ENOTDIR;
    return false;
}

bool data_make(const char *folder, mode_t mode)
{
    char path[PATH_MAX];
    if (!folder[0] || strlen(folder) >= sizeof path) {
        errno = folder[0] ? ENAMETOOLONG : ENOENT;
        return false;
    }
    strcpy(path, folder);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (!make_one(path, mode))
            return false;
        *slash = '/';
    }
    return make_one(path, mode);
}

/* backup-PROCESS-NUMBER, or that with .part */
static bool is_copy(const char *name)
{
    static const char digits[] = "0123456789";
    if (strncmp(name, "backup-", 7) != 0)
        return false;
    name += 7;
    size_t process = strspn(name, digits);
    if (process == 0 || name[process] != '-')
        return false;
    name += process + 1;
    size_t number = strspn(name, digits);
    return number > 0 && (!name[number] || strcmp(name + number, ".part") == 0);
}

void data_clean(const char *folder)
{
    DIR *list = opendir(folder);
    for (const struct dirent *one; list && (one = readdir(list));)
        if (is_copy(one->d_name))
            unlinkat(dirfd(list), one->d_name, 0);
    if (list)
        closedir(list);
    store_backup_clean(folder);
}

bool data_path(const char *folder, const char *name, char path[PATH_MAX])
{
    int size = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    return size > 0 && size < PATH_MAX;
}
