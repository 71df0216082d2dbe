/* Functions shared by the commands of the program: options, files, records on disk, new games.
 *
 * Exit statuses: 0, 1 for bad input (a record, a map, a disk), 2 for a bad command line, 3 if a
 * program that was to play cannot be started, 141 if whoever reads standard output has ended.
 */
#ifndef ENDSTATION_CLI_H
#define ENDSTATION_CLI_H

#include <endstation/map.h>
#include <endstation/record.h>
#include <stdio.h>

enum {
    CLI_OK = 0,
    CLI_BAD_INPUT = 1,
    CLI_BAD_USAGE = 2,
    CLI_NOT_STARTED = 3,
    CLI_UNREAD = 141, /* what a shell says of a program that SIGPIPE ended */
};

/* One command: its line in the overview, its help page, and its function. */
struct cli_command {
    const char *name;
    const char *summary;
    const char *help;
    void (*more_help)(void); /* prints the rest of the help, after an empty line; may be NULL */
    int (*run)(int argc, char **argv);
};

extern const struct cli_command cli_analyse, cli_arena, cli_backup, cli_bench, cli_check, cli_draw,
    cli_engine, cli_export, cli_import, cli_moves, cli_manage, cli_new, cli_perft, cli_play,
    cli_print, cli_replay, cli_serve, cli_stats, cli_verify, cli_view;

/* The whole program, and the name it was called by. */
int cli_main(int argc, char **argv);
extern const char *cli_program;

/* ---- Options (options.c) ------------------------------------------------------------------- */

/* Lines of help that several commands have. */
#define CLI_RECORD_HELP "  RECORD            a .record file; - reads standard input\n"
#define CLI_MAP_HELP                                                                               \
    "  --map MAP         the record's sheet: a .map file, or the id of a built-in one; needed\n"   \
    "                    where it is not built in\n"
#define CLI_JSON_HELP "  --json            print JSON, one object per line (docs/formats.md)\n"
#define CLI_HOME_HELP "endstation in\n                    $XDG_DATA_HOME or ~/.local/share"
#define CLI_DATA_HELP "  --data DIR        the server's folder (default: " CLI_HOME_HELP ")\n"
#define CLI_STORE_HELP "  --store postgres://...  the server's database instead\n"
/* What a command with several files does with them, between empty lines. */
#define CLI_FILES_HELP                                                                             \
    "\nSeveral records are printed one after the other, each under its name. One that cannot\n"    \
    "be read is reported and skipped; the exit status is then 1.\n\n"

/* An option: --name VALUE or --name=VALUE (-n VALUE or -nVALUE) sets *text; --name alone sets
 * *flag. Lists end with a NULL name. */
struct cli_option {
    const char *name;
    const char **text;
    bool *flag;
};

/* Reads options and up to `most` other words (missing ones stay NULL). Returns CLI_OK, or prints
 * the error and returns CLI_BAD_USAGE. */
int cli_options(int argc, char **argv, const struct cli_option *options, const char **words,
                int most);
/* Checks options that have been read. Returns false and writes what is wrong, as a clause. */
typedef bool cli_options_check(const void *context, char *wrong, size_t size);
/* Reads options from a file: a line `NAME VALUE` or `NAME` for each, where NAME has no dashes;
 * empty lines and those that begin with '#' are skipped. `check` is called after each option.
 * Prints errors as FILE:LINE and returns CLI_BAD_INPUT. Free *memory, which holds the texts, after
 * use. */
int cli_options_file(const char *path, const struct cli_option *options, cli_options_check *check,
                     const void *context, char **memory);
/* Prints what is wrong with the command line and where help is; returns CLI_BAD_USAGE. */
int cli_usage(const char *command, const char *what, const char *about);
/* Reads a number from an option's text; prints errors. */
int cli_number(const char *command, const char *option, const char *text, unsigned min,
               unsigned max, unsigned *value);

/* ---- Files (files.c) ----------------------------------------------------------------------- */

/* Reads a whole file ("-": standard input), at most ES_TEXT_MAX bytes. Free text.at. */
int cli_read_file(const char *path, struct es_str *text);
/* Returns true if a file's name ends in `ending`, such as ".pdf", after at least one character. */
bool cli_ends_in(const char *path, const char *ending);
/* Returns true if two names are the same regular file. */
bool cli_same_file(const char *a, const char *b);
/* Replaces `path` atomically. If no new file can be created beside it, or it is a device or pipe,
 * overwrites it in place. NULL or "-": standard output. Prints the error and returns CLI_BAD_INPUT
 * on failure. */
int cli_write_file(const char *command, const char *path, const void *bytes, size_t size);
/* Writes and syncs all bytes; on failure returns false with errno set. */
bool cli_write_all(int file, const void *bytes, size_t size);
/* Prints `FILE:LINE: reason` and returns CLI_BAD_INPUT. */
int cli_fault(const char *path, const struct es_fault *fault);
/* Reads a map: `name` is the id of a built-in one, or a file. */
int cli_read_map(const char *name, struct es_map *map);
/* Returns true if a sheet has the content of the built-in one of its id, or of an earlier version
 * of that; false for NULL. */
bool cli_is_built_in(const struct es_map *map);
/* Rewrites the names on a sheet for a terminal without UTF-8. */
void cli_fold_map(struct es_map *map);
/* Allocates memory; exits with a message if there is none. */
void *cli_alloc(size_t size);
/* Flushes standard output. CLI_UNREAD, without a message, if its reader has ended; CLI_BAD_INPUT if
 * not everything could be written. cli_main() does this after every command. */
int cli_flush(void);

/* A record with its state and map. Free it with cli_game_free, even after a failure. */
struct cli_game {
    struct es_record record;
    struct es_state state;
    struct es_map *map;
};

void cli_game_alloc(struct cli_game *game);
void cli_game_free(struct cli_game *game);
/* Reads a record from text; `own` is its sheet, NULL: a built-in one. */
es_status cli_game_parse(struct cli_game *game, struct es_str text, const struct es_map *own,
                         struct es_fault *fault);
/* Reads a record from a file; `map` is the value of --map, or NULL. Prints the error and returns an
 * exit status on failure. */
int cli_game_read(struct cli_game *game, const char *command, const char *path, const char *map);
/* The same, and sets *text to the text that was read. Free text->at, even after a failure. */
int cli_game_read_text(struct cli_game *game, const char *command, const char *path,
                       const char *map, struct es_str *text);

/* Computes what a player (0: a spectator) may see of a game, as a state. */
void cli_game_view(const struct cli_game *game, int viewer, struct es_state *view);

/* ---- Several files, and JSON (output.c) ------------------------------------------------------ */

/* The files that a command line names. */
struct cli_files {
    const char *command;
    const char **path;
    int count;
    int shown; /* private to cli_head */
};
/* Reads options and any number of files; `what` says what is missing where there is none, NULL if
 * there may be none. Free with cli_files_free, even after a failure. */
int cli_files_read(struct cli_files *files, int argc, char **argv, const struct cli_option *options,
                   const char *what);
void cli_files_free(struct cli_files *files);
/* What a command does with one file. Returns an exit status, after a message if it fails. */
typedef int cli_file(struct cli_files *files, const char *path, void *context);
/* Calls `one` for each file, also after it has failed for others. Returns the highest status. */
int cli_files_each(struct cli_files *files, cli_file *one, void *context);
/* Prints the file's name above what is printed of it, like `head`, if there are several. */
void cli_head(struct cli_files *files, const char *path);

struct es__writer;
/* Writes the members of an object. */
typedef void cli_write(struct es__writer *w, const void *context);
/* Writes a word of the command line, which may be any bytes: JSON is UTF-8. */
void cli_write_word(struct es__writer *w, const char *name, const char *word);
/* Prints an object of JSON on a line of its own, and flushes like cli_flush(). Its first member is
 * "file": `path`, if that is not NULL. `write` is called twice. */
int cli_print_json(const char *path, cli_write *write, const void *context);

/* ---- Games as text (replay.c) --------------------------------------------------------------- */

/* Prints the report of a game, as `replay` does. */
void cli_print_report(const struct cli_game *game);
/* Prints every legal next event, as `moves` does. */
void cli_print_moves(const struct cli_game *game);

/* ---- New games (setup.c) ------------------------------------------------------------------- */

/* Choices for a new game, each NULL or text from the command line. */
enum { CLI_OWN_OPTIONS_MAX = 16 };
struct cli_choices {
    const char *game, *map, *players, *rules, *names, *seed;
    const char *own[CLI_OWN_OPTIONS_MAX]; /* for header lines that only some games have */
};
#define CLI_CHOICES(c)                                                                             \
    {"--game", &(c).game, NULL}, {"--map", &(c).map, NULL}, {"--players", &(c).players, NULL},     \
        {"--rules", &(c).rules, NULL}, {"--names", &(c).names, NULL},                              \
    {                                                                                              \
        "--seed", &(c).seed, NULL                                                                  \
    }
enum { CLI_CHOICES_MAX = 6 + CLI_OWN_OPTIONS_MAX };
/* Appends to a list an option for every header line that some game has of its own (`--deck`), and
 * the end of the list: room for CLI_OWN_OPTIONS_MAX + 1. */
void cli_own_options(struct cli_option *list, struct cli_choices *choices);
/* Returns what such an option says: the text of the preset of that name, or the value as typed. */
const char *cli_own_value(const struct es_game *game, const char *option, const char *value);
#define CLI_GAME_HELP                                                                              \
    "  --game GAME       the game to play (see below)\n"                                           \
    "  --rules WORDS     optional rules, separated by spaces\n"                                    \
    "  --map MAP         the sheet: a .map file, or the id of a built-in one\n"
#define CLI_CHOICES_HELP                                                                           \
    CLI_GAME_HELP                                                                                  \
    "  --players N       number of players (default: as many as --names, or the fewest)\n"         \
    "  --names A,B       names of the players, in the order of their seats\n"                      \
    "  --seed HEX        64 hex digits to shuffle from (default: random)\n"
/* Prints the levels of a game's bots, separated by commas. */
void cli_print_levels(FILE *file, const struct es_game *game);
/* Prints what can be chosen for each game: the end of the help of a command with CLI_CHOICES. */
void cli_choices_help(void);

/* Returns the number of names in "Ada,Grace"; NULL: none. */
unsigned cli_count_names(const char *names);
/* Makes a new game: header, seed, and the chance events that are due at once. */
int cli_game_new(struct cli_game *game, const char *command, const struct cli_choices *choices);
/* Applies and appends an event. */
es_status cli_game_apply(struct cli_game *game, es_event event);
/* Appends every chance event that is due: from the record's seed if that gives a legal event, else
 * from the system's random source. Returns ES_OK, or ES_EVENTS_TOO_MANY if the record is full. */
__attribute__((warn_unused_result)) es_status cli_game_deal(struct cli_game *game);

#endif
