/* Fuzz target: any bytes as a file of `endstation export`. It is refused with a line and a reason,
 * or it lacks nothing but its end. Then it gets that end, and is imported into an empty store: it
 * contradicts itself, and is refused, or the store has it, and exporting gives the same bytes
 * again. Also what is cut off is continued: an export that finds the file as its own unfinished
 * part gives the same as one that finds nothing. */
#include "store/transfer.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[100]; /* of our own */

static void remove_folder(void)
{
    char command[200];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    assert(system(command) == 0);
}

static const char *path_of(const char *name)
{
    static char path[4][200];
    static int turn;
    if (!folder[0]) {
        /* In memory, where there is such a place. */
        strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/fuzz-import-XXXXXX"
                                                     : "/tmp/fuzz-import-XXXXXX");
        assert(mkdtemp(folder) && atexit(remove_folder) == 0);
    }
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* Returns the text of a file, to be freed. */
static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    assert(file && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    assert(text && fread(text, 1, *size, file) == *size && fclose(file) == 0);
    return text;
}

/* Adds the end that is missing; returns false if the file is not one. */
static bool finish(const char *path)
{
    FILE *file = fopen(path, "r+b");
    assert(file);
    struct archive_reader *reader = archive_open(file);
    struct archive_line line;
    enum archive_result result;
    assert(reader);
    do
        result = archive_next(reader, &line);
    while (result == ARCHIVE_LINE);
    bool is_cut = result == ARCHIVE_CUT && reader->place.order.begun;
    assert(result == ARCHIVE_COMPLETE || strncmp(reader->fault, "line ", 5) == 0);
    if (is_cut && reader->place.order.last >= ARCHIVE_STATE) {
        char text[300];
        struct es_out out = {text, sizeof text, 0};
        struct archive_line end = {.kind = ARCHIVE_END, .counts = reader->place.order.counts};
        archive_finish(&end, reader->place.sha);
        assert(archive_write(&end, &out));
        assert(ftruncate(fileno(file), (off_t)reader->place.offset) == 0);
        assert(fseek(file, 0, SEEK_END) == 0 && fwrite(text, 1, out.used, file) == out.used);
    } else if (result != ARCHIVE_COMPLETE) {
        is_cut = false;
    }
    fclose(file);
    free(reader);
    return is_cut || result == ARCHIVE_COMPLETE;
}

static void expect_same(const char *a, const char *b)
{
    size_t size[2];
    char *text[2] = {read_file(a, &size[0]), read_file(b, &size[1])};
    assert(size[0] == size[1] && memcmp(text[0], text[1], size[0]) == 0);
    free(text[0]);
    free(text[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    write_file(path_of("in"), data, size);
    struct transfer transfer = {.store = NULL};
    bool was_good = transfer_check(&transfer, path_of("in"));
    assert(was_good || transfer.fault[0]);
    if (!finish(path_of("in"))) {
        assert(!was_good);
        return 0;
    }
    assert(transfer_check(&transfer, path_of("in")));
    transfer = (struct transfer){.store = store_memory()};
    assert(transfer.store);
    if (transfer_import(&transfer, path_of("in"))) {
        unlink(path_of("out"));
        assert(transfer_import(&transfer, path_of("in"))); /* once more */
        assert(transfer_export(&transfer, path_of("out")));
        expect_same(path_of("in"), path_of("out"));
        unlink(path_of("out"));
        write_file(path_of("out.part"), data, size); /* perhaps the beginning of it */
        assert(transfer_export(&transfer, path_of("out")));
        expect_same(path_of("in"), path_of("out"));
    } else {
        assert(transfer.fault[0]);
    }
    transfer.store->close(transfer.store);
    return 0;
}
