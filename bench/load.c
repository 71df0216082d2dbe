/* Load test of running servers: players who move and spectators who watch, each with a connection
 * of their own, from many loopback addresses.
 *
 *     load PORT[,PORT…] [--pid N[,N…]] [--rooms 500] [--seats 4] [--watchers 16] [--rate 500]
 *          [--seconds 30] [--times 1] [--reconnect] [--spread] [--postgres N]
 *
 * Rooms play the first game that needs no sheet, or with one player the first that can be played
 * alone; the library finds legal moves. The time of a move is from when it is sent until the last
 * connection of its room has the lines that it led to. `--pid`: of the server, to report its memory
 * for each connection and its processor time. Of several servers, which share a store, each serves
 * whole rooms; `--spread`: the connections of a room are at different ones. `--postgres`: the
 * process of their PostgreSQL, to report its processor time.
 * `--times`: measures so many times `--seconds`, a line each; strangers.mjs attacks in between.
 * `--reconnect`: in the middle all connections are closed and opened again, while moves continue.
 *
 *     load PORT --echo [--rooms 500] [--seconds 10]
 *
 * measures a server that sends every message back (tests/echo_server.c), for comparison.
 */
#include "socket.h"
#include "usage.h"
#include <endstation/fair.h>
#include <endstation/record.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SEATS_MAX = 4, AT_ONCE = 64, SERVERS_MAX = 16 };

struct connection {
    struct socket socket;
    int room, seat; /* seat 0: a spectator */
    bool welcome;
    size_t lines; /* of the stream */
};

struct player {
    struct socket_guest guest;
    struct es_state view;
    int decisions;
    bool due;
    uint64_t asked;                 /* when its move was sent; 0: none waits for an answer */
    char event[ES_EVENT_BYTES + 1]; /* that move, for decision number `decision` */
    int decision;
};

struct room {
    char id[17];
    struct player player[SEATS_MAX];
    size_t lines;    /* that the first player has */
    uint64_t sent;   /* when the move being measured was sent; 0: none */
    size_t expected; /* lines that all connections have after it */
    int missing;     /* connections that do not have them yet */
    bool over, playing;
};

static struct {
    long port[SERVERS_MAX], pid[SERVERS_MAX]; /* the rest: 0 */
    long postgres;
    int servers, rooms, seats, watchers, seconds, times;
    double rate;
    bool reconnect, echo, spread;
} options = {.rooms = 500, .seats = 4, .watchers = 16, .seconds = 30, .times = 1, .rate = 500};

static struct room *room;
static struct connection *connection;
static int connections, loop, welcomed, begun;
static struct es_setup setup;
static struct es_random random_source;
static double *latency;
static size_t latencies;
static size_t refused, messages, lost;

static void die(const char *what)
{
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- Playing --------------------------------------------------------------------------------- */

/* The port of a room's n-th connection: all at one server, as behind a proxy that goes by the room,
 * or each at another. */
static int port_of(int r, int n)
{
    return (int)options.port[(r + (options.spread ? n : 0)) % options.servers];
}

static void open_connection(struct connection *c, int n)
{
    char path[40];
    c->socket.file =
        socket_connect(port_of(c->room, n % (options.seats + options.watchers)), n, false);
    if (c->socket.file < 0)
        die("connect");
    c->welcome = false;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(loop, EPOLL_CTL_ADD, c->socket.file, &event);
    snprintf(path, sizeof path, options.echo ? "/ws" : "/ws/%s", room[c->room].id);
    socket_shake_hands(c->socket.file, path);
}

static void say_hello(void *context)
{
    struct connection *c = context;
    if (options.echo) {
        socket_say(c->socket.file, "first");
        return;
    }
    char text[300], have[40] = "", token[100] = "";
    if (c->lines > 0)
        snprintf(have, sizeof have, ",\"have\":%zu", c->lines);
    if (c->seat)
        snprintf(token, sizeof token, ",\"token\":\"%s\"",
                 room[c->room].player[c->seat - 1].guest.token);
    snprintf(text, sizeof text, "{\"t\":\"hello\",\"v\":1%s%s}", token, have);
    socket_say(c->socket.file, text);
}

/* Takes an event into a player's view. */
static void see(struct player *player, int seat, struct es_str line)
{
    es_event event;
    if (setup.game->parse(&setup, line, &event) ||
        setup.game->apply(&setup, &player->view, event)) {
        fprintf(stderr, "load: cannot apply %.*s\n", (int)line.size, line.at);
        exit(1);
    }
    if (ES_EVENT_WHO(event) != seat)
        return;
    char text[ES_EVENT_BYTES + 1];
    struct es_out out = {text, ES_EVENT_BYTES, 0};
    setup.game->format(&setup, event, &out);
    text[out.used] = 0;
    if (player->decisions == player->decision && player->event[0] &&
        strcmp(text, player->event) != 0) {
        fprintf(stderr, "load: decision %d is %s, not %s\n", player->decision, text, player->event);
        exit(1);
    }
    player->decisions++;
}

/* Takes lines of a stream, from number `from` on. */
static void advance(struct connection *c, size_t from, const char *lines, const char *end)
{
    struct room *one = &room[c->room];
    struct player *player = c->seat ? &one->player[c->seat - 1] : NULL;
    size_t count = from;
    for (const char *at = lines; (at = memchr(at, '"', (size_t)(end - at)));) {
        const char *close = memchr(at + 1, '"', (size_t)(end - at - 1));
        if (!close)
            break;
        if (player && count >= c->lines)
            see(player, c->seat, (struct es_str){at + 1, (size_t)(close - at - 1)});
        count++;
        at = close + 1;
    }
    bool had = one->sent && c->lines >= one->expected;
    if (count > c->lines)
        c->lines = count;
    if (c->seat == 1)
        one->lines = c->lines;
    if (one->sent && !had && c->lines >= one->expected && --one->missing == 0) {
        latency[latencies++] = (double)(socket_now() - one->sent) / 1000;
        one->sent = 0;
    }
}

static void take_due(struct connection *c, const char *text)
{
    struct room *one = &room[c->room];
    const char *due = strstr(text, "\"due\":[");
    struct player *player = &one->player[c->seat - 1];
    player->due = false;
    for (due = due ? due + 7 : "]"; *due && *due != ']'; due++)
        if (*due == '0' + c->seat)
            player->due = true;
}

static void take_view(struct connection *c, const char *text)
{
    const char *events = strstr(text, "\\n\\n");
    struct player *player = c->seat ? &room[c->room].player[c->seat - 1] : NULL;
    size_t count = 0;
    if (player) {
        setup.game->start(&setup, &player->view);
        player->decisions = 0;
    }
    for (const char *at = events ? events + 4 : ""; *at && *at != '"'; count++) {
        const char *end = strstr(at, "\\n");
        if (!end)
            break;
        if (player)
            see(player, c->seat, (struct es_str){at, (size_t)(end - at)});
        at = end + 2;
    }
    c->lines = count;
    if (c->seat == 1)
        room[c->room].lines = count;
}

static void take_room(struct connection *c, const char *text)
{
    struct room *one = &room[c->room];
    char word[200];
    if (strstr(text, "\"phase\":\"waiting\"") && c->seat) {
        if (strstr(text, "\"seat\":0")) {
            uint8_t bytes[32] = {1}, hash[32];
            char hex[65] = "";
            struct es_out out = {hex, sizeof hex, 0};
            es_fair_hash(bytes, hash);
            es_out_hex(&out, hash, sizeof hash);
            hex[64] = 0;
            snprintf(word, sizeof word,
                     "{\"t\":\"sit\",\"key\":\"sit\",\"seat\":%d,\"hash\":\"%s\"}", c->seat, hex);
            socket_say(c->socket.file, word);
        } else if (c->seat == 1 && !strstr(text, "\"kind\":\"open\"")) {
            socket_say(c->socket.file, "{\"t\":\"start\",\"key\":\"start\"}");
        }
    } else if (strstr(text, "\"phase\":\"words\"") && c->seat) {
        socket_say(c->socket.file,
                   "{\"t\":\"word\",\"word\":\"01000000000000000000000000000000000000000000000000"
                   "00000000000000\"}");
    } else if (strstr(text, "\"phase\":\"playing\"") && !one->playing) {
        one->playing = true;
        begun++;
    } else if (strstr(text, "\"phase\":\"over\"")) {
        one->over = true;
    }
}

static void take_message(void *context, char *text, size_t size)
{
    struct connection *c = context;
    (void)size;
    messages++;
    if (options.echo) {
        socket_say(c->socket.file, "{\"t\":\"move\",\"decision\":17,\"event\":\"1 aacb d8\"}");
        return;
    }
    if (strncmp(text, "{\"t\":\"lines\"", 12) == 0) {
        const char *lines = strstr(text, "\"lines\":[");
        const char *stop = strchr(lines, ']');
        advance(c, (size_t)atol(strstr(text, "\"from\":") + 7), lines + 9, stop);
        if (c->seat)
            take_due(c, stop);
    } else if (strncmp(text, "{\"t\":\"view\"", 11) == 0) {
        take_view(c, text);
        if (c->seat)
            take_due(c, strstr(text, "\"hash\""));
    } else if (strncmp(text, "{\"t\":\"room\"", 11) == 0) {
        take_room(c, text);
    } else if (strncmp(text, "{\"t\":\"welcome\"", 14) == 0) {
        c->welcome = true;
        welcomed++;
    } else if (strncmp(text, "{\"t\":\"no\"", 9) == 0) {
        if (refused++ < 5)
            fprintf(stderr, "load: refused: %s\n", text);
    } else if (c->seat && strncmp(text, "{\"t\":\"ok\"", 9) == 0 && strstr(text, "\"decision\"")) {
        struct player *player = &room[c->room].player[c->seat - 1];
        player->asked = 0;
    }
}

static const struct socket_events events = {say_hello, take_message};

static void say_move(int file, const struct player *player)
{
    char text[120];
    snprintf(text, sizeof text, "{\"t\":\"move\",\"decision\":%d,\"event\":\"%s\"}",
             player->decision, player->event);
    socket_say(file, text);
}

/* Makes the next move of a room, if somebody is due and no move waits for an answer. */
static bool move(int r)
{
    struct room *one = &room[r];
    if (one->over || one->sent || !one->playing)
        return false;
    for (int p = 0; p < options.seats; p++) {
        struct player *player = &one->player[p];
        struct connection *c = &connection[r * (options.seats + options.watchers) + p];
        es_event legal[ES_LEGAL_MAX];
        if (!player->due || player->asked || c->socket.file < 0 || !c->welcome)
            continue;
        size_t count = setup.game->legal(&setup, &player->view, p + 1, legal);
        if (count == 0)
            continue;
        struct es_out out = {player->event, ES_EVENT_BYTES, 0};
        setup.game->format(&setup, legal[es_random_below(&random_source, (uint32_t)count)], &out);
        player->event[out.used] = 0;
        player->decision = player->decisions;
        one->expected = c->lines + 1;
        one->missing = 0;
        for (int k = 0; k < options.seats + options.watchers; k++) {
            const struct connection *other = c - p + k;
            one->missing +=
                other->socket.file >= 0 && other->welcome && other->lines < one->expected;
        }
        player->due = false;
        player->asked = one->sent = socket_now();
        say_move(c->socket.file, player);
        return true;
    }
    return false;
}

static void wait_for_events(int ms)
{
    struct epoll_event ready[AT_ONCE];
    int count = epoll_wait(loop, ready, AT_ONCE, ms);
    for (int i = 0; i < count; i++) {
        struct connection *c = ready[i].data.ptr;
        if (!socket_read(&c->socket, &events, c)) {
            socket_close(&c->socket);
            lost++;
        }
    }
}

/* ---- Figures --------------------------------------------------------------------------------- */

static long server_kilobytes(void)
{
    long all = 0;
    for (int i = 0; i < options.servers && options.pid[i]; i++)
        all += usage_kilobytes(options.pid[i]);
    return all;
}

/* Processor time of everybody. */
struct used {
    double servers, postgres, self;
};

static struct used used_now(void)
{
    struct used used = {.postgres = options.postgres ? usage_tree_seconds(options.postgres) : 0,
                        .self = usage_seconds(getpid())};
    for (int i = 0; i < options.servers && options.pid[i]; i++)
        used.servers += usage_seconds(options.pid[i]);
    return used;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double percentile(double share)
{
    return latencies ? latency[(size_t)((double)(latencies - 1) * share)] : 0;
}

/* ---- The program ----------------------------------------------------------------------------- */

/* Reads numbers with commas between; returns how many. */
static int read_list(const char *text, long list[SERVERS_MAX])
{
    int count = 0;
    while (count < SERVERS_MAX) {
        char *end;
        list[count++] = strtol(text, &end, 10);
        if (*end != ',')
            break;
        text = end + 1;
    }
    return count;
}

static void read_options(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: load PORT[,PORT...] [--pid N[,N...]] [--postgres N] [--spread] "
                        "[--rooms N] [--seats N] [--watchers N] [--rate N] [--seconds N] "
                        "[--times N] [--reconnect]\n");
        exit(2);
    }
    options.servers = read_list(argv[1], options.port);
    for (int i = 2; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        bool *flag = strcmp(argv[i], "--reconnect") == 0 ? &options.reconnect
                     : strcmp(argv[i], "--echo") == 0    ? &options.echo
                     : strcmp(argv[i], "--spread") == 0  ? &options.spread
                                                         : NULL;
        if (flag) {
            *flag = true;
            continue;
        }
        if (strcmp(argv[i], "--pid") == 0)
            read_list(value, options.pid);
        else if (strcmp(argv[i], "--postgres") == 0)
            options.postgres = atol(value);
        else if (strcmp(argv[i], "--rooms") == 0)
            options.rooms = atoi(value);
        else if (strcmp(argv[i], "--seats") == 0)
            options.seats = atoi(value) > SEATS_MAX ? SEATS_MAX : atoi(value);
        else if (strcmp(argv[i], "--watchers") == 0)
            options.watchers = atoi(value);
        else if (strcmp(argv[i], "--rate") == 0)
            options.rate = atof(value);
        else if (strcmp(argv[i], "--seconds") == 0)
            options.seconds = atoi(value);
        else if (strcmp(argv[i], "--times") == 0)
            options.times = atoi(value);
        i++;
    }
}

static void open_all(void)
{
    uint64_t from = socket_now();
    welcomed = 0;
    for (int i = 0; i < connections; i++) {
        if (connection[i].socket.file < 0)
            open_connection(&connection[i], i);
        if (i % 32 == 31)
            wait_for_events(0);
    }
    while (welcomed < connections && socket_now() - from < 60000000)
        wait_for_events(100);
    if (welcomed < connections) {
        fprintf(stderr, "load: %d of %d connections are welcome after a minute\n", welcomed,
                connections);
        exit(1);
    }
    printf("%d connections welcome after %.2f s\n", connections,
           (double)(socket_now() - from) / 1e6);
}

/* Events of all games: moves, and what chance brings. */
static size_t count_events(void)
{
    size_t all = 0;
    for (int r = 0; r < options.rooms; r++)
        all += room[r].lines;
    return all;
}

/* Moves at the wanted rate for some seconds; reports. */
static void run(const char *what, int seconds)
{
    uint64_t from = socket_now(), next = from, end = from + (uint64_t)seconds * 1000000;
    struct used before = used_now();
    size_t heard = messages, events_before = count_events();
    int turn = 0;
    latencies = 0;
    while (socket_now() < end) {
        uint64_t now = socket_now();
        while (next <= now) {
            int tried = 0;
            next += (uint64_t)(1e6 / options.rate);
            while (tried++ < options.rooms && !move(turn = (turn + 1) % options.rooms))
                ;
            if (tried > options.rooms)
                next = now + 1; /* everybody waits for the server */
        }
        wait_for_events(next > now + 1000 ? 1 : 0);
    }
    qsort(latency, latencies, sizeof *latency, compare);
    double took = (double)(socket_now() - from) / 1e6;
    struct used after = used_now();
    printf("%s: %.0f moves a second (%zu), %.0f messages a second; to the last recipient "
           "p50 %.2f p99 %.2f p99.9 %.2f worst %.2f ms; server %.0f %% of a core",
           what, (double)latencies / took, latencies, (double)(messages - heard) / took,
           percentile(0.5), percentile(0.99), percentile(0.999), percentile(1),
           (after.servers - before.servers) / took * 100);
    if (options.postgres)
        printf(", PostgreSQL %.0f %%, load %.0f %%; %.0f events a second",
               (after.postgres - before.postgres) / took * 100,
               (after.self - before.self) / took * 100,
               (double)(count_events() - events_before) / took);
    printf("\n");
    fflush(stdout);
}

static void run_echo(void)
{
    connections = options.rooms;
    connection = calloc((size_t)connections, sizeof *connection);
    room = calloc(1, sizeof *room);
    for (int i = 0; i < connections; i++)
        open_connection(&connection[i], i);
    uint64_t from = socket_now();
    while (socket_now() - from < 1000000)
        wait_for_events(10);
    messages = 0;
    from = socket_now();
    while (socket_now() - from < (uint64_t)options.seconds * 1000000)
        wait_for_events(10);
    printf("%.0f messages a second came back\n",
           (double)messages / ((double)(socket_now() - from) / 1e6));
}

int main(int argc, char **argv)
{
    read_options(argc, argv);
    struct rlimit limit = {65536, 65536};
    setrlimit(RLIMIT_NOFILE, &limit);
    for (int i = 0; es_games[i] && !setup.game; i++)
        if ((options.seats == 1 || !es_games[i]->has_map) &&
            es_games[i]->players_min <= options.seats && es_games[i]->players_max >= options.seats)
            setup.game = es_games[i];
    static struct es_map map;
    struct es_fault fault;
    setup.players = (uint8_t)options.seats;
    if (setup.game && setup.game->has_map) {
        if (es_map_read(&map, es_builtin_maps[0].text, &fault))
            die("sheet");
        setup.map = &map;
    }
    if (!setup.game || es_setup_prepare(&setup))
        die("game");
    char header[120];
    snprintf(header, sizeof header, "game %s\\nplayers %d\\n%s%s", setup.game->name, options.seats,
             setup.map ? "map " : "", setup.map ? setup.map->id : "");
    es_random_seed(&random_source, 1);
    connections = options.rooms * (options.seats + options.watchers);
    room = calloc((size_t)options.rooms, sizeof *room);
    connection = calloc((size_t)connections, sizeof *connection);
    latency = calloc(10000000, sizeof *latency);
    loop = epoll_create1(0);
    if (options.echo) {
        run_echo();
        return 0;
    }
    for (int r = 0; r < options.rooms; r++) {
        for (int p = 0; p < options.seats; p++) {
            socket_make_guest(port_of(r, p), r * options.seats + p, &room[r].player[p].guest);
            setup.game->start(&setup, &room[r].player[p].view);
        }
        char code[13];
        socket_make_room(port_of(r, 0), r, &room[r].player[0].guest, header, true, room[r].id,
                         code);
    }
    for (int i = 0; i < connections; i++) {
        int place = i % (options.seats + options.watchers);
        connection[i] = (struct connection){.socket = {.file = -1},
                                            .room = i / (options.seats + options.watchers),
                                            .seat = place < options.seats ? place + 1 : 0};
    }
    long memory = server_kilobytes();
    open_all();
    uint64_t from = socket_now();
    while (begun < options.rooms && socket_now() - from < 60000000)
        wait_for_events(100);
    printf("%d of %d games have begun\n", begun, options.rooms);
    fflush(stdout);
    for (int i = 0; i < options.times; i++)
        run("steady", options.seconds);
    if (options.pid[0])
        printf("memory: %ld KiB without connections and games, %ld with: %.1f KiB a connection\n",
               memory, server_kilobytes(), (double)(server_kilobytes() - memory) / connections);
    if (options.reconnect) {
        for (int i = 0; i < connections; i++)
            socket_close(&connection[i].socket);
        for (int r = 0; r < options.rooms; r++) {
            room[r].sent = 0;
            for (int p = 0; p < options.seats; p++)
                room[r].player[p].asked = 0;
        }
        open_all();
        run("after everybody came back", options.seconds);
    }
    if (refused || lost)
        printf("%zu refused, %zu connections lost\n", refused, lost);
    return 0;
}
