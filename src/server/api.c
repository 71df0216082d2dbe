/* Implementation of api.h. */
#include "server/api.h"
#include "server/http.h"
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A kilobyte of JSON, or two of a sheet, may take as long as a request for something small; a QR
 * code of the longest text takes as long as several. */
enum { JSON_COST_BYTES = 1024, SHEET_COST_BYTES = 2048, QR_COST = 3 };

/* Copies a room's id from the front of a text; returns what follows, or NULL. */
static const char *take_room(const char *text, char room[STORE_ROOM_BYTES])
{
    size_t size = strspn(text, "abcdefghijklmnopqrstuvwxyz234567");
    if (size != STORE_ROOM_BYTES - 1)
        return NULL;
    memcpy(room, text, size);
    room[size] = '\0';
    return text + size;
}

enum api_kind api_kind(const char *path, char room[STORE_ROOM_BYTES])
{
    static const struct {
        const char *path;
        enum api_kind kind;
    } whole[] = {{"guest", API_GUEST}, {"device", API_DEVICE}, {"signout", API_SIGNOUT},
                 {"map", API_MAP},     {"qr", API_QR},         {"rooms", API_ROOMS},
                 {"me", API_ME}},
      parts[] = {{"", API_ROOM},
                 {"/record", API_RECORD},
                 {"/state", API_STATE},
                 {"/picture", API_PICTURE},
                 {"/map", API_SHEET}};
    room[0] = '\0';
    if (strncmp(path, "/api/", 5) != 0)
        return API_NONE;
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (strcmp(path + 5, whole[i].path) == 0)
            return whole[i].kind;
    if (strncmp(path + 5, "rooms/", 6) != 0)
        return API_UNKNOWN;
    /* Anything but an id counts as a room that does not exist: `room` stays empty. */
    const char *rest = path + 11 + strcspn(path + 11, "/"), *after = take_room(path + 11, room);
    if (after != rest)
        room[0] = '\0';
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(rest, parts[i].path) == 0)
            return parts[i].kind;
    return API_UNKNOWN;
}

bool api_is_post(enum api_kind kind)
{
    return kind == API_GUEST || kind == API_DEVICE || kind == API_SIGNOUT || kind == API_MAP ||
           kind == API_QR;
}

int api_refuses(enum api_kind kind, const struct server_request *request, const char **code)
{
    bool is_read = request->method == SERVER_GET || request->method == SERVER_HEAD;
    *code = "UNKNOWN";
    if (kind == API_UNKNOWN)
        return 404;
    *code = "METHOD";
    if (api_is_post(kind) ? request->method != SERVER_POST : !is_read)
        return 405;
    if (is_read)
        return 0;
    *code = "ORIGIN";
    if (request->foreign)
        return 403;
    /* A form on another site cannot send application/json. Sheets may be text/plain, too. */
    *code = "TYPE";
    if (!http_is_type(request->content_type, "application/json") &&
        !(kind == API_MAP && http_is_type(request->content_type, "text/plain")))
        return 415;
    return 0;
}

size_t api_body_max(enum api_kind kind)
{
    return kind == API_MAP ? (size_t)ROOMS_UPLOAD_MAX : (size_t)ROOMS_MESSAGE_MAX;
}

uint32_t api_cost(enum api_kind kind, size_t length)
{
    size_t max = api_body_max(kind); /* more is refused unread */
    size_t bytes = kind == API_MAP ? SHEET_COST_BYTES : JSON_COST_BYTES;
    return 1 + (uint32_t)((length < max ? length : max) / bytes) + (kind == API_QR ? QR_COST : 0);
}

static char *write_out(json_t *message)
{
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    return text;
}

static void set(json_t *message, const char *name, json_t *value)
{
    if (value)
        json_object_set_new(message, name, value);
}

static json_t *read_body(struct es_str body)
{
    json_t *message = json_loadb(body.at, body.size, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(message))
        return message;
    json_decref(message);
    return NULL;
}

static char *message_of_get(enum api_kind kind, const char *room,
                            const struct server_request *request)
{
    static const char *const what[] = {
        [API_ME] = "me",         [API_ROOMS] = "rooms", [API_ROOM] = "room",
        [API_RECORD] = "record", [API_STATE] = "state", [API_PICTURE] = "picture",
        [API_SHEET] = "map"};
    static const char by_code[] = "Code ";
    const char *code = http_arg(request->args, "code"), *seat = http_arg(request->args, "seat"),
               *dark = http_arg(request->args, "dark"), *after = http_arg(request->args, "after");
    if (strncmp(request->authorization, by_code, sizeof by_code - 1) == 0)
        code = request->authorization + sizeof by_code - 1;
    json_t *message = json_object();
    unsigned number;
    set(message, "t", json_string("get"));
    set(message, "what", json_string(what[kind]));
    if (room[0])
        set(message, "room", json_string(room));
    if (code)
        set(message, "code", json_string(code));
    if (after)
        set(message, "after", json_string(after));
    if (seat && es_str_number(es_str(seat), ES_PLAYERS_MAX, &number) == ES_OK)
        set(message, "seat", json_integer((json_int_t)number));
    if (dark)
        set(message, "dark", json_boolean(strcmp(dark, "1") == 0));
    return write_out(message);
}

char *api_qr_text(const struct server_request *request, const char **code)
{
    json_t *message = read_body(request->body);
    const char *text = json_string_value(json_object_get(message, "text"));
    char *copy = text ? strdup(text) : NULL;
    *code = !message ? "NO_JSON" : !text ? "FIELD_BAD" : "TEXT_BAD";
    json_decref(message);
    return copy;
}

char *api_message(enum api_kind kind, const char *room, const struct server_request *request)
{
    json_t *message = NULL, *text;
    switch (kind) {
    case API_GUEST:
    case API_DEVICE:
    case API_SIGNOUT:
        message = read_body(request->body);
        if (!message)
            return NULL;
        set(message, "t",
            json_string(kind == API_GUEST    ? "guest"
                        : kind == API_DEVICE ? "device"
                                             : "signout"));
        return write_out(message);
    case API_MAP:
        text = json_stringn(request->body.at, request->body.size);
        if (!text)
            return NULL;
        message = json_object();
        set(message, "t", json_string("map"));
        set(message, "text", text);
        return write_out(message);
    default:
        return message_of_get(kind, room, request);
    }
}

void api_token(const struct server_request *request, char token[API_TOKEN_BYTES])
{
    static const char bearer[] = "Bearer ";
    const char *text = request->authorization + sizeof bearer - 1;
    char cookie[API_TOKEN_BYTES] = "";
    token[0] = '\0';
    if (strncmp(request->authorization, bearer, sizeof bearer - 1) != 0) {
        http_cookie(request->cookie, "endstation", cookie, sizeof cookie);
        text = cookie;
    }
    if (strlen(text) == API_TOKEN_BYTES - 1 &&
        strspn(text, "0123456789abcdef") == API_TOKEN_BYTES - 1)
        memcpy(token, text, API_TOKEN_BYTES);
}

void api_cookie(struct es_str token, char *text, size_t size)
{
    snprintf(text, size, "endstation=%.*s; HttpOnly; SameSite=Strict; Path=/; Max-Age=%s",
             (int)token.size, token.at, token.size > 0 ? "34560000" : "0");
}

bool api_socket(const char *path, enum rooms_path *kind, char room[STORE_ROOM_BYTES])
{
    room[0] = '\0';
    *kind = ROOMS_LOBBY;
    if (strcmp(path, "/ws/lobby") == 0)
        return true;
    *kind = ROOMS_ROOM;
    const char *rest = strncmp(path, "/ws/", 4) == 0 ? take_room(path + 4, room) : NULL;
    return rest && *rest == '\0';
}
