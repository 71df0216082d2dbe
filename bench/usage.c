/* Implementation of usage.h. */
#include "usage.h"
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* From /proc/N/stat: times in ticks. */
struct times {
    long parent;
    unsigned long user, system;
    long children_user, children_system; /* of those that have ended */
};

static struct times times_of(long process)
{
    struct times times = {0};
    char path[60], line[1000];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "r");
    if (!file)
        return times;
    /* The name, in parentheses, can contain anything. */
    const char *rest = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    fclose(file);
    if (!rest || sscanf(rest + 1, " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %ld %ld",
                        &times.parent, &times.user, &times.system, &times.children_user,
                        &times.children_system) != 5)
        times = (struct times){0};
    return times;
}

double usage_seconds(long process)
{
    struct times times = times_of(process);
    return (double)(times.user + times.system) / (double)sysconf(_SC_CLK_TCK);
}

static void add(void *context, long child, const char *command)
{
    (void)command;
    *(double *)context += usage_seconds(child);
}

double usage_tree_seconds(long process)
{
    struct times times = times_of(process);
    double all =
        (double)(times.children_user + times.children_system) / (double)sysconf(_SC_CLK_TCK);
    all += usage_seconds(process);
    usage_children(process, add, &all);
    return all;
}

long usage_kilobytes(long process)
{
    char path[60], line[200];
    long value = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmRSS: %ld", &value);
    if (file)
        fclose(file);
    return value;
}

void usage_children(long process, void (*found)(void *context, long child, const char *command),
                    void *context)
{
    DIR *folder = opendir("/proc");
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        char *end, path[60], command[200] = "";
        long child = strtol(entry->d_name, &end, 10);
        if (*end || child <= 0 || times_of(child).parent != process)
            continue;
        snprintf(path, sizeof path, "/proc/%ld/cmdline", child);
        FILE *file = fopen(path, "r");
        if (file) {
            size_t size = fread(command, 1, sizeof command - 1, file);
            command[size] = 0;
            fclose(file);
        }
        found(context, child, command);
    }
    if (folder)
        closedir(folder);
}
