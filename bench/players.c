/* Implementation of players.h. */
#include "players.h"
#include "cluster.h"
#include "socket.h"
#include <endstation/fair.h>
#include <endstation/record.h>
#include <endstation/sha256.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

enum { SEATS_MAX = 4, GAMES_MAX = 8, BUSY_RETRIES = 2, AT_ONCE = 64, WRONG_MAX = 20 };
/* Microseconds, as in web/online/connection.js, except that silence is shorter there. */
enum {
    MS = 1000,
    RETRY = 500 * MS,       /* the pause before the second attempt; it doubles each time … */
    RETRY_MAX = 30000 * MS, /* … up to this */
    BUSY = 400 * MS,
    SILENCE = 5000 * MS, /* then a ping */
    PONG = 3000 * MS,
    WELCOME = 10000 * MS,
    REMIND = 1000 * MS,  /* what a room waits for is said again */
    HOMESICK = 1500 * MS /* a process that has been running so long gets its people back */
};

enum step {
    STEP_AWAY,    /* no connection */
    STEP_OPENING, /* up to the answer to hello */
    STEP_WELCOME, /* not everything has been told */
    STEP_READY
};

/* Something that was asked and must be answered, however often it has to be said. */
struct wish {
    char text[400]; /* empty: nothing */
    uint64_t asked; /* the first time */
    uint64_t again; /* when to say it again; 0: an answer is awaited */
    int id;
    char kind;     /* of its entry; 0: a move */
    char key[41];  /* what the log says after the guest … */
    char more[80]; /* … and after that */
};

struct client {
    struct socket socket;
    int number;
    struct table *table;
    int seat; /* 0: a spectator */
    struct socket_guest guest;
    int home, process, shunned; /* shunned: the latest that did not answer; -1: none */
    enum step step;
    uint64_t since;          /* of the step */
    uint64_t lost;           /* since when it has not been ready; 0: it is */
    int why;                 /* of that */
    uint64_t retry;          /* when to connect */
    uint64_t soon;           /* what the server has said about that */
    uint64_t leaves;         /* when it goes home; 0: it is at home */
    uint64_t heard, pinged;  /* when; 0: not, or it was answered */
    uint64_t reminded;       /* when a room was last told what it waits for */
    int failures;            /* attempts in a row */
    struct wish move, other; /* at most one of each */
    int decision;            /* of `move` */
    char event[ES_EVENT_BYTES + 1];
    /* The room. */
    char phase[12];
    bool is_host, is_seated, are_all_seated, has_record;
    unsigned chats; /* the number of the latest, on this connection; 0: none */
    /* The game. */
    struct es_state view;
    char *lines; /* the stream, with line ends */
    size_t lines_size, lines_space, count;
    int decisions;
    bool is_due;
};

struct table {
    const struct es_setup *setup;
    char room[17], code[13];
    char next[17];
    bool is_open;
    bool is_over; /* and there will be no other game */
    int games;
    uint64_t moved; /* when something was last acknowledged */
};

static struct players_options options;
static struct players_facts facts;
static struct es_setup setups[GAMES_MAX];
static struct es_map map;
static struct es_random source;
static struct table *table;
static struct client *client;
static int clients, of_table, loop, why_now, next_id = 1;
static bool finishing;

__attribute__((format(printf, 2, 3))) static void wrong(const struct client *c, const char *form,
                                                        ...)
{
    va_list values;
    va_start(values, form);
    printf("%s, seat %d, at process %d: ", c->table->room, c->seat, c->process);
    vprintf(form, values);
    printf("\n");
    va_end(values);
    if (++facts.wrong == WRONG_MAX)
        exit(1);
}

static void note_time(struct players_times *times, uint64_t since)
{
    if (times->count == times->space) {
        times->space = 2 * times->space + 1000;
        times->ms = realloc(times->ms, times->space * sizeof *times->ms);
        if (!times->ms)
            abort();
    }
    times->ms[times->count++] = (double)(socket_now() - since) / 1000;
}

static uint64_t some(uint64_t most)
{
    return es_random_below(&source, (uint32_t)most);
}

/* ---- Connections ----------------------------------------------------------------------------- */

static void enter(struct client *c, enum step step)
{
    c->step = step;
    c->since = socket_now();
}

/* Ends the connection, or the attempt; the next comes after a pause. */
static void lose(struct client *c)
{
    uint64_t now = socket_now();
    if (!c->lost) {
        c->lost = now;
        c->why = why_now;
    }
    socket_close(&c->socket);
    uint64_t pause = (uint64_t)RETRY << (c->failures < 8 ? c->failures : 8);
    if (pause > RETRY_MAX)
        pause = RETRY_MAX;
    c->failures++;
    c->retry = now + pause / 2 + some(pause / 2);
    if (c->soon > c->retry)
        c->retry = c->soon;
    c->soon = c->leaves = c->pinged = 0;
    enter(c, STEP_AWAY);
}

/* Hangs up and connects somewhere else at once. */
static void move_over(struct client *c)
{
    lose(c);
    c->failures = 0;
    c->retry = socket_now();
}

static bool try_process(struct client *c, int process)
{
    char path[40];
    c->process = process;
    c->socket = (struct socket){.file = socket_connect(cluster_port(process), c->number, false)};
    if (c->socket.file < 0)
        return false;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(loop, EPOLL_CTL_ADD, c->socket.file, &event);
    snprintf(path, sizeof path, "/ws/%s", c->table->room);
    socket_shake_hands(c->socket.file, path);
    enter(c, STEP_OPENING);
    c->heard = c->since;
    c->chats = 0;
    return true;
}

/* Connects to the first process that listens, as a proxy does: the own one first, but not one that
 * has just not answered. */
static void connect_somewhere(struct client *c)
{
    int shunned = c->shunned;
    c->shunned = -1;
    for (int i = 0; i < options.processes; i++) {
        int process = (c->home + i) % options.processes;
        if (process != shunned && try_process(c, process))
            return;
    }
    if (shunned >= 0 && try_process(c, shunned))
        return;
    lose(c);
}

static void say_hello(void *context)
{
    struct client *c = context;
    char text[300], token[80] = "", code[24] = "", have[40] = "";
    if (c->seat)
        snprintf(token, sizeof token, ",\"token\":\"%s\"", c->guest.token);
    if (c->count > 0)
        snprintf(have, sizeof have, ",\"have\":%zu", c->count);
    if (c->table->code[0])
        snprintf(code, sizeof code, ",\"code\":\"%s\"", c->table->code);
    snprintf(text, sizeof text, "{\"t\":\"hello\",\"v\":1%s%s%s}", code, token, have);
    socket_say(c->socket.file, text);
}

/* ---- Wishes ---------------------------------------------------------------------------------- */

static void say_wish(struct client *c, struct wish *wish)
{
    if (wish->again)
        facts.repeated++;
    wish->again = 0;
    socket_say(c->socket.file, wish->text);
}

static void log_wish(const struct client *c, const struct wish *wish, const char *how)
{
    fprintf(options.log, "%s key %s %c %s %s%s%s\n", how, c->table->room, wish->kind, c->guest.id,
            wish->key, wish->more[0] ? " " : "", wish->more);
}

/* Asks for something that gets the key; `form` has what follows it in the message. */
__attribute__((format(printf, 5, 6))) static void ask(struct client *c, const char *type, char kind,
                                                      const char *key, const char *form, ...)
{
    struct wish *wish = &c->other;
    char rest[200];
    va_list values;
    va_start(values, form);
    vsnprintf(rest, sizeof rest, form, values);
    va_end(values);
    *wish = (struct wish){.asked = socket_now(), .id = next_id++, .kind = kind};
    snprintf(wish->key, sizeof wish->key, "%s", key);
    snprintf(wish->text, sizeof wish->text, "{\"t\":\"%s\",\"id\":%d,\"key\":\"%s\"%s}", type,
             wish->id, key, rest);
}

static void ask_now(struct client *c)
{
    log_wish(c, &c->other, "asked");
    say_wish(c, &c->other);
}

static void write_word(const struct client *c, uint8_t word[ES_FAIR_BYTES])
{
    memset(word, 0, ES_FAIR_BYTES);
    word[0] = (uint8_t)(c->seat);
    word[1] = (uint8_t)(c->number);
    word[2] = (uint8_t)(c->number >> 8);
    word[3] = (uint8_t)(c->table->games);
}

static void write_hex(const uint8_t bytes[ES_FAIR_BYTES], char text[65])
{
    struct es_out out = {text, 64, 0};
    es_out_hex(&out, bytes, ES_FAIR_BYTES);
    text[64] = 0;
}

/* Says what the room waits for before the game, or after it. */
static void remind(struct client *c)
{
    uint8_t word[ES_FAIR_BYTES], hash[ES_FAIR_BYTES];
    char hex[65], text[200];
    c->reminded = socket_now();
    if (!c->seat || c->step < STEP_WELCOME || c->other.text[0])
        return;
    write_word(c, word);
    if (strcmp(c->phase, "waiting") == 0 && !c->is_seated) {
        es_fair_hash(word, hash);
        write_hex(hash, hex);
        ask(c, "sit", 's', "sit", ",\"seat\":%d,\"hash\":\"%s\"", c->seat, hex);
        ask_now(c);
    } else if (strcmp(c->phase, "waiting") == 0 && c->is_host && c->are_all_seated) {
        ask(c, "start", 'S', "start", "%s", "");
        ask_now(c);
    } else if (strcmp(c->phase, "words") == 0) {
        write_hex(word, hex);
        snprintf(text, sizeof text, "{\"t\":\"word\",\"word\":\"%s\"}", hex);
        socket_say(c->socket.file, text);
    } else if (c->has_record && !finishing && !c->table->next[0] &&
               c->seat == 1 + c->table->games % options.seats) {
        ask(c, "rematch", 'n', "again", "%s", "");
        ask_now(c);
    }
}

static void told(struct client *c, struct wish *wish)
{
    facts.others++;
    c->table->moved = socket_now();
    log_wish(c, wish, "told");
    wish->text[0] = 0;
}

/* ---- The game -------------------------------------------------------------------------------- */

static void forget_game(struct client *c)
{
    c->table->setup->game->start(c->table->setup, &c->view);
    c->lines_size = c->count = 0;
    c->decisions = 0;
    c->is_due = c->has_record = c->is_seated = c->is_host = c->are_all_seated = false;
    c->phase[0] = 0;
}

/* Takes the next line of the stream. */
static void see(struct client *c, struct es_str line)
{
    const struct es_setup *setup = c->table->setup;
    es_event event;
    if (setup->game->parse(setup, line, &event) || setup->game->apply(setup, &c->view, event)) {
        wrong(c, "'%.*s' cannot follow after %zu lines", (int)line.size, line.at, c->count);
        return;
    }
    if (c->lines_size + line.size + 1 > c->lines_space) {
        c->lines_space = 2 * c->lines_space + 1000;
        c->lines = realloc(c->lines, c->lines_space);
        if (!c->lines)
            abort();
    }
    memcpy(c->lines + c->lines_size, line.at, line.size);
    c->lines_size += line.size + 1;
    c->lines[c->lines_size - 1] = '\n';
    c->count++;
    if (!c->seat || ES_EVENT_WHO(event) != c->seat)
        return;
    if (c->move.text[0] && c->decisions == c->decision && !es_str_is(line, c->event))
        wrong(c, "decision %d is '%.*s', not '%s'", c->decision, (int)line.size, line.at, c->event);
    c->decisions++;
}

/* The hash and who is due, which come with all lines. */
static void take_due(struct client *c, json_t *message)
{
    static char report[ES_REPORT_BYTES];
    struct es_out out = {report, sizeof report, 0};
    const char *shown = json_string_value(json_object_get(message, "hash"));
    char hex[17] = "";
    uint8_t hash[ES_SHA256_BYTES];
    struct es_sha256 sha;
    size_t i;
    json_t *seat;
    c->table->setup->game->report(c->table->setup, &c->view, &out);
    es_sha256_init(&sha);
    es_sha256_update(&sha, report, out.used);
    es_sha256_final(&sha, hash);
    out = (struct es_out){hex, 16, 0};
    es_out_hex(&out, hash, 8);
    if (!shown || strcmp(shown, hex) != 0)
        wrong(c, "the hash after %zu lines is %s, not %s", c->count, hex, shown ? shown : "there");
    c->is_due = false;
    json_array_foreach(json_object_get(message, "due"), i, seat)
    {
        if (c->seat && json_integer_value(seat) == c->seat)
            c->is_due = true;
    }
}

static void is_complete(struct client *c)
{
    if (c->step != STEP_WELCOME)
        return;
    enter(c, STEP_READY);
    note_time(&facts.away[c->why], c->lost);
    c->lost = 0;
    if (c->move.text[0])
        c->move.again = socket_now();
    if (c->other.text[0])
        c->other.again = socket_now();
}

static void take_lines(struct client *c, json_t *message)
{
    json_int_t from = json_integer_value(json_object_get(message, "from"));
    size_t i;
    json_t *line;
    if (from != (json_int_t)c->count) {
        wrong(c, "has %zu lines and gets those from %d on", c->count, (int)from);
        return;
    }
    json_array_foreach(json_object_get(message, "lines"), i, line)
    {
        see(c, es_str(json_string_value(line)));
    }
    take_due(c, message);
    is_complete(c);
}

/* A whole view: it must begin with what is there already. */
static void take_view(struct client *c, json_t *message)
{
    const char *text = json_string_value(json_object_get(message, "text"));
    const char *at = text ? strstr(text, "\n\n") : NULL;
    at = at ? at + 2 : "";
    if (strlen(at) < c->lines_size || (c->lines_size && memcmp(at, c->lines, c->lines_size) != 0)) {
        wrong(c, "gets a view that does not contain its %zu lines", c->count);
        return;
    }
    at += c->lines_size;
    for (const char *end; (end = strchr(at, '\n')); at = end + 1)
        see(c, (struct es_str){at, (size_t)(end - at)});
    take_due(c, message);
    is_complete(c);
}

static void log_stream(const struct client *c)
{
    char hex[65];
    uint8_t hash[ES_SHA256_BYTES];
    struct es_sha256 sha;
    es_sha256_init(&sha);
    es_sha256_update(&sha, c->lines, c->lines_size);
    es_sha256_final(&sha, hash);
    write_hex(hash, hex);
    fprintf(options.log, "told stream %s %d %zu %s\n", c->table->room, c->seat, c->count, hex);
}

static void take_record(struct client *c)
{
    if (c->has_record)
        return;
    log_stream(c);
    c->has_record = true;
    bool is_over = true;
    for (int i = 0; i < of_table; i++)
        is_over = is_over && (c - c->number % of_table + i)->has_record;
    if (is_over) {
        facts.games++;
        c->table->is_over = finishing;
    }
    remind(c);
}

/* ---- The room -------------------------------------------------------------------------------- */

/* Everybody goes on to the room of the rematch when they have seen the end of this game. */
static void go_on(struct table *t)
{
    struct client *first = &client[(t - table) * of_table];
    for (int i = 0; i < of_table; i++)
        if (!first[i].has_record || first[i].other.text[0] || first[i].move.text[0])
            return;
    snprintf(t->room, sizeof t->room, "%s", t->next);
    t->next[0] = t->code[0] = 0;
    t->is_open = false;
    t->games++;
    t->moved = socket_now();
    for (int i = 0; i < of_table; i++) {
        forget_game(&first[i]);
        move_over(&first[i]);
    }
}

static void take_next(struct client *c, const char *next)
{
    struct table *t = c->table;
    if (!next || !next[0])
        return;
    if (t->next[0] && strcmp(t->next, next) != 0)
        wrong(c, "the rematch is %s, and was %s", next, t->next);
    if (!t->next[0])
        fprintf(options.log, "told room %s\ntold next %s %s\n", next, t->room, next);
    snprintf(t->next, sizeof t->next, "%s", next);
}

static void take_room(struct client *c, json_t *message)
{
    const char *phase = json_string_value(json_object_get(message, "phase"));
    const char *code = json_string_value(json_object_get(message, "code"));
    const char *commit = json_string_value(json_object_get(message, "commit"));
    const char *next = json_string_value(json_object_get(message, "next"));
    size_t i;
    json_t *seat;
    if (!phase || !commit) {
        wrong(c, "gets a room without phase or commit");
        return;
    }
    if (!c->phase[0])
        fprintf(options.log, "told commit %s %s\n", c->table->room, commit);
    snprintf(c->phase, sizeof c->phase, "%s", phase);
    if (code)
        snprintf(c->table->code, sizeof c->table->code, "%s", code);
    c->is_seated = json_integer_value(json_object_get(message, "seat")) == c->seat;
    c->is_host = json_is_true(json_object_get(message, "host"));
    c->are_all_seated = true;
    json_array_foreach(json_object_get(message, "seats"), i, seat)
    {
        const char *kind = json_string_value(json_object_get(seat, "kind"));
        if (!kind || strcmp(kind, "person") != 0)
            c->are_all_seated = false;
    }
    if (strcmp(phase, "waiting") == 0 || strcmp(phase, "words") == 0) {
        if (c->count > 0)
            wrong(c, "is back in phase %s", phase);
        is_complete(c);
    } else if (strcmp(phase, "closed") == 0) {
        wrong(c, "the room was closed");
    }
    take_next(c, next);
    remind(c);
}

static void take_chat(struct client *c, json_t *message)
{
    unsigned n = (unsigned)json_integer_value(json_object_get(message, "n"));
    if (c->chats && n != c->chats + 1)
        wrong(c, "chat %u follows %u", n, c->chats);
    c->chats = n;
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void acknowledge(struct client *c, json_t *message)
{
    json_t *decision = json_object_get(message, "decision");
    int id = (int)json_integer_value(json_object_get(message, "id"));
    if (decision) {
        if (!c->move.text[0] || json_integer_value(decision) != c->decision)
            return; /* it was said twice, and is answered twice */
        fprintf(options.log, "told move %s %d %d %s\n", c->table->room, c->seat, c->decision,
                c->event);
        facts.acknowledged++;
        note_time(&facts.answer, c->move.asked);
        c->table->moved = socket_now();
        c->move.text[0] = 0;
    } else if (id && id == c->other.id && c->other.text[0]) {
        take_next(c, json_string_value(json_object_get(message, "room")));
        told(c, &c->other);
        remind(c);
    }
}

static void refuse(struct client *c, json_t *message)
{
    const char *code = json_string_value(json_object_get(message, "code"));
    int id = (int)json_integer_value(json_object_get(message, "id"));
    bool is_busy = code && strcmp(code, "BUSY") == 0;
    facts.busy += is_busy;
    if (is_busy && c->step < STEP_WELCOME) { /* the connection is closed, and we try again */
        if (c->failures > BUSY_RETRIES)
            c->failures = BUSY_RETRIES;
        return;
    }
    struct wish *wish = id && id == c->move.id    ? &c->move
                        : id && id == c->other.id ? &c->other
                                                  : NULL;
    if (is_busy && wish) {
        wish->again = socket_now() + BUSY + some(BUSY);
    } else if (!is_busy && (wish || c->step < STEP_WELCOME)) {
        char *text = json_dumps(message, JSON_COMPACT);
        wrong(c, "was refused: %s, %s", wish ? wish->text : "hello", text);
        free(text);
        if (wish)
            wish->text[0] = 0;
    }
}

static void take_message(void *context, char *text, size_t size)
{
    struct client *c = context;
    json_t *message = json_loadb(text, size, JSON_ALLOW_NUL, NULL);
    const char *type = json_string_value(json_object_get(message, "t"));
    c->heard = socket_now();
    c->pinged = 0;
    if (!type)
        wrong(c, "gets no message: %.100s", text);
    else if (strcmp(type, "welcome") == 0) {
        c->failures = 0;
        enter(c, STEP_WELCOME);
    } else if (strcmp(type, "room") == 0)
        take_room(c, message);
    else if (strcmp(type, "lines") == 0)
        take_lines(c, message);
    else if (strcmp(type, "view") == 0)
        take_view(c, message);
    else if (strcmp(type, "record") == 0)
        take_record(c);
    else if (strcmp(type, "chat") == 0)
        take_chat(c, message);
    else if (strcmp(type, "ok") == 0)
        acknowledge(c, message);
    else if (strcmp(type, "no") == 0)
        refuse(c, message);
    else if (strcmp(type, "soon") == 0)
        c->soon = socket_now() + MS * (uint64_t)json_integer_value(json_object_get(message, "ms"));
    json_decref(message);
}

/* ---- Moves ----------------------------------------------------------------------------------- */

static bool move(struct client *c)
{
    const struct es_setup *setup = c->table->setup;
    es_event legal[ES_LEGAL_MAX];
    if (!c->seat || c->step != STEP_READY || !c->is_due || c->move.text[0])
        return false;
    size_t count = setup->game->legal(setup, &c->view, c->seat, legal);
    if (count == 0)
        return false;
    struct es_out out = {c->event, ES_EVENT_BYTES, 0};
    setup->game->format(setup, legal[es_random_below(&source, (uint32_t)count)], &out);
    c->event[out.used] = 0;
    c->decision = c->decisions;
    c->is_due = false; /* until we are told again */
    c->move = (struct wish){.asked = socket_now(), .id = next_id++};
    snprintf(c->move.text, sizeof c->move.text,
             "{\"t\":\"move\",\"id\":%d,\"decision\":%d,\"event\":\"%s\"}", c->move.id, c->decision,
             c->event);
    fprintf(options.log, "asked move %s %d %d %s\n", c->table->room, c->seat, c->decision,
            c->event);
    say_wish(c, &c->move);
    return true;
}

/* Some write something, and some hang up before they have an answer. */
static void misbehave(struct client *c)
{
    if (some(20) == 0 && !c->other.text[0] && !c->table->is_open && !finishing) {
        char key[41], words[40];
        snprintf(key, sizeof key, "chat%d", next_id);
        snprintf(words, sizeof words, "words number %d", next_id);
        ask(c, "chat", 'C', key, ",\"text\":\"%s\"", words);
        snprintf(c->other.more, sizeof c->other.more, "%s", words);
        ask_now(c);
    }
    if (some(50) == 0) {
        c->shunned = c->process;
        move_over(c);
    }
}

int players_move(void)
{
    static int turn;
    for (int tried = 0; tried < options.rooms; tried++) {
        struct client *first = &client[(turn = (turn + 1) % options.rooms) * of_table];
        int moves = 0;
        for (int i = 0; i < of_table; i++)
            if (move(&first[i])) {
                moves++;
                misbehave(&first[i]);
            }
        if (moves)
            return moves;
    }
    return 0;
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* Goes home if the process there runs again. */
static void go_home(struct client *c, uint64_t now)
{
    uint64_t up = cluster_up(c->home);
    if (c->process == c->home || !up || now - up < HOMESICK) {
        c->leaves = 0;
    } else if (!c->leaves) {
        c->leaves = now + some(2000) * MS;
    } else if (now >= c->leaves) {
        move_over(c);
    }
}

static void check_time(struct client *c, uint64_t now)
{
    switch (c->step) {
    case STEP_AWAY:
        /* Spectators need the code, which players are told. */
        if (now >= c->retry && (c->seat || c->table->code[0]))
            connect_somewhere(c);
        return;
    case STEP_OPENING:
    case STEP_WELCOME:
        if (now - c->since > WELCOME || now - c->heard > SILENCE + PONG) {
            c->shunned = c->process;
            lose(c);
        }
        return;
    case STEP_READY:
        break;
    }
    if (c->pinged && now - c->pinged > PONG) {
        c->shunned = c->process;
        lose(c);
        return;
    }
    if (!c->pinged && now - c->heard > SILENCE) {
        c->pinged = now;
        socket_say(c->socket.file, "{\"t\":\"ping\"}");
    }
    if (c->move.text[0] && c->move.again && now >= c->move.again)
        say_wish(c, &c->move);
    if (c->other.text[0] && c->other.again && now >= c->other.again)
        say_wish(c, &c->other);
    if (now - c->reminded > REMIND)
        remind(c);
    go_home(c, now);
}

static const struct socket_events events = {say_hello, take_message};

void players_run(int ms)
{
    struct epoll_event ready[AT_ONCE];
    static uint64_t checked;
    int count = epoll_wait(loop, ready, AT_ONCE, ms);
    for (int i = 0; i < count; i++) {
        struct client *c = ready[i].data.ptr;
        if (c->socket.file >= 0 && !socket_read(&c->socket, &events, c)) {
            if (c->socket.close >= 4000 || c->socket.close == 1008)
                wrong(c, "was closed with %d", c->socket.close);
            lose(c);
        }
    }
    uint64_t now = socket_now();
    if (now - checked < 5 * MS)
        return;
    checked = now;
    for (int i = 0; i < clients; i++)
        check_time(&client[i], now);
    for (int i = 0; i < options.rooms && !finishing; i++)
        if (table[i].next[0])
            go_on(&table[i]);
}

/* ---- Where they stand ------------------------------------------------------------------------ */

static bool is_settled(const struct client *c, uint64_t since)
{
    bool is_back = !c->lost || (c->lost >= since && (!why_now || c->why != why_now));
    return is_back && !(c->move.text[0] && c->move.asked < since) &&
           !(c->other.text[0] && c->other.asked < since);
}

bool players_settled(uint64_t since)
{
    for (int i = 0; i < clients; i++)
        if (!is_settled(&client[i], since))
            return false;
    return true;
}

void players_explain(uint64_t since)
{
    int shown = 0;
    for (int i = 0; i < clients && shown < 10; i++) {
        const struct client *c = &client[i];
        if (is_settled(c, since) && !(finishing && !c->table->is_over))
            continue;
        shown++;
        printf("%s, seat %d, at process %d: step %d for %.1f s, phase '%s', %zu lines, asked '%s' "
               "'%s'%s%s\n",
               c->table->room, c->seat, c->process, c->step,
               (double)(socket_now() - c->since) / 1e6, c->phase, c->count, c->move.text,
               c->other.text, c->is_due ? ", due" : "", c->has_record ? ", has the record" : "");
    }
}

void players_finish(void)
{
    finishing = true;
    for (int t = 0; t < options.rooms; t++) {
        const struct client *first = &client[t * of_table];
        table[t].is_over = true;
        for (int i = 0; i < of_table; i++)
            table[t].is_over = table[t].is_over && first[i].has_record;
    }
}

bool players_finished(void)
{
    for (int t = 0; t < options.rooms; t++)
        if (!table[t].is_over)
            return false;
    return players_settled(UINT64_MAX);
}

void players_blame(int why)
{
    why_now = why;
}

struct players_facts *players_facts(void)
{
    return &facts;
}

/* ---- Beginning ------------------------------------------------------------------------------- */

/* The games that so many can play. */
static int prepare_games(void)
{
    struct es_fault fault;
    int count = 0;
    if (es_map_read(&map, es_builtin_maps[0].text, &fault))
        abort();
    for (int i = 0; es_games[i] && count < GAMES_MAX; i++) {
        struct es_setup *setup = &setups[count];
        *setup = (struct es_setup){.game = es_games[i], .players = (uint8_t)options.seats};
        if (es_games[i]->has_map)
            setup->map = &map;
        if (es_setup_prepare(setup) == ES_OK)
            count++;
    }
    if (count == 0)
        abort();
    return count;
}

static void make_table(int number, int games)
{
    struct table *t = &table[number];
    struct client *first = &client[number * of_table];
    char header[120];
    *t = (struct table){.setup = &setups[number % games], .is_open = number / games % 2};
    snprintf(header, sizeof header, "game %s\\nplayers %d\\n%s%s", t->setup->game->name,
             options.seats, t->setup->map ? "map " : "", t->setup->map ? map.id : "");
    for (int i = 0; i < of_table; i++) {
        struct client *c = &first[i];
        *c = (struct client){.socket = {.file = -1},
                             .number = number * of_table + i,
                             .table = t,
                             .seat = i < options.seats ? i + 1 : 0,
                             .home = (number + (options.are_together ? 0 : i)) % options.processes,
                             .shunned = -1,
                             .lost = socket_now()};
        forget_game(c);
        if (c->seat)
            socket_make_guest(cluster_port(c->home), c->number, &c->guest);
    }
    socket_make_room(cluster_port(first->home), first->number, &first->guest, header, t->is_open,
                     t->room, t->code);
    fprintf(options.log, "told room %s\n", t->room);
}

void players_start(const struct players_options *wanted)
{
    options = *wanted;
    if (options.seats > SEATS_MAX)
        options.seats = SEATS_MAX;
    of_table = options.seats + options.watchers;
    clients = options.rooms * of_table;
    table = calloc((size_t)options.rooms, sizeof *table);
    client = calloc((size_t)clients, sizeof *client);
    loop = epoll_create1(EPOLL_CLOEXEC);
    if (!table || !client || loop < 0)
        abort();
    es_random_seed(&source, options.seed);
    int games = prepare_games();
    for (int i = 0; i < options.rooms; i++)
        make_table(i, games);
}
