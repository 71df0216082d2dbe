/* `serve`: the page, for browsers. */
#include "cli.h"
#include "server.h"
#include "site.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PORT = 8080, PORTS = 100, ADDRESS_BYTES = 100 };

struct wishes {
    const char *port, *address, *web;
    bool open, no_open;
};

/* The address of this machine that others in the network reach, or false. */
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

/* Says where the page is, and leaves the address that this machine's browser is given. */
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

/* Shows the page in this machine's browser, if it has one. The child of a child, so that nobody has
 * to wait for it; it has none of our files and outlives us. */
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

static int serve(const struct wishes *wishes, unsigned port, struct site *site)
{
    const struct server_options options = {.address = wishes->address,
                                           .port = port,
                                           .ports = wishes->port ? 1 : PORTS,
                                           .answer = site_answer,
                                           .context = site};
    char fault[SERVER_FAULT_BYTES], url[ADDRESS_BYTES + 20];
    struct server *server = server_open(&options, fault);
    if (!server) {
        fprintf(stderr, "endstation serve: %s\n", fault);
        return CLI_BAD_INPUT;
    }
    say_where(wishes->address, server_port(server), url);
    int status = cli_flush();
    if (status == CLI_OK) {
        if (wishes->open || (!wishes->no_open && has_browser()))
            show(url);
        server_run(server);
    }
    server_close(server);
    return status;
}

static int run(int argc, char **argv)
{
    struct wishes wishes = {0};
    unsigned port = PORT;
    const struct cli_option options[] = {
        {"--port", &wishes.port, NULL},       {"--address", &wishes.address, NULL},
        {"--web", &wishes.web, NULL},         {"--open", NULL, &wishes.open},
        {"--no-open", NULL, &wishes.no_open}, {NULL, NULL, NULL}};
    int status = cli_options(argc, argv, options, NULL, 0);
    if (status == CLI_OK && wishes.port)
        status = cli_number(argv[0], "--port", wishes.port, 0, 65535, &port);
    if (status)
        return status;
    if (wishes.open && wishes.no_open)
        return cli_usage(argv[0], "--open and --no-open exclude each other", NULL);
    struct site site = {.files = site_files, .version = site_version};
    char *folder = NULL;
    if (wishes.web) {
        folder = site_folder(wishes.web);
        if (!folder) {
            fprintf(stderr, "endstation serve: %s: %s\n", wishes.web, strerror(errno));
            return CLI_BAD_INPUT;
        }
        site.folder = folder;
    }
    status = serve(&wishes, port, &site);
    free(folder);
    return status;
}

const struct cli_command cli_serve = {
    .name = "serve",
    .summary = "both games in the browser",
    .help =
        "serve [--port N] [--address A] [--web DIR] [--open | --no-open]\n\n"
        "Serves the page until it is interrupted, and says where it is: at\n"
        "http://localhost:8080, or at the next port that is free. At a terminal with a screen it\n"
        "is shown in the browser.\n\n"
        "  --port N          this port and no other; 0: any that is free\n"
        "  --address A       the address to listen on (default: only this machine can see the\n"
        "                    page); 0.0.0.0 lets in everybody in the network\n"
        "  --web DIR         the page's files from a folder, read at each request: for working\n"
        "                    on the page; what the folder lacks comes from the program\n"
        "  --open, --no-open show it in the browser in any case, or not at all\n",
    .run = run,
};
