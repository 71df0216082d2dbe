/* `endstation serve`: serves the page and the online rooms to browsers. */
#include "cli/cli.h"
#include "cli/serve_options.h"
#include "cli/wire.h"
#include "server/control.h"
#include "server/data.h"
#include "server/site.h"
#include "store/transfer.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <limits.h>
#include <net/if.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    ADDRESS_BYTES = 100,
    LOOK_MS = 2000,  /* for damage, at the start */
    END_SECONDS = 1, /* for threads, after the server's four seconds for everything else */
};

/* Sets the address of this machine that others in the network can reach, or returns false. */
static bool network_address(char address[ADDRESS_BYTES])
{
    struct ifaddrs *all;
    if (getifaddrs(&all) != 0)
        return false;
    bool found = false;
    for (const struct ifaddrs *one = all; one && !found; one = one->ifa_next)
        if (one->ifa_addr && one->ifa_addr->sa_family == AF_INET && (one->ifa_flags & IFF_UP) &&
            !(one->ifa_flags & IFF_LOOPBACK))
            found = inet_ntop(AF_INET, &((const struct sockaddr_in *)one->ifa_addr)->sin_addr,
                              address, ADDRESS_BYTES) != NULL;
    freeifaddrs(all);
    return found;
}

/* Prints where the page is, and sets the URL for this machine's browser. */
static void say_where(const char *address, unsigned port, char url[ADDRESS_BYTES + 20])
{
    bool everywhere = address && (strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0);
    bool bare = address && strchr(address, ':') != NULL;
    snprintf(url, ADDRESS_BYTES + 20, "http://%s%.90s%s:%u", !everywhere && bare ? "[" : "",
             address && !everywhere ? address : "localhost", !everywhere && bare ? "]" : "", port);
    char network[ADDRESS_BYTES];
    if (everywhere && network_address(network))
        printf("Endstation is at %s, and for others in your network at http://%s:%u\n", url,
               network, port);
    else
        printf("Endstation is at %s\n", url);
}

/* Opens the page in this machine's browser, if it has one. Runs as the child of a child, so that
 * nothing has to wait for it; it has none of our files and may outlive us. */
static void show(const char *url)
{
    pid_t child = fork();
    if (child < 0)
        return;
    if (child == 0) {
        if (setsid() < 0 || fork() != 0)
            _exit(0);
        int nothing = open("/dev/null", O_RDWR);
        for (int file = 0; nothing >= 0 && file <= STDERR_FILENO; file++)
            dup2(nothing, file);
        signal(SIGPIPE, SIG_DFL); /* the server ignores it */
        execlp("xdg-open", "xdg-open", url, (char *)NULL);
        _exit(1);
    }
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}

static bool has_browser(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return isatty(STDOUT_FILENO) && ((x && *x) || (wayland && *wayland));
}

static bool wants_browser(const struct wishes *wishes)
{
    return wishes->open || (!wishes->no_open && has_browser());
}

/* ---- A port that is taken -------------------------------------------------------------------- */

/* Asks what answers at a port of this machine. If it is Endstation, sets the tag of its start page
 * and returns true. Gives up after ANSWER_MS. */
static bool ask_endstation(int family, unsigned port, char tag[SERVER_TAG_BYTES])
{
    enum { ANSWER_MS = 10000 };
    static const char request[] = "HEAD / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const struct sockaddr_in v4 = {.sin_family = AF_INET,
                                   .sin_port = htons((uint16_t)port),
                                   .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const struct sockaddr_in6 v6 = {
        .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port), .sin6_addr = in6addr_loopback};
    const struct timeval most = {.tv_sec = ANSWER_MS / 1000};
    bool is_endstation = false, is_first = true;
    int file = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (file < 0)
        return false;
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most); /* also for connect() */
    int wrong = family == AF_INET ? connect(file, (const struct sockaddr *)&v4, sizeof v4)
                                  : connect(file, (const struct sockaddr *)&v6, sizeof v6);
    if (wrong == 0 &&
        send(file, request, sizeof request - 1, MSG_NOSIGNAL) == (ssize_t)sizeof request - 1) {
        struct wire *wire = cli_alloc(sizeof *wire);
        const struct wire_limit limit = {.until = wire_now() + ANSWER_MS};
        struct es_str line, word;
        wire_open(wire, file);
        tag[0] = '\0';
        while (wire_read(wire, &limit, &line) == WIRE_OK && line.size > 0) {
            if (is_first && !es_str_is(line, "HTTP/1.1 200 OK"))
                break;
            is_first = false;
            if (es_str_is(line, "server: endstation"))
                is_endstation = true;
            else if (es_str_word(&line, &word) && es_str_is(word, "etag:"))
                es_str_copy(es_str_trim(line), tag, SERVER_TAG_BYTES);
        }
        free(wire);
    }
    close(file);
    return is_endstation;
}

/* Handles a server that could not be opened: if this very program already answers at the address,
 * that is success. Never uses another port, where the browser would not show the games that it
 * keeps for this one. */
static int report_busy(const struct wishes *wishes, unsigned port, struct site *site,
                       const char *fault)
{
    const struct server_request request = {
        .method = SERVER_HEAD, .path = "/", .accept_encoding = "", .if_none_match = ""};
    struct server_answer answer = {0};
    char tag[SERVER_TAG_BYTES], url[ADDRESS_BYTES + 20];
    bool is_plain = !wishes->address && !wishes->web && !wishes->listen;
    snprintf(url, sizeof url, "http://localhost:%u", port);
    if (is_plain && port > 0 &&
        (ask_endstation(AF_INET, port, tag) || ask_endstation(AF_INET6, port, tag))) {
        site_answer(site, &request, &answer);
        if (strcmp(tag, answer.tag) == 0) {
            printf("Endstation is already running at %s, and your games are there\n", url);
            if (wants_browser(wishes))
                show(url);
            return cli_flush();
        }
        fprintf(stderr,
                "endstation serve: another version of Endstation is running at %s; stop it to "
                "start this one\n",
                url);
        return CLI_BAD_INPUT;
    }
    fprintf(stderr, "endstation serve: %s\n", fault);
    return CLI_BAD_INPUT;
}

/* ---- The command ----------------------------------------------------------------------------- */

/* Opens what --store or --data names; sets `folder` to the folder, NULL if there is none. Prints
 * the reason of a failure. */
static struct store *open_store(const struct wishes *wishes, char **folder)
{
    char fault[STORE_FAULT_BYTES] = "not enough memory", path[PATH_MAX];
    bool is_memory = wishes->data && strcmp(wishes->data, "memory") == 0;
    bool has_folder = wishes->store ? wishes->data != NULL : !is_memory;
    struct store *store = NULL;
    *folder = has_folder ? data_folder(wishes->data) : NULL;
    if (wishes->store && *folder && !data_make(*folder, 0700))
        snprintf(fault, sizeof fault, "%.200s: %s", *folder, strerror(errno));
    else if (wishes->store)
        store = store_postgres(wishes->store, fault);
    else if (is_memory)
        store = store_memory();
    else if (!*folder)
        snprintf(fault, sizeof fault, "there is no home folder; name one with --data DIR");
    else if (data_path(*folder, DATA_FILE, path))
        store = store_sqlite(path, fault);
    else
        snprintf(fault, sizeof fault, "the name of the data folder is too long");
    if (store && !wishes->store && !is_memory && !store_look(store, LOOK_MS, fault)) {
        store->close(store);
        store = NULL;
        size_t size = strlen(fault);
        snprintf(fault + size, sizeof fault - size, "; go back to a backup");
    }
    if (store && transfer_is_partial(store)) {
        store->close(store);
        store = NULL;
        snprintf(fault, sizeof fault, TRANSFER_PARTIAL);
    }
    if (!store)
        fprintf(stderr, "endstation serve: %s\n", fault);
    else if (*folder)
        data_clean(*folder);
    return store;
}

static void end_now(int number)
{
    (void)number;
    _exit(CLI_OK);
}

/* Ends the process soon, whatever its threads wait for. What they were told to store and have not
 * confirmed has not been confirmed to anybody. */
static void end_soon(void)
{
    signal(SIGALRM, end_now);
    alarm(END_SECONDS);
}

/* Serves until a signal comes. */
static int serve_rooms(const struct wishes *wishes, struct server *server, struct service *service,
                       struct store *store, const char *folder)
{
    char url[ADDRESS_BYTES + 20], fault[STORE_FAULT_BYTES];
    if (!service_start(service, server, store, fault)) {
        store->close(store);
        fprintf(stderr, "endstation serve: %s\n", fault);
        return CLI_BAD_INPUT;
    }
    struct control *control = folder ? control_open(folder, service, !wishes->store) : NULL;
    server_take_signals(server);
    if (wishes->listen)
        printf("Endstation is at %s\n", wishes->listen);
    else
        say_where(wishes->address, server_port(server), url);
    int status = cli_flush();
    if (status == CLI_OK) {
        if (!wishes->listen && wants_browser(wishes))
            show(url);
        if (!server_run(server))
            _exit(CLI_OK); /* the second signal */
        end_soon();
    }
    service_stop(service);
    if (control)
        control_close(control);
    return status;
}

/* Opens everything: the address first, because it may be that this program is running already. */
static int serve(const struct wishes *wishes, struct server_options *options,
                 const struct service_options *service_options)
{
    char fault[SERVER_FAULT_BYTES], *folder = NULL;
    struct service *service = service_open(service_options);
    if (!service) {
        fprintf(stderr, "endstation serve: not enough memory\n");
        return CLI_BAD_INPUT;
    }
    options->events = &service_events;
    options->context = service;
    struct server *server = server_open(options, fault);
    int status = CLI_BAD_INPUT;
    if (server) {
        struct store *store = open_store(wishes, &folder);
        if (store)
            status = serve_rooms(wishes, server, service, store, folder);
        service_stop(service);
        server_close(server);
    } else {
        status = report_busy(wishes, options->port, service_options->site, fault);
    }
    service_close(service);
    free(folder);
    return status;
}

static int run(int argc, char **argv)
{
    struct serve_options options;
    struct site site = {.files = site_files, .version = site_version, .games = site_games};
    char *folder = NULL;
    int status = serve_options_read(&options, argc, argv);
    if (status == CLI_OK && options.wishes.web) {
        site.folder = folder = site_folder(options.wishes.web);
        if (!folder) {
            fprintf(stderr, "endstation serve: %s: %s\n", options.wishes.web, strerror(errno));
            status = CLI_BAD_INPUT;
        }
    }
    options.service.site = &site;
    if (status == CLI_OK)
        status = serve(&options.wishes, &options.server, &options.service);
    free(folder);
    serve_options_free(&options);
    return status;
}

const struct cli_command cli_serve = {
    .name = "serve",
    .summary = "play in the browser",
    .help =
        "serve [OPTIONS]\n\n"
        "Serves the page, with rooms to play in over the network, until interrupted, and prints\n"
        "its address, http://localhost:8080. On a desktop it also opens the browser. If this\n"
        "program is already running there, it says so and ends.\n\n"
        "  --config FILE     read options from a file, one a line without the dashes, like\n"
        "                    `port 8080`; those on the command line win (docs/operating.md)\n"
        "  --port N          another port (default 8080); 0: any free one. Browsers keep games\n"
        "                    separately for each port\n"
        "  --address A       the address to listen on (default: only this machine can see the\n"
        "                    page); 0.0.0.0: everyone on the network\n"
        "  --listen unix:/PATH  listen on a Unix socket instead, for a proxy (docs/operating.md)\n"
        "  --trust-proxy     believe X-Forwarded-For and X-Forwarded-Proto; only behind a proxy\n"
        "                    that sets them. On a Unix socket they are always believed\n"
        "  --origin LIST     other origins, like https://play.example, whose pages may use the\n"
        "                    rooms; separated by commas\n"
        "  --data DIR        where rooms, games and guests are kept (default: " CLI_HOME_HELP ");\n"
        "                    memory: nowhere, gone at the end\n"
        "  --store postgres://...  keep them in a PostgreSQL database instead, which several\n"
        "                    processes can share; --data is then only the folder for\n"
        "                    `endstation manage` (docs/operating.md)\n"
        "  --bots N          bots that think at the same time (default: one a core, at most 4)\n"
        "  --limits LIST     what one address may do; the usual ones are connections=50,\n"
        "                    guests=30,rooms=30,codes=20,requests=40,http=200; its network may\n"
        "                    have network=10 times as much (docs/operating.md)\n"
        "  --keep LIST       how many days things are kept that nobody needs any more: rooms "
        "whose\n"
        "                    game never began, finished games, guests who do not come; usually\n"
        "                    rooms=7,games=400,guests=400. DAYS may be for-ever, and so may LIST\n"
        "  --keep-records DIR  write the record of a game there before it is deleted\n"
        "  --log             print what happens on standard error, a line each\n"
        "  --web DIR         take the page's files from a folder, read on every request, for\n"
        "                    working on the page; what is not there comes from the program\n"
        "  --open            always open the browser\n"
        "  --no-open         never open it\n",
    .run = run,
};
