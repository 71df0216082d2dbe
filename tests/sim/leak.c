/* Nothing leaks: two runs that differ only in what a viewer may not know tell that viewer the same
 * bytes at the same times.
 *
 * There are no faults here: the store answers immediately, and people follow a script. In half of
 * the seeds there are two processes: the person whose secret it is is connected to the one, and
 * everybody else to the other. Three scripts differ in:
 *
 *     entries  verplant: somebody's entries of an open round, and how many they are
 *     tiles    metro: a tile in somebody else's hand
 *     thought  how soon a bot has found its move
 */
#include "sim.h"
#include <endstation/bots.h>
#include <endstation/fair.h>
#include <endstation/metro.h>

enum { CONNS = 40 };

struct leak {
    struct leak_process {
        struct leak *run;
        struct rooms *rooms;
        uint64_t wake;
    } process[2];
    int processes;
    int secretive; /* the person who is connected to the first process, if there are two */
    struct store *store;
    uint64_t now;
    int variant;
    uint64_t bot_ms; /* how long bots think */
    /* What each connection was sent, with the times. */
    char *log[CONNS];
    size_t logged[CONNS], log_room[CONNS];
    int conns;
    struct leak_process *at[CONNS];
    char token[4][SIM_TOKEN_BYTES];
    char room[STORE_ROOM_BYTES];
    /* Answers and news for a process; later, because out() may not call rooms_step(). */
    struct leak_input {
        struct leak_process *process;
        bool is_news;
        struct store_answer answer;
        struct store_news news;
    } input[64];
    int inputs;
    struct {
        struct leak_process *process;
        uint64_t question, when;
        char event[ES_EVENT_BYTES + 1];
    } thought[64];
    int thoughts;
    /* The entry of the list in which the store answers with another tile. */
    size_t patched;
    char patch[5];
    char reply[9000];
    struct es_record *record; /* the game, from the store */
    struct es_state state;
};

static void note(struct leak *run, uint64_t conn, const char *what, struct es_str text)
{
    size_t i = (size_t)conn - 1;
    if (i >= CONNS)
        violated("leak: too many connections");
    size_t wanted = run->logged[i] + text.size + 64;
    if (wanted > run->log_room[i]) {
        char *more = sim_alloc(2 * wanted);
        if (run->logged[i])
            memcpy(more, run->log[i], run->logged[i]);
        run->log[i] = more;
        run->log_room[i] = 2 * wanted;
    }
    char *at = run->log[i] + run->logged[i];
    at += sprintf(at, "%llu %s ", (unsigned long long)run->now, what);
    if (text.size)
        memcpy(at, text.at, text.size);
    at += text.size;
    *at++ = '\n';
    *at = '\0';
    run->logged[i] = (size_t)(at - run->log[i]);
    if (verbose)
        printf("leak %d: %llu to %llu: %s %.*s\n", run->variant, (unsigned long long)run->now,
               (unsigned long long)conn, what, (int)text.size, text.size ? text.at : "");
}

static void think(struct leak_process *process, const struct rooms_output *output)
{
    struct leak *run = process->run;
    struct es_record *record = sim_alloc(sizeof *record);
    struct es_state state;
    struct es_fault fault;
    struct es_bot bot;
    struct es_thought how = {.seed = 1};
    char *text = sim_text("%.*s", (int)output->text.size, output->text.at);
    if (run->thoughts == 64)
        violated("leak: too many thoughts");
    if (read_record(record, es_str(text), &state, &fault))
        violated("leak: a bot's question cannot be read");
    es_bot_named(record->setup.game, es_str("greedy"), &bot);
    es_event event = bot.think(&bot, &record->setup, &state, output->seat, &how);
    run->thought[run->thoughts].process = process;
    run->thought[run->thoughts].question = output->question;
    run->thought[run->thoughts].when = run->now + run->bot_ms;
    format_event(&record->setup, event, run->thought[run->thoughts++].event);
}

static struct leak_input *add_input(struct leak *run, struct leak_process *process)
{
    if (run->inputs == 64)
        violated("leak: too many questions");
    struct leak_input *input = &run->input[run->inputs++];
    *input = (struct leak_input){.process = process};
    return input;
}

/* The other process hears of what was stored. */
static void announce(struct leak_process *from, const struct store_question *question)
{
    struct leak *run = from->run;
    if (run->processes < 2 || (question->kind != STORE_APPEND && question->kind != STORE_HERE))
        return;
    struct leak_input *input = add_input(run, &run->process[from == run->process]);
    input->is_news = true;
    input->news.kind = question->kind == STORE_HERE ? NEWS_HERE : NEWS_ROOM;
    memcpy(input->news.room, question->head.room, sizeof input->news.room);
    input->news.next = question->first + question->entries;
    input->news.listed = question->head.listed;
}

/* Answers a question; in a list with another tile, if there is one. */
static void ask_store(struct leak_process *process, const struct store_question *question)
{
    struct leak *run = process->run;
    struct store_answer *answer = &add_input(run, process)->answer;
    store_ask(run->store, question, answer);
    if (question->kind == STORE_READ && run->patched && run->patched >= question->first &&
        run->patched < question->first + answer->entries) {
        struct es_str tile = answer->entry[run->patched - question->first].text;
        memcpy((char *)tile.at + tile.size - 4, run->patch, 4);
    }
    if (answer->outcome == STORE_STORED)
        announce(process, question);
}

static void out(void *context, const struct rooms_output *output)
{
    struct leak_process *process = context;
    struct leak *run = process->run;
    char text[16];
    switch (output->kind) {
    case ROOMS_SEND:
        for (size_t i = 0; i < output->connections; i++)
            note(run, output->connection[i], "told", output->text);
        break;
    case ROOMS_REPLY:
        note(run, *output->connection, "reply", output->text);
        snprintf(run->reply, sizeof run->reply, "%.*s", (int)output->text.size, output->text.at);
        break;
    case ROOMS_CLOSE:
        snprintf(text, sizeof text, "%d", output->status);
        note(run, *output->connection, "closed", es_str(text));
        break;
    case ROOMS_KNOWN:
        break;
    case ROOMS_ASK:
        ask_store(process, output->store);
        break;
    case ROOMS_THINK:
        think(process, output);
        break;
    case ROOMS_WAKE:
        process->wake = output->when;
        break;
    case ROOMS_FORGET:
    case ROOMS_SAVE:
    case ROOMS_LOG:
        break;
    }
}

/* Answers all questions to the store before anything else happens. */
static void settle(struct leak *run)
{
    while (run->inputs) {
        struct leak_input input = run->input[0];
        memmove(run->input, run->input + 1, (size_t)--run->inputs * sizeof input);
        rooms_step(input.process->rooms,
                   &(struct rooms_input){.kind = input.is_news ? ROOMS_NEWS : ROOMS_ANSWER,
                                         .now = run->now,
                                         .answer = &input.answer,
                                         .news = &input.news});
        free(input.answer.memory);
    }
}

static void step(struct leak_process *process, struct rooms_input input)
{
    input.now = process->run->now;
    rooms_step(process->rooms, &input);
    settle(process->run);
}

/* Lets time pass until `until`. */
static void pass(struct leak *run, uint64_t until)
{
    for (;;) {
        uint64_t next = until + 1;
        struct leak_process *woken = NULL;
        int first = -1;
        for (int i = 0; i < run->processes; i++)
            if (run->process[i].wake && run->process[i].wake < next) {
                woken = &run->process[i];
                next = woken->wake;
            }
        for (int i = 0; i < run->thoughts; i++)
            if (run->thought[i].when <= until &&
                (first < 0 || run->thought[i].when < run->thought[first].when))
                first = i;
        if (first >= 0 && run->thought[first].when <= next) {
            run->now = run->thought[first].when > run->now ? run->thought[first].when : run->now;
            struct leak_process *process = run->thought[first].process;
            uint64_t question = run->thought[first].question;
            char event[ES_EVENT_BYTES + 1];
            memcpy(event, run->thought[first].event, sizeof event);
            run->thought[first] = run->thought[--run->thoughts];
            step(process, (struct rooms_input){
                              .kind = ROOMS_THOUGHT, .question = question, .text = es_str(event)});
        } else if (woken) {
            run->now = next > run->now ? next : run->now;
            woken->wake = 0;
            step(woken, (struct rooms_input){.kind = ROOMS_TIME});
        } else {
            break;
        }
    }
    run->now = until;
}

static uint64_t open_conn(struct leak *run, enum rooms_path path, int person)
{
    uint64_t id = (uint64_t)++run->conns;
    if (id > CONNS)
        violated("leak: too many connections");
    struct leak_process *process =
        &run->process[run->processes > 1 && person != run->secretive ? 1 : 0];
    run->at[id - 1] = process;
    step(process, (struct rooms_input){.kind = ROOMS_OPENED,
                                       .connection = id,
                                       .path = path,
                                       .room = es_str(path == ROOMS_ROOM ? run->room : ""),
                                       .address = id,
                                       .network = id,
                                       .token = es_str(person < 0 ? "" : run->token[person])});
    return id;
}

static void hear(struct leak *run, uint64_t conn, const char *text)
{
    step(run->at[conn - 1],
         (struct rooms_input){.kind = ROOMS_MESSAGE, .connection = conn, .text = es_str(text)});
}

static uint64_t enter(struct leak *run, enum rooms_path path, int person)
{
    uint64_t conn = open_conn(run, path, person);
    hear(run, conn, "{\"t\":\"hello\",\"v\":1}");
    return conn;
}

static void leave(struct leak *run, uint64_t conn)
{
    step(run->at[conn - 1], (struct rooms_input){.kind = ROOMS_GONE, .connection = conn});
}

static void ask(struct leak *run, int person, const char *body)
{
    uint64_t conn = open_conn(run, ROOMS_REQUEST, person);
    hear(run, conn, body);
}

/* Reads a text field from the latest message on a connection. */
static void last_field(const char *log, const char *name, char *text, size_t size)
{
    char mark[40];
    snprintf(mark, sizeof mark, "\"%s\":\"", name);
    const char *at = NULL;
    for (const char *next = log; (next = strstr(next, mark)); next++)
        at = next + strlen(mark);
    const char *end = at ? strchr(at, '"') : NULL;
    if (!end || (size_t)(end - at) >= size)
        violated("leak: no '%s' was told in: %s", name, log);
    memcpy(text, at, (size_t)(end - at));
    text[end - at] = '\0';
}

static void start_processes(struct leak *run, struct es_random *random)
{
    for (int p = 0; p < run->processes; p++) {
        struct leak_process *process = &run->process[p];
        struct rooms_options options = {.out = out, .context = process};
        for (int i = 0; i < 32; i++)
            options.seed[i] = (uint8_t)es_random_below(random, 256);
        for (int i = 0; run->processes > 1 && i < STORE_PROCESS_BYTES - 1; i++)
            options.process[i] = (char)('a' + es_random_below(random, 26));
        *process = (struct leak_process){.run = run, .rooms = rooms_new(&options)};
        rooms_start(process->rooms, run->now);
        settle(run);
    }
}

static void begin(struct leak *run, struct es_random *random, int variant, int processes)
{
    *run = (struct leak){.now = 1700000000000,
                         .variant = variant,
                         .bot_ms = 10,
                         .processes = processes,
                         .secretive = 1};
    run->store = store_memory();
    start_processes(run, random);
    for (int i = 0; i < 3; i++) {
        pass(run, run->now + 1000);
        ask(run, -1, sim_text("{\"t\":\"guest\",\"name\":\"P%d\",\"colour\":%d}", i, i));
        last_field(run->reply, "token", run->token[i], sizeof run->token[i]);
    }
}

static void end(struct leak *run)
{
    for (int i = 0; i < run->processes; i++)
        rooms_free(run->process[i].rooms);
    run->store->close(run->store);
}

/* Makes a room, lets `people` persons sit down in the first seats, and starts the game. Sets
 * seat[i] to their connections, and seat[people] to a spectator's. */
static void start_game(struct leak *run, const char *setup, int people, int clock, uint64_t *seat)
{
    uint64_t lobby = enter(run, ROOMS_LOBBY, 0);
    hear(run, lobby,
         sim_text("{\"t\":\"make\",\"id\":1,\"key\":\"k\",\"setup\":\"%s\",\"open\":false,"
                  "\"watch\":true,\"clock\":%d}",
                  setup, clock));
    char code[STORE_CODE_BYTES];
    last_field(run->log[lobby - 1], "room", run->room, sizeof run->room);
    last_field(run->log[lobby - 1], "code", code, sizeof code);
    for (int i = 0; i < people; i++) {
        uint8_t word[32], hash[32];
        char hex[65] = "";
        struct es_out to = {hex, 64, 0};
        memset(word, i + 1, sizeof word);
        es_fair_hash(word, hash);
        es_out_hex(&to, hash, 32);
        pass(run, run->now + 1000);
        seat[i] = open_conn(run, ROOMS_ROOM, i);
        hear(run, seat[i], sim_text("{\"t\":\"hello\",\"v\":1,\"code\":\"%s\"}", code));
        hear(
            run, seat[i],
            sim_text("{\"t\":\"sit\",\"key\":\"s%d\",\"seat\":%d,\"hash\":\"%s\"}", i, i + 1, hex));
    }
    /* A spectator. */
    seat[people] = open_conn(run, ROOMS_ROOM, -1);
    hear(run, seat[people], sim_text("{\"t\":\"hello\",\"v\":1,\"code\":\"%s\"}", code));
    pass(run, run->now + 1000);
    hear(run, seat[0], "{\"t\":\"start\",\"key\":\"start\"}");
    for (int i = 0; i < people; i++) {
        pass(run, run->now + 500);
        char hex[65];
        for (int k = 0; k < 32; k++)
            snprintf(hex + 2 * k, 3, "%02x", i + 1);
        hear(run, seat[i], sim_text("{\"t\":\"word\",\"word\":\"%s\"}", hex));
    }
    pass(run, run->now + 1000);
}

/* Reads the game from the store. */
static void look(struct leak *run)
{
    struct store_question question = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    memcpy(question.head.room, run->room, sizeof run->room);
    store_ask(run->store, &question, &answer);
    if (!answer.found || !answer.entries)
        violated("leak: there is no room");
    char *text = sim_text("%.*s", (int)answer.entry[0].text.size, answer.entry[0].text.at);
    struct es_fault fault;
    if (!run->record) {
        run->record = sim_alloc(sizeof *run->record);
        const char *setup = strstr(text, "\n\n");
        if (!setup || read_record(run->record, es_str(setup + 2), &run->state, &fault))
            violated("leak: the room cannot be read");
    }
    struct es_record *record = run->record;
    record->setup.game->start(&record->setup, &run->state);
    record->count = 0;
    for (size_t i = 0; i < answer.entries; i++) {
        const struct store_entry *entry = &answer.entry[i];
        es_event event;
        if (!strchr("ebtc", entry->kind))
            continue;
        if (i + 1 == run->patched)
            memcpy((char *)entry->text.at + entry->text.size - 4, run->patch, 4);
        if (record->setup.game->parse(&record->setup, entry->text, &event) ||
            record->setup.game->apply(&record->setup, &run->state, event))
            violated("leak: an event that is not legal");
        record->events[record->count++] = event;
    }
    free(answer.memory);
}

static int made_by(const struct es_record *record, int player)
{
    int made = 0;
    for (size_t i = 0; i < record->count; i++)
        made += ES_EVENT_WHO(record->events[i]) == player;
    return made;
}

static void move(struct leak *run, uint64_t conn, int player, es_event event, int decision)
{
    char text[ES_EVENT_BYTES + 1];
    format_event(&run->record->setup, event, text);
    hear(run, conn, sim_text("{\"t\":\"move\",\"decision\":%d,\"event\":\"%s\"}", decision, text));
    (void)player;
}

/* Moves for everybody who is due, until none of the persons is, or `rounds` moves were made. */
static void play_some(struct leak *run, struct es_random *random, const uint64_t *seat, int people,
                      int moves)
{
    static es_event legal[ES_LEGAL_MAX];
    for (int i = 0; i < moves; i++) {
        look(run);
        struct es_turn turn = run->record->setup.game->turn(&run->record->setup, &run->state);
        int player = 0;
        for (int p = 1; p <= people; p++)
            if (turn.kind == ES_TURN_PLAYERS && turn.players >> (p - 1) & 1)
                player = player ? player : p;
        pass(run, run->now + 700);
        if (!player)
            continue;
        size_t count =
            run->record->setup.game->legal(&run->record->setup, &run->state, player, legal);
        es_event event = legal[es_random_below(random, (uint32_t)count)];
        move(run, seat[player - 1], player, event, made_by(run->record, player));
    }
    look(run);
}

/* Asks for everything that a curious viewer or spectator can ask for. */
static void pry(struct leak *run, uint64_t viewer, uint64_t watcher, const char *key)
{
    hear(run, viewer, "{\"t\":\"again\",\"id\":5}");
    hear(run, watcher, "{\"t\":\"again\"}");
    hear(run, viewer, sim_text("{\"t\":\"chat\",\"id\":6,\"key\":\"%s\",\"text\":\"hm\"}", key));
    hear(run, viewer, "{\"t\":\"react\",\"what\":\"think\"}");
    hear(run, viewer, "{\"t\":\"move\",\"id\":7,\"decision\":99,\"event\":\"2 A1\"}");
    uint64_t other = enter(run, ROOMS_ROOM, 0);
    leave(run, other);
    static const char *const what[] = {"rooms", "room", "record", "state", "picture"};
    for (int i = 0; i < 5; i++)
        ask(run, 0,
            sim_text("{\"t\":\"get\",\"what\":\"%s\",\"room\":\"%s\"}", what[i], run->room));
}

/* Compares what a connection was sent in both runs. */
static void same(struct leak *a, struct leak *b, uint64_t conn, const char *who, const char *what)
{
    size_t i = (size_t)conn - 1;
    if (a->logged[i] == b->logged[i] && !memcmp(a->log[i], b->log[i], a->logged[i]))
        return;
    size_t at = 0, line = 0;
    while (at < a->logged[i] && at < b->logged[i] && a->log[i][at] == b->log[i][at]) {
        if (a->log[i][at] == '\n')
            line = at + 1;
        at++;
    }
    violated("%s: %s can tell the two runs apart:\n%.*s\n%.*s", what, who,
             (int)strcspn(a->log[i] + line, "\n"), a->log[i] + line,
             (int)strcspn(b->log[i] + line, "\n"), b->log[i] + line);
}

static void same_all(struct leak *a, struct leak *b, const char *what, uint64_t secret)
{
    if (a->conns != b->conns)
        violated("%s: the runs are not alike", what);
    for (int i = 0; i < a->conns; i++)
        if ((uint64_t)i + 1 != secret)
            same(a, b, (uint64_t)i + 1, sim_text("connection %d", i + 1), what);
}

/* ---- Entries of an open round ---------------------------------------------------------------- */

/* Chooses all entries of a turn: the first legal ones, or others. Returns their number. */
static int choose_turn(struct leak *run, struct es_random *random, int player, es_event *event)
{
    static es_event legal[ES_LEGAL_MAX];
    const struct es_setup *setup = &run->record->setup;
    struct es_state state = run->state;
    int chosen = 0;
    for (; chosen < 12; chosen++) {
        struct es_turn turn = setup->game->turn(setup, &state);
        if (turn.kind != ES_TURN_PLAYERS || !(turn.players >> (player - 1) & 1))
            break;
        size_t count = setup->game->legal(setup, &state, player, legal);
        event[chosen] = legal[es_random_below(random, (uint32_t)count)];
        /* In the second run, several entries if possible. */
        for (size_t i = 0; i < count && run->variant && chosen < 3; i++) {
            struct es_state next = state;
            if (setup->game->apply(setup, &next, legal[i]))
                violated("leak: a legal move is not legal");
            turn = setup->game->turn(setup, &next);
            if (turn.kind == ES_TURN_PLAYERS && turn.players >> (player - 1) & 1) {
                event[chosen] = legal[i];
                break;
            }
        }
        if (setup->game->apply(setup, &state, event[chosen]))
            violated("leak: a legal move is not legal");
    }
    return chosen;
}

/* How many processes there are in a seed. */
static int processes_of(uint64_t seed)
{
    return 1 + (int)(seed / 6 % 2);
}

static void entries_run(struct leak *run, uint64_t seed, int variant, int clock, uint64_t *seat)
{
    struct es_random random;
    es_event event[12];
    es_random_seed(&random, seed);
    begin(run, &random, variant, processes_of(seed));
    start_game(run, "game verplant\\nmap practice\\nplayers 3\\nrules special\\n", 3, clock, seat);
    uint64_t lobby = enter(run, ROOMS_LOBBY, 0);
    play_some(run, &random, seat, 3, (int)es_random_below(&random, 25) + 1);
    /* To the beginning of a round. */
    for (int i = 0; i < 40; i++) {
        struct es_turn turn = run->record->setup.game->turn(&run->record->setup, &run->state);
        if (turn.kind != ES_TURN_PLAYERS || turn.players == 7)
            break;
        play_some(run, &random, seat, 3, 1);
    }
    struct es_turn turn = run->record->setup.game->turn(&run->record->setup, &run->state);
    if (turn.kind != ES_TURN_PLAYERS || !(turn.players & 2) || turn.players == 2)
        return;
    es_random_seed(&random, seed * 2 + (uint64_t)variant);
    int made = made_by(run->record, 2), chosen = choose_turn(run, &random, 2, event);
    uint64_t from = run->now;
    for (int i = 0; i + 1 < chosen; i++) {
        pass(run, from + 100 * (uint64_t)(i + 1));
        move(run, seat[1], 2, event[i], made + i);
    }
    pass(run, from + 1500);
    pry(run, seat[0], seat[3], "p1");
    pass(run, from + 3000);
    move(run, seat[1], 2, event[chosen - 1], made + chosen - 1);
    pass(run, from + 4500);
    pry(run, seat[0], seat[3], "p2");
    pass(run, from + 6000);
    leave(run, seat[0]);
    leave(run, lobby);
    pass(run, from + 8000);
    count("leak", chosen > 1 ? "several entries" : "one entry");
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

/* Finds the entry that dealt the tile that `player` still has, and another tile in its place. */
static bool choose_tile(struct leak *run, int player)
{
    const struct es_metro_state *s = es_metro_state(&run->state);
    struct store_question question = {.kind = STORE_READ, .first = 1};
    struct store_answer answer;
    int tile = s->hand[player - 1][0], other = -1;
    for (int i = 0; i < ES_TILE_KINDS; i++)
        if (i != tile && s->unseen[i] >= 2 && (other < 0 || s->unseen[i] > s->unseen[other]))
            other = i;
    /* A tile that was drawn may have been laid since. */
    size_t dealt = 0, laid = 0;
    for (size_t i = 0; i < run->record->count; i++) {
        es_event event = run->record->events[i];
        if (ES_EVENT_WHO(event) == player)
            laid = i;
        if (ES_EVENT_WHO(event) == ES_CHANCE && ES_METRO_DEAL_PLAYER(event) == player)
            dealt = i;
    }
    if (other < 0 || !s->held[player - 1] || laid > dealt)
        return false;
    memcpy(question.head.room, run->room, sizeof run->room);
    store_ask(run->store, &question, &answer);
    char mark[16];
    snprintf(mark, sizeof mark, "deal %d ", player);
    for (size_t i = 0; i < answer.entries; i++)
        if (answer.entry[i].kind == ENTRY_CHANCE &&
            !strncmp(answer.entry[i].text.at, mark, strlen(mark)))
            run->patched = i + 1;
    free(answer.memory);
    struct es_out to = {run->patch, 4, 0};
    es_tile_write(other, &to);
    return true;
}

static bool tiles_run(struct leak *run, uint64_t seed, int variant, uint64_t *seat)
{
    struct es_random random;
    es_random_seed(&random, seed);
    begin(run, &random, variant, processes_of(seed));
    start_game(run, "game metro\\nplayers 3\\n", 3, 0, seat);
    play_some(run, &random, seat, 3, 3 * (1 + (int)es_random_below(&random, 4)));
    struct es_turn turn = run->record->setup.game->turn(&run->record->setup, &run->state);
    for (int i = 0; i < 10 && turn.players != 1; i++) {
        play_some(run, &random, seat, 3, 1);
        turn = run->record->setup.game->turn(&run->record->setup, &run->state);
    }
    if (turn.kind != ES_TURN_PLAYERS || turn.players != 1 || !choose_tile(run, 2))
        return false;
    if (!variant)
        run->patched = 0;
    /* New server processes read the list, in which the tile is another one. */
    for (int i = 0; i < run->processes; i++)
        rooms_free(run->process[i].rooms);
    run->thoughts = 0;
    start_processes(run, &random);
    memset(run->logged, 0, sizeof run->logged);
    memset(run->log_room, 0, sizeof run->log_room);
    run->conns = 0;
    seat[0] = enter(run, ROOMS_ROOM, 0);
    seat[1] = enter(run, ROOMS_ROOM, 2);
    uint64_t lobby = enter(run, ROOMS_LOBBY, 0);
    pry(run, seat[0], seat[0], "t1");
    pass(run, run->now + 1000);
    look(run);
    static es_event legal[ES_LEGAL_MAX];
    size_t count_legal = run->record->setup.game->legal(&run->record->setup, &run->state, 1, legal);
    es_event event = legal[count_legal - 1]; /* lays its tile */
    move(run, seat[0], 1, event, made_by(run->record, 1));
    pass(run, run->now + 1000);
    pry(run, seat[0], seat[0], "t2");
    pass(run, run->now + 1000);
    leave(run, lobby);
    return true;
}

/* ---- Bots ------------------------------------------------------------------------------------ */

static void thought_run(struct leak *run, uint64_t seed, int variant, uint64_t *seat)
{
    struct es_random random;
    es_random_seed(&random, seed);
    begin(run, &random, variant, processes_of(seed));
    run->bot_ms = variant ? 300 : 0;
    start_game(run,
               seed % 2 ? "game metro\\nplayers 3\\nbot 3 greedy\\n"
                        : "game verplant\\nmap practice\\nplayers 3\\nrules special\\nbot 3 "
                          "greedy\\n",
               2, 0, seat);
    play_some(run, &random, seat, 2, 12);
}

void leak_run(uint64_t seed)
{
    uint64_t seat[4];
    static struct leak a, b;
    count("leak", processes_of(seed) > 1 ? "two processes" : "one process");
    switch (seed % 3) {
    case 0:
        entries_run(&a, seed, 0, seed % 2 ? 60 : 0, seat);
        entries_run(&b, seed, 1, seed % 2 ? 60 : 0, seat);
        same_all(&a, &b, "another's entries in an open round", seat[1]);
        end(&a);
        end(&b);
        count("leak", "entries compared");
        break;
    case 1:
        if (tiles_run(&a, seed, 0, seat)) {
            tiles_run(&b, seed, 1, seat);
            same_all(&a, &b, "a tile in another's hand", 0);
            end(&b);
            count("leak", "tiles compared");
        }
        end(&a);
        break;
    default:
        thought_run(&a, seed, 0, seat);
        thought_run(&b, seed, 1, seat);
        same_all(&a, &b, "how soon a bot has found its move", 0);
        end(&a);
        end(&b);
        count("leak", "thoughts compared");
    }
}
