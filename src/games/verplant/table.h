/* What the files of verplant's table share. */
#ifndef ENDSTATION_SRC_VERPLANT_TABLE_H
#define ENDSTATION_SRC_VERPLANT_TABLE_H

#include "page/table.h"
#include <endstation/verplant.h>

extern const struct es_table es__verplant_table;

/* ---- Facts (table_facts.c) ------------------------------------------------------------------ */

/* Writes a card, "" for none; a station's name, or its id where it has no name. */
void es__verplant_card_fact(struct es__json *json, const char *name, int card);
void es__verplant_station_fact(struct es__json *json, const char *name, const struct es_map *map,
                               int station);
/* Writes the stations that a choice for the open card marks, in order: their names as "marks". */
void es__verplant_marks_fact(struct es__json *json, const struct es_map *map,
                             const struct es_sheet *sheet, es_choice choice);
/* Entries that are owed and can still be made. */
int es__verplant_owed(const struct es_sheet *sheet);
void es__verplant_facts(const struct es__looking *look, struct es__json *json);
void es__verplant_player_facts(const struct es__looking *look, int player, struct es__json *json);

/* ---- The log (table_log.c) ------------------------------------------------------------------ */

void es__verplant_tell(struct es__telling *t);
size_t es__verplant_known_at(const struct es__looking *look, const es_event *events, size_t at);

/* ---- The conductor's form (table_tally.c) --------------------------------------------------- */

enum es_status es__verplant_tally(const struct es_setup *setup, struct es_str words,
                                  struct es_out *out);

#endif
