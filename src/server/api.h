/* The HTTP interface of the rooms: which addresses there are, what they need, and the messages that
 * requests become (docs/protocol.md). Without connections. */
#ifndef ENDSTATION_API_H
#define ENDSTATION_API_H

#include "rooms/rooms.h"
#include "server/server.h"

enum api_kind {
    API_NONE,    /* not an address of the interface */
    API_UNKNOWN, /* begins with /api/, but is none */
    API_GUEST,
    API_DEVICE,
    API_MAP,
    API_QR,
    API_ROOMS,
    API_ROOM,
    API_RECORD,
    API_STATE,
    API_PICTURE,
    API_SHEET,
};

enum { API_TOKEN_BYTES = 65 };

/* Says what an address is; `room` is its room's id, or empty, also where the address has something
 * else in its place. */
enum api_kind api_kind(const char *path, char room[STORE_ROOM_BYTES]);
/* Returns 0 if a request may be made, else the status of its refusal, and its code. */
int api_refuses(enum api_kind kind, const struct server_request *request, const char **code);
/* Returns the most bytes that the body may have. */
size_t api_body_max(enum api_kind kind);
/* Returns the message that a request becomes, to be freed; NULL if its body is no JSON object or
 * not UTF-8. */
char *api_message(enum api_kind kind, const char *room, const struct server_request *request);

/* Returns the text that a request for a QR code has, to be freed; NULL if there is none. `code` is
 * that of a refusal, also if no code can be made of the text. */
char *api_qr_text(const struct server_request *request, const char **code);
/* Returns true if an address only takes POST. */
bool api_is_post(enum api_kind kind);

/* Copies the token of a request, from its cookie or its header `Authorization`; without one it is
 * empty. */
void api_token(const struct server_request *request, char token[API_TOKEN_BYTES]);
/* Writes the value of the header that sets the cookie. */
void api_cookie(struct es_str token, char *text, size_t size);
/* Returns true if the path of a WebSocket is good, and says what it is for. */
bool api_socket(const char *path, enum rooms_path *kind, char room[STORE_ROOM_BYTES]);

#endif
