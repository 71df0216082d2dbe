/* Maps addresses to the files of the page.
 *
 *     /                        index.html; revalidated each time
 *     /sw.js                   the service worker, whose address determines its scope
 *     /v/VERSION/PATH          everything else, cached for ever: new contents get a new version
 *
 * The files are embedded in the program (struct site_file, made by cmake/site.cmake), or read from
 * a folder at each request; files missing there are taken from the program.
 */
#ifndef ENDSTATION_SITE_H
#define ENDSTATION_SITE_H

#include "server/server.h"

/* Largest file that is read from a folder. */
enum { SITE_FILE_MAX = 16 << 20 };

struct site_bytes {
    const unsigned char *at; /* NULL: not stored, since it would not be smaller */
    size_t size;
};

struct site_file {
    const char *path; /* without a leading '/' */
    const char *tag;  /* a hash of the contents */
    struct site_bytes plain, gzip, brotli;
};

/* The embedded page; the list ends with a NULL path. */
extern const struct site_file site_files[];
extern const char site_version[];
/* The elements of index.html for its games, which replace @GAMES@. */
extern const char site_games[];

struct site {
    const struct site_file *files;
    const char *version;
    const char *games;  /* for an index.html from a folder */
    const char *folder; /* resolved, from site_folder; NULL: use embedded files only */
};

/* The version of everything that comes from a folder. */
#define SITE_FOLDER_VERSION "dev"

/* Answers a request; `site` is a struct site. */
void site_answer(void *site, const struct server_request *request, struct server_answer *answer);

/* Returns the folder's resolved name, to be freed; NULL with errno. */
char *site_folder(const char *path);
/* Reads a regular file within the site's folder and fills in the placeholders of files at the root.
 * Returns NULL if there is none that may be read; free the result. */
void *site_read(const struct site *site, const char *path, size_t *size);
/* Returns true if a file is served at the root, where its address has no version. */
bool site_at_root(const char *path);

#endif
