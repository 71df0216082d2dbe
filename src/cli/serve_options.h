/* The options of `endstation serve`, from the command line and from its configuration file. */
#ifndef ENDSTATION_SERVE_OPTIONS_H
#define ENDSTATION_SERVE_OPTIONS_H

#include "server/server.h"
#include "server/service.h"

/* Options as they were given; NULL or false: not given. */
struct wishes {
    const char *port, *address, *web, *data, *store, *listen, *origin, *bots, *limits, *keep,
        *keep_records;
    bool open, no_open, trust_proxy, log;
};

/* Options, checked. */
struct serve_options {
    struct wishes wishes;
    struct server_options server; /* without callbacks */
    struct service_options service;
    char origins[1000]; /* the texts of server.origin */
    char *file;         /* texts of the configuration file, or NULL */
};

/* Reads the command line and the configuration file that it names. Returns CLI_OK, or prints what
 * is wrong and returns the exit status. Call serve_options_free() in either case. */
int serve_options_read(struct serve_options *options, int argc, char **argv);
void serve_options_free(struct serve_options *options);

#endif
