/* Plain players of verplant on a bare sheet. They look at their own sheet and the card, and at
 * nothing that may come. Sheets are balanced with them, and better players are measured by them. */
#ifndef ENDSTATION_VERPLANT_BOTS_H
#define ENDSTATION_VERPLANT_BOTS_H

#include <endstation/verplant/sheet.h>

/* Chooses for a card on a sheet that has a free window; `random` decides among equals. */
typedef es_choice es_sheet_bot(const struct es_map *map, const struct es_sheet *sheet, int card,
                               struct es_random *random);

/* Any line that has a free window, each equally likely, a ring in either direction; marks all it
 * can. A free ride goes to any empty station. */
es_sheet_bot es_bot_any_line;
/* The line on which the card marks most stations; transfers and free rides go where most lines
 * meet. */
es_sheet_bot es_bot_greedy;

#endif
