/* Implementation of site.h: addresses, caching and compression. */
#include "server/site.h"
#include "server/http.h"
#include <stdio.h>
#include <string.h>

static const char *const root_files[] = {"index.html", "sw.js"};

static const char cache_revalidate[] = "no-cache";
static const char cache_immutable[] = "public, max-age=31536000, immutable";

bool site_at_root(const char *path)
{
    for (size_t i = 0; i < sizeof root_files / sizeof root_files[0]; i++)
        if (strcmp(path, root_files[i]) == 0)
            return true;
    return false;
}

static void say(struct server_answer *answer, int status, const char *page)
{
    *answer = (struct server_answer){.status = status,
                                     .type = "text/html; charset=utf-8",
                                     .cache = "no-store",
                                     .bytes = page,
                                     .size = strlen(page)};
}

#define PAGE(title, sentence)                                                                      \
    "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"                              \
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" title "</title>\n"          \
    "<h1>" title "</h1>\n<p>" sentence " <a href=\"/\">Home</a></p>\n</html>\n"

static void not_found(struct server_answer *answer)
{
    say(answer, 404, PAGE("No stop here", "There is nothing at this address."));
}

/* Returns the file at an address, or NULL. */
static const char *file_at(const char *path, const char *version)
{
    if (strcmp(path, "/") == 0)
        return root_files[0];
    size_t size = strlen(version);
    if (strncmp(path, "/v/", 3) == 0 && strncmp(path + 3, version, size) == 0 &&
        path[3 + size] == '/')
        return site_at_root(path + 3 + size + 1) ? NULL : path + 3 + size + 1;
    return site_at_root(path + 1) && strcmp(path + 1, root_files[0]) != 0 ? path + 1 : NULL;
}

static const struct site_file *find(const struct site *site, const char *path)
{
    for (const struct site_file *file = site->files; file->path; file++)
        if (strcmp(file->path, path) == 0)
            return file;
    return NULL;
}

/* Chooses the smallest encoding that the client accepts. */
static void choose(const struct site_file *file, const char *accept, struct server_answer *answer)
{
    const struct {
        const char *name;
        const struct site_bytes *bytes;
    } encodings[] = {{"br", &file->brotli}, {"gzip", &file->gzip}};
    const struct site_bytes *chosen = &file->plain;
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        if (!encodings[i].bytes->at)
            continue;
        answer->varies = true;
        if (answer->encoding || !http_accepts(accept, encodings[i].name))
            continue;
        answer->encoding = encodings[i].name;
        chosen = encodings[i].bytes;
    }
    answer->bytes = chosen->at;
    answer->size = chosen->size;
    snprintf(answer->tag, sizeof answer->tag, "\"%.30s%s%s\"", file->tag,
             answer->encoding ? "-" : "", answer->encoding ? answer->encoding : "");
}

static void from_program(const struct site *site, const char *path,
                         const struct server_request *request, struct server_answer *answer)
{
    const struct site_file *file = find(site, path);
    if (!file) {
        not_found(answer);
        return;
    }
    bool lasting = !site->folder && !site_at_root(path);
    *answer = (struct server_answer){.status = 200,
                                     .type = http_type(path),
                                     .cache = lasting ? cache_immutable : cache_revalidate};
    choose(file, request->accept_encoding, answer);
    if (http_matches(request->if_none_match, answer->tag)) {
        answer->status = 304;
        answer->bytes = NULL;
        answer->size = 0;
    }
}

void site_answer(void *context, const struct server_request *request, struct server_answer *answer)
{
    const struct site *site = context;
    if (request->method != SERVER_GET && request->method != SERVER_HEAD) {
        say(answer, 405, PAGE("Not allowed", "This address is read-only."));
        return;
    }
    if (strlen(request->path) > SERVER_PATH_MAX) {
        say(answer, 414, PAGE("Too long", "This address is too long."));
        return;
    }
    const char *path = file_at(request->path, site->folder ? SITE_FOLDER_VERSION : site->version);
    if (!path) {
        not_found(answer);
        return;
    }
    size_t size;
    void *bytes = site->folder ? site_read(site, path, &size) : NULL;
    if (!bytes && site->folder && site_at_root(path))
        not_found(answer); /* the embedded file belongs to another version */
    else if (!bytes)
        from_program(site, path, request, answer);
    else
        *answer = (struct server_answer){.status = 200,
                                         .type = http_type(path),
                                         .cache = "no-cache",
                                         .bytes = bytes,
                                         .size = size,
                                         .owned = bytes};
}
