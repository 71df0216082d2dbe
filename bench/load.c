/* Load test of a running server: players who move and spectators who watch, each with a connection
 * of their own, from many loopback addresses.
 *
 *     load PORT [--pid N] [--rooms 500] [--seats 4] [--watchers 16] [--rate 500] [--seconds 30]
 *          [--reconnect] [--hostile N]
 *
 * Rooms play the first game that needs no sheet, or with one player the first that can be played
 * alone; the library finds legal moves. The time of a move is from when it is sent until the last
 * connection of its room has the lines that it led to. `--pid`: of the server, to report its memory
 * for each connection and its processor time.
 * `--reconnect`: in the middle all connections are closed and opened again, while moves continue.
 * `--hostile`: then the same load with N clients beside it that send garbage, half frames, floods,
 * or never read (hostile.h), and again without them.
 *
 *     load PORT --echo [--rooms 500] [--seconds 10]
 *
 * measures a server that sends every message back (tests/echo_server.c), for comparison.
 *
 *     load PORT --serve PROGRAM --data FOLDER --kill 200 [--rooms 50] [--watchers 1] [--rate 300]
 *
 * starts the server itself (PORT 0: at a free port) and kills it that often with SIGKILL, at random
 * moments under load. Each time all clients connect again, say how many events they have, and
 * repeat moves that were not answered. Every view must continue legally where it was, and contain
 * every move that was acknowledged.
 */
#include "hostile.h"
#include <arpa/inet.h>
#include <endstation/fair.h>
#include <endstation/record.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SEATS_MAX = 4, BUFFER = 1 << 18, AT_ONCE = 64, OF_ADDRESS = 24 };

struct connection {
    int file;       /* -1: closed */
    int room, seat; /* seat 0: a spectator */
    bool open;      /* the handshake is over */
    bool welcome;
    size_t lines; /* of the stream */
    char *rest;   /* the beginning of a message */
    size_t rest_size;
};

struct player {
    char token[65];
    struct es_state view;
    int decisions;
    bool due;
    uint64_t asked;                 /* when its move was sent; 0: none waits for an answer */
    char event[ES_EVENT_BYTES + 1]; /* that move, for decision number `decision` */
    int decision;
    int acknowledged; /* decisions that are known to be stored */
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
    int port, rooms, seats, watchers, seconds;
    double rate;
    long pid;
    bool reconnect, echo;
    const char *serve, *data;
    int kill, hostile;
} options = {.rooms = 500, .seats = 4, .watchers = 16, .seconds = 30, .rate = 500};

static struct room *room;
static struct connection *connection;
static int connections, loop, welcomed, begun;
static struct es_setup setup;
static struct es_random random_source;
static char buffer[BUFFER];
static double *latency;
static size_t latencies;
static size_t refused, messages, acknowledged;

static uint64_t now_us(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

static void die(const char *what)
{
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

/* ---- Sockets --------------------------------------------------------------------------------- */

/* Connects from the n-th loopback address. */
static int connect_from(int n, bool wait)
{
    int file = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    n /= OF_ADDRESS;
    struct sockaddr_in from = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(0x7f010001 + (uint32_t)(n / 250 * 256) + (uint32_t)(n % 250))};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)options.port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(file, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (file < 0 || bind(file, (struct sockaddr *)&from, sizeof from))
        die("address");
    for (int tries = 0; connect(file, (struct sockaddr *)&to, sizeof to); tries++)
        if (!options.serve || tries == 500)
            die("connect");
        else
            usleep(10000); /* the server is starting */
    setsockopt(file, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (!wait)
        fcntl(file, F_SETFL, O_NONBLOCK);
    return file;
}

static void put(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t sent = write(file, bytes, size);
        if (sent < 0 && errno == EAGAIN)
            continue; /* we send little */
        if (sent < 0)
            return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

static void say(int file, const char *text)
{
    unsigned char frame[1200];
    size_t size = strlen(text), used = 0;
    frame[used++] = 0x81;
    if (size < 126) {
        frame[used++] = (unsigned char)(0x80 | size);
    } else {
        frame[used++] = 0xfe;
        frame[used++] = (unsigned char)(size >> 8);
        frame[used++] = (unsigned char)size;
    }
    memset(frame + used, 0, 4); /* a mask of zeros */
    used += 4;
    memcpy(frame + used, text, size);
    put(file, (char *)frame, used + size);
}

static void shake_hands(int file, const char *path)
{
    char text[300];
    int size = snprintf(text, sizeof text,
                        "GET %s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                        "Sec-WebSocket-Version: 13\r\n\r\n",
                        path);
    put(file, text, (size_t)size);
}

/* Reads from a blocking socket until a text appears; false at the end. */
static bool read_until(int file, const char *wanted)
{
    size_t used = 0;
    for (;;) {
        ssize_t got = read(file, buffer + used, sizeof buffer - used - 1);
        if (got <= 0)
            return false;
        used += (size_t)got;
        buffer[used] = 0;
        for (size_t i = 0; i < used; i++)
            if (!buffer[i])
                buffer[i] = ' ';
        if (strstr(buffer, wanted))
            return true;
    }
}

/* ---- Guests and rooms ------------------------------------------------------------------------ */

static void take(const char *name, char *text, size_t size)
{
    const char *at = strstr(buffer, name);
    if (!at) {
        fprintf(stderr, "load: no %s in %.300s\n", name, buffer);
        exit(1);
    }
    snprintf(text, size, "%.*s", (int)size - 1, at + strlen(name));
}

static void make_guest(int n, struct player *player)
{
    static const char body[] = "{\"name\":\"Load\",\"colour\":1}";
    char text[300];
    int file = connect_from(n, true);
    snprintf(text, sizeof text,
             "POST /api/guest HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
             sizeof body - 1, body);
    put(file, text, strlen(text));
    read_until(file, "\"device\"");
    take("\"token\":\"", player->token, sizeof player->token);
    close(file);
}

static void make_room(int n, struct room *one)
{
    char text[400], sheet[80] = "";
    if (setup.map)
        snprintf(sheet, sizeof sheet, "map %s\\n", setup.map->id);
    int file = connect_from(n, true);
    shake_hands(file, "/ws/lobby");
    read_until(file, "\r\n\r\n");
    snprintf(text, sizeof text, "{\"t\":\"hello\",\"v\":1,\"token\":\"%s\"}", one->player[0].token);
    say(file, text);
    read_until(file, "\"tables\"");
    snprintf(text, sizeof text,
             "{\"t\":\"make\",\"key\":\"k\",\"open\":true,\"setup\":\"game %s\\nplayers %d\\n%s\"}",
             setup.game->name, options.seats, sheet);
    say(file, text);
    read_until(file, "\"t\":\"ok\"");
    take("\"t\":\"ok\",\"room\":\"", one->id, sizeof one->id);
    close(file);
}

/* ---- Playing --------------------------------------------------------------------------------- */

static void open_connection(struct connection *c, int n)
{
    char path[40];
    c->file = connect_from(n, false);
    c->open = c->welcome = false;
    c->rest_size = 0;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    epoll_ctl(loop, EPOLL_CTL_ADD, c->file, &event);
    snprintf(path, sizeof path, options.echo ? "/ws" : "/ws/%s", room[c->room].id);
    shake_hands(c->file, path);
}

static void say_hello(struct connection *c)
{
    if (options.echo) {
        say(c->file, "first");
        return;
    }
    char text[300], have[40] = "", token[100] = "";
    if (c->lines > 0)
        snprintf(have, sizeof have, ",\"have\":%zu", c->lines);
    if (c->seat)
        snprintf(token, sizeof token, ",\"token\":\"%s\"", room[c->room].player[c->seat - 1].token);
    snprintf(text, sizeof text, "{\"t\":\"hello\",\"v\":1%s%s}", token, have);
    say(c->file, text);
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
        latency[latencies++] = (double)(now_us() - one->sent) / 1000;
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
            say(c->file, word);
        } else if (c->seat == 1 && !strstr(text, "\"kind\":\"open\"")) {
            say(c->file, "{\"t\":\"start\",\"key\":\"start\"}");
        }
    } else if (strstr(text, "\"phase\":\"words\"") && c->seat) {
        say(c->file, "{\"t\":\"word\",\"word\":\"01000000000000000000000000000000000000000000000000"
                     "00000000000000\"}");
    } else if (strstr(text, "\"phase\":\"playing\"") && !one->playing) {
        one->playing = true;
        begun++;
    } else if (strstr(text, "\"phase\":\"over\"")) {
        one->over = true;
    }
}

static void take_message(struct connection *c, char *text, size_t size)
{
    char *end = text + size;
    char kept = *end;
    *end = 0;
    messages++;
    if (options.echo) {
        say(c->file, "{\"t\":\"move\",\"decision\":17,\"event\":\"1 aacb d8\"}");
        *end = kept;
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
        player->acknowledged = player->decision + 1;
        acknowledged++;
    }
    *end = kept;
}

static void lose(struct connection *c)
{
    if (c->file >= 0)
        close(c->file);
    c->file = -1;
    c->rest_size = 0;
}

static void read_from(struct connection *c)
{
    memcpy(buffer, c->rest, c->rest_size);
    size_t used = c->rest_size;
    ssize_t got = read(c->file, buffer + used, sizeof buffer - used - 1);
    if (got < 0 && errno == EAGAIN)
        return;
    if (got <= 0) {
        lose(c);
        return;
    }
    used += (size_t)got;
    char *at = buffer, *end = buffer + used;
    if (!c->open) {
        char *body = memmem(at, used, "\r\n\r\n", 4);
        if (body) {
            at = body + 4;
            c->open = true;
            say_hello(c);
        }
    }
    while (c->open && end - at >= 2) {
        size_t size = (unsigned char)at[1] & 127, head = 2;
        if (size == 126) {
            if (end - at < 4)
                break;
            size = (size_t)(unsigned char)at[2] << 8 | (unsigned char)at[3];
            head = 4;
        } else if (size == 127) {
            if (end - at < 10)
                break;
            size = 0;
            for (int i = 2; i < 10; i++)
                size = size << 8 | (unsigned char)at[i];
            head = 10;
        }
        if ((size_t)(end - at) < head + size)
            break;
        if ((at[0] & 15) == 1)
            take_message(c, at + head, size);
        else if ((at[0] & 15) == 8) {
            lose(c);
            return;
        } else if ((at[0] & 15) == 9)
            put(c->file, "\x8a\x80\0\0\0\0", 6);
        at += head + size;
    }
    c->rest_size = (size_t)(end - at);
    if (c->rest_size > 0) {
        c->rest = realloc(c->rest, c->rest_size);
        memcpy(c->rest, at, c->rest_size);
    } else {
        free(c->rest);
        c->rest = NULL;
    }
}

static void say_move(int file, const struct player *player)
{
    char text[120];
    snprintf(text, sizeof text, "{\"t\":\"move\",\"decision\":%d,\"event\":\"%s\"}",
             player->decision, player->event);
    say(file, text);
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
        if (!player->due || player->asked || c->file < 0 || !c->welcome)
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
            one->missing += other->file >= 0 && other->welcome && other->lines < one->expected;
        }
        player->due = false;
        player->asked = one->sent = now_us();
        say_move(c->file, player);
        return true;
    }
    return false;
}

static void wait_for_events(int ms)
{
    struct epoll_event events[AT_ONCE];
    int count = epoll_wait(loop, events, AT_ONCE, ms);
    for (int i = 0; i < count; i++)
        read_from(events[i].data.ptr);
}

/* ---- Figures --------------------------------------------------------------------------------- */

static long server_kilobytes(void)
{
    char path[60], line[200];
    long value = 0;
    snprintf(path, sizeof path, "/proc/%ld/status", options.pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        sscanf(line, "VmRSS: %ld", &value);
    if (file)
        fclose(file);
    return value;
}

static double server_seconds(void)
{
    char path[60];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", options.pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    if (fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
               &system) != 2)
        user = system = 0;
    fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
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

static void open_all(void);

/* ---- Killing the server ---------------------------------------------------------------------- */

/* Returns a free port outside the range from which the system chooses ports. */
static int free_port(void)
{
    for (int port = 20000 + getpid() % 10000;; port++) {
        struct sockaddr_in at = {.sin_family = AF_INET,
                                 .sin_port = htons((uint16_t)port),
                                 .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int file = socket(AF_INET, SOCK_STREAM, 0);
        int fault = bind(file, (struct sockaddr *)&at, sizeof at);
        close(file);
        if (!fault)
            return port;
    }
}

static void start_server(void)
{
    char port[16];
    if (options.port == 0)
        options.port = free_port();
    snprintf(port, sizeof port, "%d", options.port);
    options.pid = fork();
    if (options.pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        execl(options.serve, options.serve, "serve", "--port", port, "--data", options.data,
              "--no-open", (char *)NULL);
        die(options.serve);
    }
}

/* Exits with an error if a move that was acknowledged is not in its player's view. */
static void check_all(void)
{
    for (int r = 0; r < options.rooms; r++)
        for (int p = 0; p < options.seats; p++) {
            const struct player *player = &room[r].player[p];
            if (player->decisions < player->acknowledged) {
                fprintf(stderr,
                        "load: decision %d of player %d in %s was acknowledged and is lost\n",
                        player->acknowledged - 1, p + 1, room[r].id);
                exit(1);
            }
        }
}

/* Reconnects all clients, checks their views, and repeats moves that were not answered. */
static void come_back(void)
{
    for (int i = 0; i < connections; i++)
        lose(&connection[i]);
    open_all();
    for (int i = 0; i < 20; i++)
        wait_for_events(5); /* what follows the welcome */
    check_all();
    for (int r = 0; r < options.rooms; r++) {
        room[r].sent = 0;
        for (int p = 0; p < options.seats; p++) {
            struct player *player = &room[r].player[p];
            if (player->asked && player->decisions > player->decision)
                player->asked = 0; /* it was stored before the kill, but not acknowledged */
            else if (player->asked)
                say_move(connection[r * (options.seats + options.watchers) + p].file, player);
        }
    }
}

static void kill_often(void)
{
    for (int i = 0; i < options.kill; i++) {
        uint64_t end = now_us() + 20000 + es_random_below(&random_source, 300000);
        uint64_t next = now_us();
        int turn = 0;
        while (now_us() < end) {
            for (; next <= now_us(); next += (uint64_t)(1e6 / options.rate))
                for (int tried = 0; tried < options.rooms; tried++)
                    if (move(turn = (turn + 1) % options.rooms))
                        break;
            wait_for_events(1);
        }
        kill((pid_t)options.pid, SIGKILL);
        waitpid((pid_t)options.pid, NULL, 0);
        start_server();
        come_back();
    }
    printf("%d sudden ends, %zu moves acknowledged, none lost\n", options.kill, acknowledged);
    kill((pid_t)options.pid, SIGTERM);
    waitpid((pid_t)options.pid, NULL, 0);
}

/* ---- The program ----------------------------------------------------------------------------- */

static void read_options(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: load PORT [--pid N] [--rooms N] [--watchers N] [--rate N] "
                        "[--seconds N] [--reconnect] [--hostile N]\n");
        exit(2);
    }
    options.port = atoi(argv[1]);
    for (int i = 2; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--reconnect") == 0 || strcmp(argv[i], "--echo") == 0) {
            *(argv[i][2] == 'e' ? &options.echo : &options.reconnect) = true;
            continue;
        }
        if (strcmp(argv[i], "--pid") == 0)
            options.pid = atol(value);
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
        else if (strcmp(argv[i], "--serve") == 0)
            options.serve = value;
        else if (strcmp(argv[i], "--data") == 0)
            options.data = value;
        else if (strcmp(argv[i], "--kill") == 0)
            options.kill = atoi(value);
        else if (strcmp(argv[i], "--hostile") == 0)
            options.hostile = atoi(value);
        i++;
    }
}

static void open_all(void)
{
    uint64_t from = now_us();
    welcomed = 0;
    for (int i = 0; i < connections; i++) {
        if (connection[i].file < 0)
            open_connection(&connection[i], i);
        if (i % 32 == 31)
            wait_for_events(0);
    }
    while (welcomed < connections && now_us() - from < 60000000)
        wait_for_events(100);
    if (welcomed < connections) {
        fprintf(stderr, "load: %d of %d connections are welcome after a minute\n", welcomed,
                connections);
        exit(1);
    }
    if (!options.serve)
        printf("%d connections welcome after %.2f s\n", connections,
               (double)(now_us() - from) / 1e6);
}

/* Moves at the wanted rate for some seconds; reports. */
static void run(const char *what, int seconds)
{
    uint64_t from = now_us(), next = from, end = from + (uint64_t)seconds * 1000000;
    double cpu = server_seconds();
    size_t before = messages;
    int turn = 0;
    latencies = 0;
    while (now_us() < end) {
        uint64_t now = now_us();
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
    double took = (double)(now_us() - from) / 1e6;
    printf("%s: %.0f moves a second (%zu), %.0f messages a second; to the last recipient "
           "p50 %.2f p99 %.2f worst %.2f ms; server %.0f %% of a core\n",
           what, (double)latencies / took, latencies, (double)(messages - before) / took,
           percentile(0.5), percentile(0.99), percentile(1),
           options.pid ? (server_seconds() - cpu) / took * 100 : 0.0);
    fflush(stdout);
}

static void run_echo(void)
{
    connections = options.rooms;
    connection = calloc((size_t)connections, sizeof *connection);
    room = calloc(1, sizeof *room);
    for (int i = 0; i < connections; i++)
        open_connection(&connection[i], i);
    uint64_t from = now_us();
    while (now_us() - from < 1000000)
        wait_for_events(10);
    messages = 0;
    from = now_us();
    while (now_us() - from < (uint64_t)options.seconds * 1000000)
        wait_for_events(10);
    printf("%.0f messages a second came back\n",
           (double)messages / ((double)(now_us() - from) / 1e6));
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
    if (options.serve)
        start_server();
    for (int r = 0; r < options.rooms; r++) {
        for (int p = 0; p < options.seats; p++) {
            make_guest(r * options.seats + p, &room[r].player[p]);
            setup.game->start(&setup, &room[r].player[p].view);
        }
        make_room(r, &room[r]);
    }
    for (int i = 0; i < connections; i++) {
        int place = i % (options.seats + options.watchers);
        connection[i] = (struct connection){.file = -1,
                                            .room = i / (options.seats + options.watchers),
                                            .seat = place < options.seats ? place + 1 : 0};
    }
    long memory = server_kilobytes();
    open_all();
    uint64_t from = now_us();
    while (begun < options.rooms && now_us() - from < 60000000)
        wait_for_events(100);
    printf("%d of %d games have begun\n", begun, options.rooms);
    if (options.serve) {
        kill_often();
        return 0;
    }
    run("steady", options.seconds);
    if (options.pid)
        printf("memory: %ld KiB without connections and games, %ld with: %.1f KiB a connection\n",
               memory, server_kilobytes(), (double)(server_kilobytes() - memory) / connections);
    if (options.hostile) {
        long hostile = hostile_start(options.port, options.hostile, 0, room[0].id);
        if (hostile < 0)
            die("hostile clients");
        run("with hostile clients", options.seconds);
        hostile_stop(hostile);
        run("without them again", options.seconds);
    }
    if (options.reconnect) {
        for (int i = 0; i < connections; i++)
            lose(&connection[i]);
        for (int r = 0; r < options.rooms; r++) {
            room[r].sent = 0;
            for (int p = 0; p < options.seats; p++)
                room[r].player[p].asked = 0;
        }
        open_all();
        run("after everybody came back", options.seconds);
    }
    if (refused)
        printf("%zu refused\n", refused);
    return 0;
}
