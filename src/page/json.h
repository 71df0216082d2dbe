/* JSON, written piece by piece: commas come by themselves.
 *
 *     struct es__json json = {out};
 *     es__json_open(&json, NULL, '{');
 *     es__json_int(&json, "round", 5);
 *     es__json_close(&json, '}');
 *
 * Names are NULL inside arrays. Texts may hold any UTF-8.
 */
#ifndef ENDSTATION_SRC_JSON_H
#define ENDSTATION_SRC_JSON_H

#include <endstation/text.h>

struct es__json {
    struct es_out *out;
    bool comma; /* something stands before, on the same level */
};

void es__json_open(struct es__json *json, const char *name, char bracket);
void es__json_close(struct es__json *json, char bracket);
void es__json_int(struct es__json *json, const char *name, long value);
/* With so many digits behind the point (1 to 6), rounded. */
void es__json_fixed(struct es__json *json, const char *name, double value, int digits);
void es__json_bool(struct es__json *json, const char *name, bool value);
void es__json_str(struct es__json *json, const char *name, struct es_str value);
void es__json_text(struct es__json *json, const char *name, const char *value);
/* The numbers of the bits that are set, from 1: players. */
void es__json_set(struct es__json *json, const char *name, unsigned set);

#endif
