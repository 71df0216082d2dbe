/* Reads a request from the headers that libwebsockets has parsed: who asks, and for what. */
#include "server/http.h"
#include "server/internal.h"
#include <arpa/inet.h>
#include <endstation/sha256.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

/* Copies a header; a missing or too long one becomes empty. */
static const char *copy(struct lws *wsi, enum lws_token_indexes token, char *text, size_t size)
{
    if (lws_hdr_copy(wsi, text, (int)size, token) < 0)
        text[0] = '\0';
    return text;
}

/* Copies a header that libwebsockets has no number for. */
static bool copy_named(struct lws *wsi, const char *name, char *text, size_t size)
{
    text[0] = '\0';
    return lws_hdr_custom_copy(wsi, text, (int)size, name, (int)strlen(name)) >= 0;
}

static void copy_args(struct lws *wsi, char *args, size_t room)
{
    size_t used = 0;
    for (int i = 0; used + 2 < room; i++) {
        int size = lws_hdr_copy_fragment(wsi, args + used, (int)(room - used - 1),
                                         WSI_TOKEN_HTTP_URI_ARGS, i);
        if (size < 0)
            break;
        if (size > 0)
            used += strlen(args + used) + 1;
    }
    args[used] = '\0';
}

/* ---- Who asks ------------------------------------------------------------------------------- */

struct peer {
    uint8_t bytes[16];
    size_t size, network; /* bytes of the address, and of its network */
    bool is_local;        /* this machine */
    bool is_unix;
};

static void set_v4(struct peer *peer, const void *bytes)
{
    memcpy(peer->bytes, bytes, 4);
    peer->size = 4;
    peer->network = 3;
    peer->is_local = peer->bytes[0] == 127;
}

/* Takes the first 64 bits of an IPv6 address, because a client usually has such a network to itself
 * and can use any address in it. Those who have more have 48 bits. */
static void set_v6(struct peer *peer, const struct in6_addr *address)
{
    if (IN6_IS_ADDR_V4MAPPED(address)) {
        set_v4(peer, &address->s6_addr[12]);
        return;
    }
    memcpy(peer->bytes, address->s6_addr, 8);
    peer->size = 8;
    peer->network = 6;
    peer->is_local = IN6_IS_ADDR_LOOPBACK(address);
}

static struct peer peer_of(int file)
{
    struct sockaddr_storage at = {0};
    socklen_t size = sizeof at;
    struct peer peer = {.size = 0};
    if (getpeername(file, (struct sockaddr *)&at, &size) != 0)
        return peer;
    if (at.ss_family == AF_INET)
        set_v4(&peer, &((struct sockaddr_in *)&at)->sin_addr);
    else if (at.ss_family == AF_INET6)
        set_v6(&peer, &((struct sockaddr_in6 *)&at)->sin6_addr);
    else
        peer.is_local = peer.is_unix = true;
    return peer;
}

/* Takes the last address of X-Forwarded-For, which the proxy has added. Those before it come from
 * the client and may be false. */
static void believe(struct peer *peer, const char *forwarded)
{
    const char *comma = strrchr(forwarded, ',');
    const char *at = comma ? comma + 1 : forwarded;
    char text[64];
    at += strspn(at, " \t");
    size_t size = strcspn(at, " \t");
    struct in_addr v4;
    struct in6_addr v6;
    if (size == 0 || size >= sizeof text)
        return;
    memcpy(text, at, size);
    text[size] = '\0';
    /* Some proxies add the port: 192.0.2.1:5555, [2001:db8::1]:5555. */
    char *colon = strchr(text, ':');
    if (text[0] == '[') {
        memmove(text, text + 1, size);
        text[strcspn(text, "]")] = '\0';
    } else if (colon && !strchr(colon + 1, ':')) {
        *colon = '\0';
    }
    if (inet_pton(AF_INET, text, &v4) == 1)
        set_v4(peer, &v4);
    else if (inet_pton(AF_INET6, text, &v6) == 1)
        set_v6(peer, &v6);
}

/* Returns a hash with the key of the store, so that addresses themselves are stored nowhere. */
static uint64_t hash(const struct server *server, const struct peer *peer, size_t size)
{
    struct es_sha256 sha;
    uint8_t digest[ES_SHA256_BYTES];
    uint64_t value;
    es_sha256_init(&sha);
    es_sha256_update(&sha, server->key, sizeof server->key);
    es_sha256_update(&sha, peer->bytes, size);
    es_sha256_final(&sha, digest);
    memcpy(&value, digest, sizeof value);
    return value;
}

void request_peer(const struct server *server, int file, uint64_t *address, uint64_t *network)
{
    struct peer peer = peer_of(file);
    *address = hash(server, &peer, peer.size);
    *network = hash(server, &peer, peer.network);
}

static void read_peer(const struct server *server, struct lws *wsi, struct server_request *request)
{
    char forwarded[1024], other[256], host[256];
    struct peer peer = peer_of(lws_get_socket_fd(wsi));
    bool has_forwarded = lws_hdr_total_length(wsi, WSI_TOKEN_X_FORWARDED_FOR) > 0;
    bool has_proxy = has_forwarded || lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_VIA) > 0 ||
                     lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_X_REAL_IP) > 0 ||
                     copy_named(wsi, "forwarded:", other, sizeof other);
    copy(wsi, WSI_TOKEN_HOST, host, sizeof host);
    /* The name has to be local too: another site could let its own name point to this machine (DNS
     * rebinding), and a proxy on a Unix socket may not say that it is one. Nor may a path become
     * another one on the way, which a proxy's rules know nothing of. */
    request->direct = peer.is_local && !has_proxy && http_is_local_name(host) &&
                      connection_of(wsi) && connection_of(wsi)->seen;
    if (server->options.trust_proxy || peer.is_unix) {
        believe(&peer, copy(wsi, WSI_TOKEN_X_FORWARDED_FOR, forwarded, sizeof forwarded));
        copy_named(wsi, "x-forwarded-proto:", other, sizeof other);
        request->secure = strcasecmp(other, "https") == 0;
    }
    request->address = hash(server, &peer, peer.size);
    request->network = hash(server, &peer, peer.network);
}

static bool is_foreign(const struct server *server, struct lws *wsi)
{
    char origin[1024], host[256];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0)
        return false; /* not a browser */
    copy(wsi, WSI_TOKEN_ORIGIN, origin, sizeof origin);
    copy(wsi, WSI_TOKEN_HOST, host, sizeof host);
    for (int i = 0; i < SERVER_ORIGINS_MAX && server->options.origin[i]; i++)
        if (strcasecmp(server->options.origin[i], origin) == 0)
            return false;
    return !http_same_origin(origin, host);
}

/* ---- What is asked for ---------------------------------------------------------------------- */

static enum server_method method_of(struct lws *wsi, enum lws_token_indexes *token)
{
    static const struct {
        enum lws_token_indexes token;
        enum server_method method;
    } methods[] = {
        {WSI_TOKEN_GET_URI, SERVER_GET},      {WSI_TOKEN_HEAD_URI, SERVER_HEAD},
        {WSI_TOKEN_POST_URI, SERVER_POST},    {WSI_TOKEN_OPTIONS_URI, SERVER_OTHER},
        {WSI_TOKEN_PUT_URI, SERVER_OTHER},    {WSI_TOKEN_PATCH_URI, SERVER_OTHER},
        {WSI_TOKEN_DELETE_URI, SERVER_OTHER},
    };
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        *token = methods[i].token;
        if (lws_hdr_total_length(wsi, *token) > 0)
            return methods[i].method;
    }
    return SERVER_OTHER;
}

bool request_read(struct server *server, struct lws *wsi, struct server_request *request,
                  struct request_texts *texts)
{
    enum lws_token_indexes token;
    *request = (struct server_request){.method = method_of(wsi, &token)};
    request->path = copy(wsi, token, texts->path, sizeof texts->path);
    request->accept_encoding =
        copy(wsi, WSI_TOKEN_HTTP_ACCEPT_ENCODING, texts->accept, sizeof texts->accept);
    request->if_none_match =
        copy(wsi, WSI_TOKEN_HTTP_IF_NONE_MATCH, texts->none_match, sizeof texts->none_match);
    request->cookie = copy(wsi, WSI_TOKEN_HTTP_COOKIE, texts->cookie, sizeof texts->cookie);
    request->authorization =
        copy(wsi, WSI_TOKEN_HTTP_AUTHORIZATION, texts->authorization, sizeof texts->authorization);
    request->content_type = copy(wsi, WSI_TOKEN_HTTP_CONTENT_TYPE, texts->type, sizeof texts->type);
    copy_args(wsi, texts->args, sizeof texts->args);
    request->args = texts->args;
    request->foreign = is_foreign(server, wsi);
    read_peer(server, wsi, request);
    /* If the text is shorter than its length, the path contains a zero, or '&', where libwebsockets
     * ends it. */
    return request->path && request->path[0] == '/' &&
           strlen(request->path) == (size_t)lws_hdr_total_length(wsi, token);
}

long request_body(struct lws *wsi)
{
    char text[20];
    if (lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_TRANSFER_ENCODING) > 0)
        return -1;
    int length = lws_hdr_total_length(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH);
    if (length == 0) /* libwebsockets would read a POST's body up to the end of the connection */
        return lws_hdr_total_length(wsi, WSI_TOKEN_POST_URI) > 0 ? -1 : 0;
    copy(wsi, WSI_TOKEN_HTTP_CONTENT_LENGTH, text, sizeof text);
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text) || strlen(text) > 15)
        return -2;
    return strtol(text, NULL, 10);
}
