/* Fuzz target: any bytes as input of `endstation engine`, which answers in whole lines and exits
 * normally. */
#include "cli/cli.h"
#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Opens a file in memory as one of the standard descriptors, which is all that the engine uses. */
static int open_memory(const char *name, int as)
{
    int file = memfd_create(name, 0);
    assert(file >= 0 && dup2(file, as) == as);
    close(file);
    return as;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char answer[1 << 20];
    static bool open;
    char *words[] = {"engine", NULL};
    if (size > 0 && memmem(data, size, "iterations", 10))
        return 0; /* a large number of iterations is allowed, but would take too long */
    if (!open) {
        open_memory("in", STDIN_FILENO);
        open_memory("out", STDOUT_FILENO);
        open = true;
    }
    assert(ftruncate(STDIN_FILENO, 0) == 0 && ftruncate(STDOUT_FILENO, 0) == 0);
    assert(pwrite(STDIN_FILENO, data, size, 0) == (ssize_t)size);
    lseek(STDIN_FILENO, 0, SEEK_SET);
    lseek(STDOUT_FILENO, 0, SEEK_SET);
    assert(cli_engine.run(1, words) == CLI_OK);
    ssize_t got = pread(STDOUT_FILENO, answer, sizeof answer, 0);
    assert(got > 0 && strncmp(answer, "endstation-engine 1 ", 20) == 0);
    assert(got == sizeof answer || answer[got - 1] == '\n');
    assert(!memchr(answer, '\0', (size_t)got));
    return 0;
}
