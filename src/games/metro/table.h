/* What the files of metro's table share. */
#ifndef ENDSTATION_SRC_METRO_TABLE_H
#define ENDSTATION_SRC_METRO_TABLE_H

#include "page/table.h"
#include <endstation/metro.h>

extern const struct es_table es__metro_table;

/* ---- Facts (table_facts.c) ------------------------------------------------------------------ */

/* Writes a tile, "" for none; a square, "" for -1; the facts of a line that is or would be
 * finished, into an object that is open. */
void es__metro_tile_fact(struct es__json *json, const char *name, int tile);
void es__metro_square_fact(struct es__json *json, const char *name, int square);
void es__metro_line_facts(struct es__json *json, const struct es_setup *setup, struct es_line line);
void es__metro_facts(const struct es__looking *look, struct es__json *json);
void es__metro_player_facts(const struct es__looking *look, int player, struct es__json *json);

/* ---- The log (table_log.c) ------------------------------------------------------------------ */

void es__metro_tell(struct es__telling *t);

#endif
