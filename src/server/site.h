/* The page as a site: which bytes stand at which address.
 *
 *     /                        index.html; asked for anew each time
 *     /sw.js                   the service worker, whose address says what it may control
 *     /v/VERSION/PATH          everything else, kept for good: other contents, another version
 *
 * The files are embedded in the program (struct site_file, made by cmake/site.cmake), or read from
 * a folder at each request; what the folder lacks is taken from the program.
 */
#ifndef ENDSTATION_SITE_H
#define ENDSTATION_SITE_H

#include "server/server.h"

/* No file that is read from a folder is larger. */
enum { SITE_FILE_MAX = 16 << 20 };

struct site_bytes {
    const unsigned char *at; /* NULL: there is no such encoding, it would not be smaller */
    size_t size;
};

struct site_file {
    const char *path; /* without a '/' at its beginning */
    const char *tag;  /* a hash of what it holds */
    struct site_bytes plain, gzip, brotli;
};

/* The embedded page; the list ends with a NULL path. */
extern const struct site_file site_files[];
extern const char site_version[];
/* The elements of index.html for its games; they stand there for @GAMES@. */
extern const char site_games[];

struct site {
    const struct site_file *files;
    const char *version;
    const char *games; /* for an index.html from a folder */
    const char
        *folder; /* with no links in it, as site_folder makes it; NULL: only what is embedded */
};

/* The version of everything that comes from a folder. */
#define SITE_FOLDER_VERSION "dev"

/* Answers a request; `site` is a struct site. */
void site_answer(void *site, const struct server_request *request, struct server_answer *answer);

/* The folder's true name, to be freed; NULL with errno. */
char *site_folder(const char *path);
/* Reads a plain file within the site's folder, with its placeholders filled in where it stands at
 * the root; NULL if there is none that may be read. Free what it returns. */
void *site_read(const struct site *site, const char *path, size_t *size);
/* Whether a file stands at the root, where its address stays the same. */
bool site_at_root(const char *path);

#endif
