/* The HTTP interface of the rooms (docs/protocol.md): its addresses, what requests to them need,
 * and the messages for the rooms that requests become. Uses no sockets. */
#ifndef ENDSTATION_API_H
#define ENDSTATION_API_H

#include "rooms/rooms.h"
#include "server/server.h"

enum api_kind {
    API_NONE,    /* not an address of the interface */
    API_UNKNOWN, /* begins with /api/, but does not exist */
    API_GUEST,
    API_DEVICE,
    API_SIGNOUT,
    API_MAP,
    API_QR,
    API_ME,
    API_ROOMS,
    API_ROOM,
    API_RECORD,
    API_STATE,
    API_PICTURE,
    API_SHEET,
};

enum { API_TOKEN_BYTES = 65 };

/* Returns what an address is for, and copies the id of its room. `room` is empty if there is none,
 * or something else in its place. */
enum api_kind api_kind(const char *path, char room[STORE_ROOM_BYTES]);
/* Returns 0 if a request is allowed, else the HTTP status of the refusal, with its code. */
int api_refuses(enum api_kind kind, const struct server_request *request, const char **code);
/* Returns the most bytes that the body may have. */
size_t api_body_max(enum api_kind kind);
/* Returns as how many requests one with a body of this size counts: reading and answering it holds
 * up everybody else. */
uint32_t api_cost(enum api_kind kind, size_t length);
/* Returns the message that a request becomes, to be freed; NULL if its body is no JSON object or
 * not UTF-8. */
char *api_message(enum api_kind kind, const char *room, const struct server_request *request);

/* Returns the text that a request wants as a QR code, to be freed; NULL if there is none. Sets
 * *code to that of a refusal, also for a text of which no QR code can be made. */
char *api_qr_text(const struct server_request *request, const char **code);
/* Returns true if an address only takes POST. */
bool api_is_post(enum api_kind kind);

/* Copies the token of a request, from its cookie or its header `Authorization`; without one it is
 * empty. */
void api_token(const struct server_request *request, char token[API_TOKEN_BYTES]);
/* Writes the value of the header that sets the cookie; an empty token: that deletes it. */
void api_cookie(struct es_str token, char *text, size_t size);
/* Returns true if there are WebSockets at a path, and sets what they are for. */
bool api_socket(const char *path, enum rooms_path *kind, char room[STORE_ROOM_BYTES]);

#endif
