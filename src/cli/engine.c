/* `endstation engine`: answers other programs' requests for moves, line by line. All input is
 * validated and bounded, and a faulty request changes nothing. */
#include "cli/player.h"
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CANDIDATES_SHOWN = 5 };

struct engine {
    struct wire in;
    struct es_map *own; /* from --map, or NULL */
    bool has_position;
    struct cli_game game, next;
    /* Used while thinking. */
    bool ignore_quit; /* iterations are given: quit and end of input do not stop the search, so the
                         answer is reproducible */
    double looked;
};

/* ---- position ------------------------------------------------------------------------------ */

/* A text that grows line by line. */
struct text {
    char *at;
    size_t size, room;
    int lines;
    struct es_fault fault; /* the first fault that the record reader cannot report */
};

static void append(struct text *text, struct es_str line)
{
    if (text->fault.status)
        return;
    if (text->size + line.size + 1 > ES_TEXT_MAX) {
        es_fault_set(&text->fault, 0, ES_TOO_LARGE, es_str(""));
        return;
    }
    if (text->size + line.size + 1 > text->room) {
        text->room = 2 * text->room + line.size + 4096;
        char *more = realloc(text->at, text->room);
        if (!more)
            cli_alloc(SIZE_MAX); /* prints the error and exits */
        text->at = more;
    }
    memcpy(text->at + text->size, line.at, line.size);
    text->size += line.size;
    text->at[text->size++] = '\n';
}

/* Reads up to `end`; false at the end of input. */
static bool read_text(struct engine *engine, struct text *text)
{
    const struct wire_limit patience = {0};
    for (;;) {
        struct es_str line;
        enum wire_status status = wire_read(&engine->in, &patience, &line);
        if (status == WIRE_ENDED)
            return false;
        text->lines++;
        if (status == WIRE_TOO_LONG && !text->fault.status)
            es_fault_set(&text->fault, text->lines, ES_LINE_LENGTH, es_str(""));
        else if (status == WIRE_OK && es_str_is(es_str_trim(line), "end"))
            return true;
        else if (status == WIRE_OK)
            append(text, line);
    }
}

static void take_position(struct engine *engine)
{
    struct text text = {0};
    struct es_fault *fault = &text.fault;
    if (read_text(engine, &text)) {
        struct es_str all = {text.at ? text.at : "", text.size};
        if (!fault->status)
            cli_game_parse(&engine->next, all, engine->own, fault);
        if (!fault->status && engine->own && !engine->next.record.setup.game->has_map)
            es_fault_set(fault, 0, ES_MAP_UNWANTED, es_str("--map"));
        if (fault->status) {
            printf("error %d: %s\n", fault->line, fault->reason);
        } else {
            struct cli_game old = engine->game;
            engine->game = engine->next;
            engine->next = old;
            engine->has_position = true;
            puts("ok");
        }
    }
    free(text.at);
}

/* ---- go ------------------------------------------------------------------------------------ */

struct request {
    unsigned player, ms, iterations, seed;
    struct es_bot bot;
};

static void refuse(struct es_str words, es_status status)
{
    struct es_fault fault;
    es_fault_set(&fault, 0, status, words);
    printf("error %s\n", fault.reason);
}

/* Reads the words after `go`: any order, each at most once. */
static bool read_request(const struct engine *engine, struct es_str rest, struct request *request)
{
    enum { PLAYER, LEVEL, MS, ITERATIONS, SEED, WORDS };
    static const char *const names[WORDS] = {"player", "level", "ms", "iterations", "seed"};
    static const unsigned min[WORDS] = {1, 0, 1, 1, 0};
    static const unsigned max[WORDS] = {ES_PLAYERS_MAX, 0, PLAYER_MS_MAX, PLAYER_COUNT_MAX,
                                        PLAYER_COUNT_MAX};
    unsigned *const numbers[WORDS] = {&request->player, NULL, &request->ms, &request->iterations,
                                      &request->seed};
    unsigned given = 0;
    struct es_str word, value;
    while (es_str_word(&rest, &word)) {
        int w = 0;
        es_status status = ES_OK;
        while (w < WORDS && !es_str_is(word, names[w]))
            w++;
        if (w == WORDS)
            status = ES_WORD_UNKNOWN;
        else if (given >> w & 1)
            status = ES_TWICE;
        else if (!es_str_word(&rest, &value))
            status = ES_WORD_MISSING;
        if (status) {
            refuse(word, status);
            return false;
        }
        given |= 1u << w;
        if (w == LEVEL)
            status = es_bot_named(engine->game.record.setup.game, value, &request->bot);
        else
            status = es_str_number(value, max[w], numbers[w]);
        if (status == ES_OK && w != LEVEL && *numbers[w] < min[w])
            status = ES_NUMBER_RANGE;
        if (w == PLAYER && status == ES_NUMBER_RANGE)
            status = ES_PLAYER_UNKNOWN;
        if (status) {
            refuse(value, status);
            return false;
        }
    }
    if (!(given >> PLAYER & 1) || !(given >> LEVEL & 1)) {
        puts("error go needs a player and a level, like 'go player 1 level strong'");
        return false;
    }
    return true;
}

/* Returns true if the search should end. `stop` is removed from the input; everything else stays
 * there. */
static bool should_stop(void *context)
{
    enum { LOOK_MS = 1 };
    struct engine *engine = context;
    double now = wire_now();
    if (now - engine->looked < LOOK_MS)
        return false;
    engine->looked = now;
    wire_fill(&engine->in);
    if (wire_waiting(&engine->in, "stop", true))
        return true;
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) > 0 && out.revents & (POLLERR | POLLHUP | POLLNVAL))
        return true; /* the output is gone */
    return !engine->ignore_quit && (engine->in.ended || wire_waiting(&engine->in, "quit", false));
}

static void print_event(const struct engine *engine, const char *before, es_event event)
{
    const struct es_setup *setup = &engine->game.record.setup;
    char text[ES_EVENT_BYTES];
    struct es_out out = {text, sizeof text, 0};
    setup->game->format(setup, event, &out);
    printf("%s %.*s", before, (int)out.used, text);
}

static void go(struct engine *engine, struct es_str rest)
{
    struct request request = {0};
    if (!read_request(engine, rest, &request))
        return;
    es_status status =
        es_bot_fault(&engine->game.record.setup, &engine->game.state, (int)request.player);
    if (status) {
        printf("error player %u: %s\n", request.player, es_status_text(status));
        return;
    }
    static struct es_thought thought;
    thought = (struct es_thought){.seed = request.seed, .iterations = request.iterations};
    if (request.ms == 0 && request.iterations == 0)
        request.ms = request.bot.ms;
    engine->ignore_quit = request.iterations > 0;
    double before = wire_now();
    engine->looked = before;
    es_event event = player_think(&request.bot, &engine->game, (int)request.player, request.ms,
                                  should_stop, engine, &thought);
    double ms = wire_now() - before;
    for (size_t i = 0; i < thought.candidates && i < CANDIDATES_SHOWN; i++) {
        const struct es_candidate *c = &thought.candidate[i];
        print_event(engine, "info", c->event);
        printf(" points %.2f win %.3f samples %u\n", (double)c->points, (double)c->win, c->samples);
    }
    printf("info iterations %llu ms %.0f\n", (unsigned long long)thought.done, ms);
    print_event(engine, "best", event);
    puts("");
}

/* ---- Lines --------------------------------------------------------------------------------- */

/* Answers one line; false to end. */
static bool answer(struct engine *engine, struct es_str line)
{
    struct es_lines lines;
    struct es_fault fault;
    struct es_str rest, word;
    if (es_lines_open(&lines, line, &fault)) {
        printf("error %s\n", fault.reason);
        return true;
    }
    es_lines_next(&lines); /* skips a byte-order mark */
    rest = lines.line;
    if (!es_str_word(&rest, &word) || word.at[0] == '#')
        return true;
    bool is_go = es_str_is(word, "go"), is_moves = es_str_is(word, "moves"),
         is_replay = es_str_is(word, "replay");
    if (!is_go && es_str_trim(rest).size > 0 &&
        (is_moves || is_replay || es_str_is(word, "position") || es_str_is(word, "isready") ||
         es_str_is(word, "stop") || es_str_is(word, "quit"))) {
        refuse(es_str_trim(rest), ES_WORD_EXTRA);
    } else if (es_str_is(word, "quit")) {
        return false;
    } else if (es_str_is(word, "isready")) {
        puts("readyok");
    } else if (es_str_is(word, "position")) {
        take_position(engine);
    } else if (es_str_is(word, "stop")) {
        /* The search had already ended. */
    } else if (!is_go && !is_moves && !is_replay) {
        refuse(word, ES_WORD_UNKNOWN);
    } else if (!engine->has_position) {
        puts("error there is no position yet");
    } else if (is_go) {
        go(engine, rest);
    } else {
        if (is_moves)
            cli_print_moves(&engine->game);
        else
            cli_print_report(&engine->game);
        puts("end");
    }
    return true;
}

static int serve(struct engine *engine)
{
    const struct wire_limit patience = {0};
    bool more = true;
    puts("endstation-engine 1 endstation " ES_VERSION);
    for (;;) {
        struct es_str line;
        int status = cli_flush();
        if (status || !more)
            return status;
        enum wire_status got = wire_read(&engine->in, &patience, &line);
        if (got == WIRE_ENDED)
            return CLI_OK;
        if (got == WIRE_TOO_LONG)
            refuse(es_str(""), ES_LINE_LENGTH);
        else
            more = answer(engine, line);
    }
}

static int run(int argc, char **argv)
{
    const char *map = NULL;
    const struct cli_option options[] = {{"--map", &map, NULL}, {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status == CLI_OK && map && strcmp(map, "-") == 0)
        status = cli_usage(argv[0], "standard input is for the protocol, not for the map", NULL);
    if (status)
        return status;
    struct engine *engine = cli_alloc(sizeof *engine);
    *engine = (struct engine){0};
    wire_open(&engine->in, STDIN_FILENO);
    cli_game_alloc(&engine->game);
    cli_game_alloc(&engine->next);
    if (map) {
        engine->own = cli_alloc(sizeof *engine->own);
        status = cli_read_map(map, engine->own);
    }
    if (status == CLI_OK)
        status = serve(engine);
    cli_game_free(&engine->game);
    cli_game_free(&engine->next);
    free(engine->own);
    free(engine);
    return status;
}

const struct cli_command cli_engine = {
    .name = "engine",
    .summary = "answer other programs that ask for moves",
    .help = "engine [--map MAP]\n\n"
            "Reads questions from standard input and answers on standard output, line by line:\n\n"
            "  position, a record or view, end          ok, or error LINE: reason\n"
            "  go player P level LEVEL [ms T] [iterations N] [seed S]\n"
            "                                           info ..., then best EVENT\n"
            "  stop                                     while thinking: the best so far, now\n"
            "  moves, replay                            as the commands print them, then end\n"
            "  isready                                  readyok\n"
            "  quit\n\n"
            "  --map MAP         the sheet of all positions: a .map file, or the id of a built-in\n"
            "                    one; needed where it is not built in\n",
    .run = run,
};
