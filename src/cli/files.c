#include "cli.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_fault(const char *path, const struct es_fault *fault)
{
    fprintf(stderr, "%s:%d: %s\n", path, fault->line, fault->reason);
    return CLI_BAD_INPUT;
}

int cli_flush(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return CLI_OK;
    fprintf(stderr, "endstation: cannot write to standard output: %s\n", strerror(errno));
    return CLI_BAD_INPUT;
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

/* Grows in doubling steps: a pipe does not say how much will come. */
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
    enum es_status status = es_map_read(map, text, &fault);
    if (from_file)
        free((void *)text.at);
    return status ? cli_fault(name, &fault) : CLI_OK;
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

static int read_record(struct cli_game *game, const char *command, const char *path,
                       struct es_str text, const char *map)
{
    struct es_record *record = &game->record;
    struct es_fault fault;
    if (es_record_header(record, text, &fault))
        return cli_fault(path, &fault);
    bool found = false;
    if (record->setup.game->has_map) {
        if (!map && es_builtin_map(es_str(record->map_id)).size > 0)
            map = record->map_id;
        if (map) {
            int status = cli_read_map(map, game->map);
            if (status)
                return status;
            found = true;
        }
    } else if (map) {
        return cli_usage(command, "--map does not go with a record of", record->setup.game->name);
    }
    if (es_record_events(record, found ? game->map : NULL, &game->state, &fault))
        return cli_fault(path, &fault);
    return CLI_OK;
}

int cli_game_read(struct cli_game *game, const char *command, const char *path, const char *map)
{
    cli_game_alloc(game);
    if (map && strcmp(map, "-") == 0 && strcmp(path, "-") == 0)
        return cli_usage(command, "standard input cannot be both record and map", NULL);
    struct es_str text;
    int status = cli_read_file(path, &text);
    if (status)
        return status;
    status = read_record(game, command, path, text, map);
    free((void *)text.at);
    return status;
}
