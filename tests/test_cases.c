/* Every case of tests/conformance, to the byte: `replay` and `moves` called as functions, since
 * starting the program 640 times takes longer than all else in `make check`. conformance.sh does
 * the same with the program. The cases come from an independent model of the rules; docs/formats.md
 * explains them. */
#include "check.h"
#include "cli/cli.h"
#include <glob.h>
#include <unistd.h>

enum { PATH_BYTES = 256, STREAMS = 2 };

/* What a command has written to standard output and standard error, as strings. */
struct written {
    int status;
    char text[STREAMS][1 << 20];
    size_t size[STREAMS];
};

/* Runs a command with both streams in temporary files. */
static void run(const struct cli_command *command, int argc, char **argv, struct written *written)
{
    static const int streams[STREAMS] = {STDOUT_FILENO, STDERR_FILENO};
    FILE *file[STREAMS];
    int kept[STREAMS];
    fflush(NULL);
    for (int i = 0; i < STREAMS; i++) {
        file[i] = tmpfile();
        kept[i] = dup(streams[i]);
        assert_true(file[i] && kept[i] >= 0 && dup2(fileno(file[i]), streams[i]) >= 0);
    }
    written->status = command->run(argc, argv);
    fflush(NULL);
    for (int i = 0; i < STREAMS; i++) {
        assert_true(dup2(kept[i], streams[i]) >= 0);
        close(kept[i]);
        rewind(file[i]);
        written->size[i] = fread(written->text[i], 1, sizeof written->text[i] - 1, file[i]);
        assert_true(written->size[i] < sizeof written->text[i] - 1);
        written->text[i][written->size[i]] = '\0';
        fclose(file[i]);
    }
}

/* Writes the path of a case's file; returns whether there is one. */
static bool file_of(char path[PATH_BYTES], const char *record, const char *ending)
{
    int stem = (int)(strlen(record) - strlen("record"));
    assert_true(snprintf(path, PATH_BYTES, "%.*s%s", stem, record, ending) < PATH_BYTES);
    return access(path, R_OK) == 0;
}

/* Returns true if the only line of a message begins with `conformance/0012.map:3: `. */
static bool names_fault(const char *message, const char *record, const char *line_file)
{
    char what[8], path[PATH_BYTES], place[PATH_BYTES + 16];
    int line;
    FILE *file = fopen(line_file, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%7s %d", what, &line), 2);
    fclose(file);
    file_of(path, record, what);
    int size = snprintf(place, sizeof place, "%s:%d: ", path, line);
    const char *end = strchr(message, '\n');
    return strncmp(message, place, (size_t)size) == 0 && end > message + size && end[1] == '\0';
}

static bool is_file(const char *path, const char *text, size_t size)
{
    static char wanted[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(wanted, 1, sizeof wanted, file);
    fclose(file);
    return length == size && memcmp(wanted, text, size) == 0;
}

static bool agrees(const struct cli_command *command, char *record)
{
    static struct written written;
    char path[PATH_BYTES], map[PATH_BYTES];
    char *argv[] = {(char *)command->name, record, "--map", map, NULL};
    run(command, file_of(map, record, "map") ? 4 : 2, argv, &written);
    if (file_of(path, record, "line"))
        return written.status == 1 && written.size[0] == 0 &&
               names_fault(written.text[1], record, path);
    file_of(path, record, command->name);
    return written.status == 0 && written.size[1] == 0 &&
           is_file(path, written.text[0], written.size[0]);
}

static void every_case_to_the_byte(void **state)
{
    (void)state;
    const struct cli_command *const commands[] = {&cli_replay, &cli_moves};
    glob_t cases;
    int differ = 0;
    assert_int_equal(glob("conformance/*.record", 0, NULL, &cases), 0);
    for (size_t i = 0; i < cases.gl_pathc; i++)
        for (int k = 0; k < 2; k++)
            if (!agrees(commands[k], cases.gl_pathv[i])) {
                print_error("%s: %s differs\n", cases.gl_pathv[i], commands[k]->name);
                differ++;
            }
    globfree(&cases);
    assert_int_equal(differ, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_case_to_the_byte)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
