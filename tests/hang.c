/* The program with a disk that can hang: while there is a file of the name in ES_HANG, nothing that
 * is to be synced is. */
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_for_disk(void)
{
    const char *hang = getenv("ES_HANG");
    while (hang && access(hang, F_OK) == 0)
        usleep(10000);
}

int fsync(int file)
{
    wait_for_disk();
    return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file)
{
    wait_for_disk();
    return (int)syscall(SYS_fdatasync, file);
}
