/* Reads and checks the options of `endstation serve`. */
#include "cli/serve_options.h"
#include "cli/cli.h"
#include "server/thinkers.h"
#include <stdlib.h>
#include <string.h>

enum { PORT = 8080, HTTP_OF_ADDRESS = 200, LIMIT_MAX = 1000000, OPTIONS = 15 };
/* How many days things are kept unless --keep says something else. */
enum { KEEP_ROOMS = 7, KEEP_GAMES = 400, KEEP_GUESTS = 400, DAYS_MAX = 36500 };

/* Lists the options that the command line and the file have. */
static void list(struct wishes *wishes, struct cli_option options[OPTIONS + 1])
{
    const struct cli_option all[OPTIONS + 1] = {{"--port", &wishes->port, NULL},
                                                {"--address", &wishes->address, NULL},
                                                {"--listen", &wishes->listen, NULL},
                                                {"--data", &wishes->data, NULL},
                                                {"--store", &wishes->store, NULL},
                                                {"--web", &wishes->web, NULL},
                                                {"--origin", &wishes->origin, NULL},
                                                {"--bots", &wishes->bots, NULL},
                                                {"--limits", &wishes->limits, NULL},
                                                {"--trust-proxy", NULL, &wishes->trust_proxy},
                                                {"--log", NULL, &wishes->log},
                                                {"--open", NULL, &wishes->open},
                                                {"--no-open", NULL, &wishes->no_open},
                                                {"--keep", &wishes->keep, NULL},
                                                {"--keep-records", &wishes->keep_records, NULL},
                                                {NULL, NULL, NULL}};
    memcpy(options, all, sizeof all);
}

/* ---- Checking -------------------------------------------------------------------------------- */

struct wrong {
    char *text;
    size_t size;
};

static bool fail(const struct wrong *wrong, const char *what, const char *about)
{
    snprintf(wrong->text, wrong->size, "%s%s%.100s", what, about ? " " : "", about ? about : "");
    return false;
}

/* Reads a number, unless the option is not given. */
static bool read_number(const char *name, const char *text, unsigned min, unsigned max,
                        unsigned *value, const struct wrong *wrong)
{
    char what[80];
    if (!text || (es_str_number(es_str(text), max, value) == ES_OK && *value >= min))
        return true;
    snprintf(what, sizeof what, "%s takes a whole number from %u to %u, not", name, min, max);
    return fail(wrong, what, text);
}

/* Cuts the list of --origin at its commas. */
static bool read_origins(struct serve_options *options, const struct wrong *wrong)
{
    int count = 0;
    memset(options->server.origin, 0, sizeof options->server.origin);
    if (!options->wishes.origin)
        return true;
    if (!es_str_copy(es_str(options->wishes.origin), options->origins, sizeof options->origins))
        return fail(wrong, "the list of --origin is too long", NULL);
    for (char *rest = options->origins, *one; (one = strsep(&rest, ",")) != NULL;) {
        if (*one == '\0')
            continue;
        if (count == SERVER_ORIGINS_MAX)
            return fail(wrong, "too many origins:", options->wishes.origin);
        options->server.origin[count++] = one;
    }
    return true;
}

/* Reads the list of --limits, NAME=N with commas between. */
static bool read_limits(struct serve_options *options, const struct wrong *wrong)
{
    struct rooms_limits *limits = &options->service.limits;
    const struct {
        const char *name;
        uint32_t *limit;
    } known[] = {{"connections", &limits->of_address}, {"guests", &limits->guests_of_address},
                 {"rooms", &limits->rooms_of_address}, {"codes", &limits->codes_of_address},
                 {"requests", &limits->requests},      {"http", &options->server.of_address},
                 {"network", &limits->of_network}};
    enum { KNOWN = sizeof known / sizeof known[0] };
    char one[40];
    for (const char *rest = options->wishes.limits; rest;
         rest = strchr(rest, ',') ? strchr(rest, ',') + 1 : NULL) {
        size_t i = 0;
        unsigned number;
        bool is_short = es_str_copy((struct es_str){rest, strcspn(rest, ",")}, one, sizeof one);
        char *value = is_short ? strchr(one, '=') : NULL;
        if (value)
            *value++ = '\0';
        while (i < KNOWN && strcmp(known[i].name, one) != 0)
            i++;
        if (i == KNOWN || !value)
            return fail(wrong,
                        "--limits takes connections=N, guests=N, rooms=N, codes=N, requests=N, "
                        "http=N, network=N, not",
                        is_short ? one : rest);
        if (!read_number(known[i].name, value, 1, LIMIT_MAX, &number, wrong))
            return false;
        *known[i].limit = number;
    }
    return true;
}

/* Reads the list of --keep, NAME=DAYS with commas between, or `for-ever`. */
static bool read_keep(struct serve_options *options, const struct wrong *wrong)
{
    const uint64_t day = UINT64_C(24) * 3600 * 1000;
    struct rooms_keep *keep = &options->service.keep;
    const struct {
        const char *name;
        uint64_t *ms;
    } known[] = {{"rooms", &keep->rooms}, {"games", &keep->games}, {"guests", &keep->guests}};
    enum { KNOWN = sizeof known / sizeof known[0] };
    const char *all = options->wishes.keep;
    char one[40];
    options->service.records = options->wishes.keep_records;
    if (all && strcmp(all, "for-ever") == 0)
        return true;
    *keep = (struct rooms_keep){KEEP_ROOMS * day, KEEP_GAMES * day, KEEP_GUESTS * day, false};
    for (const char *rest = all; rest; rest = strchr(rest, ',') ? strchr(rest, ',') + 1 : NULL) {
        size_t i = 0;
        unsigned days = 0;
        bool is_short = es_str_copy((struct es_str){rest, strcspn(rest, ",")}, one, sizeof one);
        char *value = is_short ? strchr(one, '=') : NULL;
        if (value)
            *value++ = '\0';
        while (i < KNOWN && strcmp(known[i].name, one) != 0)
            i++;
        if (i == KNOWN || !value)
            return fail(wrong, "--keep takes for-ever, or rooms=DAYS, games=DAYS, guests=DAYS, not",
                        is_short ? one : rest);
        if (strcmp(value, "for-ever") != 0 &&
            !read_number(known[i].name, value, 1, DAYS_MAX, &days, wrong))
            return false;
        *known[i].ms = days * day;
    }
    return true;
}

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool combine(const struct wishes *wishes, const struct wrong *wrong)
{
    if (wishes->listen && !begins(wishes->listen, "unix:/"))
        return fail(wrong, "--listen takes unix:/PATH, not", wishes->listen);
    if (wishes->listen && (wishes->port || wishes->address))
        return fail(wrong, "--listen cannot be combined with --port or --address", NULL);
    if (wishes->store && !begins(wishes->store, "postgres://") &&
        !begins(wishes->store, "postgresql://"))
        return fail(wrong, "--store takes postgres://..., not", wishes->store);
    if (wishes->store && wishes->data && strcmp(wishes->data, "memory") == 0)
        return fail(wrong, "--store cannot be combined with --data memory", NULL);
    if (wishes->open && wishes->no_open)
        return fail(wrong, "--open and --no-open cannot be combined", NULL);
    return true;
}

/* Sets everything that follows from options->wishes. Returns false and writes what is wrong. */
static bool check(struct serve_options *options, const struct wrong *wrong)
{
    const struct wishes *wishes = &options->wishes;
    options->server = (struct server_options){
        .address = wishes->address,
        .port = PORT,
        .unix_path = wishes->listen ? wishes->listen + strlen("unix:") : NULL,
        .trust_proxy = wishes->trust_proxy,
        .of_address = HTTP_OF_ADDRESS,
        .shared = wishes->store != NULL,
    };
    options->service = (struct service_options){
        .version = ES_VERSION,
        .log = wishes->log,
        .shared = wishes->store != NULL,
    };
    return read_number("--port", wishes->port, 0, 65535, &options->server.port, wrong) &&
           read_number("--bots", wishes->bots, 1, THINKERS_MAX, &options->service.bots, wrong) &&
           combine(wishes, wrong) && read_origins(options, wrong) && read_limits(options, wrong) &&
           read_keep(options, wrong);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool check_file(const void *context, char *text, size_t size)
{
    struct serve_options scratch = {.wishes = *(const struct wishes *)context};
    return check(&scratch, &(struct wrong){text, size});
}

/* Adds what the file says where the command line says nothing else. */
static void add(struct wishes *wishes, const struct wishes *file)
{
    struct wishes both = *file;
    struct cli_option to[OPTIONS + 1], from[OPTIONS + 1];
    if (wishes->listen)
        both.port = both.address = NULL;
    if (wishes->port || wishes->address)
        both.listen = NULL;
    if (wishes->store && both.data && strcmp(both.data, "memory") == 0)
        both.data = NULL;
    if (wishes->data && strcmp(wishes->data, "memory") == 0)
        both.store = NULL;
    if (wishes->open || wishes->no_open)
        both.open = both.no_open = false;
    list(wishes, to);
    list(&both, from);
    for (int i = 0; i < OPTIONS; i++)
        if (to[i].flag)
            *to[i].flag |= *from[i].flag;
        else if (!*to[i].text)
            *to[i].text = *from[i].text;
}

static int read_file(struct serve_options *options, const char *path)
{
    struct wishes file = {0};
    struct cli_option known[OPTIONS + 1];
    list(&file, known);
    int status = cli_options_file(path, known, check_file, &file, &options->file);
    if (status == CLI_OK)
        add(&options->wishes, &file);
    return status;
}

int serve_options_read(struct serve_options *options, int argc, char **argv)
{
    const char *path = NULL;
    char text[200];
    const struct wrong wrong = {text, sizeof text};
    struct cli_option known[OPTIONS + 2] = {{"--config", &path, NULL}};
    *options = (struct serve_options){.file = NULL};
    list(&options->wishes, known + 1);
    int status = cli_options(argc, argv, known, NULL, 0);
    if (status == CLI_OK && !check(options, &wrong))
        status = cli_usage(argv[0], text, NULL);
    if (status == CLI_OK && path)
        status = read_file(options, path);
    if (status == CLI_OK && !check(options, &wrong))
        status = cli_usage(argv[0], text, NULL);
    return status;
}

void serve_options_free(struct serve_options *options)
{
    free(options->file);
}
