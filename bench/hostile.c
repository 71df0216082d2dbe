/* Clients that do a server no good: hostile PORT COUNT ROOM. A fifth of them each:
 *
 *     garbage  sends random bytes instead of frames
 *     half     sends half of a frame, and no more
 *     flood    sends 200 messages at once
 *     deaf     watches the room, and never reads
 *     slow     sends half of a request, or asks for much of the page and never reads
 *
 * Each does that ten times a second from a loopback address that 20 of them share, and comes back
 * when it is hung up on. They end with SIGTERM, and print what they have done. strangers.mjs starts
 * them beside an ordinary load.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_ADDRESS = 0x7f1e0001 }; /* 127.30.0.1 */
enum { KINDS = 5, OF_ADDRESS = 20, ROUND_US = 100000, FLOOD = 200, PAGES = 200 };
enum kind { GARBAGE, HALF, FLOODS, DEAF, SLOW };

static unsigned long connected, hung_up_on, bytes_sent;
static volatile sig_atomic_t has_ended;

static void end(int signal)
{
    (void)signal;
    has_ended = 1;
}

struct client {
    int file; /* -1: not connected */
    bool has_spoken;
};

static uint32_t next_random(void)
{
    static uint32_t state = 1;
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}

static int connect_from(int port, int address)
{
    struct sockaddr_in from = {.sin_family = AF_INET,
                               .sin_addr.s_addr = htonl(FIRST_ADDRESS + (uint32_t)address)};
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int file = socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(file, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (file >= 0 && bind(file, (struct sockaddr *)&from, sizeof from) == 0 &&
        connect(file, (struct sockaddr *)&to, sizeof to) == 0) {
        fcntl(file, F_SETFL, O_NONBLOCK);
        connected++;
        return file;
    }
    if (file >= 0)
        close(file);
    return -1;
}

static void put(int file, const void *bytes, size_t size)
{
    ssize_t sent = send(file, bytes, size, MSG_NOSIGNAL); /* what does not fit is left out */
    if (sent > 0)
        bytes_sent += (unsigned long)sent;
}

static void say(int file, const char *text, size_t left_out)
{
    unsigned char frame[130] = {0x81, (unsigned char)(0x80 | strlen(text))};
    uint32_t mask = next_random();
    memcpy(frame + 2, &mask, 4);
    for (size_t i = 0; i < strlen(text); i++)
        frame[6 + i] = (unsigned char)text[i] ^ frame[2 + i % 4];
    put(file, frame, 6 + strlen(text) - left_out);
}

static void shake_hands(int file, const char *path)
{
    char text[300];
    int size = snprintf(text, sizeof text,
                        "GET /ws/%s HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                        "Connection: Upgrade\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                        "Sec-WebSocket-Version: 13\r\n\r\n",
                        path);
    put(file, text, (size_t)size);
}

static void act(struct client *client, int number, const char *room)
{
    static const char page[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    int file = client->file;
    bool is_first = !client->has_spoken;
    uint32_t noise[250];
    client->has_spoken = true;
    switch ((enum kind)(number % KINDS)) {
    case GARBAGE:
        if (is_first)
            shake_hands(file, "lobby");
        for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++)
            noise[i] = next_random();
        put(file, noise, sizeof noise);
        break;
    case HALF:
        if (is_first) {
            shake_hands(file, "lobby");
            say(file, "{\"t\":\"hello\",\"v\":1}", 5);
        }
        break;
    case FLOODS:
        if (is_first) {
            shake_hands(file, "lobby");
            say(file, "{\"t\":\"hello\",\"v\":1}", 0);
        }
        for (int i = 0; i < FLOOD; i++)
            say(file, "{\"t\":\"ping\"}", 0);
        break;
    case DEAF:
        if (is_first) {
            shake_hands(file, room);
            say(file, "{\"t\":\"hello\",\"v\":1}", 0);
        }
        say(file, "{\"t\":\"again\"}", 0);
        break;
    case SLOW:
        for (int i = 0; i < PAGES && is_first && number % 2; i++)
            put(file, page, sizeof page - 1);
        if (is_first && number % 2 == 0)
            put(file, page, sizeof page / 2);
        break;
    }
}

/* Reads and throws away. Returns false if the server has hung up. */
static bool is_connected(const struct client *client, int number)
{
    static char bytes[65536];
    bool reads = number % KINDS != DEAF && number % KINDS != SLOW;
    ssize_t got = recv(client->file, bytes, sizeof bytes, reads ? 0 : MSG_PEEK);
    int fault = 0;
    socklen_t size = sizeof fault;
    getsockopt(client->file, SOL_SOCKET, SO_ERROR, &fault, &size);
    return fault == 0 && (got > 0 || (got < 0 && errno == EAGAIN));
}

static void run(int port, int count, const char *room)
{
    struct client *client = calloc((size_t)count, sizeof *client);
    if (!client)
        exit(1);
    for (int i = 0; i < count; i++)
        client[i].file = -1;
    while (!has_ended)
        for (int i = 0; i < count && !has_ended; i++) {
            usleep((useconds_t)(ROUND_US / count));
            if (client[i].file >= 0 && !is_connected(&client[i], i)) {
                close(client[i].file);
                client[i] = (struct client){.file = -1};
                hung_up_on++;
            }
            if (client[i].file < 0)
                client[i].file = connect_from(port, i / OF_ADDRESS);
            if (client[i].file >= 0)
                act(&client[i], i, room);
        }
    free(client);
}

int main(int argc, char **argv)
{
    int count = argc == 4 ? atoi(argv[2]) : 0;
    if (count < 1) {
        fprintf(stderr, "usage: hostile PORT COUNT ROOM\n");
        return 2;
    }
    struct rlimit limit = {65536, 65536};
    setrlimit(RLIMIT_NOFILE, &limit);
    signal(SIGTERM, end);
    run(atoi(argv[1]), count, argv[3]);
    printf("%lu connections, %lu hung up on, %.1f MB sent\n", connected, hung_up_on,
           (double)bytes_sent / 1e6);
    return 0;
}
